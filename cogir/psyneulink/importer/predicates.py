"""
The Python function of a condition as a function of the values that it reads.

    While(lambda node, limit: node.value[0][0] < limit, decision, 3.0)   ->   def predicate(node_0): limit = 3.0; return node_0[0] < limit

PsyNeuLink calls the function with Mechanisms and numbers, and the function asks the Mechanisms for their values. The compiled one is given
these values instead. A function that takes `context` may ask for them in that execution context:

    While(lambda node, context: node.parameters.value.get(context)[0][0] < 3.0, decision)
"""

from __future__ import annotations

import ast
import inspect
import itertools
import linecache
import textwrap
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from types import CellType, CodeType, FunctionType
from typing import Any, cast

import numpy as np

from cogir.psyneulink.importer.side_effects import impurity
from cogir.pyfunc.source import function_source

GIVEN = ("scheduler", "execution_id", "context")
"""Arguments that PsyNeuLink's scheduler gives to functions that take them."""
OF_CONTEXT = ("context", "execution_id")
"""Those of them by which a function may ask for values in the execution context of the run."""
_numbers = itertools.count()


class NotCompiled(Exception):
    """The part of a function that is not compiled, and the remedy."""


@dataclass
class Read:
    """A value that a function reads: an item of the value of a component, or all of it if that has one item."""

    component: Any
    item: int
    name: str
    """The name of the argument that takes its place, a vector."""
    in_context: bool = True
    """True if it is read in the execution context of the run, and never in the one in which the component was executed last."""

    @property
    def start(self) -> Any:
        """A value of its shape."""
        value = self.component.defaults.value
        return np.zeros(np.shape(value[self.item] if hasattr(self.component, "output_ports") else value))


@dataclass
class ConditionFunction:
    """A compiled function, and what its arguments are."""

    function: Callable[..., Any]
    reads: list[Read]


