"""
Assignments: names, elements, and who sees an element change.

Arrays are values here, so a change of an array is a new value of one name. Where another name, or anything else that is read later,
has the same memory in Python, it would see the change, and the assignment is refused.
"""

from __future__ import annotations

import ast
from abc import ABC
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from cogir.pyfunc.arrays import get_item, is_index_array, is_mask, matrix_transpose, set_item
from cogir.pyfunc.elementwise import materialise, node_of, select
from cogir.pyfunc.emitter import set_hint
from cogir.pyfunc.flow import FALL, Flow
from cogir.pyfunc.joining import force_all
from cogir.pyfunc.loops import LOOP, Loops, goes_through
from cogir.pyfunc.selection import Slice
from cogir.pyfunc.trees import Tensor
from cogir.pyfunc.values import (
    READ_ONLY,
    Array,
    Borrowed,
    Const,
    Generated,
    List,
    Reversed,
    Scalar,
    Storage,
    Tuple,
    Value,
    Zip,
    describe,
    held,
    memory_of,
    shape_of_value,
    storages_of,
)

PENDING = "@assigned"
"""The values that the rest of an assignment is still to store, as if they had a name."""

Step: TypeAlias = "list[Value] | None"
"""A part of a target: an index, or None for `.T`."""


@dataclass(frozen=True)
class ElementTarget:
    """The elements to which a target such as `name[i].T[1:]` assigns; its indices are evaluated."""

    name: str
    steps: tuple[Step, ...]
    node: ast.Subscript


