"""
Random models for differential tests: random graphs, shapes, functions, conditions, resets, seeds, controllers, models within models.

`random_model(draw)` draws one with Hypothesis and says what is in it, so that a run can print the distribution of what it has tried.
A model always ends: each trial also ends after a few passes, and nodes that run until they have finished have a limit.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
from hypothesis import strategies as st

import cogir
from cogir import library
from cogir.library import Random, State, Step, Value, node_function

Draw = Callable[[st.SearchStrategy[Any]], Any]

SMALL = st.integers(-8, 8).map(lambda n: n / 4.0)
"""Numbers that are exact in binary and small enough that no model explodes soon."""

SCALES = ("time_step", "pass", "trial", "run", "life")

Shape = tuple[int, ...]
Member = cogir.Node | cogir.Instance


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


def lagged(variable: Value, *, rate: Value = 0.5, trace: State = 0.0) -> Step:
    """What a projection may do: follow its sender slowly."""
    value = trace + rate * (variable - trace)
    return Step(outputs=(value,), states=(value,))


@cache
def pooled(shape: Shape) -> Callable[..., Any]:
    """The function of a projection to a receiver of this shape: everywhere the sum of the sender's elements, scaled."""
    if not shape:

        def pool(variable: Value, *, rate: Value = 0.5) -> Value:
            return rate * np.sum(variable)
    else:

        def pool(variable: Value, *, rate: Value = 0.5) -> Value:
            return rate * np.sum(variable) * np.ones(shape)

    return pool


@dataclass
class Drawn:
    """A random model and what is in it."""

    model: cogir.Model
    inputs: dict[str, list[Any]]
    trials: int
    changes: dict[str, float]
    """Parameters that change between the first run and the second, by path, and what they become."""
    tags: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True)
class Kind:
    """A function to draw nodes from: its modulatable parameter, whether it draws or finishes, whether it takes arrays of any rank."""

    function: Callable[..., Any] | None
    parameter: str | None = None
    draws: bool = False
    finishes: bool = False
    inputs: int = 1
    any_rank: bool = False


KINDS = (
    Kind(None, any_rank=True),
    Kind(library.linear, "slope", any_rank=True),
    Kind(library.logistic, "gain", any_rank=True),
    Kind(library.tanh, "gain"),
    Kind(library.relu, "leak"),
    Kind(library.softmax, "gain"),
    Kind(library.integrated_linear, "integration_rate", any_rank=True),
    Kind(library.integrated_logistic, "integration_rate"),
    Kind(library.simple_integrator, "rate", any_rank=True),
    Kind(summarise, "weight", inputs=2, any_rank=True),
    Kind(counter, "step", finishes=True, any_rank=True),
    Kind(noisy_walk, "noise", draws=True, finishes=True),
    Kind(library.gaussian_distort, "variance", draws=True, any_rank=True),
    Kind(pick, "bonus", draws=True),
)

Members = list[tuple[Member, Kind]]


def random_model(draw: Draw) -> Drawn:
    """A model of two to six nodes with everything that the dialect knows, in random combination."""
    tags: Counter[str] = Counter()
    model = cogir.Model("random")
    nodes = _nodes(draw, model, tags)
    targets = _finish(draw, model, nodes, tags)
    if draw(st.integers(0, 4)) == 0:
        model.schedule.run_ends(_condition(draw, nodes, None, tags, depth=1))
        tags["run_ends"] += 1
    inputs: dict[str, list[Any]] = {}
    rows = draw(st.integers(1, 3))
    for node, _ in nodes[: draw(st.integers(1, 2))]:
        model.input(node)
        for port, type_ in node.inputs.items():
            values = draw(st.lists(SMALL, min_size=rows * type_.size, max_size=rows * type_.size))
            key = node.name if len(node.inputs) == 1 else f"{node.name}/{port}"
            inputs[key] = np.reshape(values, (rows, *type_.shape)).tolist()
    model.output(*(node for node, _ in nodes[-draw(st.integers(1, 3)) :]))
    if draw(st.integers(0, 3)) == 0:
        _control(draw, model, nodes, targets, tags)
    changes = {f"{node.name}/{name}": draw(SMALL) for node, name in _parameters(nodes) if draw(st.integers(0, 3)) == 0}
    tags["changed between runs"] += bool(changes)
    return Drawn(model, inputs, draw(st.integers(2, 4)), changes, tags)


