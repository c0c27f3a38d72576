"""
The trials of a block that count, in functions over blocks of trials.

```mlir
func.func private @trials(..., %x: tensor<200x500xf64>, %last: index {cog.last}, ...) {
  linalg.generic {cog.by_trial, iterator_types = ["parallel", "parallel"], ...}       // the first loop goes through the trials
```

Nothing that comes after trial `%last` is read in the end, so that loops may go through all trials, or up to that one.
"""

from __future__ import annotations

from typing import Any, cast

from xdsl.dialects import func
from xdsl.dialects.builtin import IntegerAttr, ModuleOp
from xdsl.ir import Operation, SSAValue

BY_TRIAL = "cog.by_trial"
"""The attribute of a `linalg` operation whose first loop goes through the trials of a block."""
LAST = "cog.last"
"""The attribute of the argument that is the last trial that counts."""
FEWEST = "cog.fewest"
"""The attribute of a function over blocks of trials that says for how many it is made at least; fewer take as long."""


def fewest_trials(module: ModuleOp) -> int:
    """The fewest trials for which the functions over blocks of a module are called; 1 if none says so."""
    found = [op.attributes[FEWEST] for op in module.ops if FEWEST in op.attributes]
    return min((cast("IntegerAttr[Any]", each).value.data for each in found), default=1)


def last_trial(op: Operation) -> SSAValue | None:
    """The last trial for which an operation has to be done; None if it has no loop over trials that may end early."""
    if BY_TRIAL not in op.attributes:
        return None
    function: Operation | None = op
    while function is not None and not isinstance(function, func.FuncOp):
        function = function.parent_op()
    if function is None or function.arg_attrs is None:
        return None
    for argument, attributes in zip(function.args, function.arg_attrs, strict=False):
        if LAST in attributes.data:
            return argument
    return None
