"""
The two ends of a value: a Parameter of PsyNeuLink in one execution context, and words of the compiled model.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from cogir.psyneulink.functions.counterpart import flat, shape_added
from cogir.psyneulink.functions.stateful import WITHOUT_CONTEXTS
from cogir.psyneulink.pnl import give_context
from cogir.psyneulink.reader import is_complex, is_numeric, plain, used_seed
from cogir.psyneulink.state.lazy_values import ObservedDict, look_up, put
from cogir.psyneulink.state.previous_values import LastRun, Previous
from cogir.runtime.context import NativeContext
from cogir.runtime.plan import Floats, PlanSlot, Words

Shape: TypeAlias = tuple[int, ...] | None
"""The shape of an item of a value; None for a whole number."""


class OtherShape(Exception):
    """A value has got another shape than the compiled model has for it."""


def shape_of(value: Any) -> tuple[int, ...]:
    """The shape of a value; of rows of different lengths, that of the array of them."""
    try:
        return np.shape(value)
    except ValueError:
        return (len(value),)


def without_outer_ones(shape: tuple[int, ...]) -> tuple[int, ...]:
    """A shape without the axes of length one with which it begins: PsyNeuLink wraps numbers and vectors into longer shapes."""
    return shape if not shape or shape[0] != 1 else without_outer_ones(shape[1:])


@dataclass
class Binding:
    """A Parameter of PsyNeuLink and the slot of the compiled model that takes its value."""

    values: dict[Any, Any]
    slot: PlanSlot
    shape: tuple[int, ...]
    key: Any
    keeps_shape: bool = False
    """True if a value of another shape, but for outer axes of length one, is a reason to make the model anew."""
    unset: bool = False
    """True if PsyNeuLink has None, and the model what that means."""
    is_exact: bool = False
    """True if a value of another shape means something else, even if it is of as many numbers."""
    usual: tuple[int, ...] | None = None
    """The other shape that means the same: that of what an execution leaves."""
    start: dict[Any, Any] | None = None
    """The values of the Parameter from which a reset takes this one, with which it must not share an array."""
    attribute: tuple[Any, str] | None = None
    """The component and its attribute in which PsyNeuLink looks for the value, which may be that of another execution context."""

    def copy_in(self, buffer: Floats) -> None:
        """Takes PsyNeuLink's value."""
        value = self.held()
        if self.keeps_shape and value is not None and without_outer_ones(shape_of(value)) != without_outer_ones(self.shape):
            raise OtherShape
        if self.is_exact and value is not None and np.shape(value) not in (self.shape, self.usual):
            raise OtherShape
        if self.attribute is not None and not np.array_equal(getattr(*self.attribute), cast(Any, value)):
            raise OtherShape
        if self.start is not None and np.may_share_memory(value, look_up(self.start, self.key)):
            raise OtherShape
        if is_numeric(value) and value.size == self.slot.size:
            buffer[self.slot.words] = value.ravel()
        elif value is None:
            if not self.unset:
                raise OtherShape
        elif is_complex(value):  # of which a new model says that it cannot be
            raise OtherShape
        elif self.slot.size > 1 and np.size(value) != 1:
            self.copy_ragged(value, buffer)
        else:
            try:
                buffer[self.slot.words] = np.broadcast_to(np.asarray(plain(value), float), self.slot.shape).ravel()
            except (TypeError, ValueError):
                raise OtherShape from None

    @property
    def is_plain(self) -> bool:
        """True if it is one number that the execution context has for itself."""
        return self.slot.size == 1 and not (self.unset or self.is_exact) and look_up(self.values, self.key) is not None

    def held(self) -> Any:
        """PsyNeuLink's value, which may be that of no execution context."""
        value = look_up(self.values, self.key)
        return look_up(self.values, None) if value is None else value

    @cached_property
    def places(self) -> Words:
        """The places of the numbers of the slot in their buffer."""
        return np.arange(self.slot.offset, self.slot.offset + self.slot.size)

    @property
    def is_constant(self) -> bool:
        """True if the value is no object that can be changed, and the dictionary tells when it gets another one."""
        return isinstance(self.values, ObservedDict) and isinstance(self.held(), int | float | np.generic | None)

    def view(self) -> npt.NDArray[Any] | None:
        """The numbers in the array that PsyNeuLink holds, if they are those of the slot, and the dictionary tells when it gets another."""
        value = self.held()
        if not (isinstance(self.values, ObservedDict) and isinstance(value, np.ndarray) and value.size == self.slot.size):
            return None
        array = cast("npt.NDArray[Any]", value)
        return array.reshape(-1) if array.dtype.kind in "biuf" and array.flags.c_contiguous else None

    def copy_ragged(self, value: Any, buffer: Floats) -> None:
        """Copies the numbers of a value whose items differ in length, one after another."""
        try:
            numbers = flat(value)
        except (TypeError, ValueError):
            raise OtherShape from None
        if numbers.size != self.slot.size:
            raise OtherShape
        buffer[self.slot.words] = numbers


