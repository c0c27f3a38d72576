"""What can be indexed by name is iterated by name, has a length, knows what is in it, and becomes a dict; or says that it does not."""

import ast
import importlib
import pickle
from collections.abc import Callable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from support.fitted_decisions import BOUNDS, CHOICE, INPUTS, TIME, ddm, ddm_data

import cogir
from cogir.runtime.sweeps.reductions import Block

PACKAGE = Path(cogir.__file__).parent
INSIDE = {"Converter", "Table", "TrialValues"}
"""Classes that users never see."""

AT = INPUTS
MAPPINGS: dict[str, Callable[[SimpleNamespace], Mapping[Any, Any]]] = {
    "result": lambda made: made.result,
    "replicates": lambda made: made.compiled.replicates(AT, 3, 2, start="fresh"),
    "sweep": lambda made: made.compiled.sweep({"ddm/threshold": [1.0, 2.0]}, AT, 2, start="fresh"),
    "loaded": lambda made: pickle.loads(pickle.dumps(made.result)),
    "traces": lambda made: made.result.traces,
    "unfinished": lambda made: made.result.unfinished,
    "attributes": lambda made: made.result.attributes,
    "summary": lambda made: made.result.summary(),
    "fit": lambda made: made.fit,
    "loaded fit": lambda made: pickle.loads(pickle.dumps(made.fit)),
    "draws of a loaded fit": lambda made: pickle.loads(pickle.dumps(made.fit)).draws,
    "fits": lambda made: made.fits,
    "posterior": lambda made: made.drawn,
    "posterior of a pickle": lambda made: pickle.loads(pickle.dumps(made.drawn)),
    "parameters of a fit": lambda made: made.fit.parameters,
    "params": lambda made: made.compiled.params,
    "state": lambda made: made.compiled.state,
    "generators": lambda made: made.compiled.generators,
    "ranges": lambda made: made.ranges,
    "stages": lambda made: made.model.stages("cog"),
    "block": lambda made: Block({"ddm/value": np.zeros((1, 2, 3))}, None),
}


@pytest.fixture(scope="module")
def made() -> SimpleNamespace:
    """What a run, fits and analyses of one model give."""
    model = ddm()
    model.record(model["ddm"].state("position"))
    compiled = model.compile(unfinished="ignore")
    data = ddm_data(60) | {"who": np.tile(["anna", "ben"], 30)}
    known: dict[str, Any] = {"inputs": INPUTS, "likelihood": "analytical", "response": (CHOICE, TIME), "intervals": None}
    fit = cogir.fit(ddm(), data, BOUNDS, **known)
    given = {"ddm": (0.0, 1.0)}
    return SimpleNamespace(
        model=model,
        compiled=compiled,
        result=compiled.run(AT, 3),
        fit=fit,
        fits=cogir.fit(ddm(), data, BOUNDS, subject="who", **known),
        drawn=cogir.fit.posterior(fit, 4, tune=2, seed=1),
        ranges=cogir.analyze.ranges(model, inputs=given, draws=3.0, trials=1),
        steps=cogir.analyze.convergence(model, inputs=given, draws=3.0),
        effects=cogir.analyze.sensitivity(model, {"ddm/threshold": (1.0, 2.0)}, inputs=given, draws=3.0),
    )


@pytest.mark.parametrize("name", MAPPINGS)
def test_mappings_of_names(name: str, made: SimpleNamespace) -> None:
    found = MAPPINGS[name](made)
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
    assert bool(found) or found is made.ranges  # which are false without bounds


def test_a_fit_is_a_mapping_from_names_to_estimates(made: SimpleNamespace) -> None:
    names = tuple(BOUNDS)
    for found in (made.fit, pickle.loads(pickle.dumps(made.fit))):
        assert tuple(found) == names
        assert dict(found) == {**found} == dict(made.fit.parameters)
        assert list(found.values()) == made.fit.theta.tolist()
        assert sorted(found.items()) == sorted(made.fit.parameters.items())
        assert (len(found), names[0] in found, "ddm/treshold" in found) == (len(names), True, False)
        assert found == found
        assert found != dict(found)
    assert made.fit != pickle.loads(pickle.dumps(made.fit))
    assert {name: draws.shape for name, draws in made.drawn.items()} == dict.fromkeys(names, made.drawn.draws.shape[:2])


def test_estimates_are_given_to_a_model(made: SimpleNamespace) -> None:
    ready = ddm().compile(unfinished="ignore")
    ready.params.update(made.fit)
    assert {name: ready.params[name] for name in made.fit} == pytest.approx(dict(made.fit))
    assert np.array_equal(made.fit.problem.simulate(made.fit)[TIME], made.fit.problem.simulate(made.fit.theta)[TIME])


def test_sequences_that_take_names(made: SimpleNamespace) -> None:
    """Iterated they give their items; `in`, `keys` and `dict` go by name."""
    threshold = "ddm/threshold"
    assert list(dict(made.effects)) == [threshold]
    assert dict(made.effects)[threshold] is made.effects[threshold] is next(iter(made.effects))
    assert threshold in made.effects
    assert made.effects[threshold] in made.effects
    assert ("ddm/noise" in made.effects, 0 in made.effects) == (False, False)
    assert list(dict(made.steps).values()) == list(made.steps) == [made.steps["ddm"]]
    assert ("ddm" in made.steps, made.steps[0] in made.steps, "dmd" in made.steps, 0 in made.steps) == (True, True, False, False)
    with pytest.raises(cogir.InputError, match='convergence: there is no "stimulus"; there is "executions of ddm"'):
        made.steps["stimulus"]
    remarks = made.compiled.explain()
    about = remarks[0].about  # pyright: ignore[reportAttributeAccessIssue]
    assert (about in remarks, remarks[0] in remarks, "the weather" in remarks) == (True, True, False)


def test_a_trace_has_its_records(made: SimpleNamespace) -> None:
    trace = made.result.traces["ddm"]
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
