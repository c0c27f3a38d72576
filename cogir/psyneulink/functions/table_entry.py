"""One line of the table of PsyNeuLink Functions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from cogir.psyneulink.functions.counterpart import Counterpart, Reader


@dataclass(frozen=True)
class Entry:
    """What is known of a PsyNeuLink Function class. Without `build` it is refused, for the reason in `limits`."""

    category: str
    module: str
    """Where PsyNeuLink defines the class."""
    functions: tuple[Callable[..., Any], ...] = ()
    """The library functions that it can become."""
    build: Callable[[Reader], Counterpart] | None = None
    parameters: tuple[str, ...] = ()
    """The Parameters that are values of the model."""
    constants: tuple[str, ...] = ()
    """The Parameters that the function is compiled for."""
    states: tuple[str, ...] = ()
    limits: str = ""
    """What is refused of it, or why all of it is."""
    remedy: str = ""
