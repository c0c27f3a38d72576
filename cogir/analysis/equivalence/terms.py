"""
Expressions as a graph in which equal expressions are one node.

A `Term` is an operation on other terms, a constant, or a leaf: an element of an input, a parameter, a state before the trial, a variable
of a loop, or a random draw. `Terms.make` simplifies by rules that keep all bits (`keep_bits.py`) and then looks the node up, so two terms
that were made equal are the same object. The arguments of a term are made before it, so its `number` is greater than theirs; walks
over graphs go by number and need no recursion.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cogir.analysis.ranges.floats import ANYTHING, FloatRange, exactly

NOTHING: frozenset[int] = frozenset()
UNKNOWN = object()
"""The value of what depends on leaves."""
AROUND = -1
"""Stands for all loops around a loop, on which its results may depend."""

LEAVES = frozenset(("input", "parameter", "state", "variable", "draw", "stream", "undefined"))
"""The operations of terms that stand for what is not known."""


class Term:
    """One expression; equal expressions of one `Terms` are the same object."""

    __slots__ = ("args", "data", "depends", "number", "op", "range", "type", "value")

    def __init__(self, number: int, op: str, type: str, args: tuple[Term, ...], data: Any):
        self.number = number
        self.op = op
        self.type = type
        self.args = args
        self.data = data
        self.depends = NOTHING
        """The numbers of the loops on whose current iteration the value depends."""
        self.range: FloatRange = ANYTHING
        self.value: Any = data if op == "constant" else UNKNOWN
        """The value that the machine computes for it, if it depends on nothing."""

    @property
    def is_constant(self) -> bool:
        """True if the value is known; `data` holds it."""
        return self.op == "constant"

    def is_number(self, wanted: float) -> bool:
        """True if this is the constant `wanted`; zeros differ by their sign."""
        if self.op != "constant" or not isinstance(self.data, float):
            return False
        return self.data == wanted and math.copysign(1.0, self.data) == math.copysign(1.0, wanted)

    def __repr__(self) -> str:
        return f"<{self.number}: {self.op} {self.data if self.data is not None else ''} {[arg.number for arg in self.args]}>"


@dataclass
class Loop:
    """
    A loop whose number of iterations is not known: `while condition: variables = nexts`, with results made of its variables at its end.

    `inside` has the numbers of the loops around it, outermost first.
    """

    number: int
    inside: tuple[int, ...]
    variables: list[Term]
    initial: list[Term] = field(default_factory=list[Term])
    nexts: list[Term] = field(default_factory=list[Term])
    condition: Term | None = None


def varies(term: Term, loop: int) -> bool:
    """True if a value may change from one iteration of a loop to the next."""
    return loop in term.depends or AROUND in term.depends


Fold = Callable[..., Any]
Simplify = Callable[["Terms", str, str, tuple[Term, ...], Any], "Term | None"]
Bounds = Callable[[Term], FloatRange]


def key_of(value: Any) -> Any:
    """A constant as a key: floats by their bits, all NaN alike."""
    if isinstance(value, float):
        return "nan" if value != value else struct.pack("<d", value)
    return value


class Terms:
    """
    All terms of a comparison, and the loops among them.

    Operations on known values are computed as the machine does. If the terms are `exact`, floats are not, as rounding is left out; integers
    and conditions are, so that the same iterations run and the same ways are taken as in the machine.
    """

    def __init__(self, simplify: Simplify, bounds: Bounds, exact: bool = False):
        self.exact = exact
        self._simplify = simplify
        self._bounds = bounds
        self._known: dict[Any, Term] = {}
        self._folds: dict[Any, Fold] = {}
        self.loops: dict[int, Loop] = {}
        self.count = 0
        self.spreads = True
        """True if the final value of an expression is made of final values of what it depends on."""

    # Making

    def constant(self, value: Any, type: str) -> Term:
        """A known value: a float, an int, or a bool."""
        if isinstance(value, float) and value != value:
            value = math.nan
        return self._intern("constant", type, (), value, ("constant", type, key_of(value)))

    def leaf(self, op: str, type: str, data: Any) -> Term:
        """Something unknown, told apart by `data`."""
        return self._intern(op, type, (), data, (op, type, data))

    def make(self, op: str, type: str, args: Sequence[Term], data: Any = None, fold: Fold | None = None) -> Term:
        """An operation; `fold` computes it from known values."""
        args = tuple(args)
        kinds = (op, type, data, tuple(arg.type for arg in args))
        if fold is not None:
            self._folds[kinds] = fold
        else:
            fold = self._folds.get(kinds)
        value: Any = UNKNOWN
        if fold is not None and all(arg.value is not UNKNOWN for arg in args):
            value = fold(*(arg.value for arg in args))
            if not self.exact or type not in ("f64", "f32"):
                return self.constant(value, type)
        found = self._simplify(self, op, type, args, data) or self.node(op, type, args, data)
        if value is not UNKNOWN and found.value is UNKNOWN:
            found.value = value
        return found

    def node(self, op: str, type: str, args: tuple[Term, ...], data: Any = None) -> Term:
        """An operation as it stands."""
        return self._intern(op, type, args, data, (op, type, data, tuple(arg.number for arg in args)))

    def result(self, loop: int, value: Term) -> Term:
        """The value that `value` has when a loop ends: the same function of the final values of what it depends on."""
        if not varies(value, loop):
            return value
        if not self.spreads:
            return self.node("result", value.type, (value,), loop)
        new: dict[int, Term] = {}
        for term in self.below((value,)):
            if not varies(term, loop):
                new[term.number] = term
            elif not term.args or term.op == "result":
                new[term.number] = self.node("result", term.type, (term,), loop)
            else:
                new[term.number] = self.make(term.op, term.type, [new[arg.number] for arg in term.args], term.data)
        return new[value.number]

    def new_loop(self, inside: tuple[int, ...], types: Iterable[str]) -> Loop:
        """A loop with variables of these types."""
        number = len(self.loops)
        loop = Loop(number, inside, [])
        self.loops[number] = loop
        loop.variables = [self.leaf("variable", type, (number, index)) for index, type in enumerate(types)]
        return loop

    def _intern(self, op: str, type: str, args: tuple[Term, ...], data: Any, key: Any) -> Term:
        found = self._known.get(key)
        if found is None:
            self.count += 1
            found = self._known[key] = Term(self.count, op, type, args, data)
            found.depends = self._depends(found)
            if type == "f64":
                found.range = exactly(data) if op == "constant" else self._bounds(found)
        return found

    def _depends(self, term: Term) -> frozenset[int]:
        if term.op == "variable":
            return frozenset((term.data[0],))
        if term.op == "draw":
            return frozenset(term.data.inside)
        inner = NOTHING.union(*(arg.depends for arg in term.args)) if term.args else NOTHING
        if term.op == "result":
            return (inner - {term.data}) | {AROUND} if self.loops[term.data].inside else NOTHING
        return inner

    # Walking

    def below(self, roots: Iterable[Term]) -> list[Term]:
        """The terms that `roots` are made of, arguments first; loops are not entered."""
        seen = {root.number: root for root in roots}
        open_ = list(seen.values())
        while open_:
            for arg in open_.pop().args:
                if arg.number not in seen:
                    seen[arg.number] = arg
                    open_.append(arg)
        return [seen[number] for number in sorted(seen)]

    def rebuilt(self, roots: Iterable[Term], leaves: Mapping[int, Term], loops: Mapping[int, int]) -> dict[int, Term]:
        """The terms below `roots`, by number, with leaves and loops replaced by others, and simplified again."""
        new: dict[int, Term] = {}
        for term in self.below(roots):
            if not term.args:
                new[term.number] = leaves.get(term.number, term)
                continue
            args = tuple([new[arg.number] for arg in term.args])
            if term.op == "result":
                new[term.number] = self.result(loops.get(term.data, term.data), args[0])
            elif all(new_arg is arg for new_arg, arg in zip(args, term.args, strict=True)):
                new[term.number] = term
            else:
                new[term.number] = self.make(term.op, term.type, args, term.data)
        return new
