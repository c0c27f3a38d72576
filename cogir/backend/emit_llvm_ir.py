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
from collections.abc import Callable, Sequence
from typing import Any, cast

from xdsl.dialects import llvm
from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, DictionaryAttr, IntegerAttr, ModuleOp, StringAttr
from xdsl.ir import Attribute, Block, Operation, SSAValue

from cogir.analysis.verify_ssa import edges_of
from cogir.backend.intrinsics import full_name
from cogir.backend.llvm_text import constant_text, symbol, type_text
from cogir.dialects import llvm_ext
from cogir.errors import BackendError

KERNEL = "nvvm.kernel"
LOOP_ANNOTATION = "loop_annotation"


def emit_llvm_ir(module: ModuleOp, *, triple: str | None = None, data_layout: str | None = None) -> str:
    """
    The text of LLVM IR for a module of the llvm dialect.

    `triple` and `data_layout` are written at its top when given. Raises BackendError for an operation of another
    dialect, or one that the emitter does not know.
    """
    return _ModuleWriter(triple, data_layout).write(module)


class _ModuleWriter:
    def __init__(self, triple: str | None, data_layout: str | None):
        self.head: list[str] = []
        if data_layout is not None:
            self.head.append(f'target datalayout = "{data_layout}"')
        if triple is not None:
            self.head.append(f'target triple = "{triple}"')
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
                    f"emit-llvm-ir: {op.name} stands in the module; only llvm.func and llvm.mlir.global may: run convert-to-llvm before"
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
            raise BackendError(f"emit-llvm-ir: llvm.mlir.global @{op.sym_name.data} has an initialiser region; give it a value")
        linkage = op.linkage.linkage.data
        words = [symbol(op.sym_name.data), "=", linkage if op.value is not None or linkage != "external" else "external"]
        if op.thread_local_ is not None:
            words.append("thread_local")
        if (space := cast("IntegerAttr[Any]", op.addr_space).value.data) != 0:
            words.append(f"addrspace({space})")
        words += ["constant" if op.constant is not None else "global", self.type(op.global_type)]
        if op.value is not None:
            words.append(constant_text(op.value, op.global_type))
        text = " ".join(words)
        if op.section is not None:
            text += f', section "{op.section.data}"'
        if op.alignment is not None:
            text += f", align {cast('IntegerAttr[Any]', op.alignment).value.data}"
        return text

    def function(self, op: llvm.FuncOp) -> str:
        """llvm.func internal @f(%x: T {llvm.noalias}) -> U  ->  define internal U @f(T noalias %x)"""
        type = op.function_type
        name = symbol(op.sym_name.data)
        arg_attrs = op.arg_attrs.data if op.arg_attrs is not None else ()
        res_attrs = op.res_attrs.data if op.res_attrs is not None else ()
        facts = [self.argument_attributes(op, entry) for entry in arg_attrs] or [""] * len(type.inputs.data)
        result = (self.argument_attributes(op, res_attrs[0]) if res_attrs else "") + " " + self.type(type.output)
        attributes = self.function_attributes(op)
        if "nobuiltin" in attributes.split():
            self.no_builtin.add(op.sym_name.data)
        kernel = " ptx_kernel" if KERNEL in op.attributes else _calling_convention(op.CConv)
        writer: _FunctionWriter | None = None
        if not op.body.blocks:
            parameters = [self.type(input) + fact for input, fact in zip(type.inputs, facts, strict=True)]
        else:
            writer = _FunctionWriter(self, op)
            entry = op.body.blocks[0]
            parameters = [f"{self.type(arg.type)}{fact} {writer.names[arg]}" for arg, fact in zip(entry.args, facts, strict=True)]
        if type.is_variadic:
            parameters.append("...")
        linkage = op.linkage.linkage.data
        linkage = "" if linkage == "external" else f" {linkage}"
        head = f"{kernel}{result} {name}({', '.join(parameters)}){attributes}"
        if writer is None:
            return f"declare{head}"
        return f"define{linkage}{head} {{\n{writer.body()}}}\n"

    def function_attributes(self, op: llvm.FuncOp) -> str:
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
                words.append(f'"{key.replace("_", "-")}"="{value.data}"')
        return "".join(f" {word}" for word in words)

    def argument_attributes(self, op: llvm.FuncOp, attributes: DictionaryAttr) -> str:
        words: list[str] = []
        for key, value in attributes.data.items():
            word = _ARGUMENT_ATTRIBUTES.get(key)
            if word is None:
                raise BackendError(f"emit-llvm-ir: @{op.sym_name.data}: argument attribute {key} has no counterpart in LLVM IR")
            if "%" in word:
                number = cast("IntegerAttr[Any]", value).value.data if isinstance(value, IntegerAttr) else None
                word = word.replace("%", self.type(cast(Attribute, value)) if number is None else str(number))
            words.append(word)
        return "".join(f" {word}" for word in words)

    def intrinsic(self, name: str, operands: Sequence[Attribute], result: Attribute | None) -> str:
        """The symbol of an intrinsic with its types; it will be declared."""
        full = full_name(name, operands, result)
        if full not in self.declared:
            output = self.type(result) if result is not None else "void"
            self.declared[full] = f"declare {output} @{full}({', '.join([self.type(type) for type in operands])})"
        return f"@{full}"


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
        return entry.data if entry.data in _FUNCTION_WORDS else f'"{entry.data}"'
    if isinstance(entry, ArrayAttr):
        pair = [part.data for part in cast("ArrayAttr[Attribute]", entry) if isinstance(part, StringAttr)]
        if pair == ["memory", "0"]:
            return "memory(none)"
        if len(pair) == 2:
            return f'"{pair[0]}"="{pair[1]}"'
    raise BackendError(f"emit-llvm-ir: @{op.sym_name.data}: passthrough attribute {entry} is neither a name nor a pair")


