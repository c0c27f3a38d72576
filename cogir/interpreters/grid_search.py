"""
The meaning of `cog.grid_search`: try every combination of the signals' levels on a copy of the model, and keep the best.

    points      row-major: the first signal is the slowest axis
    state       every simulation starts from a copy of the state before the search, generators included, so all points see
                the same draws and none of these draws is used up; but its scheduler is new (trial 0 of run 0, all counts 0)
    simulation  `trials_per_estimate` trials of a run of their own, with the point's levels as the controller's signals. Inputs
                are the features, or those of the trial. Resets and the run's termination condition act; controllers rest.
    outcome     what the objective's port holds in the end
    cost        of a signal: the sum of its enabled costs, with `clip` at least 0:
                intensity f(level), adjustment f(|level - signal in force|), duration (sum so far) + f(level);
                total: the first result of f(level, signal in force, sum so far), whose second is the next sum
    value       outcome - sum of the signals' costs, from left to right
    estimates   n > 1: n simulations per point, in which every generator of the model is seeded anew; the value is the mean
                of theirs. Seeds: `same` base + i at every point, `per_point` base + point * n + i (i = 0 .. n - 1).
                Or, with `cog.estimates`, n simulations with that port at n values, the same ones at every point, which may seed
                generators as any parameter can; the first value of the next search is `advance` further on
    choice      see `choose`
    afterwards  the signals hold the chosen levels, and duration costs have grown by that of the chosen level; a controller that
                keeps something has the number of searches, the index and the value of the chosen point, what the objective, the
                signals and the inputs were before, and, if wanted, the values of all points

`of @model` simulates another model: from the state of its instance in the enclosing model, if there is exactly one (the
controller's modulations of that instance act), otherwise from its initial state (the controller's modulations of nodes of
that name act).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import isinf, prod
from typing import Protocol, cast

import numpy as np
from xdsl.dialects.builtin import SymbolRefAttr

from cogir.dialects import cog
from cogir.errors import ModelError
from cogir.interpreters import func
from cogir.interpreters.cog_state import ControllerState, ModelState, Value
from cogir.interpreters.cog_values import Outside
from cogir.interpreters.engine import Engine
from cogir.interpreters.flags import Tally
from cogir.library.random.generators import Stream, seeded_words
from cogir.model.graph import ModelGraph, Port, resolve, simulated_model
from cogir.model.schedule import Schedule
from cogir.model.scheduler import Scheduler, SchedulerState
from cogir.streams import SIMULATED, word_of


class SearchedModel(Protocol):
    """An interpreter of a model, or of an instance of one, as far as a search uses it."""

    graph: ModelGraph
    engine: Engine
    prefix: str
    schedule: Schedule
    tally: Tally

    @property
    def inners(self) -> Mapping[str, SearchedModel]:
        """The interpreters of the instances in the model."""
        ...

    def initial_state(self) -> ModelState:
        """The state before the first run."""
        ...

    def sibling(self, graph: ModelGraph) -> SearchedModel:
        """The interpreter of another model of the module that is no part of this one."""
        ...

    def scheduler(self, state: ModelState) -> Scheduler:
        """The scheduler of this model, continuing from `state`."""
        ...

    def trial(self, state: ModelState, inputs: Sequence[Value], outside: Outside = {}, *, simulated: bool = False) -> object:
        """One trial, which changes `state`."""
        ...

    def port(self, state: ModelState, port: Port) -> Value:
        """The value of an output port."""
        ...

    def stream_kind(self, symbol: SymbolRefAttr) -> str:
        """The kind of a generator: "mt19937", ..."""
        ...

    def outside_of_instance(self, name: str, state: ModelState, outside: Outside) -> Outside:
        """The modulations that act on an instance from this model, and from outside of it."""
        ...


@dataclass(frozen=True)
class Search:
    """The result of a search: the chosen levels, their value, and the values of all points in row-major order."""

    allocation: tuple[float, ...]
    value: float
    values: tuple[float, ...]


def search(model: SearchedModel, state: ModelState, op: cog.GridSearchOp, inputs: Sequence[Value], outside: Outside) -> Search:
    """Runs the search of a controller, and puts its choice into `state`."""
    controller = state.controllers[op.sym_name.data]
    simulation = Simulation(model, state, op, inputs, outside)
    points = list(product(*(signal.level_values for signal in op.signals)))
    values: list[float] = []
    with model.tally.simulating(f"{model.prefix}{op.sym_name.data}", simulation.model.prefix):
        for index, point in enumerate(points):
            cost = cost_of(model, op, controller, point)
            values.append(mean([simulation.outcome(point, estimate) - cost for estimate in estimates_of(op, controller, index)]))
    ties = tie_stream(model, op, controller)
    chosen = choose(values, op.direction.data, ties)
    if ties is not None:
        controller.ties = ties.words
    if op.keeps is not None:
        controller.found |= {
            "value": values[chosen],
            "outcome": number(simulation.model.port(simulation.base, simulation.objective)),
            "point": chosen,
            "searches": controller.found["searches"] + 1,
            **{f"before:{name}": level for name, level in controller.signals.items()},
            **{f"input:{index}": value for index, value in enumerate(simulation.inputs)},
        }
    for signal, level in zip(op.signals, points[chosen], strict=True):
        name = signal.sym_name.data
        if signal.duration_cost is not None:
            controller.durations[name] += call(model, signal.duration_cost, level)
        if signal.total_cost is not None:
            controller.durations[name] = total_cost(model, signal.total_cost, level, controller, name)[1]
        controller.signals[name] = level
    if op.estimated is not None:
        controller.signals[op.estimated.sym_name.data] = op.estimated.levels(controller.seeds["first"])[0]
        renew(op.estimated, controller)
    if op.keeps is not None and op.keeps.data == cog.Keeps.VALUES:
        controller.values = np.array(values)
    return Search(points[chosen], values[chosen], tuple(values))


# --------------------------------------------------------------------------------------------------------- simulation


class Simulation:
    """The simulated model, and the state from which every simulation of one search starts."""

    def __init__(self, model: SearchedModel, state: ModelState, op: cog.GridSearchOp, inputs: Sequence[Value], outside: Outside):
        self.op, self.enclosing, self.state, self.outside = op, model, state, outside
        self.instance: str | None = None
        self.model, self.base = self._what_is_simulated()
        begin_anew(self.model, self.base)
        graph = self.model.graph
        given = dict(enumerate(inputs)) | {index: feature(model, state, inputs, op) for index, op in op.features.items()}
        if missing := [index for index in range(len(graph.inputs)) if index not in given]:
            raise ModelError(
                f"cog.grid_search @{op.sym_name.data}: input {missing[0]} of @{graph.name} has no value in a simulation; add a cog.feature"
            )
        self.inputs = [given[index] for index in range(len(graph.inputs))]
        self.objective = Port(op.objective.string_value(), op.resolve_objective_port(graph.model.symbols))

    def outcome(self, point: Sequence[float], estimate: Estimate) -> float:
        """The objective after the trials of one simulation."""
        state, outside = self._start(point, estimate.level)
        if estimate.seed is not None:
            seed_all(self.model, state, estimate.seed)
        scheduler = self.model.scheduler(state)
        scheduler.begin_run()
        for _ in range(self.op.trials_per_estimate.value.data):
            if scheduler.run_is_over():
                break
            self.model.trial(state, self.inputs, outside, simulated=True)
        return number(self.model.port(state, self.objective))

    def _what_is_simulated(self) -> tuple[SearchedModel, ModelState]:
        """The model, and the state that it starts from."""
        found = simulated_model(self.op)
        if found is None:
            raise ModelError(f"cog.grid_search @{self.op.sym_name.data}: the module has no cog.model of the name that it simulates")
        if found is self.enclosing.graph.model:
            return self.enclosing, self.state.copy()
        instances = [name for name, inner in self.enclosing.inners.items() if inner.graph.model is found]
        if len(instances) == 1:
            self.instance = instances[0]
            return self.enclosing.inners[self.instance], self.state.instances[self.instance].copy()
        other = self.enclosing.sibling(resolve(found))
        return other, other.initial_state()

    def _start(self, point: Sequence[float], estimated: float | None) -> tuple[ModelState, Outside]:
        """The state that the simulation of a point starts from, and what acts on its model from outside."""
        name = self.op.sym_name.data
        levels = {signal.sym_name.data: level for signal, level in zip(self.op.signals, point, strict=True)}
        if estimated is not None and self.op.estimated is not None:
            levels[self.op.estimated.sym_name.data] = estimated
        state = self.base.copy()
        if self.model is self.enclosing:
            state.controllers[name].signals.update(levels)
            return state, self.outside
        if self.instance is not None:
            around = self.state.copy()
            around.controllers[name].signals.update(levels)
            return state, self.enclosing.outside_of_instance(self.instance, around, self.outside)
        acting: dict[str, list[tuple[cog.Modulation, Value]]] = {}
        for op in self.enclosing.graph.model.modulations:
            if op.source.string_value() == name:
                signal = op.resolve_source_port(self.enclosing.graph.model.symbols)
                acting.setdefault(f"{op.target.string_value()}/{op.param.data}", []).append((op.mode.data, levels[signal]))
        return state, acting


def begin_anew(model: SearchedModel, state: ModelState) -> None:
    """The schedulers of a model and of all instances in it go back to before their first run."""
    state.scheduler = SchedulerState.at_birth(model.schedule)
    for name, inner in model.inners.items():
        begin_anew(inner, state.instances[name])


def seed_all(model: SearchedModel, state: ModelState, seed: int) -> None:
    """
    Seeds every generator of a model, and of all instances in it: those of cogir's own kind by this seed and their paths, NumPy's with the
    seed itself, as PsyNeuLink does.
    """
    for executable in model.graph:
        if isinstance(executable.op, cog.NodeOp):
            random = state.nodes[executable.name].random
            for name, type, _ in executable.op.random:
                path = f"{model.prefix}{executable.name}/random:{name}"
                is_own = type.kind.data == "xoshiro256"
                random[name] = seeded_words(type.kind.data, seed, *((word_of(path), SIMULATED) if is_own else ()))
    for name, inner in model.inners.items():
        seed_all(inner, state.instances[name], seed)


@dataclass(frozen=True)
class Estimate:
    """The difference of one simulation of a point from the others: the seed of all generators, or the port of `cog.estimates`, or none."""

    seed: int | None = None
    level: float | None = None


def estimates_of(op: cog.GridSearchOp, controller: ControllerState, point: int) -> Iterator[Estimate]:
    """The simulations of a point; a single one goes on with the model's own generators."""
    if op.estimated is not None:
        yield from (Estimate(level=level) for level in op.estimated.levels(controller.seeds["first"]))
        return
    estimates = op.estimates.value.data
    base = op.seed_base.value.data if op.seed_base is not None else 0
    if estimates == 1:
        yield Estimate()
    else:
        start = base + (point * estimates if op.seeds.data == cog.Seeds.PER_POINT else 0)
        yield from (Estimate(seed=seed) for seed in range(start, start + estimates))


