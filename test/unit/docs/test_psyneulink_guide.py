"""The code in docs/psyneulink_guide.md runs and prints what the page shows, and the README's two lines compile a Composition."""

import re
from pathlib import Path

import numpy as np
import pytest
from support.psyneulink import pnl
from support.psyneulink.golden import fresh

from cogir.psyneulink import accelerate
from cogir.psyneulink.execution.session import sessions_of

ROOT = Path(__file__).parents[3]
GUIDE = (ROOT / "docs" / "psyneulink_guide.md").read_text()
*BLOCKS, STRICT = re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)

pytestmark = pytest.mark.filterwarnings("ignore")


def given():
    """A Composition and inputs, as the text takes them for granted."""
    fresh()
    composition = pnl.Composition(name="C", pathways=[[pnl.TransferMechanism(name="A", function=pnl.Linear(slope=2.0))]])
    return {"composition": composition, "inputs": {"A": [[1.0], [2.0]]}}


def test_the_guide_runs():
    names = given()
    composition = names["composition"]
    exec("\n".join(BLOCKS), names)
    try:
        assert sessions_of(composition)
        assert names["explain"](composition)
        composition.run(names["inputs"])  # in the notebook, where all that follows is accelerated
    finally:
        names["fast"].stop()
    assert np.ravel(composition.results).tolist() == [2.0, 4.0, 2.0, 4.0, 2.0, 2.0, 4.0]


def test_strict_mode_names_the_component_the_feature_and_the_remedy(capsys):
    (shown,) = re.findall(r"```text\n(.*?)```", GUIDE, re.DOTALL)
    exec(STRICT, given())
    assert capsys.readouterr().out == shown


def test_two_lines_of_the_readme_compile_a_composition(monkeypatch):
    started = []
    start = accelerate.start
    monkeypatch.setattr(accelerate, "start", lambda self: (started.append(self), start(self)))
    lines = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)[0]
    names = given()
    exec(lines, {})
    try:
        names["composition"].run(names["inputs"])
        assert sessions_of(names["composition"])
    finally:
        (fast,) = started
        fast.stop()
