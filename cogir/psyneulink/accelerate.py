"""
Running the Compositions of a script natively, without a change to the script.
"""

from __future__ import annotations

import functools
import inspect
import threading
from collections.abc import Callable, Generator, Mapping
from contextlib import AbstractContextManager, nullcontext
from types import CellType, TracebackType
from typing import Any, Self, cast
from weakref import WeakSet

from cogir.callers import entries_of_others, may_be_error
from cogir.errors import CogirError
from cogir.garbage import count_as_old, without_garbage_collection
from cogir.psyneulink.execution.measured_runs import GoesOver, MeasuredRun, before_trial, unmeasured
from cogir.psyneulink.execution.refused_arguments import refused_argument
from cogir.psyneulink.execution.short_runs import is_within, place_of, staying, staying_batches, staying_to_learn, staying_within, trial_of
from cogir.psyneulink.fallback import FallbackWarning, warn_once
from cogir.psyneulink.history import NotedCall, Way, note_way, noted_compiling
from cogir.psyneulink.importer.unmodified import not_plain, wrapped_cell
from cogir.psyneulink.learning.batches import batches_asked
from cogir.psyneulink.learning.seen_at_once import count_of_batches, inputs_by_function, is_short, no_native_learning
from cogir.psyneulink.modes import MODES, learns_in, learns_in_python, mode_asked
from cogir.psyneulink.pnl import (
    EVALUATION,
    METHODS_OF_BATCHES,
    compiled_class,
    composition_class,
    composition_of,
    distributed_functions,
    estimates_by_compiler,
    estimation_class,
    estimation_module,
    is_learning,
    is_simulation,
    optimization_class,
    runner_class,
    sample_iterator_class,
    simulates,
)
from cogir.psyneulink.reader import UnsupportedFeature
from cogir.psyneulink.tasks import SentFunction

