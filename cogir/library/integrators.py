"""
Integrators: functions that carry a value from one execution to the next.

`previous_value` is the state; the docstrings write it `v`, the input `x`, a standard normal `N`. Names, parameters and the order of
operations are PsyNeuLink's. `noise` is a number or an array that is added; where noise is drawn, the function takes a generator.
"""

import numpy as np

from cogir.library.signature import NonNegative, Positive, Random, State, Static, Step, Value, node_function


def accumulator_integrator(
    variable: Value, *, rate: Value = 1.0, increment: Value = 0.0, noise: Value = 0.0, previous_value: State = 0.0
) -> Value:
    """`v' = v * rate + noise + increment`; the input gives only the shape (PsyNeuLink `AccumulatorIntegrator`)."""
    value = previous_value * rate + noise + increment + np.zeros(variable.shape)
    return Step(outputs=(value,), states=(value,))


def simple_integrator(variable: Value, *, rate: Value = 1.0, noise: Value = 0.0, offset: Value = 0.0, previous_value: State = 0.0) -> Value:
    """`v' = v + x * rate + noise + offset` (PsyNeuLink `SimpleIntegrator`)."""
    value = previous_value + variable * rate + noise + offset
    return Step(outputs=(value,), states=(value,))


def adaptive_integrator(
    variable: Value, *, rate: Value = 0.5, noise: Value = 0.0, offset: Value = 0.0, previous_value: State = 0.0
) -> Value:
    """`v' = (1 - rate) * v + rate * x + noise + offset`, a moving average (PsyNeuLink `AdaptiveIntegrator`)."""
    value = (1.0 - rate) * previous_value + rate * variable + noise + offset
    return Step(outputs=(value,), states=(value,))


def dual_adaptive_integrator(
    variable: Value,
    *,
    short_term_rate: Value = 0.9,
    long_term_rate: Value = 0.1,
    short_term_gain: Value = 1.0,
    long_term_gain: Value = 1.0,
    short_term_bias: Value = 0.0,
    long_term_bias: Value = 0.0,
    offset: Value = 0.0,
    operation: Static = "product",
    previous_short_term_avg: State = 0.0,
    previous_long_term_avg: State = 0.0,
) -> Value:
    """
    Two averages `a' = (1 - a) * rate + a * x`, each through a logistic `s`, `l`, combined (PsyNeuLink `DualAdaptiveIntegrator`).

    `operation`: "product" `(1 - s) * l`, "sum" `1 - s + l`, "s-l" `1 - s - l`, "l-s" `l - (1 - s)`; then plus `offset`.
    In a moving average, `rate` and `a` would change places; PsyNeuLink 0.21 computes it in this way, and so does this.
    """
    short = (1.0 - previous_short_term_avg) * short_term_rate + previous_short_term_avg * variable
    long = (1.0 - previous_long_term_avg) * long_term_rate + previous_long_term_avg * variable
    s = 1.0 / (1.0 + np.exp(-(short_term_gain * short) + short_term_bias))
    w = 1.0 / (1.0 + np.exp(-(long_term_gain * long) + long_term_bias))
    if operation == "product":
        value = (1.0 - s) * w
    elif operation == "sum":
        value = 1.0 - s + w
    elif operation == "s-l":
        value = 1.0 - s - w
    else:
        value = w - (1.0 - s)
    return Step(outputs=(value + offset,), states=(short, long))


def leaky_competing_integrator(
    variable: Value,
    *,
    rate: Value = 0.0,
    noise: Value = 0.0,
    offset: Value = 0.0,
    time_step_size: NonNegative = 0.1,
    previous_value: State = 0.0,
) -> Value:
    """`v' = v + (-rate * v + x) * dt + noise * sqrt(dt) + offset` (PsyNeuLink `LeakyCompetingIntegrator`; Usher and McClelland 2001)."""
    value = previous_value + (-rate * previous_value + variable) * time_step_size + noise * np.sqrt(time_step_size)
    value = value + offset
    return Step(outputs=(value,), states=(value,))


def interactive_activation_integrator(
    variable: Value,
    *,
    rate: Value = 1.0,
    decay: Value = 0.0,
    rest: Value = 0.0,
    max_val: Value = 1.0,
    min_val: Value = -1.0,
    noise: Value = 0.0,
    previous_value: State = 0.0,
) -> Value:
    """
    `v' = v + rate * (x + noise) * d - decay * (v - rest)` with `d = max - v` where `x > 0`, `v - min` where `x < 0`, else 0
    (PsyNeuLink `InteractiveActivationIntegrator`; McClelland and Rumelhart 1981).
    """
    distance = np.where(variable > 0.0, max_val - previous_value, np.where(variable < 0.0, previous_value - min_val, 0.0))
    value = previous_value + rate * (variable + noise) * distance - decay * (previous_value - rest)
    return Step(outputs=(value,), states=(value,))


@node_function(outputs=("value", "time"))
def drift_diffusion_integrator(
    variable: Value,
    *,
    rate: Value = 1.0,
    noise: NonNegative = 0.0,
    offset: Value = 0.0,
    threshold: NonNegative = 100.0,
    time_step_size: NonNegative = 1.0,
    previous_value: State = 0.0,
    previous_time: State = 0.0,
    random: Random,
) -> Value:
    """
    `v' = clip(v + rate * x * dt + noise * sqrt(dt) * N + offset, -threshold, threshold)`, `t' = t + dt` (PsyNeuLink
    `DriftDiffusionIntegrator`), finished when the first element has reached the threshold, as PsyNeuLink's `DDM` is.
    """
    draw = random.normal(variable.shape)
    value = previous_value + rate * variable * time_step_size + noise * np.sqrt(time_step_size) * draw
    value = np.clip(value + offset, -threshold, threshold)
    time = previous_time + time_step_size
    return Step(outputs=(value, time), states=(value, time), finished=abs(value[0]) >= threshold)


