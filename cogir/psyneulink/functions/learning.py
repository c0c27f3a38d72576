"""PsyNeuLink's learning functions."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import Any

import numpy as np

from cogir import library
from cogir.psyneulink.functions.compose import Composer
from cogir.psyneulink.functions.counterpart import Counterpart, ParameterPlace, flat
from cogir.psyneulink.functions.table_entry import FunctionReader, TableEntry

MODULE = "psyneulink.core.components.functions.nonstateful.learningfunctions"


def _learning_rate(r: FunctionReader) -> dict[str, tuple[str, Any]]:
    """The learning rate: of the call, of the Function, or its default."""
    given = r.given.get("learning_rate")
    given = r.value("learning_rate") if given is None else given
    given = r.function.defaults.learning_rate if given is None else given
    return {"learning_rate": ("learning_rate", r.as_numbers(given, "learning_rate"))}


def _hebbian(r: FunctionReader) -> Counterpart:
    n = r.size
    inputs = {"variable": ParameterPlace(r.function, "variable", None, (n,))}
    return r.make(library.hebbian, values=_learning_rate(r), inputs=inputs, shape=(n, n))


def _kohonen(r: FunctionReader) -> Counterpart:
    f, values = r.function, _learning_rate(r)
    if np.ndim(values["learning_rate"][1]) == 1:
        raise r.refuse("its learning_rate is a vector", "give a number or a matrix")
    if getattr(f.distance_function, "__name__", "") != "scalar_distance" or f.measure not in ("gaussian", "linear", "exponential"):
        raise r.refuse("its distance_function is a Python function", "give gaussian, linear or exponential")
    n = len(flat(r.variable[0]))
    inputs = {
        "variable": ParameterPlace(f, "variable", 0, (n,)),
        "activity": ParameterPlace(f, "variable", 1, (n,)),
        "matrix": ParameterPlace(f, "variable", 2, (n, n)),
    }
    return r.make(library.psyneulink.kohonen, values=values, statics={"distance_function": f.measure}, inputs=inputs, shape=(n, n))


def _reinforcement(r: FunctionReader) -> Counterpart:
    f = r.function
    n, m = (len(flat(r.variable[item])) for item in (1, 2))
    inputs = {"output": ParameterPlace(f, "variable", 1, (n,)), "error": ParameterPlace(f, "variable", 2, (m,))}
    outputs = {name: ParameterPlace(f, "value", item, (n,)) for item, name in enumerate(("learning_signal", "error_signal"))}
    return r.make(library.psyneulink.reinforcement, values=_learning_rate(r), inputs=inputs, outputs=outputs)


_DERIVATIVES = {
    "Linear": (library.psyneulink.linear_derivative, "slope scale"),
    "Logistic": (library.psyneulink.logistic_derivative, "gain scale"),
    "ReLU": (library.psyneulink.relu_derivative, "gain leak scale"),
    "SoftMax": (library.psyneulink.softmax_derivative, ""),
}
"""Derivatives that PsyNeuLink computes from the output, as learning needs them."""


def _derivative(r: FunctionReader, shape: tuple[int, ...]) -> Counterpart:
    """The derivative of the activation function, as a function of the output."""
    method = r.function.activation_derivative_fct
    owner = getattr(method, "__self__", None)
    known = _DERIVATIVES.get(type(owner).__name__)
    if owner is None or known is None or getattr(method, "__name__", "") != "derivative":
        raise r.refuse(f"its activation_derivative_fct is {method!r:.60}", f"give the derivative of one of {', '.join(_DERIVATIVES)}")
    inside = r.of_inner(owner, np.zeros(shape))
    inside.entry()
    if type(owner).__name__ == "SoftMax" and inside.value("output") != "all":
        raise inside.refuse("its output is one element", "give output=ALL")
    return inside.make(known[0], known[1], shape=shape)


def _back_propagation(r: FunctionReader) -> Counterpart:
    f = r.function
    if r.given.get("covariates") is not None:
        raise r.refuse("it is called with covariates", "give the function one input")
    i, o, e = (len(flat(r.variable[item])) for item in range(3))
    derivative = _derivative(r, (o,))
    loss = getattr(r.value("loss_spec"), "name", None)
    statics = {"loss": loss if loss in ("MSE", "SSE") else "none"}
    inputs = {
        "activation_input": ParameterPlace(f, "variable", 0, (i,)),
        "derivative": ParameterPlace(f, "", None, (o,)),
        "error_signal": ParameterPlace(f, "variable", 2, (e,)),
        "error_matrix": ParameterPlace(f, "error_matrix", None, (o, e)),
    }
    outputs = {"learning_signal": ParameterPlace(f, "value", 0, (i, o)), "error_signal": ParameterPlace(f, "value", 1, (o,))}
    main = r.make(library.psyneulink.back_propagation, values=_learning_rate(r), statics=statics, inputs=inputs, outputs=outputs)
    composer = Composer(["activation_input", "activation_output", "error_signal", "error_matrix"])
    slope = composer.call(derivative, ["activation_output"], "derivative_")[0]
    results = composer.call(main, ["activation_input", slope, "error_signal", "error_matrix"], "")
    del inputs["derivative"]
    return replace(
        main,
        function=composer.function("back_propagation_through_" + derivative.name.lower(), dict(zip(outputs, results, strict=True))),
        inputs=MappingProxyType(
            {
                "activation_input": inputs["activation_input"],
                "activation_output": ParameterPlace(f, "variable", 1, (o,)),
                "error_signal": inputs["error_signal"],
                "error_matrix": inputs["error_matrix"],
            }
        ),
        params=MappingProxyType(composer.params),
        statics=MappingProxyType({}),
        places=MappingProxyType(composer.places),
    )


def _em_storage(r: FunctionReader) -> Counterpart:
    matrix = r.given.get("memory_matrix")
    if matrix is None:
        raise r.refuse("it is called without a memory_matrix", 'give params={"memory_matrix": ...} with a matrix of its shape')
    axis = int(r.given.get("axis", r.value("axis")))
    location = r.given.get("storage_location", r.value("storage_location"))
    values = {
        name: (name, float(np.reshape(r.as_numbers(r.given[name], name), ())) if name in r.given else r.number(name))
        for name in ("storage_prob", "decay_rate")
    }
    f, shape = r.function, np.shape(matrix)
    return r.make(
        library.psyneulink.em_storage,
        values=values,
        statics={"axis": axis, "storage_location": None if location is None else int(location)},
        random="random",
        inputs={
            "variable": ParameterPlace(f, "variable", None, (r.size,)),
            "memory_matrix": ParameterPlace(f, "memory_matrix", None, shape),
        },
        shape=shape,
    )


def _entry(functions: tuple[Any, ...], build: Any, params: str = "learning_rate", constants: str = "", limits: str = "") -> TableEntry:
    return TableEntry("learning", MODULE, functions, build, tuple(params.split()), tuple(constants.split()), limits=limits)


ENTRIES: dict[str, TableEntry] = {
    "Hebbian": _entry((library.hebbian,), _hebbian),
    "ContrastiveHebbian": _entry((library.psyneulink.contrastive_hebbian,), _hebbian),
    "Kohonen": _entry(
        (library.psyneulink.kohonen,),
        _kohonen,
        constants="distance_function",
        limits="a vector of learning rates; Python functions as distance",
    ),
    "Reinforcement": _entry((library.psyneulink.reinforcement,), _reinforcement),
    "TDLearning": _entry((library.psyneulink.td_learning,), _reinforcement),
    "BackPropagation": _entry(
        (library.psyneulink.back_propagation, *(function for function, _ in _DERIVATIVES.values())),
        _back_propagation,
        constants="loss_spec activation_derivative_fct",
        limits="derivatives of other functions than Linear, Logistic, ReLU and SoftMax; covariates",
    ),
    "EMStorage": _entry((library.psyneulink.em_storage,), _em_storage, "storage_prob decay_rate", "axis storage_location"),
    "BayesGLM": TableEntry(
        "learning",
        MODULE,
        limits="it draws from a multivariate normal distribution through LAPACK's singular value decomposition, whose signs are not "
        "determined",
        remedy="run it in PsyNeuLink's Python mode",
    ),
}
