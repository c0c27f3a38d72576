"""
Positions within the ranks of a layered picture: near the neighbours, in the given order, without overlaps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

SWEEPS = 10
MOST_VERTICES = 20_000
"""Beyond, there are fewer sweeps."""


@dataclass(slots=True)
class Vertex:
    """A thing to place, by its reach to both sides of its position."""

    left: float
    right: float
    gap: float
    """The distance that others keep."""


@dataclass(slots=True)
class Pull:
    """An edge to a neighbour in an adjacent rank: where it begins, from the vertex's position, and where it ends, from the neighbour's."""

    other: int
    own_offset: float
    other_offset: float
    weight: float


Pulls: TypeAlias = Sequence[Sequence[Pull]]


def positions(
    rows: Sequence[Sequence[int]], vertices: Sequence[Vertex], above: Pulls, below: Pulls, start: list[float] | None
) -> list[float]:
    """
    The position of each vertex. Sweeps down and up give each row the positions that are nearest, in the sense of least squares, to those
    at which the edges to the row before would be straight; the last sweeps count the edges to both sides.
    """
    if start is None:
        start = [0.0] * len(vertices)
        for row in rows:
            at = 0.0
            for index, vertex in enumerate(row):
                at += _distance(vertices[row[index - 1]], vertices[vertex]) if index else 0.0
                start[vertex] = at
            for vertex in row:
                start[vertex] -= at / 2
    found = start
    sweeps = SWEEPS if len(vertices) <= MOST_VERTICES else 4
    for sweep in range(sweeps):
        upwards = sweep % 2 == 1
        last = sweep >= sweeps - 2
        for row in reversed(rows) if upwards else rows:
            _place(row, vertices, (above, below) if last else ((below,) if upwards else (above,)), found)
    return found


def _distance(left: Vertex, right: Vertex) -> float:
    """The least distance between the positions of two that stand side by side."""
    return left.right + max(left.gap, right.gap) + right.left


def _place(row: Sequence[int], vertices: Sequence[Vertex], pulls: Sequence[Pulls], found: list[float]) -> None:
    """Moves a row: the weighted least squares under the order and the distances, by pooling those that push each other."""
    shift = 0.0
    pools: list[tuple[float, float, int]] = []  # mean, weight, number of vertices
    shifts: list[float] = []
    for index, vertex in enumerate(row):
        if index:
            shift += _distance(vertices[row[index - 1]], vertices[vertex])
        shifts.append(shift)
        total = weight = 0.0
        for held in pulls:
            for pull in held[vertex]:
                total += pull.weight * (found[pull.other] + pull.other_offset - pull.own_offset)
                weight += pull.weight
        mean, weight = (total / weight, weight) if weight else (found[vertex], 0.01)
        pools.append((mean - shift, weight, 1))
        while len(pools) > 1 and pools[-2][0] > pools[-1][0]:
            mean2, weight2, count2 = pools.pop()
            mean1, weight1, count1 = pools.pop()
            together = weight1 + weight2
            pools.append(((mean1 * weight1 + mean2 * weight2) / together, together, count1 + count2))
    at = 0
    for mean, _, count in pools:
        for _ in range(count):
            found[row[at]] = mean + shifts[at]
            at += 1
