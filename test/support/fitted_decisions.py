"""A drift-diffusion model, and data that it gives, for tests of fits."""

from typing import Any

import numpy as np

import cogir
from cogir import library
from cogir.study.densities import wiener_log_density

CHOICE, TIME = "ddm/choice", "ddm/response_time"
STEP = 0.02
CORRECTION = 0.5826 * STEP**0.5
"""Bounds that are checked at the ends of steps act as if they were so much further away."""


def ddm(**options: Any) -> cogir.Model:
    """A drift-diffusion model with coarse steps."""
    model = cogir.Model("decision")
    given = {"non_decision_time": 0.3, "time_step_size": STEP, "max_executions_before_finished": 1000} | options
    model.node("ddm", library.drift_diffusion_decision, execute_until_finished=True, reset_each_trial=True, **given)
    return model


def ddm_data(count: int, drift: float = 1.0, threshold: float = 1.0, delay: float = 0.3, seed: int = 0) -> dict[str, Any]:
    """Choices and times of drift diffusion with infinitely short steps, drawn from its density."""
    times = np.linspace(1e-4, 12.0, 60_000)
    densities = np.exp([wiener_log_density(times, side, drift, threshold) for side in (True, False)]).ravel()
    picked = np.random.default_rng(seed).choice(len(densities), count, p=densities / densities.sum())
    return {CHOICE: np.where(picked < len(times), 1.0, -1.0), TIME: delay + times[picked % len(times)]}


INPUTS = {"ddm": [[1.0]]}
BOUNDS = {"ddm/drift": (0.0, 3.0), "ddm/threshold": (0.4, 2.5), "ddm/non_decision_time": (0.05, 0.6)}
