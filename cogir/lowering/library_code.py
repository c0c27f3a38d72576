"""
Functions of the library as IR, to be added to a module that calls them.

Each is compiled from its Python source once per process, together with what it calls, and cloned into every module that needs it. In a
module all of them are private and begin with `cogir_`, so that they meet no name of the user's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp, StringAttr, SymbolRefAttr
from xdsl.ir import Attribute

from cogir.errors import LoweringError
from cogir.pyfunc import FunctionTable, compile_function

PREFIX = "cogir_"
INLINE = "cog.inline"
LIBM = "cog.libm"
LIBM_NAMES = ("log", "log1p")
"""What generators call of the C library; a function of the library of the same name is another one."""


def compile_library(
    functions: Mapping[str, tuple[Callable[..., Any], Sequence[Attribute]]],
) -> dict[str, func.FuncOp]:
    """
    The functions under their symbols, and everything they call, callees first.

    `functions` maps the symbol of each to the Python function and the types of its arguments.
    """
    table = FunctionTable(reserved=LIBM_NAMES)
    for symbol, (function, types) in functions.items():
        compile_function(function, types, name=symbol, symbol_table=table)
    return {symbol_of(op): renamed(op) for op in table.functions()}


def symbol_of(op: func.FuncOp) -> str:
    """The symbol of a library function in a module; the C library's keep their names."""
    name = op.sym_name.data
    return name if LIBM in op.attributes else prefixed(name)


def prefixed(name: str) -> str:
    return name if name.startswith(PREFIX) else PREFIX + name


def renamed(op: func.FuncOp) -> func.FuncOp:
    """Gives the function, and those it calls, the symbols they have in a module."""
    op.properties["sym_name"] = StringAttr(symbol_of(op))
    for call in op.walk():
        if isinstance(call, func.CallOp) and (callee := call.callee.string_value()) not in LIBM_NAMES:
            call.properties["callee"] = SymbolRefAttr(prefixed(callee))
    return op


def callees_of(op: func.FuncOp) -> list[str]:
    """The symbols that a function calls, each once, in order."""
    return list(dict.fromkeys(call.callee.string_value() for call in op.walk() if isinstance(call, func.CallOp)))


class LibraryCode:
    """Compiled functions by symbol, and the order in which a module gets them."""

    def __init__(self, functions: Mapping[str, func.FuncOp]):
        self.functions = functions
        self.callees: dict[str, list[str]] = {symbol: callees_of(op) for symbol, op in functions.items()}

    def closure(self, symbols: Sequence[str]) -> list[str]:
        """These functions and all that they call, callees first."""
        ordered: dict[str, None] = {}

        def visit(symbol: str) -> None:
            if symbol not in ordered and symbol in self.functions:
                for callee in self.callees[symbol]:
                    visit(callee)
                ordered[symbol] = None

        for symbol in symbols:
            visit(symbol)
        return list(ordered)

    def add_to(self, module: ModuleOp, symbols: Sequence[str]) -> None:
        """
        Adds functions and what they call to the end of a module; a declaration of the same symbol gives way.

        :raises LoweringError: if the module has another function of that symbol.
        """
        present = {op.sym_name.data: op for op in module.ops if isinstance(op, func.FuncOp)}
        for symbol in self.closure(symbols):
            function = self.functions[symbol]
            if (old := present.get(symbol)) is not None:
                if not old.is_declaration or function.is_declaration:
                    continue
                if old.function_type != function.function_type:
                    raise LoweringError(
                        f"@{symbol} is declared as {old.function_type}, but the library's is {function.function_type}; "
                        "names that begin with cogir_ belong to the library: rename yours"
                    )
                old.detach()
                old.erase()
            module.body.block.add_op(function.clone())


def mark(functions: Mapping[str, func.FuncOp], choose: Callable[[str], str | None]) -> None:
    """Says for each function whether it is always or never put in the place of its calls; None leaves that to LLVM."""
    for symbol, op in functions.items():
        if not op.is_declaration and (choice := choose(symbol)) is not None:
            op.attributes[INLINE] = StringAttr(choice)
