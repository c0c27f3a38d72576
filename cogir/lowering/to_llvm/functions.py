"""func.func to llvm.func: signatures, linkage, and what is known about arguments."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects import func, llvm
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, MemRefType, ModuleOp, StringAttr, UnitAttr, i1, i64
from xdsl.ir import Attribute, Region

from cogir.analysis.code_size import SIZE, CodeSize
from cogir.analysis.separate_buffers import NO_ALIAS
from cogir.analysis.signatures import BRIEF, INLINE, WIDE
from cogir.dialects.llvm_ext import KERNEL
from cogir.errors import LoweringError
from cogir.irutils import integer_attribute
from cogir.lowering.to_llvm.converter import Converter, ModuleConverter
from cogir.lowering.to_llvm.types import bytes_of, extent_of, llvm_type, memref_of, result_type

LIBM = "cog.libm"
_UNIT = UnitAttr()
_NO_MEMORY = ArrayAttr([StringAttr("memory"), StringAttr("0")])
"""`memory(none)`: reads and writes nothing, in the encoding of LLVM."""
_LONGEST_VECTORS = ArrayAttr([StringAttr("prefer-vector-width"), StringAttr("512")])
_INLINE_CHOICES = {"always": "alwaysinline", "never": "noinline"}


def too_large_to_inline(module: ModuleOp, sizes: CodeSize) -> set[str]:
    """
    The functions marked `cog.inline = "always"` whose copies would make the code grow out of bounds.

    For them LLVM decides call by call, as for functions without a mark.
    """
    marked = {
        op.sym_name.data
        for op in module.body.block.ops
        if isinstance(op, func.FuncOp) and op.attributes.get(INLINE) == StringAttr("always") and _is_known(op)
    }
    return {
        name for name, copies in sizes.expansions(marked).items() if copies * sizes.functions[name].operations > _MOST_COPIED_OPERATIONS
    }


def unmarked_functions(module: ModuleOp) -> set[str]:
    """The private functions without a mark: the bodies of nodes, which several nodes may share."""
    return {
        op.sym_name.data
        for op in module.body.block.ops
        if isinstance(op, func.FuncOp) and INLINE not in op.attributes and op.sym_visibility == StringAttr("private") and _is_known(op)
    }


def called_too_often(module: ModuleOp, sizes: CodeSize) -> set[str]:
    """The functions without a mark that LLVM must not copy to each of their calls."""
    return sizes.crowded(unmarked_functions(module), _MOST_SHARED_OPERATIONS)


def few_enough(module: ModuleOp, sizes: CodeSize) -> set[str]:
    """
    The functions without a mark that LLVM copies to each of their calls, whatever it thinks of it: what they are handed in memory
    then stays in registers.
    """
    unmarked = unmarked_functions(module)
    return unmarked - sizes.crowded(unmarked, _FEW_SHARED_OPERATIONS)


def _is_known(op: func.FuncOp) -> bool:
    """True if a function has a body, or will be linked with one."""
    return bool(op.body.blocks) or SIZE in op.attributes


_MOST_COPIED_OPERATIONS = 10_000
"""LLVM needs about a second for so many operations."""
_MOST_SHARED_OPERATIONS = 2_000
"""Copies of larger bodies do not run faster than calls, and LLVM needs four times as long for 125 nodes that wait for each other."""
_FEW_SHARED_OPERATIONS = 500
"""A model of a dozen nodes that share a body of thirty operations runs twice as fast, and is compiled no slower."""


def convert_function(module: ModuleConverter, op: func.FuncOp) -> llvm.FuncOp:
    """
    func.func private @f(%m: memref<4xf64>) -> f64  ->  llvm.func internal @f(%m: !llvm.ptr {...}) -> f64

    A private function with a body is internal; a function without a body stays external.
    """
    inputs = [llvm_type(type) for type in op.function_type.inputs]
    output = result_type(tuple(llvm_type(type) for type in op.function_type.outputs))
    private = op.sym_visibility is not None and op.sym_visibility.data == "private"
    internal = private and bool(op.body.blocks)
    body = Region()
    new = llvm.FuncOp(
        op.sym_name,
        llvm.LLVMFunctionType(inputs, output),
        llvm.LinkageAttr("internal" if internal else "external"),
        body=body,
        other_props={"passthrough": ArrayAttr(_function_attributes(module, op))},
    )
    new.location = op.location
    if KERNEL in op.attributes:
        new.attributes[KERNEL] = _UNIT
    separate = module.separate.get(op.sym_name.data, frozenset[int]())
    facts = [_argument_facts(op, position, not internal, position in separate) for position in range(len(inputs))]
    if any(facts):
        new.properties["arg_attrs"] = ArrayAttr([DictionaryAttr(fact) for fact in facts])
    if output == i1 and not internal:
        new.properties["res_attrs"] = ArrayAttr([DictionaryAttr({"llvm.zeroext": _UNIT})])
    if op.body.blocks:
        Converter(module, op.body, body).convert_body()
    return new


def _function_attributes(module: ModuleConverter, op: func.FuncOp) -> list[Attribute]:
    attributes: list[Attribute] = [StringAttr("nounwind")]
    if LIBM in op.attributes:
        # A function of the C library as it is: pure, and LLVM must neither replace nor fold it.
        attributes += [StringAttr("willreturn"), StringAttr("nobuiltin"), _NO_MEMORY]
    if (choice := op.attributes.get(INLINE)) is not None:
        if not isinstance(choice, StringAttr) or choice.data not in _INLINE_CHOICES:
            raise LoweringError(f'convert-to-llvm: @{op.sym_name.data}: cog.inline is {choice}; give "always" or "never"')
        if not (choice.data == "always" and op.sym_name.data in module.not_inlined):
            attributes.append(StringAttr(_INLINE_CHOICES[choice.data]))
    elif op.sym_name.data in module.not_inlined:
        attributes.append(StringAttr(_INLINE_CHOICES["never"]))
    elif op.sym_name.data in module.inlined:
        attributes.append(StringAttr(_INLINE_CHOICES["always"]))
    if BRIEF in op.attributes:
        attributes.append(StringAttr(BRIEF))
    if WIDE in op.attributes:
        attributes.append(_LONGEST_VECTORS)
    return attributes


def _argument_facts(op: func.FuncOp, position: int, external: bool, separate: bool) -> Mapping[str, Attribute]:
    """The attributes of an argument by its type, and those written on it: a memref is aligned and as large as its type says."""
    facts: dict[str, Attribute] = {}
    type: Attribute = op.function_type.inputs.data[position]
    if isinstance(op.function_type.inputs.data[position], MemRefType):
        memref = memref_of(type)
        width = bytes_of(memref.element_type)
        facts["llvm.align"] = integer_attribute(width, i64)
        extent = extent_of(memref)
        if extent:
            facts["llvm.dereferenceable"] = integer_attribute(extent * width, i64)
        facts["llvm.nonnull"] = _UNIT
        if separate:
            facts[NO_ALIAS] = _UNIT
    elif type == i1 and external:
        # C passes a bool as a byte that is 0 or 1.
        facts["llvm.zeroext"] = _UNIT
    facts["llvm.noundef"] = _UNIT
    if op.arg_attrs is not None:
        given = op.arg_attrs.data[position].data
        facts.update({name: value for name, value in given.items() if name.startswith("llvm.")})
    return facts
