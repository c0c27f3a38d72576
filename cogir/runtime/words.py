"""
Values in the buffer of outputs: 64-bit words, an i64 by its bits, any other number as a float64.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from cogir.runtime.plan import Floats, PlanSlot

Array: TypeAlias = npt.NDArray[Any]
DTYPES = {"i1": np.bool_, "f32": np.float32}
"""The types of output arrays that are held as float64, other than that."""


def decoded(words: Floats, slot: PlanSlot) -> Array:
    """The values of an output, (..., elements), from its words: the bits of an i64, any other number as float64."""
    if slot.dtype == "i64":
        return words.view(np.int64)
    return words if slot.dtype == "f64" else words.astype(DTYPES[slot.dtype])


def encoded(value: Any, slot: PlanSlot) -> Floats:
    """The words of a value of an output, as `decoded` takes them."""
    flat = np.ravel(value)
    return flat.astype(np.int64).view(np.float64) if slot.dtype == "i64" else flat.astype(np.float64)
