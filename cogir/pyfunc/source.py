"""
Where Python functions stand in their files: their syntax trees, found once per file, and the errors that point there.
"""

from __future__ import annotations
import __future__

import ast
import linecache
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from types import CodeType, FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, cast

from cogir import errors, library
from cogir.errors import FunctionError
from cogir.library.bytecode import content

if TYPE_CHECKING:
    from xdsl.dialects.builtin import LocationAttr

LIBRARY = os.path.join(os.path.dirname(library.__file__), "")
"""The folder of `cogir.library`."""

FunctionNode: TypeAlias = ast.FunctionDef | ast.Lambda


Definition: TypeAlias = FunctionNode | ast.AsyncFunctionDef


@dataclass(frozen=True)
class SourceFile:
    """The functions of one file, found by the line that Python names for them (`co_firstlineno`)."""

    name: str
    lines: list[str]
    locations: dict[int, LocationAttr] = field(default_factory=lambda: {})
    outer: dict[int, ast.FunctionDef | None] = field(default_factory=dict[int, ast.FunctionDef | None])
    """The functions of the module itself that were asked for, each parsed alone."""
    codes: dict[int, list[CodeType]] = field(default_factory=dict[int, list[CodeType]])
    """The syntax tree of the whole text, by the flags of `from __future__ import`."""

    def definitions(self, line: int) -> list[Definition]:
        """The functions that begin at a line, outer ones first; nothing where the file is no longer Python."""
        alone = self._alone(line)
        return self._all.get(line, []) if alone is None else [alone]

    def compiled(self, flags: int) -> list[CodeType]:
        """The code objects of all functions, as Python makes them of the text now."""
        found = self.codes.get(flags)
        if found is None:
            found = self.codes[flags] = _codes("".join(self.lines), self.name, flags)
        return found

    def compiled_alone(self, line: int, flags: int, modules: Iterable[str]) -> list[CodeType]:
        """
        The code objects of the function that begins at a line, from its text alone; none where that does not work.

        Python calls an attribute of an imported name in another way than a method, so the names of modules must be known.
        """
        alone = self._alone(line)
        if alone is None:
            return []
        imports = [ast.Import([ast.alias(name, lineno=1, col_offset=0)], lineno=1, col_offset=0) for name in modules]
        return _codes(ast.Module([*imports, alone], []), self.name, flags)

    def location(self, line: int) -> LocationAttr:
        """The place as an attribute of the IR, with a file name that does not depend on the machine's folders."""
        found = self.locations.get(line)
        if found is None:
            from xdsl.dialects.builtin import FileLineColLoc, IntAttr, StringAttr  # the cache's key needs sources without the compiler

            found = FileLineColLoc(StringAttr(portable_name(self.name)), IntAttr(line), IntAttr(0))
            self.locations[line] = found
        return found

    def _alone(self, line: int) -> ast.FunctionDef | None:
        """The function of the module itself that begins at a line; None if something else does. To parse a whole file takes longer."""
        if line not in self.outer:
            self.outer[line] = _parsed_alone(self.lines, line)
        return self.outer[line]

    @cached_property
    def _all(self) -> dict[int, list[Definition]]:
        try:
            tree = without_shuffles(ast.parse("".join(self.lines)))
        except SyntaxError:
            return {}
        functions: dict[int, list[Definition]] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
                functions.setdefault(first, []).append(node)
            elif isinstance(node, ast.Lambda):
                functions.setdefault(node.lineno, []).append(node)
        return functions


_Tree = TypeVar("_Tree", bound=ast.AST)


class _Shuffles(ast.NodeTransformer):
    """random.shuffle(x)  ->  x[...] = random.permutation(x)"""

    def visit_Expr(self, node: ast.Expr) -> ast.stmt:
        match node.value:
            case ast.Call(ast.Attribute(generator, "shuffle") as method, [ast.Name(name) as argument], []):
                permuted = ast.Call(ast.copy_location(ast.Attribute(generator, "permutation", ast.Load()), method), [argument], [])
                holder = ast.copy_location(ast.Name(name, ast.Load()), argument)
                target = ast.Subscript(holder, ast.copy_location(ast.Constant(...), argument), ast.Store())
                changed = ast.Assign([ast.copy_location(target, argument)], ast.copy_location(permuted, node.value))
                return ast.copy_location(changed, node)
            case _:
                return node


def without_shuffles(tree: _Tree) -> _Tree:
    """The tree with shuffles, which change their argument, as assignments."""
    return cast(_Tree, _Shuffles().visit(tree))


_MOST_CUTS = 8
"""Attempts at finding the end of a function before the whole file is parsed."""


