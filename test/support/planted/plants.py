"""
Planted wrong compilations: what one is, and the list of them.

Each breaks the compiler in one realistic way, by a monkeypatch that is undone afterwards. The interpreter is not touched, and says
what is right.
"""

from collections.abc import Callable
from dataclasses import dataclass

import pytest

Patch = pytest.MonkeyPatch
Plant = Callable[[Patch], None]


@dataclass(frozen=True)
class Planted:
    """A plant, and what a model must have for it to show at all (a tag of `support.random.models`; models without it are passed over)."""

    plant: Plant
    needs: str | None = None
    level: int = 0
    """How much LLVM optimises; 0 is much quicker, and enough for all that is not left to LLVM."""
    library: bool = False
    """Whether it changes compiled functions of the library, which are kept for the next model otherwise."""
    look: str = "run"
    """
    How it is looked for: in runs of random models, of models with "draws", "specialised" runs of them, "replicates" in lanes, or
    "derivatives" of networks.
    """


PLANTED: dict[str, Planted] = {}


def planted(needs: str | None = None, *, level: int = 0, library: bool = False, look: str = "run") -> Callable[[Plant], Plant]:
    """Adds a plant under the name of its function."""

    def add(plant: Plant) -> Plant:
        PLANTED[plant.__name__] = Planted(plant, needs, level, library, look)
        return plant

    return add
