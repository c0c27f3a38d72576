"""
Random streams: of model seed, context, generator, point and replicate, no two share one, and the streams that have always been are as ever.
"""

import subprocess
import sys
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import cogir
from cogir import library
from cogir.frontend.compile import source_of
from cogir.library import Random, Value
from cogir.library.random import generators
from cogir.library.random.generators import Xoshiro256
from cogir.runtime.staged import StagedEngine
from cogir.streams import SIMULATED, VERSION, mixed, root_of, word_of

Floats = NDArray[np.float64]

CONTEXTS = (None, "s1", "s2")
POINTS = 8
NODES = ("a", "b")
FEW, MANY = (12, 20), (200, 93)
"""Numbers of models and of replicates: 12 make 13,000 starts, 200 make a million."""


def two_uniforms(x: Value, *, random: Random) -> Value:
    """Two numbers of 53 bits, which are equal in two streams only if the streams begin alike."""
    return random.uniform(2)


def model_of(seed: int, **options: Any) -> cogir.Model:
    m = cogir.Model("m", seed=seed, **options)
    for name in NODES:
        m.node(name, two_uniforms, input=1)
    return m


def starts_of(models: int, replicates: int) -> dict[str, Floats]:
    """
    The first numbers of all streams: of runs (models, contexts, generators, 2), of replicates (..., replicates, 2), and of sweeps
    (..., points, replicates, 2).
    """
    found: dict[str, list[Any]] = {"run": [], "replicates": [], "sweep": []}
    points = {"a": np.zeros((POINTS, 1))}
    for seed in range(models):
        c = model_of(seed).compile()
        given = {"b": [[0.0]]}
        zeros = {"a": [[0.0]], **given}
        for context in CONTEXTS:
            run = c.run(zeros, context=context)
            alone = c.replicates(zeros, replicates, context=context, start="fresh")
            swept = c.sweep(points, given, replicates=replicates, context=context, start="fresh")
            found["run"].append([run[name][0] for name in NODES])
            found["replicates"].append([alone[name][:, 0] for name in NODES])
            found["sweep"].append([swept[name][:, :, 0] for name in NODES])
    shape = (models, len(CONTEXTS))
    return {kind: np.array(held).reshape(*shape, *np.shape(held)[1:]) for kind, held in found.items()}


def repeated(starts: dict[str, Floats]) -> int:
    """How many streams begin as another one does."""
    pairs = np.concatenate([held.reshape(-1, 2) for held in starts.values()])
    return len(pairs) - len(np.unique(pairs.view(np.complex128)))


def largest_correlation(starts: dict[str, Floats]) -> float:
    """The largest correlation of neighbours along any axis, in standard deviations of that of independent numbers."""
    found: list[float] = []
    for held in starts.values():
        numbers = held[..., 0]
        for axis in range(numbers.ndim):
            along = np.moveaxis(numbers, axis, 0)
            one, other = along[:-1].ravel() - 0.5, along[1:].ravel() - 0.5
            found.append(abs(float(np.corrcoef(one, other)[0, 1])) * len(one) ** 0.5)
    return max(found)


@pytest.mark.parametrize("size", [FEW, pytest.param(MANY, marks=pytest.mark.full)], ids=["few", "a million"])
def test_no_two_streams_begin_alike(size: tuple[int, int]) -> None:
    starts = starts_of(*size)
    count = sum(held.size // 2 for held in starts.values())
    print(f"{count:,} starts, {repeated(starts)} repeated; correlation of neighbours {largest_correlation(starts):.2f} standard deviations")
    assert count > 1_000_000 or size == FEW
    assert repeated(starts) == 0
    assert largest_correlation(starts) < 5.0


def added(seed: int, context: str | None = None, own: int | None = None) -> int:
    """A root that is a sum."""
    return seed + (0 if context is None else int(context[1:]))


def counted_words(kind: str, number: int, path: str, seed: int, own: int, context: str | None = None) -> Any:
    """A start that counts from the seed of the model."""
    return generators.initial_words(kind, own + number)


def by_name(path: str) -> Callable[[pytest.MonkeyPatch], None]:
    return lambda patch: patch.setattr(path, added)


MUTANTS: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "seeds and generators": lambda patch: patch.setattr(generators, "model_words", counted_words),
    "seeds and contexts of runs": lambda patch: patch.setattr(generators, "root_of", added),
    "seeds and contexts of replicates": lambda patch: patch.setattr("cogir.runtime.replicates.root_of", added),
    "seeds and contexts of sweeps": lambda patch: patch.setattr("cogir.runtime.sweeps.job.root_of", added),
}


