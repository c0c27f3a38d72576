"""
The origin of a result: the model, the parameters and the seeds of its run, and the labels and units of its outputs.

Machine code depends on none of it, so it stands in no plan: labels and units come from the model that was compiled, also where its code
comes from the cache.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from cogir.errors import ModelError
from cogir.labelled.attributes import Attributes, seed_notes
from cogir.labelled.dataset import Axis
from cogir.runtime.plan import GeneratorStart
from cogir.streams import VERSION

Labels = Mapping[str, tuple[str, ...]]
"""The labels of the elements along the last axis of an output, by `node/port`."""


@dataclass(frozen=True)
class PortNotes:
    """The labels and the units that a model gives to outputs, by `node/port`, also of nodes in instances."""

    labels: Labels = field(default_factory=dict[str, tuple[str, ...]])
    units: Mapping[str, str] = field(default_factory=dict[str, str])


def port_notes(found: Iterable[tuple[str, tuple[str, ...], str | None]]) -> PortNotes:
    """The notes for outputs by path, each with its labels and its unit; either may be missing."""
    listed = list(found)
    labels = {path: held for path, held, _ in listed if held}
    return PortNotes(labels, {path: unit for path, _, unit in listed if unit is not None})


@dataclass(eq=False)
class About:
    """The model of a result."""

    name: str = ""
    notes: PortNotes = PortNotes()
    find_text: Callable[[], str] = str

    @property
    def labels(self) -> Labels:
        """The labels of outputs."""
        return self.notes.labels

    @property
    def units(self) -> Mapping[str, str]:
        """The units of outputs."""
        return self.notes.units

    @cached_property
    def text(self) -> str:
        """The text of the model, found once; empty if it is not known."""
        return self.find_text()

    def __getstate__(self) -> dict[str, Any]:
        """The model by its text: results can be pickled, whatever Python functions the model has."""
        return {"name": self.name, "notes": self.notes, "text": self.text}

    def __copy__(self) -> About:
        return self

    def __deepcopy__(self, memo: object) -> About:
        return self


NOTHING = About()


def changed(asked: str, name: str) -> ModelError:
    """The error for a model that is asked for something, but is not what was compiled any more."""
    return ModelError(f'{asked}: model "{name}", or what its functions read, was changed after it was compiled; compile it again')


@dataclass(eq=False, slots=True)
class Origin:
    """A run: its model, the parameters with which it ran, and further attributes."""

    about: About = NOTHING
    parameters: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """The values of the parameters, by path, as they were in the run; read when they are asked for."""
    starts: Mapping[str, GeneratorStart] = field(default_factory=dict[str, GeneratorStart])
    """The starts of the generators, by path."""
    more: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Further attributes, such as the seed of replicates."""

    def attributes(self, status: str) -> Attributes:
        """The attributes of a result."""
        versions = {
            "cogir_version": str(vars(sys.modules["cogir"])["__version__"]),
            "numpy_version": np.__version__,
            "streams_version": VERSION,
        }
        seeds = {path: start.numpy_seed for path, start in self.starts.items() if path not in self.more.get("generator_states", ())}
        later = {"parameters": self.plain_parameters, "model_text": lambda: self.about.text}
        return Attributes({"model": self.about.name, "status": status, "seeds": seeds, **self.more, **versions}, later)

    def states(self, status: str) -> str:
        """The status of a result as a line shows it: after the seed, if there are generators, and whether replicates are continued."""
        return ", ".join([*seed_notes({"seeds": self.starts, **self.more}), status])

    def plain_parameters(self) -> dict[str, Any]:
        """The parameters as Python numbers and lists, by `node/name`; `compiled.params.update` takes them."""
        return {path.replace("/param:", "/"): np.asarray(value).tolist() for path, value in self.parameters.items()}


UNKNOWN = Origin()
"""That of results which nobody has told theirs."""


def element_axes(shapes: Mapping[str, tuple[int, ...]], labels: Labels) -> dict[str, tuple[Axis, ...]]:
    """
    The axes of the elements of outputs, by `node/port`: the last one is called as the node, with its labels if there are any.

    Ports of a node with the same shape and labels share their axes; where they differ, those after the first are called as the port.
    """
    found: dict[str, tuple[Axis, ...]] = {}
    known: dict[tuple[str, tuple[int, ...], tuple[str, ...] | None], tuple[Axis, ...]] = {}
    named: set[str] = set()
    for path, shape in shapes.items():
        node, marks = path.rpartition("/")[0], labels.get(path)
        key = (node, shape, marks)
        if shape and key not in known:
            name = path if node in named else node
            named.add(node)
            outer = [Axis(f"{name}.{'rows' if len(shape) == 2 else f'axis{place}'}", size) for place, size in enumerate(shape[:-1])]
            known[key] = (*outer, Axis(name, shape[-1], {} if marks is None else {name: np.array(marks, np.str_)}))
        found[path] = known[key] if shape else ()
    return found
