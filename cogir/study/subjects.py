"""
Fits of several subjects, each by itself.
"""

# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from cogir.callers import methods_end_at_caller, stacklevel
from cogir.errors import CogirError, InputError, counted
from cogir.frontend.compile import compile
from cogir.labelled.extras import extra
from cogir.labelled.fits import table_html
from cogir.labelled.names import ByName
from cogir.runtime.compiled import Compiled
from cogir.study.columns import Array, missing_rows
from cogir.study.fitted import Fit
from cogir.study.problem import FitWarning, make_problem
from cogir.study.responses import Table, table_of
from cogir.study.search import fit_problem

if TYPE_CHECKING:
    import xarray


MOST_NAMED = 4
"""A warning names so many subjects."""


@methods_end_at_caller
class Fits(ByName[Fit]):
    """
    The fits of several subjects: `fits["anna"]` is that of one. `failures` has the reasons of those that could not be fitted.
    """

    def __init__(self, subject: str, fits: Mapping[Any, Fit], failures: Mapping[Any, str]):
        self.subject = subject
        """The column of the data that names subjects."""
        self.fits = dict(fits)
        self.failures = dict(failures)

    def __getitem__(self, subject: Any) -> Fit:
        if subject in self.fits:
            return self.fits[subject]
        if subject in self.failures:
            raise InputError(f"fits: {self.subject} {subject} could not be fitted: {self.failures[subject]}")
        listed = ", ".join(map(str, list(self.fits)[:12]))
        raise InputError(f"fits: there is no {self.subject} {subject}; there is {listed}")

    def __iter__(self) -> Iterator[Any]:
        return iter(self.fits)

    def __len__(self) -> int:
        return len(self.fits)

    @property
    def log_likelihood(self) -> float:
        """The sum over all subjects."""
        return sum(fit.log_likelihood for fit in self.fits.values())

    def to_xarray(self) -> xarray.Dataset:
        """Estimates, standard errors and intervals over subjects and parameters."""
        package = extra("xarray", "to_xarray", "study")
        own = [fit.to_xarray() for fit in self.fits.values()]
        index = package.Variable(self.subject, np.array(list(self.fits)))
        return package.concat(own, dim=index, combine_attrs="drop_conflicts")

    def table(self) -> list[list[str]]:
        """The estimates of each subject, headings first."""
        names = list(dict.fromkeys(name for fit in self.fits.values() for name in fit.parameters))
        rows = [[self.subject, *names, "log-likelihood"]]
        for subject, fit in self.fits.items():
            rows.append([str(subject), *(f"{fit.parameters.get(name, np.nan):.4g}" for name in names), f"{fit.log_likelihood:.2f}"])
        return rows

    def _repr_html_(self) -> str:
        return table_html(self.table(), [f"{counted(len(self), 'fit')}, one for each {self.subject}", *self._reasons()])

    def _reasons(self) -> list[str]:
        return [f"{subject}: {reason}" for subject, reason in self.failures.items()]

    def __repr__(self) -> str:
        rows = self.table()
        widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
        lines = ["  ".join(f"{cell:>{width}}" for cell, width in zip(row, widths, strict=True)) for row in rows]
        return "\n".join([*lines, *self._reasons()])


def subjects_of(subject: str, table: Table) -> tuple[Array, Table]:
    """The column of subjects, and the rows that have one; warns of those that are left out, as they have none."""
    column = table[subject]
    if column.ndim > 1:
        raise InputError(f'fit: subject: column "{subject}" has the shape {column.shape}; give one value per trial')
    missing = missing_rows(column)
    if missing.all():
        raise InputError(f'fit: subject: column "{subject}" is missing in all {table.count} rows; give the subject of each trial')
    if missing.any():
        count = int(np.count_nonzero(missing))
        warnings.warn(
            f'fit: subject: column "{subject}" is missing in {count} of {table.count} rows (first in row {np.flatnonzero(missing)[0]}), '
            f"which {'are' if count > 1 else 'is'} left out; give the subject of each trial, or leave these rows out yourself",
            FitWarning,
            stacklevel=stacklevel(),
        )
    return column[~missing], table.some(~missing)


def unique(subject: str, column: Array) -> list[Any]:
    """The different subjects, in order."""
    try:
        return np.unique(column).tolist()
    except TypeError:
        raise InputError(f'data: column "{subject}" mixes numbers and texts; give one kind of values') from None


def fit_subjects(model: Any, data: Any, free: Any, subject: str, what: Mapping[str, Any], how: Mapping[str, Any]) -> Fits:
    """The fit of each subject. Raises the error of the first one if none could be fitted."""
    compiled = compile(model, unfinished="ignore", out_of_range="ignore") if not isinstance(model, Compiled) else model
    table = table_of(data)
    column, table = subjects_of(subject, table)
    fits: dict[Any, Fit] = {}
    failures: dict[Any, str] = {}
    first: CogirError | None = None
    for one in unique(subject, column):
        try:
            problem = make_problem(compiled, table.some(column == one), free, **what, taken=(subject,))
            fits[one] = fit_problem(problem, **how)
        except CogirError as error:
            failures[one] = str(error)
            first = first or error
    if not fits and first is not None:
        raise first
    if failures:
        named = ", ".join(map(str, list(failures)[:MOST_NAMED]))
        warnings.warn(
            f"fit: {len(failures)} of {len(failures) + len(fits)} values of {subject} could not be fitted ({named}"
            f"{' ...' if len(failures) > MOST_NAMED else ''}): {next(iter(failures.values()))}; failures has all reasons",
            FitWarning,
            stacklevel=stacklevel(),
        )
    return Fits(subject, fits, failures)
