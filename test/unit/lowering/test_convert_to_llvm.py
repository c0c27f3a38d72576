"""The llvm dialect means what arith, math, memref, vector, func and cf mean: run natively, against Python and NumPy."""

from __future__ import annotations

import ctypes
import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from support.native import call, compile_text, context, lower, parse
from xdsl.dialects import arith, cf, llvm, memref
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from cogir.backend.jit import compile_module
from cogir.errors import LoweringError
from cogir.irutils import dense_of_array
from cogir.lowering.convert_to_llvm import RULES, ConvertToLlvm

MIN, MAX = -(2**63), 2**63 - 1
NUMBERS = (0, 1, -1, 2, -2, 3, 7, -7, 10, 63, 12345678901, -12345678901, MAX, MIN, MAX - 1, MIN + 1)
FLOATS = (0.0, -0.0, 1.0, -1.5, 2.5, 1e300, -1e300, 5e-324, math.inf, -math.inf, math.nan)


def signed(number: int) -> int:
    return (number + 2**63) % 2**64 - 2**63


def unsigned(number: int) -> int:
    return number % 2**64


def truncated(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


INTEGER_MEANING = {
    "addi": lambda a, b: a + b,
    "subi": lambda a, b: a - b,
    "muli": lambda a, b: a * b,
    "andi": lambda a, b: a & b,
    "ori": lambda a, b: a | b,
    "xori": lambda a, b: a ^ b,
    "minsi": min,
    "maxsi": max,
    "minui": lambda a, b: min(a, b, key=unsigned),
    "maxui": lambda a, b: max(a, b, key=unsigned),
}
DIVISION_MEANING = {
    "divsi": truncated,
    "remsi": lambda a, b: a - b * truncated(a, b),
    "divui": lambda a, b: unsigned(a) // unsigned(b),
    "remui": lambda a, b: unsigned(a) % unsigned(b),
    "floordivsi": lambda a, b: a // b,
    "ceildivsi": lambda a, b: -(-a // b),
    "ceildivui": lambda a, b: -(-unsigned(a) // unsigned(b)),
}
SHIFT_MEANING = {"shli": lambda a, b: a << b, "shrui": lambda a, b: unsigned(a) >> b, "shrsi": lambda a, b: a >> b}
COMPARISONS = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "slt": lambda a, b: a < b,
    "sle": lambda a, b: a <= b,
    "sgt": lambda a, b: a > b,
    "sge": lambda a, b: a >= b,
    "ult": lambda a, b: unsigned(a) < unsigned(b),
    "ule": lambda a, b: unsigned(a) <= unsigned(b),
    "ugt": lambda a, b: unsigned(a) > unsigned(b),
    "uge": lambda a, b: unsigned(a) >= unsigned(b),
}


def binary(op: str, type: str, result: str | None = None) -> str:
    suffix = f" : {type}"
    return (
        f"func.func @f(%a: {type}, %b: {type}) -> {result or type} {{ %r = arith.{op} %a, %b{suffix} func.return %r : {result or type} }}"
    )


def test_every_operation_of_arith_has_a_rule() -> None:
    operations = set(arith.Arith.operations)
    assert len(operations) == 47
    assert operations <= set(RULES)


def test_every_operation_of_cf_has_a_rule() -> None:
    assert set(cf.Cf.operations) <= set(RULES)


@pytest.mark.parametrize("op", [*INTEGER_MEANING, *DIVISION_MEANING, *SHIFT_MEANING])
def test_integer_operation(op: str) -> None:
    code = compile_text(binary(op, "i64"))
    meaning = (INTEGER_MEANING | DIVISION_MEANING | SHIFT_MEANING)[op]
    for a in NUMBERS:
        for b in NUMBERS:
            if (op in DIVISION_MEANING and (b == 0 or (a, b) == (MIN, -1))) or (op in SHIFT_MEANING and not 0 <= b < 64):
                continue
            assert call(code, "f", [a, b], ctypes.c_int64) == signed(meaning(a, b)), (op, a, b)


@pytest.mark.parametrize("predicate", COMPARISONS)
def test_integer_comparison(predicate: str) -> None:
    code = compile_text(binary(f"cmpi {predicate},", "i64", "i1"))
    for a in NUMBERS:
        for b in NUMBERS:
            assert call(code, "f", [a, b], ctypes.c_bool) == COMPARISONS[predicate](a, b)


@pytest.mark.parametrize("ordered", "oeq ogt oge olt ole one".split())
@pytest.mark.parametrize("unordered", [False, True])
def test_float_comparison(ordered: str, unordered: bool) -> None:
    compare = {"eq": float.__eq__, "gt": float.__gt__, "ge": float.__ge__, "lt": float.__lt__, "le": float.__le__, "ne": float.__ne__}
    kind = ordered[1:]
    code = compile_text(binary(f"cmpf {'u' if unordered else 'o'}{kind},", "f64", "i1"))
    for a in FLOATS:
        for b in FLOATS:
            nan = math.isnan(a) or math.isnan(b)
            assert call(code, "f", [a, b], ctypes.c_bool) == (unordered if nan else compare[kind](a, b))


@pytest.mark.parametrize(
    ("predicate", "expected"), [("ord", [True, False]), ("uno", [False, True]), ("true", [True, True]), ("false", [False, False])]
)
def test_float_comparison_that_only_asks_for_nan(predicate: str, expected: list[bool]) -> None:
    code = compile_text(binary(f"cmpf {predicate},", "f64", "i1"))
    assert [call(code, "f", [1.0, b], ctypes.c_bool) for b in (2.0, math.nan)] == expected


def bits(value: float) -> int:
    return int(np.float64(math.nan if math.isnan(value) else value).view(np.int64))


def smallest(a: float, b: float, *, nan_wins: bool) -> float:
    if math.isnan(a) or math.isnan(b):
        return math.nan if nan_wins or (math.isnan(a) and math.isnan(b)) else b if math.isnan(a) else a
    return min(a, b, key=lambda x: (x, math.copysign(1, x)))


FLOAT_MEANING = {
    "addf": lambda a, b: a + b,
    "subf": lambda a, b: a - b,
    "mulf": lambda a, b: a * b,
    "divf": lambda a, b: float(np.float64(a) / np.float64(b)),
    "minimumf": lambda a, b: smallest(a, b, nan_wins=True),
    "maximumf": lambda a, b: -smallest(-a, -b, nan_wins=True),
    "minnumf": lambda a, b: smallest(a, b, nan_wins=False),
    "maxnumf": lambda a, b: -smallest(-a, -b, nan_wins=False),
}


@pytest.mark.parametrize("op", FLOAT_MEANING)
def test_float_operation_to_the_bit(op: str) -> None:
    code = compile_text(binary(op, "f64"))
    with np.errstate(all="ignore"):
        for a in FLOATS:
            for b in FLOATS:
                assert bits(call(code, "f", [a, b], ctypes.c_double)) == bits(FLOAT_MEANING[op](a, b)), (a, b)


@pytest.mark.parametrize(
    ("op", "meaning"),
    [
        ("math.sqrt", np.sqrt),
        ("math.absf", np.abs),
        ("math.floor", np.floor),
        ("math.ceil", np.ceil),
        ("math.trunc", np.trunc),
        ("math.roundeven", np.rint),
        ("math.round", lambda x: np.copysign(np.floor(np.abs(x) + 0.5), x) if abs(x) < 2**52 else x),
        ("arith.negf", np.negative),
    ],
)
def test_float_function_to_the_bit(op: str, meaning: np.ufunc) -> None:
    code = compile_text(f"func.func @f(%x: f64) -> f64 {{ %r = {op} %x : f64 func.return %r : f64 }}")
    with np.errstate(all="ignore"):
        for x in (*FLOATS, 0.5, 1.5, 2.5, -0.5, 3.7, -3.7, 2.0**53 + 2):
            assert bits(call(code, "f", [x], ctypes.c_double)) == bits(float(meaning(np.float64(x)))), x


def test_products_and_sums_are_not_contracted() -> None:
    code = compile_text("""
    func.func @f(%a: f64, %b: f64, %c: f64) -> f64 {
      %p = arith.mulf %a, %b : f64
      %r = arith.addf %p, %c : f64
      func.return %r : f64
    }
    func.func @g(%a: f64, %b: f64, %c: f64) -> f64 {
      %r = math.fma %a, %b, %c : f64
      func.return %r : f64
    }""")
    a, b, c = 1 + 2.0**-30, 1 - 2.0**-30, -1.0
    assert call(code, "f", [a, b, c], ctypes.c_double) == a * b + c == 0.0
    assert call(code, "g", [a, b, c], ctypes.c_double) == -(2.0**-60)


@pytest.mark.parametrize(("op", "meaning"), [("mului_extended", unsigned), ("mulsi_extended", int)])
def test_extended_product(op: str, meaning: type[int]) -> None:
    text = f"""func.func @f(%a: i64, %b: i64, %m: memref<2xi64>) {{
      %low, %high = arith.{op} %a, %b : i64
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      memref.store %low, %m[%c0] : memref<2xi64>
      memref.store %high, %m[%c1] : memref<2xi64>
      func.return }}"""
    code = compile_text(text)
    for a in NUMBERS:
        for b in NUMBERS:
            out = np.zeros(2, np.int64)
            call(code, "f", [a, b, out])
            product = meaning(a) * meaning(b)
            assert out.tolist() == [signed(product), signed(product >> 64)]


def test_extended_sum() -> None:
    code = compile_text("""func.func @f(%a: i64, %b: i64) -> i1 {
      %s, %overflow = arith.addui_extended %a, %b : i64, i1
      func.return %overflow : i1 }""")
    for a in NUMBERS:
        for b in NUMBERS:
            assert call(code, "f", [a, b], ctypes.c_bool) == (unsigned(a) + unsigned(b) >= 2**64)


@pytest.mark.parametrize(
    ("text", "argument", "expected"),
    [
        ("arith.sitofp %x : i64 to f64", -1, -1.0),
        ("arith.uitofp %x : i64 to f64", -1, 2.0**64),
        ("arith.fptosi %x : f64 to i64", -3.9, -3),
        ("arith.fptoui %x : f64 to i64", 2.0**63 + 2048, -(2**63) + 2048),
        ("arith.bitcast %x : f64 to i64", -0.0, MIN),
        ("arith.bitcast %x : i64 to f64", 0x3FF8 << 48, 1.5),
        ("math.absi %x : i64", MIN, MIN),
        ("math.ctlz %x : i64", 0, 64),
        ("math.cttz %x : i64", 8, 3),
        ("math.ctpop %x : i64", -1, 64),
    ],
)
def test_casts_and_bit_counts(text: str, argument: float, expected: float) -> None:
    parts = text.split(" : ")[1].split(" to ")
    source, target = parts[0], parts[-1]
    code = compile_text(f"func.func @f(%x: {source}) -> {target} {{ %r = {text} func.return %r : {target} }}")
    result = call(code, "f", [argument], ctypes.c_int64 if target == "i64" else ctypes.c_double)
    assert result == expected


def test_single_precision_rounds_once() -> None:
    code = compile_text("""func.func @f(%x: f64, %y: f64) -> f64 {
      %a = arith.truncf %x : f64 to f32
      %b = arith.truncf %y : f64 to f32
      %c = arith.divf %a, %b : f32
      %third = arith.constant 0.1 : f32
      %d = arith.addf %c, %third : f32
      %r = arith.extf %d : f32 to f64
      func.return %r : f64 }""")
    assert call(code, "f", [1.0, 3.0], ctypes.c_double) == float(np.float32(1) / np.float32(3) + np.float32(0.1))


# -- memory


def test_views_of_one_buffer() -> None:
    text = """
    !plane = memref<3x4xf64, strided<[4, 1], offset: 12>>
    !part = memref<2x2xf64, strided<[4, 1], offset: ?>>
    !every_seventh = memref<3xf64, strided<[7], offset: 2>>
    func.func @f(%m: memref<24xf64>, %i: index) -> f64 {
      %cube = memref.expand_shape %m [[0, 1, 2]] output_shape [2, 3, 4] : memref<24xf64> into memref<2x3x4xf64>
      %plane = memref.subview %cube[1, 0, 0] [1, 3, 4] [1, 1, 1] : memref<2x3x4xf64> to !plane
      %part = memref.subview %plane[1, %i] [2, 2] [1, 1] : !plane to !part
      %c1 = arith.constant 1 : index
      %x = memref.load %part[%c1, %c1] : !part
      %all = memref.reinterpret_cast %plane to offset: [2], sizes: [3], strides: [7] : !plane to !every_seventh
      %y = memref.load %all[%c1] : !every_seventh
      %hundred = arith.constant 100.0 : f64
      %z = arith.mulf %y, %hundred : f64
      %r = arith.addf %x, %z : f64
      func.return %r : f64
    }"""
    code = compile_text(text)
    m = np.arange(24.0)
    for i in range(3):
        assert call(code, "f", [m, i], ctypes.c_double) == m.reshape(2, 3, 4)[1, 2, i + 1] + 100 * m[2 + 7]


def test_leading_dimension_and_offset_of_an_argument_may_be_dynamic() -> None:
    text = """
    func.func private @row(%row: memref<3xf64, strided<[1], offset: ?>>) -> f64 {
      %c2 = arith.constant 2 : index
      %x = memref.load %row[%c2] : memref<3xf64, strided<[1], offset: ?>>
      func.return %x : f64
    }
    func.func @f(%m: memref<?x3xf64>, %i: index) -> f64 {
      %row = memref.subview %m[%i, 0] [1, 3] [1, 1] : memref<?x3xf64> to memref<3xf64, strided<[1], offset: ?>>
      %x = func.call @row(%row) : (memref<3xf64, strided<[1], offset: ?>>) -> f64
      func.return %x : f64
    }"""
    code = compile_text(text)
    m = np.arange(12.0).reshape(4, 3)
    assert [call(code, "f", [m, i], ctypes.c_double) for i in range(4)] == m[:, 2].tolist()


def test_buffers_of_dynamic_size_know_their_size_where_they_are_made() -> None:
    text = """
    func.func @f(%n: index) -> index {
      %m = memref.alloc(%n) : memref<?x3xf64>
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %copy = memref.alloc(%n) : memref<?x3xf64>
      "memref.copy"(%m, %copy) : (memref<?x3xf64>, memref<?x3xf64>) -> ()
      %rows = memref.dim %copy, %c0 : memref<?x3xf64>
      %columns = memref.dim %copy, %c1 : memref<?x3xf64>
      %size = arith.muli %rows, %columns : index
      memref.dealloc %m : memref<?x3xf64>
      memref.dealloc %copy : memref<?x3xf64>
      func.return %size : index
    }"""
    assert call(compile_text(text), "f", [14], ctypes.c_int64) == 42


def test_globals_keep_every_bit() -> None:
    values = [0.0, -0.0, 5e-324, 1e300, math.inf, math.nan, 0.1]
    module = parse(f"""
    "memref.global"() <{{sym_name = "numbers", sym_visibility = "private", constant, type = memref<7xf64>,
      initial_value = dense<0.0> : tensor<7xf64>}}> : () -> ()
    "memref.global"() <{{sym_name = "flags", sym_visibility = "private", constant, type = memref<2x2xi1>,
      initial_value = dense<[[true, false], [false, true]]> : tensor<2x2xi1>}}> : () -> ()
    "memref.global"() <{{sym_name = "zeros", sym_visibility = "private", type = memref<{10**6}xi64>,
      initial_value = dense<0> : tensor<{10**6}xi64>}}> : () -> ()
    func.func @f(%i: index) -> f64 {{
      %g = memref.get_global @numbers : memref<7xf64>
      %x = memref.load %g[%i] : memref<7xf64>
      func.return %x : f64
    }}
    func.func @flag(%i: index, %j: index) -> i1 {{
      %g = memref.get_global @flags : memref<2x2xi1>
      %x = memref.load %g[%i, %j] : memref<2x2xi1>
      func.return %x : i1
    }}
    func.func @next() -> i64 {{
      %c9 = arith.constant 999999 : index
      %c1 = arith.constant 1 : i64
      %g = memref.get_global @zeros : memref<{10**6}xi64>
      %x = memref.load %g[%c9] : memref<{10**6}xi64>
      %y = arith.addi %x, %c1 : i64
      memref.store %y, %g[%c9] : memref<{10**6}xi64>
      func.return %y : i64
    }}""")
    numbers = next(op for op in module.ops if isinstance(op, memref.GlobalOp))
    numbers.initial_value = dense_of_array(np.array(values))  # xDSL's parser reads hexadecimal floats as integers
    code = compile_module(lower(module))
    assert [bits(call(code, "f", [i], ctypes.c_double)) for i in range(7)] == [bits(value) for value in values]
    assert [call(code, "flag", [i, j], ctypes.c_bool) for i in (0, 1) for j in (0, 1)] == [True, False, False, True]
    assert [call(code, "next", [], ctypes.c_int64) for _ in range(3)] == [1, 2, 3]


def test_static_buffer_in_a_loop_takes_stack_once() -> None:
    code = compile_text(
        """
    func.func @f(%n: index) -> f64 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %z = arith.constant 0.0 : f64
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> (f64) {
        %m = memref.alloca() : memref<1024xf64>
        memref.store %s, %m[%i] : memref<1024xf64>
        %x = memref.load %m[%i] : memref<1024xf64>
        %one = arith.constant 1.0 : f64
        %t = arith.addf %x, %one : f64
        scf.yield %t : f64
      }
      func.return %r : f64
    }""",
        level=0,
    )
    assert call(code, "f", [1000], ctypes.c_double) == 1000.0


def test_vectors() -> None:
    text = """
    func.func @f(%m: memref<16xf64>, %x: f64, %n: index) -> f64 {
      %c0 = arith.constant 0 : index
      %c8 = arith.constant 8 : index
      %a = vector.load %m[%c0] : memref<16xf64>, vector<8xf64>
      %b = vector.broadcast %x : f64 to vector<8xf64>
      %c = arith.mulf %a, %b : vector<8xf64>
      %d = vector.fma %a, %b, %c : vector<8xf64>
      %mask = vector.create_mask %n : vector<8xi1>
      vector.maskedstore %m[%c8], %mask, %d : memref<16xf64>, vector<8xi1>, vector<8xf64>
      %e = vector.maskedload %m[%c8], %mask, %a : memref<16xf64>, vector<8xi1>, vector<8xf64> into vector<8xf64>
      %f = vector.insert %x, %e[2] : f64 into vector<8xf64>
      %s = vector.reduction <add>, %f, %x : vector<8xf64> into f64
      %last = vector.extract %d[7] : f64 from vector<8xf64>
      %big = vector.reduction <maximumf>, %f : vector<8xf64> into f64
      %t = arith.addf %s, %last : f64
      %r = arith.addf %t, %big : f64
      func.return %r : f64
    }"""
    m = np.arange(16.0) / 7
    a = m[:8].copy()
    x, n = 0.1, 5
    d = np.array([math.fma(v, x, v * x) if hasattr(math, "fma") else v * x + v * x for v in a])
    got = call(compile_text(text), "f", [m, x, n], ctypes.c_double)
    assert np.allclose(m[8:], np.where(np.arange(8) < n, d, np.arange(8, 16) / 7), rtol=1e-15)
    e = np.where(np.arange(8) < n, m[8:], a)
    e[2] = x
    total = x
    for value in e:
        total += value  # in this order
    assert got == pytest.approx(total + d[7] + e.max(), rel=1e-15)


# -- functions


def test_several_results_come_as_one_struct() -> None:
    code = compile_text("""
    func.func private @three(%x: f64) -> (f64, i64, i1) {
      %k = arith.constant 7 : i64
      %t = arith.constant true
      func.return %x, %k, %t : f64, i64, i1
    }
    func.func @f(%x: f64) -> f64 {
      %a, %b, %c = func.call @three(%x) : (f64) -> (f64, i64, i1)
      %d = arith.sitofp %b : i64 to f64
      %e = arith.addf %a, %d : f64
      %r = arith.select %c, %e, %x : f64
      func.return %r : f64
    }""")
    assert call(code, "f", [0.5], ctypes.c_double) == 7.5


@pytest.mark.parametrize("level", [0, 3])
def test_function_of_the_c_library_is_called_as_it_is(level: int) -> None:
    code = compile_text(
        """
    func.func private @log(f64) -> f64 attributes {cog.libm}
    func.func private @pow(f64, f64) -> f64 attributes {cog.libm}
    func.func @f(%x: f64) -> f64 { %r = func.call @log(%x) : (f64) -> f64 func.return %r : f64 }
    func.func @g(%x: f64) -> f64 {
      %two = arith.constant 2.0 : f64
      %r = func.call @pow(%x, %two) : (f64, f64) -> f64
      func.return %r : f64 }""",
        level=level,
    )
    library = ctypes.CDLL(None)
    library.log.restype = library.pow.restype = ctypes.c_double
    for x in np.linspace(0.1, 9, 50):
        assert call(code, "f", [float(x)], ctypes.c_double) == library.log(ctypes.c_double(x))
        assert call(code, "g", [float(x)], ctypes.c_double) == library.pow(ctypes.c_double(x), ctypes.c_double(2))


def test_attributes_of_functions_and_arguments() -> None:
    module = lower(
        parse("""
    func.func private @small(%a: memref<2x3xf64>, %b: memref<?x4xi64>) attributes {cog.inline = "always"} { func.return }
    func.func private @other(%a: memref<4xi1>) attributes {cog.inline = "never"} { func.return }
    func.func private @libm(f64) -> f64 attributes {cog.libm}
    func.func @entry(%a: memref<2x3xf64> {llvm.noalias, cog.updates = 1 : i64}, %flag: i1) -> i1 { func.return %flag : i1 }
    """)
    )
    functions = {op.sym_name.data: op for op in module.ops if isinstance(op, llvm.FuncOp)}
    assert {name: op.linkage.linkage.data for name, op in functions.items()} == {
        "small": "internal", "other": "internal", "libm": "external", "entry": "external"
    }  # fmt: skip
    passthrough = {name: str(op.passthrough) for name, op in functions.items()}
    assert '"alwaysinline"' in passthrough["small"]
    assert '"noinline"' in passthrough["other"]
    assert '"nobuiltin", ["memory", "0"]' in passthrough["libm"]
    facts = {name: [dict(entry.data) for entry in op.arg_attrs or ()] for name, op in functions.items()}
    assert [set(entry) for entry in facts["small"]] == [
        {"llvm.align", "llvm.dereferenceable", "llvm.nonnull", "llvm.noundef"},
        {"llvm.align", "llvm.nonnull", "llvm.noundef"},
    ]
    assert facts["small"][0]["llvm.dereferenceable"].value.data == 48
    assert facts["other"][0]["llvm.align"].value.data == 1
    assert "llvm.noalias" in facts["entry"][0]
    assert "cog.updates" not in facts["entry"][0]
    assert "llvm.zeroext" in facts["entry"][1]


def test_functions_that_would_blow_up_the_code_are_not_inlined_everywhere() -> None:
    def inlined(calls: int) -> bool:
        body = "\n".join(f"%y{i} = arith.addf %x, %x : f64" for i in range(50))
        uses = "\n".join(f"%r{i} = func.call @large(%x) : (f64) -> f64" for i in range(calls))
        module = lower(
            parse(f"""
        func.func private @large(%x: f64) -> f64 attributes {{cog.inline = "always"}} {{ {body} func.return %y49 : f64 }}
        func.func @f(%x: f64) {{ {uses} func.return }}""")
        )
        return '"alwaysinline"' in str(next(op for op in module.ops if isinstance(op, llvm.FuncOp)).passthrough)

    assert inlined(10)
    assert not inlined(400)


def test_a_failed_assertion_says_why_and_aborts(tmp_path: Path) -> None:
    script = tmp_path / "fails.py"
    script.write_text(
        "from support.native import call, compile_text\n"
        "code = compile_text('func.func @f(%c: i1) { cf.assert %c, \"the count is negative\" func.return }')\n"
        "call(code, 'f', [True])\nprint('passed', flush=True)\ncall(code, 'f', [False])\n"
    )
    folder = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, str(script)], cwd=folder, env={"PYTHONPATH": str(folder)}, capture_output=True, text=True, check=False
    )
    assert done.stdout.startswith("passed")
    assert done.returncode == -6


