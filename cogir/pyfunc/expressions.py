"""Expressions of the subset, from syntax trees to values."""

from __future__ import annotations

import ast
import builtins
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import FunctionType
from typing import Any, ClassVar, TypeVar, cast

import numpy as np
from xdsl.dialects import arith
from xdsl.ir import Operation, SSAValue

from cogir.pyfunc import whole_numbers
from cogir.pyfunc.arrays import array_of, get_item
from cogir.pyfunc.bounds import bounded
from cogir.pyfunc.cheap import is_cheap
from cogir.pyfunc.control import ControlFlow
from cogir.pyfunc.elementwise import apply, apply_body, node_of, select
from cogir.pyfunc.emitter import Emitter
from cogir.pyfunc.flow import Flow, Frame
from cogir.pyfunc.joining import force_all
from cogir.pyfunc.meanings.elementwise import power
from cogir.pyfunc.meanings.products import matmul
from cogir.pyfunc.meanings.registry import known_names
from cogir.pyfunc.operators import COMPARISONS, ON_CONSTANTS, OPERATORS, UNARY
from cogir.pyfunc.scalars import FUNCTIONS
from cogir.pyfunc.selection import Slice
from cogir.pyfunc.source import FunctionNode, did_you_mean, names_of
from cogir.pyfunc.values import (
    Array,
    Const,
    Generated,
    GeneratorState,
    List,
    OtherWidth,
    Range,
    Reversed,
    Scalar,
    Tuple,
    Unbound,
    Value,
    Zip,
    as_operand,
    describe,
    held,
    is_numeric,
    is_static,
    is_weak,
    kind_of,
    memory_of,
    of_others,
    shape_of_value,
    static,
    weakly,
    wrap,
)

MAX_ITEMS = 16
"""The longest comprehension that is written out item by item."""

ItemT = TypeVar("ItemT")


