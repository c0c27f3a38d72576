"""
One node of a model as a model: its input ports are the inputs, its output ports the outputs.
"""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp, SymbolRefAttr

from cogir.dialects import cog
from cogir.errors import ModelError, did_you_mean
from cogir.frontend.parsed import ParsedModel
from cogir.model.graph import main_model


def node_as_model(module: ModuleOp, name: str) -> ParsedModel:
    """
    A model of one node, with the parameters, states and generators that it has in the model of `module`, which is changed. It is reset as
    there, if that does not depend on other nodes.

    :raises ModelError: if there is no such node.
    """
    model = main_model(module, None)
    nodes = {op.sym_name.data: op for op in model.body.block.ops if isinstance(op, cog.NodeOp)}
    node = nodes.get(name)
    if node is None:
        raise ModelError(f'model "{model.sym_name.data}" has no node "{name}"{did_you_mean(name, nodes)}')
    resets = [op for op in model.walk() if isinstance(op, cog.ResetOp) and op.node.string_value() == name and not others_in(op, name)]
    for op in resets:
        op.detach()
    for op in list(model.body.block.ops):
        if op is not node:
            op.detach()
            op.erase(safe_erase=False)
    for op in list(module.body.block.ops):
        if isinstance(op, cog.ModelOp) and op is not model:
            op.detach()
            op.erase(safe_erase=False)
    block = model.body.block
    block.add_ops(cog.InputOp(name, port.data) for port in node.input_names)
    block.add_ops(cog.OutputOp(name, port.data) for port in node.output_names)
    if resets:
        block.add_op(cog.ScheduleOp(resets))
    return ParsedModel(str(module))


def others_in(reset: cog.ResetOp, name: str) -> bool:
    """True if the condition of a reset names other nodes."""
    return any(
        isinstance(attribute, SymbolRefAttr) and attribute.string_value() != name
        for op in reset.walk()
        if op is not reset
        for attribute in op.properties.values()
    )
