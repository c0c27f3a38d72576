"""
What is known about a model before its first operation is written: instances with their paths, programs, counters.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import assert_never

from cogir.analysis.flags import Acting, Effects, acting_inside
from cogir.dialects.cog import ChooseOp, GridSearchOp, ModelOp, NodeOp, ProgramOp
from cogir.errors import FAILED, ModelError
from cogir.interpreters.flags import flag_path
from cogir.model import conditions as s
from cogir.model.conditions import TimeScale
from cogir.model.graph import Executable, ModelGraph, resolve, simulated_model
from cogir.model.program import Counted
from cogir.model.read_schedule import question_of, schedule_of
from cogir.model.schedule import Schedule

TIMES_LOGGED = ((TimeScale.TRIAL, TimeScale.LIFE), (TimeScale.PASS, TimeScale.TRIAL), (TimeScale.TIME_STEP, TimeScale.PASS))
"""The units of time with which an entry of a log begins, each counted from 0 within a wider one."""


def counting_scale(scale: TimeScale) -> TimeScale:
    """The scale whose counter of calls is read: calls of a time step are counted from pass to pass."""
    return TimeScale.PASS if scale == TimeScale.TIME_STEP else scale


def can_be_unfinished(executable: Executable) -> bool:
    """True if an execution can leave this node unfinished."""
    return isinstance(executable.op, NodeOp) and executable.op.yield_op.finished is not None


@dataclass(frozen=True)
class Paths:
    """The paths of the slots of one model, below its prefix."""

    prefix: str

    def slot(self, owner: str, kind: str, name: str) -> str:
        """`owner/kind:name`, for the kinds param, port, state, random, limit."""
        return f"{self.prefix}{owner}/{kind}:{name}"

    def matrix(self, projection: str) -> str:
        """The matrix of a projection."""
        return f"{self.prefix}{projection}/matrix"

    def values(self, controller: str) -> str:
        """The values of all points of a controller's last search."""
        return f"{self.prefix}{controller}/values"

    def record_rows(self, controller: str) -> str:
        """The results of the simulations of a controller's searches."""
        return f"{self.prefix}{controller}/record:rows"

    def record_count(self, controller: str) -> str:
        """The number of searches that its record has seen."""
        return f"{self.prefix}{controller}/record:count"

    def calls(self, node: str, scale: TimeScale) -> str:
        """The number of a node's calls in the present unit of `scale`."""
        return f"{self.prefix}{node}/calls:{counting_scale(scale).name.lower()}"

    def usable(self, dependency: str, owner: str) -> str:
        """The number of calls of `dependency` since the last call of `owner`."""
        return f"{self.prefix}{owner}/calls_of:{dependency}"

    def elapsed(self, unit: TimeScale, within: TimeScale) -> str:
        """The number of units that have passed in the present wider unit."""
        return f"{self.prefix}clock:{unit.name.lower()}:{within.name.lower()}"

    def satisfied(self, key: int) -> str:
        """The number of times that an `n_when` has held."""
        return f"{self.prefix}n_when:{key}"

    def just_ran(self, node: str) -> str:
        """1 if the node was in the last set."""
        return f"{self.prefix}{node}/just_ran"

    def counter(self, name: str) -> str:
        """The counter that a `cog.choose` or `cog.advance` of this model calls `name`."""
        return f"{self.prefix}{name}"

    def have_run(self, scale: TimeScale) -> str:
        """The number of nodes of the model that have been called in the present unit of `scale`."""
        return f"{self.prefix}have_run:{counting_scale(scale).name.lower()}"

    def log_rows(self, node: str) -> str:
        """The logged values of a node's ports after its executions."""
        return f"{self.prefix}{node}/log:rows"

    def log_count(self, node: str) -> str:
        """The number of executions that its log has seen."""
        return f"{self.prefix}{node}/log:count"

    def flag(self, node: str, kind: str) -> str:
        """The number of times that a flag of the node has been raised in this trial."""
        return f"{self.prefix}{flag_path(node, kind)}"

    def finished(self, node: str) -> str:
        """1 if the node's last execution left it finished."""
        return f"{self.prefix}{node}/finished"


