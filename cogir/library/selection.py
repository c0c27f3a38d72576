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
    Zeros, but for the extreme element(s): its value, or 1 with `indicator` (PsyNeuLink `OneHot`, mode DETERMINISTIC).

    `direction`: "max" or "min"; `abs_val` compares (and keeps) absolute values; `tie`: "first", "last" or "all", in row-major order.
    """
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
    """`one_hot` where one of the extreme elements is drawn, each with the same probability (PsyNeuLink `OneHot`, tie RANDOM)."""
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
    Zeros, but for one element drawn with the given probabilities: its value, or 1 with `indicator` (PsyNeuLink `OneHot`, mode PROB).

    `variable`, `distribution`: (n,). One uniform draw `u`; the first element whose cumulated probability exceeds it. Where all
    probabilities are 0, nothing is drawn and `variable` stays as it is.
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
