"""
The border between cogir and the code that calls it: errors and warnings point at the caller's line.

The traceback of an error that cogir raises on purpose ends where the user called cogir; the frames in between are cogir's own and say
nothing to the user. `COGIR_FULL_TRACEBACKS=1` in the environment shows all of them. Errors of other kinds, which are defects of cogir or
come from the user's functions, keep theirs.
"""

from __future__ import annotations

import inspect
import os
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any, ParamSpec, TypeVar, cast

from cogir.errors import did_you_mean
from cogir.synonyms import synonym

P = ParamSpec("P")
R = TypeVar("R")
K = TypeVar("K", bound=type)

FULL_TRACEBACKS = "COGIR_FULL_TRACEBACKS"
"""The environment variable that, unless it is empty or 0, keeps the frames of cogir in tracebacks."""

PACKAGE = str(Path(__file__).parent) + os.sep
BETWEEN = ("cogir", "psyneulink", "contextlib", "functools")
"""Modules whose functions may stand between the user's line and cogir's."""
INTERNAL = ("cogir", "contextlib", "functools", "_collections_abc")
"""Modules whose functions say nothing to a user whom an error of cogir's reaches."""

SPECIAL = frozenset(f"__{name}__" for name in "init call getattr getitem setitem delitem contains and or invert bool array reduce".split())
"""The methods behind Python's syntax through which users call."""

_entries: dict[str, Callable[..., object]] = {}
"""The functions that users call, by name."""
_classes: set[type] = set()
"""The classes whose methods users call."""


def user_frame() -> FrameType:
    """The innermost frame on the call stack that is the user's own."""
    frame = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
    while frame.f_back is not None and top_module(frame) in BETWEEN:
        frame = frame.f_back
    return frame


def top_module(frame: FrameType) -> str:
    """The package of a frame's code, or its module where that is in none."""
    return str(frame.f_globals.get("__name__")).partition(".")[0]


def stacklevel() -> int:
    """The `stacklevel` with which a warning that the caller gives names the user's line."""
    frame, user, level = sys._getframe(1), user_frame(), 1  # pyright: ignore[reportPrivateUsage]
    while frame is not user and frame.f_back is not None:
        frame, level = frame.f_back, level + 1
    return level


def warn_by_name(text: str, category: type[Warning]) -> None:
    """
    Gives a warning that becomes an error only by a filter that names its class. Other filters of errors (`simplefilter("error")`, or
    `python -W error`) are for what a script does by itself: one that runs without cogir, or without a cache, does not stop because of it.
    """
    try:
        warnings.warn(text, category, stacklevel=stacklevel())
    except category as error:
        line = user_frame()
        action = action_for(text, category, str(line.f_globals.get("__name__")), line.f_lineno)
        if action == "error":
            raise
        if action != "ignore" and is_first(text, category, action, line):
            warnings.showwarning(error, category, line.f_code.co_filename, line.f_lineno)


def may_be_error(category: type[Warning]) -> bool:
    """True if a filter that names this class may turn a warning of it into an error, whatever its text and its line."""
    for action, message, kind, module, line in warnings.filters:
        if action == "error" and kind is category:
            return True
        if action != "error" and issubclass(category, kind) and message is None and module is None and not line:
            return False
    return False


def action_for(text: str, category: type[Warning], module: str, number: int) -> str:
    """The action of the first filter for a warning, of those for errors only if they name its class."""
    for action, message, kind, of_module, of_line in warnings.filters:
        is_for_it = issubclass(category, kind) and matches(message, text) and matches(of_module, module) and of_line in (0, number)
        if is_for_it and (action != "error" or kind is category):
            return action
    return "default"


def is_first(text: str, category: type[Warning], action: str, line: FrameType) -> bool:
    """True if a warning is to be shown, as its action is not to show it a second time; notes that it is, as `warnings.warn` does."""
    if action in ("always", "all"):
        return True
    if action == "once":
        held, key = cast("dict[Any, Any]", getattr(warnings, "onceregistry", {})), (text, category)
    else:
        held: dict[Any, Any] = line.f_globals.setdefault("__warningregistry__", {})
        key = (text, category, 0 if action == "module" else line.f_lineno)
    is_new = not held.get(key)
    held[key] = True
    return is_new


def matches(pattern: Any, text: str) -> bool:
    """True if a filter with this pattern, a regular expression, the whole text, or None, is one for a text."""
    return pattern is None or (pattern == text if isinstance(pattern, str) else bool(pattern.match(text)))


