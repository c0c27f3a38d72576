"""LLVM IR text: LLVM accepts it, and it means what the llvm dialect says."""

from __future__ import annotations

import ctypes
import math
import random
from pathlib import Path

import numpy as np
import pytest
from support.mlir_tools import need_tools, run_tool, verify_llvm_ir
from support.native import call, context, lower, parse
from support.random.loops import SIZE, RandomModule
from xdsl.dialects.builtin import (
    BFloat16Type,
    DenseIntOrFPElementsAttr,
    Float16Type,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    ModuleOp,
    StringAttr,
    TensorType,
    VectorType,
    f32,
    f64,
    i1,
    i64,
)
from xdsl.dialects.llvm import LLVMArrayType
from xdsl.parser import Parser

from cogir.backend.emit_llvm_ir import emit_llvm_ir
from cogir.backend.intrinsics import base_name, full_name
from cogir.backend.jit import compile_module
from cogir.backend.llvm_text import constant_text, symbol, type_text
from cogir.errors import BackendError


def dialect(text: str) -> ModuleOp:
    """A module of the llvm dialect, from text."""
    module = Parser(context(), text).parse_module()
    module.verify()
    return module


@pytest.mark.parametrize(
    ("value", "type", "text"),
    [
        (FloatAttr(0.1, f64), f64, "0x3FB999999999999A"),
        (FloatAttr(-0.0, f64), f64, "0x8000000000000000"),
        (FloatAttr(math.inf, f64), f64, "0x7FF0000000000000"),
        (FloatAttr(0.1, f32), f32, "0x3FB99999A0000000"),
        (FloatAttr(1.5, Float16Type()), Float16Type(), "0xH3E00"),
        (FloatAttr(1.5, BFloat16Type()), BFloat16Type(), "0xR3FC0"),
        (IntegerAttr(-7, i64), i64, "-7"),
        (IntegerAttr(-1, i1), i1, "true"),
        (StringAttr('a"b\n\0'), LLVMArrayType(5, IntegerType(8)), 'c"a\\22b\\0A\\00"'),
        (DenseIntOrFPElementsAttr.from_list(TensorType(i64, [2]), [3, -1]), LLVMArrayType(2, i64), "[i64 3, i64 -1]"),
        (DenseIntOrFPElementsAttr.from_list(VectorType(i1, [2]), [0, 1]), VectorType(i1, [2]), "<i1 false, i1 true>"),
        (DenseIntOrFPElementsAttr.from_list(TensorType(f64, [3]), [0.0, 0.0, 0.0]), LLVMArrayType(3, f64), "zeroinitializer"),
        (
            DenseIntOrFPElementsAttr.from_list(TensorType(f64, [2]), [0.0, -0.0]),
            LLVMArrayType(2, f64),
            "[double 0x0000000000000000, double 0x8000000000000000]",
        ),
    ],
)
def test_constants_are_written_to_the_bit(value: FloatAttr, type: IntegerType, text: str) -> None:
    assert constant_text(value, type) == text


def test_types_and_symbols() -> None:
    assert type_text(LLVMArrayType(4, VectorType(f64, [8]))) == "[4 x <8 x double>]"
    assert [symbol(name) for name in ("plain.name", "PLAYER OBS", 'quo"te', "größe")] == [
        "@plain.name", '@"PLAYER OBS"', '@"quo\\22te"', '@"gr\\C3\\B6\\C3\\9Fe"'
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "operands", "result", "full"),
    [
        ("llvm.sqrt", [f64], f64, "llvm.sqrt.f64"),
        ("llvm.fma", [VectorType(f32, [4])] * 3, VectorType(f32, [4]), "llvm.fma.v4f32"),
        ("llvm.vector.reduce.fadd", [f64, VectorType(f64, [8])], f64, "llvm.vector.reduce.fadd.v8f64"),
        ("llvm.sqrt.f64", [f64], f64, "llvm.sqrt.f64"),
        ("llvm.nvvm.read.ptx.sreg.tid.x", [], i64, "llvm.nvvm.read.ptx.sreg.tid.x"),
    ],
)
def test_intrinsics_are_named_after_their_types(name: str, operands: list[IntegerType], result: IntegerType, full: str) -> None:
    assert full_name(name, operands, result) == full
    assert base_name(full) == name.removesuffix(".f64")


def test_intrinsic_whose_name_is_not_known_is_refused() -> None:
    with pytest.raises(BackendError, match=r"the intrinsic 'llvm\.frobnicate' is not in the tables"):
        full_name("llvm.frobnicate", [f64], f64)


