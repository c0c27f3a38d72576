# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false
# pyright: reportPrivateUsage=false
# NumPy types a few reductions only in part. The scores are those of the library's memory.
"""
The memory of a field of an EMComposition, which PsyNeuLink calls twice in a trial with another operation each time.
"""

import numpy as np

from cogir.library.psyneulink.memory import _scores
from cogir.library.signature import Probability, Random, State, Static, Step, Value


def matrix_memory_by_turns(
    query: Value,
    combined_scores: Value,
    weakest: Value,
    turn: Value,
    *,
    storage_prob: Probability = 1.0,
    decay_rate: Value = 0.0,
    metric: Static = "dot_product",
    normalize_memories: Static = True,
    memory: State = ((0.0,),),
    random: Random,
) -> Value:
    """
    A `matrix_memory` that computes scores in its first turn, and retrieves and stores in the others.

    Inputs: those of `matrix_memory`, and `turn` (1,), the number of executions in the trial, this one included.
    """
    norms = np.zeros(memory.shape[0])
    entry = query + 0.0
    scores = combined_scores + 0.0
    kept = memory + 0.0
    if turn[0] < 1.5:
        norms = np.sqrt(np.sum(memory * memory, axis=1))
        scores = _scores(query, memory, metric, normalize_memories)
    else:
        entry = combined_scores @ memory
        if random.uniform() < storage_prob:
            kept = memory * (1.0 - decay_rate)
            kept[int(weakest[0])] = query
    return Step(outputs=(entry, scores, norms), states=(kept,))
