"""
TaskRanges of points, each as long as a task should be.
"""

from __future__ import annotations

from collections import deque

TASK_SECONDS = 0.5
"""Tasks are made about so long: twice what is worth sending, as the time of points differs."""


class TaskRanges:
    """The ranges of points that are left, each as long as a task should be."""

    def __init__(self, left: list[tuple[int, int]], align: int = 1):
        """`left`: what is to be computed. `align`: ranges end at multiples of it, so that they are whole blocks of a store."""
        self.left = deque(left)
        self.align = align
        self.size = align
        self.longest = 0.0

    def take(self) -> tuple[int, int] | None:
        """The next range; None if nothing is left."""
        if not self.left:
            return None
        first, last = self.left.popleft()
        end = min(last, (first // self.align) * self.align + self.size)
        if end < last:
            self.left.appendleft((end, last))
        return first, end

    def give_back(self, first: int, last: int) -> None:
        """A range is to be computed again."""
        self.left.appendleft((first, last))

    def learn(self, count: int, seconds: float) -> None:
        """So many points took so long: the next ranges are made of as many as fit; they grow slowly, as points differ."""
        fitting = int(count * TASK_SECONDS / max(seconds, 1e-6))
        size = min(fitting, 8 * max(count, self.size))
        self.size = max(1, size // self.align) * self.align
