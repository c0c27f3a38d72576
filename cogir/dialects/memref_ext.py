"""
An operation that xDSL's `memref` dialect lacks, under the name and in the syntax of MLIR's.

`MEMREF` is the `memref` dialect with this operation added: register it instead of xDSL's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, cast

from xdsl.dialects import memref
from xdsl.dialects.builtin import BoolAttr, IndexType, IntegerAttr, MemRefType, i1, i32
from xdsl.ir import Dialect, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, prop_def, var_operand_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException


@irdl_op_definition
class PrefetchOp(IRDLOperation):
    """
    Asks the processor to bring an element to a cache, since it will be read (or written) soon; no value depends on it.

    ```mlir
    memref.prefetch %rows[%k, %j], read, locality<3>, data : memref<400x8xf64>
    ```

    `locality`: from 0, it is used once, to 3, it is kept in all caches. The element may lie beyond the end of memory, and then nothing is
    fetched.
    """

    name = "memref.prefetch"

    MOST: ClassVar = 3
    """The highest locality."""

    memref = operand_def(MemRefType)
    indices = var_operand_def(IndexType())
    is_write = prop_def(BoolAttr, prop_name="isWrite")
    locality = prop_def(IntegerAttr, prop_name="localityHint")
    is_data = prop_def(BoolAttr, prop_name="isDataCache")

    def __init__(
        self, source: SSAValue, indices: Sequence[SSAValue], *, is_write: bool = False, locality: int = MOST, is_data: bool = True
    ):
        properties = {
            "isWrite": IntegerAttr(int(is_write), i1),
            "localityHint": IntegerAttr(locality, i32),
            "isDataCache": IntegerAttr(int(is_data), i1),
        }
        super().__init__(operands=[source, list(indices)], properties=properties)

    def verify_(self) -> None:
        type = cast("MemRefType[Any]", self.memref.type)
        if len(self.indices) != type.get_num_dims():
            raise VerifyException(f"memref.prefetch has {len(self.indices)} indices for memory with {type.get_num_dims()} axes")
        if self.locality.type != i32:
            raise VerifyException(f"memref.prefetch has a locality of type {self.locality.type}; it is of i32")
        if not 0 <= self.locality.value.data <= self.MOST:
            raise VerifyException(f"memref.prefetch has locality {self.locality.value.data}; it is 0 to {self.MOST}")

    @classmethod
    def parse(cls, parser: Parser) -> PrefetchOp:
        source = parser.parse_unresolved_operand()
        indices = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_operand)
        parser.parse_punctuation(",")
        is_write = cls._word(parser, "read", "write")
        parser.parse_punctuation(",")
        parser.parse_keyword("locality")
        with parser.in_angle_brackets():
            locality = parser.parse_integer(allow_boolean=False)
        parser.parse_punctuation(",")
        is_data = cls._word(parser, "instr", "data")
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        memory = parser.resolve_operand(source, parser.parse_type())
        op = cls(memory, indices, is_write=is_write, locality=locality, is_data=is_data)
        op.attributes |= attributes
        return op

    @staticmethod
    def _word(parser: Parser, no: str, yes: str) -> bool:
        """Reads one of two words; true if it is the second."""
        if parser.parse_optional_keyword(no) is not None:
            return False
        parser.parse_keyword(yes)
        return True

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.memref)
        with printer.in_square_brackets():
            printer.print_list(self.indices, printer.print_ssa_value)
        kind, cache = "write" if self.is_write.value.data else "read", "data" if self.is_data.value.data else "instr"
        printer.print_string(f", {kind}, locality<{self.locality.value.data}>, {cache}")
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.memref.type)


MEMREF = Dialect("memref", [*memref.MemRef.operations, PrefetchOp], list(memref.MemRef.attributes))
"""The `memref` dialect of xDSL with what it lacks."""
