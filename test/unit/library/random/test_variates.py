"""Draws from distributions: bit-equal to NumPy's for NumPy's kinds, of the right distribution for the others; native as interpreted."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np
import pytest
import support.pyfunc
from scipy import stats
from support.long import long_but
from support.native import call
from support.pyfunc import check, compiled_results, native_results
from xdsl.dialects import func

import cogir
from cogir.backend.jit import CompiledCode, compile_module
from cogir.dialects.rng import DISTRIBUTIONS
from cogir.dialects.text import CogParser, make_context
from cogir.interpreters.levels import run_function
from cogir.library import Random
from cogir.library.random.generators import WORDS, Stream, initial_words, pack, unpack
from cogir.library.random.variates import LARGEST_MEAN, VARIATES
from cogir.lowering.pipeline import PASSES, lower_to

pytestmark = pytest.mark.sampled(4)

NUMPYS = ("mt19937", "philox4x64")
OTHERS = ("xoshiro256",)
QUICK = long_but(WORDS, ["mt19937", "xoshiro256"])
ROAD = ("bufferize", "expand-rng", "expand-math", "convert-linalg-to-loops", "convert-scf-to-cf", "convert-to-llvm")
CHUNK = 2000

REGIMES: dict[str, Sequence[tuple[float | int, ...]]] = {
    "exponential": [()],
    "gamma": [(0.0,), (0.001,), (0.1,), (0.5,), (0.999,), (1.0,), (1.0001,), (3.0,), (250.0,)],
    "beta": [(1.0, 1.0), (0.5, 0.5), (0.02, 0.9), (0.001, 0.002), (1e-200, 1e-180), (2.0, 3.0), (0.5, 2.0), (30.0, 1.0), (1e-3, 1e3)],
    "lognormal": [(0.0, 1.0), (-2.5, 0.3), (1.0, 0.0), (0.0, 300.0)],
    "binomial": [
        *[(0, 0.5), (5, 0.0), (5, 1.0), (1, 0.5), (10, 0.3), (10, 0.8), (100, 0.1), (60, 0.5), (62, 0.5)],
        *[(100, 0.45), (1000, 0.45), (1000, 0.9), (10**6, 0.3), (10**9, 0.01), (10**9, 2e-8), (10**12, 0.999)],
    ],
    "poisson": [(0.0,), (1e-20,), (0.5,), (5.0,), (9.999,), (10.0,), (12.5,), (100.0,), (1e6,), (1e15,)],
    "geometric": [(1.0,), (0.5,), (1 / 3,), (0.34,), (0.333,), (0.01,), (1e-10,), (1e-17,), (1e-300,)],
}
"""Parameters on both sides of each choice between algorithms."""
CASES = [(name, parameters) for name, many in REGIMES.items() for parameters in many]
NAMED = {"exponential": "standard_exponential", "gamma": "standard_gamma"}
"""Distributions that have other names in NumPy, where `scale` is 1."""


def function(kind: str, name: str, chunk: int) -> str:
    """A function that draws `chunk` numbers."""
    types, number = DISTRIBUTIONS[name]
    arguments = "".join(f", %p{i}: {type}" for i, type in enumerate(types))
    names, listed = ", ".join(f"%p{i}" for i in range(len(types))), ", ".join(map(str, types))
    state, tensor = f"!rng.state<{kind}>", f"tensor<{chunk}x{number}>"
    return f"""
      func.func @{name}(%r: {state}{arguments}) -> ({tensor}, {state}) {{
        %v, %s = rng.sample "{name}" %r({names}) : {state}, ({listed}) -> {tensor}
        func.return %v, %s : {tensor}, {state}
      }}"""


@cache
def compiled(kind: str, chunk: int) -> CompiledCode:
    context = make_context()
    module = CogParser(context, "".join(function(kind, name, chunk) for name in DISTRIBUTIONS)).parse_module()
    for name in ROAD:
        PASSES[name]().apply(context, module)
    return compile_module(module)


def native(kind: str, name: str, parameters: Sequence[float | int], words: Any, chunk: int = CHUNK) -> Any:
    """Numbers from machine code; `words` are moved on."""
    numbers = np.zeros(chunk, np.int64 if str(DISTRIBUTIONS[name][1]) == "i64" else np.float64)
    call(compiled(kind, chunk), name, [words, *parameters, numbers])
    return numbers


def same(found: Any, expected: Any) -> bool:
    return np.asarray(found).tobytes() == np.asarray(expected).tobytes()


def assert_numpys(kind: str, name: str, parameters: Sequence[float | int], seed: int, chunk: int) -> None:
    words = initial_words(kind, seed)
    source: Any = unpack(kind, words)
    found = native(kind, name, parameters, words, chunk)
    expected = getattr(source, NAMED.get(name, name))(*parameters, size=chunk)
    assert same(found, expected), (kind, name, parameters, np.flatnonzero(found != expected)[:5])
    np.testing.assert_array_equal(words, pack(source))


@pytest.mark.parametrize("kind", NUMPYS)
@pytest.mark.parametrize(("name", "parameters"), CASES, ids=str)
def test_machine_code_draws_what_numpy_draws(kind: str, name: str, parameters: Sequence[float | int]) -> None:
    assert_numpys(kind, name, parameters, 42, CHUNK)


@pytest.mark.full
@pytest.mark.parametrize("seed", [0, 7, 2**32 - 1])
@pytest.mark.parametrize("kind", NUMPYS)
@pytest.mark.parametrize(("name", "parameters"), CASES, ids=str)
def test_a_hundred_thousand_draws_are_numpys(kind: str, name: str, parameters: Sequence[float | int], seed: int) -> None:
    assert_numpys(kind, name, parameters, seed, 100_000)


@pytest.mark.parametrize("kind", QUICK)
@pytest.mark.parametrize(("name", "parameters"), CASES, ids=str)
def test_bodies_as_python_and_machine_code_draw_the_same(kind: str, name: str, parameters: Sequence[float | int]) -> None:
    """For the kinds without a counterpart in NumPy, the interpreter runs the bodies."""
    words = initial_words(kind, 3)
    found = native(kind, name, parameters, native_words := words.copy())[:100]
    for number in found.tolist():
        value, words = VARIATES[kind, name](words, *parameters)
        assert same(value, number)
    interpreted = Stream(kind, initial_words(kind, 3))
    assert same(interpreted.sample(name, (CHUNK,), *parameters)[:100], found)
    np.testing.assert_array_equal(interpreted.words, native_words)


OUT_OF_RANGE: list[tuple[str, tuple[float | int, ...]]] = [
    ("gamma", (-0.5,)),
    ("gamma", (np.nan,)),
    ("beta", (0.0, 1.0)),
    ("beta", (2.0, -1.0)),
    ("beta", (np.nan, 1.0)),
    ("lognormal", (0.0, -1.0)),
    ("lognormal", (0.0, np.nan)),
    ("binomial", (-1, 0.5)),
    ("binomial", (0, 1.5)),
    ("binomial", (-2, 0.0)),
    ("binomial", (5, np.nan)),
    ("binomial", (5, -0.1)),
    ("poisson", (-1.0,)),
    ("poisson", (np.nan,)),
    ("poisson", (2 * LARGEST_MEAN,)),
    ("geometric", (0.0,)),
    ("geometric", (1.5,)),
    ("geometric", (np.nan,)),
]


@pytest.mark.parametrize("kind", WORDS)
@pytest.mark.parametrize(("name", "parameters"), OUT_OF_RANGE, ids=str)
def test_parameters_out_of_range_draw_nothing(kind: str, name: str, parameters: Sequence[float | int]) -> None:
    module = CogParser(make_context(), function(kind, name, 3)).parse_module()
    before = initial_words(kind, 3)
    interpreted, interpreted_words = run_function(module, name, [before.copy(), *parameters])
    words = before.copy()
    for numbers, after in ((native(kind, name, parameters, words), words), (interpreted, interpreted_words)):
        assert np.all(numbers == -1) if numbers.dtype == np.int64 else np.all(np.isnan(numbers))
        np.testing.assert_array_equal(after, before)


# As methods of a generator


def mixed(random: Any, x: Any) -> Iterator[Any]:
    """Draws of all sorts, between which the kept normal and the kept 32 bits must not be lost."""
    yield random.normal()
    yield random.gamma([0.5, 1.0, 3.0], 2.0, (2, 3))
    yield random.choice(7, 3)
    yield random.choice(7)
    yield random.normal()
    yield random.permutation(9)
    yield random.choice(x, (2, 2))
    yield random.exponential(3.0, 4)
    yield random.categorical([0.2, 0.3, 0.5], 4)
    yield random.choice(x, p=np.array([0.125, 0.25, 0.125, 0.5]))
    yield random.normal(3)
    yield random.permutation(np.outer(x, x))
    yield random.choice(30, 5, replace=False)
    yield random.choice(x, 4, replace=False)
    yield random.choice(9, replace=False)
    yield random.binomial([3, 200], 0.4)
    yield random.lognormal(1.0, 0.5)
    yield random.uniform()
    yield random.poisson([1.0, 20.0])
    yield random.geometric(0.2, 3)
    yield random.beta(0.5, 0.25)
    y = x.copy()
    random.shuffle(y)
    yield y
    yield random.beta([2.0, 0.5], 3.0)
    yield random.normal()


class Renamed:
    """NumPy's generator under the names of cogir's methods."""

    def __init__(self, source: Any):
        self.source = source

    def __getattr__(self, name: str) -> Any:
        return getattr(self.source, name)

    def normal(self, *size: Any) -> Any:
        return self.source.standard_normal(*size)

    def uniform(self) -> float:
        return float(self.source.random())

    def categorical(self, p: Any, size: Any) -> Any:
        return self.source.choice(len(p), size, p=p)


X = np.array([1.5, -2.0, 4.0, 0.25])


@pytest.mark.parametrize("kind", NUMPYS)
def test_mixed_draws_are_numpys(kind: str) -> None:
    stream, source = cogir.random(5, kind), Renamed(unpack(kind, initial_words(kind, 5)))
    for _ in range(40):
        for position, (found, expected) in enumerate(zip(mixed(stream, X), mixed(source, X), strict=True)):
            assert same(found, expected), position
    for n, count in ((12_000, 400), (20_000, 10), (10_001, 10_001)):
        assert same(stream.choice(n, count, replace=False), source.choice(n, count, replace=False))
    np.testing.assert_array_equal(stream.words, pack(source.source))


def drawing(x: Any, *, shape: Any = 2.0, n: Any = 5, p: Any = (0.125, 0.25, 0.125, 0.5), random: Random) -> Any:
    a = random.normal()
    b = random.gamma(shape, 0.5, x.shape)
    c = random.gamma([0.5, 1.0, 3.0], shape, (2, 3))
    d = random.exponential(3.0)
    e = random.exponential(x * x, (2, 4))
    f = random.beta(0.5, 0.25) + random.beta(shape, [1.0, 2.0])
    g = random.binomial(n, 0.5) + random.binomial([3, 200], 0.4)
    h = random.poisson(x * x)
    i = random.geometric(0.25, size=(2, 2))
    j = random.lognormal(0.0, shape, 2)
    k = random.truncated_normal(0.5, 1.5, size=4)
    m = random.truncated_normal(-x * x, x * x + 1.0)
    return a, b, c, d, e, f, g, h, i, j, k, m, random.uniform()


def choosing(x: Any, *, n: Any = 5, p: Any = (0.125, 0.25, 0.125, 0.5), random: Random) -> Any:
    a = random.categorical(p)
    b = random.categorical([0.25, 0.5, 0.25], (2, 3))
    c = random.choice(n)
    d = random.choice(7, (2, 2))
    e = random.choice(x, 4)
    f = random.choice(x, p=p)
    g = random.choice(x, 2, replace=False)
    h = random.choice(9, replace=False)
    i = random.permutation(8)
    j = random.permutation(np.outer(x, x))
    y = x * 2.0
    if x[0] > 0.0:
        random.shuffle(y)
    k = random.choice(30, (2, 2), replace=False)
    return a, b, c, d, e, f, g, h, i, j, y, k, random.normal()


@pytest.mark.parametrize("kind", QUICK)
@pytest.mark.parametrize("function", [drawing, choosing])
def test_compiled_draws_are_pythons(function: Callable[..., Any], kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(support.pyfunc, "GENERATOR", kind)
    given = {"p": np.array([0.125, 0.25, 0.125, 0.5])}
    check(function, X, **given, native=True)


def unlikely(*, scale: Any = 1.0, p: Any = 0.5, random: Random) -> Any:
    weights = np.array([0.5, 0.25, 0.25]) * p * 2.0
    return (
        random.exponential(scale, 2),
        random.gamma(1.5, scale),
        random.lognormal(0.0, scale),
        random.binomial(4, p),
        random.categorical(weights, 2),
        random.truncated_normal(scale, scale),
        random.truncated_normal(0.0, 1.0, sigma=scale, size=2),
        random.truncated_normal(50.0, 60.0),
    )


@pytest.mark.parametrize("kind", WORDS)
def test_run_time_parameters_out_of_range_give_nan_and_minus_one(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(support.pyfunc, "GENERATOR", kind)
    for results in (compiled_results(unlikely, scale=-1.0, p=1.25), native_results(unlikely, scale=-1.0, p=1.25)):
        exponential, gamma, lognormal, binomial, categorical, empty, sigma, far = results[:8]
        for value in (exponential, gamma, lognormal, empty, sigma, far):
            assert np.all(np.isnan(value))
        assert binomial == -1
        assert np.all(np.asarray(categorical) == -1)


# Distributions of the kinds that NumPy does not have

FALSE_ALARM = 1e-6
"""The probability that a right generator fails one of these tests, for a seed chosen at random."""
DISTRIBUTED: list[tuple[str, tuple[Any, ...], Any]] = [
    ("exponential", (2.0,), stats.expon(scale=2.0)),
    ("gamma", (0.3, 2.0), stats.gamma(0.3, scale=2.0)),
    ("gamma", (1.0, 0.5), stats.gamma(1.0, scale=0.5)),
    ("gamma", (7.5, 1.0), stats.gamma(7.5)),
    ("beta", (0.5, 0.25), stats.beta(0.5, 0.25)),
    ("beta", (2.0, 3.5), stats.beta(2.0, 3.5)),
    ("lognormal", (0.5, 0.75), stats.lognorm(0.75, scale=np.exp(0.5))),
    ("truncated_normal", (-1.0, 2.0, 0.5, 1.5), stats.truncnorm(-1.0, 1.0, 0.5, 1.5)),
    ("truncated_normal", (0.0, np.inf), stats.truncnorm(0.0, np.inf)),
    ("truncated_normal", (6.0, np.inf), stats.truncnorm(6.0, np.inf)),
    ("truncated_normal", (-9.0, -8.0), stats.truncnorm(-9.0, -8.0)),
    ("binomial", (12, 0.3), stats.binom(12, 0.3)),
    ("binomial", (200, 0.6), stats.binom(200, 0.6)),
    ("poisson", (3.5,), stats.poisson(3.5)),
    ("poisson", (40.0,), stats.poisson(40.0)),
    ("geometric", (0.6,), stats.geom(0.6)),
    ("geometric", (0.05,), stats.geom(0.05)),
]


def probability_of_fit(numbers: Any, law: Any) -> float:
    """The p-value of Kolmogorov and Smirnov's test, or for counts of a chi-square test with at least 20 expected in each cell."""
    if numbers.dtype != np.int64:
        return float(stats.kstest(numbers, law.cdf).pvalue)
    edges: list[int] = []
    last = 0.0
    for edge in range(int(law.ppf(1e-9)), int(law.ppf(1.0 - 1e-9)) + 1):
        if (law.cdf(edge) - last) * numbers.size >= 20.0 and law.sf(edge) * numbers.size >= 20.0:
            edges.append(edge)
            last = float(law.cdf(edge))
    expected = np.diff([0.0, *law.cdf(edges), 1.0]) * numbers.size
    observed = np.bincount(np.searchsorted(edges, numbers), minlength=len(expected))
    return float(stats.chisquare(observed, expected).pvalue)


