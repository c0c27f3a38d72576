"""Tables of what depends on the number of the iteration alone: what they hold, and that results are the same bits with and without."""

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
from cogir.analysis.step_values import StepValues, step_values
from cogir.dialects.rng import NormalOp
from cogir.library import Random, State, Step, Value
from cogir.lowering.pipeline import lower_to
from cogir.transforms import step_tables
from cogir.transforms.fill_lanes import simplify

pytestmark = pytest.mark.sampled(3)


def decision(reset: bool = True, **given: Any) -> cogir.Model:
    """A decision with bounds that collapse, which is reset in each trial, or goes on as decided."""
    model = cogir.Model("decision")
    options: dict[str, Any] = {"time_step_size": 0.01, "collapse_time": 2.0, "max_executions_before_finished": 100_000, **given}
    model.node("node", library.drift_diffusion_decision, input=1, execute_until_finished=True, reset_each_trial=reset, **options)
    return model


def bounded(
    value: Value,
    *,
    rate: float = 0.1,
    noise: float = 0.2,
    time: State = 0.3,
    height: State = 1.0,
    position: State = 0.0,
    random: Random,
) -> Step:
    """A bound that is a state, one that is computed, and time that goes on from trial to trial; each trial starts a new walk."""
    time = time + rate
    height = height * np.exp(-0.1 * time) + 0.3
    other = 1.0 + np.sin(time) + np.cosh(0.01 * time)
    position = 0.9 * position + 0.1 * value[0] + 0.01 * other + noise * random.normal()
    return Step(outputs=(position, other, height), states=(time, height, position), finished=abs(position) > height or position > other)


def lingering(reset: bool, **given: float) -> cogir.Model:
    """Values that depend on the number of the iteration only if each trial starts from the same time."""
    model = cogir.Model("lingering")
    options: dict[str, Any] = {"execute_until_finished": True, "max_executions_before_finished": 100_000, **given}
    model.node("node", bounded, input=1, reset_each_trial=reset, **options)
    return model


def guarded(value: Value, *, rate: float = 0.1, time: State = 0.0, waits: State = 0.0, position: State = 0.0, random: Random) -> Step:
    """Time that goes on only if nothing waits, and is 0 at the start of each trial; what has finished waits, from the second trial on."""
    ready = waits == 0.0
    time = time + rate if ready else 0.0
    height = np.exp(-time)
    position = position + value[0] + 0.2 * random.normal()
    waits = 1.0 if abs(position) > height else 0.0
    return Step(outputs=(position, height), states=(time, waits, position), finished=waits != 0.0)


def waiting(initial: float) -> cogir.Model:
    """Trials that begin from the same time, but not all of them ready."""
    model = cogir.Model("waiting")
    options: dict[str, Any] = {"waits": initial, "execute_until_finished": True, "max_executions_before_finished": 100_000}
    model.node("node", guarded, input=1, **options, reset_each_trial=initial != 0.0)
    return model


def from_input(value: Value, *, time: State = 0.0, random: Random) -> Step:
    """A bound that depends on the input, too."""
    time = time + 0.01
    return Step(outputs=(time,), states=(time,), finished=random.normal() > np.exp(1.0 - value[0] * time))


def of_the_input() -> cogir.Model:
    model = cogir.Model("of the input")
    model.node("node", from_input, input=1, execute_until_finished=True, max_executions_before_finished=100_000, reset_each_trial=True)
    return model


def by_limit(value: Value, *, limit: float = 0.7, time: State = 0.0, x: State = 0.0, random: Random) -> Step:
    """Time that goes on below a limit, which the end of a trial is compared with, too."""
    time = time + 0.1 if x < limit else time
    x = x + 0.05 * np.exp(-time) + 0.02 * value[0] + 0.2 * random.normal()
    return Step(outputs=(x, time), states=(time, x), finished=not x < limit)


def by_input(value: Value, *, time: State = 0.0, x: State = 0.0, random: Random) -> Step:
    """As `by_limit`; the limit is the input."""
    time = time + 0.1 if x < value[0] else time
    x = x + 0.05 * np.exp(-time) + 0.2 * random.normal()
    return Step(outputs=(x, time), states=(time, x), finished=not x < value[0])


def limited(function: Callable[..., Step], reset: bool = True) -> cogir.Model:
    """Time that depends on the number of the iteration because a value has not reached a limit."""
    model = cogir.Model("limited")
    options: dict[str, Any] = {"execute_until_finished": True, "max_executions_before_finished": 100_000, "reset_each_trial": reset}
    model.node("node", function, input=1, **options)
    return model


MODELS: dict[str, Callable[[], cogir.Model]] = {
    "weibull": lambda: decision(bound="weibull", collapse_shape=2.5, urgency=0.1),
    "exponential": lambda: decision(bound="exponential"),
    "decided": lambda: decision(False, bound="exponential"),
    "states": lambda: lingering(True),
    "short": lambda: lingering(True, noise=1.0),
    "other starts": lambda: lingering(False),
    "later not ready": lambda: waiting(0.0),
    "first not ready": lambda: waiting(1.0),
    "limit of the input": lambda: limited(by_input),
    "limit reached before": lambda: limited(by_input, False),
}


