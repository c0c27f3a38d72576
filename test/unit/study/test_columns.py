"""Data as users have them: no row, mask or missing value is lost without a word, whatever stands for it."""

import re
import warnings
from typing import Any

import numpy as np
import pytest
from support.fitted_decisions import BOUNDS, CHOICE, INPUTS, TIME, ddm, ddm_data

import cogir
from cogir import library
from cogir.study import columns, responses, subjects
from cogir.study.columns import column_of, missing_rows

pandas = pytest.importorskip("pandas")
MODEL = ddm()
COMPILED = MODEL.compile(unfinished="ignore")
DATA = ddm_data(60)
MISSING = np.arange(60) < 7
"""The rows in which something is missing."""
FREE = {"ddm/drift": BOUNDS["ddm/drift"]}
POINT = [1.0]


def problem(data: Any = DATA, free: Any = FREE, **options: Any) -> Any:
    return cogir.fit.problem(COMPILED, data, free, **{"inputs": INPUTS, "simulations": 500} | options)


def refused(message: str, kind: type[Exception] = cogir.InputError) -> Any:
    return pytest.raises(kind, match=re.escape(message))


FORMS = {
    "mask": lambda values: np.ma.masked_array(values, MISSING),
    "NaN": lambda values: np.where(MISSING, np.nan, values),
    "None": lambda values: [None if missing else value for value, missing in zip(values, MISSING, strict=True)],
    "NA": lambda values: pandas.Series(values, dtype="Float64").mask(MISSING),
    "NA among objects": lambda values: pandas.Series(values, dtype=object).mask(MISSING, pandas.NA),
    "category": lambda values: pandas.Series(values).mask(MISSING).astype("category"),
    "polars-like": lambda values: type("Column", (), {"to_numpy": lambda self: np.where(MISSING, np.nan, values)})(),
}


def test_columns_of_different_rows_are_refused() -> None:
    """Series of a dict go by their order, so their rows must be called alike, as those of parts of one table are."""
    kept = np.arange(60)[::-1]
    series = {name: pandas.Series(column, index=kept) for name, column in DATA.items()}
    assert problem(series).log_likelihood(POINT) == problem().log_likelihood(POINT)
    with refused(f'data: the rows of "{CHOICE}" and "{TIME}" have different labels (row 0 is 59 and 0), so their order says nothing; put'):
        problem(series | {TIME: pandas.Series(DATA[TIME])})


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", [CHOICE, TIME])
@pytest.mark.parametrize("form", FORMS)
def test_a_missing_response_is_one_in_every_form(form: str, name: str) -> None:
    """By default they are refused, with their number; left out, the data are those without them; counted, they are undecided trials."""
    data = DATA | {name: FORMS[form](DATA[name])}
    with refused(f"data: {name} is nan in 7 of 60 rows (first in row 0); leave these rows out"):
        problem(data)
    left = problem({key: column[~MISSING] for key, column in DATA.items()}).log_likelihood(POINT)
    dropped = problem(data, undecided="drop")
    assert dropped.dropped == 7
    assert dropped.log_likelihood(POINT) == problem(data | {name: FORMS["NaN"](DATA[name])}, undecided="drop").log_likelihood(POINT)
    assert dropped.responses.count == 53
    assert np.array_equal(dropped.responses.times, DATA[TIME][~MISSING])
    counted = problem(data, undecided="count")
    assert counted.responses.undecided.sum() == 7
    assert np.isfinite(left)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("form", FORMS)
def test_a_missing_value_of_a_parameter_or_input_is_refused_in_every_form(form: str) -> None:
    for name in ("ddm/threshold", "ddm"):
        with refused(f'data: column "{name}" is missing in 7 of 60 rows (first in row 0); leave such rows out'):
            problem(DATA | {name: FORMS[form](np.ones(60))}, inputs=None)


TEXTS = {
    "mask": lambda texts: np.ma.masked_array(texts, MISSING),
    "None": lambda texts: [None if missing else text for text, missing in zip(texts, MISSING, strict=True)],
    "NaN": lambda texts: np.where(MISSING, np.nan, texts.astype(object)),
    "NA": lambda texts: pandas.Series(texts, dtype="string").mask(MISSING),
    "category": lambda texts: pandas.Series(texts).mask(MISSING).astype("category"),
    "NaT": lambda texts: np.where(MISSING, np.datetime64("NaT"), np.datetime64("2026-01-01") + (texts == "ben").astype(int)),
}
GROUPS = np.tile(["anna", "ben"], 30)


@pytest.mark.parametrize("form", TEXTS)
def test_a_missing_condition_is_refused_in_every_form(form: str) -> None:
    with refused('data: column "group" is missing in 7 of 60 rows (first in row 0); leave such rows out'):
        problem(DATA | {"group": TEXTS[form](GROUPS)}, depends_on={"ddm/drift": "group"})


