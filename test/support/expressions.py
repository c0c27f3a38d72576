"""
Random expressions of floats and flags, as trees, as terms, and as numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, TypeAlias

from cogir.analysis.equivalence.keep_bits import range_of, simplify
from cogir.analysis.equivalence.terms import Term, Terms
from cogir.interpreters import arith
from cogir.library.numerics import intrinsics
from cogir.library.numerics.math import FUNCTIONS

Tree: TypeAlias = "tuple[Any, ...]"
"""`("leaf", 0)`, `("number", 2.0)`, or an operation, its data and its operands."""

AWKWARD = [0.0, -0.0, 1.0, -1.0, 2.0, 0.5, -3.0, 5e-324, -5e-324, 1e-310, 1e308, -1e308, 1e-160, math.inf, -math.inf, math.nan]
CONSTANTS = [0.0, -0.0, 1.0, -1.0, 2.0, 4.0, 0.5, -2.0, 3.0, 0.1]

MEANINGS: Mapping[str, Callable[..., Any]] = {
    "addf": lambda a, b: a + b,
    "subf": lambda a, b: a - b,
    "mulf": lambda a, b: a * b,
    "divf": arith.divide,
    "negf": lambda a: -a,
    "maximumf": arith.maximum,
    "minimumf": arith.minimum,
    "absf": abs,
    "sqrt": intrinsics.sqrt,
    "exp": FUNCTIONS["exp"],
    "tanh": FUNCTIONS["tanh"],
    "copysign": intrinsics.copysign,
    "atan2": FUNCTIONS["atan2"],
    "floor": lambda a: float(math.floor(a)) if math.isfinite(a) else a,
    "select": lambda c, a, b: a if c else b,
    "andi": lambda a, b: a and b,
    "ori": lambda a, b: a or b,
    "xori": lambda a, b: a != b,
}
FLOATS = {"addf": 2, "subf": 2, "mulf": 2, "divf": 2, "negf": 1, "maximumf": 2, "minimumf": 2, "absf": 1, "sqrt": 1, "exp": 1, "tanh": 1}
JUMPING = {"copysign": 2, "atan2": 2, "floor": 1}
ARITY = FLOATS | JUMPING
TESTS = ["olt", "ole", "ogt", "oge", "oeq", "une", "ult", "uge", "one", "ueq", "ord", "uno"]


def random_tree(source: Random, depth: int, leaves: int = 3, operations: Sequence[str] = (*FLOATS, "select")) -> Tree:
    """A random expression of a float."""
    if depth == 0 or source.random() < 0.15:
        return ("number", source.choice(CONSTANTS)) if source.random() < 0.3 else ("leaf", source.randrange(leaves))
    op = source.choice(operations)
    if op == "select":
        inner = [random_tree(source, depth - 1, leaves, operations) for _ in range(2)]
        return (op, None, random_flag(source, depth - 1, leaves, operations), *inner)
    return (op, None, *(random_tree(source, depth - 1, leaves, operations) for _ in range(ARITY[op])))


def random_flag(source: Random, depth: int, leaves: int, operations: Sequence[str]) -> Tree:
    """A random condition."""
    if depth > 0 and source.random() < 0.2:
        return ("xori", None, random_flag(source, depth - 1, leaves, operations), ("number", True))
    if depth > 0 and source.random() < 0.3:
        op = source.choice(["andi", "ori", "xori"])
        return (op, None, *(random_flag(source, depth - 1, leaves, operations) for _ in range(2)))
    return ("cmpf", source.choice(TESTS), *(random_tree(source, max(depth - 1, 0), leaves, operations) for _ in range(2)))


def term_of(tree: Tree, terms: Terms, leaves: Sequence[Term]) -> Term:
    """The term of an expression, simplified as it is made."""
    op, data, *operands = tree
    if op == "leaf":
        return leaves[data]
    if op == "number":
        return terms.constant(data, "i1" if isinstance(data, bool) else "f64")
    args = [term_of(operand, terms, leaves) for operand in operands]
    fold = MEANINGS.get(op) or arith.FLOAT_TESTS[data]
    return terms.make(op, "i1" if op in ("cmpf", "andi", "ori", "xori") else "f64", args, data, fold)


def number_of(tree: Tree, values: Sequence[float]) -> Any:
    """The value of an expression as it is written."""
    op, data, *operands = tree
    if op == "leaf":
        return values[data]
    if op == "number":
        return data
    return (MEANINGS.get(op) or arith.FLOAT_TESTS[data])(*(number_of(operand, values) for operand in operands))


def is_defined(tree: Tree, values: Sequence[float]) -> bool:
    """True if all numbers are finite that the value of an expression depends on: those of the branches that are taken."""
    op, _, *operands = tree
    if op == "select":
        condition, *branches = operands
        return is_defined(condition, values) and is_defined(branches[0 if number_of(condition, values) else 1], values)
    is_leaf = op in ("leaf", "number")
    return math.isfinite(number_of(tree, values)) and (is_leaf or all(is_defined(operand, values) for operand in operands))


def value_of(term: Term, values: Mapping[int, float]) -> Any:
    """The value of a term, with the values of leaves by their numbers."""
    if term.is_constant:
        return term.data
    if not term.args:
        return values[term.number]
    return (MEANINGS.get(term.op) or arith.FLOAT_TESTS[term.data])(*(value_of(arg, values) for arg in term.args))


def new_terms(count: int = 3) -> tuple[Terms, list[Term]]:
    """Terms, and some leaves."""
    terms = Terms(simplify, range_of)
    return terms, [terms.leaf("input", "f64", ("x", at)) for at in range(count)]


def check_bits(seeds: int, depth: int = 4, operations: Sequence[str] = (*FLOATS, "select")) -> int:
    """Checks that simplified expressions have the bits of those that are written; the number of operations that were left out."""
    saved = 0
    for seed in range(seeds):
        source = Random(seed)
        tree = random_tree(source, depth, operations=operations)
        terms, leaves = new_terms()
        term = term_of(tree, terms, leaves)
        saved += size_of(tree) - len(terms.below((term,)))
        for _ in range(12):
            values = [source.choice(AWKWARD) if source.random() < 0.7 else source.gauss(0.0, 2.0) for _ in leaves]
            wanted, found = (
                number_of(tree, values),
                value_of(term, {leaf.number: value for leaf, value in zip(leaves, values, strict=True)}),
            )
            assert same_bits(wanted, found), f"{tree} of {values} is {wanted}, simplified {found}"
    return saved


def size_of(tree: Tree) -> int:
    """The number of nodes of a tree."""
    return 1 if tree[0] in ("leaf", "number") else 1 + sum(size_of(operand) for operand in tree[2:])


def same_bits(first: float, second: float) -> bool:
    """True for equal numbers with equal signs, and for two NaN."""
    if first != first or second != second:
        return first != first and second != second
    return first == second and math.copysign(1.0, first) == math.copysign(1.0, second)
