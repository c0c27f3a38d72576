"""
Explanations: what was not done for a compiled model, and why, as compilers' remarks say it.

    print(compiled.explain())
    # mode: run: whole runs as native code
    # replicates and sweeps: in 48 lanes
    # threads: 2, as far as the work pays for starting them
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cogir.errors import counted, matrix_in_words
from cogir.limits import LARGEST_LEARNING_BLOCK, LEARNING_BLOCK
from cogir.runtime.results import Searched
from cogir.runtime.threads import ASKED, MOST_THREADS, asked_threads, available_threads, granted_by_control_group, is_worker
from cogir.zero_gradients import REMEDY, ZeroGradient, named_in_vain, zero_by

MODES = {
    "run": "whole runs as native code",
    "exec": "native code, called for one trial at a time",
    "per_node": "the function of each node as native code, the schedule in Python",
    "python": "interpreted",
}


@dataclass(frozen=True)
class Remark:
    """One sentence about a part of the work."""

    about: str
    text: str

    def __str__(self) -> str:
        return f"{self.about}: {self.text}"


class Remarks(Sequence[Remark]):
    """Remarks in order; `print` shows a line for each, and `explanation["threads"]` gives the texts about one part."""

    def __init__(self, remarks: Sequence[Remark]):
        self.remarks = tuple(remarks)

    def __getitem__(self, key: object) -> object:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The remark of a number, or the texts of all remarks about a part."""
        if isinstance(key, str):
            return [remark.text for remark in self.remarks if remark.about == key]
        return self.remarks[key]  # pyright: ignore[reportArgumentType, reportCallIssue, reportUnknownVariableType]

    def __iter__(self) -> Iterator[Remark]:
        return iter(self.remarks)

    def __contains__(self, key: object) -> bool:
        """True for a remark, and for a part that remarks are about."""
        return any(key in (remark, remark.about) for remark in self.remarks)

    def __len__(self) -> int:
        return len(self.remarks)

    def __str__(self) -> str:
        return "\n".join(map(str, self.remarks))

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        from html import escape

        rows = "".join(f"<tr><td>{escape(remark.about)}</td><td>{escape(remark.text)}</td></tr>" for remark in self.remarks)
        return f"<table>{rows}</table>"


@dataclass(frozen=True)
class Facts:
    """Facts about the code of a model."""

    obstacle: str
    """Why replicates do not go into lanes; empty if they do."""
    lanes: int
    searches: Sequence[tuple[str, str, int]]
    """The controllers that search, by path, with the rule for ties and the number of points."""
    parallel: int
    """The number of searches that can be divided among threads."""
    one_by_one: str
    """Why trials are not computed in blocks; empty if they are."""
    block: int
    """The trials of a block."""
    exhaustive: Mapping[str, str] = field(default_factory=dict[str, str])
    """Why searches evaluate all points, by their controllers; the others drop boxes of points."""
    slow_lanes: str = ""
    """The reasons that keep LLVM from vectorising the loop over lanes; empty if nothing does."""


@dataclass(frozen=True)
class LearningFacts:
    """Facts about how a model learns."""

    learned: Sequence[str] = ()
    """The matrices that are learned, by path."""
    unlearned: Sequence[tuple[str, str]] = ()
    """Matrices that stay as they are, with the reason."""
    zeros: Sequence[ZeroGradient] = ()
    """Matrices that stay as they are where initial values are zero."""
    named: Sequence[str] = ()
    """The matrices that the model names to be learned."""
    carried: Sequence[str] = ()
    """The values that trials of a run take from the trial before, and those of `learn` do not."""
    one_by_one: str = ""
    """Why trials are not computed in blocks; empty if they are, in large enough batches."""
    refused: str = ""
    """Why the model cannot learn."""


def about_learning(facts: LearningFacts, value_of: Callable[[str], Any]) -> Iterator[Remark]:
    """The remarks on learning; `value_of` gives the parameters."""
    zero = zero_by(facts.zeros, value_of)
    refused = facts.refused or next((named_in_vain(path, reason, REMEDY) for path, reason in zero if path in facts.named), "")
    if refused:
        yield Remark("learning", f"not possible: {refused}")
        return
    unlearned = [*zero, *facts.unlearned]
    left_out = {path for path, _ in unlearned}
    names = [matrix_in_words(path) for path in facts.learned if path not in left_out]
    yield Remark("learning", f"learns the {'matrix' if len(names) == 1 else 'matrices'} of {', '.join(names) or 'no projection'}")
    for path, reason in unlearned:
        yield Remark("learning", f"leaves the matrix of {matrix_in_words(path)} as it is: {reason}")
    if facts.carried:
        yield Remark("learning", about_carried(facts.carried))
    if facts.one_by_one:
        yield Remark("learning", f"trials one after the other: {facts.one_by_one}")
    else:
        yield Remark("learning", f"trials in blocks of up to {LARGEST_LEARNING_BLOCK}, in batches of {LEARNING_BLOCK // 2} and more")


