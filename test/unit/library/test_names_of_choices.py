"""Names that choose among formulas: those that no function knows are refused, not taken for the default."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest

import cogir
from cogir import library
from cogir.library import Random, Value
from cogir.library.signature import signature_of

PAIR: tuple[int, ...] = (2, 2)
CHOICES: dict[str, tuple[Any, dict[str, Any]]] = {
    "linear_combination": (library.linear_combination, {"operation": "Product"}),
    "reduce": (library.reduce, {"operation": "cross-entropy"}),
    "combine_means": (library.combine_means, {"operation": "mean"}),
    "td_lambda": (library.td_lambda, {"trace_type": "replace"}),
    "drift_diffusion": (library.drift_diffusion_decision, {"bound": "Linear"}),
    "full_drift_diffusion": (library.full_drift_diffusion_decision, {"bound": "Linear"}),
    "distance": (library.psyneulink.distance, {"metric": "cosin"}),
    "stability": (library.psyneulink.stability, {"metric": "Energy"}),
    "loss": (library.psyneulink.loss, {"kind": "mse"}),
    "softmax": (library.psyneulink.softmax, {"output": "argmax"}),
    "softmax_masked": (library.psyneulink.softmax_masked, {"output": "argmax"}),
    "softmax_adaptive": (library.psyneulink.softmax_adaptive, {"output": "argmax"}),
    "one_hot tie": (library.psyneulink.one_hot, {"tie": "random"}),
    "one_hot direction": (library.psyneulink.one_hot, {"direction": "maximum"}),
    "one_hot_random": (library.psyneulink.one_hot_random, {"direction": "maximum"}),
    "dual_adaptive": (library.psyneulink.dual_adaptive_integrator, {"operation": "s+l"}),
    "sphere": (library.psyneulink.drift_on_a_sphere_integrator, {"input_space": "auto"}),
    "fitz_hugh_nagumo": (library.psyneulink.fitz_hugh_nagumo_integrator, {"integration_method": "RK4"}),
    "kohonen": (library.psyneulink.kohonen, {"distance_function": "gauss"}),
    "back_propagation": (library.psyneulink.back_propagation, {"loss": "sse"}),
    "dictionary direction": (library.psyneulink.dictionary_memory, {"direction": "least"}),
    "dictionary tie": (library.psyneulink.dictionary_memory, {"tie": "random"}),
    "dictionary duplicates": (library.psyneulink.dictionary_memory, {"duplicate_keys": "Overwrite"}),
    "dictionary equidistant": (library.psyneulink.dictionary_memory, {"equidistant_keys_select": "new"}),
    "entries direction": (library.psyneulink.content_addressable_memory, {"direction": "least"}),
    "entries tie": (library.psyneulink.content_addressable_memory, {"tie": "random"}),
    "entries duplicates": (library.psyneulink.content_addressable_memory, {"duplicate_entries_allowed": "Overwrite"}),
    "entries equidistant": (library.psyneulink.content_addressable_memory, {"equidistant_entries_select": "new"}),
    "matrix operation": (library.psyneulink.matrix_memory, {"operation": "store"}),
    "matrix metric": (library.psyneulink.matrix_memory, {"metric": "cosine"}),
}
SHAPES: dict[str, Any] = {"linear_combination": PAIR, "reduce": PAIR, "combine_means": PAIR, "content_addressable_memory": PAIR}
OTHER_INPUTS: dict[str, Any] = {"matrix": PAIR, "error_matrix": PAIR, "reward": 1, "terminal": 1, "weakest": 1}
NUMBERS: dict[str, Any] = {
    "stability": {"matrix": np.eye(2)},
    "dictionary_memory": {"keys": np.zeros((3, 2)), "values": np.zeros((3, 2))},
    "content_addressable_memory": {"entries": np.zeros((3, 2, 2))},
    "matrix_memory": {"memory": np.ones((2, 2))},
}


def node(model: cogir.Model, function: Any, **given: Any) -> cogir.Node:
    name = function.__name__
    inputs = {each: OTHER_INPUTS.get(each, SHAPES.get(name, 2)) for each in signature_of(function).inputs}
    if name in ("drift_diffusion_decision", "full_drift_diffusion_decision"):
        inputs = dict.fromkeys(inputs, 1)
    return model.node("node", function, input=inputs, **NUMBERS.get(name, {}), **given)


@pytest.mark.parametrize("case", CHOICES)
def test_names_that_are_not_known_are_refused(case: str) -> None:
    function, given = CHOICES[case]
    with pytest.raises(cogir.FunctionError, match=r"(none of|neither) .*; give one of them"):
        node(cogir.Model("m"), function, **given)
    node(cogir.Model("m"), function)


def test_direct_calls_refuse_them_too() -> None:
    x = np.array([[1.0, 2.0], [3.0, 4.0]])
    with pytest.raises(ValueError, match='operation is none of "sum", "product" and "cross-entropy"; give one of them'):
        library.linear_combination(x, operation="Product")
    with pytest.raises(ValueError, match=r'output is none of "all", "arg_max", .*; give one of them'):
        library.psyneulink.softmax(x, output="argmax")


def test_a_name_that_is_nearly_right_is_found() -> None:
    with pytest.raises(cogir.FunctionError, match='did you mean "product"'):
        node(cogir.Model("m"), library.linear_combination, operation="Product")
    with pytest.raises(cogir.FunctionError, match='did you mean "cosine"'):
        node(cogir.Model("m"), library.psyneulink.distance, metric="cosin")


def test_all_functions_with_such_names_are_here() -> None:
    tested = {(function.__name__, name) for function, given in CHOICES.values() for name in given}
    for package in (library, library.psyneulink):
        for each in package.__all__:
            function = getattr(package, each)
            if not inspect.isfunction(function):
                continue
            named = {name for name, value in inspect.signature(function).parameters.items() if isinstance(value.default, str)}
            assert {(function.__name__, name) for name in named} - tested <= {
                (name, "metric") for name in ("dictionary_memory", "content_addressable_memory")
            }, function


def last_of_equals(value: Value, *, random: Random) -> Value:
    """The second of two entries that are equally far from the cue."""
    entries = np.array((((1.0, 0.0),), ((0.0, 1.0),), ((0.0, 0.0),)))
    found = library.psyneulink.content_addressable_memory(
        value.reshape(1, 2), metric="euclidean", tie="last", entries=entries, count=2.0, random=random
    )
    return found.outputs[0].reshape(2)


def test_the_last_of_equally_near_entries_is_retrieved() -> None:
    model = cogir.Model("m")
    model.node("memory", last_of_equals, input=2)
    for mode in ("run", "python"):
        assert model.compile(mode=mode).run({"memory": [[1.0, 1.0]]})["memory"].tolist() == [[0.0, 1.0]]
