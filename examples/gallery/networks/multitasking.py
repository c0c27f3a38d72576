"""
One task at a time
==================

A network that has learned two tasks with shared hidden units does either of them well; when both are asked for at once, they interfere
(Musslick et al. 2016). The network is trained here, and then run with one task, and with both.
"""

import matplotlib.pyplot as plt
import numpy as np

import cogir
from cogir import library

rng = np.random.default_rng(1)
FEATURES = 3

# %%
# Two stimulus dimensions of three features each, two tasks, and two responses. Task A maps the first dimension to the first response, task
# B the second dimension to the second one; an idle response is zero.

stimuli = [(a, b) for a in range(FEATURES) for b in range(FEATURES)]
hot = np.eye(FEATURES)


def trial(a, b, first, second):
    """Stimulus, task and target of one trial."""
    target = np.concatenate([first * hot[a], second * hot[b]])
    return np.concatenate([hot[a], hot[b]]), np.array([first, second]), target


single = [trial(a, b, *tasks) for a, b in stimuli for tasks in ((1.0, 0.0), (0.0, 1.0))]
both = [trial(a, b, 1.0, 1.0) for a, b in stimuli]


def inputs_of(trials):
    return {name: np.array(column) for name, column in zip(("stimulus", "task", "target"), zip(*trials, strict=True), strict=True)}


model = cogir.Model("multitasking")
stimulus, task = model.node("stimulus", input=2 * FEATURES), model.node("task", input=2)
hidden = model.node("hidden", library.logistic, input=12, bias=-2.0)
response = model.node("response", library.logistic, input=2 * FEATURES, bias=-2.0)
target = model.node("target", input=2 * FEATURES)
for source, receiver in ((stimulus, hidden), (task, hidden), (hidden, response), (task, response)):
    shape = {"stimulus": 2 * FEATURES, "task": 2, "hidden": 12}[source.name], {"hidden": 12, "response": 2 * FEATURES}[receiver.name]
    model.project(source, receiver, matrix=0.5 * rng.normal(size=shape))
model.output(response)
model.learning([(response, target)], library.adam, rate=0.02)

# %%
# It learns single tasks only.

compiled = model.compile()
learned = compiled.learn(inputs_of(single), epochs=800, batch=18)

errors = {}
for name, trials in (("one task", single), ("both tasks", both)):
    given = inputs_of(trials)
    errors[name] = ((compiled.run(given)["response"] - given["target"]) ** 2).mean()

figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.5), layout="constrained")
left.semilogy(learned.losses.mean(axis=1))
left.set(xlabel="epoch", ylabel="loss on single tasks")
right.bar(list(errors), list(errors.values()))
right.set_ylabel("mean squared error")

print({name: round(float(value), 4) for name, value in errors.items()})
assert errors["both tasks"] > 3.0 * errors["one task"]
