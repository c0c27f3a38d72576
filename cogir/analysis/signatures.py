"""
Which results of a function are its arguments, updated.

```mlir
func.func @trial(%sf: tensor<9xf64> {cog.updates = 0 : i64}) -> (tensor<9xf64>, f64)   // {0: 0}, as it says
func.func private @step(%x: f64, %r: !rng.state<mt19937>) -> (f64, !rng.state<mt19937>) {
  %n, %r1 = rng.normal %r : !rng.state<mt19937> -> f64
  func.return %n, %r1 : f64, !rng.state<mt19937>                                      // {1: 1}, followed back
}
```
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

from xdsl.dialects import arith, func, scf
from xdsl.dialects.builtin import IntegerAttr, ModuleOp
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from cogir.dialects.rng import IntegerOp, NormalOp, SampleOp, StateType, UniformOp
from cogir.errors import LoweringError

DRAWS = (UniformOp, NormalOp, IntegerOp, SampleOp)
"""Operations that take a generator's state and give the next one as their last result."""

PARALLEL = "cog.parallel"
"""
The attribute of a call whose first two arguments are a range of indices, and which may be taken apart into calls over parts of it,
in any order and at the same time.
"""
HELPED = "cog.helped"
"""The attribute of such a call when its last argument is `control`, through which helpers can be reached."""

KERNEL = "cog.kernel"
"""
The attribute of a function that a kernel stands for on a GPU: a search over points, with its number, or `@replicate_streams` in a
module whose replicates are a kernel.
"""
LAUNCH = "cog.launch"
"""The attribute of a call over a range of points that the host may have a GPU do, with the number of the kernel."""

ACCESS = "cog.access"
"""The attribute of an argument that is memory: the function may "read", "write" or "update" it."""
INLINE = "cog.inline"
"""The attribute of a function that says whether calls are "always" or "never" replaced by its body; without it LLVM decides."""
OVER_LANES = "cog.over_lanes"
"""The attribute of a function whose loops go over lanes: LLVM vectorises them, however large they are."""
BRIEF = "cog.brief"
"""
The attribute of a function that ends within a millisecond: its loops do not ask whether they should stop. LLVM runs one round of its passes
over it, and it calls only such functions.
"""

WIDE = "cog.wide"
"""
The attribute of a function whose loops are faster with the longest vectors that there are, also on processors for which LLVM prefers
vectors of four numbers where there are such of eight (Intel's). It is a function of its own in the end, too.
"""

Updates = Mapping[int, int]
"""From the number of a result to that of the argument whose memory it takes over."""


def declared_updates(function: func.FuncOp) -> dict[int, int]:
    """The argument attributes `cog.updates`, read."""
    updates: dict[int, int] = {}
    for number, attrs in enumerate(function.arg_attrs or ()):
        if isinstance(result := attrs.data.get("cog.updates"), IntegerAttr):
            updates[result.value.data] = number
    outputs, inputs = function.function_type.outputs.data, function.function_type.inputs.data
    for result, argument in updates.items():
        if result >= len(outputs) or outputs[result] != inputs[argument]:
            raise LoweringError(
                f"@{function.sym_name.data}: argument {argument} has `cog.updates` = {result}, but the function has no result "
                f"{result} of the argument's type; correct `cog.updates`"
            )
    return updates


def called_functions(function: func.FuncOp) -> Iterator[str]:
    """The symbols that a function calls, once per call."""
    for op in function.body.walk():
        if isinstance(op, func.CallOp):
            yield op.callee.string_value()


def callees_first(module: ModuleOp) -> list[func.FuncOp]:
    """The functions of a module, callees before their callers; raises on recursion."""
    functions = {op.sym_name.data: op for op in module.ops if isinstance(op, func.FuncOp)}
    ordered: list[func.FuncOp] = []
    is_done: dict[str, bool] = {}
    for start in functions:
        pending = [(start, called_functions(functions[start]))] if start not in is_done else []
        is_done.setdefault(start, False)
        while pending:
            name, callees = pending[-1]
            callee = next((callee for callee in callees if callee in functions and not is_done.get(callee)), None)
            if callee is None:
                pending.pop()
                is_done[name] = True
                ordered.append(functions[name])
            elif callee in is_done:
                raise LoweringError(
                    f"@{callee} calls itself, directly or through other functions; recursion is not supported: write a loop"
                )
            else:
                is_done[callee] = False
                pending.append((callee, called_functions(functions[callee])))
    return ordered


def sources_of(value: SSAValue, updates: Mapping[str, Updates]) -> Iterator[SSAValue]:
    """The values whose memory `value` may take over: what it was before the operation that defines it."""
    owner: Operation | Block = value.owner
    match owner:
        case Block():
            parent, number = owner.parent_op(), cast(BlockArgument, value).index
            match parent:
                case scf.ForOp() if number > 0:
                    yield parent.iter_args[number - 1]
                case scf.WhileOp() if owner is parent.before_region.block:
                    yield parent.arguments[number]
                case scf.WhileOp():
                    yield cast(scf.ConditionOp, parent.before_region.block.last_op).args[number]
                case _:
                    pass
        case UniformOp() | NormalOp() | IntegerOp() | SampleOp():
            yield owner.state
        case scf.ForOp():
            yield owner.iter_args[cast(OpResult, value).index]
        case scf.WhileOp():
            yield cast(scf.ConditionOp, owner.before_region.block.last_op).args[cast(OpResult, value).index]
        case scf.IfOp() | scf.IndexSwitchOp():
            for region in owner.regions:
                yield cast(Operation, region.block.last_op).operands[cast(OpResult, value).index]
        case arith.SelectOp():
            yield owner.lhs
            yield owner.rhs
        case func.CallOp():
            updated = updates.get(owner.callee.string_value(), {}).get(cast(OpResult, value).index)
            if updated is not None:
                yield owner.arguments[updated]
        case _:
            pass


def traced_argument(value: SSAValue, function: func.FuncOp, updates: Mapping[str, Updates]) -> int | None:
    """The argument of `function` that `value` is a later version of, if it can be followed back to one."""
    seen: set[SSAValue] = set()
    pending = [value]
    while pending:
        current = pending.pop()
        if current in seen:
            continue
        seen.add(current)
        if isinstance(current, BlockArgument) and current.block.parent is function.body:
            return current.index
        pending.extend(reversed(list(sources_of(current, updates))))
    return None


def module_updates(module: ModuleOp) -> dict[str, Updates]:
    """The updates of every function: what it declares, and for generator states what its body shows."""
    updates: dict[str, Updates] = {}
    for function in callees_first(module):
        found = declared_updates(function)
        returned = function.get_return_op()
        for number, value in enumerate(returned.arguments if returned is not None else ()):
            if number in found or not isinstance(value.type, StateType):
                continue
            argument = traced_argument(value, function, updates)
            if argument is None or argument in found.values():
                continue
            if function.function_type.inputs.data[argument] == value.type:
                found[number] = argument
        updates[function.sym_name.data] = found
    return updates
