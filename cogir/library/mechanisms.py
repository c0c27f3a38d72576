"""
The leaky competing accumulator with a logistic behind it, as PsyNeuLink's `LCAMechanism`. Competition is a recurrent projection of the
model.
"""

import numpy as np

from cogir.library.signature import NonNegative, Random, State, Step, Value, node_function
from cogir.library.transfer import logistic


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
    Leaky accumulators, each through a logistic, one step `dt = time_step_size` per execution:

        v' = v + (-leak * v + variable) * dt + noise * sqrt(dt) * N
        result = 1 / (1 + exp(-gain * (v' + bias - x_0)))

    Parameters: `leak` (>= 0), per unit of time; `noise` (>= 0), a standard deviation per square root of time; `time_step_size` (>= 0);
    `gain`, the slope of the logistic times 4, per unit of v; `bias` and `x_0`, which shift it, in units of v; `threshold` (>= 0), of the
    result, which is below 1.

    Input: `variable` (n,), evidence less inhibition: the competition is a projection from `result` to the node itself, with negative
    weights off the diagonal. Outputs: `result` (n,), and `steps`, the number of executions since the last reset. The node has finished when
    the largest result reaches `threshold`. States: `previous_value` (v) and `steps`, which start at 0 and are kept until the node is reset;
    to count the steps of a trial, reset the node, or only `steps`, at its start. Draws: a standard normal `N` for each element.

    Source: Usher and McClelland (2001); PsyNeuLink `LCAMechanism` with `NormalDist` as noise. `leaky_competing_decision` has the
    competition inside, choice and response time as ports, and no logistic.

        choice = model.node("choice", library.leaky_competing_accumulator, input=2, leak=0.3, threshold=0.8, execute_until_finished=True,
                            reset_each_trial=True)
        model.project(choice["result"], choice, matrix=[[0.0, -1.0], [-1.0, 0.0]], recurrent=True)
    """
    draw = 0.0 + noise * random.normal(variable.shape)
    value = previous_value + (-leak * previous_value + variable) * time_step_size + draw * np.sqrt(time_step_size)
    result = logistic(value, gain=gain, bias=bias, x_0=x_0)
    return Step(outputs=(result, steps + 1.0), states=(value, steps + 1.0), finished=np.max(result) >= threshold)
