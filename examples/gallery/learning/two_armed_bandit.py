"""
A bandit learner, and how it explores
=====================================

Values of two arms are learned from rewards, and arms are chosen by softmax. The higher the inverse temperature, the less is explored.
"""

import matplotlib.pyplot as plt
import numpy as np

import cogir
from cogir import library
from cogir.library import Random, State, Step, Value, node_function

TRIALS, AGENTS = 200, 2000


@node_function(outputs=("choice", "values"))
def learner(chances: Value, *, rate: Value = 0.1, inverse_temperature: Value = 5.0, values: State = (0.5, 0.5), random: Random) -> Step:
    """Chooses an arm, is rewarded with its chance, and moves its value towards the reward."""
    chosen = library.softmax_choice(values, inverse_temperature=inverse_temperature, random=random)[0]
    reward = np.where(random.uniform() < chosen @ chances, 1.0, 0.0)
    following = values + rate * chosen * (reward - values)
    return Step(outputs=(chosen, following), states=(following,))


model = cogir.Model("bandit")
model.node("agent", learner, input=2)
compiled = model.compile()

# %%
# Two thousand agents at three temperatures. The first arm pays in 7 of 10 trials, the second one in 4.

figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.5), layout="constrained")
shares = {}
for inverse_temperature in (1.0, 5.0, 20.0):
    compiled.params["agent/inverse_temperature"] = inverse_temperature
    found = compiled.replicates({"agent": [[0.7, 0.4]]}, AGENTS, num_trials=TRIALS, seed=1)
    best = found["agent", "choice"][:, :, 0]
    shares[inverse_temperature] = best[:, -50:].mean()
    left.plot(best.mean(axis=0), label=f"inverse temperature {inverse_temperature:g}")
    right.hist(found["agent", "values"][:, -1, 1], bins=40, histtype="step", label=f"{inverse_temperature:g}")
left.set(xlabel="trial", ylabel="share of the better arm", ylim=(0.4, 1.0))
left.legend(fontsize=8)
right.set(xlabel="value of the worse arm after 200 trials", ylabel="agents")
right.legend(title="inverse temperature", fontsize=8)

assert shares[1.0] < shares[5.0]
