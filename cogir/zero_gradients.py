"""
Learned matrices by which the derivative of the loss is 0 in every trial, because they multiply initial values that are zero.

A compiler says which initial values these are. They are parameters, so whether they are zero is decided when a model learns.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cogir.errors import matrix_in_words


@dataclass(frozen=True)
class ZeroGradient:
    """
    A learned matrix by its path, and when the derivative by it is 0: if the elements that one of `alternatives` lists are zero.

    Each is an initial value by its path, the first element, and how many.
    """

    matrix: str
    alternatives: tuple[tuple[tuple[str, int, int], ...], ...]

    def holds(self, value_of: Callable[[str], Any]) -> bool:
        """True if the derivative is 0 for these parameters."""
        return any(
            all(not np.ravel(value_of(path))[first : first + count].any() for path, first, count in parts) for parts in self.alternatives
        )


def zero_by(zeros: Sequence[ZeroGradient], value_of: Callable[[str], Any]) -> list[tuple[str, str]]:
    """The matrices that are not learned with these parameters, and the reason."""
    return [(each.matrix, REASON) for each in zeros if each.holds(value_of)]


def named_in_vain(path: str, reason: str, remedy: str) -> str:
    """The message about a matrix that is named to be learned and is not."""
    return (
        f"learning: the projection {matrix_in_words(path)} is named in weights, but the derivative of the loss by its matrix is 0 in "
        f"every trial: {reason}; {remedy}"
    )


REASON = "it takes the value that its sender had before the trial, and trials of learn start from the initial state, where that is 0"
REMEDY = (
    'let a trial have several passes (the page "Recurrent networks", docs/recurrent.md), start from other initial values, or leave the '
    "projection out of weights"
)
