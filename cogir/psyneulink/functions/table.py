"""
The table of PsyNeuLink's Functions: for each class by its name, the node function that it becomes, or why it becomes none.

`counterpart(f, context)` reads a live Function. Classes count by identity: one that somebody derived, or whose `_function` was replaced,
is refused and never taken for its base. PsyNeuLink is not imported; whoever has a Function has it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cogir.psyneulink.functions import learning as functions_learning
from cogir.psyneulink.functions import stateful as functions_stateful
from cogir.psyneulink.functions import transfer as functions_transfer
from cogir.psyneulink.functions import transform as functions_transform
from cogir.psyneulink.functions.counterpart import Counterpart
from cogir.psyneulink.functions.table_entry import FunctionReader, Table, TableEntry

_PACKAGE = "psyneulink.core.components.functions."
_FALLBACK = "run it in PsyNeuLink's Python mode"


def _refused(category: str, module: str, reason: str, remedy: str = _FALLBACK) -> TableEntry:
    return TableEntry(category, module, limits=reason, remedy=remedy)


_OPTIMIZATION = f"{_PACKAGE}nonstateful.optimizationfunctions"

REFUSED: dict[str, TableEntry] = {
    "GridSearch": _refused(
        "optimization",
        _OPTIMIZATION,
        "it calls the model itself, so it is not a function of numbers: it becomes the model's controller",
        "use it in an OptimizationControlMechanism",
    ),
    "GradientOptimization": _refused("optimization", _OPTIMIZATION, "it calls a Python objective function until it converges"),
    "GaussianProcess": _refused("optimization", _OPTIMIZATION, "PsyNeuLink does not implement it"),
    "OptimizationFunction": _refused("optimization", _OPTIMIZATION, "it calls Python functions that are given to it"),
    "PECOptimizationFunction": _refused(
        "optimization", f"{_PACKAGE}nonstateful.fitfunctions", "it fits parameters with an external optimizer"
    ),
    "UserDefinedFunction": _refused(
        "user",
        f"{_PACKAGE}userdefinedfunction",
        "its Python function is compiled from its source, not from this table",
        "give a function in the subset of docs/functions.md",
    ),
    "LeabraFunction": _refused(
        "library", "psyneulink.library.components.mechanisms.processing.leabramechanism", "it is a network of the leabra package"
    ),
    "ArgumentTherapy": _refused("example", f"{_PACKAGE}function", "an example; it draws from NumPy's global generator"),
    "EVCAuxiliaryFunction": _refused("control", f"{_PACKAGE}function", "it calls a Python function that is given to it"),
}

TABLE: Table = {
    **functions_transfer.ENTRIES,
    **functions_transform.ENTRIES,
    **functions_stateful.ENTRIES,
    **functions_learning.ENTRIES,
    **REFUSED,
}
"""Every class that PsyNeuLink 0.21 ships and that can be instantiated, by name."""


def counterpart(function: Any, context: Any = None, *, variable: Any = None, params: Mapping[str, Any] | None = None) -> Counterpart:
    """
    The live PsyNeuLink Function `function` as a node function, with its values in `context` (a Context, an execution id or None).

    `variable`: a value of the shape that it will be called with (default: its default variable). `params`: the runtime params of the call
    where the Function needs them (`error_matrix`, `memory_matrix`, `operation`).

    :raises ModelError: if it cannot be compiled; names the component, the feature and the remedy.
    """
    return FunctionReader(TABLE, function, context, variable, params).counterpart()
