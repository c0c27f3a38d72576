"""
The region that `cogir.analyze.refine` finds, and how it was found.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from cogir.analyze.output_ranges_result import NOTHING_DRAWN, can_be_drawn, digits, interval
from cogir.errors import InputError
from cogir.labelled.dataset import Axis, Dataset, Variable
from cogir.labelled.extras import extra
from cogir.labelled.to_xarray import to_xarray

if TYPE_CHECKING:
    import xarray
    from pandas import DataFrame  # pyright: ignore[reportMissingTypeStubs]

Region = Mapping[str, tuple[float, float]]


@dataclass(eq=False)
class RefinedBox:
    """A box of parameters, and the range of the objective over it."""

    round: int
    parameters: Region
    low: float
    high: float
    nan: bool
    """True if the objective can be NaN."""
    share: float
    """The part of the whole space that the box is."""
    fate: str = field(default="left")
    """"left" for the next round, "worse" than others by its guarantee, or "worse for certain", with any draws."""


def hull(boxes: Sequence[RefinedBox], space: Region) -> dict[str, tuple[float, float]]:
    """The smallest region that holds some boxes."""
    return {
        name: (min(each.parameters[name][0] for each in boxes), max(each.parameters[name][1] for each in boxes)) if boxes else ends
        for name, ends in space.items()
    }


class Refinement:
    """
    The region in which an objective is best: true if it was narrowed as far as was asked for, and has a finite guarantee.

    `region`: the ends of each parameter, over the boxes that are left. `guarantee`: the value that no run is worse than with the parameters
    of the best box; infinite if there is none, and then `reason` names the operation that makes the objective infinite or NaN.
    `certain`: the region outside of which all values are worse than the guarantee, with any draws that were allowed.
    `boxes`: all boxes with the ranges of the objective over them, round by round.
    """

    def __init__(
        self,
        name: str,
        objective: str,
        direction: str,
        *,
        space: Region,
        boxes: Sequence[RefinedBox],
        left: Sequence[RefinedBox],
        guarantee: float,
        narrow: float,
        draws: float | None,
        has_draws: bool,
        walks: int,
        reason: str | None = None,
        tied: int = 0,
    ):
        self.name = name
        self.objective = objective
        self.direction = direction
        self.space = dict(space)
        self.boxes = list(boxes)
        self.left = list(left)
        self.guarantee = guarantee
        self.narrow = narrow
        self.draws = draws
        self.has_draws = has_draws
        self.walks = walks
        """The number of ranges that were computed."""
        self.reason = reason
        """The operation that leaves boxes without a guarantee; None if all have one."""
        self.tied = tied
        """The number of boxes with one guarantee that were too many to go on with; 0 if there were not so many."""
        self.region = hull(self.left, self.space)
        """The smallest region that holds the boxes that are left."""

    def __bool__(self) -> bool:
        return self.is_guaranteed and sum(each.share for each in self.left) <= self.narrow

    @property
    def is_guaranteed(self) -> bool:
        """True if there is a box with a finite guarantee."""
        return bool(np.isfinite(self.guarantee))

    @property
    def rounds(self) -> int:
        """The number of rounds."""
        return self.boxes[-1].round

    @property
    def certain(self) -> dict[str, tuple[float, float]]:
        """The smallest region that holds all boxes that are not worse for certain, those of their last round."""
        halved = {(each.round, tuple(each.parameters.items())) for each in self.boxes if each.fate == "left" and each.round < self.rounds}
        possible = [
            each for each in self.boxes if each.fate != "worse for certain" and (each.round, tuple(each.parameters.items())) not in halved
        ]
        return hull([each for each in possible if not self._is_beyond(each)], self.space)

    def _is_beyond(self, box: RefinedBox) -> bool:
        """True if all values in a box are worse than the guarantee that was found in the end."""
        return box.low > self.guarantee if self.direction == "minimize" else box.high < self.guarantee

    def __repr__(self) -> str:
        lines = [f"The region of {self.name} that {self.direction}s {self.objective}"]
        for name, (low, high) in self.region.items():
            first, last = self.space[name]
            lines.append(f"  {name}: {digits(low)} to {digits(high)}, of {digits(first)} to {digits(last)}")
        within = f" within {self.draws:g} standard deviations" if self.has_draws and self.draws is not None else ""
        side = "above" if self.direction == "minimize" else "below"
        if self.is_guaranteed:
            lines.append(f"  in its best box no run{within} is {side} {digits(self.guarantee)}")
            certain = ", ".join(f"{name} from {digits(low)} to {digits(high)}" for name, (low, high) in self.certain.items())
            lines.append(f"  for certain the optimum has {certain}")
            if self.reason is not None:
                lines.append(f"  boxes without a guarantee, because of {self.reason}")
        else:
            lines.append(f"  nothing is narrowed: in no box is {self.objective} always finite, because of {self.reason}")
        if self.tied and self.is_guaranteed:
            more = f"; it ends as {self.tied} boxes have one guarantee, and none is better than the others"
        else:
            more = "; more rounds narrow it" if self.is_guaranteed and not self else ""
        lines.append(f"  found in {self.rounds} rounds, by {self.walks} ranges of {len(self.boxes)} boxes and no run{more}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return f"<pre>{escape(repr(self))}</pre>"

    def to_dataframe(self) -> DataFrame:
        """A table with a row for each box: its round, the ends of each parameter, `low`, `high`, `nan` of the objective, and its fate."""
        pandas = extra("pandas", "to_dataframe", "pandas")
        rows = [
            {
                "round": each.round,
                **{
                    f"{name} {end}": value
                    for name, ends in each.parameters.items()
                    for end, value in zip(("low", "high"), ends, strict=True)
                },
                "low": each.low,
                "high": each.high,
                "nan": each.nan,
                "fate": each.fate,
            }
            for each in self.boxes
        ]
        return pandas.DataFrame(rows)

    def to_xarray(self) -> xarray.Dataset:
        """A dataset along the axis `box`, with the ends of each parameter and of the objective along the axis `end`."""
        box = Axis("box", len(self.boxes), {"round": np.array([each.round for each in self.boxes])})
        end = Axis("end", 2, {"end": np.array(["low", "high"])})
        variables = {name: Variable(np.array([each.parameters[name] for each in self.boxes]), (box, end)) for name in self.space}
        variables[self.objective] = Variable(np.array([(each.low, each.high) for each in self.boxes]), (box, end))
        return to_xarray(Dataset("refinement", (box,), variables, {}, {"model": self.name}))

    def plot(self, axes: Any = None) -> Any:
        """
        The boxes, later rounds in darker colours: of one parameter with the ranges of the objective over them, of two as rectangles. The
        title counts the boxes that are not drawn, because their ranges are not finite.

        :raises InputError: for more parameters, or if no range is finite.
        """
        pyplot = extra("matplotlib.pyplot", "plot", "plot")
        if len(self.space) > 2:
            raise InputError(f"plot: the space has {len(self.space)} parameters; at most two can be drawn, to_dataframe() has the boxes")
        names = list(self.space)
        if axes is None:
            axes = pyplot.subplots(figsize=(6.4, 4.0), layout="constrained")[1]
        axes.spines[["top", "right"]].set_visible(False)
        hidden = 0 if len(names) > 1 else sum(not can_be_drawn(each.low, each.high) for each in self.boxes)
        if hidden == len(self.boxes):
            raise InputError(NOTHING_DRAWN)
        for each in self.boxes:
            low, high = each.parameters[names[0]]
            below, above = each.parameters[names[1]] if len(names) > 1 else (each.low, each.high)
            if can_be_drawn(below, above):
                shade = pyplot.get_cmap("Blues")(0.15 + 0.75 * each.round / self.rounds)
                axes.fill_between([low, high], below, above, facecolor="none", edgecolor=shade, linewidth=1.2, zorder=each.round)
        axes.set_xlabel(names[0])
        axes.set_ylabel(names[1] if len(names) > 1 else f"range of {self.objective}")
        region = ", ".join(interval(*self.region[name]) for name in names)
        ends = region if self.is_guaranteed else "nothing is narrowed"
        left_out = f"; {hidden} boxes have no finite range" if hidden else ""
        axes.set_title(f"{self.rounds} rounds, {ends}{left_out}", loc="left", fontsize="medium")
        return axes
