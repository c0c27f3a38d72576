"""
What remains of the replicates at each point of a sweep: means, variances, standard errors, quantiles, histograms, counts, or what a
function makes of them.

    compiled.sweep(points, replicates=10_000, reduce=["mean", "variance"])                     # of all outputs
    compiled.sweep(points, replicates=10_000, reduce={
        "accuracy": Mean(lambda r: r["decision", "choice"] == 1),
        "time": Quantiles("decision/response_time", [0.1, 0.5, 0.9], where=lambda r: r["decision", "choice"] == 1),
    })

Replicates are taken in blocks of a fixed length (`block_length`), in the order of their numbers; within a block numbers are added
pairwise, and blocks are joined in order. So results are the same bits for any number of threads, lanes, chunks or machines.

Trials that a replicate did not have, because its run ended before, count nowhere. NaN of a model goes into means, variances and quantiles,
which then are NaN; histograms and counts say how many values were in none of their places.
"""

from __future__ import annotations

import math
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from cogir.callers import ends_at_caller
from cogir.errors import InputError, did_you_mean, no_attribute, shown
from cogir.labelled.names import ByName, find, path_of
from cogir.runtime.numbers import NotNumbers, as_numbers

__all__ = ["Count", "Counts", "Histogram", "Maximum", "Mean", "Minimum", "Quantiles", "StandardDeviation", "StandardError", "Variance"]

Array: TypeAlias = npt.NDArray[Any]
Partial: TypeAlias = "dict[str, Array]"
"""The partial results of some blocks of replicates, over (points, trials, ...)."""
Of: TypeAlias = Any
"""A quantity: an output port, or a function of all of them."""

LONGEST_BLOCK = 4096
BLOCK_NUMBERS = 2**21
"""No block has more numbers than this, if it has more than one replicate."""
MOST_KEPT = 2**27
"""For quantiles and functions, all values of a point are kept at the same time: at most so many."""


