"""Kinds of numbers and shapes of arrays, and the types of NumPy and of the IR that stand for them."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import numpy as np
from xdsl.dialects.builtin import TensorType, f32, f64, i1, i64
from xdsl.ir import Attribute

Kind: TypeAlias = Literal["i1", "i64", "f32", "f64"]
Shape: TypeAlias = tuple[int, ...]

ELEMENT_TYPES: dict[Kind, Attribute] = {"i1": i1, "i64": i64, "f32": f32, "f64": f64}
KINDS: dict[Attribute, Kind] = {type: kind for kind, type in ELEMENT_TYPES.items()}
DTYPES: dict[Kind, np.dtype[Any]] = {
    "i1": np.dtype(np.bool_),
    "i64": np.dtype(np.int64),
    "f32": np.dtype(np.float32),
    "f64": np.dtype(np.float64),
}
KIND_OF_DTYPE: dict[np.dtype[Any], Kind] = {dtype: kind for kind, dtype in DTYPES.items()}
WORDS_OF_KIND: dict[Kind, str] = {"i1": "bool", "i64": "int", "f32": "float32", "f64": "float"}


def tensor_type(shape: Shape, kind: Kind) -> TensorType[Any]:
    return TensorType(ELEMENT_TYPES[kind], shape)
