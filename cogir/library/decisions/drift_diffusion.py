"""
Drift diffusion between two bounds: constant or collapsing, with leak and urgency, with and without variability between trials.
"""

import numpy as np

from cogir.library.decisions.bounds import bound_at, check_single, side_of
from cogir.library.signature import NonNegative, Positive, Probability, Random, State, Static, Step, Value, node_function


@node_function(outputs=("choice", "response_time", "value"))
def drift_diffusion_decision(
    variable: Value,
    *,
    drift: Value = 1.0,
    threshold: NonNegative = 1.0,
    bound: Static = "constant",
    collapse_time: Positive = 1.0,
    collapse_shape: Positive = 1.0,
    asymptote: Probability = 0.0,
    leak: Value = 0.0,
    urgency: Value = 0.0,
    noise: NonNegative = 1.0,
    starting_value: Value = 0.0,
    non_decision_time: NonNegative = 0.0,
    time_step_size: Positive = 0.001,
    position: State = 0.0,
    time: State = 0.0,
    choice: State = 0.0,
    random: Random,
) -> Step:
    """
    Drift diffusion to one of two bounds, one step `dt = time_step_size` per execution:

        x' = x + (drift * sum(variable) - leak * x) * dt + noise * sqrt(dt) * N
        t' = t + dt
        value = x' * (1 + urgency * t')

    until `|value| >= b(t')`. `x` starts at `starting_value`, `t` at 0; `N` is a standard normal.

    | `bound`         | `b(t)`, with `T = collapse_time`, `a = asymptote`                                      |
    |-----------------|----------------------------------------------------------------------------------------|
    | `"constant"`    | `threshold`                                                                            |
    | `"linear"`      | `threshold * max(a, 1 - t / T)`                                                        |
    | `"exponential"` | `threshold * (a + (1 - a) * exp(-t / T))`                                              |
    | `"weibull"`     | `threshold * (a + (1 - a) * exp(-(t / T) ** collapse_shape))`                          |
    | a function      | `bound(t, threshold)`: your own, in the subset of Python that cogir compiles           |

    Parameters: `threshold` (>= 0), the distance of each bound from 0; `collapse_time` (> 0), in units of time; `collapse_shape` (> 0);
    `asymptote` (0 to 1), the part of the threshold that remains; `leak`, per unit of time (above 0 an Ornstein-Uhlenbeck process, below 0
    an unstable one); `urgency`, per unit of time; `noise` (>= 0), a standard deviation per square root of time; `starting_value`, between
    the bounds; `non_decision_time` (>= 0); `time_step_size` (> 0). `drift` is per unit of time, for an input of 1.

    Input: `variable`, of any shape; its elements are added. Outputs, each a number: `choice` (1 at the upper bound, -1 at the lower one,
    0 while undecided), `response_time` (`t + non_decision_time`), `value`. States: `position` (x), `time` (t) and `choice`, 0 at a reset.
    Draws: one standard normal.

    The node has finished once it has decided, and then keeps its outputs until it is reset: give `reset_each_trial=True`, and with
    `execute_until_finished=True` a `max_executions_before_finished` that is large enough (the default, 1000 steps, is one second for
    steps of 1 ms). Undecided trials have the choice 0; those that this limit has cut off are True in `result.unfinished`, but not those
    that a condition of the schedule has ended. If the bounds have met, the sign of `value` decides; 0 counts as the upper bound. The bounds
    are checked at the ends of steps only, so decisions are late by an error that shrinks with `sqrt(dt)`.

    Sources: Ratcliff (1978); Bogacz et al. (2006), leak; Cisek, Puskas and El-Murr (2009), urgency; Hawkins et al. (2015), collapsing
    bounds. Variability between trials: `full_drift_diffusion_decision`.

        def wavy(t, threshold):
            return threshold * (1.0 + 0.1 * np.sin(t))

        model.node("decision", library.drift_diffusion_decision, drift=0.8, bound=wavy, execute_until_finished=True,
                   max_executions_before_finished=10_000, reset_each_trial=True)
    """
    check_single(
        (
            ("drift", drift),
            ("threshold", threshold),
            ("collapse_time", collapse_time),
            ("collapse_shape", collapse_shape),
            ("asymptote", asymptote),
            ("leak", leak),
            ("urgency", urgency),
            ("noise", noise),
            ("starting_value", starting_value),
            ("non_decision_time", non_decision_time),
            ("time_step_size", time_step_size),
        )
    )
    draw = random.normal()
    start = starting_value if time == 0.0 else position
    slope = drift * np.sum(variable) - leak * start
    moved = start + slope * time_step_size + noise * np.sqrt(time_step_size) * draw
    undecided = choice == 0.0
    position = moved if undecided else position
    time = time + time_step_size if undecided else time
    value = position * (1.0 + urgency * time)
    height = bound_at(time, threshold, bound, collapse_time, collapse_shape, asymptote)
    reached = side_of(value, height)
    choice = reached if undecided else choice
    return Step(
        outputs=(choice, time + non_decision_time, value),
        states=(position, time, choice),
        finished=choice != 0.0,
    )


