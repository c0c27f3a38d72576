"""
Derivatives of the library's functions at their ends and kinks are PyTorch's, but for what the pages say: saturated, infinite, zero, tied.

The expected values are closed forms; where PyTorch is installed, it computes them as well.
"""

# pyright: basic
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from support.gradients import derivatives
from xdsl.dialects import arith

from cogir import library
from cogir.errors import LoweringError
from cogir.lowering.gradient import arrays, differentiate, scalars

try:
    import torch
except ImportError:
    torch: Any = None

INF, NAN = math.inf, math.nan
LARGEST, TINIEST = 3.4028234663852886e38, 1.401298464324817e-45
"""The largest and the smallest positive number of float32."""
FINITE = (-1e3, -745.5, -700.0, -89.0, -40.0, -0.5, -TINIEST, -0.0, 0.0, TINIEST, 0.25, 40.0, 89.0, 700.0, 745.5, 1e3)
ENDS = (-INF, -LARGEST, *FINITE, LARGEST, INF)


def sigmoid(x: float) -> float:
    return 1.0 / (1.0 + math.exp(-x)) if x > -709.0 else 0.0


def exp(x: float) -> float:
    try:
        return math.exp(x)
    except OverflowError:
        return INF


OF_NUMBERS: dict[str, tuple[Callable, Callable, Callable | None, tuple[float, ...]]] = {
    "identity": (lambda x: library.identity(x), lambda x: 1.0, lambda x: x, ENDS),
    "linear": (lambda x: library.linear(x, slope=-2.0, intercept=3.0, scale=0.5), lambda x: -1.0, lambda x: 0.5 * (x * -2.0 + 3.0), ENDS),
    "exponential": (
        lambda x: library.exponential(x, rate=2.0, scale=0.5),
        lambda x: exp(2.0 * x),
        lambda x: 0.5 * torch.exp(2.0 * x),
        ENDS,
    ),
    "logistic": (lambda x: library.logistic(x), lambda x: sigmoid(x) * (1.0 - sigmoid(x)), lambda x: torch.sigmoid(x), ENDS),
    "logistic, gain, bias, scale": (
        lambda x: library.logistic(x, gain=3.0, bias=-0.5, x_0=0.25, scale=2.0, offset=1.0),
        lambda x: 6.0 * sigmoid(3.0 * (x - 0.75)) * (1.0 - sigmoid(3.0 * (x - 0.75))),
        lambda x: 2.0 * torch.sigmoid(3.0 * (x - 0.75)) + 1.0,
        ENDS,
    ),
    "logistic, falling": (
        lambda x: library.logistic(x, gain=-1.0),
        lambda x: -sigmoid(-x) * (1.0 - sigmoid(-x)),
        lambda x: torch.sigmoid(-x),
        ENDS,
    ),
    "tanh": (
        lambda x: library.tanh(x, gain=2.0, scale=0.5),
        lambda x: 1.0 - math.tanh(2.0 * x) ** 2,
        lambda x: 0.5 * torch.tanh(2.0 * x),
        ENDS,
    ),
    # An infinite input times a leak of 0 is NaN, as PsyNeuLink's.
    "relu": (lambda x: library.relu(x), lambda x: float(x > 0.0), lambda x: torch.relu(x), ENDS[1:-1]),
    "relu, bias and gain": (
        lambda x: library.relu(x, bias=0.25, gain=2.0),
        lambda x: 2.0 * (x > 0.25),
        lambda x: torch.relu(2.0 * (x - 0.25)),
        ENDS[1:-1],
    ),
    "relu, leak": (
        lambda x: library.relu(x, leak=0.1),
        lambda x: 1.0 if x > 0.0 else 0.1,
        lambda x: torch.nn.functional.leaky_relu(x, 0.1),
        ENDS,
    ),
    "softplus": (
        lambda x: np.maximum(x, 0.0) + np.log1p(np.exp(-np.abs(x))),
        lambda x: sigmoid(x),
        lambda x: torch.logaddexp(x, torch.zeros_like(x)),
        FINITE,
    ),
    "normal density": (
        lambda x: np.exp(-0.5 * x * x) / np.sqrt(2.0 * np.pi),
        lambda x: -x * exp(-0.5 * x * x) / math.sqrt(2.0 * math.pi),
        lambda x: torch.exp(-0.5 * x * x) / math.sqrt(2.0 * math.pi),
        FINITE,
    ),
    "comparator": (lambda x: library.comparator(x, 3.0 + 0.0 * x, scale=2.0), lambda x: -2.0, lambda x: 2.0 * (3.0 - x), ENDS[1:-1]),
    "a logistic written by hand": (
        lambda x: 1 / (1 + np.exp(-x)),
        lambda x: sigmoid(x) * (1.0 - sigmoid(x)),
        None,  # PyTorch gives NaN from -709 on
        ENDS,
    ),
    "a logistic written the other way round": (
        lambda x: 3.0 / (np.exp(x) + 1.0),
        lambda x: -3.0 * sigmoid(-x) * (1.0 - sigmoid(-x)),
        None,
        ENDS,
    ),
    "np.maximum": (
        lambda x: np.maximum(x, 0.0),
        lambda x: 0.5 if x == 0.0 else float(x > 0.0),
        lambda x: torch.maximum(x, torch.zeros_like(x)),
        ENDS,
    ),
    "the larger one of a number and its square": (
        lambda x: np.maximum(x, x * x),
        lambda x: {0.0: 0.5, 1.0: 1.5}.get(x, 1.0 if 0.0 < x < 1.0 else 2.0 * x),
        lambda x: torch.maximum(x, x * x),
        (0.0, 1.0, 0.5, 2.0, -3.0),
    ),
    "np.clip": (lambda x: np.clip(x, 0.0, 40.0), lambda x: float(0.0 <= x <= 40.0), lambda x: torch.clamp(x, 0.0, 40.0), ENDS),
    "np.abs": (lambda x: np.abs(x), lambda x: float(np.sign(x)), lambda x: torch.abs(x), ENDS),
    "np.log1p": (
        lambda x: np.log1p(np.abs(x) + 1.0),
        lambda x: np.sign(x) / (2.0 + abs(x)),
        lambda x: torch.log1p(torch.abs(x) + 1.0),
        ENDS,
    ),
}  # fmt: skip
"""For each: the function of a number, its derivative, the same in PyTorch if that is to be compared, and where."""


