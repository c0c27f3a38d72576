"""
The times of drift diffusion between two constant bounds, in closed form: exact for continuous time, approximate for steps.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

MOST_TERMS = 20_000
"""Most terms of a series; it needs so many for times below a ten-thousandth of `(threshold / noise)**2`."""
NEGLIGIBLE = 40.0
"""A term of `exp(-40)` changes no sum."""


@dataclass(frozen=True)
class DriftDiffusionTimes:
    """
    The first time at which `dx = drift * dt + noise * dW`, from `start`, reaches `threshold` or `-threshold`.

    The formulas are those of continuous time; a simulation in steps of `dt` finishes later, on average by less than
    `0.5826 * noise * sqrt(dt)` further of way. Sources: mean, Bogacz et al. (2006); distribution, Feller (1968), chapter 14.
    """

    drift: float
    noise: float
    threshold: float
    start: float = 0.0
    non_decision_time: float = 0.0

    @property
    def is_moderate(self) -> bool:
        """True if the series of the distribution can be computed: exponentials of the drift and squares do not overflow."""
        size = self.threshold / self.noise
        return 1e-6 < size < 1e6 and 1e-100 < self.noise < 1e100 and abs(self.drift) / self.noise * size < 300.0

    @property
    def probability_upper(self) -> float:
        """The probability of the upper bound."""
        return self._probability(self.threshold + self.start, self.threshold - self.start, self.drift)

    def _probability(self, behind: float, ahead: float, drift: float) -> float:
        """The probability of the bound that is `ahead` and not of the one `behind`, by the drift towards it; to its last digits."""
        pull = 2.0 * abs(drift) / self.noise**2
        if pull * (behind + ahead) < 1e-100:
            return behind / (behind + ahead)
        ratio = math.expm1(-pull * behind) / math.expm1(-pull * (behind + ahead))
        return ratio if drift >= 0.0 else math.exp(-pull * ahead) * ratio

    @property
    def mean(self) -> float:
        """The mean time, of both bounds together."""
        ahead, behind = self.threshold - self.start, self.threshold + self.start
        if self.drift < 0.0:
            ahead, behind = behind, ahead
        drift, whole = abs(self.drift), ahead + behind
        near, far = 2.0 * drift / self.noise**2 * behind, 2.0 * drift / self.noise**2 * whole
        if far < 1.0:  # the series of the difference, as both bounds are nearly as probable as without a drift
            total, sums = 0.0, 0.0
            for n in range(1, 24):
                sums = sums * near + far ** (n - 1)
                total += (-1.0) ** (n - 1) * sums / math.factorial(n + 1)
            time = 2.0 * (behind / self.noise) * (ahead / self.noise) * total / (-math.expm1(-far) / far if far else 1.0)
        elif behind < ahead:
            time = (whole * self._probability(behind, ahead, drift) - behind) / drift
        else:
            time = (ahead - whole * self._probability(ahead, behind, -drift)) / drift
        return time + self.non_decision_time

    def _series(self, shortest: float) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """The rates of decay of the terms, and their weights in the density, for times from the shortest on."""
        width, variance = 2.0 * self.threshold, self.noise**2
        step = math.pi**2 * variance / (2.0 * width**2)
        count = min(MOST_TERMS, 8 + math.ceil(math.sqrt(NEGLIGIBLE / (step * max(shortest, 1e-12)))))
        k = np.arange(1, count + 1)
        rates = np.asarray(self.drift**2 / (2.0 * variance) + k**2 * step, np.float64)
        place = self.start + self.threshold
        lower = math.exp(-self.drift * place / variance) * np.sin(k * math.pi * place / width)
        upper = math.exp(self.drift * (width - place) / variance) * np.sin(k * math.pi * (width - place) / width)
        return rates, math.pi * variance / width**2 * k * (lower + upper)

    def pdf(self, times: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """The density of the time at these times."""
        t = np.asarray(times, np.float64) - self.non_decision_time
        positive = np.maximum(t, 1e-300)
        rates, weights = self._series(float(np.min(np.where(t > 0.0, t, np.inf))))
        density = np.exp(-np.multiply.outer(positive, rates)) @ weights
        return np.where(t > 0.0, np.maximum(density, 0.0), 0.0)

    def cdf(self, times: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """The probability that it has finished at these times."""
        t = np.asarray(times, np.float64) - self.non_decision_time
        positive = np.maximum(t, 1e-300)
        rates, weights = self._series(float(np.min(np.where(t > 0.0, t, np.inf))))
        waiting = np.exp(-np.multiply.outer(positive, rates)) @ (weights / rates)
        return np.where(t > 0.0, np.clip(1.0 - waiting, 0.0, 1.0), 0.0)

    def quantile(self, probability: float) -> float:
        """The time by which it has finished with this probability."""
        low, high = self.non_decision_time, self.mean + 1e-9
        while self.cdf(high) < probability:
            high = low + 2.0 * (high - low)
        for _ in range(80):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if self.cdf(middle) < probability else (low, middle)
        return high

    def __repr__(self) -> str:
        times = ", ".join(f"{self.quantile(each):.4g}" for each in (0.05, 0.5, 0.95))
        upper = f"upper bound with probability {self.probability_upper:.4g}"
        return f"mean {self.mean:.4g}; 5 %, 50 % and 95 % have finished by {times}; {upper}"