def test_one_intrinsic_on_two_types_in_one_module() -> None:
    module = lower(
        parse("""
    func.func @f(%x: f64, %y: f32) -> f64 {
      %a = math.sqrt %x : f64
      %b = math.sqrt %y : f32
      %c = arith.extf %b : f32 to f64
      %d = arith.addf %a, %c : f64
      func.return %d : f64
    }""")
    )
    text = emit_llvm_ir(module)
    assert "declare double @llvm.sqrt.f64(double)" in text
    assert "declare float @llvm.sqrt.f32(float)" in text
    code = compile_module(module)
    assert code.function("f", ctypes.c_double, ctypes.c_double, ctypes.c_float)(9.0, 16.0) == 7.0


def test_both_edges_of_a_branch_may_go_to_one_block() -> None:
    code = compile_module(
        dialect("""
    llvm.func @f(%c: i1, %x: f64, %y: f64) -> f64 {
      llvm.cond_br %c, ^bb1(%x, %y : f64, f64), ^bb1(%y, %y : f64, f64)
    ^bb1(%a: f64, %b: f64):
      %r = llvm.fsub %a, %b : f64
      llvm.return %r : f64
    }""")
    )
    assert [call(code, "f", [c, 5.0, 3.0], ctypes.c_double) for c in (True, False)] == [2.0, 0.0]


def test_switch_with_several_edges_to_one_block() -> None:
    code = compile_module(
        dialect("""
    llvm.func @f(%k: i64) -> i64 {
      %a = llvm.mlir.constant(10) : i64
      %b = llvm.mlir.constant(20) : i64
      llvm.switch %k : i64, ^bb1(%k : i64) [1: ^bb1(%a : i64), 2: ^bb1(%b : i64), -3: ^bb2]
    ^bb1(%x: i64):
      llvm.return %x : i64
    ^bb2:
      llvm.return %a : i64
    }""")
    )
    assert [call(code, "f", [k], ctypes.c_int64) for k in (0, 1, 2, -3)] == [0, 10, 20, 10]


def test_blocks_may_come_in_any_order() -> None:
    code = compile_module(
        dialect("""
    llvm.func @f(%x: i64) -> i64 {
      %one = llvm.mlir.constant(1) : i64
      llvm.br ^middle
    ^last:
      %r = llvm.mul %y, %y : i64
      llvm.return %r : i64
    ^middle:
      %y = llvm.add %x, %one : i64
      llvm.br ^last
    }""")
    )
    assert call(code, "f", [6], ctypes.c_int64) == 49


def test_loop_that_passes_its_own_arguments_in_another_order() -> None:
    code = compile_module(
        dialect("""
    llvm.func @f(%n: i64) -> i64 {
      %zero = llvm.mlir.constant(0) : i64
      %one = llvm.mlir.constant(1) : i64
      llvm.br ^head(%n, %zero, %one : i64, i64, i64)
    ^head(%k: i64, %a: i64, %b: i64):
      %done = llvm.icmp "eq" %k, %zero : i64
      llvm.cond_br %done, ^end, ^body
    ^body:
      %next = llvm.sub %k, %one : i64
      %sum = llvm.add %a, %b : i64
      llvm.br ^head(%next, %b, %sum : i64, i64, i64)
    ^end:
      llvm.return %a : i64
    }""")
    )
    assert [call(code, "f", [n], ctypes.c_int64) for n in range(10)] == [0, 1, 1, 2, 3, 5, 8, 13, 21, 34]


def test_names_that_llvm_would_not_take_as_they_are() -> None:
    module = dialect("""
    llvm.func @"odd name"(%x: f64) -> f64 { llvm.return %x : f64 }
    llvm.func @f(%x: f64) -> f64 {
      %r = llvm.call @"odd name"(%x) : (f64) -> f64
      llvm.return %r : f64
    }""")
    module.body.block.first_op.regions[0].block.args[0].name_hint = "x_1"
    assert call(compile_module(module), "odd name", [2.5], ctypes.c_double) == 2.5


def test_hints_for_a_loop_become_metadata() -> None:
    module = lower(
        parse("""
    func.func @f(%n: index) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      scf.for %i = %c0 to %n step %c1 {
        scf.for %j = %c0 to %n step %c1 { } {cog.loop = {unroll = 0 : i64}}
      } {cog.loop = {vectorize = false, unroll = 4 : i64, licm = false}}
      func.return
    }""")
    )
    text = emit_llvm_ir(module)
    assert text.count(", !llvm.loop !") == 2
    for node in (
        '!"llvm.loop.vectorize.enable", i1 false',
        '!"llvm.loop.unroll.count", i32 4',
        '!"llvm.licm.disable"',
        '!"llvm.loop.unroll.disable"',
    ):
        assert f"= !{{{node}}}" in text
    assert text.count("= distinct !{") == 2
    compile_module(module)
    again = dialect(str(module))
    assert emit_llvm_ir(again) == text


