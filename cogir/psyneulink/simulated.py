"""
What the simulations of a search leave in PsyNeuLink's counts of executions: they belong to no execution context that lasts, but all
executions of a Mechanism are counted together, and a new context goes on from a copy of the count that was made last.
"""

from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np

from cogir.frontend.psyneulink.control import levels_of
from cogir.psyneulink.contexts import compositions_in
from cogir.psyneulink.controller import ControllerTwin, acts_always
from cogir.psyneulink.held import look_up
from cogir.psyneulink.timeline import Banks, Count, Timeline


class Simulated:
    """The counts of what the searches of one controller simulate, as far as they do not depend on values."""

    def __init__(self, timeline: Timeline, controller: ControllerTwin):
        self.controller, self.key = controller.controller, timeline.key
        self.offset = controller.found["searches"].offset
        self.composition = self.controller.agent_rep
        self.is_after, self.timeline = controller.is_after, timeline
        space = look_up(self.controller.function.parameters.search_space.final_source.values, None)
        self.simulations = int(np.prod([len(levels_of(axis)) for axis in space]))
        parts = set(compositions_in(self.composition))
        self.counts: list[tuple[Count, int]] = []
        """What is executed in each simulated trial, and how often."""
        for count in timeline.counts:
            called = self.calls(count.component) if timeline.owner.get(count.component) in parts else None
            if called and count.in_trial is None:
                self.counts.append((count, called))

    def calls(self, mechanism: Any) -> int | None:
        """How often a Mechanism is called in each trial of the Composition; None if trials differ."""
        calls, node = 1, mechanism
        while node is not self.composition:
            owner = self.timeline.owner[node]
            trace = self.timeline.trace(owner)
            if trace is None:
                return None
            calls, node = calls * trace.calls[node], owner
        return calls

    def advance(self, before: Banks, after: Banks, trials: int) -> None:
        """Counts the simulations of the searches in some trials that are over."""
        searches = int(after.si[self.offset] - before.si[self.offset])
        if not searches:
            return
        trials_simulated = int(self.controller.parameters.num_trials_per_estimate.get(self.key) or 1)
        is_last = self.is_after and (trials == 1 or acts_always(self.composition))
        for count, calls in self.counts:
            parameters = count.component.parameters
            executed = parameters.execution_count
            executed.values[None] = np.array(int(executed.values[None]) + searches * self.simulations * trials_simulated * calls)
            if is_last:
                parameters.num_executions.values[None] = self.last(count.component, calls * trials_simulated)

    def last(self, mechanism: Any, executions: int) -> Any:
        """The count of the last simulation, which is a run of its own, from that of the trial before it."""
        time = copy(mechanism.parameters.num_executions.values[self.key])
        time.life += executions
        if mechanism in self.composition.nodes:
            time.environment_sequence = 0
        time.environment_sequence += executions
        return time


def forget_simulations(composition: Any, key: Any) -> None:
    """After a trial PsyNeuLink keeps nothing of the simulations before, such as those of evaluations by a script, unless it is told to."""
    controller, kept = composition.controller, composition.parameters
    if controller is None or look_up(kept.retain_old_simulation_data.values, None):
        return
    for parameter in (kept.simulation_results, controller.parameters.simulation_ids):
        found: Any = look_up(parameter.values, key)
        if isinstance(found, list) and not parameter.retain_old_simulation_data:
            found.clear()
