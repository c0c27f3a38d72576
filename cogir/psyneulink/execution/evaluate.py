"""
A call of `evaluate` by a script.

PsyNeuLink applies the allocation that is to be evaluated, and works out its costs and the net outcome; the trials in between, which the
controller sits out, are native.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, cast

from cogir.psyneulink.execution.refusals import check_not_refused
from cogir.psyneulink.pnl import is_simulating
from cogir.psyneulink.reader import UnsupportedFeature

_evaluating: ContextVar[tuple[Any, str | None]] = ContextVar("evaluating", default=(None, None))
"""The Composition of which a script evaluates an allocation, and the mode in which its trials are to run."""


@contextmanager
def trials_in(mode: str, composition: Any) -> Generator[None]:
    """Within the block, a script evaluates an allocation."""
    token = _evaluating.set((composition, mode))
    try:
        yield
    finally:
        _evaluating.reset(token)


def mode_of(composition: Any, method: str, given: dict[str, Any]) -> str | None:
    """The mode for a call by PsyNeuLink itself, if it is that of the trials in an evaluation by a script."""
    evaluated, mode = _evaluating.get()
    return mode if method == "run" and composition is evaluated and is_simulating(given.get("context")) else None


def simulated(composition: Any, context: Any, trials: Callable[[], Any]) -> Any:
    """
    What `trials`, a native run of a Composition, returns if it runs as PsyNeuLink simulates it in this `Context`: without the controller.
    """
    if composition.needs_update_graph:
        raise UnsupportedFeature(
            f"Composition {composition.name!r}",
            "evaluate() is called before PsyNeuLink has determined its inputs and outputs",
            "call run() first",
        )
    if composition.controller is None or context.execution_id not in composition.controller.parameters.value.values:
        raise UnsupportedFeature(
            f"Composition {composition.name!r}",
            "evaluate() is called in an execution context in which it has not run",
            "call run() in it first, or evaluate in the context of a previous run",
        )
    check_not_refused(composition, context.execution_id)  # as it runs, before it is asked anew as it is simulated
    flags = cast(Any, type(context.source))
    context.source, context.composition = flags.COMPOSITION, composition
    enabled = composition.enable_controller
    composition.enable_controller = False
    try:
        return trials()
    finally:
        composition.enable_controller = enabled
        context.execution_phase = flags.IDLE