def _calling_convention(convention: llvm.CallingConventionAttr) -> str:
    return "" if convention.cconv_name == "ccc" else f" {convention.cconv_name}"


class _FunctionWriter:
    """One function definition: names of values, phi nodes, instructions."""

    def __init__(self, module: _ModuleWriter, op: llvm.FuncOp):
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
                raise BackendError(f"emit-llvm-ir: @{self.op.sym_name.data}: the first block is the target of a branch")
            for op in block.ops:
                writer = write.get(op.name)
                if writer is None:
                    if op.name in _CONSTANTS:
                        continue
                    if op.name.startswith("llvm.intr."):
                        writer = _intrinsic_operation
                    else:
                        raise BackendError(f"emit-llvm-ir: {op.name} is not known; run convert-to-llvm before")
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
        raise BackendError(f"emit-llvm-ir: {op.name} ends a block, but what it passes on is not known")
    return edges


_CONSTANTS = frozenset(("llvm.mlir.constant", "llvm.mlir.zero", "llvm.mlir.undef", "llvm.mlir.poison", "llvm.mlir.addressof"))


def _constant_operand(op: Operation) -> str:
    """What stands for a constant wherever it is used."""
    if isinstance(op, llvm.ConstantOp):
        return constant_text(op.value, op.result.type)
    if isinstance(op, llvm.AddressOfOp):
        return symbol(op.global_name.root_reference.data)
    if isinstance(op, llvm.ZeroOp):
        return "null" if isinstance(op.res.type, llvm.LLVMPointerType) else "zeroinitializer"
    return "undef" if isinstance(op, llvm.UndefOp) else "poison"


# -- instructions

Writer = Callable[[_FunctionWriter, Any], str]


def _flags(op: Operation) -> str:
    """Fast-math flags in the order of the alphabet, with a space in front."""
    attribute = op.properties.get("fastmathFlags")
    if attribute is None:
        return ""
    flags = cast(Any, attribute).data
    if not flags:
        return ""
    words = sorted(str(flag) for flag in flags)
    return " fast" if len(words) == _ALL_FAST_MATH else "".join(f" {word}" for word in words)


_ALL_FAST_MATH = 7
_OVERFLOW = {0: "", 1: " nsw", 2: " nuw", 3: " nuw nsw"}


def _binary(word: str) -> Writer:
    """llvm.sub %a, %b : T  ->  sub T %a, %b"""

    def write(to: _FunctionWriter, op: Operation) -> str:
        lhs, rhs = op.operands
        text = word
        properties = op.properties
        if (overflow := properties.get("overflowFlags")) is not None:
            text += _OVERFLOW[cast("IntegerAttr[Any]", overflow).value.data]
        if "isExact" in properties:
            text += " exact"
        if "isDisjoint" in properties:
            text += " disjoint"
        return f"{text} {to.typed(lhs)}, {to.names[rhs]}"

    return write


def _float_binary(word: str) -> Writer:
    """llvm.fadd %a, %b : T  ->  fadd T %a, %b"""

    def write(to: _FunctionWriter, op: Operation) -> str:
        lhs, rhs = op.operands
        return f"{word}{_flags(op)} {to.typed(lhs)}, {to.names[rhs]}"

    return write


