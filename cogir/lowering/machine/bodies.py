"""
The body of a node (or the function of a projection): copied to where it runs, or called when many nodes share it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Block, SSAValue

from cogir.analysis.layout import Bank, Leaf
from cogir.irutils import element_type_of
from cogir.lowering.machine.banks import load
from cogir.lowering.machine.emitter import Emitter
from cogir.lowering.machine.functions import Functions, body_key, count_operations, inline
from cogir.lowering.machine.state import State
from cogir.lowering.machine.tensors import vector_times_matrix

CROWD = 4
"""A body that stands at least so often in a model becomes a function of its own."""

SMALL_BODY = 3
"""A body that, with reading its parameters, takes no more operations than this is copied even then."""


@dataclass(frozen=True)
class FromBank:
    """A parameter that nothing modulates: it is read from its bank."""

    leaf: Leaf


Parameter = SSAValue | FromBank


@dataclass(frozen=True)
class _Window:
    """Neighbouring words of a bank that hold all parameters which a shared body reads itself."""

    bank: Bank
    start: int
    size: int


class Bodies:
    """Emits bodies; knows which of them are shared."""

    def __init__(self, functions: Functions, bodies: Sequence[Block], matrices: Sequence[Attribute]):
        """`bodies` and `matrices` are all bodies and types of matrices, one for each place at which they stand in the model."""
        self.functions = functions
        self.keys: dict[Block, Hashable] = {block: body_key(block) for block in dict.fromkeys(bodies)}
        self.crowd = Counter(self.keys[block] for block in bodies)
        self.matrices = Counter(matrices)

    def shared(self, block: Block) -> bool:
        """Whether the body becomes a function."""
        return self.crowd[self.keys[block]] >= CROWD and count_operations(block) + 2 * len(block.args) > SMALL_BODY

    def run(
        self, state: State, name: str, block: Block, inputs: Sequence[SSAValue], params: Sequence[Parameter], rest: Sequence[SSAValue]
    ) -> list[SSAValue]:
        """What the terminator's operands are when the body runs on inputs, parameters, and states with generators (`rest`)."""
        if self.shared(block):
            return self._call(state, name, block, inputs, params, rest)
        values: list[SSAValue | None] = [*inputs]
        for param, argument in zip(params, block.args[len(inputs) :], strict=False):
            if isinstance(param, FromBank):
                values.append(state.read(param.leaf.path) if argument.first_use is not None else None)
            else:
                values.append(param)
        return inline(state.emitter, block, [*values, *rest])

    def product(self, state: State, vector: SSAValue, matrix: Leaf) -> SSAValue:
        """vector @ matrix, by a function if the model has many matrices of this shape."""
        if self.matrices[matrix.type] < CROWD:
            return vector_times_matrix(state.emitter, vector, state.read(matrix.path))
        part = state.part(matrix.bank, matrix.offset, matrix.size)

        def build(emitter: Emitter, values: list[SSAValue]) -> list[SSAValue]:
            return [vector_times_matrix(emitter, values[0], load(emitter, values[1], 0, matrix.type, "matrix"))]

        arguments = [("sender", vector.type), ("matrix", part.type)]
        result = TensorType(element_type_of(matrix.type), (matrix.shape[1],))
        name = f"project_{matrix.shape[0]}x{matrix.shape[1]}"
        return state.emitter.call(self.functions.share((name, result), name, arguments, build), [vector, part], [result])[0]

    def _call(
        self, state: State, name: str, block: Block, inputs: Sequence[SSAValue], params: Sequence[Parameter], rest: Sequence[SSAValue]
    ) -> list[SSAValue]:
        windows = _windows(params)
        places: list[tuple[Bank, int] | None] = [
            (p.leaf.bank, p.leaf.offset - windows[p.leaf.bank].start) if isinstance(p, FromBank) else None for p in params
        ]
        hints = [argument.name_hint or f"arg{index}" for index, argument in enumerate(block.args)]
        given = [(hint, value) for hint, value in zip(hints[len(inputs) :], params, strict=False) if isinstance(value, SSAValue)]
        arguments: list[tuple[str, SSAValue]] = [
            *((f"{window.bank}_part", state.part(window.bank, window.start, window.size)) for window in windows.values()),
            *zip(hints, inputs, strict=False),
            *given,
            *zip(hints[len(inputs) + len(params) :], rest, strict=True),
        ]

        def build(emitter: Emitter, values: list[SSAValue]) -> list[SSAValue]:
            parts = dict[Bank, SSAValue](zip(windows, values, strict=False))
            others = iter(values[len(windows) :])
            arguments: list[SSAValue | None] = [next(others) for _ in inputs]
            for place, argument in zip(places, block.args[len(inputs) :], strict=False):
                if place is None:
                    arguments.append(next(others))
                elif argument.first_use is None:
                    arguments.append(None)
                else:
                    bank, offset = place
                    arguments.append(load(emitter.at_head(), parts[bank], offset, argument.type, argument.name_hint))
            return inline(emitter, block, [*arguments, *others])

        terminator = block.last_op
        assert terminator is not None
        key = (self.keys[block], tuple(places), tuple((window.bank, window.size) for window in windows.values()))
        function = self.functions.share(key, f"{name}_body", [(hint, value.type) for hint, value in arguments], build)
        return state.emitter.call(function, [value for _, value in arguments], [operand.type for operand in terminator.operands])


def _windows(params: Sequence[Parameter]) -> Mapping[Bank, _Window]:
    """For each parameter bank the neighbouring words that hold the parameters read from it."""
    leaves = [param.leaf for param in params if isinstance(param, FromBank)]
    windows: dict[Bank, _Window] = {}
    for bank in ("pf", "pi"):
        held = [leaf for leaf in leaves if leaf.bank == bank]
        if held:
            start = min(leaf.offset for leaf in held)
            windows[bank] = _Window(bank, start, max(leaf.offset + leaf.size for leaf in held) - start)
    return windows
