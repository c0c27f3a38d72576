"""
Traces: what was recorded inside of trials, by execution.

    t = result.traces["decision/value"]
    t[3]                        # (executions, ...): the fourth trial
    t.values, t.lengths         # all trials one after another, and how many records each of them has
    t.to_dataframe()            # trial, execution, decision/value
    t.to_xarray()               # CF's contiguous ragged arrays

Trials have different numbers of executions, so the records of all trials lie one after another, and `lengths` says how many belong to each.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from operator import index
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from cogir.callers import methods_end_at_caller
from cogir.errors import InputError, counted, did_you_mean, shown, there_is
from cogir.labelled.dataset import UNFINISHED, Array, Axis, Variable, element_names
from cogir.labelled.drawing import COLOURS, LEGEND
from cogir.labelled.extras import extra
from cogir.labelled.names import path_of

if TYPE_CHECKING:
    import xarray
    from matplotlib.axes import Axes
    from pandas import DataFrame  # pyright: ignore[reportMissingTypeStubs]

RECORDS, COUNTS, EVERY = "trace:", "trace_lengths:", "trace_every:"
"""The beginnings of the names of traces in a dataset: their values, how many each trial has, and one of how many executions they record."""
EXECUTION = "execution"
MOST_DRAWN = 20
"""So many trials are drawn unless others are asked for."""
CONVENTIONS = "CF-1.10"


@methods_end_at_caller
class Trace:
    """
    A quantity recorded inside of trials.

    `values`: the records of all trials, one trial after another, (records, ...). `lengths`: how many each trial has, (trials,), of
    replicates (replicates, trials), of a sweep its parameters come first. `trace[3]`, `trace[replicate, 3]`: the records of one trial.
    `executions`: of each record the number of its execution within its trial, from 0. `every`: one of so many executions is recorded.
    """

    __slots__ = ("__dict__", "axes", "elements", "every", "lengths", "name", "unit", "values")

    def __init__(
        self,
        name: str,
        values: Array,
        lengths: Array,
        every: int,
        axes: tuple[Axis, ...],
        elements: tuple[Axis, ...],
        unit: str | None = None,
    ):
        """`axes`: those of `lengths`; `elements`: those of a value."""
        self.name = name
        self.values = values
        self.lengths = lengths
        self.every = every
        self.axes = axes
        self.elements = elements
        self.unit = unit
        self.unfinished: Array | None = None
        """True for the trials in which the node was cut off before it had finished, as `lengths`; None if it has no limit."""

    @cached_property
    def starts(self) -> Array:
        """The index in `values` at which the records of each trial begin; after them the number of all records."""
        return np.concatenate([[0], np.cumsum(self.lengths.ravel())]).astype(np.int64)

    @cached_property
    def executions(self) -> Array:
        """The number of each record's execution within its trial, from 0."""
        counts = self.lengths.ravel()
        return (np.arange(len(self.values)) - np.repeat(self.starts[:-1], counts)) * self.every

    @property
    def places(self) -> dict[str, Array]:
        """The coordinates of each record along the axes of trials."""
        found: dict[str, Array] = {}
        trials = np.repeat(np.arange(self.lengths.size), self.lengths.ravel())
        for axis, place in zip(self.axes, np.unravel_index(trials, self.lengths.shape), strict=True):
            found[axis.name] = axis.index[place]
            found |= {name: values[place] for name, values in axis.others.items()}
        return found

    def __getitem__(self, trial: Any) -> Array:
        """The records of a trial, (executions, ...), by its number; of replicates and sweeps by all numbers: `trace[replicate, trial]`."""
        return self.values[self.records_of(trial)]

    def records_of(self, trial: Any) -> slice:
        """The places in `values` of the records of a trial. Raises `InputError` if there is no such trial."""
        key = cast("tuple[Any, ...]", trial) if isinstance(trial, tuple) else (trial,)
        names = ", ".join(axis.name for axis in self.axes)
        if len(key) != len(self.axes):
            numbers = "one whole number" if len(self.axes) == 1 else f"{len(self.axes)} whole numbers"
            raise InputError(f'trace "{self.name}": found {shown(trial)} as a trial; give {numbers}: trace[{names}]')
        place: list[int] = []
        for number, axis in zip(key, self.axes, strict=True):
            try:
                at = index(number)
            except TypeError:
                raise InputError(
                    f'trace "{self.name}": found {shown(number)} as a {axis.name}; give whole numbers: trace[{names}]'
                ) from None
            if not -axis.size <= at < axis.size:
                raise InputError(f'trace "{self.name}": there is no {axis.name} {at}; it has {axis.size} of them')
            place.append(at % axis.size)
        flat = int(np.ravel_multi_index(place, self.lengths.shape))
        return slice(int(self.starts[flat]), int(self.starts[flat + 1]))

    def __iter__(self) -> Iterator[Array]:
        """The records of each trial, trial after trial."""
        return (self.values[begin:end] for begin, end in zip(self.starts[:-1], self.starts[1:], strict=True))

    def __contains__(self, value: object) -> bool:
        """True if a number is among the records, as of NumPy's arrays."""
        return bool(np.any(self.values == value))

    def __len__(self) -> int:
        """The number of trials."""
        return int(self.lengths.size)

    def columns(self) -> dict[str, Array]:
        """The values of each element, by name."""
        return {heading: self.values[(slice(None), *place)] for place, heading in element_names(self.name, self.elements).items()}

    def long(self) -> dict[str, Array]:
        """The columns of a table with a row per number."""
        columns = self.columns()
        shared = {**self.places, EXECUTION: self.executions}
        count, rows = len(columns), len(self.values)
        found = {name: np.tile(values, count) for name, values in shared.items()}
        found["trace"] = np.full(count * rows, self.name, np.object_)
        found["element"] = np.repeat(np.array([_mark(self.name, heading) for heading in columns], np.object_), rows)
        found["value"] = np.concatenate([*columns.values()])
        return found

    def to_dataframe(self) -> DataFrame:
        """
        A tidy table with a row per record: the columns of its trial (`trial`; `replicate`, `trial`; those of a sweep), `execution`, and the
        value, with a column for each element: `decision/value`, or `decision/value[0]` ...
        """
        pandas = extra("pandas", "to_dataframe", "pandas")
        return pandas.DataFrame({**self.places, EXECUTION: self.executions, **self.columns()})

    def to_xarray(self) -> xarray.Dataset:
        """The trace as CF's contiguous ragged arrays, as `Traces.to_xarray` gives all of them."""
        return ragged([self], "to_xarray")

    def plot(self, trials: Any = None, *, element: int | str | None = None, axes: Axes | None = None) -> Axes:
        """
        Draws the values of a few trials over their executions, and returns matplotlib's axes.

        `trials`: the trials to draw, numbers as for indexing (default: the first 20 of all). `element`: the element of arrays to draw, by
        its number, from 0, or its label (default: all, or the first 10 of more, each in a colour of its own). `axes`: where to draw
        (default: a new figure). Trials in which the node was cut off before it had finished end in a cross.
        """
        pyplot = extra("matplotlib.pyplot", "plot", "plot")
        columns = self.columns()
        headings = [*columns] if element is None else [self._heading([*columns], element)]
        shown_headings = headings[:LEGEND]
        if trials is None:
            drawn: list[Any] = [np.unravel_index(number, self.lengths.shape) for number in range(min(len(self), MOST_DRAWN))]
        else:
            drawn = [trials] if isinstance(trials, int | tuple) else list(trials)
        picture: Any = axes
        if picture is None:
            picture = pyplot.subplots(figsize=(6.4, 4.0), layout="constrained")[1]
        elif not hasattr(picture, "plot"):
            raise InputError(f"plot: axes is {shown(axes)}; give matplotlib axes, such as those of pyplot.subplots()")
        picture.spines[["top", "right"]].set_visible(False)
        several = len(shown_headings) > 1
        for place, heading in enumerate(shown_headings):
            values = columns[heading].astype(np.float64)
            for number, trial in enumerate(drawn):
                colour = COLOURS[(place if several else number) % len(COLOURS)]
                label = _mark(self.name, heading) if several and number == 0 else None
                self._draw_trial(picture, trial, values, colour, label)
        cut_off = sum(map(self.is_unfinished, drawn))
        left_out = f"{len(shown_headings)} of {len(headings)} elements" if len(shown_headings) < len(headings) else ""
        unfinished = f"{cut_off:,} of {counted(len(drawn), 'trial')} unfinished (x)" if cut_off else ""
        if left_out or unfinished:
            picture.set_title(", ".join(filter(None, (left_out, unfinished))), fontsize="medium")
        if several:
            picture.legend(frameon=False)
        called = shown_headings[0] if len(headings) == 1 else self.name
        picture.set_xlabel(EXECUTION)
        picture.set_ylabel(f"{called} ({self.unit})" if self.unit else called)
        return picture

    def _draw_trial(self, picture: Any, trial: Any, values: Array, colour: str, label: str | None) -> None:
        """A trial as a line, with a cross at its end if its node was cut off."""
        records = self.records_of(trial)
        picture.plot(self.executions[records], values[records], linewidth=1, alpha=0.8, color=colour, label=label)
        if self.is_unfinished(trial):
            picture.plot(self.executions[records][-1:], values[records][-1:], "x", color=colour)

    def is_unfinished(self, trial: Any) -> bool:
        """True for a trial in which the node was cut off before it had finished."""
        return self.unfinished is not None and bool(self.unfinished[trial])

    def _heading(self, headings: Sequence[str], element: int | str) -> str:
        """The name of an element, by its number in the order of the elements, or by its label."""
        if isinstance(element, str):
            wanted = f"{self.name}[{element}]"
            if wanted in headings:
                return wanted
            remedy = did_you_mean(wanted, headings) or there_is(headings)
        else:
            try:
                return headings[range(len(headings))[index(element)]]
            except TypeError:
                remedy = "; give its number or its label"
            except IndexError:
                remedy = f"; it has {len(headings)}, numbered from 0"
        raise InputError(f'plot: "{self.name}" has no element {shown(element)}{remedy}')

    def __repr__(self) -> str:
        count = 0 if self.unfinished is None else int(np.count_nonzero(self.unfinished))
        cut_off = f", {count:,} unfinished" if count else ""
        return f"<trace of {self.name}: {counted(len(self.values), 'record')} of {counted(len(self), 'trial')}{cut_off}>"


