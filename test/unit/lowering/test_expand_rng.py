"""Draws get bodies that do in place what the interpreter does by NumPy; loops of counter-based draws lose their state."""

from collections.abc import Iterator

import numpy as np
import pytest
from xdsl.context import Context
from xdsl.dialects import affine, func, memref
from xdsl.dialects.builtin import ModuleOp, StringAttr, SymbolRefAttr

from cogir.dialects.text import CogParser, make_context
from cogir.errors import LoweringError
from cogir.interpreters.levels import run_function
from cogir.library.random.generators import WORDS, Stream, initial_words, seeded_words
from cogir.lowering.buffers.bufferize import Bufferize
from cogir.lowering.library.expand_math import library as elementary
from cogir.lowering.library.expand_rng import SYMBOLS, ExpandRng, body

KINDS = tuple(WORDS)

PROGRAM = """
func.func @f(%r: !rng.state<KIND>, %n: i64) -> (tensor<3x2xf64>, tensor<5xf64>, i64, !rng.state<KIND>) {
  %a, %r1 = rng.normal %r : !rng.state<KIND> -> tensor<3x2xf64>
  %b, %r2 = rng.uniform %r1 : !rng.state<KIND> -> tensor<5xf64>
  %c, %r3 = rng.integer %r2 below %n : !rng.state<KIND> -> i64
  func.return %a, %b, %c, %r3 : tensor<3x2xf64>, tensor<5xf64>, i64, !rng.state<KIND>
}
"""


def parse(text: str) -> ModuleOp:
    return CogParser(make_context(), text).parse_module()


def expanded(module: ModuleOp) -> ModuleOp:
    ExpandRng().apply(Context(), module)
    module.verify()
    return module


def bufferized(text: str) -> ModuleOp:
    module = parse(text)
    Bufferize().apply(Context(), module)
    return module


def calls_in_loops(module: ModuleOp) -> Iterator[str]:
    for loop in module.walk():
        if isinstance(loop, affine.ForOp):
            yield from (op.callee.string_value() for op in loop.body.block.ops if isinstance(op, func.CallOp))


@pytest.mark.parametrize("kind", KINDS)
def test_interpreted_bodies_draw_what_numpy_draws(kind: str) -> None:
    module = expanded(bufferized(PROGRAM.replace("KIND", kind)))
    words, stream = initial_words(kind, 9).copy(), Stream.seeded(kind, 9)
    for _ in range(3):
        normals, uniforms = np.zeros((3, 2)), np.zeros(5)
        (integer,) = run_function(module, "f", [words, 100, normals, uniforms])
        np.testing.assert_array_equal(normals, stream.normal((3, 2)))
        np.testing.assert_array_equal(uniforms, stream.uniform((5,)))
        assert integer == stream.integer(100)
        np.testing.assert_array_equal(words, stream.words)


@pytest.mark.parametrize("kind", KINDS)
def test_interpreted_seeding(kind: str) -> None:
    text = f"func.func @f(%s: i64) -> !rng.state<{kind}> {{\n%r = rng.seed %s : i64 -> !rng.state<{kind}>\n"
    module = expanded(bufferized(text + f"func.return %r : !rng.state<{kind}>\n}}"))
    words = np.full(WORDS[kind], -1)
    run_function(module, "f", [123, words])
    np.testing.assert_array_equal(words, initial_words(kind, 123))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("key", [(123,), (123, 4, 5), (123, 4, 5, 6), (-1,), (-1, -2, 2**40), (-1, -2, 2**40, 2**33)])
def test_seeding_before_and_after(kind: str, key: tuple[int, ...]) -> None:
    """On values by NumPy, on memory by NumPy, and by the bodies: the same words, also of numbers that the kind has no room for."""
    names, types = ", ".join(f"%k{i}" for i in range(len(key))), ", ".join("i64" for _ in key)
    parameters = ", ".join(f"%k{i}: i64" for i in range(len(key)))
    text = f"""
      func.func @f({parameters}) -> !rng.state<{kind}> {{
        %r = rng.seed {names} : {types} -> !rng.state<{kind}>
        func.return %r : !rng.state<{kind}>
      }}"""
    (words,) = run_function(parse(text), "f", [*key])
    assert words.tolist() == seeded_words(kind, *key).tolist()
    for module in (bufferized(text), expanded(bufferized(text))):
        memory = np.full(WORDS[kind], -1)
        run_function(module, "f", [*key, memory])
        np.testing.assert_array_equal(memory, words)


