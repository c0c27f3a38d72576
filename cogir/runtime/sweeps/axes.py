"""
The points of a sweep as users give them.

    {"decision/rate": rates, "decision/threshold": thresholds}          # all combinations: an axis for each name
    cogir.zipped({"decision/rate": rates, "decision/threshold": ...})   # side by side: one axis, "point"
    {"difficulty": cogir.zipped({...}), "decision/noise": noises}       # both
    {"condition": {"easy": {"decision/rate": 2.0}, "hard": {...}}}      # conditions: one axis, with a label for each point
    table                                                               # a DataFrame: one axis, a column for each name

A name is that of a parameter, of an input, of a state ("decision/state:previous_value"), which then is the state that replicates begin
with, or of an element of an array ("task->hidden[0,1]"). Of values side by side, texts under any other name are labels of the points.
Points are numbered with the last axis fastest, as NumPy numbers elements of an array.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from cogir.callers import ends_at_caller, stacklevel
from cogir.errors import InputError, shown
from cogir.labelled.dataset import Axis, element_names
from cogir.labelled.names import path_of
from cogir.ranges import Between
from cogir.runtime.columns import TRIAL
from cogir.runtime.context import COUNTS, Context, FreshStartWarning, Values
from cogir.runtime.elements import check_element, split
from cogir.runtime.inputs import InputReader, check_type
from cogir.runtime.missing_values import is_missing
from cogir.runtime.named_data import (
    Named,
    are_default,
    has_no_names,
    is_frame,
    is_labelled,
    is_series,
    kind_of,
    missing_text,
    without_row_labels,
)
from cogir.runtime.numbers import NotNumbers, as_numbers, check_float32
from cogir.runtime.plan import Floats, Plan, PlanSlot
from cogir.runtime.row_labels import are_texts, differing, has_texts, index_along, index_of, labels_text
from cogir.runtime.short_names import is_matrix, loses_structure, short_name

POINT = "point"
RESERVED = ("trial", "replicate", "execution", "element", "output", "value")
"""Names of the other axes and columns of results."""
MOST_POINTS = 2**62
"""Replicates at all points are counted in 64 bits."""
MOST_COORDINATES = 8
"""An array of which more elements vary along an axis gives it no coordinates."""
MOST_NAMES = 1024
"""For so many names it is kept what they stand for."""


@dataclass(frozen=True, eq=False)
class Zipped:
    """Values of several quantities that vary together, by name."""

    values: Mapping[Any, Any]


@ends_at_caller
def zipped(values: Mapping[Any, Any]) -> Zipped:
    """
    Quantities that vary together in a sweep: the first point has the first value of each, and so on.

    `values`: by the names that `Compiled.sweep` takes, as many values for each; texts under another name are labels of the points. Raises
    `InputError` if this is no such dict.

        compiled.sweep(cogir.zipped({"decision/rate": [0.5, 1.0], "decision/threshold": [1.0, 0.8]}))
    """
    if not isinstance(cast(object, values), Mapping) or not values:
        raise InputError(f"zipped: found {shown(values)}; give a dict from names to values, such as {{'decision/rate': [0.5, 1.0]}}")
    return Zipped(dict(values))


@dataclass(frozen=True, eq=False)
class Quantity:
    """A quantity that varies along an axis of a sweep: a parameter, a state, or the inputs of a node."""

    name: str
    kind: str
    """"parameter", "state" or "input"."""
    paths: tuple[str, ...]
    """The full path of a parameter or state; the paths of the slots of inputs."""
    values: npt.NDArray[Any]
    """Of a parameter or state (points along the axis, *shape); of inputs (points along the axis, trials, elements)."""
    coordinates: Mapping[str, npt.NDArray[Any]]
    """The numbers along the axis by name, for results: single values, or those elements of arrays that vary."""
    element: int | None = None
    """The place of the only element that varies; None for all of them."""

    def words(self, slot: PlanSlot) -> slice:
        """The words of a buffer that vary. `slot`: of the parameter or state."""
        if self.element is None:
            return slot.words
        begin = slot.words.start + self.element
        return slice(begin, begin + 1)

    def put(self, store: MutableMapping[str, Any], place: int) -> None:
        """Sets the parameter or state to its value at a place along the axis."""
        value = self.values[place]
        if self.element is None:
            store[self.paths[0]] = value.item() if value.ndim == 0 else value
        else:
            whole = np.array(store[self.paths[0]])
            whole.flat[self.element] = value.item()
            store[self.paths[0]] = whole


@dataclass(frozen=True, eq=False)
class SweepAxis:
    """One axis of a sweep, and what varies along it."""

    name: str
    size: int
    quantities: tuple[Quantity, ...]
    labels: Mapping[str, npt.NDArray[np.str_]] = field(default_factory=dict[str, npt.NDArray[np.str_]])
    """Texts for the points along it, by name."""

    @property
    def coordinates(self) -> dict[str, npt.NDArray[Any]]:
        """All that tells its points apart: labels, and numbers."""
        return {**self.labels, **{name: marks for held in self.quantities for name, marks in held.coordinates.items()}}


@dataclass(frozen=True, eq=False)
class Points:
    """The points of a sweep: all combinations of the places along its axes."""

    plan: Plan
    axes: tuple[SweepAxis, ...]

    @cached_property
    def extents(self) -> tuple[int, ...]:
        """The lengths of the axes."""
        return tuple([axis.size for axis in self.axes])

    @cached_property
    def count(self) -> int:
        """The number of points."""
        return math.prod(self.extents)

    @cached_property
    def _by_kind(self) -> dict[str, list[Quantity]]:
        """All that varies, by kind; of the kinds that there are."""
        found: dict[str, list[Quantity]] = {}
        for axis in self.axes:
            for held in axis.quantities:
                found.setdefault(held.kind, []).append(held)
        return found

    def quantities(self, kind: str) -> Sequence[Quantity]:
        """All that varies, of one kind."""
        return self._by_kind.get(kind, ())

    @property
    def varying_parameters(self) -> tuple[str, ...]:
        """The paths of the parameters that vary, in order."""
        return tuple(sorted({held.paths[0] for held in self.quantities("parameter")}))

    def given_inputs(self) -> list[slice]:
        """The columns of inputs that vary."""
        found: list[slice] = []
        for held in self.quantities("input"):
            whole = [self.plan.slots[path].words for path in held.paths]
            found += whole if held.element is None else [slice(held.element, held.element + 1)]
        return found

    def places(self, first: int, last: int) -> tuple[Any, ...]:
        """For each axis an index, to the places along it of the points from `first` to `last`."""
        if len(self.axes) == 1:
            return (slice(first, last),)
        return np.unravel_index(np.arange(first, last), self.extents)

    def table(self, start: npt.NDArray[Any], buffer: str, first: int, last: int) -> npt.NDArray[Any]:
        """
        The rows of a buffer of parameters or states at the points from `first` to `last`: `start` with what varies. Without anything that
        varies in it, one row for all of them.
        """
        if buffer not in self._buffers:
            return np.ascontiguousarray(start[None])
        rows = start[None].repeat(last - first, axis=0)
        for axis, place in zip(self.axes, self.places(first, last), strict=True):
            for held in axis.quantities:
                slot = self.plan.slots[held.paths[0]]
                if slot.buffer == buffer:
                    rows[:, held.words(slot)] = held.values.reshape(axis.size, -1)[place]
        return rows

    @cached_property
    def _buffers(self) -> set[str]:
        """The buffers in which something varies."""
        return {self.plan.slots[held.paths[0]].buffer for axis in self.axes for held in axis.quantities}

    def inputs(self, rows: Floats, first: int, last: int) -> Floats:
        """The inputs at the points from `first` to `last`, (points or 1, rows, elements)."""
        if not self.quantities("input"):
            return np.ascontiguousarray(rows[None])
        found = rows[None].repeat(last - first, axis=0)
        for axis, place in zip(self.axes, self.places(first, last), strict=True):
            for held in axis.quantities:
                if held.kind != "input":
                    continue
                if held.element is not None:
                    found[:, :, held.element] = held.values[place, :, 0]
                    continue
                offset = 0
                for path in held.paths:
                    words = self.plan.slots[path].words
                    size = words.stop - words.start
                    found[:, :, words] = held.values[place, :, offset : offset + size]
                    offset += size
        return found

    def some(self, numbers: npt.NDArray[np.int64]) -> Points:
        """Some of the points, side by side, by number."""
        places = np.unravel_index(numbers, self.extents)
        quantities = tuple(
            replace(held, values=held.values[place], coordinates={})
            for axis, place in zip(self.axes, places, strict=True)
            for held in axis.quantities
        )
        return Points(self.plan, (SweepAxis(POINT, len(numbers), quantities),))

    def with_trials(self, rows: Floats) -> Floats:
        """The rows of inputs that do not vary, as many as the trials of those that do. Raises `InputError` if the numbers differ."""
        count = len(rows)
        for held in self.quantities("input"):
            trials = held.values.shape[1]
            if trials not in (1, count) and count != 1:
                raise InputError(
                    f"sweep: inputs {held.name} have {trials} trials at each point, but other inputs have {count}; give the same number of "
                    "trials for all inputs, or one trial for constant inputs"
                )
            count = max(count, trials)
        return rows if count == len(rows) else np.ascontiguousarray(np.broadcast_to(rows, (count, rows.shape[1])))


@dataclass(frozen=True, eq=False)
class Held:
    """A parameter or a state, or an element of one, for which a name stands."""

    kind: str
    """"parameter" or "state"."""
    path: str
    shape: tuple[int, ...]
    """The shape of the value at a point."""
    element: int | None
    """The place of the element, if it is one."""
    dtype: np.dtype[Any]
    """The type of the values along an axis."""
    is_float32: bool
    """True if each has to be a float32."""
    is_count: bool
    """True if it cannot be negative."""
    is_matrix: bool
    """True for the matrix of a projection, which one number does not fill if its elements differ."""
    begins: tuple[str, str] | None
    """The node and the state of which it is the initial value, where that counts only after a reset."""
    allowed: Between | None
    """The range of its values."""


@dataclass(frozen=True, eq=False)
class InputPorts:
    """The input, or all inputs of a node, for which a name stands."""

    slots: tuple[PlanSlot, ...]
    width: int
    """The number of elements of all of them."""
    shape: tuple[int, ...]
    """The shape of the values of a trial."""


class KnownNames:
    """The meanings of names of parameters and inputs, which depend on a plan alone: found once for each name, and kept."""

    def __init__(self) -> None:
        self._found: dict[str, Held | InputPorts] = {}

    def get(self, name: str) -> Held | InputPorts | None:
        """The meaning of a name, if it is known."""
        return self._found.get(name)

    def put(self, name: str, found: Held | InputPorts) -> None:
        """Keeps what a name stands for; of many names, not the first ones."""
        if len(self._found) >= MOST_NAMES:
            self._found = {}
        self._found[name] = found


class AxesReader:
    """Turns what users give as the points of a sweep into `Points`, for one plan and context."""

    def __init__(self, plan: Plan, context: Context, inputs: InputReader, known: KnownNames | None = None):
        """`known`: of the plan, for contexts whose values are what the plan says."""
        self.plan = plan
        self.context = context
        self.inputs = inputs
        self.known = known or KnownNames()

    @cached_property
    def params(self) -> Values:
        """The parameters of the context."""
        return self.context.params

    @cached_property
    def states(self) -> Values:
        """The state of the context."""
        return self.context.state

    def points(self, given: Any) -> Points:
        """The points that are given. Raises `InputError` for names, shapes and numbers that the model does not have."""
        axes: list[SweepAxis] = []
        if isinstance(given, Zipped):
            axes.append(self.zipped_axis(POINT, given.values))
        elif hasattr(given, "columns") and hasattr(given, "to_numpy"):  # pandas and polars
            axes.append(self.zipped_axis(POINT, columns_of(given)))
        elif isinstance(given, Mapping):
            for name, values in cast("Mapping[Any, Any]", given).items():
                if isinstance(values, Zipped):
                    axes.append(self.zipped_axis(path_of(name), values.values))
                elif isinstance(values, Mapping):
                    axes.append(self.conditions_axis(path_of(name), cast("Mapping[Any, Any]", values)))
                else:
                    held = self.quantity(path_of(name), values)
                    axes.append(SweepAxis(held.name, len(held.values), (held,)))
        else:
            raise InputError(
                f"sweep: found {shown(given)} as the points; give a dict from names to values for all combinations, such as "
                f"{self.example()}, cogir.zipped({{...}}) for values side by side, a dict of conditions, or a pandas DataFrame with a row "
                "per point"
            )
        if not axes:
            raise InputError(f"sweep: nothing varies; give a dict from names to values, such as {self.example()}, or call replicates")
        self.check_twice(axes)
        points = Points(self.plan, tuple(axes))
        if points.count > MOST_POINTS:
            raise InputError(f"sweep: there are {points.count} points; no more than 2**62 can be counted")
        return points

    def example(self) -> str:
        """An example of points for this model."""
        path = next((path for path in self.params if "/param:" in path), None)
        return f'{{"{path.replace("/param:", "/")}": [...]}}' if path else '{"node/parameter": [...]}'

    def check_twice(self, axes: Sequence[SweepAxis]) -> None:
        """Refuses what varies along two axes, or in two ways."""
        seen: dict[str, list[Quantity]] = {}
        names: set[str] = set()
        for axis in axes:
            if axis.name in names:
                raise InputError(f'sweep: two axes are called "{axis.name}"; give one of them another name')
            names.add(axis.name)
            for held in axis.quantities:
                for path in held.paths:
                    for other in seen.setdefault(path, []):
                        if other.element is None or held.element is None or other.element == held.element:
                            raise InputError(f"sweep: {path} is given twice, as {other.name!r} and as {held.name!r}; give it once")
                    seen[path].append(held)

    def zipped_axis(self, name: str, values: Mapping[Any, Any]) -> SweepAxis:
        """An axis along which several quantities vary; a table's only column of labels, each its own, gives its name to the axis."""
        given = {path_of(key): column for key, column in values.items()}
        if (reason := differing((key, index_of_points(column)) for key, column in given.items())) is not None:
            raise InputError(f'sweep: axis "{name}": {reason}')
        labels: dict[str, npt.NDArray[np.str_]] = {}
        for key, column in given.items():
            if not self.is_known(key) and (texts := texts_of(column, key)) is not None:
                labels[key] = texts
        held = [self.quantity(key, column) for key, column in given.items() if key not in labels]
        if not held:
            raise InputError(f'sweep: the table of axis "{name}" has no columns of numbers; give one for each parameter that varies')
        sizes = {one.name: len(one.values) for one in held} | {key: len(texts) for key, texts in labels.items()}
        if len(set(sizes.values())) > 1:
            raise InputError(
                f'sweep: axis "{name}": values that vary together must be equally many, but there are '
                f"{', '.join(f'{size} of {name}' for name, size in sizes.items())}"
            )
        if name == POINT and len(labels) == 1:
            key, texts = next(iter(labels.items()))
            name = key if len(set(texts.tolist())) == len(texts) else name
        for each in (name, *labels):
            check_name_of_axis(each)
        return SweepAxis(name, len(held[0].values), tuple(held), labels)

    def conditions_axis(self, name: str, conditions: Mapping[Any, Any]) -> SweepAxis:
        """An axis with a point for each condition, of which each gives values to the same quantities."""
        if self.is_known(name):
            raise InputError(
                f'sweep: "{name}" is a quantity of the model, and found a dict as its values; give a list, or give the axis of conditions '
                "another name"
            )
        columns: dict[str, list[Any]] = {}
        for label, condition in conditions.items():
            if not isinstance(condition, Mapping) or not condition:
                raise InputError(
                    f'sweep: condition {shown(label)} of axis "{name}" is {shown(condition)}; give a dict from names to values, such as '
                    f"{self.example().replace('[...]', '...')}"
                )
            given = {path_of(key): value for key, value in cast("Mapping[Any, Any]", condition).items()}
            if columns and given.keys() != columns.keys():
                odd = next(iter(given.keys() ^ columns.keys()))
                has, other = ("has", "others have not") if odd in given else ("has no", "others have it")
                raise InputError(f'sweep: condition {shown(label)} of axis "{name}" {has} "{odd}", but {other}; give all the same names')
            for key, value in given.items():
                columns.setdefault(key, []).append(value)
        if not columns:
            raise InputError(f'sweep: axis "{name}" has no conditions; give a dict from labels to conditions')
        labels = [str(label) for label in conditions]
        if twice := [label for label in labels if labels.count(label) > 1]:
            raise InputError(f'sweep: axis "{name}" has two conditions called "{twice[0]}"; give each a name of its own')
        axis = self.zipped_axis(name, columns)
        return SweepAxis(name, axis.size, axis.quantities, {**axis.labels, name: np.array(labels, np.str_)})

    def is_known(self, name: str) -> bool:
        """True for the name of a quantity of the model."""
        if self.known.get(name) is not None:
            return True
        return self.params.holds(name) or name in self.inputs.names or split(name)[0] in self.inputs.names or self.states.holds(name)

    def quantity(self, name: str, values: Any) -> Quantity:
        """The quantity that a name stands for, with its values."""
        found = self.known.get(name)
        if found is None:
            if self.params.holds(name):
                found = self.held(name, "parameter", self.params)
            elif name in self.inputs.names:
                found = self.input_ports(name)
            if found is not None:
                self.known.put(name, found)
        if isinstance(found, Held):
            if found.begins is not None:
                self.warn_of_initial(name, *found.begins)
            return self.checked(name, found, values)
        if found is not None:
            return self.of_inputs(name, found, values)
        whole, index = split(name)
        if index and whole in self.inputs.names:
            return self.of_input_element(name, whole, index, values)
        if self.states.holds(name):
            node, _, state = self.states.located(name)[0].rpartition("/")
            if node in self.plan.starts_anew:
                raise InputError(
                    f'sweep: state {name}: node "{node}" is reset at the start of each trial, so values of its states have no effect; '
                    f"sweep that to which they are reset, {node}/initial:{state}, or a parameter of the function"
                )
            return self.checked(name, self.held(name, "state", self.states), values)
        raise self.params.unknown(name, "sweep", [*self.inputs.names, *self.states])

    def warn_of_initial(self, name: str, node: str, state: str) -> None:
        """Warns where the initial value of a state counts only after a reset, as the state begins with another one."""
        path = f"{node}/state:{state}"
        if self.context.started:
            why = "goes on from trials that have been run"
        elif any(split(each)[0] == path for each in self.context.states_set):
            why = "was set by hand"
        else:
            return
        warnings.warn(
            f"sweep: state {node}/{state} {why}, so {name} has no effect before the state is reset; sweep {node}/{state} to let each point "
            "begin with its value",
            FreshStartWarning,
            stacklevel=stacklevel(),
        )

    def held(self, name: str, kind: str, values: Values) -> Held:
        """The parameter or state, or the element of one, for which a name stands."""
        path, index = values.located(name)
        now = np.asarray(values[path])
        node, initial, state = path.partition("/initial:state:") if kind == "parameter" else (path, "", "")
        return Held(
            kind,
            path,
            () if index else now.shape,
            int(np.ravel_multi_index(index, now.shape)) if index else None,
            np.dtype(np.float64) if now.dtype.kind == "f" else now.dtype,
            values.dtype_of(path) == np.float32,
            path.rpartition("/")[2].startswith(COUNTS),
            not index and is_matrix(path, now.shape),
            (node, state) if initial and node not in self.plan.starts_anew else None,
            self.plan.ranges.get(path),
        )

    def input_ports(self, name: str) -> InputPorts:
        """The input, or all inputs of a node, for which a name stands."""
        slots = tuple(self.inputs.names[name])
        width = sum(slot.size for slot in slots)
        return InputPorts(slots, width, slots[0].shape if len(slots) == 1 else (width,))

    def checked(self, name: str, held: Held, values: Any) -> Quantity:
        """Values of a parameter or state, each in its shape, and in its range."""
        kind, path, shape = held.kind, held.path, held.shape
        try:
            array = as_numbers(along_axis(values), held.dtype)
            if held.is_float32:
                check_float32(array)
        except (Named, NotNumbers) as reason:
            raise InputError(f"sweep: {kind} {path}: {reason}") from None
        if array.ndim == 0 or array.shape[1:] not in (shape, ()):
            each = f"of shape {shape}" if shape else "one number"
            raise InputError(
                f"sweep: {kind} {path}: found an array of shape {array.shape}; give a list of values, each {each}: the shape is "
                f"(points{''.join(f', {extent}' for extent in shape)})"
            )
        if not len(array):
            raise InputError(f"sweep: {kind} {path}: there are no values; give one at least")
        if held.is_matrix and array.ndim < 3 and array.any() and loses_structure(path, np.asarray(self.params[path]), array.shape[1:]):
            raise InputError(
                f"sweep: {kind} {path}: each number would fill the matrix, whose elements differ; give a matrix for each point, such as "
                f'[number * params["{short_name(path)}"] for number in numbers]'
            )
        if held.is_count and (array < 0).any():
            raise InputError(f"sweep: {kind} {path}: found {shown(array.min().item())} among the values; a count is 0 or more")
        allowed = held.allowed
        if allowed is not None and not allowed.holds(array):
            wrong = next(value for value in array if not allowed.holds(value))
            raise InputError(f"sweep: {kind} {path}: found {shown(wrong.tolist())} among the values; {allowed.demand(wrong)}")
        if array.ndim == 1:
            whole = np.broadcast_to(array.reshape(len(array), *[1] * len(shape)), (len(array), *shape)) if shape else array
            return Quantity(name, kind, (path,), np.ascontiguousarray(whole), {name: array}, held.element)
        return Quantity(name, kind, (path,), np.ascontiguousarray(array), varying_elements({name: array}))

    def of_input_element(self, name: str, whole: str, index: tuple[int, ...], values: Any) -> Quantity:
        """Values of an element of inputs: for each point one for all trials, or as many as there are."""
        slots = self.inputs.names[whole]
        shape = slots[0].shape if len(slots) == 1 else (sum(slot.size for slot in slots),)
        check_element("sweep", "input", whole, index, shape)
        place = int(np.ravel_multi_index(index, shape))
        try:
            array = as_numbers(along_axis(values))
        except (Named, NotNumbers) as reason:
            raise InputError(f"sweep: inputs {name}: {reason}") from None
        if array.ndim not in (1, 2) or not array.size:
            raise InputError(
                f"sweep: inputs {name}: found an array of shape {array.shape}; give one of shape (points,) for one trial, or (points, "
                "trials)"
            )
        ends = list(accumulate(one.size for one in slots))
        number = next(number for number, end in enumerate(ends) if place < end)
        slot = slots[number]
        place -= ends[number] - slot.size
        check_type(array, slot)
        coordinates = {name: array.reshape(len(array))} if array.size == len(array) else {}
        return Quantity(name, "input", (slot.path,), array.reshape(len(array), -1, 1), coordinates, slot.words.start + place)

    def of_inputs(self, name: str, ports: InputPorts, values: Any) -> Quantity:
        """Values of inputs: for each point one trial, or as many as there are."""
        slots, width, shape = ports.slots, ports.width, ports.shape
        try:
            values = along_axis(values) if len(slots) == width == 1 and not is_frame(values) else values
        except Named as reason:
            raise InputError(f"sweep: inputs {name}: {reason}") from None
        if not has_no_names(values) and (named := self.inputs.by_name_of(name, values)) is not None:
            if missing := [slot for slot in slots if slot.path.removeprefix("in:") not in named]:
                raise InputError(
                    f"sweep: inputs {name}: the table has no columns for {missing[0].path.removeprefix('in:')}; give columns for all ports"
                )
            parts = [np.asarray(named[slot.path.removeprefix("in:")]) for slot in slots]
            values = parts[0] if len(parts) == 1 else np.concatenate([part.reshape(len(part), -1) for part in parts], axis=1)
        try:
            array = as_numbers(values)
        except NotNumbers as reason:
            raise InputError(f"sweep: inputs {name}: {reason}") from None
        count = len(array) if array.ndim else 0
        if count and (array.shape[1:] == shape or (array.ndim == 1 and width == 1)):
            rows = array.reshape(count, 1, width)
        elif count and array.shape[2:] == shape and array.ndim >= 2:
            rows = array.reshape(count, array.shape[1], width)
        else:
            extents = "".join(f", {extent}" for extent in shape)
            raise InputError(
                f"sweep: inputs {name}: found an array of shape {array.shape}; give one of shape (points{extents}) for one trial, or "
                f"(points, trials{extents})"
            )
        if len(slots) == 1 and array.size == count:
            check_type(rows, slots[0])
            return Quantity(name, "input", (slots[0].path,), rows, {name: array.reshape(count)})
        offset = 0
        steady: dict[str, npt.NDArray[Any]] = {}
        for slot in slots:
            part = rows[..., offset : offset + slot.size]
            check_type(part, slot)
            if (part == part[:, :1]).all():
                steady[name if len(slots) == 1 else slot.path.removeprefix("in:")] = part[:, 0].reshape(count, *slot.shape)
            offset += slot.size
        coordinates = {name: array.reshape(count)} if array.size == count else varying_elements(steady)
        return Quantity(name, "input", tuple([slot.path for slot in slots]), rows, coordinates)


