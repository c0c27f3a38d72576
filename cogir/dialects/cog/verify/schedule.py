"""
Checks a schedule: its nodes are in the model, and its conditions can come true.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from itertools import combinations
from math import prod
from typing import cast

from xdsl.dialects.builtin import SymbolRefAttr, TensorType, f64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from cogir.dialects.cog.attributes import Comparator, Place, TimeScale, compare, const_type
from cogir.dialects.cog.clock_conditions import SCALES
from cogir.dialects.cog.conditions import AllOp, AnyOp, CallsCondition, Condition, EveryNCallsOp, JustRanOp, NWhenOp, WhenFinishedOp
from cogir.dialects.cog.grid_search import GridSearchOp
from cogir.dialects.cog.interface import InstanceOp
from cogir.dialects.cog.node import NodeOp
from cogir.dialects.cog.ports import PlacedVerifyException, count, find_port, show, suggestion
from cogir.dialects.cog.programs import AdvanceOp, ChooseOp, ProgramOp, RepeatOp, StepOp
from cogir.dialects.cog.schedule import (
    AsideOp,
    FailOp,
    ResetOp,
    ScheduledCondition,
    ScheduleOp,
    TerminateOp,
    WhenOp,
)
from cogir.dialects.cog.value_conditions import ReadOp, ThresholdOp
from cogir.dialects.cog.verify.termination import verify_end
from cogir.limits import DEEPEST_CONDITION

Symbols = Mapping[str, Operation]
WORDS = {Place.PORT: "port", Place.STATE: "state", Place.PARAM: "parameter"}
"""The kinds of values of a node, as messages call them."""

CLOCKS = frozenset(f"clock:{unit}:{scale}" for unit, scale in combinations(SCALES, 2))
COUNTS_OF_NODE = frozenset({"just_ran", *(f"calls:{scale}" for scale in SCALES)})
"""The counters of a node that schedules use, as in the paths of the state."""

PREDICATE_DIALECTS = ("arith", "math", "tensor", "linalg", "func", "scf")
"""The dialects in which predicates can be computed."""


def verify_schedule(schedule: ScheduleOp, symbols: Symbols) -> None:
    """Checks a schedule against the names of its model."""
    held = {name: op for name, op in symbols.items() if isinstance(op, NodeOp | InstanceOp)}
    aside = schedule.asides
    runnable = {name: op for name, op in held.items() if name not in aside}
    once = {name: op for name, op in symbols.items() if name in aside or isinstance(op, GridSearchOp)}
    if schedule.layers is not None:
        verify_layers(schedule, runnable)
    seen: set[tuple[str, str]] = set()
    for op in schedule.body.block.ops:
        who = speaker(op)
        match op:
            case WhenOp() | ResetOp():
                check_nodes(op, who, [op.node], runnable | once if isinstance(op, WhenOp) else runnable, symbols)
                what = op.node.root_reference.data
                if isinstance(op, ResetOp):
                    verify_reset(op, who, runnable[what])
            case AsideOp():
                check_nodes(op, who, [op.node], {name: op for name, op in held.items() if isinstance(op, NodeOp)})
                what = op.node.root_reference.data
            case FailOp():
                check_nodes(op, who, [op.node], {name: op for name, op in held.items() if isinstance(op, NodeOp)})
                what = f"{op.node.root_reference.data}/{op.state.data}"
                verify_fail(op, who, held[op.node.root_reference.data])
            case TerminateOp():
                what = op.scale.data.value
                if op.scale.data not in (TimeScale.TRIAL, TimeScale.RUN):
                    raise PlacedVerifyException(op, f"{who}: only a trial or a run can be terminated, not a {what}")
            case ProgramOp():
                what = ""
                verify_program(op, who, runnable, schedule)
            case _:
                raise PlacedVerifyException(
                    op, f"a schedule contains {op.name}; only cog.when, cog.aside, cog.reset, cog.fail and cog.terminate are allowed"
                )
        if (op.name, what) in seen:
            remedy = "join the conditions with cog.all or cog.any" if isinstance(op, ScheduledCondition) else "give it once"
            raise PlacedVerifyException(op, f"{who} is given twice; {remedy}")
        seen.add((op.name, what))
        if isinstance(op, ScheduledCondition):
            verify_depth(op, who)
            verify_condition(op, who, symbols, runnable)
    verify_end(schedule, runnable)


def verify_depth(op: ScheduledCondition, who: str) -> None:
    """Refuses conditions that are nested too deep for those who read them from the outside in."""
    depths: dict[SSAValue, int] = {}
    for inner in op.conditions:
        depth = 1 + max((depths.get(operand, 0) for operand in inner.operands), default=0)
        if depth > DEEPEST_CONDITION:
            raise PlacedVerifyException(
                inner,
                f"{who}: its conditions are nested more than {DEEPEST_CONDITION} deep; join many conditions in one cog.all or cog.any",
            )
        depths |= dict.fromkeys(inner.results, depth)


def verify_program(program: ProgramOp, who: str, runnable: Symbols, schedule: ScheduleOp) -> None:
    """Checks the programs of a trial: the nodes that they run, and what they count."""
    asked = sum(isinstance(op, NWhenOp) and bool(op.result.uses) for op in schedule.walk())
    counted = CLOCKS | {f"n_when:{number}" for number in range(asked)}
    for item in program.walk():
        match item:
            case StepOp():
                check_nodes(item, who, item.nodes, runnable)
            case RepeatOp() if item.count.value.data < 1:
                raise PlacedVerifyException(item, f"{who}: cog.repeat repeats {item.count.value.data} times; give 1 or more")
            case ChooseOp():
                verify_choice(item, who, counted | {f"{node}/{count}" for node in runnable for count in COUNTS_OF_NODE})
            case AdvanceOp():
                verify_advance(item, who, counted)
            case _:
                pass


def verify_choice(op: ChooseOp, who: str, counted: Collection[str]) -> None:
    """It stands alone, and asks for counts that there are."""
    if op.prev_op is not None or op.next_op is not None:
        raise PlacedVerifyException(op, f"{who}: {op.name} is not the only operation of its region; move the others into its choices")
    for path in op.counters:
        if path.data not in counted:
            raise PlacedVerifyException(op, f"{who}: there is no counter '{path.data}'; name one such as clock:trial:run")
    if op.modulus is not None and op.modulus.value.data < 1:
        raise PlacedVerifyException(op, f"{who}: the modulus is {op.modulus.value.data}; give 1 or more")


def verify_advance(op: AdvanceOp, who: str, counted: Collection[str]) -> None:
    """It counts, upwards, what steps and trials do not count by themselves."""
    path, amount = op.counter.data, op.amount.value.data
    if path not in counted or not path.startswith(("clock:pass:", "n_when:")):
        known = ", ".join(sorted(each for each in counted if each.startswith(("clock:pass:", "n_when:"))))
        raise PlacedVerifyException(op, f"{who}: programs do not advance the counter '{path}'; name one of {known}")
    if amount < 1:
        raise PlacedVerifyException(op, f"{who}: the counter '{path}' is advanced by {amount}; give 1 or more")


def speaker(op: Operation) -> str:
    """The name of a part of a schedule in messages."""
    match op:
        case WhenOp():
            return f"condition of {show(op.node)}"
        case AsideOp():
            return f"aside {show(op.node)}"
        case ResetOp():
            return f"reset of {show(op.node)}"
        case FailOp():
            return f"failure of {show(op.node)}"
        case TerminateOp():
            return f"end of a {op.scale.data.value}"
        case _:
            return "program of a trial"


def check_nodes(op: Operation, who: str, nodes: Iterable[SymbolRefAttr], runnable: Symbols, symbols: Symbols | None = None) -> None:
    """A refusal when one of the nodes is not a node of the model that the passes visit; `symbols`: all names of the model."""
    for node in nodes:
        if (name := node.root_reference.data) not in runnable:
            if symbols is not None and isinstance(symbols.get(name), NodeOp):
                raise PlacedVerifyException(op, f"{who}: {show(node)} runs outside the passes; name a node that runs in the passes")
            raise PlacedVerifyException(op, f"{who}: {show(node)} is not a node of the model{suggestion(name, runnable, show)}")


def verify_reset(op: ResetOp, who: str, node: Operation) -> None:
    """The states that go back, or the states and ports that stay, are the node's."""
    for name, given in (("keeps", op.keeps), ("keeps_ports", op.keeps_ports)):
        if op.states is not None and given is not None:
            raise PlacedVerifyException(op, f"{who}: both `states` (to reset) and `{name}` (not to reset) are given; give one of the two")
    held = [name for name, _ in node.states] if isinstance(node, NodeOp) else []
    shown = [name for name, _ in node.outputs] if isinstance(node, NodeOp) else []
    for names, known, what in ((op.state_names or (), held, "state"), (op.kept_names, held, "state"), (op.kept_ports, shown, "port")):
        for name in names:
            if name not in known:
                there = ", ".join(f'"{each}"' for each in known) or "none"
                raise PlacedVerifyException(op, f'{who}: the node has no {what} "{name}"; there is {there}')


