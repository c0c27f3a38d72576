"""
An AutodiffComposition as a model that learns.

PsyNeuLink learns in PyTorch, by a copy of the Composition that it makes when it first learns (`pytorch_representation`). The copy knows
less than the Composition: it takes no notice of schedules, of noise and clips, of functions of OutputPorts, of some Parameters of
functions, and of what is changed later. What it computes is what counts here; where the Composition would compute something else, it is
refused, or the Parameters take the values that PyTorch takes for them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from cogir import library
from cogir.frontend.builder.handles import Port, Projection
from cogir.frontend.builder.model import Model
from cogir.psyneulink.importer.composition import imported
from cogir.psyneulink.learning.seen_at_once import no_native_learning
from cogir.psyneulink.pnl import optimizes_repeatedly, projection_of, variable_spec_of
from cogir.psyneulink.reader import Reader, UnsupportedFeature

IGNORED: Mapping[str, Mapping[str, float]] = {
    "Identity": {},
    "Linear": {},
    "Logistic": {"x_0": 0.0},
    "ReLU": {"scale": 1.0, "offset": 0.0},
    "SoftMax": {},
    "Tanh": {"bias": 0.0, "x_0": 0.0, "scale": 1.0, "offset": 0.0},
}
"""Functions that are learned through, with the Parameters that PyTorch takes no notice of and what it takes for them."""


def loss_of_one_class(sample: Any, target: Any) -> Any:
    """`-sum(t * log(softmax(s)))` where each element is the only one of its classes: 0, and so are its derivatives."""
    return np.sum(target * (sample - sample))


LOSSES: Mapping[str, tuple[Callable[..., Any], str]] = {
    "BINARY_CROSS_ENTROPY": (library.binary_cross_entropy, "mean"),
    "CROSS_ENTROPY": (loss_of_one_class, "mean"),
    "KL_DIV": (library.relative_entropy, "sum"),
    "L1": (library.sum_absolute_error, "sum"),
    "MSE": (library.mean_squared_error, "mean"),
    "POISSON_NLL": (library.poisson_loss, "sum"),
    "SSE": (library.sum_squared_error, "sum"),
}
"""PsyNeuLink's losses, and what the loss of a batch is of those of its trials."""

IN_PYTHON = ("CROSS_ENTROPY", "L1", "MSE", "POISSON_NLL", "SSE")
"""Losses that PsyNeuLink's LossMechanism computes as well; without the others, it is left out."""

SMALLEST = 1e-9
"""Nearer to 0 or 1 than this, PyTorch bounds the logarithms of BINARY_CROSS_ENTROPY and its derivatives."""

LARGEST = 700.0
"""PyTorch computes tanh of exponentials, which overflow above this."""

OPTIMIZERS: Mapping[str, Callable[..., Any]] = {"Adam": library.adam, "SGD": library.gradient_descent}
"""PyTorch's optimizers by the names of their classes."""
FIXED: Mapping[str, Mapping[str, Any]] = {
    "Adam": {"amsgrad": False, "maximize": False, "capturable": False, "differentiable": False, "decoupled_weight_decay": False},
    "SGD": {"momentum": 0, "dampening": 0, "nesterov": False, "maximize": False, "differentiable": False},
}
"""Options of the optimizers that must stand as they are."""
KINDS = ("TransferMechanism", "ProcessingMechanism", "LossMechanism")
NAME = "learning"


@dataclass
class LearningModel:
    """A model that learns, and where its parts come from."""

    model: Model
    inputs: list[tuple[Any, int]]
    """For each input of a trial, in order: the Mechanism, and which of its InputPorts."""
    outputs: int
    """The number of outputs of a trial that are the Composition's; samples and targets follow."""
    samples: list[list[str]]
    """For each wrapper whose values PyTorch retains, samples first, then targets: the outputs of a trial that hold them."""
    matrices: dict[str, Any]
    """PyTorch's wrapper of a Projection by the path of its matrix."""
    learned: list[Any]
    """The wrappers of what is learned, in order."""
    numbers: dict[str, float] = field(default_factory=dict[str, float])
    """Parameters that take other values than the Composition has."""
    limits: dict[str, float] = field(default_factory=dict[str, float])
    """Outputs of a trial whose magnitude must stay below a number, for PyTorch to compute what the model does."""
    probabilities: list[str] = field(default_factory=list[str])
    """Outputs of a trial that must stay between 0 and 1."""
    notes: list[str] = field(default_factory=list[str])
    """Notes for the user."""


