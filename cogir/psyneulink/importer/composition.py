"""
A Composition as a model: its nodes, its projections, its schedule, its controller.
"""

from __future__ import annotations

from collections.abc import Container
from functools import partial
from typing import Any, cast

import numpy as np

from cogir.frontend.builder import conditions
from cogir.frontend.builder.handles import Instance, Node, Port, State
from cogir.frontend.builder.model import Model
from cogir.frontend.builder.source_location import user_place
from cogir.frontend.builder.time_scales import TimeScale
from cogir.limits import NEVER
from cogir.model.layers import dependencies_of, layers_of
from cogir.psyneulink.importer.conditions import (
    ENDS_RUN,
    ENDS_TRIAL,
    OF_NODE,
    RESET,
    ConditionReader,
    asks_for_finished,
    asks_for_values,
    counts_asked,
    nodes_before,
    runs_once,
)
from cogir.psyneulink.importer.controller import add_controller, not_taken_up, plain_controller
from cogir.psyneulink.importer.em_composition import check_turns
from cogir.psyneulink.importer.imported import Imported
from cogir.psyneulink.importer.learned_matrices import LearnedMatrix, LearningPorts, check_calls, learned_by, learning_nodes
from cogir.psyneulink.importer.mechanism_classes import write_mechanism
from cogir.psyneulink.importer.mechanism_record import WrittenNode
from cogir.psyneulink.importer.modulation import signal_of
from cogir.psyneulink.importer.names import name_in_paths
from cogir.psyneulink.importer.nested_inputs import entering, show_arriving, show_modulating
from cogir.psyneulink.importer.nested_nan import watch_crossings
from cogir.psyneulink.importer.outer_axes import check_outer_axes, has_outer_axis
from cogir.psyneulink.importer.plain_controller import add_aside
from cogir.psyneulink.importer.projections import as_matrix, matrix_in_force
from cogir.psyneulink.importer.resets import (
    check_not_read_early,
    check_reset,
    check_start,
    is_asked_if_finished,
    kept_ports,
    kept_states,
    reset_items,
    start_of,
)
from cogir.psyneulink.importer.seeds import draws_without_context
from cogir.psyneulink.importer.state_features import outputs_of
from cogir.psyneulink.importer.survey import Survey
from cogir.psyneulink.importer.unmodified import check_genuine, not_plain
from cogir.psyneulink.importer.unread_parameters import check_read
from cogir.psyneulink.pnl import analyze_graph, is_controller_deferred, new_context
from cogir.psyneulink.reader import Reader, Reads, UnsupportedFeature, note_read, recorded_reads, understood

OF_SEVERAL_VALUES = ("DriftDiffusionIntegrator", "FitzHughNagumoIntegrator", "OrnsteinUhlenbeckIntegrator")
"""Functions whose value is one for each of their variables, such as the position and the time."""


