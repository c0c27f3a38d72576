"""Bufferised programs do what the programs did: random ones at every stage, and the copies of chosen ones counted."""

from __future__ import annotations

import ctypes
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.mlir_tools import MlirLibrary, lower_with_mlir_opt, need_tools
from support.random.machine import random_program
from xdsl.context import Context
from xdsl.dialects import affine, memref, scf
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.passes import ModulePass

from cogir.analysis.signatures import module_updates
from cogir.backend.jit import compile_module
from cogir.dialects.rng import StateType
from cogir.errors import LoweringError
from cogir.frontend.text import parse
from cogir.interpreters.levels import run_function
from cogir.library.random.generators import initial_words
from cogir.lowering.buffers.bufferize import Bufferize
from cogir.lowering.convert_linalg_to_loops import ConvertLinalgToLoops
from cogir.lowering.pipeline import lower_to
from cogir.transforms.cse import CommonSubexpressions
from cogir.transforms.dce import DeadCode
from cogir.transforms.forward_slices import ForwardSlices
from cogir.transforms.inline_draws import InlineDraws
from cogir.transforms.licm import LoopInvariantCodeMotion

OPTIMISATIONS = (InlineDraws, ForwardSlices, CommonSubexpressions, LoopInvariantCodeMotion, DeadCode)
PHILOX = initial_words("philox4x64", 3)


def arguments(draws: bool) -> list[Any]:
    """Fresh arguments for `@main` of a random program."""
    numbers = np.random.default_rng(0)
    given = [numbers.normal(size=12), numbers.normal(size=12), np.arange(5), numbers.normal(size=4), 0.7]
    return [*given, PHILOX.copy()] if draws else given


def apply(module: ModuleOp, *passes: type[ModulePass]) -> None:
    for pass_type in passes:
        pass_type().apply(Context(), module)
        module.verify()


def pointer_or_number(value: Any) -> Any:
    return value.ctypes.data if isinstance(value, np.ndarray) else value


def run_in_memory(module: ModuleOp, wanted: tuple[Any, ...], updates: dict[int, int], draws: bool, native: bool) -> list[Any]:
    """Runs bufferised `@main`; gives its results in their old order, and checks that what is only read stays."""
    given, untouched = arguments(draws), arguments(draws)
    destinations = [
        np.full_like(value, 7) for number, value in enumerate(wanted) if isinstance(value, np.ndarray) and number not in updates
    ]
    if native:
        lower_to(module, "llvm", since="machine")
        types = [ctypes.c_double if isinstance(value, float) else ctypes.c_void_p for value in (*given, *destinations)]
        function = compile_module(module).function("main", ctypes.c_double, *types)
        scalars = iter([function(*map(pointer_or_number, (*given, *destinations)))])
    else:
        scalars = iter(run_function(module, "main", [*given, *destinations]))
    written = iter(destinations)
    results: list[Any] = []
    for number, value in enumerate(wanted):
        if number in updates:
            results.append(given[updates[number]])
        else:
            results.append(next(written) if isinstance(value, np.ndarray) else next(scalars))
    for number, (now, before) in enumerate(zip(given, untouched, strict=True)):
        if number not in updates.values():
            np.testing.assert_array_equal(now, before, err_msg=f"argument {number} is only read")
    return results


def same(results: Any, wanted: Any) -> None:
    for number, (result, value) in enumerate(zip(results, wanted, strict=True)):
        np.testing.assert_array_equal(np.asarray(result), np.asarray(value), err_msg=f"result {number}")


def check(choices: Random, size: int, native: bool) -> None:
    draws, optimised = choices.random() < 0.5, choices.random() < 0.5
    text = random_program(choices, size, draws)
    module = parse(text)
    wanted = run_function(module, "main", arguments(draws))
    if optimised:
        apply(module, *OPTIMISATIONS)
        same(run_function(module, "main", arguments(draws)), wanted)
    updates = dict(module_updates(module)["main"])
    if native:
        same(run_in_memory(module.clone(), wanted, updates, draws, native=True), wanted)
    apply(module, Bufferize)
    same(run_in_memory(module, wanted, updates, draws, native=False), wanted)
    apply(module, ConvertLinalgToLoops)
    same(run_in_memory(module, wanted, updates, draws, native=False), wanted)


