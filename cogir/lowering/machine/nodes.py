"""
One execution of a node: gather its inputs and parameters, run its body, write its ports, states and generators.

What a node reads of others is frozen: `Surroundings.frozen` holds the values from before the time step of the ports that
the step changes. The terms of an input are joined in the order of the text, and the first term is the value itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from xdsl.dialects import arith
from xdsl.ir import Attribute, SSAValue

from cogir.dialects.cog import Modulation, NodeOp, ProjectOp, ranges_of
from cogir.interpreters.flags import AT_LIMIT, AT_LIMIT_STATE, UNFINISHED, outside_kind
from cogir.irutils import element_type_of, size_of
from cogir.lowering.machine.bodies import Bodies, FromBuffer, Gathered, Input, MatrixProduct, Parameter
from cogir.lowering.machine.emitter import BlockEmitter, readable
from cogir.lowering.machine.log import log_execution
from cogir.lowering.machine.plan import InstancePlan
from cogir.lowering.machine.state import MachineState
from cogir.lowering.machine.tensors import add, as_type, elementwise, fold, is_outside, joined, multiply, with_elements
from cogir.lowering.machine.traces import record
from cogir.model.graph import Executable, External, Modulator, Modulators, Port, Projection, Sender, effects_inside

Term = SSAValue | Sender
"""A term of an input: its value, or a sender (a recurrent projection) that each execution evaluates anew."""

Effect = tuple[Modulation, SSAValue]
"""The modulation of a parameter, and its value."""


@dataclass(frozen=True)
class Surroundings:
    """The inputs of one model in one time step."""

    externals: Sequence[SSAValue]
    """The inputs of the trial, in order."""
    frozen: Mapping[str, SSAValue] = field(default_factory=dict[str, SSAValue])
    """Ports as they were before the time step."""
    effects: Mapping[str, Sequence[Effect]] = field(default_factory=dict[str, Sequence[Effect]])
    """Modulations of parameters of this model that come from outside of it, by "node/param"."""
    modulating: Mapping[str, SSAValue] = field(default_factory=dict[str, SSAValue])
    """While a node repeats its execution: the ports that modulate its recurrent projections, as they were before the time step."""


def port_path(plan: InstancePlan, port: Port) -> str:
    """The path of an output port's value: that of an instance is kept with the node inside, that of a controller as its signal."""
    executable = plan.graph.executables.get(port.node)
    if executable is None:
        return plan.paths.slot(port.node, "signal", port.name)
    if executable.inner is None:
        return plan.paths.slot(port.node, "port", port.name)
    node, _, name = port.name.rpartition("/")
    return port_path(plan.children[port.node], Port(*_inner_port(executable, node, name)))


def _inner_port(executable: Executable, node: str, name: str) -> tuple[str, str]:
    """The port inside an instance: "node/port", or "instance/node/port" one level further down."""
    assert executable.inner is not None
    if node in executable.inner.executables:
        return node, name
    instance, _, rest = node.partition("/")
    return instance, f"{rest}/{name}"


class NodeEmitter:
    """Emits executions of nodes."""

    def __init__(self, bodies: Bodies, run_trial: Callable[[MachineState, InstancePlan, Surroundings], object]):
        """`run_trial` emits a trial of the model of an instance."""
        self.bodies = bodies
        self.run_trial = run_trial

    def execute(self, state: MachineState, plan: InstancePlan, name: str, around: Surroundings) -> None:
        """One execution of a node or instance: until it has finished if it is told so."""
        executable = plan.graph[name]
        emitter = state.emitter
        outside, emitter.location = emitter.location, executable.op.location
        if isinstance(executable.op, NodeOp):
            _Execution(self.bodies, state, plan, executable, executable.op, around).emit()
        else:
            self._execute_instance(state, plan, executable, around)
        emitter.location = outside

    def _execute_instance(self, state: MachineState, plan: InstancePlan, executable: Executable, around: Surroundings) -> None:
        externals = [
            joined(state.emitter, port.type, port.combine, [evaluate(self.bodies, state, plan, sender, around) for sender in port.senders])
            for port in executable.inputs
        ]
        effects = effects_in(state, plan, executable, around)
        self.run_trial(state, plan.children[executable.name], Surroundings(externals, {}, effects))


