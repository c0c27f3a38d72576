"""
Random models: what the interpreter says of a model is what its machine code does, to the bit.

`make test` tries a sample; `make check-full` at least a thousand, and prints what was in them. Both draw the same models each time;
`COGIR_RANDOM_SEED` draws others.
"""

import os
from collections import Counter
from random import Random

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from support.compare_models import compare
from support.random_models import ALL_CONDITIONS, Drawn, random_model
from support.random_nodes import counter, pooled

import cogir

SAMPLE = 40
FULL = 1000
SEED = int(os.environ.get("COGIR_RANDOM_SEED", "1"))
EXPLORE = settings(deadline=None, database=None, suppress_health_check=list(HealthCheck), phases=[Phase.generate])


@seed(SEED)
@settings(EXPLORE, max_examples=SAMPLE)
@given(st.randoms(use_true_random=True))
def test_a_sample(source: Random) -> None:
    compare(random_model(source))


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
def test_a_thousand(capsys: pytest.CaptureFixture[str]) -> None:
    seen: Counter[str] = Counter()
    tried: set[str] = set()
    failed: list[str] = []

    @seed(SEED)
    @settings(EXPLORE, max_examples=FULL + 50)
    @given(st.randoms(use_true_random=True))
    def explore(source: Random) -> None:
        drawn = random_model(source)
        if (text := str(drawn.model.ir())) in tried:
            return
        try:
            compare(drawn)
        except AssertionError as error:  # a long run tells all that it finds
            failed.append(str(error))
        tried.add(text)
        seen.update(tag for tag, count in drawn.tags.items() if count)

    explore()
    models = len(tried)
    assert not failed, "\n\n".join((f"{len(failed)} of {models} models", *failed))
    with capsys.disabled():
        print(f"\n{models} different random models (seed {SEED}), each run three times: interpreted == compiled, to the bit")
        print(f"{len(ALL_CONDITIONS)} conditions: the rarest is in {min(seen[name] for name in ALL_CONDITIONS)} models")
        for tag, count in seen.most_common():
            print(f"  {tag:32s} {count:5d}  {100 * count / models:5.1f} %{'  condition' if tag in ALL_CONDITIONS else ''}")
    assert models >= FULL
    assert not [name for name in ALL_CONDITIONS if seen[name] < 20]
    assert seen["cyclic"] >= 0.3 * models
    assert seen["grid_search"] >= 0.1 * models
    assert seen["draws"] >= 0.3 * models