def ends_at_caller(function: Callable[P, R]) -> Callable[P, R]:
    """A function that users call: the tracebacks of cogir's errors end at the call, and unknown keywords get a remedy."""

    @wraps(function)
    def entered(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except BaseException as error:
            if type(error) is TypeError and is_of_call(error, function):
                error.args = (with_remedy(str(error), function, args, kwargs),)
                error.__traceback__ = None
            elif is_on_purpose(error) and os.environ.get(FULL_TRACEBACKS, "") in ("", "0"):
                shorten(error)
            raise  # without a value, Python adds no entry for this frame

    _entries[name_of(function)] = function
    return entered


def methods_end_at_caller(kind: K) -> K:
    """Makes the methods of a class, and of cogir's classes that it inherits from, functions that users call; as a decorator, too."""
    for one in kind.__mro__:
        if one.__module__.startswith("cogir.") and one not in _classes:
            _classes.add(one)
            for name, found in list(vars(one).items()):
                if name in SPECIAL or not name.startswith("_"):
                    wrap(one, name, found)
    return kind


def wrap(kind: type, name: str, found: object) -> None:
    """Puts in the place of a method, a static or class method, or a property, one that ends tracebacks at its caller."""
    if inspect.isfunction(found):
        setattr(kind, name, ends_at_caller(found))
    elif isinstance(found, staticmethod | classmethod):
        method = cast("staticmethod[Any, Any] | classmethod[Any, Any, Any]", found)
        setattr(kind, name, type(method)(ends_at_caller(cast("Callable[..., Any]", method.__func__))))
    elif isinstance(found, property):
        parts = (cast("Callable[..., Any] | None", part) for part in (found.fget, found.fset, found.fdel))
        get, put, delete = (part and ends_at_caller(part) for part in parts)
        setattr(kind, name, property(get, put, delete, found.__doc__))


def is_on_purpose(error: BaseException) -> bool:
    """True of cogir's own errors, and of the attribute errors in which it names a remedy."""
    if type(error).__module__.startswith("cogir."):
        return True
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    return isinstance(error, AttributeError) and last is not None and is_own(last) and last.tb_frame.f_code.co_name == "__getattr__"


def is_of_call(error: BaseException, function: Callable[..., object]) -> bool:
    """True of an error that Python raised because the arguments do not fit: neither the function nor one that it wraps was entered."""
    found = error.__traceback__
    inner = None if found is None else found.tb_next
    if inner is not None and hasattr(function, "__wrapped__") and inner.tb_frame.f_code is function.__code__:
        inner = inner.tb_next
    return found is not None and inner is None


def is_own(entry: TracebackType) -> bool:
    """True of an entry of a traceback that stands in cogir."""
    return entry.tb_frame.f_code.co_filename.startswith(PACKAGE)


def shorten(error: BaseException) -> None:
    """Takes cogir's own frames out of the traceback of an error, and of the errors within cogir that led to it."""
    seen: set[int] = set()
    found: BaseException | None = error
    while found is not None and id(found) not in seen:
        seen.add(id(found))
        found.__traceback__ = users_entries(found.__traceback__)
        if found.__context__ is not None and found.__cause__ is None and is_inner(found.__context__):
            found.__suppress_context__ = True  # an error that cogir met and turned into this one
        cause = found.__cause__
        found = cause if cause is not None and is_inner(cause) else None  # others are the user's, and stay as they are


def is_inner(error: BaseException) -> bool:
    """True of an error that arose within cogir: the first entry of its traceback is cogir's."""
    return error.__traceback__ is not None and is_own(error.__traceback__)


def users_entries(entry: TracebackType | None) -> TracebackType | None:
    """A traceback without the entries that stand in cogir, or in modules through which it calls itself."""
    return linked(one for one in entries_from(entry) if top_module(one.tb_frame) not in INTERNAL)


def entries_of_others(entry: TracebackType | None) -> TracebackType | None:
    """The traceback of an error that came through cogir, without cogir's entries; all of it if the error arose in cogir."""
    entries = list(entries_from(entry))
    if entries and is_own(entries[-1]):
        return entry
    return linked(one for one in entries if not is_own(one))


def entries_from(entry: TracebackType | None) -> Iterator[TracebackType]:
    """The entries of a traceback from one on, the outermost first."""
    while entry is not None:
        yield entry
        entry = entry.tb_next


def linked(entries: Iterable[TracebackType]) -> TracebackType | None:
    """The traceback of these entries alone."""
    first = None
    for one in reversed(list(entries)):
        one.tb_next, first = first, one
    return first


def with_remedy(message: str, function: Callable[..., object], args: tuple[Any, ...], given: Iterable[str]) -> str:
    """The message of Python for arguments that do not fit, with a remedy if a keyword among them is unknown."""
    kinds = {name: parameter.kind for name, parameter in inspect.signature(function).parameters.items()}
    known = [name for name, kind in kinds.items() if kind in (kind.KEYWORD_ONLY, kind.POSITIONAL_OR_KEYWORD) and name != "self"]
    unknown = [name for name in given if name not in known]
    if not unknown:
        return message
    name = unknown[0]
    meant = synonym(name, known)
    if kinds and [*kinds.values()][-1] is inspect.Parameter.VAR_KEYWORD:
        return message if meant is None else f'{message}; "{name}" is called "{meant}"'
    owner, _, called = name_of(function).rpartition(".")
    if args and owner in (kind.__name__ for kind in type(args[0]).__mro__):
        owner = type(args[0]).__name__
    others = [other for other, entry in sorted(_entries.items()) if is_option(name, entry) and other.startswith(("Model", "Compiled"))]
    if others and meant is None:
        remedy = f"; {', '.join(others)} {'has' if len(others) == 1 else 'have'} it"
    else:
        remedy = did_you_mean(name, known) or f"; it has {', '.join(known) or 'none'}"
    return f'{owner}{"." if owner else ""}{called} has no option "{name}"{remedy}'


def is_option(name: str, function: Callable[..., object]) -> bool:
    """True if a function has a parameter of this name that can be given by keyword."""
    parameter = inspect.signature(function).parameters.get(name)
    return parameter is not None and parameter.kind in (parameter.KEYWORD_ONLY, parameter.POSITIONAL_OR_KEYWORD)


def name_of(function: Callable[..., object]) -> str:
    """The name under which users call a function: that of the class for its constructor."""
    name = function.__qualname__.removesuffix(".__init__").replace("Compilable.", "Model.")
    return name.replace("Fitting.__call__", "fit").replace("Fitting.", "fit.")