@pytest.mark.parametrize("form", TEXTS)
def test_rows_without_a_subject_are_left_out_with_a_warning_that_counts(form: str) -> None:
    data = DATA | {"who": TEXTS[form](GROUPS)}
    told = 'fit: subject: column "who" is missing in 7 of 60 rows (first in row 0), which are left out; give the subject of each trial'
    model = ddm()
    with pytest.warns(cogir.FitWarning, match=re.escape(told)):
        found = cogir.fit(model, data, FREE, inputs=INPUTS, likelihood="analytical", subject="who", intervals=None)
    assert [one.trials for one in found.values()] == [26, 27]
    with warnings.catch_warnings():
        warnings.simplefilter("error", cogir.FitWarning)
        rows = {key: column[~MISSING] for key, column in (DATA | {"who": GROUPS}).items()}
        whole = cogir.fit(model, rows, FREE, inputs=INPUTS, likelihood="analytical", subject="who", intervals=None)
    assert [one.theta.tolist() for one in found.values()] == [one.theta.tolist() for one in whole.values()]


def test_a_subject_column_without_subjects() -> None:
    with refused('fit: subject: column "who" is missing in all 60 rows; give the subject of each trial'):
        cogir.fit(COMPILED, DATA | {"who": [None] * 60}, FREE, inputs=INPUTS, subject="who")
    with refused('data: column "who" mixes numbers and texts; give one kind of values'):
        cogir.fit(COMPILED, DATA | {"who": np.array([1, "b"] * 30, object)}, FREE, inputs=INPUTS, subject="who")
    with refused('fit: subject: column "who" has the shape (60, 2); give one value per trial'):
        cogir.fit(COMPILED, DATA | {"who": np.ones((60, 2))}, FREE, inputs=INPUTS, subject="who")


def test_subjects_that_could_not_be_fitted_are_told() -> None:
    """Rows in messages are those of the data."""
    data = DATA | {"who": GROUPS, CHOICE: np.where(np.arange(60) == 3, 2.0, DATA[CHOICE])}
    with pytest.warns(
        cogir.FitWarning, match=re.escape("fit: 1 of 2 values of who could not be fitted (ben): data: ddm/choice is 2 in 1 of 30")
    ):
        found = cogir.fit(ddm(), data, FREE, inputs=INPUTS, likelihood="analytical", subject="who", intervals=None)
    assert list(found) == ["anna"]
    assert "(first in row 3)" in found.failures["ben"]


def test_the_summary_counts_rows_that_the_user_leaves_out() -> None:
    data = DATA | {TIME: FORMS["mask"](DATA[TIME])}
    found = cogir.fit(ddm(), data, FREE, inputs=INPUTS, likelihood="analytical", undecided="drop", intervals=None)
    assert "; 53 trials; 7 rows of the data without a response left out" in str(found.summary())


def test_columns_of_one_number_a_row_are_columns() -> None:
    wanted = problem().log_likelihood(POINT)
    assert problem({name: column[:, None] for name, column in DATA.items()}).log_likelihood(POINT) == wanted
    with refused('data: column "ddm/choice" has the shape (60, 2); give one number per trial'):
        problem(DATA | {CHOICE: np.ones((60, 2))})
    with refused('fit: depends_on: "ddm/drift": column "group" has the shape (60, 2); give one value per trial'):
        problem(DATA | {"group": np.ones((60, 2))}, depends_on={"ddm/drift": "group"})


def test_two_columns_of_one_name() -> None:
    frame = pandas.DataFrame(np.ones((3, 2)), columns=["rt", "rt"])
    with refused('data: found a DataFrame with two columns called "rt"; leave one of them out'):
        problem(frame)
    with refused('data: two columns are called "1"; give each a name of its own'):
        problem(pandas.DataFrame(np.ones((3, 2)), columns=["1", 1]))


def test_a_structured_array_is_a_table() -> None:
    records = np.zeros(60, [(CHOICE, float), (TIME, float)])
    for name, values in DATA.items():
        records[name] = values
    assert problem(records).log_likelihood(POINT) == problem().log_likelihood(POINT)


class Tensor:
    """An array that refuses to be one, as a tensor of PyTorch whose slope is asked for."""

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise RuntimeError("Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.")

    def __repr__(self) -> str:
        return "tensor([1.], requires_grad=True)"


