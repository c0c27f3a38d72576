"""
Random models that go on until a condition on values holds, and how many steps their runs take.

Each of them counts its steps, so that runs can be held against the bounds of `cogir.analyze.convergence`: executions of a node until it
has finished, passes of a trial, or trials.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np

import cogir
from cogir.analyze import Convergence, convergence
from cogir.library.signature import Random as Generator
from cogir.library.signature import State, Step, Value, node_function


@node_function(outputs=("value", "steps"))
def integrate(
    variable: Value,
    *,
    rate: Value = 1.0,
    share: Value = 0.1,
    noise: Value = 0.0,
    leak: Value = 0.0,
    threshold: Value = 1.0,
    total: State = 0.0,
    steps: State = 0.0,
    random: Generator,
) -> Step:
    """A leaky integrator with noise between two bounds."""
    value = total + share * (rate * variable[0] - leak * total) + noise * np.sqrt(share) * random.normal()
    return Step(outputs=(value, steps + 1.0), states=(value, steps + 1.0), finished=abs(value) >= threshold)


@node_function(outputs=("value", "steps"))
def collapse(
    variable: Value, *, rate: Value = 1.0, threshold: Value = 1.0, slope: Value = 0.02, total: State = 0.0, steps: State = 0.0
) -> Step:
    """An integrator whose bounds come closer with each step."""
    value = total + 0.1 * rate * variable[0]
    return Step(outputs=(value, steps + 1.0), states=(value, steps + 1.0), finished=abs(value) >= threshold - slope * steps)


@node_function(outputs=("value", "steps"))
def grow(variable: Value, *, rate: Value = 1.0, threshold: Value = 0.9, total: State = 0.05, steps: State = 0.0) -> Step:
    """Logistic growth up to a threshold."""
    value = total + rate * total * (1.0 - total) + 0.01 * variable[0]
    return Step(outputs=(value, steps + 1.0), states=(value, steps + 1.0), finished=value >= threshold)


@node_function(outputs=("value", "steps"))
def decay(variable: Value, *, rate: Value = 0.1, threshold: Value = 0.2, total: State = 1.0, steps: State = 0.0) -> Step:
    """Decay until less than a threshold is left."""
    value = total * (1.0 - rate) + 0.001 * variable[0]
    return Step(outputs=(value, steps + 1.0), states=(value, steps + 1.0), finished=value < threshold)


@node_function(outputs=("value", "steps"))
def choose(variable: Value, *, up: Value = 0.2, down: Value = 0.05, threshold: Value = 1.0, total: State = 0.0, steps: State = 0.0) -> Step:
    """Steps of two sizes, by the sign of the evidence and by where the sum is."""
    if variable[0] * (1.0 - total) > 0.25:
        value = total + up
    else:
        value = total + down * np.exp(-total)
    return Step(outputs=(value, steps + 1.0), states=(value, steps + 1.0), finished=value >= threshold)


@node_function(outputs=("value", "steps"))
def tally(variable: Value, *, rate: Value = 2.0, threshold: Value = 0.8, total: State = 0, steps: State = 0) -> Step:
    """A count of events, a whole number as that of its steps."""
    value = total + int(rate * variable[0])
    return Step(outputs=(value, steps + 1), states=(value, steps + 1), finished=value >= 10.0 * threshold)


Ends = tuple[float, float]
SPACES: dict[Callable[..., Any], dict[str, Ends]] = {
    integrate: {"rate": (-1.0, 2.0), "share": (0.05, 0.3), "noise": (0.0, 0.3), "leak": (0.0, 0.5), "threshold": (0.2, 1.5)},
    collapse: {"rate": (-1.0, 2.0), "threshold": (0.2, 1.5), "slope": (0.005, 0.1)},
    grow: {"rate": (0.05, 0.6), "threshold": (0.3, 0.95)},
    decay: {"rate": (0.02, 0.5), "threshold": (0.05, 0.8)},
    choose: {"up": (0.02, 0.3), "down": (0.01, 0.1), "threshold": (0.3, 1.5)},
    tally: {"rate": (0.5, 4.0), "threshold": (0.2, 1.5)},
}
"""The functions, with the ends within which their parameters lie."""
INPUT: Ends = (-1.0, 1.5)
LIMITS = (5, 40, 120)
TRIALS = 25


class OutOfBounds(AssertionError):
    """A run with fewer or more steps than was found."""


def random_ends(source: Random, low: float, high: float) -> Ends:
    """A box within ends: a point, one unit in the last place, narrow, or wide."""
    center = source.uniform(low, high)
    match source.randint(0, 4):
        case 0 | 1:
            return center, center
        case 2:
            return center, math.nextafter(center, math.inf)
        case 3:
            return center, min(high, center + 0.05 * (high - low))
        case _:
            first, last = sorted((center, source.uniform(low, high)))
            return first, last


def sampled(source: Random, ends: Ends) -> float:
    """A number of a box, a corner as often as not."""
    return source.choice((*ends, source.uniform(*ends), min(max(source.uniform(*ends), ends[0]), ends[1])))


@dataclass
class CountedRuns:
    """A model, boxes for its parameters and input, the bounds on its steps, and how a number of runs counts them."""

    model: cogir.Model
    parameters: dict[str, Ends]
    input: Ends
    bounds: Convergence
    steps: Callable[[cogir.Compiled, np.ndarray], list[int]]
    """The numbers of steps of the runs with these inputs; a run that did not get there is left out."""

    def check(self, source: Random, choices: int) -> int:
        """Runs the model with so many choices of parameters; gives the number of counts that lay in the bounds."""
        compiled = self.model.compile(mode="run", unfinished="ignore", cache=False)
        found = 0
        for number in range(choices):
            for name, ends in self.parameters.items():
                compiled.params[name] = ends[number] if number < 2 else sampled(source, ends)
            inputs = np.array([[sampled(source, self.input)] for _ in range(TRIALS)])
            inputs[:2, 0] = self.input
            for steps in self.steps(compiled, inputs):
                found += 1
                if self.bounds.earliest is None or steps < self.bounds.earliest:
                    raise OutOfBounds(f"{steps} steps, found from {self.bounds.earliest}")
                if self.bounds.latest is not None and steps > self.bounds.latest:
                    raise OutOfBounds(f"{steps} steps, found to {self.bounds.latest}")
        return found


def counted(compiled: cogir.Compiled, inputs: np.ndarray) -> list[int]:
    """The steps that the node itself has counted in each trial."""
    result = compiled.run({"unit": inputs}, num_trials=TRIALS)
    return [int(each) for each in np.asarray(result["unit/steps"]).reshape(-1)]


def until(number: float) -> Callable[[cogir.Compiled, np.ndarray], list[int]]:
    """The first trial whose value has reached a number, of a run from the beginning."""

    def steps(compiled: cogir.Compiled, inputs: np.ndarray) -> list[int]:
        compiled.reset()
        values = np.asarray(compiled.run({"unit": inputs}, num_trials=TRIALS)["unit/value"]).reshape(-1)
        reached = np.flatnonzero(values >= number)
        return [int(reached[0]) + 1] if reached.size else []

    return steps


def random_runs(source: Random) -> CountedRuns:
    """A random model that goes on until a condition holds."""
    function = source.choice(list(SPACES))
    model = cogir.Model("steps", seed=source.randint(0, 999))
    parameters = {f"unit/{name}": random_ends(source, *ends) for name, ends in SPACES[function].items()}
    given: Ends = random_ends(source, *INPUT)
    kind = source.choice(("executions", "executions", "passes", "trials"))
    options: dict[str, Any] = {"prng": source.choice(("xoshiro256", "mt19937", "philox4x64"))} if function is integrate else {}
    if kind == "executions":
        limit = source.choice(LIMITS)
        model.node(
            "unit", function, input=1, execute_until_finished=True, max_executions_before_finished=limit, reset_each_trial=True, **options
        )
        return CountedRuns(model, parameters, given, convergence(model, parameters, {"unit": given}), counted)
    if kind == "passes":
        unit = model.node("unit", function, input=1, reset_each_trial=True, **options)
        relation, number = ("<=", 0.3) if function is decay else (">=", source.uniform(0.2, 1.0))
        model.schedule.trial_ends(cogir.Threshold(unit, "value", number, relation) | cogir.AfterNPasses(source.choice(LIMITS)))
        return CountedRuns(model, parameters, given, convergence(model, parameters, {"unit": given}), counted)
    model.node("unit", function, input=1, **options)
    number = source.uniform(0.2, 1.0) * (10.0 if function is tally else 1.0)
    bounds = convergence(model, parameters, {"unit": given}, until=("unit/value", ">=", number), most_steps=2 * TRIALS)
    return CountedRuns(model, parameters, given, bounds, until(number))


def check_steps(seed: int, choices: int) -> tuple[int, bool]:
    """The number of counts of a random model that lay in its bounds, and whether there is a latest step."""
    source = Random(seed)
    runs = random_runs(source)
    return runs.check(source, choices), runs.bounds.latest is not None
