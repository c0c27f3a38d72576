"""
When a node runs, a trial ends, a run ends, or a state is reset.

One small class per condition of `graph_scheduler` (PsyNeuLink's scheduler), with the same names, the same order of
arguments and the same meaning. Conditions are plain values; they combine with `All`, `Any`, `Not` or `&`, `|`, `~`:

    m.schedule.when(decision, cogir.EveryNCalls(stimulus, 2) & ~cogir.AtPass(0))

Counts start at zero: `AtPass(1)` is the second pass. Nodes are given by handle or by name.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, cast

from cogir.errors import ModelError, shown
from cogir.frontend.builder.checks import count, is_among
from cogir.frontend.builder.condition import All as All
from cogir.frontend.builder.condition import And as And
from cogir.frontend.builder.condition import Any as Any
from cogir.frontend.builder.condition import Condition as Condition
from cogir.frontend.builder.condition import Not as Not
from cogir.frontend.builder.condition import NWhen as NWhen
from cogir.frontend.builder.condition import Or as Or
from cogir.frontend.builder.source_location import user_place
from cogir.frontend.builder.time_scales import TimeScale
from cogir.frontend.builder.values import as_number

if TYPE_CHECKING:
    from cogir.frontend.builder.handles import Instance, Node, Parameter, Port, State

    NodeLike: TypeAlias = Node | Instance | str
    Readable: TypeAlias = Port | Parameter | State


def _dependencies(owner: str, given: tuple[NodeLike, ...]) -> tuple[NodeLike, ...]:
    for node in given:
        if isinstance(node, (list, tuple)):
            raise ModelError(f"{user_place()}: {owner}: found a {type(node).__name__}; unpack it: {owner}(*nodes)")
    return given


# Independent of nodes and time


@dataclass(frozen=True, eq=False)
class Always(Condition):
    """Satisfied always."""


@dataclass(frozen=True, eq=False)
class Never(Condition):
    """Satisfied never."""


# Predicates over values


@dataclass(frozen=True, eq=False, init=False)
class While(Condition):
    """
    Satisfied when `func` of the values of `args` is true.

    `func` is a Python function of the compilable subset; `args` are what it reads: ports (`node["value"]`), states
    (`node.state("x")`) or parameters (`node.param("rate")`): `While(lambda x: x[0] > 0.5, decision["value"])`.
    """

    func: Callable[..., object]
    args: tuple[Readable, ...]

    def __init__(self, func: Callable[..., object], *args: Readable):
        if not callable(func):
            raise ModelError(
                f"{user_place()}: {type(self).__name__}: found {shown(func)}; give a function as the first argument, and the "
                "values that it reads after it"
            )
        object.__setattr__(self, "func", func)
        object.__setattr__(self, "args", args)


@dataclass(frozen=True, eq=False, init=False)
class WhileNot(While):
    """Satisfied when `func` of the values of `args` is false."""


@dataclass(frozen=True, eq=False)
class Threshold(Condition):
    """
    Satisfied when an output port, state or parameter of a node compares with a number.

    `comparator` is one of < <= > >= == !=; the last two hold within `atol + rtol * abs(threshold)`. A value with more
    than one element needs `indices`.
    """

    dependency: NodeLike
    parameter: str
    threshold: float
    comparator: str
    indices: int | tuple[int, ...] | None = None
    atol: float = 0.0
    rtol: float = 0.0

    def __post_init__(self) -> None:
        """Checks the comparator and makes the indices a tuple."""
        known = ("<", "<=", ">", ">=", "==", "!=")
        if not is_among(self.comparator, known):
            raise ModelError(f"{user_place()}: Threshold: comparator is {shown(self.comparator)}; give one of {' '.join(known)}")
        place = user_place()
        if not isinstance(cast(object, self.parameter), str):
            raise ModelError(
                f"{place}: Threshold: parameter is {shown(self.parameter)}; give the name of an output, a state or a parameter"
            )
        for name in ("threshold", "atol", "rtol"):
            object.__setattr__(self, name, as_number(getattr(self, name), f"Threshold: {name}", place))
        if self.indices is not None:
            indices = self.indices if isinstance(self.indices, tuple | list) else (self.indices,)
            object.__setattr__(self, "indices", tuple(count(index, "Threshold: an index", place, least=0) for index in indices))


# Time


@dataclass(frozen=True, eq=False)
class _Counted(Condition):
    """A condition on a number of units of time, counted within a longer one."""

    n: int
    time_scale: TimeScale = TimeScale.TRIAL


@dataclass(frozen=True, eq=False)
class _TrialsCounted(Condition):
    """A condition on a number of trials."""

    n: int
    time_scale: TimeScale = TimeScale.RUN


@dataclass(frozen=True, eq=False)
class _RunsCounted(Condition):
    """A condition on a number of runs, over the life of the model."""

    n: int


class BeforeTimeStep(_Counted):
    """Satisfied while fewer than n + 1 time steps have begun: at time steps 0 to n - 1."""


class AtTimeStep(_Counted):
    """Satisfied at time step n."""


class AfterTimeStep(_Counted):
    """Satisfied after time step n: from n + 1 on."""


class AfterNTimeSteps(_Counted):
    """Satisfied once n time steps are over."""


class BeforePass(_Counted):
    """Satisfied at passes 0 to n - 1."""


class AtPass(_Counted):
    """Satisfied at pass n."""


class AfterPass(_Counted):
    """Satisfied after pass n: from n + 1 on."""


class AfterNPasses(_Counted):
    """Satisfied once n passes are over."""


class EveryNPasses(_Counted):
    """Satisfied at passes 0, n, 2n ..."""

    def __post_init__(self) -> None:
        """Checks the count, which must not be zero."""
        super().__post_init__()
        if self.n == 0:
            raise ModelError(f"{user_place()}: EveryNPasses: n is 0; give 1 or more")


class BeforeTrial(_TrialsCounted):
    """Satisfied in trials 0 to n - 1."""


class AtTrial(_TrialsCounted):
    """Satisfied in trial n."""


class AfterTrial(_TrialsCounted):
    """Satisfied after trial n: from n + 1 on."""


class AfterNTrials(_TrialsCounted):
    """Satisfied once n trials are over."""


class AtRun(_RunsCounted):
    """Satisfied in run n."""


class AfterRun(_RunsCounted):
    """Satisfied after run n: from n + 1 on."""


class AfterNRuns(_RunsCounted):
    """Satisfied once n runs are over."""


@dataclass(frozen=True, eq=False)
class AtTrialStart(Condition):
    """Satisfied in the first pass of a trial; the same as AtPass(0)."""


class AtTrialNStart(_TrialsCounted):
    """Satisfied in the first pass of trial n."""


@dataclass(frozen=True, eq=False)
class AtRunStart(Condition):
    """Satisfied in the first trial of a run; the same as AtTrial(0)."""


class AtRunNStart(_RunsCounted):
    """Satisfied in the first trial of run n."""


# Executions of nodes


@dataclass(frozen=True, eq=False)
class _Calls(Condition):
    """A condition on the number of executions of a node."""

    dependency: NodeLike
    n: int
    time_scale: TimeScale = TimeScale.TRIAL


@dataclass(frozen=True, eq=False)
class _OfNode(Condition):
    """A condition on one node."""

    dependency: NodeLike


@dataclass(frozen=True, eq=False, init=False)
class _OfNodes(Condition):
    """A condition on several nodes."""

    dependencies: tuple[NodeLike, ...]

    def __init__(self, *dependencies: NodeLike):
        object.__setattr__(self, "dependencies", _dependencies(type(self).__name__, dependencies))


class BeforeNCalls(_Calls):
    """Satisfied while the node has run fewer than n times."""


class AtNCalls(_Calls):
    """Satisfied while the node has run exactly n times."""


class AfterCall(_Calls):
    """Satisfied once the node has run more than n times."""


class AfterNCalls(_Calls):
    """Satisfied once the node has run n times."""


@dataclass(frozen=True, eq=False, init=False)
class AfterNCallsCombined(Condition):
    """Satisfied once the nodes together have run n times."""

    dependencies: tuple[NodeLike, ...]
    n: int
    time_scale: TimeScale

    def __init__(self, *dependencies: NodeLike, n: int, time_scale: TimeScale = TimeScale.TRIAL):
        object.__setattr__(self, "dependencies", _dependencies("AfterNCallsCombined", dependencies))
        object.__setattr__(self, "n", n)
        object.__setattr__(self, "time_scale", time_scale)
        if not dependencies:
            raise ModelError(f"{user_place()}: AfterNCallsCombined: found no node; name the nodes to count")
        self.__post_init__()


@dataclass(frozen=True, eq=False)
class EveryNCalls(Condition):
    """Satisfied when the node has run n times or more since the owner of this condition ran; n is 1 or more."""

    _least = 1

    dependency: NodeLike
    n: int


class JustRan(_OfNode):
    """Satisfied when the node ran in the previous time step."""


@dataclass(frozen=True, eq=False, init=False)
class AllHaveRun(Condition):
    """Satisfied once each of the nodes (none named: each node of the model) has run."""

    dependencies: tuple[NodeLike, ...]
    time_scale: TimeScale

    def __init__(self, *dependencies: NodeLike, time_scale: TimeScale = TimeScale.TRIAL):
        object.__setattr__(self, "dependencies", _dependencies("AllHaveRun", dependencies))
        object.__setattr__(self, "time_scale", time_scale)
        self.__post_init__()


class WhenFinished(_OfNode):
    """Satisfied when the node says that it is finished."""


class WhenFinishedAny(_OfNodes):
    """Satisfied when one of the nodes (none named: of all) is finished."""


class WhenFinishedAll(_OfNodes):
    """Satisfied when each of the nodes (none named: all) is finished."""


# Wall-clock time


@dataclass(frozen=True, eq=False, init=False)
class TimeInterval(Condition):
    """Exists to say why it cannot be used: a compiled model has no wall-clock time."""

    def __init__(self, *args: object, **kwargs: object):
        raise ModelError(
            f"{user_place()}: {type(self).__name__}: conditions on wall-clock time are not supported, because results would depend "
            "on the speed of the machine; count passes or time steps instead, such as cogir.EveryNPasses(10)"
        )


@dataclass(frozen=True, eq=False, init=False)
class TimeTermination(TimeInterval):
    """Exists to say why it cannot be used: a compiled model has no wall-clock time."""
