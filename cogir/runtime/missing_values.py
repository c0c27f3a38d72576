"""
Missing values, as tables and masked arrays have them.
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np

MISSING = ("NAType", "NaTType", "MaskedConstant")
"""The types of what tables and masked arrays have in the place of a missing value."""


def is_missing(item: Any) -> bool:
    """True for None, NaN, NaT, the NA of pandas, and an element that a mask hides."""
    if item is None or type(item).__name__ in MISSING:
        return True
    if isinstance(item, np.datetime64 | np.timedelta64):
        return bool(np.isnat(cast(Any, item)))
    return isinstance(item, float | np.floating) and bool(item != item)
