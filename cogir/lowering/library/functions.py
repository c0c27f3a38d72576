"""
Functions of the library as IR, to be added to a module that calls them.

Each is compiled from its Python source once per process, together with what it calls, taken to stage `loops`, and cloned into
every module that needs it, unless the module says that it will be linked. In a module all of them are private and begin with `cogir_`,
so that they meet no name of the user's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import count
from typing import Any

from xdsl.context import Context
from xdsl.dialects import func, memref
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    SymbolRefAttr,
    TensorType,
    i64,
)
from xdsl.ir import Attribute, Operation

from cogir.analysis.code_size import SIZE
from cogir.analysis.signatures import INLINE
from cogir.errors import LoweringError
from cogir.lowering.buffers.bufferize import Bufferize
from cogir.lowering.convert_linalg_to_loops import ConvertLinalgToLoops
from cogir.lowering.library.in_lanes import lanes_of, symbol_in_lanes
from cogir.lowering.library.symbols import PREFIX
from cogir.pyfunc.table import FunctionTable, compile_function

LIBM = "cog.libm"
LINKED = "cog.linked"
ANY_LANES = 2
"""Numbers of lanes of the vector functions in the linked library; functions of other widths are made of these."""
C_LOG = "cogir_c_log"
"""The function that calls `@log`, or a known function that is the same, where a call would keep a loop from vectors."""
LIBM_NAMES = ("log", "log1p", "exp", "pow")
"""The functions of the C library that generators call; a function of the library of the same name is another one."""


class LibraryCode:
    """Compiled functions at stage `loops`, by symbol, and the constant arrays that they read."""

    def __init__(
        self,
        symbol: str,
        function: Callable[..., Any],
        types: Sequence[Attribute],
        inline: Callable[[str], str | None],
        suffix: str = "",
    ):
        """
        Compiles `function` for arguments of these types as `@symbol`, and what it calls.

        `inline` says for a symbol whether calls are "always" or "never" replaced by the body; None leaves that to LLVM. `suffix` ends the
        names of what it calls, for functions that are compiled in several ways.
        """
        table = FunctionTable(reserved=LIBM_NAMES)
        compile_function(function, types, name=symbol, symbol_table=table)
        module = ModuleOp(table.functions())
        for op in functions_of(module):
            rename_function(op, suffix, symbol)
            declare_updates(op)
        Bufferize().apply(Context(), module)
        ConvertLinalgToLoops().apply(Context(), module)
        rename_tables(module, symbol)
        self.functions: dict[str, func.FuncOp] = {}
        self.tables = {op.sym_name.data: op for op in module.ops if isinstance(op, memref.GlobalOp)}
        for op in functions_of(module):
            self.add(op, inline(op.sym_name.data))

    @classmethod
    def of(cls, functions: Iterable[func.FuncOp]) -> LibraryCode:
        """Functions that are always inlined and read no constant arrays."""
        code = cls.__new__(cls)
        code.functions, code.tables = {}, {}
        for op in functions:
            code.add(op, "always")
        return code

    def add(self, op: func.FuncOp, inline: str | None) -> None:
        """One more function."""
        if inline is not None and not op.is_declaration:
            op.attributes[INLINE] = StringAttr(inline)
        self.functions[op.sym_name.data] = op

    def closure(self, symbol: str) -> list[str]:
        """This function and all that it calls, callees first."""
        ordered: dict[str, None] = {}

        def visit(name: str) -> None:
            if name not in ordered and name in self.functions:
                for call in calls_in(self.functions[name]):
                    visit(call.callee.string_value())
                ordered[name] = None

        visit(symbol)
        return list(ordered)

    def add_to(self, module: ModuleOp, symbol: str) -> None:
        """
        Adds a function and what it needs to the end of a module; a declaration of the same symbol gives way.

        :raises LoweringError: if the module declares the symbol with another type.
        """
        block = module.body.block
        needed = self.closure(symbol)
        claim_for_libm(module, [name for name in needed if LIBM in self.functions[name].attributes])
        present = {op.sym_name.data: op for op in functions_of(module)}
        tables = {op.sym_name.data for op in module.ops if isinstance(op, memref.GlobalOp)}
        for name in needed:
            function, old = self.functions[name], present.get(name)
            if old is not None:
                if not old.is_declaration or function.is_declaration:
                    continue
                if old.function_type != function.function_type:
                    raise LoweringError(
                        f"@{name} has type {old.function_type}, but cogir's library defines it as {function.function_type}; names "
                        "that begin with cogir_ are reserved: rename the function"
                    )
                old.detach()
                old.erase()
            block.add_op(function.clone())
            for op in function.walk():
                if isinstance(op, memref.GetGlobalOp) and (table := op.name_.string_value()) not in tables:
                    tables.add(table)
                    block.add_op(self.tables[table].clone())


def says_linked(sizes: Mapping[str, tuple[int, int]]) -> DictionaryAttr:
    """The module's attribute `cog.linked`: the functions that the backend has already, and their sizes."""
    return DictionaryAttr({symbol: DenseArrayBase.from_list(i64, size) for symbol, size in sizes.items()})


