"""
Checks a single node, or the function of a projection: names, types, and the values that its body yields.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, StringAttr, TensorType
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from cogir.dialects.cog.attributes import CONST_TYPES, Const, RangeAttr, check_value_type, const_type, const_value
from cogir.dialects.cog.ports import PlacedVerifyException, count, suggestion
from cogir.dialects.cog.syntax import out_of_range
from cogir.dialects.rng import StateType

IMPURE_DIALECTS = ("cog", "memref", "llvm", "cf")
"""The dialects that a body, which is a function of values, cannot use."""


def check_name(who: str, name: str) -> None:
    """Names are not empty and hold no slash, which separates node and port in paths."""
    if not name:
        raise VerifyException(f"{who}: a name is empty; give it one")
    if "/" in name:
        raise VerifyException(f'{who}: the name "{name}" contains a slash, which separates names in paths; leave it out')


def check_names(who: str, kind: str, names: ArrayAttr[StringAttr]) -> None:
    """Names of one kind differ."""
    seen: set[str] = set()
    for name in names:
        check_name(who, name.data)
        if name.data in seen:
            raise VerifyException(f'{who} has two {kind}s called "{name.data}"; rename one of them')
        seen.add(name.data)


def check_consts(who: str, kind: str, names: ArrayAttr[StringAttr], values: ArrayAttr[Any]) -> None:
    """Every name of one kind has a constant, of a type that models compute with."""
    check_names(who, kind, names)
    if len(names) != len(values):
        raise VerifyException(f"{who} has {count(len(names), kind)}, but {count(len(values), 'value')} for them; give one each")
    for name, value in zip(names, cast("ArrayAttr[Attribute]", values), strict=True):
        if not isinstance(value, CONST_TYPES):
            raise VerifyException(f'{who}: {kind} "{name.data}" has value {value}, which is not a number or an array')
        check_value_type(const_type(cast(Attribute, value)), f'{who}: {kind} "{name.data}"')


def check_ranges(who: str, kind: str, values: Mapping[str, Const], ranges: DictionaryAttr | None) -> None:
    """Ranges belong to parameters or states, and hold their values."""
    given: Mapping[str, Attribute] = {} if ranges is None else ranges.data
    for name, held in given.items():
        if not isinstance(held, RangeAttr):
            raise VerifyException(f'{who}: the range of {kind} "{name}" is {held}; write one such as #cog.range<[0.0, inf]>')
        if name not in values:
            raise VerifyException(f'{who}: there is a range for "{name}", which is not a {kind}{suggestion(name, values)}')
        if not held.data.holds(const_value(values[name])):
            raise VerifyException(f"{who}: {kind} {out_of_range(name, values[name], held.data)}")


def check_labels(who: str, outputs: Mapping[str, Attribute], labels: DictionaryAttr | None) -> None:
    """Labels belong to output ports that are arrays, and there is one for each element along the last axis."""
    given: Mapping[str, Attribute] = {} if labels is None else labels.data
    for name, held in given.items():
        if not isinstance(held, ArrayAttr) or not all(isinstance(label, StringAttr) for label in cast("ArrayAttr[Attribute]", held)):
            raise VerifyException(f'{who}: the labels of output port "{name}" are {held}; write a list such as ["left", "right"]')
        if name not in outputs:
            raise VerifyException(f'{who}: there are labels for "{name}", which is not an output port{suggestion(name, outputs)}')
        marks = [label.data for label in cast("ArrayAttr[StringAttr]", held)]
        type = outputs[name]
        if not isinstance(type, TensorType):
            raise VerifyException(f'{who}: output port "{name}" has labels, but is a single number; leave them out')
        last = cast("TensorType[Attribute]", type).get_shape()[-1]
        if len(marks) != last:
            raise VerifyException(
                f'{who}: output port "{name}" has {count(len(marks), "label")}, but {count(last, "element")} along its last axis; '
                "give one label for each"
            )
        if double := next((mark for place, mark in enumerate(marks) if mark in marks[:place]), None):
            raise VerifyException(f'{who}: output port "{name}" has the label "{double}" twice; labels must differ')
        if "" in marks:
            raise VerifyException(f'{who}: output port "{name}" has an empty label; give it a name')


def check_units(who: str, outputs: Mapping[str, Attribute], units: DictionaryAttr | None) -> None:
    """Units are texts, and belong to output ports."""
    given: Mapping[str, Attribute] = {} if units is None else units.data
    for name, held in given.items():
        if not isinstance(held, StringAttr) or not held.data:
            raise VerifyException(f'{who}: the unit of output port "{name}" is {held}; write a text such as "s"')
        if name not in outputs:
            raise VerifyException(f'{who}: there is a unit for "{name}", which is not an output port{suggestion(name, outputs)}')


def check_arguments(who: str, arguments: Sequence[SSAValue], expected: Sequence[tuple[str, Attribute]]) -> None:
    """The arguments of a body are what stands in front of it."""
    for (what, type), argument in zip(expected, arguments, strict=True):
        if argument.type != type:
            raise VerifyException(f"{who}: {what} has type {type}, but its body takes {argument.type}; make them the same")


def check_yield(who: str, last: Operation, kind: str, values: Sequence[SSAValue], expected: Sequence[tuple[str, Attribute]]) -> None:
    """Checks the values of one kind that a body yields: their number and their types."""
    if len(values) != len(expected):
        raise PlacedVerifyException(
            last, f"{who} has {count(len(expected), kind)}, but yields {len(values) or 'none'}; yield one value for each"
        )
    for (name, type), value in zip(expected, values, strict=True):
        if value.type != type:
            raise PlacedVerifyException(last, f'{who} yields {value.type} for {kind} "{name}", which has type {type}; make them the same')


def check_body(who: str, block: Block) -> None:
    """A body computes values, and ends in cog.yield."""
    if block.last_op is None or block.last_op.name != "cog.yield":
        raise VerifyException(f"{who}: its body does not end in cog.yield; add one")
    for op in inner_operations(block):
        if op.name.partition(".")[0] in IMPURE_DIALECTS and op.name != "cog.yield":
            raise PlacedVerifyException(
                op, f"{who}: {op.name} is not allowed in its body, which must compute values only; use operations of arith, tensor, rng ..."
            )


def inner_operations(block: Block) -> Iterable[Operation]:
    """All operations of a body, outside first."""
    for op in block.ops:
        yield from op.walk()


def check_state_type(who: str, name: str, type: Attribute) -> None:
    """A generator has the type of one."""
    if not isinstance(type, StateType):
        raise VerifyException(f'{who}: generator "{name}" has type {type}; it must be !rng.state<...>')
