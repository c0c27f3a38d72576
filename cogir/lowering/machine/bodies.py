"""
The body of a node (or the function of a projection): copied to where it runs, or called when many nodes share it.

```mlir
%n7, %s7 = func.call @n1_node(%pf_part, %n2, %n5, %s)   // one call: matrices, sum of what arrives, body
```

Nodes are of one kind when their bodies are the same and they receive the same: as many projections through matrices of the
same shapes. A kind of which a model has many becomes a function that also gathers the inputs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Block, SSAValue

from cogir.analysis.layout import Buffer, Slot
from cogir.dialects.cog import NodeOp, YieldOp
from cogir.irutils import element_type_of, shape_of
from cogir.lowering.machine.buffer_access import load
from cogir.lowering.machine.emitter import BlockEmitter, is_tensor
from cogir.lowering.machine.functions import ModuleFunctions, body_key, count_operations, inline
from cogir.lowering.machine.state import MachineState
from cogir.lowering.machine.tensors import as_type, joined, vector_times_matrix
from cogir.model.graph import Executable, InputPort, Projection

CROWD = 4
"""A body that stands at least so often in a model becomes a function of its own."""

SMALL_BODY = 3
"""A body that, with reading its parameters, takes no more operations than this is copied even then."""


@dataclass(frozen=True)
class FromBuffer:
    """A parameter that nothing modulates: it is read from its buffer."""

    slot: Slot


Parameter = SSAValue | FromBuffer


@dataclass(frozen=True)
class MatrixProduct:
    """The value that a projection sends through its matrix, not computed yet."""

    vector: SSAValue
    matrix: Slot


@dataclass(frozen=True)
class Gathered:
    """An input, not computed yet: what arrives at the port, in order."""

    port: InputPort
    terms: Sequence[SSAValue | MatrixProduct]


Input = SSAValue | Gathered


@dataclass(frozen=True)
class _Window:
    """Neighbouring words of a buffer that hold all parameters and matrices which a shared body reads itself."""

    buffer: Buffer
    start: int
    size: int


class Bodies:
    """Emits bodies; knows which of them are shared."""

    def __init__(self, functions: ModuleFunctions, executables: Sequence[Executable], projections: Sequence[Projection]):
        """`executables` and `projections` are those of all places at which a model stands."""
        self.functions = functions
        nodes = [(executable, executable.op.body.block) for executable in executables if isinstance(executable.op, NodeOp)]
        blocks = [*(block for _, block in nodes), *(p.op.body.block for p in projections if p.op.body is not None)]
        self.keys: dict[Block, Hashable] = {block: body_key(block) for block in dict.fromkeys(blocks)}
        self.crowd = Counter(self.keys[block] for block in blocks)
        self.kinds = Counter(self._kind(executable, block) for executable, block in nodes)
        self.matrices = Counter[Attribute](p.op.matrix.type for p in projections if p.op.matrix is not None)

    def _kind(self, executable: Executable, block: Block) -> Hashable:
        """The parts that nodes of one kind share."""
        return self.keys[block], tuple((port.type, port.combine, tuple(map(_matrix_of, port.senders))) for port in executable.inputs)

    def shared(self, block: Block) -> bool:
        """True if the body becomes a function."""
        return self.crowd[self.keys[block]] >= CROWD and count_operations(block) + 2 * len(block.args) > SMALL_BODY

    def gathers(self, executable: Executable, block: Block) -> bool:
        """True if the body becomes a function that takes what arrives at the node, and not its inputs."""
        is_work = any(len(port.senders) > 1 or any(map(_matrix_of, port.senders)) for port in executable.inputs)
        return is_work and self.kinds[self._kind(executable, block)] >= CROWD

    def run(
        self, state: MachineState, name: str, block: Block, inputs: Sequence[Input], params: Sequence[Parameter], rest: Sequence[SSAValue]
    ) -> list[SSAValue]:
        """The terminator's operands when the body runs on inputs, parameters, and states with generators (`rest`)."""
        given = [each for each in inputs if isinstance(each, SSAValue)]
        if len(given) < len(inputs) or self.shared(block):
            return self._call(state, name, block, inputs, params, rest)
        values: list[SSAValue | None] = [*given]
        for param, argument in zip(params, block.args[len(inputs) :], strict=False):
            if isinstance(param, FromBuffer):
                values.append(state.read(param.slot.path) if argument.first_use is not None else None)
            else:
                values.append(param)
        return inline(state.emitter, block, [*values, *rest])

    def product(self, state: MachineState, vector: SSAValue, matrix: Slot) -> SSAValue:
        """vector @ matrix, by a function if the model has many matrices of this shape."""
        if self.matrices[matrix.type] < CROWD:
            return _times(state.emitter, vector, state.read(matrix.path))
        part = state.part(matrix.buffer, matrix.offset, matrix.size)

        def build(emitter: BlockEmitter, values: list[SSAValue]) -> list[SSAValue]:
            return [_times(emitter, values[0], load(emitter, values[1], 0, matrix.type, "matrix"))]

        arguments = [("sender", vector.type), ("matrix", part.type)]
        result = TensorType(element_type_of(matrix.type), (matrix.shape[1],))
        name = f"project_{matrix.shape[0]}x{matrix.shape[1]}"
        function = self.functions.share((name, vector.type, result), name, arguments, build)
        return state.emitter.call(function, [vector, part], [result])[0]

    def _call(
        self, state: MachineState, name: str, block: Block, inputs: Sequence[Input], params: Sequence[Parameter], rest: Sequence[SSAValue]
    ) -> list[SSAValue]:
        call = _Call(block, inputs, params, rest)
        windows = [(f"{window.buffer}_part", state.part(window.buffer, window.start, window.size)) for window in call.windows.values()]
        arguments = [*windows, *call.values()]
        types = [(hint, value.type) for hint, value in arguments]
        key = (self.keys[block], call.key(), tuple(value.type for _, value in arguments))
        wish = f"{name}_node" if any(isinstance(each, Gathered) for each in inputs) else f"{name}_body"
        function = self.functions.share(key, wish, types, call.build, call.updates(len(arguments)))
        terminator = block.last_op
        assert terminator is not None
        return state.emitter.call(function, [value for _, value in arguments], [operand.type for operand in terminator.operands])


