"""
The Pygments lexer for IR, under the names `cog` and `mlir`: `pygmentize -l cog model.mlir`, and code blocks in Sphinx.

Pygments finds it through the entry point `pygments.lexers`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from pygments.lexer import RegexLexer
from pygments.token import Whitespace, string_to_tokentype

from cogir.pictures.highlighting import FILE_TYPES, RULES


class CogIrLexer(RegexLexer):
    """The lexer for models and other IR in the syntax of MLIR."""

    name = "cog IR"
    url = "https://mlir.llvm.org/docs/LangRef/"
    aliases: ClassVar[Sequence[str]] = ["cog", "mlir"]
    filenames: ClassVar[Sequence[str]] = [f"*.{each}" for each in FILE_TYPES]
    mimetypes: ClassVar[Sequence[str]] = ["text/x-mlir"]
    version_added = ""
    tokens: ClassVar[dict[str, Any]] = {
        "root": [(r"\s+", Whitespace), *((rule.pattern, string_to_tokentype(rule.pygments)) for rule in RULES)],
    }
