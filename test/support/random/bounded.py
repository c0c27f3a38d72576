"""Random functions of numbers at stage `machine`, whose arguments vary in ranges, and points in these ranges."""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass, field
from random import Random

SPECIAL = (0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 3.0, -2.0, 1e-300, 1e300, -1e300, 5e-324, math.inf, -math.inf, math.nan)
BINARY = ("addf", "subf", "mulf", "divf", "maximumf", "minimumf", "maxnumf", "minnumf")
UNARY = (
    "arith.negf", "math.absf", "math.sqrt", "math.exp", "math.log", "math.tanh", "math.floor", "math.ceil", "math.trunc", "math.sin",
    "math.erf", "math.expm1", "math.log1p", "math.atan", "math.cbrt", "math.acos", "math.asinh", "math.roundeven",
)  # fmt: skip
RELATIONS = ("oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une", "uno")


def literal(value: float) -> str:
    """A float as MLIR reads it."""
    return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"


@dataclass
class RandomFunction:
    """Writes one function of floats."""

    random: Random
    varying: int = 3
    fixed: int = 1
    lines: list[str] = field(default_factory=list[str])
    floats: list[str] = field(default_factory=list[str])
    flags: list[str] = field(default_factory=list[str])
    integers: list[str] = field(default_factory=list[str])

    def name(self) -> str:
        return f"%v{len(self.lines)}"

    def add(self, text: str, kept: list[str]) -> None:
        name = self.name()
        self.lines.append(f"  {name} = {text}")
        kept.append(name)

    def a_float(self) -> str:
        return self.random.choice(self.floats[-5:] if self.random.random() < 0.7 else self.floats)

    def step(self) -> None:
        """One operation."""
        random, a, b = self.random, self.a_float(), self.a_float()
        match random.randrange(17):
            case 0 | 1 | 2 | 3:
                self.add(f"arith.{random.choice(BINARY)} {a}, {b} : f64", self.floats)
            case 4:
                self.add(f"arith.mulf {a}, {a} : f64", self.floats)
            case 5 | 6:
                self.add(f"{random.choice(UNARY)} {a} : f64", self.floats)
            case 7:
                self.add(f"arith.cmpf {random.choice(RELATIONS)}, {a}, {b} : f64", self.flags)
                self.add(f"arith.select {self.flags[-1]}, {a}, {b} : f64", self.floats)
            case 8 if self.flags:
                self.add(f"arith.select {random.choice(self.flags)}, {a}, {b} : f64", self.floats)
            case 9 if len(self.flags) > 1:
                one, two = random.choices(self.flags, k=2)
                self.add(f"arith.{random.choice(('andi', 'ori', 'xori'))} {one}, {two} : i1", self.flags)
            case 10:
                self.add(f"math.fma {a}, {b}, {self.a_float()} : f64", self.floats)
            case 11:  # a share
                self.add(f"math.absf {a} : f64", self.floats)
                self.add(f"math.absf {b} : f64", self.floats)
                one, two = self.floats[-2:]
                self.add(f"arith.addf {one}, {two} : f64", self.floats)
                self.add(f"arith.divf {random.choice((one, two))}, {self.floats[-1]} : f64", self.floats)
            case 12:  # a component of a normalised vector
                self.add(f"arith.mulf {a}, {a} : f64", self.floats)
                self.add(f"arith.mulf {b}, {b} : f64", self.floats)
                self.add(f"arith.addf {self.floats[-2]}, {self.floats[-1]} : f64", self.floats)
                self.add(f"math.sqrt {self.floats[-1]} : f64", self.floats)
                self.add(f"arith.divf {random.choice((a, b))}, {self.floats[-1]} : f64", self.floats)
            case 13:
                flag = random.choice(self.flags) if self.flags else None
                if flag:
                    self.add(f"arith.extui {flag} : i1 to i64", self.integers)
            case 14 if len(self.integers) > 1:
                one, two = random.choices(self.integers, k=2)
                self.add(f"arith.{random.choice(('addi', 'subi', 'muli'))} {one}, {two} : i64", self.integers)
                relation = random.choice(("eq", "ne", "slt", "sle", "sgt", "sge"))
                self.add(f"arith.cmpi {relation}, {self.integers[-1]}, {two} : i64", self.flags)
            case 15 if self.integers:
                self.add(f"arith.sitofp {random.choice(self.integers)} : i64 to f64", self.floats)
            case 16 if self.flags:
                self.control(a, b)
            case _:
                self.add(f"arith.constant {literal(random.choice((*SPECIAL, random.gauss(0.0, 2.0))))} : f64", self.floats)

    def control(self, a: str, b: str) -> None:
        """A branch, or a loop."""
        random, name, other = self.random, self.name(), random_operation(self.random)
        if random.random() < 0.6:
            flag = random.choice(self.flags)
            self.lines.append(
                f"  {name} = scf.if {flag} -> (f64) {{\n    {name}_y = {other} {a}, {b} : f64\n    scf.yield {name}_y : f64\n"
                f"  }} else {{\n    {name}_n = arith.addf {a}, {b} : f64\n    scf.yield {name}_n : f64\n  }}"
            )
        else:
            self.lines.append(
                f"  {name} = scf.for %i{name[1:]} = %c0 to %c3 step %c1 iter_args({name}_x = {a}) -> (f64) {{\n"
                f"    {name}_y = {other} {name}_x, {b} : f64\n    scf.yield {name}_y : f64\n  }}"
            )
        self.floats.append(name)

    def text(self, steps: int) -> str:
        """The function @point."""
        arguments = [f"%x{number}" for number in range(self.varying + self.fixed)]
        self.floats += arguments
        while len(self.lines) < steps:
            self.step()
        constants = "\n".join(f"  %c{number} = arith.constant {number} : index" for number in (0, 1, 3))
        given = ", ".join(f"{argument}: f64" for argument in arguments)
        body = "\n".join(self.lines)
        return f"func.func private @point({given}) -> f64 {{\n{constants}\n{body}\n  func.return {self.floats[-1]} : f64\n}}\n"


def random_operation(random: Random) -> str:
    return f"arith.{random.choice(('addf', 'subf', 'mulf', 'maximumf'))}"


def random_range(random: Random) -> tuple[float, float, bool]:
    """The ends of a range, and whether NaN belongs to it; sometimes nothing else does, and the ends have no order."""
    if random.random() < 0.05:
        return math.inf, -math.inf, True
    nan = random.random() < 0.15
    ends = [random.choice(SPECIAL[:-1]) if random.random() < 0.3 else random.gauss(0.0, 3.0) for _ in range(2)]
    if random.random() < 0.4:
        ends[1] = ends[0] + abs(random.gauss(0.0, 0.1)) if math.isfinite(ends[0]) else ends[0]
    return min(ends), max(ends), nan


def random_point(random: Random, low: float, high: float, nan: bool) -> float:
    """A number in a range."""
    if low > high or (nan and random.random() < 0.2):
        return math.nan
    chance = random.random()
    if chance < 0.4 or low == high:
        return random.choice((low, high))
    inside = [value for value in SPECIAL[:-1] if low <= value <= high]
    if chance < 0.5 and inside:
        return random.choice(inside)
    left, right = max(low, -1e308), min(high, 1e308)
    return min(max(left + (right - left) * random.random(), low), high) if math.isfinite(right - left) else random.choice((low, high, 0.0))
