"""Fits that live: files, pickles, the likelihood of each trial, predictions as the data were, and tables for notebooks."""

import pickle
import re
from typing import Any

import numpy as np
import pytest
from support.fitted_decisions import BOUNDS, CHOICE, INPUTS, TIME, ddm, ddm_data

import cogir
from cogir.labelled import fits
from cogir.labelled.fits import LoadedFit

DATA = ddm_data(120) | {"who": np.tile(["anna", "ben"], 60)}
MODEL = ddm()
COLUMNS = {CHOICE: "key", TIME: "rt"}
FOUND = cogir.fit(
    MODEL,
    {COLUMNS.get(name, name): column for name, column in DATA.items()},
    BOUNDS,
    inputs=INPUTS,
    likelihood="analytical",
    depends_on={"ddm/drift": "who"},
    response=COLUMNS,
)
DRAWN = cogir.fit.posterior(FOUND, 20, tune=10, seed=1)


def through_pickle(found: Any, _: Any) -> Any:
    return pickle.loads(pickle.dumps(found))


def through(ending: str) -> Any:
    def saved(found: Any, folder: Any) -> Any:
        found.save(folder / f"fit{ending}")
        return cogir.load(folder / f"fit{ending}")

    return saved


WAYS = {"pickle": through_pickle, ".npz": through(".npz"), ".nc": through(".nc"), ".zarr": through(".zarr")}


@pytest.mark.parametrize("way", WAYS)
def test_a_fit_lives_on(way: str, tmp_path: Any) -> None:
    """All that was found is the same, in a file, in a pickle, and after a second way."""
    if way in (".nc", ".zarr"):
        pytest.importorskip("xarray")
    loaded = WAYS[way](FOUND, tmp_path)
    for kept in (loaded, pickle.loads(pickle.dumps(loaded))):
        assert isinstance(kept, LoadedFit)
        assert kept.names == FOUND.problem.names
        assert kept.parameters == dict(FOUND.parameters)
        assert kept["ddm/threshold"] == FOUND["ddm/threshold"]
        assert kept.intervals == dict(FOUND.intervals)
        assert kept.standard_errors == dict(FOUND.standard_errors)
        assert np.array_equal(kept.covariance, FOUND.covariance)
        assert (kept.log_likelihood, kept.aic, kept.bic, kept.trials) == (FOUND.log_likelihood, FOUND.aic, FOUND.bic, 120)
        assert str(kept.summary()) == str(FOUND.summary())
        assert kept._repr_html_() == FOUND._repr_html_()
        assert repr(kept) == repr(FOUND)
        assert kept.notes == FOUND.notes
        for name in kept.names:
            one, other = kept.profile(name), FOUND.profile(name)
            assert np.array_equal(one.values, other.values)
            assert np.array_equal(one.fallen, other.fallen)
            assert (one.low, one.high, one.drop, one.meets_bound) == (other.low, other.high, other.drop, other.meets_bound)
            assert all(np.array_equal(a, b) for a, b in zip(one.ends, other.ends, strict=True))
            assert np.array_equal(kept.draws[name], DRAWN[name])
        assert {name: column.tolist() for name, column in kept.data.items()} == {
            COLUMNS.get(name, name): column.tolist() for name, column in DATA.items()
        }
        assert np.array_equal(kept.pointwise, FOUND.pointwise())
        assert kept.attributes["model_text"] == str(MODEL.ir())
        assert kept.attributes["depends_on"] == {"ddm/drift": ["who"]}


def test_a_file_of_another_kind_is_no_fit(tmp_path: Any) -> None:
    MODEL.compile(unfinished="ignore").run(INPUTS, 2).save(tmp_path / "run.npz")
    with pytest.raises(cogir.InputError, match="fit: load: the file holds a result, and no fit"):
        cogir.Fit.load(tmp_path / "run.npz")
    FOUND.save(tmp_path / "fit.npz")
    assert cogir.Fit.load(tmp_path / "fit.npz").parameters == dict(FOUND.parameters)


def test_data_of_a_file_can_be_fitted_again(tmp_path: Any) -> None:
    loaded = WAYS[".npz"](FOUND, tmp_path)
    again = cogir.fit(
        MODEL, loaded.data, BOUNDS, inputs=INPUTS, likelihood="analytical", depends_on=loaded.attributes["depends_on"], response=COLUMNS,
        intervals=None,
    )  # fmt: skip
    assert np.array_equal(again.theta, loaded.theta)


