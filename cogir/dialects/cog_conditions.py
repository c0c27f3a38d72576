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
from typing import Any, ClassVar, Literal

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    FlatSymbolRefAttrConstr,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    f64,
    i1,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, Pure

from cogir.dialects.cog_attributes import (
    Comparator,
    ComparatorAttr,
    Place,
    PlaceAttr,
    TimeScale,
    TimeScaleAttr,
    int64,
    optional_float64,
    optional_string,
    ref,
    refs,
)
from cogir.dialects.cog_syntax import attach, const_text, parse_number, parse_ref, print_port

Symbol = str | StringAttr | SymbolRefAttr
Scale = str | TimeScale | TimeScaleAttr


def scale_attr(scale: Scale) -> TimeScaleAttr:
    """A time scale as an attribute."""
    return scale if isinstance(scale, TimeScaleAttr) else TimeScaleAttr(TimeScale(scale))


def print_place(printer: Printer, node: SymbolRefAttr, place: PlaceAttr, of: StringAttr | None) -> None:
    """Prints `@node["port"]`, `@node[state "x"]` or `@node[param "x"]`."""
    print_port(printer, node, of, "" if place.data == Place.PORT else place.data.value)


def parse_place(parser: Parser) -> tuple[SymbolRefAttr, Place, StringAttr | None]:
    """Parses `@node`, `@node["port"]`, `@node[state "x"]` or `@node[param "x"]`."""
    node = parse_ref(parser)
    if parser.parse_optional_punctuation("[") is None:
        return node, Place.PORT, None
    place = Place(parser.parse_optional_keyword_in(("port", "state", "param")) or "port")
    of = parser.parse_str_literal(' (as in @node["port"] or @node[state "x"])')
    parser.parse_punctuation("]")
    return node, place, StringAttr(of)


def parse_comparator(parser: Parser) -> Comparator:
    """Parses `<`, `<=`, `>`, `>=`, `==` or `<>`."""
    start = parser.pos
    symbol = ""
    signs: tuple[Literal["<", ">", "="], ...] = ("<", ">", "=")
    while found := next((sign for sign in signs if parser.parse_optional_punctuation(sign)), None):
        symbol += found
    try:
        return Comparator.of_symbol(symbol)
    except ValueError:
        parser.raise_error("expected a comparison: <, <=, >, >=, == or <> (not equal)", start, parser.pos)


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


class ClockCondition(Condition, ABC):
    """A condition on a clock: what is counted is in the name, `in` says since when it is counted."""

    n = prop_def(IntegerAttr.constr(i64))
    scale = prop_def(TimeScaleAttr)
    result = result_def(i1)
    traits = traits_def(Pure())
    assembly_format = "$n `in` $scale attr-dict"

    COUNTED: ClassVar[TimeScale]
    """What is counted."""

    DEFAULT_SCALE: ClassVar[TimeScale] = TimeScale.TRIAL
    """The scale that graph_scheduler takes when none is given."""

    def __init__(self, n: int | IntegerAttr[Any], scale: Scale | None = None):
        super().__init__(
            properties={"n": int64(n), "scale": scale_attr(self.DEFAULT_SCALE if scale is None else scale)},
            result_types=[i1],
        )


class RunClockCondition(Condition, ABC):
    """A condition on the number of the run, counted over the life of the model."""

    n = prop_def(IntegerAttr.constr(i64))
    result = result_def(i1)
    traits = traits_def(Pure())
    assembly_format = "$n attr-dict"

    def __init__(self, n: int | IntegerAttr[Any]):
        super().__init__(properties={"n": int64(n)}, result_types=[i1])


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


class WallClockCondition(Condition, ABC):
    """A condition on wall-clock time; it parses, and the verifier says why it is refused."""

    text = opt_prop_def(StringAttr)
    result = result_def(i1)
    traits = traits_def(Pure())
    assembly_format = "($text^)? attr-dict"

    def __init__(self, text: str | StringAttr | None = None):
        super().__init__(properties={"text": optional_string(text)}, result_types=[i1])


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


