"""Python's comparisons and quotients of whole numbers, its min and max, and the sign of a NaN: exact, and the same at every stage."""

import math
from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pytest
from support.pyfunc import check, compiled_results, interpreted_for, native_for, native_results

from cogir.errors import FunctionError
from cogir.pyfunc import elementwise
from cogir.pyfunc.values import static

BIG = 2**53
WHOLE = [0, 1, -1, 3, -7, BIG - 1, BIG, BIG + 1, -BIG - 1, 2**62, 2**62 + 1, 2**63 - 1, -(2**63), -(2**63) + 1]
NUMBERS = [*map(float, WHOLE), 0.5, -0.5, BIG - 0.5, 2.0**63 + 2048.0, -(2.0**64), math.inf, -math.inf, math.nan]


def both(function: Callable[..., Any], *arguments: Any) -> list[Any]:
    """What the interpreter and machine code give."""
    return [compiled_results(function, *arguments), native_results(function, *arguments)]


def comparisons(whole: Any, number: Any) -> Any:
    return (
        whole < number,
        whole <= number,
        whole == number,
        whole != number,
        whole > number,
        whole >= number,
        number < whole,
        number <= whole,
        number == whole,
        number > whole,
        number >= whole,
        whole in (number, 0.25),
    )


def with_constants(whole: Any) -> Any:
    return whole < 9007199254740992.0, whole == 9007199254740992.0, 9007199254740992.0 < whole, whole > math.inf, whole < 0.5, 1e300 > whole


def with_a_whole_constant(number: Any) -> Any:
    return number < 9007199254740993, number == 9007199254740993, number >= 9007199254740993


def quotient(dividend: Any, divisor: Any) -> Any:
    return dividend / divisor


def quotients_of_constants(divisor: Any) -> Any:
    return 9007199254740993 / divisor, divisor / 3


def extremes(whole: Any, number: Any) -> Any:
    return float(max(whole, number)), float(min(whole, number)), float(max(number, whole)), float(min(number, whole))


def test_ints_and_floats_compare_as_in_python() -> None:
    for function in (comparisons, extremes):
        for compiled in (interpreted_for(function, 0, 0.0), native_for(function, 0, 0.0)):
            for whole in WHOLE:
                for number in NUMBERS:
                    found, expected = compiled(whole, number), function(whole, number)
                    assert np.array_equal(found, expected, equal_nan=True), (whole, number, found, expected)


def test_ints_and_constants_compare_as_in_python() -> None:
    for whole in WHOLE:
        assert compiled_results(with_constants, whole) == with_constants(whole)
    for number in NUMBERS:
        assert compiled_results(with_a_whole_constant, number) == with_a_whole_constant(number)
    for found in both(with_constants, BIG + 1):
        assert tuple(found) == with_constants(BIG + 1)


def test_quotients_of_ints_are_rounded_once() -> None:
    random = Random(5)
    drawn = [random.randrange(-(2**63), 2**63) >> random.randrange(64) for _ in range(120)]
    pairs = [(a, b) for a in WHOLE for b in WHOLE if b] + [(a, b) for a, b in zip(drawn[::2], drawn[1::2], strict=True) if b]
    pairs += [(BIG + 1, 3), (2**63 - 1, 2**62 + 1), (-(2**63), -1), (7, -(2**63)), (2**63 - 1, 2**53 + 1)]
    for compiled in (interpreted_for(quotient, 1, 1), native_for(quotient, 1, 1)):
        for dividend, divisor in pairs:
            (found,) = compiled(dividend, divisor)
            assert found == dividend / divisor == float(Fraction(dividend, divisor)), (dividend, divisor)
            assert math.copysign(1.0, found) == math.copysign(1.0, dividend / divisor)


def test_quotients_of_constants_and_by_zero() -> None:
    for found in both(quotients_of_constants, 2**62 + 1):
        assert tuple(found) == quotients_of_constants(2**62 + 1)
    for found in both(quotient, 2**62 + 1, 0):
        assert found[0] == math.inf


def other_operators(a: Any, b: Any) -> Any:
    quotient, rest = divmod(a, b)
    return a // b, a % b, quotient, rest, float(a), int(float(b)), round(a), int(a), abs(a - b)


def test_other_operators_on_ints_are_exact() -> None:
    for a, b in ((2**62 + 1, 3), (-(2**62) - 1, 7), (BIG + 1, -BIG - 3), (2**53 + 3, 2**53 + 1)):
        check(other_operators, a, b)
        assert list(native_results(other_operators, a, b)) == list(other_operators(a, b))


def floored(a: Any, b: Any) -> Any:
    return a // b, a % b


