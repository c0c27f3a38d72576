"""
Versions of a model's code with the values of its parameters folded in, beside the generic code.

    compiled.specialise()                  # compiles a version for the values now in force
    compiled.run(...)                      # takes it, as long as these values hold
    compiled.params["decision/rate"] = 2.0
    compiled.run(...)                      # the generic code: nothing waits for a compiler

A version is right for a context whose parameters are, bit for bit, those that were folded in; whether they are is looked at when a run
begins, which takes less time than to use each of them once.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from cogir.callers import methods_end_at_caller
from cogir.runtime.context import NativeContext
from cogir.runtime.entry import NativeEntry
from cogir.runtime.plan import Plan

PARAMETER_BUFFERS = ("pf", "pi")


@dataclass(frozen=True)
class Folded:
    """The values that are folded into code: those of the parameter buffers but for the slots in `keep`."""

    pf: bytes
    pi: bytes
    keep: tuple[str, ...] = ()
    only_results: bool = False
    """True if the code leaves out what no result depends on."""

    @property
    def digest(self) -> str:
        """A short text that differs for other values."""
        parts = (self.pf, self.pi, b"only results" if self.only_results else b"", *(path.encode() for path in self.keep))
        return hashlib.sha256(b"".join(len(part).to_bytes(8, "little") + part for part in parts)).hexdigest()


def folded_from(context: NativeContext, keep: Sequence[str], only_results: bool) -> Folded:
    """The values that a context has now; those of `keep`, which do not matter, as zeros."""
    buffers = {buffer: getattr(context, buffer).copy() for buffer in PARAMETER_BUFFERS}
    for path in keep:
        slot = context.plan.slots[path]
        buffers[slot.buffer][slot.words] = 0
    return Folded(buffers["pf"].tobytes(), buffers["pi"].tobytes(), tuple(sorted(keep)), only_results)


def fixed_words(plan: Plan, keep: Sequence[str]) -> Iterator[tuple[str, slice]]:
    """The words of the parameter buffers that are not those of `keep`, in pieces."""
    for buffer in PARAMETER_BUFFERS:
        is_fixed = np.ones(plan.size(buffer) + 2, np.bool_)
        is_fixed[[0, -1]] = False
        for slot in (plan.slots[path] for path in keep):
            if slot.buffer == buffer:
                is_fixed[1:-1][slot.words] = False
        edges = np.flatnonzero(np.diff(is_fixed.astype(np.int8))).tolist()
        yield from ((buffer, slice(start, stop)) for start, stop in zip(edges[::2], edges[1::2], strict=True))


@methods_end_at_caller
@dataclass
class Version:
    """Code that is right where parameters have certain values; `runs` counts how often it was taken."""

    folded: Folded
    entry: NativeEntry
    fixed: list[tuple[str, slice, bytes]]
    forgotten: frozenset[str] = frozenset()
    """The part of the state that it does not keep up to date."""
    runs: int = field(default=0, compare=False)

    @staticmethod
    def of(folded: Folded, plan: Plan, entry: NativeEntry) -> Version:
        """The version for some values of the parameters that its plan places."""
        buffers = {"pf": np.frombuffer(folded.pf, np.float64), "pi": np.frombuffer(folded.pi, np.int64)}
        fixed = [(buffer, words, buffers[buffer][words].tobytes()) for buffer, words in fixed_words(plan, folded.keep)]
        return Version(folded, entry, fixed, frozenset(plan.forgotten))

    def fits(self, context: NativeContext) -> bool:
        """True if a context has the values that were folded in, to the bit."""
        return all(getattr(context, buffer)[words].tobytes() == held for buffer, words, held in self.fixed)

    def __repr__(self) -> str:
        read = f", which reads {', '.join(self.folded.keep)}" if self.folded.keep else ""
        read += ", for results only" if self.folded.only_results else ""
        return f"<specialised version {self.folded.digest[:8]}{read}; taken by {self.runs} run{'s' * (self.runs != 1)}>"


class Versions:
    """The specialised versions of one model, and the choice among them."""

    def __init__(self) -> None:
        self.held: list[Version] = []

    def add(self, version: Version) -> None:
        """One more."""
        self.held.append(version)

    def fitting(self, context: NativeContext) -> Version | None:
        """The version for the values that a context has now, if there is one; where several fit, the one with least work."""
        fitting = [version for version in self.held if version.fits(context)]
        return min(fitting, key=lambda version: (len(version.folded.keep), not version.folded.only_results), default=None)
