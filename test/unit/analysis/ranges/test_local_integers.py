"""Ranges of integers: what is known of each operation, and that no value ever lies outside."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from cogir.analysis.ranges.local_integers import is_safe_divisor, range_of
from cogir.frontend.text import parse
from cogir.interpreters.func import function
from cogir.interpreters.levels import make_engine

CONSTANTS = (-4, -1, 0, 1, 2, 3, 7)
HEAD = "\n".join(f"%c{str(c).replace('-', 'm')} = arith.constant {c} : i64" for c in CONSTANTS)
LEAST, GREATEST = -(2**63), 2**63 - 1
ANY = (LEAST, GREATEST)


def module_of(body: str, result: str = "%y") -> ModuleOp:
    return parse(f"func.func @f(%x: i64, %z: i64) -> i64 {{\n{HEAD}\n{body}\nfunc.return {result} : i64\n}}")


def returned(module: ModuleOp) -> Operation:
    found = next(op for op in module.ops if isinstance(op, func.FuncOp)).body.block.last_op
    assert found is not None
    return found


BETWEEN = "%a = arith.maxsi %x, %c0 : i64\n%b = arith.minsi %a, %c7 : i64\n"
REMAINDER = "%r = arith.remsi %x, %c7 : i64\n%n = arith.cmpi slt, %r, %c0 : i64\n%s = arith.addi %r, {step} : i64\n"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("%y = arith.addi %x, %c1 : i64", ANY),
        ("%y = arith.maxsi %x, %c0 : i64", (0, GREATEST)),
        (BETWEEN + "%y = arith.addi %b, %cm4 : i64", (-4, 3)),
        (BETWEEN + "%y = arith.subi %c1, %b : i64", (-6, 1)),
        (BETWEEN + "%y = arith.muli %b, %cm4 : i64", (-28, 0)),
        ("%a = arith.maxsi %x, %c0 : i64\n%y = arith.addi %a, %c1 : i64", ANY),
        ("%y = arith.remsi %x, %cm4 : i64", (-3, 3)),
        (BETWEEN + "%y = arith.remsi %b, %c3 : i64", (0, 2)),
        (BETWEEN + "%y = arith.remsi %x, %b : i64", (-6, 6)),
        (REMAINDER.format(step="%c7") + "%y = arith.select %n, %s, %r : i64", (0, 6)),
        (REMAINDER.format(step="%c3") + "%y = arith.select %n, %s, %r : i64", (-3, 6)),
        (REMAINDER.format(step="%c7") + "%y = arith.select %n, %r, %s : i64", (-6, 13)),
        ("%t = arith.cmpi eq, %x, %z : i64\n%y = arith.extui %t : i1 to i64", (0, 1)),
        ("%i = arith.index_cast %x : i64 to index\n%y = arith.index_cast %i : index to i64", ANY),
        (BETWEEN + "%i = arith.index_cast %b : i64 to index\n%y = arith.index_cast %i : index to i64", (0, 7)),
    ],
)
def test_ranges(body: str, expected: tuple[int, int]) -> None:
    assert range_of(returned(module_of(body)).operands[0]) == expected


def test_the_index_of_a_loop() -> None:
    body = "%i0 = arith.constant 2 : index\n%i9 = arith.constant 9 : index\n%i3 = arith.constant 3 : index\n"
    body += (
        "%y = scf.for %i = %i0 to %i9 step %i3 iter_args(%k = %x) -> (i64) { %n = arith.index_cast %i : index to i64 scf.yield %n : i64 }"
    )
    loop = returned(module_of(body)).operands[0].owner
    assert isinstance(loop, Operation)
    assert range_of(loop.regions[0].block.args[0]) == (2, 8)
    assert range_of(loop.regions[0].block.args[1]) == ANY


GUARD = "%s = arith.addi %x, %c1 : i64\n%t = arith.cmpi {how}, %s, {limit} : i64\n%y = arith.select %t, {instead}, %x : i64"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("%y = arith.maxsi %x, %c1 : i64", True),
        ("%y = arith.maxsi %x, %c0 : i64", False),
        ("%y = arith.minsi %x, %cm4 : i64", True),
        ("%y = arith.minsi %x, %cm1 : i64", False),
        (GUARD.format(how="ult", limit="%c2", instead="%c1"), True),
        (GUARD.format(how="ult", limit="%c2", instead="%c0"), False),
        (GUARD.format(how="ult", limit="%c1", instead="%c1"), False),
        (GUARD.format(how="slt", limit="%c2", instead="%c1"), False),
    ],
)
def test_divisors(body: str, expected: bool) -> None:
    assert is_safe_divisor(returned(module_of(body)).operands[0]) == expected


OPS = ("addi", "subi", "muli", "maxsi", "minsi")
NUMBERS = st.one_of(st.integers(-9, 9), st.sampled_from([LEAST, LEAST + 1, GREATEST - 1, GREATEST]), st.integers(LEAST, GREATEST))


@st.composite
def programs(draw: st.DrawFn) -> str:
    """Some operations on two unknown numbers, constants, and one another."""
    names = ["%x", "%z", *(f"%c{str(c).replace('-', 'm')}" for c in CONSTANTS)]
    lines: list[str] = []
    for number in range(draw(st.integers(1, 8))):
        one, other, third = (draw(st.sampled_from(names)) for _ in range(3))
        what = draw(st.sampled_from([*OPS, "remsi", "select", "wrap"]))
        if what == "select":
            lines += [f"%t{number} = arith.cmpi slt, {one}, {other} : i64", f"%v{number} = arith.select %t{number}, {third}, {one} : i64"]
        elif what == "wrap":
            lines += [f"%t{number} = arith.cmpi slt, {one}, %c0 : i64", f"%w{number} = arith.addi {one}, %c7 : i64"]
            lines += [f"%v{number} = arith.select %t{number}, %w{number}, {one} : i64"]
        else:
            divisor = draw(st.sampled_from(["%c2", "%c3", "%c7", "%cm4"])) if what == "remsi" else other
            lines.append(f"%v{number} = arith.{what} {one}, {divisor} : i64")
        names += [f"%v{number}"] * 3
    return "\n".join(lines)


@given(programs(), NUMBERS, NUMBERS)
def test_no_value_lies_outside(body: str, x: int, z: int) -> None:
    last = body.rpartition("\n")[2].partition(" =")[0]
    module = module_of(body, last)
    low, high = range_of(returned(module).operands[0])
    engine = make_engine(module, "portable")
    (found,) = function(engine.symbol("f"), engine)(x, z)
    assert low <= found <= high
