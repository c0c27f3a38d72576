"""
Draws the numbers of small arrays one by one, so that a loop over lanes has no loop inside.

```mlir
%v, %r1 = rng.normal %r : !rng.state<xoshiro256> -> tensor<2xf64>        // before
%a, %s1 = rng.normal %r : !rng.state<xoshiro256> -> f64                  // after
%b, %r1 = rng.normal %s1 : !rng.state<xoshiro256> -> f64
%v = tensor.from_elements %a, %b : tensor<2xf64>
```

The numbers are the same: an array is drawn in row-major order.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.builder import Builder
from xdsl.dialects import tensor
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint

from cogir.dialects.rng import FloatDrawOperation
from cogir.irutils import element_type_of, replace_by, size_of
from cogir.transforms.scalarise import SMALL


def large_draws(op: Operation) -> Sequence[FloatDrawOperation]:
    """The draws in the regions of an operation of more numbers than are drawn one by one."""
    return [each for each in op.walk() if isinstance(each, FloatDrawOperation) and size_of(each.value.type) > SMALL]


def unroll_draws(op: Operation) -> None:
    """Draws the small arrays in the regions of an operation number by number."""
    for draw in list(op.walk()):
        if isinstance(draw, FloatDrawOperation) and isinstance(draw.value.type, TensorType) and size_of(draw.value.type) <= SMALL:
            unroll(draw)


def unroll(draw: FloatDrawOperation) -> None:
    """Each number of one array, from the state after the number before."""
    builder = Builder(InsertPoint.before(draw))
    state, numbers = draw.state, list[SSAValue]()
    for _ in range(size_of(draw.value.type)):
        one = builder.insert(type(draw)(state, element_type_of(draw.value.type)))
        state = one.next_state
        numbers.append(one.value)
    value = builder.insert(tensor.FromElementsOp.create(operands=numbers, result_types=[draw.value.type])).results[0]
    value.name_hint = draw.value.name_hint
    replace_by(draw, (value, state))
