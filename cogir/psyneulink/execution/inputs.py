"""
Inputs of a run in every form that PsyNeuLink takes, as rows of numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from inspect import isgenerator
from typing import Any, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from cogir.psyneulink.pnl import copy_of, init_counts, inputs_of_execute, parsed_run_inputs, parsed_trial_inputs
from cogir.psyneulink.reader import UnsupportedFeature, real

Floats: TypeAlias = npt.NDArray[np.float64]
Places: TypeAlias = npt.NDArray[np.int64]
Path: TypeAlias = tuple[Any, ...]
MARK = 1000.37109375
"""The first of the numbers that the parser is asked about; a fraction that no default value has, and no rounding."""


@dataclass(frozen=True)
class ReadyRows:
    """Inputs that are known as rows of numbers; made when they are asked for, after the checks of a call."""

    make: Callable[[], Floats]


class InputParser:
    """
    Reads inputs as PsyNeuLink does.

    PsyNeuLink's own parser says what an input means, and takes milliseconds. What it says of numbers depends on their shapes alone. So when
    it is asked for the second time about numbers of certain shapes, it is asked about such whose every number is another one: that tells
    where each number goes, and from then on they are put there.
    """

    def __init__(self, composition: Any):
        self.composition = composition
        self.has_ports = bool(composition.input_CIM_ports)
        self.seen: set[tuple[Any, ...]] = set()
        """The shapes that were met once."""
        self.places: dict[tuple[Any, ...], Places | None] = {}
        """For shapes that were met twice: which of the given numbers stands where in the rows; None if something else stands there, too."""

    def rows(self, inputs: Any, execution_id: Any) -> Floats:
        """The inputs of the trials, (trials, elements in the order of the input CIM)."""
        return self.passed(self.read(inputs, execution_id))

    def passed(self, rows: Floats) -> Floats:
        """The rows as they are; refused if the identity matrices of PsyNeuLink's input CIM change them."""
        if np.isfinite(rows).all():  # to ask PsyNeuLink for the sizes takes longer
            return rows
        ports = list(self.composition.input_CIM_ports)
        changed = changed_by_identity(rows, [np.size(port.defaults.value) for port in ports])
        if changed is not None:
            raise UnsupportedFeature(
                f"Composition {self.composition.name!r}, input of {ports[changed].owner.name!r}",
                "some of its numbers are infinite or NaN, and PsyNeuLink multiplies them by an identity matrix, which spreads them",
                "give finite numbers, or run it in PsyNeuLink",
            )
        return rows

    def read(self, inputs: Any, execution_id: Any) -> Floats:
        """The inputs of the trials as numbers."""
        if isinstance(inputs, ReadyRows):
            return inputs.make()
        if not self.has_ports and isinstance(inputs, np.ndarray):
            return cast(Floats, inputs)
        arrays = numbers_of(inputs)
        if arrays is None:
            return self.parsed(inputs, execution_id)
        key = tuple((path, array.shape) for path, array in arrays.items())
        if key not in self.places:
            if key not in self.seen:
                parsed = self.parsed(inputs, execution_id)
                self.seen.add(key)
                return parsed
            self.places[key] = self.places_of(arrays, execution_id)
        places = self.places[key]
        numbers = np.concatenate([array.ravel() for array in arrays.values()])
        return self.parsed(inputs, execution_id) if places is None else numbers[places]

    def places_of(self, arrays: Mapping[Path, Floats], execution_id: Any) -> Places | None:
        """The places into which the parser puts numbers of these shapes."""
        marks = np.arange(sum(array.size for array in arrays.values())) + MARK
        probe: dict[Any, Any] = {}
        first = 0
        for path, array in arrays.items():
            held = probe
            for step in path[:-1]:
                held = held.setdefault(step, {})
            held[path[-1]] = marks[first : first + array.size].reshape(array.shape).tolist()
            first += array.size
        rows = self.parsed(probe, execution_id)
        return (rows - MARK).astype(np.int64) if np.isin(rows, marks).all() else None

    def parsed(self, inputs: Any, execution_id: Any) -> Floats:
        """The rows as PsyNeuLink's parser has them."""
        composition = self.composition
        by_node, count = parsed_run_inputs(composition, copy_of(inputs), execution_id)
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
        return self.passed(np.concatenate(values).reshape(1, -1)) if values else np.zeros((1, 0))

    def numbers(self, port: Any, value: Any, when: str) -> Floats:
        """The input of a port as a vector."""
        try:
            if None in np.ravel(np.asarray(value, dtype=object)).tolist():  # to NumPy it is NaN
                raise TypeError
            return np.ravel(real(value))
        except (TypeError, ValueError, OverflowError):
            raise UnsupportedFeature(
                f"Composition {self.composition.name!r}, input of {port.owner.name!r} {when}".rstrip(),
                f"{value!r:.60} is not numeric",
                f"give numbers of shape {np.shape(port.defaults.value)}",
            ) from None

    def of_port(self, port: Any, given: Mapping[Any, Any]) -> Any:
        """The input of one InputPort in a trial."""
        owner = port.owner
        if owner in given:
            ports = [held for held in owner.input_ports if not held.internal_only]  # also those that shadow others
            return given[owner][ports.index(port)]
        holder = next(node for node in given if port in getattr(node, "input_CIM_ports", {}) or port in getattr(node, "input_ports", ()))
        return given[holder][list(holder.input_CIM.input_ports).index(port)]