# -- what must not be left, and what is refused


def test_addresses_are_never_made_from_integers() -> None:
    module = lower(
        parse("""
    func.func @f(%m: memref<4x5x6xf64>, %i: index, %j: index) -> f64 {
      %s = memref.subview %m[1, %i, 2] [2, 2, 2] [1, 2, 1] : memref<4x5x6xf64> to memref<2x2x2xf64, strided<[30, 12, 1], offset: ?>>
      %c1 = arith.constant 1 : index
      %x = memref.load %s[%c1, %j, %c1] : memref<2x2x2xf64, strided<[30, 12, 1], offset: ?>>
      memref.store %x, %m[%i, %j, %c1] : memref<4x5x6xf64>
      func.return %x : f64
    }""")
    )
    names = {op.name for op in module.walk()}
    assert not names & {"llvm.inttoptr", "llvm.ptrtoint"}
    assert all(name.startswith(("llvm.", "builtin.module")) for name in names)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(%x: f64) { %y = math.exp %x : f64 func.return }", r"math\.exp is left; run expand-math before"),
        ("(%c: i1) { scf.if %c { } func.return }", r"scf\.if is left; run convert-scf-to-cf before"),
        ("(%t: tensor<4xf64>) { func.return }", r"tensor<4xf64> has no counterpart .* bufferised"),
        (
            "(%m: memref<?x?xf64>, %i: index) { %x = memref.load %m[%i, %i] : memref<?x?xf64> func.return }",
            r"only the leading dimension may be dynamic",
        ),
        (
            "(%m: memref<4xf64, strided<[?]>>, %i: index) { %x = memref.load %m[%i] : memref<4xf64, strided<[?]>> func.return }",
            r"strides must be static",
        ),
        (
            "(%m: memref<?xf64>) { %c = arith.constant 0 : index %d = memref.dim %m, %c : memref<?xf64> func.return }",
            r"is not known: memrefs are passed as bare pointers; pass the size as an index",
        ),
        ("(%v: vector<2x2xf64>) { func.return }", r"is not one-dimensional"),
        ('() attributes {cog.inline = "often"} { func.return }', r'cog\.inline is "often"; give "always" or "never"'),
        ("() { cf.br ^a ^a: cf.br ^a {cog.loop = {vectorise = true}} }", r"cog\.loop has vectorise = .*the hints are"),
    ],
)
def test_what_cannot_be_lowered_is_named(text: str, message: str) -> None:
    module: ModuleOp = Parser(context(), "func.func @f" + text).parse_module()
    with pytest.raises(LoweringError, match=message):
        ConvertToLlvm().apply(context(), module)
