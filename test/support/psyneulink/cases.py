"""
Compositions that are run by PsyNeuLink and by cogir and compared: what a case is, and how small ones are written.

A case is a name and a function that builds a Composition. Its inputs are made here from the shapes of its input nodes, the same each time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import psyneulink as pnl

Build = Callable[[], Any]


@dataclass(frozen=True)
class Case:
    """A Composition to compare."""

    build: Build
    trials: int = 3
    refused: str | None = None
    """For what cogir refuses: a part of what it says."""
    low: float = -1.0
    high: float = 1.0
    """Inputs are drawn between these."""
    left_out: tuple[str, ...] = ()
    """Categories of state that are not compared."""


def alone(make: Build, **settings: Any) -> Case:
    """A Mechanism as the only node."""
    return Case(lambda: pnl.Composition(name="comp", nodes=[make()]), **settings)


def chain(*makes: Build, **settings: Any) -> Case:
    """Nodes (and projections) one after the other."""
    return Case(lambda: pnl.Composition(name="comp", pathways=[[make() for make in makes]]), **settings)


def function(make: Build, size: Any, **settings: Any) -> Case:
    """A Function in a ProcessingMechanism of one port, or of several for a list of sizes."""
    return alone(lambda: pnl.ProcessingMechanism(name="node", input_shapes=size, function=make()), **settings)


def node(name: str, size: Any = 1, **settings: Any) -> Any:
    """A ProcessingMechanism of this name."""
    return pnl.ProcessingMechanism(name=name, input_shapes=size, **settings)


def inputs_of(composition: Any, case: Case) -> dict[str, Any]:
    """Inputs for each input node by name: numbers that are the same each time, rounded so that they can be read."""
    composition._analyze_graph()
    rng = np.random.default_rng(7)
    found: dict[str, Any] = {}
    for name in [node.name for node in composition.get_nodes_by_role(pnl.NodeRole.INPUT)]:
        shapes = [np.shape(value) for value in composition.nodes[name].external_input_variables]
        trials = [[rng.uniform(case.low, case.high, shape).round(2) for shape in shapes] for _ in range(case.trials)]
        found[name] = trials
    return found
