"""
A nested Composition that runs natively though the one around it does not.

What cannot be compiled runs in PsyNeuLink, which executes the Compositions in it trial by trial. Each of them that can be compiled is
executed natively then, unless more reaches it than its inputs: control from outside, learning, a simulation.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from copy import copy
from typing import Any, cast

import numpy as np

from cogir.errors import CogirError
from cogir.psyneulink.execution.deliveries import delivers
from cogir.psyneulink.execution.native_run import NativeRun
from cogir.psyneulink.importer.learned_matrices import learning_nodes
from cogir.psyneulink.pnl import init_counts, is_reporting
from cogir.psyneulink.state.controller import acts_always

_running_in: ContextVar[Any] = ContextVar("running_in", default=None)
"""The execution context of the run that PsyNeuLink does because a Composition cannot be compiled; None if it does none."""

PASSED = frozenset(("self", "context", "execution_mode"))
"""The arguments with which PsyNeuLink executes a nested Composition."""


@contextmanager
def parts_compiled(execution_id: Any) -> Generator[None]:
    """Within the block, what runs in this execution context runs in PsyNeuLink, but for the nested Compositions that compile."""
    token = _running_in.set(execution_id)
    try:
        yield
    finally:
        _running_in.reset(token)


def can_be_native(composition: Any, given: dict[str, Any]) -> bool:
    """True if a call is PsyNeuLink's execution of a nested Composition that nothing reaches but its inputs."""
    if _running_in.get() is None or not asks_for_no_more(given) or given["execution_mode"].is_compiled():
        return False
    if is_reporting() or delivers(given):  # of each execution
        return False
    context = given["context"]
    flags = cast(Any, type(context.runmode))
    is_plain = bool(context.execution_id == _running_in.get() and context.runmode == flags.DEFAULT_MODE)
    # A condition of its own counts the trials of a run, which nobody tells a nested Composition of.
    is_controlled_always = composition.controller is None or acts_always(composition)
    is_all_executed = not learning_nodes(composition)  # PsyNeuLink starts the clocks of those that only learning executes
    return is_plain and is_controlled_always and is_all_executed and not composition.parameter_CIM.afferents


def asks_for_no_more(given: dict[str, Any]) -> bool:
    """
    True if the arguments of a call are those of PsyNeuLink's execution of a nested Composition.

    An AutodiffComposition, and so an EMComposition, hands on all others that it may have, at what asks for nothing.
    """
    if not given.keys() >= PASSED:
        return False
    rest = {name: value for name, value in given.items() if name not in PASSED}
    rest |= rest.pop("kwargs", {})
    base, clamp = rest.pop("base_context", None), rest.pop("clamp_input", None)
    return (base is None or base.execution_id is None) and clamp in (None, "soft_clamp") and all(value is None for value in rest.values())


@contextmanager
def taken_back(interfaces: tuple[Any, ...], key: Any) -> Generator[None]:
    """
    Takes back the counts and the entries in logs of interfaces that the block executes, if it ends with an error of cogir.

    PsyNeuLink executes them once more then. Their values it assigns anew.
    """
    counts: list[tuple[Any, Any]] = []
    logs: list[tuple[Any, int]] = []
    for interface in interfaces:
        arriving = [projection for port in interface.input_ports for projection in port.path_afferents]
        executed = [interface, *interface.input_ports, *interface.parameter_ports, *interface.output_ports]
        times = [one.parameters.num_executions.values.get(key) for one in executed]
        counts += [(time, copy(time)) for time in times if time is not None]
        logged = [one for component in (*executed, *arriving) for one in component.parameters if one.log_condition]
        logs += [(parameter, len(parameter.log.get(key, ()))) for parameter in logged]
    try:
        yield
    except CogirError:
        for time, before in counts:
            time.__dict__.update(before.__dict__)
        for parameter, number in logs:
            for _ in range(len(parameter.log.get(key, ())) - number):
                parameter.log[key].pop()
        raise


def execute(composition: Any, context: Any, mode: str) -> Any:
    """One native trial of a nested Composition, from what has arrived at its inputs; returns the values of its outputs."""
    init_counts(composition.scheduler, context.execution_id)
    run = NativeRun(composition, context.execution_id, mode, shared=context)
    interfaces = (composition.input_CIM, composition.parameter_CIM)
    with taken_back(interfaces, context.execution_id):
        phases = cast(Any, type(context.runmode))
        context.execution_phase = phases.PROCESSING
        for interface in interfaces:
            interface.execute(context=context)
        context.execution_phase = phases.IDLE
        arrived = [np.ravel(port.parameters.value.get(context)) for _, port in composition.input_CIM_ports.values()]
        several = [port.parameters.variable for port in composition.input_CIM.input_ports if len(port.path_afferents) > 1]
        rows = [variable.get(context) for variable in several]
        run.part(np.concatenate([*arrived, np.zeros(0)]).reshape(1, -1))
    for variable, brought in zip(several, rows, strict=True):  # for the native trial what has arrived is one row
        variable.values[context.execution_id] = brought
    return composition.get_output_values(context)
