"""
Checks of the builder's arguments, each with a message that names the line, what was found and the remedy.
"""

from __future__ import annotations

import operator
from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Any, SupportsIndex, TypeGuard, cast

import numpy as np

from cogir.errors import ModelError, quoted, shown
from cogir.frontend.builder.source_location import SourceLocation, did_you_mean
from cogir.frontend.builder.values import Array, ValueType, as_shape, as_value


def name(given: object, what: str, place: SourceLocation) -> str:
    """A name that can stand in paths: not empty, without slash, colon, quotation mark, backslash and line breaks."""
    if not isinstance(given, str) or not given.strip():
        raise ModelError(f"{place}: {what}: the name is {shown(given)}; give a string that is not empty")
    if bad := sorted(set(given) & set('/:"\\\n\r\t')):
        raise ModelError(f"{place}: {what}: the name {shown(given)} contains {bad[0]!r}, which separates names in paths; leave it out")
    if bad := next((character for character in given if "\ud800" <= character <= "\udfff"), None):
        raise ModelError(
            f"{place}: {what}: the name {shown(given)} contains {bad!r}, a lone surrogate, which cannot be written in UTF-8; leave it out"
        )
    return given


def is_among(given: object, known: Container[str]) -> TypeGuard[str]:
    """True if it is one of some names; what is no text is none."""
    return isinstance(given, str) and given in known


def choice(given: object, known: Sequence[str], what: str, place: SourceLocation) -> str:
    """One of a few words."""
    if not is_among(given, known):
        raise ModelError(f"{place}: {what} is {shown(given)}{did_you_mean(str(given), known)}")
    return given


def listed(given: object) -> list[Any] | None:
    """The value as a list if it can be iterated, else None."""
    try:
        return list(cast("Iterable[Any]", given))
    except TypeError:
        return None


def count(given: object, what: str, place: SourceLocation, least: int = 1) -> int:
    """A whole number of 64 bits, `least` or more."""
    try:
        number = -1 if isinstance(given, bool) else operator.index(cast(SupportsIndex, given))
    except TypeError:
        number = -1
    if not least <= number < 2**63:
        raise ModelError(
            f"{place}: {what} is {shown(given)}; give a whole number, {least} or more{' and below 2**63' if number >= 2**63 else ''}"
        )
    return number


def flag(given: object, what: str, place: SourceLocation) -> bool:
    """True or False."""
    if type(given) not in (bool, np.bool_):
        raise ModelError(f"{place}: {what} is {shown(given)}; give True or False")
    return bool(given)


def named_once(params: object, by_keyword: Mapping[str, Any], what: str, place: SourceLocation) -> dict[str, Any]:
    """Parameters from `params` and by keyword together; none may be given twice."""
    if not isinstance(params, Mapping | None):
        raise ModelError(f"{place}: {what}: params is {shown(params)}; give a dict of names and values")
    first = cast("Mapping[str, Any]", params or {})
    if double := first_double((*first, *by_keyword)):
        raise ModelError(f'{place}: {what}: "{double}" is given in params and by keyword; give it once')
    return {**first, **by_keyword}


def roles(given: object, key: str, known: Sequence[str], what: str, place: SourceLocation) -> None:
    """Seeds or states by generator must name generators of the function."""
    if isinstance(given, Mapping) and "bit_generator" not in given:
        for role in cast("Mapping[str, Any]", given):
            if role not in known:
                raise ModelError(f'{place}: {what}: {key}: its function has no generator "{role}"{did_you_mean(role, known)}')


def first_double(names: Iterable[str]) -> str | None:
    """The first name that occurs twice."""
    seen: set[str] = set()
    for item in names:
        if item in seen:
            return item
        seen.add(item)
    return None


def input_ports(given: Any, declared: Sequence[str], what: str, place: SourceLocation) -> dict[str, ValueType]:
    """
    The input ports from a shape, a list of shapes, or a dict of names and shapes.

    `declared` are the inputs of the function; one vector of one element is the default for each of them.
    """
    if isinstance(given, Mapping):
        shapes = cast(Mapping[str, Any], given)
        if set(shapes) != set(declared):
            unknown = next((port for port in shapes if port not in declared), None)
            if unknown is not None:
                raise ModelError(f'{place}: {what}: its function has no input "{unknown}"{did_you_mean(unknown, declared)}')
            missing = next(port for port in declared if port not in shapes)
            raise ModelError(f'{place}: {what}: input has no shape for "{missing}"; give one for each input')
        return {port: ValueType(as_shape(shapes[port], f'{what}: input "{port}"', place)) for port in declared}
    if isinstance(given, list):
        listed = cast(list[Any], given)
        if len(listed) != len(declared):
            raise ModelError(
                f"{place}: {what}: input has {len(listed)} shapes, but the function has {len(declared)} inputs "
                f"({', '.join(declared)}); give one shape for each"
            )
        return {port: ValueType(as_shape(shape, f'{what}: input "{port}"', place)) for port, shape in zip(declared, listed, strict=True)}
    shape = (1,) if given is None else as_shape(given, f"{what}: input", place)
    return dict.fromkeys(declared, ValueType(shape))


