"""
What counts as a number where users give some: inputs, parameters, levels.

Nothing is changed silently: what has no exact place in the type that a model keeps (2.5 in a whole number, 2**53 + 1 in
a float, None, text, a complex number) is refused with the reason.
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import numpy.typing as npt

from cogir.errors import shown
from cogir.runtime.named_data import Named, without_names

EXACT = 2**53
"""Whole numbers up to this one have an exact f64."""
KINDS = {"c": "complex numbers", "U": "text", "S": "text", "M": "dates", "m": "time spans", "V": "records"}


class NotNumbers(ValueError):
    """A value cannot be represented exactly in the type wanted; the message is the reason, and starts with the value."""


def as_numbers(given: Any, dtype: Any = np.float64) -> npt.NDArray[Any]:
    """
    An array of `dtype` (float64, float32, int64 or bool) with exactly the numbers given; f32 rounds as it always does.

    Raises `NotNumbers`. An array of that dtype is returned as it stands, without a copy.
    """
    wanted = np.dtype(dtype)
    try:
        array = np.asarray(without_names(given))
    except Named as reason:
        raise NotPlainArray(str(reason)) from None
    except RuntimeError as error:  # tensors of PyTorch that require a gradient, or lie on a GPU
        raise NotNumbers(f"found {shown(given)}, which NumPy cannot read: {str(error).strip()}") from None
    except (ValueError, TypeError, OverflowError):
        raise NotNumbers(f"found {shown(given)}, whose rows have different lengths") from None
    if array.dtype == wanted:
        return array
    match array.dtype.kind:
        case "O":
            array = _numbers_of(cast("npt.NDArray[np.object_]", array))
        case "b":
            array = array.astype(np.int64)
        case "f" | "i" | "u":
            pass
        case kind:
            raise NotNumbers(f"found {shown(given)}, which is {KINDS.get(kind, str(array.dtype))}")
    return _as_floats(array, wanted) if wanted.kind == "f" else _as_whole(array, wanted)


class NotExact(NotNumbers):
    """A number has no exact place in the type wanted, or none at all; the message has the remedy."""


class NotPlainArray(NotNumbers):
    """Numbers have names or labels that an array would lose, or some of them are missing; the message has the remedy."""


def _numbers_of(array: npt.NDArray[np.object_]) -> npt.NDArray[Any]:
    """An array of floats, or of whole numbers as Python has them, for an array of any objects that are such numbers."""
    for item in array.ravel():
        if isinstance(item, (str, bytes, complex, type)) or not hasattr(cast(object, item), "__float__"):
            raise NotNumbers(f"found {shown(item)}, which is not a number")
    if all(isinstance(item, (int, np.integer)) for item in array.ravel()):
        return array
    for item in array.ravel():
        if isinstance(item, int):
            _exact_float(item)
    try:
        return array.astype(np.float64)
    except (TypeError, ValueError):  # arrays among numbers, and what says that it is a number but is none
        raise NotNumbers(f"found {shown(array.ravel().tolist())}, of which not each is a number") from None


def _as_floats(array: npt.NDArray[Any], wanted: np.dtype[Any]) -> npt.NDArray[Any]:
    """Floats; whole numbers must not lose digits, and nothing finite may become infinite."""
    if array.dtype.kind in "iuO" and ((array > EXACT) | (array < -EXACT)).any():
        for item in array.ravel().tolist():
            _exact_float(item)
    with np.errstate(over="ignore"):
        result = array.astype(wanted)
    lost = np.isinf(result) & ~np.isinf(array.astype(np.float64))
    if lost.any():
        most = float(np.finfo(wanted).max)
        other = ", or make the model of float64" if wanted == np.float32 else ""
        raise NotExact(
            f"found {array[lost].tolist()[0]!r:.80}, which is too large for {wanted.name}; give numbers from {-most:.8g} to "
            f"{most:.8g}{other}"
        )
    return result


def _as_whole(array: npt.NDArray[Any], wanted: np.dtype[Any]) -> npt.NDArray[Any]:
    """Whole numbers or flags; floats that are such numbers are taken."""
    low, beyond, name = (0, 2, "a flag (0 or 1)") if wanted.kind == "b" else (-(2**63), 2**63, "a whole number of 64 bits")
    fits = np.asarray((array >= low) & (array < beyond), np.bool_)
    if array.dtype.kind == "f":
        fits &= np.floor(array) == array
    if not fits.all():
        found = array[~fits].tolist()[0]
        hint = WHOLE_BY_DEFAULT if isinstance(found, float) and np.isfinite(found) and wanted.kind != "b" else ""
        raise NotNumbers(f"found {found!r}, which is not {name}{hint}")
    return array.astype(wanted)


WHOLE_BY_DEFAULT = (
    ": it holds whole numbers because the value that it was given in the function or in m.node is one (rate=1); write that as a float "
    "(rate=1.0)"
)
"""The remedy where a float is given for what an int made an int."""


def _exact_float(item: int) -> None:
    """Refuses a whole number that has no exact f64."""
    try:
        if int(float(item)) == item:
            return
    except OverflowError:
        raise NotExact(f"found {shown(item)}, which is too large for a float; give numbers up to 1.8e308") from None
    raise NotExact(
        f"found {shown(item)}, which float64 cannot represent exactly (whole numbers above 2**53); write it as a float to round it"
    )


LARGEST_F32 = float(np.finfo(np.float32).max)


def check_float32(values: npt.NDArray[np.float64]) -> None:
    """Raises `NotNumbers` for a finite number that would become infinite as a float32; infinities and NaN are what they are."""
    high, low = np.fmax.reduce(values, axis=None, initial=-np.inf), np.fmin.reduce(values, axis=None, initial=np.inf)
    if high > LARGEST_F32 or low < -LARGEST_F32:
        as_numbers(values, np.float32)


def are_finite(values: npt.NDArray[np.float64]) -> bool:
    """True if every number is finite; their sum, which is found in less time, shows it unless it overflows."""
    with np.errstate(over="ignore", invalid="ignore"):
        return bool(np.isfinite(values.sum()) or np.isfinite(values).all())
