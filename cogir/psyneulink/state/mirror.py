"""
The mirror of a Composition: the values of its Parameters, copied into the compiled model before a run and out of it afterwards.

    copy_in     Parameters, states, generators   ->  buffers of the compiled model (all of them, or, if no Parameter has been used since
                                                     the last run, only what can change in place)
    begin       counts and clock, a snapshot     ->  the model runs its trials; `undo` restores the snapshot if they fail
    end         generators, counts, clock        ->  PsyNeuLink, at once, since they change in place
    copy_out    values of ports, states, ...     ->  PsyNeuLink, when a Parameter is used (`lazy_values`)

PsyNeuLink changes arrays in place, so that a changed value may be in the same object; copying costs less than comparing.
"""

from __future__ import annotations

from collections.abc import Generator as Generates
from collections.abc import Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np

from cogir.psyneulink.functions.table import counterpart
from cogir.psyneulink.importer.imported import Imported
from cogir.psyneulink.importer.impossible_draws import Bounded
from cogir.psyneulink.importer.learned_matrices import LearningPorts, is_recurrent, signals_of
from cogir.psyneulink.importer.mechanism_record import RESET, ExecutionsCounted, Memory, WrittenNode
from cogir.psyneulink.importer.outer_axes import full_shape, has_outer_axis
from cogir.psyneulink.importer.projections import matrix_of
from cogir.psyneulink.importer.resets import starting_states
from cogir.psyneulink.importer.seeds import draws_without_context
from cogir.psyneulink.importer.state_features import outputs_of
from cogir.psyneulink.pnl import array_of
from cogir.psyneulink.reader import Reader
from cogir.psyneulink.state.bindings import (
    Binding,
    BoundInputs,
    Generator,
    OtherShape,
    Shape,
    ShownValue,
    ShownValues,
    guard,
    rows_of,
    shape_left,
    shape_of,
)
from cogir.psyneulink.state.contexts import Executed
from cogir.psyneulink.state.controller import ControllerMirror, passed_by, show_parameter_port, show_recurrent_matrix
from cogir.psyneulink.state.executed_components import is_executed
from cogir.psyneulink.state.executions import ExecutionCount, ExecutionTimeline, StateBuffers, begin_counts
from cogir.psyneulink.state.finished import has_finished
from cogir.psyneulink.state.lazy_values import PENDING
from cogir.psyneulink.state.learned_matrices import matrix_port, show_learned_matrix
from cogir.psyneulink.state.limit_warnings import Limits
from cogir.psyneulink.state.logged_values import LogConditions
from cogir.psyneulink.state.logs import Logs, NoRoom
from cogir.psyneulink.state.previous_values import LastRun, Run, is_kept
from cogir.psyneulink.state.simulation_counts import SimulatedCounts
from cogir.psyneulink.state.simulation_results import RecordedResults
from cogir.psyneulink.state.snapshots import Snapshot
from cogir.runtime.context import NativeContext
from cogir.runtime.plan import Floats, PlanSlot, Words


@dataclass
class UpdatedParts:
    """The ParameterPorts and Projections that each execution of a Mechanism updates, along with the values that the model has."""

    count: int
    """The place of the count of executions."""
    ports: list[tuple[Any, bool]]
    """Each port, of the Mechanism and of the Projections to it, and whether something modulates it, so that the model shows its value."""
    learned: Sequence[Any] = ()
    """Those of matrices that learning changes, which are no parameters of the model."""
    replaced: list[tuple[Any, list[Any]]] = field(default_factory=list[tuple[Any, "list[Any]"]])
    """Parameters of the functions of modulated ports, and the Projections whose product stands in their place."""
    recurrent: list[tuple[Any, Any]] = field(default_factory=list[tuple[Any, Any]])
    """Recurrent Projections, and the matrix of each that PsyNeuLink computes with and puts back into it."""
    words: bytes = b""
    """The model's parameters when the ports were shown last."""
    before: float = 0.0
    """The count before the trials that are shown next."""

    def show(self, words: bytes, key: Any) -> None:
        """Puts values and variables into the ports of a Mechanism that was executed with these parameters, and into its Projections."""
        for projection, held in self.recurrent:
            show_recurrent_matrix(projection, np.array(held.values.get(key, held.values.get(None))), key)
        for parameter, projections in self.replaced:
            values = [projection.parameters.value.values.get(key) for projection in projections]
            if not any(value is None for value in values):
                parameter.values[key] = np.array(np.prod(values, axis=0 if any(np.size(value) > 1 for value in values) else None))
        for port, is_modulated in self.ports:
            if words != self.words or port in self.learned or not self.is_shown(port, key):
                show_parameter_port(port, key, is_modulated)
        self.words = words

    @staticmethod
    def is_shown(port: Any, key: Any) -> bool:
        """True if a port shows its Parameter, of which no word has changed: a seed has none, and the same number may be of another kind."""
        source, variable = port.source, port.parameters.variable
        held = np.asarray(source.values.get(key) if hasattr(source, "values") else None)
        shown = np.asarray(variable.values.get(key))
        return source.name != "seed" and (held.shape, held.dtype) == (shown.shape, shown.dtype)


