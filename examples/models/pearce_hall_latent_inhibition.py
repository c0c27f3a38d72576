"""Latent inhibition: a stimulus that meant nothing before is learned slowly (Pearce and Hall 1980)."""

import numpy as np
from figures import arguments, draw

import cogir
from cogir import library

EXPOSURES, PAIRINGS = 20, 25


def build() -> cogir.Model:
    """The hybrid of the rules of Pearce and Hall and of Rescorla and Wagner."""
    model = cogir.Model("latent_inhibition")
    ports = {"stimuli": 1, "outcome": 1}
    node = model.node("conditioning", library.hybrid_pearce_hall, input=ports, salience=0.3, decay=0.15)
    model.output(node["weights"])
    model.output(node["associability"])
    return model


def course(exposures: int) -> np.ndarray:
    """Strength and associability after each trial: exposures without outcome, then pairings; (trials, 2)."""
    count = exposures + PAIRINGS
    outcomes = [[0.0]] * exposures + [[1.0]] * PAIRINGS
    result = build().compile().run({"conditioning": {"stimuli": [[1.0]] * count, "outcome": outcomes}}, num_trials=count)
    return np.array([[weights[0], associability[0]] for weights, associability in result.results])


if __name__ == "__main__":
    file = arguments(__doc__).figure
    exposed, fresh = course(EXPOSURES), course(0)
    after = exposed[EXPOSURES:]
    print(f"associability before the first pairing: {exposed[EXPOSURES - 1, 1]:.3f} after exposure, 1.000 without")
    print(f"strength after 5 pairings:              {after[4, 0]:.3f} after exposure, {fresh[4, 0]:.3f} without")
    print(f"strength after {PAIRINGS} pairings:             {after[-1, 0]:.3f} after exposure, {fresh[-1, 0]:.3f} without")

    def paint(left, right):
        trials = np.arange(1, PAIRINGS + 1)
        for axes, column, label in ((left, 0, "associative strength"), (right, 1, "associability")):
            axes.plot(trials, fresh[:, column], label="control")
            axes.plot(trials, after[:, column], label="exposed before")
            axes.set(xlabel="pairing", ylabel=label, ylim=(0.0, 1.05))
            axes.legend()

    draw(file, 2, paint)
