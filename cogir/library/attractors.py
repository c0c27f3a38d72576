# NumPy types a few functions only in part.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false
"""Attractor networks: Hopfield's network, and a ring whose bump of activity holds an angle in memory, with and without noise."""

import numpy as np

from cogir.library.signature import NonNegative, Positive, Random, State, Step, Value, node_function
from cogir.library.solvers import rk4


def hopfield_storage(patterns: Value) -> Value:
    """
    `w_ij = 1 / n * sum_p(x_pi * x_pj)`, 0 on the diagonal: the weights that store patterns

    Input: `patterns` (p, n), of elements -1 and 1. Output: `value` (n, n). About 0.138 n random patterns can be recalled; with more, none
    can. If n is no power of two, the weights are rounded: the sum over inputs that cancel is then not exactly 0, and its sign is that of
    the rounding.

    Source: Hopfield (1982).

        model.node("store", library.hopfield_storage, input=(3, 100))
    """
    if patterns.ndim != 2:
        raise ValueError("patterns has another shape than (p, n); give a matrix, one row for each pattern")
    n = patterns.shape[1]
    return (patterns.T @ patterns) * (1.0 - np.eye(n)) / n


def _sign(field: Value, previous: Value) -> Value:
    """-1 or 1; the previous state if the field is 0."""
    return np.where(field > 0.0, 1.0, np.where(field < 0.0, -1.0, np.where(np.isnan(field), np.nan, previous)))


def _hopfield_energy(state: Value, weights: Value, threshold: Value) -> Value:
    """The energy of a state."""
    return -0.5 * (state @ (weights @ state)) + np.sum(threshold * state)


@node_function(outputs=("state", "energy"))
def hopfield_synchronous(variable: Value, weights: Value, *, threshold: Value = 0.0) -> Value:
    """
    `s_i' = sign(sum_j(w_ij * s_j) - threshold_i)` for all units at once, `s_i` if the sum equals the threshold

    Parameter: `threshold`, a number, or one for each unit.

    Inputs: `variable` (n,), the state s, of -1 and 1; `weights` (n, n), those of `hopfield_storage`. Outputs: `state` (n,), the next one,
    and `energy`, its energy `-1 / 2 * s' @ w @ s' + threshold @ s'`, a number. Repeated updates of all units at once may alternate between
    two states; `hopfield_asynchronous` always ends in one.

    Source: Hopfield (1982).

        model.node("recall", library.hopfield_synchronous, input={"variable": 100, "weights": (100, 100)})
    """
    state = _sign(weights @ variable - threshold, variable)
    return state, _hopfield_energy(state, weights, threshold)


@node_function(outputs=("state", "energy"))
def hopfield_asynchronous(variable: Value, weights: Value, *, threshold: Value = 0.0, random: Random) -> Value:
    """
    `s_i' = sign(sum_j(w_ij * s_j) - threshold_i)` for one unit after the other, each once in random order

    Parameter: `threshold`, a number, or one for each unit.

    Inputs: `variable` (n,), the state s, of -1 and 1; `weights` (n, n), those of `hopfield_storage`. Outputs: `state` (n,) and `energy`, as
    of `hopfield_synchronous`. Each unit sees the units that were updated before it. If the weights are symmetric and have no negative
    element on the diagonal, the energy never increases, so repeated updates end in a stable state. Draws: `n - 1` integers, for the order.

    Source: Hopfield (1982).

        model.node("recall", library.hopfield_asynchronous, input={"variable": 100, "weights": (100, 100)})
    """
    n = variable.size
    order = np.arange(n)
    for k in range(n - 1):
        other = k + random.integer(n - k)
        swapped = order[other]
        order[other] = order[k]
        order[k] = swapped
    thresholds = threshold + np.zeros(n)
    state = variable + 0.0
    for k in range(n):
        i = order[k]
        field = np.sum(weights[i] * state) - thresholds[i]
        if field > 0.0:
            state[i] = 1.0
        elif field < 0.0:
            state[i] = -1.0
        elif np.isnan(field):
            state[i] = np.nan
    return state, _hopfield_energy(state, weights, threshold)


def _ring_slope(
    t: Value, rates: Value, drive: Value, cosines: Value, sines: Value, uniform_weight: Value, cosine_weight: Value, tau: Value
) -> Value:
    """The slopes of the rates; the cosine of a difference is a sum of two products, so n units need no matrix."""
    recurrent = uniform_weight * np.mean(rates)
    recurrent = recurrent + cosine_weight * (cosines * np.mean(cosines * rates) + sines * np.mean(sines * rates))
    return (np.maximum(drive + recurrent, 0.0) - rates) / tau


