"""
The results of runs, in the form in which PsyNeuLink keeps them in a Composition.

That is one array of all trials, (trials, ports, elements), or an array of arrays where ports differ in length. It is put together when
somebody looks at it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from cogir.psyneulink.execution.inputs import changed_by_identity
from cogir.psyneulink.pnl import array_of
from cogir.psyneulink.reader import UnsupportedFeature
from cogir.psyneulink.state.lazy_values import ObservedDict, look_up, put
from cogir.psyneulink.state.output_shapes import OutputShapes
from cogir.runtime.plan import Floats, Plan
from cogir.runtime.results import Result


class Form:
    """The form in which PsyNeuLink shows the outputs of a compiled Composition."""

    def __init__(self, composition: Any, plan: Plan):
        self.plan = plan
        self.slots = [plan.slots[f"out:{path}"] for path in plan.outputs[: plan.shown]]
        self.shapes = OutputShapes(composition.output_CIM.output_ports, self.slots)

    def check_inputs(self, composition: Any, rows: Floats) -> None:
        """Refuses inputs, (trials, words), for ports that have got other shapes than the rest of the Composition was made for."""
        if rows.shape[1] != (width := self.plan.sizes.get("in", 0)):
            raise UnsupportedFeature(
                f"Composition {composition.name!r}",
                f"its InputPorts take {rows.shape[1]} numbers, but the Projections from its input CIM carry {width}",
                "do not change the shape of an InputPort after it was made",
            )

    def trials(self, out: Floats) -> Any:
        """The outputs of trials, (trials, words), as PsyNeuLink keeps them."""
        return self.shapes.trials(Result(self.plan, out, "done").columns, len(out))


@dataclass(frozen=True)
class Part:
    """The outputs of some trials, (trials, words), and their form."""

    form: Form
    out: Floats
    last: Any = field(init=False)
    """The result of the last of them, which the run returns."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "last", self.form.trials(self.out[-1:].copy())[0])

    def trials(self) -> Any:
        """All of them as PsyNeuLink keeps them: of ports that differ, the last one's arrays are those that the run has returned."""
        made = self.form.trials(self.out)
        if made.dtype == object and len(made):
            made[-1] = self.last
        return made


@dataclass(frozen=True)
class PsyNeuLinksTrial:
    """The result of one trial that PsyNeuLink has run."""

    last: Any

    def trials(self) -> Any:
        """It alone, as PsyNeuLink keeps it."""
        return array_of([self.last])


Made: TypeAlias = Part | PsyNeuLinksTrial
"""Trials, and the result of the last of them."""


class Outcomes(ObservedDict):
    """The values of a Composition's Parameter `results`, and what is owed to them, by execution context."""

    __slots__ = ("pending", "watching")

    def __init__(self, values: dict[Any, Any]):
        super().__init__(values, self)
        self.pending: dict[Any, list[Made]] = {}
        self.watching = False

    def add(self, execution_id: Any, form: Form, out: Floats) -> Any:
        """The outputs of some more trials; returns the result of the last one, if there is one."""
        if not len(out):
            return None
        return self.append(execution_id, Part(form, out))

    def append(self, execution_id: Any, part: Made) -> Any:
        """Some more trials, one at least; returns the result of the last one."""
        self.pending.setdefault(execution_id, []).append(part)
        self.watching = True
        return part.last

    def flush(self) -> None:
        """Puts all of them into the Parameter."""
        pending, self.pending, self.watching = self.pending, {}, False
        for execution_id, parts in pending.items():
            put(self, execution_id, extended(look_up(self, execution_id), parts))


def not_passed(composition: Any, form: Form, out: Floats, spread: Any) -> UnsupportedFeature | None:
    """
    Says where the identity matrices of PsyNeuLink's CIMs change what trials have made; None if they do not. `spread`: the port of a nested
    Composition where they did.
    """
    where = None if spread is None else f"{spread.name!r} of {spread.owner.name!r}, which is nested"
    rows, sizes = Result(form.plan, out, "done").rows, [slot.size for slot in form.slots]
    if where is None and (changed := changed_by_identity(rows, sizes)) is not None:
        where = f"output {composition.output_CIM.output_ports[changed].name!r}"
    if where is None:
        return None
    return UnsupportedFeature(
        f"Composition {composition.name!r}, {where}",
        "some of its numbers are infinite or NaN, and PsyNeuLink multiplies them by an identity matrix, which spreads them",
        "keep them finite, for instance with clip, or run it in PsyNeuLink",
    )


class OwnResults:
    """
    The results of a run with callbacks as the run knows them.

    PsyNeuLink has a list of its own in each run, and shows it after each trial, whatever a callback has put into the Composition's results:
    also a run within a callback.
    """

    def __init__(self, outcomes: Outcomes, execution_id: Any):
        self.outcomes, self.execution_id = outcomes, execution_id
        self.before = outcomes.get(execution_id)
        self.made: list[Made] = []
        """Trials since `before`."""

    def add(self, part: Made) -> Any:
        """One more trial, after those of this run only; returns its result."""
        pending = self.outcomes.pending.get(self.execution_id)
        if not (pending and self.made and pending[-1] is self.made[-1]):  # somebody has looked, or added others
            self.before, self.made = extended(self.before, self.made), []
            self.outcomes.pending.pop(self.execution_id, None)
            put(self.outcomes, self.execution_id, self.before)
        self.made.append(part)
        return self.outcomes.append(self.execution_id, part)


def extended(before: Any, parts: list[Made]) -> Any:
    """Results and more trials after them."""
    arrays = [part.trials() for part in parts]
    if not arrays:
        return before
    return joined([before, *arrays] if before is not None and len(before) else arrays)


def outcomes_of(composition: Any) -> Outcomes:
    """The results of a Composition, which are made to tell when they are looked at."""
    attributes = composition.parameters.results.__dict__
    held = attributes["values"]
    if not isinstance(held, Outcomes):
        attributes["values"] = held = Outcomes(held)
    return held


def joined(arrays: list[Any]) -> Any:
    """The trials of several arrays, one after another."""
    if all(isinstance(array, np.ndarray) for array in arrays):
        first = arrays[0]
        if first.ndim > 1 and all(array.dtype == first.dtype and array.shape[1:] == first.shape[1:] for array in arrays):
            return np.concatenate(arrays)
    return array_of([trial for array in arrays for trial in array])
