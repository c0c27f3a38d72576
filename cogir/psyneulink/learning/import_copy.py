"""
The copy of an AutodiffComposition in PyTorch as a model that learns, node by node in the order in which PyTorch executes them.

This is for Compositions of which a trial leaves something to the next one: a memory (a nested EMComposition), the value of an
integrator, or what a node has sent that others read before it is executed again. In the model all of these are inputs of a trial; what
takes their place for the next trial is among its outputs, and hands on no derivatives, as in PyTorch. `by_trial` passes it on.

Functions and matrices are those that PyTorch holds. Each function is tried on some numbers: PyTorch does not notice Parameters that are
changed after it has made its copy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import numpy as np

from cogir import library
from cogir.frontend.builder.handles import Node, Port
from cogir.frontend.builder.model import Model
from cogir.psyneulink.learning import torch_functions as functions
from cogir.psyneulink.learning.import_autodiff import LARGEST, LOSSES, NAME, LearningModel, LearningReader, loss_of
from cogir.psyneulink.learning.seen_at_once import no_native_learning
from cogir.psyneulink.learning.wanted import is_executed_once
from cogir.psyneulink.pnl import (
    decay_in_pytorch,
    function_in_pytorch,
    is_external,
    item_sent,
    output_sources,
    projection_of,
    softmax_of_scores,
    stand_ins_in_pytorch,
    steps_of_nodes,
)
from cogir.psyneulink.reader import UnsupportedFeature
from cogir.runtime.plan import Floats

PARAMETERS: dict[str, tuple[Callable[..., Any], str]] = {
    "Identity": (functions.linear, ""),
    "Linear": (functions.linear, "slope intercept scale offset"),
    "Logistic": (functions.logistic, "gain bias scale offset"),
    "Normalize": (library.normalize, "eps"),
    "ReLU": (functions.relu, "gain bias leak"),
    "SoftMax": (functions.weighted_softmax, "gain"),
    "Tanh": (functions.tanh, "gain"),
}
"""Functions of Mechanisms in PyTorch, with the Parameters that it reads."""

LOSS_KINDS = ("BINARY_CROSS_ENTROPY", "KL_DIV", "L1", "MSE", "POISSON_NLL", "SSE")
"""The losses of which PyTorch computes what cogir does."""

SCALES = (1e-3, 0.1, 1.0, 3.0)
"""The sizes of the numbers on which functions are tried."""

EXECUTIONS = 3
"""The executions of a field of an EMComposition in a trial: to compute scores, to retrieve, and to store."""


@dataclass(frozen=True)
class Carried:
    """A value that a trial reads and an earlier one has left."""

    input: str
    """The input of a trial that it is."""
    output: str
    """The output of a trial that takes its place, if the node is executed."""
    wrapper: Any
    """The wrapper of the Mechanism in PyTorch."""
    attribute: str
    """The attribute of the wrapper that holds it."""
    default: Floats
    """The value before the first execution."""


@dataclass(frozen=True)
class FieldMemory:
    """The memory of a field of an EMComposition."""

    input: str
    """The input of a trial that it is, entries in rows."""
    query: str
    """The output of a trial that is stored in it."""
    wrapper: Any
    decay: float
    """The rate by which it decays when something is stored."""
    rivals: tuple[Any, ...]
    """The wrappers of the fields whose norms decide which entry is the weakest."""


@dataclass(frozen=True)
class MaskedSoftMax:
    """A softmax that leaves out what is near 0."""

    variable: str
    """The output of a trial of which it is computed."""
    gain: float
    threshold: float
    in_pytorch: Callable[[Any], Any]
    """The function in PyTorch, which warns when it is first called with numbers below 0."""


@dataclass
class TrialModel(LearningModel):
    """A model of one trial, with what it takes over from the trial before."""

    places: list[str] = field(default_factory=list[str])
    """The names of the inputs of a trial that are the Composition's."""
    constants: dict[str, Any] = field(default_factory=dict[str, Any])
    """Inputs of a trial that are the same in all: the InputPorts of which they are the default values."""
    carried: list[Carried] = field(default_factory=list[Carried])
    memories: list[FieldMemory] = field(default_factory=list[FieldMemory])
    masked: list[MaskedSoftMax] = field(default_factory=list[MaskedSoftMax])
    steps: dict[Any, Any] = field(default_factory=dict[Any, Any])
    """The optimizer steps of a trial in which nodes are executed, if not in all, by wrapper."""
    entropies: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """The outputs of a trial, sample and target, of which a loss is BINARY_CROSS_ENTROPY."""
    results: list[str] = field(default_factory=list[str])
    """The outputs of a trial that are the Composition's."""
    fixed: list[Any] = field(default_factory=list[Any])
    """Wrappers of Projections that pass on what they get."""
    integrating: list[tuple[Any, bool]] = field(default_factory=list[tuple[Any, bool]])
    """TransferMechanisms, and whether they integrate."""