@irdl_op_definition
class BeforeTimeStepOp(ClockCondition):
    """Holds in time steps before the n-th (from 0): `cog.before_time_step 3 in trial`."""

    name = "cog.before_time_step"
    COUNTED: ClassVar[TimeScale] = TimeScale.TIME_STEP


@irdl_op_definition
class AtTimeStepOp(ClockCondition):
    """Holds in time step n (from 0): `cog.at_time_step 3 in trial`."""

    name = "cog.at_time_step"
    COUNTED: ClassVar[TimeScale] = TimeScale.TIME_STEP


@irdl_op_definition
class AfterTimeStepOp(ClockCondition):
    """Holds after time step n (from 0): `cog.after_time_step 3 in trial`."""

    name = "cog.after_time_step"
    COUNTED: ClassVar[TimeScale] = TimeScale.TIME_STEP


@irdl_op_definition
class AfterNTimeStepsOp(ClockCondition):
    """Holds after at least n time steps: `cog.after_n_time_steps 3 in trial`."""

    name = "cog.after_n_time_steps"
    COUNTED: ClassVar[TimeScale] = TimeScale.TIME_STEP


@irdl_op_definition
class BeforePassOp(ClockCondition):
    """Holds in passes before the n-th (from 0): `cog.before_pass 3 in trial`."""

    name = "cog.before_pass"
    COUNTED: ClassVar[TimeScale] = TimeScale.PASS


@irdl_op_definition
class AtPassOp(ClockCondition):
    """Holds in pass n (from 0): `cog.at_pass 3 in trial`."""

    name = "cog.at_pass"
    COUNTED: ClassVar[TimeScale] = TimeScale.PASS


@irdl_op_definition
class AfterPassOp(ClockCondition):
    """Holds after pass n (from 0): `cog.after_pass 3 in trial`."""

    name = "cog.after_pass"
    COUNTED: ClassVar[TimeScale] = TimeScale.PASS


@irdl_op_definition
class AfterNPassesOp(ClockCondition):
    """Holds after at least n passes: `cog.after_n_passes 3 in trial`."""

    name = "cog.after_n_passes"
    COUNTED: ClassVar[TimeScale] = TimeScale.PASS


@irdl_op_definition
class EveryNPassesOp(ClockCondition):
    """Holds in passes 0, n, 2 n, ...: `cog.every_n_passes 3 in trial`."""

    name = "cog.every_n_passes"
    COUNTED: ClassVar[TimeScale] = TimeScale.PASS


@irdl_op_definition
class BeforeTrialOp(ClockCondition):
    """Holds in trials before the n-th (from 0): `cog.before_trial 3 in run`."""

    name = "cog.before_trial"
    COUNTED: ClassVar[TimeScale] = TimeScale.TRIAL
    DEFAULT_SCALE: ClassVar[TimeScale] = TimeScale.RUN


@irdl_op_definition
class AtTrialOp(ClockCondition):
    """Holds in trial n (from 0): `cog.at_trial 3 in run`."""

    name = "cog.at_trial"
    COUNTED: ClassVar[TimeScale] = TimeScale.TRIAL
    DEFAULT_SCALE: ClassVar[TimeScale] = TimeScale.RUN


@irdl_op_definition
class AfterTrialOp(ClockCondition):
    """Holds after trial n (from 0): `cog.after_trial 3 in run`."""

    name = "cog.after_trial"
    COUNTED: ClassVar[TimeScale] = TimeScale.TRIAL
    DEFAULT_SCALE: ClassVar[TimeScale] = TimeScale.RUN


@irdl_op_definition
class AfterNTrialsOp(ClockCondition):
    """Holds after at least n trials: `cog.after_n_trials 3 in run`."""

    name = "cog.after_n_trials"
    COUNTED: ClassVar[TimeScale] = TimeScale.TRIAL
    DEFAULT_SCALE: ClassVar[TimeScale] = TimeScale.RUN