@dataclass
class InstancePlan:
    """One model at one place: the root, or an instance inside another model."""

    prefix: str
    graph: ModelGraph
    schedule: Schedule
    program: ProgramOp | None
    """The programs of trials if they are known now; otherwise the schedule decides in a loop of passes."""
    children: dict[str, InstancePlan] = field(default_factory=dict[str, "InstancePlan"])
    """The instances inside, by name."""
    logged: dict[str, list[str]] = field(default_factory=dict[str, "list[str]"])
    """The nodes that are logged, and the paths of the ports and states that are. Their trials are loops of passes, which know the time."""
    effects: Effects = field(default_factory=dict[str, Sequence[Acting]])
    """The modulations of its parameters from outside of it."""
    shadows: dict[str, InstancePlan] = field(default_factory=dict[str, "InstancePlan"])
    """Other models that controllers simulate and that are not instances inside, by the name of the model; never run in earnest."""

    @property
    def model(self) -> ModelOp:
        """The model."""
        return self.graph.model

    @cached_property
    def paths(self) -> Paths:
        """The paths of its slots."""
        return Paths(self.prefix)

    @property
    def limit_name(self) -> str:
        """The name in the status of a trial that takes too many passes."""
        return f"{self.prefix}schedule of {self.graph.name}"

    @cached_property
    def fails(self) -> dict[str, str]:
        """The names in the status of a trial in which a state that must be zero is not, by the path of that state."""
        found: dict[str, str] = {}
        for op in self.model.schedule.fails if self.model.schedule is not None else ():
            node = op.node.root_reference.data
            found[self.paths.slot(node, "state", op.state.data)] = f"{self.prefix}{node}{FAILED}{op.message.data}"
        return found

    @cached_property
    def checked(self) -> dict[str, str]:
        """The names in a status of the nodes and projections whose bodies say what went wrong in them, by their names in this model."""
        bodies = [(each.name, each.op) for each in self.graph if isinstance(each.op, NodeOp)]
        bodies += [(each.name, each.op) for each in self.graph.projections if each.op.body is not None]
        return {name: f"{self.prefix}{name}" for name, op in bodies if op.yield_op.checked is not None}

    @cached_property
    def can_fail(self) -> bool:
        """True if a trial can be given up."""
        return not self.static or any(one.fails or one.checked for one in self.walk())

    @cached_property
    def static(self) -> bool:
        """True if this trial and those of all models inside are programs, which always end."""
        return self.program is not None and all(child.static for child in (*self.children.values(), *self.shadows.values()))

    def walk(self) -> Iterator[InstancePlan]:
        """This instance and all inside it."""
        yield self
        for child in (*self.children.values(), *self.shadows.values()):
            yield from child.walk()

    def inside(self) -> Iterator[InstancePlan]:
        """This instance and all that run in its trial."""
        yield self
        for child in self.children.values():
            yield from child.inside()

    def simulated(self, controller: GridSearchOp) -> tuple[InstancePlan, str | None]:
        """The plan of the model that a controller simulates, and the name of the instance if that is one inside this model."""
        model = simulated_model(controller)
        if model is None:
            raise ModelError(f"cog.grid_search @{controller.sym_name.data}: the module has no cog.model of the name that it simulates")
        if model is self.model:
            return self.unlogged, None
        instances = [name for name, child in self.children.items() if child.model is model]
        if len(instances) == 1:
            return self.children[instances[0]].unlogged, instances[0]
        return self.shadows[model.sym_name.data], None

    @cached_property
    def unlogged(self) -> InstancePlan:
        """This plan for simulations, of which nothing is logged: their trials may be programs where others are loops of passes."""
        is_logged = any(one.logged for one in self.inside())
        return make_plan(self.graph, self.prefix, effects=self.effects) if is_logged else self

    @cached_property
    def live_conditions(self) -> tuple[s.Condition | Counted, ...]:
        """The conditions that are asked at run time, with their parts, and what a choice between programs asks."""
        outer = (self.schedule.run_ends, *self.schedule.resets.values(), *self.schedule.asides.values())
        if self.program is None:
            outer = (*self.schedule.when.values(), self.schedule.trial_ends, *outer)
        choices = [] if self.program is None else [question_of(op) for op in self.program.walk() if isinstance(op, ChooseOp)]
        return (*choices, *(part for condition in outer for part in s.walk(condition)))

    @cached_property
    def watched(self) -> frozenset[str]:
        """The nodes of which a condition asks whether they are finished, as far as their bodies say so."""
        asked: set[str] = set()
        for condition in self.live_conditions:
            match condition:
                case s.WhenFinished(node):
                    asked.add(node)
                case s.WhenFinishedAny(nodes) | s.WhenFinishedAll(nodes):
                    asked.update(nodes or self.graph.nodes)
                case _:
                    pass
        return frozenset(name for name in asked if can_be_unfinished(self.graph[name]))

    @cached_property
    def counters(self) -> dict[str, None]:
        """The paths of all counters and clocks that live conditions read: those of one time scale side by side."""
        paths, found = self.paths, dict[str, None]()

        def need(*needed: str) -> None:
            found.update(dict.fromkeys(needed))

        for condition in self.live_conditions:
            match condition:
                case s.Calls(node, _, _, scale):
                    need(paths.calls(node, scale))
                case s.CallsCombined(nodes, _, scale):
                    need(*(paths.calls(node, scale) for node in nodes))
                case s.AllHaveRun(nodes, scale) if not nodes or set(nodes) == set(self.graph.nodes):
                    need(paths.have_run(scale), *(paths.calls(node, scale) for node in self.graph.nodes))
                case s.AllHaveRun(nodes, scale):
                    need(*(paths.calls(node, scale) for node in nodes))
                case s.Elapsed(unit, _, _, within):
                    need(paths.elapsed(unit, within))
                case s.JustRan(node):
                    need(paths.just_ran(node))
                case s.NWhen(_, _, key):
                    need(paths.satisfied(key))
                case Counted(counters):
                    need(*(paths.counter(name) for name in counters))
                case s.EveryNCalls() | s.WhenFinished() | s.WhenFinishedAny() | s.WhenFinishedAll() | s.Threshold() | s.While():
                    pass
                case s.Always() | s.Never() | s.All() | s.Any() | s.Not():
                    pass
                case _:
                    assert_never(condition)
        need(*self.usable)
        if self.logged:
            need(*(paths.elapsed(unit, within) for unit, within in TIMES_LOGGED))
            need(*map(paths.log_count, self.logged))
        return dict.fromkeys(sorted(found, key=_family))

    @cached_property
    def used_by(self) -> dict[str, tuple[str, ...]]:
        """user -> the nodes whose calls its EveryNCalls use."""
        if self.program is not None:
            return {}
        asked = {
            owner: dict.fromkeys(part.node for part in s.walk(condition) if isinstance(part, s.EveryNCalls))
            for owner, condition in self.schedule.when.items()
        }
        return {owner: tuple(nodes) for owner, nodes in asked.items() if nodes}

    @cached_property
    def users_of(self) -> dict[str, tuple[str, ...]]:
        """node -> the nodes whose EveryNCalls use its calls."""
        found: dict[str, list[str]] = {}
        for user, dependencies in self.used_by.items():
            for dependency in dependencies:
                found.setdefault(dependency, []).append(user)
        return {node: tuple(users) for node, users in found.items()}

    @cached_property
    def used_singly(self) -> frozenset[tuple[str, str]]:
        """The pairs (node, user) of which conditions ask only whether there is a call to use, not how many."""
        asked = {
            (part.node, owner, part.n)
            for owner, condition in self.schedule.when.items()
            for part in s.walk(condition)
            if isinstance(part, s.EveryNCalls)
        }
        several = {(node, owner) for node, owner, n in asked if n != 1}
        return frozenset((node, owner) for node, owner, _ in asked if (node, owner) not in several)

    @cached_property
    def usable(self) -> tuple[str, ...]:
        """The paths of all usable calls."""
        return tuple(self.paths.usable(node, owner) for owner, nodes in self.used_by.items() for node in nodes)


