"""
The inputs of a run, as users give them, as rows of numbers: one row per trial, one column per element of an input port.

A run cycles through the rows. An array that already is such rows is used as it stands, without a copy. Tables are taken by the names of
their columns (`columns.py`).
"""

from __future__ import annotations

import json
import math
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeGuard, cast

import numpy as np

from cogir.callers import stacklevel
from cogir.errors import InputError
from cogir.labelled.names import find, path_of
from cogir.runtime.columns import ELEMENT, TRIAL, ColumnReader, Labels, labels_of_inputs, port_path
from cogir.runtime.elements import element_name, split
from cogir.runtime.named_data import (
    Named,
    NamedColumns,
    columns_in,
    is_dataset,
    is_frame,
    is_labelled,
    is_plain_array,
    is_series,
    kind_of,
    without_row_labels,
)
from cogir.runtime.numbers import NotNumbers, as_numbers, check_float32
from cogir.runtime.plan import Floats, Plan, PlanSlot
from cogir.runtime.row_labels import differing, index_along, index_of, is_order, labels_text
from cogir.runtime.short_names import find_short

MOST_COLUMNS = 4
"""So many names of columns are shown in a message."""


MOST_SETS = 64
"""For so many sets of names it is kept which other inputs are forgotten."""


class MissingInputWarning(UserWarning):
    """Some inputs of a model are given and others are not, which are zero then."""


@dataclass(frozen=True)
class GivenInputs:
    """The inputs of so many trials: `parts` are arrays with a row for each trial, or for all of them, and the columns that they are."""

    count: int
    parts: list[tuple[slice, Floats]]

    def is_one_array(self, width: int) -> bool:
        """True if one array has all columns, of which there are so many."""
        return len(self.parts) == 1 and self.parts[0][0] == slice(0, width)

    def columns(self, begin: int, end: int) -> Floats:
        """
        The columns in a range, side by side in memory, (trials, columns); zeros where nothing is given. An array that is just these columns
        is not copied.
        """
        covered = 0
        for words, rows in self.parts:
            if (words.start, words.stop) == (begin, end) and len(rows) == self.count and rows.flags.c_contiguous:
                return rows
            covered += max(0, min(end, words.stop) - max(begin, words.start))
        shape = (self.count, end - begin)
        result = np.empty(shape) if covered == end - begin else np.zeros(shape)
        for words, rows in self.parts:
            first, last = max(begin, words.start), min(end, words.stop)
            if first < last:
                result[:, first - begin : last - begin] = rows[:, first - words.start : last - words.start]
        return result


