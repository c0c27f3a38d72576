"""
Chains of insertions: a buffer is written slot by slot, and the versions in between are not read.

```mlir
%b1 = tensor.insert_slice %x into %b[0] [2] [1]     // one chain of three, with the base %b:
%b2 = tensor.insert_slice %y into %b1[2] [2] [1]    // it writes the elements 0 .. 5, each of them once
%b3 = tensor.insert %z into %b2[%c4]
return %b3
```

A model of a thousand nodes ends its trial with a chain of thousands. What is asked about a chain is answered without
walking along it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.dialects import tensor
from xdsl.ir import Operation, SSAValue

from cogir.irutils import constant_int, shape_of

Insertion = tensor.InsertOp | tensor.InsertSliceOp


class Chain:
    """Insertions at known places into versions of a one-dimensional tensor that have no other use."""

    def __init__(self, members: Sequence[tuple[Insertion, tuple[int, int]]]):
        self.base: SSAValue = members[0][0].dest
        self.first = members[0][0]
        self.number: dict[Operation, int] = {op: number for number, (op, _) in enumerate(members)}
        size = shape_of(self.base.type)[0]
        self._writers = np.zeros(size, np.int64)
        """The number of members that write each element."""
        self._last_writer = np.full(size, -1)
        """The last of them."""
        for number, (_, (start, stop)) in enumerate(members):
            self._writers[start:stop] += 1
            self._last_writer[start:stop] = number

    def writes_alone(self, start: int, stop: int) -> bool:
        """True if no element is written by two members."""
        return int(self._writers[start:stop].max()) <= 1

    def overwrites(self, start: int, stop: int, since: Operation) -> bool:
        """True if all the elements are written by `since` or by members after it."""
        return int(self._last_writer[start:stop].min()) >= self.number[since]


class Chains:
    """The chains of a function, each found when one of its members is asked for."""

    def __init__(self) -> None:
        self._found: dict[Operation, Chain | None] = {}

    def of(self, op: Operation) -> Chain | None:
        """The chain that an operation belongs to, if it is an insertion at a known place."""
        if op not in self._found:
            members = _members(op)
            chain = Chain(members) if members else None
            self._found[op] = chain
            for member, _ in members:
                self._found[member] = chain
        return self._found[op]


def span(op: Operation) -> tuple[int, int] | None:
    """The elements `start` .. `stop` of a one-dimensional tensor that an insertion writes, if they are known and side by side."""
    match op:
        case tensor.InsertOp() if len(op.indices) == 1:
            index = constant_int(op.indices[0])
            return None if index is None else (index, index + 1)
        case tensor.InsertSliceOp() if not op.offsets and op.static_strides.get_values() == (1,):
            start, size = op.static_offsets.get_values()[0], op.static_sizes.get_values()[0]
            return start, start + size
        case _:
            return None


def _members(op: Operation) -> list[tuple[Insertion, tuple[int, int]]]:
    """The longest chain around an insertion, in order."""
    place = span(op)
    if place is None or not isinstance(op, Insertion):
        return []
    before: list[tuple[Insertion, tuple[int, int]]] = []
    current: Insertion = op
    while current.dest.has_one_use():
        owner = current.dest.owner
        if not isinstance(owner, Insertion) or owner.parent is not op.parent or (where := span(owner)) is None:
            break
        before.append((owner, where))
        current = owner
    after: list[tuple[Insertion, tuple[int, int]]] = []
    current = op
    while (use := current.result.get_user_of_unique_use()) is not None:
        if not isinstance(use, Insertion) or use.dest is not current.result or use.parent is not op.parent or (where := span(use)) is None:
            break
        after.append((use, where))
        current = use
    return [*reversed(before), (op, place), *after]
