"""
Keeping a Composition and its compiled twin in step.

Before a run, what the model reads of PsyNeuLink's Parameters is copied in; after it, every value that a run in PsyNeuLink would have
left behind is copied out. PsyNeuLink changes arrays in place, so whether a value has changed cannot be told from the object that holds
it; a copy costs 1 us, less than a comparison.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from cogir.frontend.psyneulink.composition import Imported
from cogir.frontend.psyneulink.values import is_numeric, plain
from cogir.psyneulink.controller import ControllerTwin
from cogir.runtime.context import BankContext
from cogir.runtime.plan import Leaf


class OtherShape(Exception):
    """A value has got another shape than the compiled model has for it."""


@dataclass
class Link:
    """A Parameter of PsyNeuLink and the leaf of the compiled model that holds its value."""

    values: dict[Any, Any]
    leaf: Leaf
    shape: tuple[int, ...]
    key: Any
    unset: bool = False
    """Whether PsyNeuLink has None, and the model what that means."""

    def copy_in(self, bank: np.ndarray[Any, Any]) -> None:
        """Takes PsyNeuLink's value."""
        value = self.values.get(self.key)
        if value is None:
            value = self.values.get(None)
        if is_numeric(value) and value.size == self.leaf.size:
            bank[self.leaf.words] = value.ravel()
        elif value is None:
            if not self.unset:
                raise OtherShape
        else:
            try:
                bank[self.leaf.words] = np.broadcast_to(np.asarray(plain(value), float), self.leaf.shape).ravel()
            except (TypeError, ValueError):
                raise OtherShape from None

    def copy_out(self, bank: np.ndarray[Any, Any]) -> None:
        """Gives PsyNeuLink the present value, in the shape that its own has."""
        self.values[self.key] = bank[self.leaf.words].reshape(self.shape).copy()


@dataclass
class Gathered:
    """A Parameter of PsyNeuLink whose value is made of several leaves, one item each, in these shapes."""

    values: dict[Any, Any]
    leaves: list[Leaf]
    key: Any
    shapes: tuple[tuple[int, ...], ...]
    whole: bool = False
    """One leaf is the value itself, not its only item."""

    def copy_out(self, bank: np.ndarray[Any, Any]) -> None:
        """Gives PsyNeuLink the present value: an array of items, or of arrays where they differ in length."""
        items = [bank[leaf.words].reshape(shape).copy() for leaf, shape in zip(self.leaves, self.shapes, strict=True)]
        if self.whole:
            self.values[self.key] = items[0]
        elif len(set(self.shapes)) == 1:
            self.values[self.key] = np.array(items)
        else:
            ragged = np.empty(len(items), dtype=object)
            ragged[:] = items
            self.values[self.key] = ragged


@dataclass
class Generator:
    """A generator of PsyNeuLink and its words in the compiled model."""

    values: dict[Any, Any]
    leaf: Leaf
    key: Any
    path: str

    def copy_in(self, context: BankContext) -> None:
        """Takes the state of PsyNeuLink's generator."""
        generator = self.values.get(self.key)
        if generator is not None:
            context.generators[self.path] = generator

    def copy_out(self, context: BankContext) -> None:
        """Puts PsyNeuLink's generator into the state that a run has left."""
        generator = self.values.get(self.key)
        if generator is None:
            return
        state = context.generators[self.path]
        if isinstance(state, np.random.RandomState):
            generator.set_state(state.get_state())
        else:
            generator.bit_generator.state = state.bit_generator.state