def _mark(name: str, heading: str) -> str:
    """The mark that tells an element from the others: its number or label; empty for a single number."""
    return heading.removeprefix(name).removeprefix("[").removesuffix("]").replace("][", ",")


@methods_end_at_caller
class Traces(Mapping[Any, Trace]):
    """
    The traces of a run, replicates, or a sweep, by name: `decision/value` for a port, `decision/state:x` and `decision/param:rate` for a
    state and a parameter, `schedule` for what each time step has executed. Indexing also takes `decision/x`, a node (for its first trace),
    a pair (node, name), and handles of the builder.
    """

    def __init__(self, traces: Iterable[Trace]):
        self._traces = {trace.name: trace for trace in traces}

    def _find(self, key: Any) -> str:
        wanted = path_of(key)
        owner, _, name = wanted.rpartition("/")
        kinds = (f"{owner}/state:{name}", f"{owner}/param:{name}")
        kind = getattr(key, "kind", None)
        candidates = [f"{owner}/{kind}:{name}"] if kind is not None else [wanted, *kinds]
        for candidate in (*candidates, *(known for known in self._traces if known.startswith(f"{wanted}/"))):
            if candidate in self._traces:
                return candidate
        remedy = did_you_mean(wanted, self._traces) or there_is(self._traces) if self._traces else "; the model records nothing"
        raise InputError(f'traces: there is no "{wanted}"{remedy}; record it with m.record(...) before the model is compiled')

    def __getitem__(self, key: Any) -> Trace:
        return self._traces[self._find(key)]

    def get(self, key: Any, default: Any = None) -> Any:
        """The trace, or `default` if there is none of that name."""
        return self[key] if key in self else default

    def __contains__(self, key: object) -> bool:
        try:
            self._find(key)
        except InputError:
            return False
        return True

    def __iter__(self) -> Iterator[str]:
        return iter(self._traces)

    def __len__(self) -> int:
        return len(self._traces)

    def to_dataframe(self) -> DataFrame:
        """
        All traces as one tidy table with a row per number: the columns of its trial (`trial`; `replicate`, `trial`; those of a sweep),
        `execution`, `trace`, `element` (an index or a label; empty for a single number) and `value`.

        A trace by itself makes a table with a row per execution: `traces["decision"].to_dataframe()`.
        """
        pandas = extra("pandas", "to_dataframe", "pandas")
        parts = [trace.long() for trace in self.values()]
        return pandas.concat([pandas.DataFrame(part) for part in parts], ignore_index=True) if parts else pandas.DataFrame({})

    def to_xarray(self) -> xarray.Dataset:
        """
        All traces as an `xarray.Dataset` of CF's contiguous ragged arrays: each trace has a dimension of its own for its records, and a
        count variable over trials, whose attribute `sample_dimension` names that dimension. Trials of replicates and sweeps lie along one
        dimension `instance`, with coordinates that say which they are. Names have a dot for a slash.
        """
        return ragged(list(self.values()), "to_xarray")

    def plot(self, trace: Any = None, trials: Any = None, *, element: int | str | None = None, axes: Axes | None = None) -> Axes:
        """
        Draws one trace (default: the first one) as `Trace.plot` does, and returns matplotlib's axes.

        `trace`: as for indexing. `trials`, `element`, `axes`: as in `Trace.plot`. Raises `InputError` if nothing was recorded.
        """
        if not self:
            raise InputError("plot: nothing was recorded; call model.record(...) before model.compile()")
        return self[next(iter(self)) if trace is None else trace].plot(trials, element=element, axes=axes)

    def __repr__(self) -> str:
        return f"<traces: {', '.join(f'{name} {len(trace.values):,}' for name, trace in self.items()) or 'none'}>"


