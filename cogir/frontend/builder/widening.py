"""
Warnings where shapes that do not fit are stretched until they do.

Two vectors of different lengths without a matrix are joined by ones, and a port of one element is stretched to the length of a parameter.
Both are PsyNeuLink's and NumPy's rules, and both are seldom what was meant.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping

import numpy as np

from cogir.frontend.builder.records import FunctionRecord
from cogir.frontend.builder.signatures import describe
from cogir.frontend.builder.source_location import SourceLocation
from cogir.frontend.builder.values import ValueType


class ShapeWarning(UserWarning):
    """Shapes that differ were made to fit without being asked: a full matrix, or an output longer than its input."""


def warn_full_matrix(source: ValueType, target: ValueType, what: str, place: SourceLocation) -> None:
    """Warns of a projection without a matrix between vectors of different lengths, which is full of ones."""
    rows, columns = source.size, target.size
    if rows != columns and 1 not in (rows, columns):
        message = (
            f"{what}: the sender has {rows} elements, the receiver {columns}, and no matrix is given, so each element of the "
            f"receiver gets the sum of the sender's elements; give a {rows}x{columns} matrix, or "
            'matrix="full" for the sum'
        )
        warnings.warn_explicit(f"{place}: {message}", ShapeWarning, place.file, place.line)


def warn_stretched_inputs(
    body: FunctionRecord, ports: Mapping[str, ValueType], returns: Iterable[ValueType], what: str, place: SourceLocation
) -> None:
    """
    Warns of an output that is longer than every input because an array stands where the function's default is one number.

    An input of shape () is one number by itself and may meet arrays of any shape.
    """
    longer = {result.shape for result in returns} - {port.shape for port in ports.values()}
    for name, value in body.params.items():
        for port, kept in ports.items():
            if not kept.shape or not _one_number(body.signature.params[name]) or _together(kept.shape, value.shape) not in longer:
                continue
            by_itself = ", or input=() for one number that all elements take" if kept.size == 1 else ""
            message = (
                f'{what}: parameter "{name}" of {describe(body.function)} has shape {value.shape}, but input "{port}" has {kept.shape}, so '
                f"an output has {_together(kept.shape, value.shape)}; give the input that shape{by_itself}"
            )
            warnings.warn_explicit(f"{place}: {message}", ShapeWarning, place.file, place.line)
            return


def _together(first: tuple[int, ...], second: tuple[int, ...]) -> tuple[int, ...] | None:
    """The shape of two arrays that are added; None where they cannot be, or where the second is one number."""
    try:
        return np.broadcast_shapes(first, second) if second else None
    except ValueError:
        return None


def _one_number(default: object) -> bool:
    """True for the default of a parameter that is meant as one number."""
    return isinstance(default, int | float)
