"""
What a fit has found.
"""

# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np

from cogir.callers import methods_end_at_caller
from cogir.errors import InputError, did_you_mean, there_is
from cogir.labelled.names import path_of
from cogir.study.intervals import Profile
from cogir.study.likelihoods import ByDensities
from cogir.study.responses import Floats
from cogir.study.surface import Surface

if TYPE_CHECKING:
    from cogir.study.problem import Problem


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
        return dict(zip(self.problem.names, self.theta.tolist(), strict=True))

    def __getitem__(self, name: Any) -> float:
        """The estimate of a parameter."""
        return self.parameters[self._known(name)]

    def _known(self, name: Any) -> str:
        wanted = path_of(name)
        if wanted not in self.problem.names:
            raise InputError(f'fit: "{wanted}" is not free{did_you_mean(wanted, self.problem.names) or there_is(self.problem.names)}')
        return wanted

    @property
    def standard_errors(self) -> dict[str, float]:
        """The standard errors by name, from the curvature of the log-likelihood; infinite where it does not fall."""
        return dict(zip(self.problem.names, np.sqrt(np.diag(self.covariance)).tolist(), strict=True))

    @property
    def intervals(self) -> dict[str, tuple[float, float]]:
        """The interval of each parameter by name; empty if none were asked for."""
        if self.intervals_by == "profile":
            return {name: (profile.low, profile.high) for name, profile in self.profiles.items()}
        if self.intervals_by is None:
            return {}
        factor = NormalDist().inv_cdf(0.5 + 0.5 * self.level)
        errors = self.standard_errors
        found: dict[str, tuple[float, float]] = {}
        for name, low, high in zip(self.problem.names, self.problem.low.tolist(), self.problem.high.tolist(), strict=True):
            found[name] = max(low, self[name] - factor * errors[name]), min(high, self[name] + factor * errors[name])
        return found

    def profile(self, name: Any) -> Profile:
        """The profile log-likelihood of a parameter: `values`, how far it has `fallen` there, and the ends of the interval."""
        known = self._known(name)
        if known not in self.profiles:
            raise InputError('fit: profiles were not computed; fit with intervals="profile"')
        return self.profiles[known]

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

    def __repr__(self) -> str:
        found = ", ".join(f"{name} = {value:.4g}" for name, value in self.parameters.items())
        return f"<fit to {self.trials} trials: {found}; log-likelihood {self.log_likelihood:.2f}>"
