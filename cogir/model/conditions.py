"""
The units of time, and the conditions of a schedule as plain records, which `scheduler` evaluates.

Conditions are graph_scheduler's, with equal ones joined: `Calls` and `Elapsed` hold which comparison is meant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Literal, Protocol, TypeAlias, assert_never

from cogir.dialects.cog.attributes import Comparison, Relation


class TimeScale(IntEnum):
    """Units of time, each made of the ones before it. PsyNeuLink's and graph_scheduler's, under PsyNeuLink's names."""

    TIME_STEP = 0
    PASS = 1
    TRIAL = 2
    RUN = 3
    LIFE = 4


SCALES = tuple(TimeScale)
"""All scales, finest first."""


COUNTABLE = SCALES[:-1]
"""The units that pass: everything but `LIFE`."""


Kind: TypeAlias = Literal["port", "state", "param"]
"""The kind of value of a node that is read: an output port, a state, a parameter."""


class Observations(Protocol):
    """The values of a model, beyond its counters, that conditions depend on. They are those after the last completed time step."""

    def finished(self, node: str) -> bool:
        """True if the node's last execution left it finished."""
        ...

    def read(self, node: str, kind: Kind, name: str) -> object:
        """The value of a port, state or parameter of the node: a number or an array; of a parameter, its value before modulation."""
        ...


@dataclass(frozen=True)
class Always:
    """Holds."""


@dataclass(frozen=True)
class Never:
    """Does not hold."""


@dataclass(frozen=True)
class All:
    """Every part holds. Parts are asked in order, up to the first that does not hold."""

    parts: tuple[Condition, ...]


@dataclass(frozen=True)
class Any:
    """Some part holds. Parts are asked in order, up to the first that holds."""

    parts: tuple[Condition, ...]


@dataclass(frozen=True)
class Not:
    """The part does not hold."""

    part: Condition


@dataclass(frozen=True)
class NWhen:
    """The part holds, the first `n` times that it is found to hold, ever. `key` names the count among those of the schedule."""

    part: Condition
    n: int
    key: int


@dataclass(frozen=True)
class Calls:
    """Calls of `node` in the present `scale` compared with n: BeforeNCalls `<`, AtNCalls `==`, AfterCall `>`, AfterNCalls `>=`."""

    node: str
    relation: Relation
    n: int
    scale: TimeScale = TimeScale.TRIAL


@dataclass(frozen=True)
class CallsCombined:
    """The nodes have been called n times or more, all together, in the present `scale` (AfterNCallsCombined)."""

    nodes: tuple[str, ...]
    n: int
    scale: TimeScale = TimeScale.TRIAL


@dataclass(frozen=True)
class EveryNCalls:
    """`node` has been called n times or more in this trial since the owner of this condition last ran."""

    node: str
    n: int


@dataclass(frozen=True)
class Elapsed:
    """
    Units of time gone by in the present scale, compared with n.

    BeforePass `<`, AtPass `==`, AfterPass `>`, AfterNPasses `>=`, EveryNPasses `every`; the same for time steps, trials and runs.
    """

    unit: TimeScale
    relation: Relation
    n: int
    within: TimeScale


@dataclass(frozen=True)
class JustRan:
    """`node` was in the last set that ran."""

    node: str


@dataclass(frozen=True)
class AllHaveRun:
    """Each of the nodes (of all nodes, if none is named) has been called in the present `scale`."""

    nodes: tuple[str, ...] = ()
    scale: TimeScale = TimeScale.TRIAL


@dataclass(frozen=True)
class WhenFinished:
    """`node` is finished."""

    node: str


@dataclass(frozen=True)
class WhenFinishedAny:
    """Some of the nodes (of all nodes, if none is named) is finished."""

    nodes: tuple[str, ...] = ()


@dataclass(frozen=True)
class WhenFinishedAll:
    """Each of the nodes (of all nodes, if none is named) is finished."""

    nodes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Threshold:
    """
    A number of `node` compared with `value`. `==` and `!=` allow `|number - value| <= atol + rtol * |value|`; the others are exact.
    """

    node: str
    kind: Kind
    name: str
    relation: Comparison
    value: float
    atol: float = 0.0
    rtol: float = 0.0
    indices: tuple[int, ...] = ()


@dataclass(frozen=True)
class While:
    """Any other predicate over the model's values. (WhileNot is `Not(While(...))`; see `read_schedule.Predicate`.)"""

    predicate: Callable[[Observations], bool]


Condition: TypeAlias = (
    Always
    | Never
    | All
    | Any
    | Not
    | NWhen
    | Calls
    | CallsCombined
    | EveryNCalls
    | Elapsed
    | JustRan
    | AllHaveRun
    | WhenFinished
    | WhenFinishedAny
    | WhenFinishedAll
    | Threshold
    | While
)


def at_start(scale: TimeScale) -> Condition:
    """The first unit of time in a coarser one: the first pass of a trial (AtTrialStart), the first trial of a run (AtRunStart)."""
    return Elapsed(SCALES[scale - 1], "==", 0, scale)


def default_condition(dependencies: tuple[str, ...]) -> Condition:
    """The condition of a node without one: each of its dependencies has run since the node last ran (Always, if it has none)."""
    each = tuple(EveryNCalls(node, 1) for node in dependencies)
    return Always() if not each else each[0] if len(each) == 1 else All(each)


def parts_of(condition: Condition) -> tuple[Condition, ...]:
    """The conditions directly inside a condition."""
    match condition:
        case All(parts) | Any(parts):
            return parts
        case Not(part) | NWhen(part, _, _):
            return (part,)
        case _:
            return ()


def walk(condition: Condition) -> Iterator[Condition]:
    """The condition and everything inside it, outside first."""
    yield condition
    for part in parts_of(condition):
        yield from walk(part)


def nodes_in(condition: Condition) -> tuple[str, ...]:
    """The nodes that a condition itself (not its parts) speaks of."""
    match condition:
        case Calls(node=node) | EveryNCalls(node=node) | JustRan(node=node) | WhenFinished(node=node) | Threshold(node=node):
            return (node,)
        case CallsCombined(nodes=nodes) | AllHaveRun(nodes=nodes) | WhenFinishedAny(nodes=nodes) | WhenFinishedAll(nodes=nodes):
            return nodes
        case Always() | Never() | All() | Any() | Not() | NWhen() | Elapsed() | While():
            return ()
        case _:
            assert_never(condition)
