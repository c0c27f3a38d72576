"""
Checks before a search: whether the model can give the times of the data, whether each free parameter changes responses, and whether the
inputs were forgotten.
"""

# NumPy types a few functions only in part.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from cogir.runtime.compiled import Compiled
from cogir.runtime.flags import UNFINISHED, Flag
from cogir.study.free import LAPSE, Parametrisation, possible_points
from cogir.study.likelihoods import Simulator
from cogir.study.responses import Floats, Ports, Responses

PROBES, PROBED_TRIALS, PROBED_CONDITIONS = 8, 100, 8
"""A free parameter is changed at so many points; so many trials are simulated at each, in so many conditions at a time."""
PROBED_AT = (0.05, 0.5, 0.95)
"""The values of a free parameter that are compared, as parts of the way between its bounds."""
MOST_NAMED = 4
"""A message names so many states."""


def executes_until_finished(compiled: Compiled, node: str) -> bool:
    """True for a node that is executed until it has finished, up to a limit."""
    return any(flag.kind == UNFINISHED and flag.owner == node for flag in map(Flag.at, compiled.plan.flags))


@dataclass(frozen=True)
class TimeLimit:
    """The longest response times that a model can give: a number of steps and the non-decision time."""

    node: str
    executions: int
    step: Floats
    """The longest step in each condition."""
    delay: Floats
    """The longest non-decision time in each condition."""

    @property
    def longest(self) -> Floats:
        """The longest time in each condition."""
        return self.executions * self.step + self.delay


def time_limit(compiled: Compiled, parametrisation: Parametrisation, ports: Ports, thetas: Floats) -> TimeLimit | None:
    """
    The longest times at some points and at the upper bounds; None for a model whose response times are no steps up to a limit.
    """
    node = (ports.time or "").rpartition("/")[0]
    if not executes_until_finished(compiled, node) or f"{node}/time_step_size" not in compiled.params:
        return None
    values = parametrisation.values(np.concatenate([thetas, parametrisation.high[None]]))

    def largest(name: str) -> Floats:
        path = f"{node}/{name}"
        if path in values:
            return np.nanmax(values[path][1].reshape(len(thetas) + 1, parametrisation.conditions.count, -1), axis=(0, 2))
        return np.full(parametrisation.conditions.count, float(np.max(compiled.params[path])) if path in compiled.params else 0.0)

    delay = largest("non_decision_time") + 0.5 * largest("non_decision_time_variability")
    return TimeLimit(node, int(compiled.params[f"{node}/limit:executions"]), largest("time_step_size"), delay)


def times_beyond(limit: TimeLimit, responses: Responses) -> str | None:
    """The message about times that are longer than any that the model can give; None if there are none."""
    conditions = responses.conditions
    decided = ~responses.undecided
    step = limit.step[conditions]
    beyond = decided & (np.nan_to_num(responses.times) > limit.longest[conditions] + 0.5 * step)
    if not beyond.any():
        return None
    unit = "check their unit, which is that of the steps of the model; else " if beyond.sum() > 0.5 * responses.count else ""
    needed = rounded_up(float((responses.times[beyond] / step[beyond]).max()))
    return (
        f"data: {beyond.sum()} of {responses.count} trials {'have times' if beyond.sum() > 1 else 'has a time'} beyond "
        f"{limit.longest.max():.4g}, the longest that the model can give: {limit.executions:,} executions of {limit.step.max():g} and a "
        f"non-decision time of at most {limit.delay.max():.3g}. No parameters explain such trials (lapses may), and estimates may be "
        f'wrong; {unit}give node "{limit.node}" max_executions_before_finished={needed:_} or more, or leave these trials out'
    )


def rounded_up(number: float) -> int:
    """The next whole number with two digits and zeros."""
    unit = 10 ** max(0, math.floor(math.log10(number)) - 1)
    return math.ceil(number / unit) * unit


def without_influence(simulator: Simulator, parametrisation: Parametrisation, ports: Ports, thetas: Floats) -> list[str]:
    """
    The free parameters that change no response of trials that are simulated with the same random numbers at some points; of those that
    depend on columns, only where none of their values does.
    """
    idle = {
        place
        for place, parameter in enumerate(parametrisation.free)
        if parameter.name != LAPSE and not has_influence(simulator, parametrisation, ports, thetas[:PROBES], place)
    }
    free = parametrisation.free
    acting = {free[place].base for place in range(len(free)) if place not in idle}
    return [free[place].name for place in sorted(idle) if free[place].base not in acting]


