"""
Replaces nodes by simpler ones that are equal in a sense to which the user consents.

Before: a model (`cog`).
After:  a model in which

* an accumulator whose leak and competition are zero is a drift diffusion (`drift_diffusion_integrator`, or
  `drift_diffusion_with_logistic` where a logistic reads it out); the comparison of nodes shows each time that the new node is equal, and
  in what sense;
* a drift diffusion that executes until it reaches a bound is `drift_diffusion_at_a_bound`, its analytical form, with consent to the limit
  of short steps. Its decision then has the probabilities of that limit, and its time is the mean response time: the distribution of
  times is lost;
* recurrent projections with a matrix of zeros are gone, where their node was replaced.

`consent` is the weakest sense that is allowed: "bits" (the default, which allows nothing below it), "reals", "distribution" or "limit".
A node stays as it is if anything but projections, inputs, outputs and conditions refers to it, as its parameters may then change.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, FloatAttr, ModuleOp
from xdsl.ir import Attribute, Operation
from xdsl.passes import ModulePass

from cogir import library, remarks
from cogir.analysis.equivalence.compare import Question, Sense, compare
from cogir.analysis.equivalence.evaluate import NotCompared
from cogir.analysis.equivalence.matching import matched
from cogir.analysis.equivalence.program import signature_of
from cogir.analysis.layout import Layout
from cogir.analyze.any_model import at_machine
from cogir.analyze.grafting import graft, node_in, node_with, references, repeats, until_finished, without_unused
from cogir.analyze.simpler_functions import drift_diffusion_at_a_bound, drift_diffusion_with_logistic
from cogir.analyze.single_node import node_as_model
from cogir.dialects import cog
from cogir.errors import InputError, LoweringError
from cogir.irutils import array_of_dense
from cogir.model.graph import main_model

CONSENTS = {"bits": Sense.BITS, "reals": Sense.REALS, "distribution": Sense.DISTRIBUTION, "limit": Sense.DISTRIBUTION}

LEAKS = ("leak", "competition", "inhibition")
"""Parameters that must be zero in an accumulator that is a drift diffusion."""
MANY = 1_000_000
"""A drift diffusion with at least so many executions practically always reaches a bound."""

LOST = "in the limit of short steps; times are their mean"
"""The sense in which the analytical form is equal."""


@dataclass(frozen=True)
class Replacement:
    """A node that was replaced, the function that it has now, and the sense in which it is equal."""

    node: str
    function: str
    sense: str

    def __str__(self) -> str:
        return f"{self.node} is {self.function} ({self.sense})"


@dataclass(frozen=True)
class ReplaceEquivalentNodes(ModulePass):
    """Replaces nodes by simpler ones that are equal in a sense to which the user consents."""

    name = "replace-equivalent-nodes"

    consent: str = "bits"
    """The weakest sense of equality that is allowed: "bits", "reals", "distribution" or "limit"."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for replacement in replace_nodes(op, self.consent):
            remarks.passed(op, "{}", replacement)


def replace_nodes(module: ModuleOp, consent: str) -> list[Replacement]:
    """Replaces the nodes of a module in place, and says which."""
    if consent not in CONSENTS:
        raise LoweringError(f"replace-equivalent-nodes: consent is '{consent}'; give one of {', '.join(CONSENTS)}")
    found: list[Replacement] = []
    model = main_model(module, None)
    for node in [op for op in model.body.block.ops if isinstance(op, cog.NodeOp)]:
        if not refers_only_plainly(model, node):
            continue
        current, step = as_drift_diffusion(module, model, node, CONSENTS[consent])
        found += step
        if consent == "limit":
            found += as_analytical(module, model, current)
    if found:
        without_unused(module)
    return found


PLAIN = (cog.ProjectOp, cog.InputOp, cog.OutputOp, cog.ResetOp, cog.WhenOp, cog.TerminateOp, cog.ScheduleOp)
"""Operations that may name a node that is replaced."""


def refers_only_plainly(model: cog.ModelOp, node: cog.NodeOp) -> bool:
    """True if nothing reads or changes the states and parameters of a node from outside."""
    name = node.sym_name.data
    for op in model.walk():
        if any(each.string_value() == name for each in references(op)) and not is_plain(op):
            return False
    return True


def is_plain(op: Operation) -> bool:
    """True for connections, and for conditions that count executions or ask whether a node has finished."""
    if isinstance(op, cog.ResetOp):
        return op.states is None and op.keeps is None and op.keeps_ports is None
    return isinstance(op, PLAIN) or (
        isinstance(op.parent_op(), cog.WhenOp | cog.TerminateOp | cog.ResetOp) and "state" not in op.properties
    )


def as_drift_diffusion(module: ModuleOp, model: cog.ModelOp, node: cog.NodeOp, least: Sense) -> tuple[cog.NodeOp, list[Replacement]]:
    """The drift diffusion that an accumulator without leak and competition is."""
    values = {name: numbers(value) for name, value in node.params}
    leaks = [values[name] for name in LEAKS if name in values]
    if not leaks or any(held.any() for held in leaks) or len(node.inputs) != 1 or len(node.random) != 1:
        return node, []
    loops = recurrent(model, node)
    if any(numbers(each.matrix).any() if each.matrix is not None else True for each in loops):
        return node, []
    for function, params, ports in candidates(node, values):
        made = node_with(node, function, params, ports)
        if made is None:
            continue
        until_finished(node_in(made), node)
        level = sense(module, node, made)
        level = min(level, Sense.REALS) if loops else level
        if level and level >= least:
            new = graft(module, node, made)
            for each in loops:
                each.detach()
                each.erase()
            return new, [Replacement(new.sym_name.data, function.__name__, WORDS[level])]
    return node, []


