"""The option `--figure FILE` of the scripts in this folder; it needs matplotlib (`pip install matplotlib`)."""

import argparse
import sys
from collections.abc import Callable
from typing import Any


def figure_file(description: str) -> str | None:
    """The file that the command line asks for, or None."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--figure", metavar="FILE", help="draw the figure of the model into this file (.png, .svg or .pdf)")
    return parser.parse_args().figure


def draw(file: str | None, panels: int, paint: Callable[..., Any], size: tuple[float, float] = (5.0, 3.5)) -> None:
    """Calls `paint` with the axes of so many panels in a row, and saves the figure; does nothing without a file."""
    if file is None:
        return
    try:
        import matplotlib
    except ImportError:
        sys.exit("--figure needs matplotlib, which is not installed: pip install matplotlib, or run without --figure")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, panels, figsize=(size[0] * panels, size[1]), squeeze=False)
    paint(*axes[0])
    figure.tight_layout()
    try:
        figure.savefig(file)
    except (OSError, ValueError) as error:
        sys.exit(f"--figure {file}: {error}; give a file in an existing folder that ends in .png, .svg or .pdf")
    print(f"figure in {file}")
