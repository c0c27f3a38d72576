"""Derivatives by reverse-mode differentiation are those of finite differences, and what has none is refused."""

# pyright: basic
import numpy as np
import pytest
from support.gradients import differentiated, module_of
from support.machine import parse
from xdsl.context import Context
from xdsl.dialects import func

from cogir.errors import LoweringError
from cogir.library.losses import cross_entropy
from cogir.library.softmax import softmax
from cogir.library.transfer import logistic, relu, tanh
from cogir.lowering.gradient.differentiate import Differentiate

try:
    from scipy import special
except ImportError:  # its functions have no other names
    special = None

POINT = np.array([0.7, -0.4, 1.3, 0.25, -1.1, 2.1])


def elementary(x):
    return np.sum(np.exp(0.5 * x) + np.sin(x) * np.cos(x) - np.tanh(x) / (2.0 + x * x))


def roots_and_logarithms(x):
    return np.sum(np.sqrt(2.0 + x * x) + np.log(3.0 + np.sin(x)) + np.log1p(x * x) + np.expm1(0.1 * x))


def powers(x):
    y = 1.5 + np.abs(x)
    return np.sum(y**2.5 + y**x - y**3 + 2.0**x)


def choices(x):
    return np.sum(np.where(x > 0.5, x * x, -2.0 * x) + np.maximum(x, 0.3 * x) - np.minimum(x, 0.1) + np.abs(x - 0.1))


def rounded(x):
    return np.sum(x * np.floor(3.0 * x) + x)


def elements(x):
    total = x[0] * x[1]
    for i in range(4):
        total = total + x[i] * x[i + 1] * x[i + 1]
    return total / (1.0 + x[5] * x[5])


def parts(x):
    y = x.copy()
    y[2] = x[0] * x[1]
    y[3] = 4.0
    return np.sum(y[1:4] * x[2:5]) + np.sum(y) * x[5]


def matrices(x):
    m = x.reshape(2, 3)
    h = np.array([0.5, -1.5]) @ m
    return np.sum((m @ h) ** 2) + np.mean(m * m) + np.max(m) * np.min(m)


def through_calls(x):
    return cross_entropy(relu(x, leak=0.1), softmax(tanh(logistic(x, gain=2.0, bias=0.1), gain=0.7), gain=1.5))


WEIGHTS = np.array([1.0, -2.0, 0.5, 3.0, 0.25, -1.0])


def sorted_elements(x):
    return np.sum(np.sort(x * x) * WEIGHTS) + np.median(x) * np.percentile(x, 30.0) + np.median(x[1:])


def sorted_rows(x):
    return np.sum(np.sort(x.reshape(2, 3), axis=0) * WEIGHTS.reshape(2, 3)) + np.sum(np.median(x.reshape(2, 3), axis=1) ** 2)


def indexed(x):
    return np.sum(x * np.argsort(x) + x * np.searchsorted([0.0, 1.0], x)) + x[np.argmax(x)] * x[np.argsort(x)[1]]


def interpolated(x):
    return np.sum(np.interp(x, [-1.0, 0.0, 0.5, 2.0], x[:4], left=3.0) ** 2) + np.interp(0.3, np.cumsum(np.exp(x)) - 2.0, x)


def convolved(x):
    return np.sum(np.convolve(x, x[:3], "same") * WEIGHTS) + np.einsum("i,ij,j->", x[:2], x.reshape(2, 3), x[3:] ** 2)


def systems(x):
    m = np.array([[x[0], x[1], x[2]], [x[3], x[4], x[5]], [1.0, 3.0, -2.0]])
    return np.sum(np.linalg.solve(m, x[:3]) ** 2) + np.linalg.det(m) ** 2 + np.sum(np.linalg.inv(m) * m.T)


def factors(x):
    m = np.outer(x[:3], x[:3]) + np.eye(3) * (1.0 + x[3] ** 2)
    return np.sum(np.linalg.cholesky(m) * np.arange(9.0).reshape(3, 3))


def special_functions(x):
    positive = 0.1 + x * x
    return np.sum(special.gammaln(positive) + special.gammaln(x) + special.gammaln(9.0 * positive) + special.expit(x) + special.erf(x))


def normalised(x):
    rows = x.reshape(2, 3)
    return np.sum(special.softmax(x) * WEIGHTS) + special.logsumexp(x) ** 2 + np.sum(special.logsumexp(rows, axis=1, keepdims=True) * rows)


