"""Loops: `while`, and `for` over numbers and arrays (one loop, however long) or over tuples and lists (written out)."""

from __future__ import annotations

import ast
from abc import ABC
from collections.abc import Callable, Sequence

import numpy as np
from xdsl.dialects import arith
from xdsl.ir import SSAValue

from cogir.pyfunc.arrays import get_item
from cogir.pyfunc.bounds import bounds_of
from cogir.pyfunc.calls import CallExpressions
from cogir.pyfunc.cheap import is_cheap
from cogir.pyfunc.elementwise import node_of, scalar_of
from cogir.pyfunc.flow import FALL, Flow, Rolled
from cogir.pyfunc.joining import force_all
from cogir.pyfunc.source import assigned_in, stops_loop
from cogir.pyfunc.values import (
    Array,
    Const,
    List,
    LiveName,
    Range,
    Reversed,
    Scalar,
    Tuple,
    Value,
    Zip,
    describe,
    is_static,
    shape_of_value,
    static,
)

LOOP = "@loop"
"""The value that a loop goes through, as if it had a name, which ends with the line."""


class Loops(CallExpressions, ABC):
    """The compilation of `while` and `for`; the class below it compiles other statements."""

    def while_loop(self, node: ast.While) -> Flow:
        if node.orelse:
            raise self.e.error("'else' of a loop is not in the subset; set a flag before break, and test it after the loop", node)
        exits = stops_loop(node.body)
        endless = isinstance(node.test, ast.Constant) and bool(node.test.value)
        if endless and not exits:
            raise self.e.error("this loop never ends; add a condition, a break or a return", node)

        def test(_: SSAValue | None) -> SSAValue:
            value = self.truth(self.expression(node.test), node.test)
            return self.e.constant(value, "i1") if isinstance(value, bool) else value

        return self._looping(
            node,
            lambda keys: self.conditional_loop(
                node,
                keys,
                test,
                lambda: self.block(node.body),
                exits=exits,
                simple_test=is_cheap(node.test),
                endless=endless,
            ),
            [],
        )

    def _looping(self, node: ast.For | ast.While, run: Callable[[list[str]], Flow], targets: Sequence[str]) -> Flow:
        names = [*targets, *(name for name in assigned_in(node.body) if name not in targets)]
        if isinstance(node, ast.While):
            names += [name for name in assigned_in([node.test]) if name not in names]
        keys = [self.frame.prefix + name for name in names]
        keys += [key for key in self.env if key.startswith("%")]
        self.frame.loops.append(node)
        try:
            return run(keys)
        finally:
            self.frame.loops.pop()

    def for_loop(self, node: ast.For) -> Flow:
        if node.orelse:
            raise self.e.error("'else' of a loop is not in the subset; set a flag before break, and test it after the loop", node)
        iterable = self._iterable(node.iter, node)
        around = sum(key.startswith(LOOP) for key in self.env)
        key = f"{LOOP}{around}:{node.lineno}"
        self.env[key] = iterable
        flow = self._goes_through(node, iterable)
        del self.env[key]
        return flow

    def _goes_through(self, node: ast.For, iterable: Value) -> Flow:
        if self._has_items(iterable):
            count, item = self._items_now(iterable, node)
            self.frame.loops.append(node)
            try:
                flow = self._written_out(node, count or 0, item, 0)
            finally:
                self.frame.loops.pop()
            return self.absorbed(flow, "break")
        loop = self._rolled(iterable, node)
        if loop.trips == 0:
            return FALL
        targets = assigned_in([node.target])

        def body(item: Value) -> Flow:
            self.assign(node.target, item)
            return self.block(node.body)

        if not stops_loop(node.body):

            def counted(keys: list[str]) -> Flow:
                self.counted_loop(node, keys, loop, body)
                return FALL

            return self._looping(node, counted, targets)
        return self._looping(
            node,
            lambda keys: self.conditional_loop(
                node,
                keys,
                lambda _: self.e.constant(True, "i1"),
                lambda: body(self._loop_item),
                exits=True,
                simple_test=True,
                loop=loop,
                endless=True,
            ),
            targets,
        )

    def _iterable(self, node: ast.expr, loop: ast.For) -> Value:
        """
        The value of what a loop goes through.

        A loop over an array or a list sees its elements change, so a name stands for what it is in each iteration. If the loop
        assigns the name, it is the array from before.
        """
        match node:
            case ast.Name(name) if name in self.frame.names.assigned and not _rebinds(loop, name):
                value = self.look_up(name, node)
                return LiveName(name) if isinstance(value, List) or shape_of_value(value) else value
            case ast.Call(ast.Name() as function, arguments) if not any(isinstance(argument, ast.Starred) for argument in arguments):
                callee = self.expression(function)
                if isinstance(callee, Const) and callee.value in (enumerate, zip, reversed):
                    values = [self._iterable(argument, loop) for argument in arguments]
                    named = {keyword.arg: self.expression(keyword.value) for keyword in node.keywords if keyword.arg is not None}
                    self.e.at(node)
                    return self.call_value(callee, values, named, node)
            case _:
                pass
        return self.expression(node)

    def _now(self, value: Value, node: ast.AST) -> Value:
        """What a value is now."""
        return self.look_up(value.name, node) if isinstance(value, LiveName) else value

    def _has_items(self, value: Value) -> bool:
        """True if a loop goes over a tuple or list, so that it is written out."""
        match value:
            case Tuple() | List():
                return True
            case Zip(parts):
                return any(map(self._has_items, parts))
            case Reversed(sequence):
                return self._has_items(sequence)
            case LiveName(name):
                return isinstance(self.env.get(self.frame.prefix + name), List)
            case _:
                return False

    def _items_now(self, value: Value, node: ast.AST) -> tuple[int | None, Callable[[int], Value]]:
        """The number of items (None if there is no end), and the item at a position when its iteration begins."""
        match value:
            case Zip(parts):
                columns = [self._items_now(part, node) for part in parts]
                counts = [count for count, _ in columns if count is not None]
                if not counts:
                    raise self.e.error("enumerate needs an iterable of known length", node)
                return min(counts), lambda position: Tuple(tuple(item(position) for _, item in columns))
            case Reversed(sequence):
                count, item = self._items_now(sequence, node)
                assert count is not None
                return count, lambda position: item(count - 1 - position)
            case LiveName():
                count, _ = self._items_now(self._now(value, node), node)
                return count, lambda position: self._items_now(self._now(value, node), node)[1](position)
            case Range(start, Const(None), step):
                return None, lambda position: Const(static(start) + static(step) * position)
            case Array() | Const(np.ndarray()):
                count = len(self._limited(range(shape_of_value(value)[0]), node))
                return count, lambda position: get_item(self.e, value, [Const(position)])
            case _:
                items = self.static_items(value, node)
                return len(items), lambda position: items[position]

    def _written_out(self, node: ast.For, count: int, item: Callable[[int], Value], position: int) -> Flow:
        """A loop over the items of a tuple or list, which may differ in type: one copy of the body for each."""
        if position == count:
            return FALL
        self.assign(node.target, item(position))
        flow = self.absorbed(self.block(node.body), "continue")
        return self.sequence(flow, lambda: self._written_out(node, count, item, position + 1), node)

    def _rolled(self, iterable: Value, node: ast.For) -> Rolled:
        """The loop over a range, an array, or several of them side by side."""
        match iterable:
            case Range(start, stop, Const(step)) if step > 0:
                trips = len(static(iterable)) if is_static(iterable) else None
                return Rolled(start, stop, step, trips, lambda number: number)
            case Range(start, stop, step):
                count, trips = self._trips(iterable, node)
                return Rolled(Const(0), count, 1, trips, lambda number: self._range_number(start, step, number, node))
            case Array() | Const(np.ndarray()) | LiveName() if shape := shape_of_value(self._now(iterable, node)):
                extent = shape[0]
                force_all(self.e, [iterable])
                return Rolled(Const(0), Const(extent), 1, extent, lambda number: get_item(self.e, self._now(iterable, node), [number]))
            case Reversed(Range() as numbers):
                return self._rolled(backwards(numbers), node)
            case Reversed(sequence):
                forward = self._rolled(sequence, node)
                last = Const(static(forward.upper) - 1)

                def item(number: Scalar) -> Value:
                    back = self.binary(ast.Sub, last, number, node)
                    assert isinstance(back, Scalar)
                    return forward.item(back)

                return Rolled(Const(0), forward.upper, 1, forward.trips, item)
            case Zip(parts):
                return self._rolled_together(parts, node)
            case _:
                raise self.e.error(
                    f"a for loop goes over range(...), arrays, tuples, lists, zip and enumerate, not {describe(iterable)}",
                    node,
                )

    def _range_number(self, start: Value, step: Value, number: Scalar, node: ast.AST) -> Value:
        if isinstance(start, Const) and start.value == 0 and isinstance(step, Const) and step.value == 1:
            return number
        return self.binary(ast.Add, start, self.binary(ast.Mult, step, number, node), node)

    def _trips(self, numbers: Range, node: ast.AST) -> tuple[Value, int | None]:
        """The number of elements of a range."""
        if is_static(numbers):
            count = len(static(numbers))
            return Const(count), count
        if not isinstance(numbers.step, Const):
            raise self.e.error("the step of a range must be known when the function is compiled; use a while loop", node)
        step = numbers.step.value
        if step == 0:
            raise self.e.error("the step of a range must not be 0", node)
        distance = self.binary(ast.Sub, numbers.stop, numbers.start, node)
        rounded = self.binary(ast.Add, distance, Const(step - 1 if step > 0 else step + 1), node)
        count = self.binary(ast.FloorDiv, rounded, Const(step), node)
        count_node = node_of(count)
        assert count_node is not None
        ssa = self.e.int_op(arith.MaxSIOp, scalar_of(self.e, count_node), self.e.constant(0, "i64"))
        bounds = bounds_of(count)
        return Scalar(ssa, "i64", 0, None if bounds is None else max(bounds[1], 0), weak=True), None

    def _rolled_together(self, parts: Sequence[Value], node: ast.For) -> Rolled:
        counts: list[Value] = []
        items: list[Callable[[Scalar], Value]] = []
        for part in parts:
            if isinstance(part, Range):
                start, step = part.start, part.step
                items.append(lambda number, start=start, step=step: self._range_number(start, step, number, node))
                if not (isinstance(part.stop, Const) and part.stop.value is None):
                    counts.append(self._trips(part, node)[0])
            else:
                loop = self._rolled(part, node)
                if loop.step != 1 or loop.lower != Const(0):
                    raise self.e.error("zip goes over ranges, arrays, tuples and lists here", node)
                counts.append(loop.upper)
                items.append(loop.item)
        if not counts:
            raise self.e.error("enumerate needs an iterable of known length", node)
        known = [count.value for count in counts if isinstance(count, Const)]
        if len(known) == len(counts):
            upper: Value = Const(min(known))
        elif len(counts) == 1:
            upper = counts[0]
        else:
            raise self.e.error("zip needs lengths that are known when the function is compiled", node)
        trips = min(known) if len(known) == len(counts) else None
        return Rolled(Const(0), upper, 1, trips, lambda number: Tuple(tuple(item(number) for item in items)))


def backwards(numbers: Range) -> Range:
    """`reversed(range(...))`, of a range that is known."""
    known = static(numbers)[::-1]
    return Range(Const(known.start), Const(known.stop), Const(known.step))


def goes_through(iterable: Value, name: str) -> bool:
    """True if a loop's iterable is the variable of that name, or made of it."""
    match iterable:
        case LiveName(other):
            return other == name
        case Zip(parts):
            return any(goes_through(part, name) for part in parts)
        case Reversed(sequence):
            return goes_through(sequence, name)
        case _:
            return False


def _rebinds(loop: ast.For, name: str) -> bool:
    """True if a loop assigns the name; `+=` is none for arrays and lists, which it changes."""
    changed = {id(node.target) for node in ast.walk(loop) if isinstance(node, ast.AugAssign)}
    stores = (node for node in ast.walk(loop) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    return any(node.id == name and id(node) not in changed for node in stores)
