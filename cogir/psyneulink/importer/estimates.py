"""
The Composition that a ParameterEstimationComposition simulates, as a model.

PsyNeuLink's own compiler makes these simulations, so it is the reference here, not PsyNeuLink's Python mode. They are trials of the whole
ParameterEstimationComposition without its controller; the values of the parameters that are fitted are inputs of ControlMechanisms in it.
Each estimate starts from the values of the execution context, with its generators seeded by the controller's only ControlSignal. Classes
and conditions for which PsyNeuLink's two modes have not been shown to agree are refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from cogir.psyneulink.importer.composition import CompositionImporter
from cogir.psyneulink.importer.controller import randomization
from cogir.psyneulink.importer.imported import Imported
from cogir.psyneulink.importer.modulation import carrying, signal_of
from cogir.psyneulink.importer.seeds import DEAF, SOMETIMES
from cogir.psyneulink.importer.survey import Survey
from cogir.psyneulink.importer.unmodified import check_genuine
from cogir.psyneulink.importer.unread_parameters import check_read
from cogir.psyneulink.pnl import analyze_graph, new_context
from cogir.psyneulink.reader import Reader, Reads, UnsupportedFeature, plain, recorded_reads, understood

MECHANISMS = frozenset("ProcessingMechanism TransferMechanism LCAMechanism DDM ControlMechanism ObjectiveMechanism".split())
FUNCTIONS = frozenset(
    "Linear Identity Logistic LinearCombination MatrixTransform TransferWithCosts NormalDist DriftDiffusionIntegrator"
    " LeakyCompetingIntegrator DefaultAllocationFunction".split()
)
CONDITIONS = frozenset("Always Never AllHaveRun AtTrialStart WhenFinished WhenFinishedAny WhenFinishedAll All And Any Or".split())
"""The classes for which the simulations of PsyNeuLink's compiler have been compared with cogir's."""


@dataclass(frozen=True)
class SeededGenerator:
    """A generator of the model, and how its seed follows from that of an estimate: `base * factor + addend`."""

    parameter: Any
    """PsyNeuLink's Parameter that holds the generator."""
    factor: float
    addend: float

    def seeds(self, bases: np.ndarray[Any, np.dtype[np.float64]]) -> np.ndarray[Any, np.dtype[np.int64]]:
        """The seeds of the estimates."""
        return (bases * self.factor + self.addend).astype(np.int64)


@dataclass
class ImportedEstimates:
    """A model, and what its estimates start from."""

    imported: Imported
    reads: Reads
    generators: dict[str, SeededGenerator] = field(default_factory=dict[str, SeededGenerator])
    """By path in the model."""
    in_force: dict[str, Any] = field(default_factory=dict[str, Any])
    """For states that hold a modulated initializer: the ControlSignal whose value it is at first."""


def refuse(component: Any, feature: str, remedy: str = "fit it in PsyNeuLink") -> UnsupportedFeature:
    """The error about something in a Composition whose simulations are not native."""
    return UnsupportedFeature(f"{type(component).__name__} {component.name!r}", feature, remedy)


class EstimatesImporter(CompositionImporter):
    """Reads the Composition that a controller simulates, without the controller."""

    def parts(self) -> None:
        self.graph()
        self.check_order()


def imported_estimates(controller: Any, execution_id: Any) -> ImportedEstimates:
    """The Composition that a controller simulates; raises UnsupportedFeature for what is left to PsyNeuLink."""
    composition = controller.agent_rep
    analyze_graph(composition, new_context(None))
    reader = Reader(execution_id)
    with understood(lambda feature, remedy: refuse(composition, feature, remedy)), recorded_reads() as reads:
        for node in composition.nodes:
            if not hasattr(node, "input_CIM"):
                raise refuse(composition, f"its node {node.name!r} is not part of its model")
            check_genuine(Survey(node))
        made = EstimatesImporter(Survey(composition), reader, False, (controller,)).read()
        for node in composition.nodes:
            check_read(Survey(node), reader, reads, (controller,))
        found = ImportedEstimates(made, reads)
        for prefix, inner in parts_of(made):
            check_composition(inner)
            for mechanism, written in inner.written.items():
                path = f"{prefix}{inner.nodes[mechanism].name}"
                check_mechanism(mechanism)
                if written.memories:
                    raise refuse(mechanism, "it has a memory")
                for name, (function, parameter) in written.random_of.items():
                    source = getattr(function.parameters, parameter).final_source
                    found.generators[f"{path}/random:{name}"] = seeded(controller, mechanism, function, source)
                found.in_force |= {f"{path}/state:{name}": signal for name, signal in written.in_force.items()}
    return found


