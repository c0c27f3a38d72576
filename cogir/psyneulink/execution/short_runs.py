"""
Calls that take less time in PsyNeuLink than compiling the Composition would: they run in PsyNeuLink itself.

    a call     stays in PsyNeuLink while   seconds spent so far + seconds expected of this one  <=  seconds of compiling
    compiled   it is native from then on

It is the rule of the ski rental problem: as far as the estimates are right, all calls together cost at most twice what the better of the
two ways would have cost. Seconds so far are measured, as processor time of the thread. Those of a call are estimated, before it, from the
trials, the Mechanisms that execute in each, and the points of a search. If something else than counts decides how many execute (a
threshold, a condition on values), the first call of `run` begins in PsyNeuLink, and goes over to native code when its trials have shown
that those which are left take longer than compiling (measured_runs.py). So does a call that takes longer than expected, or of which that
is in doubt. Where it cannot, a first call of one or two trials stays in PsyNeuLink, whatever it takes, and says what further trials take;
one of more is compiled.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from typing import Any

from cogir.errors import CogirError
from cogir.psyneulink.execution.cache_marks import is_marked
from cogir.psyneulink.execution.expected_seconds import (
    expected,
    expected_of_batch,
    expected_of_learning,
    seconds_of_compiling,
    seconds_of_compiling_learning,
    slowness,
    trials_of_unknown,
)
from cogir.psyneulink.execution.measured_runs import CALLBACKS, GoesOver, MeasuredRun, may_go_over
from cogir.psyneulink.pnl import is_debugged, is_learning, is_simulation
from cogir.psyneulink.records import kept

VARIABLE = "COGIR_SHORT_RUNS"
"""The environment variable that says where short runs take place, if a call of `accelerate` does not."""
PLACES = ("psyneulink", "native")

DOUBTFUL = 3
"""A first call that is expected to take at most so many times as long as compiling begins in PsyNeuLink, to be measured."""
FEW = 2
"""So many trials of which nothing is known may stay in PsyNeuLink, to be measured."""
ARGUMENTS = frozenset(
    "self inputs num_trials context call_before_trial call_after_trial log kwargs execution_mode animate clamp_input skip_analyze_graph"
    " initialize_cycle_values reset_stateful_functions_to reset_stateful_functions_when runtime_params report_output report_params"
    " report_progress report_simulations report_to_devices".split()
)
"""The arguments of a call that can stay in PsyNeuLink, and for which its trials are no others."""
WITHIN_TRIALS = frozenset(
    "termination_processing call_before_time_step call_after_time_step call_before_pass call_after_pass scheduling_mode"
    " default_absolute_time_unit".split()
)
"""Those for which its trials are not known beforehand; a call with others is native if it can be."""


def place_of(asked: str | None) -> str:
    """The place of short runs: as asked, else as the environment says, else PsyNeuLink."""
    chosen = (asked if asked is not None else os.environ.get(VARIABLE) or PLACES[0]).lower()
    if chosen not in PLACES:
        where = f"{VARIABLE} is" if asked is None else "accelerate: short_runs is"
        raise CogirError(f"{where} {chosen!r}; give psyneulink or native")
    return chosen


class ShortRuns:
    """The calls of one Composition that have stayed in PsyNeuLink."""

    def __init__(self) -> None:
        self.calls = 0
        self.seconds: float = 0.0
        """Seconds that they have taken of the time of their thread."""
        self.expected = 0.0
        """Seconds that were expected of them."""
        self.is_running = False
        """True while such a call goes on, in which a callback may make others."""
        self.is_over = False
        """True if the Composition has been compiled, or is known not to compile."""
        self.compiling = 0.0
        """Seconds that compiling was expected to take, when that was asked last."""
        self.longest = 0.0
        """The seconds of a trial of which nothing was known beforehand, the most in a call; 0 before there was one."""
        self.times_trials = False
        """True if a call goes on of which only the trials are timed."""
        self.in_trials = 0.0
        """Seconds that trials of such calls have taken."""
        self.is_cached: bool | None = None
        """True if the code is likely to be in the cache on disk; None if nobody has looked."""

    def seconds_of_compiling(self, composition: Any) -> float:
        """The time that it takes to compile the Composition, or to load its code, on the machine of the estimates."""
        if self.is_cached is None:
            self.is_cached = is_marked(composition)
        return seconds_of_compiling(composition, self.is_cached)

    @property
    def rate(self) -> float:
        """By how much calls have taken longer than expected."""
        return self.seconds / self.expected if self.expected else 1.0

    def has_room_for(self, seconds: float) -> bool:
        """True if a call of which so many seconds are expected is to stay in PsyNeuLink."""
        return self.seconds + self.rate * seconds <= self.compiling

    def call_if_short(
        self,
        seconds: float,
        compiling: float,
        goes_over: bool = False,
        is_reported: bool = False,
        clock: Callable[[], float] | None = None,
    ) -> AbstractContextManager[None] | None:
        """
        The block of a call that is to stay in PsyNeuLink, None if it is not; keeps the time of compiling for the report. `seconds` of the
        call and of `compiling` are those of the machine of the estimates; `goes_over`: the call can go over to native code; `is_reported`:
        it asks for reports, which take longer than all else, in native calls, too.
        """
        self.compiling = slowness() * compiling
        here = slowness() * seconds
        is_doubtful = goes_over and not self.calls and here <= DOUBTFUL * self.compiling
        return self.call(here, counts=not is_reported, clock=clock) if is_doubtful or self.has_room_for(here) else None

    def call_if_unknown(
        self, trials: int, compiling: float, goes_over: bool, clock: Callable[[], float] | None = None
    ) -> AbstractContextManager[None] | None:
        """
        `call_if_short`, for a call of so many trials of which nothing is known but what those before have taken; `goes_over`: it can go
        over to native code.
        """
        self.compiling = slowness() * compiling
        fits = self.seconds + trials * self.longest <= self.compiling if self.longest else goes_over or trials <= FEW
        return self.call(None, trials, clock=clock) if fits else None

    def clock(self, given: dict[str, Any]) -> Callable[[], float] | None:
        """
        The clock that measures a call, which stands still between trials if callbacks, which take their time anyway, are called there; None
        for the time of the thread.
        """
        self.times_trials = any(given.get(name) is not None for name in CALLBACKS)
        return (lambda: self.in_trials) if self.times_trials else None

    @contextmanager
    def trial(self) -> Generator[None]:
        """Within the block, PsyNeuLink executes a trial."""
        began = time.thread_time()
        try:
            yield
        finally:
            self.in_trials += time.thread_time() - began

    @contextmanager
    def call(
        self, seconds: float | None, trials: int = 1, counts: bool = True, clock: Callable[[], float] | None = None
    ) -> Generator[None]:
        """
        Within the block, a call goes on of which so many seconds are expected; None: of which nothing is known but its trials. If not
        `counts`, it has taken no longer than that, whatever the clock says.
        """
        clock = clock or time.thread_time
        began, before, is_whole = clock(), _within.get(), True
        try:  # also around what is put back, as Ctrl-C may come after each call
            _within.set(True)
            self.is_running = True
            yield
        except GoesOver:
            is_whole = False
            raise
        finally:
            self.is_running = False
            _within.set(before)
            if is_whole:  # of one that has gone over, the time of compiling is in it, too
                self.calls += 1
                taken = clock() - began
                if seconds is not None and not counts:
                    taken = min(taken, seconds)
                self.seconds += taken
                self.expected += taken if seconds is None else seconds
                if seconds is None:
                    self.longest = max(self.longest, taken / max(1, trials))

    def __str__(self) -> str:
        calls = f"{self.calls} short call{'' if self.calls == 1 else 's'}"
        return f"{calls} ran in PsyNeuLink ({self.seconds:.2g} s), as compiling takes about {self.compiling:.2g} s"


class ShortLearning(ShortRuns):
    """The calls of `learn` of one Composition that have stayed in PsyNeuLink, for which it is compiled separately."""


class ShortBatches(ShortRuns):
    """The calls of `learn` in PyTorch mode of one Composition in which PyTorch has learned from all batches."""

    def __init__(self) -> None:
        super().__init__()
        self.batches = 0

    @contextmanager
    def learning(self, batches: int) -> Generator[None]:
        """Within the block, PyTorch learns from so many batches."""
        began = time.thread_time()
        try:
            yield
        finally:
            self.calls += 1
            self.batches += batches
            self.seconds += time.thread_time() - began


_within: ContextVar[bool] = ContextVar("within", default=False)
"""True while a call that stays in PsyNeuLink goes on."""


def is_within() -> bool:
    """True while a call that stays in PsyNeuLink goes on."""
    return _within.get()


@contextmanager
def staying_within(is_within: bool) -> Generator[None]:
    """Within the block, what PsyNeuLink executes stays there, as in a short call, or is native if it can be, as in one that falls back."""
    token = _within.set(is_within)
    try:
        yield
    finally:
        _within.reset(token)


def end_short_runs(composition: Any, learns: bool = False) -> None:
    """
    No further calls of a Composition stay in PsyNeuLink because they are short: it has been compiled, or is known not to compile; `learns`:
    for calls of `learn`.
    """
    kept(composition, ShortLearning if learns else ShortRuns).is_over = True


def short_runs_of(composition: Any) -> ShortRuns | None:
    """The calls of a Composition that have stayed in PsyNeuLink; None if there are none."""
    found = kept(composition, ShortRuns)
    return found if found.calls else None


def staying(composition: Any, given: dict[str, Any], is_measured: bool = False) -> AbstractContextManager[MeasuredRun | None] | None:
    """
    The block in which a call with these arguments runs in PsyNeuLink, as it takes less time there than compiling would; None if the call is
    to be native. A call of `run` that `is_measured` may go over to native code.
    """
    known = kept(composition, ShortRuns)
    if known.is_over:
        return None
    if known.is_running:
        return nullcontext()  # its time is counted with that of the call around it
    if not can_stay(given):
        return None
    goes_over = is_measured and may_go_over(composition, given)
    found = expected(composition, given) if given.keys() <= ARGUMENTS else None
    trials = trials_of_unknown(composition, given) if found is None or goes_over else None
    compiling, clock = known.seconds_of_compiling(composition), known.clock(given)
    if found is not None:
        stay = known.call_if_short(found, compiling, goes_over, is_reported(given), clock)
    else:
        stay = None if trials is None else known.call_if_unknown(trials, compiling, goes_over, clock)
    if stay is None or trials is None or not goes_over:
        return stay
    return MeasuredRun(given, trials, known.compiling, stay, clock)


def trial_of(given: dict[str, Any]) -> AbstractContextManager[None]:
    """
    A block around `execute` that PsyNeuLink calls with these arguments: a trial, if it is the Composition's that runs there, as only a run
    gives its trials a number for the report.
    """
    known = kept(given["self"], ShortRuns)
    return known.trial() if known.is_running and known.times_trials and "report_num" in given else nullcontext()


def staying_to_learn(composition: Any, trials: int) -> AbstractContextManager[None] | None:
    """`staying`, for a call of `learn` in Python mode of so many trials."""
    known = kept(composition, ShortLearning)
    if known.is_over:
        return None
    if known.is_running:
        return nullcontext()
    return known.call_if_short(expected_of_learning(composition, trials), known.seconds_of_compiling(composition))


def staying_batches(composition: Any, batches: int) -> AbstractContextManager[None] | None:
    """The block in which PyTorch learns from so many batches, as it takes less time for that than compiling would; None if cogir is to."""
    known: ShortBatches = kept(composition, ShortBatches)
    known.compiling = slowness() * seconds_of_compiling_learning(composition)
    each = known.seconds / known.batches if known.batches else slowness() * expected_of_batch(composition)
    if known.is_over or known.seconds + batches * each > known.compiling:
        known.is_over = True
        return None
    return known.learning(batches)


def staying_nested(composition: Any) -> AbstractContextManager[MeasuredRun | None] | None:
    """`staying`, for a trial of a nested Composition that PsyNeuLink executes, as the one around it does not compile."""
    return staying(composition, {"num_trials": 1})


def is_reported(given: dict[str, Any]) -> bool:
    """True if a call asks for reports."""
    return any(getattr(given.get(name), "name", "OFF") != "OFF" for name in ("report_output", "report_progress", "report_simulations"))


def can_stay(given: dict[str, Any]) -> bool:
    """True if nothing in the arguments of a call decides where it runs: neither what it asks for, nor that PsyNeuLink itself makes it."""
    context = given.get("context")
    is_plain = not (is_simulation(context) or is_learning(context) or is_debugged())
    is_python = getattr(given.get("execution_mode"), "name", "Python") == "Python"
    return is_plain and is_python and given.keys() <= ARGUMENTS | WITHIN_TRIALS and getattr(context, "rpc_pipeline", None) is None
