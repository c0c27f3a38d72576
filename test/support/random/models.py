"""
Random models for differential tests: random graphs, shapes, functions, conditions, resets, seeds, controllers, models within models.

`random_model(Random(7))` makes the same one each time, and says what is in it, so that a run can print the distribution of what it
has tried. All choices come from the generator and not from Hypothesis, whose search for new examples prefers simple ends of long
sequences of choices: hardly a model would have had a controller. (Hypothesis chooses the generators.)

Every model is valid, and always ends: each trial also ends after a few passes, and nodes that run until they have finished have a limit.
"""

from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import Any

from support.random.acts import Act, random_acts
from support.random.conditions import ALL_CONDITIONS, random_condition
from support.random.nodes import (
    Choices,
    Kind,
    Member,
    Members,
    fitting,
    lagged,
    numbers,
    parameters,
    pooled,
    random_node,
    random_shape,
)
from support.random.searches import random_control

import cogir
from cogir.frontend.builder.handles import parameter_range

__all__ = ["ALL_CONDITIONS", "Drawn", "random_model", "wide_model"]


DEEP = "deep"
"""An instance within an instance."""


@dataclass
class Drawn:
    """A random model and what is in it."""

    model: cogir.Model
    inputs: dict[str, list[Any]]
    trials: int
    changes: dict[str, float]
    """Parameters that change between the first run and the second, by path, and what they become."""
    tags: Counter[str] = field(default_factory=Counter[str])
    acts: list[Act] = field(default_factory=list[Act])
    """What then happens in contexts of their own."""


@dataclass
class Parts:
    """What has been made of one model."""

    nodes: Members
    targets: list[cogir.Parameter]
    """All parameters that something may act on."""
    overridden: set[str]
    """Those of them that something overrides: at most one thing may."""


def random_model(source: Random) -> Drawn:
    """A model of two to seven nodes with everything that the dialect knows, in random combination."""
    return _model(Choices(source))


def wide_model(source: Random) -> Drawn:
    """
    The same with more kinds of nodes (ports and states of whole numbers and truth values, vectors as parameters, loops that depend on
    data), models three deep, inputs that shadow others, states that give up a trial, and contexts that are run, copied, changed and reset.
    """
    choices = Choices(source, wide=True)
    drawn = _model(choices)
    drawn.acts = random_acts(choices, drawn.model, drawn.changes)
    return drawn


def _model(choices: Choices) -> Drawn:
    model = cogir.Model("random", seed=choices.between(0, 99))
    model.warns = False  # of values that nobody meant, such as zeros that are read before they are computed
    inner: Members = []
    nodes = _nodes(choices, model, inner)
    parts = _finish(choices, model, nodes)
    if choices.one_in(5):
        model.schedule.run_ends(random_condition(choices, nodes, None, depth=1))
        choices.tags["end of a run"] += 1
    inputs: dict[str, list[Any]] = {}
    rows = choices.between(1, 3)
    for node, _ in nodes[: choices.between(1, 2)]:
        model.input(node)
        for port, type_ in node.inputs.items():
            key = node.name if len(node.inputs) == 1 else f"{node.name}/{port}"
            inputs[key] = choices.array(rows, *type_.shape).tolist()
    if choices.wide:
        _shadow(choices, model, nodes)
    model.output(*(node for node, _ in nodes[-choices.between(1, 3) :]))
    if choices.one_in(2 if inner else 3):
        random_control(choices, model, nodes, parts.targets, parts.overridden, inner)
    changes = {
        f"{node.name}/{name}": fitting(parameter_range(node.param(name)), choices.small())
        for node, name in parameters(nodes)
        if choices.one_in(4)
    }
    choices.tags["changed between runs"] += bool(changes)
    return Drawn(model, inputs, choices.between(2, 4), changes, choices.tags)


def _shadow(choices: Choices, model: cogir.Model, nodes: Members) -> None:
    """Now and then, a port that gets what another one gets from outside."""
    given = [address for address in model.explicit_inputs if not isinstance(model.nodes[address.owner], cogir.Instance)]
    fitting = [
        (model.nodes[address.owner][address.name], node[port])
        for address in given
        for node, _ in nodes
        for port, type_ in node.inputs.items()
        if isinstance(node, cogir.Node) and type_ == model.nodes[address.owner].inputs[address.name]
        if (node.name, port) not in {(each.owner, each.name) for each in given}
    ]
    if fitting and choices.one_in(3):
        model.shadow(*choices.of(fitting))
        choices.tags["shadow"] += 1


def _nodes(choices: Choices, model: cogir.Model, inner: Members) -> Members:
    """
    The nodes: of all kinds, now and then a model within the model (whose nodes are added to `inner`); or a crowd of one kind,
    whose bodies are shared.
    """
    if choices.one_in(10):
        choices.tags["crowd"] += 1
        kind, shape = choices.of(choices.kinds), (choices.between(1, 3),)
        return [random_node(choices, model, f"n{index}", kind, shape) for index in range(choices.between(5, 7))]
    nodes: Members = []
    for index in range(choices.between(2, 6)):
        if index > 0 and not inner and choices.one_in(10):
            nodes.append(_instance(choices, model, f"n{index}", inner))
        else:
            kind = choices.of(choices.kinds)
            nodes.append(random_node(choices, model, f"n{index}", kind, random_shape(choices, kind)))
    return nodes


