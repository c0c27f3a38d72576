"""
Random models: what the interpreter says of a model is what its machine code does, to the bit.

`make test` tries a sample; `make check-full` at least a thousand, and prints what was in them.
"""

import os
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import cogir
from cogir.errors import ExecutionError

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from random_models import ALL_CONDITIONS, Drawn, random_model

SAMPLE = int(os.environ.get("COGIR_RANDOM_MODELS", "40"))
FULL = 1000


def behaviour(drawn: Drawn, mode: str) -> tuple[Any, ...]:
    """Everything that can be seen of three runs: the results of each trial, and the state that is left."""
    compiled = drawn.model.compile(mode=mode, cache=False) if mode == "run" else drawn.model.compile(mode=mode)
    seen: list[Any] = []
    for number, trials in enumerate((drawn.trials, 1, 2)):
        for path, value in drawn.changes.items() if number == 1 else ():
            compiled.params[path] = value
        try:
            result = compiled.run(drawn.inputs, num_trials=trials)
        except ExecutionError as error:
            return (*seen, str(error).split(":")[0])
        for trial in result.results:
            seen.append(tuple(np.asarray(value, dtype=float).ravel().view(np.int64).tobytes() for value in trial))
        for name, allocation in result.allocations.items():
            seen.append((name, np.asarray(allocation, dtype=float).tobytes()))
    state = {path: np.asarray(compiled.state[path], dtype=float).ravel() for path in sorted(compiled.state)}
    seen.append({path: value.tobytes() for path, value in state.items() if "/port:" in path or "/state:" in path})
    seen.append({path: compiled.generators.words(path).tobytes() for path in sorted(compiled.generators)})
    return tuple(seen)


def check(drawn: Drawn) -> None:
    """Compares the two."""
    with np.errstate(all="ignore"):
        interpreted = behaviour(drawn, "python")
        native = behaviour(drawn, "run")
    assert native == interpreted, f"{drawn.model.ir()}"


@settings(max_examples=SAMPLE, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True, phases=[Phase.generate])
@given(st.data())
def test_a_sample(data: Any) -> None:
    check(random_model(data.draw))


def test_recurrent_projection_of_an_instance() -> None:
    """Found by random models: the interpreter did not know what such a projection sends."""
    inner = cogir.Model("inner")
    inner.node("unit", cogir.library.linear, slope=0.5)
    model = cogir.Model("outer")
    instance = model.instance("within", inner)
    model.project(instance, instance, matrix=[[0.5]], recurrent=True)
    model.input(instance)
    model.output(instance)
    check(Drawn(model, {"within/unit": [[1.0], [2.0]]}, 3, {}))


@pytest.mark.full
def test_a_thousand(capsys: pytest.CaptureFixture[str]) -> None:
    seen: Counter[str] = Counter()
    models = 0

    @settings(max_examples=FULL + 200, deadline=None, suppress_health_check=list(HealthCheck), phases=[Phase.generate])
    @given(st.data())
    def explore(data: Any) -> None:
        nonlocal models
        drawn = random_model(data.draw)
        check(drawn)
        models += 1
        seen.update({tag: 1 for tag, count in drawn.tags.items() if count})

    explore()
    with capsys.disabled():
        print(f"\n{models} random models, interpreted == compiled")
        for tag, count in seen.most_common():
            print(f"  {tag:24s} {count:5d}  {100 * count / models:5.1f} %")
    assert models >= FULL
    assert not [name for name in ALL_CONDITIONS if seen[name] < 20]
    assert seen["cyclic"] >= 0.3 * models
    assert seen["grid_search"] >= 0.1 * models
    assert seen["draws"] >= 0.3 * models
