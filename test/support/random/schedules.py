"""
Random schedules, as conditions of `cogir.model.scheduler` and, beside each, a recipe for the same of graph_scheduler.

Nodes are called "0" to "7": graph_scheduler iterates Python sets, which hold small integers in ascending order, so that its order
within a layer is that of the text here.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from random import Random
from typing import Any

import graph_scheduler as gs

from cogir.model import conditions as s
from cogir.model.conditions import SCALES, Condition, TimeScale
from cogir.model.layers import layers_of
from cogir.model.schedule import Schedule

SCALE_OF_THEIRS = dict(zip(SCALES, gs.TimeScale, strict=True))
DATA_KINDS = ("when_finished", "when_finished_any", "when_finished_all", "threshold", "while")
KINDS = ("always", "calls", "calls_combined", "every_n_calls", "elapsed", "just_ran", "all_have_run", *DATA_KINDS)
COMPOSITE_KINDS = ("all", "any", "not", "n_when")

Recipe = Callable[[], Any]
"""Makes graph_scheduler's condition; a new one each time, as theirs have an owner."""


class World:
    """A stand-in for a model: who has finished, and what ports hold, change with every execution."""

    def __init__(self, seed: int):
        self.seed = seed
        self.executions: dict[str, int] = {}

    def execute(self, nodes: tuple[str, ...]) -> None:
        """The nodes execute."""
        for node in nodes:
            self.executions[node] = self.executions.get(node, 0) + 1

    def finished(self, node: str) -> bool:
        """Changes often."""
        return (self.executions.get(node, 0) * 5 + self.seed + int(node)) % 3 == 0

    def read(self, node: str, kind: s.Kind, name: str) -> float:
        """Multiples of a half between 0 and 5."""
        return ((self.executions.get(node, 0) * 7 + self.seed + int(node) * 3) % 11) / 2.0


class TheirNode(int):
    """A node for graph_scheduler; it asks the world on its behalf."""

    world = World(0)

    def is_finished(self, execution_id: object) -> bool:
        """What WhenFinished asks."""
        return TheirNode.world.finished(str(int(self)))

    @property
    def value(self) -> float:
        """What Threshold reads."""
        return TheirNode.world.read(str(int(self)), "port", "value")


class JustRan(gs.Condition):
    """Theirs raises IndexError before the first set of all; nobody just ran then."""

    def __init__(self, node: TheirNode):
        theirs = gs.JustRan(node)

        def func(scheduler: Any = None, execution_id: Any = None) -> bool:
            if not scheduler.execution_list[execution_id]:
                return False
            return theirs.is_satisfied(scheduler=scheduler, execution_id=execution_id)

        super().__init__(func)


@dataclass
class RandomSchedule:
    """A drawn schedule and the recipes for graph_scheduler's."""

    graph: dict[str, tuple[str, ...]]
    schedule: Schedule
    when: dict[str, Recipe] = field(default_factory=dict[str, Recipe])
    trial_ends: Recipe = gs.AllHaveRun
    run_ends: Recipe = gs.Never


