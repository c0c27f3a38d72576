"""
Counts of the executions of a Mechanism that its OutputPorts take, or conditions compare: each includes the execution that is under way.

`execution_count` counts in all execution contexts together, `num_executions` in one of them and within a unit of time, and
`num_executions_before_finished` since the Mechanism had last finished. What the model counts goes on from PsyNeuLink's counts, which are
copied in before the trials of each call.
"""

from __future__ import annotations

from typing import Any

from cogir.psyneulink.importer.conditions import TRIAL_SCALES
from cogir.psyneulink.importer.mechanism_record import ExecutionsCounted
from cogir.psyneulink.importer.node_source import Expression
from cogir.psyneulink.importer.node_writer import NodeWriter

WITHIN_PASS = ("PASS", "TIME_STEP", "CONSIDERATION_SET_EXECUTION")
"""The names of the time scales in which a Mechanism is called at most once."""
SINCE_FINISHED = ("executions_before_finished", "had_finished")
"""The names of the states of `since_finished`."""


def executions(writer: NodeWriter, scale: Any = None) -> Expression:
    """The count of the executions of a Mechanism in a time scale (None: `execution_count`) that an execution finds at its end."""
    if scale is not None and scale.name in TRIAL_SCALES:
        return writer.executions_in_trial()
    if scale is not None and scale.name in WITHIN_PASS:
        return executions_in_call(writer, scale)
    counted = ExecutionsCounted(writer.mechanism, scale)
    if counted.is_of_run and not writer.observed:
        raise writer.refuse("it counts its executions in a run, which only native runs of PsyNeuLink tell", "count them in a trial")
    name = next((known for known, other in writer.counted.items() if other == counted), None)
    if name is None:
        start = 0.0 if writer.observed else counted.now(writer.reader.execution_id)
        name = writer.body.state("executions_in_all_contexts" if scale is None else f"executions_in_{scale.name.lower()}", start).text
        writer.body.successors[name] = f"{name} + 1.0"
        writer.counted[name] = counted
    return Expression(f"({name} + 1.0)", 1.0)


def executions_in_call(writer: NodeWriter, scale: Any) -> Expression:
    """The count of the executions of a Mechanism in a pass, in which it is called once."""
    if writer.finished is not None and writer.reader.get(writer.mechanism, "execute_until_finished"):
        raise writer.refuse(
            f"it counts its executions in a {scale.name}, in which it may be executed several times",
            "take num_executions_before_finished, or give execute_until_finished=False",
        )
    return Expression("1.0", 1.0)


def executions_before_finished(writer: NodeWriter) -> Expression:
    """The count of the executions of a Mechanism since it had last finished; one where each execution finishes."""
    if writer.finished is None:
        return Expression("1.0", 1.0)
    since, _ = since_finished(writer, writer.finished)
    return Expression(f"({writer.body.successors[since]})", 1.0)


def since_finished(writer: NodeWriter, finished: str) -> tuple[str, str]:
    """The states that count the executions since the Mechanism had last finished, and keep whether it had; `finished`: when it has."""
    body, limit = writer.body, writer.limit()
    since, had_finished = SINCE_FINISHED
    if since not in body.states:
        body.state(since, 0.0)
        body.state(had_finished, 1.0)
        body.successors[since] = f"(0.0 if {had_finished} > 0.5 else {since}) + 1.0"
        body.successors[had_finished] = f"1.0 if {finished} or {body.successors[since]} >= {limit!r} else 0.0"
    return SINCE_FINISHED