def test_an_object_that_refuses_to_be_an_array() -> None:
    told = "found tensor([1.], requires_grad=True), which NumPy cannot read: Can't call numpy() on Tensor that requires grad."
    for ask in (
        lambda: COMPILED.run({"ddm": Tensor()}),
        lambda: COMPILED.params.update({"ddm/drift": Tensor()}),
        lambda: COMPILED.sweep({"ddm/drift": Tensor()}, INPUTS),
        lambda: problem().log_likelihood(Tensor()),
    ):
        with refused(told):
            ask()
    with refused('data: column "ddm/choice": found tensor([1.], requires_grad=True), which is no array (Can\'t call numpy()'):
        problem(DATA | {CHOICE: Tensor()})


@pytest.mark.parametrize("likelihood", ["kernel", "histogram", "analytical"])
def test_no_points_have_no_likelihoods(likelihood: str) -> None:
    made = cogir.fit.problem(ddm(), DATA, BOUNDS, inputs=INPUTS, likelihood=likelihood)
    for density in (made.log_likelihood, made.log_prior, made.log_posterior):
        assert density(np.zeros((0, 3))).shape == (0,)


@pytest.mark.parametrize(
    ("times", "told"),
    [
        (np.zeros(60), "is 0 in all 60 rows; give response times in the unit of the steps of the model"),
        (np.full(60, 5e-324), "is 4.94066e-324 in the longest trial; give response times"),
        (np.full(60, 1e308), "is 1e+308 in the longest trial; give response times"),
        (DATA[TIME].astype(str), "in row 0; give numbers: column.astype(float)"),
        (np.full(60, np.datetime64("2026-01-01")), "in row 0; give numbers"),
        (np.full(60, np.inf), "is inf in 60 of 60 rows (first in row 0); leave these rows out"),
        ([[0.5, 0.6]] * 59 + [[0.5]], "which is no array"),
    ],
)
def test_times_that_are_none(times: Any, told: str) -> None:
    with refused(told):
        problem(DATA | {TIME: times})


STRANGE = [
    {CHOICE: DATA[CHOICE], TIME: np.where(np.arange(60) < 5, 0.0, DATA[TIME])},
    {CHOICE: DATA[CHOICE], TIME: np.full(60, 0.7)},
    {CHOICE: DATA[CHOICE][:1], TIME: DATA[TIME][:1]},
    {CHOICE: np.ones(60), TIME: DATA[TIME]},
    {CHOICE: DATA[CHOICE].astype(object), TIME: DATA[TIME].astype(object)},
    *({CHOICE: DATA[CHOICE], TIME: np.append(time, DATA[TIME][1:])} for time in (1e-299, 1e-12, 1e6, 1e299)),
    *({CHOICE: DATA[CHOICE], TIME: np.full(60, time)} for time in (1e-299, 1e-12, 1e6, 1e299)),
]


@pytest.mark.sampled(2)
@pytest.mark.filterwarnings("ignore::cogir.FitWarning")  # some of these times cannot be explained
@pytest.mark.parametrize("likelihood", ["kernel", "histogram", "analytical"])
@pytest.mark.parametrize("lapse", [0.0, (0.0, 1.0)], ids=str)
@pytest.mark.parametrize("data", STRANGE, ids=range(len(STRANGE)))
def test_strange_data_have_a_likelihood(data: Any, lapse: Any, likelihood: str) -> None:
    """Times of 0, all equal, tiny or huge; a single trial; one choice: a number, or minus infinity, without a warning of NumPy."""
    made = cogir.fit.problem(MODEL, data, FREE, inputs=INPUTS, likelihood=likelihood, lapse=lapse)
    points = [[1.0], [2.0]] if lapse == 0.0 else [[1.0, 0.0], [1.0, 0.5], [2.0, 1.0]]
    found = made.log_likelihood(points)
    assert not np.isnan(found).any()
    assert (found < np.inf).all()


def test_what_functions_of_the_user_return() -> None:
    with refused('fit: priors: "ddm/drift": the function returned no numbers: found None, which is not a number; return the logarithm'):
        problem(priors={"ddm/drift": lambda x: None}).log_posterior(POINT)
    with refused(
        'fit: priors: "ddm/drift": the function returned an array of shape (2,) for 1 values; return the logarithm of the density'
    ):
        problem(priors={"ddm/drift": lambda x: np.zeros(2)}).log_posterior(POINT)
    with refused('derive: "ddm/noise": the function returned no numbers: found None, which is not a number; return numbers'):
        problem(derive={"ddm/noise": lambda p: None})
    with refused("fit: method: the function returned [0.5, 0.5]; return the best point, 1 numbers in the unit cube"):
        cogir.fit(MODEL, DATA, FREE, inputs=INPUTS, likelihood="analytical", method=lambda objective, start: [0.5, 0.5])
    with refused("histogram: bins: found 'x', which is text; give a number of bins, or their edges"):
        cogir.fit.histogram("x")


