# NumPy types a few functions only in part.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false
"""Hebb's rule. PsyNeuLink's other learning functions are in `cogir.library.psyneulink`; `cogir.Model.learning` learns by derivatives."""

import numpy as np

from cogir.library.signature import Value


def hebbian(variable: Value, *, learning_rate: Value = 0.05) -> Value:
    """
    `change_ij = learning_rate * variable_i * variable_j`, 0 on the diagonal

    Parameter: `learning_rate`, a number; a vector (n,), one rate for each column; or a matrix (n, n).

    Input: `variable` (n,), activities. Output: `value` (n, n), a change of weights: nothing is learned before it is added to them.

    Source: Hebb (1949); PsyNeuLink `Hebbian`.

        library.hebbian(np.array([1.0, -2.0]), learning_rate=0.1)  # [[0.0, -0.2], [-0.2, 0.0]]
    """
    products = variable[:, None] * variable
    return products * (1.0 - np.eye(variable.size)) * learning_rate