def ragged(traces: Sequence[Trace], what: str) -> xarray.Dataset:
    """Traces as CF's contiguous ragged arrays."""
    module = extra("xarray", what, "study")
    variables: dict[str, Any] = {}
    coordinates: dict[str, Any] = {}
    for trace in traces:
        plain = trace.name.replace("/", ".")
        instance, samples = (trace.axes[0].name if len(trace.axes) == 1 else "instance"), f"{plain}.record"
        for axis, place in zip(trace.axes, np.unravel_index(np.arange(len(trace)), trace.lengths.shape), strict=True):
            along = {axis.name: axis.index} | axis.others
            coordinates |= {name.replace("/", "."): (instance, values[place]) for name, values in along.items()}
        inner = [axis.name.replace("/", ".") for axis in trace.elements]
        for axis, dim in zip(trace.elements, inner, strict=True):
            if axis.coordinates:
                coordinates[dim] = (dim, axis.index)
        counts = {"sample_dimension": samples, "long_name": f"number of records of {trace.name} in a trial"}
        variables[f"{plain}.count"] = (instance, trace.lengths.ravel(), counts)
        coordinates[f"{plain}.{EXECUTION}"] = (samples, trace.executions, {"long_name": "number of the execution within its trial"})
        unit = {} if trace.unit is None else {"units": trace.unit}
        about = {"long_name": trace.name, "coordinates": f"{plain}.{EXECUTION}", "recorded_every": trace.every, **unit}
        variables[plain] = ((samples, *inner), trace.values, {name: held for name, held in about.items() if name != "coordinates"})
    return module.Dataset(variables, coordinates, {"Conventions": CONVENTIONS})


