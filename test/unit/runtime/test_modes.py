"""One model, every mode, one answer; contexts, parameters and results in each of them."""

import warnings

import numpy as np
import pytest

import cogir
from cogir import library
from cogir.backend.cache import Entry, open_cache
from cogir.errors import LoweringError
from cogir.library import Random, State, Step, node_function
from cogir.runtime import modes
from cogir.runtime.staged import StagedEngine

MODES = ("python", "per_node", "exec", "run")


@node_function(outputs=("value", "time"))
def accumulate(variable, *, rate=1.0, threshold=3.0, value: State = 0.0, time: State = 0.0, random: Random):
    """Evidence to a threshold; the number of steps."""
    after = value + rate * variable + random.normal(variable.shape)
    return Step(outputs=(after, time + 1.0), states=(after, time + 1.0), finished=abs(after[0]) >= threshold)


def build() -> cogir.Model:
    m = cogir.Model("m", prng="mt19937")
    a = m.node("a", library.logistic, input=2)
    n = m.node("n", accumulate, seed=5)
    m.project(a, n, matrix=[[1.0], [-1.0]])
    m.schedule.when(n, cogir.AfterPass(0))
    m.schedule.trial_ends(cogir.WhenFinished(n))
    m.schedule.reset(n, cogir.AtTrialStart())
    m.output(n, a)
    return m


INPUTS = {"a": [[1.0, -1.0], [0.0, 0.5], [3.0, 3.0]]}


@pytest.fixture(scope="module")
def compiled() -> dict[str, cogir.Compiled]:
    return {mode: build().compile(mode=mode) for mode in MODES}


def test_results_are_the_same_in_all_modes(compiled):
    results = {mode: compiled[mode].run(INPUTS, 7, context="results") for mode in MODES}
    for mode in MODES[:3]:
        for key in (("n", "value"), ("n", "time"), ("a", "value")):
            assert np.array_equal(results[mode][key], results["run"][key]), (mode, key)
    assert results["run"]["n", "time"].max() > 1.0


@pytest.mark.parametrize("stage", StagedEngine.STAGES)
def test_results_are_the_same_at_all_stages(stage, compiled):
    from cogir.frontend.compile import source_of

    staged = cogir.Compiled(StagedEngine(source_of(build()), stage), stage, "m")
    expected = compiled["run"].run(INPUTS, 4, context=f"stage {stage}")
    assert np.array_equal(staged.run(INPUTS, 4)["n"], expected["n"])


@pytest.mark.parametrize("mode", MODES)
def test_runs_go_on_and_resets_repeat(mode, compiled):
    c = compiled[mode]
    whole = c.run(INPUTS, 6, context=f"whole {mode}")["n"]
    parts = c.context(f"parts {mode}")
    first = c.run(INPUTS, 3, context=parts)["n"]
    assert np.array_equal(np.concatenate([first, c.run(INPUTS, 3, context=parts)["n"]]), whole)
    parts.reset()
    assert np.array_equal(c.run(INPUTS, 6, context=parts)["n"], whole)


@pytest.mark.parametrize("mode", MODES)
def test_parameters_states_and_generators_by_path(mode):
    c = build().compile(mode=mode)
    c.params["n/rate"] = 0.0
    c.params["n/threshold"] = 1e-9
    c.generators["n"] = np.random.RandomState([77])
    assert c.run(INPUTS, 1)["n"].item() == np.random.RandomState([77]).standard_normal()
    assert c.state["n/time"] == 1.0
    c.state["n/port:time"] = 42.0
    assert c.state["n/port:time"] == 42.0
    with pytest.raises(cogir.InputError, match='there is no "n/rat"; did you mean "n/rate"'):
        c.params["n/rat"] = 1.0
    with pytest.raises(cogir.InputError, match=r"parameter n/param:rate: found \[1, 2\]; a value of shape \(\) \(one number\) is required"):
        c.params["n/rate"] = [1, 2]
    new = c.context("another")
    assert new.params["n/rate"] == 0.0


def test_handles_are_names(compiled):
    m = build()
    c = compiled["run"]
    n = m["n"]
    result = c.run({m["a"]: [[1.0, -1.0]]}, context="handles")
    assert np.array_equal(result[n], result["n"])
    assert np.array_equal(result[n["time"]], result["n", "time"])
    assert c.params[n.param("rate")] == 1.0
    assert c.context("handles").state[n.state("time")] == result["n", "time"].item()


