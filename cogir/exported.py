"""
The public names of cogir that are loaded together, when the first of them is asked for.
"""

# pyright: reportUnusedImport=false

from cogir.errors import (
    BackendError,
    CacheError,
    CogirError,
    DeviceError,
    DeviceMemoryError,
    ExecutionError,
    FunctionError,
    InputError,
    LoweringError,
    ModelError,
    no_attribute,
)
from cogir.frontend.builder.conditions import (
    AfterCall,
    AfterNCalls,
    AfterNCallsCombined,
    AfterNPasses,
    AfterNRuns,
    AfterNTimeSteps,
    AfterNTrials,
    AfterPass,
    AfterRun,
    AfterTimeStep,
    AfterTrial,
    All,
    AllHaveRun,
    Always,
    And,
    Any,
    AtNCalls,
    AtPass,
    AtRun,
    AtRunNStart,
    AtRunStart,
    AtTimeStep,
    AtTrial,
    AtTrialNStart,
    AtTrialStart,
    BeforeNCalls,
    BeforePass,
    BeforeTimeStep,
    BeforeTrial,
    Condition,
    EveryNCalls,
    EveryNPasses,
    JustRan,
    Never,
    Not,
    NWhen,
    Or,
    Threshold,
    TimeInterval,
    TimeTermination,
    WhenFinished,
    WhenFinishedAll,
    WhenFinishedAny,
    While,
    WhileNot,
)
from cogir.frontend.builder.forgotten_resets import ResetWarning
from cogir.frontend.builder.functions import NotCompiledWarning
from cogir.frontend.builder.generators import random
from cogir.frontend.builder.handles import Control, Instance, Node, Parameter, Port, Projection
from cogir.frontend.builder.model import Model
from cogir.frontend.builder.replacing import RepeatedWarning, ReplacedWarning
from cogir.frontend.builder.self_projections import RecurrentWarning
from cogir.frontend.builder.signals import Signal
from cogir.frontend.builder.time_scales import TimeScale
from cogir.frontend.builder.widening import ShapeWarning
from cogir.frontend.compile import compile
from cogir.labelled.load import load
from cogir.labelled.loaded import Loaded
from cogir.labelled.traces import Trace, Traces
from cogir.library.signature import NonNegative, Positive, Probability
from cogir.ranges import Between
from cogir.runtime.compiled import Compiled, FinishedWarning, NotRecordedWarning
from cogir.runtime.context import Context, FreshStartWarning
from cogir.runtime.flags import OutOfRangeWarning, UnfinishedWarning
from cogir.runtime.inputs import MissingInputWarning
from cogir.runtime.learning import Learned, LearningInterrupted, LearningWarning
from cogir.runtime.modes import OrderWarning, ReducedModeWarning
from cogir.runtime.native import CacheWarning, DeviceWarning
from cogir.runtime.recording import TraceMemoryError
from cogir.runtime.replicates import Replicates, ReplicatesInterrupted
from cogir.runtime.results import Result, RunInterrupted
from cogir.runtime.sweeps import reductions
from cogir.runtime.sweeps.axes import zipped
from cogir.runtime.sweeps.sweep import Sweep, SweepInterrupted
