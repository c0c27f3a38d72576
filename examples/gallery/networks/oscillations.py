"""
Oscillating populations
=======================

The limit cycle of excitatory and inhibitory cells (Wilson and Cowan 1972), and the alpha rhythm of a cortical column (Jansen and Rit
1995).
"""

import matplotlib.pyplot as plt
import numpy as np

import cogir
from cogir import library

STEPS = 4000
CYCLE_STEP, COLUMN_STEP = 0.25, 0.0005

model = cogir.Model("oscillations")
cycle = model.node("cycle", library.wilson_cowan, input={"variable": 1, "inhibitory_input": 1}, time_step_size=CYCLE_STEP)
column = model.node("column", library.jansen_rit, input=1, time_step_size=COLUMN_STEP)
model.input(cycle["variable"])
model.input(column)
model.output(cycle["excitatory"])
model.output(cycle["inhibitory"])
model.output(column["value"])

result = model.compile().run({"cycle": {"variable": [[1.25]]}, "column": [[220.0]]}, num_trials=STEPS)
excitatory, inhibitory = np.ravel(result["cycle", "excitatory"]), np.ravel(result["cycle", "inhibitory"])
potential = np.ravel(result["column", "value"])

figure, (left, middle, right) = plt.subplots(1, 3, figsize=(11, 3.2), layout="constrained")
quarter, half = STEPS // 4, STEPS // 2
left.plot(np.arange(quarter) * CYCLE_STEP, excitatory[:quarter], label="excitatory")
left.plot(np.arange(quarter) * CYCLE_STEP, inhibitory[:quarter], label="inhibitory")
left.set(xlabel="time (ms)", ylabel="active cells", title="Wilson-Cowan")
left.legend()
middle.plot(excitatory, inhibitory, linewidth=0.8)
middle.set(xlabel="excitatory", ylabel="inhibitory", title="limit cycle")
right.plot(np.arange(half) * COLUMN_STEP, potential[half:])
right.set(xlabel="time (s)", ylabel="EEG (mV)", title="Jansen-Rit")

# %%
# The frequency of the column, from its upward crossings of the mean:

above = potential[half:] > potential[half:].mean()
frequency = 1.0 / (float(np.diff(np.flatnonzero(~above[:-1] & above[1:])).mean()) * COLUMN_STEP)
print(f"{frequency:.1f} Hz")
assert 8.0 < frequency < 13.0
