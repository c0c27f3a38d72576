"""
Planted faults in kernels: emulated kernels no longer give the bits of the CPU, so the tests with kernels would find them.

A search of 18 x 17 points is done in three launches of two blocks, whose threads have several points each; replicates have a loop with a
random end, and buffers in a workspace.
"""

from collections.abc import Callable

import numpy as np
import pytest
from support.kernels import emulating, same_bits, searching
from support.planted.in_kernels import KERNEL_PLANTS

import cogir
from cogir import library
from cogir.library import Random, State, Step, Value

SHAPE = (2, 32)
LIMIT = {"max_executions_before_finished": 500}


def valley(value: Value, *, x: float = 1.0, y: float = 1.0) -> Value:
    """A valley along `y`, which falls to its end; where that is far, its bottom is flat."""
    return np.array([(x - value[0]) * (x - value[0]) - np.minimum(y, value[1])])


def drifting(value: Value, *, end: float = 1.0, total: State = 0.0, random: Random) -> Step:
    """Sums of products with noise, until one is far enough from zero."""
    noise = random.normal((8,))
    total = total + 0.3 * value[0] + 0.1 * np.sum(np.outer(noise, noise[::-1])[0]) + 0.2 * noise[1]
    return Step(outputs=(total,), states=(total,), finished=np.abs(total) >= end)


def search_is_right() -> bool:
    """True if an emulated search finds what the CPU finds."""
    model = cogir.Model("grid")
    node = model.node("node", valley, input=2)
    levels = {"x": np.linspace(0.0, 8.5, 18).tolist(), "y": np.linspace(0.0, 8.0, 17).tolist()}
    signals = [cogir.Signal(node.param(name), levels=values) for name, values in levels.items()]
    model.control("search", objective=node, signals=signals, direction="minimize")
    inputs = {"node": [[0.1, 9.0], [2.2, 9.0], [6.1, 0.0], [8.4, 0.0]]}
    found = searching(model)(SHAPE)[0].run(inputs, num_trials=5)
    return same_bits(model.compile(cache=False).run(inputs, num_trials=5), found)


def replicates_are_right() -> bool:
    """True if emulated replicates have the outputs of those on the CPU."""
    model = cogir.Model("drifting")
    walk = model.node("walk", drifting, input=1, prng="xoshiro256", execute_until_finished=True, reset_each_trial=True, **LIMIT)
    answer = model.node("answer", library.logistic)
    model.project(walk, answer)
    model.output(walk, answer)
    inputs = {"walk": [[0.2], [-0.1]]}
    found = emulating(model, SHAPE)[0].replicates(inputs, count=100, seed=1)
    return same_bits(model.compile(cache=False).replicates(inputs, count=100, seed=1), found)


LOOKS: dict[str, Callable[[], bool]] = {"search": search_is_right, "replicates": replicates_are_right}


@pytest.mark.sampled(2)
@pytest.mark.filterwarnings("ignore::cogir.UnfinishedWarning")
@pytest.mark.parametrize("name", KERNEL_PLANTS)
def test_is_caught(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plant, look = KERNEL_PLANTS[name]
    assert LOOKS[look]()
    plant(monkeypatch)
    assert not LOOKS[look]()
