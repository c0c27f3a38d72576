"""
Draws the figure of docs/results.md.

    pip install -e '.[plot]' && python docs/write_results.py
"""

from __future__ import annotations

from pathlib import Path

import matplotlib
import numpy as np

matplotlib.use("Agg")
from matplotlib import pyplot

import cogir
from cogir import library
from cogir.labelled.dataset import Axis, Dataset, Variable
from cogir.labelled.loaded import Loaded

FIGURE = Path(__file__).parent / "figures" / "results.png"


def decisions() -> tuple[cogir.Replicates, Loaded]:
    """Replicates of a decision, and those for some thresholds."""
    model = cogir.Model("decision")
    model.node(
        "decision",
        library.drift_diffusion_decision,
        drift=0.8,
        non_decision_time=0.3,
        execute_until_finished=True,
        max_executions_before_finished=2500,
        reset_each_trial=True,
        units={"response_time": "s"},
    )
    compiled = model.compile(unfinished="ignore")
    found = compiled.replicates({"decision": [[1.0]]}, 10_000, seed=1)
    thresholds, times = np.linspace(0.4, 1.4, 6), []
    for threshold in thresholds:
        compiled.params["decision/threshold"] = threshold
        times.append(compiled.replicates({"decision": [[1.0]]}, 300, seed=2)["decision", "response_time"])
    axes = (Axis("decision/threshold", 6, {"decision/threshold": thresholds}), Axis("replicate", 300), Axis("trial", 1))
    return found, Loaded(Dataset("sweep", axes, {"decision/response_time": Variable(np.array(times), axes, "s")}))


def competition() -> cogir.Result:
    """An accumulator with three labelled units."""
    model = cogir.Model("competition")
    labels, units = {"value": ["red", "green", "blue"]}, {"value": "Hz"}
    race = model.node(
        "units", library.leaky_competing_decision, input=3, threshold=100.0, reset_each_trial=False, labels=labels, units=units
    )
    model.output(race["value"])
    return model.compile().run({"units": [[1.0, 0.7, 0.3]]}, 150)


def learning() -> cogir.Learned:
    """A network that learns the exclusive or."""
    rng = np.random.default_rng(0)
    model = cogir.Model("xor")
    stimulus, hidden = model.node("stimulus", input=2), model.node("hidden", library.logistic, input=10)
    output, target = model.node("output", library.logistic, input=1), model.node("target", input=1)
    model.project(stimulus, hidden, matrix=rng.normal(size=(2, 10)))
    model.project(hidden, output, matrix=rng.normal(size=(10, 1)))
    model.output(output)
    model.learning([(output, target)], library.adam, rate=0.05)
    inputs = {"stimulus": [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], "target": [[0.0], [1.0], [1.0], [0.0]]}
    return model.compile().learn(inputs, epochs=400)


def main() -> None:
    figure, axes = pyplot.subplots(2, 2, figsize=(11.0, 7.0), layout="constrained")
    times, sweep = decisions()
    for place, held in enumerate((times, competition(), sweep, learning())):
        held.plot(axes=axes.flat[place])
    figure.savefig(FIGURE, dpi=90)


if __name__ == "__main__":
    from reported import reported

    with reported(FIGURE):
        main()