class Expressions(ControlFlow, ABC):
    """Compiles expressions; `table` gives the functions that are called."""

    def __init__(self, emitter: Emitter, frame: Frame, table: Any):
        self.e = emitter
        self.frame = frame
        self.table = table
        self.env = {}
        self._frames = 0

    def expression(self, node: ast.expr) -> Value:
        """The value of an expression; its operations are emitted in the order of evaluation."""
        method = self.METHODS.get(type(node))
        if method is None:
            raise self.e.error(_REMEDIES.get(type(node), f"{type(node).__name__} is not in the subset"), node)
        try:
            value = method(self, node)
        except (OverflowError, MemoryError) as error:
            raise self.e.too_large(error, node) from None
        except OtherWidth as error:
            raise self.e.error(str(error), node) from None
        if isinstance(value, Unbound):
            raise self.e.error(value.reason, node)
        return value

    # Names and constants

    def _constant(self, node: ast.Constant) -> Value:
        if isinstance(node.value, complex | bytes):
            raise self.e.error(f"{node.value!r} is not in the subset; write real numbers", node)
        return Const(node.value)

    def _name(self, node: ast.Name) -> Value:
        return self.look_up(node.id, node)

    def look_up(self, name: str, node: ast.AST) -> Value:
        """The value of a name: a variable of the function or of one around it, a global, or a built-in."""
        frame: Frame = self.frame
        while True:
            if name in frame.names.assigned:
                value = self.env.get(frame.prefix + name)
                if value is None:
                    raise self.e.error(f"'{name}' is used before it has a value; assign it first", node)
                if isinstance(value, Unbound):
                    raise self.e.error(value.reason, node)
                return value
            if frame.parent is None:
                break
            frame = frame.parent
        function = frame.function
        assert isinstance(function, FunctionType)
        module_names = cast("dict[str, Any]", function.__globals__)
        if name in function.__code__.co_freevars:
            cell = (function.__closure__ or ())[function.__code__.co_freevars.index(name)]
            try:
                return of_others(cell.cell_contents)
            except ValueError:
                raise self.e.error(f"'{name}' has no value yet in the enclosing function", node) from None
        if name in module_names:
            return of_others(module_names[name])
        if name in vars(builtins):
            return Const(vars(builtins)[name])
        known: list[str] = [*frame.names.assigned, *module_names, *known_names()]
        raise self.e.error(f"'{name}' is not defined{did_you_mean(name, known)}", node)

    # Containers

    def _tuple(self, node: ast.Tuple) -> Value:
        return Tuple(tuple(self.items_of(node.elts)))

    def _list(self, node: ast.List) -> Value:
        return List(tuple(self.items_of(node.elts)))

    def items_of(self, nodes: Sequence[ast.expr]) -> Iterator[Value]:
        for item in nodes:
            if isinstance(item, ast.Starred):
                yield from self.static_items(self.expression(item.value), item)
            else:
                yield held(self.expression(item))

    def static_items(self, value: Value, node: ast.AST) -> Sequence[Value]:
        """The items of a tuple, list, constant range or array of few elements."""
        match value:
            case Tuple(items) | List(items):
                return items
            case Generated(items):
                return items
            case Reversed(sequence):
                return self.static_items(sequence, node)[::-1]
            case Range() if is_static(value):
                return [Const(number) for number in self._limited(static(value), node)]
            case Zip(parts):
                columns = [self.static_items(part, node) for part in parts if not _is_endless(part)]
                length = min(map(len, columns))
                full = [self._counting(part, length) if _is_endless(part) else self.static_items(part, node) for part in parts]
                return [Tuple(row) for row in zip(*full, strict=False)]
            case Array() | Const(np.ndarray()) if shape_of_value(value):
                numbers = self._limited([Const(number) for number in range(shape_of_value(value)[0])], node)
                if isinstance(value, Array):
                    force_all(self.e, [value])
                return [get_item(self.e, value, [number]) for number in numbers]
            case _:
                raise self.e.error(
                    f"{describe(value)} cannot be iterated here; use a tuple, a list, or a for loop",
                    node,
                )

    def _counting(self, part: Value, length: int) -> Sequence[Value]:
        assert isinstance(part, Range)
        start, step = static(part.start), static(part.step)
        return [Const(start + step * number) for number in range(length)]

    def _limited(self, items: Sequence[ItemT], node: ast.AST) -> Sequence[ItemT]:
        if (count := len(items)) > MAX_ITEMS:
            raise self.e.error(
                f"{count} items would be unrolled, but at most {MAX_ITEMS} are; fill an array in a for loop, or use an array expression",
                node,
            )
        return items

    def _comprehension(self, node: ast.ListComp | ast.GeneratorExp) -> Value:
        if len(node.generators) != 1:
            raise self.e.error("a comprehension with two 'for' is not in the subset; nest for loops", node)
        (generator,) = node.generators
        if generator.ifs:
            raise self.e.error(
                "a comprehension with a condition gives a list of unknown length; use np.where, or an array and a for loop",
                node,
            )
        items = self.static_items(self.expression(generator.iter), node)
        names = [name.id for name in ast.walk(generator.target) if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)]
        for inner in ast.walk(node.elt):
            if isinstance(inner, ast.Lambda) and (late := next((name for name in names if name in names_of(inner).loads), None)):
                raise self.e.error(
                    f"a lambda would see the last '{late}' of the comprehension in Python; write lambda {late}={late}: ..., to keep it",
                    inner,
                )
        keys = [self.frame.prefix + name for name in names]
        outer = {key: self.env.get(key) for key in keys}
        values: list[Value] = []
        after_first: dict[str, Value] = {}
        for item in items:
            self.assign(generator.target, item)
            values.append(held(self.expression(node.elt)))
            if len(values) == 1:
                after_first = {key: value for key, value in self.env.items() if isinstance(value, GeneratorState)}
        for key, value in outer.items():
            if value is None:
                self.env.pop(key, None)
            else:
                self.env[key] = value
        force_all(self.e, values)
        if isinstance(node, ast.GeneratorExp):
            return Generated(tuple(values), any(self.env[key] is not state for key, state in after_first.items()))
        return List(tuple(values))

    # Operators

    def _binary(self, node: ast.BinOp) -> Value:
        left, right = self.expression(node.left), self.expression(node.right)
        return self.binary(type(node.op), left, right, node)

    def binary(self, op: type[ast.operator], left: Value, right: Value, node: ast.AST) -> Value:
        """`left op right`."""
        self.e.at(node)
        if isinstance(left, Tuple | List) or isinstance(right, Tuple | List):
            return self._sequence_operator(op, left, right, node)
        for operand in (left, right):
            if isinstance(operand, Const) and isinstance(operand.value, str):
                raise self.e.error('operations on strings are not in the subset; a string can only be compared (if mode == "euler")', node)
        if op is ast.Pow:
            return power(self, left, right)
        if op is ast.MatMult:
            return matmul(self, left, right)
        if op is ast.Div and (exact := whole_numbers.divided(self.e, left, right)) is not None:
            return exact
        name = OPERATORS.get(op)
        assert name is not None
        result = apply(self.e, FUNCTIONS[name], (left, right))
        return bounded(op, left, right, result)

    def _sequence_operator(self, op: type[ast.operator], left: Value, right: Value, node: ast.AST) -> Value:
        if op is ast.Add and isinstance(left, Tuple) and isinstance(right, Tuple):
            return Tuple((*left.items, *right.items))
        if op is ast.Add and isinstance(left, List) and isinstance(right, List):
            return List((*left.items, *right.items))
        if op is ast.Mult:
            times, sequence = (left, right) if isinstance(left, Const) else (right, left)
            if isinstance(times, Const) and isinstance(times.value, int) and isinstance(sequence, Tuple | List):
                self._limited(range(len(sequence.items) * max(0, times.value)), node)
                items = tuple(sequence.items * times.value)
                return List(items) if isinstance(sequence, List) else Tuple(items)
        if shape_of_value(left) or shape_of_value(right):
            return self.binary(op, array_of(self.e, left), array_of(self.e, right), node)
        raise self.e.error(f"{describe(left)} and {describe(right)} have no such operator; make arrays of them with np.array", node)

    def _unary(self, node: ast.UnaryOp) -> Value:
        operand = self.expression(node.operand)
        self.e.at(node)
        if isinstance(node.op, ast.Not):
            test = self.truth(operand, node)
            return Const(not test) if isinstance(test, bool) else Scalar(self.e.invert(test), "i1")
        name = UNARY[type(node.op)]
        if isinstance(node.op, ast.Invert) and not is_static(operand) and kind_of(operand) == "i1" and not shape_of_value(operand):
            raise self.e.error("~ of a truth value differs between Python and NumPy; write 'not'", node)
        result = apply(self.e, FUNCTIONS[name], (operand,))
        if isinstance(operand, Scalar) and isinstance(result, Scalar) and name == "negative" and operand.kind == "i64":
            low = None if operand.high is None else -operand.high
            high = None if operand.low is None else -operand.low
            return replace(result, low=low, high=high)
        return result

    def truth(self, value: Value, node: ast.AST) -> bool | SSAValue:
        """The truth of a value: a bool if it is known at compile time, otherwise an i1."""
        match value:
            case Const(np.ndarray() as array) if array.size == 1:
                return bool(array.reshape(-1)[0])
            case Const(held) if not isinstance(held, np.ndarray):
                return bool(held)
            case Tuple(items) | List(items):
                return bool(items)
            case Scalar(ssa, kind):
                return self.e.cast(ssa, kind, "i1")
            case Array() if np.prod(value.shape) == 1:
                element = get_item(self.e, value, [Const(0)] * len(value.shape))
                assert isinstance(element, Scalar)
                return self.e.cast(element.ssa, element.kind, "i1")
            case Array() | Const():
                raise self.e.error(
                    f"{describe(value)} has no truth value; use np.any, np.all, or np.where for each element",
                    node,
                )
            case _:
                raise self.e.error(f"{describe(value)} cannot be a condition; compare it with something", node)

    def _boolean(self, node: ast.BoolOp) -> Value:
        return self._boolean_of(node.values, isinstance(node.op, ast.And), node)

    def _boolean_of(self, nodes: Sequence[ast.expr], is_and: bool, node: ast.AST) -> Value:
        left = self.expression(nodes[0])
        if len(nodes) == 1:
            return left
        test = self.truth(left, node)
        if isinstance(test, bool):
            return self._boolean_of(nodes[1:], is_and, node) if test == is_and else left
        if all(map(is_cheap, nodes[1:])):
            right = self._boolean_of(nodes[1:], is_and, node)
            if kind_of(left) == "i1" and isinstance(right, Const) and isinstance(right.value, bool):
                return left if right.value == is_and else right
            if kind_of(left) == "i1" and kind_of(right) == "i1":
                return self._short_circuit(arith.AndIOp if is_and else arith.OrIOp, left, right)
            taken, other = (right, left) if is_and else (left, right)
            self._same_type(taken, other, node)
            return self._either(test, taken, other)

        def rest() -> Value:
            return self._boolean_of(nodes[1:], is_and, node)

        return self.choose(test, *((rest, lambda: left) if is_and else (lambda: left, rest)), node)

    def _short_circuit(self, op_type: type[Operation], left: Value, right: Value) -> Value:
        nodes = [node for node in map(node_of, (left, right)) if node is not None]
        return apply_body(self.e, lambda e, ssas: e.short_circuit(op_type, *ssas), nodes, "i1")

    def _either(self, test: SSAValue, left: Value, right: Value) -> Value:
        """One of two values of one type: an array is one of the two, not a copy."""
        chosen = select(self.e, Scalar(test, "i1"), left, right)
        return Array(chosen.node, memory_of(left) | memory_of(right)) if isinstance(chosen, Array) else chosen

    def _same_type(self, left: Value, right: Value, node: ast.AST) -> None:
        kinds = {kind_of(left), kind_of(right)}
        if None in kinds or (len(kinds) > 1 and "i1" in kinds) or shape_of_value(left) != shape_of_value(right):
            raise self.e.error(f"the expression is {describe(left)} or {describe(right)}; give both sides one type and shape", node)
        if len(kinds) > 1 and "f32" in kinds:
            raise self.e.error(
                f"the expression is {describe(left)} or {describe(right)}, with which NumPy computes in different types; write "
                "np.float32(...) around the one, or float(...) around the other",
                node,
            )

    def _compare(self, node: ast.Compare) -> Value:
        left = self.expression(node.left)
        result: Value | None = None
        for op, right_node in zip(node.ops, node.comparators, strict=True):
            right = self.expression(right_node)
            self.e.at(node)
            part = self._comparison(op, left, right, node)
            result = part if result is None else self._both(result, part, node)
            left = right
        assert result is not None
        return result

    def _both(self, left: Value, right: Value, node: ast.AST) -> Value:
        a, b = self.truth(left, node), self.truth(right, node)
        if isinstance(a, bool):
            return right if a else left
        if isinstance(b, bool):
            return left if b else right
        return Scalar(self.e.short_circuit(arith.AndIOp, a, b), "i1")

    def _comparison(self, op: ast.cmpop, left: Value, right: Value, node: ast.AST) -> Value:
        if isinstance(op, ast.Is | ast.IsNot):
            return Const(self._identical(left, right, node) == isinstance(op, ast.Is))
        if isinstance(op, ast.In | ast.NotIn):
            found = self._contains(left, right, node)
            if isinstance(op, ast.In):
                return found
            test = self.truth(found, node)
            return Const(not test) if isinstance(test, bool) else Scalar(self.e.invert(test), "i1")
        if is_static(left) and is_static(right):
            a, b = as_operand(left), as_operand(right)
            try:
                return wrap(ON_CONSTANTS[type(op)](a, b))
            except Exception as error:  # arrays that do not fit together; objects may compare as they like
                raise self.e.misfit(str(error)) from None
        if not (is_numeric(left) and is_numeric(right)):
            if isinstance(left, Tuple | List) and isinstance(right, Tuple | List) and isinstance(op, ast.Eq | ast.NotEq):
                return self._compare_items(op, left, right, node)
            if isinstance(op, ast.Eq | ast.NotEq) and not isinstance(left, Tuple | List) and not isinstance(right, Tuple | List):
                # A number never equals None, a string or a function.
                return Const(isinstance(op, ast.NotEq))
            raise self.e.error(f"{describe(left)} and {describe(right)} cannot be compared", node)
        name = COMPARISONS[type(op)]
        exact = whole_numbers.compared(self.e, name, left, right)
        return apply(self.e, FUNCTIONS[name], (left, right)) if exact is None else exact

    def _compare_items(self, op: ast.cmpop, left: Tuple | List, right: Tuple | List, node: ast.AST) -> Value:
        result: Value = Const(len(left.items) == len(right.items))
        if static(result):
            for a, b in zip(left.items, right.items, strict=True):
                result = self._both(result, self._comparison(ast.Eq(), a, b, node), node)
        if isinstance(op, ast.Eq):
            return result
        test = self.truth(result, node)
        return Const(not test) if isinstance(test, bool) else Scalar(self.e.invert(test), "i1")

    def _identical(self, left: Value, right: Value, node: ast.AST) -> bool:
        if isinstance(left, Const) and isinstance(right, Const):
            return left.value is right.value
        if any(isinstance(side, Const) and not isinstance(side.value, np.ndarray | int | float) for side in (left, right)):
            return False
        raise self.e.error("'is' compares identity, which numbers and arrays do not have here; write ==", node)

    def _contains(self, left: Value, right: Value, node: ast.AST) -> Value:
        if not isinstance(right, Tuple | List):
            if is_static(left) and is_static(right):
                return Const(static(left) in static(right))
            raise self.e.error(f"'in' takes a tuple or a list on its right, not {describe(right)}; use np.any(x == value)", node)
        result: Value = Const(False)
        for item in right.items:
            same = self._comparison(ast.Eq(), left, item, node)
            a, b = self.truth(result, node), self.truth(same, node)
            if a is True or b is True:
                return Const(True)
            if isinstance(a, bool):
                result = same
            elif not isinstance(b, bool):
                result = Scalar(self.e.int_op(arith.OrIOp, a, b), "i1")
        return result

    def _conditional_expression(self, node: ast.IfExp) -> Value:
        test = self.truth(self.expression(node.test), node.test)
        if isinstance(test, bool):
            return self.expression(node.body if test else node.orelse)
        if is_cheap(node.body) and is_cheap(node.orelse):
            left, right = self.expression(node.body), self.expression(node.orelse)
            if is_numeric(left) and is_numeric(right):
                self._same_type(left, right, node)
                return self._either(test, left, right)
            return self.choose(test, lambda: left, lambda: right, node)
        return self.choose(test, lambda: self.expression(node.body), lambda: self.expression(node.orelse), node)

    def _named(self, node: ast.NamedExpr) -> Value:
        value = self.expression(node.value)
        self.assign(node.target, value)
        return self.look_up(node.target.id, node)

    # Indexing

    def _subscript(self, node: ast.Subscript) -> Value:
        value = self.expression(node.value)
        items = self.index_items(node.slice)
        self.e.at(node)
        match value:
            case Tuple(held) | List(held):
                return self.sequence_item(value, held, items, node)
            case Const(np.ndarray()) | Array() | Scalar():
                return get_item(self.e, value, items)
            case Const(held) if isinstance(held, Mapping) and all(map(is_static, items)):
                key = static(items[0])
                if key not in held:
                    keys = ", ".join(map(repr, cast("Mapping[Any, Any]", held)))
                    raise self.e.error(f"{key!r} is not a key; the keys are {keys}", node)
                return of_others(held[key])
            case _:
                raise self.e.error(f"{describe(value)} cannot be indexed", node)

    def index_items(self, node: ast.expr) -> list[Value]:
        """The parts of an index: `x[i, 1:]` has two."""
        nodes = node.elts if isinstance(node, ast.Tuple) else [node]
        items = [self._slice(item) if isinstance(item, ast.Slice) else self.expression(item) for item in nodes]
        if len(items) == 1 and isinstance(items[0], Tuple):
            return list(items[0].items)
        return items

    def _slice(self, node: ast.Slice) -> Value:
        start, stop, step = (Const(None) if part is None else self.expression(part) for part in (node.lower, node.upper, node.step))
        return Slice(start, stop, step, self._window(node))

    def _window(self, node: ast.Slice) -> int | None:
        """The length of a slice that is written `i : i + length`."""
        if node.lower is None or node.step is not None or not isinstance(node.upper, ast.BinOp) or not isinstance(node.upper.op, ast.Add):
            return None
        if ast.dump(node.upper.left) != ast.dump(node.lower) or not is_cheap(node.upper):
            return None
        length = self.expression(node.upper.right)
        return length.value if isinstance(length, Const) and isinstance(length.value, int) else None

    def sequence_item(self, value: Value, held: tuple[Value, ...], items: Sequence[Value], node: ast.AST) -> Value:
        if len(items) != 1:
            raise self.e.error(f"{describe(value)} takes one index; make an array of it with np.array", node)
        (index,) = items
        if isinstance(index, Slice):
            if not all(map(is_static, (index.start, index.stop, index.step))):
                raise self.e.error("the bounds of a slice must be known when the function is compiled", node)
            picked = held[slice(static(index.start), static(index.stop), static(index.step))]
            return List(picked) if isinstance(value, List) else Tuple(picked)
        if isinstance(index, Const) and isinstance(index.value, int):
            if not -len(held) <= index.value < len(held):
                raise self.e.misfit(f"index {index.value} is out of range for {describe(value)}; give {-len(held)} to {len(held) - 1}")
            return held[index.value]
        if isinstance(index, Scalar):
            return self._item_at_run_time(value, held, items)
        raise self.e.error(f"index is {describe(index)}, not an int", node)

    def _item_at_run_time(self, value: Value, held: tuple[Value, ...], items: Sequence[Value]) -> Value:
        """An item of a tuple or list of numbers, or of arrays; it is one of Python if all are."""
        kinds = {kind_of(item) for item in held}
        if len(kinds) > 1 and "f32" in kinds:
            raise self.e.error(
                f"an item of {describe(value)} is float32 or of another type, as the index is; write np.float32(...) around the ones, or "
                "float(...) around the others"
            )
        found = get_item(self.e, array_of(self.e, value), items)
        weak = set(map(is_weak, held))
        return weakly(found, weak.pop() if len(weak) == 1 else None)

    # Methods that statements implement

    @abstractmethod
    def assign(self, target: ast.expr, value: Value) -> None:
        """Binds the target of an assignment."""

    @abstractmethod
    def bind(self, name: str, value: Value) -> None:
        """Binds a name of the function."""

    @abstractmethod
    def block(self, statements: Sequence[ast.stmt]) -> Flow:
        """Compiles a statement list."""

    @abstractmethod
    def returned(self, flow: Flow, function: FunctionNode) -> Value:
        """The value that a function returns whose body ended with `flow`."""

    METHODS: ClassVar[dict[type[ast.expr], Callable[[Any, Any], Value]]] = {
        ast.Constant: _constant,
        ast.Name: _name,
        ast.Tuple: _tuple,
        ast.List: _list,
        ast.ListComp: _comprehension,
        ast.GeneratorExp: _comprehension,
        ast.BinOp: _binary,
        ast.UnaryOp: _unary,
        ast.BoolOp: _boolean,
        ast.Compare: _compare,
        ast.IfExp: _conditional_expression,
        ast.NamedExpr: _named,
        ast.Subscript: _subscript,
    }


_REMEDIES: dict[type[ast.expr], str] = {
    ast.Dict: "dicts are not in the subset; use a named tuple, separate names, or a dict defined outside and indexed by a constant",
    ast.DictComp: "dict comprehensions are not in the subset; use separate names",
    ast.Set: "sets are not in the subset; use a tuple (x in (1, 2)), or an array of truth values",
    ast.SetComp: "set comprehensions are not in the subset; use a tuple",
    ast.JoinedStr: 'f-strings are not in the subset; a string can only be compared (if mode == "euler")',
    ast.Await: "'await' is not in the subset; write a function that computes one step and returns",
    ast.Yield: "'yield' is not in the subset; keep values from call to call in a State argument, and return a Step",
    ast.YieldFrom: "'yield from' is not in the subset; keep values from call to call in a State argument, and return a Step",
    ast.Starred: "a starred item is allowed in a tuple, a list or a call only",
}


def _is_endless(part: Value) -> bool:
    """True if a part of a zip is the counter of `enumerate`."""
    return isinstance(part, Range) and isinstance(part.stop, Const) and part.stop.value is None
