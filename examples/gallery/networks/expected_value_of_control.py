"""
How much control is worth
=========================

Attending to the target and not to the flanker makes a decision faster and more often right. A controller weighs that against nothing but
the reward rate, and chooses gains for target and flanker anew in each trial (Shenhav, Botvinick and Cohen 2013).
"""

import matplotlib.pyplot as plt
import numpy as np

import cogir
from cogir import library
from cogir.library import Value, node_function

LEVELS = np.linspace(0.1, 1.0, 19)


@node_function(outputs=("rate",))
def reward_rate(reward: Value, decision: Value) -> Value:
    """The expected reward per second, in closed form: drift ``a``, threshold 1, noise 1, and 0.3 s beside the decision."""
    a = decision[0]
    upper = 1.0 / (1.0 + np.exp(-2.0 * a))
    time = np.tanh(a) / a if np.abs(a) > 1e-6 else 1.0
    return reward[0] * upper / (0.3 + time)


model = cogir.Model("control")
target, flanker = model.node("target", library.linear), model.node("flanker", library.linear)
drift = model.node("drift", library.linear)
reward = model.node("reward")
objective = model.node("reward rate", reward_rate, input={"reward": 1, "decision": 1})
model.project(target, drift)
model.project(flanker, drift)
model.project(drift, objective["decision"])
model.project(reward, objective["reward"])
model.control(
    "controller",
    objective=objective,
    direction="maximize",
    when="before",
    signals=[cogir.Signal(node.param("slope"), levels=LEVELS, cost=lambda level: 0.5 * (level - 0.55) ** 2) for node in (target, flanker)],
)
model.show()

# %%
# Flankers from helpful to harmful.

flankers = np.linspace(1.0, -1.0, 41)
count = len(flankers)
inputs = {"target": np.ones((count, 1)), "flanker": flankers[:, None], "reward": np.ones((count, 1))}
gains = model.compile().run(inputs).allocations["controller"]

figure, axes = plt.subplots()
axes.plot(flankers, gains[:, 0], label="gain of the target")
axes.plot(flankers, gains[:, 1], label="gain of the flanker")
axes.set(xlabel="evidence of the flanker", ylabel="gain that the controller chose")
axes.invert_xaxis()
axes.legend()

assert gains[0, 1] > gains[count // 2, 1] > gains[-1, 1]
