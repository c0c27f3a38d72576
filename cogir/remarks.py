"""
Remarks and statistics of passes: what a pass did at a place of the program, what it did not, and why.

A pass reports with `passed`, `missed`, `analysed` and `count`, which cost next to nothing unless somebody listens:

    with reported() as report:
        a_pass.apply(context, module)
    report.remarks[0].text           # "hoisted math.exp out of scf.for"

The kinds are those of clang's `-Rpass`, `-Rpass-missed` and `-Rpass-analysis`, and of MLIR's remarks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from enum import StrEnum

from xdsl.dialects.builtin import FileLineColLoc, StringAttr
from xdsl.ir import Operation


class RemarkKind(StrEnum):
    """The kind of a remark."""

    PASSED = "passed"
    """An optimisation that was made."""
    MISSED = "missed"
    """One that was not made, with the reason."""
    ANALYSIS = "analysis"
    """A fact that a pass found out."""


@dataclass(frozen=True)
class PassRemark:
    """A remark of a pass about an operation."""

    kind: RemarkKind
    text: str
    place: FileLineColLoc | None
    """The place of the operation in the user's text, or that of the closest operation around it; None if none of them has one."""
    function: str
    """The function or model that the operation is in; empty outside of all."""


@dataclass
class PassReport:
    """The remarks and statistics of a pass."""

    remarks: list[PassRemark] = field(default_factory=list[PassRemark])
    counts: Counter[str] = field(default_factory=Counter[str])
    """Statistics: how often something was done, by what was done."""


_LISTENING: ContextVar[PassReport | None] = ContextVar("_LISTENING", default=None)


@contextmanager
def reported() -> Generator[PassReport]:
    """A block whose passes report to a new report."""
    report = PassReport()
    token = _LISTENING.set(report)
    try:
        yield report
    finally:
        _LISTENING.reset(token)


def passed(op: Operation, text: str, *values: object) -> None:
    """Reports that something was done at an operation; `values` are put into the text as `str.format` does."""
    _add(RemarkKind.PASSED, op, text, values)


def missed(op: Operation, text: str, *values: object) -> None:
    """Reports that something was not done at an operation, and why."""
    _add(RemarkKind.MISSED, op, text, values)


def analysed(op: Operation, text: str, *values: object) -> None:
    """Reports a fact about an operation."""
    _add(RemarkKind.ANALYSIS, op, text, values)


def count(done: str, number: int = 1) -> None:
    """Adds to a statistic, such as "operations hoisted": its first word that ends in `s` is the noun that is counted, in the plural."""
    if (report := _LISTENING.get()) is not None:
        report.counts[done] += number


def _add(kind: RemarkKind, op: Operation, text: str, values: tuple[object, ...]) -> None:
    if (report := _LISTENING.get()) is not None:
        report.remarks.append(PassRemark(kind, text.format(*values) if values else text, *_whereabouts(op)))


def _whereabouts(op: Operation) -> tuple[FileLineColLoc | None, str]:
    """The place of an operation, and the name of the function or model around it."""
    place: FileLineColLoc | None = None
    name = ""
    current: Operation | None = op
    while current is not None:
        if place is None and isinstance(current.location, FileLineColLoc) and current.parent is not None:
            place = current.location
        symbol = current.properties.get("sym_name", current.attributes.get("sym_name"))
        if not name and isinstance(symbol, StringAttr):
            name = symbol.data
        current = current.parent_op()
    return place, name
