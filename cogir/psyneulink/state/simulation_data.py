"""
Which Parameters keep their values in all simulations (`retain_old_simulation_data`), and whether that has been changed.

It is an attribute of the Parameter itself, which nothing but its being set tells of.
"""

from __future__ import annotations

from typing import Any

from cogir.psyneulink.importer.simulations import kept_of_simulations
from cogir.psyneulink.importer.survey import Survey
from cogir.psyneulink.pnl import parameter_class

ATTRIBUTE = "retain_old_simulation_data"
_changes = [0]
"""How often it has been set in this process."""


def notice() -> None:
    """From now on it is known when it is set: to look for it in all Parameters takes longer than many a run."""
    parameter = parameter_class()
    original = parameter.__setattr__
    if getattr(original, "noticed", False):
        return

    def noticed(self: Any, attribute: str, value: Any) -> None:
        if attribute == ATTRIBUTE:
            _changes[0] += 1
        original(self, attribute, value)

    vars(noticed)["noticed"] = True
    parameter.__setattr__ = noticed


class Retained:
    """The Parameters of a Composition that keep their values in simulations, where there is a controller that simulates."""

    def __init__(self, survey: Survey):
        notice()
        self.survey = survey
        self.seen = _changes[0]
        self.kept = self.found()

    def found(self) -> list[tuple[int, str]]:
        """By the identity of their components and their names."""
        if not self.survey.is_searched:
            return []
        return [(id(component), name) for component, name in kept_of_simulations(self.survey)]

    def changed(self) -> bool:
        """True if there are others than there were."""
        if self.seen == _changes[0]:
            return False
        if self.found() != self.kept:
            return True
        self.seen = _changes[0]
        return False