def changed_by_identity(rows: Floats, sizes: Sequence[int]) -> int | None:
    """
    The first of some ports, of these sizes, side by side in rows, whose numbers a product with an identity matrix changes: since infinity
    times zero is NaN, those of several elements that are neither all finite nor all NaN. None if there is none.
    """
    if np.isfinite(rows).all():
        return None
    first = 0
    for index, size in enumerate(sizes):
        part = rows[:, first : first + size]
        first += size
        if size > 1 and (~np.isfinite(part).all(axis=1) & ~np.isnan(part).all(axis=1)).any():
            return index
    return None


def rows_before(parser: InputParser, inputs: Any, execution_id: Any) -> Floats | None:
    """
    The rows of inputs that are read before an execution context is given its values, as inputs that do not fit must not give it any;
    None where that is not told by the inputs alone.
    """
    composition = parser.composition
    if callable(inputs) or isgenerator(inputs) or not composition.input_CIM_ports:
        return None
    init_counts(composition.scheduler, execution_id)
    return parser.rows(inputs, execution_id)


def check_none_given(composition: Any, inputs: Any) -> None:
    """Refuses inputs for a Composition that takes none, about which PsyNeuLink has an error."""
    if not composition.input_CIM_ports and not isinstance(inputs, np.ndarray | ReadyRows) and inputs:
        raise UnsupportedFeature(
            f"Composition {composition.name!r}", "it is given inputs, but it has no INPUT Node", "leave the inputs out"
        )


class TrialParser(InputParser):
    """Reads the inputs of one trial as `Composition.execute` does, which takes less than `run`: no names of nodes, and no lists."""

    def parsed(self, inputs: Any, execution_id: Any) -> Floats:
        """The row as PsyNeuLink's parser has it; of several trials, the first."""
        composition = self.composition
        if not self.has_ports:
            check_none_given(composition, inputs)
            return np.zeros((1, 0))
        values = inputs_of_execute(composition, inputs)
        ports = composition.input_CIM_ports
        return np.concatenate([self.numbers(port, value, "") for port, value in zip(ports, values, strict=True)]).reshape(1, -1)