class Twin:
    """A Composition in one execution context, and the context of the compiled model that goes with it."""

    def __init__(self, imported: Imported, context: BankContext, execution_id: Any):
        self.context = context
        self.key = execution_id
        self.parameters: list[Link] = []
        self.states: list[Link] = []
        self.shown: list[Link] = []
        self.gathered: list[Gathered] = []
        self.generators: list[Generator] = []
        self.counts: list[tuple[Any, Leaf]] = []
        self.controllers: list[ControllerTwin] = []
        self.collect(imported, "")
        self.copied = {id(link.values) for link in (*self.parameters, *self.states, *self.shown, *self.generators)}
        self.copied |= {id(values) for controller in self.controllers for values in controller.copied}
        """The Parameters whose values are copied in, by the identity of their `values`."""

    def collect(self, imported: Imported, prefix: str) -> None:
        """Finds the two ends of every link."""
        leaves = self.context.plan.leaves
        for component, written in imported.written.items():
            path = f"{prefix}{imported.nodes[component].name}"
            for source, name in written.parameters.items():
                leaf = leaves.get(f"{path}/param:{name}")
                if leaf is not None and not isinstance(source, tuple):
                    self.parameters.append(self.link(source, leaf))
            for name, (function, parameter) in written.state_of.items():
                self.states.append(self.link(getattr(function.parameters, parameter).final_source, leaves[f"{path}/state:{name}"]))
            for name, (function, parameter) in written.random_of.items():
                source = getattr(function.parameters, parameter).final_source
                generator = f"{path}/random:{name}"
                self.generators.append(Generator(source.values, leaves[generator], self.key, generator))
            for port, name in written.ports.items():
                if port in component.output_ports:
                    self.shown.append(self.link(port.parameters.value, leaves[f"{path}/port:{name}"]))
            for name, (owner, parameter) in written.observed_of.items():
                self.shown.append(self.link(getattr(owner.parameters, parameter).final_source, leaves[f"{path}/port:{name}"]))
            if written.values:
                self.gathered.append(self.rows(component.parameters.value, path, written.values))
                for function, shown in written.function_values.items():
                    found = [leaves[f"{path}/port:{name}"] for name in shown.names]
                    self.gathered.append(Gathered(function.parameters.value.values, found, self.key, shown.shapes, shown.whole))
                    if function is not component.function:
                        value = component.parameters.integrator_function_value
                        self.gathered.append(Gathered(value.values, found, self.key, shown.shapes, shown.whole))
                self.gathered.append(self.rows(component.parameters.variable, path, written.variables))
                for port, name in zip(component.input_ports, written.variables, strict=True):
                    self.shown.append(self.link(port.parameters.value, leaves[f"{path}/port:{name}"]))
                self.counts.append((component, leaves[f"{path}/state:executions"]))
        if imported.control is not None:
            self.control(imported, f"{prefix}{imported.control.name}")
        for composition, inner in imported.inner.items():
            self.collect(inner, f"{prefix}{imported.nodes[composition].name}/")

    def control(self, imported: Imported, path: str) -> None:
        """The controller of a Composition."""
        self.controllers.append(ControllerTwin(imported.composition, path, self.context, self.key))
        if (leaf := self.context.plan.leaves.get(f"{path}/random:ties")) is not None:
            source = imported.composition.controller.function.parameters.random_state.final_source
            self.generators.append(Generator(source.values, leaf, self.key, leaf.path))

    def link(self, parameter: Any, leaf: Leaf) -> Link:
        """The link of a Parameter; a context that has no value of its own yet gets a copy of the one it starts from."""
        values = parameter.values
        if values.get(self.key, values.get(None)) is None:
            return Link(values, leaf, leaf.shape, self.key, unset=True)
        if self.key not in values:
            values[self.key] = np.array(values.get(None), float, copy=True)
        return Link(values, leaf, np.shape(values[self.key]), self.key)

    def rows(self, parameter: Any, path: str, names: tuple[str, ...]) -> Gathered:
        """The link of a Parameter with a row for each port."""
        leaves = [self.context.plan.leaves[f"{path}/port:{name}"] for name in names]
        return Gathered(parameter.values, leaves, self.key, tuple(leaf.shape or (1,) for leaf in leaves))

    def copy_in(self) -> None:
        """What was changed in PsyNeuLink goes into the compiled model."""
        context = self.context
        if not context.started and context.start is not None:
            context.start(context)
        for link in self.parameters:
            link.copy_in(context.pf)
        for link in (*self.states, *self.shown):
            link.copy_in(context.sf)
        for generator in self.generators:
            generator.copy_in(context)
        for controller in self.controllers:
            controller.copy_in()

    def copy_out(self) -> None:
        """What a run has changed goes into PsyNeuLink."""
        bank = self.context.sf
        for link in (*self.states, *self.shown):
            link.copy_out(bank)
        for gathered in self.gathered:
            gathered.copy_out(bank)
        for generator in self.generators:
            generator.copy_out(self.context)
        for controller in self.controllers:
            controller.copy_out()
