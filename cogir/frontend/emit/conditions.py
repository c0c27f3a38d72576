"""
Conditions as operations of the `cog` dialect.

Every condition class has an operation of the same name, whose arguments come in the same order; only predicates,
thresholds and combinations need a word more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects import func
from xdsl.dialects.builtin import TensorType, i1
from xdsl.ir import Attribute, Operation

from cogir.dialects import cog
from cogir.errors import ModelError, shown
from cogir.frontend.builder import conditions as c
from cogir.frontend.builder.handles import Control, Instance, Node, Parameter, Port, Projection, State
from cogir.frontend.builder.records import InstanceRecord, ModelRecord, NodeRecord
from cogir.frontend.builder.source_location import SourceLocation, did_you_mean
from cogir.frontend.builder.values import ValueType, type_of
from cogir.frontend.emit.types import ir_type

if TYPE_CHECKING:
    from cogir.frontend.emit.functions import Functions


def condition_ops(condition: c.Condition, model: ModelRecord, functions: Functions, what: str, place: SourceLocation) -> list[Operation]:
    """The operations that compute a condition, the last of which gives it."""
    return _Conditions(model, functions, what, place).ops(condition)


class _Conditions:
    def __init__(self, model: ModelRecord, functions: Functions, what: str, place: SourceLocation):
        self.model = model
        self.functions = functions
        self.what = what
        self.place = place

    def ops(self, condition: c.Condition) -> list[Operation]:
        operation: Any = getattr(cog, f"{type(condition).__name__}Op")
        match condition:
            case c.While():
                return self.predicate(condition, operation)
            case c.Threshold():
                return [self.threshold(condition)]
            case _:
                ops: list[Operation] = []
                arguments = [self.argument(getattr(condition, field.name), ops) for field in fields(cast(Any, condition))]
                return [*ops, operation(*arguments)]

    def argument(self, value: object, ops: list[Operation]) -> object:
        """
        A field of a condition as an argument of its operation: nodes become names, counts and time scales stay, and a condition becomes
        the last of its operations, which are added to `ops`.
        """
        if isinstance(value, c.Condition):
            ops += self.ops(value)
            return ops[-1]
        if isinstance(value, Node | Instance):
            return value.name
        if isinstance(value, c.TimeScale):
            return value.value
        if isinstance(value, tuple):
            return [self.argument(part, ops) for part in cast("tuple[object, ...]", value)]
        return value

    def predicate(self, condition: c.While, operation: Any) -> list[Operation]:
        """Reads the values, calls the function, and asks whether it is true."""
        reads = [self.read(read) for read in condition.args]
        types: Sequence[Attribute] = [read.result.type for read in reads]
        function = self.functions.compiled(condition.func, types, {}, self.what, self.place)
        returned = list(function.function_type.outputs)
        if returned != [i1]:
            raise ModelError(
                f"{self.place}: {self.what}: the function of {type(condition).__name__} returns "
                f"({', '.join(map(str, returned))}); return True or False, for example by a comparison"
            )
        call = func.CallOp(function.sym_name.data, reads, returned)
        return [*reads, call, operation(call.results[0])]

    def read(self, handle: Port | Parameter | State) -> cog.ReadOp:
        owner = handle.owner
        if isinstance(owner, Projection | Instance | Control):
            raise ModelError(f"{self.place}: {self.what}: found {shown(handle)}; a predicate can read values of nodes only")
        where = {Port: "port", State: "state", Parameter: "param"}[type(handle)]
        return cog.ReadOp(owner.name, handle.name, self.type_of(owner.record, handle.name, (where,))[1], place=where)

    def threshold(self, condition: c.Threshold) -> cog.ThresholdOp:
        """Looks for an output port, then a state, then a parameter of that name."""
        node = condition.dependency
        if isinstance(node, str):
            record = self.model.nodes[node]
        else:
            record = node.record
        if isinstance(record, InstanceRecord):
            raise ModelError(f"{self.place}: {self.what}: Threshold can read values of nodes only; use it in the inner model")
        where, kept = self.type_of(record, condition.parameter, ("port", "state", "param"))
        rank = len(kept.get_shape()) if isinstance(kept, TensorType) else 0
        indices = cast("tuple[int, ...] | None", condition.indices)
        if indices is None and isinstance(kept, TensorType) and set(kept.get_shape()) == {1}:
            indices = (0,) * rank
        if len(indices or ()) != rank:
            raise ModelError(
                f'{self.place}: {self.what}: Threshold: "{condition.parameter}" of "{record.name}" has type {kept}; give {rank} '
                "indices to select one element"
            )
        return cog.ThresholdOp(
            record.name,
            condition.parameter,
            condition.comparator,
            float(condition.threshold),
            place=where,
            indices=indices or (),
            atol=condition.atol or None,
            rtol=condition.rtol or None,
        )

    def type_of(self, node: NodeRecord, name: str, places: tuple[str, ...]) -> tuple[str, Attribute]:
        """The kind of a node's value of that name, and its type."""
        body = node.body
        held: dict[str, dict[str, ValueType]] = {
            "port": node.outputs,
            "state": {} if body is None else {state: type_of(value) for state, value in body.states.items()},
            "param": {} if body is None else {param: type_of(value) for param, value in body.params.items()},
        }
        for place in places:
            if name in held[place]:
                return place, ir_type(held[place][name])
        known = [one for place in places for one in held[place]]
        raise ModelError(f'{self.place}: {self.what}: "{node.name}" has no output, state or parameter "{name}"{did_you_mean(name, known)}')
