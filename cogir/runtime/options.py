"""
The input of compilation: a model as a source of `cog` modules, and the options that change its code.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cogir.errors import FunctionError
from cogir.runtime.flags import FLAGS
from cogir.runtime.origin import PortNotes
from cogir.runtime.plan import Numbers
from cogir.runtime.python_functions import PythonFunction
from cogir.runtime.versions import Folded
from cogir.streams import VERSION

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp


@dataclass(frozen=True)
class Source:
    """
    The model that is compiled: `build` gives its `cog` module, new each time; `fingerprint` what the module depends on, as a short
    text that is found without building it, or None if that cannot be told: then the code is not kept.
    """

    name: str
    build: Callable[[], ModuleOp]
    fingerprint: Callable[[], str | None]
    structure: Callable[[], str | None] | None = None
    """As `fingerprint`, but without the numbers that `numbers` gives."""
    numbers: Callable[[], Numbers] | None = None
    python: Mapping[str, PythonFunction] = field(default_factory=dict[str, PythonFunction])
    """The functions of nodes that stay Python, by symbol; there once `build` was called."""
    refusal: Callable[[], FunctionError | None] = lambda: None
    """Why there is no machine code, if that is known before `build` is called."""
    notes: Callable[[], PortNotes] = PortNotes
    """The labels and units of outputs, on which the code does not depend; neither does a fingerprint."""

    def must_compile(self) -> None:
        """Raises `FunctionError` if it is known that there is no machine code."""
        if (refusal := self.refusal()) is not None:
            raise refusal


@dataclass(frozen=True)
class Options:
    """The options that change the code of a model."""

    target: str = "cpu"
    math: str = "portable"
    cache: bool = True
    without: tuple[str, ...] = ()
    """The optimisations that are left out (`cogir.lowering.pipeline.OPTIMISATIONS`)."""
    entry: str = "run"
    """The function that is called: "run", "replicates", "sweep" or "learn"."""
    varying: tuple[str, ...] = ()
    """The paths of the parameters that vary in a sweep."""
    block: int = 0
    """The trials of a batch that are computed at a time in learning; 0 for the number that does for every batch of 32 or more."""
    common: bool = False
    """True if all points of a sweep have the same random numbers."""
    folded: Folded | None = None
    """The values of parameters that are folded into the code, if any are."""
    logged: tuple[str, ...] = ()
    """The paths of ports and states whose values are kept after each execution of their nodes."""
    log_room: int = 1024
    """For how many executions of a node."""
    recorded: tuple[str, ...] = ()
    """The paths of controllers of which it is kept what each simulation has given."""
    record_room: int = 2**16
    """For how many words of what a controller has simulated; there is room for one search at least."""
    flags: tuple[str, ...] = FLAGS
    """The kinds of flags that trials count."""
    traced: bool = True
    """False leaves out what the model records inside of trials."""
    prune_search: bool = False
    """True if boxes of points are searched in every search where that can be done, and to the end."""
    checked: bool = False
    """True if runs stop at the first index out of range, integer division by zero, or NaN made from numbers."""
    contract: str = "strict"
    """"fast" if a product and a sum may become one operation, with one rounding."""

    @property
    def has_kernels(self) -> bool:
        """True if searches or replicates run on a GPU, or on this processor in its place."""
        return self.target != "cpu"

    @property
    def key(self) -> tuple[str, ...]:
        """The options on which the code depends, for the key of the cache, and what the C library's `log` is, of which it has a copy."""
        from cogir.library.numerics.c_library import variant  # only who has something compiled looks at it

        folded = () if self.folded is None else (self.folded.digest,)
        logged = (str(self.log_room), *self.logged) if self.logged else ()
        flags = ",".join(self.flags)
        return (
            self.target,
            self.math,
            ",".join(sorted(set(self.without))),
            self.entry,
            flags,
            f"streams {VERSION}",
            f"log {variant('log')}",
            *(("common",) if self.common else ()),
            *((f"block {self.block}",) if self.block else ()),
            *(("varying", *self.varying) if self.varying else ()),
            *folded,
            *logged,
            *(("checked",) if self.checked else ()),
            *((f"contract {self.contract}",) if self.contract != "strict" else ()),
            *(("prune search",) if self.prune_search else ()),
            *(() if self.traced else ("not traced",)),
            *(("recorded", str(self.record_room), *self.recorded) if self.recorded else ()),
        )
