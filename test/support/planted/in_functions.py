"""Planted faults about memory that arrays share: what the compiler of Python functions would get wrong, one class each."""

# pyright: basic
from __future__ import annotations

from collections.abc import Callable

import pytest

from cogir.pyfunc import arrays, assignments, table
from cogir.pyfunc.arrays import set_item
from cogir.pyfunc.assignments import Assignments
from cogir.pyfunc.elementwise import select
from cogir.pyfunc.joining import with_storage
from cogir.pyfunc.loops import Loops
from cogir.pyfunc.meanings import arrays as meanings
from cogir.pyfunc.values import Borrowed, Closure, List, LiveName, Reversed, Scalar, Storage, Zip, copied, memory_of, storages_of

Plant = Callable[[pytest.MonkeyPatch], None]
PLANTS: dict[str, Plant] = {}


def plant(function: Plant) -> Plant:
    """Adds a plant under the name of its function."""
    PLANTS[function.__name__] = function
    return function


def new(*_: object) -> frozenset[Storage]:
    return frozenset({Storage()})


@plant
def targets_are_flattened(patch: pytest.MonkeyPatch) -> None:
    def composed(self, target, steps, value, node):
        return set_item(self.e, target, [item for items in steps if items is not None for item in items], value)

    patch.setattr(Assignments, "_composed", composed)


@plant
def a_view_is_not_written_back(patch: pytest.MonkeyPatch) -> None:
    original = Assignments._composed

    def composed(self, target, steps, value, node):
        changed = original(self, target, steps, value, node)
        return target if len(steps) > 1 and steps[0] is None else changed

    patch.setattr(Assignments, "_composed", composed)


@plant
def a_loop_goes_through_a_copy(patch: pytest.MonkeyPatch) -> None:
    original = Loops._iterable

    def snapshot(self, value):
        match value:
            case LiveName():
                return self.look_up(value.name, self.e.node)
            case Zip(parts):
                return Zip(tuple(snapshot(self, part) for part in parts))
            case Reversed(sequence):
                return Reversed(snapshot(self, sequence))
            case _:
                return value

    patch.setattr(Loops, "_iterable", lambda self, node, loop: snapshot(self, original(self, node, loop)))
    patch.setattr(assignments, "LOOP", "@nothing")
    a_loop_through_a_view_is_not_guarded(patch)


@plant
def a_loop_through_a_view_is_not_guarded(patch: pytest.MonkeyPatch) -> None:
    check = Assignments._check_owned

    def unguarded(self, *arguments, **named):
        loops = {key: self.env.pop(key) for key in list(self.env) if key.startswith("@loop")}
        check(self, *arguments, **named)
        self.env |= loops

    patch.setattr(Assignments, "_check_owned", unguarded)


@plant
def rows_are_swapped(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Assignments, "_assign_while_pending", lambda self, target, value, pending: self.assign(target, value))


@plant
def a_choice_is_a_copy(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Assignments, "_either", lambda self, test, left, right: select(self.e, Scalar(test, "i1"), left, right))


@plant
def a_result_is_new(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(table, "_at_caller", lambda compiled, bound: with_storage(compiled.result, new))


@plant
def slices_are_copies(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(arrays, "memory_of", new)


@plant
def views_by_functions_are_copies(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(meanings, "memory_of", new)


@plant
def names_are_not_checked(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Assignments, "_check_owned", lambda self, *arguments, **named: None)


@plant
def memory_of_others_is_changed(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(assignments, "memory_of", lambda value: frozenset(part for part in memory_of(value) if not isinstance(part, Borrowed)))


@plant
def a_list_grows_under_one_name(patch: pytest.MonkeyPatch) -> None:
    check = Assignments._check_owned

    def unchecked(self, name, value, node, place=None, *, grows=False):
        if not grows:
            check(self, name, value, node, place)

    patch.setattr(Assignments, "_check_owned", unchecked)


@plant
def lists_hold_copies(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(assignments, "storages_of", lambda value: value.storage if isinstance(value, List) else storages_of(value))


@plant
def defaults_are_copies(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(assignments, "storages_of", lambda value: () if isinstance(value, Closure) else storages_of(value))


@plant
def two_targets_hold_copies(patch: pytest.MonkeyPatch) -> None:
    def assign(self, node):
        value = self.expression(node.value)
        for target in node.targets:
            self.assign(target, copied(value))
        return assignments.FALL

    patch.setattr(assignments.Assignments, "_assign", assign)
    from cogir.pyfunc.statements import Statements, ast

    patch.setitem(Statements._STATEMENTS, ast.Assign, assign)
