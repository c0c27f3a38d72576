"""
The text of LLVM IR for each operation of the llvm dialect that stands in a function.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from typing import Any, Protocol, TypeAlias, cast

from xdsl.dialects import llvm
from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr
from xdsl.ir import Attribute, Operation, SSAValue

from cogir.backend.intrinsics import OF_LLVM, require_intrinsic
from cogir.backend.llvm_text import symbol
from cogir.dialects import llvm_ext
from cogir.errors import BackendError

LOOP_ANNOTATION = "loop_annotation"
_ALL_FAST_MATH = 7
_OVERFLOW = ("", " nsw", " nuw", " nuw nsw")


class ModuleContext(Protocol):
    """The module that instructions are written in: its types, its declarations and its metadata."""

    @property
    def no_builtin(self) -> Container[str]:
        """Functions that LLVM must not take for those of the C library."""
        ...

    def type(self, type: Attribute, /) -> str:
        """A type as text."""
        ...

    def intrinsic(self, name: str, operands: Sequence[Attribute], result: Attribute | None, /) -> str:
        """The symbol of an intrinsic with its types; it will be declared."""
        ...

    def loop_metadata(self, hint: llvm_ext.LoopAnnotationAttr, /) -> str:
        """`, !llvm.loop !n` for the back edge of a loop."""
        ...


class FunctionContext(Protocol):
    """The function that instructions are written in: the names and types of its values, and the labels of its blocks."""

    names: dict[SSAValue, str]

    @property
    def module(self) -> ModuleContext:
        """The module of the function."""
        ...

    def type(self, value: SSAValue, /) -> str:
        """The type of a value as text."""
        ...

    def typed(self, value: SSAValue, /) -> str:
        """An operand with its type: `double %x`."""
        ...

    def typed_list(self, values: Sequence[SSAValue], /) -> str:
        """Operands with their types."""
        ...

    def target(self, op: Operation, position: int, /) -> str:
        """The label that a successor of a terminator is reached by."""
        ...


Writer: TypeAlias = Callable[[FunctionContext, Any], str]


def calling_convention(convention: llvm.CallingConventionAttr) -> str:
    """The word for a convention other than C's, with a space in front."""
    return "" if convention.cconv_name == "ccc" else f" {convention.cconv_name}"


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


def _binary(word: str) -> Writer:
    """llvm.sub %a, %b : T  ->  sub T %a, %b"""

    def write(to: FunctionContext, op: Operation) -> str:
        lhs, rhs = op.operands
        text = word
        properties = op.properties
        if (overflow := properties.get("overflowFlags")) is not None:
            text += _word(op, "overflow flags", _OVERFLOW, cast("IntegerAttr[Any]", overflow).value.data)
        if "isExact" in properties:
            text += " exact"
        if "isDisjoint" in properties:
            text += " disjoint"
        return f"{text} {to.typed(lhs)}, {to.names[rhs]}"

    return write


def _float_binary(word: str) -> Writer:
    """llvm.fadd %a, %b : T  ->  fadd T %a, %b"""

    def write(to: FunctionContext, op: Operation) -> str:
        lhs, rhs = op.operands
        return f"{word}{_flags(op)} {to.typed(lhs)}, {to.names[rhs]}"

    return write


def _cast(word: str) -> Writer:
    """llvm.sitofp %x : T to U  ->  sitofp T %x to U"""

    def write(to: FunctionContext, op: Operation) -> str:
        flags = " nneg" if "nonNeg" in op.properties else ""
        overflow = op.properties.get("overflowFlags")
        if isinstance(overflow, llvm.OverflowAttr):
            flags += "".join(f" {flag}" for flag in overflow.data)
        return f"{word}{flags} {to.typed(op.operands[0])} to {to.type(op.results[0])}"

    return write


def _word(op: Operation, what: str, words: Sequence[object], number: int) -> str:
    """A word of LLVM's by its number in MLIR."""
    if not 0 <= number < len(words):
        raise BackendError(f"emit-llvm-ir: {op.name} has the {what} {number}; give one from 0 to {len(words) - 1}")
    return str(words[number])


