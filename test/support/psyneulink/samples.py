"""Samples of response times and other numbers, of which densities are estimated."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

SAMPLES: dict[str, Callable[[np.random.Generator, int], np.ndarray]] = {
    "normal": lambda rng, n: rng.normal(3.0, 0.1, n),
    "on a lattice": lambda rng, n: 0.01 * rng.integers(1, 40, n) + 0.3,
    "rounded": lambda rng, n: np.round(rng.gamma(2.0, 0.2, n), 2) + 0.15,
    "two peaks": lambda rng, n: np.concatenate([rng.normal(-3.0, 0.3, n // 2), rng.normal(3.0, 1.0, n - n // 2)]),
    "skewed": lambda rng, n: rng.wald(0.5, 2.0, n),
    "tiny": lambda rng, n: 1e-6 * rng.gamma(2.0, 1.0, n),
    "two values": lambda rng, n: np.where(np.arange(n) % 2, -1.0, 1.0),
    "an outlier": lambda rng, n: np.append(rng.normal(size=n - 1), 25.0),
}
"""By name: so many numbers, drawn from a generator."""
