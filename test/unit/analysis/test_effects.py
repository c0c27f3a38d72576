"""The table of effects: what each kind of operation may do, and what follows for functions."""

from __future__ import annotations

import pytest
from xdsl.dialects import func

from cogir.analysis.effects import EVERYTHING, NOTHING, Effects, EffectsTable
from cogir.frontend.text import parse

BODY = """
func.func private @pure(%x: f64) -> f64 {{ %y = arith.mulf %x, %x : f64 func.return %y : f64 }}
func.func private @twice(%x: f64) -> f64 {{ %y = func.call @pure(%x) : (f64) -> f64 func.return %y : f64 }}
func.func private @unknown(f64) -> f64
func.func private @log(f64) -> f64 attributes {{cog.libm}}
func.func @f(%x: f64, %n: i64, %i: index, %t: tensor<4xf64>, %m: memref<4xf64>, %r: !rng.state<mt19937>, %c: i1) {{
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant 2 : i64
  %positive = arith.maxsi %n, %two : i64
  %a = arith.maxsi %i, %c1 : index
  %bounded = arith.minsi %a, %c3 : index
  {op}
  func.return
}}
"""


def effects_of(op: str) -> Effects:
    module = parse(BODY.format(op=op))
    function = next(each for each in module.ops if isinstance(each, func.FuncOp) and each.sym_name.data == "f")
    tested = list(function.body.block.ops)[7]
    return EffectsTable(module).of(tested)


@pytest.mark.parametrize(
    ("op", "expected"),
    [
        ("%y = math.exp %x : f64", NOTHING),
        ("%y, %s = rng.normal %r : !rng.state<mt19937> -> f64", NOTHING),
        ('%y, %s = rng.sample "gamma" %r(%x) : !rng.state<mt19937>, (f64) -> f64', NOTHING),
        ("%y = arith.divsi %n, %n : i64", Effects(may_trap=True)),
        ("%y = arith.divsi %n, %two : i64", NOTHING),
        ("%y = arith.remsi %n, %n : i64", Effects(may_trap=True)),
        ("%y, %s = rng.integer %r below %n : !rng.state<mt19937> -> i64", Effects(may_trap=True)),
        ("%y, %s = rng.integer %r below %two : !rng.state<mt19937> -> i64", NOTHING),
        ("%y = tensor.extract %t[%c3] : tensor<4xf64>", NOTHING),
        ("%y = tensor.extract %t[%c4] : tensor<4xf64>", Effects(may_trap=True)),
        ("%y = tensor.extract %t[%i] : tensor<4xf64>", Effects(may_trap=True)),
        ("%y = tensor.extract %t[%bounded] : tensor<4xf64>", NOTHING),
        ("%y = arith.divsi %n, %positive : i64", NOTHING),
        ("%y, %s = rng.integer %r below %positive : !rng.state<mt19937> -> i64", NOTHING),
        ("%y = tensor.extract_slice %t[%i] [2] [1] : tensor<4xf64> to tensor<2xf64>", Effects(may_trap=True)),
        ("%y = memref.load %m[%c3] : memref<4xf64>", Effects(reads=True)),
        ("memref.store %x, %m[%c3] : memref<4xf64>", Effects(writes=True)),
        ("%y = memref.alloca() : memref<4xf64>", Effects(allocates=True)),
        ("%y = linalg.fill ins(%x : f64) outs(%t : tensor<4xf64>) -> tensor<4xf64>", NOTHING),
        ("linalg.fill ins(%x : f64) outs(%m : memref<4xf64>)", Effects(reads=True, writes=True)),
        ("%y = func.call @twice(%x) : (f64) -> f64", NOTHING),
        ("%y = func.call @log(%x) : (f64) -> f64", NOTHING),
        ("%y = func.call @unknown(%x) : (f64) -> f64", EVERYTHING),
        ("scf.for %k = %c1 to %c4 step %c1 { %y = tensor.extract %t[%c3] : tensor<4xf64> }", NOTHING),
        ("scf.for %k = %c1 to %c4 step %c1 { %y = tensor.extract %t[%k] : tensor<4xf64> }", NOTHING),
        ("scf.for %k = %c1 to %i step %c1 { %y = tensor.extract %t[%k] : tensor<4xf64> }", Effects(may_trap=True)),
        ("scf.for %k = %c1 to %c4 step %i { }", Effects(may_not_terminate=True)),
        ("scf.if %c { memref.store %x, %m[%c3] : memref<4xf64> }", Effects(writes=True)),
        ("scf.while () : () -> () { scf.condition(%c) } do { scf.yield }", Effects(may_not_terminate=True)),
    ],
)
def test_effects(op: str, expected: Effects) -> None:
    assert effects_of(op) == expected


def test_a_function_that_calls_itself_may_do_anything() -> None:
    module = parse("func.func private @f(%x: f64) -> f64 { %y = func.call @f(%x) : (f64) -> f64 func.return %y : f64 }")
    assert EffectsTable(module).of_function("f") == EVERYTHING


@pytest.mark.parametrize(
    ("effects", "merged", "removed", "moved"),
    [
        (NOTHING, True, True, True),
        (Effects(may_trap=True), True, True, False),
        (Effects(may_not_terminate=True), True, False, False),
        (Effects(reads=True), False, True, False),
        (Effects(writes=True), False, False, False),
        (Effects(allocates=True), False, True, False),
    ],
)
def test_what_follows(effects: Effects, merged: bool, removed: bool, moved: bool) -> None:
    assert (effects.is_function_of_operands, effects.is_removable, effects.is_speculatable) == (merged, removed, moved)
