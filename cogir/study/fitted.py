"""
What a fit has found.
"""

# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np

from cogir.callers import methods_end_at_caller
from cogir.errors import InputError, counted, did_you_mean, there_is
from cogir.labelled.extras import extra
from cogir.labelled.fits import FitSummary, LoadedFit, Profile, table_html
from cogir.labelled.load import load
from cogir.labelled.names import ByName, path_of
from cogir.study.likelihoods import ByDensities
from cogir.study.pictures import draw_fit, draw_profiles
from cogir.study.responses import Floats
from cogir.study.surface import Surface

if TYPE_CHECKING:
    import xarray
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from cogir.labelled.dataset import Dataset
    from cogir.study.posterior import Posterior
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
class Fit(ByName[float]):
    """
    The parameters under which a model explains data best, and how well they are known.

        fit["ddm/drift"], fit.intervals["ddm/drift"], fit.log_likelihood
        dict(fit)                                                           # the estimates by name; so do `for name in fit` and `len`
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
    draws: Posterior | None = None
    """The draws of the last call of `cogir.fit.posterior`."""

    @property
    def parameters(self) -> dict[str, float]:
        """The estimates by name."""
        return ByParameter(self.problem, dict(zip(self.problem.names, self.theta.tolist(), strict=True)))

    def __getitem__(self, name: Any) -> float:
        """The estimate of a parameter."""
        return self.parameters[self._known(name)]

    def __iter__(self) -> Iterator[str]:
        """The names of the free parameters, in order."""
        return iter(self.problem.names)

    def __len__(self) -> int:
        """The number of free parameters."""
        return len(self.problem.names)

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

    def pointwise(self) -> Floats:
        """
        The log-likelihood of each trial at the estimates, in the order of the rows of the data; their sum is `log_likelihood`. For
        simulated likelihoods, the random numbers are those of the problem.
        """
        return self.problem.pointwise(self.theta)

    def pointwise_or_none(self) -> Floats | None:
        """`pointwise`, or None where a likelihood is that of all trials together."""
        return self.pointwise() if isinstance(self.problem.likelihood, ByDensities) else None

    def predict(self, *, seed: int = 0) -> Any:
        """
        Data that the model gives at the estimates: the columns of the data with other choices and times, as a DataFrame if the data were
        one, else as a dict.
        """
        return self.problem.like_the_data(self.problem.simulate(self.theta, seed=seed))

    def plot(self, condition: Any = None, *, axes: Axes | None = None) -> Axes:
        """
        Draws the data beside what the model predicts at the estimates, and returns the axes; needs matplotlib.

        Each condition has a panel, up to 30 of them (`axes.figure.axes` has all; the first is returned); more are drawn as one, and so are
        all if `axes` are given, which the title says. `condition`: only some, by label ("hard", "difficulty=hard") or by number.
        """
        return draw_fit(self.problem, self.theta, condition, axes)

    def plot_profiles(self) -> Figure:
        """Draws the profile log-likelihood of each parameter with its interval, and returns the figure; needs matplotlib."""
        if not self.profiles:
            raise InputError('fit: profiles were not computed; fit with intervals="profile"')
        return draw_profiles(self.problem, self.profiles, self.parameters)

    def summary(self) -> FitSummary:
        """A table of the estimates with standard errors and intervals, the likelihood, and what to be careful of; print it."""
        errors, intervals, nothing = self.standard_errors, self.intervals, (math.nan, math.nan)
        bounds = zip(self.parameters.items(), self.problem.low.tolist(), self.problem.high.tolist(), strict=True)
        rows = [(name, value, errors[name], *intervals.get(name, nothing), low, high) for (name, value), low, high in bounds]
        return FitSummary(f'fit of "{self.problem.simulator.compiled.name}"', self.level, rows, self._lines())

    def _lines(self) -> list[str]:
        """The lines below the table of the summary."""
        dropped = f"; {counted(self.problem.dropped, 'row')} of the data without a response left out" if self.problem.dropped else ""
        noise = f" ± {self.noise:.1f} (simulation)" if self.problem.likelihood.is_simulated else ""
        return [
            f"log-likelihood {self.log_likelihood:.2f}{noise}, AIC {self.aic:.1f}, BIC {self.bic:.1f}; "
            f"{counted(self.trials, 'trial')}{dropped}",
            f"{self.problem.likelihood.name}; {self.method}, {self.evaluations:,} points in {self.seconds:.1f} s, after "
            f"{self.problem.preparation:.1f} s to compile the model and to look over the bounds",
            *(f"note: {note}" for note in self.notes),
        ]

    def _repr_html_(self) -> str:
        found = self.summary()
        return table_html(found.table(), [found.title, *found.lines])

    def dataset(self) -> Dataset:
        """Estimates, intervals, profiles, draws and the data as plain records."""
        from cogir.study.saved import dataset_of

        return dataset_of(self)

    def save(self, path: str | PathLike[str], *, overwrite: bool = False) -> None:
        """
        Writes what was found to a file, which `cogir.load` reads: estimates, errors, intervals, profiles, the draws of the last call of
        `cogir.fit.posterior`, the data, the settings, and the text of the model.

        The ending says the format: `.npz` (NumPy), `.nc` (netCDF) or `.zarr` (a folder). A file that exists is refused unless `overwrite`
        is True.
        """
        from cogir.labelled.files import save

        save(self.dataset(), path, overwrite=overwrite)

    @staticmethod
    def load(path: str | PathLike[str]) -> LoadedFit:
        """The fit of a file that `save` has written. Raises `InputError` for files of other kinds."""
        found = load(path)
        if not isinstance(found, LoadedFit):
            raise InputError(f"fit: load: the file holds a {found.kind}, and no fit; give it to cogir.load")
        return found

    def __reduce__(self) -> Any:
        """A pickle holds what a file does: everything but the model, which is there as a text."""
        return LoadedFit, (self.dataset(),)

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
