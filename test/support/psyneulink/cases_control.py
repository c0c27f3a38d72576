"""
Cases: ControlMechanisms, GatingMechanisms and controllers.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from support.psyneulink.cases import Case, node

import psyneulink as pnl


def modulated(how: str, *, kind: str = "slope", nested: bool = False, **settings: Any) -> Case:
    """A -> B, of which something is modulated by what X says."""

    def build() -> pnl.Composition:
        first, other = node("A"), node("X")
        last = pnl.TransferMechanism(name="B", function=pnl.Linear(slope=1.5, intercept=0.25), noise=settings.get("noise", 0.0))
        composition = pnl.Composition(name="C")
        composition.add_linear_processing_pathway([first, pnl.Composition(name="I", pathways=[[last]]) if nested else last])
        composition.add_node(other)
        acts_on = {"input": last.input_ports[0], "output": last.output_ports[0]}.get(kind, (kind, last))
        if kind in ("input", "output"):
            gate = pnl.GatingSignal(gate=acts_on, modulation=how)
            composition.add_node(pnl.GatingMechanism(name="GATE", monitor_for_gating=other, gating_signals=[gate]))
        else:
            signal = pnl.ControlSignal(modulates=acts_on, modulation=how)
            composition.add_node(pnl.ControlMechanism(name="CONTROL", monitor_for_control=other, control=[signal]))
        return composition

    return Case(build)


def seeded() -> pnl.Composition:
    """The seed of a node that draws is what X says."""
    drawn, other = node("A", function=pnl.GaussianDistort), node("X", function=pnl.Linear(intercept=5.0))
    composition = pnl.Composition(name="C", pathways=[[drawn], [other]])
    signal = pnl.ControlSignal(modulates=("seed", drawn), modulation=pnl.OVERRIDE)
    composition.add_node(pnl.ControlMechanism(name="CONTROL", monitor_for_control=other, control=[signal]))
    return composition


def of_a_matrix() -> pnl.Composition:
    """A ControlSignal to the matrix of a MappingProjection: PsyNeuLink makes the ControlProjection, but does not activate it."""
    first, last, other = node("A", 2), node("B", 2), node("X")
    weight = pnl.MappingProjection(first, last, matrix=[[2.0, 1.0], [0.5, -1.0]], name="weight")
    composition = pnl.Composition(name="C", pathways=[[first, weight, last], [other]])
    signal = pnl.ControlSignal(modulates=weight.parameter_ports["matrix"])
    composition.add_node(pnl.ControlMechanism(name="CONTROL", monitor_for_control=other, control=[signal]))
    return composition


def locus_coeruleus() -> pnl.Composition:
    """The gain of a node by the activity of another."""
    first, last = (pnl.TransferMechanism(name=name, function=pnl.Logistic) for name in "AB")
    seen = pnl.ObjectiveMechanism(name="O", function=pnl.Linear, monitor=[first])
    composition = pnl.Composition(name="C", pathways=[[first, last]])
    composition.add_node(pnl.LCControlMechanism(name="LC", modulated_mechanisms=[last], objective_mechanism=seen))
    return composition


def searching(**given: Any) -> Case:
    """A -> B, of which A's `modulated` is searched for after each trial."""

    def build() -> pnl.Composition:
        arguments = dict(given)
        first, last = node("A", **arguments.pop("node", {})), node("B", **arguments.pop("last", {}))
        composition = pnl.Composition(name="C", **arguments.pop("composition", {}))
        composition.add_linear_processing_pathway([first, last])
        signal = {"allocation_samples": [1.0, 2.0], "modulates": (arguments.pop("modulated", "slope"), first)}
        signal |= arguments.pop("signal", {})
        controller = {"state_features": [first.input_port], "objective_mechanism": pnl.ObjectiveMechanism(name="O", monitor=[last])}
        search = pnl.GridSearch(**{"save_values": True, **arguments.pop("search", {})})
        composition.add_controller(
            pnl.OptimizationControlMechanism(
                agent_rep=composition, function=search, control_signals=[pnl.ControlSignal(**signal)], **(controller | arguments)
            )
        )
        return composition

    # With a controller, PsyNeuLink's count of a run's executions in one context depends on who ran the contexts before it.
    return Case(build, trials=2, left_out=("count",))


