"""
Mechanisms of which conditions ask whether they have finished, where the answer may change without an execution: PsyNeuLink compares
whenever it is asked. A model notes it in each execution, and so does not stand for a Mechanism that may have finished before: its
threshold is one that it has reached at its start or after a reset, or is modulated to such a value; or it is asked for a count of
executions as a trial begins, or while it is about to be executed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

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
    if not compared.startswith(">") or min(thresholds(reader, mechanism, "termination_threshold")) <= 0.0:
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


def thresholds(reader: Reader, component: Any, name: str, mechanism: Any = None) -> list[float]:
    """
    The values with which PsyNeuLink may compare: the Parameter's, and that of its ParameterPort, which follows when it is executed; of one
    that is modulated, the least that its ControlSignal may give it, minus infinity if nobody knows.
    """
    base = float(np.ravel(reader.number(component, name))[0])
    found = [base]
    for port in (component if mechanism is None else mechanism).parameter_ports:
        if port.name != name:
            continue
        if port.mod_afferents:
            found.append(least_modulated(reader, base, port.mod_afferents))
            continue
        held = port.parameters.value.values
        value = held.get(reader.execution_id, held.get(None))
        if value is not None:
            found.append(float(np.ravel(value)[0]))
    return found


def least_modulated(reader: Reader, base: float, projections: Any) -> float:
    """The least value that the levels of a search give a Parameter of which the own value is `base`; minus infinity if nobody knows."""
    signal = projections[0].sender
    if len(projections) > 1 or not hasattr(signal.parameters, "allocation_samples") or not reader.is_identity(signal.function):
        return -np.inf
    levels = reader.get(signal, "allocation_samples")
    values = [] if levels is None else [float(level) for level in levels]
    effect = str(reader.get(signal, "modulation")).rpartition(".")[2].lower()
    if not values:
        return -np.inf
    if effect == "override":
        return min(values)
    if effect.startswith("multiplicative"):
        return min(base * value for value in values)
    return min(base + value for value in values) if effect.startswith("additive") else -np.inf