def _instance(choices: Choices, model: cogir.Model, name: str, nodes: Members) -> tuple[Member, Kind]:
    """
    A model of one to three nodes of its own, as a node; its first node's input and its last node's outputs can be seen.

    The nodes are added to `nodes`. Sometimes it has a controller of its own.
    """
    inner = cogir.Model(f"inside_{name}")
    inner.warns = False
    for index in range(choices.between(1, 3)):
        nodes.append(random_node(choices, inner, f"i{index}", choices.of(choices.kinds), (choices.between(1, 3),)))
    if choices.wide and name != DEEP and choices.one_in(3):
        nodes.append(_instance(choices, inner, DEEP, []))
    parts = _finish(choices, inner, nodes)
    inner.input(nodes[0][0])
    inner.output(nodes[-1][0])
    choices.tags["instance"] += 1
    choices.tags["instance within an instance"] += isinstance(nodes[-1][0], cogir.Instance)
    if choices.one_in(4):
        before = choices.tags["grid_search"]
        random_control(choices, inner, nodes, parts.targets, parts.overridden, [])
        choices.tags["search inside an instance"] += choices.tags["grid_search"] > before
    seen = [f"{node.name}/{parameter}" for node, parameter in parameters(nodes)]
    choices.placed = inner
    return model.instance(name, inner), Kind(None, seen[0] if seen else None)


def _finish(choices: Choices, model: cogir.Model, nodes: Members) -> Parts:
    """Projections, modulation and schedule over the nodes."""
    carried = _projections(choices, model, nodes)
    targets = [*(node.param(name) for node, name in parameters(nodes)), *carried]
    overridden = _modulation(choices, model, nodes, targets)
    _schedule(choices, model, nodes)
    return Parts(nodes, targets, overridden)


def _projections(choices: Choices, model: cogir.Model, nodes: Members) -> list[cogir.Parameter]:
    """
    A chain, so that everything is connected, and random projections that may close cycles.

    Returns the parameters of projections that have a function.
    """
    carried: list[cogir.Parameter] = []
    last = len(nodes) - 1
    pairs = [(i, i + 1, False) for i in range(last)]
    for _ in range(choices.between(0, 4)):
        i, j = choices.between(0, last), choices.between(0, last)
        pairs.append((i, j, j < i and choices.one_in(2)))
    pairs += [(i, i, False) for i, (_, kind) in enumerate(nodes) if kind.finishes and choices.one_in(3)]
    for number, (i, j, feedback) in enumerate(pairs):
        source, target = nodes[i][0], nodes[j][0]
        out, port = choices.of(list(source.outputs)), choices.of(list(target.inputs))
        sent, received = source.outputs[out], target.inputs[port]
        ends = source[out], target[port] if len(target.inputs) > 1 else target
        options: dict[str, Any] = {"recurrent": i == j and choices.one_in(2), "feedback": feedback}
        choices.tags["recurrent"] += options["recurrent"]
        repeats = isinstance(source, cogir.Node) and source.record.until_finished
        choices.tags["recurrent until finished"] += options["recurrent"] and repeats
        choices.tags["feedback"] += feedback
        choices.tags["cyclic"] += j <= i
        choices.tags["cycle of several nodes"] += j < i
        is_flat = len(sent.shape) < 2 and len(received.shape) < 2 and sent.dtype == "float64"
        if is_flat and not choices.one_in(5):
            model.project(*ends, matrix=choices.array(max(1, sent.size), max(1, received.size)) / 2.0, **options)
        else:
            function = lagged if sent == received and choices.one_in(2) else pooled(received.shape)
            named = model.project(*ends, function=function, name=f"p{number}", rate=choices.small() / 2.0, **options)
            carried.append(named.param("rate"))
            choices.tags["projection with a function"] += 1
    return carried


def _modulation(choices: Choices, model: cogir.Model, nodes: Members, targets: list[cogir.Parameter]) -> set[str]:
    """Ports that act on parameters; returns which of these are overridden."""
    single = numbers(nodes)
    inside = [target for target in targets if isinstance(target.owner, cogir.Instance)]
    overridden: set[str] = set()
    for _ in range(choices.between(0, 2) if single and targets else 0):
        node, out = choices.of(single)
        target = choices.of(inside if inside and choices.one_in(2) else targets)
        how = choices.of(["multiply", "add"] if repr(target) in overridden else ["multiply", "add", "override"])
        if how == "override":
            overridden.add(repr(target))
        model.modulate(node[out], target, how)
        choices.tags[f"modulation {how}"] += 1
        choices.tags["modulation inside an instance"] += target in inside
    return overridden


def _schedule(choices: Choices, model: cogir.Model, nodes: Members) -> None:
    """Conditions of nodes, resets, and when a trial ends."""
    for node, _ in nodes:
        if choices.one_in(2):
            model.schedule.when(node, random_condition(choices, nodes, node, depth=2))
        body = node.record.body if isinstance(node, cogir.Node) else None
        if isinstance(node, cogir.Node) and body and body.states and choices.one_in(3):
            what = node if choices.one_in(2) else node.state(choices.of(list(body.states)))
            model.schedule.reset(what, random_condition(choices, nodes, None, depth=1))
            choices.tags["reset"] += 1
        if isinstance(node, cogir.Node) and body and choices.wide and choices.one_in(8):
            _fails(choices, model, node, [name for name, kept in body.states.items() if kept.shape == () and kept.dtype == float])
    if choices.one_in(2):
        ending = random_condition(choices, nodes, None, depth=2)
        model.schedule.trial_ends(ending | cogir.AfterNPasses(choices.between(1, 4)))
    else:
        model.schedule.trial_ends(cogir.AllHaveRun() | cogir.AfterNPasses(5))
        choices.tags["AllHaveRun"] += 1


def _fails(choices: Choices, model: cogir.Model, node: cogir.Node, single: list[str]) -> None:
    """One of the states that are a number gives up the trial at whose end it is not zero."""
    if single:
        model.schedule.fails(node.state(choices.of(single)), "it is not zero; reset it")
        choices.tags["trial given up"] += 1
