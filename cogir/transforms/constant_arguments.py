"""
Gives functions that are called with constants copies of their own, in which the constants stand.

```mlir
%y = func.call @decay(%x, %two)     ->     func.call @decay_1(%x, %two)     // whose body knows that its second argument is 2.0
```

Where all calls hand over the same constant, the function itself knows it. A function that is called with very many sets of constants
(the nodes of a large network, each with weights of its own) stays as it is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects import arith, func
from xdsl.dialects.builtin import ModuleOp, StringAttr, SymbolRefAttr
from xdsl.ir import Attribute, Operation

from cogir.transforms.identities import constant_of

COPIES = 64
"""A function gets copies for so many sets of constants, or none."""
GROWTH = 4000
"""The copies of one function have together at most so many operations."""


class Copies:
    """Gives functions that are called with constants copies of their own."""

    def __init__(self, module: ModuleOp):
        self.module = module
        self.functions = {op.sym_name.data: op for op in module.ops if isinstance(op, func.FuncOp)}
        self.changed = False

    def settle(self, name: str, calls: Sequence[func.CallOp]) -> list[func.FuncOp]:
        """Hands constants to a function; returns it, if it is still called, and its copies."""
        function = self.functions[name]
        if function.sym_visibility != StringAttr("private") or function.is_declaration or len(function.body.blocks) != 1:
            return [function]
        groups: dict[tuple[Attribute | None, ...], list[func.CallOp]] = defaultdict(list)
        for call in calls:
            groups[tuple(self.handed(function, call))].append(call)
        if len(groups) == 1:
            (constants,) = groups
            self.substitute(function, constants)
            return [function]
        work = sum(1 for _ in function.body.walk())
        known = [constants for constants in groups if any(constant is not None for constant in constants)]
        if not known or len(known) > COPIES or work * len(known) > GROWTH:
            common = [constants[0] if len(set(constants)) == 1 else None for constants in zip(*groups, strict=True)]
            self.substitute(function, common)
            return [function]
        found = [function] if len(known) < len(groups) else []
        last = function
        for constants in known:
            copy = function.clone()
            copy.sym_name = StringAttr(self.fresh_name(name))
            self.module.body.block.insert_op_after(copy, last)
            last = copy
            self.functions[copy.sym_name.data] = copy
            self.substitute(copy, constants)
            for call in groups[constants]:
                call.callee = SymbolRefAttr(copy.sym_name.data)
            found.append(copy)
            self.changed = True
        return found

    def handed(self, function: func.FuncOp, call: func.CallOp) -> list[Attribute | None]:
        """The constants that a call hands to a function; not those that become states, whose memory is the function's."""
        updated = [bool(attributes.data) for attributes in function.arg_attrs] if function.arg_attrs else [False] * len(call.arguments)
        used = [bool(argument.uses) for argument in function.args]
        return [
            constant_of(value) if needs and not state else None for value, state, needs in zip(call.arguments, updated, used, strict=True)
        ]

    def substitute(self, function: func.FuncOp, constants: Sequence[Attribute | None]) -> None:
        """Writes constants into the body of a function in the place of arguments."""
        block = function.body.block
        for argument, constant in zip(function.args, constants, strict=True):
            if constant is not None and argument.uses:
                op = arith.ConstantOp(cast(Any, constant), argument.type)
                op.result.name_hint = argument.name_hint
                block.insert_op_before(op, cast(Operation, block.first_op))
                argument.replace_all_uses_with(op.result)
                self.changed = True

    def fresh_name(self, name: str) -> str:
        """A name for a copy of `@name`, which no function has."""
        number = 1
        while f"{name}_{number}" in self.functions:
            number += 1
        return f"{name}_{number}"