class _Execution:
    """One execution of a node that is not an instance."""

    def __init__(self, bodies: Bodies, state: MachineState, plan: InstancePlan, executable: Executable, op: NodeOp, around: Surroundings):
        self.bodies = bodies
        self.state = state
        self.plan = plan
        self.executable = executable
        self.op = op
        self.around = around
        name = executable.name
        self.ports = [plan.paths.slot(name, "port", port) for port, _ in op.outputs]
        self.states = [plan.paths.slot(name, "state", each) for each, _ in op.states]
        self.randoms = [plan.paths.slot(name, "random", each) for each, _, _ in op.random]
        self.has_finished = op.yield_op.finished is not None

    def emit(self) -> None:
        """Gathers, runs and writes."""
        repeats = self.op.execute_until_finished is not None and self.has_finished
        before = None if repeats else self._count_at_limit()
        if repeats and self.executable.name in self.plan.logged:
            finished = self._logged_loop()
        elif repeats:
            finished = self._loop()
        elif self.bodies.gathers(self.executable, self.op.body.block):
            inputs = [Gathered(port, [self._term(sender) for sender in port.senders]) for port in self.executable.inputs]
            finished = self._once(self.state, inputs, self._params())
        else:
            terms = [[self._evaluate(self.state, sender, self.around) for sender in port.senders] for port in self.executable.inputs]
            finished = self._once(self.state, self._joined(self.state, terms, self.around), self._params())
        if not repeats:
            log_execution(self.state, self.plan, self.executable.name)
        if before is not None and (after := self._count_at_limit()) is not None:
            more = self.state.emitter.value(arith.CmpfOp(after, before, "ogt"))
            self.state.raise_flag(self.plan.paths.flag(self.executable.name, AT_LIMIT), more)
        watched = self.plan.paths.finished(self.executable.name)
        if finished is not None and watched in self.state.layout:
            self.state.write(watched, finished)

    def _count_at_limit(self) -> SSAValue | None:
        """The count of executions at the limit that the node keeps by itself, where it is flagged."""
        counted = self.plan.paths.slot(self.executable.name, "state", AT_LIMIT_STATE)
        flagged = self.plan.paths.flag(self.executable.name, AT_LIMIT) in self.state.layout
        return self.state.read(counted) if flagged and counted in self.states else None

    def _evaluate(self, state: MachineState, sender: Sender, around: Surroundings) -> SSAValue:
        return evaluate(self.bodies, state, self.plan, sender, around)

    def _params(self) -> list[Parameter]:
        return parameters(self.state, self.plan, self.executable.name, self.op, self.executable.modulations, self.around)

    def _term(self, sender: Sender) -> SSAValue | MatrixProduct:
        """The contribution of a sender to an input; a product with a matrix is left to the body's function."""
        if isinstance(sender, Projection) and sender.op.body is None and sender.op.matrix is not None:
            return MatrixProduct(sent(self.state, self.plan, sender, self.around), self.state.layout[self.plan.paths.matrix(sender.name)])
        return self._evaluate(self.state, sender, self.around)

    def _joined(self, state: MachineState, terms: Sequence[Sequence[Term]], around: Surroundings) -> list[SSAValue]:
        """The inputs from their terms; those that are still senders are evaluated now."""
        return [
            joined(
                state.emitter,
                port.type,
                port.combine,
                [term if isinstance(term, SSAValue) else self._evaluate(state, term, around) for term in row],
            )
            for port, row in zip(self.executable.inputs, terms, strict=True)
        ]

    def _once(self, state: MachineState, inputs: Sequence[Input], params: Sequence[Parameter]) -> SSAValue | None:
        """One run of the body on the state; writes what it yields and returns whether it has finished, if it says so."""
        rest = [state.read(path) for path in (*self.states, *self.randoms)]
        results = self.bodies.run(state, self.executable.name, self.op.body.block, inputs, params, rest)
        written = (*self.ports, *self.states, *self.randoms)
        for path, value in zip(written, results, strict=False):
            value.name_hint = value.name_hint or state.hint(path)
            state.write(path, value)
        self._record(state, dict(zip(written, results, strict=False)), params)
        if self.executable.name in self.plan.checked:
            state.note_fault(self.plan.checked[self.executable.name], results[-1])
        return results[len(written)] if self.has_finished else None

    def _record(self, state: MachineState, written: Mapping[str, SSAValue], params: Sequence[Parameter]) -> None:
        """Records what the traces of the node want of an execution."""
        if not state.layout.traces:
            return
        owner = f"{self.plan.prefix}{self.executable.name}"
        for trace in (*state.layout.traces_of(owner, "port"), *state.layout.traces_of(owner, "state")):
            record(state, trace, written[trace.path])
        for trace in state.layout.traces_of(owner, "param"):
            param = dict(zip((name for name, _ in self.op.params), params, strict=True))[trace.name]
            record(state, trace, param if isinstance(param, SSAValue) else state.read(param.slot.path))

    def _loop(self) -> SSAValue:
        """
        Runs the body until it has finished or reached its limit: a `scf.while` that carries what one execution hands to the
        next (states, generators, the count; with recurrent projections also ports and states of these).
        """
        state, emitter = self.state, self.state.emitter
        recurrent = self._recurrent()
        terms, params = self._terms(), self._params()
        within = [self.plan.paths.slot(p.name, "state", each) for p in recurrent for each, _ in p.op.states]
        within += self._outside_flags(recurrent)
        stops = any(name in self.plan.checked for name in (self.executable.name, *(p.name for p in recurrent)))
        if stops:
            within.append("status")
        handed = [*self.states, *self.randoms, *within, *(self.ports if recurrent else ())]
        given = [path for path in (*self.ports, *self.states, *self.randoms, *within) if path not in handed]
        limit = state.read(self.plan.paths.slot(self.executable.name, "limit", "executions"))
        around = self._around_repetitions()
        params = [p if isinstance(p, SSAValue) or self.bodies.shared(self.op.body.block) else state.read(p.slot.path) for p in params]

        def execute(inner: BlockEmitter, values: list[SSAValue]) -> tuple[SSAValue, list[SSAValue]]:
            inside = state.fork(inner, cached=True)
            inside.adopt(dict(zip(handed, values, strict=False)))
            finished = self._once(inside, self._joined(inside, terms, around), params)
            assert finished is not None
            count = inner.add_integers(values[len(handed)], inner.integer(1))
            count.name_hint = "executions"
            again = inner.both(inner.negation(finished), inner.compare(count, "slt", limit))
            if stops:
                again = inner.both(again, inner.compare(inside.read("status"), "eq", inner.integer(0)))
            return again, [*(inside.read(path) for path in handed), count, *(inside.read(path) for path in given), finished]

        initial = [*(state.read(path) for path in handed), emitter.integer(0)]
        results = emitter.loop_while(initial, execute, lambda _, values: values[: len(initial)])
        for path, value in zip(handed, results, strict=False):
            state.write(path, value)
        for path, value in zip(given, results[len(initial) :], strict=False):
            state.write(path, value)
        self._flag(results[-1], results[len(handed)], limit)
        return results[-1]

    def _logged_loop(self) -> SSAValue:
        """`_loop` for a node that is logged: each execution has a row of its own, so the loop carries the buffers."""
        state = self.state
        terms, params, around = self._terms(), self._params(), self._around_repetitions()
        stops = any(name in self.plan.checked for name in (self.executable.name, *(p.name for p in self._recurrent())))
        limit = state.read(self.plan.paths.slot(self.executable.name, "limit", "executions"))
        initial = [*state.carried(), state.emitter.integer(0)]

        def execute(inner: BlockEmitter, values: list[SSAValue]) -> tuple[SSAValue, list[SSAValue]]:
            inside = state.fork(inner, cached=False)
            inside.resume(values[:-1])
            finished = self._once(inside, self._joined(inside, terms, around), params)
            assert finished is not None
            log_execution(inside, self.plan, self.executable.name)
            count = inner.add_integers(values[-1], inner.integer(1))
            again = inner.both(inner.negation(finished), inner.compare(count, "slt", limit))
            if stops:
                again = inner.both(again, inner.compare(inside.read("status"), "eq", inner.integer(0)))
            return again, [*inside.carried(), count, finished]

        *carried, count, finished = state.emitter.loop_while(initial, execute, lambda _, values: values[:-1])
        state.resume(carried)
        self._flag(finished, count, limit)
        return finished

    def _recurrent(self) -> list[Projection]:
        """The projections of the node to itself, and others that each repetition evaluates anew."""
        return [projection for projection in self.executable.projections if projection.recurrent]

    def _terms(self) -> list[list[Term]]:
        """The terms of the inputs of all repetitions; the recurrent projections among them are still senders."""
        anew = set[Sender](self._recurrent())
        return [
            [sender if sender in anew else self._evaluate(self.state, sender, self.around) for sender in port.senders]
            for port in self.executable.inputs
        ]

    def _around_repetitions(self) -> Surroundings:
        """
        The surroundings of the repetitions. Values that they read but do not change are read before them. A recurrent projection sends what
        its sender holds now, but its parameters are those of the time step, as the node's are.
        """
        state, recurrent = self.state, self._recurrent()
        fixed = {port_path(self.plan, p.source) for p in recurrent} - set(self.ports)
        frozen = {path: self.around.frozen.get(path) or state.read(path) for path in sorted(fixed)}
        modulators = [each for p in recurrent for acting in p.modulations.values() for each in acting]
        sources = {port_path(self.plan, modulator.source) for modulator in modulators}
        modulating = {path: self.around.frozen.get(path) or state.read(path) for path in sorted(sources)}
        return Surroundings(self.around.externals, frozen, self.around.effects, modulating)

    def _outside_flags(self, projections: Sequence[Projection]) -> list[str]:
        """The flags of modulated parameters of projections that are kept."""
        paths = self.plan.paths
        kept = [paths.flag(each.name, outside_kind(name)) for each in projections for name, _ in each.op.params]
        return [path for path in kept if path in self.state.layout]

    def _flag(self, finished: SSAValue, count: SSAValue, limit: SSAValue) -> None:
        """Raises the flags of an execution of so many repetitions."""
        state, paths, name = self.state, self.plan.paths, self.executable.name
        if (cut_off := paths.flag(name, UNFINISHED)) in state.layout:
            state.raise_flag(cut_off, state.emitter.negation(finished))
        if (at_limit := paths.flag(name, AT_LIMIT)) in state.layout:
            state.raise_flag(at_limit, state.emitter.compare(count, "sge", limit))


