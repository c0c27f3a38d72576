"""
Which expressions may be evaluated although their value may not be wanted.
"""

from __future__ import annotations

import ast

_CHEAP_CALLS = ("np", "numpy", "math")


_CHEAP_NAMES = ("abs", "min", "max", "float", "int", "bool", "len", "round")


def is_cheap(node: ast.expr) -> bool:
    """
    True if an expression may be evaluated although its value may not be wanted: no draws, no calls of functions, nothing that
    Python may refuse.
    """
    for part in ast.walk(node):
        if isinstance(part, ast.Call):
            function = part.func
            if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
                if function.value.id in _CHEAP_CALLS:
                    continue
            elif isinstance(function, ast.Name) and function.id in _CHEAP_NAMES:
                continue
            return False
        if isinstance(part, ast.Subscript) and not _is_literal(part.slice):
            return False
        if isinstance(part, ast.BinOp) and isinstance(part.op, ast.FloorDiv | ast.Mod) and not _is_literal(part.right):
            return False
        if isinstance(part, ast.NamedExpr | ast.Lambda | ast.ListComp | ast.GeneratorExp):
            return False
    return True


def _is_literal(node: ast.expr) -> bool:
    """True if an index or a divisor is written out, so that it is checked when the function is compiled."""
    return not any(isinstance(part, ast.Name | ast.Call | ast.Attribute) for part in ast.walk(node))
