"""
Nanoseconds per step of drift diffusion in a sweep, beside `replicates`, loops compiled by Numba, ssm-simulators, and PyDDM's simulator.

    python benchmarks/sweeps.py [--points 20000] [--replicates 100] [--rounds 5] [--threads 1] [--json file]

All integrate the same decisions: drifts from 0.5 to 1.5, bounds at 1, noise 1, Euler steps of 0.01. Each figure is the best of several
rounds, all taken in turns; only ratios within one run are meaningful. The last line is the largest memory of the process; with
`--points 1000000` it shows that reductions take constant memory (run it in a process of its own). The peers, which are left out where they
are missing, need `pip install numba ssm-simulators pyddm`.
"""

from __future__ import annotations

import argparse
import json
import resource
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import cogir
from cogir import library

STEP, MOST = 0.01, 5000
Measure = Callable[[], tuple[float, float]]
"""Runs once; returns seconds and the number of steps."""


def decision(threads: int | None) -> cogir.Compiled:
    """One decision."""
    model = cogir.Model("decision")
    model.node(
        "ddm",
        library.drift_diffusion_integrator,
        input=1,
        noise=1.0,
        threshold=1.0,
        time_step_size=STEP,
        execute_until_finished=True,
        max_executions_before_finished=MOST,
        reset_each_trial=True,
    )
    return model.compile(threads=threads, unfinished="ignore")


def of_cogir(points: int, replicates: int, threads: int | None) -> dict[str, Measure]:
    """Replicates, and sweeps that keep all or reduce."""
    compiled = decision(threads)
    drifts, inputs = np.linspace(0.5, 1.5, points), {"ddm": [[1.0]]}

    def repeated() -> tuple[float, float]:
        begun = time.perf_counter()
        found = compiled.replicates(inputs, count=points * replicates, seed=1)
        return time.perf_counter() - begun, float(found["ddm", "time"].sum()) / STEP

    def swept(reduce: Any) -> Measure:
        def once() -> tuple[float, float]:
            begun = time.perf_counter()
            found = compiled.sweep({"ddm/rate": drifts}, inputs, replicates=replicates, seed=1, reduce=reduce)
            seconds = time.perf_counter() - begun
            total = found["ddm", "time"].sum() if reduce is None else found["ddm", "time", "mean"].sum() * replicates
            return seconds, float(total) / STEP

        return once

    kept = {} if points * replicates > 20_000_000 else {"replicates": repeated, "sweep, all kept": swept(None)}
    return {**kept, "sweep, mean and variance": swept(["mean", "variance"])}


def of_numba(points: int, replicates: int) -> dict[str, Measure]:
    """The loop that one would write, with NumPy's normals."""
    try:
        from numba import njit
    except ImportError:
        return {}

    @njit
    def simulate(drifts: Any, replicates: int) -> Any:
        times = np.empty((len(drifts), replicates))
        root = np.sqrt(STEP)
        for point in range(len(drifts)):
            for replicate in range(replicates):
                x, t = 0.0, 0.0
                while abs(x) < 1.0 and t < MOST * STEP:
                    x += drifts[point] * STEP + root * np.random.normal()
                    t += STEP
                times[point, replicate] = t
        return times

    drifts = np.linspace(0.5, 1.5, points)
    simulate(drifts[:2], 2)

    def once() -> tuple[float, float]:
        begun = time.perf_counter()
        times = simulate(drifts, replicates)
        return time.perf_counter() - begun, float(times.sum()) / STEP

    return {"Numba": once} | of_numba_with_xoshiro(points, replicates)


