"""
Random functions of the Python subset, as Hypothesis strategies.

A generated function has no undefined behaviour in Python (no overflow, no division by zero, no NaN), and what it computes does not
depend on the last bit of exp and its kin (those results are rounded), so compiled code must give NumPy's numbers exactly.

Hypothesis chooses the generator from which everything else is chosen: by its own choices, a third of the functions of a long run were
ones that it had tried before.
"""

from __future__ import annotations

import itertools
import linecache
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np
from hypothesis import strategies as st
from support.random.vectors import Vectors

LENGTH = 3
"""Arrays have this length: NumPy sums so few elements from left to right, as compiled code does."""

GIVEN = frozenset(("x", "gain", "memory"))
"""Names of numbers that are arguments: nothing is assigned to them."""

VECTORS = 0.3
"""The share of expressions that come from `vectors`."""

PRELUDE = """
import math
from functools import partial
import numpy as np
from scipy import special
from cogir.library.signature import Random, State, Step

TABLE = np.array([0.5, -1.5, 2.25])
WEIGHT = 0.75


def blend(a, b, weight=0.25):
    mixed = a * weight + b * (1.0 - weight)
    return np.clip(mixed, -1e6, 1e6)


def count_above(values, limit):
    count = 0
    for value in values:
        if value <= limit:
            continue
        count += 1
    return count


def first_large(values, limit):
    for value in values:
        if abs(value) > limit:
            return value
    return limit


def noisy(a, random):
    return a + random.normal(a.shape)


halved = partial(blend, weight=0.5)

"""


@dataclass(repr=False)
class Generated:
    """A generated function, its source, and arguments for it."""

    source: str
    function: Callable[..., Any]
    inputs: tuple[Any, ...]
    constructs: frozenset[str]

    def __repr__(self) -> str:
        return f"f{self.inputs}"


