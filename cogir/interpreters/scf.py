"""The meaning of `scf`: structured control flow over regions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xdsl.dialects import scf
from xdsl.interpreter import PythonValues

from cogir.interpreters.engine import Engine, Meanings


def run_for(op: scf.ForOp, engine: Engine) -> Callable[..., PythonValues]:
    run = engine.body(op.body, "scf.for")

    def loop(lower: int, upper: int, step: int, *carried: Any) -> PythonValues:
        for index in range(lower, upper, step):
            carried = run(index, *carried)
        return carried

    return loop


def run_while(op: scf.WhileOp, engine: Engine) -> Callable[..., PythonValues]:
    before, after = engine.body(op.before_region, "scf.while"), engine.body(op.after_region, "scf.while")

    def loop(*carried: Any) -> PythonValues:
        while True:
            go_on, *forwarded = before(*carried)
            if not go_on:
                return tuple(forwarded)
            carried = after(*forwarded)

    return loop


def run_if(op: scf.IfOp, engine: Engine) -> Callable[[bool], PythonValues]:
    then, otherwise = engine.body(op.true_region, "scf.if"), engine.body(op.false_region, "scf.if")
    return lambda condition: then() if condition else otherwise()


def run_index_switch(op: scf.IndexSwitchOp, engine: Engine) -> Callable[[int], PythonValues]:
    default = engine.body(op.default_region, "scf.index_switch")
    cases = {case: engine.body(region, "scf.index_switch") for case, region in zip(op.cases.iter_values(), op.case_regions, strict=True)}
    return lambda value: cases.get(value, default)()


def run_execute_region(op: scf.ExecuteRegionOp, engine: Engine) -> Callable[[], PythonValues]:
    return engine.body(op.region, "scf.execute_region")


MEANINGS = Meanings(
    results={
        scf.ForOp: run_for,
        scf.WhileOp: run_while,
        scf.IfOp: run_if,
        scf.IndexSwitchOp: run_index_switch,
        scf.ExecuteRegionOp: run_execute_region,
    },
    terminators=(scf.YieldOp, scf.ConditionOp),
)
