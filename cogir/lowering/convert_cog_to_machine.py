"""
From a model to a state machine in values.

Before: one or more `cog.model`s, with the functions that their bodies call and the streams that their generators start
        from; schedules complete, with a `cog.program` where `eliminate-scheduler` found one.
After:  no `cog` operation is left. `@init(params) -> state` and `@trial(params, inputs, state) -> (state, outputs, status)`
        compute on buffers of numbers; the module attribute `cog.layout` (`analysis/layout.py`) says what lies where in them.

```mlir
func.func @init(%pf, %pi) -> (%sf, %si)
func.func @trial(%pf, %pi, %in, %sf, %si, %r0, ...) -> (%sf', %si', %r0', ..., %out, %status)
```

With `learning`, for a model with a `cog.learn`, there are `@loss` and `@optimize` in the place of `@trial` (`machine/learning.py`).

The status is 0; or 1 + k when the trial was given up at the k-th limit in the layout's `nodes`; or -1 when the run's
termination condition holds before the trial, which then does nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import tensor
from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, DictionaryAttr, ModuleOp, f64, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import PassFailedException

from cogir import remarks
from cogir.analysis.layout import Buffer, Layout
from cogir.dialects import cog
from cogir.dialects.python_functions import python_functions
from cogir.errors import LoweringError
from cogir.interpreters.traces import FUNCTIONS as TRACING
from cogir.lowering.gradient.differentiate import GRADIENT, LOSS, learned_attribute
from cogir.lowering.gradient.zeros import START
from cogir.lowering.library.symbols import make_room, names_of_the_library
from cogir.lowering.machine.assign import assign
from cogir.lowering.machine.bodies import Bodies
from cogir.lowering.machine.buffer_access import store_words, words
from cogir.lowering.machine.conditions import ConditionEmitter
from cogir.lowering.machine.emitter import BlockEmitter
from cogir.lowering.machine.functions import ModuleFunctions
from cogir.lowering.machine.learning import OPTIMIZE, Learning, learning_of
from cogir.lowering.machine.nodes import Surroundings
from cogir.lowering.machine.plan import InstancePlan, make_plan
from cogir.lowering.machine.state import STATE_BUFFERS, MachineState
from cogir.lowering.machine.tensors import with_elements
from cogir.lowering.machine.traces import declarations, end_traces
from cogir.lowering.machine.trial import TrialEmitter, certainly_reset
from cogir.model import conditions as s
from cogir.model.graph import main_model, resolve
from cogir.transforms.fill_lanes import BEGIN, END, ITERATE
from cogir.transforms.replicate import STREAMS

ENTRY = ("init", "trial")
"""The functions that this pass adds."""
LATER = (STREAMS, BEGIN, ITERATE, END)
"""Those that passes after it add, and that are known by their names."""
LEARNING = (LOSS, GRADIENT, OPTIMIZE)
"""Those of a model that is to learn."""

RUN_IS_OVER = -1
"""The status of a trial that did not happen because the run is over."""


def say_sizes(model: cog.ModelOp, layout: Layout) -> None:
    """Reports the sizes of the buffers of a model."""
    sizes = layout.sizes
    parameters, state = sizes["pf"] + sizes["pi"], sizes["sf"] + sizes["si"]
    text = "the model has {} numbers of parameters, {} of state, {} words of generators, {} inputs and {} outputs"
    remarks.analysed(model, text, parameters, state, sizes["rng"], sizes["in"], sizes["out"])


@dataclass(frozen=True)
class ConvertCogToMachine(ModulePass):
    """Turns a model into `@init` and `@trial` over buffers of numbers, and hangs their layout on the module."""

    name = "convert-cog-to-machine"

    model: str | None = None
    """The model that runs (default: the one that is no part of another)."""

    save_values: bool = False
    """True if the state keeps the value of every point of a controller's last search, as `control/values`."""

    logged: tuple[str, ...] = ()
    """Paths of ports: after each execution of their nodes, the state keeps their values and the time (`machine/log.py`)."""

    log_room: int = 1024
    """For how many executions of a node there is room in its log."""

    recorded: tuple[str, ...] = ()
    """Paths of controllers: the state keeps what each of their simulations gives (`machine/record.py`)."""

    record_room: int = 2**16
    """For how many words there is room in the record of a controller; for one search at least."""

    flags: tuple[str, ...] = ()
    """The kinds of flags that become outputs of a trial, after all others, where they can be raised (`interpreters/flags.py`)."""

    learning: bool = False
    """True if the model is to learn, as its `cog.learn` says, and not to run."""

    outputs_as_numbers: bool = False
    """True if whole numbers among the outputs are converted to floats, for analyses of values, instead of held as the same bits."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for name, why in python_functions(op).items():
            raise LoweringError(
                f"convert-cog-to-machine: @{name} is a Python function, which has no IR ({why}); use mode python, which calls it"
            )
        make_room(
            op,
            (*ENTRY, *(LEARNING if self.learning else LATER), *TRACING, *names_of_the_library(op)),
            "convert-cog-to-machine and later passes add a function of that name",
        )
        model = main_model(op, self.model)
        plan = make_plan(resolve(model), logged=self.logged)
        self._check_logged(plan)
        functions = ModuleFunctions(op)
        if self.learning:
            layout = assign(plan, flags=self.flags, learning=learning_of(plan))
            say_sizes(model, layout)
            _Machine(plan, layout, functions).build_learning(learning_of(plan))
        else:
            layout = assign(
                plan,
                save_values=self.save_values,
                log_room=self.log_room,
                recorded=self.recorded,
                record_room=self.record_room,
                flags=self.flags,
            )
            say_sizes(model, layout)
            _Machine(plan, layout, functions, self.outputs_as_numbers).build()
        block = op.body.block
        for model in [each for each in block.ops if isinstance(each, cog.ModelOp)]:
            model.detach()
            model.erase()
        if (first := block.first_op) is None:
            block.add_ops(functions.in_order())
        else:
            block.insert_ops_before(functions.in_order(), first)
        block.add_ops(declarations(layout.traces))
        layout.write_to(op)

    def _check_logged(self, plan: InstancePlan) -> None:
        """Refuses to log or to record what there is not."""
        known = {path for each in plan.walk() for ports in each.logged.values() for path in ports}
        if missing := [path for path in self.logged if path not in known]:
            raise PassFailedException(
                f"{self.name}: cannot log {missing[0]}: the model has no such port; give paths such as decision/port:value"
            )
        controllers = {f"{each.prefix}{one.sym_name.data}" for each in plan.walk() for one in each.model.controllers}
        if missing := [path for path in self.recorded if path not in controllers]:
            raise PassFailedException(
                f"{self.name}: cannot record {missing[0]}: the model has no such controller; give paths such as part/control"
            )
        if self.log_room < 1:
            raise PassFailedException(f"{self.name}: log-room is {self.log_room}; give a capacity of at least 1 execution")


class _Machine:
    """Builds the functions of the state machine."""

    def __init__(self, plan: InstancePlan, layout: Layout, functions: ModuleFunctions, outputs_as_numbers: bool = False):
        self.plan = plan
        self.layout = layout
        self.functions = functions
        self.outputs_as_numbers = outputs_as_numbers
        graphs = [each.graph for each in plan.walk()]
        executables = [executable for graph in graphs for executable in graph]
        projections = [projection for graph in graphs for projection in graph.projections]
        self.trials = TrialEmitter(Bodies(functions, executables, projections))

    def build(self) -> None:
        """`@init` and `@trial`."""
        self.functions.define("init", self._arguments("pf", "pi"), self._init, private=False)
        arguments = [*self._arguments("pf", "pi", "in", "sf", "si"), *self._generators()]
        updates = {argument: argument - 3 for argument in range(3, len(arguments))}
        self.functions.define("trial", arguments, self._trial, private=False, updates=updates)

    def build_learning(self, op: cog.LearnOp) -> None:
        """`@init`, `@loss` and `@optimize`."""
        self.functions.define("init", self._arguments("pf", "pi"), self._init, private=False)
        learning = Learning(self.plan, self.layout, op)
        loss = self.functions.define(
            LOSS, self._arguments("pf", "pi", "in"), lambda emitter, given: self._loss(emitter, given, learning), private=False
        )
        loss.arg_attrs = ArrayAttr([learned_attribute(learning.ranges), DictionaryAttr({}), DictionaryAttr({})])
        learning.define_optimizer(self.functions)

    def _loss(self, emitter: BlockEmitter, arguments: list[SSAValue], learning: Learning) -> list[SSAValue]:
        """A trial from the beginning of the model, its outputs, and the sum of its losses."""
        buffers = dict[Buffer, SSAValue](zip(("pf", "pi", "in"), arguments, strict=True))
        buffers |= zip(STATE_BUFFERS, self._init(emitter, arguments[:2]), strict=True)
        state = MachineState(emitter, self.layout, buffers, {}, cached=True)
        if isinstance(start := buffers["sf"].owner, Operation):
            reset = [self.layout[path] for path in certainly_reset(self.plan)]
            ends = [value for slot in reset if slot.buffer == "sf" for value in (slot.offset, slot.size)]
            start.attributes[START] = DenseArrayBase.from_list(i64, ends)
        *_, out, _ = self._one_trial(state)
        return [out, learning.loss(state)]

    def _arguments(self, *buffers: Buffer) -> list[tuple[str, Attribute]]:
        return [(buffer, self.layout.type_of(buffer)) for buffer in buffers]

    def _generators(self) -> list[tuple[str, Attribute]]:
        return [(MachineState.hint(slot.path), slot.type) for slot in self.layout.generator_slots]

    def _init(self, emitter: BlockEmitter, parameters: list[SSAValue]) -> list[SSAValue]:
        """The state before the first trial: the initial values, which begin the parameter buffers, then zeros."""
        buffers: list[SSAValue] = []
        for buffer, held in zip(STATE_BUFFERS, parameters, strict=True):
            count = sum(slot.size for slot in self.layout if slot.buffer == buffer and self.layout.has_initial(slot.path))
            state = emitter.zero(self.layout.type_of(buffer))
            buffers.append(store_words(emitter, state, 0, words(emitter, held, 0, count)) if count else state)
        return buffers

    def _trial(self, emitter: BlockEmitter, arguments: list[SSAValue]) -> list[SSAValue]:
        buffers = dict[Buffer, SSAValue](zip(("pf", "pi", "in", "sf", "si"), arguments, strict=False))
        generators = dict(zip(self.layout.generators, arguments[5:], strict=True))
        state = MachineState(emitter, self.layout, buffers, generators, cached=True)
        if isinstance(self.plan.schedule.run_ends, s.Never):
            return self._one_trial(state)
        return self._unless_run_is_over(state)

    def _one_trial(self, state: MachineState) -> list[SSAValue]:
        """A trial, and what `@trial` returns after it."""
        emitter = state.emitter
        if "status" in self.layout:
            state.write("status", emitter.integer(0))
        flags = [(path, path.removeprefix("out:")) for path in self.layout.flags]
        state.clear([flag for _, flag in flags])
        externals = [state.read(path) for path in self.layout.inputs]
        outputs = self.trials.trial(state, self.plan, Surroundings(externals))
        status = state.read("status") if "status" in self.layout else emitter.integer(0)
        out = emitter.value(tensor.EmptyOp((), self.layout.type_of("out")), "out")
        state.buffers["out"] = out
        for path, value in zip(self.layout.outputs, outputs, strict=True):
            state.write(path, with_elements(emitter, value, f64) if self.outputs_as_numbers else value)
        for path, flag in flags:
            state.write(path, state.read(flag))
        end_traces(state)
        carried = state.carried()
        return [*carried, state.buffers["out"], status]

    def _unless_run_is_over(self, state: MachineState) -> list[SSAValue]:
        """A trial, unless the run's termination condition holds before it."""
        emitter = state.emitter
        over = ConditionEmitter(self.plan).holds(state, self.plan.schedule.run_ends)
        over.name_hint = "run_is_over"
        nothing = emitter.zero(self.layout.type_of("out"))
        old = [*state.carried(), nothing, emitter.integer(RUN_IS_OVER)]
        return emitter.conditional(emitter.negation(over), old, lambda inner: self._one_trial(state.fork(inner)))
