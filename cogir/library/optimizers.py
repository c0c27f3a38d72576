"""
Optimizers: what becomes of weights from the derivatives of a loss by them. All are vectors, parameters may be vectors or numbers.

`cogir.Model.learning` takes them, and functions of a user's own in their place.
"""

import numpy as np

from cogir.library.signature import State, Step, Value


def gradient_descent(weights: Value, gradient: Value, *, rate: Value = 0.001, decay: Value = 0.0) -> Value:
    """`w - rate * (g + decay * w)` (PyTorch `SGD`)."""
    return weights - rate * (gradient + decay * weights)


def adam(
    weights: Value,
    gradient: Value,
    *,
    rate: Value = 0.001,
    decay: Value = 0.0,
    beta1: Value = 0.9,
    beta2: Value = 0.999,
    epsilon: Value = 1e-8,
    first: State = 0.0,
    second: State = 0.0,
    steps: State = 0.0,
) -> Step:
    """
    Steps scaled by running means of the derivatives (`first`) and of their squares (`second`), corrected for their start at zero: Kingma
    and Ba, 2015 (PyTorch `Adam`).
    """
    count = steps + 1.0
    slope = gradient + decay * weights
    mean = first + (1.0 - beta1) * (slope - first)
    square = beta2 * second + (1.0 - beta2) * (slope * slope)
    size = rate / (1.0 - beta1**count)
    spread = np.sqrt(square) / np.sqrt(1.0 - beta2**count) + epsilon
    return Step(outputs=(weights - size * (mean / spread),), states=(mean, square, count))
