"""
Names of languages in pages that Pygments does not know, for highlighting.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pygments.lexers.special import TextLexer
from pygments.util import ClassNotFound

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def setup(app: Sphinx) -> dict[str, Any]:
    from pygments.lexers import get_lexer_by_name

    try:
        get_lexer_by_name("mlir")
    except ClassNotFound:
        app.add_lexer("mlir", TextLexer)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
