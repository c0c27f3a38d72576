"""
Calls of `run`, `execute`, `evaluate` and `learn` while cogir accelerates them: native, or in PsyNeuLink after a warning.

This module brings all with it that reads and runs Compositions. It is imported in the first call that is not left to PsyNeuLink anyway.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Generator
from contextlib import nullcontext
from typing import Any, Protocol

import numpy as np

from cogir.errors import CogirError, DeviceError
from cogir.psyneulink.execution import evaluate as evaluated
from cogir.psyneulink.execution import nested
from cogir.psyneulink.execution.call_arguments import NativeCall
from cogir.psyneulink.execution.estimates import native_evaluation
from cogir.psyneulink.execution.measured_runs import MeasuredRun
from cogir.psyneulink.execution.session import execution_id_of, left_to_psyneulink
from cogir.psyneulink.execution.short_runs import staying_nested, staying_within
from cogir.psyneulink.fallback import warn_once
from cogir.psyneulink.history import Way, note_way
from cogir.psyneulink.learning.batches import batches_asked
from cogir.psyneulink.learning.llvm_mode import compiled_trials
from cogir.psyneulink.learning.python_mode import native_learning
from cogir.psyneulink.learning.pytorch_mode import by_psyneulinks_compiler, learned_batches
from cogir.psyneulink.modes import MODES, learns_in_python, mode_asked, no_such_mode
from cogir.psyneulink.pnl import composition_of, is_estimation, is_simulation

Original = Callable[..., Any]
"""A method of PsyNeuLink in whose place another one stands."""


class Settings(Protocol):
    """The settings of an acceleration."""

    mode: str
    strict: bool
    progress: bool
    leaves_short_runs: bool

    def begin(self, composition: Any) -> None:
        """Says that a Composition is going to run."""

    def tell(self, composition: Any, error: CogirError) -> None:
        """Warns that something runs in PsyNeuLink, and why, or raises that."""


def called(
    settings: Settings,
    original: Original,
    method: str,
    signature: inspect.Signature,
    given: dict[str, Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> Any:
    """One call of a method, native if it can be; `given`: its arguments by name."""
    composition = given["self"]
    mode = evaluated.mode_of(composition, method, given)
    if mode is None:
        if is_simulation(given.get("context")):
            return called_by_psyneulink(settings, original, method, given, args, kwargs)
        if learns_in_python(given) and MODES[settings.mode] is not None:
            return learned_in_python(settings, original, signature, given, args, kwargs)
        mode = None if learns_in_python(given) else mode_asked(composition, given, settings.mode)
    if mode is None:
        unknown = no_such_mode(composition, method, given)
        if unknown is None:
            wanted = given.get("execution_mode")
            asked = "Python" if wanted is None else getattr(wanted, "name", repr(wanted))
            note_way(composition, Way.ASKED, f"{method}() is called with execution_mode={asked}; leave it out for a native run")
        else:
            settings.tell(composition, unknown)
        with left_to_psyneulink(composition, execution_id_of(composition, given.get("context"))):
            return original(composition, *args, **kwargs)
    if method == "evaluate":
        with evaluated.trials_in(mode, composition):
            return original(composition, *args, **kwargs)
    settings.begin(composition)
    call: NativeCall | None = None
    try:
        call = NativeCall(composition, method, given, signature, mode, settings.progress, carrying_on(settings, composition))
        return call.run()
    except CogirError as error:
        if settings.strict or (call is not None and call.begun):  # what has been done must not be done again
            raise
        warn_once(composition, str(error))
        if isinstance(error, DeviceError):  # PsyNeuLink needs the GPU, too
            kwargs.pop("execution_mode", None)
    key = execution_id_of(composition, given.get("context"))
    with left_to_psyneulink(composition, key):
        if call is None:  # the call itself asks for what no native trial does, not even one of a part
            with nested.parts_compiled(None):
                return original(composition, *args, **kwargs)
        with nested.parts_compiled(key), call.left_out():
            return original(composition, *args, **kwargs)  # its errors are not those of a native run


def prepared_after(settings: Settings, run: MeasuredRun, signature: inspect.Signature) -> Callable[[], Any] | None:
    """
    Compiles the trials that are left of a call of `run` in PsyNeuLink; returns what runs them. If they cannot be native, says why, lets
    nested Compositions be native that can be, and returns None.
    """
    composition, given = run.composition, run.given
    mode = mode_asked(composition, given, settings.mode)
    if mode is None:  # Python, as the call asks
        return None
    try:
        call = NativeCall(composition, "run", given, signature, mode, settings.progress, carrying_on(settings, composition))
        call.prepare_after(run.done)
    except CogirError as error:
        warn_once(composition, str(error))
        run.around.enter_context(nested.parts_compiled(execution_id_of(composition, given.get("context"))))
        run.around.enter_context(staying_within(False))
        return None
    return call.go_on


def learned_in_python(
    settings: Settings,
    original: Original,
    signature: inspect.Signature,
    given: dict[str, Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> Any:
    """The run of a call of `learn` in PsyNeuLink's Python mode, native if it can be."""
    composition = given["self"]
    settings.begin(composition)
    call: NativeCall | None = None
    generator = np.random.get_state()
    try:
        call = native_learning(batches_asked(given["inputs"]), given, signature, "run", settings.progress)
        return call.run()
    except CogirError as error:
        if call is not None and call.begun:
            raise
        settings.tell(composition, error)
    np.random.set_state(generator)  # PsyNeuLink shuffles the trials itself, from where the generator was
    key = execution_id_of(composition, given.get("context"))
    with nullcontext() if call is None else call.left_out(), left_to_psyneulink(composition, key):
        return original(composition, *args, **kwargs)


