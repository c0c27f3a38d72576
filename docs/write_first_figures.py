"""
Draws the figures that the first block of a page saves: those of docs/sweeps.md and docs/fits.md.

    pip install -e '.[plot,fit]' && python docs/write_first_figures.py
"""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import matplotlib

matplotlib.use("Agg")

HERE = Path(__file__).resolve().parent
FIGURES = {"sweeps.md": ("accuracy.png", "sweep.png"), "fits.md": ("fit.png", "fit.png")}
"""By page, the picture that its first block saves, and its name in docs/figures."""


def write(page: str, picture: str, figure: str) -> None:
    """Runs the first block of a page, whose last lines draw, and keeps its picture."""
    block = re.findall(r"```python\n(.*?)```", (HERE / page).read_text(), re.DOTALL)[0]
    with TemporaryDirectory() as folder:
        os.chdir(folder)
        exec(compile(block, page, "exec"), {"__name__": "page"})
        shutil.copy(picture, HERE / "figures" / figure)
        os.chdir(HERE)


if __name__ == "__main__":
    from reported import reported

    for page, (picture, figure) in FIGURES.items():
        with reported(HERE / "figures" / figure):
            write(page, picture, figure)
