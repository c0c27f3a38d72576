"""
The walk along a cliff
======================

Q-learning learns the short way along the edge, SARSA the safe one (Sutton and Barto 2018, example 6.6). Forty thousand steps of walking and
learning are one run of a single node.
"""

import matplotlib.pyplot as plt
import numpy as np

import cogir
from cogir import library
from cogir.library import Probability, Random, State, Static, Step, node_function

ROWS, COLUMNS, STEPS = 4, 12, 40_000


def place(row, column):
    """A vector with a 1 at a place of the grid."""
    return np.where(np.arange(ROWS * COLUMNS) == row * COLUMNS + column, 1.0, 0.0)


@node_function(outputs=("reward", "terminal"))
def walk(
    *,
    learner: Static = "sarsa",
    epsilon: Probability = 0.1,
    row: State = ROWS - 1.0,
    column: State = 0.0,
    action: State = (1.0, 0.0, 0.0, 0.0),
    weights: State = 0.0,
    random: Random,
):
    """One step of the walk, and of learning; every step costs 1, and a fall from the cliff 100."""
    next_row = np.clip(row - action[0] + action[2], 0.0, ROWS - 1.0)
    next_column = np.clip(column + action[1] - action[3], 0.0, COLUMNS - 1.0)
    fallen = next_row == ROWS - 1.0 and 0.0 < next_column < COLUMNS - 1.0
    reward = -100.0 if fallen else -1.0
    terminal = 1.0 if next_row == ROWS - 1.0 and next_column == COLUMNS - 1.0 else 0.0
    if fallen:
        next_row, next_column = ROWS - 1.0, 0.0
    here, there = place(row, column), place(next_row, next_column)
    known = weights + np.zeros((ROWS * COLUMNS, 4))
    if learner == "sarsa":
        chosen = library.epsilon_greedy_choice(there @ known, epsilon=epsilon, random=random)[0]
        step = library.sarsa(here, action, reward, there, chosen, terminal, learning_rate=0.5, discount=1.0, weights=known)
    else:
        step = library.q_learning(here, action, reward, there, terminal, learning_rate=0.5, discount=1.0, weights=known)
        chosen = library.epsilon_greedy_choice(step.outputs[0], epsilon=epsilon, random=random)[0]
    learned = step.states[0]
    if terminal > 0.0:
        next_row, next_column = ROWS - 1.0, 0.0
        chosen = library.epsilon_greedy_choice(place(next_row, next_column) @ learned, epsilon=epsilon, random=random)[0]
    return Step(outputs=(reward, terminal), states=(next_row, next_column, chosen, learned))


def greedy_path(weights):
    """The places that the greedy policy visits from the start."""
    path = [(ROWS - 1, 0)]
    while len(path) < ROWS * COLUMNS and path[-1] != (ROWS - 1, COLUMNS - 1):
        row, column = path[-1]
        down, right = ((-1, 0), (0, 1), (1, 0), (0, -1))[int(weights[row * COLUMNS + column].argmax())]
        path.append((min(max(row + down, 0), ROWS - 1), min(max(column + right, 0), COLUMNS - 1)))
    return path


figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.5), layout="constrained")
means = {}
for learner in ("sarsa", "q_learning"):
    model = cogir.Model("cliff")
    node = model.node("walk", walk, learner=learner, seed=1)
    model.output(node["reward"])
    model.output(node["terminal"])
    compiled = model.compile()
    result = compiled.run({}, num_trials=STEPS)
    rewards, ends = np.ravel(result["walk", "reward"]), np.flatnonzero(np.ravel(result["walk", "terminal"]))
    totals = np.add.reduceat(rewards, [0, *(ends[:-1] + 1)])[:500]
    means[learner] = totals[100:].mean()
    left.plot(np.convolve(totals, np.full(20, 0.05), "valid"), label=learner)
    rows, columns = np.transpose(greedy_path(np.asarray(compiled.state["walk/weights"])))
    right.plot(columns, rows, "o-", label=learner)
left.set(xlabel="episode", ylabel="rewards, mean of 20 episodes", ylim=(-120, 0))
right.fill_between([0.5, COLUMNS - 1.5], ROWS - 1.4, ROWS - 0.6, color="0.6")
right.text(COLUMNS / 2 - 1, ROWS - 0.9, "cliff")
right.set(xlim=(-0.5, COLUMNS - 0.5), ylim=(ROWS - 0.5, -0.5), xlabel="column", ylabel="row", title="greedy paths")
left.legend()
right.legend()

print({learner: round(float(mean), 1) for learner, mean in means.items()})
assert means["sarsa"] > means["q_learning"]