class InputsRead:
    """The inputs of a run whose trials go one by one, which were read before the first."""

    made_up = False

    def __init__(self, composition: Any, execution_id: Any, given: Any, rows: Floats):
        """`given`: the inputs as the call gives them, or a copy where the script may change them; `rows`: what was read of them."""
        self.composition, self.execution_id, self.given, self.rows = composition, execution_id, given, rows
        self.ports = list(composition.input_CIM_ports)
        self.number = 0
        self.parsed: Any = None

    def take(self, trial: int) -> bool:
        """Selects the inputs of this trial; returns True."""
        self.number = trial
        return True

    def row(self, parser: InputParser) -> Floats:
        """Those of the trial, as numbers; refused if they were read for other ports than those that the Composition has now."""
        if list(self.composition.input_CIM_ports) != self.ports:
            raise UnsupportedFeature(f"Composition {self.composition.name!r}", "a callback has changed its input ports", "")
        return self.rows[[self.number % len(self.rows)]]

    def stimuli(self) -> Any:
        """Those of the trial, as PsyNeuLink gives them to `execute`."""
        if not self.composition.input_CIM_ports:
            return None
        if self.parsed is None:
            self.parsed, _ = parsed_run_inputs(self.composition, self.given, self.execution_id)
        return parsed_trial_inputs(self.composition, self.parsed, self.number, self.execution_id)


class InputsMade:
    """Inputs that a function or a generator makes for each trial when it begins."""

    made_up = True

    def __init__(self, composition: Any, execution_id: Any, source: Any):
        self.composition, self.execution_id, self.source = composition, execution_id, source
        self.given: Any = None

    def take(self, trial: int) -> bool:
        """Asks for those of this trial; False if there are none any more."""
        try:
            self.given = parsed_trial_inputs(self.composition, self.source, trial, self.execution_id)
        except StopIteration:
            return False
        return True

    def row(self, parser: InputParser) -> Floats:
        """Those of the trial, as numbers."""
        is_one = callable(self.source) or isgenerator(self.source)
        return parser.row_of({node: value[0] if is_one else value for node, value in self.given.items()})

    def stimuli(self) -> Any:
        """Those of the trial, as PsyNeuLink gives them to `execute`."""
        return self.given


class BatchesMade:
    """Inputs that a generator of PsyNeuLink hands out batch by batch as it learns; between them it calls functions of the script."""

    made_up = True

    def __init__(self, composition: Any, batches: Iterator[tuple[Any, Any]]):
        self.batches, self.parser = batches, TrialParser(composition)
        self.given: Any = None

    def take(self, trial: int) -> bool:
        """Asks for the next batch; False if there are none any more."""
        try:
            self.given, _ = next(self.batches)
        except StopIteration:
            return False
        return True

    def row(self, parser: InputParser) -> Floats:
        """The first trial of the batch, as numbers: in Python mode PsyNeuLink executes no other."""
        return self.parser.rows({node: values[:1] for node, values in self.given.items()}, None)

    def stimuli(self) -> Any:
        """The batch, as PsyNeuLink gives it to `execute`."""
        return self.given


def is_of_learning(inputs: Any) -> bool:
    """True for a generator with which PsyNeuLink's `learn` calls `run`."""
    return isgenerator(inputs) and inputs.__qualname__.startswith("CompositionRunner.")


def numbers_of(inputs: Any) -> dict[Path, Floats] | None:
    """Arrays of numbers by the node that gets them, or by the path of one in a nested Composition; None unless the inputs are just that."""
    if not isinstance(inputs, Mapping):
        return None
    try:
        return dict(_numbers(cast("Mapping[Any, Any]", inputs), ())) or None
    except (TypeError, ValueError):
        return None


def _numbers(inputs: Mapping[Any, Any], path: Path) -> Iterator[tuple[Path, Floats]]:
    for node, value in inputs.items():
        if isinstance(value, Mapping):
            yield from _numbers(cast("Mapping[Any, Any]", value), (*path, node))
        else:
            array = np.asarray(value)
            if not array.ndim or array.dtype.kind not in "biuf":
                raise ValueError
            yield (*path, node), array.astype(float, copy=False)
