"""
Each function that docs/functions.md lists can be differentiated: the derivatives are those of finite differences.
"""

# pyright: basic
import builtins
import math
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from support.gradients import differentiated, module_of

special = pytest.importorskip("scipy.special", reason="SciPy is not installed, whose functions the page lists")

POINT = np.array([0.7, -0.4, 1.3, 0.25, -1.1, 2.1])
WEIGHTS = np.array([1.0, -2.0, 0.5, 3.0, 0.25, -1.0])
PAGE = Path(__file__).parents[3] / "docs" / "functions.md"


def listed() -> set[str]:
    """The names that the page lists, with their modules."""
    text = PAGE.read_text().partition("<!-- names -->")[2].partition("\n### ")[0].replace("<!-- end -->", "")
    found: set[str] = set()
    for part in re.split(r"\n\n", text.strip()):
        head, _, names = part.partition(":")
        module = {"NumPy": "np.", "SciPy": "special.", "`math.`": "math.", "Python": ""}[head.split()[0]]
        found |= {module + name for name in re.findall(r"`([\w.]+)`", names)}
    return found


OF_NUMPY: dict[str, Callable] = {
    "np.absolute": lambda x: np.sum(np.absolute(x) * WEIGHTS),
    "np.add": lambda x: np.sum(np.add(x, x * x) * WEIGHTS),
    "np.all": lambda x: np.sum(x * np.all(x > -5.0)),
    "np.allclose": lambda x: np.sum(x * x) * np.allclose(x, x),
    "np.amax": lambda x: np.amax(x) ** 2,
    "np.amin": lambda x: np.amin(x) ** 2,
    "np.any": lambda x: np.sum(x * np.any(x > 1.0)),
    "np.append": lambda x: np.sum(np.append(x, x[0] * x[1]) ** 2),
    "np.arange": lambda x: np.sum(np.arange(6.0) * x),
    "np.arccos": lambda x: np.sum(np.arccos(0.4 * x) * WEIGHTS),
    "np.arccosh": lambda x: np.sum(np.arccosh(3.0 + x) * WEIGHTS),
    "np.arcsin": lambda x: np.sum(np.arcsin(0.4 * x) * WEIGHTS),
    "np.arcsinh": lambda x: np.sum(np.arcsinh(x) * WEIGHTS),
    "np.arctan": lambda x: np.sum(np.arctan(x) * WEIGHTS),
    "np.arctan2": lambda x: np.sum(np.arctan2(x, 0.3 + x * x - x[0]) * WEIGHTS),
    "np.arctanh": lambda x: np.sum(np.arctanh(0.4 * x) * WEIGHTS),
    "np.argmax": lambda x: x[np.argmax(x)] ** 2,
    "np.argmin": lambda x: x[np.argmin(x)] ** 2,
    "np.argsort": lambda x: np.sum(np.argsort(x) * x),
    "np.around": lambda x: np.sum(np.around(x) * x),
    "np.array": lambda x: np.sum(np.array([x[0] * x[1], x[2]]) ** 2),
    "np.asarray": lambda x: np.sum(np.asarray(x) ** 2),
    "np.ascontiguousarray": lambda x: np.sum(np.ascontiguousarray(x) ** 2),
    "np.atleast_1d": lambda x: np.sum(np.atleast_1d(x[0] * x[1]) ** 2),
    "np.atleast_2d": lambda x: np.sum(np.atleast_2d(x) ** 2),
    "np.bitwise_and": lambda x: np.sum(x * np.bitwise_and(x > 0.0, x < 1.0)),
    "np.bitwise_or": lambda x: np.sum(x * np.bitwise_or(x < 0.0, x > 1.0)),
    "np.bitwise_xor": lambda x: np.sum(x * np.bitwise_xor(x < 0.0, x > 1.0)),
    "np.bool": lambda x: np.sum(x * np.bool(x[0] > 0.0)),
    "np.broadcast_to": lambda x: np.sum(np.broadcast_to(x, (3, 6)) * np.arange(18.0).reshape(3, 6)),
    "np.cbrt": lambda x: np.sum(np.cbrt(x) * WEIGHTS),
    "np.ceil": lambda x: np.sum(np.ceil(x) * x),
    "np.clip": lambda x: np.sum(np.clip(x, -0.5, x[2]) * WEIGHTS),
    "np.concatenate": lambda x: np.sum(np.concatenate((x, x[:2] * x[2])) ** 2),
    "np.convolve": lambda x: np.sum(np.convolve(x, x[:3]) ** 2),
    "np.copy": lambda x: np.sum(np.copy(x) ** 2),
    "np.copysign": lambda x: np.sum(np.copysign(x, x[::-1]) * WEIGHTS),
    "np.cos": lambda x: np.sum(np.cos(x) * WEIGHTS),
    "np.cosh": lambda x: np.sum(np.cosh(x) * WEIGHTS),
    "np.count_nonzero": lambda x: np.sum(x * np.count_nonzero(x > 0.0)),
    "np.cumprod": lambda x: np.sum(np.cumprod(x) * WEIGHTS),
    "np.cumsum": lambda x: np.sum(np.cumsum(x) ** 2 * WEIGHTS),
    "np.deg2rad": lambda x: np.sum(np.deg2rad(x) ** 2),
    "np.degrees": lambda x: np.sum(np.degrees(x) ** 2),
    "np.diag": lambda x: np.sum(np.diag(x) ** 2) + np.sum(np.diag(x.reshape(2, 3)) ** 3),
    "np.diff": lambda x: np.sum(np.diff(x) ** 2),
    "np.divide": lambda x: np.sum(np.divide(x, 2.0 + x * x)),
    "np.dot": lambda x: np.dot(x, x) + np.sum(np.dot(x.reshape(2, 3), x[:3]) ** 2),
    "np.einsum": lambda x: np.einsum("i,ij->", x[:2], x.reshape(2, 3)),
    "np.empty": lambda x: np.sum(np.empty(6) * 0.0 + x * x),
    "np.empty_like": lambda x: np.sum(np.empty_like(x) * 0.0 + x * x),
    "np.equal": lambda x: np.sum(x * np.equal(x, x[0])),
    "np.exp": lambda x: np.sum(np.exp(x) * WEIGHTS),
    "np.exp2": lambda x: np.sum(np.exp2(x) * WEIGHTS),
    "np.expand_dims": lambda x: np.sum(np.expand_dims(x, 0) ** 2),
    "np.expm1": lambda x: np.sum(np.expm1(x) * WEIGHTS),
    "np.eye": lambda x: np.sum(np.eye(6) @ x * WEIGHTS * x),
    "np.fabs": lambda x: np.sum(np.fabs(x) * WEIGHTS),
    "np.flip": lambda x: np.sum(np.flip(x) * x * WEIGHTS),
    "np.float32": lambda x: np.sum(np.float32(1.5) * x * x),
    "np.float64": lambda x: np.sum(np.float64(x[0]) * x),
    "np.floor": lambda x: np.sum(np.floor(x) * x),
    "np.floor_divide": lambda x: np.sum(np.floor_divide(x, 0.31) * x),
    "np.fmax": lambda x: np.sum(np.fmax(x, x * x) * WEIGHTS),
    "np.fmin": lambda x: np.sum(np.fmin(x, x * x) * WEIGHTS),
    "np.fmod": lambda x: np.sum(np.fmod(3.0 * x, 0.5 + x * x) * WEIGHTS),
    "np.full": lambda x: np.sum(np.full(6, x[0]) * x),
    "np.full_like": lambda x: np.sum(np.full_like(x, x[0]) * x),
    "np.greater": lambda x: np.sum(x * np.greater(x, 0.0)),
    "np.greater_equal": lambda x: np.sum(x * np.greater_equal(x, 0.0)),
    "np.heaviside": lambda x: np.sum(x * np.heaviside(x, 0.5)),
    "np.hstack": lambda x: np.sum(np.hstack((x, x[:2] * x[2])) ** 2),
    "np.hypot": lambda x: np.sum(np.hypot(x, x[::-1] * 2.0) * WEIGHTS),
    "np.identity": lambda x: np.sum(np.identity(6) @ x * WEIGHTS * x),
    "np.inner": lambda x: np.inner(x, x * WEIGHTS),
    "np.int64": lambda x: np.sum(x * np.int64(3)),
    "np.interp": lambda x: np.sum(np.interp(x, [-1.0, 0.0, 0.5, 2.0], x[:4]) ** 2),
    "np.invert": lambda x: np.sum(x * np.invert(x > 0.0)),
    "np.isclose": lambda x: np.sum(x * np.isclose(x, x[0])),
    "np.isfinite": lambda x: np.sum(x * np.isfinite(x)),
    "np.isinf": lambda x: np.sum(x * (1.0 + np.isinf(x))),
    "np.isnan": lambda x: np.sum(x * (1.0 + np.isnan(x))),
    "np.left_shift": lambda x: np.sum(x * np.left_shift(1, 3)),
    "np.less": lambda x: np.sum(x * np.less(x, 0.0)),
    "np.less_equal": lambda x: np.sum(x * np.less_equal(x, 0.0)),
    "np.linalg.cholesky": lambda x: np.sum(np.linalg.cholesky(np.outer(x[:3], x[:3]) + np.eye(3) * 2.0) * np.arange(9.0).reshape(3, 3)),
    "np.linalg.det": lambda x: np.linalg.det(np.array([[x[0], x[1]], [x[2], x[3]]])) ** 2,
    "np.linalg.inv": lambda x: np.sum(np.linalg.inv(np.array([[x[0], x[1]], [x[2], x[3]]])) * np.array([[1.0, 2.0], [3.0, -1.0]])),
    "np.linalg.norm": lambda x: np.linalg.norm(x) + np.linalg.norm(x.reshape(2, 3)) ** 3,
    "np.linalg.solve": lambda x: np.sum(np.linalg.solve(np.array([[x[0], x[1]], [x[2], x[3]]]), x[4:]) ** 2),
    "np.linspace": lambda x: np.sum(np.linspace(0.0, 1.0, 6) * x * x),
    "np.log": lambda x: np.sum(np.log(3.0 + x) * WEIGHTS),
    "np.log10": lambda x: np.sum(np.log10(3.0 + x) * WEIGHTS),
    "np.log1p": lambda x: np.sum(np.log1p(x * x) * WEIGHTS),
    "np.log2": lambda x: np.sum(np.log2(3.0 + x) * WEIGHTS),
    "np.logaddexp": lambda x: np.sum(np.logaddexp(x, x[::-1] * 2.0) * WEIGHTS),
    "np.logical_and": lambda x: np.sum(x * np.logical_and(x > 0.0, x < 1.0)),
    "np.logical_not": lambda x: np.sum(x * np.logical_not(x > 0.0)),
    "np.logical_or": lambda x: np.sum(x * np.logical_or(x < 0.0, x > 1.0)),
    "np.logical_xor": lambda x: np.sum(x * np.logical_xor(x < 0.0, x < 1.0)),
    "np.matmul": lambda x: np.sum(np.matmul(x.reshape(2, 3), x.reshape(3, 2)) ** 2),
    "np.max": lambda x: np.max(x) ** 2 + np.sum(np.max(x.reshape(2, 3), axis=0) ** 2),
    "np.maximum": lambda x: np.sum(np.maximum(x, x * x) * WEIGHTS),
    "np.mean": lambda x: np.mean(x) ** 2 + np.sum(np.mean(x.reshape(2, 3), axis=0) ** 2),
    "np.median": lambda x: np.median(x) ** 2 + np.median(x[1:]) ** 3,
    "np.min": lambda x: np.min(x) ** 2 + np.sum(np.min(x.reshape(2, 3), axis=1) ** 2),
    "np.minimum": lambda x: np.sum(np.minimum(x, x * x) * WEIGHTS),
    "np.multiply": lambda x: np.sum(np.multiply(x, x[::-1]) * WEIGHTS),
    "np.nan_to_num": lambda x: np.sum(np.nan_to_num(x) ** 2),
    "np.ndim": lambda x: np.sum(x * np.ndim(x)),
    "np.negative": lambda x: np.sum(np.negative(x) * WEIGHTS),
    "np.not_equal": lambda x: np.sum(x * np.not_equal(x, x[0])),
    "np.ones": lambda x: np.sum(np.ones(6) * x),
    "np.ones_like": lambda x: np.sum(np.ones_like(x) * x),
    "np.outer": lambda x: np.sum(np.outer(x, x * WEIGHTS)),
    "np.percentile": lambda x: np.percentile(x, 30.0) ** 2,
    "np.positive": lambda x: np.sum(np.positive(x) * WEIGHTS),
    "np.power": lambda x: np.sum(np.power(1.5 + np.abs(x), x) * WEIGHTS) + np.sum(np.power(x, 3.0)),
    "np.prod": lambda x: np.prod(x) + np.sum(np.prod(x.reshape(2, 3), axis=0) ** 2),
    "np.quantile": lambda x: np.quantile(x, 0.3) ** 2,
    "np.rad2deg": lambda x: np.sum(np.rad2deg(x) ** 2),
    "np.radians": lambda x: np.sum(np.radians(x) ** 2),
    "np.ravel": lambda x: np.sum(np.ravel(x.reshape(2, 3)) * x),
    "np.reciprocal": lambda x: np.sum(np.reciprocal(x) * WEIGHTS),
    "np.remainder": lambda x: np.sum(np.remainder(3.0 * x, 0.5 + x * x) * WEIGHTS),
    "np.repeat": lambda x: np.sum(np.repeat(x[:3], 2) * x),
    "np.reshape": lambda x: np.sum(np.reshape(x, (2, 3)) ** 2),
    "np.right_shift": lambda x: np.sum(x * np.right_shift(8, 1)),
    "np.rint": lambda x: np.sum(np.rint(x) * x),
    "np.roll": lambda x: np.sum(np.roll(x, 2) * x * WEIGHTS),
    "np.round": lambda x: np.sum(np.round(x) * x),
    "np.searchsorted": lambda x: np.sum(np.searchsorted([0.0, 1.0], x) * x),
    "np.shape": lambda x: np.sum(x * np.shape(x)[0]),
    "np.sign": lambda x: np.sum(x * np.sign(x)),
    "np.sin": lambda x: np.sum(np.sin(x) * WEIGHTS),
    "np.sinh": lambda x: np.sum(np.sinh(x) * WEIGHTS),
    "np.size": lambda x: np.sum(x * np.size(x)),
    "np.sort": lambda x: np.sum(np.sort(x * x) * WEIGHTS),
    "np.sqrt": lambda x: np.sum(np.sqrt(3.0 + x) * WEIGHTS),
    "np.square": lambda x: np.sum(np.square(x) * WEIGHTS),
    "np.squeeze": lambda x: np.sum(np.squeeze(x.reshape(1, 6)) * x),
    "np.stack": lambda x: np.sum(np.stack((x, x * x)) ** 2),
    "np.std": lambda x: np.std(x) + np.sum(np.std(x.reshape(2, 3), axis=1)) + np.sum(np.std(x.reshape(2, 3), axis=0, ddof=1) ** 2),
    "np.subtract": lambda x: np.sum(np.subtract(x, x * x) * WEIGHTS),
    "np.sum": lambda x: np.sum(x) ** 2 + np.sum(np.sum(x.reshape(2, 3), axis=1, keepdims=True) ** 2),
    "np.take": lambda x: np.sum(np.take(x, [0, 3, 1, 2, 5, 0]) * x),
    "np.tan": lambda x: np.sum(np.tan(0.5 * x) * WEIGHTS),
    "np.tanh": lambda x: np.sum(np.tanh(x) * WEIGHTS),
    "np.tile": lambda x: np.sum(np.tile(x[:3], 2) * x),
    "np.trace": lambda x: np.trace(x.reshape(2, 3)) ** 2,
    "np.transpose": lambda x: np.sum(np.transpose(x.reshape(2, 3)) @ x.reshape(2, 3)),
    "np.trunc": lambda x: np.sum(np.trunc(x) * x),
    "np.var": lambda x: np.var(x) + np.sum(np.var(x.reshape(2, 3), axis=1) ** 2) + np.sum(np.var(x.reshape(2, 3), axis=0, ddof=1)),
    "np.vstack": lambda x: np.sum(np.vstack((x, x * x)) ** 2),
    "np.where": lambda x: np.sum(np.where(x > 0.5, x * x, -2.0 * x)),
    "np.zeros": lambda x: np.sum(np.zeros(6) + x * x),
    "np.zeros_like": lambda x: np.sum(np.zeros_like(x) + x * x),
}
OF_SCIPY: dict[str, Callable] = {
    "special.erf": lambda x: np.sum(special.erf(x) * WEIGHTS),
    "special.expit": lambda x: np.sum(special.expit(x) * WEIGHTS),
    "special.gammaln": lambda x: np.sum(special.gammaln(x) * WEIGHTS),
    "special.logsumexp": lambda x: special.logsumexp(x) ** 2,
    "special.softmax": lambda x: np.sum(special.softmax(x) * WEIGHTS),
}
OF_MATH: dict[str, Callable] = {
    "math.acos": lambda x: math.acos(0.4 * x[0]) + math.acos(0.4 * x[1]),
    "math.acosh": lambda x: math.acosh(3.0 + x[0]) * x[1],
    "math.asin": lambda x: math.asin(0.4 * x[0]) * x[1],
    "math.asinh": lambda x: math.asinh(x[0]) * x[1],
    "math.atan": lambda x: math.atan(x[0]) * x[1],
    "math.atan2": lambda x: math.atan2(x[0], x[1]) + math.atan2(x[4], x[1]),
    "math.atanh": lambda x: math.atanh(0.4 * x[0]) * x[1],
    "math.cbrt": lambda x: math.cbrt(x[0]) * math.cbrt(x[1]),
    "math.ceil": lambda x: math.ceil(x[0]) * x[1],
    "math.copysign": lambda x: math.copysign(x[0], x[1]) * x[2],
    "math.cos": lambda x: math.cos(x[0]) * x[1],
    "math.cosh": lambda x: math.cosh(x[0]) * x[1],
    "math.degrees": lambda x: math.degrees(x[0]) * x[1],
    "math.erf": lambda x: math.erf(x[0]) * x[1],
    "math.exp": lambda x: math.exp(x[0]) * x[1],
    "math.exp2": lambda x: math.exp2(x[0]) * x[1],
    "math.expm1": lambda x: math.expm1(x[0]) * x[1],
    "math.fabs": lambda x: math.fabs(x[1]) * x[0],
    "math.floor": lambda x: math.floor(x[0]) * x[1] + x[0],
    "math.fmod": lambda x: math.fmod(3.0 * x[2], x[0]) + math.fmod(3.0 * x[1], x[0]),
    "math.hypot": lambda x: math.hypot(x[0], x[1]) * x[2],
    "math.isfinite": lambda x: math.isfinite(x[0]) * x[1],
    "math.isinf": lambda x: (1.0 + math.isinf(x[0])) * x[1],
    "math.isnan": lambda x: (1.0 + math.isnan(x[0])) * x[1],
    "math.log": lambda x: math.log(x[0]) * x[1] + math.log(3.0 + x[1], 2.5 + x[0]),
    "math.log10": lambda x: math.log10(x[0]) * x[1],
    "math.log1p": lambda x: math.log1p(x[0]) * x[1],
    "math.log2": lambda x: math.log2(x[0]) * x[1],
    "math.pow": lambda x: math.pow(x[0], x[1]) + math.pow(x[1], 3.0),
    "math.radians": lambda x: math.radians(x[0]) * x[1],
    "math.sin": lambda x: math.sin(x[0]) * x[1],
    "math.sinh": lambda x: math.sinh(x[0]) * x[1],
    "math.sqrt": lambda x: math.sqrt(x[0]) * x[1],
    "math.tan": lambda x: math.tan(x[0]) * x[1],
    "math.tanh": lambda x: math.tanh(x[0]) * x[1],
    "math.trunc": lambda x: math.trunc(x[2]) * x[1],
}
OF_PYTHON: dict[str, Callable] = {
    "abs": lambda x: np.sum(abs(x) * WEIGHTS) + abs(x[1]) * x[0],
    "all": lambda x: np.sum(x) * all([True, True]),
    "any": lambda x: np.sum(x) * any([False, True]),
    "bool": lambda x: x[0] * bool(1),
    "divmod": lambda x: divmod(3.0 * x[2], x[0])[1] + divmod(3.0 * x[1], x[0])[1] * x[0],
    "enumerate": lambda x: sum([i * e * e for i, e in enumerate(x)]),
    "float": lambda x: float(x[0]) * x[1],
    "int": lambda x: int(x[2]) * x[1],
    "isinstance": lambda x: np.sum(x) if isinstance(x[0], float) else x[0],
    "len": lambda x: len(x) * x[0] * x[1],
    "list": lambda x: list((x[0], x[1]))[1] ** 2,
    "max": lambda x: max(x) ** 2 + max(x[0], x[1]) ** 3,
    "min": lambda x: min(x) ** 2 + min(x[0], x[1]) ** 3,
    "pow": lambda x: pow(x[0], x[1]) + pow(x[1], 2),
    "range": lambda x: sum([x[i] * x[i] for i in range(4)]),
    "reversed": lambda x: sum([e * e for e in reversed((x[0], x[1]))]),
    "round": lambda x: round(x[2]) * x[1],
    "sum": lambda x: sum(x) ** 2,
    "tuple": lambda x: tuple([x[0], x[1]])[1] ** 2,
    "zip": lambda x: sum([a * b for a, b in zip((x[0], x[1]), (x[2], x[3]))]),
}
FORMS: dict[str, Callable] = {
    "x[indices]": lambda x: np.sum(x[[2, 0, 2, 5]] ** 2) + np.sum(x[np.argsort(x)] * WEIGHTS),
    "einsum of a diagonal": lambda x: np.einsum("ii,i->", x[:4].reshape(2, 2), x[4:]) + np.einsum("ii->i", x[:4].reshape(2, 2))[1] ** 2,
    "an axis of one element": lambda x: np.sum((x.reshape(2, 3) - np.mean(x.reshape(2, 3), axis=0, keepdims=True)) ** 3 * x[0]),
    "a product with factors": lambda x: np.prod(np.sin(x) + 0.5 * x[0]) + np.sum(np.prod(x.reshape(2, 3) * x[:3], axis=1) ** 2),
    "** by **": lambda x: np.sum((1.5 + np.abs(x)) ** x) + x[0] ** x[1],
    "//": lambda x: np.sum((x // 0.31) * x) + (x[0] // x[2]) * x[1],
    "%": lambda x: np.sum((3.0 * x) % (0.53 + x[0])) + (x[1] % x[0]) * x[2],
}  # fmt: skip
CASES = {**FORMS, **OF_NUMPY, **OF_SCIPY, **OF_MATH, **OF_PYTHON}


def test_all_functions_of_the_page_have_a_case() -> None:
    names = set(CASES) - set(FORMS)
    assert names == listed()
    assert all(name.partition(".")[0] in ("np", "special", "math") or hasattr(builtins, name) for name in names)


def differences(python: Callable, point: np.ndarray) -> np.ndarray:
    """Derivatives by Richardson's extrapolation of central differences, whose error is of the fourth order."""

    def central(step: float) -> np.ndarray:
        units = step * np.eye(len(point))
        return np.array([(float(python(point + unit)) - float(python(point - unit))) / (2.0 * step) for unit in units])

    return (4.0 * central(1e-4) - central(2e-4)) / 3.0


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", CASES)
def test_derivatives_are_those_of_differences(name: str) -> None:
    python = CASES[name]
    found, loss = differentiated(module_of(python, 6, [(0, 6)]))(POINT, np.zeros(6))
    assert loss == pytest.approx(float(python(POINT)), rel=1e-12)
    expected = differences(python, POINT)
    np.testing.assert_allclose(found, expected, rtol=1e-8, atol=1e-8 * max(1.0, np.abs(expected).max()))