@node_function(outputs=("rates", "angle", "amplitude"))
def ring_attractor(
    variable: Value,
    *,
    uniform_weight: Value = -4.0,
    cosine_weight: Value = 4.0,
    background: Value = 1.0,
    time_constant: Positive = 10.0,
    time_step_size: Positive = 1.0,
    rates: State = 0.0,
) -> Value:
    """
    One step of a ring of rate neurons that prefer the angles `theta_i = 2 * pi * i / n`:

        tau * dr_i/dt = -r_i + max(b + x_i + 1 / n * sum_j((J0 + J1 * cos(theta_i - theta_j)) * r_j), 0)

    Parameters: `uniform_weight` (J0), without unit; `cosine_weight` (J1), without unit; `background` (b), in the unit of rates and drives;
    `time_constant` (tau, > 0) and `time_step_size` (> 0), in ms.

    Input: `variable` (n,), the drive x, with n at least 3. Outputs: `rates` (n,); `angle`, that of the sum of the rates as vectors, in rad
    from -pi to pi (0 for equal rates, where it means nothing); `amplitude`, `|1 / n * sum_j(r_j * exp(i * theta_j))|`. State: `rates`,
    which start at 0 and are kept until the node is reset. The step is one of `rk4`; there is no noise
    (`noisy_ring_attractor` has some).

    If `J1 > 2` and b is positive, a bump of activity stays after the drive has gone, at any angle: it remembers the drive. With the
    defaults it is 180 degrees wide and has the amplitude `pi / 16`. If `J0` is not negative enough, the rates grow without limit. Few units
    pin the bump, which drifts towards angles that depend on n: with 64 units by less than 0.01 rad in 1 s.

    Source: Ben-Yishai, Bar-Or and Sompolinsky (1995).

        model.node("memory", library.ring_attractor, input=64, time_step_size=1.0)
    """
    n = variable.size
    if n < 3:
        raise ValueError("the ring has fewer than 3 units, which cannot represent an angle; give the node an input of at least 3 elements")
    angles = 2.0 * np.pi * np.arange(n) / n
    cosines, sines = np.cos(angles), np.sin(angles)
    args = (background + variable, cosines, sines, uniform_weight, cosine_weight, time_constant)
    new = rk4(_ring_slope, 0.0, rates + np.zeros(n), time_step_size, args)
    x, y = np.mean(cosines * new), np.mean(sines * new)
    return Step(outputs=(new, np.arctan2(y, x), np.hypot(x, y)), states=(new,))


@node_function(outputs=("rates", "angle", "amplitude"))
def noisy_ring_attractor(
    variable: Value,
    *,
    noise: NonNegative = 0.01,
    uniform_weight: Value = -4.0,
    cosine_weight: Value = 4.0,
    background: Value = 1.0,
    time_constant: Positive = 10.0,
    time_step_size: Positive = 1.0,
    rates: State = 0.0,
    random: Random,
) -> Value:
    """
    One step of `ring_attractor`, and noise: `r_i + noise * sqrt(dt) * N_i`, where r is the step without noise

    Parameters: `noise` (>= 0), the standard deviation of the noise of a rate, per square root of time (ms); `uniform_weight` (J0),
    `cosine_weight` (J1), `background` (b), `time_constant` (tau, > 0) and `time_step_size` (> 0), in ms, as of `ring_attractor`.

    Input: `variable` (n,), the drive x, with n at least 3. Outputs: `rates` (n,), `angle` and `amplitude`, as of `ring_attractor`, whose
    bits these are if the noise is 0. State: `rates`, with the noise, kept until the node is reset. Draws: n standard normals N_i in each
    step, one for each unit.

    The noise moves the bump, which then performs a random walk: the variance of the remembered angle grows in proportion to time and to
    `noise ** 2`, and in inverse proportion to the number of units (with the defaults and 64 units by 0.002 rad^2 in 100 ms).

    Source: Kilpatrick and Ermentrout (2013), additive noise; Ben-Yishai, Bar-Or and Sompolinsky (1995), the ring.

        model.node("memory", library.noisy_ring_attractor, input=64, noise=0.02)
    """
    shocks = noise * np.sqrt(time_step_size) * random.normal(variable.size)
    step = ring_attractor(
        variable,
        uniform_weight=uniform_weight,
        cosine_weight=cosine_weight,
        background=background,
        time_constant=time_constant,
        time_step_size=time_step_size,
        rates=rates,
    )
    new = step.outputs[0] + shocks
    angles = 2.0 * np.pi * np.arange(variable.size) / variable.size
    x, y = np.mean(np.cos(angles) * new), np.mean(np.sin(angles) * new)
    return Step(outputs=(new, np.arctan2(y, x), np.hypot(x, y)), states=(new,))
