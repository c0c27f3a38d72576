# NumPy types a few reductions only in part.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false
"""
Functions of Mechanisms as PsyNeuLink computes them in PyTorch, with the derivatives that PyTorch has for them.
"""

from __future__ import annotations

import numpy as np

from cogir.library.signature import Value

BOUND = 9.999999960041972e-13
"""PyTorch divides the derivative of BINARY_CROSS_ENTROPY by at least this, 1e-12 as a number of 32 bits."""


def linear(variable: Value, *, slope: Value, intercept: Value, scale: Value, offset: Value) -> Value:
    """`scale * (slope * variable + intercept) + offset`"""
    return scale * (variable * slope + intercept) + offset


def logistic(variable: Value, *, gain: Value, bias: Value, scale: Value, offset: Value) -> Value:
    """`scale / (1 + exp(-gain * (variable + bias))) + offset`"""
    return scale / (1.0 + np.exp(-gain * (variable + bias))) + offset


def relu(variable: Value, *, gain: Value, bias: Value, leak: Value) -> Value:
    """`gain * max(variable - bias, 0) + leak * min(variable - bias, 0)`"""
    return gain * np.maximum(variable - bias, 0.0) + leak * np.minimum(variable - bias, 0.0)


def tanh(variable: Value, *, gain: Value) -> Value:
    """`tanh(gain * variable)`, by a bias and an offset of which PyTorch multiplies numerator and denominator."""
    return np.tanh(gain * variable)


def weighted_softmax(variable: Value, *, gain: Value) -> Value:
    """The softmax of `gain * variable`."""
    shifted = gain * variable
    weights = np.exp(shifted - np.max(shifted))
    return weights / np.sum(weights)


def masked_softmax(variable: Value, *, gain: Value, mask_threshold: Value) -> Value:
    """The softmax over the elements of `gain * variable` whose magnitude is above a threshold; 0 for the others, and if there are none."""
    scaled = gain * variable
    is_kept = np.abs(scaled) > mask_threshold
    top = np.max(np.where(is_kept, scaled, -np.inf))
    shift = np.where(top > -np.inf, top, 0.0)
    weights = np.where(is_kept, np.exp(np.where(is_kept, scaled - shift, 0.0)), 0.0)
    total = np.sum(weights)
    return weights / np.where(total > 0.0, total, 1.0)


def adaptive(variable: Value, previous: Value, *, rate: Value, noise: Value, offset: Value) -> Value:
    """`(1 - rate) * previous + rate * variable + noise + offset`"""
    return (1.0 - rate) * previous + rate * variable + noise + offset


def product(first: Value, second: Value) -> Value:
    """The product of two items, element by element."""
    return first * second


def total(first: Value, second: Value) -> Value:
    """The sum of two items."""
    return first + second


def scores(query: Value, memory: Value) -> Value:
    """The products of a query with the entries of a memory, its rows."""
    return memory @ query


def retrieved(weights: Value, memory: Value) -> Value:
    """The sum of the entries of a memory, weighted."""
    return weights @ memory


def bounded_cross_entropy(sample: Value, target: Value) -> Value:
    """
    A number with the derivatives of PyTorch's BINARY_CROSS_ENTROPY, `(sample - target) / max(sample * (1 - sample), 1e-12)` for each
    element, over their number.

    Where PyTorch does not bound them, it is also its value; elsewhere that would have other derivatives.
    """
    is_inside = sample * (1.0 - sample) > BOUND
    inside = np.where(is_inside, sample, 0.5)
    entropy = -(target * np.log(inside) + (1.0 - target) * np.log(1.0 - inside))
    bounded = (0.5 * sample * sample - target * sample) / BOUND
    return np.mean(np.where(is_inside, entropy, bounded))
