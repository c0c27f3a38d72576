"""
State features of an OptimizationControlMechanism: what its simulations get as inputs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from cogir.frontend.builder.handles import Port
from cogir.frontend.builder.records import TrialInput
from cogir.psyneulink.importer.imported import Feature, Imported
from cogir.psyneulink.importer.mechanism import MechanismWriter
from cogir.psyneulink.importer.names import name_in_paths
from cogir.psyneulink.importer.projections import matrix_in_force
from cogir.psyneulink.pnl import input_receivers_of, shows_probe, specified_inputs_of
from cogir.psyneulink.reader import Reader, Refuse, UnsupportedFeature, vector


def features_of(imported: Imported, reader: Reader, refuse: Refuse, observed: bool) -> dict[Any, Any]:
    """
    For each input of the Composition that a simulation does not take as it is: the port, the other input, or the numbers that it takes.

    An input without a state feature gets what PsyNeuLink gives a Node without input. `observed`: what features are computed from can be
    read as ports.
    """
    composition = imported.composition
    given = {receiver: (port, spec) for port, receiver, spec in state_features(composition.controller)}
    found: dict[Any, Any] = {}
    for outer, inner in receivers(composition).items():
        number = inputs_of(composition).index(outer)
        received = imported.receiver(outer)
        assert received is not None
        if inner not in given:
            found[received[1]] = vector(inner.default_external_input(composition))
            continue
        port, spec = given[inner]
        source = source_of(imported, reader, refuse, port, spec)
        if isinstance(source, list) or not (reader.is_identity(port.function) or is_plain_sum(port.function, reader)):
            source = computed(imported, reader, refuse, port, source, observed)
        if not (isinstance(source, TrialInput) and source.number == number):
            found[received[1]] = source
    return found


@dataclass(frozen=True)
class Arrival:
    """The source in the model of a Projection to a state feature, and the matrix by which it multiplies."""

    projection: Any
    source: Port | TrialInput
    matrix: np.ndarray[Any, Any] | None

    @property
    def is_plain(self) -> bool:
        """True if the source arrives unchanged."""
        return self.matrix is None or np.array_equal(self.matrix, np.eye(len(self.matrix)))


def source_of(imported: Imported, reader: Reader, refuse: Refuse, port: Any, spec: Any) -> Any:
    """The source of a state feature: numbers, an input of the trial, a port of the model, or all that its Projections bring."""
    if port.mod_afferents:
        raise refuse(f"its state feature {port.name!r} is modulated", "modulate its source")
    if not hasattr(spec, "owner"):
        return vector(spec)
    arriving = [arrival(imported, reader, refuse, port, projection) for projection in active_afferents(imported.composition, port)]
    if not arriving:
        raise refuse(f"its state feature {port.name!r} receives no Projection", "use ports of the Composition's Nodes")
    return arriving[0].source if len(arriving) == 1 and arriving[0].is_plain else arriving


def active_afferents(composition: Any, port: Any) -> list[Any]:
    """The Projections to an InputPort that count in a Composition."""
    return [projection for projection in port.path_afferents if port.afferents_info[projection].is_active_in_composition(composition)]


def arrival(imported: Imported, reader: Reader, refuse: Refuse, port: Any, projection: Any) -> Arrival:
    """One Projection to a state feature."""
    sender = projection.sender
    if type(projection.function).__name__ not in ("MatrixTransform", "Identity"):
        feature = f"its state feature {port.name!r} has a Projection with the function {type(projection.function).__name__}"
        raise refuse(feature, "use a matrix")
    matrix = matrix_in_force(projection, reader, refuse)
    if sender.owner is imported.composition.input_CIM:
        entered = next(inner for inner, (_, outer) in imported.composition.input_CIM_ports.items() if outer is sender)
        return Arrival(projection, TrialInput(inputs_of(imported.composition).index(entered)), matrix)
    found = imported.sender(sender) or inside(imported, reader, sender)
    if found is None:
        raise refuse(f"its state feature {port.name!r} does not come from a port of a Node", "use ports of the Composition's Nodes")
    return Arrival(projection, found[1], matrix)


def inside(imported: Imported, reader: Reader, sender: Any) -> tuple[Any, Port] | None:
    """The port of the model for an OutputPort in a nested Composition: the output of that Composition, which has the same value."""
    for composition in imported.inner:
        outer = leaving(composition, sender)
        if outer is not None and np.array_equal(reader.get(sender, "value"), reader.get(outer, "value")):  # so they begin alike
            return imported.sender(outer)
    return None


def leaving(composition: Any, port: Any) -> Any:
    """The OutputPort of a Composition's output CIM that shows a port of a Node, perhaps deep inside; None if there is none."""
    if port in composition.output_CIM_ports:
        return composition.output_CIM_ports[port][1]
    outer = (leaving(node, port) for node in composition.nodes if hasattr(node, "output_CIM"))
    return next((composition.output_CIM_ports[one][1] for one in outer if one in composition.output_CIM_ports), None)


def is_plain_sum(function: Any, reader: Reader) -> bool:
    """True if a Function returns the one vector that it is given, since it only sums up."""
    return (
        type(function).__name__ == "LinearCombination"
        and all(reader.get(function, name) is None for name in ("weights", "exponents"))
        and all(np.all(np.asarray(reader.get(function, name), float) == at) for name, at in (("scale", 1.0), ("offset", 0.0)))
    )


