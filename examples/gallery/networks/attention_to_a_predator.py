"""
A controller whose choice changes with the situation
====================================================

An agent sees a prey and a predator through noise. Attention makes an observation sharper and has a price. After each trial a controller
simulates all combinations of attention, and takes the best for the situation as it is.
"""

import matplotlib.pyplot as plt
import numpy as np

import cogir
from cogir.library import Random, Value, node_function

LEVELS = np.linspace(0.0, 10.0, 21)

# %%
# Functions of our own: what is seen, how the agent moves, and how far that is from the move that it would make without noise.


def look(position: Value, *, attention: Value = 1.0, random: Random) -> Value:
    """A position with noise, whose standard deviation falls with attention."""
    return position + random.normal(position.shape) / (0.5 + attention)


def move(prey: Value, predator: Value) -> Value:
    """Towards the prey, and away from the predator the more the nearer it is."""
    away = 1.0 / (0.3 + predator @ predator)
    return prey / np.sqrt(0.1 + prey @ prey) - away * predator


@node_function(outputs=("likeness",))
def likeness(chosen: Value, ideal: Value) -> Value:
    difference = chosen - ideal
    return -(difference @ difference)


model = cogir.Model("hunt", seed=3)
prey, predator = model.node("prey", input=2), model.node("predator", input=2)
seen_prey, seen_predator = model.node("see prey", look, input=2), model.node("see predator", look, input=2)
chosen = model.node("move", move, input={"prey": 2, "predator": 2})
ideal = model.node("ideal move", move, input={"prey": 2, "predator": 2})
objective = model.node("likeness", likeness, input={"chosen": 2, "ideal": 2})
for source, target in (
    (prey, seen_prey),
    (predator, seen_predator),
    (seen_prey, chosen["prey"]),
    (seen_predator, chosen["predator"]),
    (prey, ideal["prey"]),
    (predator, ideal["predator"]),
    (chosen, objective["chosen"]),
    (ideal, objective["ideal"]),
):
    model.project(source, target)
model.output(chosen)
model.control(
    "attention",
    objective=objective,
    direction="maximize",
    when="before",
    estimates=30,
    signals=[cogir.Signal(node.param("attention"), levels=LEVELS, cost=lambda level: 0.01 * level) for node in (seen_prey, seen_predator)],
)
model.show()

# %%
# The predator comes nearer from trial to trial, while the prey stays where it is.

distances = np.linspace(4.0, 0.4, 37)
inputs = {"prey": np.tile([1.5, 1.0], (len(distances), 1)), "predator": np.column_stack([distances, np.zeros(len(distances))])}
allocations = model.compile().run(inputs).allocations["attention"]

figure, axes = plt.subplots()
axes.plot(distances, allocations[:, 0], "o-", label="attention to the prey")
axes.plot(distances, allocations[:, 1], "o-", label="attention to the predator")
axes.set(xlabel="distance of the predator", ylabel="attention that the controller chose")
axes.invert_xaxis()
axes.legend()

far, near = allocations[:10, 1].mean(), allocations[-10:, 1].mean()
print(f"attention to the predator: {far:.2f} while it is far, {near:.2f} when it is near")
assert len(np.unique(allocations[:, 1])) > 3
assert near > 2.0 * far
