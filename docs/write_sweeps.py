"""
Draws the figure of docs/sweeps.md.

    pip install -e '.[plot]' && python docs/write_sweeps.py
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
    block = re.findall(r"```python\n(.*?)```", (HERE / "sweeps.md").read_text(), re.DOTALL)[0]
    with TemporaryDirectory() as folder:
        os.chdir(folder)
        exec(compile(block, "sweeps.md", "exec"), {"__name__": "page"})
        shutil.copy("accuracy.png", HERE / "figures" / "sweep.png")
        os.chdir(HERE)


if __name__ == "__main__":
    write()
