"""
Flags: numbers of events in a trial that its outputs do not show, such as executions that were cut off.

    decision/flag:unfinished            executions of `decision` that reached their limit in the trial before they finished
    inner/decision/flag:unfinished      those of a node in an instance
    decision/flag:outside:rate          executions for which `rate` was modulated out of its range
    control/decision/count:unfinished   those in the simulations of the search of a controller, which leave no other trace

Every flag is a whole number that is 0 when a trial of the main model begins. In a compiled model it is a slot of the state, and an output
of the trial after all others (`convert-cog-to-machine`, option `flags`); the interpreter counts in a `Tally`. A model has a flag only
if it can be raised, so all other models pay nothing.

A new kind of flag takes five lines elsewhere: its name in `ALL_KINDS`; which nodes have it, in `analysis/flags.py` (`flags_of_node`);
`state.raise_flag(path, happened)` where the event happens in `lowering/machine`; `tally.add(owner, kind)` where it happens in the
interpreter; and `FLAGS` and `KINDS` in `runtime/flags.py`, which say that runs keep it and what they say of it. A kind may have a detail
behind a colon, such as the name of a parameter. This module and `runtime/flags.py` load no xDSL.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Generator, Mapping
from contextlib import contextmanager

UNFINISHED = "unfinished"
"""An execution of an execute-until-finished node reached the limit of its repetitions, and the node had not finished."""
AT_LIMIT = "at_limit"
"""
An execution of such a node reached the limit, whether it had finished in the last repetition or not (PsyNeuLink warns of these); or one of
a node that counts such executions by itself, in `AT_LIMIT_STATE`, because it is not repeated.
"""
AT_LIMIT_STATE = "executions_at_limit"
"""The state, an f64, by which a node counts its executions at the limit."""

OUTSIDE = "outside"
"""A modulated parameter, the detail of the kind, lay outside of its range, or was NaN, in an execution."""

ALL_KINDS = (UNFINISHED, AT_LIMIT, OUTSIDE)

FLAG, COUNT = "flag:", "count:"
"""The beginning of the last part of a path: of a flag of the trial's own executions, or of those in the simulations of a search."""


def flag_path(owner: str, kind: str) -> str:
    """The path of a flag of a node."""
    return f"{owner}/{FLAG}{kind}"


def outside_kind(param: str) -> str:
    """The kind of flag of a parameter with a range."""
    return f"{OUTSIDE}:{param}"


def is_flag(path: str) -> bool:
    """True if a slot counts the events of one trial, and is no state that lasts."""
    return path.rpartition("/")[2].startswith((FLAG, COUNT))


def simulated_path(controller: str, path: str) -> str:
    """The path that a flag of a simulated model has in the searches of a controller."""
    return f"{controller}/{path.replace(f'/{FLAG}', f'/{COUNT}')}"


class Tally:
    """The number of times that each flag has been raised in the present trial of an interpreted model."""

    def __init__(self) -> None:
        self.counts = Counter[str]()

    def begin_trial(self) -> None:
        """No flag has been raised yet."""
        self.counts.clear()

    def add(self, owner: str, kind: str) -> None:
        """Raises a flag of a node, given by its path, once more."""
        self.counts[flag_path(owner, kind)] += 1

    @contextmanager
    def simulating(self, controller: str, prefix: str) -> Generator[None]:
        """Within the block, flags count for the searches of a controller, given by its path; `prefix` is that of the simulated model."""
        outside, self.counts = self.counts, Counter[str]()
        try:
            yield
        finally:
            inside, self.counts = self.counts, outside
            for path, count in inside.items():
                self.counts[simulated_path(controller, path.removeprefix(prefix))] += count

    def of(self, paths: Collection[str]) -> Mapping[str, int]:
        """The counts of these flags."""
        return {path: self.counts[path] for path in paths}
