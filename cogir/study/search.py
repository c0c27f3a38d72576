"""
The search for the best point, and what is computed there: the surface around it, intervals, warnings.
"""

# SciPy's and optuna's functions have no types.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from cogir.callers import stacklevel
from cogir.errors import InputError, did_you_mean, shown
from cogir.labelled.extras import extra
from cogir.streams import mixed
from cogir.study.columns import numbers_of
from cogir.study.ends import NearEnd, moved_outwards, near_ends
from cogir.study.fitted import Fit
from cogir.study.intervals import Profile, Profiler, covariance_of, exact, from_surface, profile_of
from cogir.study.likelihoods import Guiding, Likelihood, Simulated
from cogir.study.problem import FitError, FitWarning, Problem, design
from cogir.study.responses import Floats
from cogir.study.surface import Objective, Surface, Surveyor

DESIGN = 40
"""For each free parameter the search begins with so many points."""
SEARCH, REGION, LEAST_TRIALS = 30, 3, 2000
"""
The search simulates a thirtieth of the trials, and what finds the region around its maximum a third, but 2,000 if there are as many; the
surface at the end all of them.
"""
POPULATION, GENERATIONS = 8, 10
"""The best points, so many for each free parameter, evolve over so many generations before the search begins."""
STARTS, APART = 4, 0.05
"""The number of starts of a search. They differ by at least so much in a coordinate of the unit cube."""
JUDGES = 8
"""The number of seeds with which the best points of all stages are compared."""
TRUSTWORTHY = 1.0
"""A polynomial whose maximum is lower than another point by more than this does not describe the log-likelihood."""
ATTEMPTS = 3
"""The number of polynomials that are tried."""
FAILED = 0.1
"""A search has probably failed if the model does not explain this proportion of the trials."""
REMEDY = "give starts, such as free={'ddm/drift': (0, 4, 1)}, narrow the bounds, or raise simulations"
CLOSE = 1e-3
"""An estimate that is so close to a bound, in units of their distance, lies at it."""
LOWEST = -1e12
"""Stands for a log-likelihood of minus infinity where an optimiser needs numbers."""
INTERVALS = ("profile", "hessian", None)

Search: TypeAlias = "Callable[[Objective, Floats, int, int | None], Floats]"
"""A search for the maximum of an objective in the unit cube, from some starts (the best one first), with a seed and a budget."""


