# NumPy types a few functions only in part.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false
"""
Choices among actions from their values.

The outputs are the choice as a vector with a 1 at the chosen action and 0 elsewhere, which the functions of `value_learning` take as
`action`; its index; and the probabilities of all actions. If a value is NaN, all three are NaN.
"""

from sys import float_info

import numpy as np

from cogir.library.signature import NonNegative, Probability, Random, Value, node_function

LARGEST = float_info.max
"""The largest number that is finite."""


def _drawn(probabilities: Value, u: Value) -> tuple[Value, Value]:
    """The first action whose cumulated probability exceeds `u`, as a vector and as an index."""
    n = probabilities.size
    index = 0
    total = 0.0
    found = False
    for i in range(n):
        if not found and probabilities[i] > 0.0:
            index = i  # the last possible action is the choice where rounding leaves the sum of all below u
        total = total + probabilities[i]
        if total > u:
            found = True
    choice = np.zeros(n)
    choice[index] = 1.0
    unknown = np.isnan(total)
    return np.where(unknown, np.nan, choice), np.nan if unknown else 1.0 * index


@node_function(outputs=("choice", "index", "probabilities"))
def softmax_choice(variable: Value, *, inverse_temperature: NonNegative = 1.0, random: Random) -> Value:
    """
    One action `i`, drawn with the probability `exp(beta * Q_i) / sum_j(exp(beta * Q_j))`

    Parameter: `inverse_temperature` (beta, >= 0), per unit of value: 0 chooses at random, infinity the largest value (of equal ones, each
    with the same probability).

    Input: `variable` (n,), the values Q. Outputs: `choice` (n,), 1 at the action and 0 elsewhere; `index`, its number from 0;
    `probabilities` (n,). Draws: one uniform number. The largest value is subtracted first, so large values do not overflow. An action
    with the value -inf is never chosen, if another value is finite; a value of infinity gives NaN.

    Sources: Luce (1959); Sutton and Barto (2018), section 2.8. `psyneulink.softmax_probability` returns the value of the drawn element
    instead.

        model.node("policy", library.softmax_choice, input=4, inverse_temperature=3.0)
    """
    if variable.ndim != 1:
        raise ValueError("variable has another shape than (n,); give a vector, one element for each action")
    u = random.uniform()
    greedy = np.isinf(inverse_temperature)
    below = variable - np.max(variable)
    # infinity times 0 would be NaN
    exponents = np.where(greedy, 1.0, inverse_temperature) * np.maximum(below, -LARGEST)
    weights = np.exp(np.where((greedy & (below < 0.0)) | (variable == -np.inf), -np.inf, exponents))
    probabilities = weights / np.sum(weights)
    choice, index = _drawn(probabilities, u)
    return choice, index, probabilities


@node_function(outputs=("choice", "index", "probabilities"))
def epsilon_greedy_choice(variable: Value, *, epsilon: Probability = 0.1, random: Random) -> Value:
    """
    An action of the largest value with the probability `1 - epsilon`, any action otherwise

    Parameter: `epsilon` (0 to 1), the probability of exploring.

    Input: `variable` (n,), the values. Each of the `m` actions with the largest value has the probability `(1 - epsilon) / m + epsilon /
    n`, each other action `epsilon / n`: equal values do not favour the first action, and an exploring choice may be the greedy one.
    Outputs: `choice` (n,), 1 at the action and 0 elsewhere; `index`, its number from 0; `probabilities` (n,). Draws: one uniform number.

    Sources: Watkins (1989); Sutton and Barto (2018), section 2.2.

        model.node("policy", library.epsilon_greedy_choice, input=4, epsilon=0.05)
    """
    if variable.ndim != 1:
        raise ValueError("variable has another shape than (n,); give a vector, one element for each action")
    u = random.uniform()
    largest = variable == np.max(variable)
    count = np.maximum(np.sum(1.0 * largest), 1.0)  # nothing is the largest beside NaN
    probabilities = np.where(largest, (1.0 - epsilon) / count, 0.0) + epsilon / variable.size
    probabilities = np.where(np.any(np.isnan(variable)), np.nan, probabilities)
    choice, index = _drawn(probabilities, u)
    return choice, index, probabilities
