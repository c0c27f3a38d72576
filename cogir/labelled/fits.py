"""
Fits from files and pickles: what was found, without the model, which is there as a text.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
import numpy.typing as npt

from cogir.callers import methods_end_at_caller
from cogir.errors import CogirError, InputError, counted
from cogir.labelled.dataset import Array, Dataset
from cogir.labelled.loaded import Loaded, LoadedArrays
from cogir.labelled.names import find, path_of
from cogir.labelled.to_xarray import to_xarray

if TYPE_CHECKING:
    import xarray

Floats = npt.NDArray[np.float64]

PARAMETER, OTHER, ROW = "parameter", "other_parameter", "row"
"""The axes of parameters, and of the rows of the data, whose coordinates are the columns."""
ROWS, POINTWISE = "row_of_data", "log_likelihood_of_row"
"""The number of each row in the data of the user, and the log-likelihood of its trial at the estimates."""
DRAWS, LOG_POSTERIOR = "draws", "log_posterior"
PROFILE = "profile:"
"""The beginning of the names of profiles: how far the log-likelihood falls at the values of a parameter."""


@dataclass(frozen=True, eq=False)
class Profile:
    """
    The profile log-likelihood of a parameter: at each of its values, the largest log-likelihood over all other parameters.

    `fallen` is how far it lies below the maximum; `low` and `high` are the ends of the interval, where it has fallen by `drop` (1.92 for
    95 %), or a bound that is met before.
    """

    name: str
    values: Floats
    fallen: Floats
    low: float
    high: float
    drop: float
    meets_bound: tuple[bool, bool]
    ends: tuple[Floats, Floats]
    """The best points over all other parameters at the ends, in the unit cube."""

    def widened(self, best: float, noise: float, ends: tuple[float, float]) -> Profile:
        """The same with the interval for an estimate that also has the error of simulations: `noise` times its standard error."""
        factor = math.sqrt(1.0 + noise * noise) if math.isfinite(noise) else 1.0
        low, high = best + factor * (self.low - best), best + factor * (self.high - best)
        return replace(self, low=max(ends[0], low), high=min(ends[1], high))

    def __repr__(self) -> str:
        return f"<profile of {self.name}: from {self.low:.4g} to {self.high:.4g} it falls by less than {self.drop:.3g}>"


@methods_end_at_caller
class FitSummary:
    """
    The table of a fit, which `print` and notebooks show; `rows` has for each parameter the name, the estimate, the standard error, the ends
    of the interval, and the bounds.
    """

    def __init__(self, title: str, level: float, rows: Sequence[tuple[Any, ...]], lines: Sequence[str]):
        self.title = title
        self.level = level
        self.rows = list(rows)
        self.lines = list(lines)
        """The lines below the table."""

    def table(self) -> list[list[str]]:
        """The cells, headings first."""
        found = [["", "estimate", "std. error", f"{100 * self.level:g} % interval", "bounds"]]
        for name, value, error, low, high, bottom, top in self.rows:
            between = "" if math.isnan(low) else f"{low:.4g} to {high:.4g}"
            found.append([name, f"{value:.4g}", f"{error:.2g}", between, f"{bottom:g} to {top:g}"])
        return found

    def __repr__(self) -> str:
        table = self.table()
        widths = [max(len(row[place]) for row in table) for place in range(len(table[0]))]
        rows = [f"{row[0]:<{widths[0]}}  " + "  ".join(f"{c:>{w}}" for c, w in zip(row[1:], widths[1:], strict=True)) for row in table]
        return "\n".join([self.title, "", *rows, "", *self.lines])

    def _repr_html_(self) -> str:
        return table_html(self.table(), [self.title, *self.lines])


def table_html(table: Sequence[Sequence[str]], lines: Sequence[str]) -> str:
    """A table for notebooks, headings first, with the first of some lines above and the others below it."""
    head, *rows = table
    heading = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    cells = [(escape(row[0]), "".join(f"<td>{escape(cell)}</td>" for cell in row[1:])) for row in rows]
    body = "".join(f"<tr><th style='text-align:left'>{name}</th>{others}</tr>" for name, others in cells)
    title, *below = (escape(line) for line in lines)
    notes = "".join(f"<div>{line}</div>" for line in below)
    return f"<div><strong>{title}</strong><table><thead><tr>{heading}</tr></thead><tbody>{body}</tbody></table>{notes}</div>"


@methods_end_at_caller
class LoadedFit(Loaded):
    """
    A fit from a file (`cogir.load`) or a pickle, by name the estimates as of a fit: `fit["ddm/drift"]`, `dict(fit)`,
    `fit.intervals`, `fit.profile(name)`, `fit.data`, `fit.draws`.

    It has no model, only its text, `attributes["model_text"]`: to predict or draw data, fit again, or evaluate `cogir.fit.problem`.
    """

    __slots__ = ()

    def _numbers(self, name: str) -> Floats:
        return self._dataset.variables[name].values

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the free parameters, in order."""
        return tuple(str(name) for name in self._dataset.axes[0].index)

    def _named(self, name: str) -> dict[str, float]:
        return dict(zip(self.names, self._numbers(name).tolist(), strict=True))

    def __getitem__(self, key: Any) -> Any:
        """The estimate of a parameter; by "estimate", "standard_error", "low", "high" and the like, these of all."""
        wanted = path_of(key)
        if wanted in self._dataset.variables:
            return self._numbers(wanted)
        return self.parameters[find(wanted, self.parameters, "fit")]

    def __contains__(self, key: object) -> bool:
        """True if the object can be indexed with `key`."""
        try:
            wanted = path_of(key)
        except InputError:
            return False
        return wanted in self._dataset.variables or wanted in self.names

    def __iter__(self) -> Iterator[str]:
        """The names of the free parameters, in order."""
        return iter(self.names)

    def __len__(self) -> int:
        """The number of free parameters."""
        return len(self.names)

    @property
    def outputs(self) -> list[str]:
        """The names of the free parameters, in order."""
        return list(self.names)

    @property
    def theta(self) -> Floats:
        """The estimates, in the order of `names`."""
        return self._numbers("estimate")

    @property
    def parameters(self) -> dict[str, float]:
        """The estimates by name."""
        return self._named("estimate")

    @property
    def standard_errors(self) -> dict[str, float]:
        """The standard errors by name."""
        return self._named("standard_error")

    @property
    def intervals(self) -> dict[str, tuple[float, float]]:
        """The interval of each parameter by name; empty if none were asked for."""
        low, high = self._named("low"), self._named("high")
        return {name: (low[name], high[name]) for name in self.names if not math.isnan(low[name])}

    @property
    def covariance(self) -> Floats:
        """Of the estimates, in the order of `names`."""
        return self._numbers("covariance")

    @property
    def simulation_errors(self) -> Floats:
        """The standard deviation of the estimates between random numbers of the simulations."""
        return self._numbers("simulation_error")

    @property
    def profiles(self) -> dict[str, Profile]:
        """The profile log-likelihood of each parameter, by name; empty if it was not asked for."""
        known: Mapping[str, Any] = self.attributes["profiles"]
        found: dict[str, Profile] = {}
        for name, about in known.items():
            variable = self._dataset.beside[f"{PROFILE}{name}"]
            ends = tuple(np.array(end) for end in about["ends"])
            met = bool(about["meets_bound"][0]), bool(about["meets_bound"][1])
            fallen = about["low"], about["high"], about["drop"], met, (ends[0], ends[1])
            found[name] = Profile(name, variable.axes[0].index, variable.values, *fallen)
        return found

    def profile(self, name: Any) -> Profile:
        """The profile log-likelihood of a parameter."""
        if not self.profiles:
            raise InputError('fit: profiles were not computed; fit with intervals="profile"')
        return self.profiles[find(path_of(name), self.profiles, "fit")]

    @property
    def data(self) -> dict[str, Array]:
        """The data that were fitted, by column."""
        return dict(self._dataset.beside[ROWS].axes[0].coordinates)

    @property
    def pointwise(self) -> Floats:
        """The log-likelihood of each trial at the estimates."""
        if POINTWISE not in self._dataset.beside:
            raise InputError("fit: a synthetic likelihood has no log-likelihood of a single trial")
        return self._dataset.beside[POINTWISE].values

    @property
    def draws(self) -> LoadedArrays:
        """By parameter the draws from the posterior distribution, (chains, draws); none if there were none when it was saved."""
        held = self._dataset.beside.get(DRAWS)
        return LoadedArrays("draws", {} if held is None else {name: held.values[..., place] for place, name in enumerate(self.names)})

    def __getattr__(self, name: str) -> Any:
        if name in ("log_likelihood", "aic", "bic", "trials", "level", "likelihood", "method", "seed", "evaluations", "seconds", "noise"):
            return self.attributes[name]
        if name in ("problem", "predict", "plot_profiles", "surface"):
            return self._without_model(name)
        raise AttributeError(f"LoadedFit has no {name!r}", name=name, obj=None)

    def _without_model(self, name: str) -> NoReturn:
        raise CogirError(
            f'fit: {name}: a fit from a file or a pickle has no model; fit again, or compile attributes["model_text"] and make the problem '
            "from `data`"
        )

    @property
    def notes(self) -> list[str]:
        """Sentences about what to be careful of."""
        return list(self.attributes["notes"])

    def plot(self, variable: Any = None, **_: Any) -> NoReturn:
        self._without_model("plot")

    def summary(self) -> FitSummary:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The table of the fit; print it."""
        nothing = (math.nan, math.nan)
        columns = self.parameters, self.standard_errors, self._named("lower_bound"), self._named("upper_bound")
        rows = [(name, columns[0][name], columns[1][name], *self.intervals.get(name, nothing), columns[2][name], columns[3][name])
                for name in self.names]  # fmt: skip
        return FitSummary(f'fit of "{self.attributes["model"]}"', self.attributes["level"], rows, self.attributes["summary"])

    def to_xarray(self) -> xarray.Dataset:
        """Estimates, standard errors, intervals and covariances over `parameter`, as before it was saved."""
        return to_xarray(replace_beside(self._dataset))

    def __reduce__(self) -> Any:
        return LoadedFit, (self._dataset,)

    def _repr_html_(self) -> str:
        found = self.summary()
        return table_html(found.table(), [found.title, *found.lines])

    def __repr__(self) -> str:
        found = ", ".join(f"{name} = {value:.4g}" for name, value in self.parameters.items())
        return f"<fit to {counted(self.attributes['trials'], 'trial')}: {found}; log-likelihood {self.attributes['log_likelihood']:.2f}>"


def replace_beside(dataset: Dataset) -> Dataset:
    """The dataset without what stands beside its variables."""
    return Dataset(dataset.kind, dataset.axes, dataset.variables, {}, dataset.attributes)
