"""docs/sweeps.md does what it says."""

import warnings

import numpy as np
import pytest
from support.pages import Ran, page, run_page

import cogir
from cogir import reductions

PAGE = page("sweeps.md")
INPUTS = {"ddm": [[1.0]]}


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    pytest.importorskip("xarray")
    pytest.importorskip("matplotlib").use("Agg")
    return run_page(PAGE, tmp_path_factory.mktemp("sweeps"))


def test_the_page_runs_from_top_to_bottom(ran: Ran) -> None:
    assert ran.files == ["accuracy.png", "decision.svg", "lines.png", "study.npz"]
    assert ran.names["study"]["accuracy"].size * 1000 == 336_000
    assert ran.names["both"]["ddm"].shape == (2, 9, 200, 1)
    assert ran.names["kept"]["ddm"].shape == (2, 100, 1)
    labels = [text.get_text() for text in ran.names["named"].plot("accuracy").get_xticklabels()]
    assert {"speed", "accuracy"} <= set(labels)


def test_proportions_of_unfinished_decisions(ran: Ran) -> None:
    assert ran.names["study"].unfinished["ddm"].dtype == float
    assert ran.names["both"].unfinished["ddm"].dtype == bool


def test_axes_are_called_as_the_table_says(ran: Ran) -> None:
    pandas = pytest.importorskip("pandas")
    sweep = ran.names["compiled"].sweep

    def axes(points: object) -> list[str]:
        return [*sweep(points, INPUTS, replicates=2, seed=1, start="fresh").to_xarray()["ddm.choice"].dims]

    both = {"ddm/drift": [0.5, 1.0], "ddm/threshold": [1.0, 0.8]}
    assert axes(both) == ["ddm.drift", "ddm.threshold", "replicate", "trial"]
    assert axes(cogir.zipped(both)) == ["point", "replicate", "trial"]
    assert axes({"task": cogir.zipped(both), "ddm/noise": [1.0, 0.5]}) == ["task", "ddm.noise", "replicate", "trial"]
    assert axes(pandas.DataFrame(both)) == ["point", "replicate", "trial"]
    named = pandas.DataFrame({"condition": ["speed", "accuracy"], "ddm/threshold": [0.6, 1.4]})
    assert axes(named) == ["condition", "replicate", "trial"]


def test_conditions_take_precedence_over_inputs_without_a_warning(ran: Ran) -> None:
    compiled = ran.names["compiled"]
    conditions = {"condition": {"weak": {"ddm": [0.5]}, "strong": {"ddm": [2.0]}}}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = compiled.sweep(conditions, INPUTS, replicates=5, seed=1, start="fresh")
        alone = compiled.sweep(conditions, replicates=5, seed=1, start="fresh")
    assert np.array_equal(found["ddm", "response_time"], alone["ddm", "response_time"])


def test_random_numbers_are_as_the_page_says(ran: Ran) -> None:
    compiled, drifts = ran.names["compiled"], {"ddm/drift": [1.0, 1.0]}
    own, again = (compiled.sweep(drifts, INPUTS, replicates=20, seed=1, start="fresh")["ddm", "response_time"] for _ in range(2))
    common = compiled.sweep(drifts, INPUTS, replicates=20, seed=1, start="fresh", common_random_numbers=True)["ddm", "response_time"]
    assert np.array_equal(own, again)
    assert not np.array_equal(own[0], own[1])
    assert np.array_equal(common[0], common[1])
    with pytest.raises(cogir.InputError, match="seed"):
        compiled.sweep(drifts, INPUTS, seed=2**70, start="fresh")


def test_statistics_are_those_of_numpy_and_scipy(ran: Ran) -> None:
    stats = pytest.importorskip("scipy.stats")
    whole = ran.names["both"]["ddm", "response_time"]
    found = ran.names["compiled"].sweep(
        {"condition": {"speed": {"ddm/threshold": 0.6}, "accuracy": {"ddm/threshold": 1.4}}, "ddm/drift": np.linspace(0.5, 2.5, 9)},
        INPUTS,
        replicates=200,
        seed=1,
        start="fresh",
        reduce={
            "sem": reductions.StandardError("ddm/response_time"),
            "times": reductions.Quantiles("ddm/response_time", [0.1, 0.9]),
            "histogram": reductions.Histogram("ddm/response_time", [0.3, 0.6, 1.0]),
        },
    )
    np.testing.assert_allclose(found["sem"], stats.sem(whole, axis=2), rtol=1e-12)
    assert np.array_equal(found["times"], np.moveaxis(np.quantile(whole, [0.1, 0.9], axis=2), 0, -1))
    assert found["histogram"][0, 0, 0].tolist() == np.histogram(whole[0, 0, :, 0], [0.3, 0.6, 1.0])[0].tolist()
    assert found["histogram/above"][0, 0, 0] == (whole[0, 0, :, 0] > 1.0).sum()
