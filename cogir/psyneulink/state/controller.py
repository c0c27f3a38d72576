"""
A Composition's controller and its compiled mirror: what a search starts from, and what it leaves behind.

PsyNeuLink leaves the choice of a search in the OptimizationControlMechanism, in its ControlSignals with their costs, and in its
GridSearch; what the ports of the controller show is what the last search saw.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Container, Iterator, Mapping
from typing import Any

import numpy as np

from cogir.psyneulink.importer.controller import EstimateSeeds, enabled_costs, monitors_nothing
from cogir.psyneulink.importer.search_levels import is_drawn, levels_of
from cogir.psyneulink.importer.state_features import active_afferents, entering, inputs_of, state_features
from cogir.psyneulink.pnl import array_of, new_context, owner_of, raw_value, sample_iterator, set_seed_counter, value_of_source
from cogir.psyneulink.reader import Reader
from cogir.psyneulink.state.bindings import OtherShape
from cogir.psyneulink.state.lazy_values import look_up
from cogir.psyneulink.state.previous_values import LastRun
from cogir.runtime.context import NativeContext
from cogir.runtime.plan import Floats, PlanSlot


def show_parameter_port(port: Any, key: Any, is_modulated: bool = False) -> None:
    """Puts into a ParameterPort the Parameter's own value, which is its variable, and its value where nothing modulates it."""
    value = value_of_source(port.source, new_context(key))
    if not isinstance(value, int | float | np.ndarray):
        return
    if isinstance(value, bool):  # of which PsyNeuLink makes no array
        port.parameters.variable.values[key] = value
    else:
        show_or_share(port.parameters.variable.values, key, value)
    if not is_modulated:
        is_matrix = port.name == "matrix" and hasattr(port.owner, "sender")
        shown = np.array(value, ndmin=2 if is_matrix else 1)
        show_in_place(port.parameters.value.values, key, shown)
        if is_matrix and np.array(value).ndim == 1:  # the bias of a GRU after PyTorch's learning, of which an execution makes a row
            own = port.owner.parameters.matrix  # it holds values beside those of its source
            for parameter in (own, own.final_source, port.function.parameters.previous_value.final_source):
                parameter.values[key] = shown.copy()


def show_in_place(values: Any, key: Any, shown: np.ndarray[Any, Any]) -> None:
    """Puts numbers where PsyNeuLink writes them into the array that it holds, which keeps its dtype if it can hold them."""
    held: Any = values.get(key, values.get(None))
    values[key] = shown.astype(np.asarray(held).dtype) if can_be_written(shown, held) else shown


def show_or_share(values: Any, key: Any, value: Any) -> None:
    """
    The same for the value of another Parameter. Where it cannot be written into the array that is held, PsyNeuLink holds the value itself
    from then on: the two are one array, and change together when a script sets one of them.
    """
    held: Any = values.get(key, values.get(None))
    if held is value:
        return
    if can_be_written(np.asarray(value), held) or not isinstance(value, np.ndarray):
        show_in_place(values, key, np.array(value))
    else:
        values[key] = value


def can_be_written(shown: np.ndarray[Any, Any], held: Any) -> bool:
    """True if PsyNeuLink writes numbers into the array that it holds, and does not replace that."""
    return np.shape(held) == shown.shape and np.can_cast(shown.dtype, np.asarray(held).dtype, "same_kind")


def show_recurrent_matrix(projection: Any, matrix: np.ndarray[Any, Any], key: Any) -> None:
    """Puts back the matrix in force, for which a script may have set another; a Mechanism makes it of its diagonal and the rest."""
    shared = projection.parameters.matrix  # with values of its own, which PsyNeuLink's getter does not read
    shared.values[key] = matrix.copy()
    shared.final_source.values[key] = matrix
    parameters = owner_of(shared.final_source)
    if hasattr(parameters, "auto") and hasattr(parameters, "hetero"):
        diagonal = np.diagonal(matrix).copy()
        parameters.auto.values[key] = diagonal
        parameters.hetero.values[key] = matrix - np.diag(diagonal)


