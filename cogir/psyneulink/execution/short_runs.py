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

import math
import os
import sys
import time
from collections.abc import Generator, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from functools import cache
from inspect import isgenerator
from typing import Any, cast

import numpy as np

from cogir.errors import CogirError
from cogir.psyneulink.execution.cache_marks import is_marked
from cogir.psyneulink.execution.measured_runs import GoesOver, MeasuredRun, may_go_over
from cogir.psyneulink.pnl import (
    autodiff_class,
    composition_class,
    compositions_in,
    is_debugged,
    is_estimation,
    is_learning,
    is_simulation,
    present_scheduler,
)
from cogir.psyneulink.records import kept

VARIABLE = "COGIR_SHORT_RUNS"
"""The environment variable that says where short runs take place, if a call of `accelerate` does not."""
PLACES = ("psyneulink", "native")

PER_CALL, PER_EXECUTION = 0.003, 0.0025
"""Seconds that PsyNeuLink takes for each Mechanism: in each call, and in each execution."""
PER_PAIR = 1e-7
"""Seconds that it takes for each pair of elements of an input, as it goes through the matrices of Projections element by element."""
OF_USER = 25
"""The number of executions for which one of a user's own function counts, as nothing is known of it before it has been measured."""
PER_BATCH, PER_BATCH_NODE = 0.003, 0.001
"""Seconds that it takes PyTorch to learn from a batch, and beside that for each Mechanism, before it has been measured."""
PER_SIMULATION = 0.005
"""Seconds that a search takes for each Mechanism of a Composition that it simulates, beside the executions."""
READER, COMPILER = 0.22, 0.55
"""Seconds that it takes to import what reads Compositions, and what compiles them."""
COMPILING, COMPILING_NODE = 0.2, 0.06
"""Seconds that it takes to compile a Composition, and each Mechanism of it, beside what PsyNeuLink does, too."""
LEARNING, LEARNING_NODE = 0.5, 0.05
"""Seconds more that it takes to compile what learns in PyTorch mode."""
LOADING, LOADING_NODE = 0.12, 0.015
"""The same if the code is in the cache."""
ROUNDS, SECONDS_OF_ROUNDS = 20_000, 0.00056
"""The rounds of a loop that says how fast a machine is, and the seconds that they take where those above were measured."""

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
COUNTING = {"Always": 1, "EveryNPasses": 0, "AfterNPasses": 1, "AfterPass": 2, "AtPass": 1}
"""Conditions that hold after the number of passes that they say, and how many passes more."""
CALLING = {"EveryNCalls": 0, "AfterNCalls": 0, "AfterCall": 1, "AtNCalls": 0}
"""Conditions that hold after the number of calls of a node that they say, and how many calls more."""
COMBINING = frozenset(("All", "And", "Any", "Or"))
"""Combinations of conditions."""
TRIAL, RUN = "ENVIRONMENT_STATE_UPDATE", "ENVIRONMENT_SEQUENCE"
"""The names of PsyNeuLink's units of time."""
ENDS = {TRIAL: "AllHaveRun", RUN: "Never"}
"""The conditions by which a trial and a run end unless somebody has said so."""


def place_of(asked: str | None) -> str:
    """The place of short runs: as asked, else as the environment says, else PsyNeuLink."""
    chosen = (asked if asked is not None else os.environ.get(VARIABLE) or PLACES[0]).lower()
    if chosen not in PLACES:
        where = f"{VARIABLE} is" if asked is None else "accelerate: short_runs is"
        raise CogirError(f"{where} {chosen!r}; give psyneulink or native")
    return chosen


@cache
def slowness() -> float:
    """
    By how much this machine takes longer than the one on which the seconds above were measured.

    They are compared with seconds that calls took here: on a machine that is slower, short calls would else seem longer than compiling. It
    is the fastest of a few rounds of a loop, two milliseconds in all, of processor time.
    """
    found = math.inf
    for _ in range(4):
        began, total = time.thread_time(), 0
        for number in range(ROUNDS):
            total += number * number
        found = min(found, time.thread_time() - began)
    return found / SECONDS_OF_ROUNDS


