"""
The results of simulations, of which the Composition that is simulated keeps a list.

PsyNeuLink clears it after each trial of the Composition's own `run`; the lists of Compositions that are only executed, as nested ones are,
become longer and longer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, cast

import numpy as np

from cogir.psyneulink.importer.imported import Imported
from cogir.psyneulink.reader import UnsupportedFeature
from cogir.psyneulink.state.controller import ControllerMirror
from cogir.psyneulink.state.lazy_values import look_up, put
from cogir.psyneulink.state.output_shapes import OutputShapes
from cogir.runtime.plan import Floats, Plan, PlanSlot, Words


class SimulationName(str):
    """The name of a simulation of a native search: to look up a value under it is an error, since none is kept."""

    def __hash__(self) -> int:
        feature = "a native search keeps the results of its simulations, and no other values (retain_old_simulation_data)"
        raise UnsupportedFeature(f"simulation {str(self)!r}", feature, "run it with execution_mode=ExecutionMode.Python to look at them")


class RecordedResults:
    """The record of one controller, from which PsyNeuLink gets the results of simulations."""

    def __init__(self, mirror: ControllerMirror, path: str, plan: Plan, ports: Sequence[Any], slots: Sequence[PlanSlot]):
        """`path`: that of the controller in the model; `ports`: those of the output CIM; `slots`: where the model has what they hold."""
        self.controller = mirror.controller
        self.lists: dict[Any, Any] = mirror.controller.agent_rep.parameters.simulation_results.values
        self.key = mirror.key
        self.rows, self.count = (plan.slots[f"{path}/record:{what}"] for what in ("rows", "count"))
        self.shapes = OutputShapes(ports, slots)
        widths = [len(mirror.controller.control_signals), *(slot.size for slot in slots)]
        self.columns = np.cumsum(widths)[:-1]
        """The columns at which the outputs begin, after the levels."""

    @property
    def room(self) -> int:
        """The number of searches for which there is room."""
        return self.rows.shape[0]

    def begin(self, si: Words) -> None:
        """Some trials begin, in which nothing has been simulated."""
        si[self.count.offset] = 0

    def lacks_room(self, si: Words) -> bool:
        """True if there have been more searches than there is room for."""
        return bool(si[self.count.offset] > self.room)

    def keep(self, sf: Floats, si: Words) -> None:
        """Adds the results of what was simulated in the last trials to the list."""
        searches = int(si[self.count.offset])
        if not searches:
            return
        rows = sf[self.rows.words].reshape(self.rows.shape)[:searches].reshape(-1, self.rows.shape[2])
        _, *outputs = np.split(rows.copy(), self.columns, axis=1)
        found = look_up(self.lists, self.key)
        held = cast("list[Any]", found) if isinstance(found, list) else []  # a script may have put something else there
        put(self.lists, self.key, held)
        held += list(self.shapes.trials(outputs, len(rows)))
        if keeps_values(self.controller.composition):
            self.name(len(rows))

    def name(self, count: int) -> None:
        """Adds the names of so many simulations, under which no values are found."""
        names: dict[Any, Any] = self.controller.parameters.simulation_ids.values
        held = look_up(names, self.key)
        known = cast("list[Any]", held) if isinstance(held, list) else []
        put(names, self.key, known)
        known += [SimulationName(f"{self.key}-sim{{num: {number}}}") for number in range(len(known), len(known) + count)]


def recorded_in(imported: Imported, *, is_recorded: bool, prefix: str = "") -> Iterator[str]:
    """
    The paths of the controllers of whose simulations the results are kept: of nested Compositions, and of the outermost one if that
    `is_recorded`.
    """
    if imported.control is not None and imported.composition.enable_controller and (prefix or is_recorded):
        yield f"{prefix}{imported.control.name}"
    for composition, inner in imported.inner.items():
        yield from recorded_in(inner, is_recorded=is_recorded, prefix=f"{prefix}{imported.nodes[composition].name}/")


def forget_simulations(composition: Any, key: Any) -> None:
    """After a trial PsyNeuLink keeps no results of simulations before, such as those of evaluations by a script, unless it is told to."""
    if composition.controller is None or keeps_simulations(composition):
        return
    if isinstance(held := look_up(composition.parameters.simulation_results.values, key), list):
        held.clear()


def keeps_simulations(composition: Any) -> bool:
    """True if a Composition is told to keep the results of simulations, with or without the values of all its Parameters in them."""
    return keeps_values(composition) or bool(composition.parameters.simulation_results.retain_old_simulation_data)


def keeps_values(composition: Any) -> bool:
    """True if a Composition is told to keep the values of all its Parameters in simulations."""
    return bool(look_up(composition.parameters.retain_old_simulation_data.values, None))
