"""
From the llvm dialect to machine code in this process.

```python
code = compile_module(module)                      # module: only the llvm dialect
run = code.function("run", ctypes.c_int32, ctypes.c_void_p, ctypes.c_int64)
```

Numbers stay as written: no fast-math, and a multiplication and an addition are never contracted to one operation.
"""

from __future__ import annotations

import ctypes
from collections.abc import Container, Mapping, Sequence
from typing import Any

from xdsl.dialects import llvm as llvm_dialect
from xdsl.dialects.builtin import ModuleOp

from cogir.analysis.verify_declarations import may_be_linked
from cogir.backend.brief_functions import split
from cogir.backend.emit_llvm_ir import emit_llvm_ir
from cogir.backend.llvm import LoadedObject, Machine, ParsedModule, Target, host, machine_for
from cogir.errors import BackendError


class CompiledCode:
    """
    Machine code that was loaded into this process.

    Its functions may be called as long as this object lives; functions made by `function` keep it alive.
    """

    def __init__(self, object_code: bytes, symbols: Sequence[str], imports: Mapping[str, int] | None = None):
        self.object_code = object_code
        self.loaded = LoadedObject(object_code, symbols, imports or {})

    @property
    def symbols(self) -> tuple[str, ...]:
        """The names of the functions that can be called."""
        return self.loaded.symbols

    def address(self, symbol: str) -> int:
        """The address of a function in this process."""
        return self.loaded.address(symbol)

    def function(self, symbol: str, result: Any, *arguments: Any) -> Any:
        """The function `symbol` for ctypes, with the given result type and argument types."""
        function: Any = ctypes.CFUNCTYPE(result, *arguments)(self.address(symbol))
        function.code = self
        return function


def exported_symbols(module: ModuleOp) -> tuple[str, ...]:
    """The functions of a module of the llvm dialect that code outside of it can call."""
    return tuple(
        op.sym_name.data
        for op in module.body.block.ops
        if isinstance(op, llvm_dialect.FuncOp) and op.body.blocks and op.linkage.linkage.data == "external"
    )


def require_known(module: ParsedModule, imports: Container[str], linked: Container[str] = ()) -> None:
    """
    Raises BackendError when a module refers to a symbol of the process that is neither the runtime's nor among `imports`; `linked` has
    yet to be linked to it.

    What the code refers to is looked at once more here, after all text has been put together.
    """
    for name in module.declared():
        if name not in imports and name not in linked and not may_be_linked(name):
            raise BackendError(f"jit: the module refers to @{name}, which has no body and is not a function of the runtime; give it a body")


LARGE = 6_000
"""Lines of one function from which on LLVM's full optimisation costs seconds: its time grows faster than the function."""


def large_functions(ir: str) -> set[str]:
    """The functions of a module in LLVM's language that have more lines than `LARGE`."""
    bodies = ir.split("\ndefine ")[1:]
    return {body[body.index("@") + 1 : body.index("(")].strip('"') for body in bodies if body.count("\n", 0, body.find("\n}")) > LARGE}


def optimised(
    ir: str, *, target: Target | None = None, vectorise: bool = True, wide: bool = False, imports: Container[str] = ()
) -> tuple[Machine, ParsedModule]:
    """
    LLVM IR, parsed, verified and optimised for a target (default: this processor at level 3, `wide` or not).

    It may refer to functions of the runtime, and to `imports`.

    Very large functions, of models with hundreds of nodes, are optimised lightly, and the module is made into code at level 1. The
    functions that products share are optimised once over.
    """
    if target is None and (large := large_functions(ir)):
        machine = machine_for(host(1, wide))
        module = machine.parse(ir)
        require_known(module, imports)
        machine.optimise_lightly(module, large)
        return machine, module
    machine = machine_for(target or host(wide=wide))
    parts = split(ir)
    module = machine.parse(parts.rest)
    require_known(module, imports, parts.names)
    if machine.target.level > 0:
        machine.optimise(module, vectorise=vectorise)
    if parts.brief:
        brief = machine.parse(parts.brief, module)
        if machine.target.level > 0:
            machine.optimise_once(brief)
        module.link(brief, parts.names)
    return machine, module


def compile_to_object(
    ir: str, *, target: Target | None = None, vectorise: bool = True, wide: bool = False, imports: Container[str] = ()
) -> bytes:
    """Relocatable machine code for LLVM IR. Raises BackendError when LLVM refuses it, or it refers to code that is not the runtime's."""
    machine, module = optimised(ir, target=target, vectorise=vectorise, wide=wide, imports=imports)
    return machine.object_code(module)


def optimised_llvm_ir(ir: str, *, target: Target | None = None) -> str:
    """LLVM IR after LLVM's passes, as text."""
    return str(optimised(ir, target=target)[1])


def assembly(ir: str, *, target: Target | None = None) -> str:
    """Assembly text for LLVM IR, optimised."""
    machine, module = optimised(ir, target=target)
    return machine.assembly(module)


def compile_module(module: ModuleOp, *, level: int = 3, vectorise: bool = True, imports: Mapping[str, int] | None = None) -> CompiledCode:
    """
    Compiles a module of the llvm dialect for this processor and loads it.

    `imports` gives addresses of external functions that are not the runtime's.
    Raises BackendError when the module has nothing to call, refers to other external functions, or LLVM refuses it.
    """
    symbols = exported_symbols(module)
    if not symbols:
        raise BackendError("jit: the module has no function that can be called from outside; make one of them public")
    imports = imports or {}
    code = compile_to_object(emit_llvm_ir(module, imports=imports), target=host(level), vectorise=vectorise, imports=imports)
    return CompiledCode(code, symbols, imports)
