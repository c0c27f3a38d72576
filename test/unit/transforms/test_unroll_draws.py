"""Shaped draws in lanes are those of single draws: the same bits from the same operations, and no loop in a lane."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from xdsl.dialects import func, scf
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation

import cogir
from cogir.dialects.rng import FloatDrawOperation, NormalOp
from cogir.library import Random, State, Static, Step, Value
from cogir.lowering.pipeline import lower_to
from cogir.transforms import fill_lanes

Source = Callable[..., Step]


def walk(drawn: Value, total: Value) -> Step:
    total = total + 0.1 * drawn
    return Step(outputs=(total,), states=(total,), finished=np.max(total) > 0.7)


def normals(value: Value, *, size: Static = 3, total: State = 0.0, random: Random) -> Step:
    return walk(value + 0.3 + random.normal(size), total)


def single_normals(value: Value, *, size: Static = 3, total: State = 0.0, random: Random) -> Step:
    return walk(value + 0.3 + np.array([random.normal() for i in range(size)]), total)


def uniforms(value: Value, *, size: Static = 3, total: State = 0.0, random: Random) -> Step:
    return walk(value + random.uniform(size), total)


def single_uniforms(value: Value, *, size: Static = 3, total: State = 0.0, random: Random) -> Step:
    return walk(value + np.array([random.uniform() for i in range(size)]), total)


def exponentials(value: Value, *, size: Static = 3, total: State = 0.0, random: Random) -> Step:
    return walk(value + random.exponential(0.5, size), total)


def single_exponentials(value: Value, *, size: Static = 3, total: State = 0.0, random: Random) -> Step:
    return walk(value + np.array([random.exponential(0.5) for i in range(size)]), total)


def lognormals(value: Value, *, size: Static = 3, total: State = 0.0, random: Random) -> Step:
    return walk(value + random.lognormal(0.0, 0.5, size), total)


def single_lognormals(value: Value, *, size: Static = 3, total: State = 0.0, random: Random) -> Step:
    return walk(value + np.array([random.lognormal(0.0, 0.5) for i in range(size)]), total)


def truncated(value: Value, *, size: Static = 3, total: State = 0.0, random: Random) -> Step:
    return walk(value + random.truncated_normal(-1.0, 2.0, size=size), total)


def single_truncated(value: Value, *, size: Static = 3, total: State = 0.0, random: Random) -> Step:
    return walk(value + np.array([random.truncated_normal(-1.0, 2.0) for i in range(size)]), total)


def indices(value: Value, *, size: Static = 3, total: State = 0.0, random: Random) -> Step:
    return walk(value + random.categorical([0.2, 0.5, 0.3], size), total)


def single_indices(value: Value, *, size: Static = 3, total: State = 0.0, random: Random) -> Step:
    return walk(value + np.array([random.categorical([0.2, 0.5, 0.3]) for i in range(size)]), total)


def chosen(value: Value, *, size: Static = 3, total: State = 0.0, random: Random) -> Step:
    return walk(value + random.choice(np.array([-1.0, 0.5, 1.5]), size, p=[0.2, 0.5, 0.3]), total)


def single_chosen(value: Value, *, size: Static = 3, total: State = 0.0, random: Random) -> Step:
    return walk(value + np.array([random.choice(np.array([-1.0, 0.5, 1.5]), p=[0.2, 0.5, 0.3]) for i in range(size)]), total)


def in_a_branch(value: Value, *, size: Static = 3, total: State = 0.0, random: Random) -> Step:
    drawn = np.zeros(size)
    if np.max(total) > 0.2:
        drawn = random.normal(size)
    return walk(value + 0.3 + drawn, total)


PAIRS: list[tuple[Source, Source]] = [
    (normals, single_normals),
    (uniforms, single_uniforms),
    (exponentials, single_exponentials),
    (lognormals, single_lognormals),
    (truncated, single_truncated),
    (indices, single_indices),
    (chosen, single_chosen),
]


def model_of(function: Source, size: int) -> cogir.Model:
    model = cogir.Model("walk", seed=5)
    options: dict[str, Any] = {"execute_until_finished": True, "max_executions_before_finished": 300, "reset_each_trial": True}
    model.node("walk", function, input=size, size=size, **options)
    return model


def iterate(model: cogir.Model) -> func.FuncOp:
    """The iterations of all lanes."""
    module = model.ir()
    lower_to(module, "machine", options={"replicate": {"enabled": True}})
    return next(op for op in module.ops if isinstance(op, func.FuncOp) and op.sym_name.data == "lanes_iterate")


def lane_loops(function: func.FuncOp) -> dict[str, int]:
    """The loops within the innermost loops that draw, by name: these are the loops over lanes."""
    draws = [op for op in function.walk() if isinstance(op, FloatDrawOperation)]
    assert draws
    loops = {loop_of(op) for op in draws}
    inside = Counter(op.name for loop in loops for op in loop.walk() if op is not loop)
    return {name: inside[name] for name in ("scf.for", "linalg.generic")}


def loop_of(op: Operation) -> Operation:
    """The innermost loop around an operation."""
    while (op := op.parent_op()) is not None:  # pyright: ignore[reportAssignmentType]
        if isinstance(op, scf.ForOp):
            return op
    raise AssertionError("a draw outside of all loops")


@pytest.mark.parametrize("size", [1, 2, 3, 16])
@pytest.mark.parametrize("kind", [normals, uniforms])
def test_draws_of_lanes_are_of_numbers(kind: Source, size: int) -> None:
    function = iterate(model_of(kind, size))
    draws = [op for op in function.walk() if isinstance(op, FloatDrawOperation)]
    assert not any(isinstance(op.value.type, TensorType) for op in draws)
    assert len(draws) == 4 * size  # two iterations, with normals kept and without


@pytest.mark.parametrize("size", [2, 3, 16])
@pytest.mark.parametrize("shaped", [shaped for shaped, _ in PAIRS if shaped is not truncated])
def test_no_lane_has_a_loop(shaped: Source, size: int) -> None:
    assert lane_loops(iterate(model_of(shaped, size))) == {"scf.for": 0, "linalg.generic": 0}


@pytest.mark.parametrize("size", [1, 2, 3])
def test_no_lane_has_a_loop_for_a_few_quantiles(size: int) -> None:
    assert lane_loops(iterate(model_of(truncated, size))) == {"scf.for": 0, "linalg.generic": 0}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("size", [2, 3, 16])
@pytest.mark.parametrize(("shaped", "single"), PAIRS, ids=lambda function: function.__name__)
def test_the_same_bits(shaped: Source, single: Source, size: int) -> None:
    """Of shaped and single draws, in lanes and one after the other, and as interpreted."""
    inputs = {"walk": np.linspace(-0.1, 0.2, 2 * size).reshape(2, size)}
    runs = [
        model_of(function, size).compile(**options).replicates(inputs, count=60)
        for function, options in ((shaped, {}), (single, {}), (shaped, {"without": ["fill-lanes"]}))
    ]
    runs.append(model_of(shaped, size).compile(mode="python").replicates(inputs, count=2))
    first = np.asarray(runs[0]["walk"])
    assert len(np.unique(first)) > 20
    for other in runs[1:]:
        found = np.asarray(other["walk"])
        assert np.array_equal(first[: len(found)], found)


def test_draws_in_a_branch() -> None:
    function = iterate(model_of(in_a_branch, 3))
    assert not any(isinstance(op.value.type, TensorType) for op in function.walk() if isinstance(op, NormalOp))
    inputs = {"walk": np.zeros((1, 3))}
    lanes, alone = (model_of(in_a_branch, 3).compile(**given).replicates(inputs, count=40) for given in ({}, {"without": ["fill-lanes"]}))
    assert np.array_equal(lanes["walk"], alone["walk"])


def many(value: Value, *, size: Static = 1, total: State = 0.0, random: Random) -> Step:
    return walk(value + np.sum(random.normal(17)), total)


def products(value: Value, *, size: Static = 1, total: State = 0.0, random: Random) -> Step:
    drawn = random.normal(5)
    return walk(value + np.sum(np.outer(drawn, drawn)), total)


def four_quantiles(value: Value, *, size: Static = 1, total: State = 0.0, random: Random) -> Step:
    return walk(value + np.sum(random.truncated_normal(-1.0, 2.0, size=4)), total)


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (many, "a step draws 17 numbers at a time; draw up to 16 at a time"),
        (products, "a step computes an array by 25 steps; use arrays of up to 16 numbers"),
        (four_quantiles, "a step has a loop of 4 iterations; write their values one by one"),
    ],
)
def test_what_lanes_cost_otherwise(function: Source, reason: str) -> None:
    (text,) = model_of(function, 1).compile().explain()["replicates and sweeps"]
    assert text == f"in 48 lanes, one after the other in each step unless LLVM unrolls this: {reason}"


def test_nothing_is_said_without_cause() -> None:
    assert model_of(normals, 16).compile().explain()["replicates and sweeps"] == ["in 48 lanes"]


def draws_stay_loops(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(fill_lanes, "unroll_draws", lambda loop: None)
    test_draws_of_lanes_are_of_numbers(normals, 3)


def loops_in_lanes_are_not_said(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(fill_lanes, "loops_in_step", lambda loop: "")
    test_what_lanes_cost_otherwise(many, "a step draws 17 numbers at a time; draw up to 16 at a time")


@pytest.mark.parametrize("fault", [draws_stay_loops, loops_in_lanes_are_not_said])
def test_planted_faults_are_found(fault: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(AssertionError):
        fault(monkeypatch)