WORDS = {Sense.BITS: "bit-equal", Sense.REALS: "equal over the reals", Sense.DISTRIBUTION: "equal in distribution"}


def candidates(node: cog.NodeOp, values: Mapping[str, np.ndarray]) -> list[tuple[Callable[..., Any], dict[str, Any], dict[str, str]]]:
    """Simpler functions that a node may have, with parameters, and with the outputs of the function by those of the node."""
    outputs = [name for name, _ in node.outputs]
    number = {name: float(held.ravel()[0]) for name, held in values.items() if held.size == 1}
    plain = {
        "rate": number.get("rate", 1.0),
        "noise": number.get("noise", 0.0),
        "offset": number.get("offset", 0.0),
        "threshold": number.get("threshold", np.inf),
        "time_step_size": number.get("time_step_size", 1.0),
    }
    found: list[tuple[Callable[..., Any], dict[str, Any], dict[str, str]]] = []
    if set(outputs) <= {"result", "steps"}:
        found.append((drift_diffusion_with_logistic, {}, {name: name for name in outputs}))
    if len(outputs) <= 2:
        found.append((library.drift_diffusion_integrator, plain, dict(zip(outputs, ("value", "time"), strict=False))))
    return found


def recurrent(model: cog.ModelOp, node: cog.NodeOp) -> list[cog.ProjectOp]:
    """The recurrent projections of a node to itself."""
    name = node.sym_name.data
    own = [op for op in model.body.block.ops if isinstance(op, cog.ProjectOp)]
    return [op for op in own if op.source.string_value() == name and op.target.string_value() == name and op.recurrent is not None]


def sense(module: ModuleOp, node: cog.NodeOp, made: ModuleOp) -> Sense:
    """The sense in which a node is equal to the one in `made`, each by itself in its place: with the same generator and resets."""
    name = node.sym_name.data
    copy = module.clone()
    graft(copy, node_called(copy, name), made.clone())
    first, second = node_as_model(module.clone(), name), node_as_model(copy, name)
    modules = at_machine(first), at_machine(second)
    own, other = (signature_of(Layout.from_module(each)) for each in modules)
    try:
        inputs, outputs = matched(own.inputs, other.inputs, None, "input"), matched(own.outputs, other.outputs, None, "output")
        return compare(Question(*modules, inputs, outputs), explain=False).level
    except (NotCompared, InputError):
        return Sense.NONE


def node_called(module: ModuleOp, name: str) -> cog.NodeOp:
    """A node of the main model of a module."""
    nodes = [op for op in main_model(module, None).body.block.ops if isinstance(op, cog.NodeOp)]
    return next(op for op in nodes if op.sym_name.data == name)


def as_analytical(module: ModuleOp, model: cog.ModelOp, node: cog.NodeOp) -> list[Replacement]:
    """The analytical form of a drift diffusion that runs to a bound in each trial."""
    outputs = {name: name for name, _ in node.outputs}
    if not runs_to_a_bound(module, model, node) or not outputs.keys() <= {"value", "time"}:
        return []
    made = node_with(node, drift_diffusion_at_a_bound, {}, outputs)
    if made is None:
        return []
    new = graft(module, node, made)
    for reset in resets_of(model, new.sym_name.data):
        reset.detach()
        reset.erase()
    return [Replacement(new.sym_name.data, drift_diffusion_at_a_bound.__name__, LOST)]


def resets_of(model: cog.ModelOp, name: str) -> list[cog.ResetOp]:
    """The resets of a node."""
    return [op for op in model.walk() if isinstance(op, cog.ResetOp) and op.node.string_value() == name]


def runs_to_a_bound(module: ModuleOp, model: cog.ModelOp, node: cog.NodeOp) -> bool:
    """
    True for a drift diffusion of one element that starts from 0 in each trial, executes once in it, and goes on until it reaches a bound.
    """
    values = {name: numbers(value) for name, value in node.params}
    if not set(DIFFUSION) <= values.keys() or any(held.size != 1 for held in values.values()):
        return False
    number = {name: float(held.ravel()[0]) for name, held in values.items()}
    moves = 0.0 < number["threshold"] < np.inf and number["noise"] > 0.0 and number["time_step_size"] > 0.0 and number["offset"] == 0.0
    begins = all(not numbers(value).any() and numbers(value).size == 1 for _, value in node.states)
    if not (moves and begins and repeats(node) and node.max_executions >= MANY and executes_once(model, node)):
        return False
    made = node_with(node, library.drift_diffusion_integrator, {}, {name: name for name, _ in node.outputs})
    if made is None:
        return False
    until_finished(node_in(made), node)
    return sense(module, node, made) == Sense.BITS


DIFFUSION = ("rate", "noise", "offset", "threshold", "time_step_size")
"""The parameters of `drift_diffusion_integrator`."""


def executes_once(model: cog.ModelOp, node: cog.NodeOp) -> bool:
    """True if a node is reset where each trial starts, and the schedule has no conditions, so that each node executes once in a trial."""
    if any(isinstance(op, cog.WhenOp | cog.TerminateOp) for op in model.walk()):
        return False
    resets = resets_of(model, node.sym_name.data)
    conditions = [[type(op) for op in reset.body.block.ops] for reset in resets]
    return conditions == [[cog.AtTrialStartOp, cog.ConditionOp]]


def numbers(value: Attribute | None) -> np.ndarray:
    """The numbers of a constant."""
    if isinstance(value, FloatAttr):
        return np.array(value.value.data)
    if isinstance(value, DenseIntOrFPElementsAttr):
        return np.asarray(array_of_dense(cast("DenseIntOrFPElementsAttr[Any]", value)))
    return np.array(np.nan)
