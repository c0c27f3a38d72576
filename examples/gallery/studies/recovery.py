"""
Can the parameters be recovered?
================================

Data sets are simulated at known parameters and fitted: how far are the estimates from what they should be?
"""

import matplotlib.pyplot as plt
import numpy as np

import cogir
from cogir import library

model = cogir.Model("decision", seed=1)
model.node(
    "decision",
    library.drift_diffusion_decision,
    time_step_size=0.005,
    execute_until_finished=True,
    max_executions_before_finished=10_000,
    reset_each_trial=True,
)
bounds = {"decision/drift": (0.0, 4.0), "decision/threshold": (0.4, 2.5), "decision/non_decision_time": (0.05, 0.6)}
drifts = np.linspace(0.4, 2.4, 9)

# %%
# Nine subjects with different drifts and 250 trials each, fitted by the formula of the density.

compiled = model.compile()
compiled.params["decision/non_decision_time"] = 0.3
estimates, ends = [], []
for place, drift in enumerate(drifts):
    compiled.params["decision/drift"] = drift
    runs = compiled.replicates({"decision": [[1.0]]}, count=250, seed=place)
    data = {name: runs[name].ravel() for name in ("decision/choice", "decision/response_time")}
    found = cogir.fit(model, data, bounds, inputs={"decision": [[1.0]]}, likelihood="analytical")
    estimates.append(found["decision/drift"])
    ends.append(found.intervals["decision/drift"])

estimates, ends = np.array(estimates), np.array(ends)
figure, axes = plt.subplots(figsize=(4.5, 4.5))
axes.errorbar(drifts, estimates, yerr=np.abs(ends.T - estimates), fmt="o", capsize=3)
axes.plot([0, 3], [0, 3], color="0.6", zorder=0)
axes.set(xlabel="drift", ylabel="estimate, with its interval of 95 %", xlim=(0, 3), ylim=(0, 3.2))

inside = sum(low < drift < high for drift, (low, high) in zip(drifts, ends, strict=True))
print(f"{inside} of {len(drifts)} intervals hold the drift")
assert inside >= 7
assert np.corrcoef(drifts, estimates)[0, 1] > 0.9