def verify_fail(op: FailOp, who: str, node: Operation) -> None:
    """The state is one number of the node, and there is something to say."""
    types = {name: const_type(value) for name, value in node.states} if isinstance(node, NodeOp) else {}
    if op.state.data not in types:
        known = ", ".join(f'"{state}"' for state in types) or "none"
        raise PlacedVerifyException(op, f'{who}: the node has no state "{op.state.data}"; there is {known}')
    if types[op.state.data] != f64:
        raise PlacedVerifyException(op, f'{who}: the state "{op.state.data}" has type {types[op.state.data]}; name one of type f64')
    if not op.message.data:
        raise PlacedVerifyException(op, f"{who}: its message is empty; write what failed and what to do")


def verify_layers(schedule: ScheduleOp, runnable: Symbols) -> None:
    """Every node stands in one layer."""
    places = Counter(name for layer in schedule.layer_names or () for name in layer)
    check_nodes(schedule, "layers", [SymbolRefAttr(name) for name in places], runnable)
    for name in runnable:
        if places[name] != 1:
            found = "in no layer" if places[name] == 0 else "in several layers"
            raise PlacedVerifyException(schedule, f"layers: {show(name)} is {found}; put each node into one layer")


def verify_condition(region: ScheduledCondition, who: str, symbols: Symbols, runnable: Symbols) -> None:
    """Checks the operations that a condition is made of."""
    for op in region.body.block.ops:
        try:
            match op:
                case ThresholdOp() | ReadOp():
                    check_nodes(op, who, [op.node], runnable, symbols)
                    verify_value(op, symbols)
                case Condition():
                    check_nodes(op, who, op.named_nodes, runnable, symbols)
                    op.verify_numbers()
                case _:
                    if op.name != "cog.condition" and op.name.partition(".")[0] not in PREDICATE_DIALECTS:
                        raise VerifyException(f"{op.name} is not allowed in a condition, which must read and compute values only")
            if isinstance(op, EveryNCallsOp) and isinstance(region, WhenOp) and region.node.root_reference.data not in runnable:
                raise VerifyException(
                    "cog.every_n_calls counts calls since the owner of the condition last ran, and a node outside the passes has no "
                    "executions in them; use cog.after_n_calls"
                )
            if isinstance(op, EveryNCallsOp) and isinstance(region, TerminateOp):
                raise VerifyException(
                    "cog.every_n_calls counts calls since the owner of the condition last ran, and the end of a "
                    f"{region.scale.data.value} has no owner; use cog.after_n_calls"
                )
            if isinstance(op, EveryNCallsOp) and isinstance(region, ResetOp):
                raise VerifyException(
                    "cog.every_n_calls counts calls since the owner of the condition last ran, and a reset has no executions; use "
                    "cog.after_n_calls"
                )
        except PlacedVerifyException:
            raise
        except VerifyException as error:
            raise PlacedVerifyException(op, f"{who}: {error}") from error
    if isinstance(region, WhenOp) and region.node.root_reference.data in runnable:
        verify_no_deadlock(region.node, region.condition, symbols)