CASES = [elementary, roots_and_logarithms, powers, choices, rounded, elements, parts, matrices, through_calls]
CASES += [sorted_elements, sorted_rows, indexed, interpolated, convolved, systems, factors]
CASES += [special_functions, normalised] if special is not None else []


@pytest.mark.parametrize("python", CASES, ids=lambda python: python.__name__)
def test_derivatives_are_those_of_finite_differences(python) -> None:
    gradient = differentiated(module_of(python, 6, [(0, 6)]))
    found, loss = gradient(POINT, np.zeros(6))
    assert loss == pytest.approx(float(python(POINT)), rel=1e-14)
    step = 1e-6
    expected = [(python(POINT + step * unit) - python(POINT - step * unit)) / (2.0 * step) for unit in np.eye(6)]
    np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-7 * max(map(abs, expected)))


def test_ranges_are_packed_one_after_another_and_added() -> None:
    whole, _ = differentiated(module_of(elements, 6, [(0, 6)]))(POINT, np.zeros(6))
    some, _ = differentiated(module_of(elements, 6, [(4, 2), (1, 2)]))(POINT, np.array([10.0, 20.0, 30.0, 40.0]))
    np.testing.assert_allclose(some, np.array([10.0, 20.0, 30.0, 40.0]) + whole[[4, 5, 1, 2]], rtol=1e-15)


def test_where_two_are_equal_each_gets_half() -> None:
    def largest(x):
        return np.sum(np.maximum(x, 0.0)) + np.sum(np.abs(x))

    found, _ = differentiated(module_of(largest, 3, [(0, 3)]))(np.array([0.0, 2.0, -1.0]), np.zeros(3))
    np.testing.assert_array_equal(found, [0.5, 2.0, -1.0])


def test_equal_terms_of_an_extremum_share_it() -> None:
    """One number that stands there twice has the derivative that it has alone."""

    def twice(x):
        return 3.0 * np.max(np.array([x[0], x[0], x[1]])) + np.min(x)

    found, _ = differentiated(module_of(twice, 4, [(0, 4)]))(np.array([2.0, 1.0, 0.5, 0.5]), np.zeros(4))
    np.testing.assert_array_equal(found, [3.0, 0.0, 0.5, 0.5])

    def rows(x):
        return np.sum(np.max(x.reshape(2, 3), axis=0) * np.array([1.0, 2.0, 4.0]))

    def pythons(x):
        return 3.0 * max(np.array([x[0], x[0], x[1]])) + min(x)

    found, _ = differentiated(module_of(pythons, 4, [(0, 4)]))(np.array([2.0, 1.0, 0.5, 0.5]), np.zeros(4))
    np.testing.assert_array_equal(found, [3.0, 0.0, 0.5, 0.5])

    found, _ = differentiated(module_of(rows, 6, [(0, 6)]))(np.array([1.0, 5.0, 0.0, 1.0, 4.0, 3.0]), np.zeros(6))
    np.testing.assert_array_equal(found, [0.5, 2.0, 0.0, 0.5, 0.0, 4.0])


def test_equal_elements_are_sorted_as_they_stand() -> None:
    found, _ = differentiated(module_of(lambda x: np.sum(np.sort(x) * np.array([1.0, 2.0, 4.0])), 3, [(0, 3)]))(np.ones(3), np.zeros(3))
    np.testing.assert_array_equal(found, [1.0, 2.0, 4.0])


def test_expit_and_logsumexp_where_two_are_equal() -> None:
    if special is None:
        pytest.skip("the functions are SciPy's, which is not installed")
    found, _ = differentiated(module_of(lambda x: np.sum(special.expit(x)), 3, [(0, 3)]))(np.array([0.0, 800.0, -800.0]), np.zeros(3))
    np.testing.assert_array_equal(found, [0.25, 0.0, 0.0])
    found, _ = differentiated(module_of(lambda x: special.logsumexp(x), 4, [(0, 4)]))(np.full(4, 2.0), np.zeros(4))
    np.testing.assert_array_equal(found, np.full(4, 0.25))


def test_nothing_flows_through_indices() -> None:
    with pytest.raises(LoweringError, match="the loss does not depend on any learned weights"):
        differentiated(module_of(lambda x: 1.0 * np.sum(np.argsort(x)), 3, [(0, 3)]))


def test_floats_that_are_computed_from_bits_are_refused() -> None:
    """The bits of a float are whole numbers, but no constants: they become a float again."""
    from cogir.library.numerics.math import exp

    with pytest.raises(LoweringError, match=r"arith.bitcast depends on learned weights and has no derivative rule"):
        differentiated(module_of(lambda x: exp(x[0]), 3, [(0, 3)]))


