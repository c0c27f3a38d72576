"""docs/subjects.md does what it says."""

import os
import re
import runpy
from pathlib import Path

import numpy as np
import pytest

PAGE = (Path(__file__).parents[3] / "docs" / "subjects.md").read_text()
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


def test_the_page_runs_from_top_to_bottom(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pandas")
    pytest.importorskip("xarray")
    script = tmp_path / "page.py"
    script.write_text("\n".join(BLOCKS))
    monkeypatch.chdir(tmp_path)
    names = runpy.run_path(str(script))
    assert os.listdir(tmp_path) == ["page.py"]
    assert names["data"][2, :, 2].sum() == 150.0, "the subject who left early"
    assert not names["found"]["agent"][2, 0, 150:].any()
    assert names["found"]["agent"][2, 0, :150].all()
    choices = names["simulated"]["agent", "choice"][:, 0]
    assert len(np.unique(choices, axis=0)) == 30, "each subject has random numbers of its own"
    assert names["simulated"].to_xarray()["agent.choice"].dims[0] == "subject"
    assert (names["value"] >= names["totals"].max(axis=(1, 2))).all()