def _icmp(to: FunctionContext, op: llvm.ICmpOp) -> str:
    predicate = _word(op, "predicate", llvm.ALL_ICMP_FLAGS, op.predicate.value.data)
    return f"icmp {predicate} {to.typed(op.lhs)}, {to.names[op.rhs]}"


def _fcmp(to: FunctionContext, op: llvm.FCmpOp) -> str:
    predicate = _word(op, "predicate", llvm.ALL_FCMP_FLAGS, op.predicate.value.data).removeprefix("_")
    return f"fcmp{_flags(op)} {predicate} {to.typed(op.lhs)}, {to.names[op.rhs]}"


def _select(to: FunctionContext, op: llvm.SelectOp) -> str:
    return f"select{_flags(op)} {to.typed_list(op.operands)}"


def _fneg(to: FunctionContext, op: llvm.FNegOp) -> str:
    return f"fneg{_flags(op)} {to.typed(op.arg)}"


def _alignment(op: Operation) -> str:
    alignment = op.properties.get("alignment")
    return "" if alignment is None else f", align {cast('IntegerAttr[Any]', alignment).value.data}"


def _load(to: FunctionContext, op: llvm.LoadOp) -> str:
    _refuse_atomic(op)
    volatile = " volatile" if llvm_ext.VOLATILE in op.attributes else ""
    return f"load{volatile} {to.type(op.dereferenced_value)}, {to.typed(op.ptr)}{_alignment(op)}"


def _store(to: FunctionContext, op: llvm.StoreOp) -> str:
    _refuse_atomic(op)
    volatile = " volatile" if op.volatile_ is not None else ""
    return f"store{volatile} {to.typed(op.value)}, {to.typed(op.ptr)}{_alignment(op)}"


def _refuse_atomic(op: llvm.LoadOp | llvm.StoreOp) -> None:
    if op.ordering is not None and op.ordering.value.data != 0:
        raise BackendError(f"emit-llvm-ir: atomic {op.name} is not supported; cogir shares no memory between threads")


def _atomic_rmw(to: FunctionContext, op: llvm_ext.AtomicRMWOp) -> str:
    kind = _word(op, "function", op.KINDS, op.bin_op.value.data)
    return f"atomicrmw {kind.lstrip('_')} {to.typed(op.ptr)}, {to.typed(op.val)} monotonic"


def _alloca(to: FunctionContext, op: llvm.AllocaOp) -> str:
    return f"alloca {to.module.type(op.elem_type)}, {to.typed(op.size)}{_alignment(op)}"


def _getelementptr(to: FunctionContext, op: llvm.GEPOp) -> str:
    dynamic = iter(op.ssa_indices)
    indices: list[str] = []
    for raw in op.rawConstantIndices.iter_values():
        indices.append(to.typed(next(dynamic)) if raw == llvm.GEP_USE_SSA_VAL else f"i32 {raw}")
    flags = op.noWrapFlags.value.data
    inbounds = op.inbounds is not None or flags & 1
    words = " inbounds" if inbounds else " nusw" if flags & 2 else ""
    words += " nuw" if flags & 4 else ""
    return f"getelementptr{words} {to.module.type(op.elem_type)}, {to.typed(op.ptr)}, {', '.join(indices)}"


def _extract_value(to: FunctionContext, op: llvm.ExtractValueOp) -> str:
    return f"extractvalue {to.typed(op.container)}, {_positions(op.position)}"


def _insert_value(to: FunctionContext, op: llvm.InsertValueOp) -> str:
    return f"insertvalue {to.typed(op.container)}, {to.typed(op.value)}, {_positions(op.position)}"


def _positions(positions: DenseArrayBase[Any]) -> str:
    return ", ".join([str(position) for position in positions.get_values()])


def _vector_operation(word: str) -> Writer:
    """llvm.insertelement %x, %v[%i]  ->  insertelement V %v, T %x, i64 %i"""

    def write(to: FunctionContext, op: Operation) -> str:
        return f"{word} {to.typed_list(op.operands)}"

    return write


def _shuffle(to: FunctionContext, op: llvm.ShuffleVectorOp) -> str:
    mask = [int(position) for position in cast("DenseArrayBase[Any]", op.mask).get_values()]
    lanes = ", ".join(["i32 poison" if lane < 0 else f"i32 {lane}" for lane in mask])
    return f"shufflevector {to.typed_list(op.operands)}, <{len(mask)} x i32> <{lanes}>"


