"""
Draws the measurements of `growth.py`, one file for each group of series.

    pip install -e '.[plot]' && python benchmarks/plot_growth.py figures.json docs/figures

Both axes are logarithmic. Dashed lines have the expected slope and pass through the measured point of the largest size.
"""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib import pyplot
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

TITLES = {
    "search": "A search over a grid",
    "trials": "A run, as called from Python",
    "nodes": "A trial of many nodes",
    "compiling": "Compiling many nodes",
    "lengths": "A trial with vectors",
}
COLOURS = ("#0b6e99", "#c8553d", "#5b8c3a")
STYLE = {
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#e4e4e4",
    "grid.linewidth": 0.6,
    "axes.edgecolor": "#888888",
    "svg.fonttype": "none",
    "svg.hashsalt": "cogir",
    "font.family": "sans-serif",
}


def with_unit(seconds: float, _: object = None) -> str:
    """A tick of the vertical axis."""
    for scale, unit in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if seconds >= 0.999 * scale:
            return f"{seconds / scale:g} {unit}"
    return f"{seconds / 1e-9:g} ns"


def whole(size: float, _: object = None) -> str:
    """A tick of the horizontal axis; from 10,000 on as a power of ten."""
    return f"{size:,.0f}" if size < 1e4 else "10" + "⁰¹²³⁴⁵⁶⁷⁸⁹"[round(math.log10(size))]


def draw(group: str, series: list[dict[str, Any]], folder: Path) -> None:
    """One figure."""
    figure, axes = pyplot.subplots(figsize=(4.4, 3.1), layout="constrained")
    for colour, each in zip(COLOURS, series, strict=False):
        sizes, seconds, expected = each["sizes"], each["seconds"], each["expected"]
        axes.loglog(sizes, seconds, "o-", color=colour, markersize=3.5, linewidth=1.3, label=f"{each['name']}: {each['slope']:.2f}")
        upper = [size for size in sizes if size >= each["since"]]
        line = [seconds[-1] * (size / sizes[-1]) ** expected for size in upper]
        axes.loglog(upper, line, "--", color=colour, linewidth=1.0, alpha=0.55)
    slopes = " and ".join(map(str, dict.fromkeys(each["expected"] for each in series)))
    axes.legend(title=f"slope of the upper half (expected: {slopes})", frameon=False, fontsize=8, title_fontsize=8, alignment="left")
    axes.set_title(TITLES[group], loc="left", fontsize=10)
    axes.set_xlabel(series[0]["size"])
    axes.set_ylabel(f"time of {series[0]['of']}")
    axes.xaxis.set_major_formatter(FuncFormatter(whole))
    axes.yaxis.set_major_locator(LogLocator(10))
    axes.yaxis.set_major_formatter(FuncFormatter(with_unit))
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_minor_formatter(NullFormatter())
    low, high = min(min(each["seconds"]) for each in series), max(max(each["seconds"]) for each in series)
    axes.set_ylim(low / 2, max(4 * high, 30 * low))
    figure.savefig(folder / f"growth_{group}.svg", metadata={"Date": None, "Creator": None})
    pyplot.close(figure)


def main() -> None:
    """Draws all groups that the file has."""
    if len(sys.argv) != 3:
        raise SystemExit("usage: python benchmarks/plot_growth.py figures.json folder")
    figures, folder = json.loads(Path(sys.argv[1]).read_text())["series"], Path(sys.argv[2])
    folder.mkdir(exist_ok=True, parents=True)
    matplotlib.use("svg")
    matplotlib.rcParams.update(STYLE)
    for group in TITLES:
        if series := [each for each in figures if each["group"] == group]:
            draw(group, series, folder)


if __name__ == "__main__":
    main()
