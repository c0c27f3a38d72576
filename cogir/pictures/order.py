"""
The order within the ranks of a layered picture, so that few edges cross.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Sequence
from itertools import pairwise
from typing import TypeAlias

Neighbours: TypeAlias = Sequence[Sequence[int]]
"""The neighbours of each vertex in the rank above, or in the one below."""

SWEEPS = 12
SWITCHED = 400
"""Up to so many vertices, neighbours within a rank are also exchanged pair by pair."""
MOST_VERTICES = 20_000
"""Beyond, there are fewer sweeps."""


def ordered(rows: list[list[int]], above: Neighbours, below: Neighbours) -> list[list[int]]:
    """
    The rows with their vertices in an order in which few edges cross: each vertex near the mean of its neighbours, row by row, down and
    up, as long as that helps (Sugiyama's method).
    """
    best, fewest = [list(row) for row in rows], crossings(rows, below)
    rows = [list(row) for row in rows]
    size = sum(map(len, rows))
    idle = 0
    for sweep in range(SWEEPS if size <= MOST_VERTICES else 4):
        _sweep(rows, above if sweep % 2 == 0 else below, upwards=sweep % 2 == 1)
        if size <= SWITCHED:
            _switch(rows, above, below)
        found = crossings(rows, below)
        if found < fewest:
            best, fewest, idle = [list(row) for row in rows], found, 0
        else:
            idle += 1
        if fewest == 0 or idle == 4:
            break
    return best


def crossings(rows: Sequence[Sequence[int]], below: Neighbours) -> int:
    """The number of pairs of edges that cross."""
    total = 0
    for upper, lower in pairwise(rows):
        place = {vertex: index for index, vertex in enumerate(lower)}
        passed: list[int] = []
        for vertex in upper:
            ends = sorted(place[other] for other in below[vertex])
            total += sum(len(passed) - bisect_right(passed, end) for end in ends)
            for end in ends:
                insort(passed, end)
    return total


def _sweep(rows: list[list[int]], fixed: Neighbours, *, upwards: bool) -> None:
    """Sorts each row by the means of its vertices' neighbours in the row before; vertices without neighbours keep their places."""
    indices = range(len(rows) - 2, -1, -1) if upwards else range(1, len(rows))
    for index in indices:
        place = {vertex: at for at, vertex in enumerate(rows[index + 1 if upwards else index - 1])}
        row = rows[index]
        mean = {vertex: sum(place[other] for other in fixed[vertex]) / len(fixed[vertex]) for vertex in row if fixed[vertex]}
        movable = iter(sorted(mean, key=mean.__getitem__))
        rows[index] = [next(movable) if vertex in mean else vertex for vertex in row]


def _switch(rows: list[list[int]], above: Neighbours, below: Neighbours) -> None:
    """Exchanges neighbours within a row where that leaves fewer crossings."""
    for index, row in enumerate(rows):
        places = [
            ({vertex: at for at, vertex in enumerate(rows[other])}, neighbours)
            for other, neighbours in ((index - 1, above), (index + 1, below))
            if 0 <= other < len(rows)
        ]
        for left in range(len(row) - 1):
            one, two = row[left], row[left + 1]
            now = sum(_between(one, two, place, neighbours) for place, neighbours in places)
            then = sum(_between(two, one, place, neighbours) for place, neighbours in places)
            if then < now:
                row[left], row[left + 1] = two, one


def _between(left: int, right: int, place: dict[int, int], neighbours: Neighbours) -> int:
    """The crossings between the edges of two vertices, the first left of the second."""
    ends = sorted(place[other] for other in neighbours[right])
    return sum(bisect_right(ends, place[other] - 1) for other in neighbours[left])
