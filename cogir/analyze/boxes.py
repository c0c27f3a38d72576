"""
The boxes that a question is about: ranges of parameters and inputs by name, as the arguments of a walk of the model (`analysis/ranges`).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from math import ceil, floor, isfinite
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
from cogir.runtime.numbers import NotNumbers, NotPlainArray, as_numbers
from cogir.runtime.short_names import find_short, short_names

LARGEST = 1.7976931348623157e308
MOST_BOXES = 4096

Given: TypeAlias = "Mapping[Any, Any] | None"
Ends: TypeAlias = "tuple[npt.NDArray[Any], npt.NDArray[Any]]"
"""The lower and the upper ends of the elements of a parameter or an input: floats, or whole numbers of 64 bits."""
LEAST_WHOLE, GREATEST_WHOLE = -(2**63), 2**63 - 1


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

    def ends(self, path: str) -> Ends:
        """The range of a parameter or an input."""
        return self.inputs[path] if path in self.inputs else self.parameters[path]

    def free(self) -> list[str]:
        """The inputs that can be any finite number, by their names for users: those for which nothing was given."""
        return [in_words(path) for path, (low, high) in self.inputs.items() if ((low == -LARGEST) & (high == LARGEST)).any()]

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
        known = self._slots(parameters, self.names, f"{what}: parameters")
        asked = self._slots(inputs, self.inputs, f"{what}: inputs")
        found = {slot.path: self.ends(slot, given, f'{what}: parameter "{in_words(slot.path)}"') for slot, given in known.items()}
        given_inputs = {slot.path: self.ends(slot, given, f'{what}: input "{in_words(slot.path)}"') for slot, given in asked.items()}
        for path in self.layout.inputs:
            if path not in given_inputs:
                shape = self.layout[path].shape
                given_inputs[path] = np.full(shape, -LARGEST), np.full(shape, LARGEST)
        return ParameterBox(found, given_inputs)

    def _slots(self, given: Given, known: Mapping[str, Slot], what: str) -> dict[Slot, Any]:
        """The values given for parameters or inputs, by slot."""
        if not isinstance(cast(object, given if given is not None else {}), Mapping):
            raise InputError(f'{what} is {shown(given)}; give a dict of ranges by name, {{"node/rate": (0.0, 1.0)}}')
        found: dict[Slot, Any] = {}
        for key, value in (given or {}).items():
            slot = self._slot(key, known, what)
            if slot in found:
                raise InputError(f'{what}: "{in_words(slot.path)}" is given twice, under two of its names; give it once')
            found[slot] = value
        return found

    @staticmethod
    def _slot(key: Any, known: Mapping[str, Slot], what: str) -> Slot:
        name = path_of(key)
        found = name if name in known else find_short(name, known)
        whole, bracket, _ = name.partition("[")
        if found is None and bracket and (path := whole if whole in known else find_short(whole, known)) is not None:
            shape = known[path].shape
            ends = f'give ranges of whole arrays, with arrays of shape {shape} as ends: {{"{whole}": (lower, upper)}}'
            raise InputError(f'{what}: "{name}" is an element of "{whole}"; {ends if shape else f"that is one number: {whole}"}')
        if found is None:
            plain = [*(each for each in known if ":" not in each), *short_names(known)]
            raise InputError(f'{what}: there is no "{name}"{did_you_mean(name, plain) or there_is(plain)}')
        return known[found]

    def ends(self, slot: Slot, given: Any, what: str) -> Ends:
        """The ends of a range as users give it: a pair (low, high), a `Between`, a type such as `Positive`, "declared", or a value."""
        if isinstance(given, str) and given == "declared":
            given = self.declared.get(slot.path)
            if given is None:
                raise InputError(f"{what} has no declared range; give a pair (low, high)")
        given = next((part for part in getattr(given, "__metadata__", ()) if isinstance(part, Between)), given)  # cogir.Positive
        if isinstance(given, Between):
            given = finite_ends(given)
        is_pair = isinstance(given, tuple) and len(cast("tuple[Any, ...]", given)) == 2
        pair = cast("tuple[Any, Any]", given if is_pair else (given, given))
        ends_of = whole_ends if slot.buffer == "pi" else float_ends
        try:
            low, high = (np.broadcast_to(end, slot.shape) for end in ends_of(*pair))
        except NotPlainArray as error:
            raise InputError(f"{what}: {error}") from None
        except NotNumbers as error:
            raise InputError(f"{what}: {error}; give a pair (low, high) of numbers, or of arrays that fit {self._shape(slot)}") from None
        except ValueError:
            raise InputError(
                f"{what} is {shown(given)}; give a pair (low, high) of numbers, or of arrays that fit {self._shape(slot)}"
            ) from None
        if not (low <= high).all():
            remedy = (
                "give a range that holds a whole number, its lower end first"
                if slot.buffer == "pi"
                else "give the lower end first, and no NaN"
            )
            raise InputError(f"{what} is {shown(given)}; {remedy}")
        return low, high

    @staticmethod
    def _shape(slot: Slot) -> str:
        return " x ".join(map(str, slot.shape)) or "a number"

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
                    whole[place] = Number(IntRange(first.item(), last.item()))
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


def float_ends(low: Any, high: Any) -> Ends:
    """Both ends as floats."""
    return as_numbers(low), as_numbers(high)


def whole_ends(low: Any, high: Any) -> Ends:
    """The least and the greatest whole number between two numbers, as far as 64 bits go."""
    return _whole_end(low, ceil), _whole_end(high, floor)


def _whole_end(end: Any, rounded: Any) -> npt.NDArray[np.int64]:
    try:
        return as_numbers(end, np.int64)
    except NotNumbers:
        numbers = as_numbers(end)
    if np.isnan(numbers).any():
        raise NotNumbers(f"found {shown(end)}, which is no whole number")
    whole = [int(min(max(rounded(each) if isfinite(each) else each, LEAST_WHOLE), GREATEST_WHOLE)) for each in numbers.reshape(-1).tolist()]
    return np.array(whole, np.int64).reshape(numbers.shape)


Element: TypeAlias = "tuple[str, int]"
"""A parameter or an input by its path, and one of its elements, in row-major order."""


def parts_of(box: ParameterBox, split: Mapping[Element, int]) -> Iterator[ParameterBox]:
    """The parts of a box: the range of each element is split into so many (`split_ends`), and a part has one of each."""
    for chosen in product(*(range(number) for number in split.values())):
        part = box
        for ((path, element), number), at in zip(split.items(), chosen, strict=True):
            low, high = (end.copy() for end in part.ends(path))
            whole = box.ends(path)
            first, last = split_ends((whole[0].reshape(-1)[element], whole[1].reshape(-1)[element]), number)[at]
            low.reshape(-1)[element], high.reshape(-1)[element] = first, last
            part = part.with_ends(path, (low, high))
        yield part


def split_ends(ends: Ends, count: int) -> list[Ends]:
    """
    A range of numbers in so many parts, which hold all of them: of floats, neighbours share an end, and the first part begins and the last
    one ends as the whole range does; whole numbers lie in one part each, but for ranges of fewer numbers than parts.

    Parts have equal lengths. Those of a range whose length is not finite, such as 0.0 to infinity, have equally many floats.
    """
    low, high = ends
    made = (_whole_parts if low.dtype.kind == "i" else _float_parts)(low.item(), high.item(), count)
    return [(np.array(first, low.dtype), np.array(last, low.dtype)) for first, last in made]


def _float_parts(low: float, high: float, count: int) -> Sequence[tuple[float, float]]:
    if low == high:
        return [(low, high)] * count
    length = high - low
    if isfinite(length):
        marks = [min(low + length * (number / count), high) for number in range(1, count)]
    else:
        first, last = rank_of(low), rank_of(high)
        marks = [float_of(first + (last - first) * number // count) for number in range(1, count)]
    return list(pairwise([low, *marks, high]))


def _whole_parts(low: int, high: int, count: int) -> Sequence[tuple[int, int]]:
    numbers = high - low + 1
    marks = [numbers * number // count for number in range(count + 1)]
    return [(low + first, low + max(first, last - 1)) for first, last in pairwise(marks)]


def rank_of(value: float) -> int:
    """The rank of a float in the order of all floats, in which both zeros have rank 0."""
    bits: int = struct.unpack("<q", struct.pack("<d", value))[0]
    return bits if bits >= 0 else -(bits & 0x7FFF_FFFF_FFFF_FFFF)


def float_of(rank: int) -> float:
    """The float of a rank (`rank_of`)."""
    magnitude: float = struct.unpack("<d", struct.pack("<q", abs(rank)))[0]
    return magnitude if rank >= 0 else -magnitude
