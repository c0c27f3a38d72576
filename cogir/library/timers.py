"""Timer functions: from `initial` to `final` in `duration`, along a line or a curve (PsyNeuLink's timer functions)."""

import numpy as np

from cogir.library.signature import Positive, Value


def linear_timer(variable: Value, *, initial: Value = 0.0, final: Value = 1.0, duration: Positive = 1.0) -> Value:
    """`(final - initial) / duration * variable + initial` (PsyNeuLink `LinearTimer`)."""
    return (final - initial) / duration * variable + initial


def accelerating_timer(variable: Value, *, initial: Value = 0.0, final: Value = 1.0, duration: Positive = 1.0, rate: Value = 1.0) -> Value:
    """`initial + (final - initial) * p * exp(p - 1)` with `p = (variable / duration) ** rate` (PsyNeuLink `AcceleratingTimer`)."""
    progress = np.power(variable / duration, rate)
    return initial + (final - initial) * progress * np.exp(progress - 1.0)


def decelerating_timer(variable: Value, *, initial: Value = 1.0, final: Value = 0.0, duration: Positive = 1.0, rate: Value = 1.0) -> Value:
    """
    `(initial - final - d) / exp(log(-d * (initial - final - d)) * (variable / duration) ** rate) + final + d`, `d` the sign of
    `final - initial` (PsyNeuLink `DeceleratingTimer`).
    """
    direction = 1.0 if final > initial else -1.0
    span = initial - final - direction
    return span / np.exp(np.log(-direction * span) * np.power(variable / duration, rate)) + final + direction


def asymptotic_timer(
    variable: Value, *, initial: Value = 1.0, final: Value = 0.0, duration: Positive = 1.0, tolerance: Positive = 0.01
) -> Value:
    """`(initial - final) * exp(variable * log(tolerance) / duration) + final` (PsyNeuLink `AsymptoticTimer`)."""
    return (initial - final) * np.exp(variable * np.log(tolerance) / duration) + final
