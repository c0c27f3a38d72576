"""Loops in blocks of iterations: the same indices and the same bits as before, with all bounds, steps and types."""

from __future__ import annotations

import ctypes
from random import Random

import pytest
from support.native import call, compile_text, parse
from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp

from cogir.interpreters.levels import run_function
from cogir.transforms import convert_long_for_to_while
from cogir.transforms.convert_long_for_to_while import BLOCKS, ConvertLongForToWhile

TEXT = """
func.func @f(%a: i64, %b: i64, %c: i64, %x: f64) -> f64 {{
  {bounds}
  %half = arith.constant 0.5 : f64
  %zero = arith.constant 0 : i64
  %sum, %hash = scf.for %i = %lower to %upper step %step iter_args(%y = %x, %h = %zero) -> (f64, i64) : {type} {{
    %n = {to_i64} %i : {type} to i64
    %many = arith.constant 31 : i64
    %p = arith.muli %h, %many : i64
    %next_h = arith.addi %p, %n : i64
    %k = arith.sitofp %n : i64 to f64
    %q = arith.mulf %y, %half : f64
    %next = arith.addf %q, %k : f64
    {more}
    scf.yield %next, %next_h : f64, i64
  }}
  %as_float = arith.bitcast %hash : i64 to f64
  %result = arith.select %first, %sum, %as_float : f64
  func.return %result : f64
}}
"""
"""The sum and a hash of a loop's indices in their order; the float, or the bits of the hash."""
TYPES = {"index": 64, "i64": 64, "i32": 32, "i8": 8}
MOST = 150
"""So many iterations a loop of a test has."""


def loop(type: str, step: int | None, is_hash: bool, more: str = "") -> str:
    """A function with a loop from %a to %b; a `step` of None is %c."""
    cast = {"index": "arith.index_cast", "i64": None}.get(type, "arith.trunci")
    names = {"lower": "a", "upper": "b"} | ({} if step is not None else {"step": "c"})
    lines = [f"%{name} = {cast or 'arith.addi'} %{of}{' : i64 to ' + type if cast else ', %none : i64'}" for name, of in names.items()]
    if step is not None:
        lines.append(f"%step = arith.constant {step} : {type}")
    bounds = "\n  ".join(("%none = arith.constant 0 : i64", *lines, f"%first = arith.constant {'false' if is_hash else 'true'}"))
    to_i64 = {"index": "arith.index_cast", "i64": "arith.bitcast"}.get(type, "arith.extsi")
    return TEXT.format(bounds=bounds, type=type, to_i64=to_i64, more=more)


def random_bounds(random: Random, width: int, step: int) -> tuple[int, int]:
    """Two bounds of at most `MOST` iterations: empty loops, and those at both ends of the type, too."""
    least, most = -(1 << width - 1), (1 << width - 1) - 1
    lower = random.choice((least, least + 1, -1, 0, 1, most - random.randrange(MOST), most, random.randint(least, most)))
    length = random.choice((0, 1, -1, step, step - 1, step + 1, 16 * step, 64 * step, random.randrange(MOST * step + 1)))
    if random.random() < 0.3:
        return min(max(least, most - length), most), most
    return lower, min(max(least, lower + length), most)


def expected(lower: int, upper: int, step: int, x: float) -> tuple[float, int]:
    """The sum and the hash, in Python."""
    total, hashed = x, 0
    for i in range(lower, upper, step):
        total = total * 0.5 + float(i)
        hashed = (hashed * 31 + i) % 2**64
    return total, hashed


def converted(text: str) -> ModuleOp:
    module = parse(text)
    ConvertLongForToWhile().apply(Context(), module)
    module.verify()
    return module


