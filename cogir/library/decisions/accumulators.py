# NumPy types a few functions only in part.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false
"""
Races: one accumulator for each alternative; the first that reaches its threshold decides.
"""

import numpy as np

from cogir.library.signature import NonNegative, Positive, Random, State, Step, Value, node_function

UNROLLED = 16
"""Draws for so many accumulators are written one by one, without a loop: lanes of replicates are faster so, and the numbers are equal."""


def _normals(count: int, random: Random) -> Value:
    """As many independent standard normals."""
    return np.array([random.normal() for _ in range(count)]) if count <= UNROLLED else random.normal(count)


def _uniforms(count: int, random: Random) -> Value:
    """As many independent uniform numbers in [0, 1)."""
    return np.array([random.uniform() for _ in range(count)]) if count <= UNROLLED else random.uniform(count)


def _winner(positions: Value, threshold: Value) -> Value:
    """The accumulator that is the farthest beyond its threshold, by number; -1 if none has reached it."""
    margins = positions - threshold
    # Both are computed always: lanes of replicates compute no branches.
    first, best = float(np.argmax(margins)), np.max(margins)
    return first if best >= 0.0 else -1.0


@node_function(outputs=("choice", "response_time", "value"))
def race_decision(
    variable: Value,
    *,
    drift: Value = 1.0,
    threshold: Value = 1.0,
    noise: NonNegative = 1.0,
    starting_value: Value = 0.0,
    non_decision_time: NonNegative = 0.0,
    time_step_size: Positive = 0.001,
    positions: State = 0.0,
    time: State = 0.0,
    choice: State = -1.0,
    random: Random,
) -> Step:
    """
    A race of n independent accumulators, one step `dt = time_step_size` per execution:

        x_i' = x_i + drift_i * variable_i * dt + noise_i * sqrt(dt) * N_i
        t'   = t + dt

    until some `x_i' >= threshold_i`. `x` starts at `starting_value`, `t` at 0; the `N_i` are independent standard normals. If several
    accumulators reach their thresholds in one step, the one that is the farthest beyond it wins.

    Parameters: `drift`, per unit of time; `threshold`; `noise` (>= 0), a standard deviation per square root of time; `starting_value`
    (each of these a number, or one for each accumulator); `non_decision_time` (>= 0); `time_step_size` (> 0).

    Input: `variable` (n,), the evidence for each alternative. Outputs: `choice` (the number of the winner from 0, -1 while undecided) and
    `response_time` (`t + non_decision_time`), numbers; `value` (n,), the accumulators. They may become negative:
    `leaky_competing_decision` with leak and inhibition 0 is a race that has 0 as the lower bound. States: `positions` (x) and
    `time` (t), 0 at a reset, and `choice`, then -1. Draws: one standard normal for each accumulator.

    The node has finished once it has decided, and then keeps its outputs until it is reset; see `drift_diffusion_decision` for
    `execute_until_finished`, `reset_each_trial` and undecided trials.

    Sources: Vickers (1970); Bogacz et al. (2006); with a constant drift, the racing diffusion model of Tillman, Van Zandt and Logan (2020).

        model.node("decision", library.race_decision, input=3, threshold=1.5, execute_until_finished=True,
                   max_executions_before_finished=10_000, reset_each_trial=True)
    """
    if variable.ndim != 1:
        raise ValueError("variable has another shape than (n,); give a vector, one element for each alternative")
    draws = _normals(len(variable), random)
    start = np.where(time == 0.0, starting_value, positions)
    moved = start + drift * variable * time_step_size + noise * np.sqrt(time_step_size) * draws
    undecided = choice < 0.0
    positions = np.where(undecided, moved, positions)
    time = time + time_step_size if undecided else time
    winner = _winner(positions, threshold)
    choice = winner if undecided else choice
    return Step(
        outputs=(choice, time + non_decision_time, positions),
        states=(positions, time, choice),
        finished=choice >= 0.0,
    )


