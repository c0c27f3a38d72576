"""Python's built-in functions."""

from __future__ import annotations

import builtins
import math
from collections.abc import Sequence
from dataclasses import replace
from functools import reduce as fold_left
from typing import Any, cast

import numpy as np

from cogir.pyfunc.arrays import array_of, concatenate, flip
from cogir.pyfunc.bounds import is_never_negative
from cogir.pyfunc.elementwise import (
    as_python,
    call,
    common_kind,
    convert,
    node_of,
)
from cogir.pyfunc.kinds import Kind
from cogir.pyfunc.meanings.arrays import item_of, parts_of
from cogir.pyfunc.meanings.reductions import all_of, any_of, max_of, min_of, sum_of
from cogir.pyfunc.meanings.registry import BUILTINS, FALSE, NONE, REFUSED, CallSite, Handler, known, means
from cogir.pyfunc.scalars import is_float
from cogir.pyfunc.values import (
    Array,
    Const,
    Generated,
    List,
    LiveName,
    Range,
    Reversed,
    Scalar,
    Tuple,
    Value,
    Zip,
    as_operand,
    describe,
    is_numeric,
    is_static,
    kind_of,
    of_numpy,
    shape_of_value,
    static,
    wrap,
)
from cogir.pyfunc.whole_numbers import better, first_best


def _number_maker(function: Any, kind: Kind, title: str) -> Handler:
    def handler(c: CallSite, x: Value = Const(0)) -> Value:
        if isinstance(x, Tuple | List) and kind == "i1":
            return Const(bool(x.items))
        if shape_of_value(x):
            x = item_of(c, x)
        if isinstance(x, Const) and isinstance(x.value, str) and kind == "f64" and x.value.strip("+-").lower() in ("inf", "nan"):
            return Const(float(x.value))
        if isinstance(x, Const) and isinstance(x.value, str):
            raise c.e.error(f"{title} of a string is not in the subset; write the number")
        if not is_numeric(x):
            raise c.e.error(f"{title} takes a number, not {describe(x)}")
        if kind == "i64" and isinstance(x, Const) and isinstance(x.value, float) and not math.isfinite(x.value):
            raise c.e.error(f"int({x.value}) has no value")
        made = as_python(c.e, convert(c.e, x, kind))
        if not isinstance(made, Const):
            return made if function in (float, int, bool) else of_numpy(made)
        try:
            return wrap(function(made.value))
        except OverflowError as error:
            raise c.e.error(f"{title}({made.value}): {error}") from None

    return handler


for _functions, _kind, _title in (
    ((float, np.float64), "f64", "float"),
    ((int, np.int64), "i64", "int"),
    ((bool, np.bool_), "i1", "bool"),
):
    for _function in _functions:
        BUILTINS[_function] = _number_maker(_function, _kind, _title)  # pyright: ignore[reportArgumentType]


@means(np.float32)
def _float32(c: CallSite, x: Value) -> Value:
    return convert(c.e, x, "f32")


@means(builtins.divmod)
def _divmod(c: CallSite, x: Value, y: Value) -> Value:
    return Tuple((call(c.e, "floor_divide", x, y), call(c.e, "remainder", x, y)))


@means(builtins.len)
def _len(c: CallSite, obj: Value) -> Value:
    match obj:
        case Tuple(items) | List(items):
            return Const(len(items))
        case Range() if is_static(obj):
            return Const(len(static(obj)))
        case _ if shape_of_value(obj):
            return Const(shape_of_value(obj)[0])
        case _:
            raise c.e.error(f"{describe(obj)} has no length")


@means(builtins.range)
def _range(c: CallSite, start: Value, stop: Value | None = None, step: Value = Const(1)) -> Value:
    first, last = (Const(0), start) if stop is None else (start, stop)
    parts: list[Value] = []
    for part in (first, last, step):
        whole = as_python(c.e, part)
        if shape_of_value(part) or kind_of(whole) != "i64":
            raise c.e.error(f"range takes ints, not {describe(part)}; write int(...) around it")
        parts.append(whole)
    return Range(*parts)


@means(builtins.enumerate)
def _enumerate(c: CallSite, iterable: Value, start: Value = Const(0)) -> Value:
    _not_lazy(c, "enumerate", iterable)
    return Zip((Range(start, NONE, Const(1)), iterable))


def _not_lazy(c: CallSite, title: str, *iterables: Value) -> None:
    """Raises an error for a generator expression, whose items Python computes one by one, between others."""
    if any(isinstance(iterable, Generated) for iterable in iterables):
        raise c.e.error(f"{title} of a generator expression is not in the subset; make it a list: [... for ...]")


def _consumed(value: Value) -> Value:
    """A reversed array as the array that it gives."""
    match value:
        case Reversed(Array() | Const(np.ndarray()) as sequence):
            node = node_of(sequence)
            assert node is not None
            return Array(flip(node, [0]))
        case _:
            return value


@means(builtins.zip)
def _zip(c: CallSite, *iterables: Value, strict: Value = FALSE) -> Value:
    if not iterables:
        raise c.e.error("zip needs at least one iterable")
    _not_lazy(c, "zip", *iterables)
    return Zip(iterables)


