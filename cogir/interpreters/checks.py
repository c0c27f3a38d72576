"""
Raises errors that Python raises and machine code does not: an index out of range, a division of ints by zero, a draw below 0.

Compiled functions take the nearest element, and give 0. The operations that do so say it: `cog.index` holds the extent of
the axis that an index is brought into, `cog.divisor` marks the choice of another divisor. With these meanings before the
plain ones an interpreter raises there instead. Mode `python` has them; the interpreter as an oracle has not.

An error inside a function of `cogir.library` names the line of the user's function that calls it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from xdsl.dialects import arith, func
from xdsl.dialects.builtin import DenseArrayBase, FileLineColLoc, IndexType, IntegerAttr, IntegerType, LocationAttr, StringAttr, f64, i64
from xdsl.dialects.linalg.ops import GenericOp
from xdsl.ir import Operation

from cogir.dialects import rng
from cogir.dialects.rng import DRAW
from cogir.errors import ExecutionError
from cogir.interpreters import func as calls
from cogir.interpreters import rng as draws
from cogir.interpreters.arith import MEANINGS as ARITH
from cogir.interpreters.engine import Engine, Meanings, place_of
from cogir.interpreters.faults import WITHIN, no_integer, no_seed
from cogir.irutils import element_type_of
from cogir.library.random.generators import Words, seed_bits
from cogir.library.random.methods import NAMES

INDEX = "cog.index"
DIVISOR = "cog.divisor"
WINDOW = "cog.window"
"""Holds the length of a window and the extent of its axis, at the first operation on its start; Python gives fewer if they do not fit."""
OPERATOR = "cog.operator"
"""Names the operator that a call computes: it is the operator, at the place of the call, that makes a NaN."""
SHORT_CIRCUIT = "cog.short_circuit"
"""Marks `arith.andi` and `arith.ori` whose right operand Python does not compute where the left one decides."""


def misplaced(op: Operation) -> str | None:
    """One of the attributes above that an operation has, but not as they are written for models; None if there is none."""
    is_moved = isinstance(op, arith.MaxSIOp | arith.MinSIOp) and op.result.type in (i64, IndexType())
    index, window = op.attributes.get(INDEX), op.attributes.get(WINDOW)
    if index is not None and not (is_moved and isinstance(index, IntegerAttr)):
        return INDEX
    if window is not None and not (is_moved or (isinstance(op, arith.AddiOp) and op.result.type == i64)):
        return WINDOW
    if window is not None and not (isinstance(window, DenseArrayBase) and _is_pair(cast("DenseArrayBase[Any]", window))):
        return WINDOW
    if DIVISOR in op.attributes and not (isinstance(op, arith.SelectOp) and isinstance(op.result.type, IntegerType)):
        return DIVISOR
    draw = op.attributes.get(DRAW)
    is_draw = isinstance(op, func.CallOp) and op.results and element_type_of(op.results[0].type) in (f64, i64)
    if draw is not None and not (is_draw and isinstance(draw, StringAttr) and draw.data in NAMES):
        return DRAW
    return None


def is_of_library(location: LocationAttr) -> bool:
    """True for a line of a file of the library, which users have not written."""
    return isinstance(location, FileLineColLoc) and _is_library_file(location.filename.data)


def _is_library_file(name: str) -> bool:
    return any(folder in f"/{name}" for folder in ("/cogir/library/", "/cogir/pyfunc/"))


def _is_pair(array: DenseArrayBase[Any]) -> bool:
    return isinstance(array.elt_type, IntegerType) and len(array) == 2


def _index(op: Operation, engine: Engine) -> Callable[..., Any]:
    plain = ARITH.value[type(op)](op, engine)
    if INDEX not in op.attributes:
        return plain
    extent = cast("IntegerAttr[Any]", op.attributes[INDEX]).value.data
    counted = op.results[0].type == i64

    def checked(index: int, bound: int) -> int:
        if plain(index, bound) != index:
            # Those of Python, which are i64, have been counted from the end before if they are negative.
            found = index - extent if index < 0 and counted else index
            raise ExecutionError(
                f"{place_of(op)}index {found} is out of range for an axis of {extent} elements; check the index before it is used"
            )
        return index

    return checked


def _choice(op: Operation, engine: Engine) -> Callable[..., Any]:
    plain = ARITH.value[type(op)](op, engine)
    # In arrays NumPy divides by 0 without complaint, and gives 0.
    if DIVISOR not in op.attributes or isinstance(op.parent_op(), GenericOp):
        return plain

    def checked(special: bool, replacement: int, divisor: int) -> int:
        if divisor == 0:
            raise ExecutionError(f"{place_of(op)}an integer is divided by zero; check the divisor before")
        return plain(special, replacement, divisor)

    return checked


def _integer(op: rng.IntegerOp, engine: Engine) -> Callable[[Words, int], tuple[Any, Words]]:
    plain = draws.integer(op, engine)

    def checked(words: Words, below: int) -> tuple[Any, Words]:
        if below < 1:
            raise ExecutionError(f"{place_of(op)}{no_integer(str(below))}")
        return plain(words, below)

    return checked


def _seed(op: rng.SeedOp, engine: Engine) -> Callable[..., Words]:
    plain, bits = draws.seed(op, engine), seed_bits(op.state.type.kind.data)

    def checked(seed: int, *more: int) -> Words:
        if not more and not 0 <= seed < 1 << bits:
            raise ExecutionError(f"{place_of(op)}{no_seed(str(seed), bits)}")
        return plain(seed, *more)

    return checked


def _call(op: func.CallOp, engine: Engine) -> Callable[..., Any]:
    plain = calls.call(op, engine)
    if is_of_library(op.location) or not is_of_library(engine.symbol(op.callee.string_value()).location):
        return plain

    def checked(*arguments: Any) -> Any:
        try:
            return plain(*arguments)
        except ExecutionError as error:
            place, _, reason = str(error).partition(": ")
            if not _is_library_file(place.rpartition(":")[0]):
                raise
            raise ExecutionError(f"{place_of(op)}{WITHIN}{reason}") from None

    return checked


CHECKS = Meanings(
    value={arith.MaxSIOp: _index, arith.MinSIOp: _index, arith.SelectOp: _choice, rng.SeedOp: _seed},
    results={rng.IntegerOp: _integer, func.CallOp: _call},
)
"""To be put before the plain meanings."""