MOST_NAMES = 4
"""The most values that a message names."""


def about_carried(paths: Sequence[str]) -> str:
    """The values that trials take from each other in runs but not while the model learns."""
    names = ", ".join(f'"{path.replace("port:", "").replace("state:", "")}"' for path in paths[:MOST_NAMES])
    more = f" and {len(paths) - MOST_NAMES} more" if len(paths) > MOST_NAMES else ""
    return (
        f"each trial starts from the initial state, but a trial of `run` goes on with {names}{more} of the trial before, so its outputs "
        'differ; reset them in each trial, or see the page "Recurrent networks" (docs/recurrent.md)'
    )


def about_lanes(facts: Facts) -> Remark:
    """The remark on SIMD lanes."""
    text = f"not in lanes: {facts.obstacle}" if facts.obstacle else f"in {facts.lanes} lanes"
    if facts.obstacle and not facts.one_by_one:
        text += f"; the trials of all replicates in blocks of {facts.block}"
    if facts.slow_lanes:
        text += f", one after the other in each step unless LLVM unrolls this: {facts.slow_lanes}"
    return Remark("replicates and sweeps", text)


def about_trials(facts: Facts) -> Remark:
    """The remark on blocks of trials."""
    text = f"one after the other: {facts.one_by_one}" if facts.one_by_one else f"in blocks of {facts.block}"
    return Remark("trials", text)


def about_points(name: str, ties: str, points: int, facts: Facts, searched: Searched) -> str:
    """The points that a search evaluates, the reason, and what it did in the last run."""
    reason = "ties are drawn at random" if ties == "random" else facts.exhaustive.get(name, "")
    if reason:
        return f"evaluates all {counted(points, 'point')}: {reason}"
    text = f"drops boxes of its {points:,} points that cannot hold the optimum"
    if count := searched.finished + searched.given_up:
        share = (searched.boxes + searched.points) / (count * points)
        text += (
            f"; in the last run {count:,} search{'es' * (count != 1)} bounded {searched.boxes:,} boxes and evaluated "
            f"{counted(searched.points, 'point')} ({share:.2g} of all)"
        )
    if searched.given_up:
        text += f"; {searched.given_up:,} of them then evaluated every point, because too few could be dropped"
    return text


def about_searches(facts: Facts, searched: Searched) -> Iterator[Remark]:
    """The remarks on searches: the points that they evaluate, and their threads."""
    for name, ties, points in facts.searches:
        yield Remark(f"search {name}", about_points(name, ties, points, facts, searched))
        if ties == "random":
            yield Remark(f"search {name}", "one thread: ties are drawn at random, one after the other")
        elif facts.parallel:
            yield Remark(f"search {name}", "divided among threads")
        else:
            yield Remark(f"search {name}", "one thread: it takes less than starting threads, or its first signal has fewer than 8 levels")


def about_threads(asked: int | None) -> Remark:
    """The remark on the threads that a call uses now; `asked`: by the user."""
    if asked is not None:
        return Remark("threads", f"{asked}, as compile(threads=...) or an executor says")
    count = available_threads()
    if is_worker():
        why = "one: this process is a worker of a pool, of Dask or of xdist"
    elif threading.current_thread() is not threading.main_thread():
        why = "one: this is not the main thread"
    elif count == asked_threads() and asked_threads() < MOST_THREADS:
        why = f"{count}, by the environment variable {ASKED}"
    elif count == granted_by_control_group() and count < (os.cpu_count() or 1):
        why = f"{count}, by the quota of the control group"
    else:
        why = f"{count}, as many as the process may use"
    return Remark("threads", why + (", as far as the work pays for starting them" if count > 1 else ""))


def duration(seconds: float) -> str:
    """A time in words."""
    for unit, size in (("days", 86400.0), ("hours", 3600.0), ("minutes", 60.0)):
        if seconds >= 2 * size:
            return f"{seconds / size:.1f} {unit}"
    return f"{seconds:.1f} seconds" if seconds >= 0.1 else f"{1000 * seconds:.1f} milliseconds"


def amount(count: float) -> str:
    """An amount of memory in words."""
    for unit, size in (("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10)):
        if count >= size:
            return f"{count / size:.1f} {unit}"
    return f"{count:.0f} bytes"
