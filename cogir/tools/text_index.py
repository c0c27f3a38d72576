"""
An index of a text of IR for editors: its errors, and for each place what stands there, where it is defined, and what could follow.

Values and their types come from the parser, as far as it gets; symbols and ports from the tokens, so that a text that is being written
has them as well. Positions are offsets into the text.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.parser import Position
from xdsl.utils.exceptions import ParseError
from xdsl.utils.lexer import Input, Span
from xdsl.utils.mlir_lexer import MLIRToken, MLIRTokenKind, StringLiteral

from cogir.dialects.text import BYTE_ORDER_MARK, CogLexer, CogParser, make_context
from cogir.lowering.pass_descriptions import first_sentence
from cogir.tools.common import module_errors
from cogir.tools.diagnostics import USER_ERRORS, ToolError, internal_error, tool_error
from cogir.tools.pieces import TextPiece, pieces_of

COMPLETED = ("cog", "rng", "func", "arith", "math", "linalg", "tensor", "scf")
"""The dialects whose operations are proposed."""
GROUPS = ("params", "states", "random")
"""The words before the groups of values in the head of a node; the group before them holds its inputs, the one after `->` its outputs."""
MOST_LINES = 6
"""The lines of a definition that are shown."""
OPENING = (MLIRTokenKind.L_BRACE, MLIRTokenKind.L_PAREN, MLIRTokenKind.L_SQUARE)
CLOSING = (MLIRTokenKind.R_BRACE, MLIRTokenKind.R_PAREN, MLIRTokenKind.R_SQUARE)


@dataclass(frozen=True)
class TextRange:
    """A part of a text, from `start` up to `end`."""

    start: int
    end: int

    def holds(self, offset: int) -> bool:
        """True if an offset lies in it, or at its end."""
        return self.start <= offset <= self.end


@dataclass(frozen=True)
class ValueDefinition:
    """The definition of a value in the text."""

    name: str
    place: TextRange
    scope: TextRange
    values: tuple[SSAValue, ...]
    operation: str
    """The operation that computes the value; empty for arguments."""

    @property
    def type(self) -> str:
        """The type as text; several results have theirs in a list."""
        return ", ".join(str(value.type) for value in self.values)


@dataclass
class PortDefinition:
    """A port, parameter, state or generator in the head of a node."""

    name: str
    place: TextRange
    group: str
    type: str


@dataclass
class SymbolDefinition:
    """The operation that defines a symbol."""

    name: str
    place: TextRange
    operation: str
    body: TextRange
    """The whole operation."""
    scope: TextRange
    """The scope in which the symbol has its name."""
    ports: list[PortDefinition] = field(default_factory=list[PortDefinition])


@dataclass(frozen=True)
class Proposal:
    """A text that could stand at a place."""

    label: str
    kind: str
    """One of "operation", "symbol", "value", "port"."""
    detail: str
    description: str = ""


@dataclass(frozen=True)
class Description:
    """The description of the text at a place, in Markdown."""

    text: str
    place: TextRange


class IndexingParser(CogParser):
    """The parser, which also notes where values are defined."""

    def __init__(self, context: Context, text: str, name: str, first_line: int):
        super().__init__(context, text, name, first_line=first_line, own_places=True)
        self.definitions: list[tuple[str, Span, tuple[SSAValue, ...], int]] = []
        self.regions: list[list[int]] = [[0, len(text)]]
        self._open = [0]

    def parse_optional_region(self, arguments: Iterable[Any] | None = None) -> Any:
        if self._current_token.kind != MLIRTokenKind.L_BRACE:
            return super().parse_optional_region(arguments)
        number = len(self.regions)
        self.regions.append([self.pos, self.regions[0][1]])
        self._open.append(number)
        region = super().parse_optional_region(arguments)
        self._open.pop()
        self.regions[number][1] = self._last_end
        return region

    @property
    def _last_end(self) -> Position:
        """The end of the text that has been read."""
        return len(self.lexer.input.content[: self.pos].rstrip())

    def _register_ssa_definition(self, name: str, values: Sequence[SSAValue], span: Span) -> None:
        super()._register_ssa_definition(name, values, span)
        self.definitions.append((name, span, tuple(values), self._open[-1]))


@dataclass
class TextIndex:
    """The index of a text."""

    text: str
    tokens: list[MLIRToken]
    errors: list[ToolError]
    values: list[ValueDefinition]
    symbols: list[SymbolDefinition]

    @staticmethod
    def of(text: str, name: str = "<text>") -> TextIndex:
        """Reads a text, piece by piece."""
        found = TextIndex(text, list(tokens_of(text)), [], [], [])
        found.symbols = symbols_in(found.tokens, len(text))
        for piece in pieces_of(text):
            found.read(piece, name)
        return found

    def read(self, piece: TextPiece, name: str) -> None:
        """Reads one piece."""
        start = piece.start + piece.text.startswith(BYTE_ORDER_MARK)
        parser: IndexingParser | None = None
        try:
            parser = IndexingParser(make_context(), piece.text, name, piece.first_line)  # reads the first token
            self.errors += module_errors(parser.parse_module())
        except ParseError as error:
            error.span = replace(error.span, line_offset=piece.first_line - 1)
            self.errors.append(tool_error(error))
        except RecursionError:
            self.errors.append(ToolError("the input is nested too deeply"))
        except USER_ERRORS as error:
            self.errors.append(tool_error(error))
        except Exception as error:
            self.errors.append(internal_error(error))  # an editor goes on to ask, also about a text that shows a defect
        if parser is None:
            return
        for defined, span, values, region in parser.definitions:
            place = TextRange(span.start + start, span.end + start)
            first, end = parser.regions[region]
            owner = values[0].owner
            operation = owner.name if isinstance(owner, Operation) else ""
            self.values.append(ValueDefinition(defined, place, TextRange(min(first, span.start) + start, end + start), values, operation))

    # Places

    def token_at(self, offset: int) -> int | None:
        """The number of the token at an offset; of two that meet there, the one that is a name."""
        found = [number for number, token in enumerate(self.tokens) if token.span.start <= offset <= token.span.end]
        names = [number for number in found if self.tokens[number].kind in NAMES]
        return next(iter([*names, *found]), None)

    def value_at(self, name: str, offset: int) -> ValueDefinition | None:
        """The value that a name stands for at an offset: that of the innermost region around it."""
        found = [each for each in self.values if each.name == name and (each.scope.holds(offset) or each.place.holds(offset))]
        return max(found, key=lambda each: (each.scope.start, each.place.start), default=None)

    def symbol_at(self, name: str, offset: int) -> SymbolDefinition | None:
        """The symbol that a name stands for at an offset: that of the innermost table around it."""
        found = [each for each in self.symbols if each.name == name and each.scope.holds(offset)]
        return max(found, key=lambda each: each.scope.start, default=None)

    def port_at(self, number: int) -> PortDefinition | None:
        """The port that a token names, as in `@node["port"]`."""
        if number < 2 or self.tokens[number].kind != MLIRTokenKind.STRING_LIT:
            return None
        owner = self.owner_of_port(number)
        name = name_of(self.tokens[number])
        return next((port for port in owner.ports if port.name == name), None) if owner is not None else None

    def owner_of_port(self, number: int) -> SymbolDefinition | None:
        """The node in whose brackets a token stands, as in `@node[` or `@node[param "`."""
        before = number - 1
        while before > number - 3 and before > 0 and self.tokens[before].kind == MLIRTokenKind.BARE_IDENT:
            before -= 1
        if before < 1 or self.tokens[before].kind != MLIRTokenKind.L_SQUARE or self.tokens[before - 1].kind != MLIRTokenKind.AT_IDENT:
            return None
        owner = self.tokens[before - 1]
        return self.symbol_at(name_of(owner), owner.span.start)

    # Questions of an editor

    def definition(self, offset: int) -> TextRange | None:
        """The place where the name at an offset is defined."""
        number = self.token_at(offset)
        if number is None:
            return None
        token = self.tokens[number]
        match token.kind:
            case MLIRTokenKind.PERCENT_IDENT:
                found = self.value_at(name_of(token), token.span.start)
            case MLIRTokenKind.AT_IDENT:
                found = self.symbol_at(name_of(token), token.span.start)
            case MLIRTokenKind.STRING_LIT:
                found = self.port_at(number)
            case _:
                found = None
        return None if found is None else found.place

    def description(self, offset: int) -> Description | None:
        """The description of what stands at an offset."""
        number = self.token_at(offset)
        if number is None:
            return None
        token = self.tokens[number]
        text = ""
        match token.kind:
            case MLIRTokenKind.PERCENT_IDENT if value := self.value_at(name_of(token), token.span.start):
                source = f"result of `{value.operation}`" if value.operation else "argument"
                text = f"{code(f'%{value.name} : {value.type}')}\n{source}"
            case MLIRTokenKind.AT_IDENT if symbol := self.symbol_at(name_of(token), token.span.start):
                text = code(self.shown(symbol.body))
            case MLIRTokenKind.STRING_LIT if port := self.port_at(number):
                text = f"{code(f'{port.name}: {port.type}')}\n{port.group}"
            case MLIRTokenKind.BARE_IDENT if token.text in operations():
                text = documentation(operations()[token.text])
            case _:
                pass
        return Description(text, TextRange(token.span.start, token.span.end)) if text else None

    def proposals(self, offset: int) -> list[Proposal]:
        """The texts that could stand at an offset, where a name may have been begun."""
        begun = self.begun(offset)
        start = offset - len(begun)
        if begun.startswith("@"):
            return [
                Proposal(f"@{written(each.name)}", "symbol", each.operation) for each in unique(self.symbols) if each.scope.holds(offset)
            ]
        if begun.startswith("%"):
            line = self.text.rfind("\n", 0, start) + 1  # the results of the operation in this line are not defined yet
            visible = {
                each.name: each for each in self.values if each.scope.holds(offset) and each.place.end < (line if each.operation else start)
            }
            return [Proposal(f"%{each.name}", "value", each.type, each.operation) for each in visible.values()]
        before = max((number for number, token in enumerate(self.tokens) if token.span.end <= start), default=None)
        if before is not None and (owner := self.owner_of_port(before + 1)) is not None:
            return [Proposal(port.name, "port", f"{port.group}: {port.type}") for port in owner.ports]
        if before is not None and self.text[self.tokens[before].span.end : start].count("\n") == 0 and not self.begins_operation(before):
            return []
        return [Proposal(name, "operation", first_sentence(doc_of(op)), documentation(op)) for name, op in operations().items()]

    def begun(self, offset: int) -> str:
        """The name that has been begun before an offset."""
        start = offset
        while start > 0 and (self.text[start - 1].isalnum() or self.text[start - 1] in "_$."):
            start -= 1
        if start > 0 and self.text[start - 1] in "@%":
            start -= 1
        return self.text[start:offset]

    def begins_operation(self, before: int) -> bool:
        """True if an operation can begin after a token in the same line."""
        return self.tokens[before].kind in (MLIRTokenKind.EQUAL, MLIRTokenKind.L_BRACE, MLIRTokenKind.R_BRACE)

    def shown(self, place: TextRange) -> str:
        """The first lines of a part of the text, indented as it stands there."""
        lines = self.text[place.start : place.end].splitlines()
        margin = place.start - (self.text.rfind("\n", 0, place.start) + 1)
        kept = [lines[0], *(line[min(margin, len(line) - len(line.lstrip())) :] for line in lines[1:MOST_LINES])]
        return "\n".join([*kept, *(["  ..."] if len(lines) > MOST_LINES else [])])


NAMES = (MLIRTokenKind.PERCENT_IDENT, MLIRTokenKind.AT_IDENT, MLIRTokenKind.STRING_LIT, MLIRTokenKind.BARE_IDENT)


def tokens_of(text: str) -> Iterator[MLIRToken]:
    """The tokens of a text; what is none is passed over."""
    lexer = CogLexer(Input(text, "<text>"))
    while True:
        start = lexer.pos
        try:
            token = lexer.lex()
        except ParseError:
            lexer.pos = max(start, lexer.pos) + (lexer.pos <= start)
            continue
        if token.kind is MLIRTokenKind.EOF:
            return
        yield token


def name_of(token: MLIRToken) -> str:
    """The name that a token stands for: `@"my node"` is `my node`, `%x#1` is `x`."""
    text = token.text
    match token.kind:
        case MLIRTokenKind.PERCENT_IDENT:
            return text[1:].partition("#")[0]
        case MLIRTokenKind.AT_IDENT if text[1] == '"':
            return StringLiteral(token.span.start + 1, token.span.end, token.span.input).string_contents
        case MLIRTokenKind.AT_IDENT:
            return text[1:]
        case MLIRTokenKind.STRING_LIT:
            return StringLiteral(token.span.start, token.span.end, token.span.input).string_contents
        case _:
            return text


def written(name: str) -> str:
    """The name of a symbol as it is written after `@`."""
    if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_$.]*", name):
        return name
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def symbols_in(tokens: Sequence[MLIRToken], end: int) -> list[SymbolDefinition]:
    """The symbols that operations define, with their ports and the parts of the text that they are known in."""
    partners = matching(tokens, end)
    tables: list[TextRange] = [TextRange(0, end)]
    """The models around a token, the innermost last."""
    found: list[SymbolDefinition] = []
    for number, token in enumerate(tokens):
        if token.kind is not MLIRTokenKind.BARE_IDENT or token.text not in defining_operations():
            continue
        at = next(
            (place for place in range(number + 1, min(number + 4, len(tokens))) if tokens[place].kind is MLIRTokenKind.AT_IDENT), None
        )
        if at is None or any(each.kind is not MLIRTokenKind.BARE_IDENT for each in tokens[number + 1 : at]):
            continue
        body = body_of(tokens, at, partners)
        whole = TextRange(token.span.start, tokens[body].span.end if body is not None else line_end(tokens, at))
        while not tables[-1].holds(token.span.start):
            tables.pop()
        scope = tables[-1]
        name, place = name_of(tokens[at]), TextRange(tokens[at].span.start, tokens[at].span.end)
        ports = ports_in(tokens, at, body, partners) if token.text == "cog.node" else []
        found.append(SymbolDefinition(name, place, token.text, whole, scope, ports))
        if token.text == "cog.model":
            tables.append(whole)
    return found


def matching(tokens: Sequence[MLIRToken], end: int) -> dict[int, int]:
    """For each opening bracket the number of its closing one, or of the last token."""
    found: dict[int, int] = {}
    waiting: list[int] = []
    for number, token in enumerate(tokens):
        if token.kind in OPENING:
            waiting.append(number)
        elif token.kind in CLOSING and waiting:
            found[waiting.pop()] = number
    return found | dict.fromkeys(waiting, len(tokens) - 1)


def body_of(tokens: Sequence[MLIRToken], at: int, partners: dict[int, int]) -> int | None:
    """The number of the bracket that ends the body of an operation whose name stands at a token; None if it has no body."""
    number = at + 1
    while number < len(tokens):
        token = tokens[number]
        if token.kind is MLIRTokenKind.L_BRACE and not is_dictionary(tokens, number):
            return partners[number]
        if token.kind in OPENING:
            number = partners[number] + 1
            continue
        if token.kind is MLIRTokenKind.R_BRACE or begins_another(token):
            return None
        number += 1
    return None


def begins_another(token: MLIRToken) -> bool:
    """True if another operation begins with a token."""
    return token.kind is MLIRTokenKind.BARE_IDENT and token.text in operations()


def is_dictionary(tokens: Sequence[MLIRToken], number: int) -> bool:
    """True if a brace opens attributes: `{name = value}`."""
    kinds = [token.kind for token in tokens[number + 1 : number + 3]]
    return kinds == [MLIRTokenKind.BARE_IDENT, MLIRTokenKind.EQUAL]


def line_end(tokens: Sequence[MLIRToken], at: int) -> int:
    """The end of the line of a token."""
    content = tokens[at].span.input.content
    end = content.find("\n", tokens[at].span.end)
    return len(content) if end < 0 else end


def ports_in(tokens: Sequence[MLIRToken], at: int, body: int | None, partners: dict[int, int]) -> list[PortDefinition]:
    """The ports, parameters, states and generators in the head of a node whose name stands at a token."""
    found: list[PortDefinition] = []
    group = "input"
    number = at + 1
    while number < len(tokens) and (body is None or number < body):
        token = tokens[number]
        if token.kind in (MLIRTokenKind.L_BRACE, MLIRTokenKind.R_BRACE) or begins_another(token):
            break
        if token.kind is MLIRTokenKind.ARROW:
            group = "output"
        elif token.kind is MLIRTokenKind.BARE_IDENT and token.text in GROUPS:
            group = {"params": "parameter", "states": "state", "random": "generator"}[token.text]
        elif token.kind is MLIRTokenKind.L_PAREN:
            found += ports_between(tokens, number + 1, partners[number], group, partners)
            number = partners[number]
        number += 1
    return found


def ports_between(tokens: Sequence[MLIRToken], first: int, last: int, group: str, partners: dict[int, int]) -> Iterator[PortDefinition]:
    """The named values of one group: `%name: type`, `%x "name": type`, `name: type`."""
    number = first
    while number < last:
        token = tokens[number]
        if token.kind in OPENING:
            number = partners[number] + 1
            continue
        follows = tokens[number + 1] if number + 1 < last else token
        if token.kind in NAMES and follows.kind is MLIRTokenKind.COLON:
            after = (tokens[place] for place in range(number + 2, last) if tokens[place].kind in (MLIRTokenKind.EQUAL, MLIRTokenKind.COMMA))
            end = next(after, tokens[last]).span.start
            content = token.span.input.content
            place = TextRange(token.span.start, token.span.end)
            yield PortDefinition(name_of(token), place, group, content[follows.span.end : end].strip())
        number += 1


def unique(symbols: Iterable[SymbolDefinition]) -> list[SymbolDefinition]:
    """Symbols of different names."""
    return list({each.name: each for each in symbols}.values())


@cache
def operations() -> dict[str, type[Operation]]:
    """The operations of the dialects that models use, by their names."""
    context = make_context()
    for dialect in COMPLETED:
        context.get_dialect(dialect)
    found = {op.name: op for op in context.loaded_ops if op.name.partition(".")[0] in COMPLETED}
    return {ModuleOp.name: ModuleOp, **found}


@cache
def defining_operations() -> frozenset[str]:
    """The operations that define a symbol."""
    return frozenset(name for name, op in operations().items() if "sym_name" in cast(Any, op).get_irdl_definition().properties)


def doc_of(op: type[Operation]) -> str:
    """The docstring of an operation."""
    return inspect.cleandoc(vars(op).get("__doc__") or "")


def documentation(op: type[Operation]) -> str:
    """The description of an operation, in Markdown."""
    return f"**{op.name}**\n\n{doc_of(op)}".strip()


def code(text: str) -> str:
    """IR in Markdown."""
    return f"```mlir\n{text}\n```"
