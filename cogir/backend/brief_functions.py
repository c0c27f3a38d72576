"""
Functions over which LLVM runs one round of its passes, in a module of their own.

The functions that products of matrices share are written as registers and caches want them. LLVM's full passes gain no more in them than
one round does, and would take a quarter of the time in which a model with products is compiled:

```
define internal void @cogir_blocks(ptr ...) nounwind noinline "cog.brief" { ... }
```

becomes a declaration in one module, and a definition in another one, which is linked to it after both have been optimised.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from cogir.analysis.signatures import BRIEF
from cogir.errors import BackendError

_DEFINED = re.compile(rf'^define internal (?P<head>.*@(?P<name>[\w.]+)\(.*"{BRIEF}".*) \{{\n(?:.*\n)*?\}}\n', re.MULTILINE)
_CALLED = re.compile(r"@([\w.]+)")
_KEPT = ("declare ", "!")
"""The beginnings of lines of a module that both parts need: declarations and metadata."""


@dataclass(frozen=True)
class Split:
    """A module without the functions that are marked, and one of these alone."""

    rest: str
    brief: str
    names: frozenset[str]


def split(ir: str) -> Split:
    """The two parts of a module. Functions that are marked call each other and LLVM's intrinsics, and nothing else."""
    found = list(_DEFINED.finditer(ir))
    if not found:
        return Split(ir, "", frozenset())
    names = frozenset(each["name"] for each in found)
    for each in found:
        if others := {name for name in _CALLED.findall(each[0]) if not name.startswith("llvm.")} - names:
            raise BackendError(f"jit: @{each['name']} is marked {BRIEF} and calls @{min(others)}, which is not; mark both or neither")
    shared = [line for line in ir.splitlines() if line.startswith(_KEPT)]
    definitions = [each[0].replace("define internal ", "define ", 1) for each in found]
    rest = _DEFINED.sub(lambda each: f"declare {each['head']}\n", ir)
    return Split(rest, "\n".join([*shared, *definitions]), names)
