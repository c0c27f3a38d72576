# NumPy types a few functions only in part.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
"""
Square systems of equations: the compiled bodies of `np.linalg.solve`, `inv`, `det` and `cholesky`.

Gaussian elimination with the pivot of the largest absolute value in its column, as LAPACK's `getrf`; the first of equal ones. Where NumPy
raises `LinAlgError`, every element of the result is NaN (G. H. Golub and C. F. Van Loan, Matrix Computations, 4th ed., 3.4 and 4.2).
"""

import numpy as np

from cogir.library.signature import Value

LARGE, SMALL = 2.0**256, 2.0**-256
SHRINK, GROW = 2.0**-512, 2.0**512


def place_of_pivot(column: Value, first: Value) -> Value:
    """The row, from `first` on, in which a column has its largest absolute value."""
    place = first
    for row in range(column.shape[0]):
        if row > first and abs(column[row]) > abs(column[place]):
            place = row
    return place


def no_result(least: Value) -> Value:
    """NaN, made here if `least` is 0 or below, so that checked runs report it; `least` itself if that is NaN."""
    is_low = least <= 0.0
    return np.where(is_low, 0.0 / np.where(is_low, 0.0, 1.0), least)


def eliminate(work: Value, step: Value, pivot_row: Value) -> Value:
    """
    The matrix with rows `step` and `pivot_row` exchanged, and multiples of the pivot's row subtracted from those below it.

    A pivot of 0 has only zeros below it, and leaves the rows as they are.
    """
    n = work.shape[0]
    held = work.copy()
    moved = held[step].copy()
    held[step] = held[pivot_row]
    held[pivot_row] = moved
    pivots = held[step].copy()
    below = np.arange(n) > step
    pivot = held[step, step]
    factors = np.where(below, held[:, step], 0.0) / np.where(pivot == 0.0, 1.0, pivot)
    return np.where(below[:, None], held - factors[:, None] * pivots[None, :], held)


def solve(matrix: Value, right: Value) -> Value:
    """The columns `x` with `matrix @ x = right`; all NaN if a pivot is 0."""
    n = matrix.shape[0]
    work = np.concatenate([matrix, right], axis=1)
    least = np.inf
    for step in range(n):
        work = eliminate(work, step, place_of_pivot(work[:, step], step))
        least = np.minimum(least, np.abs(work[step, step]))
    rest = work[:, n:].copy()
    result = np.zeros(right.shape)
    for count in range(n):
        row = n - 1 - count
        found = rest[row] / work[row, row]
        result[row] = found
        above = np.arange(n) < row
        rest = np.where(above[:, None], rest - work[:, row][:, None] * found[None, :], rest)
    return np.where(least > 0.0, result, no_result(least))


def inverse(matrix: Value) -> Value:
    """The inverse; all NaN if a pivot is 0."""
    return solve(matrix, np.eye(matrix.shape[0]))


def scaled_power(x: Value) -> Value:
    """The power of 2**512 by which `x` is outside 2**-256 .. 2**256: 1, 0 or -1."""
    return np.where(abs(x) > LARGE, 1.0, np.where(np.logical_and(abs(x) < SMALL, x != 0.0), -1.0, 0.0))


def scaling(power: Value) -> Value:
    """`2 ** (-512 * power)` for a power of 1, 0 or -1."""
    return np.where(power > 0.0, SHRINK, np.where(power < 0.0, GROW, 1.0))


def det(matrix: Value) -> Value:
    """
    The determinant: the product of the pivots, negative after an odd number of exchanges.

    Powers of 2**512 are counted apart, so that no product on the way overflows.
    """
    n = matrix.shape[0]
    work = matrix.copy()
    product, powers = 1.0, 0.0
    for step in range(n):
        place = place_of_pivot(work[:, step], step)
        work = eliminate(work, step, place)
        factor = work[step, step]
        for _ in range(2):
            power = scaled_power(factor)
            factor = factor * scaling(power)
            powers = powers + power
        product = product * factor * np.where(place == step, 1.0, -1.0)
        for _ in range(2):
            power = scaled_power(product)
            product = product * scaling(power)
            powers = powers + power
    for _ in range(3):
        product = product * scaling(-np.sign(powers))
        powers = powers - np.sign(powers)
    return product


def cholesky(matrix: Value) -> Value:
    """
    The lower triangular `L` with `L @ L.T = matrix`, of which only the lower triangle is read.

    All NaN if the matrix is not positive definite (a pivot is not above 0).
    """
    n = matrix.shape[0]
    work = matrix.copy()
    result = np.zeros(matrix.shape)
    least = np.inf
    for step in range(n):
        pivot = work[step, step]
        least = np.minimum(least, pivot)
        root = np.sqrt(np.where(least > 0.0, pivot, 1.0))
        rows = np.arange(n)
        column = np.where(rows > step, work[:, step] / root, np.where(rows == step, root, 0.0))
        result[:, step] = column
        work = work - column[:, None] * column[None, :]
    return np.where(least > 0.0, result, no_result(least))
