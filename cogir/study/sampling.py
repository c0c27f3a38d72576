"""
Draws from a posterior distribution by an ensemble of walkers.
"""

# NumPy's comparisons of ranges have no types.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false
from __future__ import annotations

from collections.abc import Callable

import numpy as np

from cogir.errors import InputError
from cogir.study.fitted import Fit
from cogir.study.posterior import Posterior
from cogir.study.responses import Floats

STRETCH = 2.0
"""The scale of the stretch move (Goodman and Weare 2010)."""


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
