"""
In which order the nodes of a model are considered: in layers, each after those on which it depends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from cogir.errors import ModelError


def dependencies_of(
    nodes: Sequence[str], projections: Iterable[tuple[str, str]], modulations: Iterable[tuple[str, str]]
) -> dict[str, tuple[str, ...]]:
    """
    node -> the nodes that are considered before it, without cycles; `projections`, `modulations`: pairs (sender, receiver), which count
    where both are among the nodes.

    PsyNeuLink's rules, in this order: self-projections do not count; a modulation that closes a cycle does not count; the nodes of a cycle
    that is left depend on what any of them depends on outside of it, so that they form one layer.
    """
    senders: dict[str, set[str]] = {name: set() for name in nodes}
    for source, target in projections:
        if source != target and source in senders and target in senders:
            senders[target].add(source)
    flexible = {(source, target) for source, target in modulations if source in senders and target in senders and source != target}
    flexible = {(source, target) for source, target in flexible if source not in senders[target]}
    for source, target in flexible:
        senders[target].add(source)
    cycles = cycles_of(senders)
    for source, target in sorted(flexible):
        if any(source in cycle and target in cycle for cycle in cycles):
            senders[target].discard(source)
            cycles = cycles_of(senders)
    for cycle in cycles:
        outside = {sender for node in cycle for sender in senders[node]} - set(cycle)
        for node in cycle:
            senders[node] = set(outside)
    position = {name: index for index, name in enumerate(nodes)}
    return {name: tuple(sorted(senders[name], key=position.__getitem__)) for name in nodes}


def layers_of(dependencies: Mapping[str, Iterable[str]]) -> tuple[tuple[str, ...], ...]:
    """Each node in the first layer after all its dependencies; within a layer, in the order of the mapping."""
    waiting = {node: set(before) for node, before in dependencies.items()}
    followers: dict[str, list[str]] = {node: [] for node in waiting}
    for node, before in waiting.items():
        for sender in before:
            followers[sender].append(node)
    position = {node: index for index, node in enumerate(waiting)}
    layers: list[tuple[str, ...]] = []
    layer = [node for node, before in waiting.items() if not before]
    while layer:
        layers.append(tuple(sorted(layer, key=position.__getitem__)))
        ready: list[str] = []
        for node in layer:
            for follower in followers[node]:
                waiting[follower].discard(node)
                if not waiting[follower]:
                    ready.append(follower)
        layer = ready
    if left := [node for node, before in waiting.items() if before]:
        raise ModelError(
            f"layers: the nodes {', '.join(f'@{node}' for node in left)} depend on each other in a cycle; make one projection of "
            "the cycle a feedback projection"
        )
    return tuple(layers)


def cycles_of(senders: Mapping[str, set[str]]) -> list[set[str]]:
    """The sets of two or more nodes that all reach each other (strongly connected components, by Tarjan's algorithm)."""
    order: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    on_stack: set[str] = set()
    found: list[set[str]] = []
    for root in senders:
        work: list[tuple[str, Iterator[str]]] = []
        if root not in order:
            order[root] = low[root] = len(order)
            stack.append(root)
            on_stack.add(root)
            work.append((root, iter(sorted(senders[root]))))
        while work:
            node, rest = work[-1]
            follower = next(rest, None)
            if follower is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == order[node]:
                    component: set[str] = set()
                    while node not in component:
                        component.add(stack.pop())
                    on_stack -= component
                    if len(component) > 1:
                        found.append(component)
            elif follower not in order:
                order[follower] = low[follower] = len(order)
                stack.append(follower)
                on_stack.add(follower)
                work.append((follower, iter(sorted(senders[follower]))))
            elif follower in on_stack:
                low[node] = min(low[node], order[follower])
    return found
