"""Choices: the probabilities against SciPy and the definition, the draws against NumPy's stream, and frequencies."""

# pyright: basic
from __future__ import annotations

import numpy as np
import pytest
from scipy.special import softmax
from scipy.stats import chi2
from support.pyfunc import check

import cogir
from cogir import library

VALUES = np.array([0.3, -1.0, 2.0, 2.0, 0.0])
FUNCTIONS = [library.softmax_choice, library.epsilon_greedy_choice]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("values", [VALUES, np.array([1.0, np.nan]), np.array([800.0, -800.0, 799.0]), np.zeros(1)], ids=str)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_compiled(function, values) -> None:
    check(function, values, native=True)


def test_probabilities() -> None:
    _, _, found = library.softmax_choice(VALUES, inverse_temperature=1.7, random=cogir.random(1))
    np.testing.assert_allclose(found, softmax(1.7 * VALUES), rtol=1e-14)
    _, _, found = library.epsilon_greedy_choice(VALUES, epsilon=0.2, random=cogir.random(1))
    np.testing.assert_allclose(found, [0.04, 0.04, 0.44, 0.44, 0.04], rtol=1e-14)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_the_draw_is_the_inverse_of_the_cumulated_probabilities(function) -> None:
    random, same = cogir.random(3, "mt19937"), np.random.RandomState([3])
    for _ in range(200):
        choice, index, probabilities = function(VALUES, random=random)
        wanted = int(np.searchsorted(np.cumsum(probabilities), same.random_sample(), side="right"))
        assert index == wanted
        assert choice.tolist() == np.eye(5)[wanted].tolist()


@pytest.mark.sampled(2)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_frequencies(function) -> None:
    """Chi-squared of 100,000 trials in a compiled model; the limit has a probability of a false alarm of 1e-6, and the seed is fixed."""
    m = cogir.Model("m")
    node = m.node("n", function, input=5, seed=4, prng="philox")
    m.output(node["index"])
    m.output(node["probabilities"])
    result = m.compile(mode="run").run({"n": [VALUES]}, num_trials=100_000).results
    counts = np.bincount([int(trial[0]) for trial in result], minlength=5)
    wanted = 100_000 * np.asarray(result[0][1])
    assert ((counts - wanted) ** 2 / wanted).sum() < chi2.isf(1e-6, 4)


class Highest:
    """A generator that draws the largest uniform number below 1."""

    def uniform(self, shape=()):
        return 1.0 - 2.0**-53

    normal = integer = seed = None


def test_rounding_never_chooses_the_impossible() -> None:
    """Probabilities that add up to less than the draw: the last action that is possible is chosen, not one of probability 0."""
    values = np.array([0.0, 0.1, 0.2, 0.3, 0.7, -1e9, -1e9])
    choice, index, probabilities = library.softmax_choice(values, random=Highest())
    assert probabilities[5:].tolist() == [0.0, 0.0]
    assert index == 4.0
    assert choice.tolist() == np.eye(7)[4].tolist()
    assert library.epsilon_greedy_choice(np.array([1.0, 2.0, 1.0]), epsilon=0.0, random=Highest())[1] == 1.0


@pytest.mark.parametrize("function", FUNCTIONS)
def test_values_that_are_nan_give_nan(function) -> None:
    with np.errstate(invalid="ignore"):
        choice, index, probabilities = function(np.array([1.0, np.nan, 3.0]), random=cogir.random(1))
    assert np.isnan(choice).all()
    assert np.isnan(index)
    assert np.isnan(probabilities).all()


EXTREMES = {
    "a product that overflows": ([1e308, 0.0, 1.0], 2.0, [1.0, 0.0, 0.0]),
    "a difference that overflows": ([1e308, -1e308, 0.0], 0.0, [1 / 3, 1 / 3, 1 / 3]),
    "an excluded action": ([-np.inf, 1.0, 1.0], 2.0, [0.0, 0.5, 0.5]),
    "an excluded action, at random": ([-np.inf, 1.0, 2.0], 0.0, [0.0, 0.5, 0.5]),
    "an excluded action, greedily": ([-np.inf, 1.0, 2.0], np.inf, [0.0, 0.0, 1.0]),
    "large beta": ([1.0, 2.0, 3.0], 1e308, [0.0, 0.0, 1.0]),
}


@pytest.mark.sampled(2)
@pytest.mark.filterwarnings("ignore:overflow encountered")
@pytest.mark.parametrize(("values", "beta", "expected"), EXTREMES.values(), ids=EXTREMES)
def test_extreme_values_give_probabilities(values, beta, expected) -> None:
    found = check(library.softmax_choice, np.array(values), inverse_temperature=beta, native=True)
    np.testing.assert_allclose(found[2], expected, rtol=1e-15)
    model = cogir.Model("extreme")
    node = model.node("choice", library.softmax_choice, input=3, inverse_temperature=beta)
    model.output(node["probabilities"])
    np.testing.assert_allclose(model.compile(checked=True).run({"choice": [values]}).results[0][0], expected, rtol=1e-15)


@pytest.mark.parametrize("shape", [(), (2, 2)], ids=str)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_values_are_a_vector(function, shape) -> None:
    message = r"variable has another shape than \(n,\); give a vector, one element for each action"
    with pytest.raises(cogir.ModelError, match=rf"{function.__name__}: {message}"):
        cogir.Model("m").node("policy", function, input=shape)
    with pytest.raises(ValueError, match=message):
        function(np.ones(shape), random=cogir.random(1))


def test_limits() -> None:
    assert library.softmax_choice(VALUES, inverse_temperature=0.0, random=cogir.random(1))[2].tolist() == [0.2] * 5
    assert library.softmax_choice(VALUES, inverse_temperature=np.inf, random=cogir.random(1))[2].tolist() == [0.0, 0.0, 0.5, 0.5, 0.0]
    assert library.epsilon_greedy_choice(VALUES, epsilon=1.0, random=cogir.random(1))[2].tolist() == [0.2] * 5
    assert library.epsilon_greedy_choice(VALUES, epsilon=0.0, random=cogir.random(1))[2].tolist() == [0.0, 0.0, 0.5, 0.5, 0.0]


@pytest.mark.parametrize("values", [VALUES, np.zeros(3), np.array([1.0, np.nan]), np.array([-1.0])], ids=str)
def test_an_infinite_inverse_temperature_is_greedy(values) -> None:
    """As `epsilon_greedy_choice` with `epsilon=0`, also compiled, and without a NaN on the way."""
    found = check(library.softmax_choice, values, inverse_temperature=np.inf, native=True)
    expected = check(library.epsilon_greedy_choice, values, epsilon=0.0)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one, other)
    model = cogir.Model("greedy")
    node = model.node("choice", library.softmax_choice, input=len(values), inverse_temperature=np.inf, seed=2, prng="mt19937")
    model.output(node["probabilities"])
    run = model.compile(checked=True).run({"choice": [values]})
    np.testing.assert_array_equal(run["choice/probabilities"][0], expected[2])
