"""
Speed and accuracy
==================

Higher thresholds make decisions slower and more often correct (Bogacz et al. 2006).
"""

# %%
# A sweep runs a model at many values of a parameter, and keeps what is asked for.

import matplotlib.pyplot as plt
import numpy as np

import cogir
from cogir import library, reductions

model = cogir.Model("decision")
model.node(
    "decision",
    library.drift_diffusion_decision,
    non_decision_time=0.3,
    time_step_size=0.002,
    execute_until_finished=True,
    max_executions_before_finished=100_000,
    reset_each_trial=True,
)
thresholds = np.linspace(0.2, 2.0, 10)
study = model.compile().sweep(
    {"decision/threshold": thresholds},
    {"decision": [[1.0]]},
    replicates=20_000,
    seed=1,
    reduce={
        "correct": reductions.Mean(lambda r: r["decision", "choice"] == 1.0),
        "time": reductions.Mean("decision/response_time"),
    },
)
correct, time = study["correct"][:, 0], study["time"][:, 0]

# %%
# The share of correct choices and the mean response time, with the closed form of both.

figure, axes = plt.subplots()
axes.plot(time, correct, "o", label="20,000 decisions")
axes.plot(0.3 + thresholds * np.tanh(thresholds), 1.0 / (1.0 + np.exp(-2.0 * thresholds)), label="closed form")
for threshold, x, y in zip(thresholds, time, correct, strict=True):
    axes.annotate(f"{threshold:g}", (x, y), textcoords="offset points", xytext=(6, -10), fontsize=8)
axes.set(xlabel="mean response time (s)", ylabel="share of correct choices")
axes.legend()

assert (np.diff(time) > 0.0).all()
assert (np.diff(correct) > 0.0).all()
assert np.abs(correct - 1.0 / (1.0 + np.exp(-2.0 * thresholds))).max() < 0.025  # steps of 2 ms, and 20,000 decisions
