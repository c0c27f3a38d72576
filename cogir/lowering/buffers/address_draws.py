"""
Loops of draws from a counter-based generator become loops without memory of their own.

Before: %v = call @cogir_rng_philox4x32_normal(%words); store %v, %m[%i, %j]        in loops over i and j
After:  %v = call @cogir_rng_philox4x32_normal_at(%key, %counter + (i * J + j), %stream); store ...
        and, after the loops, the counter in the words is larger by the number of draws.

A step then depends on no step before it, and LLVM computes several at once. `expand-rng` does this first; it knows the loops that
`bufferize` makes of shaped draws: a nest of `affine.for` from 0, and in it nothing but the call and the store.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.dialects import affine, arith, func, memref
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, f64, i64
from xdsl.ir import Block, Operation, OpResult, SSAValue

from cogir.dialects.rng import DRAW_PREFIX
from cogir.irutils import index_constant, row_major_strides
from cogir.library.random.rng import BODIES_AT

ADDRESSABLE = {f"{DRAW_PREFIX}{kind}_{draw}" for kind, draw in BODIES_AT}
"""Draws whose number says all about them."""
KEY, COUNTER, STREAM = range(3)


@dataclass(frozen=True)
class DrawLoop:
    """A nest of loops that does nothing but draw and store."""

    loops: Sequence[affine.ForOp]
    draw: func.CallOp
    extents: Sequence[int]

    @property
    def outermost(self) -> affine.ForOp:
        return self.loops[0]


def address_draws(module: ModuleOp) -> None:
    """Rewrites all such loops of a module."""
    draws = [op for op in module.walk() if isinstance(op, func.CallOp) and op.callee.string_value() in ADDRESSABLE]
    for draw in draws:
        if (found := draw_loop(draw)) is not None:
            rewrite(found)


def draw_loop(draw: func.CallOp) -> DrawLoop | None:
    """The loops around a draw, if there is nothing else in them."""
    loops: list[affine.ForOp] = []
    body: Operation = draw
    length = 3
    while isinstance(loop := body.parent_op(), affine.ForOp) and len(loop.body.block.ops) == length and extent_of(loop) is not None:
        loops.insert(0, loop)
        body, length = loop, 2
    if not loops or not isinstance(draw.next_op, memref.StoreOp) or draw.next_op.value is not draw.results[0]:
        return None
    words = draw.arguments[0]
    inside = isinstance(words, OpResult) and loops[0].is_ancestor(words.op)
    return None if inside else DrawLoop(loops, draw, [cast(int, extent_of(loop)) for loop in loops])


def extent_of(loop: affine.ForOp) -> int | None:
    """The number of rounds of a loop that starts at a constant 0, counts by 1 and carries nothing."""
    lower, upper = loop.lowerBoundMap.data, loop.upperBoundMap.data
    bounds = [map.eval([], []) for map in (lower, upper) if map.num_dims == map.num_symbols == 0]
    if len(bounds) < 2 or loop.inits or loop.step.value.data != 1 or bounds[0] != (0,):
        return None
    return bounds[1][0]


def rewrite(found: DrawLoop) -> None:
    """
    for i { %v = call @draw(%words) }
    ->  %key, %counter, %stream = load %words; for i { %v = call @draw_at(%key, %counter + i, %stream) }; store %counter + extent
    """
    draw, words = found.draw, found.draw.arguments[0]
    outside, inside = cast(Block, found.outermost.parent), cast(Block, draw.parent)
    loads: list[memref.LoadOp] = []
    for position in (KEY, COUNTER, STREAM):
        index = index_constant(position)
        loads.append(memref.LoadOp.get(words, [index]))
        outside.insert_ops_before([index, loads[-1]], found.outermost)
    key, counter, stream = (load.res for load in loads)

    number = counter
    strides = row_major_strides(found.extents)
    for loop, stride in zip(found.loops, strides, strict=True):
        position = arith.IndexCastOp(loop.body.block.args[0], i64)
        scale = arith.ConstantOp(IntegerAttr(stride, i64))
        product = arith.MuliOp(position, scale)
        total = arith.AddiOp(number, product)
        inside.insert_ops_before([position, scale, product, total], draw)
        number = total.result
    value: SSAValue = draw.results[0]
    call = func.CallOp(f"{draw.callee.string_value()}_at", [key, number, stream], [f64])
    call.location = draw.location
    inside.insert_op_before(call, draw)
    value.replace_all_uses_with(call.results[0])
    draw.detach()
    draw.erase()

    drawn = arith.ConstantOp(IntegerAttr(math.prod(found.extents), i64))
    following, index = arith.AddiOp(counter, drawn), index_constant(COUNTER)
    outside.insert_ops_after([drawn, following, index, memref.StoreOp.get(following, words, [index])], found.outermost)
