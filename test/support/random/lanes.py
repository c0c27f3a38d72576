"""Random models whose replicates go through a loop side by side (`fill-lanes`): accumulators with bounds of all kinds."""

import math
from random import Random as Source

import numpy as np
from support.random.models import Drawn

import cogir
from cogir import library
from cogir.library import Random, State, Step, Value

TRANSFERS = (library.linear, library.tanh, library.logistic)
AWKWARD = (0.0, -0.0, 5e-324, math.inf, -math.inf, math.nan)


def bounded(
    evidence: Value, *, noise: float = 0.5, low: float = -2.0, high: float = 2.0, end: float = 1.0, total: State = 0.0, random: Random
) -> Step:
    """Sums with noise that stay between bounds, until the first one is far enough from zero."""
    total = total + 0.3 * evidence + 0.1 * np.sum(np.outer(total, evidence), axis=1) + noise * random.normal(evidence.shape)
    total = np.minimum(np.maximum(total, low), high)
    return Step(outputs=(total,), states=(total,), finished=abs(total[0]) >= end)


def random_lanes(source: Source) -> Drawn:
    """A stimulus, an accumulator that ends a trial when it has decided or is tired, and what is made of its decision."""
    model, size = cogir.Model("lanes"), source.choice((1, 2, 3))
    given = {"noise": source.uniform(0.1, 1.0), "end": source.uniform(0.2, 1.5)}
    for name in ("low", "high"):
        if source.random() < 0.4:
            given[name] = source.choice(AWKWARD)
    stimulus = model.node("stimulus", input=size)
    accumulator = model.node(
        "accumulator",
        bounded,
        input=size,
        execute_until_finished=True,
        max_executions_before_finished=source.randint(3, 9),
        prng="xoshiro256",
        **given,
    )
    answer = model.node("answer", source.choice(TRANSFERS), input=size)
    model.project(stimulus, accumulator)
    model.project(accumulator, answer)
    model.output(accumulator, answer)
    if source.random() < 0.5:
        model.schedule.reset(accumulator, cogir.AtTrialStart())
    inputs = {"stimulus": [[source.choice((0.0, -0.0, 0.3, -0.5, 1.0)) for _ in range(size)] for _ in range(2)]}
    return Drawn(model, inputs, source.randint(1, 2), {})
