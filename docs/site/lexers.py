"""
The highlighting of IR in pages: by the lexer of cogir's tools, under the names `cog` and `mlir`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cogir.tools.pygments_lexer import CogIrLexer

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_lexer("mlir", CogIrLexer)
    app.add_lexer("cog", CogIrLexer)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