def test_a_fit_without_its_model_says_so(tmp_path: Any) -> None:
    loaded = WAYS["pickle"](FOUND, tmp_path)
    for ask in (lambda: loaded.predict(), lambda: loaded.plot(), lambda: loaded.plot_profiles()):
        with pytest.raises(cogir.CogirError, match="a fit from a file or a pickle has no model; fit again"):
            ask()
    with pytest.raises(cogir.InputError, match=re.escape('fit: there is no "ddm/treshold"; did you mean "ddm/threshold"?')):
        loaded["ddm/treshold"]
    with pytest.raises(cogir.InputError, match="exists; give another name, or overwrite=True"):
        [FOUND.save(tmp_path / "one.npz") for _ in range(2)]


def test_a_loaded_fit_is_data_of_xarray(tmp_path: Any) -> None:
    pytest.importorskip("xarray")
    data = WAYS["pickle"](FOUND, tmp_path).to_xarray()
    assert float(data["estimate"].sel(parameter="ddm/threshold")) == FOUND["ddm/threshold"]
    assert data["covariance"].dims == ("parameter", "other_parameter")


def test_columns_of_all_kinds_are_kept(tmp_path: Any) -> None:
    """Texts with gaps, flags, whole numbers, missing responses, and columns of arrays."""
    columns = DATA | {
        "text": [None, *["a"] * 119],
        "flag": np.tile([True, False], 60),
        "whole": np.arange(120),
        "pair": np.arange(240.0).reshape(120, 2),
        CHOICE: [None, *DATA[CHOICE][1:].tolist()],
    }
    found = cogir.fit(
        MODEL, columns, {"ddm/drift": (0.0, 3.0)}, inputs=INPUTS, likelihood="analytical", undecided="drop", intervals=None
    )  # fmt: skip
    kept = WAYS[".npz"](found, tmp_path)
    assert kept.data["text"].tolist() == ["a"] * 119
    assert kept.data["flag"].tolist() == np.tile([True, False], 60)[1:].tolist()
    assert kept.data["whole"].tolist() == list(range(1, 120))
    assert kept.data["pair[1]"].tolist() == list(range(3, 241, 2))
    assert kept.data[CHOICE].tolist() == DATA[CHOICE][1:].tolist()
    assert kept.intervals == {}
    with pytest.raises(cogir.InputError, match="profiles were not computed"):
        kept.profile("ddm/drift")


def test_subjects_posteriors_and_recoveries_are_pickled_and_shown() -> None:
    each = cogir.fit(MODEL, DATA, {"ddm/drift": (0.0, 3.0)}, inputs=INPUTS, likelihood="analytical", subject="who", intervals=None)
    kept = pickle.loads(pickle.dumps(each))
    assert repr(kept) == repr(each)
    assert kept["ben"]["ddm/drift"] == each["ben"]["ddm/drift"]
    assert "<td>" in each._repr_html_()
    drawn = pickle.loads(pickle.dumps(DRAWN))
    assert np.array_equal(drawn["ddm/threshold"], DRAWN["ddm/threshold"])
    with pytest.raises(cogir.InputError, match="posterior: predict: draws from a pickle have no model; ask for it before"):
        drawn.predict()
    recovered = cogir.recovery(each["anna"], 2, intervals=None)
    assert repr(pickle.loads(pickle.dumps(recovered))) == repr(recovered)
    for held in (DRAWN, recovered, FOUND, each):
        assert held._repr_html_().startswith("<div><strong>")


@pytest.mark.parametrize("likelihood", ["analytical", "kernel", "histogram"])
def test_the_likelihoods_of_trials_add_up(likelihood: str) -> None:
    problem = cogir.fit.problem(MODEL, DATA, BOUNDS, inputs=INPUTS, likelihood=likelihood, lapse=0.02)
    points = np.array([[1.0, 1.0, 0.3], [0.6, 1.2, 0.2], [1.5, 0.8, 0.1]])
    found = problem.pointwise(points)
    assert found.shape == (3, 120)
    assert found.sum(axis=1) == pytest.approx(problem.log_likelihood(points), rel=1e-12)
    assert np.array_equal(problem.pointwise(points[1]), found[1])


