"""
Large recurrent networks: dense and sparse, and what a million trials cost.

    python examples/studies/large_networks.py [--figure FILE]

The same sparse network three times: as a dense matrix with zeros, as indices and weights of ten senders for each unit, and in SciPy.
"""

import sys
from pathlib import Path

import numpy as np

import cogir
from cogir.library import State, Step, Value

sys.path.append(str(Path(__file__).parents[1] / "models"))

from figures import arguments, draw

SENDERS = 10
"""How many units each unit listens to."""


def wiring(units: int) -> tuple[np.ndarray, np.ndarray]:
    """For each unit, its senders and their weights: (units, SENDERS)."""
    rng = np.random.default_rng(1)
    senders = np.array([rng.choice(units, SENDERS, replace=False) for _ in range(units)])
    return senders, rng.normal(size=(units, SENDERS)) * 1.25 / np.sqrt(SENDERS)


def by_matrix(units: int) -> cogir.Model:
    """A node that projects to itself; zeros of the matrix stand for what is not connected."""
    senders, weights = wiring(units)
    matrix = np.zeros((units, units))
    matrix[senders.T, np.arange(units)] = weights.T

    def rates(drive: Value, feedback: Value, *, activity: State = np.zeros(units)) -> Step:
        activity = activity + 0.1 * (np.tanh(drive + feedback) - activity)
        return Step(outputs=(activity,), states=(activity,))

    model = cogir.Model("by_matrix")
    node = model.node("rates", rates, input={"drive": units, "feedback": units})
    # running.md: "rows: elements of the sender, columns: of the receiver"
    model.project(node["value"], node["feedback"], matrix=matrix, feedback=True)
    model.input(node["drive"])
    return model


def by_indices(units: int) -> cogir.Model:
    """A node that gathers the activity of its senders by itself."""
    senders, weights = wiring(units)

    # functions.md: "Globals and closures may contain constants, arrays, enums and functions."
    def rates(drive: Value, *, activity: State = np.zeros(units)) -> Step:
        gathered = np.take(activity, senders.ravel()).reshape(senders.shape)
        feedback = np.sum(gathered * weights, axis=1)
        activity = activity + 0.1 * (np.tanh(drive + feedback) - activity)
        return Step(outputs=(activity,), states=(activity,))

    model = cogir.Model("by_indices")
    model.node("rates", rates, input=units)
    return model


def in_numpy(units: int, drive: np.ndarray) -> np.ndarray:
    """The activity over time: (steps, units)."""
    senders, weights = wiring(units)
    activity, course = np.zeros(units), []
    for row in drive:
        activity = activity + 0.1 * (np.tanh(row + np.sum(activity[senders] * weights, axis=1)) - activity)
        course.append(activity)
    return np.array(course)


def study(units: int = 400, steps: int = 200) -> dict[str, np.ndarray]:
    """The courses of the network in both models and in NumPy: (steps, units)."""
    drive = np.random.default_rng(2).normal(size=(steps, units))
    # running.md: "an array (trials, elements of all inputs in order), used without a copy"
    courses = {build.__name__: build(units).compile(mode="run").run(drive)["rates"] for build in (by_matrix, by_indices)}
    return {**courses, "numpy": in_numpy(units, drive)}


def million(trials: int = 1_000_000) -> np.ndarray:
    """A long run of a small model: (trials, 1)."""
    model = cogir.Model("small")

    def leaky(x: Value, *, level: State = 0.0) -> Step:
        level = 0.9 * level + x
        return Step(outputs=(level,), states=(level,))

    model.node("leaky", leaky, input=1)
    return model.compile(mode="run").run(np.ones((1, 1)), num_trials=trials)["leaky"]


if __name__ == "__main__":
    given = arguments(__doc__)
    found = study()
    for name in ("by_matrix", "by_indices"):
        print(f"{name:10} differs from NumPy by {np.max(np.abs(found[name] - found['numpy'])):.1e} at most")
    print(f"after {len(million()):,} trials a leaky sum of ones is {million()[-1, 0]:.3f}")

    def paint(axes):
        axes.plot(0.1 * np.arange(len(found["numpy"])), found["by_indices"][:, :8])
        axes.set(xlabel="time (time constants)", ylabel="activity of eight units")

    draw(given.figure, 1, paint)
