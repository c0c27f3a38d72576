"""
Which blocks of a region dominate which, in nearly linear time.

A block dominates another when every path from the entry to the other goes through it.

The algorithm is that of Cooper, Harvey and Kennedy, *A simple, fast dominance algorithm* (2001); the tree that it
yields is numbered, so that a question is answered by two comparisons. (xDSL's `DominanceInfo` keeps a set of blocks
per block: quadratic, and too slow for functions with thousands of blocks.)
"""

from __future__ import annotations

from xdsl.ir import Block, Region


def reverse_post_order(region: Region) -> list[Block]:
    """The blocks that can be reached from the entry, each one before its successors except along back edges."""
    entry = region.first_block
    if entry is None:
        return []
    order: list[Block] = []
    seen = {entry}
    stack: list[tuple[Block, int]] = [(entry, 0)]
    while stack:
        block, position = stack.pop()
        last = block.last_op
        successors = last.successors if last is not None else ()
        if position < len(successors):
            stack.append((block, position + 1))
            following = successors[position]
            if following not in seen:
                seen.add(following)
                stack.append((following, 0))
        else:
            order.append(block)
    order.reverse()
    return order


class Dominance:
    """The dominance relation between the blocks of one region."""

    def __init__(self, region: Region):
        order = reverse_post_order(region)
        self._first: dict[Block, int] = {}
        self._last: dict[Block, int] = {}
        if order:
            self._number(order, _immediate_dominators(order))

    def is_reachable(self, block: Block) -> bool:
        """True if control can come to the block at all."""
        return block in self._first

    def dominates(self, a: Block, b: Block) -> bool:
        """True if `a` dominates `b` (a block dominates itself); both can be reached."""
        return self._first[a] <= self._first[b] and self._last[b] <= self._last[a]

    def _number(self, order: list[Block], dominators: list[int]) -> None:
        children: list[list[int]] = [[] for _ in order]
        for node in range(1, len(order)):
            children[dominators[node]].append(node)
        clock = 0
        stack = [(0, 0)]
        while stack:
            node, position = stack.pop()
            if position == 0:
                self._first[order[node]] = clock
                clock += 1
            if position < len(children[node]):
                stack.append((node, position + 1))
                stack.append((children[node][position], 0))
            else:
                self._last[order[node]] = clock


def _immediate_dominators(order: list[Block]) -> list[int]:
    """For each block (by its place in reverse post-order) the place of its immediate dominator; the entry's is 0."""
    place = {block: number for number, block in enumerate(order)}
    predecessors: list[list[int]] = [[] for _ in order]
    for number, block in enumerate(order):
        last = block.last_op
        for following in last.successors if last is not None else ():
            predecessors[place[following]].append(number)
    dominators = [-1] * len(order)
    dominators[0] = 0
    changed = True
    while changed:
        changed = False
        for node in range(1, len(order)):
            best = -1
            for candidate in predecessors[node]:
                if dominators[candidate] < 0:
                    continue
                best = candidate if best < 0 else _common(dominators, candidate, best)
            if dominators[node] != best:
                dominators[node] = best
                changed = True
    return dominators


def _common(dominators: list[int], a: int, b: int) -> int:
    """The nearest block that dominates both."""
    while a != b:
        while a > b:
            a = dominators[a]
        while b > a:
            b = dominators[b]
    return a