def test_levels_of_a_column_have_names_of_their_own() -> None:
    """Numbers that six digits do not tell apart are written with all of theirs."""
    data = DATA | {"subject": np.repeat([1234567.0, 1234568.0], 30)}
    assert problem(data, depends_on={"ddm/drift": "subject"}).names == ("ddm/drift[1234567.0]", "ddm/drift[1234568.0]")
    data = DATA | {"a": np.repeat(["x, y", "x"], 30), "b": np.repeat(["z", "y, z"], 30)}
    with refused('would both be called "ddm/drift[x, y, z]"; recode a column'):
        problem(data, depends_on={"ddm/drift": ["a", "b"]})


def test_columns_with_dots() -> None:
    """Dots belong to names: of columns that the model knows nothing of, and of nodes."""
    options: dict[str, Any] = {"depends_on": {"ddm/drift": "the.level"}, "likelihood": "analytical"}
    levels = {"the.level": np.repeat(["a.1", "b"], 30)}
    found = cogir.fit.problem(MODEL, DATA | levels, FREE, inputs=INPUTS, **options)
    assert found.names == ("ddm/drift[a.1]", "ddm/drift[b]")
    dotted = {name.replace("ddm/", "ddm."): column for name, column in DATA.items()}
    with refused('name columns as the outputs of the model ("ddm/choice", "ddm/response_time"); found "ddm.choice", "ddm.response_time"'):
        problem(pandas.DataFrame(dotted))
    m = cogir.Model("m")
    node = m.node("d.1", library.drift_diffusion_decision, execute_until_finished=True, reset_each_trial=True, time_step_size=0.01)
    m.output(node)
    given = pandas.DataFrame({name.replace("ddm/", "d.1/"): column for name, column in DATA.items()} | levels)
    options["depends_on"] = {"d.1/drift": "the.level"}
    other = cogir.fit.problem(m, given, {"d.1/drift": FREE["ddm/drift"]}, inputs={"d.1": 1.0}, **options)
    assert other.names == ("d.1/drift[a.1]", "d.1/drift[b]")
    assert other.responses.count == 60


def test_labels_of_a_sweep_that_a_mask_hides_are_missing() -> None:
    labels = np.ma.masked_array(["a", "b"], [False, True])
    with refused('sweep: labels "who": that of row 1 is missing; give a text in each row'):
        COMPILED.sweep(cogir.zipped({"who": labels, "ddm/drift": [1.0, 2.0]}), INPUTS)


def silently_dropped(subject: str, table: Any) -> Any:
    kept = ~missing_rows(table[subject])
    return table[subject][kept], table.some(kept)


MUTANTS = {
    "masks are ignored": lambda patch: patch.setattr(columns, "is_masked", lambda given: False),
    "None is a value": lambda patch: patch.setattr(columns, "is_missing", lambda item: isinstance(item, float) and item != item),
    "conditions may be missing": lambda patch: patch.setattr(responses, "missing_rows", lambda column: np.zeros(len(column), np.bool_)),
    "rows without a subject are dropped in silence": lambda patch: patch.setattr(subjects, "subjects_of", silently_dropped),
}


@pytest.mark.parametrize("mutant", MUTANTS)
def test_a_planted_loss_of_rows_is_found(mutant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """At least one of the checks above fails for each."""
    MUTANTS[mutant](monkeypatch)
    checks = [
        *((test_a_missing_response_is_one_in_every_form, (form, CHOICE)) for form in FORMS),
        *((test_a_missing_condition_is_refused_in_every_form, (form,)) for form in TEXTS),
        *((test_rows_without_a_subject_are_left_out_with_a_warning_that_counts, (form,)) for form in ("mask", "None")),
    ]

    def fails(check: Any, arguments: tuple[Any, ...]) -> bool:
        try:
            check(*arguments)
        except (AssertionError, pytest.fail.Exception, cogir.CogirError):
            return True
        return False

    assert any(fails(check, arguments) for check, arguments in checks)


def test_columns() -> None:
    """What is no missing value is left as it is."""
    frame = pandas.DataFrame({"a": pandas.array([1, 2], dtype="Int64"), "b": pandas.Categorical(["x", "y"])})
    assert column_of("a", frame["a"]).tolist() == [1, 2]
    assert column_of("b", frame["b"]).tolist() == ["x", "y"]
    assert column_of("c", np.ma.masked_array([1, 2], [False, True])).tolist()[0] == 1
    assert missing_rows(column_of("c", np.ma.masked_array([1, 2], [False, True]))).tolist() == [False, True]
    given = np.array([1.0, None], object)
    column_of("d", given)
    assert given[1] is None
