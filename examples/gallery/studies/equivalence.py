"""
Are two models the same?
========================

``equivalent`` compares models as equations: its answer holds for all inputs and for any number of trials. An accumulator without leak and
drift diffusion without bounds have the same distribution.
"""

import matplotlib.pyplot as plt
import numpy as np

import cogir
from cogir import library


def accumulator(leak=0.0):
    """A leaky competing accumulator of one unit, without competition."""
    model = cogir.Model("accumulator")
    model.output(model.node("lca", library.leaky_competing_accumulator, input=1, leak=leak, time_step_size=0.01)["result"])
    return model


def diffusion():
    """Drift diffusion without bounds, read out by a logistic."""
    model = cogir.Model("diffusion", seed=7)
    decision = model.node("ddm", library.drift_diffusion_integrator, input=1, noise=1.0, time_step_size=0.01, threshold=float("inf"))
    read = model.node("read", library.logistic, input=1)
    model.project(decision["value"], read)
    model.output(read)
    return model


same = cogir.analyze.equivalent(accumulator(), diffusion())
print(same)

# %%
# With a leak they are not the same; the result says so, and names the first difference.

other = cogir.analyze.equivalent(accumulator(leak=5.0), diffusion())
print(other)

# %%
# The distribution of the output after a hundred steps of each of the three.

figure, axes = plt.subplots()
for name, model in (("accumulator", accumulator()), ("diffusion", diffusion()), ("accumulator with a leak of 5", accumulator(leak=5.0))):
    node = "read" if name == "diffusion" else "lca"
    source = "ddm" if name == "diffusion" else "lca"
    found = model.compile().replicates({source: [[0.5]]}, count=4000, num_trials=100, seed=1)
    axes.hist(np.ravel(found[node][:, -1]), bins=np.linspace(0, 1, 60), histtype="step", density=True, label=name)
axes.set(xlabel="output after 100 steps", ylabel="density")
axes.legend()

assert same
assert not other