def called_by_psyneulink(
    settings: Settings, original: Original, method: str, given: dict[str, Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """A call by PsyNeuLink itself as it runs: native where it is a nested Composition that can be."""
    composition, mode = given["self"], MODES[settings.mode]
    if mode is not None and method == "execute" and nested.can_be_native(composition, given):
        if settings.leaves_short_runs and (stay := staying_nested(composition)) is not None:
            with stay:
                return original(composition, *args, **kwargs)
        try:
            return nested.execute(composition, given["context"], mode)
        except CogirError:
            pass  # why the whole does not compile has been said
    return original(composition, *args, **kwargs)


def carrying_on(settings: Settings, composition: Any) -> Callable[[CogirError], None] | None:
    """The function that warns that the rest of a run is PsyNeuLink's, and why; None if that is an error."""
    if settings.strict:
        return None
    return lambda error: warn_once(composition, str(error), "the rest of the run is executed in PsyNeuLink")


def learned(settings: Settings, original: Original, signature: inspect.Signature, args: tuple[Any, ...], kwargs: Any) -> Generator[Any]:
    """What a generator of batches yields, native if it can be."""
    given = signature.bind(*args, **kwargs)
    given.apply_defaults()
    runner, mode = args[0], getattr(given.arguments["execution_mode"], "name", "")
    if mode == "PyTorch":
        yield from learned_batches(original, given.arguments, settings.tell)
        return
    if mode not in ("Python", "LLVMRun"):
        composition = composition_of(runner)
        settings.tell(composition, by_psyneulinks_compiler(composition, mode))
    yield from original(*args, **kwargs)


def evaluated_grid(
    settings: Settings, original: Original, function: Any, controller: Any, context: Any, get_results: bool
) -> tuple[Any, int]:
    """The evaluation of a controller's samples by PsyNeuLink's compiler, native if it can be."""
    if not is_estimation(controller.agent_rep):
        return original(function, controller, context, get_results)
    try:
        return native_evaluation(function, controller, context, get_results)
    except CogirError as error:
        settings.tell(controller.agent_rep, error)
    return original(function, controller, context, get_results)


def compiled_for_learning(settings: Settings, original: Original, composition: Any, context: Any, tags: frozenset[str]) -> Any:
    """The compiled form of a Composition that is to learn: native trials, if there can be."""
    return compiled_trials(original, composition, context, tags, settings.tell)


def likelihood_of(original: Original, arguments: dict[str, Any]) -> Any:
    """The likelihood of data under simulations; what computes it brings the compiler with it, which calls from the cache do without."""
    from cogir.psyneulink.execution import density

    return density.likelihood_of(original, arguments)
