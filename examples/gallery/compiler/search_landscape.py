"""
The landscape that a controller searches
========================================

A controller simulates every combination of its levels. Here all points of a search are drawn by a sweep of the same model, and the one that
the controller takes.
"""

import matplotlib.pyplot as plt
import numpy as np

import cogir
from cogir import library
from cogir.library import Value, node_function

LEVELS = np.linspace(0.0, 2.0, 41)


@node_function(outputs=("score",))
def score(left: Value, right: Value) -> Value:
    """Two hills of different heights."""
    x, y = left[0], right[0]
    return np.exp(-4.0 * ((x - 0.5) ** 2 + (y - 1.4) ** 2)) + 0.7 * np.exp(-3.0 * ((x - 1.4) ** 2 + (y - 0.5) ** 2))


def build(controlled):
    model = cogir.Model("landscape")
    left, right = model.node("left", library.linear), model.node("right", library.linear)
    value = model.node("value", score, input={"left": 1, "right": 1})
    model.project(left, value["left"])
    model.project(right, value["right"])
    model.output(value)
    if controlled:
        signals = [cogir.Signal(node.param("slope"), levels=LEVELS) for node in (left, right)]
        model.control("controller", objective=value, direction="maximize", signals=signals)
    return model


inputs = {"left": [[1.0]], "right": [[1.0]]}
chosen = build(controlled=True).compile().run(inputs).allocations["controller"][0]
sweep = build(controlled=False).compile().sweep({"left/slope": LEVELS, "right/slope": LEVELS}, inputs)
values = np.reshape(sweep["value"], (len(LEVELS), len(LEVELS)))

figure, axes = plt.subplots(figsize=(5, 4), layout="constrained")
image = axes.contourf(LEVELS, LEVELS, values.T, levels=20)
axes.plot(*chosen, "r*", markersize=14, label="taken by the controller")
axes.set(xlabel="gain of the left node", ylabel="gain of the right node")
axes.legend()
figure.colorbar(image, label="value")

best = np.unravel_index(values.argmax(), values.shape)
assert [LEVELS[best[0]], LEVELS[best[1]]] == chosen.tolist()
