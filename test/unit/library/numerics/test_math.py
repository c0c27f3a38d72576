"""The portable math functions against mpmath (accuracy) and the C library (special values)."""

import ctypes
import itertools
import math
import random
import struct
from collections.abc import Callable, Iterator

import mpmath
import pytest

from cogir.library.numerics.libm import libm
from cogir.library.numerics.math import FUNCTIONS, SHORTER, SOURCES

REFERENCES: dict[str, Callable[..., mpmath.mpf]] = {
    **{name: getattr(mpmath, name) for name in FUNCTIONS if hasattr(mpmath, name)},
    "exp2": lambda x: mpmath.mpf(2) ** x,
    "log2": lambda x: mpmath.log(x) / mpmath.log(2),
    "pow": lambda x, y: x**y,
    "cbrt": lambda x: mpmath.sign(x) * mpmath.cbrt(abs(x)),
}
SPECIAL = (0.0, 0.5, 1.0, 2.0, 3.0, 1e17, 1e300, 5e-324, 1e-310, math.inf)


def uniform(low: float, high: float, count: int = 150) -> list[float]:
    source = random.Random(f"{low} {high}")
    return [source.uniform(low, high) for _ in range(count)]


def magnitudes(low: float, high: float, count: int = 150, signed: bool = True) -> list[float]:
    """Numbers whose logarithm is uniform."""
    source = random.Random(f"{low} {high} {signed}")
    logs = (source.uniform(math.log2(low), math.log2(high)) for _ in range(count))
    return [source.choice((-1.0, 1.0) if signed else (1.0,)) * 2.0**x for x in logs]


UNIT = [*uniform(-1.0, 1.0), *magnitudes(1e-300, 1.0)]
REAL = [*uniform(-10.0, 10.0), *magnitudes(1e-310, 1.7e308)]
POSITIVE = [*uniform(0.3, 3.0), *magnitudes(5e-324, 1.7e308, signed=False)]
HYPERBOLIC = [*uniform(-1.0, 1.0), *uniform(-708.0, 708.0), *magnitudes(1e-300, 1.0)]
ANGLES = [*uniform(-10.0, 10.0), *uniform(-3e8, 3e8), *magnitudes(1e-300, 1.7e308), *(k * math.pi / 2 for k in range(1, 99))]
POINTS: dict[str, list[float] | list[tuple[float, float]]] = {
    "acos": UNIT,
    "acosh": [*uniform(1.0, 3.0), *magnitudes(1.0, 1.7e308, signed=False)],
    "asin": UNIT,
    "asinh": REAL,
    "atan": REAL,
    "atan2": list(zip(REAL, reversed(REAL), strict=True)),
    "atanh": UNIT,
    "cbrt": REAL,
    "cos": ANGLES,
    "cosh": HYPERBOLIC,
    "erf": [*uniform(-6.0, 6.0), *magnitudes(1e-300, 1.0)],
    "erfc": [*uniform(-6.0, 26.5), *uniform(0.5, 1.0)],
    "exp": [*uniform(-1.0, 1.0), *uniform(-708.0, 709.0)],
    "exp2": [*uniform(-1.0, 1.0), *uniform(-1022.0, 1023.0)],
    "expm1": HYPERBOLIC,
    "log": POSITIVE,
    "log10": POSITIVE,
    "log1p": [*uniform(-0.9, 3.0), *magnitudes(5e-324, 0.9), *magnitudes(1.0, 1.7e308, signed=False)],
    "log2": POSITIVE,
    "pow": list(zip(POSITIVE[:150] * 2, [*uniform(-3.0, 3.0), *uniform(-500.0, 500.0)], strict=True)),
    "sin": ANGLES,
    "sinh": HYPERBOLIC,
    "tan": ANGLES,
    "tanh": [*uniform(-20.0, 20.0), *magnitudes(1e-300, 1.0)],
}


def ulps(value: float, exact: mpmath.mpf) -> float:
    return float(abs(mpmath.mpf(value) - exact) / math.ulp(float(exact)))


def same(a: float, b: float) -> bool:
    return struct.pack("d", a) == struct.pack("d", b) or (math.isnan(a) and math.isnan(b))


def test_every_function_has_points_and_a_reference() -> None:
    assert set(POINTS) == set(FUNCTIONS) == set(REFERENCES)


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_error_is_at_most_one_ulp(name: str) -> None:
    with mpmath.workprec(1300 if name in ("sin", "cos", "tan") else 160):
        for point in POINTS[name]:
            args = point if isinstance(point, tuple) else (point,)
            exact = REFERENCES[name](*map(mpmath.mpf, args))
            assert ulps(FUNCTIONS[name](*args), exact) <= 1.0, args


@pytest.mark.parametrize(("name", "short"), SHORTER.items())
def test_shorter_functions_are_a_little_less_accurate(name: str, short: str) -> None:
    with mpmath.workprec(160):
        worst = max(ulps(SOURCES[short](x), REFERENCES[name](mpmath.mpf(x))) for x in POINTS[name] if isinstance(x, float))
    assert 0.8 < worst <= 1.2


@pytest.mark.parametrize(("name", "definition"), [*zip(sorted(FUNCTIONS), sorted(FUNCTIONS), strict=True), *SHORTER.items()])
def test_special_values_are_those_of_c(name: str, definition: str) -> None:
    arity = 2 if name in ("atan2", "pow") else 1
    c_function = getattr(libm(), name)
    c_function.restype, c_function.argtypes = ctypes.c_double, (ctypes.c_double,) * arity
    values = [sign * x for x in SPECIAL for sign in (1.0, -1.0)]
    for args in itertools.product([*values, math.nan], repeat=arity):
        mine, theirs = SOURCES[definition](*args), c_function(*args)
        finite = math.isfinite(theirs) and theirs != 0.0 and mine != 0.0
        close = finite and math.copysign(1.0, mine) == math.copysign(1.0, theirs) and abs(mine - theirs) <= 2 * math.ulp(theirs)
        assert close or same(mine, theirs), (args, mine, theirs)


@pytest.mark.parametrize("name", ["exp", "exp2", "exp_fast"])
def test_subnormal_results_are_kept(name: str) -> None:
    low = -1074.0 if name == "exp2" else -745.0
    for x in uniform(low, low * 0.951):
        with mpmath.workprec(160):
            exact = REFERENCES[name.removesuffix("_fast")](mpmath.mpf(x))
        assert 0.0 < SOURCES[name](x) < 2.3e-307
        assert ulps(SOURCES[name](x), exact) <= (1.2 if name == "exp_fast" else 1.0)


def exact_cases() -> Iterator[tuple[float, float]]:
    for k in range(-1074, 1024, 7):
        yield FUNCTIONS["log2"](math.ldexp(1.0, k)), float(k)
        yield FUNCTIONS["exp2"](float(k)), math.ldexp(1.0, k)
    for k in range(23):
        yield FUNCTIONS["log10"](10.0**k), float(k)
        yield FUNCTIONS["pow"](3.0, float(k)), 3.0**k
        yield FUNCTIONS["cbrt"](float(k**3)), float(k)


def test_exact_results_are_exact() -> None:
    for mine, exact in exact_cases():
        assert mine == exact


def test_hardest_argument_of_reduction() -> None:
    """The double nearest to a multiple of pi/2 (Muller, Elementary Functions, table 11.1)."""
    worst = math.ldexp(6381956970095103, 797)
    with mpmath.workprec(1300):
        assert ulps(FUNCTIONS["cos"](worst), mpmath.cos(mpmath.mpf(worst))) <= 1.0
    assert abs(FUNCTIONS["cos"](worst)) < 1e-18
