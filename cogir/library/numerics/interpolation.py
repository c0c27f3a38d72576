# NumPy types a few functions only in part.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false
"""Piecewise linear interpolation and convolution: the compiled bodies of `np.interp` and `np.convolve`."""

import numpy as np

from cogir.library.numerics.sorting import place_in
from cogir.library.signature import Value


def interpolated(x: Value, xp: Value, fp: Value, left: Value, right: Value) -> Value:
    """
    The piecewise linear function through the points `(xp, fp)` at one `x`; `left` below the first point, `right` above the last.

    `xp` ascends. With `s` the slope of the piece that begins at `xp[j] <= x`: `s * (x - xp[j]) + fp[j]`, and `fp[j]` at a point itself.
    """
    last = xp.shape[0] - 1
    at = place_in(xp, x, True) - 1
    begin = min(max(at, 0), max(last - 1, 0))
    end = min(begin + 1, last)
    x0, x1, f0, f1 = xp[begin], xp[end], fp[begin], fp[end]
    is_point = np.logical_or(at >= last, x0 == x)
    slope = (f1 - f0) / np.where(is_point, 1.0, x1 - x0)
    # From the end of the piece where its begin, or the distance to that, is infinite.
    from_end = np.logical_or(np.isinf(f0), np.isinf(x - x0))
    inside = np.where(from_end, slope * (x - x1) + f1, slope * (x - x0) + f0)
    # Between equal values of 0, the sum has the sign that NumPy's has; between points that are both infinite, there is none.
    is_level = np.logical_and(f0 == f1, np.logical_or(f0 != 0.0, np.logical_and(np.isinf(x - x0), np.isinf(x - x1))))
    inside = np.where(is_level, f0, inside)
    inside = np.where(is_point, fp[max(at, 0)], inside)
    inside = np.where(x < xp[0], left, np.where(x > xp[last], right, inside))
    # With one point, NumPy gives its value at NaN, too.
    return inside if last == 0 else np.where(np.isnan(x), x, inside)


def interp(x: Value, xp: Value, fp: Value, left: Value, right: Value) -> Value:
    """`interpolated` at each element of an array of one axis."""
    result = np.zeros(x.shape)
    for index in range(x.shape[0]):
        result[index] = interpolated(x[index], xp, fp, left, right)
    return result


def convolve(a: Value, v: Value) -> Value:
    """All sums of `a[i] * v[k - i]`, each from the first element of `a` to the last."""
    result = np.zeros(a.shape[0] + v.shape[0] - 1, dtype=a.dtype)
    for i in range(a.shape[0]):
        for j in range(v.shape[0]):
            result[i + j] = result[i + j] + a[i] * v[j]
    return result
