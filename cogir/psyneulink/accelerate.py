"""
Running the Compositions of a script natively, without a change to the script.
"""

from __future__ import annotations

import functools
import inspect
import warnings
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

from cogir.errors import CogirError
from cogir.psyneulink.library import composition_class
from cogir.psyneulink.session import run as run_natively

PLAIN = {
    "initialize_cycle_values",
    "reset_stateful_functions_to",
    "runtime_params",
    "call_before_time_step",
    "call_after_time_step",
    "call_before_pass",
    "call_after_pass",
    "call_before_trial",
    "call_after_trial",
    "termination_processing",
    "animate",
    "log",
    "scheduler",
    "scheduling_mode",
    "default_absolute_time_unit",
}
"""Arguments of `Composition.run` that must be left out, or empty, for a native run."""

MODES = {"auto": "run", "llvmrun": "run", "llvmexec": "exec", "llvmpernode": "per_node", "python": None}
"""PsyNeuLink's execution modes, and cogir's; None runs in PsyNeuLink itself."""


class FallbackWarning(UserWarning):
    """A Composition runs in PsyNeuLink, because something in it, or in the call, cannot be compiled."""


_told: set[tuple[int, str]] = set()


@contextmanager
def accelerate(mode: str = "Auto", *, strict: bool = False) -> Generator[None]:
    """
    Within the block, every `Composition.run` and `Composition.execute` runs natively.

    `mode`: PsyNeuLink's "Auto", "LLVMRun", "LLVMExec", "LLVMPerNode" or "Python". What cannot be compiled runs in PsyNeuLink, after
    one `FallbackWarning` that names the component, the feature and the remedy; `strict` makes that an error.
    """
    if mode.lower() not in MODES:
        raise CogirError(f"accelerate: mode is {mode!r}; give one of Auto, LLVMRun, LLVMExec, LLVMPerNode, Python")
    composition = composition_class()
    before: Callable[..., Any] = composition.run
    native = MODES[mode.lower()]
    if native is not None:
        composition.run = _accelerated(before, native, strict)
    try:
        yield
    finally:
        composition.run = before


def _accelerated(original: Callable[..., Any], mode: str, strict: bool) -> Callable[..., Any]:
    signature = inspect.signature(original)
    plain = {name: parameter.default for name, parameter in signature.parameters.items() if name in PLAIN}

    @functools.wraps(original)
    def run(self: Any, *args: Any, **kwargs: Any) -> Any:
        call = signature.bind(self, *args, **kwargs).arguments
        if _is_inner(self, call):
            return original(self, *args, **kwargs)
        try:
            _check_call(self, call, plain)
            return run_natively(self, call.get("inputs"), call.get("num_trials"), context=call.get("context"), mode=mode)
        except CogirError as error:
            if strict:
                raise
            _tell(self, str(error))
            return original(self, *args, **kwargs)

    vars(run)["accelerates"] = True  # by which it is known not to be a replacement by the user
    return run


def _is_inner(composition: Any, call: dict[str, Any]) -> bool:
    """Whether PsyNeuLink itself is calling, for a simulation or for a nested Composition."""
    context = call.get("context")
    return context is not None and not isinstance(context, str) and getattr(context, "composition", None) is not None


def _check_call(composition: Any, call: dict[str, Any], plain: dict[str, Any]) -> None:
    """Refuses arguments that a native run does not honour."""
    from cogir.frontend.psyneulink.values import UnsupportedFeature

    for name, default in plain.items():
        value = call.get(name, default)
        if value is not default and value not in (None, False) and value != {}:
            raise UnsupportedFeature(
                f"Composition {composition.name!r}", f"run() is called with {name}", f"leave {name} out for a native run"
            )
    when = call.get("reset_stateful_functions_when")
    if when is not None and type(when).__name__ != "Never":
        raise UnsupportedFeature(
            f"Composition {composition.name!r}",
            "run() is called with reset_stateful_functions_when",
            "give reset_stateful_function_when to the Mechanisms",
        )
    extra = call.get("kwargs")
    if extra:
        raise UnsupportedFeature(
            f"Composition {composition.name!r}", f"run() is called with {', '.join(extra)}", "leave them out for a native run"
        )


def _tell(composition: Any, message: str) -> None:
    """One warning for each Composition and reason."""
    if (id(composition), message) not in _told:
        _told.add((id(composition), message))
        warnings.warn(f"{message} (it runs in PsyNeuLink)", FallbackWarning, stacklevel=3)
