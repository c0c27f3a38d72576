# NumPy types a few reductions only in part.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false
"""
Combination and transform functions: many numbers into fewer.

Sums and products run from left to right. NumPy sums pairwise from eight elements on; the last bits can differ from it.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from operator import index
from typing import Any

import numpy as np

from cogir.errors import shown
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
    `scale * op_i(weights_i * variable_i ** exponents_i) + offset` over the first axis

    Parameters: `weights` and `exponents`, numbers or arrays that broadcast against the input: (n, 1) for one for each row; `scale` and
    `offset`, of the result; `operation`: "sum", "product", or "cross-entropy" of two rows, `v_0 * log(v_1)` element by element, 0 where
    both are 0.

    Input: `variable` (n, m), one row per item. Output: `value` (m,).

    Source: PsyNeuLink `LinearCombination`.

        library.linear_combination(np.array([[1.0, 2.0], [3.0, 4.0]]), weights=np.array([[1.0], [-1.0]]))  # [-2.0, -2.0]
    """
    terms = _powers(variable, exponents) * weights
    if operation == "product":
        return np.prod(terms, axis=0) * scale + offset
    if operation == "cross-entropy":
        both_zero = (terms[0] == 0.0) & (terms[1] == 0.0)
        return terms[0] * np.where(both_zero, 0.0, np.log(np.where(both_zero, 1.0, terms[1]))) * scale + offset
    if operation != "sum":
        raise ValueError('operation is none of "sum", "product" and "cross-entropy"; give one of them')
    return np.sum(terms, axis=0) * scale + offset


def reduce(
    variable: Value, *, weights: Value = 1.0, exponents: Value = 1.0, scale: Value = 1.0, offset: Value = 0.0, operation: Static = "sum"
) -> Value:
    """
    `scale * op_j(weights_j * variable_j ** exponents_j) + offset` over the second axis

    Parameters: `weights` and `exponents`, numbers or arrays that broadcast against the input: (m,) for one for each column; `scale` and
    `offset`, of the result; `operation`, "sum" or "product".

    Input: `variable` (n, m). Output: `value` (n,).

    Source: PsyNeuLink `Reduce`.

        library.reduce(np.array([[1.0, 2.0], [3.0, 4.0]]))  # [3.0, 7.0]
    """
    terms = _powers(variable, exponents) * weights
    if operation == "product":
        return np.prod(terms, axis=1) * scale + offset
    if operation != "sum":
        raise ValueError('operation is neither "sum" nor "product"; give one of them')
    return np.sum(terms, axis=1) * scale + offset


def combine_means(
    variable: Value, *, weights: Value = 1.0, exponents: Value = 1.0, scale: Value = 1.0, offset: Value = 0.0, operation: Static = "sum"
) -> Value:
    """
    `scale * op_i(weights_i * mean(variable_i) ** exponents_i) + offset` over the rows

    Parameters: `weights` and `exponents`, numbers, or (n,) for one for each row; as columns (n, 1), every mean is combined with every
    weight, and there are n results, as in PsyNeuLink; `scale` and `offset`, of the result; `operation`, "sum" or "product".

    Input: `variable` (n, m). Output: `value`, a number.

    Source: PsyNeuLink `CombineMeans`.

        library.combine_means(np.array([[1.0, 2.0], [3.0, 4.0]]))  # 5.0
    """
    terms = _powers(np.mean(variable, axis=1), exponents) * weights
    if operation == "product":
        return np.prod(terms, axis=0) * scale + offset
    if operation != "sum":
        raise ValueError('operation is neither "sum" nor "product"; give one of them')
    return np.sum(terms, axis=0) * scale + offset


def concatenate(first: Value, second: Value, *, scale: Value = 1.0, offset: Value = 0.0) -> Value:
    """
    `first` and `second` end to end, times `scale`, plus `offset`

    Parameters (numbers, or arrays that broadcast): `scale` and `offset`.

    Inputs: `first` (n,) and `second` (m,). Output: `value` (n + m,).

    Source: PsyNeuLink `Concatenate`.

        library.concatenate(np.array([1.0, 2.0]), np.array([3.0]), scale=2.0)  # [2.0, 4.0, 6.0]
    """
    return np.concatenate((first, second)) * scale + offset


