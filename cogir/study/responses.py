"""
Data of an experiment as a fit takes them: for each trial the choice, the response time, and the condition.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from cogir.errors import InputError, counted, did_you_mean, shown, there_is
from cogir.labelled.names import path_of
from cogir.runtime.numbers import NotNumbers, as_numbers
from cogir.study.columns import Array, Floats, columns_of, missing_rows

Numbers: TypeAlias = npt.NDArray[np.int64]

CHOICES = ("choice",)
TIMES = ("response_time", "time")
"""The ports of decision models that hold choices and response times."""
VALUE = "value"
"""The port of integrators whose sign is the choice."""
UNDECIDED = ("error", "drop", "count")
MOST_CHOICES = 64
EARLIEST = 1e-300
"""The longest time of data is later, and earlier than the reciprocal: others have no densities in double precision."""


@dataclass(frozen=True)
class Ports:
    """The output ports that hold the responses of a model; either may be missing."""

    choice: str | None
    time: str | None

    @property
    def by_sign(self) -> bool:
        """True if the sign of the port is the choice: the value that an integrator has reached, a threshold or its negative."""
        return self.choice is not None and self.choice.rpartition("/")[2] == VALUE

    def __str__(self) -> str:
        return " and ".join(f'"{port}"' for port in (self.choice, self.time) if port is not None)

    def read(self, outputs: Mapping[str, Array]) -> tuple[Floats, Floats]:
        """The choices and the times of all simulated trials; 0 where the model has no such port."""
        ports = [port for port in (self.choice, self.time) if port is not None]
        flat = {port: np.asarray(outputs[port], np.float64).ravel() for port in ports}
        blank = np.zeros(len(flat[ports[0]]))
        choices = flat.get(self.choice or "", blank)
        return np.sign(choices) if self.by_sign else choices, flat.get(self.time or "", blank)

    def of_point(self, outputs: Mapping[str, Array]) -> tuple[Floats, Floats]:
        """The same for the trials of one point; a value that has not come as far as others is no choice, 0."""
        choices, times = self.read(outputs)
        if self.by_sign and self.choice is not None:
            reached = np.abs(np.asarray(outputs[self.choice], np.float64).ravel())
            choices = np.where(reached >= (1.0 - 1e-9) * reached.max(initial=0.0), choices, 0.0)
        return choices, times


@dataclass(frozen=True, eq=False)
class Responses:
    """
    The responses to explain, (trials,): choices (0 if the model has none), times (0 likewise; NaN of undecided trials), and the number of
    the condition of each.
    """

    ports: Ports
    choices: Floats
    times: Floats
    conditions: npt.NDArray[np.int64]
    undecided: npt.NDArray[np.bool_]
    counts_undecided: bool
    """True if undecided trials count; False if the probability of decisions is that given that there was one."""

    @property
    def count(self) -> int:
        """The number of trials."""
        return len(self.choices)

    @property
    def latest(self) -> float:
        """The longest response time."""
        decided = self.times[~self.undecided]
        return float(decided.max()) if self.ports.time is not None and len(decided) else 1.0

    def of(self, condition: int) -> Responses:
        """The responses in one condition."""
        return self.some(self.conditions == condition)

    def some(self, rows: Any) -> Responses:
        """Some of the responses."""
        return Responses(
            self.ports, self.choices[rows], self.times[rows], self.conditions[rows], self.undecided[rows], self.counts_undecided
        )


@dataclass(frozen=True, eq=False)
class Table:
    """The columns of data by name, each (trials, ...)."""

    columns: Mapping[str, Array]
    count: int
    rows: Array
    """The number of each row in the data of the user, of which some may be left out."""
    given: Mapping[str, str] = field(default_factory=dict[str, str])
    """The names that the user gave to the columns of outputs, by output, where they differ."""

    def called(self, name: str) -> str:
        """A column of responses in a message: `ddm/choice`, or `column "key" (ddm/choice)` where it has a name of its own."""
        return f'column "{self.given[name]}" ({name})' if name in self.given else name

    def __getitem__(self, name: str) -> Array:
        if name in self.columns:
            return self.columns[name]
        raise InputError(f'data: there is no column "{name}"{did_you_mean(name, self.columns) or there_is(self.columns)}')

    def numbers(self, name: str) -> Floats:
        """A column of numbers. Raises `InputError` for others, naming the first row."""
        column = self[name]
        try:
            return as_numbers(column).astype(np.float64, copy=False)
        except (NotNumbers, TypeError):
            row, value = next(
                ((row, value) for row, value in enumerate(column.tolist()) if not isinstance(value, int | float)), (0, column.tolist()[0])
            )
            what = self.called(name) if name in self.given else f'column "{name}"'
            remedy = "give numbers"
            if column.dtype.kind in "mM":  # the items of some units are ints
                value = column.reshape(-1)[row]
                times = "column" if column.dtype.kind == "m" else "(column - column.min())"
                remedy += f" in the unit of the model, such as seconds: {times} / np.timedelta64(1, 's')"
            if isinstance(value, str):
                recoded = f"such as the codes of choices in the model: np.where(column == {shown(value)}, 1, -1)"
                remedy += ": column.astype(float)" if _is_number(value) else f", {recoded}"
            raise InputError(f"data: {what}: found {shown(value)} in row {self.rows[row]}; {remedy}") from None

    def responses(self, name: str) -> Floats:
        """A column of choices or times. Raises `InputError` if it has more than one number in a row."""
        column = self.numbers(name)
        if column.ndim > 1:
            what = self.called(name) if name in self.given else f'column "{name}"'
            raise InputError(f"data: {what} has the shape {column.shape}; give one number per trial")
        return column

    def renamed(self, columns: Mapping[str, str]) -> Table:
        """The table with columns called as the outputs that they hold. `columns`: by output the column of the data."""
        outputs = {column: output for output, column in columns.items()}
        for output, column in columns.items():
            _ = self[column]
            if output in self.columns and output != column:
                raise InputError(
                    f'fit: response: "{column}" holds "{output}", but there is also a column of this name; leave one of them out'
                )
        given = {output: column for output, column in columns.items() if output != column}
        return replace(self, columns={outputs.get(name, name): column for name, column in self.columns.items()}, given=given)

    def some(self, rows: Any) -> Table:
        """Some of the rows."""
        kept = self.rows[rows]
        return replace(self, columns={name: column[rows] for name, column in self.columns.items()}, count=len(kept), rows=kept)

    def missing(self, ports: Ports) -> npt.NDArray[np.bool_]:
        """True for rows in which a choice or a time is missing."""
        found = np.zeros(self.count, np.bool_)
        for name in (ports.choice, ports.time):
            if name is not None:
                found |= ~np.isfinite(self.responses(name))
        return found

    def decided(self, ports: Ports) -> Table:
        """The rows in which no response is missing. Raises `InputError` if there are none."""
        missing = self.missing(ports)
        if missing.all():
            raise InputError(f"data: no row of {ports} has a value; there is no decision to explain")
        return self.some(~missing)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def table_of(data: Any) -> Table:
    """The columns of a DataFrame or of a dict. Raises `InputError` for what is neither, and for columns of different lengths."""
    if isinstance(data, Table):
        return data
    columns = columns_of(data)
    lengths = {name: len(column) for name, column in columns.items()}
    if not lengths or not max(lengths.values()):
        raise InputError("data: there are no trials; give one row for each")
    if len(set(lengths.values())) > 1:
        listed = ", ".join(f'{length} in "{name}"' for name, length in lengths.items())
        raise InputError(f"data: columns have different lengths: {listed}; give one value per trial in each")
    count = next(iter(lengths.values()))
    return Table(columns, count, np.arange(count))


def response_columns(response: Any, outputs: Iterable[str]) -> tuple[Any, dict[str, str]]:
    """The outputs of choices and times, and by output the column that holds it, where the user gives a dict of these."""
    if not isinstance(response, Mapping):
        return response, {}
    columns = {path_of(output): str(column) for output, column in cast("Mapping[Any, Any]", response).items()}
    known = list(outputs)
    for output, column in columns.items():
        if output not in known and column in known:
            turned = {column: output for output, column in columns.items()}
            raise InputError(
                f'fit: response: "{column}" is an output of the model, and "{output}" is none; write {{output: column}}: response='
                f"{json.dumps(turned)}"
            )
        if output not in known:
            raise InputError(f'fit: response: there is no output "{output}"{did_you_mean(output, known) or there_is(known)}')
    times = [output for output in columns if output.rpartition("/")[2] in TIMES]
    others = [output for output in columns if output not in times]
    if len(times) > 1 or len(others) > 1 or not columns:
        raise InputError(
            f"fit: response is {shown(response)}; give the output of choices and that of times with their columns, such as "
            '{"ddm/choice": "choice", "ddm/response_time": "rt"}'
        )
    return (others[0] if others else None, times[0] if times else None), columns


def ports_of(response: Any, table: Table, outputs: Iterable[str]) -> Ports:
    """
    The ports of choices and times: those that the user names, else those of the outputs of a model for which there are columns.

    Raises `InputError` if there is none, or there are several.
    """
    known = list(outputs)
    if response is not None:
        given = (response,) if isinstance(response, str) else tuple(cast("Iterable[Any]", response))
        return _named(given, table, known)
    columns = [name for name in known if name in table.columns]
    found: list[str | None] = []
    for what, names in (("choices", CHOICES), ("times", TIMES)):
        fitting = [name for name in columns if name.rpartition("/")[2] in names]
        if len(fitting) > 1:
            raise InputError(f"data: {' and '.join(fitting)} may both be the {what}; say which: response=({fitting[0]!r}, ...)")
        found.append(fitting[0] if fitting else None)
    if found[0] is None and found[1] is not None:
        beside = f"{found[1].rpartition('/')[0]}/{VALUE}"
        found[0] = beside if beside in columns else None
    if found == [None, None]:
        likely = [name for name in known if name.rpartition("/")[2] in (*CHOICES, *TIMES)]
        if likely:
            example = ", ".join(f'"{name}"' for name in likely)
            raise InputError(
                f"data: there is no column for the responses; name columns as the outputs of the model ({example})"
                f"{there_is(table.columns).replace('there is', 'found')}; or say which columns hold these outputs: "
                f"response={example_of(known, ['choice', 'rt'])}"
            )
        raise InputError(
            f'data: no output of the model is called "choice", "response_time" or "time"; say which ones hold choices and times: '
            f"response=(choice, time){there_is(known)}"
        )
    return Ports(found[0], found[1])


def example_of(known: list[str], columns: list[str]) -> str:
    """A dict from the outputs of a decision to columns, as text for a message."""
    likely = [name for name in known if name.rpartition("/")[2] in (*CHOICES, *TIMES)] or known
    return "{" + ", ".join(f'"{output}": "{column}"' for output, column in zip(likely, columns, strict=False)) + "}"


def _named(given: tuple[Any, ...], table: Table, known: list[str]) -> Ports:
    if len(given) not in (1, 2) or all(name is None for name in given):
        raise InputError(
            f"fit: response is {shown(given)}; give the output of choices and that of times, (choice, time), either of which may be None"
        )
    names = [None if name is None else path_of(name) for name in given]
    for name in names:
        if name is not None and name not in known and name in table.columns:
            raise InputError(
                f'fit: response: "{name}" is a column of the data, but no output of the model; name both, the output and its column: '
                f"response={example_of(known, [name for name in names if name is not None])}"
            )
        if name is not None and name not in known:
            raise InputError(f'fit: response: there is no output "{name}"{did_you_mean(name, known) or there_is(known)}')
        if name is not None:
            _ = table[name]
    if len(names) == 1:
        only = names[0]
        return Ports(None, only) if only is not None and only.rpartition("/")[2] in TIMES else Ports(only, None)
    return Ports(names[0], names[1])


def responses_of(table: Table, ports: Ports, conditions: npt.NDArray[np.int64], undecided: str) -> Responses:
    """
    The responses in a table. `undecided`: what a missing time or choice is: an error, a trial that is left out already, or one without a
    decision.

    Raises `InputError` for missing and impossible values.
    """
    choices = np.zeros(table.count) if ports.choice is None else table.responses(ports.choice)
    times = np.zeros(table.count) if ports.time is None else table.responses(ports.time)
    choices = np.sign(choices) if ports.by_sign else choices
    missing = table.missing(ports)
    if undecided == "error":
        for name, column in ((ports.choice, choices), (ports.time, times)):
            bad = np.flatnonzero(~np.isfinite(column))
            if name is not None and len(bad):
                raise InputError(
                    f"data: {table.called(name)} is {column[bad[0]]:g} in {len(bad)} of {table.count} rows (first in row "
                    f'{table.rows[bad[0]]}); leave these rows out (undecided="drop"), or say undecided="count" if they are trials without '
                    "a decision"
                )
    negative = np.flatnonzero(times < 0.0)
    if len(negative) and ports.time is not None:
        raise InputError(
            f"data: {table.called(ports.time)} is {times[negative[0]]:g} in row {table.rows[negative[0]]}; response times are positive: "
            "leave these rows out"
        )
    if missing.all():
        raise InputError(f"data: no row of {ports} has a value; there is no decision to explain")
    if ports.time is not None and not (EARLIEST < (longest := float(times[~missing].max())) < 1.0 / EARLIEST):
        which = f"0 in all {counted(int((~missing).sum()), 'row')}" if not longest else f"{longest:g} in the longest trial"
        raise InputError(
            f"data: {table.called(ports.time)} is {which}; give response times in the unit of the steps of the model, or leave the column "
            "out, for choices without times"
        )
    found = Responses(ports, choices, np.where(missing, np.nan, times), conditions, missing, undecided != "drop")
    if ports.choice is not None and len(codes := np.unique(found.choices[~missing])) > MOST_CHOICES:
        raise InputError(
            f"data: {table.called(ports.choice)} has {len(codes)} different values; choices are numbers of alternatives. Say which output "
            "holds choices: response=(choice, time)"
        )
    return found


@dataclass(frozen=True, eq=False)
class Conditions:
    """The different conditions in data: for each column that matters, its value in each condition, and the condition of each trial."""

    columns: Mapping[str, Array] = field(default_factory=dict[str, Array])
    of_trial: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    count: int = 1

    def label(self, condition: int) -> str:
        """A condition in a legend: `difficulty=easy, coherence=0.3`."""
        parts = [f"{name}={text_of(values[condition])}" for name, values in self.columns.items()]
        return ", ".join(parts) or "all trials"


def text_of(value: Any) -> str:
    """The value of a column in a name: a number in six digits, or in as many as tell it from others."""
    if not isinstance(value, float):
        return str(value)
    return f"{value:g}" if float(f"{value:g}") == value else repr(float(value))


def conditions_of(table: Table, names: Iterable[str]) -> Conditions:
    """The different combinations of the values of some columns, in the order of their values."""
    columns = {name: table[name] for name in names}
    if not columns:
        return Conditions({}, np.zeros(table.count, np.int64), 1)
    codes: list[Array] = []
    for name, column in columns.items():
        flat = column.reshape(table.count, -1)
        if len(missing := np.flatnonzero(missing_rows(column))):
            raise InputError(
                f'data: column "{name}" is missing in {len(missing)} of {table.count} rows (first in row {table.rows[missing[0]]}); leave '
                "such rows out"
            )
        try:
            codes.append(np.unique(flat, axis=0, return_inverse=True)[1] if flat.dtype != object else _codes(flat))
        except TypeError:
            raise InputError(f'data: column "{name}" mixes numbers and texts; give one kind of values') from None
    _, first, of_trial = np.unique(np.stack([code.ravel() for code in codes], axis=1), axis=0, return_index=True, return_inverse=True)
    return Conditions({name: column[first] for name, column in columns.items()}, of_trial.ravel().astype(np.int64), len(first))


def _codes(flat: Array) -> npt.NDArray[np.int64]:
    """The numbers of the different rows of an array of objects."""
    rows = [tuple(row) for row in flat.tolist()]
    order = {row: number for number, row in enumerate(sorted(set(rows)))}
    return np.array([order[row] for row in rows])
