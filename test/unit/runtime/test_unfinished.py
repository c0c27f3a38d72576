"""
Executions that `max_executions_before_finished` cuts off: every mode knows in which trials they are, and a user is told.

The functions here hand out the truth as outputs: the number of their steps, and whether they have crossed the threshold.
"""

import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import cogir
from cogir.frontend.compile import source_of
from cogir.interpreters.flags import AT_LIMIT
from cogir.library import Random, State, Step, Value
from cogir.runtime.modes import compile_source
from cogir.runtime.options import Options
from cogir.runtime.results import Result
from cogir.runtime.staged import StagedEngine
from cogir.transforms import outline_parallel

pytestmark = pytest.mark.sampled(2)

MODES = ("python", "per_node", "exec", "run")
LIMIT = 40


def walk(drift: Value, *, gain: float = 0.02, x: State = 0.0, steps: State = 0.0, random: Random) -> Step:
    """A random walk: whether it is beyond 1, and its steps since it was reset."""
    x = x + gain * drift[0] + 0.2 * random.normal()
    crossed = x >= 1.0
    return Step(outputs=(1.0 if crossed else 0.0, steps + 1.0), states=(x, steps + 1.0), finished=crossed)


def steady(drift: Value, *, gain: float = 1.0, x: State = 0.0) -> Step:
    """Approaches 1 in steps of the gain; the second output is the position."""
    x = x + gain * drift[0]
    return Step(outputs=(x,), states=(x,), finished=x >= 1.0)


def walker(limit: int | None = LIMIT, prng: str = "xoshiro256", function: Callable[..., Any] = walk, **options: Any) -> cogir.Model:
    """One node that walks until it has crossed, or is cut off."""
    model = cogir.Model("walker", seed=3)
    node = model.node(
        "decision",
        function,
        input=1,
        execute_until_finished=True,
        max_executions_before_finished=limit,
        **({"prng": prng} if function is walk else {}),
        **options,
    )
    model.schedule.reset(node, cogir.AtTrialStart())
    return model


INPUTS = {"decision": [[1.0], [4.0]]}


def quietly(model: cogir.Model, **options: Any) -> cogir.Compiled:
    """Compiled without warnings of what is cut off."""
    return model.compile(unfinished="ignore", **options)


@pytest.mark.parametrize("mode", MODES)
def test_the_trials_that_were_cut_off_are_known(mode: str) -> None:
    result = quietly(walker(), mode=mode).run(INPUTS, num_trials=200)
    crossed, steps = result["decision"].ravel() > 0, np.ravel(result.columns[1])
    cut_off = result.unfinished["decision"]
    assert cut_off.dtype == np.bool_
    assert cut_off.shape == (200,)
    assert np.array_equal(cut_off, ~crossed)
    assert 5 < cut_off.sum() < 195
    assert (steps[cut_off] == LIMIT).all()
    assert list(result.unfinished) == ["decision"]


@pytest.mark.parametrize("stage", StagedEngine.STAGES)
def test_every_stage_knows_them(stage: str) -> None:
    expected = quietly(walker(), mode="run").run(INPUTS, num_trials=6).rows
    engine = StagedEngine(source_of(walker()), stage)
    out = np.empty_like(expected)
    engine.run(engine.new_context(None, None), np.array([[1.0], [4.0]]), out)
    assert Result(engine.plan, out, "done").rows.tobytes() == expected.tobytes()


def test_finishing_in_the_last_step_is_finishing() -> None:
    """Four steps of a quarter are enough, three are not."""
    for limit, cut_off in ((3, True), (4, False), (5, False)):
        for mode in MODES:
            result = quietly(walker(limit, function=steady, gain=0.25), mode=mode).run({"decision": [[1.0]]})
            assert result.unfinished["decision"].tolist() == [cut_off], (limit, mode)


@pytest.mark.parametrize("prng", ["xoshiro256", "mt19937"])
@pytest.mark.parametrize("threads", [None, 3])
def test_replicates(prng: str, threads: int | None) -> None:
    """In lanes (the first two generators), one after the other (the third), with threads, and by runs: the same."""
    options = {} if threads is None else {"threads": threads}
    found = quietly(walker(prng=prng), mode="run", **options).replicates(INPUTS, count=300, num_trials=3, seed=5)
    assert found.unfinished["decision"].shape == (300, 3)
    assert np.array_equal(found.unfinished["decision"], found["decision"].reshape(300, 3) == 0.0)
    one_by_one = quietly(walker(prng=prng), mode="python").replicates(INPUTS, count=5, num_trials=3, seed=5)
    assert np.array_equal(one_by_one.unfinished["decision"], found.unfinished["decision"][:5])


