"""
A schedule as resolved from `cog.schedule`: the layers of the nodes, and the condition of everything that can happen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from cogir.errors import ModelError
from cogir.model.conditions import AllHaveRun, Condition, EveryNCalls, Never, nodes_in, walk
from cogir.model.program import Program


@dataclass(frozen=True)
class Schedule:
    """A resolved `cog.schedule`: the layers in order, and a condition for everything that can happen."""

    layers: tuple[tuple[str, ...], ...]
    when: Mapping[str, Condition]
    trial_ends: Condition = field(default_factory=AllHaveRun)
    run_ends: Condition = field(default_factory=Never)
    resets: Mapping[str, Condition] = field(default_factory=dict[str, Condition])
    asides: Mapping[str, Condition] = field(default_factory=dict[str, Condition])
    """
    When controllers search and nodes that stand aside execute, where that is not in every trial; asked before the first time step, or
    after the last one.
    """
    program: Program | None = None
    """The program of trials, where it has been found at compile time (`cog.program`); conditions are then not evaluated."""

    @cached_property
    def nodes(self) -> tuple[str, ...]:
        """All nodes, layer by layer."""
        return tuple(node for layer in self.layers for node in layer)

    @cached_property
    def used_by(self) -> dict[str, tuple[str, ...]]:
        """user -> the nodes whose calls its EveryNCalls use."""
        return {
            node: tuple(dict.fromkeys(part.node for part in walk(self.when[node]) if isinstance(part, EveryNCalls))) for node in self.nodes
        }

    @cached_property
    def users_of(self) -> dict[str, tuple[str, ...]]:
        """node -> the nodes whose EveryNCalls use its calls."""
        users: dict[str, list[str]] = {node: [] for node in self.nodes}
        for user, dependencies in self.used_by.items():
            for dependency in dependencies:
                users[dependency].append(user)
        return {node: tuple(found) for node, found in users.items()}

    @cached_property
    def checked(self) -> Schedule:
        """This schedule; raises `ModelError` if it contradicts itself."""
        _check(self)
        return self

    def conditions(self) -> Iterator[Condition]:
        """All conditions and their parts."""
        for condition in (*self.when.values(), self.trial_ends, self.run_ends, *self.resets.values(), *self.asides.values()):
            yield from walk(condition)


def _check(schedule: Schedule) -> None:
    """The conditions speak of nodes that are there, and of calls that somebody can use."""
    nodes = set(schedule.nodes)
    if len(nodes) != len(schedule.nodes):
        raise ModelError("schedule: a node is in two layers; put each node into one layer")
    if odd := sorted(set(schedule.when) ^ nodes):
        raise ModelError(
            f"schedule: {_listed(odd)} are in a layer without a condition, or have a condition without a layer; give each node both"
        )
    for condition in schedule.conditions():
        if odd := sorted(set(nodes_in(condition)) - nodes):
            raise ModelError(
                f"schedule: a condition names {_listed(odd)}, which the schedule does not have; it has {_listed(list(schedule.nodes))}"
            )
    ownerless = (schedule.trial_ends, schedule.run_ends, *schedule.resets.values(), *schedule.asides.values())
    for condition in (part for whole in ownerless for part in walk(whole)):
        if isinstance(condition, EveryNCalls):
            raise ModelError(
                f"schedule: every_n_calls @{condition.node} is in the condition of a termination, a reset, a controller or a node "
                "outside the passes; it counts calls since its owner last ran, and these have no executions in the passes; use "
                "after_n_calls"
            )


def _listed(nodes: list[str]) -> str:
    return ", ".join(f"@{node}" for node in nodes)