def renew(op: cog.EstimatesOp, controller: ControllerState) -> None:
    """Puts the first number of the next search in the place of that of the last one."""
    controller.seeds = {"first": (controller.seeds["first"] + op.advance.value.data) % op.below.value.data}


def points_of(op: cog.GridSearchOp) -> int:
    """The number of points of the grid."""
    return prod(len(signal.level_values) for signal in op.signals)


def feature(model: SearchedModel, state: ModelState, inputs: Sequence[Value], op: cog.FeatureOp) -> Value:
    """The value of an input of a simulation: a constant, an input of the trial, or the value of a port."""
    if op.value is not None:
        return cast("Value", cog.const_value(op.value))
    if op.trial_input is not None:
        return inputs[op.trial_input.value.data]
    assert op.node is not None
    return model.port(state, Port(op.node.string_value(), op.resolve_port(model.graph.model.symbols)))


# --------------------------------------------------------------------------------------------------- costs and choice


def cost_of(model: SearchedModel, op: cog.GridSearchOp, controller: ControllerState, point: Sequence[float]) -> float:
    """The sum of the costs of all signals at a point."""
    total = 0.0
    for index, (signal, level) in enumerate(zip(op.signals, point, strict=True)):
        costs: list[float] = []
        if signal.intensity_cost is not None:
            costs.append(call(model, signal.intensity_cost, level))
        if signal.adjustment_cost is not None:
            costs.append(call(model, signal.adjustment_cost, abs(level - controller.signals[signal.sym_name.data])))
        if signal.duration_cost is not None:
            costs.append(controller.durations[signal.sym_name.data] + call(model, signal.duration_cost, level))
        if signal.total_cost is not None:
            costs.append(total_cost(model, signal.total_cost, level, controller, signal.sym_name.data)[0])
        cost = left_to_right(costs)
        if signal.clip is not None:
            cost = cost if cost > 0.0 else 0.0
        total = cost if index == 0 else total + cost
    return total


