"""
The private functions beside `@init` and `@trial`, and the decision what becomes one.

A function body that several nodes share (a thousand units of one network) becomes one private function, which also
reads the parameters that lie side by side in the buffers: a node is then one call. A body used once is copied into its
place. Both compute the same.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence

from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, FunctionType, IntegerAttr, ModuleOp, i64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from cogir.lowering.library.symbols import symbols_of
from cogir.lowering.machine.emitter import BlockEmitter, Head

SMALL_BODY = 2
"""A body with no more operations than this is always copied: a call would not be shorter."""


def body_key(block: Block) -> Hashable:
    """A key that two single-block bodies share if and only if they are the same but for names and places."""
    numbers: dict[SSAValue, int] = {}
    return _block_key(block, numbers)


def _block_key(block: Block, numbers: dict[SSAValue, int]) -> Hashable:
    for argument in block.args:
        numbers[argument] = len(numbers)
    return (tuple(argument.type for argument in block.args), tuple(_operation_key(op, numbers) for op in block.ops))


def _operation_key(op: Operation, numbers: dict[SSAValue, int]) -> Hashable:
    operands = tuple(numbers[operand] for operand in op.operands)
    regions = tuple(tuple(_block_key(block, numbers) for block in region.blocks) for region in op.regions)
    for result in op.results:
        numbers[result] = len(numbers)
    return (
        op.name,
        operands,
        tuple(op.result_types),
        tuple(sorted(op.properties.items(), key=lambda item: item[0])),
        tuple(sorted(op.attributes.items(), key=lambda item: item[0])),
        regions,
    )


def count_operations(block: Block) -> int:
    """Number of operations of a body, those in nested regions included, without the terminator."""
    return len(list(block.walk())) - 1


def inline(emitter: BlockEmitter, block: Block, arguments: Sequence[SSAValue | None]) -> list[SSAValue]:
    """
    Copies the operations of `block` to the cursor and returns what its terminator's operands have become. An argument
    that the body does not use may be None.
    """
    pairs = zip(block.args, arguments, strict=True)
    mapping: dict[SSAValue, SSAValue] = {argument: value for argument, value in pairs if value is not None}
    terminator = block.last_op
    assert terminator is not None
    for op in block.ops:
        if op is not terminator:
            emitter.add(op.clone(mapping))
    return [mapping.get(operand, operand) for operand in terminator.operands]


class ModuleFunctions:
    """The functions of the module being built, by name, in the order in which they appear."""

    def __init__(self, module: ModuleOp):
        self.names = set(symbols_of(module))
        self.built: list[func.FuncOp] = []
        self.shared: dict[Hashable, str] = {}

    def in_order(self) -> list[func.FuncOp]:
        """All functions built: the public ones first."""
        return sorted(self.built, key=lambda function: function.sym_visibility is not None)

    def fresh_name(self, wish: str) -> str:
        """A name like `wish` that no symbol of the module has, now taken."""
        name, number = wish, 1
        while name in self.names:
            number += 1
            name = f"{wish}_{number}"
        self.names.add(name)
        return name

    def define(
        self,
        wish: str,
        arguments: Sequence[tuple[str, Attribute]],
        build: Callable[[BlockEmitter, list[SSAValue]], Sequence[SSAValue]],
        *,
        private: bool = True,
        updates: Mapping[int, int] | None = None,
    ) -> func.FuncOp:
        """
        A new function; `build` emits its body and returns its results. `updates` says which result is the new value of which
        argument (argument -> result), so that in memory it can take its place.
        """
        name = self.fresh_name(wish)
        block = Block(arg_types=[argument_type for _, argument_type in arguments])
        for argument, (hint, _) in zip(block.args, arguments, strict=True):
            argument.name_hint = hint if SSAValue.is_valid_name(hint) else None
        head = Head(block)
        emitter = BlockEmitter(block, head)
        results = build(emitter, list(block.args))
        emitter.add(func.ReturnOp(*results))
        head.close()
        function = func.FuncOp(
            name,
            FunctionType.from_lists([argument_type for _, argument_type in arguments], [value.type for value in results]),
            Region(block),
            visibility="private" if private else None,
        )
        if updates:
            function.arg_attrs = ArrayAttr(
                DictionaryAttr({"cog.updates": IntegerAttr(updates[index], i64)} if index in updates else {})
                for index in range(len(arguments))
            )
        self.built.append(function)
        return function

    def share(
        self,
        key: Hashable,
        wish: str,
        arguments: Sequence[tuple[str, Attribute]],
        build: Callable[[BlockEmitter, list[SSAValue]], Sequence[SSAValue]],
        updates: Mapping[int, int] | None = None,
    ) -> str:
        """The name of the private function that stands for `key`, built at the first request."""
        if (name := self.shared.get(key)) is None:
            name = self.shared[key] = self.define(wish, arguments, build, updates=updates).sym_name.data
        return name