@dataclass
class Writer(Vectors):
    """Writes one function; every variable keeps its type: f(loat), i(nteger in 0 .. 999), a(rray of three), m(atrix of two rows)."""

    source: Random
    draws_allowed: bool
    lines: list[str] = field(default_factory=list[str])
    names: dict[str, list[str]] = field(default_factory=lambda: {"f": ["x"], "i": ["n"], "a": ["v", "TABLE"], "m": []})
    owned: list[str] = field(default_factory=list[str])
    numbers: Any = field(default_factory=lambda: itertools.count())
    constructs: set[str] = field(default_factory=set[str])
    loops: int = 0
    states: bool = False

    def pick(self, *options: Any) -> Any:
        return self.source.choice(options)

    def use(self, construct: str, text: str) -> str:
        self.constructs.add(construct)
        return text

    def known_vector(self, length: int) -> str | None:
        match length:
            case 1:
                return self.pick("u", "v[1:2]")
            case 3:
                return self.pick(*self.names["a"])
            case _:
                return None

    # Expressions, by type

    def number(self, depth: int) -> str:
        if depth <= 0:
            return self.pick(*self.names["f"], "np.float64(0.5)", "np.float64(-1.25)", "np.float64(3.0)", "WEIGHT")
        if self.source.random() < VECTORS:
            return self.number_of_vector(depth - 1)
        a = lambda: self.number(depth - 1)  # noqa: E731
        option = self.source.randint(0, 22 if self.draws_allowed else 19)
        match option:
            case 0 | 1 | 2:
                return f"({a()} {self.pick('+', '-', '*')} {a()})"
            case 3:
                return self.use("divide", f"({a()} / (abs({a()}) + 0.5))")
            case 4:
                return self.use("modulo", f"({a()} {self.pick('%', '//')} (abs({a()}) + 0.5))")
            case 5:
                return self.use("transcendental", f"np.round({self.pick('np.tanh', 'np.sin', 'np.cos')}({a()}), 6)")
            case 6:
                return self.use("transcendental", f"np.round(np.exp(-abs({a()})), 6)")
            case 7:
                return self.use("sqrt", f"np.sqrt(abs({a()}))")
            case 8:
                return self.use("abs", f"{self.pick('abs', 'np.floor', 'np.ceil', 'np.sign', '-', 'np.rint')}({a()})")
            case 9:
                return self.use("extreme", f"{self.pick('max', 'min')}({a()}, {a()})")
            case 10:
                return self.use("conditional expression", f"({a()} if {self.test(depth - 1)} else {a()})")
            case 11:
                return self.use("index", f"{self.pick(*self.names['a'])}[{self.pick('0', '-1', f'{self.integer(0)} % 3')}]")
            case 12:
                return self.use("reduction", f"{self.pick('np.sum', 'np.max', 'np.min', 'np.mean', 'sum', 'max')}({self.array(depth - 1)})")
            case 13:
                return self.use("number of int", f"(0.25 * {self.integer(depth - 1)})")
            case 14:
                return self.use("power", f"({a()} ** 2)")
            case 15:
                return self.use("call", f"blend({a()}, {a()})")
            case 16:
                return self.use("call with keyword", f"{self.pick('blend', 'halved')}({a()}, b={a()}{self.pick('', ', weight=0.5')})")
            case 17:
                return self.use("early return in callee", f"first_large({self.pick(*self.names['a'])}, {a()})")
            case 18:
                return self.use("lambda", f"(lambda p, q=2.0: p * q - {a()})({a()})")
            case 19 if self.names["m"]:
                return self.use("matrix index", f"{self.pick(*self.names['m'])}[{self.pick('0', '1')}, {self.integer(0)} % 3]")
            case 20:
                return self.use("draw", self.pick("random.normal()", "random.uniform()"))
            case 22:
                # Parameters in their ranges, for which the generators draw NumPy's numbers.
                size = f"np.clip(abs({a()}), 0.25, 9.0)"
                draw = self.pick(f"exponential({size})", f"gamma({size}, 0.5)", f"beta({size}, 2.0)", f"lognormal(0.25, {size} / 9.0)")
                return self.use("draw from a distribution", f"random.{draw}")
            case _:
                return a()

    def integer(self, depth: int) -> str:
        if depth <= 0:
            return self.pick(*self.names["i"], "0", "1", "2", "7")
        if self.source.random() < VECTORS:
            return self.integer_of_vector(depth - 1)
        a = lambda: self.integer(depth - 1)  # noqa: E731
        match self.source.randint(0, 9 if self.draws_allowed else 7):
            case 0 | 1:
                return f"({a()} {self.pick('+', '*', '-')} {a()}) % 1000"
            case 2:
                return self.use("int modulo", f"({a()} {self.pick('%', '//')} {self.pick('3', '7')})")
            case 3:
                return self.use("argmax", f"int({self.pick('np.argmax', 'np.argmin')}({self.array(depth - 1)}))")
            case 4:
                return self.use("count", f"count_above({self.pick(*self.names['a'])}, {self.number(depth - 1)})")
            case 5:
                return self.use("int of float", f"int(np.clip(abs({self.number(depth - 1)}), 0.0, 99.0))")
            case 6:
                return self.use("bits", f"({a()} {self.pick('&', '|', '^')} {a()})")
            case 7:
                return self.use("int conditional", f"({a()} if {self.test(depth - 1)} else {a()})")
            case 8:
                draw = self.pick(
                    f"poisson(np.clip(abs({self.number(0)}), 0.0, 40.0))",
                    f"binomial({self.pick('5', '200', f'{self.integer(0)} % 99')}, 1.0 / (1.0 + abs({self.number(0)})))",
                    f"geometric(1.0 / (1.0 + np.clip(abs({self.number(0)}), 0.0, 50.0)))",
                    "categorical([0.25, 0.5, 0.25])",
                    "permutation(7)[2]",
                )
                return self.use("draw of a count", f"int(random.{draw}) % 1000")
            case _:
                return self.use("draw integer", f"int(random.integer({self.pick('1', '2', '10', f'{self.integer(0)} % 7 + 1')}))")

    def test(self, depth: int) -> str:
        if depth <= 0:
            return f"{self.number(0)} {self.pick('<', '<=', '>', '>=', '==', '!=')} {self.number(0)}"
        if self.source.random() < VECTORS:
            return self.test_of_vector(depth - 1)
        match self.source.randint(0, 6):
            case 0 | 1:
                return f"{self.number(depth - 1)} {self.pick('<', '>=', '>')} {self.number(depth - 1)}"
            case 2:
                return self.use("int test", f"{self.integer(depth - 1)} {self.pick('<', '==', '>')} {self.integer(depth - 1)}")
            case 3:
                return self.use("boolean", f"({self.test(depth - 1)} {self.pick('and', 'or')} {self.test(depth - 1)})")
            case 4:
                return self.use("not", f"(not {self.test(depth - 1)})")
            case 5:
                return self.use("any all", f"bool({self.pick('np.any', 'np.all')}({self.array(depth - 1)} > {self.number(0)}))")
            case _:
                return self.use("chain", f"({self.number(0)} < {self.number(depth - 1)} < {self.number(0)})")

    def array(self, depth: int) -> str:
        if depth <= 0:
            return self.pick(*self.names["a"], "np.ones(3)", "np.arange(3)")
        if self.source.random() < VECTORS:
            return self.vector(LENGTH, depth)
        a = lambda: self.array(depth - 1)  # noqa: E731
        match self.source.randint(0, 19 if self.draws_allowed else 15):
            case 0 | 1 | 2:
                return f"({a()} {self.pick('+', '-', '*')} {a()})"
            case 3:
                return self.use("scale", f"({a()} * {self.number(depth - 1)})")
            case 4:
                return self.use("where", f"np.where({a()} > {a()}, {a()}, {self.number(depth - 1)})")
            case 5:
                return self.use("transcendental array", f"np.round({self.pick('np.tanh', 'np.sin')}({a()}), 6)")
            case 6:
                return self.use("array extreme", f"{self.pick('np.maximum', 'np.minimum')}({a()}, {a()})")
            case 7:
                return self.use("reversed", f"{a()}[::-1]")
            case 8:
                return self.use("concatenate", f"np.concatenate([{a()}[:1], {a()}[1:]])")
            case 9:
                return self.use("array of numbers", f"np.array([{self.number(depth - 1)}, {self.number(0)}, {self.number(0)}])")
            case 10:
                return self.use("outer", f"np.sum(np.outer({a()}, {a()}), axis={self.pick('0', '1')})")
            case 11:
                return self.use("divide arrays", f"({a()} / (np.abs({a()}) + 0.5))")
            case 12:
                return self.use("call with array", f"blend({a()}, {a()}, weight={self.number(0)})")
            case 13:
                return self.use("cumsum", f"np.cumsum({a()})")
            case 14:
                return self.use("array conditional", f"({a()} * 1.0 if {self.test(depth - 1)} else {a()} * 1.0)")
            case 15 if self.names["m"]:
                matrix = self.pick(*self.names["m"])
                return self.use("matrix part", self.pick(f"{matrix}[1]", f"{matrix}.sum(axis=0)", f"({matrix} * {a()})[0]"))
            case 16:
                return self.use("draw array", f"random.{self.pick('normal', 'uniform')}((3,))")
            case 18:
                size = f"np.clip(np.abs({a()}), 0.25, 9.0)"
                draw = self.pick(
                    f"gamma({size})",
                    f"exponential({size}, (3,))",
                    f"poisson({size})",
                    f"binomial(40, {size} / 9.0)",
                    "beta(0.5, 2.0, (3,))",
                )
                return self.use("draw an array from a distribution", f"random.{draw}")
            case 19:
                draw = self.pick(f"choice({a()}, 3)", f"permutation({a()})", f"choice({a()}, (3,), p=[0.5, 0.25, 0.25])")
                return self.use("choice", f"random.{draw}")
            case 17:
                return self.use("draw in callee", f"noisy({a()} * 1.0, random)")
            case _:
                return a()

    # Statements

    def line(self, indent: int, text: str) -> None:
        self.lines.append("    " * indent + text)

    def body(self, indent: int, depth: int, size: int) -> None:
        for _ in range(self.source.randint(1, size)):
            self.statement(indent, depth)

    def scoped(self, indent: int, depth: int, size: int) -> None:
        """A body whose new names are not used after it."""
        saved = {kind: list(names) for kind, names in self.names.items()}
        owned = list(self.owned)
        self.body(indent, depth, size)
        self.names, self.owned = saved, owned

    def fresh(self, kind: str) -> str:
        name = f"{kind}{next(self.numbers)}"
        self.names[kind].append(name)
        return name

    def statement(self, indent: int, depth: int) -> None:
        match self.source.randint(0, 17):
            case 0 | 1:
                value = f"np.clip({self.number(2)}, -1e6, 1e6)"
                known = [name for name in self.names["f"] if name not in GIVEN]
                name = self.pick(*known) if known and self.source.random() < 0.5 else self.fresh("f")
                self.line(indent, f"{name} = {value}")
            case 2:
                value = f"{self.integer(2)} % 1000"
                known = [name for name in self.names["i"] if name not in ("n", *self.loop_names)]
                name = self.pick(*known) if known and self.source.random() < 0.5 else self.fresh("i")
                self.line(indent, f"{name} = ({value})")
            case 3 | 4:
                value = f"np.clip({self.array(2)}, -1e6, 1e6)"
                known = [name for name in self.owned if name in self.names["a"]]
                name = self.pick(*known) if known and self.source.random() < 0.5 else self.fresh("a")
                self.line(indent, f"{name} = {value}")
                if name not in self.owned:
                    self.owned.append(name)
            case 5 if self.owned:
                index = self.pick("0", "-1", f"{self.integer(1)} % 3")
                value = f"np.clip({self.number(2)}, -1e6, 1e6)"
                self.line(indent, self.use("element assigned", f"{self.pick(*self.owned)}[{index}] = {value}"))
            case 6 if self.owned:
                target = self.pick("[1:]", "[:2]", "[::2]")
                self.line(indent, self.use("slice assigned", f"{self.pick(*self.owned)}{target} = {self.number(1)} * 1e-3"))
            case 7 if not GIVEN.issuperset(self.names["f"]):
                name = self.pick(*[name for name in self.names["f"] if name not in GIVEN])
                self.line(indent, self.use("augmented", f"{name} {self.pick('+=', '-=')} {self.number(1)} * 1e-2"))
            case 8 if depth > 0:
                self.line(indent, self.use("if", f"if {self.test(2)}:"))
                self.scoped(indent + 1, depth - 1, 2)
                if self.source.random() < 0.5:
                    self.line(indent, self.use("else", "else:"))
                    self.scoped(indent + 1, depth - 1, 2)
            case 9 if depth > 0 and self.loops < 2:
                self.for_loop(indent, depth)
            case 10 if depth > 0 and self.loops < 2:
                self.while_loop(indent, depth)
            case 11 if depth > 0:
                self.line(indent, self.use("early return", f"if {self.test(1)}:"))
                self.line(indent + 1, f"return {self.result()}")
            case 12:
                value = f"np.array([{self.array(1)}, {self.array(1)}]) * 0.5"
                self.line(indent, self.use("matrix", f"{self.fresh('m')} = {value}"))
            case 13 if self.owned:
                name = self.pick(*self.owned)
                test = f"{name} {self.pick('>', '<=', '!=')} {self.number(1)}"
                self.line(indent, self.use("mask assigned", f"{name}[{test}] = np.clip({self.number(1)}, -1e6, 1e6)"))
            case 14:
                held = f"w{next(self.numbers)}"
                value = f"np.clip(({held} := {self.number(1)}) * 0.5 + {held}, -1e6, 1e6)"
                self.line(indent, self.use("walrus", f"{self.fresh('f')} = {value}"))
            case 15:
                first, rest = f"p{next(self.numbers)}", f"q{next(self.numbers)}"
                self.line(indent, self.use("star", f"{first}, *{rest} = {self.number(1)}, {self.number(1)}, {self.number(1)}"))
                self.line(indent, f"{self.fresh('f')} = np.clip({first} - {rest}[0] * {rest}[-1], -1e6, 1e6)")
            case 16:
                name = f"g{next(self.numbers)}"
                self.line(indent, self.use("function inside", f"def {name}(p, q=2.0):"))
                self.line(indent + 1, f"return p * q - {self.number(1)}")
                value = f"np.clip({name}({self.number(1)}, {self.pick('', 'q=')}{self.number(1)}), -1e6, 1e6)"
                self.line(indent, f"{self.fresh('f')} = {value}")
            case _:
                values = (self.number(1), self.number(1))
                names = (self.fresh("f"), self.fresh("f"))
                self.line(indent, self.use("tuple assigned", f"{names[0]}, {names[1]} = {values[0]}, {values[1]}"))

    @property
    def loop_names(self) -> list[str]:
        return [name for name in self.names["i"] if name.startswith("k")]

    def for_loop(self, indent: int, depth: int) -> None:
        loop, other = f"k{next(self.numbers)}", f"k{next(self.numbers)}"
        a = self.pick(*self.names["a"])
        header, kinds = self.pick(
            (f"for {loop} in range({self.pick('2', '4')}):", {loop: "i"}),
            (f"for {loop} in range({self.integer(1)} % 5):", {loop: "i"}),
            (f"for {loop} in range(5, 0, -2):", {loop: "i"}),
            (f"for {loop} in {a}:", {loop: "f"}),
            (f"for {loop} in reversed({a}):", {loop: "f"}),
            (f"for {loop}, {other} in enumerate({a}):", {loop: "i", other: "f"}),
            (f"for {loop}, {other} in zip({a}, {self.array(1)}):", {loop: "f", other: "f"}),
        )
        self.line(indent, self.use("for", header))
        self.inside_loop(indent, depth, kinds)

    def while_loop(self, indent: int, depth: int) -> None:
        counter = f"k{next(self.numbers)}"
        self.line(indent, f"{counter} = 0")
        self.line(indent, self.use("while", f"while {counter} < {self.pick('3', '5')} and {self.test(1)}:"))
        self.line(indent + 1, f"{counter} += 1")
        self.inside_loop(indent, depth, {counter: "i"})

    def inside_loop(self, indent: int, depth: int, loops: dict[str, str]) -> None:
        saved = {kind: list(names) for kind, names in self.names.items()}
        owned = list(self.owned)
        for loop, kind in loops.items():
            self.names[kind].append(loop)
        self.loops += 1
        self.body(indent + 1, depth - 1, 3)
        if self.source.random() < 0.5:
            self.line(indent + 1, self.use("break or continue", f"if {self.test(1)}:"))
            self.line(indent + 2, self.pick("break", "continue"))
            self.body(indent + 1, 0, 1)
        self.loops -= 1
        self.names, self.owned = saved, owned

    def result(self) -> str:
        outputs = f"np.clip({self.number(1)}, -1e6, 1e6), {self.array(1)} * 1.0, {self.integer(1)}"
        if not self.states:
            return outputs
        following = f"np.clip({self.number(1)}, -1e6, 1e6), {self.array(1)} * 1.0"
        return f"Step(outputs=({outputs}), states=({following}), finished=bool({self.test(1)}))"


