"""
Spatial working memory: noise moves the bump that holds an angle, so that the error of the memory grows with the delay (Compte et al. 2000).

    python examples/studies/bump_attractor.py [--trials N] [--figure FILE]
"""

import sys
from pathlib import Path

import numpy as np

import cogir
from cogir.library import Random, State, Step, Value, node_function

sys.path.append(str(Path(__file__).parents[1] / "models"))

from figures import arguments, draw

UNITS, ANGLE = 32, 2.0
SHOWN, DELAY, EVERY = 200, 1500, 150
"""Steps of 1 ms with the cue, steps after it, and after how many of them the angle is kept."""

PREFERRED = 2.0 * np.pi * np.arange(UNITS) / UNITS


# functions.md: "The function of a node is a plain Python function."
# functions.md: "a value kept from one execution to the next; the default is the initial value, and is broadcast to the shape of the next
# state"
@node_function(outputs=("rates", "angle"))
def ring(drive: Value, feedback: Value, *, noise: float = 0.1, tau: float = 10.0, rates: State = 0.0, random: Random) -> Step:
    """A step of 1 ms of units that saturate, driven by a cue and by each other; the angle is that of the population."""
    drive = drive + feedback + noise * np.sqrt(tau) * random.normal(drive.shape)
    rates = rates + (np.minimum(np.maximum(drive, 0.0), 1.0) - rates) / tau
    angle = np.arctan2(np.sum(rates * np.sin(PREFERRED)), np.sum(rates * np.cos(PREFERRED)))
    return Step(outputs=(rates, angle), states=(rates,))


def build() -> cogir.Model:
    """A ring whose units excite their neighbours, and inhibit all."""
    model = cogir.Model("memory", seed=1)
    node = model.node("ring", ring, input={"drive": UNITS, "feedback": UNITS})
    between = PREFERRED[:, None] - PREFERRED[None, :]
    # running.md: "Projections"
    model.project(node["rates"], node["feedback"], matrix=(-2.0 + 8.0 * np.cos(between)) / UNITS, recurrent=True)
    model.input(node["drive"])
    model.output(node["angle"])
    return model


def study(trials: int = 200) -> np.ndarray:
    """The standard deviation of the error of the angle, in radians, from the end of the cue on, every 150 ms."""
    cue = 0.5 * np.cos(PREFERRED - ANGLE)
    # running.md: "Without `num_trials`, there is one trial for each input."
    drive = [cue] * SHOWN + [np.zeros(UNITS)] * DELAY
    # replicates.md: "`num_trials` and the inputs apply to each replicate."
    angles = build().compile().replicates({"ring/drive": drive}, count=trials)["ring", "angle"][:, SHOWN::EVERY]
    return np.std(np.angle(np.exp(1j * (angles - ANGLE))), axis=0)


if __name__ == "__main__":
    given = arguments(__doc__, 200)
    error = study(given.trials)
    times = 0.001 * EVERY * np.arange(len(error))
    for time, one in zip(times, error, strict=True):
        print(f"{time:.2f} s after the cue: {np.degrees(one):.1f} degrees")

    def paint(axes):
        axes.plot(times, np.degrees(error) ** 2, "o-")
        axes.set(xlabel="delay (s)", ylabel="variance of the angle (degrees²)", title="a diffusion: the variance grows with the delay")

    draw(given.figure, 1, paint)
