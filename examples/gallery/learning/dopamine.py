"""
The prediction error moves to the cue
=====================================

With training, the error of TD(lambda) moves from the reward to the cue that predicts it, as the response of dopamine neurons does; when the
reward does not come, the error is negative at its time (Schultz, Dayan and Montague 1997).
"""

import matplotlib.pyplot as plt
import numpy as np

import cogir
from cogir import library

STEPS, CUE, REWARD, TRAINED = 25, 5, 20, 200

# %%
# The features of a step: one for each delay since the cue, and none before it. A step is a trial of the model.

size = STEPS - CUE
features = np.zeros((STEPS + 1, size))
features[CUE:STEPS] = np.eye(size)

model = cogir.Model("dopamine")
ports = {"state": size, "reward": 1, "next_state": size, "terminal": 1}
critic = model.node("critic", library.td_lambda, input=ports, learning_rate=0.1, discount=1.0, trace_decay=0.5)
model.output(critic["error"])

count = TRAINED + 1
rewards, terminals = np.zeros((count, STEPS)), np.zeros((count, STEPS))
rewards[:TRAINED, REWARD - 1] = 1.0  # omitted in the last one
terminals[:, -1] = 1.0
inputs = {
    "state": np.tile(features[:-1], (count, 1)),
    "reward": rewards.reshape(-1, 1),
    "next_state": np.tile(features[1:], (count, 1)),
    "terminal": terminals.reshape(-1, 1),
}
found = np.reshape(model.compile().run({"critic": inputs})["critic", "error"], (count, STEPS))
errors = np.roll(found, 1, axis=1)  # column i: on arriving in step i

figure, panels = plt.subplots(1, 3, figsize=(11, 3), sharey=True, layout="constrained")
for axes, (name, trial) in zip(panels, (("first trial", 0), ("after training", TRAINED - 1), ("reward omitted", TRAINED)), strict=True):
    axes.bar(np.arange(STEPS), errors[trial])
    axes.axvline(CUE, color="0.7", linestyle=":")
    axes.axvline(REWARD, color="0.7", linestyle=":")
    axes.set(title=name, xlabel="step (cue at 5, reward at 20)")
panels[0].set_ylabel("prediction error")

assert errors[0, REWARD] == 1.0
assert errors[TRAINED - 1, CUE] > 0.9
assert abs(errors[TRAINED - 1, REWARD]) < 0.1
assert errors[TRAINED, REWARD] < -0.9