class Assignments(Loops, ABC):
    """Compiles assignments."""

    def _assign(self, node: ast.Assign) -> Flow:
        value = held(self.expression(node.value))
        for position, target in enumerate(node.targets):
            self._assign_while_pending(target, value, () if position + 1 == len(node.targets) else (value,))
        return FALL

    def _assign_while_pending(self, target: ast.expr, value: Value, pending: Sequence[Value]) -> None:
        """Assigns one of several targets; `pending` are values that others are to hold."""
        outer = self.env.get(PENDING)
        self.env[PENDING] = Tuple(tuple(pending) if outer is None else (*pending, outer))
        self.assign(target, value)
        if outer is None:
            del self.env[PENDING]
        else:
            self.env[PENDING] = outer

    def _with_memory(self, value: Value) -> Value:
        """A constant array as one that has memory, where the function assigns elements; others stay known."""
        if self.frame.names.changes_elements and isinstance(value, Const) and shape_of_value(value):
            node = node_of(value)
            assert node is not None
            return Array(node, memory_of(value))
        return value

    def _annotated(self, node: ast.AnnAssign) -> Flow:
        if node.value is not None:
            self.assign(node.target, self.expression(node.value))
        return FALL

    def _augmented(self, node: ast.AugAssign) -> Flow:
        """`x += y`: arrays and lists change themselves, so the rules of element assignment hold."""
        target = node.target
        if isinstance(target, ast.Name):
            old = self.look_up(target.id, target)
            operand = self.expression(node.value)
            self.bind(target.id, self._changed_in_place(target.id, old, operand, node))
        elif isinstance(target, ast.Subscript):
            self._augment_items(self._place(target, node.value), node)
        else:
            raise self.e.error("an attribute cannot be assigned; use a name", node)
        return FALL

    def _changed_in_place(self, name: str, old: Value, operand: Value, node: ast.AugAssign) -> Value:
        """The value of a name after `name op= operand`."""
        if isinstance(old, List) and isinstance(operand, Tuple | Reversed | Generated | Zip) and isinstance(node.op, ast.Add):
            operand = List(tuple(self.static_items(operand, node)))
        new = self.binary(type(node.op), old, operand, node)
        if isinstance(old, List) and isinstance(new, List):
            self._check_owned(name, old, node, grows=True)
            return List(new.items, old.storage)
        if not shape_of_value(old):
            return new
        old_node, new_node = node_of(old), node_of(new)
        assert old_node is not None
        assert new_node is not None
        self._check_owned(name, old, node)
        if new_node.shape != old_node.shape:
            raise self.e.error(
                f"'{name}' is {describe(old)} and cannot grow to shape {new_node.shape} in place; write {name} = {name} ...", node
            )
        if new_node.kind != old_node.kind:
            new_node = set_item(self.e, materialise(self.e, old_node), [Const(Ellipsis)], new)
        return Array(new_node, memory_of(old))

    def _augment_items(self, place: ElementTarget, node: ast.AugAssign) -> None:
        """`name[i] op= value`; the indices are evaluated once."""
        holder = self._read(self.look_up(place.name, place.node), place.steps[:-1], node)
        items = place.steps[-1]
        assert items is not None
        if is_mask(items, shape_of_value(holder)):
            operand = self.expression(node.value)
            if shape_of_value(operand):
                raise self.e.error("x[mask] += value takes one number; write x = np.where(mask, x + value, x)", node)
            changed = self.binary(type(node.op), holder, operand, node)
            everything: Step = [Const(Ellipsis)]
            whole = ElementTarget(place.name, (*place.steps[:-1], everything), place.node)
            return self._store(whole, select(self.e, items[0], changed, holder))
        old = self._read(holder, (items,), node)
        new = self.binary(type(node.op), old, self.expression(node.value), node)
        if isinstance(holder, List):
            if isinstance(old, List):
                raise self.e.error(f"{ast.unparse(node.target)} is a list inside of a list; write l[i] = l[i] + [...]", node)
            if shape := shape_of_value(old):
                # The array changes, not the list.
                if shape_of_value(new) != shape:
                    raise self.e.error(f"{describe(old)} cannot grow to shape {shape_of_value(new)} in place", node)
                place = ElementTarget(place.name, (*place.steps, [Const(Ellipsis)]), place.node)
        self._store(place, new)

    def assign(self, target: ast.expr, value: Value) -> None:
        match target:
            case ast.Name(name):
                self.bind(name, value)
            case ast.Tuple(targets) | ast.List(targets):
                self._unpack(targets, value, target)
            case ast.Subscript():
                self._store(self._place(target), value)
            case ast.Starred():
                raise self.e.error("a starred target is allowed inside a tuple only", target)
            case _:
                raise self.e.error("an attribute cannot be assigned; return changed values as outputs or states", target)

    def _unpack(self, targets: Sequence[ast.expr], value: Value, node: ast.AST) -> None:
        items = [held(item) for item in self.static_items(value, node)]
        starred = [position for position, target in enumerate(targets) if isinstance(target, ast.Starred)]
        pairs: list[tuple[ast.expr, Value]]
        if starred:
            first = starred[0]
            tail = len(targets) - first - 1
            if len(items) < len(targets) - 1:
                raise self.e.error(f"{describe(value)} has too few items for {len(targets)} names", node)
            star = targets[first]
            assert isinstance(star, ast.Starred)
            middle = List(tuple(items[first : len(items) - tail]))
            pairs = [*zip(targets[:first], items[:first], strict=True), (star.value, middle)]
            pairs += zip(targets[first + 1 :], items[len(items) - tail :], strict=True)
        else:
            if len(items) != len(targets):
                raise self.e.error(f"{describe(value)} cannot be assigned to {len(targets)} names", node)
            pairs = list(zip(targets, items, strict=True))
        for position, (target, item) in enumerate(pairs):
            self._assign_while_pending(target, item, [later for _, later in pairs[position + 1 :]])

    def bind(self, name: str, value: Value) -> None:
        """A name that is read once keeps its expression, to be computed where it is used; else it is computed now."""
        names = self.frame.names
        if isinstance(value, Zip | Reversed | Generated):
            raise self.e.error(
                f"'{name}' would be {describe(value)}, which Python goes through only once; write it where it is used, or make a list: "
                "[... for ...], list(...)"
            )
        value = self._with_memory(held(value))
        if isinstance(value, Array) and not isinstance(value.node, Tensor):
            if len(names.loads.get(name, ())) > 1 or name in names.captured:
                force_all(self.e, [value])
        elif isinstance(value, Tuple | List):
            force_all(self.e, [value])
        if isinstance(value, Scalar) and value.ssa.name_hint is None:
            set_hint(value.ssa, name)
        elif isinstance(value, Array) and isinstance(value.node, Tensor) and value.node.ssa.name_hint is None:
            set_hint(value.node.ssa, name)
        self.env[self.frame.prefix + name] = value

    # Elements

    def _place(self, target: ast.Subscript, operand: ast.expr | None = None) -> ElementTarget:
        """
        The place that a target names, its indices evaluated from left to right. `operand`: of an assignment with an operator, which is
        evaluated before the elements are stored.
        """
        steps: list[Step] = []

        def name_of(node: ast.expr) -> str:
            match node:
                case ast.Name(name):
                    if name not in self.frame.names.assigned:
                        raise self.e.error(
                            f"'{name}' belongs to the enclosing scope and cannot be changed here; pass it in and return the new one",
                            target,
                        )
                    self.look_up(name, node)
                    return name
                case ast.Subscript(inner, index):
                    name = name_of(inner)
                    steps.append(self.index_items(index))
                    return name
                case ast.Attribute(inner, "T"):
                    name = name_of(inner)
                    steps.append(None)
                    return name
                case _:
                    raise self.e.error(
                        f"elements of {ast.unparse(node)} cannot be assigned, as it has no name and may be a copy; assign elements "
                        "of a named array, by its indices: name[i, j] = value",
                        target,
                    )

        name = name_of(target)
        if name in rebound_in(target) or (operand is not None and name in rebound_in(operand)):
            raise self.e.error(
                f"'{name}' gets another value, by :=, in the assignment to its elements, which Python stores in the old one; write "
                f"{name} := ... in a line before or after it",
                target,
            )
        self.e.at(target)
        return ElementTarget(name, tuple(steps), target)

    def _read(self, value: Value, steps: Sequence[Step], node: ast.AST) -> Value:
        """The value at a place."""
        for items in steps:
            if items is None:
                if not shape_of_value(value):
                    raise self.e.error(f"{describe(value)} has no .T", node)
                value = matrix_transpose(value)
            elif isinstance(value, Tuple | List):
                value = self.sequence_item(value, value.items, items, node)
            else:
                value = get_item(self.e, value, items)
        return value

    def _store(self, place: ElementTarget, value: Value) -> None:
        """`place = value`."""
        root = self.look_up(place.name, place.node)
        self.env[self.frame.prefix + place.name] = self._stored(place, root, place.steps, value)

    def _stored(self, place: ElementTarget, holder: Value, steps: tuple[Step, ...], value: Value) -> Value:
        """The holder after one of its elements, or an element of one of its items, is assigned."""
        node = place.node
        match holder:
            case Tuple(items) | List(items):
                index = self._index_of_item(holder, steps[0], place)
                if len(steps) > 1:
                    new = self._stored(place, items[index], steps[1:], value)
                elif isinstance(holder, Tuple):
                    raise self.e.error(f"'{place.name}' is a tuple, whose items cannot be assigned; make it a list or array", node)
                else:
                    self._check_owned(place.name, holder, node, place)
                    new = held(value)
                changed = (*items[:index], new, *items[index + 1 :])
                return List(changed, holder.storage) if isinstance(holder, List) else Tuple(changed, holder.cls)
            case Array() | Const(np.ndarray()):
                self._check_owned(place.name, holder, node, place)
                tree = node_of(holder)
                assert tree is not None
                changed_array = self._composed(materialise(self.e, tree), steps, value, node)
                set_hint(changed_array.ssa, place.name)
                return Array(changed_array, memory_of(holder))
            case _:
                raise self.e.error(f"'{place.name}' is {describe(holder)}; its elements cannot be assigned", node)

    def _index_of_item(self, holder: Tuple | List, items: Step, place: ElementTarget) -> int:
        match items:
            case [Const(int() as index)]:
                pass
            case _:
                raise self.e.error(
                    f"an item of a list is assigned with a constant index; make '{place.name}' an array with np.array", place.node
                )
        count = len(holder.items)
        if not -count <= index < count:
            raise self.e.misfit(f"index {index} is out of range for {describe(holder)}; give {-count} to {count - 1}")
        return index % count

    def _composed(self, target: Tensor, steps: tuple[Step, ...], value: Value, node: ast.AST) -> Tensor:
        """The array after an element of a view of it is assigned: the view is read, changed and written back."""
        first, *rest = steps
        while rest and first is not None and (second := rest[0]) is not None and _are_integers(first) and all(map(_is_basic, second)):
            if len(first) == len(target.shape):
                raise self.e.error(f"in {ast.unparse(node)}: a number has no elements; leave out the last index", node)
            first = [*first, *second]
            del rest[0]
        if not rest:
            assert first is not None
            return set_item(self.e, target, first, value)
        whole = Array(target)
        if first is None:
            view = matrix_transpose(whole)
        else:
            if any(map(is_index_array, first)):
                raise self.e.error(
                    f"in {ast.unparse(node)}: an index array copies, so the assignment would change nothing; index once, or give "
                    "the copy a name",
                    node,
                )
            view = get_item(self.e, whole, first)
        tree = node_of(view)
        if not isinstance(view, Array) or tree is None:
            raise self.e.misfit(f"{describe(view)} has no elements; leave out the last index")
        changed = Array(self._composed(materialise(self.e, tree), tuple(rest), value, node))
        if first is None:
            back = node_of(matrix_transpose(changed))
            assert back is not None
            return materialise(self.e, back)
        return set_item(self.e, target, first, changed)

    # Memory

    def _check_owned(self, name: str, value: Value, node: ast.AST, place: ElementTarget | None = None, *, grows: bool = False) -> None:
        """
        Raises an error if others would see the elements of `value` change.

        `place` is where in the value of the name it is; `grows` says that its length changes.
        """
        storages = memory_of(value)
        own = self.frame.prefix + name
        if READ_ONLY in storages:
            raise self.e.error(
                f"'{name}' is a view that NumPy makes read-only (np.broadcast_to, np.diag); write .copy() where it is made", node
            )
        if any(isinstance(part, Borrowed) for part in storages):
            raise self.e.error(
                f"'{name}' is an argument, a global, or part of one, and this would change it for others; write {name} = "
                f"{name}.copy() before",
                node,
            )
        if place is not None and self._is_held_twice(self.env[own], place.steps, storages):
            raise self.e.error(
                f"two items of '{name}' share memory, so a change of one changes the other; write .copy() where the second is made", node
            )
        for key, other in self.env.items():
            if key.startswith(LOOP) and grows and goes_through(other, name):
                raise self.e.error(f"'{name}' gets another length while a loop goes through it; go through a copy: list({name})", node)
            if key != own and not storages.isdisjoint(storages_of(other)):
                raise self.e.error(self._shared(name, key), node)

    def _is_held_twice(self, root: Value, steps: Sequence[Step], storages: frozenset[Storage]) -> bool:
        """True if a list or tuple has the memory of an item in another item too."""
        if not isinstance(root, Tuple | List):
            return False
        match steps[0]:
            case [Const(int() as index)] if len(steps) > 1:
                index %= len(root.items)
            case _:
                return False
        others = (*root.items[:index], *root.items[index + 1 :])
        if any(not storages.isdisjoint(storages_of(item)) for item in others):
            return True
        return self._is_held_twice(root.items[index], steps[1:], storages)

    def _shared(self, name: str, key: str) -> str:
        if key == PENDING:
            return (
                f"'{name}' is changed while values on the right share its memory, and Python would assign their new elements; "
                "write .copy() on the right"
            )
        if key.startswith(LOOP):
            line = key.rsplit(":", 1)[-1]
            return f"'{name}' is changed in the loop on line {line}, which goes through a view of it; write .copy() in the line of the for"
        other = key.rsplit(".", 1)[-1]
        return f"'{name}' and '{other}' share memory, so a change of one changes the other; write .copy() where one is made from the other"


def rebound_in(node: ast.AST) -> set[str]:
    """The names that := assigns in an expression; those in a lambda are names of the lambda."""
    found: set[str] = set()
    left = [node]
    while left:
        part = left.pop()
        if isinstance(part, ast.Lambda):
            left += [*part.args.defaults, *(each for each in part.args.kw_defaults if each is not None)]
            continue
        if isinstance(part, ast.NamedExpr):
            found.add(part.target.id)
        left += ast.iter_child_nodes(part)
    return found


def _are_integers(items: Sequence[Value]) -> bool:
    """True for an index of ints alone."""
    return all(isinstance(item, Scalar) or (isinstance(item, Const) and isinstance(item.value, int)) for item in items)


def _is_basic(item: Value) -> bool:
    """True for an int, a slice or `...`."""
    return isinstance(item, Slice) or _are_integers([item]) or (isinstance(item, Const) and item.value is Ellipsis)
