"""
Draws the figure of docs/fits.md.

    pip install -e '.[plot,fit]' && python docs/write_fits.py
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


def write() -> None:
    """Runs the first block of the page, whose last lines draw, and keeps its picture."""
    block = re.findall(r"```python\n(.*?)```", (HERE / "fits.md").read_text(), re.DOTALL)[0]
    with TemporaryDirectory() as folder:
        os.chdir(folder)
        exec(compile(block, "fits.md", "exec"), {"__name__": "page"})
        shutil.copy("fit.png", HERE / "figures" / "fit.png")
        os.chdir(HERE)


if __name__ == "__main__":
    write()