def fit_problem(
    problem: Problem,
    *,
    method: Any = None,
    budget: int | None = None,
    intervals: str | None = "profile",
    level: float = 0.95,
    seed: int = 0,
) -> Fit:
    """The fit of a problem; see `cogir.fit` for the options."""
    begun, before = time.perf_counter(), problem.evaluations
    if intervals not in INTERVALS:
        raise InputError(f"fit: intervals is {shown(intervals)}; give one of {', '.join(map(repr, INTERVALS))}")
    if not isinstance(level, float) or not 0.0 < level < 1.0:
        raise InputError(f"fit: level is {shown(level)}; give a number between 0 and 1, such as 0.95")
    likelihood = problem.likelihood
    search = search_of("l-bfgs-b" if method is None and not likelihood.is_simulated else method or "nelder-mead")
    coarse = Guiding.by(likelihood, part_of(likelihood, SEARCH)) if isinstance(likelihood, Simulated) else likelihood
    starts = first_points(problem, coarse, seed)
    u = search(objective_of(problem, coarse), starts, seed, budget)
    maximum = surveyed(problem, np.concatenate([u[None], starts]), seed)
    u, surface = maximum.u, maximum.surface
    scale = problem.high - problem.low
    covariance = covariance_of(surface.hessian(u), (u > CLOSE) & (u < 1.0 - CLOSE))
    errors = np.sqrt(np.diag(covariance))
    noise = surface.errors(u) if likelihood.is_simulated else np.zeros(problem.size)
    profiles: dict[str, Profile] = {}
    near: list[NearEnd] = []
    if intervals == "profile":
        top = surface.value(u) if likelihood.is_simulated else float(objective_of(problem, likelihood)(u[None])[0])
        for place, name in enumerate(problem.names):
            ends = float(problem.low[place]), float(problem.high[place])
            profiles[name] = profile_of(name, place, u, top, float(errors[place]), maximum.profiler, ends, level)
        if likelihood.is_simulated:
            near = near_ends(profiles.values(), judges_of(problem, seed, JUDGES), u)
        for place, (name, profile) in enumerate(profiles.items()):
            ends = float(problem.low[place]), float(problem.high[place])
            best = float(ends[0] + u[place] * (ends[1] - ends[0]))
            profiles[name] = moved_outwards(profile, near, best, ends).widened(best, float(noise[place] / errors[place]), ends)
    theta = problem.low + u * scale
    found, lost = problem.log_likelihoods(theta[None])
    fit = Fit(
        problem=problem,
        theta=theta,
        log_likelihood=float(found[0]),
        covariance=covariance * np.outer(scale, scale),
        profiles=profiles,
        level=level,
        intervals_by=intervals,
        surface=surface,
        method=method if isinstance(method, str) else getattr(method, "__name__", None) or search.__name__.strip("_").replace("_", "-"),
        simulation_errors=noise * scale,
        unexplained=int(lost[0]),
        notes=[],
        evaluations=problem.evaluations - before,
        seconds=time.perf_counter() - begun,
    )
    fit.notes.extend(notes_of(fit, maximum))
    fit.notes.extend(str(end) for end in near)
    for note in fit.notes:
        warnings.warn(f"fit: {note}", FitWarning, stacklevel=stacklevel())
    return fit


def objective_of(problem: Problem, likelihood: Likelihood) -> Objective:
    """The log-posterior (the log-likelihood, where there are no priors) at points of the unit cube."""

    def objective(u: Floats) -> Floats:
        return problem.log_posteriors(problem.low + np.clip(u, 0.0, 1.0) * (problem.high - problem.low), likelihood)

    return objective


