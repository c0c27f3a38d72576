"""docs/running.md and the examples in docstrings do what they say."""

import inspect
import pickle
import re
import textwrap
import warnings
from typing import Any

import numpy as np
import pytest
from support.pages import page, run_page

import cogir
from cogir import library
from cogir.frontend.builder import model as builder
from cogir.tools.run_files import read_inputs

PAGE = page("running.md")
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The names that the page leaves."""
    pytest.importorskip("pandas")
    return run_page(PAGE, tmp_path_factory.mktemp("running")).names


def test_the_page_runs_from_top_to_bottom(names):
    assert len(BLOCKS) > 6
    assert names["means"]


def test_the_model_is_as_the_page_says(names):
    m = names["m"]
    assert (len(m), [*m], "decision" in m) == (3, ["stimulus", "decision", "effort"], True)
    assert "seed 1" in repr(m)
    with pytest.raises(cogir.ModelError, match="effort"):
        m.node("effort")
    with pytest.raises(cogir.ModelError, match="spare"):
        m.project("stimulus", names["spare"])
    for unpicklable in (m, names["c"]):
        with pytest.raises(cogir.CogirError, match="cannot be pickled"):
            pickle.dumps(unpicklable)
    assert str(pickle.loads(pickle.dumps(cogir.Model.from_ir(str(m.ir())))).ir()) == str(m.ir())


def test_a_decision_at_its_threshold_finishes_after_one_more_step():
    m = cogir.Model("m")
    m.node(
        "d",
        library.drift_diffusion_integrator,
        noise=0.0,
        threshold=0.5,
        time_step_size=0.1,
        execute_until_finished=True,
        reset_each_trial=False,
    )
    times = m.compile(mode="python").run({"d": [[1.0]]}, num_trials=3)["d", "time"]
    np.testing.assert_allclose(times, [0.5, 0.6, 0.7])


def test_executions_that_reach_their_limit_are_reported(names):
    patient = names["patient"]
    short = patient.compile(mode="python")
    assert short.params["decision/limit:executions"] == 1000
    short.params["decision/limit:executions"] = 2
    with pytest.warns(cogir.UnfinishedWarning, match="3 of 3 trials were cut off"):
        assert short.run({"decision": [[1.0]]}, num_trials=3).unfinished["decision"].tolist() == [True] * 3
    strict = patient.compile(mode="python", unfinished="error")
    strict.params["decision/limit:executions"] = 2
    with pytest.raises(cogir.ExecutionError) as caught:
        strict.run({"decision": [[1.0]]}, num_trials=3)
    assert caught.value.result.num_trials == 3


def test_modulations_out_of_range_are_reported_and_used(names):
    inputs = {"arousal": [0.25, 0.75], "task": [1.0, 1.0]}
    with pytest.warns(cogir.OutOfRangeWarning, match="task/attention"):
        found = names["aroused"].compile(mode="python").run(inputs)
    assert found["task"].tolist() == [0.75, 1.25]
    with pytest.raises(cogir.ExecutionError, match="task/attention"):
        names["aroused"].compile(mode="python", out_of_range="error").run(inputs)


def test_the_value_before_the_first_is_0_with_a_warning(names):
    m = cogir.Model("m")
    response, control = m.node("response", library.linear, input=()), m.node("control", library.linear, input=())
    m.project(response, control)
    m.modulate(control, response.param("slope"), "override")
    m.output(response)
    with pytest.warns(cogir.OrderWarning, match="initial="):
        compiled = m.compile(mode="python")
    assert compiled.run({"response": [2.0]})["response"].tolist() == [0.0]


def test_inputs_are_as_the_table_says(names):
    side = names["side"].compile()
    assert side.run({"evidence": [[1.0, 2.0], [3.0, 4.0]], "context": [0.0, 1.0]}, num_trials=3)["context"].tolist() == [0.0, 1.0, 0.0]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert side.run(num_trials=2)["evidence"].tolist() == [[0.0, 0.0]] * 2
    with pytest.warns(cogir.MissingInputWarning, match="context"):
        side.run({"evidence": [[1.0, 2.0]]})
    expected = side.run(names["frame"])["evidence"]
    single = {"evidence[0]": [0.3, -0.2], "evidence[1]": [0.5, 0.5], "context": [1.0, 0.0]}
    for given in (single, np.array([[0.3, 0.5, 1.0], [-0.2, 0.5, 0.0]])):
        assert np.array_equal(side.run(given)["evidence"], expected)
    context = [0.0]
    for wrong in ("0.5", None, 1j, 2**53 + 1):
        with pytest.raises(cogir.InputError):
            side.run({"evidence": [[wrong, 0]], "context": context})
    with pytest.raises(cogir.InputError, match="filled"):
        side.run({"evidence": np.ma.masked_equal([[1.0, 2.0]], 2.0), "context": context})
    assert np.isnan(side.run({"evidence": [[np.nan, np.inf]], "context": context})["evidence"][0, 0])
    with pytest.raises(TypeError, match="num_trials"):
        side.run(trials=3)
    xarray = pytest.importorskip("xarray")
    array = xarray.DataArray([[0.5, 0.5], [0.3, -0.2]], dims=("side", "trial"), coords={"side": ["right", "left"]})
    assert np.array_equal(side.run({"evidence": array, "context": [1.0, 0.0]})["evidence"], expected)


def test_results_are_as_the_page_says(names):
    import pandas

    with pytest.raises(Exception, match=r"to_dataframe\(\)"):
        pandas.DataFrame(names["r"])
    assert names["table"].index.name == "trial"
    chosen = names["chosen"]
    assert set(np.unique(chosen)) <= {0.0, 0.5, 1.0}


def test_contexts_have_noise_of_their_own_whatever_ran_before(names):
    first, second = names["m"].compile(), names["m"].compile()
    inputs = {"stimulus": [[0.3]]}
    first.run(inputs, 5)
    assert first.params["limit:passes"] == 10_000_000
    noise = [c.run(inputs, 5, context=c.context("s3"))["decision", "time"] for c in (first, second)]
    assert np.array_equal(*noise)
    other = second.run(inputs, 5, context=second.context("s4"))["decision", "time"]
    assert not np.array_equal(noise[0], other)
    with pytest.raises(cogir.InputError, match=r"\[0,5\]"):
        first.params["stimulus->decision[0,5]"] = 1.0


def test_an_index_out_of_range_selects_the_nearest_element(names):
    assert names["look"].compile().run({"reader": [0.0, 4.0, 7.0]})["reader"].tolist() == [1.0, 5.0, 5.0]


def test_the_limit_of_the_page_is_reached(tmp_path):
    with pytest.raises(cogir.ExecutionError, match="limit:passes"):
        run_page(PAGE, tmp_path, change=lambda text: text.replace("except cogir.ExecutionError", "except ZeroDivisionError"))


def test_the_table_of_the_page_is_read(tmp_path):
    table = PAGE.partition("one line per trial:\n\n")[2].partition("\n\n`--set")[0]
    path = tmp_path / "trials.csv"
    path.write_text(textwrap.dedent(table) + "\n")
    block = next(block for block in BLOCKS if "side = " in block)
    side = run_page(PAGE, tmp_path, change=lambda _: f"import cogir\nimport numpy as np\n{block}").names
    found = side["side"].compile().run(read_inputs(str(path)))
    assert found["evidence"].tolist() == side["by_name"]["evidence"].tolist() == [[0.3, 0.5], [-0.2, 0.5]]
    assert found["context"].tolist() == [1.0, 0.0]


def indented(text: str) -> str:
    """The lines of a docstring that are code."""
    return textwrap.dedent("\n".join(line for line in text.splitlines() if line.startswith("    ")))


@pytest.mark.parametrize("module", [cogir, builder])
def test_every_trial_of_the_example_in_a_docstring_computes(module):
    names: dict[str, object] = {"cogir": cogir}
    exec(indented(inspect.getdoc(module) or ""), names)
    result = names["result"]
    assert isinstance(result, cogir.Result)
    assert len(np.unique(result["decision", "time"])) > 3
    assert "finished node stays finished until it is reset" in (module.__doc__ or "")


def waiting(condition: cogir.Condition | None, *, reset: bool = False) -> cogir.Model:
    m = cogir.Model("m")
    m.project(m.node("a"), m.node("b", library.drift_diffusion_integrator, threshold=1.0))
    if condition is not None:
        m.schedule.trial_ends(condition)
    if reset:
        m.schedule.reset("b", cogir.AtTrialStart())
    return m


@pytest.mark.parametrize(
    "condition",
    [cogir.WhenFinished("b"), cogir.WhenFinishedAny("b"), cogir.WhenFinishedAll(), cogir.WhenFinished("a") & cogir.WhenFinished("b")],
)
def test_trials_that_compute_nothing_are_announced(condition):
    c = waiting(condition).compile(mode="python")
    inputs = {"a": [[0.5], [0.75]]}
    with pytest.warns(
        cogir.FinishedWarning, match=r'every trial after the first ends at once, .* add model.schedule.reset\("b", cogir.AtTrialStart\(\)\)'
    ):
        result = c.run(inputs)
    assert result["b", "time"][1] == result["b", "time"][0]
    before = dict(c.state)
    c.run(inputs)
    assert {path: value for path, value in c.state.items() if "calls:life" in path} == {
        path: value for path, value in before.items() if "calls:life" in path
    }


@pytest.mark.parametrize(
    "model",
    [
        waiting(cogir.WhenFinished("b"), reset=True),
        waiting(None),
        waiting(cogir.WhenFinished("b") & cogir.AfterPass(3)),
        waiting(~cogir.WhenFinished("b")),
    ],
)
def test_trials_that_may_compute_are_left_in_peace(model):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.compile(mode="python").run({"a": [[2.0], [3.0]]})


def test_one_trial_at_a_time_is_left_in_peace():
    c = waiting(cogir.WhenFinished("b")).compile(mode="python")
    for value in (0.5, 2.0):
        c.run({"a": [[value]]})
        c.reset()
