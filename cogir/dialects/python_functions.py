"""
Functions that stay Python: declarations with the attribute `cog.python`, which says where the function is and why it is not compiled.

```mlir
func.func private @f(f64) -> f64 attributes {cog.python = "model.py:7: f: 'try' is not in the subset"}
```
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Operation

from cogir.dialects import cog

PYTHON = "cog.python"


def python_functions(module: ModuleOp) -> dict[str, str]:
    """The functions of a module that stay Python, with the reason of each."""
    return {
        op.sym_name.data: reason.data
        for op in module.body.block.ops
        if isinstance(op, func.FuncOp) and op.is_declaration and isinstance(reason := op.attributes.get(PYTHON), StringAttr)
    }


def calls_of(operation: Operation, functions: Mapping[str, str]) -> Iterator[str]:
    """Those of the functions that an operation calls."""
    for op in operation.walk():
        if isinstance(op, func.CallOp) and (name := op.callee.string_value()) in functions:
            yield name


def simulated_calls(module: ModuleOp, functions: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The controllers that simulate a model in which one of the functions is called, also below instances, with the function."""
    models = {op.sym_name.data: op for op in module.body.block.ops if isinstance(op, cog.ModelOp)}

    def calls(model: cog.ModelOp) -> Iterator[str]:
        for op in model.body.block.ops:
            if isinstance(op, cog.NodeOp):
                yield from calls_of(op, functions)
            elif isinstance(op, cog.InstanceOp):
                yield from calls(models[op.model.string_value()])

    for model in models.values():
        for controller in model.controllers:
            simulated = model if controller.model is None else models[controller.model.string_value()]
            yield from ((controller.sym_name.data, name) for name in calls(simulated))
