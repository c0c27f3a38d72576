"""
The tokens of IR text, as editors and pages colour them: one table, from which the Pygments lexer, the TextMate grammar and the colours of
notebooks are made.

The expressions are in the common subset of Python's `re` and Oniguruma. The first rule that matches at a place takes the text there. What
no rule takes is an error: there is no rule for the rest.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

SCOPE = "source.cog"
FILE_TYPES = ("mlir", "cog")


@dataclass(frozen=True)
class TokenRule:
    """A kind of token."""

    name: str
    pattern: str
    pygments: str
    """The token type of Pygments."""
    textmate: str
    """The scope of TextMate, without the name of the language."""


IDENTIFIER = r"[A-Za-z_][A-Za-z0-9_$]*"
SUFFIX = r"[A-Za-z0-9_$.-]+"
STRING = r'"(?:[^"\\\n]|\\.)*"'
ELEMENT = r"(?:[0-9?*]|f[0-9]|i[0-9]|si[0-9]|ui[0-9]|bf16|index|memref|vector|tensor|complex|!)"

RULES: tuple[TokenRule, ...] = (
    TokenRule("comment", r"//[^\n]*", "Comment.Single", "comment.line.double-slash"),
    TokenRule("string", STRING, "String", "string.quoted.double"),
    TokenRule("symbol", rf"@(?:{STRING}|{SUFFIX})", "Name.Function", "entity.name.function"),
    TokenRule("value", rf"%{SUFFIX}(?:#[0-9]+)?", "Name.Variable", "variable.other"),
    TokenRule("block", rf"\^{SUFFIX}", "Name.Label", "entity.name.label"),
    TokenRule("dialect type", rf"!{IDENTIFIER}(?:\.{IDENTIFIER})*", "Name.Class", "entity.name.type"),
    TokenRule("dialect attribute", rf"#{IDENTIFIER}(?:\.{IDENTIFIER})*", "Name.Decorator", "entity.name.tag"),
    TokenRule("dimension", rf"(?:[0-9]+|[?*])x(?={ELEMENT})", "Number.Integer", "constant.numeric.dimension"),
    TokenRule("hexadecimal number", r"-?0[xX][0-9A-Fa-f]+", "Number.Hex", "constant.numeric.hex"),
    TokenRule("float", r"-?[0-9]+\.[0-9]*(?:[eE][-+]?[0-9]+)?", "Number.Float", "constant.numeric.float"),
    TokenRule("integer", r"-?[0-9]+", "Number.Integer", "constant.numeric.integer"),
    TokenRule("operation", rf"{IDENTIFIER}(?:\.{IDENTIFIER})+", "Keyword", "keyword.other.operation"),
    TokenRule(
        "type",
        r"(?:bf16|f16|f32|f64|f80|f128|tf32|[su]?i[0-9]+|index|none|tensor|memref|vector|complex|tuple)(?![A-Za-z0-9_$])",
        "Keyword.Type",
        "storage.type",
    ),
    TokenRule("constant", r"(?:true|false|inf|nan|unit)(?![A-Za-z0-9_$])", "Keyword.Constant", "constant.language"),
    TokenRule(
        "attribute",
        r"(?:dense|dense_resource|sparse|array|affine_map|affine_set|strided|loc|fastmath|overflow)(?![A-Za-z0-9_$])",
        "Name.Builtin",
        "support.function",
    ),
    TokenRule("name of an attribute", rf"{IDENTIFIER}(?=\s*=(?!=))", "Name.Attribute", "entity.other.attribute-name"),
    TokenRule("name of a port", rf"{IDENTIFIER}(?=\s*:)", "Name.Attribute", "entity.other.attribute-name.port"),
    TokenRule("word", IDENTIFIER, "Keyword.Pseudo", "keyword.control"),
    TokenRule("arrow", r"->|==|::|\.\.\.|\{-#|#-\}|>=|<=", "Operator", "keyword.operator"),
    TokenRule("operator", r"[-+*/=<>|?]", "Operator", "keyword.operator.sign"),
    TokenRule("punctuation", r"[{}()\[\],:]", "Punctuation", "punctuation"),
    TokenRule("sign of a sketch", r"\.\.|[;'%]", "Operator", "keyword.operator.sketch"),
)
"""The rules in their order. Documentation shows sketches of IR, whose signs the last rule takes."""


def textmate_grammar() -> str:
    """The TextMate grammar as JSON, for `editors/vscode/syntaxes/cog.tmLanguage.json`."""
    patterns = [{"comment": rule.name, "match": rule.pattern, "name": f"{rule.textmate}.cog"} for rule in RULES]
    grammar = {
        "$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
        "name": "cog",
        "scopeName": SCOPE,
        "fileTypes": list(FILE_TYPES),
        "comment": "Written by editors/write_grammar.py from cogir/pictures/highlighting.py. Change that, not this.",
        "patterns": patterns,
    }
    return json.dumps(grammar, indent=2) + "\n"