def test_attributes_reach_llvm() -> None:
    module = lower(
        parse("""
    func.func private @log(f64) -> f64 attributes {cog.libm}
    func.func @f(%m: memref<4xf64> {llvm.noalias, llvm.readonly, llvm.nocapture}, %c: i1) -> f64 attributes {nvvm.kernel} {
      %c0 = arith.constant 0 : index
      %x = memref.load %m[%c0] : memref<4xf64>
      %y = func.call @log(%x) : (f64) -> f64
      func.return %y : f64
    }""")
    )
    text = emit_llvm_ir(module)
    assert "declare double @log(double noundef) nounwind willreturn nobuiltin memory(none)" in text
    assert "ptr align 8 dereferenceable(32) nonnull noundef noalias readonly captures(none)" in text
    assert "i1 zeroext noundef" in text
    assert "define ptx_kernel double @f" in text
    assert "call double @log(double %x.3) nobuiltin" in text


def test_fast_math_flags_are_kept() -> None:
    module = lower(
        parse("""
    func.func @f(%x: f64, %y: f64) -> f64 {
      %a = arith.addf %x, %y fastmath<nnan,contract> : f64
      %b = math.sqrt %a fastmath<fast> : f64
      %c = arith.cmpf olt, %a, %b : f64
      %d = arith.select %c, %a, %b : f64
      func.return %d : f64
    }""")
    )
    text = emit_llvm_ir(module)
    assert "fadd contract nnan double" in text
    assert "call fast double @llvm.sqrt.f64" in text
    assert "fcmp olt double" in text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("func.func @f() { func.return }", r"the module contains func\.func, but only llvm\.func .* run convert-to-llvm before"),
        (
            'llvm.func @f() { llvm.inline_asm "nop", "" : () -> () llvm.return }',
            r"llvm\.inline_asm has no counterpart in LLVM IR",
        ),
        (
            "llvm.func @f(%p: !llvm.ptr) { %x = llvm.load %p atomic seq_cst {alignment = 8 : i64} : !llvm.ptr -> i64 llvm.return }",
            r"atomic llvm\.load is not supported",
        ),
        (
            "llvm.func @f(%x: f64 {llvm.frobnicate}) { llvm.return }",
            r"@f: argument attribute llvm\.frobnicate has no counterpart",
        ),
    ],
)
def test_what_cannot_be_written_is_named(text: str, message: str) -> None:
    with pytest.raises(BackendError, match=message):
        emit_llvm_ir(dialect(text))


def test_llvm_verifies_the_text_of_random_programs() -> None:
    need_tools("opt")
    for seed in range(3):
        verify_llvm_ir(emit_llvm_ir(lower(parse(RandomModule(random.Random(seed)).text(6, 25)))))


def test_mlir_translate_and_our_emitter_agree_on_the_llvm_dialect(tmp_path: Path) -> None:
    need_tools()
    for seed in range(3):
        module = lower(parse(RandomModule(random.Random(1000 + seed)).text(5, 25)))
        run_tool("mlir-opt", "--verify-each", text=str(module))
        theirs_text = run_tool("mlir-translate", "--mlir-to-llvmir", text=str(module))
        source, shared = tmp_path / f"{seed}.ll", tmp_path / f"{seed}.so"
        source.write_text(theirs_text)
        run_tool(
            "clang", "-O1", "-ffp-contract=off", "-fno-builtin", "-Wno-override-module", "-shared", "-fPIC", str(source), "-o", str(shared)
        )
        theirs, ours = ctypes.CDLL(str(shared)), compile_module(module)
        for number in range(5):
            outcomes: list[list[int]] = []
            for address in (ours.address(f"f{number}"), ctypes.cast(theirs[f"f{number}"], ctypes.c_void_p).value):
                floats, ints = np.linspace(-2, 2, SIZE), np.arange(SIZE) * 77
                function = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_double, ctypes.c_int64)(address)
                result = function(floats.ctypes.data, ints.ctypes.data, 0.7, 5)
                values = np.append(floats, result)
                outcomes.append([*np.where(np.isnan(values), np.nan, values).view(np.int64).tolist(), *ints.tolist()])
            assert outcomes[0] == outcomes[1]