class Mirror:
    """A Composition in one execution context, and the context of its compiled model."""

    def __init__(
        self,
        imported: Imported,
        context: NativeContext,
        execution_id: Any,
        parts: frozenset[int],
        run: Run,
        noted: Sequence[str],
        log_conditions: LogConditions,
    ):
        """`parts`: the identities of all components; `run`: runs the compiled trials; `noted`: the ports that the model notes, for logs."""
        self.run = run
        self.context = context
        self.parts = parts
        self.key = execution_id
        self.composition = imported.composition
        self.generators: list[Generator] = []
        self.memories: list[tuple[Memory, dict[str, PlanSlot]]] = []
        self.controllers: list[ControllerMirror] = []
        self.recorded: list[RecordedResults] = []
        self.counts: list[ExecutionCount] = []
        self.counted_by: list[tuple[ExecutionsCounted, int]] = []
        """Counts of executions that OutputPorts take, and the states that hold them."""
        self.learnable: list[tuple[Any, UpdatedParts | None]] = []
        """Projections whose matrices are learned, and, in a run without learning, what tells of the executions of the receiver."""
        self.bounded: list[Bounded] = []
        """Parameters of distributions with which nothing can be drawn below 0."""
        self.parameter_interfaces: list[Any] = []
        self.kept_apart = {projection for written in imported.written.values() for projection in written.learning.sums}
        """The Projections whose matrices LearningMechanisms keep."""
        self.through: dict[Any, PlanSlot] = {}
        """The slots of the ports by which a nested Composition is entered and left."""
        self.updated: dict[Any, UpdatedParts] = {}
        """For a Mechanism: what its executions update."""
        self.carried: list[tuple[Any, Any]] = []
        """Recurrent Projections and the matrices that learning carries on for them, while links are collected."""
        self.put_back: list[tuple[Any, int]] = []
        """Mechanisms that are reset, and where it stands whether they were since they were executed."""
        self.entered: dict[Any, ShownValues] = {}
        """For a nested Composition: what shows the modulations in it, which each of its trials updates."""
        self.called: set[Any] = set()
        """The Compositions that have run since values were written last."""
        self.finishing: list[tuple[Any, PlanSlot, PlanSlot]] = []
        self.asked: list[tuple[Any, PlanSlot]] = []
        """Mechanisms of which a condition asks whether they have finished, and where that stands."""
        self.crossings: list[tuple[Any, int]] = []
        """Ports by which a nested Composition is entered or left, and where it is kept whether PsyNeuLink spreads what is NaN there."""
        self._parameters: list[Binding] = []
        self._states: list[Binding] = []
        self._shown: list[ShownValue] = []
        self._count: int | None = None
        self._resets = False
        """True where the Mechanism that shows something is reset, so that the value before the present one is not known."""
        self._width = context.plan.size("sf")
        self.collect(imported, "")
        self.inputs(imported.composition)
        self.timeline = ExecutionTimeline(imported, self.counts, execution_id, context)
        self.simulated = [SimulatedCounts(self.timeline, each) for each in self.controllers]
        self.counted = [*(count.component for count in self.counts), *(one.controller for one in self.controllers)]
        """The components whose executions are counted: Mechanisms, then controllers that search."""
        self.count_places: Words = np.array([count.offset for count in self.counts], np.int64)
        self.search_places: Words = np.array([one.found["searches"].offset for one in self.controllers], np.int64)
        self.logs = Logs(imported, self.timeline, execution_id, context.plan, noted, log_conditions)
        self.limits = Limits(imported, context.plan, execution_id)
        self.epoch = -1
        """The epoch of `PENDING` in which model and Parameters have equal values, up to pending ones; -1 if there is none."""
        self.copied_epoch = -1
        """The epoch in which values were last copied in."""
        self.writes_at_once = False
        """True if not all Parameters are observed, so that values are written at the end of each run."""
        self.inputs_of_last: Floats = np.zeros((0, 0))
        """The inputs of the last trials, which `saved` precedes."""
        self.trials = 0
        """The number of these trials."""
        self.ends = 0
        """The number of trials that have ended."""
        self.run_begins = self.counts_begin = False
        """True if the next trials are the first of a run, and if executions are counted from zero with them."""
        self.parameters, self.states, self.shown = (
            BoundInputs(self._parameters),
            BoundInputs(self._states),
            ShownValues(self._shown, self.key, len(context.sf)),
        )
        self.saved, self.spare = Snapshot(context), Snapshot(context)
        self.can_be_in_step = not self.memories and all(controller.seeds is None for controller in self.controllers)
        """True if everything that is copied in and out is in Parameters, which are observed."""
        self.copied = {id(link.values) for link in (*self._parameters, *self._states, *self.generators)}
        self.copied |= {id(values) for controller in self.controllers for values in controller.copied}
        self.copied |= {id(parameter.values) for memory, _ in self.memories for parameter in memory.held()}
        """The Parameters whose values are copied in, by the identity of their `values`."""

    # Bindings

    def collect(self, imported: Imported, prefix: str) -> None:
        """The links of all nodes, those of nested Compositions too."""
        slots = self.context.plan.slots
        for component, written in imported.written.items():
            if component not in imported.idle:
                self.node(component, written, f"{prefix}{imported.nodes[component].name}")
        for projection, carried in self.carried:  # by LearningMechanisms, which may come before the receivers
            self.updated[projection.receiver.owner].recurrent.append((projection, carried))
        self.carried.clear()
        for path, projection in imported.matrices.items():
            slot = slots.get(prefix + path)
            if projection is not None and slot is not None:
                held = matrix_of(projection)
                if held is not projection.parameters.matrix.final_source and is_recurrent(projection):
                    self.updated[projection.receiver.owner].recurrent.append((projection, held))
                self._parameters.append(self.link(held, slot, is_state=False))
        if prefix:
            self.parameter_interfaces.append(imported.composition.parameter_CIM)
        self.crossings += [(port, slots[f"{prefix}{node.name}/state:was_spread"].offset) for port, node in imported.crossings]
        self.modulations(imported, prefix)
        controller = None if imported.control is None else self.control(imported, prefix)
        for composition, inner in imported.inner.items():
            self.collect(inner, f"{prefix}{imported.nodes[composition].name}/")
        self.interfaces(imported, prefix)
        if controller is not None and imported.control is not None and f"{prefix}{imported.control.name}/record:rows" in slots:
            ports = [outer for _, outer in outputs_of(imported.composition)]
            found = [self.through[port] for port in ports]
            self.recorded.append(RecordedResults(controller, f"{prefix}{imported.control.name}", self.context.plan, ports, found))

    def node(self, component: Any, written: WrittenNode, path: str) -> None:
        """The links of one Mechanism."""
        slots = self.context.plan.slots
        is_reset = Reader(self.key).is_reset(component)
        self._count = None if is_reset else slots[f"{path}/state:{written.kept[0]}"].offset  # a reset changes values, and counts nothing
        self.functions(component, written, path)
        for port, name in written.ports.items():
            if port in component.output_ports:
                link = self.link(port.parameters.value, slots[f"{path}/port:{name}"])
                self._states.append(link)
                shape = (link.slot.size,) if is_signal(port) else shape_of_output(port, link.slot, link.shape)
                self.show(port.parameters.value, [link.slot], shape, dtype=written.types.get(port, float))
        for name, (owner, parameter) in written.observed_of.items():
            source = getattr(owner.parameters, parameter).final_source
            link = self.link(source, slots[f"{path}/port:{name}"])
            self._states.append(link)
            self.show(source, [link.slot], link.shape)
        self.observed(component, written, path)
        self.learning(written.learning, path)

    def learning(self, ports: LearningPorts, path: str) -> None:
        """The links of learned matrices: the one that the receiver has used last, and the one that the next execution begins with."""
        for projection, name in ports.used.items():
            slot = self.context.plan.slots[f"{path}/port:{name}"]
            if is_recurrent(projection) and projection in self.kept_apart:
                shown = [
                    parameter for port in own_matrix_ports(projection) for parameter in (port.parameters.value, port.parameters.variable)
                ]
            else:
                self.learnable.append((projection, None))
                shown = [projection.parameters.matrix.final_source]
                shown += [] if projection in self.kept_apart else [matrix_port(projection).parameters.value]
            self._states += [self.link(parameter, slot) for parameter in shown[:1]]
            for parameter in shown:
                self.show(parameter, [slot], np.shape(parameter.values.get(None)))
        for projection, name in ports.sums.items():
            slot = self.context.plan.slots[f"{path}/port:{name}"]
            carried = matrix_port(projection).function.parameters.previous_value.final_source
            self._states.append(self.link(carried, slot))
            for parameter in (carried, matrix_port(projection).parameters.value):
                self.show(parameter, [slot], np.shape(parameter.values.get(None)))
            if is_recurrent(projection):
                self.carried.append((projection, carried))
                self.learnable.append((projection, None))

    def shown_apart(self, written: WrittenNode) -> list[Any]:
        """The ParameterPorts of a Mechanism that show the matrix of a recurrent Projection before it has learned."""
        recurrent = [one for one in written.learning.used if is_recurrent(one) and one in self.kept_apart]
        return [port for projection in recurrent for port in own_matrix_ports(projection)]

    def functions(self, component: Any, written: WrittenNode, path: str) -> None:
        """The links of what a node computes with: parameters, states and generators."""
        slots = self.context.plan.slots
        self.counted_by += [(counted, slots[f"{path}/state:{name}"].offset) for name, counted in written.counted_by.items()]
        for source, name in written.parameters.items():
            slot = slots.get(f"{path}/param:{name}")
            if slot is not None and not isinstance(source, tuple):
                self._parameters.append(self.link(source, slot, is_state=False))
        for name, (excludes_zero, message) in written.bounded.items():
            if (slot := slots.get(f"{path}/param:{name}")) is not None:
                self.bounded.append(Bounded(component, slot.words, excludes_zero, message))
        for name, (function, parameter) in written.state_of.items():
            source = getattr(function.parameters, parameter).final_source
            link = self.link(source, slots[f"{path}/state:{name}"])
            self._states.append(link)
            base = shape_left(function, parameter, link)
            shape = base if int(np.prod(base)) == link.slot.size else link.shape
            self.show(source, [link.slot], shape)
            guard(link, function, parameter, shape)
        for name, signal in written.in_force.items():
            self._states.append(self.link(signal.parameters.value, slots[f"{path}/state:{name}"]))
        for memory in written.memories:
            self.memories.append((memory, {name: slots[f"{path}/state:{state}"] for name, state in memory.states.items()}))
        for name, (function, parameter) in written.random_of.items():
            source = getattr(function.parameters, parameter).final_source
            generator = f"{path}/random:{name}"
            used = slots[f"{path}/state:{written.used_seeds[name]}"] if name in written.used_seeds else None
            key = None if draws_without_context(function) else self.key
            self.generators.append(Generator(source, slots[generator], key, generator, used))

    def observed(self, component: Any, written: WrittenNode, path: str) -> None:
        """The values that ports of the model show."""
        slots = self.context.plan.slots
        values = [slots[f"{path}/port:{name}"] for name in written.values]
        at = slots[f"{path}/state:{written.kept[0]}"].offset
        whole = [None if index in written.whole_numbers else slot.shape or (1,) for index, slot in enumerate(values)]
        shapes = whole if written.whole_numbers or any(len(slot.shape) > 1 for slot in values) else None
        self.rows(component.parameters.value, values, items_of(component, values, shapes))
        for function, shown in written.function_values.items():
            found = [slots[f"{path}/port:{name}"] for name in shown.names]
            shape = shape_of_whole(component, function) if shown.whole else rows_of(shown.shapes)
            if shape is not None and int(np.prod(shape)) != sum(slot.size for slot in found):
                shape = shown.shapes[0] if shown.whole else None
            if shown.is_tuple:
                self.show(function.parameters.value, found, None, shown.shapes, is_tuple=True)
                continue
            if function is component.function:
                self.show(function.parameters.value, found, shape, whole if shapes else ())
                continue
            with self.of_executions(at):
                self.show(function.parameters.value, found, shape)
                self.show(component.parameters.integrator_function_value, found, shape)
        with self.of_executions(at):
            self.arriving(component, written, path)
        shown = {id(owner) for owner, _ in written.observed_of.values()}
        count = ExecutionCount(component, at, finishes=written.finishes, counted=written.counted)
        whole_ports = {id(owner) for owner, parameter in written.observed_of.values() if parameter == "variable"}
        own = [port for port in component.parameter_ports if id(port) not in whole_ports and port not in self.shown_apart(written)]
        ports = [(port, id(port) in shown) for port in own]
        mapping = [projection for projection in written.arrived if hasattr(projection.parameters, "matrix")]
        ports += [
            (port, projection in written.learning.used or modulates(port) or (is_recurrent(projection) and bool(port.mod_afferents)))
            for projection in mapping
            for port in projection.parameter_ports
            if id(port) not in whole_ports
        ]
        known = [one for one in mapping if one not in written.learning.used and signals_of(one) and not is_recurrent(one)]
        ports = [each for each in ports if each[0].owner not in known and is_executed(each[0], Reader(self.key))]
        learned = [port for port, _ in ports if port.owner in written.learning.used]
        replaced = [(getattr(port.function.parameters, name).final_source, through) for (port, name), through in written.replaced.items()]
        updated = self.updated[component] = UpdatedParts(count.offset, ports, learned, replaced)
        if RESET in written.states:
            self.put_back.append((component, slots[f"{path}/state:{RESET}"].offset))
        self.learnable += [(projection, updated) for projection in known]
        self.counts.append(count)
        if (slot := slots.get(f"{path}/state:executions_in_trial")) is not None:
            count.in_trial = slot.offset
        if written.finishes:
            if Reader(self.key).get(component, "execute_until_finished"):
                count.in_call = slots[f"{path}/state:{written.kept[1]}"].offset
            since, finished = (slots[f"{path}/state:{name}"] for name in written.kept[1:3])
            self.finishing.append((component, since, finished))
        if (slot := slots.get(f"{path}/finished")) is not None:
            self.asked.append((component, slot))

    def arriving(self, component: Any, written: WrittenNode, path: str) -> None:
        """The links of what arrives at a Mechanism: its variable, its InputPorts, and the Projections to it."""
        slots = self.context.plan.slots
        variables = [slots[f"{path}/port:{name}"] for name in written.variables]
        in_variable = written.in_variable or range(len(variables))
        self.rows_of_ports(component.parameters.variable, {component.input_ports[index]: variables[index] for index in in_variable})
        for port, slot in zip(component.input_ports, variables, strict=True):
            self.show(port.parameters.value, [slot], np.shape(port.parameters.value.values.get(None)))
            found = [slots[f"{path}/port:{written.arrived[one]}"] for one in port.path_afferents if one in written.arrived]
            if found and port.default_input is None and is_executed(port, Reader(self.key)):
                self.rows(port.parameters.variable, found, outer_shapes([port] * len(found), found))
        for projection, name in written.arrived.items():
            if projection in self.kept_apart and is_recurrent(projection):
                continue  # its LearningMechanism executes it once more
            slot, shape = slots[f"{path}/port:{name}"], np.shape(projection.parameters.value.values.get(None))
            self.show(projection.parameters.value, [slot], (slot.size,) if is_signal(projection.sender) else shape)

    @contextmanager
    def of_executions(self, count: int) -> Generates[None]:
        """
        What is shown in the block is assigned by executions alone, of which this is the place of the count; resets leave it as it is.
        """
        before, self._count = self._count, count
        self._resets = before is None
        try:
            yield
        finally:
            self._count, self._resets = before, False

    def modulations(self, imported: Imported, prefix: str) -> None:
        """Binds modulations in a nested Composition, with their values when it ran last."""
        deeper = {projection for inner in imported.inner.values() for projection in inner.arrived}
        cim = imported.composition.parameter_CIM
        of_nodes, self._shown = self._shown, []
        for projection in (one for port in cim.input_ports for one in port.path_afferents if one in imported.arrived):
            link = self.arrived(imported, projection, prefix)
            for parameter, mechanism in passed_by(projection, deeper):
                self._count = self.updated[mechanism].count if mechanism in self.updated else None
                self.show(parameter, [link.slot], np.shape(parameter.values.get(None)))
        self.entered[imported.composition] = ShownValues(self._shown, self.key, len(self.context.sf))
        self._shown, self._count = of_nodes, None

    def control(self, imported: Imported, prefix: str) -> ControllerMirror:
        """The controller of a Composition, and its state features that have functions."""
        assert imported.control is not None
        path, slots = f"{prefix}{imported.control.name}", self.context.plan.slots
        arrived: dict[Any, list[PlanSlot]] = {}
        for port, feature in imported.features.items():
            at = f"{prefix}{feature.node.name}"
            arrived[port] = [slots[f"{at}/port:{name}"] for name in feature.arrived]
            self._count = slots[f"{at}/state:{feature.written.kept[0]}"].offset
            self.functions(imported.composition.controller, feature.written, at)
        controller = ControllerMirror(imported.composition, path, self.context, self.key, arrived)
        self.controllers.append(controller)
        if (slot := slots.get(f"{path}/random:ties")) is not None:
            source = imported.composition.controller.function.parameters.random_state.final_source
            self.generators.append(Generator(source, slot, self.key, slot.path))
        return controller

    def link(self, parameter: Any, slot: PlanSlot, *, is_state: bool = True) -> Binding:
        """The link of a Parameter; a state of a context that has no value of its own yet gets a copy of the one it starts from."""
        values = parameter.values
        if values.get(self.key, values.get(None)) is None:
            return Binding(values, slot, slot.shape, self.key, unset=True)
        if is_state and self.key not in values:
            values[self.key] = np.array(values.get(None), float, copy=True)
        return Binding(values, slot, shape_of(values.get(self.key, values.get(None))), self.key, keeps_shape=not is_state)

    def show(
        self,
        parameter: Any,
        slots: Sequence[PlanSlot],
        shape: tuple[int, ...] | None,
        rows: Sequence[Shape] = (),
        is_tuple: bool = False,
        dtype: Any = float,
    ) -> None:
        """
        Lets a Parameter show these slots after a run; `rows`: the shapes of its rows, where these differ; `is_tuple`: of a tuple; `dtype`:
        the type of its numbers.
        """
        self.show_words(parameter, [np.arange(slot.offset, slot.offset + slot.size) for slot in slots], shape, rows, is_tuple, dtype)

    def show_words(
        self,
        parameter: Any,
        places: list[Words],
        shape: tuple[int, ...] | None,
        rows: Sequence[Shape] = (),
        is_tuple: bool = False,
        dtype: Any = float,
    ) -> None:
        """Lets a Parameter show words of the state buffer, or of the inputs, which come after it."""
        size = sum(map(len, places))
        if shape is not None and int(np.prod(shape)) != size:
            shape = (size,)
        keeps = is_kept(parameter, self.composition) and parameter.history_max_length == 1 and not self._resets
        self._shown.append(ShownValue(parameter.values, parameter.history, places, shape, self._count, keeps, rows, is_tuple, dtype))

    def rows(self, parameter: Any, slots: Sequence[PlanSlot], shapes: Sequence[Shape] | None = None) -> None:
        """Lets a Parameter show a row for each slot, of these shapes, or else of those of the slots."""
        rows = [shape if shape is None else shape or (1,) for shape in shapes or [slot.shape for slot in slots]]
        self.show(parameter, slots, rows_of(rows), rows if shapes else ())

    def rows_of_ports(self, parameter: Any, slots: Mapping[Any, PlanSlot]) -> None:
        """Lets a Parameter show a row for each InputPort, as it is in PsyNeuLink."""
        self.rows(parameter, list(slots.values()), outer_shapes(list(slots), list(slots.values())))

    def inputs(self, composition: Any) -> None:
        """Binds the input CIM of the outermost Composition to the inputs of the last trial."""
        plan = self.context.plan
        self._count = None
        cim = composition.input_CIM
        slots = [plan.slots[f"in:{name}"] for name in plan.inputs]
        places = [np.arange(slot.offset, slot.offset + slot.size) + self._width for slot in slots]
        shapes = [full_shape(port, slot.size, slot.shape or (1,)) for port, slot in zip(cim.input_ports, slots, strict=True)]
        shape, rows = rows_of(shapes), shapes if any(map(has_outer_axis, cim.input_ports)) else ()
        for parameter in (cim.parameters.value, cim.parameters.variable, cim.function.parameters.value):
            self.show_words(parameter, places, shape if places else np.shape(parameter.values.get(None)), rows)
        for port, place in zip((*cim.input_ports, *cim.output_ports), (*places, *places), strict=True):
            for one in (port, *(passing(port) if port in cim.output_ports else ())):
                self.show_words(one.parameters.value, [place], np.shape(one.parameters.value.values.get(None)))
        for port, place, shape in zip(cim.input_ports, places, shapes, strict=True):
            self.show_words(port.parameters.variable, [place], rows_of([shape]))

    def interfaces(self, imported: Imported, prefix: str) -> None:
        """Binds the CIMs of a Composition to the nodes before or after them; the input CIM only if it is nested."""
        slots = self.context.plan.slots
        composition = imported.composition
        self._count = None
        entered = [(composition.input_CIM, composition.input_CIM_ports)] if prefix else []
        for cim, pairs in (*entered, (composition.output_CIM, composition.output_CIM_ports)):
            rows: dict[Any, tuple[PlanSlot, tuple[int, ...]]] = {}
            for port, ends in cast("dict[Any, Any]", pairs).items():
                is_input = cim is composition.input_CIM
                written = imported.written.get(port.owner)
                if written is None:
                    slot = self.through[port]
                else:
                    entered = [written.arrived[one] for one in port.path_afferents if one.sender is ends[1]] if is_input else []
                    slot = slots[f"{prefix}{imported.nodes[port.owner].name}/port:{entered[0] if is_input else written.ports[port]}"]
                if is_input:  # a nested Composition that does not run keeps what it was given before
                    self._states.append(self.link(ends[0].parameters.value, slot))
                self.through[ends[0 if is_input else 1]] = slot
                rows[ends[0]] = slot, full_shape(port, slot.size, slot.shape) if is_input else shape_of_output(port, slot, slot.shape)
                projections = [*ends[0].path_afferents] * (len(ends[0].path_afferents) == 1)
                projections += passing(ends[1]) if is_input else ()
                brought = [slot]
                if several := [arrived for arrived in ends[0].path_afferents if arrived in imported.arrived]:
                    links = [self.arrived(imported, arrived, prefix) for arrived in several]
                    for arrived, link in zip(several, links, strict=True):
                        self.show(arrived.parameters.value, [link.slot], link.shape)
                    brought = [link.slot for link in links]
                shapes = [rows[ends[0]][1]] if brought == [slot] else outer_shapes([ends[0]] * len(brought), brought)
                self.rows(ends[0].parameters.variable, brought, shapes)
                for one in (*ends, *projections):
                    self.show(one.parameters.value, [slot], np.shape(one.parameters.value.values.get(None)))
            if len(rows) == len(cim.input_ports):
                for parameter in (cim.parameters.value, cim.parameters.variable, cim.function.parameters.value):
                    shown = [rows[port] for port in cim.input_ports]
                    if shown:
                        self.rows(parameter, [slot for slot, _ in shown], [shape for _, shape in shown])
                    else:
                        self.show(parameter, [], np.shape(parameter.values.get(None)))

    def arrived(self, imported: Imported, projection: Any, prefix: str) -> Binding:
        """Binds the value of a Projection into a nested Composition, which keeps it when it does not run."""
        node, _ = imported.arrived[projection]
        link = self.link(projection.parameters.value, self.context.plan.slots[f"{prefix}{node.name}/port:value"])
        self._states.append(link)
        return link

    # A run

    @property
    def is_in_step(self) -> bool:
        """True if no Parameter has been used since the last run."""
        return self.epoch == PENDING.epoch and not PENDING.others_pending(self)

    def take_in(self, call_begins: bool) -> None:
        """`copy_in`, and what is logged; raises `NotNoted` where the model does not note what it should."""
        self.copy_in(call_begins)
        self.logs.refresh()

    def copy_in(self, call_begins: bool) -> None:
        """Copies values from PsyNeuLink into the model; `call_begins`: no trial of the call of `run` or `execute` has run."""
        context = self.context
        if not context.started and context.start is not None:
            context.start(context)
        if self.is_in_step:
            self.parameters.copy_in_views(context.pf)
            self.check_bounded()
            for generator in self.generators:
                generator.copy_in(context)
            for controller in self.controllers:
                controller.copy_in_levels()
            self.copied_epoch = self.epoch
            return
        PENDING.flush()
        self.parameters.copy_in(context.pf)
        self.check_bounded()
        self.states.copy_in(context.sf)
        for generator in self.generators:
            generator.copy_in(context, call_begins)
        for memory, slots in self.memories:
            function = next(iter(memory.counterpart.inputs.values())).owner
            now = counterpart(function, self.key, variable=memory.variable)
            if any(place.rows is not None and now.states[place.rows] < place.shape[0] for place in now.outputs.values()):
                raise OtherShape  # its value, which has a row for each
            for name, value in now.states.items():
                context.sf[slots[name].words] = np.ravel(value)
        for component, since, finished in self.finishing:
            parameters = component.parameters
            context.sf[since.offset] = float(parameters.num_executions_before_finished.values.get(self.key, 0))
            context.sf[finished.offset] = float(bool(parameters.is_finished_flag.values.get(self.key, True)))
        for component, slot in self.asked:
            getattr(context, slot.buffer)[slot.offset] = has_finished(component, self.key)
        for controller in self.controllers:
            controller.copy_in()
        self.parameters.find_views()
        self.writes_at_once = not (all(one.tells for one in (self.shown, *self.entered.values())) and self.can_be_in_step)
        self.copied_epoch = PENDING.watch()

    def check_bounded(self) -> None:
        """Refuses a run in which nothing can be drawn with what a script has set."""
        for each in self.bounded:
            each.check(self.context.pf)

    def spread(self) -> Any:
        """The first nested port whose infinite or NaN elements PsyNeuLink's identity matrix would have turned into more NaN, or None."""
        return next((port for port, place in self.crossings if self.context.sf[place] != 0.0), None)

    def begin(self, run_begins: bool, counts_begin: bool) -> None:
        """Saves the state before some trials, which may be the first of a run, and with which counts of executions may begin at zero."""
        context = self.context
        if self.epoch != self.copied_epoch or not self.timeline.is_regular:
            with PENDING.unobserved():
                self.timeline.begin(context, run_begins)
        self.copy_in_counts(counts_begin)
        self.logs.begin(context.sf, context.si)
        for each in self.recorded:
            each.begin(context.si)
        self.epoch = -1  # until the trials have ended well
        if self not in PENDING.pending:
            self.shown.begin(context.sf)
            self.called.clear()
            for entered in self.entered.values():
                entered.begin(context.sf)
            for updated in self.updated.values():
                updated.before = context.sf[updated.count]
            for _, was_reset in self.put_back:
                context.sf[was_reset] = 0.0
        self.spare.save()
        self.saved, self.spare = self.spare, self.saved
        context.is_copied(self.saved.copy)
        self.run_begins, self.counts_begin = run_begins, counts_begin

    def copy_in_counts(self, counts_begin: bool) -> None:
        """Copies in the counts of executions that OutputPorts take; those of a run begin with its first trials."""
        with PENDING.unobserved():
            for counted, place in self.counted_by:
                begins = counts_begin and counted.is_of_run and counted.mechanism in self.composition.nodes
                self.context.sf[place] = 0.0 if begins else counted.now(self.key)

    def executed(self) -> Executed:
        """The counted components that the last trials have executed."""
        before, now = self.saved, self.context
        return np.concatenate(
            (now.sf[self.count_places] != before.sf[self.count_places], now.si[self.search_places] != before.si[self.search_places])
        )

    @property
    def at_a_time(self) -> int | None:
        """The largest number of trials between two copies out, where logs or records need them; None for any number."""
        rooms = [self.logs.at_a_time, *(each.room for each in self.recorded)]
        return min((room for room in rooms if room is not None), default=None)

    def no_room(self) -> NoRoom | None:
        """The error to raise if the trials have made more entries than the model has room for."""
        si = self.context.si
        record = max((each.rows.size for each in self.recorded if each.lacks_room(si)), default=0)
        return NoRoom(record) if record or self.logs.lacks_room(si) else None

    def at_limit(self, out: Floats) -> list[str]:
        """The warnings of PsyNeuLink in the trials that have just been run, with these outputs."""
        return self.limits.reached(out)

    def undo(self) -> None:
        """Restores the state before trials that have failed."""
        self.saved.put_back()
        self.saved, self.spare = self.spare, self.saved

    def end(self, rows: Floats, trials: int) -> None:
        """Copies out, after some trials with these inputs, what changes in place; other values become pending."""
        context = self.context
        self.ends += 1
        is_undisturbed = PENDING.epoch == self.copied_epoch
        with PENDING.unobserved():
            self.count(trials)
        for generator in self.generators:
            generator.copy_out(context)
        for each in self.recorded:
            each.keep(context.sf, context.si)
        if trials:
            for controller in self.controllers:
                controller.end()
            self.inputs_of_last, self.trials = rows, trials
            PENDING.pending[self] = Mirror.copy_out
            if self.writes_at_once or self.logs:
                PENDING.flush_one(self)
            self.logs.record(context.sf, context.si)
        else:
            self.saved, self.spare = self.spare, self.saved
        epoch = PENDING.watch()
        self.epoch = epoch if self.can_be_in_step and is_undisturbed else -1

    def count(self, trials: int) -> None:
        """Adds the executions of these trials to PsyNeuLink's counts and clock."""
        if self.counts_begin:
            begin_counts(self.composition, self.key)
        before, after = StateBuffers(self.saved.sf, self.saved.si), StateBuffers(self.context.sf, self.context.si)
        self.timeline.advance(before, after, trials, self.run_begins)
        self.called.update(composition for composition, times in self.timeline.called.items() if times)
        for each in self.simulated:
            each.advance(before, after)

    def end_run(self) -> None:
        """Advances clocks at the end of a run."""
        self.context.end_run()
        with PENDING.unobserved():
            self.timeline.end_run()

    def copy_out(self) -> None:
        """Writes the values that runs have left into PsyNeuLink, and the ones before these where PsyNeuLink keeps them."""
        buffer = self.context.sf
        last = LastRun(self.run, self.context, self.saved, self.inputs_of_last, self.trials)
        self.shown.show(buffer, last.row, last)
        for composition in self.called & self.entered.keys():
            self.entered[composition].show(buffer, last.row, last)
        for memory, slots in self.memories:
            states = {name: buffer[slot.words].reshape(slot.shape) for name, slot in slots.items()}
            for write in memory.counterpart.written(states):
                if write.parameter.startswith("_"):
                    setattr(write.owner, write.parameter, write.value)
                else:
                    source = getattr(write.owner.parameters, write.parameter).final_source
                    source.values[self.key if source.stateful else None] = write.value
        for component, since, finished in self.finishing:
            parameters = component.parameters
            parameters.num_executions_before_finished.values[self.key] = np.array(int(buffer[since.offset]))
            parameters.is_finished_flag.values[self.key] = bool(buffer[finished.offset])
        for controller in self.controllers:
            controller.copy_out(last, self.is_executed)
        self.derived()

    def derived(self) -> None:
        """Writes values that PsyNeuLink computes along with others and the model does not have: of Projections, and of ParameterPorts."""
        key = self.key
        for cim in (one for one in self.parameter_interfaces if one.composition in self.called):
            for parameter in (cim.parameters.variable, cim.parameters.value, cim.function.parameters.value):
                if len(cim.input_ports):
                    parameter.values[key] = array_of([port.parameters.value.values[key] for port in cim.input_ports])
            for _, port in cim.composition.parameter_CIM_ports.values():  # a port that is there without them is no ControlSignal
                port.function.parameters.intensity.values[key] = np.array(port.parameters.value.values[key])
        for projection, receiver in self.learnable:
            times = 0 if receiver is None else int(self.context.sf[receiver.count] - receiver.before)
            show_learned_matrix(projection, key, times)
        for mechanism, was_reset in self.put_back:
            if self.context.sf[was_reset] != 0.0:
                show_reset(mechanism, key)
        words, buffer = self.context.pf.tobytes(), self.context.sf
        for updated in self.updated.values():
            if buffer[updated.count] != updated.before:
                updated.show(words, key)

    def is_executed(self, mechanism: Any) -> bool:
        """True if a node, or an interface of a nested Composition, may have been executed since values were written last."""
        if (updated := self.updated.get(mechanism)) is not None:
            return bool(self.context.sf[updated.count] != updated.before)
        is_interface = type(mechanism).__name__ == "CompositionInterfaceMechanism"
        return not is_interface or mechanism.composition in self.called


