"""
From a picture to a response time
=================================

The multitasking model of the paper from end to end: a rendered stimulus, a network that has learned to name its colour or its shape, and a
leaky competing accumulator that takes the time to decide. Wrong answers are slower than right ones.
"""

import matplotlib.pyplot as plt
import numpy as np

import cogir
from cogir import library

rng = np.random.default_rng(2)
SIZE = 9
COLOURS = {"red": (1.0, 0.2, 0.2), "green": (0.2, 0.8, 0.2), "blue": (0.3, 0.3, 1.0)}
y, x = np.mgrid[-1 : 1 : SIZE * 1j, -1 : 1 : SIZE * 1j]
SHAPES = {"disc": x**2 + y**2 < 0.6, "bar": np.abs(y) < 0.3, "cross": np.minimum(np.abs(x), np.abs(y)) < 0.2}

# %%
# Stimuli are drawn: a shape in a colour, as 9 x 9 pixels of red, green and blue, with noise.


def picture(colour, shape, noise):
    """The pixels of a stimulus, (SIZE, SIZE, 3)."""
    pixels = SHAPES[shape][..., None] * np.array(COLOURS[colour])
    return np.clip(pixels + noise * rng.normal(size=pixels.shape), 0.0, 1.0)


kinds = [(colour, shape) for colour in COLOURS for shape in SHAPES]
figure, panels = plt.subplots(1, len(kinds), figsize=(10, 1.4), layout="constrained")
for axes, (colour, shape) in zip(panels, kinds, strict=True):
    axes.imshow(picture(colour, shape, 0.15))
    axes.set(xticks=[], yticks=[], title=f"{colour}\n{shape}")

# %%
# The network: pixels and task to a hidden layer, and that and the task to six answers, three colours and three shapes.

ANSWERS = [*COLOURS, *SHAPES]


def network(weights):
    """The network as a model; answers that the task does not ask for are suppressed by it."""
    model = cogir.Model("network")
    pixels, task = model.node("pixels", input=SIZE * SIZE * 3), model.node("task", input=2, labels=["colour", "shape"])
    hidden = model.node("hidden", library.logistic, input=16, bias=-1.0)
    answer = model.node("answer", library.logistic, input=6, bias=-2.0, labels=ANSWERS)
    ends = {"pixels": (pixels, hidden), "task hidden": (task, hidden), "task answer": (task, answer), "answer": (hidden, answer)}
    for name, (source, target) in ends.items():
        model.project(source, target, matrix=weights[name])
    model.output(answer)
    return model, answer


SHAPE_OF = {"pixels": (SIZE * SIZE * 3, 16), "task hidden": (2, 16), "task answer": (2, 6), "answer": (16, 6)}
start = {name: 0.3 * rng.normal(size=shape) for name, shape in SHAPE_OF.items()}
model, answer = network(start)
wanted = model.node("wanted", input=6)
model.learning([(answer, wanted)], library.adam, rate=0.01)

trials = [(colour, shape, task) for _ in range(10) for colour, shape in kinds for task in (0, 1)]
right = [ANSWERS.index((colour, shape)[task]) for colour, shape, task in trials]
inputs = {
    "pixels": np.array([picture(colour, shape, 0.15).ravel() for colour, shape, _ in trials]),
    "task": np.eye(2)[[task for _, _, task in trials]],
    "wanted": np.eye(6)[right],
}
compiled = model.compile()
learned = compiled.learn(inputs, epochs=60, batch=18)
found = compiled.run(inputs)["answer"].argmax(axis=1)
print(f"after learning, {np.mean(found == right):.0%} of the strongest answers are right")

# %%
# The learned network, and the accumulator behind it: six units that compete until one of them reaches the threshold.

paths = dict(zip(SHAPE_OF, (path for path in compiled.params if path.endswith("matrix")), strict=True))
whole, answer = network({name: np.reshape(compiled.params[path], SHAPE_OF[name]) for name, path in paths.items()})
decision = whole.node(
    "decision",
    library.leaky_competing_decision,
    input=6,
    leak=1.0,
    inhibition=1.0,
    noise=0.45,
    threshold=0.8,
    time_step_size=0.01,
    execute_until_finished=True,
    max_executions_before_finished=10_000,
    reset_each_trial=True,
    units={"response_time": "s"},
)
whole.project(answer, decision, matrix=1.6 * np.eye(6))
whole.output(decision)
whole.show()

# %%
# Noisier pictures, and 200 decisions about each of 18 of them.

shown = trials[:18]
pixels = np.array([picture(colour, shape, 0.3).ravel() for colour, shape, _ in shown])
tasks = np.eye(2)[[task for _, _, task in shown]]
decided = whole.compile().replicates({"pixels": pixels, "task": tasks}, count=200, seed=1)
choices, times = decided["decision", "choice"], decided["decision", "response_time"]
correct = choices == np.array(right[:18])

figure, axes = plt.subplots()
bins = np.linspace(0.0, np.quantile(times, 0.99), 60)
for name, chosen in (("right", correct), ("wrong", ~correct)):
    label = f"{name}: {chosen.mean():.0%}, mean {times[chosen].mean():.2f} s"
    axes.hist(times[chosen], bins=bins, density=True, histtype="step", label=label)
axes.set(xlabel="response time (s)", ylabel="density")
axes.legend()

assert np.mean(found == right) > 0.9
assert correct.mean() > 0.5
assert times[~correct].mean() > times[correct].mean()
