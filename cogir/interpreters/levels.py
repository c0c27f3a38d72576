"""
The meaning of every dialect that appears on the way from a model to machine code.

`run_function(module, name, args)` runs a function of a module at any stage; it is the oracle that compiled code is
held against. `make_engine` gives the interpreter itself, to which further `InterpreterFunctions` can be registered.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import ModuleOp

from cogir.interpreters import affine, arith, cf, func, linalg, math, memref, rng, scf, tensor, vector
from cogir.interpreters.engine import Engine, Meanings

ALL_MEANINGS: tuple[Meanings, ...] = (
    vector.MEANINGS,  # before arith, whose operations on vectors it has
    arith.MEANINGS,
    math.MEANINGS,
    tensor.MEANINGS,
    memref.MEANINGS,
    scf.MEANINGS,
    affine.MEANINGS,
    linalg.MEANINGS,
    func.MEANINGS,
    cf.MEANINGS,
    rng.MEANINGS,
)


def all_meanings(choice: str) -> tuple[Meanings, ...]:
    """The meanings with the elementary functions of `choice`: "portable" or "libm"."""
    return (
        ALL_MEANINGS if choice == "portable" else tuple(math.meanings(choice) if each is math.MEANINGS else each for each in ALL_MEANINGS)
    )


def make_engine(module: ModuleOp, choice: str = "portable") -> Engine:
    """An interpreter for `module` that knows all dialects."""
    return Engine(module, all_meanings(choice))


def run_function(module: ModuleOp, name: str, args: Sequence[Any] = ()) -> tuple[Any, ...]:
    """
    Runs the function `@name` of `module` and returns its results.

    Floats are `float`, integers `int`, i1 `bool`; a tensor is a NumPy array of its dtype and shape, which is not
    changed; a memref is one that the function may write to. Raises `InterpretationError` if the function divides by
    zero, leaves an array, or is not there.
    """
    engine = make_engine(module)
    return tuple(func.function(engine.symbol(name), engine)(*args))
