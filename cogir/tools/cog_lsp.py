"""
`cog-lsp`: a language server for models in text and other IR, which editors start and speak to over the standard input and output.

It gives errors while a text is written, descriptions of operations, values, nodes and ports, their definitions, completions, and an
outline. pygls speaks the protocol; `text_index.py` has the answers.
"""

from __future__ import annotations

import argparse
import sys
from bisect import bisect_right
from collections.abc import Sequence
from importlib.metadata import version
from itertools import accumulate
from typing import TYPE_CHECKING

from cogir.tools.common import Arguments, add_version, run_tool
from cogir.tools.diagnostics import ToolError
from cogir.tools.text_index import SymbolDefinition, TextIndex, TextRange

if TYPE_CHECKING:
    from lsprotocol import types
    from pygls.lsp.server import LanguageServer
    from pygls.workspace import TextDocument

DESCRIPTION = """\
A language server for models in text: errors, descriptions, definitions, completions and an outline in editors.

Editors start it and speak to it over the standard input and output. docs/tools.md shows how for some of them.
"""
INSTALL = "cog-lsp needs pygls; install it with: pip install 'cogir[lsp]'"
TRIGGERS = ("@", "%", '"', ".")
"""The characters after which an editor asks for completions."""


MOST_NESTED = 100
"""The depth of an outline, which a function that calls itself writes down: what is nested more deeply stands beside what it is in."""


class Positions:
    """Places of a text in lines and columns, as the editor counts them."""

    def __init__(self, document: TextDocument):
        self.lines = document.lines
        self.starts = [0, *accumulate(map(len, self.lines))]
        """Where each line begins, and the end of the text."""
        self.codec = document.position_codec

    def at(self, offset: int) -> types.Position:
        """The position of an offset."""
        from lsprotocol import types

        line = min(bisect_right(self.starts, offset), len(self.lines)) - 1
        if line < 0:
            return types.Position(0, 0)  # a text without lines
        if offset >= self.starts[-1] and self.lines[-1].endswith(("\n", "\r")):
            return types.Position(len(self.lines), 0)
        return types.Position(line, self.codec.client_num_units(self.lines[line][: offset - self.starts[line]]))

    def of(self, place: TextRange) -> types.Range:
        """The range of a part of the text."""
        from lsprotocol import types

        return types.Range(self.at(place.start), self.at(place.end))


class Documents:
    """The indices of the texts that are open, made when they are first asked for."""

    def __init__(self) -> None:
        self._of: dict[str, tuple[str, TextIndex]] = {}

    def index(self, document: TextDocument) -> TextIndex:
        """The index of a document as it is now."""
        text = document.source
        held = self._of.get(document.uri)
        if held is None or held[0] != text:
            held = self._of[document.uri] = text, TextIndex.of(text, document.path)
        return held[1]

    def close(self, uri: str) -> None:
        """Forgets a document."""
        self._of.pop(uri, None)


