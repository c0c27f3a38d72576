"""
The state of a compiled model as it stood before some trials, to which it goes back if they fail.
"""

from __future__ import annotations

import numpy as np

from cogir.runtime.context import NativeContext, StateCopy
from cogir.runtime.plan import Floats, Words


class Snapshot:
    """
    The state of one context, in memory that is taken once; nothing until it has been saved.

    The records of searches, at the end of the buffer sf, are written anew by each run and never read by it: the copy ends before them.
    """

    def __init__(self, context: NativeContext):
        self.context = context
        self.size = context.plan.unrecorded
        self.sf: Floats = np.empty(0)
        self.si: Words = np.empty(0, np.int64)
        self.rng: Words = np.empty(0, np.int64)
        self.is_writable = False
        """True if there is memory to save the state in, which nobody else uses."""

    def save(self) -> None:
        """Copies the present state."""
        context = self.context
        if not self.is_writable:
            self.is_writable = True
            self.sf, self.si, self.rng = np.empty(self.size), np.empty_like(context.si), np.empty_like(context.rng)
        np.copyto(self.sf, context.sf[: self.size])
        np.copyto(self.si, context.si)
        np.copyto(self.rng, context.rng)

    @property
    def copy(self) -> StateCopy:
        """What was saved last."""
        return self.sf, self.si, self.rng

    def give(self) -> StateCopy:
        """What was saved last, for somebody who keeps it: what is saved next goes into other memory."""
        self.is_writable = False
        return self.copy

    def put_back(self) -> None:
        """Restores the state that was saved last."""
        self.context.sf[: self.size], self.context.si[:], self.context.rng[:] = self.copy
