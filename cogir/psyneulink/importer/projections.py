"""
The matrices of PsyNeuLink's Projections.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cogir.psyneulink.importer.learned_matrices import signals_of
from cogir.psyneulink.pnl import component_of
from cogir.psyneulink.reader import Reader, Refuse


def matrix_of(projection: Any) -> Any:
    """
    The Parameter that holds the matrix with which PsyNeuLink computes. For a recurrent Projection, and for one that is learned, it is not
    `matrix`, which PsyNeuLink puts back: it is what the function of its ParameterPort carries from one execution to the next.
    """
    if type(projection).__name__ == "AutoAssociativeProjection" or signals_of(projection):
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
    """True if a Projection brings an input of the Composition."""
    sender = projection.sender.owner
    return type(sender).__name__ == "CompositionInterfaceMechanism" and sender is sender.composition.input_CIM


def matrix_in_force(projection: Any, reader: Reader, refuse: Refuse) -> Any:
    """The matrix by which a Projection multiplies; None for one that passes on what it gets."""
    function = projection.function
    if type(function).__name__ != "MatrixTransform":
        return None
    if str(reader.get(function, "operation")) not in ("dot_product", "DOT_PRODUCT"):
        raise refuse(f"the Projection {projection.name!r} does not multiply by its matrix", "use the operation DOT_PRODUCT")
    if reader.get(function, "normalize"):
        raise refuse(f"the Projection {projection.name!r} normalizes", "leave normalize out")
    held = matrix_of(projection)
    try:
        matrix = as_matrix(reader.get(component_of(held), held.name))
    except (TypeError, ValueError):
        raise refuse(f"the matrix of the Projection {projection.name!r} is not an array of numbers", "give numbers") from None
    if type(projection).__name__ == "MaskedMappingProjection" and reader.get(projection, "mask") is not None:
        return matrix * mask_of(projection, reader, refuse)
    return matrix


def mask_of(projection: Any, reader: Reader, refuse: Refuse) -> Any:
    """The mask of a MaskedMappingProjection, which PsyNeuLink applies to the masked matrix again each time."""
    mask = np.atleast_2d(np.asarray(reader.get(projection, "mask"), float))
    if str(reader.get(projection, "mask_operation")) != "multiply" or not np.all((mask == 0.0) | (mask == 1.0)):
        raise refuse(
            f"the mask of the Projection {projection.name!r} changes its matrix in each execution",
            "use a mask of zeros and ones with the operation MULTIPLY",
        )
    return mask
