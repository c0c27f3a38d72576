"""
A search by ask and tell: it says which points to compute, and is told their values, which may be computed anywhere.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cogir.callers import methods_end_at_caller
from cogir.errors import InputError, shown
from cogir.study.columns import numbers_of
from cogir.study.problem import Problem, design
from cogir.study.responses import Floats

WEIGHT, CROSSING = (0.5, 1.0), 0.9
"""The range of the factor of differences, and the probability of crossing (Storn and Price 1997, with dither)."""


@methods_end_at_caller
class AskTell:
    """
    Differential evolution (best/1/bin) by ask and tell.

        search = cogir.fit.search(problem)
        for _ in range(50):
            points = search.ask()
            search.tell(points, problem.log_posterior(points))
        search.best, search.value
    """

    def __init__(self, problem: Problem, population: int, seed: int):
        if type(population) is not int or population < 5:
            raise InputError(f"search: population is {shown(population)}; give a whole number of 5 or more")
        self.problem = problem
        self.rng = np.random.default_rng([seed, 13])
        self.points = design(problem.low, problem.high, population, seed)
        self.values = np.full(population, -np.inf)
        self.rounds = 0
        """The number of times that it was told values."""

    def ask(self) -> Floats:
        """The points to compute next, (population, parameters)."""
        if not self.rounds:
            return self.points.copy()
        count, size = self.points.shape
        picked = np.array([self.rng.choice(count, 2, replace=False) for _ in range(count)])
        apart = self.points[picked[:, 0]] - self.points[picked[:, 1]]
        moved = self.best + self.rng.uniform(*WEIGHT, (count, 1)) * apart
        crosses = self.rng.uniform(size=(count, size)) < CROSSING
        crosses[np.arange(count), self.rng.integers(size, size=count)] = True
        trial = np.where(crosses, moved, self.points)
        low, high = self.problem.low, self.problem.high
        outside = (trial < low) | (trial > high)
        return np.where(outside, self.rng.uniform(low, high, (count, size)), trial)

    def tell(self, points: Any, values: Any) -> None:
        """Takes the values of the points that it has asked for, in their order."""
        given, heights = (numbers_of("search", one, "give numbers") for one in (points, values))
        if given.shape != self.points.shape or heights.shape != self.values.shape:
            raise InputError(
                f"search: told {heights.shape} values at {given.shape} points; give one value for each of the points that ask() returned, "
                f"{self.points.shape}"
            )
        better = heights > self.values
        self.points[better], self.values[better] = given[better], heights[better]
        self.rounds += 1

    @property
    def best(self) -> Floats:
        """The best point so far."""
        return self.points[int(np.argmax(self.values))]

    @property
    def value(self) -> float:
        """The value there."""
        return float(self.values.max())
