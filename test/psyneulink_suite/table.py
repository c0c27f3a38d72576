"""
What a comparison found, as text for a terminal and as a table for a page.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from psyneulink_suite.compare import Comparison
from psyneulink_suite.exceptions import NOT_KEPT, UNEQUAL

BEGINNING, END = "<!-- psyneulink's tests -->", "<!-- end of psyneulink's tests -->"
"""Between which the table stands."""
RARE = 3
"""Reasons that hold of fewer calls are counted together."""


def summary(comparison: Comparison) -> str:
    """All differences, then the counts."""
    lines = [f"DIFFERS {one}" for one in comparison.differences]
    lines += [f"cannot be equal: {one}" for one in comparison.excused]
    lines += [f"{kind} by {who}: {count}" for (kind, who), count in sorted(comparison.calls.items())]
    lines += [f"left to PsyNeuLink: {count} {reason}" for reason, count in comparison.reasons.most_common()]
    lines += [f"not kept: {count} {what}" for what, count in comparison.left_out.most_common()]
    by_call = len({(one.test, one.call) for one in comparison.differences})
    tests = len({one.test for one in comparison.differences})
    lines.append(f"{comparison.tests} tests, {sum(comparison.calls.values())} calls, {native(comparison)} native,")
    lines.append(f"{comparison.to_the_bit} of them with results equal to the bit; {by_call} calls of {tests} tests differ")
    return "\n".join(lines)


def native(comparison: Comparison) -> int:
    """How many calls were native."""
    return sum(count for (_, who), count in comparison.calls.items() if who == "native")


def table(comparison: Comparison) -> str:
    """The counts in Markdown: calls by method, and why calls were left to PsyNeuLink."""
    kinds = sorted({kind for kind, _ in comparison.calls})
    rows = ["| method | native | in part | left to PsyNeuLink |", "|---|---|---|---|"]
    rows += [
        f"| `{kind}` | {' | '.join(str(comparison.calls[kind, who]) for who in ('native', 'parts', 'PsyNeuLink'))} |" for kind in kinds
    ]
    reasons: Counter[str] = Counter()
    for reason, count in comparison.reasons.items():
        reasons[reason if count >= RARE else "other reasons"] += count
    rows += ["", "| calls | why they are left to PsyNeuLink |", "|---|---|"]
    rows += [f"| {count} | {reason} |" for reason, count in reasons.most_common()]
    rows += ["", "| test that cannot be equal | why |", "|---|---|"]
    rows += [f"| `{name.rpartition('::')[2]}` | {why} |" for name, why in UNEQUAL.items()]
    rows += ["", "| not compared | why |", "|---|---|", *(f"| {one.what} | {one.why} |" for one in NOT_KEPT)]
    differing = len({(one.test, one.call) for one in comparison.differences})
    heading = (
        f"{comparison.tests} tests make {sum(comparison.calls.values())} outermost calls. {native(comparison)} of them are native"
        f" ({comparison.to_the_bit} with results equal to the bit); {differing} differ."
    )
    return "\n".join([heading, "", *rows])


def put_into(page: Path, text: str) -> None:
    """Writes the table into a page, between its marks."""
    before, _, rest = page.read_text().partition(BEGINNING)
    _, _, after = rest.partition(END)
    if not after:
        raise ValueError(f"psyneulink_suite: {page} does not hold {BEGINNING!r} and {END!r}; put them where the table belongs")
    page.write_text(f"{before}{BEGINNING}\n{text}\n{END}{after}")
