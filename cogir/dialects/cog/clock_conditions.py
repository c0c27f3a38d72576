"""
The conditions that ask the clock alone: which time step, pass, trial or run it is. Units are counted from 0.

`cog.at_pass 3 in trial` compares (`RELATION`: `==`) the number of passes (`COUNTED`) that are over in this trial (`in`) with n.
"""

from __future__ import annotations

from abc import ABC
from typing import Any, ClassVar

from xdsl.dialects.builtin import IntegerAttr, StringAttr, i64
from xdsl.irdl import opt_prop_def, prop_def
from xdsl.utils.exceptions import VerifyException

from cogir.dialects.cog.attributes import Relation, TimeScale, TimeScaleAttr, int64, optional_string
from cogir.dialects.cog.conditions import PlainCondition, PureCondition, Scale, condition_class, scale_attr

__all__ = [
    "AfterNPassesOp",
    "AfterNRunsOp",
    "AfterNTimeStepsOp",
    "AfterNTrialsOp",
    "AfterPassOp",
    "AfterRunOp",
    "AfterTimeStepOp",
    "AfterTrialOp",
    "AtPassOp",
    "AtRunNStartOp",
    "AtRunOp",
    "AtRunStartOp",
    "AtTimeStepOp",
    "AtTrialNStartOp",
    "AtTrialOp",
    "AtTrialStartOp",
    "BeforePassOp",
    "BeforeTimeStepOp",
    "BeforeTrialOp",
    "CountCondition",
    "EveryNPassesOp",
    "StartCondition",
    "TimeIntervalOp",
    "TimeTerminationOp",
]

SCALES = tuple(TimeScale)
"""From the shortest to the longest."""


class CountCondition(PureCondition, ABC):
    """Compares the number of units of time that are over with n."""

    n = prop_def(IntegerAttr.constr(i64))

    COUNTED: ClassVar[TimeScale]
    """The unit of time that is counted."""
    RELATION: ClassVar[Relation]
    """The comparison of the count with n; `every`: the count is a multiple of n."""
    AT_START: ClassVar[bool] = False
    """True if the condition holds at the start of the unit alone: in the first pass of a trial, or the first trial of a run."""

    @property
    def within(self) -> TimeScale:
        """The span of time in which units are counted."""
        return TimeScale.LIFE


class ClockCondition(CountCondition, ABC):
    """A condition on a clock that is set to 0 at the beginning of each span that `in` names."""

    scale = prop_def(TimeScaleAttr)
    assembly_format = "$n `in` $scale attr-dict"

    def __init__(self, n: int | IntegerAttr[Any], scale: Scale | None = None):
        """`scale`: by default the one that graph_scheduler takes, the run for trials, the trial for all else."""
        default = TimeScale.RUN if self.COUNTED == TimeScale.TRIAL else TimeScale.TRIAL
        super().__init__(n=int64(n), scale=scale_attr(default if scale is None else scale))

    @property
    def within(self) -> TimeScale:
        return self.scale.data

    def verify_numbers(self) -> None:
        longer = SCALES[SCALES.index(self.COUNTED) + 1 :]
        if self.within not in longer:
            raise VerifyException(
                f"{self.name} counts each {self.COUNTED.value}; its scale is {self.within.value}, but must be longer than a "
                f"{self.COUNTED.value}; "
                f"write in {' or in '.join(scale.value for scale in longer)}"
            )
        super().verify_numbers()


class RunClockCondition(CountCondition, ABC):
    """A condition on the number of the run, counted over the life of the model."""

    assembly_format = "$n attr-dict"

    COUNTED: ClassVar[TimeScale] = TimeScale.RUN

    def __init__(self, n: int | IntegerAttr[Any]):
        super().__init__(n=int64(n))


class StartCondition(PlainCondition, ABC):
    """Holds at the start of each unit of time: in the first pass of a trial, or the first trial of a run."""

    OF: ClassVar[TimeScale]