METHODS = ("run", "execute", "evaluate")


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
    each Composition before its first run. `short_runs`: "psyneulink" leaves a Composition that has not been compiled to PsyNeuLink as long
    as its calls take less time there than compiling, "native" compiles it in its first call; unless it is given, the environment variable
    `COGIR_SHORT_RUNS` says so, else it is "psyneulink". With `strict`, or a `mode` other than Auto, each call is native.
    """

    def __init__(
        self,
        mode: str = "Auto",
        *,
        strict: bool = False,
        progress: bool = True,
        before_first: Callable[[Any], None] | None = None,
        short_runs: str | None = None,
    ):
        if mode.lower() not in MODES:
            raise CogirError(f"accelerate: mode is {mode!r}; give one of Auto, LLVMRun, LLVMExec, LLVMPerNode, PTXRun, Python")
        self.mode, self.strict, self.progress = mode.lower(), strict, progress
        self.before_first = before_first
        self.leaves_short_runs = place_of(short_runs) == "psyneulink" and not strict and self.mode == "auto"
        self._seen: WeakSet[Any] = WeakSet()
        if MODES[self.mode] is not None:
            self.start()

    @property
    def settings(self) -> dict[str, Any]:
        """The arguments by which another process accelerates its Compositions in the same way."""
        places = "psyneulink" if self.leaves_short_runs else "native"
        return {"mode": self.mode, "strict": self.strict, "progress": False, "short_runs": places}

    def start(self) -> None:
        """Puts the native methods in place."""
        with _methods_lock:
            self._start()

    def _start(self) -> None:
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
            _evaluations[EVALUATION] = getattr(optimization_class(), EVALUATION)
            setattr(optimization_class(), EVALUATION, _evaluating(_evaluations[EVALUATION]))
            _likelihoods["simulation_likelihood"] = estimation_module().simulation_likelihood
            estimation_module().simulation_likelihood = _likely(_likelihoods["simulation_likelihood"])
            _samples["__iter__"] = sample_iterator_class().__iter__
            sample_iterator_class().__iter__ = _iterating(_samples["__iter__"])
            _compiled["get"] = compiled_class().get
            compiled_class().get = staticmethod(_compiled_or_native(_compiled["get"]))
            for module, name in distributed_functions():
                _distributed.append((module, name, getattr(module, name)))
                setattr(module, name, task_of(module.__name__, name))
        _active.append(self)

    def stop(self) -> None:
        """Ends this acceleration; when the last one ends, PsyNeuLink's own methods are restored."""
        with _methods_lock:
            self._stop()

    def _stop(self) -> None:
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
            while _evaluations:
                setattr(optimization_class(), *_evaluations.popitem())
            while _likelihoods:
                setattr(estimation_module(), *_likelihoods.popitem())
            while _samples:
                setattr(sample_iterator_class(), *_samples.popitem())
            while _compiled:
                compiled_class().get = staticmethod(_compiled.popitem()[1])
            while _distributed:
                setattr(*_distributed.pop())

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
            bound = _bound(signature, composition, *args, **kwargs)
            if bound is None:
                return original(composition, *args, **kwargs)  # which says so itself
            given = bound.arguments
        with (
            NotedCall(composition, "learn" if is_learning(given.get("context")) else method) as noted,
            unmeasured() if method == "run" else nullcontext(),
        ):
            if is_part(method, composition, given):
                if method != "execute":
                    return original(composition, *args, **kwargs)
                before_trial(given)
                with trial_of(given):
                    return original(composition, *args, **kwargs)
            if self.leaves_short_runs and method != "evaluate" and (stay := place_in_psyneulink(composition, method, given)) is not None:
                return self.begun_in_psyneulink(noted, stay, functools.partial(original, composition, *args, **kwargs), signature)
            if (refused := self.refused_at_once(method, signature, given)) is not None:
                warn_once(composition, str(refused))
                self.begin(composition)
                with staying_within(True):
                    return original(composition, *args, **kwargs)
            return _native_calls().called(self, original, method, signature, given, args, kwargs)

    def begun_in_psyneulink(
        self,
        noted: NotedCall,
        stay: AbstractContextManager[MeasuredRun | None],
        call: Callable[[], Any],
        signature: inspect.Signature,
    ) -> Any:
        """A call that runs in PsyNeuLink, as it is short; if it is measured and turns out to be long, its rest is native."""
        noted.way = Way.SHORT
        self.begin(noted.composition)
        try:
            with stay as measured:
                if measured is not None:
                    measured.prepare = lambda: _native_calls().prepared_after(self, measured, signature)
                return call()
        except GoesOver as over:
            go_on = over.go_on
        noted.way = Way.NATIVE
        return go_on()

    def refused_at_once(self, method: str, signature: inspect.Signature, given: dict[str, Any]) -> UnsupportedFeature | None:
        """
        The reason why a call is PsyNeuLink's, if its arguments tell, nothing in the Composition could be native in it, and what runs
        Compositions natively has not been imported.
        """
        if self.strict or method == "evaluate" or _native_calls.cache_info().currsize or has_parts(given["self"]):
            return None
        if is_simulation(given.get("context")) or is_learning(given.get("context")) or mode_asked(given["self"], given, self.mode) is None:
            return None
        return refused_argument(given["self"], method, given, signature)

    def begin(self, composition: Any) -> None:
        """Calls `before_first`, if this is the first run of a Composition."""
        if self.before_first is not None and composition not in self._seen:
            self._seen.add(composition)
            self.before_first(composition)

    def tell(self, composition: Any, error: CogirError) -> None:
        """Warns that a Composition learns in PsyNeuLink, and why; raises it if `strict`."""
        if self.strict:
            raise error.with_traceback(None) from None
        warn_once(composition, str(error))


_methods_lock = threading.RLock()
"""Held while methods are replaced or restored, as tasks of a cluster may run in several threads of a process."""


def is_part(method: str, composition: Any, given: dict[str, Any]) -> bool:
    """True for a call that PsyNeuLink itself makes, as a part of one that it executes."""
    if method == "run" and learns_in(given, "PyTorch") and is_simulation(given["context"]):  # for the sake of its batches
        return True
    if estimates_by_compiler(composition):  # PsyNeuLink's own search, in which the simulations are native
        return True
    return is_within() and is_simulation(given.get("context"))


