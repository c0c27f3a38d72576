"""
The names by which users ask for data: nodes, ports, and handles of the builder.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from cogir.errors import InputError, did_you_mean, shown, there_is


def path_of(key: Any) -> str:
    """`node`, or `node/port`, for a name, a pair of names, or a handle of the builder."""
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
