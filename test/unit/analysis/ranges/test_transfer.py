"""Every operation of `arith` and `math` has a transfer function that is tried: those that random functions leave out are tried here."""

from random import Random

import pytest
from support.random.scalars import random_scalars
from support.ranges import Witness, interpret, numbers_of, random_float_box, random_int_box

from cogir.analysis.ranges.values import anything_of
from cogir.analysis.ranges.walk import Walker
from cogir.frontend.text import parse
from cogir.interpreters import arith, math

LEFT_OUT = {
    "absi": ("math.absi %x : i64", "i64", "i64"),
    "ctpop": ("math.ctpop %x : i64", "i64", "i64"),
    "ctlz": ("math.ctlz %x : i64", "i64", "i64"),
    "cttz": ("math.cttz %x : i64", "i64", "i64"),
    "trunci": ("arith.trunci %x : i64 to i32", "i64", "i32"),
    "fptoui": ("arith.fptoui %x : f64 to i64", "f64", "i64"),
}
"""Operations with the types of their operand and their result."""


def module_of(name: str) -> str:
    text, given, result = LEFT_OUT[name]
    return f"func.func @main(%x: {given}) -> {result} {{\n  %r = {text}\n  func.return %r : {result}\n}}"


@pytest.mark.parametrize("name", LEFT_OUT)
def test_what_random_functions_leave_out(name: str) -> None:
    source = Random(name)
    narrower = 0
    for _ in range(150):
        module = parse(module_of(name))
        box = random_float_box(source) if LEFT_OUT[name][1] == "f64" else random_int_box(source)
        walker = Walker(module)
        walker.function("main", numbers_of([box]))
        witness = Witness(module, walker)
        samples = box.samples(source)
        for _ in range(20):
            interpret(witness, [next(samples)])
        (result,) = [op.results[0] for op in module.walk() if op.name.endswith(name)]
        narrower += walker.facts[result] != anything_of(result.type)
    assert narrower > 20


def test_every_operation_is_tried() -> None:
    functions = [parse(random_scalars(Random(seed), 25)) for seed in range(150)]
    functions += [parse(module_of(name)) for name in LEFT_OUT]
    tried = {type(op) for module in functions for op in module.walk()}
    assert not {*arith.MEANINGS.value, *math.MEANINGS.value} - tried
