"""
Lowers structured control flow, `scf` and `affine`, to branches between blocks.

Before: `scf` and `affine` (for, while, if, parallel, index_switch, execute_region; load, store, apply, min ...)
nested in functions, among operations of any other dialect.
After: no `scf` and no `affine` operation is left; functions have several blocks that end in `cf` branches.

Each operation is moved at most once per level of nesting, so the cost is linear. Loop hints (`cog.loop`) of a loop
end on its back edge; a loop with very many memory accesses gets the hint to be left alone. `scf.parallel` becomes a
sequential nest, first axis slowest, with its reductions in that order; a copy between memrefs whose elements do not
lie side by side becomes a nest too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects import affine, arith, builtin, cf, func, memref, scf
from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseIntElementsAttr, DictionaryAttr, IndexType, IntegerAttr, VectorType, i1, i64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.traits import IsolatedFromAbove

from cogir.analysis.code_size import CodeSize
from cogir.analysis.signatures import OVER_LANES
from cogir.errors import LoweringError
from cogir.irutils import index_constant
from cogir.lowering.lower_affine import Arithmetic, lower_access, lower_index
from cogir.lowering.to_llvm.types import is_contiguous, memref_of

LOOP_HINT = "cog.loop"
"""Discardable attribute of a loop, and after this pass of its back edge: `{vectorize = i1, unroll = i64 ...}`."""

_STRUCTURED_DIALECTS = ("scf.", "affine.")


class ConvertScfToCf(ModulePass):
    """Lowers structured control flow to branches between blocks."""

    name = "convert-scf-to-cf"

    def apply(self, ctx: Context, op: builtin.ModuleOp) -> None:
        _spare_large_loops(op)
        pending: list[Operation] = [op]
        while pending:
            scope = pending.pop()
            for region in scope.regions:
                if region.first_block is not None:
                    pending.extend(_Scope(region).lower())
        _check_none_left(op)


_MANY_ACCESSES = 500
"""From so many memory accesses on, LLVM spends seconds on a loop in vain."""
_LEAVE_ALONE = DictionaryAttr({"vectorize": IntegerAttr(0, i1), "licm": IntegerAttr(0, i1)})


def _spare_large_loops(module: builtin.ModuleOp) -> None:
    """scf.while { 1,000 nodes }  ->  scf.while { 1,000 nodes } {cog.loop = {vectorize = false, licm = false}}, but for loops over lanes"""
    sizes = CodeSize(module)
    for function in module.body.block.ops:
        if OVER_LANES not in function.attributes and sizes.accesses_of(function) >= _MANY_ACCESSES:
            for op in function.walk():
                if isinstance(op, _LOOPS) and LOOP_HINT not in op.attributes and sizes.accesses_of(op) >= _MANY_ACCESSES:
                    op.attributes[LOOP_HINT] = _LEAVE_ALONE


_LOOPS = (scf.ForOp, scf.WhileOp, scf.ParallelOp, affine.ForOp, affine.ParallelOp)


def _check_none_left(module: builtin.ModuleOp) -> None:
    for op in module.walk():
        if op.name.startswith(_STRUCTURED_DIALECTS):
            raise LoweringError(f"convert-scf-to-cf: {op.name} is left, for which there is no lowering to branches")


class _Scope:
    """The region of one function (or of another operation that is isolated from above) while it is lowered."""

    def __init__(self, region: Region):
        self.region = region
        entry = region.first_block
        assert entry is not None
        self.entry = entry
        self.constants: dict[int, SSAValue] = {}
        self.pending = list(region.blocks)

    def lower(self) -> list[Operation]:
        """Lowers the region; returns the operations inside that are scopes of their own."""
        scopes: list[Operation] = []
        while self.pending:
            op = self.pending.pop().last_op
            while op is not None:
                previous = op.prev_op
                if (lower := _LOWERINGS.get(type(op))) is not None:
                    lower(self, op)
                elif isinstance(op, affine.LoadOp | affine.StoreOp | affine.VectorLoadOp | affine.VectorStoreOp):
                    access = lower_access(op, self.arithmetic_before(op))
                    assert access is not None
                    self.replace(op, access, access.results)
                elif isinstance(op, affine.ApplyOp | affine.MinOp):
                    value = lower_index(op, self.arithmetic_before(op))
                    assert value is not None
                    self.replace(op, None, (value,))
                elif op.regions:
                    if isinstance(op, func.FuncOp) or op.has_trait(IsolatedFromAbove):
                        scopes.append(op)
                    else:
                        self.pending.extend(block for region in op.regions for block in region.blocks)
                op = previous
        return scopes

    # -- pieces that the lowerings are made of

    def constant(self, value: int) -> SSAValue:
        """An index constant; there is one of each value, at the top of the function."""
        if value not in self.constants:
            op = index_constant(value)
            first = self.entry.first_op
            if first is None:
                self.entry.add_op(op)
            else:
                self.entry.insert_op_before(op, first)
            self.constants[value] = op.results[0]
        return self.constants[value]

    def arithmetic_before(self, op: Operation) -> Arithmetic:
        """Writes index arithmetic in front of `op`."""
        block = op.parent
        assert block is not None

        def emit(new: Operation) -> None:
            new.location = op.location
            block.insert_op_before(new, op)

        return Arithmetic(emit, self.constant)

    def replace(self, op: Operation, new: Operation | None, values: Sequence[SSAValue]) -> None:
        """Puts `new` in the place of `op`, whose results become `values`."""
        block = op.parent
        assert block is not None
        if new is not None:
            new.location = op.location
            block.insert_op_before(new, op)
        for result, value in zip(op.results, values, strict=True):
            result.replace_all_uses_with(value)
        op.detach()
        op.erase()

    def cut_after(self, op: Operation, arg_types: Sequence[Attribute] = ()) -> tuple[Block, Block]:
        """Ends the block of `op` behind it; returns that block, and a new one with the operations that came after."""
        before = op.parent
        assert before is not None
        after = Block(arg_types=arg_types)
        region = before.parent
        assert region is not None
        region.insert_block_after(after, before)
        following = op.next_op
        while following is not None:
            moved, following = following, following.next_op
            moved.detach()
            after.add_op(moved)
        return before, after

    def inline_before(self, target: Block, region: Region) -> None:
        """Moves the blocks of a region in front of `target`; they will be lowered too."""
        self.pending.extend(region.blocks)
        region.move_blocks_before(target)

    def drop(self, op: Operation) -> None:
        """Erases an operation whose results are no longer used."""
        op.detach()
        op.erase()


def _end_with_branch(block: Block, target: Block, hint: Attribute | None = None) -> None:
    """yield x  ->  cf.br ^target(x)"""
    terminator = block.last_op
    assert terminator is not None
    branch = cf.BranchOp.create(operands=terminator.operands, successors=[target])
    branch.location = terminator.location
    if hint is not None:
        branch.attributes[LOOP_HINT] = hint
    terminator.detach()
    terminator.erase()
    block.add_op(branch)


def _conditional_branch(
    condition: SSAValue, then: Block, then_args: Sequence[SSAValue], otherwise: Block, else_args: Sequence[SSAValue]
) -> cf.ConditionalBranchOp:
    return cf.ConditionalBranchOp(condition, then, then_args, otherwise, else_args)


def _take_over_results(op: Operation, values: Sequence[SSAValue]) -> None:
    for result, value in zip(op.results, values, strict=True):
        result.replace_all_uses_with(value)


def _branch_on(scope: _Scope, op: Operation, condition: SSAValue, then_region: Region, else_region: Region) -> None:
    """if c { A; yield x } else { B; yield y }; rest  ->  cond_br c, ^A, ^B;  ^A: br ^rest(x);  ^B: br ^rest(y)"""
    before, after = scope.cut_after(op, op.result_types)
    _take_over_results(op, after.args)
    then = then_region.block
    _end_with_branch(then, after)
    otherwise = else_region.first_block
    if otherwise is not None:
        _end_with_branch(otherwise, after)
    scope.inline_before(after, then_region)
    scope.inline_before(after, else_region)
    scope.drop(op)
    before.add_op(_conditional_branch(condition, then, (), otherwise if otherwise is not None else after, ()))


def _lower_if(scope: _Scope, op: scf.IfOp) -> None:
    _branch_on(scope, op, op.cond, op.true_region, op.false_region)


def _lower_affine_if(scope: _Scope, op: affine.IfOp) -> None:
    condition = scope.arithmetic_before(op).holds(op.condition.data, op.args)
    _branch_on(scope, op, condition, op.then_region, op.else_region)


@dataclass(frozen=True)
class _Count:
    """The counter of a loop: from `lower`, while less than `upper`, by `step`; all of one integer or index type."""

    lower: SSAValue
    upper: SSAValue
    step: SSAValue


def _loop(scope: _Scope, op: Operation, count: _Count, initial: Sequence[SSAValue], body_region: Region) -> None:
    """
    for i = lo to hi step s iter_args(x = x0) { A; yield y }; rest
    ->  br ^head(lo, x0);  ^head(i, x): cond_br i < hi, ^A, ^rest;  ^A: br ^head(i + s, y)
    """
    before, after = scope.cut_after(op)
    body = body_region.block
    head = Block(arg_types=body.arg_types)
    region = before.parent
    assert region is not None
    region.insert_block_before(head, after)
    for old, new in zip(body.args, head.args, strict=True):
        new.name_hint = old.name_hint
        old.replace_all_uses_with(new)
    for old in reversed(body.args):
        body.erase_arg(old)
    _take_over_results(op, head.args[1:])
    position = head.args[0]
    inside = arith.CmpiOp.create(operands=[position, count.upper], result_types=[i1], properties={"predicate": IntegerAttr(2, 64)})
    head.add_op(inside)
    head.add_op(_conditional_branch(inside.results[0], body, (), after, ()))
    terminator = body.last_op
    assert terminator is not None
    advance = arith.AddiOp(position, count.step)
    body.insert_op_before(advance, terminator)
    terminator.operands = [advance.result, *terminator.operands]
    hint = op.attributes.get(LOOP_HINT)
    _end_with_branch(body, head, hint)
    scope.inline_before(after, body_region)
    scope.drop(op)
    before.add_op(cf.BranchOp.create(operands=[count.lower, *initial], successors=[head]))


def _lower_for(scope: _Scope, op: scf.ForOp) -> None:
    _loop(scope, op, _Count(op.lb, op.ub, op.step), op.iter_args, op.body)


def _lower_affine_for(scope: _Scope, op: affine.ForOp) -> None:
    arithmetic = scope.arithmetic_before(op)
    lower = arithmetic.largest(arithmetic.results(op.lowerBoundMap.data, op.lowerBoundOperands))
    upper = arithmetic.smallest(arithmetic.results(op.upperBoundMap.data, op.upperBoundOperands))
    step = scope.constant(cast("IntegerAttr[Any]", op.step).value.data)
    _loop(scope, op, _Count(lower, upper, step), op.inits, op.body)


def _lower_while(scope: _Scope, op: scf.WhileOp) -> None:
    """
    while (a = a0) { A; condition(c) v } do { (b): B; yield w }; rest
    ->  br ^A(a0);  ^A(a): cond_br c, ^B, ^rest;  ^B: br ^A(w)     with v for b and for the results
    """
    before, after = scope.cut_after(op)
    head, body = op.before_region.block, op.after_region.block
    condition = head.last_op
    if not isinstance(condition, scf.ConditionOp):
        raise LoweringError("convert-scf-to-cf: the first region of scf.while does not end with scf.condition")
    forwarded = list(condition.args)
    for old, value in zip(body.args, forwarded, strict=True):
        old.replace_all_uses_with(value)
    for old in reversed(body.args):
        body.erase_arg(old)
    _take_over_results(op, forwarded)
    _end_with_branch(body, head, op.attributes.get(LOOP_HINT))
    branch = _conditional_branch(condition.condition, body, (), after, ())
    branch.location = condition.location
    condition.detach()
    condition.erase()
    head.add_op(branch)
    initial = list(op.arguments)
    scope.inline_before(after, op.before_region)
    scope.inline_before(after, op.after_region)
    scope.drop(op)
    before.add_op(cf.BranchOp.create(operands=initial, successors=[head]))


def _lower_index_switch(scope: _Scope, op: scf.IndexSwitchOp) -> None:
    """index_switch k { case n: A; yield x ... }; rest  ->  cf.switch k [n: ^A ...];  ^A: br ^rest(x)"""
    before, after = scope.cut_after(op, op.result_types)
    _take_over_results(op, after.args)
    regions = [op.default_region, *op.case_regions]
    blocks = [region.block for region in regions]
    for block in blocks:
        _end_with_branch(block, after)
    for region in regions:
        scope.inline_before(after, region)
    cases = list(op.cases.iter_values())
    values = DenseIntElementsAttr.from_list(VectorType(i64, [len(cases)]), cases) if cases else None
    flag = arith.IndexCastOp(op.arg, i64)
    scope.drop(op)
    before.add_op(flag)
    before.add_op(cf.SwitchOp(flag, blocks[0], (), values, blocks[1:], [()] * len(cases)))


def _lower_execute_region(scope: _Scope, op: scf.ExecuteRegionOp) -> None:
    """execute_region { ^A ...: yield x }; rest  ->  br ^A;  ...: br ^rest(x)"""
    before, after = scope.cut_after(op, op.result_types)
    _take_over_results(op, after.args)
    first = op.region.first_block
    assert first is not None
    for block in op.region.blocks:
        if isinstance(block.last_op, scf.YieldOp):
            _end_with_branch(block, after)
    scope.inline_before(after, op.region)
    scope.drop(op)
    before.add_op(cf.BranchOp.create(successors=[first]))


def _nest(
    scope: _Scope,
    op: Operation,
    counts: Sequence[_Count],
    initial: Sequence[SSAValue],
    body: Block,
    reduce: Callable[[Operation, Sequence[SSAValue]], Sequence[SSAValue]],
) -> None:
    """
    parallel (i, j) = ... { A; reduce }  ->  for i ... { for j ... { A; acc' = reduction(acc, x); yield acc' } }

    `reduce` gets the terminator of the body and the values reduced so far; it writes the reductions in front of
    the terminator and returns their outcome.
    """
    carried = list(initial)
    types = [value.type for value in initial]
    outermost: scf.ForOp | None = None
    enclosing: Block | None = None
    indices: list[SSAValue] = []
    for depth, count in enumerate(counts):
        innermost = depth == len(counts) - 1
        block = Block(arg_types=[IndexType(), *types])
        indices.append(block.args[0])
        loop = scf.ForOp(count.lower, count.upper, count.step, carried, block)
        loop.location = op.location
        if innermost and LOOP_HINT in op.attributes:
            loop.attributes[LOOP_HINT] = op.attributes[LOOP_HINT]
        if enclosing is None:
            outermost = loop
        else:
            enclosing.add_op(loop)
            enclosing.add_op(scf.YieldOp(*loop.results))
        enclosing = block
        carried = list(block.args[1:])
    assert outermost is not None
    assert enclosing is not None
    for old, new in zip(body.args, indices, strict=True):
        old.replace_all_uses_with(new)
    for moved in list(body.ops):
        moved.detach()
        enclosing.add_op(moved)
    terminator = enclosing.last_op
    assert terminator is not None
    outcome = reduce(terminator, carried)
    terminator.detach()
    terminator.erase()
    enclosing.add_op(scf.YieldOp(*outcome))
    scope.replace(op, outermost, outermost.results)
    _lower_for(scope, outermost)


def _reduce(terminator: Operation, carried: Sequence[SSAValue]) -> list[SSAValue]:
    """reduce(x : { (acc, e): R; return r })  ->  R with acc and x for e;  r"""
    outcome: list[SSAValue] = []
    assert isinstance(terminator, scf.ReduceOp)
    block = terminator.parent
    assert block is not None
    for value, accumulated, region in zip(terminator.args, carried, terminator.reductions, strict=True):
        reduction = region.block
        reduction.args[0].replace_all_uses_with(accumulated)
        reduction.args[1].replace_all_uses_with(value)
        for moved in list(reduction.ops):
            moved.detach()
            if isinstance(moved, scf.ReduceReturnOp):
                outcome.append(moved.result)
                moved.erase()
            else:
                block.insert_op_before(moved, terminator)
    return outcome


def _lower_parallel(scope: _Scope, op: scf.ParallelOp) -> None:
    counts = [_Count(*bounds) for bounds in zip(op.lowerBound, op.upperBound, op.step, strict=True)]
    _nest(scope, op, counts, op.initVals, op.body.block, _reduce)


def _lower_affine_parallel(scope: _Scope, op: affine.ParallelOp) -> None:
    if op.results:
        raise LoweringError(
            "convert-scf-to-cf: affine.parallel with reductions is not lowered; use scf.parallel with scf.reduce, "
            "or affine.for with iter_args"
        )
    arithmetic = scope.arithmetic_before(op)
    lower_map, upper_map = op.lowerBoundsMap.data, op.upperBoundsMap.data
    lower_count = lower_map.num_dims + lower_map.num_symbols
    lowers = arithmetic.results(lower_map, op.map_operands[:lower_count])
    uppers = arithmetic.results(upper_map, op.map_operands[lower_count:])
    counts: list[_Count] = []
    groups = zip(op.lowerBoundsGroups.get_values(), op.upperBoundsGroups.get_values(), op.steps, strict=True)
    for lower_size, upper_size, step in groups:
        lower, lowers = arithmetic.largest(lowers[:lower_size]), lowers[lower_size:]
        upper, uppers = arithmetic.smallest(uppers[:upper_size]), uppers[upper_size:]
        counts.append(_Count(lower, upper, scope.constant(step.value.data)))
    _nest(scope, op, counts, (), op.body.block, lambda terminator, carried: ())


def _lower_copy(scope: _Scope, op: memref.CopyOp) -> None:
    """memref.copy a to b, not both contiguous  ->  for i ... { for j ... { b[i, j] = a[i, j] } }"""
    source, target = memref_of(op.source.type), memref_of(op.destination.type)
    if is_contiguous(source) and is_contiguous(target):
        return
    rank = source.get_num_dims()
    body = Block(arg_types=[IndexType()] * rank)
    load = memref.LoadOp.get(op.source, body.args)
    body.add_ops([load, memref.StoreOp.get(load, op.destination, body.args), scf.ReduceOp()])
    counts: list[_Count] = []
    for axis, extent in enumerate(source.get_shape()):
        extent = extent if extent != DYNAMIC_INDEX else target.get_shape()[axis]
        if extent == DYNAMIC_INDEX:
            raise LoweringError(f"convert-scf-to-cf: memref.copy from {source} to {target}: strided copies need static sizes")
        counts.append(_Count(scope.constant(0), scope.constant(extent), scope.constant(1)))
    _nest(scope, op, counts, (), body, lambda terminator, carried: ())


_LOWERINGS: dict[type[Operation], Callable[[_Scope, Any], None]] = {
    scf.ForOp: _lower_for,
    scf.WhileOp: _lower_while,
    scf.IfOp: _lower_if,
    scf.IndexSwitchOp: _lower_index_switch,
    scf.ExecuteRegionOp: _lower_execute_region,
    scf.ParallelOp: _lower_parallel,
    affine.ForOp: _lower_affine_for,
    affine.IfOp: _lower_affine_if,
    affine.ParallelOp: _lower_affine_parallel,
    memref.CopyOp: _lower_copy,
}
