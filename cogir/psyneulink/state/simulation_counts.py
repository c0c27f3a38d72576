"""
What the simulations of a search leave in PsyNeuLink.

They belong to no execution context that lasts, but all executions of a Mechanism are counted together, and a new context goes on from a
copy of the count that was made last. The Composition that is simulated keeps a list of their results, and its controller one of their
names, until a trial of its own `run` is over; those of Compositions that are only executed, as nested ones are, become longer and longer.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from copy import copy
from types import SimpleNamespace
from typing import Any, cast

import numpy as np

from cogir.psyneulink.execution.results import Shapes
from cogir.psyneulink.importer.controller import levels_of, list_of
from cogir.psyneulink.importer.imported import Imported
from cogir.psyneulink.pnl import new_context
from cogir.psyneulink.state.contexts import compositions_in
from cogir.psyneulink.state.controller import ControllerTwin, acts_always, search_space_of
from cogir.psyneulink.state.executions import Banks, Timeline
from cogir.psyneulink.state.lazy_values import Held, look_up, put, references
from cogir.runtime.plan import Floats, Leaf, Plan, Words


class Simulated:
    """The counts of what the searches of one controller simulate, as far as they do not depend on values."""

    def __init__(self, timeline: Timeline, controller: ControllerTwin, *, named: bool):
        """`named`: each simulation gets a name, with its number."""
        self.named = named
        self.controller, self.key = controller.controller, timeline.key
        self.offset = controller.found["searches"].offset
        self.composition = self.controller.agent_rep
        self.is_after, self.timeline = controller.is_after, timeline
        self.simulations = int(np.prod([len(levels_of(axis)) for axis in search_space_of(self.controller.function)]))
        parts = set(compositions_in(self.composition))
        self.counts: list[tuple[Any, int]] = []
        """What is executed in each simulated trial, and how often."""
        for count in timeline.counts:
            called = self.calls(count.component) if timeline.owner.get(count.component) in parts else None
            if called and count.in_trial is None:
                self.counts.append((count.component, called))
        self.searching: list[tuple[Any, int]] = []
        """The controllers of nested Compositions, which search in each simulated trial, and how often."""
        for part in parts - {self.composition}:
            if simulations_of(part) and (called := self.calls(part)):
                self.searching.append((part.controller, called))

    def calls(self, node: Any) -> int | None:
        """How often a node is called in each trial of the Composition, searches of those between them included; None if trials differ."""
        calls = 1
        while node is not self.composition:
            owner = self.timeline.owner[node]
            trace = self.timeline.trace(owner)
            if trace is None:
                return None
            calls *= trace.calls[node] * (1 if owner is self.composition else 1 + simulations_of(owner))
            node = owner
        return calls

    def number(self, before: Words, after: Words) -> None:
        """
        Advances PsyNeuLink's counter of simulations, from which it makes names, by the searches in some trials, between these banks si, if
        they are not recorded.
        """
        searches = int(after[self.offset] - before[self.offset])
        if searches and not self.named:
            take_numbers(self.controller, self.key, searches * self.simulations)

    def advance(self, before: Banks, after: Banks, trials: int) -> None:
        """Counts the simulations of the searches in some trials that are over."""
        searches = int(after.si[self.offset] - before.si[self.offset])
        if not searches:
            return
        trials_simulated = int(self.controller.parameters.num_trials_per_estimate.get(self.key) or 1)
        is_last = self.is_after and (trials == 1 or acts_always(self.composition))
        for component, calls in (*self.counts, *self.searching):
            executed = component.parameters.execution_count
            executed.values[None] = np.array(int(executed.values[None]) + searches * self.simulations * trials_simulated * calls)
        if is_last:
            for mechanism, calls in self.counts:
                mechanism.parameters.num_executions.values[None] = self.last(mechanism, calls * trials_simulated)

    def last(self, mechanism: Any, executions: int) -> Any:
        """The count of the last simulation, which is a run of its own, from that of the trial before it."""
        time = copy(mechanism.parameters.num_executions.values[self.key])
        time.life += executions
        if mechanism in self.composition.nodes:
            time.environment_sequence = 0
        time.environment_sequence += executions
        return time


def simulations_of(composition: Any) -> int:
    """How many trials the controller of a Composition simulates in each of its trials; 0 if it does not search in all of them."""
    controller = composition.controller
    if not hasattr(controller, "agent_rep") or not composition.enable_controller or not acts_always(composition):
        return 0
    samples = [len(levels_of(axis)) for axis in search_space_of(controller.function)]
    return int(np.prod(samples)) * int(controller.parameters.num_trials_per_estimate.get() or 1)


class Recorded:
    """The record of one controller, from which PsyNeuLink gets the results of simulations and their names."""

    def __init__(self, twin: ControllerTwin, path: str, plan: Plan, ports: Sequence[Any], leaves: Sequence[Leaf]):
        """`path`: that of the controller in the model; `ports`: those of the output CIM; `leaves`: where the model has what they hold."""
        self.twin, self.controller, self.composition = twin, twin.controller, twin.controller.agent_rep
        self.key = twin.key
        self.search = self.controller.function
        """To ask the controller for it is to look at a Parameter, so that all that is owed is written."""
        self.rows, self.count = (plan.leaves[f"{path}/record:{what}"] for what in ("rows", "count"))
        self.shapes = Shapes(ports, leaves)
        widths = [len(self.controller.control_signals), *(leaf.size for leaf in leaves)]
        self.columns = np.cumsum(widths)[:-1]
        """Where in a row the outputs begin, after the levels."""

    @property
    def room(self) -> int:
        """For how many searches there is room."""
        return self.rows.shape[0]

    def begin(self, si: Words) -> None:
        """Some trials begin, in which nothing has been simulated."""
        si[self.count.offset] = 0

    def lacks_room(self, si: Words) -> bool:
        """True if there have been more searches than there is room for."""
        return bool(si[self.count.offset] > self.room)

    def taken(self, sf: Floats, si: Words) -> Floats:
        """The record of the last trials: (simulations, words)."""
        searches = int(si[self.count.offset])
        return sf[self.rows.words].reshape(self.rows.shape)[:searches].reshape(-1, self.rows.shape[2]).copy()

    def add(self, rows: Floats) -> None:
        """Adds what has been simulated in some trials to the lists, which are made when somebody looks at them."""
        if not len(rows):
            return
        levels, *outputs = np.split(rows, self.columns, axis=1)
        like = np.asarray([next(iter(list_of(axis) or axis())) for axis in search_space_of(self.search)])
        first = take_numbers(self.controller, self.key, len(rows))
        results, names = self.composition.parameters.simulation_results, self.controller.parameters.simulation_ids
        further_of(results).add(self.key, lambda: self.shapes.trials(outputs, len(rows)))
        further_of(names).add(self.key, lambda: self.named(levels, like, first))

    def named(self, levels: Floats, like: np.ndarray[Any, Any], first: int) -> list[str]:
        """The names of simulations with these levels, of which those of estimates come last, numbered from `first` on."""
        if self.twin.seeds is not None:
            levels = np.insert(levels[:, :-1], self.twin.seeds.axis, levels[:, -1], axis=1)
        context = new_context(self.key)
        context.composition = self.composition
        texts: dict[bytes, str] = {}
        for row in levels:
            if row.tobytes() not in texts:
                texts[row.tobytes()] = str(row.astype(like.dtype).reshape(like.shape))
        counter = SimpleNamespace(_sim_counts={self.key: first}, _sim_count_lock=nullcontext())  # in place of the controller's own
        kind = cast("Any", type(self.controller))
        return [kind.get_next_sim_id(counter, context, texts[row.tobytes()]) for row in levels]


def take_numbers(controller: Any, key: Any, count: int) -> int:
    """Advances the counter of simulations of a controller; returns the number of the first of so many."""
    with controller._sim_count_lock:
        counts: dict[Any, int] = controller._sim_counts
        first = counts.get(key, 0)
        counts[key] = first + count
    return first


class Further(Held):
    """The lists that a Parameter holds, by execution context, and what is to be added to them when somebody looks at the Parameter."""

    __slots__ = ("owed", "quiet")

    def __init__(self, values: dict[Any, Any]):
        super().__init__(values, self)
        self.owed: deque[tuple[Any, Callable[[], Iterable[Any]]]] = deque()
        self.quiet = False

    def add(self, key: Any, made: Callable[[], Iterable[Any]]) -> None:
        """What `made` returns is owed to a list; it is added at once where something else refers to the list, as a script may."""
        self.owed.append((key, made))
        self.quiet = True
        if references(self, key):
            self.settle()

    def forget(self, key: Any) -> None:
        """Nothing is owed to the list of a context, and nothing is in it."""
        self.owed = deque(one for one in self.owed if one[0] != key)
        found: Any = look_up(self, key)
        if isinstance(found, list):
            found.clear()

    def settle(self) -> None:
        """Adds what is owed; after Ctrl-C the rest is still owed. Where there is no list, PsyNeuLink begins one with the next run."""
        while self.owed:
            key, made = self.owed[0]
            more = list(made())
            if not isinstance(look_up(self, key), list):
                put(self, key, [])
            held: Any = look_up(self, key)
            held += more
            del self.owed[0]  # Ctrl-C comes after calls, and so not before this
        self.quiet = False


def further_of(parameter: Any) -> Further:
    """The lists of a Parameter, which are made to tell when somebody looks at them."""
    attributes = parameter.__dict__
    held = attributes["values"]
    if not isinstance(held, Further):
        attributes["values"] = held = Further(held)
    return held


def recorded_in(imported: Imported, *, is_executed: bool, prefix: str = "") -> Iterator[str]:
    """
    The paths of the controllers of whose simulations something is kept: of nested Compositions, and of the outermost one if that
    `is_executed`, and is not run.
    """
    if imported.control is not None and imported.composition.enable_controller and (prefix or is_executed):
        yield f"{prefix}{imported.control.name}"
    for composition, inner in imported.inner.items():
        yield from recorded_in(inner, is_executed=is_executed, prefix=f"{prefix}{imported.nodes[composition].name}/")


def forget_simulations(composition: Any, key: Any) -> None:
    """After a trial PsyNeuLink keeps nothing of the simulations before, such as those of evaluations by a script, unless it is told to."""
    controller, kept = composition.controller, composition.parameters
    if controller is None or look_up(kept.retain_old_simulation_data.values, None):
        return
    for parameter in (kept.simulation_results, controller.parameters.simulation_ids):
        if not parameter.retain_old_simulation_data:
            further_of(parameter).forget(key)