class CompositionImporter:
    """Reads one Composition in one execution context."""

    def __init__(
        self,
        survey: Survey,
        reader: Reader,
        observed: bool = False,
        without: Container[Any] = (),
        learns: bool = False,
        computes_targets: bool = False,
    ):
        """
        `observed`: all values of Mechanisms can be read as ports. `without`: nodes that are left out, with what they modulate. `learns`:
        matrices change as in PsyNeuLink's `learn`. `computes_targets`: nodes that only learning executes are computed, too.
        """
        self.observed, self.without, self.learns, self.computes_targets = observed, without, learns, computes_targets
        self.learned: dict[Any, LearnedMatrix] = {}
        composition = self.composition = survey.composition
        self.reader = reader
        self.model = Model(name_in_paths(composition.name), prng="mt19937")
        self.model.description.compiled_only = True  # what is not compiled runs in PsyNeuLink
        self.model.warns = False  # shapes are PsyNeuLink's, and so are zeros for inputs that are not given
        self.imported = Imported(survey, self.model)
        self.aside = None if composition.controller in without else plain_controller(composition)
        """The controller, if it is a Mechanism that is executed beside the nodes."""
        nodes = sorted(node for node in composition.nodes if node not in without)
        self.mechanisms = [*nodes, *([] if self.aside is None else [self.aside])]
        """
        The nodes, and the controller that is executed beside them. PsyNeuLink executes the nodes of a time step in the order of their
        names, which shows where several draw from one generator.
        """

    def refuse(self, feature: str, remedy: str) -> UnsupportedFeature:
        """The error about something in this Composition that cannot be compiled."""
        return UnsupportedFeature(f"Composition {self.composition.name!r}", feature, remedy)

    def read(self) -> Imported:
        """The whole Composition."""
        with understood(self.refuse):
            self.check_controller()
            self.parts()
        return self.imported

    def check_controller(self) -> None:
        """Refuses a controller that PsyNeuLink has not taken up: it belongs to the Composition, and its ObjectiveMechanism does not."""
        controller = self.composition.controller
        if controller is not None and is_controller_deferred(self.composition):
            raise not_taken_up(self.composition, controller)

    def graph(self) -> None:
        """The nodes with all that connects them, and their conditions."""
        if self.learns:
            self.learned = learned_by(self.composition, self.mechanisms, self.reader, self.refuse)
            check_calls(self.composition, self.learned.values(), self.refuse)
        else:
            self.imported.idle = frozenset(learning_nodes(self.composition))
        for node in self.mechanisms:
            self.node(node)
        self.check_nodes_once()
        self.check_generators_once()
        self.inputs_and_outputs()
        layer = {node: index for index, layer in enumerate(self.composition.scheduler.consideration_queue) for node in layer}
        for node in self.mechanisms:
            self.projections_to(node, layer)
            self.modulations_of(node, layer)
        for node, written in self.imported.written.items():
            self.learning_of(node, written.learning)
            for before, name in written.after.items():
                ports = self.imported.written[before].ports
                sent = Port(self.imported.nodes[before], ports[before.output_ports[0]])
                self.model.project(sent, Port(self.imported.nodes[node], name))
        self.schedule()

    def parts(self) -> None:
        """All parts of the Composition."""
        error = not_plain(self.composition)
        if error is not None:
            raise error
        if self.learns:
            if self.composition.controller is not None:
                raise self.refuse("it learns, and has a controller", "learn in a Composition without a controller")
            if any(type(component).__name__ == "Dropout" for component in self.imported.survey.components):
                raise self.refuse("it learns with a Dropout, which draws only then", "learn in an AutodiffComposition")
            if any(hasattr(node, "input_CIM") for node in self.composition.nodes):
                raise self.refuse("it learns, and has nested Compositions", "learn in a Composition without nested ones")
        if not self.composition.nodes:
            raise self.refuse("it has no nodes", "add some")
        self.graph()
        if self.aside is not None:
            add_aside(self.imported, self.aside, self.reader, self.conditions())
        elif self.composition.controller is not None:
            if self.imported.counts_itself():
                raise self.refuse(
                    "it has a controller and the condition NWhen, whose count starts again in each simulation", "count with AfterNCalls"
                )
            if self.imported.takes_counts():
                raise self.refuse(
                    "it has a controller, and an OutputPort or a condition takes a count of executions, which its simulations change",
                    "count in a trial, as in ('num_executions', TimeScale.TRIAL)",
                )
            if self.imported.all_asked():
                raise self.refuse(
                    "it has a controller and a condition with a Python function, which PsyNeuLink lets read values of other simulations",
                    "use Threshold",
                )
            if any(draws_without_context(function) for _, function in self.imported.drawing()):
                raise self.refuse(
                    "it has a controller and a SoftMax that draws, of which PsyNeuLink's simulations use the generator up",
                    "use OneHot(mode=PROB)",
                )
            if any(type(mechanism).__name__ == "KWTAMechanism" for mechanism in self.imported.mechanisms()):
                raise self.refuse(
                    "its controller simulates a KWTAMechanism, whose warnings and errors in simulations PsyNeuLink gives",
                    "let another Mechanism modulate it, or run it in PsyNeuLink",
                )
            self.check_simulated_axes()
            add_controller(self.imported, self.reader, self.conditions(), self.observed)
        self.check_order()

    def check_simulated_axes(self) -> None:
        """Refuses Mechanisms with an outer axis of length one, which controllers of PsyNeuLink that simulate show in other shapes."""
        for mechanism in self.imported.mechanisms():
            if self.observed and any(map(has_outer_axis, mechanism.input_ports)):
                raise self.refuse(
                    f"the variable of {mechanism.name!r} has three or more axes, one of them of length 1, and its controller simulates",
                    "leave that axis out",
                )

    # Nodes

    def check_nodes_once(self) -> None:
        """Refuses a Mechanism that is a node of two of the Compositions: both execute it, so they share its state and its values."""
        seen: set[Any] = set()
        for mechanism in self.imported.mechanisms():
            if mechanism in seen:
                raise self.refuse(
                    f"{mechanism.name!r} is a node of two Compositions in it, which share its state",
                    "give each Composition its own Mechanism",
                )
            seen.add(mechanism)

    def check_generators_once(self) -> None:
        """
        Refuses a distribution Function from which several noises are drawn, as where its method is given to several Mechanisms: they share
        its generator, and a node's generator is its own. (Of a Function that is given itself, each Mechanism makes its own copy.)
        """
        drawing = self.imported.drawing()
        for index, (mechanism, function) in enumerate(drawing):
            for other, known in drawing[:index]:
                if known is function:
                    raise self.refuse(
                        f"{other.name!r} and {mechanism.name!r} draw from the generator of one {type(function).__name__}",
                        f"make a {type(function).__name__} for each, or give it itself, not its method",
                    )

    def node(self, node: Any) -> None:
        """A Mechanism, or a nested Composition."""
        if hasattr(node, "input_CIM"):
            if learning_nodes(node):
                raise self.refuse(f"{node.name!r}, which is nested in it, has nodes that only learning executes", "run it by itself")
            inner = CompositionImporter(Survey(node), self.reader, self.observed, self.without).read()
            if self.observed:
                show_arriving(inner)
                show_modulating(inner)
                watch_crossings(inner)
            self.imported.inner[node] = inner
            self.imported.nodes[node] = self.model.instance(name_in_paths(node.name), inner.model)
            return
        self.check_axes(node)
        if hasattr(node, "access_condition"):
            check_turns(self.composition, node)
        asks = asks_for_finished(self.composition)
        is_idle = node in self.imported.idle and not self.computes_targets
        before = nodes_before(self.composition, node)
        counted = counts_asked(self.composition, node)
        written = write_mechanism(node, self.reader, self.afferents, self.observed, asks, self.learned, is_idle, before, counted)
        self.imported.written[node] = written
        limit = int(np.ceil(self.reader.get(node, "max_executions_before_finished")))
        repeats = bool(self.reader.get(node, "execute_until_finished")) and written.finishes
        handle = self.imported.nodes[node] = self.model.node(
            name_in_paths(node.name),
            written.function,
            input=written.inputs or None,
            params={**written.params, **written.states},
            initial={} if is_idle else self.initial_of(node, written),
            combine=written.combine or None,
            execute_until_finished=repeats,
            max_executions_before_finished=limit if repeats else None,
            reset_each_trial=False,  # resets are PsyNeuLink's
            state=written.randoms or None,
        )
        for name, message in written.failures.items():
            self.model.schedule.fails(State(handle, name), message)

    def initial_of(self, node: Any, written: WrittenNode) -> dict[str, Any]:
        """The values of the output ports of a Mechanism at the start."""
        starts = reset_items(self.reader, node, written) if self.observed and self.reader.is_reset(node) else {}
        return starts | {written.ports[port]: self.start(node, port) for port in node.output_ports} | self.matrices_at_start(written)

    def matrices_at_start(self, written: WrittenNode) -> dict[str, Any]:
        """The matrices that a node keeps for others, by output port, before the first change."""
        found: dict[str, Any] = {}
        for projection, name in written.learning.sums.items():
            found[name] = as_matrix(self.reader.get(self.learned[projection].accumulator, "previous_value"))
        return found

    def start(self, node: Any, port: Any) -> Any:
        """The value of an OutputPort at the start; refused if an execution that failed has left another number of elements there."""
        start, size = start_of(self.reader, node, port), np.size(port.defaults.value)
        if np.size(start) not in (1, size) and not hasattr(port, "modulation"):
            feature = f"{port.name!r} of {node.name!r} has {np.size(start)} elements, and is made for {size}"
            raise self.refuse(feature, "run it once in PsyNeuLink, which makes a new value")
        return start

    def check_axes(self, node: Any) -> None:
        """Refuses values with axes of length one that PsyNeuLink keeps at some places and drops at others."""
        if self.observed:
            check_outer_axes(node, self.reader, self.learns)
        kind = type(node.function).__name__
        if self.observed and kind in OF_SEVERAL_VALUES and has_three_axes(node.function.parameters.value.final_source.values.get(None)):
            feature = f"the {kind} of {node.name!r} was given as a class, so its value has an additional axis in some executions"
            raise self.refuse(feature, f"give an instance, {kind}(...)")

    def afferents(self, port: Any) -> list[Any]:
        """The Projections to a port that count in this Composition."""
        active = [*(port.path_afferents if is_input(port) else ()), *port.mod_afferents]
        return [projection for projection in active if self.is_active(projection) and signal_of(projection).owner not in self.without]

    def is_active(self, projection: Any) -> bool:
        """True if a Projection belongs to this Composition, or is its controller's."""
        receiver = projection.receiver
        return receiver.owner in self.mechanisms and receiver.afferents_info[projection].is_active_in_composition(self.composition)

    # Edges

    def projections_to(self, node: Any, layer: dict[Any, int]) -> None:
        """The Projections that bring values to a node, port by port in PsyNeuLink's order."""
        ports = node.input_CIM.input_ports if node in self.imported.inner else node.input_ports
        for port in ports:
            for projection in port.path_afferents:
                if not projection.receiver.afferents_info[projection].is_active_in_composition(self.composition):
                    continue
                found = self.imported.sender(projection.sender)
                if found is None:
                    if projection.sender.owner is self.composition.input_CIM:
                        self.shadow(projection, port)
                        continue
                    raise self.refuse(f"the Projection {projection.name!r} has a sender outside of it", "add its sender to the Composition")
                received = self.imported.receiver(port)
                assert received is not None
                self.projection(projection, found, received, layer)

    def shadow(self, projection: Any, port: Any) -> None:
        """A Projection from the input CIM to a port that shadows another one; one that brings the input of the port itself is none."""
        pairs = self.composition.input_CIM_ports
        if pairs.get(port, (None, None))[1] is projection.sender:
            return
        shadowed = next((one for one, (_, outer) in pairs.items() if outer is projection.sender), None)
        found, received = (None if one is None else self.imported.receiver(one) for one in (shadowed, port))
        if found is None or received is None:
            raise self.refuse(f"{port.owner.name!r} shadows a port that is not an input of one of its nodes", "run it in PsyNeuLink")
        written = self.imported.written.get(received[0])
        name = received[1].name if written is None else written.separate.get(projection, received[1].name)
        self.model.shadow(found[1], Port(received[1].owner, name))

    def projection(self, projection: Any, sent: tuple[Any, Port], received: tuple[Any, Port], layer: dict[Any, int]) -> None:
        """One Projection, with its matrix."""
        sender, source = sent
        receiver, target = received
        kind = type(projection).__name__
        if kind not in ("MappingProjection", "ProxyProjection", "MaskedMappingProjection", "AutoAssociativeProjection"):
            raise self.refuse(f"the Projection {projection.name!r} is a {kind}", "use a MappingProjection")
        function = projection.function
        if type(function).__name__ not in ("MatrixTransform", "Identity", "Linear"):
            raise self.refuse(f"the Projection {projection.name!r} has the function {type(function).__name__}", "use a matrix")
        if type(function).__name__ != "MatrixTransform" and not self.reader.is_identity(function):
            raise self.refuse(f"the Projection {projection.name!r} has a Linear function that changes values", "use a matrix")
        # PsyNeuLink does not activate a ControlProjection to a matrix, which is then without effect.
        acting = [one for port in projection.parameter_ports for one in port.mod_afferents]
        acting = [one for one in acting if one.sender.owner not in self.without and type(one).__name__ != "LearningProjection"]
        if any(one.receiver.afferents_info[one].is_active_in_composition(self.composition) for one in acting):
            raise self.refuse(f"the matrix of the Projection {projection.name!r} is modulated", "run it in PsyNeuLink")
        written = self.imported.written.get(receiver)
        if written is not None and projection in written.separate:
            target = Port(target.owner, written.separate[projection])
        matrix = None if projection in self.learned else matrix_in_force(projection, self.reader, self.refuse)
        recurrent = kind == "AutoAssociativeProjection"
        feedback = not recurrent and self.is_feedback(sender, receiver, layer)
        shown = entering(self.imported, receiver, projection)
        for end in (target,) if shown is None else (target, shown):
            if matrix is not None and kind != "MaskedMappingProjection":
                path = f"{source.owner.name}:{source.name}->{end.owner.name}:{end.name}/matrix"
                self.imported.matrices[path] = None if path in self.imported.matrices else projection
            self.model.project(source, end, matrix=matrix, recurrent=recurrent, feedback=feedback)

    def learning_of(self, node: Any, ports: LearningPorts) -> None:
        """The changes and the matrices that go between a node and those with which it learns."""
        handles, written = self.imported.nodes, self.imported.written

        def carry(sender: Any, output: str, target: str) -> None:
            self.model.project(Port(handles[sender], output), Port(handles[node], target), feedback=True)

        for projection, name in ports.arriving_changes.items():
            signal = self.learned[projection].signal.sender
            carry(signal.owner, written[signal.owner].ports[signal], name)
        for projection, name in (*ports.arriving_matrices.items(), *ports.before.items()):
            mechanism = self.learned[projection].mechanism
            carry(mechanism, written[mechanism].learning.sums[projection], name)
        for projection, name in ports.error_matrices.items():
            receiver = projection.receiver.owner
            carry(receiver, written[receiver].learning.used[projection], name)

    def is_feedback(self, sender: Any, receiver: Any, layer: dict[Any, int]) -> bool:
        """True if a Projection does not count for the order: it leads back, or to a node of the same layer that is in no cycle with it."""
        if self.aside in (sender, receiver):
            return True
        if layer.get(sender, 0) != layer.get(receiver, 0) or sender is receiver:
            return layer.get(sender, 0) > layer.get(receiver, 0)
        reached, waiting = {receiver}, [receiver]
        while waiting:
            for follower in self.followers(waiting.pop()):
                if follower not in reached and layer.get(follower) == layer.get(sender):
                    reached.add(follower)
                    waiting.append(follower)
        return sender not in reached

    def followers(self, node: Any) -> list[Any]:
        """The nodes that hear a node."""
        ports = node.output_CIM.output_ports if node in self.imported.inner else node.output_ports
        owners = [projection.receiver.owner for port in ports for projection in port.efferents]
        return [getattr(owner, "composition", owner) if owner not in self.composition.nodes else owner for owner in owners]

    def modulations_of(self, node: Any, layer: dict[Any, int]) -> None:
        """Adds the modulations by other nodes of the parameters and ports of a Mechanism, or to those in a nested Composition."""
        if node in self.imported.inner:
            for port in node.parameter_CIM.input_ports:
                for projection in port.path_afferents:
                    if self.is_from_here(projection):
                        self.modulate(projection)
                        found, shown = self.imported.sender(projection.sender), entering(self.imported, node, projection)
                        if found is not None and shown is not None:
                            self.model.project(found[1], shown, feedback=True)
            return
        for port in (*node.parameter_ports, *node.input_ports, *node.output_ports):
            for projection in port.mod_afferents:
                if self.is_active(projection) and self.is_from_here(projection):
                    vector = self.imported.written[node].vectors.get(projection)
                    if vector is None:
                        self.modulate(projection)
                    else:
                        self.gate(projection, vector, layer)

    def is_from_here(self, projection: Any) -> bool:
        """True if a modulation comes from a node of this Composition; those from its controller, or from outside, are added elsewhere."""
        sender = projection.sender.owner
        if sender is not self.aside and sender in (self.composition.controller, self.composition.parameter_CIM):
            return False
        if self.imported.sender(projection.sender) is None:
            if projection.receiver.afferents_info[projection].is_active_in_composition(self.composition):
                raise self.refuse(
                    f"{projection.receiver.owner.name!r} is modulated from outside of it", "put its ControlMechanism into the Composition"
                )
            return False
        return True

    def gate(self, projection: Any, name: str, layer: dict[Any, int]) -> None:
        """A modulation by a vector, which the node takes as an input."""
        found = self.imported.sender(projection.sender)
        assert found is not None
        receiver = projection.receiver.owner
        target = Port(self.imported.nodes[receiver], name)
        self.model.project(found[1], target, feedback=self.is_feedback(found[0], receiver, layer))

    def modulate(self, projection: Any) -> None:
        """One modulation by a node."""
        if not hasattr(projection.sender, "modulation"):
            raise self.refuse(f"{projection.sender.owner.name!r} modulates without a ModulatorySignal", "use a ControlMechanism")
        found = self.imported.sender(projection.sender)
        assert found is not None
        size = self.model.port(found[1], "out", "modulate", user_place())[1].size
        if size != 1:
            raise self.refuse(
                f"{projection.sender.owner.name!r} modulates {projection.receiver.name!r} with {size} numbers", "give its signal one number"
            )
        for target, how in self.imported.gates_of(projection):
            self.model.modulate(found[1], target, how)
        owner = projection.receiver.owner
        if owner in self.imported.written and projection in self.imported.written[owner].separate:
            shown = Port(self.imported.nodes[owner], self.imported.written[owner].separate[projection])
            self.model.project(found[1], shown, feedback=True)  # whether it leads back, the modulation itself says

    def inputs_and_outputs(self) -> None:
        """Adds the inputs of a trial and the outputs that make up its result, in the order of the CIMs."""
        composition = self.composition
        by_input = sorted(composition.input_CIM_ports.items(), key=lambda item: composition.input_CIM.input_ports.index(item[1][0]))
        for port, _ in by_input:
            found = self.imported.receiver(port)
            if found is None:
                raise self.refuse(f"its input {port.full_name} belongs to no node of it", "run it in PsyNeuLink")
            self.model.input(found[1])
        by_output = outputs_of(composition)
        for port, _ in by_output:
            found = self.imported.sender(port)
            if found is None:
                raise self.refuse(f"its output {port.full_name} belongs to no node of it", "run it in PsyNeuLink")
            self.model.output(found[1])
        self.model.description.has_inputs, self.model.description.has_outputs = bool(by_input), bool(by_output)
        self.imported.input_names = dict(zip((port for port, _ in by_input), self.model.interface("in"), strict=True))
        self.imported.output_names = dict(zip((port for port, _ in by_output), self.model.interface("out"), strict=True))

    # Time

    def schedule(self) -> None:
        """Conditions of nodes, terminations, and when Mechanisms are reset."""
        composition, schedule, reader = self.composition, self.model.schedule, self.conditions()
        given = composition.scheduler.conditions.conditions_basic
        for node, handle in self.imported.nodes.items():
            if given.get(node) is not None and node is not self.aside:
                schedule.when(handle, reader.read(given[node], f"{OF_NODE} {node.name!r}", node))
        ends = {scale.name.lower(): condition for scale, condition in composition.termination_processing.items()}
        for name in ("trial", "environment_state_update"):
            if name in ends and not _is(ends[name], "AllHaveRun"):
                schedule.trial_ends(reader.read(ends[name], ENDS_TRIAL))
        for name in ("run", "environment_sequence"):
            if name in ends and not _is(ends[name], "Never"):
                schedule.run_ends(reader.read(ends[name], ENDS_RUN))
        self.resets(reader)
        self.imported.counted = [condition for held in reader.counted.values() for condition in held]

    def resets(self, reader: ConditionReader) -> None:
        """When Mechanisms are reset, or begin to count anew; and what the schedule counts for those who look at it afterwards."""
        counted = self.seen_counts()
        for node, written in self.imported.written.items():
            if node is self.aside:
                continue
            if written.in_force:
                why = "it is reset to a modulated value"
                check_not_read_early(self.composition, node.output_ports, written.in_force.values(), why, "leave the modulation out")
            if written.counting_ports and self.reader.is_reset(node):
                why = "it is reset, and has OutputPorts that take counts of executions"
                check_not_read_early(self.composition, written.counting_ports, (), why, "leave these OutputPorts out")
            handle = self.imported.nodes[node]
            assert isinstance(handle, Node)
            of: Node | State = handle
            if self.reader.is_reset(node):
                self.check_counted(node, written)
                check_reset(self.composition, node, self.reader)
                if is_asked_if_finished(self.composition, node):
                    reader.assume(partial(check_start, node))
                condition = reader.read(node.reset_stateful_function_when, f"{RESET} {node.name!r}")
            elif "executions_in_trial" in written.states:
                of, condition = handle.state("executions_in_trial"), conditions.AtTrialStart()
            elif counted is not None:
                of, condition = handle.state(written.kept[0]), conditions.Never()
            else:
                continue
            condition = condition if counted is None else conditions.Any(condition, counted)
            counted = None
            keeps = [*kept_states(node, written), *(Port(handle, name) for name in kept_ports(node, written))]
            self.model.schedule.reset(of, condition, keeps=keeps if of is handle else ())
        if counted is not None:
            raise self.refuse("it has no Mechanism of its own, but conditions that read values", "run it in PsyNeuLink")

    def check_counted(self, node: Any, written: WrittenNode) -> None:
        """Refuses a Mechanism whose executions in a trial cannot be told: several in each of several calls, and no count of them all."""
        repeats = written.finishes and self.reader.get(node, "execute_until_finished")
        if self.observed and repeats and "executions_in_trial" not in written.states and not runs_once(self.composition):
            raise self.refuse(
                f"{node.name!r} executes until it has finished, perhaps several times in a trial, and is not reset at the start of a trial",
                "reset it with AtTrialStart()",
            )

    def conditions(self) -> ConditionReader:
        """The reader of the conditions of this Composition."""
        reader = ConditionReader(
            self.composition,
            self.reader,
            self.node_of,
            lambda node: node in self.imported.written and self.imported.written[node].finishes,
            lambda node, scale: self.imported.written[node].state_that_counts(scale) if node in self.imported.written else None,
        )
        reader.functions, reader.asked, reader.assumed = self.imported.predicates, self.imported.asked, self.imported.assumed
        return reader

    def seen_counts(self) -> conditions.Condition | None:
        """
        A condition that never holds and mentions all counts that PsyNeuLink's scheduler keeps, so that the model keeps them, too; None
        where they can be found without it, since no condition looks at values.
        """
        composition = self.composition
        asked = [*composition.scheduler.conditions.conditions_basic.values(), *composition.termination_processing.values()]
        if not self.observed or not any(map(asks_for_values, asked)):
            return None
        parts: list[conditions.Condition] = []
        parts += [conditions.AfterNPasses(NEVER, TimeScale.LIFE), conditions.AfterNTimeSteps(NEVER, TimeScale.LIFE)]
        for handle in (handle for node, handle in self.imported.nodes.items() if node is not self.aside):
            parts += [conditions.AfterNCalls(handle, NEVER, scale) for scale in (TimeScale.PASS, TimeScale.TRIAL, TimeScale.LIFE)]
        return conditions.All(*parts)

    def node_of(self, node: Any) -> Node | Instance:
        """The node that stands for a Mechanism or nested Composition."""
        if node not in self.imported.nodes or node is self.aside:
            raise self.refuse(f"a condition names {node.name!r}, which is not one of its nodes", "name a node of this Composition")
        return self.imported.nodes[node]

    def check_order(self) -> None:
        """The order in which cogir considers the nodes must be PsyNeuLink's."""
        names = {node: handle.name for node, handle in self.imported.nodes.items()}
        wanted = [sorted(names[node] for node in layer if node in names) for layer in self.composition.scheduler.consideration_queue]
        found = [sorted(layer) for layer in considered(self.model)]
        if [layer for layer in wanted if layer] != found:
            raise self.refuse(
                f"its nodes are considered in the order {wanted}, but cogir orders them differently ({found})", "run it in PsyNeuLink"
            )


