"""
Programs: what a trial does where that is known at compile time.

A program is a sequence of time steps, with loops where they repeat; or a choice between programs by what has been counted when the trial
begins. `eliminate-scheduler` writes them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, StringAttr, SymbolRefAttr, i64
from xdsl.ir import Block, Operation, Region
from xdsl.irdl import IRDLOperation, irdl_op_definition, opt_prop_def, prop_def, region_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import NoTerminator

from cogir.dialects.cog.attributes import Comparator, ComparatorAttr, int64, optional_int64, refs
from cogir.dialects.cog.node import REFERENCES
from cogir.dialects.cog.syntax import attach, parse_body
from cogir.dialects.cog.traits import Inside
from cogir.dialects.cog.value_conditions import parse_comparator

__all__ = ["AdvanceOp", "ChooseOp", "ProgramOp", "RepeatOp", "StepOp", "steps_in"]

AROUND = ("cog.program", "cog.choose")
"""The operations that hold a program."""


@irdl_op_definition
class StepOp(IRDLOperation):
    """
    One time step of a static program: these nodes run, all on the values from before the step.

    ```mlir
    cog.step [@a, @b]
    ```
    """

    name = "cog.step"

    nodes = prop_def(REFERENCES)

    traits = traits_def(Inside(*AROUND, "cog.repeat"))

    assembly_format = "$nodes attr-dict"

    def __init__(self, nodes: Sequence[str | StringAttr | SymbolRefAttr]):
        super().__init__(properties={"nodes": refs(nodes)})

    @property
    def node_names(self) -> tuple[str, ...]:
        """The names of the nodes, in order."""
        return tuple(node.root_reference.data for node in self.nodes)


@irdl_op_definition
class RepeatOp(IRDLOperation):
    """
    A part of a static program that runs several times.

    ```mlir
    cog.repeat 100 {
      cog.step [@a]
    }
    ```
    """

    name = "cog.repeat"

    count = prop_def(IntegerAttr.constr(i64))
    body = region_def("single_block")

    traits = traits_def(NoTerminator(), Inside(*AROUND, "cog.repeat"))

    assembly_format = "$count attr-dict-with-keyword $body"

    def __init__(self, count: int | IntegerAttr[Any], steps: Sequence[Operation] | Region):
        super().__init__(
            properties={"count": int64(count)},
            regions=[steps if isinstance(steps, Region) else Region(Block(steps))],
        )


@irdl_op_definition
class AdvanceOp(IRDLOperation):
    """
    Advances a counter that time steps do not: passes, and how often an `n_when` has held.

    ```mlir
    cog.advance "clock:pass:life" by 3
    ```
    """

    name = "cog.advance"

    counter = prop_def(StringAttr)
    amount = prop_def(IntegerAttr.constr(i64))

    traits = traits_def(Inside(*AROUND))

    assembly_format = "$counter `by` $amount attr-dict"

    def __init__(self, counter: str | StringAttr, amount: int | IntegerAttr[Any]):
        super().__init__(properties={"counter": StringAttr(counter) if isinstance(counter, str) else counter, "amount": int64(amount)})


@irdl_op_definition
class ChooseOp(IRDLOperation):
    """
    Two programs, one for trials that begin with counts of which this holds, the other for all others. Counts are called by their
    paths in the state, and several of them are added up; with `mod`, the remainder is compared.

    ```mlir
    cog.choose ["clock:pass:life"] mod 3 == 0 {
      cog.step [@a]
    } else {
      cog.step [@b]
    }
    ```
    """

    name = "cog.choose"

    counters = prop_def(ArrayAttr[StringAttr])
    modulus = opt_prop_def(IntegerAttr.constr(i64))
    comparator = prop_def(ComparatorAttr)
    n = prop_def(IntegerAttr.constr(i64))
    yes = region_def("single_block")
    no = region_def("single_block")

    traits = traits_def(NoTerminator(), Inside(*AROUND))

    def __init__(
        self,
        counters: Sequence[str],
        comparator: str | Comparator,
        n: int | IntegerAttr[Any],
        yes: Sequence[Operation] | Region,
        no: Sequence[Operation] | Region,
        *,
        modulus: int | IntegerAttr[Any] | None = None,
    ):
        super().__init__(
            properties={
                "counters": ArrayAttr([StringAttr(path) for path in counters]),
                "modulus": optional_int64(modulus),
                "comparator": ComparatorAttr(comparator if isinstance(comparator, Comparator) else Comparator.of_symbol(comparator)),
                "n": int64(n),
            },
            regions=[part if isinstance(part, Region) else Region(Block(part)) for part in (yes, no)],
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_attribute(self.counters)
        if self.modulus is not None:
            printer.print_string(f" mod {self.modulus.value.data}")
        printer.print_string(f" {self.comparator.data.symbol} {self.n.value.data}")
        printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" ")
        printer.print_region(self.yes, print_empty_block=False)
        printer.print_string(" else ")
        printer.print_region(self.no, print_empty_block=False)

    @classmethod
    def parse(cls, parser: Parser) -> ChooseOp:
        counters = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_str_literal)
        modulus = parser.parse_integer(allow_boolean=False) if parser.parse_optional_keyword("mod") else None
        comparator = parse_comparator(parser)
        n = parser.parse_integer(allow_boolean=False)
        attributes = parser.parse_optional_attr_dict_with_keyword()
        yes = parse_body(parser)
        parser.parse_keyword("else")
        return attach(cls(counters, comparator, n, yes, parse_body(parser), modulus=modulus), attributes)


@irdl_op_definition
class ProgramOp(IRDLOperation):
    """
    A trial as a fixed sequence of time steps, where conditions that only count could be resolved at compile time.

    ```mlir
    cog.program {
      cog.step [@a, @b]
      cog.repeat 10 {
        cog.step [@c]
      }
    }
    ```
    """

    name = "cog.program"

    body = region_def("single_block")

    traits = traits_def(NoTerminator(), Inside("cog.schedule"))

    def __init__(self, steps: Sequence[Operation] | Region):
        super().__init__(regions=[steps if isinstance(steps, Region) else Region(Block(steps))])

    def print(self, printer: Printer) -> None:
        printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" ")
        printer.print_region(self.body, print_empty_block=False)

    @classmethod
    def parse(cls, parser: Parser) -> ProgramOp:
        attributes = parser.parse_optional_attr_dict_with_keyword()
        return attach(cls(parse_body(parser)), attributes)


def steps_in(region: Region) -> tuple[StepOp, ...]:
    """The time steps of a program without choices, in order, those of loops as often as they run."""
    found: list[StepOp] = []
    for op in region.block.ops:
        if isinstance(op, StepOp):
            found.append(op)
        elif isinstance(op, RepeatOp):
            found += steps_in(op.body) * op.count.value.data
    return tuple(found)
