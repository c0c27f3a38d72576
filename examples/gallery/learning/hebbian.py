"""
A Hebbian neuron finds the direction of largest variance
========================================================

Units that are active together are connected more strongly. With Oja's decay the weights of a single neuron turn to the first principal
component of its inputs (Oja 1982).
"""

import matplotlib.pyplot as plt
import numpy as np

import cogir
from cogir.library import State, Step, Value, node_function


@node_function(outputs=("weights",))
def oja(variable: Value, *, rate: Value = 0.01, weights: State = (1.0, 0.0)) -> Step:
    """One step of Oja's rule: ``w' = w + rate * y * (x - y * w)`` with ``y = w @ x``."""
    activity = weights @ variable
    following = weights + rate * activity * (variable - activity * weights)
    return Step(outputs=(following,), states=(following,))


# %%
# Two thousand correlated inputs.

rng = np.random.default_rng(0)
inputs = rng.normal(size=(2000, 2)) @ np.array([[0.4, 1.0], [0.3, -0.2]])

model = cogir.Model("hebbian")
model.node("neuron", oja, input=2)
weights = model.compile().run({"neuron": inputs})["neuron"]
component = np.linalg.eigh(np.cov(inputs.T))[1][:, -1]

figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.5), layout="constrained")
left.plot(*inputs.T, ".", color="0.7", markersize=2)
left.plot(*weights.T, color="tab:red", label="weights over time")
left.plot(*np.outer([-1, 1], component).T, "k--", label="first principal component")
left.set(aspect="equal", xlabel="first input", ylabel="second input")
left.legend(fontsize=8)
right.plot(np.abs(weights @ component), label="agreement of direction")
right.plot(np.linalg.norm(weights, axis=1), label="length of the weights")
right.set(xlabel="trial")
right.legend(fontsize=8)

assert abs(weights[-1] @ component) > 0.98
