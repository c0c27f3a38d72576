"""Saved states of compiled models."""

from __future__ import annotations

from typing import Any

import numpy as np

import cogir
from cogir.library import Value
from cogir.psyneulink.state.snapshots import Snapshot

INPUTS = {"node": [[0.3], [0.7]]}


def outcome(x: Value, *, first: Value = 1.0) -> Value:
    return (x - first) * (x + first)


def test_a_saved_state_comes_back_whole() -> None:
    model = cogir.Model("search")
    node = model.node("node", outcome, input=1)
    model.input(node)
    model.output(node)
    signal = cogir.Signal(node.param("first"), levels=np.linspace(0, 1, 9), modulation="override")
    model.control("control", objective=node, signals=[signal], direction="minimize", keep="values")
    compiled = model.compile(mode="run")
    compiled.run(INPUTS, num_trials=2)
    context: Any = compiled.context()
    saved = Snapshot(context)
    for _ in range(2):
        context.sf += 1.0
        before = [np.array(buffer) for buffer in (context.sf, context.si, context.rng)]
        saved.save()
        context.sf -= 7.0
        context.si += 3
        context.rng += 1
        saved.put_back()
        for buffer, wanted in zip((context.sf, context.si, context.rng), before, strict=True):
            assert np.array_equal(buffer, wanted)


def test_a_state_that_was_given_away_stays_as_it_is() -> None:
    model = cogir.Model("m")
    model.input(node := model.node("node", outcome, input=1))
    model.output(node)
    context: Any = model.compile(mode="run").context()
    saved = Snapshot(context)
    saved.save()
    kept = saved.give()
    before = [held.copy() for held in kept]
    context.sf += 1.0
    saved.save()
    assert all(np.array_equal(one, other) for one, other in zip(kept, before, strict=True))
    assert np.array_equal(saved.sf, context.sf[: len(saved.sf)])
