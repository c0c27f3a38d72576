"""The code in docs/psyneulink_guide.md, and what the README says of strict mode, run and print what is shown."""

import re
import warnings
from pathlib import Path

import numpy as np
import pytest
from support.psyneulink_needed import require_psyneulink

require_psyneulink()

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import psyneulink as pnl
    from support.psyneulink_golden import fresh

from cogir.psyneulink.execution.session import sessions_of  # noqa: E402

ROOT = Path(__file__).parents[3]
BLOCKS = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "psyneulink_guide.md").read_text(), re.DOTALL)

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


def test_strict_mode_says_who_what_and_what_to_do(capsys):
    readme = (ROOT / "README.md").read_text()
    code = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)[-1]
    (shown,) = re.findall(r"```text\n(.*?)```", readme, re.DOTALL)
    exec(code, given())
    assert capsys.readouterr().out == shown