def _call(to: FunctionContext, op: llvm.CallOp) -> str:
    result = "void" if op.returned is None else to.type(op.returned)
    if op.callee is None:
        pointer, *arguments = op.args
        return f"call{_flags(op)}{calling_convention(op.CConv)} {result} {to.names[pointer]}({to.typed_list(arguments)})"
    name = op.callee.root_reference.data
    if op.var_callee_type is not None:
        variadic = op.var_callee_type
        inputs = [to.module.type(type) for type in variadic.inputs] + (["..."] if variadic.is_variadic else [])
        result = f"{result} ({', '.join(inputs)})"
    if name.startswith(OF_LLVM):
        require_intrinsic(name, [each.type for each in op.args], None if op.returned is None else op.returned.type)
    no_builtin = " nobuiltin" if name in to.module.no_builtin else ""
    convention = calling_convention(op.CConv)
    return f"call{_flags(op)}{convention} {result} {symbol(name)}({to.typed_list(op.args)}){no_builtin}"


def _call_intrinsic(to: FunctionContext, op: llvm.CallIntrinsicOp) -> str:
    return _intrinsic_call(to, op, op.intrin.data, op.args)


def intrinsic_operation(to: FunctionContext, op: Operation) -> str:
    """llvm.intr.sqrt(%x)  ->  call double @llvm.sqrt.f64(double %x)"""
    return _intrinsic_call(to, op, "llvm." + op.name.removeprefix("llvm.intr."), op.operands)


def _intrinsic_call(to: FunctionContext, op: Operation, name: str, operands: Sequence[SSAValue]) -> str:
    result = op.results[0].type if op.results else None
    callee = to.module.intrinsic(name, [operand.type for operand in operands], result)
    returned = to.module.type(result) if result is not None else "void"
    return f"call{_flags(op)} {returned} {callee}({to.typed_list(operands)})"


def _branch(to: FunctionContext, op: llvm.BrOp) -> str:
    return f"br label %{to.target(op, 0)}{_loop(to, op)}"


def _conditional_branch(to: FunctionContext, op: llvm.CondBrOp) -> str:
    return f"br {to.typed(op.cond)}, label %{to.target(op, 0)}, label %{to.target(op, 1)}{_loop(to, op)}"


def _loop(to: FunctionContext, op: Operation) -> str:
    hint = op.attributes.get(LOOP_ANNOTATION) or op.properties.get(LOOP_ANNOTATION)
    return to.module.loop_metadata(hint) if isinstance(hint, llvm_ext.LoopAnnotationAttr) else ""


def _switch(to: FunctionContext, op: llvm_ext.SwitchOp) -> str:
    type = to.type(op.value)
    cases = [f"{type} {value}, label %{to.target(op, index + 1)}" for index, (value, _, _) in enumerate(op.cases())]
    return f"switch {to.typed(op.value)}, label %{to.target(op, 0)} [ {' '.join(cases)} ]"


def _return(to: FunctionContext, op: llvm.ReturnOp) -> str:
    return "ret void" if op.arg is None else f"ret {to.typed(op.arg)}"


def _unreachable(to: FunctionContext, op: llvm.UnreachableOp) -> str:
    return "unreachable"


WRITERS: dict[str, Writer] = {
    **{f"llvm.{word}": _binary(word) for word in "add sub mul udiv sdiv urem srem and or xor shl lshr ashr".split()},
    **{f"llvm.{word}": _float_binary(word) for word in "fadd fsub fmul fdiv frem".split()},
    **{
        f"llvm.{word}": _cast(word)
        for word in "trunc zext sext ptrtoint inttoptr bitcast addrspacecast fpext fptrunc sitofp uitofp fptosi fptoui".split()
    },
    "llvm.icmp": _icmp,
    "llvm.fcmp": _fcmp,
    "llvm.select": _select,
    "llvm.fneg": _fneg,
    "llvm.load": _load,
    "llvm.store": _store,
    "llvm.atomicrmw": _atomic_rmw,
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
"""The text of each operation; operations of `llvm.intr` are calls of the intrinsic they are named after."""