class Drawing:
    """Draws schedules with one generator. Without `data`, conditions only count."""

    def __init__(self, seed: int, *, data: bool = True):
        self.random = Random(seed)
        self.data = data
        self.keys = count()
        self.nodes = [str(node) for node in range(self.random.randint(1, 6))]

    def schedule(self, *, resets: bool = False) -> RandomSchedule:
        """A schedule for a random graph. Most trials have few passes."""
        random = self.random
        sparse = 0.0 if random.random() < 0.3 else 0.35
        graph = {node: tuple(other for other in self.nodes if other < node and random.random() < sparse) for node in self.nodes}
        drawn = RandomSchedule(graph, Schedule(layers_of(graph), {}))
        when: dict[str, Condition] = {}
        for node in self.nodes:
            if random.random() < 0.4:
                when[node] = s.default_condition(graph[node])
            else:
                when[node], drawn.when[node] = self.condition(node)
        trial_ends, drawn.trial_ends = (s.AllHaveRun(), gs.AllHaveRun) if random.random() < 0.3 else self.condition(None)
        if random.random() < 0.7:
            passes, recipe = random.randint(1, 6), drawn.trial_ends
            trial_ends = s.Any((trial_ends, s.Elapsed(TimeScale.PASS, ">=", passes, TimeScale.TRIAL)))
            drawn.trial_ends = lambda: gs.Any(recipe(), gs.AfterNPasses(passes))
        run_ends, drawn.run_ends = (s.Never(), gs.Never) if random.random() < 0.6 else self.condition(None, n_when=False)
        reset = {node: self.condition(None)[0] for node in self.nodes if resets and random.random() < 0.1}
        drawn.schedule = Schedule(drawn.schedule.layers, when, trial_ends, run_ends, reset)
        return drawn

    def condition(self, owner: str | None, depth: int = 2, *, n_when: bool = True) -> tuple[Condition, Recipe]:
        """A condition of a node, or of a termination (no owner: EveryNCalls has no meaning then)."""
        kinds = [kind for kind in KINDS if (self.data or kind not in DATA_KINDS) and (owner is not None or kind != "every_n_calls")]
        if depth:
            kinds += [kind for kind in COMPOSITE_KINDS if n_when or kind != "n_when"] * 2
        kind = self.random.choice(kinds)
        if kind in COMPOSITE_KINDS:
            parts = [self.condition(owner, depth - 1, n_when=n_when) for _ in range(self.random.randint(1, 3))]
            return self._composite(kind, parts)
        return self._plain(kind)

    def _composite(self, kind: str, parts: list[tuple[Condition, Recipe]]) -> tuple[Condition, Recipe]:
        ours, theirs = [part for part, _ in parts], [recipe for _, recipe in parts]
        match kind:
            case "all":
                return s.All(tuple(ours)), lambda: gs.All(*(recipe() for recipe in theirs))
            case "any":
                return s.Any(tuple(ours)), lambda: gs.Any(*(recipe() for recipe in theirs))
            case "not":
                return s.Not(ours[0]), lambda: gs.Not(theirs[0]())
            case _:
                n = self.random.randint(0, 4)
                return s.NWhen(ours[0], n, next(self.keys)), lambda: gs.NWhen(theirs[0](), n)

    def _plain(self, kind: str) -> tuple[Condition, Recipe]:
        random = self.random
        node, n, scale = random.choice(self.nodes), random.randint(0, 4), random.choice(SCALES)
        some = tuple(random.sample(self.nodes, random.randint(0, len(self.nodes))))
        their_node, their_scale, theirs = TheirNode(node), SCALE_OF_THEIRS[scale], [TheirNode(other) for other in some]
        match kind:
            case "always":
                return (s.Never(), gs.Never) if random.random() < 0.15 else (s.Always(), gs.Always)
            case "calls":
                relation = random.choice(("<", "==", ">", ">="))
                name = {"<": gs.BeforeNCalls, "==": gs.AtNCalls, ">": gs.AfterCall, ">=": gs.AfterNCalls}[relation]
                return s.Calls(node, relation, n, scale), lambda: name(their_node, n, time_scale=their_scale)
            case "calls_combined":
                return s.CallsCombined(some, n, scale), lambda: gs.AfterNCallsCombined(*theirs, n=n, time_scale=their_scale)
            case "every_n_calls":
                return s.EveryNCalls(node, n), lambda: gs.EveryNCalls(their_node, n)
            case "elapsed":
                return self._elapsed()
            case "just_ran":
                return s.JustRan(node), lambda: JustRan(their_node)
            case "all_have_run":
                return s.AllHaveRun(some, scale), lambda: gs.AllHaveRun(*theirs, time_scale=their_scale)
            case "when_finished":
                return s.WhenFinished(node), lambda: gs.WhenFinished(their_node)
            case "when_finished_any":
                return s.WhenFinishedAny(some), lambda: gs.WhenFinishedAny(*theirs)
            case "when_finished_all":
                return s.WhenFinishedAll(some), lambda: gs.WhenFinishedAll(*theirs)
            case "threshold":
                relation = random.choice(("<", "<=", "==", "!=", ">=", ">"))
                value, atol, rtol = random.randint(0, 10) / 2, random.choice((0.0, 0.0, 0.5, 1.0)), random.choice((0.0, 0.0, 0.1))
                ours = s.Threshold(node, "port", "value", relation, value, atol, rtol)
                return ours, lambda: gs.Threshold(their_node, "value", value, relation, atol=atol, rtol=rtol)
            case _:
                predicate = s.While(lambda model: float(str(model.read(node, "port", "value"))) > 2.0)
                return predicate, lambda: gs.While(lambda: their_node.value > 2.0)

    def _elapsed(self) -> tuple[Condition, Recipe]:
        random = self.random
        n = random.randint(0, 5)
        match random.choice(("time_step", "pass", "trial", "run", "trial_start", "trial_n_start", "run_start", "run_n_start")):
            case "trial_start":
                return s.at_start(TimeScale.TRIAL), gs.AtEnvironmentStateUpdateStart
            case "trial_n_start":
                scale = random.choice((TimeScale.RUN, TimeScale.LIFE))
                there = s.Elapsed(TimeScale.TRIAL, "==", n, scale)
                theirs = SCALE_OF_THEIRS[scale]
                return s.All((s.at_start(TimeScale.TRIAL), there)), lambda: gs.AtEnvironmentStateUpdateNStart(n, theirs)
            case "run_start":
                return s.at_start(TimeScale.RUN), gs.AtEnvironmentSequenceStart
            case "run_n_start":
                there = s.Elapsed(TimeScale.RUN, "==", n, TimeScale.LIFE)
                return s.All((s.at_start(TimeScale.RUN), there)), lambda: gs.AtEnvironmentSequenceNStart(n)
            case "run":
                relation = random.choice(("==", ">", ">="))
                name = {"==": gs.AtEnvironmentSequence, ">": gs.AfterEnvironmentSequence, ">=": gs.AfterNEnvironmentSequences}[relation]
                return s.Elapsed(TimeScale.RUN, relation, n, TimeScale.LIFE), lambda: name(n)
            case unit_name:
                unit = TimeScale[unit_name.upper()]
                # They do not count within a pass, where we do.
                within = random.choice([scale for scale in SCALES if scale > unit and scale != TimeScale.PASS])
                relation = random.choice(("<", "==", ">", ">=", *(("every",) if unit == TimeScale.PASS else ())))
                n += relation == "every"
                name = THEIR_CLOCK_CONDITIONS[unit, relation]
                return s.Elapsed(unit, relation, n, within), lambda: name(n, time_scale=SCALE_OF_THEIRS[within])


