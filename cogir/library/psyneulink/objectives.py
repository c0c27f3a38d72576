# NumPy types a few reductions only in part.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false
"""
PsyNeuLink's objective functions: how far apart, how stable, how ordered. Arrays are one-dimensional; results are numbers unless said.

Sums run from left to right.
"""

import numpy as np

from cogir.library.signature import Static, Value
from cogir.library.softmax import softmax

EPSILON = float(np.finfo(float).eps)
"""Stands for a denominator of 0, as in PsyNeuLink."""


def distance(first: Value, second: Value, *, metric: Static = "difference", normalize: Static = False) -> Value:
    """
    The distance between two vectors, by one of PsyNeuLink's metrics

    Differs: some metrics are PsyNeuLink's: "cosine" and "correlation" are `1 - abs(similarity)`, so opposite vectors have the distance 0,
    and "dot_product" grows with similarity. Losses such as `sum_absolute_error` and `mean_squared_error` have the usual formulas.

    Parameters: `metric`: "max_abs_diff", the largest difference; "difference", `sum(abs(a - b))`; "normed_L0_similarity", `1 - sum(abs(a -
    b)) / 4`; "dot_product"; "euclidean"; "cosine"; "correlation"; "cross-entropy", `-sum(a * log(b))`; "energy", `-sum(a * b) / 2`.
    `normalize` (False or True): divided by n, or for "energy" by n squared; "max_abs_diff", "cosine" and "correlation" stay.

    Inputs: `first` (a) and `second` (b), (n,). Output: `value`, a number.

    Source: PsyNeuLink `Distance`.

        library.psyneulink.distance(np.array([1.0, 2.0]), np.array([2.0, 4.0]), metric="euclidean")  # 2.236
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
    elif metric == "difference":
        result = np.sum(np.abs(first - second))
    else:
        raise ValueError(
            'metric is none of "max_abs_diff", "difference", "normed_L0_similarity", "dot_product", "euclidean", "cosine", "correlation",'
            ' "cross-entropy" and "energy"; give one of them'
        )
    return result / n if normalize else result


def stability(variable: Value, *, matrix: Value, metric: Static = "energy", normalize: Static = False) -> Value:
    """
    The distance between an activity and what its weights make of it: `distance(variable, W @ variable)` with W the matrix without its
    diagonal

    Differs: only PsyNeuLink defines it. `hopfield_synchronous` has the energy as an output.

    Parameters: `matrix` (n, n); `metric` and `normalize` (False or True), as in `psyneulink.distance`.

    Input: `variable` (n,). Output: `value`, a number.

    Source: Hopfield (1982) for the energy; PsyNeuLink `Stability`.

        library.psyneulink.stability(np.array([1.0, -1.0]), matrix=np.array([[0.0, 2.0], [2.0, 0.0]]))  # 2.0
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
    """
    `-sum(variable * (W @ variable)) / 2` with W the matrix without its diagonal

    Differs: it is `stability` with the metric "energy", and has no thresholds. `hopfield_synchronous` has the energy as an output.

    Parameters: `matrix` (n, n); `normalize` (False or True): divided by n squared.

    Input: `variable` (n,). Output: `value`, a number.

    Source: Hopfield (1982); PsyNeuLink `Energy`.

        library.psyneulink.energy(np.array([1.0, -1.0]), matrix=np.array([[0.0, 2.0], [2.0, 0.0]]))  # 2.0
    """
    return stability(variable, matrix=matrix, metric="energy", normalize=normalize)


def entropy(variable: Value, *, matrix: Value, normalize: Static = False) -> Value:
    """
    `-sum(variable * log(W @ variable))` with W the matrix without its diagonal

    Differs: it is a cross-entropy of an activity and its transform, not the entropy of a distribution. `cross_entropy` is the loss.

    Parameters: `matrix` (n, n); `normalize` (False or True): divided by n.

    Input: `variable` (n,), of which zeros count as 2.2e-16. Output: `value`, a number.

    Source: PsyNeuLink `Entropy`.

        library.psyneulink.entropy(np.array([0.5, 0.5]), matrix=np.array([[0.0, 1.0], [1.0, 0.0]]))  # 0.693
    """
    return stability(variable, matrix=matrix, metric="cross-entropy", normalize=normalize)


def loss(sample: Value, target: Value, *, kind: Static = "MSE", normalize: Static = False) -> Value:
    """
    The training loss between a sample and its target, by its name in PsyNeuLink

    Differs: "CROSS_ENTROPY" has no minus sign and a softmax of both, "POISSON_NLL" takes means and not their logarithms. `cross_entropy`,
    `poisson_loss`, `mean_squared_error` and others are the usual losses.

    Parameters: `kind`: "L0", `sum(s - t)`; "L1", `sum(abs(s - t))`; "SSE", `sum((s - t)**2)`; "MSE", its mean; "POISSON_NLL", `mean(s - t *
    log(s + 1e-9))`; "CROSS_ENTROPY", `sum(p * log(q))` with p and q the softmax of s and t. `normalize` (False or True): divided by n.

    Inputs: `sample` (s) and `target` (t), (n,). Output: `value`, a number.

    Source: PsyNeuLink `LossFunction`.

        library.psyneulink.loss(np.array([1.0, 2.0]), np.array([1.0, 4.0]), kind="SSE")  # 4.0
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
    elif kind == "MSE":
        result = np.mean(difference * difference)
    else:
        raise ValueError('kind is none of "L0", "L1", "SSE", "MSE", "POISSON_NLL" and "CROSS_ENTROPY"; give one of them')
    return result / sample.size if normalize else result