def _cast(word: str) -> Writer:
    """llvm.sitofp %x : T to U  ->  sitofp T %x to U"""

    def write(to: _FunctionWriter, op: Operation) -> str:
        flags = " nneg" if "nonNeg" in op.properties else ""
        overflow = op.properties.get("overflowFlags")
        if isinstance(overflow, llvm.OverflowAttr):
            flags += "".join(f" {flag}" for flag in overflow.data)
        return f"{word}{flags} {to.typed(op.operands[0])} to {to.type(op.results[0])}"

    return write


def _icmp(to: _FunctionWriter, op: llvm.ICmpOp) -> str:
    predicate = llvm.ALL_ICMP_FLAGS[op.predicate.value.data]
    return f"icmp {predicate} {to.typed(op.lhs)}, {to.names[op.rhs]}"


def _fcmp(to: _FunctionWriter, op: llvm.FCmpOp) -> str:
    predicate = str(llvm.ALL_FCMP_FLAGS[op.predicate.value.data]).removeprefix("_")
    return f"fcmp{_flags(op)} {predicate} {to.typed(op.lhs)}, {to.names[op.rhs]}"


def _select(to: _FunctionWriter, op: llvm.SelectOp) -> str:
    return f"select{_flags(op)} {to.typed_list(op.operands)}"


def _fneg(to: _FunctionWriter, op: llvm.FNegOp) -> str:
    return f"fneg{_flags(op)} {to.typed(op.arg)}"


def _alignment(op: Operation) -> str:
    alignment = op.properties.get("alignment")
    return "" if alignment is None else f", align {cast('IntegerAttr[Any]', alignment).value.data}"


def _load(to: _FunctionWriter, op: llvm.LoadOp) -> str:
    _refuse_atomic(op)
    return f"load {to.type(op.dereferenced_value)}, {to.typed(op.ptr)}{_alignment(op)}"


def _store(to: _FunctionWriter, op: llvm.StoreOp) -> str:
    _refuse_atomic(op)
    volatile = " volatile" if op.volatile_ is not None else ""
    return f"store{volatile} {to.typed(op.value)}, {to.typed(op.ptr)}{_alignment(op)}"


def _refuse_atomic(op: llvm.LoadOp | llvm.StoreOp) -> None:
    if op.ordering is not None and op.ordering.value.data != 0:
        raise BackendError(f"emit-llvm-ir: atomic {op.name} is not supported; cogir shares no memory between threads")


def _alloca(to: _FunctionWriter, op: llvm.AllocaOp) -> str:
    return f"alloca {to.module.type(op.elem_type)}, {to.typed(op.size)}{_alignment(op)}"


def _getelementptr(to: _FunctionWriter, op: llvm.GEPOp) -> str:
    dynamic = iter(op.ssa_indices)
    indices: list[str] = []
    for raw in op.rawConstantIndices.iter_values():
        indices.append(to.typed(next(dynamic)) if raw == llvm.GEP_USE_SSA_VAL else f"i32 {raw}")
    flags = op.noWrapFlags.value.data
    inbounds = op.inbounds is not None or flags & 1
    words = " inbounds" if inbounds else " nusw" if flags & 2 else ""
    words += " nuw" if flags & 4 else ""
    return f"getelementptr{words} {to.module.type(op.elem_type)}, {to.typed(op.ptr)}, {', '.join(indices)}"


def _extract_value(to: _FunctionWriter, op: llvm.ExtractValueOp) -> str:
    return f"extractvalue {to.typed(op.container)}, {_positions(op.position)}"


def _insert_value(to: _FunctionWriter, op: llvm.InsertValueOp) -> str:
    return f"insertvalue {to.typed(op.container)}, {to.typed(op.value)}, {_positions(op.position)}"


def _positions(positions: DenseArrayBase[Any]) -> str:
    return ", ".join([str(position) for position in positions.get_values()])


def _vector_operation(word: str) -> Writer:
    """llvm.insertelement %x, %v[%i]  ->  insertelement V %v, T %x, i64 %i"""

    def write(to: _FunctionWriter, op: Operation) -> str:
        return f"{word} {to.typed_list(op.operands)}"

    return write


def _shuffle(to: _FunctionWriter, op: llvm.ShuffleVectorOp) -> str:
    mask = [int(position) for position in cast("DenseArrayBase[Any]", op.mask).get_values()]
    lanes = ", ".join(["i32 poison" if lane < 0 else f"i32 {lane}" for lane in mask])
    return f"shufflevector {to.typed_list(op.operands)}, <{len(mask)} x i32> <{lanes}>"


