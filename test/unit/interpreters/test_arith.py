"""The meaning of `arith` against NumPy's fixed-width numbers."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.utils.exceptions import InterpretationError

from cogir.frontend.text import parse
from cogir.interpreters.levels import run_function

INT64 = st.one_of(st.integers(-(2**63), 2**63 - 1), st.sampled_from([-(2**63), -1, 0, 1, 2**63 - 1]))
FLOATS = st.floats(allow_nan=True, allow_infinity=True, width=64)
FLOATS32 = st.floats(allow_nan=True, allow_infinity=True, width=32)


def run(op: str, types: str, result: str, *args: Any) -> Any:
    """Runs one operation on arguments of the given types."""
    names = [f"%a{number}" for number in range(len(args))]
    kinds = types.split(", ")
    signature = ", ".join(f"{name}: {kind}" for name, kind in zip(names, kinds, strict=True))
    line = op.format(*names)
    module = parse(f"func.func @f({signature}) -> {result} {{ %r = {line} func.return %r : {result} }}")
    (value,) = run_function(module, "f", args)
    return value


def bits(value: float) -> bytes:
    return b"nan" if math.isnan(value) else np.float64(value).tobytes()


@settings(max_examples=60, deadline=None)
@given(INT64, INT64)
def test_integers_wrap_as_numpy_does(a: int, b: int) -> None:
    x, y = np.array([a]), np.array([b])
    for name, expected in {
        "addi": x + y,
        "subi": x - y,
        "muli": x * y,
        "andi": x & y,
        "ori": x | y,
        "xori": x ^ y,
        "minsi": np.minimum(x, y),
        "maxui": np.maximum(x.view(np.uint64), y.view(np.uint64)).view(np.int64),
    }.items():
        assert run(f"arith.{name} {{}}, {{}} : i64", "i64, i64", "i64", a, b) == expected[0], name


@settings(max_examples=40, deadline=None)
@given(INT64, INT64.filter(lambda b: b not in (0, -1)))
def test_division_truncates_as_c_does(a: int, b: int) -> None:
    quotient = math.trunc(Fraction(a, b))
    assert run("arith.divsi {}, {} : i64", "i64, i64", "i64", a, b) == quotient
    assert run("arith.remsi {}, {} : i64", "i64, i64", "i64", a, b) == a - b * quotient
    x, y = np.array([a]).view(np.uint64), np.array([b]).view(np.uint64)
    assert run("arith.divui {}, {} : i64", "i64, i64", "i64", a, b) == (x // y).view(np.int64)[0]
    assert run("arith.remui {}, {} : i64", "i64, i64", "i64", a, b) == (x % y).view(np.int64)[0]
    assert run("arith.floordivsi {}, {} : i64", "i64, i64", "i64", a, b) == np.array([a])[0] // np.array([b])[0]


@settings(max_examples=40, deadline=None)
@given(INT64, st.integers(0, 63))
def test_shifts(a: int, count: int) -> None:
    x = np.array([a])
    assert run("arith.shli {}, {} : i64", "i64, i64", "i64", a, count) == (x << count)[0]
    assert run("arith.shrsi {}, {} : i64", "i64, i64", "i64", a, count) == (x >> count)[0]
    assert run("arith.shrui {}, {} : i64", "i64, i64", "i64", a, count) == (x.view(np.uint64) >> np.uint64(count)).view(np.int64)[0]


@settings(max_examples=60, deadline=None)
@given(FLOATS, FLOATS)
def test_doubles_to_the_bit(a: float, b: float) -> None:
    x, y = np.float64(a), np.float64(b)
    with np.errstate(all="ignore"):
        expected = {"addf": x + y, "subf": x - y, "mulf": x * y, "divf": x / y}
    for name, value in expected.items():
        assert bits(run(f"arith.{name} {{}}, {{}} : f64", "f64, f64", "f64", a, b)) == bits(float(value)), name


@settings(max_examples=60, deadline=None)
@given(FLOATS32, FLOATS32)
def test_f32_is_rounded_once(a: float, b: float) -> None:
    x, y = np.float32(a), np.float32(b)
    with np.errstate(all="ignore"):
        expected = {"addf": x + y, "subf": x - y, "mulf": x * y, "divf": x / y}
    for name, value in expected.items():
        assert bits(run(f"arith.{name} {{}}, {{}} : f32", "f32, f32", "f32", a, b)) == bits(float(value)), name


@pytest.mark.parametrize(
    ("name", "a", "b", "expected"),
    [
        ("maximumf", 0.0, -0.0, 0.0),
        ("maximumf", -0.0, 0.0, 0.0),
        ("minimumf", 0.0, -0.0, -0.0),
        ("maximumf", math.nan, 1.0, math.nan),
        ("minimumf", 1.0, math.nan, math.nan),
        ("maxnumf", math.nan, 1.0, 1.0),
        ("minnumf", 1.0, math.nan, 1.0),
        ("minimumf", -math.inf, 3.0, -math.inf),
    ],
)
def test_extremes(name: str, a: float, b: float, expected: float) -> None:
    assert bits(run(f"arith.{name} {{}}, {{}} : f64", "f64, f64", "f64", a, b)) == bits(expected)


@pytest.mark.parametrize("predicate", ["oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une", "uno"])
def test_comparisons_of_floats(predicate: str) -> None:
    plain = {"eq": np.equal, "gt": np.greater, "ge": np.greater_equal, "lt": np.less, "le": np.less_equal, "ne": np.not_equal}
    for a in (-1.0, 0.0, 2.0, math.nan):
        for b in (-1.0, -0.0, 2.0, math.nan):
            unordered = math.isnan(a) or math.isnan(b)
            match predicate:
                case "ord" | "uno":
                    expected = unordered == (predicate == "uno")
                case _:
                    expected = predicate[0] == "u" if unordered else bool(plain[predicate[1:]](a, b))
            assert run(f"arith.cmpf {predicate}, {{}}, {{}} : f64", "f64, f64", "i1", a, b) == expected, (a, b)


@settings(max_examples=40, deadline=None)
@given(INT64, INT64)
def test_comparisons_of_integers(a: int, b: int) -> None:
    x, y = np.array([a]).view(np.uint64)[0], np.array([b]).view(np.uint64)[0]
    for predicate, expected in {"slt": a < b, "sge": a >= b, "ult": x < y, "uge": x >= y, "eq": a == b, "ne": a != b}.items():
        assert run(f"arith.cmpi {predicate}, {{}}, {{}} : i64", "i64, i64", "i1", a, b) == expected


def test_flags_are_one_bit() -> None:
    assert run("arith.addi {}, {} : i1", "i1, i1", "i1", True, True) is False
    assert run("arith.extsi {} : i1 to i64", "i1", "i64", True) == -1
    assert run("arith.extui {} : i1 to i64", "i1", "i64", True) == 1
    assert run("arith.cmpi slt, {}, {} : i1", "i1, i1", "i1", True, False) is True
    assert run("arith.xori {}, {} : i1", "i1, i1", "i1", True, False) is True


@pytest.mark.parametrize(
    ("op", "types", "result", "argument", "expected"),
    [
        ("arith.sitofp {} : i64 to f64", "i64", "f64", 2**53 + 1, float(2**53)),
        ("arith.sitofp {} : i64 to f32", "i64", "f32", 2**24 + 1, float(2**24)),
        ("arith.uitofp {} : i64 to f64", "i64", "f64", -1, float(2**64)),
        ("arith.fptosi {} : f64 to i64", "f64", "i64", -2.9, -2),
        ("arith.fptoui {} : f64 to i64", "f64", "i64", 2.0**63, -(2**63)),
        ("arith.trunci {} : i64 to i32", "i64", "i32", 2**31, -(2**31)),
        ("arith.extui {} : i32 to i64", "i32", "i64", -1, 2**32 - 1),
        ("arith.truncf {} : f64 to f32", "f64", "f32", 0.1, float(np.float32(0.1))),
        ("arith.bitcast {} : f64 to i64", "f64", "i64", -0.0, -(2**63)),
        ("arith.bitcast {} : i64 to f64", "i64", "f64", 0x3FF0000000000000, 1.0),
    ],
)
def test_conversions(op: str, types: str, result: str, argument: Any, expected: Any) -> None:
    assert run(op, types, result, argument) == expected


@settings(max_examples=40, deadline=None)
@given(INT64, INT64)
def test_extended_products_have_all_bits(a: int, b: int) -> None:
    for name, read in {"mulsi_extended": lambda x: x, "mului_extended": lambda x: x % 2**64}.items():
        module = parse(
            f"func.func @f(%a: i64, %b: i64) -> (i64, i64) {{ %l, %h = arith.{name} %a, %b : i64 func.return %l, %h : i64, i64 }}"
        )
        low, high = run_function(module, "f", [a, b])
        assert (high * 2**64 + low % 2**64) % 2**128 == read(a) * read(b) % 2**128


def test_a_division_by_zero_is_an_error_that_names_its_place() -> None:
    with pytest.raises(InterpretationError, match=r"arith.divsi in @f: ZeroDivisionError"):
        run("arith.divsi {}, {} : i64", "i64, i64", "i64", 1, 0)
