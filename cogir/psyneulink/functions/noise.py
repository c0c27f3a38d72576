"""Noise of PsyNeuLink's integrators and memories: numbers, or distribution Functions that are drawn once for each element."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType, MethodType
from typing import Any, cast

import numpy as np

from cogir.psyneulink.functions.compose import Composer
from cogir.psyneulink.functions.counterpart import Counterpart, ParameterPlace, Shape
from cogir.psyneulink.functions.table_entry import FunctionReader


def numeric_noise(reader: FunctionReader, shape: Shape) -> Any:
    """The Parameter `noise` where it is numeric, in a form that broadcasts as PsyNeuLink does; None where it is drawn."""
    value = reader.value("noise")
    if is_drawn(value):
        return None
    noise = np.asarray(reader.as_numbers(value, "noise"))
    if noise.shape == (1,):
        return float(noise[0])
    if noise.shape != shape and noise.shape == tuple(n for n in shape if n != 1):
        noise = noise.reshape(shape)
    return float(noise) if noise.ndim == 0 else noise


def is_drawn(value: Any) -> bool:
    """True if noise is a Function, or an array with some in it."""
    if isinstance(value, np.ndarray | list):
        return any(is_drawn(item) for item in np.asarray(value, dtype=object).reshape(-1))
    return hasattr(value, "parameters") or callable(value)


def drawing(value: Any) -> Any:
    """The Function that draws: scripts give it itself, or its method, as in `NormalDist().function`."""
    if isinstance(value, MethodType) and value.__name__ in ("function", "execute") and hasattr(value.__self__, "parameters"):
        return value.__self__
    return value


def with_noise(reader: FunctionReader, counterpart: Counterpart, shape: Shape, *, first_row: bool = False) -> Counterpart:
    """
    The counterpart with its parameter `noise` drawn, where the Function's noise is a Function or an array with some in it.

    `shape`: of the variable that the noise is for; `first_row`: only the draws of its first row are used, all are made.
    """
    value = reader.value("noise")
    if not is_drawn(value):
        return counterpart
    composer = Composer(list(counterpart.inputs))
    drawn = _drawn(reader, composer, value, shape)
    composer.lines.append(f"noise = {drawn}")
    noise = "noise[0]" if first_row else "noise"
    outputs = composer.call(counterpart, list(counterpart.inputs), "", {"noise": noise})
    function = composer.function(f"{counterpart.function.__name__}_with_noise", dict(zip(counterpart.outputs, outputs, strict=True)))
    return replace(
        counterpart,
        function=function,
        params=MappingProxyType(composer.params),
        states=MappingProxyType(composer.states),
        statics=MappingProxyType({}),
        randoms=MappingProxyType(composer.randoms),
        places=MappingProxyType(composer.places),
    )


def noise_alone(reader: FunctionReader, value: Any, shape: Shape) -> Counterpart:
    """Drawn noise by itself, for a variable of this shape, which is not looked at."""
    composer = Composer(["variable"])
    drawn = _drawn(reader, composer, value, shape)
    return Counterpart(
        "noise",
        composer.function("drawn_noise", {"noise": drawn}),
        MappingProxyType({"variable": ParameterPlace(reader.function, "variable", None, shape)}),
        MappingProxyType({"noise": ParameterPlace(reader.function, "value", None, shape)}),
        MappingProxyType(composer.params),
        MappingProxyType(composer.states),
        randoms=MappingProxyType(composer.randoms),
        places=MappingProxyType(composer.places),
    )


def _drawn(reader: FunctionReader, composer: Composer, value: Any, shape: Shape) -> str:
    """An expression for the noise of a variable of this shape."""
    if isinstance(value, np.ndarray | list):
        listed = np.asarray(value, dtype=object)
        if listed.size == 1:
            value = listed.reshape(-1)[0]
        elif listed.shape == shape or listed.shape == tuple(n for n in shape if n != 1):
            value = listed.reshape(shape)
        else:
            raise reader.refuse(f"noise has the shape {listed.shape}", f"give the shape of its variable, {shape}")
    if isinstance(value, np.ndarray):
        return _each(reader, composer, cast("np.ndarray[Any, Any]", value))
    return composer.call(_distribution(reader, value, shape), [f"np.zeros({shape})"], "noise_")[0]


def _distribution(reader: FunctionReader, function: Any, shape: Shape) -> Counterpart:
    """A distribution Function as a function of the shape."""
    function = drawing(function)
    known = reader.table.get(type(function).__name__)
    if known is None or known.category != "distribution" or type(function).__name__ == "DriftDiffusionAnalytical":
        raise reader.refuse(f"noise is drawn by {function!r:.60}", "give a number or a distribution Function such as NormalDist")
    dist = reader.inner(function, np.zeros(shape), "noise")
    if any(np.ndim(number) for number in dist.params.values()):
        raise reader.refuse(
            f"noise is drawn by {function.name} whose parameters are arrays", "give it numbers, or list one for each element"
        )
    return dist


def _each(reader: FunctionReader, composer: Composer, functions: np.ndarray[Any, Any]) -> str:
    """An expression for an array with a number or a draw in each place; a Function that stands in several is drawn for each, in turn."""
    known: list[Any] = []
    elements: list[str] = []
    for function in map(drawing, functions.reshape(-1)):
        if not is_drawn(function):
            elements.append(repr(float(function)))
            continue
        position = next((index for index, one in enumerate(known) if one is function), len(known))
        known.append(function) if position == len(known) else None
        drawn = composer.call(_distribution(reader, function, (1,)), ["np.zeros((1,))"], f"noise_{position}_")[0]
        composer.lines.append(f"noise_element_{len(elements)} = {drawn}[0]")
        elements.append(f"noise_element_{len(elements)}")
    return f"np.array([{', '.join(elements)}]).reshape({functions.shape})"
