"""What can be indexed by name is iterated by name, has a length, knows what is in it, and becomes a dict; or says that it does not."""

import ast
import importlib
import pickle
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.fitted_decisions import BOUNDS, CHOICE, INPUTS, TIME, ddm, ddm_data

import cogir
from cogir.runtime.sweeps.reductions import Block

PACKAGE = Path(cogir.__file__).parent
INSIDE = {"Converter", "Table", "TrialValues"}
"""Classes that users never see."""


MODEL = ddm()
MODEL.record(MODEL["ddm"].state("position"))
COMPILED = MODEL.compile(unfinished="ignore")
AT = INPUTS
RESULT = COMPILED.run(AT, 3)
DATA = ddm_data(60) | {"who": np.tile(["anna", "ben"], 30)}
FIT = cogir.fit(ddm(), DATA, BOUNDS, inputs=INPUTS, likelihood="analytical", response=(CHOICE, TIME), intervals=None)
FITS = cogir.fit(ddm(), DATA, BOUNDS, inputs=INPUTS, likelihood="analytical", response=(CHOICE, TIME), intervals=None, subject="who")
DRAWN = cogir.fit.posterior(FIT, 4, tune=2, seed=1)
RANGES = cogir.analyze.ranges(MODEL, inputs={"ddm": (0.0, 1.0)}, draws=3.0, trials=1)
STEPS = cogir.analyze.convergence(MODEL, inputs={"ddm": (0.0, 1.0)}, draws=3.0)
EFFECTS = cogir.analyze.sensitivity(MODEL, {"ddm/threshold": (1.0, 2.0)}, inputs={"ddm": (0.0, 1.0)}, draws=3.0)

MAPPINGS: dict[str, Mapping[Any, Any]] = {
    "result": RESULT,
    "replicates": COMPILED.replicates(AT, 3, 2, start="fresh"),
    "sweep": COMPILED.sweep({"ddm/threshold": [1.0, 2.0]}, AT, 2, start="fresh"),
    "loaded": pickle.loads(pickle.dumps(RESULT)),
    "traces": RESULT.traces,
    "unfinished": RESULT.unfinished,
    "attributes": RESULT.attributes,
    "summary": RESULT.summary(),
    "fit": FIT,
    "loaded fit": pickle.loads(pickle.dumps(FIT)),
    "draws of a loaded fit": pickle.loads(pickle.dumps(FIT)).draws,
    "fits": FITS,
    "posterior": DRAWN,
    "posterior of a pickle": pickle.loads(pickle.dumps(DRAWN)),
    "parameters of a fit": FIT.parameters,
    "params": COMPILED.params,
    "state": COMPILED.state,
    "generators": COMPILED.generators,
    "ranges": RANGES,
    "stages": MODEL.stages("cog"),
    "block": Block({"ddm/value": np.zeros((1, 2, 3))}, None),
}


@pytest.mark.parametrize("name", MAPPINGS)
def test_mappings_of_names(name: str) -> None:
    found = MAPPINGS[name]
    names = list(found)
    assert isinstance(found, Mapping)
    assert len(found) == len(names) > 0
    assert list(found.keys()) == names
    assert len(list(found.values())) == len(list(found.items())) == len(names)
    assert all(key in found for key in names)
    assert list(dict(found)) == names
    for key in names:
        assert np.array_equal(np.asarray(repr(found[key])), np.asarray(repr(found.get(key))))
    assert "nothing of that name" not in found
    assert found.get("nothing of that name", 7) == 7
    assert 0 not in found
    assert bool(found) or found is RANGES  # which are false without bounds


def test_a_fit_is_a_mapping_from_names_to_estimates() -> None:
    names = tuple(BOUNDS)
    for found in (FIT, pickle.loads(pickle.dumps(FIT))):
        assert tuple(found) == names
        assert dict(found) == {**found} == dict(FIT.parameters)
        assert list(found.values()) == FIT.theta.tolist()
        assert sorted(found.items()) == sorted(FIT.parameters.items())
        assert (len(found), names[0] in found, "ddm/treshold" in found) == (len(names), True, False)
        assert found == found
        assert found != dict(found)
    assert FIT != pickle.loads(pickle.dumps(FIT))
    assert {name: draws.shape for name, draws in DRAWN.items()} == dict.fromkeys(names, DRAWN.draws.shape[:2])


def test_estimates_are_given_to_a_model() -> None:
    ready = ddm().compile(unfinished="ignore")
    ready.params.update(FIT)
    assert {name: ready.params[name] for name in FIT} == pytest.approx(dict(FIT))
    assert np.array_equal(FIT.problem.simulate(FIT)[TIME], FIT.problem.simulate(FIT.theta)[TIME])


def test_sequences_that_take_names() -> None:
    """Iterated they give their items; `in`, `keys` and `dict` go by name."""
    threshold = "ddm/threshold"
    assert list(dict(EFFECTS)) == [threshold]
    assert dict(EFFECTS)[threshold] is EFFECTS[threshold] is next(iter(EFFECTS))
    assert threshold in EFFECTS
    assert EFFECTS[threshold] in EFFECTS
    assert ("ddm/noise" in EFFECTS, 0 in EFFECTS) == (False, False)
    assert list(dict(STEPS).values()) == list(STEPS) == [STEPS["ddm"]]
    assert ("ddm" in STEPS, STEPS[0] in STEPS, "dmd" in STEPS, 0 in STEPS) == (True, True, False, False)
    with pytest.raises(cogir.InputError, match='convergence: there is no "stimulus"; there is "executions of ddm"'):
        STEPS["stimulus"]
    remarks = COMPILED.explain()
    about = remarks[0].about  # pyright: ignore[reportAttributeAccessIssue]
    assert (about in remarks, remarks[0] in remarks, "the weather" in remarks) == (True, True, False)


def test_a_trace_has_its_records() -> None:
    trace = RESULT.traces["ddm"]
    assert len(list(trace)) == len(trace) == 3
    assert (float(trace[0].ravel()[0]) in trace, 1e9 in trace) == (True, False)


def test_parts_of_a_model_are_not_iterated() -> None:
    m = cogir.Model("parts")
    node = m.node("a", input=1)
    outer = cogir.Model("outer")
    inner = outer.instance("inner", m)
    for part in (node, inner):
        with pytest.raises(TypeError, match="is not iterable"):
            list(part)
        with pytest.raises(TypeError, match="is not iterable"):
            dict(part)
    assert ("value" in node, "vlue" in node, 0 in node) == (True, False, False)
    assert ("a" in inner, "b" in inner, 0 in inner) == (True, False, False)


def indexed_classes() -> list[tuple[str, str]]:
    """The module and the name of each class of cogir that defines how it is indexed."""
    found: list[tuple[str, str]] = []
    for path in sorted(PACKAGE.rglob("*.py")):
        place = path.relative_to(PACKAGE.parent).with_suffix("")
        if "psyneulink" in place.parts:
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ClassDef) and any(
                isinstance(part, ast.FunctionDef) and part.name == "__getitem__" for part in node.body
            ):
                found.append((".".join(place.parts), node.name))
    return found


def test_no_class_falls_into_numbers() -> None:
    """Python iterates what has `__getitem__` alone by the numbers 0, 1 ...; every class that is indexed says how it is iterated."""
    classes = [getattr(importlib.import_module(module), name) for module, name in indexed_classes()]
    assert len(classes) > 25
    silent = {each.__name__ for each in classes if not hasattr(each, "__iter__")}
    assert silent == INSIDE
