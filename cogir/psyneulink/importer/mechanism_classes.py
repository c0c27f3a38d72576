"""
The computation of each class of Mechanism: from its variable to its value, and when it has finished.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

import numpy as np

from cogir.psyneulink.functions.counterpart import ParameterPlace
from cogir.psyneulink.functions.noise import is_drawn
from cogir.psyneulink.importer.counts import WITHIN_PASS
from cogir.psyneulink.importer.counts import executions as count_executions
from cogir.psyneulink.importer.em_composition import combined_scores, combines_scores, external_memory
from cogir.psyneulink.importer.k_winners import UNSCALED, k_winners
from cogir.psyneulink.importer.learned_matrices import LearnedMatrix
from cogir.psyneulink.importer.learning_mechanisms import auto_associative, idle, learning, prediction_error
from cogir.psyneulink.importer.mechanism import MechanismWriter
from cogir.psyneulink.importer.mechanism_record import WrittenNode
from cogir.psyneulink.importer.node_source import Expression, Rows, as_vector
from cogir.psyneulink.importer.termination_measures import compilable
from cogir.psyneulink.importer.unmodified import always_finished
from cogir.psyneulink.reader import Reader, generator_of, plain, understood


def processing(writer: MechanismWriter) -> WrittenNode:
    """A Mechanism that applies its function to its variable."""
    if combines_scores(writer.mechanism):
        return combined_scores(writer)
    variable = writer.input_ports()
    called = writer.call(writer.mechanism.function, writer.stacked(variable))
    values = called.values()
    items = writer.items(values[0]) if len(values) == 1 else [as_vector(held) for held in values]
    return writer.written(items, variable)


def episodic(writer: MechanismWriter) -> WrittenNode:
    """An EpisodicMemoryMechanism: a ProcessingMechanism whose function is a memory."""
    if len(writer.mechanism.input_ports) == 1 and type(writer.mechanism.function).__name__ == "DictionaryMemory":
        raise writer.refuse("its DictionaryMemory has keys without values", "give it two InputPorts")
    return processing(writer)


def locus_coeruleus(writer: MechanismWriter) -> WrittenNode:
    """An LCControlMechanism: `scaling_factor_gain * w + base_level_gain`, then what its function gives."""
    mechanism = writer.mechanism
    variable = writer.input_ports()
    called = writer.call(mechanism.function, writer.stacked(variable))
    held: dict[str, Expression] = {}
    for name in ("scaling_factor_gain", "base_level_gain"):
        source = getattr(mechanism.parameters, name).final_source
        held[name] = writer.held_parameter(source, name, float(plain(writer.reader.get(mechanism, name))))
    second = called.outputs[1]
    text = f"{held['scaling_factor_gain'].text} * {second.text} + {held['base_level_gain'].text}"
    gain = writer.body.bind("gain", text, second.value)
    return writer.written([as_vector(item) for item in (gain, *called.outputs)], variable)


def transfer(writer: MechanismWriter) -> WrittenNode:
    """A TransferMechanism: noise or an integrator, then its function, then clipping; finished at its termination threshold."""
    mechanism, reader, body = writer.mechanism, writer.reader, writer.body
    variable = writer.input_ports()
    held = writer.stacked(variable)
    if getattr(mechanism, "has_recurrent_input_port", False):
        held = writer.call(mechanism.combination_function, held).outputs[0]
    integrates = bool(reader.get(mechanism, "integrator_mode"))
    noisy = is_drawn(noise := reader.get(mechanism, "noise")) or bool(np.any(np.asarray(noise) != 0.0))
    if isinstance(held, Rows) and (integrates or noisy or reader.get(mechanism, "clip") is not None):
        raise writer.refuse("it integrates, or has noise or clip, with InputPorts of different shapes", "give them the same shape")
    if integrates:
        held = writer.call(mechanism.integrator_function, held).outputs[0]
    elif noisy:
        added = writer.parameter(mechanism, "noise", held)
        held = body.bind("noisy", f"{held.text} + {added.text}", np.add(held.value, added.value))
    return transferred(writer, held, variable, integrates)


def kwta(writer: MechanismWriter) -> WrittenNode:
    """
    A KWTAMechanism: its variable is scaled, then its function and clipping. PsyNeuLink executes neither its integrator nor its noise;
    integrator_mode only makes it wait for its termination threshold.
    """
    mechanism, reader, body = writer.mechanism, writer.reader, writer.body
    integrates = bool(reader.get(mechanism, "integrator_mode"))
    reader.get(mechanism, "noise")
    check_integrator(writer, integrates)
    variable = writer.input_ports()
    held = writer.stacked(variable)
    if len(held.shape) != 1:
        raise writer.refuse(f"its variable has the shape {held.shape}, not one row", "give it one InputPort with one axis")
    given: list[str] = []
    for name in ("k_value", "threshold", "ratio"):
        number = writer.held_parameter(getattr(mechanism.parameters, name).final_source, name, float(plain(reader.get(mechanism, name))))
        given.append(f"{name}={number.text}")
    for name in ("average_based", "inhibition_only"):
        given.append(f"{name}={bool(reader.get(mechanism, name))}")
    call = f"{body.function_name(k_winners)}({', '.join((held.text, *given))})"
    scaled = body.bind("scaled", call, None)
    failed = body.state("unscaled", 0.0)
    body.successors[failed.text] = f"max({failed.text}, {scaled.text}[1])"
    writer.failures[failed.text] = UNSCALED
    return transferred(writer, Expression(f"{scaled.text}[0]", held.value), variable, integrates)


def check_integrator(writer: MechanismWriter, integrates: bool) -> None:
    """Refuses a KWTAMechanism that a run resets to its initial_value, which PsyNeuLink does although nothing else uses its integrator."""
    if integrates and writer.reader.is_reset(writer.mechanism):
        raise writer.refuse("it is reset during runs, to the start of its integrator, which it never executes", "leave integrator_mode out")


def transferred(writer: MechanismWriter, held: Expression, variable: list[Expression], integrates: bool) -> WrittenNode:
    """A TransferMechanism from the argument of its function on."""
    mechanism, reader, body = writer.mechanism, writer.reader, writer.body
    called = writer.call(mechanism.function, held)
    bounds = reader.get(mechanism, "clip")
    if len(called.values()) > 1:
        if bounds is not None or (integrates and reader.get(mechanism, "termination_threshold") is not None):
            raise writer.refuse(
                "its function has several values, and it has a clip or a termination_threshold", "leave clip and termination_threshold out"
            )
        return writer.written([as_vector(item) for item in called.values()], variable)
    result = called.outputs[0]
    if bounds is not None:
        low, high = body.param("clip_low", float(bounds[0])), body.param("clip_high", float(bounds[1]))
        result = body.bind("clipped", f"np.clip({result.text}, {low.text}, {high.text})", result.value)
    has_threshold = integrates and reader.get(mechanism, "termination_threshold") is not None and not always_finished(mechanism)
    finished = termination(writer, result) if has_threshold else None
    return writer.written(writer.items(result), variable, finished)


def termination(writer: MechanismWriter, result: Expression) -> str:
    """When a TransferMechanism has finished: its measure of its value compared with its threshold."""
    mechanism, reader, body = writer.mechanism, writer.reader, writer.body
    comparison = str(reader.get(mechanism, "termination_comparison_op"))
    threshold = writer.held_parameter(
        mechanism.parameters.termination_threshold.final_source,
        "termination_threshold",
        plain(reader.get(mechanism, "termination_threshold")),
    )
    if threshold.shape:
        raise writer.refuse("its termination_threshold is an array", "give one number")
    measure = mechanism.termination_measure
    if type(measure).__name__ == "TimeScale":
        return executions(writer, measure, f"{comparison} {threshold.text}")
    writer.measured = body.bind("measured", measured(writer, measure, result), 0.0)
    return f"{writer.measured.text} {comparison} {threshold.text}"


def measured(writer: MechanismWriter, measure: Any, result: Expression) -> str:
    """The termination_measure of the value of a TransferMechanism."""
    mechanism, body = writer.mechanism, writer.body
    if (known := compilable(measure)) is not None:
        if len(result.shape) == 2 and measure in (max, min, sum):
            raise writer.refuse(f"its termination_measure is {measure.__name__}, but its value has several rows", "give it one InputPort")
        return f"{body.function_name(known)}({result.text})"
    if type(measure).__name__ != "Distance":
        raise writer.refuse(f"its termination_measure {measure!r}", "use max, min, a TimeScale or Distance")
    place = ParameterPlace(mechanism, "value", None, np.shape(writer.reader.get(mechanism, "value")))
    previous = writer.own_state(place, "previous_result", np.array(result.value))
    body.successors[previous.text] = result.text
    size = int(np.prod(result.shape))
    pair = body.bind(
        "this_and_previous", f"np.array(({result.text}.reshape(({size},)), {previous.text}.reshape(({size},))))", np.zeros((2, size))
    )
    return writer.call(measure, pair).outputs[0].text


def executions(writer: MechanismWriter, scale: Any, test: str) -> str:
    """
    Finished after a number of executions in a run, a trial or a pass: within a pass, and in a time step, a node is executed once, until it
    has finished.
    """
    mechanism, reader, body = writer.mechanism, writer.reader, writer.body
    if scale.name not in WITHIN_PASS:
        writer.measured = count_executions(writer, scale)
        return f"{writer.measured.text} {test}"
    if not reader.get(mechanism, "execute_until_finished"):
        writer.measured = Expression("1.0", 1.0)
        return f"1.0 {test}"
    if reader.get(mechanism, "termination_threshold") > reader.get(mechanism, "max_executions_before_finished"):
        raise writer.refuse("its termination_threshold is more than max_executions_before_finished", "give a larger maximum")
    count = body.state("executions_in_pass", 0.0)
    writer.measured = Expression(f"({count.text} + 1.0)", 1.0)
    reached = f"{writer.measured.text} {test}"
    body.successors[count.text] = f"(0.0 if {reached} else {count.text} + 1.0)"
    return reached


def decision(writer: MechanismWriter) -> WrittenNode:
    """A DDM: one step of an integrator, finished at the threshold, or the analytical solution with a drawn decision."""
    mechanism = writer.mechanism
    variable = writer.input_ports()
    called = writer.call(mechanism.function, writer.stacked(variable))
    if type(mechanism.function).__name__ != "DriftDiffusionAnalytical":
        return writer.written([as_vector(held) for held in called.outputs], variable, called.finished)
    time, lower, *moments = called.outputs
    body = writer.body
    threshold = writer.held_parameter(mechanism.function.parameters.threshold.final_source, "threshold", 1.0)
    random = writer.random("random", mechanism, generator_of(mechanism, writer.reader.context_of(mechanism)))
    choice = body.bind("choice", f"-{threshold.text} if {random.text}.uniform() < {lower.text} else {threshold.text}", 1.0)
    named = {
        mechanism.DECISION_VARIABLE_INDEX: choice,
        mechanism.RESPONSE_TIME_INDEX: time,
        mechanism.PROBABILITY_LOWER_THRESHOLD_INDEX: lower,
        mechanism.PROBABILITY_UPPER_THRESHOLD_INDEX: Expression(f"(1.0 - {lower.text})", 0.5),
        **dict(zip(moment_indices(mechanism), moments, strict=True)),
    }
    return writer.written([as_vector(named[index]) for index in range(len(named))], variable)


def moment_indices(mechanism: Any) -> tuple[int, ...]:
    """The positions of the moments of the response times in the value of a DDM."""
    return tuple(
        getattr(mechanism, f"RT_{side}_{moment}_INDEX") for side in ("CORRECT", "INCORRECT") for moment in ("MEAN", "VARIANCE", "SKEW")
    )


WRITERS: dict[str, Callable[[MechanismWriter], WrittenNode]] = {
    "ProcessingMechanism": processing,
    "IntegratorMechanism": processing,
    "ObjectiveMechanism": processing,
    "EpisodicMemoryMechanism": episodic,
    "ExternalMemoryMechanism": external_memory,
    "ComparatorMechanism": processing,
    "LossMechanism": processing,
    "ControlMechanism": processing,
    "GatingMechanism": processing,
    "LCControlMechanism": locus_coeruleus,
    "TransferMechanism": transfer,
    "RecurrentTransferMechanism": transfer,
    "LCAMechanism": transfer,
    "KWTAMechanism": kwta,
    "DDM": decision,
    "LearningMechanism": learning,
    "AutoAssociativeLearningMechanism": auto_associative,
    "PredictionErrorMechanism": prediction_error,
}


def write_mechanism(
    mechanism: Any,
    reader: Reader,
    afferents: Callable[[Any], list[Any]],
    observed: bool = False,
    is_asked: bool = False,
    learned: Mapping[Any, LearnedMatrix] | None = None,
    is_idle: bool = False,
    before: Sequence[Any] = (),
    counted: Sequence[Any] = (),
) -> WrittenNode:
    """
    The Mechanism as a node function; refused unless its class is exactly one that is known. `is_idle`: PsyNeuLink does not execute it;
    `before`: Mechanisms after which conditions place it; `counted`: the time scales in which they ask for its executions. The other
    arguments are `MechanismWriter`'s.
    """
    kind = cast("type[Any]", type(mechanism))
    writer = WRITERS.get(kind.__name__)
    made = MechanismWriter(mechanism, reader, afferents, observed, is_asked, learned)
    made.come_after(before)
    for scale in counted:
        count_executions(made, scale)
    if is_idle:
        writer = idle
    if writer is None or not kind.__module__.startswith("psyneulink."):
        raise made.refuse(
            f"the class {kind.__name__} is not supported", f"use one of {', '.join(WRITERS)}, or a UserDefinedFunction in one of them"
        )
    with understood(made.refuse), np.errstate(all="ignore"):  # the values it starts with may be none that a trial computes with
        return writer(made)
