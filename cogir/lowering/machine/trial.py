"""
A trial of one model: resets, controllers, time steps, clocks. Time steps come from a static program, one after the other
in a straight line, or from a loop of passes (`passes.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from xdsl.dialects import arith
from xdsl.ir import Region, SSAValue

from cogir.dialects import cog
from cogir.lowering.machine.bodies import Bodies
from cogir.lowering.machine.clocks import begin, count_call, tick
from cogir.lowering.machine.conditions import ConditionEmitter
from cogir.lowering.machine.emitter import BlockEmitter
from cogir.lowering.machine.nodes import NodeEmitter, Surroundings, port_path
from cogir.lowering.machine.passes import emit_passes
from cogir.lowering.machine.plan import InstancePlan
from cogir.lowering.machine.search import emit_search
from cogir.lowering.machine.state import MachineState
from cogir.lowering.machine.traces import record_flags
from cogir.model.conditions import Always, TimeScale, at_start
from cogir.model.read_schedule import question_of
from cogir.model.traces import SCHEDULE


class TrialEmitter:
    """Emits trials of a model and of those inside it."""

    def __init__(self, bodies: Bodies):
        self.nodes = NodeEmitter(bodies, self.trial)

    def trial(self, state: MachineState, plan: InstancePlan, around: Surroundings, *, simulated: bool = False) -> list[SSAValue]:
        """One trial; returns its outputs. In a simulated trial, one of a search, nothing acts but the nodes that the passes visit."""
        reset_nodes(state, plan)
        if not simulated:
            self._asides(state, plan, cog.When.BEFORE, around)
            self._searches(state, plan, cog.When.BEFORE, around)
        begin(state, plan, TimeScale.TRIAL)
        if plan.program is None:

            def execute(inner: MachineState, nodes: Sequence[str], runs: Sequence[SSAValue], count: bool) -> None:
                self.conditional_step(inner, plan, nodes, runs, around, count=count)
                self._record_step(inner, plan, dict(zip(nodes, runs, strict=True)))

            emit_passes(state, plan, execute)
        else:
            self._programs(state, plan, plan.program.body, around)
        outputs = [state.read(port_path(plan, port)) for port in plan.graph.outputs]
        if not simulated:
            self._asides(state, plan, cog.When.AFTER, around)
            self._searches(state, plan, cog.When.AFTER, around)
        tick(state, plan, TimeScale.TRIAL)
        self._failures(state, plan)
        return outputs

    def _failures(self, state: MachineState, plan: InstancePlan) -> None:
        """The trial is given up if a state that must be zero is not."""
        emitter = state.emitter
        for path, name in plan.fails.items():
            state.give_up(name, emitter.value(arith.CmpfOp(state.read(path), emitter.number(0.0), "une")))

    def _asides(self, state: MachineState, plan: InstancePlan, when: cog.When, around: Surroundings) -> None:
        """The nodes that stand aside before, or after, the trial execute, if their conditions hold."""
        for node, stands in plan.graph.asides.items():
            if stands == when:
                asked = plan.schedule.asides.get(node)
                holds = state.emitter.flag(True) if asked is None else ConditionEmitter(plan).holds(state, asked)
                self.conditional_step(state, plan, [node], [holds], around)

    def _searches(self, state: MachineState, plan: InstancePlan, when: cog.When, around: Surroundings) -> None:
        """The searches of the model's controllers that search before, or after, the trial, if their conditions hold."""
        for controller in plan.model.controllers:
            if controller.when.data != when:
                continue
            condition = plan.schedule.asides.get(controller.sym_name.data)
            if condition is None:
                emit_search(state, plan, controller, around, self.trial)
            else:
                holds = ConditionEmitter(plan).holds(state, condition)
                state.when(holds, lambda inner, op=controller: emit_search(inner, plan, op, around, self.trial))

    def _programs(self, state: MachineState, plan: InstancePlan, region: Region, around: Surroundings) -> None:
        """The time steps of a trial. Where there are several programs, their number is found first: programs that are equal stand once."""
        programs: list[Region] = []
        chosen = self._chosen(state, plan, region, programs)
        if len(programs) == 1:
            self._program(state, plan, programs[0], around)
            return
        chosen.name_hint = "program"
        for number, program in enumerate(programs):
            this = state.emitter.compare(chosen, "eq", state.emitter.integer(number))
            state.when(this, lambda inside, program=program: self._program(inside, plan, program, around))

    def _chosen(self, state: MachineState, plan: InstancePlan, region: Region, programs: list[Region]) -> SSAValue:
        """The number, among those found until now, of the program that runs."""
        choice = region.block.first_op
        if isinstance(choice, cog.ChooseOp):
            holds = ConditionEmitter(plan).holds(state, question_of(choice))
            yes, no = (self._chosen(state, plan, part, programs) for part in (choice.yes, choice.no))
            return state.emitter.choose(holds, yes, no)
        number = next((number for number, known in enumerate(programs) if region.is_structurally_equivalent(known)), len(programs))
        if number == len(programs):
            programs.append(region)
        return state.emitter.integer(number)

    def _program(self, state: MachineState, plan: InstancePlan, program: Region, around: Surroundings) -> None:
        """The time steps of one program. Only what a later trial asks is counted."""
        self._steps(state, plan, program, around)
        for last in cog.steps_in(program)[-1:]:
            for node in plan.graph.nodes:
                if (path := plan.paths.just_ran(node)) in plan.counters:
                    state.write(path, state.emitter.flag(node in last.node_names))
        for advance in program.block.ops:
            if isinstance(advance, cog.AdvanceOp) and (path := plan.paths.counter(advance.counter.data)) in plan.counters:
                state.increase(path, state.emitter.integer(advance.amount.value.data))

    def _steps(self, state: MachineState, plan: InstancePlan, region: Region, around: Surroundings) -> None:
        """The time steps in a program or in one of its loops."""
        yes = state.emitter.flag(True)
        for item in region.block.ops:
            if isinstance(item, cog.RepeatOp):
                self._repeat(state, plan, item, around)
            elif isinstance(item, cog.StepOp):
                nodes = item.node_names
                frozen = Surroundings(around.externals, self.frozen(state, plan, nodes), around.effects)
                for node in nodes:
                    count_call(state, plan, node, yes)
                    self.nodes.execute(state, plan, node, frozen)
                self._record_step(state, plan, dict.fromkeys(nodes, yes))
                tick(state, plan, TimeScale.TIME_STEP)

    def _record_step(self, state: MachineState, plan: InstancePlan, ran: Mapping[str, SSAValue]) -> None:
        """Records which nodes a time step has executed, if the model records its schedule and if there were any."""
        for trace in state.layout.traces_of(plan.prefix, SCHEDULE):
            no = state.emitter.flag(False)
            flags = [ran.get(node, no) for node in plan.graph.nodes]
            happens = no
            for flag in ran.values():
                happens = state.emitter.either(happens, flag)
            state.when(happens, lambda inner, trace=trace, flags=flags: record_flags(inner, trace, flags))

    def _repeat(self, state: MachineState, plan: InstancePlan, part: cog.RepeatOp, around: Surroundings) -> None:
        """A loop of a program: cog.repeat n { steps }  ->  scf.for over the state"""

        def again(inner: BlockEmitter, _: SSAValue, carried: list[SSAValue]) -> list[SSAValue]:
            inside = state.fork(inner)
            inside.resume(carried)
            self._steps(inside, plan, part.body, around)
            return inside.carried()

        state.resume(state.emitter.loop_for(part.count.value.data, state.carried(), again, hint="repetition"))

    def conditional_step(
        self,
        state: MachineState,
        plan: InstancePlan,
        nodes: Sequence[str],
        asked: Sequence[SSAValue],
        around: Surroundings,
        *,
        count: bool = False,
    ) -> None:
        """Those of the nodes whose flag is set execute, all on the values from before the step; `count` says to count the calls, too."""
        frozen = Surroundings(around.externals, self.frozen(state, plan, nodes), around.effects)
        for node, runs in zip(nodes, asked, strict=True):

            def execute(inner: MachineState, node: str = node) -> None:
                if count:
                    count_call(inner, plan, node, inner.emitter.flag(True))
                self.nodes.execute(inner, plan, node, frozen)

            state.when(runs, execute)

    @staticmethod
    def frozen(state: MachineState, plan: InstancePlan, nodes: Sequence[str]) -> dict[str, SSAValue]:
        """The ports of these nodes that others of them read, as they are now."""
        together = set(nodes)
        found: dict[str, SSAValue] = {}
        for node in nodes if len(nodes) > 1 else ():
            executable = plan.graph[node]
            sources = [projection.source for projection in executable.projections]
            for modulators in (executable.modulations, *(projection.modulations for projection in executable.projections)):
                sources += [modulator.source for each in modulators.values() for modulator in each]
            for source in sources:
                if source.node in together and source.node != node:
                    path = port_path(plan, source)
                    if path not in found:
                        found[path] = state.read(path)
        return found


