"""
Mechanisms of which conditions ask whether they have finished, where the answer may change without an execution: PsyNeuLink compares
whenever it is asked. A model notes it in each execution, and so does not stand for a Mechanism that may have finished before.
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


def check_counts(composition: Any, what: str, mechanism: Any, execution_id: Any) -> None:
    """Refuses a Mechanism that finishes after so many executions in a unit of time, if it may have finished before the first of them."""

    def refuse(feature: str, remedy: str) -> UnsupportedFeature:
        return UnsupportedFeature(f"Composition {composition.name!r}, {what}", f"{mechanism.name!r} {feature}", remedy)

    reader = Reader(execution_id)
    compared = str(reader.get(mechanism, "termination_comparison_op"))
    if not compared.startswith(">") or min(thresholds(reader, mechanism, "termination_threshold")) <= 0.0:
        raise refuse("may have finished before it is executed", "give it a termination_threshold above 0")
    counts = mechanism.parameters.num_executions.values
    if mechanism.termination_measure.name in ("RUN", "ENVIRONMENT_SEQUENCE") and execution_id not in counts:
        if any(count is not None and count.environment_sequence for count in counts.values()):
            raise refuse(
                f"has been executed in another execution context, whose count PsyNeuLink goes on from in the first run in {execution_id!r}",
                "count in TimeScale.TRIAL, or use one execution context",
            )


def thresholds(reader: Reader, component: Any, name: str, mechanism: Any = None) -> list[float]:
    """The values with which PsyNeuLink may compare: the Parameter's, and that of its ParameterPort, which follows when it is executed."""
    found = [float(np.ravel(reader.number(component, name))[0])]
    for port in (component if mechanism is None else mechanism).parameter_ports:
        held = port.parameters.value.values
        value = held.get(reader.execution_id, held.get(None)) if port.name == name else None
        if value is not None and not port.mod_afferents:
            found.append(float(np.ravel(value)[0]))
    return found
