"""
A Stroop network that settles
=============================

In the model of Cohen, Dunbar and McClelland (1990) activity rises in cascade: each unit averages its input over cycles, and the response
ends the trial when enough evidence has come together. Two pathways lead from colours and from words to the responses. The one for words is
stronger; units for the two tasks lift the one that is attended to out of the flat part of its logistic function. This model has their
architecture, with few units and weights set by hand instead of learned.
"""

import matplotlib.pyplot as plt
import numpy as np

import cogir
from cogir import library

OPPOSED = np.array([[1.0, -1.0], [-1.0, 1.0]])
EACH_TRIAL = {"reset_each_trial": True}


def pathway(model: cogir.Model, name: str, strength: float) -> tuple[cogir.Node, cogir.Node]:
    """A stimulus, and the hidden units that it drives: without attention, -4 keeps them at rest."""
    stimulus = model.node(name, input=2, labels=["red", "green"])
    hidden = model.node(f"{name} hidden", library.psyneulink.integrated_logistic, input=2, bias=-4.0, integration_rate=0.1, **EACH_TRIAL)
    model.project(stimulus, hidden, matrix=strength * OPPOSED)
    return stimulus, hidden


model = cogir.Model("stroop", seed=1)
colour, colour_hidden = pathway(model, "colour", 2.2)
word, word_hidden = pathway(model, "word", 2.6)
task = model.node("task", library.linear, input=2, slope=1.0, labels=["name colour", "read word"])
response = model.node(
    "response", library.psyneulink.integrated_logistic, input=2, integration_rate=0.1, labels=["red", "green"], **EACH_TRIAL
)
decision = model.node(
    "decision",
    library.drift_diffusion_decision,
    drift=0.1,
    noise=0.1,
    time_step_size=1.0,
    units={"response_time": "cycles"},
    **EACH_TRIAL,
)
model.project(task, colour_hidden, matrix=[[4.0, 4.0], [0.0, 0.0]])
model.project(task, word_hidden, matrix=[[0.0, 0.0], [4.0, 4.0]])
model.project(colour_hidden, response, matrix=1.3 * OPPOSED)
model.project(word_hidden, response, matrix=2.5 * OPPOSED)
model.project(response, decision, matrix=[[1.0], [-1.0]])
model.schedule.trial_ends(cogir.WhenFinished(decision))
model.record(response)
model.output(decision)
model.show()

# %%
# The decision executes once in each pass, beside units that still settle, and the trial ends with it. This is an incongruent trial, in
# which the colour is to be named: the word "green" holds the responses near to each other, so that evidence for "red" comes slowly.

RED, GREEN, NONE = [[1.0, 0.0]], [[0.0, 1.0]], [[0.0, 0.0]]
NAME, READ = [[1.0, 0.0]], [[0.0, 1.0]]
compiled = model.compile()
trace = compiled.run({"colour": RED, "word": GREEN, "task": NAME}).traces["response"]
trace.plot()
print(model.schedule)

# %%
# Red is the right answer in all conditions. ``task/slope`` is how strongly the task is attended to. The picture of a sweep over conditions
# and a number has a line for each condition.

CONDITIONS = {
    "colour": {
        "congruent": {"colour": RED, "word": RED},
        "neutral": {"colour": RED, "word": NONE},
        "incongruent": {"colour": RED, "word": GREEN},
    },
    "word": {
        "congruent": {"word": RED, "colour": RED},
        "neutral": {"word": RED, "colour": NONE},
        "incongruent": {"word": RED, "colour": GREEN},
    },
}
figure, both = plt.subplots(1, 2, figsize=(9.0, 4.0), sharey=True, layout="constrained")
times, correct = {}, {}
for axes, (name, attended) in zip(both, {"colour": NAME, "word": READ}.items(), strict=True):
    points = {"condition": CONDITIONS[name], "task/slope": np.linspace(0.4, 1.2, 9)}
    study = compiled.sweep(points, {"task": attended}, replicates=1000, seed=1)
    axes.set_title("naming the colour" if name == "colour" else "reading the word")
    study.plot("decision/response_time", axes=axes)
    times[name] = study["decision", "response_time"].mean(axis=(2, 3))
    correct[name] = (study["decision", "choice"] > 0.0).mean(axis=(2, 3))

# %%
# A word slows down naming a colour, but a colour hardly touches reading. The word harms more where it differs than it helps where it
# agrees. Attention matters most where the weak pathway has to win against the strong one: with little of it, naming the colour of an
# incongruent word takes twice as long, and a third of the answers are wrong.

facilitation, interference = np.diff(times["colour"], axis=0)
assert (interference > 1.5 * facilitation).all()
assert (np.diff(times["colour"], axis=0) > 2.0 * np.abs(np.diff(times["word"], axis=0))).all()
assert times["colour"][2, 0] > 1.8 * times["colour"][2, -1]
print({name: found[:, 0].round(2).tolist() for name, found in correct.items()}, "correct with little attention")
assert correct["colour"][2, 0] < 0.9 < correct["colour"][2, -1]
