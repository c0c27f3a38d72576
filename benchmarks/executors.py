"""
The overhead of a sweep in other processes over its native work: a pool of the standard library, and Dask.

    python benchmarks/executors.py [--points 40000] [--replicates 100] [--rounds 3] [--workers 1]

The sweep is that of `benchmarks/sweeps.py`, reduced to means and variances. The native work is the time that one thread of this process
takes, divided by the number of workers; the overhead is what a sweep by the workers takes beyond it: handing out, waiting, sending, and
what else the workers do. Processes have been started, and have compiled, before. All are taken in turns; the best of several rounds counts.
Dask needs `pip install distributed`.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import numpy as np
from sweeps import decision

import cogir


def timed(sweep: Callable[[], cogir.Sweep]) -> tuple[float, bytes]:
    """The seconds that a sweep takes, and its results."""
    begun = time.perf_counter()
    found = sweep()
    return time.perf_counter() - begun, found["ddm", "time", "mean"].tobytes()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--points", type=int, default=40_000)
    parser.add_argument("--replicates", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--workers", type=int, default=1)
    args = parser.parse_args()
    compiled = decision(1)

    def sweep(**more: Any) -> Callable[[], cogir.Sweep]:
        points = {"ddm/rate": np.linspace(0.5, 1.5, args.points)}
        given = {"replicates": args.replicates, "seed": 1, "reduce": ["mean", "variance"], **more}
        return lambda: compiled.sweep(points, {"ddm": [[1.0]]}, **given)

    with ProcessPoolExecutor(args.workers, mp_context=get_context("spawn")) as pool:
        measures = {"one thread, here": sweep(), "process pool": sweep(executor=pool)}
        cluster = None
        try:
            from dask.distributed import Client, LocalCluster

            cluster = LocalCluster(n_workers=args.workers, threads_per_worker=1, dashboard_address=None)
            client = Client(cluster)
            measures["Dask"] = sweep(executor=client)
        except ImportError:
            print("Dask is not installed: pip install distributed")
        for measure in measures.values():
            timed(measure)
        rounds = [{name: timed(measure) for name, measure in measures.items()} for _ in range(args.rounds)]
        if cluster is not None:
            client.close()
            cluster.close()
    best = {name: min(each[name][0] for each in rounds) for name in measures}
    native = best["one thread, here"] / args.workers
    for name, seconds in best.items():
        share = "" if name == "one thread, here" else f"   {100 * (seconds / native - 1):5.1f} % over the native work"
        same = all(each[name][1] == rounds[0]["one thread, here"][1] for each in rounds)
        print(f"{name:20}{seconds:8.3f} s{share}   {'the same bits' if same else 'OTHER BITS'}")


if __name__ == "__main__":
    main()
