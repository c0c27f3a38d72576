"""
The counts of the compiled model's schedule and those of PsyNeuLink's scheduler: copied in before some trials, and out after them where
values have decided what runs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from cogir.psyneulink.importer.imported import Imported
from cogir.psyneulink.pnl import init_counts, time_scales
from cogir.runtime.plan import PlanSlot, Words

OWN: dict[Any, Any] = {}
"""By the schedulers of Compositions that run with another one: the object that holds their own clocks and counts meanwhile."""


@dataclass
class CompositionCounts:
    """The places of the counts of one Composition in the compiled model."""

    imported: Imported
    key: Any
    calls: dict[tuple[str, Any], int] = field(default_factory=dict[tuple[str, Any], int])
    """Calls of nodes by scale and node."""
    clock: dict[str, int] = field(default_factory=dict[str, int])
    """Passes and time steps since the beginning."""
    just_ran: dict[Any, int] = field(default_factory=dict[Any, int])
    satisfied: dict[int, int] = field(default_factory=dict[int, int])
    """The place of the count of each NWhen, by its number."""
    given: list[tuple[int, Callable[[bool], Any]]] = field(default_factory=list[tuple[int, Callable[[bool], Any]]])
    """The places of PsyNeuLink's counts, and functions that return them, given whether a run begins."""

    def __post_init__(self) -> None:
        scales = time_scales()
        self.units = {"time_step": scales.step, "pass": scales.pass_, "trial": scales.trial, "run": scales.run, "life": scales.life}
        self.scheduler = self.imported.composition.scheduler
        nodes = self.imported.composition.nodes
        self.nodes = {handle.name: node for node, handle in self.imported.nodes.items() if node in nodes}

    def find(self, slot: PlanSlot, name: str) -> None:
        """Notes what a slot counts; `name`: its path in the model of this Composition."""
        if name.startswith("clock:"):
            _, unit, within = name.split(":")
            if within == "life":
                self.clock[unit] = slot.offset
            self.given.append((slot.offset, lambda _: self.elapsed(self.units[unit], within)))
        elif name.startswith("have_run:"):
            scale = self.units[name.removeprefix("have_run:")]
            self.given.append((slot.offset, lambda begins: sum(self.called(node, scale, begins) > 0 for node in self.nodes.values())))
        elif name.startswith("n_when:"):
            number = int(name.removeprefix("n_when:"))
            self.satisfied[number] = slot.offset
            satisfactions = self.imported.counted[number].satisfactions
            self.given.append((slot.offset, lambda _: satisfactions.get(self.key, 0)))
        elif name.endswith("/just_ran"):
            node = self.nodes[name.removesuffix("/just_ran")]
            self.just_ran[node] = slot.offset
            self.given.append((slot.offset, lambda _: node in (self.scheduler.execution_list[self.key] or [()])[-1]))
        elif "/calls:" in name:
            of, _, scale_name = name.rpartition("/calls:")
            node, scale = self.nodes[of], self.units[scale_name]
            self.calls[scale_name, node] = slot.offset
            self.given.append((slot.offset, lambda begins: self.called(node, scale, begins)))

    def elapsed(self, unit: Any, within: str) -> int:
        """The number of units on PsyNeuLink's clock within a wider one; a trial begins with a new pass."""
        if within == "pass":
            return 0
        tree = self.scheduler.clocks[self.key].history
        for _ in range(("life", "run", "trial").index(within)):
            tree = tree.children[-1]
        return tree.total_times[unit]

    def called(self, node: Any, scale: Any, begins: bool) -> int:
        """The number of calls of a node by PsyNeuLink's scheduler."""
        return 0 if begins and scale is self.units["run"] else self.scheduler.counts_total[self.key][scale][node]

    def copy_in(self, buffer: Words, begins: bool) -> None:
        """Sets the model's counts; `begins`: these are the first trials of a run of this Composition."""
        is_new = self.key not in self.scheduler.clocks  # a nested Composition that never runs gets none in PsyNeuLink
        if self.given and not is_new:
            init_counts(self.scheduler, self.key)
        for offset, count in self.given:
            buffer[offset] = 0 if is_new else count(begins)

    def copy_out(self, before: Words, buffer: Words, begins: bool) -> tuple[int, int, dict[Any, int]]:
        """
        Puts counts that only the model knows into PsyNeuLink's scheduler.

        Returns how many passes, time steps, and calls of each node there were; `before`: the model's counts before these trials.
        """
        units, totals = self.units, self.scheduler.counts_total[self.key]
        calls: dict[Any, int] = {}
        for node in self.nodes.values():
            life = self.calls["life", node]
            calls[node] = int(buffer[life] - before[life])
            totals[units["run"]][node] = self.called(node, units["run"], begins) + calls[node]
            totals[units["life"]][node] = int(buffer[life])
            totals[units["trial"]][node] = int(buffer[self.calls["trial", node]])
            totals[units["pass"]][node] = totals[units["time_step"]][node] = int(buffer[self.calls["pass", node]])
        if self.just_ran:
            self.scheduler.execution_list[self.key].append({node for node, offset in self.just_ran.items() if buffer[offset]})
        for number, offset in self.satisfied.items():
            self.imported.counted[number].satisfactions[self.key] = int(buffer[offset])
        passes, steps = (int(buffer[self.clock[unit]] - before[self.clock[unit]]) for unit in ("pass", "time_step"))
        return passes, steps, calls
