"""The Stroop task with conflict monitoring (Botvinick et al. 2001): naming a colour while a word says another one."""

import numpy as np

import cogir
from cogir import library
from cogir.library import State, Step, Value, node_function

INHIBITION_3 = -2.0 * (np.ones((3, 3)) - np.eye(3))
INHIBITION_2 = -2.0 * (np.ones((2, 2)) - np.eye(2))
INPUTS = {
    "congruent": {"COLORS_INPUT": [1, 0, 0], "WORDS_INPUT": [1, 0, 0], "TASK_INPUT": [1, 0]},
    "incongruent": {"COLORS_INPUT": [1, 0, 0], "WORDS_INPUT": [0, 1, 0], "TASK_INPUT": [1, 0]},
    "neutral": {"COLORS_INPUT": [1, 0, 0], "WORDS_INPUT": [0, 0, 1], "TASK_INPUT": [1, 0]},
}
BLANK = {"COLORS_INPUT": [0, 0, 0], "WORDS_INPUT": [0, 0, 0], "TASK_INPUT": [1, 0]}


@node_function(outputs=("result", "decision_energy"))
def response_layer(
    variable: Value, *, integration_rate: Value = 0.01, inhibition: Value = INHIBITION_2, previous_value: State = 0.0
) -> Step:
    """A leaky logistic layer, and the energy of its activity: the conflict between the two responses."""
    value = (1.0 - integration_rate) * previous_value + integration_rate * variable
    activity = library.logistic(value)
    return Step(outputs=(activity, library.psyneulink.energy(activity, matrix=inhibition)), states=(value,))


def add_stroop(model: cogir.Model) -> cogir.Node:
    """The network itself: three input layers, two hidden layers, the task layer; returns the response layer."""
    colors_input = model.node("COLORS_INPUT", input=3)
    words_input = model.node("WORDS_INPUT", input=3)
    task_input = model.node("TASK_INPUT", input=2)
    rest = np.full(3, 0.017986209962091562)
    hidden = {"integration_rate": 0.01, "x_0": 4.0, "initial": {"value": rest}}
    colors = model.node("COLORS_HIDDEN", library.psyneulink.integrated_logistic, input=3, **hidden)
    words = model.node("WORDS_HIDDEN", library.psyneulink.integrated_logistic, input=3, **hidden)
    half = np.full(2, 0.5)
    task = model.node("TASK_LAYER", library.psyneulink.integrated_logistic, input=2, integration_rate=0.01, initial={"value": half})
    response = model.node(
        "RESPONSE", response_layer, input=2, inhibition=2.0 * INHIBITION_2, initial={"result": half, "decision_energy": 1.0}
    )
    model.project(task_input, task)
    model.project(colors_input, colors)
    model.project(words_input, words)
    to_response = np.eye(3, 2)
    color_task = np.array([[4.0, 0.0]] * 3)
    word_task = np.array([[0.0, 4.0]] * 3)
    model.project(colors, response, matrix=1.5 * to_response)
    model.project(response["result"], colors, matrix=1.5 * to_response.T)
    model.project(words, response, matrix=2.5 * to_response)
    model.project(response["result"], words, matrix=2.5 * to_response.T)
    model.project(task, colors, matrix=color_task.T)
    model.project(colors, task, matrix=color_task)
    model.project(task, words, matrix=word_task.T)
    model.project(words, task, matrix=word_task)
    model.project(colors, colors, matrix=INHIBITION_3, recurrent=True)
    model.project(words, words, matrix=INHIBITION_3, recurrent=True)
    model.project(task, task, matrix=INHIBITION_2, recurrent=True)
    model.project(response["result"], response, matrix=INHIBITION_2, recurrent=True)
    return response


def build() -> cogir.Model:
    """The network; results are the activities of the four layers and the conflict."""
    model = cogir.Model("botvinick_stroop")
    response = add_stroop(model)
    for name in ("COLORS_HIDDEN", "WORDS_HIDDEN", "TASK_LAYER"):
        model.output(model[name])
    model.output(response["result"])
    model.output(response["decision_energy"])
    return model


if __name__ == "__main__":
    compiled = build().compile()
    for condition, stimulus in INPUTS.items():
        context = compiled.context(condition)
        compiled.run(BLANK, num_trials=500, context=context)
        result = compiled.run(stimulus, num_trials=1000, context=context)
        conflict = result["RESPONSE", "decision_energy"]
        print(f"{condition:12s} largest conflict {conflict.max():.4f}")
