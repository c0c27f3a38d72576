"""
A network learns the exclusive or
=================================

Hidden units and gradients: the smallest problem that a single layer cannot solve.
"""

import matplotlib.pyplot as plt
import numpy as np

import cogir
from cogir import library

rng = np.random.default_rng(0)
model = cogir.Model("xor")
stimulus, hidden = model.node("stimulus", input=2), model.node("hidden", library.logistic, input=10)
output, target = model.node("output", library.logistic, input=1), model.node("target", input=1)
model.project(stimulus, hidden, matrix=rng.normal(size=(2, 10)))
model.project(hidden, output, matrix=rng.normal(size=(10, 1)))
model.output(output)
model.learning([(output, target)], library.adam, rate=0.05)
model.show()

# %%
# All epochs are one call of machine code.

compiled = model.compile()
xor = {"stimulus": [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], "target": [[0.0], [1.0], [1.0], [0.0]]}
learned = compiled.learn(xor, epochs=1000)

# %%
# The learning curve, and what the network answers between the four points that it has seen.

x = np.linspace(-0.25, 1.25, 61)
points = np.array([(a, b) for b in x for a in x])
answers = compiled.run({"stimulus": points, "target": np.zeros((len(points), 1))})["output"].reshape(len(x), len(x))

figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
left.semilogy(learned.losses)
left.set(xlabel="epoch", ylabel="loss of each pattern")
image = right.contourf(x, x, answers, levels=20, cmap="RdBu_r")
right.plot([0, 1], [0, 1], "ko", [0, 1], [1, 0], "ws")
right.set(xlabel="first input", ylabel="second input", aspect="equal")
figure.colorbar(image, label="output")

assert compiled.run(xor)["output"].round().ravel().tolist() == [0.0, 1.0, 1.0, 0.0]
assert learned.losses[-1].max() < 0.05