JOINING = ("SimpleIntegrator", "AdaptiveIntegrator", "LeakyCompetingIntegrator", "DualAdaptiveIntegrator")
"""Functions that add their variable to what they carry on, which has the shape of both from then on."""


def shape_left(function: Any, parameter: str, link: Binding) -> tuple[int, ...]:
    """The shape in which an execution of a Function leaves what it carries on; a reset, or a script, may have given it another one."""
    base = np.shape(link.values.get(None, 0.0))
    kind = type(function).__name__
    if parameter == "previous_time" and kind == "DriftDiffusionIntegrator":  # with another one than the usual it does not compile
        return link.shape
    if parameter == "previous_time" and kind == "FitzHughNagumoIntegrator":
        return base or link.slot.shape
    if kind == "AccumulatorIntegrator":  # which makes an outer axis
        return np.broadcast_shapes(base, (1, 1), link.slot.shape)
    if kind in JOINING:
        return np.broadcast_shapes(base, shape_added(function))
    return base


class BoundInputs:
    """Parameters whose values are copied into the model together."""

    def __init__(self, links: Sequence[Binding]):
        self.links = links
        self.single = [link for link in links if link.is_plain]
        self.others = [link for link in links if not link.is_plain]
        self.places: Words = np.array([link.slot.offset for link in self.single], np.int64)
        self.views: list[npt.NDArray[Any]] = []
        """The numbers in the arrays that PsyNeuLink holds, which a script that has got one may change in place."""
        self.places_of_views: Words = np.zeros(0, np.int64)
        self.changing: list[Binding] = []
        """The links of other values that may change in place."""

    def copy_in(self, buffer: Floats) -> None:
        """All numbers at once where they are arrays of one element; else one by one."""
        try:
            buffer[self.places] = [look_up(link.values, link.key).item() for link in self.single]
        except (AttributeError, TypeError, ValueError):
            for link in self.single:
                link.copy_in(buffer)
        for link in self.others:
            link.copy_in(buffer)

    def find_views(self) -> None:
        """Notes the arrays that PsyNeuLink holds now."""
        found = [(link, link.view()) for link in self.links]
        viewed = [(link.places, view) for link, view in found if view is not None]
        self.views = [view for _, view in viewed]
        self.places_of_views = np.concatenate([np.zeros(0, np.int64), *(places for places, _ in viewed)])
        self.changing = [link for link, view in found if view is None and not link.is_constant]

    def copy_in_views(self, buffer: Floats) -> None:
        """`copy_in`, where no dictionary has been used since `find_views`."""
        if self.views:
            buffer[self.places_of_views] = np.concatenate(self.views)
        for link in self.changing:
            link.copy_in(buffer)


@dataclass
class ShownValue:
    """A Parameter that shows words of the model: those of one slot, or of several, a row for each."""

    values: dict[Any, Any]
    history: dict[Any, Any]
    places: list[Words]
    shape: tuple[int, ...] | None
    """The shape of its value; None where the rows differ in length."""
    count: int | None = None
    """The place of the count of executions of the Mechanism that shows it."""
    keeps: bool = False
    """True if the value before the present one is known, too."""
    rows: Sequence[Shape] = ()
    """The shapes of the rows, where these differ; none if each has one axis."""
    is_tuple: bool = False
    """True if the value is a tuple of the rows, and no array."""
    dtype: Any = float
    """The type of its numbers: whole ones, or truth values, which PsyNeuLink holds as such."""

    @property
    def size(self) -> int:
        """The number of words."""
        return sum(map(len, self.places))


