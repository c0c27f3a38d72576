"""
Values that an execution context lacks: PsyNeuLink gives it those from which contexts start, as each call of `run` or `execute` begins.

A context has them all after its first run. But a Parameter may be None there and get a value afterwards in the context None, from which
contexts start, as one has that a script sets without a context before anything has run; or a script may set it to None.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import copy
from functools import lru_cache
from itertools import compress, repeat
from operator import is_
from types import NoneType
from typing import Any, cast

import numpy as np

from cogir.psyneulink.importer.survey import OF_SIMULATIONS
from cogir.psyneulink.pnl import copy_of, give_context, parameters_by_context, time_class
from cogir.psyneulink.state.lazy_values import ObservedDict, look_up, parameters_of, put

ABSENT = object()
LISTS = ("results", *OF_SIMULATIONS)
"""Parameters whose lists become longer, and whose values by context are kept elsewhere from the first native run on."""


class Lacking:
    """The values by execution context of all Parameters to which PsyNeuLink gives one for each context."""

    def __init__(self, components: Iterable[Any], execution_id: Any):
        """`components`: those of a Composition; `execution_id`: a context that has just been given all values."""
        parameters = (one for each in components if "parameters" in each.__dict__ for one in parameters_of(each))
        found = (one.values for one in parameters if one.name not in LISTS)
        self.values = [values for values in found if look_up(values, execution_id, ABSENT) is not ABSENT]
        self.open = [values for values in self.values if not isinstance(values, ObservedDict)]
        """Those that do not tell when they are used."""
        self.unsure: set[Any] = set()
        """Execution contexts in which a run has gone on, and gives no values, after somebody has used a Parameter."""

    def is_found(self, execution_id: Any) -> bool:
        """True if the context lacks a value that it would be given."""
        is_none = map(is_, map(look_up, self.values, repeat(execution_id)), repeat(None))
        return any(look_up(values, None) is not None for values in compress(self.values, is_none))

    def may_be_found(self, execution_id: Any) -> bool:
        """False if the context is known to lack none, where no Parameter that tells has been used since the last trial."""
        return execution_id in self.unsure or any(lacks(values, execution_id) for values in self.open)

    def forget_others(self, execution_id: Any) -> None:
        """Forgets the Parameters for which the context still lacks a value after values were given."""
        self.values = [values for values in self.values if not lacks(values, execution_id)]
        self.open = [values for values in self.open if not lacks(values, execution_id)]


def lacks(values: dict[Any, Any], execution_id: Any) -> bool:
    """True if a Parameter with these values has None, or nothing, in a context, and something in the context None."""
    return look_up(values, execution_id) is None and look_up(values, None) is not None


UNCHANGEABLE = (NoneType, bool, int, float, str, np.bool_, np.int64, np.float64)
"""Types of which PsyNeuLink's copy of a value is the value."""


class StartingValues:
    """
    The values from which the execution contexts of a Composition start, which is the same as when this was made: `give_values`, without
    the walk through all of its parts.
    """

    def __init__(self, composition: Any):
        self.held: list[tuple[dict[Any, Any], dict[Any, Any]]] = [(one.values, one.history) for one in parameters_by_context(composition)]
        """The values and histories of the Parameters."""

    def give(self, execution_id: Any) -> None:
        """Gives an execution context the values that it lacks. Nothing may be pending for it, nor for the context None."""
        copier = copiers().get
        for values, history in self.held:
            if look_up(values, execution_id) is None and (start := look_up(values, None, ABSENT)) is not ABSENT:
                put(values, execution_id, copier(cast("type[Any]", type(start)), copy_of)(start))
                if (kept := look_up(history, None)) is not None:
                    put(history, execution_id, copy(kept))


@lru_cache(maxsize=1)
def copiers() -> dict[type[Any], Callable[[Any], Any]]:
    """Functions that copy values as PsyNeuLink copies those of Parameters, in a shorter time, by the type of the value."""
    unchanged: dict[type[Any], Callable[[Any], Any]] = dict.fromkeys(UNCHANGEABLE, itself)
    return {**unchanged, np.ndarray: copy_of_array, time_class(): copy_of_time}


def itself(value: Any) -> Any:
    """The value."""
    return value


def copy_of_array(array: Any) -> Any:
    """A copy of an array, of whatever."""
    return copy_of(array) if array.dtype.hasobject else array.copy(order="K")


def copy_of_time(time: Any) -> Any:
    """A copy of a `Time`, which shares its quantities: they are replaced when they change."""
    made = time_class().__new__(time_class())
    made.__dict__.update(time.__dict__)
    return made


def give_values(composition: Any, execution_id: Any) -> None:
    """Gives an execution context the values that it lacks."""
    give_context(composition, execution_id)
