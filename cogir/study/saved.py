"""
A fit as labelled data, for files and pickles: estimates, profiles, draws, and the data that were fitted.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from cogir.labelled.dataset import Array, Axis, Dataset, Variable
from cogir.labelled.fits import DRAWS, LOG_POSTERIOR, OTHER, PARAMETER, POINTWISE, PROFILE, ROW, ROWS, Profile
from cogir.study.columns import missing_rows

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cogir.labelled.fits import FitSummary
    from cogir.study.posterior import Posterior
    from cogir.study.problem import Problem
    from cogir.study.responses import Floats


class Findings(Protocol):
    """The parts of a fit that are saved (`Fit` in `fitted.py`, which imports this module)."""

    problem: Problem
    theta: Floats
    covariance: Floats
    simulation_errors: Floats
    profiles: dict[str, Profile]
    intervals_by: str | None
    unexplained: int
    notes: list[str]
    seconds: float
    draws: Posterior | None

    @property
    def standard_errors(self) -> Mapping[str, float]: ...

    @property
    def intervals(self) -> Mapping[str, tuple[float, float]]: ...

    @property
    def noise(self) -> float: ...

    @property
    def attributes(self) -> Mapping[str, Any]: ...

    def pointwise_or_none(self) -> Floats | None: ...

    def summary(self) -> FitSummary: ...


def dataset_of(fit: Findings) -> Dataset:
    """The dataset of a fit, of the kind "fit"."""
    names = np.array(fit.problem.names, np.str_)
    axis, other = (Axis(name, len(names), {name: names}) for name in (PARAMETER, OTHER))
    blank = (math.nan, math.nan)
    intervals = [fit.intervals.get(name, blank) for name in fit.problem.names]
    columns = {
        "estimate": fit.theta,
        "standard_error": np.array(list(fit.standard_errors.values())),
        "low": np.array([low for low, _ in intervals]),
        "high": np.array([high for _, high in intervals]),
        "simulation_error": np.asarray(fit.simulation_errors),
        "lower_bound": fit.problem.low,
        "upper_bound": fit.problem.high,
    }
    variables = {name: Variable(values, (axis,)) for name, values in columns.items()}
    variables["covariance"] = Variable(fit.covariance, (axis, other))
    table = fit.problem.table
    rows = Axis(ROW, table.count, plain_columns(fit))
    beside = {ROWS: Variable(np.asarray(table.rows, np.int64), (rows,))}
    if (pointwise := fit.pointwise_or_none()) is not None:
        beside[POINTWISE] = Variable(pointwise, (rows,))
    for name, profile in fit.profiles.items():
        label = f"{PROFILE}{name}"
        beside[label] = Variable(profile.fallen, (Axis(label, len(profile.values), {label: profile.values}),))
    if fit.draws is not None:
        chains, draws = (Axis(name, size) for name, size in zip(("chain", "draw"), fit.draws.draws.shape[:2], strict=True))
        beside[DRAWS] = Variable(fit.draws.draws, (chains, draws, axis))
        beside[LOG_POSTERIOR] = Variable(fit.draws.log_posterior, (chains, draws))
    return Dataset("fit", (axis,), variables, beside, attributes_of(fit))


def plain_columns(fit: Findings) -> dict[str, Array]:
    """The columns of the data as the user called them, each of numbers or of texts; of arrays, a column for each element."""
    found: dict[str, Array] = {}
    for name, column in fit.problem.table.columns.items():
        called = fit.problem.columns.get(name, name)
        if column.ndim == 1:
            found[called] = _plain(column)
        else:
            for index in np.ndindex(column.shape[1:]):
                found[f"{called}[{','.join(map(str, index))}]"] = _plain(column[(slice(None), *index)])
    return found


def _plain(column: Array) -> Array:
    """Numbers as they are, all else as texts; what is missing among texts is empty."""
    if column.dtype.kind in "biuf":
        return column
    missing = missing_rows(column)
    if all(isinstance(item, int | float | np.number) for item in column.tolist()):
        return column.astype(np.float64)
    return np.array(["" if lost else str(item) for item, lost in zip(column.tolist(), missing.tolist(), strict=True)], np.str_)


def attributes_of(fit: Findings) -> dict[str, Any]:
    """The settings and the numbers of a fit."""
    about = {name: value for name, value in fit.attributes.items() if name != "notes"}
    profiles = {name: _about_profile(profile) for name, profile in fit.profiles.items()}
    more = {"seconds": fit.seconds, "noise": fit.noise, "unexplained": fit.unexplained, "dropped": fit.problem.dropped}
    how = {"intervals_by": fit.intervals_by or "", "columns": fit.problem.columns, "lapse": float(fit.problem.lapse)}
    depends = {name: list(columns) for name, columns in fit.problem.parametrisation.depending.items()}
    return about | more | how | {"depends_on": depends, "profiles": profiles, "notes": fit.notes, "summary": fit.summary().lines}


def _about_profile(profile: Profile) -> dict[str, Any]:
    found: dict[str, Any] = {"low": profile.low, "high": profile.high, "drop": profile.drop}
    return found | {"meets_bound": list(map(bool, profile.meets_bound)), "ends": [end.tolist() for end in profile.ends]}
