"""
Takes a module apart into what runs on a GPU and what runs on the host.

Before: stage `machine`, after `outline-gpu`: functions that kernels stand for (`cog.kernel`) beside those of the host.
After:  with `keep=device` the functions that are kernels, and what they call; with `keep=host` the rest and what that calls, without
        the mark, so that a host without a GPU computes a search itself.

In a module for replicates all but the initial state belongs to the kernel.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.passes import ModulePass

from cogir.analysis.signatures import KERNEL, called_functions
from cogir.errors import LoweringError
from cogir.transforms.fill_lanes import BEGIN, END, ITERATE
from cogir.transforms.replicate import STREAMS, has_points

SIDES = ("device", "host")
OF_REPLICATES = ("trial", BEGIN, ITERATE, END)
"""The functions of a module for replicates that its kernel calls, if they are there."""
INIT = "init"


@dataclass(frozen=True)
class SeparateDevice(ModulePass):
    """Keeps the functions of a GPU, or those of the host."""

    name = "separate-device"

    keep: str = "device"
    """The functions to keep: those of the GPU ("device"), or those of the host ("host")."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.keep not in SIDES:
            raise LoweringError(f"separate-device: keep is {self.keep!r}; choose one of {', '.join(SIDES)}")
        functions = {each.sym_name.data: each for each in op.ops if isinstance(each, func.FuncOp)}
        kernels = [name for name, function in functions.items() if KERNEL in function.attributes]
        if self.keep == "device":
            roots = kernels_and_helpers(functions, kernels)
        else:
            roots = [name for name, function in functions.items() if function.sym_visibility != StringAttr("private")]
            for name in kernels:
                del functions[name].attributes[KERNEL]
        kept = reachable(functions, roots)
        for name, function in functions.items():
            if name not in kept:
                op.body.block.erase_op(function, safe_erase=False)


def kernels_and_helpers(functions: Mapping[str, func.FuncOp], kernels: Iterable[str]) -> list[str]:
    """The functions that stand for kernels; of replicates, also those that the kernel will call."""
    found = [*kernels]
    if STREAMS in found:
        found += [name for name in OF_REPLICATES if name in functions]
        if has_points(functions[STREAMS]):
            found.append(INIT)  # a replicate may begin where the model does with the parameters of its point
    return found


def reachable(functions: Mapping[str, func.FuncOp], roots: Iterable[str]) -> set[str]:
    """The functions that some call, directly or through others, and themselves."""
    found: set[str] = set()
    waiting = [*roots]
    while waiting:
        name = waiting.pop()
        if name in functions and name not in found:
            found.add(name)
            waiting += called_functions(functions[name])
    return found
