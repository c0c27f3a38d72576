"""
A signal: one axis of the grid that a controller searches; and what the simulations of a point differ in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, cast

import numpy as np

from cogir.callers import methods_end_at_caller
from cogir.errors import ModelError, counted, shown
from cogir.frontend.builder import checks
from cogir.frontend.builder.handles import Parameter, parameter_range
from cogir.frontend.builder.records import EstimatesRecord, Modulation, SignalRecord
from cogir.frontend.builder.source_location import did_you_mean, user_place
from cogir.frontend.builder.values import as_number, as_value
from cogir.ranges import Between

COSTS = ("intensity", "adjustment", "duration", "total")


def intensity_cost(intensity: float) -> float:
    """`e ** intensity`: PsyNeuLink's default cost of a control signal."""
    return cast(float, np.exp(intensity))


class Signal:
    """
    The parameters that a controller may set, and the levels that it may set them to.

    `parameters`: the parameter (`node.param("variance")`), or several, on which the signal acts by `modulation`:
    "multiply", "add" or "override". `levels`: the values to try. `initial`: the value before the first search.
    `cost`: True for PsyNeuLink's `e ** intensity`, a function of the signal's value (an intensity cost), or a dict of
    "intensity", "adjustment" (of the absolute change) and "duration" (of the value, summed up) functions, or of one "total"
    function of the value, the value in force and a sum that starts at `sum_from`, which returns the cost and the next sum.
    `clip`: whether a cost below 0 counts as 0.
    """

    def __init__(
        self,
        parameters: Parameter | Iterable[Parameter],
        *,
        levels: Any,
        initial: float = 1.0,
        cost: bool | Callable[[Any], Any] | Mapping[str, Callable[[Any], Any]] | None = None,
        modulation: Modulation = "multiply",
        name: str | None = None,
        clip: bool = False,
        sum_from: float | None = None,
    ):
        place = user_place()
        self.targets = _targets(parameters, "Signal")
        first = self.targets[0]
        name = checks.name(f"{first.owner.name} {first.name}".replace("/", " ") if name is None else name, "signal", place)
        what = f'signal "{name}"'
        checks.choice(modulation, ("multiply", "add", "override"), f"{what}: modulation", place)
        self.modulation: Literal["multiply", "add", "override"] = modulation
        kept = as_value(levels, f"{what}: levels", place).astype(np.float64, copy=False)
        if kept.ndim != 1:
            raise ModelError(f"{place}: {what}: levels has shape {kept.shape}; give a list of numbers")
        if np.isnan(kept).any():
            raise ModelError(f"{place}: {what}: levels contains NaN; give numbers that the parameter can take")
        start = as_number(initial, f"{what}: initial", place)
        costs = _costs(cost, what)
        if sum_from is not None:
            sum_from = as_number(sum_from, f"{what}: sum_from", place)
            if "total" not in costs:
                raise ModelError(f"{place}: {what}: sum_from applies only to a total cost; leave it out, or give a total cost")
        self.record = SignalRecord(name, place, kept, start, costs, checks.flag(clip, f"{what}: clip", place), sum_from)

    def __repr__(self) -> str:
        """Its name, what it acts on, and how many levels it has."""
        acts_on = ", ".join(map(repr, self.targets))
        return f'<signal "{self.record.name}": {self.modulation} {acts_on}, {counted(len(self.record.levels), "level")}>'


@methods_end_at_caller
class Estimates:
    """
    The number of simulations of each point of a grid: its value is the mean of `number` simulations.

    They differ in the value of `parameters`, most often seeds, which is overridden: `first`, `first + step` ..., all modulo `below`.
    `advance`: by how much `first` grows after each search (0: all searches use the same numbers; `number * step`: each one new numbers).
    `initial`: the value before the first search; afterwards that of the first simulation.
    """

    def __init__(
        self,
        parameters: Parameter | Iterable[Parameter],
        number: int,
        *,
        first: int = 0,
        step: int = 1,
        below: int = 2**53,
        initial: float = 0.0,
        advance: int = 0,
        name: str = "estimates",
    ):
        place = user_place()
        self.targets = _targets(parameters, "Estimates")
        name = checks.name(name, "estimates", place)
        what = f'estimates "{name}"'
        self.record = EstimatesRecord(
            name,
            place,
            checks.count(number, f"{what}: number", place),
            checks.count(first, f"{what}: first", place, least=0),
            checks.count(step, f"{what}: step", place),
            checks.count(below, f"{what}: below", place),
            as_number(initial, f"{what}: initial", place),
            checks.count(advance, f"{what}: advance", place, least=0),
        )


def check_levels(signal: Signal) -> None:
    """Refuses levels, and the value before the first search, that do not fit the ranges of the parameters on which the signal acts."""
    record = signal.record
    held = (("levels", record.levels, "levels that are"), ("initial", np.asarray(record.initial), "a number that is"))
    for target in signal.targets:
        allowed = parameter_range(target) or Between()
        levels = allowed.modulators(signal.modulation)
        for name, value, remedy in held:
            if not levels.holds(value):
                raise ModelError(
                    f'{record.place}: signal "{record.name}": {name} is {shown(value.tolist())}, but it modulates {target!r} '
                    f"({signal.modulation}), which must be {allowed}; give {remedy} {levels}"
                )


def _targets(parameters: Any, what: str) -> list[Parameter]:
    """The parameters on which a signal acts: one, or several."""
    place = user_place()
    targets = [parameters] if isinstance(parameters, Parameter) else checks.listed(parameters)
    if targets is None:
        raise ModelError(f'{place}: {what}: found {shown(parameters)}; give a parameter, such as node.param("rate")')
    for target in targets:
        if not isinstance(target, Parameter):
            raise ModelError(f'{place}: {what}: found {shown(target)}; give a parameter, such as node.param("rate")')
    if not targets:
        raise ModelError(f'{place}: {what}: it modulates no parameter; give at least one, such as node.param("rate")')
    return targets


def _costs(given: Any, what: str) -> dict[str, Callable[..., Any]]:
    place = user_place()
    if given is None or given is False:
        return {}
    if given is True:
        return {"intensity": intensity_cost}
    by_kind = cast("Mapping[str, Any]", given) if isinstance(given, Mapping) else {"intensity": given}
    result: dict[str, Callable[..., Any]] = {}
    for kind in by_kind:
        if kind not in COSTS:
            raise ModelError(f'{place}: {what}: there is no cost "{kind}"{did_you_mean(kind, COSTS)}')
    for kind in COSTS:
        function = by_kind.get(kind)
        if function is None:
            continue
        if not callable(function):
            raise ModelError(f"{place}: {what}: {kind} cost is {shown(function)}; give a function")
        result[kind] = function
    return result
