"""
A trained network does one of several tasks, a leaky competing accumulator takes the time to respond. Made for this project.

The network is a Composition nested in the whole one; results are the accumulator's activity and the number of its steps.
"""

import json
from pathlib import Path

import numpy as np
import psyneulink as pnl

WEIGHTS = json.loads((Path(__file__).parents[1] / "multitasking_weights.json").read_text())


def network() -> pnl.Composition:
    """Stimulus (6) and task (4) to a hidden layer (24) to the answer (6), all logistic with a bias of -2."""
    stimulus = pnl.TransferMechanism(name="input", input_shapes=6)
    task = pnl.TransferMechanism(name="control", input_shapes=4)
    hidden = pnl.TransferMechanism(name="hidden", input_shapes=24, function=pnl.Logistic(bias=-2))
    answer = pnl.TransferMechanism(name="output", input_shapes=6, function=pnl.Logistic(bias=-2))
    net = pnl.Composition(name="mnet")
    net.add_nodes([stimulus, task, hidden, answer])
    for name, sender, receiver in (
        ("input_hidden", stimulus, hidden),
        ("control_hidden", task, hidden),
        ("control_output", task, answer),
        ("hidden_output", hidden, answer),
    ):
        net.add_projection(pnl.MappingProjection(sender, receiver, matrix=np.array(WEIGHTS[name])))
    return net


def build() -> pnl.Composition:
    """The network, then an accumulator to threshold."""
    lca = pnl.LCAMechanism(
        name="lca",
        input_shapes=6,
        leak=0.4,
        self_excitation=0.2,
        competition=0.2,
        noise=pnl.NormalDist(standard_deviation=0.1),
        time_step_size=0.01,
        threshold=0.62,
        output_ports=[pnl.RESULT, {pnl.NAME: "STEPS", pnl.VARIABLE: ("num_executions", pnl.TimeScale.TRIAL)}],
        reset_stateful_function_when=pnl.AtTrialStart(),
    )
    return pnl.Composition(name="MULTITASKING", pathways=[[network(), lca]])


if __name__ == "__main__":
    composition = build()
    net = composition.nodes["mnet"]
    composition.run(inputs={net: {"input": [[1, 0, 0, 1, 0, 0], [0, 1, 0, 0, 0, 1]], "control": [[1, 0, 0, 0], [0, 0, 0, 1]]}})
    for activity, steps in composition.results:
        print(f"unit {activity.argmax()} wins after {steps[0]:.0f} steps")