class UnknownLength(Exception):
    """It is not known beforehand how much of a Composition executes in a call."""


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
        self.is_cached: bool | None = None
        """True if the code is likely to be in the cache on disk; None if nobody has looked."""

    @property
    def rate(self) -> float:
        """By how much calls have taken longer than expected."""
        return self.seconds / self.expected if self.expected else 1.0

    def has_room_for(self, seconds: float) -> bool:
        """True if a call of which so many seconds are expected is to stay in PsyNeuLink."""
        return self.seconds + self.rate * seconds <= self.compiling

    def call_if_short(
        self, seconds: float, compiling: float, goes_over: bool = False, is_reported: bool = False
    ) -> AbstractContextManager[None] | None:
        """
        The block of a call that is to stay in PsyNeuLink, None if it is not; keeps the time of compiling for the report. `seconds` of the
        call and of `compiling` are those of the machine of the estimates; `goes_over`: the call can go over to native code; `is_reported`:
        it asks for reports, which take longer than all else, in native calls, too.
        """
        self.compiling = slowness() * compiling
        here = slowness() * seconds
        is_doubtful = goes_over and not self.calls and here <= DOUBTFUL * self.compiling
        return self.call(here, counts=not is_reported) if is_doubtful or self.has_room_for(here) else None

    def call_if_unknown(self, trials: int, compiling: float, goes_over: bool) -> AbstractContextManager[None] | None:
        """
        `call_if_short`, for a call of so many trials of which nothing is known but what those before have taken; `goes_over`: it can go
        over to native code.
        """
        self.compiling = slowness() * compiling
        fits = self.seconds + trials * self.longest <= self.compiling if self.longest else goes_over or trials <= FEW
        return self.call(None, trials) if fits else None

    @contextmanager
    def call(self, seconds: float | None, trials: int = 1, counts: bool = True) -> Generator[None]:
        """
        Within the block, a call goes on of which so many seconds are expected; None: of which nothing is known but its trials. If not
        `counts`, it has taken no longer than that, whatever the clock says.
        """
        began, before, is_whole = time.thread_time(), _within.get(), True
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
            self.calls += is_whole
            taken = time.thread_time() - began
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
    compiling = seconds_of_compiling(composition, known)
    if found is not None:
        stay = known.call_if_short(found, compiling, goes_over, is_reported(given))
    else:
        stay = None if trials is None else known.call_if_unknown(trials, compiling, goes_over)
    if stay is None or trials is None or not goes_over:
        return stay
    return MeasuredRun(given, trials, known.compiling, stay)


def staying_to_learn(composition: Any, trials: int) -> AbstractContextManager[None] | None:
    """`staying`, for a call of `learn` in Python mode of so many trials."""
    known = kept(composition, ShortLearning)
    if known.is_over:
        return None
    if known.is_running:
        return nullcontext()
    count = sum(1 for _ in mechanisms_in(composition))
    return known.call_if_short(count * (PER_CALL + trials * PER_EXECUTION), seconds_of_compiling(composition, known))


def staying_batches(composition: Any, batches: int) -> AbstractContextManager[None] | None:
    """The block in which PyTorch learns from so many batches, as it takes less time for that than compiling would; None if cogir is to."""
    known: ShortBatches = kept(composition, ShortBatches)
    count = sum(1 for _ in mechanisms_in(composition))
    known.is_cached = False
    known.compiling = slowness() * (seconds_of_compiling(composition, known) + LEARNING + LEARNING_NODE * count)
    each = known.seconds / known.batches if known.batches else slowness() * (PER_BATCH + PER_BATCH_NODE * count)
    if known.is_over or known.seconds + batches * each > known.compiling:
        known.is_over = True
        return None
    return known.learning(batches)


def staying_nested(composition: Any) -> AbstractContextManager[MeasuredRun | None] | None:
    """`staying`, for a trial of a nested Composition that PsyNeuLink executes, as the one around it does not compile."""
    return staying(composition, {"num_trials": 1})


def seconds_of_compiling(composition: Any, known: ShortRuns) -> float:
    """The time that it takes to compile a Composition, or to load its code, beside what PsyNeuLink does in a call, too."""
    count = sum(1 for _ in mechanisms_in(composition))
    if known.is_cached is None:
        known.is_cached = is_marked(composition)
    imports = 0.0 if "cogir.psyneulink.native_calls" in sys.modules else READER
    if known.is_cached:
        return imports + LOADING + LOADING_NODE * count
    imports += 0.0 if "xdsl" in sys.modules else COMPILER
    return imports + COMPILING + COMPILING_NODE * count


