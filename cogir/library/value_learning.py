# NumPy types a few functions only in part.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false
"""
Learning of predictions and values from outcomes: classical conditioning and reinforcement learning.

A stimulus, or a state of the environment, is a vector of features `x`, (n,); tabular learning has one feature for each state, 1 in that
state and 0 elsewhere. An action is a vector with a 1 at the action, (k,), as the functions of `choice` return it. Rewards, outcomes and
`terminal` are single numbers: ports of the shape 1, or `()`.

`terminal` is 1 in the last transition of an episode and 0 in all others (also if nothing is connected): the value of the next state then
counts as 0, and eligibility traces are cleared after the update. What was learned is a state of the node and lasts for all trials of a
run; an initial value such as `initial={"weights": ...}` in `m.node(...)` replaces zeros. A learning rate is a number, or an array that
broadcasts to the weights.
"""

from typing import Annotated

import numpy as np

from cogir.library.signature import NonNegative, Probability, State, Static, Step, Value, node_function
from cogir.ranges import Between

SINGLE = ((), (1,))
"""The shapes of a single number: alone, or in a port of the shape 1. Others would be broadcast to more than one outcome per trial."""


def check_conditioning(stimuli: Value, outcome: Value) -> None:
    """Refuses shapes of a trial of conditioning that would be broadcast."""
    if stimuli.ndim != 1:
        raise ValueError("stimuli has another shape than (n,); give a vector, one element for each stimulus")
    if np.shape(outcome) not in SINGLE:
        raise ValueError("outcome is not a single number; give it a port of the shape 1 or ()")


def check_transition(state: Value, reward: Value, next_state: Value, terminal: Value) -> None:
    """Refuses shapes of a transition that would be broadcast."""
    if state.ndim != 1 or np.shape(next_state) != state.shape:
        raise ValueError("state and next_state are not vectors of one length; give both as (n,), one element for each feature")
    if np.shape(reward) not in SINGLE or np.shape(terminal) not in SINGLE:
        raise ValueError("reward or terminal is not a single number; give each a port of the shape 1 or ()")


@node_function(outputs=("prediction", "error", "weights"))
def rescorla_wagner(
    stimuli: Value,
    outcome: Value,
    *,
    salience: Probability = 0.1,
    rate_present: Probability = 1.0,
    rate_absent: Probability = 1.0,
    weights: State = 0.0,
) -> Value:
    """
    `V_i' = V_i + alpha_i * beta * (lambda - sum_j(V_j * x_j)) * x_i`: one trial of conditioning

    Parameters: `salience` (alpha, 0 to 1), a number, or one for each stimulus, (n,); `rate_present` and `rate_absent` (beta, 0 to 1), in
    trials with and without an outcome.

    Inputs: `stimuli` (x), (n,), 1 if present and 0 if not; `outcome` (lambda), the strength that the unconditioned stimulus supports, 0 if
    it is absent. Outputs: `prediction`, `sum_j(V_j * x_j)`, and `error`, both from before the update; `weights` (n,), the strengths V, from
    after it. State: `weights`, which start at 0 and are kept until the node is reset. With a single stimulus and a constant outcome, `V =
    lambda * (1 - (1 - alpha * beta)**t)` after t trials.

    Source: Rescorla and Wagner (1972).

        model.node("amygdala", library.rescorla_wagner, input={"stimuli": 2, "outcome": 1}, salience=0.2)
    """
    check_conditioning(stimuli, outcome)
    old = weights + np.zeros(stimuli.shape)
    prediction = old @ stimuli
    error = outcome - prediction
    beta = np.where(outcome == 0.0, rate_absent, rate_present)
    new = old + salience * beta * error * stimuli
    return Step(outputs=(prediction, error, new), states=(new,))