def of_numba_with_xoshiro(points: int, replicates: int) -> dict[str, Measure]:
    """The same loop by somebody who takes as much trouble: xoshiro256++ in local variables, and both normals of each Box-Muller pair."""
    from numba import njit

    @njit(inline="always")
    def rotated(x: Any, by: Any) -> Any:
        return (x << by) | (x >> (np.uint64(64) - by))

    @njit
    def simulate(drifts: Any, replicates: int) -> Any:
        times = np.empty((len(drifts), replicates))
        root, unit = np.sqrt(STEP), 2.0**-53
        a, b, c, d = np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(4)
        kept, is_kept = 0.0, False
        for point in range(len(drifts)):
            for replicate in range(replicates):
                x, t = 0.0, 0.0
                while abs(x) < 1.0 and t < MOST * STEP:
                    if is_kept:
                        normal, is_kept = kept, False
                    else:
                        u = v = 0.0
                        for half in range(2):
                            word = rotated(a + d, np.uint64(23)) + a
                            moved = b << np.uint64(17)
                            c ^= a
                            d ^= b
                            b ^= c
                            a ^= d
                            c ^= moved
                            d = rotated(d, np.uint64(45))
                            if half == 0:
                                u = (np.float64(word >> np.uint64(11)) + 1.0) * unit
                            else:
                                v = np.float64(word >> np.uint64(11)) * unit
                        length = np.sqrt(-2.0 * np.log(u))
                        normal, kept, is_kept = length * np.cos(2.0 * np.pi * v), length * np.sin(2.0 * np.pi * v), True
                    x += drifts[point] * STEP + root * normal
                    t += STEP
                times[point, replicate] = t
        return times

    drifts = np.linspace(0.5, 1.5, points)
    simulate(drifts[:2], 2)

    def once() -> tuple[float, float]:
        begun = time.perf_counter()
        times = simulate(drifts, replicates)
        return time.perf_counter() - begun, float(times.sum()) / STEP

    return {"Numba, xoshiro256 inlined": once}


def of_pyddm() -> dict[str, Measure]:
    """PyDDM's simulator, which is Python: 200 decisions at one drift."""
    try:
        import pyddm
    except ImportError:
        return {}
    model = pyddm.Model(
        drift=pyddm.DriftConstant(drift=1.0),
        noise=pyddm.NoiseConstant(noise=1.0),
        bound=pyddm.BoundConstant(B=1.0),
        dt=STEP,
        dx=0.01,
        T_dur=MOST * STEP,
    )

    def once() -> tuple[float, float]:
        begun = time.perf_counter()
        steps = sum(len(model.simulate_trial(conditions={}, seed=number, cutoff=True, rk4=False)) for number in range(200))
        return time.perf_counter() - begun, float(steps)

    return {"PyDDM's simulator": once}


def of_ssms(points: int, replicates: int) -> dict[str, Measure]:
    """ssm-simulators, a call for each point."""
    try:
        from ssms.basic_simulators.simulator import simulator
    except ImportError:
        return {}
    drifts = np.linspace(0.5, 1.5, points)

    def once() -> tuple[float, float]:
        begun, total = time.perf_counter(), 0.0
        found = simulator(
            theta=np.stack([drifts, np.ones(points), np.full(points, 0.5), np.zeros(points)], axis=1).astype(np.float32),
            model="ddm",
            n_samples=replicates,
            delta_t=STEP,
            n_threads=1,
        )
        total = float(np.abs(found["rts"]).sum())
        return time.perf_counter() - begun, total / STEP

    return {"ssm-simulators": once}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--points", type=int, default=20_000)
    parser.add_argument("--replicates", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=1, help="0: as many as pay")
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    measures = of_cogir(args.points, args.replicates, args.threads or None)
    if args.points <= 100_000:
        measures |= of_numba(args.points, args.replicates) | of_ssms(args.points, args.replicates) | of_pyddm()
    best = dict.fromkeys(measures, np.inf)
    for _ in range(args.rounds):
        for name, measure in measures.items():
            seconds, steps = measure()
            best[name] = min(best[name], 1e9 * seconds / steps)
    first = next(iter(best.values()))
    for name, each in best.items():
        print(f"{name:28}{each:8.2f} ns per step{each / first:8.2f}")
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"largest memory: {memory:.0f} MiB")
    if args.json is not None:
        args.json.write_text(json.dumps({"ns_per_step": best, "memory_mib": memory}, indent=2))


if __name__ == "__main__":
    main()
