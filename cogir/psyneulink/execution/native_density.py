"""
Densities as native code (density.mlir): of short grids whole, of longer ones the sum of Gaussians.

NumPy would go through the numbers once for each operation, and keep Python's lock in between.
"""

from __future__ import annotations

import ctypes
import math
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from xdsl.context import Context

from cogir.backend.jit import compile_module
from cogir.frontend.text import parse
from cogir.lowering.convert_scf_to_cf import ConvertScfToCf
from cogir.lowering.convert_to_llvm import ConvertToLlvm
from cogir.lowering.library.expand_math import ExpandMath

Array: TypeAlias = NDArray[Any]

TAU, SPREAD = 0.5993, 10
"""The width of fastKDE's Gaussian for single precision, and on how many points of the grid it is."""
SHORT_GRIDS = (65, 129, 257, 513)
"""The grids of which native code estimates the density whole."""
ESTIMATED, FEW, LEFT, REFUSED = range(4)
"""The status of a place: its density is estimated; there are too few simulations; its grid is long, or rounding could decide; not usual."""


class GridPlace(NamedTuple):
    """The place of a number on a grid: ((number - middle) / norm - first) / apart."""

    middle: float
    norm: float
    first: float
    apart: float


class Places(NamedTuple):
    """
    Rows of simulations, and of each the category of which a density is estimated at some points.

    The points of place `p` are points[begins[p]:begins[p + 1]].
    """

    rows: Array
    kinds: Array
    begins: Array
    points: Array


class DensityCode(NamedTuple):
    """The functions of density.mlir, and their tables."""

    likelihoods: Callable[..., None]
    spread: Callable[..., None]
    turns: Array
    factors: Array


@dataclass
class NativeLikelihoods:
    """The densities at the points of some places, times the part of the simulations that have the category."""

    places: Places
    found: Array = field(init=False)
    """(points): the densities; next to 0 where there are too few simulations."""
    statuses: Array = field(init=False)
    """(places): what became of each, ESTIMATED ..."""
    others: Array = field(init=False)
    """(places): the category of the other simulations in the row: that of the place if there are none, infinite if they are of several."""

    def __post_init__(self) -> None:
        count = len(self.places.rows)
        self.found, self.statuses, self.others = np.empty(len(self.places.points)), np.empty(count, np.int64), np.empty(count)
        code = compiled()
        self._call = code.likelihoods
        self._inputs = [each.ctypes.data for each in (*self.places, code.turns, code.factors)]
        self._outputs = [each.ctypes.data for each in (self.found, self.statuses, self.others)]

    def estimate(self, first: int, last: int, simulated: Array, categories: Array) -> None:
        """
        Estimates the places from `first` to `last`. Other threads go on in the meantime.

        :param simulated: (rows, simulations) from the row of the first place on, float64 and contiguous, as are their `categories`.
        """
        sample = np.empty(simulated.shape[1])
        arrays = simulated.ctypes.data, categories.ctypes.data
        self._call(*arrays, len(sample), first, last, *self._inputs, sample.ctypes.data, *self._outputs)


def spread_points(spread: Array, data: Array, place: GridPlace) -> None:
    """
    Adds a Gaussian around each number to a grid; its weights are from floor(position) - SPREAD / 2 on.

    `spread` and `data` are float64, one-dimensional and contiguous; all Gaussians lie within `spread`, and positions are not negative,
    which is not checked. Other threads go on in the meantime.
    """
    code = compiled()
    code.spread(data.ctypes.data, len(data), *place, code.factors.ctypes.data, spread.ctypes.data)


_compiling = threading.Lock()


def compiled() -> DensityCode:
    """The native code, compiled once."""
    with _compiling:
        return code_of("density.mlir")


@cache
def code_of(name: str) -> DensityCode:
    """The native code of a file beside this one."""
    module = parse(Path(__file__).with_name(name).read_text(), name)
    for lowering in (ExpandMath(), ConvertScfToCf(), ConvertToLlvm()):
        lowering.apply(Context(), module)
    pointer, number, whole = ctypes.c_void_p, ctypes.c_double, ctypes.c_int64
    loaded = compile_module(module)
    turns = np.zeros((len(SHORT_GRIDS), 2, SHORT_GRIDS[-1]))
    for row, points in zip(turns, SHORT_GRIDS, strict=True):
        angle = 2 * np.pi * np.arange(points) / points
        row[:, :points] = np.cos(angle), np.sin(angle)
    return DensityCode(
        loaded.function("likelihoods", None, pointer, pointer, whole, whole, whole, *[pointer] * 10),
        loaded.function("spread", None, pointer, whole, *[number] * 4, pointer, pointer),
        turns,
        np.array([math.exp(-k * k / (4.0 * TAU)) for k in range(SPREAD)]),
    )