@node_function(outputs=("prediction", "error", "associability"))
def pearce_hall(
    stimuli: Value,
    outcome: Value,
    *,
    salience: Probability = 0.1,
    decay: Probability = 0.5,
    excitatory: State = 0.0,
    inhibitory: State = 0.0,
    associability: State = 1.0,
) -> Value:
    """
    One trial of conditioning whose rate is the associability of each stimulus, with `V = sum_j((E_j - I_j) * x_j)` and `d = lambda - V`:

        E_i' = E_i + S_i * alpha_i * lambda * x_i            if d > 0
        I_i' = I_i + S_i * alpha_i * abs(d) * x_i            if d < 0
        alpha_i' = decay * abs(d) + (1 - decay) * alpha_i    for stimuli that are present

    Parameters: `salience` (S, 0 to 1), a number, or one for each stimulus, (n,); `decay` (the papers' gamma, 0 to 1), the weight of the
    last trial.

    Inputs: `stimuli` (x), (n,), 1 if present and 0 if not; `outcome` (lambda), at least 0. Outputs: `prediction` (V) and `error` (d), both
    from before the update; `associability` (alpha), (n,), from after it. States: `excitatory` (E) and `inhibitory` (I), which start at 0,
    and `associability`, which starts at 1; they are kept until the node is reset. Excitatory learning is driven by lambda and not by the
    error, so V overshoots lambda unless `salience` is small; `hybrid_pearce_hall` learns from the error. In unreinforced trials alpha
    decreases, which is latent inhibition.

    Sources: Pearce and Hall (1980); Pearce, Kaye and Hall (1982).

        model.node("amygdala", library.pearce_hall, input={"stimuli": 2, "outcome": 1}, salience=0.1, decay=0.3)
    """
    check_conditioning(stimuli, outcome)
    zeros = np.zeros(stimuli.shape)
    e, i, alpha = excitatory + zeros, inhibitory + zeros, associability + zeros
    prediction = (e - i) @ stimuli
    error = outcome - prediction
    new_e = e + np.where(error > 0.0, salience * alpha * outcome * stimuli, 0.0)
    new_i = i + np.where(error < 0.0, salience * alpha * np.abs(error) * stimuli, 0.0)
    new_alpha = np.where(stimuli != 0.0, decay * np.abs(error) + (1.0 - decay) * alpha, alpha)
    return Step(outputs=(prediction, error, new_alpha), states=(new_e, new_i, new_alpha))


@node_function(outputs=("prediction", "error", "associability", "weights"))
def hybrid_pearce_hall(
    stimuli: Value,
    outcome: Value,
    *,
    salience: Probability = 0.3,
    decay: Probability = 0.5,
    weights: State = 0.0,
    associability: State = 1.0,
) -> Value:
    """
    The error of Rescorla and Wagner with the associability of Pearce and Hall, with `d = lambda - sum_j(V_j * x_j)`:

        V_i' = V_i + kappa_i * alpha_i * d * x_i
        alpha_i' = decay * abs(d) + (1 - decay) * alpha_i    for stimuli that are present

    Parameters: `salience` (kappa, 0 to 1), a number, or one for each stimulus, (n,); `decay` (the paper's eta, 0 to 1), the weight of the
    last trial.

    Inputs: `stimuli` (x), (n,), 1 if present and 0 if not; `outcome` (lambda). Outputs: `prediction` and `error` (d), both from before the
    update; `associability` (alpha), (n,), and `weights` (V), (n,), from after it. States: `weights`, which start at 0, and `associability`,
    which starts at 1; they are kept until the node is reset. V is updated with alpha from before. If errors are larger than 1, alpha
    exceeds 1 and V may diverge: use outcomes between -1 and 1.

    Source: Li et al. (2011).

        model.node("striatum", library.hybrid_pearce_hall, input={"stimuli": 2, "outcome": 1}, decay=0.3)
    """
    check_conditioning(stimuli, outcome)
    zeros = np.zeros(stimuli.shape)
    old, alpha = weights + zeros, associability + zeros
    prediction = old @ stimuli
    error = outcome - prediction
    new = old + salience * alpha * error * stimuli
    new_alpha = np.where(stimuli != 0.0, decay * np.abs(error) + (1.0 - decay) * alpha, alpha)
    return Step(outputs=(prediction, error, new_alpha, new), states=(new, new_alpha))