def reset_nodes(state: MachineState, plan: InstancePlan) -> None:
    """Puts nodes back to where they began, where their conditions hold; all conditions are asked before the first reset."""
    conditions = ConditionEmitter(plan)
    asked = [(node, conditions.holds(state, condition)) for node, condition in plan.schedule.resets.items()]
    for node, condition in asked:
        state.choose(condition, {path: state.layout.initial_of(path).path for path in resettable(plan, node)})


def certainly_reset(plan: InstancePlan) -> Iterator[str]:
    """The slots that each trial puts back to where they began, whatever happens in it."""
    for node, condition in plan.schedule.resets.items():
        if isinstance(condition, Always) or condition == at_start(TimeScale.TRIAL):
            yield from resettable(plan, node)


def resettable(plan: InstancePlan, node: str) -> Iterator[str]:
    """The slots of a node that a reset puts back: ports, states, whether it has finished; of an instance those of its nodes."""
    executable, paths = plan.graph[node], plan.paths
    if (named := plan.graph.reset_states(node)) is not None:
        yield from (paths.slot(node, "state", name) for name in named)
    elif isinstance(executable.op, cog.NodeOp):
        kept, kept_ports = plan.graph.kept_by_reset(node)
        yield from (paths.slot(node, "port", name) for name, _ in executable.op.outputs if name not in kept_ports)
        yield from (paths.slot(node, "state", name) for name, _ in executable.op.states if name not in kept)
        if node in plan.watched:
            yield paths.finished(node)
    else:
        inner = plan.children[node]
        for each in inner.graph.nodes:
            yield from resettable(inner, each)
