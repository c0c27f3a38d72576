"""Bounds hold every value: random functions, random ranges, random points in them; and they are narrow where they have to be."""

import math
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest
from support.long import long
from support.machine import parse
from support.random.bounded import RandomFunction, random_point, random_range
from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp

from cogir.interpreters.levels import run_function
from cogir.lowering.pruning import rules
from cogir.lowering.pruning.extension import Extension, NoExtension, straightened
from cogir.lowering.pruning.intervals import RangeArithmetic, Reals, Truth

Range = tuple[float, float, bool]


def extended(text: str, varying: int) -> ModuleOp:
    """A module with @point, and its extension @bounds over the first arguments."""
    module = parse(text)
    functions = {op.sym_name.data: op for op in module.ops if isinstance(op, func.FuncOp)}
    straight = straightened(functions["point"], functions, Context())
    module.body.block.add_op(Extension(straight, range(varying), "bounds").build())
    module.verify()
    return module


def bounds(module: ModuleOp, ranges: list[Range], *fixed: float) -> Range:
    with np.errstate(all="ignore"):
        low, high, nan = run_function(module, "bounds", [part for each in ranges for part in each] + list(fixed))
    return low, high, nan


def holds(value: float, found: Range) -> bool:
    low, high, nan = found
    return nan if math.isnan(value) else low <= value <= high


def violation(number: int) -> str | None:
    """A point of a random function that is not within its bounds."""
    random = Random(number)
    text = RandomFunction(random).text(random.randrange(3, 14))
    try:
        module = extended(text, 3)
    except NoExtension:
        return None
    for _ in range(4):
        ranges = [random_range(random) for _ in range(3)]
        fixed = random.choice((1.5, -0.25, 0.0, math.inf, math.nan))
        found = bounds(module, ranges, fixed)
        assert not math.isnan(found[0])
        assert not math.isnan(found[1])
        for _ in range(12):
            point = [random_point(random, *each) for each in ranges]
            with np.errstate(all="ignore"):
                (value,) = run_function(module, "point", [*point, fixed])
            if not holds(value, found):
                return f"{number}: {value} at {point}, {fixed} is not in {found} over {ranges}\n{text}"
    return None


@pytest.mark.parametrize("numbers", [range(60), *long(range(60, 3000))])
def test_random_functions(numbers: range) -> None:
    for number in numbers:
        assert (found := violation(number)) is None, found


def no_end_for_products(a: RangeArithmetic, x: Reals, y: Reals) -> Reals:
    """A product whose sign is forgotten: the ends multiplied one by one."""
    return a.reals(a.multiply(x.low, y.low), a.multiply(x.high, y.high), a.any(x.nan, y.nan))


def decided_too_early(a: RangeArithmetic, relation: str, x: Reals, y: Reals) -> Truth:
    """A comparison that is decided by the low ends."""
    found = a.compare(x.low, relation, y.low)
    return Truth(found, found)


def without_nan(a: RangeArithmetic, *flags: Any) -> Any:
    return a.emitter.flag(False)


def divided_by_zero(a: RangeArithmetic, x: Reals, y: Reals) -> Reals:
    """A quotient whose divisor is taken to have one sign."""
    return a.reals(a.divide(x.low, y.high), a.divide(x.high, y.low), a.any(x.nan, y.nan))


def first_only(a: RangeArithmetic, x: Any, y: Any) -> Any:
    """An undecided selection that takes its first value."""
    return x


def small_root(a: RangeArithmetic, x: Reals) -> Reals:
    """|x| of the ends only."""
    low, high = a.magnitude(x.low), a.magnitude(x.high)
    return Reals(a.less(low, high), a.greater(low, high), x.nan)


PLANTED: dict[str, tuple[Any, str, Callable[..., Any]]] = {
    "products of ends in pairs": (RangeArithmetic, "product", no_end_for_products),
    "comparisons decided too early": (rules, "compared", decided_too_early),
    "divisors that are never zero": (RangeArithmetic, "quotient", divided_by_zero),
    "selections of the first value": (RangeArithmetic, "joined", first_only),
    "sizes of the ends": (RangeArithmetic, "size", small_root),
    "nothing is ever NaN": (RangeArithmetic, "is_nan", without_nan),
}
"""Extensions that are unsound in one plausible way."""


