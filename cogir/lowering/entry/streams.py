"""
Seeds the streams of many replicates together.

`@replicate_streams` seeds the generators of one replicate. Where all of them are of mt19937, the entry seeds those of 32 replicates at
once (`cogir.library.random.streams`), and each replicate takes its own when it begins:

    replicate r begins:
        if few replicates are left, and r is not seeded:  @replicate_streams
        else:
            if r is not seeded:  for each generator: the keys of r, r + 1, ...; @cogir_rng_mt19937_streams
            the states of r are copied
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import IndexType, IntegerAttr, MemRefType, StridedLayoutAttr, i64
from xdsl.ir import BlockArgument, OpResult, SSAValue

from cogir.dialects.rng import DRAW_PREFIX
from cogir.library.random.rng import MASK_32
from cogir.library.random.streams import COUNT, ROWS, STATE, STREAMS
from cogir.library.random.streams import FIRST as FIRST_ROW
from cogir.lowering.convert_scf_to_cf import LOOP_HINT
from cogir.lowering.entry.code import Code
from cogir.lowering.entry.control_flow import AS_IT_IS, for_each, when

SEED = f"{DRAW_PREFIX}mt19937_{STREAMS}"
"""The function that seeds many streams."""
LENGTHS = {f"{DRAW_PREFIX}mt19937_{name}": length for name, length in (("seed", 1), ("keyed", 3), ("keyed4", 4))}
"""The functions that seed one, and how many numbers their keys have."""
FEWEST = 5
"""With fewer replicates left, seeding 32 streams takes longer than seeding each."""
FIRST = 0
"""The word that says of which replicate the first states are."""


def key_words(streams: func.FuncOp) -> list[list[SSAValue]] | None:
    """
    The numbers of the key of each generator that `@replicate_streams` seeds: its arguments, and constants. None if a generator is of
    another kind, or gets its state in another way.
    """
    holds: dict[SSAValue, list[SSAValue]] = {}
    for op in streams.body.block.ops:
        match op:
            case func.CallOp() if op.callee.string_value() in LENGTHS:
                *numbers, state = op.arguments
                holds[root_of(state)] = numbers
            case memref.CopyOp() if root_of(op.source) in holds:
                holds[root_of(op.destination)] = holds[root_of(op.source)]
            case arith.ConstantOp() | memref.AllocaOp() | memref.AllocOp() | memref.CastOp() | memref.DeallocOp() | func.ReturnOp():
                pass
            case _:
                return None
    states = [argument for argument in streams.args if isinstance(argument.type, MemRefType)]
    return [holds[state] for state in states] if states and all(state in holds for state in states) else None


def root_of(buffer: SSAValue) -> SSAValue:
    """The buffer that casts show in other types."""
    while isinstance(buffer, OpResult) and isinstance(buffer.op, memref.CastOp):
        buffer = buffer.op.source
    return buffer


class StreamsTogether:
    """The streams of replicates whose generators all are of mt19937."""

    def __init__(self, keys: list[list[SSAValue]]):
        """`keys`: those of `key_words`."""
        self.keys = keys
        row = StridedLayoutAttr([1], None)
        self.state = MemRefType(i64, (STATE,), row)
        self.seed = func.FuncOp.external(SEED, [i64, MemRefType(i64, (ROWS * COUNT,), row)], [])

    def allocate(self, code: Code) -> list[SSAValue]:
        """Makes the memory, and returns what is to be freed."""
        self.rows = code.value(memref.AllocOp.get(i64, 64, shape=[ROWS * COUNT]), "rows")
        self.states = [code.value(memref.AllocOp.get(i64, 64, shape=[STATE * COUNT]), "states") for _ in self.keys]
        self.first = code.value(memref.AllocaOp.get(i64, shape=[1]), "first_seeded")
        code.store(code.constant(-COUNT), self.first, FIRST)
        return [self.rows, *self.states]

    def begin(
        self,
        code: Code,
        number: SSAValue,
        last: SSAValue,
        words: Callable[[Code, SSAValue], Sequence[SSAValue]],
        targets: Sequence[SSAValue],
        seed_one: Callable[[Code], None],
    ) -> None:
        """
        Gives the states of replicate `number`, of those before `last`, to the targets. `words` are the numbers that `@replicate_streams`
        takes for a replicate, and `seed_one` calls it for this one.
        """
        is_new = code.compare(self.place(code, number), "sge", code.constant(COUNT))
        few = code.compare(code.value(arith.SubiOp(last, number)), "slt", code.constant(FEWEST))
        alone = code.value(arith.AndIOp(is_new, few))
        when(code, alone, seed_one)

        def take(code: Code) -> None:
            when(code, is_new, lambda code: self.fill(code, number, last, words))
            offset = code.value(arith.MuliOp(self.place(code, number), code.constant(STATE)))
            start = code.value(arith.IndexCastOp(offset, IndexType()))
            for states, target in zip(self.states, targets, strict=True):
                own = code.value(memref.SubviewOp.get(states, [start], [STATE], [1], self.state))
                code.builder.insert(memref.CopyOp(own, target))

        when(code, code.compare(code.value(arith.ExtUIOp(alone, i64)), "eq", code.constant(0)), take)

    def place(self, code: Code, number: SSAValue) -> SSAValue:
        """The place of a replicate among those that are seeded."""
        return code.value(arith.SubiOp(number, code.load(self.first, FIRST)))

    def fill(self, code: Code, number: SSAValue, last: SSAValue, words: Callable[[Code, SSAValue], Sequence[SSAValue]]) -> None:
        """Seeds the streams of a replicate and those after it; beyond the last one, its are seeded again."""
        code.store(number, self.first, FIRST)
        final = code.value(arith.SubiOp(last, code.constant(1)))
        for key, states in zip(self.keys, self.states, strict=True):

            def enter(code: Code, stream: SSAValue, key: list[SSAValue] = key) -> None:
                place = code.value(arith.IndexCastOp(stream, i64))
                replicate = code.value(arith.MinSIOp(code.value(arith.AddiOp(number, place)), final))
                given = words(code, replicate)
                for position, word in enumerate(key):
                    at = code.value(arith.AddiOp(stream, code.constant(position * COUNT, IndexType())))
                    code.builder.insert(memref.StoreOp.get(self.word(code, word, given), self.rows, [at]))

            for_each(code, COUNT, enter)
            rows = code.value(memref.CastOp.get(self.rows, cast("MemRefType[Any]", self.seed.function_type.inputs.data[1])))
            code.builder.insert(func.CallOp(SEED, [code.constant(len(key)), rows], []))
            self.transpose(code, states)

    def transpose(self, code: Code, states: SSAValue) -> None:
        """Puts the words of each state side by side, which lie beside those of the others."""

        def of_word(code: Code, word: SSAValue) -> None:
            row = code.value(arith.AddiOp(word, code.constant(FIRST_ROW, IndexType())))
            before = code.value(arith.MuliOp(row, code.constant(COUNT, IndexType())))

            def of_stream(code: Code, stream: SSAValue) -> None:
                held = code.value(memref.LoadOp.get(self.rows, [code.value(arith.AddiOp(before, stream))]))
                lower = code.value(arith.AndIOp(held, code.constant(MASK_32)))
                start = code.value(arith.MuliOp(stream, code.constant(STATE, IndexType())))
                code.builder.insert(memref.StoreOp.get(lower, states, [code.value(arith.AddiOp(start, word))]))

            # Gathered into vectors, words would take as long, and compiling longer.
            for_each(code, COUNT, of_stream, "stream").attributes[LOOP_HINT] = AS_IT_IS

        for_each(code, STATE, of_word, "word").attributes[LOOP_HINT] = AS_IT_IS

    def word(self, code: Code, word: SSAValue, given: Sequence[SSAValue]) -> SSAValue:
        """A number of a key, where the first arguments of `@replicate_streams` are given."""
        if isinstance(word, BlockArgument):
            return given[word.index]
        assert isinstance(word, OpResult)
        assert isinstance(word.op, arith.ConstantOp)
        assert isinstance(word.op.value, IntegerAttr)
        return code.constant(word.op.value.value.data)


def streams_together(streams: func.FuncOp) -> StreamsTogether | None:
    """The streams that are seeded together; None if the generators of a replicate are of other kinds."""
    keys = key_words(streams)
    return None if keys is None else StreamsTogether(keys)