def show_reset(mechanism: Any, key: Any) -> None:
    """Writes what PsyNeuLink's reset leaves as the value of an integrator of one state: that, with an axis for the states."""
    integrator = getattr(mechanism, "integrator_function", None)
    if integrator is not None and starting_states(integrator) == ["previous_value"] and not starting_states(mechanism.function):
        integrator.parameters.value.values[key] = np.array(integrator.parameters.previous_value.values.get(key))[np.newaxis]


def modulates(port: Any) -> bool:
    """True if something acts on a ParameterPort in a run without learning."""
    return any(type(one).__name__ != "LearningProjection" for one in port.mod_afferents)


def is_signal(port: Any) -> bool:
    """True if an OutputPort is a ControlSignal or a GatingSignal, whose value has one axis from its first execution on."""
    return hasattr(port, "modulation") and type(port).__name__ != "LearningSignal"


def own_matrix_ports(projection: Any) -> list[Any]:
    """The ParameterPort of the matrix of the Mechanism to which a recurrent Projection belongs, if it was given a matrix."""
    return [port for port in projection.receiver.owner.parameter_ports if port.name == "matrix"]


def shape_of_output(port: Any, slot: PlanSlot, otherwise: tuple[int, ...]) -> tuple[int, ...]:
    """
    The shape in which an execution leaves the value of an OutputPort: as it was made, which may have more axes than the model has, while a
    reset or learning may have left it with others; `otherwise` if it has another number of elements.
    """
    shape = np.shape(port.defaults.value)
    return shape if int(np.prod(shape)) == slot.size else otherwise


