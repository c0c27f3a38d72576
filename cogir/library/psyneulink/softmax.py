# NumPy types a few reductions only in part.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false
"""
PsyNeuLink's softmax in all its forms.

`per_item`: each row of a two-dimensional array for itself. `output`: "all", or one element that stands for all, as in `one_hot`: "arg_max"
and "arg_max_indicator" (the first of the largest), "MAX_VAL" and "MAX_INDICATOR" (all that are largest). `softmax_probability` draws it.
"""

import numpy as np

from cogir.library.psyneulink.selection import one_hot, one_hot_probability
from cogir.library.signature import Random, Static, Value


def _selected(weights: Value, output: Static) -> Value:
    """All weights, or the largest."""
    if output == "all":
        return weights
    if output != "arg_max" and output != "arg_max_indicator" and output != "MAX_VAL" and output != "MAX_INDICATOR":
        raise ValueError('output is none of "all", "arg_max", "arg_max_indicator", "MAX_VAL" and "MAX_INDICATOR"; give one of them')
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
    """
    `exp(gain * variable_i - m) / sum_j(exp(gain * variable_j - m))` with `m` the largest `gain * variable_j`, and a selection among the
    results

    Differs: `output` selects elements. `library.softmax` is the plain softmax, `softmax_choice` draws a choice.

    Parameters: `gain`, per unit of the input; `per_item` (True or False): each row of a two-dimensional array for itself, or all elements
    together; `output`: "all"; "arg_max" or "arg_max_indicator", the probability of the first of the largest, or 1 there, 0 elsewhere;
    "MAX_VAL" or "MAX_INDICATOR", the same for all of the largest.

    Input: `variable`, (n,) or (m, n). Output: `value`, of that shape.

    Source: PsyNeuLink `SoftMax`.

        library.psyneulink.softmax(np.array([1.0, 2.0]), output="arg_max")  # [0.0, 0.731]
    """
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
    """
    `softmax` over the elements with `abs(gain * variable) > mask_threshold`; 0 for the others

    Differs: only PsyNeuLink defines it. `library.softmax` has no mask; elements of `-inf` get the probability 0.

    Parameters: `gain`, per unit of the input; `mask_threshold`, of the scaled input; `per_item` (True or False) and `output` ("all",
    "arg_max", "arg_max_indicator", "MAX_VAL" or "MAX_INDICATOR"), as in `psyneulink.softmax`.

    Input: `variable`, (n,) or (m, n). Output: `value`, of that shape; all 0 where all elements are masked.

    Source: PsyNeuLink `SoftMax(mask_threshold=...)`.

        library.psyneulink.softmax_masked(np.array([0.0, 1.0, 2.0]))  # [0.0, 0.269, 0.731]
    """
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
    A softmax whose gain grows with the entropy of the squashed input, `gain = adapt_scale * (adapt_base + adapt_entropy_weighting * log(n)
    * log(-sum(s * log(s))))` with `s = 1 / (1 + exp(-variable))`

    Differs: only PsyNeuLink defines it, and n is the length of the first axis: a single row has the gain `adapt_scale * adapt_base`,
    whatever it holds. `library.softmax` has a gain.

    Parameters: `adapt_scale`, `adapt_base` and `adapt_entropy_weighting`, numbers, of the gain; `mask_threshold`, below 0 to mask nothing;
    `per_item` (True or False) and `output` ("all", "arg_max", "arg_max_indicator", "MAX_VAL" or "MAX_INDICATOR"), as in
    `psyneulink.softmax`.

    Input: `variable`, (n,) or (m, n). Output: `value`, of that shape.

    Source: PsyNeuLink `SoftMax(gain=ADAPTIVE)`.

        library.psyneulink.softmax_adaptive(np.array([1.0, 2.0]))  # [0.428, 0.572]
    """
    squashed = 1.0 / (1.0 + np.exp(-1.0 * variable))
    weighting = np.log(variable.shape[0]) * adapt_entropy_weighting
    gain = adapt_scale * (adapt_base + weighting * np.log(-1.0 * np.sum(squashed * np.log(squashed))))
    return softmax_masked(variable, gain=gain, mask_threshold=mask_threshold, per_item=per_item, output=output)


def softmax_probability(
    variable: Value, *, gain: Value = 1.0, mask_threshold: Value = -1.0, per_item: Static = True, indicator: Static = False, random: Random
) -> Value:
    """
    Zeros, but for one element, drawn with the probabilities of the softmax: its value, or 1 with `indicator`

    Differs: the element keeps its value of before the softmax, unless `indicator` is True. `softmax_choice` returns the choice as 0 and 1,
    its index and the probabilities.

    Parameters: `gain`, per unit of the input; `mask_threshold`, below 0 to mask nothing; `per_item` (True or False): one of each row of a
    two-dimensional array; `indicator` (False or True).

    Input: `variable`, (n,) or (m, n). Output: `value`, of that shape. Draws: one uniform number per item.

    Source: PsyNeuLink `SoftMax(output=PROB)`.

        library.psyneulink.softmax_probability(np.array([5.0, 7.0]), gain=100.0, random=cogir.random(1))  # [0.0, 7.0]
    """
    if per_item and variable.ndim == 2:
        result = np.zeros(variable.shape)
        for i in range(variable.shape[0]):
            result[i] = one_hot_probability(variable[i], _weights(variable[i], gain, mask_threshold), indicator=indicator, random=random)
        return result
    return one_hot_probability(variable, _weights(variable, gain, mask_threshold), indicator=indicator, random=random)
