"""Arguments of all kinds: each question gives an answer that can be shown, or an error of cogir's."""

import contextlib
import warnings
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest

import cogir
from cogir.library import State, Step, Value

analyze = cogir.analyze


def grows(x: Value, *, a: float = 1.0, k: int = 2, b: bool = True, w: Value = np.array([1.0, 2.0]), s: State = 0.0) -> Step:
    s = 0.5 * s + a * x[0] + k + w[1]
    return Step(outputs=(s, x * w), states=(s,), finished=s > 3.0)


MODEL = cogir.Model("m")
NODE = MODEL.node("n", grows, input=2, execute_until_finished=True, reset_each_trial=True, max_executions_before_finished=5)
ODD: list[Any] = [
    None, 0, 1, -1, 2.5, np.nan, np.inf, -np.inf, True, "x", "", b"x", (), (0,), (0, 1), (1, 0), (0, 1, 2), [0, 1], [[0, 1], [1, 2]], {},
    {"a": 1}, {1, 2}, object(), 1j, np.array(3.0), np.array([1, 2, 3]), np.float32(1), np.int64(3), 10**400, (0, 10**400), -(10**30),
    ("a", "b"), (None, 1), (np.nan, 1), len, MODEL, NODE, int, np.ma.array([1.0, 2.0], mask=[1, 0]), cogir.Between(0, 1), cogir.Between(0),
    "declared", "largest", (0.0, 1.0), ([0, 1], [1, 2]), ([0, 1], [1, 2, 3]), np.zeros(0), np.datetime64("2020-01-01"), slice(1), range(3),
    ..., 1e308, (-1e308, 1e308), 5e-324,
]  # fmt: skip
NAMES: list[Any] = ["n/a", "n/k", "n/b", "n/w", "n", "n/x", "n/value_0", "n[0]", "n/w[1]", "n/limit:executions", "x/y", 3, ("n", "a"), NODE]


class Asker:
    """Random questions."""

    def __init__(self, seed: int):
        self.source = Random(seed)

    def odd(self) -> Any:
        return self.source.choice(ODD)

    def box(self) -> Any:
        if self.source.random() < 0.3:
            return self.odd()
        return {self.source.choice(NAMES): self.source.choice((self.odd(), (0.0, 1.0))) for _ in range(self.source.randint(0, 2))}

    def options(self, share: float, *names: str) -> dict[str, Any]:
        return {name: self.source.choice((self.odd(), self.box())) for name in names if self.source.random() < share}

    def question(self) -> Callable[[], Any]:
        choice = self.source.choice
        parameters, inputs = choice(({"n/a": (0.0, 1.0)}, None, self.box())), choice(({"n": (0.0, 1.0)}, {"n": self.odd()}, self.box()))
        model = self.odd() if self.source.random() < 0.05 else MODEL
        match self.source.randint(0, 5):
            case 0:
                given = {"trials": choice((1, 2, 3)), **self.options(0.2, "trials", "draws", "split", "math")}
                return lambda: analyze.ranges(model, parameters, inputs, **given)
            case 1:
                given = self.options(0.2, "trials", "draws", "slopes")
                return lambda: analyze.sensitivity(model, parameters, inputs, **given)
            case 2:
                until = choice((None, self.odd(), (choice(NAMES), choice((">=", self.odd())), choice((1.0, self.odd())))))
                given = {"until": until, "most_steps": 20, **self.options(0.2, "draws", "most_steps")}
                return lambda: analyze.convergence(model, parameters, inputs, **given)
            case 3:
                names = ("objective", "direction", "trials", "draws", "rounds", "narrow", "keep", "draw_parts")
                given = {"rounds": 2, "objective": choice(("n", "n/value_1")), **self.options(0.15, *names)}
                return lambda: analyze.refine(model, parameters, inputs, **given)
            case 4:
                names = ("level", "inputs", "outputs", "nodes", "parameters", "for_all", "find_parameters", "budget")
                given = self.options(0.25, *names)
                return lambda: analyze.equivalent(model, MODEL, **given)
            case _:
                given = self.options(0.9, "consent")
                return lambda: analyze.simplified(model, **given)


def check(seed: int, count: int) -> int:
    """Asks questions; the number of those that have an answer."""
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    asker, answered = Asker(seed), 0
    for _ in range(count):
        ask = asker.question()
        with warnings.catch_warnings(), contextlib.suppress(cogir.CogirError):
            warnings.simplefilter("error")
            found = ask()
            assert isinstance(bool(found), bool)
            assert str(found)
            answered += 1
            for method in ("to_dataframe", "to_xarray", "plot"):
                getattr(found, method, str)()
        pyplot.close("all")
    return answered


def test_odd_arguments() -> None:
    assert check(1, 60) > 5


@pytest.mark.full
@pytest.mark.parametrize("seed", range(2, 8))
def test_many_odd_arguments(seed: int) -> None:
    assert check(seed, 400) > 20
