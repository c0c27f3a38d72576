"""
Scalar code and accesses to memory, built op by op: what the native entries are made of; and how they ask whether to stop.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, cast

from xdsl.builder import Builder
from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType, MemRefType, UnitAttr, i1, i64
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from cogir.interpreters.searched import ARGUMENTS, COUNT_SEARCH

CONTROL_WORDS = 16
"""The number of words of `control`."""
CONTROL = MemRefType(i64, (CONTROL_WORDS,))
STOP, DONE, NODE, BUDGET, POLLS, ZERO = range(6)
SEARCHED, GIVEN_UP, BOXES, EVALUATED = range(8, 12)
FINISHED, STOPPED, STEP_LIMIT, ENDED = range(4)
"""The status that a native entry returns; `ENDED` (the run's own termination) is used within only."""
POLL = "cogir_stop_requested"
VOLATILE = "cog.volatile"
"""The attribute of a load that is made each time, because others write to the memory."""


@dataclass
class Code:
    """Builds scalar code at one place."""

    builder: Builder
    constants: dict[tuple[int, Attribute], SSAValue] = field(default_factory=dict[tuple[int, Attribute], SSAValue])

    @staticmethod
    def at_end(block: Block) -> Code:
        return Code(Builder(InsertPoint.at_end(block)))

    def value(self, op: Operation, name: str | None = None) -> SSAValue:
        result = self.builder.insert(op).results[0]
        if name is not None:
            result.name_hint = name
        return result

    def constant(self, value: int, type: IntegerType | IndexType = i64) -> SSAValue:
        key = (value, cast(Attribute, type))
        if key not in self.constants:
            self.constants[key] = self.value(arith.ConstantOp(IntegerAttr(value, type)))
        return self.constants[key]

    def load(self, buffer: SSAValue, index: int) -> SSAValue:
        return self.value(memref.LoadOp.get(buffer, [self.constant(index, IndexType())]))

    def store(self, value: SSAValue, buffer: SSAValue, index: int) -> None:
        self.builder.insert(memref.StoreOp.get(value, buffer, [self.constant(index, IndexType())]))

    def store_at(self, value: SSAValue, buffer: SSAValue, number: SSAValue) -> None:
        """Stores at an index that is only known at run time, an i64."""
        self.builder.insert(memref.StoreOp.get(value, buffer, [self.value(arith.IndexCastOp(number, IndexType()))]))

    def compare(self, a: SSAValue, how: str, b: SSAValue) -> SSAValue:
        return self.value(arith.CmpiOp(a, b, how))

    def select(self, condition: SSAValue, a: SSAValue, b: SSAValue) -> SSAValue:
        return self.value(arith.SelectOp(condition, a, b))


def volatile_poll_function() -> func.FuncOp:
    """True if the host set the stop flag, which it may do while a kernel runs. Thousands of threads ask, so none of them writes."""
    function = func.FuncOp(POLL, ([CONTROL], [i1]), visibility="private")
    control = function.args[0]
    control.name_hint = "control"
    code = Code.at_end(function.body.block)
    flag = memref.LoadOp.get(control, [code.constant(STOP, IndexType())])
    flag.attributes[VOLATILE] = UnitAttr()
    stop = code.compare(code.value(flag), "ne", code.constant(0))
    code.builder.insert(func.ReturnOp(stop))
    return function


def poll_function() -> func.FuncOp:
    """
    True if Python set the stop flag.

    The count of polls is stored at an index that only the run-time knows (`4 + control[5]`), so that no compiler can
    prove the flag unchanged and read it just once.
    """
    function = func.FuncOp(POLL, ([CONTROL], [i1]), visibility="private")
    control = function.args[0]
    control.name_hint = "control"
    code = Code.at_end(function.body.block)
    place = code.value(arith.AddiOp(code.load(control, ZERO), code.constant(POLLS)))
    polls = code.value(arith.AddiOp(code.load(control, POLLS), code.constant(1)), "polls")
    index = code.value(arith.IndexCastOp(place, IndexType()))
    code.builder.insert(memref.StoreOp.get(polls, control, [index]))
    stop = code.compare(code.load(control, STOP), "ne", code.constant(0))
    code.builder.insert(func.ReturnOp(stop))
    return function


def count_search_function() -> func.FuncOp:
    """Adds to the counts of searches of boxes in `control` (`interpreters/searched.py`)."""
    function = func.FuncOp(COUNT_SEARCH, ([*[i64] * ARGUMENTS, CONTROL], []), visibility="private")
    is_done, boxes, points, control = function.args
    code = Code.at_end(function.body.block)
    given_up = code.value(arith.SubiOp(code.constant(1), is_done))
    for place, number in ((SEARCHED, is_done), (GIVEN_UP, given_up), (BOXES, boxes), (EVALUATED, points)):
        code.store(code.value(arith.AddiOp(code.load(control, place), number)), control, place)
    code.builder.insert(func.ReturnOp())
    return function


def plain(type: MemRefType[Any]) -> MemRefType[Any]:
    """The same buffer at the start of its memory."""
    return MemRefType(type.element_type, type.get_shape())
