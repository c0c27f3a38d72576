"""
InputPorts whose values have an outer axis of length one, as `default_variable=[[[0, 0]]]` makes them: of shape (1, 2).

A model has no such axes. Where all that a Mechanism computes is done element by element, the numbers are the same without them, and
PsyNeuLink keeps the shape everywhere: in the variables and values of the Mechanism, its ports, and the interfaces of the Composition.
Elsewhere PsyNeuLink computes with the rows, or drops the axes, and the Mechanism is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from cogir.psyneulink.importer.projections import as_matrix
from cogir.psyneulink.pnl import variable_spec_of
from cogir.psyneulink.reader import Reader, UnsupportedFeature

MECHANISMS = ("ProcessingMechanism", "TransferMechanism", "IntegratorMechanism", "RecurrentTransferMechanism")
FUNCTIONS = ("Identity", "Linear", "Logistic", "Tanh", "ReLU", "Exponential", "Gaussian")
INTEGRATORS = ("AdaptiveIntegrator", "SimpleIntegrator")
"""Functions that treat each element by itself, whatever the axes."""


def has_outer_axis(port: Any) -> bool:
    """True if the value of an InputPort has several axes, the first of length one."""
    shape = np.shape(port.defaults.value)
    return len(shape) > 1 and shape[0] == 1


def full_shape(port: Any, size: int, otherwise: tuple[int, ...]) -> tuple[int, ...]:
    """The shape of what an InputPort has, with its outer axes of length one; `otherwise` if it has none, or another number of elements."""
    shape = np.shape(port.defaults.value)
    return shape if has_outer_axis(port) and int(np.prod(shape)) == size else otherwise


def check_outer_axes(mechanism: Any, reader: Reader, learns: bool) -> None:
    """Refuses a Mechanism with such InputPorts if its values depend on the axes, or PsyNeuLink drops them somewhere."""
    if not any(map(has_outer_axis, mechanism.input_ports)):
        return
    for why, remedy in objections(mechanism, reader, learns):
        feature = f"the variable of {mechanism.name!r} has three or more axes, one of them of length 1, and {why}"
        raise UnsupportedFeature(f"{type(mechanism).__name__} {mechanism.name!r}", feature, f"leave that axis out, or {remedy}")


def objections(mechanism: Any, reader: Reader, learns: bool) -> Iterator[tuple[str, str]]:
    """The reasons why a Mechanism with such InputPorts is not native, each with the remedy; none if it is."""
    kind = type(mechanism).__name__
    if kind not in MECHANISMS:
        yield f"it is a {kind}", "use a ProcessingMechanism or a TransferMechanism"
        return
    if learns:
        yield "the Composition learns", "learn in another one"
    integrates = hasattr(mechanism, "integrator_function") and bool(reader.get(mechanism, "integrator_mode"))
    if integrates and type(mechanism.integrator_function).__name__ not in INTEGRATORS:
        yield f"it integrates with {type(mechanism.integrator_function).__name__}", f"use one of {', '.join(INTEGRATORS)}"
    if integrates and reader.get(mechanism, "termination_threshold") is not None:
        yield "it has a termination_threshold", "leave the threshold out"
    if type(mechanism.function).__name__ not in (*FUNCTIONS, *INTEGRATORS):
        yield f"its function is a {type(mechanism.function).__name__}", f"use one of {', '.join((*FUNCTIONS, *INTEGRATORS))}"
    if reader.is_reset(mechanism):
        yield "it is reset during runs", "leave reset_stateful_function_when alone"
    if getattr(mechanism, "has_recurrent_input_port", False):
        yield "it has an InputPort for its recurrent Projection", "leave has_recurrent_input_port out"
    if len({np.shape(port.defaults.value) for port in mechanism.input_ports}) > 1:
        yield "its InputPorts have different shapes", "give them one shape"
    yield from objections_to_ports(mechanism, reader)


def objections_to_ports(mechanism: Any, reader: Reader) -> Iterator[tuple[str, str]]:
    """The reasons that its ports and the Projections to them give."""
    for port in mechanism.input_ports:
        if port.mod_afferents or port.default_input is not None or not is_sum(port.function, reader):
            yield f"its InputPort {port.name!r} does more than sum up what arrives", "leave its function alone"
        for projection in port.path_afferents:
            matrix = getattr(projection.parameters, "matrix", None)
            if matrix is not None and as_matrix(matrix.final_source.values.get(None)).ndim > 2:
                yield f"the matrix of the Projection {projection.name!r} has three or more axes", "give a sender of the same shape"
    for port in mechanism.output_ports:
        if port.mod_afferents or not takes_item(variable_spec_of(port)) or not reader.is_identity(port.function):
            yield f"its OutputPort {port.name!r} is not just an item of its value", "compute that in a Mechanism"


def takes_item(spec: Any) -> bool:
    """True if an OutputPort takes one item of the value of its Mechanism."""
    match spec:
        case ("OWNER_VALUE", int()):
            return True
        case _:
            return False


def is_sum(function: Any, reader: Reader) -> bool:
    """True of the function of an InputPort that sums up what arrives, or passes it on."""
    if type(function).__name__ != "LinearCombination":
        return reader.is_identity(function)
    neutral = {"scale": 1.0, "offset": 0.0}
    return all(reader.get(function, name) is None for name in ("weights", "exponents")) and all(
        np.all(np.asarray(reader.get(function, name), float) == at) for name, at in neutral.items()
    )
