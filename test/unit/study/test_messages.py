"""Data and bounds that no fit can explain: each has its message, with the remedy."""

import re
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from support.fitted_decisions import BOUNDS, CHOICE, INPUTS, TIME, ddm, ddm_data

import cogir
from cogir import library
from cogir.library import Random, State, Step
from cogir.study.fit import is_default
from cogir.study.pictures import chosen_conditions

COMPILED = ddm().compile(unfinished="ignore")
DATA = ddm_data(60)


def problem(data: Any = DATA, free: Any = BOUNDS, **options: Any) -> Any:
    return cogir.fit.problem(COMPILED, data, free, **{"inputs": INPUTS, "simulations": 500} | options)


def refused(message: str, kind: type[Exception] = cogir.CogirError) -> Any:
    return pytest.raises(kind, match=re.escape(message))


def changed(name: str, row: int, value: Any) -> dict[str, Any]:
    data = {key: np.array(column, object if isinstance(value, str) else float) for key, column in DATA.items()}
    data[name][row] = value
    return data


def test_unknown_choice() -> None:
    with refused(
        "data: ddm/choice is 2 in 1 of 60 trials (first in row 7), but the model chose -1, 1 in 19,200 trials, simulated all over the "
        "bounds; recode the column"
    ):
        problem(changed(CHOICE, 7, 2.0))


def test_the_code_of_undecided_trials() -> None:
    model = ddm(max_executions_before_finished=20).compile(unfinished="ignore")
    with refused(
        'ddm/choice is 0 in 1 of 60 trials (first in row 3) (the code of a trial without a decision: give NaN, and undecided="count")'
    ):
        cogir.fit.problem(model, changed(CHOICE, 3, 0.0), BOUNDS, inputs=INPUTS)


def test_nan_time() -> None:
    with refused(
        'data: ddm/response_time is nan in 1 of 60 rows (first in row 5); leave these rows out (undecided="drop"), or say undecided='
        '"count" if they are trials without a decision'
    ):
        problem(changed(TIME, 5, np.nan))


@pytest.mark.parametrize("undecided", ["drop", "count"])
def test_nan_time_is_taken_when_it_is_said_what_it_is(undecided: str) -> None:
    made = problem(changed(TIME, 5, np.nan), undecided=undecided)
    assert made.responses.count == (59 if undecided == "drop" else 60)


@pytest.mark.parametrize("likelihood", ["kernel", "analytical"])
def test_missing_rows_that_are_dropped_are_in_no_result(likelihood: str) -> None:
    """Simulated data have the rows that were fitted, and can be fitted again; rows in messages are those of the data."""
    data = changed(TIME, 5, np.nan) | {"difficulty": np.repeat(["easy", "hard"], 30)}
    free = {"ddm/drift": BOUNDS["ddm/drift"]}
    options: Any = {"likelihood": likelihood} | ({"simulations": None} if likelihood == "analytical" else {})
    model = ddm() if likelihood == "analytical" else COMPILED
    made = cogir.fit.problem(
        model, data, free, depends_on={"ddm/drift": "difficulty"}, inputs=INPUTS, undecided="drop", **{"simulations": 500} | options
    )
    assert made.dropped == 1
    assert {name: len(column) for name, column in made.simulate([1.0, 0.5]).items()} == dict.fromkeys(data, 59)
    found = cogir.recovery(made, 1, seed=1, intervals=None)
    assert np.isfinite(found.estimates).all()
    with refused("data: ddm/response_time is -0.2 in row 9;"):
        problem({CHOICE: data[CHOICE], TIME: np.where(np.arange(60) == 9, -0.2, data[TIME])}, undecided="drop")


def test_simulated_data_may_have_missing_rows_of_their_own() -> None:
    """Of 40 executions many are cut off; what is left is a problem whose data have the rows that are left."""
    model = ddm(max_executions_before_finished=40).compile(unfinished="ignore")
    data = {name: column[DATA[TIME] < 1.0] for name, column in DATA.items()}
    made = cogir.fit.problem(model, data, {"ddm/drift": (0.0, 3.0)}, inputs=INPUTS, simulations=500, undecided="drop")
    again = made.with_columns(made.simulated_columns([0.5], 1))
    assert 0 < again.dropped == len(data[TIME]) - again.responses.count
    assert len(again.simulate([0.5])[TIME]) == again.responses.count


