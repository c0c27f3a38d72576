"""
Likelihoods of responses: from simulated trials, from formulas, and from summary statistics.
"""

# NumPy types a few functions only in part.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
from __future__ import annotations

import copy
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np

from cogir.errors import InputError, counted, shown
from cogir.runtime.compiled import Compiled
from cogir.runtime.sweeps.axes import zipped
from cogir.runtime.sweeps.sweep import Sweep
from cogir.streams import mixed
from cogir.study.columns import numbers_of
from cogir.study.estimators import ResponseEstimator
from cogir.study.free import VariedQuantity
from cogir.study.responses import Array, Floats, Ports, Responses

Values: TypeAlias = "Mapping[str, tuple[VariedQuantity, Floats]]"
"""For each parameter or input that varies its values, (points, conditions, *shape)."""

SEEDS = 2**31
"""Seeds are below this number, which all kinds of generators take."""
MOST_BYTES = 2**26
"""Points are taken in parts whose densities take no more memory."""


def own_seed(seed: int) -> int:
    """The seed of the simulations of a fit, which is not the one that the user gives."""
    return mixed(seed, "fit") % SEEDS


@dataclass(frozen=True, eq=False)
class Simulator:
    """A compiled model that is simulated at points of its parameters and inputs."""

    compiled: Compiled
    inputs: Any
    seed: int
    executor: Any = None
    common: bool = True
    """True for common random numbers at all points; else each has its own."""

    @staticmethod
    def of(compiled: Compiled, inputs: Any, seed: int, executor: Any) -> Simulator:
        """
        A simulator that does not warn of trials that were cut off: likelihoods count them.

        Its random numbers are those of another seed. Otherwise data that the user has simulated with the same seed would be among the
        trials that the likelihood simulates, and explain themselves.
        """
        return Simulator(compiled.without_reactions(), inputs, own_seed(seed), executor)

    def with_seed(self, seed: int, common: bool = True) -> Simulator:
        """The same with other random numbers: common to all points, or not."""
        return replace(self, seed=seed % SEEDS, common=common)

    def sweep(self, values: Values, replicates: int, reduce: Any = None) -> Sweep:
        """Trials at all points and conditions, side by side along one axis."""
        points = {name: array.reshape(-1, *target.shape) for name, (target, array) in values.items()}
        count = math.prod(next(iter(values.values()))[1].shape[:2])
        executor = self.executor if count > 1 else None
        return self.compiled.sweep(
            zipped(points),
            self.inputs,
            1,
            replicates=replicates,
            seed=self.seed,
            common_random_numbers=self.common,
            reduce=reduce,
            executor=executor,
            start="fresh",
            progress=False,
        )

    def responses(self, values: Values, ports: Ports, replicates: int) -> tuple[Floats, Floats, Array]:
        """The choices and times of simulated trials, (points, conditions, replicates), and which of them were cut off."""
        shape = (*next(iter(values.values()))[1].shape[:2], replicates)
        found = self.sweep(values, replicates)
        choices, times = (held.reshape(shape) for held in ports.read(found))
        cut_off = np.zeros(shape, np.bool_)
        for flags in found.unfinished.values():
            if flags.dtype == np.bool_:
                cut_off |= flags.reshape(shape)
        return choices, times, cut_off | ~np.isfinite(times)


class Likelihood(ABC):
    """The likelihood of responses at points of a model's parameters."""

    name: str
    replicates: int = 0
    """The number of trials that are simulated at each point and condition; 0 for a formula."""

    @property
    def is_simulated(self) -> bool:
        """True if it has the noise of a simulation."""
        return self.replicates > 0

    def with_replicates(self, replicates: int) -> Likelihood:
        """The same from another number of simulated trials."""
        found = copy.copy(self)
        found.replicates = replicates
        return found

    @abstractmethod
    def with_seed(self, seed: int, common: bool = True) -> Likelihood:
        """The same with other random numbers: common to all points, or not."""

    @abstractmethod
    def log_likelihoods(self, values: Values, responses: Responses, lapses: Floats) -> tuple[Floats, Floats]:
        """
        The log-likelihood at each point, and the number of trials that the model does not explain there: all that they have is the floor.

        `lapses`: the proportion of lapses at each point.
        """