def linked_size(module: ModuleOp, symbol: str) -> Attribute | None:
    """The size of a function that will be linked; None for others. Those for vectors are there for any number of lanes."""
    linked = module.attributes.get(LINKED)
    known = symbol if (lanes := lanes_of(symbol)) is None else symbol_in_lanes(lanes[0], ANY_LANES)
    return linked.data.get(known) if isinstance(linked, DictionaryAttr) else None


def declare_if_linked(module: ModuleOp, symbol: str, inline: str | None) -> bool:
    """Leaves the declaration of a function that will be linked, if it is one; `inline` as in `LibraryCode`."""
    size = linked_size(module, symbol)
    if size is None:
        return False
    declaration = next((op for op in functions_of(module) if op.sym_name.data == symbol), None)
    if declaration is None:
        call = next(call for call in calls_in(module) if call.callee.string_value() == symbol)
        declaration = func.FuncOp.external(symbol, call.operand_types, call.result_types)
        module.body.block.add_op(declaration)
    if declaration.is_declaration:
        declaration.attributes[SIZE] = size
        if inline is not None:
            declaration.attributes[INLINE] = StringAttr(inline)
        claim_for_libm(module, LIBM_NAMES)
    return True


def functions_of(module: ModuleOp) -> list[func.FuncOp]:
    """The functions of a module, in order."""
    return [op for op in module.ops if isinstance(op, func.FuncOp)]


def calls_in(op: Operation) -> Iterator[func.CallOp]:
    """The calls inside an operation."""
    return (call for call in op.walk() if isinstance(call, func.CallOp))


def claim_for_libm(module: ModuleOp, names: Sequence[str]) -> None:
    """
    Gives functions of the module that have a C function's name another one, so that calls of it mean C's.

    :raises LoweringError: if such a function can be called from outside.
    """
    functions = {op.sym_name.data: op for op in functions_of(module)}
    for name in names:
        op = functions.get(name)
        if op is None or LIBM in op.attributes:
            continue
        if op.sym_visibility != StringAttr("private"):
            raise LoweringError(
                f"the module calls @{name} of the C library, but also has a public function of that name; rename the function"
            )
        fresh = next(other for number in count(1) if (other := f"{name}_{number}") not in functions)
        functions[fresh] = op
        op.properties["sym_name"] = StringAttr(fresh)
        for call in calls_in(module):
            if call.callee.string_value() == name:
                call.properties["callee"] = SymbolRefAttr(fresh)


def prefixed(name: str) -> str:
    """The symbol that a library function has in a module."""
    return name if name.startswith(PREFIX) else PREFIX + name


def rename_function(op: func.FuncOp, suffix: str, root: str) -> None:
    """Gives a function, and those it calls, the symbols they have in a module; the C library's keep theirs, and `root` has no suffix."""
    if LIBM not in op.attributes:
        op.properties["sym_name"] = StringAttr(with_suffix(prefixed(op.sym_name.data), suffix, root))
    for call in calls_in(op):
        if (callee := call.callee.string_value()) not in LIBM_NAMES:
            call.properties["callee"] = SymbolRefAttr(with_suffix(prefixed(callee), suffix, root))


def with_suffix(symbol: str, suffix: str, root: str) -> str:
    return symbol if symbol in (root, C_LOG) else symbol + suffix


def declare_updates(function: func.FuncOp) -> None:
    """An array that a function returns takes the place of the argument of its type: a generator's words are updated in place."""
    inputs, outputs = function.function_type.inputs.data, function.function_type.outputs.data
    if function.is_declaration or not any(isinstance(type, TensorType) and type in outputs for type in inputs):
        return
    function.properties["arg_attrs"] = ArrayAttr(
        DictionaryAttr({"cog.updates": IntegerAttr(outputs.index(type), i64)} if isinstance(type, TensorType) else {}) for type in inputs
    )


def rename_tables(module: ModuleOp, prefix: str) -> None:
    """Gives the constant arrays of a module names that are unique in any other."""
    names: Mapping[str, str] = {op.sym_name.data: f"{prefix}_{op.sym_name.data}" for op in module.ops if isinstance(op, memref.GlobalOp)}
    for op in module.walk():
        if isinstance(op, memref.GlobalOp):
            op.properties["sym_name"] = StringAttr(names[op.sym_name.data])
        elif isinstance(op, memref.GetGlobalOp):
            op.properties["name"] = SymbolRefAttr(names[op.name_.string_value()])
