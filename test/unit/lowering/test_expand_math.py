"""Elementary functions become calls, and compute the same bits interpreted before, interpreted after, and compiled."""

import ctypes
import inspect
import random
import struct
from collections import Counter

import numpy as np
import pytest
from support.native import call
from xdsl.context import Context
from xdsl.dialects import func, math
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from cogir.backend.jit import compile_module
from cogir.dialects.math_functions import ELEMENTARY
from cogir.dialects.text import CogParser, make_context
from cogir.errors import LoweringError
from cogir.interpreters.levels import run_function
from cogir.library.numerics import erf as math_erf
from cogir.library.numerics import exp as math_exp
from cogir.library.numerics import log as math_log
from cogir.library.numerics import parts as math_parts
from cogir.library.numerics import trig as math_trig
from cogir.library.numerics.math import FUNCTIONS
from cogir.library.random import rng
from cogir.lowering.convert_scf_to_cf import ConvertScfToCf
from cogir.lowering.convert_to_llvm import ConvertToLlvm
from cogir.lowering.library.expand_math import ExpandMath

KEPT = (math.SqrtOp, math.AbsFOp, math.FloorOp, math.CeilOp, math.TruncOp, math.RoundEvenOp, math.FmaOp, math.CopySignOp)
OPERATIONS = (*ELEMENTARY, math.RoundOp, math.RsqrtOp)


def arity_of(op: type[Operation]) -> int:
    return 2 if op in (math.Atan2Op, math.PowFOp) else 1


def program(op: type[Operation], type: str) -> ModuleOp:
    """A function `@f` that applies `op`."""
    names = ("%x", "%y")[: arity_of(op)]
    arguments = ", ".join(f"{name}: {type}" for name in names)
    return parse(f"func.func @f({arguments}) -> {type} {{\n %r = {op.name} {', '.join(names)} : {type}\n func.return %r : {type}\n}}")


def parse(text: str) -> ModuleOp:
    return CogParser(make_context(), text).parse_module()


def expanded(module: ModuleOp, choice: str = "portable") -> ModuleOp:
    module = module.clone()
    ExpandMath(choice).apply(Context(), module)
    module.verify()
    return module


def functions(module: ModuleOp) -> Counter[str]:
    return Counter(op.sym_name.data for op in module.ops if isinstance(op, func.FuncOp))


def points(arity: int, count: int) -> list[list[float]]:
    source = random.Random(arity)
    special = (0.0, -0.0, 1.0, -1.0, float("inf"), float("nan"), 5e-324, 1e300, 1e10)
    return [[source.choice((source.uniform(-3.0, 3.0), source.uniform(0.0, 1.0), *special)) for _ in range(arity)] for _ in range(count)]


def same(a: float, b: float) -> bool:
    return struct.pack("d", a) == struct.pack("d", b) or (a != a and b != b)


@pytest.mark.parametrize("type", ["f64", "f32"])
@pytest.mark.parametrize("op", OPERATIONS, ids=lambda op: op.name)
def test_expansion_keeps_the_meaning(op: type[Operation], type: str) -> None:
    before = program(op, type)
    after = expanded(before)
    assert all(isinstance(each, KEPT) for each in after.walk() if each.name.startswith("math."))
    for args in points(arity_of(op), 20):
        values = [ctypes.c_float(value).value for value in args] if type == "f32" else args
        assert same(run_function(before, "f", values)[0], run_function(after, "f", values)[0]), args


@pytest.mark.parametrize("op", ELEMENTARY, ids=lambda op: op.name)
def test_compiled_code_has_the_bits_of_python(op: type[Operation]) -> None:
    module = expanded(program(op, "f64"))
    ConvertScfToCf().apply(Context(), module)
    ConvertToLlvm().apply(Context(), module)
    code = compile_module(module)
    for args in points(arity_of(op), 200):
        assert same(call(code, "f", args, ctypes.c_double), FUNCTIONS[ELEMENTARY[op]](*args)), args


@pytest.mark.parametrize("choice", ["portable", "libm"])
def test_operations_in_regions_and_on_vectors_are_expanded(choice: str) -> None:
    before = parse("""
      func.func @f(%m: memref<4xf64>, %v: vector<2x2xf64>) -> vector<2x2xf64> {
        affine.for %i = 0 to 4 {
          %x = affine.load %m[%i] : memref<4xf64>
          %y = math.exp %x : f64
          affine.store %y, %m[%i] : memref<4xf64>
        }
        linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%m: memref<4xf64>) {
        ^bb0(%a: f64):
          %b = math.log %a : f64
          linalg.yield %b : f64
        }
        %w = math.sin %v : vector<2x2xf64>
        func.return %w : vector<2x2xf64>
      }
    """)
    after = expanded(before, choice)
    assert not any(type(op) in ELEMENTARY for op in after.walk())
    called = Counter(op.callee.string_value() for op in next(iter(after.ops)).walk() if isinstance(op, func.CallOp))
    expected = {"exp": 1, "log": 1, "sin": 4}
    assert called == {name if choice == "libm" else f"cogir_math_{name}_f64": count for name, count in expected.items()}
    numbers = np.array([0.0, 1.0, 2.0, 3.0])
    if choice == "portable":
        text = "func.func @g(%m: memref<4xf64>) {\n affine.for %i = 0 to 4 {\n %x = affine.load %m[%i] : memref<4xf64>\n"
        text += " %y = math.exp %x : f64\n affine.store %y, %m[%i] : memref<4xf64>\n }\n func.return\n}"
        run_function(expanded(parse(text)), "g", [numbers])
        assert numbers.tolist() == [FUNCTIONS["exp"](float(x)) for x in range(4)]


