"""
Draws the figures that the code of a page saves: those of docs/sweeps.md and docs/fits.md.

    pip install -e '.[plot,fit]' && python docs/write_saved_figures.py
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
FIGURES = {"sweeps.md": {"accuracy.png": "sweep.png", "lines.png": "sweep_lines.png"}, "fits.md": {"fit.png": "fit.png"}}
"""By page, the pictures that its code saves, and their names in docs/figures."""


def write(page: str, pictures: dict[str, str]) -> None:
    """Runs the blocks of a page up to the one that saves the last picture, and keeps the pictures."""
    blocks = re.findall(r"```python\n(.*?)```", (HERE / page).read_text(), re.DOTALL)
    last = max(number for number, block in enumerate(blocks) if any(f'"{picture}"' in block for picture in pictures))
    with TemporaryDirectory() as folder:
        os.chdir(folder)
        exec(compile("\n".join(blocks[: last + 1]), page, "exec"), {"__name__": "page"})
        for picture, figure in pictures.items():
            shutil.copy(picture, HERE / "figures" / figure)
        os.chdir(HERE)


if __name__ == "__main__":
    from reported import reported

    for page, pictures in FIGURES.items():
        with reported(*(HERE / "figures" / figure for figure in pictures.values())):
            write(page, pictures)