@dataclass
class OutputGroup:
    """The values that one Mechanism shows; they are written only if it has been executed."""

    count: int | None
    """The place of the count of its executions; None for values that every run leaves."""
    plain: list[tuple[dict[Any, Any], slice, tuple[int, ...], Any]]
    ragged: list[tuple[dict[Any, Any], list[tuple[slice, Shape]], bool]]
    """The values of Parameters, the slices and shapes of their rows, and whether the value is a tuple of them."""
    histories: list[dict[Any, Any]]
    kept: list[tuple[dict[Any, Any], dict[Any, Any], slice, tuple[int, ...], Any]]
    """The values, histories, slices, shapes and types of Parameters whose previous values are known, too."""


class ShownValues:
    """All that a run leaves in PsyNeuLink's Parameters, gathered from the words of the model in one go."""

    def __init__(self, shown: Sequence[ShownValue], key: Any, size: int):
        """`size`: of the buffer sf; places from there on are those of the inputs of a trial."""
        self.key = key
        self.index: Words = np.concatenate([np.zeros(0, np.int64), *(words for one in shown for words in one.places)])
        self.is_input = self.index >= size
        self.of_state, self.of_inputs = self.index[~self.is_input], self.index[self.is_input] - size
        groups: dict[int | None, OutputGroup] = {}
        start = 0
        for one in shown:
            group = groups.setdefault(one.count, OutputGroup(one.count, [], [], [], []))
            if one.keeps and one.shape is not None and one.count is not None:
                group.kept.append((one.values, one.history, slice(start, start + one.size), one.shape, one.dtype))
            else:
                group.histories.append(one.history)
            if one.shape is not None:
                group.plain.append((one.values, slice(start, start + one.size), one.shape, one.dtype))
            else:
                ends = np.cumsum([start, *map(len, one.places)])
                slices = [slice(a, b) for a, b in pairwise(ends)]
                group.ragged.append((one.values, list(zip(slices, one.rows or [(-1,)] * len(slices), strict=True)), one.is_tuple))
            start += one.size
        self.groups = list(groups.values())
        self.counts: list[float] = []
        self.tells = all(isinstance(one.values, ObservedDict) and isinstance(one.history, ObservedDict) for one in shown)
        """True if the values of all Parameters are observed."""

    def begin(self, buffer: Floats) -> None:
        """Notes where the counts stand before the runs that are shown next."""
        self.counts = [0.0 if group.count is None else buffer[group.count] for group in self.groups]

    def show(self, words: Floats, row: Floats, last: LastRun) -> None:
        """
        Puts the present values, from the buffer sf and from a trial's inputs, into PsyNeuLink, each in memory of its own, since
        PsyNeuLink changes arrays in place.
        """
        gathered: Floats = np.empty(len(self.index))
        gathered[~self.is_input], gathered[self.is_input] = words[self.of_state], row[self.of_inputs]
        key = self.key
        for group, count in zip(self.groups, self.counts, strict=True):
            if group.count is not None and words[group.count] == count:
                continue
            if group.count is not None and group.kept:
                self.keep(group, words[group.count], count, last)
            for values, where, shape, dtype in group.plain:
                put(values, key, gathered[where].reshape(shape).astype(dtype, copy=False))
            for values, slices, is_tuple in group.ragged:
                rows = np.empty(len(slices), dtype=object)
                for index, (where, shape) in enumerate(slices):
                    rows[index] = int(gathered[where].item()) if shape is None else gathered[where].reshape(shape)
                put(values, key, tuple(rows) if is_tuple else rows)
            for history in group.histories:
                history.pop(key, None)

    def keep(self, group: OutputGroup, now: float, before: float, last: LastRun) -> None:
        """Puts the values of a Mechanism and its ports before its last execution into the histories, or a `Previous` that computes them."""
        key = self.key
        count = group.count
        assert count is not None
        for values, history, where, shape, dtype in group.kept:
            held = look_up(values, key)
            shown = copy(look_up(values, None)) if held is None else held
            if now - before == 1 and shown is not None:
                put(history, key, deque([shown], maxlen=1))
            else:
                places = self.index[where]
                put(
                    history,
                    key,
                    Previous(lambda places=places, shape=shape, dtype=dtype: last.value(places, shape, count, now).astype(dtype)),
                )


