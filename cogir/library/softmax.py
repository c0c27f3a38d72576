# NumPy types a few reductions only in part.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false
"""Softmax: numbers as probabilities. PsyNeuLink's forms, which mask, adapt their gain or select, are in `cogir.library.psyneulink`."""

import numpy as np

from cogir.library.signature import Static, Value


def softmax(variable: Value, *, gain: Value = 1.0, per_item: Static = True) -> Value:
    """
    `exp(gain * variable_i - m) / sum_j(exp(gain * variable_j - m))` with `m` the largest `gain * variable_j`

    Parameters: `gain`, the inverse temperature, per unit of the input; `per_item` (True or False): each row of a two-dimensional array for
    itself, or all elements together.

    Input: `variable`, (n,) or (m, n); or of any shape with `per_item=False`. Output: `value`, of that shape, probabilities. Large inputs do
    not overflow.

    Source: Bridle (1990); PsyNeuLink `SoftMax` with all of its output. `softmax_choice` draws a choice; `psyneulink.softmax` selects
    elements.

        library.softmax(np.array([1.0, 2.0]))  # [0.269, 0.731]
    """
    if per_item and variable.ndim == 2:
        result = np.zeros(variable.shape)
        for i in range(variable.shape[0]):
            result[i] = softmax(variable[i], gain=gain)
        return result
    shifted = gain * variable
    weights = np.exp(shifted - np.max(shifted))
    return weights / np.sum(weights)
