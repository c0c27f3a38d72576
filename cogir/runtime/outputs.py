"""
The outputs of trials as a mapping from `node/port` to arrays: the base of results and of replicates.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import Any

import numpy as np

from cogir.callers import methods_end_at_caller
from cogir.interpreters.flags import OUTSIDE, UNFINISHED
from cogir.labelled.dataset import Axis, Dataset, Variable
from cogir.labelled.labelled import Labelled
from cogir.labelled.names import ByName, find, path_of
from cogir.labelled.traces import Traces, as_variables, with_unfinished
from cogir.runtime.flags import Flag
from cogir.runtime.origin import UNKNOWN, Origin, element_axes
from cogir.runtime.plan import Floats, Plan, Words
from cogir.runtime.recording import Recording, traces_from
from cogir.runtime.words import Array, decoded


@methods_end_at_caller
class Flagged(ByName[Array]):
    """
    The flags of one kind over trials: by the path of a node ("decision", "inner/decision"), or of a parameter, True for each trial in which
    it was raised; by controller and node ("control/decision"), how often it was raised in the simulations of each trial's search.
    """

    def __init__(self, kind: str, name: str, plan: Plan, rows: Floats, shape: tuple[int, ...]):
        self._flags = {flag.key: flag for flag in map(Flag.at, plan.flags) if flag.kind == kind}
        self._name = name
        self._plan = plan
        self._rows = rows
        self._shape = shape

    def __getitem__(self, key: Any) -> Array:
        flag = self._flags[find(path_of(key), self._flags, self._name)]
        counts = flag.counts(self._plan, self._rows).reshape(self._shape)
        return counts if flag.simulated else counts > 0

    def __iter__(self) -> Iterator[str]:
        return iter(self._flags)

    def __len__(self) -> int:
        return len(self._flags)

    def __repr__(self) -> str:
        return f"<{self._name}: {', '.join(f'{owner} {np.count_nonzero(self[owner])}' for owner in self._flags) or 'none'}>"


class Outputs(Labelled):
    """
    Arrays by output port, in the order of the outputs: iteration, `keys()`, `items()` and `values()` go over `node/port`, and `len` is
    the number of ports. Indexing and `in` also take a node, for its first output, a pair (node, port), and handles of the builder.

    Two of them are equal only if they are the same object.
    """

    __slots__ = ("_plan", "_rows", "_traces", "origin", "recording", "status")

    KIND: str
    """The kind of the dataset."""
    AXES: tuple[str, ...]
    """The names of the axes that all arrays begin with."""

    def __init__(self, plan: Plan, rows: Floats, status: str):
        """`rows`: the outputs of all trials, (trials, elements), as the runtime writes them (`decoded`)."""
        self._plan = plan
        self._rows = rows
        self.status = status
        self.origin: Origin = UNKNOWN
        """The model, the parameters and the seeds of the run."""
        self.recording: Recording | None = None
        """The records of the run, if the model records something."""
        self._traces: Traces | None = None

    @property
    @abstractmethod
    def extents(self) -> tuple[int, ...]:
        """The lengths of the axes that all arrays begin with."""

    @property
    def outputs(self) -> list[str]:
        """The names of the outputs in order, as `node/port`."""
        return self._plan.outputs[: self._plan.shown]

    @property
    def columns(self) -> list[Array]:
        """The array of each output, in order."""
        return [self._column(path) for path in self.outputs]

    @property
    def unfinished(self) -> Flagged:
        """
        For each node that is executed until finished, by path, True for the trials in which its limit cut off an execution: a bool array
        (trials,), of replicates (replicates, trials). By "control/decision", how many executions of "decision" were cut off in the
        simulations of a controller: an int64 array.
        """
        return Flagged(UNFINISHED, "unfinished", self._plan, self._rows, self.extents)

    @property
    def out_of_range(self) -> Flagged:
        """
        For each parameter with a range out of which modulations can lead, by "node/parameter", True for the trials in which one did, or
        made it NaN: a bool array (trials,), of replicates (replicates, trials). By "control/node/parameter", how often that happened in
        the simulations of a controller: an int64 array.
        """
        return Flagged(OUTSIDE, "out_of_range", self._plan, self._rows, self.extents)

    @property
    def traces(self) -> Traces:
        """
        What was recorded inside of trials (`Model.record`), by name: `result.traces["decision/value"][3]` are the values of the fourth
        trial, (executions, ...).
        """
        if self._traces is None:
            axes, counts = self._shared(), self._trial_counts()
            found = Traces(()) if self.recording is None else traces_from(self.recording, counts, axes, self.origin.about)
            self._traces = with_unfinished(found, dict(self.unfinished))
            self.recording = None
        return self._traces

    def __getstate__(self) -> object:
        """The parts that are pickled and copied: everything, with the records as traces."""
        _ = self.traces
        return super().__getstate__()

    def _shared(self) -> tuple[Axis, ...]:
        """The axes that all arrays begin with."""
        return tuple(Axis(name, size) for name, size in zip(self.AXES, self.extents, strict=True))

    def _trial_counts(self) -> Words | None:
        """The number of trials that there were, over all axes but the last; None if there were all."""
        return None

    def _column(self, path: str) -> Array:
        slot = self._plan.slots[f"out:{path}"]
        return decoded(self._rows[:, slot.words], slot).reshape(*self.extents, *slot.shape)

    def dataset(self) -> Dataset:
        shared = self._shared()
        about = self.origin.about
        elements = element_axes({path: self._plan.slots[f"out:{path}"].shape for path in self.outputs}, about.labels)
        variables = {path: Variable(self._column(path), (*shared, *elements[path]), about.units.get(path)) for path in self.outputs}
        beside = {f"unfinished:{owner}": Variable(held, shared) for owner, held in self.unfinished.items()}
        beside |= {f"out_of_range:{owner}": Variable(held, shared) for owner, held in self.out_of_range.items()}
        beside |= {name: held for trace in self.traces.values() for name, held in as_variables(trace).items()}
        return Dataset(self.KIND, shared, variables, beside | self._beside(shared), self.origin.attributes(self.status))

    def _beside(self, shared: tuple[Axis, ...]) -> dict[str, Variable]:
        """The arrays beside the outputs and the flags."""
        return {}
