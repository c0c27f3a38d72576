"""Integrators: functions that carry a value from one execution to the next. PsyNeuLink's are in `cogir.library.psyneulink`."""

import numpy as np

from cogir.library.signature import NonNegative, Random, State, Step, Value, node_function


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
    Drift diffusion between two bounds, one step `dt = time_step_size` per execution:

        v' = clip(v + rate * variable * dt + noise * sqrt(dt) * N + offset, -threshold, threshold)
        t' = t + dt

    Parameters: `rate`, the drift per unit of time, for an input of 1; `noise` (>= 0), a standard deviation per square root of time;
    `offset`, which each step adds, whatever its length; `threshold` (>= 0), the distance of each bound from 0; `time_step_size` (>= 0).

    Input: `variable`, of any shape, the evidence. Outputs: `value` (v'), of that shape, and `time` (t'), a number. The node has finished
    when the first element has reached a bound. States: `previous_value` (v) and `previous_time` (t), which start at 0 and are kept until
    the node is reset: give `reset_each_trial=True`. Draws: a standard normal `N` for each element.

    Source: Ratcliff (1978); PsyNeuLink `DriftDiffusionIntegrator`, and `DDM` for when it has finished. `drift_diffusion_decision` has the
    choice and the response time as ports, and collapsing bounds.

        model.node("decision", library.drift_diffusion_integrator, input=1, rate=0.5, noise=1.0, threshold=1.0, time_step_size=0.01,
                   execute_until_finished=True, reset_each_trial=True)
    """
    draw = random.normal(variable.shape)
    value = previous_value + rate * variable * time_step_size + noise * np.sqrt(time_step_size) * draw
    value = np.clip(value + offset, -threshold, threshold)
    time = previous_time + time_step_size
    return Step(outputs=(value, time), states=(value, time), finished=abs(value[0]) >= threshold)
