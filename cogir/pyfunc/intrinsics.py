"""
The compiled side of `cogir.library.numerics.intrinsics`: each of those functions is one operation, or a call into the C library.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects import arith, func, math
from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import Attribute, Operation, SSAValue

from cogir.dialects.rng import PresampledOp
from cogir.library.numerics.intrinsics import Intrinsic
from cogir.pyfunc.elementwise import apply_body, cast_node, common_kind, node_of, scalar_of
from cogir.pyfunc.emitter import Emitter
from cogir.pyfunc.kinds import ELEMENT_TYPES, KINDS, Kind
from cogir.pyfunc.trees import Node, Uniform
from cogir.pyfunc.values import Value, describe

_OPERATIONS: dict[str, type[Operation]] = {op.name: op for dialect in (arith.Arith, math.Math) for op in dialect.operations}
_OPERATIONS[PresampledOp.name] = PresampledOp
LIBM_ATTRIBUTE = "cog.libm"


def call_intrinsic(e: Emitter, intrinsic: Intrinsic, arguments: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """A call of an intrinsic, on scalars or on each element of arrays."""
    if named or len(arguments) != len(intrinsic.operands):
        raise e.error(f"{intrinsic.name} takes {len(intrinsic.operands)} arguments, by position")
    free = [argument for argument, kind in zip(arguments, intrinsic.operands, strict=True) if kind == "T"]
    common = common_kind(e, free) if free else None
    nodes: list[Node] = []
    kinds: list[Kind] = []
    for argument, wanted in zip(arguments, intrinsic.operands, strict=True):
        node = node_of(argument)
        kind = common if wanted == "T" else _kind(wanted)
        if node is None or kind is None:
            raise e.error(f"{intrinsic.name} takes numbers, not {describe(argument)}")
        if node.kind != kind and (node.kind, kind) != ("i64", "f64"):
            raise e.error(f"{intrinsic.name} takes {', '.join(intrinsic.operands)}; convert {describe(argument)} first")
        kinds.append(kind)
        nodes.append(cast_node(node, kind) if node.shape else _scalar_cast(e, node, kind))
    result = common if intrinsic.result == "T" else _kind(intrinsic.result)
    assert result is not None
    return apply_body(e, lambda e, ssas: emit(e, intrinsic.operation, ssas, result), nodes, result)


def _scalar_cast(e: Emitter, node: Node, kind: Kind) -> Node:
    if node.kind == kind:
        return node
    return Uniform(e.cast(scalar_of(e, node), node.kind, kind), (), kind)


def _kind(name: str) -> Kind:
    return next(kind for kind in KINDS.values() if kind == name)


def emit(e: Emitter, operation: str, operands: Sequence[SSAValue], result: Kind) -> SSAValue:
    """The operation that an intrinsic names."""
    name, _, detail = operation.partition(" ")
    if name == "call":
        return call_libm(e, detail.removeprefix("@"), operands, result)
    op_type = _OPERATIONS[name]
    type: Attribute = ELEMENT_TYPES[result]
    if op_type is arith.CmpiOp or op_type is arith.CmpfOp:
        return e.compare(detail, *operands)
    if op_type is arith.MulUIExtendedOp or op_type is arith.MulSIExtendedOp:
        op = e.add(op_type(operands[0], operands[1]))
        return op.results[1 if detail == "high" else 0]
    if result in ("f64", "f32") and all(operand.type == type for operand in operands):
        return e.float_op(op_type, *operands)
    if op_type is PresampledOp or op_type is arith.BitcastOp or op_type is arith.SIToFPOp or op_type is arith.SelectOp:
        return e.op(op_type, operands, type)
    return e.int_op(op_type, *operands)


def call_libm(e: Emitter, name: str, operands: Sequence[SSAValue], result: Kind) -> SSAValue:
    """A call of a function of the C library, which the module declares."""
    e.libm(name, [operand.type for operand in operands], ELEMENT_TYPES[result])
    return e.call_symbol(name, operands, [ELEMENT_TYPES[result]])[0]


def libm_declaration(name: str, operands: Sequence[Attribute], result: Attribute) -> func.FuncOp:
    """`func.func private @log(f64) -> f64 attributes {cog.libm}`"""
    op = func.FuncOp.external(name, operands, [result])
    op.attributes[LIBM_ATTRIBUTE] = UnitAttr()
    return op
