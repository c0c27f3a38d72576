"""
Running a script as Python does, with the Compositions of PsyNeuLink in it accelerated, also those of processes that it starts.
"""

from __future__ import annotations

import functools
import runpy
import sys
from collections.abc import Callable
from importlib.machinery import ModuleSpec, SourceFileLoader, SourcelessFileLoader
from os import PathLike, fspath, getcwd
from os.path import dirname, join, realpath
from types import ModuleType
from typing import Any

from cogir.psyneulink.accelerate import accelerate

Action = Callable[[ModuleType], Any]
"""A function for a module that has been imported."""

SPAWNING = ("multiprocessing.spawn", "joblib.externals.loky.backend.spawn", "loky.backend.spawn")
"""The modules that start Python processes."""
PREPARING = "get_preparation_data"
"""The function in these that makes what a new process gets before all else; names in it that it does not know mean nothing to it."""
INHERIT = """\
import sys
sys.path.append({path!r})
from cogir.psyneulink.runner import AfterImport
AfterImport(**{options!r})
sys.path.pop()
"""
"""The code by which a new process accelerates its Compositions; it comes before the process knows where its parent found modules."""


class AfterImport(accelerate):
    """
    An acceleration that begins when a script has imported PsyNeuLink, which it does in its own time, and after its own settings. It is also
    that of the processes which the script starts by `multiprocessing` or joblib.
    """

    def __init__(self, mode: str = "Auto", **options: Any):
        self._options = {"mode": mode} | {name: value for name, value in options.items() if name != "before_first"}
        self._spawning: list[tuple[ModuleType, Action]] = []
        """The modules that hand this on, and their own functions that do so without."""
        super().__init__(mode, **options)

    def start(self) -> None:
        """Puts the native methods in place, now or when PsyNeuLink has been imported."""
        _imports.then("psyneulink", self._begin)
        for name in SPAWNING:
            _imports.then(name, self._hand_on)

    def stop(self) -> None:
        """Ends this acceleration."""
        _imports.drop(self._begin, self._hand_on)
        while self._spawning:
            module, original = self._spawning.pop()
            setattr(module, PREPARING, original)
        super().stop()

    def _begin(self, module: ModuleType) -> None:
        super().start()

    def _hand_on(self, module: ModuleType) -> None:
        """Makes the processes that a module spawns begin as this one."""
        original = getattr(module, PREPARING)

        @functools.wraps(original)
        def prepared(*args: Any, **kwargs: Any) -> dict[str, Any]:
            return original(*args, **kwargs) | {"cogir": Executed(INHERIT.format(path=ROOT, options=self._options))}

        setattr(module, PREPARING, prepared)
        self._spawning.append((module, original))


ROOT = dirname(dirname(dirname(__file__)))
"""The folder in which Python finds cogir."""


class Executed:
    """A text that is executed where it is unpickled."""

    def __init__(self, text: str):
        self.text = text

    def __reduce__(self) -> tuple[Callable[..., None], tuple[str, dict[str, Any]]]:
        return exec, (self.text, {})