def flatten(variable: Value, *, scale: Value = 1.0, offset: Value = 0.0) -> Value:
    """
    All elements in one vector, row by row, times `scale`, plus `offset`

    Parameters (numbers, or arrays that broadcast): `scale` and `offset`.

    Input: `variable`, of any shape. Output: `value`, a vector.

    Source: PsyNeuLink `Concatenate`, the items end to end.

        library.flatten(np.array([[1.0, 2.0], [3.0, 4.0]]))  # [1.0, 2.0, 3.0, 4.0]
    """
    return variable.reshape(-1) * scale + offset


def rearrange(indices: Sequence[int]) -> Callable[..., Any]:
    """
    A function that picks elements: `variable[indices] * scale + offset`

    Input: `indices`, a sequence of ints, known when the model is built: where each element of the result stands in the variable. Output: a
    node function with an input `variable`, a vector, parameters `scale` and `offset`, and an output `value` of as many elements as there
    are indices. The same indices give the same function.

    Source: PsyNeuLink `Rearrange`.

        library.rearrange((2, 0))(np.array([1.0, 2.0, 3.0]), scale=2.0)  # [6.0, 2.0]
    """
    try:
        found = tuple(map(index, indices))
    except TypeError:
        raise ValueError(f"indices is {shown(indices)}; give a tuple of whole numbers, such as (2, 0)") from None
    return _rearranged(found)


@lru_cache(maxsize=256)
def _rearranged(indices: tuple[int, ...]) -> Callable[..., Any]:
    """`rearrange` of these indices, always the same function."""
    places = np.array(indices)

    def rearranged(variable: Value, *, scale: Value = 1.0, offset: Value = 0.0) -> Value:
        """`variable[places] * scale + offset`."""
        return variable[places] * scale + offset

    return rearranged


def matrix_transform(variable: Value, *, matrix: Value) -> Value:
    """
    `variable @ matrix`

    Parameter: `matrix` (m, n).

    Input: `variable` (m,). Output: `value` (n,).

    Source: PsyNeuLink `MatrixTransform`.

        library.matrix_transform(np.array([1.0, 2.0]), matrix=np.array([[1.0, 0.0], [0.0, 3.0]]))  # [1.0, 6.0]
    """
    return variable @ matrix


def matrix_transform_normalized(variable: Value, *, matrix: Value) -> Value:
    """
    The cosines of `variable` with the columns of `matrix`

    Parameter: `matrix` (m, n), of which a column of zeros among others gives NaN.

    Input: `variable` (m,). Output: `value` (n,), from -1 to 1; zeros where the variable or the whole matrix is 0.

    Source: PsyNeuLink `MatrixTransform`, `normalize`.

        library.matrix_transform_normalized(np.array([3.0, 4.0]), matrix=np.array([[2.0, 0.0], [0.0, 1.0]]))  # [0.6, 0.8]
    """
    length = np.sqrt(np.sum(variable * variable))
    direction = variable / (length if length != 0.0 else 1.0)
    lengths = np.sqrt(np.sum(matrix * matrix, axis=0))
    columns = matrix / lengths if np.any(matrix != 0.0) else matrix
    return direction @ columns


@node_function(outputs=("outcome",))
def comparator(sample: Value, target: Value, *, scale: Value = 1.0, offset: Value = 0.0) -> Value:
    """
    `scale * (target - sample) + offset`

    Parameters (numbers, or arrays that broadcast): `scale` and `offset`.

    Inputs: `sample` and `target`, of one shape. Output: `outcome`, of that shape.

    Source: PsyNeuLink `ComparatorMechanism`.

        library.comparator(np.array([1.0, 2.0]), np.array([3.0, 2.0]))  # [2.0, 0.0]
    """
    return scale * (target - sample) + offset