def _nodes(draw: Draw, model: cogir.Model, tags: Counter[str]) -> Members:
    """The nodes: of all kinds, with now and then a model within the model; or a crowd of one kind, whose bodies are shared."""
    if draw(st.integers(0, 9)) == 0:
        tags["crowd"] += 1
        kind, shape = draw(st.sampled_from(KINDS)), (draw(st.integers(1, 3)),)
        return [_node(draw, model, f"n{index}", kind, shape, tags) for index in range(draw(st.integers(5, 7)))]
    nodes: Members = []
    for index in range(draw(st.integers(2, 6))):
        if index > 0 and draw(st.integers(0, 11)) == 0:
            nodes.append(_instance(draw, model, f"n{index}", tags))
        else:
            kind = draw(st.sampled_from(KINDS))
            nodes.append(_node(draw, model, f"n{index}", kind, _shape(draw, kind), tags))
    return nodes


def _finish(draw: Draw, model: cogir.Model, nodes: Members, tags: Counter[str]) -> list[cogir.Parameter]:
    """Projections, modulation and schedule over the nodes; returns all parameters that something may act on."""
    cyclic, carried = _projections(draw, model, nodes, tags)
    tags["cyclic"] += cyclic
    targets = [*(node.param(name) for node, name in _parameters(nodes)), *carried]
    _modulation(draw, model, nodes, targets, tags)
    _schedule(draw, model, nodes, tags)
    return targets


def _parameters(nodes: Members) -> list[tuple[Member, str]]:
    return [(node, kind.parameter) for node, kind in nodes if kind.parameter]


def _shape(draw: Draw, kind: Kind) -> Shape:
    shapes: list[Shape] = [(1,), (2,), (3,)]
    if kind.any_rank:
        shapes += [(2, 2), (1, 3)]
    if kind.any_rank and not kind.draws:
        shapes.append(())  # a number has no shape that a function could draw by
    return draw(st.sampled_from(shapes))


def _node(draw: Draw, model: cogir.Model, name: str, kind: Kind, shape: Shape, tags: Counter[str]) -> tuple[Member, Kind]:
    arguments: dict[str, Any] = {"input": [shape] * kind.inputs if kind.inputs > 1 else shape}
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
    tags["rank 0 or 2"] += len(shape) != 1
    return model.node(name, kind.function, **arguments), kind


def _instance(draw: Draw, model: cogir.Model, name: str, tags: Counter[str]) -> tuple[Member, Kind]:
    """A model of one to three nodes of its own, as a node; its first node's input and its last node's outputs can be seen."""
    inner = cogir.Model(f"inside_{name}")
    nodes: Members = []
    for index in range(draw(st.integers(1, 3))):
        kind = draw(st.sampled_from(KINDS))
        nodes.append(_node(draw, inner, f"i{index}", kind, (draw(st.integers(1, 3)),), tags))
    _finish(draw, inner, nodes, tags)
    inner.input(nodes[0][0])
    inner.output(nodes[-1][0])
    tags["instance"] += 1
    parameters = _parameters(nodes)
    return model.instance(name, inner), Kind(None, f"{parameters[0][0].name}/{parameters[0][1]}" if parameters else None)


def _projections(draw: Draw, model: cogir.Model, nodes: Members, tags: Counter[str]) -> tuple[bool, list[cogir.Parameter]]:
    """
    A chain, so that everything is connected, and random projections that may close cycles; says whether one does, and
    returns the parameters of projections that have a function.
    """
    cyclic = False
    carried: list[cogir.Parameter] = []
    pairs = [(i, i + 1, False) for i in range(len(nodes) - 1)]
    for _ in range(draw(st.integers(0, 4))):
        i, j = draw(st.integers(0, len(nodes) - 1)), draw(st.integers(0, len(nodes) - 1))
        pairs.append((i, j, j < i and draw(st.booleans())))
    for number, (i, j, feedback) in enumerate(pairs):
        source, target = nodes[i][0], nodes[j][0]
        out = draw(st.sampled_from(list(source.outputs)))
        port = draw(st.sampled_from(list(target.inputs)))
        sent, received = source.outputs[out], target.inputs[port]
        ends = source[out], target[port] if len(target.inputs) > 1 else target
        options: dict[str, Any] = {"recurrent": i == j and draw(st.booleans()), "feedback": feedback}
        tags["recurrent"] += options["recurrent"]
        is_flat = len(sent.shape) < 2 and len(received.shape) < 2
        if is_flat and draw(st.integers(0, 4)) > 0:
            rows, columns = max(1, sent.size), max(1, received.size)
            weights = draw(st.lists(SMALL, min_size=rows * columns, max_size=rows * columns))
            model.project(*ends, matrix=np.reshape(weights, (rows, columns)) / 2.0, **options)
        else:
            function = lagged if sent == received and draw(st.booleans()) else pooled(received.shape)
            named = model.project(*ends, function=function, name=f"p{number}", rate=draw(SMALL) / 2.0, **options)
            carried.append(named.param("rate"))
            tags["projection with a function"] += 1
        cyclic |= j <= i
    return cyclic, carried


