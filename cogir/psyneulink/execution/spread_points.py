"""
The sum of Gaussians on a grid, as native code from a function at stage `loops`.

NumPy has no operation that adds several numbers for each point and lets other threads go on in the meantime.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from functools import cache
from typing import Any, TypeAlias

from numpy.typing import NDArray
from xdsl.context import Context

from cogir.backend.jit import compile_module
from cogir.frontend.text import parse
from cogir.lowering.convert_scf_to_cf import ConvertScfToCf
from cogir.lowering.convert_to_llvm import ConvertToLlvm

Array: TypeAlias = NDArray[Any]

TEXT = """
// spread[place + k] += weight * step^k * factors[k], for each point
func.func @spread(%count: index, %places: memref<?xi64> {llvm.noalias}, %weights: memref<?xf64> {llvm.noalias},
                  %steps: memref<?xf64> {llvm.noalias}, %factors: memref<{width}xf64> {llvm.noalias},
                  %spread: memref<?xf64> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %width = arith.constant {width} : index
  scf.for %point = %c0 to %count step %c1 {
    %number = memref.load %places[%point] : memref<?xi64>
    %place = arith.index_cast %number : i64 to index
    %weight = memref.load %weights[%point] : memref<?xf64>
    %step = memref.load %steps[%point] : memref<?xf64>
    %beyond = scf.for %k = %c0 to %width step %c1 iter_args(%power = %weight) -> (f64) {
      %factor = memref.load %factors[%k] : memref<{width}xf64>
      %part = arith.mulf %power, %factor : f64
      %at = arith.addi %place, %k : index
      %old = memref.load %spread[%at] : memref<?xf64>
      %new = arith.addf %old, %part : f64
      memref.store %new, %spread[%at] : memref<?xf64>
      %next = arith.mulf %power, %step : f64
      scf.yield %next : f64
    }
  }
  func.return
}
"""
_compiling = threading.Lock()


def spread_points(spread: Array, places: Array, weights: Array, steps: Array, factors: Array) -> None:
    """
    Adds `weights[i] * steps[i]**k * factors[k]` to `spread[places[i] + k]` for each point `i` and each `k`.

    `places` are int64, all else is float64, one-dimensional and contiguous; every place lies within `spread`, which is not checked.
    """
    with _compiling:
        call = compiled(len(factors))
    addresses = [array.ctypes.data for array in (places, weights, steps, factors, spread)]
    call(len(places), *addresses)


@cache
def compiled(width: int) -> Callable[..., None]:
    """The native code of `@spread` for as many factors; calls let other threads go on."""
    module = parse(TEXT.replace("{width}", str(width)), "spread_points")
    for lowering in (ConvertScfToCf(), ConvertToLlvm()):
        lowering.apply(Context(), module)
    function: Callable[..., None] = compile_module(module).function("spread", None, ctypes.c_int64, *[ctypes.c_void_p] * 5)
    return function
