"""What `fill-lanes` does to a loop before it is taken apart: small arrays become numbers, and bounds of numbers become masks."""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from xdsl.dialects import arith, func, scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.linalg import ops as linalg

from cogir.dialects.text import parse_text
from cogir.interpreters.levels import run_function
from cogir.transforms.invariant_bounds import simplify_bounds
from cogir.transforms.scalarise import scalarise

SPECIAL = (0.0, -0.0, 1.0, -1.0, math.inf, -math.inf, math.nan, 5e-324, -5e-324, 1.5)
SINGLE = """
func.func @f(%x: f64, %b: f64) -> f64 {{
  %from = arith.constant 0 : index
  %to = arith.constant 1 : index
  %0 = scf.for %i = %from to %to step %to iter_args(%last = %x) -> (f64) {{
    %1 = arith.{op} {operands} : f64
    scf.yield %1 : f64
  }}
  func.return %0 : f64
}}
"""


def only(module: ModuleOp, kind: type) -> list:
    return [op for op in module.walk() if isinstance(op, kind)]


@pytest.mark.parametrize("operands", ["%last, %b", "%b, %last"])
@pytest.mark.parametrize("op", ["maximumf", "minimumf"])
def test_bounds_are_those_of_ieee_754(op: str, operands: str) -> None:
    before = parse_text(SINGLE.format(op=op, operands=operands))
    after = before.clone()
    simplify_bounds(only(after, scf.ForOp)[0])
    after.verify()
    assert not only(after, arith.MaximumfOp | arith.MinimumfOp)
    for x, bound in product(SPECIAL, SPECIAL):
        (expected,), (found,) = run_function(before, "f", [x, bound]), run_function(after, "f", [x, bound])
        assert np.isnan(expected) == np.isnan(found)
        assert np.isnan(expected) or np.float64(expected).tobytes() == np.float64(found).tobytes(), (x, bound)


def test_bounds_that_change_in_the_loop_stay() -> None:
    module = parse_text(SINGLE.format(op="maximumf", operands="%last, %last"))
    simplify_bounds(only(module, scf.ForOp)[0])
    assert only(module, arith.MaximumfOp)


ARRAYS = """
func.func @f(%a: tensor<2x3xf64>, %b: tensor<3xf64>, %c: f64) -> (tensor<2xf64>, tensor<3x2xf64>, tensor<3xf64>, f64) {
  %zero = arith.constant 0 : index
  %two = arith.constant 2 : index
  %e2 = tensor.empty() : tensor<2xf64>
  %e32 = tensor.empty() : tensor<3x2xf64>
  %nothing = arith.constant 0.0 : f64
  %start = linalg.fill ins(%nothing : f64) outs(%e2 : tensor<2xf64>) -> tensor<2xf64>
  // a product of a matrix and an array, whose order of additions counts
  %product = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]} ins(%a, %b : tensor<2x3xf64>, tensor<3xf64>) outs(%start : tensor<2xf64>) {
  ^bb0(%x: f64, %y: f64, %sum: f64):
    %p = arith.mulf %x, %y : f64
    %s = arith.addf %sum, %p : f64
    linalg.yield %s : f64
  } -> tensor<2xf64>
  // the other way round, with a number for all and one for each place
  %turned = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> ()>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%a, %c : tensor<2x3xf64>, f64) outs(%e32 : tensor<3x2xf64>) {
  ^bb0(%x: f64, %y: f64, %unused: f64):
    %i = linalg.index 0 : index
    %place = arith.index_cast %i : index to i64
    %float = arith.sitofp %place : i64 to f64
    %p = arith.divf %x, %y : f64
    %s = arith.addf %p, %float : f64
    linalg.yield %s : f64
  } -> tensor<3x2xf64>
  // numbers that are put in and taken out at known places, and arithmetic on whole arrays
  %changed = tensor.insert %c into %b[%two] : tensor<3xf64>
  %added = arith.addf %changed, %b : tensor<3xf64>
  %one = tensor.extract %added[%two] : tensor<3xf64>
  %other = tensor.extract %turned[%two, %zero] : tensor<3x2xf64>
  %number = arith.mulf %one, %other : f64
  func.return %product, %turned, %added, %number : tensor<2xf64>, tensor<3x2xf64>, tensor<3xf64>, f64
}
"""
NUMBERS = st.floats(-1e3, 1e3) | st.sampled_from(SPECIAL)


@given(st.lists(NUMBERS, min_size=10, max_size=10))
def test_arrays_taken_apart_are_the_same_numbers(numbers: list[float]) -> None:
    before = parse_text(ARRAYS)
    after = before.clone()
    scalarise(only(after, func.FuncOp)[0].body.block)
    after.verify()
    assert not only(after, linalg.GenericOp)
    arguments = [np.array(numbers[:6]).reshape(2, 3), np.array(numbers[6:9]), numbers[9]]
    with np.errstate(all="ignore"):
        for expected, found in zip(run_function(before, "f", arguments), run_function(after, "f", arguments), strict=True):
            np.testing.assert_array_equal(np.asarray(found), np.asarray(expected), strict=True)
            assert np.array_equal(np.signbit(found), np.signbit(expected)) or np.isnan(expected).any()


def test_large_arrays_stay_whole() -> None:
    module = parse_text(ARRAYS.replace("2x3x", "2x30x").replace("3x2x", "30x2x").replace("tensor<3xf64>", "tensor<30xf64>"))
    module.verify()
    scalarise(only(module, func.FuncOp)[0].body.block)
    module.verify()
    assert len(only(module, linalg.GenericOp)) == 2
