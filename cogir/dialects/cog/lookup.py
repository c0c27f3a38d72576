"""
Looks up models and other named operations from where an operation stands.

Models are known by the name of their operation here, because `model` is built upon the files that use this one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from xdsl.dialects.builtin import ModuleOp, StringAttr, SymbolRefAttr
from xdsl.ir import Operation

__all__ = ["enclosing_model", "find_in_module"]

MODEL = "cog.model"


def is_model(op: Operation | None) -> bool:
    """True for a `cog.model`."""
    return op is not None and op.name == MODEL


def with_names(ops: Iterable[Operation]) -> Iterator[tuple[str, Operation]]:
    """The operations that are symbols, each with its name."""
    for op in ops:
        if isinstance(name := op.get_attr_or_prop("sym_name"), StringAttr):
            yield name.data, op


def symbols_of(table: Operation | None) -> dict[str, Operation]:
    """The named parts of a model or a module, in order; none, if there is no such table."""
    return {} if table is None else dict(with_names(table.regions[0].block.ops))


def enclosing_model(op: Operation) -> Operation | None:
    """The innermost `cog.model` around an operation."""
    parent = op.parent_op()
    while parent is not None and not is_model(parent):
        parent = parent.parent_op()
    return parent


def enclosing_module(op: Operation) -> ModuleOp | None:
    """The innermost module around an operation."""
    parent: Operation | None = op
    while parent is not None and not isinstance(parent, ModuleOp):
        parent = parent.parent_op()
    return parent


def find_in_module(op: Operation, symbol: SymbolRefAttr) -> Operation | None:
    """The operation of that name in the module around `op` (the first one): a model, a function, a stream."""
    module = enclosing_module(op)
    named = () if module is None else with_names(module.body.block.ops)
    return next((held for name, held in named if name == symbol.root_reference.data), None)


def find_model(op: Operation, symbol: SymbolRefAttr) -> Operation | None:
    """The `cog.model` of that name in the module around `op`, or None."""
    found = find_in_module(op, symbol)
    return found if is_model(found) else None