def passed_by(projection: Any, apart: Container[Any] = ()) -> Iterator[tuple[Any, Any]]:
    """
    The Parameters that show what a modulatory Projection brings, also through the parameter CIMs of nested Compositions, and for each the
    Mechanism that is executed with it; `apart`: further Projections that are not followed.
    """
    port = projection.receiver
    yield projection.parameters.value, port.owner
    if type(port.owner).__name__ == "CompositionInterfaceMechanism" and len(port.path_afferents) == 1:
        outer = [ends[1] for ends in port.owner.composition.parameter_CIM_ports.values() if ends[0] is port]
        yield port.parameters.variable, port.owner
        yield port.parameters.value, port.owner
        for one in outer:
            yield one.parameters.value, port.owner
            for further in one.efferents:
                if further not in apart:
                    yield from passed_by(further, apart)


def shape_of_one(parameter: Any) -> tuple[int, ...]:
    """The shape in which a Parameter holds one number."""
    shape = np.shape(parameter.values.get(None))
    return shape if shape and int(np.prod(shape)) == 1 else (1,)


def acts_always(composition: Any) -> bool:
    """True if the controller of a Composition has no condition."""
    return type(composition.controller_condition).__name__ == "Always"


class SignalMirror:
    """A ControlSignal and its slots."""

    def __init__(self, signal: Any, context: NativeContext, controller: str, key: Any):
        slots, function = context.plan.slots, signal.function
        self.signal = signal
        self.key = key
        self.in_force = slots[f"{controller}/signal:{signal.name}"]
        self.in_force_before = slots[f"{controller}/found:before:{signal.name}"]
        self.summed = slots.get(f"{controller}/duration:{signal.name}")
        self.before = self.chosen = self.asked = 0.0
        self.enabled = enabled_costs(function, Reader(key))
        self.duration = function.duration_cost_fct if "duration" in self.enabled else None
        transfer = function.transfer_fct.parameters
        of = signal.parameters
        self.copied: list[dict[Any, Any]] = [of.value.final_source.values]
        if self.duration is not None:
            self.copied.append(self.duration.parameters.previous_value.final_source.values)
        shown = [of.variable, of.value]
        if self.enabled:  # PsyNeuLink does not call a function that returns what it is given
            shown += [
                function.parameters.variable,
                function.parameters.value,
                function.parameters.intensity,
                transfer.variable,
                transfer.value,
            ]
        self.shown: list[dict[Any, Any]] = [parameter.final_source.values for parameter in shown]

    def copy_in(self, context: NativeContext) -> None:
        """The value in force, and the sum of its costs."""
        context.sf[self.in_force.offset] = np.asarray(self.signal.parameters.value.values[self.key], float).item()
        self.asked = np.asarray(self.signal.parameters.variable.values[self.key], float).item()
        if self.duration is not None and self.summed is not None:
            context.sf[self.summed.offset] = np.asarray(self.duration.parameters.previous_value.values[self.key], float).item()

    def copy_out(self, context: NativeContext, *, is_first: bool) -> None:
        """Writes the values of PsyNeuLink's signal after the last search; `is_first`: it is the first one since values were copied in."""
        key, parameters = self.key, self.signal.function.parameters
        before = self.before = context.sf[self.in_force_before.offset].item()
        if not is_first:
            self.asked = before
        chosen = self.chosen = context.sf[self.in_force.offset].item()
        for values in self.shown:
            values[key] = np.array([chosen])
        # from it PsyNeuLink computes the adjustment anew when somebody asks for the costs
        self.signal.parameters.value.history[key] = deque([np.array([before])], maxlen=1)
        costs: list[np.ndarray[Any, Any]] = []
        for kind in self.enabled:
            function = getattr(self.signal.function, f"{kind}_cost_fct")
            if kind == "duration":
                assert self.summed is not None
                argument, cost = chosen, context.sf[self.summed.offset].item()
                function.parameters.previous_value.values[key] = np.array([cost])
            else:
                argument = chosen if kind == "intensity" else abs(chosen - before)
                cost = cost_at(function, argument, key)
            function.parameters.variable.values[key] = np.array([argument])
            function.parameters.value.values[key] = np.array([cost])
            getattr(parameters, f"{kind}_cost").final_source.values[key] = np.array([cost])
            costs.append(np.array([cost]))
        if costs:
            combine = self.signal.function.combine_costs_fct.parameters
            combine.variable.values[key] = np.array(costs)
            combined = np.concatenate(costs)
            combine.value.values[key] = combined
            parameters.combined_costs.final_source.values[key] = combined.copy()


