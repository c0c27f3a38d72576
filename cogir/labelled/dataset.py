"""
Labelled data as plain records: axes, variables over them, and attributes.

    Dataset("replicates", axes=(replicate, trial), variables={"decision/value": Variable(values, (replicate, trial, decision))}, ...)

The variables of a dataset begin with its shared axes (a statistic of all trials: with those before the trials), and may have axes of
their elements after them. What else belongs to the data (flags,
numbers of trials) stands beside them, over any axes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Array: TypeAlias = npt.NDArray[Any]

LENGTHS = "lengths"
"""The variable beside the others that says how many trials there were, over all shared axes but the last."""
REPLICATES = "replicates"
"""The variable beside reduced ones that says how many replicates there were."""
UNFINISHED = "unfinished:"
OUT_OF_RANGE = "out_of_range:"
"""The beginnings of the names of flags."""


@dataclass(frozen=True, slots=True, eq=False)
class Axis:
    """
    A named axis of arrays, and the coordinates along it.

    A swept parameter is an axis with one coordinate of the same name: `Axis("decision/rate", 3, {"decision/rate": rates})`. Several
    parameters that vary together share an axis: `Axis("point", 3, {"decision/rate": rates, "decision/threshold": thresholds})`. Without
    coordinates, positions count from 0.
    """

    name: str
    size: int
    coordinates: Mapping[str, Array] = field(default_factory=dict[str, Array])
    """Arrays (size,) of numbers or texts, by name."""
    units: Mapping[str, str] = field(default_factory=dict[str, str])
    """The units of coordinates that have one."""

    @property
    def index(self) -> Array:
        """The coordinate of the name of the axis, else the positions."""
        return self.coordinates.get(self.name, np.arange(self.size))

    @property
    def others(self) -> dict[str, Array]:
        """The coordinates other than `index`."""
        return {name: values for name, values in self.coordinates.items() if name != self.name}


@dataclass(frozen=True, slots=True, eq=False)
class Variable:
    """An array, its axes in order, and its unit."""

    values: Array
    axes: tuple[Axis, ...]
    unit: str | None = None


@dataclass(slots=True, eq=False)
class Dataset:
    """
    Variables that begin with the same axes, what stands beside them, and attributes.

    `kind`: "result", "replicates", "sweep" or "learned". `variables`: by `node/port`, or whatever else names them. `beside`: flags
    ("unfinished:decision", "out_of_range:decision/rate"), `lengths`, and other arrays. `attributes`: texts, numbers, and lists and dicts of
    them, with texts as keys.
    """

    kind: str
    axes: tuple[Axis, ...]
    variables: dict[str, Variable]
    beside: dict[str, Variable] = field(default_factory=dict[str, Variable])
    attributes: Mapping[str, Any] = field(default_factory=dict[str, Any])

    @property
    def extents(self) -> tuple[int, ...]:
        """The lengths of the shared axes."""
        return tuple(axis.size for axis in self.axes)

    def shared_axes(self, variable: Variable) -> tuple[Axis, ...]:
        """The shared axes that a variable has: all of them, or those before the trials, over which a statistic was taken."""
        pairs = zip(self.axes, variable.axes, strict=False)
        return tuple(axis for axis, _ in takewhile(lambda pair: pair[0].name == pair[1].name, pairs))

    def over_all_axes(self, variable: Variable) -> Array:
        """The values of a variable over all shared axes; they are the same along those that it does not have."""
        values, own = variable.values, len(self.shared_axes(variable))
        before, after = values.shape[:own], values.shape[own:]
        missing = self.extents[own:]
        return np.broadcast_to(values.reshape(*before, *[1] * len(missing), *after), (*before, *missing, *after))

    def kept(self) -> npt.NDArray[np.bool_] | None:
        """True for each place along the shared axes at which there was a trial; None if there was one at each."""
        lengths = self.beside.get(LENGTHS)
        if lengths is None or not self.axes or bool((lengths.values == self.axes[-1].size).all()):
            return None
        return np.arange(self.axes[-1].size) < lengths.values[..., None]

    def flags(self, kind: str) -> dict[str, Variable]:
        """The flags of a kind (`UNFINISHED`, `OUT_OF_RANGE`), by what follows it in their names."""
        return {name.removeprefix(kind): held for name, held in self.beside.items() if name.startswith(kind)}


def element_names(name: str, axes: Iterable[Axis]) -> dict[tuple[int, ...], str]:
    """The names of the elements along some axes by their indices: `name[0]`, `name[left]` by labels, `name` of a single number."""
    found: dict[tuple[int, ...], str] = {(): name}
    for axis in axes:
        marks = [str(mark) for mark in axis.index.tolist()]
        found = {(*index, place): f"{text}[{mark}]" for index, text in found.items() for place, mark in enumerate(marks)}
    return found
