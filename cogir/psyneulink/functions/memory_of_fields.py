# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false
# pyright: reportPrivateUsage=false
# NumPy types a few reductions only in part. The parts of the memory are those of the library's.
"""
PsyNeuLink's memory of entries whose fields have different lengths, with an error of PsyNeuLink 0.21 in it: once the memory is full, it
looks for the nearest entry in a list that is one entry ahead of what it retrieves from. Nobody would want that without PsyNeuLink, so it
is no function of the library.
"""

import numpy as np

from cogir.library.psyneulink.memory import _appended, _are_alike, _chosen, _distances, _duplicate, _selected, _wanted
from cogir.library.signature import Probability, Random, State, Static, Step, Value


def content_addressable_memory_of_fields(
    variable: Value,
    *,
    retrieval_prob: Probability = 1.0,
    storage_prob: Probability = 1.0,
    distance_field_weights: Value = (1.0,),
    duplicate_threshold: Value = 2.220446049250313e-16,
    metric: Static = "cosine",
    normalize: Static = False,
    direction: Static = "min",
    abs_val: Static = False,
    tie: Static = "all",
    duplicate_entries_allowed: Static = False,
    equidistant_entries_select: Static = "random",
    entries: State = (((0.0,),),),
    count: State = 0.0,
    is_behind: State = 0.0,
    random: Random,
) -> Value:
    """
    A `content_addressable_memory` for fields of different lengths, with zeros behind the shorter ones, as PsyNeuLink 0.21 has it.

    `variable`: (fields, largest width). Once an entry has made room for another (`is_behind`), PsyNeuLink looks for the nearest among the
    entries from the second one on, the last one twice, and retrieves the entry in that place among all; until one is not stored.
    """
    weights = distance_field_weights + np.zeros(variable.shape[0])
    result = np.zeros(variable.shape)
    compared = _appended(entries, count, entries[entries.shape[0] - 1]) if is_behind > 0.0 else entries + 0.0
    if _wanted(retrieval_prob if np.any(weights != 0.0) else 0.0, random) and count > 0.0:
        distances = _distances(variable, compared, count, weights, metric, normalize)
        selected = _selected(distances, count, direction, abs_val)
        alike = tie == "all" and duplicate_entries_allowed is False
        if not (alike and _are_alike(entries, selected, duplicate_threshold, weights, metric, normalize)):
            result = entries[_chosen(selected, tie, equidistant_entries_select, random)] + 0.0
    new_entries = entries + 0.0
    new_count = count + 0.0
    is_now_behind = is_behind + 0.0
    if _wanted(storage_prob, random):
        same = _duplicate(variable, entries, count, duplicate_threshold, weights, metric, normalize)
        is_now_behind = 0.0
        if same < 0 or duplicate_entries_allowed is True:
            is_now_behind = 1.0 if count == entries.shape[0] else 0.0
            new_entries = _appended(entries, count, variable)
            new_count = min(count + 1.0, 1.0 * entries.shape[0])
    return Step(outputs=(result,), states=(new_entries, new_count, is_now_behind))
