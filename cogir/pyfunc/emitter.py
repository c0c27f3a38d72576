"""
Builds the operations of one function, by constructors, with the place in the source on each.

A constant is made once per function, at its start, where every region sees it.
"""

from __future__ import annotations

import ast
import struct
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Any, cast

import numpy as np
from xdsl.dialects import arith, func, math, scf, tensor
from xdsl.dialects.arith import FastMathFlagsAttr
from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    DenseArrayBase,
    FloatAttr,
    IndexType,
    IntegerAttr,
    LocationAttr,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
    UnknownLoc,
    f32,
    f64,
    i1,
    i32,
    i64,
)
from xdsl.dialects.linalg import ops as linalg
from xdsl.dialects.linalg.attrs import IteratorTypeAttr
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineMap

from cogir.errors import FunctionError
from cogir.irutils import dense_of_array
from cogir.pyfunc.kinds import DTYPES, ELEMENT_TYPES, Kind, Shape, tensor_type
from cogir.pyfunc.source import SourceFile, error_at, is_in_library

INDEX = IndexType()
_NO_FASTMATH = {"fastmath": FastMathFlagsAttr("none")}
_INT_PROPERTIES: dict[type[Operation], dict[str, Attribute]] = {}
_INT_PREDICATES = {name: IntegerAttr(number, i64) for number, name in enumerate(arith.CMPI_COMPARISON_OPERATIONS)}
_FLOAT_PREDICATES = {name: IntegerAttr(number, i64) for number, name in enumerate(arith.CMPF_COMPARISON_OPERATIONS)}
PARALLEL = IteratorTypeAttr.parallel()
REDUCTION = IteratorTypeAttr.reduction()
QUOTED = 60
"""Most characters of the source that a message quotes."""
I64_MIN, I64_MAX = -(1 << 63), (1 << 63) - 1


