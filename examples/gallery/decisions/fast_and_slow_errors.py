"""
Fast and slow errors
====================

With constant drift and a fixed start, errors take as long as correct choices. Drift that varies between trials makes errors slow, and a
start that varies makes them fast (Ratcliff and Rouder 1998).
"""

import matplotlib.pyplot as plt
import numpy as np

import cogir
from cogir import library

CASES = {
    "no variability": {},
    "drift varies": {"drift_variability": 1.2},
    "start varies": {"start_variability": 0.9},
}

model = cogir.Model("decision")
model.node(
    "decision",
    library.full_drift_diffusion_decision,
    drift=1.2,
    threshold=1.0,
    time_step_size=0.005,
    execute_until_finished=True,
    max_executions_before_finished=100_000,
    reset_each_trial=True,
)
compiled = model.compile()

# %%
# All three cases are the same code with other parameters.

figure, axes = plt.subplots()
differences = {}
for name, variability in CASES.items():
    for parameter in ("drift_variability", "start_variability"):
        compiled.params[f"decision/{parameter}"] = variability.get(parameter, 0.0)
    found = compiled.replicates({"decision": [[1.0]]}, count=40_000, seed=1)
    correct, times = found["decision", "choice"][:, 0] > 0.0, found["decision", "response_time"][:, 0]
    differences[name] = times[~correct].mean() - times[correct].mean()
    levels = np.array([0.1, 0.3, 0.5, 0.7, 0.9])
    line = axes.plot(np.quantile(times[correct], levels), levels * correct.mean(), "o-", label=f"{name}: correct")[0]
    axes.plot(np.quantile(times[~correct], levels), levels * (~correct).mean(), "x--", color=line.get_color(), label="errors")
axes.set(xlabel="response time (s), quantiles", ylabel="share of all trials")
axes.legend(fontsize=8)

# %%
# How much longer errors take, in seconds:

print({name: round(float(value), 3) for name, value in differences.items()})
assert abs(differences["no variability"]) < 0.03
assert differences["drift varies"] > 0.05
assert differences["start varies"] < -0.05
