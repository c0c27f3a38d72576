"""
Two recordings of PsyNeuLink's tests, plain and accelerated, compared call by call.

Shapes, dtypes and structures must be equal, and numbers to 1e-12 of the largest magnitude of their array; states of generators, counts and
texts exactly. Warnings are compared as sets: Python shows a warning of one line once.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from psyneulink_suite.exceptions import cannot_be_equal, not_kept
from psyneulink_suite.records import Call, RecordedTest

TOLERANCE = 1e-12
MISSING = "nothing"
"""Stands for a value that only one of the recordings holds."""
DISTINGUISHED = (str, bool, type(None), dict)
"""Types that are never equal to one another or to numbers."""


def difference(expected: Any, found: Any) -> float:
    """
    How far two plain values are apart: 0 if they are equal to the bit, else relative to the largest finite magnitude of the array; infinite
    where structure, shape or dtype differ.
    """
    if isinstance(expected, DISTINGUISHED) or isinstance(found, DISTINGUISHED):
        if isinstance(expected, dict) and isinstance(found, dict):
            same_keys = expected.keys() == found.keys()
            return max((difference(item, found[key]) for key, item in expected.items()), default=0.0) if same_keys else math.inf
        return 0.0 if type(expected) is type(found) and expected == found else math.inf
    if isinstance(expected, list) or isinstance(found, list):
        if not (isinstance(expected, list) and isinstance(found, list)) or len(expected) != len(found):
            return math.inf
        return max((difference(one, other) for one, other in zip(expected, found, strict=True)), default=0.0)
    return between_arrays(np.asarray(expected), np.asarray(found))


def between_arrays(expected: np.ndarray, found: np.ndarray) -> float:
    """The same for numbers and arrays of them."""
    if expected.shape != found.shape or expected.dtype.kind != found.dtype.kind:
        return math.inf
    if expected.dtype.kind not in "biuf":
        return 0.0 if np.array_equal(expected, found) else math.inf
    differ = ~((expected == found) | ((expected != expected) & (found != found)))
    if not np.any(differ):
        return 0.0
    a, b = expected.astype(float), found.astype(float)
    if not np.all(np.isfinite(a[differ]) & np.isfinite(b[differ])) or expected.dtype.kind in "biu":
        return math.inf
    largest = max(np.max(np.abs(part), where=np.isfinite(part), initial=0.0) for part in (a, b))
    return float(np.max(np.abs(a[differ] - b[differ])) / largest)


@dataclass(frozen=True)
class Difference:
    """Something that differs between the recordings."""

    test: str
    call: int | None
    """The number of the call; None for the outcome of the test."""
    what: str
    expected: Any
    found: Any

    def __str__(self) -> str:
        where = self.test if self.call is None else f"{self.test}, call {self.call + 1}"
        return f"{where}: {self.what}: PsyNeuLink {shown(self.expected)}, cogir {shown(self.found)}"


def shown(value: Any) -> str:
    """A value on a line."""
    text = " ".join(repr(value).split())
    return text if len(text) <= 300 else f"{text[:300]}..."


@dataclass
class Comparison:
    """Everything that was found."""

    tests: int = 0
    calls: Counter[tuple[str, str]] = field(default_factory=Counter)
    """By method, and by who did it: "native", "parts" or "PsyNeuLink"."""
    to_the_bit: int = 0
    """Native calls whose results are equal to the bit."""
    reasons: Counter[str] = field(default_factory=Counter)
    """Why calls were left to PsyNeuLink, by the kind of reason."""
    differences: list[Difference] = field(default_factory=list)
    excused: list[Difference] = field(default_factory=list)
    """Those of tests that cannot be equal."""
    left_out: Counter[str] = field(default_factory=Counter)
    """How many values differ that are not kept, by what they are."""

    def add(self, expected: RecordedTest, found: RecordedTest) -> None:
        """Compares one test."""
        self.tests += 1
        differing = list(self.of_test(expected, found))
        (self.excused if cannot_be_equal(expected.name) else self.differences).extend(differing)

    def of_test(self, expected: RecordedTest, found: RecordedTest) -> Iterator[Difference]:
        """What differs in a test."""
        if expected.outcome != found.outcome:
            yield Difference(expected.name, None, "outcome", expected.outcome, f"{found.outcome}: {found.why}")
        if [call.kind for call in expected.calls] != [call.kind for call in found.calls]:
            kinds = ([call.kind for call in test.calls] for test in (expected, found))
            yield Difference(expected.name, None, "calls", *kinds)
        for index, (one, other) in enumerate(zip(expected.calls, found.calls, strict=False)):
            self.count(one, other)
            for what, a, b in self.of_call(one, other):
                yield Difference(expected.name, index, what, a, b)

    def count(self, expected: Call, found: Call) -> None:
        """Counts a call by who did it, and why."""
        who = "parts" if found.parts else "native" if found.native else "PsyNeuLink"
        self.calls[found.kind, who] += 1
        if who == "native":
            same = difference([expected.returned, expected.results], [found.returned, found.results])
            self.to_the_bit += same == 0.0
        else:
            self.reasons[reason_of(found)] += 1

    def of_call(self, expected: Call, found: Call) -> Iterator[tuple[str, Any, Any]]:
        """What differs after one call."""
        if expected.raised != found.raised:
            yield "error", expected.raised, found.raised
        if set(expected.warned) != set(found.warned):
            yield "warnings", sorted(set(expected.warned)), sorted(set(found.warned))
        if expected.not_recorded or found.not_recorded:
            yield "what is held could not be read", expected.not_recorded, found.not_recorded
        for name in ("returned", "results"):
            pair = getattr(expected, name), getattr(found, name)
            if difference(*pair) > TOLERANCE:
                yield name, *pair
        for path in {**expected.held, **found.held}:
            pair = promised(path, expected.held.get(path, MISSING)), promised(path, found.held.get(path, MISSING))
            if difference(*pair) > TOLERANCE:
                exception = not_kept(path, found)
                if exception is None:
                    yield " / ".join(map(str, path)), *pair
                else:
                    self.left_out[exception.what] += 1


def promised(path: tuple[str | int, ...], value: Any) -> Any:
    """
    What is promised of a value: of a log, the entries that PsyNeuLink does not take for calls from the command line; of a Function's value,
    numbers, where PsyNeuLink has an array of arrays of one and plain numbers (that of a DDM now and then).
    """
    is_of_arrays = isinstance(value, list) and value[0] == "array" and all(isinstance(item, int | float | np.ndarray) for item in value[2:])
    if path[-1] == "value" and "function" in path and is_of_arrays and all(np.size(item) == 1 for item in value[2:]):
        return np.array([[np.asarray(item, float).item()] for item in value[2:]])
    if "log" not in path or not isinstance(value, list):
        return value
    return [entry for entry in value if "COMMAND_LINE" not in entry[2]] or MISSING


REASONS = (
    (r"^\S+\.py:\d+: ", ""),
    (r"^node .*?: ", ""),
    (r"'[^']*'", "..."),
    (r"\"[^\"]*\"", "..."),
    (r"\d+x[\dx]*xf64|\([\d, ]+\)", "..."),
    (r"after \d+ trials? of the run, ", ""),
    (r"^\w+ \.\.\.(, condition of \.\.\.)?: ", ""),
)
"""What is left out of a reason, so that reasons of one kind are counted together."""


def reason_of(call: Call) -> str:
    """Why a call was left to PsyNeuLink, without names and remedies."""
    if not call.reasons:
        return "said before" if call.kind in ("run", "execute") else "learning or evaluation that PsyNeuLink does"
    text = call.reasons[0].partition("; ")[0]
    for pattern, instead in REASONS:
        text = re.sub(pattern, instead, text)
    return text