class InputReader:
    """Turns inputs into rows for one plan."""

    def __init__(self, plan: Plan):
        self.width = plan.size("in")
        self.why_none = "the model has no inputs; declare one: cog.input @node"
        """The message for inputs that are given to a model without any."""
        self.targets: frozenset[str] = frozenset()
        """The nodes that are only targets of learning, which other calls than `learn` need not be given."""
        self.projected: frozenset[str] = frozenset()
        """The inputs to which projections go, which need not be given: they are not zero without."""
        self.find_labels: Callable[[], Labels] = dict
        """Finds the labels of the elements of outputs, which inputs of the same node share."""
        self.slots = {path: plan.slots[f"in:{path}"] for path in plan.inputs}
        self._parameters = {path for path, slot in plan.slots.items() if slot.buffer in ("pf", "pi")}
        """The full paths of the parameters."""
        self.names: dict[str, list[PlanSlot]] = {}
        for path, slot in self.slots.items():
            parts = path.split("/")
            for depth in range(1, len(parts) + 1):
                self.names.setdefault("/".join(parts[:depth]), []).append(slot)
        only = next(iter(self.slots.values())) if len(self.slots) == 1 else None
        self._checked = [slot for slot in self.slots.values() if slot.dtype != "f64"]
        """The inputs of which not every float is a value."""
        self._single = only if only is not None and only.size == self.width else None
        self._forgotten = lru_cache(MOST_SETS)(self._find_forgotten)

    def rows(self, inputs: Any) -> Floats:
        """
        The rows for `inputs`: a dict from node (or port) to one trial or a list of trials, or an array (trials, width).

        Ports that are not named get zeros in every trial, as in PsyNeuLink; `warn_of_forgotten` tells users.
        """
        return self.rows_by_name(self.by_name(inputs))

    def rows_by_name(self, inputs: Any) -> Floats:
        """The rows for inputs that come from `by_name`."""
        if is_rows(inputs, self.width) and not self._checked:
            return inputs
        return self.given_by_name(inputs).columns(0, self.width)

    def given(self, inputs: Any) -> GivenInputs:
        """The inputs of trials, in the forms of `rows`, where they are."""
        return self.given_by_name(self.by_name(inputs))

    def given_by_name(self, inputs: Any) -> GivenInputs:
        """The inputs of trials, where they are, for inputs that come from `by_name`."""
        if inputs is None:
            return GivenInputs(1, [])
        if is_rows(inputs, self.width) and not self._checked:
            return GivenInputs(len(inputs), [(slice(0, self.width), inputs)])
        if not self.slots and type(inputs) in (dict, list) and inputs:
            raise InputError(f"inputs: {self.why_none}")
        if isinstance(inputs, Mapping):
            given = self._from_names(cast("Mapping[Any, Any]", inputs))
        elif isinstance(inputs, np.ndarray) or len(self.slots) == 1:
            given = self._all(self._whole(inputs))
        else:
            raise InputError(
                f"inputs: found a {type(inputs).__name__}, but the model has {len(self.slots)} inputs; give trials by name, such as "
                f"{self._example()}, or a NumPy array of shape (trials, {self.width})"
            )
        for slot in self._checked:
            check_type(given.columns(slot.words.start, slot.words.stop), slot)
        return given

    def columns_of(self, name: str, index: tuple[int, ...] = ()) -> list[slice]:
        """The columns of the inputs under a name, or of an element of them."""
        slots = self.names[name]
        if not index:
            return [slot.words for slot in slots]
        columns = [column for slot in slots for column in range(slot.words.start, slot.words.stop)]
        column = columns[int(np.ravel_multi_index(index, slots[0].shape if len(slots) == 1 else (len(columns),)))]
        return [slice(column, column + 1)]

    def forgotten(self, inputs: Any, varied: Iterable[slice] = (), also_all: bool = False) -> dict[str, str]:
        """
        The names of the inputs, or of those elements of them, that get zeros although others are given, or also if no others are; with each
        the name of the whole input. `varied`: the columns that a sweep gives.
        """
        return dict(self.forgotten_by_name(self.by_name(inputs), varied, also_all))

    def forgotten_by_name(self, inputs: Any, varied: Iterable[slice] = (), also_all: bool = False) -> Mapping[str, str]:
        """The same for inputs that come from `by_name`. It depends on names alone, so it is found once for each set of them, and kept."""
        if inputs is None:
            names: tuple[str, ...] = ()
        elif isinstance(inputs, Mapping):
            names = tuple([self._found(key) for key, _ in _flat(cast("Mapping[Any, Any]", inputs))])
        else:
            return {}
        columns = tuple([(words.start, words.stop) for words in varied])
        if not names and not columns and not also_all:
            return {}
        return self._forgotten(names, columns, self.projected)

    def _find_forgotten(self, names: tuple[str, ...], columns: tuple[tuple[int, int], ...], projected: frozenset[str]) -> dict[str, str]:
        """The inputs that get zeros where those of some names and columns are given, and projections go to others."""
        given = {column for begin, end in columns for column in range(begin, end)}
        for name in names:
            for words in self.columns_of(name):
                given.update(range(words.start, words.stop))
        found: dict[str, str] = {}
        for path, slot in self.slots.items():
            missing = [place for place in range(slot.size) if slot.words.start + place not in given]
            if not missing or _receives(path, projected):
                continue
            owner = path.rpartition("/")[0]
            name = owner if len(self.names.get(owner, ())) == 1 else path
            if len(missing) == slot.size:
                found[name] = name
            else:
                found |= {element_name(name, tuple(map(int, np.unravel_index(place, slot.shape)))): name for place in missing}
        return found

    def _found(self, key: Any) -> str:
        """The name of an input. Raises `InputError` for others; parameters, which inputs of a run cannot change, are called so."""
        name = path_of(key)
        if name in self.names:
            return name
        whole = split(name)[0]
        owner, _, last = whole.rpartition("/")
        known = self._parameters
        if {f"{owner}/param:{last}", whole} & known or find_short(whole, known) is not None:
            raise InputError(
                f'inputs: "{name}" is a parameter, and no input; set it before, params["{name}"] = ..., or let it vary among the points of '
                f'a sweep, which are its first argument: sweep({{"{name}": [...], ...}}, inputs)'
            )
        return find(name, self.names, "inputs")

    def warn_of_forgotten(self, asked: str, inputs: Any, varied: Iterable[slice] = (), also_all: bool = False) -> None:
        """Warns of inputs (which come from `by_name`) that get zeros although others are given, or also if no others are."""
        wholes = self.forgotten_by_name(inputs, varied, also_all)
        if not wholes:
            return
        missing = [name for name, whole in wholes.items() if asked == "learn" or whole.partition("/")[0] not in self.targets]
        if missing:
            names = ", ".join(f'"{path}"' for path in missing[:4]) + (" ..." if len(missing) > 4 else "")
            found = f"input {names} is not given, and is" if len(missing) == 1 else f"inputs {names} are not given, and are"
            whole = wholes[missing[0]]
            zeros = _brief(json.dumps(np.zeros((1, *self.names[whole][0].shape)).tolist()))
            message = f'{asked}: {found} zero in all trials; give all inputs, also where zeros are meant: inputs={{"{whole}": {zeros}}}'
            warnings.warn(message, MissingInputWarning, stacklevel=stacklevel())

    def _example(self) -> str:
        """One trial for the first inputs, in a form that Python and JSON share."""
        shown = list(self.slots.items())[:3]
        named = [f'"{path}": {_brief(json.dumps(np.zeros((1, *slot.shape)).tolist()))}' for path, slot in shown]
        return f"{{{', '.join([*named, *(['...'] if len(self.slots) > len(shown) else [])])}}}"

    def _whole(self, inputs: Any) -> Floats:
        has_rows = isinstance(inputs, np.ndarray) and cast(Floats, inputs).shape[1:] == (self.width,)
        if self._single is not None and not has_rows:
            return _trials(inputs, self._single, self._single.path.removeprefix("in:"))
        array = _array(inputs, "all ports", list(self.slots.values()))
        if array.ndim == 1 and array.shape == (self.width,):
            array = array.reshape(1, self.width)
        if array.ndim != 2 or array.shape[1] != self.width or not len(array):
            raise InputError(f"inputs: the array has shape {array.shape}; one of shape (trials, {self.width}) is required")
        return array

    def _all(self, rows: Floats) -> GivenInputs:
        return GivenInputs(len(rows), [(slice(0, self.width), rows)])

    def _from_names(self, inputs: Mapping[Any, Any]) -> GivenInputs:
        if len(inputs) == 1 and self._single is not None:
            key, values = next(iter(inputs.items()))
            name = path_of(key)
            if not isinstance(values, Mapping):
                self._found(name)
                return self._all(_trials(values, self._single, name))
        parts: list[tuple[slice, Floats]] = []
        counts: dict[str, int] = {}
        known: dict[str, str] = {}
        for key, values in _flat(inputs):
            slots = self.names[self._found(key)]
            for slot, rows in zip(slots, _split(values, slots, key), strict=True):
                name = slot.path.removeprefix("in:")
                if name in counts:
                    raise InputError(f'inputs: {name} is given twice, as "{known[name]}" and as "{key}"; give it once')
                known[name] = str(key)
                counts[name] = len(rows)
                parts.append((slot.words, rows))
        count = max(counts.values(), default=1)
        for name, found in counts.items():
            if found not in (1, count):
                raise InputError(
                    f"inputs: {name} has {found} trials, but another input has {count}; give the same number of trials for all inputs, "
                    "or one trial for a constant input"
                )
        return GivenInputs(count, parts)

    def by_name(self, inputs: Any) -> Any:
        """
        The inputs without tables: the columns of a DataFrame or of a structured array, an array of xarray, and single elements
        (`stimulus[0]`) become arrays of trials by the names of inputs. Raises `InputError` for what no name says.
        """
        if inputs is None or type(inputs) is list or is_plain_array(inputs) or self._is_plain(inputs):
            return cast(Any, inputs)
        if isinstance(inputs, Mapping) and not isinstance(inputs, NamedColumns):
            self._check_coordinates(inputs)
            return self._without_tables(cast("Mapping[Any, Any]", inputs))
        found = self._found_by_name(None, inputs)
        return inputs if found is None else found

    def _is_plain(self, inputs: Any) -> bool:
        """True for a dict from names of inputs to what has no names in it."""
        if type(inputs) is not dict:
            return False
        for name, values in cast("dict[Any, Any]", inputs).items():
            if name not in self.names or not (type(values) in (list, float, int) or is_plain_array(values)):
                return False
        return True

    def _check_coordinates(self, inputs: Any) -> None:
        """Refuses a Dataset of xarray that has an input as a coordinate, which xarray makes of a variable with the name of a dimension."""
        if not is_dataset(inputs):
            return
        for name in inputs.coords:
            if name in self.names and name not in inputs.data_vars:
                raise InputError(
                    f'inputs: the {kind_of(inputs)} has "{name}" as a coordinate, as xarray makes of a variable with the name of a '
                    f"dimension, so it is no variable, and would be no input; call the dimension otherwise: "
                    f'{{"{name}": (("{TRIAL}", "element"), ...)}}, or leave the coordinate out'
                )

    def by_name_of(self, name: str, values: Any) -> dict[str, Any] | None:
        """The arrays of trials in a table or an array with names that stands under a name, by the paths of inputs; None for all else."""
        return self._found_by_name(name, values)

    def _without_tables(self, inputs: Mapping[Any, Any]) -> Mapping[Any, Any]:
        flat = _flat(inputs)
        if (reason := differing((name, self._index_of_trials(name, values)) for name, values in flat)) is not None:
            raise InputError(f"inputs: {reason}")
        made: list[tuple[str, Any]] = []
        elements: dict[str, Any] = {}
        for name, values in flat:
            match = None if name in self.names else ELEMENT.fullmatch(name)
            if match is not None and match[1].strip() in self.names:
                elements[name] = values
                continue
            found = self._found_by_name(name, values) if type(values) not in (list, float, int) else None
            made += [(name, values)] if found is None else found.items()
        wholes = {name for name, _ in made}
        if elements and (twice := next((name for name in elements if self._is_within(name, wholes)), None)):
            raise InputError(f"inputs: {twice} is given twice, by itself and with its whole input; give it once")
        if elements:
            made += self._columns(None).arrays(NamedColumns(elements, "dict")).items()
        if len(made) == len(flat) and all(values is own for (_, values), (_, own) in zip(made, flat, strict=True)):
            return inputs
        names = [name for name, _ in made]
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise InputError(f"inputs: {twice} is given twice; give it once")
        return dict(made)

    def _index_of_trials(self, name: str, values: Any) -> Any:
        """The labels of the trials of a Series, a DataFrame or an array of xarray that stands under a name; None if there are none."""
        if type(values) in (list, float, int) or is_plain_array(values):
            return None
        if not is_labelled(values):
            return index_of(values) if is_series(values) or is_frame(values) else None
        slots = self.names.get(name, ())
        has_one_number = name not in self.names or (len(slots) == 1 and slots[0].size == 1)
        dim = TRIAL if TRIAL in values.dims or values.ndim != 1 or not has_one_number else values.dims[0]
        return index_along(values, dim)

    def element(self, name: str, what: str) -> tuple[PlanSlot, tuple[int, ...]] | None:
        """
        The input and the index that a name with brackets means, as those of columns do (`stimulus[0]`, `stimulus[left]`); None for others.

        Raises `InputError` for an element that the input does not have; `what`: the beginning of its message.
        """
        return self._columns(None).bracketed(name, what)

    def _is_within(self, element: str, wholes: Iterable[str]) -> bool:
        """True if the input of an element has one of these names, too."""
        match = ELEMENT.fullmatch(element)
        assert match is not None
        own = {slot.path for slot in self.names[match[1].strip()]}
        return any(slot.path in own for name in wholes for slot in self.names.get(name, ()))

    def _columns(self, within: str | None) -> ColumnReader:
        """The reader of columns for all inputs, or for those under a name."""
        slots = list(self.slots.values()) if within is None else self.names[self._found(within)]
        return ColumnReader(self.names, slots, labels_of_inputs(slots, self.find_labels()), within)

    def _found_by_name(self, name: str | None, values: Any) -> dict[str, Any] | None:
        """The arrays in a table or an array with names, by the paths of inputs; None for everything else."""
        if is_plain_array(values):
            return None
        who = "inputs" if name is None else f"inputs: the values for {name}"
        try:
            table = columns_in(values)
        except Named as reason:
            raise InputError(f"{who}: {reason}") from None
        if table is not None:
            return self._columns(name).arrays(table)
        if not is_series(values) and not is_labelled(values):
            return None
        reader = self._columns(name)
        if len(reader.slots) != 1:
            ports = ", ".join(f'"{port_path(slot)}"' for slot in reader.slots[:4]) + (" ..." if len(reader.slots) > 4 else "")
            raise InputError(f"{who}: found a {kind_of(values)}, which is for one input; give one for each of {ports}")
        slot = reader.slots[0]
        if is_labelled(values):
            return {port_path(slot): reader.array(values, slot)}
        if slot.size > 1:
            raise InputError(
                f"{who}: found a {kind_of(values)}, which has one number per trial, but {port_path(slot)} has {slot.size} elements; give a "
                f"DataFrame with the columns {reader.wanted(slot)}, or one trial as an array: values.to_numpy()"
            )
        try:
            return {port_path(slot): without_row_labels(values)}
        except Named as reason:
            raise InputError(f"{who}: {reason}") from None


