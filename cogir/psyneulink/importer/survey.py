"""
A survey of a Composition: the components that take part in its runs, found by one walk through it.

A walk takes as long as some hundred trials, and everything that concerns all components needs one: the check that they are PsyNeuLink's
own, that no Parameter is ignored, what is logged, what is watched for changes. So a survey is made once for each compiled form, and
handed on. It shows the Composition as it was when `components` was first asked for; a changed Composition gets another survey.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from cogir.psyneulink.pnl import LISTS_OF_AFFERENTS

OF_SIMULATIONS = ("simulation_results", "simulation_ids")
"""Parameters that hold long lists of arrays and texts, which may not even have been made yet, and no components."""


@dataclass(frozen=True)
class Survey:
    """The components of one Composition, and of those nested in it."""

    composition: Any

    @cached_property
    def components(self) -> tuple[Any, ...]:
        """Every component that takes part in a run, each once, and the schedulers: in the order in which the walk reaches them."""
        return tuple(components_of(self.composition))

    @cached_property
    def is_searched(self) -> bool:
        """True if a controller of one of the Compositions simulates."""
        return any(hasattr(getattr(one, "controller", None), "agent_rep") for one in self.components)


def components_of(root: Any) -> Iterator[Any]:
    """Every component that takes part in a run of a Composition or a Mechanism, each once."""
    seen: set[int] = set()
    waiting: list[Any] = [root]
    while waiting:
        one = waiting.pop()
        if one is None or isinstance(one, type) or id(one) in seen or not hasattr(one, "__dict__"):
            continue
        seen.add(id(one))
        yield one
        waiting.extend(_parts_of(one))


def _parts_of(one: Any) -> Iterator[Any]:
    """The components that a component consists of."""
    held = one.__dict__
    if "parameters" not in held:
        return
    for parameter in held["parameters"]:
        if parameter.name in OF_SIMULATIONS:
            continue
        for value in _values_of(parameter):
            value = getattr(value, "__self__", value)  # noise may be a method of a Function
            if "parameters" in getattr(value, "__dict__", {}):
                yield value
    for name in ("input_ports", "output_ports", "parameter_ports"):
        yield from getattr(one, name, None) or ()
    if hasattr(one, "input_CIM"):
        yield from one.nodes
        yield from one.projections
        yield from (one.input_CIM, one.output_CIM, one.parameter_CIM, one.controller, one.scheduler)
    for name in ("objective_mechanism", "function"):
        value = getattr(one, name, None)
        if "parameters" in getattr(value, "__dict__", {}):
            yield value
    for name in LISTS_OF_AFFERENTS:
        yield from held.get(name) or ()


def _values_of(parameter: Any) -> list[Any]:
    try:
        return list(parameter.values.values())
    except AttributeError:  # an alias or a shared Parameter, whose values are those of its source
        return []