def beside(mode: str = "after", *, where: str = "slope", signal: dict[str, Any] | None = None, nested: bool = False, **given: Any) -> Case:
    """A -> B; a ControlMechanism, which is the controller, sets A's slope to what it sees of B."""

    def build() -> pnl.Composition:
        arguments = dict(given)
        settings = arguments.pop("composition", {})
        first = pnl.TransferMechanism(name="A", function=pnl.Linear(slope=1.5, intercept=0.25))
        last = pnl.TransferMechanism(name="B", function=pnl.Logistic(gain=2.0))
        composition = pnl.Composition(name="C", controller_mode=mode, **{name: make() for name, make in settings.items()})
        composition.add_linear_processing_pathway([pnl.Composition(name="I", pathways=[[first]]) if nested else first, last])
        seen = {"monitor_for_control": [last]}
        if arguments.pop("objective", False):
            seen = {"objective_mechanism": pnl.ObjectiveMechanism(name="O", monitor=[last], function=pnl.Linear(slope=1.25))}
        kind, function = arguments.pop("kind", pnl.ControlMechanism), arguments.pop("function", None)
        controls = {"control_signals": [pnl.ControlSignal(**{"modulates": (where, first), **(signal or {})})]}
        if kind is pnl.LCControlMechanism:
            controls = {"modulated_mechanisms": [first]}
        composition.add_controller(kind(name="K", **seen, **controls, **({} if function is None else {"function": function()})))
        composition.enable_controller = arguments.pop("enabled", True)
        return composition

    return Case(build)


def given_to_the_constructor() -> pnl.Composition:
    """Parameters are marked CONTROL where they are given, and the Composition's controller finds them."""
    first = pnl.TransferMechanism(name="A", function=pnl.Linear(slope=(2.0, pnl.CONTROL)))
    last = pnl.TransferMechanism(name="B", function=pnl.Logistic(gain=(1.0, pnl.CONTROL)))
    controller = pnl.ControlMechanism(name="K", monitor_for_control=[last, first])
    return pnl.Composition(name="C", pathways=[[first, last]], controller=controller)


def without_inputs() -> pnl.Composition:
    """A controller that monitors nothing: its variable is its default, 1."""
    first = pnl.TransferMechanism(name="A", function=pnl.Linear(slope=(2.0, pnl.CONTROL)))
    return pnl.Composition(name="C", pathways=[[first]], controller=pnl.ControlMechanism(name="K"))


def conflict() -> pnl.Composition:
    """Conflict between two responses, as an ObjectiveMechanism measures it, sets the gain of a layer before them."""
    color, word = (pnl.TransferMechanism(name=name, input_shapes=2) for name in ("color", "word"))
    hidden = pnl.TransferMechanism(name="hidden", input_shapes=2, function=pnl.Logistic(gain=1.5))
    response = pnl.RecurrentTransferMechanism(name="response", input_shapes=2, function=pnl.Logistic, hetero=-1.0, auto=0.5)
    composition = pnl.Composition(name="stroop", pathways=[[color, hidden], [word, hidden], [hidden, response]])
    energy = pnl.Energy(input_shapes=2, matrix=[[0, -2.5], [-2.5, 0]])
    seen = pnl.ObjectiveMechanism(name="conflict", monitor=response, function=energy)
    composition.add_controller(pnl.ControlMechanism(name="K", objective_mechanism=seen, control_signals=[(pnl.GAIN, hidden)]))
    return composition


def two_levels(mode: str) -> Case:
    """A Composition with a controller that is executed beside its nodes, inside another."""

    def build() -> pnl.Composition:
        inner = beside(mode).build()
        inner.name = "INNER"
        composition = pnl.Composition(name="OUTER")
        composition.add_linear_processing_pathway([inner, node("Z")])
        return composition

    return Case(build)


