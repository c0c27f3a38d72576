"""
What a Projection brings whose matrix is learned: its receiver multiplies by the matrix.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cogir.psyneulink.importer.learned_matrices import LearnedMatrix, is_number_everywhere
from cogir.psyneulink.importer.node_source import Expression, as_vector
from cogir.psyneulink.importer.node_writer import NodeWriter
from cogir.psyneulink.importer.projections import as_matrix, matrix_of
from cogir.psyneulink.reader import real


def learned_row(writer: NodeWriter, learned: LearnedMatrix, sent: Expression) -> Expression:
    """The sender's value times the matrix, which an output port of the node shows."""
    projection = learned.projection
    matrix = matrix_in_use(writer, learned)
    used = f"matrix of {projection.name}"
    writer.matrices[used] = (
        matrix if matrix.text not in writer.body.params else writer.body.bind(used, f"{matrix.text} + 0.0", matrix.value)
    )
    writer.learning.used[projection] = used
    return writer.body.bind(f"arrived by {projection.name}", f"{sent.text} @ {matrix.text}", sent.value @ matrix.value)


def matrix_in_use(writer: NodeWriter, learned: LearnedMatrix) -> Expression:
    """The matrix by which a Projection multiplies in an execution of its receiver."""
    body, projection, accumulator = writer.body, learned.projection, learned.accumulator
    name = f"{projection.name} matrix"
    if learned.when == "never":
        held = matrix_of(projection)
        return writer.held_parameter(held, name, as_matrix(writer.reader.get(accumulator, "previous_value")))
    start = as_matrix(writer.reader.get(accumulator, "previous_value"))
    if not learned.is_kept_by_receiver:
        arriving = body.input(name, start)
        writer.learning.arriving_matrices[projection] = arriving.text
        return decayed(writer, learned, arriving)
    before, arriving = body.state(name, start), body.input(f"{projection.name} change", sent_by(learned.signal))
    writer.learning.arriving_changes[projection] = arriving.text
    change = in_shape(writer, arriving, learned, start)
    writer.state_of[before.text] = (accumulator, "previous_value")
    writer.observed_of[f"change of {projection.name}"] = (learned.signal, "value", change)
    writer.observed_of[f"{name} before"] = (learned.port, "variable", before)
    after = body.bind(f"{name} used", f"{decayed(writer, learned, before).text} + {change.text}", start)
    body.successors[before.text] = after.text
    return after


def decayed(writer: NodeWriter, learned: LearnedMatrix, matrix: Expression) -> Expression:
    """
    A matrix multiplied by the rate of its accumulator. PsyNeuLink does that whenever the receiver is executed, and once more with each
    change.
    """
    rate = writer.reader.get(learned.accumulator, "rate")
    if is_number_everywhere(rate, 1.0):
        return matrix
    factor = real(rate)
    if factor.size == 1:
        factor = np.full(matrix.shape, factor.item())
    elif factor.shape != matrix.shape:
        raise writer.refuse(
            f"the matrix of {learned.projection.name!r} has the shape {matrix.shape}, the rate of its function the shape {factor.shape}",
            "give one rate, or a matrix of them",
        )
    held = writer.held_parameter(learned.accumulator.parameters.rate.final_source, f"{learned.projection.name} rate", factor)
    return Expression(f"({matrix.text} * {held.text})", matrix.value * factor)


def sent_by(signal: Any) -> Any:
    """The value of the LearningSignal behind a LearningProjection, as its port in the model has it."""
    value = as_vector(Expression("", np.asarray(signal.sender.defaults.value, float))).value
    return np.zeros(np.shape(value))


def in_shape(writer: NodeWriter, change: Expression, learned: LearnedMatrix, start: Any) -> Expression:
    """A change in the shape of its matrix: a vector is put on the diagonal of a diagonal matrix, or is its only row or column."""
    shape = np.shape(start)
    if change.shape == shape:
        return change
    name = f"change of {learned.projection.name}"
    if len(change.shape) == 1 and shape in ((1, change.shape[0]), (change.shape[0], 1)):
        return writer.body.bind(name, f"{change.text}.reshape({shape})", np.reshape(change.value, shape))
    if len(change.shape) == 1 and shape == change.shape * 2 and np.allclose(start, np.diag(np.diag(start))):
        return writer.body.bind(name, f"np.eye({shape[0]}) * {change.text}", np.diag(change.value))
    raise writer.refuse(
        f"its learning signal for {learned.projection.name!r} has the shape {change.shape}, the matrix the shape {shape}",
        "give the Projection a diagonal matrix",
    )
