"""
Loops: what holds at the head of a loop in every iteration.

A loop maps a state at its head to the one of the next iteration. From the first state on, states are joined until nothing is added. Ends
that keep moving are helped: where the steps shrink, as in a leaky integrator, the limit of the geometric series is tried; else the end
moves to the next threshold (a constant of the program, 0, 1, or infinity). Either is only an attempt: a state is taken when the loop was
walked from it and led to nothing outside of it. Then the state is narrowed by walking on from it.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import cast

from cogir.analysis.ranges.floats import INFINITY, FloatRange
from cogir.analysis.ranges.integers import IntRange
from cogir.analysis.ranges.values import Elements, Number, State, Value, covers, joined, mapped

PLAIN = 3
"""So many iterations are joined as they are."""
ATTEMPTS = 6
"""So often limits and thresholds are tried; after that, ends that move are infinite."""
NARROWINGS = 3
SLACK = 1e-9
"""A limit is tried with so much more of the distance to it."""

Step = Callable[[State], "State | None"]
"""From the state at the head to that of the next iteration; None if there is none."""


@dataclass
class Thresholds:
    """Numbers at which ends of ranges may stop."""

    floats: list[float] = field(default_factory=lambda: [-1.0, 0.0, 1.0])
    integers: list[int] = field(default_factory=lambda: [-1, 0, 1])

    def add(self, numbers: Sequence[float], whole: Sequence[int]) -> None:
        """Takes constants of the program."""
        found = {each for each in numbers if each == each and abs(each) != INFINITY}
        self.floats = sorted({*self.floats, *found, *(-each for each in found)})
        self.integers = sorted({*self.integers, *whole, *(each - 1 for each in whole), *(each + 1 for each in whole)})

    def below(self, value: float) -> float:
        """The next threshold at or below a number."""
        place = bisect_right(self.floats, value)
        return self.floats[place - 1] if place else -INFINITY

    def above(self, value: float) -> float:
        """The next threshold at or above a number."""
        place = bisect_left(self.floats, value)
        return self.floats[place] if place < len(self.floats) else INFINITY

    def whole_below(self, value: int) -> int:
        """The next whole threshold at or below a number."""
        place = bisect_right(self.integers, value)
        return self.integers[place - 1] if place else -(1 << 63)

    def whole_above(self, value: int) -> int:
        """The next whole threshold at or above a number."""
        place = bisect_left(self.integers, value)
        return self.integers[place] if place < len(self.integers) else (1 << 63) - 1


def separated(value: Value) -> Value:
    """A value whose numbers are known to be equal to no others: one element each, without forms and origins."""
    if isinstance(value, Number):
        return Number(value.range)
    if isinstance(value, Elements):
        if value.cells is None:
            return value
        return Elements(value.shape, tuple([each if each.many else Number(each.range) for each in value.cells]))
    return value


def detached(state: State) -> State:
    """A state whose numbers have forgotten what they were computed from, but not which of them are equal, nor their forms."""
    made: dict[Number, Number] = {}

    def forget(number: Number) -> Number:
        if number.origin is None:
            return number
        if number not in made:
            made[number] = Number(number.range, number.form, many=number.many)
        return made[number]

    return [mapped(each, forget) for each in state]


def invariant(start: State, step: Step, thresholds: Thresholds, narrowings: int = NARROWINGS) -> State:
    """A state that holds in every iteration of a loop."""
    first = [separated(each) for each in start]
    state, before = first, first
    for attempt in count(1):
        following = step(state)
        if following is None or all(map(covers, state, following)):
            return narrowed(first, state, following, step, narrowings)
        grown = [separated(joined(old, new)) for old, new in zip(state, following, strict=True)]
        if attempt >= PLAIN:
            hopeless = attempt >= PLAIN + ATTEMPTS
            grown = [widened(*each, thresholds, hopeless) for each in zip(before, state, grown, strict=True)]
        state, before = grown, state
    raise AssertionError  # every end moves to infinity at last


def narrowed(first: State, state: State, following: State | None, step: Step, narrowings: int) -> State:
    """
    The state after a few more iterations, as far as it is found to hold in all of them; `following` is what comes after `state`.

    (A larger state need not lead to a larger one, as forms can know more of it. So each state is tried.)
    """
    for _ in range(narrowings):
        smaller = first if following is None else [separated(joined(a, b)) for a, b in zip(first, following, strict=True)]
        if all(map(covers, smaller, state)) or not all(map(covers, state, smaller)):
            return state
        following = step(smaller)
        if following is not None and not all(map(covers, smaller, following)):
            return state
        state = smaller
    return state


def widened(older: Value, old: Value, new: Value, thresholds: Thresholds, hopeless: bool) -> Value:
    """The new state with its moving ends moved on."""
    if isinstance(new, Number):
        return _widened(cast(Number, older), cast(Number, old), new, thresholds, hopeless)
    if isinstance(new, Elements) and new.cells is not None:
        first, second = cast(Elements, older).cells, cast(Elements, old).cells
        triples = list(zip(cast("tuple[Number, ...]", first), cast("tuple[Number, ...]", second), new.cells, strict=True))
        made = {each: _widened(*each, thresholds, hopeless) for each in dict.fromkeys(triples)}
        return Elements(new.shape, tuple([made[each] for each in triples]))
    if isinstance(new, Elements):
        before, last = (Number(each.range(), many=True) for each in (cast(Elements, older), cast(Elements, old)))
        return Elements(new.shape, None, _widened(before, last, cast(Number, new.every), thresholds, hopeless))
    return new


def _widened(older: Number, old: Number, new: Number, thresholds: Thresholds, hopeless: bool) -> Number:
    if isinstance(new.range, IntRange):
        a, b = old.integers, new.range
        low = b.low if b.low == a.low else -(1 << 63) if hopeless else thresholds.whole_below(b.low)
        high = b.high if b.high == a.high else (1 << 63) - 1 if hopeless else thresholds.whole_above(b.high)
        return new if (low, high) == b else Number(IntRange(low, high), many=new.many)
    x, y, z = older.floats, old.floats, new.range
    low, high = z.low, z.high
    if low < y.low:
        below = limit(-x.low, -y.low, -low)
        low = -INFINITY if hopeless else thresholds.below(low) if below is None else -below
    if high > y.high:
        above = limit(x.high, y.high, high)
        high = INFINITY if hopeless else thresholds.above(high) if above is None else above
    if (low, high) == (z.low, z.high):
        return new
    return Number(FloatRange(low, high, z.nan, z.negative_zero), many=new.many)


def limit(a: float, b: float, c: float) -> float | None:
    """The limit of three numbers that grow by shrinking steps, and a little more; None if they do not."""
    first, second = b - a, c - b
    if not 0.0 < second < first or not math.isfinite(first):
        return None
    ratio = second / first
    distance = second * ratio / (1.0 - ratio)
    return c + distance + SLACK * (distance + abs(c)) + 1e-300