def test_floats_are_floored_as_in_python() -> None:
    for a in (7.5, -7.5, 2.0**60 + 1024.0, 1e300, -0.0):
        for b in (2.0, -2.0, 0.1, 3, -(2**53) - 1, 1e-3):
            assert np.array_equal(compiled_results(floored, a, b), floored(a, b))


def best(v: Any) -> Any:
    return max(v), min(v)


ARRAYS = [
    [1.0, math.nan, 3.0],
    [math.nan, 1.0, 3.0],
    [1.0, 3.0, math.nan],
    [math.nan, math.nan],
    [-math.inf, math.nan, -math.inf],
    [math.inf],
    [-0.0, 0.0],
    [0.0, -0.0],
]


@pytest.mark.parametrize("numbers", ARRAYS, ids=str)
def test_min_and_max_of_arrays_are_pythons(numbers: list[float]) -> None:
    array = np.array(numbers)
    for found in both(best, array):
        for one, expected in zip(found, best(array), strict=True):
            assert np.array_equal(one, expected, equal_nan=True)
            assert math.isnan(expected) or math.copysign(1.0, one) == math.copysign(1.0, expected)


def test_min_and_max_of_whole_numbers_and_rows() -> None:
    check(best, np.array([3, 2**62 + 1, -5, 2**62]))
    with pytest.raises(FunctionError, match=r"max compares numbers, .*; use np\.max"):
        compiled_results(best, np.zeros((2, 2)))


def of_sign(x: Any, y: Any) -> Any:
    return np.copysign(x, y / y), np.copysign(x, -(y / y)), np.copysign(x, y), math.copysign(2.0, -(y / y)), np.copysign(1.0, -np.nan)


def of_arrays(x: Any, y: Any) -> Any:
    return np.copysign(x, y)


def test_a_nan_has_no_sign_for_copysign() -> None:
    for found in both(of_sign, -3.0, 0.0):
        assert list(found) == [3.0, 3.0, 3.0, 2.0, 1.0]
    for found in both(of_sign, 3.0, -0.0):
        assert list(found) == [3.0, 3.0, -3.0, 2.0, 1.0]
    for found in both(of_arrays, np.array([1.0, 2.0, 3.0]), np.array([-0.0, math.nan, -math.nan])):
        assert found[0].tolist() == [-1.0, 2.0, 3.0]


def power_of_unknown_sign(x: Any) -> Any:
    return 2 ** int(x)


def power_of_maximum(x: Any) -> Any:
    return 2 ** max(int(x), 0), 3 ** max(0, int(x), 1), (-2) ** abs(max(int(x), 2))


def test_an_int_to_the_power_of_an_int_that_may_be_negative_is_refused() -> None:
    """Python gives an int or a float, as the numbers are: `2 ** 3` is 8, `2 ** -1` is 0.5; compiled, it was 1."""
    with pytest.raises(FunctionError, match=r"is a float if the exponent is negative; write a \*\* max\(n, 0\)"):
        compiled_results(power_of_unknown_sign, 3.0)


def power_of_absolute_value(x: Any) -> Any:
    return 2 ** abs(int(x))


def test_the_absolute_value_of_any_int_may_be_negative() -> None:
    """That of -2**63 is no i64."""
    with pytest.raises(FunctionError, match="float if the exponent is negative"):
        compiled_results(power_of_absolute_value, 3.0)


def element_at_absolute_value(x: Any) -> Any:
    mask = np.zeros(100) > 0.0
    mask[3] = True
    return float(mask[abs(int(x))])


def test_the_absolute_value_of_any_int_is_no_safe_index() -> None:
    """An unchecked read ended the process, as elements of a mask are single bytes."""
    for found in both(element_at_absolute_value, -3.0):
        assert np.ravel(found).tolist() == [1.0]
    for found in both(element_at_absolute_value, -1e300):
        assert np.ravel(found).tolist() == [0.0]


def test_an_int_to_the_power_of_an_int_that_is_never_negative() -> None:
    for x in (5.0, 0.0, -3.0):
        for found in both(power_of_maximum, x):
            assert tuple(found) == power_of_maximum(x)


LARGE, BYTE, WORD, SINGLE, TRUE = np.int64(2**62), np.uint8(200), np.int32(2**31 - 1), np.float32(0.1), np.bool_(True)
LONGS = np.array([2**62, 3])


def of_constant(sign: Any) -> Any:
    return float(sign)


def products_of_numpy(x: Any) -> Any:
    return x + LARGE * 4, x + np.int64(2**62) * 4, x + LONGS[0] * 4, x + LARGE**2, x + of_constant(LARGE * 4) + of_constant(2**62 * 4)


def of_other_widths(x: Any) -> Any:
    return x + (BYTE + 100), x + -BYTE, x + (WORD + 1), x + (TRUE + TRUE), x + WORD // 7, x + float(LARGE // 0)


