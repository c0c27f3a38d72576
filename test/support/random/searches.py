"""
Random controllers: grid searches over parameters of a model, or of a model within it.
"""

from typing import Any

import numpy as np
from support.random.nodes import Choices, Member, Members, fitting, numbers

import cogir
from cogir.frontend.builder.handles import parameter_range
from cogir.frontend.builder.signals import Estimates
from cogir.library import Value
from cogir.ranges import Between


def shifted_square(change: Value) -> Value:
    """A cost that grows with the square of what it is given, and is below zero near zero, so that clipping shows."""
    return 0.125 * change * change - 0.0625


COSTS = (
    None,
    True,
    {"adjustment": shifted_square},
    {"duration": shifted_square},
    {"intensity": shifted_square, "adjustment": shifted_square, "duration": shifted_square},
)
"""What a signal may cost."""


CONDITIONS = (cogir.AtTrial(1), cogir.AfterPass(0), cogir.AfterNTimeSteps(1), cogir.Not(cogir.AtTrial(0)), cogir.Never())
"""When a controller may search, beside always."""


def random_control(
    choices: Choices, model: cogir.Model, nodes: Members, targets: list[cogir.Parameter], overridden: set[str], inner: Members
) -> None:
    """
    A controller of `model` over some of `targets`, if there is something to search.

    `inner`: the nodes of a model of which `model` has one instance; sometimes it is what is simulated.
    """
    simulated, seen = model, nodes
    features: dict[Any, Any] = {}
    if inner and not choices.one_in(3) and (fed := _features_for(choices, nodes, inner)):
        assert choices.placed is not None
        assert choices.placed.description is inner[0][0].model
        simulated, seen, features = choices.placed, inner, fed
    objectives = numbers(seen)
    if not objectives or not targets:
        return
    node, out = objectives[-1] if choices.one_in(2) else choices.of(objectives)
    signals: list[cogir.Signal] = []
    if simulated is model:
        if noise := _over_noise(choices, nodes, targets):
            signal, (node, out) = noise
            signals.append(signal)
        features = _features(choices, model, nodes)
    else:
        choices.tags["search of another model"] += 1
        targets = [target for target in targets if isinstance(target.owner, cogir.Instance)] or targets
    for index in range(choices.between(0 if signals else 1, 3 - len(signals))):
        signals.append(_signal(choices, f"signal {index}", targets, overridden))
    choices.tags["feature"] += bool(features)
    choices.tags["grid_search"] += 1
    estimates: int | Estimates = choices.between(1, 3)
    choices.tags["estimates"] += estimates > 1
    options: dict[str, Any] = {
        "direction": choices.of(["minimize", "maximize"]),
        "when": choices.of(["before", "after"]),
        "ties": choices.of(["first", "random"]),
        "trials_per_estimate": choices.between(1, 2),
        "seeds": choices.of(["same", "per_point"]),
        "seed_base": choices.between(0, 99),
    }
    seed = choices.between(0, 9)
    if options["ties"] == "random":
        options["seed"] = seed
    if keep := (None, "best", "values")[seed % 3]:  # by a number that is drawn already, so that the other choices stay what they were
        choices.tags["search that is kept"] += 1
        options["keep"] = keep
    simulates = None if simulated is model else simulated
    if signals and simulates is None and choices.one_in(4):
        estimates = _estimates(choices, targets, overridden) or estimates
    searched = {"objective": node[out], "signals": signals, "estimates": estimates, "features": features}
    control = model.control("control", model=simulates, **searched, **options)
    if choices.one_in(3):
        choices.tags["condition of a controller"] += 1
        names = [held.name for held, _ in nodes]
        model.schedule.when(control, choices.of([*CONDITIONS, cogir.AfterNCalls(choices.of(names), 2, time_scale=cogir.TimeScale.RUN)]))


def _estimates(choices: Choices, targets: list[cogir.Parameter], overridden: set[str]) -> Estimates | None:
    """Simulations that differ in a parameter that nothing else overrides."""
    free = [target for target in targets if repr(target) not in overridden]
    if not free:
        return None
    target = choices.of(free)
    overridden.add(repr(target))
    choices.tags["estimates that differ in a parameter"] += 1
    first, below = choices.between(0, 3), choices.between(4, 9)
    numbers = {"first": first, "step": choices.between(1, 3), "below": below, "initial": 1.0, "advance": choices.between(0, 3)}
    return Estimates(target, choices.between(1, 3), **numbers)


def _signal(choices: Choices, name: str, targets: list[cogir.Parameter], overridden: set[str]) -> cogir.Signal:
    target = choices.of(targets)
    how = choices.of(["multiply", "add"] if repr(target) in overridden else ["multiply", "add", "override"])
    if how == "override":
        overridden.add(repr(target))
    cost = choices.of(COSTS)
    allowed = (parameter_range(target) or Between()).modulators(how)
    return cogir.Signal(
        target,
        levels=[fitting(allowed, choices.small()) for _ in range(choices.between(1, 3))],
        initial=fitting(allowed, choices.small()),
        cost=cost,
        modulation=how,
        name=name,
        clip=cost is not None and choices.one_in(2),
    )


def _over_noise(choices: Choices, nodes: Members, targets: list[cogir.Parameter]) -> tuple[cogir.Signal, tuple[Member, str]] | None:
    """A signal that scales the noise of a node, and a port of that node: what is chosen then depends on what is drawn."""
    noisy = {node.name for node, kind in nodes if kind.draws}
    found = [
        (target, (node, out)) for target in targets if target.owner.name in noisy for node, out in numbers(nodes) if node is target.owner
    ]
    if not found or choices.one_in(4):
        return None
    choices.tags["search over noise"] += 1
    target, objective = choices.of(found)
    levels = [choices.between(1, 2) * 1.0, choices.between(-2, 0) * 1.0, 0.5]
    allowed = (parameter_range(target) or Between()).modulators("multiply")
    return cogir.Signal(target, levels=[fitting(allowed, level) for level in levels], modulation="multiply", name="noise"), objective


def _features(choices: Choices, model: cogir.Model, nodes: Members) -> dict[Any, Any]:
    """For some inputs of the model, a port of the same type from which a simulation takes them, or a constant."""
    features: dict[Any, Any] = {}
    for address in model.explicit_inputs:
        reader = model.nodes[address.owner]
        fitting = [(node, port) for node, _ in nodes for port, type_ in node.outputs.items() if type_ == reader.inputs[address.name]]
        if fitting and choices.one_in(2):
            node, port = choices.of(fitting)
            features[reader[address.name] if len(reader.inputs) > 1 else reader] = node[port]
        elif choices.one_in(4):
            features[reader[address.name] if len(reader.inputs) > 1 else reader] = np.full(reader.inputs[address.name].shape, 0.75)
    return features


def _features_for(choices: Choices, nodes: Members, inner: Members) -> dict[Any, Any]:
    """For each input of the inner model, a port of the same type outside; nothing, if one has none."""
    features: dict[Any, Any] = {}
    simulated = inner[0][0].model
    for address, wanted in simulated.inputs().items():
        fitting = [(node, port) for node, _ in nodes for port, type_ in node.outputs.items() if type_ == wanted]
        if not fitting:
            return {}
        reader = next(node for node, _ in inner if node.name == address.owner)
        node, port = choices.of(fitting)
        features[reader[address.name] if len(reader.inputs) > 1 else reader] = node[port]
    return features
