"""
Ranges of numbers: what a parameter can be, as intervals with open or closed ends.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Any, cast

import numpy as np

from cogir.errors import shown


@dataclass(frozen=True, slots=True)
class Between:
    """
    The numbers from `low` to `high`; `low_open`, `high_open`: without that end.

    An infinite end that is closed holds the infinity, too. NaN lies in no range. Raises `ValueError` for a range without numbers, and
    `TypeError` for ends that are no numbers.

        def decide(stimulus, *, urgency: Annotated[float, cogir.Between(0.0, 5.0)] = 1.0): ...
    """

    low: float = -inf
    high: float = inf
    low_open: bool = False
    high_open: bool = False

    def __post_init__(self) -> None:
        for name in ("low", "high"):
            end: object = getattr(self, name)
            try:
                number = None if isinstance(end, str | bytes) else float(cast("float", end))
            except (TypeError, ValueError, OverflowError):
                number = None
            if number is None:
                raise TypeError(f"Between: {name} is {shown(end)}; give a number, such as Between(0.0, 1.0), or leave it out for no end")
            object.__setattr__(self, name, number)
        for name in ("low_open", "high_open"):
            if not isinstance(getattr(self, name), bool | np.bool_):
                raise TypeError(f"Between: {name} is {shown(getattr(self, name))}; give True for a range without that end, or leave it out")
        is_empty = self.low >= self.high if self.low_open or self.high_open else self.low > self.high
        if is_empty or np.isnan(self.low) or np.isnan(self.high):
            raise ValueError(f"the range {self.interval} holds no numbers; give the lower end first")

    def holds(self, values: Any) -> bool:
        """True if every element of `values`, a number or an array of any shape, lies in the range."""
        return bool(self.contains(values).all())

    def contains(self, values: Any) -> Any:
        """True for each element of `values` that lies in the range."""
        array = np.asarray(values)
        above = array > self.low if self.low_open else array >= self.low
        below = array < self.high if self.high_open else array <= self.high
        return above & below

    def __and__(self, other: Between) -> Between:
        """The range of what lies in both; raises `ValueError` if there is nothing."""
        low, high = max(self.low, other.low), min(self.high, other.high)
        low_open = any(one.low_open and one.low == low for one in (self, other))
        high_open = any(one.high_open and one.high == high for one in (self, other))
        return Between(low, high, low_open, high_open)

    def modulators(self, how: str) -> Between:
        """
        The values that can modulate a parameter of this range: overriding it, they lie in it; multiplying one that is never negative, they
        are not negative; all others depend on the parameter's own value.
        """
        if how == "override":
            return self
        return Between(0.0) if how == "multiply" and self.low >= 0.0 else Between()

    def demand(self, values: Any) -> str:
        """The demand on `values` in a message."""
        return f"{'every element' if np.ndim(values) else 'it'} must be {self}"

    @property
    def interval(self) -> str:
        """The range as mathematics writes it: `[0.0, inf)`."""
        return f"{'(' if self.low_open else '['}{self.low!r}, {self.high!r}{')' if self.high_open else ']'}"

    def __str__(self) -> str:
        """The range in words, as they stand behind "must be"."""
        low = f"above {self.low:g}" if self.low_open else f"at least {self.low:g}"
        high = f"below {self.high:g}" if self.high_open else f"at most {self.high:g}"
        ends = [low] if self.low > -inf or self.low_open else []
        ends += [high] if self.high < inf or self.high_open else []
        return " and ".join(ends) or "a number"