def test_replicates_that_end_early_are_not_cut_off_in_the_trials_that_they_do_not_have() -> None:
    model = walker(2)
    model.schedule.run_ends(cogir.AfterNTrials(2, cogir.TimeScale.RUN))
    found = quietly(model).replicates(INPUTS, count=4, num_trials=3)
    assert found.lengths.tolist() == [2] * 4
    assert not found.unfinished["decision"][:, 2].any()


def nested() -> cogir.Model:
    """The walker inside of two models."""
    middle = cogir.Model("middle", seed=1)
    middle.instance("inner", walker())
    outer = cogir.Model("outer")
    outer.instance("middle", middle)
    return outer


@pytest.mark.parametrize("mode", MODES)
def test_nodes_of_instances_go_by_path(mode: str) -> None:
    result = quietly(nested(), mode=mode).run([[1.0], [4.0]], num_trials=100)
    expected = result["middle/inner/decision"].ravel() == 0.0
    assert list(result.unfinished) == ["middle/inner/decision"]
    assert np.array_equal(result.unfinished["middle/inner/decision"], expected)
    assert 0 < expected.sum() < 100


def several_executions() -> cogir.Model:
    """Three executions in a trial, of which the first is the one that is cut off: later ones go on from where it was."""
    model = walker(3, function=steady, gain=0.25)
    model.schedule.trial_ends(cogir.AfterNCalls("decision", 3))
    return model


@pytest.mark.parametrize("mode", MODES)
def test_any_execution_of_a_trial_counts(mode: str) -> None:
    """The loop of passes, too."""
    result = quietly(several_executions(), mode=mode).run({"decision": [[1.0]]}, num_trials=2)
    assert result["decision"].ravel().tolist() == [1.25, 1.25]
    assert result.unfinished["decision"].tolist() == [True, True]


@pytest.mark.parametrize("mode", MODES)
def test_data_decide_whether_it_runs(mode: str) -> None:
    """A schedule that depends on data: `after` is cut off in the trials in which it runs."""
    model = cogir.Model("depends")
    first = model.node("first", cogir.library.linear, input=1)
    after = model.node("after", steady, input=1, gain=0.125, execute_until_finished=True, max_executions_before_finished=4)
    model.project(first, after)
    model.schedule.when(after, cogir.Threshold(first, "value", 0.0, ">", indices=0))
    model.schedule.trial_ends(cogir.AfterPass(0))
    model.schedule.reset(after, cogir.AtTrialStart())
    result = quietly(model, mode=mode).run({"first": [[1.0], [-1.0], [4.0]]})
    assert result.unfinished["after"].tolist() == [True, False, False]


def searching(when: str = "after", levels: int = 5, **options: Any) -> cogir.Model:
    """A controller that tries gains for a node; gains below 0.25 are too small for four steps."""
    model = walker(4, function=steady, gain=0.25)
    node = model.nodes["decision"]
    gain = cogir.Signal(node.param("gain"), levels=np.linspace(0.0, 0.5, levels), modulation="override", initial=0.0)
    model.output(node)
    model.control("control", objective=node, signals=[gain], when=when, **options)
    return model


SEARCHES: dict[str, tuple[dict[str, Any], int]] = {
    "plain": ({}, 2),
    "before": ({"when": "before"}, 2),
    "ties": ({"ties": "random", "seed": 3}, 2),
    "several trials": ({"trials_per_estimate": 3}, 6),
    "estimates": ({"estimates": 2}, 4),
    "keeps": ({"keep": "values"}, 2),
    "long": ({"levels": 401}, 200),
}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", SEARCHES)
def test_simulations_are_counted(mode: str, name: str) -> None:
    options, expected = SEARCHES[name]
    result = quietly(searching(**options), mode=mode).run({"decision": [[1.0]]}, num_trials=2)
    counts = result.unfinished["control/decision"]
    assert counts.dtype == np.int64
    assert counts.tolist() == [expected] * 2
    assert result.unfinished["decision"].tolist() == ([False, False] if options.get("when") == "before" else [True, False])


