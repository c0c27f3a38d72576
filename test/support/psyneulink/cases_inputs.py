"""
What enters a Composition: nodes that shadow the inputs of others, and nested Compositions that get something from several sides.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from support.psyneulink.cases import Case, node

import psyneulink as pnl


def two_into_one(matrix: Any = None, deep: bool = False, **settings: Any) -> Any:
    """A and B project to the same input of a nested Composition, perhaps one level further down."""
    receiver, last = node("I", 2), pnl.TransferMechanism(name="J", input_shapes=2, integrator_mode=True)
    inner = pnl.Composition(name="inner", pathways=[[receiver, last]])
    held = pnl.Composition(name="middle", nodes=[inner]) if deep else inner
    a, b = node("A", 2, function=pnl.Logistic), pnl.TransferMechanism(name="B", input_shapes=2, integrator_mode=True)
    composition = pnl.Composition(name="comp", nodes=[a, b, held])
    composition.add_projection(pnl.MappingProjection(a, receiver), a, receiver)
    composition.add_projection(pnl.MappingProjection(b, receiver, matrix=matrix), b, receiver)
    for name, condition in settings.items():
        composition.scheduler.add_condition({"A": a, "B": b, "held": held}[name], condition(a))
    return composition


MATRIX = np.array([[1.0, -0.5], [0.25, 2.0]])

ENTERING = {
    "two into one input": Case(two_into_one),
    "two into one input by a matrix": Case(lambda: two_into_one(MATRIX)),
    "two into one input two deep": Case(lambda: two_into_one(MATRIX, deep=True)),
    "two into one input that runs less often": Case(lambda: two_into_one(MATRIX, held=lambda a: pnl.AfterNCalls(a, 2))),
    "two into one input that run on": Case(lambda: two_into_one(MATRIX, A=lambda a: pnl.Always(), held=lambda a: pnl.AtPass(1))),
}


def shadowing(holder: Any = None) -> Any:
    """B shadows the input of A, which is in `holder` or not; both are heard by D."""
    a = pnl.TransferMechanism(name="A", input_shapes=2, function=pnl.Linear(slope=2.0))
    b = pnl.TransferMechanism(name="B", input_ports=[a.input_port], integrator_mode=True)
    composition = pnl.Composition(name="comp", nodes=[a if holder is None else holder(a), b, node("D", 2)])
    for one in (b,) if holder is not None else (a, b):
        composition.add_projection(pnl.MappingProjection(one, composition.nodes["D"]), one, composition.nodes["D"])
    return composition


def shadowing_inside() -> Any:
    """A nested Composition in which B shadows the input of A."""
    return pnl.Composition(name="outer", nodes=[shadowing(), node("X", 2)])


def shadowing_a_middle_node() -> Any:
    """B shadows A, which gets something from X by a matrix: it gets the same values of X, by a matrix of its own."""
    x, a = node("X", 2, function=pnl.Logistic), node("A", 2)
    b = pnl.ProcessingMechanism(name="B", input_ports=[a.input_port])
    composition = pnl.Composition(name="comp", nodes=[x, a, b])
    composition.add_projection(pnl.MappingProjection(x, a, matrix=MATRIX), x, a)
    return composition


def shadowing_two() -> Any:
    """B has a port that shadows A, one that shadows C, and one of its own."""
    a, c = pnl.TransferMechanism(name="A", input_shapes=2), pnl.TransferMechanism(name="C", input_shapes=3)
    b = pnl.ProcessingMechanism(name="B", input_ports=[a.input_port, c.input_port, {pnl.NAME: "own", pnl.INPUT_SHAPES: 1}])
    return pnl.Composition(name="comp", nodes=[a, c, b])


def nested(name: str) -> Any:
    """Puts a node into a Composition."""
    return lambda one: pnl.Composition(name=name, nodes=[one])


SHADOWS = {
    "shadowed input two deep": Case(lambda: shadowing(lambda one: pnl.Composition(name="middle", nodes=[nested("inner")(one)]))),
    "shadowed input in a nested Composition": Case(shadowing_inside),
    "shadowed input of a node in the middle": Case(shadowing_a_middle_node),
    "shadowed inputs of two nodes": Case(shadowing_two),
}

GROUPS = {"Inputs of nested Compositions": ENTERING, "Shadowed inputs": SHADOWS}
"""The cases by what they are about."""

CASES: dict[str, Case] = {name: case for group in GROUPS.values() for name, case in group.items()}
