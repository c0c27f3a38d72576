"""
Functions that stand in for those of nodes whose parameters leave a part of them without effect.
"""

from __future__ import annotations

import numpy as np

from cogir.library.psyneulink import drift_diffusion_moments
from cogir.library.signature import NonNegative, Positive, Random, State, Step, Value, node_function
from cogir.library.transfer import logistic


@node_function(outputs=("result", "steps"))
def drift_diffusion_with_logistic(
    variable: Value,
    *,
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
    Drift diffusion without bounds, each element through a logistic: `leaky_competing_accumulator` without its leak.

        v' = v + variable * dt + noise * sqrt(dt) * N
        result = 1 / (1 + exp(-gain * (v' + bias - x_0)))

    Parameters, states and draws are those of `leaky_competing_accumulator`.

    Input: `variable` (n,). Outputs: `result` (n,), and `steps`, the number of executions. Finished when the largest result reaches
    `threshold`.
    """
    draw = random.normal(variable.shape)
    value = previous_value + variable * time_step_size + noise * np.sqrt(time_step_size) * draw
    result = logistic(value, gain=gain, bias=bias, x_0=x_0)
    return Step(outputs=(result, steps + 1.0), states=(value, steps + 1.0), finished=np.max(result) >= threshold)


@node_function(outputs=("value", "time"))
def drift_diffusion_at_a_bound(
    variable: Value, *, rate: Value = 1.0, noise: NonNegative = 0.0, threshold: Positive = 100.0, random: Random
) -> Value:
    """
    Where `drift_diffusion_integrator` is when it has reached a bound, and the mean time that it takes, in the limit of short steps.

    Parameters: `rate`, `noise` and `threshold` of `drift_diffusion_integrator`.

    Input: `variable` (1,). Outputs: `value` (1,), `threshold` or `-threshold` with the probabilities of the diffusion, and `time`, the mean
    response time over both bounds. Draws: one uniform number.

    Source: Bogacz et al. (2006).
    """
    moments = drift_diffusion_moments(variable, drift_rate=rate, threshold=threshold, noise=noise, non_decision_time=0.0)
    decision = -threshold if random.uniform() < moments[1] else threshold
    return np.full(variable.shape, decision), moments[0]