@settings(max_examples=30, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(st.randoms(use_true_random=False))
def test_random_programs_interpreted(choices: Random) -> None:
    check(choices, 25, native=False)


@settings(max_examples=6, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(st.randoms(use_true_random=False))
def test_random_programs_native(choices: Random) -> None:
    check(choices, 25, native=True)


@pytest.mark.full
@pytest.mark.parametrize("seed", range(400))
def test_many_random_programs(seed: int) -> None:
    check(Random(seed), 15 + seed % 60, native=seed % 10 == 0)


@settings(max_examples=3, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(st.randoms(use_true_random=False))
def test_random_programs_through_mlir_opt(tmp_path_factory: pytest.TempPathFactory, choices: Random) -> None:
    need_tools()
    module = parse(random_program(choices, 25))
    wanted = run_function(module, "main", arguments(draws=True))
    updates = dict(module_updates(module)["main"])
    lower_to(module, "loops", since="machine")
    library = MlirLibrary(lower_with_mlir_opt(str(module), tmp_path_factory.mktemp("mlir"), "reference"))
    given = arguments(draws=True)
    places = [number for number, value in enumerate(wanted) if isinstance(value, np.ndarray) and number not in updates]
    destinations = {number: np.full_like(wanted[number], 7) for number in places}
    scalar = library.call("main", [*given, *destinations.values()], ctypes.c_double)
    results = [given[updates[n]] if n in updates else destinations.get(n, scalar) for n in range(len(wanted))]
    same(results, wanted)


def bufferised(body: str, signature: str, results: str) -> ModuleOp:
    module = parse(f"func.func @f({signature}) -> ({results}) {{\n{body}\n}}")
    apply(module, Bufferize)
    return module


def count(module: ModuleOp, kind: type) -> int:
    return sum(isinstance(op, kind) for op in module.walk())


SF = "%sf: tensor<8xf64> {cog.updates = 0 : i64}"


def test_a_chain_of_updates_copies_nothing() -> None:
    module = bufferised(
        """
        %c1 = arith.constant 1 : index
        %a = tensor.extract %sf[%c1] : tensor<8xf64>
        %s1 = tensor.insert %a into %sf[%c1] : tensor<8xf64>
        %x = tensor.extract_slice %s1[2] [2] [1] : tensor<8xf64> to tensor<2xf64>
        %s2 = tensor.insert_slice %x into %s1[4] [2] [1] : tensor<2xf64> into tensor<8xf64>
        func.return %s2 : tensor<8xf64>""",
        SF,
        "tensor<8xf64>",
    )
    assert count(module, memref.AllocaOp) == 0
    assert [str(op.source.type) for op in module.walk() if isinstance(op, memref.CopyOp)] == ["memref<2xf64, strided<[1], offset: ?>>"]


def test_a_bank_carried_by_loops_and_branches_stays_in_place() -> None:
    module = bufferised(
        """
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c3 = arith.constant 3 : index
        %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%s = %sf) -> (tensor<8xf64>) {
          %v = tensor.extract %s[%c1] : tensor<8xf64>
          %c = arith.cmpf ogt, %v, %v : f64
          %t = scf.if %c -> (tensor<8xf64>) {
            %u = tensor.insert %v into %s[%i] : tensor<8xf64>
            scf.yield %u : tensor<8xf64>
          } else {
            scf.yield %s : tensor<8xf64>
          }
          scf.yield %t : tensor<8xf64>
        }
        func.return %r : tensor<8xf64>""",
        SF,
        "tensor<8xf64>",
    )
    assert count(module, memref.CopyOp) == count(module, memref.AllocaOp) == 0
    loops = [op for op in module.walk() if isinstance(op, scf.ForOp)]
    assert [len(loop.iter_args) for loop in loops] == [0]


def test_a_late_read_of_an_old_element_moves_up() -> None:
    module = bufferised(
        """
        %c0 = arith.constant 0 : index
        %n = tensor.insert %x into %sf[%c0] : tensor<8xf64>
        %old = tensor.extract %sf[%c0] : tensor<8xf64>
        func.return %n, %old : tensor<8xf64>, f64""",
        SF + ", %x: f64",
        "tensor<8xf64>, f64",
    )
    assert count(module, memref.CopyOp) == 0
    kinds = [op.name for op in module.walk() if op.name in ("memref.load", "memref.store")]
    assert kinds == ["memref.load", "memref.store"]


def test_an_old_slice_is_saved_alone() -> None:
    module = bufferised(
        """
        %c0 = arith.constant 0 : index
        %n = tensor.insert %x into %sf[%c0] : tensor<8xf64>
        %old = tensor.extract_slice %sf[0] [2] [1] : tensor<8xf64> to tensor<2xf64>
        %m = tensor.insert_slice %old into %n[6] [2] [1] : tensor<2xf64> into tensor<8xf64>
        func.return %m : tensor<8xf64>""",
        SF + ", %x: f64",
        "tensor<8xf64>",
    )
    assert [str(op.memref.type) for op in module.walk() if isinstance(op, memref.AllocaOp)] == ["memref<2xf64>"]


def test_versions_that_touch_other_elements_share_memory() -> None:
    module = bufferised(
        """
        %c0 = arith.constant 0 : index
        %old = tensor.extract_slice %sf[4] [2] [1] : tensor<8xf64> to tensor<2xf64>
        %n = tensor.insert %x into %sf[%c0] : tensor<8xf64>
        %m = tensor.insert_slice %old into %n[6] [2] [1] : tensor<2xf64> into tensor<8xf64>
        func.return %m : tensor<8xf64>""",
        SF + ", %x: f64",
        "tensor<8xf64>",
    )
    assert count(module, memref.AllocaOp) == 0


def test_a_result_is_built_in_its_destination() -> None:
    module = bufferised(
        """
        %c0 = arith.constant 0 : index
        %e = tensor.empty() : tensor<8xf64>
        %f = linalg.fill ins(%x : f64) outs(%e : tensor<8xf64>) -> tensor<8xf64>
        func.return %f : tensor<8xf64>""",
        "%x: f64",
        "tensor<8xf64>",
    )
    assert count(module, memref.CopyOp) == count(module, memref.AllocaOp) == 0


def test_a_generator_with_two_consumers_is_copied_once() -> None:
    module = bufferised(
        """
        %a, %r1 = rng.normal %r : !rng.state<philox4x64> -> f64
        %b, %r2 = rng.uniform %r : !rng.state<philox4x64> -> f64
        %c = arith.addf %a, %b : f64
        func.return %c, %r2 : f64, !rng.state<philox4x64>""",
        "%r: !rng.state<philox4x64>",
        "f64, !rng.state<philox4x64>",
    )
    assert count(module, memref.CopyOp) == 1


def test_no_value_is_left() -> None:
    module = parse(random_program(Random(5), 60))
    apply(module, Bufferize)
    types = [type for op in module.walk() for type in (*op.operand_types, *op.result_types)]
    assert not any(isinstance(type, TensorType | StateType) for type in types)
    assert not any(op.name.startswith(("tensor.", "rng.")) for op in module.walk())


def test_allocations_stand_at_the_start_of_functions() -> None:
    module = parse(random_program(Random(6), 80))
    apply(module, Bufferize, ConvertLinalgToLoops)
    inner = [op for op in module.walk() if isinstance(op, scf.ForOp | scf.WhileOp | affine.ForOp)]
    assert inner, "the program has loops"
    assert not any(isinstance(op, memref.AllocaOp | memref.AllocOp) for loop in inner for op in loop.walk())


def test_large_temporaries_are_taken_from_the_heap_and_given_back() -> None:
    module = bufferised(
        """
        %c0 = arith.constant 0 : index
        %e = tensor.empty() : tensor<20000xf64>
        %f = linalg.fill ins(%x : f64) outs(%e : tensor<20000xf64>) -> tensor<20000xf64>
        %v = tensor.extract %f[%c0] : tensor<20000xf64>
        func.return %v : f64""",
        "%x: f64",
        "f64",
    )
    assert (count(module, memref.AllocOp), count(module, memref.DeallocOp), count(module, memref.AllocaOp)) == (1, 1, 0)
    assert run_function(module, "f", [2.5]) == (2.5,)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "func.func @f(%a: tensor<2xf64>) -> tensor<2xf64> { %b = arith.addf %a, %a : tensor<2xf64> func.return %b : tensor<2xf64> }",
            "arith.addf in @f works on tensors, but this pass does not know how",
        ),
        ("func.func private @g(tensor<2xf64>) -> f64", "@g has no body and takes tensors"),
        (
            "func.func @f(%a: tensor<2xf64> {cog.updates = 1 : i64}) -> tensor<2xf64> { func.return %a : tensor<2xf64> }",
            "argument 0 has `cog.updates` = 1, but the function has no result 1 of the argument's type",
        ),
        ("func.func private @f(%x: f64) -> f64 { %y = func.call @f(%x) : (f64) -> f64 func.return %y : f64 }", "@f calls itself"),
    ],
)
def test_what_is_refused(text: str, message: str) -> None:
    module = parse(text)
    with pytest.raises(LoweringError, match=message):
        Bufferize().apply(Context(), module)


