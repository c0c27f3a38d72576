"""Sorting, searching, order statistics, interpolation and convolution give NumPy's numbers, interpreted and as machine code."""

# pyright: basic
import itertools

import numpy as np
import pytest
from support.long import long
from support.pyfunc import check, check_native, compiled_results

from cogir.errors import FunctionError

pytestmark = pytest.mark.sampled(3)

SIZES = [1, 2, 5, 17]


def numbers(rng: np.random.Generator, size, kind: str) -> np.ndarray:
    """Random elements, many of them equal; floats with NaN, infinities and both zeros among them."""
    match kind:
        case "bool":
            return rng.random(size) < 0.5
        case "int":
            return rng.integers(-5, 6, size)
        case "finite":
            return np.round(rng.normal(size=size), 1)
        case _:
            special = rng.choice(np.array([np.nan, np.inf, -np.inf, 0.0, -0.0]), size)
            return np.where(rng.random(size) < 0.3, special, np.round(rng.normal(size=size), 1))


def both(function, *inputs, tolerance=0.0) -> None:
    """NumPy's numbers, and the same bits from machine code."""
    check(function, *inputs, tolerance=tolerance, native=True)


@pytest.mark.parametrize("kind", ["float", "int", "bool"])
@pytest.mark.parametrize("size", SIZES)
def test_sort_and_argsort(size: int, kind: str) -> None:
    def ordered(x):
        return np.sort(x), np.argsort(x, kind="stable"), x.argsort(stable=True)

    both(ordered, numbers(np.random.default_rng(size), size, kind))


@pytest.mark.parametrize("kind", ["float", "int", "bool"])
@pytest.mark.parametrize("shape", [(1, 1), (3, 4), (2, 3, 4)], ids=str)
def test_sort_along_axes(shape: tuple[int, ...], kind: str) -> None:
    def ordered(x):
        first = np.sort(x, axis=0), np.argsort(x, axis=0, kind="stable"), np.sort(x, axis=None), np.argsort(x, None, "stable")
        return (*first, np.sort(x), np.sort(x, axis=-2), np.argsort(x, axis=-1, kind="mergesort"))

    both(ordered, numbers(np.random.default_rng(sum(shape)), shape, kind))


def test_equal_elements_keep_their_order() -> None:
    """All 300 elements are 0, 1 or NaN."""
    values = np.random.default_rng(3).choice(np.array([0.0, 1.0, np.nan]), 300)
    (found,) = check(lambda x: np.argsort(x, stable=True), values, tolerance=0.0)
    assert all(a < b for a, b in itertools.pairwise(found) if values[a] == values[b])
    (found,) = compiled_results(lambda x: np.argsort(x), values)
    assert np.array_equal(found, np.argsort(values, kind="stable"))


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("kind", ["float", "int", "bool"])
@pytest.mark.parametrize("size", SIZES)
def test_searchsorted(size: int, kind: str, side: str) -> None:
    rng = np.random.default_rng(size)
    ordered = np.sort(numbers(rng, size, kind))
    wanted = np.concatenate([ordered, numbers(rng, 9, "float")]) if kind == "float" else np.concatenate([ordered, [-9, 9, 0]])
    place = (lambda a, v: np.searchsorted(a, v)) if side == "left" else (lambda a, v: a.searchsorted(v, side="right"))
    both(place, ordered, wanted)
    both(place, ordered, wanted[:1].item())
    both(place, ordered, np.resize(wanted, (2, 3)))
    both(place, ordered, 0.5)


@pytest.mark.parametrize("kind", ["float", *long("finite", "int"), "bool"])
@pytest.mark.parametrize("shape", [(1,), (6,), (5, 1), (2, 3, 4)], ids=str)
def test_median(shape: tuple[int, ...], kind: str) -> None:
    values = numbers(np.random.default_rng(len(shape)), shape, kind)
    both(lambda x: (np.median(x), np.median(x, axis=0), np.median(x, axis=-1, keepdims=True)), values)
    if len(shape) == 3:
        both(lambda x: (np.median(x, axis=(0, 2)), np.median(x, axis=(-1, 1), keepdims=True)), values)


@pytest.mark.parametrize("kind", [*long("finite"), "float", *long("int")])
@pytest.mark.parametrize("shape", [(1,), (6,), (5, 1), (2, 3, 4)], ids=str)
def test_percentile(shape: tuple[int, ...], kind: str) -> None:
    values = numbers(np.random.default_rng(len(shape) + 10), shape, kind)
    both(lambda x: (np.percentile(x, 37.5), np.percentile(x, [0, 100, 12.5, 90], axis=0), np.quantile(x, 0.9, keepdims=True)), values)
    both(lambda x, q: (np.percentile(x, q, axis=-1), np.quantile(x, q / 100.0)), values, np.array([3.0, 50.0, 99.5]))
    both(lambda x, q: (np.percentile(x, q), np.percentile(x, q, axis=0, method="linear", keepdims=True)), values, 61.8)


def test_percentiles_of_infinite_elements_are_numpys() -> None:
    for values in ([1.0, np.inf, np.inf], [-np.inf, np.inf], [-np.inf, 1.0]):
        with np.errstate(all="ignore"):
            expected = np.percentile(values, [0.0, 10.0, 50.0, 75.0, 100.0])
        (found,) = compiled_results(lambda x: np.percentile(x, [0.0, 10.0, 50.0, 75.0, 100.0]), np.array(values))
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("q", [-1.0, 100.5, np.nan])
def test_a_percentile_out_of_range_is_nan(q: float) -> None:
    (found,) = compiled_results(lambda x, q: np.percentile(x, q), np.array([1.0, 2.0]), q)
    assert np.isnan(found)
    check_native(lambda x, q: np.percentile(x, q), np.array([1.0, 2.0]), q)


