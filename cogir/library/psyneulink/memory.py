# NumPy types a few reductions only in part.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false
"""PsyNeuLink's memories. A memory has a fixed capacity; `count` says how many of its rows are filled, the oldest first."""

import numpy as np

from cogir.library.psyneulink.objectives import distance
from cogir.library.signature import Probability, Random, State, Static, Step, Value, node_function


def _appended(rows: Value, count: Value, row: Value) -> Value:
    """The rows with one more at the end; when all are filled, the oldest goes."""
    capacity = rows.shape[0]
    filled = int(count)
    result = rows + 0.0
    if filled < capacity:
        result[filled] = row
    else:
        if capacity > 1:
            result[: capacity - 1] = rows[1:]
        result[capacity - 1] = row
    return result


@node_function(outputs=("value", "count"))
def buffer(variable: Value, *, rate: Value = 1.0, noise: Value = 0.0, rows: State = ((0.0,),), count: State = 0.0) -> Value:
    """
    The last inputs, the oldest first: `rows * rate + noise`, and the input behind them

    Differs: `noise` is a number that is added to what is stored, in each execution, and nothing is drawn.

    Parameters (numbers, or arrays of the input's shape): `rate`, the share of what is stored that each execution leaves; `noise`.

    Input: `variable`, of any shape. Outputs: `value`, (history, *shape of the input), of which the first `count` rows are filled and the
    others 0; `count`, a number. States: `rows`, whose initial value gives the capacity, and `count`, from 0; they are kept until the node
    is reset.

    Source: PsyNeuLink `Buffer`.

        model.node("recent", library.psyneulink.buffer, input=2, rows=np.zeros((3, 2)), rate=0.9)
    """
    capacity = rows.shape[0]
    kept = rows + 0.0
    for i in range(capacity):
        if i < count:
            kept[i] = rows[i] * rate + noise
    kept = _appended(kept, count, variable)
    filled = min(count + 1.0, 1.0 * capacity)
    return Step(outputs=(kept, filled), states=(kept, filled))


def _check_retrieval(direction: Static, tie: Static, equidistant: Static) -> None:
    """Refuses names that `_selected` and `_chosen` do not know."""
    if direction != "min" and direction != "max":
        raise ValueError('direction is neither "min" nor "max"; give one of them')
    if tie != "first" and tie != "last" and tie != "all":
        raise ValueError('tie is none of "first", "last" and "all"; give one of them')
    if equidistant != "random" and equidistant != "oldest" and equidistant != "newest":
        raise ValueError('what selects among equidistant ones is none of "random", "oldest" and "newest"; give one of them')


def _selected(distances: Value, count: Value, direction: Static, abs_val: Static) -> Value:
    """1 for each filled row that is the nearest (or the farthest, with direction "max"), 0 for the others."""
    values = np.abs(distances) if abs_val else distances
    extreme = values[0]
    for i in range(distances.size):
        if i < count:
            extreme = max(extreme, values[i]) if direction == "max" else min(extreme, values[i])
    return np.where((np.arange(distances.size) < count) & (values == extreme), 1.0, 0.0)


def _chosen(selected: Value, tie: Static, equidistant: Static, random: Random) -> Value:
    """The row to retrieve: the first or last of the selected rows, or one of them that is drawn."""
    rank = 0
    total = np.count_nonzero(selected > 0.0)
    if tie == "all":
        if equidistant == "random":
            rank = random.integer(int(total))
        elif equidistant == "newest":
            rank = total - 1
    elif tie == "last":
        rank = total - 1
    chosen = 0
    seen = 0
    for i in range(selected.size):
        if selected[i] > 0.0:
            if seen == rank:
                chosen = i
            seen = seen + 1
    return chosen


def _wanted(probability: Value, random: Random) -> Value:
    """True with this probability; a number is drawn only if the outcome is not certain."""
    happens = probability == 1.0
    if probability > 0.0 and probability < 1.0:
        happens = probability > random.uniform()
    return happens


