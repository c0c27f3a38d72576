"""
A sum of Gaussians on a grid, as native code from a function at stage `loops`.

NumPy would go through the points once for each operation, and keep Python's lock while it adds up what falls on a grid point.
"""

from __future__ import annotations

import ctypes
import math
import threading
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple, TypeAlias

from numpy.typing import NDArray
from xdsl.context import Context

from cogir.backend.jit import compile_module
from cogir.frontend.text import parse
from cogir.lowering.convert_scf_to_cf import ConvertScfToCf
from cogir.lowering.convert_to_llvm import ConvertToLlvm
from cogir.lowering.library.expand_math import ExpandMath

Array: TypeAlias = NDArray[Any]


class GridPlace(NamedTuple):
    """The place of a number on a grid: ((number - middle) / norm - first) / apart."""

    middle: float
    norm: float
    first: float
    apart: float


class Gaussian(NamedTuple):
    """exp(-x^2 / 4 tau) on so many points of a grid, the first of which lies `half` points before the one before x = 0."""

    tau: float
    width: int
    half: int


TEXT = """
// A point lies `ahead` grid points after the first one of its Gaussian, whose weight at `k` is exp(-(k - ahead)^2 / 4 tau):
// exp(-ahead^2 / 4 tau) times exp(ahead / 2 tau)^k times factors[k] = exp(-k^2 / 4 tau), which all points have in common.
func.func @spread(%data: memref<?xf64> {llvm.noalias}, %count: index, %middle: f64, %norm: f64, %first: f64, %apart: f64,
                  %factors: memref<{width}xf64> {llvm.noalias}, %spread: memref<?xf64> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %block = arith.constant 256 : index
  %width = arith.constant {width} : index
  %half = arith.constant {half} : i64
  %rise = arith.constant {rise} : f64
  %fall = arith.constant {fall} : f64
  %shift = arith.sitofp %half : i64 to f64
  %places = memref.alloca() : memref<256xi64>
  %weights = memref.alloca() : memref<256xf64>
  %steps = memref.alloca() : memref<256xf64>
  scf.for %begin = %c0 to %count step %block {
    %left = arith.subi %count, %begin : index
    %points = arith.minsi %left, %block : index
    scf.for %i = %c0 to %points step %c1 {
      %number = arith.addi %begin, %i : index
      %x = memref.load %data[%number] : memref<?xf64>
      %centred = arith.subf %x, %middle : f64
      %scaled = arith.divf %centred, %norm : f64
      %after = arith.subf %scaled, %first : f64
      %position = arith.divf %after, %apart : f64
      %whole = arith.fptosi %position : f64 to i64
      %below = arith.sitofp %whole : i64 to f64
      %part = arith.subf %position, %below : f64
      %ahead = arith.addf %part, %shift : f64
      %linear = arith.mulf %ahead, %rise : f64
      %step = math.exp %linear : f64
      %square = arith.mulf %ahead, %ahead : f64
      %quadratic = arith.mulf %square, %fall : f64
      %weight = math.exp %quadratic : f64
      %place = arith.subi %whole, %half : i64
      memref.store %place, %places[%i] : memref<256xi64>
      memref.store %weight, %weights[%i] : memref<256xf64>
      memref.store %step, %steps[%i] : memref<256xf64>
    }
    scf.for %i = %c0 to %points step %c1 {
      %place = memref.load %places[%i] : memref<256xi64>
      %base = arith.index_cast %place : i64 to index
      %weight = memref.load %weights[%i] : memref<256xf64>
      %step = memref.load %steps[%i] : memref<256xf64>
      %beyond = scf.for %k = %c0 to %width step %c1 iter_args(%power = %weight) -> (f64) {
        %factor = memref.load %factors[%k] : memref<{width}xf64>
        %added = arith.mulf %power, %factor : f64
        %at = arith.addi %base, %k : index
        %old = memref.load %spread[%at] : memref<?xf64>
        %new = arith.addf %old, %added : f64
        memref.store %new, %spread[%at] : memref<?xf64>
        %next = arith.mulf %power, %step : f64
        scf.yield %next : f64
      }
    }
  }
  func.return
}
"""
_compiling = threading.Lock()


def spread_points(spread: Array, data: Array, place: GridPlace, gaussian: Gaussian) -> None:
    """
    Adds a Gaussian around each number to a grid; its weights are from floor(position) - half on.

    `spread` and `data` are float64, one-dimensional and contiguous; all Gaussians lie within `spread`, and positions are not negative,
    which is not checked. Other threads go on in the meantime.
    """
    with _compiling:
        call, factors = compiled(gaussian)
    call(data.ctypes.data, len(data), *place, ctypes.addressof(factors), spread.ctypes.data)


@cache
def compiled(gaussian: Gaussian) -> tuple[Callable[..., None], ctypes.Array[ctypes.c_double]]:
    """The native code of `@spread`, and its factors."""
    tau, width, half = gaussian
    numbers = {"width": width, "half": half, "rise": repr(1.0 / (2.0 * tau)), "fall": repr(-1.0 / (4.0 * tau))}
    text = TEXT
    for name, value in numbers.items():
        text = text.replace(f"{{{name}}}", str(value))
    module = parse(text, "spread_points")
    for lowering in (ExpandMath(), ConvertScfToCf(), ConvertToLlvm()):
        lowering.apply(Context(), module)
    pointer, number = ctypes.c_void_p, ctypes.c_double
    function: Callable[..., None] = compile_module(module).function(
        "spread", None, pointer, ctypes.c_int64, *[number] * 4, pointer, pointer
    )
    return function, (number * width)(*(math.exp(-k * k / (4.0 * tau)) for k in range(width)))
