"""
Random functions full of arrays that share memory: views, second names, stores into views of views, loops over arrays that change.

What a function computes is exact (sums of few elements, no overflow, no division), so compiled code gives CPython's numbers to the bit,
or the function is refused. The writer knows which names share memory, and mostly changes arrays that no other name shares.
"""

# pyright: basic
from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np
from support.random.functions import Generated, define

PRELUDE = """
import numpy as np

TABLE = np.array([0.5, -1.5, 2.0, 1.0])


def same(a):
    return a


def either(a, b, test):
    if test:
        return a
    return b


def shifted(a, by=1.0):
    moved = a * 1.0
    moved[0] += by
    return moved


def clip(a):
    return np.clip(a, -1e3, 1e3)
"""

VECTOR, MATRIX = (4,), (3, 4)
BOLD = 0.03
"""The share of changes that may be of memory with a second name."""


@dataclass
class Held:
    """An array under a name: its shape, and the memory that it may have."""

    shape: tuple[int, ...]
    memory: frozenset[int]


@dataclass
class Writer:
    """Writes one function."""

    source: Random
    lines: list[str] = field(default_factory=list)
    arrays: dict[str, Held] = field(default_factory=dict)
    numbers: list[str] = field(default_factory=lambda: ["s", "n"])
    lists: dict[str, int] = field(default_factory=dict)
    pairs: dict[str, tuple[str, str]] = field(default_factory=dict)
    loops: int = 0
    constructs: set[str] = field(default_factory=set)
    names: Any = field(default_factory=itertools.count)
    memories: Any = field(default_factory=itertools.count)

    def pick(self, *options: Any) -> Any:
        return self.source.choice(options)

    def chance(self, share: float) -> bool:
        return self.source.random() < share

    def name(self, kind: str) -> str:
        return f"{kind}{next(self.names)}"

    def line(self, indent: int, text: str) -> None:
        self.lines.append("    " * indent + text)

    def use(self, construct: str) -> None:
        self.constructs.add(construct)

    # Who has which memory

    def new(self) -> frozenset[int]:
        return frozenset({next(self.memories)})

    def is_alone(self, name: str) -> bool:
        """True if no other name has memory of the array."""
        held = self.arrays[name]
        others = (other.memory for key, other in self.arrays.items() if key != name)
        return -1 not in held.memory and all(held.memory.isdisjoint(memory) for memory in others)

    def target(self) -> str | None:
        """An array to change, mostly one that has its memory for itself."""
        alone = [name for name in self.arrays if self.is_alone(name)]
        names = list(self.arrays) if self.chance(BOLD) else alone
        return self.pick(*names) if names else None

    # Expressions

    def number(self, depth: int = 1) -> str:
        options = [lambda: self.pick("0.5", "-1.25", "2.0", "0.0"), lambda: self.pick(*self.numbers)]
        if self.arrays:
            options += [self.element, self.element]
        if self.lists:
            options.append(lambda: f"{(name := self.pick(*self.lists))}[{self.source.randrange(self.lists[name])}]")
        if depth > 0:
            options += [
                lambda: f"({self.number(depth - 1)} {self.pick('+', '-', '*')} {self.number(depth - 1)})",
                lambda: f"np.sum({self.view(self.pick(*self.arrays))[0]})",
                lambda: f"({self.number(depth - 1)} if {self.test()} else {self.number(0)})",
            ]
        return self.pick(*options)()

    def element(self) -> str:
        name = self.pick(*self.arrays)
        return f"{name}[{', '.join(self.index(extent) for extent in self.arrays[name].shape)}]"

    def index(self, extent: int) -> str:
        """An int in range."""
        if self.loops and self.chance(0.4):
            return f"({self.pick('k', 'k + 1', 'n')} ) % {extent}".replace(" )", ")")
        return str(self.source.randrange(-extent, extent))

    def test(self) -> str:
        return f"{self.number(0)} {self.pick('<', '>', '<=')} {self.number(0)}"

    def slice(self, extent: int) -> str:
        """A slice that is not empty."""
        if extent == 1 or self.chance(0.2):
            return self.pick(":", "::-1")
        options = ["1:", ":-1", "::2", "::-1", "-2:", "::-2", f":{extent - 1}"]
        return self.pick(*options)

    def step(self, shape: tuple[int, ...]) -> str:
        """An index of an array of that shape, or `.T`."""
        kind = self.source.randrange(10)
        if kind == 0:
            return ".T"
        if kind == 1:
            return self.pick("[...]", "[:]")
        if kind == 2 and len(shape) < 3:
            return "[None]"
        parts = []
        for extent in shape[: self.source.randint(1, len(shape))]:
            parts.append(self.index(extent) if self.chance(0.35) else self.slice(extent))
        if self.chance(0.1):
            parts.append("...")
        return f"[{', '.join(parts)}]"

    def shape_of(self, text: str, shape: tuple[int, ...]) -> tuple[int, ...]:
        return eval(text, {"q": np.zeros(shape), "np": np, "k": 0, "n": 0, "same": lambda a: a, "s": 0.0}).shape

    def chain(self, name: str, longest: int) -> tuple[str, tuple[int, ...]]:
        """Indices one after another of the array of that name, and the shape of what they select."""
        shape, text = self.arrays[name].shape, ""
        for _ in range(self.source.randint(1, longest)):
            step = self.step(shape)
            shape = self.shape_of(f"q{step}", shape)
            text += step
            if not shape:
                break
        if text.endswith(".T"):
            text += "[...]"
        return text, shape

    def view(self, name: str) -> tuple[str, tuple[int, ...]]:
        """A view of the array of that name, or the array, and its shape."""
        shape = self.arrays[name].shape
        size = int(np.prod(shape))
        options = ["{}", "{}", "{}.T", "{}.ravel()", "np.flip({})", "np.asarray({})", "np.atleast_2d({})", "same({})", "np.squeeze({})"]
        options += [f"{{}}.reshape({size})", f"{{}}.reshape(1, {size})", "np.expand_dims({}, 0)", "np.broadcast_to({}, (2, *{}.shape))"]
        options += ["np.diag({})"] if len(shape) == 2 else []
        if self.chance(0.6):
            text, shape = self.chain(name, 2)
            if shape:
                return f"{name}{text}", shape
        form = self.pick(*options) if len(shape) < 3 else "{}"
        self.use(form)
        found = self.shape_of(form.replace("{}", "q"), self.arrays[name].shape)
        return (form.replace("{}", name), found) if found else (name, self.arrays[name].shape)

    def array(self, shape: tuple[int, ...], depth: int = 1) -> str:
        """An expression of an array of that shape with memory of its own."""
        known = [name for name, held in self.arrays.items() if held.shape == shape]
        if not known:
            return f"np.full({shape}, {self.number(0)})"
        a = self.pick(*known)
        match self.source.randrange(7):
            case 0:
                return f"{a} * {self.number(0)}"
            case 1:
                return f"({a} {self.pick('+', '-')} {self.pick(*known)})"
            case 2:
                return f"np.where({a} > {self.number(0)}, {a}, {self.pick(*known)})"
            case 3 if depth > 0:
                return f"({self.array(shape, depth - 1)} - {self.array(shape, depth - 1)})"
            case 4:
                return f"{a}.copy()"
            case 5:
                return f"shifted({a})" if len(shape) == 1 else f"{a} + 1.0"
            case _:
                return f"np.zeros({shape})"

    # Statements

    def body(self, indent: int, depth: int, count: int) -> None:
        for _ in range(self.source.randint(1, count)):
            self.statement(indent, depth)

    def scoped(self, indent: int, depth: int, count: int) -> None:
        """A body whose new names are not used after it; what it binds anew may have either memory."""
        saved = dict(self.arrays), list(self.numbers), dict(self.lists), dict(self.pairs)
        self.body(indent, depth, count)
        self.arrays = {name: Held(held.shape, held.memory | self.arrays[name].memory) for name, held in saved[0].items()}
        self.numbers, self.lists, self.pairs = saved[1:]

    def statement(self, indent: int, depth: int) -> None:
        options = [self.make, self.make, self.look, self.store, self.store, self.store, self.store, self.add, self.number_line, self.detach]
        options += [self.mask, self.index_arrays, self.swap, self.list_line, self.chained, self.walrus, self.inner]
        if depth > 0:
            options += [self.branch]
            if self.loops < 2:
                options += [self.loop, self.loop, self.loop, self.list_loop, self.while_loop]
        self.pick(*options)(indent, depth)

    def make(self, indent: int, depth: int) -> None:
        shape = self.pick(VECTOR, VECTOR, MATRIX)
        name = self.name("a")
        self.line(indent, f"{name} = clip({self.array(shape)})")
        self.arrays[name] = Held(shape, self.new())

    def look(self, indent: int, depth: int) -> None:
        """A second name for memory; mostly the first is soon a copy."""
        old = self.pick(*self.arrays)
        name = self.name("b")
        if self.chance(0.2):
            other = self.pick(*[key for key, held in self.arrays.items() if held.shape == self.arrays[old].shape])
            form = self.pick("{0} if {2} else {1}", "either({0}, {1}, {2})", "({0} if {2} else {1})[::-1]")
            self.use(form)
            self.line(indent, f"{name} = {form.format(old, other, self.test())}")
            self.arrays[name] = Held(self.arrays[old].shape, self.arrays[old].memory | self.arrays[other].memory)
        else:
            text, shape = self.view(old)
            self.line(indent, f"{name} = {text}")
            memory = self.arrays[old].memory
            self.arrays[name] = Held(shape, memory | {-1} if "broadcast_to" in text or "diag" in text else memory)
        if self.chance(0.5):
            self.detach(indent, depth, self.pick(old, name))

    def detach(self, indent: int, depth: int, name: str | None = None) -> None:
        """An array becomes a copy of itself."""
        name = name or self.pick(*self.arrays)
        self.line(indent, f"{name} = {name}{self.pick('.copy()', ' * 1.0', ' + 0.5')}")
        self.arrays[name] = Held(self.arrays[name].shape, self.new())

    def store(self, indent: int, depth: int) -> None:
        name = self.target()
        if name is None:
            return self.make(indent, depth)
        text, shape = self.chain(name, 3)
        self.use(f"store of {min(text.count('[') + text.count('.T'), 4)} steps")
        value = self.array(shape, 0) if shape and self.chance(0.5) else self.number(1)
        if shape and self.chance(0.3):
            value = f"{name}{self.source.choice([text, text + '[...]', text + '[::-1]'])}"
        self.line(indent, f"{name}{text} {self.pick('=', '=', '=', '+=', '-=')} {value}")
        self.bounded(indent, name)

    def bounded(self, indent: int, name: str) -> None:
        """Keeps the elements from growing without end."""
        if self.loops or self.chance(0.3):
            self.line(indent, f"{name}[...] = clip({name})")

    def add(self, indent: int, depth: int) -> None:
        name = self.target()
        if name is None:
            return self.make(indent, depth)
        self.use("whole array changed")
        value = self.array(self.arrays[name].shape, 0) if self.chance(0.5) else self.number(0)
        self.line(indent, f"{name} {self.pick('+=', '-=', '*=')} {value}")
        self.bounded(indent, name)

    def mask(self, indent: int, depth: int) -> None:
        name = self.target()
        if name is None:
            return self.make(indent, depth)
        text, shape = self.chain(name, 1)
        part = f"{name}{text}" if shape else name
        self.use("mask")
        self.line(indent, f"{part}[{part} > {self.number(0)}] {self.pick('=', '+=')} {self.number(0)}")

    def index_arrays(self, indent: int, depth: int) -> None:
        name = self.target()
        if name is None:
            return self.make(indent, depth)
        self.use("index arrays")
        extent = self.arrays[name].shape[0]
        places = [self.source.randrange(-extent, extent) for _ in range(2)]
        value = self.pick(self.number(0), f"{name}[{places[::-1]}]")
        self.line(indent, f"{name}[{places}] {self.pick('=', '+=')} {value}")

    def swap(self, indent: int, depth: int) -> None:
        name = self.target()
        if name is None:
            return self.make(indent, depth)
        shape = self.arrays[name].shape
        i, j = self.index(shape[0]), self.index(shape[0])
        copies = ".copy()" if len(shape) > 1 and not self.chance(BOLD) else ""
        self.use("swap")
        form = self.pick(
            f"{name}[{i}], {name}[{j}] = {name}[{j}]{copies}, {name}[{i}]{copies}",
            f"{name}[{i}], t = {self.number(0)}, {name}[{j}]{copies}",
        )
        self.line(indent, form)

    def number_line(self, indent: int, depth: int) -> None:
        name = self.name("f") if self.chance(0.5) else "s"
        self.line(indent, f"{name} = float(clip({self.number(1)}))")
        if name not in self.numbers:
            self.numbers.append(name)

    def list_line(self, indent: int, depth: int) -> None:
        kind = self.source.randrange(5)
        if kind == 0 or not self.lists:
            name = self.name("l")
            self.line(indent, f"{name} = [{self.number(0)}, {self.number(0)}, {self.number(0)}]")
            self.lists[name] = 3
        elif kind == 1:
            name = self.pick(*self.lists)
            self.use("item of a list")
            self.line(indent, f"{name}[{self.source.randrange(self.lists[name])}] {self.pick('=', '+=')} {self.number(0)}")
        elif kind == 2 and not self.loops and indent == 1:
            name = self.pick(*self.lists)
            self.use("list grows")
            other = self.name("l")
            self.line(indent, f"{other} = {name}{'' if self.chance(BOLD) else '[:]'}")
            self.line(indent, f"{name} += [{self.number(0)}]")
            self.lists[other] = self.lists[name]
            self.lists[name] += 1
        elif kind == 3:
            self.use("list of arrays")
            name = self.name("r")
            first, second = (f"{self.pick(*self.vectors())}{'' if self.chance(BOLD) else '.copy()'}" for _ in range(2))
            self.line(indent, f"{name} = [{first}, {second}]")
            self.line(
                indent, f"{name}[{self.pick('0', '1')}][{self.pick('1', '-1', '1:', '::-1')}] {self.pick('=', '+=')} {self.number(0)}"
            )
            self.line(indent, f"{name}[{self.pick('0', '1')}] {self.pick('+=', '-=')} {self.number(0)}")
            self.line(indent, f"s = float(clip(np.sum({name}[0]) - np.sum({name}[1])))")
        else:
            self.use("starred")
            self.line(indent, f"s, *t = {self.pick(*self.vectors())}")
            self.line(indent, "s = float(clip(s - t[0] * t[-1]))")

    def vectors(self) -> list[str]:
        return [name for name, held in self.arrays.items() if held.shape == VECTOR]

    def chained(self, indent: int, depth: int) -> None:
        self.use("two targets")
        first, second = self.name("a"), self.name("a")
        shape = self.pick(VECTOR, MATRIX)
        self.line(indent, f"{first} = {second} = clip({self.array(shape)})")
        memory = self.new()
        self.arrays[first] = self.arrays[second] = Held(shape, memory)
        if not self.chance(0.15):
            self.detach(indent, depth, second)

    def walrus(self, indent: int, depth: int) -> None:
        self.use("walrus")
        first, second = self.name("a"), self.name("b")
        self.line(indent, f"{second} = ({first} := clip({self.array(VECTOR)})){self.pick('[1:]', '[::-1]', '')}")
        shape = self.shape_of("q" + self.lines[-1].rpartition(")")[2], VECTOR)
        memory = self.new()
        self.arrays[first], self.arrays[second] = Held(VECTOR, memory), Held(shape, memory)
        if not self.chance(0.15):
            self.detach(indent, depth, self.pick(first, second))

    def inner(self, indent: int, depth: int) -> None:
        """A nested function: its argument may be changed, returned or captured."""
        function = self.name("g")
        vector = self.pick(*self.vectors())
        match self.source.randrange(4):
            case 0:
                self.use("argument changed")
                self.line(indent, f"def {function}(p):")
                self.line(indent + 1, f"p[{self.pick('0', '1:', '::-2')}] {self.pick('=', '+=')} {self.number(0)}")
                self.line(indent + 1, "return p")
                name = self.name("a")
                given = vector if self.chance(BOLD) else f"{vector} * 1.0"
                self.line(indent, f"{name} = {function}({given})")
                self.arrays[name] = Held(VECTOR, self.arrays[vector].memory if given == vector else self.new())
            case 1:
                self.use("function returned")
                self.line(indent, f"def {function}(p, q={self.number(0)}):")
                self.line(indent + 1, f"return lambda z: z * q + p[{self.index(4)}]")
                self.line(indent, f"s = float(clip({function}({vector})({self.number(0)})))")
            case 2:
                self.use("captured")
                if vector in {held for pair in self.pairs.values() for held in pair}:
                    return
                self.line(indent, f"def {function}():")
                self.line(indent + 1, f"return {vector}[{self.pick('1:', '::-1')}]")
                self.line(indent, f"s = float(clip(np.sum({function}())))")
            case _:
                self.use("default of a function")
                given = f"{vector}{'' if self.chance(BOLD) else '.copy()'}"
                self.line(indent, f"def {function}(q={given}):")
                self.line(indent + 1, f"return q[{self.index(4)}]")
                if (changed := self.target()) is not None:
                    self.line(indent, f"{changed}[0] = {self.number(0)}")
                self.line(indent, f"s = float(clip({function}()))")

    def branch(self, indent: int, depth: int) -> None:
        self.use("if")
        self.line(indent, f"if {self.test()}:")
        self.scoped(indent + 1, depth - 1, 2)
        if self.chance(0.5):
            self.line(indent, "else:")
            self.scoped(indent + 1, depth - 1, 2)

    def clash(self) -> None:
        """Something that shares memory, which changes at once: most compilers of one kind or another would get it wrong."""
        v, w = self.pick(*self.vectors()), self.pick(*self.vectors())
        m = next((name for name, held in self.arrays.items() if held.shape == MATRIX), v)
        change = f"{v}[{self.index(4)}] {self.pick('=', '+=')} 7.0"
        lines = self.pick(
            [f"b = {v} if {self.test()} else {w}", change],
            [f"b = {v} if {self.test()} else {w}", "b[0] += 7.0"],
            [f"b = either({v}, {w}, {self.test()})", change],
            [f"b = same({v})", change],
            [f"b = {self.view(v)[0]}", change],
            [f"b = {m} * 1.0", "b[0], b[1] = b[1], b[0]", "b = b[0] - 2.0 * b[1]"],
            [f"def b(q={v}):", "    return q", change, "b = b()"],
            [f"b = [{w}.copy(), {v}]", change, "b = b[1]"],
            ["b = r = [1.0]", "b += [2.0]", "b = len(r)"],
            ["b = [1.0]", "r = b", "b *= 2", "b = len(r)"],
            ["b = TABLE", "b[0] += 7.0"],
            [f"b = np.broadcast_to({v} * 1.0, (2, 4))", "b[0, 0] = 7.0"],
            [f"b = np.diag({m} * 1.0) if {m}.ndim == 2 else {m}", "b[0] = 7.0"],
            [f"for k, e in enumerate({v}[::-1]):", f"    {v}[k] = e + 7.0", f"b = {v}"],
        )
        for line in lines:
            self.line(1, line)
        self.line(1, f"s = float(np.sum(b) - 2.0 * np.sum({v}))")

    # Loops

    def loop(self, indent: int, depth: int) -> None:
        """A loop over an array, which its body mostly changes."""
        name = self.target() or self.pick(*self.arrays)
        shape = self.arrays[name].shape
        k, e = "k", self.name("e")
        bold = self.chance(BOLD)
        forms = ["for {k}, {e} in enumerate({a}):", "for {k}, {e} in enumerate(reversed({a})):", "for {k}, {e} in zip(range(3), {a}):"]
        views = [
            "for {k}, {e} in enumerate({a}[1:]):",
            "for {k}, {e} in enumerate({a}.ravel()):",
            "for {k}, {e} in enumerate({a}[::-1].copy()):",
        ]
        form = self.pick(*forms, *forms, *views)
        self.use(form)
        self.line(indent, form.format(k=k, e=e, a=name))
        is_number = len(shape) == 1 or "ravel" in form
        changes = bold or (is_number and form in forms) or "copy" in form
        saved = dict(self.arrays), list(self.numbers), dict(self.lists)
        if is_number:
            self.numbers.append(e)
        self.loops += 1
        self.line(indent + 1, f"s = float(clip(s * 0.5 + {e if is_number else f'np.sum({e})'}))")
        if changes:
            part = f"{name}[{self.pick('(k + 1)', '(k + 2)', 'k')} % {shape[0]}]"
            self.line(indent + 1, f"{part} {self.pick('=', '+=')} {e if is_number else 's'} * 0.5 + {self.number(0)}")
            self.bounded(indent + 1, name)
        else:
            del self.arrays[name]  # it is not changed in the body
            if not self.arrays or not self.vectors():
                self.arrays[name] = saved[0][name]
        before = dict(self.arrays)
        self.body(indent + 1, depth - 1, 2)
        if self.chance(0.2):
            self.line(indent + 1, f"if {self.test()}:")
            self.line(indent + 2, self.pick("break", "continue"))
            if (changed := self.target()) is not None:
                self.line(indent + 1, f"{changed}[0] = {self.number(0)}")
        self.loops -= 1
        after = {key: Held(held.shape, held.memory | self.arrays[key].memory) for key, held in before.items()}
        self.arrays = {key: after.get(key, held) for key, held in saved[0].items()}
        self.numbers, self.lists = saved[1:]

    def list_loop(self, indent: int, depth: int) -> None:
        if not self.lists:
            return self.list_line(indent, depth)
        name = self.pick(*self.lists)
        self.use("loop over a list")
        length = self.lists[name]
        header, item = self.pick((f"for e in {name}:", "e"), (f"for e in reversed({name}):", "e"), (f"for k, e in enumerate({name}):", "e"))
        self.line(indent, header)
        self.line(indent + 1, f"{name}[{self.source.randrange(length)}] {self.pick('=', '+=')} {item} + {self.number(0)}")
        if self.chance(0.4):
            self.line(indent + 1, f"if {self.test()}:")
            self.line(indent + 2, f"{name}[{self.source.randrange(length)}] = {self.number(0)}")
        self.line(indent + 1, f"s = float(clip(s * 0.5 - {item}))")

    def while_loop(self, indent: int, depth: int) -> None:
        counter = self.name("w")
        self.use("while")
        self.line(indent, f"{counter} = 0")
        self.line(indent, f"while {counter} < 3:")
        self.line(indent + 1, f"{counter} += 1")
        self.scoped(indent + 1, depth - 1, 2)

    def result(self) -> str:
        shown = list(self.arrays)
        self.source.shuffle(shown)
        lists = [f"{name}[{number}]" for name, length in self.lists.items() for number in range(length)]
        return ", ".join([*sorted(shown[:5]), "s", *lists[:4]])


