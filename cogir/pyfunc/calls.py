"""Attributes and calls, and how calls bind their arguments."""

from __future__ import annotations

import ast
import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from types import FunctionType, ModuleType
from typing import Any, ClassVar, cast

import numpy as np

from cogir.errors import FunctionError
from cogir.library.called_directly import compiled_from
from cogir.library.numerics.intrinsics import INTRINSICS
from cogir.library.random import methods
from cogir.pyfunc.draws import draw
from cogir.pyfunc.elementwise import as_python
from cogir.pyfunc.emitter import Emitter
from cogir.pyfunc.expressions import Expressions
from cogir.pyfunc.flow import Frame
from cogir.pyfunc.intrinsics import call_intrinsic
from cogir.pyfunc.joining import force_all
from cogir.pyfunc.meanings import builtins as python_builtins
from cogir.pyfunc.meanings import linear_algebra, sorting, special
from cogir.pyfunc.meanings import reductions as numpy_reductions
from cogir.pyfunc.meanings.arrays import attribute_of
from cogir.pyfunc.meanings.registry import METHODS, instead_of, meaning_of, module_of, name_in_scipy, title_of
from cogir.pyfunc.source import FunctionNode, did_you_mean, function_source, is_in_library, names_of
from cogir.pyfunc.values import (
    Array,
    Closure,
    Const,
    GeneratorRef,
    List,
    Method,
    Range,
    Scalar,
    Tuple,
    Unbound,
    Value,
    Zip,
    describe,
    of_numpy,
    of_others,
)
from cogir.pyfunc.variates import variate

VARIATES = (*methods.NAMES, "sample")
"""The methods of a generator that are made of draws."""

MEANINGS = (numpy_reductions, python_builtins, linear_algebra, sorting, special)
"""Modules that register meanings of callables, with those imported above."""