def is_reported(given: dict[str, Any]) -> bool:
    """True if a call asks for reports."""
    return any(getattr(given.get(name), "name", "OFF") != "OFF" for name in ("report_output", "report_progress", "report_simulations"))


def can_stay(given: dict[str, Any]) -> bool:
    """True if nothing in the arguments of a call decides where it runs: neither what it asks for, nor that PsyNeuLink itself makes it."""
    context = given.get("context")
    is_plain = not (is_simulation(context) or is_learning(context) or is_debugged())
    is_python = getattr(given.get("execution_mode"), "name", "Python") == "Python"
    return is_plain and is_python and given.keys() <= ARGUMENTS | WITHIN_TRIALS and getattr(context, "rpc_pipeline", None) is None


def expected(composition: Any, given: dict[str, Any]) -> float | None:
    """The seconds that a call of `run` or `execute` takes in PsyNeuLink; None if they cannot be known beforehand."""
    try:
        count = sum(1 for _ in mechanisms_in(composition))
        return PER_CALL * count + trials_of(composition, given) * seconds_of_trial(composition)
    except UnknownLength:
        return None
    except Exception:  # what is not expected here must not fail the script: compiling says what is wrong, if something is
        return None


def trials_of_unknown(composition: Any, given: dict[str, Any]) -> int | None:
    """The number of trials of a call of which it is not known what each takes; None if that is not known either, or if they search."""
    try:
        searches = any(hasattr(one.controller, "agent_rep") for one in compositions_in(composition))
        return None if searches or is_estimation(composition) else trials_of(composition, given)
    except Exception:  # as above
        return None


def mechanisms_in(composition: Any) -> Iterator[Any]:
    """The Mechanisms of a Composition, and of those in it."""
    for node in composition.nodes:
        if hasattr(node, "input_CIM"):
            yield from mechanisms_in(node)
        else:
            yield node


def trials_of(composition: Any, given: dict[str, Any]) -> int:
    """The largest number of trials that a call may have."""
    wanted, inputs = given.get("num_trials"), given.get("inputs")
    if wanted is not None:
        return int(wanted)
    if callable(inputs) or isgenerator(inputs):
        raise UnknownLength
    if isinstance(inputs, dict):
        each = [rows_of(composition, node, value) for node, value in cast("dict[Any, Any]", inputs).items()]
        return max(each, default=1)
    return 1 if inputs is None else max(1, len(inputs))


