"""
The scheduler: which nodes run together, and when. The one definition, in plain Python.

The `cog` interpreter runs it, and `analysis/static_schedule.py` runs it at compile time. It is the meaning of
`cog.schedule` and reproduces graph_scheduler 1.2.2 (as PsyNeuLink's Python mode uses it), which says:

    A trial is a loop of passes; a pass visits the layers in order; a layer yields one set of nodes that run
    "at the same time" (a time step). A node runs when its condition holds and counts as called from that moment,
    so one node of a layer can let another one of the same layer run: the layer is scanned again until nothing changes.
    The trial ends when its termination condition holds, which is tested before every layer.

Where graph_scheduler leaves the order within a layer to a Python set, the order here is the order of the text.

Life of the counters:

    calls of a node, per time scale   +1 when it joins a set; a scale's counters start from 0 with that scale (`time_step` with `pass`)
    usable calls `dependency -> user` +1 when the dependency joins a set, 0 when the user does; all 0 when a trial begins
    elapsed `unit within scale`       +1 after each unit (time step, pass, trial, run); 0 when a unit of the wider scale begins
    satisfied counts of `NWhen`       never back to 0
    the last set (`JustRan`)          lasts across trials and runs; nobody "just ran" before the first set
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from math import isinf, isnan
from typing import Any as AnyType
from typing import assert_never

import numpy as np

from cogir.dialects.cog.attributes import compare
from cogir.errors import ExecutionError, ModelError
from cogir.model.conditions import (
    COUNTABLE,
    SCALES,
    All,
    AllHaveRun,
    Always,
    Any,
    Calls,
    CallsCombined,
    Condition,
    Elapsed,
    EveryNCalls,
    JustRan,
    Kind,
    Never,
    Not,
    NWhen,
    Observations,
    Threshold,
    TimeScale,
    WhenFinished,
    WhenFinishedAll,
    WhenFinishedAny,
    While,
)
from cogir.model.describe import end_in_words
from cogir.model.program import Choice, Counted, StaticProgram
from cogir.model.schedule import Schedule


@dataclass
class Clock:
    """Counts how many finer units have gone by in the present coarser one: `elapsed(PASS, within=TRIAL)`."""

    counts: dict[tuple[TimeScale, TimeScale], int] = field(
        default_factory=lambda: {(unit, scale): 0 for unit in COUNTABLE for scale in SCALES if unit < scale}
    )

    def elapsed(self, unit: TimeScale, within: TimeScale) -> int:
        """Completed units since the present unit of `within` began."""
        return self.counts[unit, within]

    def tick(self, unit: TimeScale) -> None:
        """One `unit` is over and the next one begins."""
        for inner, outer in self.counts:
            if inner == unit:
                self.counts[inner, outer] += 1
            elif outer <= unit:
                self.counts[inner, outer] = 0


@dataclass
class SchedulerState:
    """The counters of a scheduler. The top of this file says how long each lasts."""

    calls: dict[str, list[int]]
    """node -> calls in the present time step, pass, trial, run, life"""
    usable: dict[str, dict[str, int]]
    """user -> dependency -> calls of the dependency since the user last ran, in this trial (for the pairs that an EveryNCalls asks)"""
    satisfied: dict[int, int]
    """`NWhen.key` -> how often it has held"""
    just_ran: dict[str, bool]
    """node -> whether it was in the last set"""
    clock: Clock

    @staticmethod
    def at_birth(schedule: Schedule) -> SchedulerState:
        """Nothing has happened yet."""
        return SchedulerState(
            calls={node: [0] * len(SCALES) for node in schedule.nodes},
            usable={user: dict.fromkeys(dependencies, 0) for user, dependencies in schedule.used_by.items()},
            satisfied={part.key: 0 for part in schedule.conditions() if isinstance(part, NWhen)},
            just_ran=dict.fromkeys(schedule.nodes, False),
            clock=Clock(),
        )

    def copy(self) -> SchedulerState:
        """A state of its own with the same counts."""
        return SchedulerState(
            {node: list(counts) for node, counts in self.calls.items()},
            {user: dict(counts) for user, counts in self.usable.items()},
            dict(self.satisfied),
            dict(self.just_ran),
            Clock(dict(self.clock.counts)),
        )

    def places(self) -> Iterator[tuple[str, tuple[AnyType, AnyType]]]:
        """Every count: its path, and a container with the key of the count in it."""
        for name, calls in self.calls.items():
            yield from ((f"{name}/calls:{scale.name.lower()}", (calls, scale)) for scale in SCALES)
            yield f"{name}/just_ran", (self.just_ran, name)
        for user, usable in self.usable.items():
            yield from ((f"{user}/calls_of:{dependency}", (usable, dependency)) for dependency in usable)
        for unit, scale in self.clock.counts:
            yield f"clock:{unit.name.lower()}:{scale.name.lower()}", (self.clock.counts, (unit, scale))
        for key in self.satisfied:
            yield f"n_when:{key}", (self.satisfied, key)

    def begin(self, scale: TimeScale) -> None:
        """A unit of `scale` begins: calls are counted anew for it and for all finer scales."""
        for counts in self.calls.values():
            counts[: scale + 1] = [0] * (scale + 1)
        if scale >= TimeScale.TRIAL:
            for counts in self.usable.values():
                counts.update(dict.fromkeys(counts, 0))

    def call(self, node: str, users: Iterable[str]) -> None:
        """`node` joins the set: it has used up its dependencies' calls, and its own call is there to be used by `users`."""
        self.calls[node] = [count + 1 for count in self.calls[node]]
        self.usable[node] = dict.fromkeys(self.usable[node], 0)
        for user in users:
            self.usable[user][node] += 1