class _Call:
    """A body as a function, and what it is called with: windows of the buffers, then values."""

    def __init__(self, block: Block, inputs: Sequence[Input], params: Sequence[Parameter], rest: Sequence[SSAValue]):
        self.block = block
        self.inputs = inputs
        self.params = params
        self.rest = rest
        products = [term for each in inputs if isinstance(each, Gathered) for term in each.terms if isinstance(term, MatrixProduct)]
        self.windows = _windows([*(param.slot for param in params if isinstance(param, FromBuffer)), *(p.matrix for p in products)])

    def place(self, slot: Slot) -> tuple[Buffer, int]:
        """The offset of a slot in its window."""
        return slot.buffer, slot.offset - self.windows[slot.buffer].start

    def key(self) -> Hashable:
        """The key of the function, beside the body and the types of its arguments."""
        inputs = tuple(
            (each.port.type, each.port.combine, tuple(self._term_key(term) for term in each.terms)) if isinstance(each, Gathered) else None
            for each in self.inputs
        )
        return inputs, tuple(self.place(p.slot) if isinstance(p, FromBuffer) else None for p in self.params)

    def _term_key(self, term: SSAValue | MatrixProduct) -> Hashable:
        return (self.place(term.matrix), term.matrix.type) if isinstance(term, MatrixProduct) else None

    def values(self) -> list[tuple[str, SSAValue]]:
        """The arguments after the windows, named."""
        hints = [argument.name_hint or f"arg{index}" for index, argument in enumerate(self.block.args)]
        found: list[tuple[str, SSAValue]] = []
        for hint, each in zip(hints, self.inputs, strict=False):
            if isinstance(each, Gathered):
                terms = [term.vector if isinstance(term, MatrixProduct) else term for term in each.terms]
                found += [(hint if len(terms) == 1 else f"{hint}_{number}", term) for number, term in enumerate(terms, 1)]
            else:
                found.append((hint, each))
        start = len(self.inputs)
        found += [(hint, param) for hint, param in zip(hints[start:], self.params, strict=False) if isinstance(param, SSAValue)]
        return [*found, *zip(hints[start + len(self.params) :], self.rest, strict=True)]

    def updates(self, arguments: int) -> dict[int, int]:
        """The argument that each result replaces: of a state its next state (the last of `arguments` are states and generators)."""
        first = len(cast(YieldOp, self.block.last_op).outputs)
        return {arguments - len(self.rest) + number: first + number for number, value in enumerate(self.rest) if is_tensor(value.type)}

    def build(self, emitter: BlockEmitter, given: list[SSAValue]) -> list[SSAValue]:
        """The body of the function on its arguments."""
        parts = dict[Buffer, SSAValue](zip(self.windows, given, strict=False))
        others = iter(given[len(self.windows) :])

        def read(slot: Slot, hint: str | None) -> SSAValue:
            buffer, offset = self.place(slot)
            return load(emitter.at_head(), parts[buffer], offset, slot.type, hint)

        arguments: list[SSAValue | None] = []
        for each in self.inputs:
            if isinstance(each, Gathered):
                terms = [
                    _times(emitter, next(others), read(term.matrix, "matrix")) if isinstance(term, MatrixProduct) else next(others)
                    for term in each.terms
                ]
                arguments.append(joined(emitter, each.port.type, each.port.combine, terms))
            else:
                arguments.append(next(others))
        for param, argument in zip(self.params, self.block.args[len(self.inputs) :], strict=False):
            if not isinstance(param, FromBuffer):
                arguments.append(next(others))
            else:
                arguments.append(read(param.slot, argument.name_hint) if argument.first_use is not None else None)
        return inline(emitter, self.block, [*arguments, *others])


def _matrix_of(sender: object) -> Attribute | None:
    """The type of the matrix through which a sender sends."""
    return sender.op.matrix.type if isinstance(sender, Projection) and sender.op.matrix is not None else None


def _times(emitter: BlockEmitter, vector: SSAValue, matrix: SSAValue) -> SSAValue:
    """vector @ matrix, a single number being a vector of one."""
    rows = shape_of(matrix.type)[0]
    return vector_times_matrix(emitter, as_type(emitter, vector, TensorType(element_type_of(matrix.type), (rows,))), matrix)


def _windows(slots: Sequence[Slot]) -> Mapping[Buffer, _Window]:
    """For each parameter buffer the neighbouring words that hold these slots."""
    windows: dict[Buffer, _Window] = {}
    for buffer in ("pf", "pi"):
        held = [slot for slot in slots if slot.buffer == buffer]
        if held:
            start = min(slot.offset for slot in held)
            windows[buffer] = _Window(buffer, start, max(slot.offset + slot.size for slot in held) - start)
    return windows
