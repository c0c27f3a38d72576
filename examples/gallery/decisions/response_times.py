"""
Response times of a drift-diffusion decision
============================================

Evidence drifts to one of two bounds. The share of choices at the upper bound is known in closed form, and a hundred thousand simulated
decisions agree with it.
"""

# %%
# One node is enough. It executes until it reaches a bound, and each trial begins anew.

import numpy as np

import cogir
from cogir import library

DRIFT, THRESHOLD = 0.8, 1.0

model = cogir.Model("decision")
model.node(
    "decision",
    library.drift_diffusion_decision,
    drift=DRIFT,
    threshold=THRESHOLD,
    non_decision_time=0.3,
    time_step_size=0.001,
    execute_until_finished=True,
    max_executions_before_finished=100_000,
    reset_each_trial=True,
    units={"response_time": "s"},
)
found = model.compile().replicates({"decision": [[1.0]]}, count=100_000, seed=1)

# %%
# Upwards the choices of the upper bound, downwards those of the lower one. ``plot`` recognises a decision by its ports.

found.plot()

# %%
# The probability of the upper bound is ``1 / (1 + exp(-2 * drift * threshold))``, and both choices have the same distribution of times.

choices, times = found["decision", "choice"][:, 0], found["decision", "response_time"][:, 0]
upper, exact = (choices > 0.0).mean(), 1.0 / (1.0 + np.exp(-2.0 * DRIFT * THRESHOLD))
print(f"upper bound: {upper:.4f} of the choices, {exact:.4f} in closed form")
print(f"mean time: {times[choices > 0].mean():.3f} s before upper, {times[choices < 0].mean():.3f} s before lower choices")

# Steps of 1 ms see a bound late, by 0.58 of the spread of a step, which counts for 0.006 here.
assert abs(upper - exact) < 0.006 + 4.0 * 0.5 / np.sqrt(len(choices))
assert abs(times[choices > 0].mean() - times[choices < 0].mean()) < 0.02
