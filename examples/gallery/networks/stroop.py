"""
The Stroop task
===============

Naming the colour of a word takes longer when the word names another colour. Two pathways compete, the one for words is stronger, and a task
unit supports the one for colours. Drift diffusion turns the difference of the two responses into choices and times.

This is a simplified version of the model of Cohen, Dunbar and McClelland (1990): it has weights of its own, its units reach their values at
once, and it names colours only. :ref:`Another example <sphx_glr_gallery_networks_stroop_settling.py>` has units that settle over time, and
both tasks.
"""

import matplotlib.pyplot as plt
import numpy as np

import cogir
from cogir import library

STIMULI = {"congruent": [1.0, 0.0], "neutral": [0.0, 0.0], "incongruent": [0.0, 1.0]}

model = cogir.Model("stroop", seed=1)
colour = model.node("colour", input=2, labels=["red", "green"])
word = model.node("word", input=2, labels=["red", "green"])
task = model.node("task", input=2, labels=["name colour", "read word"])
colour_path = model.node("colour path", library.logistic, input=2, bias=-4.0)
word_path = model.node("word path", library.logistic, input=2, bias=-4.0)
response = model.node("response", library.linear, input=2)
decision = model.node(
    "decision",
    library.drift_diffusion_decision,
    drift=3.0,
    threshold=0.6,
    non_decision_time=0.25,
    time_step_size=0.005,
    execute_until_finished=True,
    max_executions_before_finished=100_000,
    reset_each_trial=True,
    units={"response_time": "s"},
)
model.project(colour, colour_path, matrix=2.2 * np.eye(2))
model.project(word, word_path, matrix=2.6 * np.eye(2))
model.project(task, colour_path, matrix=[[4.0, 4.0], [0.0, 0.0]])
model.project(task, word_path, matrix=[[0.0, 0.0], [4.0, 4.0]])
model.project(colour_path, response, matrix=1.3 * np.eye(2))
model.project(word_path, response, matrix=2.5 * np.eye(2))
model.project(response, decision, matrix=[[1.0], [-1.0]])
model.output(decision)

# %%
# The picture of the model.

model.show()

# %%
# Ten thousand trials of each kind: the ink is red, the task is to name the colour.

compiled = model.compile()
times, correct = {}, {}
for name, written in STIMULI.items():
    inputs = {"colour": [[1.0, 0.0]], "word": [written], "task": [[1.0, 0.0]]}
    found = compiled.replicates(inputs, count=10_000, seed=1)
    times[name] = found["decision", "response_time"][:, 0]
    correct[name] = (found["decision", "choice"][:, 0] > 0.0).mean()

figure, axes = plt.subplots()
for name, values in times.items():
    axes.hist(values, bins=np.linspace(0.2, 1.2, 80), histtype="step", density=True, label=f"{name}: {correct[name]:.0%} correct")
axes.set(xlabel="response time (s)", ylabel="density")
axes.legend()

means = [times[name].mean() for name in STIMULI]
print({name: round(float(mean), 3) for name, mean in zip(STIMULI, means, strict=True)})
assert means == sorted(means)
assert correct["congruent"] > correct["neutral"] > correct["incongruent"]
