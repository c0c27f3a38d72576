"""
Messages about flags and their columns (`interpreters/flags.py`), the numbers of events in trials that their outputs do not show.

    r = compiled.run({"stimulus": [[0.3]]}, num_trials=1000)    # UnfinishedWarning: node "decision": 35.2 % of 1,000 trials ...
    r.unfinished["decision"]                                    # True for the trials that were cut off
    r.unfinished["control/decision"]                            # how many executions were, in the simulations of a search

    r.out_of_range["decision/noise"]                            # True for the trials in which a modulation led outside of the range

`compile(unfinished=..., out_of_range=...)` says whether there is a warning, an error, or neither.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from cogir.callers import stacklevel
from cogir.errors import ExecutionError, counted
from cogir.interpreters.flags import COUNT, FLAG, OUTSIDE, UNFINISHED
from cogir.ranges import Between
from cogir.runtime.words import decoded

if TYPE_CHECKING:
    from cogir.runtime.plan import Floats, Plan

FLAGS = (UNFINISHED, OUTSIDE)
"""The kinds of flags that runs keep."""

FLAG_KINDS = {UNFINISHED: "unfinished:", OUTSIDE: "out_of_range:"}
"""The beginnings of the names of flags beside the outputs of a result, by kind."""

REACTIONS = ("warn", "error", "ignore")
"""The reactions to flags that were raised."""


class UnfinishedWarning(UserWarning):
    """Executions of a node were cut off by `max_executions_before_finished` before it had finished."""


class OutOfRangeWarning(UserWarning):
    """A parameter was modulated out of the range that its function declares."""


@dataclass(frozen=True)
class Flag:
    """A column of flags: whose they are, of what kind, with what detail, and whether the simulations of searches raised them."""

    path: str
    owner: str
    kind: str
    detail: str
    simulated: bool

    @staticmethod
    @lru_cache(1024)
    def at(path: str) -> Flag:
        """The flag of that path."""
        owner, _, name = path.rpartition("/")
        simulated = name.startswith(COUNT)
        kind, _, detail = name.removeprefix(COUNT if simulated else FLAG).partition(":")
        return Flag(path, owner, kind, detail, simulated)

    @property
    def key(self) -> str:
        """The key by which results know it: its owner, and the parameter that its detail names."""
        return f"{self.owner}/{self.detail}" if self.detail else self.owner

    def target(self, plan: Plan) -> str:
        """The path of the node: without the controllers that stand in the path of a simulated one."""
        path = ""
        for name in self.owner.split("/"):
            longer = f"{path}/{name}" if path else name
            path = path if longer in plan.controllers else longer
        return path

    def counts(self, plan: Plan, rows: Floats) -> npt.NDArray[np.int64]:
        """The number of times that it was raised in each trial."""
        slot = plan.slots[f"out:{self.path}"]
        return decoded(rows[:, slot.words], slot)[:, 0]


def was_or_were(count: int) -> str:
    """The verb for so many things."""
    return "was" if count == 1 else "were"


@dataclass(frozen=True)
class FlagCount:
    """The number of trials in which a flag was raised, and of times."""

    trials: int
    times: int


def tally(plan: Plan, rows: Floats) -> dict[str, FlagCount]:
    """The counts of each flag in the trials of some rows, by path."""
    found: dict[str, FlagCount] = {}
    for flag in map(Flag.at, plan.flags):
        counts = flag.counts(plan, rows)
        times = int(counts.sum())
        found[flag.path] = FlagCount(int(np.count_nonzero(counts)) if times else 0, times)
    return found


@dataclass(frozen=True)
class Raised:
    """A flag that was raised in some trials of a run, and what a message may say of it."""

    flag: Flag
    trials: int
    """The number of trials in which it was raised."""
    times: int
    """The number of times that it was raised."""
    of: int
    """The number of trials."""
    params: Mapping[Any, Any]
    place: str
    """The source location of the node, in brackets after a space; empty if it is not known."""
    held: Between | None
    """The range of the parameter that the detail of the flag names."""

    @property
    def share(self) -> str:
        """The trials in which it was raised: `35.2 % of 1,000 trials were`, or `2 of 3 trials were`."""
        if self.of < 20 or 1000 * self.trials < self.of:
            few = f"{self.trials:,} of {counted(self.of, 'trial')}"
            return f"{few} {was_or_were(self.trials)}"
        return f"{100 * self.trials / self.of:.1f} % of {self.of:,} trials were"


@dataclass(frozen=True)
class Kind:
    """A kind of flag that users are told of: the category of the warning, and its text."""

    category: type[UserWarning]
    text: Callable[[Raised], str]


def unfinished_text(raised: Raised) -> str:
    """The message about executions that were cut off."""
    owner = raised.flag.owner
    remedy = f'raise max_executions_before_finished, or make it finish sooner; result.unfinished["{owner}"] says '
    if raised.flag.simulated:
        cut_off = f"{raised.times:,} execution{'s' * (raised.times != 1)} in the simulations of controllers {was_or_were(raised.times)}"
        return f'node "{owner}": {cut_off} cut off before finishing{raised.place}; {remedy}how many in each trial'
    limit = raised.params[f"{owner}/limit:executions"]
    return (
        f'node "{owner}": {raised.share} cut off after {limit:,} execution{"s" * (limit != 1)} before finishing{raised.place}; '
        f"{remedy}which"
    )


def outside_text(raised: Raised) -> str:
    """The message about modulations that led outside of a range."""
    flag, times = raised.flag, f"{raised.times:,} time{'s' * (raised.times != 1)}"
    must = f"outside of its range{raised.place}{f': it must be {raised.held}' if raised.held else ''}; change what modulates it"
    says = f'result.out_of_range["{flag.key}"] says '
    if flag.simulated:
        where = f"{times} in the simulations of controllers"
        return f'node "{flag.owner}": parameter "{flag.detail}" was modulated {where} {must}; {says}how often'
    share = raised.share.removesuffix(" were").removesuffix(" was")
    return f'node "{flag.owner}": in {share} parameter "{flag.detail}" was modulated {must}; {says}which'


KINDS: dict[str, Kind] = {UNFINISHED: Kind(UnfinishedWarning, unfinished_text), OUTSIDE: Kind(OutOfRangeWarning, outside_text)}


@dataclass
class Reactions:
    """The reactions to the flags that a run has raised."""

    of: dict[str, str] = field(default_factory=lambda: dict.fromkeys(KINDS, "warn"))
    """For each kind "warn", "error" or "ignore"."""
    places: Mapping[str, str] = field(default_factory=dict[str, str])
    """The source location of each node, by path."""

    def to(
        self,
        result: Any,
        plan: Plan,
        tallies: Callable[[], Mapping[str, FlagCount]],
        trials: int,
        params: Callable[[], Mapping[Any, Any]],
        has_failed: bool = False,
    ) -> None:
        """
        Warns of the flags that were raised in so many trials, or raises an `ExecutionError` that holds the result.

        `tallies`: how often each was raised, by path.
        `has_failed`: the run ends with another error, to which warnings are added.
        """
        flags = [flag for flag in map(Flag.at, plan.flags) if self.of.get(flag.kind, "ignore") != "ignore"]
        if not flags:
            return
        errors: list[str] = []
        found = tallies()
        for flag in flags:
            reaction = self.of[flag.kind]
            if not (counted := found[flag.path]).trials:
                continue
            target = flag.target(plan)
            place = self.places.get(target)
            place = f" ({place})" if place else ""
            held = plan.ranges.get(f"{target}/param:{flag.detail}")
            raised = Raised(flag, counted.trials, counted.times, trials, params(), place, held)
            text = KINDS[flag.kind].text(raised)
            if reaction == "error" and not has_failed:
                errors.append(text)
            else:
                warnings.warn(text, KINDS[flag.kind].category, stacklevel=stacklevel())
        if errors:
            error = ExecutionError("; ".join(errors))
            error.result = result
            raise error
