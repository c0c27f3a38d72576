"""
Inputs of a run in every form that PsyNeuLink takes, as rows of numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from cogir.frontend.psyneulink.values import UnsupportedFeature
from cogir.psyneulink.library import copy_of, new_context

Floats: TypeAlias = npt.NDArray[np.float64]


class InputParser:
    """
    Reads inputs as PsyNeuLink does.

    PsyNeuLink's own parser says what an input means, and takes milliseconds. What it says of numbers depends on their shapes alone, so
    shapes whose meaning has turned out to be the plain one, trials by elements, are read here the next time.
    """

    def __init__(self, composition: Any):
        self.composition = composition
        self.names = [port.owner.name for port in composition.input_CIM_ports]
        self.plain: dict[tuple[Any, ...], tuple[int, ...]] = {}
        """For shapes that are known: the order in which the given nodes stand in a row."""

    def rows(self, inputs: Any, execution_id: Any) -> Floats:
        """The inputs of the trials, (trials, elements in the order of the input CIM)."""
        if not self.names and isinstance(inputs, np.ndarray):
            return cast(Floats, inputs)
        arrays = numbers_of(inputs)
        key = None if arrays is None else tuple((name, array.shape) for name, array in arrays.items())
        if arrays is not None and key in self.plain and (known := joined({name: arrays[name] for name in self.names})) is not None:
            return known
        parsed = self.parsed(inputs, execution_id)
        if arrays is not None and key is not None and sorted(arrays) == sorted(self.names):
            found = joined({name: arrays[name] for name in self.names})
            if found is not None and found.shape == parsed.shape and np.array_equal(found, parsed, equal_nan=True):
                self.plain[key] = found.shape
        return parsed

    def parsed(self, inputs: Any, execution_id: Any) -> Floats:
        """The rows as PsyNeuLink's parser has them."""
        composition = self.composition
        by_node, count = composition._parse_run_inputs(copy_of(inputs), new_context(execution_id))
        if not count:
            raise UnsupportedFeature(f"Composition {composition.name!r}", "its inputs have no trials", "give at least one trial")
        rows: list[Floats] = []
        for trial in range(count):
            given = {node: values[trial if len(values) > 1 else 0] for node, values in by_node.items()}
            rows.append(self.row_of(given, f"in trial {trial}"))
        return np.concatenate(rows)

    def row_of(self, given: Mapping[Any, Any], when: str = "") -> Floats:
        """The row of one trial, from what PsyNeuLink's parser says that each node gets."""
        values = [self.numbers(port, self.of_port(port, given), when) for port in self.composition.input_CIM_ports]
        return np.concatenate(values).reshape(1, -1) if values else np.zeros((1, 0))

    def numbers(self, port: Any, value: Any, when: str) -> Floats:
        """What an InputPort gets, end to end."""
        try:
            return np.ravel(np.asarray(value, float))
        except (TypeError, ValueError):
            raise UnsupportedFeature(
                f"Composition {self.composition.name!r}, input of {port.owner.name!r} {when}".rstrip(),
                f"{value!r:.60} is not numeric",
                f"give numbers of shape {np.shape(port.defaults.value)}",
            ) from None

    def of_port(self, port: Any, given: Mapping[Any, Any]) -> Any:
        """What one InputPort gets in a trial."""
        owner = port.owner
        if owner in given:
            ports = [held for held in self.composition.input_CIM_ports if held.owner is owner]
            return given[owner][ports.index(port)]
        holder = next(node for node in given if port in getattr(node, "input_CIM_ports", {}) or port in getattr(node, "input_ports", ()))
        return given[holder][list(holder.input_CIM.input_ports).index(port)]


def numbers_of(inputs: Any) -> dict[str, Floats] | None:
    """Arrays of numbers by the name of the node; None unless that is what the inputs are."""
    if not isinstance(inputs, Mapping):
        return None
    found: dict[str, Floats] = {}
    for node, value in cast("Mapping[Any, Any]", inputs).items():
        name = getattr(node, "name", node)
        try:
            array = np.asarray(value, float)
        except (TypeError, ValueError):
            return None
        if not isinstance(name, str) or not array.ndim:
            return None
        found[name] = array
    return found


def joined(arrays: Mapping[str, Floats]) -> Floats | None:
    """Trials by elements: all axes but the first of each array side by side; None where they differ in the number of trials."""
    columns = [array.reshape(len(array), -1) for array in arrays.values()]
    count = max(len(column) for column in columns)
    if any(len(column) not in (1, count) for column in columns):
        return None
    return np.concatenate([np.broadcast_to(column, (count, column.shape[1])) for column in columns], axis=1)
