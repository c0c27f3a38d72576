"""Library functions called directly: with generators of cogir they draw what a model draws, with NumPy's they refuse."""

import pickle
from typing import Any

import numpy as np
import pytest

import cogir
from cogir import library
from cogir.library import Random, State, Step
from cogir.library.called_directly import compiled_from

KINDS = ("mt19937", "philox4x64", "philox", "xoshiro256")


def walk(stimulus: Any, *, noise: Any = 0.5, position: State = 0.0, random: Random) -> Any:
    moved = position + stimulus + noise * random.normal(stimulus.shape) + random.uniform() + random.integer(7)
    return Step(outputs=(moved,), states=(moved,))


@pytest.mark.parametrize("mode", ["run", "python"])
@pytest.mark.parametrize("kind", KINDS)
def test_direct_calls_draw_what_a_node_draws(kind: str, mode: str) -> None:
    m = cogir.Model()
    m.node("walk", walk, input=3, seed=11, prng=kind)
    m.node("gaussian", library.psyneulink.gaussian_distort, input=2, variance=4.0, seed=12, prng=kind)
    result = m.compile(mode=mode).run({"walk": [[0.1, 0.2, 0.3]], "gaussian": [[1.0, 2.0]]}, num_trials=5)

    random, other, position = cogir.random(11, kind), cogir.random(12, kind), np.zeros(3)
    for trial in range(5):
        step = walk(np.array([0.1, 0.2, 0.3]), position=position, random=random)
        (position,) = step.states
        assert result["walk"][trial].tolist() == position.tolist()
        drawn = library.psyneulink.gaussian_distort(np.array([1.0, 2.0]), variance=4.0, random=other)
        assert result["gaussian"][trial].tolist() == drawn.tolist()


def test_draws_are_numpys_where_the_generator_is() -> None:
    legacy, stream = np.random.RandomState([5]), cogir.random(5, "mt19937")
    assert stream.normal((2, 3)).tolist() == legacy.standard_normal((2, 3)).tolist()
    assert stream.uniform(4).tolist() == legacy.random_sample(4).tolist()
    assert stream.integer(10**12) == legacy.randint(0, 10**12, dtype=np.int64)
    philox, stream = np.random.Generator(np.random.Philox([5])), cogir.random(5, "philox")
    assert stream.normal((2, 3)).tolist() == philox.standard_normal((2, 3)).tolist()
    assert stream.uniform() == philox.random()


@pytest.mark.parametrize(("shape", "limit"), [(None, 0.01), (0.3, 0.02), (1.0, 0.01), (2.0, 0.0)])
def test_logarithms_of_distributions_differ_from_numpys_in_few_last_bits(shape: float | None, limit: float) -> None:
    """As the docstrings of `exponential_dist` and `gamma_dist` say; the draws of `random` are NumPy's."""
    model = cogir.Model("drawn", seed=3, prng="mt19937")
    if shape is None:
        model.node("drawn", library.exponential_dist, beta=2.0)
        expected = np.random.RandomState([3]).exponential(2.0, 5000)
        assert cogir.random(3, "mt19937").exponential(2.0, 5000).tolist() == expected.tolist()
    else:
        model.node("drawn", library.gamma_dist, dist_shape=shape, scale=2.0)
        expected = np.random.RandomState([3]).gamma(shape, 2.0, 5000)
        assert cogir.random(3, "mt19937").gamma(shape, 2.0, 5000).tolist() == expected.tolist()
    found = model.compile().run(num_trials=5000)["drawn"].ravel()
    assert np.mean(found != expected) <= limit
    np.testing.assert_allclose(found, expected, rtol=1e-15)


def test_the_default_kind_is_that_of_a_node() -> None:
    m = cogir.Model()
    node = m.node("node", library.normal_dist, seed=3)
    assert node.record.body is not None
    assert cogir.random(3).kind == node.record.body.streams["random"].kind


