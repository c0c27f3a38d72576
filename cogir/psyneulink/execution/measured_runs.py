"""
Runs that begin in PsyNeuLink and go over to native code where that pays.

How long a run takes in PsyNeuLink is often not known before it has begun: a threshold decides, or a function of the script. So its trials
are measured there as they go. Before each further one, if those that are left would take longer than compiling, the Composition is
compiled, and they are native. If it does not compile, PsyNeuLink goes on.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from contextvars import ContextVar
from inspect import isgenerator
from types import TracebackType
from typing import Any, Self, cast

import numpy as np

from cogir.psyneulink.pnl import autodiff_class, composition_class, compositions_in, copy_of

CALLBACKS = "call_before_trial", "call_after_trial"
ALLOWING = frozenset("self inputs num_trials context log kwargs execution_mode skip_analyze_graph".split()).union(CALLBACKS)
"""The arguments of a call of `run` that may go over to native code."""


class GoesOver(BaseException):
    """
    Ends a run in PsyNeuLink before the trial from which it is native. It is no Exception, as PsyNeuLink's debugger catches those of
    trials.
    """

    def __init__(self, go_on: Callable[[], Any]):
        """`go_on`: runs the trials that are left, and returns the result of the last one."""
        super().__init__()
        self.go_on = go_on


class MeasuredRun:
    """A call of `run` in PsyNeuLink: a block that says before each trial whether the run is to go over to native code."""

    def __init__(
        self,
        given: dict[str, Any],
        trials: int,
        compiling: float,
        block: AbstractContextManager[None],
        clock: Callable[[], float] | None = None,
    ):
        """
        `given`: the arguments of the call; `trials`: how many it has at most; `compiling`: the seconds that it takes to compile; `block`:
        one that is around the call; `clock`: measures its trials, else the time of the thread does.
        """
        self.clock = clock or time.thread_time
        self.composition: Any = given["self"]
        self.given, self.trials, self.compiling = given, trials, compiling
        self.block = block
        self.results: ResultsOfRun | None = None
        """The results that PsyNeuLink has of this run, if callbacks may put others in their place."""
        if any(given.get(name) is not None for name in CALLBACKS):
            self.given = {**given, "inputs": copy_of(given.get("inputs"))}
            self.results = ResultsOfRun(given)
        self.prepare: Callable[[], Callable[[], Any] | None] | None = None
        """
        Compiles the Composition for the trials that are left, and returns what runs them; None if it does not compile, after putting a
        block `around` those trials in PsyNeuLink. It is set by the call, for which nothing is compiled before that.
        """
        self.done = -1
        """The number of trials that are over."""
        self.first = self.second = 0.0
        """The times at which the first two trials began."""
        self.around = ExitStack()
        """The blocks around the call in PsyNeuLink."""

    def __enter__(self) -> Self:
        self.around.enter_context(self.block)
        self.around.enter_context(_measuring(self))
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.around.__exit__(kind, error, trace)

    def trial_begins(self, context: Any, scheduler: Any) -> None:
        """
        A trial begins in a `Context` of PsyNeuLink, for which the run has this scheduler. Raises `GoesOver` if those that are left are to
        be native; if the Composition does not compile, PsyNeuLink goes on, and is not measured any more.
        """
        self.done += 1
        if scheduler is not self.composition.scheduler:  # the graph has changed, so that there may be other outputs
            self.prepare = None
        if self.prepare is None:
            return
        now = self.clock()
        if self.done == 0:
            self.first = now
            return
        if self.results is not None:
            self.results.note(context)
        if self.done == 1:
            self.second = now
        before, timed = (self.first, 1) if self.done == 1 else (self.second, self.done - 1)
        if not self.is_longer_than_compiling((now - before) / timed):
            return
        prepare, self.prepare = self.prepare, None
        if self.results is not None and not self.results.stand(context):
            return
        self.given = {**self.given, "context": context.execution_id}  # also if a callback has set another default
        if (go_on := prepare()) is not None:
            raise GoesOver(go_on)

    def is_longer_than_compiling(self, each: float) -> bool:
        """
        True if the trials that are left, of which each takes so many seconds, take longer than compiling. The first one may have done more
        than others will: alone it counts only if it has taken as long as that itself.
        """
        return (self.trials - self.done) * each > self.compiling and (self.done > 1 or each > self.compiling)


class ResultsOfRun:
    """
    The results that a run in PsyNeuLink goes on with, whatever callbacks put into the Composition: those before it, and of its trials.
    """

    def __init__(self, given: dict[str, Any]):
        """`given`: the arguments of the call."""
        self.composition: Any = given["self"]
        key = getattr(given.get("context"), "execution_id", given.get("context")) or self.composition.default_execution_id
        before = self.composition.parameters.results.values.get(key)
        self.trials: list[Any] = [] if before is None else list(copy_of(before))

    def note(self, context: Any) -> None:
        """A trial is over, whose result is what the Composition's outputs hold."""
        self.trials.append(copy_of(self.composition.get_output_values(context)))

    def stand(self, context: Any) -> bool:
        """True if the Composition has just these."""
        held: Any = self.composition.parameters.results.get(context)
        return held is not None and len(held) == len(self.trials) and all(map(is_same, held, self.trials))


def is_same(one: Any, other: Any) -> bool:
    """True if two results of a trial have the same numbers for each output."""
    return len(one) == len(other) and all(np.array_equal(a, b, equal_nan=True) for a, b in zip(one, other, strict=True))


def may_go_over(composition: Any, given: dict[str, Any]) -> bool:
    """True if a call of `run` with these arguments can begin in PsyNeuLink and be native from some trial on."""
    searches = any(hasattr(one.controller, "agent_rep") for one in compositions_in(composition))
    inputs = given.get("inputs")
    are_made = callable(inputs) or isgenerator(inputs)  # one by one, and those of the next trial have been
    kind = cast("type[Any]", type(composition))
    is_known = kind is composition_class() or (issubclass(kind, autodiff_class()) and kind.__module__.startswith("psyneulink."))
    if not is_known or searches or are_made:
        return False
    return all(name in ALLOWING or value is None or value is False for name, value in given.items())


_measured: ContextVar[MeasuredRun | None] = ContextVar("measured", default=None)
"""The run that goes on in PsyNeuLink and is measured."""


@contextmanager
def _measuring(run: MeasuredRun | None) -> Generator[None]:
    """Within the block, this run is measured."""
    token = _measured.set(run)
    try:
        yield
    finally:
        _measured.reset(token)


def unmeasured() -> AbstractContextManager[None]:
    """A block around a call of `run`, which is not the one that is measured, as it is made within it."""
    return nullcontext() if _measured.get() is None else _measuring(None)


def before_trial(given: dict[str, Any]) -> None:
    """PsyNeuLink calls `execute` with these arguments; raises `GoesOver` if it is for a trial that is to be native, with those after it."""
    run = _measured.get()
    if run is not None and run.composition is given["self"] and "report_num" in given:  # which only a run gives to its trials
        run.trial_begins(given["context"], given.get("scheduler"))