def _receives(path: str, projected: frozenset[str]) -> bool:
    """True if a projection goes to an input; that of an instance is called after the input of its model."""
    parts = path.split("/")
    return any("/".join(parts[:depth]) in projected for depth in range(2, len(parts) + 1))


def _flat(inputs: Mapping[Any, Any]) -> list[tuple[str, Any]]:
    """Names with values; a dict for a node gives its ports by name."""
    flat: list[tuple[str, Any]] = []
    for key, values in inputs.items():
        name = path_of(key)
        if isinstance(values, Mapping):
            flat += [(f"{name}/{path}", v) for path, v in _flat(cast("Mapping[Any, Any]", values))]
        else:
            flat.append((name, values))
    return flat


def is_rows(inputs: Any, width: int) -> TypeGuard[Floats]:
    """True for an array that has the form of rows already."""
    if type(inputs) is not np.ndarray:
        return False
    array = cast(Floats, inputs)
    return array.dtype == np.float64 and array.ndim == 2 and array.shape[1] == width and len(array) > 0 and array.flags.carray


def _brief(trials: str) -> str:
    return trials if len(trials) <= 40 else "[...]"


def _split(values: Any, slots: list[PlanSlot], name: str) -> list[Floats]:
    """Values for one port, or for the ports of a node: (trials, ports, ...) or (trials, all elements)."""
    if len(slots) == 1:
        return [_trials(values, slots[0], name)]
    whole = _array(values, name, slots)
    width = sum(slot.size for slot in slots)
    if whole.size == width:
        whole = whole.reshape(1, width)
    elif whole.ndim >= 2 and math.prod(whole.shape[1:]) == width:
        whole = whole.reshape(len(whole), width)
    else:
        ports = ", ".join(slot.path.removeprefix("in:") for slot in slots)
        raise InputError(
            f"inputs: {name} has {len(slots)} ports ({ports}) with {width} elements, but the values have shape {whole.shape}; give "
            f'each port by name: {{"{name}": {{"port": trials, ...}}}}'
        )
    parts: list[Floats] = []
    start = 0
    for slot in slots:
        parts.append(whole[:, start : start + slot.size])
        start += slot.size
    return parts