@pytest.mark.parametrize(
    "given",
    [np.random.RandomState(3), np.random.default_rng(3), np.random.MT19937(3), 3],
    ids=["RandomState", "Generator", "BitGenerator", "int"],
)
def test_generators_of_others_are_refused(given: Any) -> None:
    for function in (library.normal_dist, library.psyneulink.gaussian_distort):
        with pytest.raises(cogir.InputError, match=r"random is .*; give cogir\.random\(seed\)"):
            function(np.zeros(3), random=given)


def test_a_generator_as_seed_names_the_remedy() -> None:
    with pytest.raises(cogir.ModelError, match="give a generator object to a node, as state="):
        cogir.Model().node("node", library.normal_dist, seed=np.random.RandomState(3))  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("arguments", [("3",), (-1,), (True,), (2**63,), (2**32, "mt19937"), (1, "mt"), (1, 2)], ids=repr)
def test_random_refuses_what_a_node_refuses(arguments: Any) -> None:
    with pytest.raises(cogir.ModelError, match=r"test_called_directly\.py:\d+: random: "):
        cogir.random(*arguments)


@pytest.mark.parametrize(("draw", "given"), [("normal", 0.5), ("normal", (2, 0)), ("uniform", "3"), ("integer", 0), ("integer", 1.5)])
def test_draws_refuse_what_compiled_ones_refuse(draw: str, given: Any) -> None:
    with pytest.raises(cogir.InputError, match="random generator: "):
        getattr(cogir.random(1), draw)(given)


def test_all_library_functions_that_draw_look_at_their_generators() -> None:
    spaces = (library, library.psyneulink)
    named = {f"{space.__name__}.{name}": getattr(space, name) for space in spaces for name in space.__all__}
    drawing = [one for one in named.values() if callable(one) and one is not compiled_from(one)]
    assert len(drawing) >= 25
    for function in drawing:
        assert pickle.loads(pickle.dumps(function)) is function


@pytest.mark.parametrize(
    ("draw", "given", "message"),
    [
        ("gamma", (-1.0,), "gamma: shape is -1.0; it must be at least 0"),
        ("gamma", ("2",), "gamma: shape is '2'; give numbers"),
        ("exponential", ([1.0, float("nan")],), "exponential: scale is .*; every element must be at least 0"),
        ("binomial", (2.5, 0.5), "binomial: n is 2.5; give whole numbers"),
        ("binomial", (2, 1.5), "binomial: p is 1.5; it must be at least 0 and at most 1"),
        ("poisson", (1e19,), "poisson: lam is 1e\\+19; it must be at least 0 and at most"),
        ("beta", ([1.0, 2.0], [1.0, 2.0, 3.0]), "beta: parameters of shapes"),
        ("poisson", ([1.0, 2.0], 3), "poisson: parameters of shapes .* do not broadcast to size 3"),
        ("truncated_normal", (2.0, 1.0), "low is not below high"),
        ("categorical", ([0.5, 0.4],), "p sums to 0.9, not to 1; divide it by its sum"),
        ("categorical", ([1.5, -0.5],), "p has an element outside"),
        ("categorical", (0.5,), "give a vector of probabilities"),
        ("choice", (0,), "give a vector, or a whole number above 0"),
        ("choice", (3, 4, False), "4 different elements of 3 cannot be drawn"),
        ("choice", (2, 1, False, [0.5, 0.5]), "p needs replace=True"),
        ("choice", (3, None, True, [0.5, 0.5]), "give 3 probabilities"),
        ("permutation", (0,), "give an array, or a whole number above 0"),
        ("shuffle", ([1, 2],), "give an array, which is changed"),
    ],
)
def test_distributions_refuse_what_compiled_ones_refuse(draw: str, given: Any, message: str) -> None:
    for kind in ("mt19937", "xoshiro256"):
        with pytest.raises(cogir.InputError, match=f"random generator: .*{message}"):
            getattr(cogir.random(1, kind), draw)(*given)
