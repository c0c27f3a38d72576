"""Tables, xarray Datasets, summaries and HTML of labelled data."""

from __future__ import annotations

from math import isnan
from typing import Any

import numpy as np
import pytest

import cogir
from cogir.labelled.dataset import Axis, Dataset, Variable
from cogir.labelled.loaded import Loaded
from cogir.labelled.to_xarray import from_xarray, to_xarray

RATE = Axis("decision/rate", 2, {"decision/rate": np.array([0.5, 1.5])}, {"decision/rate": "1/s"})
TRIAL = Axis("trial", 3)
SIDE = Axis("stimulus", 2, {"stimulus": np.array(["left", "right"])})


def swept(**attributes: Any) -> Loaded:
    """Two rates with three and two trials."""
    variables = {
        "stimulus/value": Variable(np.arange(12.0).reshape(2, 3, 2), (RATE, TRIAL, SIDE), "cd"),
        "counter/steps": Variable(np.arange(6).reshape(2, 3), (RATE, TRIAL)),
    }
    beside = {
        "lengths": Variable(np.array([3, 2]), (RATE,)),
        "unfinished:decision": Variable(np.array([[True, False, False], [False, True, False]]), (RATE, TRIAL)),
    }
    return Loaded(Dataset("sweep", (RATE, TRIAL), variables, beside, {"model": "m", "status": "done", **attributes}))


def test_a_table_has_the_coordinates_in_its_index_and_labels_in_its_columns() -> None:
    table = swept().to_dataframe()
    assert list(table.columns) == ["stimulus/value[left]", "stimulus/value[right]", "counter/steps"]
    assert table.index.names == ["decision/rate", "trial"]
    assert list(table.index) == [(0.5, 0), (0.5, 1), (0.5, 2), (1.5, 0), (1.5, 1)]
    assert table.loc[(1.5, 1), "stimulus/value[right]"] == 9.0
    assert table["counter/steps"].dtype == np.int64


def test_a_tidy_table_has_a_row_for_each_element() -> None:
    table = swept().to_dataframe(tidy=True)
    assert list(table.columns) == ["decision/rate", "trial", "output", "element", "value"]
    assert len(table) == 15
    right = table[(table["element"] == "right") & (table["decision/rate"] == 1.5)]
    assert right["value"].tolist() == [7.0, 9.0]
    assert set(table[table["output"] == "counter/steps"]["element"]) == {""}


def test_a_table_of_points_has_their_coordinates_as_columns() -> None:
    point = Axis("point", 2, {"a/x": np.array([1, 2]), "a/y": np.array(["low", "high"])})
    table = Loaded(Dataset("sweep", (point,), {"a/value": Variable(np.array([0.1, 0.2]), (point,))})).to_dataframe()
    assert (table.index.name, list(table.columns)) == ("point", ["a/x", "a/y", "a/value"])
    assert table["a/y"].tolist() == ["low", "high"]
    single = Loaded(Dataset("sweep", (), {"a/value.mean": Variable(np.array(0.5), ())})).to_dataframe()
    assert single["a/value.mean"].tolist() == [0.5]


def test_a_statistic_without_the_trials_stands_in_each_row_and_counts_once() -> None:
    axis, trial = Axis("a/p0", 2, {"a/p0": np.array([0.5, 1.5])}), Axis("trial", 3)
    per_trial = Variable(np.arange(6.0).reshape(2, 3), (axis, trial))
    quantiles = Variable(np.array([[1.0, 2.0], [3.0, 4.0]]), (axis, Axis("q.axis0", 2)))
    data = Loaded(Dataset("sweep", (axis, trial), {"m": per_trial, "f": Variable(np.array([7.0, 8.0]), (axis,)), "q": quantiles}))
    table = data.to_dataframe()
    assert table["f"].tolist() == [7.0] * 3 + [8.0] * 3
    assert table["q[1]"].tolist() == [2.0] * 3 + [4.0] * 3
    assert len(data.to_dataframe(tidy=True)) == 6 * 4
    summary = data.summary()
    assert (summary["m"]["count"], summary["f"]["count"], summary["q[1]"]["mean"]) == (6, 2, 3.0)


def test_an_xarray_dataset_names_everything_and_comes_back() -> None:
    found = swept().to_xarray()
    assert dict(found.sizes) == {"decision.rate": 2, "trial": 3, "stimulus": 2}
    assert found["stimulus.value"].dims == ("decision.rate", "trial", "stimulus")
    assert float(found["stimulus.value"].sel({"decision.rate": 1.5, "stimulus": "right"})[1]) == 9.0
    assert found["stimulus.value"].attrs == {"long_name": "stimulus/value", "units": "cd"}
    assert found["decision.rate"].attrs == {"long_name": "decision/rate", "units": "1/s"}
    assert found["unfinished:decision"].dtype == np.bool_
    again = from_xarray(found)
    assert to_xarray(again).identical(found)
    assert list(again.variables) == ["stimulus/value", "counter/steps"]


