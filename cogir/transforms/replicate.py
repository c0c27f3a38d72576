"""
Makes a module for replicates: many independent runs of one model, each with streams of random numbers of its own.

Before: stage `machine`.
After:

```mlir
func.func private @replicate_streams(%seed: i64, %replicate: i64, %r0: !rng.state<mt19937> {cog.updates = 0}, ...) -> (...) {
  %0 = rng.seed %seed, %c0, %replicate : i64, i64, i64 -> !rng.state<mt19937>     // the first generator of @trial
  ...
}
```

The stream of generator `g` in replicate `r` is that of the key (seed, g, r), whatever other replicates there are. For xoshiro256 the word
`g` is a hash of the generator's path, for NumPy's generators it is its number. In such a module `add-entry` adds `@replicates` in the
place of `@run`. Without `enabled` the pass does nothing: a model is run by `@run`.

With `points` the module is made for sweeps: replicates at many points, each with parameters, inputs or a state of its own. `add-entry` then
adds `@sweep`, and streams also depend on the point:

```mlir
func.func private @replicate_streams(%seed: i64, %point: i64, %replicate: i64, %r0: !rng.state<mt19937> {cog.updates = 0}, ...) -> (...) {
  %0 = rng.seed %seed, %c0, %point, %replicate : i64, i64, i64, i64 -> !rng.state<mt19937>
```

With `seeded` the module is made for estimates, which have seeds of their own. `add-entry` then adds `@estimates`, and streams depend on a
seed for each generator:

```mlir
func.func private @replicate_streams(%seed: i64, ..., %r0: !rng.state<mt19937> {cog.updates = 0}, ...) -> (...) {
  %0 = rng.seed %seed : i64 -> !rng.state<mt19937>
```

With `common`, all points have the streams of `@replicates`: common random numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import arith, func
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IntegerAttr, ModuleOp, UnitAttr, i64
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from cogir.analysis.layout import Layout
from cogir.dialects.rng import SeedOp, StateType
from cogir.streams import word_of

STREAMS = "replicate_streams"
"""The function that gives the generators of a trial the streams of a replicate."""
SEEDED = "cog.seeded"
"""The attribute of that function in a module for estimates."""


def streams(trial: func.FuncOp, paths: Sequence[str], points: bool = False, common: bool = False) -> func.FuncOp:
    """`@replicate_streams` for the generators of a trial, which have these paths."""
    generators = [argument for argument in trial.args if isinstance(argument.type, StateType)]
    types = [cast(StateType, argument.type) for argument in generators]
    updates = [DictionaryAttr({"cog.updates": IntegerAttr(number, i64)}) for number in range(len(types))]
    words = ("seed", "point", "replicate") if points else ("seed", "replicate")
    attributes = ArrayAttr([*[DictionaryAttr({})] * len(words), *updates])
    function = func.FuncOp(STREAMS, ([*[i64] * len(words), *types], types), visibility="private", arg_attrs=attributes)
    for argument, name in zip(function.args, (*words, *(argument.name_hint for argument in generators)), strict=True):
        argument.name_hint = name
    seed, *key = function.args[: len(words)]
    if common:
        key = key[-1:]
    builder = Builder(InsertPoint.at_end(function.body.block))
    seeded: list[SSAValue] = []
    for number, (path, type) in enumerate(zip(paths, types, strict=True)):
        word = word_of(path) if type.kind.data == "xoshiro256" else number
        generator = builder.insert(arith.ConstantOp(IntegerAttr(word, i64))).result
        seeded.append(builder.insert(SeedOp([seed, generator, *key], type)).state)
    builder.insert(func.ReturnOp(*seeded))
    return function


def seeded_streams(trial: func.FuncOp) -> func.FuncOp:
    """`@replicate_streams` with a seed for each generator of a trial."""
    generators = [argument for argument in trial.args if isinstance(argument.type, StateType)]
    types = [cast(StateType, argument.type) for argument in generators]
    updates = [DictionaryAttr({"cog.updates": IntegerAttr(number, i64)}) for number in range(len(types))]
    attributes = ArrayAttr([*[DictionaryAttr({})] * len(types), *updates])
    function = func.FuncOp(STREAMS, ([*[i64] * len(types), *types], types), visibility="private", arg_attrs=attributes)
    function.attributes[SEEDED] = UnitAttr()
    for argument, generator in zip(function.args[len(types) :], generators, strict=True):
        argument.name_hint = generator.name_hint
    builder = Builder(InsertPoint.at_end(function.body.block))
    seeds = function.args[: len(types)]
    states = [builder.insert(SeedOp(seed, type)).state for seed, type in zip(seeds, types, strict=True)]
    builder.insert(func.ReturnOp(*states))
    return function


def is_seeded(streams: func.FuncOp) -> bool:
    """True for the streams of estimates, each of which has a seed of its own."""
    return SEEDED in streams.attributes


def has_points(streams: func.FuncOp) -> bool:
    """True for the streams of a sweep, which depend on the point."""
    return not is_seeded(streams) and sum(type == i64 for type in streams.function_type.inputs) == 3


@dataclass(frozen=True)
class Replicate(ModulePass):
    """Makes a module for replicates, or for sweeps."""

    name = "replicate"

    enabled: bool = False
    """True if the module is for replicates; otherwise the pass does nothing."""
    points: bool = False
    """True for sweeps, whose replicates are at many points."""
    common: bool = False
    """True if all points of a sweep have the same random numbers."""
    seeded: bool = False
    """True for estimates, which have seeds of their own."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if not self.enabled:
            return
        for function in op.ops:
            if isinstance(function, func.FuncOp) and function.sym_name.data == "trial":
                if self.seeded:
                    op.body.block.add_op(seeded_streams(function))
                else:
                    op.body.block.add_op(streams(function, Layout.from_module(op).generators, self.points, self.common))
                return
