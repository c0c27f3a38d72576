"""
Decision models beside ssm-simulators, with equal steps, and PyDDM, whose solutions have no noise: a million decisions each.

Both are optional (`pip install ssm-simulators pyddm`): without them the tests are skipped.
"""

from __future__ import annotations

from collections.abc import Callable
from math import atan, sqrt
from typing import Any

import numpy as np
import pytest
from support.decisions import DISCRETE, allowed_distance, distance, distance_of_samples, on_one_axis, signed

import cogir
from cogir import library

pytestmark = pytest.mark.full
ALPHA, COUNT = 1e-4, 1_000_000
"""The probability of a false alarm of each test; the decisions of each."""
DDM, FULL = library.drift_diffusion_decision, library.full_drift_diffusion_decision


def decisions(function: Callable[..., Any], inputs: list[float], seed: int, **given: Any) -> tuple[Any, Any]:
    """Choices and times of replicates."""
    model = cogir.Model("decide")
    node: Any = model.node
    limit = 10_000_000
    node(
        "decision",
        function,
        input=len(inputs),
        prng="xoshiro256",
        execute_until_finished=True,
        reset_each_trial=True,
        max_executions_before_finished=limit,
        **given,
    )
    found = model.compile(unfinished="error").replicates({"decision": [inputs]}, count=COUNT, seed=seed)
    return found["decision", "choice"][:, 0], found["decision", "response_time"][:, 0]


def of_ssms(model: str, theta: dict[str, float], dt: float) -> tuple[Any, Any]:
    simulators = pytest.importorskip("ssms.basic_simulators.simulator", reason="ssm-simulators is not installed")
    made = simulators.simulator(theta=theta, model=model, n_samples=COUNT, delta_t=dt, max_t=1e6, smooth_unif=False, random_state=1)
    return made["choices"].ravel(), made["rts"].ravel()


DT = 0.01
SIDES: dict[str, tuple[Callable[..., Any], dict[str, Any], str, dict[str, float]]] = {
    "ddm": (DDM, {"starting_value": 0.2, "non_decision_time": 0.3}, "ddm", {"v": 1.0, "a": 1.0, "z": 0.6, "t": 0.3}),
    "angle": (
        DDM,
        {"bound": "linear", "collapse_time": 2.0},
        "angle",
        {"v": 1.0, "a": 1.0, "z": 0.5, "t": 0.0, "theta": atan(1.0 / 2.0)},
    ),
    "weibull": (
        DDM,
        {"bound": "weibull", "collapse_time": 2.0, "collapse_shape": 3.0},
        "weibull",
        {"v": 1.0, "a": 1.0, "z": 0.5, "t": 0.0, "alpha": 3.0, "beta": 2.0},
    ),
    "ornstein": (DDM, {"leak": 0.8}, "ornstein", {"v": 1.0, "a": 1.0, "z": 0.5, "g": 0.8, "t": 0.0}),
    "full": (
        FULL,
        {"drift_variability": 0.5, "start_variability": 0.4, "non_decision_time": 0.3, "non_decision_time_variability": 0.2},
        "full_ddm",
        {"v": 1.0, "a": 1.0, "z": 0.5, "t": 0.3, "sz": 0.2, "sv": 0.5, "st": 0.1},
    ),
}


@pytest.mark.parametrize("name", SIDES)
def test_diffusions_have_the_distribution_of_ssm_simulators(name: str) -> None:
    function, given, model, theta = SIDES[name]
    expected = signed(*of_ssms(model, theta, DT))
    found = signed(*decisions(function, [1.0], 1, time_step_size=DT, **given))
    if name != "full":  # times on one grid; sums of steps are rounded, theirs in single precision
        found, expected = np.rint(found / DT), np.rint(expected / DT)
    assert distance_of_samples(found, expected) < allowed_distance(ALPHA, COUNT, COUNT)


@pytest.mark.parametrize("name", ["race", "lca"])
def test_accumulators_have_the_distribution_of_ssm_simulators(name: str) -> None:
    drifts = [1.5, 1.0, 0.8]
    theta = {"a": 1.0, "z": 0.0, "t": 0.0} | {f"v{number}": drift for number, drift in enumerate(drifts)}
    if name == "race":  # theirs does not become negative: an LCA without leak and inhibition
        expected = of_ssms("race_no_bias_3", theta, DT)
        found = decisions(library.leaky_competing_decision, drifts, 2, time_step_size=DT, leak=0.0, inhibition=0.0)
    else:
        expected = of_ssms("lca_no_bias_3", theta | {"g": 0.6, "b": 0.4}, DT)
        found = decisions(library.leaky_competing_decision, drifts, 2, time_step_size=DT, leak=0.6, inhibition=0.4)
    sides = [np.rint(on_one_axis(choices, times, 1000.0) / DT) for choices, times in (found, expected)]
    assert distance_of_samples(*sides) < allowed_distance(ALPHA, COUNT, COUNT)


def exponential_height(t: float) -> float:
    return float(0.2 + 0.8 * np.exp(-t / 1.5))


SOLVED: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "exponential": ({"bound": "exponential", "collapse_time": 1.5, "asymptote": 0.2}, {"bound": exponential_height}),
    "linear": ({"bound": "linear", "collapse_time": 4.0, "asymptote": 0.2}, {"bound": lambda t: max(0.2, 1.0 - t / 4.0)}),
    "leak": ({"leak": 0.8}, {"leak": 0.8}),
    "urgency": ({"urgency": 0.5}, {"bound": lambda t: 1.0 / (1.0 + 0.5 * t)}),
}
"""Parameters of cogir, and of PyDDM: its drift is `1 - leak * x`."""


@pytest.mark.parametrize("name", SOLVED)
def test_diffusions_have_the_distribution_of_pyddm(name: str) -> None:
    """
    Steps of 0.2 ms are late by as much as thresholds that are higher by `DISCRETE * sqrt(dt)`: this much is taken off. PyDDM solves the
    equations on a grid, with errors of its own of about 0.001.
    """
    pyddm = pytest.importorskip("pyddm", reason="PyDDM is not installed")
    given, peer = SOLVED[name]
    height: Callable[[float], float] = peer.get("bound", lambda t: 1.0)
    leak = peer.get("leak", 0.0)
    solved = pyddm.gddm(
        drift=lambda x: 1.0 - leak * x,
        noise=1.0,
        bound=lambda t: height(t),
        nondecision=0.0,
        mixture_coef=0.0,
        T_dur=15.0,
        dx=0.002,
        dt=0.0005,
    ).solve()
    dt = 2e-4
    lower = DISCRETE * sqrt(dt)
    given = {**given}
    if "bound" in given:  # the whole bound is lower, not only its start
        start, end = 1.0 - lower, given["asymptote"] - lower
        if given["bound"] == "linear":
            given |= {"threshold": start, "asymptote": end / start, "collapse_time": 4.0 * start}
        else:
            given |= {"threshold": start, "asymptote": end / start}
    else:
        given |= {"threshold": 1.0 - lower}
    choices, times = decisions(DDM, [1.0], 3, time_step_size=dt, **given)
    grid = solved.t_domain
    upper, below = (np.cumsum(pdf) * grid[1] for pdf in (solved.pdf("correct"), solved.pdf("error")))

    def distribution(values: Any) -> Any:
        up, down = np.interp(values, grid, upper), np.interp(-values, grid, below)
        return np.where(values < 0.0, below[-1] - down, below[-1] + up)

    assert distance(signed(choices, times - dt / 2.0), distribution) < allowed_distance(ALPHA, COUNT) + 0.001