def loss_of(mechanism: Any) -> str:
    """The name of the loss of a LossMechanism."""
    loss = getattr(mechanism.function, "loss", None)
    return getattr(loss, "name", str(loss))


def learning_model(composition: Any, copy: Any, execution_id: Any) -> LearningModel:
    """The model of an AutodiffComposition that has its copy in PyTorch; raises UnsupportedFeature for what cogir does not learn."""
    return LearningReader(composition, copy, execution_id).read()


class LearningReader:
    """Reads how one AutodiffComposition learns in PyTorch."""

    def __init__(self, composition: Any, copy: Any, execution_id: Any):
        self.composition, self.copy, self.key = composition, copy, execution_id
        self.reader = Reader(execution_id)
        self.numbers: dict[str, float] = {}
        self.probabilities: list[str] = []
        self.notes: list[str] = []

    def refuse(self, feature: str, remedy: str = "let PyTorch learn") -> UnsupportedFeature:
        return UnsupportedFeature(f"AutodiffComposition {self.composition.name!r}", feature, remedy)

    def read(self) -> LearningModel:
        self.check_composition()
        for node in self.composition.nodes:
            self.check_node(node)
        bounded = [node for node in self.composition.nodes if type(node.function).__name__ == "Tanh"]
        left_out = [one for one in self.composition.loss_mechs_map if loss_of(one) not in IN_PYTHON]
        found = imported(self.composition, self.key, observed=bool(bounded), without=left_out, computes_targets=True)
        self.imported, self.model = found, found.model
        for node in self.imported.written:
            self.take_what_pytorch_takes(node)
        matrices = self.matrices()
        learned = [(path, wrapper) for path, wrapper in matrices.items() if wrapper.matrix.requires_grad]
        if not learned:
            raise self.refuse("it has no learnable Projection", "give a Projection a learning_rate")
        outputs = len(self.model.outputs())
        samples = [self.shown(wrapper.mechanism) for wrapper in (*self.copy.sample_wrappers, *self.copy.target_wrappers)]
        limits = {name: limit for node in bounded for name, limit in self.limits(node)}
        self.say_how(learned)
        by_input = sorted(self.composition.input_CIM_ports.items(), key=lambda item: self.cim_inputs().index(item[1][0]))
        inputs = [(port.owner, list(port.owner.input_ports).index(port)) for port, _ in by_input]
        wrappers = [wrapper for _, wrapper in learned]
        return LearningModel(
            found.model, inputs, outputs, samples, matrices, wrappers, self.numbers, limits, self.probabilities, self.notes
        )

    def cim_inputs(self) -> list[Any]:
        return list(self.composition.input_CIM.input_ports)

    # What PyTorch would not do as the model does

    def check_composition(self) -> None:
        composition, copy = self.composition, self.copy
        if (error := no_native_learning(composition, copy)) is not None:
            raise error
        if set(copy.nodes_map) != set(composition.nodes) or str(copy.device) != "cpu":
            raise self.refuse("its copy in PyTorch has other nodes, or is not on the CPU")
        if optimizes_repeatedly(copy):
            raise self.refuse(
                "it executes nodes in some of the optimizer steps of a trial only", "leave execute_in_additional_optimizations out"
            )

    def check_node(self, node: Any) -> None:
        def refuse(feature: str, remedy: str = "let PyTorch learn") -> UnsupportedFeature:
            return UnsupportedFeature(f"{type(node).__name__} {node.name!r}", f"learning: {feature}", remedy)

        if type(node).__name__ not in KINDS:
            raise refuse(f"it is of the class {type(node).__name__}", f"learn through {', '.join(KINDS[:2])}")
        if type(node).__name__ == "LossMechanism":
            return
        if getattr(node, "exclude_from_gradient_calc", False):
            raise refuse("it is excluded from the gradient")
        if type(node).__name__ == "TransferMechanism":
            if self.reader.get(node, "integrator_mode"):
                raise refuse("it integrates", "leave integrator_mode out")
            noise = self.reader.get(node, "noise")
            if self.reader.get(node, "clip") is not None or callable(noise) or np.any(np.asarray(noise, float)):
                raise refuse("it has noise or a clip, which PyTorch mode ignores", "leave them out")
        for port in node.output_ports:
            if not self.reader.is_identity(port.function) or variable_spec_of(port)[0] != "OWNER_VALUE":
                raise refuse(f"its OutputPort {port.name!r} has a function, which PyTorch mode ignores", "use the port of its value")
        for port in node.input_ports:
            self.check_input(port, refuse)
        entered = [one for port in node.input_ports for one in port.path_afferents]
        from_outside = [one for one in entered if type(one.sender.owner).__name__ == "CompositionInterfaceMechanism"]
        if from_outside and len(from_outside) < len(entered):
            raise refuse(
                "it has an external input and receives Projections, which PyTorch mode ignores", "give the input to a separate node"
            )
        self.check_function(node.function, refuse)

    def check_input(self, port: Any, refuse: Callable[..., UnsupportedFeature]) -> None:
        function, reader = port.function, self.reader
        if type(function).__name__ != "LinearCombination":
            raise refuse(f"the function of its {port.name!r} is a {type(function).__name__}", "use LinearCombination")
        plain = all(reader.get(function, name) is None for name in ("weights", "exponents"))
        if not plain or reader.number(function, "scale") != 1.0 or reader.number(function, "offset") != 0.0:
            raise refuse(f"its {port.name!r} scales or shifts its input", "do that in a Projection")

    def check_function(self, function: Any, refuse: Callable[..., UnsupportedFeature]) -> None:
        kind, reader = type(function).__name__, self.reader
        if kind not in IGNORED:
            raise refuse(f"its function is a {kind}", f"use one of {', '.join(IGNORED)}")
        if kind == "ReLU":
            gain, leak = (float(np.ravel(reader.number(function, name))[0]) for name in ("gain", "leak"))
            if gain <= 0.0 or leak > 1.0 or (leak != 0.0 and gain != 1.0):
                raise refuse("PyTorch computes its ReLU differently", "give a leak below one, and a gain of one beside a leak")
        if kind == "SoftMax":
            gain, mask = reader.get(function, "gain"), reader.get(function, "mask_threshold")
            if mask is not None or isinstance(gain, str) or str(reader.get(function, "output")) not in ("ALL", "all"):
                raise refuse("its SoftMax masks, adapts its gain, or gives one element only", "use the output ALL and a number as gain")

    def take_what_pytorch_takes(self, node: Any) -> None:
        """Notes the Parameters of which PyTorch takes no notice."""
        written = self.imported.written[node]
        for name, value in IGNORED.get(type(node.function).__name__, {}).items():
            source = getattr(node.function.parameters, name).final_source
            if source in written.parameters:
                self.numbers[f"{self.imported.nodes[node].name}/param:{written.parameters[source]}"] = value

    # The model

    def matrices(self) -> dict[str, Any]:
        """The wrappers of all Projections by the paths of their matrices."""
        found: dict[str, Any] = {}
        known = self.imported.written
        wrappers = {one: wrapper for one, wrapper in self.copy.projections_map.items() if one.receiver.owner in known}
        for path, projection in self.imported.matrices.items():
            if projection is None:
                raise self.refuse("two of its Projections go from one port to another", "leave one of them")
            wrapper = wrappers.pop(projection, None)
            if wrapper is None or projection_of(wrapper) is not projection or type(projection).__name__ != "MappingProjection":
                raise self.refuse(f"PyTorch has no matrix for the Projection {projection.name!r}, or a different one")
            found[path] = wrapper
        if wrappers:
            raise self.refuse(f"PyTorch has a Projection of its own, {next(iter(wrappers)).name!r}")
        return found

    def port(self, port: Any) -> Port:
        """The port of the model for an OutputPort."""
        owner = port.owner
        return Port(self.imported.nodes[owner], self.imported.written[owner].ports[port])

    def shown(self, mechanism: Any) -> list[str]:
        """Makes the value of a Mechanism an output of a trial; returns the names of the outputs, item by item."""
        names: list[str] = []
        if sorted(variable_spec_of(port)[1] for port in mechanism.output_ports) != list(range(len(mechanism.defaults.value))):
            raise self.refuse(f"not each item of the value of {mechanism.name!r} has an OutputPort", "give it one OutputPort")
        for port in sorted(mechanism.output_ports, key=lambda one: variable_spec_of(one)[1]):
            handle = self.port(port)
            if handle.address not in self.model.explicit_outputs:
                self.model.output(handle)
            names.append(f"{handle.address.owner}/{handle.address.name}")
        return names

    def limits(self, node: Any) -> Iterator[tuple[str, float]]:
        """Makes what a Tanh is computed of outputs of a trial; yields their names, and how large they may be."""
        gain = float(np.ravel(self.reader.number(node.function, "gain"))[0])
        for name in self.imported.written[node].variables:
            handle = Port(self.imported.nodes[node], name)
            self.model.output(handle)
            yield f"{handle.address.owner}/{handle.address.name}", LARGEST / abs(gain) if gain else np.inf

    def losses(self) -> Iterator[tuple[Any, ...]]:
        """The losses, with their functions."""
        for mechanism in self.composition.loss_mechs_map:
            name = loss_of(mechanism)
            if type(mechanism.function).__name__ != "LossFunction" or name not in LOSSES or mechanism.function.normalize:
                raise UnsupportedFeature(
                    f"LossMechanism {mechanism.name!r}", f"its loss is {name}", f"use one of {', '.join(LOSSES)}, or let PyTorch learn"
                )
            sample = self.port(mechanism.sample)
            if name == "BINARY_CROSS_ENTROPY":
                self.probabilities.append(f"{sample.address.owner}/{sample.address.name}")
            if name == "CROSS_ENTROPY":
                self.notes.append(
                    f"AutodiffComposition {self.composition.name!r}: PyTorch mode treats each element of {mechanism.name!r} as the "
                    "only class; its loss is 0, and nothing is learned from it"
                )
            yield sample, self.port(mechanism.target), *LOSSES[name]

    def say_how(self, learned: list[tuple[str, Any]]) -> None:
        """Adds to the model how it learns."""
        optimizer = self.copy.optimizer
        kind = type(optimizer).__name__
        options = FIXED.get(kind)
        if options is None:
            raise self.refuse(f"its optimizer is {kind}", f"use one of {', '.join(OPTIMIZERS)}")
        for group in optimizer.param_groups:
            if any(group.get(name, value) != value for name, value in options.items()):
                raise self.refuse("its optimizer has options that cogir does not support", "use plain SGD or Adam")
        losses = list(self.losses())
        overs = {over for *_, over in losses}
        if len(overs) != 1:
            raise self.refuse("some of its losses are means and others sums", "use one loss for all targets")
        records = {
            f"{one.source.owner}:{one.source.name}->{one.target.owner}:{one.target.name}/matrix": one for one in self.model.projections
        }
        weights = [Projection(self.model.description, records[path]) for path, _ in learned]
        size = sum(one.record.matrix.size for one in weights if one.record.matrix is not None)
        self.model.learning(
            [(sample, target, function) for sample, target, function, _ in losses],
            OPTIMIZERS[kind],
            weights=weights,
            over=overs.pop(),
            name=NAME,
            rate=np.zeros(size),
        )
