"""
The conditions of a schedule, one operation for every condition of graph_scheduler, in snake_case of its class.

Each gives an i1 and is a value like any other, so conditions are combined by `cog.all`, `cog.any`, `cog.not`, by plain
`arith` on what `cog.read` reads (graph_scheduler's `While(func)`), and end in `cog.condition`.
`trial` is graph_scheduler's EnvironmentStateUpdate, `run` its EnvironmentSequence, `time_step` its
ConsiderationSetExecution.
"""

from __future__ import annotations

from abc import ABC, ABCMeta
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, TypeVar, cast

from xdsl.dialects.builtin import ArrayAttr, FlatSymbolRefAttrConstr, IntegerAttr, StringAttr, SymbolRefAttr, i1, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, prop_def, result_def, traits_def, var_operand_def
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, Pure
from xdsl.utils.exceptions import VerifyException

from cogir.dialects.cog.attributes import Relation, TimeScale, TimeScaleAttr, int64, ref, refs

__all__ = [
    "AfterCallOp",
    "AfterNCallsCombinedOp",
    "AfterNCallsOp",
    "AllHaveRunOp",
    "AllOp",
    "AlwaysOp",
    "AnyOp",
    "AtNCallsOp",
    "BeforeNCallsOp",
    "CallsCondition",
    "Condition",
    "EveryNCallsOp",
    "JustRanOp",
    "NWhenOp",
    "NeverOp",
    "NotOp",
    "WhenFinishedAllOp",
    "WhenFinishedAnyOp",
    "WhenFinishedOp",
    "WhileNotOp",
    "WhileOp",
]

Symbol = str | StringAttr | SymbolRefAttr
Scale = str | TimeScale | TimeScaleAttr
Number = int | IntegerAttr[Any]


def scale_attr(scale: Scale) -> TimeScaleAttr:
    """A time scale as an attribute."""
    return scale if isinstance(scale, TimeScaleAttr) else TimeScaleAttr(TimeScale(scale))


class Condition(IRDLOperation, ABC):
    """A question that a schedule can ask. Its result is an i1."""

    result = result_def(i1)

    LEAST: ClassVar[int] = 0
    """The least `n` of conditions that have one."""

    def __init__(self, operands: Sequence[SSAValue | Operation | Sequence[SSAValue | Operation]] = (), /, **properties: Attribute | None):
        super().__init__(operands=operands, properties=properties, result_types=[i1])

    @property
    def named_nodes(self) -> tuple[SymbolRefAttr, ...]:
        """The nodes that the condition names."""
        return ()

    def verify_numbers(self) -> None:
        """Checks the numbers and the time scale. The verifier of the schedule calls this, and says whose condition it is."""
        n = self.properties.get("n")
        if isinstance(n, IntegerAttr) and n.value.data < self.LEAST:
            raise VerifyException(f"{self.name} has n = {n.value.data}; it must be at least {self.LEAST}")


class PureCondition(Condition, ABC):
    """A condition that remembers nothing."""

    traits = traits_def(Pure())


class PlainCondition(PureCondition, ABC):
    """A condition without arguments."""

    assembly_format = "attr-dict"

    def __init__(self):
        super().__init__()


class JoinCondition(PureCondition, ABC):
    """A condition over any number of others."""

    conditions = var_operand_def(i1)
    assembly_format = "$conditions attr-dict"

    def __init__(self, conditions: Sequence[SSAValue | Operation]):
        super().__init__([conditions])

    def verify_numbers(self) -> None:
        if not self.conditions:
            raise VerifyException(f"{self.name} joins no conditions; use cog.always or cog.never")


class WrapCondition(PureCondition, ABC):
    """A condition over one other."""

    condition = operand_def(i1)
    assembly_format = "$condition attr-dict"

    def __init__(self, condition: SSAValue | Operation):
        super().__init__([condition])


class NodeCondition(PureCondition, ABC):
    """A condition on one node."""

    node = prop_def(FlatSymbolRefAttrConstr)

    def __init__(self, node: Symbol, **more: Attribute | None):
        super().__init__(node=ref(node), **more)

    @property
    def named_nodes(self) -> tuple[SymbolRefAttr, ...]:
        return (self.node,)


class CallsCondition(NodeCondition, ABC):
    """Compares the number of calls of a node within a time scale with n."""

    n = prop_def(IntegerAttr.constr(i64))
    scale = prop_def(TimeScaleAttr)
    assembly_format = "$node $n `in` $scale attr-dict"

    RELATION: ClassVar[Relation]

    def __init__(self, node: Symbol, n: Number, scale: Scale = TimeScale.TRIAL):
        super().__init__(node, n=int64(n), scale=scale_attr(scale))


