"""Static arguments: which functions they may be, and what is said about others."""

import functools
import math
from typing import Any

import numpy as np
import pytest

import cogir
from cogir import library
from cogir.library import Static, Value


def applied(x: Value, *, function: Static = np.tanh, mode: Static = "plain") -> Value:
    if mode not in ("plain", "double"):
        raise ValueError('mode is neither "plain" nor "double"')
    return function(x) if mode == "plain" else 2.0 * function(x)


def power(x: Value, exponent: Value) -> Value:
    return x**exponent


FUNCTIONS: dict[str, Any] = {
    "partial": functools.partial(power, exponent=3.0),
    "partial of a partial": functools.partial(functools.partial(power), exponent=2.0),
    "ufunc": np.sqrt,
    "function of NumPy": np.cumsum,
    "lambda": lambda x: x + 1.0,
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_of_every_sort_are_compiled(name: str) -> None:
    function = FUNCTIONS[name]
    model = cogir.Model("m")
    model.node("n", applied, input=2, function=function)
    x = np.array([0.5, 2.0])
    for mode in ("run", "python"):
        assert model.compile(mode=mode).run({"n": [x]})["n"].tolist() == [function(x).tolist()]


def test_builtin_functions_are_compiled() -> None:
    model = cogir.Model("m")
    model.node("n", applied, input=(), function=math.exp)
    assert model.compile(mode="run").run({"n": [0.5]})["n"].tolist() == [math.exp(0.5)]


def test_partials_with_other_arguments_are_other_programs() -> None:
    results = []
    for exponent in (2.0, 3.0):
        model = cogir.Model("m")
        model.node("n", applied, input=1, function=functools.partial(power, exponent=exponent))
        results.append(model.compile(mode="run").run({"n": [[2.0]]})["n"].item())
    assert results == [4.0, 8.0]


def test_other_objects_are_refused() -> None:
    with pytest.raises(
        cogir.ModelError, match=r'constant "function" is \[1.0\]; give a string, .* a lambda, a functools.partial or one of'
    ):
        cogir.Model("m").node("n", applied, input=1, function=[1.0])


@pytest.mark.parametrize(("bound", "meant"), [("lineer", "linear"), ("exponental", "exponential"), ("Weibull", "weibull")])
def test_misspelt_names_of_the_library_are_found(bound: str, meant: str) -> None:
    with pytest.raises(cogir.FunctionError, match=f'bound is none of .*; did you mean "{meant}"'):
        cogir.Model("m").node("d", library.drift_diffusion_decision, input=1, bound=bound)


def test_names_that_are_near_none_get_no_suggestion() -> None:
    with pytest.raises(cogir.FunctionError, match=r': node "d": bound_at: bound is none of .* give one of them or a function$'):
        cogir.Model("m").node("d", library.drift_diffusion_decision, input=1, bound="parabola")


def test_a_bound_of_other_arguments_says_how_it_is_called() -> None:
    message = (
        r"missing a required argument: 'c'; it is called as bound\(time, threshold\), with 2 arguments: give a function that takes these"
    )
    with pytest.raises(cogir.FunctionError, match=message):
        cogir.Model("m").node("d", library.drift_diffusion_decision, input=1, bound=lambda a, b, c: a)


def test_a_static_argument_cannot_be_set_in_a_compiled_model() -> None:
    inner = cogir.Model("inner")
    inner.node("d", library.drift_diffusion_decision, input=1)
    model = cogir.Model("m")
    model.node("d", library.drift_diffusion_decision, input=1)
    model.instance("placed", inner)
    for mode in ("run", "python"):
        compiled = model.compile(mode=mode)
        for path in ("d/bound", "placed/d/bound"):
            message = rf'"{path}" is a Static argument, .* give it to m.node\("{path[:-6]}", ..., bound=...\), and compile the model again'
            with pytest.raises(cogir.InputError, match=message):
                compiled.params[path] = "linear"
            with pytest.raises(cogir.InputError, match=message):
                compiled.params.update({path: "linear"})
            assert path not in compiled.params