def dimension_of_points(values: Any) -> Any:
    """The dimension of an array of xarray that the points lie along; None if it is not known."""
    if values.ndim and (values.ndim == 1 or are_default(values.dims)):
        return values.dims[0]
    return TRIAL if TRIAL in values.dims else None


def index_of_points(values: Any) -> Any:
    """The labels of the points along an axis, of a Series, a DataFrame or an array of xarray; None if there are none."""
    if has_no_names(values):
        return None
    if is_labelled(values):
        return index_along(values, dimension_of_points(values))
    return index_of(values) if is_series(values) or is_frame(values) else None


def along_axis(values: Any) -> Any:
    """
    The values along an axis in their order. Raises `Named` for labels that are names of the points, which results would not have. Other
    labels, as numbers, have no meaning: nothing is put together by them.
    """
    if has_no_names(values):
        return values
    index = index_of_points(values)
    if index is None:
        return without_row_labels(values)
    if has_texts(index):
        as_labels = 'give them as a column of labels, cogir.zipped({"condition": list(labels), "node/parameter": values.to_numpy()}), or '
        raise Named(
            f"found a {kind_of(values)} whose points are called {labels_text(index)}, and results would not have these names; "
            f"{as_labels if are_texts(index) else ''}give values.to_numpy()"
        )
    if is_frame(values):
        return values.reset_index(drop=True)
    if values.ndim == 1:
        return without_row_labels(values)
    along = dimension_of_points(values)
    return values.drop_vars([name for name, coordinate in values.coords.items() if along in coordinate.dims])


