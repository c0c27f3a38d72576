"""
An AutodiffComposition that learns by PsyNeuLink's own compiler (`ExecutionMode.LLVMRun`), as a model that learns.

That compiler takes from the copy in PyTorch only which nodes there are, and in which order they run. It learns after each trial, whatever
the size of a batch; all matrices alike, at the rate of the Composition, without weight decay; and from CROSS_ENTROPY as from MSE. Unlike
PyTorch it computes the Composition's own functions with all of their Parameters. Its derivatives are not always those of the functions:
where they are not, the Composition is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from cogir import library
from cogir.frontend.builder.handles import Port, Projection
from cogir.psyneulink.importer.composition import imported
from cogir.psyneulink.importer.imported import Imported
from cogir.psyneulink.importer.survey import Survey
from cogir.psyneulink.learning.import_autodiff import NAME, LearningReader
from cogir.psyneulink.pnl import place_of_node, targets_of
from cogir.psyneulink.reader import UnsupportedFeature

FUNCTIONS = ("Linear", "Logistic", "ReLU")
"""Functions whose derivatives PsyNeuLink's compiler knows."""
LOSSES = ("CROSS_ENTROPY", "MSE")
OPTIMIZERS: Mapping[str, Callable[..., Any]] = {"adam": library.adam, "sgd": library.gradient_descent}
"""By PsyNeuLink's `optimizer_type`."""
REMEDY = "let PsyNeuLink's compiler learn"


@dataclass(frozen=True)
class Kink:
    """A ReLU: where its variable is its bias, PsyNeuLink's compiler takes another derivative than cogir."""

    variables: list[str]
    """The outputs of a trial that show the variable."""
    bias: float
    before: list[str]
    """The outputs of a trial on which the variable depends; where all are zero, nothing is learned through it."""


@dataclass
class CompiledLearning:
    """A model that learns as PsyNeuLink's compiler does, and where its parts come from."""

    imported: Imported
    outputs: int
    """The number of outputs of a trial that are the Composition's; the values of its nodes follow."""
    shown: dict[Any, list[str]]
    """For each node that runs: the outputs of a trial that show its value."""
    matrices: dict[str, Any]
    """The Projections by the paths of their matrices."""
    kinks: list[Kink]


def compiled_learning(composition: Any, copy: Any, execution_id: Any, rate: float, survey: Survey) -> CompiledLearning:
    """
    The model of an AutodiffComposition that PsyNeuLink is about to compile; raises UnsupportedFeature for what cogir does not learn.
    `survey`: of the Composition, which `learn` has analyzed.
    """
    return CompiledReader(composition, copy, execution_id, rate).read_compiled(survey)