def part_of(likelihood: Simulated, part: int) -> int:
    """The number of trials that stages before the last one simulate."""
    return min(likelihood.replicates, max(LEAST_TRIALS, likelihood.replicates // part))


def independent(problem: Problem, likelihood: Likelihood, seed: int) -> Objective:
    """The objective with random numbers that differ at each point, so that its noise averages out over many."""
    calls = 0

    def objective(u: Floats) -> Floats:
        nonlocal calls
        calls += 1
        return objective_of(problem, likelihood.with_seed(mixed(seed, "call", calls), common=False))(u)

    return objective


def first_points(problem: Problem, likelihood: Likelihood, seed: int) -> Floats:
    """
    The best of points all over the unit cube, best one first, then the one that the user gives. For simulated likelihoods, the best ones
    evolve before. Raises `FitError` if the model explains no trial at any of the first points.
    """
    scale = problem.high - problem.low
    thetas = design(problem.low, problem.high, DESIGN * problem.size, seed)
    if problem.starts is not None:
        thetas = np.concatenate([problem.starts[None], thetas])
    priors = problem.parametrisation.log_prior(thetas)
    found, lost = problem.log_likelihoods(thetas, likelihood)
    if lost.min() >= problem.responses.count or not np.isfinite(found + priors).any():
        raise FitError(nothing_explained(problem, thetas, bool(np.isfinite(priors).any())))
    points, heights = (thetas - problem.low) / scale, found + priors
    given = points[:1] if problem.starts is not None else points[:0]
    if isinstance(likelihood, Guiding):
        points, heights = evolved(objective_of(problem, likelihood), points, heights, POPULATION * problem.size, seed)
    best = distinct(points[np.argsort(-heights, kind="stable")], STARTS)
    return np.concatenate([best, given])


def evolved(objective: Objective, points: Floats, heights: Floats, count: int, seed: int) -> tuple[Floats, Floats]:
    """The best of some points after generations of differential evolution, and their heights; each generation is one sweep."""
    optimize = extra("scipy.optimize", "fit", "fit")

    def negative(u: Floats) -> Floats:
        return -np.maximum(objective(u.T), LOWEST)

    made = optimize.differential_evolution(
        negative,
        [(0.0, 1.0)] * points.shape[1],
        init=points[np.argsort(-heights, kind="stable")[: max(5, count)]],
        maxiter=GENERATIONS,
        mutation=(0.5, 1.0),
        recombination=0.9,
        rng=np.random.default_rng([seed, 17]),
        polish=False,
        vectorized=True,
        updating="deferred",
    )
    return np.asarray(made.population, np.float64), -np.asarray(made.population_energies, np.float64)


def distinct(points: Floats, count: int) -> Floats:
    """The first of some points that lie apart from those before."""
    found = points[:1]
    for point in points[1:]:
        if len(found) < count and (np.abs(found - point).max(axis=1) >= APART).all():
            found = np.append(found, point[None], axis=0)
    return found


def nothing_explained(problem: Problem, thetas: Floats, has_prior: bool) -> str:
    """The message for a likelihood that is zero everywhere."""
    responses, pilot = problem.responses, problem.pilot
    if not has_prior:
        return f"fit: the priors are zero at all {len(thetas)} points that were tried within the bounds; change the bounds or the priors"
    where = f"fit: the likelihood is zero at all {len(thetas)} points that were tried within the bounds: the model explains no trial"
    if responses.ports.time is None:
        return f"{where}; change the bounds, or the inputs"
    times = responses.times[~responses.undecided]
    return (
        f"{where}. Its times lie between {pilot.earliest:.3g} and {pilot.latest:.3g}, those of the data between {times.min():.3g} and "
        f"{times.max():.3g}; check the units, the bounds, and the inputs"
    )


def search_of(method: Any) -> Search:
    """The search that the user asks for: a name, or a function (objective, bounds, start) -> best point."""
    if callable(method):
        return lambda objective, starts, seed, budget: point_of(method(objective, starts[0]), starts.shape[1])
    if method in SEARCHES:
        return SEARCHES[method]
    raise InputError(
        f"fit: method is {shown(method)}{did_you_mean(str(method), SEARCHES)}; give one of {', '.join(map(repr, SEARCHES))}, or a function "
        "(objective, start) -> best point, over the unit cube"
    )


def point_of(found: Any, size: int) -> Floats:
    """The point that a method of the user has found. Raises `InputError` for what is none."""
    wanted = f"return the best point, {size} numbers in the unit cube"
    point = numbers_of("fit: method: the function", found, wanted)
    if point.shape != (size,) or not np.isfinite(point).all():
        raise InputError(f"fit: method: the function returned {shown(point.tolist())}; {wanted}")
    return np.clip(point, 0.0, 1.0)


def _local(name: str, options: dict[str, float], starts_taken: int) -> Search:
    """SciPy's local optimisers, from the best starts."""

    def search(objective: Objective, starts: Floats, seed: int, budget: int | None) -> Floats:
        optimize = extra("scipy.optimize", "fit", "fit")
        size = starts.shape[1]
        limits = dict(options) | {"maxfev": budget or 200 * size}
        best, top = starts[0], -np.inf

        def negative(u: Floats) -> float:
            return -float(np.maximum(objective(u[None])[0], LOWEST))

        for start in starts[:starts_taken]:
            if name == "Nelder-Mead":
                moved = np.where(start < 0.5, start + 0.1, start - 0.1)
                limits["initial_simplex"] = np.concatenate([start[None], np.where(np.eye(size, dtype=bool), moved, start)])
            made = optimize.minimize(negative, start, method=name, bounds=[(0.0, 1.0)] * size, options=limits)
            if -made.fun > top:
                best, top = np.clip(made.x, 0.0, 1.0), -made.fun
        return best

    search.__name__ = name.lower()
    return search


def l_bfgs_b(objective: Objective, starts: Floats, seed: int, budget: int | None) -> Floats:
    """SciPy's L-BFGS-B with differences of all parameters in one call, from each start; for likelihoods without noise."""
    optimize = extra("scipy.optimize", "fit", "fit")
    size = starts.shape[1]

    def negative(u: Floats) -> tuple[float, Floats]:
        step = 1e-6
        points = np.repeat(np.clip(u, 0.0, 1.0)[None], 2 * size + 1, axis=0)
        for axis in range(size):
            points[2 * axis + 1, axis] = min(1.0, u[axis] + step)
            points[2 * axis + 2, axis] = max(0.0, u[axis] - step)
        values = -np.maximum(objective(points), LOWEST)
        apart = np.array([points[2 * axis + 1, axis] - points[2 * axis + 2, axis] for axis in range(size)])
        return float(values[0]), (values[1::2] - values[2::2]) / apart

    best, top = starts[0], -np.inf
    for start in starts:
        made = optimize.minimize(
            negative, start, jac=True, bounds=[(0.0, 1.0)] * size, method="L-BFGS-B", options={"maxiter": budget or 500}
        )
        if -made.fun > top:
            best, top = np.clip(made.x, 0.0, 1.0), -made.fun
    return best


def differential_evolution(objective: Objective, starts: Floats, seed: int, budget: int | None) -> Floats:
    """SciPy's differential evolution, a whole population in one sweep."""
    optimize = extra("scipy.optimize", "fit", "fit")
    size = starts.shape[1]
    population = 15 * size

    def negative(u: Floats) -> Floats:
        return -np.maximum(objective(u.T), LOWEST)

    made = optimize.differential_evolution(
        negative,
        [(0.0, 1.0)] * size,
        x0=starts[0],
        maxiter=max(1, (budget or 60 * population) // population - 1),
        popsize=15,
        tol=1e-3,
        rng=np.random.default_rng([seed, 3]),
        polish=False,
        vectorized=True,
        updating="deferred",
    )
    return np.asarray(made.x, np.float64)


def optuna(objective: Objective, starts: Floats, seed: int, budget: int | None) -> Floats:
    """optuna's default sampler, by ask and tell, from the best starts."""
    package = extra("optuna", 'fit: method "optuna"', "optuna")
    package.logging.set_verbosity(package.logging.WARNING)
    size = starts.shape[1]
    names = [f"u{axis}" for axis in range(size)]
    study = package.create_study(direction="maximize", sampler=package.samplers.TPESampler(seed=seed))
    for start in starts:
        study.enqueue_trial(dict(zip(names, start.tolist(), strict=True)))
    for _ in range(budget or 100 * size):
        trial = study.ask()
        u = np.array([trial.suggest_float(name, 0.0, 1.0) for name in names])
        study.tell(trial, float(np.maximum(objective(u[None])[0], LOWEST)))
    return np.array([study.best_params[name] for name in names])


SEARCHES: dict[str, Search] = {
    "nelder-mead": _local("Nelder-Mead", {"xatol": 2e-3, "fatol": 0.05}, 2),
    "powell": _local("Powell", {"xtol": 1e-3, "ftol": 1e-5}, 1),
    "l-bfgs-b": l_bfgs_b,
    "differential_evolution": differential_evolution,
    "optuna": optuna,
}


@dataclass(frozen=True, eq=False)
class Peak:
    """The best point of the unit cube, the polynomial around it, and what computes profiles there."""

    u: Floats
    surface: Surface
    profiler: Profiler
    shortfall: float
    """The difference of the log-likelihoods at the best point and at the maximum of the polynomial."""


def surveyed(problem: Problem, candidates: Floats, seed: int) -> Peak:
    """The maximum near the best of some points."""
    likelihood = problem.likelihood
    if not likelihood.is_simulated:
        return exactly_surveyed(objective_of(problem, likelihood), candidates[0], seed)
    u, _ = judged(problem, candidates, seed)
    fewer = likelihood.with_replicates(part_of(likelihood, REGION)) if isinstance(likelihood, Simulated) else likelihood
    common, rough = objective_of(problem, fewer), independent(problem, fewer, mixed(seed, "rough"))
    fresh = rough if fewer.replicates == likelihood.replicates else independent(problem, likelihood, mixed(seed, "fresh"))
    attempt = 0
    while True:
        surveyor = Surveyor(common, rough, fresh, u, mixed(seed, "survey", attempt))
        surface = surveyor.survey()
        summit = surface.best(surface.centre)[0]
        u, shortfall = judged(problem, np.clip(np.stack([summit, surface.centre, surveyor.summit, u]), 0.0, 1.0), seed)
        attempt += 1
        if shortfall < TRUSTWORTHY or attempt == ATTEMPTS:
            return Peak(u, surface, from_surface(surface), shortfall)


def exactly_surveyed(objective: Objective, start: Floats, seed: int) -> Peak:
    """The maximum of a log-likelihood without noise near a start."""
    surface = Surveyor(objective, objective, objective, start, seed).survey()
    unit = np.sqrt((surface.scale**2).sum(axis=1))
    better = l_bfgs_b(objective, np.stack([start, surface.best(surface.centre)[0]]), 0, None)
    return Peak(better, surface, exact(objective, unit, surface.hessian(better)), 0.0)


def judges_of(problem: Problem, seed: int, first_number: int = 0) -> list[Objective]:
    """Several objectives, each with random numbers of its own, common to all points; `first_number`: of the first one."""
    numbers = range(first_number, first_number + JUDGES)
    return [objective_of(problem, problem.likelihood.with_seed(mixed(seed, "judge", number))) for number in numbers]


def judged(problem: Problem, points: Floats, seed: int) -> tuple[Floats, float]:
    """
    The best of some points by simulations with new random numbers, common to all of them, and how much higher it lies than the first one.

    The first one is kept unless another is better by more than the noise: twice the standard error of the mean of their differences.
    """
    heights = np.stack([objective(points) for objective in judges_of(problem, seed)])
    gains = np.maximum(heights, LOWEST)
    gains = gains - gains[:, :1]
    means, errors = gains.mean(axis=0), gains.std(axis=0, ddof=1) / np.sqrt(JUDGES)
    best = int(np.argmax(means))
    return (points[best], float(means[best])) if means[best] > 2.0 * errors[best] else (points[0], 0.0)


def notes_of(fit: Fit, maximum: Peak) -> list[str]:
    """What a user should know before trusting the estimates."""
    problem, found, u = fit.problem, list[str](), maximum.u
    for place, name in enumerate(problem.names):
        for end, bound in ((0.0, problem.low[place]), (1.0, problem.high[place])):
            if abs(u[place] - end) < CLOSE and not is_natural(problem, place, end):
                found.append(
                    f'the estimate of "{name}" lies at its {"upper" if end else "lower"} bound, {bound:g}; the best one may lie beyond: '
                    "widen its bounds"
                )
    count = problem.responses.count
    if fit.unexplained > max(2, FAILED * count):
        found.append(
            f"the model explains {fit.unexplained} of {count} trials by the floor of the likelihood only: the search has probably failed, "
            f"or the model does not give such data; {REMEDY}, and look at plot()"
        )
    elif fit.unexplained and not problem.lapses(fit.theta[None]).any():  # lapses explain what the floor would
        more = "raise simulations, take smaller steps, " if problem.likelihood.is_simulated else ""
        found.append(
            f"the model explains {fit.unexplained} of {count} trials by the floor of the likelihood only, which makes it look better than "
            f"it is, also in AIC; {more}check the data for outliers, or let lapses explain them: lapse=(0, 0.1)"
        )
    if fit.undecided > most_undecided(problem):
        share = problem.dropped / (count + problem.dropped)
        data = f"{100 * share:.1f} % of the rows of the data have none" if share else "the data have one in all"
        found.append(
            f"the model makes no decision in {100 * fit.undecided:.1f} % of its trials at the estimate, but {data}: trials are cut off, "
            "and estimates may be wrong; raise max_executions_before_finished, or let the schedule end trials later"
        )
    found += doubts_of(fit, maximum)
    errors = fit.standard_errors
    for place, name in enumerate(problem.names):
        if fit.simulation_errors[place] > 0.5 * errors[name]:
            found.append(
                f'the noise of the simulations moves the estimate of "{name}" by {fit.simulation_errors[place]:.2g}, more than half of its '
                f"standard error ({errors[name]:.2g}); raise simulations"
            )
    return found


def doubts_of(fit: Fit, maximum: Peak) -> list[str]:
    """Notes on standard errors and intervals that mean little."""
    problem, found = fit.problem, list[str]()
    if maximum.shortfall >= TRUSTWORTHY:
        found.append(
            f"the polynomial from which intervals are made misses the maximum by {maximum.shortfall:.1f}, so that they are wrong; {REMEDY}"
        )
    inner = dict(zip(problem.names, (CLOSE < maximum.u) & (maximum.u < 1.0 - CLOSE), strict=True))
    if flat := [name for name, error in fit.standard_errors.items() if not np.isfinite(error) and inner[name]]:
        what, verb = ("standard errors", "are") if len(flat) > 1 else ("standard error", "is")
        found.append(
            f"the {what} of {listed(flat)} {verb} infinite: the log-likelihood does not fall around the estimate; the data may not "
            f"determine {'them' if len(flat) > 1 else 'it'}, or the search has failed: {REMEDY}"
        )
    intervals = fit.intervals
    widths = dict(zip(problem.names, problem.high - problem.low, strict=True))
    if narrow := [name for name, (begin, end) in intervals.items() if end - begin <= 1e-6 * widths[name]]:
        what = "intervals of {} have" if len(narrow) > 1 else "interval of {} has"
        found.append(f"the {what.format(listed(narrow))} no width: the search has probably failed; {REMEDY}")
    for place, (name, (begin, end)) in enumerate(intervals.items()):
        low, high = problem.low[place], problem.high[place]
        met = [bound for bound, near in ((low, begin), (high, end)) if abs(near - bound) <= 1e-9 * (high - low)]
        met = [bound for bound in met if inner[name] and name not in narrow and not is_natural(problem, place, float(bound == high))]
        if met:
            ends = " and ".join(f"{bound:g}" for bound in met)
            found.append(
                f'the interval of "{name}" ends at its bound{"s" if len(met) > 1 else ""}, {ends}: it may go on beyond; widen its bounds'
            )
    return found


def listed(names: Sequence[str]) -> str:
    """Names in a sentence: `"a", "b" and "c"`."""
    quoted = [f'"{name}"' for name in names]
    return " and ".join([", ".join(quoted[:-1]), quoted[-1]] if len(quoted) > 1 else quoted)


def most_undecided(problem: Problem) -> float:
    """
    The proportion of trials without a decision that says nothing against a model: what the data have, with two standard errors, and a
    thousandth; any proportion, if the likelihood counts such trials.
    """
    if problem.responses.counts_undecided and problem.responses.undecided.any():
        return 1.0
    rows = problem.responses.count + problem.dropped
    share = problem.dropped / rows
    return share + 2.0 * float(np.sqrt(share * (1.0 - share) / rows)) + 1e-3


def is_natural(problem: Problem, place: int, end: float) -> bool:
    """True for a bound beyond which there are no values: a noise, or a proportion of lapses, of 0."""
    parameter = problem.parametrisation.free[place]
    bound = parameter.high if end else parameter.low
    if parameter.name == "lapse":
        return bound in (0.0, 1.0)
    target = problem.parametrisation.targets.find(parameter.base)
    return target is not None and target.range is not None and bound == (target.range.high if end else target.range.low)
