"""
A fingerprint of a model: what its machine code depends on, as one short text, found without compiling anything.

Two models with the same fingerprint have the same `cog` module but for the places in the user's script. Functions
count by their bytecode, their constants, what they close over and the functions that they call.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from cogir.frontend.handles import Control, Instance, Node, Parameter, Port, Projection, State
from cogir.frontend.places import Place
from cogir.frontend.records import FunctionRecord, NodeRecord, ProjectionRecord, SignalRecord, StreamRecord
from cogir.frontend.shapes import closure_values
from cogir.frontend.values import type_of

if TYPE_CHECKING:
    from cogir.frontend.builder import Model


NUMBERS = {
    (FunctionRecord, "params"),
    (FunctionRecord, "states"),
    (NodeRecord, "initials"),
    (ProjectionRecord, "matrix"),
    (SignalRecord, "levels"),
    (SignalRecord, "initial"),
    (StreamRecord, "seed"),
    (StreamRecord, "words"),
}
"""The fields of records that hold numbers which code reads from the parameter banks."""


def fingerprint(model: Model, *, numbers: bool = True) -> str:
    """The fingerprint of a model with all that it holds; without `numbers`, those of `parameters.numbers_of` count by type only."""
    writer = _Writer(numbers)
    writer.add(sys.version_info[:2])
    writer.model(model)
    return writer.hash.hexdigest()


class _Writer:
    """Feeds everything to one hash, each part with its kind and its length, so that no two models read the same."""

    def __init__(self, numbers: bool) -> None:
        self.numbers = numbers
        self.hash = hashlib.sha256()
        self.known: dict[int, int] = {}
        self.keep: list[object] = []

    def text(self, kind: str, text: str | bytes) -> None:
        data = text if isinstance(text, bytes) else text.encode()
        self.hash.update(f"{kind}{len(data)}:".encode())
        self.hash.update(data)

    def met(self, thing: object) -> bool:
        """Whether the thing was written before; then its number stands for it."""
        if (number := self.known.get(id(thing))) is not None:
            self.text("again", str(number))
            return True
        self.known[id(thing)] = len(self.known)
        self.keep.append(thing)
        return False

    def model(self, model: Model) -> None:
        if self.met(model):
            return
        self.text("model", model.name)
        for node in model.nodes.values():
            if isinstance(node, Instance):
                self.text("instance", node.name)
                self.model(node.record.model)
            else:
                self.add(node.record)
        for part in (
            list(model.inputs()),
            list(model.outputs()),
            model.projections,
            model.modulations,
            {name: condition for name, (condition, _) in model.schedule.conditions.items()},
            {name: condition for name, (condition, _) in model.schedule.resets.items()},
            model.schedule.reset_states,
            model.schedule.reset_states,
            {name: condition for name, (condition, _) in model.schedule.ends.items()},
            [control.record for control in model.controls.values()],
        ):
            self.add(part)

    def add(self, value: Any) -> None:
        """Any part of a record."""
        match value:
            case None | bool() | int() | float() | complex() | str() | bytes():
                self.text(type(value).__name__, repr(value))
            case Place():
                return
            case np.ndarray():
                array = cast("np.ndarray[Any, Any]", value)
                self.text("array", f"{array.dtype.str}{array.shape}")
                self.text("data", np.ascontiguousarray(array).tobytes() if array.dtype != object else repr(array.tolist()))
            case np.generic():
                self.text("number", repr(cast(Any, value)))
            case Enum():
                self.text("enum", f"{type(value).__qualname__}.{value.name}")
            case list() | tuple():
                items = cast("list[Any]", value)
                self.text("list", str(len(items)))
                for item in items:
                    self.add(item)
            case set() | frozenset():
                self.text("set", repr(sorted(map(repr, cast("set[Any]", value)))))
            case FunctionType():
                self.function(value)
            case CodeType():
                self.code(value)
            case Node() | Instance() | Control() | Projection():
                self.text("part", value.name)
            case Port() | Parameter() | State():
                self.text(type(value).__name__, repr(value))
            case _ if _is_model(value):
                self.model(value)
            case Mapping():
                items = cast("Mapping[Any, Any]", value)
                self.text("map", str(len(items)))
                for key, item in items.items():
                    self.add(key)
                    self.add(item)
            case _ if is_dataclass(value) and not isinstance(value, type):
                self.text("record", type(value).__name__)
                for field in fields(value):
                    held = getattr(value, field.name)
                    if (type(value), field.name) in NUMBERS and not self.numbers:
                        self.add(_types(held))
                    elif not (isinstance(value, NodeRecord) and field.name == "returns"):
                        self.add(held)
            case ModuleType():
                self.text("module", value.__name__)
            case type() | BuiltinFunctionType() | np.ufunc():
                self.text("named", f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', value.__name__)}")
            case _:
                self.text("other", f"{type(value).__qualname__} {value!r}")

    def function(self, function: FunctionType) -> None:
        """A Python function: its code, its defaults, what it closes over, and the globals that it uses."""
        if self.met(function):
            return
        self.text("function", function.__name__)
        self.code(function.__code__)
        self.add(function.__defaults__)
        self.add(function.__kwdefaults__)
        self.add({name: str(hint) for name, hint in function.__annotations__.items()})
        self.add(getattr(function, "__cogir_outputs__", None))
        self.add(closure_values(function))
        for name in _names(function.__code__):
            if name not in function.__globals__:
                continue
            value = function.__globals__[name]
            self.text("global", name)
            self.add(value)
            if isinstance(value, ModuleType):
                self.attributes(value, function.__code__)

    def attributes(self, module: ModuleType, code: CodeType) -> None:
        """The functions of a module that a code may use: those whose names it mentions."""
        for name in _names(code):
            value = getattr(module, name, None)
            if isinstance(value, FunctionType) and not str(value.__module__).startswith("numpy"):
                self.function(value)
            elif isinstance(value, (int, float, str, np.ndarray)):
                self.text("attribute", name)
                self.add(value)

    def code(self, code: CodeType) -> None:
        """Bytecode and constants; not the line numbers."""
        self.text("code", code.co_code)
        self.add(code.co_names)
        self.add(code.co_varnames)
        self.add((code.co_argcount, code.co_kwonlyargcount, code.co_flags))
        self.add(code.co_consts)


def _types(held: Any) -> Any:
    """What the code depends on of numbers: shapes and dtypes."""
    if isinstance(held, dict):
        return {name: _types(value) for name, value in cast("dict[str, Any]", held).items()}
    return str(type_of(cast("np.ndarray[Any, Any]", held))) if isinstance(held, np.ndarray) else None


def _names(code: CodeType) -> list[str]:
    """The names that a code and the codes inside it use, in order."""
    found = list(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            found += _names(constant)
    return list(dict.fromkeys(found))


def _is_model(value: object) -> bool:
    from cogir.frontend.builder import Model

    return isinstance(value, Model)