def test_values_are_built_where_they_are_inserted() -> None:
    generic = (
        'linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}'
        " ins(%old : tensor<2xf64>) outs(%e : tensor<2xf64>) { ^bb0(%a: f64, %o: f64): %b = arith.addf %a, %a : f64 linalg.yield %b : f64 }"
        " -> tensor<2xf64>"
    )
    module = bufferised(
        f"""
        %c0 = arith.constant 0 : index
        %e = tensor.empty() : tensor<2xf64>
        %old = tensor.extract_slice %sf[4] [2] [1] : tensor<8xf64> to tensor<2xf64>
        %new = {generic}
        %s1 = tensor.insert %x into %sf[%c0] : tensor<8xf64>
        %s2 = tensor.insert_slice %new into %s1[4] [2] [1] : tensor<2xf64> into tensor<8xf64>
        func.return %s2 : tensor<8xf64>""",
        SF + ", %x: f64",
        "tensor<8xf64>",
    )
    assert count(module, memref.CopyOp) == count(module, memref.AllocaOp) == 0
    buffer = np.arange(8.0)
    run_function(module, "f", [buffer, 9.0])
    np.testing.assert_array_equal(buffer, [9, 1, 2, 3, 8, 10, 6, 7])


def test_a_slice_at_a_place_that_is_not_known_is_saved() -> None:
    """The number at 2 is in the slice, and not where it is overwritten there: it must outlive what is put into its place."""
    module = bufferised(
        """
        %old = tensor.extract_slice %sf[%i] [4] [1] : tensor<8xf64> to tensor<4xf64>
        %s1 = tensor.insert_slice %x into %sf[2] [2] [1] : tensor<2xf64> into tensor<8xf64>
        %new = tensor.insert_slice %x into %old[2] [2] [1] : tensor<2xf64> into tensor<4xf64>
        %s2 = tensor.insert_slice %new into %s1[%i] [4] [1] : tensor<4xf64> into tensor<8xf64>
        func.return %s2 : tensor<8xf64>""",
        SF + ", %x: tensor<2xf64>, %i: index",
        "tensor<8xf64>",
    )
    buffer = np.arange(8.0)
    run_function(module, "f", [buffer, np.array([20.0, 30.0]), 1])
    np.testing.assert_array_equal(buffer, [0, 1, 2, 20, 30, 5, 6, 7])