@means(builtins.reversed)
def _reversed(c: CallSite, sequence: Value) -> Value:
    match sequence:
        case Tuple() | List() | LiveName():
            return Reversed(sequence)
        case Range() if is_static(sequence):
            return Reversed(sequence)
        case _ if shape_of_value(sequence):
            return Reversed(sequence)
        case _:
            raise c.e.error(f"reversed takes a tuple, a list, a constant range or an array, not {describe(sequence)}")


@means(builtins.tuple)
def _tuple(c: CallSite, iterable: Value = Tuple(())) -> Value:
    return Tuple(tuple(parts_of(c, iterable)))


@means(builtins.list)
def _list(c: CallSite, iterable: Value = Tuple(())) -> Value:
    return List(tuple(parts_of(c, iterable)))


@means(builtins.sum)
def _python_sum(c: CallSite, iterable: Value, start: Value = Const(0)) -> Value:
    iterable = _consumed(iterable)
    if shape_of_value(iterable) and len(shape_of_value(iterable)) == 1:
        kind = common_kind(c.e, (start, iterable))
        if kind == kind_of(iterable) and is_static(start) and static(start) == 0:
            return sum_of(c, iterable)
        # From the start on, as Python adds.
        first = array_of(c.e, List((convert(c.e, start, kind),)))
        return sum_of(c, concatenate(c.e, (first, convert(c.e, iterable, kind)), 0))
    return fold_left(lambda total, item: call(c.e, "add", total, item), parts_of(c, iterable), start)


def _python_extreme(name: str, comparison: str, of_array: Handler) -> Handler:
    def handler(c: CallSite, *values: Value) -> Value:
        items: Sequence[Value] = values
        if len(values) == 1:
            values = (_consumed(values[0]),)
            if shape := shape_of_value(values[0]):
                if len(shape) > 1:
                    raise c.e.error(f"{name} compares numbers, but the items of this array are arrays; use np.{name}")
                return first_best(c.e, values[0], comparison) if is_float(kind_of(values[0]) or "f64") else of_array(c, values[0])
            items = parts_of(c, values[0])
        if not items or any(shape_of_value(item) for item in items):
            raise c.e.error(f"{name} compares numbers; use np.{name}imum for arrays")

        def of_two(best: Value, item: Value) -> Value:
            is_known = is_static(best) and is_static(item)
            if not is_known and (kind_of(best) == "f32") != (kind_of(item) == "f32"):
                raise c.e.error(
                    f"{name} of {describe(best)} and {describe(item)} is of the one type or the other, as the numbers are, in Python; "
                    f"write np.{name}imum, or bring both to one type with float(...) or np.float32(...)"
                )
            exact = better(c.e, comparison, best, item)
            return call(c.e, f"python_{name}", best, item) if exact is None else exact

        return fold_left(of_two, items)

    return handler


_max_of_values = _python_extreme("max", "greater", max_of)


@means(builtins.max)
def _python_max(c: CallSite, *values: Value) -> Value:
    """`max(...)`; of integers, one that is never negative bounds it from below."""
    greatest = _max_of_values(c, *values)
    if isinstance(greatest, Scalar) and greatest.kind == "i64" and any(map(is_never_negative, values)):
        return replace(greatest, low=max(0, greatest.low or 0))
    return greatest


BUILTINS[builtins.min] = _python_extreme("min", "less", min_of)


def _python_quantifier(is_all: bool, of_array: Handler) -> Handler:
    def handler(c: CallSite, iterable: Value) -> Value:
        if shape_of_value(iterable):
            return of_array(c, iterable)
        if isinstance(iterable, Generated) and iterable.draws:
            raise c.e.error(
                f"{'all' if is_all else 'any'} stops a generator expression, and so its draws, at the first item that decides; "
                "draw into a list before: [... for ...]"
            )
        result: Value = Const(is_all)
        for item in parts_of(c, iterable):
            node = c.e.node
            assert node is not None
            test = c.truth(item, node)
            if isinstance(test, bool):
                if test != is_all:
                    return Const(test)
                continue
            item_truth = Scalar(test, "i1")
            known = isinstance(result, Const)
            result = item_truth if known else call(c.e, "logical_and" if is_all else "logical_or", result, item_truth)
        return result

    return handler


BUILTINS[builtins.all] = _python_quantifier(True, all_of)
BUILTINS[builtins.any] = _python_quantifier(False, any_of)


@means(builtins.isinstance)
def _isinstance(c: CallSite, obj: Value, classes: Value) -> Value:
    held = known(c, classes, "the class")
    options: tuple[Any, ...] = cast("tuple[Any, ...]", held) if isinstance(held, tuple) else (held,)
    if isinstance(obj, Const) and not isinstance(obj.value, np.ndarray):
        return Const(isinstance(as_operand(obj), options))
    if isinstance(obj, Tuple):
        return Const(obj.cls in options or tuple in options)
    if isinstance(obj, List):
        return Const(list in options)
    if isinstance(obj, Array | Const):
        return Const(np.ndarray in options)
    if isinstance(obj, Scalar):
        return Const({"i1": bool, "i64": int, "f64": float, "f32": np.float32}[obj.kind] in options)
    raise c.e.error(f"isinstance of {describe(obj)} is not known")


@means(builtins.print)
def _print(c: CallSite, *values: Value) -> Value:
    raise c.e.error("print is not in the subset; return the value as an output and look at the results")


REFUSED.add(_print)
