"""
The boxes that a question is about: ranges of parameters and inputs by name, as the arguments of a walk of the model (`analysis/ranges`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from cogir.analysis.layout import Layout, Slot
from cogir.analysis.ranges.floats import FloatRange
from cogir.analysis.ranges.integers import IntRange
from cogir.analysis.ranges.values import Elements, Number
from cogir.errors import InputError, did_you_mean, shown, there_is
from cogir.labelled.names import path_of
from cogir.ranges import Between
from cogir.runtime.numbers import NotNumbers, as_numbers
from cogir.runtime.short_names import find_short, short_names

LARGEST = 1.7976931348623157e308
MOST_BOXES = 4096

Given: TypeAlias = "Mapping[Any, Any] | None"
Ends: TypeAlias = "tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]"
"""The lower and the upper ends of the elements of a parameter or an input."""


def in_words(path: str) -> str:
    """The name of a slot for users: `decision/rate` for `decision/param:rate`."""
    owner, _, name = path.removeprefix("in:").removeprefix("out:").rpartition("/")
    start = "initial " if name.startswith("initial:") else ""
    return f"{owner}/{start}{name.rpartition(':')[2]}" if owner else name


@dataclass(frozen=True)
class ParameterBox:
    """Ranges of parameters and inputs, by the paths of their slots."""

    parameters: Mapping[str, Ends]
    inputs: Mapping[str, Ends]

    def ranged(self) -> dict[str, Ends]:
        """Those that are not single numbers."""
        return {path: ends for path, ends in (*self.parameters.items(), *self.inputs.items()) if (ends[0] < ends[1]).any()}

    def with_ends(self, path: str, ends: Ends) -> ParameterBox:
        """The same box, but for one parameter or input."""
        if path in self.inputs:
            return ParameterBox(self.parameters, {**self.inputs, path: ends})
        return ParameterBox({**self.parameters, path: ends}, self.inputs)


class BoxedModel:
    """The layout of a model at stage `machine`, and the boxes that users give for it."""

    def __init__(self, layout: Layout, declared: Mapping[str, Between]):
        self.layout = layout
        self.declared = declared
        self.names: dict[str, Slot] = {}
        for slot in (*layout.in_buffer("pf"), *layout.in_buffer("pi")):
            self.names.setdefault(slot.path, slot)
            self.names.setdefault(in_words(slot.path), slot)
        self.inputs: dict[str, Slot] = {}
        for path in layout.inputs:
            name = in_words(path)
            for known in (name, name.rpartition("/")[0]):
                self.inputs.setdefault(known, layout[path])

    def box(self, parameters: Given, inputs: Given, what: str) -> ParameterBox:
        """The box of a question; parameters that are not given have the model's values, inputs can be any finite number."""
        known = {self._slot(key, self.names, f"{what}: parameters"): given for key, given in (parameters or {}).items()}
        asked = {self._slot(key, self.inputs, f"{what}: inputs"): given for key, given in (inputs or {}).items()}
        found = {slot.path: self.ends(slot, given, f'{what}: parameter "{in_words(slot.path)}"') for slot, given in known.items()}
        given_inputs = {slot.path: self.ends(slot, given, f'{what}: input "{in_words(slot.path)}"') for slot, given in asked.items()}
        for path in self.layout.inputs:
            if path not in given_inputs:
                shape = self.layout[path].shape
                given_inputs[path] = np.full(shape, -LARGEST), np.full(shape, LARGEST)
        return ParameterBox(found, given_inputs)

    @staticmethod
    def _slot(key: Any, known: Mapping[str, Slot], what: str) -> Slot:
        name = path_of(key)
        found = name if name in known else find_short(name, known)
        if found is None:
            plain = [*(each for each in known if ":" not in each), *short_names(known)]
            raise InputError(f'{what}: there is no "{name}"{did_you_mean(name, plain) or there_is(plain)}')
        return known[found]

    def ends(self, slot: Slot, given: Any, what: str) -> Ends:
        """The ends of a range as users give it: a pair (low, high), a `Between`, "declared", or a value."""
        if isinstance(given, str) and given == "declared":
            given = self.declared.get(slot.path)
            if given is None:
                raise InputError(f"{what} has no declared range; give a pair (low, high)")
        if isinstance(given, Between):
            given = finite_ends(given)
        is_pair = isinstance(given, tuple) and len(cast("tuple[Any, ...]", given)) == 2
        pair = cast("tuple[Any, Any]", given if is_pair else (given, given))
        try:
            low, high = (np.broadcast_to(as_numbers(end), slot.shape) for end in pair)
        except NotNumbers as reason:
            raise InputError(f"{what}: {reason}; give a pair (low, high) of numbers") from None
        except ValueError:
            shape = " x ".join(map(str, slot.shape)) or "a number"
            raise InputError(f"{what} is {shown(given)}; give a pair (low, high) of numbers, or of arrays that fit {shape}") from None
        if not (low <= high).all():
            raise InputError(f"{what} is {shown(given)}; give the lower end first, and no NaN")
        return low, high

    # Arguments of a walk

    def parameters(self, box: ParameterBox) -> tuple[Elements, Elements]:
        """The buffers `pf` and `pi`."""
        floats = [Number(FloatRange(each, each, False, is_negative_zero(each))) for each in self.layout.default_buffer("pf").tolist()]
        whole = [Number(IntRange(each, each)) for each in self.layout.default_buffer("pi").tolist()]
        for path, (low, high) in box.parameters.items():
            slot = self.layout[path]
            for place, first, last in zip(range(slot.offset, slot.offset + slot.size), low.reshape(-1), high.reshape(-1), strict=True):
                if slot.buffer == "pf":
                    floats[place] = number_between(first.item(), last.item())
                else:
                    whole[place] = Number(IntRange(int(np.ceil(first)), int(np.floor(last))))
        return Elements((len(floats),), tuple(floats)), Elements((len(whole),), tuple(whole))

    def trial_inputs(self, box: ParameterBox) -> Elements:
        """The buffer `in` of a trial, with new numbers."""
        cells = [Number(FloatRange(0.0, 0.0, False, False)) for _ in range(self.layout.size("in"))]
        for path in self.layout.inputs:
            slot = self.layout[path]
            low, high = (end.reshape(-1) for end in box.inputs[path])
            for place in range(slot.size):
                cells[slot.offset + place] = number_between(low[place].item(), high[place].item())
        return Elements((len(cells),), tuple(cells))