def updates_input_ports(mechanism: Any) -> bool:
    """True if PsyNeuLink updates the InputPorts of a Mechanism that executes, which it does for all or for none."""
    return any(port.path_afferents or port.default_input is not None for port in mechanism.input_ports)


def search_space_of(search: Any) -> list[Any]:
    """The axes of the grid that a GridSearch goes through, as PsyNeuLink's SampleIterators."""
    return look_up(search.parameters.search_space.final_source.values, None)


class Levels:
    """The levels of one axis of a search space, which may have been changed since the last run."""

    def __init__(self, search: Any, axis: int, slot: PlanSlot):
        self.search, self.axis, self.slot = search, axis, slot

    def copy_in(self, context: NativeContext) -> None:
        """The present levels; there must be as many as there were."""
        axis = search_space_of(self.search)[self.axis]
        if is_drawn(axis) or len(levels := levels_of(axis)) != self.slot.size:
            raise OtherShape
        context.pf[self.slot.words] = levels


class SeedsMirror(EstimateSeeds):
    """The seeds of a controller's estimates and their slots."""

    def __init__(self, controller: Any, slot: PlanSlot):
        super().__init__(controller)
        self.slot = slot
        self.renewed = not bool(controller.parameters.same_seed_for_all_allocations.get())

    def copy_in(self, context: NativeContext) -> None:
        """The seeds of the search to come."""
        first = self.first()
        if first is None or (self.renewed and self.following() != self.after(first)):
            raise OtherShape
        context.si[self.slot.offset] = first

    def copy_out(self, context: NativeContext) -> None:
        """Gives PsyNeuLink the seeds that its next search would have, and the number from which it makes further ones."""
        if self.renewed:
            space = self.controller.function.parameters.search_space.final_source.values[None]
            first = int(context.si[self.slot.offset])
            space[self.axis] = sample_iterator(self.at(first))
            set_seed_counter(self.controller, self.after(first) // self.step)


def cost_at(function: Any, argument: float, key: Any) -> float:
    """An Exponential or Linear cost function, as PsyNeuLink computes it."""

    def number(name: str) -> float:
        parameter = getattr(function.parameters, name).final_source
        return np.asarray(parameter.values.get(key, parameter.values.get(None)), float).item()

    if type(function).__name__ == "Exponential":
        power = np.e ** (number("rate") * argument + number("bias"))
    else:
        power = number("slope") * argument + number("intercept")
    return float(number("scale") * power + number("offset"))


class ControllerMirror:
    """A controller and its slots."""

    def __init__(self, composition: Any, name: str, context: NativeContext, key: Any, arrived: Mapping[Any, list[PlanSlot]]):
        """`name`: the path of the controller in the compiled model; `arrived`: what state features that are computed were given."""
        self.context = context
        self.controller = controller = composition.controller
        self.is_after = str(composition.controller_mode) == "after"
        self.key = key
        slots = context.plan.slots
        self.found = {what: slots[f"{name}/found:{what}"] for what in ("value", "outcome", "searches")}
        self.values = slots.get(f"{name}/values")
        self.signals = [SignalMirror(signal, context, name, key) for signal in controller.control_signals]
        self.in_force = [signal.in_force.offset for signal in self.signals]
        places = {port: slots[f"{name}/found:input:{index}"] for index, port in enumerate(inputs_of(composition))}
        shown = [(port, entering(composition, receiver)) for port, receiver, spec in state_features(controller) if hasattr(spec, "owner")]
        self.features = [(port, places[entered], arrived.get(port, [places[entered]])) for port, entered in shown]
        self.levels = [
            Levels(controller.function, axis, slot)
            for axis, signal in enumerate(controller.control_signals)
            if (slot := slots.get(f"{name}/levels:{signal.name}")) is not None
        ]
        seeds = slots.get(f"{name}/seeds:first")
        self.seeds = None if seeds is None else SeedsMirror(controller, seeds)
        self.searches = 0
        """The number of searches of which PsyNeuLink's Parameters show the last."""
        self.copied = [values for signal in self.signals for values in signal.copied]
        self.copied.append(controller.function.parameters.search_space.final_source.values)
        """The values of Parameters that are copied in."""

    def copy_in(self) -> None:
        """Copies in the values with which the first search of a run starts."""
        for signal in self.signals:
            signal.copy_in(self.context)
        self.copy_in_levels()
        if self.seeds is not None:
            self.seeds.copy_in(self.context)
        self.searches = self.context.si[self.found["searches"].offset].item()

    def copy_in_levels(self) -> None:
        """The levels of the search, which a script may change where no Parameter tells."""
        for levels in self.levels:
            levels.copy_in(self.context)

    def end(self) -> None:
        """Some trials are over: puts into the controller itself what the last search has left."""
        buffer, offset = self.context.sf, self.found["searches"].offset
        if self.context.si[offset] != self.searches:
            self.controller.optimal_control_allocation = buffer[self.in_force]
            self.controller.optimal_net_outcome = np.float64(buffer[self.found["value"].offset])

    def copy_out(self, last: LastRun, is_executed: Callable[[Any], bool]) -> None:
        """
        Writes into Parameters what the last search has left, if there was one, and what Projections brought in the last trial;
        `is_executed`: true for a Mechanism that has been executed since values were written last.
        """
        context, key, controller = self.context, self.key, self.controller
        for signal, used in zip(self.signals, self.in_last_trial(last), strict=True):
            for projection in signal.signal.efferents:
                for parameter in (parameter for parameter, mechanism in passed_by(projection) if is_executed(mechanism)):
                    parameter.values[key] = np.full(shape_of_one(parameter), used)
        searches = context.si[self.found["searches"].offset].item()
        made = searches - self.searches
        if made == 0:
            return
        self.searches = searches
        for signal in self.signals:
            signal.copy_out(context, is_first=made == 1)
        if self.seeds is not None:
            self.seeds.copy_out(context)
            controller.function.parameters.num_estimates.values[key] = np.array(self.seeds.count)
        self.count(int(made))
        chosen = np.array([signal.chosen for signal in self.signals])
        started_from = np.array([[signal.asked] for signal in self.signals])
        for signal in self.signals:
            signal.asked = signal.chosen
        parameters, search = controller.parameters, controller.function.parameters
        parameters.value.values[key] = chosen.reshape(-1, 1)
        for held in (parameters.variable, parameters.control_allocation, search.variable):
            held.values[key] = started_from.copy()
        optimum = np.float64(context.sf[self.found["value"].offset])
        samples, values = self.saved()
        sample = chosen.astype(np.result_type(*self.axes()))  # whole numbers where all samples are
        search.value.values[key] = (sample, optimum, samples, values)
        self.show_ports()

    def in_last_trial(self, last: LastRun) -> Floats:
        """
        The values of the signals in the last trial, after which a search may have changed them; as if all they modulate ran in it
        (docs/psyneulink_guide.md, known differences).
        """
        buffer, offset = self.context.sf, self.found["searches"].offset
        now = buffer[self.in_force]
        searches = self.context.si[offset] - last.saved[1][offset]
        if not self.is_after or not searches:
            return now
        before = buffer[[signal.in_force_before.offset for signal in self.signals]]
        is_after_each = searches == last.trials or acts_always(self.controller.composition)
        return before if is_after_each or np.array_equal(before, now) else last.before_last[self.in_force]

    def count(self, searches: int) -> None:
        """The executions of the controller, which PsyNeuLink counts from its construction on, since it is no node."""
        parameters = self.controller.parameters
        time = parameters.num_executions.values[self.key]
        for scale in ("life", "environment_sequence", "environment_state_update", "pass_", "consideration_set_execution"):
            setattr(time, scale, getattr(time, scale) + searches)
        parameters.num_executions.values[None] = time
        parameters.num_executions_before_finished.values[self.key] = np.array(1)
        parameters.execution_count.values[None] = np.array(int(parameters.execution_count.values[None]) + searches)
        for port in self.controller.parameter_ports:
            show_parameter_port(port, self.key)

    def axes(self) -> list[np.ndarray[Any, Any]]:
        """The samples of each axis of the grid, as PsyNeuLink has them."""
        return [np.asarray(axis.generator or axis()) for axis in search_space_of(self.controller.function)]

    def saved(self) -> tuple[Any, Any]:
        """The samples and the net outcomes of the grid, as far as PsyNeuLink saves them; they are written where it keeps them."""
        function, parameters = self.controller.function, self.controller.parameters
        samples: Any = []
        values: Any = []
        if function.parameters.save_samples.values[self.key]:
            axes = self.axes()
            if self.seeds is not None:  # of all estimates of a point, the first stands for it
                axes[self.seeds.axis] = np.array([self.signals[self.seeds.axis].chosen])
            samples = np.array(np.meshgrid(*axes, indexing="ij")).reshape(len(axes), -1)
            parameters.saved_samples.values[self.key] = function.parameters.saved_samples.values[self.key] = samples
        if function.parameters.save_values.values[self.key] and self.values is not None:
            values = self.context.sf[self.values.words].reshape(1, -1).copy()
            parameters.saved_values.values[self.key] = function.parameters.saved_values.values[self.key] = values
        return samples, values

    def show_ports(self) -> None:
        """Writes the values of input ports: the outcome before the search, and the inputs of the trial."""
        buffer = self.context.sf
        outcome = buffer[self.found["outcome"].words]
        for port in self.controller.outcome_input_ports:
            if not monitors_nothing(self.controller):
                self.show(port, outcome, [outcome])
            elif updates_input_ports(self.controller):  # else PsyNeuLink gives it its default value, which it has
                port.parameters.value.values[self.key] = None
        for port, slot, arrived in self.features:
            self.show(port, buffer[slot.words], [buffer[each.words] for each in arrived])
        raw_value(self.controller.parameters.state_feature_values, new_context(self.key))  # which keeps what it finds

    def show(self, port: Any, value: np.ndarray[Any, Any], arrived: list[np.ndarray[Any, Any]]) -> None:
        """An InputPort with this value, and the Projections to it with what each has brought."""
        shape = np.shape(port.parameters.value.values.get(None))  # integrators of one port give values of one row
        value = value.reshape(shape) if value.size == int(np.prod(shape)) else value
        port.parameters.value.values[self.key] = value.copy()
        port.parameters.variable.values[self.key] = array_of(arrived)
        port.function.parameters.value.values[self.key] = value.copy()
        port.function.parameters.variable.values[self.key] = array_of(arrived)
        for projection, brought in zip(active_afferents(self.controller.composition, port), arrived, strict=True):
            for parameters in (projection.parameters, projection.function.parameters):
                if brought.shape == np.shape(projection.defaults.variable):  # of other senders, PsyNeuLink overwrites the variable unread
                    parameters.variable.values[self.key] = brought.copy()
                parameters.value.values[self.key] = brought.copy()