def test_times_beyond_the_longest_of_the_model() -> None:
    """The limit holds with the non-decision time at its upper bound, in steps of each condition."""
    model = ddm(max_executions_before_finished=40).compile(unfinished="ignore")
    free = {"ddm/drift": (0.5, 1.5), "ddm/non_decision_time": (0.0, 0.4)}
    late = np.count_nonzero(DATA[TIME] > 1.21)
    needed = int(np.ceil(DATA[TIME].max() / 0.02 / 10) * 10)
    with pytest.warns(
        cogir.FitWarning,
        match=re.escape(
            f"data: {late} of 60 trials have times beyond 1.2, the longest that the model can give: 40 executions of 0.02 and a "
            "non-decision time of at most 0.4. No parameters explain such trials (lapses may), and estimates may be "
            f'wrong; give node "ddm" max_executions_before_finished={needed} or more, or leave these trials out'
        ),
    ):
        cogir.fit.problem(model, DATA, free, inputs=INPUTS, simulations=500)
    free["ddm/non_decision_time"] = (0.0, float(DATA[TIME].max()) - 0.8)
    cogir.fit.problem(model, DATA, free, inputs=INPUTS, simulations=500)


def test_inputs_are_forgotten() -> None:
    """Inputs may also be columns, or derived."""
    free = {"ddm/threshold": (0.5, 2.0)}
    with pytest.warns(
        cogir.MissingInputWarning, match=re.escape('fit: input "ddm" is not given, and is zero in all trials; give all inputs')
    ):
        cogir.fit.problem(COMPILED, DATA, free, simulations=500)
    cogir.fit.problem(COMPILED, DATA | {"ddm": np.ones(60)}, free, simulations=500)
    cogir.fit.problem(COMPILED, DATA, free, simulations=500, derive={"ddm": lambda p: 1.0})


LONG: Any = {"execute_until_finished": True, "max_executions_before_finished": 300, "reset_each_trial": True}


def test_elements_of_inputs_are_forgotten() -> None:
    model = cogir.Model("two")
    model.node("ddm", cogir.library.drift_diffusion_decision, input=2, time_step_size=0.02, **LONG)
    compiled = model.compile(unfinished="ignore")
    data = DATA | {"ddm[1]": np.ones(60)}
    with pytest.warns(cogir.MissingInputWarning, match=re.escape('fit: input "ddm[0]" is not given, and is zero in all trials')):
        cogir.fit.problem(compiled, data, {"ddm/threshold": (0.5, 2.0)}, simulations=500)
    cogir.fit.problem(compiled, data | {"ddm[0]": np.ones(60)}, {"ddm/threshold": (0.5, 2.0)}, simulations=500)


@pytest.mark.parametrize("unit", ["ms", "ns"])
@pytest.mark.parametrize(("kind", "remedy"), [("timedelta64", "column /"), ("datetime64", "(column - column.min()) /")])
def test_columns_of_times_of_the_clock(kind: str, remedy: str, unit: str) -> None:
    """They have no number without a unit, in which NumPy may hold them as ints."""
    times = (DATA[TIME] * 1000).astype(np.int64).astype(f"{kind}[{unit}]")
    with pytest.raises(
        cogir.InputError, match=re.escape(f" in row 0; give numbers in the unit of the model, such as seconds: {remedy}")
    ) as told:
        problem(DATA | {TIME: times})
    assert f"found {kind}(" in str(told.value).replace("np.", "").replace("numpy.", "")


@pytest.mark.filterwarnings("ignore::cogir.MissingInputWarning")
def test_parameters_without_influence() -> None:
    told = 'fit: "ddm/collapse_time" changes no response: with the same random numbers, simulated choices and times are equal all over its'
    with refused(told, cogir.InputError):
        problem(free=BOUNDS | {"ddm/collapse_time": (0.5, 8.0)})
    for likelihood in ("kernel", "analytical"):
        model: Any = COMPILED if likelihood == "kernel" else ddm()
        with (
            refused('fit: "ddm/drift" changes no response, and input "ddm" is not given, and is zero in all trials', cogir.InputError),
            pytest.warns(cogir.MissingInputWarning),
        ):
            cogir.fit(model, DATA, {"ddm/drift": (0.0, 4.0)}, likelihood=likelihood)
    zeros = re.escape('fit: "ddm/drift" changes no response: with the same random numbers')
    with pytest.raises(cogir.InputError, match=zeros):
        problem(inputs={"ddm": [0.0]})
    with refused('fit: "ddm/non_decision_time" changes no response', cogir.InputError):
        problem({CHOICE: DATA[CHOICE]})
    collapsing = ddm(bound="linear").compile(unfinished="ignore")
    cogir.fit.problem(collapsing, DATA, BOUNDS | {"ddm/collapse_time": (2.0, 8.0)}, inputs=INPUTS, simulations=500)


