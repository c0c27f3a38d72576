"""
Lists of passes on the command line, `a,b{option=1}`: the passes that they name, and what is wrong with names, options and values.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import Field, fields
from typing import Any, Union, get_args, get_origin, get_type_hints

from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import ArgSpec, ParameterListType, PipelineLexer, SpecTokenKind, parse_pipeline
from xdsl.utils.exceptions import ArgSpecParseError
from xdsl.utils.hints import isa

from cogir.tools.diagnostics import ToolError, near, one_line

WORDS: dict[Any, tuple[str, str]] = {
    bool: ("true or false", "true"),
    int: ("an integer", "3"),
    float: ("a number", "0.5"),
    str: ("a name or a quoted text", "name"),
    tuple[int, ...]: ("integers, separated by commas", "1,2"),
    tuple[str, ...]: ("names, separated by commas", "a,b"),
}
"""The types of options in words, each with an example of a value."""


def parse_passes(text: str, known_pass: Callable[[str], type[ModulePass]]) -> tuple[ModulePass, ...]:
    """The passes that a list such as `a,b{option=1}` names; `known_pass` gives the pass of a name, or raises an error."""
    try:
        specs = list(parse_pipeline(text))
        repeated = list(repeated_options(text))
    except ArgSpecParseError as error:
        raise ToolError(f"the list of passes '{text}' has a syntax error; write a,b{{option=1}}") from error
    passes = tuple(pass_of(known_pass(spec.name), spec) for spec in specs)
    for pass_name, option in repeated:
        raise ToolError(f"option '{option}' of pass '{pass_name}' is given twice; give it once")
    return passes


def repeated_options(text: str) -> Iterator[tuple[str, str]]:
    """The options that a list of passes gives more than once to the same pass, with its name. (xDSL takes the last one.)"""
    lexer = PipelineLexer(text)
    pass_name, before, is_inside = "", SpecTokenKind.COMMA, False
    seen: set[str] = set()
    while (token := lexer.lex()).kind is not SpecTokenKind.EOF:
        written = token.span.text
        if token.kind in (SpecTokenKind.L_BRACE, SpecTokenKind.R_BRACE):
            is_inside = token.kind is SpecTokenKind.L_BRACE
            seen.clear()
        elif token.kind is SpecTokenKind.IDENT and not is_inside:
            pass_name = written
        elif token.kind is SpecTokenKind.IDENT and before in (SpecTokenKind.L_BRACE, SpecTokenKind.SPACE):
            option = hyphenated(written)
            if option in seen:
                yield pass_name, option
            seen.add(option)
        before = token.kind


def pass_of(pass_type: type[ModulePass], spec: ArgSpec) -> ModulePass:
    """The pass with the options that a list gives it."""
    options = {hyphenated(field.name): field for field in fields(pass_type)}
    types_of_fields = get_type_hints(pass_type)
    given: dict[str, ParameterListType] = {}
    for written, values in spec.parameters.items():
        name = hyphenated(written)
        if name not in options:
            raise ToolError(f"pass '{spec.name}' has no option '{written}'{near(written, options) or options_text(options)}")
        given[options[name].name] = checked(values, options[name], types_of_fields[options[name].name], spec.name)
    for name, field in options.items():
        if field.name in pass_type.required_fields() and field.name not in given:
            example = words_of(types_of_fields[field.name])[1]
            raise ToolError(f"pass '{spec.name}' needs the option '{name}', such as {spec.name}{{{name}={example}}}")
    try:
        return pass_type.from_pass_spec(ArgSpec(spec.name, given))
    except ValueError as error:
        raise ToolError(f"options of pass '{spec.name}': {one_line(error)}") from error


def checked(values: ParameterListType, field: Field[Any], type_of_field: Any, pass_name: str) -> ParameterListType:
    """The values of an option in the form that its field takes; an error if they are of another type, or if there are none."""
    option = f"option '{hyphenated(field.name)}' of pass '{pass_name}'"
    kinds = alternatives(type_of_field)
    words, example = words_of(type_of_field)
    if not values:
        # A pass is printed so if its option is None or empty and the default is not.
        is_empty = any(kind is types.NoneType or get_origin(kind) is tuple for kind in kinds) and field.default not in (None, ())
        if bool not in kinds and not is_empty:
            raise ToolError(f"{option} has no value; give one, such as {hyphenated(field.name)}={example}")
        return (True,) if bool in kinds else ()
    if float in kinds and len(values) == 1 and type(values[0]) is int:
        values = (float(values[0]),)
    if not any(fits(values, kind) for kind in kinds):
        raise ToolError(f"{option} takes {words}, not {','.join(map(value_text, values))}")
    return values


def alternatives(type_of_field: Any) -> tuple[Any, ...]:
    """The types of a union, or the one type."""
    return get_args(type_of_field) if get_origin(type_of_field) in (Union, types.UnionType) else (type_of_field,)


def fits(values: ParameterListType, kind: Any) -> bool:
    """True if values are of a type. (To Python, true and false are integers, too.)"""
    has_truth = any(isinstance(value, bool) for value in values)
    if has_truth and kind in (int, tuple[int, ...]):
        return False
    return (len(values) == 1 and isa(values[0], kind)) or isa(values, kind)


def words_of(type_of_field: Any) -> tuple[str, str]:
    """The type of an option in words, and an example of a value."""
    kinds = [kind for kind in alternatives(type_of_field) if kind is not types.NoneType]
    names = [str(name) for kind in kinds if kind not in WORDS for name in get_args(kind)]
    found = [*([" or ".join(names)] if names else []), *(WORDS[kind][0] for kind in kinds if kind in WORDS)]
    return " or ".join(found), names[0] if names else WORDS[kinds[0]][1]


def value_text(value: bool | float | str) -> str:
    """A value as a message shows it."""
    return f"'{value}'" if isinstance(value, str) else str(value).lower()


def hyphenated(name: str) -> str:
    """The name of an option as the lists have it."""
    return name.replace("_", "-")


def options_text(names: Iterable[str]) -> str:
    """The text behind the name of an unknown option: the options that there are."""
    listed: Sequence[str] = list(names)
    return f"; its options are {', '.join(listed)}" if listed else "; it has none"