def total_cost(
    model: SearchedModel, function: SymbolRefAttr, level: float, controller: ControllerState, signal: str
) -> tuple[float, float]:
    """The cost of a level, and the sum after it."""
    meaning = func.function(model.engine.symbol(function.string_value()), model.engine)
    cost, summed = meaning(level, controller.signals[signal], controller.durations[signal])
    return cost, summed


def call(model: SearchedModel, function: SymbolRefAttr, argument: float) -> float:
    """The value of a function of the module."""
    (result,) = func.function(model.engine.symbol(function.string_value()), model.engine)(argument)
    return result


def choose(values: Sequence[float], direction: cog.Direction, ties: Stream | None) -> int:
    """
    The index of the best value. Without `ties` the first of equals; with `ties`, one of the values that are close to the
    running optimum, each as likely as the others (reservoir sampling: the n-th such value replaces it with probability 1/n).

    The order of the values matters, as in PsyNeuLink: closeness is not transitive, so the running optimum may drift.
    A first value of NaN is never replaced.
    """
    best, close = 0, 1
    for index in range(1, len(values)):
        value, optimum = values[index], values[best]
        if ties is not None and is_close(value, optimum):
            close += 1
            if ties.uniform() < 1.0 / close:
                best = index
        elif value < optimum if direction == cog.Direction.MINIMIZE else value > optimum:
            best, close = index, 1
    return best


