# NumPy types a few functions only in part.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
"""
Sorting, searching and order statistics in NumPy's order, in which NaN comes after every number.

The compiled bodies of `np.sort`, `np.argsort`, `np.searchsorted`, `np.median` and `np.percentile`. Arrays have one axis, or rows that are
sorted each for itself; indices are ints, through which no derivative flows.
"""

import numpy as np

from cogir.library.signature import Static, Value


def precedes(a: Value, b: Value) -> Value:
    """True if `a` comes before `b`: the smaller one, or the number before NaN."""
    return a < b or (a == a and b != b)


def argsort(values: Value) -> Value:
    """The indices that sort an array of one axis, equal elements in their order: a merge sort, from pairs of runs of one element up."""
    n = values.shape[0]
    order = np.arange(n)
    width = 1
    while width < n:
        before = order.copy()
        left, left_end, right, right_end = 0, 0, 0, 0
        for place in range(n):
            if left == left_end and right == right_end:
                left = place
                left_end = min(place + width, n)
                right = left_end
                right_end = min(right + width, n)
            if left < left_end and (right == right_end or not precedes(values[before[right]], values[before[left]])):
                order[place] = before[left]
                left += 1
            else:
                order[place] = before[right]
                right += 1
        width = 2 * width
    return order


def argsort_rows(rows: Value) -> Value:
    """The indices that sort each row."""
    orders = np.zeros(rows.shape, dtype=int)
    for row in range(rows.shape[0]):
        orders[row] = argsort(rows[row])
    return orders


def sort_rows(rows: Value) -> Value:
    """Each row in ascending order."""
    result = np.zeros_like(rows)
    for row in range(rows.shape[0]):
        order = argsort(rows[row])
        for place in range(rows.shape[1]):
            result[row, place] = rows[row, order[place]]
    return result


def place_in(ordered: Value, value: Value, after: Static) -> Value:
    """The place of `value` in an ascending array: before the elements that equal it, or after them. A binary search."""
    low, high = 0, ordered.shape[0]
    while low < high:
        middle = (low + high) // 2
        if (not precedes(value, ordered[middle])) if after else precedes(ordered[middle], value):
            low = middle + 1
        else:
            high = middle
    return low


def searchsorted(ordered: Value, values: Value, after: Static) -> Value:
    """`place_in` of each element of an array of one axis."""
    places = np.zeros(values.shape, dtype=int)
    for index in range(values.shape[0]):
        places[index] = place_in(ordered, values[index], after)
    return places


def median_rows(rows: Value) -> Value:
    """The median of each row, the mean of the middle two for an even length; NaN if there is one in the row."""
    n = rows.shape[1]
    ordered = sort_rows(rows)
    result = np.zeros(rows.shape[0])
    for row in range(rows.shape[0]):
        last = ordered[row, n - 1]
        middle = ordered[row, n // 2] if n % 2 == 1 else (ordered[row, n // 2 - 1] + ordered[row, n // 2]) / 2.0
        result[row] = np.where(np.isnan(last), last, 0.0 + middle)  # a mean of -0.0 is 0.0, as a sum begins with 0
    return result


def quantile_rows(rows: Value, fractions: Value) -> Value:
    """
    Row `f`, column `r`: the quantile `fractions[f]` of `rows[r]`, between the two elements next to `(n - 1) * fractions[f]`.

    NaN if there is one in the row, or if the fraction is not from 0 to 1.
    """
    n = rows.shape[1]
    ordered = sort_rows(rows)
    result = np.zeros((fractions.shape[0], rows.shape[0]))
    for index in range(fractions.shape[0]):
        fraction = fractions[index]
        outside = not 0.0 <= fraction <= 1.0
        # Made here, so that checked runs report it.
        nowhere = np.where(np.isnan(fraction), fraction, 0.0 / np.where(outside, 0.0, 1.0))
        position = np.where(outside, 0.0, (n - 1) * fraction)
        low = min(int(np.floor(position)), n - 1)
        high = min(low + 1, n - 1)
        weight = position - np.floor(position)
        for row in range(rows.shape[0]):
            last, a, b = ordered[row, n - 1], ordered[row, low], ordered[row, high]
            distance = b - a
            found = np.where(weight >= 0.5, b - distance * (1.0 - weight), a + distance * weight)
            result[index, row] = np.where(outside, nowhere, np.where(np.isnan(last), last, found))
    return result