@node_function(outputs=("choice", "response_time", "value"))
def leaky_competing_decision(
    variable: Value,
    *,
    leak: Value = 1.0,
    inhibition: Value = 1.0,
    threshold: Value = 1.0,
    noise: NonNegative = 1.0,
    starting_value: NonNegative = 0.0,
    non_decision_time: NonNegative = 0.0,
    time_step_size: Positive = 0.001,
    positions: State = 0.0,
    time: State = 0.0,
    choice: State = -1.0,
    random: Random,
) -> Step:
    """
    The leaky competing accumulator with thresholds, one step `dt = time_step_size` per execution:

        x_i' = max(0, x_i + (variable_i - leak * x_i - inhibition * sum_{j != i} x_j) * dt + noise * sqrt(dt) * N_i)
        t'   = t + dt

    until some `x_i' >= threshold`. `x` starts at `starting_value`, `t` at 0; the `N_i` are independent standard normals. If several
    accumulators reach the threshold in one step, the one that is the farthest beyond it wins.

    Parameters: `leak` and `inhibition`, per unit of time; `threshold`; `noise` (>= 0), a standard deviation per square root of time;
    `starting_value` (>= 0); `non_decision_time` (>= 0); `time_step_size` (> 0). Each of `leak`, `threshold`, `noise` and `starting_value`
    is a number, or one for each accumulator. Usher and McClelland divide time by a constant `tau`: for their equations, give times in units
    of `tau`. A threshold of at most 0 is reached in the first step.

    Input: `variable` (n,), the evidence for each alternative. Outputs: `choice` (the number of the winner from 0, -1 while undecided) and
    `response_time` (`t + non_decision_time`), numbers; `value` (n,), the accumulators. States: `positions` (x) and
    `time` (t), 0 at a reset, and `choice`, then -1. Draws: one standard normal for each accumulator.

    The node has finished once it has decided, and then keeps its outputs until it is reset; see `drift_diffusion_decision` for
    `execute_until_finished`, `reset_each_trial` and undecided trials. `leaky_competing_accumulator` is PsyNeuLink's, with a logistic and
    without times.

    Source: Usher and McClelland (2001).

        model.node("decision", library.leaky_competing_decision, input=2, leak=2.0, inhibition=3.0, execute_until_finished=True,
                   max_executions_before_finished=10_000, reset_each_trial=True)
    """
    if variable.ndim != 1:
        raise ValueError("variable has another shape than (n,); give a vector, one element for each alternative")
    draws = _normals(len(variable), random)
    start = np.where(time == 0.0, starting_value, positions)
    slope = variable - leak * start - inhibition * (np.sum(start) - start)
    moved = np.maximum(0.0, start + slope * time_step_size + noise * np.sqrt(time_step_size) * draws)
    undecided = choice < 0.0
    positions = np.where(undecided, moved, positions)
    time = time + time_step_size if undecided else time
    winner = _winner(positions, threshold)
    choice = winner if undecided else choice
    return Step(
        outputs=(choice, time + non_decision_time, positions),
        states=(positions, time, choice),
        finished=choice >= 0.0,
    )


@node_function(outputs=("choice", "response_time"))
def linear_ballistic_decision(
    variable: Value,
    *,
    drift: Value = 1.0,
    drift_variability: NonNegative = 1.0,
    threshold: NonNegative = 1.0,
    start_variability: NonNegative = 0.5,
    non_decision_time: NonNegative = 0.0,
    random: Random,
) -> Step:
    """
    The linear ballistic accumulator in closed form, a trial in one execution:

        k_i = start_variability * U_i
        d_i = drift_i * variable_i + drift_variability * N_i
        t_i = (threshold - k_i) / d_i     if d_i > 0, else infinity

    The accumulator with the smallest `t_i` wins, at this time; `U_i` are uniform in [0, 1), `N_i` standard normals.

    Parameters, in the notation of the paper: `drift` (v; times the input), `drift_variability` (s, >= 0), `threshold` (b, >= 0),
    `start_variability` (A, >= 0; at most `threshold`, or some accumulators start beyond it and need no time), `non_decision_time` (t0,
    >= 0). Each of the first four is a number, or one for each accumulator.

    Input: `variable` (n,), the evidence for each alternative. Outputs, each a number: `choice` (the number of the winner from 0) and
    `response_time`. Draws: a uniform number and a standard normal for each accumulator.

    If no `t_i` is finite (no `d_i` is positive, or the thresholds are infinite), or one is NaN, the trial is undecided: the choice is -1,
    the response time infinite, and the node has not finished. With `execute_until_finished=True, max_executions_before_finished=1` such
    trials are True in `result.unfinished`. With more executions, it draws again: these are decisions given that a drift is positive. There
    is no state, so the node needs no reset.

    Source: Brown and Heathcote (2008).

        model.node("decision", library.linear_ballistic_decision, input=2, drift=[1.2, 0.8], drift_variability=0.3,
                   execute_until_finished=True, max_executions_before_finished=1)
    """
    if variable.ndim != 1:
        raise ValueError("variable has another shape than (n,); give a vector, one element for each alternative")
    starts = start_variability * _uniforms(len(variable), random)
    rates = drift * variable + drift_variability * _normals(len(variable), random)
    distances = np.maximum(0.0, threshold - starts)
    idle = rates <= 0.0  # not NaN, whose time is NaN
    times = np.where(idle, np.inf, distances / np.where(idle, 1.0, rates))
    fastest = np.min(times)
    decided = fastest < np.inf  # False for NaN
    first = float(np.argmin(times))
    choice = first if decided else -1.0
    response = fastest if decided else np.inf
    return Step(outputs=(choice, response + non_decision_time), finished=decided)
