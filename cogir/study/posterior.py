"""
Draws from the posterior distribution of the parameters, by an ensemble of walkers.
"""

# ArviZ's and SciPy's functions have no types.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from cogir.callers import methods_end_at_caller
from cogir.errors import InputError, shown
from cogir.labelled.extras import extra
from cogir.labelled.fits import table_html
from cogir.labelled.names import find, path_of
from cogir.study.fitted import Fit
from cogir.study.likelihoods import ByDensities
from cogir.study.responses import Array, Floats

if TYPE_CHECKING:
    import xarray

    from cogir.study.problem import Problem

STRETCH = 2.0
"""The scale of the stretch move (Goodman and Weare 2010)."""


@methods_end_at_caller
@dataclass(frozen=True, eq=False, repr=False)
class Posterior:
    """
    Draws from the posterior distribution: `posterior["ddm/drift"]` is the array (chains, draws). Chains are the walkers of an ensemble.
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
        drawn = [problem.simulate(every[place], seed=seed + number) for number, place in enumerate(chosen.tolist())]
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


def sample(found: Fit, draws: int = 500, *, tune: int = 200, chains: int | None = None, seed: int = 0, surface: bool = False) -> Posterior:
    """
    Draws from the posterior distribution around a fit; without priors, it is the likelihood within the bounds.

    `chains` walkers (4 for each parameter at least, and 16) move `tune` times before their `draws` are kept, by the stretch move of
    Goodman and Weare (2010), half of them in one sweep. Simulated likelihoods have common random numbers, so that the density does not
    change; their noise shifts it by about the `simulation_errors` of the fit. `surface`: take the polynomial of the fit in place of the
    likelihood, which costs nothing, and holds as far as intervals reach.
    """
    problem = found.problem
    size = problem.size
    walkers = max(16, 4 * size) if chains is None else chains
    if type(walkers) is not int or walkers < 2 * size or walkers % 2:
        raise InputError(f"posterior: chains is {walkers}; give an even number of at least {max(2, 2 * size)}, two for each parameter")
    if type(draws) is not int or draws < 1 or type(tune) is not int or tune < 0:
        raise InputError(f"posterior: draws is {draws}, tune is {tune}; give whole numbers, one draw at least")
    rng = np.random.default_rng([seed, 5])
    scale = problem.high - problem.low

    def density(thetas: Floats) -> Floats:
        if not surface:
            return problem.log_posteriors(thetas)
        inside = np.isfinite(problem.parametrisation.log_prior(thetas))
        u = (thetas - problem.low) / scale
        return np.array([found.surface.value(one) if good else -np.inf for one, good in zip(u, inside, strict=True)])

    errors = np.minimum(np.array(list(found.standard_errors.values())), 0.1 * scale)
    start = np.clip(found.theta + errors * rng.normal(size=(walkers, size)), problem.low + 1e-6 * scale, problem.high - 1e-6 * scale)
    kept, logs, accepted = walk(density, start, draws, tune, rng)
    ports, responses = problem.responses.ports, problem.responses
    columns = ((ports.choice, responses.choices), (ports.time, responses.times))
    observed = {name: values for name, values in columns if name is not None}
    attributes = {"model": problem.simulator.compiled.name, "likelihood": problem.likelihood.name, "seed": seed}
    found.draws = Posterior(problem.names, kept, logs, accepted, observed, attributes, problem)
    return found.draws


def walk(
    density: Callable[[Floats], Floats], start: Floats, draws: int, tune: int, rng: np.random.Generator
) -> tuple[Floats, Floats, float]:
    """The positions (walkers, draws, parameters) of an ensemble, the density there, and the proportion of accepted moves."""
    positions, heights = start.copy(), density(start)
    walkers, size = start.shape
    kept, logs = np.empty((walkers, draws, size)), np.empty((walkers, draws))
    accepted = 0
    halves = np.arange(walkers) < walkers // 2
    for step in range(-tune, draws):
        for half in (halves, ~halves):
            own, others = np.flatnonzero(half), np.flatnonzero(~half)
            stretch = ((STRETCH - 1.0) * rng.uniform(size=len(own)) + 1.0) ** 2 / STRETCH
            partners = positions[rng.choice(others, len(own))]
            proposed = partners + stretch[:, None] * (positions[own] - partners)
            found = density(proposed)
            with np.errstate(invalid="ignore"):
                ratio = (size - 1) * np.log(stretch) + found - heights[own]
            moves = np.log(rng.uniform(size=len(own))) < ratio
            positions[own[moves]], heights[own[moves]] = proposed[moves], found[moves]
            accepted += int(moves.sum()) * (step >= 0)
        if step >= 0:
            kept[:, step], logs[:, step] = positions, heights
    return kept, logs, accepted / (walkers * draws)