def slopes(function: Callable, points: Any) -> np.ndarray:
    return derivatives(lambda v: np.sum(function(v)), points)


def of_torch(function: Callable, points: Any) -> np.ndarray:
    given = torch.tensor(np.asarray(points, np.float64), requires_grad=True)
    torch.sum(function(given)).backward()
    return given.grad.numpy()


@pytest.mark.parametrize("name", OF_NUMBERS)
def test_derivatives_at_ends(name: str) -> None:
    function, derivative, same_in_torch, points = OF_NUMBERS[name]
    found = slopes(function, points)
    np.testing.assert_allclose(found, [derivative(x) for x in points], rtol=1e-12, atol=1e-15, equal_nan=False)
    if torch is not None and same_in_torch is not None:
        np.testing.assert_allclose(found, of_torch(same_in_torch, points), rtol=1e-12, atol=1e-15)


def probabilities(x: np.ndarray, gain: float) -> np.ndarray:
    weights = np.exp(gain * x - np.max(gain * x))
    return weights / weights.sum()


def of_softmax(x: np.ndarray, gain: float) -> np.ndarray:
    """The derivatives of the sum of softmax times WEIGHTS."""
    p, w = probabilities(x, gain), WEIGHTS[: len(x)]
    return gain * p * (w - np.sum(p * w))


WEIGHTS = np.array([1.0, -2.0, 0.5, 3.0])
SATURATED = [[1e3, -1e3, 0.0, 1.0], [0.0, 0.0, 0.0, 0.0], [1e3, 1e3, -1e3, 1e3], [-LARGEST, LARGEST, 0.0, 1.0], [0.1, 0.7, -0.3, 0.2]]
ZERO = [[0.0, 0.0, 0.0, 0.0], [3.0, 0.0, 4.0, 0.0], [TINIEST, 0.0, 0.0, 0.0]]
TARGET = np.array([0.0, 1.0, 0.0, 0.0])


