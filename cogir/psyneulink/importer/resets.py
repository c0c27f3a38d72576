"""
Where a reset puts a Mechanism, and what its OutputPorts then show.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from cogir.limits import NEVER
from cogir.psyneulink.functions.table import counterpart
from cogir.psyneulink.importer.conditions import is_trial_start
from cogir.psyneulink.importer.mechanism_record import RESET, WrittenNode
from cogir.psyneulink.pnl import component_of, variable_spec_of
from cogir.psyneulink.reader import Reader, UnsupportedFeature, computing, vector


def start_of(reader: Reader, node: Any, port: Any) -> Any:
    """The value of an OutputPort at the start, or, if the Mechanism is ever reset, the one that a reset gives it."""
    if not reader.is_reset(node) or not reader.is_identity(port.function):
        return vector(reader.get(port, "value"))
    with computing():
        items = reset_value(reader, node)
    match variable_spec_of(port):
        case ("OWNER_VALUE", int(index)):
            return vector(items[index])
        case _:
            return vector(reader.get(port, "value"))


def reset_value(reader: Reader, node: Any) -> Any:
    """The value of a Mechanism after a reset: the start values of its function, or its function of those of its integrator."""
    function = node.function
    if starts := initializers(reader, function):
        return starts
    for port in node.parameter_ports:
        shown, now = (one.values.get(reader.context_of(node)) for one in (port.parameters.value, port.source))
        if component_of(port.source) is function and now is not None and not np.array_equal(np.ravel(shown), np.ravel(now)):
            raise UnsupportedFeature(
                f"{type(node).__name__} {node.name!r}",
                f"it is reset, and the {port.name} of its function, from which the reset computes its value, was set after it ran",
                "set it before the first run, or run it in PsyNeuLink",
            )
    integrator = getattr(node, "integrator_function", None)
    if integrator is None:
        raise UnsupportedFeature(
            f"{type(node).__name__} {node.name!r}", "it is reset, but its function has no state", "leave has_initializers alone"
        )
    starts = initializers(reader, integrator)
    found = counterpart(function, reader.context_of(function), variable=starts[0])
    outputs, _, _ = found.step(found.arguments(starts[0]))
    return np.atleast_2d(found.value(outputs))


def kept_by_reset(node: Any, written: WrittenNode) -> tuple[str, ...]:
    """
    The states of a node that a reset of its Mechanism leaves as they are: all but those of the one Function that it resets. Counts of
    executions go on, as do the seeds with which generators were started last, and the states of Functions of ports.
    """
    own, integrator = node.function, getattr(node, "integrator_function", None)
    put_back_function = own if starting_states(own) else integrator
    put_back = {name for name, (owner, _) in written.state_of.items() if owner is put_back_function}
    for memory in written.memories:
        if memory.owner is put_back_function:
            put_back |= set(memory.states.values())
    if is_trial_start(node.reset_stateful_function_when):
        put_back |= {"executions_in_trial", RESET}
    return tuple(name for name in written.states if name not in put_back)


def check_not_read_early(composition: Any, ports: Sequence[Any], signals: Iterable[Any], why: str, remedy: str) -> None:
    """
    Refuses OutputPorts of a Mechanism that somebody may read between its reset and its execution in a trial, as they show something else
    there, or a Mechanism before which one of the signals is not made in each trial. The error says `why`.
    """
    mechanism = ports[0].owner

    def refuse(feature: str) -> UnsupportedFeature:
        title = f"{type(mechanism).__name__} {mechanism.name!r}"
        return UnsupportedFeature(title, f"{why}, and {feature}", remedy)

    conditions = composition.scheduler.conditions.conditions_basic
    if type(conditions.get(mechanism)).__name__ not in ("Always", "NoneType", "EveryNCalls"):  # by default, each call of one before it
        raise refuse("has a condition")
    if any(scale.name == "TRIAL" and type(end).__name__ != "AllHaveRun" for scale, end in composition.termination_processing.items()):
        raise refuse("a trial may end before it is executed")
    if any(type(one).__name__ == "Threshold" for one in (*conditions.values(), *composition.termination_processing.values())):
        raise refuse("a condition compares values")
    layer = {node: index for index, layer in enumerate(composition.scheduler.consideration_queue) for node in layer}
    for owner in (signal.owner for signal in signals):
        condition = type(conditions.get(owner)).__name__
        if layer.get(owner, NEVER) >= layer[mechanism] or condition not in ("Always", "NoneType", "EveryNCalls"):
            raise refuse(f"{owner.name!r} may be executed after it, or not in each trial")
    for projection in (each for port in ports for each in port.efferents):
        receiver = projection.receiver.owner
        if receiver in layer and layer[receiver] <= layer[mechanism]:
            raise refuse(f"{receiver.name!r} reads its value before it is executed")


def starting_states(function: Any) -> list[str]:
    """The Parameters of a Function that a reset puts back, in PsyNeuLink's order."""
    return [name for name in getattr(function, "stateful_attributes", ()) if name != "random_state"]


def initializers(reader: Reader, function: Any) -> list[Any]:
    """The states of a Function that a reset sets, in the order of its arguments, which is that of the value that it returns."""
    names = starting_states(function)
    if len(names) > 1:  # PsyNeuLink names them in an order that differs from process to process
        arguments = list(inspect.signature(function.reset).parameters)
        if not set(names) <= set(arguments):
            raise UnsupportedFeature(
                f"{type(function).__name__} {function.name!r}",
                "it is reset, but its reset does not take one value for each of its states",
                "leave reset_stateful_function_when alone, or run it in PsyNeuLink",
            )
        names.sort(key=arguments.index)
    return [reader.get(function, getattr(function.parameters, name).initializer or name) for name in names]
