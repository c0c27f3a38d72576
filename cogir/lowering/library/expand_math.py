"""
Elementary functions become calls of their definitions.

Before: `math.exp`, `math.log`, `math.sin` ... on f32, f64, and vectors of them.
After:  of `math` only operations that every target has: square root, absolute value, roundings, fused multiply-add, copysign, and
        those on bits of integers. `math.exp %x : f64` is `call @cogir_math_exp_f64(%x)`, whose body is compiled from
        `cogir.library.numerics.math` (`math=portable`), or `call @exp(%x)`, the C library's (`math=libm`). With `contract=fast` it is
        `call @cogir_math_exp_fast_f64(%x)`.

Vectors go lane by lane, or to a function that does the same in all lanes at once where one will be linked (`cog.linked`). f32 functions are
computed in f64 and rounded (portable), or C's `expf` and so on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects import arith, func, math, vector
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, FloatAttr, ModuleOp, UnitAttr, VectorType, f32, f64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass

from cogir import remarks
from cogir.dialects.math_functions import ELEMENTARY
from cogir.errors import LoweringError
from cogir.library.numerics.math import FUNCTIONS, SHORTER, SOURCES
from cogir.lowering.library.functions import LIBM, LibraryCode, claim_for_libm, declare_if_linked, functions_of, linked_size
from cogir.lowering.library.in_lanes import symbol_in_lanes

CHOICES = ("portable", "libm")
CONTRACTS = ("strict", "fast")
TWO_ARGUMENTS = ("atan2", "pow")
REPLACED: Mapping[type[Operation], str] = {
    **ELEMENTARY,
    math.RoundOp: "round_half_away",
    math.RsqrtOp: "rsqrt",
    math.FPowIOp: "pow",
}
"""The operations that are replaced, and the function that each stands for (rsqrt is two operations)."""


@cache
def library(name: str) -> LibraryCode:
    """`@cogir_math_<name>_f64`, `@cogir_math_<name>_f32` and what they call; compiled once per process."""
    arity = 2 if name in TWO_ARGUMENTS else 1
    wide = f"cogir_math_{name}_f64"
    code = LibraryCode(wide, SOURCES[name], [f64] * arity, inline_choice)
    narrow = narrow_function(f"cogir_math_{name}_f32", wide, arity)
    code.add(narrow, inline_choice(narrow.sym_name.data))
    return code


def inline_choice(symbol: str) -> str:
    """Reduction of huge angles is rare and long: a call keeps the loops around it small."""
    return "never" if symbol == "cogir_reduce_large" else "always"


def narrow_function(symbol: str, wide: str, arity: int) -> func.FuncOp:
    """func.func private @f_f32(%x: f32) -> f32 { extf; call @f_f64; truncf }"""
    block = Block(arg_types=[f32] * arity)
    extended = [arith.ExtFOp(argument, f64) for argument in block.args]
    call = func.CallOp(wide, extended, [f64])
    rounded = arith.TruncFOp(call.results[0], f32)
    block.add_ops([*extended, call, rounded, func.ReturnOp(rounded)])
    return func.FuncOp(symbol, ([f32] * arity, [f32]), Region(block), "private")


class Expander:
    """Rewrites the operations of one module, and collects what they call."""

    def __init__(self, module: ModuleOp, choice: str, contract: str):
        self.module = module
        self.choice = choice
        self.is_fast = contract == "fast"
        self.portable: dict[str, str] = {}
        """The library's symbols that are called, and the name of the function of each."""
        self.libm: dict[str, func.FuncOp] = {}
        """Declarations of the C library's functions that are called."""

    def run(self) -> None:
        for op in list(self.module.walk()):
            if type(op) in REPLACED:
                self.replace(op)
            elif isinstance(op, math.IPowIOp):
                raise LoweringError("expand-math: math.ipowi is left; write a loop of arith.muli, or math.powf on floats")
        for symbol, name in self.portable.items():
            if not declare_if_linked(self.module, symbol, inline_choice(symbol)):
                library(name).add_to(self.module, symbol)
        present = {op.sym_name.data for op in functions_of(self.module)}
        self.module.body.block.add_ops(op for symbol, op in self.libm.items() if symbol not in present)

    def replace(self, op: Operation) -> None:
        """Puts calls in the place of `op`, on a scalar or on each lane of a vector."""
        remarks.count(f"calls for {op.name}")
        type = op.results[0].type
        emit = Emit(op)
        if type in (f32, f64):
            value = self.scalar(emit, op, op.operands, type)
        elif isinstance(type, VectorType):
            value = self.by_lanes(emit, op, cast("VectorType[Any]", type))
        else:
            raise LoweringError(f"expand-math: {op.name} on {type} is left; only f32, f64 and vectors are expanded: bufferize first")
        op.results[0].replace_all_uses_with(value)
        op.detach()
        op.erase()

    def by_lanes(self, emit: Emit, op: Operation, type: VectorType[Any]) -> SSAValue:
        """%v = math.exp %x : vector<2xf64>  ->  one call of what will be linked, or extract, call and insert for each element"""
        shape = type.get_shape()
        symbol = symbol_in_lanes(f"cogir_math_{self.definition(REPLACED[type_of(op)])}_f64", shape[0])
        if self.choice == "portable" and type.element_type == f64 and len(shape) == 1 and linked_size(self.module, symbol) is not None:
            self.portable[symbol] = symbol
            operands = list(op.operands)
            if isinstance(op, math.FPowIOp):
                operands[1] = emit(arith.SIToFPOp(operands[1], cast(Any, type)))
            return emit(func.CallOp(symbol, operands, [type]))
        zeros = DenseIntOrFPElementsAttr.from_list(type, [0.0])
        value = emit(arith.ConstantOp(zeros, type))
        for position in product(*map(range, type.get_shape())):
            elements = [emit(vector.ExtractOp(operand, position, type.element_type)) for operand in op.operands]
            element = self.scalar(emit, op, elements, type.element_type)
            value = emit(vector.InsertOp(element, value, position))
        return value

    def scalar(self, emit: Emit, op: Operation, operands: Sequence[SSAValue], type: Attribute) -> SSAValue:
        """The function of `op` on numbers of this type."""
        if isinstance(op, math.RsqrtOp):
            one = emit(arith.ConstantOp(FloatAttr(1.0, cast(Any, type))))
            return emit(arith.DivfOp(one, emit(math.SqrtOp(operands[0]))))
        if isinstance(op, math.FPowIOp):
            operands = (operands[0], emit(arith.SIToFPOp(operands[1], cast(Any, type))))
        return emit(func.CallOp(self.symbol(REPLACED[type_of(op)], type, len(operands)), operands, [type]))

    def symbol(self, name: str, type: Attribute, arity: int) -> str:
        """The function that computes `name` on this type, which the module will have."""
        if self.choice == "portable" or name not in FUNCTIONS:
            name = self.definition(name)
            symbol = f"cogir_math_{name}_{type}"
            self.portable[symbol] = name
            return symbol
        symbol = name if type == f64 else f"{name}f"
        if symbol not in self.libm:
            claim_for_libm(self.module, [symbol])
            self.libm[symbol] = declaration = func.FuncOp.external(symbol, [type] * arity, [type])
            declaration.attributes[LIBM] = UnitAttr()
        return symbol

    def definition(self, name: str) -> str:
        """The name of the definition of a function that is taken: of the shorter one where bits do not matter."""
        return SHORTER.get(name, name) if self.is_fast else name


def type_of(op: Operation) -> type[Operation]:
    return type(op)


class Emit:
    """Puts operations with one result in front of `anchor`, at its place in the source."""

    def __init__(self, anchor: Operation):
        self.anchor = anchor
        self.block = cast(Block, anchor.parent)

    def __call__(self, op: Operation) -> SSAValue:
        op.location = self.anchor.location
        self.block.insert_op_before(op, self.anchor)
        return op.results[0]


@dataclass(frozen=True)
class ExpandMath(ModulePass):
    """Turns elementary functions into calls of their definitions."""

    name = "expand-math"

    math: str = "portable"
    """The elementary functions: of cogir ("portable"), or of the C library ("libm")."""
    contract: str = "strict"
    """With "fast", `exp` of cogir is a shorter function, which is wrong by up to 1.2 ulp, not 0.6."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for name, chosen, choices in (("math", self.math, CHOICES), ("contract", self.contract, CONTRACTS)):
            if chosen not in choices:
                raise LoweringError(f"expand-math: {name} is {chosen!r}; choose one of {', '.join(choices)}")
        Expander(op, self.math, self.contract).run()
