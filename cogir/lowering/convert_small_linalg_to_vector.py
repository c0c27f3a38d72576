"""
Elementary functions of a few elements become operations on one vector.

Before: `linalg.generic` on memory, as `bufferize` leaves them.
After:  those over two to eight elements that compute an elementary function are operations on vectors of up to four lanes.

```mlir
linalg.generic ... ins(%a : memref<3xf64>) outs(%b : memref<3xf64>) { ^bb0(%x: f64, %y: f64): linalg.yield (math.tanh %x) }
// becomes
%v = vector.insert (memref.load %a[%c0]), ... : vector<3xf64>
%w = math.tanh %v : vector<3xf64>
memref.store (vector.extract %w[0]), %b[%c0] ...
```

LLVM writes so short a loop out, and finds few of the copies that could go side by side: an elementary function is deeper than it looks.
Memory is read and written element by element, as all other code does it, so that states stay in registers from trial to trial.
Loops over points of a search and over replicates are vectorised as a whole, with a point in each lane, and cannot hold vectors of their
own: what they call is left as it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, cast

from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import affine, arith, func, memref, scf, vector
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, MemRefType, ModuleOp, f64
from xdsl.dialects.linalg import ops as linalg
from xdsl.dialects.linalg.attrs import IteratorType
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from cogir import remarks
from cogir.analysis.signatures import called_functions
from cogir.dialects.math_functions import ELEMENTARY
from cogir.irutils import element_type_of, index_constant, iteration_extents
from cogir.lowering.library.in_lanes import wide
from cogir.transforms.fill_lanes import ITERATE
from cogir.transforms.replicate import STREAMS

EXTENTS = range(2, 9)
"""Most elements of an operation that becomes vectors."""
MOST_LANES = 4
"""Of a vector; longer ones were slower where they were measured (six lanes in `multitasking`: 15 instead of 12 us)."""
BRANCHING = ("sin", "cos", "tan")
"""The elementary functions whose definitions have a branch, for huge arguments."""
LOOPS = (scf.ForOp, scf.ParallelOp, affine.ForOp, affine.ParallelOp)


def in_a_loop(op: Operation) -> bool:
    """True if an operation stands in a loop that may be vectorised as a whole."""
    above = op.parent_op()
    while above is not None and not isinstance(above, func.FuncOp):
        if isinstance(above, LOOPS):
            return True
        above = above.parent_op()
    return False


def called_in_loops(module: ModuleOp) -> set[str]:
    """The functions that are called from such loops, and all that these call."""
    functions = {op.sym_name.data: op for op in module.ops if isinstance(op, func.FuncOp)}
    pending = [op.callee.string_value() for op in module.walk() if isinstance(op, func.CallOp) and in_a_loop(op)]
    found: set[str] = set()
    while pending:
        name = pending.pop()
        if name in functions and name not in found:
            found.add(name)
            pending.extend(called_functions(functions[name]))
    return found


def fits(op: linalg.GenericOp) -> bool:
    """True if an operation is one loop over a few elements, the same for each, and worth a vector."""
    kinds = [kind.data for kind in op.get_iterator_types()]
    if kinds != [IteratorType.PARALLEL] or iteration_extents(op)[0] not in EXTENTS:
        return False
    maps = [map.data for operand, map in zip(op.operands, op.get_indexing_maps(), strict=True) if isinstance(operand.type, MemRefType)]
    if any(map != AffineMap.identity(1) for map in maps):
        return False
    inner = list(op.body.block.ops)[:-1]
    if any(each.regions or not each.name.startswith(("arith.", "math.")) for each in inner):
        return False
    types = [*op.body.block.arg_types, *(value.type for each in inner for value in (*each.operands, *each.results))]
    if any(type != f64 for type in types):
        return False
    return any(ELEMENTARY.get(type(each), BRANCHING[0]) not in BRANCHING for each in inner)


class VectorWriter:
    """Writes one operation for some of its elements, `lanes` from `first` on."""

    def __init__(self, op: linalg.GenericOp, first: int, lanes: int):
        self.op, self.first, self.lanes = op, first, lanes
        self.builder = Builder(InsertPoint.before(op))
        self.values: dict[SSAValue, SSAValue] = {}
        self.places: dict[int, SSAValue] = {}

    def compute(self) -> list[SSAValue]:
        """The vectors that the operation yields for these elements."""
        block = self.op.body.block
        for argument, operand in zip(block.args, self.op.operands, strict=True):
            if argument.uses:
                self.values[argument] = self.load(operand)
        *inner, end = block.ops
        for each in inner:
            operands = [self.vector(operand) for operand in each.operands]
            types: list[Attribute] = [wide(result.type, self.lanes) for result in each.results]
            made = type(each).create(operands=operands, result_types=types, properties=each.properties, attributes=each.attributes)
            made.location = each.location
            self.builder.insert(made)
            for old, new in zip(each.results, made.results, strict=True):
                new.name_hint = old.name_hint
                self.values[old] = new
        return [self.vector(value) for value in end.operands]

    def load(self, operand: SSAValue) -> SSAValue:
        """The elements of an array, or a number in all lanes."""
        held: Attribute = operand.type
        if not isinstance(held, MemRefType):
            return self.vector(operand)
        type = wide(element_type_of(cast("MemRefType[Any]", held)), self.lanes)
        value = self.builder.insert(arith.ConstantOp(DenseIntOrFPElementsAttr.from_list(type, [0.0]), type)).result
        for lane in range(self.lanes):
            element = self.builder.insert(memref.LoadOp.get(operand, [self.place(lane)])).results[0]
            value = self.builder.insert(vector.InsertOp(element, value, [lane])).result
        return value

    def store(self, value: SSAValue, buffer: SSAValue) -> None:
        """Puts the lanes of a vector into an array."""
        for lane in range(self.lanes):
            element = self.builder.insert(vector.ExtractOp(value, [lane], element_type_of(value.type))).result
            self.builder.insert(memref.StoreOp.get(element, buffer, [self.place(lane)]))

    def place(self, lane: int) -> SSAValue:
        """The index of a lane in arrays."""
        if lane not in self.places:
            self.places[lane] = self.builder.insert(index_constant(self.first + lane)).result
        return self.places[lane]

    def vector(self, value: SSAValue) -> SSAValue:
        """The vector that stands for a value of the body; a number from outside is in all lanes."""
        if value not in self.values:
            self.values[value] = self.builder.insert(vector.BroadcastOp(value, wide(value.type, self.lanes))).vector
        return self.values[value]


def chunks(extent: int) -> list[range]:
    """The elements of each vector: fours, and what is left, but never one alone."""
    ends = [*range(0, extent, MOST_LANES), extent]
    if ends[-1] - ends[-2] == 1:
        ends[-2] -= 1
    return [range(begin, end) for begin, end in pairwise(ends)]


def convert(op: linalg.GenericOp) -> None:
    """linalg.generic { op %x, %y : f64 }  ->  loads, op %v, %w : vector<3xf64>, stores"""
    found = [(chunk, chunk.compute()) for chunk in (VectorWriter(op, part.start, len(part)) for part in chunks(iteration_extents(op)[0]))]
    for chunk, values in found:
        for value, buffer in zip(values, op.outputs, strict=True):
            chunk.store(value, buffer)
    cast(Block, op.parent).erase_op(op)


@dataclass(frozen=True)
class ConvertSmallLinalgToVector(ModulePass):
    """Writes elementary functions of a few elements as operations on one vector."""

    name = "convert-small-linalg-to-vector"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        functions = [each for each in op.ops if isinstance(each, func.FuncOp)]
        if any(function.sym_name.data in (ITERATE, STREAMS) for function in functions):
            return
        left_alone = called_in_loops(op)
        for function in functions:
            if function.sym_name.data not in left_alone:
                for inner in list(function.walk()):
                    if not isinstance(inner, linalg.GenericOp) or not fits(inner):
                        continue
                    if in_a_loop(inner):
                        remarks.missed(inner, "not vectorised by itself: the loop around it may be vectorised as a whole")
                    else:
                        remarks.passed(inner, "vectorised: {} elements in vectors of up to {}", iteration_extents(inner)[0], MOST_LANES)
                        convert(inner)
