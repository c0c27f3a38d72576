"""
Mechanisms of which conditions ask whether they have finished, where the answer may change without an execution: PsyNeuLink compares
whenever it is asked. A model notes it in each execution, and so does not stand for a Mechanism that may have finished before: its
threshold is one that it has reached at its start or after a reset, or is modulated to such a value; or it is asked for a count of
executions as a trial begins, or while it is about to be executed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from cogir.psyneulink.importer.modulation import MODULATIONS, Effect
from cogir.psyneulink.importer.search_levels import is_drawn, levels_of
from cogir.psyneulink.reader import Reader, UnsupportedFeature


def scale_of_executions(mechanism: Any) -> Any:
    """
    The unit of time in which a Mechanism that finishes after a number of executions counts them; None if its value decides it, or the
    count of all of them.
    """
    measure: Any = getattr(mechanism, "termination_measure", None)
    return measure if type(measure).__name__ == "TimeScale" and measure.name != "LIFE" else None


def check_counts(composition: Any, what: str, mechanism: Any, execution_id: Any, begins_run: bool) -> None:
    """
    Refuses a Mechanism that finishes after so many executions in a unit of time, if it may have finished before the first of them in a
    call, of which it is said whether it begins a run.
    """

    def refuse(feature: str, remedy: str) -> UnsupportedFeature:
        return UnsupportedFeature(f"Composition {composition.name!r}, {what}", f"{mechanism.name!r} {feature}", remedy)

    reader = Reader(execution_id)
    compared = str(reader.get(mechanism, "termination_comparison_op"))
    known = thresholds(reader, mechanism, "termination_threshold")
    if not compared.startswith(">") or known is None or min(known) <= 0.0:
        raise refuse("may have finished before it is executed", "give it a termination_threshold above 0")
    if mechanism.termination_measure.name not in ("RUN", "ENVIRONMENT_SEQUENCE"):
        return
    counts = mechanism.parameters.num_executions.values
    count = counts.get(execution_id)
    if not begins_run and count is not None and count.environment_sequence:
        raise refuse("counts its executions in a run, and none begins, so that PsyNeuLink goes on counting", "call run()")
    if execution_id not in counts and any(count is not None and count.environment_sequence for count in counts.values()):
        raise refuse(
            f"has been executed in another execution context, whose count PsyNeuLink goes on from in the first run in {execution_id!r}",
            "count in TimeScale.TRIAL, or use one execution context",
        )


def thresholds(reader: Reader, component: Any, name: str, mechanism: Any = None) -> list[float] | None:
    """
    The values with which PsyNeuLink may compare: the Parameter's, and those of its ParameterPort, which follows when it is executed. Of one
    that the signal of a search modulates, those of all its levels, and of what it gives without a search. None if nobody knows.
    """
    own = numbers(reader.number(component, name))
    found = [*own]
    for port in (component if mechanism is None else mechanism).parameter_ports:
        if port.name != name:
            continue
        found += numbers(held(reader, port))
        acting = [projection for projection in port.mod_afferents if str(reader.get(projection.sender, "modulation")) != "DISABLE"]
        if not acting:
            continue
        signal = acting[0].sender
        given = given_by_search(reader, signal)
        effect = MODULATIONS.get(str(reader.get(signal, "modulation")))
        if len(acting) > 1 or given is None or effect is None or not reader.is_identity(acting[0].function):
            return None
        found += [EFFECTS[effect](base, value) for base in own for value in given]
    return found


EFFECTS: dict[Effect, Callable[[float, float], float]] = {
    "multiply": lambda base, value: base * value,
    "add": lambda base, value: base + value,
    "override": lambda base, value: value,
}


def given_by_search(reader: Reader, signal: Any) -> list[float] | None:
    """The allocations that a ControlSignal may have: the levels of its search, and what it has now; None if no search gives them."""
    controller = signal.owner
    search = controller.function
    if not hasattr(controller, "agent_rep") or type(search).__name__ != "GridSearch" or not reader.is_identity(signal.function):
        return None
    index = list(controller.control_signals).index(signal)
    space: list[Any] = reader.get(search, "search_space") or []
    if index >= len(space) or is_drawn(space[index]):
        return None
    allocation: Any = held(reader, controller, "control_allocation")
    allocated = [] if allocation is None else list(allocation)[index : index + 1]  # none of a signal that was added since
    present = [held(reader, signal), *allocated, getattr(signal, "default_allocation", None)]
    return [*levels_of(space[index]), *(number for value in present for number in numbers(value))]


def held(reader: Reader, component: Any, name: str = "value") -> Any:
    """A value as a component has it, which asks no ParameterPort; before its first execution, that with which a context begins."""
    values = getattr(component.parameters, name).final_source.values
    return values.get(reader.execution_id, values.get(None))


def numbers(value: Any) -> list[float]:
    """The numbers in a value."""
    return [] if value is None else [float(one) for one in np.ravel(value)]
