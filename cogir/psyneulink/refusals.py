"""
What cannot be compiled, remembered: to find out again at each run would take longer than many a run.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any
from weakref import WeakKeyDictionary

from cogir.frontend.psyneulink.values import Reads, UnsupportedFeature, is_numeric, recorded_reads
from cogir.psyneulink.watch import Watch


class Refusal:
    """
    Why a Composition was refused, and what that may depend on: what it is made of, and what was read up to there.

    Numbers from which the model would only have started are not looked at, as each run changes some. When one of them was the reason, the
    Composition runs in PsyNeuLink for longer than it must.
    """

    def __init__(self, composition: Any, error: UnsupportedFeature, reads: Reads):
        self.error = error
        decisive = [read for read in reads[:-1] if read[2] or not is_numeric(read[0].values.get(read[1]))] + reads[-1:]
        self.watch = Watch(composition, [(parameter, key, True) for parameter, key, _ in decisive], (), ())

    def holds(self) -> bool:
        """Whether nothing has changed that might make another answer."""
        lengths = self.watch.lengths
        try:
            return not self.watch.changed() and self.watch.lengths == lengths  # else what was not PsyNeuLink's own may have gone
        except UnsupportedFeature as error:
            self.watch.lengths = list(map(len, self.watch.sizes))
            return str(error) == str(self.error)


_REFUSALS: WeakKeyDictionary[Any, Refusal] = WeakKeyDictionary()


@contextmanager
def remembering_refusals(composition: Any) -> Generator[Reads]:
    """Within the block, every Parameter that is read is noted; a refusal is remembered."""
    with recorded_reads() as reads:
        try:
            yield reads
        except UnsupportedFeature as error:
            _REFUSALS[composition] = Refusal(composition, error, reads)
            raise


def check_not_refused(composition: Any) -> None:
    """Refuses a Composition again that was refused, if it is still the same."""
    refusal = _REFUSALS.get(composition)
    if refusal is None:
        return
    if refusal.holds():
        raise UnsupportedFeature(refusal.error.component, refusal.error.feature, refusal.error.remedy)
    del _REFUSALS[composition]
