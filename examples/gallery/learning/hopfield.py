"""
Pattern completion
==================

Hopfield's network recalls a stored pattern from a part of it (Hopfield 1982).
"""

import matplotlib.pyplot as plt
import numpy as np

import cogir
from cogir import library
from cogir.library import Random, State, Step, node_function

UNITS, PATTERNS, KNOWN, SWEEPS = 100, 5, 60, 5


@node_function(outputs=("state", "energy"))
def recall(cue, weights, *, state: State = 0.0, random: Random):
    """Starts from the cue, and updates every unit once in each execution."""
    previous = np.where(np.any(state != 0.0), state, cue)
    new, energy = library.hopfield_asynchronous(previous, weights, random=random)
    return Step(outputs=(new, energy), states=(new,))


model = cogir.Model("hopfield")
store = model.node("store", library.hopfield_storage, input=(PATTERNS, UNITS))
memory = model.node("memory", recall, input={"cue": UNITS, "weights": (UNITS, UNITS)}, seed=2)
model.project(store, memory["weights"])
model.input(store)
model.input(memory["cue"])
model.output(memory["state"])
model.output(memory["energy"])

# %%
# Sixty units of the first pattern are known, the others are noise.

rng = np.random.default_rng(0)
stored = np.where(rng.random((PATTERNS, UNITS)) < 0.5, -1.0, 1.0)
cue = np.where(np.arange(UNITS) < KNOWN, stored[0], np.where(rng.random(UNITS) < 0.5, -1.0, 1.0))
result = model.compile().run({"store": [stored], "memory": {"cue": [cue]}}, num_trials=SWEEPS)
states = [cue, *result["memory", "state"]]

figure, panels = plt.subplots(1, len(states) + 1, figsize=(11, 2.2), layout="constrained")
titles = ["stored", "cue", *(f"sweep {sweep + 1}" for sweep in range(SWEEPS))]
for axes, title, values in zip(panels, titles, [stored[0], *states], strict=True):
    axes.imshow(np.reshape(values, (10, 10)), cmap="gray")
    axes.set(title=title, xticks=[], yticks=[])

overlaps = [float(state @ stored[0]) / UNITS for state in states]
print([round(each, 2) for each in overlaps])
assert overlaps[-1] == 1.0
