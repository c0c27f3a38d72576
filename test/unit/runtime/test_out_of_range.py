"""
Modulations that lead a parameter out of the range that its function declares: every mode knows in which trials, and a user is told.
"""

import re
import warnings
from typing import Annotated, Any

import numpy as np
import pytest

import cogir
from cogir.frontend.builder.signals import Estimates
from cogir.frontend.compile import source_of
from cogir.library import Random, State, Step, Value
from cogir.runtime.results import Result
from cogir.runtime.staged import StagedEngine

MODES = ("python", "per_node", "exec", "run")
LEVELS = np.array([0.5, -1.0, 2.0, np.nan, 3.0, -np.inf, np.inf])
OUTSIDE = [False, True, False, True, True, True, True]
"""Of 1 + level, in [0, 4)."""


def scaled(x: Value, *, gain: Annotated[float, cogir.Between(0.0, 4.0, low_open=True, high_open=True)] = 1.0, free: float = 2.0) -> Value:
    return x * gain + free


def modulated(function: Any = scaled, how: str = "add", **given: Any) -> cogir.Model:
    """A node of which another one modulates the gain, and the parameter without a range."""
    model = cogir.Model("modulated", seed=1)
    source = model.node("source", input=1)
    target = model.node("decision", function, input=2, **given)
    model.modulate(source, target.param("gain"), how)
    if function is scaled:
        model.modulate(source, target.param("free"), how)
    model.output(target)
    return model


def quietly(model: cogir.Model, **options: Any) -> cogir.Compiled:
    """Compiled without warnings of what is out of range."""
    return model.compile(out_of_range="ignore", **options)


def rows_of(levels: Any) -> dict[str, Any]:
    return {"source": [[level] for level in levels], "decision": [[1.0, 2.0]] * len(levels)}


@pytest.mark.parametrize("mode", MODES)
def test_the_trials_are_known(mode: str) -> None:
    result = quietly(modulated(), mode=mode).run(rows_of(LEVELS))
    assert list(result.out_of_range) == ["decision/gain"]
    found = result.out_of_range["decision/gain"]
    assert found.dtype == np.bool_
    assert found.tolist() == OUTSIDE
    assert not result.unfinished


@pytest.mark.parametrize("stage", StagedEngine.STAGES)
def test_every_stage_knows_them(stage: str) -> None:
    expected = quietly(modulated(), mode="run").run(rows_of(LEVELS)).rows
    engine = StagedEngine(source_of(modulated()), stage)
    out = np.empty_like(expected)
    engine.run(engine.new_context(None, None), np.array([[level, 1.0, 2.0] for level in LEVELS]), out)
    assert Result(engine.plan, out, "done").rows.tobytes() == expected.tobytes()


def test_the_ends_of_a_range() -> None:
    """0 and 4 lie outside of (0, 4), 4 inside of [0, 4]."""

    def closed(x: Value, *, gain: Annotated[float, cogir.Between(0.0, 4.0)] = 1.0) -> Value:
        return x * gain

    for function, expected in ((scaled, [True, True, False]), (closed, [False, False, False])):
        for mode in MODES:
            result = quietly(modulated(function, "override"), mode=mode).run(rows_of([0.0, 4.0, 1.0]))
            assert result.out_of_range["decision/gain"].tolist() == expected, mode


def weighted(x: Value, *, gain: Annotated[Value, cogir.NonNegative] = np.array([[1.0, 2.0], [3.0, 0.5]])) -> Value:
    return x @ gain


@pytest.mark.parametrize("mode", MODES)
def test_every_element_of_an_array_counts(mode: str) -> None:
    result = quietly(modulated(weighted), mode=mode).run(rows_of([0.0, -0.5, -0.75, np.nan]))
    assert result.out_of_range["decision/gain"].tolist() == [False, False, True, True]


def wander(drift: Value, *, gain: cogir.NonNegative = 1.0, x: State = 0.0, random: Random) -> Step:
    x = x + 0.1 * drift[0] + gain * random.normal()
    return Step(outputs=(x,), states=(x,), finished=x >= 2.0)