def test_parameters_that_act_in_few_conditions_have_influence() -> None:
    """Conditions are sorted by their columns: the first hundred are those of group 0."""
    rng = np.random.default_rng(0)
    data = {**DATA, "group": np.repeat([0.0, 1.0], 30), "z": rng.normal(size=60)}
    free = {"base": (0.2, 2.0), "effect": (0.1, 1.0)}
    derive = {"ddm/drift": lambda p: p["base"] + p["effect"] * p["group"] + 0.1 * p["z"]}
    made = cogir.fit.problem(COMPILED, data, free, inputs=INPUTS, derive=derive, simulations=500)
    assert list(made.names) == ["base", "effect"]


def test_a_node_that_goes_a_single_step() -> None:
    model = cogir.Model("decision")
    model.node("ddm", library.drift_diffusion_decision, time_step_size=0.02)
    with refused('fit: node "ddm" goes a single step in each trial, in which its choice is 0 in all of', cogir.InputError) as error:
        cogir.fit.problem(model, DATA, {"ddm/drift": (0.0, 3.0)}, inputs=INPUTS)
    assert "execute_until_finished=True" in str(error.value)


def test_messages_name_the_columns_of_the_user() -> None:
    columns = {CHOICE: "key", TIME: "rt"}
    data = {"key": np.where(DATA[CHOICE] > 0, 1.0, 0.0), "rt": DATA[TIME]}
    with refused('data: column "key" (ddm/choice) is 0 in ') as error:
        problem(data, response=columns)
    assert str(error.value).endswith('recode the column: np.where(data["key"] == 1, 1, -1), and NaN where it is missing, if 1 stands for 1')
    with refused('data: column "rt" (ddm/response_time) is nan in 60 of 60 rows (first in row 0)'):
        problem(data | {"rt": np.full(60, np.nan)}, response=columns)
    with refused("data: column \"key\" (ddm/choice): found 'left' in row 0; give numbers, such as the codes of choices in the model: "):
        problem(data | {"key": ["left"] * 60}, response=columns)


def test_negative_time() -> None:
    with refused("data: ddm/response_time is -0.2 in row 9; response times are positive: leave these rows out"):
        problem(changed(TIME, 9, -0.2))


def test_text_as_choice() -> None:
    with refused("data: column \"ddm/choice\": found 'left' in row 2; give numbers, such as the codes of choices in the model"):
        problem(changed(CHOICE, 2, "left"))


def test_no_trials_of_a_choice() -> None:
    data = {CHOICE: np.ones(60), TIME: DATA[TIME]}
    with pytest.warns(
        cogir.FitWarning, match=re.escape("data: no trial has the choice -1 of ddm/choice, which the model gives; parameters that")
    ):
        problem(data)


def test_bounds_without_a_solution() -> None:
    """Drifts that are all too small: the estimate lies at the bound, and the warning says so."""
    data = ddm_data(100, drift=2.0)
    with pytest.warns(
        cogir.FitWarning,
        match=re.escape('fit: the estimate of "ddm/drift" lies at its upper bound, 0.5; the best one may lie beyond: widen its bounds'),
    ):
        found = cogir.fit(COMPILED, data, {"ddm/drift": (0.0, 0.5), "ddm/threshold": (0.5, 2.0)}, inputs=INPUTS, simulations=2_000)
    assert found["ddm/drift"] == pytest.approx(0.5, abs=1e-3)
    assert found.profile("ddm/drift").meets_bound == (False, True)


def test_likelihood_zero_everywhere() -> None:
    """Times in milliseconds, where the model has seconds."""
    data = {CHOICE: DATA[CHOICE], TIME: 1000.0 * DATA[TIME]}
    with pytest.warns(cogir.FitWarning, match=r"data: 60 of 60 trials have times beyond 20.6, .*; check their unit, which is that of"):
        found = problem(data)
    with refused(
        "fit: the likelihood is zero at all 120 points that were tried within the bounds: the model explains no trial. Its times",
        cogir.FitError,
    ) as error:
        cogir.fit(found)
    assert "check the units, the bounds, and the inputs" in str(error.value)


