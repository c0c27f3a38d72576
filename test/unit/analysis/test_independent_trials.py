"""The part of a trial that runs trial after trial."""

from __future__ import annotations

import pytest
from xdsl.dialects import func

from cogir.analysis.independent_trials import CARRIES, NotIndependentError, TrialDependences, largest_product
from cogir.frontend.text import parse

TRIAL = """
func.func @trial(%pf: tensor<9xf64>, %pi: tensor<1xi64>, %in: tensor<2xf64>, %sf: tensor<4xf64>, %si: tensor<2xi64>,
                 %r: !rng.state<xoshiro256>) -> (tensor<4xf64>, tensor<2xi64>, !rng.state<xoshiro256>, tensor<2xf64>, i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %status = arith.constant 0 : i64
  BODY
  func.return %sf, %si_end, %r_end, %in, %status : tensor<4xf64>, tensor<2xi64>, !rng.state<xoshiro256>, tensor<2xf64>, i64
}
"""
STILL = "%si_end = tensor.insert %status into %si[%c1] : tensor<2xi64>"


def dependences(body: str) -> TrialDependences:
    module = parse(TRIAL.replace("BODY", body))
    (trial,) = (op for op in module.ops if isinstance(op, func.FuncOp))
    return TrialDependences(trial, {})


def test_draws_and_what_decides_on_them_run_ahead() -> None:
    found = dependences(
        f"""
        %x = tensor.extract %in[%c0] : tensor<2xf64>
        %y = arith.addf %x, %x : f64
        %other = arith.mulf %y, %y : f64
        %k, %r_end = rng.sample "poisson" %r(%y) : !rng.state<xoshiro256>, (f64) -> i64
        %used = arith.addi %k, %k : i64
        {STILL}"""
    ).ahead({})
    assert [op.name for op in found.ops] == ["arith.constant", "tensor.extract", "arith.addf", "rng.sample"]
    assert [value.name_hint for value in found.values] == ["y", "k"]


def test_a_counter_runs_ahead() -> None:
    found = dependences(
        """
        %count = tensor.extract %si[%c0] : tensor<2xi64>
        %one = arith.constant 1 : i64
        %next = arith.addi %count, %one : i64
        %si_end = tensor.insert %next into %si[%c0] : tensor<2xi64>
        %n, %r_end = rng.normal %r : !rng.state<xoshiro256> -> f64"""
    ).ahead({})
    assert list(found.counters) == [0]
    assert [value.name_hint for value in found.values] == ["next"]


@pytest.mark.parametrize(
    "body",
    [
        # a number of the state that depends on the input is no counter
        f"""
        %old = tensor.extract %si[%c0] : tensor<2xi64>
        %x = tensor.extract %in[%c0] : tensor<2xf64>
        %step = arith.fptosi %x : f64 to i64
        %next = arith.addi %old, %step : i64
        %si_0 = tensor.insert %next into %si[%c0] : tensor<2xi64>
        %k, %r_end = rng.integer %r below %old : !rng.state<xoshiro256> -> i64
        {STILL.replace("into %si[", "into %si_0[")}""",
        # a draw that depends on what is left
        f"""
        %old = tensor.extract %sf[%c0] : tensor<4xf64>
        %k, %r_end = rng.sample "poisson" %r(%old) : !rng.state<xoshiro256>, (f64) -> i64
        {STILL}""",
    ],
)
def test_what_earlier_trials_have_left(body: str) -> None:
    with pytest.raises(NotIndependentError, match=CARRIES):
        dependences(body).ahead({})


def test_nothing_runs_ahead() -> None:
    text = TRIAL.replace("BODY", f"%x = tensor.extract %in[%c0] : tensor<2xf64>\n{STILL}").replace("%r_end", "%r")
    (trial,) = (op for op in parse(text).ops if isinstance(op, func.FuncOp))
    assert TrialDependences(trial, {}).ahead({}).ops == ()
    assert largest_product([trial]) == 0