def test_each_function_is_added_once() -> None:
    module = parse("""
      func.func @f(%x: f64, %y: f32) -> (f64, f32) {
        %a = math.exp %x : f64
        %b = math.exp %a : f64
        %c = math.log %b : f64
        %d = math.tanh %c : f64
        %e = math.exp %y : f32
        func.return %d, %e : f64, f32
      }
    """)
    counted = functions(expanded(module))
    assert set(counted.values()) == {1}
    assert {"cogir_math_exp_f64", "cogir_math_exp_f32", "cogir_math_log_f64", "cogir_math_tanh_f64"} <= set(counted)
    again = expanded(expanded(module))
    assert functions(again) == counted


def test_added_code_is_small() -> None:
    """A claim as a count: an exp costs fewer than 150 operations of IR, however often it is used."""
    text = "\n".join(f"%x{i + 1} = math.exp %x{i} : f64" for i in range(50))
    module = parse(f"func.func @f(%x0: f64) -> f64 {{\n{text}\nfunc.return %x50 : f64\n}}")
    before = sum(1 for _ in module.walk())
    assert sum(1 for _ in expanded(module).walk()) < before + 150


def test_loops_with_elementary_functions_have_no_branch() -> None:
    """All but the reduction of huge angles choose by selection, so that LLVM can vectorise the loops around them."""
    for op in ELEMENTARY:
        branching = [each.name for each in expanded(program(op, "f64")).walk() if each.name in ("scf.if", "scf.while", "scf.for")]
        assert branching == (["scf.if"] if ELEMENTARY[op] in ("sin", "cos", "tan") else []), op.name


def test_names_of_library_functions_are_unique() -> None:
    """In a module they share one space of names, from whichever file they come."""
    modules = (math_erf, math_exp, math_log, math_parts, math_trig, rng)
    defined = [
        name
        for module in modules
        for name, value in vars(module).items()
        if inspect.isfunction(value) and value.__module__ == module.__name__
    ]
    assert not [name for name, count in Counter(defined).items() if count > 1]


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("%r = math.exp %x : tensor<2xf64>", {}, "math.exp on tensor<2xf64> is left; only f32, f64 and vectors .* bufferize first"),
        ("%r = math.ipowi %x, %x : i64", {}, "math.ipowi is left; write a loop of arith.muli, or math.powf"),
        ("%r = math.exp %x : f64", {"math": "fast"}, "math is 'fast'; choose one of portable, libm"),
        ("%r = math.exp %x : f64", {"contract": "loose"}, "contract is 'loose'; choose one of strict, fast"),
    ],
)
def test_what_cannot_be_expanded(text: str, options: dict[str, str], message: str) -> None:
    type = text.rsplit(": ", 1)[1]
    module = parse(f"func.func @f(%x: {type}) -> {type} {{\n {text}\n func.return %r : {type}\n}}")
    with pytest.raises(LoweringError, match=f"expand-math: {message}"):
        ExpandMath(**options).apply(Context(), module)


def test_a_function_of_the_users_with_a_name_of_cs() -> None:
    """It gets another name; calls written before mean the user's, expanded operations mean C's."""
    module = parse("""
      func.func private @exp(%x: f64) -> f64 {
        %one = arith.constant 1.0 : f64
        %r = arith.addf %x, %one : f64
        func.return %r : f64
      }
      func.func @f(%x: f64) -> (f64, f64) {
        %a = func.call @exp(%x) : (f64) -> f64
        %b = math.exp %x : f64
        func.return %a, %b : f64, f64
      }
    """)
    assert run_function(expanded(module, "libm"), "f", [0.0]) == (1.0, 1.0)
    assert run_function(expanded(module, "libm"), "f", [1.0])[0] == 2.0
    assert functions(expanded(module, "libm")) == Counter(["exp_1", "f", "exp"])
    public = parse(str(module).replace("private @exp", "@exp"))
    with pytest.raises(LoweringError, match="the module calls @exp of the C library, but also has a public function of that name"):
        expanded(public, "libm")


def test_a_function_of_the_users_with_a_name_of_ours() -> None:
    module = parse("""
      func.func private @cogir_math_exp_f64(f32) -> f32
      func.func @f(%x: f64) -> f64 {
        %r = math.exp %x : f64
        func.return %r : f64
      }
    """)
    with pytest.raises(LoweringError, match="names that begin with cogir_ are reserved: rename the function"):
        expanded(module)
