"""
A schedule in the words in which it is written.

    print(m.schedule)
    # schedule of "stroop":
    #   when("response", AfterPass(3) & ~JustRan("task"))
    #   reset("decision", AtTrialStart())
    #   trial_ends(WhenFinished("decision"))
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator

from cogir.errors import LONGEST
from cogir.frontend.builder.condition import All, Any, Condition, Not
from cogir.frontend.builder.handles import Instance, Node
from cogir.frontend.builder.records import ScheduleRecord
from cogir.frontend.builder.time_scales import TimeScale


def schedule_as_written(schedule: ScheduleRecord) -> Iterator[str]:
    """The calls that give a schedule, in the order of their kinds."""
    for node, (condition, _) in schedule.conditions.items():
        yield f'when("{node}", {as_written(condition)})'
    for node, (when, _) in schedule.asides.items():
        yield f'aside("{node}", "{when}")'
    for node, (condition, _) in schedule.resets.items():
        yield f"reset({_reset_of(schedule, node)}, {as_written(condition)}{_kept_by(schedule, node)})"
    for (node, state), (message, _) in schedule.failures.items():
        yield f'fails({node}.state("{state}"), {_short(message)})'
    for scale, (condition, _) in schedule.ends.items():
        yield f"{scale}_ends({as_written(condition)})"


def _reset_of(schedule: ScheduleRecord, node: str) -> str:
    """A node that is reset, or the states of it that are."""
    states = [f'{node}.state("{state}")' for state in schedule.reset_states.get(node, ())]
    return f"[{', '.join(states)}]" if states else f'"{node}"'


def _kept_by(schedule: ScheduleRecord, node: str) -> str:
    """The states and ports that a reset of a node leaves as they are, as an argument."""
    kept = [_value(state) for state in schedule.reset_keeps.get(node, ())]
    kept += [f'{node}["{port}"]' for port in schedule.reset_keeps_ports.get(node, ())]
    return f", keeps=[{', '.join(kept)}]" if kept else ""


def as_written(condition: Condition) -> str:
    """A condition as an expression: `AfterPass(3) & ~JustRan("task")`."""
    match condition:
        case All() | Any() if len(condition.conditions) > 1:
            return (" & " if isinstance(condition, All) else " | ").join(map(_operand, condition.conditions))
        case Not():
            return f"~{_operand(condition.condition)}"
        case _:
            return f"{type(condition).__name__}({', '.join(_arguments(condition))})"


def _operand(condition: Condition) -> str:
    """A condition beside an operator: in parentheses if it is several."""
    text = as_written(condition)
    return f"({text})" if isinstance(condition, All | Any) and len(condition.conditions) > 1 else text


def _arguments(condition: Condition) -> Iterator[str]:
    """The arguments of a condition, without those that have their defaults."""
    by_name = False
    for name, parameter in inspect.signature(type(condition)).parameters.items():
        value: object = getattr(condition, name)
        if parameter.kind is parameter.VAR_POSITIONAL:
            assert isinstance(value, tuple)
            yield from map(_value, value)  # pyright: ignore[reportUnknownArgumentType]
        elif value == parameter.default:
            by_name = True
        else:
            is_named = by_name or parameter.kind is parameter.KEYWORD_ONLY
            yield f"{name}={_value(value)}" if is_named else _value(value)


def _value(value: object) -> str:
    """An argument: nodes and texts in quotation marks, functions by name."""
    match value:
        case Node() | Instance():
            return f'"{value.name}"'
        case TimeScale():
            return f"TimeScale.{value.name}"
        case str():
            return f'"{value}"'
        case Condition():
            return as_written(value)
        case list():
            return f"[{', '.join(map(_value, value))}]"  # pyright: ignore[reportUnknownArgumentType]
        case _ if callable(value):
            return getattr(value, "__name__", type(value).__name__).strip("<>")
        case _:
            return repr(value)


def _short(text: str) -> str:
    """A text in quotation marks, cut where it is long."""
    return f'"{text}"' if len(text) <= LONGEST else f'"{text[:LONGEST]} ..."'
