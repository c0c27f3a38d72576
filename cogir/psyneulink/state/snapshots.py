"""
The state of a compiled model as it stood before some trials.

What a search keeps of all its points, which may be millions, belongs to the last search alone: it is saved in memory that is
taken once, and copies that are kept for later leave it out. The records of searches, at the end of the bank sf, are written
anew by each run and never read by it: copies end before them.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from cogir.runtime.context import BankContext
from cogir.runtime.plan import Floats, Leaf, Words

Saved = tuple[Floats, Words, Words]
"""The banks sf, as far as it is copied, si and rng."""


class Snapshots:
    """Copies of the state of one context."""

    def __init__(self, context: BankContext, tables: Iterable[Leaf]):
        """`tables`: where searches keep the values of all points."""
        self.context = context
        self.size = context.plan.unrecorded
        """How many words of the bank sf are copied."""
        self.tables = sorted((leaf.words for leaf in tables), key=lambda words: words.start)
        ends = [0, *(end for words in self.tables for end in (words.start, words.stop)), self.size]
        self.others = [slice(first, last) for first, last in zip(ends[::2], ends[1::2], strict=True)]
        """All words of the bank sf that are not in a table."""
        self.saved_tables: list[Floats] = []

    def numbers(self) -> Floats:
        """A copy of the bank sf without records; zeros that nobody has touched, which therefore take no memory, stand for the tables."""
        bank = self.context.sf[: self.size]
        if not self.tables:
            return bank.copy()
        copy: Floats = np.zeros(len(bank))
        for words in self.others:
            copy[words] = bank[words]
        return copy

    def save(self) -> Saved:
        """A copy of the state; the tables are saved in the place of those that were saved before."""
        context = self.context
        if not self.saved_tables:
            self.saved_tables = [context.sf[words].copy() for words in self.tables]
        else:
            for words, table in zip(self.tables, self.saved_tables, strict=True):
                table[:] = context.sf[words]
        return self.numbers(), context.si.copy(), context.rng.copy()

    def put_back(self, saved: Saved) -> None:
        """The state is again what was saved last, which is `saved`."""
        context = self.context
        context.sf[: self.size], context.si[:], context.rng[:] = saved
        for words, table in zip(self.tables, self.saved_tables, strict=True):
            context.sf[words] = table
