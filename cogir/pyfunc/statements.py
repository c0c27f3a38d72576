"""Statements of the subset, from syntax trees to what they do to the names and where they go."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np

from cogir.errors import FunctionError
from cogir.pyfunc.arrays import get_item, is_mask, set_item
from cogir.pyfunc.control import Thunk
from cogir.pyfunc.elementwise import materialise, node_of, select
from cogir.pyfunc.flow import BREAK, CONTINUE, FALL, FALLS, RETURNS, Flow
from cogir.pyfunc.joining import force_all
from cogir.pyfunc.loops import Loops
from cogir.pyfunc.source import FunctionNode, did_you_mean, is_in_library
from cogir.pyfunc.trees import Tensor
from cogir.pyfunc.values import (
    ARGUMENT,
    Array,
    Closure,
    Const,
    List,
    Scalar,
    Storage,
    Tuple,
    Value,
    describe,
    is_static,
    shape_of_value,
    static,
    storages_of,
)


class Statements(Loops):
    """Compiles statement lists."""

    def block(self, statements: Sequence[ast.stmt]) -> Flow:
        for position, statement in enumerate(statements):
            rest = statements[position + 1 :]
            self.e.at(statement)
            if isinstance(statement, ast.If):
                return self._if_statement(statement, rest, statements[-1])
            method = self._STATEMENTS.get(type(statement))
            if method is None:
                remedy = _REMEDIES.get(type(statement), f"{type(statement).__name__} is not in the subset")
                raise self.e.error(remedy, statement)
            try:
                flow: Flow = method(self, statement)
            except (OverflowError, MemoryError) as error:
                raise self.e.too_large(error, statement) from None
            if flow is not FALL:
                if not rest:
                    return flow
                return self.sequence(flow, lambda: self.block(rest), statements[-1])
        return FALL

    def returned(self, flow: Flow, function: FunctionNode) -> Value:
        if flow.kinds == RETURNS:
            assert flow.value is not None
            return flow.value
        if flow.kinds == FALLS:
            return Const(None)
        raise self.e.error(
            "the function returns a value on some paths only; add a return at its end (or an else)",
            function.body[-1] if isinstance(function, ast.FunctionDef) else function,
        )

    # Leaving

    def _return(self, node: ast.Return) -> Flow:
        value = Const(None) if node.value is None else self.expression(node.value)
        return Flow(RETURNS, None, value)

    def _break(self, node: ast.Break) -> Flow:
        return BREAK

    def _continue(self, node: ast.Continue) -> Flow:
        return CONTINUE

    def _pass(self, node: ast.Pass) -> Flow:
        return FALL

    def _raise(self, node: ast.Raise) -> Flow:
        text = node.exc.args[0] if isinstance(node.exc, ast.Call) and node.exc.args else None
        if is_in_library(self.e.file.name) and isinstance(text, ast.Constant | ast.JoinedStr):
            message = self._message(text)  # the library's own messages name the remedy, and its lines say nothing to a user
            error = FunctionError(f"{self.e.function}: {message}{self._meant(message)}")
            error.file = self.e.file.name
            raise error
        shown = ast.unparse(node.exc) if node.exc is not None else "raise"
        raise self.e.error(
            f"this line is reached, and it raises {shown}; only a branch that the Static arguments exclude may raise",
            node,
        )

    def _message(self, text: ast.Constant | ast.JoinedStr) -> str:
        """A text, with the names in an f-string replaced by their Static values."""
        parts = text.values if isinstance(text, ast.JoinedStr) else [text]
        return "".join(
            str(part.value if isinstance(part, ast.Constant) else static(self.expression(part.value)))
            for part in parts
            if isinstance(part, ast.Constant | ast.FormattedValue)
        )

    def _meant(self, message: str) -> str:
        """The name among those that a message quotes which is near to a Static text of the function."""
        names = re.findall('"([a-z_]+)"', message)
        given = [value.value for value in self.env.values() if isinstance(value, Const) and isinstance(value.value, str)]
        return next((meant for text in given if text not in names and (meant := did_you_mean(text, names))), "")

    def _assert(self, node: ast.Assert) -> Flow:
        value = self.expression(node.test)
        if not is_static(value):
            raise self.e.error(
                "assert of a run-time value is not in the subset; check inputs outside of the function, or return a flag",
                node,
            )
        if not static(value):
            raise self.e.error(f"assertion fails: {ast.unparse(node.test)}", node)
        return FALL

    # Assignments

    def _expression_statement(self, node: ast.Expr) -> Flow:
        if not isinstance(node.value, ast.Constant):
            self.expression(node.value)
        return FALL

    def _assign(self, node: ast.Assign) -> Flow:
        value = self.expression(node.value)
        if isinstance(value, Const) and isinstance(node.value, ast.Name | ast.Attribute):
            value = self._with_memory(value, frozenset({ARGUMENT}))
        for target in node.targets:
            self.assign(target, value)
        return FALL

    def _with_memory(self, value: Value, storage: frozenset[Storage]) -> Value:
        """A constant array as one that has memory, where the function assigns elements; others stay known."""
        node = node_of(value)
        if self.frame.names.changes_elements and isinstance(value, Const) and node is not None and node.shape:
            return Array(node, storage)
        return value

    def _annotated(self, node: ast.AnnAssign) -> Flow:
        if node.value is not None:
            self.assign(node.target, self.expression(node.value))
        return FALL

    def _augmented(self, node: ast.AugAssign) -> Flow:
        """`x += y`: on arrays NumPy changes the array itself, so the rules of element assignment hold."""
        target = node.target
        if isinstance(target, ast.Name):
            old = self.look_up(target.id, target)
            new = self.binary(type(node.op), old, self.expression(node.value), node)
            if isinstance(old, Array) or (isinstance(old, Const) and isinstance(old.value, np.ndarray)):
                if isinstance(old, Array):
                    self._check_owned(target.id, old, node)
                everything = [Const(Ellipsis)]
                node_value = node_of(old)
                assert node_value is not None
                if shape_of_value(new) != node_value.shape:
                    raise self.e.error(
                        f"'{target.id}' is {describe(old)} and cannot grow to shape {shape_of_value(new)} in place; write"
                        f" {target.id} = {target.id} ...",
                        node,
                    )
                new_node = node_of(new)
                assert new_node is not None
                if new_node.kind != node_value.kind:
                    new = self._element_cast(node_value, everything, new)
                storage = old.storage if isinstance(old, Array) else frozenset({Storage()})
                made = node_of(new)
                assert made is not None
                self.bind(target.id, Array(made, storage))
                return FALL
            self.bind(target.id, new)
            return FALL
        if isinstance(target, ast.Subscript):
            # The index is evaluated once.
            items = self.index_items(target.slice)
            holder = self.expression(target.value)
            if is_mask(items, shape_of_value(holder)):
                operand = self.expression(node.value)
                if shape_of_value(operand):
                    raise self.e.error("x[mask] += value takes one number; write x = np.where(mask, x + value, x)", node)
                changed = self.binary(type(node.op), holder, operand, node)
                self._assign_items(target, [Const(Ellipsis)], select(self.e, items[0], changed, holder))
                return FALL
            if isinstance(holder, Tuple | List):
                old = self.sequence_item(holder, holder.items, items, node)
            else:
                old = get_item(self.e, holder, items)
            self._assign_items(target, items, self.binary(type(node.op), old, self.expression(node.value), node))
            return FALL
        raise self.e.error("an attribute cannot be assigned; use a name", node)

    def _element_cast(self, old: Any, everything: Sequence[Value], new: Value) -> Value:
        held = materialise(self.e, old)
        return Array(set_item(self.e, held, everything, new))

    def assign(self, target: ast.expr, value: Value) -> None:
        match target:
            case ast.Name(name):
                self.bind(name, value)
            case ast.Tuple(targets) | ast.List(targets):
                self._unpack(targets, value, target)
            case ast.Subscript():
                self._assign_items(target, self.index_items(target.slice), value)
            case ast.Starred():
                raise self.e.error("a starred target is allowed inside a tuple only", target)
            case _:
                raise self.e.error("an attribute cannot be assigned; return changed values as outputs or states", target)

    def _unpack(self, targets: Sequence[ast.expr], value: Value, node: ast.AST) -> None:
        items = self.static_items(value, node)
        starred = [position for position, target in enumerate(targets) if isinstance(target, ast.Starred)]
        if starred:
            first = starred[0]
            tail = len(targets) - first - 1
            if len(items) < len(targets) - 1:
                raise self.e.error(f"{describe(value)} has too few items for {len(targets)} names", node)
            star = targets[first]
            assert isinstance(star, ast.Starred)
            middle = List(tuple(items[first : len(items) - tail]))
            pairs = [*zip(targets[:first], items[:first], strict=True), (star.value, middle)]
            pairs += zip(targets[first + 1 :], items[len(items) - tail :], strict=True)
        else:
            if len(items) != len(targets):
                raise self.e.error(f"{describe(value)} cannot be assigned to {len(targets)} names", node)
            pairs = list(zip(targets, items, strict=True))
        for target, item in pairs:
            self.assign(target, item)

    def bind(self, name: str, value: Value) -> None:
        """A name that is read once keeps its expression, to be computed where it is used; else it is computed now."""
        names = self.frame.names
        value = self._with_memory(value, frozenset({Storage()}))
        if isinstance(value, Array) and not isinstance(value.node, Tensor):
            if len(names.loads.get(name, ())) > 1 or name in names.captured:
                force_all(self.e, [value])
        elif isinstance(value, Tuple | List):
            force_all(self.e, [value])
        if isinstance(value, Scalar) and value.ssa.name_hint is None:
            value.ssa.name_hint = name
        elif isinstance(value, Array) and isinstance(value.node, Tensor) and value.node.ssa.name_hint is None:
            value.node.ssa.name_hint = name
        self.env[self.frame.prefix + name] = value

    def _assign_items(self, target: ast.Subscript, items: Sequence[Value], value: Value) -> None:
        """`name[items] = value`, also `name[i][j] = value`."""
        holder = target.value
        while isinstance(holder, ast.Subscript):
            items = [*self.index_items(holder.slice), *items]
            holder = holder.value
        if not isinstance(holder, ast.Name):
            raise self.e.error("only elements of a named array can be assigned; give the array a name first", target)
        name = holder.id
        if name not in self.frame.names.assigned:
            raise self.e.error(
                f"'{name}' belongs to the enclosing scope and cannot be changed here; pass it in and return the new one",
                target,
            )
        old = self.look_up(name, holder)
        self.e.at(target)
        match old:
            case List(held):
                self._check_owned(name, old, target)
                (index,) = items if len(items) == 1 else (None,)
                if not isinstance(index, Const) or not isinstance(index.value, int):
                    raise self.e.error(
                        f"an item of a list is assigned with a constant index; make '{name}' an array with np.array",
                        target,
                    )
                if not -len(held) <= index.value < len(held):
                    raise self.e.misfit(f"index {index.value} is out of range for {describe(old)}; give {-len(held)} to {len(held) - 1}")
                changed = list(held)
                changed[index.value] = value
                self.env[self.frame.prefix + name] = List(tuple(changed), old.storage)
            case Array() | Const(np.ndarray()):
                if isinstance(old, Array):
                    self._check_owned(name, old, target)
                node = node_of(old)
                assert node is not None
                storage = old.storage if isinstance(old, Array) else frozenset({Storage()})
                changed_array = set_item(self.e, materialise(self.e, node), items, value)
                changed_array.ssa.name_hint = changed_array.ssa.name_hint or name
                self.env[self.frame.prefix + name] = Array(changed_array, storage)
            case Tuple():
                raise self.e.error(f"'{name}' is a tuple, whose items cannot be assigned; make it a list or array", target)
            case _:
                raise self.e.error(f"'{name}' is {describe(old)}; its elements cannot be assigned", target)

    def _check_owned(self, name: str, value: Array | List, node: ast.AST) -> None:
        """Elements may be assigned only if nobody else sees them change."""
        storages = value.storage
        if ARGUMENT in storages:
            raise self.e.error(
                f"'{name}' is an argument, a global, or part of one, and this would change it for others; write"
                f" {name} = {name}.copy() before",
                node,
            )
        own = self.frame.prefix + name
        for key, other in self.env.items():
            if key != own and not storages.isdisjoint(storages_of(other)):
                raise self.e.error(
                    f"'{name}' and '{key.rsplit('.', 1)[-1]}' share memory, so a change of one changes the other; write .copy() "
                    "where one is made from the other",
                    node,
                )

    def _function(self, node: ast.FunctionDef) -> Flow:
        if node.decorator_list:
            raise self.e.error("a function inside a function cannot have decorators", node)
        self.bind(node.name, self._closure(node))
        return FALL

    def _closure(self, node: ast.FunctionDef | ast.Lambda) -> Closure:
        parameters = node.args
        positional = [*parameters.posonlyargs, *parameters.args]
        defaults = {
            parameter.arg: self.expression(default)
            for parameter, default in zip(positional[len(positional) - len(parameters.defaults) :], parameters.defaults, strict=True)
        }
        for parameter, default in zip(parameters.kwonlyargs, parameters.kw_defaults, strict=True):
            if default is not None:
                defaults[parameter.arg] = self.expression(default)
        return Closure(node, self.frame, defaults)

    # Branches

    def _if_statement(self, node: ast.If, rest: Sequence[ast.stmt], last: ast.stmt) -> Flow:
        test = self.truth(self.expression(node.test), node.test)
        if isinstance(test, bool):
            chosen = node.body if test else node.orelse
            return self.sequence(self.block(chosen), lambda: self.block(rest), last)

        def branch(statements: Sequence[ast.stmt], *, then_rest: bool = False) -> Thunk:
            if then_rest:
                return lambda: self.sequence(self.block(statements), lambda: self.block(rest), last)
            return lambda: self.block(statements)

        body_leaves, else_leaves = always_leaves(node.body), always_leaves(node.orelse)
        if rest and body_leaves != else_leaves:
            # The statements below belong to the other branch.
            return self.conditional(test, branch(node.body, then_rest=else_leaves), branch(node.orelse, then_rest=body_leaves), last)
        flow = self.conditional(test, branch(node.body), branch(node.orelse), node)
        if not rest:
            return flow
        return self.sequence(flow, lambda: self.block(rest), last)

    METHODS: ClassVar[dict[type[ast.expr], Callable[[Any, Any], Value]]] = {**Loops.METHODS, ast.Lambda: _closure}
    _STATEMENTS: ClassVar[dict[type[ast.stmt], Callable[[Any, Any], Flow]]] = {
        ast.Return: _return,
        ast.Break: _break,
        ast.Continue: _continue,
        ast.Pass: _pass,
        ast.Raise: _raise,
        ast.Assert: _assert,
        ast.Expr: _expression_statement,
        ast.Assign: _assign,
        ast.AnnAssign: _annotated,
        ast.AugAssign: _augmented,
        ast.FunctionDef: _function,
        ast.While: Loops.while_loop,
        ast.For: Loops.for_loop,
    }


def always_leaves(statements: Sequence[ast.stmt]) -> bool:
    """True if a statement list never falls through to what follows it."""
    for statement in statements:
        if isinstance(statement, ast.Return | ast.Break | ast.Continue | ast.Raise):
            return True
        if isinstance(statement, ast.If) and always_leaves(statement.body) and always_leaves(statement.orelse):
            return True
    return False


_REMEDIES: dict[type[ast.stmt], str] = {
    ast.Try: "'try' is not in the subset, as nothing raises at run time; test the value before, for example with np.where",
    ast.With: "'with' is not in the subset; write its body without it",
    ast.Global: "'global' is not in the subset; pass the value in, and return the new one",
    ast.Nonlocal: "'nonlocal' is not in the subset; return the new value from the inner function",
    ast.Import: "'import' inside a function is not in the subset; import at the top of the module",
    ast.ImportFrom: "'import' inside a function is not in the subset; import at the top of the module",
    ast.ClassDef: "'class' inside a function is not in the subset; define named tuples at the top of the module",
    ast.Delete: "'del' is not in the subset; leave the name as it is",
    ast.Match: "'match' is not in the subset; write if and elif",
    ast.AsyncFor: "'async for' is not in the subset; write a plain for",
    ast.AsyncWith: "'async with' is not in the subset; write its body without it",
    ast.AsyncFunctionDef: "'async def' is not in the subset; write a plain def",
}
