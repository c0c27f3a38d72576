"""
A condition, and what is made of several: all, any, not, and the first times that one holds.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

from cogir.errors import ModelError, shown
from cogir.frontend.builder.checks import count
from cogir.frontend.builder.source_location import user_place
from cogir.frontend.builder.time_scales import time_scale


class Condition:
    """Base of all conditions."""

    _least = 0
    """The least count `n`, in conditions that have one."""

    def __and__(self, other: Condition) -> Condition:
        """Satisfied when both are."""
        return All(*_flattened(All, self, other))

    def __or__(self, other: Condition) -> Condition:
        """Satisfied when one of them is, or both."""
        return Any(*_flattened(Any, self, other))

    def __invert__(self) -> Condition:
        """Satisfied when this one is not."""
        return Not(self)

    def __bool__(self) -> bool:
        raise ModelError(
            f"{user_place()}: {type(self).__name__}: a condition has no truth value when the model is built; write & | ~ instead "
            "of and, or, not"
        )

    def __post_init__(self) -> None:
        """Checks the counts and time scales of every condition that has some."""
        for field in fields(self):  # pyright: ignore[reportArgumentType]
            value: object = getattr(self, field.name)
            if field.name == "n":
                object.__setattr__(self, "n", count(value, f"{type(self).__name__}: n", user_place(), least=self._least))
            if field.name == "time_scale":
                object.__setattr__(self, "time_scale", time_scale(value))


def checked_conditions(owner: str, given: tuple[object, ...]) -> tuple[Condition, ...]:
    for condition in given:
        if not isinstance(condition, Condition):
            found = f"the class {condition.__name__}" if isinstance(condition, type) else shown(condition)
            raise ModelError(
                f"{user_place()}: {owner}: found {found}; give conditions, such as cogir.AfterPass(3)"
                + ("; did you forget its parentheses?" if isinstance(condition, type) else "")
            )
    return tuple(condition for condition in given if isinstance(condition, Condition))


@dataclass(frozen=True, eq=False, init=False)
class All(Condition):
    """Satisfied when all of the conditions are."""

    conditions: tuple[Condition, ...]

    def __init__(self, *conditions: Condition):
        object.__setattr__(self, "conditions", checked_conditions(type(self).__name__, conditions))


@dataclass(frozen=True, eq=False, init=False)
class Any(Condition):
    """Satisfied when one or more of the conditions are."""

    conditions: tuple[Condition, ...]

    def __init__(self, *conditions: Condition):
        object.__setattr__(self, "conditions", checked_conditions(type(self).__name__, conditions))


And = All
Or = Any


def _flattened(kind: type[All | Any], *conditions: Condition) -> list[Condition]:
    """The conditions, with those that one of this kind joins in its place: a long chain of `&` or `|` becomes no deep nest."""
    return [inner for each in conditions for inner in (each.conditions if isinstance(each, kind) else (each,))]


def depth_of(condition: Condition) -> int:
    """The depth to which conditions are nested in this one: 1 where there is none inside."""
    depth, level = 0, [condition]
    while level:
        depth += 1
        level = list({id(part): part for each in level for part in _inside(each)}.values())
    return depth


def _inside(condition: Condition) -> tuple[Condition, ...]:
    """The conditions that one joins, negates or counts."""
    match condition:
        case All() | Any():
            return condition.conditions
        case Not() | NWhen():
            return (condition.condition,)
        case _:
            return ()


@dataclass(frozen=True, eq=False)
class Not(Condition):
    """Satisfied when the condition is not."""

    condition: Condition

    def __post_init__(self) -> None:
        """Checks that it is given a condition."""
        checked_conditions("Not", (self.condition,))


@dataclass(frozen=True, eq=False)
class NWhen(Condition):
    """Satisfied the first n times that the condition is."""

    condition: Condition
    n: int = 1

    def __post_init__(self) -> None:
        """Checks that it is given a condition, and the count."""
        checked_conditions("NWhen", (self.condition,))
        super().__post_init__()
