"""
Operations that xDSL's `llvm` dialect lacks, under the names and in the syntax of MLIR's.

`LLVM` is the `llvm` dialect with these operations added (and vector forms of fcmp and select): register it instead of
xDSL's. Operations that are plain calls of intrinsics need none of this: they are `llvm.call_intrinsic`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, cast

from xdsl.dialects import llvm
from xdsl.dialects.builtin import (
    AnyFloatConstr,
    DenseArrayBase,
    DenseIntElementsAttr,
    IntegerAttr,
    IntegerType,
    SignlessIntegerConstraint,
    VectorType,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Dialect, Operation, ParametrizedAttribute, SSAValue
from xdsl.irdl import (
    AnyAttr,
    AttrSizedOperandSegments,
    IRDLOperation,
    ParsePropInAttrDict,
    VarConstraint,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    successor_def,
    traits_def,
    var_operand_def,
    var_successor_def,
)
from xdsl.parser import AttrParser, Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import IsTerminator, NoMemoryEffect, Pure
from xdsl.utils.exceptions import VerifyException

KERNEL = "nvvm.kernel"
"""The attribute of a function that a host launches on a GPU."""
SHARED_SPACE = 3
"""The address space of memory that the threads of a block share; what is in it has no initial value."""
VOLATILE = "volatile_"
"""The attribute of a load that reads memory each time, because others write to it."""


@irdl_op_definition
class FPToSIOp(llvm.GenericCastOp):
    """A float rounded towards zero, as a signed integer: `%i = llvm.fptosi %x : f64 to i64`."""

    name = "llvm.fptosi"


@irdl_op_definition
class FPToUIOp(llvm.GenericCastOp):
    """A float rounded towards zero, as an unsigned integer: `%i = llvm.fptoui %x : f64 to i64`."""

    name = "llvm.fptoui"


@irdl_op_definition
class UIToFPOp(llvm.GenericCastOp):
    """The float nearest to an unsigned integer: `%x = llvm.uitofp %i : i64 to f64`."""

    name = "llvm.uitofp"


@irdl_op_definition
class AddrSpaceCastOp(llvm.GenericCastOp):
    """The same memory as a pointer of another address space: `%q = llvm.addrspacecast %p : !llvm.ptr<3> to !llvm.ptr`."""

    name = "llvm.addrspacecast"


@irdl_op_definition
class AtomicRMWOp(IRDLOperation):
    """
    Reads a number, writes the sum of it and another one (or another function of both) as one step, and gives what was read.

    ```mlir
    %before = llvm.atomicrmw add %p, %x monotonic : !llvm.ptr, i64
    ```
    """

    name = "llvm.atomicrmw"

    KINDS: ClassVar = ("xchg", "add", "sub", "_and", "nand", "_or", "_xor", "max", "min", "umax", "umin", "fadd")
    """The functions, in the order of MLIR's numbers for them."""
    MONOTONIC: ClassVar = 2
    """The ordering that promises nothing about other memory."""

    ptr = operand_def(llvm.LLVMPointerType)
    val = operand_def()
    bin_op = prop_def(IntegerAttr)
    ordering = prop_def(IntegerAttr)
    res = result_def()

    def __init__(self, kind: str, ptr: SSAValue, val: SSAValue):
        super().__init__(
            operands=[ptr, val],
            result_types=[val.type],
            properties={"bin_op": IntegerAttr(self.KINDS.index(kind), i64), "ordering": IntegerAttr(self.MONOTONIC, i64)},
        )

    @property
    def kind(self) -> str:
        """The name of the function."""
        return self.KINDS[self.bin_op.value.data]

    @classmethod
    def parse(cls, parser: Parser) -> AtomicRMWOp:
        kind = parser.parse_identifier()
        if kind not in cls.KINDS:
            parser.raise_error(f"llvm.atomicrmw has no function '{kind}'; it has {', '.join(cls.KINDS)}")
        ptr = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        val = parser.parse_unresolved_operand()
        parser.parse_keyword("monotonic")
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        ptr_type = parser.parse_type()
        parser.parse_punctuation(",")
        op = cls(kind, parser.resolve_operand(ptr, ptr_type), parser.resolve_operand(val, parser.parse_type()))
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.kind} ")
        printer.print_ssa_value(self.ptr)
        printer.print_string(", ")
        printer.print_ssa_value(self.val)
        printer.print_string(" monotonic")
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.ptr.type)
        printer.print_string(", ")
        printer.print_attribute(self.val.type)


