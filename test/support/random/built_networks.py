"""The networks of `numpy_networks`, built in cogir, and how far the two are apart."""

from typing import Any

import numpy as np
from support.random.numpy_networks import Network, Unit, Vector

import cogir
from cogir import library
from cogir.library import State, Step, Value

BOUND = 1e-12
"""Of the value, or of the largest magnitude of the port: what sums in another order may differ by."""


def settle(variable: Value, *, rate: Value = 0.3, threshold: Value = 1.0, level: State = 0.0) -> Step:
    """A leaky sum that has finished when one element is large."""
    level = level + rate * (variable - 0.5 * level)
    return Step(outputs=(level,), states=(level,), finished=np.max(np.abs(level)) >= threshold)


def built(network: Network) -> cogir.Model:
    """The network as a model of which all nodes are outputs."""
    model = cogir.Model("network")
    nodes = {unit.name: _node(model, unit) for unit in network.units}
    for link in network.links:
        given = {"recurrent": link.recurrent, "feedback": link.feedback}
        model.project(nodes[link.source]["value"], nodes[link.target], matrix=link.matrix, **given)
    for influence in network.influences:
        model.modulate(nodes[influence.source]["value"], nodes[influence.target].param(influence.parameter), influence.how)
    for unit in network.units:
        if unit.resets:
            model.schedule.reset(nodes[unit.name], cogir.AtTrialStart())
        if (condition := _condition(unit)) is not None:
            model.schedule.when(nodes[unit.name], condition)
    match network.ending:
        case ("passes", n):
            model.schedule.trial_ends(cogir.AfterNPasses(n))
        case ("finished", node, most):
            model.schedule.trial_ends(cogir.WhenFinished(nodes[node]) | cogir.AfterNPasses(most))
        case _:
            pass
    model.input(*(nodes[unit.name] for unit in network.units if unit.is_input))
    model.output(*(node["value"] for node in nodes.values()))
    return model


def _node(model: cogir.Model, unit: Unit) -> cogir.Node:
    known = vars(library.psyneulink) | vars(library) | {"identity": None, "settle": settle}
    function = known[unit.kind]
    options: dict[str, Any] = {"input": unit.size, "combine": "product" if unit.product else "sum", "initial": {"value": unit.initial}}
    if unit.limit is not None:
        options |= {"execute_until_finished": True, "max_executions_before_finished": unit.limit}
    if unit.generator is not None:
        options |= dict(zip(("prng", "seed"), unit.generator, strict=True))
    return model.node(unit.name, function, **unit.numbers, **options)


def _condition(unit: Unit) -> cogir.Condition | None:
    kind, other, n = unit.condition
    match kind:
        case "every":
            return cogir.EveryNCalls(other, n)
        case "at pass":
            return cogir.AtPass(n)
        case "every pass":
            return cogir.EveryNPasses(n)
        case "after trial":
            return cogir.AfterTrial(n)
        case _:
            return None


def farthest(found: Any, expected: dict[str, Vector]) -> tuple[float, str]:
    """
    The largest difference of any port of a result, in units of what is allowed, and which port that is.

    Infinities and NaN must be where they are expected; the largest magnitude of a port is that of its finite numbers.
    """
    worst = (0.0, "")
    for name, wanted in expected.items():
        finite = np.isfinite(wanted)
        if not np.array_equal(found[name][~finite], wanted[~finite], equal_nan=True):
            return np.inf, name
        magnitudes = np.abs(wanted[finite])
        allowed = BOUND * np.maximum(magnitudes, np.max(magnitudes, initial=0.0))
        difference = np.abs(found[name][finite] - wanted[finite])
        if np.any(difference > 0.0):
            worst = max(worst, (float(np.max(difference / np.maximum(allowed, 5e-324))), name))
    return worst