class NodesCondition(PureCondition, ABC):
    """A condition on several nodes; an empty list means all nodes of the model."""

    nodes = prop_def(ArrayAttr.constr(FlatSymbolRefAttrConstr))
    assembly_format = "$nodes attr-dict"

    def __init__(self, nodes: Sequence[Symbol] = (), **more: Attribute | None):
        super().__init__(nodes=refs(nodes), **more)

    @property
    def named_nodes(self) -> tuple[SymbolRefAttr, ...]:
        return self.nodes.data


ConditionT = TypeVar("ConditionT", bound=Condition)


def condition_class(base: type[ConditionT], name: str, says: str, **constants: object) -> type[ConditionT]:
    """
    The operation `cog.NAME`, which differs from others of the kind `base` in its constants alone: a row in a table of operations.

    Its class is called as graph_scheduler calls the condition: `AtPassOp` is `cog.at_pass`.
    """
    members: Mapping[str, Any] = {"name": f"cog.{name}", "__doc__": says, "__module__": base.__module__}
    title = "".join(word.capitalize() for word in name.split("_"))
    made = irdl_op_definition(cast("type[ConditionT]", ABCMeta(f"{title}Op", (base,), dict(members))))
    for constant, value in constants.items():
        setattr(made, constant, value)
    return made


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
    Holds the first n times that the condition does. It counts how often that was, so it is not a pure function.

    ```mlir
    %c = cog.n_when %other 3
    ```
    """

    name = "cog.n_when"

    condition = operand_def(i1)
    n = prop_def(IntegerAttr.constr(i64))
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    assembly_format = "$condition $n attr-dict"

    LEAST: ClassVar[int] = 1

    def __init__(self, condition: SSAValue | Operation, n: Number = 1):
        super().__init__([condition], n=int64(n))


BeforeNCallsOp = condition_class(
    CallsCondition, "before_n_calls", "Holds while the node has run fewer than n times: `cog.before_n_calls @a 3 in trial`.", RELATION="<"
)
AtNCallsOp = condition_class(
    CallsCondition, "at_n_calls", "Holds while the node has run exactly n times: `cog.at_n_calls @a 3 in trial`.", RELATION="=="
)
AfterCallOp = condition_class(
    CallsCondition, "after_call", "Holds when the node has run more than n times: `cog.after_call @a 3 in trial`.", RELATION=">"
)
AfterNCallsOp = condition_class(
    CallsCondition, "after_n_calls", "Holds when the node has run at least n times: `cog.after_n_calls @a 3 in trial`.", RELATION=">="
)


@irdl_op_definition
class AfterNCallsCombinedOp(NodesCondition):
    """Holds when the nodes together have run at least n times: `cog.after_n_calls_combined [@a, @b] 3 in trial`."""

    name = "cog.after_n_calls_combined"

    n = prop_def(IntegerAttr.constr(i64))
    scale = prop_def(TimeScaleAttr)
    assembly_format = "$nodes $n `in` $scale attr-dict"

    def __init__(self, nodes: Sequence[Symbol], n: Number, scale: Scale = TimeScale.TRIAL):
        super().__init__(nodes, n=int64(n), scale=scale_attr(scale))

    def verify_numbers(self) -> None:
        if not self.nodes:
            raise VerifyException(f"{self.name} names no nodes; write [@a, @b]")
        super().verify_numbers()


@irdl_op_definition
class EveryNCallsOp(NodeCondition):
    """Holds when the node has run at least n times since the owner of the condition last ran: `cog.every_n_calls @a 2`."""

    name = "cog.every_n_calls"

    n = prop_def(IntegerAttr.constr(i64))
    assembly_format = "$node $n attr-dict"

    LEAST: ClassVar[int] = 1

    def __init__(self, node: Symbol, n: Number):
        super().__init__(node, n=int64(n))


@irdl_op_definition
class AllHaveRunOp(NodesCondition):
    """Holds when each of the nodes (of the model, for an empty list) has run in the time scale: `cog.all_have_run [@a, @b] in trial`."""

    name = "cog.all_have_run"

    scale = prop_def(TimeScaleAttr)
    assembly_format = "$nodes `in` $scale attr-dict"

    def __init__(self, nodes: Sequence[Symbol] = (), scale: Scale = TimeScale.TRIAL):
        super().__init__(nodes, scale=scale_attr(scale))


@irdl_op_definition
class JustRanOp(NodeCondition):
    """Holds when the node ran in the previous time step: `cog.just_ran @a`."""

    name = "cog.just_ran"

    assembly_format = "$node attr-dict"


@irdl_op_definition
class WhenFinishedOp(NodeCondition):
    """Holds when the node has finished: `cog.when_finished @a`."""

    name = "cog.when_finished"

    assembly_format = "$node attr-dict"


@irdl_op_definition
class WhenFinishedAnyOp(NodesCondition):
    """Holds when at least one of the nodes has finished: `cog.when_finished_any [@a, @b]`."""

    name = "cog.when_finished_any"


@irdl_op_definition
class WhenFinishedAllOp(NodesCondition):
    """Holds when all of the nodes have finished: `cog.when_finished_all [@a, @b]`."""

    name = "cog.when_finished_all"
