"""An index out of range and a division of ints by zero: told in mode `python`, put right in native code, no matter for the builder."""

# pyright: basic
import math

import numpy as np
import pytest

import cogir
from cogir.errors import ExecutionError, ModelError
from cogir.library import State, Step


def pick(x, *, at: State = 0):
    """Goes through an array, and past its end."""
    return Step(outputs=(x[at],), states=(at + 1,))


def pick_from_the_end(x, *, at: State = 0):
    return Step(outputs=(x[-at - 1],), states=(at + 1,))


def pick_if_there(x, *, at: State = 0):
    value = x[at] if at < 2 else -1.0
    return Step(outputs=(value if at < 2 and x[at] > 0.0 else -1.0,), states=(at + 1,))


def quotient(x):
    return 7 // int(x[0]) * 1.0


def remainder(x):
    return 7 % int(x[0]) * 1.0


def quotient_if_any(x):
    n = int(x[0])
    return 7 // n * 1.0 if n != 0 else -1.0


def quotients(x):
    return 7 // np.array([int(x[0]), 2]) * 1.0


def model(function) -> cogir.Model:
    made = cogir.Model("m")
    made.node("n", function, input=2)
    return made


def results(function, inputs, mode: str) -> list:
    return model(function).compile(mode=mode, cache=False).run(inputs)["n"].ravel().tolist()


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (pick, r"test_checks.py:16: index 2 is out of range for an axis of 2 elements; check the index before it is used"),
        (pick_from_the_end, r"test_checks.py:20: index -3 is out of range for an axis of 2 elements"),
        (quotient, r"test_checks.py:29: an integer is divided by zero; check the divisor before"),
        (remainder, r"test_checks.py:33: an integer is divided by zero"),
    ],
)
def test_mode_python_tells_what_python_refuses(function, message) -> None:
    with pytest.raises(ExecutionError, match=message):
        results(function, [[1.0, 2.0], [1.0, 2.0], [0.0, 0.0]], "python")


def test_native_code_takes_the_nearest_element_and_zero() -> None:
    inputs = [[4.0, 5.0]] * 4
    assert results(pick, inputs, "run") == [4.0, 5.0, 5.0, 5.0]
    assert results(pick_from_the_end, inputs, "run") == [5.0, 4.0, 4.0, 4.0]
    assert results(quotient, [[2.0, 0.0], [0.0, 0.0]], "run") == [3.0, 0.0]
    assert results(remainder, [[2.0, 0.0], [0.0, 0.0]], "run") == [1.0, 0.0]


@pytest.mark.parametrize("mode", ["python", "run"])
def test_what_is_tested_before_is_not_computed(mode: str) -> None:
    assert results(pick_if_there, [[4.0, 5.0]] * 3, mode) == [4.0, 5.0, -1.0]
    assert results(quotient_if_any, [[2.0, 0.0], [0.0, 0.0]], mode) == [3.0, -1.0]
    assert results(quotients, [[2.0, 0.0], [0.0, 0.0]], mode) == [3.0, 3.0, 0.0, 3.0]


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (lambda x: 1.0 / float(x[0]), 0.5),
        (lambda x: math.log(x[0]), np.log(2.0)),
        (lambda x: np.arange(3.0)[int(2.0 / float(x[0]))], 1.0),
    ],
)
def test_start_values_do_not_matter(function, expected: float) -> None:
    assert results(function, [[2.0, 0.0]], "run") == [pytest.approx(expected)]


def test_what_no_number_can_mend_is_refused_by_the_builder() -> None:
    with pytest.raises(ModelError, match="index 5 is out of range for an axis of 2 elements"):
        model(lambda x: x[5])
