"""
Measures of a vector by which a Mechanism finishes: how far the largest value stands out, the median, and others.

They are in the compilable subset; PsyNeuLink's own call `np.partition`, or are NumPy's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def sorted_values(values: Floats) -> Floats:
    """The values from the smallest to the largest."""
    ordered = values.copy()
    for i in range(1, len(ordered)):
        value = ordered[i]
        j = i
        while j > 0 and ordered[max(j - 1, 0)] > value:
            ordered[j] = ordered[j - 1]
            j = j - 1
        ordered[j] = value
    return ordered


def max_vs_next(values: Floats) -> Any:
    """The largest less the second largest."""
    ordered = sorted_values(values.ravel())
    return ordered[len(ordered) - 1] - ordered[len(ordered) - 2]


def max_vs_avg(values: Floats) -> Any:
    """The largest less the mean of the others."""
    ordered = sorted_values(values.ravel())
    return ordered[len(ordered) - 1] - np.mean(ordered[: len(ordered) - 1])


def median(values: Floats) -> Any:
    """The middle value, or the mean of the two in the middle."""
    ordered = sorted_values(values.ravel())
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 == 1 else (ordered[half - 1] + ordered[half]) / 2.0


def largest(values: Floats) -> Any:
    """Python's `max` of a vector."""
    return np.max(values)


def smallest(values: Floats) -> Any:
    """Python's `min` of a vector."""
    return np.min(values)


def total(values: Floats) -> Any:
    """Python's `sum` of a vector, and NumPy's."""
    return np.sum(values)


def mean(values: Floats) -> Any:
    """NumPy's `mean`."""
    return np.mean(values)


def variance(values: Floats) -> Any:
    """NumPy's `var`."""
    return np.var(values)


def deviation(values: Floats) -> Any:
    """NumPy's `std`."""
    return np.std(values)


def mean_square(values: Floats) -> Any:
    """The sum of the squares divided by the length of the first axis."""
    return np.sum(values * values) / len(values)


_OWN = {"max_vs_next": max_vs_next, "max_vs_avg": max_vs_avg}
_CALLED: dict[Any, Callable[..., Any]] = {
    max: largest,
    min: smallest,
    sum: total,
    np.max: largest,
    np.min: smallest,
    np.sum: total,
    np.mean: mean,
    np.var: variance,
    np.std: deviation,
    np.median: median,
}


_OF_PORTS = {("np", "median"): median, ("np", "sum", "safe_len"): mean_square}
"""The functions of the standard OutputPorts MEDIAN, and MSE of a ComparatorMechanism, by the names that they use."""
_PROBE = np.array([3.0, -1.0, 0.5, 7.0])


def compilable(function: Any) -> Callable[..., Any] | None:
    """The compilable equivalent of a function that is PsyNeuLink's own, NumPy's or Python's; None for any other."""
    module = getattr(function, "__module__", None) or ""
    if module == "psyneulink.core.components.functions.nonstateful.selectionfunctions":
        return _OWN.get(getattr(function, "__name__", ""))
    code = getattr(function, "__code__", None)
    if module.startswith("psyneulink.") and code is not None:
        equivalent = _OF_PORTS.get(code.co_names)
        if equivalent is not None and function(_PROBE) == equivalent(_PROBE):
            return equivalent
    try:
        return _CALLED.get(function)
    except TypeError:
        return None