class Imports:
    """A finder of modules that leaves them to the others, and calls functions when they have been imported."""

    def __init__(self) -> None:
        self.actions: dict[str, list[Action]] = {}

    def then(self, name: str, action: Action) -> None:
        """Calls a function when a module has been imported, or now if it has been."""
        if name in sys.modules:
            action(sys.modules[name])
            return
        self.actions.setdefault(name, []).append(action)
        if self not in sys.meta_path:
            sys.meta_path.insert(0, self)  # pyright: ignore[reportArgumentType]

    def drop(self, *actions: Action) -> None:
        """Calls these functions no more."""
        for name, held in list(self.actions.items()):
            self.actions[name] = [one for one in held if one not in actions]
        if not any(self.actions.values()) and self in sys.meta_path:
            sys.meta_path.remove(self)  # pyright: ignore[reportArgumentType]

    def find_spec(self, name: str, path: Any = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """The answer of the next finder that knows a module."""
        if not self.actions.get(name):
            return None
        others = [finder for finder in sys.meta_path if finder is not self]
        spec = next((found for finder in others if (found := finder.find_spec(name, path, target)) is not None), None)
        if spec is not None and spec.loader is not None:
            vars(spec.loader)["exec_module"] = self.executing(spec.loader.exec_module)
        return spec

    def executing(self, original: Action) -> Action:
        """A loader's method, after which the functions for the module are called."""

        def exec_module(module: ModuleType) -> None:
            try:
                original(module)
            except BaseException as error:
                error.__traceback__ = without_first(error)
                raise  # which adds no entry for this frame
            for action in self.actions.pop(module.__name__, []):
                action(module)

        return exec_module


_imports = Imports()


def run_script(script: str | PathLike[str], arguments: list[str]) -> int:
    """Executes a file as `python script arguments` does; returns the exit status."""
    given = fspath(script)
    path = join(getcwd(), given)  # Python leaves ".." and "." in it
    if not sys.flags.safe_path:
        sys.path[0] = dirname(realpath(path))
    loader = (SourcelessFileLoader if path.endswith(".pyc") else SourceFileLoader)("__main__", path)
    main = new_main([given, *arguments], __file__=path, __cached__=None, __loader__=loader)
    try:
        code = code_of(loader)
    except Exception as error:  # the file is not Python
        return status_after(shown(error.with_traceback(None)))
    error = executed(lambda: exec(code, vars(main)))
    for name in ("__file__", "__cached__"):  # which Python deletes, too
        vars(main).pop(name, None)
    return status_after(error)


def code_of(loader: SourceFileLoader | SourcelessFileLoader) -> Any:
    """The code of a script. `get_code` of a loader of source would keep it in a folder beside the script."""
    if isinstance(loader, SourcelessFileLoader):
        return loader.get_code("__main__")
    return loader.source_to_code(loader.get_data(loader.path), loader.path)


def run_module(name: str, arguments: list[str]) -> int:
    """Executes a module as `python -m name arguments` does; returns the exit status."""
    new_main(["-m", *arguments])
    as_main: Callable[[str], Any] = getattr(runpy, "_run_module_as_main")
    return status_after(executed(lambda: as_main(name)))


def new_main(arguments: list[str], **attributes: Any) -> ModuleType:
    """A new module `__main__`, which remains it until the process has ended."""
    sys.argv = arguments
    main = sys.modules["__main__"] = ModuleType("__main__")
    vars(main).update(__annotations__={}, __builtins__=sys.modules["builtins"], **attributes)
    return main


def executed(execute: Callable[[], object]) -> BaseException | None:
    """Executes a script; returns the error that has ended it, after it has been shown."""
    try:
        execute()
    except SystemExit:
        raise
    except BaseException as error:
        found = error.with_traceback(without_first(error, 2))
    else:
        return None
    return shown(found)


def status_after(error: BaseException | None) -> int:
    """The exit status of a script that was ended by an error, which has been shown."""
    if isinstance(error, KeyboardInterrupt):  # for Python to end by the signal, so that a shell knows it
        sys.excepthook = hidden_once(error)
        raise error
    return int(error is not None)


def without_first(error: BaseException, count: int = 1) -> Any:
    """The traceback of an error without its outermost entries."""
    trace = error.__traceback__
    for _ in range(count):
        trace = trace and trace.tb_next
    return trace


def shown(error: BaseException) -> BaseException:
    """Shows an error that has ended a script by its `sys.excepthook`, as Python does; returns the error."""
    trace = error.__traceback__
    sys.last_type, sys.last_value, sys.last_traceback = type(error), error, trace
    if sys.version_info >= (3, 12):
        sys.last_exc = error
    try:
        sys.excepthook(type(error), error, trace)
    except SystemExit:
        raise
    except BaseException as second:
        print("Error in sys.excepthook:", file=sys.stderr)
        shown_by_default(second.with_traceback(without_first(second)))
        print("\nOriginal exception was:", file=sys.stderr)
        shown_by_default(error)
    return error


def shown_by_default(error: BaseException) -> None:
    """Shows an error as if `sys.excepthook` had not been set."""
    sys.__excepthook__(type(error), error, error.__traceback__)


def hidden_once(error: BaseException) -> Callable[..., None]:
    """A `sys.excepthook` for an error that has been shown, after which all is as before."""
    hook, trace = sys.excepthook, error.__traceback__

    def hidden(*found: Any) -> None:
        sys.excepthook = hook
        sys.last_traceback = error.__traceback__ = trace

    return hidden
