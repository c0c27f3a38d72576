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
"""In learning, so many trials are computed at a time where a batch has as many: batches of 32, 64, 128 ... are whole blocks."""
