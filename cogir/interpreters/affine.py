"""The meaning of `affine`: loops, loads and stores whose bounds and indices are affine maps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from xdsl.dialects import affine
from xdsl.interpreter import PythonValues
from xdsl.ir.affine import AffineMap

from cogir.interpreters.engine import Engine, Meanings
from cogir.interpreters.linalg import reader
from cogir.interpreters.tensor import checked
from cogir.irutils import Array


def evaluate(map: AffineMap, operands: Sequence[int]) -> tuple[int, ...]:
    """The results of an affine map whose dimensions and symbols are given in one sequence."""
    return tuple(map.eval(operands[: map.num_dims], operands[map.num_dims :]))


def indexer(map: AffineMap) -> Callable[[tuple[int, ...]], tuple[int, ...]]:
    """The map as a function of its operands."""
    return reader(map) if map.num_symbols == 0 else lambda operands: evaluate(map, operands)


def run_for(op: affine.ForOp, engine: Engine) -> Callable[..., PythonValues]:
    lower, upper, step = op.lowerBoundMap.data, op.upperBoundMap.data, op.step.value.data
    first, last = len(op.lowerBoundOperands), len(op.lowerBoundOperands) + len(op.upperBoundOperands)
    run = engine.body(op.body, "affine.for")

    def loop(*operands: Any) -> PythonValues:
        start, stop = max(evaluate(lower, operands[:first])), min(evaluate(upper, operands[first:last]))
        carried = operands[last:]
        for index in range(start, stop, step):
            carried = run(index, *carried)
        return carried

    return loop


def load(op: affine.LoadOp, engine: Engine) -> Callable[..., Any]:
    index = indexer(op.map.data)

    def read(array: Array, *operands: int) -> Any:
        return array[checked(index(operands), array)].item()

    return read


def store(op: affine.StoreOp, engine: Engine) -> Callable[..., PythonValues]:
    index = indexer(op.map.data)

    def write(value: Any, array: Array, *operands: int) -> PythonValues:
        array[checked(index(operands), array)] = value
        return ()

    return write


def apply(op: affine.ApplyOp, engine: Engine) -> Callable[..., int]:
    return lambda *operands: evaluate(op.map.data, operands)[0]


def minimum(op: affine.MinOp, engine: Engine) -> Callable[..., int]:
    return lambda *operands: min(evaluate(op.map.data, operands))


MEANINGS = Meanings(
    value={affine.LoadOp: load, affine.ApplyOp: apply, affine.MinOp: minimum},
    results={affine.ForOp: run_for, affine.StoreOp: store},
    terminators=(affine.YieldOp,),
)
