"""
How well parameters are known
=============================

The profile of a likelihood: how much worse the best explanation becomes when one parameter is held at another value. Here the likelihood is
a formula.
"""

import cogir
from cogir import library

model = cogir.Model("decision", seed=2)
model.node(
    "decision",
    library.drift_diffusion_decision,
    drift=1.0,
    threshold=1.0,
    non_decision_time=0.3,
    time_step_size=0.002,
    execute_until_finished=True,
    max_executions_before_finished=20_000,
    reset_each_trial=True,
)
runs = model.compile().run({"decision": [[1.0]]}, num_trials=300)
data = {name: runs[name].ravel() for name in ("decision/choice", "decision/response_time")}
bounds = {"decision/drift": (0.0, 4.0), "decision/threshold": (0.4, 2.5), "decision/non_decision_time": (0.05, 0.6)}
found = cogir.fit(model, data, bounds, inputs={"decision": [[1.0]]}, likelihood="analytical")

# %%
# Where a profile crosses the line, the interval of 95 % ends.

found.plot_profiles()

print({name: round(float(found[name]), 3) for name in bounds})
low, high = found.intervals["decision/drift"]
assert low < 1.0 < high
