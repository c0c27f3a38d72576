"""
A node that executes until finished and is never reset goes on where it finished: a run of several trials says so, once.
"""

import inspect
import pickle
import warnings
from collections.abc import Callable
from threading import Thread
from typing import Any

import numpy as np
import pytest

import cogir
from cogir import library
from cogir.library import Step


def stateless(x: Any, *, limit: float = 0.0) -> Step:
    """Finishes by what comes in, and remembers nothing."""
    return Step(x + 1.0, finished=x[0] >= limit)


def decision(m: cogir.Model, name: str = "decision", **options: Any) -> cogir.Node:
    given = {"threshold": 0.5, "noise": 0.0, "time_step_size": 0.1, "execute_until_finished": True}
    return m.node(name, library.drift_diffusion_integrator, **(given | options))


def choice(**options: Any) -> cogir.Model:
    m = cogir.Model("choice")
    decision(m, **options)
    return m


def times(model: cogir.Model, **options: Any) -> Any:
    return model.compile(**options).run({"decision": [[1.0]]}, num_trials=3)["decision", "time"].round(6).tolist()


def silent(run: Callable[[], object]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run()


@pytest.mark.parametrize("mode", ["python", "run"])
def test_a_forgotten_reset_is_warned_of_at_the_line_of_the_node(mode: str) -> None:
    m, line = cogir.Model("choice"), inspect.currentframe().f_lineno + 1  # pyright: ignore[reportOptionalMemberAccess]
    m.node("decision", library.drift_diffusion_integrator, threshold=0.5, noise=0.0, time_step_size=0.1, execute_until_finished=True)
    remedy = r'reset_each_trial=True, .* model.schedule.reset\("decision", cogir.AtTrialStart\(\)\), or reset_each_trial=False'
    with pytest.warns(cogir.ResetWarning, match=f'node "decision": .*{remedy}') as caught:
        assert times(m, mode=mode) == [0.5, 0.6, 0.7]
    assert [(one.filename, one.lineno) for one in caught] == [(__file__, line)]


@pytest.mark.parametrize("mode", ["python", "run"])
def test_reset_each_trial_is_a_reset_at_the_start_of_each_trial(mode: str) -> None:
    said, written = choice(reset_each_trial=True), choice()
    written.schedule.reset("decision", cogir.AtTrialStart())
    assert str(said.ir()) == str(written.ir())
    silent(lambda: times(written, mode=mode))
    silent(lambda: times(said, mode=mode))
    assert times(said, mode=mode) == [0.5, 0.5, 0.5]


def test_reset_each_trial_false_carries_state_without_a_warning() -> None:
    kept = choice(reset_each_trial=False)
    assert "cog.reset" not in str(kept.ir())
    assert times(kept) == [0.5, 0.6, 0.7]


def test_a_reset_is_said_once() -> None:
    m = choice(reset_each_trial=True)
    with pytest.raises(cogir.ModelError, match=r'schedule.reset of "decision": it is given already, at .*test_forgotten_resets.py:\d+'):
        m.schedule.reset("decision", cogir.AtTrialStart())


@pytest.mark.parametrize("given", ["yes", 2, np.ones(2)])
def test_reset_each_trial_is_true_or_false(given: Any) -> None:
    with pytest.raises(cogir.ModelError, match=r'node "decision": reset_each_trial is .*; give True or False'):
        choice(reset_each_trial=given)


def with_its_own_reset() -> cogir.Model:
    m = choice()
    m.schedule.reset("decision", cogir.AtRunStart())
    return m


def with_one_state_reset() -> cogir.Model:
    m = choice()
    node = m["decision"]
    assert isinstance(node, cogir.Node)
    m.schedule.reset(node.state("previous_value"), cogir.AtTrialStart())
    return m


def without_state() -> cogir.Model:
    m = cogir.Model("stateless")
    m.node("decision", stateless, execute_until_finished=True)
    return m


def step_by_step() -> cogir.Model:
    return choice(execute_until_finished=False)


def instance_that_is_reset() -> cogir.Model:
    m = cogir.Model("outer")
    m.schedule.reset(m.instance("one", choice()), cogir.AtTrialStart())
    return m


def from_text() -> Any:
    """A text says all that it means."""
    return cogir.Model.from_ir(str(choice().ir()))


@pytest.mark.parametrize(
    "build", [with_its_own_reset, with_one_state_reset, without_state, step_by_step, instance_that_is_reset, from_text]
)
def test_models_that_forget_nothing_do_not_warn(build: Callable[[], Any]) -> None:
    compiled = build().compile(mode="python", unfinished="ignore")
    silent(lambda: compiled.run({}, num_trials=3))


def test_a_node_that_receives_its_own_output_has_a_state() -> None:
    m = without_state()
    m.project("decision", "decision", recurrent=True)
    m.input("decision")
    with pytest.warns(cogir.ResetWarning, match='node "decision"'):
        m.compile(mode="python").run({}, num_trials=2)


def test_nodes_of_instances_go_by_their_paths_and_are_mended_once() -> None:
    inner, outer, middle = choice(), cogir.Model("outer"), cogir.Model("middle")
    middle.instance("left", inner)
    middle.instance("right", inner)
    outer.instance("pair", middle)
    with pytest.warns(cogir.ResetWarning, match=r'node "pair/left/decision": .*reset\("decision",') as caught:
        outer.compile(mode="python", unfinished="ignore").run({}, num_trials=2)
    assert len(caught) == 1


def test_nodes_of_one_line_are_warned_of_together() -> None:
    m = cogir.Model("m")
    for number in range(3):
        decision(m, f"decision {number}")
    decision(m, "reset", reset_each_trial=True)
    with pytest.warns(cogir.ResetWarning, match=r'node "decision 0" \(and 2 more nodes made there\)') as caught:
        m.compile(mode="python", unfinished="ignore").run({}, num_trials=2)
    assert len(caught) == 1


@pytest.mark.parametrize(("trials", "warns"), [(1, False), (2, True)])
def test_another_model_that_is_simulated_counts_where_a_simulation_has_several_trials(trials: int, warns: bool) -> None:
    task, world = choice(), cogir.Model("world")
    effort = world.node("effort", library.linear, slope=1.0)
    world.control(
        "planner",
        model=task,
        objective=task["decision"],
        signals=[cogir.Signal(effort.param("slope"), levels=[1.0, 2.0])],
        features={task["decision"]["variable"]: [1.0]},
        trials_per_estimate=trials,
    )
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        world.compile(mode="python").run({"effort": [[1.0]]}, num_trials=2)
    assert [str(one.message).split('"')[1] for one in caught if one.category is cogir.ResetWarning] == ["planner/decision"] * warns


def test_a_model_that_simulates_itself_is_warned_of_once() -> None:
    m = choice()
    m.control(
        "planner",
        model=m,
        objective=m["decision"],
        signals=[cogir.Signal(m["decision"].param("rate"), levels=[1.0, 2.0])],
        trials_per_estimate=2,
    )
    m.output("decision")
    with pytest.warns(cogir.ResetWarning, match='node "decision": ') as caught:
        m.compile(mode="python").run({"decision": [[1.0]]}, num_trials=2)
    assert len(caught) == 1


@pytest.mark.parametrize("mode", ["python", "run"])
def test_single_trials_warn_when_one_follows_another(mode: str) -> None:
    c = choice().compile(mode=mode)
    inputs = {"decision": [[1.0]]}

    def apart() -> None:
        for subject in range(3):
            c.run(inputs, 1, context=f"subject {subject}")
            c.run(inputs, 1)
            c.reset()
        c.run(inputs, 0)
        c.replicates(inputs, count=2)

    silent(apart)
    c.run(inputs, 1)
    with pytest.warns(cogir.ResetWarning):
        c.run(inputs, 1)
    silent(lambda: c.run(inputs, 1))  # it was said


def test_copies_of_a_context_that_has_run_go_on_from_there() -> None:
    c = choice().compile(mode="run")
    c.run({"decision": [[1.0]]}, 1)
    for held in (c.context().copy(), pickle.loads(pickle.dumps(c.context()))):
        with pytest.warns(cogir.ResetWarning):
            choice().compile(mode="run").run({"decision": [[1.0]]}, 1, context=held)


def test_replicates_of_several_trials_warn() -> None:
    with pytest.warns(cogir.ResetWarning):
        choice().compile().replicates({"decision": [[1.0]]}, count=2, num_trials=2)


def test_a_model_that_is_compiled_again_is_warned_of_once_by_default() -> None:
    m = choice()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        for _ in range(3):
            times(m)
    assert len(caught) == 1


def test_trials_that_compute_nothing_are_announced_by_one_warning() -> None:
    m = choice()
    m.schedule.trial_ends(cogir.WhenFinished("decision"))
    with pytest.warns(cogir.FinishedWarning) as caught:
        times(m)
    assert len(caught) == 1


def test_replicates_and_sweeps_announce_trials_that_compute_nothing() -> None:
    for call in (
        lambda c: c.replicates({"decision": [[1.0]]}, count=2, num_trials=2),
        lambda c: c.sweep({"decision": [[1.0], [2.0]]}, num_trials=2),
    ):
        m = choice()
        m.schedule.trial_ends(cogir.WhenFinished("decision"))
        with pytest.warns(cogir.FinishedWarning):
            call(m.compile(unfinished="ignore"))


def test_a_model_that_is_compiled_again_is_not_warned_of_again() -> None:
    m = choice()
    with pytest.warns(cogir.ResetWarning):
        times(m, mode="python")
    silent(lambda: times(m, mode="python"))
    decision(m, "another")
    with pytest.warns(cogir.ResetWarning, match="1 more node made there"):
        m.compile(mode="python", unfinished="ignore").run({}, num_trials=2)
    with pytest.warns(cogir.ResetWarning):
        times(choice(), mode="python")


def test_a_warning_that_is_an_error_is_given_again() -> None:
    m = choice()
    for _ in range(2):
        with pytest.raises(cogir.ResetWarning):
            silent(lambda: times(m, mode="python"))


def test_two_runs_at_the_same_time_warn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = choice().compile(mode="run")
    calls: list[cogir.Model] = []

    def warn(model: cogir.Model) -> None:
        """Lets another thread run the model before this one goes on."""
        calls.append(model)
        if len(calls) == 1:
            other = Thread(target=lambda: compiled.run({"decision": [[1.0]]}, 3, context="other"))
            other.start()
            other.join()

    monkeypatch.setattr("cogir.frontend.builder.model.warn_of_forgotten_resets", warn)
    compiled.run({"decision": [[1.0]]}, 3)
    assert len(calls) == 1
    compiled.run({"decision": [[1.0]]}, 3)
    assert len(calls) == 1