# Inputs of a node


def evaluate(bodies: Bodies, state: MachineState, plan: InstancePlan, sender: Sender, around: Surroundings) -> SSAValue:
    """The contribution of a sender to an input port."""
    if isinstance(sender, External):
        return around.externals[sender.index]
    value = sent(state, plan, sender, around)
    op = sender.op
    if op.body is not None:
        return _function_of(bodies, state, plan, sender, op, value, around)
    if op.matrix is None:
        return value
    return bodies.product(state, value, state.layout[plan.paths.matrix(sender.name)])


def sent(state: MachineState, plan: InstancePlan, projection: Projection, around: Surroundings) -> SSAValue:
    """The value of a projection's source, as it was before the time step."""
    path = port_path(plan, projection.source)
    value = around.frozen.get(path)
    return state.read(path) if value is None else value


def _function_of(
    bodies: Bodies, state: MachineState, plan: InstancePlan, projection: Projection, op: ProjectOp, value: SSAValue, around: Surroundings
) -> SSAValue:
    """A projection with a function of its own."""
    assert op.body is not None
    params = parameters(state, plan, projection.name, op, projection.modulations, around)
    states = [plan.paths.slot(projection.name, "state", name) for name, _ in op.states]
    sender = as_type(state.emitter, value, op.sender_arg.type)
    result, *after = bodies.run(state, projection.name, op.body.block, [sender], params, [state.read(path) for path in states])
    for path, new in zip(states, after, strict=False):
        state.write(path, new)
    if projection.name in plan.checked:
        state.note_fault(plan.checked[projection.name], after[-1])
    return result


