"""
`compile(checked=True)`: runs stop at a draw whose parameters are out of range, and name the line of the user's function, also for a fault
inside a function of the library that it calls.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.long import long_but

import cogir
from cogir import library
from cogir.library import Random, Value

pytestmark = pytest.mark.sampled(3)

MODES = ("python", "per_node", "exec", "run")
GENERATORS = ("mt19937", "philox", "xoshiro256")


def gamma(x: Value, *, random: Random) -> Value:
    return random.gamma(x[0]) + x  # gamma


def gammas(x: Value, *, random: Random) -> Value:
    return random.gamma(x)  # many gammas


def scaled(x: Value, *, random: Random) -> Value:
    return random.exponential(x, (3, 2))  # exponentials


def beta(x: Value, *, random: Random) -> Value:
    return random.beta(1.0, x[0]) + x  # beta


def lognormal(x: Value, *, random: Random) -> Value:
    return random.lognormal(0.0, x[0]) + x  # lognormal


def binomial(x: Value, *, random: Random) -> Value:
    return random.binomial(10, x[0]) + x  # binomial


def counts(x: Value, *, random: Random) -> Value:
    return random.poisson(x, (2, 2)) + 0.0  # counts


def geometric(x: Value, *, random: Random) -> Value:
    return np.where(x > 0.0, random.geometric(x[0]), 1.0)  # geometric


def truncated(x: Value, *, random: Random) -> Value:
    return random.truncated_normal(x[0], x[1]) + x  # truncated


def categorical(x: Value, *, random: Random) -> Value:
    return random.categorical(x) + x  # categorical


def chosen(x: Value, *, random: Random) -> Value:
    return random.choice(np.array([1.0, 2.0]), p=x) + x  # chosen


def integer(x: Value, *, random: Random) -> Value:
    return random.integer(int(x[0])) + x  # integer


def numbers(x: Value, *, random: Random) -> Value:
    return random.choice(int(x[0]), 3) + 0.0  # numbers


def seeded(x: Value, *, random: Random) -> Value:
    random.seed(int(x[0]))  # seeded
    return random.normal() + x


NO_INTEGER = "an integer from 0 to n - 1 is drawn with n = 0; n must be above 0"
CASES: dict[Callable[..., Any], tuple[list[float], list[float], str, str]] = {
    gamma: ([0.5, 1.0], [-0.5, 1.0], "gamma", "random.gamma cannot draw with these parameters; shape must be at least 0 and scale"),
    gammas: ([0.5, 1.0], [1.0, -0.5], "many gammas", "random.gamma cannot draw"),
    scaled: ([0.5, 1.0], [1.0, -0.5], "exponentials", "random.exponential cannot draw with these parameters; scale must be at least 0"),
    beta: ([0.5, 1.0], [0.0, 1.0], "beta", "random.beta cannot draw with these parameters; a must be above 0 and b must be above 0, both"),
    lognormal: ([0.5, 1.0], [-1.0, 1.0], "lognormal", "random.lognormal cannot draw with these parameters; sigma must be at least 0"),
    binomial: ([0.5, 1.0], [1.5, 1.0], "binomial", "random.binomial cannot draw with these parameters; n must be at least 0 and p must be"),
    counts: ([0.5, 1.0], [1.5, np.nan], "counts", "random.poisson cannot draw with these parameters; lam must be at least 0"),
    geometric: ([0.5, 1.0], [-0.5, 1.0], "geometric", "random.geometric cannot draw with these parameters; p must be above 0 and at most"),
    truncated: ([0.5, 1.0], [1.5, 1.0], "truncated", "random.truncated_normal cannot draw with these parameters; low must be below high"),
    categorical: ([0.5, 0.5], [0.5, 0.6], "categorical", "random.categorical cannot draw with these parameters; p must be probabilities"),
    chosen: ([0.5, 0.5], [-0.5, 1.5], "chosen", "random.choice cannot draw with these parameters; p must be probabilities, with the sum 1"),
    integer: ([1.0, 1.0], [0.0, 1.0], "integer", NO_INTEGER),
    numbers: ([1.0, 1.0], [0.0, 1.0], "numbers", f"in a call on this line: {NO_INTEGER}"),
    seeded: ([3.0, 1.0], [-3.0, 1.0], "seeded", "random.seed: found -3; a seed must be a whole number in [0, 2**"),
}


def line_of(comment: str) -> int:
    """The line of this file with this comment."""
    lines = Path(__file__).read_text().splitlines()
    (line,) = [number for number, text in enumerate(lines, 1) if text.endswith(f"  # {comment}")]
    return line


def reader(function: Callable[..., Any], prng: str = "xoshiro256") -> cogir.Model:
    model = cogir.Model("draws", seed=1, prng=prng)
    model.output(model.node("reader", function, input=2))
    return model


@pytest.mark.parametrize("mode", long_but(MODES, ["python", "run"]))
@pytest.mark.parametrize("function", CASES)
def test_draws_out_of_range_stop(function: Callable[..., Any], mode: str) -> None:
    good, bad, comment, words = CASES[function]
    compiled = reader(function).compile(mode=mode, checked=True)
    expected = reader(function).compile(mode=mode).run({"reader": [good]}).results
    with pytest.raises(cogir.ExecutionError) as caught:
        compiled.run({"reader": [good, bad, good]})
    place = f'node "reader" failed in trial 1: .*{Path(__file__).name}:{line_of(comment)}: '
    assert re.search(place + re.escape(words), str(caught.value)), caught.value
    assert np.array_equal(caught.value.result.results, expected)  # pyright: ignore


@pytest.mark.parametrize("generator", long_but(GENERATORS, ["mt19937", "xoshiro256"]))
@pytest.mark.parametrize("function", CASES)
def test_every_generator_stops(function: Callable[..., Any], generator: str) -> None:
    good, bad, comment, words = CASES[function]
    compiled = reader(function, generator).compile(mode="run", checked=True)
    assert len(compiled.run({"reader": [good]}).results) == 1
    with pytest.raises(cogir.ExecutionError, match=f":{line_of(comment)}: {re.escape(words)}"):
        compiled.run({"reader": [bad]})


def betas(x: Value, *, random: Random) -> Value:
    return random.beta(x[0], x[1]) + x  # betas


def large(x: Value, *, random: Random) -> Value:
    return random.lognormal(x[0], x[1]) + x  # large


WITHOUT_NUMBER: list[tuple[Callable[..., Any], list[float], str]] = [
    (truncated, [40.0, np.inf], "low must be below high and sigma must be above 0, with mean and sigma finite and an interval of a"),
    (truncated, [-np.inf, -40.0], "low must be below high and sigma must be above 0, with mean and sigma finite and an interval of a"),
    (betas, [np.inf, 1.0], "a must be above 0 and b must be above 0, both finite"),
    (large, [-np.inf, np.inf], "sigma must be at least 0, with mean and sigma finite"),
]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("function", "bad", "words"), WITHOUT_NUMBER)
def test_parameters_in_range_without_a_number_name_the_demand(
    function: Callable[..., Any], bad: list[float], words: str, mode: str
) -> None:
    with pytest.raises(cogir.ExecutionError, match=f"cannot draw with these parameters; {words}"):
        reader(function).compile(mode=mode, checked=True).run({"reader": [bad]})


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("seed", "shown"), [(2.0**33, "4294967296 or more"), (2.0**31, None), (-(2.0**33), "-")])
def test_seeds_too_large_to_show(seed: float, shown: str | None, mode: str) -> None:
    compiled = reader(seeded, "mt19937").compile(mode=mode, checked=True)
    if shown is None:
        assert np.isfinite(compiled.run({"reader": [[seed, 1.0]]})["reader"]).all()
        return
    with pytest.raises(cogir.ExecutionError, match=rf"random.seed: found {shown}.*; a seed must be a whole number in \[0, 2\*\*32\)"):
        compiled.run({"reader": [[seed, 1.0]]})


@pytest.mark.parametrize("mode", MODES)
def test_nan_parameters_of_floats_are_no_fault(mode: str) -> None:
    """A NaN that was there before is none that is made here; counts have no NaN, so they stop (`counts` above)."""
    for function in (gamma, gammas, scaled, beta, lognormal):
        result = reader(function).compile(mode=mode, checked=True).run({"reader": [[np.nan, np.nan]]})
        assert np.isnan(result["reader"]).all()


@pytest.mark.parametrize("function", [integer, numbers, seeded])
def test_mode_python_names_the_line_without_checks(function: Callable[..., Any]) -> None:
    _, bad, comment, words = CASES[function]
    with pytest.raises(cogir.ExecutionError, match=f":{line_of(comment)}: {re.escape(words)}"):
        reader(function).compile(mode="python").run({"reader": [bad]})


def seeded_by_a_constant(x: Value, *, random: Random) -> Value:
    random.seed(-3)  # constant
    return random.normal() + x


@pytest.mark.parametrize(("generator", "bits"), [("mt19937", 32), ("xoshiro256", 63)])
def test_constant_seeds_out_of_range_are_refused(generator: str, bits: int) -> None:
    """As in `np.random.RandomState(-3)`: the function is not compiled, and raises the error in Python, too."""
    with pytest.warns(
        cogir.NotCompiledWarning, match=rf":{line_of('constant')}: .*random.seed\(-3\): a seed must .* in \[0, 2\*\*{bits}\)"
    ):
        compiled = reader(seeded_by_a_constant, generator).compile(mode="per_node")
    with pytest.raises(cogir.InputError, match=f"seed -3 is out of range; .*{bits}"):
        compiled.run({"reader": [[1.0, 2.0]]})


# Faults inside functions of the library


def solved(x: Value) -> Value:
    return np.linalg.solve(np.array([[x[0], 1.0], [1.0, 1.0]]), x)  # solved


def inverted(x: Value) -> Value:
    return np.linalg.inv(np.array([[x[0], 1.0], [1.0, 1.0]]))  # inverted


def two_calls(x: Value) -> Value:
    first = np.linalg.inv(np.array([[x[0] + 1.0, 1.0], [1.0, 1.0]]))
    return first + np.linalg.inv(np.array([[x[0], 1.0], [1.0, 1.0]]))  # the second call


def percentile(x: Value) -> Value:
    return np.percentile(x, 100.0 * x[0] + 50.0)  # percentile


def of_the_library(x: Value) -> Value:
    return library.logistic(x / (x - 1.0), gain=0.0)  # of the library


def right_side(t: float, y: Value) -> Value:
    return np.sqrt(y - 1.0)  # of the equation


def stepped(x: Value) -> Value:
    return library.rk4(right_side, 0.0, 3.0 - 2.0 * x, 0.0)


def step_of_infinity(x: Value) -> Value:
    return library.euler(lambda t, y: y / (1.0 - x), 0.0, x, 0.0)  # step


INSIDE = {
    solved: ("solved", "in a call on this line: 0 / 0 is NaN"),
    inverted: ("inverted", "in a call on this line: 0 / 0 is NaN"),
    two_calls: ("the second call", "in a call on this line: 0 / 0 is NaN"),
    percentile: ("percentile", "in a call on this line: 0 / 0 is NaN"),
    of_the_library: ("of the library", "in a call on this line: 0 * inf is NaN"),
    stepped: ("of the equation", "the square root of -"),
    step_of_infinity: ("step", "0 * inf is NaN"),
}


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("function", INSIDE)
def test_faults_in_the_library_name_the_line_of_the_user(function: Callable[..., Any], mode: str) -> None:
    comment, words = INSIDE[function]
    with pytest.raises(cogir.ExecutionError) as caught:
        reader(function).compile(mode=mode, checked=True).run({"reader": [[0.25, 0.5], [1.0, 2.0]]})
    place = f'node "reader" failed in trial 1: .*{Path(__file__).name}:{line_of(comment)}: '
    assert re.search(place + re.escape(words), str(caught.value)), caught.value


def test_library_functions_as_nodes_name_their_own_line() -> None:
    model = cogir.Model("own")
    model.node("unit", library.logistic, input=1, gain=0.0)
    with pytest.raises(cogir.ExecutionError, match=r"cogir/library/transfer.py:\d+: 0 \* inf is NaN"):
        model.compile(checked=True).run({"unit": [np.inf]})