def test_other_models_that_are_simulated() -> None:
    """One that stands beside the model, with a node of the same name, and one that is an instance inside."""
    for placed in (False, True):
        task = walker(4, function=steady, gain=0.25)
        model = cogir.Model("around")
        seen = model.node("seen", cogir.library.linear, input=1)
        node = task.nodes["decision"]
        task.output(node)
        if placed:
            instance = model.instance("task", task)
            model.project(seen, instance)
            target = instance.param("decision/gain")
        else:
            target = model.node("decision", steady, input=1).param("gain")
        signal = cogir.Signal(target, levels=[0.0, 0.125, 0.25], modulation="override")
        model.control("control", model=task, objective=node, signals=[signal], features={node: seen})
        inputs = {"seen": [[1.0]]} | ({} if placed else {"decision": [[0.0]]})
        results = [quietly(model, mode=mode).run(inputs).unfinished for mode in MODES]
        assert [found["control/decision"].tolist() for found in results] == [[2]] * 4
        assert [list(found) for found in results] == [["task/decision", "control/decision"] if placed else ["control/decision"]] * 4


@pytest.mark.parametrize("keep", [None, "values"])
def test_threads_that_share_a_search_count_together(monkeypatch: pytest.MonkeyPatch, keep: Any) -> None:
    monkeypatch.setattr(outline_parallel, "WORK", 0)
    expected = quietly(searching(levels=401, keep=keep), mode="python").run({"decision": [[1.0]]}, num_trials=2)
    with ThreadPoolExecutor(3) as executor:
        found = quietly(searching(levels=401, keep=keep), mode="run", executor=executor).run({"decision": [[1.0]]}, num_trials=2)
    assert found.unfinished["control/decision"].tolist() == expected.unfinished["control/decision"].tolist() == [200, 200]
    assert found.rows.tobytes() == expected.rows.tobytes()


def test_specialised_versions_count_too() -> None:
    compiled = quietly(walker())
    expected = compiled.run(INPUTS, num_trials=50)
    compiled.reset()
    version = compiled.specialise()
    found = compiled.run(INPUTS, num_trials=50)
    assert version.runs == 1
    assert found.rows.tobytes() == expected.rows.tobytes()


def test_the_limit_is_a_parameter() -> None:
    compiled = quietly(walker(10, function=steady, gain=0.25))
    assert not compiled.run({"decision": [[1.0]]}).unfinished["decision"].any()
    compiled.params["decision/limit:executions"] = 2
    assert compiled.run({"decision": [[1.0]]}).unfinished["decision"].all()


def test_what_cannot_be_cut_off_has_no_column() -> None:
    """Neither without a function that finishes, nor with a limit that cannot be reached: such models are compiled as before."""
    plain = cogir.Model("plain")
    plain.node("node", cogir.library.linear, input=1)
    assert plain.compile().run([[1.0]]).rows.shape == (1, 1)
    assert list(plain.compile().run([[1.0]]).unfinished) == []
    endless = quietly(walker(2**63 - 1, function=steady)).run({"decision": [[1.0]]})
    assert endless.rows.shape == (1, 1)
    assert "decision" not in endless.unfinished


def test_names_of_nodes_that_are_not_cut_off_are_refused() -> None:
    unfinished = quietly(walker()).run(INPUTS).unfinished
    assert "decision" in unfinished
    assert "stimulus" not in unfinished
    with pytest.raises(cogir.InputError, match='unfinished: there is no "decisoin"; did you mean "decision"'):
        unfinished["decisoin"]


def learning() -> cogir.Model:
    """The walker that approaches 1 before a matrix that is learned."""
    model = walker(3, function=steady, gain=0.25)
    output, target = model.node("output", cogir.library.linear, input=1), model.node("target", input=1)
    model.project("decision", output, matrix=[[0.5]])
    model.output(output)
    model.learning([(output, target)])
    return model


EXAMPLES = {"decision": [[1.0], [4.0], [1.5]], "target": [[1.0], [2.0], [1.0]]}


@pytest.mark.parametrize("mode", MODES)
def test_trials_that_are_learned_from(mode: str) -> None:
    learned = quietly(learning(), mode=mode).learn(EXAMPLES, epochs=2)
    assert learned.trials.unfinished["decision"].tolist() == [True, False, False] * 2
    assert list(learned.trials) == ["output/value"]


def test_learning_warns_or_raises_as_runs_do() -> None:
    message = 'node "decision": 2 of 6 trials were cut off after 3 executions before finishing'
    with pytest.warns(cogir.UnfinishedWarning, match=message) as caught:
        learning().compile().learn(EXAMPLES, epochs=2)
    assert [warning.filename for warning in caught] == [__file__]
    compiled = learning().compile(unfinished="error")
    with pytest.raises(cogir.ExecutionError, match=message) as raised:
        compiled.learn(EXAMPLES, epochs=2)
    assert raised.value.result.losses.shape == (2, 3)  # type: ignore[attr-defined]
    assert compiled.params["decision:value->output:variable/matrix"] != 0.5


