"""
Arithmetic on whole tensors becomes linalg operations with scalar bodies.

Before: any module; `arith` and `math` operations may work on tensors, element by element.
After:  they work on scalars.

```mlir
%c = arith.addf %a, %b : tensor<4xf64>
// becomes
%e = tensor.empty() : tensor<4xf64>
%c = linalg.generic ... ins(%a, %b) outs(%e) { ^bb0(%x: f64, %y: f64, %o: f64): %z = arith.addf %x, %y : f64 ... }
```
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from xdsl.context import Context
from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import AffineMapAttr, ModuleOp, TensorType
from xdsl.dialects.linalg.attrs import IteratorType, IteratorTypeAttr
from xdsl.dialects.linalg.ops import GenericOp, YieldOp
from xdsl.ir import Block, Operation, Region
from xdsl.ir.affine import AffineMap
from xdsl.passes import ModulePass

from cogir.irutils import element_type_of, shape_of


def convert(op: Operation) -> None:
    """op %a, %b : tensor  ->  linalg.generic { op %x, %y : scalar }"""
    block, result = cast(Block, op.parent), op.results[0]
    rank = len(shape_of(result.type))
    empty = tensor.EmptyOp((), result.type)
    body = Block(arg_types=[*(element_type_of(type) for type in op.operand_types), element_type_of(result.type)])
    scalar = type(op).create(
        operands=body.args[:-1],
        result_types=[element_type_of(result.type)],
        properties=op.properties,
        attributes=op.attributes,
    )
    body.add_ops([scalar, YieldOp(scalar.results[0])])
    maps = [AffineMapAttr(AffineMap.identity(rank) if shape_of(v.type) else AffineMap(rank, 0, ())) for v in (*op.operands, result)]
    parallel = [IteratorTypeAttr(IteratorType.PARALLEL)] * rank
    generic = GenericOp(op.operands, [empty.tensor], Region(body), maps, parallel, [result.type])
    block.insert_ops_before([empty, generic], op)
    result.replace_all_uses_with(generic.results[0])
    block.erase_op(op)


@dataclass(frozen=True)
class ConvertElementwiseToLinalg(ModulePass):
    """Writes arithmetic on whole tensors as linalg operations with scalar bodies."""

    name = "convert-elementwise-to-linalg"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for inner in list(op.walk()):
            if inner.name.startswith(("arith.", "math.")) and not isinstance(inner, arith.ConstantOp | arith.SelectOp):
                if isinstance(inner.results[0].type, TensorType):
                    convert(inner)
