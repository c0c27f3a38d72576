"""Expressions of the subset mean what they mean in Python and NumPy."""

# pyright: basic
import math
from enum import Enum
from functools import partial

import numpy as np
import pytest
from support.pyfunc import check, check_native, compiled_results

from cogir.library.signature import Static

X = np.array([0.5, -1.25, 3.0])
Y = np.array([2.0, 0.1, -0.7])
M = np.array([[1.0, 2.0, -0.5], [0.25, -3.0, 4.0]])
N = np.array([3, -4, 7])
SCALE = 2.5
TABLE = np.array([0.5, 0.25, 0.125, 4.0])


class Rule(Enum):
    SUM = "sum"
    PRODUCT = "product"


def case(function, *args, tolerance=1e-14, name=None):
    return pytest.param(function, args, tolerance, id=name)


ONE = {
    "arithmetic": lambda x, y: (x + y * 2 - x / y, -x, +y),
    "arithmetic_with_a_scalar": lambda x, y: 2.0 * x + y[0],
    "power_two": lambda x, y: x**2,
    "power_half": lambda x, y: np.abs(x) ** 0.5,
    "power_minus_one": lambda x, y: x**-1,
    "power_general": lambda x, y: np.abs(x) ** y,
    "power_of_constant": lambda x, y: np.e**x,
    "floor_division": lambda x, y: (x // y, x % y),
    "compare_and_where": lambda x, y: np.where(x > y, x, y * 10),
    "compare_all": lambda x, y: (x < y, x <= y, x > y, x >= y, x == y, x != y),
    "logic": lambda x, y: (np.logical_and(x > 0, y > 0), (x > 0) | (y > 0), ~(x > 0), (x > 0) ^ (y > 0)),
    "exp_log": lambda x, y: (np.exp(x), np.log(np.abs(y)), np.expm1(x), np.log1p(np.abs(x)), np.log2(np.abs(x)), np.log10(np.abs(y))),
    "trigonometry": lambda x, y: (np.sin(x), np.cos(x), np.tan(x), np.arctan(x), np.arctan2(x, y), np.arcsin(y / 4), np.arccos(y / 4)),
    "hyperbolic": lambda x, y: (np.sinh(x), np.cosh(x), np.tanh(x), np.arcsinh(x), np.arctanh(x / 4)),
    "roundings": lambda x, y: (np.floor(x), np.ceil(x), np.round(x), np.trunc(x), np.rint(x * 2), np.round(y, 1)),
    "sign_abs": lambda x, y: (np.sign(x), np.abs(x), abs(y), np.fabs(x)),
    "extremes": lambda x, y: (np.maximum(x, y), np.minimum(x, y), np.fmax(x, y), np.fmin(x, 0.0)),
    "clip": lambda x, y: (np.clip(x, -1.0, 1.0), x.clip(0.0, None), np.clip(x, y - 1, y + 1)),
    "tests": lambda x, y: (np.isnan(x / (x - x)), np.isfinite(x / 0.0), np.isinf(1.0 / (y - y))),
    "sums": lambda x, y: (np.sum(x), x.sum(), sum(x), np.prod(x), np.mean(x), x.mean(), np.sum(x > 0)),
    "largest": lambda x, y: (np.max(x), x.min(), np.argmax(x), x.argmin(), max(x), min(y)),
    "spread": lambda x, y: (np.var(x), np.std(x), x.std()),
    "any_all": lambda x, y: (np.any(x > 2), np.all(x > 0), np.any(x), all(y), any(x)),
    "running": lambda x, y: (np.cumsum(x), np.cumprod(y)),
    "dot": lambda x, y: (np.dot(x, y), x @ y, np.inner(x, y), x.dot(y)),
    "outer": lambda x, y: np.outer(x, y),
    "outer_by_axes": lambda x, y: x[:, None] * y[None, :] + np.exp(y),
    "joined": lambda x, y: (np.concatenate([x, y]), np.concatenate((x, [1.0], y[:1])), np.hstack([x, y]), np.append(x, 1.0)),
    "stacked": lambda x, y: (np.stack([x, y]), np.stack([x, y], axis=1), np.vstack([x, y]), np.array([x, y])),
    "from_numbers": lambda x, y: (np.array([x[0], 1, y[1]]), np.array([[x[0], 2.0], [y[0], y[1]]])),
    "made": lambda x, y: (np.zeros(3) + x, np.ones_like(x) * y, np.full(3, x[0]), np.zeros(x.shape), np.full_like(x, 2.5)),
    "constants_made": lambda x, y: (np.arange(3) * x, np.linspace(0, 1, 3) + x, np.eye(3) @ x),
    "slices": lambda x, y: (x[1:], x[:2], x[::2], x[-2:], x[::-1], x[2:0:-1]),
    "elements": lambda x, y: (x[0], x[-1], x[1] * y[2]),
    "reshaped": lambda x, y: (x.reshape(3, 1), np.reshape(x, (1, 3)).T, x.reshape((-1,)), x.flatten(), x.ravel()),
    "shapes": lambda x, y: (x.shape[0], x.size, len(x), x.ndim, np.size(x), np.ndim(x)),
    "picked": lambda x, y: (x[[2, 0]], np.take(x, np.array([1, 1])), x[np.array([True, False, True])]),
    "flipped": lambda x, y: (np.flip(x), np.roll(x, 1), np.tile(x, 2), np.repeat(y, 2)),
    "diagonal": lambda x, y: (np.diag(x), np.trace(np.outer(x, y)), np.diag(np.outer(x, y))),
    "conditional": lambda x, y: (x if x[0] > 0 else y, 1.0 if x[1] > 0 else y[0]),
    "conditional_mixed": lambda x, y: 1 if x[0] > 0 else 2.5,
    "chained_comparison": lambda x, y: (0 < x[0] < 1, x[0] < y[0] > x[1]),
    "boolean_operators": lambda x, y: (x[0] > 0 and y[0] > 0, x[0] > 0 or y[0] / x[0] > 0, not x[0] > 0),
    "value_of_or": lambda x, y: (x[0] or y[0], (x[0] - x[0]) or y[0], x[0] and y[1]),
    "membership": lambda x, y: (x[0] in (0.5, 2.0), x[0] not in [1.0, 2.0]),
    "float_int_bool": lambda x, y: (int(x[2] * 1.5), float(3), bool(x[0]), int(-x[2] / 2), round(x[0]), round(2.5 * x[2])),
    "types_changed": lambda x, y: (x.astype(int), (x > 0).astype(float), np.asarray(x, dtype=bool)),
    "python_numbers": lambda x, y: (max(x[0], y[0], 0.0), min(x[0], 0.1), abs(x[1]), pow(x[0], 3.0), sum((x[0], y[0]))),
    "math_module": lambda x, y: (math.exp(x[0]), math.sqrt(x[2]), math.floor(x[1]), math.ceil(x[0]), math.atan2(x[0], y[0]), math.pi),
    "math_log": lambda x, y: (math.log(x[2]), math.log(x[2], 3.0), math.hypot(x[0], y[0]), math.copysign(x[0], y[2])),
    "globals": lambda x, y: x * SCALE + TABLE[1],
    "named_expression": lambda x, y: (t := x * 2) + t,
    "list_of_values": lambda x, y: [x[0], y[0]][1] + (x[1], y[1])[0],
    "comprehension": lambda x, y: np.array([v * 2 for v in (x[0], y[0], 1.0)]),
    "comprehension_over_array": lambda x, y: (np.array([v + i for i, v in enumerate(x)]), sum(a * b for a, b in zip(x, y))),
    "quantifiers": lambda x, y: (all(v > 0 for v in x), any(v > 2 for v in x)),
    "lambda_called": lambda x, y: (lambda a, b=2.0: a * b)(x, y),
    "heaviside_close": lambda x, y: (np.heaviside(x, 0.5), np.isclose(x, y), np.allclose(x, x + 1e-12)),
    "nan_to_num": lambda x, y: np.nan_to_num(x / (y - y)),
    "norm": lambda x, y: np.linalg.norm(x),
    "squared": lambda x, y: (np.square(x), np.sqrt(np.abs(x)), np.cbrt(x), np.hypot(x, y), np.reciprocal(y)),
    "degrees": lambda x, y: (np.degrees(x), np.radians(y), np.deg2rad(x) if False else x),
    "broadcast_to": lambda x, y: np.broadcast_to(x, (2, 3)) * y,
    "copied": lambda x, y: (x.copy() + 1, np.copy(y), np.array(x)),
    "squeezed": lambda x, y: (np.squeeze(x[None, :]), np.expand_dims(x, 1), np.atleast_2d(x), np.atleast_1d(x[0])),
    "differences": lambda x, y: (np.diff(x), np.logaddexp(x, y), np.logaddexp(x, x)),
    "divmod_and_infinity": lambda x, y: (*divmod(x[0], y[1]), float("-inf"), x[0] < float("inf")),
    "items": lambda x, y: (x[:1].item(), x.item(2)),
}


@pytest.mark.parametrize("name", ONE)
def test_two_arrays(name):
    check(ONE[name], X, Y, tolerance=1e-13)


MATRIX = {
    "matrix_vector": lambda m, x: m @ x,
    "vector_matrix": lambda m, x: x @ m.T,
    "matrix_matrix": lambda m, x: (m @ m.T, np.dot(m.T, m), np.matmul(m, m.T)),
    "sums_by_axis": lambda m, x: (m.sum(axis=0), m.sum(axis=1), np.sum(m), np.mean(m, axis=0), m.max(axis=-1)),
    "kept_axes": lambda m, x: (m - m.mean(axis=1, keepdims=True), m / np.sum(m * m, axis=0, keepdims=True)),
    "rows_and_columns": lambda m, x: (m[0], m[1, 2], m[:, 1], m[0, 1:], m[-1][-1], m[..., 0]),
    "transposed": lambda m, x: (m.T, np.transpose(m), m.T.T + m, m.T[1]),
    "broadcast": lambda m, x: (m * x, m + m[:, :1], x + m[1]),
    "reshaped": lambda m, x: (m.reshape(6), m.reshape(3, 2), m.flatten(), m.T.reshape(-1)),
    "argmax": lambda m, x: (np.argmax(m), np.argmax(m, axis=0), m.argmin(axis=1)),
    "joined": lambda m, x: (np.concatenate([m, m], axis=1), np.vstack([m, x]), np.hstack([m, m])),
    "sum_of_expression": lambda m, x: np.sum(np.exp(m) * x, axis=1),
    "new_axes": lambda m, x: (m[:, None, :] * x, m[None][0]),
    "shape": lambda m, x: (m.shape[0] * m.shape[1], len(m), m.size),
}


@pytest.mark.parametrize("name", MATRIX)
def test_matrix(name):
    check(MATRIX[name], M, X, tolerance=1e-13)


INTEGERS = {
    "arithmetic": lambda n, k: (n + k, n - 1, n * k, n / k, -n),
    "floor": lambda n, k: (n // k, n % k, n // -2, n % -3, n // 4, n % 4),
    "division_by_zero_gives_zero": lambda n, k: (n // (k - k), n % (k - k)),
    "bits": lambda n, k: (n & 5, n | k, n ^ k, n << 2, n >> 1, ~n),
    "power": lambda n, k: (n**2, n**3, n**0, 2 ** max(k, 0), 3 ** max(0, k, 2), 2 ** (k % 5), 2 ** len(n)),
    "to_float": lambda n, k: (n * 0.5, n + 0.25, np.sqrt(n * n), n**0.5 if k < 0 else n * 1.0),
    "sums": lambda n, k: (np.sum(n), np.max(n), np.min(n), np.prod(n), np.mean(n), np.argmax(n), np.cumsum(n)),
    "sign": lambda n, k: (np.sign(n), abs(n), np.maximum(n, 0)),
    "compare": lambda n, k: (n > 0, n == 3, k != 2),
    "index": lambda n, k: (n[k - 3], n[-k + 1], n[k % 3]),
    "index_of_table": lambda n, k: TABLE[k - 1] + TABLE[n[0] - 1],
}


@pytest.mark.parametrize("name", INTEGERS)
def test_integers(name):
    check(INTEGERS[name], N, 3)


def test_a_run_time_power_of_integers():
    check(lambda a, b: a ** max(b, 0), 3, 13)


@pytest.mark.parametrize("dividend", [7.5, -7.5, 0.0, -0.0, 1e300, np.inf, np.nan, 5e-324])
@pytest.mark.parametrize("divisor", [2.0, -2.0, 0.3, -1e-3, 0.0, np.inf, -np.inf, np.nan, 1e299])
def test_float_remainder_and_floor_division(dividend, divisor):
    check(lambda a, b: (a % b, a // b, np.fmod(a, b)), dividend, divisor, tolerance=0.0)


@pytest.mark.parametrize("x", [0.4, -0.4, 2.5, 3.5, -2.5, 1e18, -1e18])
def test_int_and_round(x):
    check(lambda x: (int(x), round(x), np.rint(x), math.floor(x), math.ceil(x), math.trunc(x)), x, tolerance=0.0)


def test_int_of_what_does_not_fit_is_the_smallest_integer():
    for x in (1e300, -1e300, np.inf, np.nan):
        assert compiled_results(lambda x: int(x), x) == (-(2**63),)


@pytest.mark.parametrize("pair", [(np.nan, 1.0), (1.0, np.nan), (np.nan, np.nan), (1.0, 1.0), (0.0, -0.0)])
def test_comparisons_with_nan(pair):
    check(lambda a, b: (a < b, a <= b, a > b, a >= b, a == b, a != b, max(a, b), min(a, b), np.sign(a)), *pair, tolerance=0.0)


@pytest.mark.parametrize("x", [[1.0, np.nan, 3.0], [np.nan, 1.0, np.nan], [-np.inf, -np.inf, -np.inf], [2.0, 5.0, 5.0]])
def test_extremes_of_special_values(x):
    check(lambda x: (np.max(x), np.min(x), np.argmax(x), np.argmin(x)), np.array(x), tolerance=0.0)


def test_a_sum_runs_from_left_to_right():
    x = np.random.default_rng(1).normal(size=50)
    total = x[0]
    for value in x[1:]:
        total = total + value
    assert compiled_results(lambda x: np.sum(x), x) == (total,)


ZEROS = [np.array(pair) for pair in ((0.0, 0.0), (-0.0, -0.0), (0.0, -0.0), (-0.0, 0.0), (1.5, -0.0), (-0.0, -2.0))]


@pytest.mark.parametrize(
    "function",
    [
        lambda x: np.sum(x),
        lambda x: x[:1].sum(),
        lambda x: np.mean(x),
        lambda x: np.median(x),
        lambda x: np.trace(np.array([x, x])),
        lambda x: sum(x),
        lambda x: sum([x[0], x[1]]),
        lambda x: sum((x[0], x[1]), -0.0),
        lambda x: np.sum(np.array([x, x]), axis=0),
        lambda x: np.cumsum(x),
        lambda x: np.prod(x),
        lambda x: max(x[0], x[1]),
        lambda x: min(x),
        lambda x: abs(x),
        lambda x: 0 - x,
        lambda x: -x,
        lambda x: x * -1,
        lambda x: x % 1.0,
        lambda x: x // -1.0,
        lambda x: divmod(x[1], 2.0)[0],
        lambda x: np.round(x - 0.25),
        lambda x: x**0.5,
        lambda x: x[0] ** 0.5,
        lambda x: x[1] ** -1,
        lambda x: x**3,
        lambda x: np.interp(x, np.array([-1.0, 1.0]), np.array([-0.0, 0.0])),
        lambda x: np.where(x > 0.0, x, -x),
        lambda x: np.sign(x),
    ],
)
def test_signs_of_zeros_are_those_of_numpy(function):
    """A sum begins with 0, in Python and in NumPy."""
    for x in ZEROS:
        with np.errstate(all="ignore"):
            expected = np.asarray(function(x))
        (result,) = compiled_results(function, x)
        np.testing.assert_array_equal(result, expected)
        signs = [np.where(np.isnan(expected), False, np.signbit(values)) for values in (result, expected)]  # of a NaN it means nothing
        np.testing.assert_array_equal(*signs)


@pytest.mark.parametrize("exponent", [2, 2.0, 0.5, -1, -1.0, 1, 1.0, 0, 0.0])
def test_short_powers_are_correctly_rounded(exponent):
    """To the bit NumPy's of arrays; of numbers at most one unit in the last place from the C library's, which Python calls."""
    x = np.abs(np.random.default_rng(1).normal(size=200)) * 10.0
    (of_array,) = compiled_results(lambda x: x**exponent, x)
    np.testing.assert_array_equal(of_array, x**exponent)
    (of_numbers,) = compiled_results(numbers_to_the(exponent), x)
    np.testing.assert_array_equal(of_numbers, of_array)
    np.testing.assert_array_max_ulp(np.array([float(value) ** exponent for value in x]), of_array, 1)


def numbers_to_the(exponent):
    def powers(x):
        result = np.zeros(x.shape)
        for i in range(x.shape[0]):
            result[i] = x[i] ** exponent
        return result

    return powers


def test_strings_and_enums_choose_at_compile_time():
    def combine(x, *, rule: Static = Rule.SUM, scale: Static = "none"):
        factor = 2.0 if scale == "double" else 1.0
        if rule is Rule.SUM:
            return np.sum(x) * factor
        elif rule == Rule.PRODUCT:
            return np.prod(x) * factor
        raise ValueError(rule)

    check(combine, X)
    check(combine, X, statics={"rule": Rule.PRODUCT, "scale": "double"})


def test_a_static_none():
    def limited(x, *, limit: Static = None):
        if limit is not None:
            return np.minimum(x, limit)
        return x * 1.0

    check(limited, X)
    check(limited, X, statics={"limit": 1})


def logistic(x, gain=1.0, *, bias=0.0):
    return 1.0 / (1.0 + np.exp(-gain * (x - bias)))


def twice(function, x):
    return function(function(x))


def test_calls_of_other_functions():
    check(lambda x: logistic(x, 2.0) + logistic(x, bias=0.5) + logistic(x[0]), X)


def test_functions_as_arguments():
    check(lambda x: twice(logistic, x) + twice(lambda v: v * v, x), X)


def test_partial():
    steep = partial(logistic, gain=4.0)
    check(lambda x: steep(x), X)


def test_closures_over_constants_and_functions():
    weight, table, names = 0.25, np.array([1.0, 2.0, 3.0]), ("a", "b")

    def inner(v):
        return v * weight

    def outer(x):
        def local(v, factor=3.0):
            return inner(v) * factor + x[0]

        return local(x) @ table + (1.0 if "a" in names else 0.0)

    check(outer, X)


def test_a_dynamic_index_out_of_range_takes_the_nearest_element():
    def pick(x, i):
        return x[i]

    x = np.array([10.0, 20.0, 30.0])
    assert [compiled_results(pick, x, i)[0] for i in (-9, -4, -3, -1, 0, 2, 3, 99)] == [10, 10, 10, 30, 10, 30, 30, 30]


def test_a_window_moves_to_where_it_fits():
    def window(x, i):
        return x[i : i + 2]

    x = np.array([10.0, 20.0, 30.0, 40.0])
    starts = [compiled_results(window, x, i)[0][0] for i in (-9, -4, -3, -1, 0, 1, 2, 3, 99)]
    assert starts == [10, 10, 20, 30, 10, 20, 30, 30, 30]


@pytest.mark.parametrize("start", [0, 1, 2])
def test_a_window_of_a_constant_array_may_start_anywhere(start):
    """Found by random functions: such a slice was refused, as if the bounds of a constant's slices had to be known."""
    check_native(lambda i, v: np.linspace(-1.0, 1.0, 5)[i : i + 3] + v, start, np.array([1.0, 2.0, 3.0]))
    check(lambda i, v: np.arange(6).reshape(2, 3)[1, i : i + 2] + v, start % 2, np.array([1.0, 2.0]))


def root_of_number(x):
    return x**0.5


@pytest.mark.parametrize("x", [2.0, 0.3, 0.0, -0.0, 5e-324, 1.7e308, math.inf, -math.inf, math.nan])
def test_a_number_to_the_power_of_one_half(x):
    """A square root, with the rules of powers: the root of -0.0 is 0.0 and that of -inf is inf."""
    (found,) = compiled_results(root_of_number, x)
    expected = np.float64(x) ** 0.5
    np.testing.assert_array_equal(found, expected)
    assert np.signbit(found) == np.signbit(expected)
    assert np.isnan(compiled_results(root_of_number, -2.0)[0])


@pytest.mark.parametrize(
    ("function", "vector"),
    [
        (lambda a, v: np.max(np.tile(v[1], 5)) if a > 0.0 else 2.0, [1.0, 2.0, 3.0]),
        (lambda a, v: np.roll(v, 1).argmin() + a, [2.0]),
        (lambda a, v: np.tile(v, 1).argmax() + a, [2.0]),
    ],
    ids=["branch_of_a_reduction", "roll_of_one", "tile_of_one"],
)
def test_reductions_of_what_no_operand_measures_compile(function, vector):
    """Such a reduction is built a second time, over a tensor; the first attempt must leave no uses behind."""
    check_native(function, 1.0, np.array(vector))
