"""
The state of a compiled model as it stood before some trials, to which it goes back if they fail.
"""

from __future__ import annotations

import numpy as np

from cogir.runtime.context import NativeContext
from cogir.runtime.plan import Floats, Words


class Snapshot:
    """
    The state of one context, in memory that is taken once.

    The records of searches, at the end of the buffer sf, are written anew by each run and never read by it: the copy ends before them.
    """

    def __init__(self, context: NativeContext):
        self.context = context
        self.sf: Floats = context.sf[: context.plan.unrecorded].copy()
        self.si: Words = context.si.copy()
        self.rng: Words = context.rng.copy()

    def save(self) -> None:
        """Copies the present state."""
        np.copyto(self.sf, self.context.sf[: len(self.sf)])
        np.copyto(self.si, self.context.si)
        np.copyto(self.rng, self.context.rng)

    def put_back(self) -> None:
        """Restores the state that was saved last."""
        self.context.sf[: len(self.sf)], self.context.si[:], self.context.rng[:] = self.sf, self.si, self.rng
