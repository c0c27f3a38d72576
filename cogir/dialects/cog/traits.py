"""
The traits that operations of the `cog` dialect share.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.ir import Operation
from xdsl.traits import OpTrait
from xdsl.utils.exceptions import VerifyException


@dataclass(frozen=True)
class Inside(OpTrait):
    """The operation stands directly inside one of these operations, known by their names."""

    parents: tuple[str, ...]

    def __init__(self, *parents: str):
        object.__setattr__(self, "parents", parents)

    def verify(self, op: Operation) -> None:
        parent = op.parent_op()
        # A detached operation may still be put into the right place.
        if parent is not None and parent.name not in self.parents:
            raise VerifyException(f"{op.name} is in {parent.name}, but must be in {' or '.join(self.parents)}")