@node_function(outputs=("values", "error", "weights"))
def q_learning(
    state: Value,
    action: Value,
    reward: Value,
    next_state: Value,
    terminal: Value,
    *,
    learning_rate: Probability = 0.1,
    discount: Probability = 0.9,
    weights: State = 0.0,
) -> Value:
    """
    `Q(s, a) += alpha * d` with `d = r + gamma * max_b(Q(s', b)) - Q(s, a)`: one transition

    `Q(s, a) = x(s) @ weights @ a`: a table if the states have one feature each, a linear function of the features otherwise.

    Parameters: `learning_rate` (alpha, 0 to 1); `discount` (gamma, 0 to 1), per transition.

    Inputs: `state` (s), (n,); `action` (a), (k,), 1 at the action and 0 elsewhere; `reward` (r), a number; `next_state` (s'), (n,);
    `terminal`: 1 if `next_state` ends the episode, so that its value counts as 0 and nothing is bootstrapped from it (`d = r - Q(s, a)`),
    else 0, also if nothing is connected. Outputs: `values`, `Q(s', .)`, (k,), from after the update, for the next choice; `error` (d), from
    before it; `weights` (n, k), from after it. State: `weights`, which start at 0 and are kept until the node is reset. The policy that is
    learned is the greedy one, whatever the actions were; `sarsa` learns that of the actions.

    Source: Watkins and Dayan (1992).

        model.node("q", library.q_learning, input={"state": 48, "action": 4, "reward": 1, "next_state": 48, "terminal": 1})
    """
    check_transition(state, reward, next_state, terminal)
    if action.ndim != 1:
        raise ValueError("action has another shape than (k,); give a vector with a 1 at the action")
    old = weights + np.zeros((state.size, action.size))
    following = np.max(next_state @ old) * (1.0 - terminal)
    error = reward + discount * following - state @ old @ action
    new = old + learning_rate * error * np.outer(state, action)
    return Step(outputs=(next_state @ new, error, new), states=(new,))


@node_function(outputs=("values", "error", "weights"))
def sarsa(
    state: Value,
    action: Value,
    reward: Value,
    next_state: Value,
    next_action: Value,
    terminal: Value,
    *,
    learning_rate: Probability = 0.1,
    discount: Probability = 0.9,
    weights: State = 0.0,
) -> Value:
    """
    `Q(s, a) += alpha * d` with `d = r + gamma * Q(s', a') - Q(s, a)`: one transition

    As `q_learning`, with the value of the action that is taken in the next state, in place of the largest value: so the values are those of
    the policy that chooses, with its exploration.

    Parameters: `learning_rate` (alpha, 0 to 1); `discount` (gamma, 0 to 1), per transition.

    Inputs: `state` (s), (n,); `action` (a), (k,); `reward` (r), a number; `next_state` (s'), (n,); `next_action` (a'), (k,), which was
    chosen before this update; `terminal`: 1 if `next_state` ends the episode, so that nothing is bootstrapped from it (`d = r - Q(s, a)`,
    and `next_action` may be anything), else 0. Outputs: `values`, `Q(s', .)`, (k,), from after the update; `error` (d), from before it;
    `weights` (n, k), from after it. State: `weights`, which start at 0 and are kept until the node is reset.

    Source: Rummery and Niranjan (1994).

        ports = {"state": 48, "action": 4, "reward": 1, "next_state": 48, "next_action": 4, "terminal": 1}
        model.node("q", library.sarsa, input=ports, learning_rate=0.5)
    """
    check_transition(state, reward, next_state, terminal)
    if action.ndim != 1 or np.shape(next_action) != action.shape:
        raise ValueError("action and next_action are not vectors of one length; give both as (k,), with a 1 at the action")
    old = weights + np.zeros((state.size, action.size))
    following = next_state @ old @ next_action * (1.0 - terminal)
    error = reward + discount * following - state @ old @ action
    new = old + learning_rate * error * np.outer(state, action)
    return Step(outputs=(next_state @ new, error, new), states=(new,))