class CallExpressions(Expressions):
    """Compiles attributes and calls; `table` gives the functions that are called."""

    def _attribute(self, node: ast.Attribute) -> Value:
        value = self.expression(node.value)
        self.e.at(node)
        name = node.attr
        match value:
            case Const(ModuleType() as module):
                if not hasattr(module, name):
                    raise self.e.error(f"{module.__name__} has no '{name}'{did_you_mean(name, dir(module))}", node)
                return of_others(getattr(module, name))
            case Const(type() as cls) if issubclass(cls, Enum) and hasattr(cls, name):
                return Const(getattr(cls, name))
            case Const(Enum() as member) if name in ("name", "value"):
                return of_others(getattr(member, name))
            case Const(type() as cls) if cls is not type and cls.__module__ != "builtins" and hasattr(cls, name):
                return of_others(getattr(cls, name))
            case Tuple(items, cls) if name in fields_of(cls):
                return items[fields_of(cls).index(name)]
            case GeneratorRef():
                return Method(value, name)
            case Array() | Scalar() | Const(np.ndarray()) | Const(int()) | Const(float()):
                found = attribute_of(self.e, value, name)
                if found is not None:
                    return found
                if name in METHODS:
                    return Method(value, name)
                known = (*METHODS, "shape", "size", "ndim", "T", "dtype")
                raise self.e.error(
                    f"{describe(value)} has no attribute '{name}' in the subset{did_you_mean(name, known)};"
                    f" there are {', '.join(sorted(known))}",
                    node,
                )
            case List() if name in ("append", "extend", "insert", "pop", "remove", "sort"):
                raise self.e.error(
                    f"list.{name} changes the length of a list; lengths are fixed: write [*old, new], or fill an array made with np.zeros",
                    node,
                )
            case Const(str()):
                raise self.e.error(f"methods of strings (.{name}) are not in the subset; compare strings with == only", node)
            case Const(held) if held is not None and not callable(held) and hasattr(held, name):
                return of_others(getattr(held, name))
            case _:
                raise self.e.error(f"{describe(value)} has no attribute '{name}' in the subset", node)

    def _call(self, node: ast.Call) -> Value:
        callee = self.expression(node.func)
        arguments = list(self.items_of(node.args))
        named: dict[str, Value] = {}
        for keyword in node.keywords:
            if keyword.arg is None:
                raise self.e.error("**arguments are not in the subset; name each argument", node)
            named[keyword.arg] = self.expression(keyword.value)
        self.e.at(node)
        return self.call_value(callee, arguments, named, node)

    def call_value(self, callee: Value, arguments: Sequence[Value], named: Mapping[str, Value], node: ast.AST) -> Value:
        """Calls a function of any sort."""
        match callee:
            case Closure(function, frame, defaults, captured):
                before = [key for key in captured if key not in self.env]
                self.env |= {key: captured[key] for key in before}
                try:
                    return self.call_in_place(function, frame, None, arguments, named, defaults, node)
                finally:
                    for key in before:
                        self.env.pop(key, None)
            case Method(GeneratorRef() as generator, name):
                if name in VARIATES:
                    return variate(self, generator, name, arguments, named, node)
                return draw(self.e, self.env, generator, name, arguments, named)
            case Method(receiver, name):
                found = self._handled(METHODS[name], f".{name}", (receiver, *arguments), named, node)
                return found if name == "item" else of_numpy(found)
            case Const(function) if callable(function):
                return self._call_constant(function, arguments, named, node)
            case _:
                raise self.e.error(f"{describe(callee)} cannot be called; give a function: a def, a lambda or a functools.partial", node)

    def call_function(self, function: FunctionType, bound: Mapping[str, Value], node: ast.AST) -> Value:
        """Calls a function of the library for a draw."""
        try:
            return self.table.call(self, function, bound, node)
        except FunctionError as error:
            raise self._at_call(error, function, node) from None

    def bind_arguments(
        self, signature: inspect.Signature, title: str, arguments: Sequence[Value], named: Mapping[str, Value], node: ast.AST
    ) -> dict[str, Value]:
        """The arguments of a draw by name."""
        return self._bind(signature, title, arguments, named, node)

    def _call_constant(self, function: Callable[..., Any], arguments: Sequence[Value], named: Mapping[str, Value], node: ast.AST) -> Value:
        function = compiled_from(function)
        try:
            handler = meaning_of(function)
            intrinsic = INTRINSICS.get(function)
        except TypeError:
            handler = intrinsic = None
        if handler is not None:
            return returned_by(self.e, function, self._handled(handler, title_of(function), arguments, named, node))
        if intrinsic is not None:
            return call_intrinsic(self.e, intrinsic, arguments, named)
        if isinstance(function, functools.partial):
            held = cast("functools.partial[Any]", function)
            return self._call_constant(
                held.func,
                [*map(of_others, held.args), *arguments],
                {k: of_others(v) for k, v in held.keywords.items()} | dict(named),
                node,
            )
        if function is functools.partial:
            raise self.e.error("functools.partial is made in a compiled function; make it outside of the function, or write a lambda", node)
        if fields := fields_of(function):
            if not is_made_by_fields(function):
                raise self.e.error(
                    f"{function.__name__} defines __new__, which is not in the subset; use a plain NamedTuple, and a function that "
                    "makes it",
                    node,
                )
            bound = self._bind(inspect.signature(function), function.__name__, arguments, named, node)
            return Tuple(tuple(bound[name] for name in fields), function)
        title, parts = title_of(function), module_of(function).split(".")
        if parts[:2] == ["numpy", "random"] or (parts[0] == "random" and not isinstance(function, FunctionType)):
            written = ast.unparse(node.func) if isinstance(node, ast.Call) else title
            raise self.e.error(
                f"{written} draws from a generator that is not an argument; add a parameter 'random: Random' and use "
                "random.normal(shape), random.uniform(shape) or random.integer(n)",
                node,
            )
        if parts[0] == "numpy" or isinstance(function, np.ufunc) or name_in_scipy(function) is not None:
            raise self.e.error(f"{title} is not in the subset; {instead_of(function)}", node)
        if isinstance(function, FunctionType):
            try:
                return self._call_function(function, arguments, named, node)
            except FunctionError as error:
                raise self._at_call(error, function, node) from None
        raise self.e.error(f"{title} cannot be compiled; call NumPy, math, or a Python function whose source is in the subset", node)

    def _at_call(self, error: FunctionError, function: FunctionType, node: ast.AST) -> FunctionError:
        """An error inside a library function, as one of the line of the user's function that calls it."""
        if not is_in_library(error.file) or is_in_library(self.e.file.name):
            return error
        return self.e.error(f"in the call of {function.__name__}: {error}", node)

    def _call_function(self, function: FunctionType, arguments: Sequence[Value], named: Mapping[str, Value], node: ast.AST) -> Value:
        """Calls a function of Python: a separate function of the module, or one compiled in place where arguments need it."""
        if any(map(must_call_in_place, (*arguments, *named.values()))):
            return self._inline_function(function, arguments, named, node)
        bound = self._bind(inspect.signature(function), function.__name__, arguments, named, node)
        try:
            return self.table.call(self, function, bound, node)
        except NoResult:
            return self._inline_function(function, arguments, named, node)

    def _handled(
        self,
        handler: Callable[..., Value],
        title: str,
        arguments: Sequence[Value],
        named: Mapping[str, Value],
        node: ast.AST,
    ) -> Value:
        """Calls the compile-time meaning of a built-in."""
        signature = _signature_of_handler(handler)
        try:
            bound = signature.bind(self, *arguments, **named)
        except TypeError as error:
            accepted = [name for name in list(signature.parameters)[1:]]
            raise self.e.error(f"{title}: {error}; it takes ({', '.join(accepted)}) here", node) from None
        return handler(*bound.args, **bound.kwargs)

    def _bind(
        self,
        signature: inspect.Signature,
        title: str,
        arguments: Sequence[Value],
        named: Mapping[str, Value],
        node: ast.AST,
    ) -> dict[str, Value]:
        """The arguments by name, with defaults."""
        for parameter in signature.parameters.values():
            if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
                raise self.e.error(f"{title} takes *{parameter.name}; name each parameter of a compiled function", node)
        try:
            bound = signature.bind(*arguments, **named)
        except TypeError as error:
            raise self.e.error(f"call of {title}: {error}{called_as(self.e, node, arguments, named)}", node) from None
        found: dict[str, Value] = {}
        for name, parameter in signature.parameters.items():
            found[name] = bound.arguments[name] if name in bound.arguments else of_others(parameter.default)
        return found

    def _inline_function(self, function: FunctionType, arguments: Sequence[Value], named: Mapping[str, Value], node: ast.AST) -> Value:
        """A call that hands over a function (or another thing that is no value at run time): compiled in place."""
        file, tree = function_source(function)
        frame = Frame("", tree, names_of(tree), file, function.__name__, function, None)
        defaults = {
            name: of_others(parameter.default)
            for name, parameter in inspect.signature(function).parameters.items()
            if parameter.default is not parameter.empty
        }
        return self.call_in_place(tree, frame, function, arguments, named, defaults, node)

    def call_in_place(
        self,
        function: FunctionNode,
        frame: Frame,
        global_function: FunctionType | None,
        arguments: Sequence[Value],
        named: Mapping[str, Value],
        defaults: Mapping[str, Value],
        node: ast.AST,
    ) -> Value:
        """Compiles the body of a lambda, a nested def, or `global_function`, where it is called."""
        title = function.name if isinstance(function, ast.FunctionDef) else "<lambda>"
        active: Frame | None = self.frame
        depth = 0
        while active is not None:
            if active.node is function:
                raise self.e.error(f"'{title}' calls itself; recursion is not in the subset: write a loop", node)
            active = active.caller if isinstance(active, InPlace) else None
            depth += 1
        bound = bind_by_tree(self.e, function, title, arguments, named, defaults, node)
        self._frames += 1
        inner = InPlace(
            f"{title}{self._frames}.",
            function,
            names_of(function),
            frame.file,
            title,
            global_function,
            None if global_function is not None else frame,
            caller=self.frame,
        )
        outer, place, location = self.frame, self.e.node, self.e.location
        self.frame = inner
        self.e.enter(inner.file, title)
        try:
            for name, value in bound.items():
                self.bind(name, value)
            if isinstance(function, ast.Lambda):
                result = self.expression(function.body)
            else:
                result = self.returned(self.block(function.body), function)
            result = self._with_captured(result, inner)
            force_all(self.e, [result])
        finally:
            for key in [key for key in self.env if key.startswith(inner.prefix)]:
                del self.env[key]
            self.frame = outer
            self.e.enter(outer.file, outer.title)
            if place is not None:
                self.e.at(place)
            self.e.location = location
        return result

    def _with_captured(self, value: Value, inner: InPlace) -> Value:
        """A value that a function returns; a function in it keeps the variables of those around it."""
        match value:
            case Closure(node, frame, defaults, captured):
                around = _frames_around(frame)
                if inner not in around:
                    return value
                names = {each.prefix + name for each in around if each.prefix for name in each.names.captured}
                kept = {key: held for key, held in self.env.items() if key in names}
                return Closure(node, frame, defaults, {**captured, **kept})
            case Tuple(items, cls):
                return Tuple(tuple(self._with_captured(item, inner) for item in items), cls)
            case List(items, storage):
                return List(tuple(self._with_captured(item, inner) for item in items), storage)
            case _:
                return value

    METHODS: ClassVar[dict[type[ast.expr], Callable[[Any, Any], Value]]] = {
        **Expressions.METHODS,
        ast.Attribute: _attribute,
        ast.Call: _call,
    }


