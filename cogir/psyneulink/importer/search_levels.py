"""
The levels of the signals of a search, as PsyNeuLink's SampleIterators hold them.
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np


def levels_of(iterator: Any) -> tuple[float, ...]:
    """The samples of one axis of a search space, which no function of the user's computes."""
    return tuple(float(np.asarray(level).item()) for level in list_of(iterator) or iterator())


def list_of(iterator: Any) -> list[Any] | None:
    """The list of samples that a SampleIterator goes through; None, if it computes them."""
    given: Any = iterator.generator
    return cast("list[Any]", given) if isinstance(given, list) else None


def is_drawn(iterator: Any) -> bool:
    """True if a function of the user's gives the samples, which may be others each time."""
    return callable(getattr(iterator, "generator", None))
