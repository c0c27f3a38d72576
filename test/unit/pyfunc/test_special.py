"""The functions of `scipy.special` in the subset: their accuracy, SciPy's numbers, and how they are recognised."""

# pyright: basic
import math
import sys
from types import ModuleType

import numpy as np
import pytest
from support.pyfunc import check, check_native, compiled_results

from cogir.errors import FunctionError
from cogir.library.numerics.special import expit, gammaln

special = pytest.importorskip("scipy.special", reason="compares with SciPy, which is not installed")

EDGES = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -1.0, 1e-300, -1e-300, 700.0, -700.0, -750.0, 800.0, 0.5, -0.5, 2.0])


def numbers(shape) -> np.ndarray:
    return np.random.default_rng(2).normal(size=shape) * 3.0


@pytest.mark.parametrize("values", [EDGES, numbers(1), numbers((2, 3)), np.array([3, -4, 7]), np.array([True, False]), 0.75, 2], ids=str)
def test_elementwise_functions(values) -> None:
    functions = lambda x: (special.expit(x), special.erf(x))  # noqa: E731
    check(functions, values, tolerance=1e-15)
    check_native(lambda x: (special.expit(x), special.erf(x), special.gammaln(x)), values)


def test_expit_loses_no_small_results() -> None:
    """SciPy's has 0 below -709.8; compared with `exp(x)`, from which it does not differ there."""
    x = np.linspace(-744.0, -710.0, 50)
    (found,) = compiled_results(lambda x: special.expit(x), x)
    np.testing.assert_array_equal(found, compiled_results(lambda x: np.exp(x), x)[0])
    x = np.linspace(-700.0, 700.0, 2001)
    np.testing.assert_allclose(expit(x), special.expit(x), rtol=4e-16)


def test_gammaln_of_positive_numbers() -> None:
    """`math.lgamma` is good to a few ulp; near its zeros at 1 and 2 it loses digits, so there the error is absolute."""
    rng = np.random.default_rng(0)
    for low, high in ((0.0, 0.5), (0.5, 1.5), (1.5, 2.5), (2.5, 8.0), (8.0, 100.0), (100.0, 1e6), (1e6, 1e300)):
        x = rng.uniform(low, high, 400)
        (found,) = compiled_results(lambda x: special.gammaln(x), x)
        np.testing.assert_allclose(found, gammaln(x), rtol=2e-15, atol=1e-15)  # NumPy's logarithm is another
        np.testing.assert_allclose(found, [math.lgamma(each) for each in x], rtol=2e-15, atol=2e-15)
        np.testing.assert_allclose(found, special.gammaln(x), rtol=1e-14, atol=1e-15)


EXACT = {
    1.0009765625: -0.0005629031799912047,
    0.9990234375: 0.0005644719118551234,
    2.0009765625: 0.00041318279306425424,
    1.999755859375: -0.00010319961029799209,
    1.4616321449683622: -0.12148629053584961,
    0.03125: 3.4484891277979584,
}
"""Values to 17 digits, from arithmetic with 50 digits."""


@pytest.mark.parametrize("x", EXACT)
def test_gammaln_near_its_zeros(x: float) -> None:
    assert float(gammaln(np.float64(x))) == pytest.approx(EXACT[x], rel=1e-15, abs=0.0)


def test_gammaln_of_negative_numbers() -> None:
    rng = np.random.default_rng(1)
    for low, high in ((-0.5, 0.0), (-10.0, 0.0), (-170.0, -10.0), (-1e6, -100.0)):
        x = rng.uniform(low, high, 400)
        (found,) = compiled_results(lambda x: special.gammaln(x), x)
        np.testing.assert_allclose(found, special.gammaln(x), rtol=1e-14, atol=1e-14)


