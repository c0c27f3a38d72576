"""
The matrices that a Composition learns in PsyNeuLink's Python mode.

A LearningMechanism computes the change of a matrix, its learning signal. PsyNeuLink adds it to the matrix

    online     when the receiver of the Projection is executed, which is in the next trial
    after      at the end of the trial
    recurrent  when an AutoAssociativeLearningMechanism is executed, right after it has computed the change

In a model the receiver multiplies by the matrix itself, so that its ports show the matrix that was in force:

    sender ──► receiver: row = sent @ matrix ──► LearningMechanism of the layer before (as its error matrix)
                         ▲
                         └─ online: its own state, and the learning signal; after, recurrent: a port of the LearningMechanism
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import numpy as np

from cogir.psyneulink.importer.conditions import runs_once
from cogir.psyneulink.reader import Reader, Refuse, real

When: TypeAlias = Literal["online", "after", "recurrent", "never"]
"""The time at which a change is added to a matrix; "never" if learning is switched off for it."""

REMEDY = "let it learn in PsyNeuLink"


@dataclass(frozen=True)
class LearnedMatrix:
    """A Projection whose matrix a LearningMechanism changes."""

    projection: Any
    signal: Any
    """The LearningProjection to its matrix."""
    when: When

    @property
    def port(self) -> Any:
        """The ParameterPort of the matrix."""
        return self.signal.receiver

    @property
    def accumulator(self) -> Any:
        """The Function that adds up the changes."""
        return self.port.function

    @property
    def mechanism(self) -> Any:
        """The LearningMechanism."""
        return self.signal.sender.owner

    @property
    def is_kept_by_receiver(self) -> bool:
        """True if the matrix is a state of the receiver, not a port of the LearningMechanism."""
        return self.when in ("online", "never")


@dataclass
class LearningPorts:
    """The ports of a node that learning needs beside those of PsyNeuLink, by Projection."""

    sums: dict[Any, str] = field(default_factory=dict[Any, str])
    """Of a LearningMechanism: the output with the matrix after the change."""
    before: dict[Any, str] = field(default_factory=dict[Any, str])
    """Of a LearningMechanism: the input with the matrix before the change."""
    error_matrices: dict[Any, str] = field(default_factory=dict[Any, str])
    """Of a LearningMechanism: the input with the matrix through which an error comes."""
    arriving_changes: dict[Any, str] = field(default_factory=dict[Any, str])
    """Of a receiver: the input for the learning signal."""
    arriving_matrices: dict[Any, str] = field(default_factory=dict[Any, str])
    """Of a receiver: the input for the matrix."""
    used: dict[Any, str] = field(default_factory=dict[Any, str])
    """Of a receiver: the output with the matrix by which it has multiplied."""


def signals_of(projection: Any) -> list[Any]:
    """The LearningProjections to the matrix of a Projection."""
    ports = [port for port in getattr(projection, "parameter_ports", ()) if port.name == "matrix"]
    return [one for port in ports for one in port.mod_afferents if type(one).__name__ == "LearningProjection"]


def is_recurrent(projection: Any) -> bool:
    """True if a Projection is that of a RecurrentTransferMechanism to itself."""
    return type(projection).__name__ == "AutoAssociativeProjection"


def learned_by(composition: Any, mechanisms: Iterable[Any], reader: Reader, refuse: Refuse) -> dict[Any, LearnedMatrix]:
    """The matrices that a Composition learns, by Projection; refused where the time of a change depends on more than one Projection."""
    found: dict[Any, LearnedMatrix] = {}
    for mechanism in (one for one in mechanisms if not hasattr(one, "input_CIM")):
        projections = [projection for port in mechanism.input_ports for projection in port.path_afferents]
        learned = [one for projection in projections for one in of_projection(projection, composition, reader, refuse)]
        if {"online", "after"} <= {one.when for one in learned}:
            raise refuse(
                f"some matrices of Projections to {mechanism.name!r} are learned online, others after each trial",
                "give their pathways the same learning_update",
            )
        found |= {one.projection: one for one in learned}
    return found


def of_projection(projection: Any, composition: Any, reader: Reader, refuse: Refuse) -> list[LearnedMatrix]:
    """The record of a Projection whose matrix is learned; none for another one."""
    signals = [one for one in signals_of(projection) if one.receiver.afferents_info[one].is_active_in_composition(composition)]
    if not signals:
        return []
    kind = type(projection).__name__
    if kind not in ("MappingProjection", "AutoAssociativeProjection") or len(signals) > 1:
        feature = f"the matrix of the {kind} {projection.name!r} is learned by {len(signals)} LearningMechanisms"
        raise refuse(feature, REMEDY)
    (signal,) = signals
    learned = LearnedMatrix(projection, signal, time_of(projection, signal, reader))
    check_addition(learned, reader, refuse)
    return [learned]


def check_addition(learned: LearnedMatrix, reader: Reader, refuse: Refuse) -> None:
    """Refuses a matrix to which the learning signal is not simply added, or which decays other than once in each execution."""
    projection, signal, accumulator = learned.projection, learned.signal, learned.accumulator
    is_plain = (
        type(accumulator).__name__ == "AccumulatorIntegrator"
        and str(reader.get(signal.sender, "modulation")) == "additive_param"
        and is_number_everywhere(reader.get(accumulator, "noise"), 0.0)
        and (learned.when in ("online", "after") or is_number_everywhere(reader.get(accumulator, "rate"), 1.0))
        and reader.is_identity(signal.function)
        and reader.is_identity(signal.sender.function)
    )
    if not is_plain:
        raise refuse(f"the learning signal of the Projection {projection.name!r} is not just added to its matrix", REMEDY)


def is_number_everywhere(value: Any, number: float) -> bool:
    """True if each element of an array is this number."""
    return bool(np.all(real(value) == number))


def time_of(projection: Any, signal: Any, reader: Reader) -> When:
    """The time at which the change of a matrix is added to it."""
    if not reader.get(projection, "learnable"):
        return "never"
    if type(projection).__name__ == "AutoAssociativeProjection":
        return "recurrent" if reader.get(signal.sender.owner, "learning_enabled") else "never"
    enabled = reader.get(signal, "learning_enabled")
    if isinstance(enabled, str):
        return "after" if enabled == "after" else "online"
    return "online" if enabled else "never"


def learning_nodes(composition: Any) -> list[Any]:
    """The nodes that PsyNeuLink executes only when a Composition learns."""
    return [node for node in composition.nodes if any(role.name == "LEARNING" for role in composition.nodes_to_roles[node])]


def check_calls(composition: Any, learned: Iterable[LearnedMatrix], refuse: Refuse) -> None:
    """
    Refuses changes after each trial by a LearningMechanism that is not executed once in each: PsyNeuLink adds the change at the end of each
    trial, the model when the LearningMechanism is executed.
    """
    mechanism = next((one.mechanism for one in learned if one.when == "after"), None)
    if mechanism is not None and not runs_once(composition):
        raise refuse(
            f"{mechanism.name!r} learns after each trial, but nodes are perhaps not executed once in each",
            "use learning_update='online', or leave conditions out",
        )
