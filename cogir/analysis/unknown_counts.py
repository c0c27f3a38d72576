"""
Counts whose initial value is unknown.

```python
questions = Questions(answers=[False])
calls = Unknown(("a/calls:run",), 0, questions)
(calls + 1) >= 3          # False, as `answers` says: questions.asked == [(Counted(("a/calls:run",), ">=", 2), False)]
calls >= 4                # False, too, without being asked
```

A scheduler that counts with them runs a trial for all beginnings that answer its questions alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from cogir.model.program import Counted


@dataclass
class Known:
    """The known range of a count, or of a sum of counts, at the start of the trial. It was 0 or more."""

    lowest: int = 0
    highest: int | None = None
    not_equal: set[int] = field(default_factory=set[int])
    remainder: dict[int, int] = field(default_factory=dict[int, int])
    not_remainder: dict[int, set[int]] = field(default_factory=dict[int, set[int]])

    def answer(self, question: Counted) -> bool | None:
        """True if it holds; None if that is not known. (It may be None, too, where several answers together would tell.)"""
        n, modulus = question.n, question.modulus
        if modulus is not None:
            if self.lowest == self.highest:
                return self.lowest % modulus == n
            if modulus in self.remainder:
                return self.remainder[modulus] == n
            return False if n in self.not_remainder.get(modulus, ()) else True if modulus == 1 else None
        if n <= self.lowest and question.relation == ">=":
            return True
        if n < self.lowest or (self.highest is not None and n > self.highest) or (question.relation == "==" and not self._can_be(n)):
            return False
        return True if self.lowest == self.highest else None

    def _can_be(self, n: int) -> bool:
        return (
            n not in self.not_equal
            and all(n % modulus == rest for modulus, rest in self.remainder.items())
            and all(n % modulus not in rests for modulus, rests in self.not_remainder.items())
        )

    def learn(self, question: Counted, answer: bool) -> None:
        """The answer to a question that could not be answered."""
        n, modulus = question.n, question.modulus
        if modulus is not None:
            if answer:
                self.remainder[modulus] = n
            else:
                others = self.not_remainder.setdefault(modulus, set())
                others.add(n)
                if len(others) == modulus - 1:
                    (self.remainder[modulus],) = set(range(modulus)) - others
        elif question.relation == ">=":
            self.lowest, self.highest = (n, self.highest) if answer else (self.lowest, n - 1)
        elif answer:
            self.lowest = self.highest = n
        else:
            self.not_equal.add(n)
        while self.lowest in self.not_equal:
            self.lowest += 1
        while self.highest in self.not_equal:
            self.highest -= 1


@dataclass
class Questions:
    """Asks what unknown counts were, and gets the `answers`, then `False`, to what does not follow from the answers before."""

    answers: Sequence[bool]
    asked: list[tuple[Counted, bool]] = field(default_factory=list[tuple[Counted, bool]])
    known: dict[tuple[str, ...], Known] = field(default_factory=dict[tuple[str, ...], Known])

    def holds(self, question: Counted) -> bool:
        """True if it holds."""
        known = self.known.setdefault(question.counters, Known())
        answer = known.answer(question)
        if answer is None:
            answer = self.answers[len(self.asked)] if len(self.asked) < len(self.answers) else False
            self.asked.append((question, answer))
            known.learn(question, answer)
        return answer


@dataclass(frozen=True, eq=False)
class Unknown:
    """A count, or the sum of some, that is by `more` greater than it was. Compared with a number it asks a question, and so does a flag."""

    counters: tuple[str, ...]
    more: int
    questions: Questions

    def __add__(self, other: Unknown | int) -> Unknown:
        if isinstance(other, Unknown):
            return Unknown((*self.counters, *other.counters), self.more + other.more, self.questions)
        return Unknown(self.counters, self.more + other, self.questions)

    __radd__ = __add__

    def __mod__(self, modulus: int) -> Remainder:
        return Remainder(self, modulus)

    def __ge__(self, n: int) -> bool:
        return self.questions.holds(Counted(self.counters, ">=", n - self.more))

    def __gt__(self, n: int) -> bool:
        return self >= n + 1

    def __lt__(self, n: int) -> bool:
        return not self >= n

    def __le__(self, n: int) -> bool:
        return not self >= n + 1

    def __eq__(self, n: object) -> bool:
        assert isinstance(n, int)
        return self.questions.holds(Counted(self.counters, "==", n - self.more))

    __hash__ = None  # pyright: ignore[reportAssignmentType]

    def __bool__(self) -> bool:
        return self == 1


@dataclass(frozen=True, eq=False)
class Remainder:
    """The remainder of an unknown count."""

    count: Unknown
    modulus: int

    def __eq__(self, n: object) -> bool:
        assert isinstance(n, int)
        question = Counted(self.count.counters, "==", (n - self.count.more) % self.modulus, self.modulus)
        return self.count.questions.holds(question)

    __hash__ = None  # pyright: ignore[reportAssignmentType]
