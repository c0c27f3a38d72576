"""
Running the Compositions of a script natively, without a change to the script.
"""

from __future__ import annotations

import functools
import inspect
import re
import warnings
from collections.abc import Callable, Generator
from types import CellType, TracebackType
from typing import Any, Self
from weakref import WeakKeyDictionary, WeakSet

from cogir.callers import stacklevel
from cogir.errors import CogirError
from cogir.psyneulink.execution import evaluate as evaluated
from cogir.psyneulink.execution import nested
from cogir.psyneulink.execution.call_arguments import NativeCall
from cogir.psyneulink.execution.session import ON_GPU, execution_id_of
from cogir.psyneulink.importer.unmodified import not_plain, wrapped_cell
from cogir.psyneulink.learning.llvm_mode import compiled_trials
from cogir.psyneulink.learning.pytorch_mode import by_psyneulinks_compiler, by_python, learned_batches
from cogir.psyneulink.pnl import (
    METHODS_OF_BATCHES,
    compiled_class,
    composition_class,
    composition_of,
    estimation_class,
    is_learning,
    is_simulation,
    runner_class,
)
from cogir.psyneulink.reader import UnsupportedFeature

MODES = {"auto": "run", "llvmrun": "run", "llvmexec": "exec", "llvmpernode": "exec", "ptxrun": ON_GPU, "python": None}
"""PsyNeuLink's execution modes, and cogir's; None runs in PsyNeuLink itself."""

METHODS = ("run", "execute", "evaluate")


class FallbackWarning(UserWarning):
    """A Composition runs in PsyNeuLink, because something in it, or in the call, cannot be compiled."""


_told: WeakKeyDictionary[Any, set[str]] = WeakKeyDictionary()
"""The warnings that have been given for each Composition."""
_OF_CALL = re.compile(r"^\S+:\d+: |after \d+ trials? of the run, ")
"""With which line of the script an error may begin, and how much of the run was over; another call has others, for the same reason."""