@dataclass(eq=False)
class InPlace(Frame):
    """A function that is compiled where it is called."""

    caller: Frame | None = None


def _frames_around(frame: Frame | None) -> list[Frame]:
    """The frame in which a function is made, and those around it."""
    found: list[Frame] = []
    while frame is not None:
        found.append(frame)
        frame = frame.parent
    return found


class NoResult(Exception):
    """A function returns what is no value at run time, such as a function: it is compiled where it is called."""


def must_call_in_place(value: Value) -> bool:
    """True if a value cannot be an argument of a separate function."""
    match value:
        case Closure() | Method() | Range() | Zip() | Unbound():
            return True
        case Tuple(items) | List(items):
            return any(map(must_call_in_place, items))
        case _:
            return False


def fields_of(cls: Any) -> tuple[str, ...]:
    """The names of a named tuple's items; nothing for other classes and callables."""
    return cls._fields if isinstance(cls, type) and issubclass(cls, tuple) and hasattr(cls, "_fields") else ()  # pyright: ignore


def is_made_by_fields(cls: Any) -> bool:
    """True if a named tuple takes its items as they are given: its `__new__` is the one that Python wrote for it."""
    return cls.__new__.__globals__.get("__name__", "").startswith("namedtuple_")


@functools.lru_cache(maxsize=4096)
def _signature_of_handler(handler: Callable[..., Any]) -> inspect.Signature:
    return inspect.signature(handler)


