"""
Which inputs and outputs of two models belong together, element by element.

Ports are matched by name, else in order, else by all their elements in a row (sixteen numbers, and a vector of sixteen), else each port of
one model gets all elements of the other (a vector of sixteen, twice). What was chosen is a part of the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, Literal, TypeAlias, cast

from cogir.errors import InputError, closest, shown

Ports: TypeAlias = "Mapping[str, tuple[int, ...]]"
"""Names of ports with their shapes."""
Element: TypeAlias = "tuple[str, int]"
"""A port and the place of an element in it."""
Names: TypeAlias = "str | Sequence[str]"


@dataclass(frozen=True)
class Matched:
    """Elements of the first model and of the second that belong together, and the same in words."""

    pairs: tuple[tuple[Element, Element], ...]
    words: str
    orders: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    """The ports of both models in order."""


def elements(ports: Ports, names: Sequence[str]) -> list[Element]:
    """The elements of some ports in a row."""
    return [(name, at) for name in names for at in range(prod(ports[name]))]


def port_called(ports: Ports, name: str, kind: str, model: str) -> str:
    """The port that a user calls `node/port`, or `node` if it has one port."""
    if name in ports:
        return name
    found = [port for port in ports if port.rpartition("/")[0] == name]
    if len(found) == 1:
        return found[0]
    nodes = [port.rpartition("/")[0] for port in ports]
    if found:
        raise InputError(f'{kind}s: node "{name}" of {model} has several; say which: {", ".join(found)}')
    near = closest(name, [*nodes, *ports])
    hint = f'; did you mean "{near}"?' if near else f"; it has {', '.join(ports)}"
    raise InputError(f'{kind}s: {model} has no {kind} "{name}"{hint}')


def matched(
    first: Ports, second: Ports, given: Mapping[str, Names] | Sequence[tuple[Names, Names]] | None, kind: Literal["input", "output"]
) -> Matched:
    """
    The elements that belong together. `given` has the ports of the first model by those of the second, or pairs of ports or of lists of
    ports, first and second.
    """
    pairs, words = _as_given(first, second, given, kind) if given is not None else _by_themselves(first, second, kind)
    return Matched(tuple(pairs), words, (tuple(first), tuple(second)))


def _by_themselves(first: Ports, second: Ports, kind: str) -> tuple[list[tuple[Element, Element]], str]:
    if first.keys() == second.keys() and all(prod(first[name]) == prod(second[name]) for name in first):
        return [(each, each) for each in elements(first, list(first))], listed(first)
    sizes = [prod(shape) for shape in first.values()], [prod(shape) for shape in second.values()]
    own, other = elements(first, list(first)), elements(second, list(second))
    if len(own) == len(other):
        words = f"{listed(first)} = {listed(second)}" + ("" if sizes[0] == sizes[1] else ", element by element")
        return list(zip(own, other, strict=True)), words
    if all(size == len(own) for size in sizes[1]):
        return [(each, (name, at)) for name in second for at, each in enumerate(own)], f"{' = '.join(second)} = {listed(first)}"
    if all(size == len(other) for size in sizes[0]):
        return [((name, at), each) for name in first for at, each in enumerate(other)], f"{' = '.join(first)} = {listed(second)}"
    raise InputError(
        f"{kind}s: the first model has {listed(first)} ({len(own)} numbers), the second {listed(second)} ({len(other)} numbers); say which "
        f'belong together: {kind}s={{"{next(iter(second), "port")}": "{next(iter(first), "port")}"}}'
    )


def listed(names: Sequence[str] | Ports, most: int = 6) -> str:
    """Names in a row, not more than a few of them."""
    held = list(names)
    if len(held) > most:
        held = [*held[: most - 2], "...", held[-1]]
    return ", ".join(held) or "none"


def _as_given(
    first: Ports, second: Ports, given: Mapping[str, Names] | Sequence[tuple[Names, Names]], kind: str
) -> tuple[list[tuple[Element, Element]], str]:
    rows = rows_of(given, kind)
    pairs: list[tuple[Element, Element]] = []
    words: list[str] = []
    for own, other in rows:
        own_names = [port_called(first, name, kind, "the first model") for name in ([own] if isinstance(own, str) else own)]
        other_names = [port_called(second, name, kind, "the second model") for name in ([other] if isinstance(other, str) else other)]
        left, right = elements(first, own_names), elements(second, other_names)
        if len(left) != len(right):
            raise InputError(
                f"{kind}s: {listed(own_names)} has {len(left)} numbers, and {listed(other_names)} has {len(right)}; give ports with as many"
            )
        pairs += zip(left, right, strict=True)
        words.append(f"{listed(own_names)} = {listed(other_names)}")
    if kind == "input":
        for ports, side, which in ((first, 0, "first"), (second, 1, "second")):
            missing = [name for name in ports if name not in {pair[side][0] for pair in pairs}]
            if missing:
                raise InputError(f"inputs: {listed(missing)} of the {which} model has no counterpart; add it")
    return pairs, "; ".join(words)


def rows_of(given: Any, kind: str) -> list[tuple[Names, Names]]:
    """The pairs of ports, or of lists of ports, that were given."""
    held = cast("Mapping[Any, Any]", given)
    rows: Any = [(own, other) for other, own in held.items()] if isinstance(given, Mapping) else given
    if not (isinstance(rows, list | tuple) and all(is_pair(row) for row in cast("list[Any]", rows))):
        raise InputError(
            f'{kind}s is {shown(given)}; give ports of the first model by those of the second, {{"second": "first"}}, or pairs of ports or '
            f'of lists of ports, [(["first-0", "first-1"], "second")]'
        )
    return list(cast("list[tuple[Names, Names]]", rows))


def is_pair(given: Any) -> bool:
    """True for two names of ports, or lists of them."""
    row = cast("tuple[Any, ...]", given)
    return isinstance(given, list | tuple) and len(row) == 2 and all(is_names(each) for each in row)


def is_names(given: Any) -> bool:
    """True for the name of a port, and for several names."""
    return isinstance(given, str) or (isinstance(given, list | tuple) and all(isinstance(each, str) for each in cast("list[Any]", given)))


def shared(
    pairs: Sequence[tuple[Element, Element]], make: Callable[[Element], object]
) -> tuple[dict[Element, object], dict[Element, object]]:
    """For the elements of either model: one object for all elements that belong together, directly or through others."""
    roots: dict[tuple[int, Element], tuple[int, Element]] = {}

    def root(each: tuple[int, Element]) -> tuple[int, Element]:
        while roots.setdefault(each, each) != each:
            each = roots[each]
        return each

    for own, other in pairs:
        ends = sorted((root((0, own)), root((1, other))))
        roots[ends[1]] = ends[0]
    made: dict[tuple[int, Element], object] = {}
    found: tuple[dict[Element, object], dict[Element, object]] = ({}, {})
    for side, element in list(roots):
        held = root((side, element))
        if held not in made:
            made[held] = make(held[1])
        found[side][element] = made[held]
    return found
