"""
Checks a model as a whole: names, ports and parameters that are given once, the ranges of modulated parameters, the schedule.

Operations check by themselves what they are, and to what they refer (`verify_symbol_uses`), with one table of the model's names.
Every refusal says who speaks, what was found, and what to do, and names the operation to blame.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from xdsl.ir import Operation
from xdsl.utils.exceptions import VerifyException

from cogir.dialects.cog.attributes import Const, Modulation, const_value
from cogir.dialects.cog.grid_search import GridSearchOp, SignalOp
from cogir.dialects.cog.interface import InputOp, InstanceOp, OutputOp, ShadowOp
from cogir.dialects.cog.learn import LearnOp
from cogir.dialects.cog.node import NodeOp
from cogir.dialects.cog.ports import ModelNames, PlacedVerifyException, SymbolUser, show, speaking, unique_symbols
from cogir.dialects.cog.project import ModulateOp, ProjectOp, find_param
from cogir.dialects.cog.record import RecordOp
from cogir.dialects.cog.schedule import ScheduleOp
from cogir.dialects.cog.syntax import const_text
from cogir.dialects.cog.verify.schedule import verify_schedule
from cogir.ranges import Between

OWNERS = NodeOp | InstanceOp
"""The parts that own ports. They are checked before what refers to their ports."""
PARTS = OWNERS | InputOp | OutputOp | ShadowOp | ProjectOp | ModulateOp | ScheduleOp | GridSearchOp | LearnOp | RecordOp
"""The operations that a model may hold."""


def verify_model(model: Operation, name: str, ops: Sequence[Operation]) -> None:
    """Checks a model whose parts have been checked one by one."""
    for op in ops:
        if not isinstance(op, PARTS):
            raise PlacedVerifyException(op, f"model {show(name)} contains {op.name}; put computations into a cog.node")
    scope = ModelNames.of(model, name)
    users = [op for op in ops if isinstance(op, SymbolUser)]
    for user in users:
        if isinstance(user, OWNERS):
            user.verify_symbol_uses(scope)
    verify_interface([op for op in ops if isinstance(op, InputOp)], scope, output=False)
    verify_interface([op for op in ops if isinstance(op, OutputOp)], scope, output=True)
    for user in users:
        if not isinstance(user, OWNERS | ModulateOp):
            user.verify_symbol_uses(scope)
    verify_modulations([op for op in ops if isinstance(op, ModulateOp)], scope)
    verify_levels(model)
    verify_records([op for op in ops if isinstance(op, RecordOp)], scope)
    schedules = [op for op in ops if isinstance(op, ScheduleOp)]
    at_most_one(schedules, f"model {show(name)}", "schedule")
    at_most_one([op for op in ops if isinstance(op, GridSearchOp)], f"model {show(name)}", "controller")
    at_most_one([op for op in ops if isinstance(op, LearnOp)], f"model {show(name)}", "cog.learn")
    for op in schedules:
        verify_schedule(op, scope.symbols)


def at_most_one(ops: Sequence[Operation], who: str, what: str) -> None:
    """A refusal at the second of several."""
    if len(ops) > 1:
        raise PlacedVerifyException(ops[1], f"{who} has {len(ops)} {what}s; keep one")


def verify_interface(ops: Sequence[InputOp | OutputOp], scope: ModelNames, *, output: bool) -> None:
    """Inputs and outputs of a model name ports, each once."""
    what = "output" if output else "input"
    seen: set[tuple[str, str]] = set()
    for op in ops:
        with speaking(op, f"{what} {show(op.node, op.port)}"):
            port, _ = scope.find(op.node, op.port, output=output)
            if (op.node.root_reference.data, port) in seen:
                raise VerifyException(f"the port is already an {what} of the model; remove one of the two")
            seen.add((op.node.root_reference.data, port))


def verify_modulations(ops: Sequence[ModulateOp], scope: ModelNames) -> None:
    """Modulations fit their parameters, and nothing is overridden twice."""
    overridden: set[tuple[str, str]] = set()
    for op in ops:
        op.verify_symbol_uses(scope)
        if op.mode.data == Modulation.OVERRIDE:
            key = (op.target.root_reference.data, find_param(op.target, op.param.data, scope.symbols).name)
            if key in overridden:
                raise PlacedVerifyException(op, f"{op.speaker}: the parameter is already overridden; keep one override")
            overridden.add(key)


def verify_records(ops: Sequence[RecordOp], scope: ModelNames) -> None:
    """Everything is recorded once."""
    seen: set[tuple[str, str, str]] = set()
    for op in ops:
        if (quantity := op.quantity(scope)) in seen:
            raise PlacedVerifyException(op, f"record of {op.title}: it is recorded twice; remove one of the two")
        seen.add(quantity)


class BoundSignal(NamedTuple):
    """A signal of a controller, the modulation by which it acts on a parameter with a range, and the ranges of both."""

    controller: GridSearchOp
    signal: SignalOp
    op: ModulateOp
    param: Between
    levels: Between


def bound_signals(model: Operation) -> Iterator[BoundSignal]:
    """The signals of a model's controllers that act on a parameter with a range."""
    ops = list(model.regions[0].block.ops)
    symbols = unique_symbols(ops, "model")
    for op in ops:
        if not isinstance(op, ModulateOp) or not isinstance(controller := symbols.get(op.source.root_reference.data), GridSearchOp):
            continue
        if (param := find_param(op.target, op.param.data, symbols).allowed) is None:
            continue
        port = op.resolve_source_port(symbols)
        for signal in controller.signals:
            if signal.sym_name.data == port:
                yield BoundSignal(controller, signal, op, param, param.modulators(op.mode.data))


def verify_levels(model: Operation) -> None:
    """The levels of signals, and what they hold before the first search, fit the ranges of the parameters on which they act."""
    for _, signal, op, param, levels in bound_signals(model):
        held: list[tuple[str, Const, str]] = [
            ("its levels are", signal.levels, "levels that are"),
            ("its initial value is", signal.initial, "a number that is"),
        ]
        for what, value, remedy in held:
            if not levels.holds(const_value(value)):
                raise PlacedVerifyException(
                    signal,
                    f"signal {show(signal.sym_name)}: {what} {const_text(value)}, but it modulates {show(op.target, op.param)} "
                    f"({op.mode.data.value}), which must be {param}; give {remedy} {levels}",
                )
