"""
The parts that only an EMComposition has: the memories of its fields, and the node that combines their scores.

A trial executes each memory twice: it first compares its query with its entries, and then, after the scores of all fields have been
combined, retrieves an entry and stores the query. PsyNeuLink asks the scheduler which of the two an execution is. Natively the number of
the execution in the trial tells it, which is the same under the conditions that EMComposition gives its nodes.
"""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import Any

import numpy as np

from cogir.psyneulink.functions.counterpart import ParameterPlace
from cogir.psyneulink.functions.table import counterpart
from cogir.psyneulink.importer.conditions import TRIAL_SCALES, plain_name, scale_of, waits_once
from cogir.psyneulink.importer.mechanism import MechanismWriter
from cogir.psyneulink.importer.mechanism_record import Called, WrittenNode
from cogir.psyneulink.importer.node_source import as_vector
from cogir.psyneulink.reader import UnsupportedFeature

COMBINING = "EMComposition._construct_combined_scores_node.<locals>._combined_scores_function"
"""The name of PsyNeuLink's function that combines scores."""


def external_memory(writer: MechanismWriter) -> WrittenNode:
    """An ExternalMemoryMechanism: scores in its first execution in a trial, retrieval and storage in the others."""
    variable = writer.input_ports()
    turn = as_vector(writer.executions_in_trial())
    called = writer.call(writer.mechanism.function, writer.stacked([*variable, turn]))
    show_matrix(writer)
    return writer.written([as_vector(held) for held in called.values()], variable)


def show_matrix(writer: MechanismWriter) -> None:
    """Shows in its ParameterPort the matrix that an execution begins with, which storage then changes."""
    (memory,) = writer.memories
    port = writer.port_of_parameter.get(memory.owner.scores_function.parameters.matrix.final_source)
    if port is not None:
        name = memory.states["memory"]
        held = writer.body.bind("matrix", f"{name}.T + 0.0", np.transpose(writer.body.states[name]))
        for parameter in ("value", "variable"):
            writer.observed_of[f"{port.name} {parameter}"] = (port, parameter, held)


def combines_scores(node: Any) -> bool:
    """True if a Mechanism is the one of an EMComposition that combines the scores of its fields."""
    function = getattr(node.function, "custom_function", None)
    return getattr(function, "__qualname__", "") == COMBINING and function.__module__.startswith("psyneulink.")


def combined_scores(writer: MechanismWriter) -> WrittenNode:
    """The node that combines the scores: their SoftMax, which it calls in no execution context, and the place of the smallest norm."""
    function = writer.mechanism.function
    variable = writer.input_ports()
    scores, norms = variable
    softmax = dict(zip(function.custom_function.__code__.co_freevars, function.custom_function.__closure__, strict=True))[
        "softmax_function"
    ]
    found = counterpart(softmax.cell_contents, None, variable=np.zeros(np.shape(scores.value)))
    if found.randoms:
        raise writer.refuse("it draws from a generator that PsyNeuLink does not keep by execution context", "use another softmax_choice")
    gain = writer.reader.get(function, "gain")
    if "gain" in found.params:
        places = {**found.places, "gain": ParameterPlace(function, "gain", None, ())}
        params = {**found.params, "gain": float(np.asarray(gain).item())}
        found = replace(found, places=MappingProxyType(places), params=MappingProxyType(params))
    weights = writer.call_counterpart(found, scores).outputs[0]
    weakest = writer.body.bind("weakest", f"1.0 * np.argmin({norms.text})", 0.0)
    places = [ParameterPlace(function, "value", 0, weights.shape), ParameterPlace(function, "value", 1, ())]
    writer.whole_numbers = frozenset((1,))
    writer.called[function] = Called([weights, weakest], None, places, exact=True)
    return writer.written([as_vector(weights), as_vector(weakest)], variable)


def check_turns(composition: Any, memory: Any) -> None:
    """Refuses a memory whose first execution in a trial may not be the one, and the only one, before scores are combined."""
    given = composition.scheduler.conditions.conditions_basic
    access = memory.access_condition
    combining = access.args[0] if plain_name(access) == "AfterNCalls" else None
    if not (
        is_count_of_calls(access, "AfterNCalls", combining)
        and is_by_turns(given.get(memory), combining)
        and all(given.get(node) is None or keeps_turns(node, given[node]) for node in composition.nodes)
    ):
        raise UnsupportedFeature(
            f"Composition {composition.name!r}",
            "it has other conditions than those that an EMComposition gives its nodes",
            "leave them alone",
        )


def keeps_turns(node: Any, condition: Any) -> bool:
    """True if a node has one of the conditions that an EMComposition gives its nodes, under which it waits for others once in a trial."""
    if waits_once(condition) or is_count_of_calls(condition, "BeforeNCalls", node) or hasattr(node, "access_condition"):
        return True
    parts = condition.args if plain_name(condition) == "All" else (condition,)
    return all(plain_name(part) == "AfterNCalls" and hasattr(part.args[0], "access_condition") for part in parts)


def is_by_turns(condition: Any, combining: Any) -> bool:
    """True if a memory executes until scores are combined, and then until its field has been retrieved."""
    parts = condition.args if condition is not None and plain_name(condition) == "Any" else ()
    if len(parts) != 2 or any(plain_name(part) != "All" or len(part.args) != 2 for part in parts):
        return False
    (given, before), (after, retrieved) = (part.args for part in parts)
    return (
        is_count_of_calls(given, "AfterNCalls")
        and is_count_of_calls(before, "BeforeNCalls", combining)
        and is_count_of_calls(after, "AfterNCalls", combining)
        and is_count_of_calls(retrieved, "BeforeNCalls")
    )


def is_count_of_calls(condition: Any, name: str, node: Any = None) -> bool:
    """True if a condition is this one, on the first call in a trial of this node (None: of any)."""
    return (
        plain_name(condition) == name
        and condition.args[1] == 1
        and scale_of(condition).name in TRIAL_SCALES
        and (node is None or condition.args[0] is node)
    )
