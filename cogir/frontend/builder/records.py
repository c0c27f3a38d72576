"""
What a model holds while it is being built: plain data, without any IR.

The builder fills these records, `emit.py` turns them into a `cog` module, and `fingerprint.py` into the key of the
object cache.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from cogir.frontend.builder.source_location import Place
from cogir.frontend.builder.values import Array, ValueType
from cogir.library.signature import FunctionSignature

if TYPE_CHECKING:
    from cogir.frontend.builder.model import Model

Modulation: TypeAlias = Literal["multiply", "add", "override"]


@dataclass(slots=True, frozen=True)
class Address:
    """A port, state or parameter: its owner and its name (of an instance: `node` or `node/port`)."""

    owner: str
    name: str


@dataclass(slots=True)
class StreamRecord:
    """Where a generator starts: from a seed, or from a whole state (`words`)."""

    name: str
    kind: str
    seed: int | None
    words: Array | None


@dataclass(slots=True)
class FunctionRecord:
    """A Python function with the values of its parameters and the start of its states and generators."""

    function: Callable[..., Any]
    signature: FunctionSignature
    params: dict[str, Array]
    states: dict[str, Array]
    statics: dict[str, Any]
    streams: dict[str, StreamRecord]
    python: str | None = None
    """Why it is called in Python, if it cannot be compiled."""


@dataclass(slots=True)
class NodeRecord:
    """`body` is None for a node that passes its input on."""

    name: str
    place: Place
    inputs: dict[str, ValueType]
    combine: dict[str, str]
    body: FunctionRecord | None
    returns: dict[str, ValueType]
    """All that the function returns; `outputs` are those that became ports."""
    outputs: dict[str, ValueType]
    initials: dict[str, Array]
    finishes: bool
    until_finished: bool
    max_executions: int | None


@dataclass(slots=True)
class InstanceRecord:
    """A model placed in another."""

    name: str
    place: Place
    model: Model


@dataclass(slots=True)
class ProjectionRecord:
    """`matrix` is None for the identity; `body` and `name` are there in the long form only."""

    name: str | None
    place: Place
    source: Address
    target: Address
    source_type: ValueType
    target_type: ValueType
    matrix: Array | None
    body: FunctionRecord | None
    recurrent: bool
    feedback: bool


@dataclass(slots=True)
class ModulationRecord:
    """A value that acts on a parameter."""

    place: Place
    source: Address
    target: Address
    how: Modulation


@dataclass(slots=True)
class SignalRecord:
    """One axis of a search, and the costs of being on it."""

    name: str
    place: Place
    levels: Array
    initial: float
    costs: dict[str, Callable[..., Any]]
    clip: bool
    sum_from: float | None = None


@dataclass(slots=True)
class TrialInput:
    """An input of the trial, which simulations take for another one."""

    number: int


@dataclass(slots=True)
class EstimatesRecord:
    """What the simulations of one point of a grid differ in."""

    name: str
    place: Place
    number: int
    first: int
    step: int
    below: int
    initial: float
    renewed: bool


@dataclass(slots=True)
class ControlRecord:
    """A controller that searches a grid."""

    name: str
    place: Place
    model: Model | None
    objective: Address
    direction: str
    when: str
    ties: str
    tie_stream: StreamRecord | None
    trials_per_estimate: int
    estimates: int
    seeds: str
    seed_base: int
    keeps: str | None
    features: dict[Address, Address | Array | TrialInput]
    signals: list[SignalRecord]
    estimated: EstimatesRecord | None = None


@dataclass(slots=True)
class LossRecord:
    """A loss of two output ports."""

    sample: Address
    target: Address
    type: ValueType
    function: Callable[..., Any]


@dataclass(slots=True)
class LearningRecord:
    """How a model learns the matrices of some of its projections."""

    name: str
    place: Place
    weights: list[ProjectionRecord]
    losses: list[LossRecord]
    over: str
    optimizer: FunctionRecord
