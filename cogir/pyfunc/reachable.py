"""
What Python functions can reach: other functions, and the values that become constants of their code.

A function counts by its source. One that is compiled reads names from its module and from functions around it, attributes of modules,
classes, enums and objects, and hands such things on to other functions. `Reach` follows all of that without compiling anything. Where a
name is followed by attributes (`helpers.Config.GAIN`), these are read and nothing else of the module. What is handed on otherwise (as an
argument, a default, an item of a tuple) may have any attribute read from it that any function reached mentions, so all of these are
followed. So too much may be followed, but nothing is left out.
"""

from __future__ import annotations

import builtins
import functools
import inspect
import struct
import sys
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterator
from dataclasses import is_dataclass
from enum import Enum, EnumMeta
from types import BuiltinFunctionType, FunctionType, MappingProxyType, MethodType, ModuleType
from typing import Any, cast

import numpy as np

from cogir.library.signature import signature_of
from cogir.pyfunc.mentions import Chain, SourceMentions, global_names, mentions_of

_LIMIT = 50_000
"""So many attributes are followed at most: an object that makes a new object whenever it is asked has no end."""
_MOST_FUNCTIONS = 500
"""The functions that are followed before giving up; torch has 2,800, and reading them takes 20 s."""
_ABSENT = object()
_PLAIN = (type(None), bool, int, complex, str, bytes, type(Ellipsis), type(NotImplemented))
_MAPS = (dict, OrderedDict, defaultdict, MappingProxyType)
_DATA = (np.ndarray, np.generic, np.dtype, tuple, list, set, frozenset, range, slice, float, *_PLAIN, *_MAPS)
_COMPARING = ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__bool__", "__len__", "__contains__", "__getitem__")
"""The methods that Python calls when the compiler compares a constant, tests its truth, or looks something up in it."""


