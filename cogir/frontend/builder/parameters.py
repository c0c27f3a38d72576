"""
The numbers of a model by their paths: parameters, start values, matrices, levels, and the starts of generators.

Machine code does not depend on them: it reads them from the parameter banks. So models that differ in nothing else
share their code in the object cache, and only these numbers are put in place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from cogir.frontend.builder.graph import Graph, Side
from cogir.frontend.builder.handles import Instance
from cogir.frontend.builder.records import Address, FunctionRecord, StreamRecord
from cogir.runtime.plan import Numbers, Start

if TYPE_CHECKING:
    from cogir.frontend.builder.model import Model


def numbers_of(model: Model, *, learning: bool = False) -> Numbers:
    """All numbers of a model, and of the models placed in it, by path; those of how it learns if that is wanted."""
    numbers = Numbers({}, {})
    _collect(model, "", numbers)
    if learning and model.learns is not None:
        _function(numbers, model.learns.name, model.learns.optimizer)
    return numbers


def _collect(model: Graph, prefix: str, numbers: Numbers) -> None:
    for name, node in model.nodes.items():
        if isinstance(node, Instance):
            _collect(node.record.model, f"{prefix}{name}/", numbers)
            continue
        owner = f"{prefix}{name}"
        _put(numbers, f"{owner}/initial:port:", node.record.initials)
        if node.record.body is not None:
            _function(numbers, owner, node.record.body)
    seen: Counter[tuple[str, str]] = Counter()
    for record in model.projections:
        source = f"{record.source.owner}:{_full(model, record.source, 'out')}"
        target = f"{record.target.owner}:{_full(model, record.target, 'in')}"
        number = seen[source, target]
        seen[source, target] += 1
        owner = prefix + (record.name or f"{source}->{target}" + (f"#{number}" if number else ""))
        if record.matrix is not None:
            numbers.values[f"{owner}/matrix"] = record.matrix
        if record.body is not None:
            _function(numbers, owner, record.body)
    for name, control in model.controls.items():
        for signal in control.record.signals:
            numbers.values[f"{prefix}{name}/levels:{signal.name}"] = signal.levels
            numbers.values[f"{prefix}{name}/initial:signal:{signal.name}"] = np.asarray(signal.initial)
        if (estimated := control.record.estimated) is not None:
            following = estimated.first + estimated.number * estimated.step
            numbers.values[f"{prefix}{name}/initial:signal:{estimated.name}"] = np.asarray(estimated.initial)
            numbers.values[f"{prefix}{name}/initial:seeds:first"] = np.asarray(estimated.first)
            numbers.values[f"{prefix}{name}/initial:seeds:next"] = np.asarray(following % estimated.below)
        if control.record.tie_stream is not None:
            numbers.starts[f"{prefix}{name}/random:ties"] = _start(control.record.tie_stream)


def _function(numbers: Numbers, owner: str, body: FunctionRecord) -> None:
    _put(numbers, f"{owner}/param:", body.params)
    _put(numbers, f"{owner}/initial:state:", body.states)
    for name, stream in body.streams.items():
        numbers.starts[f"{owner}/random:{name}"] = _start(stream)


def _put(numbers: Numbers, prefix: str, values: Mapping[str, np.ndarray[Any, Any]]) -> None:
    for name, value in values.items():
        numbers.values[f"{prefix}{name}"] = value


def _start(stream: StreamRecord) -> Start:
    return Start(stream.kind, stream.seed, stream.words)


def _full(model: Graph, address: Address, side: Side) -> str:
    """The full name of a port: of an instance, `node/port` down to the node that has it."""
    node = model.nodes.get(address.owner)
    if not isinstance(node, Instance):
        return address.name
    inner = node.record.model
    ports = inner.inputs() if side == "in" else inner.outputs()
    for short, found in zip(inner.interface(side), ports, strict=True):
        if short == address.name:
            return f"{found.owner}/{_full(inner, found, side)}"
    return address.name
