"""Command lines and figures of the examples in this folder: `--trials N`, and `--figure FILE`, which needs matplotlib."""

from __future__ import annotations

import argparse
from typing import Any


def arguments(description: str, trials: int) -> argparse.Namespace:
    """`trials`, the number of decisions for each condition, and `figure`, the file for a figure or None."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--trials", type=int, default=trials, help="decisions for each condition (default: %(default)s)")
    parser.add_argument("--figure", metavar="FILE", help="draw the figure into this file (.png, .pdf, .svg); needs matplotlib")
    chosen = parser.parse_args()
    if chosen.trials < 1:
        parser.error(f"--trials is {chosen.trials}; give a number of at least 1")
    if chosen.figure:
        pyplot()  # before the decisions are made
    return chosen


def pyplot() -> Any:
    """matplotlib's `pyplot`; ends the program with a message if matplotlib is missing."""
    try:
        import matplotlib
    except ImportError:
        raise SystemExit("--figure needs matplotlib: pip install matplotlib; without --figure, only the numbers are printed") from None
    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    return plt


def write(figure: Any, path: str) -> None:
    """Writes a figure into a file."""
    figure.tight_layout()
    figure.savefig(path, dpi=150)
    print(f"figure: {path}")
