"""
What a PsyNeuLink Composition is made of, as plain data that can be written to a file and compared.

A structure holds what determines a run: nodes, their roles and parameters, functions with theirs, ports with their functions and
afferents (in the order in which PsyNeuLink sums them), projections with matrices, the scheduler and the controller. Left out are
names of functions (PsyNeuLink numbers them), counts of executions, values, and the states of generators.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import Any

import numpy as np

import psyneulink as pnl
from psyneulink.core.components.component import Component
from psyneulink.core.components.functions.function import Function_Base
from psyneulink.core.globals.parameters import ParameterAlias

BOOKKEEPING = frozenset(
    """
    changes_shape enable_output_type_conversion execution_count has_initializers input_labels_dict input_port_variables input_ports
    control_signals grid integrator_function_value is_finished_flag learning_condition learning_function learning_rate
    monitor_for_control num_executions num_executions_before_finished outcome_input_ports output_labels_dict output_ports output_type
    projections random_state range require_projection_in_composition simulation_ids state_feature_values state_input_ports
    termination_measure_value value variable
    """.split()
)
"""Parameters that a run does not read, or that are written elsewhere in a structure."""

MECHANISMS_ONLY = frozenset(("execute_until_finished", "max_executions_before_finished"))
"""Parameters that functions and ports have too, but that matter in mechanisms only."""


def plain(value: Any) -> Any:
    """A parameter's value as JSON can hold it; functions by class and parameters, components and callables by name."""
    match value:
        case None | bool() | int() | float() | str():
            return value
        case np.generic():
            return value.item()
        case np.ndarray():
            return plain(value.tolist())
        case Function_Base():
            return function_structure(value)
        case Component():
            return {"component": value.name}
        case pnl.SampleIterator():
            return plain(list(value.specification))
        case Enum():
            return str(value)
        case type():
            return value.__name__
        case dict():
            return {str(key): plain(item) for key, item in value.items()}
        case list() | tuple():
            return [plain(item) for item in value]
        case set() | frozenset():
            return sorted(str(item) for item in value)
        case _ if callable(value):
            return {"callable": getattr(value, "func", value).__name__}
        case _:
            return {"class": type(value).__name__}


def parameters(component: Component) -> dict[str, Any]:
    """The parameters of a component with their values before any run, sorted by name."""
    left_out = BOOKKEEPING if isinstance(component, pnl.Mechanism) else BOOKKEEPING | MECHANISMS_ONLY
    found = {}
    for parameter in component.parameters:
        if parameter.name not in left_out and not isinstance(parameter, ParameterAlias):
            found[parameter.name] = plain(parameter.get(None))
    return dict(sorted(found.items()))


def function_structure(function: Function_Base) -> dict[str, Any]:
    """A function's class and parameters."""
    return {"function": type(function).__name__, **parameters(function)}


def afferents(projections: Iterable[Any]) -> list[list[Any]]:
    """Modulatory projections: name, sender, and how they modulate."""
    return [[item.name, item.sender.owner.name, item.sender.name, plain(item.sender.modulation)] for item in projections]


def port_structure(port: Any) -> dict[str, Any]:
    """A port: its class, function, what arrives at it, and what it reads."""
    found = {"name": port.name, "class": type(port).__name__, **parameters(port)}
    if isinstance(port, pnl.InputPort):
        found["afferents"] = [projection.name for projection in port.path_afferents]
    if isinstance(port, pnl.OutputPort):
        found["reads"] = plain(port._variable_spec)
    found["modulated_by"] = afferents(port.mod_afferents)
    return found


def node_structure(node: Any, roles: Iterable[pnl.NodeRole]) -> dict[str, Any]:
    """A node; a Composition as node is described as one."""
    found: dict[str, Any] = {"name": node.name, "class": type(node).__name__, "roles": sorted(str(role) for role in roles)}
    if isinstance(node, pnl.Composition):
        return {**found, "composition": structure(node, analyze=False)}
    return {
        **found,
        "parameters": parameters(node),
        "input_ports": [port_structure(port) for port in node.input_ports],
        "output_ports": [port_structure(port) for port in node.output_ports],
        "modulated": {port.name: afferents(port.mod_afferents) for port in node.parameter_ports if port.mod_afferents},
    }


def projection_structure(projection: Any) -> dict[str, Any]:
    """A projection: name, class, both ends, matrix, weight and exponent."""
    found: dict[str, Any] = {"name": projection.name, "class": type(projection).__name__}
    for end in (projection.sender, projection.receiver):
        found["sender" if end is projection.sender else "receiver"] = [end.owner.name, end.name]
    if isinstance(projection, pnl.MappingProjection):
        found["matrix"] = plain(projection.parameters.matrix.get(None))
    return {**found, "weight": plain(projection.weight), "exponent": plain(projection.exponent)}


def condition_structure(condition: Any) -> str:
    """A condition as its class shows it, for example `EveryNCalls((TransferMechanism A), 2)`."""
    return str(condition)


def nested(composition: pnl.Composition) -> list[pnl.Composition]:
    """The Compositions that are nodes of this one."""
    return [node for node in composition.nodes if isinstance(node, pnl.Composition)]


def structure(composition: pnl.Composition, analyze: bool = True) -> dict[str, Any]:
    """The structure of a Composition, see the head of this file."""
    if analyze:
        composition._analyze_graph()
    interface = [composition.input_CIM, composition.output_CIM, composition.parameter_CIM]
    inside = [*composition.nodes, *interface, composition.controller, *(node.output_CIM for node in nested(composition))]
    projections = [
        item for item in composition.projections if item.sender.owner in inside and not isinstance(item, pnl.AutoAssociativeProjection)
    ]
    scheduler = composition.scheduler
    nodes = [node_structure(node, composition.get_roles_by_node(node)) for node in composition.nodes]
    nodes += [node_structure(node, ()) for node in interface]
    found = {
        "name": composition.name,
        "nodes": nodes,
        "projections": sorted((projection_structure(item) for item in projections), key=lambda item: item["name"]),
        "consideration_queue": [sorted(node.name for node in layer) for layer in scheduler.consideration_queue],
        "conditions": {node.name: condition_structure(item) for node, item in scheduler.conditions.conditions_basic.items()},
        "termination": {str(scale): condition_structure(item) for scale, item in composition.termination_processing.items()},
        "controller": None,
    }
    if composition.controller is not None:
        found["controller"] = node_structure(composition.controller, ())
    return found