def parts_of(imported: Imported, prefix: str = "") -> Iterator[tuple[str, Imported]]:
    """A Composition and those nested in it, each with the path of its nodes."""
    yield prefix, imported
    for composition, inner in imported.inner.items():
        yield from parts_of(inner, f"{prefix}{imported.nodes[composition].name}/")


def check_composition(imported: Imported) -> None:
    """Refuses conditions, terminations and controllers."""
    composition = imported.composition
    conditions = [*composition.scheduler.conditions.conditions_basic.values(), *composition.termination_processing.values()]
    for condition in conditions:
        check_condition(composition, condition)
    for scale, condition in composition.termination_processing.items():
        wanted = "AllHaveRun" if scale.name in ("TRIAL", "ENVIRONMENT_STATE_UPDATE") else "Never"
        if type(condition).__name__ != wanted or condition.args:
            raise refuse(composition, f"its {scale.name.lower()} ends by {type(condition).__name__}")


def check_condition(composition: Any, condition: Any) -> None:
    """Refuses a condition that is not one of those that were compared."""
    if type(condition).__name__ == "EveryNCalls" and condition.args[1] == 1:  # that of each node after another one, by default
        return
    if type(condition).__name__ not in CONDITIONS:
        raise refuse(composition, f"it has the condition {type(condition).__name__}")
    for part in condition.args:
        if hasattr(part, "is_satisfied"):
            check_condition(composition, part)


def check_mechanism(mechanism: Any) -> None:
    """Refuses a Mechanism with classes that were not compared."""
    if type(mechanism).__name__ not in MECHANISMS:
        raise refuse(mechanism, "its class has not been compared with PsyNeuLink's compiler")
    if type(getattr(mechanism, "reset_stateful_function_when", None)).__name__ not in (*CONDITIONS, "NoneType"):
        raise refuse(mechanism, f"it is reset by {type(mechanism.reset_stateful_function_when).__name__}")
    functions = [mechanism.function, *(port.function for port in (*mechanism.input_ports, *mechanism.parameter_ports))]
    if hasattr(mechanism, "integrator_mode") and mechanism.parameters.integrator_mode.get():
        functions.append(mechanism.integrator_function)
    for function in functions:
        if type(function).__name__ not in FUNCTIONS:
            raise refuse(mechanism, f"its function {type(function).__name__} has not been compared with PsyNeuLink's compiler")


def seeded(controller: Any, mechanism: Any, function: Any, source: Any) -> SeededGenerator:
    """A generator, by the modulation of its seed."""
    if type(function).__name__ in (*DEAF, *SOMETIMES):
        raise refuse(mechanism, f"its {type(function).__name__} does not follow its seed")
    seed = function.parameters.seed.final_source
    port = getattr(function.parameters.seed, "port", None)
    signal = randomization(controller)
    projections = [] if port is None or signal is None else [one for one in port.mod_afferents if signal_of(one) is signal]
    if port is None or len(projections) != 1 or len(port.mod_afferents) != 1 or seed is None:
        raise refuse(mechanism, f"the seed of its {type(function).__name__} is not that of the estimates alone")
    factor, addend = 1.0, 0.0
    for each in carrying(projections[0]):
        if type(each).__name__ == "MatrixTransform":
            if not np.array_equal(np.ravel(each.parameters.matrix.get()), [1.0]):
                raise refuse(mechanism, "its seed is modulated through a matrix")
            continue
        if type(each).__name__ != "Linear":
            raise refuse(mechanism, f"its seed is modulated through {type(each).__name__}")
        scale, offset, slope, intercept = (float(plain(getattr(each.parameters, name).get())) for name in LINE)
        slope, intercept = scale * slope, scale * intercept + offset
        factor, addend = factor * slope, addend * slope + intercept
    return SeededGenerator(source, factor, addend)


LINE = ("scale", "offset", "slope", "intercept")


__all__ = ["ImportedEstimates", "SeededGenerator", "imported_estimates", "parts_of"]
