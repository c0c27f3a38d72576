"""
The results of runs, in the form in which PsyNeuLink keeps them in a Composition.

That is one array of all trials, (trials, ports, elements), or an array of arrays where ports differ in length. It is put together when
somebody looks at it.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from cogir.psyneulink.held import Held, Ledger, look_up, put
from cogir.psyneulink.library import array_of
from cogir.runtime.plan import Floats, Plan
from cogir.runtime.results import Result


class Form:
    """The shapes in which PsyNeuLink shows the outputs of a compiled Composition: with outer axes of length one."""

    def __init__(self, composition: Any, plan: Plan):
        self.plan = plan
        self.leaves = [plan.leaves[f"out:{path}"] for path in plan.outputs[: plan.shown]]
        shapes = [np.shape(look_up(port.parameters.value.values, None)) for port in composition.output_CIM.output_ports]
        fits = [math.prod(shape) for shape in shapes] == [leaf.size for leaf in self.leaves]
        self.shapes = shapes if fits else [leaf.shape for leaf in self.leaves]
        self.is_even = len(set(self.shapes)) == 1 and self.shapes[0] != () and all(leaf.dtype == "f64" for leaf in self.leaves)
        """Whether the ports are alike, so that trials are one array of numbers."""

    def trials(self, out: Floats) -> Any:
        """The outputs of trials, (trials, words), as PsyNeuLink keeps them."""
        columns = [
            column.reshape(len(out), *shape) for column, shape in zip(Result(self.plan, out, "done").columns, self.shapes, strict=True)
        ]
        if self.is_even:
            return np.stack(columns, axis=1)
        return array_of([array_of(list(trial)) for trial in (zip(*columns, strict=True) if columns else [()] * len(out))])


class Outcomes(Held):
    """The values of a Composition's Parameter `results`, and what is owed to them, by execution context."""

    __slots__ = ("owed", "own")

    def __init__(self, values: dict[Any, Any]):
        super().__init__(values, Ledger())
        self.owed: dict[Any, list[tuple[Form, Floats]]] = {}
        self.own: dict[Any, Any] = {}
        """What a run has found or put here itself."""

    def begin(self, execution_id: Any) -> None:
        """A run begins in which callbacks may put something else here."""
        self.own[execution_id] = self.get(execution_id)

    def bring_back(self, execution_id: Any) -> None:
        """Puts the results of the run back where a callback has put others: PsyNeuLink goes on with a list of its own."""
        if execution_id not in self.owed and look_up(self, execution_id) is not self.own[execution_id]:
            put(self, execution_id, self.own[execution_id])

    def add(self, execution_id: Any, form: Form, out: Floats) -> Any:
        """The outputs of some more trials; returns the result of the last one, if there is one."""
        self.owed.setdefault(execution_id, []).append((form, out))
        self.ledger.owed[id(self)] = self.pay
        self.ledger.rest()
        return form.trials(out[-1:].copy())[0] if len(out) else None

    def pay(self) -> None:
        """Puts all of them into the Parameter."""
        owed, self.owed = self.owed, {}
        for execution_id, parts in owed.items():
            before = look_up(self, execution_id)
            arrays = [form.trials(out) for form, out in parts]
            if before is not None and len(before):
                arrays.insert(0, before)
            self.own[execution_id] = joined(arrays)
            put(self, execution_id, self.own[execution_id])


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
