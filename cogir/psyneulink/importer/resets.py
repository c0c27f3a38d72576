"""
Where a reset puts a Mechanism, and what its OutputPorts then show.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, cast

import numpy as np

from cogir.limits import NEVER
from cogir.psyneulink.functions.table import counterpart
from cogir.psyneulink.importer.conditions import TRIAL_SCALES, conditions_on_finished, is_trial_start
from cogir.psyneulink.importer.finishing import thresholds
from cogir.psyneulink.importer.mechanism_record import RESET, WrittenNode
from cogir.psyneulink.pnl import comparison, component_of, items_measured, variable_spec_of
from cogir.psyneulink.reader import Reader, UnsupportedFeature, computing, vector


def start_of(reader: Reader, node: Any, port: Any) -> Any:
    """The value of an OutputPort at the start, or, if the Mechanism is ever reset, the one that a reset gives it."""
    if not reader.is_reset(node) or not is_known_after_reset(reader, port) or not shows_value(port):
        return vector(reader.get(port, "value"))
    with computing():
        item = reset_value(reader, node)[variable_spec_of(port)[1]]
        return vector(value_of(reader, port.function, item))


def shows_value(port: Any) -> bool:
    """True if an OutputPort depends on the value of its Mechanism."""
    spec = variable_spec_of(port)
    parts = cast("list[Any]", spec) if isinstance(spec, list) else [spec]
    return any("OWNER_VALUE" in (one, one[0]) for one in parts)


def is_known_after_reset(reader: Reader, port: Any) -> bool:
    """True if a reset gives an OutputPort a value that depends on the start of the Mechanism alone, or leaves it as it is."""
    if port.mod_afferents:
        return False
    if not shows_value(port):
        return True
    is_item, function = isinstance(variable_spec_of(port), tuple), port.function
    return is_item and (reader.is_identity(function) or not getattr(function, "cust_fct_params", None))


def value_of(reader: Reader, function: Any, item: Any) -> Any:
    """The value of a Function of an OutputPort that neither draws nor carries anything on."""
    if reader.is_identity(function):
        return item
    if type(function).__name__ == "UserDefinedFunction":
        return function.custom_function(np.asarray(item))
    found = counterpart(function, reader.context_of(function), variable=np.asarray(item))
    outputs, _, _ = found.step(found.arguments(np.asarray(item)))
    return found.value(outputs)


def draws_or_carries(function: Any) -> bool:
    """True if a Function gives something else when it is executed once more."""
    return bool(starting_states(function)) or hasattr(function.parameters, "random_state")


def unknown_after_reset(reader: Reader, mechanism: Any) -> list[Any]:
    """The OutputPorts of a Mechanism of which only PsyNeuLink knows what they show between a reset and an execution."""
    function = mechanism.function
    modulated = [port for port in mechanism.parameter_ports if port.mod_afferents and component_of(port.source) is function]
    if modulated and not starting_states(function):
        return list(mechanism.output_ports)
    return [port for port in mechanism.output_ports if not is_known_after_reset(reader, port)]


def check_reset(composition: Any, mechanism: Any, reader: Reader) -> None:
    """Refuses a Mechanism whose reset executes what draws or carries something on, or gives nodes what only PsyNeuLink knows."""

    def refuse(feature: str, remedy: str) -> UnsupportedFeature:
        return UnsupportedFeature(f"{type(mechanism).__name__} {mechanism.name!r}", f"it is reset, and {feature}", remedy)

    again = "draws or carries something on, and is executed in each reset, too"
    if not starting_states(mechanism.function) and draws_or_carries(mechanism.function):
        raise refuse(f"its function {again}", "put that function into a Mechanism after it")
    for port in mechanism.output_ports:
        if draws_or_carries(port.function):
            raise refuse(f"the function of its OutputPort {port.name!r} {again}", "put that function into a Mechanism after it")
    if unknown := unknown_after_reset(reader, mechanism):
        why = "it is reset, to values that depend on modulation, or has OutputPorts with functions of several items"
        check_not_read_early(composition, unknown, (), why, "leave them out", may_end=True)


def is_asked_if_finished(composition: Any, mechanism: Any) -> bool:
    """True if a condition of a Composition asks a Mechanism whether it has finished."""
    return any(not asked or mechanism in asked for asked in conditions_on_finished(composition))


def check_start(mechanism: Any, execution_id: Any, begins_run: bool) -> None:
    """Refuses a Mechanism that is reset, if it may have finished as soon as it is, in any call."""
    if may_have_finished(Reader(execution_id), mechanism):
        raise UnsupportedFeature(
            f"{type(mechanism).__name__} {mechanism.name!r}",
            "it is reset, and a condition asks if it has finished, as it may have as soon as it is reset",
            "give it a termination_threshold that it does not reach at its start",
        )


def may_have_finished(reader: Reader, mechanism: Any) -> bool:
    """True if a Mechanism that has just been reset may have finished, as PsyNeuLink compares its value whenever it is asked."""
    if not hasattr(mechanism, "termination_measure"):
        function = mechanism.function
        starts = initializers(reader, function)
        if not starts or getattr(function.parameters, "threshold", None) is None:
            return False
        known = thresholds(reader, function, "threshold", mechanism)
        return known is None or bool(np.any(np.abs(np.ravel(starts[0])[:1]) >= min(known)))
    threshold = reader.get(mechanism, "termination_threshold")
    if threshold is None or not reader.get(mechanism, "integrator_mode") or type(mechanism.termination_measure).__name__ == "TimeScale":
        return False
    if items_measured(mechanism) != 1:  # PsyNeuLink makes an error of it, and is to do so
        return True
    if unknown_after_reset(reader, mechanism):
        return True
    with computing():
        status = np.atleast_1d(mechanism.termination_measure(np.squeeze(np.asarray(reset_value(reader, mechanism)))))
    compared = comparison(reader.get(mechanism, "termination_comparison_op"))
    known = thresholds(reader, mechanism, "termination_threshold")
    return known is None or any(bool(np.any(compared(status, one))) for one in known)


WITH_AXIS = (
    "a trial has ended in which {name!r} is reset and not executed: PsyNeuLink's value has another shape then; execute it in each trial in "
    "which it is reset"
)
UNKNOWN = (
    "a trial has ended in which {name!r} is reset and not executed: what it shows then depends on modulation, or on a function of an "
    "OutputPort, and is known to PsyNeuLink alone; execute it in each trial in which it is reset"
)


def failure_after_reset(reader: Reader, mechanism: Any) -> str | None:
    """The message about a trial left to PsyNeuLink, as it ends after a reset of a Mechanism and before it executes; None if none is."""
    if len(starting_states(mechanism.function)) == 1:
        return WITH_AXIS.format(name=mechanism.name)
    return UNKNOWN.format(name=mechanism.name) if unknown_after_reset(reader, mechanism) else None


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


def reset_items(reader: Reader, node: Any, written: WrittenNode) -> dict[str, Any]:
    """The items of the value of a Mechanism after a reset, and of that of its function, by the ports that show them."""
    with computing():
        items = reset_value(reader, node)
    shown = written.function_values.get(node.function)
    found: dict[str, Any] = {}
    for names in (written.values, () if shown is None else shown.names):
        if len(names) == len(items):
            found |= {name: vector(item) for name, item in zip(names, items, strict=True)}
    return found


def kept_states(node: Any, written: WrittenNode) -> list[str]:
    """
    The states of a node that a reset of its Mechanism leaves as they are: all but those of the one Function that it resets. Counts of
    executions go on, as do the seeds with which generators were started last.
    """
    own, integrator = node.function, getattr(node, "integrator_function", None)
    put_back_function = own if starting_states(own) else integrator
    put_back = {name for name, (owner, _) in written.state_of.items() if owner is put_back_function} | {RESET}
    for memory in written.memories:
        if memory.owner is put_back_function:
            put_back |= set(memory.states.values())
    if is_trial_start(node.reset_stateful_function_when):
        put_back.add("executions_in_trial")
    return [name for name in written.states if name not in put_back]


def kept_ports(node: Any, written: WrittenNode) -> list[str]:
    """
    The ports of a node that a reset of its Mechanism leaves as they are: all but those that show its value, that of its function, and
    OutputPorts that depend on it.
    """
    own, counting = written.function_values.get(node.function), set(written.counting_ports)
    put_back = {*written.values, *(() if own is None else own.names)}
    put_back |= {name for port, name in written.ports.items() if port in node.output_ports and (shows_value(port) or port in counting)}
    return [name for name in written.outputs if name not in put_back]


def check_not_read_early(
    composition: Any, ports: Sequence[Any], signals: Iterable[Any], why: str, remedy: str, *, may_end: bool = False
) -> None:
    """
    Refuses OutputPorts of a Mechanism that somebody may read between its reset and its execution in a trial, as they show something else
    there, or a Mechanism before which one of the signals is not made in each trial. The error says `why`. `may_end`: a trial may end before
    the execution.
    """
    mechanism = ports[0].owner

    def refuse(feature: str) -> UnsupportedFeature:
        title = f"{type(mechanism).__name__} {mechanism.name!r}"
        return UnsupportedFeature(title, f"{why}, and {feature}", remedy)

    conditions = composition.scheduler.conditions.conditions_basic
    if type(conditions.get(mechanism)).__name__ not in ("Always", "NoneType", "EveryNCalls"):  # by default, each call of one before it
        raise refuse("has a condition")
    ends = composition.termination_processing.items()
    if not may_end and any(scale.name in TRIAL_SCALES and type(end).__name__ != "AllHaveRun" for scale, end in ends):
        raise refuse("a trial may end before it is executed")
    given = [part for one in (*conditions.values(), *composition.termination_processing.values()) for part in parts_of(one)]
    if any(type(one).__name__ == "Threshold" and (not may_end or one.dependency is mechanism) for one in given):
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


def parts_of(condition: Any) -> Iterator[Any]:
    """A condition, and those that it combines."""
    yield condition
    for part in getattr(condition, "args", ()):
        if hasattr(part, "is_satisfied"):
            yield from parts_of(part)


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
