"""
A model prepared to be run: the signals of its controllers become outputs that are recorded beside the results.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp

from cogir.dialects import cog
from cogir.interpreters.cog import main_model


@dataclass(frozen=True)
class Recorded:
    """The module, how many outputs belong to a trial's result, and when each controller searches."""

    module: ModuleOp
    shown: int
    controllers: dict[str, str]


def recorded(module: ModuleOp) -> Recorded:
    """Adds a `cog.output` for each signal of each controller of the main model; `module` is changed."""
    model = main_model(module, None)
    shown = len(model.outputs)
    controllers = {op.sym_name.data: str(op.when.data) for op in model.controllers}
    for controller in model.controllers:
        for signal in controller.signals:
            model.body.block.add_op(cog.OutputOp(controller.sym_name.data, signal.sym_name.data))
    return Recorded(module, shown, controllers)
