"""
Evidence over time
==================

``record`` keeps what happens inside of trials: here the evidence after each step of a decision.
"""

import matplotlib.pyplot as plt
import numpy as np

import cogir
from cogir import library

STEP = 0.01
model = cogir.Model("decisions", seed=1)
decision = model.node(
    "decision",
    library.drift_diffusion_integrator,
    rate=0.8,
    noise=1.0,
    threshold=1.0,
    time_step_size=STEP,
    execute_until_finished=True,
    max_executions_before_finished=10_000,
    reset_each_trial=True,
)
model.record(decision["value"])
result = model.compile().run({"decision": [[1.0]]}, num_trials=1000)
trace = result.traces["decision"]

# %%
# Trials differ in length: ``trace[i]`` is the course of trial ``i``.


def mean_course(trials, steps=100):
    """The mean evidence of some trials, each kept at the bound that it has reached."""
    courses = [trace[int(trial)][:, 0] for trial in trials]
    return np.mean([course[np.minimum(np.arange(steps), len(course) - 1)] for course in courses], axis=0)


correct = result["decision"][:, 0] > 0.0
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.5), layout="constrained")
for trial in range(12):
    course = trace[trial][:, 0]
    left.plot(STEP * np.arange(1, len(course) + 1), course, color="tab:blue" if correct[trial] else "tab:red", linewidth=0.8)
left.set(xlabel="time (s)", ylabel="evidence", title="twelve decisions")
for name, chosen in (("correct", correct), ("wrong", ~correct)):
    right.plot(STEP * np.arange(1, 101), mean_course(np.flatnonzero(chosen)), label=name)
right.set(xlabel="time (s)", title="means")
right.legend()

assert trace.values.shape == (trace.lengths.sum(), 1)
assert all(abs(trace[trial][-1, 0]) == 1.0 for trial in range(len(trace)))