@dataclass
class Generator:
    """A generator of PsyNeuLink and its words in the compiled model."""

    parameter: Any
    slot: PlanSlot
    key: Any
    path: str
    used_seed: PlanSlot | None = None
    """The slot of the seed that was used last, if it follows a modulated seed."""
    before: Words | None = None
    last: Any = None
    """The generator that was there at the last run."""

    @property
    def values(self) -> dict[Any, Any]:
        """PsyNeuLink's generators by execution context."""
        return self.parameter.values

    def copy_in(self, context: NativeContext, call_begins: bool = False) -> None:
        """
        Takes the state of PsyNeuLink's generator. That there is none means that its seed has been set since it was last used: a call of
        `run` or `execute` begins with a copy of the generator that no execution context owns, which goes on where it stands if it is of the
        same seed; later in the call the generator starts anew.
        """
        generator = look_up(self.values, self.key)
        if generator is None and call_begins:
            give_context(self.parameter, self.key)
            generator = look_up(self.values, self.key)
        if generator is None or (generator is not self.last and self.used_seed is None):  # one that was put there is seeded anew
            generator = self.parameter.get(self.key)
        self.last = generator
        if self.used_seed is not None and generator is not None:
            context.sf[self.used_seed.offset] = used_seed(generator)
        if isinstance(generator, np.random.RandomState):
            state: Any = generator.get_state(legacy=False)
            words = context.rng[self.slot.words]
            words[:624] = state["state"]["key"]
            words[624] = state["state"]["pos"]
            words[625] = state["has_gauss"]
            words[626] = np.float64(state["gauss"]).view(np.int64)
        elif generator is not None:
            context.generators[self.path] = generator
        self.before = context.rng[self.slot.words].copy()

    def copy_out(self, context: NativeContext) -> None:
        """Puts PsyNeuLink's generator into the state that a run has left, if the run has drawn from it."""
        generator = look_up(self.values, self.key)
        words = context.rng[self.slot.words]
        if generator is None or (self.before is not None and np.array_equal(words, self.before)):
            return
        if self.used_seed is not None:
            generator.used_seed = [int(context.sf[self.used_seed.offset])]
        if isinstance(generator, np.random.RandomState):
            gauss: npt.NDArray[np.float64] = words[626:627].view(np.float64)
            generator.set_state(("MT19937", words[:624].astype(np.uint32), int(words[624]), int(words[625]), float(gauss[0])))
        else:
            generator.bit_generator.state = context.generators[self.path].bit_generator.state
        self.before = words.copy()


def rows_of(shapes: Iterable[Shape]) -> tuple[int, ...] | None:
    """The shape of an array with a row of each of these shapes; None where they differ."""
    found = list(shapes)
    return (len(found), *found[0]) if len(set(found)) == 1 and found[0] is not None else None


def guard(link: Binding, function: Any, parameter: str, shape: tuple[int, ...]) -> None:
    """
    Says what the value behind the link of a state must be like, so that the model goes on from it as PsyNeuLink does. `shape`: that of what
    an execution leaves.
    """
    initializer = getattr(function.parameters, parameter).initializer
    if type(function).__name__ in WITHOUT_CONTEXTS:
        link.attribute = (function, parameter)
    if initializer or parameter == "previous_time":
        link.is_exact = True
        link.usual = None if parameter == "previous_time" else shape
        start: dict[Any, Any] = getattr(function.parameters, initializer).final_source.values if initializer else {}
        if np.shape(cast(Any, start.get(None))) == shape:  # so that an execution changes the array in place
            link.start = start
