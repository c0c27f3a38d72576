"""
An excitable cell
=================

The FitzHugh-Nagumo cell rests, spikes repeatedly, or is blocked, depending on its current (FitzHugh 1961).
"""

import matplotlib.pyplot as plt
import numpy as np

import cogir
from cogir import library

CURRENTS = [0.0, 0.5, 2.0]
STEPS, STEP = 4000, 0.1

model = cogir.Model("spikes")
cells = model.node("cells", library.fitz_hugh_nagumo, input=len(CURRENTS), time_step_size=STEP)
model.output(cells["v"])
model.output(cells["w"])
result = model.compile().run({"cells": [CURRENTS]}, num_trials=STEPS)
v, w = result["cells", "v"], result["cells", "w"]

# %%
# Left the potential over time, right the cycle of the second cell between its nullclines.

figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.5), layout="constrained")
for cell, current in enumerate(CURRENTS):
    left.plot(np.arange(STEPS) * STEP, v[:, cell], label=f"I = {current}", linewidth=0.9)
left.set(xlabel="time", ylabel="v")
left.legend()
grid = np.linspace(-2.2, 2.2, 200)
right.plot(v[:, 1], w[:, 1])
right.plot(grid, grid - grid**3 / 3.0 + CURRENTS[1], "k:", label="v' = 0")
right.plot(grid, (grid + 0.7) / 0.8, "k--", label="w' = 0")
right.set(xlabel="v", ylabel="w", ylim=(-1.0, 2.0))
right.legend()

spikes = [int(((v[:-1, cell] <= 1.0) & (v[1:, cell] > 1.0)).sum()) for cell in range(3)]
print(f"spikes: {spikes}")
assert spikes[0] <= 1
assert spikes[1] > 5
assert spikes[2] <= 1
