"""Compiled draws equal NumPy's bit for bit: a million of each kind, over seeds, after other draws, from any state."""

import ctypes
import pickle
from functools import cache
from typing import Any

import numpy as np
import pytest

from cogir.backend.jit import CompiledCode, compile_module
from cogir.dialects.text import CogParser, make_context
from cogir.library.random.generators import WORDS, Stream, initial_words, keyed_words, pack, unpack
from cogir.lowering.pipeline import PASSES

ROAD = ("bufferize", "expand-rng", "expand-math", "convert-linalg-to-loops", "convert-scf-to-cf", "convert-to-llvm")
CHUNK = 100_000
MILLION = 10
"""Chunks in a million."""

PROGRAM = """
func.func @uniform(%r: !rng.state<KIND>) -> (tensor<CHUNKxf64>, !rng.state<KIND>) {
  %v, %s = rng.uniform %r : !rng.state<KIND> -> tensor<CHUNKxf64>
  func.return %v, %s : tensor<CHUNKxf64>, !rng.state<KIND>
}
func.func @normal(%r: !rng.state<KIND>) -> (tensor<CHUNKxf64>, !rng.state<KIND>) {
  %v, %s = rng.normal %r : !rng.state<KIND> -> tensor<CHUNKxf64>
  func.return %v, %s : tensor<CHUNKxf64>, !rng.state<KIND>
}
func.func @integer(%r: !rng.state<KIND>, %n: i64) -> (tensor<CHUNKxi64>, !rng.state<KIND>) {
  %v, %s = rng.integer %r below %n : !rng.state<KIND> -> tensor<CHUNKxi64>
  func.return %v, %s : tensor<CHUNKxi64>, !rng.state<KIND>
}
func.func @mixed(%r: !rng.state<KIND>, %n: i64) -> (tensor<2xf64>, tensor<2x2xf64>, i64, !rng.state<KIND>) {
  %a, %r1 = rng.normal %r : !rng.state<KIND> -> f64
  %b, %r2 = rng.uniform %r1 : !rng.state<KIND> -> tensor<2x2xf64>
  %c, %r3 = rng.normal %r2 : !rng.state<KIND> -> f64
  %d, %r4 = rng.integer %r3 below %n : !rng.state<KIND> -> i64
  %e = tensor.from_elements %a, %c : tensor<2xf64>
  func.return %e, %b, %d, %r4 : tensor<2xf64>, tensor<2x2xf64>, i64, !rng.state<KIND>
}
func.func @seed(%seed: i64) -> !rng.state<KIND> {
  %r = rng.seed %seed : i64 -> !rng.state<KIND>
  func.return %r : !rng.state<KIND>
}
func.func @keyed(%seed: i64, %a: i64, %b: i64) -> !rng.state<KIND> {
  %r = rng.seed %seed, %a, %b : i64, i64, i64 -> !rng.state<KIND>
  func.return %r : !rng.state<KIND>
}
func.func @keyed4(%seed: i64, %a: i64, %b: i64, %c: i64) -> !rng.state<KIND> {
  %r = rng.seed %seed, %a, %b, %c : i64, i64, i64, i64 -> !rng.state<KIND>
  func.return %r : !rng.state<KIND>
}
"""

SEEDS = {
    "mt19937": (0, 42, 2**32 - 1),
    "philox4x64": (0, 42, 2**40 + 3),
    "xoshiro256": (0, 42, 2**63 - 1),
}
CASES = [(kind, seed) for kind, seeds in SEEDS.items() for seed in seeds]
BOUNDS = (2, 10, 1000, 2**32 - 1, 2**32, 2**32 + 1, 2**50 + 7, 2**63 - 1)


@cache
def compiled(kind: str) -> CompiledCode:
    context = make_context()
    module = CogParser(context, PROGRAM.replace("KIND", kind).replace("CHUNK", str(CHUNK))).parse_module()
    for name in ROAD:
        PASSES[name]().apply(context, module)
    return compile_module(module)


class NativeStream:
    """The compiled draws of one kind, on words of their own."""

    def __init__(self, kind: str, words: np.ndarray[Any, Any]):
        self.code, self.words = compiled(kind), words.copy()

    def call(self, name: str, *arguments: Any, result: Any = None) -> Any:
        """Arrays go as pointers, integers as i64."""
        values = [ctypes.c_void_p(a.ctypes.data) if isinstance(a, np.ndarray) else ctypes.c_int64(a) for a in arguments]
        return self.code.function(name, result, *map(type, values))(*values)

    def draw(self, name: str, *below: int) -> np.ndarray[Any, Any]:
        """The next `CHUNK` numbers."""
        numbers = np.zeros(CHUNK, np.int64 if below else np.float64)
        self.call(name, self.words, *below, numbers)
        return numbers

    def mixed(self, below: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], int]:
        normals, uniforms = np.zeros(2), np.zeros((2, 2))
        return normals, uniforms, self.call("mixed", self.words, below, normals, uniforms, result=ctypes.c_int64)


def bulk_integers(stream: Stream, below: int) -> tuple[np.ndarray[Any, Any], Stream]:
    """As many integers as a chunk has, by NumPy in one call, and the stream after them."""
    source: Any = unpack(stream.kind, stream.words)
    draw = source.randint if stream.kind == "mt19937" else source.integers
    return draw(0, below, CHUNK, dtype=np.int64), Stream(stream.kind, pack(source))


