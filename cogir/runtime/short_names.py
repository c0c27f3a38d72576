"""
Short names of the parameters of projections, as users write them down.

    task:value->hidden:variable/matrix      the full path
    task->hidden/matrix, task->hidden       the same

A short name that could mean several projections means none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy.typing as npt

ARROW = "->"
MATRIX = "matrix"
WEIGHTS = (MATRIX, "matrices", "weight", "weights")
"""The names by which users look for matrices."""


def is_of_projection(path: str) -> bool:
    """True for the path of a parameter of a projection without a name of its own."""
    return ARROW in path.rpartition("/")[0]


def is_matrix(path: str, shape: tuple[int, ...]) -> bool:
    """True for the matrix of a projection without a name."""
    return is_of_projection(path) and path.rpartition("/")[2].removeprefix("param:") == MATRIX and len(shape) == 2


def loses_structure(path: str, held: npt.NDArray[Any], shape: tuple[int, ...]) -> bool:
    """True if values of this shape would fill the matrix of a projection without a name whose elements differ."""
    return is_matrix(path, held.shape) and len(shape) < held.ndim and bool((held != held.flat[0]).any())


def short_name(path: str) -> str:
    """The name of a parameter of a projection without its ports: `task->hidden/slope`; of a matrix `task->hidden`."""
    owner, _, name = path.rpartition("/")
    sender, _, receiver = owner.partition(ARROW)
    short = f"{sender.partition(':')[0]}{ARROW}{receiver.partition(':')[0]}"
    name = name.removeprefix("param:")
    return short if name == MATRIX else f"{short}/{name}"


def short_names(paths: Iterable[str]) -> dict[str, str]:
    """The paths of the parameters of projections by their short names."""
    pairs = [(short_name(path), path) for path in paths if is_of_projection(path)]
    counts = Counter(short for short, _ in pairs)
    return {short: path for short, path in pairs if counts[short] == 1}


def as_short(wanted: str) -> str:
    """The short name as a user writes it, without spaces around the arrow, and without the word `matrix`."""
    sender, arrow, receiver = wanted.partition(ARROW)
    return f"{sender.rstrip()}{arrow}{receiver.lstrip()}".removesuffix(f"/{MATRIX}")


def find_short(wanted: str, known: Iterable[str]) -> str | None:
    """The path that a short name means among known ones; None if it means none."""
    return short_names(known).get(as_short(wanted)) if ARROW in wanted else None