def parameters(
    state: MachineState, plan: InstancePlan, owner: str, op: NodeOp | ProjectOp, modulators: Modulators, around: Surroundings
) -> list[Parameter]:
    """The parameters of a node or projection: from their buffers as they are, or modulated."""
    found: list[Parameter] = []
    for name, _ in op.params:
        slot = state.layout[plan.paths.slot(owner, "param", name)]
        effects = [*modulation(state, plan, modulators.get(name, ()), around), *around.effects.get(f"{owner}/{name}", ())]
        found.append(modulated(state.emitter, state.read(slot.path), effects, name) if effects else FromBuffer(slot))
        flag = plan.paths.flag(owner, outside_kind(name))
        if flag in state.layout and isinstance(value := found[-1], SSAValue):
            state.raise_flag(flag, is_outside(state.emitter, value, ranges_of(op.param_ranges)[name]))
    return found


def effects_in(state: MachineState, plan: InstancePlan, executable: Executable, around: Surroundings) -> dict[str, list[Effect]]:
    """The modulations of the parameters in an instance: the model's own, then those from outside of the model."""
    return effects_inside(executable, lambda modulators: modulation(state, plan, modulators, around), around.effects)


def modulation(state: MachineState, plan: InstancePlan, modulators: Sequence[Modulator], around: Surroundings) -> list[Effect]:
    """The effects of modulators, from the values before the time step."""
    effects: list[Effect] = []
    for modulator in modulators:
        path = port_path(plan, modulator.source)
        value = around.modulating.get(path) or around.frozen.get(path)
        effects.append((modulator.mode, state.read(path) if value is None else value))
    return effects


def modulated(emitter: BlockEmitter, default: SSAValue, effects: Sequence[Effect], hint: str) -> SSAValue:
    """default * product of the multipliers + sum of the addends; or the override."""
    element = element_type_of(default.type)
    values = {
        mode: [_spread(emitter, value, element) for kind, value in effects if kind == mode]
        for mode in (Modulation.MULTIPLY, Modulation.ADD, Modulation.OVERRIDE)
    }
    factors, addends, override = values.values()

    def scalar(inner: BlockEmitter, elements: list[SSAValue]) -> SSAValue:
        if override:
            return elements[0]
        result, rest = elements[0], elements[1:]
        for terms, join in ((rest[: len(factors)], multiply), (rest[len(factors) :], add)):
            if terms:
                result = join(inner, result, fold(inner, terms, join))
        return result

    operands = override[-1:] if override else [default, *factors, *addends]
    result = elementwise(emitter, default.type, operands, scalar)
    result.name_hint = readable(hint)
    return result


def _spread(emitter: BlockEmitter, value: SSAValue, element: Attribute) -> SSAValue:
    """A modulating value with elements of the parameter's type, a single number as a scalar."""
    value = with_elements(emitter, value, element)
    return as_type(emitter, value, element) if size_of(value.type) == 1 else value