def values_of(model: cogir.Model, *varying: str) -> StepValues | None:
    """What a table would hold; parameters that are `varying` differ between lanes."""
    module = model.ir()
    lower_to(module, "machine", options={"replicate": {"enabled": True}}, without=("fill-lanes",))
    found = lane_loop(module, varying)
    assert not isinstance(found, str)
    simplify(found.loop, module)
    found = lane_loop(module, varying)
    assert not isinstance(found, str)
    return step_values(found, CostTable(module))


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("capacity", [pytest.param(2, marks=pytest.mark.full), 7, pytest.param(65536, marks=pytest.mark.full)])
def test_results_are_the_same_bits(name: str, capacity: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """For lanes that leave the table, start from other values than the first one, or do not fulfil its conditions, too."""
    monkeypatch.setattr(step_tables, "CAPACITY", capacity)
    model = MODELS[name]()
    assert values_of(model) is not None
    asked: dict[str, Any] = {"inputs": {"node": [[0.3], [-0.1]]}, "count": 130, "num_trials": 3, "seed": 4}
    one_by_one = model.compile(without=["fill-lanes"], unfinished="ignore").replicates(**asked)
    in_lanes = model.compile(cache=False, unfinished="ignore").replicates(**asked)
    for port in in_lanes.outputs:
        assert in_lanes[port].tobytes() == one_by_one[port].tobytes()


@pytest.mark.parametrize("capacity", [2, pytest.param(65536, marks=pytest.mark.full)])
def test_limits_that_differ_between_the_points_of_a_sweep(capacity: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Conditions compare with the limit of each lane, also in lanes that leave the table."""
    monkeypatch.setattr(step_tables, "CAPACITY", capacity)
    model = limited(by_limit)
    assert values_of(model, "node/param:limit") is not None
    asked: dict[str, Any] = {"points": {"node/limit": [0.7, -0.1, 1.2]}, "inputs": {"node": [[0.3]]}, "num_trials": 2, "seed": 4}
    one_by_one = model.compile(without=["fill-lanes"]).sweep(**asked, replicates=20)
    in_lanes = model.compile(cache=False).sweep(**asked, replicates=20)
    for port in in_lanes.outputs:
        assert in_lanes[port].tobytes() == one_by_one[port].tobytes()


def test_limits_from_the_input_give_what_python_gives() -> None:
    model = limited(by_input)
    asked: dict[str, Any] = {"inputs": {"node": [[0.7], [0.2]]}, "count": 20, "num_trials": 2, "seed": 4}
    in_python = model.compile(mode="python").replicates(**asked)
    in_lanes = model.compile().replicates(**asked)
    for port in in_lanes.outputs:
        np.testing.assert_allclose(in_lanes[port], in_python[port], rtol=1e-13)


def test_loops_over_lanes_compute_no_bound() -> None:
    module = decision(bound="weibull").ir()
    lower_to(module, "machine", options={"replicate": {"enabled": True}})
    (iterate,) = (op for op in module.ops if isinstance(op, func.FuncOp) and op.sym_name.data == "lanes_iterate")
    loops = [op for op in iterate.walk() if isinstance(op, scf.ForOp) and any(isinstance(inner, NormalOp) for inner in op.walk())]
    assert len(loops) == 2
    assert not any(isinstance(inner, math.ExpOp | math.LogOp) for loop in loops for inner in loop.walk())
    assert any(isinstance(op, math.ExpOp) for op in iterate.walk())


def test_what_a_table_holds() -> None:
    values = values_of(decision(bound="weibull"))
    assert values is not None
    assert [value.name_hint for value in values.costly] == ["height"]
    assert len(values.carried) == len(values.conditions) == 1
    several = values_of(lingering(True))
    assert several is not None
    assert len(several.costly) == 2
    assert len(several.carried) == 2
    assert not several.conditions


def many(value: Value, *, time: State = 0.1, x: State = 0.0, random: Random) -> Step:
    """Five costly values, one of them costlier than the others, and one that follows from another one."""
    time = time + 0.01
    heights = (np.exp(-time), np.sin(time), np.cos(time), np.tanh(time), np.exp(np.sin(3.0 * time)) + np.log(time))
    x = x + heights[0] * value[0] + random.normal()
    x = x + heights[1] * random.normal() + heights[2] * random.normal() + heights[3] * random.normal()
    return Step(outputs=(x, time), states=(time, x), finished=abs(x) > heights[4] + 9.0 or abs(x) > 0.02 * heights[0] + 9.0)


def test_the_costliest_values_are_held_and_none_that_follows_from_another() -> None:
    model = cogir.Model("many")
    model.node("node", many, input=1, execute_until_finished=True, max_executions_before_finished=1000, reset_each_trial=True)
    values = values_of(model)
    assert values is not None
    assert len(values.costly) == 4
    assert not any(value.owner.name == "arith.mulf" for value in values.costly)
    assert values.costly[-1].owner.name == "arith.addf"


def test_bounds_that_are_cheap_or_depend_on_more_are_computed() -> None:
    assert values_of(decision(bound="linear")) is None
    assert values_of(of_the_input()) is None
