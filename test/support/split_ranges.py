"""
Ranges of random models whose boxes are infinite, huge, tiny or points, split into parts: no value of a run lies outside.

A model has one node, whose function is made of random expressions of its inputs, of parameters and, half of the time, of two states. One
state, one parameter and one or two outputs are whole numbers.
"""

from __future__ import annotations

import itertools
import linecache
import math
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np
from support.ranges import Checked, FloatBox, IntBox, Outside

import cogir
from cogir.errors import FunctionError

INPUTS, OUTPUTS = 2, 4
SAMPLES = 4
"""Choices of parameters for a model."""
MOST_PARTS = 64
NUMBERS = itertools.count()

UNARY = (
    "-{}",
    "abs({})",
    "np.sqrt({})",
    "np.exp({})",
    "np.log({})",
    "np.tanh({})",
    "np.floor({})",
    "np.sin({})",
    "np.sign({})",
    "np.log1p({})",
)
BINARY = (
    "{} + {}",
    "{} - {}",
    "{} * {}",
    "{} / {}",
    "max({}, {})",
    "min({}, {})",
    "np.arctan2({}, {})",
    "np.copysign({}, {})",
    "np.hypot({}, {})",
)
CHOICES = ("({2} if {0} < {1} else {3})", "({2} if {0} == {1} else {3})", "({2} if np.isnan({0}) else {1} - {3})")
WHOLE_UNARY = ("-{}", "abs({})", "({}) // 3", "({}) % 7", "({}) * 3002399751580331", "({}) + 4611686018427387905 // 2")
WHOLE_BINARY = ("{} + {}", "{} - {}", "max({}, {})", "min({}, {})", "({} if x < y else {})", "({} if k > 0 else {})")
CONSTANTS = ("0.0", "-0.0", "1.0", "-2.5", "1e-300", "1e300", "0.1")


def expression(source: Random, depth: int, names: tuple[str, ...]) -> str:
    """A random expression of numbers."""
    if depth == 0 or source.random() < 0.1:
        return source.choice(names) if source.random() < 0.8 else source.choice(CONSTANTS)
    inner = [expression(source, depth - 1, names) for _ in range(4)]
    kind = source.random()
    if kind < 0.3:
        return f"({source.choice(UNARY).format(inner[0])})"
    if kind < 0.4:
        return f"({source.choice(CHOICES).format(*inner)})"
    if kind < 0.45:
        return f"(({inner[0]}) ** {source.choice((2, 3, -1, 0.5))})"
    return f"({source.choice(BINARY).format(*inner)})"


def whole_expression(source: Random, depth: int, names: tuple[str, ...], numbers: tuple[str, ...]) -> str:
    """A random expression that is a whole number, of whole numbers `names` and of floats `numbers`."""
    if depth == 0 or source.random() < 0.1:
        if source.random() < 0.3:
            number = expression(source, 1, numbers)
            if "0.0)" in number and ("/" in number or "**" in number):  # Python divides constants by zero while the model is built
                number = "x"
            return f"(int({number}) if abs({number}) < 1e15 else -1)"
        return source.choice((*names, *names, "np.argmax(v)", "int(x < y)", "-5", "3002399751580331 * k"))
    inner = [whole_expression(source, depth - 1, names, numbers) for _ in range(2)]
    if source.random() < 0.5:
        return f"({source.choice(WHOLE_UNARY).format(inner[0])})"
    return f"({source.choice(WHOLE_BINARY).format(*inner)})"


def random_function(source: Random, stateful: bool) -> tuple[Any, str]:
    """A random node function of `v` (two numbers), `a`, the whole number `k` and perhaps the states `s` and `t`, and its text."""
    names = ("x", "y", "x", "y", "a", "1.0 * k", *(("s", "s") if stateful else ()))
    first, second, after = (expression(source, source.choice((0, 1, 1, 2, 3)), names) for _ in range(3))
    wholes = ("k", "k", *(("t", "t") if stateful else ()))
    third, counted = (whole_expression(source, source.choice((0, 1, 2)), wholes, ("x", "y", "a")) for _ in range(2))
    fourth = source.choice(("np.argsort(v)", "x > y", f"np.array([{third}, {counted}])"))
    state = ", s: State = 0.5, t: State = 2" if stateful else ""
    if source.random() < 0.3:
        second = source.choice(("x - y", "x / y", "abs(x + y)", "np.sqrt(y)"))
    if stateful and source.random() < 0.6:
        first, after = source.choice((("x - s", "x"), ("y * s", "0.5 * s + y"), (first, f"max(s, {after})"), (f"s / {first}", "y - x")))
    if source.random() < 0.5:
        counted = source.choice(("t + 1", "t - 1", "max(t, k)", "(t + k) % 5"))
    outputs = "first, second, third, fourth"
    result = f"Step(outputs=({outputs}), states=(after, counted))" if stateful else outputs
    text = "\n".join(
        [
            f"def f(v: Value, *, a: float = 1.0, k: int = 2{state}):",
            "    x, y = v[0], v[1]",
            f"    first = {first}",
            f"    second = {second}",
            f"    third = {third}",
            f"    fourth = {fourth}",
            *([f"    after = {after}", f"    counted = {counted}"] if stateful else []),
            f"    return {result}",
            "",
        ]
    )
    name = f"<ranges {next(NUMBERS)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    scope: dict[str, Any] = {"np": np, "Value": cogir.library.Value, "State": cogir.library.State, "Step": cogir.library.Step}
    exec(compile(text, name, "exec"), scope)
    return scope["f"], text


