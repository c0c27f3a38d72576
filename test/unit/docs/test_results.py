"""docs/results.md does what it says."""

import re
from pathlib import Path

import numpy as np
import pytest
from support.pages import Ran, page, run_page

import cogir

PAGE = page("results.md")


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    pytest.importorskip("pandas")
    pytest.importorskip("xarray")
    return run_page(PAGE, tmp_path_factory.mktemp("results"))


def test_the_page_runs_from_top_to_bottom(ran: Ran) -> None:
    assert ran.files == ["decision.csv", "decision.npz"]
    shown = re.search(r"```\n(replicates of .*?)```", PAGE, re.DOTALL)
    assert shown is not None
    for line in shown[1].rstrip().splitlines():
        assert line in ran.printed.splitlines(), line


def test_the_attributes_that_the_page_names_are_there(ran: Ran) -> None:
    named = PAGE.partition("- **Attributes** (`found.attributes`, `data.attrs`): ")[2].partition("\n\n")[0]
    named = set(re.findall(r"(?:^|, |, and |\n  )`(\w+)`", re.sub(r"\([^()]*\)", "", named)))
    assert {"model", "model_text", "generator_states", "states", "continued", "numpy_version"} <= named
    found, compiled = ran.names["found"], ran.names["compiled"]
    assert found.attributes["start"] == "fresh"
    anna = compiled.context("anna")
    anna.state["decision/state:position"] = 0.25
    anna.generators["decision"] = cogir.random(7)
    by_hand = compiled.run({"stimulus": [[0.1, 0.9]]}, context=anna).attributes
    assert by_hand["context"] == "anna"
    assert [*by_hand["states"].values()] == [0.25]
    assert len(by_hand["generator_states"]) == 1
    assert named <= {*found.attributes, *by_hand}
    assert set(found.attributes) <= set(ran.names["data"].attrs)


def test_axes_and_names_of_the_dataset(ran: Ran) -> None:
    data, found = ran.names["data"], ran.names["found"]
    assert data["decision.response_time"].attrs["long_name"] == "decision/response_time"
    assert data["decision.response_time"].dims == ("replicate", "trial")
    assert found["decision", "response_time"].shape == (5000, 2)
    assert np.array_equal(data["unfinished:decision"], found.unfinished["decision"])
    assert found.lengths.shape == (5000,)
    with pytest.raises(ValueError, match="'/'"):
        data.rename({"decision.value": "decision/value"}).to_netcdf(ran.folder / "slash.nc")
    assert "<table" in ran.names["summary"]._repr_html_()
    assert "<table" in found._repr_html_()


def test_a_file_that_exists_is_kept(ran: Ran, tmp_path: Path) -> None:
    found, path = ran.names["found"], tmp_path / "decision.npz"
    found.save(path)
    written = path.read_bytes()
    with pytest.raises(cogir.CogirError, match="overwrite=True"):
        found.save(path)
    assert path.read_bytes() == written
    found.save(path, overwrite=True)
    assert any(np.array_equal(array, found["decision"]) for array in np.load(path).values() if array.dtype == float)
    with pytest.raises(cogir.CogirError, match="csv"):
        cogir.load(ran.folder / "decision.csv")


def test_pictures_are_of_the_kinds_of_the_table(ran: Ran) -> None:
    pyplot = pytest.importorskip("matplotlib.pyplot")
    found = ran.names["found"]
    axes = found.plot()
    assert "4.6 %" in axes.get_title(), "undecided trials"
    found.plot("decision/choice", kind="histogram")
    found.plot("stimulus[left]")
    again = found.plot(axes=axes, label="first session")
    assert again is axes
    assert any("first session" in text for text in axes.get_legend_handles_labels()[1])
    pyplot.close("all")
