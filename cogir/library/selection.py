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

    `variable`: (n,). `direction`: "max" or "min"; `abs_val` compares (and keeps) absolute values; `tie`: "first", "last" or "all".
    """
    values = np.abs(variable) if abs_val else variable
    extreme = np.max(values) if direction == "max" else np.min(values)
    mark = 1.0 if indicator else extreme
    result = np.zeros(variable.size)
    if tie == "all":
        result = np.where(values == extreme, mark, 0.0)
    else:
        chosen = 0
        seen = False
        for i in range(variable.size):
            if values[i] == extreme and (tie == "last" or not seen):
                chosen = i
                seen = True
        result[chosen] = mark
    return result


def one_hot_probability(variable: Value, distribution: Value, *, indicator: Static = False, random: Random) -> Value:
    """
    Zeros, but for one element drawn with the given probabilities: its value, or 1 with `indicator` (PsyNeuLink `OneHot`, mode PROB).

    `variable`, `distribution`: (n,). One uniform draw `u`; the first element whose cumulated probability exceeds it.
    """
    n = variable.size
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
