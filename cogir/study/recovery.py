"""
Parameter recovery: data that a model gives at known parameters, fitted again.
"""

# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from cogir.callers import ends_at_caller, methods_end_at_caller
from cogir.errors import InputError, shown
from cogir.labelled.extras import extra
from cogir.labelled.fits import table_html
from cogir.streams import mixed
from cogir.study.fitted import Fit
from cogir.study.likelihoods import SEEDS
from cogir.study.problem import FitError, FitWarning, Problem, design
from cogir.study.responses import Floats
from cogir.study.search import fit_problem

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDTHS = {"covered": 10, "bias": 11, "correlation": 13}
"""The widths of the columns of the table."""
MARGIN = 0.15
"""Parameters are drawn from the bounds without so much at either end."""


@methods_end_at_caller
@dataclass(frozen=True, eq=False, repr=False)
class Recovery:
    """
    True parameters and what fits to simulated data find: `true`, `estimates`, `low` and `high` are (data sets, parameters).

    Of a data set that could not be fitted, the row is NaN, and `failures` has its number and the reason.
    """

    names: tuple[str, ...]
    true: Floats
    estimates: Floats
    low: Floats
    high: Floats
    level: float
    failures: dict[int, str]

    @property
    def covered(self) -> dict[str, float]:
        """For each parameter the proportion of intervals that hold the true value; NaN without intervals."""
        with np.errstate(invalid="ignore"):
            held = (self.low <= self.true) & (self.true <= self.high)
        good = ~np.isnan(self.low).any(axis=1)
        if not good.any():
            return dict.fromkeys(self.names, float("nan"))
        return dict(zip(self.names, held[good].mean(axis=0).tolist(), strict=True))

    @property
    def bias(self) -> dict[str, float]:
        """For each parameter the mean of estimate minus true value."""
        return dict(zip(self.names, np.nanmean(self.estimates - self.true, axis=0).tolist(), strict=True))

    @property
    def correlation(self) -> dict[str, float]:
        """For each parameter the correlation of estimates and true values; NaN where all true values are equal."""
        good = ~np.isnan(self.estimates).any(axis=1)
        found: dict[str, float] = {}
        for place, name in enumerate(self.names):
            true, estimate = self.true[good, place], self.estimates[good, place]
            varies = len(true) > 1 and np.ptp(true) > 0.0 and np.ptp(estimate) > 0.0
            found[name] = float(np.corrcoef(true, estimate)[0, 1]) if varies else float("nan")
        return found

    def __repr__(self) -> str:
        head, *rows = self.table()
        width = max(len(row[0]) for row in rows)
        lines = [self.title, "", f"{'':<{width}}{''.join(f'{cell:>{WIDTHS[cell]}}' for cell in head[1:])}"]
        lines += [f"{row[0]:<{width}}{''.join(f'{c:>{WIDTHS[h]}}' for h, c in zip(head[1:], row[1:], strict=True))}" for row in rows]
        return "\n".join([*lines, *self.notes])

    @property
    def title(self) -> str:
        """The title of the table."""
        return f"recovery of {len(self.true)} data sets; {100 * self.level:g} % intervals"

    @property
    def notes(self) -> list[str]:
        """The data sets that could not be fitted, with the reasons."""
        return [f"data set {number}: {reason}" for number, reason in self.failures.items()]

    def table(self) -> list[list[str]]:
        """The cells, headings first; without columns that say nothing."""
        has_intervals, varies = not np.isnan(self.low).all(), bool(np.ptp(self.true, axis=0).any())
        found = [["", *["covered"] * has_intervals, "bias", *["correlation"] * varies]]
        for name in self.names:
            cells = [f"{100 * self.covered[name]:.0f} %"] * has_intervals + [f"{self.bias[name]:.3g}"]
            found.append([name, *cells, *[f"{self.correlation[name]:.3f}"] * varies])
        return found

    def _repr_html_(self) -> str:
        return table_html(self.table(), [self.title, *self.notes])

    def plot(self) -> Figure:
        """Estimates with their intervals over true values, a panel for each parameter; needs matplotlib."""
        pyplot = extra("matplotlib.pyplot", "plot", "plot")
        figure, panels = pyplot.subplots(1, len(self.names), figsize=(3.2 * len(self.names), 3.2), layout="constrained", squeeze=False)
        for place, (name, axes) in enumerate(zip(self.names, panels[0], strict=True)):
            true, found = self.true[:, place], self.estimates[:, place]
            lengths = np.abs(np.stack([found - self.low[:, place], self.high[:, place] - found]))
            axes.errorbar(true, found, lengths, fmt="o", ms=4, lw=1, color="#2f6db3")
            ends = float(np.nanmin([true, found])), float(np.nanmax([true, found]))
            axes.plot(ends, ends, color="#30363d", lw=1, zorder=0)
            axes.set(title=name, xlabel="true", ylabel="estimate" if not place else None)
            axes.spines[["top", "right"]].set_visible(False)
        return figure


@ends_at_caller
def recovery(fitted: Fit | Problem, datasets: int = 20, *, true: Any = None, seed: int = 0, **options: Any) -> Recovery:
    """
    Simulates data sets of the size and the conditions of the data, and fits each: are the parameters found again?

        found = cogir.fit(model, data, free=...)
        print(cogir.recovery(found))

    `fitted`: a fit, whose estimates are the true parameters, or a problem (`cogir.fit.problem`), whose true parameters are spread over
    the bounds, but for 15 % at each end. `true`: other ones, (data sets, parameters). `options`: those of `cogir.fit` that say how to
    search. `seed`: the data sets of neighbouring seeds are independent.
    """
    problem = fitted.problem if isinstance(fitted, Fit) else fitted
    if not isinstance(cast(object, problem), Problem):
        raise InputError(f"recovery: found {shown(fitted)}; give a fit, or a problem: cogir.fit.problem(model, data, free)")
    if type(datasets) is not int or datasets < 1:
        raise InputError(f"recovery: datasets is {shown(datasets)}; give a whole number of 1 or more")
    truth = true_points(fitted, problem, datasets, true, seed)
    level = options.get("level", 0.95)
    found = np.full((3, *truth.shape), np.nan)
    failures: dict[int, str] = {}
    for number, theta in enumerate(truth):
        columns = problem.simulated_columns(theta, mixed(seed, "data", number) % SEEDS)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FitWarning)
            try:
                fit = fit_problem(problem.with_columns(columns), seed=mixed(seed, "fit", number) % SEEDS, **options)
            except FitError as reason:
                failures[number] = str(reason)
                continue
        found[0, number] = fit.theta
        if fit.intervals:
            found[1, number], found[2, number] = np.array(list(fit.intervals.values())).T
    return Recovery(problem.names, truth, found[0], found[1], found[2], level, failures)


def true_points(fitted: Any, problem: Problem, datasets: int, true: Any, seed: int) -> Floats:
    """The true parameters of the data sets."""
    if true is not None:
        return problem.points(true)[0]
    if isinstance(fitted, Fit):
        return np.repeat(fitted.theta[None], datasets, axis=0)
    margin = MARGIN * (problem.high - problem.low)
    return design(problem.low + margin, problem.high - margin, datasets, mixed(seed, "true"))