class Reach:
    """
    Follows functions and values, and writes down what it finds: equal `parts` stand for equal values and functions.

    `unknown` names something that was met whose content cannot be told; then `parts` says nothing. `has_while`: True if
    some function that was met holds a `while`, or if not all were followed.
    """

    def __init__(self) -> None:
        self.parts: list[bytes] = []
        self.unknown: str | None = None
        self.has_while = False
        self._known: dict[int, int] = {}
        self._keep: list[object] = []
        self._waiting: deque[FunctionType] = deque()
        self._names: dict[str, None] = {}
        self._held: dict[int, object] = {}
        self._holders: list[int] = []
        """The numbers in `_held` in its order: the last ones are found without a walk over all."""

    # Writing

    def text(self, kind: str, text: str | bytes) -> None:
        """A part with its kind and its length, so that no two sequences of parts read the same."""
        data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
        self.parts.append(b"%b%d:%b" % (kind.encode(), len(data), data))

    def met(self, thing: object) -> bool:
        """True if the thing was written before; then its number stands for it."""
        if (number := self._known.get(id(thing))) is not None:
            self.text("again", str(number))
            return True
        self._known[id(thing)] = len(self._known)
        self._keep.append(thing)
        return False

    def give_up(self, thing: object) -> None:
        """Says that what was written does not tell all."""
        self.unknown = self.unknown or f"{type(thing).__module__}.{type(thing).__qualname__}"

    # Following

    def settle(self) -> None:
        """Follows what was met until nothing new turns up."""
        read: list[str] = []
        """The names that were read from the first `followed` holders."""
        followed = 0
        count = functions = 0
        while self._waiting or followed < len(self._holders) or len(read) < len(self._names):
            while self._waiting and functions <= _MOST_FUNCTIONS:
                self._body(self._waiting.popleft())
                functions += 1
            if len(read) < len(self._names):
                fresh = list(self._names)[len(read) :]
                pairs = [(number, name) for number in self._holders[:followed] for name in fresh]
                read += fresh
            else:
                pairs = [(number, name) for number in self._holders[followed:] for name in read]
                followed = len(self._holders)
            count += 1 + len(pairs)
            if count > _LIMIT or functions > _MOST_FUNCTIONS:
                self.has_while = True  # as far as anybody can see
                self.give_up(self._held)
                return
            for number, name in pairs:
                found = self._attribute(self._held[number], name)
                if found is not _ABSENT:
                    self.text("of", f"{number}.{name}")
                    self.value(found)

    def value(self, value: Any) -> None:
        """A value that a function can reach and hand on."""
        kind = cast("type[Any]", type(value))
        if kind is float:
            self.text("float", struct.pack("<d", value))
        elif kind in _PLAIN:
            self.text(kind.__name__, repr(value))
        elif isinstance(value, FunctionType):
            if not self.met(value):
                self.text("function", value.__name__)
                self._waiting.append(value)
        elif isinstance(value, np.ndarray | np.generic):
            self._array(cast("Any", value))
        elif isinstance(value, ModuleType):
            if not self.met(value):
                self.text("module", value.__name__)
                self._hold(value)
        elif isinstance(value, type):
            self._class(cast("type[Any]", value))
        elif isinstance(value, Enum):
            self._member(value)
        elif isinstance(value, _DATA):
            self._container(value)
        elif isinstance(value, functools.partial):
            held = cast("functools.partial[Any]", value)
            self.text("partial", "")
            for part in (held.func, held.args, held.keywords):
                self.value(part)
        elif isinstance(value, MethodType):
            self.text("method", "")
            self.value(value.__func__)
            self.value(value.__self__)
        elif _is_library_callable(value):
            self.text("named", f"{kind.__name__} {getattr(value, '__module__', '')}.{getattr(value, '__qualname__', value.__name__)}")
        else:
            self._object(value)

    def _array(self, array: np.ndarray[Any, Any] | np.generic) -> None:
        if isinstance(array, np.ndarray) and self.met(array):  # a function may ask whether two names mean one array
            return
        if array.dtype.kind not in "biufcSU" or not (isinstance(array, np.generic) or type(array) in (np.ndarray, np.memmap)):
            self.give_up(array)
            return
        self.text("array", f"{array.dtype.str}{array.shape}{isinstance(array, np.generic)}")
        self.text("data", array.tobytes())

    def _container(self, value: Any) -> None:
        kind = cast("type[Any]", type(value))
        if isinstance(value, tuple):
            items = cast("tuple[Any, ...]", value)
            self.text("tuple", str(len(items)))
            if kind is not tuple:
                self._class_name(kind)
                if not _compares_plainly(kind):
                    self.give_up(items)
            for item in items:
                self.value(item)
        elif kind in (set, frozenset):
            self.text("set", b"".join(sorted(map(self._alone, cast("set[Any]", value)))))
        elif kind in (range, slice):
            self.text(kind.__name__, repr((value.start, value.stop, value.step)))
        elif isinstance(value, np.dtype):
            self.text("dtype", str(cast("Any", value)))
        elif isinstance(value, list) or kind in _MAPS:
            if self.met(cast("object", value)):
                return
            items = cast("list[Any]", value) if isinstance(value, list) else [part for pair in value.items() for part in pair]
            self.text(kind.__name__, str(len(items)))
            for item in items:
                self.value(item)
        else:  # a class of the user's made from a number, a text, a dict ...: it may compute anything
            self.give_up(value)

    def _alone(self, item: Any) -> bytes:
        """An item of a set, which has no order that could be kept."""
        if type(item) not in (*_PLAIN, float):
            self.give_up(item)
        return f"{type(item).__name__} {item!r};".encode("utf-8", "surrogatepass")

    def _member(self, member: Enum) -> None:
        if self.met(member):
            return
        self.text("member", member.name)
        self._class_name(type(member))
        self.value(member.value)
        if not _compares_plainly(type(member)):
            self.give_up(member)
        self._hold(member)

    def _class_name(self, cls: type) -> None:
        """The name of a class and of its bases, as `isinstance` sees them."""
        if not self.met(cls):
            self.text("class", f"{cls.__module__}.{cls.__qualname__}")
            for base in cls.__bases__:
                self._class_name(base)

    def _class(self, cls: type[Any]) -> None:
        known = id(cls) in self._known
        self._class_name(cls)
        if cls.__module__ == "builtins" or _top(cls.__module__) == "numpy" or self._known[id(cls)] in self._held:
            return
        if issubclass(cls, type):  # the class of classes, of which a function reads the name at most
            if cls is not EnumMeta:
                self.give_up(cls)
            return
        if type(cls) not in (type, EnumMeta) or "__signature__" in vars(cls):
            self.give_up(cls)
        if known:
            self.text("whole", "")
        self._hold(cls)  # before its members, which may lead back to it
        self.value(inspect.getattr_static(cls, "_fields", ()))  # beartype's classes make any attribute that is asked for
        if issubclass(cls, Enum):
            self.value(dict(cls.__members__))
        for name in ("__new__", "__init__"):
            maker = getattr(cls, name, None)
            if isinstance(maker, FunctionType) and not issubclass(cls, Enum):
                self._method(cls, maker)

    def _object(self, value: Any) -> None:
        """An object of a class of the user's."""
        if self.met(value):
            return
        kind = cast("type[Any]", type(value))
        self.text("object", "")
        self._class_name(kind)
        if not _compares_plainly(kind):
            self.give_up(value)
        for name in ("__eq__", "__lt__", "__le__", "__gt__", "__ge__", "__call__"):
            method = getattr(kind, name, None)
            if isinstance(method, FunctionType):
                self._method(kind, method)
        if isinstance(wrapped := self._attribute(value, "__wrapped__"), FunctionType):
            self.value(wrapped)
        self._hold(value)

    def _method(self, cls: type[Any], method: FunctionType) -> None:
        """A method of a class; those that Python writes for dataclasses and named tuples depend on the fields and their defaults alone."""
        if _is_written_by_python(cls, method):
            self.text("generated", f"{method.__name__} {method.__code__.co_varnames}")
            self.value(method.__defaults__)
            self.value(method.__kwdefaults__)
        else:
            self.value(method)

    def _hold(self, value: object) -> None:
        """Any attribute that any function mentions may be read from this one."""
        number = self._known[id(value)]
        if number not in self._held:
            self._holders.append(number)
        self._held[number] = value

    def _attribute(self, holder: object, name: str) -> Any:
        if holder is np:  # its __getattr__ has only names that it warns about, such as np.str
            return vars(np).get(name, _ABSENT)
        try:
            return getattr(holder, name)
        except AttributeError:
            return _ABSENT
        except Exception:  # a property or a module may raise anything
            self.give_up(holder)
            return _ABSENT

    # Functions

    def _body(self, function: FunctionType) -> None:
        """The source of a function, and the values of the names in it."""
        if _is_named(function):
            self.text("named", f"{function.__globals__['__name__']}.{function.__qualname__}")
            return
        found = self._mentions(function)
        if found is None:
            self.has_while = True  # as far as anybody can see
            self.give_up(function)
            return
        self.has_while |= found.has_while
        self._names |= dict.fromkeys(found.attributes)
        self.text("source", found.text)
        self.value(function.__defaults__)
        self.value(function.__kwdefaults__)
        self.value(getattr(function, "__cogir_outputs__", None))
        self._roles(function)
        code, names, cells = function.__code__, function.__globals__, dict(_bound_cells(function))
        outside = {*global_names(code)} - {*code.co_varnames, *code.co_cellvars}
        for chain in found.chains:
            if chain[0] in code.co_freevars:
                self._chain(chain, cells.get(chain[0], _ABSENT))
            elif chain[0] in outside:
                self._chain(chain, names[chain[0]] if chain[0] in names else vars(builtins).get(chain[0], _ABSENT))

    def _mentions(self, function: FunctionType) -> SourceMentions | None:
        """The names that a function mentions; None if that cannot be told."""
        return mentions_of(function)

    def _roles(self, function: FunctionType) -> None:
        """The roles of the parameters, from annotations and from a function that this one wraps."""
        if vars(function).keys() & {"__signature__", "__wrapped__"}:
            self.value(getattr(function, "__wrapped__", None))
            if "__signature__" in vars(function):
                self.give_up(function)
        if not function.__annotations__:
            return
        try:
            signature = signature_of(function)
        except Exception:  # annotations may raise anything; a function that has no roles is refused when it is compiled
            self.text("roles", "none")
            return
        self.text(
            "roles", repr((signature.inputs, *map(tuple, (signature.params, signature.states, signature.statics)), signature.randoms))
        )

    def _chain(self, chain: Chain, value: Any) -> None:
        """A name and the attributes read from it."""
        self.text("name", ".".join(chain))
        for name in chain[1:]:
            if value is _ABSENT or (isinstance(value, (FunctionType, *_DATA)) and not isinstance(value, Enum)):
                break
            value = self._attribute(value, name)
        if value is _ABSENT:
            self.text("absent", "")
        else:
            self.value(value)


