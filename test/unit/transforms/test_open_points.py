"""What a search computes at each point is opened where that pays, and nothing else; the numbers stay."""

from __future__ import annotations

import numpy as np
import pytest
from support.golden import CASES, example, flat_inputs, reference
from support.searches import at_each_point
from xdsl.dialects.builtin import ModuleOp

import cogir
from cogir.lowering.pipeline import lower_to
from cogir.transforms.open_points import OpenPoints

PASS = OpenPoints.name
INPUTS = flat_inputs(reference("predator_prey_S")["calls"][0]["inputs"])


def machine(size: str, without: tuple[str, ...] = ()) -> ModuleOp:
    """A predator-prey model at stage machine."""
    module = example("predator_prey", size)().ir()
    lower_to(module, "machine", without=without)
    return module


def test_a_point_of_predator_prey_takes_two_divisions() -> None:
    assert at_each_point(machine("l")) == ["arith.divf", "arith.divf", "agreement"]
    assert at_each_point(machine("l", (PASS,))) == ["move", "agreement"]


def test_a_small_grid_stays_closed() -> None:
    assert at_each_point(machine("s")) == ["move", "agreement"]


@pytest.mark.parametrize("size", ["m", "l"])
def test_the_numbers_stay(size: str) -> None:
    runs = [example("predator_prey", size)().compile(mode="run", without=left).run(INPUTS, 5) for left in ((), (PASS,))]
    for read in (lambda run: run.results, lambda run: run.allocations["CONTROL"]):
        assert np.array_equal(*(np.asarray(read(run)) for run in runs))


def test_searches_with_analytical_decisions_stay() -> None:
    case = next(case for case in CASES if case.file == "evc_ddm")
    inputs = flat_inputs(reference(case.file)["calls"][0]["inputs"])
    runs = [case.build().compile(mode="run", without=left).run(inputs, 12) for left in ((), (PASS,))]
    assert str(runs[0].results) == str(runs[1].results)
    assert np.array_equal(*(run.allocations[case.controller] for run in runs))


def grouped(a: cogir.library.Value, b: cogir.library.Value, *, gain: float = 1.0, other: float = 1.0) -> cogir.library.Value:
    """Parts of one parameter, of the other one, and of both."""
    left, right = np.exp(a * gain), np.tanh(b / other)
    return left / right + np.sqrt(left * left + right * right) + np.log(right * right + 1.0) / other


def test_levels_of_parameters_of_a_users_function() -> None:
    def build() -> cogir.Model:
        model = cogir.Model("m")
        node = model.node("n", grouped, input={"a": 3, "b": 3})
        last = model.node("sum", cogir.library.linear)
        model.project(node, last, matrix=[[1.0], [-2.0], [0.5]])
        signals = [cogir.Signal(node.param(name), levels=[0.5 + number / 7 for number in range(8)]) for name in ("gain", "other")]
        model.control("search", objective=last, signals=signals)
        model.output(node)
        return model

    inputs = {"n": {"a": [[0.1, -0.4, 0.7]], "b": [[1.0, 2.0, -3.0]]}}
    runs = [build().compile(mode="run", without=left).run(inputs, 4) for left in ((), (PASS,), ("factor-grid",))]
    oracle = build().compile(mode="python").run(inputs, 4)
    for run in runs:
        assert str(run.results) == str(oracle.results)
        assert np.array_equal(run.allocations["search"], oracle.allocations["search"])
