"""The work of trials: known where they always end soon, and 0 elsewhere."""

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

import cogir
from cogir import library
from cogir.analysis.trial_work import trial_work
from cogir.frontend.text import parse
from cogir.library import State, Step


def module_of(body: str, status: str = "%zero", others: str = "") -> ModuleOp:
    """A module with a trial of one number."""
    return parse(
        f"""
        func.func @trial(%x: f64) -> (f64, i64) {{
          %zero = arith.constant 0 : i64
          %none = arith.constant 0 : index
          %one = arith.constant 1 : index
          %ten = arith.constant 10 : index
          {body}
          func.return %y, {status} : f64, i64
        }}
        {others}
        """
    )


LOOP = """%y = scf.for %i = %none to {last} step %one iter_args(%s = %x) -> (f64) {{
            %n = arith.addf %s, %x : f64
            scf.yield %n : f64
          }}"""
SUM = "%y = arith.addf %x, %x : f64"


def test_the_work_is_that_of_all_operations() -> None:
    assert trial_work(module_of(SUM)) == 1
    assert trial_work(module_of(LOOP.format(last="%ten"))) == 10
    called = "func.func private @f(%v: f64) -> f64 {\n%e = math.exp %v : f64\nfunc.return %e : f64\n}"
    assert trial_work(module_of("%y = func.call @f(%x) : (f64) -> f64", others=called)) == 16


def test_the_work_grows_with_the_elements() -> None:
    def work(size: int) -> int:
        model = cogir.Model("arrays")
        model.node("n", joined, input=size)
        return model.compile(cache=False).plan.trial_work

    assert work(20_000) > 20_000 * 16
    assert 90 * work(20) < work(2000) < 110 * work(20)


def test_trials_in_blocks_count_an_eighth() -> None:
    model = cogir.Model("layers")
    first, second = model.node("first", library.linear, input=100), model.node("second", library.logistic, input=100)
    model.project(first, second, matrix=np.eye(100))
    in_blocks, alone = (model.compile(cache=False, without=without).plan.trial_work for without in ((), "batch-trials"))
    assert alone > 20_000
    assert in_blocks == -(-alone // 8)


def joined(x):
    """Elementwise functions, and arrays that are put together."""
    return np.concatenate((np.exp(x) * 2.0 + x, x[::-1]))


@pytest.mark.parametrize(
    "module",
    [
        module_of("%last = arith.fptosi %x : f64 to i64\n%end = arith.index_cast %last : i64 to index\n" + LOOP.format(last="%end")),
        module_of(SUM + "\n%found = arith.fptosi %x : f64 to i64", "%found"),
        module_of(SUM + "\n%found = arith.constant 3 : i64", "%found"),
        module_of("%y = func.call @f(%x) : (f64) -> f64", others="func.func private @f(f64) -> f64"),
        module_of(
            "%y = func.call @f(%x) : (f64) -> f64",
            others="func.func private @f(%v: f64) -> f64 {\n%e = func.call @f(%v) : (f64) -> f64\nfunc.return %e : f64\n}",
        ),
        parse("func.func @init() {\nfunc.return\n}"),
    ],
    ids=["loop", "status", "failure", "declaration", "recursion", "no trial"],
)
def test_there_is_none_where_a_trial_may_take_any_time_or_fail(module: ModuleOp) -> None:
    assert trial_work(module) == 0


def count_to(variable, *, total: State = 0.0):
    """Executes until the total has reached a number."""
    total = total + 1.0
    return Step(outputs=(total,), states=(total,), finished=total >= variable[0])


def test_models_that_end_by_conditions_have_none() -> None:
    plain = cogir.Model("plain")
    plain.node("n", library.logistic, input=3)
    work = plain.compile(cache=False).plan.trial_work
    assert 3 * 16 < work < 3 * 60
    ends = cogir.Model("ends")
    node = ends.node("n", library.logistic)
    ends.schedule.run_ends(cogir.AfterNCalls(node, 3))
    loops = cogir.Model("loops")
    loops.node("n", count_to, execute_until_finished=True)
    for model in (ends, loops):
        assert model.compile(cache=False).plan.trial_work == 0
