"""
Gives every slot of a model its place in the buffers.

The state buffers begin with what has an initial value (ports, states, flags `finished`, node by node), the parameter
buffers with these initial values in the same order: `@init` is then one copy per buffer. Clocks and counters follow; only
those that a condition reads are kept. The records of controllers, which are written and never read, come last: a copy
of the state may end before them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from math import prod

from xdsl.dialects.builtin import IntegerAttr, SymbolRefAttr, TensorType, f64, i1, i64
from xdsl.ir import Attribute

from cogir.analysis.flags import flags_of, flags_of_node, flags_of_search
from cogir.analysis.layout import Buffer, Layout
from cogir.dialects.cog import Const, GridSearchOp, Keeps, LearnOp, NodeOp, ProjectOp, Ties, const_type, const_value, find_in_module
from cogir.dialects.rng import StateType, StreamOp
from cogir.errors import LoweringError, ModelError
from cogir.lowering.machine.plan import TIMES_LOGGED, InstancePlan
from cogir.lowering.machine.record import record_shape
from cogir.model.graph import Port, Projection
from cogir.model.traces import traces_of

MAX_PASSES = 10_000_000
"""After how many passes a trial is given up, unless the run says otherwise."""


def assign(
    root: InstancePlan,
    *,
    save_values: bool = False,
    log_room: int = 0,
    recorded: Collection[str] = (),
    record_room: int = 0,
    flags: Collection[str] = (),
    learning: LearnOp | None = None,
) -> Layout:
    """
    The layout of a model with all models inside it. With `save_values` the state holds the values of all points of a
    controller's last search, as `control/values`; `log_room` is the number of rows in the log of a node, `record_room` that of words in
    the record of one of the controllers `recorded` (paths), where there is room for one search at least; `flags` are the kinds of flags
    that are kept; with `learning` there are the parameters and states of an optimizer, too.
    """
    layout = Layout(seed=root.model.seed_value)
    plans = list(root.walk())
    starting = [pair for plan in plans for pair in _starting_values(plan)]
    if learning is not None:
        owner = learning.sym_name.data
        starting += [(root.paths.slot(owner, "state", name), value) for name, value in learning.states]
    for path, value in starting:
        owner, _, name = path.rpartition("/")
        layout.add_parameter(f"{owner}/initial:{name}", const_type(value), const_value(value))
    for path, value in starting:
        layout.add_state(path, const_type(value))
    for plan in plans:
        _parameters(layout, plan)
        _counters(layout, plan)
        _controllers(layout, plan, save_values)
        _logs(layout, plan, log_room)
        for path in _raised(plan, flags):
            layout.add_state(path, i64)
        _generators(layout, plan)
        if plan.program is None:
            layout.nodes.append(plan.limit_name)
        layout.nodes.extend(plan.fails.values())
        layout.nodes.extend(plan.checked.values())
    for plan in plans:
        for controller in plan.model.controllers:
            for simulated in plan.simulated(controller)[0].inside():
                _counters(layout, simulated)
    if learning is not None:
        for name, value in learning.params:
            layout.add_parameter(root.paths.slot(learning.sym_name.data, "param", name), const_type(value), const_value(value))
    if not root.static:
        layout.add_parameter("limit:passes", i64, MAX_PASSES)
    if root.can_fail:
        layout.add_state("status", i64)
    for port, path in zip(root.graph.inputs, external_paths("in", root.graph.inputs), strict=True):
        layout.inputs.append(layout.add(path, "in", root.graph.input_type(port)).path)
    for port, path in zip(root.graph.outputs, external_paths("out", root.graph.outputs), strict=True):
        layout.outputs.append(layout.add(path, "out", root.graph.output_type(port)).path)
    if learning is None:
        layout.traces.extend(traces_of(root.graph))
    for path in flags_of(root.graph, flags):
        layout.flags.append(layout.add(f"out:{path}", "out", i64).path)
    for plan in plans:
        _records(layout, plan, record_room, recorded)
    return layout


def external_paths(buffer: Buffer, ports: Sequence[Port]) -> list[str]:
    """The paths of inputs or outputs of a trial: `in:node/port`; a port that occurs again gets a number."""
    paths: list[str] = []
    for port in ports:
        path = f"{buffer}:{port.node}/{port.name}"
        same = sum(other == path or other.startswith(f"{path}#") for other in paths)
        paths.append(f"{path}#{same}" if same else path)
    return paths


def _starting_values(plan: InstancePlan) -> Iterator[tuple[str, Const]]:
    """Every slot that starts from a value, with that value; the slots of one node side by side."""
    paths = plan.paths
    for executable in plan.graph:
        if isinstance(executable.op, NodeOp):
            yield from ((paths.slot(executable.name, "port", name), value) for name, value in executable.op.outputs)
            yield from ((paths.slot(executable.name, "state", name), value) for name, value in executable.op.states)
            if executable.name in plan.watched:
                yield paths.finished(executable.name), IntegerAttr(0, i1)
    for projection in plan.graph.projections:
        yield from ((paths.slot(projection.name, "state", name), value) for name, value in projection.op.states)
    for controller in plan.model.controllers:
        name = controller.sym_name.data
        yield from ((paths.slot(name, "signal", port), start) for port, start in controller.starts.items())
        if controller.estimated is not None:
            yield paths.slot(name, "seeds", "first"), controller.estimated.first
        yield from (
            (paths.slot(name, "duration", signal.sym_name.data), signal.sum_from)
            for signal in controller.signals
            if signal.sum_from is not None
        )


def _parameters(layout: Layout, plan: InstancePlan) -> None:
    """Parameters of nodes and projections, matrices, limits. The matrices through which a node receives follow its parameters."""
    paths = plan.paths

    def declare(owner: str, op: NodeOp | ProjectOp) -> None:
        for name, default in op.params:
            layout.add_parameter(paths.slot(owner, "param", name), const_type(default), const_value(default))

    def declare_matrix(projection: Projection) -> None:
        path = paths.matrix(projection.name)
        if projection.op.matrix is not None and path not in layout:
            matrix_type: Attribute = projection.op.matrix.type
            layout.add_parameter(path, matrix_type, const_value(projection.op.matrix))

    for executable in plan.graph:
        if isinstance(executable.op, NodeOp):
            declare(executable.name, executable.op)
            for projection in executable.projections:
                declare_matrix(projection)
            if executable.op.execute_until_finished is not None:
                layout.add_parameter(paths.slot(executable.name, "limit", "executions"), i64, executable.op.max_executions)
    for projection in plan.graph.projections:
        declare(projection.name, projection.op)
        declare_matrix(projection)
    for controller in plan.model.controllers:
        for signal in controller.signals:
            path = paths.slot(controller.sym_name.data, "levels", signal.sym_name.data)
            levels_type: Attribute = signal.levels.type
            layout.add_parameter(path, levels_type, const_value(signal.levels))


def _controllers(layout: Layout, plan: InstancePlan, save_values: bool) -> None:
    """Adds the states of controllers beside their signals: sums of costs, and what they have found if that is wanted."""
    for controller in plan.model.controllers:
        name = controller.sym_name.data
        for signal in controller.signals:
            if signal.sums and signal.sum_from is None:
                layout.add_state(plan.paths.slot(name, "duration", signal.sym_name.data), f64)
        if controller.keeps is not None:
            simulated, _ = plan.simulated(controller)
            found: dict[str, Attribute] = {"value": f64, "outcome": f64, "point": i64, "searches": i64}
            found |= {f"before:{name}": f64 for name in controller.starts}
            found |= {f"input:{index}": simulated.graph.input_type(port) for index, port in enumerate(simulated.graph.inputs)}
            for what, held in found.items():
                layout.add_state(plan.paths.slot(name, "found", what), held)
        if save_values or (controller.keeps is not None and controller.keeps.data == Keeps.VALUES):
            points = prod(len(signal.level_values) for signal in controller.signals)
            layout.add_state(plan.paths.values(name), TensorType(f64, (points,)))


def _counters(layout: Layout, plan: InstancePlan) -> None:
    """The counters of a model, unless they have a place already; simulations may have others where something is logged."""
    for path in plan.counters:
        if path not in layout:
            layout.add_state(path, i1 if path.endswith("/just_ran") else i64)


def _logs(layout: Layout, plan: InstancePlan, room: int) -> None:
    """The rows of the logs of nodes; their counts are among the counters."""
    for node, ports in plan.logged.items():
        for path in ports:
            if layout[path].buffer != "sf":
                raise LoweringError(f"log: {path} has type {layout[path].type}; only values of type f64 or f32 can be logged")
        layout.add_state(plan.paths.log_rows(node), TensorType(f64, (room, len(TIMES_LOGGED) + sum(layout[path].size for path in ports))))


def _records(layout: Layout, plan: InstancePlan, room: int, recorded: Collection[str]) -> None:
    """The records of what controllers simulate."""
    for controller in plan.model.controllers:
        name = controller.sym_name.data
        if f"{plan.prefix}{name}" in recorded:
            shape = record_shape(plan, controller)
            searches = max(1, room // prod(shape))
            layout.add_state(plan.paths.record_rows(name), TensorType(f64, (searches, *shape)))
            layout.add_state(plan.paths.record_count(name), i64)


def _raised(plan: InstancePlan, kinds: Collection[str]) -> Iterator[str]:
    """The flags of the nodes of one model, and of the searches of its controllers."""
    for executable in plan.graph:
        yield from (f"{plan.prefix}{path}" for path in flags_of_node(plan.graph, executable, kinds, plan.effects))
    yield from (f"{plan.prefix}{path}" for _, _, path in flags_of_search(plan.graph, kinds, plan.effects))


def _generators(layout: Layout, plan: InstancePlan) -> None:
    for executable in plan.graph:
        if isinstance(executable.op, NodeOp):
            for name, state_type, stream in executable.op.random:
                layout.add_generator(plan.paths.slot(executable.name, "random", name), state_type, stream.string_value())
    for controller in plan.model.controllers:
        if controller.tie_stream is not None and controller.ties.data == Ties.RANDOM:
            stream = controller.tie_stream
            kind = stream_kind(controller, stream)
            layout.add_generator(plan.paths.slot(controller.sym_name.data, "random", "ties"), kind, stream.string_value())


def stream_kind(controller: GridSearchOp, stream: SymbolRefAttr) -> StateType:
    """The type of the state that a stream of the module begins with."""
    op = find_in_module(controller, stream)
    if not isinstance(op, StreamOp):
        raise ModelError(f"cog.grid_search @{controller.sym_name.data}: the module has no rng.stream @{stream.string_value()}")
    return StateType(op.kind)