def combinations(given: Any, ports: Mapping[str, ValueType], what: str, place: SourceLocation) -> dict[str, str]:
    """The ways in which values that arrive at one port are combined, by port."""
    known = ("sum", "product")
    if given is None:
        return {}
    if isinstance(given, Mapping):
        by_port = cast(Mapping[str, Any], given)
        for port in by_port:
            if port not in ports:
                raise ModelError(f'{place}: {what}: combine: the node has no input "{port}"{did_you_mean(port, ports)}')
        return {port: choice(how, known, f'{what}: combine of "{port}"', place) for port, how in by_port.items()}
    return dict.fromkeys(ports, choice(given, known, f"{what}: combine", place))


def chosen_outputs(
    returned: Mapping[str, ValueType], chosen: Sequence[str] | None, what: str, place: SourceLocation
) -> dict[str, ValueType]:
    """The outputs that become ports, in the order in which they were chosen."""
    if chosen is None:
        return dict(returned)
    if not isinstance(cast(object, chosen), str | Sequence):
        raise ModelError(f"{place}: {what}: outputs is {shown(chosen)}; give a list of names")
    names = [chosen] if isinstance(chosen, str) else list(chosen)
    if not names:
        raise ModelError(f"{place}: {what}: outputs is empty; name at least one of {', '.join(returned)}")
    for port in names:
        if not is_among(port, returned):
            raise ModelError(f"{place}: {what}: its function has no output {quoted(port)}{did_you_mean(port, returned)}")
    if double := first_double(names):
        raise ModelError(f'{place}: {what}: outputs names "{double}" twice; name it once')
    return {port: returned[port] for port in names}


def outputs_given(given: Any, ports: Mapping[str, ValueType]) -> frozenset[str]:
    """The outputs in what was given as values by output; a single value is that of the first one."""
    if given is None:
        return frozenset()
    return frozenset(cast("Mapping[str, Any]", given)) if isinstance(given, Mapping) else frozenset([next(iter(ports))])


def initial_values(given: Any, ports: Mapping[str, ValueType], what: str, place: SourceLocation) -> dict[str, Array]:
    """The value of each output port before the first execution; zeros where nothing is said."""
    if given is None:
        given = {}
    elif not isinstance(given, Mapping):
        given = {next(iter(ports)): given}
    by_port = cast(Mapping[str, Any], given)
    for port in by_port:
        if port not in ports:
            raise ModelError(f'{place}: {what}: initial: the node has no output "{port}"{did_you_mean(port, ports)}')
    result: dict[str, Array] = {}
    for port, kept in ports.items():
        start = as_value(by_port.get(port, 0.0), f'{what}: initial of "{port}"', place)
        try:
            result[port] = np.array(np.broadcast_to(start, kept.shape), dtype=kept.dtype)
        except ValueError:
            raise ModelError(
                f'{place}: {what}: initial of "{port}" has shape {start.shape}, but the port has shape {kept.shape}; '
                "give one number or an array of that shape"
            ) from None
    return result


def labels(given: object, ports: Mapping[str, ValueType], what: str, place: SourceLocation) -> dict[str, tuple[str, ...]]:
    """The labels of elements by output port, from a dict, or from a list: of the first port, and of others whose last axis is as long."""
    if given is None:
        return {}
    if isinstance(given, Mapping):
        by_port = cast("Mapping[Any, Any]", given)
        return {
            _output_port(port, ports, f"{what}: labels", place): _labels(held, port, ports, what, place) for port, held in by_port.items()
        }
    first = next(iter(ports))
    found = _labels(given, first, ports, what, place)
    return {port: found for port, kept in ports.items() if kept.shape and kept.shape[-1] == len(found)}


def _output_port(port: Any, ports: Mapping[str, ValueType], what: str, place: SourceLocation) -> str:
    if not is_among(port, ports):
        raise ModelError(f"{place}: {what}: the node has no output {quoted(port)}{did_you_mean(str(port), ports)}")
    return port


def _labels(given: object, port: str, ports: Mapping[str, ValueType], what: str, place: SourceLocation) -> tuple[str, ...]:
    """The labels of one port."""
    found = None if isinstance(given, str) else listed(given)
    if found is None or not all(isinstance(label, str) and label for label in found):
        raise ModelError(f'{place}: {what}: labels is {shown(given)}; give a list of names: labels=["left", "right"]')
    shape = ports[port].shape
    if not shape:
        raise ModelError(f'{place}: {what}: labels: output "{port}" is a single number; leave them out')
    if len(found) != shape[-1]:
        elements = f"{shape[-1]} element{'s' * (shape[-1] != 1)}"
        raise ModelError(
            f'{place}: {what}: labels: found {len(found)}, but output "{port}" has {elements}{" along its last axis" * (len(shape) > 1)}; '
            "give one label for each"
        )
    if double := first_double(found):
        raise ModelError(f'{place}: {what}: labels: "{double}" is given twice; labels must differ')
    return tuple(str(label) for label in found)


def units(given: object, ports: Mapping[str, ValueType], what: str, place: SourceLocation) -> dict[str, str]:
    """The units of output ports, from a dict."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise ModelError(
            f'{place}: {what}: units is {shown(given)}; give a dict from outputs to units: units={{"{next(iter(ports))}": "s"}}'
        )
    found: dict[str, str] = {}
    for port, unit in cast("Mapping[Any, Any]", given).items():
        port = _output_port(port, ports, f"{what}: units", place)
        if not isinstance(unit, str) or not unit.strip():
            raise ModelError(f'{place}: {what}: the unit of "{port}" is {shown(unit)}; give a text such as "s"')
        found[port] = unit
    return found
