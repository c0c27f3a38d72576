"""
Mechanisms that have finished, as conditions of a schedule ask.

PsyNeuLink does not note it: whenever it is asked, a TransferMechanism compares its value with its threshold as both stand then, and a DDM
what it has integrated. A model notes it in each execution, and begins with what PsyNeuLink would say.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cogir.psyneulink.pnl import comparison, new_context


def has_finished(mechanism: Any, key: Any) -> bool:
    """PsyNeuLink's `is_finished` of a Mechanism in an execution context, without what a TransferMechanism notes and logs as it is asked."""
    context, parameters = new_context(key), mechanism.parameters
    if not hasattr(parameters, "termination_measure_value"):
        return bool(mechanism.is_finished(context))
    threshold = threshold_of(mechanism, context)
    if threshold is None or not parameters.integrator_mode._get(context):
        return bool(parameters.is_finished_flag._get(context))
    measure, value = mechanism.termination_measure, parameters.value._get(context)
    match mechanism._termination_measure_num_items_expected:
        case 0:
            status = parameters.num_executions._get(context)._get_by_time_scale(measure)
        case 1:
            status = measure(np.squeeze(value))
        case _:
            status = measure([value, parameters.value.get_previous(context)])
    compared = comparison(parameters.termination_comparison_op._get(context))
    return bool(np.any(compared(np.atleast_1d(np.asarray(status, float)), threshold)))


def threshold_of(mechanism: Any, context: Any) -> Any:
    """The threshold with which a TransferMechanism compares its measure: the modulated one, where it has a ParameterPort."""
    try:
        return mechanism.get_mod_termination_threshold(context)
    except Exception:  # as PsyNeuLink does
        return mechanism.parameters.termination_threshold._get(context)
