"""
All that a Composition holds in an execution context, by path: Parameters of all its parts, logs, clock and counts.

A path is the names of Compositions and Mechanisms from outside in, then "input", "output" or "parameter" and the number of a port, then
"projection" and its number, then the Parameter of a Function, and last the name of what is held:
`("inner", "A", "input", 0, "projection", 0, "matrix")`. A Composition's own Parameters are under "composition". Everything is read where
PsyNeuLink keeps it, without a call that would change it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import psyneulink as pnl
from psyneulink.core.components.functions.function import Function_Base
from psyneulink.core.globals.context import Context

from psyneulink_suite.plain_data import plain

Path = tuple[str | int, ...]

ELSEWHERE = ("log", "results", "input_port_variables")
"""Parameters that are recorded in another way, or that PsyNeuLink gathers from other components when somebody asks for them."""
INNER = ("noise", "retriever", "storer", "transfer_fct", "combination_function", "distance_function", "selection_function")
"""Parameters of Functions that may be Functions with states of their own."""


@dataclass
class Held:
    """What is held in one execution context, as far as it has been looked for."""

    key: Any
    """The execution context."""
    found: dict[Path, Any] = field(default_factory=dict)
    seen: set[int] = field(default_factory=set)
    """Components that were looked at already, by `id`."""

    def composition(self, one: Any, path: Path = ()) -> None:
        """A Composition and everything in it."""
        if id(one) in self.seen:
            return
        self.component(one, (*path, "composition"))
        parts = {node.name: node for node in one.nodes}
        parts |= {interface: getattr(one, interface) for interface in ("input_CIM", "parameter_CIM", "output_CIM")}
        if one.controller is not None:
            parts["controller"] = one.controller
        for name, part in parts.items():
            if hasattr(part, "input_CIM"):
                self.composition(part, (*path, name))
            else:
                self.mechanism(part, (*path, name))
        self.scheduler(one, path)

    def scheduler(self, composition: Any, path: Path) -> None:
        """The clock, and how often each node has been called by unit of time."""
        scheduler, key = composition.scheduler, self.key
        if key in scheduler.clocks:
            self.found[*path, "clock"] = str(scheduler.clocks[key].time)
        for scale, counts in scheduler.counts_total.get(key, {}).items():
            self.found[*path, "calls", str(scale)] = {node.name: int(count) for node, count in counts.items()}

    def mechanism(self, one: Any, path: Path) -> None:
        """A Mechanism with its Functions and ports."""
        if id(one) in self.seen:
            return
        self.component(one, path)
        for name in ("function", "integrator_function"):
            self.function(parameter_of(one, name, self.key), (*path, name))
        for kind, ports in (("input", one.input_ports), ("output", one.output_ports), ("parameter", one.parameter_ports)):
            for index, port in enumerate(ports):
                self.port(port, (*path, kind, index))

    def port(self, one: Any, path: Path) -> None:
        """A port with its Function and the Projections to it."""
        self.component(one, path)
        self.function(parameter_of(one, "function", self.key), (*path, "function"))
        afferents = [*(one.path_afferents if isinstance(one, pnl.InputPort) else ()), *one.mod_afferents]
        for index, projection in enumerate(afferents):
            self.component(projection, (*path, "projection", index))

    def function(self, one: Any, path: Path) -> None:
        """A Function and those within it."""
        if not isinstance(one, Function_Base):
            return
        self.component(one, path)
        for name in INNER:
            inner = parameter_of(one, name, self.key)
            if inner is not one:
                self.function(inner, (*path, name))

    def component(self, one: Any, path: Path) -> None:
        """
        The Parameters of one component, and its log. One that can be modulated has a value in the context once somebody has asked for it;
        before, it is the one outside of all contexts.
        """
        self.seen.add(id(one))
        for parameter in vars(one.parameters).values():
            if not isinstance(getattr(parameter, "__dict__", {}).get("values"), dict):
                continue  # an owner, or a Parameter that another component has
            if parameter.name == "variable" and isinstance(one, pnl.OutputPort):
                value = variable_of(one, self.key)
            else:
                value = parameter.values.get(self.key, parameter.values.get(None) if parameter.modulable else None)
            if value is not None and parameter.name not in ELSEWHERE and not isinstance(value, pnl.Component):
                self.found[*path, parameter.name] = plain(value)
            entries = (parameter.log or {}).get(self.key)
            if entries:
                logged = (["entry", str(entry.time), str(entry.context), plain(entry.value)] for entry in entries)
                self.found[*path, "log", parameter.name] = list(logged)


def variable_of(port: Any, key: Any) -> Any:
    """The variable of an OutputPort, which PsyNeuLink reads from its Mechanism for whoever asks; None before the Mechanism has it."""
    try:
        return port.parameters.variable._get(Context(execution_id=key))
    except Exception:
        return None


def parameter_of(one: Any, name: str, key: Any) -> Any:
    """A Parameter's value in a context, else outside of all contexts; None if there is no such Parameter."""
    parameter = vars(one.parameters).get(name)
    values = getattr(parameter, "values", None) or {}
    return values.get(key, values.get(None))


def held(composition: Any, key: Any) -> dict[Path, Any]:
    """All that a Composition holds in the execution context `key`."""
    looked = Held(key)
    looked.composition(composition)
    return looked.found
