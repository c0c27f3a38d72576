"""
Measures the error of the portable math functions against mpmath, and writes the table into docs/numbers.md.

    python benchmarks/measure_ulp.py [--points 20000] [--write]

For each function and range: the largest error found, in units in the last place of the exact result (a correctly rounded function has
0.5), where it was found, and how many results are the correctly rounded ones.
"""

from __future__ import annotations

import argparse
import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import mpmath

from cogir.library.numerics.math import FUNCTIONS, SOURCES
from cogir.library.random.xoshiro import cos_sin_of_turns

Point = tuple[float, ...]
Range = tuple[str, Callable[[random.Random], Point]]

DOCUMENT = Path(__file__).parent.parent / "docs" / "numbers.md"
BEGIN, END = "<!-- begin: measure_ulp -->", "<!-- end: measure_ulp -->"


def uniform(low: float, high: float) -> Range:
    return f"[{low:g}, {high:g}]", lambda source: (source.uniform(low, high),)


def magnitude(low: float, high: float, signed: bool = True) -> Range:
    def draw(source: random.Random) -> Point:
        value = 2.0 ** source.uniform(math.log2(low), math.log2(high))
        return (-value if signed and source.random() < 0.5 else value,)

    return f"{'±' if signed else ''}[{low:g}, {high:g}] log", draw


def pairs(first: Range, second: Range) -> Range:
    return f"{first[0]} × {second[0]}", lambda source: (*first[1](source), *second[1](source))


TINY, HUGE = 5e-324, 1.797e308
POSITIVE = (uniform(0.5, 2.0), magnitude(TINY, HUGE, signed=False))
CIRCULAR = (uniform(-10.0, 10.0), uniform(-1e8, 1e8), magnitude(1e8, HUGE))
UNIT = (uniform(-1.0, 1.0), magnitude(1e-300, 1.0))
HYPERBOLIC = (uniform(-1.0, 1.0), uniform(-709.0, 709.0), magnitude(1e-300, 1.0))

RANGES: dict[str, Sequence[Range]] = {
    "exp": (uniform(-1.0, 1.0), uniform(-708.0, 709.7), uniform(-745.0, -708.0)),
    "exp2": (uniform(-1.0, 1.0), uniform(-1022.0, 1024.0), uniform(-1074.0, -1022.0)),
    "exp_fast": (uniform(-1.0, 1.0), uniform(-708.0, 709.7), uniform(-745.0, -708.0)),
    "expm1": HYPERBOLIC,
    "log": POSITIVE,
    "log2": POSITIVE,
    "log10": POSITIVE,
    "log1p": (uniform(-0.5, 1.0), magnitude(1e-300, 0.99), magnitude(1.0, HUGE, signed=False)),
    "pow": (
        pairs(uniform(0.1, 10.0), uniform(-10.0, 10.0)),
        pairs(uniform(0.9, 1.1), uniform(-3000.0, 3000.0)),
        pairs(magnitude(1e-300, 1e300, signed=False), uniform(-1.0, 1.0)),
    ),
    "cbrt": (uniform(0.5, 8.0), magnitude(TINY, HUGE)),
    "sinh": HYPERBOLIC,
    "cosh": HYPERBOLIC[:2],
    "tanh": (uniform(-1.0, 1.0), uniform(-20.0, 20.0), magnitude(1e-300, 1.0)),
    "asinh": (uniform(-10.0, 10.0), magnitude(1e-300, HUGE)),
    "acosh": (uniform(1.0, 10.0), magnitude(1.0, HUGE, signed=False)),
    "atanh": UNIT,
    "sin": CIRCULAR,
    "cos": CIRCULAR,
    "tan": CIRCULAR,
    "asin": UNIT,
    "acos": UNIT,
    "atan": (uniform(-10.0, 10.0), magnitude(1e-300, HUGE)),
    "atan2": (pairs(uniform(-1.0, 1.0), uniform(-1.0, 1.0)), pairs(magnitude(1e-300, HUGE), magnitude(1e-300, HUGE))),
    "erf": (uniform(-1.0, 1.0), uniform(-6.0, 6.0)),
    "erfc": (uniform(-6.0, 1.0), uniform(1.0, 26.5)),
    "cos_turns": (uniform(0.0, 1.0),),
}

EXACT: dict[str, Callable[..., mpmath.mpf]] = {
    **{name: getattr(mpmath, name) for name in FUNCTIONS if hasattr(mpmath, name)},
    "exp2": lambda x: mpmath.mpf(2) ** x,
    "exp_fast": mpmath.exp,
    "log2": lambda x: mpmath.log(x) / mpmath.log(2),
    "pow": lambda x, y: x**y,
    "cbrt": lambda x: mpmath.sign(x) * mpmath.cbrt(abs(x)),
    "cos_turns": lambda x: mpmath.cospi(2 * x),
}
MEASURED: dict[str, Callable[..., float]] = {**SOURCES, "cos_turns": lambda turns: cos_sin_of_turns(turns)[0]}


@dataclass
class Figures:
    """The results for one range."""

    worst: float = 0.0
    where: Point = ()
    rounded: int = 0
    count: int = 0


def measure(name: str, draw: Callable[[random.Random], Point], points: int) -> Figures:
    """The errors of a function at random points; results that overflow are left out."""
    function = MEASURED[name]
    source, found = random.Random(name), Figures()
    # 160 bits do, except where sine and cosine have to reduce 1,024-bit integers by pi.
    with mpmath.workprec(1300 if name in ("sin", "cos", "tan") else 160):
        for _ in range(points):
            point = draw(source)
            exact = EXACT[name](*map(mpmath.mpf, point))
            if abs(exact) > HUGE:
                continue
            value, nearest = function(*point), float(exact)
            error = float(abs(mpmath.mpf(value) - exact) / math.ulp(nearest))
            found.count += 1
            found.rounded += value == nearest
            if error > found.worst:
                found.worst, found.where = error, point
    return found


def table(points: int) -> str:
    lines = [f"{points:,} random points for each range.", ""]
    lines += ["| function | range | largest error (ulp) | at | correctly rounded |", "|---|---|---|---|---|"]
    for name, ranges in RANGES.items():
        for label, draw in ranges:
            found = measure(name, draw, points)
            where = ", ".join(map(repr, found.where))
            lines.append(f"| `{name}` | {label} | {found.worst:.3f} | {where} | {found.rounded / found.count:.1%} |")
            print(lines[-1], flush=True)
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the error of the portable math functions in ulp.")
    parser.add_argument("--points", type=int, default=20_000, help="random points for each range")
    parser.add_argument("--write", action="store_true", help="write the table into docs/numbers.md")
    args = parser.parse_args()
    text = table(args.points)
    if args.write:
        before, rest = DOCUMENT.read_text(encoding="utf-8").split(BEGIN)
        after = rest.split(END)[1]
        DOCUMENT.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
