"""
What cannot be compiled, remembered: to find out again at each run would take longer than many a run.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import contextmanager
from typing import Any

from cogir.errors import CogirError, FunctionError, ModelError
from cogir.psyneulink.execution.changes import Watch
from cogir.psyneulink.execution.short_runs import end_short_runs
from cogir.psyneulink.importer.side_effects import constants_of
from cogir.psyneulink.importer.survey import Survey
from cogir.psyneulink.reader import Reads, UnsupportedFeature, is_numeric, recorded_reads
from cogir.psyneulink.records import kept
from cogir.psyneulink.state.logged_values import NotRecorded, conditions_set


class Refusal:
    """
    Why a Composition was refused, and what that may depend on: what it is made of, and what was read up to there.

    Numbers from which the model would only have started are not looked at, as each run changes some. When one of them was the reason, the
    Composition runs in PsyNeuLink for longer than it must.
    """

    def __init__(self, survey: Survey, error: ModelError | FunctionError, reads: Reads):
        self.reason = reason_of(error)  # the error itself would keep all that was computed up to there
        decisive = [read for read in reads[:-1] if read[2] or not is_numeric(read[0].values.get(read[1]))] + reads[-1:]
        self.watch = Watch(survey, [(parameter, key, True) for parameter, key, _ in decisive], (), ())
        self.functions = [one.custom_function for one in survey.components if type(one).__name__ == "UserDefinedFunction"]
        self.mentioned = mentioned_by(self.functions)
        self.log_conditions = conditions_set() if isinstance(error, NotRecorded) else None
        """The number of log conditions that had been set, if one was the reason."""
        self.histories = [
            (parameter.__dict__, length)
            for one in survey.components
            for parameter in one.__dict__.get("parameters", ())
            if (length := parameter.__dict__.get("history_max_length", 1)) != 1
        ]

    def is_of(self, execution_id: Any) -> bool:
        """True if an execution context has the values that were read."""
        return self.watch.holds_in(execution_id)

    def holds(self) -> bool:
        """True if nothing has changed that might make another answer."""
        if any(held.get("history_max_length", 1) != length for held, length in self.histories):
            return False
        if self.log_conditions not in (None, conditions_set()):
            return False
        lengths = self.watch.lengths
        try:
            if self.watch.changed() or self.watch.lengths != lengths:  # else what was not PsyNeuLink's own may have gone
                return False
        except UnsupportedFeature as error:
            self.watch.lengths = list(map(len, self.watch.sizes))
            return reason_of(error) == self.reason
        return mentioned_by(self.functions) == self.mentioned


def reason_of(error: ModelError | FunctionError) -> tuple[type[CogirError], tuple[Any, ...]]:
    """The class of an error and its arguments."""
    said = (error.component, error.feature, error.remedy) if isinstance(error, UnsupportedFeature) else error.args
    return type(error), said


def mentioned_by(functions: Iterable[Any]) -> list[tuple[Any, ...]]:
    """
    What the user's own functions read from outside: functions as they are, of all else, which may change with each call, the class, and the
    shape of an array.
    """
    return [
        (chain, value) if callable(value) else (chain, type(value), getattr(value, "shape", None))
        for function in functions
        for _, chain, value in constants_of(function)
    ]


class LastRefusals:
    """Why a Composition was refused when it was last looked at: to run (False), and to learn (True)."""

    def __init__(self) -> None:
        self.refusals: dict[bool, Refusal] = {}


@contextmanager
def remembering_refusals(survey: Survey, learns: bool = False) -> Generator[Reads]:
    """Within the block, every Parameter that is read is noted; a refusal is remembered."""
    with recorded_reads() as reads:
        try:
            yield reads
        except (ModelError, FunctionError) as error:
            kept(survey.composition, LastRefusals).refusals[learns] = Refusal(survey, error, reads)
            end_short_runs(survey.composition, learns)
            raise


def check_not_refused(composition: Any, execution_id: Any, learns: bool = False) -> None:
    """Refuses a Composition again that was refused, if it is still the same in this execution context."""
    refusals = kept(composition, LastRefusals).refusals
    refusal = refusals.get(learns)
    if refusal is None or not refusal.is_of(execution_id):
        return
    if refusal.holds():
        kind, said = refusal.reason
        raise kind(*said)
    del refusals[learns]
