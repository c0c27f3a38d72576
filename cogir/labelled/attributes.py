"""
Attributes of data, some of which are found when they are first read: the text of a model takes longer than a short run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from cogir.labelled.names import find


class Attributes(Mapping[str, Any]):
    """Texts, numbers, and lists and dicts of them, by name."""

    def __init__(self, values: Mapping[str, Any], later: Mapping[str, Callable[[], Any]]):
        """`later`: functions that give the values of further attributes."""
        self._values = dict(values)
        self._later = dict(later)

    def __getitem__(self, name: str) -> Any:
        if name in self._later and name not in self._values:
            self._values[name] = self._later[name]()
        return self._values[find(name, self._values | self._later, "attributes")]

    def get(self, name: str, default: Any = None) -> Any:
        """The attribute, or `default` if there is none."""
        return self[name] if name in self else default

    def __contains__(self, name: object) -> bool:
        return name in self._values or name in self._later

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys((*self._values, *self._later)))

    def __len__(self) -> int:
        return len(self._values.keys() | self._later.keys())

    def __getstate__(self) -> dict[str, Any]:
        """All values, the later ones too: what would find them stays behind."""
        return {"_values": dict(self), "_later": {}}

    def __repr__(self) -> str:
        return f"<attributes: {', '.join(self)}>"


def seed_notes(attributes: Mapping[str, Any]) -> list[str]:
    """The seed of a result, if its model draws, and whether its replicates go on from earlier runs of their context or begin fresh."""
    draws = bool(attributes.get("seeds") or attributes.get("generator_states"))
    return [
        *([f"seed {attributes['seed']}"] if draws and "seed" in attributes else []),
        *([] if "start" not in attributes else ["continued" if attributes.get("continued") else "fresh"]),
    ]
