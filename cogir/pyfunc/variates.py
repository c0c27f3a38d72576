"""
Draws from distributions, choices and permutations of a `Random` argument.

    random.gamma(2.0, 0.5, x.shape)   ->   call of `cogir.library.random.draws.gamma`, compiled once per shape and kind of generator
    random.sample("gamma", (3,), a)   ->   %v, %next = rng.sample "gamma" %state(%a) : !rng.state<mt19937>, (f64) -> tensor<3xf64>
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Mapping, Sequence
from math import prod
from types import FunctionType
from typing import Any, NoReturn, Protocol, cast

import numpy as np
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation, SSAValue

from cogir.dialects import rng
from cogir.dialects.rng import DRAW
from cogir.library.random import draws, methods
from cogir.limits import LARGEST_ARRAY
from cogir.pyfunc.draws import shape_argument
from cogir.pyfunc.elementwise import broadcast_node, convert, materialise, node_of, scalar_of
from cogir.pyfunc.emitter import Emitter
from cogir.pyfunc.kinds import ELEMENT_TYPES, KINDS, Kind, Shape, tensor_type
from cogir.pyfunc.source import is_in_library
from cogir.pyfunc.trees import Tensor
from cogir.pyfunc.values import (
    Array,
    Const,
    GeneratorRef,
    GeneratorState,
    List,
    Scalar,
    Tuple,
    Value,
    describe,
    is_static,
    kind_of,
    shape_of_value,
    static,
    wrap,
)
from cogir.ranges import Between

EACH: dict[tuple[int, Kind], Callable[..., Any]] = {
    (1, "f64"): draws.each_of_one,
    (2, "f64"): draws.each_of_two,
    (1, "i64"): draws.each_count_of_one,
    (2, "i64"): draws.each_count_of_two,
}
"""Loops over parameters that are arrays, by the number of parameters and the kind of the numbers."""


class Caller(Protocol):
    """The compiler of the function in which a draw stands."""

    e: Emitter
    env: dict[str, Value]

    def call_function(self, function: FunctionType, bound: Mapping[str, Value], node: ast.AST) -> Value: ...

    def bind_arguments(
        self, signature: inspect.Signature, title: str, arguments: Sequence[Value], named: Mapping[str, Value], node: ast.AST
    ) -> dict[str, Value]: ...


def variate(c: Caller, generator: GeneratorRef, name: str, arguments: Sequence[Value], named: Mapping[str, Value], node: ast.AST) -> Value:
    """`generator.name(...)` for the names of `methods.NAMES`, and `generator.sample`."""
    if name == "sample" and is_in_library(c.e.file.name):
        return _sample(c, generator, arguments, node)
    if name == "sample":
        known = ("normal", "uniform", "integer", "seed", *methods.NAMES)
        raise c.e.error(f"a generator draws with {', '.join(known)}, not 'sample'", node)
    if name == "shuffle":
        raise c.e.error("random.shuffle(x) is a statement, and x the name of an array; for a new array use random.permutation")
    draw = _Draw(c, generator, name, node)
    if name in methods.DISTRIBUTIONS:
        return draw.distribution(arguments, named)
    return {"categorical": draw.categorical, "choice": draw.choice, "permutation": draw.permutation}[name](arguments, named)


def _kind_of_generator(c: Caller, generator: GeneratorRef) -> str:
    state = c.env[generator.key]
    assert isinstance(state, GeneratorState)
    assert isinstance(state.ssa.type, rng.StateType)
    return state.ssa.type.kind.data


class _Draw:
    """One call of a method."""

    def __init__(self, c: Caller, generator: GeneratorRef, name: str, node: ast.AST):
        self.c, self.generator, self.name, self.node = c, generator, name, node
        self.kind = _kind_of_generator(c, generator)

    def refuse(self, message: str) -> NoReturn:
        raise self.c.e.error(f"random.{self.name}: {message}", self.node)

    def call(self, function: Callable[..., Any], *arguments: Value) -> Value:
        names = list(inspect.signature(function).parameters)
        bound = dict(zip(names, (*arguments, self.generator), strict=True))
        return self.c.call_function(cast(FunctionType, function), bound, self.node)

    def call_that_may_refuse(self, function: Callable[..., Any], *arguments: Value) -> Value:
        """A call that returns NaN, or -1 if it returns ints, for parameters out of range."""
        value = self.call(function, *arguments)
        state = self.c.env[self.generator.key]
        assert isinstance(state, GeneratorState)
        cast(Operation, state.ssa.owner).attributes[DRAW] = StringAttr(self.name)
        return value

    def bound(self, signature: inspect.Signature, arguments: Sequence[Value], named: Mapping[str, Value]) -> dict[str, Value]:
        return self.c.bind_arguments(signature, f"random.{self.name}", arguments, named, self.node)

    def number(self, key: str, value: Value, kind: Kind, range: Between) -> Value:
        """A parameter, in its range where it is known."""
        value = self.array(value)
        found = kind_of(value)
        if found is None or found not in (("i64",) if kind == "i64" else ("i64", "f64", "f32")):
            wanted = "a whole number (write int(n))" if kind == "i64" else "a number"
            self.refuse(f"{key} is {describe(value)}; give {wanted}, or an array of them")
        if isinstance(value, Const) and not range.holds(value.value):
            self.refuse(f"{key} is {describe(value)}; {range.demand(value.value)}")
        return convert(self.c.e, value, kind)

    def array(self, value: Value) -> Value:
        """Constant tuples and lists as arrays."""
        if isinstance(value, Tuple | List) and is_static(value):
            return wrap(np.array(static(value)))
        return value

    def size(self, value: Value) -> Shape | None:
        if isinstance(value, Const) and value.value is None:
            return None
        return () if isinstance(value, Tuple) and not value.items else shape_argument(self.c.e, value)

    def distribution(self, arguments: Sequence[Value], named: Mapping[str, Value]) -> Value:
        method = methods.DISTRIBUTIONS[self.name]
        given = self.bound(method.signature, arguments, named)
        parameters = [self.number(key, given[key], "i64" if key in method.whole else "f64", range) for key, range in method.ranges.items()]
        shapes = [shape_of_value(parameter) for parameter in parameters]
        size = self.size(given["size"])
        try:
            extents = methods.sample_shape(shapes, size)
        except ValueError:
            self.refuse(
                f"parameters of shapes {', '.join(map(str, shapes))} do not broadcast"
                f"{'' if size is None else f' to size {size}'}; give numbers, or arrays of the shape of the result"
            )
        if self.name == "truncated_normal" and all(isinstance(bound, Const) for bound in parameters[:2]):
            low, high = (cast(Const, bound).value for bound in parameters[:2])
            if np.any(np.asarray(low) >= np.asarray(high)):
                self.refuse("low is not below high; give an interval")
        return self.call_that_may_refuse(method.function_for(self.kind), *parameters, wrap(extents))

    def probabilities(self, p: Value) -> Value:
        p = self.array(p)
        if len(shape_of_value(p)) != 1 or kind_of(p) not in ("i64", "f64", "f32"):
            self.refuse(f"p is {describe(p)}; give a vector of probabilities")
        if isinstance(p, Const) and (reason := methods.not_probabilities(p.value)) is not None:
            self.refuse(reason)
        return convert(self.c.e, p, "f64")

    def categorical(self, arguments: Sequence[Value], named: Mapping[str, Value]) -> Value:
        given = self.bound(methods.CATEGORICAL, arguments, named)
        return self.index(self.probabilities(given["p"]), self.size(given["size"]) or ())

    def index(self, p: Value, size: Shape) -> Value:
        if (elements := prod(size) * shape_of_value(p)[0]) > LARGEST_ARRAY:
            self.refuse(f"{elements} comparisons are more than the {LARGEST_ARRAY} elements of the largest array; draw fewer at a time")
        return self.call_that_may_refuse(draws.categorical, p, wrap(size))

    def choice(self, arguments: Sequence[Value], named: Mapping[str, Value]) -> Value:
        given = self.bound(methods.CHOICE, arguments, named)
        a, replace, size = self.array(given["a"]), given["replace"], self.size(given["size"]) or ()
        shape = shape_of_value(a)
        if len(shape) > 1 or kind_of(a) is None or (not shape and kind_of(a) != "i64") or (not shape and _is_below_one(a)):
            self.refuse(f"a is {describe(a)}; give a vector, or a whole number above 0")
        if not isinstance(replace, Const) or not isinstance(replace.value, bool):
            self.refuse(f"replace is {describe(replace)}; it must be known when the function is compiled: write True or False")
        n = Const(shape[0]) if shape else a
        if not (isinstance(given["p"], Const) and given["p"].value is None):
            if not replace.value:
                self.refuse("p needs replace=True; without it draw one element, and set its p to 0")
            p = self.probabilities(given["p"])
            if isinstance(n, Const) and shape_of_value(p) != (n.value,):
                self.refuse(f"p has shape {shape_of_value(p)}; give {n.value} probabilities")
            found = self.index(p, size)
        elif replace.value:
            found = self.call(draws.indices, n, wrap(size))
        else:
            found = self.distinct(n, size)
        if not shape:
            return found
        chosen = self.c.call_function(draws.taken_at if len(size) > 1 else draws.taken, {"a": a, "found": found}, self.node)
        if isinstance(given["p"], Const) or kind_of(a) == "i1":
            return chosen  # constant probabilities were checked
        return self.c.call_function(
            draws.number_or_none if kind_of(a) == "i64" else draws.number_or_nan, {"value": chosen, "found": found}, self.node
        )

    def distinct(self, n: Value, size: Shape) -> Value:
        if not isinstance(n, Const):
            self.refuse("without replace, a must be a vector or known when the function is compiled; give a constant")
        count = prod(size)
        if count > n.value:
            self.refuse(f"{count} different elements of {n.value} cannot be drawn; give replace=True")
        function = draws.first_of_permuted if self.kind == "mt19937" else draws.distinct
        found = self.call(function, n, Const(count))
        return self.c.call_function(draws.reshaped, {"x": found, "size": wrap(size)}, self.node)

    def permutation(self, arguments: Sequence[Value], named: Mapping[str, Value]) -> Value:
        x = self.array(self.bound(methods.PERMUTATION, arguments, named)["x"])
        shape = shape_of_value(x)
        if kind_of(x) is None or (not shape and (not isinstance(x, Const) or kind_of(x) != "i64" or _is_below_one(x))):
            self.refuse(f"x is {describe(x)}; give an array, or a whole number above 0 that is known when the function is compiled")
        n = Const(shape[0]) if shape else x
        order = self.call(draws.permuted, n, Const(self.kind in methods.MASKED))
        return self.c.call_function(draws.taken, {"a": x, "found": order}, self.node) if shape else order


def _is_below_one(value: Value) -> bool:
    return isinstance(value, Const) and value.value < 1


def _sample(c: Caller, generator: GeneratorRef, arguments: Sequence[Value], node: ast.AST) -> Value:
    """`random.sample(name, size, ...)`: the operation, or a loop of it where parameters are arrays."""
    name, size, *parameters = arguments
    distribution = static(name)
    types, number = rng.DISTRIBUTIONS[distribution]
    kind = KINDS[number]
    extents: Shape = tuple(static(size))
    if any(map(shape_of_value, parameters)):
        function = EACH[len(parameters), kind]
        given: list[Value] = []
        for parameter in parameters:
            tree = node_of(parameter)
            assert tree is not None
            given.append(Array(materialise(c.e, broadcast_node(tree, extents))))
        names = list(inspect.signature(function).parameters)
        return c.call_function(cast(FunctionType, function), dict(zip(names, (name, *given, generator), strict=True)), node)
    operands: list[SSAValue] = []
    for parameter, type in zip(parameters, types, strict=True):
        tree = node_of(convert(c.e, parameter, KINDS[type]))
        assert tree is not None
        operands.append(scalar_of(c.e, tree))
    state = c.env[generator.key]
    assert isinstance(state, GeneratorState)
    op = rng.SampleOp(distribution, state.ssa, operands, tensor_type(extents, kind) if extents else ELEMENT_TYPES[kind])
    c.e.add(op)
    c.env[generator.key] = GeneratorState(op.next_state)
    return Array(Tensor(op.value, extents, kind)) if extents else Scalar(op.value, kind, weak=True)