class WallClockCondition(PureCondition, ABC):
    """A condition on wall-clock time. It parses, and the verifier says why it is refused."""

    text = opt_prop_def(StringAttr)
    assembly_format = "($text^)? attr-dict"

    def __init__(self, text: str | StringAttr | None = None):
        super().__init__(text=optional_string(text))

    def verify_numbers(self) -> None:
        raise VerifyException(
            f"{self.name} depends on wall-clock time, so results would depend on the speed of the machine; count "
            "instead, for example with cog.every_n_passes or cog.after_n_time_steps"
        )


def clock(name: str, counted: TimeScale, relation: Relation, says: str, *, at_start: bool = False) -> type[ClockCondition]:
    """The operation `cog.NAME n in SCALE`."""
    says = f"{says}: `cog.{name} 3 in {'run' if counted == TimeScale.TRIAL else 'trial'}`."
    return condition_class(ClockCondition, name, says, COUNTED=counted, RELATION=relation, AT_START=at_start)


def run_clock(name: str, relation: Relation, says: str, *, at_start: bool = False) -> type[RunClockCondition]:
    """The operation `cog.NAME n`."""
    return condition_class(RunClockCondition, name, f"{says}: `cog.{name} 1`.", RELATION=relation, AT_START=at_start)


BeforeTimeStepOp = clock("before_time_step", TimeScale.TIME_STEP, "<", "Holds in time steps before the n-th")
AtTimeStepOp = clock("at_time_step", TimeScale.TIME_STEP, "==", "Holds in time step n")
AfterTimeStepOp = clock("after_time_step", TimeScale.TIME_STEP, ">", "Holds after time step n")
AfterNTimeStepsOp = clock("after_n_time_steps", TimeScale.TIME_STEP, ">=", "Holds after at least n time steps")

BeforePassOp = clock("before_pass", TimeScale.PASS, "<", "Holds in passes before the n-th")
AtPassOp = clock("at_pass", TimeScale.PASS, "==", "Holds in pass n")
AfterPassOp = clock("after_pass", TimeScale.PASS, ">", "Holds after pass n")
AfterNPassesOp = clock("after_n_passes", TimeScale.PASS, ">=", "Holds after at least n passes")
EveryNPassesOp = clock("every_n_passes", TimeScale.PASS, "every", "Holds in passes 0, n, 2 n, ...")
EveryNPassesOp.LEAST = 1

BeforeTrialOp = clock("before_trial", TimeScale.TRIAL, "<", "Holds in trials before the n-th")
AtTrialOp = clock("at_trial", TimeScale.TRIAL, "==", "Holds in trial n")
AfterTrialOp = clock("after_trial", TimeScale.TRIAL, ">", "Holds after trial n")
AfterNTrialsOp = clock("after_n_trials", TimeScale.TRIAL, ">=", "Holds after at least n trials")

AtRunOp = run_clock("at_run", "==", "Holds in run n")
AfterRunOp = run_clock("after_run", ">", "Holds after run n")
AfterNRunsOp = run_clock("after_n_runs", ">=", "Holds after at least n runs")

AtTrialNStartOp = clock("at_trial_n_start", TimeScale.TRIAL, "==", "Holds in the first pass of trial n", at_start=True)
AtRunNStartOp = run_clock("at_run_n_start", "==", "Holds in the first trial of run n", at_start=True)
AtTrialStartOp = condition_class(
    StartCondition, "at_trial_start", "Holds in the first pass of a trial: `cog.at_trial_start`.", OF=TimeScale.TRIAL
)
AtRunStartOp = condition_class(StartCondition, "at_run_start", "Holds in the first trial of a run: `cog.at_run_start`.", OF=TimeScale.RUN)

TimeIntervalOp = condition_class(
    WallClockCondition, "time_interval", 'graph_scheduler\'s TimeInterval: `cog.time_interval "repeat 10 ms"`. The verifier refuses it.'
)
TimeTerminationOp = condition_class(
    WallClockCondition, "time_termination", 'graph_scheduler\'s TimeTermination: `cog.time_termination "10 ms"`. The verifier refuses it.'
)
