"""
Data from files, with the interface of the results that were saved.

    r = cogir.load("study.nc")
    r["decision"], r.unfinished["decision"], r.attributes["parameters"]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from cogir.callers import methods_end_at_caller
from cogir.errors import InputError, there_is
from cogir.labelled.attributes import seed_notes
from cogir.labelled.dataset import LENGTHS, OUT_OF_RANGE, UNFINISHED, Array, Dataset, Variable
from cogir.labelled.labelled import Labelled
from cogir.labelled.names import ByName, find, path_of
from cogir.labelled.traces import Traces, traces_in

ALLOCATIONS = "allocations:"
"""The beginning of the names of what controllers have chosen."""


@methods_end_at_caller
class Loaded(Labelled):
    """
    Data from a file (`cogir.load`), with the interface of what was saved; `kind` says what that was: "result", "replicates", "sweep" or
    "learned".

    Its other classes add what these have: `LoadedReplicates`, `LoadedLearned`. Arrays are in memory, so the file may be moved.
    """

    __slots__ = ("_dataset",)

    def __init__(self, dataset: Dataset):
        self._dataset = dataset

    def dataset(self) -> Dataset:
        return self._dataset

    @property
    def kind(self) -> str:
        """The kind of the data: "result", "replicates", "sweep" or "learned"."""
        return self._dataset.kind

    @property
    def status(self) -> str:
        """The end of the run: "done", "ended" or "interrupted"."""
        return str(self._dataset.attributes.get("status", "done"))

    @property
    def unfinished(self) -> LoadedArrays:
        """By the path of a node, True for the trials in which its limit cut off an execution."""
        return LoadedArrays("unfinished", {name: held.values for name, held in self._dataset.flags(UNFINISHED).items()})

    @property
    def out_of_range(self) -> LoadedArrays:
        """By "node/parameter", True for the trials in which a modulation led out of the range of a parameter."""
        return LoadedArrays("out_of_range", {name: held.values for name, held in self._dataset.flags(OUT_OF_RANGE).items()})

    @property
    def allocations(self) -> LoadedArrays:
        """By the name of a controller, the signals that it chose in each trial."""
        found = self._dataset.beside.items()
        return LoadedArrays(
            "allocations", {name.removeprefix(ALLOCATIONS): held.values for name, held in found if name.startswith(ALLOCATIONS)}
        )

    @property
    def traces(self) -> Traces:
        """The records of values inside of trials, by name."""
        return traces_in(self._dataset.beside)

    @property
    def num_trials(self) -> int:
        """The number of trials, of each replicate if there are some."""
        return self._extent("trial")

    def _extent(self, name: str) -> int:
        """The length of an axis that all arrays begin with."""
        sizes = {axis.name: axis.size for axis in self._dataset.axes}
        if name not in sizes:
            raise InputError(f'result: this {self.kind} has no axis "{name}"{there_is(sizes)}')
        return sizes[name]

    @property
    def beside(self) -> LoadedArrays:
        """All arrays other than outputs, by name: flags, numbers of trials, and what a controller had chosen."""
        return LoadedArrays("beside", {name: held.values for name, held in self._dataset.beside.items()})

    def __repr__(self) -> str:
        extents = ", ".join(f"{axis.name} {axis.size}" for axis in self._dataset.axes)
        status = ", ".join([*seed_notes(self._dataset.attributes), self.status])
        return f"<{self.kind} from a file, {extents}, {status}: {', '.join(self.outputs)}>"


@methods_end_at_caller
class LoadedArrays(ByName[Array]):
    """Arrays of a file by name, by path, or by handles of the builder."""

    def __init__(self, name: str, arrays: Mapping[str, Array]):
        self._name = name
        self._arrays = dict(arrays)

    def __getitem__(self, key: Any) -> Array:
        return self._arrays[find(path_of(key), self._arrays, self._name)]

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)

    def __len__(self) -> int:
        return len(self._arrays)

    def __repr__(self) -> str:
        return f"<{self._name}: {', '.join(self._arrays) or 'none'}>"


@methods_end_at_caller
class LoadedReplicates(Loaded):
    """Replicates from a file."""

    __slots__ = ()

    @property
    def num_replicates(self) -> int:
        """The number of replicates."""
        return self._extent("replicate")

    @property
    def lengths(self) -> Array:
        """The number of trials that each replicate has had."""
        return self._dataset.beside[LENGTHS].values


@methods_end_at_caller
class LoadedLearned(Loaded):
    """The result of learning from a file."""

    __slots__ = ()

    @property
    def losses(self) -> Array:
        """The losses: (epochs, batches)."""
        return self["loss"]

    @property
    def trials(self) -> Loaded:
        """The outputs of all trials, in the order in which they were made, as the result of a run."""
        held = self._dataset
        variables = {name: _one_after_another(variable) for name, variable in held.beside.items()}
        shared = next((variable.axes[:1] for variable in variables.values()), ())
        outputs = {name: variable for name, variable in variables.items() if not name.startswith((UNFINISHED, OUT_OF_RANGE))}
        flags = {name: variable for name, variable in variables.items() if name not in outputs}
        return Loaded(Dataset("result", shared, outputs, flags, held.attributes))


def _one_after_another(variable: Variable) -> Variable:
    """A variable over epochs and trials as one over trials."""
    values = variable.values.reshape(-1, *variable.values.shape[2:])
    return Variable(values, (replace(variable.axes[1], size=len(values)), *variable.axes[2:]), variable.unit)


KINDS: dict[str, type[Loaded]] = {"replicates": LoadedReplicates, "learned": LoadedLearned}