@irdl_op_definition
class AtRunOp(RunClockCondition):
    """Holds in run n (from 0): `cog.at_run 1`."""

    name = "cog.at_run"


@irdl_op_definition
class AfterRunOp(RunClockCondition):
    """Holds after run n (from 0): `cog.after_run 1`."""

    name = "cog.after_run"


@irdl_op_definition
class AfterNRunsOp(RunClockCondition):
    """Holds after at least n runs: `cog.after_n_runs 1`."""

    name = "cog.after_n_runs"


@irdl_op_definition
class AtTrialStartOp(PlainCondition):
    """Holds in the first pass of a trial: `cog.at_trial_start`."""

    name = "cog.at_trial_start"


@irdl_op_definition
class AtTrialNStartOp(ClockCondition):
    """Holds in the first pass of trial n (from 0): `cog.at_trial_n_start 3 in run`."""

    name = "cog.at_trial_n_start"
    COUNTED: ClassVar[TimeScale] = TimeScale.TRIAL
    DEFAULT_SCALE: ClassVar[TimeScale] = TimeScale.RUN


@irdl_op_definition
class AtRunStartOp(PlainCondition):
    """Holds in the first trial of a run: `cog.at_run_start`."""

    name = "cog.at_run_start"


@irdl_op_definition
class AtRunNStartOp(RunClockCondition):
    """Holds in the first trial of run n (from 0): `cog.at_run_n_start 1`."""

    name = "cog.at_run_n_start"


