"""
PsyNeuLink's integrators: functions that carry a value from one execution to the next.

`previous_value` is the state; the docstrings write it `v`, the input `x`, a standard normal `N`. Names, parameters and the order of
operations are PsyNeuLink's. `noise` is a number or an array that is added; where noise is drawn, the function takes a generator.
"""

import numpy as np

from cogir.library.signature import NonNegative, Random, State, Static, Step, Value, node_function


def accumulator_integrator(
    variable: Value, *, rate: Value = 1.0, increment: Value = 0.0, noise: Value = 0.0, previous_value: State = 0.0
) -> Value:
    """
    `v' = v * rate + noise + increment`

    Differs: `noise` is a number that is added in each execution, and nothing is drawn; `rate` multiplies the state, not the input. Steps
    with noise per square root of time are those of `euler_maruyama`.

    Parameters (numbers, or arrays of the input's shape): `rate`, the share of v that stays; `increment`; `noise`.

    Input: `variable`, of any shape, which gives only the shape. Output: `value` (v'), of that shape. State: `previous_value` (v), which
    starts at 0 and is kept until the node is reset.

    Source: PsyNeuLink `AccumulatorIntegrator`.

        model.node("count", library.psyneulink.accumulator_integrator, input=1, increment=1.0)
    """
    value = previous_value * rate + noise + increment + np.zeros(variable.shape)
    return Step(outputs=(value,), states=(value,))


def simple_integrator(variable: Value, *, rate: Value = 1.0, noise: Value = 0.0, offset: Value = 0.0, previous_value: State = 0.0) -> Value:
    """
    `v' = v + x * rate + noise + offset`

    Differs: `noise` is a number that is added in each execution, and nothing is drawn. Steps with noise per square root of time are those
    of `drift_diffusion_integrator` and `euler_maruyama`.

    Parameters (numbers, or arrays of the input's shape): `rate`, which multiplies the input; `noise`; `offset`.

    Input: `variable` (x), of any shape. Output: `value` (v'), of that shape. State: `previous_value` (v), which starts at 0 and is kept
    until the node is reset.

    Source: PsyNeuLink `SimpleIntegrator`.

        model.node("sum", library.psyneulink.simple_integrator, input=2, rate=0.5)
    """
    value = previous_value + variable * rate + noise + offset
    return Step(outputs=(value,), states=(value,))


