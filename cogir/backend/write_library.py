"""
Writes `library.ll`: every elementary function and every draw of the library, with what it calls, as LLVM IR.

    python -m cogir.backend.write_library

Each is lowered by the pipeline of models, in a module where one function calls it.
"""

from __future__ import annotations

import re

from xdsl.context import Context
from xdsl.dialects import func, llvm
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, MemRefType, ModuleOp, UnitAttr, f32, f64
from xdsl.ir import Attribute, Block, Region

from cogir.analysis.code_size import CodeSize
from cogir.analysis.separate_buffers import NO_ALIAS
from cogir.backend.emit_llvm_ir import emit_llvm_ir
from cogir.backend.linked_library import FILE, LinkedLibrary, item, symbol_of, written
from cogir.library.numerics.c_library import VARIANTS
from cogir.library.numerics.math import SOURCES
from cogir.lowering.convert_scf_to_cf import ConvertScfToCf
from cogir.lowering.convert_small_linalg_to_vector import BRANCHING
from cogir.lowering.convert_to_llvm import ConvertToLlvm
from cogir.lowering.library.expand_math import library
from cogir.lowering.library.expand_rng import SYMBOLS, body, known
from cogir.lowering.library.functions import ANY_LANES, C_LOG, LibraryCode
from cogir.lowering.library.in_lanes import function_in_lanes, symbol_in_lanes

CALLER = "caller"
VARIES = re.compile(r"@cogir_\w+_constant_\d+| alwaysinline")
"""The parts of a function that differ with its caller: names of constant arrays, and inlining; those of its first caller stay."""


def roots() -> dict[str, LibraryCode]:
    """The functions that models call, by symbol: those that always are inlined before those that may be."""
    elementary = {f"cogir_math_{name}_{type}": library(name) for name in SOURCES for type in (f64, f32)}
    for_vectors = {symbol_in_lanes(f"cogir_math_{name}_f64", ANY_LANES): in_lanes(name) for name in SOURCES if name not in BRANCHING}
    of_c = {f"{C_LOG}_{variant}": known(variant) for variant in VARIANTS}
    return elementary | for_vectors | of_c | {symbol: body(symbol) for symbol in SYMBOLS}


def in_lanes(name: str) -> LibraryCode:
    """The function that computes an elementary function on vectors, and what it calls."""
    scalar = library(name)
    closure = scalar.closure(f"cogir_math_{name}_f64")
    return LibraryCode.of(function_in_lanes(scalar.functions[symbol], ANY_LANES) for symbol in closure)


def caller(callee: func.FuncOp) -> func.FuncOp:
    """func.func @caller(...) { call @callee(...) }, where no argument shares memory with anything else."""
    inputs, outputs = list(callee.function_type.inputs), list(callee.function_type.outputs)
    block = Block(arg_types=inputs)
    call = func.CallOp(callee.sym_name.data, block.args, outputs)
    block.add_ops([call, func.ReturnOp(*call.results)])
    made = func.FuncOp(CALLER, (inputs, outputs), Region(block))
    apart: dict[str, Attribute] = {NO_ALIAS: UnitAttr()}
    made.properties["arg_attrs"] = ArrayAttr(DictionaryAttr(apart if isinstance(type, MemRefType) else {}) for type in inputs)
    return made


def size(module: ModuleOp, symbol: str) -> tuple[int, int]:
    """The size of a function that a model calls: that of its largest part, which decides whether copies are too many."""
    sizes = CodeSize(module)
    copies = sizes.expansions(set(sizes.functions) - {CALLER})
    largest = max(copies[name] * sizes.functions[name].operations for name in copies)
    return largest, sizes.accesses_of(next(op for op in module.ops if isinstance(op, func.FuncOp) and op.sym_name.data == symbol))


def parts_of(ir: str) -> list[str]:
    """The definitions, constants and declarations of a module in LLVM's language."""
    parts: list[str] = []
    for line in ir.splitlines():
        if line.startswith(("define ", "declare ", "@")):
            parts.append(line)
        elif line:
            parts[-1] += "\n" + line
    return parts


def made() -> LinkedLibrary:
    """The library, compiled from its sources."""
    items: dict[str, str] = {}
    sizes: dict[str, tuple[int, int]] = {}
    for symbol, code in roots().items():
        module = ModuleOp([caller(code.functions[symbol])])
        code.add_to(module, symbol)
        sizes[symbol] = size(module, symbol)
        ConvertScfToCf().apply(Context(), module)
        ConvertToLlvm().apply(Context(), module)
        for op in list(module.ops):
            if isinstance(op, llvm.FuncOp) and op.sym_name.data == CALLER:
                op.detach()
                op.erase()
        for part in parts_of(emit_llvm_ir(module)):
            name = symbol_of(part)
            first = items.setdefault(name, part)
            assert VARIES.sub("", first) == VARIES.sub("", part), f"@{name} is emitted differently in two modules"
            assert "!" not in part, f"@{name} has metadata, whose numbers belong to one module"
    library = LinkedLibrary({name: item(text) for name, text in sorted(items.items())}, sizes)
    used = {name for symbol in sizes for name in library.needed(symbol)}
    return LinkedLibrary({name: item for name, item in library.items.items() if name in used}, sizes)


if __name__ == "__main__":
    before, text = FILE.read_text(), written(made())
    FILE.write_text(text)
    print(f"{FILE}: {'unchanged' if text == before else 'updated'}")
