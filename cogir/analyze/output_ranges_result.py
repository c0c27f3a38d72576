"""
The answer to the question between which numbers the outputs of a model lie.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from cogir.analysis.ranges.values import Number
from cogir.callers import methods_end_at_caller
from cogir.errors import InputError
from cogir.labelled.dataset import Axis, Dataset, Variable, element_names
from cogir.labelled.extras import extra
from cogir.labelled.names import ByName, find, path_of
from cogir.labelled.to_xarray import to_xarray

if TYPE_CHECKING:
    import xarray
    from matplotlib.axes import Axes
    from pandas import DataFrame  # pyright: ignore[reportMissingTypeStubs]

Ends = tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]
MOST_LINES = 40
UNBOUNDED = "no finite bound"
LARGEST = np.finfo(np.float64).max
EXACT_WHOLE, WHOLE = 2.0**53, 2.0**63


@dataclass(frozen=True, eq=False)
class PortRange:
    """The ranges of the elements of an output: arrays of its shape. `nan`: True where it can be NaN."""

    low: npt.NDArray[np.float64]
    high: npt.NDArray[np.float64]
    nan: npt.NDArray[np.bool_]

    @classmethod
    def of(cls, shape: tuple[int, ...], cells: Sequence[Number]) -> PortRange:
        """From the numbers of a walk."""
        low, high = (np.array([float(getattr(each.range, end)) for each in cells]).reshape(shape) for end in ("low", "high"))
        return cls(low, high, np.array([bool(getattr(each.range, "nan", False)) for each in cells]).reshape(shape))

    def of_whole_numbers(self) -> PortRange:
        """The range of whole numbers of 64 bits, whose ends were rounded to floats: beyond 2**53 it is wider by one float on each side."""
        low = np.where(np.abs(self.low) >= EXACT_WHOLE, np.maximum(np.nextafter(self.low, -np.inf), -WHOLE), self.low)
        high = np.where(np.abs(self.high) >= EXACT_WHOLE, np.minimum(np.nextafter(self.high, np.inf), WHOLE), self.high)
        return PortRange(low, high, self.nan)

    @property
    def is_bounded(self) -> bool:
        """True if all elements are finite numbers, whatever happens."""
        return bool(np.isfinite(self.low).all() and np.isfinite(self.high).all() and not self.nan.any())

    @property
    def width(self) -> npt.NDArray[np.float64]:
        """The distance between the ends."""
        with np.errstate(invalid="ignore"):
            return self.high - self.low

    def holds(self, values: npt.ArrayLike) -> npt.NDArray[np.bool_]:
        """True for each value that lies in the range; `values` has the shape of the output, after any further axes."""
        given = np.asarray(values, np.float64)
        return np.where(np.isnan(given), self.nan, (self.low <= given) & (given <= self.high))

    def __repr__(self) -> str:
        columns = (part.reshape(-1).tolist() for part in (self.low, self.high, self.nan))
        return ", ".join(interval(*each) for each in zip(*columns, strict=True))


def unbounded_in_words(port: PortRange) -> str:
    """The kind of a port that is not bounded: infinite or NaN."""
    infinite = (port.low <= port.high) & ~(np.isfinite(port.low) & np.isfinite(port.high))
    return f"has {UNBOUNDED}" if infinite.any() else "can be not a number"


def digits(value: float) -> str:
    """A number in at most six digits."""
    return f"{value:.6g}"


def interval(low: float, high: float, nan: bool = False) -> str:
    """A range in words, with its ends to six digits."""
    if low > high:
        return "not a number"
    if low == -np.inf and high == np.inf:
        text = "any number"
    elif low == high:
        text = f"always {digits(low)}"
    else:
        text = f"{digits(low)} to {digits(high)}"
    return f"{text}, or not a number" if nan else text


@methods_end_at_caller
class OutputRanges(ByName[PortRange]):
    """
    The ranges of the outputs of a model, by `node/port`: `found["decision"].low`, `.high`, `.nan`, `.width`, `.holds(values)`.

    `box`: the ranges of parameters and inputs that it holds for. `trials`: the number of trials, None for any. `draws`: the number of
    standard deviations within which draws were taken to lie; None if they are as large as their generators can make them, so that the
    ranges hold for all runs. `by_trial`: the ranges in each trial, if there are few. `parts`: the ranges for each part of a split box.
    `unbounded`: by output, the operation that makes an end infinite, or a value NaN. True if there is no such output.
    """

    def __init__(
        self,
        name: str,
        ports: Mapping[str, PortRange],
        *,
        box: Mapping[str, Ends],
        trials: int | None,
        draws: float | None,
        has_draws: bool,
        by_trial: Sequence[Mapping[str, PortRange]] = (),
        parts: Sequence[tuple[Mapping[str, Ends], Mapping[str, PortRange]]] = (),
        unbounded: Mapping[str, str] | None = None,
    ):
        self.name = name
        self.ports = dict(ports)
        self.box = dict(box)
        self.trials = trials
        self.draws = draws
        self.has_draws = has_draws
        self.by_trial = list(by_trial)
        self.parts = list(parts)
        self.unbounded = {path: (unbounded or {})[path] for path in self.ports if path in (unbounded or {})}

    def __bool__(self) -> bool:
        return all(port.is_bounded for port in self.ports.values())

    @property
    def hold_always(self) -> bool:
        """True if the ranges hold for every run; False if they hold only for runs without larger draws."""
        return self.draws is None or not self.has_draws

    def _path(self, key: Any) -> str:
        wanted = path_of(key)
        found = next((path for path in self.ports if path == wanted or path.startswith(wanted + "/")), None)
        return found if found is not None else find(wanted, self.ports, "ranges")

    def __getitem__(self, key: Any) -> PortRange:
        """The ranges of an output, by node, by `node/port`, or by handle. Raises `InputError` if there is none."""
        return self.ports[self._path(key)]

    def __iter__(self) -> Iterator[str]:
        return iter(self.ports)

    def __len__(self) -> int:
        return len(self.ports)

    def elements(self) -> Iterator[tuple[str, str, float, float, bool]]:
        """Each element of each output: the output, the element, its range, and whether it can be NaN."""
        for path, port in self.ports.items():
            axes = [Axis("", extent) for extent in port.low.shape]
            for index, name in element_names(path, axes).items():
                yield path, name, port.low[index].item(), port.high[index].item(), port.nan[index].item()

    def __repr__(self) -> str:
        often = "in any number of trials" if self.trials is None else f"in {self.trials} trial{'s' if self.trials > 1 else ''}"
        lines = [f"Outputs of {self.name} {often}"]
        if self.box:
            lines.append("  for " + ", ".join(f"{path} from {shown_ends(ends)}" for path, ends in self.box.items()))
        if self.has_draws:
            within = "as large as their generators can make them" if self.draws is None else f"within {self.draws:g} standard deviations"
            lines.append(f"  random numbers: {within}")
        rows = [(name, interval(low, high, nan)) for _, name, low, high, nan in self.elements()]
        wide = max((len(name) for name, _ in rows), default=0)
        lines += [f"  {name:{wide}}  {text}" for name, text in rows[:MOST_LINES]]
        if len(rows) > MOST_LINES:
            lines.append(f"  and {len(rows) - MOST_LINES} more elements; to_dataframe() has all")
        lines += [f"  {path} {unbounded_in_words(self[path])}: {reason}" for path, reason in self.unbounded.items()]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return f"<pre>{escape(repr(self))}</pre>"

    def to_dataframe(self) -> DataFrame:
        """A table with a row for each element of each output: `output`, `element`, `low`, `high`, `nan`."""
        pandas = extra("pandas", "to_dataframe", "pandas")
        return pandas.DataFrame(list(self.elements()), columns=["output", "element", "low", "high", "nan"])

    def to_xarray(self) -> xarray.Dataset:
        """A dataset with a variable for each output, along an axis `end` with the labels "low" and "high"."""
        end = Axis("end", 2, {"end": np.array(["low", "high"])})
        variables = {
            path: Variable(
                np.stack([port.low, port.high]),
                (end, *(Axis(f"{path}_{place}", extent) for place, extent in enumerate(port.low.shape))),
            )
            for path, port in self.ports.items()
        }
        return to_xarray(Dataset("ranges", (end,), variables, {}, {"model": self.name}))

    def plot(self, axes: Axes | None = None) -> Axes:
        """
        The ranges as bars, an element a row; of a box that is split by one parameter, the range of each output along it. Ranges without a
        finite bound are not drawn, and say so.

        :raises InputError: if no range has finite ends.
        """
        pyplot = extra("matplotlib.pyplot", "plot", "plot")
        if axes is None:
            axes = pyplot.subplots(figsize=(6.4, 4.0), layout="constrained")[1]
        assert axes is not None
        axes.spines[["top", "right"]].set_visible(False)
        if len(self.parts) > 1 and len(self.box) == 1 and all((low < high).sum() == 1 for low, high in self.box.values()):
            self._along(axes)
        else:
            self._bars(axes)
        return axes

    def _bars(self, axes: Any) -> None:
        draw_bars(axes, [(name, low, high, nan) for _, name, low, high, nan in self.elements()], 6)
        axes.set_xlabel("range")

    def _along(self, axes: Any) -> None:
        ((name, (low, high)),) = self.box.items()
        at = int(np.argmax(low < high))
        drawn = False
        for path, port in self.ports.items():
            for index in np.ndindex(port.low.shape):
                rows = np.array(
                    [
                        (float(end.reshape(-1)[at]), float(ports[path].low[index]), float(ports[path].high[index]))
                        for box, ports in self.parts
                        for end in box[name]
                    ]
                )
                parts = rows.reshape(len(self.parts), 2, 3)
                parts[~(np.abs(parts) <= LARGEST_DRAWN).all(axis=(1, 2))] = np.nan
                marks, lows, highs = rows.T
                has_gaps = np.isnan(marks).any() or any(bool(ports[path].nan[index]) for _, ports in self.parts)
                drawn = drawn or not np.isnan(marks).all()
                label = f"{path}{list(index) or ''}{f' ({UNBOUNDED} in places)' if has_gaps else ''}"
                axes.fill_between(marks, lows, highs, alpha=0.4, label=label)
        if not drawn:
            raise InputError(NOTHING_DRAWN)
        axes.set_xlabel(name)
        axes.set_ylabel("range")
        axes.legend(frameon=False)


NOTHING_DRAWN = "plot: no range has finite ends; give ranges of the inputs, or narrower ones"


LARGEST_DRAWN = 1e300
"""Pictures compute with the distances of larger numbers, which overflow."""


def can_be_drawn(*values: float) -> bool:
    """True if numbers are finite, and not too large for a picture."""
    return all(abs(each) <= LARGEST_DRAWN for each in values)


def draw_bars(axes: Any, rows: Sequence[tuple[str, float, float, bool]], width: float) -> None:
    """
    Ranges as bars, the first row on top; those without finite ends are text.

    :raises InputError: if none has finite ends.
    """
    if not any(can_be_drawn(low, high) for _, low, high, _ in rows):
        raise InputError(NOTHING_DRAWN)
    for place, (_, low, high, nan) in enumerate(rows):
        finite = can_be_drawn(low, high)
        if finite:
            axes.plot([low, high], [place, place], linewidth=width, solid_capstyle="butt")
        if not finite or nan:
            axes.annotate(interval(low, high, nan), (1.0, place), xycoords=("axes fraction", "data"), ha="right", va="bottom")
    axes.set_yticks(range(len(rows)), [name for name, *_ in rows])
    axes.set_ylim(len(rows) - 0.5, -0.5)


def shown_ends(ends: Ends) -> str:
    """The ranges of a parameter or input, all elements together where they are alike."""
    low, high = (np.unique(end) for end in ends)
    if low.size == high.size == 1:
        return "any finite number" if high[0] == LARGEST and low[0] == -LARGEST else f"{digits(low[0])} to {digits(high[0])}"
    return f"{digits(low.min())} to {digits(high.max())} (each element in a range of its own)"
