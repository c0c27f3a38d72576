"""`compile(checked=True)` finds a NaN where NumPy makes one of numbers, and nowhere else: in all elementary functions, at their edges."""

import itertools
import linecache
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import cogir

pytestmark = pytest.mark.sampled(2)

ONE = (
    "sqrt exp expm1 log log2 log10 log1p sin cos tan sinh cosh tanh arcsin arccos arctan arcsinh arccosh arctanh absolute sign square"
    " reciprocal floor ceil trunc rint negative cbrt exp2 isnan isfinite isinf degrees radians nan_to_num"
).split()
TWO = (
    "add subtract multiply divide floor_divide remainder fmod maximum minimum fmax fmin equal less copysign arctan2 hypot logaddexp isclose"
    " allclose heaviside logical_and"
).split()
OF_ARRAYS = "sum mean std var prod max min linalg.norm argmax diff".split()
NUMBERS = [f"np.{name}(x)" for name in ONE] + [f"np.{name}(x, y)" for name in TWO]
IN_LIBRARY = ("np.percentile", "np.interp", "np.convolve")
"""Functions that are written in the subset; a fault is where they make it."""
ORDERED = "sort argsort median".split()
WRITTEN = [
    *NUMBERS,
    *(f"np.{name}(np.array([x, 1.0]))" for name in ONE),
    *(f"np.{name}(np.array([x, 1.0]), np.array([1.0, y]))" for name in TWO),
    *(f"np.{name}(np.array([x, y]))" for name in OF_ARRAYS),
    *(f"np.{name}(np.array([x, 1.0, y, 2.0]))" for name in ORDERED),
    *("np.percentile(np.array([x, y, 1.0]), 30.0)", "np.searchsorted(np.array([-1.0, 0.0, 2.0]), np.array([x, y]))"),
    *("np.interp(x, [-1.0, 0.0, 0.5], [1.0, 2.0, 2.0])", "np.interp(0.25, [0.0, 1.0], np.array([x, y]))"),
    *("np.einsum('i,i', np.array([x, y]), np.array([y, x]))", "np.convolve(np.array([x, y]), np.array([y, 1.0]))"),
    *("x + y", "x - y", "x * y", "x / y", "x % y", "x // y", "x ** y", "x ** 0.5", "max(x, y)", "np.clip(x, y, 2.0)", "math.fmod(x, y)"),
    *("np.array([x, y]) % np.array([y, x])", "np.array([x, y]) // np.array([y, x])", "np.dot(np.array([x, y]), np.array([y, x]))"),
]
VALUES = (-math.inf, -2.5, -1.0, -0.0, 0.0, 0.5, 2.0, 1e308, math.inf)


FILE = "<written>"


def function_of(expression: str) -> Callable[..., Any]:
    """A function of two numbers, which stands in line 2 of a file of that name."""
    source = f"def written(x: float, y: float) -> Value:\n    return np.array({expression}) * 1.0\n"
    linecache.cache[FILE] = (len(source), None, source.splitlines(keepends=True), FILE)
    names: dict[str, Any] = {"np": np, "math": math, "Value": cogir.library.Value}
    exec(compile(source, FILE, "exec"), names)
    return names["written"]


@pytest.mark.parametrize("expression", WRITTEN)
def test_a_fault_is_where_numpy_makes_a_nan(expression: str) -> None:
    function = function_of(expression)
    model = cogir.Model("written", seed=1)
    model.node("written", function, input=())
    compiled = model.compile(mode="python", checked=True)
    for x, y in itertools.product(VALUES, VALUES):
        try:
            with np.errstate(all="ignore"):
                is_nan = bool(np.isnan(function(np.float64(x), np.float64(y))).any())
        except ValueError:  # Python's own functions raise instead
            is_nan = True
        try:
            compiled.run(np.array([[x, y]]))
            fault = ""
        except cogir.ExecutionError as error:
            fault = str(error)
        assert bool(fault) == is_nan, (x, y)
        assert not fault or f"{FILE}:2: " in fault or (expression.startswith(IN_LIBRARY) and "cogir/library/numerics/" in fault)


@pytest.mark.parametrize("name", ["inv", "cholesky", "solve"])
def test_a_singular_matrix_is_a_fault(name: str) -> None:
    right = ", np.ones(2)" if name == "solve" else ""
    model = cogir.Model("written", seed=1)
    model.node("written", function_of(f"np.linalg.{name}(np.array([[x, y], [y, x]]){right})"), input=())
    for mode in ("python", "run"):
        compiled = model.compile(mode=mode, checked=True)
        for x, y in ((1.0, 1.0), (0.0, 0.0), (4.0, 4.0)):
            with pytest.raises(cogir.ExecutionError, match="is NaN; check the operands before"):
                compiled.run(np.array([[x, y]]))
        compiled.run(np.array([[2.0, 1.0]]))


@pytest.mark.parametrize(
    "expression",
    [
        "np.linalg.inv(np.array([[x, y], [y, 1.0]]))",
        "np.linalg.cholesky(np.array([[x, y], [y, 1.0]]))",
        "np.linalg.solve(np.array([[2.0, y], [1.0, 1.0]]), np.array([x, 1.0]))",
        "np.linalg.det(np.array([[x, y], [y, 1.0]]))",
        "np.percentile(np.array([y, 1.0, 2.0]), 1.0 + x)",
        "np.median(np.array([x, y])) + np.interp(x, [0.0, 1.0], [1.0, y])",
        "np.sort(np.array([x, 1.0, y]))",
    ],
)
@pytest.mark.parametrize("mode", ["python", "run"])
def test_a_nan_that_was_given_is_no_fault(expression: str, mode: str) -> None:
    model = cogir.Model("written", seed=1)
    model.node("written", function_of(expression), input=())
    found = model.compile(mode=mode, checked=True).run(np.array([[math.nan, 0.5]]))
    assert np.isnan(found.rows).any()


def test_a_quantile_out_of_range_is_a_fault() -> None:
    model = cogir.Model("written", seed=1)
    model.node("written", function_of("np.quantile(np.array([y, 1.0]), x)"), input=())
    compiled = model.compile(mode="python", checked=True)
    for x in (-0.5, 1.5):
        with pytest.raises(cogir.ExecutionError, match="0 / 0 is NaN"):
            compiled.run(np.array([[x, 2.0]]))
    assert compiled.run(np.array([[1.0, 2.0]])).rows.ravel().tolist() == [2.0]


def test_the_determinant_of_a_singular_matrix_is_no_fault() -> None:
    model = cogir.Model("written", seed=1)
    model.node("written", function_of("np.linalg.det(np.array([[x, y], [y, x]]))"), input=())
    compiled = model.compile(mode="python", checked=True)
    assert [float(compiled.run(np.array([[x, x]])).rows.ravel()[0]) for x in (0.0, 1.0, -3.0)] == [0.0, 0.0, 0.0]
