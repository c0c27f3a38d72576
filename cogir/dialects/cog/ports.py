"""
Finds ports, and the names to which the parts of a model refer.

`@node["port"]` names a port; `@node` alone means its only one. Ports of an instance are the inputs and outputs of its
model, named "node/port", or "node" when that is enough.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from xdsl.dialects.builtin import StringAttr, SymbolRefAttr
from xdsl.ir import Attribute, Operation
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.mlir_lexer import MLIRLexer

from cogir.dialects.cog.lookup import enclosing_module, with_names
from cogir.errors import closest

__all__ = ["PortOwner", "resolve_port"]


class PlacedVerifyException(VerifyException):
    """A refusal that is found while looking at a whole model, and names the operation that is to blame."""

    def __init__(self, op: Operation, message: str):
        super().__init__(message)
        self.op = op


class PortOwner(ABC):
    """An operation that has ports: a node, an instance of a model, a controller."""

    @property
    @abstractmethod
    def input_ports(self) -> tuple[tuple[str, Attribute], ...]:
        """The input ports: full names and types."""

    @property
    @abstractmethod
    def output_ports(self) -> tuple[tuple[str, Attribute], ...]:
        """The output ports: full names and types."""


def show(symbol: SymbolRefAttr | StringAttr | str, port: StringAttr | str | None = None) -> str:
    """A symbol, with a port, as a modeller writes it."""
    name = symbol.root_reference.data if isinstance(symbol, SymbolRefAttr) else symbol
    name = name if isinstance(name, str) else name.data
    text = f"@{name}" if MLIRLexer.bare_identifier_regex.fullmatch(name) else f"@{quoted(name)}"
    if port is not None:
        text += f"[{quoted(port if isinstance(port, str) else port.data)}]"
    return text


def quoted(name: str) -> str:
    """A name in quotes."""
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def count(number: int, what: str) -> str:
    """`1 output`, `2 outputs`, `no outputs`."""
    return f"{number or 'no'} {what}{'' if number == 1 else 's'}"


def suggestion(name: str, known: Iterable[str], form: Callable[[str], str] = quoted) -> str:
    """`; did you mean "value"?` when a known name is close to `name`, else the names there are."""
    known = list(known)
    if (close := closest(name, known)) is not None:
        return f"; did you mean {form(close)}?"
    if not known:
        return "; there is none"
    listed = ", ".join(form(each) for each in known[:8]) + (", ..." if len(known) > 8 else "")
    return f"; there is {listed}" if len(known) == 1 else f"; there are {listed}"


@contextmanager
def speaking(op: Operation, who: str) -> Generator[None, None, None]:
    """Refusals inside name `op` as their place and begin with `who`."""
    try:
        yield
    except PlacedVerifyException:
        raise
    except VerifyException as error:
        raise PlacedVerifyException(op, f"{who}: {error}") from error


def unique_symbols(ops: Iterable[Operation], where: str) -> dict[str, Operation]:
    """The named operations among `ops`; a refusal when two have one name."""
    symbols: dict[str, Operation] = {}
    for name, op in with_names(ops):
        if name in symbols:
            raise PlacedVerifyException(op, f"{where} has two operations called {show(name)}; rename one of them")
        symbols[name] = op
    return symbols


@dataclass(frozen=True)
class ModelNames:
    """The names to which the parts of a model may refer. A model is verified with one table of them."""

    model: Operation
    name: str
    symbols: Mapping[str, Operation]
    """The named parts of the model."""
    outside: Mapping[str, Operation]
    """The named operations of the module around the model; of several with one name, the first."""

    @staticmethod
    def of(model: Operation, name: str) -> ModelNames:
        """The names around a model called `name`. Raises where two of its parts have one name."""
        module = enclosing_module(model)
        outside: dict[str, Operation] = {}
        for each, op in () if module is None else with_names(module.body.block.ops):
            outside.setdefault(each, op)
        return ModelNames(model, name, unique_symbols(model.regions[0].block.ops, f"model {show(name)}"), outside)

    def find(self, node: SymbolRefAttr, port: StringAttr | None, *, output: bool) -> tuple[str, Attribute]:
        """As `find_port`, among the parts of the model."""
        return find_port(self.symbols.get(node.root_reference.data), node, port, output=output, known=self.symbols)

    def known(self, kind: type[Operation]) -> list[str]:
        """The names of the operations of one kind in the module."""
        return [name for name, op in self.outside.items() if isinstance(op, kind)]


class SymbolUser(ABC):
    """
    A part of a model that refers to others by name.

    This is MLIR's SymbolUserOpInterface: the model calls it with a table of names. (xDSL's passes no table, so that each look-up would
    read the whole model.)
    """

    @abstractmethod
    def verify_symbol_uses(self, scope: ModelNames) -> None:
        """Raises `PlacedVerifyException` if a name leads nowhere, or to something that does not fit."""


def find_port(
    owner: Operation | None,
    node: SymbolRefAttr,
    port: StringAttr | None,
    *,
    output: bool,
    known: Iterable[str] = (),
) -> tuple[str, Attribute]:
    """
    The full name and the type of the port meant by `node` and `port`, where `owner` is what `node` names.

    Raises `VerifyException`, with a message that names the remedy, when there is no such port.
    """
    kind = "output" if output else "input"
    if owner is None:
        raise VerifyException(f"{show(node)} is not part of the model{suggestion(node.root_reference.data, known, show)}")
    if not isinstance(owner, PortOwner):
        raise VerifyException(f"{show(node)} is a {owner.name}, which has no ports; name a node")
    ports = owner.output_ports if output else owner.input_ports
    if port is None:
        if len(ports) == 1:
            return ports[0]
        if not ports:
            raise VerifyException(f"{show(node)} has no {kind} port")
        raise VerifyException(f"{show(node)} has {len(ports)} {kind} ports; write one of {choices(node, ports)}")
    found = [each for each in ports if each[0] == port.data]
    if not found:
        found = [each for each in ports if each[0].startswith(port.data + "/")]
    if len(found) == 1:
        return found[0]
    if found:
        raise VerifyException(f"{show(node, port)} is ambiguous, as several {kind} ports match; write one of {choices(node, found)}")
    raise VerifyException(f'{show(node)} has no {kind} port "{port.data}"{suggestion(port.data, dict(ports))}')


def choices(node: SymbolRefAttr, ports: Sequence[tuple[str, Attribute]]) -> str:
    """Ports of a node, listed as a modeller writes them."""
    return ", ".join(show(node, name) for name, _ in ports)


def symbols_around(op: Operation) -> Mapping[str, Operation]:
    """The named operations of the block that holds `op`."""
    return {} if op.parent is None else dict(with_names(op.parent.ops))


def resolve_port(
    op: Operation,
    node: SymbolRefAttr,
    port: StringAttr | None,
    symbols: Mapping[str, Operation] | None,
    *,
    output: bool,
) -> tuple[str, Attribute]:
    """As `find_port`, looking up `node` in `symbols`, or beside `op` when that is None."""
    if symbols is None:
        symbols = symbols_around(op)
    return find_port(symbols.get(node.root_reference.data), node, port, output=output, known=symbols)
