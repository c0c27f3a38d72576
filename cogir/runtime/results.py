"""
What a run gives back: one row of numbers per trial, and names for its columns.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from cogir.errors import counted
from cogir.labelled.dataset import Axis, Variable
from cogir.runtime.outputs import Outputs
from cogir.runtime.plan import Floats, Plan
from cogir.runtime.words import decoded


@dataclass
class Progress:
    """The progress of a run."""

    done: int = 0
    ended: bool = False


@dataclass
class Searched:
    """The searches of a run whose boxes were searched (`docs/searches.md`)."""

    finished: int = 0
    """Searches that found their optimum by boxes."""
    given_up: int = 0
    """Searches that then evaluated every point."""
    boxes: int = 0
    """Boxes that were bounded, in all of these searches."""
    points: int = 0
    """Points that were evaluated in boxes."""

    def add(self, finished: int, given_up: int, boxes: int, points: int) -> None:
        """Counts further searches."""
        self.finished += finished
        self.given_up += given_up
        self.boxes += boxes
        self.points += points


class Result(Outputs):
    """
    The outputs of a run's trials, a mapping from `node/port` to arrays.

    `result["decision"]` is the array (trials, ...) of a node's first output, `result["decision", "time"]` that of a port; both
    are views. `result.results` is a list per trial of the values of all output ports, as PsyNeuLink's
    `Composition.results`; it is built when it is first looked at. `result.allocations["control"]` is the array
    (trials, signals) of what a controller had chosen at the end of each trial.

    `num_trials` is the number of trials, and `len(result)` that of the output ports. `status` says how the run ended: "done", "ended"
    (the run's own termination), or "interrupted".
    """

    __slots__ = ("_last", "_results")

    KIND = "result"
    AXES = ("trial",)

    def __init__(self, plan: Plan, rows: Floats, status: str, last: dict[str, list[float]] | None = None):
        """`last`: the signals of the controllers after the last trial."""
        super().__init__(plan, rows, status)
        self._last = last or {}
        self._results: list[list[Any]] | None = None

    @property
    def rows(self) -> Floats:
        """
        All outputs of a trial side by side as float64, (trials, elements), and after them the signals of controllers and
        how often executions were cut off.

        Without outputs other than float64 this is no copy. Whole numbers above 2**53 are rounded here; index the result for exact ones.
        """
        plan = self._plan
        width = plan.sizes.get("out", 0)
        others = [slot for path in (*plan.outputs, *plan.flags) if (slot := plan.slots[f"out:{path}"]).dtype == "i64"]
        if not others:
            return self._rows[:, :width]
        rows = self._rows[:, :width].copy()
        for slot in others:
            rows[:, slot.words] = decoded(self._rows[:, slot.words], slot)
        return rows

    @property
    def num_trials(self) -> int:
        """The number of trials."""
        return len(self._rows)

    @property
    def extents(self) -> tuple[int, ...]:
        return (self.num_trials,)

    @property
    def results(self) -> list[list[Any]]:
        """For each trial the list of the values of all output ports, in order."""
        if self._results is None:
            columns = self.columns
            self._results = [list(trial) for trial in zip(*columns, strict=True)] if columns else [[] for _ in range(self.num_trials)]
        return self._results

    @property
    def allocations(self) -> dict[str, Floats]:
        """
        For each controller the values of its signals that it chose in each trial, (trials, signals).

        The choice of a controller that searches after the trials is in force from the next trial on.
        """
        found: dict[str, Floats] = {}
        for controller, when in self._plan.controllers.items():
            in_force = np.stack([self._rows[:, slot.offset] for slot in self._plan.signals(controller)], axis=-1)
            if when == "after" and self.num_trials:
                in_force = np.concatenate([in_force[1:], [self._last[controller]]])
            found[controller] = in_force
        return found

    def _beside(self, shared: tuple[Axis, ...]) -> dict[str, Variable]:
        signals = {name: [slot.path.rpartition("/")[2] for slot in self._plan.signals(name)] for name in self._plan.controllers}
        axes = {name: Axis(f"{name}/signal", len(held), {f"{name}/signal": np.array(held, np.str_)}) for name, held in signals.items()}
        known = self._last.keys() >= {name for name, when in self._plan.controllers.items() if when == "after"}
        found = self.allocations if known else {}  # learning does not search
        return {f"allocations:{name}": Variable(held, (*shared, axes[name])) for name, held in found.items()}

    def __repr__(self) -> str:
        return f"<result of {counted(self.num_trials, 'trial')}, {self.origin.states(self.status)}: {', '.join(self.outputs)}>"


class RunInterrupted(KeyboardInterrupt):
    """
    Ctrl-C during a run. `result` holds the trials that had finished; the context stands at the end of the last of them, so
    that the next run in it continues from there.
    """

    def __init__(self, message: str, result: Result):
        super().__init__(message, result)
        self.result = result

    def __str__(self) -> str:
        return str(self.args[0])
