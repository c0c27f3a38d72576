"""
Random Compositions: a description that Hypothesis draws and shrinks, and the Composition that it describes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st

import psyneulink as pnl

KINDS: dict[str, Callable[[str, int], Any]] = {
    "Linear": lambda name, n: pnl.ProcessingMechanism(name=name, input_shapes=n, function=pnl.Linear(slope=1.5, intercept=0.1)),
    "Logistic": lambda name, n: pnl.ProcessingMechanism(name=name, input_shapes=n, function=pnl.Logistic(gain=2.0)),
    "SoftMax": lambda name, n: pnl.ProcessingMechanism(name=name, input_shapes=n, function=pnl.SoftMax()),
    "GaussianDistort": lambda name, n: pnl.ProcessingMechanism(name=name, input_shapes=n, function=pnl.GaussianDistort(variance=0.3)),
    "lambda": lambda name, n: pnl.ProcessingMechanism(name=name, input_shapes=n, function=lambda x: np.where(x > 0.0, x, 0.5 * x)),
    "Transfer": lambda name, n: pnl.TransferMechanism(name=name, input_shapes=n, function=pnl.Tanh, clip=(-0.9, 0.9)),
    "noisy Transfer": lambda name, n: pnl.TransferMechanism(name=name, input_shapes=n, noise=pnl.NormalDist(standard_deviation=0.1)),
    "integrating Transfer": lambda name, n: pnl.TransferMechanism(name=name, input_shapes=n, integrator_mode=True, integration_rate=0.3),
    "converging Transfer": lambda name, n: pnl.TransferMechanism(
        name=name, input_shapes=n, integrator_mode=True, termination_threshold=0.05, max_executions_before_finished=7
    ),
    "Recurrent": lambda name, n: pnl.RecurrentTransferMechanism(name=name, input_shapes=n, auto=0.3, hetero=-0.1),
    "LCA": lambda name, n: pnl.LCAMechanism(name=name, input_shapes=n, leak=0.4, noise=0.01),
    "Integrator": lambda name, n: pnl.IntegratorMechanism(name=name, input_shapes=n, function=pnl.AdaptiveIntegrator(rate=0.4)),
    "reset": lambda name, n: pnl.TransferMechanism(
        name=name, input_shapes=n, integrator_mode=True, integration_rate=0.5, reset_stateful_function_when=pnl.AtTrial(1)
    ),
}
"""Mechanisms by what they are called here."""

CONDITIONS: dict[str, Callable[[Any], Any]] = {
    "EveryNCalls 2": lambda sender: pnl.EveryNCalls(sender, 2),
    "AfterNCalls 2": lambda sender: pnl.AfterNCalls(sender, 2),
    "JustRan": lambda sender: pnl.JustRan(sender),
    "AfterPass 0": lambda sender: pnl.AfterPass(0),
    "EveryNPasses 2": lambda sender: pnl.EveryNPasses(2),
    "Not AtPass 1": lambda sender: pnl.Not(pnl.AtPass(1)),
    "AtTrialStart": lambda sender: pnl.AtTrialStart(),
    "Threshold": lambda sender: pnl.Threshold(sender, "value", 0.2, ">", indices=(0, 0)),
}
"""Conditions of a node that hears `sender`."""

ENDING: dict[str, Callable[[str, int], Any]] = {
    "counting Transfer": lambda name, n: pnl.TransferMechanism(
        name=name,
        input_shapes=n,
        integrator_mode=True,
        execute_until_finished=False,
        termination_measure=pnl.TimeScale.TRIAL,
        termination_threshold=2,
    ),
    "counting runs": lambda name, n: pnl.TransferMechanism(
        name=name,
        input_shapes=n,
        integrator_mode=True,
        execute_until_finished=False,
        termination_measure=pnl.TimeScale.RUN,
        termination_threshold=3,
    ),
    "slow Transfer": lambda name, n: pnl.TransferMechanism(
        name=name, input_shapes=n, integrator_mode=True, integration_rate=0.5, execute_until_finished=False, termination_threshold=0.1
    ),
    "large Transfer": lambda name, n: pnl.TransferMechanism(
        name=name,
        input_shapes=n,
        integrator_mode=True,
        execute_until_finished=False,
        termination_measure=max,
        termination_comparison_op=pnl.GREATER_THAN,
        termination_threshold=0.4,
    ),
}
"""Mechanisms that finish in the course of a trial or a run."""

WHEN_FINISHED: dict[str, Callable[[Any], Any]] = {
    "WhenFinished": lambda sender: pnl.WhenFinished(sender),
    "WhenFinishedAny": lambda sender: pnl.WhenFinishedAny(sender),
    "Not WhenFinished": lambda sender: pnl.Not(pnl.WhenFinished(sender)),
    "WhenFinished or EveryNCalls 3": lambda sender: pnl.Any(pnl.WhenFinished(sender), pnl.EveryNCalls(sender, 3)),
}
"""Conditions of a node that hears a `sender` which finishes."""


MODULATED = {
    "Linear": "slope",
    "Logistic": "gain",
    "SoftMax": "gain",
    "GaussianDistort": "variance",
    "Transfer": "gain",
    "noisy Transfer": "slope",
    "integrating Transfer": "integration_rate",
    "Recurrent": "slope",
    "LCA": "gain",
    "Integrator": "rate",
    "reset": "slope",
}
"""A parameter of each kind of Mechanism that a ControlMechanism may modulate."""

INNER = {"EveryNPasses 2": lambda: pnl.EveryNPasses(2), "AtTrialStart": pnl.AtTrialStart, "AfterPass 0": lambda: pnl.AfterPass(0)}
"""Conditions of the nested Composition."""


@dataclass(frozen=True)
class NodeSpec:
    """One node: what it is, its size, which of those before it it hears, and its condition, if it has one and hears any."""

    kind: str
    size: int
    senders: tuple[int, ...]
    condition: str | None


@dataclass(frozen=True)
class Spec:
    """A Composition: its nodes, which of them also hears the last one, how many passes a trial has, and how many nodes stand in another."""

    nodes: tuple[NodeSpec, ...]
    feedback: int | None
    passes: int | None
    nested: int
    """So many of the first nodes are put into a Composition of their own, 0 or at least 1."""
    control: tuple[int, int, str] | None = None
    """The node that a ControlMechanism monitors, the one of which it modulates a parameter, and how."""
    is_controller: bool = False
    """Whether that is the Composition's controller, and no node."""
    inner_condition: str | None = None


