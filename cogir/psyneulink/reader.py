"""
Reading a Composition: values of Parameters in an execution context, and what is said when something cannot be read.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeGuard, cast

import numpy as np

from cogir.errors import CogirError, ModelError


class UnsupportedFeature(ModelError):
    """
    Something in a Composition that cogir does not compile.

    `component` is its name in PsyNeuLink, `feature` what it does, `remedy` what to do instead.
    """

    def __init__(self, component: str, feature: str, remedy: str):
        self.component, self.feature, self.remedy = component, feature, remedy
        super().__init__(f"{component}: {feature}; {remedy}")

    def __reduce__(self) -> tuple[type[UnsupportedFeature], tuple[str, str, str]]:
        """It comes from processes of a cluster."""
        return type(self), (self.component, self.feature, self.remedy)


def check_is_composition(given: Any, caller: str) -> None:
    """Refuses what is no Composition, such as a Mechanism, in the name of the function to which it was given."""
    if not hasattr(given, "input_CIM"):
        name, kind = getattr(given, "name", given), type(given).__name__
        raise ModelError(f"{caller}: {name!r:.60} is a {kind}, not a Composition; put Mechanisms into one: Composition(nodes=[...])")


Refuse: TypeAlias = Callable[[str, str], UnsupportedFeature]
"""Makes the refusal of a component from the feature and the remedy."""


@contextmanager
def understood(refuse: Refuse) -> Generator[None]:
    """Within the block, an error that is none of cogir's becomes a refusal: what is not expected here must not fail the script."""
    try:
        yield
    except CogirError:
        raise
    except Exception as error:
        raise refuse(f"reading it failed ({type(error).__name__}: {error})", "run it in PsyNeuLink") from error


Reads: TypeAlias = list[tuple[Any, Any, bool]]
"""
Parameters that were read, each with the execution id whose value it was, and whether something was computed of the value when the
model was made, so that another value makes another model.
"""

_reads: ContextVar[Reads | None] = ContextVar("reads", default=None)


_computing: ContextVar[bool] = ContextVar("computing", default=False)


@contextmanager
def computing() -> Generator[None]:
    """Within the block, what is read is used up at once, and does not only begin a value of the model."""
    token = _computing.set(True)
    try:
        yield
    finally:
        _computing.reset(token)


@contextmanager
def recorded_reads() -> Generator[Reads]:
    """Within the block, every Parameter that is read is noted: a model that was made from them depends on no others."""
    found: Reads = []
    token = _reads.set(found)
    try:
        yield found
    finally:
        _reads.reset(token)


def note_read(parameter: Any, execution_id: Any, computed: bool | None = None) -> None:
    """Says that a Parameter's value in an execution context has been read; `computed`: unless the block around it says so."""
    found = _reads.get()
    if found is not None:
        found.append((parameter, execution_id, _computing.get() if computed is None else computed))


@dataclass(frozen=True)
class Reader:
    """Values of PsyNeuLink's Parameters as they stand in the execution context `execution_id`."""

    execution_id: Any

    def get(self, component: Any, name: str) -> Any:
        """The value of a Parameter: of the context if it has run, else the one that a new context starts from."""
        parameter = getattr(component.parameters, name).final_source
        context = self.execution_id if self.execution_id in parameter.values else None
        note_read(parameter, context)
        value: Any = parameter.get(context)
        if is_complex(value):
            raise UnsupportedFeature(f"{type(component).__name__} {component.name!r}", f"its {name} is complex", "give real numbers")
        return value

    def context_of(self, component: Any) -> Any:
        """The execution id whose values a component has."""
        return self.execution_id if self.execution_id in component.parameters.value.final_source.values else None

    def differs_from_default(self, component: Any, name: str) -> bool:
        """True if a Parameter has another value in the context than where contexts start from."""
        values = getattr(component.parameters, name).final_source.values
        if self.execution_id not in values:
            return False
        return not np.array_equal(np.asarray(values[self.execution_id]), np.asarray(values.get(None)))

    def is_reset(self, mechanism: Any) -> bool:
        """True if a Mechanism is ever reset: it says when, and has something to reset."""
        never = type(getattr(mechanism, "reset_stateful_function_when", None)).__name__ in ("Never", "NoneType")
        return not never and bool(self.get(mechanism, "has_initializers"))

    def is_identity(self, function: Any) -> bool:
        """True if a Function of a port returns what it is given."""
        kind = type(function).__name__
        if kind == "TransferWithCosts":
            enabled = self.get(function, "enabled_cost_functions")
            return not (enabled and enabled.value) and self.is_identity(function.transfer_fct)
        return kind == "Identity" or (
            kind == "Linear"
            and all(
                is_number(self.get(function, name), at)
                for name, at in (("slope", 1.0), ("intercept", 0.0), ("scale", 1.0), ("offset", 0.0))
            )
        )

    def number(self, component: Any, name: str) -> Any:
        """A numeric value as a float, or an array without leading axes of length one."""
        return plain(self.get(component, name))


def is_numeric(value: Any) -> TypeGuard[np.ndarray[Any, Any]]:
    """True if a value is an array of real numbers, none of which is an array of its own."""
    return isinstance(value, np.ndarray) and cast("np.ndarray[Any, np.dtype[Any]]", value).dtype.kind in "biuf"


def is_complex(value: Any) -> bool:
    """True if a value is a complex number, or an array of such."""
    return isinstance(value, complex) or getattr(getattr(value, "dtype", None), "kind", "") == "c"


def real(value: Any) -> np.ndarray[Any, np.dtype[np.float64]]:
    """An array of real numbers. Raises TypeError for complex numbers and for numbers as text, of which NumPy makes some without a word."""
    array = np.asarray(value)
    if array.dtype.kind not in "biufO":
        raise TypeError(f"{value!r:.60} is not an array of real numbers")
    return np.asarray(array, float)


def holds_numbers(value: Any) -> bool:
    """True if a value is a number or an array of numbers, in whatever form."""
    try:
        real(value)
    except (TypeError, ValueError):
        return False
    return True


def plain(value: Any) -> Any:
    """A number, or an array with at least one axis longer than one: PsyNeuLink wraps numbers and vectors into longer shapes."""
    array = real(value)
    while array.ndim and array.shape[0] == 1:
        array = array[0]
    return array.item() if array.ndim == 0 else array


def is_number(value: Any, number: float) -> bool:
    """True if a value is this one number, in whatever form; an array of several elements is none, even if all are equal."""
    array = real(value)
    return array.size == 1 and bool(array.item() == number)


def vector(value: Any) -> np.ndarray[Any, Any]:
    """The value of a port: one axis, or more for a port of matrices."""
    array = np.atleast_1d(real(value))
    while array.ndim > 1 and array.shape[0] == 1:
        array = array[0]
    return array


def generator_of(component: Any, execution_id: Any) -> Any:
    """
    The generator of a component in an execution context as it stands. Where a modulation acts on its seed, its Parameter is not asked
    if it has one: that would seed it anew. Elsewhere it is, since PsyNeuLink seeds anew what somebody has put there, too.
    """
    parameter = component.parameters.random_state
    held = parameter.values.get(execution_id)
    port = getattr(getattr(component.parameters, "seed", None), "port", None)
    return held if held is not None and getattr(port, "mod_afferents", ()) else parameter.get(execution_id)


def used_seed(generator: Any) -> int:
    """The seed with which one of PsyNeuLink's generators was last started."""
    return int(generator.used_seed[0])
