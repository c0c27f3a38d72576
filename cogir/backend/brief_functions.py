"""
Functions that LLVM optimises once over, in a module of their own.

The functions that products of matrices share are written with their loops and registers laid out. LLVM's full passes find no more in them
than one round does, and would take a quarter of the time that a model with products is compiled in:

```
define internal void @cogir_blocks(ptr ...) nounwind noinline "cog.brief" { ... }
```

becomes a declaration in one module, and a definition in another one, which is linked to it when both are optimised.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from cogir.analysis.signatures import BRIEF

_DEFINED = re.compile(rf'^define internal (?P<head>.*@(?P<name>[\w.]+)\(.*"{BRIEF}".*) \{{\n(?:.*\n)*?\}}\n', re.MULTILINE)
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
    shared = [line for line in ir.splitlines() if line.startswith(_KEPT)]
    definitions = [each[0].replace("define internal ", "define ", 1) for each in found]
    rest = _DEFINED.sub(lambda each: f"declare {each['head']}\n", ir)
    return Split(rest, "\n".join([*shared, *definitions]), frozenset(each["name"] for each in found))
