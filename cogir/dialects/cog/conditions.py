"""
The conditions of a schedule, one operation for every condition of graph_scheduler, in snake_case of its class.

Each gives an i1 and is a value like any other, so conditions are combined by `cog.all`, `cog.any`, `cog.not`, by plain
`arith` on what `cog.read` reads (graph_scheduler's `While(func)`), and end in `cog.condition`.
`trial` is graph_scheduler's EnvironmentStateUpdate, `run` its EnvironmentSequence, `time_step` its
ConsiderationSetExecution.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import (
    ArrayAttr,
    FlatSymbolRefAttrConstr,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    i1,
    i64,
)
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, Pure

from cogir.dialects.cog.attributes import (
    TimeScale,
    TimeScaleAttr,
    int64,
    ref,
    refs,
)

Symbol = str | StringAttr | SymbolRefAttr
Scale = str | TimeScale | TimeScaleAttr


def scale_attr(scale: Scale) -> TimeScaleAttr:
    """A time scale as an attribute."""
    return scale if isinstance(scale, TimeScaleAttr) else TimeScaleAttr(TimeScale(scale))


class Condition(IRDLOperation, ABC):
    """Anything that a schedule can ask: gives an i1."""


class PlainCondition(Condition, ABC):
    """A condition without arguments."""

    result = result_def(i1)
    traits = traits_def(Pure())
    assembly_format = "attr-dict"

    def __init__(self):
        super().__init__(result_types=[i1])


class JoinCondition(Condition, ABC):
    """A condition over any number of others."""

    conditions = var_operand_def(i1)
    result = result_def(i1)
    traits = traits_def(Pure())
    assembly_format = "$conditions attr-dict"

    def __init__(self, conditions: Sequence[SSAValue | Operation]):
        super().__init__(operands=[conditions], result_types=[i1])


class WrapCondition(Condition, ABC):
    """A condition over one other."""

    condition = operand_def(i1)
    result = result_def(i1)
    traits = traits_def(Pure())
    assembly_format = "$condition attr-dict"

    def __init__(self, condition: SSAValue | Operation):
        super().__init__(operands=[condition], result_types=[i1])


class CallsCondition(Condition, ABC):
    """A condition on how often a node has run within a time scale."""

    node = prop_def(FlatSymbolRefAttrConstr)
    n = prop_def(IntegerAttr.constr(i64))
    scale = prop_def(TimeScaleAttr)
    result = result_def(i1)
    traits = traits_def(Pure())
    assembly_format = "$node $n `in` $scale attr-dict"

    def __init__(self, node: Symbol, n: int | IntegerAttr[Any], scale: Scale = TimeScale.TRIAL):
        super().__init__(
            properties={"node": ref(node), "n": int64(n), "scale": scale_attr(scale)},
            result_types=[i1],
        )


class NodeCondition(Condition, ABC):
    """A condition on one node."""

    node = prop_def(FlatSymbolRefAttrConstr)
    result = result_def(i1)
    traits = traits_def(Pure())
    assembly_format = "$node attr-dict"

    def __init__(self, node: Symbol):
        super().__init__(properties={"node": ref(node)}, result_types=[i1])


class NodesCondition(Condition, ABC):
    """A condition on several nodes; an empty list means all nodes of the model."""

    nodes = prop_def(ArrayAttr.constr(FlatSymbolRefAttrConstr))
    result = result_def(i1)
    traits = traits_def(Pure())
    assembly_format = "$nodes attr-dict"

    def __init__(self, nodes: Sequence[Symbol] = ()):
        super().__init__(properties={"nodes": refs(nodes)}, result_types=[i1])


@irdl_op_definition
class AlwaysOp(PlainCondition):
    """Always holds: `cog.always`."""

    name = "cog.always"


@irdl_op_definition
class NeverOp(PlainCondition):
    """Never holds: `cog.never`."""

    name = "cog.never"


@irdl_op_definition
class AllOp(JoinCondition):
    """Holds when all of the conditions do: `cog.all %a, %b`."""

    name = "cog.all"


@irdl_op_definition
class AnyOp(JoinCondition):
    """Holds when at least one of the conditions does: `cog.any %a, %b`."""

    name = "cog.any"


@irdl_op_definition
class NotOp(WrapCondition):
    """Holds when the condition does not: `cog.not %a`."""

    name = "cog.not"


@irdl_op_definition
class WhileOp(WrapCondition):
    """Holds while a predicate over values does, graph_scheduler's `Condition(func)`: `cog.while %predicate`."""

    name = "cog.while"


