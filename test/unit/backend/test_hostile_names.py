"""Names and strings of a module stay names and strings in LLVM IR, whatever is written in them: LLVM reads nothing else out of them."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from llvmlite import binding  # pyright: ignore[reportMissingTypeStubs]
from support.long import long
from xdsl.dialects import llvm
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IntegerAttr, IntegerType, ModuleOp, StringAttr, UnitAttr, f64, i64
from xdsl.ir import Attribute, Block, Region, SSAValue

from cogir.backend import emit_llvm_ir as emission
from cogir.backend import intrinsics, llvm_text
from cogir.backend.emit_llvm_ir import emit_llvm_ir
from cogir.backend.jit import compile_to_object
from cogir.backend.llvm_text import quoted
from cogir.errors import BackendError

PIECES = (
    *'"\\\n\r\t\0(){}[]<>,;:=!#%@$.*& \x01\x7f',
    *("é", "ß", "漢", "\u2028", "\U0001f600"),
    *("x", "f64", "llvm.", "llvm.sqrt", "llvm.sqrt.f64", "llvm.x86.", "llvm.nvvm.", "\\22", "\\0A", "b0", "v1"),
    *('module asm ".globl system"', "declare i32 @system(ptr)", "call void @abort()", "define void @g() { ret void }", "\n}\n"),
    *(
        '\nmodule asm "nop"\n',
        "asm sideeffect",
        "nobuiltin",
        "section",
        "align 8",
        "!llvm.loop",
        "attributes #0",
        "= type opaque",
        "ptr",
        "double",
        "i64 0",
    ),
)
VOID = llvm.LLVMVoidType()


def hostile(generator: random.Random) -> str:
    """A string of pieces that mean something in LLVM IR."""
    return "".join(generator.choice(PIECES) for _ in range(generator.randint(1, 6)))


def function(name: str, body: Callable[[Block], object] = lambda block: None, **properties: Attribute) -> llvm.FuncOp:
    """`f64 name(f64)`, which returns its argument after what `body` adds."""
    block = Block(arg_types=[f64])
    body(block)
    block.add_op(llvm.ReturnOp(block.args[0]))
    type = llvm.LLVMFunctionType([f64], f64)
    return llvm.FuncOp(name, type, llvm.LinkageAttr("external"), body=Region(block), other_props=dict(properties))


def calling(name: str, operands: Callable[[SSAValue], Sequence[SSAValue]]) -> llvm.FuncOp:
    """A function that calls an intrinsic."""
    return function("caller", lambda block: block.add_op(llvm.CallIntrinsicOp(name, operands(block.args[0]), [f64])))


def variable(name: str, **properties: Any) -> llvm.GlobalOp:
    return llvm.GlobalOp(i64, name, "internal", value=IntegerAttr(1, i64), constant=True, **properties)


def hinted(name: str) -> llvm.FuncOp:
    """A function whose argument has a hint; xDSL takes only some."""
    made = function("hinted")
    made.body.block.args[0]._name = name  # pyright: ignore[reportPrivateUsage]
    return made


PLACES: dict[str, Callable[[str], llvm.FuncOp | llvm.GlobalOp]] = {
    "function": function,
    "variable": variable,
    "intrinsic": lambda text: calling(text if text.startswith("llvm.") else "llvm." + text, lambda x: [x]),
    "family": lambda text: calling("llvm.x86." + text, lambda x: [x]),
    "suffix": lambda text: calling("llvm.sqrt.f64" + text, lambda x: [x]),
    "declaration": lambda text: llvm.FuncOp("llvm." + text, llvm.LLVMFunctionType([f64], f64), llvm.LinkageAttr("external")),
    "callee": lambda text: function("caller", lambda block: block.add_op(llvm.CallOp("llvm." + text, block.args[0], return_type=f64))),
    "section": lambda text: variable("placed", section=text),
    "hint": hinted,
    "attribute": lambda text: function("f", passthrough=ArrayAttr([StringAttr(text)])),
    "pair": lambda text: function("f", passthrough=ArrayAttr([ArrayAttr([StringAttr(text), StringAttr(text[::-1])])])),
    "processor": lambda text: function("f", target_cpu=StringAttr(text), tune_cpu=StringAttr(text)),
    "argument": lambda text: function("f", arg_attrs=ArrayAttr([DictionaryAttr({text: UnitAttr()})])),
    "string": lambda text: llvm.GlobalOp(
        llvm.LLVMArrayType(len(text.encode()), IntegerType(8)), "text", "internal", value=StringAttr(text)
    ),
}
"""For each place where a text of a module enters LLVM IR: an operation with a text there."""


def parsed(text: str) -> Any:
    return binding.parse_assembly(text, context=binding.create_context())


def symbols_of(module: Any) -> set[str]:
    return {each.name for each in (*module.functions, *module.global_variables)}


def expected_symbols(op: llvm.FuncOp | llvm.GlobalOp) -> set[str]:
    """What LLVM may find in the module: the symbol, and an intrinsic that is called."""
    found = {op.sym_name.data}
    for inner in op.walk():
        if isinstance(inner, llvm.CallIntrinsicOp):
            found.add(intrinsics.full_name(inner.intrin.data, [f64], f64))
        elif isinstance(inner, llvm.CallOp) and inner.callee is not None:
            found.add(inner.callee.root_reference.data)
    return found


def fault_of(place: str, text: str) -> str | None:
    """What is wrong with the LLVM IR for a text in a place, if anything is; an error of cogir's is right, too."""
    op = PLACES[place](text)
    try:
        written = emit_llvm_ir(ModuleOp([op]))
    except BackendError:
        return None
    try:
        module = parsed(written)
    except RuntimeError as error:
        return f"LLVM refuses it: {error}"
    try:
        found, plain, expected = symbols_of(module), str(module), expected_symbols(op)
    except (BackendError, UnicodeDecodeError) as error:
        return f"it should have been refused: {error}"
    if found != expected:
        return f"LLVM finds {found}"
    return "LLVM finds assembly" if any(line.startswith("module asm") for line in plain.splitlines()) else None


