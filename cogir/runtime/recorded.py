"""
A model prepared to be run: the signals of its controllers become outputs that are recorded beside the results.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp

from cogir.analysis.static_schedule import order_dependent
from cogir.dialects import cog
from cogir.dialects.cog.verify.model import bound_signals
from cogir.model.describe import end_in_words
from cogir.model.graph import ModelGraph, main_model, resolve
from cogir.model.read_schedule import schedule_of
from cogir.ranges import Between


@dataclass(frozen=True)
class RecordedModel:
    """The module, how many outputs belong to a trial's result, and when each controller searches."""

    module: ModuleOp
    shown: int
    controllers: dict[str, str]
    order: list[list[str]]
    """Pairs (node, other): whether the node runs can depend on which of the two is considered first."""
    ends: dict[str, str]
    """The conditions that end the trials of the model and of each instance inside, as text, by the path of the instance."""
    ranges: dict[str, Between]
    """The ranges of parameters, start values of states, levels, and signals, by path."""


HINDERING = (cog.BeforeNCallsOp, cog.AtNCallsOp, cog.NotOp, cog.NWhenOp)
"""Only with one of these can a node's run make a condition fail."""


def recorded(module: ModuleOp) -> RecordedModel:
    """Adds a `cog.output` for each signal of each controller of the main model; `module` is changed."""
    model = main_model(module, None)
    shown = len(model.outputs)
    controllers = {op.sym_name.data: str(op.when.data) for op in model.controllers}
    for controller in model.controllers:
        for signal in controller.signals:
            model.body.block.add_op(cog.OutputOp(controller.sym_name.data, signal.sym_name.data))
    graph = resolve(model)
    order = _order(graph, "") if any(isinstance(op, HINDERING) for op in module.walk()) else []
    return RecordedModel(module, shown, controllers, order, dict(_ends(graph, "")), _ranges_by_path(graph))


def _ranges_by_path(graph: ModelGraph) -> dict[str, Between]:
    """The ranges of a model; of a signal that acts on several parameters, the range that all of them have in common."""
    found: dict[str, Between] = {}
    for path, held in _ranges(graph, ""):
        found[path] = held & found.get(path, Between())
    return found


def _ranges(graph: ModelGraph, prefix: str) -> Iterator[tuple[str, Between]]:
    """The ranges in a model and in the models placed in it, with the paths of what they are for."""
    for executable in graph:
        if isinstance(executable.op, cog.NodeOp):
            yield from _ranges_in(executable.op, f"{prefix}{executable.name}")
        if executable.inner is not None:
            yield from _ranges(executable.inner, f"{prefix}{executable.name}/")
    for projection in graph.projections:
        yield from _ranges_in(projection.op, f"{prefix}{projection.name}")
    for op in graph.model.body.block.ops:
        if isinstance(op, cog.LearnOp):
            yield from _ranges_in(op, f"{prefix}{op.sym_name.data}")
    for bound in bound_signals(graph.model):
        path, name = f"{prefix}{bound.controller.sym_name.data}", bound.signal.sym_name.data
        yield from ((f"{path}/{kind}:{name}", bound.levels) for kind in ("levels", "initial:signal", "signal"))


def _ranges_in(op: cog.NodeOp | cog.ProjectOp | cog.LearnOp, path: str) -> Iterator[tuple[str, Between]]:
    """The ranges that stand in the head of an operation."""
    yield from ((f"{path}/param:{name}", held) for name, held in cog.ranges_of(op.param_ranges).items())
    if not isinstance(op, cog.LearnOp):
        yield from ((f"{path}/initial:state:{name}", held) for name, held in cog.ranges_of(op.state_ranges).items())


def _ends(graph: ModelGraph, prefix: str) -> Iterator[tuple[str, str]]:
    yield prefix, end_in_words(schedule_of(graph))
    for executable in graph:
        if executable.inner is not None:
            yield from _ends(executable.inner, f"{prefix}{executable.name}/")


def _order(graph: ModelGraph, prefix: str) -> list[list[str]]:
    """The pairs of a model and of the models placed in it, with the paths of the nodes."""
    found = [[prefix + name for name in pair] for pair in order_dependent(schedule_of(graph))]
    for executable in graph:
        if executable.inner is not None:
            found += _order(executable.inner, f"{prefix}{executable.name}/")
    return found
