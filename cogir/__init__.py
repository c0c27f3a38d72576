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

The first of its names that is used loads NumPy, the builder, and what runs compiled code, so that a model whose code is in the cache starts
within milliseconds; a PsyNeuLink script needs none of them. The compiler itself, xDSL with it, is loaded when a model is compiled for the
first time.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from cogir.callers import ends_at_caller
from cogir.errors import no_attribute

__version__ = "0.1.0"

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

SUBPACKAGES = frozenset(("analyze", "frontend", "labelled", "library", "model", "pyfunc", "ranges", "runtime", "streams"))
"""Subpackages and modules that can be asked for without an import of their own."""

if TYPE_CHECKING:
    from cogir import analyze, library
    from cogir.exported import *
    from cogir.psyneulink.importer import from_psyneulink
    from cogir.study.fit import fit
    from cogir.study.fitted import Fit
    from cogir.study.problem import FitError, FitWarning
    from cogir.study.recovery import recovery
    from cogir.study.subjects import Fits
else:  # type checkers would take any name for one of the package

    @ends_at_caller
    def __getattr__(name: str) -> object:
        if name in LAZY:  # what few need is loaded when it is asked for
            return globals().setdefault(name, getattr(import_module(LAZY[name]), name))
        if name in SUBPACKAGES:
            return import_module(f"cogir.{name}")
        if name in __all__:
            load_names()
            return globals()[name]
        from cogir import library
        from cogir.library.aliases import is_alias, meant_by

        if name in library.__all__ or is_alias(name):
            raise AttributeError(
                f'cogir has no "{name}"; functions are in cogir.library{meant_by(name, library.__all__)}', name=name, obj=None
            )
        raise no_attribute("cogir", name, __all__)

    def load_names() -> None:
        """Loads the public names, all at once."""
        from cogir.callers import methods_end_at_caller
        from cogir.garbage import count_as_old, without_garbage_collection

        with without_garbage_collection():
            from cogir import exported
        found = {name: held for name in __all__ if (held := vars(exported).get(name)) is not None}
        for held in found.values():
            if isinstance(held, type):
                methods_end_at_caller(held)
        globals().update(found)
        count_as_old()
