"""Outputs, states and parameters that are whole numbers: their values are what ranges, bounds on trials and objectives are about."""

from typing import Any

import numpy as np
import pytest
from support.planted import in_splits

import cogir
from cogir.analyze import convergence, ranges, refine
from cogir.library.signature import State, Step, Value


def one(function: Any, input: Any = ()) -> cogir.Model:
    model = cogir.Model("whole")
    model.node("n", function, input=input)
    return model


def whole(x: float) -> int:
    return int(x)


def order(x: Value) -> Any:
    return np.argsort(x) - 7, np.argmax(x), x[0] > 0.5


def count(x: float, *, by: int = 1, k: State = 0) -> Step:
    return Step(outputs=(k + by, float(k + by), -(k + by)), states=(k + by,))


def distance(x: float, *, k: int = 2) -> int:
    return (k - 3) * (k - 3) - 1


def same(x: float, *, k: int = 2) -> int:
    return k


@pytest.mark.parametrize("ends", [(2.0, 3.0), (-3.5, -1.5), (-0.5, 0.5), (7.0, 7.9)])
@pytest.mark.parametrize("trials", [None, 1, 40])
@pytest.mark.parametrize("split", [None, 3])
def test_a_number(ends: tuple[float, float], trials: int | None, split: int | None) -> None:
    found = ranges(one(whole), {}, {"n": ends}, trials=trials, split=split)
    assert (found["n"].low.item(), found["n"].high.item(), found["n"].nan.item()) == (int(ends[0]), int(ends[1]), False)
    assert found
    assert not found.unbounded


@pytest.mark.parametrize("size", [3, 12])
def test_arrays(size: int) -> None:
    found = ranges(one(order, size), {}, {"n": (0.0, 1.0)})
    assert found["n/value_0"].low.tolist() == [-7.0] * size
    assert found["n/value_0"].high.tolist() == [size - 8.0] * size
    assert (found["n/value_1"].low.item(), found["n/value_1"].high.item()) == (0.0, size - 1.0)
    assert (found["n/value_2"].low.item(), found["n/value_2"].high.item()) == (0.0, 1.0)


def test_states_by_trial() -> None:
    found = ranges(one(count), {"n/by": (1, 3)}, {"n": 0.0}, trials=4)
    for trial, ports in enumerate(found.by_trial, 1):
        for port, low, high in (("n/value_0", trial, 3 * trial), ("n/value_1", trial, 3 * trial), ("n/value_2", -3 * trial, -trial)):
            assert (ports[port].low.item(), ports[port].high.item()) == (low, high)


def test_a_run_that_is_over() -> None:
    """The outputs of trials after the end of a run are zeros."""
    model = one(count)
    model.schedule.run_ends(cogir.AfterNTrials(2))
    found = ranges(model, {}, {"n": 0.0}, trials=2)
    assert [each["n/value_2"].low.item() for each in found.by_trial] == [-1.0, -2.0]


def test_tables() -> None:
    pytest.importorskip("pandas")
    found = ranges(one(whole), {}, {"n": (2.0, 3.0)})
    assert found.to_dataframe()[["low", "high"]].to_numpy().tolist() == [[2.0, 3.0]]
    assert "n/value  2 to 3" in repr(found)


@pytest.mark.parametrize("relation", [">=", "<="])
def test_trials_until(relation: str) -> None:
    sign, port = (1.0, "n/value_0") if relation == ">=" else (-1.0, "n/value_2")
    model = one(count)
    found = convergence(model, {}, {"n": 0.0}, until=(port, relation, 5.0 * sign))
    values = np.asarray(model.compile().run({"n": [0.0] * 8}, num_trials=8)[port])
    reached = 1 + int(np.flatnonzero(sign * values >= 5.0)[0])
    assert (found.earliest, found.latest) == (reached, reached) == (5, 5)


@pytest.mark.parametrize(("direction", "best", "value"), [("minimize", 3, -1.0), ("maximize", 50, 47.0**2 - 1.0)])
def test_an_objective(direction: Any, best: int, value: float) -> None:
    found = refine(one(distance), {"n/k": (-10, 50)}, {"n": 0.0}, objective="n", direction=direction, rounds=12, narrow=0.02)
    assert found.region["n/k"] == (best, best)
    assert found.guarantee == value
    assert found


@pytest.mark.parametrize("ends", [(2**53 + 1, 2**53 + 3), (-(2**53) - 3, -(2**53) - 1), (2**63 - 1, 2**63 - 1), (-(2**63), -(2**63))])
def test_ends_beyond_floats_are_outward(ends: tuple[int, int]) -> None:
    found = ranges(one(same), {"n/k": ends}, {"n": 0.0})["n"]
    assert int(found.low.item()) <= ends[0] <= ends[1] <= int(found.high.item())
    assert found.width.item() <= 8.0 if abs(ends[0]) < 2**62 else found.width.item() <= 4096.0


def test_ends_within_floats_are_exact() -> None:
    found = ranges(one(same), {"n/k": (1 - 2**53, 2**53 - 1)}, {"n": 0.0})["n"]
    assert (found.low.item(), found.high.item()) == (1.0 - 2.0**53, 2.0**53 - 1.0)


def test_bits_are_no_values(monkeypatch: pytest.MonkeyPatch) -> None:
    in_splits.PLANTS["whole_numbers_as_bits"](monkeypatch)
    with pytest.raises(AssertionError):
        test_trials_until(">=")
    with pytest.raises(AssertionError):
        test_an_objective("minimize", 3, -1.0)