def _modulation(draw: Draw, model: cogir.Model, nodes: Members, targets: list[cogir.Parameter], tags: Counter[str]) -> None:
    single = [(node, out) for node, _ in nodes for out, type_ in node.outputs.items() if type_.size == 1]
    inside = [target for target in targets if isinstance(target.owner, cogir.Instance)]
    overridden: set[str] = set()
    for _ in range(draw(st.integers(0, 2)) if single and targets else 0):
        node, out = draw(st.sampled_from(single))
        target = draw(st.sampled_from(inside if inside and draw(st.booleans()) else targets))
        how = draw(st.sampled_from(["multiply", "add"] if repr(target) in overridden else ["multiply", "add", "override"]))
        if how == "override":
            overridden.add(repr(target))
        model.modulate(node[out], target, how)
        tags[f"modulate_{how}"] += 1
        tags["modulation of an instance"] += target in inside


def _schedule(draw: Draw, model: cogir.Model, nodes: Members, tags: Counter[str]) -> None:
    for node, _ in nodes:
        if draw(st.booleans()):
            model.schedule.when(node, _condition(draw, nodes, node, tags, depth=2))
        body = node.record.body if isinstance(node, cogir.Node) else None
        if isinstance(node, cogir.Node) and body and body.states and draw(st.integers(0, 2)) == 0:
            what = node if draw(st.booleans()) else node.state(draw(st.sampled_from(list(body.states))))
            model.schedule.reset(what, _condition(draw, nodes, None, tags, depth=1))
            tags["reset"] += 1
    if draw(st.booleans()):
        ending = _condition(draw, nodes, None, tags, depth=2)
        model.schedule.trial_ends(ending | cogir.AfterNPasses(draw(st.integers(1, 4))))
    else:
        model.schedule.trial_ends(cogir.AllHaveRun() | cogir.AfterNPasses(5))
        tags["AllHaveRun"] += 1


def _condition(draw: Draw, nodes: Members, owner: Member | None, tags: Counter[str], depth: int) -> cogir.Condition:
    """
    A random condition for `owner`.

    Conditions that count calls look at nodes of other layers than the owner's or at the owner itself only where graph_scheduler defines
    an answer; the interpreter and the compiler must agree everywhere, so none is left out here.
    """
    others = [node for node, _ in nodes if node is not owner] or [nodes[0][0]]
    other = draw(st.sampled_from(others))
    n = draw(st.integers(0, 3))
    scale = draw(st.sampled_from(SCALES))
    names = [
        *(name for name in SIMPLE if name not in COUNTING),
        *PERIODIC,
        "Threshold",
        "While",
        "WhileNot",
        "AfterNCallsCombined",
        "AllHaveRun",
    ]
    names += ["WhenFinished", "WhenFinishedAny", "WhenFinishedAll"]
    if depth > 0:
        names += ["All", "Any", "Not", "NWhen"] * 2
    if owner is None or len(nodes) > 1:
        names += COUNTING
    if owner is not None and len(nodes) > 1:
        names += ["EveryNCalls"] * 3 + ["JustRan"] * 2
    name = draw(st.sampled_from(names))
    if name in ("Threshold", "While", "WhileNot"):  # these look at nodes only; the first node is never an instance
        other = draw(st.sampled_from([node for node in others if isinstance(node, cogir.Node)] or [nodes[0][0]]))
    tags[name] += 1
    inner = lambda: _condition(draw, nodes, owner, tags, depth - 1)  # noqa: E731
    kind = getattr(cogir, name)
    match name:
        case "All" | "Any":
            return kind(inner(), inner())
        case "Not":
            return kind(inner())
        case "NWhen":
            return kind(inner(), max(1, n))
        case "EveryNCalls":
            return kind(other, max(1, n))
        case "JustRan" | "WhenFinished":
            return kind(other)
        case "WhenFinishedAny" | "WhenFinishedAll":
            return kind(*others[:2])
        case "AllHaveRun":
            return kind(*others[: draw(st.integers(0, 2))], time_scale=scale)
        case "AfterNCallsCombined":
            return kind(*others[:2], n=n, time_scale=scale)
        case "Threshold":
            port = draw(st.sampled_from(list(other.outputs)))
            comparator = draw(st.sampled_from(["<", "<=", ">", ">=", "==", "!="]))
            indices = (0,) * len(other.outputs[port].shape) or None
            value = draw(st.sampled_from([0.0, 1.0]) | SMALL)
            return kind(
                other,
                port,
                value,
                comparator,
                indices=indices,
                atol=draw(st.sampled_from([0.0, 0.5])) if comparator in ("==", "!=") else 0.0,
            )
        case "While" | "WhileNot":
            port = draw(st.sampled_from(list(other.outputs)))
            predicate = (above_quarter, first_above_quarter, corner_above_quarter)[len(other.outputs[port].shape)]
            return kind(predicate, other[port])
        case _ if name in PERIODIC:
            return kind(max(1, n), time_scale=scale if scale in ("run", "life") else "trial")
        case _:
            return SIMPLE[name](kind, other, n, scale)


