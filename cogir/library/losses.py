# NumPy types a few functions only in part.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false
"""
Losses of a trial: how far a sample, what a network gives, is from a target. Both are of one shape; the loss is one number.

`cogir.Model.learning` takes them, and functions of a user's own in their place.
"""

import numpy as np

from cogir.library.signature import Value


def mean_squared_error(sample: Value, target: Value) -> Value:
    """
    `mean((sample - target)**2)`

    Inputs: `sample` and `target`, of one shape. Output: a number.

    Source: PyTorch `MSELoss`.

        library.mean_squared_error(np.array([1.0, 2.0]), np.array([1.0, 4.0]))  # 2.0
    """
    difference = sample - target
    return np.mean(difference * difference)


def sum_squared_error(sample: Value, target: Value) -> Value:
    """
    `sum((sample - target)**2)`

    Inputs: `sample` and `target`, of one shape. Output: a number.

    Source: PyTorch `MSELoss(reduction="sum")`.

        library.sum_squared_error(np.array([1.0, 2.0]), np.array([1.0, 4.0]))  # 4.0
    """
    difference = sample - target
    return np.sum(difference * difference)


def sum_absolute_error(sample: Value, target: Value) -> Value:
    """
    `sum(abs(sample - target))`

    Inputs: `sample` and `target`, of one shape. Output: a number.

    Source: PyTorch `L1Loss(reduction="sum")`.

        library.sum_absolute_error(np.array([1.0, 2.0]), np.array([1.0, 4.0]))  # 2.0
    """
    return np.sum(np.abs(sample - target))


def cross_entropy(sample: Value, target: Value) -> Value:
    """
    `-sum(target * log(softmax(sample)))`

    Inputs: `sample` (n,), any numbers (logits); `target` (n,), probabilities of the classes. Output: a number.

    Source: PyTorch `CrossEntropyLoss`.

        library.cross_entropy(np.array([1.0, 2.0]), np.array([0.0, 1.0]))  # 0.313
    """
    shifted = sample - np.max(sample)
    return np.sum(target * (np.log(np.sum(np.exp(shifted))) - shifted))


def poisson_loss(sample: Value, target: Value) -> Value:
    """
    `sum(exp(sample) - target * sample)`

    Inputs: `sample`, logarithms of means; `target`, counts, of the same shape. Output: a number.

    Source: PyTorch `PoissonNLLLoss(reduction="sum")`.

        library.poisson_loss(np.array([0.0, 1.0]), np.array([1.0, 3.0]))  # 0.718
    """
    return np.sum(np.exp(sample) - target * sample)


def binary_cross_entropy(sample: Value, target: Value) -> Value:
    """
    `-mean(target * log(sample) + (1 - target) * log(1 - sample))`, with logarithms of at least -100

    Inputs: `sample`, probabilities from 0 to 1; `target`, probabilities, of the same shape. Output: a number. The derivative by a sample of
    exactly 0 or 1 is the one-sided one of the logarithm that is finite; PyTorch divides by at least 1e-12 there. Through a logistic
    function, both are 0.

    Source: PyTorch `BCELoss`.

        library.binary_cross_entropy(np.array([0.5, 0.75]), np.array([0.0, 1.0]))  # 0.49
    """
    return -np.mean(target * _bounded_logarithm(sample) + (1.0 - target) * _bounded_logarithm(1.0 - sample))


def _bounded_logarithm(p: Value) -> Value:
    """The logarithm, and -100 where it is below; also of 0, whose derivative is then 0."""
    return np.where(p == 0.0, -100.0, np.maximum(np.log(np.where(p == 0.0, 1.0, p)), -100.0))


def relative_entropy(sample: Value, target: Value) -> Value:
    """
    `sum(target * (log(target) - sample))`

    Inputs: `sample`, logarithms of probabilities; `target`, probabilities, of the same shape. Output: a number. A target of 0 adds 0.

    Source: Kullback and Leibler (1951); PyTorch `KLDivLoss(reduction="sum")`.

        library.relative_entropy(np.log(np.array([0.5, 0.5])), np.array([0.25, 0.75]))  # 0.131
    """
    return np.sum(np.where(target == 0.0, 0.0, target * np.log(target)) - target * sample)
