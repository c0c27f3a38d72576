"""Statements of the subset, from syntax trees to what they do to the names and where they go."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from cogir.errors import FunctionError
from cogir.pyfunc.assignments import Assignments
from cogir.pyfunc.control import Thunk
from cogir.pyfunc.flow import BREAK, CONTINUE, FALL, FALLS, RETURNS, Flow
from cogir.pyfunc.loops import Loops
from cogir.pyfunc.source import FunctionNode, did_you_mean, is_in_library
from cogir.pyfunc.values import (
    Closure,
    Const,
    OtherWidth,
    Value,
    held,
    is_static,
    static,
)


class Statements(Assignments):
    """Compiles statement lists."""

    def block(self, statements: Sequence[ast.stmt]) -> Flow:
        for position, statement in enumerate(statements):
            rest = statements[position + 1 :]
            self.e.at(statement)
            method = self._STATEMENTS.get(type(statement))
            if method is None and not isinstance(statement, ast.If):
                remedy = _REMEDIES.get(type(statement), f"{type(statement).__name__} is not in the subset")
                raise self.e.error(remedy, statement)
            try:
                if isinstance(statement, ast.If):
                    return self._if_statement(statement, rest, statements[-1])
                assert method is not None
                flow: Flow = method(self, statement)
            except (OverflowError, MemoryError) as error:
                raise self.e.too_large(error, statement) from None
            except OtherWidth as error:
                raise self.e.error(str(error), statement) from None
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

    def _expression_statement(self, node: ast.Expr) -> Flow:
        if not isinstance(node.value, ast.Constant):
            self.expression(node.value)
        return FALL

    def _function(self, node: ast.FunctionDef) -> Flow:
        if node.decorator_list:
            raise self.e.error("a function inside a function cannot have decorators", node)
        self.bind(node.name, self._closure(node))
        return FALL

    def _closure(self, node: ast.FunctionDef | ast.Lambda) -> Closure:
        parameters = node.args
        positional = [*parameters.posonlyargs, *parameters.args]
        defaults = {
            parameter.arg: held(self.expression(default))
            for parameter, default in zip(positional[len(positional) - len(parameters.defaults) :], parameters.defaults, strict=True)
        }
        for parameter, default in zip(parameters.kwonlyargs, parameters.kw_defaults, strict=True):
            if default is not None:
                defaults[parameter.arg] = held(self.expression(default))
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

    METHODS: ClassVar[dict[type[ast.expr], Callable[[Any, Any], Value]]] = {**Assignments.METHODS, ast.Lambda: _closure}
    _STATEMENTS: ClassVar[dict[type[ast.stmt], Callable[[Any, Any], Flow]]] = {
        ast.Return: _return,
        ast.Break: _break,
        ast.Continue: _continue,
        ast.Pass: _pass,
        ast.Raise: _raise,
        ast.Assert: _assert,
        ast.Expr: _expression_statement,
        ast.Assign: Assignments._assign,
        ast.AnnAssign: Assignments._annotated,
        ast.AugAssign: Assignments._augmented,
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
