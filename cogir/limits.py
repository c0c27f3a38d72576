"""Limits that hold on all floors."""

LARGEST_ARRAY = 2**27
"""The most elements that an array of a model may have: 1 GiB of doubles."""

NEVER = 2**62
"""A count that is never reached."""

BLOCK_THREADS = 256
"""The most threads of a block of a kernel: reductions have so many places in shared memory, and registers are enough for so many."""

DEEPEST_CONDITION = 100
"""The deepest nesting of conditions: what reads them takes a few calls for each level, and Python allows some 1,000 in all."""

LEARNING_BLOCK = 32
"""In learning, so many trials at least are computed at a time, where a batch has as many."""
LARGEST_LEARNING_BLOCK = 256
"""The most trials that are: the more, the fewer times sums of derivatives are read and written."""


def learning_block(batch: int) -> int:
    """The trials that are computed at a time in batches of so many: a multiple of 32, as one that ends early does; 0: one at a time."""
    return 0 if batch < LEARNING_BLOCK else min(LARGEST_LEARNING_BLOCK, -(-batch // LEARNING_BLOCK) * LEARNING_BLOCK)
