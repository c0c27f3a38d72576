"""
Room for the symbols that a pass adds: what has their names already gets another one, everywhere it is named.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count

from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr, SymbolRefAttr
from xdsl.ir import Attribute

from cogir.dialects import cog
from cogir.errors import LoweringError

PREFIX = "cogir_"
"""Prefix of the names of the library's functions in a module."""
OF_C = frozenset(("malloc", "free", "memcpy", "memmove", "memset", "fma", "fmod", "floor", "ceil", "trunc", "rint", "round", "sqrt"))
"""Functions of the C library that machine code may call although no module does. (For those that a module calls: `claim_for_libm`.)"""
REFERENCES: dict[str, tuple[str, ...]] = {
    func.CallOp.name: ("callee",),
    cog.NodeOp.name: ("streams",),
    cog.SignalOp.name: ("intensity_cost", "adjustment_cost", "duration_cost"),
    cog.GridSearchOp.name: ("tie_stream",),
    cog.LearnOp.name: ("optimizer",),
    cog.LossOp.name: ("function",),
}
"""The properties that name functions and streams of the module. (Other references are to parts of a model.)"""


def symbols_of(module: ModuleOp) -> dict[str, StringAttr]:
    """The names of the module's symbols, models apart: lowering does not leave any."""
    named = [op.get_attr_or_prop("sym_name") for op in module.ops if not isinstance(op, cog.ModelOp)]
    return {name.data: name for name in named if isinstance(name, StringAttr)}


def names_of_the_library(module: ModuleOp) -> list[str]:
    """The functions of a module that have names as only cogir's library, or that of C, should have in machine code."""
    defined = [op.sym_name.data for op in module.ops if isinstance(op, func.FuncOp) and not op.is_declaration]
    return [name for name in defined if name.startswith(PREFIX) or name in OF_C]


def make_room(module: ModuleOp, names: Sequence[str], what: str) -> None:
    """
    Renames the functions and streams of a module that have one of `names`: `run` becomes `run_1`. `what` needs them. The new names do not
    begin like those of the library.

    :raises LoweringError: if such a function can be called from outside.
    """
    taken = set(symbols_of(module))
    fresh: dict[str, str] = {}
    for name in names:
        if name in taken:
            fresh[name] = next(other for number in count(1) if (other := f"{name.removeprefix(PREFIX)}_{number}") not in taken)
            taken.add(fresh[name])
    if not fresh:
        return
    for op in module.ops:
        symbol = op.get_attr_or_prop("sym_name")
        if isinstance(op, cog.ModelOp) or not isinstance(symbol, StringAttr) or symbol.data not in fresh:
            continue
        if isinstance(op, func.FuncOp) and op.sym_visibility != StringAttr("private"):
            raise LoweringError(f"{what}, but @{symbol.data} is a public function of the module; make it private, or rename it")
        op.properties["sym_name"] = StringAttr(fresh[symbol.data])
    for op in module.walk():
        for key in REFERENCES.get(op.name, ()):
            if key in op.properties:
                op.properties[key] = _renamed(op.properties[key], fresh)


def _renamed(reference: Attribute, fresh: Mapping[str, str]) -> Attribute:
    """A reference, or an array of them, with the new names."""
    match reference:
        case ArrayAttr():
            return ArrayAttr(_renamed(each, fresh) for each in reference)
        case SymbolRefAttr() if (name := reference.string_value()) in fresh:
            return SymbolRefAttr(fresh[name])
        case _:
            return reference
