"""
What PsyNeuLink leaves in a Projection whose matrix is learned.

The matrix is in three places: the Parameter `matrix` of the function holds what an execution of the receiver has used; the value of the
ParameterPort, and what its function carries on, is that after the last change. The Projection's own Parameter `matrix` has no value of its
own: it holds the array of the ParameterPort, into which PsyNeuLink writes the matrix of the function when a script reads it.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def matrix_port(projection: Any) -> Any:
    """The ParameterPort of the matrix of a Projection."""
    return projection.parameter_ports["matrix"]


def show_learned_matrix(projection: Any, key: Any, times: int) -> None:
    """
    Shows the matrix of a Projection that is learned; `times`: how often a run without learning has executed its receiver, which has put the
    matrix after the last change in its place.
    """
    port, own = matrix_port(projection), projection.parameters.matrix
    values, shown = own.final_source.values, port.parameters.value.values
    if times:
        carried = port.function.parameters.previous_value.final_source.values
        matrix = np.array(carried.get(key, carried.get(None)))
        port.parameters.variable.values[key] = np.array(values.get(key, values.get(None)) if times == 1 else matrix)
        values[key], shown[key] = matrix, matrix.copy()
    if key in shown:
        own.values[key] = shown[key]
