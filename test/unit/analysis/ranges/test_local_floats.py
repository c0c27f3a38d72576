"""Ranges: what is computed lies in the range that was found for it, with NaN, infinities, zeros of both signs and subnormals."""

import math
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp

from cogir.analysis.ranges.floats import ANYTHING, FloatRange
from cogir.analysis.ranges.local_floats import LocalRanges
from cogir.frontend.text import parse
from cogir.interpreters.levels import run_function

AWKWARD = [0.0, -0.0, 1.0, -1.0, 0.5, -3.0, 5e-324, -5e-324, 1e-310, 1e308, -1e308, 1e-160, math.inf, -math.inf, math.nan]
BINARY = ("addf", "subf", "mulf", "divf", "maximumf", "minimumf")
UNARY = ("arith.negf", "math.sqrt", "math.absf", "math.exp")


def random_program(source: Random) -> tuple[str, int]:
    """A function of three numbers that returns all that it computes, and how much that is."""
    lines: list[str] = []
    names = ["%x", "%y", "%z"]
    for number in range(source.randint(1, 12)):
        kind = source.choice(["constant", "unary", "binary", "binary", "binary", "select", "square"])
        name, one, other = f"%v{number}", source.choice(names), source.choice(names)
        match kind:
            case "constant":
                lines.append(f"{name} = arith.constant {source.choice([c for c in AWKWARD if abs(c) < math.inf])!r} : f64")
            case "unary":
                lines.append(f"{name} = {source.choice(UNARY)} {one} : f64")
            case "binary":
                lines.append(f"{name} = arith.{source.choice(BINARY)} {one}, {other} : f64")
            case "square":
                lines.append(f"{name} = arith.mulf {one}, {one} : f64")
            case _:
                lines.append(f"{name} = arith.select %c, {one}, {other} : f64")
        names.append(name)
    made = names[3:]
    body = "\n".join(lines).replace("e+", "e").replace("1e-", "1.0e-").replace("5e-", "5.0e-").replace("1e3", "1.0e3")
    types = ", ".join(["f64"] * len(made))
    return (
        f"func.func @f(%x: f64, %y: f64, %z: f64, %c: i1) -> ({types}) {{\n{body}\nfunc.return {', '.join(made)} : {types}\n}}",
        len(made),
    )


def is_in(value: float, found: FloatRange) -> bool:
    """Whether a range has told the truth about a value."""
    if math.isnan(value):
        return found.nan
    is_negative_zero = value == 0.0 and math.copysign(1.0, value) < 0.0
    return found.low <= value <= found.high and (found.negative_zero or not is_negative_zero)


@settings(max_examples=300, deadline=None)
@given(st.randoms(use_true_random=True), st.booleans(), st.lists(st.sampled_from(AWKWARD), min_size=3, max_size=3))
def test_values_lie_in_their_ranges(source: Random, flag: bool, given: list[float]) -> None:
    text, _ = random_program(source)
    module = parse(text)
    returned = returned_by(module)
    ranges = LocalRanges()
    for value, operand in zip(run_function(module, "f", (*given, flag)), returned.operands, strict=True):
        assert is_in(value, ranges.of(operand)), f"{operand.name_hint} is {value!r}, found {ranges.of(operand)}\n{text}"


def returned_by(module: ModuleOp) -> func.ReturnOp:
    function = next(op for op in module.ops if isinstance(op, func.FuncOp))
    returned = function.get_return_op()
    assert returned is not None
    return returned


def ranges_of(body: str, result: str = "f64") -> FloatRange:
    """The range of what a body computes as `%r`."""
    text = f"""
        func.func @f(%x: f64, %n: i64, %v: tensor<3xf64>, %w: tensor<3x2xf64>, %c: i1) -> {result} {{
          %zero = arith.constant 0.0 : f64
          %one = arith.constant 1.0 : f64
          {body}
          func.return %r : {result}
        }}"""
    return LocalRanges().of(returned_by(parse(text)).operands[0])


SUM = """
  %r = linalg.generic {{indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>],
      iterator_types = ["reduction", "parallel"]}} ins(%v, %w : tensor<3xf64>, tensor<3x2xf64>) outs({start} : tensor<2xf64>) {{
  ^bb0(%a: f64, %b: f64, %t: f64):
    %p = arith.mulf %a, %b : f64
    {step}
    linalg.yield %s : f64
  }} -> tensor<2xf64>
"""
FROM_ZERO, FROM_MINUS_ZERO = (f"%start = arith.constant dense<{zero}> : tensor<2xf64>" for zero in ("0.0", "-0.0"))


@pytest.mark.parametrize(
    ("body", "result", "expected"),
    [
        ("%r = arith.addf %x, %zero : f64", "f64", FloatRange(negative_zero=False)),
        ("%p = math.exp %x : f64 %q = arith.addf %p, %one : f64 %r = arith.divf %one, %q : f64", "f64", FloatRange(0.0, 1.0, True, False)),
        ("%p = arith.maximumf %x, %zero : f64 %r = arith.minimumf %p, %one : f64", "f64", FloatRange(0.0, 1.0, True, True)),
        ("%p = arith.sitofp %n : i64 to f64 %r = arith.mulf %p, %p : f64", "f64", FloatRange(0.0, 2.0**126, False, False)),
        ("%r = arith.constant dense<[1.0, -2.0]> : tensor<2xf64>", "tensor<2xf64>", FloatRange(-2.0, 1.0, False, False)),
        ("%r = arith.constant dense<[1.0, -0.0]> : tensor<2xf64>", "tensor<2xf64>", FloatRange(-0.0, 1.0, False, True)),
        ("%r = tensor.from_elements %zero, %one : tensor<2xf64>", "tensor<2xf64>", FloatRange(0.0, 1.0, False, False)),
        ("%r = arith.select %c, %x, %one : f64", "f64", ANYTHING),
        (FROM_ZERO + SUM.format(start="%start", step="%s = arith.addf %t, %p : f64"), "tensor<2xf64>", FloatRange(negative_zero=False)),
        (FROM_MINUS_ZERO + SUM.format(start="%start", step="%s = arith.addf %t, %p : f64"), "tensor<2xf64>", ANYTHING),
        (FROM_ZERO + SUM.format(start="%start", step="%s = arith.mulf %t, %p : f64"), "tensor<2xf64>", ANYTHING),
    ],
)
def test_what_is_found(body: str, result: str, expected: FloatRange) -> None:
    assert ranges_of(body, result) == expected


def test_f32_is_not_looked_at() -> None:
    """Its sums are rounded more coarsely than the bounds here."""
    body = "%a = arith.constant 0.1 : f32 %r = arith.addf %a, %a : f32"
    assert ranges_of(body, "f32") == ANYTHING


def test_long_chains_end() -> None:
    """Not followed back to their beginning, but answered."""
    steps = "\n".join(f"%s{n + 1} = arith.addf %s{n}, %one : f64" for n in range(5000))
    found = ranges_of(f"%s0 = arith.addf %one, %one : f64\n{steps}\n%r = arith.addf %s5000, %zero : f64")
    assert not found.negative_zero
