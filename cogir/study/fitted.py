"""
What a fit has found.
"""

# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from functools import cached_property
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np

from cogir.callers import methods_end_at_caller
from cogir.errors import InputError, counted, did_you_mean, there_is
from cogir.labelled.extras import extra
from cogir.labelled.names import path_of
from cogir.study.intervals import Profile
from cogir.study.likelihoods import ByDensities
from cogir.study.pictures import draw_fit, draw_profiles
from cogir.study.responses import Floats
from cogir.study.surface import Surface

if TYPE_CHECKING:
    import xarray
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from cogir.study.problem import Problem


def not_free(problem: Problem, name: str) -> str:
    """The message for a name that is no free parameter, or that has a parameter for each condition."""
    parts = [parameter.name for parameter in problem.parametrisation.free if parameter.base == name]
    if parts:
        columns = " and ".join(problem.parametrisation.depending[name])
        return f'fit: "{name}" depends on {columns}, and has a value for each{there_is(parts)}'
    return f'fit: "{name}" is not free{did_you_mean(name, problem.names) or there_is(problem.names)}'


@methods_end_at_caller
class ByParameter(dict[str, Any]):
    """Numbers by the names of free parameters."""

    def __init__(self, problem: Problem, held: dict[str, Any]):
        super().__init__(held)
        self.problem = problem

    def __missing__(self, name: Any) -> Any:
        wanted = path_of(name)
        if wanted in self and wanted != name:
            return self[wanted]
        if wanted in self.problem.names:
            raise InputError('fit: intervals were not computed; fit with intervals="profile"')
        raise InputError(not_free(self.problem, wanted))