def faults(place: str, count: int) -> list[tuple[str, str]]:
    generator = random.Random(place)
    texts = [hostile(generator) for _ in range(count)]
    return [(text, fault) for text in texts if (fault := fault_of(place, text)) is not None]


@pytest.mark.parametrize("count", [60, *long(4000)])
@pytest.mark.parametrize("place", PLACES)
def test_text_of_a_module_is_never_read_as_code(place: str, count: int) -> None:
    assert faults(place, count) == []


def unchecked(name: str, operands: Sequence[Attribute], result: Attribute | None) -> str:
    return name


def unquoted(text: str) -> str:
    return f'"{text}"'


PLANTS: dict[str, tuple[str, Callable[[pytest.MonkeyPatch], None]]] = {
    "intrinsics keep the name they are given": ("family", lambda patch: patch.setattr(emission, "full_name", unchecked)),
    "an ending of an intrinsic is kept": ("suffix", lambda patch: patch.setattr(emission, "full_name", unchecked)),
    "quotes are not escaped": ("function", lambda patch: patch.setattr(llvm_text, "quoted", unquoted)),
    "attributes may be anything": ("attribute", lambda patch: patch.setattr(emission, "_ATTRIBUTE", re.compile(""))),
    "a hint may be anything": ("hint", lambda patch: patch.setattr(emission, "_PLAIN_HINT", re.compile(""))),
    "strings are not escaped": ("string", lambda patch: patch.setattr(llvm_text, "quoted", unquoted)),
}


@pytest.mark.parametrize("plant", PLANTS)
def test_planted_fault_is_found(plant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    place, apply = PLANTS[plant]
    apply(monkeypatch)
    monkeypatch.setattr(emission, "symbol", lambda name: f"@{name}" if place in ("family", "suffix") else llvm_text.symbol(name))
    assert faults(place, 60)


@pytest.mark.parametrize(
    "text",
    [
        'module asm ".globl system"',
        'define void @f() {\n  call void asm sideeffect "nop", ""()\n  ret void\n}',
        '@"x" = global i8 0\nmodule  asm "nop"',
    ],
)
def test_text_with_assembly_is_refused_before_llvm_reads_it(text: str) -> None:
    with pytest.raises(BackendError, match="contains assembly"):
        compile_to_object(text)


def test_name_that_reads_like_assembly_is_a_name() -> None:
    assert compile_to_object(emit_llvm_ir(ModuleOp([function('module asm "nop"'), function("call asm f")])))


def test_intrinsic_of_other_types_and_family_is_refused() -> None:
    with pytest.raises(
        BackendError, match=r"the intrinsic 'llvm\.sqrt\.f32' is used with other types; write llvm\.sqrt, or llvm\.sqrt\.f64"
    ):
        emit_llvm_ir(ModuleOp([calling("llvm.sqrt.f32", lambda x: [x])]))
    with pytest.raises(BackendError, match=r"the intrinsic 'llvm\.x86\.rdtsc' is not in the tables"):
        emit_llvm_ir(ModuleOp([calling("llvm.x86.rdtsc", lambda x: [x])]))


def test_injected_call_of_the_shell_is_refused() -> None:
    name = 'llvm.x86.f(double)\ndeclare i32 @system(ptr)\nmodule asm "nop"\n;'
    with pytest.raises(BackendError, match="is not in the tables"):
        emit_llvm_ir(ModuleOp([calling(name, lambda x: [x])]))
    assert quoted('a"\n') == '"a\\22\\0A"'


@pytest.mark.parametrize("number", [-1, 10, 99])
def test_numbers_of_words_are_checked(number: int) -> None:
    def comparing(block: Block) -> None:
        block.add_op(op := llvm.ICmpOp(whole := _whole(block), whole, IntegerAttr(0, i64)))
        op.properties["predicate"] = IntegerAttr(number, i64)

    with pytest.raises(BackendError, match=f"llvm.icmp has the predicate {number}; give one from 0 to 9"):
        emit_llvm_ir(ModuleOp([function("f", comparing)]))


def _whole(block: Block) -> SSAValue:
    block.add_op(op := llvm.ConstantOp(IntegerAttr(1, i64), i64))
    return op.result