def block_length(trials: int, width: int) -> int:
    """The number of replicates in a block: a power of two that depends on nothing but the numbers in a replicate."""
    most = max(1, min(LONGEST_BLOCK, BLOCK_NUMBERS // max(1, trials * width)))
    return 2 ** (most.bit_length() - 1)


class Block(ByName[Array]):
    """
    The outputs of a block of replicates at some points, by port, as arrays (points, replicates, trials, ...).

    It is indexed as results are: by `node/port`, by node for its first output, or by (node, port).
    """

    def __init__(self, columns: Mapping[str, Array], present: npt.NDArray[np.bool_] | None):
        """`present`: False for the trials that a replicate did not have, (points, replicates, trials); None if there were all."""
        self._columns = columns
        self.present = present
        self.sums: dict[str, Array] = {}
        """The sums over replicates of ports of which all present values count, as several statistics need them."""

    def path(self, key: Any) -> str:
        """The output that a key stands for. Raises `InputError` if there is none."""
        wanted = path_of(key)
        for path in self._columns:
            if path == wanted or path.startswith(wanted + "/"):
                return path
        return find(wanted, self._columns, "reduce")

    def __getitem__(self, key: Any) -> Array:
        return self._columns[self.path(key)]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def part(self, points: slice, replicates: slice) -> Block:
        """Some of the points and replicates."""
        present = None if self.present is None else self.present[points, replicates]
        return Block({path: column[points, replicates] for path, column in self._columns.items()}, present)


ROOM_NUMBERS = 2**18
"""Memory for so many numbers is used again; more is worth asking for anew."""
_rooms = threading.local()


def room_for(use: str, shape: tuple[int, ...]) -> npt.NDArray[np.float64]:
    """
    An array whose memory is used again by the next call of this thread for the same use: nothing of it may be kept.

    Memory that is new each time costs more than the sums in it where the C library gives it back to the system at once (Dask's workers).
    """
    size = math.prod(shape)
    if size > ROOM_NUMBERS:
        return np.empty(shape)
    rooms: dict[str, npt.NDArray[np.float64]] = _rooms.__dict__
    held = rooms.get(use)
    if held is None or len(held) < size:
        held = rooms[use] = np.empty(size)
    return held[:size].reshape(shape)


def pairwise_sum(values: Array) -> Array:
    """The sum over axis 1: neighbours are added, then neighbours of the sums, and so on; the same bits whatever the other axes are."""
    if not values.shape[1]:
        return np.zeros((values.shape[0], *values.shape[2:]), values.dtype)
    rest = (values.shape[0], *values.shape[2:])
    rows = np.ascontiguousarray(values.swapaxes(0, 1)).reshape(values.shape[1], -1)  # so that whole rows are added
    count = len(rows)
    extent = (count + count.bit_length(), rows.shape[1])  # for the sums of all levels
    room = room_for("sums", extent) if values.dtype == np.float64 else np.empty(extent, values.dtype)
    begin = 0
    while count > 1:
        half = count // 2
        sums = room[begin : begin + half + count % 2]
        np.add(rows[: 2 * half : 2], rows[1 : 2 * half : 2], sums[:half])
        if count % 2:
            sums[half] = rows[-1]
        rows, begin, count = sums, begin + len(sums), len(sums)
    return rows[0].reshape(rest).copy()


class Reduction(ABC):
    """
    A statistic over the replicates at each point.

    `of`: an output port ("node/port", a node, or a handle), or a function of a `Block` that returns an array of the same first three axes
    (points, replicates, trials). `where`: a function of a `Block` that returns which values count, or a pair of a port and the value that
    it must have.
    """

    suffix: str
    """The name of the statistic."""
    keeps_unit = False
    """True if the statistic has the unit of the quantity."""
    keeps_trials = True
    """True if there is a result for each trial."""

    def __init__(self, of: Of, *, where: Any = None):
        self.of: Any = of
        self.where: Any = where

    @property
    def name(self) -> str:
        """The name of the result, unless the user gives it one: `node/port/mean`."""
        if callable(self.of):
            return self.suffix
        return f"{path_of(self.of)}/{self.suffix}"

    def values(self, block: Block) -> tuple[Array, npt.NDArray[np.bool_] | None]:
        """The values, (points, replicates, trials, ...), and which of them count, over the same axes; None if all do."""
        if callable(self.of):
            values = np.asarray(self.of(block))
            first = next(iter(block.values()))
            if values.shape[:3] != first.shape[:3]:
                raise InputError(
                    f"reduce: {self.name}: the function returned an array of shape {values.shape}; the first axes (points, replicates, "
                    f"trials) must stay as they are: {first.shape[:3]}"
                )
        else:
            values = block[self.of]
        if values.dtype.kind not in "fiub":
            raise InputError(f"reduce: {self.name}: found values of type {values.dtype}, which are not numbers")
        counted = block.present
        if self.where is not None:
            wanted = self.wanted(block)
            counted = wanted if counted is None else wanted & counted.reshape(counted.shape + (1,) * (wanted.ndim - 3))
        if counted is not None:
            counted = np.broadcast_to(counted.reshape(counted.shape + (1,) * (values.ndim - counted.ndim)), values.shape)
        return values, counted

    def sum_of(self, block: Block, numbers: Array, counted: npt.NDArray[np.bool_] | None) -> Array:
        """The sum of the values that count, over the replicates."""
        path = None if callable(self.of) or self.where is not None else block.path(self.of)
        if path is not None and path in block.sums:
            return block.sums[path]
        found = pairwise_sum(numbers if counted is None else np.where(counted, numbers, 0.0))
        if path is not None:
            block.sums[path] = found
        return found

    def wanted(self, block: Block) -> npt.NDArray[np.bool_]:
        """Which values count."""
        given = cast(object, self.where)
        if callable(given):
            wanted = np.asarray(given(block))
        elif isinstance(given, tuple) and len(pair := cast("tuple[Any, ...]", given)) == 2:
            wanted = block[pair[0]] == pair[1]
        else:
            raise InputError(
                f"reduce: {self.name}: found where={shown(given)}; give a function of the outputs that says which of them count, "
                'or a pair of a port and its value: where=("decision/choice", 1)'
            )
        if wanted.dtype != np.bool_:
            raise InputError(f"reduce: {self.name}: where returned {wanted.dtype} numbers; it must say True or False for each trial")
        return wanted

    @abstractmethod
    def partial(self, block: Block) -> Partial:
        """The partial results of a block."""

    @abstractmethod
    def joined(self, one: Partial, other: Partial) -> Partial:
        """The partial results of two neighbouring ranges of replicates together."""

    @abstractmethod
    def result(self, whole: Partial) -> dict[str, Array]:
        """The results, (points, trials, ...), by what is added to the name: "" for the statistic itself."""

    @property
    def axes(self) -> tuple[tuple[str, Array], ...]:
        """The axes that the result has after those of the values, with their coordinates."""
        return ()

    def must_fit(self, numbers: int) -> None:
        """Refuses more numbers at each point than the statistic can be made of; `numbers`: replicates times trials times elements."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.of!r}{'' if self.where is None else f', where={self.where!r}'})"


def _count(values: Array, counted: npt.NDArray[np.bool_] | None) -> Array:
    """The number of values that count, over (points, trials, ...)."""
    if counted is None:
        return np.full((values.shape[0], *values.shape[2:]), values.shape[1], np.int64)
    return np.count_nonzero(counted, axis=1).astype(np.int64)


class Mean(Reduction):
    """The arithmetic mean; NaN where nothing counts. Of a function that says True or False it is a proportion."""

    suffix = "mean"
    keeps_unit = True

    def partial(self, block: Block) -> Partial:
        values, counted = self.values(block)
        numbers = values.astype(np.float64, copy=False)
        return {
            "count": _count(values, counted),
            "sum": self.sum_of(block, numbers, counted),
        }

    def joined(self, one: Partial, other: Partial) -> Partial:
        return {"count": one["count"] + other["count"], "sum": one["sum"] + other["sum"]}

    def result(self, whole: Partial) -> dict[str, Array]:
        with np.errstate(invalid="ignore", divide="ignore"):
            return {"": whole["sum"] / whole["count"]}


class Variance(Reduction):
    """
    The mean squared distance from the mean, as `np.var`; `ddof=1` divides by one less than the count.

    Blocks are joined by the formula of Chan, Golub and LeVeque (1979).
    """

    suffix = "variance"

    def __init__(self, of: Of, *, where: Any = None, ddof: int = 0):
        super().__init__(of, where=where)
        self.ddof = ddof

    def partial(self, block: Block) -> Partial:
        values, counted = self.values(block)
        numbers = values.astype(np.float64, copy=False)
        count = _count(values, counted)
        with np.errstate(invalid="ignore", divide="ignore"):
            mean = self.sum_of(block, numbers, counted) / count
        squares = room_for("squares", numbers.swapaxes(0, 1).shape).swapaxes(0, 1)  # in the order in which it is summed
        np.subtract(numbers, mean[:, None], out=squares)
        np.multiply(squares, squares, out=squares)
        squares = pairwise_sum(squares if counted is None else np.where(counted, squares, 0.0))
        return {"count": count, "mean": np.where(count > 0, mean, 0.0), "squares": squares}

    def joined(self, one: Partial, other: Partial) -> Partial:
        count = one["count"] + other["count"]
        away = other["mean"] - one["mean"]
        with np.errstate(invalid="ignore", divide="ignore"):
            share = np.where(count > 0, other["count"] / count, 0.0)
        return {
            "count": count,
            "mean": np.where(one["count"] > 0, one["mean"] + away * share, other["mean"]),
            "squares": one["squares"] + other["squares"] + np.where(one["count"] > 0, away * away * share * one["count"], 0.0),
        }

    def result(self, whole: Partial) -> dict[str, Array]:
        with np.errstate(invalid="ignore", divide="ignore"):
            left = whole["count"] - self.ddof
            return {"": np.where(left > 0, whole["squares"] / left, np.nan)}


class StandardDeviation(Variance):
    """The square root of the variance, as `np.std`."""

    suffix = "sd"
    keeps_unit = True

    def result(self, whole: Partial) -> dict[str, Array]:
        return {"": np.sqrt(super().result(whole)[""])}


class StandardError(StandardDeviation):
    """
    The standard error of the mean, as `scipy.stats.sem`: the standard deviation over the square root of the count. The deviation is divided
    by one less than the count, unless `ddof` says otherwise; NaN of a single value.
    """

    suffix = "sem"

    def __init__(self, of: Of, *, where: Any = None, ddof: int = 1):
        super().__init__(of, where=where, ddof=ddof)

    def result(self, whole: Partial) -> dict[str, Array]:
        with np.errstate(invalid="ignore", divide="ignore"):
            return {"": super().result(whole)[""] / np.sqrt(whole["count"])}


class Count(Reduction):
    """The number of values that count."""

    suffix = "count"

    def partial(self, block: Block) -> Partial:
        return {"count": _count(*self.values(block))}

    def joined(self, one: Partial, other: Partial) -> Partial:
        return {"count": one["count"] + other["count"]}

    def result(self, whole: Partial) -> dict[str, Array]:
        return {"": whole["count"]}


class Minimum(Reduction):
    """The smallest value; NaN where nothing counts, or a value is NaN."""

    suffix = "minimum"
    keeps_unit = True
    _best: np.ufunc = np.minimum
    _none = math.inf

    def partial(self, block: Block) -> Partial:
        values, counted = self.values(block)
        numbers = values.astype(np.float64, copy=False)
        kept = numbers if counted is None else np.where(counted, numbers, self._none)
        return {"count": _count(values, counted), "best": self._best.reduce(kept, axis=1, initial=self._none)}

    def joined(self, one: Partial, other: Partial) -> Partial:
        return {"count": one["count"] + other["count"], "best": self._best(one["best"], other["best"])}

    def result(self, whole: Partial) -> dict[str, Array]:
        return {"": np.where(whole["count"] > 0, whole["best"] + 0.0, np.nan)}  # of two zeros, the one without a sign


class Maximum(Minimum):
    """The largest value; NaN where nothing counts, or a value is NaN."""

    suffix = "maximum"
    _best: np.ufunc = np.maximum
    _none = -math.inf


class _OfAllValues(Reduction):
    """A statistic for which all values of a point are kept."""

    def must_fit(self, numbers: int) -> None:
        if numbers > MOST_KEPT:
            raise InputError(
                f"reduce: {self.name}: {numbers:,} values at each point would be kept at the same time, but {MOST_KEPT:,} is the limit; "
                "use a Histogram, which keeps counts, or fewer replicates"
            )


class Quantiles(_OfAllValues):
    """
    Quantiles by linear interpolation between the values in order (NumPy's method "linear"; definition 7 of Hyndman and Fan 1996), exact;
    NaN where nothing counts, or a value is NaN. The result has the axis `quantile` at its end.
    """

    suffix = "quantiles"
    keeps_unit = True

    def __init__(self, of: Of, q: Any = (0.1, 0.25, 0.5, 0.75, 0.9), *, where: Any = None):
        """`q`: numbers from 0 to 1."""
        super().__init__(of, where=where)
        try:
            self.q = np.atleast_1d(as_numbers(q))
        except NotNumbers as reason:
            raise InputError(f"Quantiles: {reason}; give numbers from 0 to 1") from None
        if self.q.ndim != 1 or not self.q.size or not ((self.q >= 0.0) & (self.q <= 1.0)).all():
            raise InputError(f"Quantiles: q is {shown(q)}; give numbers from 0 to 1")

    @property
    def axes(self) -> tuple[tuple[str, Array], ...]:
        return (("quantile", self.q),)

    def partial(self, block: Block) -> Partial:
        values, counted = self.values(block)
        numbers = values.astype(np.float64, copy=False)
        return {"values": numbers if counted is None else np.where(counted, numbers, np.inf), "count": _count(values, counted)}

    def joined(self, one: Partial, other: Partial) -> Partial:
        return {"values": np.concatenate([one["values"], other["values"]], axis=1), "count": one["count"] + other["count"]}

    def result(self, whole: Partial) -> dict[str, Array]:
        # What does not count is infinite and comes last, NaN after it.
        ordered, count = np.sort(whole["values"], axis=1), whole["count"]
        last = np.maximum(count - 1, 0)
        found: list[Array] = []
        for q in self.q.tolist():
            place = last * q
            below = np.floor(place).astype(np.int64)
            above = np.minimum(below + 1, last)
            low: Array = np.take_along_axis(ordered, below[:, None], axis=1)[:, 0]
            high: Array = np.take_along_axis(ordered, above[:, None], axis=1)[:, 0]
            part: Array = place - below
            with np.errstate(invalid="ignore"):
                between: Array = np.where(part < 0.5, low + (high - low) * part, high - (high - low) * (1.0 - part))
            found.append(np.where((low == high) | (part == 0.0), low, between))
        is_known = (count > 0) & ~np.isnan(ordered).any(axis=1)
        return {"": np.where(is_known[..., None], np.stack(found, axis=-1), np.nan)}


class Histogram(Reduction):
    """
    How many values lie in each bin, as `np.histogram` counts: bins are closed at their lower ends, the last one at both. The result has the
    axis `bin` at its end, whose coordinates are the lower ends; `below`, `above` and `nan` say how many values were in no bin.
    """

    suffix = "histogram"

    def __init__(self, of: Of, edges: Any, *, where: Any = None):
        """`edges`: the ends of the bins, growing."""
        super().__init__(of, where=where)
        try:
            self.edges = as_numbers(edges)
        except NotNumbers as reason:
            raise InputError(f"Histogram: {reason}; give the edges of the bins as growing numbers") from None
        if self.edges.ndim != 1 or self.edges.size < 2 or not (np.diff(self.edges) > 0.0).all():
            raise InputError(f"Histogram: edges is {shown(edges)}; give the edges of the bins as growing numbers, two at least")

    @property
    def axes(self) -> tuple[tuple[str, Array], ...]:
        return (("bin", self.edges[:-1]),)

    def partial(self, block: Block) -> Partial:
        values, counted = self.values(block)
        numbers = values.astype(np.float64, copy=False)
        bins = len(self.edges) - 1
        # Places: 0 is below, 1 to bins are the bins, bins + 1 is above, bins + 2 is NaN.
        places = np.searchsorted(self.edges, numbers, side="right")
        places = np.where(numbers == self.edges[-1], bins, places)
        places = np.where(np.isnan(numbers), bins + 2, places)
        return {"counts": _tally(places, counted, bins + 3)}

    def joined(self, one: Partial, other: Partial) -> Partial:
        return {"counts": one["counts"] + other["counts"]}

    def result(self, whole: Partial) -> dict[str, Array]:
        counts = whole["counts"]
        return {"": counts[..., 1:-2], "below": counts[..., 0], "above": counts[..., -2], "nan": counts[..., -1]}


class Counts(Reduction):
    """
    How often each of some values occurred. The result has the axis `value` at its end; `other` says how many values were none of them, NaN
    included.
    """

    suffix = "counts"

    def __init__(self, of: Of, values: Any, *, where: Any = None):
        super().__init__(of, where=where)
        try:
            self.of_values = as_numbers(values)
        except NotNumbers as reason:
            raise InputError(f"Counts: {reason}; give the values to count as numbers") from None
        if self.of_values.ndim != 1 or not self.of_values.size or len(np.unique(self.of_values)) != len(self.of_values):
            raise InputError(f"Counts: values is {shown(values)}; give the values to count, each once")

    @property
    def axes(self) -> tuple[tuple[str, Array], ...]:
        return (("value", self.of_values),)

    def partial(self, block: Block) -> Partial:
        values, counted = self.values(block)
        numbers = values.astype(np.float64, copy=False)
        order = np.argsort(self.of_values)
        nearest = np.minimum(np.searchsorted(self.of_values[order], numbers), len(order) - 1)
        is_known = self.of_values[order][nearest] == numbers
        return {"counts": _tally(np.where(is_known, order[nearest], len(order)), counted, len(order) + 1)}

    def joined(self, one: Partial, other: Partial) -> Partial:
        return {"counts": one["counts"] + other["counts"]}

    def result(self, whole: Partial) -> dict[str, Array]:
        return {"": whole["counts"][..., :-1], "other": whole["counts"][..., -1]}


def _tally(places: Array, counted: npt.NDArray[np.bool_] | None, count: int) -> Array:
    """The number of times that each of `count` places occurs over the replicates, (points, trials, ..., count)."""
    cells = np.moveaxis(places, 1, -1)
    shape = cells.shape[:-1]
    number = math.prod(shape)
    flat = cells.reshape(number, cells.shape[-1]) + count * np.arange(number)[:, None]
    if counted is None:
        found = np.bincount(flat.ravel(), minlength=count * number)
    else:
        found = np.bincount(flat[np.moveaxis(counted, 1, -1).reshape(number, cells.shape[-1])], minlength=count * number)
    return found.astype(np.int64, copy=False).reshape(*shape, count)


class OwnFunction(_OfAllValues):
    """
    What a function of your own makes of the replicates at one point: it gets their outputs as arrays (replicates, trials, ...), by port,
    and returns a number, or an array of the same shape at every point. It is called once for each point.
    """

    suffix = "function"
    keeps_trials = False

    def __init__(self, function: Callable[[Mapping[str, Array]], Any]):
        super().__init__(function)

    def partial(self, block: Block) -> Partial:
        present = {} if block.present is None else {"": block.present}
        return {**{path: np.ascontiguousarray(block[path]) for path in block}, **present}

    def joined(self, one: Partial, other: Partial) -> Partial:
        if ("" in one) != ("" in other):
            one, other = (held if "" in held else held | {"": _all_present(held)} for held in (one, other))
        return {path: np.concatenate([one[path], other[path]], axis=1) for path in one}

    def result(self, whole: Partial) -> dict[str, Array]:
        columns = {path: values for path, values in whole.items() if path}
        present = whole.get("")
        found: list[Array] = []
        for point in range(len(next(iter(columns.values())))):
            held = {path: values[point] for path, values in columns.items()}
            made: Array = np.asarray(self.of(Block(held, None if present is None else present[point])))
            if made.dtype.kind not in "fiub" or (found and made.shape != found[0].shape):
                wanted = f"an array of shape {found[0].shape}, as at the point before" if found else "a number or an array of numbers"
                raise InputError(f"reduce: {self.name}: the function returned {shown(made.tolist())}; it must return {wanted}")
            found.append(made)
        return {"": np.stack(found)}

    @property
    def name(self) -> str:
        return getattr(self.of, "__name__", self.suffix)


def _all_present(columns: Partial) -> Array:
    return np.ones(next(iter(columns.values())).shape[:3], np.bool_)


BY_NAME: dict[str, type[Reduction]] = {
    kind.suffix: kind for kind in (Mean, Variance, StandardDeviation, StandardError, Count, Minimum, Maximum, Quantiles)
}
"""The statistics that a word stands for."""


def reductions_of(given: Any, ports: Iterable[str]) -> dict[str, Reduction]:
    """
    The reductions that users ask for, by the names of their results: of a word ("mean"), for each port; of a dict, its names.

    Raises `InputError` for what is none.
    """
    ports = list(ports)
    if isinstance(given, Mapping):
        found: dict[str, Reduction] = {}
        for name, held in cast("Mapping[Any, Any]", given).items():
            if not isinstance(name, str) or not name:
                raise InputError(f"sweep: reduce: found {shown(name)} as the name of a result; give a text")
            found[name] = _reduction(held)
    else:
        listed = [given] if isinstance(given, str | Reduction) or callable(given) else list(cast("Sequence[Any]", _several(given)))
        found = {}
        for held in listed:
            made = [BY_NAME[held](port) for port in ports] if isinstance(held, str) and held in BY_NAME else [_reduction(held)]
            for one in made:
                if one.name in found:
                    raise InputError(f'sweep: reduce: two results are called "{one.name}"; give a dict with a name for each')
                found[one.name] = one
    if not found:
        raise InputError("sweep: reduce is empty; leave it out to keep all replicates")
    return found


def _several(given: Any) -> Any:
    if isinstance(given, list | tuple):
        return cast(Any, given)
    raise InputError(f"sweep: reduce is {shown(given)}; {_REMEDY}")


_REMEDY = f"give one or several of {', '.join(map(repr, BY_NAME))}, or a dict from names to statistics or functions"


def _reduction(given: Any) -> Reduction:
    """A reduction, or a function as one."""
    if isinstance(given, Reduction):
        return given
    if callable(given) and not isinstance(given, type):
        return OwnFunction(given)
    near = did_you_mean(given, BY_NAME) if isinstance(given, str) else ""
    raise InputError(f"sweep: reduce: found {shown(given)}{near or f'; {_REMEDY}'}")


def __dir__() -> list[str]:
    """The statistics."""
    return sorted(__all__)


if not TYPE_CHECKING:  # type checkers would take any name for a statistic

    @ends_at_caller
    def __getattr__(name: str) -> object:
        raise no_attribute("cogir.reductions", name, __all__)
