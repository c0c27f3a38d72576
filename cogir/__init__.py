"""
cogir: a compiler for computational models of cognition.

    import cogir

    m = cogir.Model("ddm")
    stimulus = m.node("stimulus", input=1)
    decision = m.node("decision", cogir.library.drift_diffusion_integrator, noise=0.5, threshold=1.0, reset_each_trial=True)
    m.project(stimulus, decision)
    m.schedule.trial_ends(cogir.WhenFinished(decision))
    result = m.compile().run({"stimulus": [[0.3]]}, num_trials=1000)

A finished node stays finished until it is reset: without `reset_each_trial=True`, only the first trial would compute anything.

Importing cogir loads NumPy, the builder, the function library, and what runs compiled code, so that a model whose code is in the cache
starts within milliseconds. The compiler itself, xDSL with it, is loaded when a model is compiled for the first time.
"""

from typing import TYPE_CHECKING

from cogir.callers import ends_at_caller, methods_end_at_caller
from cogir.garbage import count_as_old, without_garbage_collection

__version__ = "0.1.0"

with without_garbage_collection():
    from cogir import library
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

__all__ = [
    "AfterCall",
    "AfterNCalls",
    "AfterNCallsCombined",
    "AfterNPasses",
    "AfterNRuns",
    "AfterNTimeSteps",
    "AfterNTrials",
    "AfterPass",
    "AfterRun",
    "AfterTimeStep",
    "AfterTrial",
    "All",
    "AllHaveRun",
    "Always",
    "And",
    "Any",
    "AtNCalls",
    "AtPass",
    "AtRun",
    "AtRunNStart",
    "AtRunStart",
    "AtTimeStep",
    "AtTrial",
    "AtTrialNStart",
    "AtTrialStart",
    "BackendError",
    "BeforeNCalls",
    "BeforePass",
    "BeforeTimeStep",
    "BeforeTrial",
    "Between",
    "CacheError",
    "CacheWarning",
    "CogirError",
    "Compiled",
    "Condition",
    "Context",
    "Control",
    "DeviceError",
    "DeviceMemoryError",
    "DeviceWarning",
    "EveryNCalls",
    "EveryNPasses",
    "ExecutionError",
    "FinishedWarning",
    "Fit",
    "FitError",
    "FitWarning",
    "Fits",
    "FreshStartWarning",
    "FunctionError",
    "InputError",
    "Instance",
    "JustRan",
    "Learned",
    "LearningInterrupted",
    "LearningWarning",
    "Loaded",
    "LoweringError",
    "MissingInputWarning",
    "Model",
    "ModelError",
    "NWhen",
    "Never",
    "Node",
    "NonNegative",
    "Not",
    "NotCompiledWarning",
    "NotRecordedWarning",
    "Or",
    "OrderWarning",
    "OutOfRangeWarning",
    "Parameter",
    "Port",
    "Positive",
    "Probability",
    "Projection",
    "RecurrentWarning",
    "ReducedModeWarning",
    "RepeatedWarning",
    "ReplacedWarning",
    "Replicates",
    "ReplicatesInterrupted",
    "ResetWarning",
    "Result",
    "RunInterrupted",
    "ShapeWarning",
    "Signal",
    "Sweep",
    "SweepInterrupted",
    "Threshold",
    "TimeInterval",
    "TimeScale",
    "TimeTermination",
    "Trace",
    "TraceMemoryError",
    "Traces",
    "UnfinishedWarning",
    "WhenFinished",
    "WhenFinishedAll",
    "WhenFinishedAny",
    "While",
    "WhileNot",
    "__version__",
    "analyze",
    "compile",
    "fit",
    "from_psyneulink",
    "library",
    "load",
    "random",
    "recovery",
    "reductions",
    "zipped",
]


list(map(methods_end_at_caller, (found for name in __all__ if isinstance(found := globals().get(name), type))))
count_as_old()
del count_as_old, methods_end_at_caller, without_garbage_collection


def __dir__() -> list[str]:
    """The public names: the subpackages that are loaded by now are not among them."""
    return sorted(__all__)


LAZY = {
    "Fit": "cogir.study.fitted",
    "FitError": "cogir.study.problem",
    "FitWarning": "cogir.study.problem",
    "Fits": "cogir.study.subjects",
    "fit": "cogir.study.fit",
    "recovery": "cogir.study.recovery",
    "from_psyneulink": "cogir.psyneulink.importer",
}
"""The modules of names that few need."""

if TYPE_CHECKING:
    from cogir import analyze
    from cogir.psyneulink.importer import from_psyneulink
    from cogir.study.fit import fit
    from cogir.study.fitted import Fit
    from cogir.study.problem import FitError, FitWarning
    from cogir.study.recovery import recovery
    from cogir.study.subjects import Fits
else:  # type checkers would take any name for one of the package
    from cogir.library.aliases import is_alias, meant_by

    @ends_at_caller
    def __getattr__(name: str) -> object:
        if name in LAZY:  # what few need is loaded when it is asked for
            from importlib import import_module

            return globals().setdefault(name, getattr(import_module(LAZY[name]), name))
        if name == "analyze":
            from importlib import import_module

            return import_module("cogir.analyze")
        if name in library.__all__ or is_alias(name):
            raise AttributeError(
                f'cogir has no "{name}"; functions are in cogir.library{meant_by(name, library.__all__)}', name=name, obj=None
            )
        raise no_attribute("cogir", name, __all__)
