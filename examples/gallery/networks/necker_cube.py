"""
The Necker cube
===============

A wire cube can be seen in two ways. Eight vertices of each reading support their neighbours and suppress the same vertex of the other
reading; from a faint preference, one reading takes over.
"""

import matplotlib.pyplot as plt
import numpy as np

import cogir
from cogir import library

EDGES = [(0, 1), (0, 3), (0, 4), (1, 2), (1, 5), (2, 3), (2, 6), (3, 7), (4, 5), (4, 7), (5, 6), (6, 7)]

support = np.zeros((8, 8))
for i, j in EDGES:
    support[i, j] = support[j, i] = 1.0
weights = np.block([[support, -2.0 * np.eye(8)], [-2.0 * np.eye(8), support]])

# %%
# One node with sixteen units that projects to itself. Squashing keeps activities between 0 and 1.

model = cogir.Model("necker")
stimulus = model.node("stimulus", input=16)
vertices = model.node("vertices", library.psyneulink.integrated_logistic, input=16, integration_rate=0.05, x_0=0.5, gain=2.0)
model.project(stimulus, vertices)
model.project(vertices, vertices, matrix=weights, feedback=True)
model.output(vertices)
compiled = model.compile()

# %%
# The same stimulus with a preference of a hundredth for the one or the other reading.

figure, panels = plt.subplots(1, 2, figsize=(9, 3.2), sharey=True, layout="constrained")
winners = []
for axes, preference in zip(panels, (0.01, -0.01), strict=True):
    stimulus_now = np.concatenate([np.full(8, preference), np.full(8, -preference)])
    course = compiled.run({"stimulus": [stimulus_now]}, num_trials=300, context=f"{preference}")["vertices"]
    axes.plot(course[:, :8], color="tab:blue", linewidth=0.8)
    axes.plot(course[:, 8:], color="tab:orange", linewidth=0.8)
    axes.set(xlabel="cycle", title=f"preference {preference:+.2f}")
    winners.append(course[-1, :8].mean() - course[-1, 8:].mean())
panels[0].set_ylabel("activity of the vertices")

print([round(float(each), 3) for each in winners])
assert winners[0] > 0.5
assert winners[1] < -0.5