@pytest.mark.parametrize("prng", ["xoshiro256", "mt19937"])
@pytest.mark.parametrize("threads", [None, 3])
def test_replicates(prng: str, threads: int | None) -> None:
    """In lanes, one after the other, with threads and by runs."""
    model = modulated(wander, execute_until_finished=True, prng=prng)
    model.schedule.reset("decision", cogir.AtTrialStart())
    options = {} if threads is None else {"threads": threads}
    inputs = rows_of([0.0, -2.0, 1.0])
    found = quietly(model, mode="run", unfinished="ignore", **options).replicates(inputs, count=200, seed=3)
    assert found.out_of_range["decision/gain"].tolist() == [[False, True, False]] * 200
    one_by_one = quietly(model, mode="python", unfinished="ignore").replicates(inputs, count=2, seed=3)
    assert one_by_one.out_of_range["decision/gain"].tolist() == [[False, True, False]] * 2
    assert np.array_equal(one_by_one["decision"], found["decision"][:2])


@pytest.mark.parametrize("mode", MODES)
def test_modulations_from_outside_of_an_instance(mode: str) -> None:
    inner = cogir.Model("inner", seed=1)
    inner.node("decision", scaled, input=2)
    middle = cogir.Model("middle")
    middle.instance("inner", inner)
    outer = cogir.Model("outer")
    source = outer.node("source", input=1)
    outer.modulate(source, outer.instance("middle", middle).param("inner/decision/gain"), "add")
    result = quietly(outer, mode=mode).run(np.array([[level, 1.0, 1.0] for level in LEVELS]))
    assert list(result.out_of_range) == ["middle/inner/decision/gain"]
    assert result.out_of_range["middle/inner/decision/gain"].tolist() == OUTSIDE


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("recurrent", [False, True])
def test_parameters_of_projections(mode: str, recurrent: bool) -> None:
    model = cogir.Model("projections", seed=1)
    source = model.node("source", input=1)
    if recurrent:
        target = model.node("target", counted, input=1, execute_until_finished=True, max_executions_before_finished=3)
        model.schedule.reset(target, cogir.AtTrialStart())
    else:
        target = model.node("target", cogir.library.linear, input=1)
    sender = target if recurrent else model.node("sender", input=1)
    projection = model.project(sender, target, function=weakened, name="weak", recurrent=recurrent)
    model.modulate(source, projection.param("gain"), "override")
    compiled = quietly(model, mode=mode, unfinished="ignore")
    result = compiled.run(np.array([[level] + [1.0] * (len(compiled.plan.inputs) - 1) for level in (0.5, -0.5, 1.0)]))
    assert list(result.out_of_range) == ["weak/gain"]
    assert result.out_of_range["weak/gain"].tolist() == [False, True, False]


def weakened(x: Value, *, gain: cogir.NonNegative = 1.0) -> Value:
    return x * gain


def counted(x: Value, *, n: State = 0.0) -> Step:
    return Step(outputs=(x + n,), states=(n + 1.0,), finished=n >= 2.0)


def searching(how: str) -> cogir.Model:
    """A controller that tries gains, by a signal that overrides (its levels are checked) or adds."""
    model = modulated()
    signal = cogir.Signal(model.nodes["decision"].param("gain"), levels=[0.5, 1.0, 3.5], modulation=how, initial=0.5)
    model.control("control", objective=model.node("sum", summed, input=2), signals=[signal], when="before")
    model.project("decision", "sum")
    return model


def summed(x: Value) -> float:
    return np.sum(x)


@pytest.mark.parametrize("mode", MODES)
def test_simulations_are_counted(mode: str) -> None:
    result = quietly(searching("add"), mode=mode).run(rows_of([-3.0, 0.0]))
    assert result.out_of_range["control/decision/gain"].tolist() == [2, 1]
    assert result.out_of_range["control/decision/gain"].dtype == np.int64