@pytest.mark.parametrize("mutant", MUTANTS)
def test_sums_are_found(mutant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    MUTANTS[mutant](monkeypatch)
    assert repeated(starts_of(4, 3)) > 0


def test_no_state_of_a_key_is_zero() -> None:
    """The one key that would give it has a point that no sweep has: its steps are undone here, one by one."""
    words = [0, 0, 0, 0]
    for step in range(7, -1, -1):
        words[(step + 1) % 4] ^= generators._mix64(words[step % 4] + generators._ROUNDS[step])  # pyright: ignore[reportPrivateUsage]
    signed = [word - 2**64 if word >= 2**63 else word for word in words]
    assert Xoshiro256.seeded(*signed).state == [0, 0, 0, 0]
    assert not -1 <= signed[2] < 2**62


def test_every_bit_of_a_key_changes_about_half_of_the_state() -> None:
    """Of the words of two keys that differ in one bit, 25 of 64 bits differ at least on average."""
    fewest = 64.0
    for word, bit in product(range(4), range(64)):
        differing: list[int] = []
        for start in range(20):
            key = [start, word_of(str(start)), -1, 7 * start]
            other = [each ^ (1 << bit if place == word else 0) for place, each in enumerate(key)]
            pairs = zip(Xoshiro256.seeded(*key).state, Xoshiro256.seeded(*other).state, strict=True)
            differing += [(one ^ two).bit_count() for one, two in pairs]
        fewest = min(fewest, sum(differing) / len(differing))
    assert fewest > 30.0


# The streams that stay

OWN = [
    [1.1308649617728403, 2.1234228511806617, -0.7309773798159508, 0.3597562225548718],
    [0.049931690040097454, 0.8247491518469168, 0.35080431931344214, 0.07036144142826473],
]
"""What nodes with the seeds 7 and 2**40 of their own draw from xoshiro256, as before the streams of version 2."""


def drawing(**options: Any) -> cogir.Model:
    m = cogir.Model("m", seed=3, **options)
    m.node("a", library.normal_dist)
    m.node("b", library.uniform_dist)
    return m


def numpys(kind: str, key: list[int]) -> Any:
    return np.random.RandomState(key) if kind == "mt19937" else np.random.Generator(np.random.Philox(key))


def draws(source: Any, name: str, count: int) -> list[float]:
    uniform = getattr(source, "random", None) or source.random_sample
    return [source.standard_normal() if name == "a" else uniform() for _ in range(count)]


@pytest.mark.parametrize("kind", ["mt19937", "philox"])
def test_numpys_generators_count_from_the_seed_in_the_default_context(kind: str) -> None:
    c = drawing(prng=kind).compile()
    run = c.run(num_trials=5)
    alone = c.replicates(count=4, num_trials=2, seed=9, start="fresh")
    swept = c.sweep({"a/mean": [0.0, 0.0, 0.0]}, replicates=2, seed=9, start="fresh")
    common = c.sweep({"a/mean": [0.0, 0.0]}, replicates=2, seed=9, common_random_numbers=True, start="fresh")
    for number, name in enumerate(NODES):
        assert run[name].ravel().tolist() == draws(numpys(kind, [3 + number]), name, 5)
        for r in range(4):
            assert alone[name][r].ravel().tolist() == draws(numpys(kind, [9, number, r]), name, 2)
        for p, r in product(range(3), range(2)):
            assert swept[name][p, r].ravel().tolist() == draws(numpys(kind, [9, number, p, r]), name, 1)
        for p, r in product(range(2), range(2)):
            assert common[name][p, r].ravel().tolist() == draws(numpys(kind, [9, number, r]), name, 1)


@pytest.mark.parametrize("context", [None, "s3"])
def test_a_node_with_a_seed_of_its_own_draws_the_same_in_all_contexts(context: str | None) -> None:
    m = cogir.Model("m", seed=3)
    m.node("a", library.normal_dist, seed=7)
    m.node("b", library.uniform_dist, seed=2**40)
    found = m.compile().run(num_trials=4, context=context)
    assert [found[name].ravel().tolist() for name in NODES] == OWN


def test_a_generator_of_one_seed_is_as_ever() -> None:
    random = cogir.random(42)
    assert [random.uniform(), random.normal(), random.integer(1000)] == [0.8143051451229099, 1.5042997939422593, 701]


# The streams of version 2


@pytest.mark.parametrize("kind", ["xoshiro256", "mt19937", "philox"])
def test_contexts_have_streams_by_their_names(kind: str) -> None:
    c = drawing(prng=kind).compile()
    found = {name: c.run(num_trials=3, context=name)["a"].tolist() for name in (None, "s1", "s2")}
    assert len({str(numbers) for numbers in found.values()}) == 3
    assert found["s2"] == drawing(prng=kind).compile().run(num_trials=3, context="s2")["a"].tolist()
    context = c.context("s1")
    twin = context.copy()
    goes_on = c.run(num_trials=2, context=context)["a"].tolist()
    assert c.run(num_trials=2, context=twin)["a"].tolist() == goes_on, "a copy continues the stream"
    for each in (context, twin):
        each.reset()
        assert c.run(num_trials=3, context=each)["a"].tolist() == found["s1"], "reset returns to the stream of the context"
    other = context.copy("s2")
    other.reset()
    assert c.run(num_trials=3, context=other)["a"].tolist() == found["s2"]


@pytest.mark.parametrize("kind", ["xoshiro256", "mt19937", "philox"])
def test_replicates_of_contexts_differ(kind: str) -> None:
    c = drawing(prng=kind).compile()
    found = [c.replicates(count=50, context=name)["a"].ravel().tolist() for name in (None, "s1", "s2")]
    assert len({number for numbers in found for number in numbers}) == 150
    swept = [c.sweep({"a/mean": [0.0, 0.0]}, replicates=9, context=name)["a"].ravel().tolist() for name in (None, "s1", "s2")]
    assert len({number for numbers in swept for number in numbers}) == 54


def test_the_seed_of_replicates_is_that_of_the_model() -> None:
    one, other = (cogir.Model("m", seed=seed) for seed in (5, 6))
    for m in (one, other):
        m.node("a", library.normal_dist)
    found = [m.compile().replicates(count=20) for m in (one, other)]
    assert found[0]["a"].tolist() != found[1]["a"].tolist()
    assert found[0]["a"].tolist() == other.compile().replicates(count=20, seed=5)["a"].tolist()
    assert [each.attributes["seed"] for each in found] == [5, 6]
    assert [repr(each) for each in found] == [f"<20 replicates of 1 trial, seed {seed}, fresh, done: a/value>" for seed in (5, 6)]
    assert "seed 6" in str(found[1].summary()).splitlines()[0]
    swept = other.compile().sweep({"a/mean": [0.0, 0.0]}, replicates=3)
    assert swept.attributes["seed"] == 6
    assert "seed 6" in repr(swept)
    assert "seed 6" in str(swept.summary()).splitlines()[0]


def test_seed_none_takes_a_new_one_and_says_which() -> None:
    c = drawing().compile()
    one, other = c.replicates(count=20, seed=None), c.replicates(count=20, seed=None)
    assert one.attributes["seed"] != other.attributes["seed"]
    assert not np.isin(one["a"], other["a"]).any()
    assert one["a"].tolist() == c.replicates(count=20, seed=one.attributes["seed"])["a"].tolist()
    swept = c.sweep({"a/mean": [0.0, 1.0]}, seed=None)
    assert swept["a"].tolist() == c.sweep({"a/mean": [0.0, 1.0]}, seed=swept.attributes["seed"])["a"].tolist()


def test_the_seed_of_the_model_must_fit_the_keys() -> None:
    c = drawing(prng="philox").compile()
    big = cogir.Model("m", seed=2**40, prng="philox")
    big.node("a", library.normal_dist)
    with pytest.raises(cogir.InputError, match=r"the seed of the model is 1099511627776; give seed=, a whole number from 0 to 4294967295"):
        big.compile().replicates()
    with pytest.raises(cogir.InputError, match="seed is 4294967296; give a whole number from 0 to 4294967295"):
        c.replicates(seed=2**32)
    with pytest.raises(cogir.InputError, match="seed is 'other'"):
        c.replicates(seed="other")  # type: ignore[arg-type]


def test_parts_of_a_model_differ_by_seed_and_place() -> None:
    def inner(seed: int) -> cogir.Model:
        m = cogir.Model("inner", seed=seed)
        m.node("a", library.normal_dist)
        return m

    def outer(seed: int, part: int) -> list[float]:
        m = cogir.Model("outer", seed=seed)
        shared = inner(part)
        for name in ("one", "two"):
            m.instance(name, shared)
        found = m.compile().run()
        return [each.item() for each in found.values()]

    numbers = [number for seed, part in product((0, 1), (0, 1, 2)) for number in outer(seed, part)]
    assert len(set(numbers)) == 12


@pytest.mark.parametrize("kind", ["xoshiro256", "mt19937"])
def test_a_stream_by_name_repeats_a_replicate(kind: str) -> None:
    c = drawing(prng=kind).compile()
    for context in (None, "s3"):
        alone = c.replicates(count=4, seed=9, context=context, start="fresh")
        swept = c.sweep({"a/mean": [0.0, 0.0]}, replicates=3, seed=9, context=context, start="fresh")
        own = c.context("own")
        for place, expected in (({}, alone), ({"point": 1}, swept)):
            for number, name in enumerate(own.generators):
                generator = name if kind == "xoshiro256" else number
                own.generators[name] = cogir.random(9, kind, replicate=2, generator=generator, context=context, **place)
            again = c.run(context=own)
            for name in NODES:
                assert again[name].tolist() == (expected[name][1, 2] if place else expected[name][2]).tolist()


def test_a_stream_by_name_is_that_of_a_run() -> None:
    m = drawing()
    c = m.compile()
    assert c.run()["a"].item() == cogir.random(3, generator="a").normal()
    assert c.run(context="s3")["a"].item() == cogir.random(3, generator="a/random:random", context="s3").normal()
    assert drawing(prng="mt19937").compile().run()["b"].item() == cogir.random(3, "mt19937", generator=1).uniform()


def test_a_stream_of_another_generator_is_refused() -> None:
    c = drawing().compile()
    stream = cogir.random(9, replicate=0, generator="b")
    with pytest.raises(cogir.InputError, match="generator a/random:random: the given stream is that of b/random:random; give "):
        c.generators["a"] = stream
    c.generators["a"] = stream.words


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: cogir.random(9, replicate=0), "generator is None; xoshiro256 has streams by name: give the node, or a name"),
        (lambda: cogir.random(9, replicate=0, generator=1), "generator is 1; xoshiro256 has streams by name"),
        (lambda: cogir.random(9, "mt19937", replicate=0, generator="a"), "generator is 'a'; mt19937 has streams by number"),
        (lambda: cogir.random(9, context="s3"), "found context='s3' without a generator"),
        (lambda: cogir.random(9, point=1, generator="a"), "found point=1 without a replicate"),
    ],
)
def test_what_a_kind_of_generator_needs(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(cogir.ModelError, match=message.replace("(", r"\(")):
        call()


# Everywhere the same

FIRST = {
    None: [-1.7162387503172187, 0.8142647326854789],
    "s3": [-0.9778433936819152, 0.7249538725290917],
}


def first_numbers(c: cogir.Compiled, context: str | None) -> list[float]:
    found = c.run(context=context)
    return [found[name].item() for name in NODES]


@pytest.mark.parametrize("way", ["run", "python", "per_node", "exec", "text", "machine", "loops", "checked"])
def test_all_ways_draw_these_numbers(way: str) -> None:
    if way in ("machine", "loops"):
        c = cogir.Compiled(StagedEngine(source_of(drawing()), way), way, "m")
    elif way == "text":
        c = cogir.compile(str(drawing().ir()))
    else:
        c = drawing().compile(checked=True) if way == "checked" else drawing().compile(mode=way)  # type: ignore[arg-type]
    for context, numbers in FIRST.items():
        assert first_numbers(c, context) == numbers
    assert c.replicates(count=3, start="fresh")["a"].ravel().tolist() == REPLICATES
    assert c.sweep({"a/mean": [0.0, 0.0]}, start="fresh")["a"].ravel().tolist() == SWEEP


@pytest.mark.parametrize("context", FIRST)
def test_the_emulated_gpu_draws_these_numbers(context: str | None) -> None:
    here, there = drawing().compile(), drawing().compile(target="cuda-emulated")
    found = there.replicates(count=3, context=context, start="fresh")
    assert np.array_equal(found["a"], here.replicates(count=3, context=context, start="fresh")["a"])
    assert (found["a"].ravel().tolist() == REPLICATES) == (context is None)
    points = {"a/mean": [0.0, 0.0]}
    swept = there.sweep(points, context=context, start="fresh")["a"]
    assert np.array_equal(swept, here.sweep(points, context=context, start="fresh")["a"])
    assert (swept.ravel().tolist() == SWEEP) == (context is None)


@pytest.mark.parametrize("ending", [".npz", ".nc", ".zarr"])
def test_files_say_the_seed_and_the_version(ending: str, tmp_path: Path) -> None:
    if ending != ".npz":
        pytest.importorskip("xarray")
    c = drawing().compile()
    results = {"run": c.run(), "replicates": c.replicates(count=2, seed=11, start="fresh")}
    results["sweep"] = c.sweep({"a/mean": [0.0, 1.0]}, seed=12, start="fresh")
    seeds = {"run": 3, "replicates": 11, "sweep": 12}
    for kind, result in results.items():
        result.save(tmp_path / f"{kind}{ending}")
        kept = cogir.load(tmp_path / f"{kind}{ending}").attributes
        assert (kept["streams_version"], kept["seed"]) == (VERSION, seeds[kind])


REPLICATES = [-0.3589117291334431, -0.505710796755872, -0.3401942085076559]
SWEEP = [0.951625144575999, 0.38136050045562386]


SCRIPT = """
import sys
import cogir
from cogir import library
m = cogir.Model("m", seed=3)
m.node("a", library.normal_dist)
m.node("b", library.uniform_dist)
found = m.compile().run(context="s3")
print([found[name].item() for name in "ab"])
"""


def test_names_mean_the_same_in_every_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONHASHSEED", "12345")
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(FIRST["s3"])


def test_cog_run_draws_these_numbers(tmp_path: Path) -> None:
    from cogir.tools.cog_run import main

    file, found = tmp_path / "m.mlir", tmp_path / "found.npz"
    file.write_text(str(drawing().ir()))
    assert main([str(file), "--quiet", "--save", str(found), "--trials", "1"]) == 0
    held = np.load(found)
    assert sorted(held[name].item() for name in held.files if held[name].size == 1) == sorted(FIRST[None])
    other = cogir.Model("m", seed=8)
    other.node("a", library.normal_dist)
    other.node("b", library.uniform_dist)
    assert main([str(file), "--quiet", "--save", str(found), "--trials", "1", "--seed", "8", "--overwrite"]) == 0
    held = np.load(found)
    assert sorted(held[name].item() for name in held.files if held[name].size == 1) == sorted(first_numbers(other.compile(), None))


def test_names_and_seeds_are_hashed_for_good() -> None:
    assert VERSION == 2
    assert word_of("a/random:random") == -5741016901378949951
    assert root_of(3) == 3
    assert root_of(3, "s3") == 15141019602130854445
    assert root_of(3, None, 4) == 14084290566341262993
    assert mixed(3, "fit", 1) == 5163618939867894587
    assert root_of(int(np.int64(3)), str(np.str_("s3"))) == root_of(np.int64(3), np.str_("s3"))  # type: ignore[arg-type]


# Simulations of controllers


def scaled(x: Value, *, gain: float = 1.0, random: Random) -> float:
    return gain * random.normal()


def difference(one: float, other: float) -> float:
    return one - other


def searching(kind: str, mode: Any, *, inside: bool = False) -> cogir.Compiled:
    """A search over a gain, whose objective is the difference of two nodes that draw: 0 where they draw the same."""
    noisy = cogir.Model("noisy", prng=kind)
    a, b = (noisy.node(name, scaled, input=()) for name in NODES)
    gap = noisy.node("gap", difference, input=())
    noisy.project(a, gap["one"])
    noisy.project(b, gap["other"])
    signals = [cogir.Signal(a.param("gain"), levels=[1.0, 1.0])]
    noisy.control("c", objective=gap, signals=signals, estimates=3, seed_base=5, keep="values")
    if inside:
        outer = cogir.Model("outer")
        outer.instance("part", noisy)
        noisy = outer
    return noisy.compile(mode=mode)


@pytest.mark.parametrize("inside", [False, True])
def test_the_generators_of_a_simulation_differ(inside: bool) -> None:
    found: dict[str, list[float]] = {}
    for mode in ("run", "python"):
        for kind in ("xoshiro256", "mt19937"):
            c = searching(kind, mode, inside=inside)
            c.run(num_trials=1)
            path = next(path for path in c.state if path.endswith("/values"))
            found[f"{kind} {mode}"] = np.ravel(c.state[path]).tolist()
    assert found["xoshiro256 run"] == found["xoshiro256 python"]
    assert all(abs(value) > 1e-6 for value in found["xoshiro256 run"])
    assert found["mt19937 run"] == found["mt19937 python"] == [0.0, 0.0], "as in PsyNeuLink, all have one seed"


def test_a_simulation_does_not_draw_what_the_trial_draws() -> None:
    """The seeds of estimates count from 0, and so does the seed of a model."""
    words = generators.seeded_words("xoshiro256", 0, word_of("a/random:random"), SIMULATED)
    assert not np.isin(words[:4], generators.model_words("xoshiro256", 0, "a/random:random", 0, 0)[:4]).any()