def is_close(value: float, optimum: float) -> bool:
    """`numpy.allclose(value, optimum)`: within 1e-8 + 1e-5 |optimum|; an infinity is close to itself alone, NaN to nothing."""
    if isinf(value) or isinf(optimum):
        return value == optimum
    return abs(value - optimum) <= 1e-8 + 1e-5 * abs(optimum)


def tie_stream(model: SearchedModel, op: cog.GridSearchOp, controller: ControllerState) -> Stream | None:
    """The generator that decides between close values, where it stands now; None, if the first one wins."""
    if op.ties.data != cog.Ties.RANDOM:
        return None
    if op.tie_stream is None:
        raise ModelError(f"cog.grid_search @{op.sym_name.data}: random ties draw from a generator; write ties random @stream")
    return Stream(model.stream_kind(op.tie_stream), controller.ties)


def mean(values: Sequence[float]) -> float:
    """The mean, summed from left to right; of one value, that value."""
    return values[0] if len(values) == 1 else left_to_right(values) / len(values)


def left_to_right(values: Sequence[float]) -> float:
    """The sum from left to right; of none, 0."""
    total = values[0] if values else 0.0
    for value in values[1:]:
        total = total + value
    return total


def number(value: Value) -> float:
    """A value of one element as a number."""
    return cast(float, value) if isinstance(value, float | int) else float(value.item())