def verify_value(op: ThresholdOp | ReadOp, symbols: Symbols) -> None:
    """The value that is looked at is there, and of the right type."""
    name, type = find_value(op, symbols)
    what = show(op.node, f"{'' if op.place.data == Place.PORT else op.place.data.value + ' '}{name}")
    if isinstance(op, ReadOp):
        if op.result.type != type:
            raise VerifyException(f"{what} has type {type}, not {op.result.type}; write : {type}")
        return
    shape = cast("TensorType[Attribute]", type).get_shape() if isinstance(type, TensorType) else ()
    indices = () if op.indices is None else tuple(op.indices.iter_values())
    if not indices and prod(shape) != 1:
        raise VerifyException(
            f"{what} has type {type}; give the indices of the element to compare, as in {what}[{', '.join('0' for _ in shape)}]"
        )
    if indices:
        if len(indices) != len(shape):
            raise VerifyException(
                f"{what} has type {type}, which has {count(len(shape), 'dimension')}, but there are {len(indices)} indices; give one each"
            )
        for index, extent in zip(indices, shape, strict=True):
            if not -extent <= index < extent:
                raise VerifyException(f"index {index} is out of range for {what}, which has type {type}")
    if (op.atol is not None or op.rtol is not None) and op.comparator.data not in (Comparator.EQ, Comparator.NE):
        raise VerifyException(f"atol and rtol apply only to == and <>, not to {op.comparator.data.symbol}; leave them out")