@pytest.mark.parametrize("name", PLANTED)
def test_unsound_extensions_are_caught(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    where, attribute, fault = PLANTED[name]
    monkeypatch.setattr(where, attribute, fault)

    def is_caught(number: int) -> bool:
        try:
            return violation(number) is not None
        except AssertionError:
            return True

    assert any(is_caught(number) for number in range(400))


SHARE = """
func.func private @point(%a: f64, %b: f64) -> f64 {
  %x = math.absf %a : f64
  %y = math.absf %b : f64
  %sum = arith.addf %x, %y : f64
  %share = arith.divf %x, %sum : f64
  func.return %share : f64
}
"""
NORMALISED = """
func.func private @point(%a: f64, %b: f64) -> f64 {
  %x = arith.mulf %a, %a : f64
  %y = arith.mulf %b, %b : f64
  %sum = arith.addf %y, %x : f64
  %length = math.sqrt %sum : f64
  %part = arith.divf %a, %length : f64
  func.return %part : f64
}
"""
CLIPPED = """
func.func private @point(%a: f64, %b: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %x = arith.subf %a, %b : f64
  %is_more = arith.cmpf ogt, %x, %zero : f64
  %clipped = arith.select %is_more, %x, %zero : f64
  func.return %clipped : f64
}
"""


@pytest.mark.parametrize(
    ("text", "low", "high"), [(SHARE, 1 / 5, 3 / 5), (NORMALISED, 1 / math.hypot(1, 4), 3 / math.hypot(3, 2)), (CLIPPED, 0.0, 1.0)]
)
def test_narrow_bounds(text: str, low: float, high: float) -> None:
    """Over [1, 3] and [2, 4]: a value that occurs twice, in the dividend and in the divisor, is counted once."""
    found = bounds(extended(text, 2), [(1.0, 3.0, False), (2.0, 4.0, False)])
    assert found == pytest.approx((low, high, False), rel=1e-12)


def test_single_numbers_have_their_value() -> None:
    """Of a box with one point the bounds are the value, but for the widening of shares and elementary functions."""
    for number in range(40):
        random = Random(number)
        try:
            module = extended(RandomFunction(random).text(8), 3)
        except NoExtension:
            continue
        point = [random.gauss(0.0, 2.0) for _ in range(3)]
        with np.errstate(all="ignore"):
            (value,) = run_function(module, "point", [*point, 1.5])
        found = bounds(module, [(each, each, False) for each in point], 1.5)
        assert holds(value, found), number


UNKNOWN = """
func.func private @point(%a: f64, %b: f64) -> f64 {
  %x = math.tan %a : f64
  %y = arith.addf %x, %b : f64
  func.return %y : f64
}
"""


def test_what_cannot_be_bounded_is_said() -> None:
    with pytest.raises(NoExtension, match=r"nothing is known of the result of math\.tan"):
        extended(UNKNOWN, 2)


def test_a_bounded_function_of_the_unknown_is_bounded() -> None:
    text = UNKNOWN.replace("%y = arith.addf %x, %b : f64", "%y = math.tanh %x : f64")
    low, high, nan = bounds(extended(text, 2), [(0.0, 1.0, False)] * 2)
    assert (low, high, nan) == pytest.approx((-1.0, 1.0, True), rel=1e-12)


def test_integers_that_may_wrap_can_be_anything() -> None:
    text = """
func.func private @point(%a: i64, %b: i64) -> f64 {
  %x = arith.muli %a, %b : i64
  %y = arith.sitofp %x : i64 to f64
  func.return %y : f64
}
"""
    module = extended(text, 2)
    assert run_function(module, "bounds", [2, 3, -5, 7]) == (-15.0, 21.0, False)
    assert run_function(module, "bounds", [2, 2**40, 0, 2**40]) == (-(2.0**63), 2.0**63, False)
