"""The meaning of `tensor`, `memref`, `linalg`, `scf`, `affine`, `cf` and `func` against NumPy."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from xdsl.utils.exceptions import InterpretationError

from cogir.errors import ExecutionError
from cogir.frontend.text import parse
from cogir.interpreters.levels import run_function


def run(text: str, *args: Any) -> tuple[Any, ...]:
    return run_function(parse(text), "f", args)


def test_values_are_never_written_to() -> None:
    text = """
    func.func @f(%t: tensor<4xf64>, %x: f64) -> (tensor<4xf64>, tensor<4xf64>, f64) {
      %c1 = arith.constant 1 : index
      %u = tensor.insert %x into %t[%c1] : tensor<4xf64>
      %s = tensor.extract_slice %t[0] [2] [2] : tensor<4xf64> to tensor<2xf64>
      %v = tensor.insert_slice %s into %u[2] [2] [1] : tensor<2xf64> into tensor<4xf64>
      %y = tensor.extract %t[%c1] : tensor<4xf64>
      func.return %u, %v, %y : tensor<4xf64>, tensor<4xf64>, f64
    }"""
    given = np.arange(4.0)
    u, v, y = run(text, given, 9.0)
    np.testing.assert_array_equal(given, np.arange(4.0))
    np.testing.assert_array_equal(u, [0, 9, 2, 3])
    np.testing.assert_array_equal(v, [0, 9, 0, 2])
    assert y == 1.0


@pytest.mark.parametrize("op", ["maximumf", "minimumf", "maxnumf", "minnumf"])
def test_extremes_of_arrays_are_those_of_numbers(op: str) -> None:
    numbers = [0.0, -0.0, 1.0, math.nan, -math.inf]
    pairs = [(a, b) for a in numbers for b in numbers]
    text = f"func.func @f(%a: f64, %b: f64) -> f64 {{ %r = arith.{op} %a, %b : f64 func.return %r : f64 }}"
    expected = [run(text, a, b)[0] for a, b in pairs]
    (found,) = run(text.replace("f64", "tensor<25xf64>"), *(np.array(each) for each in zip(*pairs, strict=True)))
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(np.signbit(found), np.signbit(expected))


def test_sums_of_arrays_without_dimensions_are_arrays() -> None:
    text = """
    func.func @f(%a: tensor<f64>, %n: tensor<i64>, %x: f64, %i: i64) -> (tensor<f64>, tensor<i64>) {
      %b = arith.addf %a, %a : tensor<f64>
      %c = tensor.insert %x into %b[] : tensor<f64>
      %m = arith.muli %n, %n : tensor<i64>
      %o = tensor.insert %i into %m[] : tensor<i64>
      func.return %c, %o : tensor<f64>, tensor<i64>
    }"""
    c, o = run(text, np.array(1.0), np.array(2), 5.0, 7)
    assert (c.tolist(), o.tolist()) == (5.0, 7)


def test_shapes() -> None:
    text = """
    func.func @f(%t: tensor<2x3xf64>, %i: index) -> (tensor<3xf64>, tensor<6xf64>, tensor<3x2xf64>, tensor<4x3xf64>) {
      %row = tensor.extract_slice %t[%i, 0] [1, 3] [1, 1] : tensor<2x3xf64> to tensor<3xf64>
      %flat = tensor.collapse_shape %t [[0 : i64, 1 : i64]] : tensor<2x3xf64> into tensor<6xf64>
      %other = tensor.expand_shape %flat [[0, 1]] output_shape [3, 2] : tensor<6xf64> into tensor<3x2xf64>
      %both = tensor.concat dim(0) %t, %t : (tensor<2x3xf64>, tensor<2x3xf64>) -> tensor<4x3xf64>
      func.return %row, %flat, %other, %both : tensor<3xf64>, tensor<6xf64>, tensor<3x2xf64>, tensor<4x3xf64>
    }"""
    given = np.arange(6.0).reshape(2, 3)
    row, flat, other, both = run(text, given, 1)
    np.testing.assert_array_equal(row, given[1])
    np.testing.assert_array_equal(flat, given.ravel())
    np.testing.assert_array_equal(other, given.reshape(3, 2))
    np.testing.assert_array_equal(both, np.concatenate([given, given]))


@pytest.mark.parametrize("index", [-1, 4])
def test_an_index_outside_is_an_error(index: int) -> None:
    text = """
    func.func @f(%t: tensor<4xf64>, %i: index) -> f64 {
      %x = tensor.extract %t[%i] : tensor<4xf64>
      func.return %x : f64
    }"""
    with pytest.raises(InterpretationError, match=rf"tensor.extract in @f: IndexError: index \[{index}\] is out of range"):
        run(text, np.zeros(4), index)


def test_matrix_product_with_offsets_in_order() -> None:
    text = """
    func.func @f(%a: tensor<2x5xf64>, %x: tensor<5xf64>, %y: tensor<2xf64>) -> tensor<2xf64> {
      %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>],
                           iterator_types = ["parallel", "reduction"]}
          ins(%a, %x : tensor<2x5xf64>, tensor<5xf64>) outs(%y : tensor<2xf64>) {
      ^bb0(%u: f64, %v: f64, %acc: f64):
        %p = arith.mulf %u, %v : f64
        %s = arith.addf %acc, %p : f64
        linalg.yield %s : f64
      } -> tensor<2xf64>
      func.return %r : tensor<2xf64>
    }"""
    numbers = np.random.default_rng(1)
    a, x, y = numbers.normal(size=(2, 5)), numbers.normal(size=5), numbers.normal(size=2)
    expected = y.copy()
    for j in range(5):
        expected = expected + a[:, j] * x[j]
    np.testing.assert_array_equal(run(text, a, x, y)[0], expected)


def test_uninitialised_memory_is_seen() -> None:
    text = """
    func.func @f() -> (tensor<2xf64>, tensor<2xi64>) {
      %a = tensor.empty() : tensor<2xf64>
      %b = tensor.empty() : tensor<2xi64>
      func.return %a, %b : tensor<2xf64>, tensor<2xi64>
    }"""
    floats, integers = run(text)
    assert np.isnan(floats).all()
    assert (np.abs(integers) > 10**12).all()


def test_memory_is_written_through_views() -> None:
    part, square = "memref<4xf64, strided<[1], offset: 2>>", "memref<2x2xf64, strided<[2, 1], offset: 2>>"
    text = f"""
    func.func @f(%m: memref<6xf64>, %x: f64) {{
      %c1 = arith.constant 1 : index
      %part = memref.subview %m[2] [4] [1] : memref<6xf64> to {part}
      %square = memref.expand_shape %part [[0, 1]] output_shape [2, 2] : {part} into {square}
      memref.store %x, %square[%c1, %c1] : {square}
      affine.for %i = 0 to 2 {{
        %v = affine.load %m[%i + 4] : memref<6xf64>
        affine.store %v, %m[%i] : memref<6xf64>
      }}
      func.return
    }}"""
    memory = np.arange(6.0)
    assert run(text, memory, 9.0) == ()
    np.testing.assert_array_equal(memory, [4, 9, 2, 3, 4, 9])


def test_constant_memory_cannot_be_written_to() -> None:
    text = """
    "memref.global"() <{sym_name = "table", type = memref<2xf64>, initial_value = dense<[1.0, 2.0]> : tensor<2xf64>,
                        sym_visibility = "private", constant}> : () -> ()
    func.func @f(%i: index, %x: f64) -> f64 {
      %m = memref.get_global @table : memref<2xf64>
      %y = memref.load %m[%i] : memref<2xf64>
      memref.store %x, %m[%i] : memref<2xf64>
      func.return %y : f64
    }"""
    with pytest.raises(InterpretationError, match=r"memref.store in @f: ValueError: .*read-only"):
        run(text, 1, 0.0)


def collatz(n: int) -> int:
    steps = 0
    while n != 1:
        n, steps = n // 2 if n % 2 == 0 else 3 * n + 1, steps + 1
    return steps


@pytest.mark.parametrize("n", [1, 7, 27])
def test_while_and_if(n: int) -> None:
    text = """
    func.func @f(%n: i64) -> i64 {
      %zero = arith.constant 0 : i64
      %one = arith.constant 1 : i64
      %two = arith.constant 2 : i64
      %three = arith.constant 3 : i64
      %r, %k = scf.while (%m = %n, %s = %zero) : (i64, i64) -> (i64, i64) {
        %go = arith.cmpi ne, %m, %one : i64
        scf.condition(%go) %m, %s : i64, i64
      } do {
      ^bb0(%m: i64, %s: i64):
        %bit = arith.andi %m, %one : i64
        %odd = arith.cmpi eq, %bit, %one : i64
        %next = scf.if %odd -> (i64) {
          %t = arith.muli %m, %three : i64
          %u = arith.addi %t, %one : i64
          scf.yield %u : i64
        } else {
          %h = arith.divsi %m, %two : i64
          scf.yield %h : i64
        }
        %s1 = arith.addi %s, %one : i64
        scf.yield %next, %s1 : i64, i64
      }
      func.return %k : i64
    }"""
    assert run(text, n) == (collatz(n),)


def test_branches_between_blocks_and_calls() -> None:
    text = """
    func.func private @gcd(%a: i64, %b: i64) -> i64 {
      %zero = arith.constant 0 : i64
      cf.br ^head(%a, %b : i64, i64)
    ^head(%x: i64, %y: i64):
      %done = arith.cmpi eq, %y, %zero : i64
      cf.cond_br %done, ^end(%x : i64), ^body
    ^body:
      %r = arith.remsi %x, %y : i64
      cf.br ^head(%y, %r : i64, i64)
    ^end(%g: i64):
      func.return %g : i64
    }
    func.func @f(%a: i64, %b: i64) -> i64 {
      %g = func.call @gcd(%a, %b) : (i64, i64) -> i64
      func.return %g : i64
    }"""
    assert run(text, 84, 36) == (math.gcd(84, 36),)


def test_functions_of_the_c_library() -> None:
    text = """
    func.func private @cos(f64) -> f64 attributes {cog.libm}
    func.func @f(%x: f64) -> f64 {
      %y = func.call @cos(%x) : (f64) -> f64
      func.return %y : f64
    }"""
    assert run(text, 0.7) == (math.cos(0.7),)
    with pytest.raises(ExecutionError, match="@no_such_cos has no body, and the runtime has no function of that name"):
        run(text.replace("@cos", "@no_such_cos"), 0.7)


def test_a_missing_function_is_named() -> None:
    with pytest.raises(InterpretationError, match="the module has no symbol @nothing"):
        run_function(parse("func.func @f() { func.return }"), "nothing")
