"""
LearningMechanisms, and other Mechanisms that only learning needs: the changes of matrices, and the errors for the layer before.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import numpy as np

from cogir.psyneulink.functions.counterpart import Counterpart, ParameterPlace
from cogir.psyneulink.functions.table import counterpart
from cogir.psyneulink.importer.learned_matrices import REMEDY
from cogir.psyneulink.importer.learned_rows import decayed, in_shape
from cogir.psyneulink.importer.mechanism import MechanismWriter
from cogir.psyneulink.importer.mechanism_record import Called, WrittenNode
from cogir.psyneulink.importer.node_source import Expression, Rows, as_vector
from cogir.psyneulink.importer.projections import as_matrix
from cogir.psyneulink.reader import vector

OF_ERROR_MATRIX = "BackPropagation"
"""The Function that multiplies an error by a matrix."""


def learning(writer: MechanismWriter) -> WrittenNode:
    """A LearningMechanism: the changes that the errors of all its sources ask for, and the errors to pass on, each summed up."""
    mechanism = writer.mechanism
    if mechanism.covariates_sources:
        raise writer.refuse("it has covariates", REMEDY)
    variable = writer.input_ports()
    errors = list(errors_of(writer))
    calls = [called_for(writer, variable, variable[index], matrix) for index, matrix in errors]
    items = [total(writer, [called.outputs[item] for called in calls], item) for item in (0, 1)]
    add_changes(writer, items[0])
    # PsyNeuLink executes it once for each error, and shows the last one
    return replace(writer.written(items, variable), in_variable=(0, 1, errors[-1][0]), counted=len(errors))


def errors_of(writer: MechanismWriter) -> Iterator[tuple[int, Any]]:
    """The places of the InputPorts that get errors, and the matrix through which each error comes, or its ParameterPort."""
    mechanism = writer.mechanism
    ports = mechanism.error_signal_input_ports
    if len(mechanism.error_matrices or ()) < len(ports):
        raise writer.refuse("it has been made outside of a Composition", REMEDY)
    for port, matrix in zip(ports, mechanism.error_matrices, strict=False):
        yield mechanism.input_ports.index(port), matrix


def called_for(writer: MechanismWriter, variable: list[Expression], error: Expression, matrix: Any) -> Called:
    """The call of its function for one error."""
    function = writer.mechanism.function
    rows = [variable[0], variable[1], error]
    params: dict[str, Any] = {}
    if type(function).__name__ == OF_ERROR_MATRIX:
        rows.append(error_matrix(writer, matrix))
        params["error_matrix"] = rows[3].value
    values = np.empty(len(rows), object)
    values[:] = [row.value for row in rows]
    found = counterpart(function, writer.reader.context_of(function), variable=[row.value for row in rows[:3]], params=params)
    inputs = {
        name: place if place.parameter == "variable" else ParameterPlace(function, "variable", 3, place.shape)
        for name, place in found.inputs.items()
    }
    found = replace(found, inputs=MappingProxyType(inputs))
    check_not_modulated(writer, found)
    called = writer.call_counterpart(found, Rows("", values, tuple(rows)))
    called.exact = True
    writer.called[function] = called
    return called


def check_not_modulated(writer: MechanismWriter, found: Counterpart) -> None:
    """Refuses the derivative of a function of which something modulates a Parameter."""
    for place in found.places.values():
        port = getattr(getattr(place.owner.parameters, place.parameter, None), "port", None)
        if getattr(port, "mod_afferents", ()):
            raise writer.refuse(f"{place.parameter!r} of its {type(place.owner).__name__} is modulated", "leave the modulation out")


def error_matrix(writer: MechanismWriter, matrix: Any) -> Expression:
    """The matrix through which an error comes: that of a learned Projection, as its receiver has used it, or one that stays."""
    if not hasattr(matrix, "mod_afferents"):
        return writer.body.param("error_matrix", as_matrix(matrix))
    projection = matrix.owner
    known = writer.learning.error_matrices.get(projection)
    if known is not None:
        return writer.body.inputs[known]
    if projection not in writer.learned:
        raise writer.refuse(f"its errors come through {projection.name!r}, which is not learned in this Composition", REMEDY)
    # Not the value of its ParameterPort, which each call of `learn` changes: the model would be another one for each.
    start = as_matrix(writer.reader.get(writer.learned[projection].accumulator, "previous_value"))
    held = writer.body.input(f"matrix of {projection.name}", start)
    writer.learning.error_matrices[projection] = held.text
    return held


def total(writer: MechanismWriter, parts: list[Expression], item: int) -> Expression:
    """The sum of the changes, or of the errors, that several sources ask for."""
    if len(parts) == 1:
        return parts[0]
    value = np.sum([part.value for part in parts], axis=0)
    return writer.body.bind("errors" if item else "changes", " + ".join(part.text for part in parts), value)


def auto_associative(writer: MechanismWriter) -> WrittenNode:
    """An AutoAssociativeLearningMechanism, which changes the matrix of its recurrent Projection at once."""
    variable = writer.input_ports()
    called = writer.call(writer.mechanism.function, writer.stacked(variable))
    (change,) = called.outputs
    for projection, matrix in add_changes(writer, change).items():
        brought = writer.body.bind("recurrent", f"{variable[0].text} @ {matrix.text}", variable[0].value @ matrix.value)
        writer.observed_of[f"brought by {projection.name}"] = (projection, "value", brought)
    return writer.written([change], variable)


def idle(writer: MechanismWriter) -> WrittenNode:
    """A Mechanism of learning in a run without it: it takes part in the schedule, and computes nothing."""
    writer.input_ports()
    outputs: list[tuple[str, Expression]] = []
    for port in writer.mechanism.output_ports:
        start = vector(port.defaults.value)
        writer.ports[port] = port.name
        outputs.append((port.name, Expression(f"np.zeros({start.shape})", np.zeros(start.shape))))
    return writer.node(outputs, kept=writer.counters(None) if writer.observed else ())


def prediction_error(writer: MechanismWriter) -> WrittenNode:
    """A PredictionErrorMechanism: its function's value moved by one time step to the front, with 0 at the end."""
    variable = writer.input_ports()
    called = writer.call(writer.mechanism.function, writer.stacked(variable))
    found = as_vector(called.outputs[0])
    size = np.size(found.value)
    moved = writer.body.bind("moved", f"np.concatenate(({found.text}[1:], np.zeros(1)))", np.zeros(size))
    return writer.written([moved], variable)


def add_changes(writer: MechanismWriter, change: Expression) -> dict[Any, Expression]:
    """The matrices that the node keeps after this change, by Projection; output ports show them."""
    sums: dict[Any, Expression] = {}
    for learned in writer.learned.values():
        if learned.mechanism is not writer.mechanism or learned.is_kept_by_receiver:
            continue
        projection = learned.projection
        start = as_matrix(writer.reader.get(learned.accumulator, "previous_value"))
        before = writer.body.input(f"{projection.name} before", start)
        shaped = in_shape(writer, change, learned, start)
        name = f"sum of {projection.name}"
        carried = decayed(writer, learned, decayed(writer, learned, before))  # by the receiver, and by the change
        sums[projection] = writer.matrices[name] = writer.body.bind(name, f"{carried.text} + {shaped.text}", start)
        writer.learning.before[projection], writer.learning.sums[projection] = before.text, name
        writer.observed_of[f"signal of {projection.name}"] = (learned.signal, "value", shaped)
    return sums
