# NumPy types a few functions only in part.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false
"""
Losses of a trial: how far a sample, what a network gives, is from a target. Both are of one shape; the loss is one number.

`cogir.Model.learning` takes them, and functions of a user's own in their place.
"""

import numpy as np

from cogir.library.signature import Value


def mean_squared_error(sample: Value, target: Value) -> Value:
    """`mean((s - t)**2)` (PyTorch `MSELoss`)."""
    difference = sample - target
    return np.mean(difference * difference)


def sum_squared_error(sample: Value, target: Value) -> Value:
    """`sum((s - t)**2)` (PyTorch `MSELoss(reduction="sum")`)."""
    difference = sample - target
    return np.sum(difference * difference)


def sum_absolute_error(sample: Value, target: Value) -> Value:
    """`sum(abs(s - t))` (PyTorch `L1Loss(reduction="sum")`)."""
    return np.sum(np.abs(sample - target))


def cross_entropy(sample: Value, target: Value) -> Value:
    """`-sum(t * log(softmax(s)))` for probabilities `t` of classes and any numbers `s` (PyTorch `CrossEntropyLoss`)."""
    shifted = sample - np.max(sample)
    return np.sum(target * (np.log(np.sum(np.exp(shifted))) - shifted))


def poisson_loss(sample: Value, target: Value) -> Value:
    """`sum(exp(s) - t * s)` for counts `t` and logarithms of their means `s` (PyTorch `PoissonNLLLoss(reduction="sum")`)."""
    return np.sum(np.exp(sample) - target * sample)


def binary_cross_entropy(sample: Value, target: Value) -> Value:
    """`-mean(t * log(s) + (1 - t) * log(1 - s))` for probabilities `t` and `s`, `0 < s < 1` (PyTorch `BCELoss`)."""
    return -np.mean(target * np.log(sample) + (1.0 - target) * np.log(1.0 - sample))


def relative_entropy(sample: Value, target: Value) -> Value:
    """`sum(t * (log(t) - s))` for probabilities `t` and logarithms of probabilities `s` (PyTorch `KLDivLoss(reduction="sum")`)."""
    return np.sum(np.where(target == 0.0, 0.0, target * np.log(target)) - target * sample)
