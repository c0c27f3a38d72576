"""
The lanes of an entry for replicates (`replicates.py`): their memory, and what is done for one of them at a time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, ArrayAttr, DictionaryAttr, IndexType, MemRefType, UnitAttr, i1, i64
from xdsl.ir import Attribute, SSAValue

from cogir.irutils import shape_of, size_of
from cogir.lowering.buffers.emission import LARGEST_ON_STACK
from cogir.lowering.entry.code import CONTROL, DONE, FINISHED, NODE, POLL, STEP_LIMIT, STOPPED, Code, plain
from cogir.lowering.entry.control_flow import cast_to, row, when
from cogir.lowering.entry.lane_normals import LaneNormals
from cogir.lowering.entry.normals import Normals
from cogir.lowering.entry.streams import StreamsTogether, streams_together
from cogir.lowering.entry.traces import TRACE
from cogir.transforms.fill_lanes import BEGIN, END, ITERATE
from cogir.transforms.normals_in_lanes import NORMALS
from cogir.transforms.replicate import STREAMS, has_points

NAME, SWEEP = "replicates", "sweep"
TRIAL = "trial"
NEXT, BUSY, RESULT, ITERATIONS, ANY = range(5)
"""Words of the lanes' own memory: next replicate, number of busy lanes, result, iterations so far, whether a lane is finished."""
ARGUMENTS = ("pf", "pi", "sf", "si", "in", "n_in", "out", "lengths", "first", "count", "trials", "seed", "control")
OF_SWEEPS = (*ARGUMENTS[:5], "vary", *ARGUMENTS[5:11], "per_point", "first_point", "seed", "control")
VARY = ("pf", "pi", "sf", "si", "in", "init")
"""The words of %vary."""
INIT = "init"


