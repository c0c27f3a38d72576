"""The texts and tables of what public calls return: readable, escaped, and none is Python's own `<... object at 0x...>`."""

from __future__ import annotations

import html
import re
from typing import Any

import numpy as np
import pytest

import cogir
from cogir import library
from cogir.library import Random, State, Static, Step, Value


def noisy(x: Value, *, scale: float = 0.5, mode: Static = "a<b", matrix: Any = np.ones((3, 4)), total: State = 0.0, random: Random) -> Step:
    total = total + x + scale * random.normal(x.shape) + 0.0 * np.sum(matrix)
    return Step(outputs=(total,), states=(total,), finished=abs(total[0]) > 1.0)


@pytest.fixture(scope="module")
def model() -> cogir.Model:
    made = cogir.Model("shown", seed=3)
    stimulus = made.node("stimulus", input=2)
    decision = made.node("de<cision", noisy, input=2, execute_until_finished=True, reset_each_trial=True)
    made.project(stimulus, decision, matrix=[[1.0, 0.5], [0.0, 1.0]])
    return made


@pytest.fixture(scope="module")
def compiled(model: cogir.Model) -> cogir.Compiled:
    made = model.compile()
    made.run({"stimulus": [[0.3, 0.1]]})
    return made


def test_parameters(compiled: cogir.Compiled) -> None:
    lines = repr(compiled.params).splitlines()
    assert lines[0] == "parameters of the default context:"
    assert "  de<cision/scale      0.5" in lines
    assert "  de<cision/matrix     3×4 times 1" in lines
    assert "  stimulus->de<cision  [[1, 0.5], [0, 1]]" in lines
    assert re.fullmatch(r"  \(\d+ more, such as levels and start values\)", lines[-1])
    page = compiled.params._repr_html_()
    assert "<td" in page
    assert "de&lt;cision/scale" in page
    assert "de<cision" not in page


def test_states(compiled: cogir.Compiled) -> None:
    text = repr(compiled.state)
    assert text.startswith("state of the default context:\n")
    assert "de<cision/total" in text
    assert "clock:" not in text
    assert re.search(r"\(\d+ more of clocks and counts\)$", text)
    assert dict(compiled.state)["de<cision/state:total"].shape == (2,)
    other = compiled.context("a & b")
    assert 'state of context "a &amp; b"' in html.unescape(other.state._repr_html_()).replace("&", "&amp;")


def test_generators(compiled: cogir.Compiled) -> None:
    assert repr(compiled.generators) == "generators of the default context:\n  de<cision/random:random  xoshiro256"
    assert "de&lt;cision/random:random" in compiled.generators._repr_html_()
    other = compiled.context("b")
    other.generators["de<cision"] = other.generators["de<cision"]
    assert repr(other.generators) == 'generators of context "b":\n  de<cision/random:random  xoshiro256, set by hand'
    quiet = cogir.Model("quiet")
    quiet.node("a")
    assert repr(quiet.compile().generators) == "generators of the default context: none"


def test_many_values_are_cut() -> None:
    model = cogir.Model("many")
    for number in range(130):
        model.node(f"n{number}", library.linear, slope=float(number))
    text = repr(model.compile().params)
    assert text.count("\n") == 102
    assert "  and " in text


def test_a_node(model: cogir.Model) -> None:
    page = model["de<cision"]._repr_html_()
    for text in (
        "node &quot;de&lt;cision&quot; of &quot;shown&quot;: noisy, executes until it has finished",
        "scale",
        "0.5",
        "a&lt;b",
        "total",
        "xoshiro256",
        "input",
        "output",
    ):
        assert text in page or html.unescape(text).replace("<", "&lt;") in page, text
    assert "passes its input on" in model["stimulus"]._repr_html_()


def results() -> dict[str, Any]:
    """What public calls return."""
    model = cogir.Model("m")
    stimulus = model.node("s")
    node = model.node("d", library.drift_diffusion_integrator, noise=0.5, threshold=1.0, execute_until_finished=True, reset_each_trial=True)
    projection = model.project(stimulus, node, matrix=[[1.0]], name="w")
    model.record(node, every=10)
    outer, searched, learner = cogir.Model("outer"), cogir.Model("searched"), cogir.Model("learner")
    instance = outer.instance("i", model)
    searching = searched.node("a", library.linear)
    signal = cogir.Signal(searching.param("slope"), levels=[1.0, 2.0])
    control = searched.control("c", objective=searching, signals=[signal])
    for name in "xyt":
        learner.node(name)
    learner.project("x", "y", matrix=[[0.1]])
    learner.learning([("y", "t")], rate=0.1)
    compiled = model.compile()
    inputs = {"s": [[0.3]] * 4}
    run = compiled.run(inputs)
    return {
        "model": model,
        "streams": model.streams,
        "node": node,
        "port": node["value"],
        "parameter": node.param("rate"),
        "state": node.state("previous_value"),
        "projection": projection,
        "instance": instance,
        "signal": signal,
        "control": control,
        "schedule": model.schedule,
        "condition": cogir.AfterPass(1) & ~cogir.WhenFinished(node),
        "compiled": compiled,
        "params": compiled.params,
        "states": compiled.state,
        "generators": compiled.generators,
        "generator": compiled.generators["d"],
        "context": compiled.context("b"),
        "result": run,
        "traces": run.traces,
        "trace": run.traces["d/value"],
        "attributes": run.attributes,
        "summary": run.summary(),
        "replicates": compiled.replicates(inputs, count=5, start="fresh"),
        "sweep": compiled.sweep({"d/rate": [0.5, 1.0]}, inputs, replicates=4, start="fresh"),
        "learned": learner.compile().learn({"x": [[1.0]], "t": [[1.0]]}),
        "version": compiled.specialise(),
        "explanation": compiled.explain(),
        "stages": model.stages("cog"),
        "picture": model.show(),
        "random": cogir.random(1),
        "zipped": cogir.zipped({"d/rate": [1.0, 2.0]}),
        "between": cogir.Between(0.0, 1.0),
        "mean": cogir.reductions.Mean("d/time"),
        "ranges": cogir.analyze.ranges(searched),
    }


def test_nothing_is_shown_as_an_address() -> None:
    found = results()
    assert repr(found["signal"]) == '<signal "a slope": multiply a.param("slope"), 2 levels>'
    for name, value in found.items():
        for text in (repr(value), str(value)):
            assert " at 0x" not in text, (name, text)
            assert len(text) < 5000, name


def test_public_classes_have_texts_of_their_own() -> None:
    for space in (cogir, cogir.reductions):
        for name in space.__all__ if hasattr(space, "__all__") else dir(space):
            found = getattr(space, name)
            if isinstance(found, type) and found.__module__.startswith("cogir") and found is not cogir.Condition:
                assert found.__repr__ is not object.__repr__, name
