"""
The model itself: the table of its named parts.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    IntegerAttr,
    StringAttr,
    SymbolNameConstraint,
    i64,
)
from xdsl.ir import Block, Operation, Region
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import (
    IsolatedFromAbove,
    NoTerminator,
    SymbolOpInterface,
)
from xdsl.utils.exceptions import VerifyException

from cogir.dialects.cog.attributes import (
    string,
)
from cogir.dialects.cog.grid_search import GridSearchOp
from cogir.dialects.cog.interface import InputOp, InstanceOp, OutputOp
from cogir.dialects.cog.learn import LearnOp
from cogir.dialects.cog.lookup import symbols_of
from cogir.dialects.cog.node import NodeOp
from cogir.dialects.cog.ports import show
from cogir.dialects.cog.project import ModulateOp, ProjectOp
from cogir.dialects.cog.record import RecordOp
from cogir.dialects.cog.schedule import ScheduleOp
from cogir.dialects.cog.syntax import (
    attach,
    parse_body,
    print_name,
)
from cogir.dialects.cog.verify.model import verify_model
from cogir.dialects.cog.verify.node import check_name

__all__ = ["ModelOp"]


@irdl_op_definition
class ModelOp(IRDLOperation):
    """
    A model: its nodes, what runs between them, and its schedule. The names of its parts are unique. Replicates and sweeps have its seed
    (0 if there is none) where they are given no other, and streams with a number depend on it.

    ```mlir
    cog.model @stroop seed 5 { ... }
    ```
    """

    name = "cog.model"

    sym_name = prop_def(SymbolNameConstraint())
    seed = opt_prop_def(IntegerAttr.constr(i64))
    body = region_def("single_block")

    traits = traits_def(IsolatedFromAbove(), NoTerminator(), SymbolOpInterface())

    def __init__(self, name: str | StringAttr, ops: Sequence[Operation] | Region = (), seed: int = 0):
        body = ops if isinstance(ops, Region) else Region(Block(ops))
        super().__init__(properties={"sym_name": string(name), "seed": IntegerAttr(seed, i64) if seed else None}, regions=[body])

    def verify_(self) -> None:
        check_name(f"model {show(self.sym_name)}", self.sym_name.data)
        if self.seed_value < 0:
            raise VerifyException(f"model {show(self.sym_name)}: the seed is {self.seed_value}; it must be at least 0")
        verify_model(self, self.sym_name.data, list(self.body.block.ops))

    @property
    def seed_value(self) -> int:
        """The seed as a number."""
        return 0 if self.seed is None else self.seed.value.data

    @property
    def symbols(self) -> dict[str, Operation]:
        """The named parts of the model, in order; the table is built at each call."""
        return symbols_of(self)

    @property
    def nodes(self) -> tuple[NodeOp, ...]:
        """The nodes, in order, without instances of other models."""
        return tuple(op for op in self.body.block.ops if isinstance(op, NodeOp))

    @property
    def executables(self) -> tuple[NodeOp | InstanceOp, ...]:
        """The parts that the scheduler runs: nodes and instances of other models, in order."""
        return tuple(op for op in self.body.block.ops if isinstance(op, NodeOp | InstanceOp))

    @property
    def inputs(self) -> tuple[InputOp, ...]:
        """The external inputs, in order."""
        return tuple(op for op in self.body.block.ops if isinstance(op, InputOp))

    @property
    def outputs(self) -> tuple[OutputOp, ...]:
        """The results of a trial, in order."""
        return tuple(op for op in self.body.block.ops if isinstance(op, OutputOp))

    @property
    def projections(self) -> tuple[ProjectOp, ...]:
        """The projections between ports, in order."""
        return tuple(op for op in self.body.block.ops if isinstance(op, ProjectOp))

    @property
    def modulations(self) -> tuple[ModulateOp, ...]:
        """The modulations of parameters, in order."""
        return tuple(op for op in self.body.block.ops if isinstance(op, ModulateOp))

    @property
    def instances(self) -> tuple[InstanceOp, ...]:
        """The instances of other models, in order."""
        return tuple(op for op in self.body.block.ops if isinstance(op, InstanceOp))

    @property
    def schedule(self) -> ScheduleOp | None:
        """The schedule, if the model has one."""
        return next((op for op in self.body.block.ops if isinstance(op, ScheduleOp)), None)

    @property
    def controllers(self) -> tuple[GridSearchOp, ...]:
        """The controllers, in order."""
        return tuple(op for op in self.body.block.ops if isinstance(op, GridSearchOp))

    @property
    def records(self) -> tuple[RecordOp, ...]:
        """The records of values inside of trials, in order."""
        return tuple(op for op in self.body.block.ops if isinstance(op, RecordOp))

    @property
    def learning(self) -> LearnOp | None:
        """The `cog.learn` of the model, if it has one."""
        return next((op for op in self.body.block.ops if isinstance(op, LearnOp)), None)

    def print(self, printer: Printer) -> None:
        print_name(printer, self.sym_name)
        if self.seed is not None:
            printer.print_string(f" seed {self.seed_value}")
        printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" ")
        printer.print_region(self.body, print_empty_block=False)

    @classmethod
    def parse(cls, parser: Parser) -> ModelOp:
        name = parser.parse_symbol_name()
        seed = parser.parse_integer() if parser.parse_optional_keyword("seed") else 0
        attributes = parser.parse_optional_attr_dict_with_keyword()
        return attach(cls(name, parse_body(parser), seed), attributes)
