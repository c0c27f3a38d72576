"""
How a model learns, as the builder is told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, cast

from cogir.errors import ModelError
from cogir.frontend.builder import checks
from cogir.frontend.builder.functions import function_record, returned_by
from cogir.frontend.builder.graph import Graph
from cogir.frontend.builder.handles import Projection
from cogir.frontend.builder.records import FunctionRecord, LearningRecord, LossRecord, ProjectionRecord, StreamRecord
from cogir.frontend.builder.source_location import SourceLocation
from cogir.frontend.builder.values import Array, ValueType


def learning_record(
    model: Graph,
    name: str,
    losses: object,
    optimizer: Callable[..., Any],
    loss: Callable[..., Any],
    weights: object,
    over: str,
    given: Mapping[str, Any],
    place: SourceLocation,
) -> LearningRecord:
    """The record of `Model.learning`, with all that it names looked up."""
    what = f'learning "{name}"'
    checks.choice(over, ("mean", "sum"), f"{what}: over", place)
    learned = _weights(model, weights, what, place)
    size = sum(matrix_of(record).size for record in learned)
    found = _losses(model, losses, loss, what, place)
    return LearningRecord(name, place, learned, weights is not None, found, over, _optimizer(optimizer, given, size, what, place))


def matrix_of(record: ProjectionRecord) -> Array:
    """The matrix of a projection that is learned."""
    assert record.matrix is not None
    return record.matrix


def _weights(model: Graph, given: object, what: str, place: SourceLocation) -> list[ProjectionRecord]:
    """The projections that are learned."""
    if given is None:
        found = [record for record in model.projections if record.matrix is not None and not (record.recurrent or record.feedback)]
    elif isinstance(given, Iterable):
        found: list[ProjectionRecord] = []
        for each in cast("Iterable[object]", given):
            if not isinstance(each, Projection):
                raise ModelError(f"{place}: {what}: weights contains {each!r:.60}; give projections, as m.project returns them")
            model.must_hold(each, what, place)
            found.append(each.record)
    else:
        raise ModelError(f"{place}: {what}: weights is {given!r:.60}; give a list of projections")
    for record in found:
        which = f"projection {record.source.owner} -> {record.target.owner}"
        if record.matrix is None or record.matrix.dtype.kind != "f":
            raise ModelError(f"{place}: {what}: the {which} has no matrix of floats; give it one")
        if sum((other.source, other.target) == (record.source, record.target) for other in model.projections) > 1:
            raise ModelError(f"{place}: {what}: there is a second {which}; remove one, or use another port")
    if not found and given is not None:
        raise ModelError(
            f"{place}: {what}: weights is empty, so nothing is learned; give projections, or leave weights out to learn all of them"
        )
    if not found:
        raise ModelError(f"{place}: {what}: no projection has a matrix, so nothing can be learned; give one: m.project(a, b, matrix=...)")
    return found


def _losses(model: Graph, given: object, default: Callable[..., Any], what: str, place: SourceLocation) -> list[LossRecord]:
    """The losses, each with its ports."""
    if not isinstance(given, Iterable):
        raise ModelError(f"{place}: {what}: losses is {given!r:.60}; give a list of pairs (sample, target)")
    found: list[LossRecord] = []
    for each in cast("Iterable[Any]", given):
        if not isinstance(each, tuple) or len(cast("tuple[Any, ...]", each)) not in (2, 3):
            raise ModelError(f"{place}: {what}: found the loss {each!r:.60}; give (sample, target), or (sample, target, function)")
        first, second, *own = cast("tuple[Any, ...]", each)
        sample, kept = model.port(first, "out", f"{what}: sample", place)
        target, other = model.port(second, "out", f"{what}: target", place)
        if kept != other:
            raise ModelError(
                f'{place}: {what}: {sample.owner}["{sample.name}"] has type {kept}, but its target has type {other}; make them the same'
            )
        function = own[0] if own else default
        body = _function(function, {}, f"{what}: loss", place)
        returns, _ = returned_by(body, dict.fromkeys(body.signature.inputs, kept), f"{what}: loss", place)
        if len(body.signature.inputs) != 2 or [one.shape for one in returns.values()] != [()]:
            raise ModelError(
                f"{place}: {what}: the loss is {function!r:.60}; give a function that takes a sample and a target and returns one number"
            )
        found.append(LossRecord(sample, target, kept, function))
    if not found:
        raise ModelError(f"{place}: {what}: there is no loss; give pairs (sample, target)")
    return found


def _optimizer(function: Callable[..., Any], given: Mapping[str, Any], size: int, what: str, place: SourceLocation) -> FunctionRecord:
    """The optimizer with its parameters, for so many weights."""
    body = _function(function, given, f"{what}: optimizer", place)
    vector = ValueType((size,))
    returns, _ = returned_by(body, dict.fromkeys(body.signature.inputs, vector), f"{what}: optimizer", place)
    if len(body.signature.inputs) != 2 or list(returns.values()) != [vector]:
        raise ModelError(
            f"{place}: {what}: the optimizer is {function!r:.60}; give a function that takes weights and derivatives and returns weights"
        )
    return body


def _function(function: Callable[..., Any], given: Mapping[str, Any], what: str, place: SourceLocation) -> FunctionRecord:
    """A function without generators."""

    def no_stream(role: str, count: int) -> StreamRecord:
        raise ModelError(f"{place}: {what}: its function draws random numbers ({role}); give a function that does not")

    return function_record(function, given, what, place, no_stream)
