"""
The functions that draw random numbers get their bodies.

Before: declarations `func.func private @cogir_rng_<kind>_<draw>(memref<Wxi64, strided<[1], offset: ?>>, ...) -> ...` (after bufferize).
After:  the same functions with bodies, which update the words of the state in place, and the functions that those call.

The bodies are compiled from `cogir.library.random.rng`, values in and values out, and are lowered by the pipeline of models: `bufferize`
makes the words that are returned those that came in, and `convert-linalg-to-loops` the loops. They call functions of the library and, for
NumPy's sake, `log`, `log1p`, `exp` and `pow` of the C library; with `log=portable` the library's own, and then about one normal in
3,000 differs from NumPy's in its last bits. `log=fused` and `log=separate` are those of a glibc whose operations are fused or not
(`cogir.library.numerics.glibc`): where a call would keep a loop from vectors (`@cogir_c_log`), the body is put.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, SymbolRefAttr, TensorType, f64, i64
from xdsl.ir import Attribute
from xdsl.passes import ModulePass

from cogir.dialects.rng import AHEAD_KIND, ALL_WORDS, DISTRIBUTIONS, DRAW_PREFIX, PRESAMPLED
from cogir.errors import LoweringError
from cogir.library.numerics.c_library import VARIANTS
from cogir.library.numerics.glibc import BODIES
from cogir.library.random.ahead import CHUNK, CHUNK_NORMALS
from cogir.library.random.blocks import BLOCK, BLOCK_NORMALS
from cogir.library.random.streams import COUNT, ROWS, STREAMS
from cogir.library.random.variates import DRAWS
from cogir.lowering.library.expand_math import CHOICES
from cogir.lowering.library.expand_math import library as elementary
from cogir.lowering.library.functions import C_LOG, LIBM_NAMES, LibraryCode, calls_in, declare_if_linked, functions_of

SYMBOLS = {f"{DRAW_PREFIX}{kind}_{draw}": (kind, draw) for kind, draw in DRAWS}
"""The functions that draw, by symbol: the kind of generator, and what is drawn."""
LONG = ("normal", "integer", "seed", "keyed", "keyed4", BLOCK, STREAMS)
NEVER_SHORT = ("integer", CHUNK, *DISTRIBUTIONS)
"""The draws that are loops for every kind of generator."""
RARE = (
    *("cogir_mt19937_twist", "cogir_philox4x64_refill", "cogir_philox4x64_first", "cogir_philox4x64_outside", "cogir_philox4x64_tail"),
    *(f"cogir_{name}_{AHEAD_KIND}" for name in ("mt19937_twist", "ahead_first", "ahead_pair", "ahead_made")),
)
SHORT = ("xoshiro256", PRESAMPLED)
"""The kinds of generators whose uniforms and normals are inlined always, so that loops around them vectorise."""
NEVER_INLINED = {
    *RARE,
    *(symbol for symbol, (kind, draw) in SYMBOLS.items() if draw in NEVER_SHORT or (draw in LONG and kind not in (*SHORT, AHEAD_KIND))),
} - {"cogir_rng_philox4x64_normal"}
"""Calls cost these little, and LLVM takes half the time for a model that draws in many places; the rest is left to LLVM."""


@cache
def body(symbol: str) -> LibraryCode:
    """`@cogir_rng_<kind>_<draw>` on memory and what it calls; compiled once per process."""
    kind, draw = SYMBOLS[symbol]
    words = TensorType(i64, (ALL_WORDS[kind],))
    arguments: dict[str, list[Attribute]] = {"seed": [i64], "keyed": [i64] * 3, "keyed4": [i64] * 4, "integer": [words, i64]}
    arguments[BLOCK] = [words, TensorType(f64, (BLOCK_NORMALS,))]
    arguments[CHUNK] = [words, TensorType(f64, (CHUNK_NORMALS,))]
    arguments[STREAMS] = [i64, TensorType(i64, (ROWS * COUNT,))]
    arguments |= {name: [words, *parameters] for name, (parameters, _) in DISTRIBUTIONS.items()}
    suffix = f"_{AHEAD_KIND}" if kind == AHEAD_KIND else ""  # what it calls has states of another size
    return LibraryCode(symbol, DRAWS[kind, draw], arguments.get(draw, [words]), lambda name: inlining(kind, name), suffix)


def inlining(kind: str, symbol: str) -> str | None:
    """True if calls of a function that draws from this kind of generator are inlined; None leaves that to LLVM."""
    if symbol in NEVER_INLINED:
        return "never"
    return "always" if kind in SHORT else None


@cache
def known(variant: str) -> LibraryCode:
    """`@cogir_c_log_<variant>`, and what it calls."""
    return LibraryCode(f"{C_LOG}_{variant}", BODIES["log", variant], [f64], lambda _: "always", f"_{variant}")


def called_symbols(module: ModuleOp) -> list[str]:
    """The symbols of draws that a module calls, each once; declarations that nobody calls go."""
    called = dict.fromkeys(call.callee.string_value() for call in calls_in(module))
    for function in functions_of(module):
        symbol = function.sym_name.data
        if function.is_declaration and symbol.startswith(DRAW_PREFIX) and symbol not in called:
            function.detach()
            function.erase()
    return [symbol for symbol in called if symbol.startswith(DRAW_PREFIX)]


@dataclass(frozen=True)
class ExpandRng(ModulePass):
    """Gives the functions that draw random numbers their bodies."""

    name = "expand-rng"

    log: str = "libm"
    """
    Source of the logarithms of NumPy's normals: libm gives NumPy's bits, as "fused" or "separate" do where libm is that; portable needs no
    C library (for GPUs).
    """

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.log not in (*CHOICES, *VARIANTS):
            raise LoweringError(f"expand-rng: log is {self.log!r}; choose one of {', '.join((*CHOICES, *VARIANTS))}")
        for symbol in called_symbols(op):
            if symbol not in SYMBOLS:
                raise LoweringError(f"expand-rng: the library has no draw @{symbol}; it has {', '.join(sorted(SYMBOLS))}")
            if self.log == "portable" or not declare_if_linked(op, symbol, inlining(SYMBOLS[symbol][0], symbol)):
                body(symbol).add_to(op, symbol)
        if self.log == "portable":
            use_portable_logarithms(op)
        elif self.log in VARIANTS:
            put_known(op, self.log)


def put_known(module: ModuleOp, variant: str) -> None:
    """call @log(%x)  ->  call @cogir_c_log_fused(%x)   in @cogir_c_log"""
    symbol = f"{C_LOG}_{variant}"
    for function in functions_of(module):
        if function.sym_name.data == C_LOG:
            for call in calls_in(function):
                call.properties["callee"] = SymbolRefAttr(symbol)
            known(variant).add_to(module, symbol)


def use_portable_logarithms(module: ModuleOp) -> None:
    """call @log(%x)  ->  call @cogir_math_log_f64(%x)   in the bodies of draws, and the same for log1p, exp and pow"""
    for function in functions_of(module):
        for call in calls_in(function) if function.sym_name.data.startswith("cogir_") else ():
            if (name := call.callee.string_value()) in LIBM_NAMES:
                symbol = f"cogir_math_{name}_f64"
                call.properties["callee"] = SymbolRefAttr(symbol)
                elementary(name).add_to(module, symbol)
    called = {call.callee.string_value() for call in calls_in(module)}
    for function in functions_of(module):
        if (name := function.sym_name.data) in LIBM_NAMES and name not in called and function.is_declaration:
            function.detach()
            function.erase()
