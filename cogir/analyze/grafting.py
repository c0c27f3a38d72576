"""
Puts a node with another function in the place of one of a module: same name, same ports, same generator.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr, SymbolRefAttr, TensorType, UnitAttr
from xdsl.ir import Attribute, Operation

from cogir.dialects import cog
from cogir.dialects.rng import StreamOp
from cogir.frontend.builder.model import Model


def node_with(old: cog.NodeOp, function: Callable[..., Any], params: Mapping[str, Any], ports: Mapping[str, str]) -> ModuleOp | None:
    """
    A module with one node that has the name, the shape and the kind of generator of `old`, and another function. Parameters that `params`
    does not give, and initial values of states, are those of `old`. `ports` has the outputs of the function by those of `old`. None if
    shapes do not fit.
    """
    ((_, type),) = old.inputs
    shape = type.get_shape() if isinstance(type, TensorType) else ()
    ((_, kind, _),) = old.random
    model = Model("one")
    model.node(old.sym_name.data, function, input=shape, outputs=list(ports.values()), prng=kind.kind.data, params=dict(params))
    module = model.ir()
    new = node_in(module)
    held = dict(old.params)
    defaults = [value if name in params else held.get(name, value) for name, value in new.params]
    initials = dict(old.states)
    states = [initials.get(name, value) for name, value in new.states]
    outputs = {ports[name]: value for name, value in old.outputs if name in ports}
    starts = [outputs[name] for name, _ in new.outputs]
    pairs = [*zip(defaults, new.param_defaults), *zip(states, new.state_initials), *zip(starts, new.output_initials)]
    if any(type_of(given) != type_of(wanted) for given, wanted in pairs):
        return None
    new.properties["param_defaults"] = ArrayAttr(cast("list[Attribute]", defaults))
    new.properties["state_initials"] = ArrayAttr(cast("list[Attribute]", states))
    new.properties["output_initials"] = ArrayAttr(cast("list[Attribute]", starts))
    back = {inner: outer for outer, inner in ports.items()}
    new.properties["output_names"] = ArrayAttr([StringAttr(back[name]) for name, _ in new.outputs])
    new.properties["input_names"] = old.input_names
    new.properties["input_combine"] = old.input_combine
    return module


def type_of(constant: Attribute) -> Attribute:
    """The type of a constant."""
    return cog.const_type(cast(Any, constant))


def until_finished(new: cog.NodeOp, old: cog.NodeOp | None) -> None:
    """Gives a node the repetition of another one, or none."""
    for name in ("execute_until_finished", "max_executions_before_finished"):
        held = None if old is None else old.properties.get(name)
        if held is None:
            new.properties.pop(name, None)
        else:
            new.properties[name] = held


def node_in(module: ModuleOp) -> cog.NodeOp:
    """The only node of a module."""
    return next(op for op in module.walk() if isinstance(op, cog.NodeOp))


def graft(module: ModuleOp, old: cog.NodeOp, made: ModuleOp) -> cog.NodeOp:
    """Puts the node of `made` in the place of `old` in `module`, with the functions that it calls."""
    new = node_in(made)
    new.detach()
    new.properties["streams"] = old.streams
    taken = {op.sym_name.data: op for op in module.ops if isinstance(op, func.FuncOp)}
    names: dict[str, str] = {}
    functions = [op for op in made.ops if isinstance(op, func.FuncOp)]
    for function in functions:
        own = function.sym_name.data
        names[own] = free_name(own, [*taken, *names.values()])
    for op in (new, *functions):
        rename_calls(op, names)
    for function in functions:
        function.detach()
        function.properties["sym_name"] = StringAttr(names[function.sym_name.data])
        module.body.block.add_op(function)
    block = old.parent_block()
    assert block is not None
    block.insert_op_before(new, old)
    old.detach()
    old.erase()
    return new


def free_name(name: str, taken: list[str]) -> str:
    """A name that nobody has."""
    number, found = 0, name
    while found in taken:
        number += 1
        found = f"{name}_{number}"
    return found


def rename_calls(op: Operation, names: Mapping[str, str]) -> None:
    """Lets calls go to functions by their new names."""
    for each in op.walk():
        if isinstance(each, func.CallOp):
            each.properties["callee"] = SymbolRefAttr(names[each.callee.string_value()])


def without_unused(module: ModuleOp) -> None:
    """Removes functions that nobody calls, and streams from which nobody draws."""
    while True:
        used = {attribute.string_value() for op in module.walk() for attribute in references(op)}
        unused = [op for op in module.ops if isinstance(op, func.FuncOp | StreamOp) and op.sym_name.data not in used]
        if not unused:
            return
        for op in unused:
            op.detach()
            op.erase()


def references(op: Operation) -> list[SymbolRefAttr]:
    """The symbols that an operation names."""
    found: list[SymbolRefAttr] = []
    for attribute in op.properties.values():
        if isinstance(attribute, SymbolRefAttr):
            found.append(attribute)
        elif isinstance(attribute, ArrayAttr):
            found += [each for each in cast("ArrayAttr[Attribute]", attribute) if isinstance(each, SymbolRefAttr)]
    return found


def repeats(node: cog.NodeOp) -> bool:
    """True if a node executes until it has finished."""
    return isinstance(node.execute_until_finished, UnitAttr)
