"""
The answer to the question whether two models compute the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from cogir.analysis.equivalence.compare import Sense
from cogir.analysis.equivalence.difference import Difference
from cogir.analyze.side_by_side import TRIALS, Case, SideBySide
from cogir.callers import methods_end_at_caller
from cogir.labelled.dataset import Axis, Dataset, Variable
from cogir.labelled.extras import extra
from cogir.labelled.to_xarray import to_xarray

if TYPE_CHECKING:
    import xarray
    from matplotlib.axes import Axes
    from pandas import DataFrame  # pyright: ignore[reportMissingTypeStubs]

ROUNDING = 1e-11
"""A relative difference that is more than rounding, for a counterexample."""

WORDS = {
    Sense.BITS: "bit-equal",
    Sense.REALS: "equal over the reals",
    Sense.DISTRIBUTION: "equal in distribution",
    Sense.NONE: "not shown",
}
UNDER_VALUES = "equal under these parameter values"

MEANING = {
    Sense.BITS: "the outputs have the same bits in every trial, whatever the inputs are",
    Sense.REALS: "the outputs are the same real numbers in every trial, whatever the inputs are; they differ by rounding only",
    Sense.DISTRIBUTION: "the outputs have the same joint distribution over all trials, whatever the inputs are",
}


@dataclass(frozen=True)
class OutputPair:
    """Two outputs that were compared, and the sense in which they are equal."""

    first: str
    second: str
    level: Sense

    @property
    def answer(self) -> str:
        """The level in words."""
        return WORDS[self.level]


@methods_end_at_caller
class Equivalence:
    """
    Whether two models compute the same. True if they do in the sense that was asked for; prints as an explanation.

    `answer`: "bit-equal", "equal over the reals", "equal in distribution", "equal under these parameter values" or "not shown".
    `level`: the sense ("bits", "reals", "distribution", or None), also under parameter values. `parameters`: the values under which the
    answer holds, by name, where they are not those of the models. `outputs`: the answer for each pair of outputs. `difference`: where the
    models differ first, if the answer is "not shown". `reason`: why nothing can be shown, if the models cannot be compared.
    """

    def __init__(
        self,
        names: tuple[str, str],
        outputs: Sequence[OutputPair],
        asked: Sense,
        *,
        inputs: str = "",
        matched_outputs: str = "",
        draws: bool = False,
        parameters: Mapping[str, object] | None = None,
        found: bool = False,
        for_all: Sequence[str] = (),
        difference: Difference | None = None,
        reason: str | None = None,
        runs: SideBySide | None = None,
    ):
        self.names = names
        self.outputs = tuple(outputs)
        self.asked = asked
        self.inputs = inputs
        self.matched_outputs = matched_outputs
        self.draws = draws
        self.parameters = dict(parameters or {})
        self.found = found
        self.for_all = tuple(for_all)
        self.difference = difference
        self.reason = reason
        self._runs = runs

    @property
    def _level(self) -> Sense:
        return min((pair.level for pair in self.outputs), default=Sense.NONE)

    @property
    def level(self) -> str | None:
        """The sense in which all outputs are equal: "bits", "reals", "distribution", or None."""
        return self._level.name.lower() if self._level else None

    @property
    def answer(self) -> str:
        """The answer in a few words."""
        return UNDER_VALUES if self._level and self.parameters else WORDS[self._level]

    def __bool__(self) -> bool:
        """True if the models are equal in the sense that was asked for, with the values that they have or that were given."""
        return bool(self._level) and self._level >= self.asked and not self.found

    def __repr__(self) -> str:
        first, second = self.names
        lines = [f"{first} and {second}: {self.answer}"]
        if self._level:
            lines.append(f"  {self._meaning()}")
        if self.parameters:
            values = ", ".join(f"{name} = {shown_value(value)}" for name, value in self.parameters.items())
            lines.append(f"  {'found' if self.found else 'given'} values: {values}")
        if self.for_all:
            lines.append(f"  for all values of {', '.join(self.for_all)}")
        if self.inputs:
            lines.append(f"  inputs:  {self.inputs}")
        if self.matched_outputs:
            lines.append(f"  outputs: {self.matched_outputs}")
        equal = sum(bool(pair.level) for pair in self.outputs)
        if not self._level and equal:
            lines.append(f"  {equal} of {len(self.outputs)} outputs are equal")
        if self.reason:
            lines.append(f"  {self.reason}")
        if self.difference:
            lines += [f"  {line}" for line in str(self.difference).splitlines()]
        return "\n".join(lines)

    def _meaning(self) -> str:
        text = MEANING[self._level]
        if self._level > Sense.DISTRIBUTION and self.draws:
            text += " (with the seeds that the models have)"
        if self.parameters:
            words = {Sense.BITS: "bit for bit", Sense.REALS: "over the reals", Sense.DISTRIBUTION: "in distribution"}
            text = f"{words[self._level]}: {text}"
        return text

    def counterexample(self, seeds: int = 5) -> Case | None:
        """
        A trial in which the models give different outputs for the same inputs: runs both on `seeds` sequences of random inputs. None if
        there is none among them, or the outputs are random; prints the trial, its inputs and both values.
        """
        if self._runs is None or self.draws:
            return None
        return self._runs.case(Sense.BITS if self.asked is Sense.BITS else Sense.REALS, seeds, TRIALS, ROUNDING)

    def _repr_html_(self) -> str:
        return f"<pre>{escape(repr(self))}</pre>"

    def to_dataframe(self) -> DataFrame:
        """A table with a row for each pair of outputs: `first`, `second`, `answer`."""
        pandas = extra("pandas", "to_dataframe", "pandas")
        return pandas.DataFrame([(pair.first, pair.second, pair.answer) for pair in self.outputs], columns=["first", "second", "answer"])

    def to_xarray(self) -> xarray.Dataset:
        """A dataset with the variables `second` and `answer` along the axis `first`, the outputs of the first model."""
        axis = Axis("first", len(self.outputs), {"first": np.array([pair.first for pair in self.outputs])})
        variables = {name: Variable(np.array([getattr(pair, name) for pair in self.outputs]), (axis,)) for name in ("second", "answer")}
        return to_xarray(Dataset("equivalence", (axis,), variables, {}, {"models": " and ".join(self.names), "answer": self.answer}))

    def plot(self, axes: Axes | None = None) -> Axes:
        """The sense in which each pair of outputs is equal, a pair a row, the strongest sense on the right."""
        pyplot = extra("matplotlib.pyplot", "plot", "plot")
        drawn: Any = pyplot.subplots(figsize=(6.4, 4.0), layout="constrained")[1] if axes is None else axes
        drawn.spines[["top", "right"]].set_visible(False)
        for place, pair in enumerate(self.outputs):
            drawn.plot([pair.level], [place], "o", color="tab:blue" if pair.level else "tab:red")
        drawn.set_yticks(range(len(self.outputs)), [f"{pair.first}, {pair.second}" for pair in self.outputs])
        drawn.set_xticks(list(WORDS), WORDS.values())
        drawn.invert_yaxis()
        return drawn


def shown_value(value: object) -> str:
    """The value of a parameter in a few digits."""
    return f"{value:g}" if isinstance(value, float) else str(value)
