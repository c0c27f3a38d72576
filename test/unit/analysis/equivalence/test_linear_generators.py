"""Which modules draw each number once."""

import pytest

from cogir.analysis.equivalence.linear_generators import draws_are_new
from cogir.frontend.text import parse

STATE = "!rng.state<mt19937>"


def function(body: str) -> bool:
    """Whether the draws of a function with a state, a flag and a number of iterations are new."""
    head = f"func.func @f(%s: {STATE}, %c: i1, %n: index) -> (f64, {STATE}) {{\n  %zero = arith.constant 0 : index\n"
    head += "  %one = arith.constant 1 : index\n  %o = arith.constant 0.0 : f64\n"
    return draws_are_new(parse(f"{head}{body}\n}}"))


def draw(value: str, after: str, before: str) -> str:
    return f"%{value}, %{after} = rng.normal %{before} : {STATE} -> f64\n"


@pytest.mark.parametrize(
    ("body", "new"),
    [
        (draw("a", "t", "s") + draw("b", "u", "t") + f"func.return %b, %u : f64, {STATE}", True),
        (draw("a", "t", "s") + draw("b", "u", "s") + f"func.return %b, %u : f64, {STATE}", False),
        (draw("a", "t", "s") + f"func.return %a, %s : f64, {STATE}", False),
        (
            f"%r:2 = scf.if %c -> (f64, {STATE}) {{\n{draw('a', 't', 's')}scf.yield %a, %t : f64, {STATE}\n}} else {{\n"
            f"scf.yield %o, %s : f64, {STATE}\n}}\nfunc.return %r#0, %r#1 : f64, {STATE}",
            True,
        ),
        (
            f"%r:2 = scf.for %i = %zero to %n step %one iter_args(%x = %o, %v = %s) -> (f64, {STATE}) {{\n{draw('a', 't', 'v')}"
            f"scf.yield %a, %t : f64, {STATE}\n}}\nfunc.return %r#0, %r#1 : f64, {STATE}",
            True,
        ),
        (
            f"%r = scf.for %i = %zero to %n step %one iter_args(%x = %o) -> (f64) {{\n{draw('a', 't', 's')}"
            f"scf.yield %a : f64\n}}\n{draw('b', 'u', 's')}func.return %r, %u : f64, {STATE}",
            False,
        ),
        (
            f"%r = scf.for %i = %zero to %n step %one iter_args(%x = %o) -> (f64) {{\n{draw('a', 't', 's')}scf.yield %a : f64\n}}\n"
            f"%k = arith.constant 1 : i64\n%m = rng.seed %k : i64 -> {STATE}\nfunc.return %r, %m : f64, {STATE}",
            False,
        ),
    ],
)
def test_draws(body: str, new: bool) -> None:
    assert function(body) == new
