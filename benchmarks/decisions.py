"""
Decisions per second of each decision model of the library: replicates in lanes, beside Numba's loops and ssm-simulators.

    python benchmarks/decisions.py [--count 1000000] [--rounds 3] [--json file]

All make `count` independent decisions on one core, with the same parameters and Euler steps of 0.01, and write down choice and time of
each (`PARAMETERS`). The rate of each is the best of several rounds, all taken in turns; only ratios within one run are meaningful. The last
column is the rate of cogir (generator `xoshiro256`) over that of the faster peer. The loops for Numba are those that one would write: one
decision after the other, with NumPy's normals, and draws of a trial before its loop. ssm-simulators has no urgency, no race without a lower
bound and no attentional model, and fixes the variabilities of its ballistic accumulators: these rows have no rate of it. The script stops
if the means of choices or times differ between programs by more than 1 per cent and chance.

Needs `pip install numba ssm-simulators`; peers that are missing are left out.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from math import atan, inf
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import cogir
from cogir import library

STEP, LIMIT = 0.01, 2**40
Outcome = tuple[float, float, float]
"""Seconds, the mean choice and the mean time."""
Run = Callable[[int], Outcome]


class Model(NamedTuple):
    """A decision model with the inputs and parameters of cogir, and the model and parameters of ssm-simulators, if there is one."""

    function: Any
    inputs: list[float]
    given: dict[str, Any]
    peer: tuple[str, dict[str, float]] | None


BASE = {"v": 1.0, "a": 1.0, "z": 0.5, "t": 0.0}
DDM = library.drift_diffusion_decision
RACE = {"v0": 1.5, "v1": 1.0, "v2": 0.8, "a": 1.0, "z": 0.0, "t": 0.0}
VARIABLE = {"drift_variability": 0.5, "start_variability": 0.4, "non_decision_time": 0.3, "non_decision_time_variability": 0.2}
PARAMETERS: dict[str, Model] = {
    "drift diffusion": Model(DDM, [1.0], {}, ("ddm", BASE)),
    "linear bounds": Model(DDM, [1.0], {"bound": "linear", "collapse_time": 2.0}, ("angle", BASE | {"theta": atan(0.5)})),
    "exponential bounds": Model(
        DDM, [1.0], {"bound": "exponential", "collapse_time": 2.0}, ("weibull", BASE | {"alpha": 1.0, "beta": 2.0})
    ),
    "Weibull bounds": Model(
        DDM,
        [1.0],
        {"bound": "weibull", "collapse_time": 2.0, "collapse_shape": 3.0},
        ("weibull", BASE | {"alpha": 3.0, "beta": 2.0}),
    ),
    "Ornstein-Uhlenbeck": Model(DDM, [1.0], {"leak": 0.8}, ("ornstein", BASE | {"g": 0.8})),
    "urgency": Model(DDM, [1.0], {"urgency": 0.5}, None),
    "full drift diffusion": Model(
        library.full_drift_diffusion_decision, [1.0], VARIABLE, ("full_ddm", BASE | {"t": 0.3, "sz": 0.2, "sv": 0.5, "st": 0.1})
    ),
    "race of 2": Model(library.race_decision, [1.5, 1.0], {}, None),
    "race of 3": Model(library.race_decision, [1.5, 1.0, 0.8], {}, None),
    "LCA of 3": Model(
        library.leaky_competing_decision,
        [1.5, 1.0, 0.8],
        {"leak": 0.6, "inhibition": 0.4},
        ("lca_no_bias_3", RACE | {"g": 0.6, "b": 0.4}),
    ),
    "LBA of 3": Model(
        library.linear_ballistic_decision,
        [1.5, 1.0, 0.8],
        {"drift_variability": 0.3, "start_variability": 0.5, "threshold": 1.0},
        None,
    ),
    "attentional": Model(library.attentional_decision, [3.0, 2.0], {}, None),
}


def of_cogir(model: Model, count: int) -> Run:
    """Replicates in lanes."""
    built = cogir.Model("decision")
    given: dict[str, Any] = {"reset_each_trial": True, "max_executions_before_finished": LIMIT, **model.given}
    if model.function is library.linear_ballistic_decision:
        given |= {"reset_each_trial": None, "max_executions_before_finished": 1}
    else:
        given["time_step_size"] = STEP
    built.node("decision", model.function, input=len(model.inputs), prng="xoshiro256", execute_until_finished=True, **given)
    compiled = built.compile(unfinished="ignore")
    compiled.replicates({"decision": [model.inputs]}, count=1)

    def run(seed: int) -> Outcome:
        begun = time.perf_counter()
        found = compiled.replicates({"decision": [model.inputs]}, count=count, seed=seed)
        seconds = time.perf_counter() - begun
        return seconds, *means(found["decision", "choice"], found["decision", "response_time"])

    return run


def means(choices: Any, times: Any) -> tuple[float, float]:
    """The mean choice and the mean time of the decisions that were made."""
    made = np.isfinite(times)
    return float(choices[made].mean()), float(times[made].mean())


def of_ssms(model: Model, count: int) -> Run | None:
    """ssm-simulators on one thread; None without it."""
    try:
        from ssms.basic_simulators.simulator import simulator
    except ImportError:
        return None
    if model.peer is None:
        return None
    name, theta = model.peer

    def run(seed: int) -> Outcome:
        begun = time.perf_counter()
        made = simulator(
            theta=theta,
            model=name,
            n_samples=count,
            delta_t=STEP,
            max_t=1e4,
            smooth_unif=False,
            random_state=seed + 1,
        )
        return time.perf_counter() - begun, *means(made["choices"], made["rts"])

    return run


def of_numba(loops: dict[str, Any], name: str, model: Model, count: int) -> Run:
    """A loop in Numba."""
    loop, extra = loops[name]
    inputs = np.array(model.inputs)
    loop(np.empty(1), np.empty(1), inputs, 0, *extra)

    def run(seed: int) -> Outcome:
        choices, times = np.empty(count), np.empty(count)
        begun = time.perf_counter()
        loop(choices, times, inputs, seed, *extra)
        return time.perf_counter() - begun, *means(choices, times)

    return run


def loops_of_numba() -> dict[str, Any]:
    """The compiled loop of each model, with its arguments; nothing without Numba."""
    try:
        from numba import njit
    except ImportError:
        return {}

    def diffusion(bound: Any) -> Any:
        """A diffusion with a function of time as its bound."""

        @njit
        def loop(choices: Any, times: Any, inputs: Any, seed: int, leak: float, urgency: float) -> None:
            np.random.seed(seed)
            root, drift = np.sqrt(STEP), inputs[0]
            for i in range(len(choices)):
                x, t, seen = 0.0, 0.0, 0.0
                height = bound(t)
                while abs(seen) < height:
                    x += (drift - leak * x) * STEP + root * np.random.normal()
                    t += STEP
                    seen = x * (1.0 + urgency * t)
                    height = bound(t)
                choices[i], times[i] = (1.0 if seen >= 0.0 else -1.0), t

        return loop

    @njit
    def full(choices: Any, times: Any, inputs: Any, seed: int) -> None:
        np.random.seed(seed)
        root = np.sqrt(STEP)
        for i in range(len(choices)):
            x, t = np.random.uniform(-0.2, 0.2), 0.0
            drift = inputs[0] + 0.5 * np.random.normal()
            delay = np.random.uniform(0.2, 0.4)
            while abs(x) < 1.0:
                x += drift * STEP + root * np.random.normal()
                t += STEP
            choices[i], times[i] = (1.0 if x >= 0.0 else -1.0), t + delay

    @njit
    def race(choices: Any, times: Any, inputs: Any, seed: int) -> None:
        np.random.seed(seed)
        root, n = np.sqrt(STEP), len(inputs)
        x = np.zeros(n)
        for i in range(len(choices)):
            x[:] = 0.0
            t, winner, best = 0.0, -1, 1.0
            while winner < 0:
                t += STEP
                for j in range(n):
                    x[j] += inputs[j] * STEP + root * np.random.normal()
                    if x[j] >= best:
                        winner, best = j, x[j]
            choices[i], times[i] = winner, t

    @njit
    def competing(choices: Any, times: Any, inputs: Any, seed: int) -> None:
        np.random.seed(seed)
        root, n = np.sqrt(STEP), len(inputs)
        x = np.zeros(n)
        for i in range(len(choices)):
            x[:] = 0.0
            t, winner, best = 0.0, -1, 1.0
            while winner < 0:
                t += STEP
                total = 0.0
                for j in range(n):
                    total += x[j]
                for j in range(n):
                    slope = inputs[j] - 0.6 * x[j] - 0.4 * (total - x[j])
                    x[j] = max(0.0, x[j] + slope * STEP + root * np.random.normal())
                    if x[j] >= best:
                        winner, best = j, x[j]
            choices[i], times[i] = winner, t

    @njit
    def ballistic(choices: Any, times: Any, inputs: Any, seed: int) -> None:
        np.random.seed(seed)
        for i in range(len(choices)):
            winner, best = -1, np.inf
            for j in range(len(inputs)):
                start, rate = np.random.uniform(0.0, 0.5), inputs[j] + 0.3 * np.random.normal()
                if rate > 0.0 and (1.0 - start) / rate < best:
                    winner, best = j, (1.0 - start) / rate
            choices[i], times[i] = winner, best

    @njit
    def attentional(choices: Any, times: Any, items: Any, seed: int) -> None:
        np.random.seed(seed)
        root = np.sqrt(STEP)
        for i in range(len(choices)):
            x, t, left = 0.0, 0.0, 0.0
            first = np.random.random() >= 0.5
            while abs(x) < 1.0:
                if left < 0.5 * STEP:
                    first = not first
                    left = 0.4 * np.exp(0.5 * np.random.normal() - 0.125)
                left -= STEP
                slope = items[0] - 0.3 * items[1] if first else 0.3 * items[0] - items[1]
                x += 0.2 * slope * STEP + 0.6 * root * np.random.normal()
                t += STEP
            choices[i], times[i] = (1.0 if x >= 0.0 else -1.0), t

    constant = diffusion(njit(lambda t: 1.0))
    return {
        "drift diffusion": (constant, (0.0, 0.0)),
        "linear bounds": (diffusion(njit(lambda t: max(0.0, 1.0 - t / 2.0))), (0.0, 0.0)),
        "exponential bounds": (diffusion(njit(lambda t: np.exp(-t / 2.0))), (0.0, 0.0)),
        "Weibull bounds": (diffusion(njit(lambda t: np.exp(-((t / 2.0) ** 3.0)))), (0.0, 0.0)),
        "Ornstein-Uhlenbeck": (constant, (0.8, 0.0)),
        "urgency": (constant, (0.0, 0.5)),
        "full drift diffusion": (full, ()),
        "race of 2": (race, ()),
        "race of 3": (race, ()),
        "LCA of 3": (competing, ()),
        "LBA of 3": (ballistic, ()),
        "attentional": (attentional, ()),
    }


def compare(name: str, outcomes: dict[str, Outcome], count: int) -> None:
    """Stops if the means of choices or times of two programs differ by more than 1 per cent, and more than chance allows."""
    _, choice, response = outcomes["cogir"]
    for program, (_, other_choice, other_response) in outcomes.items():
        chance = 8.0 / count**0.5
        if abs(choice - other_choice) > 0.01 + chance or abs(response - other_response) > 0.01 * response + chance * response:
            raise SystemExit(f"{name}: cogir has the means {choice}, {response}; {program} has {other_choice}, {other_response}")


def main() -> None:
    """Prints a table of rates."""
    parser = argparse.ArgumentParser(description="Times the decision models of the library.")
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args()
    loops = loops_of_numba()
    rates: dict[str, dict[str, float]] = {}
    print("| model | cogir, million decisions per s | Numba | ssm-simulators | cogir over the faster |")
    print("|---|---|---|---|---|")
    for name, model in PARAMETERS.items():
        runs = {"cogir": of_cogir(model, chosen.count), "Numba": None, "ssm-simulators": of_ssms(model, chosen.count)}
        if name in loops:
            runs["Numba"] = of_numba(loops, name, model, chosen.count)
        best: dict[str, float] = {}
        for number in range(chosen.rounds):
            outcomes = {program: run(number) for program, run in runs.items() if run is not None}
            compare(name, outcomes, chosen.count)
            for program, (seconds, _, _) in outcomes.items():
                best[program] = min(best.get(program, inf), seconds)
        rate = rates[name] = {program: chosen.count / seconds / 1e6 for program, seconds in best.items()}
        peer = max((value for program, value in rate.items() if program != "cogir"), default=inf)
        cells = [f"{rate[program]:.2f}" if program in rate else "-" for program in ("cogir", "Numba", "ssm-simulators")]
        print(f"| {name} | {' | '.join(cells)} | {rate['cogir'] / peer:.1f} |", flush=True)
    if chosen.json:
        chosen.json.write_text(json.dumps(rates, indent=2))


if __name__ == "__main__":
    main()