def test_draws_of_xoshiro256_are_inlined() -> None:
    """But for integers, which are a loop."""
    for draw in ("seed", "keyed", "keyed4", "uniform", "normal", "integer"):
        symbol = f"cogir_rng_xoshiro256_{draw}"
        for name, function in body(symbol).functions.items():
            expected = "never" if name == "cogir_rng_xoshiro256_integer" else "always"
            assert function.attributes["cog.inline"] == StringAttr(expected)


TEMPORARIES = (
    *("cogir_rng_philox4x64_seed", "cogir_rng_philox4x64_keyed", "cogir_rng_philox4x64_keyed4"),
    *("cogir_rng_mt19937_normals", "cogir_rng_ahead_normal", "cogir_rng_ahead_chunk", "cogir_rng_mt19937_streams"),
)
"""The pool of the hash of a seed, a block of normals, those that are made ahead, a chunk of them, and what is added to keys."""


@pytest.mark.parametrize("symbol", SYMBOLS)
def test_bodies_copy_no_state(symbol: str) -> None:
    """A claim as a count: no draw copies the words of its state, or takes memory for another set of them."""
    for function in body(symbol).functions.values():
        for op in function.walk():
            assert not isinstance(op, memref.CopyOp | memref.AllocOp)
            if isinstance(op, memref.AllocaOp):
                assert symbol in TEMPORARIES, f"only {TEMPORARIES} need memory of their own"


def test_bodies_share_no_name_for_different_functions() -> None:
    """Only the first of the functions of one name gets into a module, whichever body brings it."""
    found: dict[str, func.FuncOp] = {}
    for code in (*map(body, SYMBOLS), *map(elementary, ("exp", "log", "log1p", "pow", "cos"))):
        for name, function in code.functions.items():
            copy = function.clone()
            copy.attributes.pop("cog.inline", None)
            for op in copy.walk():
                if isinstance(op, memref.GetGlobalOp):  # tables are named after the first body that reads them: the contents count
                    op.properties["name"] = SymbolRefAttr(str(code.tables[op.name_.string_value()].initial_value))
            assert found.setdefault(name, copy).is_structurally_equivalent(copy), name


@pytest.mark.parametrize("kind", ["mt19937", "philox4x64"])
def test_portable_logarithms_need_no_c_library(kind: str) -> None:
    """Normals then agree with NumPy's to the last bits, and the streams stay in step."""
    module = bufferized(PROGRAM.replace("KIND", kind))
    ExpandRng(log="portable").apply(Context(), module)
    assert not [op for op in module.walk() if isinstance(op, func.FuncOp) and op.is_declaration]
    words, stream = initial_words(kind, 4).copy(), Stream.seeded(kind, 4)
    for _ in range(30):
        normals = np.zeros((3, 2))
        run_function(module, "f", [words, 7, normals, np.zeros(5)])
        np.testing.assert_allclose(normals, stream.normal((3, 2)), rtol=1e-15)
        stream.uniform((5,))
        stream.integer(7)
    np.testing.assert_array_equal(words[:-1], stream.words[:-1])


def test_unknown_logarithm() -> None:
    with pytest.raises(LoweringError, match="expand-rng: log is 'fast'; choose one of portable, libm"):
        ExpandRng(log="fast").apply(Context(), parse("func.func private @f()"))


@pytest.mark.parametrize(
    ("declaration", "message"),
    [
        (
            "@cogir_rng_mt19937_cauchy(memref<627xi64>) -> f64",
            "expand-rng: the library has no draw @cogir_rng_mt19937_cauchy; it has cogir_rng_ahead_back",
        ),
        ("@cogir_rng_mt19937_normal(memref<13xi64>) -> f64", "has type .*13xi64.*, but cogir's library defines it as .*627xi64"),
    ],
)
def test_wrong_declarations(declaration: str, message: str) -> None:
    symbol, rest = declaration.removeprefix("@").split("(", 1)
    type = rest.split(")", 1)[0]
    module = parse(f"""
      func.func private {declaration}
      func.func @g(%m: {type}) -> f64 {{
        %v = func.call @{symbol}(%m) : ({type}) -> f64
        func.return %v : f64
      }}
    """)
    with pytest.raises(LoweringError, match=message):
        expanded(module)