def outer_shapes(ports: Sequence[Any], slots: Sequence[PlanSlot]) -> list[Shape] | None:
    """The shapes of rows that InputPorts have or get, if some have outer axes of length one; else None, for those of the slots."""
    if not any(map(has_outer_axis, ports)):
        return None
    return [full_shape(port, slot.size, slot.shape) for port, slot in zip(ports, slots, strict=True)]


def shape_of_whole(component: Any, function: Any) -> tuple[int, ...]:
    """The shape of the value of a Function of a Mechanism: that of the Mechanism if its InputPorts have outer axes of length one."""
    has_axes = any(map(has_outer_axis, component.input_ports))
    return np.shape(component.defaults.value if has_axes else function.parameters.value.values.get(None))


def items_of(component: Any, slots: Sequence[PlanSlot], otherwise: Sequence[Shape] | None) -> Sequence[Shape] | None:
    """The shapes of the items of the value of a Mechanism, if its InputPorts have outer axes of length one, as these have."""
    if not any(map(has_outer_axis, component.input_ports)):
        return otherwise
    items = component.defaults.value  # a reset may have left the value of no context with other axes
    return [np.shape(item) if np.size(item) == slot.size else slot.shape for item, slot in zip(items, slots, strict=True)]


def passing(port: Any) -> list[Any]:
    """The Projections from a port of an input CIM that enter a nested Composition; what others bring, their receivers show."""
    return [one for one in port.efferents if type(one.receiver.owner).__name__ == "CompositionInterfaceMechanism"]
