"""
The identity of Python functions that are called, not compiled: of the statistics of a sweep, in stores and in other processes.

`Reach` follows what a compiled function can reach. A function that Python calls may also use operators of objects, methods of classes, and
libraries. So objects and classes of the user count as a whole here, libraries by their versions, and functions without a source by their
bytecode. What cannot be told is refused.
"""

from __future__ import annotations

import copyreg
import dataclasses
import dis
import functools
import importlib.metadata
import importlib.util
import sys
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, GetSetDescriptorType, MemberDescriptorType, ModuleType
from typing import Any, cast

import numpy as np

from cogir.errors import ExecutionError, InputError
from cogir.labelled.names import path_of
from cogir.library.bytecode import mentions
from cogir.pyfunc.mentions import Chain, SourceMentions, global_names, mentions_of
from cogir.pyfunc.reachable import Reach
from cogir.runtime.sweeps.outside import CLOCKS, METHODS_OF_CLOCKS, is_called_without_arguments, makes_generators, outside, reads_files

DYNAMIC = ("__import__", "eval", "exec", "getattr", "globals", "locals", "open", "vars")
"""The built-in functions by which a function reaches what its text does not name."""
INSTALLED = tuple({Path(sysconfig.get_path(name)) for name in ("purelib", "platlib")})
OF_PYTHON = Path(sysconfig.get_path("stdlib"))
CONTAINERS = (tuple, list, dict, str, bytes, int, float, complex)
NOT_OF_CLASS = {
    *("__module__", "__dict__", "__weakref__", "__doc__", "__qualname__", "__annotations__", "__annotate_func__", "__annotations_cache__"),
    *(
        "__static_attributes__",
        "__firstlineno__",
        "__slots__",
        "__slotnames__",
        "__match_args__",
        "__dataclass_fields__",
        "__dataclass_params__",
    ),
    *("__parameters__", "__orig_bases__", "__abstractmethods__", "_abc_impl"),
}
"""The attributes of classes that say nothing of what they do, or nothing that others do not say."""


def identity_of(what: str, value: Any) -> str:
    """
    A digest of a value and of all that it does when it is called, the same in every process.

    Raises `InputError` if that cannot be told; `what` says what it is.
    """
    reach = LastingReach()
    if (digest := reach.digest(value)) is None:
        raise InputError(
            f"sweep: store: {what} cannot be identified, because it reaches {reach.unknown}; give a function that uses numbers, texts, "
            "arrays, lists and dicts of them, and other functions, or leave out store"
        )
    return digest


