"""
What a projection does to the value that it carries: nothing, a matrix, or a function.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from cogir.errors import ModelError
from cogir.frontend.builder.dtypes import FLOAT64, narrow, narrow_record
from cogir.frontend.builder.functions import function_record, returned_by
from cogir.frontend.builder.records import FunctionRecord, StreamRecord
from cogir.frontend.builder.signatures import describe
from cogir.frontend.builder.source_location import SourceLocation
from cogir.frontend.builder.values import Array, ValueType, as_matrix


def projection_matrix(given: Any, source: ValueType, target: ValueType, what: str, place: SourceLocation) -> Array | None:
    """The matrix from a sender's vector to a receiver's; None where the value is passed on as it is."""
    if source.dtype not in ("float64", "float32") or source.dtype != target.dtype:
        wanted, write = ("f32", "np.float32") if target.dtype == "float32" else ("f64", "float")
        raise ModelError(
            f"{place}: {what}: the sender has type {source}; only {wanted} values can be projected, so let its function return a float: "
            f"write {write}(x), or x.astype({write}) for an array"
        )
    if len(source.shape) > 1 or len(target.shape) > 1:
        if source.shape == target.shape and given is None:
            return None
        raise ModelError(
            f"{place}: {what}: a matrix maps a vector to a vector, but the sender has type {source} and the receiver {target}; use "
            "equal shapes without a matrix, or give a function"
        )
    matrix = as_matrix(given, source.size, target.size, what, place)
    if matrix is None and source.shape != target.shape:
        matrix = np.ones((1, 1))
    return None if matrix is None else narrow(matrix, source.dtype)


def projection_body(
    function: Callable[..., Any],
    given: Mapping[str, Any],
    source: ValueType,
    target: ValueType,
    what: str,
    place: SourceLocation,
    dtype: str = FLOAT64,
) -> FunctionRecord:
    """The function of a projection, whose one output must fit the receiver."""

    def no_stream(role: str, count: int) -> StreamRecord:
        raise ModelError(f"{place}: {what}: {describe(function)} draws random numbers, which a projection cannot; put it into a node")

    body = function_record(function, given, what, place, no_stream)
    if len(body.signature.inputs) != 1:
        raise ModelError(f"{place}: {what}: {describe(function)} has {len(body.signature.inputs)} inputs; one is required")
    narrow_record(body, dtype)
    outputs, _ = returned_by(body, {body.signature.inputs[0]: source}, what, place)
    if list(outputs.values()) != [target]:
        found = ", ".join(map(str, outputs.values()))
        raise ModelError(f"{place}: {what}: {describe(function)} returns {found}, but the receiver is {target}; return one {target}")
    return body
