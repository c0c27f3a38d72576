"""
The check that every Parameter that somebody has set is read. One that the importer neither reads nor knows to be without effect might
change the results in PsyNeuLink, so the Composition is refused.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Any, cast

import numpy as np

from cogir.psyneulink.importer.survey import Survey
from cogir.psyneulink.importer.unmodified import title_of
from cogir.psyneulink.pnl import component_of, is_user_specified, parameter_ports_of
from cogir.psyneulink.reader import Reader, Reads, UnsupportedFeature, holds_numbers, plain

MADE_OF = frozenset(
    "variable value function input_ports output_ports control_signals modulatory_signals integrator_function combination_function"
    " termination_measure custom_function objective_mechanism monitor_for_control default_input sender receiver matrix auto hetero"
    " competition self_excitation input_shapes has_recurrent_input_port threshold modulation transfer_fct input_format mask"
    " exponent weight projections one_hot_function operation initializer initial_value termination_comparison_op"
    " standard_output_ports error_sources covariates_sources learning_signals activation_derivative_fct error_matrix".split()
)
"""Parameters that hold parts of components, which the importer reads by the components themselves."""
WITHOUT_EFFECT = frozenset(
    "learnable learning_enabled learning_rate learning_function learning_condition enable_learning reset internal_only"
    " input_labels_dict output_labels_dict require_projection_in_composition changes_shape execution_count num_executions"
    " num_executions_before_finished is_finished_flag random_state seed has_initializers derivative bounds params_dict_set save_samples"
    " save_values output_type enable_output_type_conversion"
    " on_resume_integrator_mode"  # which only says what setting integrator_mode does
    " input_specification retain_old_simulation_data results simulation_results name prefs log history".split()
)
"""Parameters that do not change the numbers of a run without learning, or that are synchronised with it."""
LEARNING_MECHANISMS = ("LearningMechanism", "AutoAssociativeLearningMechanism")
"""Mechanisms that convert the value of their function themselves."""
CIM = "CompositionInterfaceMechanism"
READ_APART = frozenset(
    "Composition OptimizationControlMechanism ControlMechanism GatingMechanism LCControlMechanism ControlSignal GatingSignal GridSearch"
    " CompositionInterfaceMechanism".split()
)
"""Classes that are not looked at here, nor what belongs to them: the importer of control reads them, and refuses, one by one."""
FIXED = {("Energy", "metric"), ("Entropy", "metric"), ("Stability", "metric")}
"""Parameters that are what their class is, or that a Function inside has taken over, where they are read."""
NEUTRAL: dict[str, dict[str, float]] = {
    "Linear": {"slope": 1.0, "intercept": 0.0, "scale": 1.0, "offset": 0.0},
    "Identity": {},
    "AccumulatorIntegrator": {"increment": 0.0, "noise": 0.0, "rate": 1.0},
}
"""Functions of ParameterPorts that pass on what they get, and the Parameters with which they do."""


def check_read(survey: Survey, reader: Reader, reads: Reads, without: Container[Any] = ()) -> None:
    """
    Refuses a Composition of which something was said that nobody has read; `reads`: the Parameters that the importer has read; `without`:
    nodes that are left out.
    """
    read = {id(parameter) for parameter, _, _ in reads}
    used = {id(component_of(parameter)) for parameter, _, _ in reads}
    for component in survey.components:
        if belongs_to(component, without):
            continue
        check_history(component)
        check_output_type(component, reader)
        if is_read_apart(component):
            continue
        check_parameter_ports(component, reader)
        if type(component).__name__ == "IntegratorMechanism" and np.any(reader.get(component, "reset")):
            raise UnsupportedFeature(
                title_of(component), "its parameter reset is set, so each execution resets it", "use reset_stateful_function_when"
            )
        if hasattr(component, "sender") and CIM in (type(component.sender.owner).__name__, type(component.receiver.owner).__name__):
            check_interface(component, reader)
        if id(component) not in used or is_idle(component, reader):
            continue
        for parameter in said_of(component):
            if id(parameter) not in read:
                value = parameter.values.get(reader.execution_id, parameter.values.get(None))
                raise UnsupportedFeature(
                    title_of(component),
                    f"its {parameter.name} is set to {value!r:.40}, which cogir does not read",
                    f"leave {parameter.name} out, or run it in PsyNeuLink",
                )


def check_history(component: Any) -> None:
    """Refuses a component of which more than one previous value is to be kept."""
    for parameter in component.__dict__.get("parameters", ()):
        length = parameter.__dict__.get("history_max_length", 1)
        if parameter.name != "results" and isinstance(length, int) and length > 1:
            raise UnsupportedFeature(
                title_of(component),
                f"its {parameter.name} keeps a history of {length} values (history_max_length), but a native run keeps one",
                "leave history_max_length alone, or run it in PsyNeuLink",
            )


def is_read_apart(component: Any) -> bool:
    """True if a component, or what it belongs to, is of those that are read elsewhere; the functions of InputPorts are not."""
    if type(getattr(component, "owner", None)).__name__ == "InputPort":
        return False
    while component is not None:
        if type(component).__name__ in READ_APART:
            return True
        component = getattr(component, "owner", None)
    return False


def belongs_to(component: Any, nodes: Container[Any]) -> bool:
    """True if a component is part of one of these nodes, or a Projection from one of them."""
    while component is not None and not isinstance(component, str):
        if component in nodes:
            return True
        component = getattr(component, "sender", None) or getattr(component, "owner", None)
    return False


def check_output_type(component: Any, reader: Reader) -> None:
    """Refuses a Function whose value PsyNeuLink converts otherwise than it does by itself: to two axes, if it is that of a Mechanism."""
    if not hasattr(component.__dict__.get("parameters"), "enable_output_type_conversion"):
        return
    owner: Any = getattr(component, "owner", None)
    if type(owner).__name__ in LEARNING_MECHANISMS:
        return
    converts = bool(reader.get(component, "enable_output_type_conversion"))
    of_mechanism = getattr(owner, "function", None) is component and hasattr(owner, "input_ports")
    of_mechanism = of_mechanism or isinstance(owner, str)  # a LossMechanism gives its function its name
    to = getattr(reader.get(component, "output_type"), "name", None) if converts else None
    if to != ("NP_2D_ARRAY" if of_mechanism else None):
        raise UnsupportedFeature(
            title_of(component), "its output_type or enable_output_type_conversion was changed", "leave output_type out"
        )


def is_idle(component: Any, reader: Reader) -> bool:
    """True if a Function is the integrator of a Mechanism that does not integrate, as a KWTAMechanism never does."""
    owner: Any = getattr(component, "owner", None)
    if getattr(owner, "integrator_function", None) is not component or not hasattr(owner.parameters, "integrator_mode"):
        return False
    return owner.function is not component and not executes_integrator(owner, reader)


def executes_integrator(mechanism: Any, reader: Reader) -> bool:
    """True if a Mechanism that may integrate executes its integrator, which a KWTAMechanism never does."""
    return type(mechanism).__name__ != "KWTAMechanism" and bool(reader.get(mechanism, "integrator_mode"))


def check_interface(projection: Any, reader: Reader) -> None:
    """Refuses Projections from or to the interface of a Composition that do not pass on what they get."""
    function = projection.function
    if type(function).__name__ == "MatrixTransform" and "Mapping" in type(projection).__name__:
        matrix = np.asarray(reader.get(projection, "matrix"), float)
        plainly = str(reader.get(function, "operation")) in ("dot_product", "DOT_PRODUCT") and not reader.get(function, "normalize")
        if not plainly or not np.array_equal(matrix.reshape(matrix.shape[-2:]), np.eye(matrix.shape[-1])):
            raise UnsupportedFeature(
                title_of(projection), "it changes the inputs or the outputs of the Composition", "use a Mechanism for that"
            )


def said_of(component: Any) -> Iterator[Any]:
    """The Parameters of a component that somebody has set: given to its constructor, and not what its class has."""
    for parameter in component.__dict__["parameters"]:
        if type(parameter).__name__ != "Parameter" or parameter.name in MADE_OF | WITHOUT_EFFECT:
            continue
        if (type(component).__name__, parameter.name) in FIXED:
            continue
        if parameter.name in begun_from(component):
            continue
        known = getattr(cast("Any", type(component)).parameters, parameter.name, None)  # a UserDefinedFunction has some of its own
        if is_user_specified(parameter) and (known is None or not _same(parameter.default_value, known.default_value)):
            yield parameter


def begun_from(component: Any) -> set[str]:
    """The Parameters from which states of a Function have begun: the states are read, and the importer of resets reads these."""
    states = (getattr(component.parameters, name, None) for name in getattr(component, "stateful_attributes", ()))
    return {name for state in states if (name := getattr(state, "initializer", None))}


def check_parameter_ports(component: Any, reader: Reader) -> None:
    """Refuses ParameterPorts that compute something; a modulation takes the place of what they compute."""
    for port in parameter_ports_of(component):
        if port.mod_afferents:
            continue  # PsyNeuLink leaves there what it was modulated by
        neutral = NEUTRAL.get(type(port.function).__name__)
        found = None if neutral is None else [name for name, at in neutral.items() if not _is(reader, port.function, name, at)]
        if neutral is not None and not _holds_matrix(component, port, reader):
            found = ["previous_value"]
        if found is None or found:
            raise UnsupportedFeature(
                title_of(component),
                f"its ParameterPort {port.name!r} has a custom function"
                + (f", with another {found[0]}" if found else f", {type(port.function).__name__}"),
                "set the Parameter itself",
            )


def _holds_matrix(projection: Any, port: Any, reader: Reader) -> bool:
    """True if what the function of a matrix's ParameterPort carries on is the matrix; not watched, since PsyNeuLink sets both together."""
    if type(projection).__name__ != "MappingProjection" or type(port.function).__name__ != "AccumulatorIntegrator":
        return True
    held = [one.parameters for one in (projection, port.function)]
    values = [one.final_source.values for one in (held[0].matrix, held[1].previous_value)]
    return _same(*(_inner(each.get(reader.execution_id, each.get(None))) for each in values))


def _inner(value: Any) -> Any:
    """A matrix without outer axes of length one, of which PsyNeuLink makes more as it executes."""
    return plain(value) if holds_numbers(value) else value


def _is(reader: Reader, function: Any, name: str, value: float) -> bool:
    held = reader.get(function, name)
    return held is None or _same(plain(held), value)


def _same(one: Any, other: Any) -> bool:
    """True if two values are equal as far as they can be compared."""
    if one is other:
        return True
    try:
        return bool(np.array_equal(np.asarray(one, float), np.asarray(other, float)))
    except (TypeError, ValueError):
        return isinstance(one, str) and isinstance(other, str) and one == other