def make_plan(graph: ModelGraph, prefix: str = "", logged: Sequence[str] = (), effects: Effects = {}) -> InstancePlan:
    """
    The plan of a model and of all models inside it; `logged`: the paths of ports of which the values after each execution are kept;
    `effects`: what modulates its parameters from outside of it.
    """
    schedule = schedule_of(graph)
    children = {
        executable.name: make_plan(executable.inner, f"{prefix}{executable.name}/", logged, acting_inside(graph, executable, effects))
        for executable in graph
        if executable.inner is not None
    }
    own = _logged(graph, prefix, logged)
    plan = InstancePlan(prefix, graph, schedule, None if own else _program(graph, schedule), children, own, effects)
    for controller in graph.model.controllers:
        model = simulated_model(controller)
        if model is not None and model is not graph.model and sum(child.model is model for child in children.values()) != 1:
            name = model.sym_name.data
            plan.shadows.setdefault(name, make_plan(resolve(model), f"{prefix}{name}/"))
    return plan


def _logged(graph: ModelGraph, prefix: str, logged: Sequence[str]) -> dict[str, list[str]]:
    """The nodes of a model of which ports or states are logged, and the paths of these."""
    found: dict[str, list[str]] = {}
    for executable in graph:
        if isinstance(executable.op, NodeOp):
            ports = [Paths(prefix).slot(executable.name, "port", name) for name, _ in executable.op.outputs]
            states = [Paths(prefix).slot(executable.name, "state", name) for name, _ in executable.op.states]
            if chosen := [path for path in (*ports, *states) if path in logged]:
                found[executable.name] = chosen
    return found


def _program(graph: ModelGraph, schedule: Schedule) -> ProgramOp | None:
    """
    The static program of a trial, if there is one and if it says enough: it does not know the passes, so a reset or a
    termination of the run that asks for passes or time steps needs the loop.
    """
    program = graph.model.schedule.program if graph.model.schedule is not None else None
    outer = (schedule.run_ends, *schedule.resets.values())
    if program is None or any(_asks_for_passes(part) for condition in outer for part in s.walk(condition)):
        return None
    asides = schedule.asides.values()
    return None if any(_asks_for_passes(part, TimeScale.PASS) for condition in asides for part in s.walk(condition)) else program


def _asks_for_passes(condition: s.Condition, beyond: TimeScale = TimeScale.TRIAL) -> bool:
    """True if a condition counts passes or time steps, of something longer than `beyond`."""
    match condition:
        case s.Elapsed(unit, _, _, within):
            return unit <= TimeScale.PASS and within > beyond  # within the trial it is 0 when a trial begins
        case s.Calls(_, _, _, scale) | s.CallsCombined(_, _, scale) | s.AllHaveRun(_, scale):
            return scale <= TimeScale.PASS
        case _:
            return False


def _family(path: str) -> str:
    """Counters that are zeroed together have the same family."""
    if "/calls:" in path:
        return "calls:" + path.rpartition(":")[2]
    return "calls_of" if "/calls_of:" in path else path
