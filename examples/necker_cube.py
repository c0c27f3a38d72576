"""Bistable perception of the Necker cube: two readings of its vertices support themselves and suppress each other."""

import numpy as np

import cogir
from cogir import library

COUNT = {"s": 3, "m": 8}
EDGES = {
    3: [(0, 1), (0, 2), (1, 2)],
    8: [(0, 1), (0, 3), (0, 4), (1, 2), (1, 5), (2, 3), (2, 6), (3, 7), (4, 5), (4, 7), (5, 6), (6, 7)],
}
"""The edges between the vertices of one reading: a triangle, and the cube."""


def weights(count: int) -> np.ndarray:
    """Symmetric weights between the vertices of both readings, (2 count, 2 count): 1 along edges, inhibition across readings."""
    support = np.zeros((count, count))
    for i, j in EDGES[count]:
        support[i, j] = support[j, i] = 1.0
    across = {3: -1.0, 8: -2.0}[count] * np.eye(count)
    return np.block([[support, across], [across, support]])


def build(size: str = "s") -> cogir.Model:
    """Sizes "s" and "m": one node for each vertex; "vectorised": two nodes that each hold all sixteen vertices."""
    return build_vectorised() if size == "vectorised" else build_nodes(size)


def build_nodes(size: str) -> cogir.Model:
    """Nodes `a-i` and `b-i` for vertex i in the two readings."""
    count = COUNT[size]
    model = cogir.Model(f"necker_{size}")
    nodes = [
        model.node(f"{reading}-{i}", library.psyneulink.integrated_linear, input=1, integration_rate=0.5)
        for reading in "ab"
        for i in range(count)
    ]
    for (i, j), weight in np.ndenumerate(weights(count)):
        if weight != 0.0:
            model.project(nodes[i], nodes[j], matrix=[[weight]])
    model.input(*nodes)
    model.output(*nodes)
    return model


def build_vectorised() -> cogir.Model:
    """Two nodes of sixteen vertices that project to each other."""
    model = cogir.Model("necker_vectorised")
    first, second = (model.node(f"node{i}", library.psyneulink.integrated_linear, input=16, integration_rate=0.5) for i in (3, 4))
    model.project(first, second, matrix=weights(8))
    model.project(second, first, matrix=weights(8))
    model.input(first, second)
    model.output(first, second)
    return model


if __name__ == "__main__":
    model = build()
    stimulus = {f"{reading}-{i}": [[0.1 * (i + 1)]] for reading in "ab" for i in range(3)}
    print(model.compile().run(stimulus, num_trials=5).results[-1])