def has_order(composition: Any, copy: Any) -> bool:
    """True if the copy of a Composition in PyTorch has an order of its own, or something that a trial leaves to the next one."""
    return (
        any(hasattr(node, "input_CIM") for node in composition.nodes)
        or bool(steps_of_nodes(copy))
        or any(getattr(node, "integrator_mode", False) for node in composition.nodes)
        or any(type(getattr(node, "function", None)).__name__ == "Normalize" for node in composition.nodes)
        or not is_executed_once(composition)
        or reads_before(copy)
    )


def order_of(copy: Any) -> list[Any]:
    """The wrappers of Mechanisms in the order in which PyTorch executes them."""
    return [one for each in copy.execution_sets for one in sorted(each, key=lambda one: one.name)]


def passes_on(wrapper: Any) -> bool:
    """True if a Projection in PyTorch passes on what it gets, and is not learned."""
    rows, columns = wrapper.matrix.shape
    return not wrapper.matrix.requires_grad and rows == columns and np.array_equal(wrapper.matrix.detach().numpy(), np.eye(rows))


def reads_before(copy: Any) -> bool:
    """True if PyTorch executes a Mechanism before one from which it receives something, which is then of the trial before."""
    known: set[Any] = set()
    for wrapper in order_of(copy):
        if any(one.sender_wrapper not in known for one in wrapper.afferents):
            return True
        known.add(wrapper)
    return False