def of_single_precision(x: Any) -> Any:
    found = SINGLE * 3, np.float32(0.1), np.float32(0.1) * 3, np.float32(16777216.0) + 1, SINGLE**2
    return x + float(found[0]), x + float(found[1]), x + float(found[2]), x + float(found[3]), x + float(found[4])


def made_of_python(x: Any) -> Any:
    return (
        x + int(LARGE) * 4,
        x + LARGE.item() * 4,
        x + float(SINGLE) * 3,
        x + int(BYTE) + 100,
        x + 2**62 * 4,
        x + ~(2**62) * 4,
        x + bool(TRUE),
    )


def as_arguments(x: Any) -> Any:
    return quadrupled(x, LARGE), quadrupled(x, 2**62)


def quadrupled(x: Any, whole: Any) -> Any:
    return x + whole * 4


def compared_constants(x: Any) -> Any:
    """A number of Python takes the width of one of NumPy, also where both are constants."""
    tenth = np.float32(0.1)
    return x + (tenth >= 0.1), x + (0.1 == tenth), x + (tenth == float(tenth)), x + (tenth == np.float64(0.1)), x + (SINGLE < SINGLE.item())


OF_CONSTANTS = [products_of_numpy, of_other_widths, of_single_precision, made_of_python, as_arguments, compared_constants]


@pytest.mark.parametrize("function", OF_CONSTANTS)
def test_constants_compute_as_their_own_type(function: Callable[..., Any]) -> None:
    """Numbers of NumPy wrap around and round as their type does; those of Python do not."""
    with np.errstate(all="ignore"):
        expected = [float(number) for number in function(0.0)]
    for found in both(function, 0.0):
        assert list(found) == expected


def test_planted_constants_are_all_of_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(elementwise, "as_operand", static)
    for function in (products_of_numpy, of_other_widths, of_single_precision):
        with pytest.raises((AssertionError, FunctionError)):
            test_constants_compute_as_their_own_type(function)


DOUBLE, HALF, SHORT, LONG = np.float64(0.1), np.float16(0.1), np.int16(3), np.int32(3)


def of_singles(x: Any) -> Any:
    y = x.astype(np.float32)
    return (
        DOUBLE * y,
        y + SINGLE,
        y * HALF,
        y * SHORT,
        y * LONG,
        y * LARGE,
        np.maximum(y, DOUBLE),
        np.where(y > 0.0, y, DOUBLE),
        y[0] * DOUBLE,
    )


def of_folded_singles(x: Any) -> Any:
    y = x.astype(np.float32)
    by_numpy = y * np.sqrt(2.0), y * np.add(0.1, 0.2), y * np.clip(0.1, 0.0, 1.0), y * np.abs(-0.1), y ** np.float64(2.0), y ** np.int64(2)
    return (
        *by_numpy,
        y * math.sqrt(2.0),
        y * abs(-0.1),
        y * max(0.1, 0.2),
        y * float(DOUBLE),
        y * (0.1 * 3),
        y * math.pi,
        y * (3**2),
        y * (~3),
    )


def of_wholes_and_truths(x: Any) -> Any:
    k, t = x.astype(np.int64), x > 0.0
    return k * SINGLE, k * HALF, k + SHORT, t * SINGLE, t * DOUBLE, t / SHORT, k * 0.1


def within(x: Any) -> Any:
    """Widths that do not show in the type of a result."""
    y = x.astype(np.float32)
    return DOUBLE * np.float32(x[1]) + x, (y * DOUBLE > 0.03).astype(np.float64), (y * DOUBLE).astype(np.float64)


@pytest.mark.parametrize("function", [of_singles, of_folded_singles, of_wholes_and_truths, within])
def test_constants_widen_what_is_computed_at_run_time_as_in_numpy(function: Callable[..., Any]) -> None:
    x = np.array([0.3, -1.7, 2.9])
    for found in both(function, x):
        for number, expected in zip(found, function(x), strict=True):
            assert np.asarray(number).dtype == expected.dtype
            np.testing.assert_array_equal(number, expected)


def times_short(x: Any) -> Any:
    return (x > 0.0) * SHORT


def times_half(x: Any) -> Any:
    return (x > 0.0) * HALF


@pytest.mark.parametrize("function", [times_short, times_half])
def test_truth_values_with_narrow_constants_are_refused(function: Callable[..., Any]) -> None:
    with pytest.raises(
        FunctionError, match=r"np\.\w+16\(.*\) is of type (int|float)16, .*; write \1\(\.\.\.\) around it \(with an array .* it gives"
    ):
        compiled_results(function, np.ones(2))
