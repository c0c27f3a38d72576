"""
Fits of drift diffusion with three free parameters to data that PyDDM has simulated: how often 95 % intervals hold the parameters, how wide
they are beside those of the analytical likelihood, and how long a fit takes beside PyDDM's own.

    python benchmarks/fits.py                   # 20 data sets of 500 trials
    python benchmarks/fits.py --datasets 3      # a short look

It needs `pip install 'cogir[fit]' pyddm ssm-simulators`. Times are seconds of wall clock and of processors; those of PyDDM are of its own
fit (differential evolution of the numerical solution) to the first data set, and those of ssm-simulators, the simulator of HSSM, of
simulating as many trials as the first fit does.
"""

from __future__ import annotations

import argparse
import time
import warnings
from typing import Any

import numpy as np

import cogir
from cogir import library

STEP = 0.005
CORRECTION = 0.5826 * STEP**0.5
"""Bounds that are checked at the ends of steps act as if they were so much further away (Siegmund 1979)."""
NAMES = ("drift", "threshold", "non_decision_time")
BOUNDS = {"drift": (0.0, 3.0), "threshold": (0.4, 2.5), "non_decision_time": (0.05, 0.6)}
CHOICE, TIME = "ddm/choice", "ddm/response_time"


def model() -> cogir.Model:
    """Drift diffusion in steps of 5 ms."""
    made = cogir.Model("decision")
    made.node(
        "ddm",
        library.drift_diffusion_decision,
        time_step_size=STEP,
        execute_until_finished=True,
        max_executions_before_finished=4000,
        reset_each_trial=True,
    )
    return made


def peer(parameters: Any) -> Any:
    """The same model in PyDDM; `parameters`: numbers or ranges."""
    from pyddm import gddm

    return gddm(
        drift=lambda drift: drift,
        bound=lambda threshold: threshold,
        nondecision=lambda non_decision_time: non_decision_time,
        noise=1.0,
        mixture_coef=0.0,
        parameters=parameters,
        T_dur=20.0,
        dt=0.005,
        dx=0.005,
    )


def data_set(truth: dict[str, float], trials: int, seed: int) -> dict[str, Any]:
    """Trials that PyDDM draws from its solution."""
    sample = peer(truth).solve().sample(trials, seed=seed)
    upper, lower = np.asarray(sample.choice_upper), np.asarray(sample.choice_lower)
    return {CHOICE: np.repeat([1.0, -1.0], [len(upper), len(lower)]), TIME: np.concatenate([upper, lower])}


def timed(call: Any) -> tuple[Any, float, float]:
    """A result, and the seconds of wall clock and of processors."""
    wall, cpu = time.perf_counter(), time.process_time()
    result = call()
    return result, time.perf_counter() - wall, time.process_time() - cpu


def main() -> None:
    """Prints a line for each data set, and the counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--datasets", type=int, default=20)
    parser.add_argument("--trials", type=int, default=500)
    parser.add_argument("--simulations", type=int, default=60_000)
    options = parser.parse_args()
    warnings.simplefilter("ignore", cogir.FitWarning)
    made = model()
    compiled = made.compile(unfinished="ignore")
    free = {"ddm/drift": BOUNDS["drift"], "threshold": BOUNDS["threshold"], "ddm/non_decision_time": BOUNDS["non_decision_time"]}
    exact = {f"ddm/{name}": bounds for name, bounds in BOUNDS.items()}
    rng = np.random.default_rng(2026)
    covered, covered_exactly, ratios, seconds = np.zeros(3, int), np.zeros(3, int), list[Any](), list[Any]()
    for number in range(options.datasets):
        truth = dict(zip(NAMES, rng.uniform([0.5, 0.7, 0.2], [2.0, 1.5, 0.4]).tolist(), strict=True))
        data = data_set(truth, options.trials, number)
        problem = cogir.fit.problem(
            compiled,
            data,
            free,
            inputs={"ddm": [[1.0]]},
            derive={"ddm/threshold": lambda p: p["threshold"] - CORRECTION},
            simulations=options.simulations,
            seed=number,
        )
        found, *spent = timed(lambda problem=problem, number=number: cogir.fit(problem, seed=number))
        if not number:
            beside(data, problem.simulated, options)
        other, *other_spent = timed(lambda data=data: cogir.fit(made, data, exact, inputs={"ddm": [[1.0]]}, likelihood="analytical"))
        intervals, wanted = list(found.intervals.values()), list(other.intervals.values())
        held = [low <= true <= high for (low, high), true in zip(intervals, truth.values(), strict=True)]
        held_exactly = [low <= true <= high for (low, high), true in zip(wanted, truth.values(), strict=True)]
        ratio = [(high - low) / (top - bottom) for (low, high), (bottom, top) in zip(intervals, wanted, strict=True)]
        covered, covered_exactly = covered + held, covered_exactly + held_exactly
        ratios.append(ratio)
        seconds.append([*spent, *other_spent])
        moved = [(a - b) / e for a, b, e in zip(found.theta, other.theta, other.standard_errors.values(), strict=True)]
        print(
            f"{number:2}  covers {''.join('.x'[not one] for one in held)} (exact {''.join('.x'[not one] for one in held_exactly)})  "
            f"widths {' '.join(f'{one:.2f}' for one in ratio)}  away {' '.join(f'{one:+.2f}' for one in moved)} standard errors  "
            f"{spent[0]:.1f} s ({spent[1]:.1f} s of processors), exact {other_spent[0]:.1f} s ({other_spent[1]:.1f} s)",
            flush=True,
        )
    print(
        f"\nintervals that hold the parameter, of {options.datasets}: " + ", ".join(f"{n} {c}" for n, c in zip(NAMES, covered, strict=True))
    )
    print("with the analytical likelihood: " + ", ".join(f"{n} {c}" for n, c in zip(NAMES, covered_exactly, strict=True)))
    print("widths beside those of the analytical likelihood, median (largest): ", end="")
    print(", ".join(f"{n} {np.median(c):.2f} ({np.max(c):.2f})" for n, c in zip(NAMES, np.array(ratios).T, strict=True)))
    wall, cpu, other_wall, other_cpu = np.median(seconds, axis=0)
    print(f"seconds per fit, median: {wall:.1f} ({cpu:.1f} of processors); analytical {other_wall:.1f} ({other_cpu:.1f})")


def beside(data: dict[str, Any], trials: int, options: argparse.Namespace) -> None:
    """The times of PyDDM's fit, and of ssm-simulators' simulation of as many trials."""
    import pandas as pd
    from pyddm import Sample

    table = pd.DataFrame({"rt": data[TIME], "correct": (data[CHOICE] > 0).astype(int)})
    sample = Sample.from_pandas_dataframe(table, rt_column_name="rt", choice_column_name="correct")
    other = peer(dict(BOUNDS))
    _, wall, cpu = timed(lambda: other.fit(sample, verbose=False))
    print(
        f"PyDDM: {wall:.1f} s ({cpu:.1f} s of processors): {dict(zip(NAMES, map(float, other.get_model_parameters()), strict=True))}",
        flush=True,
    )
    from ssms.basic_simulators.simulator import simulator

    count = 10 * options.simulations
    _, wall, cpu = timed(lambda: simulator(theta=[1.0, 1.0, 0.5, 0.3], model="ddm", n_samples=count, delta_t=STEP, max_t=20.0))
    print(
        f"ssm-simulators (of HSSM): {wall * trials / count:.1f} s ({cpu * trials / count:.1f} s of processors) for {trials:,} trials\n",
        flush=True,
    )


if __name__ == "__main__":
    main()
