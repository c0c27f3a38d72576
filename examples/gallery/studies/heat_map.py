"""
A sweep over two parameters
===========================

336 combinations of drift and threshold, a thousand decisions each: a map of accuracy and one of response times.
"""

import matplotlib.pyplot as plt
import numpy as np

import cogir
from cogir import library, reductions

model = cogir.Model("decision")
model.node(
    "ddm",
    library.drift_diffusion_decision,
    time_step_size=0.01,
    non_decision_time=0.3,
    execute_until_finished=True,
    max_executions_before_finished=5000,
    reset_each_trial=True,
    units={"response_time": "s"},
)
drifts, thresholds = np.linspace(0.5, 2.5, 21), np.linspace(0.4, 1.9, 16)
study = model.compile().sweep(
    {"ddm/drift": drifts, "ddm/threshold": thresholds},
    {"ddm": [[1.0]]},
    replicates=1000,
    seed=1,
    reduce={
        "accuracy": reductions.Mean(lambda r: r["ddm", "choice"] == 1.0),
        "time": reductions.Mean("ddm/response_time"),
    },
)

figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.8), layout="constrained")
study.plot("accuracy", axes=left)
study.plot("time", axes=right)

# %%
# Accuracy grows with both, and is known in closed form.

exact = 1.0 / (1.0 + np.exp(-2.0 * drifts[:, None] * thresholds))
assert study["accuracy"].shape == (21, 16, 1)
assert np.abs(study["accuracy"][:, :, 0] - exact).max() < 0.08  # steps of 10 ms, and 1,000 decisions
