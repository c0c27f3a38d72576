"""
Optimizers: what becomes of weights from the derivatives of a loss by them. All are vectors, parameters may be vectors or numbers.

`cogir.Model.learning` takes them, and functions of a user's own in their place.
"""

import numpy as np

from cogir.library.signature import State, Step, Value


def gradient_descent(weights: Value, gradient: Value, *, rate: Value = 0.001, decay: Value = 0.0) -> Value:
    """
    `weights - rate * (gradient + decay * weights)`

    Parameters (numbers, or one for each weight): `rate`, the learning rate; `decay`, the weight decay.

    Inputs: `weights` (n,); `gradient` (n,), the derivatives of the loss by them. Output: the new weights (n,).

    Source: PyTorch `SGD`.

        library.gradient_descent(np.array([1.0, 2.0]), np.array([0.5, -0.5]), rate=0.1)  # [0.95, 2.05]
    """
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
    Steps scaled by running means of the derivatives and of their squares, corrected for their start at zero:

        g = gradient + decay * weights
        m' = beta1 * m + (1 - beta1) * g
        s' = beta2 * s + (1 - beta2) * g**2
        weights' = weights - rate * (m' / (1 - beta1**k)) / (sqrt(s' / (1 - beta2**k)) + epsilon)

    Parameters (numbers, or one for each weight): `rate`, the learning rate; `decay`, the weight decay; `beta1` and `beta2` (0 to 1), the
    shares of the means that stay; `epsilon`, which keeps the step finite.

    Inputs: `weights` (n,); `gradient` (n,), the derivatives of the loss by them. Output: the new weights (n,). States: `first` (m),
    `second` (s) and `steps` (k - 1), which start at 0 and are kept from batch to batch; no reset of a node touches them.

    Source: Kingma and Ba (2015); PyTorch `Adam`.

        library.adam(np.array([1.0, 2.0]), np.array([0.5, -0.5]), rate=0.1).outputs[0]  # [0.9, 2.1]
    """
    count = steps + 1.0
    slope = gradient + decay * weights
    mean = first + (1.0 - beta1) * (slope - first)
    square = beta2 * second + (1.0 - beta2) * (slope * slope)
    size = rate / (1.0 - beta1**count)
    spread = np.sqrt(square) / np.sqrt(1.0 - beta2**count) + epsilon
    return Step(outputs=(weights - size * (mean / spread),), states=(mean, square, count))
