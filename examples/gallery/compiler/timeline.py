"""
Which node runs when
====================

Conditions decide in which time steps nodes run. ``record(model.schedule)`` keeps what each time step has executed.
"""

import matplotlib.pyplot as plt
import numpy as np

import cogir
from cogir import library

model = cogir.Model("pacing")
sensor = model.node("sensor", library.linear)
filter_ = model.node("filter", library.linear)
decision = model.node("decision", library.linear)
monitor = model.node("monitor", library.linear)
model.project(sensor, filter_)
model.project(filter_, decision)
model.project(decision, monitor)
model.schedule.when(filter_, cogir.EveryNCalls(sensor, 2))
model.schedule.when(decision, cogir.EveryNCalls(filter_, 3))
model.schedule.when(monitor, cogir.JustRan(decision) | cogir.AtPass(0))
model.schedule.trial_ends(cogir.AfterNCalls(decision, 2))
model.record(model.schedule)
model.show()

# %%
# The filter waits for two sensor readings, the decision for three filter outputs; the trial ends after two decisions.

result = model.compile().run({"sensor": [[1.0]]}, num_trials=1)
executed = next(iter(result.traces.values()))[0]
names = ["sensor", "filter", "decision", "monitor"]

figure, axes = plt.subplots(figsize=(9, 2.4), layout="constrained")
axes.imshow(np.asarray(executed, float).T, aspect="auto", cmap="Blues", vmin=0.0, vmax=1.3)
axes.set(xlabel="time step", yticks=range(len(names)), yticklabels=names)
axes.set_xticks(np.arange(len(executed)) - 0.5, minor=True)
axes.grid(which="minor", axis="x", color="0.85")

counts = np.sum(executed, axis=0)
print(dict(zip(names, counts.tolist(), strict=True)))
assert counts[0] == 2 * counts[1] == 12
assert counts[2] == 2
