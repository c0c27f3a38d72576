# NumPy types a few reductions only in part.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false
"""
Objective functions: how far apart, how stable, how ordered. Arrays are one-dimensional; results are numbers unless said.

Sums run from left to right.
"""

import numpy as np

from cogir.library.signature import Static, Value
from cogir.library.softmax import softmax

EPSILON = float(np.finfo(float).eps)
"""Stands for a denominator of 0, as in PsyNeuLink."""


def distance(first: Value, second: Value, *, metric: Static = "difference", normalize: Static = False) -> Value:
    """
    The distance between two arrays of n elements (PsyNeuLink `Distance`).

    `metric`: "max_abs_diff", "difference" (sum of absolute differences), "normed_L0_similarity" (`1 - sum|a - b| / 4`),
    "dot_product", "euclidean", "cosine" and "correlation" (`1 - |similarity|`), "cross-entropy" (`-sum a log b`), "energy"
    (`-sum(a * b) / 2`). `normalize` divides by n (energy: n squared) where PsyNeuLink does.
    """
    n = first.size
    if metric == "max_abs_diff":
        return np.max(np.abs(first - second))
    if metric == "cosine":
        norm = np.sqrt(np.sum(first * first)) * np.sqrt(np.sum(second * second))
        return 1.0 - abs(np.sum(first * second) / (norm if norm != 0.0 else EPSILON))
    if metric == "correlation":
        a = first - np.mean(first)
        b = second - np.mean(second)
        norm = np.sqrt(np.sum(a * a) * np.sum(b * b))
        return 1.0 - abs(np.sum(a * b) / (norm if norm != 0.0 else EPSILON))
    if metric == "energy":
        energy = -np.sum(first * second) / 2.0
        return energy / (n * n) if normalize else energy
    if metric == "normed_L0_similarity":
        result = 1.0 - np.sum(np.abs(first - second)) / 4.0
    elif metric == "dot_product":
        result = np.sum(first * second)
    elif metric == "euclidean":
        result = np.sqrt(np.sum((second - first) * (second - first)))
    elif metric == "cross-entropy":
        a = np.where(first == 0.0, EPSILON, first)
        b = np.where(second == 0.0, EPSILON, second)
        result = -np.sum(a * np.log(b))
    else:
        result = np.sum(np.abs(first - second))
    return result / n if normalize else result


def stability(variable: Value, *, matrix: Value, metric: Static = "energy", normalize: Static = False) -> Value:
    """
    The distance between an activity and what its weights make of it (PsyNeuLink `Stability`; Hopfield 1982).

    `transformed = (matrix without its diagonal) @ variable`, then `distance(variable, transformed)`. (n,), (n, n) -> number.
    """
    n = variable.size
    transformed = np.zeros(n)
    for i in range(n):
        total = 0.0
        for j in range(n):
            if i != j:
                total = total + matrix[i, j] * variable[j]
        transformed[i] = total
    return distance(variable, transformed, metric=metric, normalize=normalize)


def energy(variable: Value, *, matrix: Value, normalize: Static = False) -> Value:
    """`-sum(v * (W @ v)) / 2` without the diagonal of `W` (PsyNeuLink `Energy`)."""
    return stability(variable, matrix=matrix, metric="energy", normalize=normalize)


def entropy(variable: Value, *, matrix: Value, normalize: Static = False) -> Value:
    """The cross-entropy of `v` and `W @ v` without the diagonal of `W` (PsyNeuLink `Entropy`)."""
    return stability(variable, matrix=matrix, metric="cross-entropy", normalize=normalize)


def loss(sample: Value, target: Value, *, kind: Static = "MSE", normalize: Static = False) -> Value:
    """
    The training loss between a sample and its target, both (n,) (PsyNeuLink `LossFunction`).

    `kind`: "L0" (sum of differences), "L1" (of absolute ones), "SSE", "MSE", "POISSON_NLL", "CROSS_ENTROPY" (the sum of
    `s * log(t)` with the softmax of each, as PsyNeuLink has it, without a minus sign). `normalize` divides by n.
    """
    difference = sample - target
    if kind == "L0":
        result = np.sum(difference)
    elif kind == "L1":
        result = np.sum(np.abs(difference))
    elif kind == "SSE":
        result = np.sum(difference * difference)
    elif kind == "POISSON_NLL":
        result = np.mean(-target * np.log(sample + 1e-9) + sample)
    elif kind == "CROSS_ENTROPY":
        s = softmax(sample)
        t = softmax(target)
        both_zero = (s == 0.0) & (t == 0.0)
        result = np.sum(s * np.where(both_zero, 0.0, np.log(np.where(both_zero, 1.0, t))))
    else:
        result = np.mean(difference * difference)
    return result / sample.size if normalize else result
