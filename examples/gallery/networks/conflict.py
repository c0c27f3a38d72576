"""
Conflict between responses
==========================

Two responses that are active at once and inhibit each other are in conflict; its measure is the energy of the response layer (Botvinick et
al. 2001). The time course of the conflict of congruent, neutral and incongruent stimuli.
"""

import matplotlib.pyplot as plt
import numpy as np

import cogir
from cogir import library
from cogir.library import State, Step, Value, node_function

INHIBITION = -2.0 * (np.ones((2, 2)) - np.eye(2))
STIMULI = {
    "congruent": {"colours": [1.0, 0.0], "words": [1.0, 0.0]},
    "neutral": {"colours": [1.0, 0.0], "words": [0.0, 0.0]},
    "incongruent": {"colours": [1.0, 0.0], "words": [0.0, 1.0]},
}

# %%
# A function of our own: a leaky logistic layer that also says how much its two units are in conflict. Its second argument is a state.


@node_function(outputs=("activity", "conflict"))
def responses(variable: Value, *, rate: Value = 0.02, level: State = 0.0) -> Step:
    following = (1.0 - rate) * level + rate * variable
    activity = library.logistic(following)
    return Step(outputs=(activity, activity[0] * activity[1]), states=(following,))


model = cogir.Model("conflict")
colours, words = model.node("colours", input=2), model.node("words", input=2)
hidden = {
    name: model.node(f"{name} hidden", library.psyneulink.integrated_logistic, input=2, integration_rate=0.02, x_0=2.0)
    for name in ("colours", "words")
}
response = model.node("response", responses, input=2)
model.project(colours, hidden["colours"], matrix=5.0 * np.eye(2))
model.project(words, hidden["words"], matrix=4.0 * np.eye(2))
model.project(hidden["colours"], response, matrix=3.0 * np.eye(2))
model.project(hidden["words"], response, matrix=3.0 * np.eye(2))
model.project(response["activity"], response, matrix=INHIBITION, feedback=True)
model.output(response["activity"])
model.output(response["conflict"])
model.show()

# %%
# One trial of the model is one cycle.

compiled = model.compile()
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.5), layout="constrained")
last = {}
for name, stimulus in STIMULI.items():
    found = compiled.run({node: [row] for node, row in stimulus.items()}, num_trials=400, context=name)
    conflict, activity = found["response", "conflict"], found["response", "activity"]
    last[name] = float(np.ravel(conflict)[-1])
    left.plot(np.ravel(conflict), label=name)
    right.plot(activity[:, 0] - activity[:, 1], label=name)
left.set(xlabel="cycle", ylabel="conflict")
right.set(xlabel="cycle", ylabel="lead of the right response")
left.legend()

assert last["congruent"] < last["neutral"] < last["incongruent"]
