"""
The converter that all rules of `convert-to-llvm` write through.

A function is not rewritten but written anew: blocks first, then operations in an order in which definitions come
before uses. A rule reads one old operation, emits new ones and binds the new values to the old results.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, TypeVar

from xdsl.dialects import llvm
from xdsl.dialects.builtin import DenseArrayBase, IntegerType, StringAttr, SymbolRefAttr, UnknownLoc, i32, i64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from cogir.analysis.dominance import reverse_post_order
from cogir.errors import LoweringError
from cogir.irutils import integer_attribute
from cogir.lowering.to_llvm.types import llvm_type, result_type

OpT = TypeVar("OpT", bound=Operation)
NO_FAST_MATH = llvm.FastMathAttr(None)


class Converter:
    """One function on its way to the llvm dialect."""

    def __init__(self, module: ModuleConverter, old: Region, new: Region):
        self.module = module
        self.new_region = new
        self.values: dict[SSAValue, SSAValue] = {}
        self.blocks: dict[Block, Block] = {}
        self.pool: dict[tuple[int, Attribute], SSAValue] = {}
        self.prologue: list[Operation] = []
        self.location = UnknownLoc()
        self.old_blocks = reverse_post_order(old)
        reachable = set(self.old_blocks)
        for block in old.blocks:
            if block not in reachable:
                continue
            self.blocks[block] = fresh = Block(arg_types=[llvm_type(arg.type) for arg in block.args])
            for before, after in zip(block.args, fresh.args, strict=True):
                after.name_hint = before.name_hint
                self.values[before] = after
        new.add_block(self.blocks.values())
        self.block = self.blocks[self.old_blocks[0]]

    def convert_body(self) -> None:
        """Writes all operations of the function."""
        for block in self.old_blocks:
            self.block = self.blocks[block]
            for op in block.ops:
                rule = RULES.get(type(op))
                if rule is None:
                    raise LoweringError(_no_rule(op))
                self.location = op.location
                rule(self, op)
        entry = self.blocks[self.old_blocks[0]]
        first = entry.first_op
        for op in self.prologue:
            if first is None:
                entry.add_op(op)
            else:
                entry.insert_op_before(op, first)

    # -- what rules use

    def __getitem__(self, old: SSAValue) -> SSAValue:
        """The new value for an old one."""
        return self.values[old]

    def all(self, old: Sequence[SSAValue]) -> list[SSAValue]:
        """The new values for several old ones."""
        values = self.values
        return [values[value] for value in old]

    def emit(self, op: Operation) -> SSAValue:
        """Appends an operation that has one result, and returns it."""
        op.location = self.location
        self.block.add_op(op)
        return op.results[0]

    def emit_only(self, op: Operation) -> None:
        """Appends an operation without a result."""
        op.location = self.location
        self.block.add_op(op)

    def bind(self, old: SSAValue, new: SSAValue) -> None:
        """From now on `new` stands for `old`."""
        self.values[old] = new
        if old.name_hint is not None and new.name_hint is None:
            new.name_hint = old.name_hint

    def integer(self, value: int, type: IntegerType = i64) -> SSAValue:
        """An integer constant, one per function and value."""
        key = (value, type)
        if key not in self.pool:
            op = llvm.ConstantOp.create(result_types=[type], properties={"value": integer_attribute(value, type)})
            self.prologue.append(op)
            self.pool[key] = op.results[0]
        return self.pool[key]

    def intrinsic(self, name: str, operands: Sequence[SSAValue], result: Attribute) -> SSAValue:
        """`llvm.call_intrinsic name(operands) : result`"""
        return self.emit(intrinsic_call(name, operands, [result]))

    def in_entry(self, op: Operation) -> SSAValue:
        """Puts an operation without operands from the body at the top of the function."""
        op.location = self.location
        self.prologue.append(op)
        return op.results[0]


class ModuleConverter:
    """
    The parts that the functions of one module share.

    `symbols` are the names in use, `not_inlined` functions of which there would be too many copies if they were inlined,
    `inlined` those of which there are so few that they always are, `separate` the arguments of functions that share memory with
    nothing; `declarations` grows by what the code of the functions turns out to need.
    """

    def __init__(self, symbols: set[str], not_inlined: set[str], inlined: set[str], separate: Mapping[str, frozenset[int]]):
        self.symbols = symbols
        self.not_inlined = not_inlined
        self.inlined = inlined
        self.separate = separate
        self.declarations: list[Operation] = []
        self.globals: dict[bytes, str] = {}

    def declare(self, name: str, arguments: Sequence[Attribute], result: Attribute) -> str:
        """Makes sure that the C function `name` is declared."""
        if name not in self.symbols:
            self.symbols.add(name)
            self.declarations.append(llvm.FuncOp(name, llvm.LLVMFunctionType(arguments, result), llvm.LinkageAttr("external")))
        return name

    def string(self, text: str) -> str:
        """The symbol of a constant that holds `text`, ending in a zero byte."""
        data = text.encode() + b"\0"
        if data not in self.globals:
            name = f"text.{len(self.globals)}"
            self.globals[data] = name
            type = llvm.LLVMArrayType(len(data), IntegerType(8))
            self.declarations.append(llvm.GlobalOp(type, name, "internal", constant=True, value=StringAttr(text + "\0")))
        return self.globals[data]


@cache
def integer_list(numbers: tuple[int, ...], type: IntegerType = i32) -> DenseArrayBase[Any]:
    """`array<i32: ...>`; the same few are needed again and again."""
    return DenseArrayBase.from_list(type, numbers)


_NO_BUNDLES = integer_list(())
_C_CONVENTION = llvm.CallingConventionAttr("ccc")
_ANY_CALL = llvm.TailCallKindAttr(llvm.TailCallKind.NONE)


def intrinsic_call(name: str, operands: Sequence[SSAValue], results: Sequence[Attribute]) -> Operation:
    """`llvm.call_intrinsic name(operands) : results`; types are appended to the name only when LLVM IR is written."""
    return llvm.CallIntrinsicOp.create(
        operands=operands,
        result_types=results,
        properties={
            "intrin": StringAttr(name),
            "fastmathFlags": NO_FAST_MATH,
            "op_bundle_sizes": _NO_BUNDLES,
            "operandSegmentSizes": integer_list((len(operands), 0)),
        },
    )


def call(name: str, operands: Sequence[SSAValue], results: Sequence[Attribute]) -> Operation:
    """`llvm.call @name(operands) : results`; several results come as a struct."""
    type = result_type(tuple(results))
    return llvm.CallOp.create(
        operands=operands,
        result_types=[] if isinstance(type, llvm.LLVMVoidType) else [type],
        properties={
            "callee": SymbolRefAttr(name),
            "fastmathFlags": NO_FAST_MATH,
            "CConv": _C_CONVENTION,
            "TailCallKind": _ANY_CALL,
            "op_bundle_sizes": _NO_BUNDLES,
            "operandSegmentSizes": integer_list((len(operands), 0)),
        },
    )


def call_through(pointer: SSAValue, operands: Sequence[SSAValue]) -> Operation:
    """`llvm.call pointer(operands)`, of a function that returns nothing."""
    return llvm.CallOp.create(
        operands=[pointer, *operands],
        properties={
            "fastmathFlags": NO_FAST_MATH,
            "CConv": _C_CONVENTION,
            "TailCallKind": _ANY_CALL,
            "op_bundle_sizes": _NO_BUNDLES,
            "operandSegmentSizes": integer_list((1 + len(operands), 0)),
        },
    )


Rule = Callable[[Converter, Any], None]
RULES: dict[type[Operation], Rule] = {}
"""The conversion of each operation."""


def rule(*types: type[OpT]) -> Callable[[Callable[[Converter, OpT], None]], Callable[[Converter, OpT], None]]:
    """Registers a function as the way in which operations of these types are converted."""

    def register(convert: Callable[[Converter, OpT], None]) -> Callable[[Converter, OpT], None]:
        for type in types:
            RULES[type] = convert
        return convert

    return register


_STAGE_OF_DIALECT = {
    "scf": "run convert-scf-to-cf before",
    "affine": "run convert-scf-to-cf before",
    "math": "run expand-math before, which replaces it by a call",
    "linalg": "run convert-linalg-to-loops before",
    "tensor": "run bufferize before",
    "rng": "run expand-rng before",
    "cog": "run convert-cog-to-machine before",
}


def _no_rule(op: Operation) -> str:
    dialect = op.name.partition(".")[0]
    remedy = _STAGE_OF_DIALECT.get(dialect, "it has no counterpart in the llvm dialect")
    return f"convert-to-llvm: {op.name} is left; {remedy}"
