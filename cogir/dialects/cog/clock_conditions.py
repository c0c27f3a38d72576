"""
The conditions that only look at the clock: which time step, pass, trial or run it is.
"""

from __future__ import annotations

from abc import ABC
from typing import Any, ClassVar

from xdsl.dialects.builtin import (
    IntegerAttr,
    StringAttr,
    i1,
    i64,
)
from xdsl.irdl import (
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure

from cogir.dialects.cog.attributes import (
    TimeScale,
    TimeScaleAttr,
    int64,
    optional_string,
)
from cogir.dialects.cog.conditions import Condition, PlainCondition, Scale, scale_attr


class ClockCondition(Condition, ABC):
    """A condition on a clock: what is counted is in the name, `in` says since when it is counted."""

    n = prop_def(IntegerAttr.constr(i64))
    scale = prop_def(TimeScaleAttr)
    result = result_def(i1)
    traits = traits_def(Pure())
    assembly_format = "$n `in` $scale attr-dict"

    COUNTED: ClassVar[TimeScale]
    """What is counted."""

    DEFAULT_SCALE: ClassVar[TimeScale] = TimeScale.TRIAL
    """The scale that graph_scheduler takes when none is given."""

    def __init__(self, n: int | IntegerAttr[Any], scale: Scale | None = None):
        super().__init__(
            properties={"n": int64(n), "scale": scale_attr(self.DEFAULT_SCALE if scale is None else scale)},
            result_types=[i1],
        )


class RunClockCondition(Condition, ABC):
    """A condition on the number of the run, counted over the life of the model."""

    n = prop_def(IntegerAttr.constr(i64))
    result = result_def(i1)
    traits = traits_def(Pure())
    assembly_format = "$n attr-dict"

    def __init__(self, n: int | IntegerAttr[Any]):
        super().__init__(properties={"n": int64(n)}, result_types=[i1])


class WallClockCondition(Condition, ABC):
    """A condition on wall-clock time; it parses, and the verifier says why it is refused."""

    text = opt_prop_def(StringAttr)
    result = result_def(i1)
    traits = traits_def(Pure())
    assembly_format = "($text^)? attr-dict"

    def __init__(self, text: str | StringAttr | None = None):
        super().__init__(properties={"text": optional_string(text)}, result_types=[i1])


@irdl_op_definition
class BeforeTimeStepOp(ClockCondition):
    """Holds in time steps before the n-th (from 0): `cog.before_time_step 3 in trial`."""

    name = "cog.before_time_step"
    COUNTED: ClassVar[TimeScale] = TimeScale.TIME_STEP


@irdl_op_definition
class AtTimeStepOp(ClockCondition):
    """Holds in time step n (from 0): `cog.at_time_step 3 in trial`."""

    name = "cog.at_time_step"
    COUNTED: ClassVar[TimeScale] = TimeScale.TIME_STEP


@irdl_op_definition
class AfterTimeStepOp(ClockCondition):
    """Holds after time step n (from 0): `cog.after_time_step 3 in trial`."""

    name = "cog.after_time_step"
    COUNTED: ClassVar[TimeScale] = TimeScale.TIME_STEP


@irdl_op_definition
class AfterNTimeStepsOp(ClockCondition):
    """Holds after at least n time steps: `cog.after_n_time_steps 3 in trial`."""

    name = "cog.after_n_time_steps"
    COUNTED: ClassVar[TimeScale] = TimeScale.TIME_STEP


@irdl_op_definition
class BeforePassOp(ClockCondition):
    """Holds in passes before the n-th (from 0): `cog.before_pass 3 in trial`."""

    name = "cog.before_pass"
    COUNTED: ClassVar[TimeScale] = TimeScale.PASS


@irdl_op_definition
class AtPassOp(ClockCondition):
    """Holds in pass n (from 0): `cog.at_pass 3 in trial`."""

    name = "cog.at_pass"
    COUNTED: ClassVar[TimeScale] = TimeScale.PASS


@irdl_op_definition
class AfterPassOp(ClockCondition):
    """Holds after pass n (from 0): `cog.after_pass 3 in trial`."""

    name = "cog.after_pass"
    COUNTED: ClassVar[TimeScale] = TimeScale.PASS


@irdl_op_definition
class AfterNPassesOp(ClockCondition):
    """Holds after at least n passes: `cog.after_n_passes 3 in trial`."""

    name = "cog.after_n_passes"
    COUNTED: ClassVar[TimeScale] = TimeScale.PASS


@irdl_op_definition
class EveryNPassesOp(ClockCondition):
    """Holds in passes 0, n, 2 n, ...: `cog.every_n_passes 3 in trial`."""

    name = "cog.every_n_passes"
    COUNTED: ClassVar[TimeScale] = TimeScale.PASS


@irdl_op_definition
class BeforeTrialOp(ClockCondition):
    """Holds in trials before the n-th (from 0): `cog.before_trial 3 in run`."""

    name = "cog.before_trial"
    COUNTED: ClassVar[TimeScale] = TimeScale.TRIAL
    DEFAULT_SCALE: ClassVar[TimeScale] = TimeScale.RUN


@irdl_op_definition
class AtTrialOp(ClockCondition):
    """Holds in trial n (from 0): `cog.at_trial 3 in run`."""

    name = "cog.at_trial"
    COUNTED: ClassVar[TimeScale] = TimeScale.TRIAL
    DEFAULT_SCALE: ClassVar[TimeScale] = TimeScale.RUN


@irdl_op_definition
class AfterTrialOp(ClockCondition):
    """Holds after trial n (from 0): `cog.after_trial 3 in run`."""

    name = "cog.after_trial"
    COUNTED: ClassVar[TimeScale] = TimeScale.TRIAL
    DEFAULT_SCALE: ClassVar[TimeScale] = TimeScale.RUN


@irdl_op_definition
class AfterNTrialsOp(ClockCondition):
    """Holds after at least n trials: `cog.after_n_trials 3 in run`."""

    name = "cog.after_n_trials"
    COUNTED: ClassVar[TimeScale] = TimeScale.TRIAL
    DEFAULT_SCALE: ClassVar[TimeScale] = TimeScale.RUN


@irdl_op_definition
class AtRunOp(RunClockCondition):
    """Holds in run n (from 0): `cog.at_run 1`."""

    name = "cog.at_run"


@irdl_op_definition
class AfterRunOp(RunClockCondition):
    """Holds after run n (from 0): `cog.after_run 1`."""

    name = "cog.after_run"


@irdl_op_definition
class AfterNRunsOp(RunClockCondition):
    """Holds after at least n runs: `cog.after_n_runs 1`."""

    name = "cog.after_n_runs"


@irdl_op_definition
class AtTrialStartOp(PlainCondition):
    """Holds in the first pass of a trial: `cog.at_trial_start`."""

    name = "cog.at_trial_start"


@irdl_op_definition
class AtTrialNStartOp(ClockCondition):
    """Holds in the first pass of trial n (from 0): `cog.at_trial_n_start 3 in run`."""

    name = "cog.at_trial_n_start"
    COUNTED: ClassVar[TimeScale] = TimeScale.TRIAL
    DEFAULT_SCALE: ClassVar[TimeScale] = TimeScale.RUN


@irdl_op_definition
class AtRunStartOp(PlainCondition):
    """Holds in the first trial of a run: `cog.at_run_start`."""

    name = "cog.at_run_start"


@irdl_op_definition
class AtRunNStartOp(RunClockCondition):
    """Holds in the first trial of run n (from 0): `cog.at_run_n_start 1`."""

    name = "cog.at_run_n_start"


@irdl_op_definition
class TimeIntervalOp(WallClockCondition):
    """graph_scheduler's TimeInterval: `cog.time_interval "repeat 10 ms"`. Refused: see the verifier."""

    name = "cog.time_interval"


@irdl_op_definition
class TimeTerminationOp(WallClockCondition):
    """graph_scheduler's TimeTermination: `cog.time_termination "10 ms"`. Refused: see the verifier."""

    name = "cog.time_termination"
