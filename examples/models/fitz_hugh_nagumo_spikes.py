"""An excitable cell rests, spikes repeatedly, or is blocked, depending on its current (FitzHugh 1961)."""

import numpy as np
from figures import arguments, draw

import cogir
from cogir import library

CURRENTS = (0.0, 0.5, 2.0)
STEPS, STEP = 4000, 0.1


def build() -> cogir.Model:
    """One cell for each current."""
    model = cogir.Model("spikes")
    node = model.node("cells", library.fitz_hugh_nagumo, input=len(CURRENTS), time_step_size=STEP)
    model.output(node["v"])
    model.output(node["w"])
    return model


if __name__ == "__main__":
    file = arguments(__doc__).figure
    course = np.array(build().compile().run({"cells": [CURRENTS]}, num_trials=STEPS).results)
    v, w = course[:, 0], course[:, 1]
    for cell, current in enumerate(CURRENTS):
        spikes = int(((v[:-1, cell] <= 1.0) & (v[1:, cell] > 1.0)).sum())
        print(f"current {current}: {spikes} spikes in {STEPS * STEP:.0f} time units, v ends at {v[-1, cell]:.3f}")

    def paint(left, right):
        times = np.arange(STEPS) * STEP
        for cell, current in enumerate(CURRENTS):
            left.plot(times, v[:, cell], label=f"I = {current}")
        left.set(xlabel="time", ylabel="v")
        left.legend()
        grid = np.linspace(-2.2, 2.2, 200)
        right.plot(v[:, 1], w[:, 1])
        right.plot(grid, grid - grid**3 / 3.0 + CURRENTS[1], "k:", label="v' = 0")
        right.plot(grid, (grid + 0.7) / 0.8, "k--", label="w' = 0")
        right.set(xlabel="v", ylabel="w", title=f"I = {CURRENTS[1]}", ylim=(-1.0, 2.0))
        right.legend()

    draw(file, 2, paint)
