# NumPy types a few functions only in part.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false
"""Selection functions: one element stands for all (PsyNeuLink `OneHot`)."""

import numpy as np

from cogir.library.signature import Random, Static, Value


def one_hot(
    variable: Value,
    *,
    direction: Static = "max",
    abs_val: Static = False,
    indicator: Static = False,
    tie: Static = "first",
) -> Value:
    """
    Zeros, but for the extreme element, or elements: its value, or 1 with `indicator`

    Differs: the element keeps its value, unless `indicator` is True. `epsilon_greedy_choice(epsilon=0.0)` returns the choice of a largest
    element as 0 and 1, and its index.

    Parameters: `direction`, "max" or "min"; `abs_val` (False or True) compares and keeps absolute values; `indicator` (False or True);
    `tie`, "first", "last" or "all" of equal elements, in row-major order.

    Input: `variable`, of any shape. Output: `value`, of that shape.

    Source: PsyNeuLink `OneHot`, mode DETERMINISTIC.

        library.psyneulink.one_hot(np.array([1.0, 3.0, 2.0]))  # [0.0, 3.0, 0.0]
    """
    if direction != "max" and direction != "min":
        raise ValueError('direction is neither "max" nor "min"; give one of them')
    if tie != "first" and tie != "last" and tie != "all":
        raise ValueError('tie is none of "first", "last" and "all"; give one of them')
    values = np.abs(variable) if abs_val else variable
    extreme = np.max(values) if direction == "max" else np.min(values)
    mark = 1.0 if indicator else extreme
    if tie == "all":
        return np.where(values == extreme, mark, 0.0)
    flat = values.reshape(-1)
    result = np.zeros(variable.size)
    chosen = 0
    seen = False
    for i in range(variable.size):
        if flat[i] == extreme and (tie == "last" or not seen):
            chosen = i
            seen = True
    result[chosen] = mark
    return result.reshape(variable.shape)


def one_hot_random(
    variable: Value, *, direction: Static = "max", abs_val: Static = False, indicator: Static = False, random: Random
) -> Value:
    """
    `one_hot` where one of the extreme elements is drawn, each with the same probability

    Differs: the element keeps its value, unless `indicator` is True. `epsilon_greedy_choice(epsilon=0.0)` draws among the largest and
    returns 0 and 1, and the index.

    Parameters: `direction`, "max" or "min"; `abs_val` (False or True) compares and keeps absolute values; `indicator` (False or True).

    Input: `variable`, of any shape. Output: `value`, of that shape. Draws: one integer.

    Source: PsyNeuLink `OneHot`, tie RANDOM.

        library.psyneulink.one_hot_random(np.array([1.0, 3.0, 2.0]), random=cogir.random(1))  # [0.0, 3.0, 0.0]
    """
    if direction != "max" and direction != "min":
        raise ValueError('direction is neither "max" nor "min"; give one of them')
    values = np.abs(variable) if abs_val else variable
    extreme = np.max(values) if direction == "max" else np.min(values)
    flat = values.reshape(-1)
    chosen = random.integer(int(np.count_nonzero(flat == extreme)))
    result = np.zeros(variable.size)
    rank = 0
    for i in range(variable.size):
        if flat[i] == extreme:
            if rank == chosen:
                result[i] = 1.0 if indicator else extreme
            rank = rank + 1
    return result.reshape(variable.shape)


def one_hot_probability(variable: Value, distribution: Value, *, indicator: Static = False, random: Random) -> Value:
    """
    Zeros, but for one element, drawn with the given probabilities: its value, or 1 with `indicator`

    Differs: the element keeps its value, unless `indicator` is True; where all probabilities are 0, `variable` stays as it is.
    `softmax_choice` returns a choice that is drawn as 0 and 1, and its index.

    Parameter: `indicator` (False or True).

    Inputs: `variable` (n,), and `distribution` (n,), the probabilities. Output: `value` (n,). Draws: one uniform number, unless all
    probabilities are 0; the first element whose cumulated probability exceeds it.

    Source: PsyNeuLink `OneHot`, mode PROB.

        library.psyneulink.one_hot_probability(np.array([5.0, 7.0]), np.array([0.0, 1.0]), random=cogir.random(1))  # [0.0, 7.0]
    """
    n = variable.size
    result = variable + 0.0
    if np.any(distribution != 0.0):
        u = random.uniform()
        chosen = n - 1
        total = 0.0
        found = False
        for i in range(n):
            total = total + distribution[i]
            if not found and total > u:
                chosen = i
                found = True
        result = np.zeros(n)
        result[chosen] = 1.0 if indicator else variable[chosen]
    return result