def test_models_that_cannot_lead_outside_have_no_column() -> None:
    """Neither where nothing modulates, nor without a range, nor where the levels of signals, which are checked, keep it inside."""
    model = cogir.Model("plain", seed=1)
    node = model.node("decision", scaled, input=1)
    source = model.node("source", input=1)
    model.modulate(source, node.param("free"), "add")
    model.output(node)
    model.control("control", objective=node, signals=[cogir.Signal(node.param("gain"), levels=[0.5, 1.0], modulation="override")])
    result = model.compile().run({"decision": [[1.0]], "source": [[1.0]]})
    assert list(result.out_of_range) == []
    model = cogir.Model("multiplied", seed=1)
    node = model.node("decision", weakened, input=1)
    model.output(node)
    model.control("control", objective=node, signals=[cogir.Signal(node.param("gain"), levels=[0.5, 1.0], modulation="multiply")])
    assert list(model.compile().run([[1.0]]).out_of_range) == []


@pytest.mark.parametrize("mode", MODES)
def test_numbers_that_tell_estimates_apart_are_not_checked_so_they_are_known(mode: str) -> None:
    model = modulated()
    node = model.nodes["decision"]
    signal = cogir.Signal(node.param("free"), levels=[1.0])
    estimates = Estimates(node.param("gain"), 3, first=2, initial=1.0)  # 2, 3, and 4, which is outside
    model.control("control", objective=model.node("sum", summed, input=2), signals=[signal], estimates=estimates)
    model.project("decision", "sum")
    result = quietly(model, mode=mode).run(rows_of([0.0]))
    assert result.out_of_range["control/decision/gain"].tolist() == [1]


# What a user is told


def test_a_run_warns_with_share_range_and_place() -> None:
    compiled = modulated().compile()
    message = (
        r'node "decision": in 50.0 % of 100 trials parameter "gain" was modulated outside of its range \(.*test_out_of_range.py:\d+\): '
        r'it must be above 0 and below 4; change what modulates it; result.out_of_range\["decision/gain"\] says which'
    )
    with pytest.warns(cogir.OutOfRangeWarning, match=message) as caught:
        compiled.run(rows_of([0.0, -1.0] * 50))
    assert [warning.filename for warning in caught] == [__file__]
    with pytest.warns(cogir.OutOfRangeWarning, match="in 1 of 2 trials parameter"):
        compiled.replicates(rows_of([0.0, -1.0]), count=1, start="fresh")


def test_searches_warn_with_the_number() -> None:
    message = r"parameter \"gain\" was modulated 2 times in the simulations of controllers outside of its range.*above 0"
    with pytest.warns(cogir.OutOfRangeWarning, match=message):
        searching("add").compile().run(rows_of([-3.0]))


def test_searches_name_the_range_and_the_place_of_nodes_in_instances() -> None:
    inner = cogir.Model("inner", seed=1)
    inner.node("decision", scaled, input=2)
    outer = cogir.Model("outer")
    source, task = outer.node("source", input=1), outer.instance("task", inner)
    outer.modulate(source, task.param("decision/gain"), "add")
    total = outer.node("sum", summed, input=2)
    outer.project(task, total)
    outer.control("control", objective=total, signals=[cogir.Signal(task.param("decision/free"), levels=[1.0])])
    message = (
        r'node "control/task/decision": parameter "gain" was modulated 1 time in the simulations of controllers outside of its range '
        r"\(.*test_out_of_range.py:\d+\): it must be above 0 and below 4"
    )
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        outer.compile().run(np.array([[-3.0, 1.0, 1.0]]))
    assert [bool(re.match(message, str(one.message))) for one in caught] == [False, True]


def test_it_can_be_an_error_or_ignored_and_other_words_are_refused() -> None:
    with pytest.raises(cogir.ExecutionError, match='node "decision": in 1 of 2 trials parameter "gain"') as caught:
        modulated().compile(out_of_range="error").run(rows_of([0.0, -1.0]))
    assert isinstance(caught.value.result, cogir.Result)
    assert caught.value.result.out_of_range["decision/gain"].tolist() == [False, True]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        modulated().compile(out_of_range="ignore").run(rows_of([-1.0]))
        modulated().compile(out_of_range="error").run(rows_of([0.0]))
    with pytest.raises(cogir.ModelError, match="compile: out_of_range is 'loud'; give one of warn, error, ignore"):
        modulated().compile(out_of_range="loud")


def test_misspelt_parameters_are_refused() -> None:
    with pytest.raises(cogir.InputError, match='out_of_range: there is no "decision/gian"; did you mean "decision/gain"'):
        quietly(modulated()).run(rows_of([0.0])).out_of_range["decision/gian"]
