"""
The record of a Mechanism that has become a node: the calls of its Functions, and the part of the node for each object of PsyNeuLink.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from cogir.psyneulink.functions.counterpart import Counterpart, ParameterPlace
from cogir.psyneulink.importer.learned_matrices import LearningPorts
from cogir.psyneulink.importer.modulation import Effect
from cogir.psyneulink.importer.node_source import Expression

RESET = "was_reset"
"""The state that is 1 between a reset and the next execution, of Mechanisms that are reset."""
OF_RUN = ("RUN", "ENVIRONMENT_SEQUENCE")
"""The names of the time scale of a run."""


@dataclass(frozen=True)
class ExecutionsCounted:
    """A count of the executions of a Mechanism: that of a time scale, or, for None, of all execution contexts together."""

    mechanism: Any
    scale: Any = None

    @property
    def is_of_run(self) -> bool:
        """True if PsyNeuLink counts from zero in each run."""
        return self.scale is not None and self.scale.name in OF_RUN

    def now(self, execution_id: Any) -> float:
        """PsyNeuLink's count in an execution context, which has none before its first run."""
        parameters = self.mechanism.parameters
        if self.scale is None:
            return float(parameters.execution_count.values.get(None, 0))
        time = parameters.num_executions.values.get(execution_id)
        return 0.0 if time is None else float(time[self.scale])


@dataclass
class Called:
    """The result of a call of a library function: its outputs, and the text that says whether it has finished."""

    outputs: list[Expression]
    finished: str | None = None
    places: list[ParameterPlace] = field(default_factory=list[ParameterPlace])
    """For each output, its part of PsyNeuLink's value; none for a Python function, whose value is the output itself."""
    exact: bool = False
    """True if the shapes in `places` are PsyNeuLink's: its variable often has one more axis, of length one."""

    def values(self) -> list[Expression]:
        """The outputs that make up the Function's value; the others are states that it shows, such as costs."""
        return (
            [held for held, place in zip(self.outputs, self.places, strict=True) if place.parameter == "value"]
            if self.places
            else self.outputs
        )


@dataclass(frozen=True)
class Memory:
    """A Function that holds several states of the model as one Parameter."""

    counterpart: Counterpart
    variable: Any
    states: dict[str, str]
    """The states of the node by those of the counterpart."""

    @property
    def owner(self) -> Any:
        """The Function."""
        return next(iter(self.counterpart.inputs.values())).owner

    def held(self) -> list[Any]:
        """The Parameters of PsyNeuLink in which the states are."""
        places = [self.counterpart.places[name] for name in self.states]
        return [getattr(place.owner.parameters, place.parameter).final_source for place in places]


@dataclass
class WrittenNode:
    """A Mechanism, written: what `Model.node` needs, and where things of PsyNeuLink have gone."""

    function: Callable[..., Any]
    inputs: dict[str, tuple[int, ...]]
    outputs: tuple[str, ...]
    params: dict[str, Any]
    states: dict[str, Any]
    randoms: dict[str, Any]
    finishes: bool
    ports: dict[Any, str] = field(default_factory=dict[Any, str])
    """Names of ports by the InputPort or OutputPort that they stand for."""
    combine: dict[str, str] = field(default_factory=dict[str, str])
    separate: dict[Any, str] = field(default_factory=dict[Any, str])
    """Names of input ports by the Projection, where an InputPort does not just sum up what arrives."""
    parameters: dict[Any, str] = field(default_factory=dict[Any, str])
    """Names of the node's parameters by PsyNeuLink's Parameter object."""
    gates: dict[Any, tuple[str, Effect]] = field(default_factory=dict[Any, tuple[str, Effect]])
    """For a modulatory Projection: the node's parameter on which it acts, and how."""
    observed_of: dict[str, tuple[Any, str]] = field(default_factory=dict[str, tuple[Any, str]])
    """If all is observed: the component and its Parameter that further output ports show."""
    state_of: dict[str, tuple[Any, str]] = field(default_factory=dict[str, tuple[Any, str]])
    """The component and its Parameter behind each state."""
    random_of: dict[str, tuple[Any, str]] = field(default_factory=dict[str, tuple[Any, str]])
    used_seeds: dict[str, str] = field(default_factory=dict[str, str])
    """For generators that follow a seed: the state that holds the seed with which they were started last."""
    failures: dict[str, str] = field(default_factory=dict[str, str])
    """The states that are 1 once a trial cannot be native, as when a seed was none, and what is said then."""
    bounded: dict[str, tuple[bool, str]] = field(default_factory=dict[str, tuple[bool, str]])
    """Parameters with which nothing can be drawn below 0, whether 0 is none either, and what is said then."""
    in_force: dict[str, Any] = field(default_factory=dict[str, Any])
    """For states that hold the value of a modulated initializer at the last execution: the ControlSignal that overrides it."""
    values: tuple[str, ...] = ()
    """If all is observed: the output ports that show the items of the Mechanism's value, and those of its variable."""
    variables: tuple[str, ...] = ()
    whole_numbers: frozenset[int] = frozenset()
    """The items of the value that PsyNeuLink holds as whole numbers, not as arrays."""
    arrived: dict[Any, str] = field(default_factory=dict[Any, str])
    """If all is observed: the output port that shows what a Projection has brought to an InputPort."""
    own_functions: tuple[Callable[..., Any], ...] = ()
    """The user's Python functions that it calls."""
    function_values: dict[Any, FunctionValue] = field(default_factory=dict[Any, "FunctionValue"])
    """The state that shows the values of the Mechanism's Functions, where all is observed."""
    kept: tuple[str, ...] = ()
    """The states that count executions, which a reset leaves as they are."""
    memories: list[Memory] = field(default_factory=list["Memory"])
    replaced: dict[tuple[Any, str], list[Any]] = field(default_factory=dict[tuple[Any, str], "list[Any]"])
    """For a modulated port and a Parameter of its function: the Projections whose product PsyNeuLink puts in its place."""
    learning: LearningPorts = field(default_factory=LearningPorts)
    vectors: dict[Any, str] = field(default_factory=dict[Any, str])
    """For a modulatory Projection that brings a vector: the input of the node for it."""
    after: dict[Any, str] = field(default_factory=dict[Any, str])
    """For a node after which conditions place this one: an input by which it comes later, and which nothing reads."""
    in_variable: tuple[int, ...] = ()
    """The items of `variables` that PsyNeuLink shows as the Mechanism's variable; none stands for all."""
    counted_by: dict[str, ExecutionsCounted] = field(default_factory=dict[str, ExecutionsCounted])
    """The counts of executions that OutputPorts take, by the states that hold them."""
    types: dict[Any, Any] = field(default_factory=dict[Any, Any])
    """The types of the values of OutputPorts that are whole numbers or truth values in PsyNeuLink."""
    counting_ports: tuple[Any, ...] = ()
    """The OutputPorts that take counts of executions, which a reset shows as they are."""
    counted: int = 1
    """As how many executions PsyNeuLink counts each."""

    def state_that_counts(self, scale: Any) -> str:
        """The state that holds the count of executions in a time scale, or, for None, in all execution contexts together."""
        return next((name for name, counted in self.counted_by.items() if counted.scale is scale), "executions_in_trial")


@dataclass(frozen=True)
class FunctionValue:
    """
    The output ports that show the value of a Function, with the shapes of its items; `whole`: it is one array, not a list of items;
    `is_tuple`: it is a tuple of arrays.
    """

    names: tuple[str, ...]
    shapes: tuple[tuple[int, ...], ...]
    whole: bool
    is_tuple: bool = False