@dataclass
class ReadsOfValues(ast.NodeTransformer):
    """Puts arguments in the place of values of components; `components`: those that names of the function stand for."""

    components: dict[str, Any]
    contexts: Sequence[str] = ()
    """The names of arguments that stand for the execution context."""
    reads: dict[tuple[int, int], Read] = field(default_factory=dict[tuple[int, int], Read])

    def read(self, component: Any, item: int, in_context: bool) -> ast.expr:
        """The argument for a value."""
        name = f"value_{len(self.reads)}"
        read = self.reads.setdefault((id(component), item), Read(component, item, name))
        read.in_context = read.in_context and in_context
        return ast.Name(read.name, ast.Load())

    def is_context(self, node: ast.expr) -> bool:
        """True if an expression is the execution context of the run."""
        match node:
            case ast.Name(name) | ast.Attribute(ast.Name(name), "execution_id"):
                return name in self.contexts
            case _:
                return False

    def valued(self, node: ast.expr) -> tuple[Any, bool]:
        """The component whose value an expression is, or None, and whether it is asked for in the execution context."""
        match node:
            case ast.Attribute(owner, "value"):
                return self.component(owner), False
            case ast.Call(ast.Attribute(ast.Attribute(ast.Attribute(owner, "parameters"), "value"), "get"), [asked], []) if self.is_context(
                asked
            ):
                return self.component(owner), True
            case _:
                return None, False

    def component(self, node: ast.expr) -> Any:
        """The component that an expression stands for: a name, or a name's OutputPort; None if it stands for something else."""
        match node:
            case ast.Name(name):
                return self.components.get(name)
            case ast.Attribute(owner, "output_port"):
                found = self.component(owner)
                return None if found is None else found.output_port
            case ast.Subscript(ast.Attribute(owner, "output_ports"), ast.Constant(index)):
                found = self.component(owner)
                return None if found is None else found.output_ports[index]
            case _:
                return None

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """node.value[i]  ->  value_i, and node.get_output_values(context)[i]  ->  that of the OutputPort"""
        match node:
            case ast.Subscript(ast.Call(ast.Attribute(owner, "get_output_values"), [asked], []), ast.Constant(int(index)), ast.Load()):
                component = self.component(owner)
                if component is not None and self.is_context(asked):
                    return self.read(component.output_ports[index], 0, True)
            case ast.Subscript(value, ast.Constant(int(index)), ast.Load()):
                component, in_context = self.valued(value)
                if component is not None and hasattr(component, "output_ports"):
                    return self.read(component, range(len(component.defaults.value))[index], in_context)
            case _:
                pass
        return self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """`whole`, of node.value"""
        return self.whole(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """`whole`, of node.parameters.value.get(context)"""
        return self.whole(node)

    def whole(self, node: ast.expr) -> ast.AST:
        """port.value  ->  value_0, and of a Mechanism whose value is one vector  ->  value_0.reshape((1, n))"""
        component, in_context = self.valued(node)
        if component is None:
            return self.generic_visit(node)
        if not hasattr(component, "output_ports"):
            return self.read(component, 0, in_context)
        items = component.defaults.value
        if len(items) != 1:
            raise NotCompiled(f"reads the value of {component.name!r}, which has {len(items)} items", "read an item of it, as in value[0]")
        shape = ast.Tuple([ast.Constant(1), ast.Constant(int(np.size(items[0])))], ast.Load())
        return ast.Call(ast.Attribute(self.read(component, 0, in_context), "reshape", ast.Load()), [shape], [])

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """A name of a component that is left is used for something else than its value."""
        if node.id in self.components:
            name = getattr(self.components[node.id], "name", "")
            raise NotCompiled(f"uses {name!r} otherwise than by its value", "read its value, or that of one of its output_ports")
        if node.id in self.contexts:
            raise NotCompiled(
                f"uses {node.id} otherwise than to read a value", "read values of Mechanisms, by parameters.value.get(context)"
            )
        return node


@dataclass
class OfOneElement(ast.NodeTransformer):
    """return x  ->  return x[0][0], as often as `axes` says."""

    axes: int

    def visit_Return(self, node: ast.Return) -> ast.AST:
        assert node.value is not None
        for _ in range(self.axes):
            node.value = ast.Subscript(node.value, ast.Constant(0), ast.Load())
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        return node


def predicate_of(condition: Any) -> tuple[ConditionFunction, bool]:
    """
    The function of `Condition`, `While` or `WhileNot`, and whether the condition holds where it returns False. Raises `NotCompiled`, with
    the feature and the remedy.
    """
    function, negated = condition.func, type(condition).__name__ == "WhileNot"
    if negated:
        function = dict(zip(function.__code__.co_freevars, function.__closure__, strict=True))["func"].cell_contents
    if not isinstance(function, FunctionType):
        raise NotCompiled(f"is {function!r:.60}", "give a function that is written in Python")
    tree = deepcopy(function_source(function)[1])
    bound = arguments(function, condition)
    components = {name: value for name, value in {**names_outside(function), **bound}.items() if is_component(value)}
    parameters = inspect.signature(function).parameters
    reading = ReadsOfValues(components, [name for name in OF_CONTEXT if name in parameters])
    body = [ast.Return(tree.body)] if isinstance(tree, ast.Lambda) else tree.body
    body = [cast("ast.stmt", reading.visit(statement)) for statement in body]
    constants = [assigned(name, value) for name, value in bound.items() if name not in components]
    reads = list(reading.reads.values())
    made = written(function, [*constants, *body], reads)
    if (why := impurity(made)) is not None:
        raise NotCompiled(f"does more than compute a value: {why}", "let it read the values of Mechanisms, and numbers")
    with np.errstate(all="ignore"):
        try:
            result = made(*(read.start for read in reads))
        except Exception as error:
            raise NotCompiled(f"fails on values of zero: {error}", "correct it") from error
    if np.size(result) != 1:
        raise NotCompiled(f"returns {np.size(result)} values", "return True or False")
    if np.ndim(result):
        made = written(function, [OfOneElement(np.ndim(result)).visit(one) for one in (*constants, *body)], reads)
    return ConditionFunction(made, reads), negated


def arguments(function: FunctionType, condition: Any) -> dict[str, Any]:
    """The arguments with which PsyNeuLink calls the function, by name."""
    parameters = inspect.signature(function).parameters
    if any(one.kind in (one.VAR_POSITIONAL, one.VAR_KEYWORD) for one in parameters.values()):
        raise NotCompiled("takes any number of arguments", "name its arguments")
    if "scheduler" in parameters:
        raise NotCompiled("takes the argument scheduler", "read values of Mechanisms")
    by_place = sum(one.default is one.empty for one in parameters.values())  # PsyNeuLink leaves out all further ones
    given = dict(zip(parameters, condition.args[:by_place], strict=False))
    given |= {name: one for name, one in condition.kwargs.items() if name in parameters}
    if twice := [name for name in GIVEN if name in given]:
        raise NotCompiled(f"gets a value for its argument {twice[0]}, to which the scheduler gives one", "let it be the last argument")
    names = [name for name in parameters if name not in GIVEN]
    given = {name: parameters[name].default for name in names if parameters[name].default is not inspect.Parameter.empty} | given
    missing = [name for name in names if name not in given]
    if missing:
        raise NotCompiled(f"gets no value for its argument {missing[0]}", "give it behind the function")
    return given


def names_outside(function: FunctionType) -> dict[str, Any]:
    """The values of the names that a function takes from outside."""
    code = function.__code__
    cells = dict(zip(code.co_freevars, function.__closure__ or (), strict=True))
    found = {name: cell.cell_contents for name, cell in cells.items() if cell != CellType()}
    return {name: function.__globals__[name] for name in code.co_names if name in function.__globals__} | found


def is_component(value: Any) -> bool:
    """True for a component of PsyNeuLink that has a value."""
    return hasattr(cast("type[Any]", type(value)), "componentType") and not isinstance(value, type)


def assigned(name: str, value: Any) -> ast.stmt:
    """`name = value`, for a number."""
    number = cast("Any", value).item() if isinstance(value, np.generic) else value
    if not isinstance(number, bool | int | float | str):
        raise NotCompiled(f"gets {value!r:.40} for its argument {name}", "give it Mechanisms, OutputPorts and numbers")
    return ast.Assign([ast.Name(name, ast.Store())], ast.Constant(number), lineno=0)


def written(function: FunctionType, body: list[ast.stmt], reads: list[Read]) -> Callable[..., Any]:
    """A function with this body, of the values that it reads, and with the other names that the original one takes from outside."""
    around = list(function.__code__.co_freevars)
    lines = textwrap.indent("\n".join(ast.unparse(statement) for statement in body), " " * 8)
    inner = f"    def predicate({', '.join(read.name for read in reads)}):\n{lines}\n"
    text = f"def given({', '.join(around)}):\n{inner}    return predicate\n"
    filename = f"<psyneulink condition {next(_numbers)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    code = next(one for one in compile(text, filename, "exec").co_consts if isinstance(one, CodeType))
    code = next(one for one in code.co_consts if isinstance(one, CodeType))
    cells = dict(zip(around, function.__closure__ or (), strict=True))
    return FunctionType(code, function.__globals__, "predicate", None, tuple(cells[name] for name in code.co_freevars))