def test_names_that_would_meet_in_xarray_are_told_apart() -> None:
    trial, other = Axis("trial", 2), Axis("trial", 3)
    variables = {
        "trial/value": Variable(np.zeros((2, 3)), (trial, other)),
        "trial.value": Variable(np.ones(2), (trial,)),
        "trial": Variable(np.ones(2), (trial,)),
        "__x": Variable(np.ones(2), (trial,)),
        "a\nb": Variable(np.ones(2), (trial,)),
    }
    found = Loaded(Dataset("result", (trial,), variables)).to_xarray()
    assert set(found.data_vars) == {"trial.value", "trial.value_2", "trial_3", "___x", "a_b"}
    assert list(from_xarray(found).variables) == list(variables)


def test_a_summary_leaves_out_nan_and_trials_that_were_not() -> None:
    values = np.array([1.0, np.nan, 3.0, 8.0])
    trial = Axis("trial", 4)
    data = Dataset("result", (trial,), {"a/x": Variable(values, (trial,), "s"), "a/choice": Variable(np.array([1, -1, 1, 1]), (trial,))})
    found = Loaded(data).summary()
    assert found["a/x"] == {
        "count": 3.0,
        "mean": 4.0,
        "sd": pytest.approx(np.std([1, 3, 8], ddof=1)),
        "min": 1.0,
        "25 %": 2.0,
        "50 %": 3.0,
        "75 %": 5.5,
        "max": 8.0,
    }
    assert found.missing == {"a/x": 1}
    assert found.rows[1].shares == ((-1.0, 0.25), (1.0, 0.75))
    text = str(found)
    assert "a/x (s)" in text
    assert "a/choice: -1 in 25.0 %, 1 in 75.0 %" in text
    assert "a/x: 1 NaN left out" in text
    with pytest.raises(cogir.InputError, match=r'summary: there is no "a/y"; did you mean "a/x"\?'):
        found["a/y"]
    lengths = swept().summary()
    assert lengths["counter/steps"]["count"] == 5.0
    assert "decision: unfinished in 2 of 5 trials (40.0 %)" in str(lengths)
    assert str(lengths).startswith('sweep of "m": decision/rate 2, trial 3; done')


def test_flags_of_reduced_replicates_are_counted_in_trials() -> None:
    """Found by a user: a proportion above zero was counted as one trial."""
    point, trial = Axis("point", 2), Axis("trial", 1)
    beside = {
        "replicates": Variable(np.array([[1000], [1000]]), (point, trial)),
        "unfinished:decision": Variable(np.array([[0.25], [0.001]]), (point, trial)),
    }
    data = Dataset("sweep", (point, trial), {"a": Variable(np.zeros((2, 1)), (point, trial))}, beside)
    assert "decision: unfinished in 251 of 2,000 trials (12.6 %)" in str(Loaded(data).summary())


def test_summaries_of_odd_values() -> None:
    trial = Axis("trial", 2)

    def row(values: Any) -> dict[str, float]:
        return Loaded(Dataset("result", (trial,), {"a": Variable(np.array(values), (trial,))})).summary()["a"]

    assert row([np.nan, np.nan])["count"] == 0.0
    assert isnan(row([np.nan, np.nan])["mean"])
    assert row([np.inf, 1.0])["max"] == np.inf
    assert row([True, False])["mean"] == 0.5
    many = Axis("many", 100)
    text = str(Loaded(Dataset("result", (trial,), {"a": Variable(np.zeros((2, 100)), (trial, many))})).summary())
    assert text.endswith("... and 60 more elements")


def test_html_escapes_what_users_called() -> None:
    bad = "<script>alert(1)</script>"
    axis = Axis(bad, 1, {bad: np.array([bad])})
    data = Dataset(
        bad,
        (axis,),
        {bad: Variable(np.zeros(1), (axis,), bad)},
        {f"unfinished:{bad}": Variable(np.ones(1, bool), (axis,))},
        {"model": bad, "status": bad},
    )
    loaded = Loaded(data)
    for text in (loaded._repr_html_(), loaded.summary()._repr_html_()):
        assert "<script>" not in text
        assert "&lt;script&gt;" in text
        assert "<table>" in text


def test_the_interface_of_a_mapping() -> None:
    data = swept()
    assert list(data) == ["stimulus/value", "counter/steps"]
    assert "counter" in data
    assert ("counter", "steps") in data
    assert "other" not in data
    assert data["counter"].shape == (2, 3)
    assert data.get("other") is None
    with pytest.raises(cogir.InputError, match=r'did you mean "counter"\?'):
        data["countr"]
    with pytest.raises(cogir.InputError, match="index one of them"):
        np.asarray(data)
    with pytest.raises(cogir.InputError, match='this sweep has no axis "replicate"'):
        data._extent("replicate")
    assert repr(data) == "<sweep from a file, decision/rate 2, trial 3, done: stimulus/value, counter/steps>"
