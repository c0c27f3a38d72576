"""
The prediction error of TD(lambda) moves from the reward to the cue that predicts it, as the response of dopamine neurons does (Schultz,
Dayan and Montague 1997).
"""

import numpy as np
from figures import arguments, draw

import cogir
from cogir import library

STEPS, CUE, REWARD = 25, 5, 20
TRAINED = 200
"""Trials with reward; the reward is omitted in one more trial."""


def features() -> np.ndarray:
    """The features in each step: one for each delay since the cue, and none before it; (STEPS + 1, STEPS - CUE)."""
    rows = np.zeros((STEPS + 1, STEPS - CUE))
    rows[CUE:STEPS] = np.eye(STEPS - CUE)
    return rows


def build() -> cogir.Model:
    """One node, whose errors are read; a step is a trial of the model, and the last step of an experimental trial is terminal."""
    size = STEPS - CUE
    model = cogir.Model("dopamine")
    ports = {"state": size, "reward": 1, "next_state": size, "terminal": 1}
    node = model.node("critic", library.td_lambda, input=ports, learning_rate=0.1, discount=1.0, trace_decay=0.5)
    model.output(node["error"])
    return model


def errors() -> np.ndarray:
    """The error on arriving in each step of each trial, (TRAINED + 1, STEPS)."""
    states = features()
    count = TRAINED + 1
    rewards = np.zeros((count, STEPS, 1))
    rewards[:TRAINED, REWARD - 1] = 1.0  # arriving in step REWARD
    terminals = np.zeros((count, STEPS, 1))
    terminals[:, -1] = 1.0
    inputs = {
        "state": np.tile(states[:-1], (count, 1)),
        "reward": rewards.reshape(-1, 1),
        "next_state": np.tile(states[1:], (count, 1)),
        "terminal": terminals.reshape(-1, 1),
    }
    result = build().compile().run({"critic": inputs}, num_trials=count * STEPS)
    arrived = np.array(result.results, dtype=float).reshape(count, STEPS)
    return np.roll(arrived, 1, axis=1)  # column i: on arriving in step i; column 0: on leaving the last step


if __name__ == "__main__":
    file = arguments(__doc__).figure
    found = errors()
    shown = (("first trial", 0), ("after training", TRAINED - 1), ("reward omitted", TRAINED))
    for name, trial in shown:
        print(f"{name:15s} error at the cue {found[trial, CUE]:6.3f}, at the time of the reward {found[trial, REWARD]:6.3f}")

    def paint(*panels):
        for axes, (name, trial) in zip(panels, shown, strict=True):
            axes.bar(np.arange(STEPS), found[trial])
            axes.axvline(CUE, color="0.7", linestyle=":")
            axes.axvline(REWARD, color="0.7", linestyle=":")
            axes.set(title=name, xlabel="step (cue at 5, reward at 20)", ylabel="prediction error", ylim=(-1.1, 1.1))

    draw(file, 3, paint, (4.0, 3.0))