@methods_end_at_caller
@dataclass(eq=False, repr=False)
class Fit:
    """
    The parameters under which a model explains data best, and how well they are known.

        fit["ddm/drift"], fit.intervals["ddm/drift"], fit.log_likelihood
        print(fit.summary())
        fit.plot(); fit.profile("ddm/drift").values
    """

    problem: Problem
    theta: Floats
    """The estimates, in the order of `problem.names`."""
    log_likelihood: float
    """At the estimates."""
    covariance: Floats
    """Of the estimates, from the curvature of the log-likelihood, in the order of `problem.names`."""
    profiles: dict[str, Profile]
    """The profile log-likelihood of each parameter, by name; empty if it was not asked for."""
    level: float
    """The level of the intervals."""
    intervals_by: str | None
    surface: Surface
    """The log-likelihood around the estimates, over the unit cube between the bounds."""
    method: str
    simulation_errors: Floats
    """The standard deviation of the estimates between random numbers of the simulations."""
    unexplained: int
    """The number of trials that the likelihood's floor explains."""
    notes: list[str]
    evaluations: int
    """The number of points at which the likelihood was computed."""
    seconds: float

    @property
    def parameters(self) -> dict[str, float]:
        """The estimates by name."""
        return ByParameter(self.problem, dict(zip(self.problem.names, self.theta.tolist(), strict=True)))

    def __getitem__(self, name: Any) -> float:
        """The estimate of a parameter."""
        return self.parameters[self._known(name)]

    def _known(self, name: Any) -> str:
        wanted = path_of(name)
        if wanted not in self.problem.names:
            raise InputError(not_free(self.problem, wanted))
        return wanted

    @property
    def standard_errors(self) -> dict[str, float]:
        """The standard errors by name, from the curvature of the log-likelihood; infinite where it does not fall."""
        return ByParameter(self.problem, dict(zip(self.problem.names, np.sqrt(np.diag(self.covariance)).tolist(), strict=True)))

    @property
    def intervals(self) -> dict[str, tuple[float, float]]:
        """The interval of each parameter by name; empty if none were asked for."""
        if self.intervals_by == "profile":
            return ByParameter(self.problem, {name: (profile.low, profile.high) for name, profile in self.profiles.items()})
        if self.intervals_by is None:
            return ByParameter(self.problem, {})
        factor = NormalDist().inv_cdf(0.5 + 0.5 * self.level)
        both = np.hypot(np.array(list(self.standard_errors.values())), self.simulation_errors)
        errors = dict(zip(self.problem.names, both.tolist(), strict=True))
        found: dict[str, tuple[float, float]] = {}
        for name, low, high in zip(self.problem.names, self.problem.low.tolist(), self.problem.high.tolist(), strict=True):
            found[name] = max(low, self[name] - factor * errors[name]), min(high, self[name] + factor * errors[name])
        return ByParameter(self.problem, found)

    def profile(self, name: Any) -> Profile:
        """The profile log-likelihood of a parameter: `values`, how far it has `fallen` there, and the ends of the interval."""
        known = self._known(name)
        if known not in self.profiles:
            raise InputError('fit: profiles were not computed; fit with intervals="profile"')
        return self.profiles[known]

    @property
    def noise(self) -> float:
        """The standard deviation of `log_likelihood` between random numbers of the simulations; 0 for a formula."""
        return self.surface.noise if self.problem.likelihood.is_simulated else 0.0

    @property
    def trials(self) -> int:
        """The number of trials of the data."""
        return self.problem.responses.count

    @property
    def aic(self) -> float:
        """Akaike's criterion, `2 k - 2 log L` with k free parameters."""
        return 2.0 * self.problem.size - 2.0 * self.log_likelihood

    @property
    def bic(self) -> float:
        """The Bayesian criterion, `k log n - 2 log L` with k free parameters and n trials."""
        return self.problem.size * math.log(self.trials) - 2.0 * self.log_likelihood

    @cached_property
    def undecided(self) -> float:
        """The proportion of trials without a decision that the model gives at the estimates, in the conditions of the data."""
        likelihood = self.problem.likelihood
        if not isinstance(likelihood, ByDensities):
            return 0.0
        values, _ = self.problem.values(self.theta[None])
        _, decided = likelihood.densities(values, self.problem.responses)
        return float(np.clip(1.0 - decided[0][self.problem.responses.conditions], 0.0, 1.0).mean())

    def predict(self, *, seed: int = 0) -> dict[str, Any]:
        """Data that the model gives at the estimates: the columns of the data with other choices and times."""
        return self.problem.simulate(self.theta, seed=seed)

    def plot(self, condition: Any = None, *, axes: Axes | None = None) -> Axes:
        """
        Draws the data beside what the model predicts at the estimates, and returns the axes; needs matplotlib.

        Each condition has a panel, up to six of them (`axes.figure.axes` has all; the first is returned); more are drawn as one, and so are
        all if `axes` are given. `condition`: only some, by label ("hard", "difficulty=hard") or by number.
        """
        return draw_fit(self.problem, self.theta, condition, axes)

    def plot_profiles(self) -> Figure:
        """Draws the profile log-likelihood of each parameter with its interval, and returns the figure; needs matplotlib."""
        if not self.profiles:
            raise InputError('fit: profiles were not computed; fit with intervals="profile"')
        return draw_profiles(self.problem, self.profiles, self.parameters)

    def summary(self) -> FitSummary:
        """A table of the estimates with standard errors and intervals, the likelihood, and what to be careful of; print it."""
        return FitSummary(self)

    def to_xarray(self) -> xarray.Dataset:
        """
        The estimates, standard errors, intervals and covariances over `parameter` as an `xarray.Dataset`, with the likelihood and the
        criteria as attributes. Raises `CogirError` if xarray is not installed.
        """
        package = extra("xarray", "to_xarray", "study")
        names = list(self.problem.names)
        blank = (math.nan, math.nan)
        columns = {
            "estimate": ("parameter", self.theta),
            "standard_error": ("parameter", np.array(list(self.standard_errors.values()))),
            "low": ("parameter", np.array([self.intervals.get(name, blank)[0] for name in names])),
            "high": ("parameter", np.array([self.intervals.get(name, blank)[1] for name in names])),
            "simulation_error": ("parameter", self.simulation_errors),
            "covariance": (("parameter", "other_parameter"), self.covariance),
        }
        return package.Dataset(columns, coords={"parameter": names, "other_parameter": names}, attrs=self.attributes)

    @property
    def attributes(self) -> dict[str, Any]:
        """The model and its text, the likelihood, the criteria, the search, and the version of cogir."""
        about = self.problem.simulator.compiled.about
        return {
            "model": about.name or self.problem.simulator.compiled.name,
            "model_text": about.text,
            "likelihood": self.problem.likelihood.name,
            "log_likelihood": self.log_likelihood,
            "aic": self.aic,
            "bic": self.bic,
            "trials": self.trials,
            "level": self.level,
            "method": self.method,
            "seed": self.problem.seed,
            "evaluations": self.evaluations,
            "notes": "; ".join(self.notes),
            "cogir_version": sys.modules["cogir"].__version__,
        }

    def __repr__(self) -> str:
        found = ", ".join(f"{name} = {value:.4g}" for name, value in self.parameters.items())
        return f"<fit to {counted(self.trials, 'trial')}: {found}; log-likelihood {self.log_likelihood:.2f}>"


