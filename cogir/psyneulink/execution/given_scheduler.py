"""
`run(scheduler=...)`: another scheduler than the Composition's own decides what runs when, and counts.

PsyNeuLink then takes conditions from the one that is given and turns its clock, and leaves the Composition's own as it was; when trials and
runs end is still the Composition's. Natively the two change places for the time of the call.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from cogir.psyneulink.execution.start import RunStart
from cogir.psyneulink.pnl import TERMINATIONS, new_context
from cogir.psyneulink.reader import UnsupportedFeature
from cogir.psyneulink.state.clocks import OWN
from cogir.psyneulink.state.lazy_values import PENDING

HEEDING = ("call_before_trial", "call_after_trial", "runtime_params")
"""Arguments whose values may look at the scheduler that is given."""


def check_scheduler(composition: Any, method: str, given: dict[str, Any]) -> None:
    """Raises UnsupportedFeature for a call with a scheduler with which it is not native."""
    scheduler = given.get("scheduler")
    if scheduler is None:
        return

    def refuse(feature: str) -> UnsupportedFeature:
        who = f"Composition {composition.name!r}"
        return UnsupportedFeature(
            who, f"{method}() is called with scheduler{feature}", "set the conditions of the Composition's own scheduler"
        )

    if method != "run" or type(scheduler) is not type(composition.scheduler):
        raise refuse("")
    if composition.controller is not None:
        raise refuse(", and it has a controller, for which PsyNeuLink uses the Composition's own scheduler")
    heeding = [name for name in HEEDING if given.get(name)]
    if heeding:
        raise refuse(f" and {heeding[0]}")
    if scheduler.mode is not composition.scheduler.mode:
        raise refuse(" of another mode")


@contextmanager
def in_force(scheduler: Any, start: RunStart) -> Generator[None]:
    """
    Within the block, the Composition of a call has the conditions, the clock and the counts of a scheduler, and that has its. They
    change places after the `start` of the call, in which PsyNeuLink may make another scheduler for the Composition.
    """
    if scheduler is None:
        yield
        return
    start.make()
    composition = start.composition
    own = composition.scheduler
    if scheduler is own:
        yield
        return
    if scheduler.consideration_queue != own.consideration_queue:
        raise UnsupportedFeature(
            f"Composition {composition.name!r}",
            "run() is called with a scheduler that is older than the last change of its graph",
            "make a new scheduler",
        )
    exchange(own, scheduler)
    OWN[own] = scheduler
    try:
        yield
    finally:
        del OWN[own]
        exchange(own, scheduler)
        own.get_clock(new_context(start.execution_id))  # PsyNeuLink asks it for the time, whereby it begins to keep one


def exchange(one: Any, other: Any) -> None:
    """Lets two schedulers change places, but for what ends trials and runs."""
    PENDING.flush()
    PENDING.epoch += 1  # so that counts are copied in before the next trials
    one.__dict__, other.__dict__ = other.__dict__, one.__dict__
    for name in TERMINATIONS:  # PsyNeuLink takes these from the Composition's own scheduler nonetheless
        one.__dict__[name], other.__dict__[name] = other.__dict__[name], one.__dict__[name]