@node_function(outputs=("key", "value"))
def dictionary_memory(
    key: Value,
    value: Value,
    *,
    retrieval_prob: Probability = 1.0,
    storage_prob: Probability = 1.0,
    rate: Value = 1.0,
    noise: Value = 0.0,
    metric: Static = "cosine",
    normalize: Static = False,
    direction: Static = "min",
    abs_val: Static = False,
    tie: Static = "all",
    duplicate_keys: Static = False,
    equidistant_keys_select: Static = "random",
    keys: State = ((0.0,),),
    values: State = ((0.0,),),
    count: State = 0.0,
    random: Random,
) -> Value:
    """
    A memory of pairs: retrieves the value of the nearest key, then stores `key * rate + noise` with its value

    Differs: `noise` is a number that is added to the key, and nothing is drawn for it; keys that are equal are not stored again, unless
    asked for.

    Parameters: `retrieval_prob` and `storage_prob` (0 to 1), of each in an execution; `rate` and `noise`, of the key that is stored;
    `metric` and `normalize`, of the distance, as in `psyneulink.distance`; `direction`, "min" or "max", the nearest or the farthest key;
    `abs_val` (False or True), of the distances; `tie`, "first", "last" or "all" of equal ones; `duplicate_keys`: False, "overwrite" or
    True; `equidistant_keys_select`: "random", "oldest" or "newest" of several with `tie` "all".

    Inputs: `key` (k,) and `value` (n,). Outputs: `key` (k,) and `value` (n,), as retrieved; zeros where nothing is. States: `keys`
    (capacity, k) and `values` (capacity, n), whose initial values give the capacity, and `count`, from 0; they are kept until the node is
    reset. Draws: a uniform number for each probability between 0 and 1, and an integer for a random selection.

    Source: PsyNeuLink `DictionaryMemory`.

        model.node("names", library.psyneulink.dictionary_memory, input={"key": 2, "value": 3}, keys=np.zeros((10, 2)),
                   values=np.zeros((10, 3)))
    """
    _check_retrieval(direction, tie, equidistant_keys_select)
    if duplicate_keys is not False and duplicate_keys is not True and duplicate_keys != "overwrite":
        raise ValueError('duplicate_keys is none of False, "overwrite" and True; give one of them')
    capacity = keys.shape[0]
    found_key = np.zeros(key.size)
    found_value = np.zeros(value.size)
    if _wanted(retrieval_prob, random) and count > 0.0:
        distances = np.zeros(capacity)
        for i in range(capacity):
            if i < count:
                distances[i] = distance(key, keys[i], metric=metric, normalize=normalize)
        selected = _selected(distances, count, direction, abs_val)
        first = int(np.argmax(selected))
        doubtful = False
        if tie == "all" and duplicate_keys is False:
            for i in range(capacity):
                if i > first and selected[i] > 0.0 and np.all(keys[i] == keys[first]):
                    doubtful = True
        if not doubtful:
            chosen = _chosen(selected, tie, equidistant_keys_select, random)
            found_key = keys[chosen] + 0.0
            found_value = values[chosen] + 0.0
    kept_key = key * rate + noise
    new_keys = keys + 0.0
    new_values = values + 0.0
    new_count = count + 0.0
    if _wanted(storage_prob, random):
        same = -1
        for i in range(capacity):
            if i < count and same < 0 and np.all(keys[i] == kept_key):
                same = i
        if same < 0 or duplicate_keys is True:
            new_keys = _appended(keys, count, kept_key)
            new_values = _appended(values, count, value)
            new_count = min(count + 1.0, 1.0 * capacity)
        elif duplicate_keys == "overwrite":
            new_values[same] = value
    return Step(outputs=(found_key, found_value), states=(new_keys, new_values, new_count))


def _entry_distance(cue: Value, entry: Value, weights: Value, metric: Static, normalize: Static) -> Value:
    """The distance of two entries (fields, width): all in one where the weights are equal, else the weighted mean over the fields."""
    result = 0.0
    if np.all(weights == weights[0]):
        result = distance(cue.reshape(-1), entry.reshape(-1), metric=metric, normalize=normalize) * weights[0]
    else:
        fields = 0.0
        for i in range(cue.shape[0]):
            if weights[i] != 0.0:
                result = result + distance(cue[i], entry[i], metric=metric, normalize=normalize) * weights[i]
                fields = fields + 1.0
        result = result / fields
    return result


def _distances(cue: Value, entries: Value, count: Value, weights: Value, metric: Static, normalize: Static) -> Value:
    """Those of an entry from each of the filled ones; 0 for the others."""
    distances = np.zeros(entries.shape[0])
    for i in range(entries.shape[0]):
        if i < count:
            distances[i] = _entry_distance(cue, entries[i], weights, metric, normalize)
    return distances