def test_long_arrays_that_are_sorted_are_refused() -> None:
    with pytest.raises(LoweringError, match="a loop has 65 iterations; at most 64 can be differentiated"):
        differentiated(module_of(lambda x: np.sum(np.sort(x) * x), 65, [(0, 65)]))


def test_a_power_of_zero_by_its_base() -> None:
    def powers_of(x):
        return np.sum(x**0.0) + np.sum(x**1.0) + np.sum(x**2.0)

    found, _ = differentiated(module_of(powers_of, 2, [(0, 2)]))(np.array([0.0, 3.0]), np.zeros(2))
    np.testing.assert_array_equal(found, [1.0, 7.0])


BRANCHES = """
func.func @loss(%w: tensor<3xf64> {cog.learned = [[0, 3]]}) -> f64 {
  %zero = arith.constant 0.0 : f64
  %none = arith.constant dense<0.0> : tensor<f64>
  %sum = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
      ins(%w : tensor<3xf64>) outs(%none : tensor<f64>) {
  ^bb0(%x: f64, %total: f64):
    %negative = arith.cmpf olt, %x, %zero : f64
    %y = scf.if %negative -> (f64) {
      scf.yield %zero : f64
    } else {
      %square = arith.mulf %x, %x : f64
      scf.yield %square : f64
    }
    %next = arith.addf %total, %y : f64
    linalg.yield %next : f64
  } -> tensor<f64>
  %y = tensor.extract %sum[] : tensor<f64>
  func.return %y : f64
}
"""


def test_branches_in_functions_of_elements_are_refused() -> None:
    """Not passed over, as if nothing came through them."""
    with pytest.raises(LoweringError, match=r"a linalg.generic computes scf.if, which cannot be differentiated"):
        differentiated(parse(BRANCHES))


def test_a_condition_that_learned_values_do_not_decide() -> None:
    """Both branches are differentiated, and the derivative is that of the one which is taken."""

    def chosen(x):
        some = np.array((x[0], x[1])) * 3.0
        if x[2] > 1.0:
            some = np.array((x[0], x[1])) ** 2.0
        return np.sum(some * np.array([1.0, 10.0]))

    gradient = differentiated(module_of(chosen, 3, [(0, 2)]))
    found, loss = gradient(np.array([2.0, 5.0, 4.0]), np.zeros(2))
    np.testing.assert_array_equal(found, [4.0, 100.0])
    assert loss == 254.0
    found, loss = gradient(np.array([2.0, 5.0, 1.0]), np.zeros(2))
    np.testing.assert_array_equal(found, [3.0, 30.0])
    assert loss == 156.0


def test_a_condition_that_learned_values_decide_is_refused() -> None:
    def chosen(x):
        some = x[0:2] * 3.0
        if np.any(x > 1.0):
            some = x[0:2] ** 2.0
        return np.sum(some)

    with pytest.raises(LoweringError, match=r"scf.if depends on learned weights and has no derivative rule"):
        differentiated(module_of(chosen, 4, [(0, 2)]))


LOOP = """
func.func @loss(%w: tensor<1xf64> {cog.learned = [[0, 1]]}) -> f64 {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f64
  %x = tensor.extract %w[%c0] : tensor<1xf64>
  %y = scf.while (%a = %x) : (f64) -> f64 {
    %goes = arith.cmpf olt, %a, %one : f64
    scf.condition(%goes) %a : f64
  } do {
  ^bb0(%b: f64):
    %c = arith.addf %b, %b : f64
    scf.yield %c : f64
  }
  func.return %y : f64
}
"""
CONSTANT = """
func.func @loss(%w: tensor<1xf64> {cog.learned = [[0, 1]]}) -> f64 {
  %one = arith.constant 1.0 : f64
  func.return %one : f64
}
"""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (LOOP, "scf.while depends on learned weights and has no derivative rule"),
        (CONSTANT, "the loss does not depend on any learned weights"),
    ],
)
def test_what_has_no_derivative_is_refused(text: str, message: str) -> None:
    with pytest.raises(LoweringError, match=message):
        Differentiate().apply(Context(), parse(text))


def test_a_condition_on_what_is_not_learned_does_no_harm() -> None:
    text = LOOP.replace("func.return %y", "%z = arith.mulf %x, %x : f64\n  func.return %z").replace("(%a = %x)", "(%a = %one)")
    module = parse(text)
    Differentiate().apply(Context(), module)
    (gradient,) = [op for op in module.ops if isinstance(op, func.FuncOp)]
    assert gradient.sym_name.data == "gradient"
