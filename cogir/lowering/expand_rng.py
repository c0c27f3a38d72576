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
from xdsl.dialects.builtin import ModuleOp, TensorType, i64
from xdsl.ir import Attribute
from xdsl.passes import ModulePass

from cogir.dialects.rng import STATE_WORDS
from cogir.errors import LoweringError
from cogir.library.rng import BODIES, BODIES_AT
from cogir.lowering.address_draws import address_draws
from cogir.lowering.library_code import LibraryCode, calls_in, functions_of

PREFIX = "cogir_rng_"
SYMBOLS = {f"{PREFIX}{kind}_{draw}": (kind, draw) for kind, draw in BODIES}
"""The functions that draw, by symbol: the kind of generator, and what is drawn."""
SYMBOLS_AT = {f"{PREFIX}{kind}_{draw}_at": (kind, draw) for kind, draw in BODIES_AT}
"""Those that are told the number of the draw."""
NEVER_INLINED = ("cogir_mt19937_twist", "cogir_philox4x64_refill", "cogir_philox4x64_tail")
"""Long and rarely called; the rest is short, or left to LLVM."""


@cache
def body(symbol: str) -> LibraryCode:
    """`@cogir_rng_<kind>_<draw>` on memory and what it calls; compiled once per process."""
    if symbol in SYMBOLS_AT:
        return LibraryCode(symbol, BODIES_AT[SYMBOLS_AT[symbol]], [i64] * 3, lambda _: "always")
    kind, draw = SYMBOLS[symbol]
    words = TensorType(i64, (STATE_WORDS[kind],))
    arguments: dict[str, list[Attribute]] = {"seed": [i64], "integer": [words, i64]}
    choice = {name: "never" for name in NEVER_INLINED}
    return LibraryCode(symbol, BODIES[kind, draw], arguments.get(draw, [words]), choice.get)


def called_symbols(module: ModuleOp) -> list[str]:
    """The symbols of draws that a module calls, each once; declarations that nobody calls go."""
    called = dict.fromkeys(call.callee.string_value() for call in calls_in(module))
    for function in functions_of(module):
        symbol = function.sym_name.data
        if function.is_declaration and symbol.startswith(PREFIX) and symbol not in called:
            function.detach()
            function.erase()
    return [symbol for symbol in called if symbol.startswith(PREFIX)]


@dataclass(frozen=True)
class ExpandRng(ModulePass):
    """The functions that draw random numbers get their bodies."""

    name = "expand-rng"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        address_draws(op)
        for symbol in called_symbols(op):
            if symbol not in SYMBOLS and symbol not in SYMBOLS_AT:
                raise LoweringError(f"expand-rng: there is no draw @{symbol}; there are {', '.join(sorted(SYMBOLS))}")
            body(symbol).add_to(op, symbol)
