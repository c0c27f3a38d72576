"""
What a run gives back: one row of numbers per trial, and names for its columns.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from cogir.errors import InputError, shown
from cogir.runtime.plan import Floats, Plan, find

Array: TypeAlias = npt.NDArray[Any]


@dataclass
class Progress:
    """How far a run has come."""

    done: int = 0
    ended: bool = False


class Result:
    """
    The outputs of a run's trials.

    `result["decision"]` is the array (trials, ...) of a node's first output, `result["decision", "time"]` that of a port; both
    are views. `result.results` is a list per trial of the values of all output ports, as PsyNeuLink's
    `Composition.results`; it is built when it is first looked at. `result.allocations["control"]` is the array
    (trials, signals) of what a controller had chosen at the end of each trial.

    `status` says how the run ended: "done", "ended" (the run's own termination), or "interrupted".
    """

    __slots__ = ("_last", "_plan", "_results", "_rows", "status")

    def __init__(self, plan: Plan, rows: Floats, status: str, last: dict[str, list[float]] | None = None):
        """`last`: the signals of the controllers after the last trial."""
        self._plan = plan
        self._rows = rows
        self._last = last or {}
        self._results: list[list[Any]] | None = None
        self.status = status

    @property
    def rows(self) -> Floats:
        """All outputs of a trial side by side, a row for each trial; also the signals of controllers, after those of the result."""
        return self._rows

    def __len__(self) -> int:
        """The number of trials."""
        return len(self._rows)

    def _column(self, path: str) -> Array:
        leaf = self._plan.leaves[f"out:{path}"]
        column = self._rows[:, leaf.words].reshape(len(self._rows), *leaf.shape)
        return column if leaf.dtype == "f64" else column.astype({"i64": np.int64, "i1": np.bool_, "f32": np.float32}[leaf.dtype])

    def __getitem__(self, key: Any) -> Array:
        """The values of an output over all trials, by node or by (node, port), given as names or handles."""
        wanted = path_of(key)
        shown = self._plan.outputs[: self._plan.shown]
        for path in shown:
            if path == wanted or path.startswith(wanted + "/"):
                return self._column(path)
        names = dict.fromkeys((*(path.rpartition("/")[0] for path in shown), *shown))
        find(wanted, names, "result")
        raise InputError(f'result: "{wanted}" is not an output')

    @property
    def outputs(self) -> list[str]:
        """The names of the outputs in order, as `node/port`."""
        return self._plan.outputs[: self._plan.shown]

    @property
    def columns(self) -> list[Array]:
        """The values of each output over all trials, in order."""
        return [self._column(path) for path in self.outputs]

    @property
    def results(self) -> list[list[Any]]:
        """For each trial the list of the values of all output ports, in order."""
        if self._results is None:
            columns = self.columns
            self._results = [list(trial) for trial in zip(*columns, strict=True)] if columns else [[] for _ in range(len(self))]
        return self._results

    @property
    def allocations(self) -> dict[str, Floats]:
        """
        For each controller the values of its signals that it chose in each trial, (trials, signals).

        The choice of a controller that searches after the trials is in force from the next trial on.
        """
        found: dict[str, Floats] = {}
        for controller, when in self._plan.controllers.items():
            in_force = np.stack([self._rows[:, leaf.offset] for leaf in self._plan.signals(controller)], axis=-1)
            if when == "after" and len(self):
                in_force = np.concatenate([in_force[1:], [self._last[controller]]])
            found[controller] = in_force
        return found

    def __repr__(self) -> str:
        return f"<result of {len(self)} trials, {self.status}: {', '.join(self.outputs)}>"


def path_of(key: Any) -> str:
    """`node`, or `node/port`, for a name, a pair of names, or a handle of the builder."""
    if isinstance(key, tuple):
        return "/".join(path_of(part) for part in cast("tuple[Any, ...]", key))
    address = getattr(key, "address", None)
    if address is not None:
        return f"{address.owner}/{address.name}"
    if isinstance(key, str):
        return key
    name = getattr(key, "name", None)
    if isinstance(name, str):
        return name
    raise InputError(f"found {shown(key)} as a name; give the name of a node, a pair (node, port), or a handle of the builder")


class RunInterrupted(KeyboardInterrupt):
    """
    Ctrl-C during a run. `result` holds the trials that had finished; the context stands at the end of the last of them, so
    that the next run in it continues from there.
    """

    def __init__(self, message: str, result: Result):
        super().__init__(message)
        self.result = result
