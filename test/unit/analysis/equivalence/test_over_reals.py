"""Expressions with one normal form are one real function; and wrong rules are found out."""

import math
from collections import defaultdict
from fractions import Fraction
from random import Random

import pytest
from support.expressions import Tree, is_defined, new_terms, number_of, random_tree, term_of

from cogir.analysis.equivalence import over_reals
from cogir.analysis.equivalence import polynomials as poly
from cogir.analysis.equivalence.over_reals import OverReals
from cogir.analysis.equivalence.terms import Term

OPERATIONS = ("addf", "subf", "mulf", "divf", "negf", "maximumf", "minimumf", "absf", "sqrt", "exp", "tanh", "select")


JUMPING = ("copysign", "atan2", "floor", "addf", "subf", "mulf", "negf", "absf")
ZEROS = (0.0, -0.0, 1.0, -1.0, 0.5, -2.0)
"""Numbers that sums and products of a few of them do not round."""


def check_reals(count: int, operations: tuple[str, ...] = OPERATIONS, depth: int = 3, numbers: tuple[float, ...] = ()) -> int:
    """Checks that random expressions with one form agree wherever both are defined; the number of pairs that were compared."""
    terms, leaves = new_terms(2)
    reals = OverReals(terms)
    groups: dict[object, list[Tree]] = defaultdict(list)
    for seed in range(count):
        tree = random_tree(Random(seed), depth, 2, operations)
        groups[reals.key(term_of(tree, terms, leaves))].append(tree)
    source = Random(0)
    points = [[source.choice(numbers) if numbers else source.gauss(0.0, 1.5) for _ in leaves] for _ in range(12 if numbers else 6)]
    compared = 0
    for first, *others in groups.values():
        for other in others:
            for point in points:
                if not (is_defined(first, point) and is_defined(other, point)):
                    continue
                values = number_of(first, point), number_of(other, point)
                if max(map(abs, values)) < 1e6:
                    compared += 1
                    assert math.isclose(*values, rel_tol=1e-6, abs_tol=1e-6), f"{first} and {other} of {point} are {values}"
    return compared


def test_equal_forms_are_equal_functions() -> None:
    assert check_reals(1200) > 1000


def test_the_sign_of_a_zero_is_no_rounding() -> None:
    assert check_reals(1500, JUMPING, numbers=ZEROS) > 1000


def test_forms_of_operands_of_jumps_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A planted fault: what jumps has forms of its operands."""
    monkeypatch.setattr(over_reals, "JUMPS", {})
    with pytest.raises(AssertionError):
        check_reals(1500, JUMPING, numbers=ZEROS)


@pytest.mark.full
def test_many_equal_forms_are_equal_functions() -> None:
    assert check_reals(40_000, depth=4) > 10_000


def forms(*texts: str) -> list[tuple[OverReals, object]]:
    """Keys of expressions in Python, of x, y and z."""
    terms, (x, y, z) = new_terms()
    reals = OverReals(terms)

    class Expression:
        """An expression that is built by Python's operators."""

        def __init__(self, term: Term):
            self.term = term

        @staticmethod
        def of(value: object) -> Term:
            return value.term if isinstance(value, Expression) else terms.constant(float(value), "f64")  # type: ignore[arg-type]

        def _binary(self, op: str, other: object) -> "Expression":
            return Expression(terms.make(op, "f64", (self.term, self.of(other))))

        def __add__(self, other: object) -> "Expression":
            return self._binary("addf", other)

        def __mul__(self, other: object) -> "Expression":
            return self._binary("mulf", other)

        def __truediv__(self, other: object) -> "Expression":
            return self._binary("divf", other)

        def __sub__(self, other: object) -> "Expression":
            return self._binary("subf", other)

        def __neg__(self) -> "Expression":
            return Expression(terms.make("negf", "f64", (self.term,)))

        def __lt__(self, other: object) -> "Expression":
            return Expression(terms.make("cmpf", "i1", (self.term, self.of(other)), "olt"))

    def call(op: str, *args: Expression) -> Expression:
        return Expression(terms.make(op, "f64", [Expression.of(arg) for arg in args]))

    names = {"x": Expression(x), "y": Expression(y), "z": Expression(z), "one": Expression(terms.constant(1.0, "f64"))}
    names |= {op: (lambda *args, op=op: call(op, *args)) for op in ("exp", "tanh", "sqrt", "absf", "maximumf", "minimumf", "select")}
    return [(reals, reals.key(eval(text, {}, names).term)) for text in texts]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("(x + y) * (x - y)", "x * x - y * y"),
        ("x * (y + z)", "x * z + x * y"),
        ("(x + y) / 3.0", "x / 3.0 + y / 3.0"),
        ("one / (one + exp(-x))", "one - one / (one + exp(x))"),
        ("one / (one + exp(-x))", "exp(x) / (exp(x) + 1.0)"),
        ("tanh(x)", "one - one * 2.0 / (exp(x * 2.0) + 1.0)"),
        ("maximumf(x, y) + minimumf(x, y)", "x + y"),
        ("absf(x - y)", "absf(y - x)"),
        ("maximumf(x, -x)", "absf(x)"),
        ("select(x < y, x, y)", "minimumf(y, x)"),
        ("select(x < y, x + z, y + z)", "z + select(x < y, x, y)"),
        ("one / (one + exp(-x)) / (one + exp(-x))", "exp(x) * exp(x) / (exp(x) + 1.0) / (exp(x) + 1.0)"),
        ("exp(x) * exp(y)", "exp(x + y)"),
        ("exp(x) / exp(x)", "one"),
        ("sqrt(one * 4.0)", "one * 2.0"),
    ],
)
def test_what_is_equal(first: str, second: str) -> None:
    (_, one), (_, other) = forms(first, second)
    assert one == other


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("x / x", "one"),
        ("sqrt(x) * sqrt(x)", "x"),
        ("x * 0.1 + x * 0.2", "x * 0.3"),
        ("maximumf(x, y)", "minimumf(x, y)"),
        ("absf(x + y)", "absf(x) + absf(y)"),
        ("select(x < y, x, y)", "maximumf(x, y)"),
        ("exp(x * y)", "exp(x) * exp(y)"),
    ],
)
def test_what_is_not_shown_equal(first: str, second: str) -> None:
    """Also what is equal only where something is not 0, or in decimals and not in doubles."""
    (_, one), (_, other) = forms(first, second)
    assert one != other


