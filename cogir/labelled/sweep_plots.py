"""
The pictures of sweeps: means along one swept parameter as points and lines, one line for each value of another, or as a map of two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import numpy as np

from cogir.errors import InputError
from cogir.labelled.dataset import Array, Axis, Dataset, Variable
from cogir.labelled.drawing import LEGEND, REPEATED, Drawing

TICKS = 8
"""Along a map with at most so many values each of them has its tick."""
SLANTED = 1.9
"""Slanted texts need so much room, in sizes of their font, to stand beside each other."""
APART = 0.12
"""The distance between the points of neighbouring lines over one label, of the distance between labels."""


def swept_axes(dataset: Dataset) -> list[Axis]:
    """The shared axes along which a parameter varies."""
    return [axis for axis in dataset.axes if axis.name not in REPEATED]


def shown_coordinates(axis: Axis) -> dict[str, Array]:
    """The coordinates that stand along an axis in a picture: its own, else labels, else those that vary, else the positions."""
    if axis.name in axis.coordinates or not axis.coordinates:
        return {axis.name: axis.index}
    labels = {name: marks for name, marks in axis.coordinates.items() if is_text(marks)}
    varying = {name: marks for name, marks in axis.coordinates.items() if (marks != marks[0]).any()}
    return labels or varying or dict(axis.coordinates)


def is_text(marks: Array) -> bool:
    """True for labels, False for numbers."""
    return marks.dtype.kind not in "biuf"


def has_labels(axis: Axis) -> bool:
    """True for an axis along which labels stand, such as the names of conditions."""
    return any(map(is_text, shown_coordinates(axis).values()))


def name_of(axis: Axis) -> str:
    """The name of what stands along an axis, with its units."""
    return ", ".join(f"{name} ({axis.units[name]})" if name in axis.units else name for name in shown_coordinates(axis))


def texts_of(axis: Axis) -> list[str]:
    """The values along an axis as texts."""
    together = zip(*shown_coordinates(axis).values(), strict=True)
    return [", ".join(mark if isinstance(mark, str) else f"{mark:.4g}" for mark in marks) for marks in together]


def spread(size: int, most: int = TICKS) -> list[int]:
    """Places along an axis, evenly spaced: at most so many."""
    return list(range(0, size, -(-size // most)))


def positions(axis: Axis, set_ticks: Callable[..., Any], at_all: bool = False) -> Array:
    """
    The numbers along a swept axis; `at_all`: each number gets a tick.

    Texts, and several quantities that vary together, get their place as a number, and ticks with what they are there.
    """
    shown = shown_coordinates(axis)
    marks = next(iter(shown.values()))
    if len(shown) == 1 and not is_text(marks):
        if at_all:
            set_ticks(marks, [f"{mark:g}" for mark in marks.tolist()])
        return marks.astype(np.float64)
    places = range(axis.size) if is_text(marks) else spread(axis.size)
    texts = texts_of(axis)
    set_ticks(places, [texts[place] for place in places])
    return np.arange(axis.size, dtype=np.float64)


def turn_ticks(axes: Any) -> None:
    """Turns the texts of the ticks along the x axis where they would overlap."""
    from matplotlib.textpath import TextPath  # measures without drawing, whatever draws later

    labels = axes.get_xticklabels()
    room = 72.0 * axes.get_position().width * axes.figure.get_figwidth() / max(1, len(labels))  # in points
    paths: list[Any] = [TextPath((0, 0), text, size=label.get_fontsize()) for label in labels if (text := label.get_text())]
    sizes = [path.get_extents() for path in paths]
    if any(size.width + 6.0 > room for size in sizes):
        steep = room < SLANTED * max(label.get_fontsize() for label in labels)
        axes.tick_params(axis="x", labelrotation=90 if steep else 35)
        for label in labels:
            label.set(ha="center" if steep else "right", rotation_mode="default" if steep else "anchor")


def too_many(dataset: Dataset, name: str, variable: Variable) -> InputError:
    """The error for data with more swept axes than a picture has, with a picture of a part of them as the remedy."""
    swept = swept_axes(dataset)
    one, other = sorted(swept, key=lambda axis: (not has_labels(axis), -axis.size))[:2]
    along = other if _is_legend(one, other) else one
    left = [axis for axis in swept if axis is not one and axis is not other]
    chosen = {_plain(axis): axis.index[0] for axis in left if axis.name in axis.coordinates}
    inner = variable.axes[len(dataset.shared_axes(variable)) :]
    places = {_plain(axis): 0 for axis in (*(axis for axis in left if axis.name not in axis.coordinates), *inner)}
    repeated = [axis.name for axis in dataset.shared_axes(variable) if axis.name in REPEATED]
    names = ", ".join(f'"{axis.name}"' for axis in swept)
    call = f"to_xarray()[{_written(name.replace('/', '.'))}]"
    call += f".sel({_dict_of(chosen)})" * bool(chosen) + f".isel({_dict_of(places)})" * bool(places)
    call += f".mean([{', '.join(map(_written, repeated))}])" * bool(repeated) + f".plot.line(x={_written(_plain(along))})"
    return InputError(
        f"plot: the data has {len(swept)} swept axes ({names}), and a picture has two at most; choose values along the others with xarray: "
        f"{call}"
    )


def _plain(axis: Axis) -> str:
    """The name of an axis in xarray."""
    return axis.name.replace("/", ".")


def _written(value: object) -> str:
    """A text or a number as Python code, texts in double quotation marks."""
    return f'"{value}"' if isinstance(value, str) else str(value)


def _dict_of(values: Mapping[str, object]) -> str:
    """A dict as Python code."""
    return f"{{{', '.join(f'{_written(name)}: {_written(value)}' for name, value in values.items())}}}"


def mean_and_interval(picture: Drawing, heading: str, values: Array) -> tuple[Array, Array]:
    """The mean over replicates and trials, and half of its 95 % interval (NaN if it is not known)."""
    repeated = tuple(place for place, axis in enumerate(picture.shared) if axis.name in REPEATED)
    errors = standard_errors(picture, heading)
    if errors is not None:
        return values.squeeze(repeated), 1.96 * errors.squeeze(repeated)
    if not repeated:
        return values, np.full(values.shape, np.nan)
    count = np.count_nonzero(~np.isnan(values), axis=repeated).astype(np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.nansum(values, axis=repeated) / count
        spread = np.nansum((values - np.expand_dims(mean, repeated)) ** 2, axis=repeated) / (count - 1.0)
        return mean, 1.96 * np.sqrt(spread / count)


def standard_errors(picture: Drawing, heading: str) -> Array | None:
    """The standard errors that a sweep has kept beside the means of one trial: `decision/value/sem` beside `decision/value/mean`."""
    beside = f"{picture.name.removesuffix('/mean')}/sem"
    found = picture.dataset.variables.get(beside)
    if found is None or found.values.shape != picture.variable.values.shape:
        return None
    if any(axis.size != 1 for axis in picture.shared if axis.name in REPEATED):
        return None
    return replace(picture, name=beside, variable=found, element=None).elements()[beside + heading.removeprefix(picture.name)]


@dataclass(frozen=True)
class SweptLine:
    """The means along an axis, half of their 95 % intervals, and what the legend calls them."""

    mark: str
    mean: Array
    half: Array


def lines_along(picture: Drawing, swept: Sequence[Axis]) -> tuple[Axis, str | None, list[SweptLine], str]:
    """
    The axis along which lines go, the name of what differs between them if there are two axes, the lines, and what is left out.

    There is a line for each value of the axis with labels (of the shorter one if both have some, or none), and for each element.
    """
    found = {heading: mean_and_interval(picture, heading, values) for heading, values in picture.elements().items()}
    if len(swept) == 1:
        lines = [SweptLine(picture.mark(heading), *both) for heading, both in found.items()]
        return swept[0], None, lines, ""
    across = 0 if _is_legend(swept[0], swept[1]) else 1
    axis = swept[across]
    places, texts = spread(axis.size, LEGEND), texts_of(axis)
    left_out = f"{len(places)} of {axis.size} values of {axis.name}" if len(places) < axis.size else ""
    if len(found) > 1 and len(found) * len(places) > LEGEND:
        left_out = ", ".join(filter(None, (left_out, f"one of {len(found)} elements")))
        found = dict(islice(found.items(), 1))
    lines: list[SweptLine] = []
    for heading, (mean, half) in found.items():
        element = [picture.mark(heading)] if len(found) > 1 else []
        for place in places:
            mark = picture.entry(texts[place], *element)
            lines.append(SweptLine(mark, mean.take(place, across), half.take(place, across)))
    return swept[1 - across], name_of(axis), lines, left_out


def _is_legend(one: Axis, other: Axis) -> bool:
    """True if there is a line for each value of `one`, False if for each of `other`."""
    if has_labels(one) != has_labels(other):
        return has_labels(one)
    return one.size <= other.size


def line(picture: Drawing) -> None:
    """
    The mean over replicates and trials along one swept parameter, with its 95 % interval; of two, a line for each value of one of them.

    Labels, such as the names of conditions, have points that are not joined.
    """
    axes, swept = picture.axes, swept_axes(picture.dataset)
    if not swept:
        raise InputError("plot: a line is over one or two swept parameters; this data has none")
    if len(swept) > 2:
        raise too_many(picture.dataset, picture.name, picture.variable)
    along, legend, lines, left_out = lines_along(picture, swept)
    places = positions(along, axes.set_xticks)
    draw = points if has_labels(along) else joined
    for number, (each, shift) in enumerate(zip(lines, _shifts(len(lines)), strict=True)):
        draw(axes, each, places, shift, picture.colour(number))
    turn_ticks(axes)
    axes.set(xlabel=name_of(along), ylabel=picture.labelled_values(picture.elements()))
    known = any(np.isfinite(each.half).any() for each in lines)
    repeated = any(axis.name in REPEATED and axis.size > 1 for axis in picture.shared)
    axes.set_title(", ".join(filter(None, ("mean, 95 % interval" if known or repeated else "", left_out))), fontsize="medium")
    picture.legend(len(lines), legend)


def _shifts(count: int) -> Iterator[float]:
    """The distances of the points of each line from the place of a label, all nearer to it than to the next one."""
    apart = min(APART, 0.8 / count)
    return (apart * (number - 0.5 * (count - 1)) for number in range(count))


def joined(axes: Any, one: SweptLine, places: Array, _: float, colour: str) -> None:
    """Means along numbers: a line, and a band for the intervals."""
    order = np.argsort(places)
    if np.isfinite(one.half).any():
        low, high = (one.mean - one.half)[order], (one.mean + one.half)[order]
        axes.fill_between(places[order], low, high, color=colour, alpha=0.2, linewidth=0)
    axes.plot(places[order], one.mean[order], "o-", color=colour, markersize=4, linewidth=1.6, label=one.mark)


def points(axes: Any, one: SweptLine, places: Array, shift: float, colour: str) -> None:
    """Means of labels: points with bars for the intervals, beside those of other lines."""
    half = one.half if np.isfinite(one.half).any() else None
    axes.errorbar(places + shift, one.mean, half, fmt="o", color=colour, markersize=5, linewidth=1.6, capsize=3, label=one.mark)
    axes.set_xlim(-0.5, len(places) - 0.5)


def heat_map(picture: Drawing) -> None:
    """The mean over replicates and trials along two swept parameters, in colours."""
    axes, elements, swept = picture.axes, picture.elements(), swept_axes(picture.dataset)
    if len(swept) > 2:
        raise too_many(picture.dataset, picture.name, picture.variable)
    if len(swept) != 2:
        raise InputError(f"plot: a map is over two swept parameters; this data has {len(swept)}")
    heading, values = next(iter(elements.items()))
    mean, _ = mean_and_interval(picture, heading, values)
    ys = positions(swept[0], axes.set_yticks, swept[0].size <= TICKS)
    xs = positions(swept[1], axes.set_xticks, swept[1].size <= TICKS)
    rows, columns = np.argsort(ys), np.argsort(xs)
    drawn = axes.pcolormesh(xs[columns], ys[rows], mean[np.ix_(rows, columns)], shading="nearest", cmap="viridis")
    axes.figure.colorbar(drawn, ax=axes, label=picture.label(heading))
    axes.spines[["top", "right"]].set_visible(True)
    turn_ticks(axes)
    axes.set(xlabel=name_of(swept[1]), ylabel=name_of(swept[0]))
    if len(elements) > 1:
        axes.set_title(f"one of {len(elements)} elements", fontsize="medium")