def and_a_node() -> pnl.Composition:
    """A ControlMechanism among the nodes, and one as the controller, act on one slope."""
    first, last, other = node("A"), node("B", function=pnl.Logistic), node("X")
    composition = pnl.Composition(name="C", pathways=[[first, last], [other]])
    composition.add_node(pnl.ControlMechanism(name="N", monitor_for_control=other, control=[("slope", first)]))
    composition.add_controller(pnl.ControlMechanism(name="K", monitor_for_control=last, control=[("slope", first), ("gain", last)]))
    return composition


def until_a_threshold() -> pnl.Composition:
    """Trials whose length depends on values, with a controller."""
    composition = beside().build()
    first, last = composition.nodes["A"], composition.nodes["B"]
    composition.scheduler.add_condition(last, pnl.EveryNCalls(first, 2))
    high = pnl.Threshold(last, "value", 0.6, ">", indices=(0, 0))
    composition.termination_processing = {pnl.TimeScale.TRIAL: pnl.Any(high, pnl.AfterPass(4))}
    return composition


def behind(every: int = 1, deep: bool = False) -> pnl.Composition:
    """What is inside of I, which runs every few passes, is modulated by a node after it; `deep`: it is one level deeper, and runs less."""
    first, last, other = node("A", function=pnl.Linear(slope=1.5)), node("B"), node("X")
    inside = pnl.Composition(name="I", pathways=[[first]])
    if deep:
        outer = pnl.Composition(name="O", pathways=[[node("D"), inside], [node("E")]])
        outer.scheduler.add_condition(inside, pnl.AtTrialStart())
        outer.termination_processing = {pnl.TimeScale.TRIAL: pnl.AfterPass(1)}
        inside = outer
    composition = pnl.Composition(name="C", pathways=[[inside, last], [other]])
    composition.add_node(pnl.ControlMechanism(name="CONTROL", monitor_for_control=last, control_signals=[("slope", first)]))
    composition.scheduler.add_condition(inside, pnl.EveryNCalls(other, every) if every > 1 else pnl.Always())
    composition.scheduler.add_condition(last, pnl.Always())
    composition.termination_processing = {pnl.TimeScale.TRIAL: pnl.AfterPass(2)}
    return composition


COSTS = pnl.CostFunctions
NOISY: dict[str, Any] = {"node": {"function": pnl.GaussianDistort}, "modulated": "variance"}


def gated_by_vector() -> Any:
    """A GatingMechanism multiplies each element of an InputPort by another number."""
    first = node("A", 2)
    last = node("B", 2, input_ports=[pnl.InputPort(name="in", function=pnl.LinearCombination(scale=np.ones(2)))])
    signal = pnl.GatingSignal(default_allocation=[1.0, 1.0], modulates=last.input_port)
    gate = pnl.GatingMechanism(name="G", default_allocation=[1.0, 1.0], gating_signals=[signal], function=pnl.Logistic)
    composition = pnl.Composition(name="C", pathways=[first, last])
    composition.add_node(gate)
    composition.add_projection(pnl.MappingProjection(sender=first, receiver=gate.input_port, matrix=[[1.0, 0.5], [-1.0, 2.0]]))
    return composition


CONTROL = {
    "control multiplies": modulated(pnl.MULTIPLICATIVE),
    "control adds": modulated(pnl.ADDITIVE, kind="intercept"),
    "control overrides": modulated(pnl.OVERRIDE),
    "control disabled": modulated(pnl.DISABLE),
    "control of noise": modulated(pnl.MULTIPLICATIVE, kind="noise", noise=0.5),
    "control of a nested node": modulated(pnl.MULTIPLICATIVE, nested=True),
    "control of a nested node before it": Case(behind),
    "control of a nested node that runs less": Case(lambda: behind(2)),
    "control of a nested node two levels down": Case(lambda: behind(1, deep=True)),
    "control of a nested node two levels down that runs less": Case(lambda: behind(2, deep=True)),
    "control of a seed": Case(seeded, trials=4),
    "control of a matrix": Case(of_a_matrix),
    "gating of an InputPort": modulated(pnl.MULTIPLICATIVE, kind="input"),
    "gating of an OutputPort": modulated(pnl.OVERRIDE, kind="output"),
    "gating by a vector": Case(gated_by_vector),
    "LCControlMechanism": Case(locus_coeruleus),
}

