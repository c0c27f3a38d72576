"""
Races: accumulators with and without noise within a trial
=========================================================

In the linear ballistic accumulator only drifts and starts vary from trial to trial (Brown and Heathcote 2008); in a race, each step has
noise. Both choose the better of three alternatives more often, and sooner.
"""

import matplotlib.pyplot as plt
import numpy as np

import cogir
from cogir import library

DRIFTS = [1.2, 1.0, 0.8]
COUNT = 40_000


def choices_and_times(function, **settings):
    """Choices and times of a decision among three alternatives."""
    model = cogir.Model("race")
    model.node("race", function, input=3, execute_until_finished=True, **settings)
    found = model.compile(unfinished="ignore").replicates({"race": [DRIFTS]}, count=COUNT, seed=1)
    return found["race", "choice"][:, 0], found["race", "response_time"][:, 0]


found = {
    "linear ballistic accumulator": choices_and_times(
        library.linear_ballistic_decision, drift_variability=0.3, start_variability=0.5, max_executions_before_finished=1
    ),
    "race": choices_and_times(
        library.race_decision, noise=0.5, time_step_size=0.005, max_executions_before_finished=100_000, reset_each_trial=True
    ),
}

# %%
# Densities of the times of each choice; their areas are the shares of the choices.

figure, panels = plt.subplots(1, 2, figsize=(9, 3.5), sharey=True, layout="constrained")
bins = np.linspace(0.0, 2.5, 80)
for axes, (name, (choices, times)) in zip(panels, found.items(), strict=True):
    for alternative, drift in enumerate(DRIFTS):
        own = times[choices == alternative]
        axes.hist(own, bins=bins, weights=np.full(len(own), 1.0 / (COUNT * (bins[1] - bins[0]))), histtype="step", label=f"drift {drift}")
    axes.set(xlabel="time", title=name)
panels[0].set_ylabel("density")
panels[0].legend()

for choices, _times in found.values():
    shares = [np.mean(choices == alternative) for alternative in range(3)]
    print([round(float(share), 3) for share in shares])
    assert shares == sorted(shares, reverse=True)
