"""
Random models for differential tests: random graphs, shapes, functions, conditions, resets, seeds, controllers.

`random_model(draw)` draws one with Hypothesis and says what is in it, so that a run can print the distribution of what it has tried.
A model always ends: each trial also ends after a few passes, and nodes that run until they have finished have a limit.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from hypothesis import strategies as st

import cogir
from cogir import library
from cogir.library import Random, State, Step, Value, node_function

Draw = Callable[[st.SearchStrategy[Any]], Any]

SMALL = st.integers(-8, 8).map(lambda n: n / 4.0)
"""Numbers that are exact in binary and small enough that no model explodes soon."""

SCALES = ("time_step", "pass", "trial", "run")


@node_function(outputs=("total", "spread"))
def summarise(first: Value, second: Value, *, weight: Value = 0.5) -> Value:
    """Two inputs, two outputs: a weighted sum and the range of the first."""
    return weight * np.sum(first) + np.sum(second), np.max(first) - np.min(first)


@node_function(outputs=("value", "count"))
def counter(variable: Value, *, step: Value = 1.0, limit: Value = 3.0, count: State = 0.0) -> Step:
    """Counts its executions and finishes at every multiple of the limit."""
    following = count + step
    done = following >= limit
    return Step(outputs=(variable * following, following), states=(0.0 if done else following,), finished=done)


def noisy_walk(variable: Value, *, noise: Value = 0.5, position: State = 0.0, random: Random) -> Step:
    """A random walk that finishes once it has left the unit interval; draws normals and, now and then, a uniform."""
    value = 0.5 * position + variable + noise * random.normal(variable.shape)
    if value[0] > 0.75:
        value = value - random.uniform()
    return Step(outputs=(value,), states=(value,), finished=abs(value[0]) > 1.0)


def pick(variable: Value, *, bonus: Value = 0.25, random: Random) -> Value:
    """One element, drawn by number, is raised."""
    chosen = random.integer(variable.size)
    result = variable * 0.5
    result[chosen] = result[chosen] + bonus
    return result


@dataclass
class Drawn:
    """A random model and what is in it."""

    model: cogir.Model
    inputs: dict[str, list[Any]]
    trials: int
    tags: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True)
class Kind:
    """A function to draw nodes from: its modulatable parameter, its outputs' role, whether it draws or finishes."""

    function: Callable[..., Any] | None
    parameter: str | None = None
    draws: bool = False
    finishes: bool = False
    inputs: int = 1


KINDS = (
    Kind(None),
    Kind(library.linear, "slope"),
    Kind(library.logistic, "gain"),
    Kind(library.tanh, "gain"),
    Kind(library.relu, "leak"),
    Kind(library.softmax, "gain"),
    Kind(library.integrated_linear, "integration_rate"),
    Kind(library.integrated_logistic, "integration_rate"),
    Kind(library.simple_integrator, "rate"),
    Kind(summarise, "weight", inputs=2),
    Kind(counter, "step", finishes=True),
    Kind(noisy_walk, "noise", draws=True, finishes=True),
    Kind(library.gaussian_distort, "variance", draws=True),
    Kind(pick, "bonus", draws=True),
)


def random_model(draw: Draw) -> Drawn:
    """A model of two to six nodes with everything that the dialect knows, in random combination."""
    model = cogir.Model("random")
    tags: Counter[str] = Counter()
    nodes: list[tuple[cogir.Node, Kind]] = []
    for index in range(draw(st.integers(2, 6))):
        nodes.append(_node(draw, model, f"n{index}", tags))
    cyclic = _projections(draw, model, nodes)
    tags["cyclic"] += cyclic
    _modulation(draw, model, nodes, tags)
    _schedule(draw, model, nodes, tags)
    inputs: dict[str, list[Any]] = {}
    rows = draw(st.integers(1, 3))
    for node, _ in nodes[: draw(st.integers(1, 2))]:
        model.input(node)
        for port, type_ in node.inputs.items():
            values = draw(st.lists(SMALL, min_size=rows * type_.size, max_size=rows * type_.size))
            key = node.name if len(node.inputs) == 1 else f"{node.name}/{port}"
            inputs[key] = np.reshape(values, (rows, *type_.shape)).tolist()
    model.output(*(node for node, _ in nodes[-draw(st.integers(1, 3)) :]))
    if draw(st.integers(0, 5)) == 0:
        _control(draw, model, nodes, tags)
    return Drawn(model, inputs, draw(st.integers(2, 4)), tags)