def _are_alike(entries: Value, selected: Value, threshold: Value, weights: Value, metric: Static, normalize: Static) -> Value:
    """True if two of the selected entries are within the threshold of each other."""
    alike = False
    for i in range(selected.size):
        if selected[i] > 0.0:
            for j in range(selected.size):
                if i < j and selected[j] > 0.0:
                    if _entry_distance(entries[i], entries[j], weights, metric, normalize) <= threshold:
                        alike = True
    return alike


def _duplicate(entry: Value, entries: Value, count: Value, threshold: Value, weights: Value, metric: Static, normalize: Static) -> Value:
    """The place of the first of the filled entries that is within the threshold of another one; -1 if there is none."""
    same = -1
    for i in range(entries.shape[0]):
        if i < count and same < 0:
            if _entry_distance(entry, entries[i], weights, metric, normalize) <= threshold:
                same = i
    return same


def content_addressable_memory(
    variable: Value,
    *,
    retrieval_prob: Probability = 1.0,
    storage_prob: Probability = 1.0,
    noise: Value = 0.0,
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
    random: Random,
) -> Value:
    """
    A memory of entries: retrieves the nearest one, then stores `variable + noise`

    Differs: `noise` is a number that is added to what is stored, and nothing is drawn for it. `hopfield_storage` and `hopfield_synchronous`
    are a content-addressable memory with the formulas of the literature.

    Parameters: `retrieval_prob` and `storage_prob` (0 to 1), of each in an execution; `noise`; `distance_field_weights` (fields,), of which
    all 0 retrieve nothing; `duplicate_threshold`, the distance within which entries are duplicates; `metric` and `normalize`, of the
    distance, as in `psyneulink.distance`; `direction`, "min" or "max", the nearest or the farthest entry; `abs_val` (False or True), of the
    distances; `tie`, "first", "last" or "all" of equal ones; `duplicate_entries_allowed`: False (not stored again), "overwrite" or True;
    `equidistant_entries_select`: "random", "oldest" or "newest" of several with `tie` "all".

    Input: `variable` (fields, width), the cue and the new entry. Output: `value` (fields, width), the entry; zeros where nothing is
    retrieved. States: `entries` (capacity, fields, width), whose initial value gives the capacity, and `count`, from 0; they are kept until
    the node is reset. Draws: a uniform number for each probability between 0 and 1, and an integer for a random selection.

    Source: PsyNeuLink `ContentAddressableMemory`.

        model.node("episodes", library.psyneulink.content_addressable_memory, input=(2, 3), entries=np.zeros((10, 2, 3)))
    """
    _check_retrieval(direction, tie, equidistant_entries_select)
    if duplicate_entries_allowed is not False and duplicate_entries_allowed is not True and duplicate_entries_allowed != "overwrite":
        raise ValueError('duplicate_entries_allowed is none of False, "overwrite" and True; give one of them')
    weights = distance_field_weights + np.zeros(variable.shape[0])
    result = np.zeros(variable.shape)
    if _wanted(retrieval_prob if np.any(weights != 0.0) else 0.0, random) and count > 0.0:
        distances = _distances(variable, entries, count, weights, metric, normalize)
        selected = _selected(distances, count, direction, abs_val)
        alike = tie == "all" and duplicate_entries_allowed is False
        if not (alike and _are_alike(entries, selected, duplicate_threshold, weights, metric, normalize)):
            result = entries[_chosen(selected, tie, equidistant_entries_select, random)] + 0.0
    new_entries = entries + 0.0
    new_count = count + 0.0
    if _wanted(storage_prob, random):
        entry = variable + noise
        same = _duplicate(entry, entries, count, duplicate_threshold, weights, metric, normalize)
        if same < 0 or duplicate_entries_allowed is True:
            new_entries = _appended(entries, count, entry)
            new_count = min(count + 1.0, 1.0 * entries.shape[0])
        elif duplicate_entries_allowed == "overwrite":
            new_entries[same] = entry
    return Step(outputs=(result,), states=(new_entries, new_count))