def test_no_decision_anywhere() -> None:
    model = ddm(max_executions_before_finished=1).compile(unfinished="ignore")
    with refused(
        "fit: the model decided in none of 6,400 trials, simulated all over the bounds; raise max_executions_before_finished",
        cogir.FitError,
    ):
        cogir.fit.problem(model, DATA, {"ddm/threshold": (1.5, 2.5)}, inputs=INPUTS)


@pytest.mark.filterwarnings("ignore::cogir.FitWarning")  # there are others
def test_decisions_that_are_cut_off() -> None:
    model = ddm(max_executions_before_finished=40).compile(unfinished="ignore")
    with pytest.warns(cogir.FitWarning, match=r"the model makes no decision in .* % of its trials at the estimate"):
        cogir.fit(model, DATA, {"ddm/drift": (0.5, 1.5)}, inputs=INPUTS, simulations=1000)


@pytest.mark.parametrize(
    ("free", "message"),
    [
        ({}, "fit: free is empty; give names and bounds"),
        ({"ddm/drift": (3.0, 0.0)}, 'fit: free: "ddm/drift": no number lies between the bounds 3 and 0; give finite ones'),
        ({"ddm/drift": (0.0, np.inf)}, "no number lies between the bounds 0 and inf"),
        ({"ddm/drift": (0.0, np.nan)}, "no number lies between the bounds 0 and nan"),
        ({"ddm/drift": 1.0}, 'fit: free: "ddm/drift": found 1.0; give its bounds, (low, high)'),
        ({"ddm/drift": (0.0, 1.0, 2.0)}, "the start 2 does not lie between the bounds 0 and 1"),
        ({"ddm/drfit": (0.0, 3.0)}, 'the model has no parameter "ddm/drfit"; did you mean "ddm/drift"?'),
        ({"ddm/v": (0.0, 3.0)}, 'the model has no parameter "ddm/v"; there is "ddm/drift", "ddm/threshold", '),
        ({"ddm/threshold": (-1.0, 2.0)}, 'fit: free: "ddm/threshold": the bound -1 is out of range; '),
        ({"ddm/drift[0]": (0.0, 2.0)}, 'fit: "ddm/drift[0]": parameter "ddm/drift" has the shape (); there is no element 0'),
    ],
)
def test_free(free: Any, message: str) -> None:
    with refused(message, cogir.InputError):
        problem(free=free)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"likelihood": "kernl"}, "fit: likelihood is 'kernl'; did you mean \"kernel\"?"),
        ({"undecided": "maybe"}, "fit: undecided is 'maybe'; give one of"),
        ({"lapse": 1.5}, "fit: lapse is 1.5; give the proportion of lapses"),
        ({"floor": 2.0}, "fit: floor is 2.0; give a number from 0 to below 1"),
        ({"simulations": 0}, "fit: simulations is 0; give a whole number of 10 or more"),
        ({"seed": -1}, "fit: seed is -1; give a whole number of 0 or more"),
        ({"response": ("ddm/choise", None)}, 'fit: response: there is no output "ddm/choise"; did you mean "ddm/choice"?'),
        ({"response": (None, None)}, "fit: response is (None, None); give the output of choices and that of times"),
        ({"depends_on": {"ddm/drift": "difficulty"}}, 'fit: depends_on: "ddm/drift": the data has no column "difficulty"'),
        ({"depends_on": {"ddm/noise": CHOICE}}, 'fit: depends_on: "ddm/noise" is not free'),
        ({"derive": {"ddm/drift": lambda p: 1.0}}, 'fit: "ddm/drift" is free and derived; give it only once'),
        ({"derive": {"ddm/nois": lambda p: 1.0}}, 'fit: derive: the model has no parameter or input "ddm/nois"; did you mean "ddm/noise"?'),
        ({"derive": {"ddm/noise": lambda p: p["drift"]}}, 'derive: "ddm/noise": there is no "drift"; did you mean "ddm/drift"?'),
        ({"priors": {"ddm/noise": lambda x: x}}, 'fit: priors: "ddm/noise" is not free'),
        ({"priors": {"ddm/drift": 3.0}}, 'fit: priors: "ddm/drift": found 3.0; give a distribution of scipy.stats'),
    ],
)
def test_options(options: Any, message: str) -> None:
    with refused(message, cogir.InputError):
        problem(**options)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (3.0, "data: found 3.0; give a pandas DataFrame with a row per trial"),
        ({}, "data: there are no trials"),
        ({CHOICE: [], TIME: []}, "data: there are no trials"),
        ({CHOICE: [1.0], TIME: [0.5, 0.6]}, 'data: columns have different lengths: 1 in "ddm/choice", 2 in "ddm/response_time"'),
        (
            {"choice": [1.0], "rt": [0.5]},
            'name columns as the outputs of the model ("ddm/choice", "ddm/response_time"); found "choice", "rt"',
        ),
        (
            {**DATA, "ddm/nois": np.ones(60)},
            'data: column "ddm/nois" is no output, input or parameter of the model; did you mean "ddm/noise"?',
        ),
        ({**DATA, "ddm/drift": np.ones(60)}, 'fit: "ddm/drift" is a column of the data, and free; give it only once'),
        (
            {**DATA, "ddm/noise": [1.0] * 59 + [np.nan]},
            'data: column "ddm/noise" is missing in 1 of 60 rows (first in row 59); leave such rows out',
        ),
        ({CHOICE: np.arange(100.0), TIME: np.ones(100)}, "data: ddm/choice has 100 different values; choices are numbers of alternatives"),
    ],
)
def test_data(data: Any, message: str) -> None:
    with refused(message, cogir.InputError):
        problem(data)


