"""
Loops that look for the first best of many values, and can therefore be taken apart.

```mlir
%best, %at = scf.for %i = 0 to 101 iter_args(%best = %0, %at = %1) -> (f64, index) {
  // whatever comes first, and then what is less (never NaN), with its point
} {cog.first_optimum = "minimize"}
```

The first best of a whole grid is the first best of the first bests of its parts, whatever the parts are, so they can be computed at the
same time. That is not so where ties are drawn: closeness is not transitive, and each tie takes a draw.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from xdsl.dialects import scf
from xdsl.dialects.builtin import Float64Type, IndexType, StringAttr, TensorType, i64
from xdsl.ir import Attribute

from cogir.analysis.axes import extent_of
from cogir.irutils import element_type_of

FIRST_OPTIMUM = "cog.first_optimum"
"""The attribute of such a loop: "minimize" or "maximize"."""
CONTROLLER = "cog.controller"
"""The attribute of such a loop with the path of the controller whose search it is."""


@dataclass(frozen=True)
class FirstOptimum:
    """The roles of the values that a loop carries, by number; None for a role that it does not carry."""

    minimizes: bool
    best: int
    """The best value so far."""
    point: int
    """Its point."""
    status: int | None
    """0, or what has gone wrong first."""
    values: int | None
    """All values, each in its place."""
    counts: int | None
    """The counts of what happened at all points, each number a sum over them."""


def first_optimum(loop: scf.ForOp) -> FirstOptimum | None:
    """The roles of the carried values of a loop that looks for the first best of many values."""
    direction = loop.attributes.get(FIRST_OPTIMUM)
    if not isinstance(direction, StringAttr) or extent_of(loop) is None:
        return None
    places: dict[str, int] = {}
    for number, value in enumerate(loop.iter_args):
        role = role_of(value.type)
        if role is None or role in places:
            return None
        places[role] = number
    if "best" not in places or "point" not in places:
        return None
    others = (places.get(role) for role in ("status", "values", "counts"))
    return FirstOptimum(direction.data == "minimize", places["best"], places["point"], *others)


def role_of(value_type: Attribute) -> str | None:
    """The role of a carried value of a type in such a loop."""
    if isinstance(value_type, Float64Type):
        return "best"
    if isinstance(value_type, IndexType):
        return "point"
    if isinstance(value_type, TensorType):
        return "counts" if element_type_of(cast("Attribute", value_type)) == i64 else "values"
    return "status" if value_type == i64 else None