def may_loop(function: Callable[..., Any]) -> bool:
    """True if the function, or one that it can reach, holds a `while`."""
    reach = Reach()
    reach.value(function)
    reach.settle()
    return reach.has_while


def _bound_cells(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """The values that a function closes over, by name; names that are not bound yet are left out."""
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            yield name, cell.cell_contents
        except ValueError:
            continue


def _top(module: object) -> str:
    """The package of a module's name; classes may have anything else as `__module__`."""
    return module.partition(".")[0] if isinstance(module, str) else ""


def _is_named(function: FunctionType) -> bool:
    """True if the name of a function tells all of it: NumPy's and SciPy's, and those that stand for one operation."""
    module = str(function.__globals__.get("__name__"))
    if _top(module) in ("numpy", "scipy") and "<locals>" not in function.__qualname__:
        return function.__globals__ is vars(sys.modules.get(module, builtins))
    intrinsics = sys.modules.get("cogir.library.numerics.intrinsics")
    return intrinsics is not None and function in intrinsics.INTRINSICS


def _is_library_callable(value: Any) -> bool:
    """True if a value is a callable that is written in C or belongs to NumPy; the compiler knows it by its name, or not at all."""
    if isinstance(value, BuiltinFunctionType | np.ufunc):
        return True
    kind = cast("type[Any]", type(value))
    return callable(value) and _top(kind.__module__) in ("builtins", "numpy") and hasattr(value, "__name__")


def _is_written_by_python(cls: type[Any], method: FunctionType) -> bool:
    """
    True for the methods of dataclasses and named tuples that Python generates.

    The file of their code, "<string>", is also that of what a script executes from a string, and a notebook's is like it. So the names that
    the standard library gives to the code decide: that of the function within which dataclasses make methods, and a lambda for `__new__`.
    """
    code = method.__code__
    if code.co_filename != "<string>":
        return False
    if is_dataclass(cls):
        return code.co_qualname.startswith("__create_fn__.<locals>.")
    return tuple in cls.__mro__ and hasattr(cls, "_fields") and code.co_name == "<lambda>" and method.__name__ == "__new__"


def _compares_plainly(kind: type[Any]) -> bool:
    """True if objects of a class compare by identity, as the values that they are, or field by field as a dataclass has it."""
    for name in _COMPARING:
        # Not getattr: it would find what the class of the class has, such as the length of an enum.
        method: object = next((vars(base)[name] for base in kind.__mro__ if name in vars(base)), None)
        if isinstance(method, FunctionType):
            if not _is_written_by_python(kind, method) and method.__module__ != "enum":
                return False
        elif method is not None and getattr(method, "__objclass__", None) not in (object, int, str, tuple):
            return False
    return True
