"""
Runs that begin in PsyNeuLink and go over to native code where that pays.

How long a run takes in PsyNeuLink is often not known before it has begun: a threshold decides, or a function of the script. So its trials
are measured there as they go. Before each further one, if those that are left would take longer than compiling, the Composition is
compiled, and they are native. If it does not compile, PsyNeuLink goes on.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from contextvars import ContextVar
from inspect import isgenerator
from types import TracebackType
from typing import Any, Self

from cogir.psyneulink.pnl import composition_class, compositions_in, copy_of

CALLBACKS = "call_before_trial", "call_after_trial"
ALLOWING = frozenset("self inputs num_trials context log kwargs execution_mode skip_analyze_graph".split()).union(CALLBACKS)
"""The arguments of a call of `run` that may go over to native code."""


class GoesOver(BaseException):
    """Ends a run in PsyNeuLink, which looks for exceptions, before the trial from which it is native."""

    def __init__(self, rest: Callable[[], Any]):
        """`rest`: runs the trials that are left, and returns the result of the last one."""
        super().__init__()
        self.rest = rest


class MeasuredRun:
    """A call of `run` in PsyNeuLink: a block that says before each trial whether the run is to go over to native code."""

    def __init__(self, given: dict[str, Any], trials: int, compiling: float, block: AbstractContextManager[None]):
        """
        `given`: the arguments of the call; `trials`: how many it has at most; `compiling`: the seconds that it takes to compile; `block`:
        one that is around the call.
        """
        self.composition: Any = given["self"]
        self.given, self.trials, self.compiling = given, trials, compiling
        self.block = block
        self.may_be_changed = any(given.get(name) is not None for name in CALLBACKS)
        """True if callbacks may change what the run has begun with."""
        if self.may_be_changed:
            self.given = {**given, "inputs": copy_of(given.get("inputs"))}
        self.results = 0
        """The number of results before the run."""
        self.compile: Callable[[], Callable[[], Any] | None] | None = None
        """
        Compiles the Composition for the trials that are left, and returns what runs them; None if it does not compile, after putting a
        block `around` those trials in PsyNeuLink. It is set by the call, for which nothing is compiled before that.
        """
        self.done = -1
        """The number of trials that are over."""
        self.context: Any = None
        """PsyNeuLink's `Context` of the run, which each of its trials has."""
        self.first = self.second = 0.0
        """The times at which the first two trials began."""
        self.around = ExitStack()
        """What is around the call in PsyNeuLink."""

    def __enter__(self) -> Self:
        self.around.enter_context(self.block)
        self.token = _measured.set(self)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        _measured.reset(self.token)
        self.around.__exit__(kind, error, trace)

    def pays(self, context: Any) -> bool:
        """True if, before a trial in this `Context`, those that are left of the run take longer than compiling."""
        if self.context is None:
            self.context = context
            self.results = self.results_now()
        if self.compile is None or self.context is not context:  # another run, of a callback
            return False
        self.done += 1
        now = time.thread_time()
        if self.done == 0:
            self.first = now
            return False
        if self.done == 1:
            self.second = now
        before, timed = (self.first, 1) if self.done == 1 else (self.second, self.done - 1)
        return self.is_longer_than_compiling((now - before) / timed)

    def is_longer_than_compiling(self, each: float) -> bool:
        """
        True if the trials that are left, of which each takes so many seconds, take longer than compiling. The first one may have done more
        than others will: alone it counts only if it has taken as long as that itself.
        """
        return (self.trials - self.done) * each > self.compiling and (self.done > 1 or each > self.compiling)

    def results_now(self) -> int:
        """The number of results that the Composition has in the context of the run."""
        held = self.composition.parameters.results.get(self.context)
        return 0 if held is None else len(held)

    def has_changed(self, scheduler: Any) -> bool:
        """
        True if a callback has put another scheduler in the place of that of the run, as a change of the graph does, or has changed the
        results. PsyNeuLink keeps those with which the run has begun.
        """
        if not self.may_be_changed:
            return False
        return scheduler is not self.composition.scheduler or self.results_now() != self.results + self.done

    def go_over(self) -> None:
        """Ends the run in PsyNeuLink by `GoesOver`; if the Composition does not compile, it goes on, and nobody asks again."""
        assert self.compile is not None
        compiled, self.compile = self.compile, None
        if (rest := compiled()) is not None:
            raise GoesOver(rest)


def may_go_over(composition: Any, given: dict[str, Any]) -> bool:
    """True if a call of `run` with these arguments can begin in PsyNeuLink and be native from some trial on."""
    searches = any(hasattr(one.controller, "agent_rep") for one in compositions_in(composition))
    inputs = given.get("inputs")
    are_made = callable(inputs) or isgenerator(inputs)  # one by one, and those of the next trial have been
    is_plain = type(composition) is composition_class() and not searches and not are_made
    return is_plain and all(name in ALLOWING or value is None or value is False for name, value in given.items())


_measured: ContextVar[MeasuredRun | None] = ContextVar("measured", default=None)
"""The run that goes on in PsyNeuLink and is measured."""


def before_trial(given: dict[str, Any]) -> None:
    """
    A trial of a run in PsyNeuLink begins, by a call of `execute` with these arguments; raises `GoesOver` if it is to be native, with those
    after it.
    """
    run = _measured.get()
    if run is not None and run.composition is given["self"] and run.pays(given["context"]) and not run.has_changed(given.get("scheduler")):
        run.go_over()
