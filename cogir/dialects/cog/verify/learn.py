"""
What must hold between `cog.learn` and its model: matrices that are there, losses and an optimizer that take what they are given.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import cast

from xdsl.dialects import func
from xdsl.dialects.builtin import FunctionType, SymbolRefAttr, TensorType, f64
from xdsl.ir import Attribute, Operation
from xdsl.utils.exceptions import VerifyException

from cogir.dialects.cog.attributes import const_type
from cogir.dialects.cog.learn import LearnedOp, LearnOp, LossOp
from cogir.dialects.cog.ports import PlacedVerifyException, resolve_port, show, suggestion
from cogir.dialects.cog.project import ProjectOp

Symbols = Mapping[str, Operation]


def verify_learning(op: LearnOp, parts: Sequence[Operation], symbols: Symbols, outside: Symbols) -> None:
    """What is learned is there; the functions take and give what they must."""
    weights, seen = 0, set[ProjectOp]()
    for learned in op.learned:
        projection = verify_learned(learned, parts, symbols)
        if projection in seen:
            raise PlacedVerifyException(learned, "this matrix is learned already; name it once")
        seen.add(projection)
        assert projection.matrix is not None
        weights += prod(projection.matrix.get_shape())
    for loss in op.losses:
        verify_loss(loss, symbols, outside)
    vector = TensorType(f64, [weights])
    params = [const_type(value) for _, value in op.params]
    states = [const_type(value) for _, value in op.states]
    wanted = FunctionType.from_lists([vector, vector, *params, *states], [vector, *states])
    check_function(op, f"learning {show(op.sym_name)}: the optimizer", op.optimizer, wanted, outside)


def verify_learned(op: LearnedOp, parts: Sequence[Operation], symbols: Symbols) -> ProjectOp:
    """The projection whose matrix is learned."""
    who = f"learned projection {show(op.source, op.source_port)} -> {show(op.target, op.target_port)}"
    try:
        ends = op.ends(symbols)
    except VerifyException as error:
        raise PlacedVerifyException(op, f"{who}: {error}") from error
    found = [each for each in parts if isinstance(each, ProjectOp) and ends_of(each, symbols) == ends]
    if len(found) != 1:
        raise PlacedVerifyException(op, f"{who}: there are {len(found) or 'no'} projections between these ports; one is required")
    if found[0].matrix is None or found[0].matrix.get_element_type() != f64:
        raise PlacedVerifyException(op, f"{who}: the projection has no matrix of f64; give it one")
    return found[0]


def ends_of(op: ProjectOp, symbols: Symbols) -> tuple[tuple[str, str], tuple[str, str]] | None:
    """Node and port of the sender and of the receiver; None where they are not there, which is refused elsewhere."""
    try:
        ports = op.resolve_source_port(symbols), op.resolve_target_port(symbols)
    except VerifyException:
        return None
    return (op.source.string_value(), ports[0]), (op.target.string_value(), ports[1])


def verify_loss(op: LossOp, symbols: Symbols, outside: Symbols) -> None:
    """The loss takes the values of two ports, and gives a number."""
    who = f"loss {show(op.function)}"
    try:
        _, sample = resolve_port(op, op.sample, op.sample_port, symbols, output=True)
        _, target = resolve_port(op, op.target, op.target_port, symbols, output=True)
    except VerifyException as error:
        raise PlacedVerifyException(op, f"{who}: {error}") from error
    check_function(op, "loss", op.function, FunctionType.from_lists([sample, target], [cast(Attribute, f64)]), outside)


def check_function(op: Operation, who: str, name: SymbolRefAttr, wanted: FunctionType, outside: Symbols) -> None:
    """A function of this name and type is in the module."""
    found = outside.get(name.root_reference.data)
    if not isinstance(found, func.FuncOp):
        known = [each for each, held in outside.items() if isinstance(held, func.FuncOp)]
        raise PlacedVerifyException(
            op, f"{who} {show(name)} is not a function of the module{suggestion(name.root_reference.data, known, show)}"
        )
    if found.function_type != wanted:
        raise PlacedVerifyException(op, f"{who} {show(name)} is {found.function_type}; it must be {wanted}")
