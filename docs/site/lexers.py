"""
The highlighting of IR in pages: by the lexer of cogir's tools, under the names `cog` and `mlir`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

try:
    from cogir.tools.pygments_lexer import CogIrLexer as Lexer
except ImportError:
    from pygments.lexers.special import TextLexer as Lexer

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_lexer("mlir", Lexer)
    app.add_lexer("cog", Lexer)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