def has_three_axes(value: Any) -> bool:
    """True if a value is an array of three or more axes, or a list of arrays of two."""
    return isinstance(value, list | np.ndarray) and all(np.ndim(one) > 1 for one in cast("list[Any]", value))


def considered(model: Model) -> list[list[str]]:
    """The layers of a model's nodes, as its schedule considers them."""
    receivers = {name: projection.record.target.owner for name, projection in model.named_projections.items()}
    projections = [(one.source.owner, one.target.owner) for one in model.projections if not one.feedback]
    modulations = [(one.source.owner, receivers.get(one.target.owner, one.target.owner)) for one in model.modulations]
    visited = [name for name in model.nodes if name not in model.description.schedule.asides]
    return [list(layer) for layer in layers_of(dependencies_of(visited, projections, modulations))]


def imported(
    composition: Any,
    execution_id: Any = None,
    *,
    observed: bool = False,
    without: Container[Any] = (),
    survey: Survey | None = None,
    learns: bool = False,
    computes_targets: bool = False,
) -> Imported:
    """
    A Composition as a model, with the record of where things have gone.

    `execution_id`: the execution context whose values are read (default: the Composition's own). `observed`: all values of Mechanisms
    can be read as ports. `without`: nodes that are left out, with what they modulate. `survey`: of the Composition, since PsyNeuLink
    has last analyzed its graph. `learns`: it is to learn as in PsyNeuLink's Python mode. `computes_targets`: nodes that only learning
    executes, such as targets, are computed, too; without it they show zeros, as a run does not execute them.
    Raises UnsupportedFeature for what cogir does not compile.
    """
    wanted = composition.default_execution_id if execution_id is None else execution_id
    if survey is None:
        analyze(composition)
        survey = Survey(composition)
    reader = Reader(wanted)
    reads: Reads = []
    try:
        with understood(partial(UnsupportedFeature, f"Composition {composition.name!r}")):
            check_genuine(survey)
            with recorded_reads() as reads:
                found = CompositionImporter(survey, reader, observed, without, learns, computes_targets).read()
                check_read(survey, reader, reads, without)
    finally:  # a refusal, too, depends on what was read
        for read in reads:
            note_read(*read)
    return found


def analyze(composition: Any) -> None:
    """Has a Composition find out about its inputs and outputs, if it has not run yet; as a run does it, which leaves no trace in logs."""
    analyze_graph(composition, new_context(None))


def is_input(port: Any) -> bool:
    """True if a port is an InputPort; PsyNeuLink's other ports refuse to be asked for what is sent to them."""
    return any(kind.__name__ == "InputPort" for kind in type(port).__mro__)


def _is(condition: Any, name: str) -> bool:
    return type(condition).__name__ == name and not condition.args


__all__ = ["imported"]