def test_many_temporaries_do_not_fill_the_stack() -> None:
    """40 arrays of 64,000 bytes, each below the limit for one, and as many in a function that is called."""
    arrays, kind = range(40), "tensor<8000xf64>"
    body = "\n".join(f"%c{k} = arith.constant dense<{k}.5> : {kind}\n%t{k} = tensor.insert %x into %c{k}[%i] : {kind}" for k in arrays)
    read = "\n".join(f"%e{k} = tensor.extract %t{k}[%j] : {kind}" for k in arrays)
    sums = "\n".join(f"%s{k + 1} = arith.addf %s{k}, %e{k} : f64" for k in arrays)
    function = f"(%x: f64, %i: index, %j: index) -> f64 {{\n{body}\n{read}\n%s0 = CALLED\n{sums}\nfunc.return %s40 : f64\n}}\n"
    inner = "func.func @inner" + function.replace("CALLED", "arith.addf %x, %x : f64")
    outer = "func.func @outer" + function.replace("CALLED", "func.call @inner(%x, %i, %j) : (f64, index, index) -> f64")
    module = parse(inner + outer)
    Bufferize().apply(Context(), module)
    of_stack = [op for op in module.walk() if isinstance(op, memref.AllocaOp)]
    of_heap = [op for op in module.walk() if isinstance(op, memref.AllocOp)]
    assert len(of_stack) + len(of_heap) == 80
    assert len(of_stack) == 2 * 1024 * 1024 // 64_000
    assert len(of_heap) == len([op for op in module.walk() if isinstance(op, memref.DeallocOp)])