def random_box(source: Random) -> FloatBox:
    """A range: infinite, half infinite, huge, tiny, subnormal, a point, or an ordinary one."""
    largest, tiny = 1.7976931348623157e308, 5e-324
    some = source.uniform(-3.0, 3.0) * 10.0 ** source.choice((0, 0, 1, -3, 100, -100, 300, -310))
    low, high = source.choice(
        (
            (-math.inf, math.inf),
            (some, math.inf),
            (-math.inf, some),
            (-1e308, 1e308),
            (-largest, largest),
            (0.0, largest),
            (0.0, math.inf),
            (-0.0, 1.0),
            (0.0, tiny),
            (-tiny, tiny),
            (-3e-310, 7e-320),
            (-1e-300, 1e-290),
            (some, math.nextafter(some, math.inf)),
            (some, some),
            (0.0, 0.0),
            (-0.0, 0.0),
            (math.inf, math.inf),
            (-1.0, 1.0),
            (0.0, 1.0),
            (-2.0, 3.0),
            tuple(sorted((some, source.uniform(-10.0, 10.0)))),
        )
    )
    return FloatBox(low, high, False)


@dataclass
class SplitCase:
    """A random model, its boxes, and how they are split."""

    seed: int

    def __post_init__(self) -> None:
        while not self.is_built():  # its whole numbers are beyond 64 bits for its initial values: another one
            self.seed += 1_000_000
        source = self.source
        self.boxes = [random_box(source) for _ in range(INPUTS)]
        self.a = random_box(source)
        self.k = IntBox(*sorted((source.randint(-3, 3), source.randint(-3, 3))))
        self.trials = source.choice((None, 1, 2, 5))
        self.split = source.randint(1, 8)

    def is_built(self) -> bool:
        """Draws a model; False if its function is refused."""
        source = self.source = Random(self.seed)
        self.stateful = source.random() < 0.5
        function, self.text = random_function(source, self.stateful)
        self.model = cogir.Model(f"random_{self.seed}")
        try:
            self.model.node("n", function, input=INPUTS, outputs=tuple(f"value_{number}" for number in range(OUTPUTS)))
        except FunctionError:
            assert str(3002399751580331) in self.text, self.text
            return False
        return True

    @property
    def parts(self) -> int | dict[str, int]:
        """The argument `split`: one number, or, where that were too many parts, by name."""
        ranged = {f"n/v[{at}]": box.low < box.high for at, box in enumerate(self.boxes)}
        ranged |= {"n/a": self.a.low < self.a.high, "n/k": self.k.low < self.k.high}
        names = [name for name, has_range in ranged.items() if has_range]
        if self.split ** len(names) <= MOST_PARTS:
            return self.split
        chosen = self.source.sample(names, min(len(names), 2))
        return {name if ranged["n/v[0]"] and ranged["n/v[1]"] else name.partition("[")[0]: self.split for name in chosen}

    def ranges(self) -> cogir.analyze.OutputRanges:
        """The ranges of the outputs."""
        low, high = ([getattr(box, end) for box in self.boxes] for end in ("low", "high"))
        parameters = {"n/a": (self.a.low, self.a.high), "n/k": (self.k.low, self.k.high)}
        return cogir.analyze.ranges(self.model, parameters, {"n": (low, high)}, trials=self.trials, split=self.parts)


def outside_exactly(port: cogir.analyze.PortRange, held: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """True for each whole number outside of its range, compared without rounding."""
    whole = held.astype(object)
    return (whole < np.vectorize(int, otypes=[object])(port.low)) | (whole > np.vectorize(int, otypes=[object])(port.high))


def check_split(seed: int, values: int) -> Checked:
    """Runs of a random model with so many values; raises `Outside` for one that no range holds."""
    case = SplitCase(seed)
    found = case.ranges()
    compiled = case.model.compile(out_of_range="ignore")
    trials = case.trials if case.trials is not None and case.stateful else max(values // (2 * SAMPLES), 1)
    samples, done = [box.samples(case.source) for box in (case.a, case.k)], 0
    given = [box.samples(case.source) for box in case.boxes]
    while done < values:
        compiled.reset()
        compiled.params["n/a"], compiled.params["n/k"] = (next(each) for each in samples)
        inputs = np.array([[next(each) for each in given] for _ in range(trials)])
        result = compiled.run({"n": inputs}, num_trials=trials)
        for path, port in found.items():
            held = np.asarray(result[path])
            outside = outside_exactly(port, held) if held.dtype.kind == "i" else ~port.holds(held)
            if outside.any():
                trial = int(np.argwhere(outside)[0][0])
                where = f"a={compiled.params['n/a']}, k={compiled.params['n/k']}, inputs {inputs[: trial + 1][-3:].tolist()}"
                raise Outside(f"{path} is {held[trial]} with {where}, found {port}; split={case.split}\n{case.text}")
            done += held.size
    return Checked(done, done)
