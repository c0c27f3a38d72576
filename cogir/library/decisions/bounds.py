"""
Bounds of drift-diffusion models as functions of time.
"""

import numpy as np

from cogir.library.signature import Static, Value


def bound_at(time: Value, threshold: Value, bound: Static, collapse_time: Value, collapse_shape: Value, asymptote: Value) -> Value:
    """The height of the bounds at a time; `drift_diffusion_decision` has the formulas."""
    if bound == "constant":
        return threshold
    if bound == "linear":
        return threshold * np.maximum(asymptote, 1.0 - time / collapse_time)
    if bound == "exponential":
        return threshold * (asymptote + (1.0 - asymptote) * np.exp(-time / collapse_time))
    if bound == "weibull":
        return threshold * (asymptote + (1.0 - asymptote) * np.exp(-np.exp(collapse_shape * np.log(time / collapse_time))))
    if isinstance(bound, str) or bound is None:
        raise ValueError('bound is none of "constant", "linear", "exponential" and "weibull"; give one of them or a function')
    return bound(time, threshold)


def check_single(parameters: Value) -> None:
    """Raises `ValueError` for a parameter of several elements; each is given with its name."""
    for name, value in parameters:
        if np.size(value) > 1:
            raise ValueError(f"{name} has several elements; give a single number")


def side_of(value: Value, height: Value) -> Value:
    """1 if the value has reached the upper bound, -1 if the lower one, else 0."""
    side = 1.0 if value >= 0.0 else -1.0
    return side if abs(value) >= height else 0.0