THEIR_CLOCK_CONDITIONS: dict[tuple[TimeScale, str], Any] = {
    (TimeScale.TIME_STEP, "<"): gs.BeforeConsiderationSetExecution,
    (TimeScale.TIME_STEP, "=="): gs.AtConsiderationSetExecution,
    (TimeScale.TIME_STEP, ">"): gs.AfterConsiderationSetExecution,
    (TimeScale.TIME_STEP, ">="): gs.AfterNConsiderationSetExecutions,
    (TimeScale.PASS, "<"): gs.BeforePass,
    (TimeScale.PASS, "=="): gs.AtPass,
    (TimeScale.PASS, ">"): gs.AfterPass,
    (TimeScale.PASS, ">="): gs.AfterNPasses,
    (TimeScale.PASS, "every"): gs.EveryNPasses,
    (TimeScale.TRIAL, "<"): gs.BeforeEnvironmentStateUpdate,
    (TimeScale.TRIAL, "=="): gs.AtEnvironmentStateUpdate,
    (TimeScale.TRIAL, ">"): gs.AfterEnvironmentStateUpdate,
    (TimeScale.TRIAL, ">="): gs.AfterNEnvironmentStateUpdates,
}


def kinds_in(schedule: Schedule) -> Iterator[str]:
    """The names of the classes of all conditions in a schedule."""
    for condition in schedule.conditions():
        yield type(condition).__name__
