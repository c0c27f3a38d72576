"""
A fingerprint of a model: what its machine code depends on, as one short text, found without compiling anything.

Two models with the same fingerprint have the same `cog` module but for the places in the user's script. Functions count by
their source and by all that they can reach, followed by content (see `reachable.py`). A model that reaches something whose
content cannot be told has no fingerprint.
"""

from __future__ import annotations

import hashlib
import sys
import warnings
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any, cast

import numpy as np

from cogir.frontend.builder.handles import Control, Instance, Node, Parameter, Port, Projection, State
from cogir.frontend.builder.records import (
    EstimatesRecord,
    FunctionRecord,
    InstanceRecord,
    ModelRecord,
    NodeRecord,
    ProjectionRecord,
    SignalRecord,
    StreamRecord,
)
from cogir.frontend.builder.source_location import SourceLocation
from cogir.frontend.builder.values import type_of
from cogir.pyfunc.reachable import Reach

NOT_IN_CODE = {(NodeRecord, "returns"), (NodeRecord, "labels"), (NodeRecord, "units"), (NodeRecord, "given_initials")}
"""The fields of records on which no code depends: what follows from others, and what only results say."""

NUMBERS = {
    (EstimatesRecord, "first"),
    (EstimatesRecord, "initial"),
    (FunctionRecord, "params"),
    (FunctionRecord, "states"),
    (NodeRecord, "initials"),
    (ProjectionRecord, "matrix"),
    (SignalRecord, "levels"),
    (SignalRecord, "initial"),
    (StreamRecord, "number"),
    (StreamRecord, "seed"),
    (StreamRecord, "words"),
}
"""The fields of records that hold numbers which code reads from the parameter buffers."""


def fingerprint(model: ModelRecord, *, numbers: bool = True, learning: bool = False) -> str | None:
    """
    The fingerprint of a model with all that it holds, or None if it has none; without `numbers`, those of
    `parameters.numbers_of` count by type only. How the model learns counts if `learning` says so.
    """
    writer = _Writer(numbers)
    writer.text("python", repr(sys.version_info[:2]))
    writer.model(model)
    if learning:
        writer.add(model.learns)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # some modules (torch) warn when a deprecated name of theirs is looked at
        writer.settle()
    return None if writer.unknown else hashlib.sha256(b"".join(writer.parts)).hexdigest()


class _Writer(Reach):
    """Writes down the parts of a model, and follows the functions in them."""

    def __init__(self, numbers: bool) -> None:
        super().__init__()
        self.numbers = numbers

    def model(self, model: ModelRecord) -> None:
        if self.met(model):
            return
        self.text("model", model.name)
        if self.numbers:
            self.text("seed", str(model.seed))
        for node in model.nodes.values():
            if isinstance(node, InstanceRecord):
                self.text("instance", node.name)
                self.model(node.model)
            else:
                self.add(node)
        for part in (
            list(model.inputs()),
            list(model.outputs()),
            list(model.shadows),
            model.projections,
            model.modulations,
            {name: condition for name, (condition, _) in model.schedule.conditions.items()},
            {name: condition for name, (condition, _) in model.schedule.resets.items()},
            model.schedule.reset_states,
            model.schedule.reset_keeps,
            model.schedule.reset_keeps_ports,
            {name: condition for name, (condition, _) in model.schedule.ends.items()},
            {name: when for name, (when, _) in model.schedule.asides.items()},
            {key: message for key, (message, _) in model.schedule.failures.items()},
            list(model.controls.values()),
        ):
            self.add(part)
        if model.traces:
            self.add(model.traces)

    def add(self, part: Any) -> None:
        """A part of a record; what is no such part is a value or a function of the user's."""
        match part:
            case SourceLocation():
                return
            case Enum():  # which may be a text, a number or a dataclass as well
                self.value(part)
            case str() | int() | float() | None:
                self.value(part)
            case list() | tuple():
                items = cast("list[Any]", part)
                self.text("list", str(len(items)))
                for item in items:
                    self.add(item)
            case Mapping():
                items = cast("Mapping[Any, Any]", part)
                self.text("map", str(len(items)))
                for key, item in items.items():
                    self.add(key)
                    self.add(item)
            case Node() | Instance() | Control() | Projection():
                self.text("part", part.name)
            case Port() | Parameter() | State():
                self.text(type(part).__name__, repr(part))
            case ModelRecord():
                self.model(part)
            case _ if is_dataclass(part) and not isinstance(part, type):
                self.text("record", type(part).__name__)
                for field in fields(part):
                    held = getattr(part, field.name)
                    if (type(part), field.name) in NUMBERS and not self.numbers:
                        self.add(_types(held))
                    elif (type(part), field.name) not in NOT_IN_CODE:
                        self.add(held)
            case _:
                self.value(part)


def _types(held: Any) -> Any:
    """The shapes and dtypes of numbers, on which the code depends."""
    if isinstance(held, dict):
        return {name: _types(value) for name, value in cast("dict[str, Any]", held).items()}
    return str(type_of(cast("np.ndarray[Any, Any]", held))) if isinstance(held, np.ndarray) else None