@irdl_op_definition
class PoisonOp(IRDLOperation):
    """A value that nobody may look at: `%v = llvm.mlir.poison : !llvm.struct<(f64, i64)>`."""

    name = "llvm.mlir.poison"

    res = result_def()

    traits = traits_def(Pure())

    assembly_format = "attr-dict `:` type($res)"

    def __init__(self, result_type: Attribute):
        super().__init__(result_types=[result_type])


@irdl_op_definition
class ExtractElementOp(IRDLOperation):
    """One element of a vector: `%x = llvm.extractelement %v[%i : i64] : vector<8xf64>`."""

    name = "llvm.extractelement"

    vector = operand_def(VectorType)
    position = operand_def(SignlessIntegerConstraint)
    res = result_def()

    traits = traits_def(NoMemoryEffect())

    def __init__(self, vector: SSAValue, position: SSAValue):
        element = cast("VectorType[Attribute]", vector.type).element_type
        super().__init__(operands=[vector, position], result_types=[element])

    @classmethod
    def parse(cls, parser: Parser) -> ExtractElementOp:
        vector = parser.parse_unresolved_operand()
        parser.parse_punctuation("[")
        position = parser.parse_unresolved_operand()
        parser.parse_punctuation(":")
        position_type = parser.parse_type()
        parser.parse_punctuation("]")
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        vector_type = parser.parse_type()
        if vector_of(vector_type) is None:
            parser.raise_error("llvm.extractelement: the operand must be a vector")
        op = cls(parser.resolve_operand(vector, vector_type), parser.resolve_operand(position, position_type))
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.vector)
        printer.print_string("[")
        printer.print_ssa_value(self.position)
        printer.print_string(" : ")
        printer.print_attribute(self.position.type)
        printer.print_string("]")
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.vector.type)


_FLOATS = AnyFloatConstr | VectorType.constr(AnyFloatConstr)


@irdl_op_definition
class FCmpOp(IRDLOperation):
    """`llvm.fcmp "olt" %a, %b : vector<8xf64>`: xDSL's compares scalars only."""

    name = "llvm.fcmp"

    T: ClassVar = VarConstraint("T", _FLOATS)

    lhs = operand_def(T)
    rhs = operand_def(T)
    res = result_def()
    predicate = prop_def(IntegerAttr[IntegerType])
    fastmathFlags = prop_def(llvm.FastMathAttr, default_value=llvm.FastMathAttr(None))

    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)

    def __init__(self, lhs: SSAValue, rhs: SSAValue, predicate: int, attributes: Mapping[str, Attribute] | None = None):
        super().__init__(
            operands=[lhs, rhs],
            result_types=[truth_type(lhs.type)],
            properties={"predicate": IntegerAttr(predicate, i64)},
            attributes=dict(attributes or {}),
        )

    def verify_(self) -> None:
        if self.res.type != truth_type(self.lhs.type):
            raise VerifyException(
                f"llvm.fcmp: the result has type {self.res.type}; comparing {self.lhs.type} gives {truth_type(self.lhs.type)}"
            )

    @classmethod
    def parse(cls, parser: Parser) -> FCmpOp:
        predicate = llvm.FCmpPredicateFlag(parser.parse_str_literal()).to_int()
        lhs = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        rhs = parser.parse_unresolved_operand()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        type = parser.parse_type()
        return cls(parser.resolve_operand(lhs, type), parser.resolve_operand(rhs, type), predicate, attributes)

    def print(self, printer: Printer) -> None:
        printer.print_string(f' "{llvm.FCmpPredicateFlag.from_int(self.predicate.value.data)}" ')
        printer.print_ssa_value(self.lhs)
        printer.print_string(", ")
        printer.print_ssa_value(self.rhs)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.lhs.type)


