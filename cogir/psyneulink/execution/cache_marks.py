"""
Marks in the cache that tell, before a Composition is read, that its code is likely to be there.

What the code is known by in the cache is made of the whole model, which takes as long to read as many a run. A mark is made of the names
and classes of nodes. It may be there when the code is not, if something else has changed: then the Composition is compiled after all.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from cogir.backend.cache import cache_key, open_cache
from cogir.errors import CacheError


def outline(composition: Any) -> str:
    """A text that is the same for the same Composition in another process, and is found in no time."""
    parts = [f"{type(composition).__name__} {composition.name}"]
    for node in composition.nodes:
        if hasattr(node, "input_CIM"):
            parts.append(f"({outline(node)})")
        else:
            parts.append(f"{type(node).__name__} {node.name} {type(node.function).__name__}")
    return "\n".join(parts)


def mark(composition: Any) -> None:
    """Notes beside the cache that the code of a Composition is in it."""
    with suppress(CacheError):
        open_cache().mark(cache_key("composition", outline(composition)))


def is_marked(composition: Any) -> bool:
    """True if the code of a Composition like this one has been in the cache."""
    try:
        return open_cache().is_marked(cache_key("composition", outline(composition)))
    except CacheError:
        return False
