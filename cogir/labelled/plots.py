"""
The usual pictures of labelled data, with matplotlib.

    response_times   histograms of response times by choice: upwards one choice, downwards the other
    trajectories     elements over trials; of replicates the mean, and the range of the middle 80 %
    histogram        the distribution of each element over all trials
    line, map        of a sweep: the mean over replicates and trials over one parameter (with its 95 % interval), or over two
    curve            the loss over epochs
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from cogir.errors import InputError, counted, did_you_mean, shown
from cogir.labelled.dataset import REPLICATES, UNFINISHED, Array, Axis, Dataset, Variable, element_names
from cogir.labelled.extras import extra
from cogir.labelled.names import find
from cogir.labelled.summary import raised_flags

if TYPE_CHECKING:
    from matplotlib.axes import Axes

REPEATED = ("replicate", "trial")
"""The axes along which the same thing is done again."""
TIMES = ("response_time", "time")
"""The ports that hold response times."""
COLOURS = ("#2f6db3", "#d9652b", "#3f9a6c", "#8b62b5", "#c2953a", "#5b6b7a", "#b8477d", "#4aa5b5", "#7d8f2f", "#a05a45")
DARK = "#30363d"
TICKS = 8
"""Along a map with at most so many values each of them has its tick."""
LEGEND = 10
"""With more lines than these there is no legend."""


@dataclass
class Drawing:
    """The data, the variable to show, and the axes to draw in."""

    dataset: Dataset
    name: str
    variable: Variable
    element: str | None
    """The only element to show, if one is chosen."""
    axes: Any

    @property
    def shared(self) -> tuple[Axis, ...]:
        """The shared axes that the variable has."""
        return self.dataset.shared_axes(self.variable)

    @property
    def has_trials(self) -> bool:
        """True if the variable has all shared axes; a statistic of all trials has only those before them."""
        return len(self.shared) == len(self.dataset.axes)

    def elements(self) -> dict[str, Array]:
        """The values of each element over the shared axes, NaN where there was no trial."""
        values = self.variable.values
        kept = self.dataset.kept() if self.has_trials else None
        shared = len(self.shared)
        if kept is not None:
            mask = np.broadcast_to(kept, self.dataset.extents).reshape(*self.dataset.extents, *[1] * (values.ndim - shared))
            values = np.where(mask, values, np.nan)
        every = (slice(None),) * shared
        names = element_names(self.name, self.variable.axes[shared:])
        return {
            heading: values[(*every, *index)].astype(np.float64)
            for index, heading in names.items()
            if self.element is None or heading == self.element
        }

    def label(self, heading: str) -> str:
        """An element and its unit, for an axis."""
        return f"{heading} ({self.variable.unit})" if self.variable.unit else heading

    def labelled_values(self, elements: Mapping[str, Array]) -> str:
        """The name of the values of the picture, for an axis."""
        return self.label(next(iter(elements)) if len(elements) == 1 else self.name)

    def mark(self, heading: str) -> str:
        """The mark that tells an element from the others of its variable: a label or an index."""
        return heading.removeprefix(self.name).removeprefix("[").removesuffix("]").replace("][", ", ") or heading

    def legend(self, elements: Mapping[str, Array]) -> None:
        """A legend for several elements, by what tells them apart."""
        if 1 < len(elements) <= LEGEND:
            self.axes.legend(frameon=False)


def plot(dataset: Dataset, variable: str | None, kind: str | None, axes: Axes | None) -> Axes:
    """The picture of a kind (default: the usual one) of a variable (default: the most telling one)."""
    pyplot = extra("matplotlib.pyplot", "plot", "plot")
    if not dataset.variables:
        raise InputError("plot: there is no output to show")
    if kind is not None and kind not in PAINTERS:
        raise InputError(f"plot: kind is {shown(kind)}{did_you_mean(str(kind), PAINTERS) or '; give one of ' + ', '.join(PAINTERS)}")
    name, element = _chosen(dataset, variable)
    if not dataset.variables[name].values.size:
        raise InputError(f'plot: "{name}" has no values: {" x ".join(map(str, dataset.variables[name].values.shape))}')
    kind = kind or _usual_kind(dataset, name, variable is not None)
    if axes is None:
        axes = pyplot.subplots(figsize=(6.4, 4.0), layout="constrained")[1]
    elif not hasattr(axes, "plot"):
        raise InputError(f"plot: axes is {shown(axes)}; give matplotlib axes, such as those of pyplot.subplots()")
    assert axes is not None
    axes.spines[["top", "right"]].set_visible(False)
    PAINTERS[kind](Drawing(dataset, name, dataset.variables[name], element, axes))
    note = "" if kind == "response_times" else _unfinished(dataset, name)  # there the title says how many were undecided
    if note:
        cast(Any, axes).set_title(", ".join(filter(None, (axes.get_title(), note))), fontsize="medium")
    return axes


def _unfinished(dataset: Dataset, name: str) -> str:
    """The share of unfinished trials of the node of a variable, of a statistic that of all nodes; empty if there are none."""
    raised = raised_flags(dataset, UNFINISHED)
    own = {node: counts for node, counts in raised.items() if name.startswith(f"{node}/")}
    counted = own or (raised if REPLICATES in dataset.beside else {})
    return ", ".join(
        f"{100 * count / trials:.1f} % unfinished" + ("" if node in own or len(counted) == 1 else f" ({node})")
        for node, (count, trials) in counted.items()
    )


def _chosen(dataset: Dataset, wanted: str | None) -> tuple[str, str | None]:
    """The variable, and the element, of a name; without one, a response time if there is one, else the first variable."""
    names = list(dataset.variables)
    if wanted is None:
        return next((name for name in names if _port(name) == TIMES[0]), next((n for n in names if _port(n) == TIMES[1]), names[0])), None
    owner, bracket, marks = wanted.partition("[")
    found = next((name for name in names if name == owner or name.startswith(owner + "/")), None)
    known: dict[str, str | None] = {**dict.fromkeys(name.rpartition("/")[0] for name in names if "/" in name), **dict.fromkeys(names)}
    if found is None:
        find(owner, known, "plot")
        raise InputError(f'plot: "{owner}" is no output')
    variable = dataset.variables[found]
    elements = dict.fromkeys(element_names(found, variable.axes[len(dataset.shared_axes(variable)) :]).values())
    return found, find(f"{found}[{marks}", elements, "plot") if bracket else None


def _port(name: str) -> str:
    return name.rpartition("/")[2]


def _swept(dataset: Dataset) -> list[Axis]:
    """The shared axes along which a parameter varies."""
    return [axis for axis in dataset.axes if axis.name not in REPEATED]


def _usual_kind(dataset: Dataset, name: str, is_chosen: bool) -> str:
    if dataset.kind == "learned":
        return "curve"
    swept = _swept(dataset)
    if swept:
        if len(swept) > 2:
            names = ", ".join(f'"{axis.name}"' for axis in swept)
            raise InputError(f"plot: the data has {len(swept)} swept axes ({names}), and a picture two at most; reduce the others first")
        return "map" if len(swept) == 2 else "line"
    single = dataset.variables[name].values.ndim == len(dataset.axes)
    if _port(name) in TIMES and single and _choices(dataset, name) is not None:
        return "response_times"
    several = bool(dataset.axes) and dataset.axes[-1].name == "trial" and dataset.axes[-1].size > 1
    return "trajectories" if several else "histogram"


def _choices(dataset: Dataset, time: str) -> tuple[Array, Callable[[float], str]] | None:
    """The choice of each trial beside a response time, and how each is called: the port `choice` of the node, or the sign of `value`."""
    node = time.rpartition("/")[0]
    shape = dataset.variables[time].values.shape
    choice, value = (dataset.variables.get(f"{node}/{port}") for port in ("choice", "value"))
    if choice is not None and choice.values.size == dataset.variables[time].values.size:
        return choice.values.reshape(shape).astype(np.float64), lambda number: f"choice {number:g}"
    if value is not None and _port(time) != "value" and value.values.size == dataset.variables[time].values.size:
        sides = {1.0: "value > 0", -1.0: "value < 0", 0.0: "value = 0"}
        return np.sign(value.values.reshape(shape).astype(np.float64)), lambda number: sides.get(number, "value is NaN")
    return None


def response_times(picture: Drawing) -> None:
    """Histograms by choice. The times of undecided trials say nothing; their share stands in the title."""
    dataset, name, axes = picture.dataset, picture.name, picture.axes
    found = _choices(dataset, name)
    if found is None or not picture.has_trials or picture.variable.values.ndim != len(picture.shared):
        raise InputError(f'plot: "{name}" is no response time with a choice beside it; give a port such as "decision/response_time"')
    choices, called = found
    times = picture.variable.values.astype(np.float64)
    kept = dataset.kept()
    there = ~np.isnan(times) if kept is None else np.broadcast_to(kept, times.shape) & ~np.isnan(times)
    flag = dataset.beside.get(f"{UNFINISHED}{name.rpartition('/')[0]}")
    undecided = np.zeros_like(there) if flag is None else flag.values.astype(np.bool_)
    if {-1.0, 0.0} <= set(np.unique(choices[there]).tolist()):
        undecided = undecided | (choices == 0.0)
    decided = there & ~undecided
    total, count = int(np.count_nonzero(there)), int(np.count_nonzero(decided))
    if not count:
        raise InputError(f"plot: none of {counted(total, 'trial')} was decided; raise max_executions_before_finished, or show another port")
    known = sorted(np.unique(choices[decided]).tolist(), reverse=True)
    edges = _edges(times[decided])
    for place, number in enumerate(known):
        chosen = times[decided & (choices == number)]
        heights = np.histogram(chosen, edges)[0].astype(np.float64)
        unit = f" {picture.variable.unit}" if picture.variable.unit else ""
        text = f"{called(number)}: {100 * len(chosen) / count:.1f} %, median {np.median(chosen):.3g}{unit}"
        down = place == 1 and len(known) == 2
        if len(known) <= 2:
            axes.stairs(-heights if down else heights, edges, fill=True, color=COLOURS[place], alpha=0.85, label=text)
        else:
            axes.stairs(heights, edges, color=COLOURS[place % len(COLOURS)], linewidth=1.6, label=text)
    if len(known) == 2:
        axes.axhline(0.0, color=DARK, linewidth=0.8)
        axes.yaxis.set_major_formatter(_without_sign)
    axes.set(xlabel=picture.label(name), ylabel="trials per bin", xlim=(edges[0], edges[-1]))
    lost = total - count
    axes.set_title(counted(total, "trial") + (f", {100 * lost / total:.1f} % undecided" if lost else ""), fontsize="medium")
    axes.legend(frameon=False, loc="upper right")


def _without_sign(value: float, _: int) -> str:
    """The mark of a tick of the counts, which go up and down."""
    return f"{abs(value):g}"


def _edges(values: Array) -> Array:
    """The edges of 15 to 80 bins, up to the 99.8th percentile if there is a long tail behind it."""
    low, high = float(values.min()), float(values.max())
    if not np.isfinite(high - low):
        values = values[np.isfinite(values)]
        low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 1.0)
    tail = float(np.quantile(values, 0.998)) if len(values) else high
    high = tail if high - low > 1.5 * (tail - low) > 0.0 else high
    if high == low:
        return np.linspace(low - 0.5, high + 0.5, 16)
    spread = float(np.subtract(*np.quantile(values, (0.75, 0.25))))
    width = 2.0 * spread / len(values) ** (1.0 / 3.0)
    return np.linspace(low, high, 1 + int(min(80, max(15, (high - low) / width if width > 0.0 else 30))))


def histogram(picture: Drawing) -> None:
    """The distribution of each element over all trials."""
    axes, elements = picture.axes, picture.elements()
    flat = {heading: values[np.isfinite(values)] for heading, values in elements.items()}
    if not any(map(len, flat.values())):
        raise InputError(f'plot: "{picture.name}" has no finite values')
    every = np.concatenate([*flat.values()])
    numbers = np.unique(every)
    is_whole = len(numbers) <= 30 and np.array_equal(numbers, np.rint(numbers))
    low, high = float(numbers[0]), float(numbers[-1])
    if is_whole and high - low <= 60:
        _bars(picture, flat)
    else:
        edges = _edges(every)
        for place, (heading, values) in enumerate(flat.items()):
            heights, colour = np.histogram(values, edges)[0], COLOURS[place % len(COLOURS)]
            if len(flat) == 1:
                axes.stairs(heights, edges, fill=True, color=colour, alpha=0.85)
            else:
                axes.stairs(heights, edges, color=colour, linewidth=1.6, label=picture.mark(heading))
        axes.set(ylabel="trials per bin", xlim=(edges[0], edges[-1]))
    axes.set_xlabel(picture.labelled_values(elements))
    axes.set_ylim(bottom=0)
    axes.set_title(counted(max(map(len, flat.values())), "trial"), fontsize="medium")
    picture.legend(elements)


def _bars(picture: Drawing, elements: Mapping[str, Array]) -> None:
    """The counts of whole numbers as bars, those of several elements side by side."""
    width = 0.8 / len(elements)
    for place, (heading, values) in enumerate(elements.items()):
        numbers, counts = np.unique(values, return_counts=True)
        shift = (place - 0.5 * (len(elements) - 1)) * width
        colour = COLOURS[place % len(COLOURS)]
        picture.axes.bar(numbers + shift, counts, width, color=colour, alpha=0.85, label=picture.mark(heading))
    picture.axes.set_ylabel("trials")
    picture.axes.xaxis.get_major_locator().set_params(integer=True)


def trajectories(picture: Drawing) -> None:
    """Each element over trials; of replicates the mean, and the range between the 10th and the 90th percentile."""
    axes, dataset = picture.axes, picture.dataset
    elements = picture.elements()
    if not dataset.axes or _swept(dataset):
        raise InputError('plot: trajectories are over trials; this data has no trials alone; give kind="line" or "map"')
    positions = dataset.axes[-1].index
    for place, (heading, values) in enumerate(elements.items()):
        colour = COLOURS[place % len(COLOURS)]
        if values.ndim == 1:
            style = {"marker": "o", "markersize": 3.5} if len(positions) <= 50 else {}
            axes.plot(positions, values, color=colour, linewidth=1.2, label=picture.mark(heading), **style)
        else:
            middle, low, high = _over_replicates(values)
            axes.fill_between(positions, low, high, color=colour, alpha=0.18, linewidth=0)
            axes.plot(positions, middle, color=colour, linewidth=1.6, label=picture.mark(heading))
    axes.set(xlabel=dataset.axes[-1].name, ylabel=picture.labelled_values(elements))
    if len(positions) > 1:
        axes.set_xlim(positions[0], positions[-1])
    axes.xaxis.get_major_locator().set_params(integer=True)
    if len(dataset.axes) > 1:
        axes.set_title(f"{counted(dataset.axes[0].size, 'replicate')}: mean, 10th to 90th percentile", fontsize="medium")
    picture.legend(elements)


def _over_replicates(values: Array) -> tuple[Array, Array, Array]:
    """The mean and two percentiles of each trial over replicates; NaN for trials that no replicate had."""
    found = np.full((3, values.shape[-1]), np.nan)
    for trial, column in enumerate(values.reshape(-1, values.shape[-1]).T):
        there = column[~np.isnan(column)]
        if len(there):
            found[:, trial] = there.mean(), *np.quantile(there, (0.1, 0.9))
    return found[0], found[1], found[2]


def _along_swept(picture: Drawing, values: Array) -> tuple[Array, Array]:
    """The mean over replicates and trials, and half of its 95 % interval (NaN if there is one value only)."""
    repeated = tuple(place for place, axis in enumerate(picture.shared) if axis.name in REPEATED)
    if not repeated:
        return values, np.full(values.shape, np.nan)
    count = np.count_nonzero(~np.isnan(values), axis=repeated).astype(np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.nansum(values, axis=repeated) / count
        spread = np.nansum((values - np.expand_dims(mean, repeated)) ** 2, axis=repeated) / (count - 1.0)
        return mean, 1.96 * np.sqrt(spread / count)


def _positions(axis: Axis, set_ticks: Callable[..., Any], at_all: bool = False) -> tuple[Array, str]:
    """
    The numbers along a swept axis, and its name; `at_all`: each number gets a tick.

    Texts, and several quantities that vary together, get their place as a number, and ticks with what they are there.
    """
    shown = _shown_coordinates(axis)
    called = ", ".join(f"{name} ({axis.units[name]})" if name in axis.units else name for name in shown)
    marks = next(iter(shown.values()))
    if len(shown) == 1 and marks.dtype.kind in "biuf":
        if at_all:
            set_ticks(marks, [f"{mark:g}" for mark in marks.tolist()])
        return marks.astype(np.float64), called
    texts = [
        ", ".join(mark if isinstance(mark, str) else f"{mark:.4g}" for mark in together) for together in zip(*shown.values(), strict=True)
    ]
    places = range(axis.size) if marks.dtype.kind not in "biuf" else _spread(axis.size)
    set_ticks(places, [texts[place] for place in places])
    return np.arange(axis.size, dtype=np.float64), called


def _shown_coordinates(axis: Axis) -> dict[str, Array]:
    """The coordinates that stand along an axis in a picture: its own, else labels, else those that vary, else the positions."""
    if axis.name in axis.coordinates or not axis.coordinates:
        return {axis.name: axis.index}
    labels = {name: marks for name, marks in axis.coordinates.items() if marks.dtype.kind not in "biuf"}
    varying = {name: marks for name, marks in axis.coordinates.items() if (marks != marks[0]).any()}
    return labels or varying or dict(axis.coordinates)


def _spread(size: int) -> list[int]:
    """Places along an axis for a few ticks, evenly spaced."""
    return list(range(0, size, -(-size // TICKS)))


def line(picture: Drawing) -> None:
    """The mean over replicates and trials along one swept parameter, with its 95 % interval."""
    axes, elements, swept = picture.axes, picture.elements(), _swept(picture.dataset)
    if len(swept) != 1:
        raise InputError(f"plot: a line is over one swept parameter; this data has {len(swept)}")
    positions, name = _positions(swept[0], axes.set_xticks)
    order = np.argsort(positions)
    for place, (heading, values) in enumerate(elements.items()):
        mean, half = _along_swept(picture, values)
        colour = COLOURS[place % len(COLOURS)]
        if np.isfinite(half).any():
            axes.fill_between(positions[order], (mean - half)[order], (mean + half)[order], color=colour, alpha=0.2, linewidth=0)
        axes.plot(positions[order], mean[order], "o-", color=colour, markersize=4, linewidth=1.6, label=picture.mark(heading))
    axes.set(xlabel=name, ylabel=picture.labelled_values(elements))
    if any(axis.name in REPEATED and axis.size > 1 for axis in picture.shared):
        axes.set_title("mean, 95 % interval", fontsize="medium")
    picture.legend(elements)


def heat_map(picture: Drawing) -> None:
    """The mean over replicates and trials along two swept parameters, in colours."""
    axes, elements, swept = picture.axes, picture.elements(), _swept(picture.dataset)
    if len(swept) != 2:
        raise InputError(f"plot: a map is over two swept parameters; this data has {len(swept)}")
    heading, values = next(iter(elements.items()))
    mean, _ = _along_swept(picture, values)
    ys, down = _positions(swept[0], axes.set_yticks, swept[0].size <= TICKS)
    xs, across = _positions(swept[1], axes.set_xticks, swept[1].size <= TICKS)
    rows, columns = np.argsort(ys), np.argsort(xs)
    drawn = axes.pcolormesh(xs[columns], ys[rows], mean[np.ix_(rows, columns)], shading="nearest", cmap="viridis")
    axes.figure.colorbar(drawn, ax=axes, label=picture.label(heading))
    axes.spines[["top", "right"]].set_visible(True)
    axes.set(xlabel=across, ylabel=down)
    if len(elements) > 1:
        axes.set_title(f"one of {len(elements)} elements", fontsize="medium")


def curve(picture: Drawing) -> None:
    """The mean loss of each epoch, and the range of its batches."""
    axes, dataset = picture.axes, picture.dataset
    if dataset.kind != "learned":
        raise InputError(f"plot: a learning curve is of what a model has learned; this is a {dataset.kind}")
    losses = picture.variable.values
    epochs = 1 + np.arange(len(losses))
    if losses.shape[1] > 1:
        axes.fill_between(
            epochs, losses.min(axis=1), losses.max(axis=1), color=COLOURS[0], alpha=0.18, linewidth=0, label="range of batches"
        )
    mean = losses.mean(axis=1)
    axes.plot(
        epochs, mean, color=COLOURS[0], linewidth=1.6, label="mean", **({"marker": "o", "markersize": 3.5} if len(epochs) <= 30 else {})
    )
    finite = losses[np.isfinite(losses)]
    if len(finite) and finite.min() > 0.0 and mean[np.isfinite(mean)].max(initial=0.0) > 30.0 * mean[np.isfinite(mean)].min(initial=np.inf):
        axes.set_yscale("log")
    axes.set(xlabel="epoch", ylabel=picture.label(picture.name))
    axes.set_title(f"{counted(len(losses), 'epoch')} of {losses.shape[1]:,} batch{'es' * (losses.shape[1] != 1)}", fontsize="medium")
    if losses.shape[1] > 1:
        axes.legend(frameon=False)


PAINTERS: dict[str, Callable[[Drawing], None]] = {
    "response_times": response_times,
    "trajectories": trajectories,
    "histogram": histogram,
    "line": line,
    "map": heat_map,
    "curve": curve,
}
