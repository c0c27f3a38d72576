"""The kind of generators that a model draws from where none is named, and runs that repeat a replicate."""

from typing import Any

import numpy as np
import pytest

import cogir
from cogir import library
from cogir.frontend.builder.generators import KINDS
from cogir.frontend.compile import source_of
from cogir.runtime.staged import StagedEngine


def two_nodes(**options: Any) -> cogir.Model:
    m = cogir.Model("m", **options)
    m.node("a", library.normal_dist, seed=3)
    m.node("b", library.uniform_dist, seed=4)
    m.output("a", "b")
    return m


def kinds(m: cogir.Model) -> list[str]:
    return [line.split()[2] for line in str(m.ir()).splitlines() if line.strip().startswith("rng.stream")]


def test_a_model_draws_from_the_generator_of_the_lanes() -> None:
    assert kinds(two_nodes()) == ["xoshiro256", "xoshiro256"]


@pytest.mark.parametrize("prng", [*KINDS, "philox"])
def test_a_model_names_the_kind_for_its_nodes_and_a_node_for_itself(prng: str) -> None:
    m = two_nodes(prng=prng)
    m.node("c", library.normal_dist, prng="mt19937")
    kind = "philox4x64" if prng == "philox" else prng
    assert kinds(m) == [kind, kind, "mt19937"]


@pytest.mark.parametrize("mode", ["python", "per_node", "exec", "run"])
def test_every_mode_draws_what_numpy_draws_where_numpys_is_named(mode: Any) -> None:
    found = two_nodes(prng="mt19937").compile(mode=mode).run(num_trials=5)
    normal, uniform = np.random.RandomState([3]), np.random.RandomState([4])
    assert found["a"].ravel().tolist() == [normal.standard_normal() for _ in range(5)]
    assert found["b"].ravel().tolist() == [uniform.random_sample() for _ in range(5)]


@pytest.mark.parametrize("stage", StagedEngine.STAGES)
def test_every_stage_draws_the_same_from_the_default(stage: str) -> None:
    expected = two_nodes().compile(mode="run").run(num_trials=5)
    found = cogir.Compiled(StagedEngine(source_of(two_nodes()), stage), stage, "m").run(num_trials=5)
    assert found["a"].tolist() == expected["a"].tolist()
    assert found["b"].tolist() == expected["b"].tolist()


@pytest.mark.parametrize("prng", KINDS)
def test_a_run_repeats_any_replicate(prng: str) -> None:
    c = two_nodes(prng=prng).compile()
    found = c.replicates(count=20, num_trials=3, seed=9)
    for replicate in (0, 7, 19):
        context = c.context(f"{replicate}")
        for index, name in enumerate(context.generators):
            generator = name if prng == "xoshiro256" else index
            context.generators[name] = cogir.random(9, prng, replicate=replicate, generator=generator)
        again = c.run(num_trials=3, context=context)
        assert again["a"].tolist() == found["a"][replicate].tolist()
        assert again["b"].tolist() == found["b"][replicate].tolist()


REFUSED = {
    "unknown kind": (lambda: cogir.Model("m", prng="mersenne"), 'there is no generator "mersenne"'),
    "seed of a model": (lambda: cogir.Model("m", seed=2**40, prng="mt19937"), r"mt19937 takes whole numbers below 2\*\*32"),
    "state of another kind": (
        lambda: cogir.Model("m").node("n", library.normal_dist, prng="philox", state=np.random.RandomState([1])),
        'found prng="philox" and a state of mt19937; leave prng out',
    ),
    "replicate": (lambda: cogir.random(1, replicate=-1, generator="n"), "replicate is -1; give a whole number from 0 on"),
    "generator": (lambda: cogir.random(1, "philox", replicate=0, generator=0.5), "generator is 0.5; give a whole number from 0 on"),
    "generator by number": (lambda: cogir.random(1, replicate=0, generator=3), "generator is 3; xoshiro256 has streams by name"),
    "replicate beyond the key": (
        lambda: cogir.random(1, "mt19937", replicate=2**40),
        "generator 0 of replicate 1099511627776: mt19937 takes numbers below ",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    call, message = REFUSED[name]
    with pytest.raises(cogir.ModelError, match=rf"test_default_generator\.py:\d+: .*{message}"):
        call()


def test_a_state_says_its_kind() -> None:
    m = cogir.Model("m")
    m.node("n", library.normal_dist, state=np.random.RandomState([1]))
    assert kinds(m) == ["mt19937"]
    assert m.compile().run()["n"].item() == np.random.RandomState([1]).standard_normal()
