"""cf, func (calls and returns) and ub to the llvm dialect."""

from __future__ import annotations

from typing import Any

from xdsl.dialects import cf, func, llvm, ub
from xdsl.dialects.builtin import DenseArrayBase, i32, i64
from xdsl.ir import Block, SSAValue

from cogir.analysis.signatures import HELPED
from cogir.dialects import llvm_ext
from cogir.lowering.convert_scf_to_cf import LOOP_HINT
from cogir.lowering.to_llvm.converter import Converter, call, integer_list, rule
from cogir.lowering.to_llvm.hints import loop_annotation
from cogir.lowering.to_llvm.parallel import parallel_call
from cogir.lowering.to_llvm.types import POINTER, VOID, llvm_type, result_type

LOOP_ANNOTATION = "loop_annotation"


def _keep_hint(old: Any, new: Any) -> None:
    if LOOP_HINT in old.attributes:
        new.attributes[LOOP_ANNOTATION] = loop_annotation(old.attributes[LOOP_HINT])


@rule(cf.BranchOp)
def branch(to: Converter, op: cf.BranchOp) -> None:
    """cf.br ^a(x)  ->  llvm.br ^a(x)"""
    new = llvm.BrOp.create(operands=to.all(op.arguments), successors=[to.blocks[op.successor]])
    _keep_hint(op, new)
    to.emit_only(new)


@rule(cf.ConditionalBranchOp)
def conditional_branch(to: Converter, op: cf.ConditionalBranchOp) -> None:
    """cf.cond_br c, ^a(x), ^b(y)  ->  llvm.cond_br c, ^a(x), ^b(y)"""
    then, otherwise = to.all(op.then_arguments), to.all(op.else_arguments)
    new = llvm.CondBrOp.create(
        operands=[to[op.cond], *then, *otherwise],
        successors=[to.blocks[op.then_block], to.blocks[op.else_block]],
        properties={"operandSegmentSizes": integer_list((1, len(then), len(otherwise)))},
    )
    _keep_hint(op, new)
    to.emit_only(new)


@rule(cf.SwitchOp)
def switch(to: Converter, op: cf.SwitchOp) -> None:
    """cf.switch k, [default: ^a, n: ^b(x)]  ->  llvm.switch k, ^a [n: ^b(x)]"""
    values = op.case_values.get_values() if op.case_values is not None else ()
    cases: list[tuple[int, Block, list[SSAValue]]] = []
    for value, block, operands in zip(values, op.case_blocks, op.case_operand, strict=True):
        cases.append((int(value), to.blocks[block], to.all(operands)))
    to.emit_only(llvm_ext.SwitchOp(to[op.flag], (to.blocks[op.default_block], to.all(op.default_operands)), cases))


@rule(cf.AssertOp)
def assertion(to: Converter, op: cf.AssertOp) -> None:
    """cf.assert c, "text"; rest  ->  cond_br c, ^rest, ^fail;  ^fail: call @puts("text"); call @abort(); unreachable"""
    rest, fail = Block(), Block()
    to.new_region.insert_block_after([rest, fail], to.block)
    to.emit_only(llvm.CondBrOp(to[op.arg], rest, (), fail, ()))
    to.block = fail
    to.module.declare("puts", [POINTER], i32)
    to.module.declare("abort", [], VOID)
    text = to.emit(llvm.AddressOfOp(to.module.string(op.msg.data), POINTER))
    to.emit_only(call("puts", [text], [i32]))
    to.emit_only(call("abort", [], []))
    to.emit_only(llvm.UnreachableOp())
    to.block = rest


@rule(func.CallOp)
def function_call(to: Converter, op: func.CallOp) -> None:
    """func.call @f(x)  ->  llvm.call @f(x), and llvm.extractvalue for each of several results"""
    if HELPED in op.attributes:
        parallel_call(to, op)
        return
    types = [llvm_type(result.type) for result in op.results]
    new = call(op.callee.root_reference.data, to.all(op.arguments), types)
    if not types:
        to.emit_only(new)
        return
    value = to.emit(new)
    if len(types) == 1:
        to.bind(op.results[0], value)
        return
    for position, (result, type) in enumerate(zip(op.results, types, strict=True)):
        to.bind(result, to.emit(llvm.ExtractValueOp(_position(position), value, type)))


@rule(func.ReturnOp)
def function_return(to: Converter, op: func.ReturnOp) -> None:
    """func.return x  ->  llvm.return x, or a struct of several values"""
    values = to.all(op.arguments)
    if len(values) <= 1:
        to.emit_only(llvm.ReturnOp(values[0] if values else None))
        return
    struct = to.emit(llvm_ext.PoisonOp(result_type(tuple(value.type for value in values))))
    for position, value in enumerate(values):
        struct = to.emit(llvm.InsertValueOp(_position(position), struct, value))
    to.emit_only(llvm.ReturnOp(struct))


def _position(index: int) -> DenseArrayBase[Any]:
    return integer_list((index,), i64)


@rule(ub.PoisonOp)
def poison(to: Converter, op: ub.PoisonOp) -> None:
    """ub.poison  ->  llvm.mlir.poison"""
    to.bind(op.result, to.emit(llvm_ext.PoisonOp(llvm_type(op.result.type))))


@rule(ub.UnreachableOp)
def unreachable(to: Converter, op: ub.UnreachableOp) -> None:
    """ub.unreachable  ->  llvm.unreachable"""
    to.emit_only(llvm.UnreachableOp())
