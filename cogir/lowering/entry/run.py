"""
Adds the native entry: `@run`, which runs trials one after the other and can be stopped and resumed; or `@learn` (`learn.py`).

Before: `@trial` on memory, as `bufferize` leaves it: parameters, input, state, generators, then the outputs'
        destination; it returns a status. A module without `@trial` is left as it is.
After:  `@run` beside it, which Python calls; `@trial` is private, streams are gone (the run-time has their states), and
        every `scf.while` that a trial may reach asks now and then whether it should stop:

```mlir
func.func @run(%pf, %pi, %sf, %si, %rng, %in: memref<?xIxf64>, %n_in: i64, %out: memref<?xOxf64>,
               %first: i64, %count: i64, %control: memref<16xi64>) -> i32
```

Trial `first <= t < first + count` reads input row `t % n_in` and writes output row `t - first`. `control` holds: 0 the
stop flag, 1 the trials done, 2 the node of a step limit, 3 a budget of trials (0: none), 4 a count of polls, 5 zero, 6 the
address of a function that shares parts of a call among threads (0: none), 7 that of one that launches kernels, 8 the
searches that found their optimum by boxes, 9 those that gave boxes up, 10 the boxes bounded, 11 the points evaluated in
them. The flag and the budget may be set while `@run` runs; the budget ends it only between two trials. The result is 0 when
the trials are done or the run ended itself, 1 when it was stopped, 2 when a node hit its step limit. A trial that was
stopped on its way is not counted, and leaves a state that is of no use.

A trial that records traces (`lowering/machine/traces.py`) writes them into memory that `@run` takes as its last argument,
`%trace: memref<?xi64>` (`traces.py`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import arith, func, memref, scf
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DictionaryAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
    ModuleOp,
    StringAttr,
    UnitAttr,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from cogir.analysis.first_optimum import FIRST_OPTIMUM
from cogir.analysis.signatures import BRIEF, HELPED, KERNEL, LAUNCH, PARALLEL, called_functions, callees_first
from cogir.dialects.rng import AHEAD_KIND, ALL_WORDS, DRAW_PREFIX, STATE_WORDS, StreamOp
from cogir.errors import LoweringError
from cogir.interpreters.searched import COUNT_SEARCH
from cogir.interpreters.traces import FUNCTIONS as TRACING
from cogir.irutils import shape_of, size_of
from cogir.library.random.ahead import GIVEN_BACK
from cogir.lowering.draw_ahead import KIND, is_larger
from cogir.lowering.entry.blocks import TrialBlocks
from cogir.lowering.entry.code import (
    BUDGET,
    CONTROL,
    DONE,
    ENDED,
    FINISHED,
    NODE,
    POLL,
    STEP_LIMIT,
    STOPPED,
    Code,
    count_search_function,
    plain,
    poll_function,
    volatile_poll_function,
)
from cogir.lowering.entry.estimates import EstimatesEntry
from cogir.lowering.entry.learn import NAME as LEARN
from cogir.lowering.entry.learn import LearnEntry
from cogir.lowering.entry.replicates import ReplicatesEntry
from cogir.lowering.entry.replicates_kernel import ReplicatesKernel
from cogir.lowering.entry.search_kernel import SearchKernel, points_of
from cogir.lowering.entry.stop_searches import add_poll_to_search, searches
from cogir.lowering.entry.traces import TRACE, hand_over, records, trace_functions
from cogir.lowering.gradient.differentiate import GRADIENT
from cogir.lowering.library.symbols import make_room
from cogir.lowering.machine.learning import OPTIMIZE
from cogir.transforms.batch_trials import AHEAD, GRADIENTS, TRIALS
from cogir.transforms.convert_long_for_to_while import BLOCKS, POLL_EVERY
from cogir.transforms.fill_lanes import BEGIN, END, ITERATE
from cogir.transforms.replicate import STREAMS, is_seeded

ENTRY = "trial"
GIVE_BACK = f"{DRAW_PREFIX}{AHEAD_KIND}_{GIVEN_BACK}"
"""The function that makes what NumPy has of the state of a generator that makes normals ahead."""


def add_poll(loop: scf.WhileOp, control: SSAValue) -> None:
    """while cond  ->  while cond and not (every 256th iteration, or with `cog.blocks` each one but the first: stop requested)"""
    before, after = loop.before_region.block, loop.after_region.block
    iteration = before.insert_arg(i64, len(before.args))
    iteration.name_hint = "iteration"
    next_iteration = after.insert_arg(i64, len(after.args))
    condition, end = cast(scf.ConditionOp, before.last_op), cast(Operation, after.last_op)
    code = Code(Builder(InsertPoint.before(condition)))
    if BLOCKS in loop.attributes:
        is_due = code.compare(iteration, "ne", code.constant(1))
    else:
        low = code.value(arith.AndIOp(iteration, code.constant(POLL_EVERY - 1)))
        is_due = code.compare(low, "eq", code.constant(0))
    asked, not_asked = Block(), Block()
    asking = Code.at_end(asked)
    stop = asking.value(func.CallOp(POLL, [control], [i1]))
    asking.builder.insert(scf.YieldOp(stop))
    waiting = Code.at_end(not_asked)
    waiting.builder.insert(scf.YieldOp(waiting.constant(0, i1)))
    stop = code.value(scf.IfOp(is_due, [i1], Region(asked), Region(not_asked)), "stop")
    go_on = code.value(arith.XOrIOp(stop, code.constant(1, i1)))
    still = code.value(arith.AndIOp(condition.condition, go_on))
    condition.operands = [still, *condition.args, iteration]
    code = Code(Builder(InsertPoint.before(end)))
    end.operands = [*end.operands, code.value(arith.AddiOp(next_iteration, code.constant(1)))]
    code = Code(Builder(InsertPoint.before(loop)))
    arguments = [*loop.arguments, code.constant(1)]
    types = [*loop.result_types, i64]
    regions = [loop.detach_region(region) for region in (loop.before_region, loop.after_region)]
    new = scf.WhileOp(arguments, types, regions[0], regions[1])
    new.attributes |= loop.attributes
    code.builder.insert(new)
    for old, fresh in zip(loop.results, new.results, strict=False):
        old.replace_all_uses_with(fresh)
    loop.detach()
    loop.erase()


def make_stoppable(functions: Sequence[func.FuncOp], roots: Sequence[str], always: Collection[str] = ()) -> set[str]:
    """
    Lets the while loops and the searches of `roots` and of what they call ask for the stop flag; returns who now takes `control` as its
    last argument. `functions` come callees first. What other public functions call stays as it is. Those in `always` take `control`, too.
    """
    callees = {function.sym_name.data: set(called_functions(function)) for function in functions}

    def reached(starts: Sequence[str]) -> set[str]:
        found: set[str] = set()
        pending = list(starts)
        while pending:
            name = pending.pop()
            if name not in found:
                found.add(name)
                pending.extend(callees.get(name, ()))
        return found

    private = StringAttr("private")
    others = [f.sym_name.data for f in functions if f.sym_visibility != private and f.sym_name.data not in roots]
    candidates = reached(roots) - reached(others)
    stoppable: set[str] = set()
    calls = [op for function in functions for op in function.body.walk() if isinstance(op, func.CallOp)]
    parallel = {call.callee.string_value() for call in calls if PARALLEL in call.attributes or LAUNCH in call.attributes}
    for function in functions:
        name = function.sym_name.data
        loops = [op for op in function.body.walk() if isinstance(op, scf.WhileOp)]
        points = [] if BRIEF in function.attributes else searches(function, stoppable)
        if name not in candidates or not (loops or points or name in parallel or name in always or callees[name] & stoppable):
            continue
        stoppable.add(name)
        control = add_argument(function)
        for loop in points:
            add_poll_to_search(loop, control, POLL, stoppable)
        for loop in loops:
            add_poll(loop, control)
        for call in [op for op in function.body.walk() if isinstance(op, func.CallOp)]:
            if call.callee.string_value() in stoppable:
                call.operands = [*call.operands, control]
                if PARALLEL in call.attributes or LAUNCH in call.attributes:
                    call.attributes[HELPED] = UnitAttr()
    return stoppable


def add_argument(function: func.FuncOp, type: Attribute = CONTROL, name: str = "control") -> SSAValue:
    """Gives a function `control`, or something else, as its last argument."""
    entry = function.body.block
    control = entry.insert_arg(type, len(entry.args))
    control.name_hint = name
    if function.arg_attrs is not None:
        function.arg_attrs = ArrayAttr([*function.arg_attrs, DictionaryAttr({})])
    function.update_function_type()
    return control


def as_given(type: MemRefType[Any]) -> MemRefType[Any]:
    """The type of the words of a generator in the rng buffer."""
    return MemRefType(i64, (STATE_WORDS[KIND],)) if is_larger(type) else type


class RunEntry:
    """Builds `@run` around `@trial`."""

    name = "run"

    def __init__(self, functions: Mapping[str, func.FuncOp], stoppable: Collection[str], traced: bool = False):
        """`traced`: the last argument of the trial is the memory of traces. `stoppable`: the functions whose last one is `control`."""
        self.functions = functions
        self.stoppable = stoppable
        self.declared: list[func.FuncOp] = []
        """The functions that it calls and the module lacks."""
        trial = functions[ENTRY]
        takes_control = ENTRY in stoppable
        self.traced = traced
        types = list(trial.function_type.inputs)
        if traced:
            types.pop()
        if takes_control:
            types.pop()
        self.takes_control = takes_control
        if len(types) < 6 or not all(isinstance(type, MemRefType) for type in types) or len(trial.function_type.outputs) != 1:
            raise LoweringError(
                "add-entry: @trial must take the buffers pf, pi, in, sf, si, the generators and the outputs' destination as "
                f"memrefs and return a status; it is {trial.function_type}; run bufferize on a module of stage machine"
            )
        self.types = [cast("MemRefType[Any]", type) for type in types]

    def build(self) -> func.FuncOp:
        pf, pi, inputs, sf, si, *states, outputs = self.types
        words = max(1, sum(size_of(as_given(state)) for state in states))
        names = ("pf", "pi", "sf", "si", "rng", "in", "n_in", "out", "first", "count", "control", *(("trace",) if self.traced else ()))
        types: list[Attribute] = [
            *(plain(type) for type in (pf, pi, sf, si)),
            MemRefType(i64, (words,)),
            MemRefType(inputs.element_type, (DYNAMIC_INDEX, *shape_of(inputs))),
            i64,
            MemRefType(outputs.element_type, (DYNAMIC_INDEX, *shape_of(outputs))),
            i64,
            i64,
            CONTROL,
            *([TRACE] if self.traced else []),
        ]
        attributes = [DictionaryAttr({"llvm.noalias": UnitAttr()} if isinstance(type, MemRefType) else {}) for type in types]
        function = func.FuncOp("run", (types, [i32]), arg_attrs=ArrayAttr(attributes))
        self.arguments = dict(zip(names, function.args, strict=True))
        for name, argument in self.arguments.items():
            argument.name_hint = name
        code = Code.at_end(function.body.block)
        self.states = self.generator_states(code, states)
        self.buffers = [
            self.cast(code, self.arguments[name], type) for name, type in zip(("pf", "pi", "sf", "si"), (pf, pi, sf, si), strict=True)
        ]
        self.blocks = None
        if TRIALS in self.functions:
            self.blocks = TrialBlocks(self.functions, self.stoppable, self.arguments["control"])
            self.blocks.allocate(code)
        before = Block(arg_types=[i32, i64])
        after = Block(arg_types=[i32, i64])
        self.emit_condition(before)
        self.emit_step(after)
        loop = scf.WhileOp([code.constant(FINISHED, i32), code.constant(0)], [i32, i64], Region(before), Region(after))
        status = code.value(loop, "status")
        self.give_back(code)
        if self.blocks is not None:
            self.blocks.free(code)
        ended = code.compare(status, "eq", code.constant(ENDED, i32))
        result = code.select(ended, code.constant(FINISHED, i32), status)
        code.builder.insert(func.ReturnOp(result))
        return function

    def cast(self, code: Code, buffer: SSAValue, type: MemRefType[Any]) -> SSAValue:
        return buffer if buffer.type == type else code.value(memref.CastOp.get(buffer, type), buffer.name_hint)

    def generator_states(self, code: Code, types: Sequence[MemRefType[Any]]) -> list[SSAValue]:
        """The parts of the rng buffer that hold the generators, in order; copies of those that make normals ahead."""
        states: list[SSAValue] = []
        self.copies: list[tuple[SSAValue, SSAValue, SSAValue]] = []
        """The states that make normals ahead, the part of each that the rng buffer has, and that."""
        offset = 0
        for type in types:
            size = size_of(as_given(type))
            part = memref.SubviewOp.from_static_parameters(
                self.arguments["rng"], cast("MemRefType[Any]", self.arguments["rng"].type), [offset], [size], [1]
            )
            offset += size
            held = code.value(part)
            if is_larger(type):
                larger = code.value(memref.AllocaOp.get(i64, shape=shape_of(type)))
                self.clear(code, larger, size)
                view = memref.SubviewOp.from_static_parameters(larger, cast("MemRefType[Any]", larger.type), [0], [size], [1])
                self.copies.append((self.cast(code, larger, type), code.value(view), held))
                code.builder.insert(memref.CopyOp(held, self.copies[-1][1]))
                states.append(self.copies[-1][0])
            else:
                states.append(self.cast(code, held, type))
        return states

    def clear(self, code: Code, words: SSAValue, first: int) -> None:
        """Zeros from a word on: no normals are left, and what is read beyond the words of a turn is a number."""
        lower, upper, step = (code.constant(bound, IndexType()) for bound in (first, ALL_WORDS[AHEAD_KIND], 1))
        block = Block(arg_types=[IndexType()])
        inner = Code.at_end(block)
        inner.builder.insert(memref.StoreOp.get(inner.constant(0), words, [block.args[0]]))
        inner.builder.insert(scf.YieldOp())
        code.builder.insert(scf.ForOp(lower, upper, step, [], Region(block)))

    def give_back(self, code: Code) -> None:
        """Copies generators that make normals ahead to the rng buffer, as they are without those that were not drawn."""
        if self.copies:
            self.declared.append(func.FuncOp.external(GIVE_BACK, [self.copies[0][0].type], []))
        for state, part, held in self.copies:
            code.builder.insert(func.CallOp(GIVE_BACK, [state], []))
            code.builder.insert(memref.CopyOp(part, held))

    def emit_condition(self, block: Block) -> None:
        """Go on while nothing happened and trials are left."""
        status, done = block.args
        code = Code.at_end(block)
        more = code.compare(done, "slt", self.arguments["count"])
        fine = code.compare(status, "eq", code.constant(FINISHED, i32))
        code.builder.insert(scf.ConditionOp(code.value(arith.AndIOp(more, fine)), status, done))

    def emit_step(self, block: Block) -> None:
        """One trial, unless a stop is requested or the budget is spent."""
        done = block.args[1]
        control = self.arguments["control"]
        code = Code.at_end(block)
        stop = code.value(func.CallOp(POLL, [control], [i1]), "stop")
        budget = code.load(control, BUDGET)
        limited = code.compare(budget, "sgt", code.constant(0))
        spent = code.value(arith.AndIOp(limited, code.compare(done, "sge", budget)), "spent")
        halt = code.value(arith.OrIOp(stop, spent), "halt")
        halted, running = Block(), Block()
        stopping = Code.at_end(halted)
        stopping.builder.insert(scf.YieldOp(stopping.constant(STOPPED, i32), done))
        if self.blocks is not None:
            self.emit_trials(running, done, limited, budget)
        else:
            self.emit_trial(running, done)
        step = code.builder.insert(scf.IfOp(halt, [i32, i64], Region(halted), Region(running)))
        code.builder.insert(scf.YieldOp(*step.results))

    def emit_trials(self, block: Block, done: SSAValue, limited: SSAValue, budget: SSAValue) -> None:
        """A block of trials where enough of them are left, else one trial."""
        assert self.blocks is not None
        code = Code.at_end(block)
        last = self.arguments["count"]
        last = code.select(limited, code.value(arith.MinSIOp(last, budget)), last)
        left = code.value(arith.SubiOp(last, done), "left")
        many, one = Block(), Block()
        inside = Code.at_end(many)
        rows = inside.value(arith.MinSIOp(left, inside.constant(self.blocks.size)), "rows")
        first = inside.value(arith.AddiOp(self.arguments["first"], done))
        status = self.blocks.call(inside, self.arguments, self.buffers, self.states, first, done, rows)
        self.emit_end(inside, status, done, rows)
        self.emit_trial(one, done)
        is_block = code.compare(left, "sge", code.constant(self.blocks.fewest))
        step = code.builder.insert(scf.IfOp(is_block, [i32, i64], Region(many), Region(one)))
        code.builder.insert(scf.YieldOp(*step.results))

    def emit_trial(self, block: Block, done: SSAValue) -> None:
        """One trial."""
        code = Code.at_end(block)
        control = self.arguments["control"]
        trial = code.value(arith.AddiOp(self.arguments["first"], done), "trial")
        row_in = code.value(arith.RemSIOp(trial, self.arguments["n_in"]))
        pf, pi, sf, si = self.buffers
        operands = [
            pf,
            pi,
            self.row(code, self.arguments["in"], row_in, self.types[2]),
            sf,
            si,
            *self.states,
            self.row(code, self.arguments["out"], done, self.types[-1]),
        ]
        if self.takes_control:
            operands.append(control)
        if self.traced:
            operands.append(self.arguments["trace"])
        status = code.value(func.CallOp("trial", operands, [i64]), "status")
        self.emit_end(code, status, done, code.constant(1))

    def emit_end(self, code: Code, status: SSAValue, done: SSAValue, trials: SSAValue) -> None:
        """What the status of so many trials means."""
        control = self.arguments["control"]
        stop = code.value(func.CallOp(POLL, [control], [i1]), "stop")
        limit = code.compare(status, "sgt", code.constant(0))
        node = code.value(arith.SubiOp(status, code.constant(1)))
        code.store(code.select(limit, node, code.load(control, NODE)), control, NODE)
        fine = code.compare(status, "eq", code.constant(0))
        other = code.select(limit, code.constant(STEP_LIMIT, i32), code.constant(ENDED, i32))
        result = code.select(fine, code.constant(FINISHED, i32), other)
        result = code.select(stop, code.constant(STOPPED, i32), result)
        counted = code.compare(result, "eq", code.constant(FINISHED, i32))
        now = code.select(counted, code.value(arith.AddiOp(done, trials)), done)
        code.store(now, control, DONE)
        code.builder.insert(scf.YieldOp(result, now))

    def row(self, code: Code, table: SSAValue, number: SSAValue, type: MemRefType[Any]) -> SSAValue:
        """One row of a table as the buffer that `@trial` takes."""
        index = code.value(arith.IndexCastOp(number, IndexType()))
        return code.value(memref.SubviewOp.get(table, [index, 0], [1, *shape_of(type)], [1, 1], type))


def add_search_kernels(module: ModuleOp, functions: Mapping[str, func.FuncOp]) -> bool:
    """Puts kernels in the place of the functions that stand for them; False if there are none."""
    searches = [function for function in functions.values() if isinstance(function.attributes.get(KERNEL), IntegerAttr)]
    for search in searches:
        module.body.block.detach_op(search)
    others = [function for function in functions.values() if function not in searches]
    taken = make_stoppable(others, [points_of(search) for search in searches]) if searches else set[str]()
    for search in searches:
        points = functions[points_of(search)]
        minimizes = search.attributes[FIRST_OPTIMUM] == StringAttr("minimize")
        module.body.block.add_ops(SearchKernel(search, points, points.sym_name.data in taken, minimizes).build())
    if searches:
        module.body.block.add_op(volatile_poll_function())
    return bool(searches)


def callers_of(functions: Sequence[func.FuncOp], name: str) -> list[str]:
    """The functions that call a function."""
    return [function.sym_name.data for function in functions if name in called_functions(function)]


def add_counts(module: ModuleOp, functions: Mapping[str, func.FuncOp], callers: Sequence[str], taken: Collection[str]) -> None:
    """Lets the functions that count searches do so in `control`, the last argument of those in `taken`; others do not count them."""
    for name in callers:
        calls = [op for op in functions[name].body.walk() if isinstance(op, func.CallOp) and op.callee.string_value() == COUNT_SEARCH]
        for call in calls:
            if name in taken:
                call.operands = [*call.operands, functions[name].args[-1]]
            else:
                call.detach()
                call.erase()
    module.body.block.erase_op(functions[COUNT_SEARCH])
    module.body.block.add_op(count_search_function())


def entry_of(functions: Mapping[str, func.FuncOp], stoppable: set[str], traced: bool) -> RunEntry | ReplicatesEntry:
    """The builder of the entry that a module is made for."""
    if STREAMS not in functions:
        return RunEntry(functions, stoppable, traced)
    return (EstimatesEntry if is_seeded(functions[STREAMS]) else ReplicatesEntry)(functions, stoppable, traced)


@dataclass(frozen=True)
class AddEntry(ModulePass):
    """Adds the native entry `@run` around `@trial`."""

    name = "add-entry"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        block = op.body.block
        for stream in [inner for inner in block.ops if isinstance(inner, StreamOp)]:
            block.erase_op(stream)
        functions = callees_first(op)
        named = {function.sym_name.data: function for function in functions}
        learning = [name for name in (GRADIENT, GRADIENTS) if name in named]
        if learning and OPTIMIZE in named and ENTRY not in named:
            make_room(op, (LEARN, POLL), "add-entry adds a function of that name")
            block.add_op(LearnEntry(named, make_stoppable(functions, (*learning, OPTIMIZE))).build())
            block.add_op(poll_function())
            for name in (*learning, OPTIMIZE):
                named[name].sym_visibility = StringAttr("private")
            return
        if add_search_kernels(op, named):
            return
        names = [name for name in (ENTRY, STREAMS, BEGIN, ITERATE, END, AHEAD, TRIALS) if name in named]
        if not names:
            return
        trial = named[names[0]]
        traced = records(trial)
        if traced and STREAMS in named and KERNEL in named[STREAMS].attributes:
            raise LoweringError("add-entry: kernels record no traces; leave out cog.record, or use the CPU (target cpu)")
        counting = callers_of(functions, COUNT_SEARCH)
        taken = make_stoppable(functions, names, [*([ENTRY] if traced else ()), *counting])
        if COUNT_SEARCH in named:
            add_counts(op, named, counting, taken)
        if traced:
            trace = add_argument(trial, TRACE, "trace")
            hand_over(trial, trial.args[-2], trace)
            called = [name for name in TRACING if name in named]
            for name in called:
                block.erase_op(named[name])
            block.add_ops(trace_functions(called))
        is_kernel = STREAMS in named and KERNEL in named[STREAMS].attributes
        if is_kernel:
            entry: RunEntry | ReplicatesEntry = ReplicatesKernel(named, taken)
        else:
            entry = entry_of(named, taken, traced)
        make_room(op, (entry.name, POLL), "add-entry adds a function of that name")
        block.add_op(entry.build())
        block.add_ops(entry.declared)
        block.add_op(volatile_poll_function() if is_kernel else poll_function())
        trial.sym_visibility = StringAttr("private")
