"""
The names by which users ask for data: nodes, ports, and handles of the builder.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from cogir.errors import InputError, did_you_mean, shown, there_is

Value = TypeVar("Value", covariant=True)


class ByName(Mapping[Any, Value]):
    """
    Values by name, in order. `in` and `get` take whatever indexing takes, such as handles of the builder; indexing raises `InputError`.

    Two of them are equal only if they are the same object. Subclasses define `__getitem__`, `__iter__` and `__len__`.
    """

    __slots__ = ()

    def __contains__(self, key: object) -> bool:
        """True if the object can be indexed with `key`."""
        try:
            self[key]
        except InputError:
            return False
        return True

    def get(self, key: Any, default: Any = None) -> Any:
        """The value of that name, or `default` if there is none."""
        return self[key] if key in self else default

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)


def path_of(key: Any) -> str:
    """`node`, or `node/port`, for a name, a pair of names, or a handle of the builder."""
    if type(key) is str:
        return key
    if isinstance(key, tuple):
        return "/".join(path_of(part) for part in cast("tuple[Any, ...]", key))
    address = getattr(key, "address", None)
    if address is not None:
        return f"{address.owner}/{address.name}"
    if isinstance(key, str):
        return key
    name = getattr(key, "name", None)
    if isinstance(name, str):
        return name
    raise InputError(f"found {shown(key)} as a name; give the name of a node, a pair (node, port), or a handle of the builder")


def find(wanted: str, known: Mapping[str, Any], what: str) -> str:
    """`wanted` if it is known; else an `InputError` that suggests a name."""
    if wanted in known:
        return wanted
    raise InputError(f'{what}: there is no "{wanted}"{did_you_mean(wanted, known) or there_is(known)}')
