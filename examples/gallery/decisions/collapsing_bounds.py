"""
Collapsing bounds
=================

Bounds that come together with time cut off the long tail of slow decisions (Hawkins et al. 2015).
"""

import matplotlib.pyplot as plt
import numpy as np

import cogir
from cogir import library

BOUNDS = {
    "constant": {"bound": "constant"},
    "linear": {"bound": "linear", "collapse_time": 2.5},
    "exponential": {"bound": "exponential", "collapse_time": 1.5},
    "weibull": {"bound": "weibull", "collapse_time": 1.0, "collapse_shape": 3.0, "asymptote": 0.2},
}


def response_times(**bound):
    """Times of twenty thousand decisions."""
    model = cogir.Model("decision")
    model.node(
        "decision",
        library.drift_diffusion_decision,
        non_decision_time=0.3,
        time_step_size=0.005,
        execute_until_finished=True,
        max_executions_before_finished=100_000,
        reset_each_trial=True,
        **bound,
    )
    return model.compile().replicates({"decision": [[1.0]]}, count=20_000, seed=1)["decision", "response_time"][:, 0]


times = {name: response_times(**bound) for name, bound in BOUNDS.items()}

# %%
# The shape of a bound is a constant of the code (``Static``), so each shape is compiled once; all other numbers are parameters that can be
# changed without compiling.

# The bins hold equally many steps of 5 ms.
figure, axes = plt.subplots()
for name, values in times.items():
    axes.hist(values, bins=np.arange(0.2975, 3.0, 0.03), histtype="step", density=True, label=name)
axes.set(xlabel="response time (s)", ylabel="density")
axes.legend()

# %%
# Of all decisions, 95 % are made before:

slow = {name: np.quantile(values, 0.95) for name, values in times.items()}
print({name: round(float(value), 3) for name, value in slow.items()})
assert all(slow["constant"] > 1.3 * slow[name] for name in BOUNDS if name != "constant")