class NoObservations:
    """The view of a scheduler that runs without a model: it has counters only."""

    def finished(self, node: str) -> bool:
        """Raises: there is no model."""
        raise ModelError(f"scheduler: a condition asks whether @{node} is finished, but no model is running; pass the model's observations")

    def read(self, node: str, kind: Kind, name: str) -> object:
        """Raises: there is no model."""
        raise ModelError(f'scheduler: a condition reads @{node}["{name}"], but no model is running; pass the model\'s observations')


class Scheduler:
    """
    A schedule with its state. A run, with `execute` as what happens to a set of nodes:

        scheduler.begin_run()
        for each trial, while not scheduler.run_is_over():
            reset(scheduler.nodes_to_reset())
            for nodes in scheduler.trial():
                execute(nodes)
            scheduler.end_trial()
        scheduler.end_run()
    """

    def __init__(
        self,
        schedule: Schedule,
        observations: Observations | None = None,
        *,
        state: SchedulerState | None = None,
        max_passes: int = 10_000_000,
    ):
        self.schedule = schedule.checked
        self.nodes = schedule.nodes
        self.observations = observations or NoObservations()
        self.state = state or SchedulerState.at_birth(schedule)
        self.max_passes = max_passes
        self.last_set = tuple(node for node, ran in self.state.just_ran.items() if ran)

    # ---------------------------------------------------------------------------------------------------- runs and trials

    def begin_run(self) -> None:
        """A run begins."""
        self.state.begin(TimeScale.RUN)

    def run_is_over(self) -> bool:
        """Asked before each trial. Counters are still those of the trial before."""
        return self.holds(self.schedule.run_ends)

    def nodes_to_reset(self) -> tuple[str, ...]:
        """Asked before each trial. The clock is that of the new trial, but calls are still those of the trial before."""
        return tuple(node for node, condition in self.schedule.resets.items() if self.holds(condition, node))

    def acts(self, name: str) -> bool:
        """True if a controller searches, or a node aside executes: evaluated before the trial like a reset, or after its last time step."""
        condition = self.schedule.asides.get(name)
        return condition is None or self.holds(condition, name)

    def trial(self) -> Iterator[tuple[str, ...]]:
        """The sets of one trial. The caller executes each set before it asks for the next one."""
        state = self.state
        state.begin(TimeScale.TRIAL)
        program = self.schedule.program
        while isinstance(program, Choice):
            program = program.yes if self.holds(program.question) else program.no
        if program is not None:
            yield from self._program(program)
            return
        passes = 0
        while not self._trial_is_over():
            state.begin(TimeScale.PASS)
            something_ran = False
            for layer in self.schedule.layers:
                if self._trial_is_over():
                    break
                if nodes := self._set_of(layer):
                    something_ran = True
                    yield from self._time_step(nodes)
            if not something_ran:  # a pass in which nothing runs takes an empty time step
                yield from self._time_step(())
            state.clock.tick(TimeScale.PASS)
            passes += 1
            if passes >= self.max_passes:
                raise ExecutionError(
                    f"scheduler: a trial has taken {passes} passes, and its termination condition does not hold yet: "
                    f"{end_in_words(self.schedule)}; check its termination condition (NaN reaches no threshold), or raise the limit, "
                    'params["limit:passes"]'
                )

    def end_trial(self) -> None:
        """A trial is over."""
        self.state.clock.tick(TimeScale.TRIAL)

    def end_run(self) -> None:
        """A run is over."""
        self.state.clock.tick(TimeScale.RUN)

    def _trial_is_over(self) -> bool:
        return self.holds(self.schedule.trial_ends) or self.holds(self.schedule.run_ends)

    def _program(self, program: StaticProgram) -> Iterator[tuple[str, ...]]:
        """The sets of a program. Calls are counted; passes are not there any more."""
        for nodes in program.steps:
            for node in nodes:
                self.state.call(node, self.schedule.users_of[node])
            yield from self._time_step(nodes)
        counters = dict(self.state.places()) if program.advances else {}
        for path, amount in program.advances:
            container, key = counters[path]
            container[key] += amount

    def _time_step(self, nodes: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        self.state.just_ran.update(dict.fromkeys(self.last_set, False))
        self.state.just_ran.update(dict.fromkeys(nodes, True))
        self.last_set = nodes
        yield nodes
        self.state.clock.tick(TimeScale.TIME_STEP)

    def _set_of(self, layer: tuple[str, ...]) -> tuple[str, ...]:
        """The nodes of the layer that run now, in the order of the layer."""
        chosen: set[str] = set()
        changed = True
        while changed:
            changed = False
            for node in layer:
                if node not in chosen and self.holds(self.schedule.when[node], node):
                    chosen.add(node)
                    self.state.call(node, self.schedule.users_of[node])
                    changed = True
        return tuple(node for node in layer if node in chosen)

    # --------------------------------------------------------------------------------------------------------- conditions

    def holds(self, condition: Condition | Counted, owner: str | None = None) -> bool:
        """True if a condition (of the node `owner`) holds now."""
        state, model = self.state, self.observations
        match condition:
            case Always():
                return True
            case Never():
                return False
            case All(parts):
                return all(self.holds(part, owner) for part in parts)
            case Any(parts):
                return any(self.holds(part, owner) for part in parts)
            case Not(part):
                return not self.holds(part, owner)
            case NWhen(part, n, key):
                found = state.satisfied.get(key, 0) < n and self.holds(part, owner)
                state.satisfied[key] = state.satisfied.get(key, 0) + found
                return found
            case Calls(node, relation, n, scale):
                return compare(state.calls[node][scale], relation, n)
            case CallsCombined(nodes, n, scale):
                return sum(state.calls[node][scale] for node in nodes) >= n
            case EveryNCalls(node, n):
                return owner is not None and state.usable[owner][node] >= n
            case Elapsed(unit, relation, n, within):
                return compare(state.clock.elapsed(unit, within), relation, n)
            case JustRan(node):
                return bool(state.just_ran[node])
            case AllHaveRun(nodes, scale):
                # From the last layer on, as it is the last to run; the order does not change the answer.
                return all(state.calls[node][scale] >= 1 for node in nodes or reversed(self.nodes))
            case Counted(counters, relation, n, modulus):
                places = dict(state.places())
                total = sum(int(container[key]) for container, key in map(places.__getitem__, counters))
                return compare(total if modulus is None else total % modulus, relation, n)
            case WhenFinished(node):
                return model.finished(node)
            case WhenFinishedAny(nodes):
                return any(model.finished(node) for node in nodes or self.nodes)
            case WhenFinishedAll(nodes):
                return all(model.finished(node) for node in nodes or self.nodes)
            case Threshold(node, kind, name, relation, value, atol, rtol, indices):
                number = number_at(model.read(node, kind, name), indices)
                if relation in ("==", "!="):
                    return is_close(number, value, atol, rtol) == (relation == "==")
                return compare(number, relation, value)
            case While(predicate):
                return predicate(model)
            case _:  # pragma: no cover
                assert_never(condition)


def number_at(value: object, indices: tuple[int, ...]) -> float:
    """The element of an array at `indices`; without indices, the only one."""
    chosen = np.asarray(value)[indices]
    if chosen.size != 1:
        raise ModelError(
            f"scheduler: a threshold compares one number, but the value has {chosen.size} elements; add indices that select one"
        )
    return float(chosen.item())


def is_close(value: float, reference: float, atol: float, rtol: float) -> bool:
    """`numpy.isclose(value, reference)`: NaN is close to nothing, an infinity to itself alone."""
    if isnan(value) or isnan(reference) or isinf(value) or isinf(reference):
        return value == reference
    return abs(value - reference) <= atol + rtol * abs(reference)
