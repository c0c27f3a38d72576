"""
What enters a nested Composition from several sides.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import psyneulink as pnl
from support.psyneulink_cases import Case, node


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

GROUPS = {"Inputs of nested Compositions": ENTERING}
"""The cases by what they are about."""

CASES: dict[str, Case] = {name: case for group in GROUPS.values() for name, case in group.items()}