class CompiledReader(LearningReader):
    """Reads how one AutodiffComposition learns by PsyNeuLink's compiler."""

    def __init__(self, composition: Any, copy: Any, execution_id: Any, rate: float):
        super().__init__(composition, copy, execution_id)
        self.rate = rate
        self.running = [wrapper.mechanism for layer in copy.execution_sets for wrapper in layer]
        """The nodes that run, in order."""
        self.targets = targets_of(composition)
        self.senders = {node: [one.sender.owner for one in copy.projections_map if one.receiver.owner is node] for node in self.running}

    def refuse(self, feature: str, remedy: str = REMEDY) -> UnsupportedFeature:
        return super().refuse(feature, remedy)

    def read_compiled(self, survey: Survey) -> CompiledLearning:
        """The model."""
        self.check_composition()
        for node in self.running:
            self.check_node(node)
        self.check_inputs()
        kept = {*self.running, *self.targets.values()}
        left_out = [node for node in self.composition.nodes if node not in kept]
        self.imported = imported(self.composition, self.key, observed=True, without=left_out, survey=survey, computes_targets=True)
        self.model = self.imported.model
        outputs = len(self.model.outputs())
        shown = {node: self.shown(node) for node in self.running}
        kinks = [self.kink(node, shown) for node in self.running if type(node.function).__name__ == "ReLU"]
        matrices = self.projections()
        self.learn_from(list(matrices))
        return CompiledLearning(self.imported, outputs, shown, matrices, kinks)

    # What that compiler would not do as the model does

    def check_composition(self) -> None:
        composition, copy = self.composition, self.copy
        if type(composition).__name__ != "AutodiffComposition" or type(copy).__name__ != "PytorchCompositionWrapper":
            raise self.refuse(f"it is of the class {type(composition).__name__}")
        if any(hasattr(node, "input_CIM") for node in self.running) or composition.controller is not None:
            raise self.refuse("it has a controller, or a Composition in it")
        loss = getattr(composition.loss_spec, "name", str(composition.loss_spec))
        if loss not in LOSSES:
            raise self.refuse(f"its loss is {loss}", f"use one of {', '.join(LOSSES)}")
        if composition.optimizer_type not in OPTIMIZERS:
            raise self.refuse(f"its optimizer is {composition.optimizer_type}", f"use one of {', '.join(OPTIMIZERS)}")

    def check_node(self, node: Any) -> None:
        super().check_node(node)

        def refuse(feature: str) -> UnsupportedFeature:
            return UnsupportedFeature(f"{type(node).__name__} {node.name!r}", f"learning: {feature}", REMEDY)

        if len(node.input_ports) != 1 or len(node.output_ports) != 1:
            raise refuse("it has several InputPorts or OutputPorts")
        if node in self.targets and any(node in senders for senders in self.senders.values()):
            raise refuse("it is an OUTPUT with outgoing Projections, which PsyNeuLink's compiler leaves out of the derivatives")

    def check_function(self, function: Any, refuse: Callable[..., UnsupportedFeature]) -> None:
        kind, reader = type(function).__name__, self.reader
        if kind not in FUNCTIONS:
            raise refuse(f"its function is a {kind}", f"use one of {', '.join(FUNCTIONS)}")
        if kind == "Logistic" and (reader.number(function, "scale") != 1.0 or reader.number(function, "offset") != 0.0):
            raise refuse("PsyNeuLink's compiler uses a different derivative for a Logistic with a scale or an offset", "leave them out")
        if kind == "ReLU" and (np.any(reader.number(function, "gain") <= 0.0) or np.any(reader.number(function, "leak") > 1.0)):
            raise refuse("PsyNeuLink's compiler uses a different derivative for its ReLU", "give a gain above zero, and a leak below one")

    def check_inputs(self) -> None:
        """Inputs are found by the places of their nodes, whatever those of the ports are."""
        role = import_module("psyneulink").NodeRole
        composition = self.composition
        by_place = sorted(composition.input_CIM_ports.items(), key=lambda item: self.cim_inputs().index(item[1][0]))
        entered = [port.owner for port, _ in by_place]
        given = composition.get_nodes_by_role(role.INPUT)
        if composition.get_nodes_by_role(role.BIAS):
            raise self.refuse("it has a BIAS node, whose input PsyNeuLink's compiler does not set", "use an INPUT that is always 1")
        for node in self.running:
            if node in given and entered.index(node) != place_of_node(composition, node):
                raise self.refuse(f"its input {node.name!r} is not among the nodes that were added first", "add all of the inputs first")
        if any(entered.index(target) != given.index(target) for target in self.targets.values()):
            raise self.refuse("its targets are not where PsyNeuLink's compiler reads them")
        if unmet := [node.name for node in composition.get_nodes_by_role(role.OUTPUT) if node not in self.targets]:
            raise self.refuse(f"its OUTPUT {unmet[0]!r} has no target", "let each OUTPUT learn")

    # The model

    def projections(self) -> dict[str, Any]:
        """All Projections by the paths of their matrices; all are learned."""
        found: dict[str, Any] = {}
        for path, projection in self.imported.matrices.items():
            if projection is None or projection not in self.copy.projections_map or type(projection).__name__ != "MappingProjection":
                raise self.refuse("it has Projections that PsyNeuLink's compiler does not have, or two from one port to another")
            found[path] = projection
        if len(found) != len(self.copy.projections_map) or any(one.recurrent or one.feedback for one in self.model.projections):
            raise self.refuse("some of its Projections are recurrent or feedback, or have no matrix", "learn in a network without loops")
        return found

    def kink(self, node: Any, shown: Mapping[Any, list[str]]) -> Kink:
        """Makes what a ReLU is computed of an output of a trial."""
        variables: list[str] = []
        for name in self.imported.written[node].variables:
            handle = Port(self.imported.nodes[node], name)
            self.model.output(handle)
            variables.append(f"{handle.address.owner}/{handle.address.name}")
        before, waiting = list[Any](), [node]
        while waiting:
            found = [one for one in self.senders[waiting.pop()] if one not in before]
            before += found
            waiting += found
        bias = float(np.ravel(self.reader.number(node.function, "bias"))[0])
        return Kink(variables, bias, [name for one in before for name in shown[one]])

    def learn_from(self, paths: list[str]) -> None:
        """Adds to the model how it learns."""
        records = {
            f"{one.source.owner}:{one.source.name}->{one.target.owner}:{one.target.name}/matrix": one for one in self.model.projections
        }
        pairs = [(self.port(node.output_ports[0]), self.port(target.output_ports[0])) for node, target in self.targets.items()]
        self.model.learning(
            pairs,
            OPTIMIZERS[self.composition.optimizer_type],
            weights=[Projection(self.model.description, records[path]) for path in paths],
            name=NAME,
            rate=self.rate,
        )