class CalledReach(Reach):
    """Follows functions that Python calls."""

    def __init__(self, *, by_source: bool = True):
        """`by_source`: False takes the bytecode of all functions, which is there wherever they are."""
        super().__init__()
        self.by_source = by_source

    def digest(self, value: Any) -> str | None:
        """A digest of a value and of all that it reaches; None if that cannot be told."""
        self.value(value)
        self.settle()
        return None if self.unknown is not None else sha256(b"".join(self.parts)).hexdigest()

    def give_up(self, thing: object) -> None:
        named = thing if isinstance(thing, FunctionType | type) else type(thing)
        self.refuse(f"{'' if named is thing else 'an object of type '}{named.__module__}.{named.__qualname__}")

    def refuse(self, what: str) -> None:
        """Says what cannot be told."""
        self.unknown = self.unknown or what

    def value(self, value: Any) -> None:
        if isinstance(value, BuiltinFunctionType) and not isinstance(value.__self__, ModuleType | type | None):
            self.text("bound", value.__name__)  # [1.0, 2.0].index
            self.value(value.__self__)
        elif isinstance(value, np.vectorize) or (isinstance(value, np.ufunc) and value is not getattr(np, value.__name__, None)):
            self._object(value)
        elif isinstance(value, type) or not hasattr(value, "address"):
            super().value(value)
            if isinstance(value, functools.partial):
                self._set_on(value)
        else:
            self.text("path", path_of(value))  # a handle of the builder

    def _container(self, value: Any) -> None:
        if isinstance(value, CONTAINERS) and type(cast("Any", value)) not in (*CONTAINERS, bool):
            self._object(value)
        else:
            super()._container(value)

    def _member(self, member: Any) -> None:
        if not self.met(member):
            self.text("member", member.name)
            self.value(member.value)
            self._class(cast("type[Any]", type(member)))

    # Classes and objects

    def _class(self, cls: type[Any]) -> None:
        """A class with all that it defines; of a library, its name."""
        if self.met(cls):
            return
        self.text("class", f"{cls.__module__}.{cls.__qualname__}")
        if self._is_library(cls.__module__):
            return
        for base in (type(cls), *cls.__bases__):
            self._class(base)
        for name, held in vars(cls).items():
            if name not in NOT_OF_CLASS and not isinstance(held, MemberDescriptorType | GetSetDescriptorType):
                self.text("attribute", name)
                self._method(cls, held) if isinstance(held, FunctionType) else self.value(held)
        if dataclasses.is_dataclass(cls):
            for field in dataclasses.fields(cls):
                self.text("field", f"{field.name} {field.default is dataclasses.MISSING} {field.default_factory is dataclasses.MISSING}")
                self.value([part for part in (field.default, field.default_factory) if part is not dataclasses.MISSING])

    def _object(self, value: Any) -> None:
        """An object with its class and all that it holds."""
        if self.met(value):
            return
        kind = cast("type[Any]", type(value))
        self.text("object", "")
        self._class(kind)
        if isinstance(value, property):
            self.value([value.fget, value.fset, value.fdel])
        elif isinstance(value, functools.cached_property):
            self.value(cast("Any", value).func)
        elif isinstance(value, classmethod | staticmethod) or type(value).__name__ == "_lru_cache_wrapper":
            self.value(cast("Any", value).__wrapped__)
            self._set_on(value)
        elif isinstance(value, np.ufunc):
            module = sys.modules.get("scipy.special")
            if getattr(module, value.__name__, None) is not value:
                self.give_up(value)
            self.text("ufunc", value.__name__)
        elif self._is_of_users(kind):
            self.value(dict(_attributes(value)))
            plain: list[Any] = [container for container in CONTAINERS if issubclass(kind, container)]
            if plain:
                self.value(plain[0](value))
            elif not hasattr(value, "__dict__") and not any("__slots__" in vars(base) for base in kind.__mro__):
                self.give_up(value)  # it is written in C
        else:
            self._reduced(value)

    def _is_of_users(self, kind: type[Any]) -> bool:
        """True if Python shows all that objects of the class hold: those of classes of the user's, and of plain containers."""
        return all(base in (object, *CONTAINERS) or _version(base.__module__) is None or base.__module__ in _PLAIN for base in kind.__mro__)

    def _reduced(self, value: Any) -> None:
        """An object of a library, by what pickling keeps of it."""
        try:
            own = copyreg.dispatch_table.get(cast("type[Any]", type(value)))
            reduced = value.__reduce_ex__(4) if own is None else own(value)
        except Exception:  # it may raise anything
            reduced = None
        if not isinstance(reduced, tuple):
            self.give_up(value)
            return
        for part in cast("tuple[Any, ...]", reduced):
            self.value(list(cast("Iterator[Any]", part)) if isinstance(part, Iterator) else part)

    def _is_library(self, module: object) -> bool:
        """True for a module of Python or of an installed package, which count by their versions."""
        version = _version(module)
        if version is not None:
            self.text("library", f"{module} {version}")
        return version is not None

    # Functions

    def _body(self, function: FunctionType) -> None:
        module = function.__globals__.get("__name__")
        if function.__globals__ is vars(sys.modules.get(str(module), functools)) and self._is_library(module):
            self.text("named", function.__qualname__)
            self.value([function.__defaults__, function.__kwdefaults__])
            self.value([cell.cell_contents for cell in function.__closure__ or () if _is_bound(cell)])
            return
        if dynamic := [name for name in DYNAMIC if name in global_names(function.__code__) and name not in function.__globals__]:
            self.refuse(f"{dynamic[0]} in {function.__qualname__}, by which it may reach anything")
        for each in _imports(function.__code__):
            if not self._is_library(each.module):
                self.refuse(f'module "{each.module}", which {function.__qualname__} imports (import it at the top of the file)')
        self._set_on(function)
        super()._body(function)

    def _set_on(self, value: Any) -> None:
        """The attributes that were set on a function, which it and others can read: `count.most = 3`."""
        if held := dict(cast("dict[str, Any]", vars(value))):
            self.text("set on it", "")
            self.value(held)

    def _mentions(self, function: FunctionType) -> SourceMentions | None:
        found = mentions_of(function) if self.by_source else None
        if found is None:
            read = mentions(function.__code__)
            found = SourceMentions((*read.globals, *read.cells), read.attributes, read.has_while, read.content.hex())
        return found


