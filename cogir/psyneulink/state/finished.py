"""
Mechanisms that have finished, as conditions of a schedule ask.

PsyNeuLink does not note it: whenever it is asked, a TransferMechanism compares its value with its threshold as both stand then, and a DDM
what it has integrated. A model notes it in each execution, and begins with what PsyNeuLink would say.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cogir.psyneulink.pnl import comparison, executions_within, items_measured, new_context, raw_value
from cogir.psyneulink.state.previous_values import NoHistory


def has_finished(mechanism: Any, key: Any) -> bool:
    """PsyNeuLink's `is_finished` of a Mechanism in an execution context, without what a TransferMechanism notes and logs as it is asked."""
    context, parameters = new_context(key), mechanism.parameters
    if not hasattr(parameters, "termination_measure_value"):
        return bool(mechanism.is_finished(context))
    threshold = threshold_of(mechanism, context)
    if threshold is None or not raw_value(parameters.integrator_mode, context):
        return bool(raw_value(parameters.is_finished_flag, context))
    try:
        status = measured(mechanism, context)
    except NoHistory:  # as it was after its last execution
        return bool(raw_value(parameters.is_finished_flag, context))
    compared = comparison(raw_value(parameters.termination_comparison_op, context))
    return status is not None and bool(np.any(compared(np.atleast_1d(np.asarray(status, float)), threshold)))


def measured(mechanism: Any, context: Any) -> Any:
    """The measure of a TransferMechanism; None if it measures differences and there is no value before, as it has not been executed."""
    measure, parameters = mechanism.termination_measure, mechanism.parameters
    value = raw_value(parameters.value, context)
    match items_measured(mechanism):
        case 0:
            return executions_within(mechanism, measure, context)
        case 1:
            return measure(np.squeeze(value))
        case _ if not parameters.value.history.get(context.execution_id):
            return None
        case _:
            return measure([value, parameters.value.get_previous(context)])


def threshold_of(mechanism: Any, context: Any) -> Any:
    """The threshold with which a TransferMechanism compares its measure: the modulated one, where it has a ParameterPort."""
    try:
        return mechanism.get_mod_termination_threshold(context)
    except Exception:  # as PsyNeuLink does
        return raw_value(mechanism.parameters.termination_threshold, context)
