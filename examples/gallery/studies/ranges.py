"""
What a model can do, for all inputs
===================================

The compiler knows every operation of a model. So it can say between which numbers outputs lie, for *all* values of parameters and inputs in
a range, without a run.
"""

import matplotlib.pyplot as plt
import numpy as np

import cogir
from cogir import library

model = cogir.Model("decide", seed=1)
stimulus = model.node("stimulus", library.logistic, input=1, gain=2.0)
decision = model.node(
    "decision",
    library.drift_diffusion_integrator,
    noise=0.0,
    threshold=0.5,
    time_step_size=0.02,
    execute_until_finished=True,
    max_executions_before_finished=10_000,
    reset_each_trial=True,
)
model.project(stimulus, decision)

found = cogir.analyze.ranges(model, {"stimulus/gain": (0.5, 4.0)}, {"stimulus": (0.2, 0.6)}, trials=1, split=10)
print(found)

# %%
# The time of the decision along the gain: no run is outside of the boxes. The points are runs.

found.plot()

compiled = model.compile()
rng = np.random.default_rng(0)
times = []
for gain in np.linspace(0.5, 4.0, 15):
    compiled.params["stimulus/gain"] = gain
    times.append(np.ravel(compiled.run({"stimulus": rng.uniform(0.2, 0.6, (40, 1))})["decision", "time"]))
shown = plt.gcf().axes[-1]
shown.plot(np.repeat(np.linspace(0.5, 4.0, 15), 40), np.ravel(times), "k.", markersize=2)

steps = cogir.analyze.convergence(model, {"stimulus/gain": (0.5, 4.0)}, {"stimulus": (0.2, 0.6)})
print(steps)
assert steps.earliest * 0.02 - 1e-9 <= np.min(times)
assert np.max(times) <= steps.latest * 0.02 + 1e-9
