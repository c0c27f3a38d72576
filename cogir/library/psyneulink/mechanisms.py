"""
An integrator and the transfer function behind it in one node function, as in PsyNeuLink's transfer mechanisms.

The state is the integrated value, before the transfer function. Recurrent weights are a recurrent projection of the model.
"""

from cogir.library.signature import State, Step, Value
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
    `v' = (1 - integration_rate) * v + integration_rate * x + noise`, then `v' * slope + intercept`

    Differs: `noise` is a number that is added in each execution, and nothing is drawn. Steps with noise per square root of time are those
    of `euler_maruyama`.

    Parameters (numbers, or arrays of the input's shape): `integration_rate` (0 to 1 for an average), the weight of the input; `noise`;
    `slope` and `intercept`, of the result.

    Input: `variable` (x), of any shape. Output: `value`, of that shape. State: `previous_value` (v), which starts at 0 and is kept until
    the node is reset.

    Source: PsyNeuLink `TransferMechanism(integrator_mode=True)` with `Linear`.

        model.node("unit", library.psyneulink.integrated_linear, input=2, integration_rate=0.1)
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
    `v' = (1 - integration_rate) * v + integration_rate * x + noise`, then `1 / (1 + exp(-gain * (v' + bias - x_0)))`

    Differs: `noise` is a number that is added in each execution, and nothing is drawn. Steps with noise per square root of time are those
    of `euler_maruyama`; `library.logistic` can be called behind them.

    Parameters (numbers, or arrays of the input's shape): `integration_rate` (0 to 1 for an average), the weight of the input; `noise`;
    `gain`, per unit of v; `bias` and `x_0`, in units of v.

    Input: `variable` (x), of any shape. Output: `value`, of that shape, between 0 and 1. State: `previous_value` (v), which starts at 0 and
    is kept until the node is reset.

    Source: PsyNeuLink `TransferMechanism(integrator_mode=True)` with `Logistic`; Cohen, Dunbar and McClelland (1990).

        model.node("hidden", library.psyneulink.integrated_logistic, input=3, integration_rate=0.1, bias=-4.0)
    """
    value = (1.0 - integration_rate) * previous_value + integration_rate * variable + noise
    return Step(outputs=(logistic(value, gain=gain, bias=bias, x_0=x_0),), states=(value,))
