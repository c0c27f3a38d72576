"""
Random models: what the interpreter says of a model is what its machine code does, to the bit.

`make test` tries a sample; `make check-full` ten thousand, and prints what was in them. Model `n` is `wide_model(Random(n))`, the same
each time; `COGIR_RANDOM_SEED=k` draws others, from `n = 10,000 k` on.
"""

import os
from collections import Counter
from collections.abc import Iterable
from random import Random

import pytest
from support.compare_models import compare
from support.random.draws import random_draws
from support.random.models import ALL_CONDITIONS, Drawn, random_model, wide_model
from support.random.nodes import counter, pooled

import cogir

SAMPLE = 10
THOUSANDS = 10
FIRST = 1000 * THOUSANDS * int(os.environ.get("COGIR_RANDOM_SEED", "0"))


def failures(seeds: Iterable[int], seen: Counter[str], tried: set[str]) -> list[str]:
    """Says of each model that does not behave alike which one it is; adds what is in the models to `seen`, their texts to `tried`."""
    failed: list[str] = []
    for seed in seeds:
        try:
            drawn = wide_model(Random(seed))
            tried.add(str(drawn.model.ir()))
            seen.update(tag for tag, count in drawn.tags.items() if count)
            compare(drawn)
        except Exception as error:  # a long run tells all that it finds
            failed.append(f"wide_model(Random({seed})): {type(error).__name__}: {error}")
    return failed


def test_a_sample() -> None:
    failed = failures(range(FIRST, FIRST + SAMPLE), Counter(), set())
    assert not failed, "\n\n".join(failed)


@pytest.mark.parametrize("seed", range(SAMPLE))
def test_a_sample_of_models_with_fewer_kinds(seed: int) -> None:
    compare(random_model(Random(FIRST + seed)))


@pytest.mark.parametrize("seed", range(SAMPLE // 3))
def test_a_sample_of_models_with_all_distributions(seed: int) -> None:
    compare(random_draws(Random(FIRST + seed)))


def test_recurrent_projection_of_an_instance() -> None:
    """Found by random models: the interpreter did not know what such a projection sends."""
    inner = cogir.Model("inner")
    inner.node("unit", cogir.library.linear, slope=0.5)
    model = cogir.Model("outer")
    instance = model.instance("within", inner)
    model.project(instance, instance, matrix=[[0.5]], recurrent=True)
    model.input(instance)
    model.output(instance)
    compare(Drawn(model, {"within/unit": [[1.0], [2.0]]}, 3, {}))


def test_recurrent_projection_that_its_own_node_modulates() -> None:
    """Found by random models: machine code modulated by the values of the repetition before, not by those from before the time step."""
    model = cogir.Model("model")
    node = model.node("node", counter, execute_until_finished=True, limit=4.0)
    feedback = model.project(node, node, function=pooled((1,)), name="feedback", recurrent=True)
    model.modulate(node["count"], feedback.param("rate"), "add")
    model.input(node)
    model.output(node)
    compare(Drawn(model, {"node": [[1.0], [2.0]]}, 3, {}))


@pytest.mark.full
def test_a_model_with_a_function_of_a_hundred_thousand_instructions() -> None:
    """Found by random models: LLVM's NewGVN ended the process. The whole comparison is one of the ten thousand."""
    wide_model(Random(1378)).model.compile(mode="run", cache=False)


@pytest.mark.full
@pytest.mark.parametrize("thousand", range(THOUSANDS))
def test_ten_thousand(thousand: int) -> None:
    seen: Counter[str] = Counter()
    tried: set[str] = set()
    first = FIRST + 1000 * thousand
    failed = failures(range(first, first + 1000), seen, tried)
    assert not failed, "\n\n".join((f"{len(failed)} of 1000 models", *failed))
    print(f"{len(tried)} different random models (seeds {first} to {first + 999}): interpreted == compiled, to the bit")
    print(f"{len(ALL_CONDITIONS)} conditions: the rarest is in {min(seen[name] for name in ALL_CONDITIONS)} models")
    for tag, count in seen.most_common():
        print(f"  {tag:36s} {count:5d}  {count / 10:5.1f} %{'  condition' if tag in ALL_CONDITIONS else ''}")
    assert len(tried) >= 999
    assert not [name for name in ALL_CONDITIONS if seen[name] < 20]
    for tag, least in LEAST.items():
        assert seen[tag] >= least, tag


LEAST = {
    "cyclic": 300,
    "draws": 300,
    "distributions": 50,
    "grid_search": 100,
    "instance": 100,
    "instance within an instance": 30,
    "until finished": 100,
    "tally": 50,
    "extremes": 50,
    "reset": 100,
    "shadow": 50,
    "trial given up": 20,
    "act: copy": 100,
    "act: reset": 100,
    "act: generator": 50,
}
"""How many of a thousand models have this at least."""
