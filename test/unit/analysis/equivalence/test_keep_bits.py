"""Rules that keep bits do so, for NaN, infinities, zeros of both signs and subnormals; and wrong ones are found out."""

import math

import pytest
from support.expressions import check_bits, new_terms

from cogir.analysis.equivalence import keep_bits
from cogir.analysis.equivalence.keep_bits import RULES, opposite
from cogir.analysis.equivalence.terms import Term, Terms
from cogir.analysis.ranges.floats import FloatRange

SEEDS = 300


def test_simplified_expressions_keep_their_bits() -> None:
    assert check_bits(SEEDS) > SEEDS


@pytest.mark.full
def test_many_simplified_expressions_keep_their_bits() -> None:
    assert check_bits(20_000, 5) > 20_000


def test_what_is_simplified() -> None:
    terms, (x, y, _) = new_terms()
    one, two, zero = (terms.constant(value, "f64") for value in (1.0, 2.0, 0.0))

    def make(op: str, *args: Term) -> Term:
        return terms.make(op, "f64", args)

    assert make("addf", x, y) is make("addf", y, x)
    assert make("mulf", x, one) is x
    assert make("divf", x, two) is make("mulf", terms.constant(0.5, "f64"), x)
    assert make("addf", x, terms.constant(-0.0, "f64")) is x
    assert make("addf", x, zero) is not x
    assert make("addf", make("exp", x), zero) is make("exp", x)
    assert make("subf", x, y) is make("addf", make("negf", y), x)
    assert make("mulf", make("negf", x), y) is make("negf", make("mulf", x, y))
    assert make("maximumf", make("exp", x), terms.constant(-1.0, "f64")) is make("exp", x)


def test_doubling_is_moved_out_where_nothing_overflows() -> None:
    terms, (x, y, _) = new_terms()
    one, two = (terms.constant(value, "f64") for value in (1.0, 2.0))

    def share(of: Term) -> Term:
        """1 / (1 + exp(of)), between 0 and 1"""
        return terms.make("divf", "f64", (one, terms.make("addf", "f64", (one, terms.make("exp", "f64", (of,))))))

    def twice(of: Term) -> Term:
        return terms.make("mulf", "f64", (two, of))

    for inner, moves in (((share(x), share(y)), True), ((x, y), False)):
        apart = terms.make("addf", "f64", tuple(map(twice, inner)))
        assert (apart is twice(terms.make("addf", "f64", inner))) == moves


def test_choices() -> None:
    terms, (x, y, z) = new_terms()
    less = terms.make("cmpf", "i1", (x, y), "olt")
    assert terms.make("select", "f64", (less, z, z)) is z
    assert terms.make("select", "f64", (opposite(terms, less), x, y)) is terms.make("select", "f64", (less, y, x))
    inner = terms.make("select", "f64", (less, x, y))
    assert terms.make("select", "f64", (less, inner, z)) is terms.make("select", "f64", (less, x, z))
    assert terms.make("cmpf", "i1", (y, x), "ogt") is less


def wrong_zero(terms: Terms, type: str, args: tuple[Term, ...], data: object) -> Term | None:
    """x + 0.0 = x, also for -0.0"""
    return next((x for x, zero in (args, args[::-1]) if zero.is_constant and zero.data == 0.0), None)


def wrong_product(terms: Terms, type: str, args: tuple[Term, ...], data: object) -> Term | None:
    """0.0 * x = 0.0, also for NaN"""
    return next((x for x in args if x.is_constant and x.data == 0.0), None)


def wrong_choice(terms: Terms, type: str, args: tuple[Term, ...], data: object) -> Term | None:
    """if not c then x else y = if c then x else y"""
    inner = keep_bits.negated_flag(args[0])
    return None if inner is None else terms.make("select", type, (inner, *args[1:]))


def wrong_negation(terms: Terms, type: str, args: tuple[Term, ...], data: object) -> Term | None:
    """-(a + b) = -a - b, also for 0.0"""
    (x,) = args
    return terms.make("addf", type, [terms.make("negf", type, (part,)) for part in x.args]) if x.op == "addf" else None


def wrong_magnitude(terms: Terms, type: str, args: tuple[Term, ...], data: object) -> Term | None:
    """|exp(x)| = exp(x) is right, |sqrt(x)| = sqrt(x) is not for -0.0"""
    return args[0] if args[0].op == "sqrt" else None


def wrong_clip(terms: Terms, type: str, args: tuple[Term, ...], data: object) -> Term | None:
    """max(x, y) = x where x is at least y: they may be zeros of two signs"""
    x, y = args
    return x if x.range.low >= y.range.high and not y.range.nan else None


def wrong_quotient(terms: Terms, type: str, args: tuple[Term, ...], data: object) -> Term | None:
    """x / 3 = x * (1 / 3)"""
    x, y = args
    if y.is_constant and y.data not in (0.0, 1.0) and math.isfinite(y.data):
        return terms.make("mulf", type, (x, terms.constant(1.0 / y.data, type)))
    return None


@pytest.mark.parametrize(
    ("op", "wrong", "operations"),
    [
        ("addf", wrong_zero, ("addf", "negf")),
        ("mulf", wrong_product, ("mulf", "addf")),
        ("select", wrong_choice, ("select",)),
        ("negf", wrong_negation, ("negf", "addf")),
        ("absf", wrong_magnitude, ("absf", "sqrt")),
        ("maximumf", wrong_clip, ("maximumf", "sqrt")),
        ("divf", wrong_quotient, ("divf",)),
    ],
)
def test_wrong_rules_are_found(op: str, wrong: keep_bits.Rule, operations: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    right = RULES.get(op)

    def rule(terms: Terms, type: str, args: tuple[Term, ...], data: object) -> Term | None:
        found = wrong(terms, type, args, data)
        return found if found is not None or right is None else right(terms, type, args, data)

    check_bits(200, 3, operations)
    monkeypatch.setitem(RULES, op, rule)
    with pytest.raises(AssertionError):
        check_bits(2000, 3, operations)


def test_a_wrong_opposite_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """not (a < b) = b <= a, also where one is NaN"""
    monkeypatch.setitem(keep_bits.OPPOSITE_FLOAT, "olt", "oge")
    with pytest.raises(AssertionError):
        check_bits(2000, 3, ("select",))


def test_a_wrong_range_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """sqrt(x) is never -0.0"""
    monkeypatch.setattr(keep_bits, "root", lambda x: FloatRange(0.0, math.inf, True, False))
    with pytest.raises(AssertionError):
        check_bits(2000, 3, ("addf", "sqrt"))