def has_influence(simulator: Simulator, parametrisation: Parametrisation, ports: Ports, thetas: Floats, place: int) -> bool:
    """True if a free parameter changes a response at some points in a condition, or if no trial has a decision there."""
    acting = np.flatnonzero(parametrisation.levels[parametrisation.free[place].base] == place)
    acting = np.random.default_rng(0).permutation(acting)  # neighbours share covariates
    parts = (acting[first : first + PROBED_CONDITIONS] for first in range(0, len(acting), PROBED_CONDITIONS))
    return any(_acts_in(part, simulator, parametrisation, ports, thetas, place) for part in parts)


def _acts_in(
    acting: npt.NDArray[np.int64], simulator: Simulator, parametrisation: Parametrisation, ports: Ports, thetas: Floats, place: int
) -> bool:
    """`has_influence` in some conditions."""
    parameter = parametrisation.free[place]
    probed = np.repeat(thetas[None], len(PROBED_AT), axis=0)
    probed[:, :, place] = parameter.low + (parameter.high - parameter.low) * np.array(PROBED_AT)[:, None]
    values = parametrisation.values(probed.reshape(-1, thetas.shape[1]))
    values = {name: (target, array[:, acting]) for name, (target, array) in values.items()}
    possible = possible_points(values).reshape(len(PROBED_AT), -1).all(axis=0)
    if not possible.any():
        return True
    every = np.tile(possible, len(PROBED_AT))
    values = {name: (target, array[every]) for name, (target, array) in values.items()}
    shape = (len(PROBED_AT), int(possible.sum()), len(acting), PROBED_TRIALS)
    choices, times, silent = simulator.responses(values, ports, PROBED_TRIALS)
    choices, times, silent = choices.reshape(shape), times.reshape(shape), silent.reshape(shape)
    if silent.all() or (silent != silent[:1]).any():
        return True
    differ = (choices != choices[:1]) | (times != times[:1])
    return bool((differ & ~silent).any())


def carried_states(compiled: Compiled) -> list[str]:
    """The paths that the model keeps from trial to trial: the states of nodes that are not reset at the start of each trial."""
    paths = [path for path in compiled.plan.slots if "/state:" in path and "/initial:" not in path]
    return [path.replace("/state:", "/") for path in paths if path.rpartition("/")[0] not in compiled.plan.starts_anew]


def no_influence(names: Iterable[str], carried: Sequence[str] = (), forgotten: Sequence[str] = ()) -> str:
    """
    The message about free parameters without influence. `carried`: the states that the model keeps from trial to trial; `forgotten`: the
    inputs that nobody gives.
    """
    listed = list(names)
    quoted = " and ".join(f'"{name}"' for name in listed)
    change, it, its = ("changes", "it", "its") if len(listed) == 1 else ("change", "them", "their")
    if forgotten:
        inputs = ", ".join(f'"{name}"' for name in forgotten[:MOST_NAMED]) + (" ..." if len(forgotten) > MOST_NAMED else "")
        are, named = ("input", "is not given, and is") if len(forgotten) == 1 else ("inputs", "are not given, and are")
        return (
            f"fit: {quoted} {change} no response, and {are} {inputs} {named} zero in all trials, which may be why: with the same random "
            f"numbers, choices and times are equal all over {its} bounds. Give all inputs, in inputs={{...}} or as columns of the "
            f"data; if zeros are meant, give them, and leave {it} out of free"
        )
    if carried:
        shown = ", ".join(f'"{name}"' for name in carried[:MOST_NAMED]) + (" ..." if len(carried) > MOST_NAMED else "")
        return (
            f"fit: {quoted} {change} no response of a single trial, and the trials of a fit are independent: each one begins where the "
            f"model begins, and forgets what is kept from trial to trial ({shown}). A response is a choice and a time. Where responses "
            "depend on earlier trials, let a node compute the likelihood of a whole sequence, and maximise it over a sweep "
            f"(docs/subjects.md); otherwise leave {it} out of free"
        )
    return (
        f"fit: {quoted} {change} no response: with the same random numbers, simulated choices and times are equal all over {its} bounds, "
        f"so the data cannot say anything about {it}. Leave {it} out of free, or change what makes the model ignore {it}, such as an "
        "option of its node, or an input of zero"
    )