def assert_distributed(kind: str, name: str, parameters: tuple[Any, ...], law: Any, count: int) -> None:
    stream = cogir.random(11, kind)
    numbers = np.asarray(getattr(stream, name)(*parameters, size=count))
    assert probability_of_fit(numbers, law) > FALSE_ALARM
    if name == "truncated_normal":
        assert np.all((numbers >= parameters[0]) & (numbers <= parameters[1]))


@pytest.mark.parametrize("kind", WORDS)
@pytest.mark.parametrize(("name", "parameters", "law"), DISTRIBUTED, ids=lambda value: str(value)[:30])
def test_numbers_are_distributed_as_they_should(kind: str, name: str, parameters: tuple[Any, ...], law: Any) -> None:
    assert_distributed(kind, name, parameters, law, 5000)


@pytest.mark.full
@pytest.mark.parametrize("kind", OTHERS)
@pytest.mark.parametrize(("name", "parameters", "law"), DISTRIBUTED, ids=lambda value: str(value)[:30])
def test_many_numbers_are_distributed_as_they_should(kind: str, name: str, parameters: tuple[Any, ...], law: Any) -> None:
    assert_distributed(kind, name, parameters, law, 50_000)


def test_a_wrong_law_is_found() -> None:
    """The tests above can fail."""
    numbers = np.asarray(cogir.random(11, "xoshiro256").gamma(7.5, size=5000))
    assert probability_of_fit(numbers, stats.gamma(7.2)) < FALSE_ALARM
    counts = np.asarray(cogir.random(11, "xoshiro256").poisson(40.0, size=5000))
    assert probability_of_fit(counts, stats.poisson(41.0)) < FALSE_ALARM


