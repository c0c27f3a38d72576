"""
The joint density of choice and response time, estimated from simulated trials.

An estimator is called with the simulated outputs at one point of a sweep, also in other processes, and makes of them an array of a fixed
size. `densities` then reads the density of data from these arrays.
"""

# NumPy types a few functions only in part.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from cogir.study.responses import Array, Floats, Ports, Responses

CELLS = 512
"""The number of cells of the grid on which a density is smoothed."""
REACH = 4.0
"""The kernel is cut off so many bandwidths from its centre; the grid ends as far beyond the simulated times."""
FEW = 10
"""A choice with fewer trials takes the spread of all."""
FARTHEST = 1e-4
"""The least nearness of a response to simulated ones."""
HEAD = 3
"""
The numbers before the densities in a row: the probability, then of histograms the shortest and the longest time; of grids the first place
and the distance of the cells, and as fourth the origin of the logarithm.
"""


@dataclass(frozen=True)
class ResponseEstimator(ABC):
    """The simulated trials at a point, as an array for each choice that decided trials may have; all others count as undecided."""

    ports: Ports
    choices: tuple[float, ...]

    def __call__(self, outputs: Mapping[str, Array]) -> Floats:
        """The array of a point, (choices, ...)."""
        choices, times = self.ports.of_point(outputs)
        finite = np.isfinite(times)
        every = [times[(choices == code) & finite] for code in self.choices]
        return self.rows(every, len(times))

    @abstractmethod
    def rows(self, times: list[Floats], count: int) -> Floats:
        """The row of each choice, whose first element is its probability. `times`: of each choice; `count`: of all trials."""

    @abstractmethod
    def densities(self, found: Floats, responses: Responses, places: Array) -> Floats:
        """The densities of decided responses, (points, trials). `found`: (points, conditions, choices, ...); `places`: of their choices."""

    @abstractmethod
    def ends(self, found: Floats) -> tuple[Floats, Floats]:
        """The times between which the density of each choice lies, (points, conditions, choices); infinity and 0 without trials."""

    def nearness(self, found: Floats, responses: Responses, places: Array) -> Floats:
        """
        How near responses come to the simulated times of their choice, (points, trials): 1 between the shortest and the longest, else the
        ratio to these. Of a choice without trials the times are those of all choices; without any, the ratio is `FARTHEST`.
        """
        first, last = self.ends(found)
        none = last <= 0.0
        first = np.where(none, first.min(axis=-1, keepdims=True), first)[:, responses.conditions, places]
        last = np.where(none, last.max(axis=-1, keepdims=True), last)[:, responses.conditions, places]
        times = np.where(responses.undecided, 1.0, np.maximum(responses.times, 1e-12))
        with np.errstate(all="ignore"):
            ratio = np.minimum(1.0, np.minimum(times / first, last / times))
        return np.where(responses.undecided, 1.0, np.maximum(ratio, FARTHEST))

    @property
    def name(self) -> str:
        """The name in summaries."""
        return type(self).__name__.lower()


class Proportions(ResponseEstimator):
    """The probabilities of choices, for data without times."""

    @property
    def name(self) -> str:
        return "proportions of choices"

    def rows(self, times: list[Floats], count: int) -> Floats:
        return np.array([[len(held) / count] for held in times])

    def densities(self, found: Floats, responses: Responses, places: Array) -> Floats:
        return found[:, responses.conditions, places, 0]

    def ends(self, found: Floats) -> tuple[Floats, Floats]:
        return np.zeros(found.shape[:3]), np.full(found.shape[:3], np.inf)


@dataclass(frozen=True)
class HistogramDensity(ResponseEstimator):
    """The density of each choice as a histogram: constant in each bin, 0 outside of all."""

    edges: tuple[float, ...]

    @property
    def name(self) -> str:
        return f"histograms of {len(self.edges) - 1} bins"

    def rows(self, times: list[Floats], count: int) -> Floats:
        found = np.zeros((len(times), HEAD + len(self.edges) - 1))
        for row, held in zip(found, times, strict=True):
            if len(held):
                row[:HEAD] = len(held) / count, held.min(), held.max()
                row[HEAD:] = np.histogram(held, self.edges)[0] / (count * np.diff(self.edges))
        return found

    def densities(self, found: Floats, responses: Responses, places: Array) -> Floats:
        bins = np.searchsorted(self.edges, responses.times, side="right") - 1
        bins = np.where(responses.times == self.edges[-1], len(self.edges) - 2, bins)
        inside = (bins >= 0) & (bins < len(self.edges) - 1)
        return np.where(inside, found[:, responses.conditions, places, HEAD + np.where(inside, bins, 0)], 0.0)

    def ends(self, found: Floats) -> tuple[Floats, Floats]:
        return np.where(found[..., 0] > 0.0, found[..., 1], np.inf), found[..., 2]


