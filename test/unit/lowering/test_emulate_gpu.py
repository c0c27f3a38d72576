"""Emulated kernels: barriers in straight lines, in loops and in branches, values that live across them, shared memory, atomic sums."""

import ctypes

import numpy as np
import pytest
from support.native import context, lower, parse

from cogir.analysis.verify_ssa import verify_ssa
from cogir.backend.jit import compile_module
from cogir.errors import LoweringError
from cogir.lowering.gpu.emulate_gpu import EmulateGpu

REVERSE = """
"memref.global"() <{sym_name = "shared", sym_visibility = "private", type = memref<256xf64, 3>, initial_value}> : () -> ()
func.func @reverse(%m: memref<1024xf64>) attributes {nvvm.kernel} {
  %t = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
  %b = "gpu.block_id"() <{dimension = #gpu<dim x>}> : () -> index
  %n = "gpu.block_dim"() <{dimension = #gpu<dim x>}> : () -> index
  %one = arith.constant 1 : index
  %s = "memref.get_global"() <{name = @shared}> : () -> memref<256xf64, 3>
  %start = arith.muli %b, %n : index
  %here = arith.addi %start, %t : index
  %x = memref.load %m[%here] : memref<1024xf64>
  memref.store %x, %s[%t] : memref<256xf64, 3>
  "gpu.barrier"() : () -> ()
  %last = arith.subi %n, %one : index
  %place = arith.subi %last, %t : index
  %y = memref.load %s[%place] : memref<256xf64, 3>
  %z = arith.addf %x, %y : f64
  memref.store %z, %m[%here] : memref<1024xf64>
  func.return
}"""
"""Each number plus its mirror image within the block."""

SCAN = """
func.func @scan(%m: memref<64xi64>, %total: memref<1xi64>) attributes {nvvm.kernel} {
  %t = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
  %n = "gpu.block_dim"() <{dimension = #gpu<dim x>}> : () -> index
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %none = arith.constant 0 : i64
  %own = memref.alloca() : memref<2xi64>
  %begin = memref.load %m[%t] : memref<64xi64>
  memref.store %begin, %own[%one] : memref<2xi64>
  %end = scf.while (%d = %one) : (index) -> index {
    %goes_on = arith.cmpi ult, %d, %n : index
    scf.condition(%goes_on) %d : index
  } do {
  ^bb0(%d: index):
    %far = arith.cmpi uge, %t, %d : index
    %before = arith.subi %t, %d : index
    %from = arith.select %far, %before, %zero : index
    %found = memref.load %m[%from] : memref<64xi64>
    %more = arith.select %far, %found, %none : i64
    "gpu.barrier"() : () -> ()
    %now = memref.load %m[%t] : memref<64xi64>
    %sum = arith.addi %now, %more : i64
    memref.store %sum, %m[%t] : memref<64xi64>
    "gpu.barrier"() : () -> ()
    %next = arith.addi %d, %d : index
    scf.yield %next : index
  }
  %mine = memref.load %own[%one] : memref<2xi64>
  %old = "memref.atomic_rmw"(%mine, %total, %zero) <{kind = 1 : i64}> : (i64, memref<1xi64>, index) -> i64
  func.return
}"""
"""Sums of all numbers up to each one, in rounds with two barriers; and the sum of all, from memory of each thread."""


def launch(text: str, name: str, blocks: int, threads: int, *arrays: np.ndarray) -> None:
    """Runs a kernel."""
    module = lower(parse(text))
    EmulateGpu().apply(context(), module)
    module.verify()
    verify_ssa(module)
    function = compile_module(module).function(f"{name}.launch", None, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p)
    words = np.array([array.ctypes.data for array in arrays], np.int64)
    function(blocks, threads, words.ctypes.data)


@pytest.mark.parametrize(("blocks", "threads"), [(1, 1), (4, 256), (3, 7)])
def test_a_barrier_in_a_straight_line(blocks: int, threads: int) -> None:
    numbers = np.arange(1024.0)
    expected = numbers.copy()
    for block in range(blocks):
        part = slice(block * threads, (block + 1) * threads)
        expected[part] += numbers[part][::-1]
    launch(REVERSE, "reverse", blocks, threads, numbers)
    assert np.array_equal(numbers, expected)


@pytest.mark.parametrize("threads", [1, 5, 64])
def test_barriers_in_a_loop(threads: int) -> None:
    numbers, total = np.arange(1, 65), np.zeros(1, np.int64)
    expected = np.concatenate([np.cumsum(numbers[:threads]), numbers[threads:]])
    launch(SCAN, "scan", 1, threads, numbers, total)
    assert np.array_equal(numbers, expected)
    assert total[0] == threads * (threads + 1) // 2


def test_a_barrier_in_a_function_that_a_kernel_calls_is_refused() -> None:
    text = """
    func.func private @wait() { "gpu.barrier"() : () -> () func.return }
    func.func @kernel() attributes {nvvm.kernel} { func.call @wait() : () -> () func.return }
    """
    with pytest.raises(LoweringError, match="only a kernel may do so: inline the function"):
        EmulateGpu().apply(context(), lower(parse(text)))
