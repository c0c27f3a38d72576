"""
The scaling of a KWTAMechanism's variable before its function: one number is added to all elements, so that k of them reach a threshold.
"""

from __future__ import annotations

import numpy as np

from cogir.library.signature import Static, Value

UNSCALED = (
    "a KWTAMechanism cannot scale its variable, or PsyNeuLink warns that it has not, which a rounding error may decide: more elements than"
    " its k_value may be above its threshold; let k_value be from 0 to its number of elements, and ratio between 0 and 1"
)
DOUBT = 1e-10
"""A rounding error may decide what is as near as this to the threshold, in units of the largest number."""


def k_winners(
    variable: Value,
    *,
    k_value: Value = 0.5,
    threshold: Value = 0.0,
    ratio: Value = 0.5,
    average_based: Static = False,
    inhibition_only: Static = True,
) -> tuple[Value, Value]:
    """
    The scaled variable, and 1 if PsyNeuLink might raise an error or warn that it was not successful (0 if it does not).

    PsyNeuLink warns if more than k elements are above the threshold. An offset between those of which the element after the k-th would
    just reach the threshold and the k-th would leaves at most k above it, but for rounding errors. Those do not count with a threshold of 0
    and a ratio of 0, 0.5 or 1: there no operation that decides is rounded beyond the element after the k-th.
    """
    size = variable.size
    is_finite = np.all(np.isfinite(variable)) and np.isfinite(k_value) and np.isfinite(threshold) and np.isfinite(ratio)
    whole = int(k_value) if np.isfinite(k_value) else 0
    k = size - whole if whole < 0 else whole
    if k_value > 0.0 and k_value < 1.0:
        k = int(np.rint(k_value * size))
    ordered = np.sort(threshold - variable)
    failed = not is_finite or k > size
    if average_based:
        failed = failed or k == 0 or k == size
        above, below = 0.0, 0.0
        for index in range(size):
            if index < k:
                above += ordered[index]
            else:
                below += ordered[index]
        offset = below / max(size - k, 1) * ratio + above / max(k, 1) * (1.0 - ratio)
    elif k <= 0:
        offset = ordered[0]
    elif k >= size:
        offset = ordered[size - 1]
    else:
        offset = ordered[k] * ratio + ordered[k - 1] * (1.0 - ratio)
    if inhibition_only and offset > 0.0:
        offset = 0.0
    is_exact = threshold == 0.0 and (ratio == 0.0 or ratio == 0.5 or ratio == 1.0)
    if not average_based and not is_exact and not failed and k < size:
        after = threshold - ordered[k]
        margin = DOUBT * (np.max(np.abs(variable)) + abs(threshold) + abs(offset))
        failed = after + offset > threshold - margin
    return variable + offset, 1.0 if failed else 0.0
