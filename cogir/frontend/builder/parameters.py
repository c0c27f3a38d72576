"""
The numbers of a model by their paths: parameters, start values, matrices, levels, and the starts of generators.

Machine code does not depend on them: it reads them from the parameter buffers. So models that differ in nothing else
share their code in the object cache, and only these numbers are put in place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from cogir.frontend.builder.records import Address, FunctionRecord, InstanceRecord, ModelRecord, ProjectionRecord, Side, StreamRecord
from cogir.library.signature import REQUIRED
from cogir.runtime.plan import GeneratorStart, Numbers


def numbers_of(model: ModelRecord, *, learning: bool = False) -> Numbers:
    """All numbers of a model, and of the models placed in it, by path; those of how it learns if that is wanted."""
    numbers = Numbers({}, {}, model.seed)
    _collect(model, "", numbers)
    if learning and model.learns is not None:
        _function(numbers, model.learns.name, model.learns.optimizer)
    return numbers


def _collect(model: ModelRecord, prefix: str, numbers: Numbers) -> None:
    for name, node in model.nodes.items():
        if isinstance(node, InstanceRecord):
            _collect(node.model, f"{prefix}{name}/", numbers)
            continue
        owner = f"{prefix}{name}"
        _put(numbers, f"{owner}/initial:port:", node.initials)
        if node.body is not None:
            _function(numbers, owner, node.body)
    for owner, record in _projections(model, prefix):
        if record.matrix is not None:
            numbers.values[f"{owner}/matrix"] = record.matrix
        if record.body is not None:
            _function(numbers, owner, record.body)
    for name, control in model.controls.items():
        for signal in control.signals:
            numbers.values[f"{prefix}{name}/levels:{signal.name}"] = signal.levels
            numbers.values[f"{prefix}{name}/initial:signal:{signal.name}"] = np.asarray(signal.initial)
        if (estimated := control.estimated) is not None:
            numbers.values[f"{prefix}{name}/initial:signal:{estimated.name}"] = np.asarray(estimated.initial)
            numbers.values[f"{prefix}{name}/initial:seeds:first"] = np.asarray(estimated.first)
        if control.tie_stream is not None:
            numbers.starts[f"{prefix}{name}/random:ties"] = _start(control.tie_stream)


def _projections(model: ModelRecord, prefix: str) -> Iterator[tuple[str, ProjectionRecord]]:
    """The projections with their paths; one without a name is named after its ends."""
    seen: Counter[tuple[str, str]] = Counter()
    for record in model.projections:
        source = f"{record.source.owner}:{_full(model, record.source, 'out')}"
        target = f"{record.target.owner}:{_full(model, record.target, 'in')}"
        number = seen[source, target]
        seen[source, target] += 1
        yield prefix + (record.name or f"{source}->{target}" + (f"#{number}" if number else "")), record


def defaults_of(model: ModelRecord, prefix: str = "") -> dict[str, dict[str, Any]]:
    """The values that parameters of functions have when none are given, by the paths of nodes and projections."""
    found: dict[str, dict[str, Any]] = {}
    bodies = {path: record.body for path, record in _projections(model, prefix)}
    for name, node in model.nodes.items():
        if isinstance(node, InstanceRecord):
            found |= defaults_of(node.model, f"{prefix}{name}/")
        else:
            bodies[f"{prefix}{name}"] = node.body
    for path, body in bodies.items():
        if body is not None:
            found[path] = {name: default for name, default in body.signature.params.items() if default is not REQUIRED}
    return found


def _function(numbers: Numbers, owner: str, body: FunctionRecord) -> None:
    _put(numbers, f"{owner}/param:", body.params)
    _put(numbers, f"{owner}/initial:state:", body.states)
    for name, stream in body.streams.items():
        numbers.starts[f"{owner}/random:{name}"] = _start(stream)


def _put(numbers: Numbers, prefix: str, values: Mapping[str, np.ndarray[Any, Any]]) -> None:
    for name, value in values.items():
        numbers.values[f"{prefix}{name}"] = value


def _start(stream: StreamRecord) -> GeneratorStart:
    return GeneratorStart(stream.kind, stream.seed, stream.words, stream.number)


def _full(model: ModelRecord, address: Address, side: Side) -> str:
    """The full name of a port: of an instance, `node/port` down to the node that has it."""
    node = model.nodes.get(address.owner)
    if not isinstance(node, InstanceRecord):
        return address.name
    inner = node.model
    ports = inner.inputs() if side == "in" else inner.outputs()
    for short, found in zip(inner.interface(side), ports, strict=True):
        if short == address.name:
            return f"{found.owner}/{_full(inner, found, side)}"
    return address.name
