# NumPy types a few functions only in part.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false
"""PsyNeuLink's combinations with formulas of their own. The others are in `cogir.library`."""

import numpy as np

from cogir.library.signature import Static, Value


def matrix_distance(variable: Value, *, matrix: Value, normalize: Static = False) -> Value:
    """
    `sum_i(abs(variable - matrix_i))` over the rows of the matrix, element by element

    Differs: only PsyNeuLink defines it: it has one result for each column, and is no distance from a row.

    Parameters: `matrix` (m, n); `normalize` (False or True): `sum_i(1 - abs(variable - matrix_i) / s)` with s the sum of all differences,
    or 1.

    Input: `variable` (n,). Output: `value` (n,).

    Source: PsyNeuLink `MatrixTransform`, operation L0.

        library.psyneulink.matrix_distance(np.array([1.0, 2.0]), matrix=np.array([[0.0, 2.0], [3.0, 3.0]]))  # [3.0, 1.0]
    """
    differences = np.abs(variable - matrix)
    if normalize:
        total = np.sum(differences)
        if total == 0.0:
            total = 1.0
        return np.sum(1.0 - differences / total, axis=0)
    return np.sum(differences, axis=0)


def prediction_error_delta(sample: Value, reward: Value, *, gamma: Value = 1.0) -> Value:
    """
    `delta_t = reward_t + gamma * sample_t - sample_{t-1}`, `delta_0 = 0`, over the elements of vectors

    Differs: only PsyNeuLink has it over the elements of one vector; nothing is learned. `td_lambda` learns from this error, one transition
    per execution.

    Parameter: `gamma` (0 to 1), the discount.

    Inputs: `sample` (n,), the values at n points in time; `reward` (n,). Output: `value` (n,).

    Source: Montague, Dayan and Sejnowski (1996); PsyNeuLink `PredictionErrorDeltaFunction`.

        library.psyneulink.prediction_error_delta(np.array([0.0, 1.0]), np.array([0.0, 0.5]))  # [0.0, 1.5]
    """
    delta = np.zeros(sample.shape)
    for t in range(1, sample.size):
        delta[t] = reward[t] + gamma * sample[t] - sample[t - 1]
    return delta