def t(values: Any) -> Any:
    return torch.tensor(np.asarray(values, np.float64))


def by_bce(x: np.ndarray) -> np.ndarray:
    """One-sided at probabilities of 0 and 1, where the logarithm is bounded by -100."""
    with np.errstate(all="ignore"):
        return (np.where(x == 1.0, 0.0, (1.0 - TARGET) / (1.0 - x)) - np.where(x == 0.0, 0.0, TARGET / x)) / 4.0


def larger_multiple(x: Any) -> Any:
    a = 1.0 * x[:2]
    return np.maximum(a, x[2:] * a)


def by_larger_multiple(x: np.ndarray) -> np.ndarray:
    """The derivatives of max(a, b * a): half of each where they are equal."""
    a, b = x[:2], x[2:]
    of_multiple = np.where(b * a == a, 0.5, b * a > a)
    return np.concatenate((1.0 - of_multiple + of_multiple * b, of_multiple * a))


OF_VECTORS: dict[str, tuple[Callable, Callable, Callable | None, list]] = {
    "softmax": (
        lambda x: library.softmax(x, gain=2.0) * WEIGHTS,
        lambda x: of_softmax(x, 2.0),
        lambda x: torch.softmax(2.0 * x, 0) * t(WEIGHTS),
        SATURATED,
    ),
    "normalize": (
        lambda x: library.normalize(x) * WEIGHTS,
        lambda x: 1e12 * WEIGHTS if not np.linalg.norm(x) > 1e-12 else WEIGHTS / 5.0 - x * np.dot(WEIGHTS, x) / 125.0,
        lambda x: torch.nn.functional.normalize(x, dim=0) * t(WEIGHTS),
        ZERO,
    ),
    "normalize, rows": (
        lambda x: library.normalize(x.reshape(1, 4)) * WEIGHTS,
        lambda x: 1e12 * WEIGHTS if not np.linalg.norm(x) > 1e-12 else WEIGHTS / 5.0 - x * np.dot(WEIGHTS, x) / 125.0,
        lambda x: torch.nn.functional.normalize(x.reshape(1, 4), dim=1) * t(WEIGHTS),
        ZERO,
    ),
    "np.linalg.norm": (
        lambda x: np.linalg.norm(x),
        lambda x: x / max(np.linalg.norm(x), 5e-324) if np.any(x > 1e-12) else 0.0 * x,
        lambda x: torch.linalg.norm(x),
        ZERO[:2],
    ),
    "np.std": (lambda x: np.std(x), lambda x: 0.0 * x, lambda x: torch.std(x, correction=0), [[2.0, 2.0, 2.0, 2.0], ZERO[0]]),
    "np.prod": (
        lambda x: np.prod(x),
        lambda x: np.array([np.prod(np.delete(x, i)) for i in range(4)]),
        lambda x: torch.prod(x),
        [*ZERO, [0.0, 2.0, 3.0, 4.0], [0.5, 2.0, 3.0, -4.0]],
    ),
    "mean_squared_error": (
        lambda x: library.mean_squared_error(x, TARGET),
        lambda x: (x - TARGET) / 2.0,
        lambda x: torch.nn.functional.mse_loss(x, t(TARGET)),
        SATURATED,
    ),
    "sum_squared_error": (
        lambda x: library.sum_squared_error(x, TARGET),
        lambda x: 2.0 * (x - TARGET),
        lambda x: torch.nn.functional.mse_loss(x, t(TARGET), reduction="sum"),
        SATURATED,
    ),
    "sum_absolute_error": (
        lambda x: library.sum_absolute_error(x, TARGET),
        lambda x: np.sign(x - TARGET),
        lambda x: torch.nn.functional.l1_loss(x, t(TARGET), reduction="sum"),
        [*SATURATED, list(TARGET)],
    ),
    "cross_entropy": (
        lambda x: library.cross_entropy(x, TARGET),
        lambda x: probabilities(x, 1.0) - TARGET,
        lambda x: torch.nn.functional.cross_entropy(x, t(TARGET)),
        SATURATED,
    ),
    "poisson_loss": (
        lambda x: library.poisson_loss(x, TARGET),
        lambda x: np.array([exp(each) for each in x]) - TARGET,
        lambda x: torch.nn.functional.poisson_nll_loss(x, t(TARGET), reduction="sum"),
        SATURATED,
    ),
    "relative_entropy": (
        lambda x: library.relative_entropy(x, TARGET),
        lambda x: -TARGET,
        lambda x: torch.nn.functional.kl_div(x, t(TARGET), reduction="sum"),
        SATURATED,
    ),
    # PyTorch divides by at least 1e-12 there.
    "binary_cross_entropy": (
        lambda x: library.binary_cross_entropy(x, TARGET),
        by_bce,
        None,
        [[0.0, 1.0, 1.0, 0.0], [1.0, 0.0, 0.5, 0.25]],
    ),
    "binary_cross_entropy of a logistic": (
        lambda x: library.binary_cross_entropy(library.logistic(x), TARGET),
        lambda x: (np.array([sigmoid(each) * (1.0 - sigmoid(each)) for each in x]) * by_bce(np.array([sigmoid(each) for each in x]))),
        lambda x: torch.nn.functional.binary_cross_entropy(torch.sigmoid(x), t(TARGET)),
        [[1e3, -1e3, 0.5, 800.0], [-1e3, 1e3, 40.0, -2.0]],
    ),
    "linear_combination, product": (
        lambda x: library.linear_combination(x.reshape(2, 2), operation="product"),
        lambda x: x[[2, 3, 0, 1]],
        lambda x: torch.prod(x.reshape(2, 2), 0),
        ZERO,
    ),
    "linear_combination, cross-entropy": (
        lambda x: library.linear_combination(x.reshape(2, 2), operation="cross-entropy"),
        lambda x: np.array([0.0, np.log(x[3]), 0.0, x[1] / x[3]]),
        None,  # 0 log 0 is 0 here, and its derivatives are 0
        [[0.0, 2.0, 0.0, 3.0]],
    ),
    "reduce, product": (
        lambda x: library.reduce(x.reshape(2, 2), operation="product"),
        lambda x: x[[1, 0, 3, 2]],
        lambda x: torch.prod(x.reshape(2, 2), 1),
        ZERO,
    ),
    "combine_means": (
        lambda x: library.combine_means(x.reshape(2, 2)),
        lambda x: np.full(4, 0.5),
        lambda x: torch.sum(torch.mean(x.reshape(2, 2), 1)),
        ZERO,
    ),
    "hyperspherical_to_cartesian": (
        lambda x: library.hyperspherical_to_cartesian(x[:1]),
        lambda x: np.array([math.cos(x[0]) - math.sin(x[0]), 0.0, 0.0, 0.0]),
        lambda x: torch.cat((torch.cos(x[:1]), torch.sin(x[:1]))),
        ZERO,
    ),
    "rearrange": (lambda x: REARRANGED(x, scale=2.0), lambda x: np.array([2.0, 0.0, 2.0, 0.0]), lambda x: 2.0 * x[[2, 0]], SATURATED),
    # At 0, which has no direction, that of `variable @ matrix`.
    "matrix_transform_normalized": (
        lambda x: library.matrix_transform_normalized(x, matrix=np.diag([2.0, 1.0, 3.0, 1.0])) * WEIGHTS,
        lambda x: WEIGHTS if not np.any(x) else WEIGHTS / 5.0 - x * np.dot(WEIGHTS, x) / 125.0,
        None,
        ZERO[:2],
    ),
    "matrix_transform": (
        lambda x: library.matrix_transform(x, matrix=np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]])),
        lambda x: np.array([3.0, 7.0, 11.0, 15.0]),
        lambda x: x @ t([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]]),
        SATURATED,
    ),
    "the larger one of numbers and their multiples by others": (
        larger_multiple,
        by_larger_multiple,
        lambda x: torch.maximum(x[:2], x[2:] * x[:2]),
        [[0.0, 0.0, 0.5, 3.0], [2.0, -2.0, 1.0, 1.0], [2.0, -2.0, 0.5, 0.5], [2.0, -2.0, 3.0, -1.0]],
    ),
}  # fmt: skip
REARRANGED = library.rearrange((2, 0))


