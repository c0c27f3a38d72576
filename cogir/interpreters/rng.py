"""
The meaning of `rng`: draws made by NumPy itself (`cogir.library.random.generators`), not by the bodies that are compiled. Normals that were
drawn before are read from memory.

A generator state is its words, an int64 array that nobody writes to; a draw makes the words of the next state.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ShapedType

from cogir.dialects import rng
from cogir.interpreters.arith import round_f32
from cogir.interpreters.engine import Engine, Meanings
from cogir.irutils import dtype_of, element_type_of, shape_of, size_of
from cogir.library.numerics.intrinsics import float_at
from cogir.library.random.blocks import presampled_normal
from cogir.library.random.generators import Stream, Words, seeded_words


def seed(op: rng.SeedOp, engine: Engine) -> Callable[..., Words]:
    kind = op.state.type.kind.data
    return lambda *key: seeded_words(kind, *key)


def draw(method: str) -> Callable[[rng.UniformOp | rng.NormalOp, Engine], Callable[[Words], tuple[Any, Words]]]:
    """Draws of floating-point numbers; f32 ones are the doubles, rounded."""

    def meaning(op: rng.UniformOp | rng.NormalOp, engine: Engine) -> Callable[[Words], tuple[Any, Words]]:
        kind, type = kind_of(op), op.value.type
        shape, dtype = shape_of(type), dtype_of(element_type_of(type))

        def run(words: Words) -> tuple[Any, Words]:
            stream = Stream(kind, words)
            value = getattr(stream, method)(shape)
            if isinstance(type, ShapedType):
                return np.reshape(value, shape).astype(dtype), stream.words
            return (value if dtype == np.float64 else round_f32(value)), stream.words

        return run

    return meaning


def normal(op: rng.NormalOp, engine: Engine) -> Callable[[Words], tuple[Any, Words]]:
    """Draws of normals; those of a presampled generator are in memory."""
    return presampled(op) if kind_of(op) == rng.PRESAMPLED else draw("normal")(op, engine)


def presampled(op: rng.NormalOp) -> Callable[[Words], tuple[Any, Words]]:
    """The next normals that were drawn before, in row-major order."""
    type = op.value.type
    shape, dtype = shape_of(type), dtype_of(element_type_of(type))

    def run(words: Words) -> tuple[Any, Words]:
        values = np.empty(size_of(type))
        for index in range(len(values)):
            values[index], words = presampled_normal(words)
        if isinstance(type, ShapedType):
            return values.reshape(shape).astype(dtype), words
        return (float(values[0]) if dtype == np.float64 else round_f32(float(values[0]))), words

    return run


def at_address(op: rng.PresampledOp, engine: Engine) -> Callable[[int], float]:
    return float_at


def integer(op: rng.IntegerOp, engine: Engine) -> Callable[[Words, int], tuple[Any, Words]]:
    """Draws of integers; 0 if there is none below the bound, which `checks.py` reports."""
    kind, type = kind_of(op), op.value.type

    def run(words: Words, below: int) -> tuple[Any, Words]:
        stream = Stream(kind, words)
        if not isinstance(type, ShapedType):
            return (stream.integer(below) if below > 0 else 0), stream.words
        values = [stream.integer(below) if below > 0 else 0 for _ in range(size_of(type))]
        return np.array(values, np.int64).reshape(shape_of(type)), stream.words

    return run


def sample(op: rng.SampleOp, engine: Engine) -> Callable[..., tuple[Any, Words]]:
    kind, type, distribution = kind_of(op), op.value.type, op.distribution.data
    shape = shape_of(type) if isinstance(type, ShapedType) else ()

    def run(words: Words, *parameters: Any) -> tuple[Any, Words]:
        stream = Stream(kind, words)
        return stream.sample(distribution, shape, *parameters), stream.words

    return run


def to_words(op: rng.ToWordsOp, engine: Engine) -> Callable[[Words], tuple[int, ...]]:
    return lambda words: tuple(words.tolist())


def from_words(op: rng.FromWordsOp, engine: Engine) -> Callable[..., Words]:
    return lambda *words: np.array(words, np.int64)


def kind_of(op: rng.UniformOp | rng.NormalOp | rng.IntegerOp | rng.SampleOp) -> str:
    """The kind of generator that is drawn from."""
    state = op.state.type
    assert isinstance(state, rng.StateType)
    return state.kind.data


MEANINGS = Meanings(
    value={rng.SeedOp: seed, rng.FromWordsOp: from_words, rng.PresampledOp: at_address},
    results={
        rng.UniformOp: draw("uniform"),
        rng.NormalOp: normal,
        rng.IntegerOp: integer,
        rng.SampleOp: sample,
        rng.ToWordsOp: to_words,
    },
)