class ByDensities(Likelihood):
    """
    A likelihood that is a product over trials.

    A trial has the probability `(1 - lapse) * ((1 - floor) * f + floor * u) + lapse * u`, with the joint density `f` of its choice and
    time, and `u` the uniform density over all choices and the times up to the longest one of the data. A trial without a decision has the
    probability `(1 - lapse) * max(floor, 1 - decided)`.
    """

    floor: float
    choices: tuple[float, ...]
    """The choices that decided trials may have."""

    @abstractmethod
    def densities(self, values: Values, responses: Responses) -> tuple[Floats, Floats]:
        """The density of each response, (points, trials), and the probability of a decision, (points, conditions)."""

    def parts(self, values: Values) -> list[slice]:
        """The points in parts that fit into memory."""
        return [slice(0, len(next(iter(values.values()))[1]))]

    def log_likelihoods(self, values: Values, responses: Responses, lapses: Floats) -> tuple[Floats, Floats]:
        found: list[Floats] = []
        unexplained: list[Floats] = []
        for number, part in enumerate(self.parts(values)):
            some = {name: (target, array[part]) for name, (target, array) in values.items()}
            logs, lost = self.of_part(number).by_trial(some, responses, lapses[part])
            found.append(logs.sum(axis=1))
            unexplained.append(lost.sum(axis=1))
        return np.concatenate(found), np.concatenate(unexplained)

    def of_trials(self, values: Values, responses: Responses, lapses: Floats) -> Floats:
        """The log-likelihood of each trial, (points, trials)."""
        found: list[Floats] = []
        for number, part in enumerate(self.parts(values)):
            some = {name: (target, array[part]) for name, (target, array) in values.items()}
            found.append(self.of_part(number).by_trial(some, responses, lapses[part])[0])
        return np.concatenate(found)

    def of_part(self, number: int) -> ByDensities:
        """The likelihood of a part: random numbers that are not common differ between parts, too."""
        return self

    def by_trial(self, values: Values, responses: Responses, lapses: Floats) -> tuple[Floats, Array]:
        """The logarithm of the probability of each trial, (points, trials), and True for those that the model does not explain."""
        return self.by_density(*self.densities(values, responses), responses, lapses)

    def by_density(
        self, density: Floats, decided: Floats, responses: Responses, lapses: Floats, nearness: Floats | float = 1.0
    ) -> tuple[Floats, Array]:
        """`by_trial` for densities and probabilities of decisions. `nearness`: factors of the uniform density, (points, trials)."""
        decided = np.clip(decided, 0.0, 1.0)[:, responses.conditions]
        if not responses.counts_undecided:
            density = np.divide(density, decided, out=np.zeros(density.shape), where=decided > 0.0)
        uniform = nearness / (len(self.choices) * (responses.latest if responses.ports.time is not None else 1.0))
        lapse = lapses[:, None]
        answered = (1.0 - lapse) * ((1.0 - self.floor) * density + self.floor * uniform) + lapse * uniform
        silent = (1.0 - lapse) * np.maximum(self.floor, 1.0 - decided)
        chance = np.where(responses.undecided, silent, answered)
        lost = np.where(responses.undecided, 1.0 - decided <= self.floor, density <= self.floor * uniform)
        with np.errstate(divide="ignore"):
            return np.log(chance), lost


