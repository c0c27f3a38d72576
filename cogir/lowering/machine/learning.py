"""
What a model is to learn, as functions: the loss of a trial, and what an optimizer makes of its derivatives.

```mlir
func.func @loss(%pf {cog.learned = [[offset, size], ...]}, %pi, %in) -> (%out, %loss)
func.func @optimize(%pf, %pi, %sum, %losses: f64, %trials: f64, %sf, %si) -> (%pf', %sf', %si', %loss)
```

`differentiate` makes `@gradient` of the first. The second takes the sums of derivatives and losses of a batch of trials; the learned
matrices are one vector for the optimizer, as they are for `@gradient`: in the order of `cog.learn`, each row by row.
"""

from __future__ import annotations

from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import TensorType, f32, f64
from xdsl.ir import Attribute, SSAValue

from cogir.analysis.layout import Buffer, Layout, Slot
from cogir.dialects import cog
from cogir.errors import ModelError
from cogir.irutils import element_type_of
from cogir.lowering.gradient.differentiate import fixed
from cogir.lowering.machine.buffer_access import store_words, words
from cogir.lowering.machine.emitter import BlockEmitter
from cogir.lowering.machine.functions import ModuleFunctions
from cogir.lowering.machine.nodes import port_path
from cogir.lowering.machine.plan import InstancePlan
from cogir.lowering.machine.state import MachineState
from cogir.lowering.machine.tensors import add, elementwise, with_elements
from cogir.model.graph import Port

OPTIMIZE = "optimize"


def learning_of(plan: InstancePlan) -> cog.LearnOp:
    """The learning of the model of a plan."""
    op = plan.model.learning
    if op is None:
        raise ModelError(f'model "{plan.model.sym_name.data}" has no cog.learn, so it cannot learn; add one')
    return op


class Learning:
    """One `cog.learn` of the model that is converted."""

    def __init__(self, plan: InstancePlan, layout: Layout, op: cog.LearnOp):
        self.plan, self.layout, self.op = plan, layout, op
        self.owner = op.sym_name.data
        if layout.generators:
            raise ModelError(
                f'learning "{self.owner}": the model draws random numbers ({layout.generators[0]}), through which learning is not '
                "supported; remove the draws"
            )
        self.matrices = self._matrices()
        layout.learned = [slot.path for slot in self.matrices]
        pairs = zip(self.matrices, op.learned, strict=True)
        layout.named = [slot.path for slot, learned in pairs if cog.NAMED_WEIGHTS in learned.attributes]
        self.ranges = [(slot.offset, slot.size) for slot in self.matrices]
        self.vector = TensorType(f64, (sum(slot.size for slot in self.matrices),))

    def _matrices(self) -> list[Slot]:
        """The slots of the learned matrices."""
        ends = {(each.source, each.target): each for each in self.plan.graph.projections}
        found: list[Slot] = []
        for learned in self.op.learned:
            (sender, sent), (receiver, received) = learned.ends(self.plan.model.symbols)
            projection = ends[Port(sender, sent), Port(receiver, received)]
            found.append(self.layout[self.plan.paths.matrix(projection.name)])
        return found

    def loss(self, state: MachineState) -> SSAValue:
        """The sum of the losses of a trial that has just been emitted."""
        total: SSAValue | None = None
        for op in self.op.losses:
            values: list[SSAValue] = []
            for node, port in ((op.sample, op.sample_port), (op.target, op.target_port)):
                name, _ = cog.resolve_port(op, node, port, self.plan.model.symbols, output=True)
                values.append(state.read(port_path(self.plan, Port(node.string_value(), name))))
            sample, target = values
            number: Attribute = f32 if element_type_of(sample.type) == f32 else f64
            (one,) = state.emitter.call(op.function.string_value(), [sample, fixed(state.emitter, target)], [number])
            one = with_elements(state.emitter, one, f64)
            total = one if total is None else add(state.emitter, total, one)
        assert total is not None
        total.name_hint = "loss"
        return total

    def define_optimizer(self, functions: ModuleFunctions) -> None:
        """`@optimize`."""

        def buffer(name: Buffer) -> tuple[str, Attribute]:
            return name, self.layout.type_of(name)

        arguments = [buffer("pf"), buffer("pi"), ("sum", self.vector), ("losses", f64), ("trials", f64), buffer("sf"), buffer("si")]
        functions.define(OPTIMIZE, arguments, self._optimize, private=False, updates={0: 0, 5: 1, 6: 2})

    def _optimize(self, emitter: BlockEmitter, arguments: list[SSAValue]) -> list[SSAValue]:
        pf, pi, total, losses, trials, sf, si = arguments
        state = MachineState(emitter, self.layout, {"pf": pf, "pi": pi, "sf": sf, "si": si}, {}, cached=True)
        if self.op.over.data == cog.Over.MEAN:

            def divide(inner: BlockEmitter, each: list[SSAValue]) -> SSAValue:
                return inner.value(arith.DivfOp(each[0], each[1]))

            total = elementwise(emitter, total.type, [total, trials], divide, "mean")
            losses = emitter.value(arith.DivfOp(losses, trials), "loss")
        weights = emitter.value(tensor.EmptyOp((), self.vector), "weights")
        start = 0
        for slot in self.matrices:
            weights = store_words(emitter, weights, start, words(emitter, pf, slot.offset, slot.size))
            start += slot.size
        params = [state.read(self.plan.paths.slot(self.owner, "param", name)) for name, _ in self.op.params]
        states = [self.plan.paths.slot(self.owner, "state", name) for name, _ in self.op.states]
        given = [weights, total, *params, *map(state.read, states)]
        types = [self.vector, *(self.layout[path].type for path in states)]
        weights, *after = emitter.call(self.op.optimizer.string_value(), given, types)
        for path, value in zip(states, after, strict=True):
            state.write(path, value)
        state.save()
        start = 0
        for slot in self.matrices:
            learned = words(emitter, weights, start, slot.size)
            if element_type_of(slot.type) == f32:
                learned = with_elements(emitter, with_elements(emitter, learned, f32), f64)
            pf = store_words(emitter, pf, slot.offset, learned)
            start += slot.size
        return [pf, state.buffers["sf"], state.buffers["si"], losses]
