"""Costly values that are used rarely: blocks of lanes that use none compute none, and results are the same bits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from xdsl.dialects import func, math, scf

import cogir
from cogir import library
from cogir.analysis.lane_loop import lane_loop
from cogir.analysis.op_cost import CostTable
from cogir.analysis.rare_values import RareValues, rare_values
from cogir.dialects.rng import NormalOp
from cogir.library import Random, State, Step, Value
from cogir.lowering.pipeline import lower_to
from cogir.transforms.fill_lanes import simplify

pytestmark = pytest.mark.sampled(2)


def pulses(value: Value, *, scale: float = 0.1, left: State = 0.0, total: State = 0.0, random: Random) -> Step:
    """Pulses of random lengths, some of them shorter than a step; when one ends depends on the input."""
    length = scale * np.exp(2.0 * random.normal())
    now = length if left < value[0] else left
    left = now - 0.1
    total = total + 0.3 * random.normal() + 0.001 * now
    return Step(outputs=(total, left), states=(left, total), finished=abs(total) > 1.0)


def of_pulses(prng: str, reset: bool, **given: float) -> cogir.Model:
    model = cogir.Model("pulses")
    options: dict[str, Any] = {"execute_until_finished": True, "max_executions_before_finished": 100_000, "prng": prng, **given}
    model.node("node", pulses, input=1, reset_each_trial=reset, **options)
    return model


def from_draws(value: Value, *, total: State = 0.0, random: Random) -> Step:
    """A costly value under a condition that is known after a draw only."""
    drawn = random.normal()
    total = total + (np.exp(drawn) if drawn > 2.0 else 0.1 * value[0])
    return Step(outputs=(total,), states=(total,), finished=total > 3.0)


def of_draws() -> cogir.Model:
    model = cogir.Model("draws")
    model.node("node", from_draws, input=1, execute_until_finished=True, max_executions_before_finished=100_000, reset_each_trial=True)
    return model


def decision(function: Callable[..., Any], size: int, **given: Any) -> cogir.Model:
    model = cogir.Model("decision")
    options: dict[str, Any] = {"time_step_size": 0.01, "max_executions_before_finished": 100_000, "reset_each_trial": True, **given}
    model.node("node", function, input=size, execute_until_finished=True, **options)
    return model


MODELS: dict[str, tuple[Callable[[], cogir.Model], list[float]]] = {
    "attention": (lambda: decision(library.attentional_decision, 2), [3.0, 2.0]),
    "short fixations": (lambda: decision(library.attentional_decision, 2, fixation_time=0.02), [3.0, 2.0]),
    "pulses": (lambda: of_pulses("xoshiro256", True), [0.04]),
    "long pulses": (lambda: of_pulses("xoshiro256", False, scale=5.0), [0.04]),
}


def values_of(model: cogir.Model) -> RareValues | None:
    """The rare values of a model."""
    module = model.ir()
    lower_to(module, "machine", options={"replicate": {"enabled": True}}, without=("fill-lanes",))
    for _ in range(2):
        found = lane_loop(module)
        assert not isinstance(found, str)
        simplify(found.loop, module)
    found = lane_loop(module)
    assert not isinstance(found, str)
    return rare_values(found, CostTable(module), ())


@pytest.mark.parametrize("name", MODELS)
def test_results_are_the_same_bits(name: str) -> None:
    build, inputs = MODELS[name]
    assert values_of(build()) is not None
    rows = [inputs, [1.5 * number for number in inputs]]
    asked: dict[str, Any] = {"inputs": {"node": rows}, "count": 130, "num_trials": 2, "seed": 4}
    one_by_one = build().compile(without=["fill-lanes"]).replicates(**asked)
    in_lanes = build().compile(cache=False).replicates(**asked)
    for port in in_lanes.outputs:
        assert in_lanes[port].tobytes() == one_by_one[port].tobytes()


def test_blocks_without_rare_values_compute_none() -> None:
    module = decision(library.attentional_decision, 2).ir()
    lower_to(module, "machine", options={"replicate": {"enabled": True}})
    (iterate,) = (op for op in module.ops if isinstance(op, func.FuncOp) and op.sym_name.data == "lanes_iterate")
    loops = [op for op in iterate.walk() if isinstance(op, scf.ForOp) and any(isinstance(each, NormalOp) for each in op.body.block.ops)]
    # Where some lane keeps a normal, where some lane of a block begins a fixation, and where none does.
    assert [sum(isinstance(op, math.ExpOp) for op in loop.walk()) for loop in loops] == [2, 2, 0]
    assert [sum(isinstance(op, NormalOp) for op in loop.walk()) for loop in loops] == [4, 4, 4]  # two numbers in two iterations


def test_conditions_that_are_usual_or_depend_on_draws_are_not_asked_for() -> None:
    found = values_of(decision(library.attentional_decision, 2))
    assert found is not None
    assert found.condition.name_hint == "switches"
    assert len(found.carried) == 1
    for model in (decision(library.race_decision, 3), decision(library.full_drift_diffusion_decision, 1), of_draws()):
        assert values_of(model) is None
