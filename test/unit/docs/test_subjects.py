"""docs/subjects.md does what it says."""

import os
import re
import runpy
from pathlib import Path

import numpy as np
import pytest

import cogir

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
    rows = names["simulated"].to_dataframe()
    assert len(rows) == 30 * 200, "a row for each trial of each subject"
    np.testing.assert_allclose(names["found"]["agent"][:, 0, 0], np.log(0.5), rtol=1e-15, err_msg="all subjects begin alike")
    compiled, data, rates, betas = (names[name] for name in ("compiled", "data", "rates", "betas"))
    alone = compiled.sweep(cogir.zipped({"agent/rate": rates[4:5], "agent/beta": betas[4:5], "agent": data[4:5]}))
    np.testing.assert_array_equal(alone["agent"][0], names["found"]["agent"][4], err_msg="subjects do not go on from each other")
    compiled.params["agent/beta"] = 2.0
    shared = compiled.sweep(cogir.zipped({"agent/rate": rates[:2], "agent": data[:2]}))
    same = compiled.sweep(cogir.zipped({"agent/rate": rates[:2], "agent/beta": [2.0, 2.0], "agent": data[:2]}))
    np.testing.assert_array_equal(shared["agent"], same["agent"], err_msg="a parameter that a group shares")
    axis = compiled.sweep({"subject": cogir.zipped({"agent/rate": rates[:2], "agent": data[:2]}), "agent/beta": [1.0, 2.0]})
    np.testing.assert_array_equal(axis["agent"][:, 1], same["agent"], err_msg="or one that has an axis")
