"""
When things happen: conditions of nodes, resets of states, and the ends of trials and runs.

Conditions themselves are in `conditions`; `complete-schedule` writes down what a modeller left to the defaults.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import ArrayAttr, FlatSymbolRefAttrConstr, StringAttr, SymbolRefAttr, i1
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsolatedFromAbove, IsTerminator, NoTerminator, Pure

from cogir.dialects.cog.attributes import TimeScale, TimeScaleAttr, When, WhenAttr, ref, refs, string
from cogir.dialects.cog.conditions import Condition
from cogir.dialects.cog.node import REFERENCES
from cogir.dialects.cog.programs import ProgramOp
from cogir.dialects.cog.syntax import attach, parse_body, parse_ref, ref_list
from cogir.dialects.cog.traits import Inside

__all__ = ["AsideOp", "ConditionOp", "FailOp", "ResetOp", "ScheduleOp", "TerminateOp", "WhenOp"]

Symbol = str | StringAttr | SymbolRefAttr


def condition_region(condition: Region | Operation | Sequence[Operation]) -> Region:
    """
    A region that computes a condition: a finished region, one condition, or operations of which the last gives it.
    """
    if isinstance(condition, Region):
        return condition
    ops = [condition] if isinstance(condition, Operation) else list(condition)
    if not isinstance(ops[-1], ConditionOp):
        ops.append(ConditionOp(ops[-1]))
    return Region(Block(ops))


@irdl_op_definition
class ConditionOp(IRDLOperation):
    """
    The end of a condition: whether it holds.

    ```mlir
    cog.condition %both
    ```
    """

    name = "cog.condition"

    condition = operand_def(i1)

    traits = traits_def(IsTerminator(), Inside("cog.when", "cog.reset", "cog.terminate"), Pure())

    assembly_format = "$condition attr-dict"

    def __init__(self, condition: SSAValue | Operation):
        super().__init__(operands=[condition])


class ScheduledCondition(IRDLOperation):
    """Base of the parts of a schedule that have a region which computes a condition."""

    body = region_def("single_block")

    @property
    def condition(self) -> SSAValue:
        """The value that says whether the condition holds."""
        return cast(ConditionOp, self.body.block.last_op).condition

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """The condition operations inside, in order."""
        return tuple(op for op in self.body.block.ops if isinstance(op, Condition))


@irdl_op_definition
class WhenOp(ScheduledCondition):
    """
    When a node runs, asked each time that it is considered. The default: each node that it depends on has run since it
    last ran.

    ```mlir
    cog.when @b {
      %c = cog.every_n_calls @a 2
      cog.condition %c
    }
    ```
    """

    name = "cog.when"

    node = prop_def(FlatSymbolRefAttrConstr)

    traits = traits_def(IsolatedFromAbove(), Inside("cog.schedule"))

    assembly_format = "$node attr-dict-with-keyword $body"

    def __init__(self, node: Symbol, condition: Region | Operation | Sequence[Operation]):
        super().__init__(properties={"node": ref(node)}, regions=[condition_region(condition)])


@irdl_op_definition
class AsideOp(IRDLOperation):
    """
    A node that is no part of the passes: it executes once in each trial, before the first time step or after the last one, on the values
    as they are then; not in trials that a controller of the model simulates. A `cog.when` says in which trials; it is asked at that moment.

    ```mlir
    cog.aside @control after
    ```
    """

    name = "cog.aside"

    node = prop_def(FlatSymbolRefAttrConstr)
    when = prop_def(WhenAttr)

    traits = traits_def(Inside("cog.schedule"))

    assembly_format = "$node $when attr-dict"

    def __init__(self, node: Symbol, when: str | When | WhenAttr):
        super().__init__(properties={"node": ref(node), "when": when if isinstance(when, WhenAttr) else WhenAttr(When(when))})


@irdl_op_definition
class ResetOp(ScheduledCondition):
    """
    When a node goes back to where it began; asked at the start of each trial.

    All of it (states, ports, whether it has finished), all but the states and ports that it keeps, or only the states that are named.

    ```mlir
    cog.reset @b when {
      %c = cog.at_trial_start
      cog.condition %c
    }
    cog.reset @b states ["steps"] when { ... }
    cog.reset @b keeps ["executions"] keeps_ports ["value"] when { ... }
    ```
    """

    name = "cog.reset"

    node = prop_def(FlatSymbolRefAttrConstr)
    states = opt_prop_def(ArrayAttr[StringAttr])
    keeps = opt_prop_def(ArrayAttr[StringAttr])
    keeps_ports = opt_prop_def(ArrayAttr[StringAttr])

    traits = traits_def(IsolatedFromAbove(), Inside("cog.schedule"))

    assembly_format = "$node (`states` $states^)? (`keeps` $keeps^)? (`keeps_ports` $keeps_ports^)? `when` attr-dict-with-keyword $body"

    def __init__(
        self,
        node: Symbol,
        condition: Region | Operation | Sequence[Operation],
        *,
        states: Sequence[str] | None = None,
        keeps: Sequence[str] | None = None,
        keeps_ports: Sequence[str] | None = None,
    ):
        super().__init__(
            properties={
                "node": ref(node),
                "states": None if states is None else ArrayAttr([StringAttr(name) for name in states]),
                "keeps": ArrayAttr([StringAttr(name) for name in keeps]) if keeps else None,
                "keeps_ports": ArrayAttr([StringAttr(name) for name in keeps_ports]) if keeps_ports else None,
            },
            regions=[condition_region(condition)],
        )

    @property
    def state_names(self) -> tuple[str, ...] | None:
        """The states that go back, or None for all of the node."""
        return None if self.states is None else tuple(name.data for name in self.states)

    @property
    def kept_names(self) -> tuple[str, ...]:
        """The states that stay as they are."""
        return () if self.keeps is None else tuple(name.data for name in self.keeps)

    @property
    def kept_ports(self) -> tuple[str, ...]:
        """The ports that stay as they are."""
        return () if self.keeps_ports is None else tuple(name.data for name in self.keeps_ports)


@irdl_op_definition
class TerminateOp(ScheduledCondition):
    """
    When a trial or a run ends. The defaults: a trial when all nodes have run, a run never.

    ```mlir
    cog.terminate trial {
      %c = cog.when_finished @decision
      cog.condition %c
    }
    ```
    """

    name = "cog.terminate"

    scale = prop_def(TimeScaleAttr)

    traits = traits_def(IsolatedFromAbove(), Inside("cog.schedule"))

    assembly_format = "$scale attr-dict-with-keyword $body"

    def __init__(self, scale: str | TimeScale | TimeScaleAttr, condition: Region | Operation | Sequence[Operation]):
        super().__init__(
            properties={"scale": scale if isinstance(scale, TimeScaleAttr) else TimeScaleAttr(TimeScale(scale))},
            regions=[condition_region(condition)],
        )


@irdl_op_definition
class FailOp(IRDLOperation):
    """
    A trial fails if this state of a node is another number than zero at its end: the run stops after the trial before, with this message.

    ```mlir
    cog.fail @a state "overflow" because "it counts further than it can; reset it"
    ```
    """

    name = "cog.fail"

    node = prop_def(FlatSymbolRefAttrConstr)
    state = prop_def(StringAttr)
    message = prop_def(StringAttr)

    traits = traits_def(Inside("cog.schedule"))

    assembly_format = "$node `state` $state `because` $message attr-dict"

    def __init__(self, node: Symbol, state: str | StringAttr, message: str | StringAttr):
        super().__init__(properties={"node": ref(node), "state": string(state), "message": string(message)})


@irdl_op_definition
class ScheduleOp(IRDLOperation):
    """
    The schedule of a model. `layers` is the order in which nodes are considered (graph_scheduler's consideration
    queue); `complete-schedule` fills it in.

    ```mlir
    cog.schedule layers [[@a], [@b, @c]] {
      cog.when @b { ... }
      cog.terminate trial { ... }
    }
    ```
    """

    name = "cog.schedule"

    layers = opt_prop_def(ArrayAttr.constr(REFERENCES))
    body = region_def("single_block")

    traits = traits_def(NoTerminator(), Inside("cog.model"))

    def __init__(self, ops: Sequence[Operation] | Region = (), *, layers: Sequence[Sequence[Symbol]] | None = None):
        super().__init__(
            properties={"layers": None if layers is None else ArrayAttr([refs(layer) for layer in layers])},
            regions=[ops if isinstance(ops, Region) else Region(Block(ops))],
        )

    def print(self, printer: Printer) -> None:
        if self.layers is not None:
            printer.print_string(" layers ")
            printer.print_attribute(self.layers)
        printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" ")
        printer.print_region(self.body, print_empty_block=False)

    @classmethod
    def parse(cls, parser: Parser) -> ScheduleOp:
        layers: list[list[SymbolRefAttr]] | None = None
        if parser.parse_optional_keyword("layers"):
            layers = ref_list(parser, lambda: ref_list(parser, lambda: parse_ref(parser)))
        attributes = parser.parse_optional_attr_dict_with_keyword()
        return attach(cls(parse_body(parser), layers=layers), attributes)

    @property
    def layer_names(self) -> tuple[tuple[str, ...], ...] | None:
        """The layers as names, or None before `complete-schedule`."""
        if self.layers is None:
            return None
        return tuple(tuple(each.root_reference.data for each in layer) for layer in self.layers)

    @property
    def whens(self) -> dict[str, WhenOp]:
        """The conditions of nodes, by node."""
        return {op.node.root_reference.data: op for op in self.body.block.ops if isinstance(op, WhenOp)}

    @property
    def asides(self) -> dict[str, When]:
        """The nodes that are no part of the passes, and when they execute."""
        return {op.node.root_reference.data: op.when.data for op in self.body.block.ops if isinstance(op, AsideOp)}

    @property
    def fails(self) -> tuple[FailOp, ...]:
        """The states that must be zero at the end of a trial."""
        return tuple(op for op in self.body.block.ops if isinstance(op, FailOp))

    @property
    def resets(self) -> dict[str, ResetOp]:
        """The conditions for resets, by node."""
        return {op.node.root_reference.data: op for op in self.body.block.ops if isinstance(op, ResetOp)}

    def terminate(self, scale: str | TimeScale) -> TerminateOp | None:
        """The condition that ends a trial or a run, if it is given."""
        scale = TimeScale(scale)
        return next((op for op in self.body.block.ops if isinstance(op, TerminateOp) and op.scale.data == scale), None)

    @property
    def program(self) -> ProgramOp | None:
        """The program of a trial, if `eliminate-scheduler` found one."""
        return next((op for op in self.body.block.ops if isinstance(op, ProgramOp)), None)
