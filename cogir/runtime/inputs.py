"""
The inputs of a run, as users give them, as rows of numbers: one row per trial, one column per element of an input port.

A run cycles through the rows. An array that already is such rows is used as it stands, without a copy.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any, cast

import numpy as np

from cogir.errors import InputError
from cogir.runtime.numbers import NotNumbers, as_numbers
from cogir.runtime.outputs import path_of
from cogir.runtime.plan import Floats, Leaf, Plan, find


class InputReader:
    """Turns inputs into rows for one plan."""

    def __init__(self, plan: Plan):
        self.width = plan.size("in")
        self.why_none = "the model has no inputs; declare one: cog.input @node"
        """The message for inputs that are given to a model without any."""
        self.leaves = {path: plan.leaves[f"in:{path}"] for path in plan.inputs}
        self.names: dict[str, list[Leaf]] = {}
        for path, leaf in self.leaves.items():
            parts = path.split("/")
            for depth in range(1, len(parts) + 1):
                self.names.setdefault("/".join(parts[:depth]), []).append(leaf)
        only = next(iter(self.leaves.values())) if len(self.leaves) == 1 else None
        self._whole_numbers = [leaf for leaf in self.leaves.values() if leaf.dtype in ("i64", "i1")]
        self._single = only if only is not None and only.size == self.width else None

    def rows(self, inputs: Any) -> Floats:
        """
        The rows for `inputs`: a dict from node (or port) to one trial or a list of trials, or an array (trials, width).

        Ports that are not named get zeros in every trial, as in PsyNeuLink.
        """
        if inputs is None:
            return np.zeros((1, self.width))
        if not self.leaves and type(inputs) in (dict, list) and inputs:
            raise InputError(f"inputs: {self.why_none}")
        if isinstance(inputs, Mapping):
            rows = self._from_names(cast("Mapping[Any, Any]", inputs))
        elif isinstance(inputs, np.ndarray) or len(self.leaves) == 1:
            rows = self._whole(inputs)
        else:
            raise InputError(
                f"inputs: found a {type(inputs).__name__}, but the model has {len(self.leaves)} inputs; give trials by name, such as "
                f"{self._example()}, or a NumPy array of shape (trials, {self.width})"
            )
        for leaf in self._whole_numbers:
            _check_whole(rows[:, leaf.words], leaf)
        return rows

    def _example(self) -> str:
        """One trial for the first inputs, in a form that Python and JSON share."""
        shown = list(self.leaves.items())[:3]
        named = [f'"{path}": {_brief(json.dumps(np.zeros((1, *leaf.shape)).tolist()))}' for path, leaf in shown]
        return f"{{{', '.join([*named, *(['...'] if len(self.leaves) > len(shown) else [])])}}}"

    def _whole(self, inputs: Any) -> Floats:
        has_rows = isinstance(inputs, np.ndarray) and cast(Floats, inputs).shape[1:] == (self.width,)
        if self._single is not None and not has_rows:
            return _trials(inputs, self._single, self._single.path.removeprefix("in:"))
        array = _array(inputs, "all ports")
        if array.ndim == 1 and array.shape == (self.width,):
            array = array.reshape(1, self.width)
        if array.ndim != 2 or array.shape[1] != self.width or not len(array):
            raise InputError(f"inputs: the array has shape {array.shape}; one of shape (trials, {self.width}) is required")
        return array

    def _from_names(self, inputs: Mapping[Any, Any]) -> Floats:
        if len(inputs) == 1 and self._single is not None:
            key, values = next(iter(inputs.items()))
            name = path_of(key)
            if not isinstance(values, Mapping):
                find(name, self.names, "inputs")
                return _trials(values, self._single, name)
        columns: list[tuple[Leaf, Floats]] = []
        given: set[str] = set()
        for key, values in self._flat(inputs):
            leaves = self.names[find(key, self.names, "inputs")]
            for leaf, rows in zip(leaves, _split(values, leaves, key), strict=True):
                if leaf.path in given:
                    raise InputError(f"inputs: {leaf.path.removeprefix('in:')} is given twice; give it once")
                given.add(leaf.path)
                columns.append((leaf, rows))
        count = max((len(rows) for _, rows in columns), default=1)
        result = np.zeros((count, self.width))
        for leaf, rows in columns:
            if len(rows) not in (1, count):
                raise InputError(
                    f"inputs: {leaf.path.removeprefix('in:')} has {len(rows)} trials, but another input has {count}; give the same "
                    "number of trials for all inputs, or one trial for a constant input"
                )
            result[:, leaf.words] = rows
        return result

    def _flat(self, inputs: Mapping[Any, Any]) -> list[tuple[str, Any]]:
        """Names with values; a dict for a node gives its ports by name."""
        flat: list[tuple[str, Any]] = []
        for key, values in inputs.items():
            name = path_of(key)
            if isinstance(values, Mapping):
                flat += [(f"{name}/{path}", v) for path, v in self._flat(cast("Mapping[Any, Any]", values))]
            else:
                flat.append((name, values))
        return flat


def _brief(trials: str) -> str:
    return trials if len(trials) <= 40 else "[...]"


def _split(values: Any, leaves: list[Leaf], name: str) -> list[Floats]:
    """Values for one port, or for the ports of a node: (trials, ports, ...) or (trials, all elements)."""
    if len(leaves) == 1:
        return [_trials(values, leaves[0], name)]
    whole = _array(values, name)
    width = sum(leaf.size for leaf in leaves)
    if whole.size == width:
        whole = whole.reshape(1, width)
    elif whole.ndim >= 2 and math.prod(whole.shape[1:]) == width:
        whole = whole.reshape(len(whole), width)
    else:
        ports = ", ".join(leaf.path.removeprefix("in:") for leaf in leaves)
        raise InputError(
            f"inputs: {name} has {len(leaves)} ports ({ports}) with {width} elements, but the values have shape {whole.shape}; give "
            f'each port by name: {{"{name}": {{"port": trials, ...}}}}'
        )
    parts: list[Floats] = []
    start = 0
    for leaf in leaves:
        parts.append(whole[:, start : start + leaf.size])
        start += leaf.size
    return parts


def _trials(values: Any, leaf: Leaf, name: str) -> Floats:
    """Values for one port as rows (trials, elements); one trial may come without its own brackets."""
    array = _array(values, name)
    shape, size = leaf.shape, leaf.size
    if array.shape == shape:
        return array.reshape(1, size)
    if array.shape[1:] == shape and array.ndim:
        return array.reshape(len(array), size)
    if size == 1 and (array.ndim <= 1 or array.shape[1:] == (1,) * (array.ndim - 1)):
        return array.reshape(-1, 1)
    if array.ndim >= 2 and array.shape[1:] == (1, *shape):
        return array.reshape(len(array), size)
    raise InputError(
        f"inputs: {name} has shape {shape or '() (one number)'}, but the values have shape {array.shape}; give one trial of that "
        f"shape, or an array of shape (trials{''.join(f', {extent}' for extent in shape)})"
    )


def _array(values: Any, name: str) -> Floats:
    try:
        array = as_numbers(values)
    except NotNumbers as reason:
        raise InputError(f"inputs: the values for {name} are not an array of numbers: {reason}") from None
    if not array.size:
        raise InputError(f"inputs: the values for {name} are empty; give at least one trial")
    return np.ascontiguousarray(array)


def _check_whole(values: Floats, leaf: Leaf) -> None:
    """Refuses a fraction for a port of whole numbers, and what is neither 0 nor 1 for a flag."""
    try:
        as_numbers(values, np.int64 if leaf.dtype == "i64" else np.bool_)
    except NotNumbers as reason:
        raise InputError(f"inputs: the values for {leaf.path.removeprefix('in:')} are not valid: {reason}") from None