def test_options_of_problems() -> None:
    with refused("problem: subject is given, but a problem is that of one subject; give the rows of one, such as data[", cogir.InputError):
        problem(subject="subject")
    with refused("problem: budget says how to search; give it to cogir.fit(problem, budget=...)", cogir.InputError):
        problem(budget=3)
    with refused('fit.problem has no option "likelyhood"; did you mean "likelihood"?', TypeError):
        problem(likelyhood="kernel")
    with refused('fit has no option "subjct"; did you mean "subject"?', TypeError):
        cogir.fit(COMPILED, DATA, BOUNDS, subjct="subject")  # type: ignore[call-arg]
    made = problem()
    for name, value in {"data": DATA, "subject": "subject", "lapse": 0.1, "executor": object()}.items():
        with refused(f"fit: {name} is given beside a problem, in which that is settled; give it to cogir.fit.problem", cogir.InputError):
            cogir.fit(made, **{name: value})
    assert [is_default("lapse", 0.0), is_default("likelihood", "kernel"), is_default("lapse", 0.1)] == [True, True, False]


def test_search_options() -> None:
    made = problem()
    for options, message in (
        ({"method": "nelder"}, "fit: method is 'nelder'; did you mean \"nelder-mead\"?"),
        ({"intervals": "wald"}, "fit: intervals is 'wald'; give one of 'profile', 'hessian', None"),
        ({"level": 95}, "fit: level is 95; give a number between 0 and 1"),
    ):
        with refused(message, cogir.InputError):
            cogir.fit(made, **options)


def test_points() -> None:
    made = problem()
    with refused("problem: found an array of shape (2,); give points of 3 numbers (ddm/drift, ddm/threshold, ddm/non_decision_time)"):
        made.log_likelihood([1.0, 2.0])
    with refused('problem: there is no value of "ddm/non_decision_time"; give one for each'):
        made.log_likelihood({"ddm/drift": 1.0, "ddm/threshold": 1.0})
    with refused('problem: "ddm/drfit" is not free; did you mean "ddm/drift"?'):
        made.log_likelihood({"ddm/drfit": 1.0})
    with refused("problem: found NaN in a point"):
        made.log_likelihood([1.0, np.nan, 0.3])


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (ddm(leak=0.5), 'fit: node "ddm": leak is 0.5, for which there is no analytical likelihood; there are formulas for'),
        (ddm(bound="linear"), 'fit: node "ddm": there is no analytical likelihood for bounds that are not constant'),
    ],
)
def test_models_without_a_formula(model: cogir.Model, message: str) -> None:
    with refused(message, cogir.InputError):
        cogir.fit.problem(model, DATA, BOUNDS, inputs=INPUTS, likelihood="analytical")


def test_a_node_without_a_formula() -> None:
    model = cogir.Model("lca")
    model.node("ddm", library.leaky_competing_decision, input=2, time_step_size=0.02, execute_until_finished=True, reset_each_trial=True)
    data = {CHOICE: [0.0, 1.0, 0.0], TIME: [0.5, 0.6, 0.7]}
    with refused('fit: node "ddm": leaky_competing_decision has no analytical likelihood; there are formulas for drift_diffusion_decision'):
        cogir.fit.problem(model, data, {"ddm/leak": (0.5, 2.0)}, inputs={"ddm": [[1.0, 1.0]]}, likelihood="analytical")