@node_function(outputs=("choice", "response_time", "value"))
def full_drift_diffusion_decision(
    variable: Value,
    *,
    drift: Value = 1.0,
    drift_variability: NonNegative = 0.0,
    threshold: NonNegative = 1.0,
    bound: Static = "constant",
    collapse_time: Positive = 1.0,
    collapse_shape: Positive = 1.0,
    asymptote: Probability = 0.0,
    leak: Value = 0.0,
    urgency: Value = 0.0,
    noise: NonNegative = 1.0,
    starting_value: Value = 0.0,
    start_variability: NonNegative = 0.0,
    non_decision_time: NonNegative = 0.0,
    non_decision_time_variability: NonNegative = 0.0,
    time_step_size: Positive = 0.001,
    position: State = 0.0,
    time: State = 0.0,
    choice: State = 0.0,
    drift_offset: State = 0.0,
    delay: State = 0.0,
    random: Random,
) -> Step:
    """
    `drift_diffusion_decision` with variability between trials: the full drift-diffusion model.

    The first execution after a reset draws, for the whole trial,

        drift of the trial  = drift * sum(variable) + drift_variability * N
        start               = starting_value + start_variability * (U1 - 1/2)
        non-decision time   = non_decision_time + non_decision_time_variability * (U2 - 1/2)

    with a standard normal `N` and uniform `U1`, `U2` in [0, 1). So `drift_variability` (>= 0) is a standard deviation, `start_variability`
    and `non_decision_time_variability` (>= 0) are the widths of ranges; `non_decision_time` should be at least half of its width, or some
    of the times are negative.

    Parameters, besides, as of `drift_diffusion_decision`: `drift`, `leak` and `urgency`, per unit of time; `threshold` (>= 0), `bound`,
    `collapse_time` (> 0), `collapse_shape` (> 0) and `asymptote` (0 to 1), of the bounds; `noise` (>= 0), a standard deviation per square
    root of time; `starting_value`; `non_decision_time` (>= 0); `time_step_size` (> 0).

    Input: `variable`, of any shape; its elements are added. Outputs, each a number: `choice`, `response_time` and `value`, as of
    `drift_diffusion_decision`; so is when the node has finished. States: `position`, `time`, `choice`, `drift_offset` (of the drift) and
    `delay` (the non-decision time), all 0 at a reset. Draws: two standard normals and two uniform numbers.

    Each execution draws all of these numbers and uses them in the first one only, so it takes about 1.7 times as long as
    `drift_diffusion_decision`.

    Sources: Ratcliff (1978); Ratcliff and Tuerlinckx (2002).

        model.node("decision", library.full_drift_diffusion_decision, drift=1.5, drift_variability=0.5, start_variability=0.4,
                   non_decision_time=0.3, execute_until_finished=True, max_executions_before_finished=10_000, reset_each_trial=True)
    """
    check_single(
        (
            ("drift", drift),
            ("drift_variability", drift_variability),
            ("threshold", threshold),
            ("collapse_time", collapse_time),
            ("collapse_shape", collapse_shape),
            ("asymptote", asymptote),
            ("leak", leak),
            ("urgency", urgency),
            ("noise", noise),
            ("starting_value", starting_value),
            ("start_variability", start_variability),
            ("non_decision_time", non_decision_time),
            ("non_decision_time_variability", non_decision_time_variability),
            ("time_step_size", time_step_size),
        )
    )
    draws = random.normal(2)
    uniforms = random.uniform(2)
    is_first = time == 0.0
    start = starting_value + start_variability * (uniforms[0] - 0.5) if is_first else position
    drift_offset = drift_variability * draws[1] if is_first else drift_offset
    delay = non_decision_time + non_decision_time_variability * (uniforms[1] - 0.5) if is_first else delay
    slope = drift * np.sum(variable) + drift_offset - leak * start
    moved = start + slope * time_step_size + noise * np.sqrt(time_step_size) * draws[0]
    undecided = choice == 0.0
    position = moved if undecided else position
    time = time + time_step_size if undecided else time
    value = position * (1.0 + urgency * time)
    height = bound_at(time, threshold, bound, collapse_time, collapse_shape, asymptote)
    reached = side_of(value, height)
    choice = reached if undecided else choice
    return Step(
        outputs=(choice, time + delay, value),
        states=(position, time, choice, drift_offset, delay),
        finished=choice != 0.0,
    )