def generated(source: Random, clash: float = 0.06) -> Generated:
    """A random function `f(x, y, n)` of a vector, a matrix and an int, and arguments; a share `clash` ends with what is mostly refused."""
    writer = Writer(source)
    writer.line(1, "s = 0.25")
    writer.line(1, "k = n")
    for argument, shape in (("x", VECTOR), ("y", MATRIX)):
        name = writer.name("a")
        writer.line(1, f"{name} = {argument}{writer.pick('.copy()', ' * 1.0')}")
        writer.arrays[name] = Held(shape, writer.new())
    if source.random() < 0.1:
        writer.line(1, "table = TABLE")
        writer.arrays["table"] = Held(VECTOR, frozenset({-1}))
    for _ in range(source.randint(4, 9)):
        writer.statement(1, 2)
    if writer.chance(clash):
        writer.clash()
    writer.line(1, f"return {writer.result()}")
    text = PRELUDE + "\n\n" + "\n".join(["def f(x, y, n):", *writer.lines]) + "\n"
    arrays = [
        np.array([source.choice([0.0, -0.0, 1.0, -0.5, 2.5, -3.0, 4.0]) for _ in range(int(np.prod(shape)))]).reshape(shape)
        for shape in (VECTOR, MATRIX)
    ]
    return Generated(text, define(text), (*arrays, source.randint(0, 3)), frozenset(writer.constructs))
