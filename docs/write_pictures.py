"""Writes the pictures of docs/pictures.md; `python docs/write_pictures.py` after changes to `cogir/pictures`."""

from __future__ import annotations

import os
import re
import runpy
import tempfile
from pathlib import Path

DOCS = Path(__file__).parent
PAGE = DOCS / "pictures.md"
BLOCK = re.compile(r"```python\n(.*?)```", re.DOTALL)


def attention() -> str:
    """The picture of the model at the top of the page."""
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "page.py"
        found = BLOCK.search(PAGE.read_text(encoding="utf-8"))
        assert found is not None, "the page begins with the model"
        script.write_text(found.group(1).replace('picture.save("attention.svg")\n', ""), encoding="utf-8")
        return runpy.run_path(os.fspath(script))["picture"].svg


def botvinick() -> str:
    """The picture of PsyNeuLink's Stroop model; needs PsyNeuLink."""
    import cogir

    example = runpy.run_path(os.fspath(DOCS.parent / "examples" / "psyneulink" / "botvinick.py"))
    return cogir.from_psyneulink(example["build"]()).show(direction="right").svg


FIGURES = {"picture_attention": attention, "picture_botvinick": botvinick}


if __name__ == "__main__":
    from reported import reported

    for name, draw in FIGURES.items():
        figure = DOCS / "figures" / f"{name}.svg"
        with reported(figure):
            figure.write_text(draw(), encoding="utf-8")
