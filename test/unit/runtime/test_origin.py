"""What results say of their run: the model's text, the parameters as they were, seeds, flags; and the same from a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cogir
from cogir import library


def model() -> cogir.Model:
    m = cogir.Model("ddm", seed=7)
    m.node(
        "decision",
        library.drift_diffusion_decision,
        threshold=1.0,
        execute_until_finished=True,
        max_executions_before_finished=600,
        reset_each_trial=True,
        units={"response_time": "s"},
    )
    return m


COMPILED = model().compile(unfinished="ignore")


@pytest.mark.parametrize("mode", ["run", "python"])
def test_a_result_holds_the_parameters_of_its_run(mode: str) -> None:
    m = cogir.Model("scale")
    m.node("scale", library.linear, input=2, slope=[1.0, 2.0])
    c = m.compile(mode=mode)
    first = c.run({"scale": [[1.0, 1.0]]})
    c.params["scale/slope"] = [3.0, 2.0]
    second = c.run({"scale": [[1.0, 1.0]]})
    assert first.attributes["parameters"]["scale/slope"] == [1.0, 2.0]
    assert second.attributes["parameters"]["scale/slope"] == [3.0, 2.0]
    assert (first.attributes["continued"], second.attributes["continued"]) == (False, True)
    c.params.update(first.attributes["parameters"])
    np.testing.assert_array_equal(c.run({"scale": [[1.0, 1.0]]})["scale"], first["scale"])


def test_runs_with_equal_parameters_share_their_copy() -> None:
    one, other = (COMPILED.run({"decision": [[1.0]]}) for _ in range(2))
    assert one.origin.parameters is other.origin.parameters


def test_the_text_of_a_result_runs_again() -> None:
    found = COMPILED.replicates({"decision": [[0.5]]}, 20, seed=3, start="fresh")
    attributes = found.attributes
    assert (attributes["model"], attributes["seed"], attributes["cogir_version"]) == ("ddm", 3, cogir.__version__)
    assert list(attributes["seeds"].values()) == [7]
    again = cogir.compile(attributes["model_text"], unfinished="ignore").replicates({"decision": [[0.5]]}, 20, seed=attributes["seed"])
    np.testing.assert_array_equal(again["decision", "response_time"], found["decision", "response_time"])
    with pytest.raises(cogir.InputError, match=r'attributes: there is no "modl"; did you mean "model"\?'):
        attributes["modl"]


@pytest.mark.parametrize("mode", ["run", "python"])
def test_a_model_that_was_changed_has_no_text(mode: str) -> None:
    m = cogir.Model("grows")
    m.node("a", library.linear)
    c = m.compile(mode=mode)
    first = c.run({"a": [[1.0]]})
    assert "cog.node @a" in first.attributes["model_text"]
    m.node("b", library.linear)
    late = m.compile(mode=mode)
    m.node("c", library.linear)
    assert late.run({"a": [[1.0]], "b": [[1.0]]}).attributes["model_text"] == ""
    assert "cog.node @a" in c.run({"a": [[1.0]]}).attributes["model_text"], "it was read before the change"


def test_errors_and_interrupts_hold_results_with_an_origin() -> None:
    m = model()
    with pytest.raises(cogir.ExecutionError) as error:
        m.compile(unfinished="error").run({"decision": [[0.1]]}, 50)
    result: Any = error.value.result
    assert result.attributes["model"] == "ddm"
    assert result.unfinished["decision"].any()


@pytest.mark.parametrize("ending", ["npz", "nc", "zarr"])
def test_replicates_come_back_from_files(ending: str, tmp_path: Path) -> None:
    found = COMPILED.replicates({"decision": [[0.1]]}, 50, seed=2, start="fresh")
    found.save(tmp_path / f"r.{ending}")
    loaded: Any = cogir.load(tmp_path / f"r.{ending}")
    assert (loaded.kind, loaded.num_replicates, loaded.num_trials, loaded.status) == ("replicates", 50, 1, "done")
    assert list(loaded) == list(found)
    for name in found:
        assert loaded[name].tobytes() == found[name].tobytes()
    np.testing.assert_array_equal(loaded.unfinished["decision"], found.unfinished["decision"])
    np.testing.assert_array_equal(loaded.lengths, found.lengths)
    assert found.unfinished["decision"].any()
    assert loaded.to_dataframe().equals(found.to_dataframe())
    assert loaded.to_xarray().identical(found.to_xarray())
    assert str(loaded.summary()) == str(found.summary())
    assert dict(loaded.attributes) == dict(found.attributes)


def test_replicates_that_ended_early_leave_out_the_rest(tmp_path: Path) -> None:
    m = cogir.Model("ends")
    m.node("drawn", library.psyneulink.gaussian_distort, input=1)
    m.schedule.run_ends(cogir.AfterNTrials(2))
    found = m.compile().replicates({"drawn": [[0.5]]}, count=4, num_trials=3)
    found.save(tmp_path / "r.npz")
    loaded = cogir.load(tmp_path / "r.npz")
    assert len(found.to_dataframe()) == len(loaded.to_dataframe()) == 8
    assert loaded.summary()["drawn/value[0]"]["count"] == 8.0
    assert np.isnan(found.to_xarray()["drawn.value"].values[:, 2]).all()


def test_learning_comes_back_from_files(tmp_path: Path) -> None:
    m = cogir.Model("learns")
    a, b, target = m.node("a", input=2), m.node("b", library.linear, input=1), m.node("target", input=1)
    m.project(a, b, matrix=[[0.1], [0.2]])
    m.output(b)
    m.learning([(b, target)], rate=0.1)
    learned = m.compile().learn({"a": [[0.0, 1.0], [1.0, 1.0]], "target": [[1.0], [0.0]]}, epochs=5)
    assert learned["loss"] is learned.losses
    assert dict(learned.to_xarray().sizes) == {"epoch": 5, "batch": 2, "trial": 2, "b": 1}
    assert learned.to_dataframe().index.names == ["epoch", "batch"]
    assert learned.attributes["parameters"]["a:value->b:variable/matrix"] == [[0.1], [0.2]], "as it was before the first batch"
    learned.save(tmp_path / "l.npz")
    loaded: Any = cogir.load(tmp_path / "l.npz")
    np.testing.assert_array_equal(loaded.losses, learned.losses)
    np.testing.assert_array_equal(loaded.trials["b"], learned.trials["b"])
    assert loaded.kind == "learned"


def test_a_controller_s_choices_are_beside_the_outputs(tmp_path: Path) -> None:
    m = cogir.Model("search")
    prey = m.node("prey", library.linear)
    m.control("attention", objective=prey, signals=[cogir.Signal(prey.param("slope"), levels=[0.0, 0.5, 1.0])])
    m.output(prey)
    found = m.compile().run({"prey": [[0.2]]}, 3)
    assert found.to_xarray()["allocations:attention"].shape == (3, 1)
    found.save(tmp_path / "r.npz")
    np.testing.assert_array_equal(cogir.load(tmp_path / "r.npz").allocations["attention"], found.allocations["attention"])


def test_an_empty_result_has_an_interface_too(tmp_path: Path) -> None:
    found = COMPILED.run({"decision": [[0.1]]}, 0)
    found.save(tmp_path / "r.npz")
    assert cogir.load(tmp_path / "r.npz")["decision"].shape == found["decision"].shape
    assert found.summary()["decision/choice"]["count"] == 0.0
    assert found.to_xarray().sizes["trial"] == 0
    assert "0 of" not in str(found.summary())
    with pytest.raises(cogir.InputError, match="has no values"):
        found.plot()


@pytest.mark.parametrize("mode", ["run", "python"])
def test_a_generator_that_was_set_is_kept_by_its_state(mode: str, tmp_path: Path) -> None:
    compiled = model().compile(mode=mode, unfinished="ignore")
    path = "decision/random:random"
    compiled.generators["decision"] = cogir.random(7)
    first, second = (compiled.run({"decision": [[1.0]]}) for _ in range(2))
    compiled.reset()
    assert compiled.run({"decision": [[1.0]]}).attributes["seeds"] == {path: 7}
    first.save(tmp_path / "first.npz")
    attributes = cogir.load(tmp_path / "first.npz").attributes
    assert attributes["seeds"] == {}
    again = cogir.compile(attributes["model_text"], mode=mode, unfinished="ignore")
    for found in (first, second):  # the second begins where the first has ended
        again.reset()
        again.generators[path] = found.attributes["generator_states"][path]
        repeated = again.run({"decision": [[1.0]]})
        np.testing.assert_array_equal(repeated["decision", "value"], found["decision", "value"])
    assert not np.array_equal(first["decision", "value"], second["decision", "value"])
    assert "generator_states" not in compiled.replicates({"decision": [[1.0]]}, 2, seed=1, start="context").attributes
