"""Random programs at the level of loops: our code equals the code of mlir-opt and clang to the bit."""

from __future__ import annotations

import ctypes
import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.mlir_tools import MlirLibrary, lower_with_mlir_opt, need_tools
from support.native import call, lower, parse
from support.random.loops import SIZE, RandomModule

from cogir.backend.jit import compile_module

FUNCTIONS = 8
STATEMENTS = 25
SLOW = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture]


def bits(values: np.ndarray) -> list[int]:
    """Floats as their bits, all NaNs alike; integers as they are."""
    if values.dtype == np.float64:
        values = np.where(np.isnan(values), np.nan, values).view(np.int64)
    return values.tolist()


def check(choices: random.Random, folder: Path) -> None:
    text = RandomModule(choices).text(FUNCTIONS, STATEMENTS)
    module = parse(text)
    reference = MlirLibrary(lower_with_mlir_opt(str(module), folder, f"reference{choices.randrange(10**12)}"))
    code = compile_module(lower(module))
    floats = np.array([choices.choice([0.0, -0.0, 1.5, -2.25, 1e308, 5e-324, choices.uniform(-4, 4)]) for _ in range(SIZE)])
    ints = np.array([choices.randint(-(2**63), 2**63 - 1) >> choices.randint(0, 63) for _ in range(SIZE)], dtype=np.int64)
    for number in range(FUNCTIONS):
        ours, theirs = (floats.copy(), ints.copy()), (floats.copy(), ints.copy())
        x, k = choices.uniform(-3, 3), choices.randint(-9, 99)
        got = call(code, f"f{number}", [*ours, x, k], ctypes.c_double)
        expected = reference.call(f"f{number}", [*theirs, x, k], ctypes.c_double)
        assert bits(np.array([got])) == bits(np.array([expected])), text
        assert bits(ours[0]) == bits(theirs[0]), text
        assert bits(ours[1]) == bits(theirs[1]), text


@settings(max_examples=4, deadline=None, suppress_health_check=SLOW, derandomize=True, database=None)
@given(st.integers(0, 2**63))
def test_random_programs_equal_mlir_opt(tmp_path: Path, seed: int) -> None:
    need_tools()
    check(random.Random(seed), tmp_path)


def test_the_larger_of_two_zeros_equals_mlir_opt(tmp_path: Path) -> None:
    """Found by random programs: on mlir-opt's other road, by `arith-expand`, the larger of 0.0 and -0.0 was -0.0."""
    need_tools()
    text = "func.func @larger(%x: f64, %y: f64) -> f64 {\n%z = arith.maximumf %x, %y : f64\nfunc.return %z : f64\n}"
    module = parse(text)
    reference = MlirLibrary(lower_with_mlir_opt(str(module), tmp_path))
    code = compile_module(lower(module))
    for zeros in ([0.0, -0.0], [-0.0, 0.0]):
        assert str(call(code, "larger", zeros, ctypes.c_double)) == str(reference.call("larger", zeros, ctypes.c_double)) == "0.0"


@pytest.mark.full
@settings(max_examples=250, deadline=None, suppress_health_check=SLOW, derandomize=True, database=None)
@given(st.integers(0, 2**63))
def test_many_random_programs_equal_mlir_opt(tmp_path: Path, seed: int) -> None:
    need_tools()
    check(random.Random(seed), tmp_path)
