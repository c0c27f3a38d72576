"""
The records that cogir keeps of an object of PsyNeuLink, in the object itself.

Compiled forms refer to the Composition that they were made of. In a table of cogir's own they would keep it alive for ever, even in a weak
one, whose values may not refer to their keys; here it goes with them when a script drops it.
"""

from __future__ import annotations

from typing import Any, Self, TypeVar
from weakref import ref

ATTRIBUTE = "_kept_by_cogir"
T = TypeVar("T")


class ObjectRecords:
    """The records of one object, by class. A copy of the object has nothing of it."""

    def __init__(self, owner: Any = None):
        self.owner = None if owner is None else ref(owner)
        self.held: dict[type[Any], Any] = {}

    def is_of(self, owner: Any) -> bool:
        """True if it is kept of this object, and not of one that this is a shallow copy of."""
        return self.owner is not None and self.owner() is owner

    def __deepcopy__(self, memo: Any) -> Self:
        return type(self)()

    def __reduce__(self) -> tuple[type[Self], tuple[()]]:
        return type(self), ()


def kept(owner: Any, kind: type[T]) -> T:
    """The one object of a class, made without arguments, that is kept of `owner`."""
    found = owner.__dict__.get(ATTRIBUTE)
    if found is None or not found.is_of(owner):
        found = owner.__dict__[ATTRIBUTE] = ObjectRecords(owner)
    if kind not in found.held:
        found.held[kind] = kind()
    return found.held[kind]


__all__ = ["ATTRIBUTE", "kept"]