@irdl_op_definition
class SelectOp(IRDLOperation):
    """`llvm.select %c, %a, %b : vector<8xi1>, vector<8xf64>`: xDSL's condition is a scalar."""

    name = "llvm.select"

    T: ClassVar = VarConstraint("T", AnyAttr())

    cond = operand_def()
    lhs = operand_def(T)
    rhs = operand_def(T)
    res = result_def(T)
    fastmathFlags = prop_def(llvm.FastMathAttr, default_value=llvm.FastMathAttr(None))

    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$cond `,` $lhs `,` $rhs attr-dict `:` type($cond) `,` type($res)"

    def verify_(self) -> None:
        if self.cond.type not in (i1, truth_type(self.res.type)):
            raise VerifyException(
                f"llvm.select: the condition has type {self.cond.type}; for results of type {self.res.type} it must be i1 or "
                f"{truth_type(self.res.type)}"
            )


def vector_of(type: Attribute) -> VectorType[Attribute] | None:
    """`type` when it is a vector type, else None."""
    return cast("VectorType[Attribute]", type) if isinstance(type, VectorType) else None


def truth_type(type: Attribute) -> Attribute:
    """The type of the outcome when values of `type` are compared: i1, or a vector of i1."""
    return i1 if (vector := vector_of(type)) is None else VectorType(i1, vector.get_shape())


@irdl_op_definition
class SwitchOp(IRDLOperation):
    """
    A branch that depends on an integer.

    ```mlir
    llvm.switch %k : i64, ^default [
      0: ^zero,
      1: ^one(%x : f64)
    ]
    ```
    """

    name = "llvm.switch"

    value = operand_def(SignlessIntegerConstraint)
    default_operands = var_operand_def()
    case_operands = var_operand_def()
    case_values = opt_prop_def(DenseIntElementsAttr)
    case_operand_segments = prop_def(DenseArrayBase.constr(i32))
    default_block = successor_def()
    case_blocks = var_successor_def()

    traits = traits_def(IsTerminator())
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def __init__(
        self,
        value: SSAValue,
        default: tuple[Block, Sequence[SSAValue]],
        cases: Sequence[tuple[int, Block, Sequence[SSAValue]]],
    ):
        properties: dict[str, Attribute] = {"case_operand_segments": DenseArrayBase.from_list(i32, [len(args) for _, _, args in cases])}
        if cases:
            type = VectorType(cast(IntegerType, value.type), [len(cases)])
            properties["case_values"] = DenseIntElementsAttr.from_list(type, [case for case, _, _ in cases])
        super().__init__(
            operands=[value, default[1], [arg for _, _, args in cases for arg in args]],
            successors=[default[0], [block for _, block, _ in cases]],
            properties=properties,
        )

    def cases(self) -> list[tuple[int, Block, Sequence[SSAValue]]]:
        """The value, block and block operands of each case."""
        values = self.case_values.get_values() if self.case_values is not None else ()
        operands, cases = list(self.case_operands), list[tuple[int, Block, Sequence[SSAValue]]]()
        for value, block, size in zip(values, self.case_blocks, self.case_operand_segments.get_values(), strict=True):
            cases.append((value, block, operands[:size]))
            operands = operands[size:]
        return cases

    @classmethod
    def parse(cls, parser: Parser) -> SwitchOp:
        def target() -> tuple[Block, list[SSAValue]]:
            block = parser.parse_successor()
            if parser.parse_optional_punctuation("(") is None:
                return block, []
            operands: list[UnresolvedOperand] = parser.parse_comma_separated_list(Parser.Delimiter.NONE, parser.parse_unresolved_operand)
            parser.parse_punctuation(":")
            types = parser.parse_comma_separated_list(Parser.Delimiter.NONE, parser.parse_type)
            parser.parse_punctuation(")")
            return block, list(parser.resolve_operands(operands, types, parser.pos))

        def case() -> tuple[int, Block, list[SSAValue]]:
            value = parser.parse_integer()
            parser.parse_punctuation(":")
            return value, *target()

        flag = parser.parse_unresolved_operand()
        parser.parse_punctuation(":")
        value = parser.resolve_operand(flag, parser.parse_type())
        parser.parse_punctuation(",")
        default = target()
        cases: list[tuple[int, Block, list[SSAValue]]] = []
        parser.parse_punctuation("[")
        if parser.parse_optional_punctuation("]") is None:
            cases = parser.parse_comma_separated_list(Parser.Delimiter.NONE, case)
            parser.parse_punctuation("]")
        op = cls(value, default, cases)
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        def target(block: Block, operands: Sequence[SSAValue]) -> None:
            printer.print_block_name(block)
            if operands:
                with printer.in_parens():
                    printer.print_list(operands, printer.print_ssa_value)
                    printer.print_string(" : ")
                    printer.print_list([operand.type for operand in operands], printer.print_attribute)

        def case(entry: tuple[int, Block, Sequence[SSAValue]]) -> None:
            printer.print_string(f"{entry[0]}: ")
            target(entry[1], entry[2])

        printer.print_string(" ")
        printer.print_ssa_value(self.value)
        printer.print_string(" : ")
        printer.print_attribute(self.value.type)
        printer.print_string(", ")
        target(self.default_block, self.default_operands)
        printer.print_string(" [")
        printer.print_list(self.cases(), case)
        printer.print_string("]")
        printer.print_op_attributes(self.attributes)