class accelerate:
    """
    From now on every `Composition.run` and `execute` is native, and the trials of `evaluate`: within the block, or, without one, until
    `stop()`.

        with accelerate():
            composition.run(inputs)

        fast = accelerate()     # in a notebook
        ...
        fast.stop()

    `mode`: PsyNeuLink's "Auto", "LLVMRun", "LLVMExec", "LLVMPerNode", "PTXRun" (searches of controllers on an NVIDIA GPU) or "Python"; a
    call that gives `execution_mode` runs in that one. What cannot be compiled runs in PsyNeuLink, after one `FallbackWarning` that names
    the component, the feature and the remedy; `strict`
    makes that an error. `progress`: a bar for runs that take longer than a second (never without a terminal). `before_first`: called with
    each Composition before its first run.
    """

    def __init__(
        self,
        mode: str = "Auto",
        *,
        strict: bool = False,
        progress: bool = True,
        before_first: Callable[[Any], None] | None = None,
    ):
        if mode.lower() not in MODES:
            raise CogirError(f"accelerate: mode is {mode!r}; give one of Auto, LLVMRun, LLVMExec, LLVMPerNode, PTXRun, Python")
        self.mode, self.strict, self.progress = mode.lower(), strict, progress
        self.before_first = before_first
        self._seen: WeakSet[Any] = WeakSet()
        if MODES[self.mode] is not None:
            self.start()

    def start(self) -> None:
        """Puts the native methods in place."""
        if self in _active:
            return
        composition = composition_class()
        if not _active:
            for name in METHODS:
                if (cell := wrapped_cell(composition, name)) is not None:
                    _wrapped.append((cell, cell.cell_contents))
                    cell.cell_contents = _accelerated(cell.cell_contents, name)
                    continue
                _originals[name] = getattr(composition, name)
                setattr(composition, name, _accelerated(_originals[name], name))
            runner = runner_class()
            for name in METHODS_OF_BATCHES:
                _batches[name] = getattr(runner, name)
                setattr(runner, name, _learned(_batches[name]))
            _estimations["run"] = estimation_class().run
            estimation_class().run = _estimating(_estimations["run"])
            _compiled["get"] = compiled_class().get
            compiled_class().get = staticmethod(_compiled_or_native(_compiled["get"]))
        _active.append(self)

    def stop(self) -> None:
        """Ends this acceleration; when the last one ends, PsyNeuLink's own methods are restored."""
        if self in _active:
            _active.remove(self)
        if not _active:
            while _wrapped:
                cell, held = _wrapped.pop()
                cell.cell_contents = held
            while _originals:
                setattr(composition_class(), *_originals.popitem())
            while _batches:
                setattr(runner_class(), *_batches.popitem())
            while _estimations:
                setattr(estimation_class(), *_estimations.popitem())
            while _compiled:
                compiled_class().get = staticmethod(_compiled.popitem()[1])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.stop()

    def call(self, original: Callable[..., Any], method: str, composition: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """One call of a method, native if it can be."""
        signature = _signature(original)
        if not args and kwargs.keys() <= signature.parameters.keys() - {"kwargs"}:
            given: dict[str, Any] = {"self": composition, **kwargs}
        else:
            given = signature.bind(composition, *args, **kwargs).arguments
        mode = evaluated.mode_of(composition, method, given)
        if mode is None:
            if is_simulation(given.get("context")):
                return self._inner_call(original, method, composition, given, args, kwargs)
            mode = None if learns_in_python(given) else self._mode_of(composition, given)
        if mode is None:
            unknown = no_such_mode(composition, method, given)
            if unknown is not None:
                self.tell(composition, unknown)
            return original(composition, *args, **kwargs)
        if method == "evaluate":
            with evaluated.trials_in(mode, composition):
                return original(composition, *args, **kwargs)
        if self.before_first is not None and composition not in self._seen:
            self._seen.add(composition)
            self.before_first(composition)
        call: NativeCall | None = None
        try:
            call = NativeCall(composition, method, given, signature, mode, self.progress, self.carrying_on(composition))
            return call.run()
        except CogirError as error:
            if self.strict or (call is not None and call.begun):  # what has been done must not be done again
                raise
            _tell(composition, str(error))
        if not composition.learning_components:  # in its Python mode a run would learn on
            kwargs.pop("execution_mode", None)  # PsyNeuLink's own compiler may not know the model either
        if call is None:  # the call itself asks for what no native trial does, not even one of a part
            with nested.parts_compiled(None):
                return original(composition, *args, **kwargs)
        with nested.parts_compiled(execution_id_of(composition, given.get("context"))), call.left_out():
            return original(composition, *args, **kwargs)  # its errors are not those of a native run

    def _inner_call(
        self, original: Callable[..., Any], method: str, composition: Any, given: dict[str, Any], args: Any, kwargs: Any
    ) -> Any:
        """A call by PsyNeuLink itself as it runs: native where it is a nested Composition that can be."""
        mode = MODES[self.mode]
        if mode is not None and method == "execute" and nested.can_be_native(composition, given):
            try:
                return nested.execute(composition, given["context"], mode)
            except CogirError:
                pass  # why the whole does not compile has been said
        return original(composition, *args, **kwargs)

    def carrying_on(self, composition: Any) -> Callable[[CogirError], None] | None:
        """The function that warns that the rest of a run is PsyNeuLink's, and why; None if that is an error."""
        return None if self.strict else lambda error: _tell(composition, str(error), "the rest of the run is executed in PsyNeuLink")

    def tell(self, composition: Any, error: CogirError) -> None:
        """Warns that a Composition learns in PsyNeuLink, and why; raises it if `strict`."""
        if self.strict:
            raise error.with_traceback(None) from None
        _tell(composition, str(error))

    def _mode_of(self, composition: Any, given: dict[str, Any]) -> str | None:
        """The mode that a call asks for, else the one of the block; a class with a `run` of its own fills the argument in by itself."""
        asked = given.get("execution_mode")
        own = type(composition).__mro__[: type(composition).__mro__.index(composition_class())]
        if asked is None or any("run" in vars(kind) for kind in own):
            return MODES[self.mode]
        name = str(getattr(asked, "name", "")).strip("_").lower()
        return MODES.get(name)


_active: list[accelerate] = []
"""The blocks that are open; the last one says how."""
_originals: dict[str, Callable[..., Any]] = {}
"""PsyNeuLink's own methods while others stand in their place."""
_wrapped: list[tuple[CellType, Any]] = []
"""The cells in which PsyNeuLink's decorators hold its methods, and their contents, for methods that a script has wrapped."""
_batches: dict[str, Callable[..., Any]] = {}
"""The same for what hands out batches to learn from."""
_estimations: dict[str, Callable[..., Any]] = {}
"""The same for what fits parameters."""
_compiled: dict[str, Callable[..., Any]] = {}
"""The same for what PsyNeuLink's compiler has made of a Composition."""


@functools.cache
def _signature(method: Callable[..., Any]) -> inspect.Signature:
    """The signature of a method of PsyNeuLink; to find it out takes longer than the rest of a short call."""
    return inspect.signature(method)


def _accelerated(original: Callable[..., Any], method: str) -> Callable[..., Any]:
    """Replaces a method of Compositions."""

    @functools.wraps(original)
    def accelerated(composition: Any, *args: Any, **kwargs: Any) -> Any:
        if not _active:
            return original(composition, *args, **kwargs)
        try:
            return _active[-1].call(original, method, composition, args, kwargs)
        except CogirError as error:
            raise error.with_traceback(None) from None  # the reader needs the line of the script, not those of cogir

    vars(accelerated)["accelerates"] = True  # by which it is known not to be a replacement by the user
    return accelerated


def _learned(original: Callable[..., Any]) -> Callable[..., Any]:
    """Replaces a generator of batches, which PsyNeuLink knows by its name."""

    @functools.wraps(original)
    def learned(runner: Any, *args: Any, **kwargs: Any) -> Generator[Any]:
        given = _signature(original).bind(runner, *args, **kwargs)
        given.apply_defaults()
        mode = getattr(given.arguments["execution_mode"], "name", "")
        if _active and mode == "PyTorch":
            yield from learned_batches(original, given.arguments, _active[-1].tell)
            return
        if _active and mode == "Python":
            _active[-1].tell(composition_of(runner), by_python(composition_of(runner)))
        elif _active and mode != "LLVMRun":
            _active[-1].tell(composition_of(runner), by_psyneulinks_compiler(composition_of(runner), mode))
        yield from original(runner, *args, **kwargs)

    vars(learned)["accelerates"] = True
    return learned


def _compiled_or_native(original: Callable[..., Any]) -> Callable[..., Any]:
    """Replaces `CompExecution.get`: returns native trials, if a Composition is to learn by them."""

    @functools.wraps(original)
    def get(composition: Any, context: Any, additional_tags: frozenset[str] = frozenset()) -> Any:
        if _active and "learning" in additional_tags:
            return compiled_trials(original, composition, context, additional_tags, _active[-1].tell)
        return original(composition, context, additional_tags=additional_tags)

    return get


def _estimating(original: Callable[..., Any]) -> Callable[..., Any]:
    """`run` of a ParameterEstimationComposition, which says that it is PsyNeuLink's."""

    @functools.wraps(original)
    def estimating(composition: Any, *args: Any, **kwargs: Any) -> Any:
        error = not_plain(composition)
        if _active and error is not None:
            _active[-1].tell(composition, error)
        return original(composition, *args, **kwargs)

    vars(estimating)["accelerates"] = True
    return estimating


def learns_in_python(given: dict[str, Any]) -> bool:
    """True if PsyNeuLink's `learn` calls `run` in its Python mode."""
    return is_learning(given.get("context")) and getattr(given.get("execution_mode"), "name", "") == "Python"


def no_such_mode(composition: Any, method: str, given: dict[str, Any]) -> UnsupportedFeature | None:
    """The message about a call that asks for a mode which cogir does not have; None if it has it."""
    mode = getattr(given.get("execution_mode"), "name", "")
    if "PTX" in mode:
        why, remedy = ", and cogir runs whole runs on a GPU", "use ExecutionMode.PTXRun or LLVMRun, or leave execution_mode out"
    elif mode == "PyTorch":
        why, remedy = ", in which only an AutodiffComposition learns", "leave execution_mode out for a native run"
    else:
        return None
    return UnsupportedFeature(f"Composition {composition.name!r}", f"{method}() is called with execution_mode={mode}{why}", remedy)


def _tell(composition: Any, message: str, so: str = "it runs in PsyNeuLink") -> None:
    """One warning for each Composition and reason."""
    said, reason = _told.setdefault(composition, set()), _OF_CALL.sub("", message)
    if reason not in said:
        said.add(reason)
        warnings.warn(f"{message} ({so})", FallbackWarning, stacklevel=stacklevel())
