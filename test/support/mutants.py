"""
Models with one change: a constant, a sign, or an edge.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import ArrayAttr, DenseIntOrFPElementsAttr, FloatAttr, IntegerAttr, ModuleOp, StringAttr, i64

from cogir.dialects import cog
from cogir.irutils import array_of_dense, dense_of_array

Change = Callable[[ModuleOp], None]


def nodes_of(module: ModuleOp) -> dict[str, cog.NodeOp]:
    """The nodes of a module by name."""
    return {op.sym_name.data: op for op in module.walk() if isinstance(op, cog.NodeOp)}


def edges_of(module: ModuleOp) -> list[cog.ProjectOp]:
    """The projections of a module."""
    return [op for op in module.walk() if isinstance(op, cog.ProjectOp)]


def replaced(constants: ArrayAttr[Any], at: int, change: Callable[[Any], Any]) -> ArrayAttr[Any]:
    """Constants of which one is changed, if it is an array in its first element."""
    held = list(constants.data)
    old = held[at]
    if isinstance(old, FloatAttr):
        held[at] = FloatAttr(change(old.value.data), old.type)
    else:
        array = array_of_dense(cast("DenseIntOrFPElementsAttr[Any]", old)).copy()
        array.ravel()[:1] = change(array.ravel()[0])
        held[at] = dense_of_array(array)
    return ArrayAttr(held)


def parameter(node: str, name: str, change: Callable[[float], float]) -> Change:
    """Another default of a parameter."""

    def apply(module: ModuleOp) -> None:
        op = nodes_of(module)[node]
        at = [each.data for each in op.param_names].index(name)
        op.properties["param_defaults"] = replaced(op.param_defaults, at, change)

    return apply


def initial_state(node: str, value: float) -> Change:
    """Another initial value of the first state of a node."""

    def apply(module: ModuleOp) -> None:
        op = nodes_of(module)[node]
        op.properties["state_initials"] = replaced(op.state_initials, 0, lambda _: value)

    return apply


def weight(edge: int, change: Callable[[float], float], at: tuple[int, int] = (0, 0)) -> Change:
    """Another weight of a projection."""

    def apply(module: ModuleOp) -> None:
        op = edges_of(module)[edge]
        assert op.matrix is not None
        matrix = array_of_dense(op.matrix).copy()
        matrix[at] = change(matrix[at])
        op.properties["matrix"] = dense_of_array(matrix)

    return apply


def without_edge(edge: int) -> Change:
    """A projection less."""

    def apply(module: ModuleOp) -> None:
        op = edges_of(module)[edge]
        op.detach()
        op.erase()

    return apply


def other_source(edge: int, node: str) -> Change:
    """A projection from another node."""

    def apply(module: ModuleOp) -> None:
        op = edges_of(module)[edge]
        source = next(op for op in edges_of(module) if op.source.string_value() == node)
        op.properties["source"] = source.source

    return apply


def constant(function: str, at: int, change: Callable[[float], float]) -> Change:
    """Another constant in a function, by its place among the floats there."""

    def apply(module: ModuleOp) -> None:
        body = next(op for op in module.ops if op.properties.get("sym_name") == StringAttr(function))
        found = [op for op in body.walk() if isinstance(op, arith.ConstantOp) and isinstance(op.value, FloatAttr)][at]
        held = cast("FloatAttr[Any]", found.value)
        found.properties["value"] = FloatAttr(change(held.value.data), held.type)

    return apply


def mutated(module: ModuleOp, *changes: Change) -> ModuleOp:
    """The module with changes, in place."""
    for change in changes:
        change(module)
    return module


def random_change(module: ModuleOp, source: Random) -> str:
    """Makes a random change and says of what kind; not every one makes a difference."""
    kinds: list[tuple[str, Any]] = []
    for op in module.walk():
        if isinstance(op, arith.ConstantOp) and isinstance(op.value, FloatAttr):
            kinds.append(("constant", op))
        elif isinstance(op, arith.AddfOp | arith.MulfOp | arith.SubfOp | arith.MaximumfOp | arith.MinimumfOp):
            kinds.append(("operation", op))
        elif isinstance(op, arith.CmpfOp):
            kinds.append(("comparison", op))
        elif isinstance(op, cog.ProjectOp):
            kinds.append(("edge", op))
        elif isinstance(op, cog.NodeOp) and op.params and isinstance(op.params[0][1], FloatAttr):
            kinds.append(("parameter", op))
    kind, op = source.choice(kinds)
    match kind:
        case "constant":
            held = cast("FloatAttr[Any]", op.value)
            op.properties["value"] = FloatAttr(
                held.value.data * source.choice([1.0000001, -1.0, 2.0]) + source.choice([0.0, 1e-9]), held.type
            )
        case "operation":
            new = source.choice([arith.AddfOp, arith.MulfOp, arith.SubfOp, arith.MaximumfOp])(op.lhs, op.rhs)
            op.parent.insert_op_before(new, op)
            op.result.replace_all_uses_with(new.result)
            op.detach()
            op.erase()
        case "comparison":
            op.properties["predicate"] = IntegerAttr(source.choice([1, 2, 3, 4, 5]), i64)
        case "edge":
            op.detach()
            op.erase()
        case _:
            op.properties["param_defaults"] = replaced(op.param_defaults, 0, lambda old: old * 1.01 + source.choice([0.0, 0.01]))
    return kind