class LastingReach(CalledReach):
    """Follows what is to give the same numbers in other calls: refuses what takes something from outside of its arguments."""

    def __init__(self) -> None:
        super().__init__()
        self.codes: list[CodeType] = []
        self.makers: set[str] = set()
        """The names under which functions that make generators of random numbers were met."""

    def digest(self, value: Any) -> str | None:
        found = super().digest(value)
        if self.unknown is None:
            for name in sorted(self.makers):
                if any(is_called_without_arguments(code, name) for code in self.codes):
                    self.refuse(f"{name} without a seed, which draws other numbers each time (give it one)")
        return None if self.unknown is not None else found

    def value(self, value: Any) -> None:
        self._check(value)
        super().value(value)

    def _check(self, value: Any) -> None:
        if makes_generators(value):
            self.makers.add(value.__name__)
        elif (found := outside(value)) is not None:
            self.refuse(found)
        elif _version(getattr(value, "__module__", None)) is not None and reads_files(value):
            self.refuse(f"{value.__module__}.{value.__name__}, which reads files (read them before)")

    def _class(self, cls: type[Any]) -> None:
        self._check(cls)
        is_met = id(cls) in self._known
        super()._class(cls)
        if cls in CLOCKS and not is_met:
            self._hold(cls)  # a class of a library, of which nothing else is read

    def _attribute(self, holder: object, name: str) -> Any:
        if isinstance(holder, type) and holder in CLOCKS and name not in METHODS_OF_CLOCKS:
            holder = None
        return super()._attribute(holder, name)

    def _chain(self, chain: Chain, value: Any) -> None:
        if makes_generators(value):
            self.makers.add(chain[0])
        super()._chain(chain, value)

    def _body(self, function: FunctionType) -> None:
        if _version(function.__globals__.get("__name__")) is None:
            self.codes.append(function.__code__)
            for each in _imports(function.__code__):
                if _version(each.module) is not None:
                    self._import(each, function)
        super()._body(function)

    def _import(self, each: Import, function: FunctionType) -> None:
        """Names that a local import takes from a library: as by one at the top of the file if the name is a variable of the function."""
        try:
            found = each.values()
        except Exception as error:  # a module may raise anything
            self.refuse(f'module "{each.module}", which {function.__qualname__} imports, and which cannot be imported ({error})')
            return
        source = self._mentions(function) if each.is_local else None
        for name, held in found:
            if makes_generators(held):
                self.makers.add(name)
            if source is None or not isinstance(held, ModuleType):
                self.value(held)
                continue
            for chain in source.chains:
                if chain[0] == name:
                    self._chain(chain, held)


class SentReach(CalledReach):
    """Follows what is sent to another process, and notes what that process has to have: names in modules, which are sent as names."""

    def __init__(self, *, main: bool):
        """`main`: True if functions and classes of the script are sent as names, too."""
        super().__init__(by_source=False)
        self.main = main
        self.named: dict[tuple[str, str], None] = {}

    def _note(self, module: object, name: str) -> None:
        if isinstance(module, str) and _version(module) is None and (self.main or module != "__main__"):
            self.named[module, name] = None

    def _body(self, function: FunctionType) -> None:
        if resolved(function.__module__, function.__qualname__) is function:
            self._note(function.__module__, function.__qualname__)
        super()._body(function)

    def _class(self, cls: type[Any]) -> None:
        if resolved(cls.__module__, cls.__qualname__) is cls:
            self._note(cls.__module__, cls.__qualname__)
        super()._class(cls)

    def _chain(self, chain: Chain, value: Any) -> None:
        held: Any = value
        for place, name in enumerate(chain[1:], 1):
            if not isinstance(held, ModuleType):
                break
            inner = getattr(held, name, None)
            if not isinstance(inner, ModuleType):
                self._note(held.__name__, ".".join(chain[place:]))
            held = inner
        super()._chain(chain, value)


ABSENT = object()


def resolved(module: object, name: str) -> Any:
    """The object for which a name stands in a module of this process, if that was imported; `ABSENT` if there is nothing."""
    found: Any = sys.modules.get(module, ABSENT) if isinstance(module, str) else ABSENT
    for part in name.split("."):
        found = getattr(found, part, ABSENT)
    return found


Named = tuple[str, str, str]
"""A module, a name in it, and the digest of what it stands for."""


def named_in(value: Any, *, main: bool) -> list[Named]:
    """
    What another process has to have so that a value, unpickled there, does the same; `main`: also of the script.

    Raises `InputError` for what cannot be told of the script.
    """
    reach = SentReach(main=main)
    reach.value(value)
    reach.settle()
    found: list[Named] = []
    for module, name in reach.named:
        own = CalledReach(by_source=False)
        digest = own.digest(resolved(module, name))
        if digest is not None:
            found.append((module, name, digest))
        elif module == "__main__":
            raise InputError(
                f"sweep: reduce: {name} of the script would be sent to other processes by name, and it cannot be told whether theirs is "
                f"the same, because it reaches {own.unknown}; install cloudpickle, which sends what it does: pip install cloudpickle"
            )
    return found


