"""Fits: likelihoods against formulas, conditions, priors, lapses, undecided trials, subjects, results."""

import multiprocessing
import re
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats
from support.fitted_decisions import BOUNDS, CHOICE, CORRECTION, INPUTS, TIME, ddm, ddm_data

import cogir
from cogir import library
from cogir.study.pictures import draw_fit, predicted
from cogir.study.problem import make_problem

MODEL = ddm()
COMPILED = MODEL.compile(unfinished="ignore")
DATA = ddm_data(300, seed=1)
TRUE = [1.0, 1.0, 0.3]
CORRECTED = {"derive": {"ddm/threshold": lambda p: p["b"] - CORRECTION}}
FREE = {"ddm/drift": (0.0, 3.0), "b": (0.5, 2.5), "ddm/non_decision_time": (0.05, 0.6)}


def simulated(data: Any = DATA, free: Any = FREE, **options: Any) -> Any:
    return make_problem(COMPILED, data, free, **{"inputs": INPUTS, "simulations": 4000, **CORRECTED} | options)


def analytical(data: Any = DATA, free: Any = BOUNDS, **options: Any) -> Any:
    return make_problem(MODEL, data, free, **{"inputs": INPUTS, "likelihood": "analytical"} | options)


@pytest.mark.parametrize(
    ("likelihood", "away"), [("kernel", 3.5), (cogir.fit.kernel(0.4, scale="linear"), 3.5), ("histogram", 6.0)], ids=str
)
def test_simulated_likelihoods_follow_the_formula(likelihood: Any, away: float) -> None:
    """Differences between points are those of the formula, up to the noise of 40,000 trials, the steps of the simulation, and bins."""
    exact, found = analytical(), simulated(likelihood=likelihood, simulations=40_000)
    points = np.array([TRUE, [0.7, 1.0, 0.3], [1.0, 1.15, 0.3], [1.3, 0.9, 0.32]])
    wanted, got = exact.log_likelihood(points), found.log_likelihood(points)
    assert np.abs((got - got[0]) - (wanted - wanted[0])).max() < away
    assert np.ptp(wanted) > 10.0


def test_kernel_density_is_a_density() -> None:
    """Over all times and choices it adds up to the probability of a decision."""
    problem = simulated()
    times = np.linspace(0.0, 15.0, 30_001)
    total = sum(curve[0].sum() * (times[1] - times[0]) for curve in predicted(problem, np.array(TRUE), times).values())
    assert total == pytest.approx(1.0, abs=2e-3)


def test_estimates_and_intervals_agree_with_the_formula() -> None:
    exact, found = cogir.fit(analytical()), cogir.fit(simulated())
    errors = np.array(list(exact.standard_errors.values()))
    assert np.all(np.abs(found.theta - exact.theta) < 0.7 * errors)  # the noise of 4,000 simulated trials and the coarse steps
    for (low, high), (bottom, top) in zip(found.intervals.values(), exact.intervals.values(), strict=True):
        assert 0.6 < (high - low) / (top - bottom) < 1.6
    for name, (low, high) in exact.intervals.items():
        assert low < exact[name] < high
        assert exact.profile(name).fallen.min() == 0.0


def test_exact_intervals_are_where_the_profile_has_fallen() -> None:
    """The likelihood at the ends, with the other parameters fitted again by SciPy, lies 1.92 lower."""
    from scipy.optimize import minimize

    problem = analytical()
    found = cogir.fit(problem)
    low, high = found.intervals["ddm/drift"]
    for end in (low, high):
        best = minimize(
            lambda x, end=end: -problem.log_likelihood([end, *x]), found.theta[1:], method="Nelder-Mead", options={"xatol": 1e-7}
        )
        assert found.log_likelihood + best.fun == pytest.approx(1.9207, abs=0.03)  # the end is interpolated between steps