def _call(to: _FunctionWriter, op: llvm.CallOp) -> str:
    if op.callee is None:
        raise BackendError("emit-llvm-ir: llvm.call through a pointer is not supported; call a function by its name")
    name = op.callee.root_reference.data
    result = "void" if op.returned is None else to.type(op.returned)
    if op.var_callee_type is not None:
        variadic = op.var_callee_type
        inputs = [to.module.type(type) for type in variadic.inputs] + (["..."] if variadic.is_variadic else [])
        result = f"{result} ({', '.join(inputs)})"
    no_builtin = " nobuiltin" if name in to.module.no_builtin else ""
    convention = _calling_convention(op.CConv)
    return f"call{_flags(op)}{convention} {result} {symbol(name)}({to.typed_list(op.args)}){no_builtin}"


def _call_intrinsic(to: _FunctionWriter, op: llvm.CallIntrinsicOp) -> str:
    return _intrinsic_call(to, op, op.intrin.data, op.args)


def _intrinsic_operation(to: _FunctionWriter, op: Operation) -> str:
    """llvm.intr.sqrt(%x)  ->  call double @llvm.sqrt.f64(double %x)"""
    return _intrinsic_call(to, op, "llvm." + op.name.removeprefix("llvm.intr."), op.operands)


def _intrinsic_call(to: _FunctionWriter, op: Operation, name: str, operands: Sequence[SSAValue]) -> str:
    result = op.results[0].type if op.results else None
    callee = to.module.intrinsic(name, [operand.type for operand in operands], result)
    returned = to.module.type(result) if result is not None else "void"
    return f"call{_flags(op)} {returned} {callee}({to.typed_list(operands)})"


def _branch(to: _FunctionWriter, op: llvm.BrOp) -> str:
    return f"br label %{to.target(op, 0)}{_loop(to, op)}"


def _conditional_branch(to: _FunctionWriter, op: llvm.CondBrOp) -> str:
    return f"br {to.typed(op.cond)}, label %{to.target(op, 0)}, label %{to.target(op, 1)}{_loop(to, op)}"


def _loop(to: _FunctionWriter, op: Operation) -> str:
    hint = op.attributes.get(LOOP_ANNOTATION) or op.properties.get(LOOP_ANNOTATION)
    return to.module.loop_metadata(hint) if isinstance(hint, llvm_ext.LoopAnnotationAttr) else ""


def _switch(to: _FunctionWriter, op: llvm_ext.SwitchOp) -> str:
    type = to.type(op.value)
    cases = [f"{type} {value}, label %{to.target(op, index + 1)}" for index, (value, _, _) in enumerate(op.cases())]
    return f"switch {to.typed(op.value)}, label %{to.target(op, 0)} [ {' '.join(cases)} ]"


def _return(to: _FunctionWriter, op: llvm.ReturnOp) -> str:
    return "ret void" if op.arg is None else f"ret {to.typed(op.arg)}"


def _unreachable(to: _FunctionWriter, op: llvm.UnreachableOp) -> str:
    return "unreachable"


WRITERS: dict[str, Writer] = {
    **{f"llvm.{word}": _binary(word) for word in "add sub mul udiv sdiv urem srem and or xor shl lshr ashr".split()},
    **{f"llvm.{word}": _float_binary(word) for word in "fadd fsub fmul fdiv frem".split()},
    **{
        f"llvm.{word}": _cast(word)
        for word in "trunc zext sext ptrtoint inttoptr bitcast fpext fptrunc sitofp uitofp fptosi fptoui".split()
    },
    "llvm.icmp": _icmp,
    "llvm.fcmp": _fcmp,
    "llvm.select": _select,
    "llvm.fneg": _fneg,
    "llvm.load": _load,
    "llvm.store": _store,
    "llvm.alloca": _alloca,
    "llvm.getelementptr": _getelementptr,
    "llvm.extractvalue": _extract_value,
    "llvm.insertvalue": _insert_value,
    "llvm.insertelement": _vector_operation("insertelement"),
    "llvm.extractelement": _vector_operation("extractelement"),
    "llvm.shufflevector": _shuffle,
    "llvm.call": _call,
    "llvm.call_intrinsic": _call_intrinsic,
    "llvm.br": _branch,
    "llvm.cond_br": _conditional_branch,
    "llvm.switch": _switch,
    "llvm.return": _return,
    "llvm.unreachable": _unreachable,
}
"""How each operation is written; operations of `llvm.intr` are calls of the intrinsic they are named after."""
