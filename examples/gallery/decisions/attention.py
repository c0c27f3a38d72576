"""
What is looked at is chosen
===========================

In the attentional drift-diffusion model, the item that is not looked at counts less (Krajbich, Armel and Rangel 2010). Of two items of
equal value, the one that was looked at for longer is then chosen more often.
"""

import matplotlib.pyplot as plt
import numpy as np

import cogir
from cogir import library

EDGES = np.linspace(-1.0, 1.0, 9)

model = cogir.Model("decision")
model.node(
    "decision",
    library.attentional_decision,
    input=2,
    time_step_size=0.01,
    execute_until_finished=True,
    max_executions_before_finished=100_000,
    reset_each_trial=True,
)
compiled = model.compile()

figure, axes = plt.subplots()
curves = {}
for discount in (0.3, 1.0):
    compiled.params["decision/discount"] = discount
    found = compiled.replicates({"decision": [[3.0, 3.0]]}, count=20_000, seed=1)
    first, gaze = found["decision", "choice"][:, 0] > 0.0, found["decision", "gaze"][:, 0]
    groups = np.clip(np.digitize(2.0 * gaze - 1.0, EDGES) - 1, 0, len(EDGES) - 2)
    curves[discount] = [first[groups == group].mean() for group in range(len(EDGES) - 1)]
    axes.plot((EDGES[1:] + EDGES[:-1]) / 2.0, curves[discount], "o-", label=f"discount {discount:g}")
axes.set(xlabel="gaze advantage of the first item", ylabel="share of choices of the first item", ylim=(0, 1))
axes.legend()

# %%
# With a discount of 1, gaze has no effect.

assert curves[0.3][0] < 0.3 < 0.7 < curves[0.3][-1]
assert abs(curves[1.0][3] - 0.5) < 0.1
