"""
A Mechanism as one node function: its input ports, what it computes by its class, its output ports.

    ports of the Mechanism ──► variable ──► (integrator_function) ──► function ──► value, item by item ──► OutputPorts
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

import numpy as np

from cogir.frontend.builder.shapes import StillStream
from cogir.interpreters.flags import AT_LIMIT_STATE
from cogir.library.signature import Step, signature_of
from cogir.limits import NEVER
from cogir.psyneulink.functions.counterpart import Counterpart, ParameterPlace
from cogir.psyneulink.functions.noise import is_drawn, noise_alone
from cogir.psyneulink.functions.table import TABLE, counterpart
from cogir.psyneulink.functions.table_entry import FunctionReader
from cogir.psyneulink.importer.conditions import TRIAL_SCALES, is_trial_start
from cogir.psyneulink.importer.counts import executions, executions_before_finished, since_finished
from cogir.psyneulink.importer.impossible_draws import check_drawn_with
from cogir.psyneulink.importer.learned_matrices import LearnedMatrix, LearningPorts
from cogir.psyneulink.importer.learned_rows import learned_row
from cogir.psyneulink.importer.mechanism_record import RESET, Called, ExecutionsCounted, FunctionValue, Memory, WrittenNode
from cogir.psyneulink.importer.modulation import MechanismModulation
from cogir.psyneulink.importer.node_source import Body, Expression, Rows, as_vector, snake_case
from cogir.psyneulink.importer.projections import as_matrix, is_from_outside
from cogir.psyneulink.importer.python_functions import call_python
from cogir.psyneulink.importer.resets import failure_after_reset
from cogir.psyneulink.importer.seeds import follow_seed, ignore_unused_seeds
from cogir.psyneulink.pnl import component_of, variable_spec_of
from cogir.psyneulink.reader import Reader, UnsupportedFeature, holds_numbers, is_number, note_read, plain, vector

BY_ROWS = ("BinomialDistort", "CombineMeans", "SoftMax", "TransferWithCosts")
"""Functions that treat one row of numbers differently from a vector of them."""

OF_TUPLES = ("MatrixMemory",)
"""Functions that return a tuple, which PsyNeuLink makes no array of."""

NOT_NODES = ("CompositionInterfaceMechanism", "OptimizationControlMechanism")
"""Mechanisms that modulate from outside the nodes of a Composition."""


DDM_MODULE = "psyneulink.library.components.mechanisms.processing.integrator.ddm"
INPUT_IN_CHOICE = 3
"""The number of items that an OutputPort of a DDM takes if its input is one of them."""


class MechanismWriter:
    """Writes the node function of one Mechanism."""

    def __init__(
        self,
        mechanism: Any,
        reader: Reader,
        afferents: Callable[[Any], list[Any]],
        observed: bool,
        is_asked: bool = False,
        learned: Mapping[Any, LearnedMatrix] | None = None,
    ):
        """
        `afferents`: active Projections to a port; `observed`: all values become ports; `is_asked`: conditions ask if it has finished;
        `learned`: the matrices that the Composition learns, if it does.
        """
        self.observed, self.is_asked = observed, is_asked
        self.learned = learned or {}
        self.learning = LearningPorts()
        self.after: dict[Any, str] = {}
        self.matrices: dict[str, Expression] = {}  # the further outputs of a node that learns
        self.mechanism = mechanism
        self.reader = reader
        self.afferents = afferents
        self.body = Body(snake_case(type(mechanism).__name__))
        self.ports: dict[Any, str] = {}
        self.combine: dict[str, str] = {}
        self.separate: dict[Any, str] = {}
        self.arrived: dict[Any, Expression] = {}
        self.received: dict[Any, list[Expression]] = {}  # by InputPort, before its function
        self.parameters: dict[Any, str] = {}
        self.modulation = MechanismModulation(mechanism, reader, self.body, afferents)
        self.observed_of: dict[str, tuple[Any, str, Expression]] = {}
        self.state_of: dict[str, tuple[Any, str]] = {}
        self.random_of: dict[str, tuple[Any, str]] = {}
        self.used_seeds: dict[str, str] = {}
        self.failures: dict[str, str] = {}
        self.bounded: dict[str, tuple[bool, str]] = {}
        self.in_force: dict[str, Any] = {}
        self.own_functions: list[Callable[..., Any]] = []
        self.called: dict[Any, Called] = {}
        self.memories: list[Memory] = []
        self.whole_numbers: frozenset[int] = frozenset()
        self.measured: Expression | None = None  # what the Mechanism compares with its termination_threshold
        self.finished: str | None = None  # when it has finished
        self.counted: dict[str, ExecutionsCounted] = {}  # by state
        self.counting_ports: list[Any] = []
        self.types: dict[Any, Any] = {}  # of OutputPorts whose values are no floating-point numbers
        self.types_of_results: dict[str, Any] = {}
        self.port_of_parameter = {port.source: port for port in mechanism.parameter_ports if not callable(getattr(port, "source", None))}

    def refuse(self, feature: str, remedy: str) -> UnsupportedFeature:
        """The error about something in this Mechanism that cannot be compiled."""
        return UnsupportedFeature(f"{type(self.mechanism).__name__} {self.mechanism.name!r}", feature, remedy)

    # Ports

    def come_after(self, others: Sequence[Any]) -> None:
        """Gives the node an input from each of these, so that it is considered after them."""
        for other in others:
            start = np.zeros(np.shape(vector(other.output_ports[0].defaults.value)))
            self.after[other] = self.body.input(f"after {other.name}", start).text

    def input_ports(self) -> list[Expression]:
        """The value of each InputPort."""
        return [self.input_port(port) for port in self.mechanism.input_ports]

    def input_port(self, port: Any) -> Expression:
        """The value of an InputPort: what arrives, as its function combines it."""
        start = vector(port.defaults.value)
        arriving = [projection for projection in self.afferents(port) if projection in port.path_afferents]
        combination = port.function
        kind = type(combination).__name__
        if port.default_input is not None:
            return self.default_input(port, arriving, start)
        if kind == "LinearCombination" and (self.is_plain(combination) or self.modulation.changes(port)):
            held = self.combined(port, arriving, start)
        elif kind == "LinearCombination":
            held = self.call(combination, self.stacked(self.rows(port, arriving, start))).outputs[0]
            if np.size(held.value) != start.size:
                feature = f"the function of {port.name!r} gives {np.size(held.value)} elements, not {start.size}"
                raise self.refuse(feature, self.remedy_for_size(start.size))
        elif kind == "Identity":
            held = self.rows(port, arriving[:1], start)[0]
        else:
            if len(arriving) > 1:
                raise self.refuse(
                    f"several Projections to {port.name!r}, whose function is {kind}", "use LinearCombination, or a Mechanism before it"
                )
            arrived = self.rows(port, arriving, vector(port.defaults.variable))[0]
            held = as_vector(self.call(combination, arrived).outputs[0])
            if held.shape != start.shape:
                raise self.refuse(f"the function of {port.name!r} gives shape {held.shape}, not {start.shape}", "run it in PsyNeuLink")
        if self.modulation.changes(port):
            held = self.modulation.gated(port, held)
        return held

    def default_input(self, port: Any, arriving: list[Any], start: Any) -> Expression:
        """The default variable of an InputPort with `default_input`, which ignores its function and what Projections bring."""
        if arriving:
            self.rows(port, arriving, start)
        return self.body.param(port.name, vector(port.defaults.variable).reshape(start.shape))

    def combined(self, port: Any, arriving: list[Any], start: Any) -> Expression:
        """The sum or the product of what arrives; where it is not looked at one by one, the model makes it."""
        is_product = str(self.reader.get(port.function, "operation")) == "product"
        if self.observed and len(arriving) > 1:
            rows = self.rows(port, arriving, start)
            return self.body.bind("combined", (" * " if is_product else " + ").join(row.text for row in rows), rows[0].value)
        held = self.rows(port, arriving[:1], start)[0]
        if is_product:
            self.combine[held.text] = "product"
        return held

    def rows(self, port: Any, arriving: list[Any], start: Any) -> list[Expression]:
        """An input of the node for each Projection to an InputPort; a parameter where the Mechanism gets none."""
        if not any(one.path_afferents for one in self.mechanism.input_ports):  # PsyNeuLink then takes the Mechanism's default variable
            rows = [self.body.param(port.name, vector(self.mechanism.defaults.variable[self.mechanism.input_ports.index(port)]))]
        elif not arriving:
            raise self.refuse(
                f"its InputPort {port.name!r} receives no Projection, so its value is None", "add a Projection to it, or use default_input"
            )
        elif len(arriving) == 1:
            rows = [self.body.input(port.name, self.sent(arriving[0], start))]
        else:
            rows = [self.body.input(f"{port.name}_{index}", self.sent(one, start)) for index, one in enumerate(arriving)]
        self.ports[port] = rows[-1].text
        for index, (projection, row) in enumerate(zip(arriving, rows, strict=False)):
            self.separate[projection] = row.text
            if is_from_outside(projection):
                self.ports[port] = row.text
            if projection in self.learned:
                rows[index] = learned_row(self, self.learned[projection], row)
            self.arrived[projection] = rows[index]
        self.received[port] = rows
        return rows

    def sent(self, projection: Any, start: Any) -> Any:
        """The value that a Projection brings to the node: that of its sender if the node multiplies by the matrix, which is learned."""
        return np.zeros(len(as_matrix(projection.parameters.matrix.final_source.values.get(None)))) if projection in self.learned else start

    def is_plain(self, combination: Any) -> bool:
        """True if a LinearCombination only sums or multiplies."""
        return (
            self.reader.get(combination, "weights") is None
            and self.reader.get(combination, "exponents") is None
            and is_number(self.reader.get(combination, "scale"), 1.0)
            and is_number(self.reader.get(combination, "offset"), 0.0)
        )

    def stacked(self, rows: list[Expression]) -> Expression:
        """Vectors of one length as the rows of an array; one vector as it is."""
        if len(rows) == 1:
            return rows[0]
        if len({row.shape for row in rows}) != 1:
            ragged = np.empty(len(rows), object)
            ragged[:] = [row.value for row in rows]
            ends = ", ".join(row.text if len(row.shape) == 1 else f"{row.text}.ravel()" for row in rows)
            return Rows(f"np.concatenate(({ends}))", ragged, tuple(rows))
        return self.body.bind("variable", f"np.array(({', '.join(row.text for row in rows)}))", np.array([row.value for row in rows]))

    def output_ports(self, items: list[Expression], variable: list[Expression]) -> list[tuple[str, Expression]]:
        """The OutputPorts, each a function of an item of the value."""
        found: list[tuple[str, Expression]] = []
        for port in self.mechanism.output_ports:
            held = self.output_port(port, items, variable)
            self.ports[port] = port.name
            found.append((port.name, held))
        return found

    def output_port(self, port: Any, items: list[Expression], variable: list[Expression]) -> Expression:
        """One OutputPort."""
        function = port.function
        if is_choice(function):
            return self.choice(port, items)
        held = self.taken(port, variable_spec_of(port), items, variable)
        if self.modulation.changes(port):
            held = self.modulation.gated(port, as_vector(held))
        elif not self.reader.is_identity(function):
            called = self.call(function, held)
            held = called.outputs[0]
            if held.text in self.types_of_results:
                self.types[port] = self.types_of_results[held.text]
            if type(function).__name__ == "TransferWithCosts":
                for place, shown in zip(called.places, called.outputs, strict=True):
                    self.observed_of[f"{port.name} {place.parameter}"] = (place.owner, place.parameter, shown)
        return as_vector(held)

    def taken(self, port: Any, spec: Any, items: list[Expression], variable: list[Expression]) -> Expression:
        """The variable of an OutputPort: an item of the value or of the variable, or rows of several."""
        match spec:
            case ("OWNER_VALUE", int(index)):
                return items[index]
            case "OWNER_VALUE":
                return self.stacked(items)
            case ("OWNER_VARIABLE" | "variable", int(index)):
                return variable[index]
            case ("num_executions", scale) if scale.name in TRIAL_SCALES:
                return self.executions_in_trial()
            case "execution_count" | "num_executions_before_finished" | ("num_executions", _):
                return self.count_taken(port, spec)
            case str() if (held := self.parameter_taken(spec)) is not None:
                return held
            case list():
                taken = [self.taken(port, one, items, variable) for one in cast("list[Any]", spec)]
                if all(held.shape == () for held in taken):
                    numbers = np.array([held.value for held in taken])
                    return self.body.bind("numbers", f"np.array(({', '.join(held.text for held in taken)},))", numbers)
                rows = self.stacked(list(map(as_vector, taken)))
                if isinstance(rows, Rows):
                    raise self.refuse(f"its OutputPort {port.name!r} takes items of different lengths", "take items of one length")
                return rows
            case _:
                raise self.refuse(f"its OutputPort {port.name!r} takes {spec!r}", "use an item of the value, as in (OWNER_VALUE, 0)")

    def count_taken(self, port: Any, spec: Any) -> Expression:
        """A count of the executions of the Mechanism that an OutputPort takes."""
        if self.reader.is_reset(self.mechanism) and not self.starts_anew():
            raise self.refuse(
                f"its OutputPort {port.name!r} counts its executions, but is not reset at the start of a trial",
                "reset it with AtTrialStart()",
            )
        self.counting_ports.append(port)
        if spec == "num_executions_before_finished":
            return executions_before_finished(self)
        return executions(self, None if spec == "execution_count" else spec[1])

    def parameter_taken(self, name: str) -> Expression | None:
        """
        A number that the Mechanism, its function or its integrator has as a Parameter, and that an OutputPort takes; None for one that
        changes with an execution, or is modulated, of which PsyNeuLink takes the value without the modulation.
        """
        mechanism = self.mechanism
        for owner in (mechanism, mechanism.function, getattr(mechanism, "integrator_function", None)):
            source = getattr(getattr(owner, "parameters", None), name, None)
            if source is None:
                continue
            port = self.port_of_parameter.get(source.final_source)
            if port is None or self.modulation.acting_on(port):
                return None
            value = self.reader.get(owner, name)
            if value is None or not holds_numbers(value) or np.size(value) != 1:
                return None
            return self.held_parameter(source.final_source, name, float(plain(value)))
        return None

    def choice(self, port: Any, items: list[Expression]) -> Expression:
        """
        The array of two elements of a DDM: where the threshold was crossed, the decision variable or the element of the input.
        """
        source = self.mechanism.function.parameters.threshold.final_source
        if source in self.modulation.parameters:
            raise self.refuse(
                f"its threshold is modulated, but its OutputPort {port.name!r} takes it unmodulated", "use another OutputPort"
            )
        threshold = self.held_parameter(source, "threshold", float(plain(self.reader.get(self.mechanism.function, "threshold"))))
        decided = Expression(f"{items[0].text}[0]", items[0].value[0])
        first, second = decided.text, decided.text
        if len(variable_spec_of(port)) == INPUT_IN_CHOICE:
            (received,) = self.received[self.mechanism.input_ports[0]]
            first, second = f"{received.text}[0]", f"{received.text}[1]"
        crossed = f"({threshold.text} - {decided.text}) < ({threshold.text} + {decided.text})"
        return self.body.bind("chosen", f"np.array(({first}, 0.0)) if {crossed} else np.array((0.0, {second}))", np.zeros(2))

    def starts_anew(self) -> bool:
        """True if the Mechanism is reset at the start of every trial."""
        return is_trial_start(self.mechanism.reset_stateful_function_when)

    def executions_in_trial(self) -> Expression:
        """The number of executions of the Mechanism since the trial began, this one included."""
        if self.reader.is_reset(self.mechanism) and not self.starts_anew():
            raise self.refuse(
                "it counts its executions in a trial, but is not reset at the start of a trial", "reset it with AtTrialStart()"
            )
        name = "executions_in_trial"
        if name not in self.body.states:
            self.body.state(name, 0.0)
            self.body.successors[name] = f"{name} + 1.0"
        return Expression(f"({name} + 1.0)", 1.0)

    # Functions

    def call(self, function: Any, variable: Expression) -> Called:
        """A PsyNeuLink Function by its counterpart in the library."""
        if not hasattr(function, "parameters"):
            feature = f"its function is {getattr(function, '__name__', function)!r:.60}, which is not a Function of PsyNeuLink"
            raise self.refuse(feature, "put it into a UserDefinedFunction")
        if type(function).__name__ == "UserDefinedFunction":
            for held in ("stateful_parameter", "self_arg", "owner_arg", "context_arg"):
                if getattr(function, held, None):
                    raise self.refuse(f"its function takes {held.removesuffix('_arg')}", "leave it out, or run it in PsyNeuLink")
            given = {name: self.parameter(function, name, variable) for name in function.cust_fct_params}
            called = Called([call_python(self, function.custom_function, variable, given, np.shape(function.defaults.variable))])
        elif isinstance(variable, Rows) and type(function).__name__ in ("Identity", "Linear"):
            parts = [self.call(function, row).outputs[0] for row in variable.rows]
            places = [ParameterPlace(function, "value", index, part.shape) for index, part in enumerate(parts)]
            called = Called(parts, None, places)
        else:
            if type(function).__name__ == "OrnsteinUhlenbeckIntegrator":
                raise self.refuse("its function OrnsteinUhlenbeckIntegrator returns values with an additional axis", "run it in PsyNeuLink")
            shaped = self.as_psyneulink_has_it(function, variable)
            called = self.call_counterpart(counterpart(function, self.reader.context_of(function), variable=shaped), variable)
            called.exact = np.shape(shaped) == np.shape(function.defaults.variable)
        self.called[function] = called
        return called

    def as_psyneulink_has_it(self, function: Any, variable: Expression) -> Any:
        """The variable's value; with PsyNeuLink's outer axis of length one where a Function treats rows and elements differently."""
        if len(variable.shape) == 1 and self.weighs_rows(function):
            return np.reshape(variable.value, (1, *variable.shape))
        if type(function).__name__ in BY_ROWS and not isinstance(variable, Rows):
            shape = np.shape(function.defaults.variable)
            if int(np.prod(shape)) == np.size(variable.value):
                return np.reshape(variable.value, shape)
        return variable.value

    def weighs_rows(self, function: Any) -> bool:
        """
        True if a Function is a LinearCombination with weights or exponents of the rows of its variable, be it only one; that of an
        OutputPort takes a vector, of which it weighs nothing.
        """
        is_combination = type(function).__name__ == "LinearCombination" and function.owner not in self.mechanism.output_ports
        return is_combination and any(self.reader.get(function, name) is not None for name in ("weights", "exponents"))

    def call_counterpart(self, found: Counterpart, variable: Expression) -> Called:
        """A call of a library function with the values that belong to it."""
        named = [self.part(place, variable) for place in found.inputs.values()]
        text = [held.text for held in named]
        values: dict[str, Any] = dict(found.statics)
        arguments: dict[str, Expression] = {}
        for name, value in found.params.items():
            place = found.places.get(name)
            arguments[name] = self.body.param(name, value) if place is None else self.own_parameter(place, name, value)
            if place is not None and found.randoms:
                check_drawn_with(self, place, arguments[name])
        states: dict[str, str] = {}
        for name, value in found.states.items():
            place = None if found.rewrite else found.places.get(name)
            held = self.own_state(place, name, value)
            states[name], arguments[name] = held.text, self.since_reset(place, name, held)
        if found.rewrite is not None:
            self.memories.append(Memory(found, variable.value, states))
        text += [f"{name}={held.text}" for name, held in arguments.items()]
        text += [f"{name}={value!r}" for name, value in found.statics.items()]
        values |= {name: np.zeros(held.shape) if found.rewrite and name in found.states else held.value for name, held in arguments.items()}
        for name, generator in found.randoms.items():
            held = self.random(name, found.places[name].owner, generator)
            text.append(f"{name}={held.text}")
            values[name] = StillStream()
        returned = found.function(*(held.value for held in named), **values)
        call = f"{self.body.function_name(found.function)}({', '.join(text)})"
        places = list(found.outputs.values())
        for place in places:
            if place.rows is not None and (found.states[place.rows] < place.shape[0] or self.reader.is_reset(self.mechanism)):
                raise self.refuse(
                    f"the value of its function {found.name} grows until it has {place.shape[0]} rows", "fill it before the run"
                )
        if not isinstance(returned, Step):
            held = self.body.bind("result", call, returned)
            if isinstance(returned, tuple):
                items = cast("tuple[Any, ...]", returned)
                return Called([Expression(f"{held.text}[{index}]", value) for index, value in enumerate(items)], None, places)
            return Called([held], None, places)
        step = self.body.bind("step", call, None)
        for index, (name, value) in enumerate(zip(signature_of(found.function).states, returned.states, strict=True)):
            state = states[name]
            self.body.successors[state] = f"{step.text}.states[{index}]"
            self.body.states[state] = np.array(np.broadcast_to(self.body.states[state], np.shape(value)))
        outputs = [Expression(f"{step.text}.outputs[{index}]", value) for index, value in enumerate(_tuple(returned.outputs))]
        return Called(outputs, None if returned.finished is None else f"{step.text}.finished", places)

    def random(self, name: str, owner: Any, generator: Any) -> Expression:
        """A generator of the node for that of a component, which follows its seed where that is modulated."""
        held = self.body.random(name, generator)
        self.random_of[held.text] = (owner, "random_state")
        follow_seed(self, held, owner, generator)
        return held

    def part(self, place: ParameterPlace, variable: Expression) -> Expression:
        """The part of the variable that one input of a library function takes."""
        text, value = variable.text, variable.value
        if place.parameter == "":
            return Expression(f"np.zeros({place.shape})", np.zeros(place.shape))
        if isinstance(variable, Rows):
            row = None if place.item is None else variable.rows[place.item]
            text, value = (text, np.concatenate([np.ravel(part) for part in value])) if row is None else (row.text, row.value)
        elif place.item is not None:
            text, value = f"{text}[{place.item}]", value[place.item]
        if np.shape(value) != place.shape:
            text, value = f"{text}.reshape({place.shape})", np.reshape(value, place.shape)
        return Expression(text, value)

    def own_parameter(self, place: ParameterPlace, name: str, value: Any) -> Expression:
        """A parameter of the node for a Parameter of a Function."""
        parameter = getattr(place.owner.parameters, place.parameter, None)
        if parameter is None or place.item is not None:
            return self.body.param(name, value)
        return self.held_parameter(parameter.final_source, name, value)

    def own_state(self, place: ParameterPlace | None, name: str, value: Any) -> Expression:
        """A state of the node for a Parameter that a Function carries from one execution to the next."""
        if place is not None and not place.parameter.startswith("_"):
            start = np.asarray(self.start_of(place.owner, place.parameter), float)
            value = np.broadcast_to(start.ravel() if start.size == 1 else start.reshape(np.shape(value)), np.shape(value))
            value = value.item() if np.shape(value) == () else np.array(value)
        held = self.body.state(name, value)
        if place is not None:
            self.state_of[held.text] = (place.owner, place.parameter)
        return held

    def since_reset(self, place: ParameterPlace | None, name: str, held: Expression) -> Expression:
        """
        A state as the first execution after a reset finds it, where modulation acts on its initializer. A reset comes before all nodes of a
        trial, so it puts the state to the value that the ControlSignal has from the trial before.
        """
        port = None if place is None else self.modulated_initializer(place)
        if place is None or port is None:
            return held
        if not self.starts_anew():
            raise self.refuse(
                f"its {port.name} is modulated, from which it starts after a reset, and it is not reset at the start of each trial",
                "reset it with AtTrialStart()",
            )
        start = self.held_parameter(port.source, port.name, float(plain(self.reader.get(place.owner, port.source.name))))
        if start.shape:
            raise self.refuse(f"its {port.name} is modulated, from which it starts after a reset, and has several elements", "give it one")
        signal = self.overriding(port)
        shown = self.body.state(f"{port.name} in force", float(plain(self.reader.get(signal, "value"))))
        self.body.successors[shown.text] = start.text
        self.in_force[shown.text] = signal
        self.note_resets()
        begun = shown.text if held.shape == () else f"np.full({held.shape}, {shown.text})"
        return self.body.bind(f"{name} begun", f"{begun} if {RESET} > 0.5 else {held.text}", held.value)

    def note_resets(self) -> None:
        """Adds the state that tells whether the Mechanism was executed since it was reset."""
        if RESET not in self.body.states:
            self.body.state(RESET, 1.0)
            self.body.successors[RESET] = "0.0"

    def overriding(self, port: Any) -> Any:
        """The ControlSignal that overrides an initializer: the only one of a ControlMechanism beside the Mechanism."""
        projections = self.modulation.acting_on(port)
        signal = projections[0].sender
        is_plain = (
            len(projections) == 1
            and self.modulation.gates.get(projections[0], ("", ""))[1] == "override"
            and self.modulation.line_of(projections[0]) == (1.0, 0.0)
            and list(getattr(signal.owner, "control_signals", ()))[:1] == [signal]
        )
        if not is_plain:
            raise self.refuse(
                f"its {port.name}, from which it starts after a reset, is modulated otherwise than by one signal that overrides it",
                "give it a ControlMechanism of its own, with modulation=OVERRIDE",
            )
        return signal

    def modulated_initializer(self, place: ParameterPlace) -> Any:
        """The ParameterPort of the initializer of a state, if modulation acts on it and a reset puts the state there."""
        parameter = getattr(place.owner.parameters, place.parameter, None)
        initializer = getattr(parameter, "initializer", None)
        if not initializer or not self.reader.is_reset(self.mechanism):
            return None
        port = self.port_of_parameter.get(getattr(place.owner.parameters, initializer).final_source)
        return port if port is not None and self.modulation.acting_on(port) else None

    def start_of(self, function: Any, source: str) -> Any:
        """The first value of a state: its present one, or, if the Mechanism is ever reset, the one to which a reset puts it."""
        initializer = getattr(function.parameters, source).initializer
        if not initializer or not self.reader.is_reset(self.mechanism):
            return self.reader.get(function, source)
        if self.reader.differs_from_default(function, initializer):
            # PsyNeuLink makes the initializer itself the state, and changes it with it; or leaves it out of the first reset.
            raise self.refuse(
                f"{initializer!r} of its function {type(function).__name__} has another value in the execution context of the run",
                "set it before the Composition is made, or in a context that is not used for runs",
            )
        return self.reader.get(function, initializer)

    def parameter(self, function: Any, name: str, variable: Expression) -> Expression:
        """A Parameter of a Function as a parameter of the node, under the name of its ParameterPort if it has one."""
        source = getattr(function.parameters, name)
        value = self.reader.get(function, name)
        if is_drawn(value):
            return self.noise(name, value, variable)
        if value is None:
            raise self.refuse(f"parameter {name!r} of its function {type(function).__name__} is None", "give it a number")
        if not holds_numbers(value):
            raise self.refuse(
                f"the argument {name!r} of its Python function is {value!r:.40}, not numeric",
                "give it numbers, or write the value into the function",
            )
        return self.held_parameter(source.final_source, name, self.fitted(value, variable))

    def held_parameter(self, source: Any, name: str, value: Any) -> Expression:
        """The node's parameter for a Parameter of PsyNeuLink; the same for the same Parameter."""
        if source in self.modulation.parameters:
            return self.modulation.parameters[source]
        if source in self.parameters:
            known = self.parameters[source]
            return Expression(known, self.body.params[known])
        port = self.port_of_parameter.get(source)
        held = self.body.param(port.name if port is not None else name, value)
        self.parameters[source] = held.text
        return held if port is None else self.modulation.of_parameter(port, source, held)

    def noise(self, name: str, value: Any, variable: Expression) -> Expression:
        """Noise that is drawn from distributions: one draw for each element of the variable."""
        if name != "noise":
            raise self.refuse(f"parameter {name!r} is a {type(value).__name__}", "give it a number")
        reader = FunctionReader(TABLE, self.mechanism, self.reader.context_of(self.mechanism), variable.value)
        return self.call_counterpart(noise_alone(reader, value, variable.shape), variable).outputs[0]

    def fitted(self, value: Any, variable: Expression) -> Any:
        """A value in the shape in which it meets the variable: PsyNeuLink's have leading axes of length one."""
        if isinstance(value, bool | int | str):
            return float(value)
        array = np.asarray(value, float)
        while array.ndim > len(variable.shape) or (array.ndim and array.shape == (1,)):
            if array.shape[0] != 1:
                raise self.refuse(
                    f"it has a parameter of shape {array.shape}, but a variable of shape {variable.shape}", "give it the variable's shape"
                )
            array = array[0]
        return array.item() if array.ndim == 0 else array

    def items(self, result: Expression) -> list[Expression]:
        """The items of the Mechanism's value, as its OutputPorts name them."""
        count = len(self.mechanism.defaults.value)
        if count == 1:
            return [as_vector(result)]
        if result.shape[:1] != (count,):
            raise self.refuse(f"its value has {count} items, but its function gives shape {result.shape}", "run it in PsyNeuLink")
        return [as_vector(Expression(f"{result.text}[{index}]", result.value[index])) for index in range(count)]

    def written(self, items: list[Expression], variable: list[Expression], finished: str | None = None) -> WrittenNode:
        """The node, when its value is known."""
        ignore_unused_seeds(self)
        self.finished = finished
        outputs = self.output_ports(items, variable)
        self.check_sizes(items, outputs)
        body = self.body
        values: list[str] = []
        variables: list[str] = []
        arrived: dict[Any, str] = {}
        shown: dict[Any, FunctionValue] = {}
        kept = self.counters(finished) if self.observed else ()
        if self.observed:
            if self.reader.is_reset(self.mechanism):
                self.note_resets()
                if (message := failure_after_reset(self.reader, self.mechanism)) is not None:
                    self.failures[RESET] = message
            for name in ("integrator_function", "function"):
                function = getattr(self.mechanism, name, None)
                if function in self.called:
                    shown[function] = self.function_value(name, function, outputs)
            for index, item in enumerate(items):
                values.append(self.observe(f"value {index}", item, outputs))
            for index, item in enumerate(variable):
                variables.append(self.observe(f"variable {index}", item, outputs))
            self.modulators()
            for index, (projection, held) in enumerate(self.arrived.items()):
                arrived[projection] = self.observe(f"arrived {index}", held, outputs)
            self.observed_of |= self.modulation.observed_of
            for name, (_, _, held) in self.observed_of.items():
                outputs.append((name, Expression(f"np.asarray({held.text})", held.value) if held.text in body.params else held))
            outputs += self.matrices.items()
        return self.node(
            outputs,
            finished,
            kept=kept,
            values=tuple(values),
            variables=tuple(variables),
            arrived=arrived,
            function_values=shown,
        )

    def check_sizes(self, items: list[Expression], outputs: list[tuple[str, Expression]]) -> None:
        """Refuses values of another number of elements than that for which the ports, and the Projections from them, are made."""
        values = enumerate(zip(self.mechanism.defaults.value, items, strict=False))
        found = [(f"item {index} of its value", start, held) for index, (start, held) in values]
        for port, (_, held) in zip(self.mechanism.output_ports, outputs, strict=False):
            if not hasattr(port, "modulation"):  # of a signal, what it modulates says how many it may have
                found.append((f"its OutputPort {port.name!r}", port.defaults.value, held))
        for name, start, held in found:
            if np.size(held.value) != np.size(start):
                feature = f"{name} would have {np.size(held.value)} elements, but was made for {np.size(start)}"
                raise self.refuse(feature, self.remedy_for_size(np.size(start)))

    def remedy_for_size(self, size: int) -> str:
        """The advice to give Parameters a shape that makes values of this size; from now on a change of them is noticed."""
        names: list[str] = []
        for source, name in self.parameters.items():
            value = self.body.params[name]
            if np.size(value) > size or np.ndim(value) > 1:
                owner = component_of(source)
                names.append(source.name if owner is self.mechanism else f"{source.name} of its {type(owner).__name__}")
                note_read(source, self.reader.execution_id if self.reader.execution_id in source.values else None, computed=True)
        return f"set {' and '.join(names)} to a number, or to an array of its variable's shape" if names else "run it in PsyNeuLink"

    def node(self, outputs: list[tuple[str, Expression]], finished: str | None = None, **shown: Any) -> WrittenNode:
        """The node with these outputs; `shown`: what observers find there."""
        body = self.body
        return WrittenNode(
            function=body.function(outputs, finished),
            inputs={name: held.shape for name, held in body.inputs.items()},
            outputs=tuple(name for name, _ in outputs),
            params=body.params,
            states=body.states,
            randoms=body.randoms,
            finishes=finished is not None,
            ports=self.ports,
            combine=self.combine,
            separate=self.separate,
            parameters=self.parameters,
            state_of=self.state_of,
            random_of=self.random_of,
            used_seeds=self.used_seeds,
            failures=self.failures,
            bounded=self.bounded,
            in_force=self.in_force,
            gates=self.modulation.gates,
            observed_of={name: (owner, parameter) for name, (owner, parameter, _) in self.observed_of.items()} if self.observed else {},
            own_functions=tuple(self.own_functions),
            memories=self.memories,
            whole_numbers=self.whole_numbers,
            replaced=self.modulation.replaced,
            learning=self.learning,
            vectors=self.modulation.vectors,
            after=self.after,
            counted_by=self.counted,
            types=self.types,
            counting_ports=tuple(self.counting_ports),
            **shown,
        )

    def modulators(self) -> None:
        """Inputs for what other nodes modulate by, which nothing but an observer reads."""
        for projection in self.modulation.gates:
            sender = projection.sender.owner
            if projection in self.modulation.vectors:
                name = self.modulation.vectors[projection]
                self.separate[projection], self.arrived[projection] = name, self.body.inputs[name]
            elif projection not in self.modulation.unheard and type(sender).__name__ not in NOT_NODES:
                held = self.body.input(f"{projection.receiver.name} by {projection.sender.name}", np.zeros(1))
                self.separate[projection] = held.text
                self.arrived[projection] = held

    def counters(self, finished: str | None) -> tuple[str, ...]:
        """States that count executions: all of them, and, where it matters, those since the Mechanism had last finished."""
        body = self.body
        count = body.state("executions", 0.0)
        body.successors[count.text] = f"{count.text} + 1.0"
        limit = self.limit()
        if finished is None:
            if limit <= 1:
                self.counts_at_limit("1.0")
            return (count.text,)
        if self.reader.get(self.mechanism, "execute_until_finished") and (not self.reader.is_reset(self.mechanism) or self.starts_anew()):
            self.executions_in_trial()
        since, had_finished = since_finished(self, finished)
        if limit < NEVER and not self.reader.get(self.mechanism, "execute_until_finished"):
            self.counts_at_limit(f"(1.0 if {body.successors[since]} >= {limit!r} else 0.0)")
        return (count.text, since, had_finished, *self.measure(f"{body.successors[since]} < {limit!r}"))

    def limit(self) -> float:
        """The most executions before the Mechanism counts as finished."""
        return float(np.asarray(self.reader.get(self.mechanism, "max_executions_before_finished")))

    def counts_at_limit(self, more: str) -> None:
        """A state that counts the executions that reach the limit, where the Mechanism is executed once when it is called."""
        reached = self.body.state(AT_LIMIT_STATE, 0.0)
        self.body.successors[reached.text] = f"{reached.text} + {more}"

    def measure(self, goes_on: str) -> tuple[str, ...]:
        """The state that shows what was compared last: PsyNeuLink does not ask at the last execution of all, unless a condition does."""
        if self.measured is None:
            return ()
        shown = self.body.state(name := "termination_measure_value", float(self.reader.get(self.mechanism, name)))
        self.state_of[shown.text] = (self.mechanism, name)
        self.body.successors[shown.text] = self.measured.text + ("" if self.is_asked else f" if {goes_on} else {shown.text}")
        return (shown.text,)

    def function_value(self, name: str, function: Any, outputs: list[tuple[str, Expression]]) -> FunctionValue:
        """Shows the value of a Function of the Mechanism, in the shape that it has in PsyNeuLink."""
        called = self.called[function]
        whole = all(place.item is None for place in called.places if place.parameter == "value")
        shapes = [place.shape for place in called.places if place.parameter == "value"] or [held.shape for held in called.outputs]
        values = function.parameters.value.final_source.values
        now: Any = values.get(self.reader.execution_id, values.get(None))  # only its shape counts, so it is not watched
        items: list[Any] = [now] if whole else [*now] if isinstance(now, list) or getattr(now, "ndim", 0) else []
        if len(items) == len(shapes) and not called.exact:
            shapes = [np.shape(item) if np.size(item) == int(np.prod(shape)) else shape for item, shape in zip(items, shapes, strict=True)]
        # The value of an integrator stays where a reset puts OutputPorts back, though it may be computed as one of them is.
        beside = [] if name == "integrator_function" and self.reader.is_reset(self.mechanism) else outputs
        named = [
            self.observe(f"{name} value {index}", held if held.shape else as_vector(held), beside)
            for index, held in enumerate(called.values())
        ]
        outputs += beside if beside is not outputs else []
        return FunctionValue(tuple(named), tuple(shapes), whole, type(function).__name__ in OF_TUPLES)

    def observe(self, name: str, held: Expression, outputs: list[tuple[str, Expression]]) -> str:
        """The name of the output port that shows a value; a new one unless there is one already."""
        known = next((port for port, shown in outputs if shown.text == held.text), None)
        if known is None:
            outputs.append((name, held))
        return known or name


def is_choice(function: Any) -> bool:
    """True of the functions of DDM's OutputPorts DECISION_VARIABLE_ARRAY and SELECTED_INPUT_ARRAY."""
    own = getattr(function, "custom_function", None)
    return getattr(own, "__module__", "") == DDM_MODULE and isinstance(variable_spec_of(function.owner), list)


def _tuple(outputs: Any) -> tuple[Any, ...]:
    return cast("tuple[Any, ...]", outputs) if isinstance(outputs, tuple) else (outputs,)