@pytest.mark.parametrize("kind", OTHERS)
def test_choices_are_distributed_as_they_should(kind: str) -> None:
    stream = cogir.random(3, kind)
    p = np.array([0.1, 0.2, 0.3, 0.4])
    counts = np.bincount(stream.categorical(p, 4000), minlength=4)
    assert stats.chisquare(counts, p * 4000).pvalue > FALSE_ALARM
    orders = np.bincount([np.ravel_multi_index(tuple(stream.permutation(3)), (3, 3, 3)) for _ in range(3000)], minlength=27)
    assert stats.chisquare(orders[orders > 0]).pvalue > FALSE_ALARM
    assert np.count_nonzero(orders) == 6
    pairs = np.bincount([np.ravel_multi_index(tuple(stream.choice(4, 2, replace=False)), (4, 4)) for _ in range(3000)], minlength=16)
    assert np.count_nonzero(pairs) == 12
    assert stats.chisquare(pairs[pairs > 0]).pvalue > FALSE_ALARM


# Models


def noisy(start: Any, *, rate: Any = 0.5, evidence: Any = 0.0, position: cogir.library.State = 0.0, random: Random) -> Any:
    kind = random.categorical([0.25, 0.75])
    step = random.exponential(rate) - random.lognormal(-1.0, 0.25) + random.truncated_normal(-1.0, 1.0) + 0.5 * kind
    moved = position + start + step
    return cogir.library.Step(outputs=(moved,), states=(moved,), finished=abs(moved[0]) > 2.0)


