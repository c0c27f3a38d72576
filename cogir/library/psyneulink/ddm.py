"""
The drift-diffusion model in closed form, as PsyNeuLink computes it, for constant bounds at `-threshold` and `+threshold`.

Mean response time and error rate (Bogacz et al. 2006) and the moments of the conditional response times (Srivastava et al. 2016), in
PsyNeuLink's order of operations and with its limits.
"""

import numpy as np

from cogir.library.signature import NonNegative, Positive, Random, Static, Value, node_function


def _coth(x: Value) -> Value:
    return 1.0 / np.tanh(x)


def _csch(x: Value) -> Value:
    return 1.0 / np.sinh(x)


def _moments(drift: Value, noise: Value, threshold: Value, bias: Value, non_decision_time: Value) -> Value:
    """
    Mean, variance and skewness of the response times at the upper and at the lower threshold: three arrays of two.

    Both thresholds and the whole way go through `tanh` and `sinh` side by side.
    """
    start = (bias - 0.5) * 2.0 * threshold
    if abs(drift) < 0.01:
        drift = 0.01
    unit = noise * noise / (drift * drift)
    x = max(-100.0, min(100.0, drift * start / (noise * noise)))
    z = max(-100.0, min(100.0, drift * threshold / (noise * noise)))
    if abs(z) < 0.0001:
        z = 0.0001
    ways = np.array([z + x, z + -x, 2.0 * z])
    coth, csch = _coth(ways), _csch(ways)
    part, full = ways[:2], ways[2]
    # Of means, variances and skewnesses in units of `unit`: the terms of the whole way less those of the part.
    mean = full * coth[2] - part * coth[:2]
    spread = full * full * (csch[2] * csch[2]) - part * part * (csch[:2] * csch[:2])
    cubic = full * full * full * coth[2] * (csch[2] * csch[2]) - part * part * part * coth[:2] * (csch[:2] * csch[:2])
    variance = unit * unit * (spread + mean)
    skew = unit * unit * unit * (3.0 * spread + 2.0 * cubic + 3.0 * mean)
    return unit * mean + non_decision_time, variance, skew / variance**1.5


def _response(
    drift: Value, noise: Value, threshold: Value, bias: Value, non_decision_time: Value, shenhav_et_al_compat_mode: Static = False
) -> Value:
    """Mean response time and probability of ending at the lower threshold."""
    if abs(drift) < 1e-8:
        start = bias * 2.0 * threshold - threshold
        time = non_decision_time + (threshold * threshold - start * start) / (noise * noise)
        return time, (threshold - start) / (2.0 * threshold)
    speed = abs(drift)
    z = threshold / speed
    a = speed / noise * (speed / noise)
    adjusted = 1.0 - bias if drift < 0.0 else bias
    y = noise * noise / 2.0 * np.log(adjusted / (1.0 - adjusted))
    if abs(y) > threshold:
        if shenhav_et_al_compat_mode:
            y = -threshold if y < 0.0 else threshold
        else:
            y = -threshold if drift < 0.0 else threshold
    x = y / speed
    e_x, e_up, e_down = np.exp(np.array([-2.0 * x * a, 2.0 * z * a, -2.0 * z * a]))
    if shenhav_et_al_compat_mode:
        e_x = max(1e-12, e_x)
        e_up = min(1e12, e_up)
        e_down = max(1e-12, e_down)
    elif e_up > 1.7976931348623157e308 or e_x > 1.7976931348623157e308 or e_down < 2.2250738585072014e-308:
        # Where PsyNeuLink meets an overflow or underflow, it takes the limit of a process without noise.
        error = 1.0 if drift < 0.0 else 0.0
        return z / a - x + non_decision_time, error
    share = (1.0 - e_x) / (e_up - e_down)
    time = z * np.tanh(z * a) + (2.0 * z * (1.0 - e_x) / (e_up - e_down) - x)
    error = 1.0 / (1.0 + e_up) - share
    if shenhav_et_al_compat_mode:
        time = max(time, 0.0)
    if drift < 0.0:
        error = 1.0 - error
    return time + non_decision_time, error


def _bias(starting_value: Value, threshold: Value) -> Value:
    """The start between the thresholds, 0 at the lower and 1 at the upper, kept inside."""
    bias = (starting_value + threshold) / (2.0 * threshold)
    if bias <= 0.0:
        bias = 1e-8
    if bias >= 1.0:
        bias = 1.0 - 1e-8
    return bias


