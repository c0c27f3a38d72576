"""Limits that hold on all floors."""

LARGEST_ARRAY = 2**27
"""The most elements that an array of a model may have: 1 GiB of doubles."""

NEVER = 2**62
"""A count that is never reached."""

BLOCK_THREADS = 256
"""The most threads of a block of a kernel: reductions have so many places in shared memory, and registers are enough for so many."""

DEEPEST_CONDITION = 100
"""The deepest nesting of conditions: what reads them takes a few calls for each level, and Python allows some 1,000 in all."""

LEAST_TERMS = 100
"""Trials with a product of so many terms are as fast as blocks, or up to twice as fast; with fewer, compiling blocks does not pay."""
MOST_TERMS_AHEAD = 900
"""A product of so many terms, on which draws depend, would take the time of a block: it runs trial after trial, ahead of it."""
LEAST_LEARNING_TERMS = 2500
"""The same for learning, where gradients of smaller matrices stay in the caches from trial to trial."""
LEARNING_BLOCK, LARGEST_LEARNING_BLOCK = 8, 256
"""
In learning, trials are computed at a time in multiples of so many, and up to so many: the more, the fewer times sums of derivatives are
read and written.
"""


def learning_block(batch: int, terms: int) -> int:
    """
    The trials that are computed at a time in batches of so many: at least as many as a batch has, or 256; 0: one at a time. `terms`: the
    size of the largest parameter.
    """
    if batch < LEARNING_BLOCK // 2 or terms < LEAST_LEARNING_TERMS:
        return 0
    return min(LARGEST_LEARNING_BLOCK, -(-batch // LEARNING_BLOCK) * LEARNING_BLOCK)
