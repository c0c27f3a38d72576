"""
Building operations at stage `machine`: a cursor in a function, shared constants, flags, control flow.

Constants and the first loads of slots stand once, at the head of the function; everything else goes where the cursor is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, TypeVar, cast

from typing_extensions import TypeIs
from xdsl.dialects import arith, func, scf
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    LocationAttr,
    SymbolRefAttr,
    TensorType,
    UnknownLoc,
    f32,
    f64,
    i1,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from cogir.irutils import element_type_of

Op = TypeVar("Op", bound=Operation)
INDEX = IndexType()
TRUE, FALSE = IntegerAttr(1, i1), IntegerAttr(0, i1)


# Attributes are values: the same one can stand at many operations, and building one costs more than building an operation.


@cache
def index_attribute(value: int) -> IntegerAttr[IndexType]:
    """The attribute of a constant of type index."""
    return IntegerAttr(value, INDEX)


@cache
def integer_attribute(value: int) -> IntegerAttr[IntegerType]:
    """The attribute of a constant of type i64."""
    return IntegerAttr(value, i64)


_NO_OVERFLOW: dict[str, Attribute] = {"overflowFlags": arith.IntegerOverflowAttr("none")}
_PREDICATES: dict[str, dict[str, Attribute]] = {
    relation: {"predicate": integer_attribute(number)} for number, relation in enumerate(("eq", "ne", "slt", "sle", "sgt", "sge"))
}


class Head:
    """The operations that stand once at the head of a function: constants, and loads from buffers that the function takes."""

    def __init__(self, entry: Block):
        self.entry = entry
        self.block = Block()
        self.constants: dict[Attribute, SSAValue] = {}

    def owns(self, value: SSAValue) -> bool:
        """True if `value` is an argument of the function, so that it can be used in the head."""
        return value.owner is self.entry

    def constant(self, value: Attribute, value_type: Attribute) -> SSAValue:
        """The shared `arith.constant` of this value."""
        if (known := self.constants.get(value)) is None:
            operation = arith.ConstantOp.create(result_types=[value_type], properties={"value": value})
            self.block.add_op(operation)
            known = self.constants[value] = operation.results[0]
        return known

    def close(self) -> None:
        """Puts the head in front of everything else in the function."""
        operations = list(self.block.ops)
        for operation in reversed(operations):
            operation.detach()
            if not any(result.first_use is not None for result in operation.results):
                operation.erase()
        operations = [operation for operation in operations if any(result.first_use is not None for result in operation.results)]
        if (first := self.entry.first_op) is None:
            self.entry.add_ops(operations)
        else:
            self.entry.insert_ops_before(operations, first)


class BlockEmitter:
    """Appends operations to a block of a function."""

    def __init__(self, block: Block, head: Head):
        self.block = block
        self.head = head
        self.location: LocationAttr | None = None
        """The location in the model of what is emitted now."""

    def add(self, operation: Op) -> Op:
        """Appends any operation."""
        self.block.add_op(operation)
        if self.location is not None and isinstance(operation.location, UnknownLoc):
            operation.location = self.location
        return operation

    def value(self, operation: Operation, hint: str | None = None) -> SSAValue:
        """Appends an operation with one result and returns it, with a name for readers."""
        result = self.add(operation).results[0]
        if hint is not None:
            result.name_hint = readable(hint)
        return result

    def nested(self, argument_types: Sequence[Attribute] = ()) -> BlockEmitter:
        """A cursor in a new block inside this function."""
        inner = BlockEmitter(Block(arg_types=argument_types), self.head)
        inner.location = self.location
        return inner

    def at_head(self) -> BlockEmitter:
        """A cursor at the head of the function."""
        return BlockEmitter(self.head.block, self.head)

    # Constants

    def index(self, value: int) -> SSAValue:
        """A constant of type index."""
        return self.head.constant(index_attribute(value), INDEX)

    def integer(self, value: int) -> SSAValue:
        """A constant of type i64."""
        return self.head.constant(integer_attribute(value), i64)

    def flag(self, value: bool) -> SSAValue:
        """A constant of type i1."""
        return self.head.constant(TRUE if value else FALSE, i1)

    def number(self, value: float) -> SSAValue:
        """A constant of type f64."""
        return self.head.constant(FloatAttr(value, f64), f64)

    def constant(self, value: Attribute, value_type: Attribute) -> SSAValue:
        """Any constant."""
        return self.head.constant(value, value_type)

    def zero(self, value_type: Attribute) -> SSAValue:
        """Zero as a scalar or a tensor."""
        return self.head.constant(zero_of(value_type), value_type)

    # Integers and flags

    def add_integers(self, left: SSAValue, right: SSAValue) -> SSAValue:
        """left + right : i64"""
        return self.value(arith.AddiOp.create(operands=[left, right], result_types=[i64], properties=_NO_OVERFLOW))

    def compare(self, left: SSAValue, relation: str, right: SSAValue) -> SSAValue:
        """left relation right, signed: eq ne slt sle sgt sge"""
        return self.value(arith.CmpiOp.create(operands=[left, right], result_types=[i1], properties=_PREDICATES[relation]))

    def both(self, left: SSAValue, right: SSAValue) -> SSAValue:
        """left and right"""
        if left is right or self.is_true(right):
            return left
        return right if self.is_true(left) else self.value(arith.AndIOp.create(operands=[left, right], result_types=[i1]))

    def either(self, left: SSAValue, right: SSAValue) -> SSAValue:
        """left or right"""
        if left is right or self.is_false(right):
            return left
        return right if self.is_false(left) else self.value(arith.OrIOp.create(operands=[left, right], result_types=[i1]))

    def negation(self, value: SSAValue) -> SSAValue:
        """not value"""
        if self.is_true(value) or self.is_false(value):
            return self.flag(self.is_false(value))
        return self.value(arith.XOrIOp.create(operands=[value, self.flag(True)], result_types=[i1]))

    def as_integer(self, value: SSAValue) -> SSAValue:
        """A flag as 0 or 1 : i64"""
        if self.is_true(value) or self.is_false(value):
            return self.integer(int(self.is_true(value)))
        return self.value(arith.ExtUIOp.create(operands=[value], result_types=[i64]))

    def choose(self, condition: SSAValue, yes: SSAValue, no: SSAValue) -> SSAValue:
        """yes if condition else no (scalars)"""
        if yes is no or self.is_true(condition):
            return yes
        return no if self.is_false(condition) else self.value(arith.SelectOp(condition, yes, no))

    def is_true(self, value: SSAValue) -> bool:
        """True if the flag is known to be set."""
        return value is self.head.constants.get(TRUE)

    def is_false(self, value: SSAValue) -> bool:
        """True if the flag is known to be clear."""
        return value is self.head.constants.get(FALSE)

    # Control flow

    def conditional(
        self, condition: SSAValue, old: Sequence[SSAValue], branch: Callable[[BlockEmitter], Sequence[SSAValue]]
    ) -> list[SSAValue]:
        """`scf.if`: what `branch` gives when the condition holds, else `old`; only what changes becomes a result."""
        inner = self.nested()
        new = branch(inner)
        changed = [i for i, (before, after) in enumerate(zip(old, new, strict=True)) if before is not after]
        inner.add(scf.YieldOp.create(operands=[new[i] for i in changed]))
        otherwise = Block([scf.YieldOp.create(operands=[old[i] for i in changed])])
        regions = [Region(inner.block), Region(otherwise)]
        operation = self.add(scf.IfOp.create(operands=[condition], result_types=[old[i].type for i in changed], regions=regions))
        results = list(old)
        for i, result in zip(changed, operation.results, strict=True):
            results[i] = result
            result.name_hint = new[i].name_hint
        return results

    def loop_while(
        self,
        initial: Sequence[SSAValue],
        goes_on: Callable[[BlockEmitter, list[SSAValue]], tuple[SSAValue, Sequence[SSAValue]]],
        body: Callable[[BlockEmitter, list[SSAValue]], Sequence[SSAValue]],
    ) -> list[SSAValue]:
        """`scf.while`: `goes_on` gives the condition and the values passed on, `body` the next values."""
        before = self.nested([value.type for value in initial])
        copy_hints(initial, before.block.args)
        condition, passed = goes_on(before, list(before.block.args))
        before.add(scf.ConditionOp(condition, *passed))
        after = self.nested([value.type for value in passed])
        copy_hints(passed, after.block.args)
        after.add(scf.YieldOp(*body(after, list(after.block.args))))
        operation = self.add(scf.WhileOp(initial, [value.type for value in passed], Region(before.block), Region(after.block)))
        copy_hints(passed, operation.results)
        return list(operation.results)

    def loop_for(
        self,
        count: int,
        initial: Sequence[SSAValue],
        body: Callable[[BlockEmitter, SSAValue, list[SSAValue]], Sequence[SSAValue]],
        hint: str = "i",
        names: Sequence[str | None] = (),
    ) -> list[SSAValue]:
        """`scf.for` from 0 below `count` with loop-carried values; `hint` names the index, `names` the first of the values."""
        inner = self.nested([INDEX, *(value.type for value in initial)])
        inner.block.args[0].name_hint = readable(hint)
        hints = [*names, *(value.name_hint for value in initial[len(names) :])]
        for argument, name in zip(inner.block.args[1:], hints, strict=True):
            argument.name_hint = name
        inner.add(scf.YieldOp(*body(inner, inner.block.args[0], list(inner.block.args[1:]))))
        operation = self.add(scf.ForOp(self.index(0), self.index(count), self.index(1), initial, Region(inner.block)))
        copy_hints(inner.block.args[1:], operation.results)
        return list(operation.results)

    def call(self, name: str, arguments: Sequence[SSAValue], results: Sequence[Attribute]) -> list[SSAValue]:
        """`func.call`"""
        callee = {"callee": symbol_attribute(name)}
        return list(self.add(func.CallOp.create(operands=arguments, result_types=results, properties=callee)).results)


def is_tensor(value_type: Attribute) -> TypeIs[TensorType[Attribute]]:
    """True if values of this type are arrays."""
    return isinstance(value_type, TensorType)


@cache
def readable(name: str) -> str:
    """A name as MLIR accepts it for a value: letters, digits and `_`, not beginning with a digit."""
    text = "".join(c if c.isascii() and c.isalnum() else "_" for c in name)
    return f"_{text}" if text[:1].isdigit() else text or "_"


def copy_hints(source: Sequence[SSAValue], target: Sequence[SSAValue]) -> None:
    """Names each target as its source, for readers."""
    for old, new in zip(source, target, strict=True):
        new.name_hint = old.name_hint


@cache
def symbol_attribute(name: str) -> SymbolRefAttr:
    """A reference to a symbol of the module."""
    return SymbolRefAttr(name)


@cache
def zero_of(value_type: Attribute) -> Attribute:
    """Zero as a scalar or a tensor."""
    element = element_type_of(value_type)
    number = 0.0 if element in (f32, f64) else 0
    if is_tensor(value_type):
        return DenseIntOrFPElementsAttr.from_list(cast(Any, value_type), [number])
    return FloatAttr(number, cast(Any, element)) if element in (f32, f64) else IntegerAttr(0, cast(Any, element))