class CopyReader(LearningReader):
    """Reads the copy of one AutodiffComposition in PyTorch."""

    def __init__(self, composition: Any, copy: Any, execution_id: Any):
        super().__init__(composition, copy, execution_id)
        self.torch = import_module("torch")
        self.model = Model(NAME)
        self.model.warns = False
        self.order = order_of(copy)
        self.places: dict[Any, list[int]] = {}
        for place, wrapper in enumerate(self.order):
            self.places.setdefault(wrapper, []).append(place)
        self.steps = steps_of_nodes(copy)
        self.values: dict[Any, Port] = {}
        """The ports of what Mechanisms send."""
        self.scores: dict[Any, Port] = {}
        self.memories: dict[Any, Port] = {}
        self.queries: dict[Any, Port] = {}
        self.before: dict[Any, Port] = {}
        """The ports of what Mechanisms have sent in the trial before."""
        self.dependent: set[str] = set()
        """The nodes whose values depend on what is learned."""
        self.pairs: set[tuple[str, str]] = set()
        self.paths: dict[str, Any] = {}
        self.found: list[tuple[Any, Port, Port]] = []
        """The wrappers of LossMechanisms, with samples and targets."""
        self.outputs: dict[str, Port] = {}
        self.read_model = TrialModel(self.model, [], 0, [], {}, [], steps=self.steps)

    def read(self) -> TrialModel:
        self.check_copy()
        made = self.read_model
        for place, wrapper in enumerate(self.order):
            self.execute(place, wrapper)
        for wrapper, before in self.before.items():
            self.carry(wrapper, before)
        self.show_outputs()
        made.matrices = self.paths
        made.samples = [self.compared(one) for one in (*self.copy.sample_wrappers, *self.copy.target_wrappers)]
        learned = [(path, wrapper) for path, wrapper in self.paths.items() if wrapper.matrix.requires_grad]
        if not learned:
            raise self.refuse("it has no learnable Projection", "give a Projection a learning_rate")
        made.learned = [wrapper for _, wrapper in learned]
        self.say_how(learned)
        first = dict.fromkeys([*made.results, *(name for names in (*made.samples, *made.entropies) for name in names)])
        made.outputs = len(first)
        for name in dict.fromkeys([*first, *self.outputs]):
            self.model.output(self.outputs[name])
        if made.masked and (type(self.copy.optimizer).__name__ != "SGD" or self.decays()):
            raise self.refuse(
                "its SoftMax masks, and its optimizer makes other steps where all is masked", "use plain SGD without weight_decay"
            )
        return made

    def decays(self) -> bool:
        return any(float(group["weight_decay"]) != 0.0 for group in self.copy.optimizer.param_groups)

    # What is not known

    def check_copy(self) -> None:
        composition, copy = self.composition, self.copy
        if (error := no_native_learning(composition, copy)) is not None:
            raise error
        if str(copy.device) != "cpu" or stand_ins_in_pytorch(composition):
            raise self.refuse("its copy in PyTorch has other nodes, or is not on the CPU")
        known = {wrapper.mechanism for wrapper in self.order}
        if missing := [node for node in copy.nodes_map if node not in known]:
            raise self.refuse(f"PyTorch does not execute {missing[0].name!r}")
        for wrapper, places in self.places.items():
            kind = type(wrapper).__name__
            if len(places) != (EXECUTIONS if kind == "PytorchExternalMemoryMechanismWrapper" else 1):
                raise self.refuse(f"PyTorch executes {wrapper.mechanism.name!r} several times in a trial")
            if wrapper.exclude_from_gradient_calc:
                raise self.refuse(f"{wrapper.mechanism.name!r} is excluded from the gradient")

    def of(self, wrapper: Any) -> Callable[..., UnsupportedFeature]:
        """The function that makes messages about a Mechanism."""
        mechanism = wrapper.mechanism

        def refuse(feature: str, remedy: str = "let PyTorch learn") -> UnsupportedFeature:
            return UnsupportedFeature(f"{type(mechanism).__name__} {mechanism.name!r}", f"learning: {feature}", remedy)

        return refuse

    def tried(
        self, wrapper: Any, theirs: Callable[..., Any], mine: Callable[..., Any], sizes: Sequence[tuple[int, ...]], least: float = 0.0
    ) -> None:
        """Compares two functions of arrays, PyTorch's and cogir's. They get numbers from `least` to 1, times those of `SCALES`."""
        random = np.random.default_rng(0)
        for scale in SCALES:
            given = [scale * random.uniform(least, 1.0, size) for size in sizes]
            with self.torch.no_grad():
                expected = np.asarray(theirs(*(self.torch.from_numpy(one) for one in given)), float).ravel()
            found = np.asarray(mine(*given), float).ravel()
            if expected.shape != found.shape or not np.allclose(found, expected, rtol=1e-12, atol=1e-15):
                raise self.of(wrapper)("PyTorch computes its function differently (were Parameters changed after it first learned?)")

    # The nodes, in the order of PyTorch

    def execute(self, place: int, wrapper: Any) -> None:
        """Adds what PyTorch computes as it executes a Mechanism."""
        kind = type(wrapper).__name__
        if kind == "PytorchExternalMemoryMechanismWrapper":
            (self.compute_scores, self.retrieve, self.store)[self.places[wrapper].index(place)](place, wrapper)
        elif kind == "PytorchLossMechanismWrapper":
            sample, target = (self.passed_on(place, wrapper, port) for port in (0, 1))
            self.found.append((wrapper, sample, target))
        elif kind != "PytorchMechanismWrapper":
            raise self.of(wrapper)(f"PyTorch has a {kind} for it")
        elif (softmax := softmax_of_scores(function_in_pytorch(wrapper.function))) is not None:
            self.combine_scores(place, wrapper, softmax)
        elif type(wrapper.mechanism.function).__name__ == "LinearCombination":
            self.combine_items(place, wrapper)
        else:
            self.transfer(place, wrapper)

    def sizes(self, wrapper: Any) -> list[int]:
        return [int(np.size(port.defaults.value)) for port in wrapper.mechanism.input_ports]

    def transfer(self, place: int, wrapper: Any) -> None:
        """A Mechanism with one InputPort."""
        mechanism, refuse = wrapper.mechanism, self.of(wrapper)
        if len(mechanism.input_ports) != 1 or len(mechanism.defaults.value) != 1:
            raise refuse("it has several ports", "give it one")
        (size,) = self.sizes(wrapper)
        entry = self.model.node(f"input{place}", input=size)
        if is_external(wrapper):
            self.take_input(wrapper, entry)
        else:
            self.receive(place, wrapper, 0, entry["variable"])
        now = entry["value"]
        integrates = bool(self.reader.get(mechanism, "integrator_mode")) if hasattr(wrapper, "integrator_function") else False
        if hasattr(wrapper, "integrator_function"):
            self.read_model.integrating.append((mechanism, integrates))
        if integrates:
            now = self.integrated(place, wrapper, now, size)
        self.values[wrapper] = self.transformed(place, wrapper, now, size)

    def take_input(self, wrapper: Any, entry: Node) -> None:
        """The input of a Mechanism from outside: numbers of a trial, or the default of a bias."""
        mechanism, made = wrapper.mechanism, self.read_model
        (port,) = mechanism.input_ports
        name = f"{entry.name}/variable"
        if wrapper.afferents:
            raise self.of(wrapper)("it has an external input and receives Projections", "give the input to a separate node")
        if port.default_input == "default_variable":
            made.constants[name] = port
        elif port.default_input is None and not port.internal_only:
            made.inputs.append((mechanism, 0))
            made.places.append(name)
        else:
            raise self.of(wrapper)("its InputPort has a default input", "leave default_input out")

    def integrated(self, place: int, wrapper: Any, now: Port, size: int) -> Port:
        """The value of the integrator of a TransferMechanism."""
        refuse, function = self.of(wrapper), wrapper.mechanism.integrator_function
        if type(function).__name__ != "AdaptiveIntegrator":
            raise refuse(f"it integrates by a {type(function).__name__}", "use AdaptiveIntegrator")
        given = {name: self.parameter(wrapper, function, name, size) for name in ("rate", "noise", "offset")}

        def theirs(now: Any, before: Any) -> Any:
            return wrapper.integrator_function(before, now)

        self.tried(wrapper, theirs, with_values(functions.adaptive, given), [(size,)] * 2)
        node = self.model.node(f"integrated{place}", functions.adaptive, input={"variable": size, "previous": size}, params=given)
        before = self.model.node(f"integrated_before{place}", input=size)
        self.join(now, node["variable"])
        self.join(before["value"], node["previous"])
        if node.name in self.dependent:
            raise refuse("what it integrates depends on what is learned", "integrate what comes from inputs")
        initial = np.broadcast_to(np.ravel(np.asarray(self.reader.get(function, "initializer"), float)), (size,)).copy()
        output = self.output(node["value"])
        self.read_model.carried.append(Carried(f"{before.name}/variable", output, wrapper, "integrator_previous_value", initial))
        return node["value"]

    def parameter(self, wrapper: Any, function: Any, name: str, size: int) -> Any:
        """A Parameter of a function: a number, or an array for so many elements."""
        value = self.reader.get(function, name)
        try:
            held = np.ravel(np.asarray(value, float))
        except (TypeError, ValueError):
            held = np.empty(0)
        if held.size not in (1, size):
            raise self.of(wrapper)(f"its {name} is not a number", "give a number")
        return float(held[0]) if held.size == 1 else held

    def transformed(self, place: int, wrapper: Any, now: Port, size: int) -> Port:
        """The port of the value that the function of a Mechanism makes of a variable."""
        refuse, function = self.of(wrapper), wrapper.mechanism.function
        kind = type(function).__name__
        if kind not in PARAMETERS:
            raise refuse(f"its function is a {kind}", f"use one of {', '.join(PARAMETERS)}")
        body, names = PARAMETERS[kind]
        given = {name: self.parameter(wrapper, function, name, size) for name in names.split()}
        if kind == "Identity":
            given = {"slope": 1.0, "intercept": 0.0, "scale": 1.0, "offset": 0.0}
        if kind == "Normalize" and not self.reader.get(function, "per_item"):
            raise refuse("it normalizes all items together", "use per_item=True")
        if kind == "SoftMax":
            mask = self.reader.get(function, "mask_threshold")
            if mask is not None or str(self.reader.get(function, "output")) not in ("ALL", "all"):
                raise refuse("its SoftMax masks, or gives one element only", "use the output ALL")

        def theirs(one: Any) -> Any:
            return wrapper.function(one.reshape(1, 1, 1, size))

        self.tried(wrapper, theirs, with_values(body, given), [(size,)], least=-1.0)
        node = self.model.node(f"node{place}", body, input={"variable": size}, params=given)
        self.join(now, node["variable"])
        if kind in ("Logistic", "Tanh"):
            self.bound(wrapper, now, size)
        return node["value"]

    def bound(self, wrapper: Any, now: Port, size: int) -> None:
        """Notes how large the variable of a function may be whose exponentials PyTorch computes."""
        function = wrapper.mechanism.function
        gain, bias, offset = (np.max(np.abs(self.parameter(wrapper, function, name, size))) for name in ("gain", "bias", "offset"))
        if gain > 0.0:
            self.read_model.limits[self.output(now)] = float((LARGEST - gain * bias - offset) / gain)

    def combine_items(self, place: int, wrapper: Any) -> None:
        """A Mechanism that adds or multiplies two items."""
        refuse, sizes = self.of(wrapper), self.sizes(wrapper)
        how = str(self.reader.get(wrapper.mechanism.function, "operation"))
        body = {"sum": functions.total, "product": functions.product}.get(how)
        if body is None or len(sizes) != 2 or sizes[0] != sizes[1] or is_external(wrapper):
            raise refuse("it combines other than two items of one length", "use two InputPorts")
        self.tried(wrapper, lambda *both: wrapper.function(self.torch.stack(both).reshape(1, 1, 2, -1)), body, [(sizes[0],)] * 2)
        node = self.model.node(f"node{place}", body, input=dict.fromkeys(("first", "second"), sizes[0]))
        for port, name in enumerate(("first", "second")):
            self.receive(place, wrapper, port, node[name])
        self.values[wrapper] = node["value"]

    # An EMComposition

    def combine_scores(self, place: int, wrapper: Any, softmax: Any) -> None:
        """The node of an EMComposition that weights the entries of its memory. It also finds the weakest one, which `by_trial` does."""
        refuse, (size, _) = self.of(wrapper), self.sizes(wrapper)
        gain, threshold, output = (getattr(softmax.parameters, name).get(None) for name in ("gain", "mask_threshold", "output"))
        if isinstance(gain, str) or str(output) not in ("ALL", "all"):
            raise refuse("its SoftMax adapts its gain, or gives one element only", "use softmax_choice=ALL, and a number for softmax_gain")
        given = {"gain": float(np.asarray(gain).item())}
        body = functions.weighted_softmax
        if threshold is not None:
            body, given["mask_threshold"] = functions.masked_softmax, float(np.asarray(threshold).item())

        def theirs(one: Any) -> Any:
            (((weights, _),),) = wrapper.function(self.torch.stack((one, one)).reshape(1, 1, 2, size))
            return weights

        self.tried(wrapper, theirs, with_values(body, given), [(size,)])
        entry = self.model.node(f"input{place}", input=size)
        self.receive(place, wrapper, 0, entry["variable"])
        node = self.model.node(f"node{place}", body, input={"variable": size}, params=given)
        self.join(entry["value"], node["variable"])
        if threshold is not None:
            self.read_model.masked.append(MaskedSoftMax(self.output(entry["value"]), given["gain"], given["mask_threshold"], theirs))
        self.check_port(wrapper, 1)
        for afferent in self.afferents(wrapper, 1):
            field, places = afferent.sender_wrapper, self.places[afferent.sender_wrapper]
            if field not in self.scores or item_sent(afferent) != 2 or not places[0] < place < places[1]:
                raise refuse("its norms are not those of memories")
            self.check_identity(afferent)
        self.values[wrapper] = node["value"]

    def compute_scores(self, place: int, wrapper: Any) -> None:
        """The products of a query with the entries of a memory."""
        size, entries, _ = self.sizes(wrapper)
        function = wrapper.function.function
        memory = function.get_memory()
        if tuple(memory.shape) != (entries, size):
            raise self.of(wrapper)("its memory has another shape")
        if wrapper.mechanism.function.scores_function.parameters.normalize.get(None):
            raise self.of(wrapper)("it normalizes queries and memories", "use normalize_memories=False")

        def theirs(query: Any, weights: Any, memory: Any, operation: str, item: int) -> Any:
            function.set_memory(memory)
            return wrapper.function([[query, weights, self.torch.zeros(1)]], operation)[0][0][item]

        def scores(query: Any, memory: Any) -> Any:
            return theirs(query, self.torch.zeros(entries), memory, "COMPUTE_SCORES", 1)

        def retrieved(weights: Any, memory: Any) -> Any:
            return theirs(self.torch.zeros(size), weights, memory, "retrieve", 0)

        try:  # with other memories than the one that it holds, which may be zeros
            self.tried(wrapper, scores, functions.scores, [(size,), (entries, size)])
            self.tried(wrapper, retrieved, functions.retrieved, [(entries,), (entries, size)])
        finally:
            function.set_memory(memory)
        query = self.model.node(f"input{place}", input=size)
        self.receive(place, wrapper, 0, query["variable"])
        held = self.model.node(f"memory{place}", input=(entries, size))
        node = self.model.node(f"node{place}", functions.scores, input={"query": size, "memory": (entries, size)})
        self.join(query["value"], node["query"])
        self.join(held["value"], node["memory"])
        self.scores[wrapper], self.memories[wrapper] = node["value"], held["value"]
        self.queries[wrapper] = query["value"]

    def retrieve(self, place: int, wrapper: Any) -> None:
        """The sum of the entries of a memory, weighted."""
        size, entries, _ = self.sizes(wrapper)
        node = self.model.node(f"node{place}", functions.retrieved, input={"weights": entries, "memory": (entries, size)})
        self.receive(place, wrapper, 1, node["weights"])
        self.join(self.memories[wrapper], node["memory"])
        self.values[wrapper] = node["value"]

    def store(self, place: int, wrapper: Any) -> None:
        """Checks that a field stores what it has been asked for, in the place of the weakest entry in its EMComposition."""
        for port in (0, 2):
            for afferent in self.afferents(wrapper, port):
                sender = afferent.sender_wrapper
                if not self.places[sender][0] < self.places[wrapper][0 if port == 0 else 1] or sender in self.steps:
                    raise self.of(wrapper)("it stores what is not what it has been asked for")
        (index,) = self.afferents(wrapper, 2)
        self.check_identity(index)
        if item_sent(index) != 1 or softmax_of_scores(function_in_pytorch(index.sender_wrapper.function)) is None:
            raise self.of(wrapper)("it stores in another place than that of the weakest entry")
        rivals = tuple(one.sender_wrapper for one in self.afferents(index.sender_wrapper, 1))
        held, query = self.memories[wrapper].address.owner, self.output(self.queries[wrapper])
        self.read_model.memories.append(FieldMemory(f"{held}/variable", query, wrapper, decay_in_pytorch(wrapper), rivals))

    # Projections

    def afferents(self, wrapper: Any, port: int) -> list[Any]:
        """The wrappers of the Projections to an InputPort of a Mechanism."""
        entering = wrapper.mechanism.input_ports[port].path_afferents
        return [one for one in wrapper.afferents if projection_of(one) in entering]

    def check_port(self, wrapper: Any, port: int) -> None:
        """Refuses an InputPort that does other than add what it gets."""
        function = wrapper.mechanism.input_ports[port].function
        get = self.reader.get
        plain = type(function).__name__ == "LinearCombination" and str(get(function, "operation")) == "sum"
        if not plain or get(function, "weights") is not None or get(function, "exponents") is not None:
            raise self.of(wrapper)("an InputPort does other than add what it gets", "use the sum")
        count, size = len(self.afferents(wrapper, port)), self.sizes(wrapper)[port]

        def theirs(*items: Any) -> Any:
            return wrapper.input_ports[port].function(self.torch.stack(items).reshape(1, 1, count, size))

        def mine(*items: Floats) -> Floats:
            return np.sum(items, axis=0)

        self.tried(wrapper, theirs, mine, [(size,)] * count)

    def receive(self, place: int, wrapper: Any, port: int, target: Port) -> None:
        """Adds the Projections to an InputPort of a Mechanism."""
        self.check_port(wrapper, port)
        for afferent in self.afferents(wrapper, port):
            self.join(self.source(place, afferent), target, afferent)

    def source(self, place: int, afferent: Any) -> Port:
        """The port of what a Projection sends to a Mechanism that is executed now."""
        sender, item = afferent.sender_wrapper, item_sent(afferent)
        refuse, places = self.of(afferent.receiver_wrapper), self.places.get(sender, [])
        if type(sender).__name__ == "PytorchExternalMemoryMechanismWrapper":
            first, second, third = places
            if first < place <= second and item == 1:
                return self.scores[sender]
            if second < place < third and item == 0:
                return self.values[sender]
            raise refuse(f"it reads another value of {sender.mechanism.name!r} than scores and what is retrieved")
        if not places or item != 0:
            raise refuse(f"it reads another item of {sender.mechanism.name!r} than the first")
        if places[0] >= place:
            return self.left_before(sender, afferent)
        if self.steps.get(sender) != self.steps.get(afferent.receiver_wrapper) and sender in self.steps:
            raise refuse(f"it receives from {sender.mechanism.name!r}, which is executed in some of the optimizer steps of a trial only")
        return self.values[sender]

    def left_before(self, sender: Any, afferent: Any) -> Port:
        """The port of the value that a Mechanism has sent in the trial before."""
        if sender not in self.before:
            default = np.ravel(np.asarray(afferent.default_value, float))
            if default.size != np.size(sender.mechanism.defaults.value):
                raise self.of(sender)("PyTorch has no value of its length before it is first executed")
            node = self.model.node(f"before{self.places[sender][0]}", input=default.size)
            self.before[sender] = node["value"]
            made = Carried(f"{node.name}/variable", "", sender, "output", default)
            self.read_model.carried.append(made)
        return self.before[sender]

    def carry(self, wrapper: Any, before: Port) -> None:
        """Makes what a Mechanism sends the output of a trial that the next one reads."""
        now, made = self.values[wrapper], self.read_model
        if now.address.owner in self.dependent:
            raise self.of(wrapper)("what it learns reaches the next trial, through which PyTorch differentiates")
        name = f"{before.address.owner}/variable"
        (place,) = (number for number, one in enumerate(made.carried) if one.input == name)
        one = made.carried[place]
        made.carried[place] = Carried(one.input, self.output(now), one.wrapper, one.attribute, one.default)

    def passed_on(self, place: int, wrapper: Any, port: int) -> Port:
        """The port that is passed on to an InputPort as it is."""
        self.check_port(wrapper, port)
        found = self.afferents(wrapper, port)
        if len(found) != 1:
            raise self.of(wrapper)("it compares sums", "give it one Projection from each of sample and target")
        self.check_identity(found[0])
        source = self.source(place, found[0])
        if source in self.before.values():
            raise self.of(wrapper)("it compares values of the trial before")
        return source

    def check_identity(self, afferent: Any) -> None:
        self.check_projection(afferent)
        if not passes_on(afferent):
            raise self.refuse(f"the matrix of {afferent.projection.name!r} is not the identity", "leave its matrix out")
        self.read_model.fixed.append(afferent)

    def join(self, source: Port, target: Port, afferent: Any = None) -> None:
        """A projection that passes on what it gets, or that of a Projection."""
        ends = f"{source.address.owner}:{source.address.name}", f"{target.address.owner}:{target.address.name}"
        if ends in self.pairs:
            raise self.refuse("two of its Projections go from one port to another", "leave one of them")
        self.pairs.add(ends)
        depends = source.address.owner in self.dependent
        if afferent is not None:
            self.check_projection(afferent)
        if afferent is None or passes_on(afferent):
            self.model.project(source, target)
            if afferent is not None:
                self.read_model.fixed.append(afferent)
        else:
            self.model.project(source, target, matrix=afferent.matrix.detach().numpy().copy())
            self.paths[f"{ends[0]}->{ends[1]}/matrix"] = afferent
            depends = depends or afferent.matrix.requires_grad
        if depends:
            self.dependent.add(target.address.owner)

    def check_projection(self, afferent: Any) -> None:
        """Refuses a Projection that does other than multiply with its matrix."""
        matrix = np.random.default_rng(0).random(tuple(afferent.matrix.shape))

        def theirs(one: Any) -> Any:
            return afferent.function(one.reshape(1, 1, -1), self.torch.from_numpy(matrix))

        def mine(one: Floats) -> Floats:
            return one @ matrix

        self.tried(afferent.receiver_wrapper, theirs, mine, [(len(matrix),)])

    # What a trial shows

    def output(self, port: Port) -> str:
        """Notes that a port is an output of a trial; returns its name."""
        self.outputs[f"{port.address.owner}/{port.address.name}"] = port
        return f"{port.address.owner}/{port.address.name}"

    def show_outputs(self) -> None:
        """Checks that the first outputs of a trial are those of the Composition."""
        made = self.read_model
        for item, node in output_sources(self.composition):
            wrapper = self.copy.nodes_map.get(node)
            if item != 0 or wrapper is None or wrapper in self.memories or wrapper not in self.values or wrapper in self.steps:
                raise self.refuse(f"PyTorch does not compute its output of {node.name!r} in each optimizer step")
            made.results.append(self.output(self.values[wrapper]))

    def compared(self, wrapper: Any) -> list[str]:
        """The output of a trial that is the value of a Mechanism, as sample or target."""
        if wrapper in self.steps or wrapper not in self.values or wrapper in self.memories:
            raise self.refuse(f"PyTorch does not compute the sample or target {wrapper.mechanism.name!r} in each optimizer step")
        return [self.output(self.values[wrapper])]

    def losses(self) -> Iterator[tuple[Any, ...]]:
        """The losses, with their functions."""
        made = self.read_model
        for wrapper, sample, target in self.found:
            mechanism, name = wrapper.mechanism, loss_of(wrapper.mechanism)
            if type(mechanism.function).__name__ != "LossFunction" or name not in LOSS_KINDS or mechanism.function.normalize:
                raise UnsupportedFeature(
                    f"LossMechanism {mechanism.name!r}", f"its loss is {name}", f"use one of {', '.join(LOSS_KINDS)}, or let PyTorch learn"
                )
            body, over = LOSSES[name]
            if name == "BINARY_CROSS_ENTROPY":
                body = functions.bounded_cross_entropy
                made.entropies.append((self.output(sample), self.output(target)))
            size = int(np.size(mechanism.input_ports[0].defaults.value))
            compared = library.binary_cross_entropy if name == "BINARY_CROSS_ENTROPY" else body

            def theirs(one: Any, other: Any, wrapper: Any = wrapper) -> Any:
                return wrapper.function(*(0.01 + 0.3 * each.reshape(1, 1, -1) for each in (one, other)))

            def mine(one: Any, other: Any, compared: Any = compared) -> Any:
                return compared(0.01 + 0.3 * one, 0.01 + 0.3 * other)

            self.tried(wrapper, theirs, mine, [(size,)] * 2)
            yield sample, target, body, over
        if made.entropies and len(made.entropies) != len(self.found):
            raise self.refuse("some of its losses are BINARY_CROSS_ENTROPY and others are not", "use one loss for all targets")


def with_values(body: Callable[..., Any], given: dict[str, Any]) -> Callable[..., Any]:
    """A function with its parameters."""
    return lambda *items: body(*items, **given)