@node_function(
    outputs=(
        "response_time",
        "error_rate",
        "mean_rt_plus",
        "var_rt_plus",
        "skew_rt_plus",
        "mean_rt_minus",
        "var_rt_minus",
        "skew_rt_minus",
    )
)
def drift_diffusion_moments(
    variable: Value,
    *,
    drift_rate: Value = 1.0,
    threshold: Positive = 1.0,
    starting_value: Value = 0.0,
    noise: NonNegative = 0.5,
    non_decision_time: NonNegative = 0.2,
    shenhav_et_al_compat_mode: Static = False,
) -> Value:
    """
    Mean response time, error rate, and moments of the response times at each threshold, of the drift diffusion `dx = drift_rate * variable
    * dt + noise * dW` to `-threshold` or `+threshold`.

    Differs: for a `starting_value` b other than 0, `response_time` and `error_rate` are those of another start, `noise**2 / (2 * drift) *
    log((threshold + b) / (threshold - b))`; only the moments are those of a start at b. Drifts below 0.01 in magnitude count as 0.01 in the
    moments. `drift_diffusion_decision` simulates any start and drift.

    Parameters: `drift_rate`, per unit of time, for an input of 1; `threshold` (> 0), the distance of each bound from 0; `starting_value`,
    between the bounds, else it is moved just inside them; `noise` (>= 0), a standard deviation per square root of time, with which 0 gives
    NaN as moments; `non_decision_time` (>= 0), in units of time, which is added to all mean times; `shenhav_et_al_compat_mode` (False or
    True), which limits exponentials to 1e-12 and 1e12.

    Input: `variable` (1,), the evidence. Outputs, each a number: `response_time`, the mean over both thresholds; `error_rate`, the
    probability of the lower threshold; `mean_rt_plus`, `var_rt_plus` and `skew_rt_plus`, the moments of the response times at the upper
    threshold, and `mean_rt_minus`, `var_rt_minus` and `skew_rt_minus`, those at the lower one. Where an exponential overflows, mean and
    error rate are those without noise. Nothing is drawn.

    Sources: Bogacz et al. (2006), mean and error rate; Srivastava et al. (2016), moments; PsyNeuLink `DriftDiffusionAnalytical`.

        model.node("times", library.psyneulink.drift_diffusion_moments, input=1, drift_rate=0.8, threshold=1.2, noise=0.5)
    """
    drift = drift_rate * variable[0]
    bias = _bias(starting_value, threshold)
    time, lower = _response(drift, noise, threshold, bias, non_decision_time, shenhav_et_al_compat_mode=shenhav_et_al_compat_mode)
    mean, variance, skew = _moments(drift, noise, threshold, bias, non_decision_time)
    return time, lower, mean[0], variance[0], skew[0], mean[1], variance[1], skew[1]


@node_function(
    outputs=(
        "decision",
        "response_time",
        "probability_upper",
        "probability_lower",
        "correct_mean",
        "correct_variance",
        "correct_skew",
        "incorrect_mean",
        "incorrect_variance",
        "incorrect_skew",
    )
)
def drift_diffusion_analytical(
    variable: Value,
    *,
    drift_rate: Value = 1.0,
    threshold: Positive = 1.0,
    starting_value: Value = 0.0,
    noise: NonNegative = 0.5,
    non_decision_time: NonNegative = 0.2,
    shenhav_et_al_compat_mode: Static = False,
    random: Random,
) -> Value:
    """
    A decision of the drift diffusion `dx = drift_rate * variable * dt + noise * dW` to `-threshold` or `+threshold`, with the mean response
    time and moments in closed form.

    Differs: for a `starting_value` other than 0, the probabilities and `response_time` are those of another start, which
    `drift_diffusion_moments` gives, and `response_time` is a mean, not the time of this decision. `drift_diffusion_decision` has the choice
    and the response time of each trial, from any start.

    Parameters: `drift_rate`, per unit of time, for an input of 1; `threshold` (> 0); `starting_value`, between the bounds; `noise` (>= 0),
    a standard deviation per square root of time; `non_decision_time` (>= 0), in units of time; `shenhav_et_al_compat_mode` (False or True).
    They are those of `drift_diffusion_moments`.

    Input: `variable` (1,), the evidence. Outputs, each a number: `decision`, `threshold` or `-threshold`; `response_time`, the mean over
    both thresholds; `probability_upper` and `probability_lower`, of the thresholds; `correct_mean`, `correct_variance` and `correct_skew`
    of the response times at the upper threshold; `incorrect_mean`, `incorrect_variance` and `incorrect_skew` at the lower one. Draws: one
    uniform number, for the decision.

    Sources: Bogacz et al. (2006); Srivastava et al. (2016); PsyNeuLink `DDM` with `DriftDiffusionAnalytical`.

        model.node("decision", library.psyneulink.drift_diffusion_analytical, input=1, drift_rate=0.8, threshold=1.2, noise=0.5)
    """
    drift = drift_rate * variable[0]
    bias = _bias(starting_value, threshold)
    time, lower = _response(drift, noise, threshold, bias, non_decision_time, shenhav_et_al_compat_mode=shenhav_et_al_compat_mode)
    mean, variance, skew = _moments(drift, noise, threshold, bias, non_decision_time)
    decision = -threshold if random.uniform() < lower else threshold
    return decision, time, 1.0 - lower, lower, mean[0], variance[0], skew[0], mean[1], variance[1], skew[1]
