"""
The answer to the question how the outputs of a model move with its parameters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from cogir.analyze.output_ranges_result import Ends, PortRange, digits, draw_bars, interval, shown_ends, unbounded_in_words
from cogir.callers import methods_end_at_caller
from cogir.errors import InputError, did_you_mean, there_is
from cogir.labelled.dataset import Axis, Dataset, Variable, element_names
from cogir.labelled.extras import extra
from cogir.labelled.names import find, path_of
from cogir.labelled.to_xarray import to_xarray

if TYPE_CHECKING:
    import xarray
    from matplotlib.axes import Axes
    from pandas import DataFrame  # pyright: ignore[reportMissingTypeStubs]

COLUMNS = ["parameter", "output", "low", "high", "nan", "width", "widening", "slope"]
Row = tuple[str, str, float, float, bool, float, float, float]


@dataclass(frozen=True, eq=False)
class ParameterEffect:
    """
    The effect of one parameter: its range, the ranges of the outputs while it varies, their derivatives by it, if asked for, and by output
    the operation that makes an end infinite, or a value NaN.
    """

    parameter: str
    ends: Ends
    outputs: Mapping[str, PortRange]
    slopes: Mapping[str, npt.NDArray[np.float64]] | None
    unbounded: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def has_whole_numbers(self) -> bool:
        """True for a parameter of whole numbers, by which there is no derivative."""
        return self.ends[0].dtype.kind == "i"


@methods_end_at_caller
class Sensitivity:
    """
    The effect of each parameter on each output: iteration goes over `ParameterEffect`s, `found["decision/rate"]` is that of a parameter.

    `base`: the ranges of the outputs while all parameters have the values of the model. `widening` in the table is how much wider a range
    gets by the parameter; NaN where a range has no finite width. True if every output has finite ends and is never NaN, whichever parameter
    varies.
    """

    def __init__(
        self,
        name: str,
        base: Mapping[str, PortRange],
        effects: Sequence[ParameterEffect],
        trials: int,
        draws: float | None,
        has_draws: bool,
    ):
        self.name = name
        self.base = dict(base)
        self.effects = list(effects)
        self.trials = trials
        self.draws = draws
        self.has_draws = has_draws

    def __bool__(self) -> bool:
        return all(port.is_bounded for outputs in (self.base, *(each.outputs for each in self.effects)) for port in outputs.values())

    def __iter__(self) -> Iterator[ParameterEffect]:
        return iter(self.effects)

    def __len__(self) -> int:
        return len(self.effects)

    def __getitem__(self, parameter: str) -> ParameterEffect:
        """The effect of a parameter by name. Raises `InputError` if there is none."""
        known = {each.parameter: each for each in self.effects}
        return known[find(path_of(parameter), known, "sensitivity")]

    def keys(self) -> list[str]:
        """The names of the parameters; `dict(found)` has the effects by name."""
        return [each.parameter for each in self.effects]

    def __contains__(self, key: object) -> bool:
        """True for the name of a parameter, and for the effects themselves."""
        if any(each is key for each in self.effects):
            return True
        try:
            return path_of(key) in self.keys()
        except InputError:
            return False

    def rows(self) -> Iterator[Row]:
        """A row for each parameter and each element of an output, as in `to_dataframe`."""
        for effect in self.effects:
            for path, port in effect.outputs.items():
                slopes = np.full(port.low.shape, np.nan) if effect.slopes is None else effect.slopes[path]
                for index, name in element_names(path, [Axis("", extent) for extent in port.low.shape]).items():
                    low, high, nan, width = (part[index].item() for part in (port.low, port.high, port.nan, port.width))
                    before = self.base[path].width[index].item()
                    yield effect.parameter, name, low, high, nan, width, width - before, slopes[index].item()

    def __repr__(self) -> str:
        lines = [f"Effects of parameters of {self.name} in {self.trials} trial{'s' if self.trials > 1 else ''}"]
        if self.has_draws:
            within = "as large as their generators can make them" if self.draws is None else f"within {self.draws:g} standard deviations"
            lines.append(f"  random numbers: {within}")
        for effect in self.effects:
            lines.append(f"  {effect.parameter} from {shown_ends(effect.ends)}")
            whole = effect.has_whole_numbers
            for parameter, name, low, high, nan, _, _, slope in self.rows():
                if parameter == effect.parameter:
                    known = f"slope {digits(slope)}" if slope == slope else "no slope by a whole number" if whole else "slope not known"
                    tail = "" if effect.slopes is None else f"; {known}"
                    lines.append(f"    {name}: {interval(low, high, nan)}{tail}")
            for path, reason in effect.unbounded.items():
                lines.append(f"    {path} {unbounded_in_words(effect.outputs[path])}: {reason}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return f"<pre>{escape(repr(self))}</pre>"

    def to_dataframe(self) -> DataFrame:
        """A table with a row for each parameter and element: `parameter`, `output`, `low`, `high`, `nan`, `width`, `widening`, `slope`."""
        pandas = extra("pandas", "to_dataframe", "pandas")
        return pandas.DataFrame(list(self.rows()), columns=COLUMNS)

    def to_xarray(self) -> xarray.Dataset:
        """A dataset with the variables `low`, `high` and `slope` over the axes `parameter` and `output`."""
        rows = list(self.rows())
        outputs = list(dict.fromkeys(row[1] for row in rows))
        axes = tuple(
            Axis(name, len(labels), {name: np.array(labels)})
            for name, labels in (("parameter", [each.parameter for each in self.effects]), ("output", outputs))
        )
        shape = tuple(axis.size for axis in axes)
        variables = {
            name: Variable(np.array([row[COLUMNS.index(name)] for row in rows]).reshape(shape), axes) for name in ("low", "high", "slope")
        }
        return to_xarray(Dataset("sensitivity", axes, variables, {}, {"model": self.name}))

    def plot(self, output: str | None = None, axes: Axes | None = None) -> Axes:
        """
        The ranges of an output (default: the first one) for each parameter, the widest on top; those without finite ends say so.

        :raises InputError: for an output that there is not, or if no range has finite ends.
        """
        pyplot = extra("matplotlib.pyplot", "plot", "plot")
        names = list(dict.fromkeys(row[1] for row in self.rows()))
        asked = "" if output is None else path_of(output)
        wanted = next((each for each in names if each.startswith(asked)), None)
        if wanted is None:
            raise InputError(f'plot: there is no output "{asked}"{did_you_mean(asked, names) or there_is(names)}')
        drawn: Any = pyplot.subplots(figsize=(6.4, 4.0), layout="constrained")[1] if axes is None else axes
        drawn.spines[["top", "right"]].set_visible(False)
        rows = sorted((row for row in self.rows() if row[1] == wanted), key=lambda row: -row[5])
        draw_bars(drawn, [(row[0], *row[2:5]) for row in rows], 8)
        drawn.set_xlabel(wanted)
        return drawn