def finite_ends(range: Between) -> tuple[float, float]:
    """The least and the greatest finite number of a declared range."""
    low = np.nextafter(range.low, np.inf).item() if range.low_open else range.low
    high = np.nextafter(range.high, -np.inf).item() if range.high_open else range.high
    return max(low, -LARGEST), min(high, LARGEST)


def is_negative_zero(value: float) -> bool:
    """True for -0.0."""
    return value == 0.0 and np.signbit(value).item()


def number_between(low: float, high: float) -> Number:
    """A number between two; it can be -0.0 if there are negative numbers among them, or if -0.0 is an end."""
    return Number(FloatRange(low, high, False, low < 0.0 <= high or is_negative_zero(low) or is_negative_zero(high)))


def parts_of(box: ParameterBox, split: Mapping[str, int]) -> Iterator[ParameterBox]:
    """
    The parts of a box: the range of each parameter or input is split into so many equal ones.

    :raises InputError: for more than 4,096 parts.
    """
    count = int(np.prod([float(each) for each in split.values()])) if split else 1
    if count > MOST_BOXES:
        raise InputError(f"split: {count} parts; give smaller numbers, at most {MOST_BOXES} parts in all")
    ranged = box.ranged()
    steps: list[list[tuple[str, Ends]]] = []
    for path, number in split.items():
        low, high = ranged[path]
        marks = [low + (high - low) * (each / number) for each in range(number)] + [high]
        steps.append([(path, (marks[each], marks[each + 1])) for each in range(number)])
    for chosen in product(*steps):
        part = box
        for path, ends in chosen:
            part = part.with_ends(path, ends)
        yield part
