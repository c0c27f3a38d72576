"""
Checks what xDSL's verifier does not: that values are defined before they are used, and that types agree where control
or values pass from one place to another.

- every operand dominates its use, and does not come from outside a function;
- branches pass as many values, of the types, as the block they go to has arguments;
- functions return the types that they promise, calls pass and receive those of the function they name;
- regions of `scf` and `affine` yield the types of the operation around them.

Before and after: any module. The pass changes nothing; it raises VerifyException at the first fault.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn

from xdsl.context import Context
from xdsl.dialects import affine, cf, func, llvm, scf
from xdsl.dialects.builtin import FileLineColLoc, ModuleOp, StringAttr, SymbolRefAttr
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.traits import IsolatedFromAbove

from cogir.analysis.dominance import Dominance
from cogir.dialects import llvm_ext
from cogir.dialects.cog.ports import PlacedVerifyException


class VerifySsa(ModulePass):
    """Checks dominance, and the types of branches, returns, yields and calls."""

    name = "verify-ssa"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        verify_ssa(op)


def verify_ssa(module: ModuleOp) -> None:
    """Raises VerifyException when the module uses a value where it is not defined, or types do not agree."""
    _Verifier(module).verify()


def edges_of(op: Operation) -> list[tuple[Block, Sequence[SSAValue]]] | None:
    """The successors of a terminator and the values passed to each; None when the terminator is not known."""
    match op:
        case cf.BranchOp() | llvm.BrOp():
            return [(op.successor, op.arguments)]
        case cf.ConditionalBranchOp() | llvm.CondBrOp():
            return [(op.then_block, op.then_arguments), (op.else_block, op.else_arguments)]
        case cf.SwitchOp():
            return [(op.default_block, op.default_operands), *zip(op.case_blocks, op.case_operand, strict=True)]
        case llvm_ext.SwitchOp():
            return [(op.default_block, op.default_operands), *((block, operands) for _, block, operands in op.cases())]
        case _:
            return None


class _Verifier:
    def __init__(self, module: ModuleOp):
        self.module = module
        self.position: dict[Operation, int] = {}
        self.dominance: dict[Region, Dominance] = {}
        self.isolated: dict[type[Operation], bool] = {}
        self.functions: dict[str, func.FuncOp | llvm.FuncOp] = {}
        for op in module.body.ops:
            if isinstance(op, func.FuncOp | llvm.FuncOp):
                self.functions[op.sym_name.data] = op

    def verify(self) -> None:
        ops: list[Operation] = []
        pending: list[Operation] = [self.module]
        while pending:
            for region in pending.pop().regions:
                for block in region.blocks:
                    for number, op in enumerate(block.ops):
                        self.position[op] = number
                        ops.append(op)
                        if op.regions:
                            pending.append(op)
        for op in ops:
            for operand in op.operands:
                self.check_use(op, operand)
            if op.successors:
                self.check_branch(op)
            if (check := _CHECKS.get(type(op))) is not None:
                check(self, op)

    # -- dominance

    def check_use(self, op: Operation, value: SSAValue) -> None:
        owner = value.owner
        home = owner if isinstance(owner, Block) else owner.parent
        current: Operation = op
        while True:
            block = current.parent
            if block is home:
                if isinstance(owner, Operation) and self.position[owner] >= self.position[current]:
                    fail(op, f"uses {name_of(value)} before it is defined")
                return
            region = block.parent if block is not None else None
            if block is not None and home is not None and region is not None and region is home.parent:
                dominance = self.dominance_of(region)
                if dominance.is_reachable(block) and not (dominance.is_reachable(home) and dominance.dominates(home, block)):
                    fail(op, f"uses {name_of(value)}, which is not defined on every path that leads here")
                return
            around = region.parent if region is not None else None
            if around is None:
                fail(op, f"uses {name_of(value)}, which is defined in a region that does not enclose it")
            if self.is_isolated(around) and not (home is not None and around.is_ancestor(home)):
                fail(
                    op,
                    f"uses {name_of(value)}, which is defined outside of the enclosing {around.name}; values from outside cannot "
                    "be used inside it",
                )
            current = around

    def dominance_of(self, region: Region) -> Dominance:
        if region not in self.dominance:
            self.dominance[region] = Dominance(region)
        return self.dominance[region]

    def is_isolated(self, op: Operation) -> bool:
        kind = type(op)
        if kind not in self.isolated:
            self.isolated[kind] = op.has_trait(IsolatedFromAbove) or isinstance(op, func.FuncOp | llvm.FuncOp)
        return self.isolated[kind]

    # -- types

    def check_branch(self, op: Operation) -> None:
        edges = edges_of(op)
        if edges is None:
            return
        for number, (block, operands) in enumerate(edges):
            if len(operands) != len(block.args) or types_of(operands) != tuple(block.arg_types):
                # Only now: to find the number of a block takes a walk over its region.
                taken = f"^{label_of(block)} takes"
                require_types(op, f"passes to its successor {number}", types_of(operands), taken, block.arg_types)
            region = block.parent
            if region is not op.parent_region():
                fail(op, "branches to a block of another region")
            if region is not None and region.first_block is block:
                fail(op, "branches to the first block of the region, which must not have predecessors")

    def callee(self, op: Operation, symbol: SymbolRefAttr) -> func.FuncOp | llvm.FuncOp:
        name = symbol.root_reference.data
        function = self.functions.get(name)
        if function is None:
            fail(op, f"calls @{name}, which is not a function of the module")
        return function

    def check_func_call(self, op: func.CallOp) -> None:
        function = self.callee(op, op.callee)
        if not isinstance(function, func.FuncOp):
            fail(op, f"calls @{op.callee.root_reference.data}, which is an {function.name}; a func.call needs a func.func")
        signature = function.function_type
        name = function.sym_name.data
        require_types(op, "passes", types_of(op.arguments), f"@{name} takes", signature.inputs.data)
        require_types(op, "returns", types_of(op.results), f"@{name} returns", signature.outputs.data)

    def check_llvm_call(self, op: llvm.CallOp) -> None:
        if op.callee is None or op.var_callee_type is not None:
            return
        function = self.callee(op, op.callee)
        if not isinstance(function, llvm.FuncOp):
            fail(op, f"calls @{op.callee.root_reference.data}, which is a {function.name}; an llvm.call needs an llvm.func")
        signature = function.function_type
        name = function.sym_name.data
        require_types(op, "passes", types_of(op.args), f"@{name} takes", signature.inputs.data)
        require_types(op, "returns", types_of(op.results), f"@{name} returns", _returned(signature))


def _returned(signature: llvm.LLVMFunctionType) -> tuple[Attribute, ...]:
    return () if isinstance(signature.output, llvm.LLVMVoidType) else (signature.output,)


def _check_return(verifier: _Verifier, op: func.ReturnOp | llvm.ReturnOp) -> None:
    function = op.parent_op()
    if isinstance(function, func.FuncOp):
        promised: Sequence[Attribute] = function.function_type.outputs.data
    elif isinstance(function, llvm.FuncOp):
        promised = _returned(function.function_type)
    else:
        fail(op, "is outside of a function")
    require_types(op, "returns", types_of(op.operands), f"@{function.sym_name.data} is declared to return", promised)


def _check_function(verifier: _Verifier, op: func.FuncOp | llvm.FuncOp) -> None:
    entry = op.body.first_block
    if entry is not None:
        inputs = op.function_type.inputs.data
        require_types(op, f"@{op.sym_name.data} has a first block with arguments", entry.arg_types, "its type says", inputs)


def _check_yield(verifier: _Verifier, op: scf.YieldOp | affine.YieldOp) -> None:
    around = op.parent_op()
    if isinstance(around, scf.WhileOp):
        require_types(op, "yields", types_of(op.operands), "the first region of scf.while takes", around.before_region.block.arg_types)
    elif isinstance(around, _YIELDING):
        require_types(op, "yields", types_of(op.operands), f"{around.name} returns", types_of(around.results))


_YIELDING = (scf.IfOp, scf.ForOp, scf.ExecuteRegionOp, scf.IndexSwitchOp, affine.ForOp, affine.IfOp, affine.ParallelOp)


def _check_condition(verifier: _Verifier, op: scf.ConditionOp) -> None:
    loop = op.parent_op()
    if isinstance(loop, scf.WhileOp):
        passed = types_of(op.args)
        require_types(op, "passes on", passed, "scf.while returns", types_of(loop.results))
        require_types(op, "passes on", passed, "its second region takes", loop.after_region.block.arg_types)


def _check_while(verifier: _Verifier, op: scf.WhileOp) -> None:
    require_types(op, "starts with", types_of(op.arguments), "its first region takes", op.before_region.block.arg_types)


def _check_if(verifier: _Verifier, op: scf.IfOp) -> None:
    if op.results and op.false_region.first_block is None:
        fail(op, "has results, but no else region; add one that yields them")


_CHECKS: dict[type[Operation], Callable[[_Verifier, Any], None]] = {
    func.CallOp: _Verifier.check_func_call,
    llvm.CallOp: _Verifier.check_llvm_call,
    func.ReturnOp: _check_return,
    llvm.ReturnOp: _check_return,
    func.FuncOp: _check_function,
    llvm.FuncOp: _check_function,
    scf.YieldOp: _check_yield,
    affine.YieldOp: _check_yield,
    scf.ConditionOp: _check_condition,
    scf.WhileOp: _check_while,
    scf.IfOp: _check_if,
}


# -- messages


def types_of(values: Iterable[SSAValue]) -> tuple[Attribute, ...]:
    """The types of some values."""
    return tuple(value.type for value in values)


def require_types(op: Operation, does: str, given: Sequence[Attribute], required: str, wanted: Sequence[Attribute]) -> None:
    """Raises VerifyException unless two lists of types are the same."""
    if tuple(given) != tuple(wanted):
        fail(op, f"{does} {_list(given)}, but {required} {_list(wanted)}")


def _list(types: Sequence[Attribute]) -> str:
    return f"({', '.join(str(type) for type in types)})"


def name_of(value: SSAValue) -> str:
    """A description of a value: its name in the text, or its definition."""
    if value.name_hint is not None:
        return f"%{value.name_hint}"
    match value:
        case BlockArgument():
            return f"argument {value.index} of a block"
        case OpResult():
            return f"result {value.index} of {value.op.name}" if len(value.op.results) > 1 else f"a result of {value.op.name}"
        case _:
            return "an erased value"


def label_of(block: Block) -> str:
    """A description of a block: its name in the text, or its number in its region."""
    if block.name_hint is not None:
        return block.name_hint
    region = block.parent
    return "bb?" if region is None else f"bb{region.get_block_index(block)}"


def fail(op: Operation, message: str) -> NoReturn:
    """Raises VerifyException with the place of `op`: the function around it, and line and column when known."""
    place = ""
    around = op.parent_op()
    while around is not None and not place:
        if isinstance(symbol := around.properties.get("sym_name"), StringAttr):
            place = f" in @{symbol.data}"
        around = around.parent_op()
    if isinstance(op.location, FileLineColLoc):
        place += f" at {op.location.filename.data}:{op.location.line.data}:{op.location.column.data}"
    raise PlacedVerifyException(op, f"verify-ssa: {op.name}{place} {message}")