def with_unfinished(traces: Traces, unfinished: Mapping[str, Array]) -> Traces:
    """The traces, which know of the trials in which their nodes were cut off; `unfinished`: flags over the axes of trials, by node."""
    for trace in traces.values():
        trace.unfinished = unfinished.get(trace.name.rpartition("/")[0])
    return traces


def as_variables(trace: Trace) -> dict[str, Variable]:
    """A trace as it stands in a dataset beside the outputs."""
    records = Axis(f"record:{trace.name}", len(trace.values))
    return {
        f"{RECORDS}{trace.name}": Variable(trace.values, (records, *trace.elements), trace.unit),
        f"{COUNTS}{trace.name}": Variable(trace.lengths, trace.axes),
        f"{EVERY}{trace.name}": Variable(np.array(trace.every), ()),
    }


def traces_in(beside: Mapping[str, Variable]) -> Traces:
    """The traces that stand in a dataset beside the outputs."""
    found: list[Trace] = []
    for key, held in beside.items():
        if key.startswith(RECORDS):
            name = key.removeprefix(RECORDS)
            counts, every = beside[f"{COUNTS}{name}"], beside[f"{EVERY}{name}"]
            found.append(Trace(name, held.values, counts.values, int(every.values), counts.axes, held.axes[1:], held.unit))
    flags = {key.removeprefix(UNFINISHED): held.values for key, held in beside.items() if key.startswith(UNFINISHED)}
    return with_unfinished(Traces(found), flags)
