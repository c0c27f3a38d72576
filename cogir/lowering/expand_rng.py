"""
The functions that draw random numbers get their bodies.

Before: declarations `func.func private @cogir_rng_<kind>_<draw>(memref<Wxi64, strided<[1], offset: ?>>, ...) -> ...` (after bufferize).
After:  the same functions with bodies, which update the words of the state in place, and the functions that those call.

The bodies are compiled from `cogir.library.rng`, values in and values out, and go the same road as a model: `bufferize` makes the
words that are returned those that came in, and `convert-linalg-to-loops` the loops. They call `math` functions of the library and, for
NumPy's sake, `log` and `log1p` of the C library.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from xdsl.context import Context
from xdsl.dialects import func, memref
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IntegerAttr, ModuleOp, StringAttr, SymbolRefAttr, TensorType, i64
from xdsl.ir import Attribute
from xdsl.passes import ModulePass

from cogir.dialects.rng import STATE_WORDS
from cogir.errors import LoweringError
from cogir.library.rng import BODIES
from cogir.lowering.bufferize import Bufferize
from cogir.lowering.convert_linalg_to_loops import ConvertLinalgToLoops
from cogir.lowering.library_code import LibraryCode, compile_library, mark

PREFIX = "cogir_rng_"
SYMBOLS = tuple(f"{PREFIX}{kind}_{draw}" for kind, draw in BODIES)
NEVER_INLINED = ("cogir_mt19937_twist", "cogir_philox4x64_refill", "cogir_philox4x64_tail")
"""Long and rarely called; the rest is short, or left to LLVM."""


@dataclass(frozen=True)
class Body:
    """A function that draws, on memory: `@cogir_rng_<kind>_<draw>`, what it calls, and the constant arrays that these read."""

    code: LibraryCode
    tables: tuple[memref.GlobalOp, ...]


@cache
def body(kind: str, draw: str) -> Body:
    """Compiles a body of `cogir.library.rng`, once per process."""
    words = TensorType(i64, (STATE_WORDS[kind],))
    arguments: dict[str, list[Attribute]] = {"seed": [i64], "integer": [words, i64]}
    symbol = f"{PREFIX}{kind}_{draw}"
    functions = compile_library({symbol: (BODIES[kind, draw], arguments.get(draw, [words]))})
    for function in functions.values():
        declare_update(function, words)
    module = ModuleOp(list(functions.values()))
    Bufferize().apply(Context(), module)
    ConvertLinalgToLoops().apply(Context(), module)
    functions = {op.sym_name.data: op for op in module.ops if isinstance(op, func.FuncOp)}
    mark(functions, lambda symbol: "never" if symbol in NEVER_INLINED else None)
    return Body(LibraryCode(functions), rename_tables(module, symbol))


def declare_update(function: func.FuncOp, words: Attribute) -> None:
    """The words that a function returns take the place of those it was given."""
    inputs, outputs = function.function_type.inputs.data, function.function_type.outputs.data
    if words in inputs and words in outputs:
        result = IntegerAttr(outputs.index(words), i64)
        attributes = [DictionaryAttr({"cog.updates": result} if type == words else {}) for type in inputs]
        function.properties["arg_attrs"] = ArrayAttr(attributes)


def rename_tables(module: ModuleOp, prefix: str) -> tuple[memref.GlobalOp, ...]:
    """Gives the constant arrays of a body names that are unique in any module."""
    tables = tuple(op for op in module.ops if isinstance(op, memref.GlobalOp))
    names = {table.sym_name.data: f"{prefix}_{table.sym_name.data}" for table in tables}
    for table in tables:
        table.properties["sym_name"] = StringAttr(names[table.sym_name.data])
    for op in module.walk():
        if isinstance(op, memref.GetGlobalOp):
            op.properties["name"] = SymbolRefAttr(names[op.name_.string_value()])
    return tables


@dataclass(frozen=True)
class ExpandRng(ModulePass):
    """The functions that draw random numbers get their bodies."""

    name = "expand-rng"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        declared = [function for function in op.ops if isinstance(function, func.FuncOp) and function.is_declaration]
        present = {table.sym_name.data for table in op.ops if isinstance(table, memref.GlobalOp)}
        for symbol in [function.sym_name.data for function in declared]:
            if not symbol.startswith(PREFIX):
                continue
            kind, _, draw = symbol.removeprefix(PREFIX).rpartition("_")
            if (kind, draw) not in BODIES:
                raise LoweringError(
                    f"expand-rng: @{symbol} is declared, but there is no such draw; use one of {', '.join(sorted(SYMBOLS))}"
                )
            found = body(kind, draw)
            found.code.add_to(op, [symbol])
            op.body.block.add_ops(table.clone() for table in found.tables if table.sym_name.data not in present)