@st.composite
def specs(draw: Any) -> Spec:
    """A random description of 2 to 5 nodes."""
    count = draw(st.integers(2, 5))
    passes = draw(st.none() | st.integers(2, 4))
    nodes: list[NodeSpec] = []
    for index in range(count):
        senders = tuple(sorted(draw(st.sets(st.integers(0, index - 1), max_size=2)))) if index else ()
        condition = draw(st.none() | st.sampled_from(sorted(CONDITIONS))) if senders and passes else None
        nodes.append(NodeSpec(draw(st.sampled_from(sorted(KINDS))), draw(st.integers(2, 3)), senders, condition))
    feedback = draw(st.none() | st.integers(0, count - 2))
    nested = 0 if nodes[0].kind == "reset" else draw(st.sampled_from([0, 0, 1]))
    if nested and count > 2 and not nodes[1].senders:
        nested = draw(st.sampled_from([1, 2]))
    receivers = [index for index, one in enumerate(nodes) if one.kind in MODULATED]
    control, is_controller = None, False
    if receivers and draw(st.booleans()):
        monitored = draw(st.integers(nested, count - 1))
        how = draw(st.sampled_from(["multiplicative_param", "additive_param", "OVERRIDE"]))
        control = (monitored, draw(st.sampled_from(receivers)), how)
        is_controller = draw(st.booleans()) or feedback is not None  # where all nodes are followed by others, there is no output
    inner_condition = draw(st.none() | st.sampled_from(sorted(INNER))) if nested and passes else None
    return Spec(tuple(nodes), feedback, passes, nested, control, is_controller, inner_condition)


def build(spec: Spec) -> Any:
    """The Composition of a description."""
    composition = pnl.Composition(name="random")
    kinds, conditions = KINDS | ENDING, CONDITIONS | WHEN_FINISHED
    made = [kinds[one.kind](f"N{index} {one.kind}", one.size) for index, one in enumerate(spec.nodes)]
    inner = pnl.Composition(name="inner", nodes=made[: spec.nested]) if spec.nested else None
    if inner is not None:
        composition.add_node(inner)
    composition.add_nodes(made[spec.nested :])
    for one, receiver in zip(spec.nodes, made, strict=True):
        for sender in one.senders:
            composition.add_projection(pnl.MappingProjection(made[sender], receiver, matrix=matrix(spec.nodes[sender].size, one.size)))
    if spec.feedback is not None and spec.feedback >= spec.nested:
        first, last = spec.nodes[spec.feedback].size, spec.nodes[-1].size
        composition.add_projection(pnl.MappingProjection(made[-1], made[spec.feedback], matrix=0.3 * matrix(last, first)), feedback=True)
    if spec.control is not None:
        add_control(composition, spec, made)
    if inner is not None and spec.inner_condition is not None:
        composition.scheduler.add_condition(inner, INNER[spec.inner_condition]())
    for one, receiver in zip(spec.nodes, made, strict=True):
        if one.condition is not None:
            sender = inner if one.senders[0] < spec.nested else made[one.senders[0]]
            if sender is inner and one.condition == "Threshold":
                continue
            composition.scheduler.add_condition(receiver, conditions[one.condition](sender))
        elif spec.passes is not None and one.senders:
            composition.scheduler.add_condition(receiver, pnl.Always())
    if spec.passes is not None:
        composition.termination_processing = {pnl.TimeScale.TRIAL: pnl.AfterNPasses(spec.passes)}
    return composition


def add_control(composition: Any, spec: Spec, made: list[Any]) -> None:
    """A ControlMechanism that acts on a node by the sum of another's elements."""
    assert spec.control is not None
    monitored, receiver, how = spec.control
    seen = pnl.ObjectiveMechanism(name="SEEN", monitor=[made[monitored]], function=lambda x: np.array([[np.sum(np.tanh(x)) + 1.5]]))
    signal = pnl.ControlSignal(modulates=(MODULATED[spec.nodes[receiver].kind], made[receiver]), modulation=how)
    control = pnl.ControlMechanism(name="CONTROL", objective_mechanism=seen, control_signals=[signal])
    if spec.is_controller:
        composition.add_controller(control)
    else:
        composition.add_node(control)


def matrix(rows: int, columns: int) -> Any:
    """A matrix of this shape that is not symmetric."""
    return np.round(np.sin(1.0 + np.arange(rows * columns)).reshape(rows, columns), 2)
