"""
Arguments of a call of `run` or `execute` that no native run honours, seen before anything is imported or compiled for the call.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from typing import Any, cast

from cogir.psyneulink.pnl import composition_class
from cogir.psyneulink.reader import UnsupportedFeature

HONOURED = frozenset(
    "self inputs num_trials context execution_mode call_before_trial call_after_trial termination_processing initialize_cycle_values"
    " reset_stateful_functions_to reset_stateful_functions_when skip_initialization skip_analyze_graph runtime_params scheduler log".split()
)
"""Arguments that a native run understands; any other must have its default value."""

REPORT_OPTIONS = {
    "report_output": "ReportOutput",
    "report_params": "",
    "report_progress": "ReportProgress",
    "report_simulations": "ReportSimulations",
    "report_to_devices": "ReportDevices",
}
"""Arguments of `run` and `execute` about reports, and the classes of their values, which PsyNeuLink checks; "": it checks none."""

PASSED_ON = frozenset(("synch_with_pnl_options", "retain_in_pnl_options", "bin_execute"))
"""Arguments that an AutodiffComposition adds to each call, that concern learning only, or that PsyNeuLink ignores."""

OF_EXECUTE = frozenset(("optimization_num", "report", "report_num"))
"""
Arguments that `run` itself gives to `execute`: it is an error to give them to `run`. It passes all others that it has no name for to
`execute`, and the one of a plain Composition ignores those.
"""

FINER = {f"call_{when}_{unit}": f"call_{when}_trial" for when in ("before", "after") for unit in ("time_step", "pass")}
"""Callbacks within a trial, and those that a native run has instead."""


def refused_call(composition: Any, method: str, feature: str, remedy: str) -> UnsupportedFeature:
    """The error for a call that cannot be native."""
    return UnsupportedFeature(f"Composition {composition.name!r}", f"{method}() is called {feature}", remedy)


def refused_argument(composition: Any, method: str, given: Mapping[str, Any], signature: inspect.Signature) -> UnsupportedFeature | None:
    """The error for an argument of a call that no native run honours; None if there is none."""
    for name, value in given.items():
        if name in HONOURED or name in REPORT_OPTIONS:
            continue
        default = signature.parameters[name].default
        if value is default or value in (None, False) or value == {}:
            continue
        if name == "kwargs" and (value.keys() <= PASSED_ON or ignores(composition, method, value)):
            continue
        if name in FINER:
            return refused_call(
                composition, method, f"with {name}, within a trial", f"use {FINER[name]}; native runs call back between trials"
            )
        named = ", ".join(cast("dict[str, Any]", value)) if name == "kwargs" else name
        return refused_call(composition, method, f"with {named}", f"leave {named} out for a native run")
    return None


def ignores(composition: Any, method: str, names: Iterable[str]) -> bool:
    """True if PsyNeuLink ignores arguments of these names, for which its method has none."""
    return type(composition) is composition_class() and (method == "execute" or OF_EXECUTE.isdisjoint(names))
