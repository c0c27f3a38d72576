"""
cogir: a compiler for computational models of cognition.

    import cogir

    m = cogir.Model("ddm")
    stimulus = m.node("stimulus", input=1)
    decision = m.node("decision", cogir.library.drift_diffusion_integrator, noise=0.5, threshold=1.0)
    m.project(stimulus, decision)
    m.schedule.trial_ends(cogir.WhenFinished(decision))
    m.schedule.reset(decision, cogir.AtTrialStart())
    result = m.compile().run({"stimulus": [[0.3]]}, num_trials=1000)

A finished node stays finished until it is reset: without the last line but one, only the first trial would compute anything.

Importing cogir loads nothing but this page; each name loads what it needs when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cogir import library as library
    from cogir.errors import BackendError as BackendError
    from cogir.errors import CacheError as CacheError
    from cogir.errors import CogirError as CogirError
    from cogir.errors import ExecutionError as ExecutionError
    from cogir.errors import FunctionError as FunctionError
    from cogir.errors import InputError as InputError
    from cogir.errors import LoweringError as LoweringError
    from cogir.errors import ModelError as ModelError
    from cogir.frontend.builder import Model as Model
    from cogir.frontend.compile import compile as compile
    from cogir.frontend.conditions import AfterCall as AfterCall
    from cogir.frontend.conditions import AfterNCalls as AfterNCalls
    from cogir.frontend.conditions import AfterNCallsCombined as AfterNCallsCombined
    from cogir.frontend.conditions import AfterNPasses as AfterNPasses
    from cogir.frontend.conditions import AfterNRuns as AfterNRuns
    from cogir.frontend.conditions import AfterNTimeSteps as AfterNTimeSteps
    from cogir.frontend.conditions import AfterNTrials as AfterNTrials
    from cogir.frontend.conditions import AfterPass as AfterPass
    from cogir.frontend.conditions import AfterRun as AfterRun
    from cogir.frontend.conditions import AfterTimeStep as AfterTimeStep
    from cogir.frontend.conditions import AfterTrial as AfterTrial
    from cogir.frontend.conditions import All as All
    from cogir.frontend.conditions import AllHaveRun as AllHaveRun
    from cogir.frontend.conditions import Always as Always
    from cogir.frontend.conditions import And as And
    from cogir.frontend.conditions import Any as Any
    from cogir.frontend.conditions import AtNCalls as AtNCalls
    from cogir.frontend.conditions import AtPass as AtPass
    from cogir.frontend.conditions import AtRun as AtRun
    from cogir.frontend.conditions import AtRunNStart as AtRunNStart
    from cogir.frontend.conditions import AtRunStart as AtRunStart
    from cogir.frontend.conditions import AtTimeStep as AtTimeStep
    from cogir.frontend.conditions import AtTrial as AtTrial
    from cogir.frontend.conditions import AtTrialNStart as AtTrialNStart
    from cogir.frontend.conditions import AtTrialStart as AtTrialStart
    from cogir.frontend.conditions import BeforeNCalls as BeforeNCalls
    from cogir.frontend.conditions import BeforePass as BeforePass
    from cogir.frontend.conditions import BeforeTimeStep as BeforeTimeStep
    from cogir.frontend.conditions import BeforeTrial as BeforeTrial
    from cogir.frontend.conditions import Condition as Condition
    from cogir.frontend.conditions import EveryNCalls as EveryNCalls
    from cogir.frontend.conditions import EveryNPasses as EveryNPasses
    from cogir.frontend.conditions import JustRan as JustRan
    from cogir.frontend.conditions import Never as Never
    from cogir.frontend.conditions import Not as Not
    from cogir.frontend.conditions import NWhen as NWhen
    from cogir.frontend.conditions import Or as Or
    from cogir.frontend.conditions import Threshold as Threshold
    from cogir.frontend.conditions import TimeInterval as TimeInterval
    from cogir.frontend.conditions import TimeTermination as TimeTermination
    from cogir.frontend.conditions import WhenFinished as WhenFinished
    from cogir.frontend.conditions import WhenFinishedAll as WhenFinishedAll
    from cogir.frontend.conditions import WhenFinishedAny as WhenFinishedAny
    from cogir.frontend.conditions import While as While
    from cogir.frontend.conditions import WhileNot as WhileNot
    from cogir.frontend.handles import Control as Control
    from cogir.frontend.handles import Instance as Instance
    from cogir.frontend.handles import Node as Node
    from cogir.frontend.handles import Parameter as Parameter
    from cogir.frontend.handles import Port as Port
    from cogir.frontend.handles import Projection as Projection
    from cogir.frontend.signals import Signal as Signal
    from cogir.frontend.time_scales import TimeScale as TimeScale
    from cogir.runtime.compiled import Compiled as Compiled
    from cogir.runtime.compiled import FinishedWarning as FinishedWarning
    from cogir.runtime.context import Context as Context
    from cogir.runtime.modes import OrderWarning as OrderWarning
    from cogir.runtime.modes import ReducedModeWarning as ReducedModeWarning
    from cogir.runtime.native import CacheWarning as CacheWarning
    from cogir.runtime.results import Result as Result
    from cogir.runtime.results import RunInterrupted as RunInterrupted

_HOME = {
    "cogir.errors": (
        "BackendError",
        "CacheError",
        "CogirError",
        "ExecutionError",
        "FunctionError",
        "InputError",
        "LoweringError",
        "ModelError",
    ),
    "cogir.frontend.builder": ("Model",),
    "cogir.frontend.compile": ("compile",),
    "cogir.frontend.conditions": (
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
        "BeforeNCalls",
        "BeforePass",
        "BeforeTimeStep",
        "BeforeTrial",
        "Condition",
        "EveryNCalls",
        "EveryNPasses",
        "JustRan",
        "NWhen",
        "Never",
        "Not",
        "Or",
        "Threshold",
        "TimeInterval",
        "TimeTermination",
        "WhenFinished",
        "WhenFinishedAll",
        "WhenFinishedAny",
        "While",
        "WhileNot",
    ),
    "cogir.frontend.handles": (
        "Control",
        "Instance",
        "Node",
        "Parameter",
        "Port",
        "Projection",
    ),
    "cogir.frontend.signals": ("Signal",),
    "cogir.frontend.time_scales": ("TimeScale",),
    "cogir.runtime.compiled": ("Compiled", "FinishedWarning"),
    "cogir.runtime.context": ("Context",),
    "cogir.runtime.modes": ("OrderWarning", "ReducedModeWarning"),
    "cogir.runtime.native": ("CacheWarning",),
    "cogir.runtime.results": ("Result", "RunInterrupted"),
}
_WHERE = {name: module for module, names in _HOME.items() for name in names}

__all__ = [*_WHERE, "library"]  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> object:
    """Loads a public name when it is first asked for."""
    if name == "library":
        return import_module("cogir.library")
    if name not in _WHERE:
        raise AttributeError(f"module 'cogir' has no attribute {name!r}")
    value = getattr(import_module(_WHERE[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
