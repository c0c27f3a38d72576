"""
Finding structure in time: a recurrent network predicts the next bit where it can be predicted, every third one (Elman 1990).

    python examples/studies/elman.py [--trials N] [--figure FILE]

Of three bits the third is the exclusive or of the two before it; the others are random.
"""

import sys
import warnings
from pathlib import Path

import numpy as np

import cogir
from cogir import library
from cogir.library import State, Step, Value

sys.path.append(str(Path(__file__).parents[1] / "models"))

from figures import arguments, draw

LENGTH, UNITS = 6, 5


# recurrent.md: "`reader` gives the element `sequence[t]` in the pass `t`, and its state `t` counts the passes of the trial."
def read(sequence: Value, *, t: State = 0.0) -> Step:
    """The bit whose turn it is."""
    return Step(outputs=(sequence[int(t)],), states=(t + 1.0,))


def collect(value: Value, *, seen: State = np.zeros((LENGTH, 1)), t: State = 0.0) -> Step:
    """All predictions of the trial, one in each row."""
    rows = seen.copy()
    rows[int(t)] = value
    return Step(outputs=(rows,), states=(rows, t + 1.0))


def build(rng: np.random.Generator) -> cogir.Model:
    """The network; a trial is a sequence, and a pass of it one bit."""
    model = cogir.Model("elman")
    reader = model.node("reader", read, input=(LENGTH, 1), reset_each_trial=True)
    hidden = model.node("hidden", library.tanh, input=UNITS, reset_each_trial=True)
    bias = model.node("bias", library.linear, input=1, intercept=1.0)
    output = model.node("output", library.logistic, input=1)
    answers = model.node("answers", collect, input=1, reset_each_trial=True)
    target = model.node("target", input=(LENGTH, 1))
    # recurrent.md: "`hidden` has a projection to itself with `recurrent=True`: in each pass it gets what it computed in the pass before."
    learned = [
        model.project(reader, hidden, matrix=rng.normal(0.0, 1.0, (1, UNITS))),
        model.project(hidden, hidden, matrix=rng.normal(0.0, 0.5, (UNITS, UNITS)), recurrent=True),
        model.project(hidden, output, matrix=rng.normal(0.0, 0.5, (UNITS, 1))),
        model.project(bias, hidden, matrix=np.zeros((1, UNITS))),
        model.project(bias, output, matrix=np.zeros((1, 1))),
    ]
    model.project(output, answers)
    model.input(reader, target)
    model.output(answers)
    # recurrent.md: "`trial_ends(AfterNPasses(LENGTH))` makes a trial of as many passes as a sequence has elements."
    model.schedule.trial_ends(cogir.AfterNPasses(LENGTH))
    model.learning([(answers, target)], library.adam, rate=0.02, weights=learned)
    return model


def sequences(rng: np.random.Generator, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Sequences, and for each bit the next one: (count, LENGTH, 1)."""
    triples = rng.integers(0, 2, (count, LENGTH // 3 + 1, 3))
    triples[:, :, 2] = triples[:, :, 0] ^ triples[:, :, 1]
    bits = triples.reshape(count, -1, 1).astype(float)
    return bits[:, :LENGTH], bits[:, 1 : LENGTH + 1]


def study(epochs: int = 150) -> np.ndarray:
    """The root of the mean squared error of predictions of new sequences, by the place of the bit that is predicted."""
    rng = np.random.default_rng(4)
    compiled = build(rng).compile()
    bits, following = sequences(rng, 200)
    compiled.learn({"reader": bits, "target": following}, epochs=epochs, batch=10)
    bits, following = sequences(rng, 500)
    predicted = compiled.run({"reader": bits, "target": following})["answers"]
    return np.sqrt(np.mean((predicted - following) ** 2, axis=(0, 2)))


def unlearned() -> str:
    """What is said if the recurrent matrix is to be learned in trials of one pass, in which its gradient is 0."""
    model = cogir.Model("single")
    stimulus, units = model.node("stimulus", input=2), model.node("units", library.tanh, input=3)
    answer, right = model.node("answer", library.logistic, input=1), model.node("right", input=1)
    model.project(stimulus, units, matrix=np.ones((2, 3)))
    own = model.project(units, units, matrix=np.eye(3), recurrent=True)
    model.project(units, answer, matrix=np.ones((3, 1)))
    model.learning([(answer, right)], weights=[own])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cogir.LearningWarning)
        try:
            model.compile().learn({"stimulus": [[1.0, 0.0]], "right": [[1.0]]})
        except cogir.CogirError as error:
            return str(error)
    raise AssertionError("a matrix that cannot be learned was accepted")


if __name__ == "__main__":
    given = arguments(__doc__, 150)
    error = study(given.trials)
    for place, one in enumerate(error):
        print(f"bit {place + 2}: error {one:.2f}{', which can be predicted' if place % 3 == 1 else ''}")
    print("in trials of one pass:", unlearned())

    def paint(axes):
        axes.plot(np.arange(2, LENGTH + 2), error, "o-")
        axes.set(xlabel="bit that is predicted", ylabel="error", ylim=(0.0, 0.7), title="every third bit follows from the two before it")

    draw(given.figure, 1, paint)
