"""
The ranks of a layered picture: each member above those that it sends to, as far as there are no cycles.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt
from typing import TypeAlias

from cogir.model.layers import cycles_of

Pair: TypeAlias = tuple[int, int]
"""Sender and receiver, by their numbers."""

WIDEST = 16
"""So many members may stand side by side, or more if there are many ranks."""


def downward(layers: Sequence[float], links: Sequence[Pair]) -> list[bool]:
    """
    True for each link whose sender stands above its receiver; the others point upwards. Without cycles in what points down.

    Members of an earlier layer stand above those of later ones. Within a layer, which may be a cycle of nodes, those come first that
    get something from other layers.
    """
    order = _order(layers, links)
    return [order[source] < order[target] for source, target in links]


def _order(layers: Sequence[float], links: Sequence[Pair]) -> list[int]:
    """The position of each member in one order of all of them."""
    count = len(layers)
    same: dict[str, set[str]] = {str(member): set() for member in range(count)}
    entered = [False] * count
    for source, target in links:
        if source != target and layers[source] == layers[target]:
            same[str(target)].add(str(source))
        elif layers[source] < layers[target]:
            entered[target] = True
    cycle_of = list(range(count))
    for cycle in cycles_of(same):
        first = min(map(int, cycle))
        for member in cycle:
            cycle_of[int(member)] = first
    depth = _depths(cycle_of, [(int(source), target) for target in range(count) for source in same[str(target)]])
    distance = _distances(cycle_of, same, entered)
    colour = _colours(cycle_of, same, distance)
    places = sorted(
        range(count),
        key=lambda member: (layers[member], depth[cycle_of[member]], cycle_of[member], distance[member], colour[member], member),
    )
    order = [0] * count
    for place, member in enumerate(places):
        order[member] = place
    return order


def _depths(cycle_of: Sequence[int], links: Sequence[Pair]) -> list[int]:
    """The length of the longest path to each cycle, by the number of its first member, within a layer."""
    followers: dict[int, list[int]] = {}
    waiting = [0] * len(cycle_of)
    for source, target in links:
        if cycle_of[source] != cycle_of[target]:
            followers.setdefault(cycle_of[source], []).append(cycle_of[target])
            waiting[cycle_of[target]] += 1
    depth = [0] * len(cycle_of)
    ready = [member for member in range(len(cycle_of)) if not waiting[member]]
    while ready:
        member = ready.pop()
        for follower in followers.get(member, ()):
            depth[follower] = max(depth[follower], depth[member] + 1)
            waiting[follower] -= 1
            if not waiting[follower]:
                ready.append(follower)
    return depth


def _distances(cycle_of: Sequence[int], same: dict[str, set[str]], entered: Sequence[bool]) -> list[int]:
    """The distance, within its cycle, of each member from the nearest one that gets something from an earlier layer."""
    count = len(cycle_of)
    followers: list[list[int]] = [[] for _ in range(count)]
    for target, sources in same.items():
        for source in sources:
            if cycle_of[int(source)] == cycle_of[int(target)]:
                followers[int(source)].append(int(target))
    has_entry = {cycle_of[member] for member in range(count) if entered[member]}
    distance = [
        0 if entered[member] or (cycle_of[member] not in has_entry and cycle_of[member] == member) else -1 for member in range(count)
    ]
    front = [member for member in range(count) if distance[member] == 0]
    while front:
        reached = sorted({follower for member in front for follower in followers[member] if distance[follower] < 0})
        for follower in reached:
            distance[follower] = distance[front[0]] + 1
        front = reached
    return distance


def _colours(cycle_of: Sequence[int], same: dict[str, set[str]], distance: Sequence[int]) -> list[int]:
    """A number for each member, other than those of its neighbours at the same distance, so that those without edges stand side by side."""
    count = len(cycle_of)
    neighbours: list[set[int]] = [set() for _ in range(count)]
    for target, sources in same.items():
        for one, two in ((int(source), int(target)) for source in sources):
            if cycle_of[one] == cycle_of[two] and distance[one] == distance[two]:
                neighbours[one].add(two)
                neighbours[two].add(one)
    colour = [-1] * count
    for member in range(count):
        taken = {colour[other] for other in neighbours[member]}
        colour[member] = next(number for number in range(count + 1) if number not in taken)
    return colour


def ranks(layers: Sequence[float], links: Sequence[Pair], keeps_top: Sequence[bool]) -> list[int]:
    """
    The rank of each member, from 0; `links` point down (the ends of those that point upwards are exchanged).

    A member stands one rank below the last of its senders. One without senders stands just above the first of its receivers, unless it
    `keeps_top`. Ranks that would be very wide are continued in the next one.
    """
    count = len(layers)
    senders: list[list[int]] = [[] for _ in range(count)]
    receivers: list[list[int]] = [[] for _ in range(count)]
    for source, target in links:
        senders[target].append(source)
        receivers[source].append(target)
    widest = max(WIDEST, 2 * isqrt(count))
    waiting = [len(senders[member]) for member in range(count)]
    rank = [0] * count
    held: dict[int, int] = {}
    ready = [member for member in range(count) if not waiting[member]]
    isolated = [member for member in ready if not receivers[member]]
    if len(isolated) > 1 and len(isolated) < count:
        widest_row = max(4, 2 * isqrt(len(isolated)))
        for number, member in enumerate(isolated):
            rank[member] = number // widest_row
    elif len(isolated) == count:
        widest = max(4, 2 * isqrt(count))
    while ready:
        following: list[int] = []
        for member in ready:
            while held.get(rank[member], 0) >= widest:
                rank[member] += 1
            held[rank[member]] = held.get(rank[member], 0) + 1
            for receiver in receivers[member]:
                rank[receiver] = max(rank[receiver], rank[member] + 1)
                waiting[receiver] -= 1
                if not waiting[receiver]:
                    following.append(receiver)
        ready = sorted(following)
    for member in range(count):
        if not senders[member] and receivers[member] and not keeps_top[member]:
            wanted = min(rank[receiver] for receiver in receivers[member]) - 1
            if held.get(wanted, 0) < widest:
                held[rank[member]] -= 1
                held[wanted] = held.get(wanted, 0) + 1
                rank[member] = wanted
    used = {old: new for new, old in enumerate(sorted(set(rank)))}
    return [used[each] for each in rank]