@pytest.mark.parametrize("method", ["nelder-mead", "powell", "l-bfgs-b", "differential_evolution", "optuna"])
def test_methods_find_the_same_maximum(method: str) -> None:
    if method == "optuna":
        pytest.importorskip("optuna")
    found = cogir.fit(analytical(free={"ddm/drift": (0.0, 3.0), "ddm/threshold": (0.5, 2.0)}), method=method, budget=150, intervals=None)
    assert found.method == method
    assert found.theta == pytest.approx([0.93, 0.94], abs=0.02) or found.log_likelihood == pytest.approx(
        found.surface.coefficients[0], abs=0.5
    )


def test_a_method_of_your_own() -> None:
    def middle(objective: Any, start: Any) -> Any:
        assert objective(np.array([start, start])).shape == (2,)
        return start

    assert cogir.fit(analytical(), method=middle, intervals=None).method == "middle"


@pytest.mark.filterwarnings("ignore::cogir.FitWarning")  # 300 simulations are few
def test_the_same_seed_gives_the_same_fit() -> None:
    one, other, third = (cogir.fit(simulated(simulations=300, seed=seed), seed=seed) for seed in (1, 1, 2))
    assert np.array_equal(one.theta, other.theta)
    assert one.intervals == other.intervals
    assert not np.array_equal(one.theta, third.theta)


POOLS = {
    "threads": lambda: ThreadPoolExecutor(2),
    "processes": lambda: ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")),
}


@contextmanager
def dask_client() -> Iterator[Any]:
    """A client of a Dask cluster of two processes."""
    distributed = pytest.importorskip("dask.distributed")
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


@pytest.mark.parametrize(
    "pool", [POOLS["threads"], POOLS["processes"], pytest.param(dask_client, marks=pytest.mark.full)], ids=["threads", "processes", "dask"]
)
def test_executors_give_the_same_likelihood(pool: Any) -> None:
    points = np.array([TRUE, [0.7, 1.1, 0.3]])
    with pool() as executor:
        elsewhere = make_problem(COMPILED, DATA, BOUNDS, inputs=INPUTS, simulations=1000, executor=executor).log_likelihood(points)
    here = make_problem(COMPILED, DATA, BOUNDS, inputs=INPUTS, simulations=1000).log_likelihood(points)
    assert np.array_equal(elsewhere, here)


@pytest.mark.full
@pytest.mark.parametrize("pool", [POOLS["processes"], dask_client], ids=["processes", "dask"])
def test_a_whole_fit_in_other_processes_is_the_one_here(pool: Any) -> None:
    options = {"inputs": INPUTS, "simulations": 1000, "seed": 1}
    here = cogir.fit(COMPILED, DATA, free=BOUNDS, **options)
    with pool() as executor:
        elsewhere = cogir.fit(COMPILED, DATA, free=BOUNDS, executor=executor, **options)
    assert np.array_equal(elsewhere.theta, here.theta)
    assert elsewhere.intervals == here.intervals


def two_conditions() -> dict[str, Any]:
    easy, hard = ddm_data(150, drift=1.6, seed=2), ddm_data(150, drift=0.6, seed=3)
    columns = {name: np.concatenate([easy[name], hard[name]]) for name in easy}
    return columns | {"difficulty": np.repeat(["easy", "hard"], 150), "coherence": np.repeat([1.6, 0.6], 150)}


def test_a_parameter_for_each_condition() -> None:
    found = cogir.fit(analytical(two_conditions(), depends_on={"ddm/drift": "difficulty"}), intervals=None)
    assert list(found.parameters) == ["ddm/drift[easy]", "ddm/drift[hard]", "ddm/threshold", "ddm/non_decision_time"]
    assert found["ddm/drift[easy]"] == pytest.approx(1.6, abs=0.35)
    assert found["ddm/drift[hard]"] == pytest.approx(0.6, abs=0.25)


def test_conditions_are_inputs_parameters_and_columns() -> None:
    """Three ways to say that the drift is one of 1.6 and 0.6: as the input, as the parameter, and derived from a column."""
    data, free = two_conditions(), {"ddm/threshold": (0.5, 2.0)}
    coherence = data.pop("coherence")
    by_input = make_problem(COMPILED, {**data, "ddm": coherence}, free, simulations=1000)
    by_parameter = make_problem(COMPILED, {**data, "ddm/drift": coherence}, free, inputs=INPUTS, simulations=1000)
    by_column = make_problem(
        COMPILED,
        {**data, "c": coherence},
        free | {"k": (0.5, 2.0)},
        inputs=INPUTS,
        simulations=1000,
        derive={"ddm/drift": lambda p: p["k"] * p["c"]},
    )
    wanted = by_parameter.log_likelihood([1.0])
    assert by_input.log_likelihood([1.0]) == wanted
    assert by_column.log_likelihood([1.0, 1.0]) == wanted
    assert by_parameter.parametrisation.conditions.count == 2


