"""
The operations and types of the dialects `cog` and `rng`, from their definitions.
"""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

from xdsl.ir import Dialect, Operation
from xdsl.irdl import OpDef

from cogir.dialects.cog import CONDITIONS, Cog
from cogir.dialects.rng import Rng
from reference.markdown import docstring, first_paragraph, table, write_if_changed

DIALECTS: dict[str, Dialect] = {"cog": Cog, "rng": Rng}
INTRODUCTIONS = {
    "cog": """
A model as the modeller says it. [The language](../../language.md) explains it by examples; this page has every operation with all that its
definition says.
""",
    "rng": """
Generators of random numbers whose states are values. A draw takes a state and returns numbers and the state after the draw, so every
operation is pure.
""",
}
KINDS: dict[str, tuple[str, str]] = {
    "operands": ("operands", "operand"),
    "results": ("results", "result"),
    "properties": ("properties", "property"),
    "attributes": ("attributes", "attribute"),
    "regions": ("regions", "region"),
    "successors": ("successors", "successor"),
}
"""The parts of a definition, each with the name of its field."""


def operations(dialect: str) -> list[type[Operation]]:
    """The operations of a dialect."""
    return list(DIALECTS[dialect].operations)


def definition(op: type[Operation]) -> OpDef:
    """The definition of an operation."""
    return op.get_irdl_definition()  # type: ignore[attr-defined]


def constraint_text(part: Any) -> str:
    """The constraint of an operand, result or attribute, as short as it can be said."""
    constraint = getattr(part, "constr", getattr(part, "entry_args", part))
    text = _said(constraint)
    kind = type(part).__name__
    return f"any number of {text}" if kind.startswith("Var") else f"{text}, optional" if kind.startswith("Opt") else text


def _said(constraint: Any) -> str:
    """A constraint in words: its attribute or type, or the alternatives."""
    name = type(constraint).__name__
    if name.startswith("RangeLength"):
        return _said(constraint.constraint)
    if name in ("RangeOf", "SingleOf", "VarConstraint", "MessageConstraint", "RangeVarConstraint"):
        return _said(getattr(constraint, "constr", None) or constraint.constraint)
    if name.startswith("ArrayOf"):
        return f"an array of {_said(constraint.elem_range_constraint)}"
    if name.startswith("EqAttr"):
        return f"`{constraint.attr}`"
    if name.startswith("BaseAttr"):
        return f"`{getattr(constraint.attr, 'name', constraint.attr.__name__)}`"
    if name.startswith("ParamAttr"):
        return f"`{constraint.base_attr.name}`"
    if name.startswith("AttrSet"):
        return " or ".join(sorted(f"`{each}`" for each in constraint.values))
    if name.startswith("AnyOf"):
        return " or ".join(_said(each) for each in constraint.attr_constrs)
    if name.startswith("SymbolName"):
        return "a symbol name"
    return "anything"


def parts(op: type[Operation]) -> list[list[str]]:
    """A row for each operand, result, property, attribute and region."""
    rows: list[list[str]] = []
    for field, (_, kind) in KINDS.items():
        found = getattr(definition(op), field)
        for name, part in found.items() if isinstance(found, dict) else found:
            words = "any number of blocks" if kind == "region" else "" if kind == "successor" else constraint_text(part)
            optional = ", optional" if kind == "region" and type(part).__name__.startswith("Opt") else ""
            rows.append([f"`{name}`", kind, f"{words}{optional}"])
    return rows


def traits(op: type[Operation]) -> str:
    """The traits of an operation, by name."""
    found = sorted({type(each).__name__ for each in op.traits.traits})
    return ", ".join(f"`{name}`" for name in found)


def section(op: type[Operation]) -> str:
    """One operation."""
    lines = [f"### `{op.name}`", "", docstring(op), ""]
    given = definition(op).assembly_format
    if isinstance(given, str):
        lines += [f"Syntax: `` {op.name} {' '.join(given.split())} ``", ""]
    lines += [table(["name", "kind", "what it may be"], parts(op))]
    if names := traits(op):
        lines += [f"Traits: {names}.", ""]
    return "\n".join(lines)


def groups(dialect: str) -> dict[str, list[type[Operation]]]:
    """The operations of a dialect by the module that defines them; conditions are one group."""
    found: dict[str, list[type[Operation]]] = {}
    for op in operations(dialect):
        module = "conditions" if op in CONDITIONS else op.__module__.rpartition(".")[2]
        found.setdefault(module, []).append(op)
    return found


def page(dialect: str) -> str:
    """The page of a dialect."""
    lines = [f"# The dialect `{dialect}`", INTRODUCTIONS[dialect]]
    rows = [[f"[`{op.name}`](#{anchor(op)})", first_paragraph(op)] for op in operations(dialect)]
    lines += [table(["operation", "meaning"], rows)]
    for module, ops in groups(dialect).items():
        source = inspect.getmodule(ops[0])
        title = module.replace("_", " ")
        said = "" if module == "conditions" or source is None else first_paragraph(source)
        lines += [f"## {title[:1].upper()}{title[1:]}", "", said, ""] if len(groups(dialect)) > 1 else ["## All operations", ""]
        lines += [section(op) for op in ops]
    lines += ["## Types and attributes", ""]
    for attribute in DIALECTS[dialect].attributes:
        lines += [f"### `{attribute.name}`", "", docstring(attribute), ""]
    return "\n".join(lines)


def anchor(op: type[Operation]) -> str:
    """The anchor of the heading of an operation."""
    return op.name.replace(".", "")


def write(folder: Path) -> list[tuple[str, str]]:
    """Writes a page for each dialect."""
    for dialect in DIALECTS:
        write_if_changed(folder / "operations" / f"{dialect}.md", page(dialect))
    return [(f"operations/{dialect}", f"`{dialect}`") for dialect in DIALECTS]