_NUMBERS = itertools.count()


def number_of(source: Random) -> float:
    """A number between -100 and 100; now and then one at which functions change their mind."""
    return source.choice([0.0, 1.0, -0.5]) if source.randrange(6) == 0 else round(source.uniform(-100, 100), 3)


def generated(source: Random, draws_allowed: bool | None = None) -> Generated:
    """A random function `f(x, n, v, u)` (some with parameters and states, some with a generator) and arguments."""
    with_draws = source.random() < 0.5 if draws_allowed is None else draws_allowed
    writer = Writer(source, with_draws, states=source.random() < 0.3)
    named = ["gain=0.75", "memory: State = 0.5", "trace: State = np.array([0.0, 1.0, -2.0])"] if writer.states else []
    if writer.states:
        writer.names["f"] += ["gain", "memory"]
        writer.names["a"].append("trace")
    writer.body(1, 3, 5)
    writer.line(1, f"return {writer.result()}")
    head = ", ".join(["x, n, v, u", *["*"] * bool(with_draws or named), *named, *["random: Random"] * with_draws])
    text = PRELUDE + "\n" + "\n".join([f"def f({head}):", *writer.lines]) + "\n"
    arrays = (np.array([number_of(source) for _ in range(length)]) for length in (LENGTH, 1))
    inputs = (number_of(source), source.randint(0, 9), *arrays)
    return Generated(text, define(text), inputs, frozenset(writer.constructs))


@st.composite
def functions(draw: Any, draws_allowed: bool | None = None) -> Generated:
    """What `generated` makes, chosen by Hypothesis."""
    return generated(draw(st.randoms(use_true_random=True)), draws_allowed)


def define(source: str, name: str = "f") -> Callable[..., Any]:
    """Executes `source` such that its lines can be found, and returns the function of that name."""
    filename = f"<generated {next(_NUMBERS)}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    scope: dict[str, Any] = {"__name__": "generated"}
    exec(compile(source, filename, "exec"), scope)
    return scope[name]