def test_elements_of_arrays() -> None:
    """Ballistic accumulators whose drifts are the elements of one parameter, by formula and simulated."""
    model = cogir.Model("lba")
    model.node("lba", library.linear_ballistic_decision, input=2, drift=[1.2, 0.8], drift_variability=0.4, execute_until_finished=True)
    compiled = model.compile(unfinished="ignore")
    runs = compiled.replicates({"lba": [[1.0, 1.0]]}, count=400, seed=3)
    data = {"lba/choice": runs["lba", "choice"].ravel(), "lba/response_time": runs["lba", "response_time"].ravel()}
    free = {"lba/drift[0]": (0.5, 2.0), "lba/drift[1]": (0.2, 2.0)}
    exact = make_problem(model, data, free, inputs={"lba": [[1.0, 1.0]]}, likelihood="analytical")
    kernel = make_problem(compiled, data, free, inputs={"lba": [[1.0, 1.0]]}, simulations=160_000)
    points = np.array([[1.2, 0.8], [1.4, 0.8], [1.2, 1.1]])
    wanted, got = exact.log_likelihood(points), kernel.log_likelihood(points)
    assert np.abs((got - got[0]) - (wanted - wanted[0])).max() < 3.0
    found = cogir.fit(exact, intervals="hessian")
    assert found.theta == pytest.approx([1.2, 0.8], abs=0.2)


def test_a_race_by_formula_and_simulated() -> None:
    model = cogir.Model("race")
    model.node(
        "race",
        library.race_decision,
        input=3,
        threshold=1.2,
        time_step_size=0.01,
        execute_until_finished=True,
        max_executions_before_finished=2000,
        reset_each_trial=True,
    )
    compiled = model.compile(unfinished="ignore")
    inputs = {"race": [[1.5, 1.0, 0.5]]}
    runs = compiled.replicates(inputs, count=300, seed=3)
    data = {"race/choice": runs["race", "choice"].ravel(), "race/response_time": runs["race", "response_time"].ravel()}
    free = {"race/threshold": (0.5, 2.0), "race/drift": (0.5, 2.0)}
    exact = make_problem(model, data, free, inputs=inputs, likelihood="analytical")
    steps = {"race/threshold": lambda p: p["b"] - 0.05826}
    kernel = make_problem(compiled, data, {"b": (0.5, 2.0), "race/drift": (0.5, 2.0)}, inputs=inputs, simulations=40_000, derive=steps)
    points = np.array([[1.25, 1.0], [1.4, 1.0], [1.25, 1.3]])
    wanted, got = exact.log_likelihood(points), kernel.log_likelihood(points)
    assert np.abs((got - got[0]) - (wanted - wanted[0])).max() < 5.0  # the noise of 40,000 trials, and the steps of three accumulators
    assert np.ptp(wanted) > 10.0


def test_priors() -> None:
    """A narrow prior holds the estimate; the posterior density is the sum of both."""
    prior = stats.norm(1.5, 0.01)
    problem = analytical(priors={"ddm/drift": prior})
    assert problem.log_posterior(TRUE) == pytest.approx(problem.log_likelihood(TRUE) + prior.logpdf(1.0))
    assert problem.log_posterior([4.0, 1.0, 0.3]) == -np.inf
    assert cogir.fit(problem, intervals=None)["ddm/drift"] == pytest.approx(1.5, abs=0.02)