class Emitter:
    """Appends operations to a block of a function, and keeps the function's constants."""

    def __init__(self, file: SourceFile, function: str):
        self.entry = Block()
        self.block = self.entry
        self.file = file
        self.function = function
        self._is_of_library = is_in_library(file.name)
        self.node: ast.AST | None = None
        self.location: LocationAttr = UnknownLoc()
        self.call: Callable[[Callable[..., Any], Sequence[SSAValue]], Sequence[SSAValue]]
        """Calls a Python function of scalars, which is compiled for that; set by who owns the functions."""
        self.libm: Callable[[str, Sequence[Attribute], Attribute], None]
        """Declares a function of the C library."""
        self._constants: dict[object, Operation] = {}

    # Places

    def at(self, node: ast.AST) -> None:
        """Sets the source location of the next operations to that of `node`; in a library function it stays the user's call of that."""
        line: int | None = getattr(node, "lineno", None)
        if line is not None:
            self.node = node
            if self._is_of_library or not is_in_library(self.file.name):
                self.location = self.file.location(line)

    def enter(self, file: SourceFile, function: str) -> None:
        """Sets the function in which the next nodes stand: one that is compiled in place."""
        self.file, self.function = file, function

    def error(self, message: str, node: ast.AST | None = None) -> FunctionError:
        """An error at `node`, or at what is being compiled."""
        return error_at(self.file, node or self.node, self.function, message)

    def too_large(self, error: OverflowError | MemoryError, node: ast.AST) -> FunctionError:
        """The error for a constant that Python, or NumPy, has no room for."""
        if isinstance(error, MemoryError):
            return self.error(f"an array does not fit into memory ({error or 'too many elements'}); make a smaller one", node)
        return self.error(f"a whole number is too large ({error}); write it as a float, such as 1e300", node)

    def misfit(self, message: str) -> FunctionError:
        """An error of shapes or indices, at what is being compiled; it quotes that, as a line may hold several operations."""
        written = "" if self.node is None else ast.unparse(self.node).splitlines()[0]
        quoted = written if len(written) <= QUOTED else f"{written[: QUOTED - 4]} ..."
        return self.error(f"in {quoted}: {message}" if quoted else message)

    @contextmanager
    def inside(self, block: Block) -> Generator[Block]:
        """Within the `with` statement, operations are appended to `block`."""
        before, self.block = self.block, block
        try:
            yield block
        finally:
            self.block = before

    # Operations

    def add(self, op: Operation) -> Operation:
        """Appends an operation."""
        op.location = self.location
        self.block.add_op(op)
        return op

    def op(self, op_type: type[Operation], operands: Sequence[SSAValue], result: Attribute, **properties: Attribute) -> SSAValue:
        """Appends an operation with one result."""
        created = op_type.create(operands=operands, result_types=(result,), properties=properties, location=self.location)
        self.block.add_op(created)
        return created.results[0]

    def float_op(self, op_type: type[Operation], *operands: SSAValue) -> SSAValue:
        """Appends an operation on floats whose result has the type of its operands."""
        created = op_type.create(operands=operands, result_types=(operands[0].type,), properties=_NO_FASTMATH, location=self.location)
        self.block.add_op(created)
        return created.results[0]

    def int_op(self, op_type: type[Operation], *operands: SSAValue) -> SSAValue:
        """Appends an operation on integers whose result has the type of its operands."""
        # xDSL's public constructors take three times as long as `create`; they are asked once for the default properties.
        properties = _INT_PROPERTIES.get(op_type)
        if properties is None:
            properties = _INT_PROPERTIES[op_type] = dict(op_type(*operands).properties)
        created = op_type.create(operands=operands, result_types=(operands[0].type,), properties=properties, location=self.location)
        self.block.add_op(created)
        return created.results[0]

    def short_circuit(self, op_type: type[Operation], left: SSAValue, right: SSAValue) -> SSAValue:
        """`left and right`, or `left or right`, of i1; marked, as Python does not compute `right` where `left` decides."""
        result = self.int_op(op_type, left, right)
        cast(Operation, result.owner).attributes["cog.short_circuit"] = UnitAttr()
        return result

    def compare(self, predicate: str, left: SSAValue, right: SSAValue) -> SSAValue:
        """`cmpf` or `cmpi`, by the type of the operands; the predicate is the operation's (`olt`, `slt` ...)."""
        if left.type in (f64, f32):
            return self.op(arith.CmpfOp, (left, right), i1, predicate=_FLOAT_PREDICATES[predicate], **_NO_FASTMATH)
        return self.op(arith.CmpiOp, (left, right), i1, predicate=_INT_PREDICATES[predicate])

    def select(self, condition: SSAValue, if_true: SSAValue, if_false: SSAValue) -> SSAValue:
        if if_true is if_false:
            return if_true
        return self.op(arith.SelectOp, (condition, if_true, if_false), if_true.type)

    def invert(self, condition: SSAValue) -> SSAValue:
        """Not, of an i1."""
        return self.int_op(arith.XOrIOp, condition, self.constant(True, "i1"))

    # Constants

    def _constant(self, key: object, value: Attribute, type: Attribute) -> SSAValue:
        op = arith.ConstantOp.create(result_types=(type,), properties={"value": value}, location=self.location)
        self._constants[key] = op
        return op.results[0]

    def constant(self, value: float, kind: Kind) -> SSAValue:
        """A number of that kind."""
        if kind in ("f64", "f32"):
            number = float(value)
            if kind == "f32":
                with np.errstate(over="ignore"):
                    number = float(np.float32(number))
            key: object = (kind, struct.pack("<d", number))
        else:
            number = int(value)
            if not I64_MIN <= number <= I64_MAX:
                raise self.error(f"{number} does not fit a 64-bit integer; write it as a float")
            key = (kind, number)
        found = self._constants.get(key)
        if found is not None:
            return found.results[0]
        if kind in ("f64", "f32"):
            float_type = f64 if kind == "f64" else f32
            return self._constant(key, FloatAttr(float(number), float_type), float_type)
        int_type = i64 if kind == "i64" else i1
        return self._constant(key, IntegerAttr(int(number), int_type), int_type)

    def index(self, value: int) -> SSAValue:
        """A number of type index."""
        key = ("index", value)
        found = self._constants.get(key)
        if found is not None:
            return found.results[0]
        return self._constant(key, IntegerAttr(value, INDEX), INDEX)

    def constant_tensor(self, array: np.ndarray[Any, Any], kind: Kind) -> SSAValue:
        """A constant array, converted to `kind`."""
        held = np.ascontiguousarray(array, dtype=DTYPES[kind]).reshape(array.shape)
        key = (kind, held.shape, held.tobytes())
        found = self._constants.get(key)
        if found is not None:
            return found.results[0]
        return self._constant(key, dense_of_array(held), tensor_type(held.shape, kind))

    def filled(self, shape: Shape, value: float, kind: Kind) -> SSAValue:
        """A constant tensor whose elements are all `value`."""
        return self.constant_tensor(np.broadcast_to(np.asarray(value, dtype=DTYPES[kind]), shape), kind)

    def finish(self) -> Block:
        """Removes what nobody uses, puts the constants that are used to the start of the function's block, and returns it."""
        remove_unused(self.entry)
        used = [op for op in self._constants.values() if op.results[0].first_use is not None]
        first = self.entry.first_op
        if first is None:
            self.entry.add_ops(used)
        elif used:
            self.entry.insert_ops_before(used, first)
        return self.entry

    # Tensors

    def empty(self, shape: Shape, kind: Kind) -> SSAValue:
        return self.op(tensor.EmptyOp, (), tensor_type(shape, kind))

    def extract(self, source: SSAValue, indices: Sequence[SSAValue], kind: Kind) -> SSAValue:
        return self.op(tensor.ExtractOp, (source, *indices), ELEMENT_TYPES[kind])

    def generic(
        self,
        inputs: Sequence[SSAValue],
        outputs: Sequence[SSAValue],
        maps: Sequence[AffineMap],
        iterators: Sequence[IteratorTypeAttr],
        body: Block,
    ) -> Sequence[SSAValue]:
        """Appends a `linalg.generic`; its results have the types of `outputs`."""
        op = linalg.GenericOp.create(
            operands=(*inputs, *outputs),
            result_types=[output.type for output in outputs],
            properties={
                "indexing_maps": ArrayAttr([AffineMapAttr(map) for map in maps]),
                "iterator_types": ArrayAttr(iterators),
                "operandSegmentSizes": DenseArrayBase.from_list(i32, (len(inputs), len(outputs))),
            },
            regions=(Region(body),),
        )
        return self.add(op).results

    def yields(self, *values: SSAValue) -> None:
        """Ends the body of a `linalg.generic`."""
        self.add(linalg.YieldOp.create(operands=values))

    def call_symbol(self, symbol: str, operands: Sequence[SSAValue], types: Sequence[Attribute]) -> Sequence[SSAValue]:
        """Calls a function of the module."""
        callee = SymbolRefAttr(symbol)
        return self.add(func.CallOp.create(operands=operands, result_types=types, properties={"callee": callee})).results

    def call_operator(self, name: str, function: Callable[..., Any], operands: Sequence[SSAValue]) -> SSAValue:
        """Calls the Python function that computes the operator of that name."""
        (result,) = self.call(function, operands)
        cast(Operation, result.owner).attributes["cog.operator"] = StringAttr(name)
        return result

    def cast(self, value: SSAValue, source: Kind, target: Kind) -> SSAValue:
        """A scalar in another kind: truth as 0 and 1, floats to integers towards zero (see `to_integer`)."""
        if source == target:
            return value
        known = _number_of(value)
        if known is not None and (target != "i64" or source == "i1") and target != "i1":
            return self.constant(known, target)
        type = ELEMENT_TYPES[target]
        match source, target:
            case ("i1", _):
                return self.select(value, self.constant(1, target), self.constant(0, target))
            case ("i64", "i1"):
                return self.compare("ne", value, self.constant(0, "i64"))
            case (_, "i1"):
                return self.compare("une", value, self.constant(0.0, source))
            case ("i64", _):
                return self.op(arith.SIToFPOp, (value,), type)
            case ("f32", "f64"):
                return self.op(arith.ExtFOp, (value,), type)
            case ("f64", "f32"):
                return self.op(arith.TruncFOp, (value,), type)
            case _:
                return self.to_integer(value, source)

    def to_integer(self, value: SSAValue, source: Kind) -> SSAValue:
        """
        Towards zero; what does not fit an i64 (and NaN) becomes the smallest one, as NumPy has it on x86.

        `arith.fptosi` alone would be undefined there.
        """
        magnitude = self.float_op(math.AbsFOp, value)
        fits = self.compare("olt", magnitude, self.constant(2.0**63, source))
        safe = self.select(fits, value, self.constant(0.0, source))
        return self.select(fits, self.op(arith.FPToSIOp, (safe,), i64), self.constant(I64_MIN, "i64"))

    def to_index(self, value: SSAValue) -> SSAValue:
        """An i64 as a value of type index."""
        return self.op(arith.IndexCastOp, (value,), INDEX)

    def from_index(self, value: SSAValue) -> SSAValue:
        """A value of type index as an i64."""
        return self.op(arith.IndexCastOp, (value,), i64)