@pytest.mark.parametrize("size", SIZES)
def test_interp(size: int) -> None:
    rng = np.random.default_rng(size)
    points = np.sort(rng.normal(size=size)) + np.arange(size) * 0.1
    values = rng.normal(size=size)
    x = np.concatenate([points, rng.normal(size=20) * 2.0, [np.nan, np.inf, -np.inf, 0.0, -1e300, 1e300]])
    both(lambda x, xp, fp: np.interp(x, xp, fp), x, points, values)
    both(lambda x, xp, fp: np.interp(x, xp, fp, left=-7.0, right=np.nan), x, points, values)
    both(lambda x, xp, fp: (np.interp(x, xp, fp, 1), np.interp(2, xp, fp), np.interp(x[0], xp, fp)), x, points, values)
    both(lambda x: np.interp(x.reshape(2, -1), [0, 1, 3], [1, 2, 2]), x[: len(x) // 2 * 2])


def test_interp_at_jumps_and_infinite_values() -> None:
    """Two points at one place, and infinite values of points."""
    x = np.array([-1.0, 0.0, 0.5, 1.0, 1.5, 2.0, 3.0])
    for values in ([0.0, 1.0, 5.0, 6.0], [np.inf, 1.0, 2.0, -np.inf], [np.inf, np.inf, 1.0, 1.0]):
        fp = np.array(values)
        (found,) = compiled_results(lambda x, fp: np.interp(x, [0.0, 1.0, 1.0, 2.0], fp), x, fp)
        with np.errstate(all="ignore"):
            np.testing.assert_array_equal(found, np.interp(x, [0.0, 1.0, 1.0, 2.0], fp))


@pytest.mark.parametrize("kind", ["finite", "int", "bool"])
@pytest.mark.parametrize("sizes", [(1, 1), (1, 4), (5, 3), (4, 9)], ids=str)
def test_convolve(sizes: tuple[int, int], kind: str) -> None:
    rng = np.random.default_rng(sum(sizes))
    a, v = (numbers(rng, size, kind) for size in sizes)
    # NumPy may sum the products in another order.
    tolerance = 1e-14 if kind == "finite" else 0.0
    both(lambda a, v: (np.convolve(a, v), np.convolve(a, v, "same"), np.convolve(a, v, mode="valid")), a, v, tolerance=tolerance)


def test_convolve_keeps_infinities_apart() -> None:
    both(lambda a: np.convolve(a, [1.0, 2.0, 0.5]), np.array([1.0, np.inf, 3.0, 4.0, 5.0, np.nan, 1.0]))


def test_float32_stays_float32() -> None:
    table = np.array([0.5, -1.25, 3.0, 2.0], np.float32)

    def functions(x):
        y = table * np.float32(1.0)
        ok = np.sort(y).dtype == np.float32 and np.median(y).dtype == np.float32 and np.convolve(y, y).dtype == np.float32
        return np.sort(y).astype(float) + x, float(np.median(y)), ok

    found = compiled_results(functions, 0.0)
    assert found[0].tolist() == [-1.25, 0.5, 2.0, 3.0]
    assert found[1:] == (1.25, True)


ERRORS = {
    "order": (lambda x: np.sort(x, kind="merge"), "kind is 'quicksort', 'heapsort', 'mergesort' or 'stable', not 'merge'"),
    "two axes": (lambda x: np.sort(x, axis=(0, 1)), "sorts along one axis"),
    "axis": (lambda x: np.sort(x, axis=2), "axis 2 is not an axis"),
    "number": (lambda x: np.sort(x[0, 0]), "np.sort takes an array, not a number"),
    "in place": (lambda x: x.sort(), r"write x = np.sort\(x\)"),
    "sorter": (lambda x: np.searchsorted(x[0], 1.0, sorter=[0]), "it takes"),
    "matrix": (lambda x: np.searchsorted(x, 1.0), "for loop over the rows"),
    "side": (lambda x: np.searchsorted(x[0], 1.0, side="middle"), "side is 'left' or 'right'"),
    "method": (lambda x: np.percentile(x, 5, method="nearest"), "only 'linear'; sort with np.sort"),
    "truth values": (lambda x: np.percentile(x > 0, 5), r"write x.astype\(float\)"),
    "q": (lambda x: np.percentile(x, [5, 101]), "give numbers from 0 to 100"),
    "fraction": (lambda x: np.quantile(x, 5), "give numbers from 0 to 1"),
    "q of two axes": (lambda x: np.percentile(x, np.abs(x)), "q is a number or an array of one axis"),
    "period": (lambda x: np.interp(x, [0, 1], [0, 1], period=1.0), "x % period"),
    "points": (lambda x: np.interp(x, [0, 1], [0, 1, 2]), "arrays of one axis and one length"),
    "left": (lambda x: np.interp(x, [0, 1], [0, 1], left=x), "left and right are numbers"),
    "rows": (lambda x: np.convolve(x, x), "for loop over the rows"),
    "mode": (lambda x: np.convolve(x[0], x[0], "all"), "'full', 'same' or 'valid'"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors_say_what_to_write(name: str) -> None:
    function, message = ERRORS[name]
    with pytest.raises(FunctionError, match=message):
        compiled_results(function, np.ones((2, 2)))