def test_lapses() -> None:
    """Of uniform responses in a tenth of the trials, about as many are found; without lapses, they disturb the drift."""
    data = {name: column.copy() for name, column in ddm_data(400, drift=1.5, seed=5).items()}
    rng = np.random.default_rng(0)
    data[CHOICE][:40], data[TIME][:40] = rng.choice([-1.0, 1.0], 40), rng.uniform(0.0, 5.0, 40)
    found = cogir.fit(analytical(data, lapse=(0.0, 0.5)), intervals=None)
    assert found["lapse"] == pytest.approx(0.1, abs=0.06)
    assert found["ddm/drift"] == pytest.approx(1.5, abs=0.25)
    fixed = analytical(data, lapse=0.1)
    assert fixed.log_likelihood([1.5, 1.0, 0.3]) == pytest.approx(analytical(data, lapse=(0.0, 0.5)).log_likelihood([1.5, 1.0, 0.3, 0.1]))


@pytest.mark.filterwarnings("ignore::cogir.FitWarning")  # there is one choice only
def test_undecided_trials_have_the_probability_of_no_decision() -> None:
    model = ddm(max_executions_before_finished=50)  # one second
    data = {CHOICE: np.array([1.0, np.nan]), TIME: np.array([0.7, np.nan])}
    count = {"undecided": "count", "inputs": INPUTS}
    free = {"ddm/drift": (0.0, 3.0)}
    exact = make_problem(model, data, free, likelihood="analytical", **count)
    from cogir.study.densities import wiener_log_density, wiener_survival

    wanted = wiener_log_density(0.4, True, 1.0, 1.0) + np.log(wiener_survival(1.0, 1.0, 1.0))
    assert exact.log_likelihood([1.0]) == pytest.approx(wanted, abs=1e-9)
    kernel = make_problem(
        model.compile(unfinished="ignore"), data, free, simulations=40_000, derive={"ddm/threshold": lambda p: 1.0 - CORRECTION}, **count
    )
    assert kernel.log_likelihood([1.0]) == pytest.approx(wanted, abs=0.1)  # the noise of 40,000 trials


@pytest.mark.filterwarnings("ignore::cogir.FitWarning")  # there is one choice only
def test_without_undecided_trials_densities_are_given_a_decision() -> None:
    model = ddm(max_executions_before_finished=50)
    data = {CHOICE: np.array([1.0, np.nan]), TIME: np.array([0.7, np.nan])}
    free = {"ddm/drift": (0.0, 3.0)}
    from cogir.study.densities import wiener_log_density, wiener_survival

    dropped = make_problem(model, data, free, likelihood="analytical", undecided="drop", inputs=INPUTS)
    wanted = wiener_log_density(0.4, True, 1.0, 1.0) - np.log(1.0 - wiener_survival(1.0, 1.0, 1.0))
    assert dropped.log_likelihood([1.0]) == pytest.approx(wanted, abs=1e-9)


def test_choices_without_times() -> None:
    """The likelihood is that of a binomial proportion."""
    data = {CHOICE: DATA[CHOICE]}
    problem = make_problem(COMPILED, data, {"ddm/drift": (0.0, 3.0)}, inputs=INPUTS, simulations=40_000)
    right = np.mean(DATA[CHOICE] > 0)
    at = cogir.fit(problem, intervals=None)["ddm/drift"]
    assert 1.0 / (1.0 + np.exp(-2.0 * at * (1.0 + CORRECTION))) == pytest.approx(right, abs=0.02)


def test_synthetic_likelihood() -> None:
    """Accuracy and the mean time as statistics: the maximum lies where the formula has it."""

    def statistics(choices: Any, times: Any) -> Any:
        return [np.mean(choices > 0), np.mean(times), np.std(times)]

    problem = simulated(free={"ddm/drift": (0.3, 2.0)}, likelihood=cogir.fit.synthetic(statistics), simulations=100, derive=None)
    found = problem.log_likelihood(np.array([[0.4], [1.0], [1.9]]))
    assert found[1] == found.max()
    few = simulated(free={"ddm/drift": (0.3, 2.0)}, likelihood=cogir.fit.synthetic(statistics), simulations=6, derive=None)
    with pytest.raises(cogir.InputError, match="there are 3 statistics, but only 6 simulated data sets; simulate 8 at least"):
        few.log_likelihood([1.0])


