"""
Columns of tables as inputs, by name.

A column holds one number per trial for one element of an input: `stimulus` of a single number, `stimulus[0]`, `stimulus[left]` or `left` by
the label of the element, `node/port` and `node/port[0][1]`. Within the table of one node, ports are called by their own names (`a`,
`a[1]`), and the elements of its only port by their numbers. This is what `cog-run --inputs trials.csv` reads, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from cogir.errors import InputError, did_you_mean, shown
from cogir.labelled.dataset import Axis, element_names
from cogir.labelled.names import path_of
from cogir.runtime.named_data import Named, NamedColumns, are_default, without_row_labels
from cogir.runtime.numbers import NotNumbers, as_numbers
from cogir.runtime.plan import Floats, PlanSlot
from cogir.runtime.row_labels import index_along, is_count, labels_text

Labels = Mapping[str, tuple[str, ...]]
"""The labels of elements along the last axis of ports, by the paths of inputs without `in:`."""
Index = tuple[int, ...]

ELEMENT = re.compile(r"(.+?)((?:\[[^\[\]]*\])+)")
"""A name with indices or labels in brackets."""
TRIAL = "trial"
"""The dimension of trials in arrays of xarray, as results call it."""
MOST_NAMED = 6
"""So many names of columns are shown in a message."""


def port_path(slot: PlanSlot) -> str:
    """The path of an input: `node/port`."""
    return slot.path.removeprefix("in:")


def heading(name: Any) -> str | int:
    """The name of a column as text; a whole number is the number of an element. Tuples are paths: `("node", "port", 0)`."""
    if isinstance(name, int | np.integer) and not isinstance(name, bool):
        return int(cast("int", name))
    if isinstance(name, tuple):
        parts = [part for part in cast("tuple[Any, ...]", name) if part != ""]
        indices = "".join(f"[{part}]" for part in parts if isinstance(part, int | np.integer))
        return path_of(tuple(part for part in parts if not isinstance(part, int | np.integer))).strip() + indices
    return path_of(name).strip()


@dataclass(frozen=True)
class ColumnReader:
    """
    Finds the elements of some inputs by the names of columns.

    `names`: the inputs that each name stands for, by all names of the model. `slots`: the inputs that are meant. `within`: the name of
    their node or port, if the table stands under one.
    """

    names: Mapping[str, Sequence[PlanSlot]]
    slots: Sequence[PlanSlot]
    labels: Labels
    within: str | None = None

    @property
    def who(self) -> str:
        """The beginning of messages."""
        return "inputs" if self.within is None else f"inputs: {self.within}"

    def arrays(self, given: NamedColumns) -> dict[str, Floats]:
        """
        The numbers of ports by path, each (trials, *shape), from columns. Raises `InputError` for a column that is no element of an input,
        for elements without a column, and for columns that are not numbers.
        """
        if len(self.slots) == 1 and self.slots[0].size == 1 and given.only is not None:
            return {port_path(self.slots[0]): self._whole(self.slots[0], self.numbers("its column", given.only, given))}
        ports = self._ports()
        found: dict[str, dict[Index, Floats]] = {}
        whole: dict[str, Floats] = {}
        seen: dict[tuple[str, Index | None], str] = {}
        for name, values in given.by_name.items():
            slot, index = self._element(name, ports, given)
            column = self.numbers(f'column "{name}"', values, given)
            path = port_path(slot)
            if column.ndim > 1 and index == ():
                index = None
            else:
                if column.ndim != 1 or len(index) != len(slot.shape):
                    raise InputError(
                        f'{self.who}: column "{name}" has one number per trial, but {path} has shape {slot.shape}; give a column for each '
                        f"element: {self.wanted(slot)}"
                    )
            earlier = seen.get((path, index), seen.get((path, None)))
            if index is None and path in found:
                earlier = seen[path, next(iter(found[path]))]
            if earlier is not None:
                raise InputError(f'{self.who}: columns "{earlier}" and "{name}" give the same element of {path}; leave one of them out')
            seen[path, index] = str(name)
            if index is None:
                whole[path] = self._whole(slot, column)
            else:
                found.setdefault(path, {})[index] = column
        of_path = {port_path(slot): slot for slot in self.slots}
        return {path: whole[path] if path in whole else self._filled(of_path[path], found[path], given) for path in {**found, **whole}}

    def array(self, given: Any, slot: PlanSlot) -> npt.NDArray[Any]:
        """The numbers of an array of xarray for one input: its trials lie along the dimension `trial`, its elements are found by name."""
        if are_default(given.dims):
            of_elements = given.dims[given.ndim - len(slot.shape) :] if slot.size > 1 and given.ndim >= len(slot.shape) else ()
            for index in (index_along(given, dim) for dim in of_elements):
                if index is not None and not is_count(index):
                    raise InputError(
                        f"{self.who}: found a {type(given).__name__} whose elements are called {labels_text(index)} along a dimension "
                        f'without a name; call the dimension of trials "{TRIAL}", values.rename({{"{given.dims[0]}": "{TRIAL}"}}), so '
                        "that elements are found by name, or give values.to_numpy()"
                    )
            return given.to_numpy()
        others = [name for name in given.dims if name != TRIAL]
        if len(others) == given.ndim:
            if given.ndim == 1 and slot.size == 1:
                return given.to_numpy()
            is_one_trial = given.ndim == 1 and self._coordinate(given, others[0]) is not None
            if not is_one_trial:
                listed = ", ".join(map(str, given.dims))
                raise InputError(
                    f'{self.who}: found an array with dimensions ({listed}); call the dimension of trials "{TRIAL}": '
                    f'values.rename({{"{given.dims[0]}": "{TRIAL}"}}), or give values.to_numpy()'
                )
        if len(others) > 1:
            raise InputError(
                f"{self.who}: found an array with dimensions ({', '.join(map(str, given.dims))}), and cogir has no names for the axes of "
                f'elements; give an array in the right order: values.transpose("{TRIAL}", ...).to_numpy()'
            )
        rows = given.transpose(TRIAL, *others).to_numpy() if len(others) < given.ndim else given.to_numpy()[None]
        marks = self._coordinate(given, others[0]) if others else None
        if marks is None:
            if rows.shape[1:] != slot.shape and (slot.size > 1 or rows.size != len(rows)):
                raise InputError(
                    f"{self.who}: {port_path(slot)} has shape {slot.shape}, but each trial of the {type(given).__name__} has shape "
                    f"{rows.shape[1:]}; give dimensions ({', '.join((TRIAL, *(f'axis{place}' for place in range(len(slot.shape)))))})"
                )
            return rows
        return self.arrays(NamedColumns(_unique(marks, rows, self.who), type(given).__name__))[port_path(slot)]

    @staticmethod
    def _coordinate(given: Any, name: Any) -> list[Any] | None:
        return given.coords[name].to_numpy().tolist() if name in given.coords else None

    def numbers(self, which: str, values: Any, given: NamedColumns) -> Floats:
        """The numbers of a column."""
        try:
            found = np.atleast_1d(as_numbers(without_row_labels(values)))
        except (Named, NotNumbers) as reason:
            raise InputError(f"{self.who}: {which} of the {given.what}: {reason}") from None
        if not len(found):
            raise InputError(f"{self.who}: the {given.what} has no rows; give one for each trial")
        return found

    def _whole(self, slot: PlanSlot, column: Floats) -> Floats:
        if column.size != len(column) * slot.size or (column.ndim > 1 and column.shape[1:] != slot.shape):
            raise InputError(
                f"{self.who}: {port_path(slot)} has shape {slot.shape}, but its column has the shape {column.shape[1:]} in each trial"
            )
        return column.reshape(len(column), *slot.shape)

    def _filled(self, slot: PlanSlot, elements: Mapping[Index, Floats], given: NamedColumns) -> Floats:
        missing = [index for index in np.ndindex(slot.shape) if index not in elements]
        if missing:
            names = element_names(port_path(slot), [Axis("", extent) for extent in slot.shape])
            raise InputError(
                f"{self.who}: the {given.what} has no column for {self._listed([names[index] for index in missing])}; give a column for "
                f"each element of {port_path(slot)}, also (0) for those that vary in a sweep or in data"
            )
        count = max(len(column) for column in elements.values())
        if any(len(column) not in (1, count) for column in elements.values()):
            raise InputError(f"{self.who}: the columns of {port_path(slot)} have different lengths; give one number per trial in each")
        array = np.empty((count, *slot.shape))
        for index, column in elements.items():
            array[(slice(None), *index)] = column
        return array

    def _ports(self) -> dict[str, PlanSlot]:
        """The inputs by all names that columns may have for them."""
        chosen = {slot.path: slot for slot in self.slots}
        found = {name: held[0] for name, held in self.names.items() if len(held) == 1 and held[0].path in chosen}
        if self.within is not None:
            found = {name.removeprefix(f"{self.within}/"): slot for name, slot in found.items()} | found
            if len(self.slots) == 1:
                found.setdefault(port_path(self.slots[0]).rpartition("/")[2], self.slots[0])
        return found

    def _element(self, name: Any, ports: Mapping[str, PlanSlot], given: NamedColumns) -> tuple[PlanSlot, Index]:
        """The input and the index of the element that a column is for; the index of a whole input is ()."""
        text = heading(name)
        if isinstance(text, int):
            if (index := self._number(text)) is None:
                raise self._unknown(name, ports, given)
            return self.slots[0], index
        found: list[tuple[PlanSlot, Index]] = []
        if text in ports:
            slot = ports[text]
            if slot.size == 1:
                found.append((slot, (0,) * len(slot.shape)))
            elif not self._bare_labels(text):
                return slot, ()
        found += self._bare_labels(text)
        if not found and (one := self.bracketed(text, f'{self.who}: the {given.what} has a column "{name}"', ports)) is not None:
            found.append(one)
        if (
            not found
            and text.isdecimal()
            and (number := self._number(int(text))) is not None
            and port_path(self.slots[0]) not in self.labels
        ):
            found.append((self.slots[0], number))
        if not found:
            raise self._unknown(name, ports, given)
        if len(set((slot.path, index) for slot, index in found)) > 1:
            raise InputError(
                f'{self.who}: column "{name}" may be one of several inputs; call it after its input and element: node/port[label]'
            )
        return found[0]

    def bracketed(self, text: str, what: str, ports: Mapping[str, PlanSlot] | None = None) -> tuple[PlanSlot, Index] | None:
        """
        The element that a name with indices or labels in brackets means; None for other names. `what`: the beginning of messages.

        Raises `InputError` for an element that the input does not have.
        """
        ports = self._ports() if ports is None else ports
        match = ELEMENT.fullmatch(text)
        if match is None or match[1].strip() not in ports:
            return None
        slot = ports[match[1].strip()]
        marks = re.findall(r"\[([^\[\]]*)\]", match[2])
        if len(marks) == 1 < len(slot.shape):
            marks = marks[0].split(",")
        index = self._index(slot, marks, text)
        if index is None:
            raise InputError(
                f"{what}, but {port_path(slot)} has no such element{did_you_mean(text, self._own_names(slot))}; give {self.wanted(slot)}"
            )
        return slot, index

    def _number(self, number: int) -> Index | None:
        """The index of an element by its number alone, under the name of a vector; None if there is no such element."""
        only = self.slots[0]
        is_one = self.within is not None and len(self.slots) == 1 and len(only.shape) == 1
        return (number,) if is_one and 0 <= number < only.size else None

    def _bare_labels(self, text: str) -> list[tuple[PlanSlot, Index]]:
        """The elements of vectors with this label."""
        held = [(slot, self.labels.get(port_path(slot), ())) for slot in self.slots if len(slot.shape) == 1]
        return [(slot, (marks.index(text),)) for slot, marks in held if text in marks]

    def _index(self, slot: PlanSlot, marks: list[str], name: Any) -> Index | None:
        """The index in brackets; the last one may be a label."""
        if len(marks) != len(slot.shape):
            return (0,) * len(slot.shape) if marks == ["0"] * len(marks) and slot.size == 1 else None
        index: list[int] = []
        for place, (mark, extent) in enumerate(zip(marks, slot.shape, strict=True)):
            labels = self.labels.get(port_path(slot), ()) if place == len(marks) - 1 else ()
            ways = {labels.index(mark.strip())} if mark.strip() in labels else set[int]()
            if mark.strip().isdecimal() and int(mark) < extent:
                ways.add(int(mark))
            if len(ways) > 1:
                raise InputError(
                    f'{self.who}: column "{name}" is element {int(mark)}, and the label of element {labels.index(mark.strip())}; give an '
                    "array in place of the table"
                )
            if not ways:
                return None
            index += ways
        return tuple(index)

    def wanted(self, slot: PlanSlot) -> str:
        """The names of the columns of one input, for messages."""
        return self._listed(self._own_names(slot))

    def _own_names(self, slot: PlanSlot) -> list[str]:
        """The names of columns for one input: by label if it has labels."""
        node = port_path(slot).rpartition("/")[0]
        if self.within is not None and len(self.slots) == 1:
            name = self.within
        elif self.within is not None:
            name = port_path(slot).removeprefix(f"{self.within}/")
        else:
            name = node if len(self.names.get(node, ())) == 1 else port_path(slot)
        if slot.size == 1:
            return [name]
        labels = self.labels.get(port_path(slot))
        axes = [Axis("", extent) for extent in slot.shape]
        if labels is not None:
            axes[-1] = Axis("", len(labels), {"": np.array(labels, np.str_)})
        if labels is not None and len(axes) == 1 and self.within is not None:
            return list(labels)
        return [text for index, text in element_names(name, axes).items() if len(index) == len(slot.shape)]

    def _unknown(self, name: Any, ports: Mapping[str, PlanSlot], given: NamedColumns) -> InputError:
        wanted = [text for slot in self.slots for text in self._own_names(slot)]
        labels = [mark for slot in self.slots for mark in self.labels.get(port_path(slot), ())]
        remedy = did_you_mean(name, dict.fromkeys([*wanted, *ports, *labels])) if isinstance(name, str) else ""
        index = "; write the file without the index of its rows: index=False" if str(name).startswith("Unnamed: ") or name == "" else ""
        return InputError(
            f"{self.who}: the {given.what} has a column {_quoted(name)}, which is no input{'' if self.within is None else ' of it'}"
            f"{index}; columns are taken by name: {self._listed(wanted)}{remedy}"
        )

    @staticmethod
    def _listed(names: Sequence[str]) -> str:
        return ", ".join(f'"{name}"' for name in names[:MOST_NAMED]) + (" ..." if len(names) > MOST_NAMED else "")


def _quoted(name: Any) -> str:
    return f'"{name}"' if isinstance(name, str) else shown(name)


def _unique(marks: list[Any], rows: npt.NDArray[Any], who: str) -> dict[Any, Any]:
    """The columns of rows by their names, of which none may come twice."""
    if len(set(marks)) < len(marks):
        raise InputError(f"{who}: found an array in which two elements are called alike; give each element a name of its own")
    return {mark: rows[:, place] for place, mark in enumerate(marks)}


def labels_of_inputs(slots: Sequence[PlanSlot], labels: Labels) -> dict[str, tuple[str, ...]]:
    """
    The labels of the elements of inputs, from those of outputs: an input has the labels of the outputs of its node whose last axis is as
    long, if these agree.
    """

    def fitting(slot: PlanSlot) -> Iterator[tuple[str, ...]]:
        node = port_path(slot).rpartition("/")[0]
        for path, marks in labels.items():
            if path.rpartition("/")[0] == node and slot.shape[-1:] == (len(marks),):
                yield marks

    found = {port_path(slot): set(fitting(slot)) for slot in slots}
    return {path: marks.pop() for path, marks in found.items() if len(marks) == 1}
