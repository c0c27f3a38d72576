"""
Models in any form that users have: of the builder, as text or a module, a Composition of PsyNeuLink, or one node.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from cogir.analyze.single_node import node_as_model
from cogir.errors import ModelError, shown
from cogir.frontend.builder.handles import Node
from cogir.frontend.compilable import Compilable
from cogir.frontend.emit.module import module_of
from cogir.frontend.parsed import ParsedModel
from cogir.lowering.convert_cog_to_machine import ConvertCogToMachine
from cogir.lowering.pipeline import OPTIMISATIONS, lower_to
from cogir.transforms.eliminate_scheduler import EliminateScheduler

PLAIN = tuple(name for name in OPTIMISATIONS if name != EliminateScheduler.name)
"""The optimisations that a comparison leaves out: they keep all bits, and what they make is harder to read."""


def model_of(given: object, node: str | None = None) -> Compilable:
    """
    A model that can be compiled, of whatever was given; with `node`, that node by itself.

    :raises ModelError: for what is no model.
    """
    if isinstance(given, Node):
        return node_as_model(module_of(given.model), given.name)
    model = _whole(given)
    return model if node is None else node_as_model(model.ir(), node)


def _whole(given: Any) -> Compilable:
    if isinstance(given, Compilable):
        return given
    if isinstance(given, ModuleOp | str):
        return ParsedModel(given)
    if hasattr(given, "get_nodes_by_role") or type(given).__module__.startswith("psyneulink"):
        return getattr(import_module("cogir"), "from_psyneulink")(given)  # the root loads it where it is used
    raise ModelError(
        f"found {shown(given)}; give a cogir.Model, a node of one, a module or the text of one, or a Composition of PsyNeuLink"
    )


def at_machine(model: Compilable, *, outputs_as_numbers: bool = False) -> ModuleOp:
    """The state machine of a model, without optimisations; with `outputs_as_numbers`, whole numbers in `out` are floats of their values."""
    module = model.source().build()
    options = {ConvertCogToMachine.name: {"outputs_as_numbers": outputs_as_numbers}}
    lower_to(module, "machine", without=PLAIN, options=options, context=Context())
    return module
