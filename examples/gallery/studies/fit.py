"""
A fit of a decision to data
===========================

From choices and response times to drift, threshold and non-decision time, by simulation: the likelihood of a trial is a density over
simulated ones. So any model can be fitted that can be run.
"""

import cogir
from cogir import library

model = cogir.Model("decision", seed=1)
model.node(
    "decision",
    library.drift_diffusion_decision,
    drift=1.2,
    threshold=0.9,
    non_decision_time=0.25,
    time_step_size=0.01,
    execute_until_finished=True,
    max_executions_before_finished=4000,
    reset_each_trial=True,
    units={"response_time": "s"},
)

# %%
# Data, as an experiment would give them.

runs = model.compile().run({"decision": [[1.0]]}, num_trials=400)
data = {name: runs[name].ravel() for name in ("decision/choice", "decision/response_time")}

# %%
# The fit, with intervals of 95 %.

bounds = {"decision/drift": (0.0, 4.0), "decision/threshold": (0.4, 2.5), "decision/non_decision_time": (0.05, 0.6)}
found = cogir.fit(model, data, bounds, inputs={"decision": [[1.0]]}, simulations=4000)
print(found.summary())

# %%
# Data as bars, the fitted model as lines.

found.plot()

low, high = found.intervals["decision/drift"]
assert low < 1.2 < high
