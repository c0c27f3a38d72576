"""Sums of derivatives that the first block of a batch overwrites: the same bits, and no sum that something else is added to."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import i1

import cogir
from cogir import library
from cogir.lowering.entry.code import Code
from cogir.lowering.entry.learn import LearnEntry
from cogir.lowering.products.overwrite_derivatives import ranges_between


def learner(sizes: tuple[int, ...], with_more: bool = False) -> cogir.Model:
    """Layers, the last of which is perhaps also given the first one."""
    made = np.random.default_rng(0)
    model = cogir.Model("learner")
    nodes = [model.node("n0", input=sizes[0])]
    for number, (before, size) in enumerate(pairwise(sizes), 1):
        nodes.append(model.node(f"n{number}", library.logistic, input=size))
        model.project(nodes[-2], nodes[-1], matrix=made.normal(size=(before, size)) / np.sqrt(before))
    if with_more:
        model.project(nodes[0], nodes[-1], matrix=made.normal(size=(sizes[0], sizes[-1])))
    model.output(nodes[-1])
    model.learning([(nodes[-1], model.node("target", input=sizes[-1]))], library.adam, rate=0.05)
    return model


def learned(sizes: tuple[int, ...], with_more: bool, batch: int, trials: int, **options: Any) -> tuple[Any, dict[str, Any]]:
    """The losses, and what was learned."""
    made = np.random.default_rng(1)
    data = {"n0": made.normal(size=(trials, sizes[0])), "target": made.uniform(size=(trials, sizes[-1]))}
    compiled = learner(sizes, with_more).compile(**options)
    found = compiled.learn(data, epochs=2, batch=batch)
    return found.losses, {path: np.array(value) for path, value in compiled.params.items()}


CASES = [
    ((60, 50, 3), False, 32, 100),  # a part of a batch is left at the end
    ((60, 50, 3), False, 300, 700),  # batches of two blocks, the second of which is not whole
    ((60, 50, 40), True, 16, 64),
]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("without", ["overwrite-derivatives", "tile-products", "batch-trials"])
@pytest.mark.parametrize(("sizes", "with_more", "batch", "trials"), CASES)
def test_the_same_bits(sizes: tuple[int, ...], with_more: bool, batch: int, trials: int, without: str) -> None:
    found, wanted = (learned(sizes, with_more, batch, trials, without=names) for names in ([], [without]))
    np.testing.assert_array_equal(found[0], wanted[0])
    for path, value in wanted[1].items():
        np.testing.assert_array_equal(found[1][path], value)


def test_blocks_that_all_overwrite_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """A planted fault: each block is taken for the first one of its batch."""
    made = LearnEntry.call_gradients

    def as_the_first(self: LearnEntry, code: Code, rows: Any, total: Any, count: Any, _: Any) -> None:
        made(self, code, rows, total, count, code.constant(1, i1))

    wanted, _ = learned(*CASES[1], without=["overwrite-derivatives"])
    monkeypatch.setattr(LearnEntry, "call_gradients", as_the_first)
    found, _ = learned(*CASES[1], cache=False)
    assert not np.array_equal(found, wanted)


@pytest.mark.parametrize(
    ("covered", "size", "left"),
    [((), 5, [(0, 5)]), ((0, 5), 5, []), ((1, 2, 2, 4), 6, [(0, 1), (4, 6)]), ((0, 3), 6, [(3, 6)])],
)
def test_the_ranges_that_are_left(covered: tuple[int, ...], size: int, left: list[tuple[int, int]]) -> None:
    assert ranges_between(covered, size) == left