def _parsed_alone(lines: list[str], line: int) -> ast.FunctionDef | None:
    """
    The function that begins at a line without indentation, parsed without the rest of the file; None where that does not work.

    A function ends before a line that begins in the first column. So may a line of a string or of a bracket, but what comes before
    that is not Python, and the next such line is tried.
    """
    if not 0 < line <= len(lines) or not lines[line - 1].startswith(("def ", "@")):
        return None
    cuts = (at for at in range(line, len(lines)) if lines[at][0] not in " \t\r\n\f#)")
    for cut in (*islice(cuts, _MOST_CUTS), len(lines)):
        try:
            body = ast.parse("".join(lines[line - 1 : cut])).body
        except SyntaxError:
            continue
        if len(body) != 1 or not isinstance(body[0], ast.FunctionDef):
            return None
        return without_shuffles(ast.increment_lineno(body[0], line - 1))
    return None


def _codes(text: str | ast.Module, name: str, flags: int) -> list[CodeType]:
    """The code objects of all functions in a text; none if it is not Python."""
    try:
        whole = compile(text, name, "exec", flags | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    except SyntaxError:
        return []
    return list(_codes_in(whole))


def _codes_in(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _codes_in(constant)


_FUTURE: int = __future__.annotations.compiler_flag | __future__.barry_as_FLUFL.compiler_flag
"""The flags of `from __future__ import` that still change code."""


_FILES: dict[str, SourceFile] = {}


def portable_name(filename: str) -> str:
    """The file's name from the innermost folder on `sys.path` on, else its last part."""
    roots = [root for root in sys.path if root and filename.startswith(os.path.join(root, ""))]
    return os.path.relpath(filename, max(roots, key=len)) if roots else os.path.basename(filename)


def source_file(filename: str, module_globals: dict[str, Any] | None = None) -> SourceFile | None:
    """The file, from the cache while its lines are the same; None if there is no such source."""
    if filename == "<string>":  # of exec; from Python 3.13 on, linecache has the text of `python -c` under this name
        return None
    linecache.checkcache(filename)  # the file may have been edited, and its module loaded again
    lines = linecache.getlines(filename, module_globals)
    if not lines:
        return None
    found = _FILES.get(filename)
    if found is None or found.lines is not lines:
        found = _FILES[filename] = SourceFile(filename, lines)
    return found


def _is_code_of(node: Definition, code: CodeType) -> bool:
    """True if `code` was compiled from `node`: the name, and for lambdas that their instructions lie in the body."""
    if not isinstance(node, ast.Lambda):
        return node.name == code.co_name
    if code.co_name != "<lambda>":
        return False
    body = node.body
    start, end = (body.lineno, body.col_offset), (body.end_lineno or 0, body.end_col_offset or 0)
    places = [(line, column) for line, _, column, _ in code.co_positions() if line is not None and column is not None]
    inside = [start <= place <= end for place in places if place[1] or place[0] != code.co_firstlineno]
    return bool(inside) and all(inside)


def _is_current(file: SourceFile, node: FunctionNode, function: FunctionType) -> bool:
    """True if the file still says what the code was compiled from when it was imported."""
    code = function.__code__
    if any("@" in name for name in code.co_names):
        return True  # pytest writes its assertions into the code, with names that no source can have
    wanted = content(code)

    def among(codes: Iterable[CodeType]) -> bool:
        return any(other.co_firstlineno == code.co_firstlineno and _is_code_of(node, other) and content(other) == wanted for other in codes)

    flags = code.co_flags & _FUTURE
    modules = [name for name in code.co_names if isinstance(function.__globals__.get(name), ModuleType)]
    line = code.co_firstlineno
    # Tools that run a file in parts (sphinx-gallery) compile functions without its imports.
    parts = (file.compiled_alone(line, flags, each) for each in (modules, ()))
    return any(map(among, parts)) or among(file.compiled(flags))


def function_source(function: FunctionType) -> tuple[SourceFile, FunctionNode]:
    """
    The file and syntax tree of a function; `FunctionError` if it has no source or is of another kind, or if the file was
    changed after the function had been made from it: what is compiled must be what Python runs.
    """
    code = function.__code__
    place = f"{portable_name(code.co_filename)}:{code.co_firstlineno}: {function.__name__}"
    file = source_file(code.co_filename, function.__globals__)
    candidates = [] if file is None else file.definitions(code.co_firstlineno)
    # Candidates come with outer ones first; a lambda in a lambda on one line lies in both bodies, and the inner one is meant.
    found = next((node for node in reversed(candidates) if _is_code_of(node, code)), None)
    if file is None:
        raise FunctionError(
            f"{place}: the source of the function cannot be read; define it in a file (or a notebook cell), not through exec"
        )
    if isinstance(found, ast.AsyncFunctionDef):
        raise FunctionError(f"{place}: 'async def' is not in the subset; write a plain def")
    if found is None or not _is_current(file, found, function):
        raise FunctionError(f"{place}: the file has changed since it was imported; import it again (restart Python)")
    return file, found


def error_at(file: SourceFile, node: ast.AST | None, function: str, message: str) -> FunctionError:
    """A `FunctionError` that starts with the place of `node`."""
    line = getattr(node, "lineno", None)
    place = portable_name(file.name) if line is None else f"{portable_name(file.name)}:{line}"
    error = FunctionError(f"{place}: {function}: {message}")
    error.file = file.name
    return error


def is_in_library(filename: str | None) -> bool:
    """True for the files of `cogir.library`, whose lines a user has not written."""
    return filename is not None and filename.startswith(LIBRARY)


LIKELY = 0.8
"""The similarity from which on a known name is suggested: `sort` and `sqrt` are below it."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """`; did you mean "tanh"?`, or nothing when no known name is near."""
    return errors.did_you_mean(name, known, LIKELY)


class Names(ast.NodeVisitor):
    """The names that a function assigns, and where it loads them; nested functions count as uses everywhere."""

    def __init__(self, function: FunctionNode):
        self.function = function
        arguments = function.args
        self.parameters = [a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
        self.assigned: set[str] = set(self.parameters)
        self.loads: dict[str, list[tuple[int, int]]] = {}
        self.captured: set[str] = set()
        self.changes_elements = False
        """True if an element of anything is assigned, or a name augmented, which on arrays is the same."""
        for statement in function.body if isinstance(function, ast.FunctionDef) else [function.body]:
            self.visit(statement)

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Load):
            self.loads.setdefault(node.id, []).append((node.lineno, node.col_offset))
        else:
            self.assigned.add(node.id)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        self.changes_elements |= isinstance(node.ctx, ast.Store)
        self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self.assigned.add(node.name)
        self._inner(node)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self._inner(node)

    def _inner(self, node: FunctionNode) -> None:
        for default in (*node.args.defaults, *(d for d in node.args.kw_defaults if d is not None)):
            self.visit(default)
        inner = names_of(node)
        self.captured |= (set(inner.loads) | inner.captured) - inner.assigned

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.changes_elements = True
        if isinstance(node.target, ast.Name):
            self.loads.setdefault(node.target.id, []).append((node.target.lineno, node.target.col_offset))
        self.generic_visit(node)

    def used_after(self, name: str, node: ast.AST, loop: ast.AST | None) -> bool:
        """True if `name` may be loaded once `node` is done; `loop` is the outermost loop around it."""
        if name in self.captured:
            return True
        end = (getattr(node, "end_lineno", 0), getattr(node, "end_col_offset", 0))
        start = end if loop is None else (getattr(loop, "lineno", 0), getattr(loop, "col_offset", 0))
        return any(place >= start for place in self.loads.get(name, ()))


_NAMES: dict[FunctionNode, Names] = {}


def names_of(function: FunctionNode) -> Names:
    """The names of a function, from a cache."""
    found = _NAMES.get(function)
    if found is None:
        found = _NAMES[function] = Names(function)
    return found


_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


def contains(statements: Iterable[ast.AST], wanted: Callable[[ast.AST, bool], bool], in_loop: bool = False) -> bool:
    """True if a node below satisfies `wanted(node, inside an inner loop)`, not looking into nested functions."""
    for node in statements:
        if wanted(node, in_loop):
            return True
        if not isinstance(node, _SCOPES) and contains(ast.iter_child_nodes(node), wanted, in_loop or isinstance(node, ast.For | ast.While)):
            return True
    return False


def stops_loop(statements: Iterable[ast.AST]) -> bool:
    """True if a break or return in a loop's body may end the loop."""
    return contains(
        statements,
        lambda node, in_loop: isinstance(node, ast.Return) or (not in_loop and isinstance(node, ast.Break)),
    )


def assigned_in(nodes: Iterable[ast.AST]) -> list[str]:
    """The names that these statements assign, or change through element assignment, in order of the source."""
    found: dict[str, None] = {}

    def base(target: ast.AST) -> ast.AST:
        while isinstance(target, ast.Subscript | ast.Attribute | ast.Starred):
            target = target.value
        return target

    def visit(node: ast.AST) -> None:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found[node.id] = None
        elif isinstance(node, ast.Subscript | ast.Attribute) and isinstance(node.ctx, ast.Store):
            target = base(node)
            if isinstance(target, ast.Name):
                found[target.id] = None
        elif isinstance(node, ast.FunctionDef):
            found[node.name] = None
        if not isinstance(node, _SCOPES):
            for child in ast.iter_child_nodes(node):
                visit(child)

    for node in nodes:
        visit(node)
    return list(found)
