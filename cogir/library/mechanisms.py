"""
Mechanisms: an integrator and the transfer function behind it in one node function, as in PsyNeuLink's transfer mechanisms.

The state is the integrated value, before the transfer function. Recurrent weights are a recurrent projection of the model.
"""

import numpy as np

from cogir.library.signature import NonNegative, Random, State, Step, Value, node_function
from cogir.library.transfer import linear, logistic


def integrated_linear(
    variable: Value,
    *,
    integration_rate: Value = 0.5,
    noise: Value = 0.0,
    slope: Value = 1.0,
    intercept: Value = 0.0,
    previous_value: State = 0.0,
) -> Step:
    """
    `v' = (1 - integration_rate) * v + integration_rate * x + noise`, then `v' * slope + intercept`.

    PsyNeuLink `TransferMechanism(integrator_mode=True)` with `Linear`.
    """
    value = (1.0 - integration_rate) * previous_value + integration_rate * variable + noise
    return Step(outputs=(linear(value, slope=slope, intercept=intercept),), states=(value,))


def integrated_logistic(
    variable: Value,
    *,
    integration_rate: Value = 0.5,
    noise: Value = 0.0,
    gain: Value = 1.0,
    bias: Value = 0.0,
    x_0: Value = 0.0,
    previous_value: State = 0.0,
) -> Step:
    """
    `v' = (1 - integration_rate) * v + integration_rate * x + noise`, then `1 / (1 + exp(-gain * (v' + bias - x_0)))`.

    PsyNeuLink `TransferMechanism(integrator_mode=True)` with `Logistic`.
    """
    value = (1.0 - integration_rate) * previous_value + integration_rate * variable + noise
    return Step(outputs=(logistic(value, gain=gain, bias=bias, x_0=x_0),), states=(value,))


@node_function(outputs=("result", "steps"))
def leaky_competing_accumulator(
    variable: Value,
    *,
    leak: NonNegative = 0.5,
    noise: NonNegative = 1.0,
    time_step_size: NonNegative = 0.1,
    gain: Value = 1.0,
    bias: Value = 0.0,
    x_0: Value = 0.0,
    threshold: NonNegative = 1.0,
    previous_value: State = 0.0,
    steps: State = 0.0,
    random: Random,
) -> Step:
    """
    `v' = v + (-leak * v + x) * dt + noise * N * sqrt(dt)`, then a logistic; finished when the largest result reaches `threshold`.

    PsyNeuLink `LCAMechanism` with `NormalDist` noise of standard deviation `noise` (Usher and McClelland 2001). The second output counts
    the executions since the last reset; reset the node, or only its state `steps`, at the start of each trial to count those of a trial.
    """
    draw = 0.0 + noise * random.normal(variable.shape)
    value = previous_value + (-leak * previous_value + variable) * time_step_size + draw * np.sqrt(time_step_size)
    result = logistic(value, gain=gain, bias=bias, x_0=x_0)
    return Step(outputs=(result, steps + 1.0), states=(value, steps + 1.0), finished=np.max(result) >= threshold)
