"""PsyNeuLink's timer functions: from `initial` to `final` in `duration`, along a line or a curve."""

import numpy as np

from cogir.library.signature import Positive, Value


def linear_timer(variable: Value, *, initial: Value = 0.0, final: Value = 1.0, duration: Positive = 1.0) -> Value:
    """
    `(final - initial) / duration * variable + initial`

    Differs: only PsyNeuLink has it, as a timer; it goes on beyond `final`. `linear` has a slope and an intercept.

    Parameters (numbers, or arrays that broadcast): `initial` and `final`, the values at time 0 and at `duration` (> 0), in units of the
    input.

    Input: `variable`, the time since the start, of any shape. Output: `value`, of that shape.

    Source: PsyNeuLink `LinearTimer`.

        library.psyneulink.linear_timer(np.array([0.0, 5.0]), duration=10.0)  # [0.0, 0.5]
    """
    return (final - initial) / duration * variable + initial


def accelerating_timer(variable: Value, *, initial: Value = 0.0, final: Value = 1.0, duration: Positive = 1.0, rate: Value = 1.0) -> Value:
    """
    `initial + (final - initial) * p * exp(p - 1)` with `p = (variable / duration) ** rate`

    Differs: only PsyNeuLink defines it.

    Parameters (numbers, or arrays that broadcast): `initial` and `final`, the values at time 0 and at `duration` (> 0), in units of the
    input; `rate` (> 0), an exponent.

    Input: `variable` (>= 0), the time since the start, of any shape. Output: `value`, of that shape.

    Source: PsyNeuLink `AcceleratingTimer`.

        library.psyneulink.accelerating_timer(np.array([0.0, 5.0, 10.0]), duration=10.0)  # [0.0, 0.303, 1.0]
    """
    progress = np.power(variable / duration, rate)
    return initial + (final - initial) * progress * np.exp(progress - 1.0)


def decelerating_timer(variable: Value, *, initial: Value = 1.0, final: Value = 0.0, duration: Positive = 1.0, rate: Value = 1.0) -> Value:
    """
    `(initial - final - d) / exp(log(-d * (initial - final - d)) * (variable / duration) ** rate) + final + d` with `d` the sign of `final -
    initial`

    Differs: only PsyNeuLink defines it.

    Parameters: `initial` and `final`, numbers, the values at time 0 and at `duration` (> 0), in units of the input; `rate` (> 0), an
    exponent.

    Input: `variable` (>= 0), the time since the start, of any shape. Output: `value`, of that shape.

    Source: PsyNeuLink `DeceleratingTimer`.

        library.psyneulink.decelerating_timer(np.array([0.0, 5.0, 10.0]), duration=10.0)  # [1.0, 0.414, 0.0]
    """
    direction = 1.0 if final > initial else -1.0
    span = initial - final - direction
    return span / np.exp(np.log(-direction * span) * np.power(variable / duration, rate)) + final + direction


def asymptotic_timer(
    variable: Value, *, initial: Value = 1.0, final: Value = 0.0, duration: Positive = 1.0, tolerance: Positive = 0.01
) -> Value:
    """
    `(initial - final) * exp(variable * log(tolerance) / duration) + final`

    Differs: only PsyNeuLink has it, as a timer; it does not reach `final`.

    Parameters (numbers, or arrays that broadcast): `initial`, the value at time 0; `final`, the limit; `duration` (> 0), in units of the
    input, after which the share `tolerance` (> 0, below 1) of the way is left.

    Input: `variable`, the time since the start, of any shape. Output: `value`, of that shape.

    Source: PsyNeuLink `AsymptoticTimer`.

        library.psyneulink.asymptotic_timer(np.array([0.0, 10.0]), duration=10.0)  # [1.0, 0.01]
    """
    return (initial - final) * np.exp(variable * np.log(tolerance) / duration) + final
