"""
Polynomials with rational coefficients over atoms that are known by their numbers.

A monomial is a sorted tuple of `(atom, exponent)`, a polynomial a dictionary from monomials to coefficients other than 0.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

Monomial: TypeAlias = "tuple[tuple[int, int], ...]"
Polynomial: TypeAlias = "dict[Monomial, Fraction]"
Key: TypeAlias = "tuple[tuple[Monomial, Fraction], ...]"

ONE: Monomial = ()
ZERO: Polynomial = {}


def number(value: Fraction | int) -> Polynomial:
    """A constant."""
    return {ONE: Fraction(value)} if value else {}


def atom(index: int, exponent: int = 1) -> Polynomial:
    """One atom, or a power of it."""
    return {((index, exponent),): Fraction(1)}


def as_number(p: Polynomial) -> Fraction | None:
    """The value of a polynomial that is constant."""
    if not p:
        return Fraction(0)
    return p[ONE] if len(p) == 1 and ONE in p else None


def add(p: Polynomial, q: Polynomial) -> Polynomial:
    """p + q"""
    if len(p) < len(q):
        p, q = q, p
    total = dict(p)
    for monomial, coefficient in q.items():
        new = total.get(monomial, 0) + coefficient
        if new:
            total[monomial] = Fraction(new)
        else:
            del total[monomial]
    return total


def scale(p: Polynomial, factor: Fraction | int) -> Polynomial:
    """p * factor"""
    return {monomial: coefficient * factor for monomial, coefficient in p.items()} if factor else {}


def subtract(p: Polynomial, q: Polynomial) -> Polynomial:
    """p - q"""
    return add(p, scale(q, -1))


def times(first: Monomial, second: Monomial) -> Monomial:
    """The product of two monomials."""
    if not first or not second:
        return first or second
    exponents = dict(first)
    for index, exponent in second:
        exponents[index] = exponents.get(index, 0) + exponent
    return tuple(sorted(exponents.items()))


def multiply(p: Polynomial, q: Polynomial) -> Polynomial:
    """p * q"""
    total: Polynomial = {}
    for first, a in p.items():
        for second, b in q.items():
            monomial = times(first, second)
            new = total.get(monomial, 0) + a * b
            if new:
                total[monomial] = Fraction(new)
            else:
                del total[monomial]
    return total


def key_of(p: Polynomial) -> Key:
    """The polynomial as a key: its terms in order."""
    return tuple(sorted(p.items()))


def degree(monomial: Monomial) -> int:
    """The sum of the exponents."""
    return sum(exponent for _, exponent in monomial)


def leading(p: Polynomial) -> Monomial:
    """The monomial by which a polynomial is normalised: of the greatest degree, and of these the last."""
    return max(p, key=lambda monomial: (degree(monomial), monomial))


def atoms_of(p: Polynomial) -> set[int]:
    """The atoms that occur."""
    return {index for monomial in p for index, _ in monomial}