def test_infinities_are_no_numbers() -> None:
    terms, (x, _, _) = new_terms()
    reals = OverReals(terms)
    infinite = terms.make("addf", "f64", (x, terms.constant(math.inf, "f64")))
    nothing = terms.make("subf", "f64", (infinite, infinite))
    assert reals.key(nothing) != reals.key(terms.constant(0.0, "f64"))
    assert reals.key(terms.make("minimumf", "f64", (x, terms.constant(math.inf, "f64")))) == reals.key(x)


def test_polynomials() -> None:
    x, y = poly.atom(0), poly.atom(1)
    whole = poly.add(x, y)
    square = poly.multiply(whole, whole)
    assert square == {((0, 2),): 1, ((0, 1), (1, 1)): 2, ((1, 2),): 1}
    assert poly.subtract(square, square) == {}
    assert poly.as_number(poly.number(Fraction(1, 3))) == Fraction(1, 3)
    assert poly.as_number(x) is None
    assert poly.leading(square) == ((1, 2),)


@pytest.mark.parametrize(
    ("attribute", "wrong", "operations"),
    [
        ("maximum", lambda reals, p, q: poly.add(p, reals.relu(poly.subtract(p, q))), ("maximumf", "addf")),
        ("minimum", lambda reals, p, q: poly.subtract(p, reals.relu(poly.subtract(q, p))), ("minimumf", "addf")),
        ("absolute", lambda reals, p: reals.relu(p), ("absf", "maximumf", "addf", "negf")),
        ("_shifted", lambda reals, m, i, d: poly.number(1) if len(m) > 1 else None, ("divf", "exp", "addf", "tanh", "mulf")),
        ("exponential", lambda reals, p: poly.add(poly.number(1), p), ("exp", "addf")),
        ("choice", lambda reals, c, p, q: poly.add(p, q), ("select", "addf")),
        ("inverse", lambda reals, p: p, ("divf", "mulf")),
        ("compare", lambda reals, kind, p, q: reals._comparison("lt", poly.subtract(p, q)), ("select", "maximumf")),
        ("sign", lambda reals, p: 1, ("absf", "maximumf", "addf", "negf")),
    ],
)
def test_wrong_rules_are_found(attribute: str, wrong: object, operations: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    check_reals(300, operations)
    right = getattr(OverReals, attribute)
    monkeypatch.setattr(OverReals, attribute, wrong)
    for table in (over_reals.UNARY, over_reals.BINARY):
        for op, rule in list(table.items()):
            if rule is right:
                monkeypatch.setitem(table, op, wrong)  # type: ignore[arg-type]
    with pytest.raises(AssertionError):
        check_reals(4000, operations)
