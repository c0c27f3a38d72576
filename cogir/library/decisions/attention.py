"""
Attentional drift diffusion: which of two items is looked at determines the drift.
"""

import numpy as np

from cogir.library.decisions.bounds import check_single, side_of
from cogir.library.signature import NonNegative, Positive, Probability, Random, State, Step, Value, node_function


@node_function(outputs=("choice", "response_time", "value", "gaze"))
def attentional_decision(
    items: Value,
    *,
    drift: Value = 0.2,
    discount: Probability = 0.3,
    threshold: NonNegative = 1.0,
    noise: NonNegative = 0.6,
    first_fixation: Probability = 0.5,
    fixation_time: Positive = 0.4,
    fixation_variability: NonNegative = 0.5,
    non_decision_time: NonNegative = 0.0,
    time_step_size: Positive = 0.001,
    position: State = 0.0,
    time: State = 0.0,
    choice: State = 0.0,
    side: State = 0.0,
    remaining: State = 0.0,
    gaze_time: State = 0.0,
    random: Random,
) -> Step:
    """
    The attentional drift-diffusion model of a choice between two items, one step `dt = time_step_size` per execution:

        x' = x + drift * (items_0 - discount * items_1) * dt + noise * sqrt(dt) * N     while the first item is looked at
        x' = x + drift * (discount * items_0 - items_1) * dt + noise * sqrt(dt) * N     while the second one is
        t' = t + dt

    until `|x'| >= threshold`. `x` and `t` start at 0; `N` is a standard normal.

    Fixations alternate between the items. The first one is on the first item with the probability `first_fixation`. Durations are
    log-normal, `fixation_time * exp(s * N - s**2 / 2)` with `s = fixation_variability`, rounded to steps and at least one step; so their
    mean is `fixation_time`.

    Parameters: `drift`, per unit of time and of value; `discount` (0 to 1; theta in the paper), the weight of the item that is not looked
    at; `threshold` (>= 0); `noise` (>= 0), a standard deviation per square root of time; `first_fixation` (0 to 1); `fixation_time` (> 0),
    in units of time; `fixation_variability` (>= 0), a standard deviation of logarithms; `non_decision_time` (>= 0); `time_step_size` (> 0).
    The paper gives drift 0.0002 and noise 0.02 for steps of 1 ms: 0.2 and 0.63 in seconds.

    Input: `items` (2,), the values of the items. Outputs, each a number: `choice` (1 for the first item, -1 for the second, 0 while
    undecided), `response_time` (`t + non_decision_time`), `value` (`x`), `gaze` (the part of `t` in which the first item was looked at).
    States: `position` (x), `time` (t), `choice`, `side` (1 or -1 for the item that is looked at), `remaining` (time of the fixation) and
    `gaze_time` (of the first item), all 0 at a reset. Draws: two standard normals and one uniform number.

    The node has finished once it has decided, and then keeps its outputs until it is reset; see `drift_diffusion_decision` for
    `execute_until_finished`, `reset_each_trial` and undecided trials. For fixations that were recorded, give `drift_diffusion_decision` the
    drift of each step as its input, in a schedule that executes it once per pass.

    Source: Krajbich, Armel and Rangel (2010), whose fixations are drawn from those of their subjects.

        model.node("decision", library.attentional_decision, input=2, execute_until_finished=True,
                   max_executions_before_finished=20_000, reset_each_trial=True)
    """
    draws = random.normal(2)
    uniform = random.uniform()
    if items.shape != (2,):
        raise ValueError("items has another shape than (2,); give the values of two items")
    check_single(
        (
            ("drift", drift),
            ("discount", discount),
            ("threshold", threshold),
            ("noise", noise),
            ("first_fixation", first_fixation),
            ("fixation_time", fixation_time),
            ("fixation_variability", fixation_variability),
            ("non_decision_time", non_decision_time),
            ("time_step_size", time_step_size),
        )
    )
    undecided = choice == 0.0
    switches = undecided and remaining < 0.5 * time_step_size
    next_side = (1.0 if uniform < first_fixation else -1.0) if time == 0.0 else -side
    duration = fixation_time * np.exp(fixation_variability * draws[1] - 0.5 * fixation_variability * fixation_variability)
    side = next_side if switches else side
    remaining = (duration if switches else remaining) - time_step_size
    contrast = items[0] - discount * items[1] if side > 0.0 else discount * items[0] - items[1]
    moved = position + drift * contrast * time_step_size + noise * np.sqrt(time_step_size) * draws[0]
    position = moved if undecided else position
    gaze_time = gaze_time + time_step_size if undecided and side > 0.0 else gaze_time
    time = time + time_step_size if undecided else time
    reached = side_of(position, threshold)
    choice = reached if undecided else choice
    return Step(
        outputs=(choice, time + non_decision_time, position, gaze_time / time),
        states=(position, time, choice, side, remaining, gaze_time),
        finished=choice != 0.0,
    )