def test_scipy_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "scipy.stats.qmc", None)
    with refused("fit: scipy is not installed; install it with: pip install 'cogir[fit]'"):
        problem()


def test_columns_with_names_of_their_own() -> None:
    """By a dict from outputs to columns the same likelihood; what is simulated has the columns of the user."""
    data = {"choice": DATA[CHOICE], "rt": DATA[TIME]}
    columns = {CHOICE: "choice", TIME: "rt"}
    named = problem(data, response=columns)
    assert named.log_likelihood([1.0, 1.0, 0.3]) == problem().log_likelihood([1.0, 1.0, 0.3])
    assert set(named.simulate([1.0, 1.0, 0.3])) == {"choice", "rt"}
    example = 'response={"ddm/choice": "choice", "ddm/response_time": "rt"}'
    with refused(
        'fit: response: "choice" is a column of the data, but no output of the model; name both, the output and its column: ' + example
    ):
        problem(data, response=("choice", "rt"))
    with refused(f"or say which columns hold these outputs: {example}"):
        problem(data)
    with refused(
        'fit: response: "ddm/choice" is an output of the model, and "choice" is none; write {output: column}: response='
        '{"ddm/choice": "choice", "ddm/response_time": "rt"}'
    ):
        problem(data, response={"choice": CHOICE, "rt": TIME})
    with refused('fit: response: there is no output "ddm/chioce"; did you mean "ddm/choice"?'):
        problem(data, response={"ddm/chioce": "choice", TIME: "rt"})
    with refused('data: there is no column "reaction"'):
        problem(data, response={CHOICE: "choice", TIME: "reaction"})
    with refused('"choice" holds "ddm/choice", but there is also a column of this name'):
        problem(data | DATA, response=columns)


@pytest.mark.parametrize("labels", [["coherence=0", "coherence=1"], ["coherence=2", "coherence=1"], ["difficulty=easy", "difficulty=hard"]])
def test_a_number_is_that_of_a_condition(labels: list[str]) -> None:
    assert chosen_conditions(with_conditions(labels), 1) == [1]


def test_a_number_that_may_be_a_condition_or_the_value_of_another_is_refused() -> None:
    with refused(
        "plot: condition=1 may be condition number 1 (coherence=2) or a value of coherence=1; give the label of a condition",
        cogir.InputError,
    ):
        chosen_conditions(with_conditions(["coherence=1", "coherence=2"]), 1)


def with_conditions(labels: list[str]) -> Any:
    """A problem, of which only the labels of its conditions are known."""
    conditions = SimpleNamespace(count=len(labels), label=labels.__getitem__)
    return SimpleNamespace(parametrisation=SimpleNamespace(conditions=conditions))


def test_a_model_that_learns_from_trial_to_trial() -> None:
    """The reason is that a fit forgets what the model has learned, and the message names the page with the way."""

    def agent(reward: Any, *, rate: float = 0.3, inverse_temperature: float = 2.0, values: State = np.zeros(2), random: Random):
        p = 1.0 / (1.0 + np.exp(-inverse_temperature * (values[1] - values[0])))
        action = 1.0 if random.uniform(()) < p else 0.0
        taken = np.array([1.0 - action, action])
        return Step(outputs=action, states=values + rate * taken * (reward - values))

    model = cogir.Model("agent")
    model.node("agent", agent, input=1)
    data = {"agent/value": np.tile([0.0, 1.0], 30), "agent": np.ones(60)}
    with refused(
        'fit: "agent/rate" and "agent/inverse_temperature" change no response of a single trial, and the trials of a fit are independent: '
        'each one begins where the model begins, and forgets what is kept from trial to trial ("agent/values"). A response is a choice and '
        "a time. Where responses depend on earlier trials, let a node compute the likelihood of a whole sequence, and maximise it over a "
        "sweep (docs/subjects.md); otherwise leave them out of free"
    ):
        cogir.fit(model, data, {"agent/rate": (0, 1), "agent/inverse_temperature": (0, 5)}, response={"agent/value": "agent/value"})
    with refused("fit: likelihood is a function, but a fit computes the likelihood of choices and times of independent trials itself"):
        cogir.fit(model, {"reward": np.ones(60)}, {"agent/rate": (0, 1)}, likelihood=lambda results: 0.0)
