"""
A recurrent network remembers two letters
=========================================

An Elman network reads a sequence of bits, one in each pass of a trial, and learns to repeat the bit before the last.
"""

import matplotlib.pyplot as plt
import numpy as np

import cogir
from cogir import library
from cogir.library import State, Step, Value

LENGTH, UNITS = 8, 6


def read(sequence: Value, *, t: State = 0.0) -> Step:
    """The element of the sequence whose turn it is."""
    return Step(outputs=(sequence[int(t)],), states=(t + 1.0,))


def collect(value: Value, *, seen: State = np.zeros((LENGTH, 1)), t: State = 0.0) -> Step:
    """All outputs of the trial, one in each row."""
    rows = seen.copy()
    rows[int(t)] = value
    return Step(outputs=(rows,), states=(rows, t + 1.0))


def elman(rng: np.random.Generator) -> cogir.Model:
    model = cogir.Model("elman")
    reader = model.node("reader", read, input=(LENGTH, 1), reset_each_trial=True)
    hidden = model.node("hidden", library.tanh, input=UNITS, reset_each_trial=True)
    output = model.node("output", library.logistic, input=1)
    answers = model.node("answers", collect, input=1, reset_each_trial=True)
    target = model.node("target", input=(LENGTH, 1))
    inward = model.project(reader, hidden, matrix=rng.normal(0.0, 0.5, (1, UNITS)))
    around = model.project(hidden, hidden, matrix=rng.normal(0.0, 0.5, (UNITS, UNITS)), recurrent=True)
    outward = model.project(hidden, output, matrix=rng.normal(0.0, 0.5, (UNITS, 1)))
    model.project(output, answers)
    model.output(answers)
    model.schedule.trial_ends(cogir.AfterNPasses(LENGTH))
    model.learning([(answers, target)], library.adam, rate=0.02, weights=[inward, around, outward])
    return model


rng = np.random.default_rng(2)
model = elman(rng)
model.show()

# %%
# A trial is a sequence of bits: 64 sequences to learn from, and others to try what was learned. The first two answers ask for bits that
# there were not; they are 0.

bits = rng.integers(0, 2, (96, LENGTH, 1)).astype(float)
wanted = np.concatenate([np.zeros((96, 2, 1)), bits[:, :-2]], axis=1)
compiled = model.compile()
learned = compiled.learn({"reader": bits[:64], "target": wanted[:64]}, epochs=600, batch=16)
answers = compiled.run({"reader": bits[64:], "target": wanted[64:]})["answers"]

# %%
# The learning curve, and the answers to the first of the new sequences.

figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.4), layout="constrained")
left.semilogy(learned.losses.mean(axis=1))
left.set(xlabel="epoch", ylabel="mean squared error")
right.step(range(LENGTH), bits[64, :, 0], where="mid", color="0.7", label="input")
right.plot(wanted[64, :, 0], "ko", label="two steps before")
right.plot(answers[0, :, 0], "C0s", markerfacecolor="none", label="answer")
right.set(xlabel="pass", ylabel="bit", ylim=(-0.1, 1.4))
right.legend(loc="upper right", ncols=3, fontsize="small", frameon=False)

assert (answers.round() == wanted[64:]).mean() > 0.99
# Each trial of a run begins as those of learning do, so both have one loss.
again = compiled.run({"reader": bits[:64], "target": wanted[:64]})["answers"]
more = compiled.learn({"reader": bits[:64], "target": wanted[:64]}, batch=64)
np.testing.assert_allclose(more.losses[0, 0], np.mean((again - wanted[:64]) ** 2), rtol=1e-12)
