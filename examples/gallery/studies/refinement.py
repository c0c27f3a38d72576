"""
Where an objective is best, without a run
=========================================

``refine`` halves the range of a parameter round by round, by ranges of the objective that hold for all draws within two standard deviations
(figure 7 of Distill, CGO 2022, shows this for attention in the predator-prey model).
"""

import numpy as np

import cogir
from cogir.library import Random, Value, node_function


@node_function(outputs=("loss",))
def observe(position: Value, *, attention: Value = 1.0, random: Random) -> Value:
    """The error of an observation whose noise falls with attention, and the price of attention."""
    error = random.normal() / (1.0 + attention)
    return np.abs(position[0] + error - position[0]) + 0.1 * attention


model = cogir.Model("attention", seed=1)
model.node("observer", observe, input=1)

found = cogir.analyze.refine(
    model, {"observer/attention": (0.0, 10.0)}, {"observer": [0.5]}, objective="observer/loss", draws=2.0, keep=2, narrow=0.02
)
print(found)

# %%
# The boxes with the ranges of the loss, later rounds darker, and the simulations that they replace.

axes = found.plot()
compiled = model.compile()
levels = np.linspace(0.0, 10.0, 60)
worst = []
for level in levels:
    compiled.params["observer/attention"] = level
    losses = np.ravel(compiled.replicates({"observer": [[0.5]]}, count=200, seed=1)["observer", "loss"])
    axes.plot(np.full(len(losses), level), losses, ".", color="0.75", markersize=1, zorder=0)
    worst.append(np.quantile(losses, 0.95))
axes.plot(levels, worst, color="tab:red", linewidth=1, label="95 % of runs are below")
axes.set_ylim(0.0, 2.5)
axes.legend()

# 2 / (1 + a) + a / 10 is least where (1 + a)**2 = 20
(low, high) = found.region["observer/attention"]
assert low - 0.5 < np.sqrt(20.0) - 1.0 < high + 0.5
