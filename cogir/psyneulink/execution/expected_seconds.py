"""
Estimates of the seconds of processor time that a call takes in PsyNeuLink and that compiling takes: from the trials, the Mechanisms that
execute in each, and the points of a search.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Iterator
from functools import cache
from inspect import isgenerator
from typing import Any, cast

import numpy as np

from cogir.psyneulink.pnl import autodiff_class, composition_class, compositions_in, is_estimation, present_scheduler

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
LOADING, LOADING_NODE = 0.12, 0.015
"""The same if the code is in the cache."""
LEARNING, LEARNING_NODE = 0.5, 0.05
"""Seconds more that it takes to compile what learns in PyTorch mode."""
ROUNDS, SECONDS_OF_ROUNDS = 20_000, 0.00056
"""The rounds of a loop that says how fast a machine is, and the seconds that they take where those above were measured."""
COUNTING = {"Always": 1, "EveryNPasses": 0, "AfterNPasses": 1, "AfterPass": 2, "AtPass": 1}
"""Conditions that hold after the number of passes that they say, and how many passes more."""
CALLING = {"EveryNCalls": 0, "AfterNCalls": 0, "AfterCall": 1, "AtNCalls": 0}
"""Conditions that hold after the number of calls of a node that they say, and how many calls more."""
COMBINING = frozenset(("All", "And", "Any", "Or"))
"""Combinations of conditions."""
EARLIEST = frozenset(("Any", "Or"))
"""Those of which one part is enough."""
TRIAL, RUN = "ENVIRONMENT_STATE_UPDATE", "ENVIRONMENT_SEQUENCE"
"""The names of PsyNeuLink's units of time."""
ENDS = {TRIAL: "AllHaveRun", RUN: "Never"}
"""The conditions by which a trial and a run end unless somebody has said so."""


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


def seconds_of_compiling(composition: Any, is_cached: bool) -> float:
    """The time that it takes to compile a Composition, or to load its code, beside what PsyNeuLink does in a call, too."""
    count = sum(1 for _ in mechanisms_in(composition))
    imports = 0.0 if "cogir.psyneulink.native_calls" in sys.modules else READER
    if is_cached:
        return imports + LOADING + LOADING_NODE * count
    imports += 0.0 if "xdsl" in sys.modules else COMPILER
    return imports + COMPILING + COMPILING_NODE * count


def seconds_of_compiling_learning(composition: Any) -> float:
    """The same for what learns in PyTorch mode, of whose code nobody keeps a mark."""
    count = sum(1 for _ in mechanisms_in(composition))
    return seconds_of_compiling(composition, False) + LEARNING + LEARNING_NODE * count


def expected_of_learning(composition: Any, trials: int) -> float:
    """The seconds that a call of `learn` in Python mode takes for so many trials."""
    return sum(1 for _ in mechanisms_in(composition)) * (PER_CALL + trials * PER_EXECUTION)


def expected_of_batch(composition: Any) -> float:
    """The seconds in which PyTorch learns from a batch."""
    return PER_BATCH + PER_BATCH_NODE * sum(1 for _ in mechanisms_in(composition))


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
    samples = [signal.allocation_samples for signal in controller.control_signals]
    if any(callable(one.generator) for one in samples):  # a function of the user's, which may never end
        raise UnknownLength
    count = math.prod(len(list(one)) for one in samples)
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


def is_number(value: Any) -> bool:
    """True for the argument of a condition that is a finite number."""
    return isinstance(value, int | float | np.integer) and math.isfinite(cast("float", value))


def is_node(value: Any) -> bool:
    """True for the argument of a condition that is a Mechanism or a Composition."""
    return hasattr(value, "input_ports") or hasattr(value, "input_CIM")


class Passes:
    """The passes of a trial, if all conditions but count in it."""

    def __init__(self, composition: Any):
        scheduler = present_scheduler(composition)
        self.conditions: dict[Any, Any] = {} if scheduler is None else dict(scheduler.conditions.conditions_basic)
        ends: dict[Any, Any] = {} if scheduler is None else dict(scheduler.termination_conds)
        self.found: dict[Any, int | None] = {}
        self.calls: dict[Any, int] = {}
        unusual = {scale.name: end for scale, end in ends.items() if type(end).__name__ != ENDS.get(scale.name) or end.args}
        if not unusual.keys() <= {TRIAL}:
            raise UnknownLength
        is_counted = TRIAL in unusual
        self.count = self.until_holds(unusual[TRIAL]) if is_counted else max(map(self.until, composition.nodes), default=1)
        """The largest number of passes that a trial may have."""

    def calls_of(self, node: Any) -> int:
        """The largest number of calls of a node in a trial."""
        if node not in self.calls:
            self.calls[node] = self.count  # as long as it is asked for by what it waits for itself
            self.calls[node] = self.calls_by(self.conditions[node]) if node in self.conditions else self.count
        return self.calls[node]

    def calls_by(self, condition: Any) -> int:
        """The largest number of passes of a trial in which a condition holds."""
        kind, arguments = type(condition).__name__, [*condition.args, *condition.kwargs.values()]
        if kind in COMBINING - EARLIEST:
            return min(map(self.calls_by, arguments), default=self.count)
        if kind != "EveryNCalls":
            return self.count
        number = sum(one for one in arguments if is_number(one))
        (dependency,) = (one for one in arguments if is_node(one))
        return math.ceil(self.calls_of(dependency) / max(1, number))

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
            return (min if kind in EARLIEST else max)(map(self.until_holds, arguments), default=1)
        units: list[Any] = [one for one in (*arguments, getattr(condition, "time_scale", None)) if type(one).__name__ == "TimeScale"]
        others = [one for one in arguments if type(one).__name__ != "TimeScale"]
        numbers = [math.ceil(one) for one in others if is_number(one)]
        nodes = list(filter(is_node, others))
        if any(unit.name != TRIAL for unit in units) or len(numbers) + len(nodes) < len(others):  # it counts in another way
            raise UnknownLength
        if kind in COUNTING:
            return max(1, sum(numbers) + COUNTING[kind])
        if kind == "AtNCalls" and not sum(numbers):  # before the first, which may be its own
            return 1
        if kind in CALLING and len(nodes) == 1:
            return max(1, sum(numbers) + CALLING[kind]) * self.until(nodes[0])
        raise UnknownLength