@pytest.mark.parametrize("kind", WORDS)
def test_seeding(kind: str) -> None:
    for seed in (*SEEDS[kind], *range(1, 200)):
        native = NativeStream(kind, np.zeros(WORDS[kind], np.int64))
        native.call("seed", seed, native.words)
        np.testing.assert_array_equal(native.words, initial_words(kind, seed))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("kind", WORDS)
@pytest.mark.parametrize(("count", "draw"), [(3, "keyed"), (4, "keyed4")])
def test_seeding_with_several_words(kind: str, count: int, draw: str) -> None:
    source = np.random.default_rng(3)
    keys = [(0,) * count, range(1, 1 + count), (2**32 - 1,) * count, *source.integers(2**32, size=(100, count)).tolist()]
    for key in keys:
        native = NativeStream(kind, np.zeros(WORDS[kind], np.int64))
        native.call(draw, *key, native.words)
        np.testing.assert_array_equal(native.words, keyed_words(kind, *key))


@pytest.mark.parametrize(("kind", "seed"), [case for case in CASES if case[0] != "xoshiro256"])
def test_a_million_uniforms(kind: str, seed: int) -> None:
    native, stream = NativeStream(kind, initial_words(kind, seed)), Stream.seeded(kind, seed)
    for _ in range(MILLION):
        np.testing.assert_array_equal(native.draw("uniform"), stream.uniform((CHUNK,)))
    np.testing.assert_array_equal(native.words, stream.words)


@pytest.mark.parametrize(("kind", "seed"), [case for case in CASES if case[0] in ("mt19937", "philox4x64")])
def test_a_million_normals(kind: str, seed: int) -> None:
    native, stream = NativeStream(kind, initial_words(kind, seed)), Stream.seeded(kind, seed)
    for _ in range(MILLION):
        np.testing.assert_array_equal(native.draw("normal"), stream.normal((CHUNK,)))
    np.testing.assert_array_equal(native.words, stream.words)


@pytest.mark.parametrize("seed", SEEDS["xoshiro256"])
def test_uniforms_of_xoshiro256(seed: int) -> None:
    native, stream = NativeStream("xoshiro256", initial_words("xoshiro256", seed)), Stream.seeded("xoshiro256", seed)
    np.testing.assert_array_equal(native.draw("uniform"), stream.uniform((CHUNK,)))
    np.testing.assert_array_equal(native.words, stream.words)


@pytest.mark.parametrize("seed", SEEDS["xoshiro256"])
def test_normals_of_xoshiro256(seed: int) -> None:
    """Its twin in Python is slow, so the beginning of each chunk is compared, from where the one before it ended."""
    native = NativeStream("xoshiro256", initial_words("xoshiro256", seed))
    for _ in range(MILLION):
        twin = Stream("xoshiro256", native.words)
        np.testing.assert_array_equal(native.draw("normal")[:1001], twin.normal((1001,)))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("kind", ["mt19937", "philox4x64"])
@pytest.mark.parametrize("below", BOUNDS)
def test_a_million_integers_over_eight_bounds(kind: str, below: int) -> None:
    native, stream = NativeStream(kind, initial_words(kind, 7)), Stream.seeded(kind, 7)
    for _ in range(2):
        expected, stream = bulk_integers(stream, below)
        np.testing.assert_array_equal(native.draw("integer", below), expected)
    np.testing.assert_array_equal(native.words, stream.words)


@pytest.mark.parametrize("below", BOUNDS)
def test_integers_of_xoshiro256(below: int) -> None:
    words = initial_words("xoshiro256", 7)
    stream = Stream("xoshiro256", words)
    numbers = NativeStream("xoshiro256", words).draw("integer", below)
    assert numbers[:2000].tolist() == [stream.integer(below) for _ in range(2000)]
    assert 0 <= numbers.min() <= numbers.max() < below


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("kind", "seed"), CASES)
def test_draws_of_all_kinds_in_turn(kind: str, seed: int) -> None:
    """Continuation: each draw takes up where another kind of draw left the state, through many refills of the buffer."""
    native, stream = NativeStream(kind, initial_words(kind, seed)), Stream.seeded(kind, seed)
    for turn in range(400):
        below = BOUNDS[turn % len(BOUNDS)]
        normals, uniforms, integer = native.mixed(below)
        first = stream.normal()
        np.testing.assert_array_equal(uniforms, stream.uniform((2, 2)))
        assert normals.tolist() == [first, stream.normal()]
        assert integer == stream.integer(below)
    np.testing.assert_array_equal(native.words, stream.words)


@pytest.mark.parametrize("kind", ["mt19937", "philox4x64"])
@pytest.mark.parametrize("drawn", [0, 1, 2, 3, 311, 623, 624, 625])
def test_states_that_numpy_had_before(kind: str, drawn: int) -> None:
    """From the middle of a buffer, with a kept normal or half word, through a pickle, and back into NumPy."""
    source: Any = np.random.RandomState([5]) if kind == "mt19937" else np.random.Generator(np.random.Philox([5]))
    source.bytes(4 * drawn)
    source.standard_normal(drawn % 2 + 1)
    native = NativeStream(kind, pack(pickle.loads(pickle.dumps(source))))
    np.testing.assert_array_equal(native.draw("normal"), source.standard_normal(CHUNK))
    native.mixed(10)
    back: Any = pickle.loads(pickle.dumps(unpack(kind, native.words)))
    np.testing.assert_array_equal(back.standard_normal(CHUNK), native.draw("normal"))
    np.testing.assert_array_equal(pack(back), native.words)
