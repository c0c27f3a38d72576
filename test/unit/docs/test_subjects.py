"""docs/subjects.md does what it says."""

from pathlib import Path

import numpy as np
import pytest
from support.pages import page, run_page

import cogir


def test_the_page_runs_from_top_to_bottom(tmp_path: Path) -> None:
    pytest.importorskip("pandas")
    pytest.importorskip("xarray")
    ran = run_page(page("subjects.md"), tmp_path)
    names = ran.names
    assert not ran.files
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
