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
    def probability_upper(self) -> float:
        """The probability of the upper bound."""
        if self.drift == 0.0:
            return (self.start + self.threshold) / (2.0 * self.threshold)
        k = -2.0 * self.drift / self.noise**2
        return (
            math.expm1(k * (self.start + self.threshold)) / math.expm1(k * 2.0 * self.threshold)
            if k * self.threshold < 300
            else (math.exp(k * (self.start - self.threshold)))
        )

    @property
    def mean(self) -> float:
        """The mean time, of both bounds together."""
        if self.drift == 0.0:
            return (self.threshold**2 - self.start**2) / self.noise**2 + self.non_decision_time
        end = self.threshold * (2.0 * self.probability_upper - 1.0)
        return (end - self.start) / self.drift + self.non_decision_time

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
