"""
Numbers and arrays as short texts.
"""

from __future__ import annotations

from typing import Any

import numpy as np

MOST_NUMBERS = 4
"""So many numbers of a vector are written; longer ones are summarised."""


def number_text(value: Any) -> str:
    """A number with four digits."""
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    text = f"{value:.4g}" if isinstance(value, float | np.floating) else str(value)
    return text.replace("-", "\N{MINUS SIGN}", 1) if text.startswith("-") else text


def shape_text(shape: tuple[int, ...]) -> str:
    """A shape, such as 3×2."""
    return "\N{MULTIPLICATION SIGN}".join(map(str, shape))


def value_text(value: Any) -> str:
    """A number, a short vector, or a summary of an array: its shape, and its number if all are the same."""
    array = np.asarray(value)
    if array.ndim == 0:
        return number_text(array.item())
    if array.ndim == 1 and array.size <= MOST_NUMBERS:
        return f"[{', '.join(map(number_text, array.tolist()))}]"
    if array.size and (array == array.flat[0]).all():
        return f"{shape_text(array.shape)} of {number_text(array.flat[0].item())}"
    return f"{shape_text(array.shape)} numbers"


def is_identity(matrix: Any) -> bool:
    """True if a product with this matrix is the other factor."""
    array = np.asarray(matrix)
    return array.ndim == 2 and array.shape[0] == array.shape[1] and bool((array == np.eye(len(array))).all())
