"""
Builds the native entry `@estimates`: many simulations of one model from one state, each with a seed for each of its generators.

```mlir
func.func @estimates(%pf, %pi, %sf, %si, %in: memref<?xIxf64>, %n_in: i64, %out: memref<?xOxf64>, %lengths: memref<?xi64>, %first: i64,
                     %count: i64, %trials: i64, %seeds: memref<?xGxi64>, %normals: memref<?xf64>, %address: i64, %capacity: i64,
                     %reserve: i64, %control: memref<8xi64>) -> i32
```

It is `@replicates` (`replicates.py`) with other streams: in replicate `r`, generator `g` is `RandomState([seeds[r, g]])`, or the like of
another kind. Normals of presampled generators (`presample-normals`) are drawn before they are used (`normals.py`): into %normals, whose
address is %address, where each lane has %capacity for each such generator, which is %reserve and a block at least (`given_normals.py`). In
lanes that draw few normals at a time, they are drawn as they are needed instead (`lane_normals.py`), and %normals is not used.
"""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, MemRefType, f64, i64
from xdsl.ir import Attribute, SSAValue

from cogir.lowering.entry.code import Code
from cogir.lowering.entry.given_normals import ARGUMENTS as OF_NORMALS
from cogir.lowering.entry.given_normals import GivenNormals
from cogir.lowering.entry.normals import Normals, presampled
from cogir.lowering.entry.replicate_lanes import ARGUMENTS
from cogir.lowering.entry.replicates import ReplicatesEntry

NAME = "estimates"
OWN = ("seeds", *OF_NORMALS)


class EstimatesEntry(ReplicatesEntry):
    """Builds `@estimates` from the functions of a module for estimates."""

    def __init__(self, functions: Mapping[str, func.FuncOp], stoppable: set[str], traced: bool = False):
        super().__init__(functions, stoppable, traced)
        self.name = NAME

    def generator_count(self, inputs: int) -> int:
        return inputs // 2

    def normals_drawn_ahead(self) -> Normals | None:
        in_lanes = super().normals_drawn_ahead()
        return GivenNormals(self.states, self.lane_count) if in_lanes is None and presampled(self.states) else in_lanes

    def signature(self) -> dict[str, Attribute]:
        found = super().signature()
        own: dict[str, Attribute] = dict.fromkeys(OWN, i64)
        own |= {"seeds": MemRefType(i64, (DYNAMIC_INDEX, max(1, len(self.states)))), "normals": MemRefType(f64, (DYNAMIC_INDEX,))}
        found |= own
        names = [*(name for name in ARGUMENTS if name not in ("seed", "control")), *OWN, "control"]
        return {name: found[name] for name in (*names, *(["trace"] if self.traced else []))}

    def stream_words(self, code: Code, number: SSAValue) -> list[SSAValue]:
        place = code.value(arith.IndexCastOp(number, IndexType()))
        columns = [code.constant(each, IndexType()) for each in range(len(self.states))]
        return [code.value(memref.LoadOp.get(self.given["seeds"], [place, column]), "seed") for column in columns]

    def finish_trial(self, code: Code, lane: SSAValue, status: SSAValue) -> None:
        """The next trial, unless one has taken more normals than there were: then the replicate is over, without this trial."""
        if isinstance(self.normals, GivenNormals):
            for spent in self.normals.spent(code, self.generators(code, lane)):
                status = code.select(spent, code.constant(-1), status)
        super().finish_trial(code, lane, status)