def varying_elements(arrays: Mapping[str, npt.NDArray[Any]]) -> dict[str, npt.NDArray[Any]]:
    """The elements of arrays (points, *shape) that vary along the points, by name (`stimulus[0]`); none if there are many."""
    found: dict[str, npt.NDArray[Any]] = {}
    for name, values in arrays.items():
        varies = (values != values[:1]).any(axis=0)
        if np.count_nonzero(varies) > MOST_COORDINATES:
            continue
        headings = element_names(name, [Axis("", extent) for extent in values.shape[1:]])
        found |= {heading: values[(slice(None), *index)] for index, heading in headings.items() if varies[index]}
    return found


def check_name_of_axis(name: str) -> None:
    """Refuses names that results give to other axes and columns."""
    if name in RESERVED:
        raise InputError(
            f'sweep: results have an axis or a column called "{name}" already; give the axis another name, such as "condition"'
        )


def texts_of(column: Any, name: str = POINT) -> npt.NDArray[np.str_] | None:
    """The texts of a column of labels; None for any other column. Raises `InputError` if some of the labels are missing."""
    held = column.to_numpy() if hasattr(column, "to_numpy") else column
    is_listed = isinstance(held, list | tuple) or (isinstance(held, np.ndarray) and held.ndim == 1)
    texts: list[Any] = list(cast("Sequence[Any]", held)) if is_listed else []
    missing = [place for place, text in enumerate(texts) if not isinstance(text, str)]
    if not texts or len(missing) == len(texts):
        return None
    if all(is_missing(texts[place]) for place in missing):
        if missing:
            raise InputError(f'sweep: labels "{name}": that of row {missing[0]} is missing; give a text in each row')
        return np.array(texts, np.str_)
    return None


def columns_of(table: Any) -> dict[Any, Any]:
    """The columns of a DataFrame of pandas or polars, and before them an index of texts, which labels the points."""
    columns: dict[Any, Any] = {}
    for name in table.columns:
        columns[name] = held = table[name].to_numpy()
        if held.dtype.kind in "fiub" and (reason := missing_text(table[name])) is not None:
            raise InputError(f'sweep: column "{name}" of the {kind_of(table)}: {reason}')
    index: Any = getattr(table, "index", None)
    labels = texts_of(index)
    return columns if labels is None else {POINT if index.name is None else index.name: labels, **columns}