@node_function(outputs=("value", "time"))
def ornstein_uhlenbeck_integrator(
    variable: Value,
    *,
    rate: Value = 1.0,
    decay: Value = 1.0,
    noise: NonNegative = 0.0,
    offset: Value = 0.0,
    time_step_size: NonNegative = 1.0,
    previous_value: State = 0.0,
    previous_time: State = 0.0,
    random: Random,
) -> Value:
    """
    `v' = v + (decay * v - rate * x) * dt + sqrt(dt * noise) * N + offset`, one `N` for all elements, `t' = t + dt` (PsyNeuLink
    `OrnsteinUhlenbeckIntegrator`).
    """
    draw = random.normal()
    value = previous_value + (decay * previous_value - rate * variable) * time_step_size
    value = value + np.sqrt(time_step_size * noise) * draw + offset
    time = previous_time + time_step_size
    return Step(outputs=(value, time), states=(value, time))


def _fitz_hugh_nagumo_dv(
    variable: Value,
    v: Value,
    w: Value,
    a_v: Value,
    b_v: Value,
    c_v: Value,
    d_v: Value,
    e_v: Value,
    f_v: Value,
    time_constant_v: Value,
    threshold: Value,
) -> Value:
    """The slope of the fast variable."""
    cubic = a_v * (v * v * v) + (1.0 + threshold) * b_v * (v * v) + -threshold * c_v * v
    return (cubic + d_v + e_v * w + f_v * variable) / time_constant_v


def _fitz_hugh_nagumo_dw(
    v: Value, w: Value, mode: Value, a_w: Value, b_w: Value, c_w: Value, uncorrelated_activity: Value, time_constant_w: Value
) -> Value:
    """The slope of the slow variable."""
    return (mode * a_w * v + b_w * w + c_w + (1.0 - mode) * uncorrelated_activity) / time_constant_w


@node_function(outputs=("v", "w", "time"))
def fitz_hugh_nagumo_integrator(
    variable: Value,
    *,
    a_v: Value = -1.0 / 3.0,
    b_v: Value = 0.0,
    c_v: Value = 1.0,
    d_v: Value = 0.0,
    e_v: Value = -1.0,
    f_v: Value = 1.0,
    time_constant_v: Positive = 1.0,
    threshold: Value = -1.0,
    a_w: Value = 1.0,
    b_w: Value = -0.8,
    c_w: Value = 0.7,
    mode: Value = 1.0,
    uncorrelated_activity: Value = 0.0,
    time_constant_w: Positive = 12.5,
    time_step_size: NonNegative = 0.05,
    integration_method: Static = "rk4",
    previous_v: State = 0.0,
    previous_w: State = 0.0,
    previous_time: State = 0.0,
) -> Value:
    """
    One step of the FitzHugh-Nagumo oscillator, Runge-Kutta or Euler (PsyNeuLink `FitzHughNagumoIntegrator`).

    PsyNeuLink's Runge-Kutta takes the *other* variable's value from before the step in all four slopes; so does this. It is therefore no
    Runge-Kutta step of the system, and its order is 1 instead of 4: use `fitz_hugh_nagumo`, unless you need PsyNeuLink's numbers.
    """
    dt = time_step_size
    v, w = previous_v, previous_w
    v1 = _fitz_hugh_nagumo_dv(variable, v, w, a_v, b_v, c_v, d_v, e_v, f_v, time_constant_v, threshold)
    w1 = _fitz_hugh_nagumo_dw(v, w, mode, a_w, b_w, c_w, uncorrelated_activity, time_constant_w)
    if integration_method == "euler":
        new_v = v + dt * v1
        new_w = w + dt * w1
    else:
        v2 = _fitz_hugh_nagumo_dv(variable, v + 0.5 * dt * v1, w, a_v, b_v, c_v, d_v, e_v, f_v, time_constant_v, threshold)
        w2 = _fitz_hugh_nagumo_dw(v, w + 0.5 * dt * w1, mode, a_w, b_w, c_w, uncorrelated_activity, time_constant_w)
        v3 = _fitz_hugh_nagumo_dv(variable, v + 0.5 * dt * v2, w, a_v, b_v, c_v, d_v, e_v, f_v, time_constant_v, threshold)
        w3 = _fitz_hugh_nagumo_dw(v, w + 0.5 * dt * w2, mode, a_w, b_w, c_w, uncorrelated_activity, time_constant_w)
        v4 = _fitz_hugh_nagumo_dv(variable, v + dt * v3, w, a_v, b_v, c_v, d_v, e_v, f_v, time_constant_v, threshold)
        w4 = _fitz_hugh_nagumo_dw(v, w + dt * w3, mode, a_w, b_w, c_w, uncorrelated_activity, time_constant_w)
        new_v = v + dt / 6.0 * (v1 + 2.0 * (v2 + v3) + v4)
        new_w = w + dt / 6.0 * (w1 + 2.0 * (w2 + w3) + w4)
    time = previous_time + dt
    return Step(outputs=(new_v, new_w, time), states=(new_v, new_w, time))
