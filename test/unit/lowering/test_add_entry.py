"""The native entry: rows, states, stop flag, budget, limits and the run's own end, interpreted and native."""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from xdsl.context import Context

from cogir.backend.jit import compile_module
from cogir.errors import LoweringError
from cogir.frontend.text import parse
from cogir.interpreters.levels import run_function
from cogir.library.random.generators import Stream, initial_words
from cogir.lowering.entry.run import AddEntry
from cogir.lowering.pipeline import lower_to

# total += gain * input + noise; waits while the input is negative; 1000 and more hits the limit of node 4, 500 ends the run.
TEXT = """
func.func @trial(%pf: tensor<1xf64>, %pi: tensor<1xi64>, %in: tensor<2xf64>, %sf: tensor<2xf64> {cog.updates = 0 : i64},
                 %si: tensor<1xi64> {cog.updates = 1 : i64}, %r: !rng.state<philox4x64>, %q: !rng.state<philox4x64>)
    -> (tensor<2xf64>, tensor<1xi64>, !rng.state<philox4x64>, !rng.state<philox4x64>, tensor<1xf64>, i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %gain = tensor.extract %pf[%c0] : tensor<1xf64>
  %x = tensor.extract %in[%c1] : tensor<2xf64>
  %waited = scf.while (%v = %x) : (f64) -> f64 {
    %more = arith.cmpf olt, %v, %zero : f64
    scf.condition(%more) %v : f64
  } do {
  ^bb0(%w: f64):
    scf.yield %w : f64
  }
  %n, %q1 = rng.uniform %q : !rng.state<philox4x64> -> f64
  %change = arith.mulf %gain, %waited : f64
  %old = tensor.extract %sf[%c0] : tensor<2xf64>
  %sum = arith.addf %old, %change : f64
  %total = arith.addf %sum, %n : f64
  %sf1 = tensor.insert %total into %sf[%c0] : tensor<2xf64>
  %out = tensor.from_elements %total : tensor<1xf64>
  %high = arith.constant 1000.0 : f64
  %end = arith.constant 500.0 : f64
  %ok = arith.constant 0 : i64
  %limit = arith.constant 5 : i64
  %over = arith.constant -1 : i64
  %is_high = arith.cmpf oge, %x, %high : f64
  %is_end = arith.cmpf oeq, %x, %end : f64
  %ended = arith.select %is_end, %over, %ok : i64
  %status = arith.select %is_high, %limit, %ended : i64
  func.return %sf1, %si, %r, %q1, %out, %status
      : tensor<2xf64>, tensor<1xi64>, !rng.state<philox4x64>, !rng.state<philox4x64>, tensor<1xf64>, i64
}
"""
STOP, DONE, NODE, BUDGET = range(4)
Run = Callable[..., int]


class Buffers:
    """The memory of one run."""

    def __init__(self, inputs: list[float], trials: int):
        self.pf, self.pi = np.array([2.0]), np.zeros(1, np.int64)
        self.sf, self.si = np.zeros(2), np.zeros(1, np.int64)
        self.rng = np.concatenate([initial_words("philox4x64", seed) for seed in (1, 2)])
        self.inputs = np.array([[7.0, value] for value in inputs])
        self.out = np.full((trials, 1), np.nan)
        self.control = np.zeros(16, np.int64)

    def run(self, entry: Run, first: int, count: int, row: int = 0) -> int:
        return entry(
            self.pf, self.pi, self.sf, self.si, self.rng, self.inputs, len(self.inputs), self.out[row:], first, count, self.control
        )


@pytest.fixture(scope="module", params=["interpreted", "native"])
def entry(request: pytest.FixtureRequest) -> Run:
    module = parse(TEXT)
    if request.param == "interpreted":
        lower_to(module, "loops", since="machine")
        return lambda *args: run_function(module, "run", args)[0]
    lower_to(module, "llvm", since="machine")
    pointer, integer = ctypes.c_void_p, ctypes.c_int64
    function = compile_module(module).function("run", ctypes.c_int32, *[pointer] * 6, integer, pointer, integer, integer, pointer)
    return lambda *args: function(*(arg.ctypes.data if isinstance(arg, np.ndarray) else arg for arg in args))


def expected(inputs: list[float], trials: int) -> np.ndarray[Any, Any]:
    noise = Stream("philox4x64", initial_words("philox4x64", 2)).uniform((trials,))
    total, totals = 0.0, []
    for trial in range(trials):
        total = total + 2.0 * inputs[trial % len(inputs)] + noise[trial]
        totals.append([total])
    return np.array(totals)


def test_trials_cycle_through_the_inputs(entry: Run) -> None:
    buffers = Buffers([1.0, 2.0, 4.0], 5)
    assert buffers.run(entry, 0, 5) == 0
    assert buffers.control[DONE] == 5
    np.testing.assert_array_equal(buffers.out, expected([1.0, 2.0, 4.0], 5))


def test_a_run_in_slices_is_one_run(entry: Run) -> None:
    buffers = Buffers([1.0, 2.0, 4.0], 5)
    assert [buffers.run(entry, 0, 2, 0), buffers.run(entry, 2, 3, 2)] == [0, 0]
    np.testing.assert_array_equal(buffers.out, expected([1.0, 2.0, 4.0], 5))


def test_generators_that_are_not_drawn_from_stay(entry: Run) -> None:
    buffers = Buffers([1.0], 1)
    before = buffers.rng.copy()
    buffers.run(entry, 0, 1)
    np.testing.assert_array_equal(buffers.rng[:13], before[:13])
    assert (buffers.rng[13:] != before[13:]).any()


def test_the_stop_flag_ends_before_the_next_trial(entry: Run) -> None:
    buffers = Buffers([1.0], 3)
    buffers.control[STOP] = 1
    assert buffers.run(entry, 0, 3) == 1
    assert buffers.control[DONE] == 0
    assert np.isnan(buffers.out).all()


def test_the_stop_flag_ends_a_loop_that_would_not(entry: Run) -> None:
    buffers = Buffers([1.0, -1.0], 3)
    timer = threading.Timer(0.1, lambda: buffers.control.__setitem__(STOP, 1))
    timer.start()
    start = time.perf_counter()
    assert buffers.run(entry, 0, 3) == 1
    assert time.perf_counter() - start < 5.0
    timer.join()
    assert buffers.control[DONE] == 1


def test_a_budget_is_a_number_of_trials(entry: Run) -> None:
    buffers = Buffers([1.0], 5)
    buffers.control[BUDGET] = 2
    assert buffers.run(entry, 0, 5) == 1
    assert buffers.control[DONE] == 2


def test_a_step_limit_names_its_node(entry: Run) -> None:
    buffers = Buffers([1.0, 1.0, 2000.0], 5)
    assert buffers.run(entry, 0, 5) == 2
    assert (buffers.control[DONE], buffers.control[NODE]) == (2, 4)


def test_a_run_that_ends_itself_is_finished(entry: Run) -> None:
    buffers = Buffers([1.0, 1.0, 500.0], 5)
    assert buffers.run(entry, 0, 5) == 0
    assert buffers.control[DONE] == 2


def test_a_trial_of_another_shape_is_refused() -> None:
    module = parse("func.func @trial(%x: f64) -> f64 { func.return %x : f64 }")
    with pytest.raises(LoweringError, match="add-entry: @trial must take the buffers pf, pi, in, sf, si"):
        AddEntry().apply(Context(), module)


def test_a_module_without_a_trial_stays() -> None:
    module = parse("func.func @f(%x: f64) -> f64 { func.return %x : f64 }")
    before = str(module)
    AddEntry().apply(Context(), module)
    assert str(module) == before
