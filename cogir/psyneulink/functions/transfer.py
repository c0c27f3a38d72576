"""PsyNeuLink's transfer functions and timers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import numpy as np

from cogir import library
from cogir.psyneulink.functions.compose import Composer
from cogir.psyneulink.functions.counterpart import Counterpart, ParameterPlace
from cogir.psyneulink.functions.table_entry import FunctionReader, TableEntry
from cogir.psyneulink.reader import generator_of

MODULE = "psyneulink.core.components.functions.nonstateful.transferfunctions"
TIMERS = "psyneulink.core.components.functions.nonstateful.timerfunctions"


def elementwise(category: str, module: str, function: Callable[..., Any], params: str = "", scalars: str = "") -> TableEntry:
    """A function that works element by element, with the same names on both sides."""
    return TableEntry(
        category, module, (function,), lambda r: r.make(function, params, scalars=scalars), (*params.split(), *scalars.split())
    )


def _normalize(r: FunctionReader) -> Counterpart:
    per_item = bool(r.choice("per_item", (True, False)))
    if per_item and len(r.shape) > 2:
        raise r.refuse("its variable has more than two dimensions", "give two, or per_item=False")
    return r.make(library.normalize, scalars="eps", statics={"per_item": per_item})


def _gaussian_distort(r: FunctionReader) -> Counterpart:
    counterpart = r.make(library.psyneulink.gaussian_distort, "variance bias scale offset", random="random")
    if next(iter(counterpart.outputs.values())).shape != r.shape:
        raise r.refuse("a parameter has more elements than its variable", "give numbers, or arrays of the variable's shape")
    return counterpart


def _binomial_distort(r: FunctionReader) -> Counterpart:
    if len(r.shape) == 0:
        raise r.refuse("its variable is a number", "give an array")
    shape = np.broadcast_shapes(r.shape, r.shape[:1])
    return r.make(
        library.psyneulink.binomial_distort, scalars="p", random="random", legacy="p is 1" if r.number("p") == 1.0 else "", shape=shape
    )


def _learns(context: Any) -> bool:
    return getattr(getattr(context, "runmode", None), "name", "") == "LEARNING_MODE"


def _dropout(r: FunctionReader) -> Counterpart:
    if not _learns(r.context):
        return r.make(library.identity)
    inside = r.function.binomial_distort
    shape = np.broadcast_shapes(r.shape, r.shape[:1])
    if r.number("p") == 0.0:
        raise r.refuse("p is 0 while it learns", "leave the Dropout out")
    counterpart = r.make(library.psyneulink.dropout, scalars="p", shape=shape)
    return replace(
        counterpart,
        randoms=MappingProxyType({"random": r.generator(inside, legacy="p is 1" if r.number("p") == 1.0 else "")}),
        places=MappingProxyType({**counterpart.places, "random": ParameterPlace(inside, "random_state")}),
    )


SELECTIONS = ("all", "arg_max", "arg_max_indicator", "MAX_VAL", "MAX_INDICATOR", "PROB", "PROB_INDICATOR")


def _softmax(r: FunctionReader) -> Counterpart:
    output = r.choice("output", SELECTIONS)
    statics: dict[str, Any] = {"per_item": bool(r.choice("per_item", (True, False)))}
    if statics["per_item"] and len(r.shape) > 2:
        raise r.refuse("its variable has more than two dimensions", "give two, or per_item=False")
    gain = r.value("gain")
    adaptive = isinstance(gain, str)
    masked = r.value("mask_threshold") is not None
    threshold = {"mask_threshold": ("mask_threshold", r.number("mask_threshold") if masked else -1.0)}
    if output.startswith("PROB"):
        if adaptive:
            raise r.refuse("gain is adaptive and the output is drawn", "give a number as gain")
        inside = r.value("one_hot_function")
        statics["indicator"] = output == "PROB_INDICATOR"
        counterpart = r.make(library.psyneulink.softmax_probability, scalars="gain", values=threshold, statics=statics, shape=r.shape)
        return replace(
            counterpart,
            randoms=MappingProxyType({"random": generator_of(inside, None)}),  # PsyNeuLink calls it in no execution context
            places=MappingProxyType({**counterpart.places, "random": ParameterPlace(inside, "random_state")}),
        )
    statics["output"] = output
    if adaptive:
        scalars = "adapt_scale adapt_base adapt_entropy_weighting"
        return r.make(library.psyneulink.softmax_adaptive, scalars=scalars, values=threshold, statics=statics, shape=r.shape)
    if masked:
        return r.make(library.psyneulink.softmax_masked, scalars="gain mask_threshold", statics=statics)
    return r.make(library.psyneulink.softmax, scalars="gain", statics=statics)


def _angles(r: FunctionReader) -> Counterpart:
    if len(r.shape) != 1:
        raise r.refuse("its variable has more than one dimension", "give a vector of angles")
    return r.make(library.hyperspherical_to_cartesian, shape=(r.size + 1,))


def _transfer_with_costs(r: FunctionReader) -> Counterpart:
    """The transfer function, and the costs that are enabled; the last intensity and what the costs carry are its states."""
    r.regular()
    f, composer = r.function, Composer(["variable"])
    transfer = r.inner(r.value("transfer_fct"), r.variable, "transfer_fct")
    shape = next(iter(transfer.outputs.values())).shape
    composer.lines.append(f"intensity = {composer.call(transfer, ['variable'], 'transfer_')[0]}")
    composer.state("intensity_", np.array(np.broadcast_to(r.numbers("intensity"), shape)), ParameterPlace(f, "intensity", None, shape))
    composer.next_states["intensity_"] = "intensity"
    enabled = r.value("enabled_cost_functions").value
    costs: dict[str, ParameterPlace] = {}
    for bit, cost, argument in (
        (1, "intensity", "intensity"),
        (2, "adjustment", "np.abs(intensity - intensity_)"),
        (4, "duration", "intensity"),
    ):
        if not enabled & bit:
            continue
        fct = f"{cost}_cost_fct"
        inside = r.inner(r.value(fct), np.zeros(shape), fct)
        if len(inside.outputs) != 1:
            raise r.refuse(f"{fct} returns several values", "give a function of one value")
        composer.lines.append(f"{cost}_cost = {composer.call(inside, [argument], f'{cost}_cost_')[0]}")
        costs[f"{cost}_cost"] = ParameterPlace(f, f"{cost}_cost", None, next(iter(inside.outputs.values())).shape)
    outputs = {"value": ("intensity", ParameterPlace(f, "value", None, shape)), **{cost: (cost, place) for cost, place in costs.items()}}
    if costs:
        if len({place.shape for place in costs.values()}) != 1:
            raise r.refuse("its costs have different shapes", "give cost functions that keep the shape")
        joined = (len(costs), *next(iter(costs.values())).shape)
        combine = r.inner(r.value("combine_costs_fct"), np.zeros(joined), "combine_costs_fct")
        composer.lines.append(f"costs = np.stack(({', '.join(costs)},))")
        composer.lines.append(f"combined_costs = {composer.call(combine, ['costs'], 'combine_')[0]}")
        outputs["combined_costs"] = (
            "combined_costs",
            ParameterPlace(f, "combined_costs", None, next(iter(combine.outputs.values())).shape),
        )
    function = composer.function("transfer_with_costs", {name: expression for name, (expression, _) in outputs.items()})
    return Counterpart(
        type(f).__name__,
        function,
        MappingProxyType({"variable": ParameterPlace(f, "variable", None, r.shape)}),
        MappingProxyType({name: place for name, (_, place) in outputs.items()}),
        MappingProxyType(composer.params),
        MappingProxyType(composer.states),
        randoms=MappingProxyType(composer.randoms),
        places=MappingProxyType(composer.places),
    )


def _timer(function: Callable[..., Any], params: str) -> TableEntry:
    return elementwise("timer", TIMERS, function, params)


ENTRIES: dict[str, TableEntry] = {
    "Identity": elementwise("transfer", MODULE, library.identity),
    "Linear": elementwise("transfer", MODULE, library.linear, "slope intercept scale offset"),
    "Exponential": elementwise("transfer", MODULE, library.exponential, "rate bias scale offset"),
    "Logistic": elementwise("transfer", MODULE, library.logistic, "gain bias x_0 scale offset"),
    "Tanh": elementwise("transfer", MODULE, library.psyneulink.tanh, "gain bias x_0 scale offset"),
    "ReLU": elementwise("transfer", MODULE, library.relu, "gain bias leak scale offset"),
    "Gaussian": elementwise("transfer", MODULE, library.psyneulink.gaussian, "bias scale offset", "standard_deviation"),
    "Normalize": TableEntry(
        "transfer", MODULE, (library.normalize,), _normalize, ("eps",), ("per_item",), limits="more than two dimensions"
    ),
    "GaussianDistort": TableEntry(
        "transfer", MODULE, (library.psyneulink.gaussian_distort,), _gaussian_distort, ("variance", "bias", "scale", "offset")
    ),
    "BinomialDistort": TableEntry("transfer", MODULE, (library.psyneulink.binomial_distort,), _binomial_distort, ("p",)),
    "Dropout": TableEntry("transfer", MODULE, (library.identity, library.psyneulink.dropout), _dropout, ("p",)),
    "SoftMax": TableEntry(
        "transfer",
        MODULE,
        (
            library.psyneulink.softmax,
            library.psyneulink.softmax_masked,
            library.psyneulink.softmax_adaptive,
            library.psyneulink.softmax_probability,
        ),
        _softmax,
        ("gain", "mask_threshold", "adapt_scale", "adapt_base", "adapt_entropy_weighting"),
        ("output", "per_item"),
        limits="adaptive gain with a drawn output; more than two dimensions",
    ),
    "HypersphericalToCartesian": TableEntry("transfer", MODULE, (library.hyperspherical_to_cartesian,), _angles),
    "Angle": TableEntry("transfer", MODULE, (library.hyperspherical_to_cartesian,), _angles),
    "TransferWithCosts": TableEntry(
        "transfer",
        MODULE,
        (library.psyneulink.transfer_with_costs,),
        _transfer_with_costs,
        ("those of its functions",),
        ("enabled_cost_functions", "transfer_fct", "intensity_cost_fct", "adjustment_cost_fct", "duration_cost_fct", "combine_costs_fct"),
        ("intensity", "those of its functions"),
        limits="Python functions as costs",
    ),
    "LinearTimer": _timer(library.psyneulink.linear_timer, "initial final duration"),
    "AcceleratingTimer": _timer(library.psyneulink.accelerating_timer, "initial final duration rate"),
    "DeceleratingTimer": elementwise("timer", TIMERS, library.psyneulink.decelerating_timer, "duration rate", "initial final"),
    "AsymptoticTimer": _timer(library.psyneulink.asymptotic_timer, "initial final duration tolerance"),
}