def find_value(op: ThresholdOp | ReadOp, symbols: Symbols) -> tuple[str, Attribute]:
    """The name and type of a port, state or parameter."""
    owner = symbols.get(op.node.root_reference.data)
    if op.place.data == Place.PORT:
        return find_port(owner, op.node, op.of, output=True, known=symbols)
    kind = op.place.data.value
    if not isinstance(owner, NodeOp):
        raise VerifyException(f"{show(op.node)} is an instance, whose {WORDS[op.place.data]}s cannot be read from outside; name a port")
    held = {name: const_type(value) for name, value in (owner.states if kind == "state" else owner.params)}
    name = "" if op.of is None else op.of.data
    if name not in held:
        raise VerifyException(f'{show(op.node)} has no {WORDS[op.place.data]} "{name}"{suggestion(name, held)}')
    return name, held[name]


def verify_no_deadlock(owner: SymbolRefAttr, condition: SSAValue, symbols: Symbols) -> None:
    """A refusal when a node would wait for itself: what must hold cannot, before it has run."""
    if (waiting := waits(owner, condition, symbols)) is not None:
        raise waits_for_itself(waiting, owner)


def waits(owner: SymbolRefAttr, condition: SSAValue, symbols: Symbols) -> Operation | None:
    """The condition on a node itself that keeps `condition` from holding before the node has run, if there is one."""
    op = condition.owner
    match op:
        case AllOp():
            return next((found for part in op.conditions if (found := waits(owner, part, symbols)) is not None), None)
        case AnyOp():
            found = [waits(owner, part, symbols) for part in op.conditions]
            return found[0] if all(each is not None for each in found) else None
        case NWhenOp():
            return waits(owner, op.condition, symbols)
        case EveryNCallsOp() | JustRanOp() if op.node == owner:
            return op
        case WhenFinishedOp() if op.node == owner and not finished_at_first(symbols[owner.root_reference.data]):
            return op
        case CallsCondition() if op.node == owner and op.RELATION in (">", ">=") and not compare(0, op.RELATION, op.n.value.data):
            return op
        case _:
            return None


def finished_at_first(node: Operation) -> bool:
    """True if a node counts as finished before it has run, which it does if its body does not say when it is finished."""
    return isinstance(node, NodeOp) and node.yield_op.finished is None


def waits_for_itself(op: Operation, owner: SymbolRefAttr) -> PlacedVerifyException:
    """The refusal of a condition that depends on itself."""
    return PlacedVerifyException(
        op, f"condition of {show(owner)}: {op.name} waits for the node itself, so the node never runs; name another node"
    )
