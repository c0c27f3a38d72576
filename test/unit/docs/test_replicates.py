"""docs/replicates.md does what it says."""

import re

import numpy as np
import pytest
from support.pages import Ran, page, run_page

import cogir

PAGE = page("replicates.md")


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    return run_page(PAGE, tmp_path_factory.mktemp("replicates"))


def test_the_page_runs_from_top_to_bottom(ran: Ran) -> None:
    found, again = ran.names["found"], ran.names["again"]
    assert found["DDM"].shape == (10_000, 1, 1)
    mean, share = re.findall(r"^(?:found\[.*mean\(\)|np\.mean\(.*) +# ([\d.]+)", PAGE, re.MULTILINE)
    assert f"{found['DDM', 'time'].mean():.2f}" == mean
    assert f"{np.mean(found['DDM'] > 0):.2f}" == share
    assert again["DDM", "time"][0] == found["DDM", "time"][4711, 0]
    (shown,) = re.findall(r"^print\(goes_on\) +# (.*)", PAGE, re.MULTILINE)
    assert ran.printed == f"{shown}\n"


def test_the_steps_of_the_example(ran: Ran) -> None:
    """83 steps on average, some 20 and some 300, and none as many as the limit of 1,000."""
    found = ran.names["found"]
    steps = found["DDM", "time"] / 0.01
    assert round(steps.mean()) == 83
    assert steps.min() < 20
    assert 300 < steps.max() < 1000
    assert not found.unfinished["DDM"].any()
    assert found.unfinished["DDM"].shape == (10_000, 1)


def test_the_result_is_a_mapping_of_ports(ran: Ran) -> None:
    found = ran.names["found"]
    assert [*found] == ["DDM/value", "DDM/time"]
    assert (len(found), found.num_replicates, found.num_trials) == (2, 10_000, 1)
    pytest.importorskip("pandas")
    table = found.to_dataframe()
    assert list(table.index.names) == ["replicate", "trial"]
    assert len(table) == found.lengths.sum() == 10_000


def test_seeds_and_starts_are_as_the_page_says(ran: Ran) -> None:
    compiled, found, inputs = ran.names["compiled"], ran.names["found"], {"DDM": [[1.0]]}
    context = compiled.context("another")
    with pytest.warns(cogir.FreshStartWarning, match=r"\b1 trial\b"):
        few = compiled.replicates(inputs, count=10, seed=1)
    assert np.array_equal(few["DDM"], found["DDM"][:10]), "replicate r is the same for any count"
    assert few.attributes["start"] == "fresh"
    by_name = compiled.replicates(inputs, count=10, seed=1, context=context)
    assert not np.array_equal(by_name["DDM", "time"], few["DDM", "time"]), "the name of the context is in the key"
    news = [compiled.replicates(inputs, count=10, seed=None) for _ in range(2)]
    assert news[0].attributes["seed"] != news[1].attributes["seed"]
    assert str(news[0].attributes["seed"]) in str(news[0].summary())


def test_decisions_that_are_cut_off_are_reported(ran: Ran) -> None:
    context = ran.names["compiled"].context("short")
    context.params["DDM/limit:executions"] = 50
    with pytest.warns(cogir.UnfinishedWarning, match="%"):
        found = ran.names["compiled"].replicates({"DDM": [[1.0]]}, count=100, seed=1, context=context)
    cut = found.unfinished["DDM"]
    assert np.array_equal(cut, abs(found["DDM"][..., 0]) < 1.0)
    assert found["DDM", "time"][cut] == pytest.approx(0.5)


def test_the_example_runs_in_48_lanes(ran: Ran) -> None:
    assert "in 48 lanes" in str(ran.names["compiled"].explain())
    assert "for all 48 lanes" in PAGE
