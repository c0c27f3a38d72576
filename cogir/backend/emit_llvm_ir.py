"""
Writes a module of the llvm dialect as the text of LLVM IR.

Before: `builtin.module` with llvm.func, llvm.mlir.global and nothing but the llvm dialect inside.
After: text that LLVM 22 parses. Constants stand where they are used, block arguments become phi nodes, names of
overloaded intrinsics get their types, floating-point constants are written to the bit.

Blocks may come in any order that LLVM accepts. A branch with two edges to one block whose arguments differ gets a
block of its own on the second edge, since a phi node knows only from which block control came.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from typing import Any, cast

from xdsl.dialects import llvm
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IntegerAttr, ModuleOp, StringAttr
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from cogir.analysis.verify_declarations import verify_declaration
from cogir.analysis.verify_ssa import edges_of
from cogir.backend.intrinsics import OF_LLVM, full_name, require_intrinsic
from cogir.backend.llvm_instructions import WRITERS, calling_convention, intrinsic_operation
from cogir.backend.llvm_text import constant_text, quoted, symbol, type_text
from cogir.dialects import llvm_ext
from cogir.dialects.llvm_ext import KERNEL, SHARED_SPACE
from cogir.errors import BackendError, shown


def emit_llvm_ir(module: ModuleOp, *, triple: str | None = None, data_layout: str | None = None, imports: Container[str] = ()) -> str:
    """
    The text of LLVM IR for a module of the llvm dialect.

    `triple` and `data_layout` are written at its top when given. Raises BackendError for an operation of another
    dialect, one that the emitter does not know, and a declaration of what is neither the runtime's nor among `imports`.
    """
    for op in module.body.block.ops:
        try:
            verify_declaration(op, imports)
        except VerifyException as error:
            raise BackendError(f"emit-llvm-ir: {error}") from None
    return ModuleWriter(triple, data_layout).write(module)


class ModuleWriter:
    def __init__(self, triple: str | None, data_layout: str | None):
        self.head: list[str] = []
        if data_layout is not None:
            self.head.append(f"target datalayout = {quoted(data_layout)}")
        if triple is not None:
            self.head.append(f"target triple = {quoted(triple)}")
        self.types: dict[Attribute, str] = {}
        self.declared: dict[str, str] = {}
        self.no_builtin: set[str] = set()
        self.metadata: list[str] = []

    def write(self, module: ModuleOp) -> str:
        parts: list[str] = []
        for op in module.body.block.ops:
            if isinstance(op, llvm.FuncOp):
                parts.append(self.function(op))
            elif isinstance(op, llvm.GlobalOp):
                parts.append(self.global_variable(op))
            else:
                raise BackendError(
                    f"emit-llvm-ir: the module contains {op.name}, but only llvm.func and llvm.mlir.global are supported at its "
                    "top level; run convert-to-llvm before"
                )
        return "\n".join([*self.head, *parts, *sorted(self.declared.values()), *self.metadata]) + "\n"

    # -- types, attributes, metadata

    def type(self, type: Attribute) -> str:
        text = self.types.get(type)
        if text is None:
            text = self.types[type] = type_text(type)
        return text

    def loop_metadata(self, hint: llvm_ext.LoopAnnotationAttr) -> str:
        """`, !llvm.loop !n` for the back edge of a loop."""
        properties = ['!"llvm.loop.mustprogress"']
        if hint.vectorizes is not None:
            properties.append(f'!"llvm.loop.vectorize.enable", i1 {"true" if hint.vectorizes else "false"}')
        if (count := hint.unroll_count) is not None:
            properties.append('!"llvm.loop.unroll.disable"' if count == 0 else f'!"llvm.loop.unroll.count", i32 {count}')
        if hint.forbids_licm:
            properties.append('!"llvm.licm.disable"')
        numbers: list[int] = []
        for text in properties[1:]:
            numbers.append(len(self.metadata))
            self.metadata.append(f"!{numbers[-1]} = !{{{text}}}")
        node = len(self.metadata)
        self.metadata.append(f"!{node} = distinct !{{{', '.join(f'!{number}' for number in (node, *numbers))}}}")
        return f", !llvm.loop !{node}"

    # -- globals and functions

    def global_variable(self, op: llvm.GlobalOp) -> str:
        """llvm.mlir.global internal constant @g(v) : T  ->  @g = internal constant T v"""
        if op.body.blocks:
            raise BackendError(
                f"emit-llvm-ir: llvm.mlir.global @{op.sym_name.data} has an initialiser region, which is not supported; give it a "
                "value attribute"
            )
        linkage = linkage_word(op)
        words = [symbol(op.sym_name.data), "=", linkage]
        if op.thread_local_ is not None:
            words.append("thread_local")
        if (space := cast("IntegerAttr[Any]", op.addr_space).value.data) != 0:
            words.append(f"addrspace({space})")
        words += ["constant" if op.constant is not None else "global", self.type(op.global_type)]
        if op.value is not None:
            words.append(constant_text(op.value, op.global_type))
        elif space == SHARED_SPACE and linkage == "internal":
            words.append("undef")
        text = " ".join(words)
        if op.section is not None:
            text += f", section {quoted(op.section.data)}"
        if op.alignment is not None:
            text += f", align {cast('IntegerAttr[Any]', op.alignment).value.data}"
        return text

    def function(self, op: llvm.FuncOp) -> str:
        """llvm.func internal @f(%x: T {llvm.noalias}) -> U  ->  define internal U @f(T noalias %x)"""
        type = op.function_type
        name = symbol(op.sym_name.data)
        if op.sym_name.data.startswith(OF_LLVM):
            self.check_intrinsic(op)
        arg_attrs = op.arg_attrs.data if op.arg_attrs is not None else ()
        res_attrs = op.res_attrs.data if op.res_attrs is not None else ()
        facts = [self.argument_attributes(op, entry) for entry in arg_attrs] or [""] * len(type.inputs.data)
        result = (self.argument_attributes(op, res_attrs[0]) if res_attrs else "") + " " + self.type(type.output)
        attributes = self.function_attributes(op)
        if NO_BUILTIN in attributes:
            self.no_builtin.add(op.sym_name.data)
        kernel = " ptx_kernel" if KERNEL in op.attributes else calling_convention(op.CConv)
        writer: FunctionWriter | None = None
        if not op.body.blocks:
            parameters = [self.type(input) + fact for input, fact in zip(type.inputs, facts, strict=True)]
        else:
            writer = FunctionWriter(self, op)
            entry = op.body.blocks[0]
            parameters = [f"{self.type(arg.type)}{fact} {writer.names[arg]}" for arg, fact in zip(entry.args, facts, strict=True)]
        if type.is_variadic:
            parameters.append("...")
        linkage = linkage_word(op)
        linkage = "" if linkage == "external" else f" {linkage}"
        head = f"{kernel}{result} {name}({', '.join(parameters)}){''.join(f' {word}' for word in attributes)}"
        if writer is None:
            return f"declare{head}"
        return f"define{linkage}{head} {{\n{writer.body()}}}\n"

    def check_intrinsic(self, op: llvm.FuncOp) -> None:
        """Raises BackendError for a function that has a name of LLVM's own, but is not the declaration of an intrinsic with its types."""
        output = op.function_type.output
        require_intrinsic(op.sym_name.data, list(op.function_type.inputs), None if isinstance(output, llvm.LLVMVoidType) else output)
        if op.body.blocks:
            raise BackendError(f"emit-llvm-ir: @{op.sym_name.data} is an intrinsic of LLVM's, but has a body; give it another name")

    def function_attributes(self, op: llvm.FuncOp) -> list[str]:
        words: list[str] = []
        for property, word in _FUNCTION_PROPERTIES.items():
            if op.get_attr_or_prop(property) is not None:
                words.append(word)
        passthrough = op.get_attr_or_prop("passthrough")
        for entry in cast("ArrayAttr[Attribute]", passthrough) if isinstance(passthrough, ArrayAttr) else ():
            word = _passthrough(op, entry)
            if word not in words:
                words.append(word)
        for key in ("target_cpu", "tune_cpu"):
            if isinstance(value := op.get_attr_or_prop(key), StringAttr):
                words.append(f"{quoted(key.replace('_', '-'))}={_attribute_text(op, value.data)}")
        return words

    def argument_attributes(self, op: llvm.FuncOp, attributes: DictionaryAttr) -> str:
        words: list[str] = []
        for key, value in attributes.data.items():
            word = _ARGUMENT_ATTRIBUTES.get(key)
            if word is None:
                raise BackendError(f"emit-llvm-ir: @{op.sym_name.data}: argument attribute {key} has no counterpart in LLVM IR")
            if "%" in word:
                word = word.replace("%", self.argument_value(op, key, value))
            words.append(word)
        return "".join(f" {word}" for word in words)

    def argument_value(self, op: llvm.FuncOp, key: str, value: Attribute) -> str:
        """The value of an attribute of an argument: a number, or for `byval` and `sret` a type."""
        if not isinstance(value, IntegerAttr):
            return self.type(value)
        if (number := cast("IntegerAttr[Any]", value).value.data) < 0:
            raise BackendError(f"emit-llvm-ir: @{op.sym_name.data}: argument attribute {key} is {number}; give a number of at least 0")
        return str(number)

    def intrinsic(self, name: str, operands: Sequence[Attribute], result: Attribute | None) -> str:
        """The symbol of an intrinsic with its types; it will be declared."""
        full = full_name(name, operands, result)
        if full not in self.declared:
            output = self.type(result) if result is not None else "void"
            self.declared[full] = f"declare {output} {symbol(full)}({', '.join([self.type(type) for type in operands])})"
        return symbol(full)