@pytest.mark.parametrize("name", OF_VECTORS)
def test_derivatives_of_functions_of_vectors_at_ends(name: str) -> None:
    function, derivative, same_in_torch, points = OF_VECTORS[name]
    for point in points:
        with np.errstate(over="ignore"):
            expected = derivative(np.array(point))
        found = slopes(function, point)
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12, equal_nan=False)
        if torch is not None and same_in_torch is not None:
            np.testing.assert_allclose(found, of_torch(same_in_torch, point), rtol=1e-12, atol=1e-12)


def without_form(*given: object) -> None:
    """No form is found."""


def quotient(block: Any, term: Any, given: Any, held: Any) -> Any:
    return block.value(arith.MulfOp(given, block.value(arith.DivfOp(held[0], term))))


PLANTS: dict[str, tuple[str, Callable[[pytest.MonkeyPatch], object]]] = {
    "a logistic is differentiated as it is written": ("logistic", lambda patch: patch.setattr(scalars, "logistic", without_form)),
    "a rectifier is any maximum": ("relu", lambda patch: patch.setattr(scalars, "multiple_of", without_form)),
    "a norm is any root": ("normalize", lambda patch: patch.setattr(differentiate, "mark_norms", without_form)),
    "a clip is any maximum": ("np.clip", lambda patch: patch.setattr(scalars, "CLIPPING", {})),
    "a product is divided by each term": (
        "np.prod",
        lambda patch: patch.setattr(arrays.OfProduct, "of_term", lambda self, block, term, given, held: quotient(block, term, given, held)),
    ),
}


