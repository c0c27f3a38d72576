"""
The comparison of PsyNeuLink's own tests (`test/psyneulink_suite`) finds what is planted in it, and only that.
"""

from copy import deepcopy
from math import inf
from typing import Any

import numpy as np
import pytest
from psyneulink_suite.compare import TOLERANCE, Comparison, difference
from psyneulink_suite.exceptions import NOT_KEPT, UNEQUAL, not_kept
from psyneulink_suite.plain_data import plain
from psyneulink_suite.records import Call, RecordedTest
from psyneulink_suite.table import BEGINNING, END, put_into, summary, table

TIME = "time(run=0, trial=0, pass_=0, time_step=0)"
HELD: dict[tuple[str | int, ...], Any] = {
    ("A", "value"): np.array([[1.0, 2.0]]),
    ("A", "num_executions"): "Time(run: 1)",
    ("A", "input", 0, "variable"): np.array([[1.0, 2.0]]),
    ("A", "input", 0, "projection", 0, "matrix"): np.eye(2),
    ("A", "integrator_function", "previous_value"): np.array([[0.5, 0.5]]),
    ("A", "integrator_function", "random_state"): {"generator": "MT19937", "key": np.arange(624, dtype=np.uint32), "rest": "pos 3"},
    ("A", "log", "value"): [["entry", TIME, "PROCESSING", np.array([[1.0, 2.0]])]],
    ("controller", "state_feature_values"): {"0: InputPort": np.array([[1.0]])},
    ("clock",): "Time(run: 1)",
}


def recorded(name: str = "test_run", **changes: Any) -> RecordedTest:
    """A test with one native call, and with these changes in what it left."""
    call = Call("run", native=True, returned=["list", np.array([2.0])], results=["list", ["list", np.array([2.0])]], held=deepcopy(HELD))
    for attribute, value in changes.items():
        setattr(call, attribute, value)
    return RecordedTest(name, calls=[call])


def compared(expected: RecordedTest, found: RecordedTest) -> Comparison:
    comparison = Comparison()
    comparison.add(expected, found)
    return comparison


@pytest.mark.parametrize(
    ("expected", "found", "far"),
    [
        (1.0, 1.0, 0.0),
        (np.array([1.0, np.nan]), np.array([1.0, np.nan]), 0.0),
        (np.array([1.0, -4.0]), np.array([1.0, -4.0 + 2e-10]), 5e-11),
        (np.array([1.0]), np.array([[1.0]]), inf),
        (np.array([1.0]), np.array([1]), inf),
        (np.array([1, 2]), np.array([1, 3]), inf),
        (np.array([1.0, np.inf]), np.array([1.0, 1e300]), inf),
        (["list", np.array([1.0])], ["array", [1], np.array([1.0])], inf),
        (["array", [2], ["list", 1.0], ["list", 1.0, 2.0]], ["array", [2], np.array([1.0]), np.array([1.0, 2.0])], inf),
        ({"a": 1.0}, {"b": 1.0}, inf),
        (None, np.array(0.0), inf),
        (True, 1, inf),
        ("Time(run: 1)", "Time(run: 2)", inf),
    ],
)
def test_how_far_values_are_apart(expected: Any, found: Any, far: float) -> None:
    assert difference(expected, found) == pytest.approx(far, rel=1e-3)


def test_equal_recordings_do_not_differ() -> None:
    comparison = compared(recorded(), recorded())
    assert not comparison.differences
    assert comparison.calls == {("run", "native"): 1}
    assert comparison.to_the_bit == 1


@pytest.mark.parametrize("path", HELD, ids="/".join(map(str, range(len(HELD)))).split("/"))
def test_each_kind_of_value_that_is_held_is_compared(path: tuple[str | int, ...]) -> None:
    other = {key: value for key, value in HELD.items() if key != path}
    (found,) = compared(recorded(), recorded(held=other)).differences
    assert found.what == " / ".join(map(str, path))


def test_a_number_that_differs_by_more_than_the_tolerance_is_found() -> None:
    for factor, differing in ((0.5, 0), (4.0, 1)):
        other = HELD | {("A", "value"): HELD["A", "value"] * (1.0 + factor * TOLERANCE)}
        assert len(compared(recorded(), recorded(held=other)).differences) == differing


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"raised": ("ValueError", "no")}, "error"),
        ({"warned": [("UserWarning", "beware")]}, "warnings"),
        ({"returned": ["list", np.array([3.0])]}, "returned"),
        ({"results": ["list", ["list", np.array([[2.0]])]]}, "results"),
        ({"not_recorded": "AttributeError"}, "what is held could not be read"),
        ({"kind": "execute"}, "calls"),
    ],
)
def test_what_a_call_does_is_compared(change: dict[str, Any], what: str) -> None:
    assert [one.what for one in compared(recorded(), recorded(**change)).differences] == [what]