def set_hint(value: SSAValue, name: str) -> None:
    """Names a value in the text of the IR, where names are ASCII: others are left out."""
    if name.isascii() and SSAValue.is_valid_name(name):
        value.name_hint = name


def _number_of(value: SSAValue) -> float | None:
    """The number that a constant operation holds."""
    owner = value.owner
    if isinstance(owner, arith.ConstantOp):
        attribute: Any = owner.value
        if isinstance(attribute, FloatAttr | IntegerAttr):
            number: float = attribute.value.data
            return abs(number) if value.type == i1 else number
    return None


def remove_unused(block: Block) -> None:
    """Erases operations, and results of `scf.if`, that nobody uses; everything in a function is pure."""
    op = block.last_op
    while op is not None:
        before = op.prev_op
        if op.results and not any(result.first_use for result in op.results):
            op.detach()
            op.erase()
        else:
            if isinstance(op, scf.IfOp) and not all(result.first_use for result in op.results):
                op = _without_unused_results(op)
            for region in op.regions:
                for inner in region.blocks:
                    remove_unused(inner)
        op = before


def _without_unused_results(op: scf.IfOp) -> scf.IfOp:
    kept = [position for position, result in enumerate(op.results) if result.first_use]
    for region in op.regions:
        terminator = region.block.last_op
        assert terminator is not None
        terminator.operands = [terminator.operands[position] for position in kept]
    regions = [op.detach_region(region) for region in list(op.regions)]
    smaller = scf.IfOp(op.cond, [op.results[position].type for position in kept], regions[0], regions[1])
    smaller.location = op.location
    block = op.parent
    assert block is not None
    block.insert_op_before(smaller, op)
    for position, result in zip(kept, smaller.results, strict=True):
        result.name_hint = op.results[position].name_hint
        op.results[position].replace_all_uses_with(result)
    op.detach()
    op.erase()
    return smaller