@irdl_attr_definition
class LoopAnnotationAttr(ParametrizedAttribute):
    """
    Hints for one loop, on its back edge: `#llvm.loop_annotation<unroll = <count = 4 : i32>>`.

    Absent hints leave the choice to LLVM. `vectorize` forbids or demands vector code, `unroll` forbids unrolling (0)
    or gives a count, `licm` forbids to move invariant code out of the loop.
    """

    name = "llvm.loop_annotation"

    vectorize: Attribute
    unroll: Attribute
    licm: Attribute

    @staticmethod
    def of(vectorize: bool | None = None, unroll: int | None = None, licm: bool | None = None) -> LoopAnnotationAttr:
        """Hints from Python values; None: LLVM decides."""
        return LoopAnnotationAttr(
            *(IntegerAttr(-1 if hint is None else int(hint), i32) for hint in (vectorize, unroll, licm)),
        )

    @staticmethod
    def _number(attribute: Attribute) -> int | None:
        value = cast("IntegerAttr[IntegerType]", attribute).value.data
        return None if value < 0 else value

    @property
    def vectorizes(self) -> bool | None:
        """True if vector code is demanded, False if it is forbidden; None: LLVM decides."""
        value = self._number(self.vectorize)
        return None if value is None else bool(value)

    @property
    def unroll_count(self) -> int | None:
        """The number of copies of the body; 0: do not unroll; None: LLVM decides."""
        return self._number(self.unroll)

    @property
    def forbids_licm(self) -> bool:
        """True if invariant code must stay in the loop."""
        return self._number(self.licm) == 0

    def print_parameters(self, printer: Printer) -> None:
        parts: list[str] = []
        if self.vectorizes is not None:
            parts.append(f"vectorize = <disable = {'false' if self.vectorizes else 'true'}>")
        if (count := self.unroll_count) is not None:
            parts.append("unroll = <disable = true>" if count == 0 else f"unroll = <count = {count} : i32>")
        if self.forbids_licm:
            parts.append("licm = <disable = true>")
        printer.print_string(f"<{', '.join(parts)}>")

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        hints: dict[str, int] = {"vectorize": -1, "unroll": -1, "licm": -1}
        with parser.in_angle_brackets():
            while (part := next((word for word in hints if parser.parse_optional_keyword(word)), None)) is not None:
                parser.parse_punctuation("=")
                with parser.in_angle_brackets():
                    hint = parser.parse_identifier()
                    parser.parse_punctuation("=")
                    if hint == "disable":
                        disabled = parser.parse_boolean()
                        hints[part] = 0 if disabled else 1 if part == "vectorize" else -1
                    elif hint == "count" and part == "unroll":
                        hints[part] = parser.parse_integer()
                        if parser.parse_optional_punctuation(":") is not None:
                            parser.parse_type()
                    else:
                        parser.raise_error(f"{part} has no hint '{hint}'; use disable, or count for unroll")
                if parser.parse_optional_punctuation(",") is None:
                    break
        return tuple(IntegerAttr(hint, i32) for hint in hints.values())


_ADDED: tuple[type[Operation], ...] = (
    FPToSIOp,
    FPToUIOp,
    UIToFPOp,
    AddrSpaceCastOp,
    AtomicRMWOp,
    PoisonOp,
    ExtractElementOp,
    FCmpOp,
    SelectOp,
    SwitchOp,
)
_REPLACED = frozenset(op.name for op in _ADDED)

LLVM = Dialect(
    "llvm",
    [*(op for op in llvm.LLVM.operations if op.name not in _REPLACED), *_ADDED],
    [*llvm.LLVM.attributes, LoopAnnotationAttr],
)
"""The `llvm` dialect of xDSL with what it lacks."""