def linkage_word(op: llvm.FuncOp | llvm.GlobalOp) -> str:
    """The linkage of a function or variable, which is a word of LLVM's."""
    if (word := op.linkage.linkage.data) not in _LINKAGES:
        raise BackendError(f"emit-llvm-ir: @{op.sym_name.data} has the linkage {shown(word)}; use one of {', '.join(_LINKAGES)}")
    return word


NO_BUILTIN = "nobuiltin"
_LINKAGES = ("external", "internal", "private", "linkonce", "linkonce_odr", "weak", "weak_odr", "appending")
_FUNCTION_PROPERTIES = {
    "no_unwind": "nounwind",
    "no_inline": "noinline",
    "always_inline": "alwaysinline",
    "optimize_none": "optnone",
    "will_return": "willreturn",
    "convergent": "convergent",
}
_FUNCTION_WORDS = frozenset(
    "alwaysinline noinline inlinehint nounwind willreturn nobuiltin norecurse nofree nosync noreturn mustprogress cold hot "
    "minsize optsize optnone convergent speculatable".split()
)
_ARGUMENT_ATTRIBUTES = {
    "llvm.noalias": "noalias",
    "llvm.readonly": "readonly",
    "llvm.writeonly": "writeonly",
    "llvm.readnone": "readnone",
    "llvm.nocapture": "captures(none)",
    "llvm.nonnull": "nonnull",
    "llvm.noundef": "noundef",
    "llvm.nofree": "nofree",
    "llvm.returned": "returned",
    "llvm.signext": "signext",
    "llvm.zeroext": "zeroext",
    "llvm.inreg": "inreg",
    "llvm.align": "align %",
    "llvm.dereferenceable": "dereferenceable(%)",
    "llvm.dereferenceable_or_null": "dereferenceable_or_null(%)",
    "llvm.byval": "byval(%)",
    "llvm.sret": "sret(%)",
}


