"""
The state of a model between time steps, as a tree of records: model / node / port or state or generator.

Every slot has a path, which is the same here and in compiled code: `decision/port:value`, `decision/state:x`,
`decision/random:noise`, `decision/finished`, `decision/calls:trial`, `clock:pass:trial`, `control/signal:gain`; the parts
of an instance stand below its name: `inner/decision/state:x`.

Values are those of `engine.py`: floats, integers, booleans, and arrays that nobody writes to. So a copy of a record may
share them, and a copy of the tree is what a simulation starts from.
"""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from cogir.errors import ModelError
from cogir.model.scheduler import SchedulerState

Value: TypeAlias = "float | int | bool | npt.NDArray[Any]"
Values: TypeAlias = dict[str, Value]
Place: TypeAlias = "tuple[Any, Any]"
"""A container and the key of a slot in it."""


@dataclass
class NodeState:
    """The state of a node. `random` holds the words of its generators."""

    ports: Values
    states: Values
    random: dict[str, Any]
    finished: bool

    def copy(self) -> NodeState:
        """A record of its own with the same values."""
        return NodeState(dict(self.ports), dict(self.states), dict(self.random), self.finished)


@dataclass
class ControllerState:
    """
    The state of a controller: its signals, the sums of their costs, its generator for ties, the first number of its estimates and of the
    next ones, and, if it keeps them, the number of its searches, the result of the last one, and the values of all points.
    """

    signals: dict[str, float]
    durations: dict[str, float]
    ties: Any = None
    found: Values = field(default_factory=dict[str, "Value"])
    values: npt.NDArray[Any] | None = None
    seeds: dict[str, int] = field(default_factory=dict[str, int])

    def copy(self) -> ControllerState:
        """A record of its own with the same values."""
        return ControllerState(dict(self.signals), dict(self.durations), self.ties, dict(self.found), self.values, dict(self.seeds))


@dataclass
class ModelState:
    """The state of a model."""

    nodes: dict[str, NodeState]
    projections: dict[str, Values]
    instances: dict[str, ModelState]
    controllers: dict[str, ControllerState]
    scheduler: SchedulerState

    def copy(self) -> ModelState:
        """A tree of its own with the same values."""
        return ModelState(
            {name: node.copy() for name, node in self.nodes.items()},
            {name: dict(values) for name, values in self.projections.items()},
            {name: inner.copy() for name, inner in self.instances.items()},
            {name: controller.copy() for name, controller in self.controllers.items()},
            self.scheduler.copy(),
        )

    def places(self, prefix: str = "") -> Iterator[tuple[str, Place]]:
        """Every slot: its path and where it is."""
        for name, node in self.nodes.items():
            yield from ((f"{prefix}{name}/port:{port}", (node.ports, port)) for port in node.ports)
            yield from ((f"{prefix}{name}/state:{state}", (node.states, state)) for state in node.states)
            yield from ((f"{prefix}{name}/random:{random}", (node.random, random)) for random in node.random)
            yield f"{prefix}{name}/finished", (vars(node), "finished")
        for name, values in self.projections.items():
            yield from ((f"{prefix}{name}/state:{state}", (values, state)) for state in values)
        for name, controller in self.controllers.items():
            yield from ((f"{prefix}{name}/signal:{signal}", (controller.signals, signal)) for signal in controller.signals)
            yield from ((f"{prefix}{name}/duration:{signal}", (controller.durations, signal)) for signal in controller.durations)
            yield from ((f"{prefix}{name}/found:{what}", (controller.found, what)) for what in controller.found)
            yield from ((f"{prefix}{name}/seeds:{what}", (controller.seeds, what)) for what in controller.seeds)
            if controller.values is not None:
                yield f"{prefix}{name}/values", (vars(controller), "values")
            if controller.ties is not None:
                yield f"{prefix}{name}/random:ties", (vars(controller), "ties")
        yield from ((f"{prefix}{path}", place) for path, place in self.scheduler.places())
        for name, inner in self.instances.items():
            yield from inner.places(f"{prefix}{name}/")


class Records(MutableMapping[str, Value]):
    """The slots of a state by path. Assigning to one changes the state; slots are neither added nor removed."""

    def __init__(self, state: ModelState):
        self._places = dict(state.places())

    def __getitem__(self, path: str) -> Value:
        container, key = self._find(path)
        return container[key]

    def __setitem__(self, path: str, value: Value) -> None:
        container, key = self._find(path)
        held: Value = container[key]
        if isinstance(held, np.ndarray):
            container[key] = np.broadcast_to(value, held.shape).astype(held.dtype)
        else:
            container[key] = type(held)(np.asarray(value).item())

    def __delitem__(self, path: str) -> None:
        raise ModelError(f"state: '{path}' cannot be removed; values of a model can only be set")

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def _find(self, path: str) -> Place:
        if path not in self._places:
            raise ModelError(f"state: there is no slot '{path}'; slots have names such as '{next(iter(self._places), 'node/port:name')}'")
        return self._places[path]
