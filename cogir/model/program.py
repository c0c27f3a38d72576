"""
The program of a trial where it is known at compile time: one, or several among which counts choose as the trial begins.

```mlir
cog.program {                                    // Choice(Counted(("clock:trial:run",), "==", 2),
  cog.choose ["clock:trial:run"] == 2 {          //   StaticProgram((("a",), ("b",))),
    cog.step [@a]                                //   StaticProgram((("a",),)))
    cog.step [@b]
  } else {
    cog.step [@a]
  }
}
```
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from cogir.dialects.cog.attributes import Comparison


@dataclass(frozen=True)
class Counted:
    """
    Compares the sum of the counters at these paths of the state with n; with `modulus`, the remainder of the sum. It is the
    part of a condition that is not known before a trial begins.
    """

    counters: tuple[str, ...]
    relation: Comparison
    n: int
    modulus: int | None = None


@dataclass(frozen=True)
class StaticProgram:
    """The sets of nodes that run in a trial, in order (time steps in which nothing runs are left out, unless something counts them)."""

    steps: tuple[tuple[str, ...], ...]
    advances: tuple[tuple[str, int], ...] = ()
    """The counters that advance beside calls and time steps: paths and amounts."""


@dataclass(frozen=True)
class Choice:
    """The program of trials that begin with counts of which `question` holds, and that of all others."""

    question: Counted
    yes: Program
    no: Program


Program: TypeAlias = StaticProgram | Choice


def programs_in(program: Program) -> Iterator[StaticProgram]:
    """The programs among which counts choose, those that are equal as often as they occur."""
    if isinstance(program, Choice):
        yield from programs_in(program.yes)
        yield from programs_in(program.no)
    else:
        yield program
