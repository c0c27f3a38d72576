"""The walk along a cliff: Q-learning learns the short way, SARSA the safe one (Sutton and Barto 2018, example 6.6)."""

import numpy as np
from figures import arguments, draw

import cogir
from cogir import library
from cogir.library import Random, State, Static, Step, node_function

ROWS, COLUMNS = 4, 12
STEPS, EPISODES = 40_000, 500
MOVES = ("up", "right", "down", "left")


def place(row, column):
    """A vector with a 1 at a place of the grid."""
    return np.where(np.arange(ROWS * COLUMNS) == row * COLUMNS + column, 1.0, 0.0)


@node_function(outputs=("reward", "terminal"))
def walk(
    *,
    learner: Static = "sarsa",
    epsilon: library.Probability = 0.1,
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
    known = weights + np.zeros((ROWS * COLUMNS, len(MOVES)))
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


def build(learner: str) -> cogir.Model:
    """A model of one node that walks and learns: "sarsa" or "q_learning"."""
    model = cogir.Model("cliff")
    node = model.node("walk", walk, learner=learner, seed=1)
    model.output(node["reward"])
    model.output(node["terminal"])
    return model


def learned(learner: str) -> tuple[np.ndarray, np.ndarray]:
    """The sum of rewards in each of the first episodes, and the weights after all steps."""
    compiled = build(learner).compile()
    result = compiled.run({}, num_trials=STEPS)
    rewards, terminals = np.array(result.results, dtype=float).T
    ends = np.flatnonzero(terminals)
    totals = np.add.reduceat(rewards, [0, *(ends[: EPISODES - 1] + 1)])
    totals[-1] = rewards[ends[EPISODES - 2] + 1 : ends[EPISODES - 1] + 1].sum()
    return totals, np.asarray(compiled.state["walk/weights"])


def greedy_path(weights: np.ndarray) -> list[tuple[int, int]]:
    """The places that the greedy policy visits from the start, until it ends or repeats itself."""
    row, column = ROWS - 1, 0
    path = [(row, column)]
    while len(path) < ROWS * COLUMNS and path[-1] != (ROWS - 1, COLUMNS - 1):
        move = int(weights[row * COLUMNS + column].argmax())
        row = min(max(row + (0, 0, 1, 0)[move] - (move == 0), 0), ROWS - 1)
        column = min(max(column + (move == 1) - (move == 3), 0), COLUMNS - 1)
        path.append((row, column))
    return path


if __name__ == "__main__":
    file = arguments(__doc__).figure
    found = {learner: learned(learner) for learner in ("sarsa", "q_learning")}
    paths = {learner: greedy_path(weights) for learner, (_, weights) in found.items()}
    for learner, (totals, _) in found.items():
        steps = len(paths[learner]) - 1
        print(f"{learner:10s} rewards per episode, episodes 101 to {EPISODES}: {totals[100:].mean():7.2f}; greedy path: {steps} steps")

    def paint(left, right):
        for learner, (totals, _) in found.items():
            left.plot(np.convolve(totals, np.full(20, 0.05), "valid"), label=learner)
            rows, columns = np.transpose(paths[learner])
            right.plot(columns, rows, marker="o", label=learner)
        left.set(xlabel="episode", ylabel="rewards, mean of 20 episodes", ylim=(-120, 0))
        right.fill_between([0.5, COLUMNS - 1.5], ROWS - 1.4, ROWS - 0.6, color="0.6")
        right.text(COLUMNS / 2 - 1, ROWS - 0.9, "cliff")
        right.set(xlim=(-0.5, COLUMNS - 0.5), ylim=(ROWS - 0.5, -0.5), xlabel="column", ylabel="row", title="greedy paths")
        left.legend()
        right.legend()

    draw(file, 2, paint)