@methods_end_at_caller
class FitSummary:
    """The table of a fit, which `print` and notebooks show; `rows` holds its numbers."""

    def __init__(self, fit: Fit):
        self.fit = fit
        errors, intervals = fit.standard_errors, fit.intervals
        self.rows = [
            (name, value, errors[name], *intervals.get(name, (math.nan, math.nan)), low, high)
            for (name, value), low, high in zip(fit.parameters.items(), fit.problem.low.tolist(), fit.problem.high.tolist(), strict=True)
        ]
        """For each parameter the name, the estimate, the standard error, the ends of the interval, and the bounds."""

    def table(self) -> list[list[str]]:
        """The cells, headings first."""
        interval = f"{100 * self.fit.level:g} % interval"
        found = [["", "estimate", "std. error", interval, "bounds"]]
        for name, value, error, low, high, bottom, top in self.rows:
            between = "" if math.isnan(low) else f"{low:.4g} to {high:.4g}"
            found.append([name, f"{value:.4g}", f"{error:.2g}", between, f"{bottom:g} to {top:g}"])
        return found

    def lines(self) -> list[str]:
        """The lines below the table."""
        fit = self.fit
        noise = f" ± {fit.noise:.1f} (simulation)" if fit.problem.likelihood.is_simulated else ""
        dropped = f"; {counted(fit.problem.dropped, 'row')} of the data without a response left out" if fit.problem.dropped else ""
        return [
            f"log-likelihood {fit.log_likelihood:.2f}{noise}, AIC {fit.aic:.1f}, BIC {fit.bic:.1f}; "
            f"{counted(fit.trials, 'trial')}{dropped}",
            f"{fit.problem.likelihood.name}; {fit.method}, {fit.evaluations:,} points in {fit.seconds:.1f} s, after "
            f"{fit.problem.preparation:.1f} s to compile the model and to look over the bounds",
            *(f"note: {note}" for note in fit.notes),
        ]

    def __repr__(self) -> str:
        table = self.table()
        widths = [max(len(row[place]) for row in table) for place in range(len(table[0]))]
        rows = [f"{row[0]:<{widths[0]}}  " + "  ".join(f"{c:>{w}}" for c, w in zip(row[1:], widths[1:], strict=True)) for row in table]
        return "\n".join([f'fit of "{self.fit.problem.simulator.compiled.name}"', "", *rows, "", *self.lines()])

    def _repr_html_(self) -> str:
        from html import escape

        head, *rows = self.table()
        heading = "".join(f"<th>{escape(cell)}</th>" for cell in head)
        lines = [(escape(row[0]), "".join(f"<td>{escape(cell)}</td>" for cell in row[1:])) for row in rows]
        body = "".join(f"<tr><th style='text-align:left'>{name}</th>{cells}</tr>" for name, cells in lines)
        below = "".join(f"<div>{escape(line)}</div>" for line in self.lines())
        return f"<div><table><thead><tr>{heading}</tr></thead><tbody>{body}</tbody></table>{below}</div>"
