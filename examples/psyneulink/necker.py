"""
Bistable perception of the Necker cube, after PsyNeuLink's tests/models/test_bi_percepts.py.

The vertices of each reading of the cube support their neighbours and suppress the same vertex of the other reading.
Sizes: "S" has three vertices in each reading, "M" eight, "vectorised" holds all sixteen vertices in each of two nodes.
"""

import sys

import numpy as np
import psyneulink as pnl

CUBE = [(0, 1), (0, 3), (0, 4), (1, 2), (1, 5), (2, 3), (2, 6), (3, 7), (4, 5), (4, 7), (5, 6), (6, 7)]


def vertex(name: str, length: int = 1) -> pnl.TransferMechanism:
    """A leaky linear node."""
    return pnl.TransferMechanism(
        name=name, function=pnl.Linear(slope=1, intercept=0), integrator_mode=True, integration_rate=0.5, default_variable=np.zeros(length)
    )


def build(size: str = "S") -> pnl.Composition:
    """The Composition of one size; all its nodes take input and give output."""
    return build_vectorised() if size == "vectorised" else build_vertices(size)


def build_vertices(size: str) -> pnl.Composition:
    """A node for each vertex in each reading."""
    count, inhibition = {"S": (3, -1.0), "M": (8, -2.0)}[size]
    edges = [(i, j) for i in range(count) for j in range(count) if i != j and (count == 3 or (i, j) in CUBE or (j, i) in CUBE)]
    readings = [[vertex(f"{reading}-{i}") for i in range(count)] for reading in "ab"]
    composition = pnl.Composition(name="NECKER")
    for nodes in readings:
        for i, j in edges:
            composition.add_linear_processing_pathway([nodes[i], [1.0], nodes[j]])
    for one, other in zip(*readings, strict=True):
        composition.add_linear_processing_pathway([one, [inhibition], other])
        composition.add_linear_processing_pathway([other, [inhibition], one])
    return with_all_in_and_out(composition)


def build_vectorised() -> pnl.Composition:
    """Two nodes of all sixteen vertices that project to each other."""
    edges = np.zeros((8, 8))
    for i, j in CUBE:
        edges[i, j] = edges[j, i] = 1.0
    weights = np.block([[edges, -2.0 * np.eye(8)], [-2.0 * np.eye(8), edges]])
    node3, node4 = vertex("node3", 16), vertex("node4", 16)
    composition = pnl.Composition(name="NECKER_VEC")
    composition.add_linear_processing_pathway([node3, weights, node4, weights, node3])
    return with_all_in_and_out(composition)


def with_all_in_and_out(composition: pnl.Composition) -> pnl.Composition:
    """Every node an input and an output of the Composition."""
    for node in composition.nodes:
        composition.require_node_roles(node, [pnl.NodeRole.INPUT, pnl.NodeRole.OUTPUT])
    return composition


if __name__ == "__main__":
    cube = build(*sys.argv[1:])
    stimulus = {node: np.random.default_rng(0).normal(size=(10, *node.defaults.variable.shape[1:])) for node in cube.nodes}
    print(np.array(cube.run(inputs=stimulus, num_trials=10)))