def rows_of(composition: Any, node: Any, value: Any) -> int:
    """The largest number of trials that the input of a node is for."""
    if isinstance(value, dict):  # of the nodes in a nested Composition
        return max((rows_of(composition, inner, held) for inner, held in cast("dict[Any, Any]", value).items()), default=1)
    if callable(value) or isgenerator(value):
        raise UnknownLength
    found = composition.nodes[node] if isinstance(node, str) else node
    ports: Any = getattr(found, "input_ports", None) or [found]  # inputs may also be given for one port
    size = sum(np.size(port.defaults.value) for port in ports)
    return max(1, -(-numbers_in(value) // max(1, size)))


def numbers_in(value: Any) -> int:
    """The count of numbers in a value, which may have rows of several lengths, for ports of several sizes."""
    try:
        return int(np.size(value))
    except ValueError:
        return sum(map(numbers_in, value))


def seconds_of_trial(composition: Any) -> float:
    """The seconds that a trial takes in PsyNeuLink."""
    if type(composition) is not composition_class() and type(composition) is not autodiff_class():
        raise UnknownLength
    controller = composition.controller
    passes = Passes(composition)
    seconds = sum(passes.calls_of(node) * seconds_of_node(node) for node in composition.nodes)
    if hasattr(controller, "agent_rep"):
        each = seconds + PER_SIMULATION * sum(1 for _ in mechanisms_in(composition))
        return seconds + simulations_of(composition, controller) * each
    return seconds if controller is None else seconds + seconds_of_node(controller)


def simulations_of(composition: Any, controller: Any) -> int:
    """The number of trials that a controller simulates in a trial: those of all points of its grid, estimates among them."""
    if type(controller.function).__name__ != "GridSearch" or controller.agent_rep is not composition:
        raise UnknownLength
    count = math.prod(len(list(signal.allocation_samples)) for signal in controller.control_signals)
    return count * int(controller.parameters.num_trials_per_estimate.get() or 1)


def seconds_of_node(node: Any) -> float:
    """The seconds that a node takes whenever it is called."""
    if hasattr(node, "input_CIM"):
        return PER_EXECUTION + seconds_of_trial(node)
    if not type(node).__module__.startswith("psyneulink.") or repeats(node):
        raise UnknownLength
    kind: type[Any] = cast("type[Any]", type(node.function))
    is_own = kind.__name__ == "UserDefinedFunction" or not kind.__module__.startswith("psyneulink.")
    executions = OF_USER if is_own else 1
    return PER_EXECUTION * executions + PER_PAIR * sum(int(np.size(port.defaults.value)) for port in node.input_ports) ** 2


def repeats(mechanism: Any) -> bool:
    """True if values may decide how often a Mechanism is executed when it is called."""
    if not any(map(np.any, values_of(mechanism, "execute_until_finished"))):
        return False
    bases = {base.__name__ for base in type(mechanism).__mro__}
    if "ContrastiveHebbianMechanism" in bases:
        return True
    if "TransferMechanism" in bases:
        return any(value is not None for value in values_of(mechanism, "termination_threshold"))
    return "DDM" in bases and type(mechanism.function).__name__ != "DriftDiffusionAnalytical"


def values_of(component: Any, name: str) -> list[Any]:
    """The values of a Parameter in all execution contexts, as they are held."""
    return list(getattr(component.parameters, name).final_source.values.values())


class Passes:
    """The passes of a trial, if all conditions but count in it."""

    def __init__(self, composition: Any):
        scheduler = present_scheduler(composition)
        self.conditions: dict[Any, Any] = {} if scheduler is None else dict(scheduler.conditions.conditions_basic)
        ends: dict[Any, Any] = {} if scheduler is None else dict(scheduler.termination_conds)
        for scale, end in ends.items():
            if type(end).__name__ != ENDS.get(scale.name) or end.args:
                raise UnknownLength
        self.found: dict[Any, int | None] = {}
        self.count = max(map(self.until, composition.nodes), default=1)
        """The largest number of passes that a trial may have."""

    def calls_of(self, node: Any) -> int:
        """The largest number of calls of a node in a trial."""
        condition = self.conditions.get(node)
        if condition is None or type(condition).__name__ != "EveryNCalls":
            return self.count
        arguments = [*condition.args, *condition.kwargs.values()]
        number = sum(one for one in arguments if isinstance(one, int))
        (dependency,) = (one for one in arguments if hasattr(one, "input_ports") or hasattr(one, "input_CIM"))
        return -(-self.calls_of(dependency) // max(1, number))

    def until(self, node: Any) -> int:
        """The largest number of passes after which a node is called for the first time."""
        if node not in self.found:
            self.found[node] = None
            self.found[node] = self.until_holds(self.conditions[node]) if node in self.conditions else 1
        found = self.found[node]
        if found is None:  # it waits for itself
            raise UnknownLength
        return found

    def until_holds(self, condition: Any) -> int:
        """The largest number of passes after which a condition holds."""
        kind, arguments = type(condition).__name__, [*condition.args, *condition.kwargs.values()]
        if kind in COMBINING:
            return max(map(self.until_holds, arguments), default=1)
        units: list[Any] = [one for one in (*arguments, getattr(condition, "time_scale", None)) if type(one).__name__ == "TimeScale"]
        others = [one for one in arguments if type(one).__name__ != "TimeScale"]
        numbers = [one for one in others if isinstance(one, int)]
        nodes = [one for one in others if hasattr(one, "input_ports") or hasattr(one, "input_CIM")]
        if any(unit.name != TRIAL for unit in units) or len(numbers) + len(nodes) < len(others):  # it counts in another way
            raise UnknownLength
        if kind in COUNTING:
            return max(1, sum(numbers) + COUNTING[kind])
        if kind == "AtNCalls" and not sum(numbers):  # before the first, which may be its own
            return 1
        if kind in CALLING and len(nodes) == 1:
            return max(1, sum(numbers) + CALLING[kind]) * self.until(nodes[0])
        raise UnknownLength
