"""
A trained network answers one task at a time, a leaky competing accumulator takes the time to decide.

The network is a model of its own, placed in the whole model as an instance.
"""

import json
from pathlib import Path

import numpy as np

import cogir
from cogir import library

WEIGHTS = json.loads((Path(__file__).parent / "multitasking_weights.json").read_text())


def network() -> cogir.Model:
    """Stimulus (6) and task (4) to a hidden layer (24) to the answer (6), all logistic with a bias of -2."""
    model = cogir.Model("network")
    stimulus = model.node("input", input=6)
    task = model.node("control", input=4)
    hidden = model.node("hidden", library.logistic, input=24, bias=-2.0)
    answer = model.node("output", library.logistic, input=6, bias=-2.0)
    model.project(stimulus, hidden, matrix=WEIGHTS["input_hidden"])
    model.project(task, hidden, matrix=WEIGHTS["control_hidden"])
    model.project(task, answer, matrix=WEIGHTS["control_output"])
    model.project(hidden, answer, matrix=WEIGHTS["hidden_output"])
    return model


def build() -> cogir.Model:
    """The network, then an accumulator to threshold; results are its activity and the number of its steps."""
    model = cogir.Model("multitasking", prng="mt19937")
    net = model.instance("mnet", network())
    lca = model.node(
        "lca",
        library.leaky_competing_accumulator,
        input=6,
        leak=0.4,
        noise=0.1,
        time_step_size=0.01,
        threshold=0.62,
        execute_until_finished=True,
        max_executions_before_finished=2**63 - 1,
        reset_each_trial=True,
        initial={"result": np.full(6, 0.5)},
        seed=0,
    )
    model.project(net["output"], lca)
    model.project(lca["result"], lca, matrix=np.where(np.eye(6), 0.2, -0.2), recurrent=True)
    model.output(lca)
    return model


if __name__ == "__main__":
    stimuli = {"mnet/input": [[1, 0, 0, 1, 0, 0], [0, 1, 0, 0, 0, 1]], "mnet/control": [[1, 0, 0, 0], [0, 0, 0, 1]]}
    for activity, steps in build().compile().run(stimuli, num_trials=4).results:
        print(f"unit {int(activity.argmax())} wins after {float(steps):.0f} steps")
