"""
The usual pictures of labelled data, with matplotlib.

    response_times   histograms of response times by choice: upwards one choice, downwards the other
    trajectories     elements over trials; of replicates the mean, and the range of the middle 80 %
    histogram        the distribution of each element over all trials
    line, map        of a sweep: the mean over replicates and trials over one or two parameters, with its 95 % interval or in colours
    curve            the loss over epochs
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from cogir.errors import InputError, counted, did_you_mean, shown
from cogir.labelled.dataset import REPLICATES, UNFINISHED, Array, Dataset, element_names
from cogir.labelled.drawing import DARK, LEGEND, Drawing
from cogir.labelled.extras import extra
from cogir.labelled.names import find
from cogir.labelled.summary import raised_flags
from cogir.labelled.sweep_plots import has_labels, heat_map, line, swept_axes, too_many

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TIMES = ("response_time", "time")
"""The ports that hold response times."""


def plot(dataset: Dataset, variable: str | None, kind: str | None, axes: Axes | None, label: str | None = None) -> Axes:
    """The picture of a kind (default: the usual one) of a variable (default: the most telling one), which the legend calls `label`."""
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
    before, size = axes.get_title(), axes.title.get_fontsize()
    cast(Any, axes).set_title("")
    PAINTERS[kind](Drawing(dataset, name, dataset.variables[name], element, axes, label))
    note = "" if kind == "response_times" else _unfinished(dataset, name)  # there the title says how many were undecided
    if note and label is not None:
        note = f"{label}: {note}"
    parts = dict.fromkeys(", ".join(filter(None, (before, axes.get_title(), note))).split(", "))  # what pictures in one figure share, once
    cast(Any, axes).set_title(", ".join(parts), fontsize=size if before else "medium")
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


def _usual_kind(dataset: Dataset, name: str, is_chosen: bool) -> str:
    if dataset.kind == "learned":
        return "curve"
    swept = swept_axes(dataset)
    if swept:
        if len(swept) > 2:
            raise too_many(dataset, name, dataset.variables[name])
        has_lines = len(swept) == 1 or any(has_labels(axis) and axis.size <= LEGEND for axis in swept)
        return "line" if has_lines else "map"
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
            axes.stairs(-heights if down else heights, edges, fill=True, color=picture.colour(place), alpha=0.85, label=picture.entry(text))
        else:
            axes.stairs(heights, edges, color=picture.colour(place), linewidth=1.6, label=picture.entry(text))
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
            heights, colour = np.histogram(values, edges)[0], picture.colour(place)
            if len(flat) == 1:
                axes.stairs(heights, edges, fill=True, color=colour, alpha=0.85)
            else:
                axes.stairs(heights, edges, color=colour, linewidth=1.6, label=picture.mark(heading))
        axes.set(ylabel="trials per bin", xlim=(edges[0], edges[-1]))
    axes.set_xlabel(picture.labelled_values(elements))
    axes.set_ylim(bottom=0)
    axes.set_title(counted(max(map(len, flat.values())), "trial"), fontsize="medium")
    picture.legend(len(elements))


def _bars(picture: Drawing, elements: Mapping[str, Array]) -> None:
    """The counts of whole numbers as bars, those of several elements side by side."""
    width = 0.8 / len(elements)
    for place, (heading, values) in enumerate(elements.items()):
        numbers, counts = np.unique(values, return_counts=True)
        shift = (place - 0.5 * (len(elements) - 1)) * width
        colour = picture.colour(place)
        picture.axes.bar(numbers + shift, counts, width, color=colour, alpha=0.85, label=picture.mark(heading))
    picture.axes.set_ylabel("trials")
    picture.axes.xaxis.get_major_locator().set_params(integer=True)


def trajectories(picture: Drawing) -> None:
    """Each element over trials; of replicates the mean, and the range between the 10th and the 90th percentile."""
    axes, dataset = picture.axes, picture.dataset
    elements = picture.elements()
    if not dataset.axes or swept_axes(dataset):
        raise InputError('plot: trajectories are over trials; this data has no trials alone; give kind="line" or "map"')
    positions = dataset.axes[-1].index
    for place, (heading, values) in enumerate(elements.items()):
        colour = picture.colour(place)
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
    picture.legend(len(elements))


def _over_replicates(values: Array) -> tuple[Array, Array, Array]:
    """The mean and two percentiles of each trial over replicates; NaN for trials that no replicate had."""
    found = np.full((3, values.shape[-1]), np.nan)
    for trial, column in enumerate(values.reshape(-1, values.shape[-1]).T):
        there = column[~np.isnan(column)]
        if len(there):
            found[:, trial] = there.mean(), *np.quantile(there, (0.1, 0.9))
    return found[0], found[1], found[2]


def curve(picture: Drawing) -> None:
    """The mean loss of each epoch, and the range of its batches."""
    axes, dataset = picture.axes, picture.dataset
    if dataset.kind != "learned":
        raise InputError(f"plot: a learning curve is of what a model has learned; this is a {dataset.kind}")
    losses = picture.variable.values
    epochs = 1 + np.arange(len(losses))
    colour, few = picture.colour(0), {"marker": "o", "markersize": 3.5} if len(epochs) <= 30 else {}
    if losses.shape[1] > 1:
        low, high = losses.min(axis=1), losses.max(axis=1)
        axes.fill_between(epochs, low, high, color=colour, alpha=0.18, linewidth=0, label=picture.entry("range of batches"))
    mean = losses.mean(axis=1)
    axes.plot(epochs, mean, color=colour, linewidth=1.6, label=picture.entry("mean"), **few)
    finite = losses[np.isfinite(losses)]
    if len(finite) and finite.min() > 0.0 and mean[np.isfinite(mean)].max(initial=0.0) > 30.0 * mean[np.isfinite(mean)].min(initial=np.inf):
        axes.set_yscale("log")
    axes.set(xlabel="epoch", ylabel=picture.label(picture.name))
    axes.set_title(f"{counted(len(losses), 'epoch')} of {losses.shape[1]:,} batch{'es' * (losses.shape[1] != 1)}", fontsize="medium")
    picture.legend(1 + (losses.shape[1] > 1))


PAINTERS: dict[str, Callable[[Drawing], None]] = {
    "response_times": response_times,
    "trajectories": trajectories,
    "histogram": histogram,
    "line": line,
    "map": heat_map,
    "curve": curve,
}