@dataclass
class Simulated(ByDensities):
    """Densities estimated from simulated trials."""

    simulator: Simulator
    estimator: ResponseEstimator
    replicates: int
    given_floor: float | None = None

    @property
    def name(self) -> str:  # pyright: ignore[reportIncompatibleVariableOverride]
        return f"{self.estimator.name} of {counted(self.replicates, 'simulated trial')}"

    @property
    def floor(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride]
        """One simulated trial, unless the user gives another part."""
        return 1.0 / self.replicates if self.given_floor is None else self.given_floor

    @property
    def choices(self) -> tuple[float, ...]:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self.estimator.choices

    def with_seed(self, seed: int, common: bool = True) -> Simulated:
        return replace(self, simulator=self.simulator.with_seed(seed, common))

    def of_part(self, number: int) -> ByDensities:
        if self.simulator.common or not number:
            return self
        return self.with_seed(mixed(self.simulator.seed, "part", number), common=False)

    def parts(self, values: Values) -> list[slice]:
        points, conditions = next(iter(values.values()))[1].shape[:2]
        row = 8 * len(self.estimator.rows([np.ones(0)], 1)[0]) * len(self.choices) * conditions
        size = max(1, MOST_BYTES // row)
        return [slice(begin, begin + size) for begin in range(0, points, size)]

    def densities(self, values: Values, responses: Responses) -> tuple[Floats, Floats]:
        return self.read(self.estimated(values), responses)

    def estimated(self, values: Values) -> Floats:
        """The estimator's rows of simulated trials, (points, conditions, choices, ...)."""
        found = self.simulator.sweep(values, self.replicates, {"density": self.estimator})["density"]
        return found.reshape(*next(iter(values.values()))[1].shape[:2], *found.shape[1:])

    def read(self, found: Floats, responses: Responses) -> tuple[Floats, Floats]:
        """The density of each response, and the probability of a decision."""
        return self.estimator.densities(found, responses, places_of(responses, self.choices)), found[..., 0].sum(axis=-1)


class Guiding(Simulated):
    """
    A likelihood by simulated trials that guides a search: it has a slope also where the model explains few trials.

    The floor of a trial, which is the same however far its time lies from all simulated ones, here falls with the square of the ratio of
    its time to the nearest of these. So a search that begins where simulated times are much too long, or end too early, finds its way.
    """

    @staticmethod
    def by(other: Simulated, replicates: int) -> Guiding:
        """One like another, from so many simulated trials."""
        return Guiding(other.simulator, other.estimator, replicates, other.given_floor)

    @property
    def floor(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride]
        """One simulated trial at least."""
        return max(1.0 / self.replicates, self.given_floor or 0.0)

    def by_trial(self, values: Values, responses: Responses, lapses: Floats) -> tuple[Floats, Array]:
        found = self.estimated(values)
        nearness = self.estimator.nearness(found, responses, places_of(responses, self.choices)) ** 2
        return self.by_density(*self.read(found, responses), responses, lapses, nearness)


def places_of(responses: Responses, choices: tuple[float, ...]) -> Array:
    """The place of the choice of each response among all; 0 for an undecided one."""
    order = np.argsort(choices)
    places = np.searchsorted(np.asarray(choices)[order], responses.choices)
    return np.where(responses.undecided, 0, order[np.minimum(places, len(choices) - 1)])


@dataclass
class Synthetic(Likelihood):
    """
    The synthetic likelihood (Wood 2010): the statistics of the data as one draw of the normal distribution that those of simulated data
    sets have.

    At each point, `replicates` data sets of the size of the data are simulated for each condition. The density of the statistics of the
    data is estimated from those of the simulated sets by the unbiased estimator of Ghurye and Olkin (Price et al. 2018), which needs at
    least twice as many sets as statistics. Conditions are independent.
    """

    simulator: Simulator
    statistics: Callable[[Floats, Floats], Any]
    replicates: int
    """The number of simulated data sets."""

    @property
    def name(self) -> str:  # pyright: ignore[reportIncompatibleVariableOverride]
        return f"synthetic likelihood of {counted(self.replicates, 'simulated data set')}"

    def with_seed(self, seed: int, common: bool = True) -> Synthetic:
        return replace(self, simulator=self.simulator.with_seed(seed, common))

    def of(self, choices: Floats, times: Floats) -> Floats:
        """The statistics of some trials."""
        found = numbers_of("synthetic: the function", self.statistics(choices, times), "it must return a list of statistics")
        if found.ndim != 1 or not found.size:
            raise InputError(f"synthetic: the function returned {shown(found.tolist())}; it must return a list of statistics")
        return found

    def log_likelihoods(self, values: Values, responses: Responses, lapses: Floats) -> tuple[Floats, Floats]:
        points = len(next(iter(values.values()))[1])
        conditions = next(iter(values.values()))[1].shape[1]
        found, unexplained = np.zeros(points), np.zeros(points)
        for point in range(points):
            for condition in range(conditions):
                some = {name: (target, array[point : point + 1, condition : condition + 1]) for name, (target, array) in values.items()}
                own = responses.of(condition)
                simulator = self.simulator
                if not simulator.common:
                    simulator = simulator.with_seed(mixed(simulator.seed, "synthetic", point, condition), common=False)
                likelihood = self.of_condition(simulator, some, own, float(lapses[point]))
                found[point] += likelihood
                unexplained[point] += own.count * (likelihood == -np.inf)
        return found, unexplained

    def of_condition(self, simulator: Simulator, values: Values, responses: Responses, lapse: float) -> float:
        """The log-likelihood of the statistics of the responses in one condition."""
        if lapse:
            raise InputError("fit: a synthetic likelihood has no lapses; leave lapse out, or use the kernel or histograms")
        choices, times, silent = simulator.responses(values, responses.ports, self.replicates * responses.count)
        times = np.where(silent, np.nan, times)
        sets = (self.replicates, responses.count)
        drawn = np.stack([self.of(c, t) for c, t in zip(choices.reshape(sets), times.reshape(sets), strict=True)])
        wanted = self.of(responses.choices, responses.times)
        if self.replicates < 2 * len(wanted) + 2:
            raise InputError(
                f"synthetic: there are {len(wanted)} statistics, but only {self.replicates} simulated data sets; simulate "
                f"{2 * len(wanted) + 2} at least"
            )
        if not np.isfinite(wanted).all():
            raise InputError(f"synthetic: the statistics of the data are {shown(wanted.tolist())}; they must be finite")
        drawn = drawn[np.isfinite(drawn).all(axis=1)]
        if len(drawn) < 2 * len(wanted) + 2:
            return -np.inf
        return _normal_log_density(wanted, drawn)


def _normal_log_density(wanted: Floats, drawn: Floats) -> float:
    """
    The logarithm of a normal density by the unbiased estimator of Ghurye and Olkin (1969); -infinity where the statistics lie too far from
    all that were drawn.
    """
    count, size = drawn.shape
    away = wanted - drawn.mean(axis=0)
    centred = drawn - drawn.mean(axis=0)
    scatter = centred.T @ centred
    left = scatter - np.outer(away, away) / (1.0 - 1.0 / count)
    if np.linalg.eigvalsh(scatter)[0] <= 0.0 or np.linalg.eigvalsh(left)[0] <= 0.0:
        return -np.inf
    determinants = -0.5 * (count - size - 2) * np.linalg.slogdet(scatter)[1] + 0.5 * (count - size - 3) * np.linalg.slogdet(left)[1]
    constant = _log_constant(size, count - 2) - _log_constant(size, count - 1) - 0.5 * size * math.log(2.0 * math.pi * (1.0 - 1.0 / count))
    return float(constant + determinants)


def _log_constant(size: int, degrees: int) -> float:
    """The logarithm of the constant of a Wishart distribution, `c(k, v)` of Ghurye and Olkin."""
    gammas = sum(math.lgamma(0.5 * (degrees - i)) for i in range(size))
    return -0.5 * size * degrees * math.log(2.0) - 0.25 * size * (size - 1) * math.log(math.pi) - gammas