def called_as(e: Emitter, node: ast.AST, arguments: Sequence[Value], named: Mapping[str, Value]) -> str:
    """The end of a message about a function of the user's that the library calls with other arguments than it takes."""
    if not is_in_library(e.file.name):
        return ""
    count = len(arguments) + len(named)
    return f"; it is called as {ast.unparse(node)}, with {count} argument{'s' * (count != 1)}: give a function that takes these"


def bind_by_tree(
    e: Emitter,
    function: FunctionNode,
    title: str,
    arguments: Sequence[Value],
    named: Mapping[str, Value],
    defaults: Mapping[str, Value],
    node: ast.AST,
) -> dict[str, Value]:
    """The arguments of a lambda or nested def by name."""
    parameters = function.args
    if parameters.vararg is not None or parameters.kwarg is not None:
        star = parameters.vararg or parameters.kwarg
        assert star is not None
        raise e.error(f"{title} takes *{star.arg}; name each parameter of a compiled function", node)
    positional = [parameter.arg for parameter in (*parameters.posonlyargs, *parameters.args)]
    every = [*positional, *(parameter.arg for parameter in parameters.kwonlyargs)]
    if len(arguments) > len(positional):
        called = called_as(e, node, arguments, named)
        raise e.error(f"{title} takes {len(positional)} arguments, not {len(arguments)}{called}", node)
    bound: dict[str, Value] = {**defaults, **dict(zip(positional, arguments, strict=False))}
    for name, value in named.items():
        if name not in every or name in positional[: len(arguments)]:
            raise e.error(f"{title} takes no further argument '{name}'", node)
        bound[name] = value
    missing = [name for name in every if name not in bound]
    if missing:
        raise e.error(f"{title} needs a value for {', '.join(missing)}{called_as(e, node, arguments, named)}", node)
    return {name: bound[name] for name in every}


OF_PYTHON = (np.size, np.ndim, np.shape)
"""Functions of NumPy that return ints of Python."""


def returned_by(e: Emitter, function: object, value: Value) -> Value:
    """A number as its function returns it: those of `math` one of Python, those of NumPy one of NumPy; those of Python know themselves."""
    match module_of(function):
        case "math":
            return as_python(e, value)
        case "builtins":
            return value
        case _:
            return value if function in OF_PYTHON else of_numpy(value)
