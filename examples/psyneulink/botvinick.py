"""
The Stroop task with conflict monitoring (Botvinick et al. 2001), after PsyNeuLink's tests/models/test_botvinick.py.

Naming a colour while a word says another one: `python botvinick.py [repetitions]` gives the network no stimulus for 5 trials
and then a congruent, an incongruent or a neutral one for 10, all times the repetitions, in a context for each condition.
"""

import sys

import numpy as np
import psyneulink as pnl

BLANK = {"COLORS_INPUT": [0, 0, 0], "WORDS_INPUT": [0, 0, 0], "TASK_INPUT": [1, 0]}
STIMULI = {
    "congruent": {"COLORS_INPUT": [1, 0, 0], "WORDS_INPUT": [1, 0, 0], "TASK_INPUT": [1, 0]},
    "incongruent": {"COLORS_INPUT": [1, 0, 0], "WORDS_INPUT": [0, 1, 0], "TASK_INPUT": [1, 0]},
    "neutral": {"COLORS_INPUT": [1, 0, 0], "WORDS_INPUT": [0, 0, 1], "TASK_INPUT": [1, 0]},
}


def layer(name: str, length: int, **arguments: object) -> pnl.RecurrentTransferMechanism:
    """A leaky logistic layer whose units inhibit each other."""
    return pnl.RecurrentTransferMechanism(
        name=name, input_shapes=length, auto=0.0, hetero=-2.0, integrator_mode=True, integration_rate=0.01, **arguments
    )


def build() -> pnl.Composition:
    """Three input layers, two hidden layers, a task layer and a response layer that also gives its energy, the conflict."""
    colors_input = pnl.TransferMechanism(name="COLORS_INPUT", input_shapes=3)
    words_input = pnl.TransferMechanism(name="WORDS_INPUT", input_shapes=3)
    task_input = pnl.TransferMechanism(name="TASK_INPUT", input_shapes=2)
    task = layer("TASK_LAYER", 2, function=pnl.Logistic())
    colors = layer("COLORS_HIDDEN", 3, function=pnl.Logistic(x_0=4.0))
    words = layer("WORDS_HIDDEN", 3, function=pnl.Logistic(x_0=4.0))
    conflict = pnl.Stability(default_variable=np.zeros(2), metric=pnl.ENERGY, matrix=np.array([[0.0, -4.0], [-4.0, 0.0]]))
    energy = {pnl.NAME: "DECISION_ENERGY", pnl.VARIABLE: (pnl.OWNER_VALUE, 0), pnl.FUNCTION: conflict}
    response = layer("RESPONSE", 2, function=pnl.Logistic(), output_ports=[pnl.RESULT, energy])

    composition = pnl.Composition(name="BOTVINICK")
    composition.add_nodes([colors_input, colors, words_input, words, task_input, task, response])
    same = np.eye(3, 2)
    color_to_task = np.array([[4.0, 0.0]] * 3)
    word_to_task = np.array([[0.0, 4.0]] * 3)
    for sender, receiver, matrix in (
        (task_input, task, np.eye(2)),
        (colors_input, colors, np.eye(3)),
        (colors, response, 1.5 * same),
        (response, colors, 1.5 * same.T),
        (words_input, words, np.eye(3)),
        (words, response, 2.5 * same),
        (response, words, 2.5 * same.T),
        (task, colors, color_to_task.T),
        (colors, task, color_to_task),
        (task, words, word_to_task.T),
        (words, task, word_to_task),
    ):
        composition.add_projection(pnl.MappingProjection(matrix=matrix), sender, receiver)
    return composition


if __name__ == "__main__":
    repetitions = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    stroop = build()
    for condition, stimulus in STIMULI.items():
        stroop.run(inputs=BLANK, num_trials=5 * repetitions, context=condition)
        stroop.run(inputs=stimulus, num_trials=10 * repetitions, context=condition)
        print(f"{condition:12s} conflict {stroop.nodes['RESPONSE'].output_ports['DECISION_ENERGY'].parameters.value.get(condition)[0]:.6f}")
