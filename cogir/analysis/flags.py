"""
The flags that a trial of a model can raise (`interpreters/flags.py`), found without running it.

    decision: execute until finished, at most 1000 times           decision/flag:unfinished
    control: searches by simulations of the model                  control/decision/count:unfinished
    other -> decision["noise"] (add), a parameter in [0, inf]      decision/flag:outside:noise

A node that can raise no flag has none, and its code is what it is without flags.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TypeAlias

from xdsl.dialects.builtin import f64

from cogir.dialects.cog import ModelOp, Modulation, NodeOp, ProjectOp, ranges_of
from cogir.dialects.cog.attributes import const_type
from cogir.interpreters.flags import AT_LIMIT, AT_LIMIT_STATE, OUTSIDE, UNFINISHED, flag_path, outside_kind, simulated_path
from cogir.limits import NEVER
from cogir.model.graph import Executable, ModelGraph, Modulator, effects_inside, resolve, simulated_model
from cogir.ranges import Between


def can_reach_limit(executable: Executable) -> bool:
    """True if an execution of this node can be cut off before it has finished."""
    op = executable.op
    return (
        isinstance(op, NodeOp) and op.execute_until_finished is not None and op.yield_op.finished is not None and op.max_executions < NEVER
    )


def counts_at_limit(executable: Executable) -> bool:
    """True if the node counts by itself which of its executions reach the limit."""
    op = executable.op
    return isinstance(op, NodeOp) and any(name == AT_LIMIT_STATE and const_type(state) == f64 for name, state in op.states)


Acting: TypeAlias = tuple[Modulation, bool]
"""The way in which a parameter is modulated, and True if it is by a signal, whose levels and value are checked where they are set."""

Effects: TypeAlias = Mapping[str, Sequence[Acting]]
"""The modulations of parameters of a model from outside of it, by "node/param"."""


def acting_inside(graph: ModelGraph, instance: Executable, outside: Effects) -> Effects:
    """The modulations of parameters of the model of an instance: from the model in which it is placed, then from further outside."""
    return effects_inside(instance, lambda modulators: [_acting(graph, each) for each in modulators], outside)


def _acting(graph: ModelGraph, modulator: Modulator) -> Acting:
    source = modulator.source
    controllers = (each for each in graph.model.controllers if each.sym_name.data == source.node)
    return modulator.mode, any(signal.sym_name.data == source.name for each in controllers for signal in each.signals)


def modulated_ranges(graph: ModelGraph, executable: Executable, outside: Effects) -> Iterator[tuple[str, str, Between]]:
    """
    The parameters with a range out of which modulations can lead, of a node and of the projections that it receives: the owner, the
    parameter, and the range.
    """
    owners = [(executable.name, executable.op, executable.modulations)]
    owners += [(each.name, each.op, each.modulations) for each in executable.projections]
    for name, op, modulations in owners:
        if isinstance(op, NodeOp | ProjectOp):
            for param, held in ranges_of(op.param_ranges).items():
                acting = [_acting(graph, modulator) for modulator in modulations.get(param, ())]
                acting += outside.get(f"{name}/{param}", ())
                if acting and not stays_inside(acting, held):
                    yield name, param, held


def stays_inside(acting: Sequence[Acting], held: Between) -> bool:
    """
    True if modulations cannot lead out of a range: a signal, whose levels are checked where they are set (unlike the numbers of
    `cog.estimates`), overrides the parameter, or signals, whose levels are then not negative, multiply one that can be any number that
    is not negative (0 times infinity is overlooked).
    """
    overriding = [is_signal for mode, is_signal in acting if mode == Modulation.OVERRIDE]
    if overriding:
        return overriding[-1]
    return held == Between(0.0) and all(is_signal and mode == Modulation.MULTIPLY for mode, is_signal in acting)


def flags_of_node(graph: ModelGraph, executable: Executable, kinds: Collection[str], outside: Effects) -> Iterator[str]:
    """The flags that executions of one node can raise, by path."""
    if can_reach_limit(executable):
        yield from (flag_path(executable.name, kind) for kind in (UNFINISHED, AT_LIMIT) if kind in kinds)
    elif AT_LIMIT in kinds and counts_at_limit(executable):
        yield flag_path(executable.name, AT_LIMIT)
    if OUTSIDE in kinds:
        yield from (flag_path(owner, outside_kind(param)) for owner, param, _ in modulated_ranges(graph, executable, outside))


def flags_of_search(graph: ModelGraph, kinds: Collection[str], outside: Effects) -> Iterator[tuple[str, str, str]]:
    """The flags of the searches of a model: the controller, the path in the model that it simulates, and the path in this one."""
    for controller in graph.model.controllers:
        model = simulated_model(controller)
        if model is not None:
            name = controller.sym_name.data
            simulated, effects = _simulated(graph, model, outside)
            yield from ((name, path, simulated_path(name, path)) for path in flags_of_simulation(simulated, kinds, effects))


def _simulated(graph: ModelGraph, model: ModelOp, outside: Effects) -> tuple[ModelGraph, Effects]:
    """The model that a controller simulates, and what modulates it from outside: this one, the one of an instance, or one beside it."""
    if model is graph.model:
        return graph, outside
    instances = [each for each in graph if each.inner is not None and each.inner.model is model]
    if len(instances) == 1 and instances[0].inner is not None:
        return instances[0].inner, acting_inside(graph, instances[0], outside)
    return resolve(model), {}


def flags_of_simulation(graph: ModelGraph, kinds: Collection[str], outside: Effects) -> list[str]:
    """The flags that a simulated trial of a model can raise, by path; its own controllers do not search in it."""
    found: list[str] = []
    for executable in graph:
        found += flags_of_node(graph, executable, kinds, outside)
        if executable.inner is not None:
            inside = flags_of(executable.inner, kinds, acting_inside(graph, executable, outside))
            found += (f"{executable.name}/{path}" for path in inside)
    return found


def flags_of(graph: ModelGraph, kinds: Collection[str], outside: Effects = {}) -> list[str]:
    """
    The flags of these kinds that a trial of a model can raise, by path: of its nodes, of its instances, of its searches. `outside`: what
    modulates its parameters from outside of it.
    """
    return [*flags_of_simulation(graph, kinds, outside), *(path for _, _, path in flags_of_search(graph, kinds, outside))]