@node_function(outputs=("entry", "scores", "norms"))
def matrix_memory(
    query: Value,
    combined_scores: Value,
    weakest: Value,
    *,
    storage_prob: Probability = 1.0,
    decay_rate: Value = 0.0,
    operation: Static = "COMPUTE_SCORES",
    metric: Static = "dot_product",
    normalize_memories: Static = True,
    memory: State = ((0.0,),),
    random: Random,
) -> Value:
    """
    A matrix of n memories of m elements: scores, retrieval and storage

    Differs: only PsyNeuLink defines it; memories decay by `1 - decay_rate`, those of `em_storage` by `decay_rate`.

    Parameters: `storage_prob` (0 to 1); `decay_rate` (0 to 1), the share that the other memories lose when one is stored; `operation`:
    "COMPUTE_SCORES" (the match of the query with each memory, and the norms of the memories), "retrieve" (the sum of the memories, weighed
    by the scores) or "ACCESS_MEMORY" (the same; then the query takes the place of the weakest memory, with `storage_prob`); `metric`,
    "dot_product" or "difference"; `normalize_memories` (True or False): cosines in place of products, or one less the share of all
    differences.

    Inputs: `query` (m,); `combined_scores` (n,); `weakest` (1,), the place of a memory. Outputs: `entry` (m,), `scores` (n,), `norms` (n,).
    State: `memory` (n, m), which is kept until the node is reset. Draws: one uniform number, with "ACCESS_MEMORY".

    Source: PsyNeuLink `MatrixMemory`.

        model.node("memory", library.psyneulink.matrix_memory, input={"query": 3, "combined_scores": 4, "weakest": 1},
                   memory=np.ones((4, 3)))
    """
    norms = np.zeros(memory.shape[0])
    entry = query + 0.0
    scores = combined_scores + 0.0
    kept = memory + 0.0
    if operation == "COMPUTE_SCORES":
        norms = np.sqrt(np.sum(memory * memory, axis=1))
        scores = _scores(query, memory, metric, normalize_memories)
    elif operation == "retrieve" or operation == "ACCESS_MEMORY":
        entry = combined_scores @ memory
    else:
        raise ValueError('operation is none of "COMPUTE_SCORES", "retrieve" and "ACCESS_MEMORY"; give one of them')
    if operation == "ACCESS_MEMORY":
        if random.uniform() < storage_prob:
            kept = memory * (1.0 - decay_rate)
            kept[int(weakest[0])] = query
    return Step(outputs=(entry, scores, norms), states=(kept,))


def _scores(query: Value, memory: Value, metric: Static, normalize: Static) -> Value:
    """The match of the query with each row of the memory."""
    if metric == "difference":
        differences = np.abs(query - memory.T)
        if normalize:
            total = np.sum(differences)
            if total == 0.0:
                total = 1.0
            return np.sum(1.0 - differences / total, axis=0)
        return np.sum(differences, axis=0)
    if metric != "dot_product":
        raise ValueError('metric is neither "dot_product" nor "difference"; give one of them')
    if normalize:
        length = np.sqrt(np.sum(query * query))
        direction = query / length if length != 0.0 else query
        rows = memory / np.sqrt(np.sum(memory * memory, axis=1))[:, None] if np.any(memory != 0.0) else memory
        return rows @ direction
    return memory @ query


def em_storage(
    variable: Value,
    memory_matrix: Value,
    *,
    storage_prob: Probability = 1.0,
    decay_rate: Value = 0.0,
    storage_location: Static = None,
    axis: Static = 0,
    random: Random,
) -> Value:
    """
    The matrix with `variable` in place of its weakest column or row

    Differs: only PsyNeuLink defines it; the matrix is multiplied by `decay_rate`, unless that is 0.

    Parameters: `storage_prob` (0 to 1); `decay_rate`, the share that stays, where 0 keeps all; `storage_location`, the place, or None for
    the first with the smallest norm; `axis`, 0 for columns or 1 for rows.

    Inputs: `variable` (m,); `memory_matrix`, (m, n) or (n, m). Output: `value`, of the shape of the matrix, unchanged if nothing is stored.
    Draws: one uniform number.

    Source: PsyNeuLink `EMStorage`.

        matrix = np.array([[3.0, 0.1], [3.0, 0.1]])
        library.psyneulink.em_storage(np.array([1.0, 2.0]), matrix, random=cogir.random(1))  # [[3.0, 1.0], [3.0, 2.0]]
    """
    result = memory_matrix + 0.0
    if random.uniform() < storage_prob:
        if decay_rate != 0.0:
            result = memory_matrix * decay_rate
        place = np.argmin(np.sqrt(np.sum(result * result, axis=axis))) if storage_location is None else storage_location
        if axis == 0:
            result[:, place] = variable
        else:
            result[place] = variable
    return result
