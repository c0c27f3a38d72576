"""
The part of a model before a decision, which gives its input at points of the parameters.

A formula needs to know the input of each trial. Where the nodes that lead to a decision have no state and no random numbers, and execute
whenever they can, the input depends on nothing but parameters and inputs: it is computed by a model of these nodes alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from cogir.errors import InputError
from cogir.frontend.builder.model import Model
from cogir.frontend.builder.records import Address, ModelRecord, NodeRecord
from cogir.runtime.compiled import Compiled
from cogir.runtime.sweeps.axes import zipped
from cogir.study.free import VariedQuantities
from cogir.study.likelihoods import Values
from cogir.study.responses import Floats

VALUE = "value"
"""The output of the node that stands for the decision, and passes its input on."""


def senders_of(model: ModelRecord, node: str) -> list[str]:
    """The nodes from which paths of projections lead to a node, the nearest ones first."""
    found = [node]
    for name in found:
        found += [one.source.owner for one in model.projections if one.target.owner == name and one.source.owner not in found]
    return found[1:]


def why_unknown(model: ModelRecord, node: str) -> str | None:
    """Why the input of a node in a trial is not known from parameters and inputs alone; None if it is."""
    names = senders_of(model, node)
    kept = [node, *names]
    modulated = {each.target.owner: each.source.owner for each in model.modulations}
    for projection in model.projections:
        if projection.target.owner in kept and (projection.recurrent or projection.feedback or projection.source.owner == node):
            return f'the projection from "{projection.source.owner}" to "{projection.target.owner}" closes a cycle'
    for name in names:
        record = model.nodes[name]
        if not isinstance(record, NodeRecord):
            return f'"{name}" is a model inside of the model'
        bodies = [record.body, *(one.body for one in model.projections if one.target.owner in (name, node))]
        for body in filter(None, bodies):
            for what, held in (("random numbers", body.streams), ("a state", body.states)):
                if held:
                    return f'"{name}" has {what}'
            if body.python is not None:
                return f'"{name}" calls Python: {body.python}'
        for what, held in (
            ("is modulated", modulated),
            ("has a condition", model.schedule.conditions),
            ("executes outside of the passes", model.schedule.asides),
            ("is a controller", model.controls),
        ):
            if name in held:
                return f'"{name}" {what}'
    return f'"{node}" executes outside of the passes' if node in model.schedule.asides else None


def part_before(model: ModelRecord, node: str) -> Model:
    """A model of the nodes that lead to a decision, and of one in its place that passes its input on."""
    decision = model.nodes[node]
    assert isinstance(decision, NodeRecord)
    names = {node, *senders_of(model, node)}
    kind = next(iter(decision.inputs.values()))
    relay = replace(
        decision,
        body=None,
        returns={VALUE: kind},
        outputs={VALUE: kind},
        initials={VALUE: np.zeros(kind.shape, kind.dtype)},
        finishes=False,
        until_finished=False,
        max_executions=None,
        labels={},
        units={},
    )
    inputs = [address for address in model.inputs() if address.owner in names]
    found = Model(f"{model.name}_before_{node}")
    found.description = ModelRecord(
        found.name,
        nodes={name: relay if name == node else record for name, record in model.nodes.items() if name in names},
        projections=[one for one in model.projections if one.target.owner in names and one.source.owner in names],
        explicit_inputs=inputs,
        explicit_outputs=[Address(node, VALUE)],
        has_inputs=bool(inputs),
        dtype=model.dtype,
    )
    return found


class Upstream:
    """The input of a decision at points, computed by the nodes that lead to it."""

    def __init__(self, model: ModelRecord, node: str, targets: VariedQuantities):
        self.model = model
        self.node = node
        self.targets = targets
        self.last: tuple[Any, Floats] | None = None
        """The values of the last call, and the inputs there: where nothing varies but what columns say, all calls have the same."""

    @cached_property
    def part(self) -> Compiled:
        """The compiled part."""
        return part_before(self.model, self.node).compile(unfinished="ignore", out_of_range="ignore").without_reactions()

    @cached_property
    def shared(self) -> list[str]:
        """The paths of the parameters that the part has from the whole."""
        return [path for path in self.part.params if "/initial:" not in path and self.targets.params.has_path(path)]

    @cached_property
    def inputs(self) -> dict[str, Floats]:
        """The inputs of a trial where nothing sets them."""
        whole = self.targets.inputs.slots
        return {path: self.targets.row[whole[path].words].reshape(1, *slot.shape) for path, slot in self.part.inputs.slots.items()}

    def __call__(self, values: Values) -> Floats:
        """The input of the decision, (points or 1, conditions or 1, elements). `values`: of all that varies."""
        varied = {name: array for name, (target, array) in values.items() if self.has(target.kind, name)}
        # What does not differ between points is computed once for all of them.
        if all((array == array[:1]).all() for array in varied.values()):
            varied = {name: array[:1] for name, array in varied.items()}
        now = {path: np.asarray(self.targets.params[path]) for path in self.shared}
        key = {name: (array.shape, array.tobytes()) for name, array in (varied | now).items()}
        if self.last is None or self.last[0] != key:
            self.part.params.update(now)
            self.last = key, self.computed(varied)
        return self.last[1]

    def has(self, kind: str, name: str) -> bool:
        """True for a quantity of the part."""
        return self.part.params.has_path(name) if kind == "parameter" else name in self.part.inputs.names

    def computed(self, varied: Mapping[str, Floats]) -> Floats:
        """The input at some values, (points, conditions, *shape)."""
        if not varied:
            return np.asarray(self.part.run(self.inputs or None, 1)[self.node, VALUE], np.float64).reshape(1, 1, -1)
        shape = next(iter(varied.values())).shape[:2]
        points = zipped({name: array.reshape(-1, *array.shape[2:]) for name, array in varied.items()})
        given = {path: rows for path, rows in self.inputs.items() if not _is_varied(path, varied)}
        found = self.part.sweep(points, given or None, 1, replicates=1, start="fresh", progress=False)
        return np.asarray(found[self.node, VALUE], np.float64).reshape(*shape, -1)


def _is_varied(path: str, varied: Mapping[str, Any]) -> bool:
    """True if values are given for an input, by its own name or by that of its node."""
    return any(path == name or path.startswith(f"{name}/") for name in varied)


def upstream_of(model: ModelRecord, node: str, targets: VariedQuantities) -> Upstream | None:
    """The nodes that compute a decision's input; None if it is an input of the model alone. Raises `InputError` if it cannot be known."""
    if not senders_of(model, node):
        return None
    if (why := why_unknown(model, node)) is not None:
        raise InputError(f'fit: node "{node}": an analytical likelihood needs its input in each trial, but {why}; use likelihood="kernel"')
    return Upstream(model, node, targets)