def adaptive_integrator(
    variable: Value, *, rate: Value = 0.5, noise: Value = 0.0, offset: Value = 0.0, previous_value: State = 0.0
) -> Value:
    """
    `v' = (1 - rate) * v + rate * x + noise + offset`, an exponential moving average

    Differs: `noise` is a number that is added in each execution, and nothing is drawn. Steps with noise per square root of time are those
    of `euler_maruyama`; without noise, `euler` for `dv/dt = (x - v) / tau` has this formula with `rate = dt / tau`.

    Parameters (numbers, or arrays of the input's shape): `rate` (0 to 1 for an average), the weight of the input; `noise`; `offset`.

    Input: `variable` (x), of any shape. Output: `value` (v'), of that shape. State: `previous_value` (v), which starts at 0 and is kept
    until the node is reset.

    Source: PsyNeuLink `AdaptiveIntegrator`.

        model.node("average", library.psyneulink.adaptive_integrator, input=2, rate=0.1)
    """
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
    Two averages, each through a logistic, combined:

        a' = (1 - a) * short_term_rate + a * x
        b' = (1 - b) * long_term_rate + b * x
        s = 1 / (1 + exp(-short_term_gain * a' + short_term_bias))
        l = 1 / (1 + exp(-long_term_gain * b' + long_term_bias))

    Differs: in a moving average, the rate and the average would change places, and the biases have a minus sign; PsyNeuLink 0.21 computes
    it in this way, and so does this. Moving averages are those of `psyneulink.adaptive_integrator`.

    Parameters (numbers, or arrays of the input's shape): `short_term_rate` and `long_term_rate`; `short_term_gain` and `long_term_gain`, of
    the logistics; `short_term_bias` and `long_term_bias`; `offset`, added to the result; `operation`: "product" `(1 - s) * l`, "sum" `1 - s
    + l`, "s-l" `1 - s - l` or "l-s" `l - (1 - s)`.

    Input: `variable` (x), of any shape. Output: `value`, the combination, of that shape. States: `previous_short_term_avg` (a) and
    `previous_long_term_avg` (b), which start at 0 and are kept until the node is reset.

    Source: PsyNeuLink `DualAdaptiveIntegrator`; Aston-Jones and Cohen (2005) for the idea.

        model.node("utility", library.psyneulink.dual_adaptive_integrator, input=1, operation="sum")
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
    elif operation == "l-s":
        value = w - (1.0 - s)
    else:
        raise ValueError('operation is none of "product", "sum", "s-l" and "l-s"; give one of them')
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
    """
    `v' = v + (-rate * v + x) * dt + noise * sqrt(dt) + offset` with `dt = time_step_size`

    Differs: `noise` is a number, and nothing is drawn; the leak is called `rate`, and there is no competition. `leaky_competing_decision`
    and `leaky_competing_accumulator` have a leak and draw their noise.

    Parameters (numbers, or arrays of the input's shape): `rate`, the leak per unit of time; `noise`; `offset`, which each step adds,
    whatever its length; `time_step_size` (>= 0).

    Input: `variable` (x), of any shape. Output: `value` (v'), of that shape. State: `previous_value` (v), which starts at 0 and is kept
    until the node is reset.

    Source: PsyNeuLink `LeakyCompetingIntegrator`; Usher and McClelland (2001).

        model.node("leaky", library.psyneulink.leaky_competing_integrator, input=2, rate=0.5)
    """
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
    `v' = v + rate * (x + noise) * d - decay * (v - rest)` with `d = max_val - v` where `x > 0`, `v - min_val` where `x < 0`, else 0

    Differs: `noise` is a number that is added to the input, and nothing is drawn; where the input is 0, noise has no effect. Steps with
    noise per square root of time are those of `euler_maruyama`.

    Parameters (numbers, or arrays of the input's shape): `rate`, per unit of input; `decay`, the share of the distance from `rest` that
    each execution takes away; `rest`, between the limits; `max_val` and `min_val`, the limits of v; `noise`.

    Input: `variable` (x), of any shape. Output: `value` (v'), of that shape. State: `previous_value` (v), which starts at 0 and is kept
    until the node is reset.

    Source: McClelland and Rumelhart (1981); PsyNeuLink `InteractiveActivationIntegrator`.

        model.node("letters", library.psyneulink.interactive_activation_integrator, input=3, rate=0.2, decay=0.1, min_val=-0.2)
    """
    distance = np.where(variable > 0.0, max_val - previous_value, np.where(variable < 0.0, previous_value - min_val, 0.0))
    value = previous_value + rate * (variable + noise) * distance - decay * (previous_value - rest)
    return Step(outputs=(value,), states=(value,))


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
    `v' = v + (decay * v - rate * x) * dt + sqrt(dt * noise) * N + offset`, `t' = t + dt` with `dt = time_step_size`

    Differs: `noise` is a variance per unit of time, with one `N` for all elements; a positive `decay` lets values grow, and a positive
    `rate` subtracts the input. `drift_diffusion_decision(leak=...)` and `euler_maruyama` have the usual signs and noise per square root of
    time.

    Parameters: `rate`, the weight of the input, per unit of time, subtracted; `decay`, per unit of time (below 0 for a process that returns
    to 0); `noise` (>= 0), a variance per unit of time; `offset`, which each step adds, whatever its length; `time_step_size` (>= 0).

    Input: `variable` (x), of any shape. Outputs: `value` (v'), of that shape, and `time` (t'), a number. States: `previous_value` (v) and
    `previous_time` (t), which start at 0 and are kept until the node is reset. Draws: one standard normal.

    Source: PsyNeuLink `OrnsteinUhlenbeckIntegrator`.

        model.node("ou", library.psyneulink.ornstein_uhlenbeck_integrator, input=1, rate=-1.0, decay=-0.5, noise=0.1, time_step_size=0.1)
    """
    draw = random.normal()
    value = previous_value + (decay * previous_value - rate * variable) * time_step_size
    value = value + np.sqrt(time_step_size * noise) * draw + offset
    time = previous_time + time_step_size
    return Step(outputs=(value, time), states=(value, time))