def check_named(named: list[Named]) -> None:
    """Raises `ExecutionError` if a name stands for something else in this process than in the one that has sent it."""
    for module, name, digest in named:
        try:
            import_module(module)
        except ImportError as error:
            raise ExecutionError(f"sweep: reduce: this worker has no module {module} ({error}); install it on all workers") from None
        if CalledReach(by_source=False).digest(resolved(module, name)) != digest:
            remedy = "install cloudpickle: pip install cloudpickle, or " if module == "__main__" else ""
            raise ExecutionError(
                f"sweep: reduce: {name} of module {module} is not in this worker what it is where sweep was called, as it was changed "
                f"after the worker was started; {remedy}start the executor anew, and change a module in its file"
            )


_PLAIN = ("abc", "typing", "enum", "collections.abc", "builtins")
"""The modules whose classes hold nothing in their objects that Python does not show."""


def _attributes(value: Any) -> Iterator[tuple[str, Any]]:
    """The attributes of an object, by name, without what it has computed to be kept."""
    kind = cast("type[Any]", type(value))
    for base in kind.__mro__:
        slots = vars(base).get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else tuple(slots):
            if hasattr(value, name) and name not in ("__dict__", "__weakref__"):
                yield name, getattr(value, name)
    for name, held in getattr(value, "__dict__", {}).items():
        if not isinstance(getattr(kind, name, None), functools.cached_property):
            yield name, held


@dataclass(frozen=True)
class Import:
    """
    One `import` inside a function.

    `module`: its full name, after a dot for each package up where it begins; `taken`: what is taken from it (None: it is itself the value);
    `names`: the names that are bound; `whole`: True if the name is bound to the last part of `module`, False if to the first;
    `is_local`: True if they are variables of a function.
    """

    module: str
    taken: tuple[str, ...] | None
    names: tuple[str, ...]
    whole: bool
    is_local: bool

    def values(self) -> list[tuple[str, Any]]:
        """The names that are bound, with their values. Raises what importing raises."""
        if self.taken is None:
            return [(self.names[0], import_module(self.module) if self.whole else __import__(self.module))]
        module = __import__(self.module, fromlist=self.taken)
        return [(name, getattr(module, taken, None)) for name, taken in zip(self.names, self.taken, strict=True)]


def _first_name(argument: object) -> str:
    """The name that an instruction stores; some store two, or load one as well."""
    return str(cast("tuple[object, ...]", argument)[0] if isinstance(argument, tuple) else argument)


def _imports(code: CodeType) -> Iterator[Import]:
    """The imports in a code object and in those inside it."""
    steps = [step for step in dis.get_instructions(code) if step.opname != "EXTENDED_ARG"]
    for place, step in enumerate(steps):
        if step.opname == "IMPORT_NAME":
            level, taken = steps[place - 2].argval, steps[place - 1].argval
            stores = [each for each in steps[place + 1 :] if each.opname.startswith("STORE_")][: 1 if taken is None else len(taken)]
            names = tuple(_first_name(each.argval) for each in stores)
            is_local = all(each.opname.startswith(("STORE_FAST", "STORE_DEREF")) for each in stores)
            yield Import("." * level + step.argval, taken, names, steps[place + 1].opname == "IMPORT_FROM", is_local)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _imports(constant)


def _is_bound(cell: Any) -> bool:
    try:
        return cell.cell_contents is not cell
    except ValueError:
        return False


def _package(name: str) -> Any:
    """A module of the first level; one of Python or of an installed package is imported, others only if they are already."""
    if name in sys.modules or not name.isidentifier():
        return sys.modules.get(name)
    spec = importlib.util.find_spec(name)
    if spec is None or (spec.origin is None and not spec.has_location):
        return None
    folders = Path(str(spec.origin)).parents if spec.has_location else ()
    if not (any(folder in folders for folder in (*INSTALLED, OF_PYTHON)) or spec.origin in ("built-in", "frozen")):
        return None
    try:
        return import_module(name)
    except Exception:  # it may raise anything
        return None


@functools.cache
def _version(module: object) -> str | None:
    """The version of Python or of the installed package to which a module belongs; None for modules of the user's."""
    top = module.partition(".")[0] if isinstance(module, str) else ""
    found = _package(top)
    file = getattr(found, "__file__", None)
    folders = () if file is None else Path(file).parents
    is_installed = any(folder in folders for folder in INSTALLED)
    if top in sys.stdlib_module_names and (file is None or (OF_PYTHON in folders and not is_installed)):
        return f"{sys.version_info.major}.{sys.version_info.minor}"
    if top == "cogir":
        return found.__version__
    if not is_installed:
        return None
    try:
        version: object = getattr(found, "__version__", None)
        return version if isinstance(version, str) else importlib.metadata.version(top)
    except importlib.metadata.PackageNotFoundError:
        return None
