"""Pattern completion: Hopfield's network recalls a stored pattern from a part of it (Hopfield 1982)."""

import numpy as np
from figures import arguments, draw

import cogir
from cogir import library
from cogir.library import Random, State, Step, node_function

UNITS, PATTERNS, KNOWN = 100, 5, 60
SWEEPS = 5


@node_function(outputs=("state", "energy"))
def recall(cue, weights, *, state: State = 0.0, random: Random):
    """Starts from the cue, and updates every unit once in each execution."""
    previous = np.where(np.any(state != 0.0), state, cue)
    new, energy = library.hopfield_asynchronous(previous, weights, random=random)
    return Step(outputs=(new, energy), states=(new,))


def build() -> cogir.Model:
    """The stored patterns become weights; a trial is one sweep over the units."""
    model = cogir.Model("hopfield")
    store = model.node("store", library.hopfield_storage, input=(PATTERNS, UNITS))
    memory = model.node("memory", recall, input={"cue": UNITS, "weights": (UNITS, UNITS)}, seed=2)
    model.project(store, memory["weights"])
    model.input(store)
    model.input(memory["cue"])
    model.output(memory["state"])
    model.output(memory["energy"])
    return model


if __name__ == "__main__":
    file = arguments(__doc__).figure
    rng = np.random.RandomState(0)
    stored = np.where(rng.random_sample((PATTERNS, UNITS)) < 0.5, -1.0, 1.0)
    cue = stored[0].copy()
    cue[KNOWN:] = np.where(rng.random_sample(UNITS - KNOWN) < 0.5, -1.0, 1.0)
    result = build().compile().run({"store": [stored], "memory": {"cue": [cue]}}, num_trials=SWEEPS)
    states = [cue, *(state for state, _ in result.results)]
    overlaps = [float(state @ stored[0]) / UNITS for state in states]
    energies = [float(energy) for _, energy in result.results]
    print(f"overlap with the stored pattern: {overlaps[0]:.2f} of the cue, " + ", ".join(f"{each:.2f}" for each in overlaps[1:]))
    print("energy after each sweep:         " + ", ".join(f"{each:.2f}" for each in energies))

    def paint(*panels):
        for axes, (title, values) in zip(panels, (("stored", stored[0]), ("cue", cue), ("recalled", states[-1])), strict=True):
            axes.imshow(np.reshape(values, (10, -1)), cmap="gray")
            axes.set(title=title, xticks=[], yticks=[])

    draw(file, 3, paint, (3.0, 3.0))