def server() -> LanguageServer:
    """The server with its answers."""
    from lsprotocol import types
    from pygls.lsp.server import LanguageServer

    made = LanguageServer("cog-lsp", version("cogir"))
    documents = Documents()

    def index_of(uri: str) -> tuple[TextDocument, TextIndex]:
        document = made.workspace.get_text_document(uri)
        return document, documents.index(document)

    def publish(uri: str) -> None:
        document, index = index_of(uri)
        found = [diagnostic(document, error) for error in index.errors]
        made.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, found, document.version))

    @made.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: types.DidOpenTextDocumentParams) -> None:  # pyright: ignore[reportUnusedFunction]
        publish(params.text_document.uri)

    @made.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: types.DidChangeTextDocumentParams) -> None:  # pyright: ignore[reportUnusedFunction]
        publish(params.text_document.uri)

    @made.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:  # pyright: ignore[reportUnusedFunction]
        documents.close(params.text_document.uri)
        made.text_document_publish_diagnostics(types.PublishDiagnosticsParams(params.text_document.uri, []))

    @made.feature(types.TEXT_DOCUMENT_HOVER)
    def hover(params: types.HoverParams) -> types.Hover | None:  # pyright: ignore[reportUnusedFunction]
        document, index = index_of(params.text_document.uri)
        found = index.description(document.offset_at_position(params.position))
        if found is None:
            return None
        return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, found.text), range_of(document, found.place))

    @made.feature(types.TEXT_DOCUMENT_DEFINITION)
    def definition(params: types.DefinitionParams) -> types.Location | None:  # pyright: ignore[reportUnusedFunction]
        document, index = index_of(params.text_document.uri)
        place = index.definition(document.offset_at_position(params.position))
        return None if place is None else types.Location(document.uri, range_of(document, place))

    @made.feature(types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=TRIGGERS))
    def completion(params: types.CompletionParams) -> list[types.CompletionItem]:  # pyright: ignore[reportUnusedFunction]
        document, index = index_of(params.text_document.uri)
        return completions(document, index, document.offset_at_position(params.position))

    @made.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def outline(params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:  # pyright: ignore[reportUnusedFunction]
        document, index = index_of(params.text_document.uri)
        return symbols(document, index.symbols)

    return made


def range_of(document: TextDocument, place: TextRange) -> types.Range:
    """A part of a text in lines and columns, as the editor counts them."""
    return Positions(document).of(place)


def diagnostic(document: TextDocument, error: ToolError) -> types.Diagnostic:
    """An error for the editor."""
    from lsprotocol import types

    lines = document.lines
    line = min(max(error.place.line - 1, 0), max(len(lines) - 1, 0)) if error.place is not None else 0
    column = min(max(error.place.column - 1, 0), len(lines[line])) if error.place is not None and lines else 0
    start = sum(map(len, lines[:line])) + column
    width = error.place.width if error.place is not None else 1
    end = max(start, min(start + max(width, word_length(document.source, start)), len(document.source)))
    return types.Diagnostic(range_of(document, TextRange(start, end)), error.message, types.DiagnosticSeverity.Error, source="cogir")


def word_length(text: str, start: int) -> int:
    """The length of the name that begins at an offset."""
    end = start
    while end < len(text) and (text[end].isalnum() or text[end] in "_.$%@"):
        end += 1
    return end - start


def completions(document: TextDocument, index: TextIndex, offset: int) -> list[types.CompletionItem]:
    """The proposals at an offset; each replaces the name that has been begun."""
    from lsprotocol import types

    kinds = {
        "operation": types.CompletionItemKind.Function,
        "symbol": types.CompletionItemKind.Class,
        "value": types.CompletionItemKind.Variable,
        "port": types.CompletionItemKind.Field,
    }
    begun = range_of(document, TextRange(offset - len(index.begun(offset)), offset))
    return [
        types.CompletionItem(
            each.label,
            kind=kinds[each.kind],
            detail=each.detail,
            documentation=types.MarkupContent(types.MarkupKind.Markdown, each.description) if each.description else None,
            text_edit=types.TextEdit(begun, each.label),
        )
        for each in index.proposals(offset)
    ]


def symbols(document: TextDocument, found: Sequence[SymbolDefinition]) -> list[types.DocumentSymbol]:
    """The outline: models with their nodes, functions, streams."""
    from lsprotocol import types

    kinds = {"cog.model": types.SymbolKind.Module, "func.func": types.SymbolKind.Function}
    positions = Positions(document)
    roots: list[types.DocumentSymbol] = []
    around: list[tuple[TextRange, list[types.DocumentSymbol]]] = []
    """The symbols in whose bodies the next one may be, the innermost last, each with what is in it."""
    for each in found:
        kind = kinds.get(each.operation, types.SymbolKind.Class)
        inside: list[types.DocumentSymbol] = []
        place = positions.of(each.place)
        symbol = types.DocumentSymbol(each.name or "?", kind, positions.of(each.body), place, each.operation, children=inside)
        while around and not (around[-1][0].start < each.body.start and each.body.end <= around[-1][0].end):
            around.pop()
        (around[min(len(around), MOST_NESTED - 1) - 1][1] if around else roots).append(symbol)
        around.append((each.body, inside))
    return roots


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = Arguments("cog-lsp", description=DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--stdio", action="store_true", help="speak over the standard input and output (it always does; some editors say so)")
    add_version(made)
    return made


def run(arguments: Sequence[str] | None) -> int:
    """Serves until the editor ends it."""
    parser().parse_args(arguments)
    try:
        made = server()
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        raise ToolError(INSTALL) from error
    made.start_io()
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs `cog-lsp` with these arguments (default: those of the command line); gives its exit code."""
    return run_tool(lambda: run(arguments))


if __name__ == "__main__":
    sys.exit(main())
