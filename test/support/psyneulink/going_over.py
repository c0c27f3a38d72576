"""
Runs that begin in PsyNeuLink and go over to native code after a given number of trials, however long they take.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from cogir.psyneulink.execution.measured_runs import MeasuredRun


@contextmanager
def going_over_after(trials: int) -> Iterator[list[str]]:
    """Within the block, runs that may go over do so after so many trials; gives the names of the Compositions whose runs were asked to."""
    asked: list[str] = []
    original = MeasuredRun.is_longer_than_compiling

    def is_longer(run: MeasuredRun, each: float) -> bool:
        if run.done == trials:
            asked.append(run.composition.name)
        return run.done == trials

    MeasuredRun.is_longer_than_compiling = is_longer
    try:
        yield asked
    finally:
        MeasuredRun.is_longer_than_compiling = original