def test_results_are_listed_by_trial(compiled):
    result = compiled["run"].run(INPUTS, 3, context="listed")
    assert [len(trial) for trial in result.results] == [3, 3, 3]
    assert result.results[1][1] == result["n", "time"][1]
    assert result.outputs == ["n/value", "n/time", "a/value"]
    with pytest.raises(cogir.InputError, match='there is no "nn"; did you mean "n"'):
        result["nn"]


def test_auto_takes_whole_runs():
    assert build().compile().mode == "run"


def test_auto_says_what_stopped_the_faster_modes(monkeypatch):
    def refuse(*_):
        raise LoweringError("convert-x: cog.y is left")

    monkeypatch.setattr(modes, "Original", refuse)
    with pytest.warns(
        modes.ReducedModeWarning,
        match='model "m" runs in mode per_node, which is slower than the modes that failed: .* convert-x: cog.y is left',
    ):
        assert build().compile().mode == "per_node"


def test_auto_calls_in_python_what_does_not_compile():
    def odd(x):
        try:
            return 2.0 * x
        except ValueError:
            return x

    m = build()
    with pytest.warns(cogir.NotCompiledWarning, match="'try' is not in the subset"):
        node = m.node("odd", odd, input=2)
    m.project(m["a"], node)
    m.output(node)
    with pytest.warns(modes.ReducedModeWarning, match="mode run: .*'try' is not in the subset"):
        c = m.compile()
    assert c.mode == "per_node"
    assert c.run(INPUTS)["odd"].tolist() == (2.0 * build().compile(mode="run").run(INPUTS)["a"]).tolist()
    with pytest.raises(cogir.FunctionError, match="'try' is not in the subset"):
        m.compile(mode="run")


def test_without_trouble_nothing_is_said():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        build().compile()


def neighbours(condition: cogir.Condition | None) -> cogir.Model:
    m = cogir.Model("m")
    m.node("a")
    m.node("b")
    if condition is not None:
        m.schedule.when("b", condition)
    return m


@pytest.mark.parametrize("mode", ["python", "run"])
@pytest.mark.parametrize("time", ["compiled", "perhaps from the cache"])
def test_what_the_order_of_the_text_decides_is_announced(time, mode):
    outer = cogir.Model("outer")
    outer.instance("i", neighbours(cogir.BeforeNCalls("a", 1)))
    for model, node in ((neighbours(cogir.BeforeNCalls("a", 1)), "b"), (outer, "i/b")):
        with pytest.warns(modes.OrderWarning, match=f'whether "{node}" runs depends on .*; the order in the text decides') as caught:
            model.compile(mode=mode)
        assert caught[0].filename == __file__


@pytest.mark.parametrize("condition", [None, cogir.AfterNCalls("a", 1), ~cogir.AtPass(0), cogir.JustRan("a")])
def test_what_no_order_decides_is_not(condition):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        neighbours(condition).compile(mode="python")


def elementary(variable):
    """Functions whose last bit differs between the library and C."""
    return np.exp(variable) + np.tanh(variable * 1.37) + np.log(variable * variable)


def test_the_c_librarys_functions_are_the_same_in_all_modes_and_stages():
    from cogir.frontend.compile import source_of

    m = cogir.Model("m")
    m.node("n", elementary)
    rows = np.random.RandomState(0).randn(300, 1)
    portable = m.compile(mode="run").run(rows)["n"]
    expected = m.compile(mode="run", math="libm").run(rows)["n"]
    assert not np.array_equal(expected, portable)
    for mode in MODES:
        assert np.array_equal(m.compile(mode=mode, math="libm").run(rows)["n"], expected), mode
    for stage in StagedEngine.STAGES:
        staged = cogir.Compiled(StagedEngine(source_of(m), stage, "libm"), stage, "m")
        assert np.array_equal(staged.run(rows)["n"], expected), stage


@pytest.mark.parametrize("metadata", [{}, {"plan": 3}, {"plan": "no JSON"}, {"plan": "{}"}, {"plan": "[]"}, {"plan": None}])
def test_a_plan_that_cannot_be_read_from_the_cache_is_made_anew(metadata, tmp_path, monkeypatch):
    """The checksum of such an entry is right: it was written so, by another program or version."""
    monkeypatch.setenv("COGIR_CACHE_DIR", str(tmp_path))
    expected = build().compile().run(INPUTS, 5)
    found = open_cache()
    keys = [path.stem for path in tmp_path.glob("*.cogir")]
    assert keys
    for key in keys:
        found.put(key, Entry(found.get(key).code, metadata))
    again = build().compile().run(INPUTS, 5)
    assert all(np.array_equal(again[port], expected[port]) for port in expected)
    assert all("plan" in found.get(key).metadata and len(found.get(key).metadata["plan"]) > 100 for key in keys)
