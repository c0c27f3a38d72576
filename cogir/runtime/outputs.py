"""
The outputs of trials as a mapping from `node/port` to arrays: the base of results and of replicates.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NoReturn, cast

import numpy as np
import numpy.typing as npt

from cogir.callers import methods_end_at_caller
from cogir.errors import CogirError, InputError, shown
from cogir.interpreters.flags import OUTSIDE, UNFINISHED
from cogir.runtime.flags import Flag
from cogir.runtime.plan import Floats, Plan, find
from cogir.runtime.words import Array, decoded

if TYPE_CHECKING:
    from pandas import DataFrame  # pyright: ignore[reportMissingTypeStubs]


@methods_end_at_caller
class Flagged(Mapping[Any, Array]):
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

    def get(self, key: Any, default: Any = None) -> Any:
        """The flags, or `default` if there are none of that name."""
        return self[key] if key in self else default

    def __contains__(self, key: object) -> bool:
        return path_of(key) in self._flags

    def __iter__(self) -> Iterator[str]:
        return iter(self._flags)

    def __len__(self) -> int:
        return len(self._flags)

    def __repr__(self) -> str:
        return f"<{self._name}: {', '.join(f'{owner} {np.count_nonzero(self[owner])}' for owner in self._flags) or 'none'}>"


class Outputs(Mapping[str, Array]):
    """
    Arrays by output port, in the order of the outputs: iteration, `keys()`, `items()` and `values()` go over `node/port`, and `len` is
    the number of ports. Indexing and `in` also take a node, for its first output, a pair (node, port), and handles of the builder.

    Two of them are equal only if they are the same object.
    """

    __slots__ = ("_plan", "_rows", "status")

    AXES: tuple[str, ...]
    """The names of the axes that all arrays begin with."""

    def __init__(self, plan: Plan, rows: Floats, status: str):
        """`rows`: the outputs of all trials, (trials, elements), as the runtime writes them (`decoded`)."""
        self._plan = plan
        self._rows = rows
        self.status = status

    @property
    def extents(self) -> tuple[int, ...]:
        """The lengths of the axes that all arrays begin with."""
        raise NotImplementedError

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

    def _column(self, path: str) -> Array:
        slot = self._plan.slots[f"out:{path}"]
        return decoded(self._rows[:, slot.words], slot).reshape(*self.extents, *slot.shape)

    def _output(self, wanted: str) -> str | None:
        """The first output of that name, or of the node of that name."""
        return next((path for path in self.outputs if path == wanted or path.startswith(wanted + "/")), None)

    def __getitem__(self, key: Any) -> Array:
        """The array of an output, by node or by (node, port), given as names or handles. Raises `InputError` if there is none."""
        wanted = path_of(key)
        path = self._output(wanted)
        if path is None:
            names = dict.fromkeys((*(path.rpartition("/")[0] for path in self.outputs), *self.outputs))
            find(wanted, names, "result")
            raise InputError(f'result: "{wanted}" is not an output')
        return self._column(path)

    def __contains__(self, key: object) -> bool:
        """True if the object can be indexed with `key`."""
        try:
            return self._output(path_of(key)) is not None
        except InputError:
            return False

    def get(self, key: Any, default: Any = None) -> Any:
        """The array of an output, or `default` if there is none."""
        return self[key] if key in self else default

    def __iter__(self) -> Iterator[str]:
        """The names of the outputs in order, as `node/port`."""
        return iter(self.outputs)

    def __len__(self) -> int:
        """The number of output ports."""
        return self._plan.shown

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    def __array__(self, *_: Any, **__: Any) -> NoReturn:
        """Refuses to become one array, which is also what `pandas.DataFrame(result)` asks for."""
        first = next(iter(self), "node")
        raise InputError(
            f'result: the model has {len(self)} outputs; index one of them, such as result["{first}"], or make a table of all of '
            "them: result.to_dataframe()"
        )

    def to_dataframe(self) -> DataFrame:
        """
        The outputs as a pandas DataFrame: a row per trial and a column per element.

        Columns are named after `node/port`, with the indices of an element in brackets: `decision/value[0]`, `decision/time`. They
        keep the dtype of the output. The index is `trial`; of replicates it is (`replicate`, `trial`), without the trials that a
        replicate did not have.
        Raises `CogirError` if pandas is not installed.
        """
        try:
            import pandas  # pyright: ignore[reportMissingTypeStubs]
        except ImportError:
            raise CogirError("to_dataframe: pandas is not installed; install it with: pip install 'cogir[pandas]'") from None
        kept = self._kept()
        columns: dict[str, Array] = {}
        for path, array in self.items():
            columns |= {heading: values[kept] for heading, values in elements(path, array, len(self.AXES)).items()}
        trials = np.nonzero(kept)
        if len(trials) == 1:
            return pandas.DataFrame(columns, index=pandas.Index(trials[0], name=self.AXES[0]))
        index: Any = pandas.MultiIndex.from_arrays(trials, names=self.AXES)  # pyright: ignore[reportUnknownMemberType]
        return pandas.DataFrame(columns, index=index)

    def _kept(self) -> npt.NDArray[np.bool_]:
        """True for each trial that there was, over the axes that all arrays begin with."""
        return np.ones(self.extents, np.bool_)


def elements(name: str, array: Array, axes: int = 1) -> dict[str, Array]:
    """The elements of an array by name, `name[0]` ..., each over the first `axes` axes; a scalar has no brackets."""
    every = (slice(None),) * axes
    return {name + "".join(f"[{i}]" for i in index): array[(*every, *index)] for index in np.ndindex(array.shape[axes:])}


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
