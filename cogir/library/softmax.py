# NumPy types a few reductions only in part.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false
"""
Softmax in all its forms (PsyNeuLink `SoftMax`).

`per_item`: each row of a two-dimensional array for itself. `output`: "all", or one element that stands for all, as in `one_hot`: "arg_max"
and "arg_max_indicator" (the first of the largest), "MAX_VAL" and "MAX_INDICATOR" (all that are largest). `softmax_probability` draws it.
"""

import numpy as np

from cogir.library.selection import one_hot, one_hot_probability
from cogir.library.signature import Random, Static, Value


def _selected(weights: Value, output: Static) -> Value:
    """All weights, or the largest."""
    if output == "all":
        return weights
    return one_hot(
        weights,
        indicator=output == "arg_max_indicator" or output == "MAX_INDICATOR",
        tie="all" if output == "MAX_VAL" or output == "MAX_INDICATOR" else "first",
    )


def _weights(variable: Value, gain: Value, mask_threshold: Value) -> Value:
    """The softmax over all elements whose absolute value (times `gain`) is above the threshold; the others get 0."""
    scaled = gain * variable
    kept = np.where(np.abs(scaled) > mask_threshold, scaled, -np.inf)
    top = np.max(kept)
    weights = np.zeros(variable.shape)
    if top > -np.inf:
        weights = np.exp(kept - top)
        weights = weights / np.sum(weights)
    return weights


def softmax(variable: Value, *, gain: Value = 1.0, per_item: Static = True, output: Static = "all") -> Value:
    """`exp(gain * variable - m) / sum(...)` with `m` the largest element (PsyNeuLink `SoftMax`)."""
    if per_item and variable.ndim == 2:
        result = np.zeros(variable.shape)
        for i in range(variable.shape[0]):
            result[i] = softmax(variable[i], gain=gain, output=output)
        return result
    shifted = gain * variable
    weights = np.exp(shifted - np.max(shifted))
    if output == "all":
        return weights / np.sum(weights)
    return _selected(weights / np.sum(weights), output)


def softmax_masked(
    variable: Value, *, gain: Value = 1.0, mask_threshold: Value = 0.0, per_item: Static = True, output: Static = "all"
) -> Value:
    """`softmax` over the elements with `|gain * variable| > mask_threshold`; 0 for the others (`SoftMax(mask_threshold=...)`)."""
    if per_item and variable.ndim == 2:
        result = np.zeros(variable.shape)
        for i in range(variable.shape[0]):
            result[i] = _selected(_weights(variable[i], gain, mask_threshold), output)
        return result
    return _selected(_weights(variable, gain, mask_threshold), output)


def softmax_adaptive(
    variable: Value,
    *,
    adapt_scale: Value = 1.0,
    adapt_base: Value = 1.0,
    adapt_entropy_weighting: Value = 0.95,
    mask_threshold: Value = -1.0,
    per_item: Static = True,
    output: Static = "all",
) -> Value:
    """
    A softmax whose gain grows with the entropy of the squashed input (PsyNeuLink `SoftMax(gain=ADAPTIVE)`).

    `gain = scale * (base + weighting * log(n) * log(-sum(s * log(s))))` with `s = 1 / (1 + exp(-variable))` and `n` the length of the first
    axis: a single row has the gain `scale * base`, as in PsyNeuLink. A negative `mask_threshold` masks nothing.
    """
    squashed = 1.0 / (1.0 + np.exp(-1.0 * variable))
    weighting = np.log(variable.shape[0]) * adapt_entropy_weighting
    gain = adapt_scale * (adapt_base + weighting * np.log(-1.0 * np.sum(squashed * np.log(squashed))))
    return softmax_masked(variable, gain=gain, mask_threshold=mask_threshold, per_item=per_item, output=output)


def softmax_probability(
    variable: Value, *, gain: Value = 1.0, mask_threshold: Value = -1.0, per_item: Static = True, indicator: Static = False, random: Random
) -> Value:
    """
    One element, drawn with the probabilities of the softmax, stands for all: its value, or 1 (PsyNeuLink `SoftMax(output=PROB)`).

    One uniform draw per item. A negative `mask_threshold` masks nothing.
    """
    if per_item and variable.ndim == 2:
        result = np.zeros(variable.shape)
        for i in range(variable.shape[0]):
            result[i] = one_hot_probability(variable[i], _weights(variable[i], gain, mask_threshold), indicator=indicator, random=random)
        return result
    return one_hot_probability(variable, _weights(variable, gain, mask_threshold), indicator=indicator, random=random)