def test_an_outcome_is_compared() -> None:
    found = recorded()
    found.outcome = "failed"
    assert [one.what for one in compared(recorded(), found).differences] == ["outcome"]


def test_a_call_that_is_missing_is_found() -> None:
    assert [one.what for one in compared(recorded(), RecordedTest("test_run")).differences] == ["calls"]


@pytest.mark.parametrize(
    ("path", "kept"),
    [
        (("A", "num_executions"), True),
        (("composition", "num_executions"), False),
        (("inner", "A", "num_executions"), True),
        (("inner", "composition", "num_executions"), False),
        (("A", "input", 0, "num_executions"), False),
        (("A", "input", 0, "variable"), True),
        (("A", "output", 0, "variable"), True),
        (("output", "execution_count"), True),
        (("A", "output", 0, "projection", 0, "variable"), False),
        (("A", "function", "variable"), False),
        (("A", "variable"), True),
        (("A", "input", 0, "projection", 0, "value"), True),
        (("A", "integrator_function", "noise", "value"), False),
        (("A", "integrator_function", "noise", "random_state"), True),
    ],
)
def test_only_what_is_documented_is_left_out(path: tuple[str | int, ...], kept: bool) -> None:
    assert (not_kept(path, Call("run")) is None) is kept


def test_entries_from_the_command_line_are_left_out_of_logs() -> None:
    by_hand = ["entry", TIME, "IDLE, COMMAND_LINE", np.array([[9.0]])]
    other = HELD | {("A", "log", "value"): [by_hand, *HELD["A", "log", "value"]], ("input_CIM", "log", "value"): [by_hand]}
    assert not compared(recorded(held=other), recorded()).differences


def test_a_functions_value_is_compared_as_numbers() -> None:
    path = ("A", "function", "value")
    mixed = HELD | {path: ["array", [2], np.array([0.5]), 0]}
    assert not compared(recorded(held=mixed), recorded(held=HELD | {path: np.array([[0.5], [0.0]])})).differences
    assert compared(recorded(held=mixed), recorded(held=HELD | {path: np.array([[0.5], [1.0]])})).differences
    assert compared(recorded(held=mixed), recorded(held=HELD | {path: np.array([0.5, 0.0])})).differences


def test_tests_that_cannot_be_equal_are_named_and_counted_apart() -> None:
    name = next(iter(UNEQUAL))
    comparison = compared(recorded(name), recorded(name, returned=1.0))
    assert not comparison.differences
    assert "cannot be equal" in summary(comparison)
    of_function = next(name for name in UNEQUAL if not name.endswith("]"))
    assert not compared(recorded(f"{of_function}[a-b]"), recorded(f"{of_function}[a-b]", returned=1.0)).differences


def test_values_become_plain_data_that_keeps_shapes_and_dtypes() -> None:
    ragged = np.array([np.zeros(2), np.ones(1)], dtype=object)
    assert difference(plain(ragged), ["array", [2], np.zeros(2), np.ones(1)]) == 0.0
    assert difference(plain((np.int64(3), [None, True])), ["list", np.array(3), ["list", None, True]]) == 0.0
    assert plain("sim-0b6f2d0e-1a2b-4c3d-8e9f-0123456789ab") == "sim-<...>"
    assert plain("<AfterNode object at 0x7eff05f1efd0>") == "<AfterNode object at <...>>"
    one, other = (plain(np.random.RandomState(5)) for _ in range(2))
    assert difference(one, other) == 0.0
    moved = np.random.RandomState(5)
    moved.normal()
    assert difference(one, plain(moved)) == inf


def test_the_table_stands_between_its_marks(tmp_path: Any) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"before\n{BEGINNING}\nold\n{END}\nafter\n")
    comparison = compared(recorded(), recorded(native=False, reasons=["Composition 'C': it is of another class; use one of these"]))
    put_into(page, table(comparison))
    text = page.read_text()
    assert text.startswith(f"before\n{BEGINNING}\n1 tests make 1 outermost calls. 0 of them are native")
    assert "| `run` | 0 | 0 | 1 |" in text
    assert "old" not in text
    said = "Composition 'C': after 2 trials of the run, it is of another class; use one of these"
    carried_on = compared(recorded(), recorded(parts=1, reasons=[said]))
    assert "| `run` | 0 | 1 | 0 |" in table(carried_on)
    assert carried_on.reasons == {"it is of another class": 1}
    assert text.endswith(f"{END}\nafter\n")
    assert all(one.what in text for one in NOT_KEPT)
    page.write_text("no marks")
    with pytest.raises(ValueError, match="put them where the table belongs"):
        put_into(page, "")
