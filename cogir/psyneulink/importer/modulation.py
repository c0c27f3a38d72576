"""
Modulation of a Mechanism's parameters and ports by ControlSignals and GatingSignals.

A modulation takes the place of a Parameter of the function of the port on which it acts: MULTIPLICATIVE that of the slope, ADDITIVE that of
the intercept; OVERRIDE that of the whole value. In a model it acts on a parameter of the node, in the same way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeAlias

import numpy as np

from cogir.psyneulink.importer.node_source import Body, Expression
from cogir.psyneulink.pnl import component_of
from cogir.psyneulink.reader import Reader, UnsupportedFeature, is_number, plain

Effect: TypeAlias = Literal["multiply", "add", "override"]

MODULATIONS: dict[str, Effect] = {
    "multiplicative_param": "multiply",
    "additive_param": "add",
    "OVERRIDE": "override",
}
"""PsyNeuLink's words for modulation, and cogir's."""

REPLACED: dict[str, dict[str, str]] = {
    "Linear": {"multiply": "slope", "add": "intercept"},
    "LinearCombination": {"multiply": "scale", "add": "offset"},
}
"""For functions of ports: the Parameter whose place a modulation takes."""


UNHEEDED = (
    (None, "scaling_factor_gain"),
    (None, "base_level_gain"),
    (None, "matrix"),
    ("BinomialDistort", "p"),
    ("Dropout", "p"),
    ("DriftOnASphereIntegrator", "noise"),
    ("ContentAddressableMemory", "distance_field_weights"),
    ("EMStorage", "storage_prob"),
    ("EMStorage", "decay_rate"),
    ("MatrixMemory", "decay_rate"),
)
"""Parameters with a ParameterPort whose own value PsyNeuLink 0.21 computes with, modulated or not, and their components (None: any)."""

STARTS: tuple[tuple[Effect, float], ...] = (("override", 0.0), ("multiply", 1.0), ("add", 0.0))
"""The kinds of modulation in the order in which they act on a port, and what they do nothing with."""


class MechanismModulation:
    """The modulations of one Mechanism, and the parameters of its node function on which they act."""

    def __init__(self, mechanism: Any, reader: Reader, body: Body, afferents: Callable[[Any], list[Any]]):
        self.mechanism = mechanism
        self.reader = reader
        self.body = body
        self.afferents = afferents
        self.gates: dict[Any, tuple[str, Effect]] = {}
        """For a modulatory Projection: the node's parameter on which it acts, and how."""
        self.vectors: dict[Any, str] = {}
        """Of those that bring a vector: the input of the node function for it."""
        self.unheard: set[Any] = set()
        """Those that come after one that overrides, at which PsyNeuLink does not even look."""
        self.replaced: dict[tuple[Any, str], list[Any]] = {}
        """For a modulated port and a Parameter of its function: the Projections whose product takes its place."""
        self.parameters: dict[Any, Expression] = {}
        """Modulated parameters as they are used, by PsyNeuLink's Parameter object."""
        self.observed_of: dict[str, tuple[Any, str, Expression]] = {}
        """Values that observers see: the component, its Parameter, and the value."""

    def refuse(self, feature: str, remedy: str) -> UnsupportedFeature:
        """The error about a modulation that cannot be compiled."""
        return UnsupportedFeature(f"{type(self.mechanism).__name__} {self.mechanism.name!r}", feature, remedy)

    def acting_on(self, port: Any) -> list[Any]:
        """The modulatory Projections to a port."""
        return [projection for projection in port.mod_afferents if projection in self.afferents(port)]

    def changes(self, port: Any) -> bool:
        """True if something acts on a port; else its function counts, and what is disabled only for the order of the nodes."""
        acting = self.acting_on(port)
        if any(str(self.reader.get(projection.sender, "modulation")) != "DISABLE" for projection in acting):
            return True
        for projection in acting:
            if projection not in self.gates:
                self.ignore(projection)
        return False

    def effects_on(self, port: Any) -> list[tuple[Any, Effect]]:
        """
        The effects of modulatory Projections on a port, in PsyNeuLink's order: the first that overrides is all that counts. A modulation
        takes the place of a parameter of the port's function, which must do nothing else.
        """
        found: list[tuple[Any, Effect]] = []
        for projection in self.acting_on(port):
            modulation = str(self.reader.get(projection.sender, "modulation"))
            how = MODULATIONS.get(modulation)
            if modulation == "DISABLE":
                self.ignore(projection)
                continue
            if how is None:
                raise self.refuse(
                    f"{projection.sender.owner.name!r} modulates its {type(port).__name__} {port.name!r} by {modulation!r}",
                    "use MULTIPLICATIVE, ADDITIVE, OVERRIDE or DISABLE",
                )
            if how == "override":
                if type(port).__name__ != "ParameterPort" and np.size(port.defaults.value) > 1:
                    raise self.refuse(
                        f"its {type(port).__name__} {port.name!r} has several elements, but {projection.sender.owner.name!r} "
                        "modulates it with one number",
                        "use MULTIPLICATIVE, or give the port one element",
                    )
                if type(port).__name__ == "OutputPort" and np.ndim(port.parameters.value.values.get(None)) > 1:
                    raise self.refuse(
                        f"its OutputPort {port.name!r} of several axes gets one number, of {projection.sender.owner.name!r}, with fewer",
                        "use MULTIPLICATIVE, or give the port (OWNER_VALUE, 0) for its variable",
                    )
                acting = self.acting_on(port)
                for other in acting:
                    if other is not projection:
                        self.ignore(other)
                self.unheard.update(acting[acting.index(projection) + 1 :])
                return [(projection, how)]
            if self.line_of(projection) != (1.0, 0.0):
                raise self.refuse(
                    f"{projection.sender.owner.name!r} modulates its {port.name!r} through a Projection with a function", "use OVERRIDE"
                )
            found.append((projection, how))
        kind, acting = type(port.function).__name__, {how for _, how in found}
        replaced = REPLACED.get(kind, {})
        others = [name for name in ("slope", "intercept", "scale", "offset") if name not in {replaced.get(how) for how in acting}]
        plainly = {"slope": 1.0, "intercept": 0.0, "scale": 1.0, "offset": 0.0}
        if found and (
            not replaced
            or any(self.holds(port.function, name, plainly[name]) is False for name in others)
            or any(self.holds(port.function, name, None) is False for name in ("weights", "exponents"))
        ):
            raise self.refuse(
                f"its {type(port).__name__} {port.name!r} is modulated and has a custom function, or was modulated in another mode before",
                "leave the function out and do not change the modulation, or run it in PsyNeuLink",
            )
        for how in acting:
            self.replaced[port, replaced[how]] = [projection for projection, each in found if each == how]
        return found

    def line_of(self, projection: Any) -> tuple[float, float]:
        """
        The slope and the intercept of what the Functions of a modulatory Projection, and of those before it in enclosing Compositions, do
        to the signal together.
        """
        slope, intercept = 1.0, 0.0
        for function in carrying(projection):
            kind = type(function).__name__
            if kind == "MatrixTransform" and np.array_equal(np.atleast_2d(self.reader.get(function, "matrix")), [[1.0]]):
                continue  # it is how PsyNeuLink lets a signal into a nested Composition
            if kind not in ("Linear", "Identity"):
                raise self.refuse(f"a modulation goes through a Projection with the function {kind}", "use Linear")
            if kind == "Linear":
                scale, offset, factor, addend = (
                    float(plain(self.reader.get(function, name))) for name in ("scale", "offset", "slope", "intercept")
                )
                factor, addend = scale * factor, scale * addend + offset
                slope, intercept = slope * factor, intercept * factor + addend
        return slope, intercept

    def through(self, port: Any, effects: list[tuple[Any, Effect]], held: Expression) -> Expression:
        """The value that replaces that of a port: of its parameter of the node, with the slope and intercept of the Projection."""
        slope, intercept = self.line_of(effects[0][0])
        if slope != 1.0:
            held = Expression(f"({held.text} * {self.body.param(f'{port.name} slope', slope).text})", held.value)
        if intercept != 0.0:
            held = Expression(f"({held.text} + {self.body.param(f'{port.name} intercept', intercept).text})", held.value)
        return held

    def ignore(self, projection: Any) -> None:
        """A modulation without effect: it acts on a parameter that nothing reads, and counts for the order of the nodes."""
        self.gates[projection] = (self.body.param(f"{projection.receiver.name} disabled", 1.0).text, "multiply")

    def holds(self, function: Any, name: str, value: float | None) -> bool | None:
        """True if a Parameter of a Function has this value; None, if the Function has no such Parameter."""
        if not hasattr(function.parameters, name):
            return None
        held = self.reader.get(function, name)
        return held is None if value is None else held is not None and is_number(held, value)

    def gated(self, port: Any, held: Expression) -> Expression:
        """An input or output port whose value is modulated: it is replaced, or it is multiplied and then added to."""
        effects = self.effects_on(port)
        text = held.text
        for how, start in STARTS:
            acting = [projection for projection, each in effects if each == how]
            if not acting:
                continue
            if how != "override" and any(np.size(one.sender.defaults.value) > 1 for one in acting):
                text = self.by_vectors(port, acting, how, text)
                continue
            param = self.body.param(f"{port.name} {how}", start if how != "add" or len(acting) == 1 else 1.0)
            for projection in acting:
                self.gates[projection] = (param.text, "multiply" if how == "add" and len(acting) > 1 else how)
            match how:
                case "override":
                    text = f"np.full({held.shape}, {self.through(port, effects, param).text})"
                case "multiply":
                    text = f"{text} * {param.text}"
                case _:
                    text = f"{text} + {param.text}"
        return held if text == held.text else self.body.bind(f"{port.name} modulated", text, held.value)

    def by_vectors(self, port: Any, acting: list[Any], how: Effect, text: str) -> str:
        """A port's value, multiplied by vectors or with one added to it."""
        if how == "add" and len(acting) > 1:
            raise self.refuse(f"several vectors are added to its {port.name!r}", "use one GatingSignal")
        for projection in acting:
            size = np.size(projection.sender.defaults.value)
            if size not in (1, np.size(port.defaults.value)):
                feature = f"{projection.sender.owner.name!r} modulates its {port.name!r} with {size} numbers"
                raise self.refuse(feature, "give its signal one number, or as many as the port has elements")
            arriving = self.body.input(f"{port.name} by {projection.sender.name}", np.ones(size))
            self.vectors[projection] = arriving.text
            self.gates[projection] = (self.body.param(f"{port.name} {how} vector", 1.0).text, how)
            text = f"{text} {'*' if how == 'multiply' else '+'} {arriving.text}"
        return text

    def of_parameter(self, port: Any, source: Any, held: Expression) -> Expression:
        """
        A parameter as its ParameterPort modulates it. The parameter of the node is modulated where it is read, so there is nothing to
        write, but for several that add: PsyNeuLink multiplies these with one another.
        """
        effects = self.effects_on(port)
        if effects and any(source.name == name and of in (None, type(component_of(source)).__name__) for of, name in UNHEEDED):
            raise self.refuse(f"its {port.name} is modulated, which has no effect in PsyNeuLink", "leave the modulation out")
        adding = [projection for projection, how in effects if how == "add"]
        for projection, how in effects:
            self.gates[projection] = (held.text, how)
        if effects and effects[0][1] == "override":
            held = self.through(port, effects, held)
        if len(adding) > 1:
            addend = self.body.param(f"{port.name} addend", 1.0)
            for projection in adding:
                self.gates[projection] = (addend.text, "multiply")
            held = self.body.bind(f"{port.name} modulated", f"{held.text} + {addend.text}", held.value)
        if effects:
            self.parameters[source] = held
            self.observed_of[f"modulated {port.name}"] = (port, "value", held)
        return held


def carrying(projection: Any) -> list[Any]:
    """
    The Functions of a modulatory Projection and of those by which its signal enters the Compositions around its receiver, outermost first;
    of several that enter together, those of the first.
    """
    before = entering(projection)
    return [*(carrying(before) if before is not None else ()), projection.function]


def signal_of(projection: Any) -> Any:
    """The ControlSignal that a modulatory Projection brings, also into nested Compositions."""
    before = entering(projection)
    return projection.sender if before is None else signal_of(before)


def entering(projection: Any) -> Any:
    """The first Projection to the port by which what a modulatory Projection brings enters a Composition; None if it does not."""
    cim = projection.sender.owner
    pairs = cim.composition.parameter_CIM_ports.values() if type(cim).__name__ == "CompositionInterfaceMechanism" else ()
    entered = [outer for outer, inner in pairs if inner is projection.sender]
    return next((first for port in entered[:1] for first in port.path_afferents[:1]), None)
