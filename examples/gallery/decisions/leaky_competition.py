"""
Leak and inhibition: late and early evidence
============================================

In the leaky competing accumulator, strong inhibition gives weight to early evidence, and strong leak to late evidence (Usher and
McClelland 2001). One alternative gets more evidence in the first half of a trial, the other one in the second half.
"""

from math import inf

import matplotlib.pyplot as plt
import numpy as np

import cogir
from cogir import library

STEPS, STEP = 200, 0.01
BALANCES = {"leak dominates": (4.0, 1.0), "balanced": (2.5, 2.5), "inhibition dominates": (1.0, 4.0)}

evidence = np.full((STEPS, 2), 3.0)
evidence[: STEPS // 2, 0] += 0.3
evidence[STEPS // 2 :, 1] += 0.3

# %%
# A trial of the model is one step, so that the input can change from step to step, and the state is kept. The threshold is infinite: the
# accumulators are read at the end.

model = cogir.Model("competition")
model.node(
    "accumulators",
    library.leaky_competing_decision,
    input=2,
    threshold=inf,
    noise=0.3,
    starting_value=0.6,
    time_step_size=STEP,
    reset_each_trial=False,
)
compiled = model.compile()

figure, panels = plt.subplots(1, 3, figsize=(10, 3.2), sharey=True, layout="constrained")
early = {}
for axes, (name, (leak, inhibition)) in zip(panels, BALANCES.items(), strict=True):
    compiled.params["accumulators/leak"] = leak
    compiled.params["accumulators/inhibition"] = inhibition
    values = compiled.replicates({"accumulators": evidence}, count=2000, seed=1)["accumulators", "value"]
    early[name] = np.mean(values[:, -1, 0] > values[:, -1, 1])
    axes.plot(STEP * np.arange(1, STEPS + 1), values.mean(axis=0), label=["early evidence", "late evidence"])
    axes.set(xlabel="time (s)", title=f"{name}\nearly wins {early[name]:.0%}")
panels[0].set_ylabel("mean activation")
panels[0].legend()

assert early["leak dominates"] < 0.4 < 0.6 < early["inhibition dominates"]