def test_a_trial_has_the_likelihood_of_its_row() -> None:
    """That of a problem with this row alone, by formula, with undecided trials counted."""
    options: dict[str, Any] = {"inputs": INPUTS, "likelihood": "analytical", "undecided": "count", "floor": 0.0}
    data = {CHOICE: DATA[CHOICE], TIME: np.append(np.nan, DATA[TIME][1:])}
    found = cogir.fit.problem(MODEL, data, BOUNDS, **options).pointwise([1.0, 1.0, 0.3])
    for row in (1, 7, 119):
        with pytest.warns(cogir.FitWarning, match="no trial has the choice"):
            alone = cogir.fit.problem(MODEL, {name: column[row : row + 1] for name, column in data.items()}, BOUNDS, **options)
        assert found[row] == pytest.approx(alone.log_likelihood([1.0, 1.0, 0.3]), rel=1e-12)


def test_a_synthetic_likelihood_has_no_trials() -> None:
    problem = cogir.fit.problem(
        MODEL, DATA, {"ddm/drift": (0.3, 2.0)}, inputs=INPUTS, likelihood=cogir.fit.synthetic(lambda c, t: [np.mean(t)]), simulations=20
    )
    with pytest.raises(cogir.InputError, match="problem: a synthetic likelihood is that of all trials together"):
        problem.pointwise([1.0])


def test_the_posterior_has_the_likelihood_of_each_trial_and_predicts() -> None:
    assert DRAWN.pointwise.shape == (16, 20, 120)
    assert DRAWN.pointwise.sum(axis=-1) == pytest.approx(DRAWN.log_posterior, rel=1e-12)
    drawn = DRAWN.predict(3, seed=2)
    assert {name: held.shape for name, held in drawn.items()} == {CHOICE: (3, 120), TIME: (3, 120)}
    assert not np.array_equal(drawn[TIME][0], drawn[TIME][1])
    assert np.array_equal(DRAWN.predict(3, seed=2)[TIME], drawn[TIME])


def test_arviz_gets_the_likelihood_of_each_trial(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a stand-in for ArviZ 1, which takes a dict of groups."""
    import sys
    from types import ModuleType

    arviz: Any = ModuleType("arviz")
    arviz.__version__, arviz.from_dict = "1.0.0", lambda groups: groups
    monkeypatch.setitem(sys.modules, "arviz", arviz)
    groups = DRAWN.to_inference_data()
    assert groups["log_likelihood"]["response"].shape == (16, 20, 120)
    assert "log_likelihood" not in DRAWN.to_inference_data(log_likelihood=False)


def test_loo_of_arviz() -> None:
    arviz = pytest.importorskip("arviz")
    assert np.isfinite(arviz.loo(DRAWN.to_inference_data()).elpd_loo)


def test_predictions_are_as_the_data_were() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(DATA, index=np.arange(120) + 1000)
    frame.loc[1003, TIME] = np.nan
    found = cogir.fit(
        MODEL, frame, {"ddm/drift": (0.0, 3.0)}, inputs=INPUTS, likelihood="analytical", undecided="drop", intervals=None
    )  # fmt: skip
    again = found.predict(seed=3)
    assert type(again) is pandas.DataFrame
    assert list(again.columns) == list(frame.columns)
    assert again.index.tolist() == [row for row in frame.index if row != 1003]
    assert again["who"].tolist() == frame["who"].drop(1003).tolist()
    assert not np.array_equal(again[TIME], frame[TIME].drop(1003))
    assert isinstance(FOUND.predict(), dict)


MUTANTS = {
    "profiles lose their bounds": lambda patch: patch.setattr(
        fits, "Profile", lambda *given: PROFILE(*given[:6], (True, True), given[7])
    ),
    "draws are those of the first parameter": lambda patch: patch.setattr(
        LoadedFit, "draws", property(lambda self: dict.fromkeys(self.names, self._dataset.beside["draws"].values[..., 0]))
    ),
    "intervals are those of the other end": lambda patch: patch.setattr(
        LoadedFit, "intervals", property(lambda self: {name: (high, low) for name, (low, high) in FOUND.intervals.items()})
    ),
}  # fmt: skip
PROFILE = fits.Profile


@pytest.mark.parametrize("mutant", MUTANTS)
def test_a_planted_loss_is_found(mutant: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    MUTANTS[mutant](monkeypatch)
    with pytest.raises(AssertionError):
        test_a_fit_lives_on("pickle", tmp_path)
