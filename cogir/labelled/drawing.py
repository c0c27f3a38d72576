"""
The contents of a picture and their places: data, colours, and the legend.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from cogir.labelled.dataset import Array, Axis, Dataset, Variable, element_names

REPEATED = ("replicate", "trial")
"""The axes along which the same thing is done again."""
COLOURS = ("#2f6db3", "#d9652b", "#3f9a6c", "#8b62b5", "#c2953a", "#5b6b7a", "#b8477d", "#4aa5b5", "#7d8f2f", "#a05a45")
DARK = "#30363d"
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
    called: str | None = None
    """The name of the data in the legend, if a user gives one."""

    @cached_property
    def colours(self) -> tuple[str, ...]:
        """The colours in the order in which they are used: those that the axes have not yet come first."""
        from matplotlib.colors import to_hex

        drawn = [line.get_color() for line in self.axes.get_lines()]
        drawn += [colour for patch in self.axes.patches for colour in (patch.get_facecolor(), patch.get_edgecolor())]
        used = set(map(to_hex, drawn))
        return tuple(sorted(COLOURS, key=used.__contains__))

    def colour(self, place: int) -> str:
        """The colour of a line or an element by its number."""
        return self.colours[place % len(self.colours)]

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
        """The mark that tells an element from the others of its variable, a label or an index; after what the user calls the data."""
        element = heading.removeprefix(self.name).removeprefix("[").removesuffix("]").replace("][", ", ")
        return self.entry(element) if element or self.called else heading

    def entry(self, *marks: str) -> str:
        """The text of the legend for something that has these marks."""
        return ", ".join(filter(None, (self.called, *marks)))

    def legend(self, count: int, title: str | None = None) -> None:
        """A legend for several things, of which `count` were drawn now, or if the user has named the data."""
        before = self.axes.get_legend()
        if self.called is not None or before is not None or 1 < count <= LEGEND:
            self.axes.legend(frameon=False, title=title if before is None else before.get_title().get_text())
