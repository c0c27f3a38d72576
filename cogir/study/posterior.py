"""
Draws from the posterior distribution of the parameters, as they are asked for.
"""

# ArviZ's and SciPy's functions have no types.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from cogir.callers import methods_end_at_caller
from cogir.errors import InputError, shown
from cogir.labelled.extras import extra
from cogir.labelled.fits import table_html
from cogir.labelled.names import ByName, find, path_of
from cogir.streams import mixed
from cogir.study.likelihoods import ByDensities
from cogir.study.responses import Array, Floats

if TYPE_CHECKING:
    import xarray

    from cogir.study.problem import Problem


@methods_end_at_caller
@dataclass(frozen=True, eq=False, repr=False)
class Posterior(ByName[Floats]):
    """
    Draws from the posterior distribution: `posterior["ddm/drift"]` is the array (chains, draws), `dict(posterior)` has all.
    Chains are the walkers of an ensemble.
    """

    names: tuple[str, ...]
    draws: Floats
    """(chains, draws, parameters)"""
    log_posterior: Floats
    """(chains, draws)"""
    accepted: float
    """The proportion of moves that were accepted."""
    observed: dict[str, Array]
    """The responses of the data, by output."""
    attributes: dict[str, Any]
    problem: Problem | None = None
    """The problem whose posterior it is; None of one that was pickled."""

    def __getitem__(self, name: Any) -> Floats:
        """The draws of a parameter, (chains, draws)."""
        known = dict.fromkeys(self.names)
        return self.draws[:, :, self.names.index(find(path_of(name), known, "posterior"))]

    def __iter__(self) -> Iterator[str]:
        """The names of the parameters, in order."""
        return iter(self.names)

    def __len__(self) -> int:
        """The number of parameters."""
        return len(self.names)

    def interval(self, name: Any, level: float = 0.95) -> tuple[float, float]:
        """The interval between the outer quantiles of a parameter."""
        low, high = np.quantile(self[name], [0.5 - 0.5 * level, 0.5 + 0.5 * level])
        return float(low), float(high)

    def to_xarray(self) -> xarray.Dataset:
        """The draws as an `xarray.Dataset` in the layout of ArviZ: a variable for each parameter over `chain` and `draw`."""
        package = extra("xarray", "to_xarray", "study")
        places = {"chain": np.arange(self.draws.shape[0]), "draw": np.arange(self.draws.shape[1])}
        columns = {name.replace("/", "."): (("chain", "draw"), self[name]) for name in self.names}
        return package.Dataset(columns, coords=places, attrs=self.attributes)

    @cached_property
    def pointwise(self) -> Floats:
        """
        The log-likelihood of each trial at each draw, (chains, draws, trials). It is computed when it is first asked for; a simulated
        likelihood takes about as long for it as the draws took. Raises `InputError` for a synthetic likelihood and for draws of a pickle.
        """
        problem = self._whole("pointwise")
        return np.stack([problem.pointwise(chain) for chain in self.draws])

    def predict(self, datasets: int = 20, *, seed: int = 0) -> dict[str, Array]:
        """
        Data sets that the model gives at draws, chosen by chance: by output the choices and times, (data sets, trials), in the rows of the
        data. NaN stand for trials without a decision.
        """
        problem = self._whole("predict")
        if type(datasets) is not int or datasets < 1:
            raise InputError(f"posterior: datasets is {shown(datasets)}; give a whole number of 1 or more")
        every = self.draws.reshape(-1, len(self.names))
        chosen = np.random.default_rng([seed, 23]).integers(len(every), size=datasets)
        drawn = [problem.simulate(every[place], seed=mixed(seed, "predict", number)) for number, place in enumerate(chosen.tolist())]
        called = {problem.columns.get(name, name): name for name in self.observed}
        return {name: np.stack([one[column] for one in drawn]) for column, name in called.items()}

    def _whole(self, what: str) -> Problem:
        """The problem. Raises `InputError` if it stayed behind when the draws were pickled."""
        if self.problem is None:
            raise InputError(f"posterior: {what}: draws from a pickle have no model; ask for it before they are pickled")
        return self.problem

    def __getstate__(self) -> dict[str, Any]:
        """Everything but the model; `pointwise` too, if it was asked for."""
        return {**vars(self), "problem": None}

    def to_inference_data(self, log_likelihood: bool = True) -> Any:
        """
        The draws for ArviZ, with the groups `posterior`, `sample_stats` (`lp`), `observed_data`, and `log_likelihood` of each trial, which
        `az.loo` takes: an `InferenceData`, or since ArviZ 1 an `xarray.DataTree`. Names have a dot in place of the slash. Raises
        `CogirError` if ArviZ is not installed.

        `log_likelihood`: False leaves that group out, which takes a simulation of all draws where the likelihood is simulated.
        """
        arviz = extra("arviz", "to_inference_data", "posterior")
        groups = {
            "posterior": {name.replace("/", "."): self[name] for name in self.names},
            "sample_stats": {"lp": self.log_posterior},
            "observed_data": {name.replace("/", "."): values for name, values in self.observed.items()},
        }
        known = "pointwise" in vars(self) or (self.problem is not None and isinstance(self.problem.likelihood, ByDensities))
        if log_likelihood and known:
            groups["log_likelihood"] = {"response": self.pointwise}
        return arviz.from_dict(groups) if int(arviz.__version__.partition(".")[0]) >= 1 else arviz.from_dict(**groups)

    def _repr_html_(self) -> str:
        rows = [["", "mean", "std. deviation", "95 % interval"]]
        for name in self.names:
            low, high = self.interval(name)
            rows.append([name, f"{self[name].mean():.4g}", f"{self[name].std():.2g}", f"{low:.4g} to {high:.4g}"])
        chains, draws = self.draws.shape[:2]
        return table_html(rows, ["posterior", f"{chains} chains of {draws} draws, {100 * self.accepted:.0f} % of moves accepted"])

    def __repr__(self) -> str:
        listed = ", ".join(f"{name} = {self[name].mean():.4g} ± {self[name].std():.2g}" for name in self.names)
        chains, draws = self.draws.shape[:2]
        return f"<posterior: {listed}; {chains} chains of {draws} draws, {100 * self.accepted:.0f} % of moves accepted>"