def has_parts(composition: Any) -> bool:
    """True if a Composition has others in it, or simulates one, which may be native where it is not."""
    return hasattr(composition.controller, "agent_rep") or any(hasattr(node, "input_CIM") for node in composition.nodes)


def place_in_psyneulink(composition: Any, method: str, given: dict[str, Any]) -> AbstractContextManager[MeasuredRun | None] | None:
    """The block in which a call runs in PsyNeuLink, as it is short; None if it is to be native."""
    if learns_in_python(given) and method == "run":  # a trial within it has the same mode, and no batches
        return staying_to_learn(composition, batches_asked(given["inputs"]).count)
    return staying(composition, given, is_measured=method == "run" and not may_be_error(FallbackWarning))


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
_evaluations: dict[str, Callable[..., Any]] = {}
"""The same for what evaluates samples by PsyNeuLink's compiler."""
_likelihoods: dict[str, Callable[..., Any]] = {}
"""The same for the likelihood of data under simulations."""
_samples: dict[str, Callable[..., Any]] = {}
"""The same for what iterates over the samples of a search."""
_compiled: dict[str, Callable[..., Any]] = {}
"""The same for what PsyNeuLink's compiler has made of a Composition."""
_distributed: list[tuple[Any, str, Callable[..., Any]]] = []
"""The modules, names and own functions of PsyNeuLink that a cluster executes."""


def task_of(module: str, name: str, settings: Mapping[str, Any] | None = None) -> SentFunction:
    """A function that a cluster executes while Compositions are accelerated as in the process that has sent it; `settings`: those there."""

    def now() -> Mapping[str, Any]:
        if settings is not None:
            return settings
        return _active[-1].settings if _active else {"mode": "Python"}

    return SentFunction(module, name, _accelerated_for_task, now)


class _ForSentFunction(accelerate):
    """An acceleration that lasts as long as a task does; several threads of a worker may have some at a time."""


def _accelerated_for_task(settings: Mapping[str, Any]) -> AbstractContextManager[Any]:
    """The block in which Compositions are accelerated, where the process itself does not do so."""
    with _methods_lock:
        return _ForSentFunction(**settings) if all(isinstance(one, _ForSentFunction) for one in _active) else nullcontext()


@functools.cache
def _signature(method: Callable[..., Any]) -> inspect.Signature:
    """The signature of a method of PsyNeuLink; to find it out takes longer than the rest of a short call."""
    return inspect.signature(method)


@functools.cache
def _native_calls() -> Any:
    """The module that reads and runs Compositions, imported in the first call that is not left to PsyNeuLink anyway."""
    with without_garbage_collection(), noted_compiling():
        from cogir.psyneulink import native_calls
    count_as_old()
    return native_calls


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
        except BaseException as error:
            error.__traceback__ = entries_of_others(error.__traceback__)
            raise  # which adds no entry for this frame

    vars(accelerated)["accelerates"] = True  # by which it is known not to be a replacement by the user
    return accelerated


def _learned(original: Callable[..., Any]) -> Callable[..., Any]:
    """Replaces a generator of batches, which PsyNeuLink knows by its name."""

    @functools.wraps(original)
    def learned(*args: Any, **kwargs: Any) -> Generator[Any]:
        error = _no_native_learning(args[0], kwargs) if _active else None
        if error is not None:
            _active[-1].tell(composition_of(args[0]), error)
        stay = _short_batches(args[0], kwargs) if _active and error is None else None
        if stay is not None:
            note_way(composition_of(args[0]), Way.SHORT)
            with stay:
                yield from original(*args, **kwargs)
        elif _active and error is None and not _runs_batches(kwargs):
            yield from _native_calls().learned(_active[-1], original, _signature(original), args, kwargs)
        else:
            yield from original(*args, **kwargs)

    vars(learned)["accelerates"] = True
    return learned


def _runs_batches(given: Mapping[str, Any]) -> bool:
    """True if a generator hands its batches to `run`, which is native if it can be."""
    return getattr(given.get("execution_mode"), "name", "") in ("Python", "LLVMRun")