def bits(number: float) -> bytes:
    return bytes(ctypes.c_double(number))


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of 16 iterations, or 8 in small loops, and no loop is short."""
    monkeypatch.setattr(convert_long_for_to_while, "BLOCK", 16 * 10)
    monkeypatch.setattr(convert_long_for_to_while, "LONGEST", 0)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("type", TYPES)
@pytest.mark.parametrize("is_known", [True, False])
@pytest.mark.parametrize("in_blocks", [True, False])
def test_the_indices_and_their_sum_stay_to_the_bit(
    type: str, is_known: bool, in_blocks: bool, small_blocks: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not in_blocks:
        monkeypatch.setattr(convert_long_for_to_while, "BLOCK", 1)
    random = Random(f"{type} {is_known} {in_blocks}")
    width = TYPES[type]
    most = (1 << width - 1) - 1
    for step in (1, 2, 7, most // 16, most - 1):
        texts = [loop(type, step if is_known else None, is_hash) for is_hash in (False, True)]
        originals, modules = list(map(parse, texts)), list(map(converted, texts))
        (outer,) = (op for op in modules[0].walk() if isinstance(op, scf.WhileOp))
        assert any(isinstance(op, scf.ForOp) for op in outer.walk()) == (in_blocks and (not is_known or step * 16 <= most))
        codes = [compile_text(str(module)) for module in modules]
        for _ in range(30):
            lower, upper = random_bounds(random, width, step)
            arguments = (lower, upper, step, random.uniform(-1.0, 1.0))
            total, hashed = expected(*arguments)
            wanted = [bits(total), hashed.to_bytes(8, "little")]
            found = [bits(call(code, "f", arguments, ctypes.c_double)) for code in codes]
            assert found == wanted, (type, arguments)
            interpreted = [bits(run_function(module, "f", arguments)[0]) for module in modules]
            assert interpreted == wanted, (type, arguments)
            before = [bits(run_function(original, "f", arguments)[0]) for original in originals]
            assert before == wanted, (type, arguments)


def test_blocks_end_where_they_should_with_their_own_size() -> None:
    """With the sizes that models have: bounds around whole blocks."""
    text = loop("i64", None, is_hash=True)
    module = converted(text)
    (outer,) = (op for op in module.walk() if isinstance(op, scf.WhileOp))
    assert BLOCKS in outer.attributes
    inside = sum(len(op.body.block.ops) for op in module.walk() if isinstance(op, scf.ForOp))
    size = 2 ** ((convert_long_for_to_while.BLOCK // inside).bit_length() - 1)
    assert size > 1000
    code = compile_text(str(module))
    for lower, step in ((0, 1), (-5, 3), (2**63 - 1 - 3 * size, 1)):
        for upper in (lower + size * step + each for each in (-1, 0, 1, size * step, size * step + step)):
            if upper < 2**63:
                _, hashed = expected(lower, upper, step, 0.0)
                assert bits(call(code, "f", (lower, upper, step, 0.0), ctypes.c_double)) == hashed.to_bytes(8, "little")


def test_a_loop_inside_of_a_loop(small_blocks: None) -> None:
    """Both have blocks; a sum of products of two indices."""
    text = """
    func.func @f(%n: i64, %m: i64) -> f64 {
      %zero = arith.constant 0 : i64
      %two = arith.constant 2 : i64
      %x = arith.constant 1.0 : f64
      %r = scf.for %i = %zero to %n step %two iter_args(%y = %x) -> (f64) : i64 {
        %s = scf.for %j = %i to %m step %two iter_args(%z = %y) -> (f64) : i64 {
          %p = arith.muli %i, %j : i64
          %q = arith.sitofp %p : i64 to f64
          %w = arith.subf %q, %z : f64
          scf.yield %w : f64
        }
        scf.yield %s : f64
      }
      func.return %r : f64
    }"""
    module = converted(text)
    assert sum(isinstance(op, scf.WhileOp) for op in module.walk()) == 2
    code = compile_text(str(module))
    for n, m in ((0, 5), (1, 100), (40, 39), (77, 130)):
        (wanted,) = run_function(parse(text), "f", (n, m))
        assert run_function(module, "f", (n, m)) == (wanted,)
        assert call(code, "f", (n, m), ctypes.c_double) == wanted
