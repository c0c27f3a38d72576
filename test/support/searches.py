"""What stands at the points of a search in a module of stage `machine`."""

from xdsl.dialects import arith, func, math, scf
from xdsl.dialects.builtin import ModuleOp


def at_each_point(module: ModuleOp) -> list[str]:
    """The long operations of the innermost loop of the largest nest, and the functions that it calls."""
    nests: list[tuple[int, scf.ForOp]] = []
    for op in module.walk():
        if isinstance(op, scf.ForOp):
            depth, above = 0, op.parent_op()
            while above is not None:
                depth, above = depth + isinstance(above, scf.ForOp), above.parent_op()
            nests.append((depth, op))
    deepest = max(depth for depth, _ in nests)
    innermost = next(op for depth, op in nests if depth == deepest)
    found: list[str] = []
    for op in innermost.walk():
        if isinstance(op, arith.DivfOp | math.SqrtOp):
            found.append(op.name)
        elif isinstance(op, func.CallOp):
            found.append(op.callee.string_value())
    return found