def test_subjects() -> None:
    one, other = ddm_data(150, drift=1.6, seed=2), ddm_data(150, drift=0.6, seed=3)
    data = {name: np.concatenate([one[name], other[name]]) for name in one} | {"subject": np.repeat(["anna", "ben"], 150)}
    fits = cogir.fit(MODEL, data, {"ddm/drift": (0.0, 3.0)}, inputs=INPUTS, likelihood="analytical", subject="subject")
    assert list(fits) == ["anna", "ben"]
    assert fits["anna"]["ddm/drift"] > 1.2 > 0.9 > fits["ben"]["ddm/drift"]
    assert fits.to_xarray()["estimate"].sel(subject="ben", parameter="ddm/drift") == fits["ben"]["ddm/drift"]
    assert "anna" in repr(fits)
    with pytest.raises(cogir.InputError, match="fits: there is no subject carl; there is anna, ben"):
        fits["carl"]


def test_what_a_fit_says(tmp_path: Path) -> None:
    found = cogir.fit(analytical())
    text = str(found.summary())
    for part in (
        'fit of "decision"',
        "ddm/drift",
        "95 % interval",
        "0 to 3",
        "log-likelihood",
        "AIC",
        "300 trials",
        "analytical likelihood; l-bfgs-b",
        " s to compile the model",
    ):
        assert part in text
    assert "<table>" in found.summary()._repr_html_()
    assert repr(found).startswith("<fit to 300 trials: ddm/drift = ")
    assert found.aic == pytest.approx(6.0 - 2.0 * found.log_likelihood)
    assert found.bic == pytest.approx(3.0 * np.log(300) - 2.0 * found.log_likelihood)
    data = found.to_xarray()
    assert float(data["estimate"].sel(parameter="ddm/drift")) == found["ddm/drift"]
    assert data["covariance"].shape == (3, 3)
    assert data.attrs["log_likelihood"] == found.log_likelihood
    again = found.predict(seed=1)
    assert set(np.unique(again[CHOICE])) == {-1.0, 1.0}
    with pytest.raises(cogir.InputError, match=r'fit: "ddm/drfit" is not free; did you mean "ddm/drift"\?'):
        found["ddm/drfit"]


