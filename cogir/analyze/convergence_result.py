"""
The answer to the question how many steps a model needs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from cogir.analyze.drift_diffusion_times import DriftDiffusionTimes
from cogir.analyze.output_ranges_result import digits, shown_ends
from cogir.callers import methods_end_at_caller
from cogir.errors import InputError, did_you_mean, quoted, there_is
from cogir.labelled.dataset import Axis, Dataset, Variable
from cogir.labelled.extras import extra
from cogir.labelled.to_xarray import to_xarray

if TYPE_CHECKING:
    import xarray
    from matplotlib.axes import Axes
    from pandas import DataFrame  # pyright: ignore[reportMissingTypeStubs]


@dataclass(frozen=True)
class Steps:
    """
    Bounds on a number of steps. `what`: the steps that are counted. `earliest`, `latest`: no run has fewer, and none more; None for an
    `earliest` beyond the steps that were followed, or a `latest` that was not found among them. `limit`: the executions after which the
    node stops in any case. `step`: the length of a step, at least and at most, if it has one.
    """

    what: str
    earliest: int | None
    latest: int | None
    limit: int | None
    step: tuple[float, float] | None
    followed: int

    @property
    def times(self) -> tuple[float, float] | None:
        """The earliest and the latest time, in the unit of the step; infinite where there is no latest step."""
        if self.step is None or self.earliest is None:
            return None
        return self.earliest * self.step[0], np.inf if self.latest is None else self.latest * self.step[1]

    @property
    def is_cut_off(self) -> bool:
        """True if the latest step is only the limit of executions."""
        return self.latest is not None and self.latest == self.limit

    def __repr__(self) -> str:
        if self.earliest is None:
            return f"{self.what}: not within {self.followed} steps"
        if self.latest is None:
            bounds = f"at least {self.earliest}; no latest number within {self.followed} steps"
        elif self.earliest == self.latest:
            bounds = f"always {self.latest}"
        else:
            bounds = f"{self.earliest} to {self.latest}"
        if self.is_cut_off:
            bounds += " (where the limit of executions ends it)"
        times = self.times
        if times is not None and self.latest is not None:
            bounds += f", time {digits(times[0])} to {digits(times[1])}"
        return f"{self.what}: {bounds}"


@methods_end_at_caller
class Convergence:
    """
    The bounds on the numbers of steps of a model: iteration goes over them, and `found["decision"]` is that of a node.

    True if all of them have a latest step that is not only the limit of executions: each condition holds in the end.
    `box`: the ranges of parameters and inputs that they hold for. `draws`: the number of standard
    deviations within which draws were taken to lie, None if they are as large as they can be. `analytical`: by node, the times of
    continuous drift diffusion, from a formula.
    """

    def __init__(
        self,
        name: str,
        steps: Sequence[Steps],
        box: Mapping[str, tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]],
        draws: float | None,
        has_draws: bool,
        analytical: Mapping[str, DriftDiffusionTimes],
    ):
        self.name = name
        self.steps = list(steps)
        self.box = dict(box)
        self.draws = draws
        self.has_draws = has_draws
        self.analytical = dict(analytical)

    def __bool__(self) -> bool:
        return all(each.latest is not None and not each.is_cut_off for each in self.steps)

    def __iter__(self) -> Iterator[Steps]:
        return iter(self.steps)

    def __len__(self) -> int:
        return len(self.steps)

    def __getitem__(self, key: int | str) -> Steps:
        """By position, or by the name of a node. Raises `InputError` for names that are none."""
        if isinstance(key, int):
            return self.steps[key]
        found = self._called(key)
        if found is None:
            known = self.keys()
            raise InputError(f"convergence: there is no {quoted(key)}{did_you_mean(key, known) or there_is(known)}")
        return found

    def _called(self, key: object) -> Steps | None:
        """The loop of that name, or of the node of that name."""
        if not isinstance(key, str) or not key:
            return None
        return next((each for each in self.steps if each.what.endswith(key) or key in each.what.split()), None)

    def keys(self) -> list[str]:
        """The names of the loops; `dict(found)` has the steps by name."""
        return [each.what for each in self.steps]

    def __contains__(self, key: object) -> bool:
        """True for the name of a loop or a node, and for the steps themselves."""
        return self._called(key) is not None or any(each is key for each in self.steps)

    @property
    def earliest(self) -> int | None:
        """The earliest step of the first loop."""
        return self.steps[0].earliest

    @property
    def latest(self) -> int | None:
        """The latest step of the first loop."""
        return self.steps[0].latest

    def __repr__(self) -> str:
        lines = [f"Steps of {self.name}"]
        if self.box:
            lines.append("  for " + ", ".join(f"{path} from {shown_ends(ends)}" for path, ends in self.box.items()))
        if self.has_draws:
            within = "as large as their generators can make them" if self.draws is None else f"within {self.draws:g} standard deviations"
            lines.append(f"  random numbers: {within}")
        lines += [f"  {each}" for each in self.steps]
        for node, times in self.analytical.items():
            lines.append(f"  {node}, analytically (continuous drift diffusion, no bound): {times}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return f"<pre>{escape(repr(self))}</pre>"

    def to_dataframe(self) -> DataFrame:
        """A table with a row for each loop: `steps`, `earliest`, `latest`, `limit`, `earliest_time`, `latest_time`."""
        pandas = extra("pandas", "to_dataframe", "pandas")
        rows = [(each.what, each.earliest, each.latest, each.limit, *(each.times or (np.nan, np.nan))) for each in self.steps]
        return pandas.DataFrame(rows, columns=["steps", "earliest", "latest", "limit", "earliest_time", "latest_time"])

    def to_xarray(self) -> xarray.Dataset:
        """A dataset with the variables `earliest` and `latest` along the axis `steps`; NaN where there is no number."""
        axis = Axis("steps", len(self.steps), {"steps": np.array([each.what for each in self.steps])})
        ends = {
            name: Variable(np.array([np.nan if (held := getattr(each, name)) is None else float(held) for each in self.steps]), (axis,))
            for name in ("earliest", "latest")
        }
        return to_xarray(Dataset("convergence", (axis,), ends, {}, {"model": self.name}))

    def plot(self, axes: Axes | None = None) -> Axes:
        """
        The bounds as bars, a loop a row; those without a latest step say so. Of drift diffusion with known numbers, the density of its
        times instead.
        """
        pyplot = extra("matplotlib.pyplot", "plot", "plot")
        drawn: Any = pyplot.subplots(figsize=(6.4, 4.0), layout="constrained")[1] if axes is None else axes
        drawn.spines[["top", "right"]].set_visible(False)
        if self.analytical:
            for node, times in self.analytical.items():
                at = np.linspace(times.non_decision_time, times.quantile(0.99), 200)[1:]
                drawn.plot(at, times.pdf(at), label=f"{node} (analytical)")
            drawn.set_xlabel("time")
            drawn.set_ylabel("density")
            drawn.legend(frameon=False)
            return drawn
        for place, each in enumerate(self.steps):
            first = each.followed if each.earliest is None else each.earliest
            last = each.followed if each.latest is None else each.latest
            drawn.plot([first, last], [place, place], linewidth=6, solid_capstyle="butt")
            if each.latest is None:
                drawn.annotate("no latest step found", (last, place), ha="right", va="bottom")
        drawn.set_yticks(range(len(self.steps)), [each.what for each in self.steps])
        drawn.set_xlabel("steps")
        return drawn
