"""
The check of intervals: how far the likelihood itself has fallen at their ends, and wider intervals where it has fallen too little.
"""

# NumPy types a few functions only in part.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from cogir.study.intervals import Profile
from cogir.study.responses import Floats
from cogir.study.surface import Objective

HELD = 0.75
"""The likelihood itself has to fall by this part of the promised drop at least, within its error: ends are too near by 13 % at most."""
DEVIATIONS = 2.0
"""The error is so many standard errors."""
FARTHEST = 2.0
"""An end moves away from the estimate by this factor at most."""
DEEPEST = -1e6
"""Stands for lower log-likelihoods, so that falls have a mean."""
SIDES = ("lower", "upper")


@dataclass(frozen=True)
class NearEnd:
    """An end of an interval, 0 for the lower and 1 for the upper one, at which the log-likelihood has not fallen as it should."""

    name: str
    side: int
    fallen: float
    error: float
    drop: float

    @property
    def factor(self) -> float:
        """The factor by which the end should lie further away, for a log-likelihood that falls with the square of the distance."""
        return min(FARTHEST, math.sqrt(self.drop / max(self.fallen + DEVIATIONS * self.error, 1e-9)))

    def __str__(self) -> str:
        return (
            f"the log-likelihood has fallen by only {max(0.0, self.fallen):.2g} at the {SIDES[self.side]} end of the interval of "
            f'"{self.name}", not by {self.drop:.3g} as the polynomial says: the end was moved outwards by a factor of {self.factor:.2f}; '
            "raise simulations, and see by cogir.recovery how often intervals hold the truth"
        )


def near_ends(profiles: Iterable[Profile], objectives: Iterable[Objective], summit: Floats) -> list[NearEnd]:
    """
    The ends of intervals at which the log-likelihood has not fallen as it should, within twice its standard error. `objectives`: each with
    other random numbers, common to all points. Ends at bounds are not promised to have fallen.
    """
    places = [(held, side) for held in profiles for side in (0, 1) if not held.meets_bound[side]]
    if not places:
        return []
    points = np.stack([summit, *(held.ends[side] for held, side in places)])
    heights = np.stack([np.maximum(objective(points), DEEPEST) for objective in objectives])
    falls = heights[:, :1] - heights[:, 1:]
    means, errors = falls.mean(axis=0), falls.std(axis=0, ddof=1) / math.sqrt(len(falls))
    found = [
        NearEnd(held.name, side, float(mean), float(error), held.drop)
        for (held, side), mean, error in zip(places, means, errors, strict=True)
    ]
    return [end for end in found if end.fallen + DEVIATIONS * end.error < HELD * end.drop]


def moved_outwards(profile: Profile, near: Iterable[NearEnd], best: float, bounds: tuple[float, float]) -> Profile:
    """The profile with those ends moved away from the estimate, up to the bounds."""
    low, high = profile.low, profile.high
    for end in near:
        if end.name == profile.name and end.side == 0:
            low = max(bounds[0], best + end.factor * (low - best))
        elif end.name == profile.name:
            high = min(bounds[1], best + end.factor * (high - best))
    return replace(profile, low=low, high=high)