def _node(draw: Draw, model: cogir.Model, name: str, tags: Counter[str]) -> tuple[cogir.Node, Kind]:
    kind = draw(st.sampled_from(KINDS))
    size = draw(st.integers(1, 3))
    arguments: dict[str, Any] = {"input": [size] * kind.inputs if kind.inputs > 1 else size}
    if kind.draws:
        tags["draws"] += 1
        arguments |= {"seed": draw(st.integers(0, 1000)), "prng": draw(st.sampled_from(["mt19937", "philox4x64", "philox4x32"]))}
    if kind.finishes and draw(st.booleans()):
        tags["until_finished"] += 1
        arguments |= {"execute_until_finished": True, "max_executions_before_finished": draw(st.integers(1, 9))}
    if kind.parameter and draw(st.booleans()):
        arguments[kind.parameter] = draw(SMALL)
    if draw(st.integers(0, 3)) == 0:
        arguments["combine"] = "product"
    tags[kind.function.__name__ if kind.function else "identity"] += 1
    return model.node(name, kind.function, **arguments), kind


def _projections(draw: Draw, model: cogir.Model, nodes: list[tuple[cogir.Node, Kind]]) -> bool:
    """A chain, so that everything is connected, and random projections that may close cycles; says whether one does."""
    cyclic = False
    pairs = [(i, i + 1, False) for i in range(len(nodes) - 1)]
    for _ in range(draw(st.integers(0, 4))):
        i, j = draw(st.integers(0, len(nodes) - 1)), draw(st.integers(0, len(nodes) - 1))
        pairs.append((i, j, j < i and draw(st.booleans())))
    for i, j, feedback in pairs:
        source, target = nodes[i][0], nodes[j][0]
        out = draw(st.sampled_from(list(source.outputs)))
        port = draw(st.sampled_from(list(target.inputs)))
        rows, columns = max(1, source.outputs[out].size), max(1, target.inputs[port].size)
        weights = draw(st.lists(SMALL, min_size=rows * columns, max_size=rows * columns))
        model.project(
            source[out],
            target[port] if len(target.inputs) > 1 else target,
            matrix=np.reshape(weights, (rows, columns)) / 2.0,
            recurrent=i == j and draw(st.booleans()),
            feedback=feedback,
        )
        cyclic |= j <= i
    return cyclic


def _modulation(draw: Draw, model: cogir.Model, nodes: list[tuple[cogir.Node, Kind]], tags: Counter[str]) -> None:
    single = [(node, out) for node, _ in nodes for out, type_ in node.outputs.items() if type_.size == 1]
    targets = [(node, kind.parameter) for node, kind in nodes if kind.parameter]
    if single and targets and draw(st.booleans()):
        node, out = draw(st.sampled_from(single))
        target, parameter = draw(st.sampled_from(targets))
        how = draw(st.sampled_from(["multiply", "add", "override"]))
        model.modulate(node[out], target.param(parameter), how)
        tags[f"modulate_{how}"] += 1


def _schedule(draw: Draw, model: cogir.Model, nodes: list[tuple[cogir.Node, Kind]], tags: Counter[str]) -> None:
    for node, _ in nodes:
        if draw(st.integers(0, 2)) == 0:
            model.schedule.when(node, _condition(draw, nodes, node, tags, depth=2))
        if node.record.body and node.record.body.states and draw(st.integers(0, 2)) == 0:
            model.schedule.reset(node, _condition(draw, nodes, None, tags, depth=1))
            tags["reset"] += 1
    if draw(st.booleans()):
        ending = _condition(draw, nodes, None, tags, depth=2)
        model.schedule.trial_ends(ending | cogir.AfterNPasses(draw(st.integers(1, 4))))
    else:
        model.schedule.trial_ends(cogir.AllHaveRun() | cogir.AfterNPasses(5))
        tags["AllHaveRun"] += 1


