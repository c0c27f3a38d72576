"""
What is asked of PsyNeuLink's Projections: their matrices, and whence they come.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def matrix_of(projection: Any) -> Any:
    """
    The Parameter that holds the matrix with which PsyNeuLink computes. For a recurrent Projection it is not `matrix`, which PsyNeuLink
    puts back: it is what the function of its ParameterPort carries from one execution to the next.
    """
    if type(projection).__name__ == "AutoAssociativeProjection":
        function = projection.parameter_ports["matrix"].function
        if type(function).__name__ == "AccumulatorIntegrator":
            return function.parameters.previous_value.final_source
    return projection.parameters.matrix.final_source


def as_matrix(value: Any) -> Any:
    """A matrix in two axes: PsyNeuLink makes more of them for a sender whose value has outer axes of length one."""
    matrix = np.atleast_2d(np.asarray(value, float))
    while matrix.ndim > 2 and matrix.shape[0] == 1:
        matrix = matrix[0]
    return matrix


def is_from_outside(projection: Any) -> bool:
    """Whether a Projection brings an input of the Composition."""
    sender = projection.sender.owner
    return type(sender).__name__ == "CompositionInterfaceMechanism" and sender is sender.composition.input_CIM
