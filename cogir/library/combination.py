# NumPy types a few reductions only in part.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false
"""
Combination and transform functions: many numbers into fewer.

Sums and products run from left to right. NumPy sums pairwise from eight elements on; the last bits can differ from it.
"""

import numpy as np

from cogir.library.signature import Static, Value, node_function


def linear_combination(
    variable: Value, *, weights: Value = 1.0, exponents: Value = 1.0, scale: Value = 1.0, offset: Value = 0.0, operation: Static = "sum"
) -> Value:
    """
    `scale * op_i(weights_i * variable_i ** exponents_i) + offset` over the rows of a two-dimensional array (PsyNeuLink
    `LinearCombination`).

    `variable`: (n, m), one row per item; result: (m,). `weights`, `exponents`: numbers or arrays that broadcast against it.
    `operation`: "sum" or "product".
    """
    terms = variable**exponents * weights
    if operation == "product":
        return np.prod(terms, axis=0) * scale + offset
    return np.sum(terms, axis=0) * scale + offset


def reduce(
    variable: Value, *, weights: Value = 1.0, exponents: Value = 1.0, scale: Value = 1.0, offset: Value = 0.0, operation: Static = "sum"
) -> Value:
    """
    `scale * op_j(weights_j * variable_j ** exponents_j) + offset` over the last axis of a two-dimensional array (PsyNeuLink `Reduce`).

    `variable`: (n, m); result: (n,). `operation`: "sum" or "product".
    """
    terms = variable**exponents * weights
    if operation == "product":
        return np.prod(terms, axis=1) * scale + offset
    return np.sum(terms, axis=1) * scale + offset


def combine_means(
    variable: Value, *, weights: Value = 1.0, exponents: Value = 1.0, scale: Value = 1.0, offset: Value = 0.0, operation: Static = "sum"
) -> Value:
    """
    `scale * op_i(weights_i * mean(variable_i) ** exponents_i) + offset` over the rows (PsyNeuLink `CombineMeans`).

    `variable`: (n, m); result: a number.
    """
    terms = np.mean(variable, axis=1) ** exponents * weights
    if operation == "product":
        return np.prod(terms) * scale + offset
    return np.sum(terms) * scale + offset


def concatenate(first: Value, second: Value, *, scale: Value = 1.0, offset: Value = 0.0) -> Value:
    """`first` and `second` end to end, times `scale`, plus `offset` (PsyNeuLink `Concatenate`); (n,), (m,) -> (n + m,)."""
    return np.concatenate((first, second)) * scale + offset


def matrix_transform(variable: Value, *, matrix: Value) -> Value:
    """`variable @ matrix` (PsyNeuLink `MatrixTransform`); (m,), (m, n) -> (n,)."""
    return variable @ matrix


@node_function(outputs=("outcome",))
def comparator(sample: Value, target: Value, *, scale: Value = 1.0, offset: Value = 0.0) -> Value:
    """`scale * (target - sample) + offset` (PsyNeuLink `ComparatorMechanism`)."""
    return scale * (target - sample) + offset


def prediction_error_delta(sample: Value, reward: Value, *, gamma: Value = 1.0) -> Value:
    """
    `delta_t = reward_t + gamma * sample_t - sample_{t-1}`, `delta_0 = 0` (PsyNeuLink `PredictionErrorDeltaFunction`); (n,), (n,) -> (n,).
    """
    delta = np.zeros(sample.shape)
    for t in range(1, sample.size):
        delta[t] = reward[t] + gamma * sample[t] - sample[t - 1]
    return delta