def _passthrough(op: llvm.FuncOp, entry: Attribute) -> str:
    if isinstance(entry, StringAttr):
        return entry.data if entry.data in _FUNCTION_WORDS else _attribute_text(op, entry.data)
    if isinstance(entry, ArrayAttr):
        pair = [part.data for part in cast("ArrayAttr[Attribute]", entry) if isinstance(part, StringAttr)]
        if pair == ["memory", "0"]:
            return "memory(none)"
        if len(pair) == 2:
            return "=".join(_attribute_text(op, part) for part in pair)
    raise BackendError(f"emit-llvm-ir: @{op.sym_name.data}: passthrough attribute {entry} is neither a name nor a pair")


_ATTRIBUTE = re.compile(r"[A-Za-z0-9_.,:;+=/ -]*\Z")


def _attribute_text(op: llvm.FuncOp, text: str) -> str:
    """An attribute in quotes. LLVM does not escape its characters when it prints a module, so only those are taken that need no escape."""
    if not _ATTRIBUTE.match(text):
        raise BackendError(
            f"emit-llvm-ir: @{op.sym_name.data}: attribute {shown(text)} has other characters than letters, digits, ' _.,:;+=/-'"
        )
    return quoted(text)


class FunctionWriter:
    """One function definition: names of values, phi nodes, instructions."""

    def __init__(self, module: ModuleWriter, op: llvm.FuncOp):
        self.module = module
        self.op = op
        self.names: dict[SSAValue, str] = {}
        self.labels: dict[Block, str] = {}
        self.incoming: dict[Block, list[tuple[Sequence[SSAValue], str]]] = {}
        self.edges: dict[tuple[Block, int], str] = {}
        self.count = 0
        self._name_everything()

    def _name_everything(self) -> None:
        names = self.names
        for number, block in enumerate(self.op.body.blocks):
            self.labels[block] = f"b{number}"
            for arg in block.args:
                names[arg] = self._fresh(arg)
            for op in block.ops:
                results = op.results
                if results:
                    result = results[0]
                    name = op.name
                    names[result] = _constant_operand(op) if name in _CONSTANTS else self._fresh(result)

    def _fresh(self, value: SSAValue) -> str:
        self.count += 1
        hint = value.name_hint
        return f"%{hint}.{self.count}" if hint is not None and _PLAIN_HINT.match(hint) else f"%v{self.count}"

    # -- blocks

    def body(self) -> str:
        """The blocks of the function."""
        blocks = list(self.op.body.blocks)
        for block in blocks:
            self._collect_edges(block)
        lines: list[str] = []
        write, names = WRITERS, self.names
        for block in blocks:
            lines.append(f"{self.labels[block]}:")
            if block is not blocks[0]:
                lines.extend(self._phis(block))
            elif block in self.incoming:
                raise BackendError(
                    f"emit-llvm-ir: @{self.op.sym_name.data}: the first block is the target of a branch; add an entry block before it"
                )
            for op in block.ops:
                writer = write.get(op.name)
                if writer is None:
                    if op.name in _CONSTANTS:
                        continue
                    if op.name.startswith("llvm.intr."):
                        writer = intrinsic_operation
                    else:
                        raise BackendError(f"emit-llvm-ir: {op.name} has no counterpart in LLVM IR; run convert-to-llvm before")
                text = writer(self, op)
                results = op.results
                lines.append(f"  {names[results[0]]} = {text}" if results else f"  {text}")
        for (source, position), label in self.edges.items():
            assert source.last_op is not None
            lines.append(f"{label}:")
            lines.append(f"  br label %{self.labels[source.last_op.successors[position]]}")
        return "\n".join(lines) + "\n"

    def _collect_edges(self, block: Block) -> None:
        last = block.last_op
        if last is None or not last.successors:
            return
        seen: set[Block] = set()
        for position, (target, operands) in enumerate(_edges(last)):
            label = self.labels[block]
            if target in seen and operands:
                label = self.edges[block, position] = f"{label}.{position}"
            seen.add(target)
            if len(operands) != len(target.args):
                raise BackendError(
                    f"emit-llvm-ir: @{self.op.sym_name.data}: {last.name} passes {len(operands)} values to a block "
                    f"with {len(target.args)} arguments"
                )
            self.incoming.setdefault(target, []).append((operands, label))

    def _phis(self, block: Block) -> list[str]:
        lines: list[str] = []
        if not block.args:
            return lines
        incoming = self.incoming.get(block, [])
        for position, arg in enumerate(block.args):
            sources = ", ".join([f"[ {self.names[operands[position]]}, %{label} ]" for operands, label in incoming])
            if not sources:
                # Nobody branches here: any value will do.
                self.names[arg] = "poison"
                continue
            lines.append(f"  {self.names[arg]} = phi {self.type(arg)} {sources}")
        return lines

    def target(self, op: Operation, position: int) -> str:
        """The label that a successor of a terminator is reached by."""
        block = op.parent
        assert block is not None
        split = self.edges.get((block, position))
        return split if split is not None else self.labels[op.successors[position]]

    # -- operands

    def type(self, value: SSAValue) -> str:
        return self.module.type(value.type)

    def typed(self, value: SSAValue) -> str:
        """An operand with its type: `double %x`."""
        return f"{self.module.type(value.type)} {self.names[value]}"

    def typed_list(self, values: Sequence[SSAValue]) -> str:
        return ", ".join([self.typed(value) for value in values])


_PLAIN_HINT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")


def _edges(op: Operation) -> list[tuple[Block, Sequence[SSAValue]]]:
    """The successors of a terminator with the values that it passes to each."""
    edges = edges_of(op)
    if edges is None:
        raise BackendError(f"emit-llvm-ir: the terminator {op.name} is not supported; use llvm.br, llvm.cond_br or llvm.switch")
    return edges


_CONSTANTS = frozenset(("llvm.mlir.constant", "llvm.mlir.zero", "llvm.mlir.undef", "llvm.mlir.poison", "llvm.mlir.addressof"))


def _constant_operand(op: Operation) -> str:
    """The text of a constant where it is used."""
    if isinstance(op, llvm.ConstantOp):
        return constant_text(op.value, op.result.type)
    if isinstance(op, llvm.AddressOfOp):
        return symbol(op.global_name.root_reference.data)
    if isinstance(op, llvm.ZeroOp):
        return "null" if isinstance(op.res.type, llvm.LLVMPointerType) else "zeroinitializer"
    return "undef" if isinstance(op, llvm.UndefOp) else "poison"
