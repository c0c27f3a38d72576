"""
The densities that fastKDE (O'Brien et al. 2014, 2016) estimates for samples of one variable, many at a time, on grids of any length.

    data ──► spread over a grid by a Gaussian (native_density.py)
         ──► FFT, divided by that of the Gaussian: the empirical characteristic function
         ──► the frequencies around 0 at which it is above a threshold, weighted (Bernacchia and Pigolotti 2011) ──► FFT: the density
         ──► shifted down, so that what is below 0 can be cut off and the rest is still normalised

`densities` does the same arithmetic natively or on whole arrays, without fastKDE's objects for any number of variables: samples whose grids
have the same number of points are rows of one array. What decides where a point goes on the grid is computed to the bit as fastKDE does:
the least and the greatest point lie on it. Samples for which a rounding error could decide (None is returned) are left to fastKDE itself.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cogir.psyneulink.execution.native_density import SPREAD, TAU, GridPlace, spread_points

Array: TypeAlias = NDArray[Any]
Density: TypeAlias = tuple[Array, Array]
"""A grid, and the density on it."""

POINTS_PER_SIGMA = 10
MOST_POINTS = 2**16 + 1
"""Longer grids are left to fastKDE."""
MOST_NUMBERS = 60_000
"""The numbers of the grids of samples that are rows of one array: they stay in the caches."""
SMALL_RANGE = 1e-6
"""Data whose range is so small a part of their magnitude are left to fastKDE, which may find its grid uneven."""
LEAST_RANGE = 1e-6
"""Data within so short a range have so high a density that rounding errors decide the search for the shift."""
CLOSE = 1e-9
"""The relative distance from a threshold within which a rounding error might decide."""
MOST_STEPS, TOLERANCE = 10_000, 1.48e-8
"""Of the search for the root that makes a density normalised, as in `scipy.optimize.newton`."""


@dataclass(frozen=True)
class Sample:
    """A sample, with the number of points of its grid and the ends of that."""

    number: int
    data: Array
    size: int
    least: float
    greatest: float


def densities(samples: Sequence[Array]) -> list[Density | None]:
    """The grid and the density that fastKDE estimates for each sample; None where a rounding error could decide."""
    found: list[Density | None] = [None] * len(samples)
    for group in groups(samples):
        for sample, estimate in zip(group, estimated(group), strict=True):
            found[sample.number] = estimate
    return found


def groups(samples: Sequence[Array]) -> Iterator[list[Sample]]:
    """Samples whose grids have the same number of points, so many at a time that they stay in the caches."""
    by_size: dict[int, list[Sample]] = {}
    for number, data in enumerate(samples):
        if (sample := with_grid(number, np.ascontiguousarray(data, np.float64))) is not None:
            by_size.setdefault(sample.size, []).append(sample)
    for size, same in by_size.items():
        most = max(1, MOST_NUMBERS // size)
        for first in range(0, len(same), most):
            yield same[first : first + most]


def with_grid(number: int, data: Array) -> Sample | None:
    """A sample with its grid; None if that is too long, may be of another length by a rounding error, or overflows."""
    least, greatest = float(data.min()), float(data.max())
    middle = 0.5 * (greatest + least)
    if greatest - least <= max(LEAST_RANGE, SMALL_RANGE * max(abs(least), abs(greatest))):
        return None
    least += 1.0 * (least - middle)
    greatest += 1.0 * (greatest - middle)
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        away = data - np.add.reduce(data) / len(data)
        variance = float(np.add.reduce(away * away)) / len(data)
    if not (0.0 < variance < math.inf and math.isfinite(greatest - least)):
        return None
    power = math.log2((greatest - least) / math.sqrt(variance) * POINTS_PER_SIGMA)
    size = int(2 ** math.ceil(power)) + 1
    if size > MOST_POINTS or abs(power - round(power)) <= CLOSE:
        return None
    return Sample(number, data, size, least, greatest)


def estimated(group: Sequence[Sample]) -> list[Density | None]:
    """The grids and densities of samples whose grids have the same number of points."""
    size = group[0].size
    counts = np.array([len(sample.data) for sample in group])
    least, greatest = (np.array(ends)[:, None] for ends in zip(*((sample.least, sample.greatest) for sample in group), strict=True))
    grid = np.linspace(least[:, 0], greatest[:, 0], size, axis=1)
    middle, norm = 0.5 * (greatest + least), (greatest - least) / (2.0 * np.pi)
    centre, step = (size - 1) // 2, grid[:, 1:2] - grid[:, :1]
    spacing = (grid[:, 1:2] - middle) / norm - (grid[:, :1] - middle) / norm
    frequency = 1.0 / (size * (spacing / (2 * np.pi)))
    between = (1 - centre) * frequency - -centre * frequency
    place = 1.0 / (size * (between / (2 * np.pi)))
    first = -centre * place
    apart = (1 - centre) * place - first
    spread: Array = np.zeros((len(group), size + 2 * SPREAD))  # what lies beyond the end of a grid does not count
    for sample, row, *numbers in zip(group, spread, *(column[:, 0].tolist() for column in (middle, norm, first, apart)), strict=True):
        spread_points(row, sample.data, GridPlace(*numbers))
    spread = spread[:, :size]
    frequencies = np.arange(size) - centre
    characteristic = centred(np.fft.ifft(from_centre(spread))) * np.exp(TAU * (frequencies * frequency * apart) ** 2)
    characteristic = characteristic / characteristic[:, centre : centre + 1]
    kept, is_certain = filtered(characteristic, centre, counts[:, None].astype(float))
    between = (2 - centre) * frequency - (1 - centre) * frequency
    values = centred(np.fft.fft(from_centre(kept)).real) * between * (1.0 / (2 * np.pi))
    values /= norm
    values = shifted(values, step)
    return [(grid[row], values[row]) if is_certain[row] else None for row in range(len(group))]


def from_centre(rows: Array) -> Array:
    """An odd number of values from the middle one on, as `numpy.fft.ifftshift`."""
    centre = rows.shape[1] // 2
    return np.concatenate((rows[:, centre:], rows[:, :centre]), axis=1)


def centred(rows: Array) -> Array:
    """The same back, as `numpy.fft.fftshift`."""
    centre = rows.shape[1] // 2
    return np.concatenate((rows[:, centre + 1 :], rows[:, : centre + 1]), axis=1)


def filtered(characteristic: Array, centre: int, counts: Array) -> tuple[Array, Array]:
    """
    The characteristic functions of the self-consistent estimates, 0 beyond the first frequency that is below the threshold; and for each
    whether no rounding error could have decided.
    """
    threshold = 4.0 * (counts - 1.0) / (counts * counts)
    squared: Array = np.abs(characteristic) ** 2
    high, low = threshold * (1.0 + CLOSE), threshold * (1.0 - CLOSE)
    below = squared[:, centre:] <= high
    end = below.argmax(axis=1)
    rows = np.arange(len(squared))
    is_certain = below.any(axis=1) & (squared[rows, centre + end] < low[:, 0]) & (squared[rows, centre - end] < low[:, 0])
    columns: Array = np.arange(int(squared.shape[1]))
    inside = (columns > centre - end[:, None]) & (columns < centre + end[:, None])
    is_certain &= (~inside | (squared > high)).all(axis=1)
    divisor: Array = np.where(squared > high, squared, np.inf)
    above: Array = 1 - threshold / divisor
    weight = (counts / (2.0 * (counts - 1.0))) * (1 + np.sqrt(above))
    kept: Array = np.where(inside, characteristic * weight, 0.0)
    return kept, is_certain


def shifted(values: Array, step: Array) -> Array:
    """Densities shifted down such that they are normalised without what is then below 0."""
    rows = np.flatnonzero((values < 0).any(axis=1))
    if not len(rows):
        return values
    delta = normalising(values[rows], step[rows])
    with np.errstate(invalid="ignore"):
        moved = np.isfinite(delta) & (delta > 0) & (delta < values[rows].max(axis=1))
    rows, delta = rows[moved], delta[moved]
    values[rows] = np.maximum(values[rows] - delta[:, None], 0.0)
    return values


def lacking(values: Array, step: Array, delta: Array) -> Array:
    """By how much the sums of densities that are shifted down and cut off at 0 fall short of 1."""
    moved = values - delta[:, None]
    return 1 - np.add.accumulate(np.where(moved >= 0.0, moved * step, 0.0), axis=1)[:, -1]


def normalising(values: Array, step: Array) -> Array:
    """
    The shift that normalises each density: the root that `scipy.optimize.newton` finds from 0 without a derivative, by the same steps.
    NaN where it raises an error: the secant is level, or the search does not end.
    """
    found = np.full(len(values), np.nan)
    rows = np.arange(len(values))
    before, last = np.zeros(len(values)), np.full(len(values), 1e-4)
    old, new = lacking(values, step, before), lacking(values, step, last)
    swap = np.abs(new) < np.abs(old)
    before, last = np.where(swap, last, before), np.where(swap, before, last)
    old, new = np.where(swap, new, old), np.where(swap, old, new)
    for _ in range(MOST_STEPS):
        with np.errstate(divide="ignore", invalid="ignore"):
            further = np.abs(new) > np.abs(old)
            to_new, to_old = old / new, new / old
            secant = np.where(further, (-to_new * last + before) / (1 - to_new), (-to_old * before + last) / (1 - to_old))
        level = new == old
        secant = np.where(level, np.where(last == before, last, np.nan), secant)
        ended = level | np.isnan(secant) | (np.abs(secant - last) <= TOLERANCE)
        found[rows[ended]] = secant[ended]
        goes_on = ~ended
        if not goes_on.any():
            break
        rows, secant = rows[goes_on], secant[goes_on]
        before, old, last = last[goes_on], new[goes_on], secant
        new = lacking(values[rows], step[rows], secant)
    return found