CONTROLLERS = {
    "grid search": searching(),
    "grid search before": searching(composition={"controller_mode": "before"}),
    "grid search for the least": searching(search={"direction": pnl.MINIMIZE}),
    "grid search with intensity costs": searching(signal={"cost_options": COSTS.INTENSITY}),
    "grid search with adjustment costs": searching(signal={"cost_options": COSTS.ADJUSTMENT}),
    "grid search with duration costs": searching(signal={"cost_options": COSTS.DURATION}),
    "grid search without features": searching(state_features=None),
    "grid search at a trial": searching(composition={"controller_condition": pnl.AtTrial(1)}),
    "grid search of two trials": searching(num_trials_per_estimate=2),
    "grid search with noise": searching(**NOISY),
    "grid search with estimates": searching(num_estimates=2, initial_seed=3, same_seed_for_all_allocations=True, **NOISY),
    "grid search with costs of its own": Case(searching(combine_costs=max).build, refused="it has a custom combine_costs; use np.sum"),
    "grid search whose simulations are kept": searching(composition={"retain_old_simulation_data": True}),
    "grid search of each pass": Case(
        searching(composition={"controller_time_scale": pnl.TimeScale.PASS}).build, refused="its controller_time_scale is PASS"
    ),
    "grid search with a net outcome of its own": Case(
        searching(compute_net_outcome=lambda outcome, cost: outcome - 2.0 * cost).build,
        refused="it has a custom compute_net_outcome; leave it out",
    ),
}

BESIDE = {
    "ControlMechanism as controller": beside(),
    "ControlMechanism as controller, before": beside("before"),
    "ControlMechanism as controller, disabled": beside(enabled=False),
    "ControlMechanism as controller with an ObjectiveMechanism": beside(objective=True),
    "ControlMechanism as controller with an ObjectiveMechanism, before": beside("before", objective=True),
    "controller adds to the intercept": beside(where="intercept", signal={"modulation": pnl.ADDITIVE}),
    "controller overrides": beside(signal={"modulation": pnl.OVERRIDE}),
    "controller with a function": beside(function=lambda: pnl.Logistic(gain=3.0)),
    "controller that integrates": beside(function=lambda: pnl.SimpleIntegrator(rate=0.5)),
    "controller with costs": beside(signal={"cost_options": COSTS.INTENSITY | COSTS.ADJUSTMENT}),
    "controller of a nested node": beside(nested=True),
    "controller of a nested node, before": beside("before", nested=True),
    "controller at a trial": beside(composition={"controller_condition": lambda: pnl.AtTrial(1)}),
    "controller after some trials, before": beside("before", composition={"controller_condition": lambda: pnl.AfterNTrials(1)}),
    "controller of each run": beside("before", composition={"controller_time_scale": lambda: pnl.TimeScale.RUN}),
    "controller of each pass": Case(
        beside(composition={"controller_time_scale": lambda: pnl.TimeScale.PASS}).build, refused="its controller_time_scale is PASS"
    ),
    "LCControlMechanism as controller": beside(kind=pnl.LCControlMechanism, objective=True),
    "LCControlMechanism as controller, before": beside("before", kind=pnl.LCControlMechanism, objective=True),
    "controller given to the constructor": Case(given_to_the_constructor),
    "controller without inputs": Case(without_inputs),
    "controller by conflict": Case(conflict),
    "controller of a nested Composition": two_levels("after"),
    "controller of a nested Composition, before": two_levels("before"),
    "controller beside a ControlMechanism": Case(and_a_node),
    "controller and trials of different lengths": Case(until_a_threshold),
}

GROUPS: dict[str, dict[str, Case]] = {
    "Control and gating by nodes": CONTROL,
    "Controllers that search": CONTROLLERS,
    "Controllers that do not search": BESIDE,
}
"""The cases by what they are about."""

CASES: dict[str, Case] = {name: case for group in GROUPS.values() for name, case in group.items()}