# What a user is told


def line_of(text: str) -> int:
    """The line of this file with that text."""
    with open(__file__) as file:
        return next(number for number, line in enumerate(file, 1) if text in line)


def test_a_run_warns_with_the_share_and_the_place() -> None:
    compiled = walker(2, function=steady, gain=0.25).compile()
    made = line_of("    node = " + "model.node(")
    message = (
        r'node "decision": 50.0 % of 1,000 trials were cut off after 2 executions before finishing '
        rf'\(.*test_unfinished.py:{made}\); raise max_executions_before_finished, or make it finish sooner; result.unfinished\["decision"\]'
    )
    with pytest.warns(cogir.UnfinishedWarning, match=message) as caught:
        compiled.run(INPUTS, num_trials=1000)
    assert [warning.filename for warning in caught] == [__file__]
    with pytest.warns(cogir.UnfinishedWarning, match=r"2 of 4 trials were cut off after 2 executions before finishing"):
        compiled.replicates(INPUTS, count=2, start="fresh")


def test_searches_warn_with_the_number() -> None:
    with pytest.warns(
        cogir.UnfinishedWarning, match=r'node "control/decision": 4 executions in the simulations of controllers were cut off'
    ):
        searching(when="before").compile().run({"decision": [[1.0]]}, num_trials=2)


def test_nothing_is_said_when_all_have_finished() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        walker(10, function=steady, gain=0.25).compile(unfinished="error").run({"decision": [[1.0]]}, num_trials=10)


def test_it_can_be_an_error_that_holds_the_result() -> None:
    compiled = walker(2, function=steady, gain=0.25).compile(unfinished="error")
    with pytest.raises(cogir.ExecutionError, match=r'node "decision": 3 of 6 trials were cut off') as caught:
        compiled.run(INPUTS, num_trials=6)
    result = caught.value.result
    assert isinstance(result, cogir.Result)
    assert result.unfinished["decision"].tolist() == [True, False] * 3
    with pytest.raises(cogir.ExecutionError) as caught:
        compiled.replicates(INPUTS, count=2, start="fresh")
    assert isinstance(caught.value.result, cogir.Replicates)


def test_it_can_be_ignored_and_other_words_are_refused() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert walker(2, function=steady, gain=0.25).compile(unfinished="ignore").run(INPUTS).unfinished["decision"].any()
    with pytest.raises(cogir.ModelError, match="compile: unfinished is 'warm'; give one of warn, error, ignore"):
        walker().compile(unfinished="warm")


def test_one_trial_or_execution_was_cut_off() -> None:
    with pytest.warns(cogir.UnfinishedWarning, match=r"1 of 2 trials was cut off after 2 executions before finishing"):
        walker(2, function=steady, gain=0.25).compile().run(INPUTS, num_trials=2)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        searching(levels=2).compile().run({"decision": [[4.0]]})
    assert "1 execution in the simulations of controllers was cut off before finishing (" in str(caught[-1].message)


def counted(x: Value, *, executions_at_limit: State = 0.0) -> Step:
    """Counts by itself the executions that it takes for the last that are allowed."""
    return Step(outputs=(x[0],), states=(executions_at_limit + (1.0 if x[0] > 2.0 else 0.0),))


def test_executions_that_a_node_counts_by_itself_are_flagged_alike() -> None:
    """A state `executions_at_limit` says it of nodes that are not repeated, as those of PsyNeuLink; also in simulations."""
    model = cogir.Model("counted", seed=1)
    node = model.node("node", counted, input=1)
    signal = cogir.Signal(model.node("gain", cogir.library.linear, input=1).param("slope"), levels=[1.0, 2.0])
    model.control("control", objective=node, signals=[signal])
    inputs = {"node": [[1.0], [3.0], [2.0], [4.0]], "gain": [[1.0]] * 4}
    native = compile_source(source_of(model), "run", Options(flags=(AT_LIMIT,)))
    flags = native.plan.flags
    assert flags == ["node/flag:at_limit", "control/node/count:at_limit"]
    rows = native.run(inputs).rows
    found = [rows[:, native.plan.slots[f"out:{path}"].words].ravel().tolist() for path in flags]
    assert found == [[0, 1, 0, 1], [0, 2, 0, 2]]
    interpreted = model.compile(mode="python")
    engine: Any = interpreted.engine
    told = []
    for trial in range(4):
        interpreted.run({name: values[trial : trial + 1] for name, values in inputs.items()})
        told.append([engine.model.tally.of(flags)[path] for path in flags])
    assert np.array_equal(np.transpose(told), found)
