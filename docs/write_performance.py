"""
Draws the figures of performance.md from its tables.

`python docs/write_performance.py` draws them (`pip install -e '.[plot]'`); a test compares the numbers that are drawn with the tables.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np

matplotlib.use("Agg")
from matplotlib import pyplot

HERE = Path(__file__).resolve().parent
PAGE = HERE / "performance.md"
FOLDER = HERE / "figures"
TABLE = re.compile(r"<!-- figure: (\w+) -->\n((?:\|[^\n]*\n)+)")
OWN, OTHERS = "tab:blue", "0.65"


def tables() -> dict[str, tuple[list[str], list[list[str]]]]:
    """The tables of the page that have a figure: heads and rows."""
    found: dict[str, tuple[list[str], list[list[str]]]] = {}
    for name, text in TABLE.findall(PAGE.read_text()):
        heads, _, *rows = ([cell.strip().replace("`", "") for cell in line.strip("|").split("|")] for line in text.splitlines())
        found[name] = heads, rows
    return found


def number(cell: str) -> float:
    """The first number of a cell, or NaN."""
    found = re.match(r"-?[\d.,]*\d", cell)
    return float(found[0].replace(",", "")) if found else np.nan


def column(name: str, head: str) -> np.ndarray:
    """A column of a table as numbers."""
    heads, rows = tables()[name]
    return np.array([number(row[heads.index(head)]) for row in rows])


def labels(name: str) -> list[str]:
    """The first column of a table."""
    return [row[0] for row in tables()[name][1]]


def beside(name: str, heads: dict[str, str], xlabel: str, colours: tuple[str, ...] = (OTHERS, OWN)) -> Callable[[Any], None]:
    """Bars of some columns side by side, on a logarithmic scale."""

    def paint(axes: Any) -> None:
        places = np.arange(len(labels(name)))
        height = 0.8 / len(heads)
        for index, (head, label) in enumerate(heads.items()):
            axes.barh(places + height * (index - (len(heads) - 1) / 2.0), column(name, head), height, color=colours[index], label=label)
        axes.set(yticks=places, yticklabels=labels(name), xscale="log", xlabel=xlabel)
        axes.invert_yaxis()
        if len(heads) > 1:
            axes.legend(fontsize=8)

    return paint


def bars(
    name: str, head: str, xlabel: str, own: Callable[[str], bool], scale: str = "log", line: float | None = None
) -> Callable[[Any], None]:
    """Bars of one column; those of cogir are blue."""

    def paint(axes: Any) -> None:
        places = np.arange(len(labels(name)))
        axes.barh(places, column(name, head), color=[OWN if own(label) else OTHERS for label in labels(name)])
        axes.set(yticks=places, yticklabels=labels(name), xscale=scale, xlabel=xlabel)
        axes.invert_yaxis()
        if line is not None:
            axes.axvline(line, color="0.3", linewidth=0.8)

    return paint


def growth(axes: Any) -> None:
    """Slopes beside those that are expected."""
    _, rows = tables()["growth"]
    places = np.arange(len(rows))
    axes.barh(places, column("growth", "slope, fitted from"), color=OWN, label="measured")
    axes.plot(column("growth", "expected"), places, "k|", markersize=14, label="expected")
    axes.set(yticks=places, yticklabels=[f"{row[0]} by {row[1]}: {row[2]}" for row in rows], xlabel="slope of log(time) against log(size)")
    axes.invert_yaxis()
    axes.legend(fontsize=8)


def passes(axes: Any) -> None:
    """The time without a pass over the time with all of them."""
    heads, rows = tables()["passes"]
    values = np.array([[number(cell) for cell in row[1:]] for row in rows])
    ratios = values[:, 1:] / values[:, :1]
    image = axes.imshow(np.log2(ratios), cmap="RdBu_r", vmin=-4, vmax=4, aspect="auto")
    for (row, place), ratio in np.ndenumerate(ratios):
        axes.text(place, row, f"{ratio:.2g}", ha="center", va="center", fontsize=7, color="w" if abs(np.log2(ratio)) > 2.5 else "k")
    axes.set(xticks=range(len(heads) - 2), xticklabels=heads[2:], yticks=range(len(rows)), yticklabels=labels("passes"))
    axes.tick_params(axis="x", rotation=30)
    for label in axes.get_xticklabels():
        label.set_horizontalalignment("right")
    axes.figure.colorbar(image, label="log2 of the ratio")


FIGURES: dict[str, tuple[Callable[[Any], None], tuple[float, float]]] = {
    "compile": (beside("compile", {"empty cache": "empty cache", "filled cache": "filled cache"}, "seconds"), (7.0, 3.2)),
    "calls": (beside("calls", {"LLVMRun": "LLVMRun", "cogir": "cogir"}, "milliseconds of a warm call"), (7.0, 5.0)),
    "trials": (beside("trials", {"LLVMRun": "LLVMRun", "cogir": "cogir"}, "microseconds of a trial"), (7.0, 5.0)),
    "search": (bars("search", "ms", "milliseconds of a search", lambda label: "thread" in label), (7.0, 2.8)),
    "decisions": (
        beside(
            "decisions",
            {"cogir": "cogir", "Numba": "Numba", "ssm-simulators": "ssm-simulators"},
            "millions of decisions per second",
            (OWN, "0.5", "0.75"),
        ),
        (7.0, 5.0),
    ),
    "steps": (bars("steps", "ns per step", "nanoseconds per step", lambda label: "lanes" in label or "sweep" in label), (7.0, 3.0)),
    "matrices": (
        bars("matrices", "cogir's time over the peer's", "cogir's time over the peer's", lambda _: True, "linear", 1.0),
        (7.0, 3.6),
    ),
    "growth": (growth, (7.5, 4.2)),
    "passes": (passes, (9.0, 4.8)),
}
"""How each table is drawn, and the size of the figure."""


def main() -> None:
    matplotlib.rcParams["svg.hashsalt"] = "cogir"
    for name, (paint, size) in FIGURES.items():
        figure, axes = pyplot.subplots(figsize=size, layout="constrained")
        paint(axes)
        figure.savefig(FOLDER / f"performance_{name}.svg", metadata={"Date": None, "Creator": None})
        pyplot.close(figure)


if __name__ == "__main__":
    from reported import reported

    with reported(*(FOLDER / f"performance_{name}.svg" for name in FIGURES)):
        main()
