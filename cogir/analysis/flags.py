"""
The flags that a trial of a model can raise (`interpreters/flags.py`), found without running it.

    decision: execute until finished, at most 1000 times           decision/flag:unfinished
    control: searches by simulations of the model                  control/decision/count:unfinished

What can raise no flag has none, and its code is what it is without flags.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from cogir.analysis.model_graph import Executable, ModelGraph, resolve
from cogir.dialects.cog import NodeOp
from cogir.interpreters.flags import AT_LIMIT, UNFINISHED, flag_path, simulated_path

NEVER = 10**12
"""A limit of this many repetitions cannot be reached: they would take hours."""


def can_reach_limit(executable: Executable) -> bool:
    """True if an execution of this node can be cut off before it has finished."""
    op = executable.op
    return (
        isinstance(op, NodeOp) and op.execute_until_finished is not None and op.yield_op.finished is not None and op.max_executions < NEVER
    )


def flags_of_node(executable: Executable, kinds: Collection[str]) -> Iterator[str]:
    """The flags that executions of one node can raise, by path."""
    if can_reach_limit(executable):
        yield from (flag_path(executable.name, kind) for kind in (UNFINISHED, AT_LIMIT) if kind in kinds)


def flags_of_search(graph: ModelGraph, kinds: Collection[str]) -> Iterator[tuple[str, str, str]]:
    """The flags of the searches of a model: the controller, the path in the model that it simulates, and the path in this one."""
    for controller in graph.model.controllers:
        model = controller.simulated_model
        if model is not None:
            name = controller.sym_name.data
            simulated = graph if model is graph.model else resolve(model)
            yield from ((name, path, simulated_path(name, path)) for path in flags_of_simulation(simulated, kinds))


def flags_of_simulation(graph: ModelGraph, kinds: Collection[str]) -> list[str]:
    """The flags that a simulated trial of a model can raise, by path; its own controllers do not search in it."""
    found: list[str] = []
    for executable in graph:
        found += flags_of_node(executable, kinds)
        if executable.inner is not None:
            found += (f"{executable.name}/{path}" for path in flags_of(executable.inner, kinds))
    return found


def flags_of(graph: ModelGraph, kinds: Collection[str]) -> list[str]:
    """The flags of these kinds that a trial of a model can raise, by path: of its nodes, of its instances, of its searches."""
    return [*flags_of_simulation(graph, kinds), *(path for _, _, path in flags_of_search(graph, kinds))]