def test_gammaln_at_its_poles_and_ends() -> None:
    x = np.array([0.0, -0.0, -1.0, -2.0, -1e16, -1e300, np.inf, -np.inf, np.nan, 1.0, 2.0, 1e308, 1e-300, -1e-300])
    (found,) = compiled_results(lambda x: special.gammaln(x), x)
    np.testing.assert_array_equal(np.isfinite(found), np.isfinite(special.gammaln(x)))
    np.testing.assert_array_equal(found[np.isinf(found)], special.gammaln(x)[np.isinf(found)])
    assert found[9] == found[10] == 0.0
    assert found[12] == found[13] == pytest.approx(300 * math.log(10.0), rel=1e-15)
    # The smallest double: -log(x), where SciPy has infinity.
    assert float(gammaln(np.float64(5e-324))) == pytest.approx(744.4400719213812, rel=1e-15)


@pytest.mark.parametrize("shape", [(1,), (5,), (3, 4), (2, 1, 3)], ids=str)
def test_logsumexp_and_softmax(shape: tuple[int, ...]) -> None:
    def functions(x):
        sums = special.logsumexp(x), special.logsumexp(x, axis=0), special.logsumexp(x, axis=-1, keepdims=True)
        return *sums, special.softmax(x), special.softmax(x, axis=0), special.softmax(x, axis=-1)

    check(functions, numbers(shape) * 100.0, tolerance=2e-15)
    check_native(functions, numbers(shape))
    check(functions, np.arange(math.prod(shape)).reshape(shape), tolerance=2e-15)
    if len(shape) == 3:
        check(lambda x: (special.logsumexp(x, axis=(0, 2)), special.softmax(x, axis=(0, 2))), numbers(shape), tolerance=2e-15)


def test_logsumexp_of_infinite_elements() -> None:
    for values in ([-np.inf, -np.inf], [np.inf, 1.0], [-np.inf, 2.0], [np.nan, 1.0], [800.0, 800.0], [np.inf, -np.inf]):
        (found,) = compiled_results(lambda x: special.logsumexp(x), np.array(values))
        np.testing.assert_allclose(found, special.logsumexp(values), rtol=1e-15)


def test_of_a_number() -> None:
    check(lambda x: (special.logsumexp(x), special.softmax(x)), 0.3)


def test_every_way_to_refer_to_them() -> None:
    from functools import partial

    import scipy
    from scipy.special import expit as renamed
    from scipy.special import softmax

    rows = partial(softmax, axis=1)
    both = lambda x: (renamed(x), scipy.special.expit(x), special.expit(x), rows(x))  # noqa: E731
    check(both, numbers((2, 3)), tolerance=1e-15)


def test_without_scipy_nothing_is_taken_for_it(monkeypatch) -> None:
    """The module is looked up among the imported ones, and never imported."""
    function = special.expit
    monkeypatch.delitem(sys.modules, "scipy.special")
    with pytest.raises(FunctionError, match="expit is not in the subset"):
        compiled_results(lambda x: function(x), 1.0)
    assert "scipy.special" not in sys.modules
    monkeypatch.setitem(sys.modules, "scipy.special", ModuleType("scipy.special"))
    with pytest.raises(FunctionError, match="expit is not in the subset"):
        compiled_results(lambda x: function(x), 1.0)


ERRORS = {
    "another": (lambda x: special.digamma(x), "of scipy.special, erf, expit, gammaln, logsumexp, softmax are"),
    "a Python function": (lambda x: special.log_softmax(x), "scipy.special.log_softmax is not in the subset; of scipy.special, erf"),
    "weights": (lambda x: special.logsumexp(x, b=x), r"write logsumexp\(a \+ np.log\(b\)\)"),
    "sign": (lambda x: special.logsumexp(x, return_sign=True), "return_sign is not in the subset"),
    "out": (lambda x: special.expit(x, out=x), r"it takes \(x\) here"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors_say_what_to_write(name: str) -> None:
    function, message = ERRORS[name]
    with pytest.raises(FunctionError, match=message):
        compiled_results(function, np.ones(3))