@node_function(outputs=("value", "error", "weights", "trace"))
def td_lambda(
    state: Value,
    reward: Value,
    next_state: Value,
    terminal: Value,
    *,
    learning_rate: Probability = 0.1,
    discount: Probability = 0.9,
    trace_decay: Probability = 0.9,
    trace_type: Static = "accumulating",
    weights: State = 0.0,
    trace: State = 0.0,
) -> Value:
    """
    One transition of linear TD(lambda) with eligibility traces:

        e' = gamma * lambda * e + x(s)
        w' = w + alpha * d * e'    with d = r + gamma * w @ x(s') - w @ x(s)

    Parameters: `learning_rate` (alpha, 0 to 1); `discount` (gamma, 0 to 1), per transition; `trace_decay` (lambda, 0 to 1): 0 is TD(0), 1 a
    Monte Carlo method; `trace_type`: "accumulating" adds the features to the trace; "replacing" sets it to them where they are not 0, for
    features of 0 and 1.

    Inputs: `state` (s), (n,); `reward` (r), a number, received on the way to s'; `next_state` (s'), (n,); `terminal`: 1 if `next_state`
    ends the episode, so that no value is bootstrapped from it (`d = r - w @ x(s)`) and the trace is cleared after the update, else 0.
    Outputs: `value`, `w @ x(s)`, and `error` (d), both from before the update; `weights` (n,), from after it; `trace` (e'), (n,), with
    which they were updated. States: `weights` and `trace`, which start at 0 and are kept until the node is reset.

    Sources: Sutton (1988); Sutton and Barto (2018), section 12.2; Singh and Sutton (1996), replacing traces.

        model.node("v", library.td_lambda, input={"state": 20, "reward": 1, "next_state": 20, "terminal": 1}, trace_decay=0.8)
    """
    check_transition(state, reward, next_state, terminal)
    if trace_type != "accumulating" and trace_type != "replacing":
        raise ValueError('trace_type is neither "accumulating" nor "replacing"; give one of them')
    zeros = np.zeros(state.shape)
    old = weights + zeros
    decayed = discount * trace_decay * (trace + zeros)
    new_trace = decayed + state if trace_type == "accumulating" else np.where(state != 0.0, state, decayed)
    value = old @ state
    error = reward + discount * (old @ next_state) * (1.0 - terminal) - value
    new = old + learning_rate * error * new_trace
    return Step(outputs=(value, error, new, new_trace), states=(new, new_trace * (1.0 - terminal)))


@node_function(outputs=("preferences", "error", "actor", "critic"))
def actor_critic(
    state: Value,
    action: Value,
    reward: Value,
    next_state: Value,
    terminal: Value,
    *,
    actor_rate: NonNegative = 0.1,
    critic_rate: Probability = 0.1,
    discount: Probability = 0.9,
    inverse_temperature: Annotated[Value, Between(0.0, high_open=True)] = 1.0,
    actor: State = 0.0,
    critic: State = 0.0,
) -> Value:
    """
    One transition of the one-step actor-critic with a softmax policy, with `V(s) = critic @ x(s)` and `d = r + gamma * V(s') - V(s)`:

        critic' = critic + alpha_c * d * x(s)
        actor' = actor + alpha_a * d * beta * outer(x(s), a - pi(s))    with pi(s) the softmax of beta * x(s) @ actor

    Parameters: `actor_rate` (alpha_a, >= 0); `critic_rate` (alpha_c, 0 to 1); `discount` (gamma, 0 to 1), per transition;
    `inverse_temperature` (beta, >= 0 and finite), which must be that of the `softmax_choice` that chose the action.

    Inputs: `state` (s), (n,); `action` (a), (k,), 1 at the action and 0 elsewhere; `reward` (r), a number; `next_state` (s'), (n,);
    `terminal`: 1 if `next_state` ends the episode, so that no value is bootstrapped from it (`d = r - V(s)`), else 0. Outputs:
    `preferences`, `x(s') @ actor'`, (k,), for the next choice; `error` (d), from before the update; `actor` (n, k) and `critic` (n,), the
    weights, from after it. States: `actor` and `critic`, which start at 0 and are kept until the node is reset. The factor `gamma**t` of
    the book is left out, as usual.

    Sources: Barto, Sutton and Anderson (1983); Sutton and Barto (2018), section 13.5.

        model.node("ac", library.actor_critic, input={"state": 5, "action": 2, "reward": 1, "next_state": 5, "terminal": 1})
    """
    check_transition(state, reward, next_state, terminal)
    if action.ndim != 1:
        raise ValueError("action has another shape than (k,); give a vector with a 1 at the action")
    old_actor = actor + np.zeros((state.size, action.size))
    old_critic = critic + np.zeros(state.size)
    error = reward + discount * (old_critic @ next_state) * (1.0 - terminal) - old_critic @ state
    scaled = inverse_temperature * (state @ old_actor)
    weights = np.exp(scaled - np.max(scaled))
    surprise = action - weights / np.sum(weights)
    new_critic = old_critic + critic_rate * error * state
    new_actor = old_actor + actor_rate * error * inverse_temperature * np.outer(state, surprise)
    return Step(outputs=(next_state @ new_actor, error, new_actor, new_critic), states=(new_actor, new_critic))