def above_quarter(value: Value) -> Value:
    """A predicate over a number."""
    return value > 0.25


def first_above_quarter(value: Value) -> Value:
    """A predicate over an array."""
    return value[0] > 0.25


def corner_above_quarter(value: Value) -> Value:
    """A predicate over a matrix."""
    return value[0, 0] > 0.25


COUNTING = ("BeforeNCalls", "AtNCalls", "AfterCall", "AfterNCalls")
"""Conditions on the calls of another node."""
PERIODIC = ("EveryNPasses",)
SIMPLE: dict[str, Callable[..., cogir.Condition]] = (
    {name: lambda kind, other, n, scale: kind() for name in ("Always", "Never", "AtTrialStart", "AtRunStart")}
    | {name: lambda kind, other, n, scale: kind(n) for name in ("AtRun", "AfterRun", "AfterNRuns", "AtRunNStart", "AtTrialNStart")}
    | {
        name: lambda kind, other, n, scale: kind(n, time_scale="pass" if scale == "time_step" else scale)
        for name in ("BeforeTimeStep", "AtTimeStep", "AfterTimeStep", "AfterNTimeSteps")
    }
    | {
        name: lambda kind, other, n, scale: kind(n, time_scale=scale if scale in ("run", "life") else "trial")
        for name in ("BeforePass", "AtPass", "AfterPass", "AfterNPasses")
    }
    | {
        name: lambda kind, other, n, scale: kind(n, time_scale="life" if scale == "life" else "run")
        for name in ("BeforeTrial", "AtTrial", "AfterTrial", "AfterNTrials")
    }
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


def _control(draw: Draw, model: cogir.Model, nodes: Members, targets: list[cogir.Parameter], tags: Counter[str]) -> None:
    objectives = [(node, out) for node, _ in nodes for out, type_ in node.outputs.items() if type_.size == 1]
    if not objectives or not targets:
        return
    # What is searched should matter: noise that a signal scales, seen at the end of the chain.
    noisy = {node.name for node, kind in nodes if kind.draws}
    scaled = [target for target in targets if target.owner.name in noisy]
    node, out = objectives[-1] if draw(st.booleans()) else draw(st.sampled_from(objectives))
    signals = []
    if scaled and draw(st.booleans()):
        scaled = [draw(st.sampled_from(scaled))]
        own = [each for each in objectives if each[0] is scaled[0].owner]
        node, out = own[0] if own else (node, out)
        tags["search over noise"] += bool(own)
    for index in range(draw(st.integers(1, 3))):
        cost = draw(st.sampled_from(COSTS))
        signals.append(
            cogir.Signal(
                draw(st.sampled_from(scaled if scaled and draw(st.booleans()) else targets)),
                levels=[draw(st.sampled_from([0.0, 1.0]) | SMALL) for _ in range(draw(st.integers(1, 3)))],
                cost=cost,
                modulation=draw(st.sampled_from(["multiply", "add"])),
                name=f"signal {index}",
                clip=cost is not None and draw(st.booleans()),
            )
        )
    features: dict[Any, Any] = {}
    for address in model.explicit_inputs:
        reader = model.nodes[address.owner]
        fitting = [(other, port) for other, _ in nodes for port, type_ in other.outputs.items() if type_ == reader.inputs[address.name]]
        if fitting and draw(st.booleans()):
            other, port = draw(st.sampled_from(fitting))
            features[reader[address.name] if len(reader.inputs) > 1 else reader] = other[port]
            tags["feature"] += 1
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
        features=features,
    )
    tags["grid_search"] += 1


def adjustment_cost(change: Value) -> Value:
    """A cost that grows with the square of what it is given."""
    return 0.125 * change * change - 0.0625


COSTS = (
    None,
    True,
    {"adjustment": adjustment_cost},
    {"duration": adjustment_cost},
    {"intensity": adjustment_cost, "adjustment": adjustment_cost, "duration": adjustment_cost},
)
"""What a signal may cost; the polynomial is below zero near zero, so that clipping shows."""
