"""
Builds the native entry `@estimates`: many simulations of one model from one state, each with a seed for each of its generators.

```mlir
func.func @estimates(%pf, %pi, %sf, %si, %in: memref<?xIxf64>, %n_in: i64, %out: memref<?xOxf64>, %lengths: memref<?xi64>, %first: i64,
                     %count: i64, %trials: i64, %seeds: memref<?xGxi64>, %normals: memref<?xf64>, %address: i64, %capacity: i64,
                     %reserve: i64, %control: memref<8xi64>) -> i32
```

It is `@replicates` (`replicates.py`) with other streams: in replicate `r`, generator `g` is `RandomState([seeds[r, g]])`, or the like of
another kind. Normals of presampled generators (`presample-normals`) are drawn in blocks, into %normals, whose address is %address. There
each lane has %capacity for each such generator, which is %reserve and a block at least:

    before each trial, for each generator:
        if fewer than %reserve normals are left:  move these to the beginning; draw blocks until there are enough

A trial that takes more than it has found repeats normals, so its replicate ends before it, and `lengths` says that it had fewer trials than
it should. The caller repeats such a replicate with a larger reserve. In lanes that draw few normals at a time, they are drawn as they are
needed instead (`lane_normals.py`), and %normals is not used.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, MemRefType, StridedLayoutAttr, f64, i64
from xdsl.ir import Attribute, SSAValue

from cogir.dialects.rng import ALL_WORDS, DRAW_PREFIX, PRESAMPLED
from cogir.irutils import shape_of, size_of
from cogir.library.random.blocks import ADDRESS, BLOCK, BLOCK_NORMALS, DRAWN, TAKEN
from cogir.lowering.entry.code import Code
from cogir.lowering.entry.control_flow import loop, move, when
from cogir.lowering.entry.replicates import ARGUMENTS, ReplicatesEntry
from cogir.transforms.replicate import STREAMS

NAME = "estimates"
DRAW = f"{DRAW_PREFIX}mt19937_{BLOCK}"
"""The function that draws a block."""
OWN = ("seeds", "normals", "address", "capacity", "reserve")


class EstimatesEntry(ReplicatesEntry):
    """Builds `@estimates` from the functions of a module for estimates."""

    def __init__(self, functions: Mapping[str, func.FuncOp], stoppable: set[str], traced: bool = False):
        super().__init__(functions, stoppable, traced)
        self.name = NAME
        types = functions[STREAMS].function_type.inputs.data
        self.sources = [cast("MemRefType[Any]", type) for type in types[len(types) // 2 :]]
        """The states of the generators that are seeded."""
        self.presampled = [number for number, type in enumerate(self.states) if shape_of(type) == (ALL_WORDS[PRESAMPLED],)]
        """The generators whose normals are drawn in blocks, by number; none if lanes draw them as they go."""
        if self.normals is not None:
            self.presampled = []
        self.block = MemRefType(f64, (BLOCK_NORMALS,), StridedLayoutAttr([1], None))
        if self.presampled:
            draw = func.FuncOp.external(DRAW, [self.sources[self.presampled[0]], self.block], [i64])
            self.declared.append(draw)
            self.functions = {**functions, DRAW: draw}

    def generator_count(self, inputs: int) -> int:
        return inputs // 2

    def signature(self) -> dict[str, Attribute]:
        found = super().signature()
        own: dict[str, Attribute] = dict.fromkeys(OWN, i64)
        own |= {"seeds": MemRefType(i64, (DYNAMIC_INDEX, max(1, len(self.states)))), "normals": MemRefType(f64, (DYNAMIC_INDEX,))}
        found |= own
        names = [*(name for name in ARGUMENTS if name not in ("seed", "control")), *OWN, "control"]
        return {name: found[name] for name in (*names, *(["trace"] if self.traced else []))}

    def make_memory(self, code: Code) -> None:
        super().make_memory(code)
        words = sum(size_of(self.sources[number]) for number in self.presampled)
        self.own["source"] = self.memory(code, MemRefType(i64, (max(1, words),)), "source")
        self.held_count = code.value(memref.AllocaOp.get(i64, shape=[1]), "held")

    def begin(self, code: Code, lane: SSAValue, number: SSAValue) -> None:
        """A lane begins a replicate, with its generators seeded, and no normals drawn."""
        self.begin_replicate(code, lane, number)
        self.start_from_given(code, lane)
        self.begin_streams(code, lane, number)

    def begin_streams(self, code: Code, lane: SSAValue, number: SSAValue) -> None:
        if not self.presampled:
            super().begin_streams(code, lane, number)
            return
        generators = self.generators(code, lane)
        targets = [self.source(code, lane, each) if each in self.presampled else generators[each] for each in range(len(generators))]
        self.seed_streams(code, number, targets)
        for each in self.presampled:
            first = self.first_normal(code, lane, each)
            bytes = code.value(arith.MuliOp(first, code.constant(8)))
            code.store(code.value(arith.AddiOp(self.given["address"], bytes)), generators[each], ADDRESS)
            code.store(code.constant(0), generators[each], TAKEN)
            code.store(code.constant(0), generators[each], DRAWN)

    def stream_words(self, code: Code, number: SSAValue) -> list[SSAValue]:
        place = code.value(arith.IndexCastOp(number, IndexType()))
        columns = [code.constant(each, IndexType()) for each in range(len(self.states))]
        return [code.value(memref.LoadOp.get(self.given["seeds"], [place, column]), "seed") for column in columns]

    def idle_value(self, code: Code, type: MemRefType[Any]) -> SSAValue:
        """Zeros; the states of presampled generators need an address from which lanes without a replicate can read."""
        is_state = type.element_type == i64 and shape_of(type) == (ALL_WORDS[PRESAMPLED], self.lanes)
        return self.given["address"] if is_state and self.presampled else super().idle_value(code, type)

    def source(self, code: Code, lane: SSAValue, number: int) -> SSAValue:
        """The generator from which the normals of a presampled one are drawn."""
        offset = sum(size_of(self.sources[each]) for each in self.presampled if each < number)
        type = self.sources[number]
        return code.value(memref.SubviewOp.get(self.own["source"], [lane, offset], [1, size_of(type)], [1, 1], type))

    def first_normal(self, code: Code, lane: SSAValue, number: int) -> SSAValue:
        """The place in %normals of a generator's first one."""
        lanes = code.value(arith.MuliOp(code.value(arith.IndexCastOp(lane, i64)), code.constant(len(self.presampled))))
        which = code.value(arith.AddiOp(lanes, code.constant(self.presampled.index(number))))
        return code.value(arith.MuliOp(which, self.given["capacity"]), "first")

    def prepare_trial(self, code: Code, lane: SSAValue) -> None:
        """Draws normals for a trial where fewer than the reserve are left."""
        super().prepare_trial(code, lane)
        generators = self.generators(code, lane)
        for number in self.presampled:
            words = generators[number]
            left = code.value(arith.SubiOp(code.load(words, DRAWN), code.load(words, TAKEN)), "left")
            few = code.compare(left, "slt", self.given["reserve"])
            when(code, few, lambda code, number=number, words=words, left=left: self.refill(code, lane, number, words, left))

    def refill(self, code: Code, lane: SSAValue, number: int, words: SSAValue, left: SSAValue) -> None:
        """Moves the normals that are left to the beginning, and draws blocks behind them."""
        first = self.first_normal(code, lane, number)
        move(code, self.given["normals"], first, code.value(arith.AddiOp(first, code.load(words, TAKEN))), left)
        code.store(left, self.held_count, 0)
        source = self.source(code, lane, number)

        def are_few(code: Code) -> SSAValue:
            return code.compare(code.load(self.held_count, 0), "slt", self.given["reserve"])

        def draw(code: Code) -> None:
            held = code.load(self.held_count, 0)
            place = code.value(arith.IndexCastOp(code.value(arith.AddiOp(first, held)), IndexType()))
            target = code.value(memref.SubviewOp.get(self.given["normals"], [place], [BLOCK_NORMALS], [1], self.block))
            drawn = self.call(code, DRAW, [source, target])
            code.store(code.value(arith.AddiOp(held, drawn)), self.held_count, 0)

        loop(code, are_few, draw)
        code.store(code.constant(0), words, TAKEN)
        code.store(code.load(self.held_count, 0), words, DRAWN)

    def finish_trial(self, code: Code, lane: SSAValue, status: SSAValue) -> None:
        """The next trial, unless one has taken more normals than there were: then the replicate is over, without this trial."""
        for number, words in enumerate(self.generators(code, lane)):
            if number in self.presampled:
                spent = code.compare(code.load(words, TAKEN), "sgt", code.load(words, DRAWN))
                status = code.select(spent, code.constant(-1), status)
        super().finish_trial(code, lane, status)