def _trials(values: Any, slot: PlanSlot, name: str) -> Floats:
    """Values for one port as rows (trials, elements); one trial may come without its own brackets."""
    array = _array(values, name, [slot])
    shape, size = slot.shape, slot.size
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


def _array(values: Any, name: str, slots: list[PlanSlot]) -> Floats:
    try:
        array = as_numbers(values)
    except NotNumbers as reason:
        if (row := _row_of_table(values)) is not None:
            wanted = [element for slot in slots for element in _elements(name if len(slots) == 1 else port_path(slot), slot)]
            listed = ", ".join(f'"{element}"' for element in wanted[:MOST_COLUMNS]) + (" ..." if len(wanted) > MOST_COLUMNS else "")
            raise InputError(
                f"inputs: the values for {name}: found a list of {kind_of(row)} whose rows are called {labels_text(index_of(row))}, as "
                f"rows of a table are, and a list is taken by its order; give the DataFrame itself, with columns called {listed}"
            ) from None
        raise InputError(f"inputs: the values for {name} are not an array of numbers: {reason}") from None
    if not array.size:
        raise InputError(f"inputs: the values for {name} are empty; give at least one trial")
    return np.ascontiguousarray(array)


def _row_of_table(values: Any) -> Any:
    """The first item of a list that is a Series whose labels contradict its order, as a row of a table is; None if there is none."""
    items = cast("list[Any]", values) if isinstance(values, list | tuple) else ()
    indices = ((item, index_of(item) if is_series(item) else None) for item in items)
    return next((item for item, index in indices if index is not None and not is_order(index)), None)


def _elements(name: str, slot: PlanSlot) -> list[str]:
    """The names of columns for the elements of a port."""
    return [name] if slot.size == 1 else [element_name(name, index) for index in np.ndindex(slot.shape)]


def check_type(values: Floats, slot: PlanSlot) -> None:
    """
    Refuses a fraction for a port of whole numbers, what is neither 0 nor 1 for a flag, and for float32 numbers that would become infinite.
    """
    try:
        if slot.dtype == "f32":
            check_float32(values)
        elif slot.dtype != "f64":
            as_numbers(values, np.int64 if slot.dtype == "i64" else np.bool_)
    except NotNumbers as reason:
        raise InputError(f"inputs: the values for {slot.path.removeprefix('in:')} are not valid: {reason}") from None
