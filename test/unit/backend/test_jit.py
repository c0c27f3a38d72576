"""Code in this process: loading, addresses, levels, threads, lifetime, errors."""

from __future__ import annotations

import ctypes
import gc
import threading

import numpy as np
import pytest
from support.native import call, compile_text, lower, parse

from cogir.backend.emit_llvm_ir import emit_llvm_ir
from cogir.backend.jit import (
    LARGE,
    CompiledCode,
    assembly,
    compile_module,
    compile_to_object,
    exported_symbols,
    large_functions,
    optimised_llvm_ir,
)
from cogir.backend.llvm import host, machine_for, versions
from cogir.errors import BackendError

TWICE = "func.func @twice(%x: f64) -> f64 { %y = arith.addf %x, %x : f64 func.return %y : f64 }"


@pytest.mark.parametrize("level", [0, 1, 2, 3])
def test_every_level_gives_the_same_numbers(level: int) -> None:
    code = compile_text(
        """
    func.func @f(%m: memref<100xf64>) -> f64 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = arith.constant 100 : index
      %z = arith.constant 0.0 : f64
      %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z) -> (f64) {
        %x = memref.load %m[%i] : memref<100xf64>
        %p = arith.mulf %x, %x : f64
        %b = arith.addf %a, %p : f64
        scf.yield %b : f64
      }
      func.return %s : f64
    }""",
        level=level,
    )
    m = np.random.default_rng(1).normal(size=100)
    expected = 0.0
    for x in m:
        expected += x * x
    assert call(code, "f", [m], ctypes.c_double) == expected


def test_only_public_functions_with_a_body_are_exported() -> None:
    module = lower(parse(f"func.func private @log(f64) -> f64 func.func private @inner() {{ func.return }} {TWICE}"))
    assert exported_symbols(module) == ("twice",)
    with pytest.raises(BackendError, match=r"the loaded code has no symbol @inner; it has twice"):
        compile_module(module).address("inner")


def test_a_module_without_public_functions_is_refused() -> None:
    with pytest.raises(BackendError, match="no function that can be called from outside; make one of them public"):
        compile_text("func.func private @f() { func.return }")


def test_object_code_can_be_loaded_again() -> None:
    code = compile_text(TWICE)
    again = CompiledCode(code.object_code, ["twice"])
    assert again.address("twice") != code.address("twice")
    assert call(again, "twice", [21.0], ctypes.c_double) == 42.0


def test_a_function_keeps_its_code_alive() -> None:
    functions = [compile_text(TWICE).function("twice", ctypes.c_double, ctypes.c_double) for _ in range(20)]
    gc.collect()
    assert [function(float(i)) for i, function in enumerate(functions)] == [2.0 * i for i in range(20)]


def test_functions_may_be_handed_in() -> None:
    half = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(lambda x: x / 2)
    code = compile_text(
        """
    func.func private @from_python(f64) -> f64
    func.func @f(%x: f64) -> f64 { %y = func.call @from_python(%x) : (f64) -> f64 func.return %y : f64 }""",
        imports={"from_python": ctypes.cast(half, ctypes.c_void_p).value},
    )
    assert call(code, "f", [5.0], ctypes.c_double) == 2.5


def test_an_unknown_external_function_is_named() -> None:
    with pytest.raises(BackendError, match="@no_such_function has no body, and the runtime has no function of that name; give it a body"):
        compile_text("""
        func.func private @no_such_function(f64) -> f64
        func.func @f(%x: f64) -> f64 { %y = func.call @no_such_function(%x) : (f64) -> f64 func.return %y : f64 }""")


def test_ir_that_llvm_refuses_is_shown_with_its_line() -> None:
    with pytest.raises(BackendError, match=r"LLVM refuses the IR[\s\S]*line 2: ret i64 %nowhere"):
        compile_to_object("define i64 @f() {\n  ret i64 %nowhere\n}\n")


def test_levels_other_than_0_to_3_do_not_exist() -> None:
    with pytest.raises(BackendError, match="level 4 does not exist"):
        host(4)


def test_code_compiled_in_many_threads_at_once() -> None:
    results: dict[int, float] = {}

    def work(number: int) -> None:
        text = f"func.func @f(%x: f64) -> f64 {{ %k = arith.constant {number}.0 : f64 %y = arith.mulf %x, %k : f64 func.return %y : f64 }}"
        results[number] = call(compile_text(text), "f", [3.0], ctypes.c_double)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == {number: 3.0 * number for number in range(12)}


def test_text_outputs() -> None:
    ir = emit_llvm_ir(lower(parse(TWICE)))
    assert "fadd double" in optimised_llvm_ir(ir)
    assert "twice:" in assembly(ir)
    assert machine_for(host()) is machine_for(host())
    assert "LLVM 22" in versions()


def test_only_large_functions_are_optimised_lightly() -> None:
    # The small function's loop has an end that LLVM can compute; in the large one nothing is looked at but what stands there.
    small = """define internal double @small(double %x) {
b0:
  br label %b1
b1:
  %i = phi i64 [ 0, %b0 ], [ %j, %b1 ]
  %s = phi double [ %x, %b0 ], [ %t, %b1 ]
  %t = fadd double %s, %s
  %j = add i64 %i, 1
  %more = icmp slt i64 %j, 3
  br i1 %more, label %b1, label %b2
b2:
  ret double %t
}
"""
    calls = "\n".join(f"  %y{n + 1} = call double @small(double %y{n})\n  %z{n} = add i64 {n}, 1" for n in range(LARGE))
    ir = f"{small}\ndefine double @large(double %y0) {{\n{calls}\n  ret double %y{LARGE}\n}}\n"
    assert large_functions(ir) == {"large"}
    optimised = optimised_llvm_ir(ir)
    assert "phi" not in optimised
    assert optimised.count("call double @small") == LARGE
    run = CompiledCode(compile_to_object(ir), ["large"]).function("large", ctypes.c_double, ctypes.c_double)
    assert run(0.0) == 0.0
