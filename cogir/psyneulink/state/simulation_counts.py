"""
The executions of Mechanisms in the simulations of a search, which PsyNeuLink counts together with all others (`execution_count`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cogir.psyneulink.importer.search_levels import levels_of
from cogir.psyneulink.pnl import compositions_in
from cogir.psyneulink.state.controller import ControllerMirror, acts_always, search_space_of
from cogir.psyneulink.state.executions import ExecutionTimeline, StateBuffers


class SimulatedCounts:
    """The counts of what the searches of one controller simulate, as far as they do not depend on values."""

    def __init__(self, timeline: ExecutionTimeline, controller: ControllerMirror):
        self.controller, self.key = controller.controller, timeline.key
        self.offset = controller.found["searches"].offset
        self.composition = self.controller.agent_rep
        self.timeline = timeline
        self.simulations = int(np.prod([len(levels_of(axis)) for axis in search_space_of(self.controller.function)]))
        parts = set(compositions_in(self.composition))
        self.counts: list[tuple[Any, int]] = []
        """The components that are executed in each simulated trial, and how often."""
        for count in timeline.counts:
            called = self.calls(count.component) if timeline.owner.get(count.component) in parts else None
            if called and count.in_trial is None:
                self.counts.append((count.component, called))
        self.searching: list[tuple[Any, int]] = []
        """The controllers of nested Compositions, which search in each simulated trial, and how often."""
        for part in parts - {self.composition}:
            if simulations_of(part) and (called := self.calls(part)):
                self.searching.append((part.controller, called))

    def calls(self, node: Any) -> int | None:
        """The calls of a node per trial of the Composition, with those in searches of Compositions between them; None if trials differ."""
        calls = 1
        while node is not self.composition:
            owner = self.timeline.owner[node]
            trace = self.timeline.trace(owner)
            if trace is None:
                return None
            calls *= trace.calls[node] * (1 if owner is self.composition else 1 + simulations_of(owner))
            node = owner
        return calls

    def advance(self, before: StateBuffers, after: StateBuffers) -> None:
        """Counts the simulations of the searches in some trials that are over."""
        searches = int(after.si[self.offset] - before.si[self.offset])
        if not searches:
            return
        trials_simulated = int(self.controller.parameters.num_trials_per_estimate.get(self.key) or 1)
        for component, calls in (*self.counts, *self.searching):
            executed = component.parameters.execution_count
            executed.values[None] = np.array(int(executed.values[None]) + searches * self.simulations * trials_simulated * calls)


def simulations_of(composition: Any) -> int:
    """The trials that the controller of a Composition simulates in each trial; 0 if it does not search in all of them."""
    controller = composition.controller
    if not hasattr(controller, "agent_rep") or not composition.enable_controller or not acts_always(composition):
        return 0
    samples = [len(levels_of(axis)) for axis in search_space_of(controller.function)]
    return int(np.prod(samples)) * int(controller.parameters.num_trials_per_estimate.get() or 1)
