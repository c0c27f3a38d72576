"""
The side of a writer of node functions that the parts of it see which stand in files of their own: seeds, and Python functions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from cogir.psyneulink.importer.learned_matrices import LearningPorts
from cogir.psyneulink.importer.mechanism_record import ExecutionsCounted
from cogir.psyneulink.importer.modulation import MechanismModulation
from cogir.psyneulink.importer.node_source import Body, Expression
from cogir.psyneulink.reader import Reader, UnsupportedFeature


class NodeWriter(Protocol):
    """A Mechanism while its node function is written."""

    mechanism: Any
    reader: Reader
    body: Body
    modulation: MechanismModulation
    port_of_parameter: dict[Any, Any]
    """The ParameterPorts of the Mechanism by their Parameters."""
    used_seeds: dict[str, str]
    """For generators that follow a modulated seed: the state that holds the seed with which they were started last."""
    failures: dict[str, str]
    """The states that are 1 once a trial cannot be native, and what is said then."""
    bounded: dict[str, tuple[bool, str]]
    """The parameters with which nothing can be drawn below 0, whether 0 is none either, and what is said then."""
    own_functions: list[Callable[..., Any]]
    """The user's Python functions that the node calls."""
    learning: LearningPorts
    """The ports that learning needs."""
    matrices: dict[str, Expression]
    """The output ports among them."""
    state_of: dict[str, tuple[Any, str]]
    """The component and its Parameter behind each state."""
    observed_of: dict[str, tuple[Any, str, Expression]]
    """Values that observers see: the component, its Parameter, and the value."""

    observed: bool
    """True if all values become ports."""
    finished: str | None
    """The text that says whether the Mechanism has finished; None if it never says so."""
    counted: dict[str, ExecutionsCounted]
    """The counts of executions that states of the node hold."""
    types_of_results: dict[str, Any]
    """The types of results of Python functions that are whole numbers or truth values, by their texts."""

    def executions_in_trial(self) -> Expression:
        """The number of executions of the Mechanism since the trial began, this one included."""
        ...

    def limit(self) -> float:
        """The most executions before the Mechanism counts as finished."""
        ...

    def refuse(self, feature: str, remedy: str) -> UnsupportedFeature:
        """The error about something in the Mechanism that cannot be compiled."""
        ...

    def held_parameter(self, source: Any, name: str, value: Any) -> Expression:
        """The node's parameter for a Parameter of PsyNeuLink; the same for the same Parameter."""
        ...