@irdl_op_definition
class ThresholdOp(Condition):
    """
    Compares a value of a node with a number. `atol` and `rtol` widen `==` and `<>` (as `numpy.isclose`); indices pick
    an element of an array.

    ```mlir
    %c = cog.threshold @decision["value"] >= 0.5
    %d = cog.threshold @decision[state "x"][0, 1] == 0.5 atol 1.0e-3
    ```
    """

    name = "cog.threshold"

    node = prop_def(FlatSymbolRefAttrConstr)
    place = prop_def(PlaceAttr)
    of = opt_prop_def(StringAttr)
    indices = opt_prop_def(DenseArrayBase.constr(i64))
    comparator = prop_def(ComparatorAttr)
    value = prop_def(FloatAttr.constr(f64))
    atol = opt_prop_def(FloatAttr.constr(f64))
    rtol = opt_prop_def(FloatAttr.constr(f64))
    result = result_def(i1)
    traits = traits_def(Pure())

    def __init__(
        self,
        node: Symbol,
        of: str | StringAttr | None,
        comparator: str | Comparator | ComparatorAttr,
        value: float | FloatAttr[Any],
        *,
        place: str | Place | PlaceAttr = Place.PORT,
        indices: Sequence[int] = (),
        atol: float | FloatAttr[Any] | None = None,
        rtol: float | FloatAttr[Any] | None = None,
    ):
        if isinstance(comparator, str):
            comparator = ComparatorAttr(Comparator.of_symbol(comparator))
        super().__init__(
            properties={
                "node": ref(node),
                "place": place if isinstance(place, PlaceAttr) else PlaceAttr(Place(place)),
                "of": optional_string(of),
                "indices": DenseArrayBase.from_list(i64, list(indices)) if indices else None,
                "comparator": comparator,
                "value": optional_float64(value),
                "atol": optional_float64(atol),
                "rtol": optional_float64(rtol),
            },
            result_types=[i1],
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        print_place(printer, self.node, self.place, self.of)
        if self.indices is not None:
            printer.print_string(f"[{', '.join(map(str, self.indices.iter_values()))}]")
        printer.print_string(f" {self.comparator.data.symbol} {const_text(self.value)}")
        if self.atol is not None:
            printer.print_string(f" atol {const_text(self.atol)}")
        if self.rtol is not None:
            printer.print_string(f" rtol {const_text(self.rtol)}")
        printer.print_op_attributes(self.attributes, print_keyword=True)

    @classmethod
    def parse(cls, parser: Parser) -> ThresholdOp:
        node, place, of = parse_place(parser)
        indices = parser.parse_optional_comma_separated_list(parser.Delimiter.SQUARE, lambda: parser.parse_integer(allow_boolean=False))
        comparator = parse_comparator(parser)
        value = parse_number(parser, f64)
        atol = parse_number(parser, f64) if parser.parse_optional_keyword("atol") else None
        rtol = parse_number(parser, f64) if parser.parse_optional_keyword("rtol") else None
        attributes = parser.parse_optional_attr_dict_with_keyword()
        op = cls(node, of, comparator, value, place=place, indices=indices or (), atol=atol, rtol=rtol)
        return attach(op, attributes)


@irdl_op_definition
class TimeIntervalOp(WallClockCondition):
    """graph_scheduler's TimeInterval: `cog.time_interval "repeat 10 ms"`. Refused: see the verifier."""

    name = "cog.time_interval"


@irdl_op_definition
class TimeTerminationOp(WallClockCondition):
    """graph_scheduler's TimeTermination: `cog.time_termination "10 ms"`. Refused: see the verifier."""

    name = "cog.time_termination"


@irdl_op_definition
class ReadOp(IRDLOperation):
    """
    Reads a port, state or parameter of a node, for a predicate of one's own.

    ```mlir
    %v = cog.read @decision["value"] : f64
    %x = cog.read @decision[state "x"] : tensor<2xf64>
    ```
    """

    name = "cog.read"

    node = prop_def(FlatSymbolRefAttrConstr)
    place = prop_def(PlaceAttr)
    of = opt_prop_def(StringAttr)
    result = result_def()
    traits = traits_def(Pure())

    def __init__(
        self,
        node: Symbol,
        of: str | StringAttr | None,
        type: Attribute,
        *,
        place: str | Place | PlaceAttr = Place.PORT,
    ):
        super().__init__(
            properties={
                "node": ref(node),
                "place": place if isinstance(place, PlaceAttr) else PlaceAttr(Place(place)),
                "of": optional_string(of),
            },
            result_types=[type],
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        print_place(printer, self.node, self.place, self.of)
        printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" : ")
        printer.print_attribute(self.result.type)

    @classmethod
    def parse(cls, parser: Parser) -> ReadOp:
        node, place, of = parse_place(parser)
        attributes = parser.parse_optional_attr_dict_with_keyword()
        parser.parse_punctuation(":", " and the type of what is read")
        return attach(cls(node, of, parser.parse_type(), place=place), attributes)


CONDITIONS: list[type[Condition]] = [
    AlwaysOp,
    NeverOp,
    AllOp,
    AnyOp,
    NotOp,
    WhileOp,
    WhileNotOp,
    NWhenOp,
    AllHaveRunOp,
    BeforeNCallsOp,
    AtNCallsOp,
    AfterCallOp,
    AfterNCallsOp,
    AfterNCallsCombinedOp,
    EveryNCallsOp,
    JustRanOp,
    WhenFinishedOp,
    WhenFinishedAnyOp,
    WhenFinishedAllOp,
    BeforeTimeStepOp,
    AtTimeStepOp,
    AfterTimeStepOp,
    AfterNTimeStepsOp,
    BeforePassOp,
    AtPassOp,
    AfterPassOp,
    AfterNPassesOp,
    EveryNPassesOp,
    BeforeTrialOp,
    AtTrialOp,
    AfterTrialOp,
    AfterNTrialsOp,
    AtRunOp,
    AfterRunOp,
    AfterNRunsOp,
    AtTrialStartOp,
    AtTrialNStartOp,
    AtRunStartOp,
    AtRunNStartOp,
    ThresholdOp,
    TimeIntervalOp,
    TimeTerminationOp,
]
"""Every condition."""