def computed(imported: Imported, reader: Reader, refuse: Refuse, port: Any, source: Any, observed: bool) -> Port:
    """
    The value of a state feature's function, of which PsyNeuLink takes one step whenever the controller executes, before it simulates.
    Simulations use copies of the function, and nobody reads their values. `source`: all that arrives, or the one source.
    """
    if isinstance(source, np.ndarray):
        raise refuse(
            f"its state feature {port.name!r} has a function of constants, which each simulation calls again",
            "give the result of the function instead",
        )
    composition, controller = imported.composition, imported.composition.controller
    writer = MechanismWriter(controller, reader, lambda port: active_afferents(composition, port), observed)
    writer.body.name = "state_feature"
    try:
        with np.errstate(all="ignore"):  # the values it starts with may be none that a trial computes with
            held = writer.input_port(port)
    except UnsupportedFeature as error:
        raise refuse(f"the function of its state feature {port.name!r}: {error.feature}", error.remedy) from None
    if writer.memories:
        raise refuse(f"the function of its state feature {port.name!r} is a memory", "use it in a Mechanism")
    drawn = [function for _, function in imported.drawing()]
    drawn += [owner for feature in imported.features.values() for owner, _ in feature.written.random_of.values()]
    if any(owner is known for owner, _ in writer.random_of.values() for known in drawn):
        raise refuse(
            "its state features draw noise from one generator, or from one of a Node",
            "give each a function of its own, in a tuple with its source",
        )
    kept = writer.counters(None) if observed else ()
    arrived = [(f"arrived {index}", arrived) for index, arrived in enumerate(writer.arrived.values()) if observed]
    written = writer.node([("value", held), *arrived], kept=kept)
    node = imported.model.node(
        name_in_paths(f"{controller.name} {port.name}"),
        written.function,
        input=written.inputs,
        params={**written.params, **written.states},
        initial={"value": vector(reader.get(port, "value"))},
        state=written.randoms or None,
    )
    imported.features[port] = Feature(node, written, tuple(name for name, _ in arrived))
    all_arriving = cast("list[Arrival]", source) if isinstance(source, list) else [Arrival(next(iter(writer.arrived)), source, None)]
    for arriving in all_arriving:
        bring(imported, arriving, Port(node, written.separate[arriving.projection]))
    imported.model.schedule.aside(node, "before" if str(composition.controller_mode) == "before" else "after")
    return Port(node, "value")


def bring(imported: Imported, arriving: Arrival, target: Port) -> None:
    """Projects the source of a Projection to a node."""
    source, matrix = arriving.source, arriving.matrix
    if isinstance(source, TrialInput):
        shadowed = imported.receiver(inputs_of(imported.composition)[source.number])
        assert shadowed is not None
        imported.model.shadow(shadowed[1], target)
        return
    if matrix is not None:
        path = f"{source.owner.name}:{source.name}->{target.owner.name}:{target.name}/matrix"
        imported.matrices[path] = None if path in imported.matrices else arriving.projection
    imported.model.project(source, target, matrix=matrix, feedback=True)


def state_features(controller: Any) -> list[tuple[Any, Any, Any]]:
    """The state features of a controller: the InputPort, the input of the Composition that it is for, and what was specified."""
    pairs = zip(specified_inputs_of(controller), controller.state_feature_specs, strict=False)
    wanted = [(receiver, spec) for receiver, spec in pairs if spec is not None]
    return [(port, receiver, spec) for port, (receiver, spec) in zip(controller.state_input_ports, wanted, strict=True)]


def inputs_of(composition: Any) -> list[Any]:
    """The InputPorts that are inputs of a Composition, in the order in which its model has them."""
    ports = composition.input_CIM.input_ports
    return [port for port, _ in sorted(composition.input_CIM_ports.items(), key=lambda item: ports.index(item[1][0]))]


def outputs_of(composition: Any) -> list[tuple[Any, Any]]:
    """The OutputPorts that are outputs of a Composition, in the order in which its model has them, each with that of its output CIM."""
    cim = composition.output_CIM
    pairs = [(port, outer) for port, (_, outer) in composition.output_CIM_ports.items()]
    shown = [pair for pair in pairs if composition.include_probes_in_output or not shows_probe(cim, pair[1])]
    return sorted(shown, key=lambda pair: cim.output_ports.index(pair[1]))


def receivers(composition: Any) -> dict[Any, Any]:
    """For each input of a Composition: the InputPort of an INPUT Node, perhaps deep inside, by which a controller knows it."""
    known = input_receivers_of(composition.controller)
    return {outer: receiver for receiver in known if (outer := entering(composition, receiver)) is not None}


def entering(composition: Any, port: Any) -> Any:
    """The InputPort of a Composition's INPUT Node through which an input comes to this one, that node itself or one inside it."""
    if port is None or port in composition.input_CIM_ports:
        return port
    for node in composition.nodes:
        if hasattr(node, "input_CIM") and (inner := entering(node, port)) is not None:
            outer = node.input_CIM_ports[inner][0]
            return outer if outer in composition.input_CIM_ports else None
    return None