@dataclass(frozen=True)
class KernelDensity(ResponseEstimator):
    """
    The density of each choice by a Gaussian kernel on logarithmic times.

    The kernel acts on `s = log(t - o)`. The origin `o` lies below all simulated times of the point: below the shortest by half of its
    distance from the first quartile (of all choices). So the kernel is narrow where times begin steeply, and wide in their tail.
    Its bandwidth for a choice with n trials is `factor * 0.9 * min(sd(s), IQR(s) / 1.349) * n**(-1/5)`. `factor` is 0.5: half of
    Silverman's rule, as the bias of a wide kernel shifts estimates, while the noise of a narrow one hardly does.

    Times that are multiples of a step are spread over it first. The counts in 512 cells are then convolved with the kernel; the density
    between the centres of cells is interpolated. A density integrates to the probability of its choice.
    """

    factor: float = 0.5
    logarithmic: bool = True

    @property
    def name(self) -> str:
        return "kernel density"

    def rows(self, times: list[Floats], count: int) -> Floats:
        found = np.zeros((len(times), HEAD + 1 + CELLS))
        every = np.sort(np.concatenate(times))
        if not len(every):
            return found
        tick = tick_of(every)
        origin = self.origin(every, tick)
        usual = self.spread(self.scaled(every, origin))
        for row, held in zip(found, times, strict=True):
            if len(held):
                row[HEAD] = origin
                row[0] = len(held) / count
                row[1], row[2], row[HEAD + 1 :] = self.smoothed(np.sort(held), origin, tick, usual)
                row[HEAD + 1 :] *= row[0]
        return found

    def origin(self, times: Floats, tick: float) -> float:
        """The time that becomes minus infinity; `times` are in order."""
        first, quartile = float(times[0]), float(times[len(times) // 4])
        return first - max(0.5 * (quartile - first), tick, 1e-3 * abs(first), 1e-9)

    def scaled(self, times: Floats, origin: float) -> Floats:
        """The scale on which the kernel acts."""
        return np.log(times - origin) if self.logarithmic else times - origin

    def spread(self, s: Floats) -> float:
        """The spread of numbers in order: the smaller one of the standard deviation and that of a normal with the same quartiles."""
        quartiles = s[(3 * len(s)) // 4] - s[len(s) // 4]
        return float(min(s.std(), quartiles / 1.349) if quartiles > 0.0 else s.std())

    def smoothed(self, times: Floats, origin: float, tick: float, usual: float) -> tuple[float, float, Floats]:
        """
        The place of the first cell, the distance of the cells, and the density in each, on the scale of the kernel. `usual`: the spread of
        all choices, for one that has few trials.
        """
        s = self.scaled(times, origin)
        spread = usual if len(s) < FEW else self.spread(s)
        width = max(self.factor * 0.9 * spread * len(s) ** -0.2, 1e-3 * (1.0 if self.logarithmic else float(times[0]) - origin))
        low, high = s[0] - REACH * width, s[-1] + REACH * width
        step = (high - low) / CELLS
        edges = low + step * np.arange(CELLS + 1)
        ends = np.exp(edges) + origin if self.logarithmic else edges + origin
        mass = np.diff(distribution_of(times, ends, tick))
        reach = min(int(REACH * width / step) + 1, CELLS // 2 - 1)
        kernel = np.exp(-0.5 * (step / width * np.arange(-reach, reach + 1)) ** 2)
        smooth: Floats = np.convolve(mass, kernel / (kernel.sum() * step), mode="same").astype(np.float64, copy=False)
        return float(low + 0.5 * step), float(step), smooth

    def densities(self, found: Floats, responses: Responses, places: Array) -> Floats:
        heads = found[:, responses.conditions, places, : HEAD + 1]
        first, step, origin = heads[..., 1], heads[..., 2], heads[..., HEAD]
        with np.errstate(all="ignore"):
            distance = responses.times - origin
            s = np.log(distance) if self.logarithmic else distance
            at = (s - first) / step
            inside = (distance > 0.0) & (step > 0.0) & (at >= 0.0) & (at < CELLS - 1)
        cell = np.where(inside, at, 0.0).astype(np.int64)
        part = np.where(inside, at, 0.0) - cell
        points = np.arange(len(found))[:, None]
        below = found[points, responses.conditions, places, HEAD + 1 + cell]
        above = found[points, responses.conditions, places, HEAD + 2 + cell]
        density = below + (above - below) * part
        return np.where(inside, density / np.where(inside, distance, 1.0) if self.logarithmic else density, 0.0)

    def ends(self, found: Floats) -> tuple[Floats, Floats]:
        first, step, origin = found[..., 1], found[..., 2], found[..., HEAD]
        last = first + step * (CELLS - 1)
        low, high = (origin + (np.exp(end) if self.logarithmic else end) for end in (first, last))
        return np.where(step > 0.0, low, np.inf), np.where(step > 0.0, high, 0.0)


def tick_of(times: Floats) -> float:
    """The step of times in order of which there are many equal ones, as simulations in steps give them; 0 for others."""
    gaps = np.diff(times)
    gaps = gaps[gaps > 0.0]
    return float(gaps.min()) if 0 < len(gaps) <= len(times) // 2 else 0.0


def distribution_of(times: Floats, ends: Floats, tick: float) -> Floats:
    """The part of times, in order, that lies below each of some ends; each time is spread evenly over a `tick` around it."""
    count = len(times)
    if not tick:
        return np.searchsorted(times, ends, side="left") / count
    begins = np.flatnonzero(np.append(True, times[1:] != times[:-1]))
    knots = np.stack([times[begins] - 0.5 * tick, times[begins] + 0.5 * tick], axis=1).ravel()
    reached = np.stack([begins, np.append(begins[1:], count)], axis=1).ravel()
    return np.interp(ends, knots, reached / count)
