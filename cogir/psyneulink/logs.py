"""
Logs: which values of a Composition are logged, and the entries that PsyNeuLink would have made while it ran natively.

PsyNeuLink makes an entry whenever it assigns a value: once for each execution. So what is executed at most once in a trial can be logged
from what each trial leaves behind; other logs, and those of values that nobody shows, are kept by PsyNeuLink alone.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from cogir.frontend.psyneulink.genuine import components_of
from cogir.frontend.psyneulink.values import UnsupportedFeature
from cogir.psyneulink.library import log_entry, log_flags, parameter_class
from cogir.psyneulink.timeline import Count, Timeline
from cogir.psyneulink.trace import Trace
from cogir.runtime.plan import Floats

_changes = [0]
"""How often a log condition has been set in this process."""


def notice_log_conditions() -> None:
    """From now on it is known when a log condition is set: looking for them takes as long as many runs."""
    parameter = parameter_class()
    original = parameter._set_log_condition
    if getattr(original, "noticed", False):
        return

    def noticed(self: Any, value: Any) -> None:
        _changes[0] += 1
        original(self, value)

    vars(noticed)["noticed"] = True
    parameter._set_log_condition = noticed


@dataclass(frozen=True)
class Logged:
    """A value that is logged."""

    component: Any
    parameter: Any

    @property
    def mechanism(self) -> Any:
        """The Mechanism whose executions assign it; None if there is none."""
        bases = {base.__name__ for base in type(self.component).__mro__}
        if "Mechanism" in bases:
            return self.component
        if "MappingProjection" in bases:
            return self.component.receiver.owner
        return self.component.owner if bases & {"InputPort", "OutputPort"} else None

    def refuse(self, why: str) -> UnsupportedFeature:
        """What is said of a log that only PsyNeuLink can keep."""
        kind, name = type(self.component).__name__, self.component.name
        return UnsupportedFeature(
            f"{kind} {name!r}", f"its {self.parameter.name!r} is logged, {why}", "log nothing, or run it in PsyNeuLink"
        )


def logged_in(composition: Any) -> list[Logged]:
    """What is logged of a Composition while it is processed."""
    processing = log_flags().processing
    found: list[Logged] = []
    for one in components_of(composition):
        for parameter in getattr(one, "parameters", ()):
            condition = getattr(parameter, "log_condition", None)
            if condition and parameter.loggable and getattr(parameter, "final_source", None) is parameter:
                logged = Logged(one, parameter)
                if any(getattr(each, "controller", None) is not None for each in components_of(composition)):
                    raise logged.refuse("and a controller simulates it")
                if int(condition) & processing:
                    found.append(logged)
    return found


def check(logged: Logged, owner: Mapping[Any, Any], trace: Callable[[Any], Trace | None], repeats: Callable[[Any], bool]) -> None:
    """
    Refuses a log of what is not assigned exactly once when its Mechanism is executed, at most once in a trial.

    `owner`: the Composition in which each node is; `trace`: what runs in its trials; `repeats`: whether a Mechanism may be executed
    several times when it is called.
    """
    mechanism = logged.mechanism
    if logged.parameter.name != "value" or mechanism not in owner:
        raise logged.refuse("which no run but PsyNeuLink's shows")
    if repeats(mechanism):
        raise logged.refuse("which may be executed several times in a trial")
    node: Any = mechanism
    while (composition := owner.get(node)) is not None:
        found = trace(composition)
        if found is None:
            raise logged.refuse("and trials differ in what is executed")
        if found.calls[node] > 1:
            raise logged.refuse("which is executed several times in a trial")
        node = composition


class Logs:
    """The logs of a Composition in one execution context."""

    def __init__(self, timeline: Timeline, key: Any):
        self.timeline, self.key = timeline, key
        self.counts = {count.component: count for count in timeline.counts}
        self.seen: Any = None
        self.items: list[tuple[Logged, Count, tuple[int, int]]] = []
        notice_log_conditions()

    def refresh(self) -> None:
        """Looks for what is logged, if a log condition has been set meanwhile; refuses what cannot be logged."""
        if self.seen == _changes[0]:
            return
        self.items = [self.kept(logged) for logged in logged_in(self.timeline.outer)]
        self.seen = _changes[0]

    def kept(self, logged: Logged) -> tuple[Logged, Count, tuple[int, int]]:
        """A value that is logged: where its Mechanism's executions are counted, and the pass and time step in which it runs."""
        check(logged, self.timeline.owner, self.timeline.trace, self.repeats)
        mechanism = logged.mechanism
        trace = self.timeline.trace(self.timeline.owner[mechanism])
        assert trace is not None
        return logged, self.counts[mechanism], trace.when.get(mechanism, (0, 0))

    def repeats(self, mechanism: Any) -> bool:
        """Whether a Mechanism may be executed several times when it is called."""
        return self.counts[mechanism].finishes and bool(np.asarray(mechanism.parameters.execute_until_finished.values.get(self.key, True)))

    def record(self, bank: Floats) -> None:
        """Makes the entries of the last trial."""
        for logged, count, (in_pass, step) in self.items:
            if bank[count.offset] != count.before:
                now = self.timeline.owner[count.component].scheduler.clocks[self.key].time
                value = np.array(logged.parameter.values[self.key])
                entry = log_entry(now.environment_sequence, now.environment_state_update - 1, in_pass, step, value)
                logged.parameter.log.setdefault(self.key, deque()).append(entry)
