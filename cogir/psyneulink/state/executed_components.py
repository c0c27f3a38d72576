"""
What PsyNeuLink executes when it executes a component: not all of its Functions and ports, and some without its execution context.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cogir.psyneulink.importer.controller import COSTS, enabled_costs
from cogir.psyneulink.importer.unread_parameters import is_idle
from cogir.psyneulink.pnl import functions_of
from cogir.psyneulink.reader import Reader

WITHOUT_CONTEXT = ("termination_measure", "one_hot_function", "distance_function")
"""Functions that are called, if at all, in no execution context."""


def called_by(component: Any, reader: Reader) -> Iterator[Any]:
    """The Functions in the Parameters of a component that an execution calls in its own execution context."""
    if _is(component, "Port_Base"):  # whose other Functions are also those of its function
        yield component.function
        return
    others = {id(_function(component, name)) for name in _not_called(component, reader)}
    for one in functions_of(component):
        if id(one) not in others and _is(one, "Function_Base"):
            yield one


def arriving_at(component: Any) -> Iterator[Any]:
    """The Projections to a port that a run without learning executes."""
    for projection in getattr(component, "all_afferents", ()):
        if not _is(projection, "LearningProjection"):
            yield projection


def _not_called(component: Any, reader: Reader) -> Iterator[str]:
    """The Parameters of a component whose Functions have nothing to do with its execution context."""
    yield from WITHOUT_CONTEXT
    integrator = _function(component, "integrator_function")
    if integrator is not None and is_idle(integrator, reader):
        yield "integrator_function"
    if not getattr(component, "has_recurrent_input_port", False):
        yield "combination_function"
    if _is(component, "Stability"):
        yield "transfer_fct"
    if type(component).__name__ == "TransferWithCosts":
        enabled = enabled_costs(component, reader)
        yield from (f"{kind}_cost_fct" for _, kind in COSTS if kind not in enabled)
        if not enabled:
            yield "combine_costs_fct"
            if _is(getattr(component, "owner", None), "Port_Base") and reader.is_identity(component):
                yield "transfer_fct"


def _function(component: Any, name: str) -> Any:
    """The value of a Parameter of a component that may have none of this name."""
    source = getattr(component.parameters.__dict__.get(name), "final_source", None)
    return None if source is None else source.values.get(None)


def is_executed(port: Any, reader: Reader) -> bool:
    """True if an execution of its Mechanism executes a port, which nothing overrides."""
    return is_assigned(port) and not is_overridden(port, reader)


def is_assigned(port: Any) -> bool:
    """True if an execution of its Mechanism assigns the value of a port: it executes it, or puts the value of a signal in its place."""
    if type(port).__name__ == "InputPort" and port.default_input is not None and not port.path_afferents:
        return False
    # PsyNeuLink does not execute those that a recurrent Projection takes its matrix from.
    of_matrix = type(port).__name__ == "ParameterPort" and port.name in ("auto", "hetero")
    return not (of_matrix and _is(port.owner, "RecurrentTransferMechanism"))


def is_overridden(port: Any, reader: Reader) -> bool:
    """True if a signal overrides the value of a port."""
    senders = [projection.sender for projection in getattr(port, "mod_afferents", ())]
    made = [sender for sender in senders if not isinstance(sender, type)]  # a class where a controller is asked for, and there is none
    return any(str(reader.get(sender, "modulation")) == "OVERRIDE" for sender in made)


def _is(component: Any, base: str) -> bool:
    """True if a component is of a class of PsyNeuLink, or of one derived from it."""
    return any(kind.__name__ == base for kind in type(component).__mro__)
