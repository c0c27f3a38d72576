"""
Values that an execution context lacks: PsyNeuLink gives it those from which contexts start, as each call of `run` or `execute` begins.

A context has them all after its first run. But a Parameter may be None there and get a value afterwards in the context None, from which
contexts start, as one has that a script sets without a context before anything has run; or a script may set it to None.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import compress, repeat
from operator import is_
from typing import Any

from cogir.psyneulink.importer.survey import OF_SIMULATIONS
from cogir.psyneulink.pnl import give_context
from cogir.psyneulink.state.lazy_values import ObservedDict, look_up, parameters_of

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


def give_values(composition: Any, execution_id: Any) -> None:
    """Gives an execution context the values that it lacks."""
    give_context(composition, execution_id)
