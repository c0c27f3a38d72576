"""Labels and units of outputs: from the builder and from text into results, without touching code or its place in the cache."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cogir
from cogir import library
from cogir.frontend.compile import source_of

INPUTS = {"stimulus": [[0.1, 0.2]]}


def model(labels: Any = None, units: Any = None, rate: float = 1.0) -> cogir.Model:
    m = cogir.Model("labelled", seed=1)
    stimulus = m.node("stimulus", input=2, labels=labels)
    decision = m.node("decision", library.drift_diffusion_integrator, input=2, rate=rate, noise=0.5, units=units)
    m.project(stimulus, decision)
    m.output(stimulus, decision)
    return m


def headings(result: Any) -> list[str]:
    return list(result.to_dataframe().columns)[:2]


@pytest.mark.parametrize("mode", ["run", "python", "per_node"])
def test_results_have_the_labels_and_units_of_their_model(mode: str) -> None:
    m = model(["left", "right"], {"time": "s"})
    for compiled in (m.compile(mode=mode), cogir.compile(str(m.ir()), mode=mode)):
        for result in (compiled.run(INPUTS, 2), compiled.replicates(INPUTS, 2, 2, start="fresh")):
            found = result.to_xarray()
            assert found["stimulus"].values.tolist() == ["left", "right"]
            assert "decision" not in found.coords
            assert found["decision.time"].attrs["units"] == "s"
            assert headings(result) == ["stimulus/value[left]", "stimulus/value[right]"]


def test_labels_change_no_code_and_are_right_when_it_comes_from_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COGIR_CACHE_DIR", str(tmp_path / "cache"))
    texts = []
    for labels in (None, ["left", "right"], ["up", "down"], None):
        for given in (model(labels), str(model(labels).ir())):
            compiled = cogir.compile(given)
            marks = labels or ["0", "1"]
            assert headings(compiled.run(INPUTS)) == [f"stimulus/value[{mark}]" for mark in marks]
            texts.append(compiled.run(INPUTS).attributes["model_text"])
    entries = list((tmp_path / "cache").rglob("*.cogir"))
    assert len(entries) == 2, "one for the models of the builder, and one for their texts"
    assert ("up" in texts[4], "up" in texts[5], "left" in texts[4]) == (True, True, False)
    one, other = source_of(model()), source_of(model(["a", "b"], {"value": "m"}))
    assert (one.fingerprint(), one.structure and one.structure()) == (other.fingerprint(), other.structure and other.structure())


def test_labels_of_models_in_models() -> None:
    outer = cogir.Model("outer")
    outer.instance("one", model(["left", "right"]))
    result = outer.compile().run({"one": [[0.1, 0.2]]})
    assert headings(result) == ["one/stimulus/value[left]", "one/stimulus/value[right]"]
    assert headings(cogir.compile(str(outer.ir())).run({"one": [[0.1, 0.2]]})) == headings(result)


def test_a_list_is_for_all_outputs_of_its_length_and_a_dict_for_some() -> None:
    m = cogir.Model("race")
    m.node("race", library.leaky_competing_decision, input=3, labels={"value": ["a", "b", "c"]})
    assert list(m.compile().run({"race": [[1.0, 1.0, 1.0]]}).to_dataframe().columns)[-3:] == [f"race/value[{mark}]" for mark in "abc"]


def test_matrices_have_labels_along_their_last_axis() -> None:
    m = cogir.Model("matrix")
    m.node("grid", input=(2, 3), labels=["x", "y", "z"])
    found = m.compile().run({"grid": [np.ones((2, 3))]}).to_xarray()
    assert found["grid.value"].dims == ("trial", "grid.rows", "grid")
    assert found["grid"].values.tolist() == ["x", "y", "z"]


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (["a"], 'labels: found 1, but output "value" has 2 elements; give one label for each'),
        (["a", "a"], 'labels: "a" is given twice; labels must differ'),
        ("ab", r"labels is 'ab'; give a list of names: labels=\[\"left\", \"right\"\]"),
        ([1, 2], r"labels is \[1, 2\]; give a list of names"),
        (["a", ""], "labels is .*; give a list of names"),
        (5, "labels is 5; give a list of names"),
        ({"valu": ["a", "b"]}, r'labels: the node has no output "valu"; did you mean "value"\?'),
        ({3: ["a", "b"]}, "labels: the node has no output 3"),
    ],
)
def test_labels_that_do_not_fit(labels: Any, message: str) -> None:
    with pytest.raises(cogir.ModelError, match=rf'test_port_notes\.py:\d+: node "stimulus": {message}'):
        model(labels)


@pytest.mark.parametrize(
    ("units", "message"),
    [
        ("s", r'units is \'s\'; give a dict from outputs to units: units=\{"value": "s"\}'),
        ({"tim": "s"}, r'units: the node has no output "tim"; did you mean "time"\?'),
        ({"time": ""}, 'the unit of "time" is \'\'; give a text such as "s"'),
        ({"time": 1}, 'the unit of "time" is 1; give a text such as "s"'),
    ],
)
def test_units_that_do_not_fit(units: Any, message: str) -> None:
    with pytest.raises(cogir.ModelError, match=rf'node "decision": {message}'):
        model(units=units)


def test_a_single_number_has_no_labels() -> None:
    with pytest.raises(cogir.ModelError, match='labels: output "value" is a single number; leave them out'):
        cogir.Model("m").node("a", input=(), labels=["x"])
