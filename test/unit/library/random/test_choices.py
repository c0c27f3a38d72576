"""Choices among elements, draws outside the subset, and draws that no user can write."""

from typing import Any

import numpy as np
import pytest

import cogir
from cogir.frontend.builder.shapes import StillStream
from cogir.library import Random
from cogir.library.random.methods import NAMES

MODES = ("python", "exec", "run")


def unlikely(x: Any, *, random: Random) -> Any:
    return random.choice(np.array([10.0, 20.0, 30.0]), p=np.array([0.2, 0.2, 0.2]) * x[0])


def unlikely_number(x: Any, *, random: Random) -> Any:
    return random.choice(np.array([10, 20, 30]), p=np.array([0.2, 0.2, np.nan]) * x[0])


def table(x: Any, *, random: Random) -> Any:
    return random.choice(x, (2, 3))


def run(function: Any, mode: Any, values: Any, prng: str = "mt19937") -> Any:
    m = cogir.Model("m", prng=prng)
    m.node("n", function, input=len(values), seed=5)
    return m.compile(mode=mode).run({"n": [values]}, num_trials=4)["n"]


@pytest.mark.parametrize("mode", MODES)
def test_elements_are_not_chosen_by_numbers_that_are_no_probabilities(mode: Any) -> None:
    assert np.isnan(run(unlikely, mode, [1.0])).all()
    assert (run(unlikely_number, mode, [1.0]) == -1).all()
    assert set(run(unlikely, mode, [5.0 / 3.0]).ravel().tolist()) <= {10.0, 20.0, 30.0}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("prng", ["mt19937", "philox", "xoshiro256"])
def test_a_table_of_elements(mode: Any, prng: str) -> None:
    values, stream = [0.5, 1.5, 2.5, 3.5], cogir.random(5, prng)
    expected = [stream.choice(np.array(values), (2, 3)) for _ in range(4)]
    np.testing.assert_array_equal(run(table, mode, values, prng), expected)


def outside(x: Any, *, random: Random) -> Any:
    return np.unwrap(x) + random.gamma(2.0) + random.poisson(3.0, x.shape)


def test_functions_outside_the_subset_draw_too() -> None:
    m = cogir.Model("m", prng="mt19937")
    with pytest.warns(cogir.NotCompiledWarning):
        m.node("n", outside, input=2, seed=5)
    source = np.random.RandomState([5])
    expected = [np.array([0.1, 0.2]) + source.gamma(2.0) + source.poisson(3.0, 2) for _ in range(3)]
    np.testing.assert_array_equal(m.compile(mode="per_node").run({"n": [[0.1, 0.2]]}, num_trials=3)["n"], expected)


ARGUMENTS: dict[str, tuple[Any, ...]] = {
    "exponential": (2.0,),
    "gamma": (2.0,),
    "beta": (1.0, np.array([2.0, 3.0])),
    "lognormal": (),
    "binomial": (5, 0.5),
    "poisson": (3.0, (2, 3)),
    "geometric": (0.5, 4),
    "truncated_normal": (0.0, 1.0),
    "categorical": ([0.5, 0.5],),
    "choice": (np.array([1.5, 2.5]), 3),
    "permutation": (4,),
    "shuffle": (np.array([1.0, 2.0]),),
}


@pytest.mark.parametrize("name", NAMES)
def test_a_stream_that_stands_still_draws_the_same_shapes_and_kinds(name: str) -> None:
    still = getattr(StillStream(), name)(*ARGUMENTS[name])
    drawn = getattr(cogir.random(1), name)(*ARGUMENTS[name])
    assert np.shape(still) == np.shape(drawn)
    assert np.asarray(still).dtype == np.asarray(drawn).dtype


def raw(x: Any, *, random: Any) -> Any:
    return random.sample("gamma", (), 2.0)


raw.__annotations__["random"] = Random


def test_raw_samples_are_not_drawn_by_users() -> None:
    with pytest.raises(cogir.FunctionError, match=r"a generator draws with normal, .*, not 'sample'"):
        cogir.Model("m").node("n", raw, input=1)


def negative(x: Any, *, random: Random) -> Any:
    return random.gamma(-1.0) + x


def impossible(x: Any, *, random: Random) -> Any:
    return random.categorical([0.5, 0.2]) + x


@pytest.mark.parametrize(
    ("function", "message"), [(negative, "shape is -1.0; it must be at least 0"), (impossible, "p sums to 0.7, not to 1")]
)
def test_constant_parameters_out_of_range_are_refused_by_nodes(function: Any, message: str) -> None:
    with pytest.raises(cogir.FunctionError, match=message):
        cogir.Model("m").node("n", function, input=1)


def too_many(x: Any, *, random: Random) -> Any:
    return random.permutation(2**40)[0] + x  # 8 TiB


def test_an_error_inside_a_draw_names_the_line_of_the_draw() -> None:
    model = cogir.Model("m")
    with pytest.raises(
        cogir.FunctionError, match=r"test_choices.py:\d+: too_many: in the call of permuted: cogir/.* does not fit into memory"
    ):
        model.node("n", too_many, input=2)
