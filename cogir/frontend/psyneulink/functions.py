"""
The library's counterpart of each PsyNeuLink Function.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from cogir import library
from cogir.frontend.psyneulink.values import Reader, UnsupportedFeature


@dataclass(frozen=True)
class Counterpart:
    """A library function and what a PsyNeuLink Function gives it: names are those of the library function's arguments."""

    function: Callable[..., Any]
    params: dict[str, str] = field(default_factory=dict[str, str])
    """Argument by the PsyNeuLink Parameter that it takes its value from."""
    states: dict[str, str] = field(default_factory=dict[str, str])
    statics: dict[str, Any] = field(default_factory=dict[str, Any])
    randoms: tuple[str, ...] = ()


def _same(function: Callable[..., Any], *params: str, states: tuple[str, ...] = (), randoms: tuple[str, ...] = (), **statics: Any):
    return Counterpart(function, {name: name for name in params}, {name: name for name in states}, statics, randoms)


TABLE: dict[str, Counterpart] = {
    "Linear": _same(library.linear, "slope", "intercept"),
    "Identity": _same(library.identity),
    "Logistic": _same(library.logistic, "gain", "bias", "x_0", "offset", "scale"),
    "Exponential": _same(library.exponential, "rate", "bias", "scale", "offset"),
    "Tanh": _same(library.tanh, "gain", "bias", "x_0", "offset", "scale"),
    "ReLU": _same(library.relu, "gain", "bias", "leak"),
    "GaussianDistort": _same(library.gaussian_distort, "variance", "bias", "scale", "offset", randoms=("random",)),
    "AdaptiveIntegrator": _same(library.adaptive_integrator, "rate", "noise", "offset", states=("previous_value",)),
    "SimpleIntegrator": _same(library.simple_integrator, "rate", "noise", "offset", states=("previous_value",)),
    "LeakyCompetingIntegrator": _same(
        library.leaky_competing_integrator, "rate", "noise", "offset", "time_step_size", states=("previous_value",)
    ),
    "DriftDiffusionIntegrator": _same(
        library.drift_diffusion_integrator,
        "rate", "noise", "offset", "threshold", "time_step_size",
        states=("previous_value", "previous_time"),
        randoms=("random",),
    ),
}


TABLE["LinearCombination"] = Counterpart(library.linear_combination, {n: n for n in ("weights", "exponents", "scale", "offset")}, statics={"operation": "operation"})


def counterpart(function: Any, reader: Reader) -> Counterpart:
    """The library's counterpart of a PsyNeuLink Function."""
    found = TABLE.get(type(function).__name__)
    if found is None or not type(function).__module__.startswith("psyneulink."):
        raise UnsupportedFeature(function.name, f"the Function class {type(function).__name__} has no counterpart", "run it in PsyNeuLink")
    return found
