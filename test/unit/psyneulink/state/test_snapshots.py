"""Saved states of compiled models with tables that searches keep."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import cogir
from cogir.library import Value
from cogir.psyneulink.state.snapshots import Snapshots

INPUTS = {"node": [[0.3], [0.7]]}


def outcome(x: Value, *, first: Value = 1.0) -> Value:
    return (x - first) * (x + first)


def stepped() -> tuple[Any, list[Any]]:
    """The context of a model after two trials, and two leaves: nine values that its search keeps, and the levels in force."""
    model = cogir.Model("search")
    node = model.node("node", outcome, input=1)
    model.input(node)
    model.output(node)
    signal = cogir.Signal(node.param("first"), levels=np.linspace(0, 1, 9), modulation="override")
    model.control("control", objective=node, signals=[signal], direction="minimize", keep="values")
    compiled = model.compile(mode="run")
    compiled.run(INPUTS, num_trials=2)
    context: Any = compiled.context()
    tables = [leaf for leaf in context.plan.leaves.values() if leaf.path == "control/values" or leaf.path.startswith("control/signal:")]
    assert sorted(leaf.size for leaf in tables) == [1, 9]
    return context, tables


def test_a_saved_state_comes_back_whole() -> None:
    context, tables = stepped()
    snapshots = Snapshots(context, tables)
    for _ in range(2):  # the second time, tables are saved in the memory of the first
        context.sf += 1.0
        before = [np.array(bank) for bank in (context.sf, context.si, context.rng)]
        saved = snapshots.save()
        context.sf -= 7.0
        context.si += 3
        context.rng += 1
        snapshots.put_back(saved)
        for bank, wanted in zip((context.sf, context.si, context.rng), before, strict=True):
            assert np.array_equal(bank, wanted)


@pytest.mark.parametrize("count", [0, 1, 2])
def test_copies_leave_tables_out(count: int) -> None:
    context, tables = stepped()
    context.sf[:] = np.arange(1.0, 1.0 + len(context.sf))
    copy = Snapshots(context, tables[:count]).numbers()
    left_out = np.isin(np.arange(len(copy)), [place for leaf in tables[:count] for place in range(leaf.offset, leaf.offset + leaf.size)])
    assert np.array_equal(copy, np.where(left_out, 0.0, context.sf))
    assert left_out.sum() == sum(leaf.size for leaf in tables[:count])