@irdl_op_definition
class WhileNotOp(WrapCondition):
    """Holds while a predicate over values does not: `cog.while_not %predicate`."""

    name = "cog.while_not"


@irdl_op_definition
class NWhenOp(Condition):
    """
    Holds the first n times that the condition does; it remembers how often that was, so it is not a pure function.

    ```mlir
    %c = cog.n_when %other 3
    ```
    """

    name = "cog.n_when"

    condition = operand_def(i1)
    n = prop_def(IntegerAttr.constr(i64))
    result = result_def(i1)
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    assembly_format = "$condition $n attr-dict"

    def __init__(self, condition: SSAValue | Operation, n: int | IntegerAttr[Any] = 1):
        super().__init__(operands=[condition], properties={"n": int64(n)}, result_types=[i1])


@irdl_op_definition
class AllHaveRunOp(Condition):
    """
    Holds when each of the nodes (an empty list: every node of the model) has run at least once in the time scale.

    ```mlir
    %c = cog.all_have_run [@a, @b] in trial
    ```
    """

    name = "cog.all_have_run"

    nodes = prop_def(ArrayAttr.constr(FlatSymbolRefAttrConstr))
    scale = prop_def(TimeScaleAttr)
    result = result_def(i1)
    traits = traits_def(Pure())
    assembly_format = "$nodes `in` $scale attr-dict"

    def __init__(self, nodes: Sequence[Symbol] = (), scale: Scale = TimeScale.TRIAL):
        super().__init__(properties={"nodes": refs(nodes), "scale": scale_attr(scale)}, result_types=[i1])


@irdl_op_definition
class BeforeNCallsOp(CallsCondition):
    """Holds while the node has run fewer than n times: `cog.before_n_calls @a 3 in trial`."""

    name = "cog.before_n_calls"


@irdl_op_definition
class AtNCallsOp(CallsCondition):
    """Holds while the node has run exactly n times: `cog.at_n_calls @a 3 in trial`."""

    name = "cog.at_n_calls"


@irdl_op_definition
class AfterCallOp(CallsCondition):
    """Holds when the node has run more than n times: `cog.after_call @a 3 in trial`."""

    name = "cog.after_call"


@irdl_op_definition
class AfterNCallsOp(CallsCondition):
    """Holds when the node has run at least n times: `cog.after_n_calls @a 3 in trial`."""

    name = "cog.after_n_calls"


@irdl_op_definition
class AfterNCallsCombinedOp(Condition):
    """
    Holds when the nodes together have run at least n times in the time scale.

    ```mlir
    %c = cog.after_n_calls_combined [@a, @b] 3 in trial
    ```
    """

    name = "cog.after_n_calls_combined"

    nodes = prop_def(ArrayAttr.constr(FlatSymbolRefAttrConstr))
    n = prop_def(IntegerAttr.constr(i64))
    scale = prop_def(TimeScaleAttr)
    result = result_def(i1)
    traits = traits_def(Pure())
    assembly_format = "$nodes $n `in` $scale attr-dict"

    def __init__(self, nodes: Sequence[Symbol], n: int | IntegerAttr[Any], scale: Scale = TimeScale.TRIAL):
        super().__init__(
            properties={"nodes": refs(nodes), "n": int64(n), "scale": scale_attr(scale)},
            result_types=[i1],
        )


@irdl_op_definition
class EveryNCallsOp(Condition):
    """
    Holds when the node has run at least n times since the owner of the condition last ran: `cog.every_n_calls @a 2`.
    """

    name = "cog.every_n_calls"

    node = prop_def(FlatSymbolRefAttrConstr)
    n = prop_def(IntegerAttr.constr(i64))
    result = result_def(i1)
    traits = traits_def(Pure())
    assembly_format = "$node $n attr-dict"

    def __init__(self, node: Symbol, n: int | IntegerAttr[Any]):
        super().__init__(properties={"node": ref(node), "n": int64(n)}, result_types=[i1])


@irdl_op_definition
class JustRanOp(NodeCondition):
    """Holds when the node ran in the previous time step: `cog.just_ran @a`."""

    name = "cog.just_ran"


@irdl_op_definition
class WhenFinishedOp(NodeCondition):
    """Holds when the node has finished: `cog.when_finished @a`."""

    name = "cog.when_finished"


@irdl_op_definition
class WhenFinishedAnyOp(NodesCondition):
    """Holds when at least one of the nodes has finished: `cog.when_finished_any [@a, @b]`."""

    name = "cog.when_finished_any"


@irdl_op_definition
class WhenFinishedAllOp(NodesCondition):
    """Holds when all of the nodes have finished: `cog.when_finished_all [@a, @b]`."""

    name = "cog.when_finished_all"
