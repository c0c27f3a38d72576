"""Structured control flow as branches: what it computes, how large it gets, what it refuses."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest
from support.native import call, compile_text, context, parse
from xdsl.dialects import cf, scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from cogir.errors import LoweringError
from cogir.lowering.convert_scf_to_cf import LOOP_HINT, ConvertScfToCf


def lowered(text: str) -> ModuleOp:
    module = parse(text)
    ConvertScfToCf().apply(context(), module)
    module.verify()
    return module


def run(text: str, *arguments: object, result: object = ctypes.c_double) -> object:
    return call(compile_text(text), "f", arguments, result)


@pytest.mark.parametrize("divisor", [1, 3, 7])
@pytest.mark.parametrize("value", [-22, -21, -7, -1, 0, 1, 6, 7, 20, 2**62, -(2**62)])
def test_affine_division_rounds_as_python_does(value: int, divisor: int) -> None:
    text = f"""
    func.func @f(%i: index, %out: memref<3xi64>) {{
      %a = affine.apply affine_map<(d0) -> (d0 mod {divisor})>(%i)
      %b = affine.apply affine_map<(d0) -> (d0 floordiv {divisor})>(%i)
      %c = affine.apply affine_map<(d0) -> (d0 ceildiv {divisor})>(%i)
      %x = arith.index_cast %a : index to i64
      %y = arith.index_cast %b : index to i64
      %z = arith.index_cast %c : index to i64
      affine.store %x, %out[0] : memref<3xi64>
      affine.store %y, %out[1] : memref<3xi64>
      affine.store %z, %out[2] : memref<3xi64>
      func.return
    }}"""
    out = np.zeros(3, np.int64)
    call(compile_text(text), "f", [value, out])
    assert out.tolist() == [value % divisor, value // divisor, -(-value // divisor)]


def test_affine_loop_takes_the_tightest_of_several_bounds() -> None:
    text = """
    func.func @f(%n: index, %out: memref<20xf64>) {
      %one = arith.constant 1.0 : f64
      affine.for %i = max affine_map<(d0) -> (2, d0 - 6)>(%n) to min affine_map<(d0) -> (d0, 17)>(%n) step 3 {
        affine.store %one, %out[%i] : memref<20xf64>
      }
      func.return
    }"""
    for n in (0, 2, 5, 12, 20):
        out = np.zeros(20)
        call(compile_text(text), "f", [n, out])
        assert np.nonzero(out)[0].tolist() == list(range(max(2, n - 6), min(n, 17), 3))


def test_affine_if_needs_all_constraints() -> None:
    text = """
    func.func @f(%i: index) -> f64 {
      %a = arith.constant 1.0 : f64
      %b = arith.constant 2.0 : f64
      %r = "affine.if"(%i) ({
        "affine.yield"(%a) : (f64) -> ()
      }, {
        "affine.yield"(%b) : (f64) -> ()
      }) {condition = affine_set<(d0) : (d0 - 2 >= 0, 9 - d0 >= 0, d0 mod 2 == 0)>} : (index) -> f64
      func.return %r : f64
    }"""
    code = compile_text(text)
    assert [call(code, "f", [i], ctypes.c_double) for i in range(12)] == [1.0 if 2 <= i <= 9 and i % 2 == 0 else 2.0 for i in range(12)]


def test_parallel_runs_in_row_major_order_and_reduces_in_that_order() -> None:
    text = """
    func.func @f(%m: memref<3x4xf64>) -> f64 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %z = arith.constant 0.0 : f64
      %s = "scf.parallel"(%c0, %c0, %c3, %c4, %c1, %c1, %z) <{operandSegmentSizes = array<i32: 2, 2, 2, 1>}> ({
      ^bb0(%i: index, %j: index):
        %x = memref.load %m[%i, %j] : memref<3x4xf64>
        "scf.reduce"(%x) ({
        ^bb1(%total: f64, %next: f64):
          %half = arith.constant 0.5 : f64
          %scaled = arith.mulf %total, %half : f64
          %sum = arith.addf %scaled, %next : f64
          "scf.reduce.return"(%sum) : (f64) -> ()
        }) : (f64) -> ()
      }) : (index, index, index, index, index, index, f64) -> f64
      func.return %s : f64
    }"""
    matrix = np.arange(12.0).reshape(3, 4) + 1
    expected = 0.0
    for x in matrix.reshape(-1):
        expected = expected * 0.5 + x
    assert run(text, matrix) == expected


def test_while_may_pass_other_values_on_than_it_starts_with() -> None:
    text = """
    func.func @f(%start: i64) -> i64 {
      %one = arith.constant 1 : i64
      %two = arith.constant 2 : i64
      %zero = arith.constant 0 : i64
      %r:3 = scf.while (%n = %start, %count = %zero) : (i64, i64) -> (i64, i64, i64) {
        %more = arith.cmpi sgt, %n, %one : i64
        scf.condition(%more) %count, %n, %two : i64, i64, i64
      } do {
      ^bb0(%c: i64, %k: i64, %base: i64):
        %next = arith.divsi %k, %base : i64
        %counted = arith.addi %c, %one : i64
        scf.yield %next, %counted : i64, i64
      }
      func.return %r#0 : i64
    }"""
    code = compile_text(text)
    assert [call(code, "f", [n], ctypes.c_int64) for n in (0, 1, 2, 9, 1024)] == [0, 0, 1, 3, 10]


def test_execute_region_may_leave_from_several_blocks() -> None:
    text = """
    func.func @f(%c: i1, %x: f64) -> f64 {
      %r = "scf.execute_region"() ({
        cf.cond_br %c, ^a, ^b
      ^a:
        %twice = arith.addf %x, %x : f64
        scf.yield %twice : f64
      ^b:
        scf.yield %x : f64
      }) : () -> f64
      func.return %r : f64
    }"""
    assert (run(text, True, 3.0), run(text, False, 3.0)) == (6.0, 3.0)


def test_index_switch_with_and_without_cases() -> None:
    text = """
    func.func @f(%k: index) -> f64 {
      %a = arith.constant 10.0 : f64
      %r = scf.index_switch %k -> f64
      case -1 { scf.yield %a : f64 }
      case 7 {
        %b = arith.constant 20.0 : f64
        scf.yield %b : f64
      }
      default {
        %c = arith.constant 30.0 : f64
        scf.yield %c : f64
      }
      %s = scf.index_switch %k -> f64
      default { scf.yield %r : f64 }
      func.return %s : f64
    }"""
    code = compile_text(text)
    assert [call(code, "f", [k], ctypes.c_double) for k in (-1, 7, 0, 2**40)] == [10.0, 20.0, 30.0, 30.0]


def test_copy_between_strided_memrefs_becomes_a_loop() -> None:
    text = """
    func.func @f(%m: memref<6x5xf64>, %out: memref<30x30xf64>) {
      %column = memref.subview %m[0, 2] [6, 1] [1, 1] : memref<6x5xf64> to memref<6x1xf64, strided<[5, 1], offset: 2>>
      %place = memref.subview %out[3, 4] [6, 1] [2, 1] : memref<30x30xf64> to memref<6x1xf64, strided<[60, 1], offset: 94>>
      "memref.copy"(%column, %place) : (memref<6x1xf64, strided<[5, 1], offset: 2>>, memref<6x1xf64, strided<[60, 1], offset: 94>>) -> ()
      func.return
    }"""
    matrix, out, expected = np.arange(30.0).reshape(6, 5), np.zeros((30, 30)), np.zeros((30, 30))
    call(compile_text(text), "f", [matrix, out])
    expected[3:15:2, 4] = matrix[:, 2]
    assert out.tolist() == expected.tolist()


def test_hint_of_a_loop_ends_on_its_back_edge() -> None:
    module = lowered("""
    func.func @f(%n: index) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      scf.for %i = %c0 to %n step %c1 {
      } {cog.loop = {unroll = 4 : i64}}
      func.return
    }""")
    hinted = [op for op in module.walk() if LOOP_HINT in op.attributes]
    assert [type(op) for op in hinted] == [cf.BranchOp]
    assert hinted[0].successors[0].args  # it goes back to the head, which takes the index


@pytest.mark.parametrize(("accesses", "hints"), [(100, 0), (600, 1)])
def test_only_loops_with_very_many_accesses_are_left_alone(accesses: int, hints: int) -> None:
    body = "\n".join("memref.store %x, %m[%c0] : memref<4xf64>" for _ in range(accesses // 2))
    module = lowered(f"""
    func.func private @half(%x: f64, %m: memref<4xf64>) {{
      %c0 = arith.constant 0 : index
      {body}
      func.return
    }}
    func.func @f(%n: index, %x: f64, %m: memref<4xf64>) {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      scf.for %i = %c0 to %n step %c1 {{
        func.call @half(%x, %m) : (f64, memref<4xf64>) -> ()
        func.call @half(%x, %m) : (f64, memref<4xf64>) -> ()
      }}
      func.return
    }}""")
    assert sum(LOOP_HINT in op.attributes for op in module.walk()) == hints


def test_blocks_grow_linearly_with_the_program() -> None:
    def blocks(count: int) -> int:
        body = "\n".join("scf.if %c { memref.store %x, %m[] : memref<f64> }" for _ in range(count))
        module = lowered(f"func.func @f(%c: i1, %x: f64, %m: memref<f64>) {{\n{body}\nfunc.return }}")
        return sum(len(region.blocks) for op in module.walk() for region in op.regions if op is not module)

    assert (blocks(10), blocks(1000)) == (2 * 10 + 1, 2 * 1000 + 1)


def test_deep_nesting_does_not_exhaust_the_stack() -> None:
    depth = 90  # deeper, xDSL's parser gives up
    text = "scf.if %c {" * depth + " memref.store %x, %m[] : memref<f64> " + "}" * depth
    module = lowered(f"func.func @f(%c: i1, %x: f64, %m: memref<f64>) {{ {text} func.return }}")
    assert not any(isinstance(op, scf.IfOp) for op in module.walk())


def test_affine_parallel_with_a_reduction_is_refused_with_a_remedy() -> None:
    text = """
    func.func @f() -> f64 {
      %s = "affine.parallel"() <{reductions = ["addf"], lowerBoundsMap = affine_map<() -> (0)>,
        lowerBoundsGroups = dense<1> : vector<1xi32>, upperBoundsMap = affine_map<() -> (4)>,
        upperBoundsGroups = dense<1> : vector<1xi32>, steps = [1]}> ({
      ^bb0(%i: index):
        %x = arith.constant 1.0 : f64
        "affine.yield"(%x) : (f64) -> ()
      }) : () -> f64
      func.return %s : f64
    }"""
    with pytest.raises(LoweringError, match=r"affine\.parallel with reductions is not lowered; use scf\.parallel"):
        ConvertScfToCf().apply(context(), Parser(context(), text).parse_module())


def test_affine_parallel_covers_its_box() -> None:
    text = """
    func.func @f(%m: memref<4x6xf64>) {
      "affine.parallel"() <{reductions = [], lowerBoundsMap = affine_map<() -> (1, 0)>,
        lowerBoundsGroups = dense<1> : vector<2xi32>, upperBoundsMap = affine_map<() -> (4, 6)>,
        upperBoundsGroups = dense<1> : vector<2xi32>, steps = [1, 2]}> ({
      ^bb0(%i: index, %j: index):
        %x = arith.constant 1.0 : f64
        affine.store %x, %m[%i, %j] : memref<4x6xf64>
        "affine.yield"() : () -> ()
      }) : () -> ()
      func.return
    }"""
    matrix, expected = np.zeros((4, 6)), np.zeros((4, 6))
    call(compile_text(text), "f", [matrix])
    expected[1:, ::2] = 1
    assert matrix.tolist() == expected.tolist()
