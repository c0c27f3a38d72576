"""Command lines and figures of the examples in this folder: `--trials N`, and `--figure FILE`, which needs matplotlib."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any


def arguments(description: str, trials: int | None = None) -> argparse.Namespace:
    """`figure`, the file for a figure or None, and, if `trials` are given, `trials`, the number of decisions for each condition."""
    parser = argparse.ArgumentParser(description=description)
    if trials is not None:
        parser.add_argument("--trials", type=int, default=trials, help="decisions for each condition (default: %(default)s)")
    parser.add_argument("--figure", metavar="FILE", help="draw the figure into this file (.png, .pdf, .svg); needs matplotlib")
    chosen = parser.parse_args()
    if trials is not None and chosen.trials < 1:
        parser.error(f"--trials is {chosen.trials}; give a number of at least 1")
    if chosen.figure:
        pyplot()  # before anything is computed
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


def draw(file: str | None, panels: int, paint: Callable[..., Any], size: tuple[float, float] = (5.0, 3.5)) -> None:
    """Calls `paint` with the axes of so many panels in a row, and writes the figure; does nothing without a file."""
    if file is None:
        return
    figure, axes = pyplot().subplots(1, panels, figsize=(size[0] * panels, size[1]), squeeze=False)
    paint(*axes[0])
    write(figure, file)


def write(figure: Any, path: str) -> None:
    """Writes a figure into a file."""
    figure.tight_layout()
    try:
        figure.savefig(path, dpi=150)
    except (OSError, ValueError) as error:
        raise SystemExit(f"--figure {path}: {error}; give a file in an existing folder that ends in .png, .svg or .pdf") from None
    print(f"figure: {path}")
