"""
Random conditions: every one that the dialect knows, of the nodes of one model, valid wherever it is put.
"""

from collections.abc import Callable
from typing import Any

from support.random.nodes import Choices, Member, Members

import cogir
from cogir.library import Value

SCALES = ("time_step", "pass", "trial", "run", "life")
"""From the shortest to the longest."""


def above_quarter(value: Value) -> Value:
    """A predicate over a number."""
    return value > 0.25


def first_above_quarter(value: Value) -> Value:
    """A predicate over an array."""
    return value[0] > 0.25


def corner_above_quarter(value: Value) -> Value:
    """A predicate over a matrix."""
    return value[0, 0] > 0.25


ABOVE_QUARTER = (above_quarter, first_above_quarter, corner_above_quarter)
"""By rank."""

PLAIN = ("Always", "Never", "AtTrialStart", "AtRunStart")
OF_RUNS = ("AtRun", "AfterRun", "AfterNRuns", "AtRunNStart")
OF_CLOCKS = {
    "pass": ("BeforeTimeStep", "AtTimeStep", "AfterTimeStep", "AfterNTimeSteps"),
    "trial": ("BeforePass", "AtPass", "AfterPass", "AfterNPasses", "EveryNPasses"),
    "run": ("BeforeTrial", "AtTrial", "AfterTrial", "AfterNTrials", "AtTrialNStart"),
}
"""Conditions on a clock, by the shortest scale in which it counts."""
OF_CALLS = ("BeforeNCalls", "AtNCalls", "AfterCall", "AfterNCalls")
OF_SEVERAL = ("AllHaveRun", "AfterNCallsCombined", "WhenFinishedAny", "WhenFinishedAll")
OF_VALUES = ("Threshold", "While", "WhileNot")
OF_OTHERS = ("EveryNCalls", "JustRan", "WhenFinished")
JOINED = ("All", "Any", "Not", "NWhen")
AT_LEAST_ONE = ("EveryNPasses", "EveryNCalls", "NWhen")
"""Conditions whose number is 1 or more."""

ALL_CONDITIONS = (
    *PLAIN,
    *OF_RUNS,
    *(name for names in OF_CLOCKS.values() for name in names),
    *(*OF_CALLS, *OF_SEVERAL, *OF_VALUES, *OF_OTHERS, *JOINED),
)
"""Every condition that a random model can hold."""


def random_condition(choices: Choices, nodes: Members, owner: Member | None, depth: int) -> cogir.Condition:
    """
    A condition for `owner` (None: for the end of something, or for a reset) with at most `depth` conditions around another.

    `nodes` are those of the model. A node is not asked to wait for itself: that is refused.
    """
    others = [node for node, _ in nodes if node is not owner]
    names = [*PLAIN, *OF_RUNS, *(name for names in OF_CLOCKS.values() for name in names), *OF_VALUES, "BeforeNCalls"]
    if others:
        names += [*OF_CALLS, *OF_SEVERAL, *OF_OTHERS]
    if others and owner is not None:
        names += ["EveryNCalls", "JustRan"] * 2
    if owner is None:
        names = [name for name in names if name != "EveryNCalls"]  # counts since its owner ran
    if depth > 0:
        names += JOINED * 2
    name = choices.of(names)
    choices.tags[name] += 1
    kind: Any = getattr(cogir, name)
    n = choices.between(1 if name in AT_LEAST_ONE else 0, 3)
    if name in PLAIN:
        return kind()
    if name in OF_RUNS:
        return kind(n)
    for shortest, of_clock in OF_CLOCKS.items():
        if name in of_clock:
            return kind(n, time_scale=choices.of(SCALES[SCALES.index(shortest) :]))
    if name in JOINED:
        parts = [random_condition(choices, nodes, owner, depth - 1) for _ in range(2 if name in ("All", "Any") else 1)]
        return kind(*parts, n) if name == "NWhen" else kind(*parts)
    if name in OF_VALUES:
        return _of_a_value(choices, kind, [node for node, _ in nodes if isinstance(node, cogir.Node)])
    if name == "BeforeNCalls":  # the owner itself, too
        return kind(choices.of([node for node, _ in nodes]), n, time_scale=choices.of(SCALES))
    if name in OF_CALLS:
        return kind(choices.of(others), n, time_scale=choices.of(SCALES))
    return _of_nodes(choices, kind, others, n)


def _of_nodes(choices: Choices, kind: Any, others: list[Member], n: int) -> cogir.Condition:
    several = others[choices.between(0, len(others) - 1) :][:2]
    match kind.__name__:
        case "EveryNCalls":
            return kind(choices.of(others), n)
        case "JustRan" | "WhenFinished":
            return kind(choices.of(others))
        case "WhenFinishedAny" | "WhenFinishedAll":
            return kind(*several)
        case "AllHaveRun":
            return kind(*several[: choices.between(0, 2)], time_scale=choices.of(SCALES))
        case _:
            return kind(*several, n=n, time_scale=choices.of(SCALES))


def _of_a_value(choices: Choices, kind: Any, nodes: list[cogir.Node]) -> cogir.Condition:
    """A condition on a port, a state or a parameter of a node. (One can look at nodes only; the first is never an instance.)"""
    node = choices.of(nodes)
    body = node.record.body
    shapes: dict[str, tuple[int, ...]] = {name: type_.shape for name, type_ in node.outputs.items()}
    read: dict[str, Callable[[], Any]] = {name: (lambda name=name: node[name]) for name in shapes}
    for held, handle in ((body.states, node.state), (body.params, node.param)) if body and choices.one_in(3) else ():
        for name, value in held.items():
            if name not in shapes:
                shapes[name] = value.shape
                read[name] = lambda name=name, handle=handle: handle(name)
    name = choices.of(list(shapes))
    choices.tags["look at a state or parameter"] += name not in node.outputs
    if kind is not cogir.Threshold:
        return kind(ABOVE_QUARTER[len(shapes[name])], read[name]())
    comparator = choices.of(["<", "<=", ">", ">=", "==", "!="])
    loose = {key: choices.of([0.0, 0.5]) for key in ("atol", "rtol")} if comparator in ("==", "!=") else {}
    indices = tuple(choices.between(0, size - 1) for size in shapes[name]) or None
    return kind(node, name, choices.small(), comparator, indices=indices, **loose)
