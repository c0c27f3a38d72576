# NumPy types a few reductions only in part.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false
"""
Combination and transform functions: many numbers into fewer.

Sums and products run from left to right. NumPy sums pairwise from eight elements on; the last bits can differ from it.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from cogir.library.signature import Static, Value, node_function


def _powers(variable: Value, exponents: Value) -> Value:
    """`variable ** exponents`, which is `variable` itself, to the bit, where all exponents are one, as they mostly are."""
    powers = variable * np.ones_like(exponents)
    if np.any(exponents != 1.0):
        powers = variable**exponents
    return powers


def linear_combination(
    variable: Value, *, weights: Value = 1.0, exponents: Value = 1.0, scale: Value = 1.0, offset: Value = 0.0, operation: Static = "sum"
) -> Value:
    """
    `scale * op_i(weights_i * variable_i ** exponents_i) + offset` over the first axis (PsyNeuLink `LinearCombination`).

    `variable`: (n, m), one row per item; result: (m,). `weights`, `exponents`: numbers or arrays that broadcast against it.
    `operation`: "sum", "product", or "cross-entropy" of two rows: `v_0 * log(v_1)`, 0 where both are 0.
    """
    terms = _powers(variable, exponents) * weights
    if operation == "product":
        return np.prod(terms, axis=0) * scale + offset
    if operation == "cross-entropy":
        both_zero = (terms[0] == 0.0) & (terms[1] == 0.0)
        return terms[0] * np.where(both_zero, 0.0, np.log(np.where(both_zero, 1.0, terms[1]))) * scale + offset
    return np.sum(terms, axis=0) * scale + offset


def reduce(
    variable: Value, *, weights: Value = 1.0, exponents: Value = 1.0, scale: Value = 1.0, offset: Value = 0.0, operation: Static = "sum"
) -> Value:
    """
    `scale * op_j(weights_j * variable_j ** exponents_j) + offset` over the second axis (PsyNeuLink `Reduce`).

    `variable`: (n, m); result: (n,). `operation`: "sum" or "product".
    """
    terms = _powers(variable, exponents) * weights
    if operation == "product":
        return np.prod(terms, axis=1) * scale + offset
    return np.sum(terms, axis=1) * scale + offset


def combine_means(
    variable: Value, *, weights: Value = 1.0, exponents: Value = 1.0, scale: Value = 1.0, offset: Value = 0.0, operation: Static = "sum"
) -> Value:
    """
    `scale * op_i(weights_i * mean(variable_i) ** exponents_i) + offset` over the rows (PsyNeuLink `CombineMeans`).

    `variable`: (n, m); result: a number. `weights` or `exponents` that are columns (n, 1), as PsyNeuLink makes them of a list, meet every
    mean with every weight; the result then has n elements.
    """
    terms = _powers(np.mean(variable, axis=1), exponents) * weights
    if operation == "product":
        return np.prod(terms, axis=0) * scale + offset
    return np.sum(terms, axis=0) * scale + offset


def concatenate(first: Value, second: Value, *, scale: Value = 1.0, offset: Value = 0.0) -> Value:
    """`first` and `second` end to end, times `scale`, plus `offset` (PsyNeuLink `Concatenate`); (n,), (m,) -> (n + m,)."""
    return np.concatenate((first, second)) * scale + offset


def flatten(variable: Value, *, scale: Value = 1.0, offset: Value = 0.0) -> Value:
    """All elements in one vector, times `scale`, plus `offset` (PsyNeuLink `Concatenate`, the items end to end)."""
    return variable.reshape(-1) * scale + offset


@lru_cache(maxsize=256)
def rearrange(indices: tuple[int, ...]) -> Callable[..., Any]:
    """
    A function that picks elements: `variable[indices] * scale + offset` (PsyNeuLink `Rearrange`).

    `variable`: all items end to end; `indices`: where each element of the result stands in it. The same indices give the same function.
    """
    places = np.array(indices)

    def rearranged(variable: Value, *, scale: Value = 1.0, offset: Value = 0.0) -> Value:
        """`variable[places] * scale + offset`."""
        return variable[places] * scale + offset

    return rearranged


def matrix_transform(variable: Value, *, matrix: Value) -> Value:
    """`variable @ matrix` (PsyNeuLink `MatrixTransform`); (m,), (m, n) -> (n,)."""
    return variable @ matrix


def matrix_transform_normalized(variable: Value, *, matrix: Value) -> Value:
    """
    The cosines of `variable` with the columns of `matrix` (PsyNeuLink `MatrixTransform`, `normalize`); (m,), (m, n) -> (n,).

    All zeros stay zeros; a column of zeros among others gives NaN, as in PsyNeuLink.
    """
    length = np.sqrt(np.sum(variable * variable))
    direction = variable / length if length != 0.0 else variable
    lengths = np.sqrt(np.sum(matrix * matrix, axis=0))
    columns = matrix / lengths if np.any(matrix != 0.0) else matrix
    return direction @ columns


def matrix_distance(variable: Value, *, matrix: Value, normalize: Static = False) -> Value:
    """
    `sum_i |variable - matrix_i|` over the rows, element by element (PsyNeuLink `MatrixTransform`, operation L0); (n,), (m, n) -> (n,).

    With `normalize`, `sum_i (1 - |variable - matrix_i| / s)`, `s` the sum of all differences, or 1.
    """
    differences = np.abs(variable - matrix)
    if normalize:
        total = np.sum(differences)
        if total == 0.0:
            total = 1.0
        return np.sum(1.0 - differences / total, axis=0)
    return np.sum(differences, axis=0)


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