def jumping(start: Any, *, position: cogir.library.State = 0.0, random: Random) -> Any:
    moved = position + start + random.gamma(2.0, 0.25) - random.poisson(0.5)
    return cogir.library.Step(outputs=(moved,), states=(moved,), finished=abs(moved[0]) > 2.0)


@pytest.mark.parametrize("kind", WORDS)
@pytest.mark.parametrize("function", [noisy, jumping])
def test_draws_without_loop_go_into_lanes(function: Any, kind: str) -> None:
    m = cogir.Model()
    m.node("walk", function, input=1, execute_until_finished=True, reset_each_trial=True, prng=kind)
    module = m.ir()
    lower_to(module, "machine", options={"replicate": {"enabled": True}})
    in_lanes = any(isinstance(op, func.FuncOp) and op.sym_name.data == "lanes_iterate" for op in module.ops)
    assert in_lanes == (function is noisy and kind in OTHERS)


@pytest.mark.parametrize("kind", QUICK)
@pytest.mark.parametrize("function", [noisy, jumping])
def test_models_give_the_same_in_all_modes(function: Any, kind: str) -> None:
    def run(**options: Any) -> bytes:
        m = cogir.Model()
        m.node("walk", function, input=1, execute_until_finished=True, reset_each_trial=True, prng=kind)
        return m.compile(**options).replicates({"walk": [[0.1]]}, count=40, seed=3)["walk"].tobytes()

    expected = run(mode="python")
    assert run() == expected
    assert run(without=("fill-lanes",)) == expected
    assert run(mode="exec") == expected
