"""
`cog-lsp`: a language server for models in text and other IR, which editors start and speak to over the standard input and output.

It gives errors while a text is written, descriptions of operations, values, nodes and ports, their definitions, completions, and an
outline. pygls speaks the protocol; `text_index.py` has the answers.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib.metadata import version
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
    from lsprotocol import types

    if not document.source:  # pygls has no line to count in
        return types.Range(types.Position(0, 0), types.Position(0, 0))
    return types.Range(document.client_position_at_offset(place.start), document.client_position_at_offset(place.end))


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
    made: list[tuple[SymbolDefinition, types.DocumentSymbol]] = []
    roots: list[types.DocumentSymbol] = []
    children: dict[int, list[types.DocumentSymbol]] = {}
    for each in found:
        kind = kinds.get(each.operation, types.SymbolKind.Class)
        inside: list[types.DocumentSymbol] = []
        symbol = types.DocumentSymbol(
            each.name or "?", kind, range_of(document, each.body), range_of(document, each.place), each.operation, children=inside
        )
        children[id(symbol)] = inside
        around = [other for definition, other in made if definition.body.start < each.body.start and each.body.end <= definition.body.end]
        above = around[-1] if around else None
        (roots if above is None else children[id(above)]).append(symbol)
        made.append((each, symbol))
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
