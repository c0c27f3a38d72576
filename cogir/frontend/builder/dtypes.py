"""
Models of float32: the types and values of what is added to them, and what they cannot have.

Numbers of other types (whole numbers, flags) stay as they are. A function computes in float32 if its inputs, parameters and states are
float32, as in NumPy: constants do not widen a number. Where one returns float64 nevertheless, the model refuses it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from cogir.errors import ModelError, shown
from cogir.frontend.builder.records import FunctionRecord
from cogir.frontend.builder.signatures import describe
from cogir.frontend.builder.source_location import SourceLocation
from cogir.frontend.builder.values import Array, ValueType

FLOAT64, FLOAT32 = "float64", "float32"


def checked_dtype(given: Any, what: str, place: SourceLocation) -> str:
    """The name of the type that a model's numbers have."""
    try:
        name = np.dtype(given).name
    except TypeError:
        name = ""
    if name not in (FLOAT64, FLOAT32) or given is None:
        raise ModelError(f'{place}: {what}: dtype is {shown(given)}; give "float64" or "float32"')
    return name


def narrow(value: Array, dtype: str) -> Array:
    """A value as a model of a type keeps it."""
    return value.astype(dtype) if value.dtype.kind == "f" and value.dtype.name != dtype else value


def narrow_values(values: Mapping[str, Array], dtype: str) -> dict[str, Array]:
    """Values as a model of a type keeps them; those of a model of float64 stay as they are."""
    return {name: narrow(value, dtype) if dtype == FLOAT32 else value for name, value in values.items()}


def narrow_types(types: Mapping[str, ValueType], dtype: str) -> dict[str, ValueType]:
    """The types of ports in a model of a type."""
    return {name: ValueType(kept.shape, dtype) if kept.dtype == FLOAT64 else kept for name, kept in types.items()}


def narrow_record(body: FunctionRecord, dtype: str) -> None:
    """Gives the parameters and states of a function the type of the model."""
    body.params = narrow_values(body.params, dtype)
    body.states = narrow_values(body.states, dtype)


def check_narrow(
    body: FunctionRecord,
    inputs: Mapping[str, ValueType],
    returns: Mapping[str, ValueType],
    dtype: str,
    what: str,
    place: SourceLocation,
) -> None:
    """Refuses a function whose outputs or states are float64 in a model of float32."""
    if dtype != FLOAT32:
        return
    kinds = [(f'output "{name}"', kept.dtype) for name, kept in returns.items()]
    kinds += [(f'state "{name}"', value.dtype.name) for name, value in body.states.items()]
    for position, (result, kind) in enumerate(kinds):
        if kind != FLOAT64:
            continue
        if body.function.__module__.startswith("cogir.library"):
            raise not_in_float32(body, what, place)
        line = ""
        if body.python is None:
            from cogir.frontend.emit.returned_types import line_of_result

            line = f", computed at {line_of_result(body, inputs, position)},"
        why = "arrays of random numbers are float64, as are" if body.streams else "such are"
        raise ModelError(
            f"{place}: {what}: {result} of {describe(body.function)}{line} is float64 in a model of float32 ({why} new arrays, such as "
            "np.zeros(3), and numbers made of constants or by float(...)); write np.float32(...) around what is float64, or make "
            "the model of float64"
        )


def not_in_float32(body: FunctionRecord, what: str, place: SourceLocation) -> ModelError:
    """The error for a function of the library that is no function of float32."""
    reason = "draws random numbers, which are float64" if body.streams else "makes new arrays, which are float64"
    shown = f"{what}: {describe(body.function)} {reason}"
    return ModelError(f"{place}: {shown}, and cannot be in a model of float32; make the model of float64")


def refuse_in_float32(dtype: str, what: str, place: SourceLocation) -> None:
    """Refuses what only models of float64 have."""
    if dtype == FLOAT32:
        raise ModelError(f'{place}: {what} not there in models of float32; make the model with dtype="float64"')
