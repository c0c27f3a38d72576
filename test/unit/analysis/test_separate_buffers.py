"""Which arguments share memory with nothing: facts beside the calls that make or break them."""

from __future__ import annotations

import pytest
from support.native import parse

from cogir.analysis.code_size import CodeSize, size_of
from cogir.analysis.separate_buffers import separate_arguments

CALLEE = "func.func private @f(%a: memref<4xf64>, %x: f64, %b: memref<4xf64>) { func.return }"
HALF = "memref<4xf64, strided<[1], offset: ?>>"


OTHERS = {
    "CALL": "(memref<4xf64>, f64, memref<4xf64>) -> ()",
    "NOALIAS": "memref<4xf64> {llvm.noalias}",
    "ALLOCA": "memref.alloca() : memref<4xf64>",
    "GLOBAL": "memref.get_global",
}


@pytest.mark.parametrize(
    ("caller", "separate"),
    [
        ("(%m: NOALIAS, %n: NOALIAS, %x: f64) { func.call @f(%m, %x, %n) : CALL func.return }", {0, 2}),
        ("(%m: NOALIAS, %n: memref<4xf64>, %x: f64) { func.call @f(%m, %x, %n) : CALL func.return }", set()),
        ("(%m: NOALIAS, %x: f64) { func.call @f(%m, %x, %m) : CALL func.return }", set()),
        ("(%m: NOALIAS, %x: f64) { %n = ALLOCA func.call @f(%m, %x, %n) : CALL func.return }", {0, 2}),
        ("(%x: f64) { %n = ALLOCA %c = GLOBAL @k : memref<4xf64> func.call @f(%c, %x, %n) : CALL func.return }", {0, 2}),
        ("(%x: f64) { %n = ALLOCA %c = GLOBAL @v : memref<4xf64> func.call @f(%c, %x, %n) : CALL func.return }", set()),
        ("(%m: NOALIAS, %n: NOALIAS, %x: f64) { func.call @f(%m, %x, %n) : CALL func.call @f(%m, %x, %m) : CALL func.return }", set()),
        (
            "(%c: i1, %m: NOALIAS, %n: NOALIAS, %x: f64) {"
            " %s = arith.select %c, %m, %n : memref<4xf64> func.call @f(%s, %x, %n) : CALL func.return }",
            set(),
        ),
    ],
)
def test_arguments_at_a_call(caller: str, separate: set[int]) -> None:
    for short, text in OTHERS.items():
        caller = caller.replace(short, text)
    module = parse(f"""
    "memref.global"() <{{sym_name = "k", sym_visibility = "private", constant, type = memref<4xf64>,
      initial_value = dense<1.0> : tensor<4xf64>}}> : () -> ()
    "memref.global"() <{{sym_name = "v", sym_visibility = "private", type = memref<4xf64>,
      initial_value = dense<1.0> : tensor<4xf64>}}> : () -> ()
    {CALLEE}
    func.func @g{caller}""")
    assert separate_arguments(module)["f"] == separate


@pytest.mark.parametrize(("first", "second", "separate"), [("0", "4", {0, 1}), ("0", "3", set()), ("%i", "4", set())])
def test_parts_of_one_bank(first: str, second: str, separate: set[int]) -> None:
    module = parse(f"""
    func.func private @f(%a: {HALF}, %b: {HALF}) {{ func.return }}
    func.func @g(%m: memref<8xf64> {{llvm.noalias}}, %i: index) {{
      %a = memref.subview %m[{first}] [4] [1] : memref<8xf64> to {HALF}
      %b = memref.subview %m[{second}] [4] [1] : memref<8xf64> to {HALF}
      func.call @f(%a, %b) : ({HALF}, {HALF}) -> ()
      func.return
    }}""")
    assert separate_arguments(module)["f"] == separate


def test_separation_goes_down_through_calls_but_not_through_recursion() -> None:
    module = parse("""
    func.func private @inner(%a: memref<4xf64>, %b: memref<4xf64>) { func.return }
    func.func private @outer(%a: memref<4xf64>, %b: memref<4xf64>) {
      func.call @inner(%b, %a) : (memref<4xf64>, memref<4xf64>) -> ()
      func.return
    }
    func.func private @again(%a: memref<4xf64>, %b: memref<4xf64>) {
      func.call @again(%b, %a) : (memref<4xf64>, memref<4xf64>) -> ()
      func.return
    }
    func.func private @unused(%a: memref<4xf64>) { func.return }
    func.func @g(%m: memref<4xf64> {llvm.noalias}, %n: memref<4xf64> {llvm.noalias}) {
      func.call @outer(%m, %n) : (memref<4xf64>, memref<4xf64>) -> ()
      func.call @again(%m, %n) : (memref<4xf64>, memref<4xf64>) -> ()
      func.return
    }""")
    assert separate_arguments(module) == {"inner": {0, 1}, "outer": {0, 1}, "again": set(), "unused": set(), "g": set()}


def test_sizes_with_calls_expanded() -> None:
    module = parse("""
    func.func private @leaf(%m: memref<f64>) -> f64 {
      %x = memref.load %m[] : memref<f64>
      memref.store %x, %m[] : memref<f64>
      func.return %x : f64
    }
    func.func private @middle(%m: memref<f64>) {
      %x = func.call @leaf(%m) : (memref<f64>) -> f64
      %y = func.call @leaf(%m) : (memref<f64>) -> f64
      func.return
    }
    func.func @g(%c: i1, %m: memref<f64>) {
      scf.if %c { func.call @middle(%m) : (memref<f64>) -> () }
      func.call @middle(%m) : (memref<f64>) -> ()
      %z = func.call @leaf(%m) : (memref<f64>) -> f64
      func.return
    }""")
    sizes = CodeSize(module)
    leaf, middle, g = module.ops
    assert (sizes.accesses_of(leaf), sizes.accesses_of(middle), sizes.accesses_of(g)) == (2, 4, 10)
    assert sizes.expansions({"leaf", "middle"}) == {"leaf": 5, "middle": 2}
    assert sizes.expansions({"leaf"}) == {"leaf": 3}
    # 2 copies of @middle have 6 operations; @leaf is called from the one @middle that is then left, and from @g.
    assert sizes.crowded({"leaf", "middle"}, 5) == {"leaf", "middle"}
    assert sizes.crowded({"leaf", "middle"}, 10) == {"leaf"}
    assert sizes.crowded({"leaf"}, 9) == set()
    assert size_of(leaf).operations == 3