@pytest.mark.parametrize("plant", PLANTS)
def test_planted_fault_is_found(plant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name, apply = PLANTS[plant]
    apply(monkeypatch)
    check = test_derivatives_at_ends if name in OF_NUMBERS else test_derivatives_of_functions_of_vectors_at_ends
    with pytest.raises(AssertionError):
        check(name)


OF_SEVERAL_STEPS = "euler fitz_hugh_nagumo heun jansen_rit ring_attractor rk4 wilson_cowan".split()
"""They consist of the functions above and of sums and products (`test_solvers.py`, `test_rate_models.py`)."""
OF_CHOICES = (
    "actor_critic hopfield_storage hopfield_synchronous hybrid_pearce_hall pearce_hall q_learning rescorla_wagner sarsa td_lambda hebbian "
    "adam gradient_descent"
).split()
"""Rules of learning, which are not learned through."""
OF_CONDITIONS = ["normal_quantile"]
"""A condition on a learned value is an error."""
MOVES = ["concatenate", "flatten"]


def test_every_function_is_compared_or_has_a_reason() -> None:
    compared = {name.partition(",")[0].partition(" ")[0] for name in (*OF_NUMBERS, *OF_VECTORS)}
    others = {*OF_SEVERAL_STEPS, *OF_CHOICES, *OF_CONDITIONS, *MOVES}
    draws = {
        name
        for name in library.__all__
        if "random" in getattr(getattr(getattr(library, name), "__wrapped__", getattr(library, name)), "__annotations__", {})
    }
    functions = {name for name in library.__all__ if name[0].islower() and name not in ("psyneulink", "node_function")}
    assert functions - compared - others - draws == set()
    assert not others & compared


def test_conditions_on_learned_values_are_refused() -> None:
    with pytest.raises(LoweringError, match="depends on learned weights and has no derivative rule"):
        slopes(lambda x: library.normal_quantile(x[0]), [0.3])