class ReplicateLanes:
    """The lanes of an entry for replicates, each of which takes a replicate, and begins and finishes its trials."""

    def __init__(self, functions: Mapping[str, func.FuncOp], stoppable: set[str], traced: bool = False):
        """`traced`: the last argument of the trial is the memory of traces."""
        self.functions = functions
        self.traced = traced
        self.stoppable = stoppable
        self.declared: list[func.FuncOp] = []
        """The functions of the library that the entry calls itself."""
        self.together = self.seeded_together()
        if self.together is not None:
            self.declared.append(self.together.seed)
        self.in_lanes = BEGIN in functions
        whole = functions[END if self.in_lanes else TRIAL]
        types = [cast("MemRefType[Any]", type) for type in whole.function_type.inputs.data]
        if traced:
            types.pop()
        if whole.sym_name.data in stoppable:
            types.pop()
        self.has_points = has_points(functions[STREAMS])
        generators = self.generator_count(len(functions[STREAMS].function_type.inputs))
        self.name = SWEEP if self.has_points else NAME
        self.pf, self.pi, self.input, self.sf, self.si, *self.states = types[: 5 + generators]
        self.output = types[-1]
        self.tables = types[5 + generators + 1 : -1] if self.in_lanes else []
        self.lane_count = shape_of(functions[ITERATE].function_type.inputs.data[-1])[0] if self.in_lanes else 1
        self.normals = self.normals_drawn_ahead()
        """Those of presampled generators, which are drawn before they are used."""
        if self.normals is not None:
            self.declared.append(self.normals.draw)

    def seeded_together(self) -> StreamsTogether | None:
        """The streams that are seeded for many replicates at once, if they can be."""
        return streams_together(self.functions[STREAMS])

    def normals_drawn_ahead(self) -> Normals | None:
        """The normals of presampled generators, if there are such generators."""
        if not self.in_lanes or NORMALS not in self.functions[ITERATE].attributes:
            return None
        return LaneNormals(self.functions[ITERATE], self.states, self.lane_count)

    def generator_count(self, inputs: int) -> int:
        """The number of generators of a trial, for which `@replicate_streams` has so many arguments."""
        return inputs - (3 if self.has_points else 2)

    def signature(self) -> dict[str, Attribute]:
        """The arguments by name, with their types."""
        inputs, outputs = (MemRefType(type.element_type, (DYNAMIC_INDEX, *shape_of(type))) for type in (self.input, self.output))
        buffers = [plain(type) for type in (self.pf, self.pi, self.sf, self.si)]
        names = ARGUMENTS
        type_of: dict[str, Attribute] = {name: i64 for name in OF_SWEEPS}
        type_of |= {"in": inputs, "out": outputs, "lengths": MemRefType(i64, (DYNAMIC_INDEX,)), "control": CONTROL}
        if self.has_points:
            names = OF_SWEEPS
            buffers = [MemRefType(type.element_type, (DYNAMIC_INDEX, *shape_of(type))) for type in buffers]
            type_of["vary"] = MemRefType(i64, (len(VARY),))
        if self.traced:
            names, type_of["trace"] = (*names, "trace"), TRACE
        type_of |= dict(zip(("pf", "pi", "sf", "si"), buffers, strict=True))
        return {name: type_of[name] for name in names}

    def function(self, results: Sequence[Attribute]) -> func.FuncOp:
        """The entry without a body; `given` then has its arguments."""
        names, types = zip(*self.signature().items(), strict=True)
        attributes = [DictionaryAttr({"llvm.noalias": UnitAttr()} if isinstance(type, MemRefType) else {}) for type in types]
        function = func.FuncOp(self.name, (types, results), arg_attrs=ArrayAttr(attributes))
        self.given: dict[str, SSAValue] = dict(zip(names, function.args, strict=True))
        for name, argument in self.given.items():
            argument.name_hint = name
        return function

    def make_memory(self, code: Code) -> None:
        """The memory of the lanes, and what all of them share."""
        self.heap: list[SSAValue] = []
        self.shared = [self.at_point(code, name) for name in ("pf", "pi")]
        self.last = code.value(arith.AddiOp(self.given["first"], self.given["count"]), "last")
        self.own = {
            "sf": self.memory(code, self.sf, "sf"),
            "si": self.memory(code, self.si, "si"),
            "rng": self.memory(code, MemRefType(i64, (max(1, sum(map(size_of, self.states))),)), "rng"),
            "replicate": self.memory(code, MemRefType(i64, ()), "replicate"),
            "trial": self.memory(code, MemRefType(i64, ()), "trial"),
        }
        if self.has_points:
            self.own["point"] = self.memory(code, MemRefType(i64, ()), "point")
        self.words = code.value(memref.AllocaOp.get(i64, shape=[5]), "words")
        code.store(code.constant(FINISHED), self.words, RESULT)
        code.store(code.constant(0), self.words, BUSY)
        code.store(code.constant(0), self.words, ITERATIONS)
        if self.together is not None:
            self.heap += self.together.allocate(code)
        if self.normals is not None:
            self.heap += self.normals.allocate(code, self.given)

    def memory(self, code: Code, type: MemRefType[Any], name: str) -> SSAValue:
        """Memory for a value of each lane."""
        shape = [self.lane_count, *shape_of(type)]
        on_heap = 8 * self.lane_count * size_of(type) > LARGEST_ON_STACK
        op = (memref.AllocOp if on_heap else memref.AllocaOp).get(type.element_type, shape=shape)
        buffer = code.value(op, f"own_{name}")
        if on_heap:
            self.heap.append(buffer)
        return buffer

    def take_next(self, code: Code, lane: SSAValue) -> None:
        """A lane takes the next replicate."""
        number = code.load(self.words, NEXT)
        self.add(code, NEXT, 1)
        self.begin(code, lane, number)

    def begin(self, code: Code, lane: SSAValue, number: SSAValue) -> None:
        """A lane begins a replicate."""
        self.begin_replicate(code, lane, number)
        if not self.has_points:
            self.start_from_given(code, lane)
            self.begin_streams(code, lane, number)
            return
        point = code.value(arith.DivSIOp(number, self.given["per_point"]), "point")
        self.put(code, "point", lane, code.value(arith.SubiOp(point, self.given["first_point"])))
        begins = code.compare(code.load(self.given["vary"], VARY.index("init")), "ne", code.constant(0))

        def from_the_beginning(code: Code) -> None:
            self.call(code, INIT, [*self.parameters(code, lane), *self.state(code, lane)])

        when(code, begins, from_the_beginning)
        when(code, code.value(arith.XOrIOp(begins, code.constant(1, i1))), lambda code: self.start_from_given(code, lane))
        self.begin_streams(code, lane, number)

    def stream_words(self, code: Code, number: SSAValue) -> list[SSAValue]:
        """The numbers from which `@replicate_streams` seeds the generators of a replicate."""
        if not self.has_points:
            return [self.given["seed"], number]
        point = code.value(arith.DivSIOp(number, self.given["per_point"]), "point")
        replicate = code.value(arith.SubiOp(number, code.value(arith.MuliOp(point, self.given["per_point"]))), "replicate")
        return [self.given["seed"], point, replicate]

    def begin_streams(self, code: Code, lane: SSAValue, number: SSAValue) -> None:
        """A lane gets the streams of a replicate."""
        states = self.generators(code, lane)
        if self.normals is None:
            self.seed_streams(code, number, states)
        else:
            self.seed_streams(code, number, self.normals.sources_of(code, lane, states))
            self.normals.begin(code, lane, states)

    def seed_streams(self, code: Code, number: SSAValue, states: Sequence[SSAValue]) -> None:
        """The states become those of a replicate's streams."""

        def seed_one(code: Code) -> None:
            self.call(code, STREAMS, [*self.stream_words(code, number), *states])

        if self.together is None:
            seed_one(code)
        else:
            self.together.begin(code, number, self.last, self.stream_words, states, seed_one)

    def begin_replicate(self, code: Code, lane: SSAValue, number: SSAValue) -> None:
        """A lane is busy with a replicate, of which no trial has begun."""
        self.add(code, BUSY, 1)
        self.put(code, "replicate", lane, number)
        self.put(code, "trial", lane, code.constant(0))

    def start_from_given(self, code: Code, lane: SSAValue) -> None:
        """The state of a lane becomes that which was given."""
        for name, type in (("sf", self.sf), ("si", self.si)):
            start = self.of_lane(code, name, lane)
            code.builder.insert(memref.CopyOp(start, row(code, self.own[name], lane, type)))

    def of_lane(self, code: Code, name: str, lane: SSAValue) -> SSAValue:
        """The values that a lane reads of the parameters or states that were given."""
        return self.at_point(code, name, self.get(code, "point", lane) if self.has_points else None)

    def at_point(self, code: Code, name: str, point: SSAValue | None = None) -> SSAValue:
        """The row of a point in a table that was given (of the first point, if none is named); all of the buffer without points."""
        type: MemRefType[Any] = getattr(self, name)
        if not self.has_points:
            return cast_to(code, self.given[name], type)
        number = code.constant(0) if point is None else self.row_of_point(code, name, point)
        return row(code, self.given[name], code.value(arith.IndexCastOp(number, IndexType())), type)

    def row_of_point(self, code: Code, name: str, point: SSAValue) -> SSAValue:
        """The number of the row of a point: 0 in tables that have one row for all."""
        return code.value(arith.MuliOp(point, code.load(self.given["vary"], VARY.index(name))))

    def parameters(self, code: Code, lane: SSAValue) -> list[SSAValue]:
        """The parameters of the replicate that a lane has."""
        return [self.of_lane(code, name, lane) for name in ("pf", "pi")] if self.has_points else self.shared

    def state(self, code: Code, lane: SSAValue) -> list[SSAValue]:
        """The memory for the state of a lane."""
        return [row(code, self.own[name], lane, type) for name, type in (("sf", self.sf), ("si", self.si))]

    def set_free(self, code: Code, lane: SSAValue) -> None:
        """A lane has no replicate any longer."""
        self.add(code, BUSY, -1)
        self.put(code, "replicate", lane, code.constant(-1))

    def add(self, code: Code, word: int, number: int) -> None:
        code.store(code.value(arith.AddiOp(code.load(self.words, word), code.constant(number))), self.words, word)

    def prepare_trial(self, code: Code, lane: SSAValue) -> None:
        """The work before a trial of a lane."""
        if self.normals is not None:
            self.normals.prepare(code, self.generators(code, lane))

    def one_trial(self, code: Code, lane: SSAValue) -> None:
        """The next trial of a lane."""
        self.prepare_trial(code, lane)
        row_in, row_out = self.rows(code, lane)
        self.finish_trial(code, lane, self.call(code, TRIAL, [*self.begun(code, lane, row_in), row_out]))
        self.stop_if_asked(code)
        stopped = code.compare(code.load(self.words, RESULT), "ne", code.constant(FINISHED))
        when(code, stopped, lambda code: self.set_free(code, lane))

    def finish_trial(self, code: Code, lane: SSAValue, status: SSAValue) -> None:
        """Reads the status of a trial: the next trial, or an end for this replicate."""
        trial = code.value(arith.AddiOp(self.get(code, "trial", lane), code.constant(1)), "trial")
        self.put(code, "trial", lane, trial)
        fine = code.compare(status, "eq", code.constant(0))
        when(code, fine, lambda code: code.store_at(trial, self.given["lengths"], self.place(code, lane)))
        when(code, code.compare(status, "sgt", code.constant(0)), lambda code: self.fail(code, lane, status))
        more = code.value(arith.AndIOp(fine, code.compare(trial, "slt", self.given["trials"])))
        over = code.value(arith.XOrIOp(more, code.constant(1, i1)))
        when(code, over, lambda code: self.set_free(code, lane))

    def fail(self, code: Code, lane: SSAValue, status: SSAValue) -> None:
        """A node hit its step limit, or a check failed: all replicates end."""
        code.store(self.get(code, "replicate", lane), self.given["control"], DONE)
        code.store(code.value(arith.SubiOp(status, code.constant(1))), self.given["control"], NODE)
        code.store(code.constant(STEP_LIMIT), self.words, RESULT)

    def place(self, code: Code, lane: SSAValue) -> SSAValue:
        """The number of a lane's replicate among those of the call."""
        return code.value(arith.SubiOp(self.get(code, "replicate", lane), self.given["first"]))

    def stop_if_asked(self, code: Code) -> None:
        stop = code.value(func.CallOp(POLL, [self.given["control"]], [i1]), "stop")
        when(code, stop, lambda code: code.store(code.constant(STOPPED), self.words, RESULT))

    def is_busy(self, code: Code, lane: SSAValue) -> SSAValue:
        return code.compare(self.get(code, "replicate", lane), "sge", code.constant(0))

    def is_idle(self, code: Code, lane: SSAValue) -> SSAValue:
        return code.value(arith.XOrIOp(self.is_busy(code, lane), code.constant(1, i1)))

    def is_left(self, code: Code) -> SSAValue:
        """True while nothing happened and replicates are left."""
        return code.value(arith.AndIOp(self.is_fine(code), self.are_left(code)))

    def are_left(self, code: Code) -> SSAValue:
        """True while replicates are left."""
        return code.compare(code.load(self.words, NEXT), "slt", self.last)

    def is_fine(self, code: Code) -> SSAValue:
        """True while nothing happened that ends the call."""
        return code.compare(code.load(self.words, RESULT), "eq", code.constant(FINISHED))

    def get(self, code: Code, name: str, lane: SSAValue) -> SSAValue:
        return code.value(memref.LoadOp.get(self.own[name], [lane]), name)

    def put(self, code: Code, name: str, lane: SSAValue, value: SSAValue) -> None:
        code.builder.insert(memref.StoreOp.get(value, self.own[name], [lane]))

    def rows(self, code: Code, lane: SSAValue) -> tuple[SSAValue, SSAValue]:
        """The rows of input and output of a lane's trial."""
        trial = self.get(code, "trial", lane)
        row_out = self.row_out(code, lane)
        row_in = code.value(arith.RemSIOp(trial, self.given["n_in"]))
        if self.has_points:
            first = code.value(arith.MuliOp(self.row_of_point(code, "in", self.get(code, "point", lane)), self.given["n_in"]))
            row_in = code.value(arith.AddiOp(first, row_in))
        numbers = [row_in, row_out]
        one, other = (code.value(arith.IndexCastOp(number, IndexType())) for number in numbers)
        return row(code, self.given["in"], one, self.input), row(code, self.given["out"], other, self.output)

    def row_out(self, code: Code, lane: SSAValue) -> SSAValue:
        """The number of the row of output of a lane's trial."""
        before = code.value(arith.MuliOp(self.place(code, lane), self.given["trials"]))
        return code.value(arith.AddiOp(before, self.get(code, "trial", lane)))

    def begun(self, code: Code, lane: SSAValue, row_in: SSAValue) -> list[SSAValue]:
        """The arguments with which a trial begins."""
        return [*self.parameters(code, lane), row_in, *self.state(code, lane), *self.generators(code, lane)]

    def generators(self, code: Code, lane: SSAValue) -> list[SSAValue]:
        """The generators of a lane."""
        found: list[SSAValue] = []
        offset = 0
        for type in self.states:
            found.append(code.value(memref.SubviewOp.get(self.own["rng"], [lane, offset], [1, size_of(type)], [1, 1], type)))
            offset += size_of(type)
        return found

    def call(self, code: Code, name: str, operands: Sequence[SSAValue]) -> SSAValue:
        """A call, of which the first result is of interest, if there is one."""
        wanted = self.functions[name].function_type
        given = [*operands, self.given["control"]] if name in self.stoppable else [*operands]
        if self.traced and name == TRIAL:
            given.append(self.given["trace"])
        held = [cast_to(code, value, cast("MemRefType[Any]", type)) for value, type in zip(given, wanted.inputs, strict=True)]
        call = code.builder.insert(func.CallOp(name, held, wanted.outputs.data))
        return call.results[0] if call.results else held[0]
