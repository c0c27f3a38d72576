"""
Values of PsyNeuLink's components as plain data: copies that go into a file and can be compared without PsyNeuLink.

Arrays and numbers keep their shape and dtype; lists, tuples and arrays of objects become lists that begin with their kind.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

OF_PROCESS = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|0x[0-9a-f]{6,}")
"""What is another text in each process: drawn parts of the names of simulations, and addresses in memory."""
DEEPEST = 8
"""Levels of lists within lists; what lies deeper is no value of a model."""


def plain(value: Any, depth: int = 0) -> Any:
    """A value as plain data; a component or another object as the name of its class."""
    if isinstance(value, str):
        return OF_PROCESS.sub("<...>", value)
    if value is None or isinstance(value, bool | int | float):
        return value
    if (isinstance(value, np.ndarray) and value.dtype != object) or isinstance(value, np.generic):
        return np.array(value)
    if isinstance(value, np.random.RandomState | np.random.Generator):
        return generator(value)
    if type(value).__name__ in ("Time", "TimeHistory", "SimpleTime"):
        return str(value)
    if type(value).__name__ in ("Tensor", "Parameter") and hasattr(value, "detach"):
        return np.array(value.detach().cpu().numpy())
    if depth == DEEPEST:
        return "<too deep>"
    if isinstance(value, np.ndarray):
        return ["array", list(value.shape), *(plain(item, depth + 1) for item in value.ravel().tolist())]
    if isinstance(value, list | tuple):
        return ["list", *(plain(item, depth + 1) for item in value)]
    if isinstance(value, dict):
        return {f"{index}: {label(key)}": plain(item, depth + 1) for index, (key, item) in enumerate(value.items())}
    return f"<{type(value).__name__}>"


def label(key: Any) -> str:
    """The key of a dict as text that is the same in another process."""
    return type(key).__name__ if hasattr(key, "name") else str(key)[:60]


def generator(value: Any) -> dict[str, Any]:
    """The complete state of a generator."""
    state = value.get_state(legacy=False) if isinstance(value, np.random.RandomState) else value.bit_generator.state
    words = {name: np.array(item) for name, item in state["state"].items()}
    return {"generator": state["bit_generator"], **words, "rest": repr({name: item for name, item in state.items() if name != "state"})}
