"""
The reports of passes: remarks with their places, as clang's `-Rpass` prints them, and statistics, as mlir-opt prints them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from xdsl.dialects.builtin import ModuleOp

from cogir.remarks import PassRemark, PassReport, RemarkKind
from cogir.tools.diagnostics import TextPosition, ToolError, diagnostic, near

KINDS = tuple(kind.value for kind in RemarkKind)


@dataclass(frozen=True)
class RemarkFilter:
    """The remarks that a user asks for: of some kinds, and of some passes; empty for all."""

    kinds: Collection[str]
    passes: Collection[str]

    @staticmethod
    def parse(text: str, passes: Collection[str]) -> RemarkFilter:
        """The filter in `--remarks=missed,cog-licm`: names of kinds and of passes."""
        names = [name.strip() for name in text.split(",") if name.strip()]
        for name in names:
            if name not in KINDS and name not in passes:
                hint = near(name, [*KINDS, *passes])
                raise ToolError(f"--remarks: '{name}' is neither a kind ({', '.join(KINDS)}) nor a pass{hint}")
        return RemarkFilter([name for name in names if name in KINDS], [name for name in names if name not in KINDS])

    def holds(self, remark: PassRemark, pass_name: str) -> bool:
        """True if a remark of a pass is asked for."""
        return (not self.kinds or remark.kind in self.kinds) and (not self.passes or pass_name in self.passes)


def merged(report: PassReport, pass_name: str, wanted: RemarkFilter) -> Iterator[tuple[PassRemark, int]]:
    """The remarks of a pass that are asked for; equal ones once, with their number."""
    yield from Counter(remark for remark in report.remarks if wanted.holds(remark, pass_name)).items()


def remark_lines(report: PassReport, pass_name: str, file: str, wanted: RemarkFilter, *, colours: bool = False) -> Iterator[str]:
    """The remarks of a pass as text, each with its place, the line there and a caret."""
    for remark, number in merged(report, pass_name, wanted):
        times = f" ({number} times)" if number > 1 else ""
        where = f"@{remark.function}: " if remark.function and remark.place is None else ""
        text = f"{where}{remark.text}{times} [{pass_name}: {remark.kind}]"
        yield diagnostic("remark", text, place_of_remark(remark, file), colours=colours)


def place_of_remark(remark: PassRemark, file: str) -> TextPosition:
    """The place of a remark; the file alone if it has none."""
    place = remark.place
    return TextPosition(file) if place is None else TextPosition(place.filename.data, place.line.data, max(place.column.data, 1))


PLURAL = re.compile(r"\b(\w+?)(ies|s)\b")
"""The first match in a text is the word that is counted."""
RULE = f"===-{'-' * 73}-==="


@dataclass
class Statistics:
    """The statistics of the passes that have run."""

    lines: list[str] = field(default_factory=list[str])

    def add(self, pass_name: str, report: PassReport, before: Counter[str], after: Counter[str]) -> None:
        """Adds a pass: what it counted, and the operations that there were before and after it."""
        self.lines.append(pass_name)
        self.lines += [f"  (S) {number:6} {counted(number, done)}" for done, number in sorted(report.counts.items())]
        self.lines.append(f"  (S) {after.total():6} {counted(after.total(), 'operations')}, {dialect_changes(before, after)}")

    def __str__(self) -> str:
        return "\n".join([RULE, "... Pass statistics report ...".center(len(RULE)).rstrip(), RULE, *self.lines, ""])


def counted(number: int, done: str) -> str:
    """The text behind a number, such as "operations hoisted": if the number is 1, its first plural becomes a singular."""
    return PLURAL.sub(lambda found: found[1] + ("y" if found[2] == "ies" else ""), done, count=1) if number == 1 else done


def operations_of(module: ModuleOp) -> Counter[str]:
    """The number of operations in a module, by dialect."""
    return Counter(op.name.partition(".")[0] for op in module.walk())


def dialect_changes(before: Counter[str], after: Counter[str]) -> str:
    """The numbers by which operations have become more or fewer, of all and by dialect."""
    changes = [f"{name} {after[name] - before[name]:+d}" for name in sorted({*before, *after}) if after[name] != before[name]]
    return f"{after.total() - before.total():+d}: {', '.join(changes)}" if changes else "as before"