def _short_batches(runner: Any, given: Mapping[str, Any]) -> AbstractContextManager[None] | None:
    """The block in which PyTorch learns from all batches of a call, as it takes less time for them than compiling; None if it does not."""
    if not _active[-1].leaves_short_runs or getattr(given.get("execution_mode"), "name", "") != "PyTorch":
        return None
    count = count_of_batches(given)
    return None if count is None else staying_batches(composition_of(runner), count)


def _no_native_learning(runner: Any, given: Mapping[str, Any]) -> UnsupportedFeature | None:
    """The reason why PyTorch learns from all batches, if it is seen at once."""
    if getattr(given.get("execution_mode"), "name", "") != "PyTorch" or is_short(given):
        return None
    composition = composition_of(runner)
    copy = composition.parameters.pytorch_representation.get(given.get("context"))
    return inputs_by_function(composition, given) or no_native_learning(composition, copy)


def _compiled_or_native(original: Callable[..., Any]) -> Callable[..., Any]:
    """Replaces `CompExecution.get`: returns native trials, if a Composition is to learn by them."""

    @functools.wraps(original)
    def get(composition: Any, context: Any, additional_tags: frozenset[str] = frozenset()) -> Any:
        if _active and "learning" in additional_tags:
            return _native_calls().compiled_for_learning(_active[-1], original, composition, context, additional_tags)
        return original(composition, context, additional_tags=additional_tags)

    return get


def _estimating(original: Callable[..., Any]) -> Callable[..., Any]:
    """`run` of a ParameterEstimationComposition, which is PsyNeuLink's; it says so if its simulations are, too."""

    @functools.wraps(original)
    def estimating(composition: Any, *args: Any, **kwargs: Any) -> Any:
        error = None if estimates_by_compiler(composition) or not simulates(composition) else not_plain(composition)
        if _active and error is not None:
            _active[-1].tell(composition, error)
        return original(composition, *args, **kwargs)

    vars(estimating)["accelerates"] = True
    return estimating


def _evaluating(original: Callable[..., Any]) -> Callable[..., Any]:
    """Replaces the method by which PsyNeuLink's compiler makes the simulations of an estimation."""

    @functools.wraps(original)
    def evaluating(function: Any, ocm: Any, context: Any, get_results: bool) -> Any:
        if not _active or MODES[_active[-1].mode] is None:
            return original(function, ocm, context, get_results)
        return _native_calls().evaluated_grid(_active[-1], original, function, ocm, context, get_results)

    vars(evaluating)["accelerates"] = True
    return evaluating


def _iterating(original: Callable[..., Any]) -> Callable[..., Any]:
    """
    Replaces `SampleIterator.__iter__`: a list is iterated over itself. PsyNeuLink takes 5 us for each sample, and goes through the seeds of
    all estimates twice in each evaluation.
    """

    @functools.wraps(original)
    def iterating(samples: Any) -> Any:
        found = original(samples)
        listed: Any = getattr(samples, "generator", None)
        if type(listed) is not list or samples.stop is not None:
            return found
        return _through(samples, cast("list[Any]", listed))

    return iterating


def _through(samples: Any, listed: list[Any]) -> Generator[Any]:
    """The samples; how many were taken is noted when no more are."""
    samples.current_step = step = 0
    try:
        for step, value in enumerate(listed, 1):
            yield value
    finally:
        samples.current_step = step


def _bound(signature: inspect.Signature, *args: Any, **kwargs: Any) -> inspect.BoundArguments | None:
    """The arguments of a call by name; None if the method does not take them, whose own error is to have no other one as its context."""
    try:
        return signature.bind(*args, **kwargs)
    except TypeError:
        return None


def _likely(original: Callable[..., Any]) -> Callable[..., Any]:
    """Replaces `simulation_likelihood`, unless a script has done so before."""

    @functools.wraps(original)
    def likely(*args: Any, **kwargs: Any) -> Any:
        if not _active or MODES[_active[-1].mode] is None or not original.__module__.startswith("psyneulink."):
            return original(*args, **kwargs)
        given = _bound(_signature(original), *args, **kwargs)
        if given is None:
            return original(*args, **kwargs)
        given.apply_defaults()
        return _native_calls().likelihood_of(original, given.arguments)

    vars(likely)["accelerates"] = True
    return likely
