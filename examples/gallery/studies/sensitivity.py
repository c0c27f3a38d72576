"""
What each parameter does
========================

The range of each output while one parameter varies and all others stay, side by side.
"""

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

space = {"stimulus/gain": (1.0, 2.0), "decision/rate": (0.5, 1.5), "decision/threshold": (0.4, 0.6)}
found = cogir.analyze.sensitivity(model, space, {"stimulus": 0.4}, slopes=True)
print(found)

# %%
# The rate and the threshold move the time of the decision most.

found.plot()

table = found.to_dataframe()
print(table)
assert len(table) > 0
