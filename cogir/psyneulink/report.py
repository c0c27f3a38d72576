"""
A report on what has become of the calls of Compositions: what was native, what fell back and why, what it cost, and what to change.
"""

from __future__ import annotations

import html
import json
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from os import PathLike, fspath
from os.path import isfile, join
from tempfile import TemporaryDirectory
from typing import Any, cast

from cogir.errors import CogirError
from cogir.psyneulink.history import MEANINGS, History, NotedCalls, Way, histories
from cogir.psyneulink.records import kept

IN_PSYNEULINK = (Way.SHORT, Way.FALLBACK, Way.ASKED)
"""The ways of calls whose time is PsyNeuLink's."""


@dataclass(frozen=True)
class Reported:
    """The calls of one Composition, the longest first."""

    name: str
    calls: tuple[NotedCalls, ...]

    @property
    def seconds(self) -> float:
        """The seconds that all of them took."""
        return sum(one.seconds + one.compiling for one in self.calls)


@dataclass(frozen=True)
class CallReport:
    """
    The calls of Compositions, and what has become of them; True if none fell back. Prints as text, and is a table in a notebook. All
    times are seconds of a clock.
    """

    compositions: tuple[Reported, ...]
    title: str = ""
    status: int = 0
    """The exit status of the script, if it is one of a script."""

    def __bool__(self) -> bool:
        return all(one.way not in (Way.FALLBACK, Way.PARTLY, Way.REFUSED) for part in self.compositions for one in part.calls)

    def seconds(self, *ways: Way) -> float:
        """The seconds of calls that went these ways, without compiling."""
        return sum(one.seconds for part in self.compositions for one in part.calls if one.way in ways)

    @property
    def compiling(self) -> float:
        """The seconds that compiling took, and loading code from the cache."""
        return sum(one.compiling for part in self.compositions for one in part.calls)

    def summary(self) -> str:
        """The report in a line."""
        if not any(part.calls for part in self.compositions):
            return f"{self.title}: no Composition has been run under accelerate()"
        times = {
            "native": self.seconds(Way.NATIVE, Way.PARTLY),
            "compiling": self.compiling,
            "in PsyNeuLink after a fallback": self.seconds(Way.FALLBACK),
            "in PsyNeuLink as compiling takes longer": self.seconds(Way.SHORT),
            "in PsyNeuLink as asked": self.seconds(Way.ASKED),
        }
        shares = ", ".join(f"{shown(taken)} {what}" for what, taken in times.items() if taken)
        ended = f" (exit status {self.status})" if self.status else ""
        return f"{self.title}{ended}: {shown(sum(part.seconds for part in self.compositions))} in calls of Compositions: {shares}"

    def rows(self) -> list[tuple[str, str, str, str, str, str]]:
        """For each kind of calls: the Composition, the calls, where they were executed, their time, the reason, and what to change."""
        return [
            (part.name, f"{one.method}, {counted(one.count)}", MEANINGS[one.way], spent(one), one.reason, one.remedy)
            for part in self.compositions
            for one in part.calls
        ]

    def __str__(self) -> str:
        lines, name = [self.summary()], ""
        for row in self.rows():
            if row[0] != name:
                lines.append(f"  {row[0]}")
            name, calls, way, time, reason, remedy = row
            lines.append(f"    {calls}: {way}, {time}")
            lines += [f"      {what}: {said}" for what, said in (("reason", reason), ("change", remedy)) if said]
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        heads = "".join(f"<th>{head}</th>" for head in ("Composition", "calls", "executed", "time", "reason", "what to change"))
        rows = "".join(f"<tr>{''.join(f'<td>{html.escape(cell)}</td>' for cell in row)}</tr>" for row in self.rows())
        return f"<p>{html.escape(self.summary())}</p><table><tr>{heads}</tr>{rows}</table>"

    def to_json(self) -> str:
        """The report as JSON, from which `from_json` makes it again."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> CallReport:
        """A report of which `to_json` has made a text."""
        held = json.loads(text)
        parts = tuple(Reported(part["name"], tuple(map(calls_of, part["calls"]))) for part in held["compositions"])
        return cls(parts, held["title"], held["status"])

    def save(self, path: str) -> None:
        """Writes it into a file: as JSON (.json), as a page (.html), or as text."""
        texts = {".json": self.to_json, ".html": lambda: f"<!DOCTYPE html><meta charset='utf-8'>{self._repr_html_()}"}
        with open(path, "w", encoding="utf-8") as file:
            file.write(texts.get(path[path.rfind(".") :], lambda: f"{self}\n")())


def report(what: Any = None, *arguments: str) -> CallReport:
    """
    The calls of a Composition under `accelerate()`, and what has become of them; or those of all Compositions that there are, if nothing is
    given; or those of a script, given by its path, which is run for it with the arguments in a process of its own.

    `explain` says what would compile; this says what happened. Raises CogirError if the script leaves no report, as it was killed.
    """
    if what is None:
        return report_of(histories(), "all Compositions")
    if isinstance(what, str | PathLike):
        return report_of_script(fspath(cast("str | PathLike[str]", what)), arguments)
    if not hasattr(what, "input_CIM"):
        raise CogirError(f"report: {what!r:.60} is a {type(what).__name__}; give it a Composition, or the path of a script")
    return report_of([kept(what, History)], what.name)


def report_of(held: Iterable[History], title: str, status: int = 0) -> CallReport:
    """The report on histories, those that took longest first."""
    parts = [
        Reported(one.name, tuple(sorted(one.calls.values(), key=lambda calls: -calls.seconds - calls.compiling)))
        for one in held
        if one.calls
    ]
    return CallReport(tuple(sorted(parts, key=lambda part: -part.seconds)), title, status)


def report_of_script(script: str, arguments: Iterable[str]) -> CallReport:
    """The report on a script, which is run for it."""
    if not isfile(script):
        raise CogirError(f"report: {script}: there is no such file")
    with TemporaryDirectory() as folder:
        path = join(folder, "report.json")
        command = [sys.executable, "-m", "cogir.psyneulink", f"--report={path}", script, *arguments]
        status = subprocess.run(command, check=False).returncode
        if not isfile(path):
            raise CogirError(
                f"report: {script} has ended with exit status {status} and left no report; it must not be killed, or call os._exit"
            )
        with open(path, encoding="utf-8") as file:
            found = CallReport.from_json(file.read())
    return CallReport(found.compositions, script, status)


def calls_of(held: dict[str, Any]) -> NotedCalls:
    """Calls as JSON holds them."""
    given: dict[str, Any] = {**held, "way": Way(held["way"])}
    return NotedCalls(**given)


def counted(count: int) -> str:
    """A number of calls, in words."""
    return f"{count:,} call{'' if count == 1 else 's'}" if count else "in calls of others"


def spent(calls: NotedCalls) -> str:
    """The time of calls, in words."""
    compiling = f" and {shown(calls.compiling)} to compile" if calls.compiling else ""
    return f"{shown(calls.seconds)}{compiling}"


def shown(seconds: float) -> str:
    """Seconds with two digits."""
    return f"{seconds:.0f} s" if seconds >= 10 else f"{seconds:.2g} s"
