"""
The meaning of `cog`: what a model does in a time step, a trial and a run.

    run     trials, until there are enough of them or the run's termination condition holds
    trial   resets; the nodes that stand aside before it and the controllers that search before it; the sets of nodes that the
            scheduler gives (`scheduler.py`); the results are read; the nodes that stand aside after it and the controllers that
            search after it (`grid_search.py`)
    step    the nodes of one set execute, all on the values from before the step; then all their new values are put in place
    node    its inputs are combined from what is sent, its parameters are modulated, its body runs (once or until finished)

Bodies are run by the engine that runs every other dialect. See `cogir/model/graph.py` for what projections and modulations mean.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import ModuleOp, SymbolRefAttr

from cogir.dialects import cog, rng
from cogir.errors import ExecutionError, ModelError
from cogir.interpreters.cog_inputs import Inputs, input_rows
from cogir.interpreters.cog_state import ControllerState, ModelState, NodeState, Records, Value, Values
from cogir.interpreters.cog_values import Acting, Outside, as_type, joined, modulated, times_matrix
from cogir.interpreters.engine import Engine, Meanings
from cogir.interpreters.faults import BodyFailed, fault_text
from cogir.interpreters.flags import AT_LIMIT, AT_LIMIT_STATE, UNFINISHED, Tally, outside_kind
from cogir.interpreters.grid_search import Search, number, points_of, search
from cogir.interpreters.levels import ALL_MEANINGS
from cogir.library.random.generators import initial_words, model_words
from cogir.model.conditions import Kind
from cogir.model.graph import External, InputPort, ModelGraph, Modulator, Port, Projection, effects_inside, main_model, resolve
from cogir.model.read_schedule import schedule_of
from cogir.model.scheduler import Scheduler, SchedulerState
from cogir.model.traces import SCHEDULE

MEANINGS = Meanings(terminators=(cog.YieldOp,))


@dataclass(frozen=True)
class Trial:
    """The results of a trial, in the order of `cog.output`, and the searches of its controllers, by controller."""

    outputs: list[Value]
    searches: Mapping[str, Search] = field(default_factory=dict[str, Search])


class CogInterpreter:
    """
    Runs a model as it is written. The oracle for everything that is compiled.

        interpreter = CogInterpreter(module)
        results = interpreter.run({"stimulus": [[0.3], [0.5]]}, num_trials=10)
        interpreter.records["decision/state:x"]

    State and generators go on from run to run; `restart()` goes back to the beginning. `parameters` holds the numbers that
    may be changed between runs, by path: `decision/param:rate`, `decision/limit:executions`, `projection/matrix`, and what
    ports and states start from, `decision/initial:state:x` and `decision/initial:port:value` (which act at the next `restart`
    or reset).
    """

    def __init__(self, module: ModuleOp, model: str | None = None, *, max_passes: int = 10_000_000):
        """`model` names the model to run (default: the one that is no part of another)."""
        self.module = module
        engine = Engine(module, (*ALL_MEANINGS, MEANINGS))
        self.graph = resolve(main_model(module, model))
        self.parameters: Values = {}
        self.model = ModelInterpreter(self.graph, engine, self.parameters, max_passes=max_passes)
        self.parameters.update(self.model.default_parameters())
        self.trials: list[Trial] = []
        """The trials of the last run."""
        self.state = self.model.initial_state()

    def restart(self) -> None:
        """Back to where the model was before its first run."""
        self.state = self.model.initial_state()

    @property
    def records(self) -> Records:
        """The state of the model, by path."""
        return Records(self.state)

    def run(self, inputs: Inputs = (), num_trials: int | None = None) -> list[list[Value]]:
        """
        Runs trials; returns, per trial, the values of the model's outputs.

        `inputs` gives, per node (or "node/port"), a list of values, one per trial; they are used in turn. Without `num_trials`
        there is one trial for each. Raises `InputError` for inputs that do not fit.
        """
        rows = input_rows(self.graph, inputs)
        scheduler = self.model.scheduler(self.state)
        self.trials = []
        scheduler.begin_run()
        for trial in range(len(rows) if num_trials is None else num_trials):
            if scheduler.run_is_over():
                break
            self.trials.append(self.model.trial(self.state, rows[trial % len(rows)]))
        scheduler.end_run()
        return [trial.outputs for trial in self.trials]


class ModelInterpreter:
    """
    One model (or one instance of it), without its state, which is passed in. Parameters are shared by all levels; those of
    this model stand below `prefix`.
    """

    def __init__(
        self,
        graph: ModelGraph,
        engine: Engine,
        parameters: Values,
        prefix: str = "",
        *,
        max_passes: int = 10_000_000,
        tally: Tally | None = None,
        seed: int | None = None,
    ):
        """`tally`, `seed`: the flags of the trial, and the seed of the model that is run, if this model is part of another one."""
        self.graph = graph
        self.engine = engine
        self.parameters = parameters
        self.prefix = prefix
        self.max_passes = max_passes
        self.tally = tally or Tally()
        self.seed = graph.model.seed_value if seed is None else seed
        self.schedule = schedule_of(graph, engine)
        self.inners = {
            executable.name: ModelInterpreter(
                executable.inner,
                engine,
                parameters,
                f"{prefix}{executable.name}/",
                max_passes=max_passes,
                tally=self.tally,
                seed=self.seed,
            )
            for executable in graph
            if executable.inner is not None
        }
        self.controllers = {op.sym_name.data: op for op in graph.model.controllers}
        with_parameters = [(e.name, e.op) for e in graph if isinstance(e.op, cog.NodeOp)] + [(p.name, p.op) for p in graph.projections]
        self.types = {f"{owner}/{name}": cog.const_type(default) for owner, op in with_parameters for name, default in op.params}
        """The types of the parameters, by "owner/parameter"."""
        self.recorder = engine.recorder
        """Takes the traces, if the model has some."""
        self.ranges = {f"{owner}/{name}": held for owner, op in with_parameters for name, held in cog.ranges_of(op.param_ranges).items()}
        """The ranges of those that have one."""

    # -------------------------------------------------------------------------------------------- parameters and state

    def default_parameters(self) -> Values:
        """The parameters as the model gives them, by path."""
        found: Values = {}
        for executable in self.graph:
            path = f"{self.prefix}{executable.name}"
            if isinstance(executable.op, cog.NodeOp):
                found |= {f"{path}/param:{name}": cog.const_value(value) for name, value in executable.op.params}
                found |= {f"{path}/initial:state:{name}": cog.const_value(value) for name, value in executable.op.states}
                found |= {f"{path}/initial:port:{name}": cog.const_value(value) for name, value in executable.op.outputs}
                found[f"{path}/limit:executions"] = executable.op.max_executions
        for projection in self.graph.projections:
            path = f"{self.prefix}{projection.name}"
            found |= {f"{path}/param:{name}": cog.const_value(value) for name, value in projection.op.params}
            found |= {f"{path}/initial:state:{name}": cog.const_value(value) for name, value in projection.op.states}
            if projection.op.matrix is not None:
                found[f"{path}/matrix"] = cog.const_value(projection.op.matrix)
        for name, controller in self.controllers.items():
            found |= {f"{self.prefix}{name}/initial:signal:{port}": start.value.data for port, start in controller.starts.items()}
            if controller.estimated is not None:
                found[f"{self.prefix}{name}/initial:seeds:first"] = controller.estimated.first.value.data
        for inner in self.inners.values():
            found |= inner.default_parameters()
        return found if self.prefix else found | {"limit:passes": self.max_passes}

    def initial_state(self) -> ModelState:
        """The state before the first run."""
        return ModelState(
            nodes={
                executable.name: self.initial_node(executable.op, self.streams(executable.op))
                for executable in self.graph
                if isinstance(executable.op, cog.NodeOp)
            },
            projections={
                projection.name: self.initials(projection.name, "state", [name for name, _ in projection.op.states])
                for projection in self.graph.projections
                if projection.op.states
            },
            instances={name: inner.initial_state() for name, inner in self.inners.items()},
            controllers={name: self.initial_controller(op) for name, op in self.controllers.items()},
            scheduler=SchedulerState.at_birth(self.schedule),
        )

    def initial_node(self, op: cog.NodeOp, random: dict[str, Any]) -> NodeState:
        """A node before its first execution, with these generators. It is finished if its body does not say when it is."""
        name = op.sym_name.data
        return NodeState(
            ports=self.initials(name, "port", [port for port, _ in op.outputs]),
            states=self.initials(name, "state", [state for state, _ in op.states]),
            random=random,
            finished=op.yield_op.finished is None,
        )

    def initial_controller(self, op: cog.GridSearchOp) -> ControllerState:
        """A controller before its first search."""
        return ControllerState(
            signals=cast("dict[str, float]", self.initials(op.sym_name.data, "signal", op.starts)),
            durations={
                signal.sym_name.data: 0.0 if signal.sum_from is None else signal.sum_from.value.data for signal in op.signals if signal.sums
            },
            ties=self.stream(op.tie_stream, op.sym_name.data, "ties") if op.tie_stream is not None else None,
            found={} if op.keeps is None else {"searches": 0},
            values=np.zeros(points_of(op)) if op.keeps is not None and op.keeps.data == cog.Keeps.VALUES else None,
            seeds={} if op.estimated is None else cast("dict[str, int]", self.initials(op.sym_name.data, "seeds", ("first",))),
        )

    def initials(self, owner: str, kind: str, names: Iterable[str]) -> Values:
        """The initial values of ports, states or signals."""
        return {name: self.parameters[f"{self.prefix}{owner}/initial:{kind}:{name}"] for name in names}

    def streams(self, op: cog.NodeOp) -> dict[str, Any]:
        """The words that the generators of a node start from."""
        return {name: self.stream(stream, op.sym_name.data, name) for name, _, stream in op.random}

    def stream(self, symbol: SymbolRefAttr, owner: str, name: str) -> Any:
        """The words that a generator starts from."""
        op = self.stream_op(symbol)
        if op.words is not None:
            return np.array(op.words, dtype=np.int64)
        assert op.seed is not None
        kind, own = op.kind.data, op.seed.value.data
        if op.number is None:
            return initial_words(kind, own)
        return model_words(kind, op.number.value.data, f"{self.prefix}{owner}/random:{name}", self.seed, own)

    def stream_kind(self, symbol: SymbolRefAttr) -> str:
        """The kind of a generator: "mt19937", ..."""
        return self.stream_op(symbol).kind.data

    def stream_op(self, symbol: SymbolRefAttr) -> rng.StreamOp:
        """The `rng.stream` of that name."""
        op = self.engine.symbol(symbol.string_value())
        if not isinstance(op, rng.StreamOp):
            raise ModelError(
                f"cog.model @{self.graph.name}: @{symbol.string_value()} is a {op.name}; a generator starts from an rng.stream"
            )
        return op

    def sibling(self, graph: ModelGraph) -> ModelInterpreter:
        """The interpreter of another model of the module that is no part of this one. Its parameters stand below its name."""
        prefix = f"{self.prefix}{graph.name}/"
        other = ModelInterpreter(graph, self.engine, self.parameters, prefix, max_passes=self.max_passes, tally=self.tally, seed=self.seed)
        for path, value in other.default_parameters().items():
            self.parameters.setdefault(path, value)
        return other

    # ------------------------------------------------------------------------------------------------------------ trial

    def scheduler(self, state: ModelState) -> Scheduler:
        """The scheduler of this model, going on from `state`."""
        limit = cast(int, self.parameters.get("limit:passes", self.max_passes))
        return Scheduler(self.schedule, View(self, state), state=state.scheduler, max_passes=limit)

    def trial(self, state: ModelState, inputs: Sequence[Value], outside: Outside = {}, *, simulated: bool = False) -> Trial:
        """
        One trial, which changes `state`. `inputs` are the values of the external inputs, `outside` what acts on the parameters
        from outside. A `simulated` trial is one of a search: its controllers do not search, and what stands aside does not execute
        (but in instances they do), and nothing is recorded.
        """
        if simulated and self.recorder is not None:
            with self.recorder.paused():
                return self._trial(state, inputs, outside, simulated=True)
        return self._trial(state, inputs, outside, simulated=simulated)

    def _trial(self, state: ModelState, inputs: Sequence[Value], outside: Outside, *, simulated: bool) -> Trial:
        """As `trial`, with records."""
        scheduler = self.scheduler(state)
        searches: dict[str, Search] = {}
        for node in scheduler.nodes_to_reset():
            self.reset(state, node)
        if not simulated:
            self.execute_asides(state, scheduler, cog.When.BEFORE, inputs, outside)
            searches |= self.search(state, scheduler, cog.When.BEFORE, inputs, outside)
        for nodes in scheduler.trial():
            self.time_step(state, nodes, inputs, outside)
            if nodes and self.recorder is not None:
                self.recorder.record(f"{self.prefix}{SCHEDULE}", [name in nodes for name in self.graph.nodes])
        outputs = [self.port(state, port) for port in self.graph.outputs]
        if not simulated:
            self.execute_asides(state, scheduler, cog.When.AFTER, inputs, outside)
            searches |= self.search(state, scheduler, cog.When.AFTER, inputs, outside)
        scheduler.end_trial()
        for op in () if self.graph.model.schedule is None else self.graph.model.schedule.fails:
            node = op.node.root_reference.data
            if state.nodes[node].states[op.state.data] != 0.0:
                raise ExecutionError(f'run: node "{self.prefix}{node}" failed: {op.message.data}')
        return Trial(outputs, searches)

    def reset(self, state: ModelState, node: str) -> None:
        """
        A node (or everything in an instance) goes back to where it was before its first execution, but for its generators;
        where the reset names states, only these.
        """
        op = self.graph[node].op
        if isinstance(op, cog.NodeOp):
            before, initial = state.nodes[node], self.initial_node(op, state.nodes[node].random)
            named = self.graph.reset_states(node)
            if named is None:
                kept, kept_ports = self.graph.kept_by_reset(node)
                states = initial.states | {name: before.states[name] for name in kept}
                ports = initial.ports | {name: before.ports[name] for name in kept_ports}
                state.nodes[node] = replace(initial, states=states, ports=ports)
            else:
                state.nodes[node] = replace(before, states=before.states | {name: initial.states[name] for name in named})
        else:
            for inner_node in self.inners[node].graph.nodes:
                self.inners[node].reset(state.instances[node], inner_node)

    def search(
        self, state: ModelState, scheduler: Scheduler, when: cog.When, inputs: Sequence[Value], outside: Outside
    ) -> dict[str, Search]:
        """The searches of the controllers that search before, or after, the trial, if their conditions hold."""
        return {
            name: search(self, state, op, inputs, outside)
            for name, op in self.controllers.items()
            if op.when.data == when and scheduler.acts(name)
        }

    def execute_asides(self, state: ModelState, scheduler: Scheduler, when: cog.When, inputs: Sequence[Value], outside: Outside) -> None:
        """The nodes that stand aside before, or after, the trial execute one after the other, if their conditions hold."""
        for name, stands in self.graph.asides.items():
            if stands == when and scheduler.acts(name):
                self.time_step(state, [name], inputs, outside)

    def time_step(self, state: ModelState, nodes: Iterable[str], inputs: Sequence[Value], outside: Outside) -> None:
        """The nodes execute "at the same time": each sees the values from before the step."""
        changes = [self.execute(name, state, inputs, outside) for name in nodes]
        for change in changes:
            state.nodes |= change.nodes
            state.projections |= change.projections
            state.instances |= change.instances

    # ------------------------------------------------------------------------------------------------------------- node

    def execute(self, name: str, state: ModelState, inputs: Sequence[Value], outside: Outside) -> Change:
        """One node or instance executes; its new records are returned, and `state` is left as it is."""
        executable = self.graph[name]
        change = Change()
        sent: dict[Projection, Value] = {}
        is_node = isinstance(executable.op, cog.NodeOp)
        for projection in executable.projections:
            if not (is_node and projection.recurrent):  # an instance executes once, so there is nothing to evaluate anew
                sent[projection] = self.evaluate(projection, self.port(state, projection.source), state, change, outside)
        if not isinstance(executable.op, cog.NodeOp):
            inner, inner_state = self.inners[name], state.instances[name].copy()
            values = [self.combine(port, inputs, sent) for port in executable.inputs]
            inner.trial(inner_state, values, self.outside_of_instance(name, state, outside))
            change.instances[name] = inner_state
            return change
        op = executable.op
        parameters = [self.parameter(name, param, executable.modulations.get(param, ()), state, outside) for param, _ in op.params]
        limit = cast(int, self.parameters[f"{self.prefix}{name}/limit:executions"])
        node = state.nodes[name]
        executions, counted = 0, node.states.get(AT_LIMIT_STATE)
        while True:
            for projection in executable.projections:
                if projection.recurrent:
                    own = projection.source.node == name
                    sender = node.ports[projection.source.name] if own else self.port(state, projection.source)
                    sent[projection] = self.evaluate(projection, sender, state, change, outside)
            node = self.run_body(op, [self.combine(port, inputs, sent) for port in executable.inputs], parameters, node)
            self.record(op, node, parameters)
            executions += 1
            if op.execute_until_finished is None or node.finished or executions >= limit:
                if op.execute_until_finished is not None and executions >= limit:
                    self.tally.add(f"{self.prefix}{name}", AT_LIMIT)
                    if not node.finished:
                        self.tally.add(f"{self.prefix}{name}", UNFINISHED)
                elif isinstance(counted, float) and node.states[AT_LIMIT_STATE] > counted:
                    self.tally.add(f"{self.prefix}{name}", AT_LIMIT)
                change.nodes[name] = node
                return change

    def run_body(self, op: cog.NodeOp, inputs: Sequence[Value], parameters: Sequence[Value], node: NodeState) -> NodeState:
        """One execution of a node's body."""
        arguments = (*inputs, *parameters, *node.states.values(), *node.random.values())
        yielded = iter(self.engine.run_isolated(op.body, arguments, f"cog.node @{op.sym_name.data}"))
        after = NodeState(
            ports={port: next(yielded) for port in node.ports},
            states={state: next(yielded) for state in node.states},
            random={random: next(yielded) for random in node.random},
            finished=op.yield_op.finished is None or bool(next(yielded)),
        )
        self.check(op.sym_name.data, next(yielded, 0))
        return after

    def record(self, op: cog.NodeOp, node: NodeState, parameters: Sequence[Value]) -> None:
        """Records what the traces of a node want of an execution."""
        if (recorder := self.recorder) is None:
            return
        path = f"{self.prefix}{op.sym_name.data}"
        held = {"port": node.ports, "state": node.states, "param": {name: value for (name, _), value in zip(op.params, parameters)}}
        for kind, values in held.items():
            for name, value in values.items():
                recorder.record(f"{path}/{kind}:{name}", value)

    def check(self, name: str, fault: int) -> None:
        """Raises `BodyFailed` if the body of a node or projection yielded a fault."""
        if fault:
            raise BodyFailed(fault_text(fault, [f"{self.prefix}{name}"], self.engine.checks))

    def combine(self, port: InputPort, inputs: Sequence[Value], sent: Mapping[Projection, Value]) -> Value:
        """The sum (or product) of what the senders of a port send, from left to right; zeros if there are none."""
        arrived = [inputs[s.index] if isinstance(s, External) else sent[s] for s in port.senders]
        return joined([as_type(value, port.type) for value in arrived or [0.0]], port.type, port.combine)

    def evaluate(self, projection: Projection, sender: Value, state: ModelState, change: Change, outside: Outside) -> Value:
        """The value that a projection delivers for the value of its sender. Its own next states go to `change`."""
        op = projection.op
        if op.body is not None:
            states = change.projections.get(projection.name) or state.projections.get(projection.name, {})
            parameters = [
                self.parameter(projection.name, param, projection.modulations.get(param, ()), state, outside) for param, _ in op.params
            ]
            arguments = (sender, *parameters, *states.values())
            delivered, *new_states = self.engine.run_isolated(op.body, arguments, f"cog.project {projection.name}")
            if op.yield_op.checked is not None:
                self.check(projection.name, new_states.pop())
            if states:
                change.projections[projection.name] = dict(zip(states, new_states, strict=True))
            return delivered
        if op.matrix is not None:
            return times_matrix(sender, cast("np.ndarray[Any, Any]", self.parameters[f"{self.prefix}{projection.name}/matrix"]))
        return sender

    # ------------------------------------------------------------------------------------------------ ports, parameters

    def port(self, state: ModelState, port: Port) -> Value:
        """The value of an output port of a node or an instance, or of a signal of a controller."""
        if port.node in state.nodes:
            return state.nodes[port.node].ports[port.name]
        if port.node in state.controllers:
            return state.controllers[port.node].signals[port.name]
        inner = self.inners[port.node]
        source = next(source for source in inner.graph.outputs if f"{source.node}/{source.name}" == port.name)
        return inner.port(state.instances[port.node], source)

    def parameter(self, owner: str, name: str, modulators: Sequence[Modulator], state: ModelState, outside: Outside) -> Value:
        """The parameter as it is used: modulated from inside the model, then from outside."""
        acting = [*self.acting(modulators, state), *outside.get(f"{owner}/{name}", ())]
        default = self.parameters[f"{self.prefix}{owner}/param:{name}"]
        if not acting:
            return default
        value = modulated(default, acting, self.types[f"{owner}/{name}"])
        if (held := self.ranges.get(f"{owner}/{name}")) is not None and not held.holds(np.asarray(value, np.float64)):
            self.tally.add(f"{self.prefix}{owner}", outside_kind(name))
        return value

    def acting(self, modulators: Iterable[Modulator], state: ModelState) -> list[Acting]:
        """Modulators with the values that they hold now."""
        return [(modulator.mode, number(self.port(state, modulator.source))) for modulator in modulators]

    def outside_of_instance(self, name: str, state: ModelState, outside: Outside) -> Outside:
        """The modulations that act on the parameters in an instance: those of this model, and those from outside of it."""
        return effects_inside(self.graph[name], lambda modulators: self.acting(modulators, state), outside)


@dataclass
class Change:
    """New records from a time step, not yet in place."""

    nodes: dict[str, NodeState] = field(default_factory=dict[str, NodeState])
    projections: dict[str, Values] = field(default_factory=dict[str, Values])
    instances: dict[str, ModelState] = field(default_factory=dict[str, ModelState])


@dataclass(frozen=True)
class View:
    """The values of a model that conditions depend on."""

    model: ModelInterpreter
    state: ModelState

    def finished(self, node: str) -> bool:
        """True if the node's last execution left it finished; an instance always is."""
        return node not in self.state.nodes or self.state.nodes[node].finished

    def read(self, node: str, kind: Kind, name: str) -> Value:
        """The value of a port, state or parameter."""
        match kind:
            case "port":
                return self.model.port(self.state, Port(node, name))
            case "state":
                return self.state.nodes[node].states[name]
            case "param":
                return self.model.parameters[f"{self.model.prefix}{node}/param:{name}"]


# ------------------------------------------------------------------------------------------------------------- inputs
