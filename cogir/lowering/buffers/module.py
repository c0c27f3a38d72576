"""
What bufferisation knows about a module beside its functions: their signatures, constant arrays, the functions that draw.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

from xdsl.dialects import func, memref
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    ModuleOp,
    StringAttr,
    UnitAttr,
)
from xdsl.ir import Attribute, SSAValue

from cogir.analysis.memory_plan import is_buffered
from cogir.analysis.signatures import Updates
from cogir.dialects.rng import StateType
from cogir.lowering.buffers.emission import open_type, plain_type


@dataclass(frozen=True)
class BufferSignature:
    """The types of a function's arguments, destinations and results once it works on memory."""

    arguments: tuple[Attribute, ...]
    destinations: dict[int, Attribute]
    """By number of the result that is written there, in order."""
    results: dict[int, Attribute]
    """The scalars, by number of the result."""
    updates: Updates


def signature_of(function: func.FuncOp, updates: Updates, is_called: bool) -> BufferSignature:
    """
    Functions that others call, and steps of a longer run (they update something), take buffers anywhere in a buffer; what
    only Python calls takes memory from its start.
    """
    is_inner = is_called or bool(updates) or function.sym_visibility == StringAttr("private")
    buffer = open_type if is_inner else plain_type
    outputs = dict(enumerate(function.function_type.outputs.data))
    return BufferSignature(
        tuple(plain_or_open(type, buffer) if is_buffered(type) else type for type in function.function_type.inputs.data),
        {number: plain_or_open(type, buffer) for number, type in outputs.items() if is_buffered(type) and number not in updates},
        {number: type for number, type in outputs.items() if not is_buffered(type)},
        updates,
    )


def plain_or_open(type: Attribute, buffer: Callable[[Attribute], Attribute]) -> Attribute:
    """A generator's state is always one of several in a buffer."""
    return open_type(type) if isinstance(type, StateType) else buffer(type)


class Constants:
    """The constant arrays of a module as `memref.global`s, each once."""

    def __init__(self, module: ModuleOp):
        self.module = module
        self.names: dict[Attribute, str] = {}
        self.globals: list[memref.GlobalOp] = []
        self.taken = {name.data for op in module.ops if isinstance(name := op.get_attr_or_prop("sym_name"), StringAttr)}

    def name_of(self, value: DenseIntOrFPElementsAttr[Any]) -> str:
        """The symbol of the global that holds these elements."""
        if value not in self.names:
            number = len(self.names)
            while (name := f"constant_{number}") in self.taken:
                number += 1
            self.taken.add(name)
            self.names[value] = name
            type = plain_type(cast(Attribute, value.type))
            self.globals.append(memref.GlobalOp.get(StringAttr(name), type, value, constant=UnitAttr()))
        return self.names[value]


@dataclass
class Draws:
    """The functions that move generators on, declared where they are used."""

    module: ModuleOp
    declared: dict[str, func.FuncOp]

    def call(self, name: str, operands: Sequence[SSAValue], results: Sequence[Attribute]) -> func.CallOp:
        if name not in self.declared:
            types = [operand.type for operand in operands]
            self.declared[name] = func.FuncOp.external(name, types, results)
        return func.CallOp(name, operands, results)
