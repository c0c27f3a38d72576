"""Many generators side by side: a loop over a table of xoshiro256's words, of which none keeps a normal, has no branch and vectorises."""

import ctypes

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

from cogir.backend.emit_llvm_ir import emit_llvm_ir
from cogir.backend.jit import compile_module, optimised_llvm_ir
from cogir.dialects.text import CogParser, make_context
from cogir.library.random.generators import Stream
from cogir.lowering.pipeline import PASSES

LANES = 64

LOOP = """
func.func private @cogir_rng_xoshiro256_normal(memref<6xi64, strided<[1], offset: ?>>) -> f64
func.func @pairs(%table: memref<4x64xi64> {llvm.noalias}, %normals: memref<2x64xf64> {llvm.noalias}) {
  %words = memref.alloca() : memref<6xi64>
  %one = "memref.cast"(%words) : (memref<6xi64>) -> memref<6xi64, strided<[1], offset: ?>>
  %none = arith.constant 0 : i64
  affine.for %lane = 0 to 64 {
    affine.for %i = 0 to 4 {
      %word = affine.load %table[%i, %lane] : memref<4x64xi64>
      affine.store %word, %words[%i] : memref<6xi64>
    }
    affine.store %none, %words[4] : memref<6xi64>
    affine.store %none, %words[5] : memref<6xi64>
    %first = func.call @cogir_rng_xoshiro256_normal(%one) : (memref<6xi64, strided<[1], offset: ?>>) -> f64
    %second = func.call @cogir_rng_xoshiro256_normal(%one) : (memref<6xi64, strided<[1], offset: ?>>) -> f64
    affine.store %first, %normals[0, %lane] : memref<2x64xf64>
    affine.store %second, %normals[1, %lane] : memref<2x64xf64>
    affine.for %i = 0 to 4 {
      %word = affine.load %words[%i] : memref<6xi64>
      affine.store %word, %table[%i, %lane] : memref<4x64xi64>
    }
  }
  func.return
}
"""


@pytest.fixture(scope="module")
def lowered() -> ModuleOp:
    context = make_context()
    module = CogParser(context, LOOP).parse_module()
    for name in ("expand-rng", "convert-linalg-to-loops", "convert-scf-to-cf", "convert-to-llvm"):
        PASSES[name]().apply(context, module)
    return module


def test_each_lane_draws_as_it_would_alone(lowered: ModuleOp) -> None:
    streams = [Stream.seeded("xoshiro256", seed) for seed in range(LANES)]
    table = np.stack([stream.words[:4] for stream in streams], axis=1)
    normals = np.zeros((2, LANES))
    pairs = compile_module(lowered).function("pairs", None, ctypes.c_void_p, ctypes.c_void_p)
    for _ in range(3):
        pairs(table.ctypes.data, normals.ctypes.data)
        np.testing.assert_array_equal(normals, np.stack([stream.normal((2,)) for stream in streams], axis=1))
    np.testing.assert_array_equal(table, np.stack([stream.words[:4] for stream in streams], axis=1))


def test_the_loop_over_lanes_vectorises(lowered: ModuleOp) -> None:
    """All of it: no square root of a single number is left, and no memory but the two tables."""
    optimised = optimised_llvm_ir(emit_llvm_ir(lowered))
    assert "double> @llvm.sqrt.v" in optimised
    assert "double @llvm.sqrt.f64" not in optimised
    assert "alloca" not in optimised