def test_pictures(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    import matplotlib

    matplotlib.use("Agg")
    model = ddm(units={"response_time": "s"})
    options = {"depends_on": {"ddm/drift": "difficulty"}, "inputs": INPUTS, "likelihood": "analytical"}
    found = cogir.fit(model, two_conditions(), BOUNDS, **options)
    panels = found.plot().figure.axes
    assert [panel.get_title() for panel in panels] == ["150 trials: difficulty=easy", "150 trials: difficulty=hard"]
    assert panels[0].get_xlim()[1] > found.problem.responses.times.max()
    axes = found.plot(axes=matplotlib.pyplot.subplots()[1])
    assert axes.get_title() == "300 trials of 2 conditions"
    assert axes.get_xlabel() == "ddm/response_time (s)"
    assert axes.get_ylabel().endswith("1/s")
    assert [line.get_text() for line in axes.get_legend().get_texts()] == ["ddm/choice = 1", "ddm/choice = -1"]
    lines = [line for line in axes.lines if len(line.get_xdata()) == 300]
    assert len(lines) == 2
    assert lines[0].get_ydata().min() >= 0.0 >= lines[1].get_ydata().max()
    assert found.plot("difficulty=hard").get_title() == found.plot("hard").get_title() == "150 trials: difficulty=hard"
    with pytest.raises(cogir.InputError, match="plot: condition is 'soft'; give one of 'difficulty=easy', 'difficulty=hard'"):
        found.plot("soft")
    assert [axes.get_xlabel() for axes in found.plot_profiles().axes] == ["", "", "", "s"]


def test_ten_conditions_have_a_panel_each_and_no_density_is_negative() -> None:
    pytest.importorskip("matplotlib")
    import matplotlib

    matplotlib.use("Agg")
    data = DATA | {"group": np.repeat(np.arange(10), 30)}
    problem = analytical(data, depends_on={"ddm/drift": "group"})
    axes = draw_fit(problem, np.array([*np.linspace(0.5, 1.5, 10), 1.0, 0.3]), None, None)
    panels = axes.figure.axes
    assert [panel.get_title() for panel in panels] == [f"30 trials: group={number}" for number in range(10)]
    axes.figure.canvas.draw()
    texts = [label.get_text() for panel in panels for label in panel.get_yticklabels()]
    assert any(text not in ("", "0") for text in texts)
    assert not any(text.startswith(("-", "\N{MINUS SIGN}")) for text in texts)
    many = analytical(DATA | {"ddm": np.linspace(0.5, 1.5, 300)}, inputs=None)
    assert draw_fit(many, np.array(TRUE), None, None).get_title() == "300 trials of 300 conditions"


def test_a_picture_has_no_room_for_outliers_and_says_so() -> None:
    pytest.importorskip("matplotlib")
    late = DATA | {TIME: np.append(DATA[TIME][:-1], 15.0)}
    problem = analytical(late)
    axes = draw_fit(problem, np.array(TRUE), None, None)
    assert axes.get_title() == f"300 trials, 1 beyond {DATA[TIME][:-1].max():.3g} not shown"
    assert axes.get_xlim()[1] < 10.0


def test_predictions_are_smoother_than_likelihoods() -> None:
    """The curves of a kernel of few trials have few turning points."""
    problem = simulated(simulations=500)
    times = np.linspace(0.0, 2.0, 300)
    curve = predicted(problem, np.array(TRUE), times)[1.0][0]
    turns = np.count_nonzero(np.diff(np.sign(np.diff(curve[curve > 0.02 * curve.max()]))))
    assert turns <= 5


def test_names_that_depend_on_a_condition() -> None:
    found = cogir.fit(analytical(two_conditions(), depends_on={"ddm/drift": "difficulty"}), intervals=None)
    told = 'fit: "ddm/drift" depends on difficulty, and has a value for each; there is "ddm/drift[easy]", "ddm/drift[hard]"'
    for ask in (
        found.__getitem__,
        found.profile,
        found.parameters.__getitem__,
        found.standard_errors.__getitem__,
        found.intervals.__getitem__,
    ):
        with pytest.raises(cogir.InputError, match=re.escape(told)):
            ask("ddm/drift")
    with pytest.raises(cogir.InputError, match='fit: intervals were not computed; fit with intervals="profile"'):
        found.intervals["ddm/drift[easy]"]
    assert found.intervals == {}


def test_simulated_data_have_independent_conditions() -> None:
    """Trials of two conditions with equal parameters are not the same."""
    data = two_conditions() | {"ddm/noise": np.ones(300)}
    problem = make_problem(COMPILED, data, BOUNDS, inputs=INPUTS, depends_on={"ddm/drift": "difficulty"}, simulations=500)
    drawn = problem.simulate([1.0, 1.0, 1.0, 0.3], seed=4)
    assert not np.any(np.isin(drawn[TIME][:150], drawn[TIME][150:]).all())
    assert list(drawn["difficulty"]) == list(data["difficulty"])


def test_recovery() -> None:
    problem = analytical(ddm_data(200), free={name: BOUNDS[name] for name in ("ddm/drift", "ddm/threshold")})
    found = cogir.recovery(problem, 3, seed=1)
    assert found.true.shape == (3, 2)
    assert found.correlation["ddm/drift"] > 0.9
    assert min(found.covered.values()) >= 0.25
    assert "recovery of 3 data sets; 95 % intervals" in repr(found)
    assert "correlation" in repr(found)
    same = cogir.recovery(cogir.fit(problem, intervals=None), 2, intervals=None)
    assert repr(same).splitlines()[2].split() == ["bias"]
    assert np.array_equal(same.true[0], same.true[1])
    assert not np.array_equal(same.estimates[0], same.estimates[1])


def test_posterior() -> None:
    """The draws have the mean and the spread of the likelihood, which is nearly normal."""
    found = cogir.fit(analytical())
    for surface in (False, True):
        drawn = cogir.fit.posterior(found, 300, tune=100, surface=surface)
        assert drawn.draws.shape == (16, 300, 3)
        for name, error in found.standard_errors.items():
            assert drawn[name].mean() == pytest.approx(found[name], abs=0.4 * error)
            assert drawn[name].std() == pytest.approx(error, rel=0.3)
    data = drawn.to_xarray()
    assert data["ddm.drift"].dims == ("chain", "draw")
    with pytest.raises(cogir.InputError, match="posterior: chains is 5; give an even number of at least 6"):
        cogir.fit.posterior(found, chains=5)


def test_posterior_for_arviz() -> None:
    pytest.importorskip("arviz")
    drawn = cogir.fit.posterior(cogir.fit(analytical(), intervals=None), 20, tune=10, surface=True)
    found = drawn.to_inference_data()
    assert found.posterior["ddm.drift"].shape == (16, 20)
    assert found.observed_data["ddm.response_time"].size == 300


def test_emcee_takes_the_problem() -> None:
    emcee = pytest.importorskip("emcee")
    problem = analytical()
    start = np.array(TRUE) + 0.01 * np.random.default_rng(0).normal(size=(12, 3))
    sampler = emcee.EnsembleSampler(12, problem.size, problem.log_posterior, vectorize=True)
    sampler.run_mcmc(start, 20)
    assert np.isfinite(sampler.get_log_prob()).all()


@pytest.mark.filterwarnings("ignore::cogir.FitWarning")  # some times of the data are beyond the limit
def test_an_integrator_chooses_by_its_sign() -> None:
    """The value at the end is a threshold or its negative, which varies; what has not come so far is no choice."""
    model = cogir.Model("integrator")
    model.node(
        "ddm",
        library.drift_diffusion_integrator,
        noise=1.0,
        threshold=1.0,
        time_step_size=0.02,
        execute_until_finished=True,
        max_executions_before_finished=50,
        reset_each_trial=True,
    )
    data = {"ddm/value": DATA[CHOICE], "ddm/time": DATA[TIME] - 0.3}
    free = {"ddm/rate": (0.0, 3.0), "ddm/threshold": (0.5, 1.5)}
    problem = cogir.fit.problem(model, data, free, inputs=INPUTS, simulations=20_000)
    points = [[1.0, 1.0 - CORRECTION], [1.0, 1.3]]
    other = ddm(non_decision_time=0.0, max_executions_before_finished=50)
    moved = {CHOICE: DATA[CHOICE], TIME: DATA[TIME] - 0.3}
    names = {"ddm/drift": (0.0, 3.0), "ddm/threshold": (0.5, 1.5)}
    wanted = cogir.fit.problem(other, moved, names, inputs=INPUTS, simulations=20_000).log_likelihood(points)
    assert problem.log_likelihood(points) == pytest.approx(wanted, abs=4.0)  # the noise of 20,000 trials, at other random numbers
    assert problem.pilot.choices == (-1.0, 1.0)


def test_ask_and_tell() -> None:
    problem = analytical()
    search = cogir.fit.search(problem, population=20, seed=1)
    for _ in range(40):
        points = search.ask()
        assert problem.parametrisation.inside(points).all()
        search.tell(points, problem.log_posterior(points))
    assert search.value == pytest.approx(cogir.fit(problem, intervals=None).log_likelihood, abs=0.5)
    with pytest.raises(cogir.InputError, match=r"search: told .* give one value for each of the points that ask"):
        search.tell(points, [1.0])
    with pytest.raises(cogir.InputError, match="search: population is 3; give a whole number of 5 or more"):
        cogir.fit.search(problem, population=3)


def test_data_sets_of_recoveries_with_neighbouring_seeds_are_independent(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = analytical(ddm_data(50), free={"ddm/drift": BOUNDS["ddm/drift"]})
    times: list[float] = []

    def kept(columns: Any) -> Any:
        times.extend(columns[TIME].tolist())
        raise cogir.FitError("enough")

    monkeypatch.setattr(problem, "with_columns", kept)
    for seed in (1, 2):
        cogir.recovery(problem, 3, true=[[1.0]] * 3, seed=seed)
    assert len(times) == 300
    sets = {tuple(times[first : first + 50]) for first in range(0, 300, 50)}
    assert len(sets) == 6