def _condition(
    draw: Draw, nodes: list[tuple[cogir.Node, Kind]], owner: cogir.Node | None, tags: Counter[str], depth: int
) -> cogir.Condition:
    """
    A random condition for `owner`.

    Conditions that count calls look at nodes of other layers than the owner's or at the owner itself only where graph_scheduler defines
    an answer; the interpreter and the compiler must agree everywhere, so none is left out here.
    """
    others = [node for node, _ in nodes if node is not owner] or [nodes[0][0]]
    other = draw(st.sampled_from(others))
    n = draw(st.integers(0, 3))
    scale = draw(st.sampled_from(SCALES))
    names = [*SIMPLE, *PERIODIC, "Threshold", "While", "WhileNot", "AfterNCallsCombined"]
    names += ["WhenFinished", "WhenFinishedAny", "WhenFinishedAll"]
    if depth > 0:
        names += ["All", "Any", "Not", "NWhen"] * 2
    if owner is not None:
        names += ["EveryNCalls", "JustRan"]
    name = draw(st.sampled_from(names))
    tags[name] += 1
    inner = lambda: _condition(draw, nodes, owner, tags, depth - 1)  # noqa: E731
    kind = getattr(cogir, name)
    match name:
        case "All" | "Any":
            return kind(inner(), inner())
        case "Not":
            return kind(inner())
        case "NWhen":
            return kind(inner(), n)
        case "EveryNCalls":
            return kind(other, max(1, n))
        case "JustRan" | "WhenFinished":
            return kind(other)
        case "WhenFinishedAny" | "WhenFinishedAll":
            return kind(*others[:2])
        case "AfterNCallsCombined":
            return kind(*others[:2], n=n, time_scale=scale)
        case "Threshold":
            port = draw(st.sampled_from(list(other.outputs)))
            comparator = draw(st.sampled_from(["<", "<=", ">", ">=", "==", "!="]))
            indices = (0,) * len(other.outputs[port].shape) or None
            return kind(other, port, draw(SMALL), comparator, indices=indices, atol=draw(st.sampled_from([0.0, 0.5])))
        case "While" | "WhileNot":
            port = draw(st.sampled_from(list(other.outputs)))
            return kind(above_quarter if other.outputs[port].shape == () else first_above_quarter, other[port])
        case _ if name in PERIODIC:
            return kind(max(1, n), time_scale="run" if scale == "run" else "trial")
        case _:
            return SIMPLE[name](kind, other, n, scale)


def above_quarter(value: Value) -> Value:
    """A predicate over a number."""
    return value > 0.25


def first_above_quarter(value: Value) -> Value:
    """A predicate over an array."""
    return value[0] > 0.25


PERIODIC = ("EveryNPasses",)
SIMPLE: dict[str, Callable[..., cogir.Condition]] = (
    {name: lambda kind, other, n, scale: kind() for name in ("Always", "Never", "AtTrialStart", "AtRunStart")}
    | {name: lambda kind, other, n, scale: kind(n) for name in ("AtRun", "AfterRun", "AfterNRuns", "AtRunNStart", "AtTrialNStart")}
    | {
        name: lambda kind, other, n, scale: kind(n, time_scale="pass" if scale == "time_step" else scale)
        for name in ("BeforeTimeStep", "AtTimeStep", "AfterTimeStep", "AfterNTimeSteps")
    }
    | {
        name: lambda kind, other, n, scale: kind(n, time_scale="run" if scale == "run" else "trial")
        for name in ("BeforePass", "AtPass", "AfterPass", "AfterNPasses")
    }
    | {name: lambda kind, other, n, scale: kind(n) for name in ("BeforeTrial", "AtTrial", "AfterTrial", "AfterNTrials")}
    | {
        name: lambda kind, other, n, scale: kind(other, n, time_scale=scale)
        for name in ("BeforeNCalls", "AtNCalls", "AfterCall", "AfterNCalls")
    }
)
ALL_CONDITIONS = (
    *SIMPLE,
    *PERIODIC,
    *("Threshold", "While", "WhileNot", "AfterNCallsCombined", "WhenFinished", "WhenFinishedAny", "WhenFinishedAll"),
    *("All", "Any", "Not", "NWhen", "EveryNCalls", "JustRan", "AllHaveRun"),
)
"""Every condition that a random model can hold."""


def _control(draw: Draw, model: cogir.Model, nodes: list[tuple[cogir.Node, Kind]], tags: Counter[str]) -> None:
    objectives = [(node, out) for node, _ in nodes for out, type_ in node.outputs.items() if type_.size == 1]
    targets = [(node, kind.parameter) for node, kind in nodes if kind.parameter]
    if not objectives or not targets:
        return
    node, out = draw(st.sampled_from(objectives))
    signals = []
    for index in range(draw(st.integers(1, 2))):
        target, parameter = draw(st.sampled_from(targets))
        levels = draw(st.lists(SMALL, min_size=1, max_size=3))
        cost = draw(st.sampled_from([None, True, {"adjustment": adjustment_cost}, {"duration": adjustment_cost}]))
        how = draw(st.sampled_from(["multiply", "add"]))
        signals.append(cogir.Signal(target.param(parameter), levels=levels, cost=cost, modulation=how, name=f"signal {index}"))
    model.control(
        "control",
        objective=node[out],
        signals=signals,
        direction=draw(st.sampled_from(["minimize", "maximize"])),
        when=draw(st.sampled_from(["before", "after"])),
        ties=draw(st.sampled_from(["first", "random"])),
        trials_per_estimate=draw(st.integers(1, 2)),
        estimates=draw(st.integers(1, 2)),
        seeds=draw(st.sampled_from(["same", "per_point"])),
        seed=draw(st.integers(0, 9)),
    )
    tags["grid_search"] += 1


def adjustment_cost(change: Value) -> Value:
    """A cost that grows with the square of what it is given."""
    return 0.125 * change * change
