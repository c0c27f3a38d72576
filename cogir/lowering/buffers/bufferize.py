"""
From values to memory: tensors and generator states become buffers that are updated in place.

Before: stage `machine`: `func`, `scf`, `arith`, `math`, `linalg` and `tensor` on tensors of static shape, `rng`.
After:  no tensor and no `!rng.state` is left. A tensor argument is a memref that is only read, or, with
        `cog.updates = k`, updated in place in the stead of result k (`cog.access` says which); other tensor results
        are written to destinations, which follow the arguments; scalars stay results. A generator's state is
        `memref<Wxi64, strided<[1], offset: ?>>`, and a draw is a call `@cogir_rng_<kind>_<draw>(state, ...)` that
        moves it on; draws of several numbers loop in row-major order.

`cogir.analysis.in_place` decides where every value lives; this file only writes that down. Temporaries are allocated
once, at the start of the function, never in a loop: on the stack, or on the heap where they are large or many.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import cast

from xdsl.context import Context
from xdsl.dialects import arith, func, memref, scf, tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ModuleOp,
    TensorType,
)
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.dialects.utils import get_dynamic_index_list
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass

from cogir.analysis.buffer_views import Root, RootKind
from cogir.analysis.in_place import plan_function
from cogir.analysis.memory_plan import is_buffered, is_empty, is_scalar_only, reads_output
from cogir.analysis.signatures import called_functions, callees_first, module_updates
from cogir.dialects.rng import DRAW_PREFIX, FromWordsOp, IntegerOp, NormalOp, SampleOp, SeedOp, StateType, ToWordsOp, UniformOp
from cogir.errors import LoweringError
from cogir.irutils import constant_int, element_type_of, projected_dims, shape_of
from cogir.lowering.buffers.emission import Transfer
from cogir.lowering.buffers.module import Constants, Draws, signature_of
from cogir.lowering.buffers.values import BufferedFunction


class FunctionRewriter(BufferedFunction):
    """Rewrites one function in program order; what is replaced is erased at the end."""

    def run(self) -> None:
        entry = self.function.body.block
        self.rewrite_signature()
        for argument, type in zip(self.arguments, self.signature.arguments, strict=True):
            if argument in self.plan.place:
                buffer = entry.insert_arg(type, argument.index)
                buffer.name_hint = argument.name_hint
                self.roots[self.plan.place[argument].root] = buffer
                self.dead_arguments.append(argument)
        self.destinations = {number: entry.insert_arg(type, len(entry.args)) for number, type in self.signature.destinations.items()}
        self.rewrite_block(entry)
        self.erase_the_dead()

    # The walk.

    def rewrite_block(self, block: Block) -> None:
        first = cast(Operation, block.first_op)
        self.emit.anchor = first
        for argument in block.args:
            if argument in self.plan.place:
                self.bind(argument)
        for op in list(block.ops):
            if op not in self.done:
                self.emit.anchor = op
                self.rewrite(op)

    def rewrite(self, op: Operation) -> None:
        if is_scalar_only(type(op)):
            return
        match op:
            case arith.ConstantOp() | arith.SelectOp() if not is_buffered(op.result.type):
                return
            case arith.ConstantOp() | tensor.EmptyOp():
                self.bind(op.results[0])
            case arith.SelectOp():
                self.rewrite_select(op)
            case tensor.ExtractOp():
                op.result.replace_all_uses_with(self.emit.load(self.buffer(op.tensor), op.indices))
            case tensor.DimOp():
                axis = cast(int, constant_int(op.index))
                op.result.replace_all_uses_with(self.emit.index(shape_of(op.source.type)[axis]))
            case tensor.ExtractSliceOp():
                self.rewrite_extract_slice(op)
            case tensor.ExpandShapeOp() | tensor.CollapseShapeOp() | tensor.CastOp() | tensor.ReshapeOp():
                self.rewrite_reshape(op)
            case tensor.InsertOp():
                self.prepare_write(op.dest, op.result)
                self.emit.store(op.scalar, self.buffer(op.result), op.indices)
                self.bind(op.result)
            case tensor.InsertSliceOp():
                self.rewrite_insert_slice(op)
            case tensor.FromElementsOp():
                buffer = self.buffer(op.result)
                for element, index in zip(op.elements, product(*map(range, shape_of(op.result.type))), strict=True):
                    self.emit.store(element, buffer, [self.emit.index(position) for position in index])
                self.bind(op.result)
            case tensor.SplatOp():
                self.emit.fill(op.input, self.buffer(op.result))
                self.bind(op.result)
            case tensor.ConcatOp():
                self.rewrite_concat(op)
            case LinalgStructuredOperation() if op.results:
                self.rewrite_structured(op)
            case SeedOp():
                kind = op.state.type.kind.data
                draw = {1: "seed", 3: "keyed", 4: "keyed4"}[len(op.key)]
                self.emit.add(self.draws.call(f"{DRAW_PREFIX}{kind}_{draw}", [*op.key, self.buffer(op.state)], []))
                self.bind(op.state)
            case ToWordsOp():
                for number, word in enumerate(op.words):
                    word.replace_all_uses_with(self.emit.load(self.buffer(op.state), [self.emit.index(number)]))
            case FromWordsOp():
                for number, word in enumerate(op.words):
                    self.emit.store(word, self.buffer(op.state), [self.emit.index(number)])
                self.bind(op.state)
            case UniformOp():
                self.rewrite_draw(op, "uniform", [])
            case NormalOp():
                self.rewrite_draw(op, "normal", [])
            case IntegerOp():
                self.rewrite_draw(op, "integer", [op.below])
            case SampleOp():
                self.rewrite_draw(op, op.distribution.data, op.parameters)
            case func.CallOp():
                if not any(is_buffered(type) for type in (*op.operand_types, *op.result_types)):
                    return
                self.rewrite_call(op)
            case scf.ForOp():
                self.rewrite_for(op)
                return
            case scf.WhileOp():
                self.rewrite_while(op)
                return
            case scf.IfOp() | scf.IndexSwitchOp():
                self.rewrite_branches(op)
                return
            case func.ReturnOp():
                self.rewrite_return(op)
            case _:
                return
        self.dead_ops.append(op)

    def rewrite_select(self, op: arith.SelectOp) -> None:
        """select c, a, b  ->  copy the one that is chosen"""
        target = self.buffer(op.result)
        branches = [Region(Block([memref.CopyOp(self.buffer(value), target), scf.YieldOp()])) for value in (op.lhs, op.rhs)]
        self.emit.add(scf.IfOp(op.cond, [], branches[0], branches[1]))
        self.bind(op.result)

    def rewrite_reshape(self, op: Operation) -> None:
        source, result = op.operands[0], op.results[0]
        if self.plan.place[result].root is self.plan.place[source].root:
            self.bind(result, self.emit.reshape(self.buffer(source), shape_of(result.type)))
        else:
            target = self.buffer(result)
            self.emit.copy(self.buffer(source), self.emit.reshape(target, shape_of(source.type)))
            self.bind(result)

    def rewrite_insert_slice(self, op: tensor.InsertSliceOp) -> None:
        self.prepare_write(op.dest, op.result)
        sizes, strides = op.static_sizes.get_values(), op.static_strides.get_values()
        if op not in self.plan.written_already:
            offsets = get_dynamic_index_list(op.static_offsets.get_values(), op.offsets, DYNAMIC_INDEX)
            shape = shape_of(op.source.type)
            part = self.emit.subview(self.buffer(op.result), offsets, sizes, strides, shape)
            if not is_empty(op.source):
                self.copy_content(op.source, part)
        self.bind(op.result)

    def rewrite_concat(self, op: tensor.ConcatOp) -> None:
        axis, start, target = op.dim.value.data, 0, self.buffer(op.result)
        for value in op.inputs:
            shape = shape_of(value.type)
            offsets = [start if position == axis else 0 for position in range(len(shape))]
            self.copy_content(value, self.emit.subview(target, offsets, shape, [1] * len(shape), shape))
            start += shape[axis]
        self.bind(op.result)

    def rewrite_structured(self, op: LinalgStructuredOperation) -> None:
        first_output = len(op.inputs)
        for number, (old, new) in enumerate(zip(op.outputs, op.results, strict=True)):
            self.prepare_write(old, new, reads_output(op, number) or not self.covers_output(op, number))
        operands = [self.buffer(value) if is_buffered(value.type) else value for value in op.operands[:first_output]]
        operands += [self.buffer(result) for result in op.results]
        body = op.detach_region(op.body)
        self.emit.add(
            type(op).create(operands=operands, properties=op.properties, attributes=op.attributes, regions=[body], result_types=[])
        )
        anchor = self.emit.anchor
        self.rewrite_block(body.block)
        self.emit.anchor = anchor
        for result in op.results:
            self.bind(result)

    def covers_output(self, op: LinalgStructuredOperation, number: int) -> bool:
        """True if every element of the output is written."""
        return projected_dims(op.get_indexing_maps().data[len(op.inputs) + number].data) is not None

    def rewrite_draw(self, op: UniformOp | NormalOp | IntegerOp | SampleOp, draw: str, extra: Sequence[SSAValue]) -> None:
        """One call per number; a tensor is filled in row-major order."""
        self.prepare_write(op.state, op.next_state)
        state = self.buffer(op.next_state)
        name = f"{DRAW_PREFIX}{cast(StateType, op.state.type).kind.data}_{draw}"
        operands, element = [state, *extra], element_type_of(op.value.type)
        if isinstance(op.value.type, TensorType):
            target = self.buffer(op.value)

            def draw_one(indices: Sequence[SSAValue]) -> None:
                call = self.emit.add(self.draws.call(name, operands, [element]))
                self.emit.store(call.results[0], target, indices)

            self.emit.for_each_element(shape_of(SSAValue.get(op.value).type), draw_one)
            self.bind(op.value)
        else:
            call = self.emit.add(self.draws.call(name, operands, [element]))
            op.value.replace_all_uses_with(call.results[0])
        self.bind(op.next_state)

    def rewrite_call(self, op: func.CallOp) -> None:
        signature = self.signatures[op.callee.string_value()]
        updated = {argument: op.results[result] for result, argument in signature.updates.items()}
        operands: list[SSAValue] = []
        for number, operand in enumerate(op.arguments):
            if not is_buffered(operand.type):
                operands.append(operand)
                continue
            value = operand
            if number in updated:
                self.prepare_write(operand, updated[number])
                value = updated[number]
            operands.append(self.emit.cast(self.in_one_piece(value), signature.arguments[number]))
        for number, type in signature.destinations.items():
            operands.append(self.emit.cast(self.buffer(op.results[number]), type))
        results = list(signature.results.values())
        call = self.emit.add(
            func.CallOp.create(operands=operands, result_types=results, properties={"callee": op.callee}, attributes=op.attributes)
        )
        for number, new in zip(signature.results, call.results, strict=True):
            op.results[number].replace_all_uses_with(new)
        for result in op.results:
            if is_buffered(result.type):
                self.bind(result)

    def in_one_piece(self, value: SSAValue) -> SSAValue:
        """The buffer of a value that is handed to a function, copied together if it has gaps."""
        if self.plan.place[value].is_contiguous:
            return self.buffer(value)
        packed = self.emit.allocate(value.type, value.name_hint)
        self.emit.copy(self.buffer(value), packed)
        return packed

    # Control flow: what is memory is neither carried nor returned.

    def scalars(self, values: Sequence[SSAValue]) -> list[SSAValue]:
        return [value for value in values if not is_buffered(value.type)]

    def rewrite_terminator(
        self, block: Block, transfers: Sequence[tuple[SSAValue, SSAValue, SSAValue]], known: Sequence[SSAValue] = ()
    ) -> None:
        """
        At the end of a block: copies what does not live yet where it is expected, then leaves with the scalars.

        A transfer is (the value, the value that it becomes, the buffer of that).
        """
        terminator = cast(Operation, block.last_op)
        self.emit.anchor = terminator
        needed: list[Transfer] = []
        for source, target, buffer in transfers:
            needed += self.transfer(source, self.plan.place[target], buffer)
        self.emit.transfer_all(needed)
        scalars = self.scalars(terminator.operands)
        if len(scalars) != len(terminator.operands):
            if isinstance(terminator, scf.ConditionOp):
                self.emit.add(scf.ConditionOp(scalars[0], *scalars[1:]))
            else:
                self.emit.add(scf.YieldOp(*scalars))
            self.dead_ops.append(terminator)

    def replace_region_op(self, op: Operation, new: Operation) -> None:
        """Puts `new` in the place of `op`, which gave its regions to it, and binds the results."""
        self.emit.anchor = op
        new.attributes |= op.attributes
        self.emit.add(new)
        scalars = [result for result in op.results if not is_buffered(result.type)]
        for old, fresh in zip(scalars, new.results, strict=True):
            old.replace_all_uses_with(fresh)
        self.dead_ops.append(op)
        for result in op.results:
            if is_buffered(result.type):
                self.bind(result)

    def drop_buffered_arguments(self, block: Block) -> None:
        self.dead_arguments += [argument for argument in block.args if is_buffered(argument.type)]

    def rewrite_for(self, op: scf.ForOp) -> None:
        body = op.body.block
        carried = [
            (initial, argument, result)
            for initial, argument, result in zip(op.iter_args, body.args[1:], op.results, strict=True)
            if is_buffered(argument.type)
        ]
        for initial, argument, result in carried:
            self.prepare_write(initial, argument)
            self.buffers[result] = self.buffer(argument)
        self.rewrite_block(body)
        yielded = cast(Operation, body.last_op).operands
        self.rewrite_terminator(
            body,
            [
                (value, argument, self.buffer(argument))
                for value, argument in zip(yielded, body.args[1:], strict=True)
                if is_buffered(argument.type)
            ],
        )
        if carried:
            self.drop_buffered_arguments(body)
            region = op.detach_region(op.body)
            self.replace_region_op(op, scf.ForOp(op.lb, op.ub, op.step, self.scalars(op.iter_args), region))

    def rewrite_while(self, op: scf.WhileOp) -> None:
        before, after = op.before_region.block, op.after_region.block
        carried = [argument for argument in before.args if is_buffered(argument.type)]
        for initial, argument in zip(op.arguments, before.args, strict=True):
            if is_buffered(argument.type):
                self.prepare_write(initial, argument)
                self.buffer(argument)
        self.emit.anchor = op
        for argument, result in zip(after.args, op.results, strict=True):
            if is_buffered(argument.type):
                self.buffers[argument] = self.buffers[result] = self.buffer_at(argument, carried)
        self.rewrite_block(before)
        forwarded = cast(scf.ConditionOp, before.last_op).args
        self.rewrite_terminator(before, self.meetings(forwarded, after.args))
        self.rewrite_block(after)
        self.rewrite_terminator(after, self.meetings(cast(Operation, after.last_op).operands, before.args))
        if any(is_buffered(type) for type in (*op.operand_types, *op.result_types)):
            self.drop_buffered_arguments(before)
            self.drop_buffered_arguments(after)
            types = [type for type in op.result_types if not is_buffered(type)]
            regions = [op.detach_region(region) for region in (op.before_region, op.after_region)]
            self.replace_region_op(op, scf.WhileOp(self.scalars(op.arguments), types, regions[0], regions[1]))

    def meetings(self, values: Sequence[SSAValue], targets: Sequence[SSAValue]) -> list[tuple[SSAValue, SSAValue, SSAValue]]:
        """The transfers from values to the block arguments or results that they become."""
        return [(value, target, self.buffer(target)) for value, target in zip(values, targets, strict=True) if is_buffered(target.type)]

    def rewrite_branches(self, op: scf.IfOp | scf.IndexSwitchOp) -> None:
        self.emit.anchor = op
        for result in op.results:
            if is_buffered(result.type):
                self.buffers[result] = self.buffer_at(result)
        regions = [region for region in op.regions if region.blocks]
        for region in regions:
            self.rewrite_block(region.block)
            self.rewrite_terminator(region.block, self.meetings(cast(Operation, region.block.last_op).operands, op.results))
        if not any(is_buffered(type) for type in op.result_types):
            return
        types = [type for type in op.result_types if not is_buffered(type)]
        detached = [op.detach_region(region) for region in list(op.regions)]
        if isinstance(op, scf.IfOp):
            new: Operation = scf.IfOp(op.cond, types, detached[0], detached[1])
        else:
            new = scf.IndexSwitchOp(op.arg, op.cases, detached[0], detached[1:], types)
        self.replace_region_op(op, new)

    def rewrite_return(self, op: func.ReturnOp) -> None:
        needed: list[Transfer] = []
        for number, value in enumerate(op.arguments):
            if not is_buffered(value.type):
                continue
            updated = self.signature.updates.get(number)
            if updated is not None:
                argument = self.plan.place[self.arguments[updated]]
                needed += self.transfer(value, argument, self.roots[argument.root])
            elif self.plan.place[value].root.destination != number:
                # The destination is memory of its own: a fresh root stands for it.
                target = Root(RootKind.FRESH, value.type, True, None)
                needed += self.transfer(value, target.whole(), self.destinations[number])
        self.emit.transfer_all(needed)
        for buffer in self.emit.on_heap:
            self.emit.add(memref.DeallocOp.get(buffer))
        self.emit.add(func.ReturnOp(*self.scalars(op.arguments)))


@dataclass(frozen=True)
class Bufferize(ModulePass):
    """Turns tensors and generator states into memory that is updated in place."""

    name = "bufferize"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        functions = callees_first(op)
        updates = module_updates(op)
        callees = {function: set(called_functions(function)) for function in functions}
        called = set[str]().union(*callees.values())
        signatures = {
            function.sym_name.data: signature_of(function, updates[function.sym_name.data], function.sym_name.data in called)
            for function in functions
        }
        declared = {function.sym_name.data: function for function in functions if function.is_declaration}
        constants, draws = Constants(op), Draws(op, dict(declared))
        on_stack: dict[str, int] = {}
        for function in functions:
            if function.is_declaration:
                if any(is_buffered(type) for type in (*function.function_type.inputs, *function.function_type.outputs)):
                    raise LoweringError(
                        f"bufferize: @{function.sym_name.data} has no body and takes tensors; only functions on scalars can be external"
                    )
                continue
            plan = plan_function(function, updates)
            below = max((on_stack.get(callee, 0) for callee in callees[function]), default=0)
            rewriter = FunctionRewriter(function, plan, signatures, constants, draws, below)
            rewriter.run()
            on_stack[function.sym_name.data] = rewriter.emit.on_stack
        body = op.body.block
        for new in (*constants.globals, *(f for name, f in draws.declared.items() if name not in declared)):
            body.add_op(new)
